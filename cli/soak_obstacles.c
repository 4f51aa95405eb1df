// SPDX-License-Identifier: MIT
// Random scenes: walls. Those around the room stand where they touch it from outside; others are small and in its lower half. What is
// driven does not come far.
#include "soak_plan.h"

static bool any_periodic(const soak_plan *p)
{
	return p->periodic[0] || p->periodic[1] || p->periodic[2];
}

static void wall_begin(soak_plan *p)
{
	fprintf(p->out, p->walls == 0 ? "walls:\n  w%d: {" : "  w%d: {", p->walls);
	p->walls++;
}

// ---------------------------------------------------------------- motion

typedef struct freedom { // what a wall may do
	double travel;  // how far it may come
	double arm;     // from where it spins to its farthest point; negative: it does not spin
	vec3 belt;      // a direction in which it may go on for ever; 0: none
	vec3 push;      // force on a piston, if it is to be one
	bool finite;    // not along periodic directions
} freedom;

static void put_piston(soak_plan *p, const freedom *f)
{
	dice *d = &p->d;
	int must = pick(d, p->dimension), left = p->dimension;
	const char *comma = "";
	while (f->finite && p->periodic[must] && left-- > 0)
		must = (must + 1)%p->dimension;
	fprintf(p->out, ", mass: %.5g", plan_mass(p)*roll_log(d, 0.3, 100));
	if (chance(d, 0.7))
		plan_vector(p, "force", add(f->push, mul(0.1*norm(f->push), plan_direction(p))));
	fprintf(p->out, ", free: [");
	for (int k = 0; k < p->dimension; k++)
		if (k == must || (chance(d, 0.3) && !(f->finite && p->periodic[k]))) {
			fprintf(p->out, "%s%c", comma, "xyz"[k]);
			comma = ", ";
		}
	fprintf(p->out, "]%s}\n", chance(d, 0.3) ? ", weight: false" : "");
}

static void put_motion(soak_plan *p, const freedom *f)
{
	dice *d = &p->d;
	int kind = pick(d, 10);
	plan_material(p);
	if (kind < 2 && !(f->finite && p->space == SPACE_CELL)) {
		put_piston(p, f);
		return;
	}
	bool moves = kind > 5;
	if (moves && chance(d, 0.6))
		plan_vector(p, "velocity", add(mul(fmin(0.5*p->speed, 0.5*f->travel/plan_duration(p))*roll(d, 0, 1), plan_direction(p)),
		                               mul(roll(d, -1, 1)*p->speed, f->belt)));
	if (moves && f->arm >= 0 && chance(d, 0.6))
		fprintf(p->out, ", spin: %.5g", roll(d, -1, 1)*p->speed/fmax(f->arm, p->most));
	if (moves && f->travel > 0 && chance(d, 0.4)) {
		double amplitude = 0.25*f->travel*roll(d, 0.1, 1);
		vec3 direction = plan_direction(p);
		fprintf(p->out, ", oscillate: {direction: ");
		plan_place(p, direction);
		fprintf(p->out, ", amplitude: %.5g, frequency: %.5g, phase: %.3g}", amplitude,
		        p->speed*roll(d, 0.1, 1)/(2*M_PI*amplitude), roll(d, 0, 1));
	}
	fprintf(p->out, "}\n");
}

// Of about the weight of what is in the room, or of its motion.
static double push_size(const soak_plan *p)
{
	return p->count*plan_mass(p)*(p->gravity + p->speed*p->speed/plan_shortest(p));
}

// ---------------------------------------------------------------- around the room

// Touches the room with its normal towards it.
static void put_plane(soak_plan *p, vec3 normal)
{
	double half = 0;
	for (int k = 0; k < p->dimension; k++)
		half += 0.5*fabs(component(normal, k))*plan_edge(p, k);
	vec3 belt = p->dimension == 2 ? vec(-normal.y, normal.x, 0) : any_tangent(normal);
	freedom f = {.travel = 0.1*plan_shortest(p), .arm = p->dimension == 3 && !any_periodic(p) ? 0.5*plan_shortest(p) : -1, .belt = belt,
	             .push = mul(push_size(p)*roll(&p->d, 0, 2), normal)};
	if (!chance(&p->d, 0.3))
		f.belt = vec(0, 0, 0);
	wall_begin(p);
	fprintf(p->out, "plane: {point: ");
	plan_place(p, mul_add(plan_middle(p), -half, normal));
	plan_vector(p, "normal", mul(roll_log(&p->d, 0.5, 3), normal));
	fprintf(p->out, "}");
	put_motion(p, &f);
}

static vec3 along(int k, double sign)
{
	return vec(k == 0 ? sign : 0, k == 1 ? sign : 0, k == 2 ? sign : 0);
}

