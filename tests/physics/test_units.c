// SPDX-License-Identifier: MIT
// Nothing knows what a metre is. The same worlds in units of length, mass and time that are other powers of two, each
// its own, give the same numbers to the last bit, with every solver, every order and every rule to stop: there is no
// constant with a unit anywhere.
#include "physics.h"
#include "pair_members.h"

#include "observe/observe.h"

typedef struct units {
	int length, mass, time; // powers of two
} units;

static const units all_units[] = {{-20, -41, -13}, {17, 9, 1}, {-1, 1, 30}};

static double in(const units *u, int length, int mass, int time, double value)
{
	return ldexp(value, length*u->length + mass*u->mass + time*u->time);
}

static double meters(const units *u, double value) { return in(u, 1, 0, 0, value); }
static double speed(const units *u, double value) { return in(u, 1, 0, -1, value); }
static double force(const units *u, double value) { return in(u, 1, 1, -2, value); }

static vec3 places(const units *u, double x, double y, double z)
{
	return vec(meters(u, x), meters(u, y), meters(u, z));
}

static vec3 speeds(const units *u, double x, double y, double z)
{
	return vec(speed(u, x), speed(u, y), speed(u, z));
}

// ---------------------------------------------------------------- worlds

static talus_world *bare(const units *u, int dimension, talus_solver_def solver, talus_cell_def room, double gravity)
{
	talus_world_def def = plain_def();
	double down = in(u, 1, 0, -2, -gravity);
	def.dimension = dimension;
	def.step = in(u, 0, 0, 1, 0.01);
	def.gravity = dimension == 2 ? vec(0.1*down, down, 0) : vec(0.1*down, 0, down);
	def.solver = solver;
	def.cell = room;
	talus_world *world = talus_world_create(&def);
	talus_world_add_material(world, "stuff", in(u, -dimension, 1, 0, 1.3));
	return world;
}

// As the table of a parameter says it: "M L/T^2".
static double by_unit(const units *u, const char *unit, double value)
{
	for (int sign = 1; *unit; unit++) {
		int power = unit[1] == '^' ? unit[2] - '0' : 1;
		sign = *unit == '/' ? -1 : sign;
		value = in(u, *unit == 'L' ? sign*power : 0, *unit == 'M' ? sign*power : 0, *unit == 'T' ? sign*power : 0, value);
	}
	return value;
}

static void law(talus_world *world, const units *u, talus_pair p)
{
	const talus_field *member[PAIR_MEMBERS_MAX];
	for (int i = pair_members(member) - 1; i >= 0; i--) {
		double *number = (double *)(void *)((char *)&p + member[i]->offset);
		*number = by_unit(u, member[i]->unit, *number);
	}
	talus_world_set_pair(world, &p);
}

static talus_wall_def plane(const units *u, vec3 at, vec3 normal)
{
	talus_wall_def def = talus_wall_def_default(TALUS_WALL_PLANE);
	def.point = places(u, at.x, at.y, at.z);
	def.axis = normal;
	return def;
}

static void fill(talus_world *world, const units *u, int count, talus_arrangement how, vec3 high)
{
	talus_fill_def def = {.count = count, .arrangement = how, .jitter = 0.7, .friction = -1,
	                      .pressure = in(u, 2 - world->state.def.dimension, 1, -2, 2),
	                      .radius = {.kind = TALUS_SIZE_UNIFORM, .a = meters(u, 0.4), .b = meters(u, 0.5)},
	                      .in = {.box = {.high = places(u, high.x, high.y, high.z)}},
	                      .velocity = speeds(u, 0.3, -2, 0)};
	talus_error error;
	if (!talus_world_fill(world, &def, &error))
		fail_msg("%s", error.text);
}

static talus_world *bed(const units *u, talus_solver_def solver)
{
	talus_world *world = bare(u, 2, solver, (talus_cell_def){.inertia = 0}, 1);
	law(world, u, (talus_pair){.friction = 0.5});
	talus_wall_def floor = plane(u, vec(0, 0, 0), vec(0, 1, 0));
	talus_wall_def left = plane(u, vec(0, 0, 0), vec(1, 0, 0)), right = plane(u, vec(6, 0, 0), vec(-1, 0, 0));
	talus_world_add_wall(world, &floor);
	talus_world_add_wall(world, &left);
	talus_world_add_wall(world, &right);
	fill(world, u, 60, TALUS_ARRANGE_LATTICE, vec(6, 12, 0));
	return world;
}

