// SPDX-License-Identifier: MIT
// Walls: where a grain touches one, against a search over points of the wall; and how walls move.
#include "unit.h"

#include "state/wall.h"
#include "state/wall/shapes.h"

static const double turns = 2*M_PI;

// ---------------------------------------------------------------- points of a wall, from its description
// alone

typedef struct case_ {
	const char *name;
	talus_wall_def def;
	int dimension;
	double shift_time; // where the wall has moved to
} case_;

static vec3 displacement(const talus_wall_def *d, double t)
{
	double start = turns*d->oscillate_phase, swing = sin(turns*d->oscillate_frequency*t + start) - sin(start);
	double length = norm(d->oscillate_direction);
	return add(mul(t, d->velocity), mul(length > 0 ? d->oscillate_amplitude*swing/length : 0,
		d->oscillate_direction));
}

// u runs along the wall, v across or around it; both from 0 to 1.
static vec3 sample_at_start(const case_ *c, double u, double v)
{
	const talus_wall_def *d = &c->def;
	vec3 axis = unit(d->axis), t1 = c->dimension == 2 ? vec(-axis.y, axis.x, 0) : any_tangent(axis);
	bool line = c->dimension == 2 && d->kind == TALUS_WALL_PLANE;
	vec3 around = line ? mul(v < 0.5 ? 1 : -1, t1) : turn(any_tangent(axis), axis, turns*v);
	switch (d->kind) {
	case TALUS_WALL_PLANE:
		if (d->has_hole)
			return mul_add(d->hole_at, d->hole_radius + 40*u, around);
		return add(mul_add(d->point, 40*u - 20, t1), mul(40*v - 20, cross(axis, t1)));
	case TALUS_WALL_CYLINDER:
		return add(mul_add(d->point, c->dimension == 2 ? 0 : 60*u - 30, axis),
			mul(d->radius, around));
	case TALUS_WALL_CONE: {
		double along = d->from + (d->last - d->from)*u;
		return add(mul_add(d->point, along, axis), mul(along*tan(d->angle*turns/360), around));
	}
	case TALUS_WALL_SEGMENT:
		return mul_add(d->point, u, sub(d->to, d->point));
	case TALUS_WALL_TORUS:
		return add(mul_add(d->point, d->radius, around),
			mul(d->tube, turn(around, cross(axis, around), turns*u)));
	}
	return vec(0, 0, 0);
}

static vec3 sample(const case_ *c, double u, double v)
{
	const talus_wall_def *d = &c->def;
	bool segment = d->kind == TALUS_WALL_SEGMENT;
	vec3 pivot = segment ? mul(0.5, add(d->point, d->to)) : d->point;
	vec3 axis = segment ? vec(0, 0, 1) : unit(d->axis);
	vec3 arm = turn(sub(sample_at_start(c, u, v), pivot), axis, d->spin*c->shift_time);
	return add(add(pivot, displacement(d, c->shift_time)), arm);
}

// The distance of x from the wall: a coarse look everywhere, then closer and closer about the best point.
static double search(const case_ *c, vec3 x)
{
	enum { COARSE = 72, FINE = 8, ROUNDS = 28 };
	double best = INFINITY, u0 = 0, v0 = 0, wide = 1.0/COARSE;
	for (int i = 0; i <= COARSE; i++)
		for (int j = 0; j < COARSE; j++) {
			double d = norm(sub(sample(c, (double)i/COARSE, (double)j/COARSE), x));
			if (d < best)
				best = d, u0 = (double)i/COARSE, v0 = (double)j/COARSE;
		}
	for (int round = 0; round < ROUNDS; round++, wide *= 0.6) {
		double um = u0, vm = v0;
		for (int k = 0; k < (FINE + 1)*(FINE + 1); k++) {
			double u = um + wide*((k%(FINE + 1))*2.0/FINE - 1);
			u = c->def.kind == TALUS_WALL_TORUS ? u : fmin(1, fmax(0, u)); // which ends nowhere
			double v = vm + wide*((k/(FINE + 1))*2.0/FINE - 1), d = norm(sub(sample(c, u, v), x));
			if (d < best)
				best = d, u0 = u, v0 = v;
		}
	}
	return best;
}

// ---------------------------------------------------------------- the walls that are tried

