// SPDX-License-Identifier: MIT
// What is set, added or removed between steps: it is part of the state, a file keeps it, the energy budget stays closed, and the number of threads
// does not matter.
#include "api.h"

#include "state/cell.h"

#include <stdlib.h>

typedef struct action {
	const char *name;
	enum { BED, BATH, DRIVE } where;
	bool (*act)(talus_world *world, int time); // the first or the second time
	bool same_again; // what is set once more is as it was
} action;

static bool velocities(talus_world *w, int time)
{
	return talus_world_set_velocity(w, 3, vec(1 + time, 0.5, 2)) && talus_world_set_velocity(w, 50, vec(-1, time, 0));
}

static bool spins(talus_world *w, int time)
{
	return talus_world_set_spin(w, 7, vec(3, -2, 1 + time));
}

static bool forces(talus_world *w, int time)
{
	return talus_world_set_force(w, 11, vec(2, 1, 30 - 8*time)) && talus_world_set_force(w, 60, vec(0, -5, 0));
}

static bool gravity(talus_world *w, int time)
{
	return talus_world_set_gravity(w, vec(time ? -1 : 2, 0, -8));
}

static bool wall_velocity(talus_world *w, int time)
{
	return talus_world_set_wall_velocity(w, 1, vec(0.3, 0, time ? 0.2 : 0)) &&
	       talus_world_set_wall_velocity(w, talus_world_find_wall(w, "side"), vec(time ? 0.1 : -0.2, 0, 0));
}

static bool wall_spin(talus_world *w, int time)
{
	return talus_world_set_wall_spin(w, 5, time ? 0 : -2) && talus_world_set_wall_spin(w, 0, 0.5*(1 - time));
}

static bool wall_force(talus_world *w, int time)
{
	return talus_world_set_wall_force(w, 6, vec(0, 0, time ? -10 : -90));
}

static bool pressure(talus_world *w, int time)
{
	return talus_world_set_cell_pressure(w, time ? 2 : 9);
}

static bool rate(talus_world *w, int time)
{
	return talus_world_set_cell_rate(w, 0, 1, time ? -0.4 : 0.9);
}

static bool stress(talus_world *w, int time)
{
	return talus_world_set_cell_stress(w, 1, 1, time ? 3 : 8) && talus_world_set_cell_rate(w, 0, 0, time ? 0.05 : -0.05);
}

static bool adding(talus_world *w, int time)
{
	talus_grain_def def = talus_grain_def_default();
	bool flat = w->state.def.dimension == 2;
	def.at = flat ? vec(3 + time, 4, 0) : vec(3, 3 + time, 10.9);
	def.radius = flat ? 0.2 : 0.25;
	def.velocity = flat ? vec(1, 0, 0) : vec(0, 0.5, -1);
	return talus_world_add_grain(w, &def) == talus_world_grains(w).count - 1 + w->removed;
}

static bool removing(talus_world *w, int time)
{
	return time ? talus_world_remove_grain(w, 17) : talus_world_remove_grains(w, (const uint32_t[]){4, 88, 30, 31}, 4);
}

static bool changing(talus_world *w, int time)
{
	return removing(w, time) && adding(w, time) && talus_world_set_velocity(w, 90 + (uint32_t)time, vec(0, 0, -2));
}

static bool wall_added(talus_world *w, int time)
{
	talus_wall_def def = talus_wall_def_default(TALUS_WALL_CYLINDER);
	snprintf(def.name, sizeof def.name, "post%d", time);
	def.point = vec(1 + time, 1, 20);
	def.axis = vec(0, 1, 0);
	def.inside = false;
	def.velocity = vec(0, 0, -3);
	def.spin = time;
	return talus_world_add_wall(w, &def) == 7 + time;
}

static const action actions[] = {
	{"velocity", BED, velocities, true}, {"spin", BED, spins, true}, {"force", BED, forces, true}, {"gravity", BED, gravity, true},
	{"wall velocity", BED, wall_velocity, true}, {"wall spin", BED, wall_spin, true}, {"wall force", BED, wall_force, true},
	{"pressure", BATH, pressure, true}, {"rate", DRIVE, rate, true}, {"stress", DRIVE, stress, true}, {"adding", BED, adding, false},
	{"adding to a cell", DRIVE, adding, false}, {"removing", BED, removing, false}, {"coming and going", BED, changing, false},
	{"a wall", BED, wall_added, false},
};
enum { ACTIONS = sizeof actions/sizeof actions[0], BEFORE = 260, BETWEEN = 25 };

