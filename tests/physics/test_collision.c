// SPDX-License-Identifier: MIT
// Collisions of two and of a few bodies, where every number is known.
#include "physics.h"

static const double steps[] = {0.5, 0.01, 0.003, 1e-4};
static const double tolerance = 1e-12;

typedef struct duel { // two bodies and the line between them
	talus_world *world;
	uint32_t a, b; // b is the only grain where a is a wall
	bool at_wall;
	vec3 n;
} duel;

// Grains of radius 1 and `ratio` (or a wall and a grain), `gap` apart, that approach each other with
// `speed`. Their centre of mass moves, along the line only.
static duel duel_create(const talus_world_def *def, double mu, bool at_wall, double ratio, double gap,
	double speed)
{
	duel d = {.world = world_of(def, mu), .at_wall = at_wall};
	vec3 drift = {0, 0, 0};
	d.n = unit(def->dimension == 2 ? vec(-0.6, 0.8, 0) : vec(0.36, 0.48, -0.8));
	if (at_wall) {
		put_plane(d.world, vec(0, 0, 0), d.n);
	} else {
		drift = mul(0.2*speed, d.n);
		d.a = put_grain(d.world, neg(d.n), 1, drift);
	}
	d.b = put_grain(d.world, mul(ratio + gap, d.n), ratio, mul_add(drift, -speed, d.n));
	return d;
}

static vec3 relative(const duel *d)
{
	vec3 v = look(d->world, d->b).v;
	return d->at_wall ? v : sub(v, look(d->world, d->a).v);
}

static double gap_of(const duel *d)
{
	grain b = look(d->world, d->b);
	if (d->at_wall)
		return dot(b.x, d->n) - b.r;
	grain a = look(d->world, d->a);
	return norm(sub(b.x, a.x)) - a.r - b.r;
}

static vec3 momentum(const duel *d)
{
	grain b = look(d->world, d->b);
	if (d->at_wall)
		return vec(0, 0, 0);
	grain a = look(d->world, d->a);
	return add(mul(a.m, a.v), mul(b.m, b.v));
}

// Every duel at every step, for both gap rules, 2D and 3D, pair and wall, equal and unequal grains.
static void for_all_duels(void (*body)(talus_world_def def, bool at_wall, double ratio))
{
	static const double ratios[] = {1, 0.3, 4};
	for (size_t s = 0; s < COUNT(steps); s++)
		for (int dimension = 2; dimension <= 3; dimension++)
			for (int gap = 0; gap < 2; gap++)
				for (size_t r = 0; r < COUNT(ratios); r++)
					for (int at_wall = 0; at_wall < 2; at_wall++) {
						talus_world_def def = exact_def(dimension, steps[s]);
						def.solver.gap = gap ? TALUS_GAP_SIGNED : TALUS_GAP_POSITIVE;
						// one visit is enough for a contact that is alone
						def.solver.stop = TALUS_STOP_ITERATIONS;
						def.solver.iterations = 1;
						body(def, at_wall, ratios[r]);
					}
}

// Two perfectly inelastic bodies meet in two steps: the first one closes the gap and no more, the second
// one takes away the velocity that is left. What both have together stays.
static void head_on(talus_world_def def, bool at_wall, double ratio)
{
	double speed = 0.1/def.step, gap = 0.04; // longer than the gap, per step
	duel d = duel_create(&def, 0, at_wall, ratio, gap, speed);
	vec3 before = momentum(&d);
	talus_world_step(d.world);
	assert_near3(relative(&d), mul(-gap/def.step, d.n), tolerance*speed);
	assert_near(gap_of(&d), 0, tolerance);
	talus_world_step(d.world);
	assert_near3(relative(&d), vec(0, 0, 0), tolerance*speed);
	run(d.world, 3);
	assert_near3(relative(&d), vec(0, 0, 0), tolerance*speed);
	assert_near(gap_of(&d), 0, tolerance);
	assert_near3(momentum(&d), before, tolerance*(norm(before) + speed));
	talus_world_destroy(d.world);
}

static void test_head_on(void **state)
{
	(void)state;
	for_all_duels(head_on);
}

// Bodies that come nearer, but not to each other within the step, go on as if alone.
static void passes_by(talus_world_def def, bool at_wall, double ratio)
{
	double speed = 0.1/def.step;
	duel d = duel_create(&def, 0, at_wall, ratio, 0.1001, speed);
	talus_world_step(d.world);
	assert_near3(relative(&d), mul(-speed, d.n), tolerance*speed);
	talus_world_destroy(d.world);
}

static void test_open_gap(void **state)
{
	(void)state;
	for_all_duels(passes_by);
}

