// SPDX-License-Identifier: MIT
// A world as its users see it: making, stepping, looking, hashing.
#include "unit.h"

#include "state/bodies.h"
#include "io/scene.h"
#include "solve/solve.h"
#include "method/contact_dynamics.h"

static void test_defaults(void **state)
{
	(void)state;
	talus_world_def def = talus_world_def_default();
	assert_int_equal(def.dimension, 3);
	assert_true(def.step > 0 && def.seed == 1 && !def.has_domain);
	assert_int_equal(talus_grain_def_default().free, TALUS_FREE_ALL);
	talus_world_destroy(NULL);
}

static talus_solver_def solver_of(talus_solver_def wanted)
{
	talus_world_def def = talus_world_def_default();
	def.solver = wanted;
	talus_world *world = talus_world_create(&def);
	talus_solver_def got = world->state.def.solver;
	talus_world_destroy(world);
	return got;
}

// The default, `auto` alone, and a scene that says nothing of a solver are the same; what is said counts.
static void test_solver_defaults(void **state)
{
	(void)state;
	talus_error error;
	scene *s = scene_read_text("materials: {glass: {density: 1}}\ngrains: [{grain: {at: [0, 0, 0], radius: 1}}]\n"
	                           "method: {contact_dynamics: {step: 0.01}}\nrun: {until: {time: 1}}\n", "scene.yaml", NULL, 0, &error);
	assert_non_null(s);
	const talus_solver_def same[] = {s->world.solver, talus_world_def_default().solver,
	                                 solver_of((talus_solver_def){.kind = TALUS_SOLVER_AUTO})};
	for (size_t i = 0; i < 3; i++) {
		const talus_solver_def *d = &same[i];
		assert_true(d->kind == TALUS_SOLVER_AUTO && d->stop == TALUS_STOP_ERROR && d->order == TALUS_ORDER_SHUFFLED);
		assert_true(d->tolerance == 0.01 && d->max_iterations == 1000 && d->relaxation == 1 && d->gap == TALUS_GAP_POSITIVE);
	}
	scene_free(s);
	talus_solver_def d = solver_of((talus_solver_def){.kind = TALUS_SOLVER_AUTO, .iterations = 7});
	assert_true(d.stop == TALUS_STOP_ITERATIONS && d.iterations == 7);
	d = solver_of((talus_solver_def){.kind = TALUS_SOLVER_NSGS});
	assert_true(d.stop == TALUS_STOP_ITERATIONS && d.iterations == 100 && d.max_iterations == 10000 && d.relaxation == 1);
}

// No grains, no walls; no grains but walls; one grain: all of them are worlds.
static void test_nearly_nothing(void **state)
{
	(void)state;
	for (int k = 0; k < 3; k++) {
		talus_world_def def = unit_def(3);
		talus_world *world = unit_world(&def, 0);
		if (k == 1)
			unit_plane(world, "floor", vec(0, 0, 0), vec(0, 0, 1));
		if (k == 2)
			unit_grain(world, vec(0, 0, 0), 1, vec(1, 0, 0));
		for (int step = 1; step <= 20; step++) {
			talus_step_report r = talus_world_step(world);
			assert_int_equal(r.step, step);
			assert_near(r.time, 0.01*step, 1e-12);
			assert_int_equal(r.grains, k == 2);
			assert_int_equal(r.contacts, 0);
			assert_true(r.residual == 0 && r.mean_overlap == 0 && r.max_overlap == 0);
		}
		talus_world_destroy(world);
	}
}

// Everybody leaves.
static void test_all_gone(void **state)
{
	(void)state;
	talus_world_def def = unit_def(3);
	def.has_domain = true;
	def.domain = (talus_box){{-5, -5, -5}, {5, 5, 5}};
	talus_world *world = unit_world(&def, 0);
	unit_plane(world, "floor", vec(0, 0, -9), vec(0, 0, 1));
	unit_grain(world, vec(0, 0, 4.9), 1, vec(0, 0, 10));
	unit_grain(world, vec(0, 0, 0), 1, vec(0, 0, 0));
	talus_world_step(world);
	talus_world_step(world);
	talus_step_report r = talus_world_step(world);
	assert_int_equal(r.grains, 1);
	assert_int_equal(r.removed, 1);
	world->state.bodies.x[0].x = NAN;
	r = talus_world_step(world);
	assert_int_equal(r.grains, 0);
	assert_int_equal(r.removed, 2);
	talus_world_step(world);
	uint32_t id = unit_grain(world, vec(0, 0, 0), 1, vec(0, 0, 0));
	assert_int_equal(id, 2);
	assert_int_equal(talus_world_step(world).grains, 1);
	talus_world_destroy(world);
}

