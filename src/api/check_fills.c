// SPDX-License-Identifier: MIT
// Many grains at once as a scene would say them: sizes, regions, fills, pours.
#include "api/check.h"

#include "api/say.h"
#include "base/error.h"

static scene_node *say_pair(scene_tree *tree, scene_node *a, scene_node *b)
{
	scene_node *list = say_list(tree);
	say_item(tree, list, a);
	say_item(tree, list, b);
	return list;
}

static scene_node *say_sieve(scene_tree *tree, const talus_sizes *sizes)
{
	scene_node *list = say_list(tree);
	for (int i = 0; i < sizes->points && i < TALUS_SIEVE_MAX; i++) // what is wrong with their number is said later
		say_item(tree, list, say_pair(tree, say_number(tree, sizes->opening[i]), say_number(tree, sizes->passing[i])));
	return list;
}

// NULL: of no kind.
static scene_node *say_sizes(scene_tree *tree, const talus_sizes *sizes)
{
	static const char *const names[] = {"constant", "uniform", "normal", "lognormal", "sieve"};
	scene_node *map = say_map(tree), *of = say_map(tree);
	switch (sizes->kind) {
	case TALUS_SIZE_CONSTANT: return say_number(tree, sizes->a);
	case TALUS_SIZE_UNIFORM: of = say_pair(tree, say_number(tree, sizes->a), say_number(tree, sizes->b)); break;
	case TALUS_SIZE_NORMAL:
	case TALUS_SIZE_LOGNORMAL:
		say_fields(tree, of, check_field(scene_sizes_fields, names[sizes->kind])->table, sizes, 3, NULL);
		break;
	case TALUS_SIZE_SIEVE: of = say_sieve(tree, sizes); break;
	default: return NULL;
	}
	say_key(tree, map, names[sizes->kind], of);
	return map;
}

static scene_node *say_region(scene_tree *tree, const talus_region *region, int dimension)
{
	static const char *const names[] = {"box", "sphere", "cylinder"};
	scene_node *map = say_map(tree), *of = say_map(tree);
	switch (region->kind) {
	case TALUS_REGION_BOX:
		of = say_pair(tree, say_place(tree, region->box.low, dimension), say_place(tree, region->box.high, dimension));
		break;
	case TALUS_REGION_SPHERE:
	case TALUS_REGION_CYLINDER:
		say_fields(tree, of, check_field(scene_region_fields, names[region->kind])->table, region, dimension, NULL);
		break;
	default: return NULL;
	}
	say_key(tree, map, names[region->kind], of);
	return map;
}

// An entry of `grains`; `map` has what is said already.
static bool check_entry(scene_tree *tree, scene_node *map, const char *key, const void *def, const talus_sizes *radius,
                        const talus_region *in, const talus_world_def *world, const char *but, talus_error *error)
{
	int dimension = check_dimension(world);
	scene_node *list = say_list(tree), *entry = say_map(tree), *sizes = say_sizes(tree, radius), *region = say_region(tree, in, dimension);
	if (!sizes)
		return error_set(error, "`kind` of the radii is none of talus_size_kind: %d", (int)radius->kind);
	if (radius->kind == TALUS_SIZE_SIEVE && (radius->points < 2 || radius->points > TALUS_SIEVE_MAX))
		return error_set(error, "`sieve` must have from 2 to %d points, but has %d", TALUS_SIEVE_MAX, radius->points);
	if (!region)
		return error_set(error, "`kind` of the region is none of talus_region_kind: %d", (int)in->kind);
	say_key(tree, map, "radius", sizes);
	say_key(tree, map, "in", region);
	say_fields(tree, map, check_field(scene_grains_fields, key)->table, def, dimension, but);
	say_key(tree, entry, key, map);
	say_item(tree, list, entry);
	return check_section("grains", list, map, world, error);
}

static bool check_number(int material, talus_error *error)
{
	if (material >= 0)
		return true;
	error_set(error, "`material` must be the number of a material, but is %d", material);
	return error_path(error, "material");
}

bool talus_fill_def_check(const talus_fill_def *def, const talus_world_def *in, talus_error *error)
{
	check_room room;
	if (!check_there(def, "a fill", error) || !check_number(def->material, error))
		return false;
	talus_fill_def said = *def;
	bool dense = def->arrangement == TALUS_ARRANGE_DENSE;
	check_open(&room);
	scene_node *map = say_map(&room.tree);
	if (dense && def->pressure == 0)
		said.pressure = 1;
	if (dense && !(def->friction < 0))
		say_key(&room.tree, map, "friction", say_number(&room.tree, def->friction));
	bool good = check_entry(&room.tree, map, "fill", &said, &def->radius, &def->in, in, dense ? NULL : "pressure", error);
	return check_close(&room, good);
}

bool talus_pour_def_check(const talus_pour_def *def, const talus_world_def *in, talus_error *error)
{
	check_room room;
	if (!check_there(def, "a pour", error) || !check_number(def->material, error))
		return false;
	check_open(&room);
	bool good = check_entry(&room.tree, say_map(&room.tree), "pour", def, &def->radius, &def->in, in, NULL, error);
	return check_close(&room, good);
}
