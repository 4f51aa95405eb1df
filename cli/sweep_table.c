// SPDX-License-Identifier: MIT
// sweep.csv: the numbers of all summaries, under the names that they have in the log.
#include "sweep.h"
#include "base/memory.h"

#include "io/files.h"
#include "io/scene_tree.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NAME_SIZE = 256 };

// A table that grows: columns as they turn up, cells of the row at hand.
typedef struct table {
	int columns, capacity;
	char **name;
	char **cell; // of all rows, `capacity` each
	int rows;
	int row;
} table;

char *sweep_text_read(const char *folder, const char *name)
{
	char path[TALUS_PATH_MAX], *text = NULL;
	talus_error ignored;
	size_t room = 0;
	FILE *in = folder_path(path, folder, name, &ignored) ? file_read_stream(path, TEXT_MOST) : NULL;
	if (!in)
		return NULL;
	if (getdelim(&text, &room, 0, in) <= 0) {
		free(text);
		text = NULL;
	}
	fclose(in);
	return text;
}

// ---------------------------------------------------------------- columns

static void table_widen(table *t)
{
	int capacity = t->capacity ? 2*t->capacity : 64;
	char **cell = calloc((size_t)capacity*(size_t)t->rows, sizeof *cell);
	t->name = realloc(t->name, (size_t)capacity*sizeof *t->name);
	if (!cell || !t->name)
		memory_lost();
	for (int row = 0; t->cell && row < t->rows; row++)
		memcpy(cell + (size_t)row*(size_t)capacity, t->cell + (size_t)row*(size_t)t->capacity,
		       (size_t)t->columns*sizeof *cell);
	free(t->cell);
	t->cell = cell;
	t->capacity = capacity;
}

// `guess`: where it was in the row before.
static int table_column(table *t, const char *name, int guess)
{
	if (guess < t->columns && strcmp(t->name[guess], name) == 0)
		return guess;
	for (int i = 0; i < t->columns; i++)
		if (strcmp(t->name[i], name) == 0)
			return i;
	if (t->columns == t->capacity)
		table_widen(t);
	t->name[t->columns] = strdup(name);
	if (!t->name[t->columns])
		memory_lost();
	return t->columns++;
}

static void table_put(table *t, int *guess, const char *name, const char *text)
{
	int column = table_column(t, name, *guess);
	*guess = column + 1;
	char **cell = &t->cell[(size_t)t->row*(size_t)t->capacity + (size_t)column];
	free(*cell);
	*cell = strdup(text);
	if (!*cell)
		memory_lost();
}

static void table_free(table *t)
{
	for (int i = 0; i < t->columns; i++)
		free(t->name[i]);
	for (size_t i = 0; i < (size_t)t->rows*(size_t)t->capacity; i++)
		free(t->cell[i]);
	free(t->name);
	free(t->cell);
}

// ---------------------------------------------------------------- a summary, flat

static bool is_number(const scene_node *node)
{
	char *end;
	if (node->kind != SCENE_SCALAR || !node->plain || !*node->text)
		return false;
	strtod(node->text, &end);
	return !*end;
}

// stress: [[...], [...], [...]] is stress_xx, stress_xy, ...; position: [...] of a wall is x, y, z.
static void put_value(table *t, int *guess, const char *name, const scene_node *node)
{
	char inner[NAME_SIZE];
	if (is_number(node))
		table_put(t, guess, name, node->text);
	else if (scene_node_null(node))
		table_put(t, guess, name, "");
	for (int i = 0; node->kind == SCENE_LIST && node->count == 3 && i < 3; i++) {
		snprintf(inner, sizeof inner, "%s%c", name, "xyz"[i]);
		put_value(t, guess, inner, node->entry[i].value);
	}
}

static void put_walls(table *t, int *guess, const scene_node *walls)
{
	static const char *const parts[][2] = {{"position", ""}, {"force", "f"}, {"torque", "t"}};
	char name[NAME_SIZE];
	for (int i = 0; i < walls->count; i++) {
		for (int k = 0; k < 3; k++) {
			const scene_node *part = scene_node_find(walls->entry[i].value, parts[k][0]);
			snprintf(name, sizeof name, "wall.%s.%s", walls->entry[i].key->text, parts[k][1]);
			if (part)
				put_value(t, guess, name, part);
		}
	}
}

