// SPDX-License-Identifier: MIT
// Scene keys: walls, their shapes and their motion.
#include "io/scene_tables.h"
#include "io/scene_value.h"

#include "base/memory.h"
#include "state/wall/shapes.h"

#include <stdlib.h>
#include <string.h>

static SCENE_READER(read_shape);
static SCENE_READER(read_oscillate);
static SCENE_READER(read_free);
static SCENE_READER(read_weight);

// ---------------------------------------------------------------- tables

static const talus_field oscillate_fields[] = {
	{.name = "direction", .meaning = "direction of the motion, of any length", .unit = "",
		.type = TALUS_FIELD_DIRECTION, AT(talus_wall_def, oscillate_direction), .required = true},
	{.name = "amplitude", .meaning = "largest displacement", .unit = "L", .type = TALUS_FIELD_REAL,
		AT(talus_wall_def, oscillate_amplitude), .required = true, NOT_NEGATIVE},
	{.name = "frequency", .meaning = "cycles per unit of time", .unit = "1/T", .type = TALUS_FIELD_REAL,
		AT(talus_wall_def, oscillate_frequency), .required = true, POSITIVE},
	{.name = "phase", .meaning = "phase at the start, as a fraction of a turn", .unit = "turns",
		.type = TALUS_FIELD_REAL, AT(talus_wall_def, oscillate_phase), .fallback = "0"},
	END,
};

#define SHAPE(kind, key, text) \
	{.name = #key, .meaning = text, .type = TALUS_FIELD_CUSTOM, .form = "mapping", .alternative = true, \
		.table = wall_##key##_fields, .read = read_shape},

const talus_field scene_wall_fields[] = {
	WALL_SHAPES(SHAPE)
	MATERIAL(talus_wall_def),
	{.name = "velocity", .meaning = "prescribed velocity", .unit = "L/T", .type = TALUS_FIELD_VECTOR,
		AT(talus_wall_def, velocity), .fallback = "[0, 0, 0]"},
	{.name = "spin",
		.meaning = "prescribed spin about its axis (plane: normal, not in a periodic cell; segment: z through its middle)",
		.unit = "1/T", .type = TALUS_FIELD_REAL, AT(talus_wall_def, spin), .fallback = "0"},
	{.name = "oscillate", .meaning = "prescribed oscillation about the position it would have",
		.type = TALUS_FIELD_CUSTOM, .form = "mapping", .fallback = "none", .table = oscillate_fields,
		.read = read_oscillate},
	{.name = "mass", .meaning = "makes it a piston, moved by forces; goes with `free`", .unit = "M",
		.type = TALUS_FIELD_REAL, AT(talus_wall_def, mass), POSITIVE},
	{.name = "force", .meaning = "constant force on a piston", .unit = "M L/T^2",
		.type = TALUS_FIELD_VECTOR, AT(talus_wall_def, force), .fallback = "[0, 0, 0]"},
	{.name = "free", .meaning = "directions in which a piston can move", .type = TALUS_FIELD_CUSTOM,
		AT(talus_wall_def, free), .form = "list of x, y, z", .fallback = "none", .read = read_free},
	{.name = "weight", .meaning = "whether gravity acts on a piston", .type = TALUS_FIELD_CUSTOM,
		AT(talus_wall_def, weightless), .form = "true or false", .fallback = "true",
		.read = read_weight},
	END,
};

// ---------------------------------------------------------------- shapes

static int kind_named(const char *key)
{
	int kind = 0;
	while (strcmp(wall_shape_name(kind), key))
		kind++;
	return kind;
}

// One of the other dimension is refused before its keys are looked at: what they say may be meant for that one.
static SCENE_READER(read_shape)
{
	talus_wall_def *wall = target;
	wall->kind = (talus_wall_kind)kind_named(field->name);
	wall_fault fault;
	if (!wall_check_dimension(wall->kind, reader->scene->world.dimension, &fault))
		return scene_fail(reader, node, "%s", fault.text);
	return scene_read_table(reader, node, field->name, field->table, wall);
}

// What a sentence is about: a key of the shape or of the wall, or the shape.
static const scene_node *node_about(const scene_node *wall, const scene_node *shape, const char *key)
{
	const scene_node *found = key ? scene_node_find(shape, key) : NULL;
	if (!found && key)
		found = scene_node_find(wall, key);
	return found ? found : shape;
}

static bool check_shape(talus_reader *reader, const scene_node *node, const talus_wall_def *wall)
{
	wall_fault fault;
	if (wall_check(wall, reader->scene->world.dimension, reader->scene->world.cell.periodic, &fault))
		return true;
	const scene_node *shape = scene_node_find(node, wall_shape_name((int)wall->kind));
	return scene_fail(reader, node_about(node, shape, fault.key), "%s", fault.text);
}

// ---------------------------------------------------------------- motion

static SCENE_READER(read_oscillate)
{
	talus_wall_def *wall = target;
	return !node || scene_read_table(reader, node, field->name, field->table, wall);
}

static SCENE_READER(read_free)
{
	unsigned *set = target;
	*set = 0;
	if (!node)
		return true;
	if (!scene_read_set(reader, node, field->name, (const char *const[]){"x", "y", "z", NULL}, set))
		return false;
	return *set ? true : scene_fail(reader, node, "`%s` of a piston must name at least one direction",
		field->name);
}

static SCENE_READER(read_weight)
{
	bool *weightless = target, weight = true;
	const talus_field plain = {.name = field->name, .type = TALUS_FIELD_BOOL};
	if (node && !scene_value_read(reader, node, &plain, &weight))
		return false;
	*weightless = !weight;
	return true;
}

// A wall either follows what is prescribed, or has a mass and follows forces.
static bool check_motion(talus_reader *reader, const scene_node *node, const talus_wall_def *wall)
{
	static const char *const prescribed[] = {"velocity", "spin", "oscillate", NULL};
	static const char *const piston[] = {"force", "free", "weight", NULL};
	const scene_node *mass = scene_node_find(node, "mass");
	for (const char *const *name = mass ? prescribed : piston; *name; name++) {
		const scene_entry *entry = scene_entry_find(node, *name);
		if (entry && mass)
			return scene_fail(reader, entry->key,
				"`%s` cannot stand beside `mass`: a piston is moved by forces", *name);
		if (entry)
			return scene_fail(reader, entry->key,
				"`%s` needs `mass` beside it: only a piston is moved by forces", *name);
	}
	if (mass && !wall->free)
		return scene_fail(reader, node,
			"`free` is missing in `%s`: a piston with `mass` must say where it can move",
			wall->name);
	return true;
}

SCENE_READER(scene_read_walls)
{
	(void)target;
	scene *s = reader->scene;
	if (!node)
		return true;
	if (!scene_check_names(reader, node))
		return false;
	s->wall = calloc((size_t)node->count + 1, sizeof *s->wall);
	if (!s->wall)
		memory_lost();
	for (int i = 0; i < node->count; i++) {
		scene_wall *wall = &s->wall[s->walls++];
		const scene_node *key = node->entry[i].key, *value = node->entry[i].value;
		wall->line = key->line;
		wall->column = key->column;
		if (!scene_read_name(reader, key, wall->def.name) ||
			!scene_read_table(reader, value, wall->def.name, field->table, &wall->def) ||
			!check_motion(reader, value, &wall->def) || !check_shape(reader, value, &wall->def))
			return false;
	}
	return true;
}
