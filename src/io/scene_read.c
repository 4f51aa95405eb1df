// SPDX-License-Identifier: MIT
// The field engine: mappings and their keys. Values are read in scene_value.c.
#include "io/scene_read.h"

#include "base/memory.h"
#include "io/scene_value.h"

#include <stdlib.h>
#include <string.h>

#define NAMES_MAX 64 // of one table

static const talus_field *find_field(const talus_field *table, const char *name)
{
	for (; table->name; table++) {
		if (!strcmp(table->name, name))
			return table;
	}
	return NULL;
}

// ---------------------------------------------------------------- keys

static bool unknown_key(talus_reader *reader, const scene_node *key, const talus_field *table)
{
	const char *names[NAMES_MAX + 1] = {0};
	char buffer[900];
	for (int i = 0; table[i].name && i < NAMES_MAX; i++)
		names[i] = table[i].name;
	if (*scene_near(key->text, names, buffer, sizeof buffer)) {
		scene_fail(reader, key, "unknown key `%.80s`%s", key->text, buffer);
		return scene_fail_near(reader, key->text, names);
	}
	scene_names_list(names, " and ", buffer, sizeof buffer);
	if (!*reader->name)
		return scene_fail(reader, key, "unknown key `%.80s`; the keys of a scene are %s", key->text,
			buffer);
	return scene_fail(reader, key, "unknown key `%.80s`; the keys of `%s` are %s", key->text,
		reader->name, buffer);
}

static bool stands_twice(talus_reader *reader, const scene_node *key, const scene_node *first)
{
	if (first->line <= 0) // a value of --set has no lines
		return scene_fail(reader, key, "`%.80s` stands here twice", key->text);
	return scene_fail(reader, key, "`%.80s` stands here a second time; the first is on line %d", key->text, first->line);
}

static bool check_keys(talus_reader *reader, const scene_node *node, const talus_field *table)
{
	for (int i = 0; i < node->count; i++) {
		const scene_node *key = node->entry[i].key;
		if (!find_field(table, key->text))
			return unknown_key(reader, key, table);
		const scene_node *first = scene_entry_find(node, key->text)->key;
		if (first != key)
			return stands_twice(reader, key, first);
	}
	return true;
}

static int by_text(const void *a, const void *b)
{
	const scene_entry *const *one = a, *const *other = b;
	int order = strcmp((*one)->key->text, (*other)->key->text);
	return order ? order : (*one > *other) - (*one < *other); // as they stand
}

// Of a hundred thousand names, too: sorted, those that are the same stand side by side.
bool scene_check_names(talus_reader *reader, const scene_node *node)
{
	const scene_entry *first = NULL, *again = NULL;
	const scene_entry **sorted = malloc(((size_t)node->count + 1)*sizeof *sorted);
	if (!sorted)
		memory_lost();
	for (int i = 0; i < node->count; i++)
		sorted[i] = &node->entry[i];
	qsort(sorted, (size_t)node->count, sizeof *sorted, by_text);
	for (int i = 1; i < node->count; i++)
		if (!strcmp(sorted[i - 1]->key->text, sorted[i]->key->text) && (!again || sorted[i] < again)) {
			first = sorted[i - 1];
			again = sorted[i];
		}
	free(sorted);
	return again ? stands_twice(reader, again->key, first->key) : true;
}

// Of the fields that exclude each other exactly one must be there.
static bool check_alternatives(talus_reader *reader, const scene_node *node, const talus_field *table)
{
	const char *names[NAMES_MAX + 1] = {0};
	const char *given = NULL;
	char buffer[600];
	int count = 0;
	for (; table->name; table++) {
		if (table->alternative && count < NAMES_MAX)
			names[count++] = table->name;
	}
	if (!count)
		return true;
	scene_names_list(names, " or ", buffer, sizeof buffer);
	for (int i = 0; i < count; i++) {
		const scene_entry *entry = scene_entry_find(node, names[i]);
		if (entry && given)
			return scene_fail(reader, entry->key,
				"`%s` takes exactly one of %s, but has `%s` and `%s`", reader->name, buffer,
				given, names[i]);
		if (entry)
			given = names[i];
	}
	if (!given)
		return scene_fail(reader, node, count == 1 ? "`%s` needs %s" : "`%s` needs exactly one of %s",
			reader->name, buffer);
	return true;
}

// ---------------------------------------------------------------- fields

static bool default_field(talus_reader *reader, const talus_field *field, void *target)
{
	if (field->read)
		return field->read(reader, NULL, target, field);
	if (field->type == TALUS_FIELD_TABLE)
		return scene_read_defaults(reader, field->table, target);
	if (field->type == TALUS_FIELD_OPTION) {
		*(bool *)target = false;
		return true;
	}
	return scene_value_default(reader, field, target);
}

static bool read_field(talus_reader *reader, const scene_node *node, const talus_field *field, void *target)
{
	if (field->type == TALUS_FIELD_TABLE)
		return scene_read_table(reader, node, field->name, field->table, target);
	if (field->type == TALUS_FIELD_OPTION) {
		*(bool *)target = true;
		return scene_read_table(reader, node, field->name, field->table, (char *)target - field->offset);
	}
	if (field->type == TALUS_FIELD_LIST && node->kind != SCENE_LIST)
		return scene_fail_type(reader, node, field->name, "a list");
	if (field->type == TALUS_FIELD_MAP && node->kind != SCENE_MAP)
		return scene_fail_type(reader, node, field->name, "a mapping");
	if (field->read)
		return field->read(reader, node, target, field);
	return scene_value_read(reader, node, field, target);
}

bool scene_read_defaults(talus_reader *reader, const talus_field *table, void *target)
{
	for (; table->name; table++) {
		if (!table->required && !table->alternative &&
			!default_field(reader, table, (char *)target + table->offset))
			return false;
	}
	return true;
}

static bool read_fields(talus_reader *reader, const scene_node *node, const talus_field *table, void *target)
{
	for (const talus_field *field = table; field->name; field++) {
		const scene_node *value = scene_node_find(node, field->name);
		void *place = (char *)target + field->offset;
		if (!value && field->required && !*reader->name)
			return scene_fail(reader, node, "`%s` is missing in the scene", field->name);
		if (!value && field->required)
			return scene_fail(reader, node, "`%s` is missing in `%s`", field->name, reader->name);
		if (value && !read_field(reader, value, field, place))
			return false;
		if (!value && !field->alternative && !default_field(reader, field, place))
			return false;
	}
	return true;
}

bool scene_read_table(
	talus_reader *reader, const scene_node *node, const char *name, const talus_field *table,
	void *target)
{
	if (node->kind != SCENE_MAP && !*name)
		return scene_fail(reader, node,
			"a scene must be a mapping of keys to values, as in `gravity: [0, 0, -1]`");
	if (node->kind != SCENE_MAP)
		return scene_fail_type(reader, node, name, "a mapping");
	const scene_node *outer = reader->within;
	const char *outer_name = reader->name;
	reader->within = node;
	reader->name = name;
	bool ok = check_keys(reader, node, table) && check_alternatives(reader, node, table) &&
		read_fields(reader, node, table, target);
	reader->within = outer;
	reader->name = outer_name;
	return ok;
}
