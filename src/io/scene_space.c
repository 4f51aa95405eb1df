// SPDX-License-Identifier: MIT
// Scene keys: the cell, boxes, regions.
#include "io/scene_tables.h"
#include "state/limits.h"

#include <math.h>
#include <string.h>

// ---------------------------------------------------------------- the cell

static SCENE_READER(read_periodic);
static SCENE_READER(read_inertia);
static SCENE_READER(read_bath);
static SCENE_READER(read_drive);

#define SCHEME \
	{.name = "scheme", \
		.meaning = "how the grains' motion enters the pressure: as it is after the step, or before it", \
		.type = TALUS_FIELD_CHOICE, AT(talus_cell_def, semi_implicit), .fallback = "implicit", \
		.names = (const char *const[]){"implicit", "semi-implicit", NULL}}

#define TEXT_OF(x) TEXT_AS_IS(x)
#define TEXT_AS_IS(x) #x

static const talus_field bath_fields[] = {
	{.name = "pressure", .meaning = "pressure outside", .unit = "M/(L T^2) (2D: M/T^2)",
		.type = TALUS_FIELD_REAL, AT(talus_cell_def, pressure), .required = true, NOT_NEGATIVE},
	{.name = "inertia",
		.meaning = "inertia M of the barostat: M d(rate)/dt is the pressure inside minus the one outside; "
			"one below " TEXT_OF(CELL_DRIVE_LIGHTEST) " pressure step^2 counts as that",
		.unit = "M/L (2D: M)", .type = TALUS_FIELD_REAL, AT(talus_cell_def, inertia), .required = true,
		POSITIVE},
	SCHEME,
	END,
};

typedef struct drive_part { // not a number: not given
	double stress, rate;
} drive_part;

static const talus_field drive_part_fields[] = {
	{.name = "stress", .meaning = "stress outside; compression is positive",
		.unit = "M/(L T^2) (2D: M/T^2)", .type = TALUS_FIELD_REAL, AT(drive_part, stress),
		.alternative = true},
	{.name = "rate",
		.meaning = "rate of deformation: dx/dt gains rate times x (xx), dx/dt rate times y (xy); "
			"compression is negative",
		.unit = "1/T", .type = TALUS_FIELD_REAL, AT(drive_part, rate), .alternative = true},
	END,
};

#define DRIVE(component, place) \
	{.name = component, .meaning = "what drives this component of the cell", .type = TALUS_FIELD_TABLE, \
		.offset = (place)*sizeof(drive_part), .fallback = "held", .table = drive_part_fields}

static const talus_field drive_fields[] = {
	DRIVE("xx", 0), DRIVE("yy", 1), DRIVE("zz", 2), DRIVE("xy", 3), DRIVE("xz", 4), DRIVE("yz", 5), END,
};

static const struct {
	int i, j;
} drive_place[] = {{0, 0}, {1, 1}, {2, 2}, {0, 1}, {0, 2}, {1, 2}};
enum { DRIVES = sizeof drive_place/sizeof drive_place[0] };

const talus_field scene_cell_fields[] = {
	{.name = "origin", .meaning = "its lower corner", .unit = "L", .type = TALUS_FIELD_VECTOR,
		AT(talus_cell_def, origin), .fallback = "[0, 0, 0]"},
	{.name = "size", .meaning = "edge lengths; those of open directions do not matter", .unit = "L",
		.type = TALUS_FIELD_VECTOR, AT(talus_cell_def, size), .required = true, POSITIVE},
	{.name = "periodic", .meaning = "periodic directions",
		.type = TALUS_FIELD_CUSTOM, AT(talus_cell_def, periodic), .form = "list of x, y, z",
		.required = true, .read = read_periodic},
	{.name = "bath",
		.meaning = "barostat: a pressure that the cell follows, isotropically; "
			"needs all directions periodic, and no walls",
		.type = TALUS_FIELD_CUSTOM, .form = "mapping", .fallback = "none", .table = bath_fields,
		.read = read_bath},
	{.name = "drive",
		.meaning = "stress or strain rate, component by component; needs all directions periodic, and no walls",
		.type = TALUS_FIELD_CUSTOM, .form = "mapping", .fallback = "none", .table = drive_fields,
		.read = read_drive},
	{.name = "inertia", .meaning = "with a `drive` that has stresses: how slowly the cell follows them",
		.unit = "M/L (2D: M)", .type = TALUS_FIELD_CUSTOM, .form = "number", .fallback = "none", POSITIVE,
		.read = read_inertia},
	END,
};

static bool all_periodic(talus_reader *reader, const scene_node *node, const char *name, const talus_cell_def *cell)
{
	for (int k = 0; k < reader->scene->world.dimension; k++)
		if (!cell->periodic[k])
			return scene_fail(reader, node, "`%s` needs all directions periodic, but %c is not", name, "xyz"[k]);
	return true;
}

static SCENE_READER(read_bath)
{
	talus_cell_def *cell = target;
	if (!node)
		return true;
	cell->bath = true;
	return all_periodic(reader, node, field->name, cell) &&
		scene_read_table(reader, node, field->name, field->table, cell);
}

static SCENE_READER(read_drive)
{
	talus_cell_def *cell = target;
	drive_part part[DRIVES];
	if (!node)
		return true;
	if (cell->bath)
		return scene_fail(reader, node, "`cell` takes `bath` or `drive`, not both");
	for (int k = 0; k < DRIVES; k++)
		part[k] = (drive_part){NAN, NAN};
	if (!all_periodic(reader, node, field->name, cell) ||
		!scene_read_table(reader, node, field->name, field->table, part))
		return false;
	for (int k = 0; k < DRIVES; k++) {
		int i = drive_place[k].i, j = drive_place[k].j;
		bool stress = !isnan(part[k].stress), rate = !isnan(part[k].rate);
		if ((stress || rate) && j >= reader->scene->world.dimension)
			return scene_fail(reader, scene_node_find(node, field->table[k].name),
				"`%s` of `drive` exists in 3D only", field->table[k].name);
		cell->drive[i][j] = stress ? TALUS_DRIVE_STRESS : rate ? TALUS_DRIVE_RATE : TALUS_DRIVE_NONE;
		cell->wanted[i][j] = stress ? part[k].stress : rate ? part[k].rate : 0;
	}
	return true;
}

