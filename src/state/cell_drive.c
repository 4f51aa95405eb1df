// SPDX-License-Identifier: MIT
// A cell that follows a pressure, a barostat (Shaebani, Unger & Kertesz 2009) or, component by component, a stress or a given rate:
//
//     dx/dt = v + L x,   M dL_ij/dt = sigma_ij - s_ij   where a stress s is wanted,
//     M d lambda/dt = P - P_out   for L = lambda 1
//
// in implicit Euler: the stress inside is that of the end of the step. v is the velocity relative to the background. Newton's law
// in the lab is then  m dv/dt = F - m L v  for a cell that is driven component by component (docs/method.md says why for all of
// them); the pressure bath leaves -L v out, as the paper does. L is an upper triangle: the first edge of the cell stays along x.
#include "state/cell_drive.h"

#include "base/totals.h"

#include <string.h>

// Where the cell follows a stress: the most that it deforms in a step, and the most by which that may change from one step to
// the next.
static const double most_strain = 0.05, most_kick = 1.0/CELL_DRIVE_LIGHTEST;

bool cell_drive_deforms(const talus_cell_def *def)
{
	bool any = def->bath;
	for (int i = 0; i < 3; i++)
		for (int j = i; j < 3; j++)
			any |= def->drive[i][j] != TALUS_DRIVE_NONE;
	return any;
}

bool cell_drive_never_rests(const talus_cell_def *def)
{
	for (int i = 0; i < 3; i++)
		for (int j = i; j < 3; j++)
			if (def->drive[i][j] == TALUS_DRIVE_RATE && def->wanted[i][j] != 0)
				return true;
	return false;
}

void cell_drive_start(world_state *st)
{
	const talus_cell_def *def = &st->def.cell;
	for (int i = 0; i < 3; i++)
		for (int j = i; j < 3; j++)
			if (def->drive[i][j] == TALUS_DRIVE_RATE)
				st->cell.rate[i][j] = def->wanted[i][j];
}

enum { MASS, MOMENTUM, HEAT = MOMENTUM + 3, HEATS = HEAT + 6 };
static const int heat_at[3][3] = {{HEAT, HEAT + 1, HEAT + 2}, {0, HEAT + 3, HEAT + 4}, {0, 0, HEAT + 5}};

// Sum of m v v before the step, of those who can be pushed, relative to their common velocity.
static void add_heat(void *job, size_t first, size_t last, totals_part *part)
{
	const world_state *st = job;
	const bodies *b = &st->bodies;
	unsigned all = TALUS_FREE_X | TALUS_FREE_Y | (st->def.dimension == 3 ? TALUS_FREE_Z : 0u);
	for (size_t n = first; n < last; n++) {
		if (!(b->free[n] & all))
			continue;
		part->term[MASS][n - first] = b->mass[n];
		for (int i = 0; i < 3; i++) {
			part->term[MOMENTUM + i][n - first] = b->mass[n]*component(b->v[n], i);
			for (int j = i; j < 3; j++)
				part->term[heat_at[i][j]][n - first] = b->mass[n]*component(b->v[n], i)*component(b->v[n], j);
		}
	}
}

static void heat_before(const world_state *st, double heat[3][3])
{
	totals all = totals_of(st->team, st->bodies.count, HEATS, add_heat, (void *)st);
	const double *p = all.sum + MOMENTUM;
	for (int i = 0; i < 3 && all.sum[MASS] > 0; i++)
		for (int j = i; j < 3; j++)
			heat[i][j] = all.sum[heat_at[i][j]] - p[i]*p[j]/all.sum[MASS];
}

// One component that follows a stress; `share`: of the pressure in it.
static void follow(const world_state *st, talus_cell_unknowns *f, int i, int j, double outside, double share, double heat)
{
	const talus_cell_def *def = &st->def.cell;
	double dt = st->def.step, inertia = fmax(def->inertia, fabs(outside)*dt*dt/most_kick);
	double gain = share/(cell_volume(&st->cell, st->def.dimension)*inertia);
	f->free_rate[i][j] = st->cell.rate[i][j] - outside*dt/inertia;
	f->virial_gain[i][j] = gain;
	if (def->semi_implicit)
		f->free_rate[i][j] += gain*dt*heat;
	else
		f->kinetic_gain[i][j] = gain*dt;
}

