// SPDX-License-Identifier: MIT
// Several collisions at once with friction: some make energy by Newton's restitution, and are lowered until
// they do not.
#include "unit.h"

#include "collide/collide.h"
#include "method/contact_dynamics.h"
#include "law/laws.h"
#include "observe/observe.h"
#include "solve/solve.h"

// ---------------------------------------------------------------- a step by hand

static void solve(talus_world *world)
{
	contacts *c = &world->contacts;
	talus_problem problem = {.contacts = c->count, .class_end = {c->class_end[TALUS_COULOMB], c->class_end[TALUS_EXTENDED]}, .contact = c->contact,
		.row = contact_dynamics_of(world)->rows.row, .p = c->p, .extended = contact_dynamics_of(world)->rows.extended, .q = c->q, .full_mass = contact_dynamics_of(world)->rows.full_mass, .motion = world->approach.motion,
		.bodies = world->state.bodies.count + (size_t)world->state.walls.count + c->wall_lines};
	nsgs_solve(&problem, &world->state.def.solver, world->state.def.step, 1, 1, contact_dynamics_of(world)->solver_workspace);
}

static size_t lower(talus_world *world, int round)
{
	law_stage stage = contact_dynamics_law_stage(world);
	return impact_soften(&stage, round);
}

static void restart(talus_world *world)
{
	law_stage stage = contact_dynamics_law_stage(world);
	contact_dynamics_predict(&world->state, &world->approach);
	contact_dynamics_thaw(&stage);
}

// As far as the first answer, before anybody looks at the energy.
static void meet(talus_world *world)
{
	contact_dynamics_predict(&world->state, &world->approach);
	grid_build(&world->state, &world->approach, &world->list);
	narrow_begin(&world->state, &world->list);
	law_stage stage = contact_dynamics_law_stage(world);
	const narrow_listener rows = {&stage, contact_dynamics_counted, contact_dynamics_plain_laws};
	narrow_find(&world->state, &world->approach, &world->list, &world->contacts, &rows);
	contact_dynamics_laws(&stage);
	solve(world);
}

typedef struct softening {
	int rounds;
	size_t clusters; // that were lowered in the first of them
} softening;

static softening soften(talus_world *world)
{
	softening s = {.rounds = 0, .clusters = lower(world, 1)};
	for (size_t more = s.clusters; more > 0; more = lower(world, s.rounds + 1)) {
		s.rounds++;
		assert_in_range(s.rounds, 1, 8);
		restart(world);
		solve(world);
	}
	return s;
}

// What the solver bodies say of the three grains from this id on.
static double kinetic(const talus_world *world, uint32_t first)
{
	const bodies *b = &world->state.bodies;
	double sum = 0;
	for (uint32_t id = first; id < first + 3; id++) {
		size_t i = unit_row(world, id);
		const talus_solver_body *m = &world->approach.motion[i];
		double r = b->radius[i];
		sum += 0.5*b->mass[i]*dot(m->v, m->v) + 0.5*b->inertia[i]/(r*r)*dot(m->r_omega, m->r_omega);
	}
	return sum;
}

static vec3 total_momentum(const talus_world *world)
{
	vec3 sum = {0, 0, 0};
	for (size_t i = 0; i < world->state.bodies.count; i++)
		sum = mul_add(sum, world->state.bodies.mass[i], world->approach.motion[i].v);
	return sum;
}

// ---------------------------------------------------------------- three that meet at once

static talus_world *empty(int dimension, talus_pair law)
{
	talus_world_def def = unit_def(dimension);
	def.solver.stop = TALUS_STOP_RESIDUAL;
	def.solver.tolerance = 1e-13;
	talus_world *world = unit_world(&def, 0);
	talus_world_add_material(world, "foam", 0.02);
	for (law.a = 0; law.a < 2; law.a++)
		for (law.b = 0; law.b < 2; law.b++)
			talus_world_set_pair(world, &law);
	return world;
}