static talus_wall_def named(talus_wall_kind kind, vec3 point, vec3 axis)
{
	talus_wall_def d = talus_wall_def_default(kind);
	d.point = point;
	d.axis = axis;
	return d;
}

static talus_wall_def with_hole(vec3 point, vec3 axis, vec3 at, double radius)
{
	talus_wall_def d = named(TALUS_WALL_PLANE, point, axis);
	d.has_hole = true;
	d.hole_at = at;
	d.hole_radius = radius;
	return d;
}

static talus_wall_def cylinder(vec3 point, vec3 axis, double radius, bool inside)
{
	talus_wall_def d = named(TALUS_WALL_CYLINDER, point, axis);
	d.radius = radius;
	d.inside = inside;
	return d;
}

static talus_wall_def cone(bool inside)
{
	talus_wall_def d = named(TALUS_WALL_CONE, vec(0.5, -0.5, -1), vec(0.2, 0.1, 2));
	d.angle = 35;
	d.from = 2;
	d.last = 6;
	d.inside = inside;
	return d;
}

static talus_wall_def segment(void)
{
	talus_wall_def d = talus_wall_def_default(TALUS_WALL_SEGMENT);
	d.point = vec(-2, 1, 0);
	d.to = vec(3, 2.5, 0);
	return d;
}

static talus_wall_def torus(bool inside)
{
	talus_wall_def d = named(TALUS_WALL_TORUS, vec(0.5, 0, 1), vec(0.3, -0.2, 1));
	d.radius = 4;
	d.tube = inside ? 3.5 : 1.5;
	d.inside = inside;
	return d;
}

enum { CASES = 11 };

static void all_cases(case_ c[CASES])
{
	c[0] = (case_){"plane", named(TALUS_WALL_PLANE, vec(1, 2, 0), vec(1, -2, 2)), 3, 0};
	c[1] = (case_){"hole", with_hole(vec(0, 0, 1), vec(0, 0, 3), vec(0.5, 1, 1), 2), 3, 0};
	c[2] = (case_){"slit", with_hole(vec(0, 1, 0), vec(0, 1, 0), vec(0.5, 1, 0), 1.5), 2, 0};
	c[3] = (case_){"cylinder inside", cylinder(vec(1, 0, 0), vec(1, 1, 0.5), 6, true), 3, 0};
	c[4] = (case_){"cylinder outside", cylinder(vec(1, 0, 0), vec(1, 1, 0.5), 1.5, false), 3, 0};
	c[5] = (case_){"circle", cylinder(vec(1, 0, 0), vec(0, 0, 1), 6, true), 2, 0};
	c[6] = (case_){"cone inside", cone(true), 3, 0};
	c[7] = (case_){"cone outside", cone(false), 3, 0};
	c[8] = (case_){"segment", segment(), 2, 0};
	c[9] = (case_){"torus inside", torus(true), 3, 0};
	c[10] = (case_){"torus outside", torus(false), 3, 0};
}

// Grains are allowed to be here: on the side of a one-sided wall that is theirs.
static bool allowed(const case_ *c, const wall *w, vec3 x)
{
	vec3 d = sub(x, w->point), axis = unit(c->def.axis);
	double along = dot(d, axis), off = norm(mul_add(d, -along, axis));
	switch (c->def.kind) {
	case TALUS_WALL_PLANE:
		return c->def.has_hole || along > 0;
	case TALUS_WALL_CYLINDER:
		return (off < c->def.radius) == c->def.inside;
	case TALUS_WALL_TORUS:
		return (hypot(off - c->def.radius, along) < c->def.tube) == c->def.inside;
	default:
		return true;
	}
}

static int least(const touch *touches, int count)
{
	int best = 0;
	for (int k = 1; k < count; k++)
		best = touches[k].gap < touches[best].gap ? k : best;
	return best;
}

