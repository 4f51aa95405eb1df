// SPDX-License-Identifier: MIT
// The two ends of a step: velocities without contacts, new positions, and the books of energy.
#include "unit.h"

#include "method/contact_dynamics.h"
#include "observe/observe.h"

static talus_grain_def moving(void)
{
	talus_grain_def g = talus_grain_def_default();
	g.at = vec(1, 2, 3);
	g.velocity = vec(0.5, -1, 2);
	g.spin = vec(0.1, 0.2, 0.3);
	g.force = vec(3, 1, -2);
	return g;
}

// v' = v + dt (g + F/m), x' = x + dt v': after n steps x = x0 + n dt v0 + n (n + 1)/2 dt^2 a, at any step.
static void test_free_flight(void **state)
{
	(void)state;
	for (double dt = 0.001; dt < 1; dt *= 10) {
		talus_world_def def = unit_def(3);
		def.gravity = vec(0.1, 0, -9);
		def.step = dt;
		talus_world *world = unit_world(&def, 0);
		talus_grain_def g = moving();
		talus_world_add_grain(world, &g);
		vec3 a = mul_add(def.gravity, 1/world->state.bodies.mass[0], g.force);
		for (int n = 1; n <= 20; n++) {
			talus_world_step(world);
			assert_near3(world->state.bodies.v[0], mul_add(g.velocity, n*dt, a), 1e-12);
			assert_near3(world->state.bodies.x[0],
				add(mul_add(g.at, n*dt, g.velocity), mul(n*(n + 1)/2*dt*dt, a)), 1e-11);
			assert_near3(world->state.bodies.spin[0], g.spin, 1e-14);
		}
		talus_world_destroy(world);
	}
}

// Only free directions take up force; all keep the velocity they have. 2D has no z.
static void test_locked_directions(void **state)
{
	(void)state;
	for (unsigned free = 0; free < 16; free++)
		for (int dimension = 2; dimension <= 3; dimension++) {
			talus_world_def def = unit_def(dimension);
			def.gravity = vec(1, 2, dimension == 2 ? 0 : 3);
			talus_world *world = unit_world(&def, 0);
			talus_grain_def g = talus_grain_def_default();
			g.velocity = vec(7, 8, dimension == 2 ? 0 : 9);
			g.free = free;
			talus_world_add_grain(world, &g);
			talus_world_step(world);
			vec3 v = vec(7 + (free & 1 ? 0.01 : 0), 8 + (free & 2 ? 0.02 : 0),
				9 + (free & 4 ? 0.03 : 0));
			v.z = dimension == 2 ? 0 : v.z;
			assert_near3(world->state.bodies.v[0], v, 1e-13);
			const talus_solver_body *line = &world->approach.motion[0];
			bool moves = free & (dimension == 2 ? 3u : 7u);
			assert_near(line->inv_m, moves ? 1/world->state.bodies.mass[0] : 0, 1e-15);
			assert_near(line->r2_over_I, free & 8 ? (dimension == 2 ? 2 : 2.5)/world->state.bodies.mass[0] : 0,
				1e-14);
			talus_world_destroy(world);
		}
}

// A steady spin turns by 2 atan(w dt/2) a step about its axis; the quaternion stays a unit one.
static void test_orientation(void **state)
{
	(void)state;
	talus_world_def def = unit_def(3);
	talus_world *world = unit_world(&def, 0);
	talus_grain_def g = talus_grain_def_default();
	g.spin = vec(2, -3, 6);
	talus_world_add_grain(world, &g);
	enum { STEPS = 1000 };
	for (int n = 0; n < STEPS; n++)
		talus_world_step(world);
	const double *q = world->state.bodies.q[0];
	double angle = STEPS*2*atan(7*0.01/2);
	vec3 axis = mul(sin(angle/2)/7, g.spin);
	assert_near(q[0], cos(angle/2), 1e-11);
	assert_near3(vec(q[1], q[2], q[3]), axis, 1e-11);
	talus_world_destroy(world);
}

