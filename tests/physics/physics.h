// SPDX-License-Identifier: MIT
// What the physics tests share: cmocka, a comparison that prints what it saw, and worlds of one material.
#ifndef TALUS_TESTS_PHYSICS_H
#define TALUS_TESTS_PHYSICS_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "form.h"

#include "base/memory.h"
#include "base/random.h"
#include "plain.h"
#include "world.h"

#define PI M_PI
#define COUNT(list) (sizeof(list)/sizeof(list)[0])

// So many of a list of time steps; the first two if it must be quick.
static inline size_t some(size_t count)
{
	return quick() && count > 2 ? 2 : count;
}

#define assert_near(got, wanted, tolerance) check_near(got, wanted, tolerance, #got, __FILE__, __LINE__)
#define assert_near3(got, wanted, tolerance) \
	do { \
		vec3 got_ = (got), wanted_ = (wanted); \
		check_near(got_.x, wanted_.x, tolerance, #got " (x)", __FILE__, __LINE__); \
		check_near(got_.y, wanted_.y, tolerance, #got " (y)", __FILE__, __LINE__); \
		check_near(got_.z, wanted_.z, tolerance, #got " (z)", __FILE__, __LINE__); \
	} while (0)
#define assert_below(got, limit) check_below(got, limit, #got, __FILE__, __LINE__)

static inline void check_near(double got, double wanted, double tolerance, const char *what, const char *file,
	int line)
{
	if (fabs(got - wanted) <= tolerance)
		return;
	print_error("%s = %.15g, but should be %.15g within %.3g\n", what, got, wanted, tolerance);
	_fail(file, line);
}

static inline void check_below(double got, double limit, const char *what, const char *file, int line)
{
	if (got < limit)
		return;
	print_error("%s = %.15g, but should be below %.15g\n", what, got, limit);
	_fail(file, line);
}

// ---------------------------------------------------------------- worlds

// Definition of a world that solves its few contacts to the end. Where rounding leaves more than 1e-15, as for a ball that rolls in
// something round, every step does all its iterations: thousands of steps then want a tolerance of 1e-13.
static inline talus_world_def exact_def(int dimension, double step)
{
	talus_world_def def = plain_def();
	def.dimension = dimension;
	def.step = step;
	def.solver.stop = TALUS_STOP_RESIDUAL;
	def.solver.tolerance = 1e-15;
	def.solver.max_iterations = 2000;
	return def;
}

// A cell that is periodic in all directions, with plain sweeps.
static inline talus_world_def cell_def(int dimension, double dt, double size)
{
	talus_world_def def = plain_def();
	def.dimension = dimension;
	def.step = dt;
	def.cell.size = vec(size, size, dimension == 3 ? size : 1);
	for (int k = 0; k < dimension; k++)
		def.cell.periodic[k] = true;
	return def;
}

// One material of density 1.
static inline talus_world *world_of(const talus_world_def *def, double mu)
{
	talus_world *world = talus_world_create(def);
	talus_world_add_material(world, "stuff", 1);
	talus_world_set_pair(world, &(talus_pair){.a = 0, .b = 0, .friction = mu});
	return world;
}

static inline int put_plane(talus_world *world, vec3 point, vec3 normal)
{
	talus_wall_def def = talus_wall_def_default(TALUS_WALL_PLANE);
	def.point = point;
	def.axis = normal;
	return talus_world_add_wall(world, &def);
}

// A floor and walls around it, without a lid: up is y for disks, z for spheres.
static inline void put_box(talus_world *world, double width)
{
	bool flat = world->state.def.dimension == 2;
	put_plane(world, vec(0, 0, 0), flat ? vec(0, 1, 0) : vec(0, 0, 1));
	put_plane(world, vec(0, 0, 0), vec(1, 0, 0));
	put_plane(world, vec(width, 0, 0), vec(-1, 0, 0));
	if (flat)
		return;
	put_plane(world, vec(0, 0, 0), vec(0, 1, 0));
	put_plane(world, vec(0, width, 0), vec(0, -1, 0));
}

static inline uint32_t put_grain(talus_world *world, vec3 at, double radius, vec3 velocity)
{
	talus_grain_def def = talus_grain_def_default();
	def.at = at;
	def.radius = radius;
	def.velocity = velocity;
	return talus_world_add_grain(world, &def);
}

// ---------------------------------------------------------------- looking at grains

typedef struct grain {
	vec3 x, v, spin;
	double r, m;
} grain;

static inline grain look(const talus_world *world, uint32_t id)
{
	talus_grains g = talus_world_grains(world);
	for (size_t i = 0; i < g.count; i++)
		if (g.id[i] == id)
			return (grain){g.x[i], g.v[i], g.spin[i], g.radius[i], g.mass[i]};
	fail_msg("no grain %u", id);
	return (grain){.m = 0};
}

static inline void run(talus_world *world, int steps)
{
	for (int s = 0; s < steps; s++)
		talus_world_step(world);
}

// A vector in (-1, 1)^3, number `i` of a stream; in 2D without z.
static inline vec3 random_vector(int dimension, uint64_t stream, uint64_t i)
{
	return vec(2*random_unit(stream, 3*i) - 1, 2*random_unit(stream, 3*i + 1) - 1,
	           dimension == 3 ? 2*random_unit(stream, 3*i + 2) - 1 : 0);
}

// Random velocities and spins of up to 3 or so.
static inline void stir(talus_world *world, uint64_t stream)
{
	int dimension = world->state.def.dimension;
	for (size_t i = 0; i < world->state.bodies.count; i++) {
		world->state.bodies.v[i] = mul(3, random_vector(dimension, stream, i));
		vec3 spin = mul(3, random_vector(3, stream, 1000 + i));
		world->state.bodies.spin[i] = dimension == 2 ? vec(0, 0, spin.z) : spin;
	}
}

static inline uint64_t test_stream(uint64_t number)
{
	return random_stream(20240, RANDOM_FILL, number, 0);
}

#endif
