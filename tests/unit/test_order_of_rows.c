// SPDX-License-Identifier: MIT
// Whoever adds something up over grains or contacts finds the same bits in whatever order their rows are.
#include "unit.h"

#include "base/memory.h"
#include "state/bodies.h"
#include "observe/observe.h"
#include "solve/solve.h"
#include "method/contact_dynamics.h"

#include <stdlib.h>

// A box of grains that fall, roll or stick as they are told, with a heavy one and a few that are held.
static talus_world *make(int dimension, const talus_pair *law, bool held, uint64_t seed)
{
	talus_world_def def = talus_world_def_default();
	def.dimension = dimension;
	def.seed = seed;
	def.step = 0.02;
	def.gravity = vec(0.1, dimension == 2 ? -1 : 0, dimension == 2 ? 0 : -1);
	talus_world *world = talus_world_create(&def);
	talus_pair mine = *law;
	mine.a = mine.b = talus_world_add_material(world, "stone", 1);
	talus_world_set_pair(world, &mine);
	dice d = dice_make(seed);
	int side = dimension == 2 ? 40 : 11, high = dimension == 2 ? 30 : 12, deep = dimension == 2 ? 1 : side;
	for (int i = 0; i < side*high*deep; i++) {
		double r = roll(&d, 0.35, 0.48);
		vec3 at = vec(i%side + 0.5, i/side%deep + 0.5, i/side/deep + 0.5);
		if (dimension == 2)
			at = vec(at.x, at.z, 0);
		uint32_t id = unit_grain(world, at, r, vec(roll(&d, -1, 1), roll(&d, -1, 1), dimension == 2 ? 0 : roll(&d, -1, 1)));
		if (i == side*high*deep/2)
			world->state.bodies.mass[unit_row(world, id)] *= 1000;
		if (held && i < 5)
			world->state.bodies.free[unit_row(world, id)] = 0;
	}
	unit_plane(world, "floor", vec(0, 0, 0), dimension == 2 ? vec(0, 1, 0) : vec(0, 0, 1));
	unit_plane(world, "left", vec(0, 0, 0), vec(1, 0, 0));
	unit_plane(world, "right", vec(side, 0, 0), vec(-1, 0, 0));
	if (dimension == 3) {
		unit_plane(world, "front", vec(0, 0, 0), vec(0, 1, 0));
		unit_plane(world, "back", vec(0, side, 0), vec(0, -1, 0));
	}
	for (int step = 0; step < 150; step++)
		talus_world_step(world);
	return world;
}

// ---------------------------------------------------------------- other orders

static void shuffle(uint32_t *order, size_t count, uint64_t stream)
{
	for (size_t i = 0; i < count; i++)
		order[i] = (uint32_t)i;
	order_shuffle(order, count, stream);
}

static void reorder_grains(talus_world *world, uint64_t stream)
{
	size_t n = world->state.bodies.count;
	uint32_t *order = calloc(n, sizeof *order), *now = calloc(n, sizeof *now);
	void *room = calloc(n, sizeof(talus_solver_body));
	shuffle(order, n, stream);
	for (size_t i = 0; i < n; i++)
		now[order[i]] = (uint32_t)i;
	bodies_reorder(&world->state.bodies, order, room, NULL);
	bodies_reorder_column(world->approach.motion, sizeof *world->approach.motion, n, order, room, NULL);
	bodies_reorder_column(world->bearing.at, sizeof *world->bearing.at, n, order, room, NULL);
	for (size_t i = 0; i < world->contacts.count; i++) {
		talus_contact *c = &world->contacts.contact[i];
		c->a = c->a < n ? now[c->a] : c->a;
		c->b = c->b < n ? now[c->b] : c->b;
	}
	free(order);
	free(now);
	free(room);
}

static void swap(void *rows, size_t size, size_t i, size_t j)
{
	char kept[512], *at = rows;
	memcpy(kept, at + i*size, size);
	memcpy(at + i*size, at + j*size, size);
	memcpy(at + j*size, kept, size);
}

// Within a kind; those with walls stay the last ones.
static void reorder_contacts(talus_world *world, size_t begin, size_t end, uint64_t stream)
{
	contacts *c = &world->contacts;
	for (size_t i = end; i-- > begin + 1;) {
		size_t j = begin + random_bits(stream, i)%(i - begin + 1);
		if ((c->contact[i].wall == NO_WALL) != (c->contact[j].wall == NO_WALL))
			continue;
		swap(c->contact, sizeof *c->contact, i, j);
		swap(c->p, sizeof *c->p, i, j);
		swap(contact_dynamics_of(world)->rows.row, sizeof *contact_dynamics_of(world)->rows.row, i, j);
		if (begin >= c->class_end[TALUS_COULOMB]) {
			swap(c->q, sizeof *c->q, i - c->class_end[TALUS_COULOMB], j - c->class_end[TALUS_COULOMB]);
			swap(contact_dynamics_of(world)->rows.extended, sizeof *contact_dynamics_of(world)->rows.extended, i - c->class_end[TALUS_COULOMB], j - c->class_end[TALUS_COULOMB]);
		}
	}
}

// ---------------------------------------------------------------- all that is added up

enum { NUMBERS = 200 };

typedef struct numbers {
	double at[NUMBERS];
	int count;
} numbers;

