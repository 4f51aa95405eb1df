// SPDX-License-Identifier: MIT
// Walls in periodic cells. Where the cell is cut is nobody's business: a wall that lies across an edge, or has left the cell,
// does what it does in the middle.
#include "physics.h"

#include "state/cell.h"

static const double steps[] = {0.01, 0.0025};
static const vec3 size = {16, 12, 14}, middle = {8, 6, 7};

// ---------------------------------------------------------------- moving the scene through the cell

enum { POST, ROLLER, ROD, SHAKER, FREE_POST, PADDLE, DRUM, CONE, WALLS };

static bool exists(int kind, int dimension)
{
	return (kind != PADDLE || dimension == 2) && (kind != CONE || dimension == 3);
}

static talus_wall_def wall_of(int kind, int dimension, vec3 shift)
{
	talus_wall_def def = talus_wall_def_default(kind == PADDLE ? TALUS_WALL_SEGMENT
	                                            : kind == CONE ? TALUS_WALL_CONE
	                                                           : TALUS_WALL_CYLINDER);
	def.point = add(dimension == 2 ? vec(middle.x, middle.y, 0) : middle, shift);
	def.radius = kind == DRUM ? 5 : 2;
	def.inside = kind == DRUM;
	def.axis = dimension == 3 && kind == ROLLER ? vec(0, 1, 0) : vec(0, 0, 1); // along a periodic direction: endless
	def.spin = kind == ROLLER ? 0.7 : kind == PADDLE ? -0.9 : kind == DRUM ? 0.5 : kind == CONE ? 0.4 : 0;
	def.velocity = kind == ROD ? vec(-1.3, 0.4, 0) : vec(0, 0, 0);
	if (kind == SHAKER) {
		def.oscillate_direction = vec(1, 2, 0);
		def.oscillate_amplitude = 0.8;
		def.oscillate_frequency = 0.4;
	} else if (kind == FREE_POST) {
		def.mass = 30;
		def.free = TALUS_FREE_X;
		def.weightless = true;
	} else if (kind == PADDLE) {
		def.to = add(def.point, vec(2.5, 2, 0));
		def.point = sub(def.point, vec(2.5, 2, 0));
	} else if (kind == CONE) {
		def.from = 0.5;
		def.last = 4;
		def.angle = 35;
	}
	return def;
}

typedef struct flow { // grains that pass a wall, and what they did to it
	talus_world *world;
	vec3 force[3], torque[3];
} flow;

// Is there room for a grain, with the wall in the middle?
static bool is_free(int kind, int dimension, vec3 x)
{
	vec3 off = sub(x, middle);
	double across = kind == ROLLER && dimension == 3 ? hypot(off.x, off.z) : hypot(off.x, off.y);
	if (kind == CONE)
		return across < 1 ? off.z > 3 && off.z < 4 : across > 4;
	return kind == DRUM ? across < 4.3 : across > 4.2;
}

// A few grains in a cell of which x and y, or x alone, are periodic, pulled past the wall.
static flow flow_past(int kind, int dimension, double dt, bool along_y, vec3 shift)
{
	talus_world_def def = exact_def(dimension, dt);
	def.cell = (talus_cell_def){.size = size, .periodic = {true, along_y, false}};
	def.gravity = vec(6, -2, 0);
	def.solver.max_iterations = 300;
	flow f = {.world = world_of(&def, 0.4)};
	talus_wall_def wall_def = wall_of(kind, dimension, shift);
	talus_world_add_wall(f.world, &wall_def);
	uint64_t stream = test_stream((uint64_t)(100*dimension + kind));
	size_t count = kind == DRUM ? 2 : 9; // the forces in a heap would depend on the order in which it is solved
	for (uint64_t i = 0; f.world->state.bodies.count < count; i++) {
		vec3 part = random_vector(dimension, stream, i), x = add(middle, vec(7.5*part.x, 5.5*part.y, 4*part.z));
		bool good = is_free(kind, dimension, x);
		if (dimension == 2)
			x.z = 0;
		for (size_t j = 0; j < f.world->state.bodies.count; j++)
			good &= norm(cell_nearest(&f.world->state.cell, sub(sub(f.world->state.bodies.x[j], shift), x))) > 1.3;
		if (good)
			put_grain(f.world, add(x, shift), 0.5, vec(0, 0, 0));
	}
	return f;
}

static void flow_run(flow *f, int count)
{
	for (int part = 0; part < 3; part++) {
		f->force[part] = f->torque[part] = vec(0, 0, 0);
		for (int i = 0; i < count/3; i++) {
			talus_world_step(f->world);
			f->force[part] = mul_add(f->force[part], f->world->state.def.step, talus_world_wall(f->world, 0).force);
			f->torque[part] = mul_add(f->torque[part], f->world->state.def.step, talus_world_wall(f->world, 0).torque);
		}
	}
}

