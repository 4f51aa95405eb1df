// SPDX-License-Identifier: MIT
// A comparison for programs: one object with everything. A pair [x, y] is that of A and of B; null is what is not known.
#include "compare.h"

#include <math.h>
#include <stdio.h>

static void text(const char *key, const char *value)
{
	printf("\"%s\": ", key);
	if (value && *value)
		json_text(stdout, value);
	else
		fputs("null", stdout);
}

static void number(const char *key, double value)
{
	printf("\"%s\": ", key);
	json_number(stdout, value);
}

static void numbers(const char *key, double a, double b)
{
	printf("\"%s\": [", key);
	json_number(stdout, a);
	fputs(", ", stdout);
	json_number(stdout, b);
	putchar(']');
}

static const char *yes(bool is)
{
	return is ? "true" : "false";
}

// ---------------------------------------------------------------- the parts

static void runs_json(const comparison *c)
{
	fputs(" \"runs\": [", stdout);
	for (int r = A; r < RUNS; r++) {
		const compared_run *run = &c->run[r];
		fputs(r ? ",\n  {" : "{", stdout);
		text("folder", run->folder);
		fputs(", ", stdout);
		text("title", run->scene->title);
		printf(", \"dimension\": %d, ", run->scene->world.dimension);
		number("step", run->scene->world.step);
		fputs(", ", stdout);
		text("state", run_state_name(run));
		printf(", \"rows\": %zu, \"frames\": %zu, ", run->log ? run->log->rows : 0, run->frames);
		text("log_error", run->log_error.text);
		fputs(", ", stdout);
		text("frames_error", run->frames_error.text);
		putchar('}');
	}
	fputs("],\n", stdout);
}

static void identity_json(const identity *i)
{
	static const char *const words[] = {"true", "false", "null"};
	printf("{\"identical\": %s,\n \"state_hash\": [", words[i->end]);
	for (int r = A; r < RUNS; r++) {
		fputs(r ? ", " : "", stdout);
		if (*i->hash[r])
			json_text(stdout, i->hash[r]);
		else
			fputs("null", stdout);
	}
	printf("],\n \"same_log\": %s,\n ", yes(i->same_log));
	number("logs_same_until", i->same_until);
	fputs(",\n ", stdout);
	number("logs_part_at", i->parting);
	fputs(",\n", stdout);
}

static void scenes_json(const scene_differences *scenes)
{
	printf(" \"scene_differences\": [");
	for (size_t i = 0; i < scenes->count; i++) {
		const scene_difference *d = &scenes->at[i];
		fputs(i ? ",\n  {" : "{", stdout);
		text("path", d->path);
		fputs(", ", stdout);
		text("a", d->value[A]);
		fputs(", ", stdout);
		text("b", d->value[B]);
		putchar('}');
	}
	printf("],\n \"scene_differences_left_out\": %zu,\n", scenes->left_out);
}

static void column_json(const column_compared *c)
{
	static const char *const words[] = {"agree", "differ", "unknown"};
	static const char *const whys[][2] = {
		{"few", "too few independent samples"}, {"drift", "drifts"}, {"rest", "at rest"}, {"none", "no numbers"}};
	const char *why = NULL;
	for (size_t k = 0; c->why && k < sizeof whys/sizeof *whys; k++)
		why = *whys[k][0] == *c->why ? whys[k][1] : why;
	putchar('{');
	text("name", c->name);
	fputs(", ", stdout);
	numbers("mean", c->of[A].mean, c->of[B].mean);
	fputs(", ", stdout);
	numbers("deviation", c->of[A].deviation, c->of[B].deviation);
	fputs(", ", stdout);
	numbers("error", c->of[A].error, c->of[B].error);
	fputs(", ", stdout);
	numbers("independent", c->of[A].independent, c->of[B].independent);
	fputs(", ", stdout);
	number("difference", c->difference);
	fputs(", ", stdout);
	number("difference_error", c->error);
	fputs(", ", stdout);
	number("errors", c->errors);
	printf(", \"verdict\": \"%s\", ", words[c->verdict]);
	text("why", why);
	putchar('}');
}

static void logs_json(const logs_compared *logs)
{
	fputs(" \"log\": {", stdout);
	text("missing", logs->missing);
	fputs(", ", stdout);
	numbers("common", logs->common[0], logs->common[1]);
	fputs(", ", stdout);
	numbers("window", logs->window[0], logs->window[1]);
	printf(", \"window_chosen\": %s, \"rows\": [%zu, %zu], \"at_rest\": [%s, %s],\n", yes(logs->chosen), logs->rows[A],
	       logs->rows[B], yes(logs->rest[A]), yes(logs->rest[B]));
	printf("  \"agree\": %zu, \"differ\": %zu, \"unknown\": %zu, \"only\": [%zu, %zu],\n  \"columns\": [", logs->agree, logs->differ,
	       logs->unknown, logs->only[A], logs->only[B]);
	for (size_t i = 0; i < logs->count; i++) {
		fputs(i ? ",\n   " : "", stdout);
		column_json(&logs->column[i]);
	}
	fputs("]},\n", stdout);
}

static void grains_json(const grains_compared *g)
{
	printf("  \"same_grains\": %s, ", yes(!g->others));
	text("why_not", g->others);
	if (!g->others) {
		fputs(",\n  ", stdout);
		number("distance_rms", g->rms);
		fputs(", ", stdout);
		number("distance_max", g->most);
		printf(", \"pairs\": [%zu, %zu], \"common_pairs\": %zu, ", g->contacts[A], g->contacts[B], g->common);
		number("common_share", g->together ? (double)g->common/(double)g->together : NAN);
		fputs(", ", stdout);
		number("force_difference", g->force_rms);
		fputs(", ", stdout);
		number("force_correlation", g->correlation);
	}
	fputs(",\n", stdout);
}

static void frames_json(const frames_compared *f)
{
	fputs(" \"frame\": {", stdout);
	text("missing", f->missing);
	if (!f->missing) {
		printf(", \"index\": [%zu, %zu], ", f->index[A], f->index[B]);
		numbers("time", f->frame[A]->time, f->frame[B]->time);
		printf(", \"grains\": [%zu, %zu], ", f->frame[A]->grains, f->frame[B]->grains);
		number("mean_diameter", f->diameter);
		for (int k = 0; k < NUMBERS; k++) {
			fputs(", ", stdout);
			numbers(frame_numbers[k], f->number[k][A], f->number[k][B]);
		}
		fputs(",\n", stdout);
		grains_json(&f->grains);
		printf("  \"forces\": [%zu, %zu], ", f->forces.count[A], f->forces.count[B]);
		number("ks_distance", f->forces.distance);
		fputs(", ", stdout);
		number("ks_limit", f->forces.limit);
	}
	fputs("},\n", stdout);
}

static void costs_json(const costs *c)
{
	fputs(" \"cost\": {", stdout);
	for (int k = 0; k < COSTS; k++) {
		numbers(cost_names[k].key, c->value[k][A], c->value[k][B]);
		fputs(", ", stdout);
	}
	fputs("\"host\": [", stdout);
	json_text(stdout, c->host[A]);
	fputs(", ", stdout);
	json_text(stdout, c->host[B]);
	fputs("], \"version\": [", stdout);
	json_text(stdout, c->version[A]);
	fputs(", ", stdout);
	json_text(stdout, c->version[B]);
	fputs("]}}\n", stdout);
}

void compare_json(const comparison *c)
{
	identity_json(&c->identity);
	runs_json(c);
	scenes_json(&c->scenes);
	logs_json(&c->logs);
	frames_json(&c->frames);
	costs_json(&c->costs);
}
