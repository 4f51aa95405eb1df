// SPDX-License-Identifier: MIT
// Scene keys: materials, and the laws between them.
#include "io/scene_tables.h"
#include "io/scene_value.h"

#include <stdlib.h>
#include <string.h>

#define MATERIALS_MAX 1000

// ---------------------------------------------------------------- tables

const talus_field scene_material_fields[] = {
	{.name = "density", .meaning = "mass per volume; in 2D mass per area", .unit = "M/L^3 (2D: M/L^2)",
		.type = TALUS_FIELD_REAL, AT(talus_material, density), .required = true, POSITIVE},
	END,
};

static SCENE_READER(read_between);
static SCENE_READER(read_friction);
static SCENE_READER(read_zero);
static SCENE_READER(read_cohesion);

static const talus_field friction_fields[] = {
	{.name = "static", .meaning = "coefficient up to which a contact sticks", .unit = "",
		.type = TALUS_FIELD_REAL, .offset = 0, .required = true, NOT_NEGATIVE},
	{.name = "dynamic",
		.meaning = "coefficient of a sliding contact; other than `static` not in this version",
		.unit = "", .type = TALUS_FIELD_REAL, .offset = sizeof(double), .required = true,
		NOT_NEGATIVE},
	END,
};

static const talus_field restitution_fields[] = {
	{.name = "normal", .meaning = "share of the approach speed that comes back", .unit = "",
		.type = TALUS_FIELD_REAL, .offset = 0, .fallback = "0", .least = 0, .most = 1},
	{.name = "tangential", .meaning = "the same for the sliding speed", .unit = "",
		.type = TALUS_FIELD_REAL, .offset = sizeof(double), .fallback = "0", .least = 0, .most = 1},
	END,
};

static const talus_field length_fields[] = {
	{.name = "length", .meaning = "the largest moment over the normal force", .unit = "L",
		.type = TALUS_FIELD_REAL, .offset = 0, .required = true, NOT_NEGATIVE},
	END,
};

static const talus_field cohesion_fields[] = {
	{.name = "force", .meaning = "largest pull of a bond; other than 0 not in this version",
		.unit = "M L/T^2", .type = TALUS_FIELD_REAL, .offset = 0, .fallback = "0", NOT_NEGATIVE},
	{.name = "range", .meaning = "gap at which a bond breaks", .unit = "L", .type = TALUS_FIELD_REAL,
		.offset = sizeof(double), .fallback = "0", NOT_NEGATIVE},
	END,
};

const talus_field scene_contact_fields[] = {
	{.name = "between", .meaning = "the two materials, in any order", .type = TALUS_FIELD_CUSTOM,
		.required = true, .form = "[name, name]", .read = read_between},
	{.name = "friction", .meaning = "Coulomb's coefficient", .unit = "", .type = TALUS_FIELD_CUSTOM,
		AT(talus_pair, friction), .form = "number or mapping", .fallback = "0", NOT_NEGATIVE,
		.table = friction_fields, .read = read_friction},
	{.name = "restitution",
		.meaning = "share of the speed that comes back; other than 0 not in this version", .unit = "",
		.type = TALUS_FIELD_CUSTOM, .form = "number or mapping", .fallback = "0", .least = 0,
		.most = 1, .table = restitution_fields, .read = read_zero},
	{.name = "rolling",
		.meaning = "rolling friction over the reduced radius; other than 0 not in this version",
		.unit = "", .type = TALUS_FIELD_CUSTOM, .form = "number or mapping", .fallback = "0",
		NOT_NEGATIVE, .table = length_fields, .read = read_zero},
	{.name = "torsion",
		.meaning = "torsion friction over the reduced radius; other than 0 not in this version",
		.unit = "", .type = TALUS_FIELD_CUSTOM, .form = "number or mapping", .fallback = "0",
		NOT_NEGATIVE, .table = length_fields, .read = read_zero},
	{.name = "cohesion", .meaning = "bonds that hold until they are pulled too hard or too far",
		.type = TALUS_FIELD_CUSTOM, .form = "mapping", .fallback = "{force: 0, range: 0}",
		.table = cohesion_fields, .read = read_cohesion},
	END,
};

// ---------------------------------------------------------------- materials

SCENE_READER(scene_read_materials)
{
	(void)target;
	scene *s = reader->scene;
	if (!scene_check_names(reader, node))
		return false;
	if (node->count < 1 || node->count > MATERIALS_MAX)
		return scene_fail(reader, node, "`%s` must have from 1 to %d entries, but has %d",
			field->name, MATERIALS_MAX, node->count);
	s->material = calloc((size_t)node->count, sizeof *s->material);
	if (!s->material)
		abort();
	for (int i = 0; i < node->count; i++) {
		talus_material *material = &s->material[s->materials++];
		if (!scene_read_name(reader, node->entry[i].key, material->name) ||
			!scene_read_table(reader, node->entry[i].value, material->name, field->table,
			material))
			return false;
	}
	return true;
}