static vec3 unwrapped(const talus_world *world, uint32_t id)
{
	for (size_t i = 0; i < world->state.bodies.count; i++)
		if (world->state.bodies.id[i] == id)
			return cell_unwrap(&world->state.cell, world->state.bodies.x[i], world->state.bodies.image[i]);
	return vec(NAN, NAN, NAN);
}

static void assert_same_flow(const flow *a, const flow *b, vec3 shift)
{
	for (int part = 0; part < 3; part++) {
		assert_near3(b->force[part], a->force[part], 1e-7);
		assert_near3(b->torque[part], a->torque[part], 1e-7);
	}
	for (uint32_t id = 0; id < a->world->state.bodies.count; id++) {
		vec3 way = sub(unwrapped(b->world, id), add(unwrapped(a->world, id), shift));
		assert_near3(way, vec(0, 0, 0), 1e-7);
		assert_near3(look(b->world, id).v, look(a->world, id).v, 1e-7);
	}
	vec3 moved = sub(talus_world_wall(b->world, 0).position, talus_world_wall(a->world, 0).position);
	assert_near3(moved, shift, 1e-9);
}

// Force, torque and all grains are the same wherever the scene lies in its cell: in the middle, across an edge, exactly on an
// edge, at a corner, and beyond.
static void test_any_place_is_the_same(void **state)
{
	(void)state;
	const vec3 shifts[] = {{8, 0, 0}, {-8, -6, 0}, {5.5, 0, 0}, {7, 5.1, 0}, {3, 6, 0}, {-40.25, 30, 0}};
	const double dts[] = {0.02, 0.008};
	for (size_t s = 0; s < COUNT(dts); s++)
		for (int dimension = 2; dimension <= 3; dimension++)
			for (int kind = 0; kind < WALLS; kind++) {
				if (!exists(kind, dimension))
					continue;
				bool along_y = kind != SHAKER;
				flow home = flow_past(kind, dimension, dts[s], along_y, vec(0, 0, 0));
				flow_run(&home, (int)(2.4/dts[s]));
				assert_true(norm(home.force[0]) + norm(home.force[1]) + norm(home.force[2]) > 0.1);
				for (size_t k = 0; k < (s ? 1 : COUNT(shifts)); k++) {
					vec3 shift = along_y ? shifts[k] : vec(shifts[k].x, 0, 0);
					flow there = flow_past(kind, dimension, dts[s], along_y, shift);
					flow_run(&there, (int)(2.4/dts[s]));
					assert_same_flow(&home, &there, shift);
					talus_world_destroy(there.world);
				}
				talus_world_destroy(home.world);
			}
}

// ---------------------------------------------------------------- a wall that goes around

typedef struct dragging {
	talus_world *world;
	double resistance[2]; // mean in the first and the second round
} dragging;

// A rod on its way through a bed in a cell of 16. All numbers of its way have few digits, so that they are exact.
static dragging drag(double start, double dt)
{
	talus_world_def def = plain_def();
	def.dimension = 2;
	def.step = dt;
	def.gravity = vec(0, -1, 0);
	def.solver.iterations = 20;
	def.cell = (talus_cell_def){.size = {16, 1, 1}, .periodic = {true}};
	dragging d = {.world = world_of(&def, 0.3)};
	put_plane(d.world, vec(0, 0, 0), vec(0, 1, 0));
	talus_wall_def rod = talus_wall_def_default(TALUS_WALL_CYLINDER);
	rod.point = vec(start, 2, 0);
	rod.radius = 1;
	rod.inside = false;
	rod.velocity = vec(2, 0, 0);
	talus_world_add_wall(d.world, &rod);
	for (int i = 0; i < 60; i++)
		put_grain(d.world, vec(0.6 + i%12 + 0.1*(i/12%2), 3.7 + i/12, 0), 0.4 + 0.01*(i*7%10), vec(0, 0, 0));
	int one = (int)(8/dt);
	for (int i = 0; i < 2*one; i++) {
		talus_world_step(d.world);
		d.resistance[i/one] -= talus_world_wall(d.world, 1).force.x/one;
	}
	return d;
}

static void assert_same_bits(const talus_world *a, const talus_world *b)
{
	for (uint32_t id = 0; id < a->state.bodies.count; id++) {
		grain one = look(a, id), other = look(b, id);
		assert_memory_equal(&one, &other, sizeof one);
	}
}