static talus_world *start(const action *a, int threads)
{
	talus_world *world = a->where == BED ? api_bed(threads) : api_cell(a->where == BATH, threads);
	api_steps(world, BEFORE);
	return world;
}

static void assert_closed(const talus_world *world, double balance, const char *name)
{
	double off = fabs(api_balance(world) - balance);
	if (!(off <= 1e-11*api_scale(world)))
		fail_msg("%s: the energy budget is open by %g of %g", name, off, api_scale(world));
}

// The budget, the hash, and the path of the world through files: saved and restored right after each change.
static void run_action(const action *a)
{
	talus_world *world = start(a, 1), *kept = NULL;
	talus_error error;
	double balance = api_balance(world);
	for (int time = 0; time < 2; time++) {
		uint64_t before = talus_world_hash(world);
		if (!a->act(world, time) || (kept && !a->act(kept, time)))
			fail_msg("%s: %s", a->name, talus_world_error(world) ? talus_world_error(world)->text : "refused");
		assert_closed(world, balance, a->name);
		uint64_t after = talus_world_hash(world);
		assert_true(after != before);
		if (a->same_again) {
			assert_true(a->act(world, time));
			assert_true(talus_world_hash(world) == after);
			assert_closed(world, balance, a->name);
		}
		if (!talus_world_save(kept ? kept : world, "state_set.h5", &error))
			fail_msg("%s: %s", a->name, error.text);
		talus_world *again = talus_world_restore(world, "state_set.h5", &error);
		if (!again)
			fail_msg("%s: %s", a->name, error.text);
		talus_world_destroy(kept);
		kept = again;
		kept->team_from = 0;
		assert_true(talus_world_hash(kept) == after);
		assert_near(api_balance(kept), api_balance(world), 0);
		api_steps(world, BETWEEN);
		api_steps(kept, BETWEEN);
		assert_true(talus_world_hash(kept) == talus_world_hash(world));
		assert_closed(world, balance, a->name);
	}
	talus_world_destroy(kept);
	uint64_t end = talus_world_hash(world);
	talus_world_destroy(world);
	for (int threads = 2; threads <= 3; threads++) {
		world = start(a, threads);
		for (int time = 0; time < 2; time++) {
			assert_true(a->act(world, time));
			api_steps(world, BETWEEN);
		}
		assert_true(talus_world_hash(world) == end);
		talus_world_destroy(world);
	}
}

static void test_actions(void **state)
{
	(void)state;
	for (int i = 0; i < ACTIONS; i++)
		run_action(&actions[i]);
}

// ---------------------------------------------------------------- what it does

// A scene's values set to what they are leave no trace, in the hash or in the file.
static void test_no_trace(void **state)
{
	(void)state;
	talus_world *world = api_bed(1);
	api_steps(world, 30);
	uint64_t before = talus_world_hash(world);
	assert_true(talus_world_set_gravity(world, vec(0, 0, -10)) && talus_world_set_wall_velocity(world, 1, vec(0, 0, 0)) &&
	            talus_world_set_wall_force(world, 6, vec(0, 0, -20)) && talus_world_set_wall_spin(world, 5, 0.7));
	assert_true(talus_world_set_force(world, 0, vec(0, 0, 0)));
	assert_true(talus_world_hash(world) == before);
	assert_true(talus_world_set_gravity(world, vec(0, 0, -9)) && talus_world_set_gravity(world, vec(0, 0, -10)));
	assert_true(talus_world_hash(world) == before);
	assert_false(world->given.gravity_set || world->given.forces_set || world->state.walls.at[1].set.any);
	talus_world_destroy(world);
}