static void put_entry(table *t, int *guess, const scene_entry *entry)
{
	const char *key = entry->key->text;
	const scene_node *value = entry->value;
	char name[NAME_SIZE];
	if (strcmp(key, "walls") == 0) {
		put_walls(t, guess, value);
	} else if (strcmp(key, "warnings") == 0) {
		snprintf(name, sizeof name, "%d", value->count);
		table_put(t, guess, key, name);
	} else if (value->kind == SCENE_MAP) {
		for (int i = 0; i < value->count; i++) {
			snprintf(name, sizeof name, "%s_%s", key, value->entry[i].key->text);
			put_value(t, guess, name, value->entry[i].value);
		}
	} else if (strcmp(key, "title") != 0 && strcmp(key, "state_hash") != 0 && strcmp(key, "seed") != 0) {
		// not words that may look like numbers, nor what is in the table already
		snprintf(name, sizeof name, "%s%s", key, value->kind == SCENE_LIST ? "_" : "");
		put_value(t, guess, name, value);
	}
}

static void put_summary(table *t, const char *folder)
{
	char *text = sweep_text_read(folder, "summary.json");
	scene_tree tree;
	talus_error ignored;
	int guess = 0;
	// JSON is YAML, too
	if (text && scene_tree_parse(&tree, text, strlen(text), "summary.json", &ignored)) {
		for (int i = 0; tree.root->kind == SCENE_MAP && i < tree.root->count; i++)
			put_entry(t, &guess, &tree.root->entry[i]);
		scene_tree_free(&tree);
	}
	free(text);
}

// ---------------------------------------------------------------- as text

static void cell_print(FILE *out, const char *text)
{
	if (!strpbrk(text, ",\"\r\n")) {
		fputs(text, out);
		return;
	}
	fputc('"', out);
	for (; *text; text++)
		fprintf(out, *text == '"' ? "\"\"" : "%c", *text);
	fputc('"', out);
}

// A sweep over the seed itself has it among its values.
static bool seed_apart(const sweep *s)
{
	for (int k = 0; k < s->axes; k++)
		if (strcmp(s->axis[k].path, "seed") == 0)
			return false;
	return true;
}

static void head_print(FILE *out, const sweep *s, const table *t)
{
	fputs("folder", out);
	for (int k = 0; k < s->axes; k++) {
		fputc(',', out);
		cell_print(out, s->axis[k].path);
	}
	fputs(seed_apart(s) ? ",seed" : "", out);
	for (int i = 0; i < t->columns; i++) {
		fputc(',', out);
		cell_print(out, t->name[i]);
	}
	fputs(",status\n", out);
}

static void row_print(FILE *out, const sweep *s, const table *t, int member)
{
	static const char *const words[] = {"stopped", "done", "failed", "stopped"};
	char name[16];
	sweep_name(s, member, name);
	fputs(name, out);
	for (int k = 0; k < s->axes; k++) {
		fputc(',', out);
		cell_print(out, s->axis[k].value[sweep_choice(s, member, k)]);
	}
	if (seed_apart(s))
		fprintf(out, ",%llu", (unsigned long long)sweep_seed(s, member));
	for (int i = 0; i < t->columns; i++) {
		const char *text = t->cell[(size_t)member*(size_t)t->capacity + (size_t)i];
		fputc(',', out);
		cell_print(out, text ? text : "");
	}
	fprintf(out, ",%s\n", words[s->state[member]]);
}

bool sweep_table_write(const sweep *s, talus_error *error)
{
	table t = {.rows = s->members};
	char name[16], folder[TALUS_PATH_MAX], *text = NULL;
	size_t size = 0;
	for (t.row = 0; t.row < t.rows; t.row++) {
		sweep_name(s, t.row, name);
		if (s->state[t.row] == SWEEP_DONE && folder_path(folder, s->request->folder, name, error))
			put_summary(&t, folder);
	}
	FILE *out = open_memstream(&text, &size);
	if (!out)
		memory_lost();
	head_print(out, s, &t);
	for (int i = 0; i < t.rows; i++)
		row_print(out, s, &t, i);
	fclose(out);
	bool ok = file_replace(s->request->folder, SWEEP_TABLE, text, size, error);
	free(text);
	table_free(&t);
	return ok;
}
