// SPDX-License-Identifier: MIT
// Changes to a scene from the command line: --set PATH=VALUE.
#ifndef TALUS_IO_SCENE_SET_H
#define TALUS_IO_SCENE_SET_H

#include "io/scene_tree.h"

#define SCENE_PATH_DEPTH 16

typedef struct scene_path {
	char *name[SCENE_PATH_DEPTH];
	int depth;
	const char *value; // what stands after the equals sign
	char buffer[1024];
} scene_path;

// False if it is not PATH=VALUE.
bool scene_path_read(scene_path *path, const char *text);
scene_entry *scene_path_step(const scene_node *node,
	const char *name); // key of a mapping, number in a list; NULL if none

// Changes one value of the tree.
bool scene_set(scene_tree *tree, const char *override, talus_error *error);

// The text of the scene as run. The user's own text and comments stay as they are around the changed values.
char *scene_set_text(
	const scene_tree *tree, const char *text, size_t length, const char *const *overrides,
	int override_count);

// scene_portable.c: the same text, in a form that YAML 1.1 and 1.2 read alike. Takes `text` and gives what is to be freed.
char *scene_portable(char *text);

// scene_emit.c: a tree as text; the caller frees it.
char *scene_emit_block(const scene_node *node); // a whole scene
char *scene_emit_flow(const scene_node *node);  // on one line, to stand anywhere

#endif
