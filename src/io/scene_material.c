// SPDX-License-Identifier: MIT
// Scene keys: materials, and the laws between them.
#include "io/scene_tables.h"

#include "base/error.h"
#include "base/memory.h"
#include "io/scene_value.h"

#include <stdlib.h>
#include <string.h>

// ---------------------------------------------------------------- tables

const talus_field scene_material_fields[] = {
	{.name = "density", .meaning = "mass per volume; in 2D mass per area", .unit = "M/L^3 (2D: M/L^2)",
		.type = TALUS_FIELD_REAL, AT(talus_material, density), .required = true, POSITIVE},
	END,
};

static SCENE_READER(read_between);
static SCENE_READER(read_law);
static SCENE_READER(read_friction);
static SCENE_READER(read_torsion);
static SCENE_READER(read_cohesion);

static const talus_field friction_fields[] = {
	{.name = "static", .meaning = "coefficient up to which a contact sticks; not less than `dynamic`",
		.unit = "", .type = TALUS_FIELD_REAL, AT(talus_pair, static_friction), .required = true,
		NOT_NEGATIVE},
	{.name = "dynamic", .meaning = "coefficient of a contact that slides", .unit = "",
		.type = TALUS_FIELD_REAL, AT(talus_pair, friction), .required = true, NOT_NEGATIVE},
	END,
};

static const talus_field restitution_fields[] = {
	{.name = "normal", .meaning = "coefficient of normal restitution: rebound over approach speed", .unit = "",
		.type = TALUS_FIELD_REAL, AT(talus_pair, restitution), .fallback = "0", .least = 0,
		.most = 1},
	{.name = "tangential", .meaning = "the same for the sliding speed, as far as friction can reverse it",
		.unit = "", .type = TALUS_FIELD_REAL, AT(talus_pair, tangential_restitution),
		.fallback = "0", .least = 0, .most = 1},
	END,
};

#define LENGTH(member) \
	{.name = "length", .meaning = "largest torque over the normal force, the same for all radii", \
		.unit = "L", .type = TALUS_FIELD_REAL, AT(talus_pair, member), .required = true, NOT_NEGATIVE}

static const talus_field rolling_fields[] = {LENGTH(rolling_length), END};
static const talus_field torsion_fields[] = {LENGTH(torsion_length), END};

static const talus_field cohesion_fields[] = {
	{.name = "force",
		.meaning = "largest pull of a bond, which forms on touch; it adds to the normal force "
			"that limits friction, rolling and torsion",
		.unit = "M L/T^2", .type = TALUS_FIELD_REAL, AT(talus_pair, cohesion), .fallback = "0",
		NOT_NEGATIVE},
	{.name = "range",
		.meaning = "gap at which a bond breaks, its energy over `force`; required beside a `force`",
		.unit = "L", .type = TALUS_FIELD_REAL, AT(talus_pair, range), .fallback = "0", NOT_NEGATIVE},
	END,
};

// All of an entry goes into one talus_pair. What may be a number has the place of that.
const talus_field scene_contact_fields[] = {
	{.name = "between", .meaning = "the two materials, in any order", .type = TALUS_FIELD_CUSTOM,
		.required = true, .form = "[name, name]", .read = read_between},
	{.name = "friction", .meaning = "Coulomb's coefficient of friction; a number is both `static` and `dynamic`",
		.unit = "", .type = TALUS_FIELD_CUSTOM, AT(talus_pair, friction), .form = "number or mapping", .fallback = "0",
		NOT_NEGATIVE, .table = friction_fields, .read = read_friction},
	{.name = "restitution",
		.meaning = "coefficient of restitution; a number is `normal`; "
			"impacts slower than 3 (gravity + force/mass) step are treated as inelastic so that heaps can come to rest, "
			"and so are grains kicked across an open gap within a step",
		.unit = "", .type = TALUS_FIELD_CUSTOM, AT(talus_pair, restitution), .form = "number or mapping", .fallback = "0",
		.least = 0, .most = 1, .table = restitution_fields, .read = read_law},
	{.name = "yield",
		.meaning = "approach speed above which impacts are plastic: at a speed `V` the `normal` restitution "
			"is multiplied by (V/yield)^(-1/4); 0: never",
		.unit = "L/T", .type = TALUS_FIELD_REAL, AT(talus_pair, yield), .fallback = "0", NOT_NEGATIVE},
	{.name = "rolling",
		.meaning = "rolling friction: largest torque over the normal force, as a fraction of the "
			"reduced radius ra rb/(ra + rb); at a wall of ra",
		.unit = "", .type = TALUS_FIELD_CUSTOM, AT(talus_pair, rolling), .form = "number or mapping", .fallback = "0",
		NOT_NEGATIVE, .table = rolling_fields, .read = read_law},
	{.name = "torsion",
		.meaning = "torsion friction: the same against turning about the normal (3D only)",
		.unit = "", .type = TALUS_FIELD_CUSTOM, AT(talus_pair, torsion), .form = "number or mapping", .fallback = "0",
		NOT_NEGATIVE, .table = torsion_fields, .read = read_torsion},
	{.name = "cohesion", .meaning = "cohesive bonds with a strength and a range",
		.type = TALUS_FIELD_CUSTOM, .form = "mapping", .fallback = "{force: 0, range: 0}",
		.table = cohesion_fields, .read = read_cohesion},
	END,
};