// Two spins about different axes, one after the other: the later one multiplies from the left.
static void test_orientation_order(void **state)
{
	(void)state;
	talus_world_def def = unit_def(3);
	talus_world *world = unit_world(&def, 0);
	talus_grain_def g = talus_grain_def_default();
	// a quarter turn... and a half-angle tangent of 1 is 90 degrees
	g.spin = vec(2*tan(M_PI/4)/0.01, 0, 0);
	talus_world_add_grain(world, &g);
	talus_world_step(world);
	world->state.bodies.spin[0] = vec(0, 0, g.spin.x);
	talus_world_step(world);
	// x by 90 degrees, then z by 90: (c + k s)(c + i s) with c = s = 1/sqrt 2 is (1 + i + j + k)/2
	const double *q = world->state.bodies.q[0];
	for (int k = 0; k < 4; k++)
		assert_near(q[k], 0.5, 1e-14);
	talus_world_destroy(world);
}

// A piston of mass 2 under force and gravity, in its free direction only.
static void test_piston(void **state)
{
	(void)state;
	for (int weightless = 0; weightless < 2; weightless++) {
		talus_world_def def = unit_def(3);
		def.gravity = vec(1, 0, -10);
		talus_world *world = unit_world(&def, 0);
		talus_wall_def p = talus_wall_def_default(TALUS_WALL_PLANE);
		p.mass = 2;
		p.force = vec(5, 5, 6);
		p.free = TALUS_FREE_Z;
		p.weightless = weightless;
		talus_world_add_wall(world, &p);
		unit_grain(world, vec(0, 0, 50), 1, vec(0, 0, 0));
		talus_world_step(world);
		talus_world_step(world);
		double a = 3 - (weightless ? 0 : 10);
		assert_near3(world->state.walls.at[0].v, vec(0, 0, 0.02*a), 1e-15);
		assert_near3(world->state.walls.at[0].point, vec(0, 0, 3*1e-4*a), 1e-15);
		talus_world_destroy(world);
	}
}

// Masses, gap and friction reach the contacts: of the grain's material and the wall's.
static void test_laws(void **state)
{
	(void)state;
	talus_world_def def = unit_def(3);
	talus_world *world = unit_world(&def, 0.1);
	int steel = talus_world_add_material(world, "steel", 8);
	talus_world_set_pair(world, &(talus_pair){.a = steel, .b = 0, .friction = 0.7});
	talus_world_set_pair(world, &(talus_pair){.a = steel, .b = steel, .friction = 0.9});
	talus_wall_def d = talus_wall_def_default(TALUS_WALL_PLANE);
	d.material = steel;
	talus_world_add_wall(world, &d);
	talus_grain_def g = talus_grain_def_default();
	g.at = vec(0, 0, 1.005);
	talus_world_add_grain(world, &g);
	g.at = vec(2, 0, 1.005);
	g.material = steel;
	talus_world_add_grain(world, &g);
	g.at = vec(4, 0, 1.005);
	g.material = 0;
	talus_world_add_grain(world, &g);
	g.at = vec(4, 2, 1.005);
	talus_world_add_grain(world, &g);
	talus_world_step(world);
	static const struct {
		int64_t a, b;
		double mu;
	} expected[] = {{-1, 0, 0.7}, {-1, 1, 0.9}, {0, 1, 0.7}, {1, 2, 0.7}, {2, 3, 0.1}};
	for (int k = 0; k < 5; k++) {
		const talus_row *c =
			&contact_dynamics_of(world)->rows.row[unit_contact(world, expected[k].a, expected[k].b)];
		assert_near(c->mu, expected[k].mu, 0);
		assert_near(c->bias, expected[k].a < 0 ? 0.5 : 0, 1e-12);
	}
	talus_world_destroy(world);
}

// ---------------------------------------------------------------- books

// Head on, without bouncing: half the reduced mass times the speed squared is lost.
static void test_loss_of_a_collision(void **state)
{
	(void)state;
	talus_world_def def = unit_def(3);
	talus_world *world = unit_world(&def, 0.5);
	unit_grain(world, vec(0, 0, 0), 1, vec(3, 0, 0));
	unit_grain(world, vec(3.2, 0, 0), 2, vec(-1, 0, 0));
	double m = world->state.bodies.mass[0], M = world->state.bodies.mass[1], before = account_grains(&world->state).kinetic;
	for (int n = 0; n < 40; n++)
		talus_world_step(world);
	double loss = 0.5*m*M/(m + M)*16;
	assert_near(before - account_grains(&world->state).kinetic, loss, 1e-9*loss);
	assert_near(energy_account_dissipated(&world->energy), loss, 1e-9*loss);
	talus_world_destroy(world);
}

