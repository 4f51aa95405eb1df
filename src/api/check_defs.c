// SPDX-License-Identifier: MIT
// Materials, laws, grains and walls as a scene would say them.
#include "api/check.h"

#include "api/say.h"
#include "base/error.h"
#include "base/vec.h"

#include <string.h>

static const char *const directions[] = {"x", "y", "z", "spin", NULL}; // the bits of TALUS_FREE_*

// A name may fill its array without an end.
static scene_node *say_name(scene_tree *tree, const char name[TALUS_NAME_MAX])
{
	char text[TALUS_NAME_MAX + 1] = "";
	memcpy(text, name, strnlen(name, TALUS_NAME_MAX));
	return say_text(tree, text);
}

static bool check_number(int material, const char *key, talus_error *error)
{
	if (material >= 0)
		return true;
	error_set(error, "`%s` must be the number of a material, but is %d", key, material);
	return error_path(error, "%s", key);
}

bool talus_material_check(const talus_material *material, talus_error *error)
{
	check_room room;
	if (!check_there(material, "a material", error))
		return false;
	check_open(&room);
	scene_tree *tree = &room.tree;
	scene_node *map = say_map(tree), *of = say_map(tree);
	say_fields(tree, of, scene_material_fields, material, 3, NULL);
	scene_tree_append(tree, map, say_name(tree, material->name), of);
	return check_close(&room, check_section("materials", map, of, NULL, error));
}

// ---------------------------------------------------------------- laws

// A number where a scene would have a number; beside a length a mapping has no place for it.
static void say_torque(scene_tree *tree, scene_node *map, const char *key, double number, double length)
{
	if (length == 0) {
		say_key(tree, map, key, say_number(tree, number));
		return;
	}
	scene_node *of = say_map(tree);
	say_key(tree, of, "length", say_number(tree, length));
	say_key(tree, map, key, of);
}

// Every mapping that has not been said yet, with all of its numbers.
static void say_mappings(scene_tree *tree, scene_node *map, const talus_field *table, const void *of)
{
	for (const talus_field *field = table; field->name; field++) {
		if (!field->table || scene_node_find(map, field->name))
			continue;
		scene_node *inner = say_map(tree);
		say_fields(tree, inner, field->table, of, 3, NULL);
		say_key(tree, map, field->name, inner);
	}
}

static scene_node *say_pair(scene_tree *tree, const talus_pair *pair)
{
	scene_node *map = say_map(tree), *between = say_list(tree), *friction = say_map(tree);
	say_item(tree, between, say_text(tree, "a"));
	say_item(tree, between, say_text(tree, pair->a == pair->b ? "a" : "b"));
	say_key(tree, map, "between", between);
	bool same = pair->static_friction < pair->friction && pair->static_friction >= 0; // left out: the same
	say_key(tree, friction, "static", say_number(tree, same ? pair->friction : pair->static_friction));
	say_key(tree, friction, "dynamic", say_number(tree, pair->friction));
	say_key(tree, map, "friction", friction);
	say_torque(tree, map, "rolling", pair->rolling, pair->rolling_length);
	say_torque(tree, map, "torsion", pair->torsion, pair->torsion_length);
	say_mappings(tree, map, scene_contact_fields, pair);
	say_fields(tree, map, scene_contact_fields, pair, 3, NULL);
	return map;
}

// In 2D torsion does nothing, so it does no harm.
bool talus_pair_check(const talus_pair *pair, talus_error *error)
{
	if (!check_there(pair, "a law", error) || !check_number(pair->a, "a", error) || !check_number(pair->b, "b", error))
		return false;
	// of a number and a length each is judged
	talus_pair numbers = *pair;
	numbers.rolling_length = numbers.torsion_length = 0;
	const talus_pair *each[2] = {pair, &numbers};
	check_room room;
	bool good = true;
	check_open(&room);
	for (int i = 0; i < 2 && good; i++) {
		scene_node *list = say_list(&room.tree), *map = say_pair(&room.tree, each[i]);
		say_item(&room.tree, list, map);
		good = check_section("contacts", list, map, NULL, error);
	}
	return check_close(&room, good);
}