// Along the axis, or leaning.
static vec3 leaning(soak_plan *p, vec3 normal)
{
	if (!chance(&p->d, 0.25))
		return normal;
	vec3 n = mul_add(normal, roll(&p->d, 0, 0.5), plan_direction(p));
	for (int k = 0; k < 3; k++)
		if (p->periodic[k])
			set_component(&n, k, 0);
	return unit(n);
}

static void put_planes(soak_plan *p, double low, double high)
{
	for (int k = 0; k < p->dimension; k++) {
		if (p->periodic[k])
			continue;
		if (chance(&p->d, low))
			put_plane(p, leaning(p, along(k, 1)));
		if (chance(&p->d, high))
			put_plane(p, leaning(p, along(k, -1)));
	}
}

// The axis is that of the periodic direction, if there is one.
static int drum_axis(soak_plan *p)
{
	for (int k = 0; k < 3; k++)
		if (p->periodic[k])
			return k;
	return pick(&p->d, 3);
}

static void put_drum(soak_plan *p)
{
	int k = p->dimension == 3 ? drum_axis(p) : 2;
	vec3 axis = along(k, 1), half = mul(0.5, sub(p->high, p->low));
	bool leans = p->dimension == 3 && !any_periodic(p) && chance(&p->d, 0.3);
	if (p->dimension == 3 && !leans)
		set_component(&half, k, 0);
	if (leans)
		axis = unit(mul_add(axis, 0.7, plan_direction(p)));
	double radius = norm(half)*roll(&p->d, 1, 1.1);
	freedom f = {.travel = 0.1*plan_shortest(p), .arm = radius, .push = mul(push_size(p), plan_direction(p)),
	             .finite = any_periodic(p)};
	wall_begin(p);
	fprintf(p->out, "cylinder: {point: ");
	plan_place(p, plan_middle(p));
	if (p->dimension == 3)
		plan_vector(p, "axis", axis);
	fprintf(p->out, ", radius: %.7g%s}", radius, chance(&p->d, 0.5) ? ", side: inside" : "");
	put_motion(p, &f);
	if (p->dimension == 3 && !leans && !p->periodic[k]) {
		put_plane(p, along(k, 1));
		if (chance(&p->d, 0.7))
			put_plane(p, along(k, -1));
	}
}

// A hopper around the room, its mouth below; sometimes with a floor.
static void put_hopper(soak_plan *p)
{
	dice *d = &p->d;
	double angle = roll(d, 15, 60), slope = tan(angle*M_PI/180), base = 0.5*hypot(plan_edge(p, 0), plan_edge(p, 1));
	double tip = base/slope, from = chance(d, 0.3) ? 0 : tip*roll(d, 0.1, 0.95);
	vec3 at = plan_middle(p);
	at.z = p->low.z - tip;
	freedom f = {.travel = 0.1*plan_shortest(p), .arm = base, .push = mul(push_size(p), plan_direction(p))};
	wall_begin(p);
	fprintf(p->out, "cone: {tip: ");
	plan_place(p, at);
	fprintf(p->out, ", axis: [0, 0, %.4g], angle: %.5g, from: %.6g, to: %.6g%s}", roll(d, 0.5, 2), angle, from,
	        tip + plan_edge(p, 2)*roll(d, 0.5, 1.5), chance(d, 0.5) ? ", side: inside" : "");
	put_motion(p, &f);
	if (chance(d, 0.6)) {
		wall_begin(p);
		at.z += fmax(0, from - roll(d, 0.5, 4)*p->most);
		fprintf(p->out, "plane: {point: ");
		plan_place(p, at);
		fprintf(p->out, ", normal: [0, 0, 1]}");
		put_motion(p, &(freedom){.arm = base});
	}
}

// ---------------------------------------------------------------- in the room

// A place in the lower half for something of the given size; across an edge of the cell as well as within it. False if there is no
// room for it beside its own images.
static bool find_place(soak_plan *p, double size, vec3 *at)
{
	int last = p->dimension - 1;
	*at = plan_middle(p);
	for (int k = 0; k < p->dimension; k++) {
		double half = 0.5*plan_edge(p, k);
		if (p->periodic[k] && half - size < (p->fast ? 4 : 1.5)*p->most)
			return false;
		double move = roll(&p->d, -1, 1)*half;
		if (!p->periodic[k] || (k == last && p->singles))
			move *= 0.8;
		if (!p->periodic[k] && k == last)
			move = -0.45*half + 0.35/0.8*move;
		set_component(at, k, component(*at, k) + move);
	}
	if (p->singles && component(*at, last) + size + 2.6*p->most > component(p->high, last))
		return false;
	p->obstacles++;
	return true;
}

static double obstacle_size(soak_plan *p)
{
	return plan_shortest(p)*roll(&p->d, 0.05, 0.22);
}

static freedom obstacle_freedom(soak_plan *p, double size)
{
	return (freedom){.travel = p->most, .arm = size, .push = mul(push_size(p)*roll(&p->d, 0, 1), plan_direction(p)),
	                 .finite = true};
}

