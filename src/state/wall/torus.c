// SPDX-License-Identifier: MIT
// A torus: a tube bent into a ring, with the grains inside it or around it. All points at the distance `tube` from the circle of
// the given radius about the axis, its centre line.
#include "state/wall/outline.h"
#include "state/wall/shapes.h"
#include "state/wall/touching.h"

#include "base/fields.h"

const talus_field wall_torus_fields[] = {
	{.name = "point", .meaning = "its centre", .unit = "L", .type = TALUS_FIELD_VECTOR,
		AT(talus_wall_def, point), .required = true},
	{.name = "axis", .meaning = "direction of its axis, of any length", .unit = "",
		.type = TALUS_FIELD_DIRECTION, AT(talus_wall_def, axis), .required = true},
	{.name = "radius", .meaning = "radius of the ring: from its centre to the middle of the tube", .unit = "L",
		.type = TALUS_FIELD_REAL, AT(talus_wall_def, radius), .required = true, POSITIVE},
	{.name = "tube", .meaning = "radius of the tube, less than that of the ring", .unit = "L",
		.type = TALUS_FIELD_REAL, AT(talus_wall_def, tube), .required = true, POSITIVE},
	WALL_SIDE("where the grains are: in the tube or around it"),
	END,
};

static void standard(talus_wall_def *d)
{
	d->tube = 0.5;
}

static bool check(const talus_wall_def *d, int dimension, const bool periodic[3], wall_fault *fault)
{
	(void)dimension, (void)periodic;
	return d->tube < d->radius ||
		wall_fault_set(fault, "tube", "`tube` must be less than `radius` = %.15g, but is %.15g", d->radius, d->tube);
}

static bool is_inside(const talus_wall_def *d)
{
	return d->inside;
}

static bool is_outside(const talus_wall_def *d) // the tube may be thinner than a grain
{
	return !d->inside;
}

// ---------------------------------------------------------------- touching

// A centre x in the half plane through the axis: where its azimuth is, how far it is from the centre line, and in which direction.
typedef struct place {
	vec3 centre, out, from_tube;
	double off, depth;
} place;

static place place_of(const wall *w, vec3 image, vec3 x)
{
	double along;
	place p = {.centre = add(w->point, image)};
	p.off = touch_split(p.centre, w->axis, 3, x, &along, &p.out);
	double aside = p.off - w->def.radius;
	p.depth = sqrt(aside*aside + along*along);
	p.from_tube = p.depth > 0 ? mul(1/p.depth, add(mul(aside, p.out), mul(along, w->axis))) : w->axis;
	return p;
}

// From outside it is a ring with round edges: its centre line, touched by a ball that is larger by the tube.
static int touch_torus(const wall *w, vec3 image, int dimension, vec3 x, double r, double range, touch *list)
{
	(void)dimension;
	place p = place_of(w, image, x);
	double tube = w->def.tube;
	if (!w->def.inside)
		return touch_ring(list, 3, range, p.centre, w->axis, w->def.radius, p.out, x, r + tube);
	int count = touch_put(list, 0, range, 0, neg(p.from_tube), tube - r - p.depth);
	return touch_put(list, count, range, 1, p.from_tube, tube - r + p.depth); // a ball that fits tightly
}

// Two ways to go round: about the axis and about the centre line. The far sides of a ring count as flat.
static double curvature(const wall *w, vec3 image, int dimension, vec3 x, vec3 n, vec3 way)
{
	(void)dimension;
	place p = place_of(w, image, x);
	if (fabs(dot(n, p.from_tube)) < 1 - 1e-9)
		return 0;
	vec3 along = cross(w->axis, p.out), around = cross(along, p.from_tube);
	double s = dot(way, along), t = dot(way, around);
	return dot(n, p.out)*(sqrt(p.off*p.off + s*s) - p.off) + dot(n, p.from_tube)*(sqrt(p.depth*p.depth + t*t) - p.depth);
}

// ---------------------------------------------------------------- how far it reaches

static double reach(const talus_wall_def *d, vec3 axis, vec3 direction) // from its centre; both are unit vectors
{
	double c = dot(axis, direction);
	return d->radius*sqrt(fmax(0, 1 - c*c)) + d->tube;
}

static void span(const wall *w, int k, double *low, double *high)
{
	*high = reach(&w->def, w->axis, vec(k == 0, k == 1, k == 2));
	*low = -*high;
}

static double lowest(const talus_wall_def *d, vec3 down)
{
	return d->inside ? dot(d->point, down) + reach(d, unit(d->axis), down) : -INFINITY;
}

static double girth(const talus_wall_def *d)
{
	return d->radius + d->tube;
}

static wall_beyond beyond(const talus_wall_def *d)
{
	return d->inside ? (wall_beyond){"outside the tube", "`side: outside` is for grains around it"}
	                 : (wall_beyond){"inside the tube", "`side: inside` is for grains in it"};
}

// ---------------------------------------------------------------- pictures

static void bounds(const talus_wall_def *d, talus_box *box, double extent)
{
	vec3 axis = unit(d->axis);
	for (int k = 0; k < 3 && girth(d) < 2*extent; k++) {
		vec3 direction = vec(k == 0, k == 1, k == 2);
		box_include(box, mul_add(d->point, reach(d, axis, direction), direction));
		box_include(box, mul_add(d->point, -reach(d, axis, direction), direction));
	}
}

static void outline(const talus_wall_def *d, int dimension, const wall_pen *pen)
{
	enum { AROUND = 32, ROWS = WALL_ROUND + 1, COLUMNS = AROUND + 1 };
	static const double two_pi = 2*M_PI;
	vec3 at[ROWS*COLUMNS], outward[ROWS*COLUMNS], axis = unit(d->axis);
	(void)dimension;
	for (int i = 0; i < ROWS; i++)
		for (int j = 0; j < COLUMNS; j++) {
			double psi = two_pi*(j%AROUND)/AROUND;
			vec3 out = outline_around(axis, i%WALL_ROUND), *n = &outward[i*COLUMNS + j];
			*n = add(mul(cos(psi), out), mul(sin(psi), axis));
			at[i*COLUMNS + j] = add(mul_add(d->point, d->radius, out), mul(d->tube, *n));
		}
	pen->skin(pen->page, d->inside, ROWS, COLUMNS, at, outward);
}

const wall_shape wall_torus = {
	.fields = wall_torus_fields,
	.dimension = 3,
	.instead = "use a `cylinder`, which is a circle there",
	.standard = standard,
	.check = check,
	.touch = touch_torus,
	.curvature = curvature,
	.thin = is_outside,
	.part = "wall",
	.encloses = is_inside,
	.span = span,
	.lowest = lowest,
	.girth = girth,
	.beyond = beyond,
	.bounds = bounds,
	.ground = girth,
	.outline = outline,
};