// Along a periodic direction nobody leaves a domain that is as wide as the cell.
static void test_domain_and_cell(void **state)
{
	(void)state;
	talus_world_def def = unit_def(3);
	def.cell = (talus_cell_def){.origin = {0, 0, 0}, .size = {20, 0, 0}, .periodic = {true, false, false}};
	def.has_domain = true;
	def.domain = (talus_box){{0, -9, -9}, {20, 9, 9}};
	talus_world *world = unit_world(&def, 0);
	unit_grain(world, vec(19.9, 0, 0), 1, vec(1, 0, 0));
	for (int step = 0; step < 100; step++)
		assert_int_equal(talus_world_step(world).grains, 1);
	talus_world_destroy(world);
}

// A pair's law holds in both orders, and outlives materials that come later. What was never said is
// frictionless.
static void test_pairs(void **state)
{
	(void)state;
	talus_world_def def = unit_def(3);
	talus_world *world = talus_world_create(&def);
	int a = talus_world_add_material(world, "a", 1), b = talus_world_add_material(world, "b", 2);
	talus_world_set_pair(world, &(talus_pair){.a = a, .b = b, .friction = 0.4});
	assert_int_equal(talus_world_add_material(world, "a name that is longer than sixty-three letters, which is refused", 3), -1);
	int c = talus_world_add_material(world, "c", 3);
	talus_world_set_pair(world, &(talus_pair){.a = c, .b = a, .friction = 0.6});
	double mu[3][3] = {{0, 0.4, 0.6}, {0.4, 0, 0}, {0.6, 0, 0}};
	for (int i = 0; i < 3; i++)
		for (int k = 0; k < 3; k++)
			assert_near(world->state.pair[i*3 + k].friction, mu[i][k], 0);
	assert_near(world->state.material[1].density, 2, 0);
	talus_world_destroy(world);
}

// The force of a contact is on b, along n when pressed, and at the surface of b.
static void test_contact_state(void **state)
{
	(void)state;
	talus_world_def def = unit_def(3);
	def.gravity.z = -1;
	def.solver.iterations = 300;
	talus_world *world = unit_world(&def, 0.3);
	for (int w = 0; w < 12; w++) // more walls than there was room for at first
		unit_plane(world, "floor", vec(0, 0, w ? -50 - w : 0), vec(0, 0, 1));
	unit_grain(world, vec(0, 0, 3), 1, vec(0, 0, 0));
	unit_grain(world, vec(0, 0, 1), 1, vec(0, 0, 0));
	talus_world_step(world);
	double weight = 4*M_PI/3;
	talus_contact_state top = talus_world_contact(world, unit_contact(world, 0, 1));
	assert_near3(top.n, vec(0, 0, -1), 1e-15);
	assert_near3(top.force, vec(0, 0, -weight), 1e-9);
	assert_near3(top.at, vec(0, 0, 2), 1e-9);
	talus_contact_state floor = talus_world_contact(world, unit_contact(world, -1, 1));
	assert_near3(floor.force, vec(0, 0, 2*weight), 1e-9);
	assert_near3(floor.at, vec(0, 0, 0), 1e-9);
	assert_near(floor.gap, 0, 1e-12);
	assert_int_equal(talus_world_walls(world), 12);
	talus_grains g = talus_world_grains(world);
	assert_int_equal(g.count, 2);
	assert_near(g.mass[0], weight, 1e-12);
	assert_near(g.orientation[0].w, 1, 1e-12);
	talus_world_destroy(world);
}