// All laws at once, in a shaken box under a piston, with a grain that is not free and one that is driven.
static talus_world *laws(const units *u, talus_solver_def solver)
{
	talus_world *world = bare(u, 3, solver, (talus_cell_def){.inertia = 0}, 1);
	law(world, u, (talus_pair){.friction = 0.3, .static_friction = 0.5, .restitution = 0.7, .tangential_restitution = 0.3,
	                           .yield = 0.5, .rolling = 0.1, .torsion = 0.1, .rolling_length = 0.01,
	                           .torsion_length = 0.02, .cohesion = 0.2, .range = 0.05});
	talus_wall_def floor = plane(u, vec(0, 0, 0), vec(0, 0, 1)), lid = plane(u, vec(0, 0, 9), vec(0, 0, -1));
	floor.oscillate_direction = vec(0, 0, 1);
	floor.oscillate_amplitude = meters(u, 0.1);
	floor.oscillate_frequency = in(u, 0, 0, -1, 3);
	lid.mass = in(u, 0, 1, 0, 3);
	lid.force = vec(0, 0, force(u, -20));
	lid.velocity = speeds(u, 0, 0, -8);
	lid.free = TALUS_FREE_Z;
	talus_world_add_wall(world, &floor);
	talus_world_add_wall(world, &lid);
	talus_wall_def drum = talus_wall_def_default(TALUS_WALL_CYLINDER);
	drum.point = places(u, 2.5, 2.5, 0);
	drum.axis = vec(0, 0, 1);
	drum.radius = meters(u, 4);
	drum.inside = true;
	drum.spin = in(u, 0, 0, -1, 2);
	talus_world_add_wall(world, &drum);
	fill(world, u, 50, TALUS_ARRANGE_RANDOM, vec(5, 5, 8));
	talus_grain_def odd = talus_grain_def_default();
	odd.at = places(u, 2.5, 2.5, 8.4);
	odd.radius = meters(u, 0.45);
	odd.spin = vec(0, in(u, 0, 0, -1, 5), 0);
	odd.force = vec(force(u, 0.5), 0, force(u, -3));
	odd.free = TALUS_FREE_Y | TALUS_FREE_Z | TALUS_FREE_SPIN;
	talus_world_add_grain(world, &odd);
	return world;
}

static talus_cell_def periodic(const units *u, int dimension, double side)
{
	talus_cell_def room = {.size = places(u, side, side, side), .inertia = in(u, 2 - dimension, 1, 0, 30)};
	for (int k = 0; k < dimension; k++)
		room.periodic[k] = true;
	return room;
}

static talus_world *bath(const units *u, talus_solver_def solver)
{
	talus_cell_def room = periodic(u, 2, 9);
	room.bath = true;
	room.pressure = in(u, 0, 1, -2, 40);
	talus_world *world = bare(u, 2, solver, room, 0);
	law(world, u, (talus_pair){.friction = 0.5});
	fill(world, u, 64, TALUS_ARRANGE_LATTICE, vec(9, 9, 0));
	return world;
}

static talus_world *driven(const units *u, talus_solver_def solver)
{
	talus_cell_def room = periodic(u, 3, 5);
	room.drive[0][2] = TALUS_DRIVE_RATE;
	room.wanted[0][2] = in(u, 0, 0, -1, 1);
	for (int k = 0; k < 3; k++) {
		room.drive[k][k] = TALUS_DRIVE_STRESS;
		room.wanted[k][k] = in(u, -1, 1, -2, 20 + k);
	}
	talus_world *world = bare(u, 3, solver, room, 0);
	law(world, u, (talus_pair){.friction = 0.5, .restitution = 0.5});
	fill(world, u, 80, TALUS_ARRANGE_LATTICE, vec(5, 5, 5));
	return world;
}

