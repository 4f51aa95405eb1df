// SPDX-License-Identifier: MIT
// Random scenes: grains. Single ones, and those of a file, stand on sites in a layer at the upper end of the room, far enough
// from each other; fills come after them and keep away from all that is there.
#include "soak_plan.h"

void plan_radii(soak_plan *p)
{
	dice *d = &p->d;
	double a = p->least, b = p->most, mean = 0.5*(a + b), wide = 0.3*(b - a);
	int kind = a == b ? 0 : 1 + pick(d, 4);
	fprintf(p->out, ", radius: ");
	if (kind == 0)
		fprintf(p->out, chance(d, 0.5) ? "%.6g" : "{constant: %.6g}", b);
	else if (kind == 1)
		fprintf(p->out, "{uniform: [%.6g, %.6g]}", a, b);
	else if (kind == 2)
		fprintf(p->out, "{normal: {mean: %.6g, deviation: %.6g, least: %.6g, most: %.6g}}", mean, wide, a, b);
	else if (kind == 3)
		fprintf(p->out, "{lognormal: {median: %.6g, deviation: %.6g, least: %.6g, most: %.6g}}", mean, wide/mean, a, b);
	else
		fprintf(p->out, "{sieve: [[%.6g, 0], [%.6g, %.3g], [%.6g, 1]]}", 2*a, 2*mean, roll(d, 0.2, 0.8), 2*b);
}

static vec3 some_velocity(soak_plan *p)
{
	return mul(chance(&p->d, 0.2) ? 0 : p->speed*roll(&p->d, 0.2, 1), plan_direction(p));
}

// What keeps its velocity goes slowly, and not far: it would crush others against a wall.
static vec3 slow_velocity(soak_plan *p)
{
	return mul(chance(&p->d, 0.5) ? 0 : fmin(0.1*p->speed, p->least/plan_duration(p)), plan_direction(p));
}

// ---------------------------------------------------------------- one by one

typedef struct sites {
	double pitch;
	int last; // direction in which there is one layer only
	int count[3], all;
} sites;

static sites make_sites(const soak_plan *p)
{
	sites s = {.pitch = 2.5*p->most, .last = p->dimension - 1, .count = {1, 1, 1}, .all = 1};
	for (int k = 0; k < s.last; k++)
		s.all *= s.count[k] = (int)(plan_edge(p, k)/s.pitch);
	return s;
}

static vec3 site(const soak_plan *p, const sites *s, int n)
{
	int place[3] = {n%s->count[0], s->last == 2 ? n/s->count[0] : 0, 0};
	vec3 x = {0, 0, 0};
	for (int k = 0; k < s->last; k++)
		set_component(&x, k, component(p->low, k) + (place[k] + 0.5)*s->pitch);
	set_component(&x, s->last, component(p->high, s->last) - 0.5*s->pitch);
	return x;
}

static void put_spin(soak_plan *p)
{
	double most = p->speed/p->most;
	if (p->dimension == 2)
		fprintf(p->out, ", spin: %.5g", roll(&p->d, -1, 1)*most);
	else
		plan_vector(p, "spin", mul(roll(&p->d, 0, 1)*most, plan_direction(p)));
}

static void put_free(soak_plan *p)
{
	static const char *const names[] = {"x", "y", "z", "spin"};
	const char *comma = "";
	fprintf(p->out, ", free: [");
	for (int k = 0; k < 4; k++)
		if ((k != 2 || p->dimension == 3) && chance(&p->d, 0.5)) {
			fprintf(p->out, "%s%s", comma, names[k]);
			comma = ", ";
		}
	fprintf(p->out, "]");
}

static void put_grain(soak_plan *p, vec3 at)
{
	dice *d = &p->d;
	int held = pick(d, 6); // 0: fixed, 1: free in some directions
	fprintf(p->out, "  - grain: {at: ");
	plan_place(p, at);
	fprintf(p->out, ", radius: %.6g", roll(d, p->least, p->most));
	plan_material(p);
	plan_vector(p, "velocity", held < 2 ? slow_velocity(p) : some_velocity(p));
	if (chance(d, 0.5))
		put_spin(p);
	if (chance(d, 0.4))
		plan_vector(p, "force", mul(plan_mass(p)*p->speed*p->speed/p->most*roll(d, 0, 0.2), plan_direction(p)));
	if (held == 0)
		fprintf(p->out, ", fixed: true");
	if (held == 1)
		put_free(p);
	fprintf(p->out, "}\n");
}

// Grains that overlap by up to a tenth of a radius, or none that does.
static void put_file(soak_plan *p, const sites *s, int first, int count)
{
	dice *d = &p->d;
	bool overlaps = chance(d, 0.4), moving = chance(d, 0.7);
	fprintf(p->out, "  - file: {path: grains.csv");
	plan_material(p);
	fprintf(p->out, "%s}\n", overlaps ? ", overlaps: allowed" : "");
	fprintf(p->csv, "x,y,z,radius%s\n", moving ? ",vx,vy,vz" : "");
	for (int n = first; n < first + count; n++) {
		vec3 x = site(p, s, n), v = some_velocity(p);
		double r = roll(d, p->least, p->most);
		for (int twin = 0; twin < (overlaps && n%2 ? 2 : 1); twin++) {
			vec3 at = x;
			if (twin)
				set_component(&at, s->last, component(x, s->last) - roll(d, 1.9, 2)*r);
			fprintf(p->csv, "%.9g,%.9g,%.9g,%.9g", at.x, at.y, at.z, r);
			if (moving)
				fprintf(p->csv, ",%.6g,%.6g,%.6g", v.x, v.y, v.z);
			fprintf(p->csv, "\n");
		}
	}
}

