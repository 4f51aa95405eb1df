// SPDX-License-Identifier: MIT
// A mutator that knows the tables of the scene parser: it reads a scene as a tree, walks along the tables, and changes values within their
// ranges (now and then beyond), adds and removes keys, changes which of several forms is used, copies and drops entries, adds --set
// options. What the parser refuses is mostly tried again, so that most cases get as far as the set-up.
#include "fuzz.h"

#include "io/scene.h"
#include "io/scene_set.h"
#include "io/scene_tables.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PLACES_MOST = 512, TRIES = 6, CHANGES = 3, DEPTH_MOST = 12 };

typedef struct place { // an entry of a mapping that a table describes, or (entry < 0) the mapping itself
	scene_node *map;
	int entry;
	const talus_field *field, *table;
	char path[160];
} place;

typedef struct work {
	scene_tree tree;
	fuzz_dice dice;
	int count;
	place place[PLACES_MOST];
} work;

static unsigned roll(work *w, unsigned sides) { return fuzz_roll(&w->dice, sides); }

// ---------------------------------------------------------------- where it may change

static const talus_field *field_of(const talus_field *table, const char *name)
{
	for (; table->name; table++)
		if (!strcmp(table->name, name))
			return table;
	return NULL;
}

static void add_place(work *w, scene_node *map, int entry, const talus_field *field, const talus_field *table, const char *path)
{
	if (w->count == PLACES_MOST)
		return;
	place *p = &w->place[w->count++];
	*p = (place){.map = map, .entry = entry, .field = field, .table = table};
	snprintf(p->path, sizeof p->path, "%s", path);
}

static void gather(work *w, scene_node *map, const talus_field *table, const char *path, int depth)
{
	if (map->kind != SCENE_MAP || depth > DEPTH_MOST)
		return;
	add_place(w, map, -1, NULL, table, path);
	for (int i = 0; i < map->count; i++) {
		const talus_field *field = field_of(table, map->entry[i].key->text);
		scene_node *value = map->entry[i].value;
		char below[160], item[200];
		if (!field || snprintf(below, sizeof below, "%s%s%s", path, *path ? "." : "", field->name) >= (int)sizeof below)
			continue;
		add_place(w, map, i, field, table, below);
		bool many = field->type == TALUS_FIELD_LIST || field->type == TALUS_FIELD_MAP;
		if (field->table && !many)
			gather(w, value, field->table, below, depth + 1);
		for (int k = 0; field->table && many && k < value->count; k++) {
			if (value->entry[k].key)
				snprintf(item, sizeof item, "%s.%s", below, value->entry[k].key->text);
			else
				snprintf(item, sizeof item, "%s.%d", below, k);
			gather(w, value->entry[k].value, field->table, item, depth + 1);
		}
	}
}

// ---------------------------------------------------------------- values

static scene_node *scalar(work *w, const char *text)
{
	scene_node *node = scene_tree_take(&w->tree, sizeof *node);
	node->kind = SCENE_SCALAR;
	node->plain = true;
	node->text = scene_tree_copy(&w->tree, text, strlen(text));
	return node;
}

static scene_node *number(work *w, double value)
{
	char text[40];
	snprintf(text, sizeof text, isnan(value) ? ".nan" : isinf(value) ? ".inf" : "%.6g", value);
	return scalar(w, text);
}

static scene_node *group(work *w, scene_kind kind)
{
	scene_node *node = scene_tree_take(&w->tree, sizeof *node);
	node->kind = kind;
	node->flow = true;
	return node;
}

static void append(work *w, scene_node *to, const char *key, scene_node *value)
{
	scene_tree_append(&w->tree, to, key ? scalar(w, key) : NULL, value);
}

// Mostly inside the range of the field, at times at its ends, seldom outside.
static double in_range(work *w, const talus_field *field, double value)
{
	if (roll(w, 24) == 0)
		return value;
	if (!(fabs(value) < 1e9))
		value = 1;
	if (!field || field->least == field->most)
		return value;
	if (roll(w, 24) == 0)
		return roll(w, 2) ? field->least : field->most;
	if (value < field->least || (field->above && value <= field->least))
		value = field->least + fabs(value) + (field->above ? 0.01 : 0);
	if (value > field->most || (field->below && value >= field->most))
		value = 0.5*(field->least + field->most);
	return value;
}

