// SPDX-License-Identifier: MIT
// Columns by name. Those of grains are looks into the world; contacts and walls are gathered once a generation, for all their columns.
#include "api/api.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/nearest.h"

#include <stdlib.h>
#include <string.h>

typedef enum kind { GRAIN, WALL, CONTACT } kind;

typedef struct description {
	const char *name;
	kind kind;
	talus_type type;
	int components;
	size_t offset; // of the member in what is gathered
	const char *unit, *meaning;
	const char *body; // of a grain: the row of body_columns that says all that
} description;

typedef struct wall_row {
	talus_wall_state state;
	talus_vec3 axis;
	int32_t material;
	double mass;
} wall_row;

#define OF_GRAIN(key, member) {.name = "grain." key, .kind = GRAIN, .body = member}
#define OF_WALL(key, member, kind_of, numbers) \
	.name = "wall." key, .kind = WALL, .type = kind_of, .components = numbers, .offset = offsetof(wall_row, member)
#define OF_CONTACT(key, member, kind_of, numbers) \
	.name = "contact." key, .kind = CONTACT, .type = kind_of, .components = numbers, .offset = offsetof(talus_contact_state, member)
static const description descriptions[] = {
	OF_GRAIN("id", "id"), OF_GRAIN("x", "x"), OF_GRAIN("v", "v"), OF_GRAIN("spin", "spin"), OF_GRAIN("orientation", "q"),
	OF_GRAIN("force", "force"), OF_GRAIN("radius", "radius"), OF_GRAIN("mass", "mass"), OF_GRAIN("inertia", "inertia"),
	OF_GRAIN("image", "image"), OF_GRAIN("material", "material"), OF_GRAIN("free", "free"),
	{OF_WALL("position", state.position, TALUS_FLOAT64, 3), .unit = "L", .meaning = "place of its point"},
	{OF_WALL("velocity", state.velocity, TALUS_FLOAT64, 3), .unit = "L/T", .meaning = "velocity in the last step"},
	{OF_WALL("spin", state.spin, TALUS_FLOAT64, 1), .unit = "1/T", .meaning = "spin about its axis in the last step"},
	{OF_WALL("angle", state.angle, TALUS_FLOAT64, 1), .unit = "", .meaning = "turned since the start, in radians"},
	{OF_WALL("axis", axis, TALUS_FLOAT64, 3), .unit = "", .meaning = "axis, or normal of a plane: of length 1"},
	{OF_WALL("force", state.force, TALUS_FLOAT64, 3), .unit = "M L/T^2", .meaning = "force of the grains on it"},
	{OF_WALL("torque", state.torque, TALUS_FLOAT64, 3), .unit = "M L^2/T^2", .meaning = "torque of the grains on it, about its point"},
	{OF_WALL("material", material, TALUS_INT32, 1), .unit = "", .meaning = "number of its material"},
	{OF_WALL("mass", mass, TALUS_FLOAT64, 1), .unit = "M", .meaning = "mass of a piston; 0: its motion is prescribed"},
	{OF_CONTACT("a", a, TALUS_INT64, 1), .unit = "", .meaning = "id of the grain on one side, or -1 - wall"},
	{OF_CONTACT("b", b, TALUS_INT64, 1), .unit = "", .meaning = "id of the grain on the other side"},
	{OF_CONTACT("wall", wall, TALUS_INT32, 1), .unit = "", .meaning = "number of the wall, or -1"},
	{OF_CONTACT("normal", n, TALUS_FLOAT64, 3), .unit = "", .meaning = "from a to b, of length 1"},
	{OF_CONTACT("point", at, TALUS_FLOAT64, 3), .unit = "L", .meaning = "where they touch"},
	{OF_CONTACT("gap", gap, TALUS_FLOAT64, 1), .unit = "L", .meaning = "distance of the surfaces; negative: overlap"},
	{OF_CONTACT("force", force, TALUS_FLOAT64, 3), .unit = "M L/T^2", .meaning = "force on b by a"},
	{OF_CONTACT("torque", torque, TALUS_FLOAT64, 3), .unit = "M L^2/T^2", .meaning = "torque of rolling and torsion friction, on b"},
	{OF_CONTACT("bonded", bonded, TALUS_UINT8, 1), .unit = "", .meaning = "1: held by a bond"},
};
enum { COLUMNS = sizeof descriptions/sizeof descriptions[0] };
_Static_assert(sizeof(bool) == 1 && sizeof(int) == 4, "types of columns");

const char *talus_column_name(int column)
{
	return column >= 0 && column < COLUMNS ? descriptions[column].name : NULL;
}

static const char *nearest_column(const char *name)
{
	const char *names[COLUMNS + 1] = {0};
	for (int i = 0; i < COLUMNS; i++)
		names[i] = descriptions[i].name;
	return nearest_name(name, names);
}

static const description *describe(const talus_world *world, const char *name)
{
	talus_error *error = api_error(world);
	for (int i = 0; name && i < COLUMNS; i++)
		if (!strcmp(descriptions[i].name, name))
			return &descriptions[i];
	const char *near = name ? nearest_column(name) : NULL;
	if (near)
		error_set(error, "there is no column `%.80s`; did you mean `%s`?", name, near);
	else
		error_set(error, "there is no column `%.80s`", name ? name : "NULL");
	error_nearest(error, near);
	return NULL;
}

