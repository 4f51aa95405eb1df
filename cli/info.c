// SPDX-License-Identifier: MIT
// talus info: what is in a run, finished, stopped or still running.
#include "cli.h"
#include "io/files.h"
#include "io/frames.h"
#include "io/scene.h"
#include "message.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static const char usage[] = "usage: talus info DIR [--json]\n\n"
			    "Tells what is in the folder of a run: the scene, frames, log, checkpoint, result and files.\n\n"
			    "  --json   the same for programs\n"
			    "  --help   this text\n";

static const char *const file_names[] = {"scene.yaml", "run.h5", "run.xdmf", "log.csv", "checkpoint.h5", "summary.json"};
enum { FILES = sizeof file_names/sizeof file_names[0] };

typedef enum run_state { RUN_FINISHED, RUN_RUNNING, RUN_STOPPED, RUN_UNSTARTED, RUN_DAMAGED, RUN_UNKNOWN } run_state;

typedef struct run_info {
	const char *folder;
	scene *scene;
	long long bytes[FILES]; // -1: not there
	bool has_frames, has_log, has_checkpoint, bad_checkpoint;
	size_t frames;
	double first_frame, last_frame;
	bool observable[FRAME_COLUMNS]; // in every frame
	log_extent log;
	checkpoint_head checkpoint;
	talus_error checkpoint_error; // why there is none, where there is a file
	char *summary; // text of summary.json, NULL if there is none
	run_state state;
} run_info;

// ---------------------------------------------------------------- gathering

static char *text_read(const char *folder, const char *name)
{
	char path[TALUS_PATH_MAX], *text = NULL;
	talus_error ignored;
	if (!folder_path(path, folder, name, &ignored))
		return NULL;
	FILE *in = fopen(path, "re");
	size_t capacity = 0;
	if (in && getdelim(&text, &capacity, 0, in) <= 0) {
		free(text);
		text = NULL;
	}
	if (in)
		fclose(in);
	return text;
}

static void frames_look(run_info *info)
{
	talus_error error;
	uint64_t *step;
	double *time;
	info->has_frames = frames_list(info->folder, &info->frames, &step, &time, &error);
	if (info->has_frames && info->frames) {
		info->first_frame = time[0];
		info->last_frame = time[info->frames - 1];
	}
	frames_list_free(step, time);
	info->has_frames = info->has_frames && frames_observables(info->folder, info->observable, &error);
	if (!info->has_frames && info->bytes[1] >= 0)
		cli_error(&error, EXIT_FAILED);
}

static run_state state_of(const run_info *info)
{
	folder_use use = folder_look(info->folder);
	if (use == FOLDER_BUSY)
		return RUN_RUNNING;
	if (info->summary)
		return RUN_FINISHED;
	if (use == FOLDER_UNKNOWN)
		return RUN_UNKNOWN;
	return info->has_checkpoint ? RUN_STOPPED : info->bad_checkpoint ? RUN_DAMAGED : RUN_UNSTARTED;
}

static void files_look(run_info *info)
{
	for (int i = 0; i < FILES; i++) {
		char path[TALUS_PATH_MAX];
		struct stat status;
		talus_error ignored;
		bool found = folder_path(path, info->folder, file_names[i], &ignored) && stat(path, &status) == 0;
		info->bytes[i] = found ? (long long)status.st_size : -1;
	}
}

static bool info_read(run_info *info, talus_error *error)
{
	char path[TALUS_PATH_MAX];
	if (!folder_path(path, info->folder, "scene.yaml", error))
		return false;
	info->scene = scene_read_file(path, NULL, 0, error);
	if (!info->scene)
		return false;
	files_look(info);
	frames_look(info);
	talus_error ignored;
	info->has_log = log_measure(info->folder, UINT64_MAX, &info->log, &ignored);
	info->has_checkpoint = checkpoint_look(info->folder, &info->checkpoint, &info->checkpoint_error);
	info->bad_checkpoint = !info->has_checkpoint && info->bytes[4] >= 0;
	if (info->bad_checkpoint)
		cli_error(&info->checkpoint_error, EXIT_FAILED);
	info->summary = text_read(info->folder, "summary.json");
	info->state = state_of(info);
	return true;
}

static void info_free(run_info *info)
{
	if (info->scene)
		scene_free(info->scene);
	free(info->summary);
}

// ---------------------------------------------------------------- for people