// A light one in the middle and two that run into it within the step, all spinning. One of the two may turn
// the sliding at the other one round.
static void add_three(talus_world *world, dice *d, vec3 at)
{
	int dimension = world->state.def.dimension;
	talus_grain_def g = talus_grain_def_default();
	double middle = g.radius = roll(d, 1, 2);
	g.at = at;
	vec3 one = roll_direction(d, dimension), other;
	do
		other = roll_direction(d, dimension);
	while (dot(one, other) > 0.3); // the two do not meet
	for (int k = 0; k < 3; k++) {
		vec3 n = k == 1 ? one : other;
		g.spin = mul(roll(d, 0, 2), roll_direction(d, 3));
		g.spin = dimension == 2 ? vec(0, 0, g.spin.z) : g.spin;
		g.velocity = mul(roll(d, 0, 0.4), roll_direction(d, dimension));
		g.material = k == 0;
		if (k > 0) {
			g.radius = roll(d, 0.3, 0.7);
			g.at = mul_add(at, middle + g.radius + 1e-3, n);
			g.velocity = mul_add(g.velocity, -roll(d, 1.2, 3), n);
		}
		talus_world_add_grain(world, &g);
	}
}

static talus_pair some_law(dice *d)
{
	return (talus_pair){.friction = roll(d, 0.1, 1), .restitution = roll(d, 0.9, 1),
		.tangential_restitution = roll(d, 0, 1) < 0.5 ? 0 : roll(d, 0, 1)};
}

static size_t bounces(const talus_world *world)
{
	size_t sum = 0;
	for (size_t i = 0; i < world->contacts.count; i++)
		sum += (world->contacts.contact[i].flags & CONTACT_BOUNCES) != 0;
	return sum;
}

// Whoever would have made energy does not, and nothing is lost of the total_momentum. Nobody else is touched.
static void try_three(int dimension, uint64_t seed, int *grown)
{
	dice d = dice_make(seed);
	talus_world *world = empty(dimension, some_law(&d));
	add_three(world, &d, vec(0, 0, 0));
	contact_dynamics_predict(&world->state, &world->approach);
	double before = kinetic(world, 0);
	vec3 all = total_momentum(world);
	meet(world);
	assert_int_equal(world->contacts.count, 2);
	assert_int_equal(bounces(world), 2);
	double after = kinetic(world, 0);
	assert_near3(total_momentum(world), all, 1e-13*(1 + norm(all)));
	talus_extended extended[2] = {contact_dynamics_of(world)->rows.extended[0], contact_dynamics_of(world)->rows.extended[1]};
	talus_solver_body motion[3];
	memcpy(motion, world->approach.motion, sizeof motion);
	softening s = soften(world);
	if (after > before*(1 + 1e-8)) {
		++*grown;
		assert_int_equal(s.clusters, 1);
		assert_true(kinetic(world, 0) <= before*(1 + 1e-8));
		assert_near3(total_momentum(world), all, 1e-13*(1 + norm(all)));
	} else if (after < before*(1 - 1e-8)) {
		assert_int_equal(s.rounds, 0);
		assert_memory_equal(extended, contact_dynamics_of(world)->rows.extended, sizeof extended);
		assert_memory_equal(motion, world->approach.motion, sizeof motion);
	}
	talus_world_destroy(world);
}

static void test_three(void **state)
{
	(void)state;
	for (int dimension = 2; dimension <= 3; dimension++) {
		int grown = 0;
		for (uint64_t seed = 1; seed <= 1000; seed++)
			try_three(dimension, seed, &grown);
		assert_in_range(grown, 10, 500); // there are such cases, and others
	}
}

// The bounce is not just forgotten: most of the energy is still there.
static void test_no_more_than_needed(void **state)
{
	(void)state;
	int grown = 0;
	double kept = 0;
	for (uint64_t seed = 1; seed <= 1000; seed++) {
		dice d = dice_make(seed);
		talus_world *world = empty(2, some_law(&d));
		add_three(world, &d, vec(0, 0, 0));
		contact_dynamics_predict(&world->state, &world->approach);
		double before = kinetic(world, 0);
		meet(world);
		if (kinetic(world, 0) > before*(1 + 1e-8)) {
			soften(world);
			kept += kinetic(world, 0)/before;
			grown++;
		}
		talus_world_destroy(world);
	}
	assert_true(grown > 10 && kept/grown > 0.95);
}

