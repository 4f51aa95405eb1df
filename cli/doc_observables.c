// SPDX-License-Identifier: MIT
#include "doc_observables.h"

#include "doc_text.h"
#include "observe/observable.h"
#include "observe/walls.h"
#include "state/bodies.h"

#include <stdio.h>
#include <string.h>

// ---------------------------------------------------------------- what there is to say

static const char *shape_of(const observable *o, char text[64])
{
	static const char *const words[] = {[TALUS_SCALAR] = "a number", [TALUS_VECTOR] = "x, y, z", [TALUS_TENSOR] = "xx, xy, xz, yx, yy, yz, zx, zy, zz",
	                                    [TALUS_SYMMETRIC] = "xx, yy, zz, xy, xz, yz"};
	if (o->shape == TALUS_LIST || o->shape == TALUS_LISTS)
		snprintf(text, 64, "%s%d numbers", o->shape == TALUS_LISTS ? "3 times " : "", o->length);
	else
		snprintf(text, 64, "%s", o->shape == TALUS_SCALAR && o->type != OBSERVABLE_REAL ? "a count" : words[o->shape]);
	return text;
}

// The names of the files, with the key in the summary where that is another one.
static const char *place_of(const observable *o, char text[128])
{
	const char *between = o->log ? ", " : "";
	int used = snprintf(text, 128, "%s", o->log ? "log" : "");
	if (o->summary) {
		used += snprintf(text + used, 128 - (size_t)used, "%ssummary", between);
		if (o->key)
			used += snprintf(text + used, 128 - (size_t)used, " (%s)", o->key);
		between = ", ";
	}
	if (o->frames)
		used += snprintf(text + used, 128 - (size_t)used, "%sframes", between);
	if (!used)
		snprintf(text, 128, "for programs only");
	return text;
}

// ---------------------------------------------------------------- observables

static void row_print(const observable *o)
{
	char shape[64], place[128], line[512];
	snprintf(line, sizeof line, "%s%s%s%s; %s", shape_of(o, shape), *o->unit ? " in " : "", o->unit,
	         o->dimension == 2 ? "; 2D only" : o->dimension == 3 ? "; 3D only" : "", place_of(o, place));
	doc_key(o->name, 0);
	doc_wrapped(o->meaning);
	printf("%*s", DOC_KEY_WIDTH, "");
	doc_wrapped(line);
}

static void row_markdown(const observable *o)
{
	char shape[64], place[128];
	doc_cell(o->name, true);
	doc_cell(o->meaning, false);
	doc_cell(shape_of(o, shape), false);
	doc_cell(o->unit, false);
	doc_cell(place_of(o, place), false);
	printf("|\n");
}

static void wall_print(const wall_observable *w, bool markdown)
{
	char name[64], shape[64];
	snprintf(name, sizeof name, "wall.NAME.%s", w->name);
	snprintf(shape, sizeof shape, "%s, %s, %s", w->columns[0], w->columns[1], w->columns[2]);
	if (markdown) {
		doc_cell(name, true);
		doc_cell(w->meaning, false);
		doc_cell(shape, false);
		doc_cell(w->unit, false);
		printf("| log, summary |\n");
		return;
	}
	doc_key(name, 0);
	doc_wrapped(w->meaning);
	printf("%*s%s in %s; log, summary\n", DOC_KEY_WIDTH, "", shape, w->unit);
}

void doc_observables(bool markdown)
{
	observable_list all = observables_all();
	if (markdown)
		printf("Made by `talus doc observables --markdown`. L is a length, M a mass, T a time, in units of your own choice. Columns of log.csv have the\n"
		       "component behind the name: `stress_xy`.\n\n| name | meaning | numbers | unit | where |\n|---|---|---|---|---|\n");
	else
		printf("What is measured of a state, and in which files it is. L is a length, M a mass, T a time, in units of your own choice.\n"
		       "Columns of log.csv have the component behind the name: stress_xy.\n\n");
	for (int i = 0; i < all.count; i++)
		markdown ? row_markdown(all.at[i]) : row_print(all.at[i]);
	for (int i = 0; i < WALL_OBSERVABLES; i++)
		wall_print(&wall_observables[i], markdown);
}

bool doc_observable(const char *name)
{
	observable_list all = observables_all();
	for (int i = 0; i < all.count; i++)
		for (size_t k = 0; k < observable_count(all.at[i]); k++) {
			char part[TALUS_NAME_MAX];
			observable_component(all.at[i], k, part);
			if (strcmp(part, name) == 0 || strcmp(all.at[i]->name, name) == 0) {
				row_print(all.at[i]);
				return true;
			}
		}
	return false;
}

// ---------------------------------------------------------------- columns of grains

static const char *type_of(const body_column *c, char text[32])
{
	static const char *const words[] = {[BODY_REAL] = "double", [BODY_U32] = "uint32", [BODY_I32] = "int32", [BODY_U16] = "uint16", [BODY_U8] = "uint8"};
	snprintf(text, 32, c->width > 1 ? "%s, %d a grain" : "%s", words[c->type], c->width);
	return text;
}

void doc_columns(bool markdown)
{
	char type[32], place[64];
	if (markdown)
		printf("Made by `talus doc columns --markdown`.\n\n| name | meaning | type | unit | name in frames |\n|---|---|---|---|---|\n");
	else
		printf("What is stored for every grain: in checkpoint.h5 under grains/NAME, in run.h5 under particles/grains/NAME.\n\n");
	for (const body_column *c = body_columns; c < body_columns + BODY_COLUMNS; c++) {
		if (markdown) {
			doc_cell(c->name, true);
			doc_cell(c->meaning, false);
			doc_cell(type_of(c, type), false);
			doc_cell(c->unit, false);
			doc_cell(c->frame ? c->frame : "", false);
			printf("|\n");
			continue;
		}
		snprintf(place, sizeof place, "%s%s", c->frame ? "; in frames as " : "", c->frame ? c->frame : "");
		doc_key(c->name, 0);
		doc_wrapped(c->meaning);
		printf("%*s%s%s%s%s\n", DOC_KEY_WIDTH, "", type_of(c, type), *c->unit ? "; " : "", c->unit, place);
	}
}