void cell_drive_prepare(const world_state *st, talus_cell_unknowns *flow)
{
	const talus_cell_def *def = &st->def.cell;
	int d = st->def.dimension;
	double heat[3][3] = {{0}};
	*flow = (talus_cell_unknowns){.dimension = d, .grains = st->bodies.count, .isotropic = def->bath,
	                            .most = most_strain/st->def.step};
	if (def->semi_implicit)
		heat_before(st, heat);
	double all = heat[0][0] + heat[1][1] + (d == 3 ? heat[2][2] : 0);
	for (int i = 0; i < d; i++)
		for (int j = i; j < d; j++)
			if (def->bath && i == j)
				follow(st, flow, i, j, def->pressure, 1.0/d, all);
			else if (def->drive[i][j] == TALUS_DRIVE_STRESS)
				follow(st, flow, i, j, def->wanted[i][j], 1, heat[i][j]);
			else if (def->drive[i][j] == TALUS_DRIVE_RATE)
				flow->free_rate[i][j] = def->wanted[i][j];
	memcpy(flow->rate, st->cell.rate, sizeof flow->rate);
}

// ---------------------------------------------------------------- inertia of the grains

bool cell_drive_drags(const world_state *st)
{
	return st->cell_deforms && !st->def.cell.bath;
}

void cell_drive_gradient(const world_state *st, double gradient[3][3])
{
	const talus_cell_def *def = &st->def.cell;
	for (int i = 0; i < 3; i++)
		for (int j = 0; j < 3; j++)
			gradient[i][j] = def->drive[i][j] == TALUS_DRIVE_RATE ? def->wanted[i][j] : st->cell.rate[i][j];
}

vec3 cell_drive_drag(const world_state *st, const double l[3][3], size_t grain)
{
	vec3 v = st->bodies.v[grain];
	unsigned free = st->bodies.free[grain];
	double dt = st->def.step;
	double z = v.z/(1 + dt*l[2][2]);
	double y = (v.y - dt*l[1][2]*z)/(1 + dt*l[1][1]);
	double x = (v.x - dt*(l[0][1]*y + l[0][2]*z))/(1 + dt*l[0][0]);
	return vec(free & TALUS_FREE_X ? x - v.x : 0, free & TALUS_FREE_Y ? y - v.y : 0, free & TALUS_FREE_Z ? z - v.z : 0);
}

// ---------------------------------------------------------------- after the step

// Edge j leans over edge i by more than half of it: the same lattice has one that leans less. Whoever has gone round along j has then
// gone round along i so many times more.
static bool straighten(world_state *st, int i, int j)
{
	cell *c = &st->cell;
	double turns = nearbyint(c->h[i][j]/c->h[i][i]);
	if (turns == 0 || fabs(c->h[i][j]) <= 0.5001*c->h[i][i])
		return false;
	for (int k = 0; k <= i; k++)
		c->h[k][j] -= turns*c->h[k][i];
	for (size_t n = 0; n < st->bodies.count; n++)
		st->bodies.image[n][i] = cell_image_add(st->bodies.image[n][i], turns*st->bodies.image[n][j]);
	return true;
}

bool cell_drive_advance(world_state *st, const talus_cell_unknowns *flow)
{
	cell *c = &st->cell;
	double old[3][3], dt = st->def.step;
	memcpy(old, c->h, sizeof old);
	memcpy(c->rate, flow->rate, sizeof c->rate);
	for (int i = 0; i < 3; i++)
		for (int j = 0; j < 3; j++)
			for (int k = 0; k < 3; k++)
				c->h[i][j] += dt*c->rate[i][k]*old[k][j];
	bool cut = straighten(st, 1, 2);
	cut |= straighten(st, 0, 1);
	cut |= straighten(st, 0, 2);
	cell_update(c);
	cell_carry(c, c->carry);
	return cut;
}