// What stands behind a key of summary.json, which has one key a line; NULL if it is not there.
static const char *summary_find(const char *summary, const char *key)
{
	char start[64];
	snprintf(start, sizeof start, "\n  \"%s\": ", key);
	const char *at = summary ? strstr(summary, start) : NULL;
	return at ? at + strlen(start) : NULL;
}

static bool summary_value(const char *summary, const char *key, char *value, size_t size)
{
	const char *at = summary_find(summary, key);
	if (!at)
		return false;
	snprintf(value, size, "%.*s", (int)strcspn(at, ",\n"), at);
	return true;
}

static double summary_number(const char *summary, const char *key) // 0 if it is not there, or null
{
	const char *at = summary_find(summary, key);
	return at ? strtod(at, NULL) : 0;
}

static void line_start(const char *name)
{
	printf("  %-16s ", name);
}

static void scene_print(const scene *s)
{
	line_start("dimension");
	printf("%d\n", s->world.dimension);
	line_start("method");
	printf("contact dynamics, step %g\n", s->world.step);
	line_start("materials");
	for (int i = 0; i < s->materials; i++)
		printf("%s%s", i ? ", " : "", s->material[i].name);
	putchar('\n');
	line_start("walls");
	for (int i = 0; i < s->walls; i++)
		printf("%s%s", i ? ", " : "", s->wall[i].def.name);
	puts(s->walls ? "" : "none");
	line_start("until");
	if (s->until_time)
		printf("time %g", s->end_time);
	if (s->until_rest)
		printf("%srest below %g", s->until_time ? " or " : "", s->rest);
	putchar('\n');
}

// Their names, in lines of a terminal's width.
static void observables_print(const run_info *info)
{
	enum { INDENT = 19, WIDTH = 100 };
	int column = 0;
	for (int c = 0; c < FRAME_COLUMNS; c++) {
		char name[TALUS_NAME_MAX];
		if (!info->frames || !info->observable[c])
			continue;
		frame_observable_name(c, name);
		int length = (int)strlen(name);
		if (!column)
			line_start("observables");
		else if (column + length + 3 > WIDTH)
			printf(",\n%*s", INDENT, "");
		else
			fputs(", ", stdout);
		column = !column || column + length + 3 > WIDTH ? INDENT + length : column + 2 + length;
		fputs(name, stdout);
	}
	if (column)
		putchar('\n');
}

static void checkpoint_print(const run_info *info)
{
	line_start("checkpoint");
	if (info->has_checkpoint)
		printf("time %g, step %llu\n", info->checkpoint.time, (unsigned long long)info->checkpoint.step);
	else if (info->bad_checkpoint)
		printf("damaged, or of another version: %s\n", info->checkpoint_error.text);
	else
		puts("none");
}

static void contents_print(const run_info *info)
{
	if (info->has_checkpoint) {
		line_start("grains");
		printf("%zu\n", info->checkpoint.grains);
	}
	line_start("frames");
	if (info->has_frames && info->frames)
		printf("%zu, time %g to %g\n", info->frames, info->first_frame, info->last_frame);
	else
		puts("none");
	observables_print(info);
	line_start("log");
	if (info->has_log && info->log.rows)
		printf("%zu rows, to time %g\n", info->log.rows, info->log.last_time);
	else
		puts("none");
	checkpoint_print(info);
	line_start("state");
	switch (info->state) {
	case RUN_FINISHED: puts("finished"); break;
	case RUN_RUNNING: puts("running now"); break;
	case RUN_STOPPED: printf("stopped; to go on: talus resume %s\n", info->folder); break;
	case RUN_UNSTARTED: puts("stopped before its first checkpoint"); break;
	case RUN_UNKNOWN: puts("running on another machine, or killed there: this disk knows no locks (see run.lock)"); break;
	case RUN_DAMAGED: puts("stopped; it cannot go on from this checkpoint"); break;
	}
}

// The ways in which energy was dissipated, those that took some: {"normal": 1.5, "friction": 3, ...} in one line.
static void dissipation_print(const char *summary)
{
	static const char *const ways[] = {"normal", "friction", "rolling", "torsion", "bonds", "numerical"};
	const char *line = summary_find(summary, "dissipated"), *between = " (";
	double all = summary_number(summary, "dissipated_energy");
	if (!line || all == 0)
		return;
	line_start("dissipated");
	printf("%.6g", all);
	for (size_t i = 0; i < sizeof ways/sizeof ways[0]; i++) {
		char start[32];
		snprintf(start, sizeof start, "\"%s\": ", ways[i]);
		const char *at = strstr(line, start);
		double part = at && at < line + strcspn(line, "\n") ? strtod(at + strlen(start), NULL) : 0;
		if (part == 0)
			continue;
		printf("%s%s %.6g", between, ways[i], part);
		between = ", ";
	}
	puts(*between == ',' ? ")" : "");
}