static bool follows_stress(const talus_cell_def *cell)
{
	for (int k = 0; k < DRIVES; k++)
		if (cell->drive[drive_place[k].i][drive_place[k].j] == TALUS_DRIVE_STRESS)
			return true;
	return false;
}

static SCENE_READER(read_periodic)
{
	bool *periodic = target;
	unsigned set;
	if (!scene_read_set(reader, node, field->name, (const char *const[]){"x", "y", "z", NULL}, &set))
		return false;
	for (int k = 0; k < 3; k++)
		periodic[k] = set >> k & 1;
	return true;
}

static SCENE_READER(read_inertia)
{
	talus_cell_def *cell = target;
	if (!node && follows_stress(cell))
		return scene_fail(reader, scene_node_find(reader->within, "drive"),
			"a `stress` in `drive` needs an `inertia` beside `drive`");
	if (!node)
		return true;
	if (!scene_node_find(reader->within, "drive"))
		return scene_fail(reader, node, "`inertia` in `cell` goes with `drive`, which is not there");
	return scene_read_real(reader, node, field->name, field, &cell->inertia);
}

SCENE_READER(scene_read_cell)
{
	if (!node)
		return true;
	reader->scene->cell_line = node->line;
	reader->scene->cell_column = node->column;
	return scene_read_table(reader, node, field->name, field->table, target);
}

// Nothing of it is kept: each part of the table is written over the one before.
SCENE_READER(scene_read_later)
{
	(void)target;
	double scratch[4] = {0};
	if (!node)
		return true;
	if (!scene_read_table(reader, node, field->name, field->table, scratch))
		return false;
	return scene_fail(reader, node, "`%s` is not available in this version", field->name);
}

// ---------------------------------------------------------------- boxes and regions

SCENE_READER(scene_read_box)
{
	talus_box *box = target;
	if (!scene_read_items(reader, node, field->name, "corner", 2) ||
		!scene_read_vector(reader, node->entry[0].value, field->name, field, &box->low) ||
		!scene_read_vector(reader, node->entry[1].value, field->name, field, &box->high))
		return false;
	const double low[3] = {box->low.x, box->low.y, box->low.z},
		high[3] = {box->high.x, box->high.y, box->high.z};
	for (int k = 0; k < reader->scene->world.dimension; k++) {
		if (low[k] >= high[k])
			return scene_fail(reader, node->entry[1].value,
				"the second corner of `%s` must be above the first along %c, "
				"but %.15g is not greater than %.15g", field->name,
				"xyz"[k], high[k], low[k]);
	}
	return true;
}

#define BOX(of, member, text) \
	{.name = "box", .meaning = text, .unit = "L", .type = TALUS_FIELD_CUSTOM, AT(of, member), \
		.form = "[low corner, high corner]", .read = scene_read_box

static const talus_field sphere_fields[] = {
	{.name = "at", .meaning = "its centre", .unit = "L", .type = TALUS_FIELD_VECTOR, AT(talus_region, at),
		.required = true},
	{.name = "radius", .meaning = "its radius", .unit = "L", .type = TALUS_FIELD_REAL,
		AT(talus_region, radius), .required = true, POSITIVE},
	END,
};

static const talus_field cylinder_fields[] = {
	{.name = "from", .meaning = "centre of one end", .unit = "L", .type = TALUS_FIELD_VECTOR,
		AT(talus_region, at), .required = true},
	{.name = "to", .meaning = "centre of the other end", .unit = "L", .type = TALUS_FIELD_VECTOR,
		AT(talus_region, to), .required = true},
	{.name = "radius", .meaning = "its radius", .unit = "L", .type = TALUS_FIELD_REAL,
		AT(talus_region, radius), .required = true, POSITIVE},
	END,
};

const talus_field scene_region_fields[] = {
	BOX(talus_region, box, "a box along the axes"), .alternative = true},
	{.name = "sphere", .meaning = "a sphere; in 2D a circle", .type = TALUS_FIELD_TABLE,
		.alternative = true, .table = sphere_fields},
	{.name = "cylinder", .meaning = "a cylinder; in 2D a strip", .type = TALUS_FIELD_TABLE,
		.alternative = true, .table = cylinder_fields},
	END,
};

const talus_field scene_domain_fields[] = {
	BOX(talus_world_def, domain, "two corners"), .required = true},
	END,
};

SCENE_READER(scene_read_region)
{
	talus_region *region = target;
	if (!scene_read_table(reader, node, field->name, field->table, region))
		return false;
	const scene_node *cylinder = scene_node_find(node, "cylinder");
	region->kind = cylinder ? TALUS_REGION_CYLINDER :
		scene_node_find(node, "sphere") ? TALUS_REGION_SPHERE : TALUS_REGION_BOX;
	if (cylinder && !memcmp(&region->at, &region->to, sizeof region->at))
		return scene_fail(reader, scene_node_find(cylinder, "to"),
			"`from` and `to` of `cylinder` must not be the same point");
	return true;
}

SCENE_READER(scene_read_domain)
{
	talus_world_def *world = target;
	world->has_domain = node;
	return !node || scene_read_table(reader, node, field->name, field->table, world);
}
