// SPDX-License-Identifier: MIT
// --set PATH=VALUE: finds the value through the same tables that the parser uses, so that a path that means
// nothing is refused with the name that was meant.
#include "io/scene_set.h"

#include "base/error.h"
#include "base/nearest.h"
#include "io/scene_tables.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// The number in brackets that begins here, as error messages have it, contacts[0].friction: becomes .0; false if it is none.
static bool bracket_open(char *at)
{
	size_t digits = strspn(at + 1, "0123456789");
	if (digits == 0 || at[digits + 1] != ']')
		return false;
	*at = '.';
	memmove(at + digits + 1, at + digits + 2, strlen(at + digits + 2) + 1);
	return true;
}

bool scene_path_read(scene_path *path, const char *text)
{
	const char *equals = strchr(text, '=');
	size_t length = equals ? (size_t)(equals - text) : 0;
	*path = (scene_path){.value = equals ? equals + 1 : NULL};
	if (!length || length >= sizeof path->buffer)
		return false;
	memcpy(path->buffer, text, length);
	for (char *at = path->buffer; (at = strchr(at, '[')) && bracket_open(at);)
		;
	for (char *at = path->buffer; at;) {
		if (path->depth == SCENE_PATH_DEPTH)
			return false;
		path->name[path->depth++] = at;
		at = strchr(at, '.');
		if (at)
			*at++ = 0;
		if (!*path->name[path->depth - 1])
			return false;
	}
	return true;
}

static bool is_index(const char *name, int *index)
{
	char *end;
	long number = strtol(name, &end, 10);
	*index = (int)number;
	return *name >= '0' && *name <= '9' && !*end && number < 1000000000;
}

scene_entry *scene_path_step(const scene_node *node, const char *name)
{
	int index;
	if (node->kind == SCENE_LIST)
		return is_index(name, &index) && index < node->count ? &node->entry[index] : NULL;
	return scene_entry_find(node, name);
}

// ---------------------------------------------------------------- walking along the path

typedef struct walk {
	const char *label; // of the option, for messages
	const char *above; // name of what holds the next name, "" at the top
	char so_far[1024]; // the path up to here
	const talus_field *field; // NULL at the top
	bool item;                // inside an entry of a list or a named mapping
	scene_node *node;         // NULL where the scene says nothing
	talus_error *error;
} walk;

static bool no_name(const walk *w, const char *name, const char *const *names)
{
	const char *near = nearest_name(name, names), *in = *w->above ? w->above : "scene";
	char list[600];
	if (near) {
		error_at(w->error, w->label, 0, 0, "there is no `%s` in `%s`; did you mean `%s`?", name, in, near);
		return error_nearest(w->error, near);
	}
	return error_at(w->error, w->label, 0, 0, "there is no `%s` in `%s`, which has %s", name, in,
		scene_names_list(names, " and ", list, sizeof list));
}

static bool no_key(const walk *w, const char *name)
{
	const char *names[65] = {0};
	if (!w->node || !w->node->count)
		return error_at(w->error, w->label, 0, 0, "there is no `%s` in `%s`, which is empty", name,
			w->above);
	for (int i = 0; i < w->node->count && i < 64; i++)
		names[i] = w->node->entry[i].key->text;
	return no_name(w, name, names);
}

static bool no_index(const walk *w, const char *name)
{
	int count = w->node ? w->node->count : 0;
	if (!count)
		return error_at(w->error, w->label, 0, 0, "`%s` in this scene has no entries to change",
			w->above);
	return error_at(w->error, w->label, 0, 0, "`%s` in this scene has the entries 0 to %d, not `%s`",
		w->above, count - 1, name);
}

// Into a mapping that a table describes: the key need not be in the scene yet.
static bool step_table(walk *w, const char *name)
{
	const talus_field *table = w->field ? w->field->table : scene_fields;
	const char *names[65] = {0};
	if (!table)
		return error_at(w->error, w->label, 0, 0,
			"`%s` has no parts with names, so there is no `%s` in it", w->above, name);
	for (int i = 0; table[i].name && i < 64; i++)
		names[i] = table[i].name;
	while (table->name && strcmp(table->name, name))
		table++;
	if (!table->name)
		return no_name(w, name, names);
	if (w->node && w->node->kind != SCENE_MAP)
		return error_at(w->error, w->label, 0, 0,
			"`%s` in this scene is not a mapping; set the whole of it: %s={%s: ...}", w->above,
			w->so_far, name);
	w->field = table;
	w->item = false;
	w->node = w->node ? scene_node_find(w->node, name) : NULL;
	return true;
}