// Without gravity, kinetic energy is what it was, plus the work of the walls, minus what contacts have
// dissipated, to the last digits,
// for any unconverged mess: rough grains in a spinning drum with a shaking plane, and a locked one among
// them.
static void test_energy_balance(void **state)
{
	(void)state;
	talus_world_def def = unit_def(3);
	def.solver.iterations = 5;
	talus_world *world = unit_world(&def, 0.4);
	talus_wall_def drum = talus_wall_def_default(TALUS_WALL_CYLINDER);
	drum.radius = 6;
	drum.spin = 1;
	talus_world_add_wall(world, &drum);
	talus_wall_def shaker = talus_wall_def_default(TALUS_WALL_PLANE);
	shaker.oscillate_direction = vec(0, 1, 1);
	shaker.oscillate_amplitude = 0.2;
	shaker.oscillate_frequency = 2;
	talus_world_add_wall(world, &shaker);
	unit_plane(world, "lid", vec(0, 0, 9), vec(0, 0, -1));
	dice d = dice_make(31);
	for (int i = 0; i < 27; i++) {
		talus_grain_def g = talus_grain_def_default();
		g.at = vec(2.4*(i%3 - 1), 2.4*(i/3%3 - 1), 1.5 + 2.4*(i/9));
		g.velocity = mul(3, roll_direction(&d, 3));
		g.free = i == 13 ? TALUS_FREE_X | TALUS_FREE_SPIN : TALUS_FREE_ALL;
		g.velocity = i == 13 ? vec(1, 0, 0) : g.velocity;
		talus_world_add_grain(world, &g);
	}
	double start = account_grains(&world->state).kinetic;
	for (int n = 0; n < 300; n++)
		talus_world_step(world);
	assert_true(fabs(world->energy.wall_work) > 0.01*start && energy_account_dissipated(&world->energy) > 0.1*start);
	assert_near(account_grains(&world->state).kinetic, start + world->energy.wall_work - energy_account_dissipated(&world->energy),
		1e-11*start);
	talus_world_destroy(world);
}

// The problem of a step, for who asks before it: bodies as they would go without contacts, impulses as they were found. Nobody else gets one.
static void test_problem_on_request(void **state)
{
	(void)state;
	talus_world_def def = unit_def(3);
	def.gravity = vec(0, 0, -1);
	talus_world *world = unit_world(&def, 0.3);
	unit_plane(world, "floor", vec(0, 0, 0), vec(0, 0, 1));
	unit_grain(world, vec(0, 0, 1), 1, vec(0.3, 0, -0.2));
	unit_grain(world, vec(0.1, 0, 2.9), 1, vec(0, 0.1, 0));
	talus_problem problem;
	for (int step = 0; step < 6; step++) {
		vec3 before[2] = {world->state.bodies.v[0], world->state.bodies.v[1]};
		bool asks = step%3 != 1;
		if (asks)
			contact_dynamics_ask(world);
		talus_world_step(world);
		assert_int_equal(contact_dynamics_asked(world, &problem), asks);
		if (!asks)
			continue;
		assert_true(problem.contacts == world->contacts.count && problem.contacts >= 2 && problem.p == world->contacts.p);
		for (int i = 0; i < 2; i++) {
			vec3 free = mul_add(before[i], def.step, def.gravity);
			assert_memory_equal(&problem.motion[i].v, &free, sizeof free);
		}
		assert_true(norm(sub(problem.motion[0].v, world->state.bodies.v[0])) > 1e-3);
	}
	talus_world_destroy(world);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_free_flight),
		cmocka_unit_test(test_locked_directions),
		cmocka_unit_test(test_orientation),
		cmocka_unit_test(test_orientation_order),
		cmocka_unit_test(test_piston),
		cmocka_unit_test(test_laws),
		cmocka_unit_test(test_loss_of_a_collision),
		cmocka_unit_test(test_energy_balance),
		cmocka_unit_test(test_problem_on_request),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
