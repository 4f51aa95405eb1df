// SPDX-License-Identifier: MIT
// What stays while a problem is solved, for the rule `error`: the mass of every box, and what heavy bodies bring along to it.
#include "solve/judging.h"

#include "base/memory.h"
#include "base/parallel.h"
#include "base/tally.h"

#include <math.h>
#include <string.h>

static const double heavy = 20; // mean masses

static double mass_of(const talus_solver_body *line)
{
	return line->inv_m > 0 ? 1/line->inv_m : 0;
}

judge *judging_prepare(solver_workspace *ws, const talus_problem *problem)
{
	const talus_error_cells *c = &problem->error_cells;
	if (!ws->judge) {
		ws->judge = memory_grow(NULL, 0, sizeof *ws->judge);
		*ws->judge = (judge){0};
	}
	ws->judge->boxes = c->box ? (size_t)c->side[0]*(size_t)c->side[1]*(size_t)c->side[2] : 0;
	return ws->judge;
}

// ---------------------------------------------------------------- who is heavy

static void add_masses(void *job, size_t first, size_t last, totals_part *part)
{
	const talus_problem *problem = job;
	for (size_t i = first; i < last; i++) {
		double m = mass_of(&problem->motion[i]);
		part->term[0][i - first] = m;
		part->count[0] += m > 0;
		part->most[0] = fmax(part->most[0], m);
	}
}

static bool any_piston(const talus_problem *problem)
{
	for (size_t i = problem->error_cells.bodies; i < problem->bodies; i++)
		if (problem->motion[i].inv_m > 0)
			return true;
	return false;
}

// Bodies that are heavy, pistons whatever they are, lose their box. Returns the largest mass of those that keep theirs, or of all.
static double set_heavy_apart(judge *j, const talus_problem *problem, parallel *team)
{
	const talus_error_cells *c = &problem->error_cells;
	totals all = totals_of(team, c->bodies, 1, add_masses, (void *)problem);
	double most = all.count[0] ? heavy*(all.sum[0]/(double)all.count[0]) : INFINITY;
	j->heavy = all.most[0] > most || any_piston(problem);
	j->box = c->box;
	if (!j->heavy)
		return all.most[0];
	j->own = memory_room(j->own, &j->box_capacity, c->bodies, sizeof *j->own);
	for (size_t i = 0; i < c->bodies; i++)
		j->own[i] = mass_of(&problem->motion[i]) > most ? NO_BOX : c->box[i];
	j->box = j->own;
	return fmin(most, all.most[0]);
}

// ---------------------------------------------------------------- what they share

static bool is_heavy(const judging *g, uint32_t body)
{
	return body < g->problem->bodies && judging_body_box(g, body) == NO_BOX && g->problem->motion[body].inv_m > 0;
}

// Contacts of heavy bodies, block by block: those of a block end with one that is none.
static void list_some(void *job, size_t first, size_t last)
{
	const judging *g = job;
	uint32_t *list = g->ws->judge->list;
	for (size_t from = first; from < last; from += PARALLEL_BLOCK) {
		size_t to = last - from < PARALLEL_BLOCK ? last : from + PARALLEL_BLOCK, at = from;
		for (size_t i = from; i < to; i++)
			if (is_heavy(g, g->problem->contact[i].a) || is_heavy(g, g->problem->contact[i].b))
				list[at++] = (uint32_t)i;
		if (at < to)
			list[at] = UINT32_MAX;
	}
}

static size_t pack_list(uint32_t *list, size_t contacts)
{
	size_t count = 0;
	for (size_t from = 0; from < contacts; from += PARALLEL_BLOCK)
		for (size_t i = from; i < contacts && i < from + PARALLEL_BLOCK && list[i] != UINT32_MAX; i++)
			list[count++] = list[i];
	return count;
}

// Of the k-th body at a contact: mass, and impulse that it brings along.
static void share_of(const judging *g, size_t i, int k, double share[SHARES])
{
	const talus_contact *c = &g->problem->contact[i];
	const talus_solver_body *a = &g->problem->motion[c->a], *b = &g->problem->motion[c->b];
	uint32_t body = k ? c->b : c->a;
	share[STILL_SHARED] = share[STILL_BROUGHT] = 0;
	if (!is_heavy(g, body))
		return;
	double closing = fabs(dot(sub(b->v, a->v), c->n)), window = g->problem->window > 0 ? g->problem->window : TALUS_WINDOW;
	double pressing = (k ? -1 : 1)*dot(sub(g->problem->motion[body].v, g->drift), c->n);
	double mass = mass_of(&g->problem->motion[body])/g->ws->judge->count[body];
	share[STILL_SHARED] = mass;
	share[STILL_BROUGHT] = mass*(closing + 0.5*window*fmax(0, pressing - closing));
}

