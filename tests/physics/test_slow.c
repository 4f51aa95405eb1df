// SPDX-License-Identifier: MIT
// Slow dense flow by the default solver: right loads for few sweeps.
#include "physics.h"

// A column of disks four times as high as wide, at rest.
static talus_world *column(double dt)
{
	talus_error error;
	talus_world_def def = talus_world_def_default();
	def.dimension = 2;
	def.step = dt;
	def.gravity = vec(0, -1, 0);
	talus_world *world = world_of(&def, 0.5);
	put_box(world, 8);
	talus_fill_def fill = {.count = 250, .arrangement = TALUS_ARRANGE_LATTICE, .jitter = 0.5,
	                       .radius = {.kind = TALUS_SIZE_UNIFORM, .a = 0.4, .b = 0.6}};
	fill.in.box.high = vec(8, 60, 0);
	assert_true(talus_world_fill(world, &fill, &error));
	run(world, (int)(20/dt));
	return world;
}

static double weight_of(const talus_world *world)
{
	talus_grains g = talus_world_grains(world);
	double weight = 0;
	for (size_t i = 0; i < g.count; i++)
		weight += g.mass[i];
	return weight;
}

// Side walls that rise slowly take most of the weight off the floor (Janssen 1895), as much with loose as with strict rules.
static double floor_load(talus_world *world, double error, double *sweeps, double *capped)
{
	double load = 0, time = 12, dt = world->state.def.step;
	int steps = (int)(time/dt), counted = 0;
	world->state.def.solver.tolerance = error;
	world->state.walls.at[1].def.velocity = world->state.walls.at[2].def.velocity = vec(0, 0.05, 0);
	talus_step_report before = talus_world_step(world), last = before;
	for (int i = 0; i < steps; i++) {
		last = talus_world_step(world);
		if (3*i > steps) {
			load -= talus_world_wall(world, 0).force.y;
			counted++;
		}
	}
	*sweeps = (double)(last.iterations_all - before.iterations_all)/steps;
	*capped = (double)(last.capped_all - before.capped_all)/steps;
	return load/counted;
}

static void test_janssen(void **state)
{
	(void)state;
	static const double time_steps[] = {0.01, 0.02};
	for (size_t k = 0; k < COUNT(time_steps); k++) {
		double sweeps, capped, fine_sweeps, fine_capped;
		talus_world *world = column(time_steps[k]), *fine = column(time_steps[k]);
		double weight = weight_of(world), load = floor_load(world, 0.01, &sweeps, &capped)/weight;
		double right = floor_load(fine, 1e-3, &fine_sweeps, &fine_capped)/weight;
		print_message("step %g: floor %.3f of the weight, %.1f sweeps, %.4f capped; ten times stricter %.3f, %.1f, %.4f\n", time_steps[k], load, sweeps,
		       capped, right, fine_sweeps, fine_capped);
		assert_true(load > 0.1 && load < 0.5);
		assert_near(load, right, 0.1);
		assert_below(sweeps, 30);
		assert_below(capped, 0.01);
		talus_world_destroy(world);
		talus_world_destroy(fine);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_janssen),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
