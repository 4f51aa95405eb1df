// SPDX-License-Identifier: MIT
// Values of structs as a scene would say them: nodes of a tree, so that the readers of scenes judge them.
#ifndef TALUS_API_SAY_H
#define TALUS_API_SAY_H

#include "io/scene_tree.h"
#include <talus/extend.h>

scene_node *say_map(scene_tree *tree);
scene_node *say_list(scene_tree *tree);
scene_node *say_text(scene_tree *tree, const char *text);
scene_node *say_number(scene_tree *tree, double value); // in as many digits as it takes
scene_node *say_vector(scene_tree *tree, talus_vec3 value, int dimension); // in 2D with a third component only where it is not 0
scene_node *say_place(scene_tree *tree, talus_vec3 value, int dimension);  // in 2D without a third component
scene_node *say_set(scene_tree *tree, unsigned set, const char *const *names); // bit i is name i
scene_node *say_choice(scene_tree *tree, int value, const char *const *names); // a number that is none of them as that number
void say_item(scene_tree *tree, scene_node *list, scene_node *value);
void say_key(scene_tree *tree, scene_node *map, const char *key, scene_node *value);

// All fields of a struct that a type alone describes, by their table, but for those that are there already, and for `but` (may be
// NULL). What has a reader of its own has to be said by itself.
void say_fields(scene_tree *tree, scene_node *map, const talus_field *table, const void *of, int dimension, const char *but);

#endif