// Poured through a cone; whoever leaves the domain is gone.
static talus_world *poured(const units *u, talus_solver_def solver)
{
	talus_world *world = bare(u, 3, solver, (talus_cell_def){.inertia = 0}, 10);
	law(world, u, (talus_pair){.friction = 0.5, .restitution = 0.4});
	talus_wall_def cone = talus_wall_def_default(TALUS_WALL_CONE);
	cone.axis = vec(0, 0, 1);
	cone.angle = 40;
	cone.from = meters(u, 1.4);
	cone.last = meters(u, 8);
	cone.inside = true;
	talus_world_add_wall(world, &cone);
	world->state.def.has_domain = true;
	world->state.def.domain = (talus_box){places(u, -20, -20, 0.1), places(u, 20, 20, 40)};
	talus_pour_def jet = {.count = 40, .rate = in(u, 0, 0, -1, 90), .velocity = speeds(u, 0.5, 0, -6),
	                      .radius = {.kind = TALUS_SIZE_NORMAL, .a = meters(u, 0.4), .b = meters(u, 0.1),
	                                 .least = meters(u, 0.2), .most = meters(u, 0.6)},
	                      .in = {.kind = TALUS_REGION_SPHERE, .at = places(u, 0, 0, 7), .radius = meters(u, 2)}};
	talus_world_pour(world, &jet);
	return world;
}

static talus_world *dense(const units *u, talus_solver_def solver)
{
	talus_world *world = bare(u, 2, solver, periodic(u, 2, 8), 0);
	law(world, u, (talus_pair){.friction = 0.3});
	fill(world, u, 40, TALUS_ARRANGE_DENSE, vec(8, 8, 0));
	return world;
}

// ---------------------------------------------------------------- comparing

#define assert_same(a, b) check_same(a, b, #a, name, step)

static void check_same(double a, double b, const char *what, const char *name, int step)
{
	if (a != b)
		fail_msg("%s, step %d: %s is %.17g in other units, not %.17g", name, step, what, a, b);
}

static void assert_same3(vec3 a, vec3 b, int power, const char *what, const char *name, int step)
{
	for (int k = 0; k < 3; k++)
		check_same(ldexp(component(a, k), -power), component(b, k), what, name, step);
}

static void compare_grains(const talus_world *one, const talus_world *other, const units *u, const char *name, int step)
{
	talus_grains a = talus_world_grains(one), b = talus_world_grains(other);
	assert_int_equal(a.count, b.count);
	for (size_t i = 0; i < a.count; i++) {
		assert_int_equal(a.id[i], b.id[i]);
		assert_same3(a.x[i], b.x[i], u->length, "a place", name, step);
		assert_same3(a.v[i], b.v[i], u->length - u->time, "a velocity", name, step);
		assert_same3(a.spin[i], b.spin[i], -u->time, "a spin", name, step);
		const talus_quaternion *p = &a.orientation[i], *q = &b.orientation[i];
		assert_same(p->w, q->w);
		assert_same(p->x, q->x);
		assert_same(p->y, q->y);
		assert_same(p->z, q->z);
	}
}

static void compare_forces(const talus_world *one, const talus_world *other, const units *u, const char *name, int step)
{
	int power = u->mass + u->length - 2*u->time;
	assert_int_equal(talus_world_contacts(one), talus_world_contacts(other));
	for (size_t i = 0; i < talus_world_contacts(one); i++) {
		talus_contact_state a = talus_world_contact(one, i), b = talus_world_contact(other, i);
		assert_true(a.a == b.a && a.b == b.b && a.bonded == b.bonded);
		assert_same3(a.force, b.force, power, "a force", name, step);
		assert_same3(a.torque, b.torque, power + u->length, "a torque", name, step);
	}
	for (int w = 0; w < talus_world_walls(one); w++) {
		talus_wall_state a = talus_world_wall(one, w), b = talus_world_wall(other, w);
		assert_same3(a.position, b.position, u->length, "a wall", name, step);
		assert_same3(a.force, b.force, power, "a wall's force", name, step);
	}
}

static void compare_books(talus_world *one, talus_world *other, const units *u, const char *name, int step)
{
	const talus_step_report *a = &one->report, *b = &other->report;
	assert_int_equal(a->iterations, b->iterations);
	assert_int_equal(a->capped_all, b->capped_all);
	assert_int_equal(a->stagnated_steps, b->stagnated_steps);
	assert_int_equal(a->missed_contacts, b->missed_contacts);
	assert_same(a->residual, b->residual);
	assert_same(a->mean_overlap, b->mean_overlap);
	assert_same(a->error_overlap, b->error_overlap);
	assert_same(a->error_local, b->error_local);
	assert_same(a->error_global, b->error_global);
	talus_energy e = talus_world_energy(one), f = talus_world_energy(other);
	int power = u->mass + 2*u->length - 2*u->time;
	assert_same(ldexp(e.kinetic, -power), f.kinetic);
	assert_same(ldexp(e.friction, -power), f.friction);
	assert_same(ldexp(e.normal, -power), f.normal);
	assert_int_equal(observe_soft(one, &(soft_watch){0}), observe_soft(other, &(soft_watch){0}));
	rigidity_state r = observe_rigidity(one), s = observe_rigidity(other);
	assert_int_equal(r.grains, s.grains);
	assert_same(r.ratio, s.ratio);
	assert_same(r.overlap, s.overlap);
}

