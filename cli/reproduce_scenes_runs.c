// SPDX-License-Identifier: MIT
// The runs of a scene with all settings and seeds, one at a time: their times are compared. It is the time of the processor that
// counts, as the machine may have other work; it is kept beside a run, and a run without it is done again.
#include "reproduce_scenes.h"

#include "base/memory.h"
#include "cli.h"
#include "io/files.h"
#include "stop.h"
#include "sweep.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#define SECONDS_FILE "seconds.txt"

enum { START_TEXT = 128 };

// What a scene is told about the grains it starts with.
typedef struct start_sets {
	char grains[START_TEXT], cell[START_TEXT];
} start_sets;

// ---------------------------------------------------------------- one run

static double children_seconds(void)
{
	struct rusage usage;
	getrusage(RUSAGE_CHILDREN, &usage);
	return (double)usage.ru_utime.tv_sec + 1e-6*(double)usage.ru_utime.tv_usec;
}

// NAN if they are not there.
static double seconds_read(const reproduction *r, const char *name)
{
	char folder[TALUS_PATH_MAX];
	talus_error ignored;
	char *text = folder_path(folder, r->folder, name, &ignored) ? sweep_text_read(folder, SECONDS_FILE) : NULL;
	double seconds = text ? strtod(text, NULL) : NAN;
	free(text);
	return seconds > 0 ? seconds : NAN;
}

static bool seconds_write(const series *s, double seconds, talus_error *error)
{
	char text[64];
	int length = snprintf(text, sizeof text, "%.6f\n", seconds);
	return file_replace(s->folder, SECONDS_FILE, text, (size_t)length, error);
}

// A series of one run, in the folder of r.
static int timed_run(series *s, const reproduction *r, const series_wish *wish, double *seconds)
{
	reproduction one = *r;
	talus_error error;
	*seconds = seconds_read(r, wish->name);
	one.threads = 1;
	one.quiet = true;
	one.force = r->force || isnan(*seconds);
	if (!r->quiet && one.force)
		fprintf(stderr, "talus: %s/%s\n", r->folder, wish->name);
	double before = children_seconds();
	int code = series_run(s, &one, wish);
	if (code != EXIT_DONE || !one.force)
		return code;
	*seconds = children_seconds() - before;
	if (seconds_write(s, *seconds, &error))
		return EXIT_DONE;
	series_free(s);
	return cli_error(&error, EXIT_FAILED);
}

// ---------------------------------------------------------------- where grains start

static bool grains_write(const char *folder, const char *name, const scene_start *start, const frame *f, talus_error *error)
{
	char *text = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&text, &size);
	if (!out)
		memory_lost();
	fputs(start->moving ? "x,y,z,radius,vx,vy,vz,wx,wy,wz\n" : "x,y,z,radius\n", out);
	for (size_t i = 0; i < f->grains; i++) {
		if (f->id[i] < (uint32_t)start->first)
			continue;
		fprintf(out, "%.17g,%.17g,%.17g,%.17g", f->x[i][0], f->x[i][1], f->x[i][2], f->radius[i]);
		for (int k = 0; k < 6 && start->moving; k++)
			fprintf(out, ",%.17g", k < 3 ? f->v[i][k] : f->spin[i][k - 3]);
		fputc('\n', out);
	}
	fclose(out);
	bool ok = file_replace(folder, name, text, size, error);
	free(text);
	return ok;
}

// The grains at the end of a run, as a file beside the scene that starts with them.
static int start_take(start_sets *sets, const char *folder, const scene_start *start, const series *s, int seed)
{
	char from[TALUS_PATH_MAX], name[32];
	talus_error error;
	size_t count;
	if (!series_folder(s, 0, from))
		return cli_wrong("%s: the path is too long", s->folder);
	frame *last = frames_count(from, &count, &error) && count ? frame_read(from, count - 1, &error) : NULL;
	snprintf(name, sizeof name, "start-%d.csv", seed);
	bool ok = last && grains_write(folder, name, start, last, &error);
	if (ok) {
		snprintf(sets->grains, START_TEXT, "grains.%d={file: {path: %s, overlaps: allowed}}", start->entry, name);
		if (start->cell)
			snprintf(sets->cell, START_TEXT, "cell.size=[%.17g, %.17g]", last->cell[0][0], last->cell[1][1]);
	}
	frame_free(last);
	return ok ? EXIT_DONE : cli_error(&error, EXIT_FAILED);
}

static void sets_add(series_wish *wish, const char *const *sets, int count)
{
	int n = 0;
	while (wish->sets[n])
		n++;
	for (int i = 0; i < count && sets[i] && *sets[i]; i++)
		wish->sets[n++] = sets[i];
}

static int start_run(start_sets *sets, const reproduction *r, const scene_start *start, int seed)
{
	char name[32], number[32];
	double ignored;
	series s;
	snprintf(name, sizeof name, "%s-%d", start->name, seed);
	snprintf(number, sizeof number, "seed=%d", seed);
	series_wish wish = {.name = name, .scene = start->text, .sets = {number}};
	sets_add(&wish, start->sets, SETS_MOST);
	if (r->quick)
		sets_add(&wish, start->quick, SETS_MOST);
	int code = timed_run(&s, r, &wish, &ignored);
	if (code == EXIT_DONE)
		code = start_take(sets, r->folder, start, &s, seed);
	series_free(&s);
	return code;
}

