// SPDX-License-Identifier: MIT
// Scene keys: grains.
#include "io/scene_tables.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

static SCENE_READER(read_friction);
static SCENE_READER(read_place);
static SCENE_READER(read_spin);
static SCENE_READER(read_free);
static SCENE_READER(read_path);
static SCENE_READER(read_grain);

// ---------------------------------------------------------------- tables

#define COUNT(of) \
	{.name = "count", .meaning = "how many", .unit = "", .type = TALUS_FIELD_INTEGER, AT(of, count), \
		.required = true, .least = 1, .most = INFINITY}
#define SIZES(of) \
	{.name = "radius", .meaning = "radius, or how radii are distributed", .unit = "L", \
		.type = TALUS_FIELD_CUSTOM, AT(of, radius), .form = "number or mapping", .required = true, POSITIVE, \
		.table = scene_sizes_fields, .read = scene_read_sizes}
#define REGION(of) \
	{.name = "in", .meaning = "where: whole grains, not only centres, lie inside", \
		.type = TALUS_FIELD_CUSTOM, AT(of, in), .form = "mapping", .required = true, \
		.table = scene_region_fields, .read = scene_read_region}
#define VELOCITY(of) \
	{.name = "velocity", .meaning = "velocity at the start", .unit = "L/T", .type = TALUS_FIELD_VECTOR, \
		AT(of, velocity), .fallback = "[0, 0, 0]"}

static const talus_field fill_fields[] = {
	COUNT(talus_fill_def), SIZES(talus_fill_def), MATERIAL(talus_fill_def),
	{.name = "arrangement",
		.meaning = "random positions without overlaps, a lattice with room for the largest, or a dense packing at "
			"rest; in a periodic cell of its own that changes the cell, `size` then gives the proportions only",
		.type = TALUS_FIELD_CHOICE, AT(talus_fill_def, arrangement), .fallback = "random",
		.names = (const char *const[]){"random", "lattice", "dense", NULL}},
	{.name = "jitter",
		.meaning = "lattice: random displacement, as a fraction of the room that its site leaves a grain",
		.unit = "", .type = TALUS_FIELD_REAL, AT(talus_fill_def, jitter), .fallback = "0.5",
		.least = 0, .most = 1},
	{.name = "pressure", .meaning = "dense: pressure under which it rests; in a box, stress along the last direction",
		.unit = "M/(L T^2) (2D: M/T^2)", .type = TALUS_FIELD_REAL, AT(talus_fill_def, pressure), .fallback = "1",
		POSITIVE},
	{.name = "friction", .meaning = "dense: coefficient of friction while it is made", .unit = "",
		.type = TALUS_FIELD_CUSTOM, AT(talus_fill_def, friction), .form = "number",
		.fallback = "that of the material with itself", NOT_NEGATIVE, .read = read_friction},
	{.name = "fixed", .meaning = "these grains do not move, for example a rough floor", .type = TALUS_FIELD_BOOL,
		AT(talus_fill_def, fixed), .fallback = "false"},
	{.name = "in",
		.meaning = "where: whole grains, not only centres, lie inside; a dense packing takes a box, or all of a cell "
			"that is periodic in all directions", .type = TALUS_FIELD_CUSTOM, AT(talus_fill_def, in),
		.form = "mapping", .fallback = "all of the cell if dense; else it must be given", .table = scene_region_fields, .read = read_place},
	VELOCITY(talus_fill_def), END,
};

static const talus_field pour_fields[] = {
	COUNT(talus_pour_def),
	{.name = "rate", .meaning = "grains per unit of time", .unit = "1/T", .type = TALUS_FIELD_REAL,
		AT(talus_pour_def, rate), .required = true, POSITIVE},
	{.name = "start", .meaning = "when the first one comes", .unit = "T", .type = TALUS_FIELD_REAL,
		AT(talus_pour_def, start), .fallback = "0", NOT_NEGATIVE},
	SIZES(talus_pour_def), MATERIAL(talus_pour_def), REGION(talus_pour_def), VELOCITY(talus_pour_def),
		END,
};

typedef struct grain_parts {
	talus_grain_def def;
	bool fixed;
} grain_parts;

