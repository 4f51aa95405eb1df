// SPDX-License-Identifier: MIT
// Worlds for the tests of the public functions: a bed between walls, with a lid that is a piston and a wheel that turns, and a cell that deforms.
#ifndef TALUS_TESTS_API_H
#define TALUS_TESTS_API_H

#include "unit.h"

#include <math.h>

// What stays the same, to round-off.
static inline double api_balance(const talus_world *world)
{
	talus_energy e = talus_world_energy(world);
	return e.kinetic + e.potential + e.normal + e.friction + e.rolling + e.torsion + e.bonds + e.numerical - e.wall_work - e.driven_work -
	       e.cell_work - e.added;
}

static inline double api_scale(const talus_world *world)
{
	talus_energy e = talus_world_energy(world);
	return 1 + fabs(e.kinetic) + fabs(e.potential) + fabs(e.added) + fabs(e.wall_work) + fabs(e.cell_work) + fabs(e.friction);
}

static inline void api_steps(talus_world *world, int steps)
{
	for (int i = 0; i < steps; i++)
		talus_world_step(world);
}

static inline void api_threads(talus_world *world, int threads)
{
	assert_true(talus_world_set_threads(world, threads));
	world->team_from = 0; // however small the problem is
}

static inline void api_wall(talus_world *world, talus_wall_kind kind, const char *name, vec3 point, vec3 axis)
{
	talus_wall_def def = talus_wall_def_default(kind);
	snprintf(def.name, sizeof def.name, "%s", name);
	def.point = point;
	def.axis = axis;
	if (!strcmp(name, "lid")) {
		def.mass = 30;
		def.free = TALUS_FREE_Z;
		def.force = vec(0, 0, -20);
	}
	if (!strcmp(name, "wheel")) {
		def.inside = false;
		def.spin = 0.7;
	}
	if (!strcmp(name, "side")) {
		def.oscillate_direction = vec(1, 0, 0);
		def.oscillate_amplitude = 0.05;
		def.oscillate_frequency = 3;
		def.oscillate_phase = 0.2;
	}
	assert_true(talus_world_add_wall(world, &def) >= 0);
}

// Spheres of two materials fall into a box. Walls: 0 floor, 1 and 2 left and side, 3 front, 4 back, 5 wheel, 6 lid.
static inline talus_world *api_bed(int threads)
{
	talus_world_def def = talus_world_def_default();
	def.gravity = vec(0, 0, -10);
	def.step = 0.004;
	def.seed = 5;
	talus_world *world = talus_world_create(&def);
	assert_non_null(world);
	api_threads(world, threads);
	assert_int_equal(talus_world_add_material(world, "glass", 1), 0);
	assert_int_equal(talus_world_add_material(world, "steel", 3), 1);
	assert_true(talus_world_set_pair(world, &(talus_pair){.a = 0, .b = 0, .friction = 0.3}));
	assert_true(talus_world_set_pair(world, &(talus_pair){.a = 0, .b = 1, .friction = 0.5, .restitution = 0.4, .rolling = 0.1}));
	assert_true(talus_world_set_pair(world, &(talus_pair){.a = 1, .b = 1, .friction = 0.2, .cohesion = 2, .range = 0.02}));
	api_wall(world, TALUS_WALL_PLANE, "floor", vec(0, 0, 0), vec(0, 0, 1));
	api_wall(world, TALUS_WALL_PLANE, "left", vec(0, 0, 0), vec(1, 0, 0));
	api_wall(world, TALUS_WALL_PLANE, "side", vec(6, 0, 0), vec(-1, 0, 0));
	api_wall(world, TALUS_WALL_PLANE, "front", vec(0, 0, 0), vec(0, 1, 0));
	api_wall(world, TALUS_WALL_PLANE, "back", vec(0, 6, 0), vec(0, -1, 0));
	api_wall(world, TALUS_WALL_CYLINDER, "wheel", vec(3, 0, 1.2), vec(0, 1, 0));
	api_wall(world, TALUS_WALL_PLANE, "lid", vec(0, 0, 12), vec(0, 0, -1));
	for (int material = 0; material < 2; material++) {
		talus_fill_def fill = {.count = 45, .radius = {.kind = TALUS_SIZE_UNIFORM, .a = 0.3, .b = 0.5}, .material = material,
			.in = {.kind = TALUS_REGION_BOX, .box = {vec(0.1, 0.1, material ? 6 : 2.5), vec(5.8, 5.8, material ? 10 : 6)}}};
		talus_error error;
		assert_true(talus_world_fill(world, &fill, &error));
	}
	return world;
}

// Disks in a periodic cell: a pressure outside, or a rate along xy, stresses along xx and yy.
static inline talus_world *api_cell(bool bath, int threads)
{
	talus_world_def def = talus_world_def_default();
	def.dimension = 2;
	def.step = 0.005;
	def.cell.size = vec(12, 12, 0);
	def.cell.periodic[0] = def.cell.periodic[1] = true;
	def.cell.inertia = 2;
	def.cell.bath = bath;
	def.cell.pressure = bath ? 4 : 0;
	if (!bath) {
		def.cell.drive[0][0] = def.cell.drive[1][1] = TALUS_DRIVE_STRESS;
		def.cell.wanted[0][0] = def.cell.wanted[1][1] = 4;
		def.cell.drive[0][1] = TALUS_DRIVE_RATE;
		def.cell.wanted[0][1] = 0.3;
	}
	talus_world *world = talus_world_create(&def);
	assert_non_null(world);
	api_threads(world, threads);
	talus_world_add_material(world, "disk", 1);
	assert_true(talus_world_set_pair(world, &(talus_pair){.friction = 0.4}));
	talus_error error;
	talus_fill_def fill = {.count = 70, .radius = {.kind = TALUS_SIZE_UNIFORM, .a = 0.4, .b = 0.6},
		.in = {.kind = TALUS_REGION_BOX, .box = {vec(0, 0, 0), vec(12, 12, 0)}}};
	assert_true(talus_world_fill(world, &fill, &error));
	return world;
}

#endif