// ---------------------------------------------------------------- all runs

static double summary_number(const series *s, const char *path)
{
	double number;
	return series_list(s, 0, path, &number, 1) ? number : NAN;
}

static double window_from(const reproduction *r, const dense_scene *dense)
{
	return r->quick ? dense->quick_from : dense->from;
}

static double window_to(const reproduction *r, const dense_scene *dense)
{
	return r->quick ? dense->quick_until : dense->until;
}

// From a time on, or at the end.
static double log_largest(const csv_table *log, const char *column, double from, bool last)
{
	int k = csv_find(log, column), time = csv_find(log, "time");
	double largest = 0;
	for (size_t i = last ? log->rows - 1 : 0; i < log->rows && k >= 0 && time >= 0; i++)
		if (last || csv_at(log, i, time) >= from)
			largest = fmax(largest, csv_at(log, i, k));
	return largest;
}

static bool outcome_read(outcome *o, const comparison *c, const reproduction *r, const series *s)
{
	quantity_kind kind = c->scene->quantity[0].kind == OBSERVE_LAST ? OBSERVE_LAST : OBSERVE_MEAN; // a state, or a flow
	const quantity overlap = {.kind = kind, .term = {{1, "mean_overlap"}}};
	double from = window_from(r, c->scene), to = window_to(r, c->scene), steps = series_at(s, 0, "steps");
	csv_table *log = series_log(s, 0);
	if (!log)
		return false;
	for (int k = 0; k < c->quantities; k++)
		o->seen[k] = observe(log, &c->scene->quantity[k], from, to);
	o->overlap = observe(log, &overlap, from, to).mean;
	o->largest = log_largest(log, "max_overlap", from, kind == OBSERVE_LAST);
	csv_free(log);
	o->sweeps = series_at(s, 0, "iterations")/steps;
	o->capped = series_at(s, 0, "capped_steps")/steps;
	o->floor = series_at(s, 0, "floor_steps")/steps;
	o->load_error = summary_number(s, "audit.count") > 0 ? summary_number(s, "audit.load_error.median") : NAN;
	return true;
}

static int setting_run(comparison *c, const reproduction *r, int setting, int seed, const start_sets *start)
{
	const scene_setting *how = &scene_settings[setting];
	outcome *o = &c->run[setting][seed - 1];
	char name[32], number[32], until[64];
	series s;
	snprintf(name, sizeof name, "%s-%d", how->name, seed);
	snprintf(number, sizeof number, "seed=%d", seed);
	snprintf(until, sizeof until, "run.until.time=%g", window_to(r, c->scene));
	series_wish wish = {.name = name, .scene = c->scene->text, .sets = {number, until, how->solver}};
	sets_add(&wish, c->scene->sets, SETS_MOST);
	sets_add(&wish, (const char *const[]){start->grains, start->cell}, 2);
	int code = timed_run(&s, r, &wish, &o->seconds);
	if (code == EXIT_DONE && !outcome_read(o, c, r, &s))
		code = cli_wrong("%s: the log cannot be read", s.folder);
	series_free(&s);
	return code;
}

// Settings take turns, so that a machine that becomes slower does so for all of them.
static int seed_run(comparison *c, const reproduction *r, int seed)
{
	start_sets start = {0};
	int code = c->scene->start ? start_run(&start, r, c->scene->start, seed) : EXIT_DONE;
	for (int s = 0; s < SETTINGS && code == EXIT_DONE; s++)
		if (c->used[s])
			code = stop_asked() ? EXIT_FAILED : setting_run(c, r, s, seed, &start);
	return code;
}

static void comparison_begin(comparison *c, const reproduction *r, const dense_scene *dense)
{
	*c = (comparison){.scene = dense, .seeds = r->quick ? 1 : SEEDS_MOST};
	while (c->quantities < QUANTITIES_MOST && dense->quantity[c->quantities].name)
		c->quantities++;
	for (int s = 0; s < SETTINGS; s++) {
		const scene_setting *how = &scene_settings[s];
		c->used[s] = (how->quick || !r->quick) && (!how->scene || strcmp(how->scene, dense->name) == 0);
	}
}

int comparison_run(comparison *c, const reproduction *r, const dense_scene *dense)
{
	reproduction inside = *r; // in a folder of its own
	talus_error error;
	int lock;
	comparison_begin(c, r, dense);
	if (!folder_path(inside.folder, r->folder, dense->name, &error))
		return cli_error(&error, EXIT_WRONG);
	for (char *blank = strchr(inside.folder + strlen(r->folder), ' '); blank; blank = strchr(blank, ' '))
		*blank = '-';
	int code = run_folder_hold(inside.folder, &lock);
	if (code != EXIT_DONE)
		return code;
	for (int seed = 1; seed <= c->seeds && code == EXIT_DONE; seed++)
		code = seed_run(c, &inside, seed);
	folder_unlock(lock);
	if (code == EXIT_DONE)
		comparison_judge(c);
	return code;
}
