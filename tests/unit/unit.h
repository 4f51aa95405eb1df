// SPDX-License-Identifier: MIT
// What the unit tests share: cmocka, comparing numbers, small worlds.
#ifndef TALUS_TESTS_UNIT_H
#define TALUS_TESTS_UNIT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/random.h"
#include "plain.h"
#include "world.h"

#include <stdio.h>
#include <string.h>

#define assert_near(a, b, tolerance) unit_near((a), (b), (tolerance), #a " = " #b, __FILE__, __LINE__)
#define assert_near3(a, b, tolerance) unit_near3((a), (b), (tolerance), #a " = " #b, __FILE__, __LINE__)

static inline void unit_near(double a, double b, double tolerance, const char *what, const char *file,
	int line)
{
	if (fabs(a - b) <= tolerance)
		return;
	print_error("%s: %.17g and %.17g are farther apart than %g\n", what, a, b, tolerance);
	_fail(file, line);
}

static inline void unit_near3(vec3 a, vec3 b, double tolerance, const char *what, const char *file, int line)
{
	unit_near(a.x, b.x, tolerance, what, file, line);
	unit_near(a.y, b.y, tolerance, what, file, line);
	unit_near(a.z, b.z, tolerance, what, file, line);
}

// ---------------------------------------------------------------- random numbers for set-ups

typedef struct dice {
	uint64_t stream, count;
} dice;

static inline dice dice_make(uint64_t seed) { return (dice){random_mix(seed), 0}; }
static inline double roll(dice *d, double low,
	double high) { return low + (high - low)*random_unit(d->stream, d->count++); }
static inline vec3 roll_in(dice *d, vec3 low, vec3 high)
{
	double x = roll(d, low.x, high.x), y = roll(d, low.y, high.y);
	return vec(x, y, roll(d, low.z, high.z));
}
static inline vec3 roll_direction(dice *d, int dimension)
{
	for (;;) {
		vec3 a = roll_in(d, vec(-1, -1, dimension == 2 ? 0 : -1), vec(1, 1, dimension == 2 ? 0 : 1));
		if (norm(a) > 0.1 && norm(a) <= 1)
			return unit(a);
	}
}

// ---------------------------------------------------------------- small worlds

// One material of density 1 with the given friction.
static inline talus_world *unit_world(const talus_world_def *def, double friction)
{
	talus_world *world = talus_world_create(def);
	int material = talus_world_add_material(world, "stone", 1);
	talus_world_set_pair(world, &(talus_pair){.a = material, .b = material, .friction = friction});
	return world;
}

static inline talus_world_def unit_def(int dimension)
{
	talus_world_def def = plain_def();
	def.dimension = dimension;
	return def;
}

static inline uint32_t unit_grain(talus_world *world, vec3 at, double radius, vec3 velocity)
{
	talus_grain_def def = talus_grain_def_default();
	def.at = at;
	def.radius = radius;
	def.velocity = velocity;
	return world_add_grain(world, &def);
}

static inline int unit_plane(talus_world *world, const char *name, vec3 point, vec3 normal)
{
	talus_wall_def def = talus_wall_def_default(TALUS_WALL_PLANE);
	snprintf(def.name, sizeof def.name, "%s", name);
	def.point = point;
	def.axis = normal;
	return world_add_wall(world, &def);
}

static inline size_t unit_row(const talus_world *world, uint32_t id)
{
	for (size_t i = 0; i < world->state.bodies.count; i++)
		if (world->state.bodies.id[i] == id)
			return i;
	fail_msg("there is no grain %u", id);
	return 0;
}

// The contact of these two (ids, or -1 - wall); fails if there is none.
static inline size_t unit_contact(const talus_world *world, int64_t a, int64_t b)
{
	for (size_t i = 0; i < talus_world_contacts(world); i++) {
		talus_contact_state c = talus_world_contact(world, i);
		if (c.a == a && c.b == b)
			return i;
	}
	fail_msg("there is no contact of %d and %d", (int)a, (int)b);
	return 0;
}

#endif