// The same through a whole step, with the books: what is dissipated is not negative.
static void test_step(void **state)
{
	(void)state;
	uint64_t softened = 0;
	for (int dimension = 2; dimension <= 3; dimension++)
		for (uint64_t seed = 1; seed <= 300; seed++) {
			dice d = dice_make(seed);
			talus_world *world = empty(dimension, some_law(&d));
			add_three(world, &d, vec(0, 0, 0));
			double before = account_grains(&world->state).kinetic;
			uint64_t now = talus_world_step(world).bounces_reduced;
			softened += now;
			assert_in_range(now, 0, 1); // once a cluster, however often it was solved
			double after = account_grains(&world->state).kinetic;
			assert_true(after <= before*(1 + 1e-8));
			assert_near(energy_account_dissipated(&world->energy), before - after, 1e-12*before);
			talus_world_destroy(world);
		}
	assert_in_range(softened, 10, 300);
}

// Without friction nothing makes energy.
static void test_smooth(void **state)
{
	(void)state;
	for (int dimension = 2; dimension <= 3; dimension++)
		for (uint64_t seed = 1; seed <= 300; seed++) {
			dice d = dice_make(seed);
			talus_world *world = empty(dimension, (talus_pair){.restitution = roll(&d, 0.3, 0.99)});
			add_three(world, &d, vec(0, 0, 0));
			contact_dynamics_predict(&world->state, &world->approach);
			double before = kinetic(world, 0);
			meet(world);
			assert_true(kinetic(world, 0) <= before);
			assert_int_equal(soften(world).rounds, 0);
			talus_world_destroy(world);
		}
}

// ---------------------------------------------------------------- clusters

// Many threes far apart: each is judged by itself.
static void test_apart(void **state)
{
	(void)state;
	enum { THREES = 400 };
	dice d = dice_make(77);
	talus_world *world = empty(2, (talus_pair){.friction = 0.5, .restitution = 0.95});
	for (int k = 0; k < THREES; k++)
		add_three(world, &d, vec(12*(k%20), 12*(double)(k/20), 0));
	double before[THREES], after[THREES];
	contact_dynamics_predict(&world->state, &world->approach);
	for (uint32_t k = 0; k < THREES; k++)
		before[k] = kinetic(world, 3*k);
	meet(world);
	assert_int_equal(world->contacts.count, 2*THREES);
	for (uint32_t k = 0; k < THREES; k++)
		after[k] = kinetic(world, 3*k);
	int grown = 0;
	softening s = soften(world);
	for (uint32_t k = 0; k < THREES; k++) {
		bool grew = after[k] > before[k]*(1 + 1e-8);
		double now = kinetic(world, 3*k);
		grown += grew;
		if (grew)
			assert_true(now <= before[k]*(1 + 1e-8));
		else
			assert_near(now, after[k], 1e-8*before[k]); // solved once more
	}
	assert_in_range(grown, 2, THREES - 2);
	assert_int_equal(s.clusters, grown);
	talus_world_destroy(world);
}

