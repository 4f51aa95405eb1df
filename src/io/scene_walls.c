// SPDX-License-Identifier: MIT
// Scene keys: walls, their shapes and their motion.
#include "io/scene_tables.h"
#include "io/scene_value.h"

#include "base/memory.h"
#include "base/vec.h"

#include <stdlib.h>
#include <string.h>

static SCENE_READER(read_plane);
static SCENE_READER(read_cylinder);
static SCENE_READER(read_cylinder_axis);
static SCENE_READER(read_cone);
static SCENE_READER(read_segment);
static SCENE_READER(read_hole);
static SCENE_READER(read_oscillate);
static SCENE_READER(read_free);
static SCENE_READER(read_weight);

// ---------------------------------------------------------------- tables

static const char *const sides[] = {"outside", "inside", NULL};

static const talus_field hole_fields[] = {
	{.name = "at", .meaning = "its centre; moved into the plane if it lies beside it", .unit = "L",
		.type = TALUS_FIELD_VECTOR, AT(talus_wall_def, hole_at), .required = true},
	{.name = "radius", .meaning = "its radius; in 2D half the width of the slit", .unit = "L",
		.type = TALUS_FIELD_REAL, AT(talus_wall_def, hole_radius), .required = true, POSITIVE},
	END,
};

static const talus_field plane_fields[] = {
	{.name = "point", .meaning = "a point of it", .unit = "L", .type = TALUS_FIELD_VECTOR,
		AT(talus_wall_def, point), .required = true},
	{.name = "normal",
		.meaning = "direction towards the grains, of any length; no part of it along a periodic direction", .unit = "",
		.type = TALUS_FIELD_VECTOR, AT(talus_wall_def, axis), .required = true},
	{.name = "hole",
		.meaning = "a round hole: the plane becomes a thin plate that is touched from both sides",
		.type = TALUS_FIELD_CUSTOM, .form = "mapping", .fallback = "none", .table = hole_fields,
		.read = read_hole},
	END,
};

static const talus_field cylinder_fields[] = {
	{.name = "point", .meaning = "a point of its axis", .unit = "L", .type = TALUS_FIELD_VECTOR,
		AT(talus_wall_def, point), .required = true},
	{.name = "axis",
		.meaning = "direction of its axis, of any length; along a periodic direction or across it; in 2D along z", .unit = "",
		.type = TALUS_FIELD_CUSTOM, AT(talus_wall_def, axis), .form = "vector",
		.fallback = "in 2D [0, 0, 1]", .read = read_cylinder_axis},
	{.name = "radius", .meaning = "its radius", .unit = "L", .type = TALUS_FIELD_REAL,
		AT(talus_wall_def, radius), .required = true, POSITIVE},
	{.name = "side", .meaning = "where the grains are", .type = TALUS_FIELD_CHOICE,
		AT(talus_wall_def, inside), .fallback = "inside", .names = sides},
	END,
};

static const talus_field cone_fields[] = {
	{.name = "tip", .meaning = "its tip", .unit = "L", .type = TALUS_FIELD_VECTOR,
		AT(talus_wall_def, point), .required = true},
	{.name = "axis", .meaning = "direction from the tip to the wide end, of any length", .unit = "",
		.type = TALUS_FIELD_VECTOR, AT(talus_wall_def, axis), .required = true},
	{.name = "angle", .meaning = "between axis and surface", .unit = "degrees", .type = TALUS_FIELD_REAL,
		AT(talus_wall_def, angle), .required = true, .least = 0, .most = 90, .above = true,
		.below = true},
	{.name = "side", .meaning = "where the grains are meant to be; a thin shell, it holds them on either side",
		.type = TALUS_FIELD_CHOICE,
		AT(talus_wall_def, inside), .fallback = "inside", .names = sides},
	{.name = "from", .meaning = "distance from the tip along the axis at which it begins", .unit = "L",
		.type = TALUS_FIELD_REAL, AT(talus_wall_def, from), .fallback = "0", NOT_NEGATIVE},
	{.name = "to", .meaning = "distance from the tip along the axis at which it ends", .unit = "L",
		.type = TALUS_FIELD_REAL, AT(talus_wall_def, last), .required = true, NOT_NEGATIVE},
	END,
};