static size_t type_size(talus_type type)
{
	static const size_t sizes[] = {8, 8, 4, 4, 2, 1};
	return sizes[type];
}

// ---------------------------------------------------------------- gathering

static bool fresh(const talus_world *world, api_copies *copies, size_t count, size_t size)
{
	uint64_t now = talus_world_generation(world);
	if (copies->generation == now)
		return false;
	copies->at = memory_room(copies->at, &copies->capacity, count, size);
	copies->count = count;
	copies->generation = now;
	return true;
}

static const api_copies *gather_contacts(const talus_world *world)
{
	api_copies *c = &api_of(world)->contacts;
	if (!fresh(world, c, talus_world_contacts(world), sizeof(talus_contact_state)))
		return c;
	talus_contact_state *at = c->at;
	for (size_t i = 0; i < c->count; i++)
		at[i] = talus_world_contact(world, i);
	return c;
}

static const api_copies *gather_walls(const talus_world *world)
{
	api_copies *c = &api_of(world)->walls;
	if (!fresh(world, c, (size_t)world->state.walls.count, sizeof(wall_row)))
		return c;
	wall_row *at = c->at;
	for (size_t i = 0; i < c->count; i++) {
		const wall *w = &world->state.walls.at[i];
		at[i] = (wall_row){talus_world_wall(world, (int)i), w->axis, w->def.material, w->def.mass};
	}
	return c;
}

// ---------------------------------------------------------------- looking

static talus_column look_at_grains(const talus_world *world, const description *d)
{
	static const talus_type types[] = {[BODY_REAL] = TALUS_FLOAT64, [BODY_U32] = TALUS_UINT32, [BODY_I32] = TALUS_INT32,
	                                   [BODY_U16] = TALUS_UINT16, [BODY_U8] = TALUS_UINT8};
	const bodies *b = &world->state.bodies;
	const body_column *c = body_columns;
	while (strcmp(c->name, d->body))
		c++;
	return (talus_column){.name = d->name, .meaning = c->meaning, .unit = c->unit, .type = types[c->type], .components = c->width,
	                      .rows = b->count, .stride = body_column_bytes(c), .data = b->count ? body_column_rows(b, c) : NULL,
	                      .generation = talus_world_generation(world)};
}

static talus_column look(const talus_world *world, const description *d)
{
	if (d->kind == GRAIN)
		return look_at_grains(world, d);
	const api_copies *all = d->kind == WALL ? gather_walls(world) : gather_contacts(world);
	return (talus_column){.name = d->name, .meaning = d->meaning, .unit = d->unit, .type = d->type, .components = d->components,
	                      .rows = all->count, .stride = d->kind == WALL ? sizeof(wall_row) : sizeof(talus_contact_state),
	                      .data = all->count ? (const char *)all->at + d->offset : NULL, .generation = talus_world_generation(world)};
}

bool talus_world_column(const talus_world *world, const char *name, talus_column *column)
{
	const description *d = describe(world, name);
	if (d)
		*column = look(world, d);
	return d != NULL;
}

// ---------------------------------------------------------------- copying, in an order that lasts

static int by_vector(const talus_vec3 *a, const talus_vec3 *b)
{
	return a->x != b->x ? (a->x < b->x ? -1 : 1) : a->y != b->y ? (a->y < b->y ? -1 : 1) : (a->z > b->z) - (a->z < b->z);
}

// Two bodies may touch in several places, which lie in different directions.
static int by_bodies(const void *one, const void *other)
{
	const talus_contact_state *const *a = one, *const *b = other;
	if ((*a)->a != (*b)->a)
		return (*a)->a < (*b)->a ? -1 : 1;
	if ((*a)->b != (*b)->b)
		return (*a)->b < (*b)->b ? -1 : 1;
	int order = by_vector(&(*a)->n, &(*b)->n);
	return order ? order : by_vector(&(*a)->at, &(*b)->at);
}

static void copy_contacts(const talus_column *c, size_t offset, char *to, size_t size)
{
	const talus_contact_state **sorted = memory_grow(NULL, 0, c->rows*sizeof *sorted);
	const talus_contact_state *all = (const void *)((const char *)c->data - offset);
	for (size_t i = 0; i < c->rows; i++)
		sorted[i] = &all[i];
	qsort(sorted, c->rows, sizeof *sorted, by_bodies);
	for (size_t i = 0; i < c->rows; i++)
		memcpy(to + i*size, (const char *)sorted[i] + offset, size);
	memory_free(sorted);
}

int64_t talus_world_copy_column(const talus_world *world, const char *name, void *to, size_t bytes)
{
	const description *d = describe(world, name);
	if (!d)
		return -1;
	talus_column c = look(world, d);
	size_t size = (size_t)c.components*type_size(c.type);
	if (c.rows == 0)
		return 0;
	if (!to || bytes/size < c.rows)
		return error_set(api_error(world), "column `%s` takes %zu bytes, and there is room for %zu", c.name, c.rows*size,
		                 to ? bytes : 0), -1;
	if (d->kind == CONTACT) {
		copy_contacts(&c, d->offset, to, size);
		return (int64_t)c.rows;
	}
	const api_row *rows = d->kind == GRAIN ? api_rows(world) : NULL;
	for (size_t i = 0; i < c.rows; i++)
		memcpy((char *)to + i*size, (const char *)c.data + (rows ? rows[i].row : i)*c.stride, size);
	return (int64_t)c.rows;
}
