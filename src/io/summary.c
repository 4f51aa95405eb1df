// SPDX-License-Identifier: MIT
// summary.json: the end of a run in numbers.
#include "io/files.h"

#include "base/memory.h"
#include "observe/observable.h"
#include "observe/walls.h"
#include "talus_commit.h"
#include "world.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { LARGEST = 1 << 30 }; // bytes: no summary has so many

// ---------------------------------------------------------------- JSON

static void vector_print(FILE *out, vec3 vector)
{
	for (int k = 0; k < 3; k++) {
		fputs(k ? ", " : "[", out);
		json_number(out, component(vector, k));
	}
	fputc(']', out);
}

static void real_print(FILE *out, const char *name, double number)
{
	fprintf(out, "  \"%s\": ", name);
	json_number(out, number);
	fputs(",\n", out);
}

static void count_print(FILE *out, const char *name, uint64_t number)
{
	fprintf(out, "  \"%s\": %llu,\n", name, (unsigned long long)number);
}

// ---------------------------------------------------------------- observables

enum { DEEPEST = 4 }; // keys one inside of the other

// A key of the file is one line that ends with a comma; of the objects inside of it each begins a line.
typedef struct tree {
	FILE *out;
	char open[DEEPEST][TALUS_NAME_MAX]; // the objects that we are in
	int depth;
	bool empty, block; // the innermost is; the outermost began with an object, so that it ends with a line of its own
} tree;

static void tree_close(tree *t)
{
	t->depth--;
	fputs(t->depth == 0 && t->block ? "\n  }" : "}", t->out);
	if (t->depth == 0)
		fputs(",\n", t->out);
	t->empty = false;
}

static void tree_key(tree *t, const char *key, bool object)
{
	if (t->depth == 0) {
		fprintf(t->out, "  \"%s\": ", key);
	} else {
		const char *between = t->empty ? "" : ",", *blank = object ? "\n    " : t->empty ? "" : " ";
		t->block |= object && t->empty && t->depth == 1;
		fprintf(t->out, "%s%s\"%s\": ", between, blank, key);
	}
	t->empty = false;
}

static void tree_open(tree *t, const char *key)
{
	tree_key(t, key, true);
	if (t->depth == 0)
		t->block = false;
	snprintf(t->open[t->depth++], TALUS_NAME_MAX, "%s", key);
	fputc('{', t->out);
	t->empty = true;
}

// Leaves and enters objects as the dots of a path ask for; returns the last part of it, the key that is left.
static const char *tree_enter(tree *t, const char *path)
{
	int level = 0;
	for (const char *dot; (dot = strchr(path, '.')); path = dot + 1, level++) {
		char key[TALUS_NAME_MAX];
		snprintf(key, sizeof key, "%.*s", (int)(dot - path), path);
		if (level < t->depth && strcmp(t->open[level], key) == 0)
			continue;
		while (t->depth > level)
			tree_close(t);
		tree_open(t, key);
	}
	while (t->depth > level)
		tree_close(t);
	return path;
}

static void numbers_print(FILE *out, const observable *o, observations *seen, size_t first, size_t count)
{
	for (size_t k = 0; k < count; k++) {
		fputs(k ? ", " : "[", out);
		json_number(out, observable_value(o, seen, first + k));
	}
	fputc(']', out);
}

static void value_print(FILE *out, const observable *o, observations *seen)
{
	size_t rows = o->shape == TALUS_TENSOR || o->shape == TALUS_LISTS ? 3 : 1, width = observable_count(o)/rows;
	if (o->shape == TALUS_SCALAR)
		json_number(out, observable_value(o, seen, 0));
	else if (rows == 1)
		numbers_print(out, o, seen, 0, width);
	for (size_t row = 0; rows > 1 && row < rows; row++) {
		fputs(row ? ", " : "[", out);
		numbers_print(out, o, seen, row*width, width);
	}
	fputs(rows > 1 ? "]" : "", out);
}

// A symmetric tensor has a key for each component, as in the log.
static void observable_print(tree *t, const observable *o, observations *seen)
{
	const char *key = tree_enter(t, o->key ? o->key : o->name);
	bool apart = o->shape == TALUS_SYMMETRIC;
	for (size_t k = 0; k < (apart ? observable_count(o) : 1); k++) {
		char name[TALUS_NAME_MAX];
		observable_component(o, k, name);
		tree_key(t, apart ? name : key, false);
		if (apart)
			json_number(t->out, observable_value(o, seen, k));
		else
			value_print(t->out, o, seen);
		if (t->depth == 0)
			fputs(",\n", t->out);
	}
}

// Of a state that is no longer one to be measured only what can be said of any.
static void observables_print(FILE *out, observations *seen, bool unsound)
{
	observable_list list = observables_in(OBSERVABLE_SUMMARY, seen->world->state.def.dimension);
	tree t = {.out = out};
	for (int i = 0; i < list.count; i++)
		if (!unsound || list.at[i]->always)
			observable_print(&t, list.at[i], seen);
	tree_enter(&t, "");
}

// ---------------------------------------------------------------- all of it