static void put_singles(soak_plan *p)
{
	dice *d = &p->d;
	sites s = make_sites(p);
	if (!p->singles || s.all < 2 || p->dense)
		return;
	int singles = 1 + pick(d, s.all < 12 ? s.all : 12);
	for (int n = 0; n < singles; n++)
		put_grain(p, site(p, &s, n));
	if (singles < s.all && chance(d, 0.3))
		put_file(p, &s, singles, 1 + pick(d, s.all - singles < 10 ? s.all - singles : 10));
}

// ---------------------------------------------------------------- many

static void put_box(soak_plan *p, vec3 low, vec3 high)
{
	fprintf(p->out, ", in: {box: [");
	plan_place(p, low);
	fprintf(p->out, ", ");
	plan_place(p, high);
	fprintf(p->out, "]}");
}

// All of the room, or a ball or a cylinder inside of it.
static double put_region(soak_plan *p)
{
	dice *d = &p->d;
	double radius = 0.5*plan_shortest(p), edges = 1;
	int kind = p->crowd || radius < 4*p->most ? 0 : pick(d, 4), last = p->dimension - 1;
	for (int k = 0; k < p->dimension; k++)
		edges *= plan_edge(p, k);
	if (kind < 2) {
		put_box(p, p->low, p->high);
		return 1;
	}
	if (kind == 2) {
		fprintf(p->out, ", in: {sphere: {at: ");
		plan_place(p, plan_middle(p));
		fprintf(p->out, ", radius: %.6g}}", radius);
		return plan_volume(p, radius)/edges;
	}
	vec3 from = plan_middle(p), to = from;
	set_component(&from, last, component(p->low, last));
	set_component(&to, last, component(p->high, last));
	fprintf(p->out, ", in: {cylinder: {from: ");
	plan_place(p, from);
	plan_vector(p, "to", to);
	fprintf(p->out, ", radius: %.6g}}", radius);
	return (p->dimension == 2 ? 2*radius : M_PI*radius*radius)*plan_edge(p, last)/edges;
}

// How many of the sites of a lattice may be taken: some are in the way of walls and others.
static int lattice_count(const soak_plan *p, int wanted)
{
	double all = !p->crowd ? 0.4 : p->obstacles ? 0.5 : 0.95;
	for (int k = 0; k < p->dimension; k++)
		all *= floor(plan_edge(p, k)/(2*p->most));
	return wanted < (int)all ? wanted : (int)fmax(1, all);
}

static void put_fill(soak_plan *p, int count, bool first, bool fixed)
{
	dice *d = &p->d;
	bool lattice = p->crowd || (!p->obstacles && first && chance(d, 0.5));
	fprintf(p->out, "  - fill: {arrangement: %s", lattice ? "lattice" : "random");
	if (lattice && chance(d, 0.5))
		fprintf(p->out, ", jitter: %.3g", roll(d, 0, 1));
	plan_radii(p);
	plan_material(p);
	if (lattice)
		put_box(p, p->low, p->high);
	double share = lattice ? 1 : put_region(p);
	fprintf(p->out, ", count: %d", lattice ? lattice_count(p, count) : (int)fmax(1, share*count));
	plan_vector(p, "velocity", fixed ? slow_velocity(p) : some_velocity(p));
	fprintf(p->out, "%s}\n", fixed ? ", fixed: true" : "");
}

static void put_pour(soak_plan *p)
{
	dice *d = &p->d;
	int count = 1 + pick(d, 25), last = p->dimension - 1;
	vec3 low = p->low;
	set_component(&low, last, component(p->high, last) - fmax(2.2*p->most, 0.4*plan_edge(p, last)));
	fprintf(p->out, "  - pour: {count: %d, rate: %.5g", count, count/(plan_duration(p)*roll(d, 0.2, 1)));
	if (chance(d, 0.5))
		fprintf(p->out, ", start: %.5g", plan_duration(p)*roll(d, 0, 0.4));
	plan_radii(p);
	plan_material(p);
	put_box(p, low, p->high);
	plan_vector(p, "velocity", some_velocity(p));
	fprintf(p->out, "}\n");
}

// A packing of few grains at rest; it fills its cell, or lies at the low end of the room.
static void put_dense(soak_plan *p)
{
	dice *d = &p->d;
	bool own = p->space >= SPACE_CELL;
	double mean = 0.5*(p->least + p->most), row = plan_edge(p, 0)/(2*mean); // of about five of them
	int count = own ? (p->dimension == 2 ? 25 : 45) + pick(d, 20) : (int)(5*row*p->most/mean);
	fprintf(p->out, "  - fill: {arrangement: dense, count: %d, pressure: %.4g", count, p->density*p->speed*p->speed*roll_log(d, 0.01, 1));
	plan_radii(p);
	plan_material(p);
	if (chance(d, 0.5))
		fprintf(p->out, ", friction: %.3g", chance(d, 0.5) ? 0 : roll(d, 0, 0.5));
	if (!own)
		put_box(p, p->low, p->high);
	fprintf(p->out, "}\n");
}

void plan_grains(soak_plan *p)
{
	dice *d = &p->d;
	fprintf(p->out, "grains:\n");
	if (p->dense) {
		put_dense(p);
		return;
	}
	put_singles(p);
	if (p->obstacles && !p->crowd)
		p->count = (int)fmax(3, 0.6*p->count);
	int parts = p->count > 8 && !p->crowd ? 1 + pick(d, 4) : 1; // each has a velocity of its own
	for (int n = 0; n < parts; n++)
		put_fill(p, p->count/parts, n == 0 && !p->singles, n > 0 && chance(d, 0.15));
	if (!plan_deforms(p) && !p->crowd && chance(d, 0.3))
		put_pour(p);
}