static void put_segment(soak_plan *p)
{
	double half = obstacle_size(p);
	vec3 at, way = mul(half, plan_direction(p));
	if (!find_place(p, half + p->most, &at))
		return;
	freedom f = obstacle_freedom(p, half);
	wall_begin(p);
	fprintf(p->out, "segment: {from: ");
	plan_place(p, sub(at, way));
	plan_vector(p, "to", add(at, way));
	fprintf(p->out, "}");
	put_motion(p, &f);
}

// Endless: along a periodic direction, or any if there is none.
static void put_roller(soak_plan *p)
{
	double radius = obstacle_size(p);
	vec3 at, axis = p->dimension == 3 && any_periodic(p) ? along(drum_axis(p), 1) : plan_direction(p);
	if (p->singles && !any_periodic(p))
		axis = unit(vec(axis.x + 0.1, axis.y, 0)); // level
	if (p->singles && axis.z != 0)
		return;
	if (!find_place(p, radius + p->most, &at))
		return;
	freedom f = obstacle_freedom(p, radius);
	wall_begin(p);
	fprintf(p->out, "cylinder: {point: ");
	plan_place(p, at);
	if (p->dimension == 3)
		plan_vector(p, "axis", axis);
	fprintf(p->out, ", radius: %.6g, side: outside}", radius);
	put_motion(p, &f);
}

static void put_funnel(soak_plan *p)
{
	dice *d = &p->d;
	double size = 1.5*obstacle_size(p), angle = roll(d, 8, 80), to = size*cos(angle*M_PI/180);
	vec3 at;
	if (!find_place(p, size + p->most, &at))
		return;
	freedom f = obstacle_freedom(p, size);
	wall_begin(p);
	fprintf(p->out, "cone: {tip: ");
	plan_place(p, at);
	plan_vector(p, "axis", plan_direction(p));
	fprintf(p->out, ", angle: %.5g, to: %.6g", angle, to);
	if (chance(d, 0.6))
		fprintf(p->out, ", from: %.6g", to*roll(d, 0.1, 0.8));
	fprintf(p->out, ", side: %s}", chance(d, 0.5) ? "inside" : "outside");
	put_motion(p, &f);
}

// A ring, through whose hole grains may fall, or may not.
static void put_torus(soak_plan *p)
{
	double size = 1.5*obstacle_size(p), tube = size*roll(&p->d, 0.05, 0.45);
	vec3 at;
	if (!find_place(p, size + p->most, &at))
		return;
	freedom f = obstacle_freedom(p, size);
	wall_begin(p);
	fprintf(p->out, "torus: {point: ");
	plan_place(p, at);
	plan_vector(p, "axis", plan_direction(p));
	fprintf(p->out, ", radius: %.6g, tube: %.6g, side: outside}", size - tube, tube);
	put_motion(p, &f);
}

// A plate across the room. Its hole may be smaller than grains; it turns about a point beside the hole.
static void put_sieve(soak_plan *p)
{
	dice *d = &p->d;
	int k = pick(d, p->dimension);
	double hole = fmin(p->most*roll(d, 0.3, 3), 0.2*plan_shortest(p));
	vec3 at, beside;
	for (int n = 0; p->periodic[k] && n < p->dimension; n++)
		k = (k + 1)%p->dimension;
	if (p->singles)
		k = p->dimension - 1;
	if (p->periodic[k] || !find_place(p, hole + p->most, &at))
		return;
	freedom f = obstacle_freedom(p, plan_shortest(p));
	f.arm = p->dimension == 3 && !any_periodic(p) ? f.arm : -1;
	beside = any_periodic(p) ? at : mul_add(at, p->most, plan_direction(p));
	set_component(&beside, k, component(at, k));
	wall_begin(p);
	fprintf(p->out, "plane: {point: ");
	plan_place(p, beside);
	plan_vector(p, "normal", along(k, chance(d, 0.5) ? 1 : -1));
	plan_vector(p, "hole: {at", at);
	fprintf(p->out, ", radius: %.6g}}", hole);
	put_motion(p, &f);
}

void plan_walls(soak_plan *p)
{
	dice *d = &p->d;
	if (p->dense && p->space >= SPACE_CELL)
		return;
	if (plan_deforms(p))
		return;
	if (p->space == SPACE_OPEN)
		put_planes(p, 0.2, 0);
	if (p->space == SPACE_BOX)
		put_planes(p, 0.9, 0.7);
	if (p->space == SPACE_DRUM)
		put_drum(p);
	if (p->space == SPACE_CONE)
		put_hopper(p);
	int obstacles = p->dense ? 0 : pick(d, p->crowd ? 2 : 4);
	for (int i = 0; i < obstacles; i++) {
		int kind = pick(d, p->dimension + 2); // twice as many thin ones
		if (kind == 0)
			put_sieve(p);
		else if (kind == 1)
			put_roller(p);
		else if (p->dimension == 2)
			put_segment(p);
		else if (kind == 2)
			put_torus(p);
		else
			put_funnel(p);
	}
}
