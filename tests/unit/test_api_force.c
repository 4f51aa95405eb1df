// SPDX-License-Identifier: MIT
// Forces that a function adds, step by step.
#include "api.h"

typedef struct field { // what the function does
	vec3 force;
	int calls;
	size_t rows;
	double spring; // towards the origin
	bool mad;
} field;

static void push(const talus_world *world, talus_vec3 *force, void *context)
{
	field *f = context;
	talus_grains g = talus_world_grains(world);
	f->calls++;
	f->rows = g.count;
	for (size_t i = 0; i < g.count; i++) {
		assert_near3(force[i], vec(0, 0, 0), 0);
		force[i] = f->spring > 0 ? mul(-f->spring, g.x[i]) : g.id[i] == 0 ? f->force : vec(0, 0, 0);
		if (f->mad && g.id[i] == 1)
			force[i].x = NAN;
	}
}

// Step by step it is what a constant force is, to the last bit; the energy goes into `added` instead of the potential.
static void test_like_a_constant_one(void **state)
{
	(void)state;
	for (int threads = 1; threads <= 3; threads++) {
		talus_world *one = api_bed(threads), *other = api_bed(threads);
		field f = {.force = vec(3, -2, 8)};
		assert_true(talus_world_set_force(one, 0, f.force));
		assert_true(talus_world_set_force(one, 1, vec(0, 1, 0)) && talus_world_set_force(other, 1, vec(0, 1, 0))); // as it stays
		talus_world_set_force_function(other, push, &f);
		double balance = api_balance(one), balance_other = api_balance(other);
		api_steps(one, 300);
		api_steps(other, 300);
		assert_int_equal(f.calls, 300);
		assert_int_equal(f.rows, 90);
		one->given.forces_set = other->given.forces_set = false; // all that is left to tell them apart by
		for (size_t i = 0; i < 90; i++) {
			size_t row = unit_row(other, one->state.bodies.id[i]);
			assert_near3(one->state.bodies.x[i], other->state.bodies.x[row], 0);
			assert_near3(one->state.bodies.v[i], other->state.bodies.v[row], 0);
			assert_near3(other->state.bodies.force[row], vec(0, other->state.bodies.id[row] == 1, 0), 0);
		}
		assert_true(talus_world_hash(one) == talus_world_hash(other));
		assert_near(api_balance(one), balance, 1e-11*api_scale(one));
		assert_near(api_balance(other), balance_other, 1e-11*api_scale(other));
		talus_world *start = api_bed(1);
		vec3 way = sub(other->state.bodies.x[unit_row(other, 0)], start->state.bodies.x[0]);
		assert_near(talus_world_energy(other).added, dot(f.force, way) - start->state.bodies.x[1].y, 1e-9);
		talus_world_destroy(start);
		talus_world_destroy(one);
		talus_world_destroy(other);
	}
}

// A ball on a spring swings with the right period, at any step, and the work of the spring is what the ball's energy comes from.
static void test_spring(void **state)
{
	(void)state;
	double error[3];
	for (int k = 0; k < 3; k++) {
		int n = 400 << k;
		talus_world_def def = unit_def(2);
		def.step = 2*M_PI/n;
		talus_world *world = talus_world_create(&def);
		talus_world_add_material(world, "ball", 1);
		unit_grain(world, vec(1, 0, 0), 0.1, vec(0, 0, 0));
		field f = {.spring = talus_world_grains(world).mass[0]}; // a turn in 2 pi
		talus_world_set_force_function(world, push, &f);
		api_steps(world, n);
		error[k] = fabs(talus_world_grains(world).v[0].x);
		talus_energy e = talus_world_energy(world);
		assert_near(e.kinetic + e.numerical - e.added, 0, 1e-13);
		talus_world_set_force_function(world, NULL, NULL);
		talus_world_step(world);
		assert_int_equal(f.calls, n);
		talus_world_destroy(world);
	}
	assert_true(error[0] < 0.03 && error[1] < 0.6*error[0] && error[2] < 0.6*error[1]);
}