static const talus_field grain_fields[] = {
	{.name = "at", .meaning = "its centre", .unit = "L", .type = TALUS_FIELD_VECTOR,
		AT(grain_parts, def.at), .required = true},
	{.name = "radius", .meaning = "its radius", .unit = "L", .type = TALUS_FIELD_REAL,
		AT(grain_parts, def.radius), .required = true, POSITIVE},
	MATERIAL(talus_grain_def),
	{.name = "velocity", .meaning = "velocity at the start", .unit = "L/T", .type = TALUS_FIELD_VECTOR,
		AT(grain_parts, def.velocity), .fallback = "[0, 0, 0]"},
	{.name = "spin", .meaning = "angular velocity at the start; in 2D a number", .unit = "1/T",
		.type = TALUS_FIELD_CUSTOM, AT(grain_parts, def.spin), .form = "vector (2D: number)",
		.fallback = "0", .read = read_spin},
	{.name = "force", .meaning = "constant force on its centre", .unit = "M L/T^2",
		.type = TALUS_FIELD_VECTOR, AT(grain_parts, def.force), .fallback = "[0, 0, 0]"},
	{.name = "fixed", .meaning = "keeps its velocity whatever pushes it; the same as `free: []`",
		.type = TALUS_FIELD_BOOL, AT(grain_parts, fixed), .fallback = "false"},
	{.name = "free", .meaning = "motions that forces can change", .type = TALUS_FIELD_CUSTOM,
		AT(grain_parts, def.free), .form = "list of x, y, z, spin", .fallback = "all",
		.read = read_free},
	END,
};

static const talus_field file_fields[] = {
	{.name = "path",
		.meaning = "CSV file with the columns x,y,z,radius[,vx,vy,vz,wx,wy,wz], relative to the scene",
		.type = TALUS_FIELD_CUSTOM, AT(talus_file_def, path), .required = true, .form = "text",
		.read = read_path},
	MATERIAL(talus_file_def),
	{.name = "overlaps", .meaning = "whether grains may overlap at the start", .type = TALUS_FIELD_CHOICE,
		AT(talus_file_def, overlaps_allowed), .fallback = "refused",
		.names = (const char *const[]){"refused", "allowed", NULL}},
	END,
};

typedef union entry_parts { // what is read of an entry
	talus_fill_def fill;
	talus_pour_def pour;
	talus_grain_def grain;
	talus_file_def file;
} entry_parts;

const talus_field scene_grains_fields[] = {
	{.name = "fill", .meaning = "many grains, present from the start", .type = TALUS_FIELD_TABLE,
		AT(entry_parts, fill), .alternative = true, .table = fill_fields},
	{.name = "pour", .meaning = "many grains, added during the run", .type = TALUS_FIELD_TABLE,
		AT(entry_parts, pour), .alternative = true, .table = pour_fields},
	{.name = "grain", .meaning = "one grain", .type = TALUS_FIELD_CUSTOM, AT(entry_parts, grain),
		.form = "mapping", .alternative = true, .table = grain_fields, .read = read_grain},
	{.name = "file", .meaning = "grains from a file", .type = TALUS_FIELD_TABLE, AT(entry_parts, file),
		.alternative = true, .table = file_fields},
	END,
};

// ---------------------------------------------------------------- dense packings

static SCENE_READER(read_friction)
{
	double *friction = target;
	*friction = -1;
	return !node || scene_read_real(reader, node, field->name, field, friction);
}

static bool cell_is_closed(const talus_world_def *world)
{
	for (int k = 0; k < world->dimension; k++)
		if (!world->cell.periodic[k])
			return false;
	return true;
}

static SCENE_READER(read_place)
{
	const talus_world_def *world = &reader->scene->world;
	const scene_node *arrangement = scene_node_find(reader->within, "arrangement");
	bool dense = arrangement && arrangement->kind == SCENE_SCALAR && !strcmp(arrangement->text, "dense");
	if (node)
		return scene_read_region(reader, node, target, field);
	if (!dense)
		return scene_fail(reader, reader->within, "`in` is missing in `fill`");
	if (!cell_is_closed(world))
		return scene_fail(reader, reader->within, "`in` is missing in `fill`; a dense packing can do without it only in "
			"a cell that is periodic in all directions");
	talus_vec3 o = world->cell.origin, s = world->cell.size;
	*(talus_region *)target = (talus_region){.kind = TALUS_REGION_BOX,
		.box = {o, {o.x + s.x, o.y + s.y, world->dimension == 3 ? o.z + s.z : 0}}};
	return true;
}

static bool check_dense(talus_reader *reader, const scene_node *fill, const talus_fill_def *def)
{
	static const char *const keys[] = {"pressure", "friction"};
	for (size_t i = 0; i < sizeof keys/sizeof keys[0] && def->arrangement != TALUS_ARRANGE_DENSE; i++) {
		const scene_entry *entry = scene_entry_find(fill, keys[i]);
		if (entry)
			return scene_fail(reader, entry->key, "`%s` in `fill` goes with `arrangement: dense`", keys[i]);
	}
	return true;
}

// ---------------------------------------------------------------- one grain

static SCENE_READER(read_spin)
{
	talus_vec3 *spin = target;
	*spin = (talus_vec3){0, 0, 0};
	if (!node)
		return true;
	if (reader->scene->world.dimension == 3)
		return scene_read_vector(reader, node, field->name, field, spin);
	if (node->kind == SCENE_LIST)
		return scene_fail_type(reader, node, field->name, "a number in 2D");
	return scene_read_real(reader, node, field->name, field, &spin->z);
}