// It finds grains in the second round as in the first, and its place is told without wrapping. Starting one or two cells
// before gives the same state to the last bit.
static void test_dragged_around(void **state)
{
	(void)state;
	const double dts[] = {1.0/32, 1.0/64};
	for (size_t s = 0; s < COUNT(dts); s++) {
		dragging d = drag(4, dts[s]);
		assert_true(d.resistance[0] > 1);
		assert_true(d.resistance[1] > 0.6*d.resistance[0] && d.resistance[1] < 1.7*d.resistance[0]);
		assert_near3(talus_world_wall(d.world, 1).position, vec(36, 2, 0), 1e-12);
		for (int cells = 1; cells <= 2; cells++) {
			dragging before = drag(4 - 16*cells, dts[s]);
			assert_same_bits(before.world, d.world);
			talus_world_destroy(before.world);
		}
		talus_world_destroy(d.world);
	}
}

// A grain that sticks to a rod goes with it, around and around: one bond, made once.
static void test_a_bond_goes_around(void **state)
{
	(void)state;
	for (size_t s = 0; s < COUNT(steps); s++)
		for (int dimension = 2; dimension <= 3; dimension++) {
			talus_world_def def = exact_def(dimension, steps[s]);
			def.cell = (talus_cell_def){.size = {8, 7, 8}, .periodic = {true, true, false}};
			def.solver.max_iterations = 10; // one contact
			talus_world *world = world_of(&def, 0.5);
			talus_world_set_pair(world, &(talus_pair){.friction = 0.5, .cohesion = 50, .range = 0.01});
			talus_wall_def rod = talus_wall_def_default(TALUS_WALL_CYLINDER);
			rod.point = vec(7, 1, 0);
			rod.inside = false;
			rod.velocity = vec(3, -2, 0);
			talus_world_add_wall(world, &rod);
			uint32_t id = put_grain(world, vec(0.5, 1, 0), 0.5, vec(3, -2, 0));
			for (int i = 0; i < (int)(5/steps[s]); i++) {
				talus_step_report report = talus_world_step(world);
				assert_int_equal(report.bonds, 1);
				assert_int_equal(report.bonds_formed_all, 1);
			}
			assert_near3(sub(unwrapped(world, id), talus_world_wall(world, 0).position), vec(-6.5, 0, 0), 1e-9);
			talus_world_destroy(world);
		}
}

// ---------------------------------------------------------------- a hole

// A hole at the edge, or at the corner, of the cell lets through who is above it, on all sides; the others stay.
static void test_a_hole_at_the_edge(void **state)
{
	(void)state;
	for (size_t s = 0; s < COUNT(steps); s++)
		for (int dimension = 2; dimension <= 3; dimension++)
			for (int place = -1; place <= 1; place++) {
				talus_world_def def = exact_def(dimension, steps[s]);
				def.cell = (talus_cell_def){.size = {10, 9, 1}, .periodic = {true, dimension == 3, false}};
				def.gravity = dimension == 2 ? vec(0, -1, 0) : vec(0, 0, -1);
				talus_world *world = world_of(&def, 0.3);
				talus_wall_def plate = talus_wall_def_default(TALUS_WALL_PLANE);
				plate.axis = dimension == 2 ? vec(0, 1, 0) : vec(0, 0, 1);
				plate.has_hole = true;
				plate.hole_at = vec(10*place, dimension == 2 ? 0 : -9*place, 0);
				plate.hole_radius = 2;
				talus_world_add_wall(world, &plate);
				for (int i = 0; i < 8; i++) { // pairs to the left and right of the edge, then of the middle
					double x = i%2 ? 9 : 1, y = i/2%2 ? 8 : 1;
					vec3 at = i < 4 ? vec(x, y, 0.6) : vec(i%2 ? 4 : 6, i/2%2 ? 4 : 6, 0.6);
					put_grain(world, dimension == 2 ? vec(at.x, i < 4 ? 0.6 + 1.1*(i/2) : 0.6 + 1.1*(i/2 - 2), 0) : at,
					          0.5, vec(0, 0, 0));
				}
				run(world, (int)(3/steps[s]));
				for (uint32_t id = 0; id < 8; id++) {
					vec3 x = look(world, id).x;
					double height = dimension == 2 ? x.y : x.z;
					if (id < 4)
						assert_true(height < -2);
					else
						assert_true(height > 0.45 && height < 2);
				}
				talus_world_destroy(world);
			}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_any_place_is_the_same),
		cmocka_unit_test(test_dragged_around),
		cmocka_unit_test(test_a_bond_goes_around),
		cmocka_unit_test(test_a_hole_at_the_edge),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
