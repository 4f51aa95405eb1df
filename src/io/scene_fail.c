// SPDX-License-Identifier: MIT
// Sentences about what is wrong in a scene, and where.
#include "io/scene_read.h"

#include "base/error.h"
#include "base/nearest.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

// ---------------------------------------------------------------- the keys that lead somewhere

enum { DEEPEST = 32 };

typedef struct way { // entries from the root down
	bool by_place;
	const scene_node *in[DEEPEST];
	int entry[DEEPEST];
	int depth;
} way;

// Nodes that stand for a place only, and are in no tree, are found by where they stand.
static bool is_there(const way *w, const scene_node *node, const scene_node *wanted)
{
	if (!w->by_place)
		return node == wanted;
	return wanted->line > 0 && node->line == wanted->line && node->column == wanted->column && !strcmp(node->source, wanted->source);
}

static bool find_way(const scene_node *from, const scene_node *wanted, way *w)
{
	if (is_there(w, from, wanted))
		return true;
	for (int i = 0; i < from->count && w->depth < DEEPEST; i++) {
		const scene_entry *entry = &from->entry[i];
		w->in[w->depth] = from;
		w->entry[w->depth++] = i;
		if ((entry->key && is_there(w, entry->key, wanted)) || find_way(entry->value, wanted, w))
			return true;
		w->depth--;
	}
	return false;
}

// contacts[0].friction
void scene_fail_path(talus_error *error, const scene_node *root, const scene_node *at)
{
	way w = {.by_place = false};
	size_t used = 0;
	bool found = error && root && find_way(root, at, &w);
	if (error && root && !found) {
		w = (way){.by_place = true};
		found = find_way(root, at, &w);
	}
	if (!found)
		return;
	for (int i = 0; i < w.depth && used < sizeof error->path; i++) {
		const scene_node *key = w.in[i]->entry[w.entry[i]].key;
		char *to = error->path + used;
		size_t room = sizeof error->path - used;
		int length = key ? snprintf(to, room, "%s%s", i ? "." : "", key->text) : snprintf(to, room, "[%d]", w.entry[i]);
		used += (size_t)length;
	}
}

// ---------------------------------------------------------------- sentences

bool scene_fail(talus_reader *reader, const scene_node *at, const char *format, ...)
{
	char text[sizeof reader->error->text];
	va_list list;
	va_start(list, format);
	vsnprintf(text, sizeof text, format, list);
	va_end(list);
	error_at(reader->error, at->source, at->line, at->column, "%s", text);
	scene_fail_path(reader->error, reader->root, at);
	return false;
}

bool scene_fail_near(talus_reader *reader, const char *word, const char *const *names)
{
	return error_nearest(reader->error, nearest_name(word, names));
}

// What stands there in place of what was wanted.
static const char *describe(const scene_node *node, char *buffer, size_t size)
{
	if (node->kind != SCENE_SCALAR)
		return node->kind == SCENE_LIST ? "a list" : "a mapping";
	if (scene_node_null(node))
		return "empty";
	snprintf(buffer, size, node->plain ? "`%.80s`" : "the text \"%.80s\"", node->text);
	return buffer;
}

bool scene_fail_type(talus_reader *reader, const scene_node *node, const char *name, const char *wanted)
{
	char buffer[128];
	return scene_fail(reader, node, "`%s` must be %s, but is %s", name, wanted,
		describe(node, buffer, sizeof buffer));
}

const char *scene_near(const char *word, const char *const *names, char *buffer, size_t size)
{
	const char *near = nearest_name(word, names);
	*buffer = 0;
	if (near)
		snprintf(buffer, size, "; did you mean `%s`?", near);
	return buffer;
}

const char *scene_names_list(const char *const *names, const char *last, char *buffer, size_t size)
{
	size_t used = 0;
	*buffer = 0;
	for (int i = 0; names[i] && used < size; i++) {
		const char *joint = !i ? "" : names[i + 1] ? ", " : last;
		used += (size_t)snprintf(buffer + used, size - used, "%s`%s`", joint, names[i]);
	}
	return buffer;
}