static const talus_field segment_fields[] = {
	{.name = "from", .meaning = "one end", .unit = "L", .type = TALUS_FIELD_VECTOR,
		AT(talus_wall_def, point), .required = true},
	{.name = "to", .meaning = "the other end", .unit = "L", .type = TALUS_FIELD_VECTOR,
		AT(talus_wall_def, to), .required = true},
	END,
};

static const talus_field oscillate_fields[] = {
	{.name = "direction", .meaning = "direction of the motion, of any length", .unit = "",
		.type = TALUS_FIELD_VECTOR, AT(talus_wall_def, oscillate_direction), .required = true},
	{.name = "amplitude", .meaning = "largest displacement", .unit = "L", .type = TALUS_FIELD_REAL,
		AT(talus_wall_def, oscillate_amplitude), .required = true, NOT_NEGATIVE},
	{.name = "frequency", .meaning = "turns per unit of time", .unit = "1/T", .type = TALUS_FIELD_REAL,
		AT(talus_wall_def, oscillate_frequency), .required = true, POSITIVE},
	{.name = "phase", .meaning = "share of a turn at which it starts", .unit = "turns",
		.type = TALUS_FIELD_REAL, AT(talus_wall_def, oscillate_phase), .fallback = "0"},
	END,
};

const talus_field scene_wall_fields[] = {
	{.name = "plane", .meaning = "a half space, or with a hole a thin plate", .type = TALUS_FIELD_CUSTOM,
		.form = "mapping", .alternative = true, .table = plane_fields, .read = read_plane},
	{.name = "cylinder", .meaning = "an endless cylinder; in 2D a circle", .type = TALUS_FIELD_CUSTOM,
		.form = "mapping", .alternative = true, .table = cylinder_fields, .read = read_cylinder},
	{.name = "cone", .meaning = "a thin cone (3D only)", .type = TALUS_FIELD_CUSTOM, .form = "mapping",
		.alternative = true, .table = cone_fields, .read = read_cone},
	{.name = "segment", .meaning = "a thin straight wall with round ends (2D only)",
		.type = TALUS_FIELD_CUSTOM, .form = "mapping", .alternative = true, .table = segment_fields,
		.read = read_segment},
	MATERIAL(talus_wall_def),
	{.name = "velocity", .meaning = "prescribed velocity", .unit = "L/T", .type = TALUS_FIELD_VECTOR,
		AT(talus_wall_def, velocity), .fallback = "[0, 0, 0]"},
	{.name = "spin",
		.meaning = "prescribed spin about its axis (plane: normal, not in a periodic cell; segment: z through its middle)",
		.unit = "1/T", .type = TALUS_FIELD_REAL, AT(talus_wall_def, spin), .fallback = "0"},
	{.name = "oscillate", .meaning = "prescribed swing about where it would be",
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

// A plane that cuts a periodic direction would have to be there again in every image.
static bool check_periodic(talus_reader *reader, const scene_node *normal, vec3 axis)
{
	for (int k = 0; k < 3; k++) {
		if (reader->scene->world.cell.periodic[k] && component(axis, k) != 0)
			return scene_fail(reader, normal,
				"`normal` must have no part along %c, which is periodic", "xyz"[k]);
	}
	return true;
}

static SCENE_READER(read_plane)
{
	talus_wall_def *wall = target;
	wall->kind = TALUS_WALL_PLANE;
	return scene_read_table(reader, node, field->name, field->table, wall) &&
		scene_read_nonzero(reader, node, "normal", wall->axis) &&
		check_periodic(reader, scene_node_find(node, "normal"), wall->axis);
}

static SCENE_READER(read_hole)
{
	talus_wall_def *wall = target;
	wall->has_hole = node;
	return !node || scene_read_table(reader, node, field->name, field->table, wall);
}

// An endless cylinder that is oblique to a periodic direction does not meet its images.
static bool check_axis(talus_reader *reader, const scene_node *cylinder, vec3 axis)
{
	bool oblique = (axis.x != 0) + (axis.y != 0) + (axis.z != 0) > 1;
	for (int k = 0; k < 3; k++) {
		if (reader->scene->world.cell.periodic[k] && component(axis, k) != 0 && oblique)
			return scene_fail(reader, scene_node_find(cylinder, "axis"),
				"`axis` must be along %c, which is periodic, or have no part along it", "xyz"[k]);
	}
	return true;
}

static SCENE_READER(read_cylinder)
{
	talus_wall_def *wall = target;
	wall->kind = TALUS_WALL_CYLINDER;
	return scene_read_table(reader, node, field->name, field->table, wall) && check_axis(reader, node, wall->axis);
}

// In 2D this is the one vector that stands on the plane of the grains.
static SCENE_READER(read_cylinder_axis)
{
	vec3 *axis = target;
	int dimension = reader->scene->world.dimension;
	*axis = vec(0, 0, 1);
	if (!node && dimension == 2)
		return true;
	if (!node)
		return scene_fail(reader, reader->within, "`axis` is missing in `%s`", reader->name);
	reader->scene->world.dimension = 3;
	bool ok = scene_read_vector(reader, node, field->name, field, axis) &&
		scene_read_nonzero(reader, reader->within, "axis", *axis);
	reader->scene->world.dimension = dimension;
	if (ok && dimension == 2 && (axis->x != 0 || axis->y != 0))
		return scene_fail(reader, node, "`axis` of a `cylinder` must be along z in 2D");
	return ok;
}

static SCENE_READER(read_cone)
{
	talus_wall_def *wall = target;
	wall->kind = TALUS_WALL_CONE;
	if (reader->scene->world.dimension == 2)
		return scene_fail(reader, node,
			"a `cone` needs three dimensions; in 2D use two walls of the shape `segment`");
	if (!scene_read_table(reader, node, field->name, field->table, wall) ||
		!scene_read_nonzero(reader, node, "axis", wall->axis))
		return false;
	if (wall->last <= wall->from)
		return scene_fail(reader, scene_node_find(node, "to"),
			"`to` must be greater than `from` = %.15g, but is %.15g", wall->from, wall->last);
	return true;
}

static SCENE_READER(read_segment)
{
	talus_wall_def *wall = target;
	wall->kind = TALUS_WALL_SEGMENT;
	if (reader->scene->world.dimension == 3)
		return scene_fail(reader, node,
			"a `segment` is for 2D only; in 3D use a `plane`, a `cylinder` or a `cone`");
	if (!scene_read_table(reader, node, field->name, field->table, wall))
		return false;
	if (norm(sub(wall->to, wall->point)) == 0)
		return scene_fail(reader, scene_node_find(node, "to"),
			"`from` and `to` of `segment` must not be the same point");
	return true;
}

// ---------------------------------------------------------------- motion

static SCENE_READER(read_oscillate)
{
	talus_wall_def *wall = target;
	return !node || (scene_read_table(reader, node, field->name, field->table, wall) &&
		scene_read_nonzero(reader, node, "direction", wall->oscillate_direction));
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
	if (reader->scene->world.dimension == 2 && wall->kind == TALUS_WALL_PLANE && wall->spin != 0)
		return scene_fail(reader, scene_node_find(node, "spin"),
			"a `plane` cannot spin about its normal in 2D; use a `segment`");
	const bool *periodic = reader->scene->world.cell.periodic;
	if (wall->kind == TALUS_WALL_PLANE && wall->spin != 0 && (periodic[0] || periodic[1] || periodic[2]))
		return scene_fail(reader, scene_node_find(node, "spin"),
			"a `plane` cannot spin in a periodic cell: its velocity would not be the same beyond an edge");
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
			!check_motion(reader, value, &wall->def))
			return false;
	}
	return true;
}