static void walls_print(FILE *out, const talus_world *world)
{
	fputs("  \"walls\": {", out);
	for (int i = 0; i < talus_world_walls(world); i++) {
		fputs(i ? ",\n    " : "\n    ", out);
		json_text(out, talus_world_wall(world, i).name);
		for (int k = 1; k <= WALL_OBSERVABLES; k++) {
			const wall_observable *o = wall_observable_of_summary(k);
			fprintf(out, "%s\"%s\": ", k == 1 ? ": {" : ", ", o->name);
			vector_print(out, wall_observable_value(o, world, i));
		}
		fputc('}', out);
	}
	fputs(talus_world_walls(world) ? "\n  },\n" : "},\n", out);
}

static void warnings_print(FILE *out, const run_warning *warnings, int count)
{
	fputs("  \"warnings\": [", out);
	for (int i = 0; i < count; i++) {
		fputs(i ? ",\n    {\"code\": " : "\n    {\"code\": ", out);
		json_text(out, warnings[i].code);
		fputs(", \"message\": ", out);
		json_text(out, warnings[i].message);
		fputc('}', out);
	}
	fputs(count ? "\n  ]\n" : "]\n", out);
}

// ---------------------------------------------------------------- where it comes from

void summary_now(char text[32])
{
	time_t now = time(NULL);
	struct tm parts;
	gmtime_r(&now, &parts);
	strftime(text, 32, "%Y-%m-%dT%H:%M:%SZ", &parts);
}

static void text_print(FILE *out, const char *name, const char *text)
{
	fprintf(out, "  \"%s\": ", name);
	json_text(out, text);
	fputs(",\n", out);
}

static void origin_print(FILE *out, const talus_world *world, const run_record *record)
{
	char host[256] = "", now[32];
	gethostname(host, sizeof host - 1);
	summary_now(now);
	fprintf(out, "  \"finished\": %s,\n", record->stopped || record->failed ? "false" : "true");
	if (record->stopped)
		text_print(out, "stopped", record->stopped);
	if (record->failed)
		text_print(out, "failed", record->failed);
	text_print(out, "version", TALUS_VERSION);
	text_print(out, "commit", TALUS_COMMIT);
	text_print(out, "command", record->origin.command);
	text_print(out, "started", record->origin.started);
	text_print(out, "ended", now);
	text_print(out, "host", host);
	count_print(out, "seed", world->state.def.seed);
}

static char *summary_read(const char *folder)
{
	char path[TALUS_PATH_MAX], *text = NULL;
	talus_error ignored;
	struct stat status;
	int file = folder_path(path, folder, "summary.json", &ignored) ? file_own_open(path, O_RDONLY) : -1;
	if (file < 0)
		return NULL;
	if (fstat(file, &status) == 0 && status.st_size < LARGEST) {
		text = calloc((size_t)status.st_size + 1, 1);
		if (!text)
			memory_lost();
		if (!file_get(file, text, (size_t)status.st_size, 0) || strlen(text) != (size_t)status.st_size) {
			free(text);
			text = NULL;
		}
	}
	close(file);
	return text;
}

static char *summary_read_whole(const char *folder)
{
	char *text = summary_read(folder);
	if (text && json_is_whole(text) && (strstr(text, "\n  \"state_hash\": \"") || strstr(text, "\n  \"failed\": \"")))
		return text;
	free(text);
	return NULL;
}

bool summary_is_whole(const char *folder)
{
	char *text = summary_read_whole(folder);
	free(text);
	return text != NULL;
}

// Older ones did not say; they were only written at the end.
bool summary_finished(const char *folder)
{
	char *text = summary_read_whole(folder);
	bool finished = text && !strstr(text, "\n  \"finished\": false,\n");
	free(text);
	return finished;
}

bool summary_write_seen(const char *folder, observations *seen, const run_record *record, talus_error *error)
{
	const talus_world *world = seen->world;
	char *text = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&text, &size);
	if (!out)
		memory_lost();
	fputs("{\n  \"title\": ", out);
	json_text(out, record->title);
	fprintf(out, ",\n  \"method\": \"%s\",\n  \"dimension\": %d,\n", world->method->name, world->state.def.dimension);
	origin_print(out, world, record);
	observables_print(out, seen, record->unsound);
	real_print(out, "seconds", record->seconds);
	real_print(out, "seconds_solver", world->report.seconds_solver);
	fprintf(out, "  \"threads\": %d,\n  \"steps_shared\": %llu,\n", record->threads, (unsigned long long)world->shared);
	fprintf(out, "  \"state_hash\": \"%016llx\",\n", (unsigned long long)talus_world_hash(world));
	walls_print(out, world);
	warnings_print(out, record->warnings, record->warning_count);
	fputs("}\n", out);
	fclose(out);
	bool ok = file_replace(folder, "summary.json", text, size, error);
	free(text);
	return ok;
}

bool summary_write(const char *folder, const talus_world *world, const run_record *record, talus_error *error)
{
	observations seen = observations_of(world);
	bool ok = summary_write_seen(folder, &seen, record, error);
	observations_free(&seen);
	return ok;
}
