// SPDX-License-Identifier: MIT
// Sentences about what is wrong in a scene, and where.
#include "io/scene_read.h"

#include "base/error.h"
#include "base/nearest.h"

#include <stdarg.h>
#include <stdio.h>

bool scene_fail(talus_reader *reader, const scene_node *at, const char *format, ...)
{
	char text[sizeof reader->error->text];
	va_list list;
	va_start(list, format);
	vsnprintf(text, sizeof text, format, list);
	va_end(list);
	return error_at(reader->error, at->source, at->line, at->column, "%s", text);
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