static void counts_print(const char *summary)
{
	double now = summary_number(summary, "bonds"), formed = summary_number(summary, "bonds_formed");
	double softened = summary_number(summary, "bounces_softened"), floor = summary_number(summary, "floor_steps");
	if (formed > 0) {
		line_start("bonds");
		printf("%.0f, of %.0f that formed\n", now, formed);
	}
	if (softened > 0) {
		line_start("bounces softened");
		printf("%.0f\n", softened);
	}
	if (floor > 0) {
		line_start("note");
		printf("%.0f steps ended before their tolerance was met, where more sweeps did not help\n", floor);
	}
}

static void summary_print(const char *summary)
{
	static const char *const shown[][2] = {
		{"contacts", "contacts"},
		{"coordination", "coordination"},
		{"volume_fraction", "volume fraction"},
		{"mean_overlap", "mean overlap"},
		{"max_overlap", "largest overlap"},
		{"pressure", "pressure"},
		{"kinetic_energy", "kinetic energy"},
		{"residual", "residual"},
		{"seconds", "seconds"},
		{"state_hash", "state hash"},
	};
	char value[64];
	for (size_t i = 0; i < sizeof shown/sizeof shown[0]; i++) {
		if (!summary_value(summary, shown[i][0], value, sizeof value))
			continue;
		char *end;
		double number = strtod(value, &end);
		line_start(shown[i][1]);
		if (*value == '"') // a text without its quotes, even if it looks like a number
			printf("%.*s\n", (int)strcspn(value + 1, "\""), value + 1);
		else if (*end || end == value)
			puts(value);
		else
			printf("%.6g\n", number);
	}
}

static void share_print(const char *name, const char *summary, const char *key, const char *of)
{
	line_start(name);
	printf("%.3g %% %s\n", 100*summary_number(summary, key), of);
}

// How grains are packed and forces are spread at the end; nothing for runs of versions that did not say so.
static void packing_print(const char *summary)
{
	if (!summary_find(summary, "coordination_network") || summary_number(summary, "contacts") == 0)
		return;
	double pressure = summary_number(summary, "pressure");
	puts("packing");
	line_start("network");
	printf("%.4g contacts a grain, without %.0f rattlers\n", summary_number(summary, "coordination_network"),
	       summary_number(summary, "rattlers_network"));
	line_start("stress");
	printf("deviator %.4g", summary_number(summary, "deviator"));
	if (pressure > 0)
		printf(", %.3g of the pressure", summary_number(summary, "deviator")/pressure);
	printf("; by motion %.3g\n", summary_number(summary, "stress_kinetic_pressure"));
	line_start("fabric");
	printf("%.3g %.3g %.3g, anisotropy %.3g\n", summary_number(summary, "fabric_xx"),
	       summary_number(summary, "fabric_yy"), summary_number(summary, "fabric_zz"),
	       summary_number(summary, "anisotropy"));
	line_start("forces");
	printf("mean %.4g, largest %.4g\n", summary_number(summary, "mean_force"), summary_number(summary, "max_force"));
	share_print("weak", summary, "weak_share", "of the contacts");
	share_print("", summary, "weak_pressure_share", "of the pressure");
	if (summary_number(summary, "pull_share") > 0)
		share_print("pulling", summary, "pull_share", "of the contacts");
	share_print("friction", summary, "mobilisation", "in use, on average");
	share_print("sliding", summary, "sliding_share", "of the contacts with friction");
	line_start("temperature");
	printf("%.3g, of spins %.3g\n", summary_number(summary, "temperature"), summary_number(summary, "spin_temperature"));
}

static void size_print(long long bytes)
{
	if (bytes < 10000)
		printf("%lld B\n", bytes);
	else if (bytes < 10000000)
		printf("%.1f kB\n", (double)bytes/1e3);
	else
		printf("%.1f MB\n", (double)bytes/1e6);
}

static void info_print(const run_info *info)
{
	printf("%s: %s\n", info->folder, info->scene->title[0] ? info->scene->title : "a run");
	scene_print(info->scene);
	contents_print(info);
	summary_print(info->summary);
	dissipation_print(info->summary);
	counts_print(info->summary);
	for (int i = 0; i < FILES; i++) {
		if (info->bytes[i] < 0)
			continue;
		line_start(file_names[i]);
		size_print(info->bytes[i]);
	}
	packing_print(info->summary);
}