static bool find_material(talus_reader *reader, const scene_node *node, const char *name, int *index)
{
	const scene *s = reader->scene;
	const char *names[MATERIALS_MAX + 1] = {0};
	char hint[600];
	if (node->kind != SCENE_SCALAR || scene_node_null(node))
		return scene_fail_type(reader, node, name, "the name of a material");
	for (int i = 0; i < s->materials; i++) {
		names[i] = s->material[i].name;
		*index = i;
		if (!strcmp(names[i], node->text))
			return true;
	}
	if (*scene_near(node->text, names, hint, sizeof hint))
		return scene_fail(reader, node, "material `%.80s` is not declared%s", node->text, hint);
	return scene_fail(reader, node, "material `%.80s` is not declared; there is %s", node->text,
		scene_names_list(names, " and ", hint, sizeof hint));
}

SCENE_READER(scene_read_material)
{
	int *material = target;
	if (node)
		return find_material(reader, node, field->name, material);
	*material = 0;
	if (reader->scene->materials == 1)
		return true;
	return scene_fail(reader, reader->within,
		"`material` is missing in `%s`, and %d materials are declared", reader->name,
		reader->scene->materials);
}

// ---------------------------------------------------------------- pairs

static SCENE_READER(read_between)
{
	talus_pair *pair = target;
	const scene *s = reader->scene;
	if (!scene_read_items(reader, node, field->name, "material", 2) ||
		!find_material(reader, node->entry[0].value, field->name, &pair->a) ||
		!find_material(reader, node->entry[1].value, field->name, &pair->b))
		return false;
	for (const talus_pair *other = s->pair; other < pair; other++) {
		if ((other->a == pair->a && other->b == pair->b) ||
			(other->a == pair->b && other->b == pair->a))
			return scene_fail(reader, node,
				"`%s` and `%s` have an entry in `contacts` already: number %d",
				s->material[pair->a].name, s->material[pair->b].name,
				(int)(other - s->pair) + 1);
	}
	return true;
}

static SCENE_READER(read_friction)
{
	double *friction = target, parts[2];
	*friction = 0;
	if (!node)
		return true;
	if (node->kind != SCENE_MAP)
		return scene_read_real(reader, node, field->name, field, friction);
	if (!scene_read_table(reader, node, field->name, field->table, parts))
		return false;
	*friction = parts[0];
	if (parts[0] == parts[1])
		return true;
	return scene_fail(reader, scene_node_find(node, "dynamic"),
		"`dynamic` friction other than `static` is not available in this version");
}

// A law that is known but has no effect yet.
static SCENE_READER(read_zero)
{
	(void)target;
	double parts[2] = {0, 0};
	if (!node)
		return true;
	bool ok = node->kind == SCENE_MAP ? scene_read_table(reader, node, field->name, field->table, parts) :
		scene_read_real(reader, node, field->name, field, parts);
	if (ok && (parts[0] != 0 || parts[1] != 0))
		return scene_fail(reader, node, "`%s` other than 0 is not available in this version",
			field->name);
	return ok;
}

static SCENE_READER(read_cohesion)
{
	(void)target;
	double parts[2];
	if (!node)
		return true;
	if (!scene_read_table(reader, node, field->name, field->table, parts))
		return false;
	if (parts[0] != 0)
		return scene_fail(reader, scene_node_find(node, "force"),
			"a `force` of `cohesion` other than 0 is not available in this version");
	return true;
}

SCENE_READER(scene_read_contacts)
{
	(void)target;
	scene *s = reader->scene;
	if (!node)
		return true;
	s->pair = calloc((size_t)node->count + 1, sizeof *s->pair);
	if (!s->pair)
		abort();
	for (int i = 0; i < node->count; i++) {
		if (!scene_read_table(reader, node->entry[i].value, field->name, field->table, &s->pair[i]))
			return false;
		s->pairs++;
	}
	return true;
}

// ---------------------------------------------------------------- which pairs can meet

static int grains_material(const scene_grains *entry)
{
	switch (entry->kind) {
	case SCENE_FILL: return entry->fill.material;
	case SCENE_POUR: return entry->pour.material;
	case SCENE_GRAIN: return entry->grain.material;
	default: return entry->file.material;
	}
}

static bool check_pair(talus_reader *reader, int a, int b, int line, int column)
{
	const scene *s = reader->scene;
	for (int i = 0; i < s->pairs; i++) {
		const talus_pair *pair = &s->pair[i];
		if ((pair->a == a && pair->b == b) || (pair->a == b && pair->b == a))
			return true;
	}
	const scene_node place = {.source = s->file, .line = line, .column = column};
	return scene_fail(reader, &place, "`%s` and `%s` can meet, but `contacts` has no entry between them",
		s->material[a].name, s->material[b].name);
}

// Only the first entry of a material counts: ten thousand single grains are not compared with each other.
bool scene_check_pairs(talus_reader *reader)
{
	const scene *s = reader->scene;
	bool used[MATERIALS_MAX] = {0};
	for (int i = 0; i < s->grain_entries; i++) {
		const scene_grains *entry = &s->grains[i];
		int material = grains_material(entry);
		if (used[material])
			continue;
		used[material] = true;
		for (int other = 0; other < s->materials; other++) {
			if (used[other] && !check_pair(reader, other, material, entry->line, entry->column))
				return false;
		}
	}
	for (int w = 0; w < s->walls; w++) {
		for (int other = 0; other < s->materials; other++) {
			const scene_wall *wall = &s->wall[w];
			if (used[other] && !check_pair(reader, other, wall->def.material, wall->line,
				wall->column))
				return false;
		}
	}
	return true;
}
