// SPDX-License-Identifier: MIT
// talus doc: every key of a scene, every observable, every column of grains, from the tables that the program itself uses.
#include "cli.h"
#include "base/memory.h"

#include "base/nearest.h"
#include "doc_observables.h"
#include "doc_text.h"
#include "io/scene_doc.h"
#include "observe/observable.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char usage[] =
	"usage: talus doc [NAME] [--markdown]\n"
	"\n"
	"Prints every key of a scene with its meaning, unit, default and range.\n"
	"\n"
	"  NAME         only this key and what is inside it: a key (friction) or a dotted path (walls.plane);\n"
	"               or an observable, as a column of the log (reach)\n"
	"  observables  all that is measured of a state, and in which files it is\n"
	"  columns      all that is stored for every grain\n"
	"  --markdown   as Markdown tables\n";

// ---------------------------------------------------------------- on a terminal

static void print_row(const scene_doc_row *row, const char *key, int indent)
{
	scene_doc_facts facts = scene_doc_tell(row);
	char line[512];
	doc_key(key, indent);
	doc_wrapped(row->field->meaning);
	snprintf(line, sizeof line, "%s%s%s%s%s; %s", facts.value, *facts.unit ? " in " : "", facts.unit,
		*facts.range ? "; " : "", facts.range, facts.fallback);
	printf("%*s", DOC_KEY_WIDTH, "");
	doc_wrapped(line);
}

static void print_all(const scene_doc_row *row, int count)
{
	printf("Every key of a scene. L is a length, M a mass, T a time, in units of your own choice.\n"
	       "A vector is [x, y, z]; in 2D [x, y] is enough. `talus doc NAME` shows one key.\n");
	for (int i = 0; i < count; i++) {
		if (!row[i].depth)
			printf("\n");
		print_row(&row[i], row[i].field->name, 2*row[i].depth);
	}
}

// The rows that are meant, each with what is inside it. Returns how many were meant.
static int print_named(const scene_doc_row *row, int count, const char *name)
{
	int found = 0;
	for (int i = 0; i < count; i++) {
		if (!scene_doc_means(&row[i], name))
			continue;
		if (found++)
			printf("\n");
		print_row(&row[i], row[i].path, 0);
		int depth = row[i].depth;
		while (i + 1 < count && row[i + 1].depth > depth) {
			i++;
			print_row(&row[i], row[i].field->name, 2*(row[i].depth - depth));
		}
	}
	return found;
}

// ---------------------------------------------------------------- as Markdown

static void print_markdown_row(const scene_doc_row *row)
{
	scene_doc_facts facts = scene_doc_tell(row);
	doc_cell(row->path, true);
	doc_cell(row->field->meaning, false);
	doc_cell(facts.value, false);
	doc_cell(facts.unit, false);
	doc_cell(facts.range, false);
	doc_cell(facts.fallback, false);
	printf("|\n");
}

static void print_markdown(const scene_doc_row *row, int count)
{
	static const char head[] = "| key | meaning | value | unit | range | default |\n|---|---|---|---|---|---|\n";
	printf("Made by `talus doc --markdown`. L is a length, M a mass, T a time, in units of your own choice.\n"
	       "A vector is `[x, y, z]`; in 2D `[x, y]` is enough. `N` stands for the number of an entry, from 0.\n"
	       "\n%s", head);
	for (int i = 0; i < count; i++) {
		if (!row[i].depth)
			print_markdown_row(&row[i]);
	}
	for (int i = 0; i < count; i++) {
		if (row[i].depth == 1 && !row[i - 1].depth)
			printf("\n## %s\n\n%s", row[i - 1].field->name, head);
		if (row[i].depth)
			print_markdown_row(&row[i]);
	}
}

// ---------------------------------------------------------------- the command

static int unknown(const scene_doc_row *row, int count, const char *name)
{
	observable_list measured = observables_all();
	const char **names = calloc(2*(size_t)count + (size_t)measured.count + 1, sizeof *names);
	if (!names)
		memory_lost();
	for (int i = 0; i < count; i++) {
		names[i] = row[i].field->name;
		names[count + i] = row[i].plain;
	}
	for (int i = 0; i < measured.count; i++)
		names[2*count + i] = measured.at[i]->name;
	const char *near = nearest_name(name, names);
	int code = near ? cli_wrong("there is no key of a scene and no observable `%s`; did you mean `%s`?", name, near) :
		cli_wrong("there is no key of a scene and no observable `%s`; `talus doc` and `talus doc observables` list all of them", name);
	free(names);
	return code;
}

int cli_doc(int argc, char **argv)
{
	const char *name = NULL;
	bool markdown = false;
	for (int i = 1; i < argc; i++) {
		if (!strcmp(argv[i], "--help") || !strcmp(argv[i], "-h"))
			return printf("%s", usage), EXIT_DONE;
		if (!strcmp(argv[i], "--markdown"))
			markdown = true;
		else if (argv[i][0] == '-')
			return cli_wrong("unknown option `%s` of `talus doc`; see `talus doc --help`",
				argv[i]);
		else if (name)
			return cli_wrong("`talus doc` takes one name, but got `%s` and `%s`", name, argv[i]);
		else
			name = argv[i];
	}
	if (name && !strcmp(name, "observables"))
		return doc_observables(markdown), EXIT_DONE;
	if (name && !strcmp(name, "columns"))
		return doc_columns(markdown), EXIT_DONE;
	if (name && markdown)
		return cli_wrong("`talus doc --markdown` prints all keys; of names it takes only `observables` and `columns`");
	int count, code = EXIT_DONE;
	scene_doc_row *row = scene_doc_rows(&count);
	if (markdown)
		print_markdown(row, count);
	else if (!name)
		print_all(row, count);
	else if (!print_named(row, count, name) && !doc_observable(name))
		code = unknown(row, count, name);
	free(row);
	return code;
}
