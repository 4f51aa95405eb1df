// SPDX-License-Identifier: MIT
// The keys of a scene as a list.
#include "base/memory.h"
#include "io/scene_doc.h"

#include "io/scene_tables.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct list {
	scene_doc_row *row;
	int count, capacity;
} list;

// The tables are our own, so a path that is too long is a mistake in them.
static void add_name(char path[SCENE_DOC_PATH], const char *name)
{
	assert(strlen(path) + strlen(name) + 2 <= SCENE_DOC_PATH);
	if (*path)
		strcat(path, ".");
	strcat(path, name);
}

static void add_table(list *l, const talus_field *table, const char *path, const char *plain, int depth)
{
	for (const talus_field *field = table; field->name; field++) {
		if (l->count == l->capacity) {
			l->capacity = l->capacity ? 2*l->capacity : 64;
			l->row = realloc(l->row, (size_t)l->capacity*sizeof *l->row);
			if (!l->row)
				memory_lost();
		}
		scene_doc_row row = {.field = field, .table = table, .depth = depth};
		strcpy(row.path, path);
		strcpy(row.plain, plain);
		add_name(row.path, field->name);
		add_name(row.plain, field->name);
		l->row[l->count++] = row;
		if (!field->table)
			continue;
		if (field->type == TALUS_FIELD_LIST)
			add_name(row.path, "N");
		if (field->type == TALUS_FIELD_MAP)
			add_name(row.path, "NAME");
		add_table(l, field->table, row.path, row.plain, depth + 1);
	}
}

scene_doc_row *scene_doc_rows(int *count)
{
	list l = {0};
	add_table(&l, scene_fields, "", "", 0);
	*count = l.count;
	return l.row;
}

static bool is_end(const char *path, const char *name)
{
	size_t length = strlen(path), part = strlen(name);
	return part && part <= length && !strcmp(path + length - part, name) &&
		(part == length || path[length - part - 1] == '.');
}

bool scene_doc_means(const scene_doc_row *row, const char *name)
{
	return is_end(row->path, name) || is_end(row->plain, name);
}

// ---------------------------------------------------------------- facts

static void tell_choice(const talus_field *field, char *text, size_t size)
{
	size_t used = 0;
	for (int i = 0; field->names[i] && used < size; i++) {
		const char *joint = !i ? "" : field->names[i + 1] ? ", " : " or ";
		const char *later = field->later && i >= field->later ? " (not in this version)" : "";
		used += (size_t)snprintf(text + used, size - used, "%s%s%s", joint, field->names[i], later);
	}
}

static void tell_value(const talus_field *field, char *text, size_t size)
{
	static const char *const words[] = {
		[TALUS_FIELD_REAL] = "number", [TALUS_FIELD_INTEGER] = "whole number",
			[TALUS_FIELD_SEED] = "whole number",
		[TALUS_FIELD_BOOL] = "true or false", [TALUS_FIELD_TEXT] = "text",
			[TALUS_FIELD_VECTOR] = "vector",
		[TALUS_FIELD_TABLE] = "mapping", [TALUS_FIELD_LIST] = "list of mappings",
			[TALUS_FIELD_MAP] = "mappings by name",
		[TALUS_FIELD_DIRECTION] = "vector", [TALUS_FIELD_AXIS] = "vector", [TALUS_FIELD_OPTION] = "mapping",
	};
	if (field->type == TALUS_FIELD_CHOICE)
		tell_choice(field, text, size);
	else
		snprintf(text, size, "%s", field->type == TALUS_FIELD_CUSTOM ? field->form :
			words[field->type]);
}

static void tell_alternatives(const talus_field *table, char *text, size_t size)
{
	const char *names[16] = {0};
	int count = 0;
	for (; table->name; table++) {
		if (table->alternative && count < 15)
			names[count++] = table->name;
	}
	size_t used = (size_t)snprintf(text, size, "exactly one of ");
	for (int i = 0; i < count && used < size; i++)
		used += (size_t)snprintf(text + used, size - used, "%s%s", !i ? "" : i < count - 1 ? ", " :
			" or ", names[i]);
}

scene_doc_facts scene_doc_tell(const scene_doc_row *row)
{
	const talus_field *field = row->field;
	scene_doc_facts facts = {0};
	tell_value(field, facts.value, sizeof facts.value);
	if (field->unit)
		snprintf(facts.unit, sizeof facts.unit, "%s", field->unit);
	if (field->alternative)
		tell_alternatives(row->table, facts.fallback, sizeof facts.fallback);
	else if (field->required)
		snprintf(facts.fallback, sizeof facts.fallback, "required");
	else if (field->fallback)
		snprintf(facts.fallback, sizeof facts.fallback, "default %s", field->fallback);
	else
		snprintf(facts.fallback, sizeof facts.fallback, "optional");
	scene_range_text(field, facts.range, sizeof facts.range);
	return facts;
}
