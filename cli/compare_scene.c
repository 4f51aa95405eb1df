// SPDX-License-Identifier: MIT
// What differs in two scenes as they were run, key by key: their trees are walked together.
#include "compare.h"

#include "base/memory.h"
#include "io/scene_tree.h"
#include "message.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void compare_nodes(const scene_node *a, const scene_node *b, const char *path, scene_differences *found);

// A value in brackets, as short as YAML allows.
static void value_write(FILE *out, const scene_node *node)
{
	if (node->kind == SCENE_SCALAR) {
		message_text(out, node->text);
		return;
	}
	fputc(node->kind == SCENE_LIST ? '[' : '{', out);
	for (int i = 0; i < node->count && ftell(out) < 200; i++) {
		fputs(i ? ", " : "", out);
		if (node->entry[i].key)
			fprintf(out, "%s: ", node->entry[i].key->text);
		value_write(out, node->entry[i].value);
	}
	fputc(node->kind == SCENE_LIST ? ']' : '}', out);
}

static void value_text(const scene_node *node, char text[128])
{
	char *all = NULL;
	size_t length = 0;
	text[0] = 0;
	if (!node)
		return;
	FILE *out = open_memstream(&all, &length);
	if (!out)
		memory_lost();
	value_write(out, node);
	if (fclose(out) != 0)
		memory_lost();
	if (length < 128)
		memcpy(text, all, length + 1);
	else
		snprintf(text, 128, "%.120s...", all);
	free(all);
}

static void note(const scene_node *a, const scene_node *b, const char *path, scene_differences *found)
{
	if (found->count == DIFFERENCES_MOST) {
		found->left_out++;
		return;
	}
	scene_difference *d = &found->at[found->count++];
	snprintf(d->path, sizeof d->path, "%s", path);
	value_text(a, d->value[A]);
	value_text(b, d->value[B]);
}

// 0.5 and 5.0e-1 are one number.
static bool same_scalar(const scene_node *a, const scene_node *b)
{
	double x, y;
	if (a->plain && b->plain && text_to_double(a->text, &x) && text_to_double(b->text, &y))
		return x == y;
	return scene_node_same(a, b);
}

static void path_join(char joined[256], const char *path, const char *name)
{
	snprintf(joined, 256, "%.*s%s%.*s", 180, path, *path ? "." : "", 60, name);
}

static void compare_maps(const scene_node *a, const scene_node *b, const char *path, scene_differences *found)
{
	char inside[256];
	for (int i = 0; i < a->count; i++) {
		const char *key = a->entry[i].key->text;
		path_join(inside, path, key);
		compare_nodes(a->entry[i].value, scene_node_find(b, key), inside, found);
	}
	for (int i = 0; i < b->count; i++) {
		const char *key = b->entry[i].key->text;
		path_join(inside, path, key);
		if (!scene_entry_find(a, key))
			compare_nodes(NULL, b->entry[i].value, inside, found);
	}
}

static void compare_lists(const scene_node *a, const scene_node *b, const char *path, scene_differences *found)
{
	int most = a->count > b->count ? a->count : b->count;
	for (int i = 0; i < most; i++) {
		char inside[256], number[16];
		snprintf(number, sizeof number, "%d", i);
		path_join(inside, path, number);
		compare_nodes(i < a->count ? a->entry[i].value : NULL, i < b->count ? b->entry[i].value : NULL, inside, found);
	}
}

// Vectors and the like are told as a whole.
static bool is_plain_list(const scene_node *node)
{
	bool plain = node->kind == SCENE_LIST;
	for (int i = 0; plain && i < node->count; i++)
		plain = node->entry[i].value->kind == SCENE_SCALAR;
	return plain;
}

static bool same_list(const scene_node *a, const scene_node *b)
{
	bool same = a->count == b->count;
	for (int i = 0; same && i < a->count; i++)
		same = same_scalar(a->entry[i].value, b->entry[i].value);
	return same;
}

// What only one scene has is told by the whole of its path, as far as there is one way to go.
static void note_one(const scene_node *a, const scene_node *b, const char *path, scene_differences *found)
{
	const scene_node *only = a ? a : b;
	char inside[256];
	if (only->kind != SCENE_MAP || only->count != 1) {
		note(a, b, path, found);
		return;
	}
	path_join(inside, path, only->entry[0].key->text);
	note_one(a ? only->entry[0].value : NULL, a ? NULL : only->entry[0].value, inside, found);
}

// NULL: not in this scene.
static void compare_nodes(const scene_node *a, const scene_node *b, const char *path, scene_differences *found)
{
	if (!a || !b)
		note_one(a, b, path, found);
	else if (a->kind != b->kind)
		note(a, b, path, found);
	else if (a->kind == SCENE_MAP)
		compare_maps(a, b, path, found);
	else if (a->kind == SCENE_LIST && !(is_plain_list(a) && is_plain_list(b)))
		compare_lists(a, b, path, found);
	else if (a->kind == SCENE_LIST ? !same_list(a, b) : !same_scalar(a, b))
		note(a, b, path, found);
}

bool differences_find(const compared_run run[RUNS], scene_differences *found, talus_error *error)
{
	scene_tree tree[RUNS] = {0};
	bool ok = true;
	*found = (scene_differences){.at = memory_grow(NULL, 0, DIFFERENCES_MOST*sizeof *found->at)};
	for (int r = A; r < RUNS; r++)
		ok = ok && scene_tree_parse(&tree[r], run[r].scene->text, strlen(run[r].scene->text), run[r].scene->file, error);
	if (ok)
		compare_nodes(tree[A].root, tree[B].root, "", found);
	for (int r = A; r < RUNS; r++)
		scene_tree_free(&tree[r]);
	return ok;
}