// ---------------------------------------------------------------- materials

// By merging: qsort has no place for the scene.
static void sort_names(const scene *s, int *index, int *spare, int count)
{
	int half = count/2;
	if (count < 2)
		return;
	sort_names(s, index, spare, half);
	sort_names(s, index + half, spare, count - half);
	for (int i = 0, a = 0, b = half; i < count; i++) {
		bool first = b == count || (a < half && strcmp(s->material[index[a]].name, s->material[index[b]].name) <= 0);
		spare[i] = first ? index[a++] : index[b++];
	}
	memcpy(index, spare, (size_t)count*sizeof *index);
}

static void index_materials(talus_reader *reader)
{
	const scene *s = reader->scene;
	size_t n = (size_t)s->materials;
	int *spare = calloc(n, sizeof *spare);
	reader->by_name = calloc(n, sizeof *reader->by_name);
	reader->law = calloc(n*n, sizeof *reader->law);
	if (!spare || !reader->by_name || !reader->law)
		memory_lost();
	for (int i = 0; i < s->materials; i++)
		reader->by_name[i] = i;
	sort_names(s, reader->by_name, spare, s->materials);
	free(spare);
}

SCENE_READER(scene_read_materials)
{
	(void)target;
	scene *s = reader->scene;
	if (!scene_check_names(reader, node))
		return false;
	if (node->count < 1 || node->count > SCENE_MATERIALS_MAX)
		return scene_fail(reader, node, "`%s` must have from 1 to %d entries, but has %d",
			field->name, SCENE_MATERIALS_MAX, node->count);
	s->material = calloc((size_t)node->count, sizeof *s->material);
	if (!s->material)
		memory_lost();
	for (int i = 0; i < node->count; i++) {
		talus_material *material = &s->material[s->materials++];
		if (!scene_read_name(reader, node->entry[i].key, material->name) ||
			!scene_read_table(reader, node->entry[i].value, material->name, field->table,
			material))
			return false;
	}
	index_materials(reader);
	return true;
}

static bool look_up(const talus_reader *reader, const char *name, int *index)
{
	const scene *s = reader->scene;
	for (int low = 0, high = s->materials; low < high;) {
		int middle = low + (high - low)/2;
		*index = reader->by_name[middle];
		int order = strcmp(name, s->material[*index].name);
		if (order == 0)
			return true;
		if (order < 0)
			high = middle;
		else
			low = middle + 1;
	}
	return false;
}

static bool find_material(talus_reader *reader, const scene_node *node, const char *name, int *index)
{
	const scene *s = reader->scene;
	const char *names[SCENE_MATERIALS_MAX + 1];
	char hint[600];
	if (node->kind != SCENE_SCALAR || scene_node_null(node))
		return scene_fail_type(reader, node, name, "the name of a material");
	if (look_up(reader, node->text, index))
		return true;
	for (int i = 0; i < s->materials; i++)
		names[i] = s->material[i].name;
	names[s->materials] = NULL;
	if (*scene_near(node->text, names, hint, sizeof hint)) {
		scene_fail(reader, node, "material `%.80s` is not declared%s", node->text, hint);
		return scene_fail_near(reader, node->text, names);
	}
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
	int *law = &reader->law[pair->a*s->materials + pair->b];
	if (*law)
		return scene_fail(reader, node,
			"`%s` and `%s` have an entry in `contacts` already: number %d",
			s->material[pair->a].name, s->material[pair->b].name, *law);
	*law = reader->law[pair->b*s->materials + pair->a] = (int)(pair - s->pair) + 1;
	return true;
}

// The pair of which a field is a member.
static talus_pair *pair_of(void *member, const talus_field *field)
{
	return (talus_pair *)(void *)((char *)member - field->offset);
}

// A law is a number, or a mapping with more of them; without either it stays 0.
static SCENE_READER(read_law)
{
	if (!node)
		return true;
	if (node->kind == SCENE_MAP)
		return scene_read_table(reader, node, field->name, field->table, pair_of(target, field));
	return scene_read_real(reader, node, field->name, field, target);
}

static SCENE_READER(read_friction)
{
	talus_pair *pair = pair_of(target, field);
	if (!read_law(reader, node, target, field))
		return false;
	if (!node || node->kind != SCENE_MAP)
		pair->static_friction = pair->friction;
	if (pair->static_friction < pair->friction)
		return scene_fail(reader, scene_node_find(node, "static"),
			"`static` friction must not be less than `dynamic` = %.15g, but is %.15g",
			pair->friction, pair->static_friction);
	return true;
}

