// SPDX-License-Identifier: MIT
// Is what comes from outside what a scene could say? The readers of scenes judge it, by their tables.
#ifndef TALUS_API_CHECK_H
#define TALUS_API_CHECK_H

#include "io/scene_tables.h"

#include <locale.h>

// Room for nodes, and numbers with a point whatever the language of the program around us.
typedef struct check_room {
	scene_tree tree;
	locale_t plain, old;
} check_room;

void check_open(check_room *room);
bool check_close(check_room *room, bool good); // returns what it is given

const talus_field *check_field(const talus_field *table, const char *name);

// Judges one section of a scene (materials, contacts, grains, walls), said as `node`. `root`: from where keys are counted.
bool check_section(const char *key, const scene_node *node, const scene_node *root, const talus_world_def *in, talus_error *error);
bool check_table(const talus_field *table, const scene_node *root, talus_error *error); // of a scene
// Single values, by the field of a table.
bool check_vector(const talus_field *field, talus_vec3 value, int dimension, talus_error *error);
bool check_real(const talus_field *field, double value, talus_error *error);

// check_defs.c, check_world.c: what a user gives must be there, and in range
bool check_there(const void *def, const char *what, talus_error *error);
int check_dimension(const talus_world_def *in); // a def that is there and wrong counts as 3D

// check_place.c: as a part of this world
bool check_grain_fits(const talus_world *world, const talus_grain_def *def, talus_error *error);
bool check_wall_fits(const talus_world *world, const talus_wall_def *def, talus_error *error);
bool check_material_number(const talus_world *world, int material, const char *key, talus_error *error);
bool check_ids_left(const talus_world *world, double more, talus_error *error);

#endif