static double varied(work *w, const talus_field *field, const char *old)
{
	static const double factor[] = {0.5, 2, 0.9, 1.1, -1, 10, 0.1, 0, 1.5};
	char *end;
	double was = old ? strtod(old, &end) : NAN;
	if (!old || end == old || roll(w, 4) == 0)
		return in_range(w, field, fuzz_number(&w->dice));
	return in_range(w, field, was*factor[roll(w, sizeof factor/sizeof factor[0])]);
}

static scene_node *whole(work *w, const talus_field *field, const char *old)
{
	return number(w, floor(varied(w, field, old)));
}

static const char *some_material(work *w)
{
	const scene_node *materials = w->tree.root->kind == SCENE_MAP ? scene_node_find(w->tree.root, "materials") : NULL;
	if (!materials || materials->kind != SCENE_MAP || !materials->count)
		return "stone";
	return materials->entry[roll(w, (unsigned)materials->count)].key->text;
}

static scene_node *numbers(work *w, int count)
{
	scene_node *list = group(w, SCENE_LIST);
	for (int k = 0; k < count; k++)
		append(w, list, NULL, number(w, varied(w, NULL, NULL)));
	return list;
}

static scene_node *letters(work *w, bool spin)
{
	static const char *const names[] = {"x", "y", "z", "spin"};
	scene_node *list = group(w, SCENE_LIST);
	for (int k = 0; k < (spin ? 4 : 3); k++)
		if (roll(w, 2))
			append(w, list, NULL, scalar(w, names[k]));
	return list;
}

static scene_node *made(work *w, const talus_field *field, int depth);

static scene_node *made_table(work *w, const talus_field *table, int depth)
{
	scene_node *map = group(w, SCENE_MAP);
	unsigned others = 0;
	for (const talus_field *f = table; f->name; f++)
		others += f->alternative;
	unsigned chosen = others ? roll(w, others) : 0, at = 0;
	for (const talus_field *f = table; f->name; f++)
		if (f->alternative ? at++ == chosen : f->required || (depth < 6 && roll(w, 6) == 0))
			append(w, map, f->name, made(w, f, depth + 1));
	return map;
}

// What stands where a field wants something of its own, by how the tables say that it is written.
static scene_node *made_custom(work *w, const talus_field *field, int depth)
{
	const char *form = field->form ? field->form : "";
	scene_node *list = group(w, SCENE_LIST);
	if (!strcmp(form, "name"))
		return scalar(w, some_material(w));
	if (!strcmp(form, "[name, name]")) {
		append(w, list, NULL, scalar(w, some_material(w)));
		append(w, list, NULL, scalar(w, some_material(w)));
	} else if (!strncmp(form, "list of", 7)) {
		return letters(w, strstr(form, "spin") != NULL);
	} else if (!strcmp(form, "vector")) {
		return numbers(w, 3);
	} else if (!strcmp(form, "[low corner, high corner]")) {
		append(w, list, NULL, numbers(w, 3));
		scene_node *high = group(w, SCENE_LIST);
		for (int k = 0; k < 3; k++)
			append(w, high, NULL, number(w, 3 + roll(w, 8)));
		append(w, list, NULL, high);
	} else if (!strcmp(form, "[least, most]")) {
		append(w, list, NULL, number(w, 0.1 + 0.1*roll(w, 5)));
		append(w, list, NULL, number(w, 0.5 + 0.1*roll(w, 5)));
	} else if (!strncmp(form, "[[", 2)) {
		for (int k = 0; k < 3; k++) {
			scene_node *point = group(w, SCENE_LIST);
			append(w, point, NULL, number(w, 0.5 + 0.3*k));
			append(w, point, NULL, number(w, 0.5*k));
			append(w, list, NULL, point);
		}
	} else if (!strcmp(form, "true or false")) {
		return scalar(w, roll(w, 2) ? "true" : "false");
	} else if (!strcmp(form, "text")) {
		return scalar(w, "grains.csv");
	} else if (field->table && (!strncmp(form, "mapping", 7) || roll(w, 2))) {
		return made_table(w, field->table, depth);
	} else {
		return number(w, varied(w, field, NULL));
	}
	return list;
}

