// SPDX-License-Identifier: MIT
// The text of a scene as a tree of scalars, lists and mappings that remember where they stand.
#ifndef TALUS_IO_SCENE_TREE_H
#define TALUS_IO_SCENE_TREE_H

#include <talus/talus.h>

typedef enum scene_kind { SCENE_SCALAR, SCENE_LIST, SCENE_MAP } scene_kind;

struct scene_entry;

typedef struct scene_node {
	scene_kind kind;
	bool plain; // scalar: written without quotes
	bool flow;  // list, mapping: written in brackets
	const char *text;   // scalar
	const char *source; // the file, or the --set option
	int line, column;   // from 1; 0 in what comes from --set
	size_t start, end;  // bytes from .. to in the text
	int count, capacity;
	struct scene_entry *entry; // list, mapping
} scene_node;

typedef struct scene_entry {
	scene_node *key; // NULL in a list
	scene_node *value;
	size_t start, end; // of the value here: an alias stands elsewhere than what it names
} scene_entry;

typedef struct scene_tree {
	scene_node *root;
	void *blocks; // the memory of all nodes
} scene_tree;

// False and a sentence if the text is not one document of YAML. `source` is what messages call it.
bool scene_tree_parse(
	scene_tree *tree, const char *text, size_t length, const char *source, talus_error *error);
void scene_tree_free(scene_tree *tree);

void *scene_tree_take(scene_tree *tree, size_t size); // zeroed memory that lives as long as the tree
char *scene_tree_copy(scene_tree *tree, const char *text, size_t length);
scene_entry *scene_tree_append(scene_tree *tree, scene_node *parent, scene_node *key, scene_node *value);

scene_entry *scene_entry_find(const scene_node *map, const char *key); // NULL if there is none
scene_node *scene_node_find(const scene_node *map, const char *key);   // its value
bool scene_node_null(const scene_node *node);                          // nothing, or the word null
bool scene_node_same(const scene_node *a, const scene_node *b);        // same content, keys in any order
bool scene_text_bare(const char *text); // needs no quotes wherever it stands

#endif