typedef talus_world *maker(const units *u, talus_solver_def solver);

static void compare(maker *make, talus_solver_def solver, int steps, const char *name)
{
	for (size_t k = 0; k < some(COUNT(all_units)); k++) {
		const units *u = &all_units[k];
		talus_world *one = make(u, solver), *other = make(&(units){0, 0, 0}, solver);
		for (int step = 0; step <= steps; step++) {
			compare_grains(one, other, u, name, step);
			compare_forces(one, other, u, name, step);
			compare_books(one, other, u, name, step);
			talus_world_step(one);
			talus_world_step(other);
		}
		talus_world_destroy(one);
		talus_world_destroy(other);
	}
}

// ---------------------------------------------------------------- solvers and rules

static const talus_solver_def fixed = {.relaxation = 1, .stop = TALUS_STOP_ITERATIONS, .iterations = 30};
static const talus_solver_def local = {.relaxation = 1, .stop = TALUS_STOP_LOCAL, .tolerance = 1e-3, .cutoff = -1,
                                       .max_iterations = 200};
static const talus_solver_def best = {.kind = TALUS_SOLVER_AUTO, .relaxation = 1, .stop = TALUS_STOP_ERROR,
                                      .tolerance = 0.01, .max_iterations = 200};

static void test_rules(void **state)
{
	(void)state;
	static const talus_order orders[] = {TALUS_ORDER_SHUFFLED, TALUS_ORDER_RANDOM, TALUS_ORDER_SEQUENTIAL,
	                                     TALUS_ORDER_PARALLEL, TALUS_ORDER_RANDOM_SEQUENTIAL};
	static const char *const names[] = {"iterations", "local", "global", "residual", "error"};
	for (talus_stop stop = TALUS_STOP_ITERATIONS; stop <= TALUS_STOP_ERROR; stop++) {
		for (size_t k = 0; k < COUNT(orders); k++) {
			talus_solver_def solver = {.order = orders[k], .relaxation = 0.5, .stop = stop, .iterations = 20,
			                           .tolerance = 1e-3, .cutoff = -1, .max_iterations = 60};
			compare(bed, solver, 25, names[stop]);
		}
		if (stop == TALUS_STOP_LOCAL || stop == TALUS_STOP_GLOBAL)
			continue;
		talus_solver_def solver = {.kind = TALUS_SOLVER_ACCELERATED, .relaxation = 1, .stop = stop, .iterations = 20,
		                           .tolerance = 1e-3, .max_iterations = 300};
		compare(bed, solver, 40, names[stop]);
	}
	talus_solver_def sign = best;
	sign.gap = TALUS_GAP_SIGNED;
	compare(bed, best, 60, "auto");
	compare(bed, sign, 40, "signed gaps");
}

static talus_world *bed_in_blocks(const units *u, talus_solver_def solver)
{
	talus_world *world = bed(u, solver);
	world->list.blocks_from = 10;
	world->list.block_size = 8;
	return world;
}

static void test_blocks(void **state)
{
	(void)state;
	compare(bed_in_blocks, fixed, 40, "blocks, fixed");
	compare(bed_in_blocks, best, 40, "blocks, auto");
}

static void test_laws(void **state)
{
	(void)state;
	compare(laws, fixed, 60, "laws, fixed");
	compare(laws, local, 40, "laws, local");
	compare(laws, best, 60, "laws, auto");
}

static void test_cells(void **state)
{
	(void)state;
	compare(bath, fixed, 60, "bath, fixed");
	compare(bath, local, 40, "bath, local");
	compare(bath, best, 60, "bath, auto");
	compare(driven, fixed, 40, "driven, fixed");
	compare(driven, best, 40, "driven, auto");
	compare(dense, best, 5, "dense, auto");
}

static void test_pouring(void **state)
{
	(void)state;
	compare(poured, fixed, 120, "poured, fixed");
	compare(poured, best, 120, "poured, auto");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_rules),
		cmocka_unit_test(test_blocks),
		cmocka_unit_test(test_laws),
		cmocka_unit_test(test_cells),
		cmocka_unit_test(test_pouring),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