// An overlap is kept with g+ and costs nothing; with the signed gap it is pushed out within one step, and
// the bodies leave each other for good with the velocity that this took.
static void overlap_at_rest(talus_world_def def, bool at_wall, double ratio)
{
	double depth = 0.01, leaves = def.solver.gap == TALUS_GAP_SIGNED ? depth/def.step : 0;
	duel d = duel_create(&def, 0, at_wall, ratio, -depth, 0);
	for (int k = 1; k <= 4; k++) {
		talus_world_step(d.world);
		assert_near3(relative(&d), mul(leaves, d.n), tolerance*fmax(leaves, 1));
		assert_near(gap_of(&d), leaves > 0 ? (k - 1)*depth : -depth, tolerance);
	}
	assert_near3(momentum(&d), vec(0, 0, 0), tolerance*fmax(leaves, 1)*ratio*ratio*ratio);
	talus_world_destroy(d.world);
}

static void test_overlap(void **state)
{
	(void)state;
	for_all_duels(overlap_at_rest);
}

// Overlapping bodies that separate already are let go: nothing pulls. Those that approach stop, or turn
// with the signed gap.
static void overlap_moving(talus_world_def def, bool at_wall, double ratio)
{
	double depth = 0.01, turns = def.solver.gap == TALUS_GAP_SIGNED ? depth/def.step : 0,
		speed = 3*depth/def.step;
	duel apart = duel_create(&def, 0.5, at_wall, ratio, -depth, -speed);
	talus_world_step(apart.world);
	assert_near3(relative(&apart), mul(speed, apart.n), tolerance*speed);
	talus_world_destroy(apart.world);
	duel closer = duel_create(&def, 0.5, at_wall, ratio, -depth, speed);
	talus_world_step(closer.world);
	assert_near3(relative(&closer), mul(turns, closer.n), tolerance*speed);
	talus_world_destroy(closer.world);
}

static void test_overlap_moving(void **state)
{
	(void)state;
	for_all_duels(overlap_moving);
}

// A collision does not know where the origin of a periodic cell is: through any of its faces, edges and
// corners it is the same.
static void test_across_faces(void **state)
{
	(void)state;
	for (size_t s = 0; s < COUNT(steps); s++)
		for (int dimension = 2; dimension <= 3; dimension++)
			for (int face = 0; face < (dimension == 2 ? 9 : 27); face++) {
				vec3 n = vec(face%3 - 1, face/3%3 - 1, dimension == 3 ? face/9 - 1 : 0);
				if (norm(n) == 0)
					continue;
				n = unit(n);
				talus_world_def def = exact_def(dimension, steps[s]);
				def.cell = (talus_cell_def){.origin = vec(-3, 2, 1), .size = vec(8, 9, 10), .periodic = {true, true, dimension == 3}};
				talus_world *world = world_of(&def, 0);
				// two grains on both sides of the cell's corner, 0.04 apart
				double speed = 0.1/steps[s];
				vec3 corner = dimension == 3 ? def.cell.origin : vec(-3, 2, 0);
				uint32_t a = put_grain(world, mul_add(corner, -0.7, n), 0.7, mul(0.6*speed, n));
				uint32_t b = put_grain(world, mul_add(corner, 1.04, n), 1, mul(-0.4*speed, n));
				talus_world_step(world);
				vec3 v = sub(look(world, b).v, look(world, a).v);
				assert_near3(v, mul(-0.04/steps[s], n), tolerance*speed);
				talus_world_step(world);
				assert_near3(sub(look(world, b).v, look(world, a).v), vec(0, 0, 0), tolerance*speed);
				talus_world_destroy(world);
			}
}

// Velocity of b relative to a where they touch.
static vec3 at_contact(const duel *d)
{
	grain b = look(d->world, d->b);
	vec3 u = add(relative(d), cross(b.spin, mul(-b.r, d->n)));
	if (d->at_wall)
		return u;
	grain a = look(d->world, d->a);
	return sub(u, cross(a.spin, mul(a.r, d->n)));
}

// An oblique hit of touching bodies: sliding loses 7/2 mu V_n (disks 3 mu V_n) at the contact, whatever the
// masses, or all of it if it has less than that. Spin counts as much as velocity does.
static void oblique(talus_world_def def, bool at_wall, double ratio)
{
	double mu = 0.4, vn = 2, lost = (def.dimension == 2 ? 3 : 3.5)*mu*vn;
	double vts[] = {0.9*lost, 1.1*lost, 5*lost};
	for (size_t k = 0; k < COUNT(vts); k++) {
		duel d = duel_create(&def, mu, at_wall, ratio, 0, vn);
		bodies *all = &d.world->state.bodies;
		size_t row = d.b == all->id[0] ? 0 : 1;
		vec3 t = def.dimension == 2 ? vec(-d.n.y, d.n.x, 0) : unit(cross(d.n, vec(1, 2, 3)));
		all->v[row] = mul_add(all->v[row], 0.25*vts[k], t);
		all->spin[row] = mul(0.75*vts[k]/ratio, cross(t, d.n)); // the rest of the sliding is by spin
		assert_near(dot(at_contact(&d), t), vts[k], tolerance*vts[k]);
		talus_world_step(d.world);
		vec3 u = at_contact(&d);
		assert_near(dot(u, d.n), 0, tolerance*vts[k]);
		assert_near(dot(u, t), fmax(0, vts[k] - lost), tolerance*vts[k]);
		assert_near(dot(u, cross(d.n, t)), 0, tolerance*vts[k]);
		talus_world_destroy(d.world);
	}
}