static void add_shares(const judging *g, size_t count)
{
	const judge *j = g->ws->judge;
	double share[SHARES], most[SHARES] = {0}, unit[SHARES];
	for (size_t n = 0; n < 2*count; n++) {
		share_of(g, j->list[n/2], n%2, share);
		for (int k = 0; k < SHARES; k++)
			most[k] = fmax(most[k], share[k]);
	}
	for (int k = 0; k < SHARES; k++)
		unit[k] = tally_unit(most[k], 2*count);
	for (size_t n = 0; n < 2*count; n++) {
		share_of(g, j->list[n/2], n%2, share);
		for (int k = 0; k < SHARES; k++)
			j->still[judging_box(g, g->ws->solver_bodies.at[j->list[n/2]])][k] += tally_round(share[k], unit[k]);
	}
}

// ---------------------------------------------------------------- all of it

static void add_motion(void *job, size_t first, size_t last, totals_part *part)
{
	const judging *g = job;
	for (size_t i = first; i < last; i++) {
		double m = g->ws->judge->box[i] != NO_BOX ? mass_of(&g->problem->motion[i]) : 0;
		part->term[0][i - first] = m;
		for (int k = 0; k < 3; k++)
			part->term[1 + k][i - first] = m*component(g->problem->motion[i].v, k);
	}
}

static vec3 drift_of(judging *g)
{
	totals all = totals_of(g->ws->team, g->problem->error_cells.bodies, 4, add_motion, g);
	return all.sum[0] > 0 ? mul(1/all.sum[0], vec(all.sum[1], all.sum[2], all.sum[3])) : vec(0, 0, 0);
}

static void share_masses(judging *g)
{
	judge *j = g->ws->judge;
	size_t contacts = g->problem->contacts;
	j->list = memory_room(j->list, &j->list_capacity, contacts, sizeof *j->list);
	j->count = memory_room(j->count, &j->count_capacity, g->problem->bodies, sizeof *j->count);
	memset(j->count, 0, g->problem->bodies*sizeof *j->count);
	parallel_for(g->ws->team, contacts, PARALLEL_BLOCK, list_some, g);
	size_t count = pack_list(j->list, contacts);
	for (size_t n = 0; n < count; n++) {
		j->count[g->problem->contact[j->list[n]].a]++;
		j->count[g->problem->contact[j->list[n]].b]++;
	}
	g->drift = drift_of(g);
	add_shares(g, count);
}

static void add_some_bodies(void *job, size_t first, size_t last)
{
	const judging *g = job;
	const judge *j = g->ws->judge;
	size_t bodies = g->problem->error_cells.bodies;
	for (size_t n = first; n < last; n++) {
		double *mass = j->cells + n*j->boxes;
		memset(mass, 0, j->boxes*sizeof *mass);
		for (size_t i = bodies*n/g->chunks; i < bodies*(n + 1)/g->chunks; i++)
			if (j->box[i] != NO_BOX)
				mass[j->box[i]] += tally_round(mass_of(&g->problem->motion[i]), g->unit);
	}
}

// Each thread in boxes of its own.
static void add_bodies(judging *g)
{
	judge *j = g->ws->judge;
	size_t threads = (size_t)parallel_threads(g->ws->team);
	g->chunks = g->problem->error_cells.bodies > PARALLEL_BLOCK*threads ? threads : 1;
	j->cells = memory_room(j->cells, &j->capacity, g->chunks*j->boxes, sizeof *j->cells);
	parallel_for(g->ws->team, g->chunks, 1, add_some_bodies, g);
	for (size_t n = 0; n < g->chunks; n++)
		for (size_t i = 0; i < j->boxes; i++)
			j->still[i][STILL_MASS] += j->cells[n*j->boxes + i];
}

void error_begin(solver_workspace *ws, const talus_problem *problem)
{
	const talus_error_cells *c = &problem->error_cells;
	judge *j = judging_prepare(ws, problem);
	judging g = {.ws = ws, .problem = problem};
	if (!j->boxes)
		return;
	j->still = memory_room(j->still, &j->still_capacity, j->boxes, sizeof *j->still);
	memset(j->still, 0, j->boxes*sizeof *j->still);
	g.unit = tally_unit(set_heavy_apart(j, problem, ws->team), c->bodies);
	add_bodies(&g);
	if (j->heavy)
		share_masses(&g);
}

void judge_free(judge *j)
{
	memory_free(j->cells);
	memory_free(j->glance);
	memory_free(j->other);
	memory_free(j->still);
	memory_free(j->own);
	memory_free(j->count);
	memory_free(j->list);
}