// ---------------------------------------------------------------- grains

bool talus_grain_def_check(const talus_grain_def *def, const talus_world_def *in, talus_error *error)
{
	check_room room;
	int dimension = check_dimension(in);
	if (!check_there(def, "a grain", error) || !check_number(def->material, "material", error))
		return false;
	check_open(&room);
	scene_tree *tree = &room.tree;
	scene_node *list = say_list(tree), *entry = say_map(tree), *map = say_map(tree);
	bool flat = dimension == 2 && def->spin.x == 0 && def->spin.y == 0;
	say_key(tree, map, "spin", flat ? say_number(tree, def->spin.z) : say_vector(tree, def->spin, 3));
	say_key(tree, map, "free", say_set(tree, dimension == 2 ? def->free & ~(unsigned)TALUS_FREE_Z : def->free, directions));
	say_key(tree, map, "fixed", say_text(tree, "false"));
	say_fields(tree, map, check_field(scene_grains_fields, "grain")->table, def, dimension, NULL);
	say_key(tree, entry, "grain", map);
	say_item(tree, list, entry);
	return check_close(&room, check_section("grains", list, map, in, error));
}

// ---------------------------------------------------------------- walls

static bool same(vec3 a, vec3 b)
{
	return a.x == b.x && a.y == b.y && a.z == b.z;
}

// The kinds of talus_wall_kind are in the order of the table.
static const talus_field *shape_of(talus_wall_kind kind)
{
	int number = 0;
	for (const talus_field *field = scene_wall_fields; field->name; field++)
		if (field->alternative && number++ == (int)kind)
			return field;
	return NULL;
}

static void say_shape(scene_tree *tree, scene_node *map, const talus_field *kind, const talus_wall_def *def, int dimension)
{
	scene_node *shape = say_map(tree);
	say_fields(tree, shape, kind->table, def, dimension, NULL);
	say_key(tree, map, kind->name, shape);
}

// What is 0 is as good as not said: a wall that is moved says how, a piston what moves it.
static void say_motion(scene_tree *tree, scene_node *map, const talus_wall_def *def, int dimension)
{
	static const vec3 zero;
	if (!same(def->velocity, zero))
		say_key(tree, map, "velocity", say_vector(tree, def->velocity, dimension));
	if (def->spin != 0)
		say_key(tree, map, "spin", say_number(tree, def->spin));
	if (def->oscillate_amplitude != 0) {
		scene_node *swing = say_map(tree);
		say_fields(tree, swing, check_field(scene_wall_fields, "oscillate")->table, def, dimension, NULL);
		say_key(tree, map, "oscillate", swing);
	}
	if (def->mass != 0)
		say_key(tree, map, "mass", say_number(tree, def->mass));
	else // the rest is about pistons, and does not count
		return;
	unsigned nothing = TALUS_FREE_SPIN | (dimension == 2 ? TALUS_FREE_Z : 0u);
	say_key(tree, map, "force", say_place(tree, def->force, dimension));
	if (def->free & ~nothing)
		say_key(tree, map, "free", say_set(tree, def->free & ~nothing, (const char *const[]){"x", "y", "z", NULL}));
}

bool talus_wall_def_check(const talus_wall_def *def, const talus_world_def *in, talus_error *error)
{
	check_room room;
	int dimension = check_dimension(in);
	if (!check_there(def, "a wall", error) || !check_number(def->material, "material", error))
		return false;
	const talus_field *kind = shape_of(def->kind);
	if (!kind)
		return error_set(error, "`kind` of a wall is none of talus_wall_kind: %d", (int)def->kind);
	check_open(&room);
	scene_tree *tree = &room.tree;
	scene_node *walls = say_map(tree), *map = say_map(tree), *name = say_name(tree, def->name);
	say_shape(tree, map, kind, def, dimension);
	say_motion(tree, map, def, dimension);
	scene_tree_append(tree, walls, *name->text ? name : say_text(tree, "wall"), map); // it may go without
	return check_close(&room, check_section("walls", walls, map, in, error));
}