// ---------------------------------------------------------------- for programs

static void names_json(const char *key, int count, const char *first, size_t stride)
{
	printf(" \"%s\": [", key);
	for (int i = 0; i < count; i++) {
		fputs(i ? ", " : "", stdout);
		json_text(stdout, first + (size_t)i*stride);
	}
	fputs("],\n", stdout);
}

static void number_json(const char *before, double number)
{
	fputs(before, stdout);
	json_number(stdout, number);
}

static void observables_json(const run_info *info)
{
	const char *between = "";
	fputs(", \"observables\": [", stdout);
	for (int c = 0; c < FRAME_COLUMNS; c++) {
		char name[TALUS_NAME_MAX];
		if (!info->observable[c])
			continue;
		frame_observable_name(c, name);
		printf("%s\"%s\"", between, name);
		between = ", ";
	}
	putchar(']');
}

static void contents_json(const run_info *info)
{
	if (info->has_checkpoint)
		printf(" \"grains\": %zu,\n", info->checkpoint.grains);
	else
		puts(" \"grains\": null,");
	printf(" \"frames\": {\"count\": %zu", info->frames);
	if (info->frames) {
		number_json(", \"first_time\": ", info->first_frame);
		number_json(", \"last_time\": ", info->last_frame);
		observables_json(info);
	}
	printf("},\n \"log\": {\"rows\": %zu", info->log.rows);
	if (info->log.rows)
		number_json(", \"last_time\": ", info->log.last_time);
	fputs("},\n \"checkpoint\": ", stdout);
	if (info->has_checkpoint) {
		printf("{\"step\": %llu", (unsigned long long)info->checkpoint.step);
		number_json(", \"time\": ", info->checkpoint.time);
		fputs("},\n", stdout);
	} else {
		fputs("null,\n", stdout);
	}
	if (info->bad_checkpoint) {
		fputs(" \"checkpoint_error\": ", stdout);
		json_text(stdout, info->checkpoint_error.text);
		fputs(",\n", stdout);
	}
}

static void info_json(const run_info *info)
{
	static const char *const states[] = {"finished", "running", "stopped", "no checkpoint", "damaged checkpoint", "unknown"};
	const scene *s = info->scene;
	fputs("{\"folder\": ", stdout);
	json_text(stdout, info->folder);
	fputs(",\n \"title\": ", stdout);
	json_text(stdout, s->title);
	printf(",\n \"dimension\": %d,\n \"method\": \"contact_dynamics\",\n", s->world.dimension);
	names_json("materials", s->materials, s->materials ? s->material->name : NULL, sizeof *s->material);
	names_json("walls", s->walls, s->walls ? s->wall->def.name : NULL, sizeof *s->wall);
	contents_json(info);
	printf(" \"state\": \"%s\",\n \"files\": {", states[info->state]);
	const char *between = "";
	for (int i = 0; i < FILES; i++) {
		if (info->bytes[i] < 0)
			continue;
		printf("%s\"%s\": %lld", between, file_names[i], info->bytes[i]);
		between = ", ";
	}
	printf("},\n \"summary\": %s}\n", info->summary ? info->summary : "null");
}

// ---------------------------------------------------------------- the command

static int info_folder(const char *folder, bool json)
{
	talus_error error;
	run_info info = {.folder = folder};
	if (!folder_has(folder, "scene.yaml"))
		return cli_wrong("%s: there is no run here (no scene.yaml)", folder);
	int code = EXIT_DONE;
	if (!info_read(&info, &error))
		code = cli_error(&error, EXIT_WRONG);
	else if (json)
		info_json(&info);
	else
		info_print(&info);
	info_free(&info);
	return code;
}

int cli_info(int argc, char **argv)
{
	static const struct option options[] = {
		{"json", no_argument, NULL, 'j'}, {"help", no_argument, NULL, 'h'}, {NULL, 0, NULL, 0}};
	bool json = false;
	opterr = 0;
	for (int c; (c = getopt_long(argc, argv, ":h", options, NULL)) != -1;) {
		if (c == 'j')
			json = true;
		else if (c == 'h')
			return fputs(usage, stdout) < 0 ? EXIT_FAILED : EXIT_DONE;
		else
			return message_wrong_option("info", argv, c, options);
	}
	if (optind == argc)
		return message_missing("info", "the folder of a run");
	if (argc - optind > 1)
		return message_too_many("info", argv[optind + 1]);
	return info_folder(argv[optind], json);
}
