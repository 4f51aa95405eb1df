// SPDX-License-Identifier: MIT
// Random scenes. Everything is made to be accepted and to have a solution: grains are few for their room, walls that are driven
// come in slowly, a cell that is driven does not shrink by more than there is room.
#include "soak.h"
#include "base/memory.h"
#include "io/files.h"

#include "soak_plan.h"

#include <stdlib.h>
#include <string.h>

// ---------------------------------------------------------------- sizes and times

static void choose_scales(soak_plan *p)
{
	static const double lengths[] = {1, 1, 1, 1e-3, 0.05, 30}, speeds[] = {1, 1, 10, 0.01}, densities[] = {1, 1, 2500, 1e-3};
	dice *d = &p->d;
	p->dimension = chance(d, 0.5) ? 2 : 3;
	p->crowd = chance(d, 0.1);
	p->fast = chance(d, 0.25);
	p->most = lengths[pick(d, 6)]*roll(d, 0.8, 1.2);
	p->least = chance(d, 0.3) ? p->most : p->most/(chance(d, 0.15) ? roll(d, 5, 10) : roll(d, 1.05, 2.5));
	if (p->crowd) // they are to touch
		p->least = fmax(p->least, 0.995*p->most);
	p->speed = speeds[pick(d, 4)]*roll(d, 0.5, 2);
	p->density = densities[pick(d, 4)]*roll(d, 0.5, 2);
	p->step = (p->fast ? roll(d, 0.3, 1) : roll_log(d, 0.05, 0.3))*p->most/p->speed;
	p->steps = p->crowd ? 3 + pick(d, 4) : 30 + (int)roll_log(d, 1, 150);
	p->gravity = fmin(p->speed*p->speed/(p->most*roll_log(d, 0.5, 10)), 4*p->speed/plan_duration(p));
	if (chance(d, 0.2))
		p->gravity = 0;
}

static void choose_space(soak_plan *p)
{
	static const soak_space spaces[] = {SPACE_OPEN, SPACE_BOX, SPACE_BOX, SPACE_BOX, SPACE_BOX, SPACE_BOX,
	                                    SPACE_DRUM, SPACE_DRUM, SPACE_CONE, SPACE_CONE, SPACE_CELL, SPACE_BATH, SPACE_DRIVE, SPACE_DRIVE};
	dice *d = &p->d;
	p->space = spaces[pick(d, 14)];
	if (p->space == SPACE_CONE && p->dimension == 2)
		p->space = SPACE_BOX;
	for (int k = 0; k < p->dimension; k++)
		p->periodic[k] = p->space >= SPACE_CELL || (p->space <= SPACE_BOX && chance(d, 0.3));
	if (p->space == SPACE_DRUM && p->dimension == 3)
		p->periodic[pick(d, 3)] = chance(d, 0.4); // that of its axis
	bool all = p->periodic[0] && p->periodic[1] && (p->dimension == 2 || p->periodic[2]);
	if (p->space <= SPACE_BOX && all)
		p->space = SPACE_CELL;
	bool small = !p->crowd && p->least > 0.3*p->most && p->most > 0.5 && p->most < 2; // dense packings take their time
	p->singles = !p->crowd && chance(d, 0.6);
	p->dense = small && chance(d, p->space >= SPACE_CELL ? 0.3 : p->space == SPACE_BOX && p->dimension == 2 ? 0.1 : 0);
}

// The room: wide enough for its grains, and for the least width of a cell.
static void choose_room(soak_plan *p)
{
	dice *d = &p->d;
	double grains = p->crowd ? roll(d, 2500, 4500) : roll_log(d, 10, p->dimension == 2 ? 120 : 160), aspect[3], all = 1;
	double mean = 0.5*(p->least + p->most), least = fmax(6*p->most, 4.2*p->most + 2.2*p->range);
	p->share = p->crowd ? 0.48 : roll(d, 0.12, p->dimension == 2 ? 0.42 : 0.28);
	for (int k = 0; k < p->dimension; k++)
		all *= aspect[k] = roll_log(d, 1, p->dense ? 1.15 : 2.5);
	double size = pow(grains*plan_volume(p, mean)/(p->share*all), 1.0/p->dimension), offset = chance(d, 0.5) ? 0 : size;
	for (int k = 0; k < p->dimension; k++) {
		double edge = fmax(least, aspect[k]*size), low = roll(d, -1, 1)*offset;
		if (p->crowd) // a lattice fills it
			edge = 2.002*p->most*ceil(edge/(2.002*p->most));
		set_component(&p->low, k, low);
		set_component(&p->high, k, low + edge);
	}
	double volume = plan_edge(p, 0)*plan_edge(p, 1)*(p->dimension == 3 ? plan_edge(p, 2) : 1);
	p->count = (int)fmax(3, fmin(grains, p->share*volume/plan_volume(p, mean)));
}

// ---------------------------------------------------------------- the cell