static SCENE_READER(read_free)
{
	unsigned *set = target; // the bits of TALUS_FREE_* are in the order of these names
	*set = TALUS_FREE_ALL;
	return !node ||
		scene_read_set(reader, node, field->name, (const char *const[]){"x", "y", "z", "spin", NULL},
		set);
}

static SCENE_READER(read_grain)
{
	grain_parts parts = {0};
	if (!scene_read_table(reader, node, field->name, field->table, &parts))
		return false;
	const scene_entry *free = scene_entry_find(node, "free");
	if (parts.fixed && free && parts.def.free)
		return scene_fail(reader, free->key, "a `grain` that is `fixed` cannot be `free` too");
	if (parts.fixed)
		parts.def.free = 0;
	*(talus_grain_def *)target = parts.def;
	return true;
}

// ---------------------------------------------------------------- files

// Only where it is: a run that goes on from its checkpoint does not need the file any more.
static SCENE_READER(read_path)
{
	talus_file_def *file = (talus_file_def *)((char *)target - field->offset);
	if (node->kind != SCENE_SCALAR || scene_node_null(node) || !*node->text)
		return scene_fail_type(reader, node, field->name, "the path of a file");
	if (strlen(node->text) >= TALUS_PATH_MAX)
		return scene_fail(reader, node, "`path` must be shorter than %d bytes", TALUS_PATH_MAX);
	file->path = strdup(node->text);
	file->source = strdup(node->source);
	if (!file->path || !file->source)
		memory_lost();
	file->line = node->line;
	file->column = node->column;
	return true;
}

// ---------------------------------------------------------------- all of them

static scene_grains_kind kind_of(const scene_node *entry)
{
	return scene_node_find(entry, "fill") ? SCENE_FILL : scene_node_find(entry, "pour") ? SCENE_POUR :
		scene_node_find(entry, "grain") ? SCENE_GRAIN : SCENE_FILE;
}

static void *kept(const void *def, size_t size)
{
	void *copy = malloc(size);
	if (!copy)
		memory_lost();
	return memcpy(copy, def, size);
}

static void keep(scene_grains *entry, const entry_parts *parts)
{
	switch (entry->kind) {
	case SCENE_FILL: entry->fill = kept(&parts->fill, sizeof parts->fill); break;
	case SCENE_POUR: entry->pour = kept(&parts->pour, sizeof parts->pour); break;
	case SCENE_FILE: entry->file = kept(&parts->file, sizeof parts->file); break;
	case SCENE_GRAIN: entry->grain = parts->grain; break;
	}
}

void scene_grains_free(scene_grains *entry)
{
	if (entry->kind == SCENE_FILE) {
		free(entry->file->path);
		free(entry->file->source);
		free(entry->file);
	} else if (entry->kind == SCENE_FILL) {
		free(entry->fill);
	} else if (entry->kind == SCENE_POUR) {
		free(entry->pour);
	}
}

// Bodies are known by numbers of 32 bits, of which walls take the negative ones.
static bool add_count(talus_reader *reader, const scene_node *node, const scene_grains *entry, double *all)
{
	*all += entry->kind == SCENE_FILL ? entry->fill->count : entry->kind == SCENE_POUR ? entry->pour->count :
		entry->kind == SCENE_GRAIN;
	return *all <= INT32_MAX ? true : scene_fail(reader, node, "with this entry the scene has %.0f grains, more than the %d that "
		"can be told apart", *all, INT32_MAX);
}

static bool read_entry(talus_reader *reader, const scene_node *node, const talus_field *field, scene_grains *entry)
{
	entry_parts parts;
	memset(&parts, 0, sizeof parts);
	entry->line = node->line;
	entry->column = node->column;
	entry->kind = SCENE_GRAIN; // nothing to free as yet
	bool good = scene_read_table(reader, node, field->name, field->table, &parts);
	scene_grains_kind kind = kind_of(node);
	if (good || kind == SCENE_FILE) { // of a file texts may be there that are to be freed
		entry->kind = kind;
		keep(entry, &parts);
	}
	return good && (kind != SCENE_FILL || check_dense(reader, scene_node_find(node, "fill"), entry->fill));
}

SCENE_READER(scene_read_grains)
{
	(void)target;
	scene *s = reader->scene;
	if (!node->count)
		return scene_fail(reader, node, "`%s` must have at least one entry", field->name);
	double all = 0;
	s->grains = calloc((size_t)node->count, sizeof *s->grains);
	if (!s->grains)
		memory_lost();
	for (int i = 0; i < node->count; i++) {
		scene_grains *entry = &s->grains[s->grain_entries++];
		const scene_node *value = node->entry[i].value;
		if (!read_entry(reader, value, field, entry) || !add_count(reader, value, entry, &all))
			return false;
	}
	return true;
}