static SCENE_READER(read_torsion)
{
	talus_pair *pair = pair_of(target, field);
	if (!read_law(reader, node, target, field))
		return false;
	if (reader->scene->world.dimension == 2 && (pair->torsion > 0 || pair->torsion_length > 0))
		return scene_fail(reader, node,
			"`torsion` must be 0 in 2D: disks turn about z only, never about a normal");
	return true;
}

// A bond that breaks at no gap has no energy but what a step lends it. Nobody should get that unasked.
static SCENE_READER(read_cohesion)
{
	talus_pair *pair = target;
	if (!node)
		return true;
	if (!scene_read_table(reader, node, field->name, field->table, pair))
		return false;
	if (pair->cohesion > 0 && !scene_node_find(node, "range"))
		return scene_fail(reader, node,
			"`range` is missing in `%s`: the gap at which a bond breaks, its energy over its "
			"`force`; 0 may be written, but makes the result depend on the time step",
			field->name);
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
		memory_lost();
	for (int i = 0; i < node->count; i++) {
		if (!scene_read_table(reader, node->entry[i].value, field->name, field->table, &s->pair[i]))
			return false;
		s->pairs++;
	}
	return true;
}

// ---------------------------------------------------------------- which pairs can meet

// What there is of a material. Bodies that nothing moves never meet each other.
typedef struct bodies_of {
	int moving;        // grains that forces move: 0, 1, 2 for more
	bool held;         // grains that they do not move
	bool wall, piston; // a piston is a wall, too
} bodies_of;

static void more(bodies_of *of, int count, bool held)
{
	if (held)
		of->held = true;
	else
		of->moving = of->moving + count < 2 ? of->moving + count : 2;
}

static int grains_material(const scene_grains *entry)
{
	switch (entry->kind) {
	case SCENE_FILL: return entry->fill->material;
	case SCENE_POUR: return entry->pour->material;
	case SCENE_GRAIN: return entry->grain.material;
	default: return entry->file->material;
	}
}

// A dense packing has been made by motion, with the law of its material, even if it is held afterwards.
static bool held(const talus_fill_def *fill)
{
	return fill->fixed && fill->arrangement != TALUS_ARRANGE_DENSE;
}

static void add_entry(bodies_of *of, const scene_grains *entry)
{
	switch (entry->kind) {
	case SCENE_FILL: more(of, entry->fill->count < 2 ? 1 : 2, held(entry->fill)); break;
	case SCENE_POUR: more(of, entry->pour->count < 2 ? 1 : 2, false); break;
	case SCENE_GRAIN: more(of, 1, entry->grain.free == 0); break;
	default: more(of, 2, false); break; // nobody knows how many
	}
}

static bool one_meets(const bodies_of *a, const bodies_of *b)
{
	return (a->moving && (b->moving || b->held || b->wall)) || (a->piston && b->held);
}

static bool can_meet(const bodies_of *a, const bodies_of *b)
{
	if (a != b)
		return one_meets(a, b) || one_meets(b, a);
	return a->moving > 1 || (a->moving && (a->held || a->wall)) || (a->piston && a->held);
}

// Of a material of which there is more than before, with all others.
static bool check_material(talus_reader *reader, const bodies_of *of, int material, int line, int column)
{
	const scene *s = reader->scene;
	for (int other = 0; other < s->materials; other++) {
		if (reader->law[material*s->materials + other] || !can_meet(&of[other], &of[material]))
			continue;
		const scene_node place = {.source = s->file, .line = line, .column = column};
		return scene_fail(reader, &place, "`%s` and `%s` can meet, but `contacts` has no entry between them",
			s->material[other].name, s->material[material].name);
	}
	return true;
}

// Only what is new of a material counts: ten thousand single grains are not compared with each other.
bool scene_check_pairs(talus_reader *reader)
{
	const scene *s = reader->scene;
	bodies_of of[SCENE_MATERIALS_MAX] = {0};
	for (int i = 0; i < s->grain_entries; i++) {
		const scene_grains *entry = &s->grains[i];
		int material = grains_material(entry);
		bodies_of before = of[material], *now = &of[material];
		add_entry(now, entry);
		if ((now->moving != before.moving || now->held != before.held) &&
			!check_material(reader, of, material, entry->line, entry->column))
			return error_path(reader->error, "grains[%d]", i);
	}
	for (int w = 0; w < s->walls; w++) {
		const scene_wall *wall = &s->wall[w];
		bodies_of before = of[wall->def.material], *now = &of[wall->def.material];
		now->wall = true;
		now->piston |= wall->def.mass > 0;
		if ((now->wall != before.wall || now->piston != before.piston) &&
			!check_material(reader, of, wall->def.material, wall->line, wall->column))
			return error_path(reader->error, "walls.%s", wall->def.name);
	}
	return true;
}