// Edges shrink by less than a tenth in all; a dense packing is only sheared, and has a pressure to give way to.
static void put_drive(soak_plan *p, double pressure)
{
	static const char *const names[3][3] = {{"xx", "xy", "xz"}, {"", "yy", "yz"}, {"", "", "zz"}};
	dice *d = &p->d;
	double most = fmin(0.1/plan_duration(p), 0.004/p->step);
	bool stress = p->dense || chance(d, 0.5), any = false, first = true;
	fprintf(p->out, ", drive: {");
	for (int i = 0; i < p->dimension; i++)
		for (int j = i; j < p->dimension; j++) {
			bool last = i == p->dimension - 1, follows = stress && (i == j ? p->dense || chance(d, 0.6) : chance(d, 0.15));
			if (!follows && !chance(d, 0.5) && !(last && first))
				continue;
			any |= follows;
			fprintf(p->out, "%s%s: ", first ? "" : ", ", names[i][j]);
			first = false;
			if (follows)
				fprintf(p->out, "{stress: %.5g}", pressure*(i == j ? roll(d, 0.5, 1.5) : roll(d, -0.15, 0.15)));
			else
				fprintf(p->out, "{rate: %.5g}", i == j ? roll(d, p->dense ? 0 : -1, 1)*most : roll(d, -5, 5)*most);
		}
	fprintf(p->out, "}");
	if (any)
		fprintf(p->out, ", inertia: %.5g", pressure*p->step*p->step*roll_log(d, 300, 1e5));
}

static void put_cell(soak_plan *p)
{
	if (!p->periodic[0] && !p->periodic[1] && !p->periodic[2])
		return;
	dice *d = &p->d;
	double pressure = p->density*p->speed*p->speed*roll_log(d, 0.1, 20);
	const char *comma = "";
	vec3 size = sub(p->high, p->low);
	fprintf(p->out, "cell: {size: ");
	plan_place(p, p->dimension == 2 ? vec(size.x, size.y, 0) : size);
	plan_vector(p, "origin", p->low);
	fprintf(p->out, ", periodic: [");
	for (int k = 0; k < 3; k++)
		if (p->periodic[k]) {
			fprintf(p->out, "%s%c", comma, "xyz"[k]);
			comma = ", ";
		}
	fprintf(p->out, "]");
	if (p->space == SPACE_BATH)
		fprintf(p->out, ", bath: {pressure: %.5g, inertia: %.5g, scheme: %s}", pressure,
		        pressure*p->step*p->step*roll_log(d, 300, 1e5), chance(d, 0.5) ? "implicit" : "semi-implicit");
	if (p->space == SPACE_DRIVE)
		put_drive(p, pressure);
	fprintf(p->out, "}\n");
}

// ---------------------------------------------------------------- the whole

// Along periodic directions nothing stops a fall.
static void put_gravity(soak_plan *p)
{
	if (p->gravity == 0)
		return;
	vec3 down = p->dimension == 2 ? vec(0, -1, 0) : vec(0, 0, -1), g = mul(p->gravity, chance(&p->d, 0.5) ? down : plan_direction(p));
	double most = p->speed/plan_duration(p);
	for (int k = 0; k < 3; k++)
		if (p->periodic[k])
			set_component(&g, k, fmax(-most, fmin(most, component(g, k))));
	fprintf(p->out, "gravity: ");
	plan_place(p, g);
	fprintf(p->out, "\n");
}

static void put_domain(soak_plan *p)
{
	if (!chance(&p->d, p->space == SPACE_OPEN || p->space == SPACE_CONE ? 0.8 : 0.2))
		return;
	double beyond = plan_shortest(p)*roll(&p->d, 0.1, 1);
	vec3 more = {beyond, beyond, p->dimension == 3 ? beyond : 0};
	fprintf(p->out, "domain: {box: [");
	plan_place(p, sub(p->low, more));
	fprintf(p->out, ", ");
	plan_place(p, add(p->high, more));
	fprintf(p->out, "]}\n");
}

static void put_all(soak_plan *p)
{
	fprintf(p->out, "dimension: %d\nseed: %d\n", p->dimension, pick(&p->d, 1000000));
	put_gravity(p);
	plan_laws(p);
	choose_room(p);
	put_cell(p);
	plan_walls(p);
	plan_grains(p);
	put_domain(p);
	fprintf(p->out, "method: {contact_dynamics: {step: %.7g}}\n", p->step);
	plan_solver(p);
	fprintf(p->out, "run: {until: {time: %.7g}}\noutput: {frames: {every: %.7g}, log: {every: %.7g}}\n", plan_duration(p),
	        plan_duration(p)/4, plan_duration(p)/8);
}

soak_scene soak_scene_make(uint64_t seed, uint64_t number)
{
	soak_scene s = {0};
	size_t length, csv_length;
	soak_plan p = {.out = open_memstream(&s.yaml, &length), .csv = open_memstream(&s.csv, &csv_length),
	               .d = {random_stream(seed, RANDOM_SOAK, number, 0), 0}};
	if (!p.out || !p.csv)
		memory_lost();
	choose_scales(&p);
	choose_space(&p);
	put_all(&p);
	fclose(p.out);
	fclose(p.csv);
	s.steps = p.steps;
	s.blocks = chance(&p.d, p.crowd ? 0.5 : 0.15);
	s.draw = random_stream(seed, RANDOM_SOAK, number, 1);
	return s;
}

void soak_scene_free(soak_scene *s)
{
	free(s->yaml);
	free(s->csv);
}

static bool save(const char *path, const char *comment, const char *text)
{
	int file = file_make(path); // not through a link
	FILE *out = file < 0 ? NULL : fdopen(file, "w");
	if (!out)
		return false;
	fprintf(out, "%s%s", comment, text);
	return fclose(out) == 0;
}

bool soak_scene_save(const soak_scene *s, const char *path, const char *csv_path, const char *comment)
{
	return save(path, comment, s->yaml) && (!*s->csv || save(csv_path, "", s->csv));
}