static void assert_distances(const case_ *c, const wall *w, uint64_t seed)
{
	dice d = dice_make(seed);
	for (int n = 0; n < 250;) {
		vec3 x = roll_in(&d, vec(-6, -6, c->dimension == 2 ? 0 : -4),
			vec(6, 6, c->dimension == 2 ? 0 : 7));
		double r = roll(&d, 0.2, 3);
		if (!allowed(c, w, x))
			continue;
		n++;
		touch touches[WALL_TOUCHES];
		int count = wall_touch(w, vec(0, 0, 0), c->dimension, x, r, 1e9, touches);
		double gap = search(c, x) - r;
		if (count == 0 || fabs(touches[least(touches, count)].gap - gap) > 1e-5)
			fail_msg("%s: at %g %g %g the gap is %g, not %g", c->name, x.x, x.y, x.z, gap,
				count ? touches[least(touches, count)].gap : INFINITY);
		// and nothing comes from farther than asked for
		int near = wall_touch(w, vec(0, 0, 0), c->dimension, x, r, gap + 1e-4, touches);
		assert_true(near >= 1);
		assert_int_equal(wall_touch(w, vec(0, 0, 0), c->dimension, x, r, gap - 1e-4, touches), 0);
	}
}

static void test_every_shape_has_a_case(void **state)
{
	(void)state;
	case_ c[CASES];
	all_cases(c);
	for (int kind = 0; kind < wall_shape_count(); kind++) {
		int found = 0;
		for (int k = 0; k < CASES; k++)
			found += (int)c[k].def.kind == kind;
		if (!found)
			fail_msg("`%s` is missing in all_cases", wall_shape_name(kind));
	}
}

static void test_distance_is_that_of_the_nearest_point(void **state)
{
	(void)state;
	case_ c[CASES];
	all_cases(c);
	for (int k = 0; k < CASES; k++) {
		wall w;
		wall_init(&w, &c[k].def);
		assert_distances(&c[k], &w, 10 + (uint64_t)k);
	}
}

// A touch of the features 2 and 3 stands for a fixed point of a ring, which the azimuth of x does not move.
static void assert_gradient(const case_ *c, const wall *w, vec3 x, double r, const touch *t)
{
	double h = 1e-5;
	for (int k = 0; k < c->dimension; k++) {
		double gap[2];
		for (int side = 0; side < 2; side++) {
			touch list[WALL_TOUCHES];
			vec3 moved = x;
			set_component(&moved, k, component(x, k) + (side ? h : -h));
			int count = wall_touch(w, vec(0, 0, 0), c->dimension, moved, r, 1e9, list), j = 0;
			while (j < count && list[j].feature != t->feature)
				j++;
			if (j == count)
				return; // on the seam of two features
			gap[side] = list[j].gap;
		}
		double slope = (gap[1] - gap[0])/(2*h);
		if (fabs(slope - component(t->n, k)) > 1e-4)
			fail_msg("%s: feature %d at %g %g %g: n[%d] is %g, the gap's slope %g", c->name,
				t->feature, x.x, x.y,
				x.z, k, component(t->n, k), slope);
	}
}

static void test_normals_are_unit_gradients(void **state)
{
	(void)state;
	case_ c[CASES];
	all_cases(c);
	for (int k = 0; k < CASES; k++) {
		wall w;
		wall_init(&w, &c[k].def);
		dice d = dice_make(50 + (uint64_t)k);
		for (int n = 0; n < 1000; n++) {
			vec3 x = roll_in(&d, vec(-6, -6, c[k].dimension == 2 ? 0 : -4),
				vec(6, 6, c[k].dimension == 2 ? 0 : 7));
			double r = roll(&d, 0.2, 3);
			touch touches[WALL_TOUCHES];
			int count = wall_touch(&w, vec(0, 0, 0), c[k].dimension, x, r, 1e9, touches);
			for (int j = 0; j < count && allowed(&c[k], &w, x); j++) {
				assert_near(norm(touches[j].n), 1, 1e-12);
				assert_true(c[k].dimension == 3 || touches[j].n.z == 0);
				for (int i = 0; i < j; i++)
					assert_int_not_equal(touches[i].feature, touches[j].feature);
				if (touches[j].feature < 2)
					assert_gradient(&c[k], &w, x, r, &touches[j]);
			}
		}
	}
}

// ---------------------------------------------------------------- special places