static void test_report(void **state)
{
	(void)state;
	talus_world_def def = unit_def(3);
	def.gravity.z = -1;
	def.solver.iterations = 7;
	talus_world *world = unit_world(&def, 0);
	unit_plane(world, "floor", vec(0, 0, 0), vec(0, 0, 1));
	unit_grain(world, vec(0, 0, 1), 1, vec(0, 0, 0));
	unit_grain(world, vec(9, 0, 1), 1, vec(0, 0, 0));
	talus_step_report r = talus_world_step(world);
	assert_int_equal(r.contacts, 2);
	assert_int_equal(r.iterations, 7);
	assert_int_equal(r.iterations_all, 7);
	assert_int_equal(r.updates_all, 14);
	assert_int_equal(r.missed_contacts, 0);
	r = talus_world_step(world);
	assert_int_equal(r.iterations_all, 14);
	assert_int_equal(r.updates_all, 28);
	assert_true(r.residual < 1e-12 && r.seconds_solver >= 0);
	talus_world_destroy(world);
}

// ---------------------------------------------------------------- the hash

static talus_world *little_world(uint64_t seed)
{
	talus_world_def def = unit_def(3);
	def.gravity.z = -1;
	def.seed = seed;
	def.solver.iterations = 10;
	talus_world *world = unit_world(&def, 0.3);
	unit_plane(world, "floor", vec(0, 0, 0), vec(0, 0, 1));
	for (int i = 0; i < 27; i++)
		unit_grain(world, vec(1.9*(i%3) + 0.1*(i/9), 1.9*(i/3%3), 1 + 1.9*(i/9)), 1, vec(0, 0, 0));
	for (int step = 0; step < 5; step++)
		talus_world_step(world);
	return world;
}

// The hash sees every part of the state, down to the last bit, and not in which row a grain is.
static void test_hash(void **state)
{
	(void)state;
	talus_world *world = little_world(1);
	uint64_t hash = talus_world_hash(world);
	bodies *b = &world->state.bodies;
	double *part[] = {&b->x[3].x, &b->x[3].z, &b->v[4].y, &b->spin[5].z, &b->q[6][2], &b->radius[7],
		&world->state.walls.at[0].shift.y,
		&world->state.walls.at[0].v.x, &world->contacts.p[8].z};
	for (size_t k = 0; k < sizeof part/sizeof part[0]; k++) {
		double old = *part[k];
		*part[k] = nextafter(old, 1e9);
		assert_true(talus_world_hash(world) != hash);
		*part[k] = old;
		assert_true(talus_world_hash(world) == hash);
	}
	vec3 swap = b->x[3]; // two grains that change places are not the same state
	b->x[3] = b->x[4];
	b->x[4] = swap;
	assert_true(talus_world_hash(world) != hash);
	b->x[4] = b->x[3];
	b->x[3] = swap;
	uint32_t order[27];
	for (uint32_t i = 0; i < 27; i++)
		order[i] = (i*5 + 3)%27;
	char room[27*BODIES_WIDEST];
	bodies_reorder(b, order, room, NULL);
	assert_true(talus_world_hash(world) == hash);
	talus_world_destroy(world);
}

static void test_seeds(void **state)
{
	(void)state;
	talus_world *one = little_world(1), *same = little_world(1), *other = little_world(2);
	assert_true(talus_world_hash(one) == talus_world_hash(same));
	assert_true(talus_world_hash(one) != talus_world_hash(other));
	talus_world_destroy(one);
	talus_world_destroy(same);
	talus_world_destroy(other);
}

// A step in the middle of a run asks for no memory: buffers that have grown are used again.
static void test_buffers_are_kept(void **state)
{
	(void)state;
	talus_world *world = little_world(1);
	const void *before[] = {world->approach.motion, contact_dynamics_of(world)->solver_workspace->plan->of[TALUS_COULOMB].batch, world->bearing.at,
		world->contacts.contact,
		world->contacts.slot, world->list.pair};
	for (int step = 0; step < 5; step++)
		talus_world_step(world);
	const void *after[] = {world->approach.motion, contact_dynamics_of(world)->solver_workspace->plan->of[TALUS_COULOMB].batch, world->bearing.at,
		world->contacts.contact,
		world->contacts.slot, world->list.pair};
	assert_memory_equal(before, after, sizeof before);
	talus_world_destroy(world);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_defaults),
		cmocka_unit_test(test_solver_defaults),
		cmocka_unit_test(test_nearly_nothing),
		cmocka_unit_test(test_all_gone),
		cmocka_unit_test(test_domain_and_cell),
		cmocka_unit_test(test_pairs),
		cmocka_unit_test(test_contact_state),
		cmocka_unit_test(test_report),
		cmocka_unit_test(test_hash),
		cmocka_unit_test(test_seeds),
		cmocka_unit_test(test_buffers_are_kept),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