static bool step(walk *w, const char *name)
{
	bool list = w->field && !w->item && w->field->type == TALUS_FIELD_LIST;
	bool map = w->field && !w->item && w->field->type == TALUS_FIELD_MAP;
	if (list || map || (w->node && w->node->kind == SCENE_LIST)) {
		scene_entry *entry = w->node ? scene_path_step(w->node, name) : NULL;
		if (!entry)
			return map ? no_key(w, name) : no_index(w, name);
		w->node = entry->value;
		w->item = true;
		return true;
	}
	return step_table(w, name);
}

// As errors have it: contacts[0].friction.
static bool path_say(const scene_path *path, int depth, talus_error *error)
{
	char text[TALUS_KEY_MAX] = "";
	size_t used = 0;
	int index;
	for (int i = 0; i < depth && used < sizeof text; i++) {
		const char *form = is_index(path->name[i], &index) && i ? "[%s]" : i ? ".%s" : "%s";
		used += (size_t)snprintf(text + used, sizeof text - used, form, path->name[i]);
	}
	return error_path(error, "%s", text);
}

static bool path_check(const scene_path *path, scene_node *root, const char *label, talus_error *error)
{
	walk w = {.label = label, .above = "", .node = root, .error = error};
	for (int i = 0; i < path->depth; i++) {
		if (!step(&w, path->name[i]))
			return path_say(path, i + 1, error);
		int index;
		if (!is_index(path->name[i], &index))
			w.above = path->name[i];
		strcat(strcat(w.so_far, i ? "." : ""), path->name[i]); // not longer than path->buffer
	}
	return true;
}

// ---------------------------------------------------------------- changing the tree

static void forget_place(scene_node *node)
{
	node->line = node->column = 0;
	for (int i = 0; i < node->count; i++) {
		if (node->entry[i].key)
			forget_place(node->entry[i].key);
		forget_place(node->entry[i].value);
	}
}

static scene_node *node_new(scene_tree *tree, scene_kind kind, const char *text, const char *label)
{
	scene_node *node = scene_tree_take(tree, sizeof *node);
	*node = (scene_node){.kind = kind, .plain = true, .source = label};
	if (text)
		node->text = scene_tree_copy(tree, text, strlen(text));
	return node;
}

static void put(scene_tree *tree, const scene_path *path, scene_node *value, const char *label)
{
	scene_node *node = tree->root;
	for (int i = 0; i < path->depth; i++) {
		scene_entry *entry = scene_path_step(node, path->name[i]);
		bool last = i == path->depth - 1;
		if (entry && last) {
			entry->value = value;
			continue;
		}
		if (!entry) {
			scene_node *fresh = last ? value : node_new(tree, SCENE_MAP, NULL, label);
			entry = scene_tree_append(tree, node, node_new(tree, SCENE_SCALAR, path->name[i],
				label), fresh);
		}
		node = entry->value;
	}
}

// The nodes of the value become part of the tree.
static void adopt(scene_tree *tree, scene_tree *value)
{
	scene_node *root = value->root;
	void **last = &tree->blocks;
	while (*last)
		last = *last; // a block begins with the pointer to the next
	*last = value->blocks;
	*value = (scene_tree){.root = root};
}

bool scene_set(scene_tree *tree, const char *override, talus_error *error)
{
	scene_path path;
	char *label = scene_tree_take(tree, strlen(override) + 8);
	sprintf(label, "--set %s", override);
	if (!scene_path_read(&path, override))
		return error_at(error, label, 0, 0,
			"this must be PATH=VALUE, as in solver.nsgs.stop.iterations=40");
	if (tree->root->kind == SCENE_MAP && !path_check(&path, tree->root, label, error))
		return false;
	scene_tree value;
	if (!*path.value)
		return error_at(error, label, 0, 0, "there is no value after the equals sign");
	char first = path.value[strspn(path.value, " \t")];
	if (first == '%' || first == '#') // in YAML alone in a line, a directive and a comment
		return error_at(error, label, 0, 0, "a value that begins with %c must stand in quotes, as in \"%c\"", first, first);
	if (!scene_tree_parse(&value, path.value, strlen(path.value), label, error)) {
		error->line = error->column = 0;
		return false;
	}
	forget_place(value.root);
	adopt(tree, &value);
	if (tree->root->kind == SCENE_MAP)
		put(tree, &path, value.root, label);
	return true;
}