static scene_node *made(work *w, const talus_field *field, int depth)
{
	int names = 0;
	while (field->names && field->names[names])
		names++;
	switch (field->type) {
	case TALUS_FIELD_REAL: return number(w, varied(w, field, NULL));
	case TALUS_FIELD_INTEGER: return whole(w, field, NULL);
	case TALUS_FIELD_SEED: return number(w, roll(w, 100000));
	case TALUS_FIELD_BOOL: return scalar(w, roll(w, 2) ? "true" : "false");
	case TALUS_FIELD_TEXT: return scalar(w, "some text");
	case TALUS_FIELD_VECTOR:
	case TALUS_FIELD_DIRECTION:
	case TALUS_FIELD_AXIS: return numbers(w, 3);
	case TALUS_FIELD_CHOICE: return scalar(w, field->names[roll(w, (unsigned)names)]);
	case TALUS_FIELD_CUSTOM: return made_custom(w, field, depth);
	case TALUS_FIELD_TABLE:
	case TALUS_FIELD_OPTION: return made_table(w, field->table, depth);
	default: {
		scene_node *all = group(w, field->type == TALUS_FIELD_LIST ? SCENE_LIST : SCENE_MAP);
		append(w, all, field->type == TALUS_FIELD_LIST ? NULL : "some", made_table(w, field->table, depth));
		return all;
	}
	}
}

// Some number below a node becomes another one.
static void vary_below(work *w, scene_node *node, const talus_field *field)
{
	for (int depth = 0; node->kind != SCENE_SCALAR && node->count > 0 && depth < DEPTH_MOST; depth++) {
		scene_entry *entry = &node->entry[roll(w, (unsigned)node->count)];
		if (entry->value->kind == SCENE_SCALAR && strchr("+-.0123456789", entry->value->text[0])) {
			entry->value = number(w, varied(w, field, entry->value->text));
			return;
		}
		node = entry->value;
	}
}

static void change_value(work *w, const place *p)
{
	scene_entry *entry = &p->map->entry[p->entry];
	bool is_number = p->field->type == TALUS_FIELD_REAL || p->field->type == TALUS_FIELD_CUSTOM;
	if (entry->value->kind != SCENE_SCALAR && roll(w, 6))
		vary_below(w, entry->value, p->field);
	else if (p->field->type == TALUS_FIELD_INTEGER && entry->value->kind == SCENE_SCALAR)
		entry->value = whole(w, p->field, entry->value->text);
	else if (is_number && entry->value->kind == SCENE_SCALAR && roll(w, 4) && strchr("+-.0123456789", entry->value->text[0]))
		entry->value = number(w, varied(w, p->field, entry->value->text));
	else
		entry->value = made(w, p->field, 2);
}

// ---------------------------------------------------------------- changes

static void add_key(work *w, const place *p)
{
	unsigned fields = 0;
	while (p->table[fields].name)
		fields++;
	for (int i = 0; i < 8; i++) {
		const talus_field *field = &p->table[roll(w, fields)];
		if (field->alternative || scene_entry_find(p->map, field->name))
			continue;
		append(w, p->map, field->name, made(w, field, 2));
		return;
	}
}

static void drop_entry(scene_node *node, int at)
{
	memmove(&node->entry[at], &node->entry[at + 1], (size_t)(node->count - at - 1)*sizeof *node->entry);
	node->count--;
}

// Another of the forms that exclude each other.
static void change_form(work *w, const place *p)
{
	unsigned fields = 0;
	while (p->table[fields].name)
		fields++;
	const talus_field *other = &p->table[roll(w, fields)];
	for (int i = 0; i < p->map->count && other->alternative; i++) {
		const talus_field *now = field_of(p->table, p->map->entry[i].key->text);
		if (!now || !now->alternative)
			continue;
		p->map->entry[i].key = scalar(w, other->name);
		p->map->entry[i].value = made(w, other, 2);
	}
}

static void change_list(work *w, const place *p)
{
	scene_node *list = p->map->entry[p->entry].value;
	if (list->kind != SCENE_LIST || list->count == 0)
		return;
	unsigned at = roll(w, (unsigned)list->count);
	if (p->field->type != TALUS_FIELD_LIST)
		vary_below(w, list, p->field);
	else if (roll(w, 2) && list->count > 1)
		drop_entry(list, (int)at);
	else
		append(w, list, NULL, roll(w, 2) ? list->entry[at].value : made_table(w, p->field->table, 1));
}