// A ball that is wider than a hole lies on the whole rim: four touches, all of them points of the rim, equal
// by symmetry.
static void test_a_ball_in_a_hole_touches_all_around(void **state)
{
	(void)state;
	case_ c = {"hole", with_hole(vec(0, 0, 0), vec(0, 0, 1), vec(1, 2, 0), 3), 3, 0};
	wall w;
	wall_init(&w, &c.def);
	touch t[WALL_TOUCHES];
	int count = wall_touch(&w, vec(0, 0, 0), 3, vec(1, 2, 4), 5, 0.1, t);
	assert_int_equal(count, 4);
	vec3 sum = {0, 0, 0};
	for (int k = 0; k < count; k++) {
		assert_near(t[k].gap, 0, 1e-14);
		assert_near(t[k].n.z, 0.8, 1e-14);
		assert_near(search(&c, mul_add(vec(1, 2, 4), -5, t[k].n)), 0, 1e-4);
		sum = add(sum, t[k].n);
	}
	assert_near3(sum, vec(0, 0, 3.2), 1e-14);
	assert_int_equal(wall_touch(&w, vec(0, 0, 0), 3, vec(1, 2, 0), 2.9, 0, t), 0); // a smaller one falls through
	assert_int_equal(wall_touch(&w, vec(0, 0, 0), 2, vec(1, 2, 0), 2.9, 0, t), 0);
}

// A hopper: a ball in the middle of a cone touches it in four places, each 90 degrees from the next.
static void test_a_ball_in_a_cone(void **state)
{
	(void)state;
	talus_wall_def d = named(TALUS_WALL_CONE, vec(0, 0, 0), vec(0, 0, 1));
	d.angle = 30;
	d.last = 10;
	wall w;
	wall_init(&w, &d);
	touch t[WALL_TOUCHES];
	assert_int_equal(wall_touch(&w, vec(0, 0, 0), 3, vec(0, 0, 4), 2, 0.01, t), 4); // 4 sin 30 = 2
	vec3 sum = {0, 0, 0};
	for (int k = 0; k < 4; k++) {
		assert_near(t[k].gap, 0, 1e-14);
		sum = add(sum, t[k].n);
	}
	assert_near3(sum, vec(0, 0, 4*0.5), 1e-14);
}

// A ball that just fits a tube feels both sides of it.
static void test_a_ball_in_a_tube(void **state)
{
	(void)state;
	talus_wall_def d = cylinder(vec(0, 0, 0), vec(0, 0, 1), 2, true);
	wall w;
	wall_init(&w, &d);
	touch t[WALL_TOUCHES];
	assert_int_equal(wall_touch(&w, vec(0, 0, 0), 3, vec(0.001, 0, 5), 1.99, 0.1, t), 2);
	assert_near(t[0].gap, 0.009, 1e-12);
	assert_near(t[1].gap, 0.011, 1e-12);
	assert_near3(t[0].n, vec(-1, 0, 0), 1e-12);
	assert_near3(t[1].n, vec(1, 0, 0), 1e-12);
}

// Where the normal has no direction of its own it is still a unit vector, within the plane in 2D.
static void test_degenerate_places(void **state)
{
	(void)state;
	case_ c[CASES];
	all_cases(c);
	for (int k = 0; k < CASES; k++) {
		wall w;
		wall_init(&w, &c[k].def);
		vec3 at[] = {w.point, w.to, w.hole_at, mul_add(w.point, 3, w.axis),
			mul_add(w.point, c[k].def.last, w.axis)};
		for (int i = 0; i < (c[k].dimension == 2 ? 3 : 5); i++) {
			touch t[WALL_TOUCHES];
			int count = wall_touch(&w, vec(0, 0, 0), c[k].dimension, at[i], 0.5, 1e9, t);
			for (int j = 0; j < count; j++) {
				assert_near(norm(t[j].n), 1, 1e-12);
				assert_true(isfinite(t[j].gap) && (c[k].dimension == 3 || t[j].n.z == 0));
			}
		}
	}
}

