// SPDX-License-Identifier: MIT
// The runs behind an experiment are sweeps of a scene, so one that was stopped goes on where it was.
#include "reproduce.h"

#include "cli.h"
#include "io/files.h"
#include "io/scene_tree.h"
#include "sweep.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int series_run(series *s, const reproduction *r, const series_wish *wish)
{
	char path[TALUS_PATH_MAX], name[64], table[TALUS_PATH_MAX];
	talus_error error;
	run_request q = {.folder = s->folder, .seeds = wish->seeds ? wish->seeds : 1, .threads = r->threads,
	                 .quiet = r->quiet, .part = true, .force = r->force, .scene = path};
	snprintf(name, sizeof name, "%s.yaml", wish->name);
	s->table = NULL;
	if (!folder_path(s->folder, r->folder, wish->name, &error) || !folder_path(path, r->folder, name, &error) ||
	    !folder_path(table, s->folder, SWEEP_TABLE, &error) ||
	    !file_replace(r->folder, name, wish->scene, strlen(wish->scene), &error))
		return cli_error(&error, EXIT_FAILED);
	for (size_t i = 0; i < sizeof wish->sets/sizeof wish->sets[0] && wish->sets[i]; i++)
		q.sets[q.set_count++] = (char *)wish->sets[i];
	for (size_t i = 0; i < sizeof wish->sweeps/sizeof wish->sweeps[0] && wish->sweeps[i]; i++)
		q.sweeps[q.sweep_count++] = (char *)wish->sweeps[i];
	int code = sweep_run(&q);
	if (code == EXIT_DONE)
		s->table = csv_read(table, &error);
	return code == EXIT_DONE && !s->table ? cli_error(&error, EXIT_FAILED) : code;
}

void series_free(series *s)
{
	if (s->table)
		csv_free(s->table);
	s->table = NULL;
}

double series_at(const series *s, size_t row, const char *column)
{
	int k = csv_find(s->table, column);
	return k < 0 ? NAN : csv_at(s->table, row, k);
}

double series_mean(const series *s, const char *column)
{
	double sum = 0;
	for (size_t i = 0; i < s->table->rows; i++)
		sum += series_at(s, i, column);
	return sum/(double)s->table->rows;
}

bool series_folder(const series *s, size_t row, char folder[TALUS_PATH_MAX])
{
	char name[16];
	talus_error ignored;
	snprintf(name, sizeof name, "%0*d", sweep_digits((int)s->table->rows), (int)row);
	return folder_path(folder, s->folder, name, &ignored);
}

csv_table *series_log(const series *s, size_t row)
{
	char folder[TALUS_PATH_MAX], path[TALUS_PATH_MAX];
	talus_error error;
	if (!series_folder(s, row, folder) || !folder_path(path, folder, "log.csv", &error))
		return NULL;
	return csv_read(path, &error);
}

double log_mean(const csv_table *log, const char *column, double from)
{
	int k = csv_find(log, column);
	size_t first = (size_t)(from*(double)log->rows);
	double sum = 0;
	if (k < 0 || first >= log->rows)
		return NAN;
	for (size_t i = first; i < log->rows; i++)
		sum += csv_at(log, i, k);
	return sum/(double)(log->rows - first);
}

// ---------------------------------------------------------------- lists in summaries

static const scene_node *node_at(const scene_node *node, const char *path)
{
	char word[64];
	while (node && *path) {
		size_t length = strcspn(path, ".");
		snprintf(word, sizeof word, "%.*s", (int)length, path);
		node = node->kind == SCENE_MAP ? scene_node_find(node, word) : NULL;
		path += length + (path[length] == '.');
	}
	return node;
}

int series_list(const series *s, size_t row, const char *path, double *number, int most)
{
	char folder[TALUS_PATH_MAX];
	talus_error ignored;
	scene_tree tree;
	int count = 0;
	char *text = series_folder(s, row, folder) ? sweep_text_read(folder, "summary.json") : NULL;
	if (text && scene_tree_parse(&tree, text, strlen(text), "summary.json", &ignored)) {
		const scene_node *list = node_at(tree.root, path);
		if (list && list->kind == SCENE_SCALAR && most > 0)
			number[count++] = strtod(list->text, NULL);
		for (int i = 0; list && list->kind == SCENE_LIST && i < list->count && count < most; i++)
			if (list->entry[i].value->kind == SCENE_SCALAR)
				number[count++] = strtod(list->entry[i].value->text, NULL);
		scene_tree_free(&tree);
	}
	free(text);
	return count;
}