static void change(work *w)
{
	w->count = 0;
	gather(w, w->tree.root, scene_fields, "", 0);
	if (w->count == 0)
		return;
	for (int i = 0; i < 20; i++) {
		const place *p = &w->place[roll(w, (unsigned)w->count)];
		unsigned what = roll(w, 10);
		if (p->entry >= 0 && p->field->type == TALUS_FIELD_LIST && what < 6)
			change_list(w, p);
		else if (p->entry >= 0 && what < 8)
			change_value(w, p);
		else if (p->entry >= 0 && (!p->field->required || roll(w, 10) == 0) && !p->field->alternative)
			drop_entry(p->map, p->entry);
		else if (p->entry < 0 && what < 6)
			add_key(w, p);
		else if (p->entry < 0)
			change_form(w, p);
		else
			continue;
		return;
	}
}

// ---------------------------------------------------------------- whole scenes

static const char plain_scene[] =
	"gravity: [0, 0, -1]\nmaterials: {stone: {density: 1}}\ncontacts: [{between: [stone, stone], friction: 0.5}]\n"
	"grains: [{fill: {count: 12, radius: 0.4, in: {box: [[0, 0, 0], [4, 4, 4]]}}}]\n"
	"walls: {floor: {plane: {point: [0, 0, 0], normal: [0, 0, 1]}}}\n"
	"method: {contact_dynamics: {step: 0.01}}\nrun: {until: {time: 1}}\n";

// "#--set PATH=VALUE" for some value of the scene.
static void add_option(work *w, char *text, size_t most)
{
	w->count = 0;
	gather(w, w->tree.root, scene_fields, "", 0);
	for (int i = 0; i < 20 && w->count > 0; i++) {
		const place *p = &w->place[roll(w, (unsigned)w->count)];
		if (p->entry < 0)
			continue;
		const scene_node *old = p->map->entry[p->entry].value;
		char *value = scene_emit_flow(old->kind == SCENE_SCALAR && p->field->type == TALUS_FIELD_REAL ?
			number(w, varied(w, p->field, old->text)) : roll(w, 2) ? old : made(w, p->field, 2));
		size_t used = strlen(text);
		snprintf(text + used, most - used, "#--set %s=%s\n", p->path, value);
		free(value);
		return;
	}
}

// Options of the case that is changed stay.
static void keep_options(char *text, size_t most, const char *old)
{
	for (const char *line = old; line; line = strchr(line, '\n') ? strchr(line, '\n') + 1 : NULL) {
		size_t used = strlen(text);
		if (!strncmp(line, "#--set ", 7) && used < most)
			snprintf(text + used, most - used, "%.*s\n", (int)strcspn(line, "\n"), line);
	}
}

static bool variant(const char *from, fuzz_dice *dice, char *text, size_t most)
{
	work *w = calloc(1, sizeof *w);
	talus_error error;
	if (!w)
		abort();
	w->dice = *dice;
	bool ok = scene_tree_parse(&w->tree, from, strlen(from), "", &error);
	if (ok) {
		for (unsigned n = 1 + roll(w, CHANGES); n > 0; n--)
			change(w);
		char *whole_scene = scene_emit_block(w->tree.root);
		snprintf(text, most, "%s", whole_scene ? whole_scene : "");
		free(whole_scene);
		if (roll(w, 8))
			keep_options(text, most, from);
		if (roll(w, 6) == 0)
			add_option(w, text, most);
		scene_tree_free(&w->tree);
	}
	*dice = w->dice;
	free(w);
	return ok;
}

// Would the parser take it, options and all?
static bool readable(const char *text)
{
	talus_error error;
	scene *s = scene_read_text(text, "", NULL, 0, &error);
	scene_free(s);
	return s != NULL;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed)
{
	fuzz_dice dice = {seed};
	if (fuzz_roll(&dice, 16) == 0)
		return LLVMFuzzerMutate(data, size, most);
	char *from = calloc(1, size + 1), *text = calloc(1, most + 1);
	if (!from || !text)
		abort();
	memcpy(from, data, size);
	bool good = readable(from);
	for (int i = 0; i < TRIES; i++) {
		// what the parser refuses is seldom a good start
		if (!variant(good || fuzz_roll(&dice, 4) == 0 ? from : plain_scene, &dice, text, most))
			variant(plain_scene, &dice, text, most);
		if (readable(text) || fuzz_roll(&dice, 8) == 0)
			break;
	}
	size_t length = strlen(text);
	memcpy(data, text, length);
	free(from);
	free(text);
	return length;
}
