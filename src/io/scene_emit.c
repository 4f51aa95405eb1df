// SPDX-License-Identifier: MIT
// A tree as text, and changes of single values within the user's own text.
#include "io/scene_set.h"

#include "base/memory.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct buffer {
	char *text;
	size_t length, room;
} buffer;

static void add_bytes(buffer *b, const char *text, size_t length)
{
	if (b->length + length + 1 > b->room) {
		b->room = 2*(b->length + length + 1);
		b->text = realloc(b->text, b->room);
		if (!b->text)
			memory_lost();
	}
	memcpy(b->text + b->length, text, length);
	b->length += length;
	b->text[b->length] = 0;
}

static void add_text(buffer *b, const char *text)
{
	add_bytes(b, text, strlen(text));
}

// ---------------------------------------------------------------- a tree as text

static void add_scalar(buffer *b, const scene_node *node)
{
	if (scene_node_null(node))
		return add_text(b, "null");
	if (node->plain && scene_text_bare(node->text))
		return add_text(b, node->text);
	add_text(b, "\"");
	for (const char *c = node->text; *c; c++) {
		char code[8];
		unsigned char byte = (unsigned char)*c;
		if (byte == '"' || byte == '\\')
			snprintf(code, sizeof code, "\\%c", byte);
		else
			snprintf(code, sizeof code, byte < 0x20 || byte == 0x7f ? "\\x%02x" : "%c", byte);
		add_text(b, code);
	}
	add_text(b, "\"");
}

static void add_flow(buffer *b, const scene_node *node)
{
	if (node->kind == SCENE_SCALAR)
		return add_scalar(b, node);
	add_text(b, node->kind == SCENE_LIST ? "[" : "{");
	for (int i = 0; i < node->count; i++) {
		if (i)
			add_text(b, ", ");
		if (node->entry[i].key) {
			add_scalar(b, node->entry[i].key);
			add_text(b, ": ");
		}
		add_flow(b, node->entry[i].value);
	}
	add_text(b, node->kind == SCENE_LIST ? "]" : "}");
}

// Two levels of lines, everything deeper on one line: that is how scenes are written.
static void add_block(buffer *b, const scene_node *node, int level)
{
	for (int i = 0; i < node->count; i++) {
		const scene_entry *entry = &node->entry[i];
		const scene_node *value = entry->value;
		add_text(b, level ? "  " : "");
		if (entry->key)
			add_scalar(b, entry->key);
		add_text(b, entry->key ? ":" : "-");
		if (!level && value->count &&
			(value->kind == SCENE_MAP || value->entry[0].value->kind == SCENE_MAP)) {
			add_text(b, "\n");
			add_block(b, value, 1);
			continue;
		}
		add_text(b, " ");
		add_flow(b, value);
		add_text(b, "\n");
	}
}

char *scene_emit_block(const scene_node *node)
{
	buffer b = {0};
	add_block(&b, node, 0);
	return b.text;
}

char *scene_emit_flow(const scene_node *node)
{
	buffer b = {0};
	add_flow(&b, node);
	return b.text;
}

// ---------------------------------------------------------------- a changed value within the text

typedef struct splice { // bytes from .. to become before + value + after
	size_t from, to;
	const char *before;
	int indent; // spaces after a line break at the end; < 0: no line break
	int nested; // names of the path that are not there yet
} splice;

static splice splice_insert(const scene_node *map)
{
	splice s = {.indent = -1};
	if (!map->count || map->flow) { // behind the last entry, or behind the opening bracket
		s.from = s.to = map->count ? map->entry[map->count - 1].end : map->start + 1;
		s.before = map->count ? ", " : "";
	} else { // before the first key, on a line of its own
		const scene_node *first = map->entry[0].key;
		s.from = s.to = first->start;
		s.before = "";
		s.indent = first->column - 1;
	}
	return s;
}

static splice splice_find(const scene_node *root, const scene_path *path)
{
	const scene_node *node = root;
	scene_entry *entry = NULL;
	int i;
	for (i = 0; i < path->depth; i++) {
		scene_entry *next = scene_path_step(node, path->name[i]);
		if (!next)
			break;
		entry = next;
		node = entry->value;
	}
	if (i == path->depth) {
		bool empty = entry->start == entry->end; // nothing stands behind the colon
		return (splice){.from = entry->start + empty, .to = entry->end + empty,
		.before = empty ? " " : "", .indent = -1};
	}
	splice s = splice_insert(node);
	s.nested = path->depth - i;
	return s;
}

static char *splice_apply(const char *text, size_t length, const splice *s, const scene_path *path,
	const scene_node *value)
{
	buffer b = {0};
	size_t from = s->from < length ? s->from : length, to = s->to < length ? s->to : length;
	add_bytes(&b, text, from);
	add_text(&b, s->before);
	for (int i = path->depth - s->nested; i < path->depth; i++) {
		add_text(&b, i > path->depth - s->nested ? "{" : "");
		add_text(&b, path->name[i]);
		add_text(&b, ": ");
	}
	add_flow(&b, value);
	for (int i = 1; i < s->nested; i++)
		add_text(&b, "}");
	if (s->indent >= 0)
		add_text(&b, "\n");
	for (int i = 0; i < s->indent; i++)
		add_text(&b, " ");
	add_bytes(&b, text + to, length - to);
	return b.text;
}

// NULL if the text does not allow it.
static char *text_change(const char *text, const char *override)
{
	scene_path path;
	scene_tree tree, value;
	talus_error error;
	char *changed = NULL;
	if (!scene_path_read(&path, override) || !scene_tree_parse(&tree, text, strlen(text), "", &error))
		return NULL;
	if (scene_tree_parse(&value, path.value, strlen(path.value), "", &error)) {
		splice s = splice_find(tree.root, &path);
		changed = splice_apply(text, strlen(text), &s, &path, value.root);
		scene_tree_free(&value);
	}
	scene_tree_free(&tree);
	return changed;
}

// Whether the text says what the tree says.
static bool text_says(const char *text, const scene_node *root)
{
	scene_tree tree;
	talus_error error;
	if (!scene_tree_parse(&tree, text, strlen(text), "", &error))
		return false;
	bool same = scene_node_same(tree.root, root);
	scene_tree_free(&tree);
	return same;
}

char *scene_set_text(
	const scene_tree *tree, const char *text, size_t length, const char *const *overrides,
	int override_count)
{
	buffer b = {0};
	add_bytes(&b, text, length);
	char *now = b.text;
	for (int i = 0; now && i < override_count; i++) {
		char *changed = text_change(now, overrides[i]);
		free(now);
		now = changed;
	}
	if (now && (!override_count || text_says(now, tree->root)))
		return scene_portable(now);
	// anchors, quoted blocks and the like: write all of it anew
	free(now);
	return scene_portable(scene_emit_block(tree->root));
}