// Looking farther finds more, never less: a list of what is near holds whatever is found nearer, wherever the wall was then.
static void test_a_wider_range_only_adds(void **state)
{
	(void)state;
	case_ cases[CASES];
	all_cases(cases);
	size_t seen = 0;
	for (int k = 0; k < CASES; k++) {
		wall w;
		wall_init(&w, &cases[k].def);
		dice d = dice_make((uint64_t)k);
		for (int i = 0; i < 20000; i++) {
			double z = cases[k].dimension == 2 ? 0 : 6;
			vec3 x = roll_in(&d, vec(-6, -6, -z), vec(6, 6, z));
			touch near[WALL_TOUCHES], far[WALL_TOUCHES];
			int few = wall_touch(&w, vec(0, 0, 0), cases[k].dimension, x, 0.5, 0.05, near);
			int more = wall_touch(&w, vec(0, 0, 0), cases[k].dimension, x, 0.5, 0.7, far);
			assert_true(more >= few);
			for (int a = 0; a < few; a++) {
				bool found = false;
				for (int b = 0; b < more; b++)
					found |= far[b].feature == near[a].feature && far[b].gap == near[a].gap;
				assert_true(found);
			}
			seen += few > 0 && more > 0;
		}
	}
	assert_true(seen > 1000);
}

// A grain behind a cone's shell is held there, on its own side, and not drawn in.
static void test_a_cone_has_two_sides(void **state)
{
	(void)state;
	for (int inside = 0; inside < 2; inside++) {
		talus_wall_def d = talus_wall_def_default(TALUS_WALL_CONE);
		d.angle = 45;
		d.from = 1;
		d.last = 9;
		d.inside = inside;
		wall w;
		touch t[WALL_TOUCHES];
		wall_init(&w, &d);
		vec3 shell = vec(5, 0, 5), out = vec(sqrt(0.5), 0, -sqrt(0.5));
		assert_int_equal(wall_touch(&w, vec(0, 0, 0), 3, mul_add(shell, 0.9, out), 1, 0, t), 1);
		assert_near(t[0].gap, -0.1, 1e-12);
		assert_near(dot(t[0].n, out), 1, 1e-12);
		assert_int_equal(wall_touch(&w, vec(0, 0, 0), 3, mul_add(shell, -0.9, out), 1, 0, t), 1);
		assert_near(t[0].gap, -0.1, 1e-12);
		assert_near(dot(t[0].n, out), -1, 1e-12);
	}
}

// A plate with a hole is touched from both sides.
static void test_a_plate_has_two_sides(void **state)
{
	(void)state;
	// the hole is brought into the plane
	talus_wall_def d = with_hole(vec(0, 0, 0), vec(0, 0, 1), vec(0, 0, 7), 1);
	wall w;
	wall_init(&w, &d);
	touch t[WALL_TOUCHES];
	assert_int_equal(wall_touch(&w, vec(0, 0, 0), 3, vec(5, 0, 1.2), 1, 0.5, t), 1);
	assert_near3(t[0].n, vec(0, 0, 1), 0);
	assert_near(t[0].gap, 0.2, 1e-14);
	assert_int_equal(wall_touch(&w, vec(0, 0, 0), 3, vec(5, 0, -1.2), 1, 0.5, t), 1);
	assert_near3(t[0].n, vec(0, 0, -1), 0);
	assert_near3(w.hole_at, vec(0, 0, 0), 0);
}

// ---------------------------------------------------------------- motion

// Everything at once, and where the wall is after it by hand.
static void moving(talus_wall_def *d, int dimension)
{
	d->velocity = vec(0.3, -0.2, dimension == 2 ? 0 : 0.1);
	d->spin = 0.7;
	d->oscillate_direction = vec(0, 2, dimension == 2 ? 0 : 1);
	d->oscillate_amplitude = 0.4;
	d->oscillate_frequency = 1.3;
	d->oscillate_phase = 0.15;
}

static void test_moved_and_spun_walls(void **state)
{
	(void)state;
	case_ c[CASES];
	all_cases(c);
	double dt = 0.01;
	for (int k = 0; k < CASES; k++) {
		if (c[k].dimension == 2 && c[k].def.kind == TALUS_WALL_PLANE)
			continue; // spin about the normal of a line would leave the plane
		wall w;
		moving(&c[k].def, c[k].dimension);
		wall_init(&w, &c[k].def);
		for (int step = 0; step < 200; step++) {
			wall_begin_step(&w, step*dt, dt);
			wall_end_step(&w, step*dt, dt);
		}
		c[k].shift_time = 200*dt;
		assert_distances(&c[k], &w, 100 + (uint64_t)k);
	}
}