// In a cell that deforms, with grains that come and go, and with one that is held on its way: the budget stays closed.
static void test_budget(void **state)
{
	(void)state;
	uint64_t hash[3];
	for (int threads = 1; threads <= 3; threads++) {
		talus_world *world = api_cell(false, threads);
		field f = {.spring = 0.2};
		talus_world_set_force_function(world, push, &f);
		double balance = api_balance(world);
		api_steps(world, 200);
		talus_grain_def held = talus_grain_def_default();
		held.at = vec(2, 2, 0);
		held.radius = 0.1;
		held.velocity = vec(0.3, 0.1, 0);
		held.free = TALUS_FREE_Y;
		assert_true(talus_world_add_grain(world, &held) != TALUS_NO_GRAIN);
		assert_true(talus_world_remove_grain(world, 5));
		api_steps(world, 200);
		assert_int_equal(f.rows, 70);
		assert_near(api_balance(world), balance, 1e-11*api_scale(world));
		assert_true(fabs(talus_world_energy(world).added) > 0.1);
		hash[threads - 1] = talus_world_hash(world);
		talus_world_destroy(world);
	}
	assert_true(hash[0] == hash[1] && hash[0] == hash[2]);
}

// What is not finite does not count, and a restored world goes on with the function of the other.
static void test_mad_and_restored(void **state)
{
	(void)state;
	talus_error error;
	talus_world *one = api_bed(1), *other = api_bed(2);
	field f = {.force = vec(1, 0, 0)}, mad = {.force = vec(1, 0, 0), .mad = true};
	talus_world_set_force_function(one, push, &f);
	talus_world_set_force_function(other, push, &mad);
	api_steps(one, 40);
	api_steps(other, 40);
	assert_true(talus_world_hash(one) == talus_world_hash(other));
	assert_true(talus_world_save(one, "state_force.h5", &error));
	talus_world *again = talus_world_restore(one, "state_force.h5", &error);
	assert_non_null(again);
	api_steps(one, 40);
	api_steps(again, 40);
	assert_int_equal(f.calls, 120);
	assert_true(talus_world_hash(one) == talus_world_hash(again));
	talus_world_destroy(one);
	talus_world_destroy(other);
	talus_world_destroy(again);
}

// In the middle of a step nothing may change: whatever the function tries is refused, and the step is as if it had not tried.
static void meddle(const talus_world *asked, talus_vec3 *force, void *context)
{
	talus_world *world = context;
	talus_grain_def grain = talus_grain_def_default();
	talus_wall_def plane = talus_wall_def_default(TALUS_WALL_PLANE);
	talus_pair law = talus_world_pair(world, 0, 0);
	grain.at = vec(100, 100, 100);
	law.friction = 0.9;
	talus_grains g = talus_world_grains(asked);
	for (size_t i = 0; i < g.count; i++)
		force[i] = g.id[i] == 0 ? vec(1, 0, 0) : vec(0, 0, 0);
	uint64_t step = talus_world_step(world).step;
	assert_true(talus_world_error(asked) && step == asked->state.step);
	assert_false(talus_world_set_velocity(world, 0, vec(1, 2, 3)) || talus_world_set_spin(world, 0, vec(0, 0, 1)));
	assert_false(talus_world_set_force(world, 0, vec(1, 2, 3)) || talus_world_set_gravity(world, vec(0, 0, 9)));
	assert_false(talus_world_set_wall_velocity(world, 0, vec(0, 0, 1)) || talus_world_set_pair(world, &law));
	assert_false(talus_world_set_simd(world, TALUS_SIMD_GENERIC));
	assert_false(talus_world_set_threads(world, 3) || talus_world_remove_grain(world, 0));
	assert_true(talus_world_add_grain(world, &grain) == TALUS_NO_GRAIN && talus_world_add_wall(world, &plane) == -1);
	assert_int_equal(talus_world_add_material(world, "another", 1), -1);
	assert_int_equal(talus_world_advance(world, 1000, 0, 0), TALUS_STOPPED_REFUSED);
	talus_world_set_force_function(world, NULL, NULL);
}

static void test_meddling(void **state)
{
	(void)state;
	talus_world *one = api_bed(1), *other = api_bed(2);
	field f = {.force = vec(1, 0, 0)};
	talus_world_set_force_function(one, push, &f);
	talus_world_set_force_function(other, meddle, other);
	api_steps(one, 3);
	api_steps(other, 3);
	assert_true(talus_world_hash(one) == talus_world_hash(other));
	assert_true(talus_world_set_gravity(other, vec(0, 0, -2)));
	talus_world_destroy(one);
	talus_world_destroy(other);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_like_a_constant_one), cmocka_unit_test(test_spring), cmocka_unit_test(test_budget),
		cmocka_unit_test(test_mad_and_restored), cmocka_unit_test(test_meddling),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