// A grain on a fixed floor and another one on the same floor have nothing to do with each other; on a piston
// they have.
static void test_floor_and_piston(void **state)
{
	(void)state;
	for (int piston = 0; piston < 2; piston++) {
		talus_world *world = empty(3, (talus_pair){.friction = 0.5, .restitution = 0.5});
		talus_wall_def floor = talus_wall_def_default(TALUS_WALL_PLANE);
		floor.mass = piston ? 5 : 0;
		floor.free = TALUS_FREE_Z;
		talus_world_add_wall(world, &floor);
		for (int k = 0; k < 2; k++)
			unit_grain(world, vec(10*k, 0, 1), 1, vec(1, 0, -1));
		meet(world);
		assert_int_equal(world->contacts.count, 2);
		// what one of them gains must not be hidden behind what the other one loses
		contacts *c = &world->contacts;
		size_t other = c->contact[0].b == 0 ? 1 : 0;
		c->p[1 - other] = vec(0, 0, -3); // a pull along its way: energy out of nothing
		c->p[other] = vec(0, 0, 30);
		vec3 target = contact_dynamics_of(world)->rows.extended[other].target;
		assert_int_equal(lower(world, 1), piston ? 0 : 1);
		assert_memory_equal(&target, &contact_dynamics_of(world)->rows.extended[other].target, sizeof target);
		talus_world_destroy(world);
	}
}

// In the last round the bounce is given up altogether: what is left closes the gap, and does not count as a
// bounce any more.
static void test_last_round(void **state)
{
	(void)state;
	int given_up = 0;
	for (uint64_t seed = 1; seed <= 200; seed++) {
		dice d = dice_make(seed);
		talus_world *world = empty(2, some_law(&d));
		add_three(world, &d, vec(0, 0, 0));
		contact_dynamics_predict(&world->state, &world->approach);
		double before = kinetic(world, 0);
		meet(world);
		if (lower(world, 8)) {
			given_up++;
			assert_int_equal(bounces(world), 0);
			for (size_t i = 0; i < 2; i++) {
				const talus_contact *c = &world->contacts.contact[i];
				assert_near3(contact_dynamics_of(world)->rows.extended[i].target, mul(contact_dynamics_of(world)->rows.row[i].bias, c->n), 1e-12);
				assert_near(contact_dynamics_of(world)->rows.extended[i].gap_allowance, contact_dynamics_of(world)->rows.row[i].mass_n*contact_dynamics_of(world)->rows.row[i].bias, 1e-12);
			}
			restart(world);
			solve(world);
			assert_true(kinetic(world, 0) < before);
			assert_int_equal(lower(world, 9), 0);
		}
		talus_world_destroy(world);
	}
	assert_true(given_up > 3);
}

// A law that has a friction of its own, whatever the pair says.
static bool always(const talus_pair *of)
{
	(void)of;
	return true;
}

static void rough(talus_extended *extended, talus_row *row, contact_memory *memory, const law_case *c)
{
	(void)memory, (void)c;
	extended->mu_stick = row->mu = 0.9;
	extended->mu_slide = 0.6;
}

static const contact_law roughness = {"roughness", "another friction", always, rough, NULL, NULL};

// Sweeps settle on one coefficient. Before the same contact is solved again it has both as laws have set them.
static void test_friction_again(void **state)
{
	(void)state;
	for (int own = 0; own < 2; own++) {
		dice d = dice_make(3);
		talus_world *world = empty(3, (talus_pair){.friction = 0.2, .static_friction = 0.4, .restitution = 0.8});
		world->state.def.solver.stop = TALUS_STOP_ITERATIONS; // settled half-way
		if (own)
			laws_add(&world->laws, &roughness);
		add_three(world, &d, vec(0, 0, 0));
		meet(world);
		const talus_extended *r = contact_dynamics_of(world)->rows.extended;
		assert_int_equal(world->contacts.count, 2);
		for (int i = 0; i < 2; i++)
			assert_true(r[i].mu_stick == r[i].mu_slide && r[i].mu_stick == contact_dynamics_of(world)->rows.row[i].mu);
		restart(world);
		for (int i = 0; i < 2; i++)
			assert_true(r[i].mu_stick == (own ? 0.9 : 0.4) && r[i].mu_slide == (own ? 0.6 : 0.2));
		talus_world_destroy(world);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_three),
		cmocka_unit_test(test_no_more_than_needed),
		cmocka_unit_test(test_step),
		cmocka_unit_test(test_smooth),
		cmocka_unit_test(test_apart),
		cmocka_unit_test(test_floor_and_piston),
		cmocka_unit_test(test_last_round),
		cmocka_unit_test(test_friction_again),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