// A ball that is thrown again and again by setting its velocity and gravity goes where it should, at any step.
static void test_throw(void **state)
{
	(void)state;
	for (int n = 10; n <= 160; n *= 4) {
		talus_world_def def = unit_def(3);
		def.step = 1.0/n;
		talus_world *world = talus_world_create(&def);
		talus_world_add_material(world, "ball", 2);
		uint32_t id = unit_grain(world, vec(0, 0, 0), 1, vec(0, 0, 0));
		double mass = talus_world_grains(world).mass[0];
		assert_true(talus_world_set_velocity(world, id, vec(1, 0, 2)));
		assert_near(talus_world_energy(world).added, 0.5*mass*5, 1e-12);
		api_steps(world, n);
		assert_near3(talus_world_grains(world).x[0], vec(1, 0, 2), 1e-12);
		assert_true(talus_world_set_gravity(world, vec(0, -2, 0)));
		api_steps(world, n); // implicit Euler: half a step more than t^2
		assert_near3(talus_world_grains(world).x[0], vec(2, -1 - def.step, 4), 1e-11);
		assert_true(talus_world_set_gravity(world, vec(0, 0, 0)));
		assert_true(talus_world_set_force(world, id, vec(0, 2*mass, 0)));
		api_steps(world, n); // the velocity -2 is taken back
		assert_near3(talus_world_grains(world).v[0], vec(1, 0, 2), 1e-12);
		assert_near(api_balance(world), 0, 1e-11*api_scale(world));
		talus_world_destroy(world);
	}
}

// A wall that is given velocities goes on from where it is, to the last bit of its way, swinging as before.
static void test_wall_way(void **state)
{
	(void)state;
	talus_world *world = api_bed(1);
	const wall *side = &world->state.walls.at[2];
	double dt = world->state.def.step, x = 6;
	for (int part = 0; part < 4; part++) {
		double v = part - 1.5;
		assert_true(talus_world_set_wall_velocity(world, 2, vec(v, 0, 0)));
		assert_near(side->point.x, x + 0.05*(sin(2*M_PI*(3*world->state.time + 0.2)) - sin(2*M_PI*0.2)), 1e-12);
		api_steps(world, 7 + part);
		x += (7 + part)*dt*v;
	}
	assert_near(side->point.x, x + 0.05*(sin(2*M_PI*(3*world->state.time + 0.2)) - sin(2*M_PI*0.2)), 1e-12);
	double angle = world->state.walls.at[5].angle;
	assert_near(angle, 0.7*world->state.time, 1e-12);
	assert_true(talus_world_set_wall_spin(world, 5, -3));
	api_steps(world, 10);
	assert_near(world->state.walls.at[5].angle, angle - 30*dt, 1e-12);
	talus_world_destroy(world);
}

static bool of(const talus_contact_state *c, int64_t id)
{
	return c->a == id || c->b == id;
}

// Ids are never given twice; contacts of those who stay are still theirs, those of the others are gone.
static void test_contacts_follow(void **state)
{
	(void)state;
	talus_world *world = api_bed(1);
	api_steps(world, 600);
	size_t all = talus_world_contacts(world), with = 0, turning = 0;
	talus_contact_state *before = calloc(all, sizeof *before);
	for (size_t i = 0; i < all; i++) {
		before[i] = talus_world_contact(world, i);
		turning += norm(before[i].torque) > 0;
		with += of(&before[i], 20) || of(&before[i], 60);
	}
	assert_true(with > 0 && turning > 3);
	assert_true(talus_world_remove_grains(world, (const uint32_t[]){20, 60}, 2));
	assert_int_equal(talus_world_contacts(world), all - with);
	for (size_t i = 0, k = 0; i < all; i++) {
		if (of(&before[i], 20) || of(&before[i], 60))
			continue;
		talus_contact_state now = talus_world_contact(world, k++);
		assert_int_equal(now.a, before[i].a);
		assert_int_equal(now.b, before[i].b);
		assert_near3(now.at, before[i].at, 0);
		assert_near3(now.force, before[i].force, 0);
		assert_near3(now.torque, before[i].torque, 0);
	}
	talus_grain_def def = talus_grain_def_default();
	def.at = vec(3, 3, 10.9);
	def.radius = 0.2;
	assert_int_equal(talus_world_add_grain(world, &def), 90);
	assert_false(talus_world_remove_grain(world, 20));
	assert_string_equal(talus_world_error(world)->text, "there is no grain with the id 20");
	assert_false(talus_world_remove_grains(world, (const uint32_t[]){1, 1}, 2));
	assert_int_equal(talus_world_grains(world).count, 89);
	api_steps(world, 5);
	assert_int_equal(talus_world_step(world).removed, 2);
	free(before);
	talus_world_destroy(world);
}