static void note(numbers *n, const void *some, size_t size)
{
	assert_true(size%sizeof(double) == 0 && (size_t)n->count + size/sizeof(double) <= NUMBERS);
	memcpy(n->at + n->count, some, size);
	n->count += (int)(size/sizeof(double));
}

static void note_one(numbers *n, double x)
{
	note(n, &x, sizeof x);
}

static void note_observations(numbers *n, talus_world *world)
{
	energies e = account_grains(&world->state);
	stress_state s = observe_stress(world);
	forces_state f = observe_forces(world);
	temperature_state t = observe_temperature(world);
	fabric_state b = observe_fabric(world);
	motion_state m = observe_motion(world);
	note(n, &e, sizeof e);
	note(n, s.contact, sizeof s.contact);
	note(n, s.kinetic, sizeof s.kinetic);
	note(n, &t, sizeof t);
	note(n, b.fabric, sizeof b.fabric);
	const double some[] = {s.volume, s.volume_fraction, f.mean, f.largest, f.weak_share, f.weak_pressure_share, f.mobilisation, f.sliding_share,
	                       m.mean_speed, observe_structure(world).coordination, bodies_mean_radius(&world->state.bodies, world->state.team)};
	note(n, some, sizeof some);
}

static void note_books(numbers *n, talus_world *world)
{
	energy_account kept = world->energy;
	memset(&world->energy, 0, sizeof world->energy);
	account_view view = {&world->state, &world->approach, &world->contacts};
	energy_account_contacts(&view, &world->energy, &world->report);
	account_walls(&view, &world->list, &world->state.walls, &world->energy);
	for (int w = 0; w < world->state.walls.count; w++) {
		note(n, &world->state.walls.at[w].force, sizeof(vec3));
		note(n, &world->state.walls.at[w].torque, sizeof(vec3));
	}
	note_one(n, world->report.mean_overlap);
	note_one(n, world->report.max_overlap);
	note(n, &world->energy, sizeof world->energy);
	world->energy = kept;
}

// Error, first guess, residual, softness: with contacts where they came from, and in batches.
static void note_problem(numbers *n, talus_world *world, uint64_t stream)
{
	solver_workspace *ws = contact_dynamics_of(world)->solver_workspace;
	ws->team = world->state.team;
	talus_problem problem = contact_dynamics_problem(world);
	note_one(n, problem.window);
	note(n, problem.error_cells.edge, sizeof problem.error_cells.edge);
	solver_bodies_take(&ws->solver_bodies, &problem, ws->team);
	talus_solver_body *from = memory_grow(NULL, 0, problem.bodies*sizeof *from);
	for (size_t i = 0; i < problem.bodies; i++) {
		from[i] = problem.motion[i];
		from[i].v = mul(0.7, from[i].v);
	}
	problem.motion = ws->solver_bodies.motion;
	error_begin(ws, &problem);
	double load, other;
	talus_solve_error e = error_estimate(ws, NULL, &problem, &load);
	note(n, &e, sizeof e);
	note_one(n, load);
	note_one(n, problem_residual(&problem, ws->team));
	note_one(n, guess_factor(&problem, from, &ws->solver_bodies, true, false, ws->team));
	schedule_batches(ws->plan, &problem, &ws->solver_bodies, stream, ws->team);
	talus_solve_error f = error_estimate(ws, ws->plan, &problem, &other);
	assert_memory_equal(&e, &f, sizeof e);
	assert_true(load == other);
	note_one(n, sweep_residual(ws, ws->plan, &problem));
	memory_free(from);
}

static numbers all_numbers(talus_world *world, uint64_t stream)
{
	numbers n = {.count = 0};
	note_observations(&n, world);
	note_books(&n, world);
	note_problem(&n, world, stream);
	return n;
}

static void expect_same_in_any_order(int dimension, const talus_pair *law, bool held)
{
	talus_world *world = make(dimension, law, held, 3);
	assert_true(world->contacts.count > 1000);
	numbers first = all_numbers(world, 1);
	for (uint64_t order = 0; order < 10; order++) {
		talus_world_set_threads(world, (int)(order%4) + 1);
		world->team_from = 0; // however little there is to do
		reorder_grains(world, random_mix(order));
		reorder_contacts(world, 0, world->contacts.class_end[TALUS_COULOMB], random_mix(order + 1));
		reorder_contacts(world, world->contacts.class_end[TALUS_COULOMB], world->contacts.class_end[TALUS_EXTENDED], random_mix(order + 2));
		numbers now = all_numbers(world, order);
		for (int k = 0; k < first.count; k++)
			if (memcmp(&first.at[k], &now.at[k], sizeof first.at[k]))
				fail_msg("number %d is %.17g, not %.17g", k, now.at[k], first.at[k]);
	}
	talus_world_destroy(world);
}

static void test_plain(void **state)
{
	(void)state;
	expect_same_in_any_order(2, &(talus_pair){.friction = 0.5}, false);
	expect_same_in_any_order(3, &(talus_pair){.friction = 0.3}, true);
}

static void test_extended(void **state)
{
	(void)state;
	expect_same_in_any_order(2, &(talus_pair){.friction = 0.5, .rolling = 0.1, .restitution = 0.5}, false);
	expect_same_in_any_order(3, &(talus_pair){.friction = 0.5, .rolling = 0.1, .torsion = 0.1, .cohesion = 0.1}, false);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_plain), cmocka_unit_test(test_extended)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
