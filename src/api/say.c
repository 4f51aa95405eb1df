// SPDX-License-Identifier: MIT
#include "api/say.h"

#include "base/vec.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static scene_node *node_of(scene_tree *tree, scene_kind kind)
{
	scene_node *node = scene_tree_take(tree, sizeof *node);
	*node = (scene_node){.kind = kind, .plain = true, .source = ""};
	return node;
}

scene_node *say_map(scene_tree *tree)
{
	return node_of(tree, SCENE_MAP);
}

scene_node *say_list(scene_tree *tree)
{
	return node_of(tree, SCENE_LIST);
}

scene_node *say_text(scene_tree *tree, const char *text)
{
	scene_node *node = node_of(tree, SCENE_SCALAR);
	node->text = scene_tree_copy(tree, text, strlen(text));
	return node;
}

scene_node *say_number(scene_tree *tree, double value)
{
	char text[40];
	if (value == 0 && !signbit(value)) // most are
		return say_text(tree, "0");
	if (isnan(value))
		return say_text(tree, ".nan");
	if (isinf(value))
		return say_text(tree, value < 0 ? "-.inf" : ".inf");
	for (int digits = 15; digits <= 17; digits++) {
		snprintf(text, sizeof text, "%.*g", digits, value);
		if (strtod(text, NULL) == value)
			break;
	}
	return say_text(tree, text);
}

scene_node *say_vector(scene_tree *tree, talus_vec3 value, int dimension)
{
	scene_node *list = say_list(tree);
	for (int k = 0; k < 3; k++)
		if (k < dimension || value.z != 0)
			say_item(tree, list, say_number(tree, component(value, k)));
	return list;
}

scene_node *say_place(scene_tree *tree, talus_vec3 value, int dimension)
{
	if (dimension == 2)
		value.z = 0;
	return say_vector(tree, value, dimension);
}

scene_node *say_set(scene_tree *tree, unsigned set, const char *const *names)
{
	scene_node *list = say_list(tree);
	int i = 0;
	for (; names[i]; i++)
		if (set >> i & 1)
			say_item(tree, list, say_text(tree, names[i]));
	if (set >> i) // a bit that has no name
		say_item(tree, list, say_number(tree, set));
	return list;
}

scene_node *say_choice(scene_tree *tree, int value, const char *const *names)
{
	for (int i = 0; names[i]; i++)
		if (i == value)
			return say_text(tree, names[i]);
	return say_number(tree, value);
}

void say_item(scene_tree *tree, scene_node *list, scene_node *value)
{
	scene_tree_append(tree, list, NULL, value);
}

void say_key(scene_tree *tree, scene_node *map, const char *key, scene_node *value)
{
	scene_tree_append(tree, map, say_text(tree, key), value);
}

static scene_node *say_field(scene_tree *tree, const talus_field *field, const void *at, int dimension)
{
	double real;
	talus_vec3 vector;
	int number;
	switch (field->type) {
	case TALUS_FIELD_REAL:
		memcpy(&real, at, sizeof real);
		return say_number(tree, real);
	case TALUS_FIELD_VECTOR:
	case TALUS_FIELD_DIRECTION:
	case TALUS_FIELD_AXIS:
		memcpy(&vector, at, sizeof vector);
		return say_vector(tree, vector, field->type == TALUS_FIELD_AXIS ? 3 : dimension);
	case TALUS_FIELD_INTEGER:
		memcpy(&number, at, sizeof number);
		return say_number(tree, number);
	case TALUS_FIELD_CHOICE:
		number = *(const unsigned char *)at != 0;
		if (field->size != sizeof(bool))
			memcpy(&number, at, sizeof number);
		return say_choice(tree, number, field->names);
	case TALUS_FIELD_BOOL:
		return say_text(tree, *(const unsigned char *)at ? "true" : "false");
	default:
		return NULL;
	}
}

void say_fields(scene_tree *tree, scene_node *map, const talus_field *table, const void *of, int dimension, const char *but)
{
	for (const talus_field *field = table; field->name; field++) {
		bool skip = scene_node_find(map, field->name) || (but && !strcmp(but, field->name));
		scene_node *value = skip ? NULL : say_field(tree, field, (const char *)of + field->offset, dimension);
		if (field->type == TALUS_FIELD_OPTION && !skip && ((const unsigned char *)of)[field->offset]) {
			value = say_map(tree);
			say_fields(tree, value, field->table, of, dimension, NULL);
		}
		if (value)
			say_key(tree, map, field->name, value);
	}
}