// ---------------------------------------------------------------- runs

static const char steered[] =
	"dimension: 2\n"
	"gravity: [0, -1]\n"
	"materials: {glass: {density: 1}}\n"
	"contacts: [{between: [glass, glass], friction: 0.5}]\n"
	"grains: [{fill: {count: 30, radius: 0.5, in: {box: [[0, 1], [10, 12]]}}}]\n"
	"walls: {floor: {plane: {point: [0, 0], normal: [0, 1]}}, left: {plane: {point: [0, 0], normal: [1, 0]}},\n"
	"  right: {plane: {point: [10, 0], normal: [-1, 0]}}}\n"
	"method: {contact_dynamics: {step: 0.01}}\n"
	"run: {until: {time: 3}}\n";

static void steer(talus_world *w)
{
	talus_grain_def def = talus_grain_def_default();
	def.at = vec(5, 20, 0);
	def.radius = 0.4;
	assert_true(talus_world_set_gravity(w, vec(0.3, -2, 0)) && talus_world_set_wall_velocity(w, 2, vec(-0.1, 0, 0)));
	assert_true(talus_world_remove_grain(w, 7) && talus_world_add_grain(w, &def) == 30 && talus_world_set_force(w, 2, vec(0, 1, 0)));
}

// A run whose world was steered is resumed from its folder, with the scene as it was, and goes on bit for bit.
static void test_steered_run(void **state)
{
	(void)state;
	uint64_t hash[2];
	talus_error error;
	for (int broken = 0; broken < 2; broken++) {
		talus_run_def def = talus_run_def_default();
		def.folder = broken ? "broken" : "whole";
		def.text = steered;
		def.replace = true;
		talus_run *run = talus_run_create(NULL, NULL);
		if (!talus_run_start(run, &def, &error) || !talus_run_advance(run, 100, 0, &error))
			fail_msg("%s", error.text);
		steer(talus_run_world(run));
		assert_true(talus_run_advance(run, 50, 0, &error));
		if (broken) {
			assert_true(talus_run_finish(run, &error));
			talus_run_destroy(run);
			run = talus_run_create(NULL, NULL);
			if (!talus_run_resume(run, &def, &error))
				fail_msg("%s", error.text);
		}
		assert_true(talus_run_advance(run, 0, 0, &error));
		assert_int_equal(talus_run_status(run), TALUS_RUN_DONE);
		hash[broken] = talus_world_hash(talus_run_world(run));
		assert_int_equal(talus_world_grains(talus_run_world(run)).count, 30);
		talus_run_destroy(run);
	}
	assert_true(hash[0] == hash[1]);
}

// A file says in what it is of another world.
static void test_restore_other(void **state)
{
	(void)state;
	talus_error error;
	talus_world *world = api_bed(1), *other = api_cell(true, 1);
	assert_true(talus_world_save(world, "state_set.h5", &error));
	assert_null(talus_world_restore(other, "state_set.h5", &error));
	assert_string_equal(error.text, "it does not belong to this world: the dimension is another one");
	assert_true(talus_world_set_pair(world, &(talus_pair){.a = 0, .b = 0, .friction = 0.31}));
	assert_null(talus_world_restore(world, "state_set.h5", &error));
	assert_string_equal(error.text, "it does not belong to this world: `contacts` is made otherwise");
	assert_null(talus_world_restore(world, "nowhere.h5", &error));
	assert_true(*error.text);
	assert_false(talus_world_save(world, "no/such/folder/state.h5", &error));
	assert_int_equal(talus_world_grains(world).count, 90);
	talus_world_destroy(world);
	talus_world_destroy(other);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_actions), cmocka_unit_test(test_no_trace), cmocka_unit_test(test_throw), cmocka_unit_test(test_wall_way),
		cmocka_unit_test(test_contacts_follow), cmocka_unit_test(test_restore_other), cmocka_unit_test(test_steered_run),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