// The velocity that a step works with is the displacement that it makes; after any number of steps the wall
// is on its path.
static void test_velocity_is_displacement(void **state)
{
	(void)state;
	talus_wall_def d = named(TALUS_WALL_PLANE, vec(1, 2, 3), vec(0, 0, 1));
	moving(&d, 3);
	d.spin = 0;
	wall w;
	wall_init(&w, &d);
	double dt = 0.037;
	for (int step = 0; step < 500; step++) {
		vec3 before = w.point;
		wall_begin_step(&w, step*dt, dt);
		assert_near3(w.point, before, 0);
		assert_near3(wall_velocity_at(&w, vec(0, 0, 0), vec(5, 5, 5)), w.v, 0);
		double speed = wall_top_speed(&w), moved = w.moved;
		wall_end_step(&w, step*dt, dt);
		assert_near3(sub(w.point, before), mul(dt, w.v), 1e-13);
		assert_near(w.moved - moved, dt*speed, 1e-13);
		vec3 path = add(vec(1, 2, 3), displacement(&d, (step + 1)*dt));
		assert_near3(w.point, path, 1e-12);
		assert_near3(wall_pivot(&w), path, 1e-12);
	}
}

// v + w x arm, about the axis through the point or the middle of a segment; the ends of a blade are its
// fastest points.
static void test_spin(void **state)
{
	(void)state;
	talus_wall_def drum = cylinder(vec(1, 0, 0), vec(0, 2, 0), 3, true), blade = segment();
	drum.spin = 0.5;
	blade.spin = -2;
	wall w;
	wall_init(&w, &drum);
	wall_begin_step(&w, 0, 0.1);
	assert_true(wall_spins(&w));
	assert_near3(wall_velocity_at(&w, vec(0, 0, 0), vec(1, 7, 3)), vec(1.5, 0, 0), 1e-14);
	assert_near(wall_top_speed(&w), 0, 0); // a turning tube keeps its shape
	wall_init(&w, &blade);
	wall_begin_step(&w, 0, 0.1);
	assert_near3(wall_pivot(&w), vec(0.5, 1.75, 0), 1e-15);
	assert_near3(wall_velocity_at(&w, vec(0, 0, 0), vec(1.5, 1.75, 0)), vec(0, -2, 0), 1e-14);
	assert_near(wall_top_speed(&w), norm(vec(5, 1.5, 0)), 1e-14);
	talus_wall_def hole = with_hole(vec(0, 0, 0), vec(0, 0, 1), vec(3, 4, 0), 1);
	hole.spin = 0.2;
	wall_init(&w, &hole);
	wall_begin_step(&w, 0, 0.1);
	assert_near(wall_top_speed(&w), 1, 1e-14);
}

// A piston keeps the velocity that it was given by the step, and moves with it.
static void test_piston(void **state)
{
	(void)state;
	talus_wall_def d = named(TALUS_WALL_PLANE, vec(0, 0, 4), vec(0, 0, -1));
	d.mass = 2;
	wall w;
	wall_init(&w, &d);
	assert_true(wall_is_piston(&w));
	w.v = vec(0, 0, -3);
	wall_begin_step(&w, 0, 0.1);
	assert_near3(w.v, vec(0, 0, -3), 0);
	wall_end_step(&w, 0, 0.1);
	assert_near3(w.point, vec(0, 0, 3.7), 1e-15);
	assert_near(w.moved, 0.3, 1e-15);
	d.mass = 0;
	wall_init(&w, &d);
	assert_false(wall_is_piston(&w) || wall_spins(&w));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_every_shape_has_a_case),
		cmocka_unit_test(test_distance_is_that_of_the_nearest_point),
		cmocka_unit_test(test_normals_are_unit_gradients),
		cmocka_unit_test(test_a_ball_in_a_hole_touches_all_around),
		cmocka_unit_test(test_a_ball_in_a_cone),
		cmocka_unit_test(test_a_ball_in_a_tube),
		cmocka_unit_test(test_degenerate_places),
		cmocka_unit_test(test_a_plate_has_two_sides),
		cmocka_unit_test(test_a_wider_range_only_adds),
		cmocka_unit_test(test_a_cone_has_two_sides),
		cmocka_unit_test(test_moved_and_spun_walls),
		cmocka_unit_test(test_velocity_is_displacement),
		cmocka_unit_test(test_spin),
		cmocka_unit_test(test_piston),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