static void test_oblique(void **state)
{
	(void)state;
	for_all_duels(oblique);
}

// A ball that runs into a row of n others at rest, all touching, takes them along: v/(n + 1) for all.
static void test_row(void **state)
{
	(void)state;
	for (int dimension = 2; dimension <= 3; dimension++)
		for (size_t s = 0; s < COUNT(steps); s++) {
			enum { N = 6 };
			talus_world_def def = exact_def(dimension, steps[s]);
			def.solver.tolerance = 1e-14;
			talus_world *world = world_of(&def, 0);
			for (int i = 0; i <= N; i++)
				put_grain(world, vec(2*i, 0, 0), 1, vec(i == 0 ? 1 : 0, 0, 0));
			talus_world_step(world);
			for (uint32_t i = 0; i <= N; i++)
				assert_near(look(world, i).v.x, 1.0/(N + 1), tolerance);
			talus_world_destroy(world);
		}
}

// A kick may run through a row with gaps within one step, to grains that nothing at the start of the step
// shows to be in danger. They are found, and nobody ends up inside another.
static void test_kick(void **state)
{
	(void)state;
	for (int dimension = 2; dimension <= 3; dimension++)
		for (size_t s = 0; s < COUNT(steps); s++) {
			enum { N = 4 };
			talus_world_def def = exact_def(dimension, steps[s]);
			def.solver.tolerance = 1e-14;
			talus_world *world = world_of(&def, 0);
			// 0.02 is more than the margin within which resting pairs are contacts
			for (int i = 0; i <= N; i++)
				put_grain(world, vec(2.02*i, 0, 0), 1, vec(i == 0 ? 3/steps[s] : 0, 0, 0));
			talus_step_report report = talus_world_step(world);
			assert_true(report.missed_contacts > 0);
			double sum = 0;
			for (uint32_t i = 0; i <= N; i++) {
				sum += look(world, i).v.x*steps[s];
				if (i > 0)
					assert_below(2 - 1e-12, look(world, i).x.x - look(world, i - 1).x.x);
			}
			assert_near(sum, 3, 1e-12);
			talus_world_destroy(world);
		}
}

// A heavy grain kicks a light one so far within a step that it ends behind a third one, which the heavy one cannot reach: the light one
// must not get there through it.
static void test_kicked_past(void **state)
{
	(void)state;
	const double spans[] = {1, 0.1};
	for (size_t s = 0; s < COUNT(spans); s++)
		for (int dimension = 2; dimension <= 3; dimension++) {
			talus_world_def def = exact_def(dimension, spans[s]);
			talus_world *world = world_of(&def, 0);
			talus_world_set_pair(world, &(talus_pair){.restitution = 1});
			vec3 n = unit(dimension == 2 ? vec(-0.6, 0.8, 0) : vec(0.36, 0.48, -0.8));
			put_grain(world, vec(0, 0, 0), 1.5, mul(3/spans[s], n));
			uint32_t kicked = put_grain(world, mul(2.1, n), 0.5, vec(0, 0, 0));
			uint32_t third = put_grain(world, mul(5.5, n), 0.5, vec(0, 0, 0));
			talus_world_step(world);
			assert_true(dot(look(world, third).v, n)*spans[s] > 1);
			assert_true(dot(sub(look(world, third).x, look(world, kicked).x), n) > 1 - 1e-9);
			talus_world_destroy(world);
		}
}

// The same with a thin wall between: it is kicked against the segment, not through it.
static void test_kicked_through_wall(void **state)
{
	(void)state;
	const double spans[] = {1, 0.1};
	for (size_t s = 0; s < COUNT(spans); s++) {
		talus_world_def def = exact_def(2, spans[s]);
		talus_world *world = world_of(&def, 0);
		talus_world_set_pair(world, &(talus_pair){.restitution = 1});
		talus_wall_def thin = talus_wall_def_default(TALUS_WALL_SEGMENT);
		thin.point = vec(5.5, -2, 0);
		thin.to = vec(5.5, 2, 0);
		talus_world_add_wall(world, &thin);
		put_grain(world, vec(0, 0, 0), 1.5, vec(3/spans[s], 0, 0));
		uint32_t kicked = put_grain(world, vec(2.1, 0, 0), 0.5, vec(0, 0, 0));
		talus_world_step(world);
		assert_below(look(world, kicked).x.x, 5 + 1e-9);
		talus_world_destroy(world);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_head_on),
		cmocka_unit_test(test_open_gap),
		cmocka_unit_test(test_overlap),
		cmocka_unit_test(test_overlap_moving),
		cmocka_unit_test(test_across_faces),
		cmocka_unit_test(test_oblique),
		cmocka_unit_test(test_row),
		cmocka_unit_test(test_kick),
		cmocka_unit_test(test_kicked_past),
		cmocka_unit_test(test_kicked_through_wall),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
