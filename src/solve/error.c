// SPDX-License-Identifier: MIT
// How wrong an answer is, in terms of the grains: three numbers that mean the same for a hundred grains and for a million.
//
// Contacts that are each a little wrong in the same way add up: in a column of n grains a velocity that is off by dv at every
// contact is a force that is off by n^2 times that of one contact. So errors are also looked at from afar. A visit would change
// the impulse of a contact by e, that is its velocity by e/m. Averaged over the contacts of a box,
//     G = D <e/m n>/d
// is a gradient of velocities that should not be there; ends of the box part with G l, and it takes half its mass times that to
// make them stop. That impulse over what the box carries is its error; boxes are put together by twos to larger ones, up to all of
// the system.
//
// What is missing at the end of a step is a velocity, which the next step finds and makes up for: over n steps the mean load is wrong by
// what is missing in the last one, over the loads of all n. So a box carries what its cross-section does in a window of steps (TALUS_WINDOW where
// grains flow, fewer near rest, where what is missing is all the motion that there is); what
// rough bodies beside it, which nothing moves, could hold by friction; and what heavy bodies bring along.
//
// A heavy body has no box: it counts, share by share, where its contacts are. In an impact it brings its momentum, which is to be right within the
// step: else it would come back. Where it presses on with what is before it, that is known better than any step needs it.
#include "solve/judging.h"
#include "solve/piston.h"

#include "base/memory.h"
#include "base/tally.h"

#include <math.h>
#include <string.h>

enum { CHUNK_LEAST = 1024, BOX_LEAST = 8 };

static double window_of(const talus_problem *problem)
{
	return problem->window > 0 ? problem->window : TALUS_WINDOW;
}

static double larger(double a, double b) // a, if b is not a number
{
	return b > a ? b : a;
}

// ---------------------------------------------------------------- contacts

enum { WRONG, SIZE, PUSH, SUMS };
enum { APPROACH, SPEED, HOLD }; // largest ones

// The loops look at contacts of the first class, which are many; others are looked at one by one, as visits see them.
static const batch *looked(const judging *j)
{
	return j->plan->of[TALUS_COULOMB].batch;
}

static size_t batches_of(const judging *j)
{
	return j->plan ? j->plan->of[TALUS_COULOMB].batches : 0;
}

// Those that are not in batches.
static size_t first_other(const judging *j)
{
	return j->plan ? class_end(j->problem, TALUS_COULOMB) : 0;
}

// Rows are the lanes of the batches.
static void look_at_batches(void *job, size_t first, size_t last, totals_part *part)
{
	const judging *j = job;
	_Alignas(64) double seen[SEEN][LANES] = {{0}};
	look_terms term = {part->term[WRONG], part->term[SIZE], part->term[PUSH]};
	j->ws->loops->look(looked(j) + first/LANES, (last - first)/LANES, j->ws->solver_bodies.motion,
	                     j->ws->judge->glance + first/LANES, &term, seen);
	for (int l = 0; l < LANES; l++) {
		part->most[APPROACH] = larger(part->most[APPROACH], seen[SEEN_APPROACH][l]);
		part->most[SPEED] = larger(part->most[SPEED], seen[SEEN_SPEED][l]);
		part->most[HOLD] = larger(part->most[HOLD], seen[SEEN_HOLD][l]);
		part->count[0] += (uint64_t)seen[SEEN_PUSHES][l];
	}
}

static void look_at_others(void *job, size_t first, size_t last, totals_part *part)
{
	const judging *j = job;
	for (size_t row = 0; row < last - first; row++) {
		size_t i = first_other(j) + first + row;
		const talus_row *its = &j->problem->row[i];
		vec3 p = j->problem->p[i];
		double approach, size = dot(p, p), push = sqrt(size);
		vec3 e = problem_wrong(j->problem, i, &approach), v = mul(its->mass_n > 0 ? 1/its->mass_n : 0, e);
		part->term[WRONG][row] = dot(e, e);
		part->term[SIZE][row] = size;
		part->term[PUSH][row] = push > 0 ? push : 0;
		part->count[0] += push > 0;
		part->most[APPROACH] = larger(part->most[APPROACH], approach);
		part->most[SPEED] = larger(part->most[SPEED], larger(fabs(v.x), larger(fabs(v.y), fabs(v.z))));
		part->most[HOLD] = larger(part->most[HOLD], its->mu*push);
		j->ws->judge->other[first + row] = (other_glance){v, !(push == 0 && dot(e, e) == 0)};
	}
}

// ---------------------------------------------------------------- into boxes

// What rough bodies that nothing moves could hold.
static void add_held(const judging *j, double *cell, double mu, vec3 p, vec3 n)
{
	double hold = mu*dot(p, n);
	for (int k = 0; k < 3; k++)
		cell[HELD + k] += tally_round(hold*sqrt(larger(0, 1 - component(n, k)*component(n, k))), j->hold_unit);
}

static bool is_driven(const judging *j, contact_bodies at)
{
	const solver_bodies *l = &j->ws->solver_bodies;
	size_t limit = LINE*j->problem->bodies;
	return (at.a >= limit && !pistons_have(l, at.a)) || (at.b >= limit && !pistons_have(l, at.b));
}

static void add_product(double tensor[9], vec3 a, vec3 b, double unit)
{
	for (int k = 0; k < 9; k++)
		tensor[k] += tally_round(component(a, k/3)*component(b, k%3), unit);
}

static void add_other(const judging *j, size_t other, double *cells)
{
	size_t i = first_other(j) + other;
	const other_glance *g = &j->ws->judge->other[other];
	const talus_contact *c = &j->problem->contact[i];
	contact_bodies at = j->ws->solver_bodies.at[i];
	if (!g->any)
		return;
	double *cell = cells + CELL*judging_box(j, at);
	cell[COUNT] += 1;
	add_product(cell + TENSOR, g->v, c->n, j->unit);
	double mu = j->problem->row[i].mu;
	if (mu > 0 && is_driven(j, at))
		add_held(j, cell, mu, j->problem->p[i], c->n);
}

// Where the contacts of a batch are; what they hold is added there.
static void find_cells(const judging *j, const batch *b, uint32_t where[LANES], double *cells)
{
	for (uint32_t l = 0; l < LANES; l++) {
		where[l] = CELL*judging_box(j, b->at[l]);
		if (is_driven(j, b->at[l]) && b->mu[l] > 0)
			add_held(j, cells + where[l], b->mu[l], batch_impulse(b, l), vec(b->n[0][l], b->n[1][l], b->n[2][l]));
	}
}

static void add_batches(const judging *j, size_t first, size_t last, double *cells)
{
	enum { SOME = 16 }; // batches at a time
	uint32_t where[SOME*LANES];
	const batch *b = looked(j);
	for (size_t i = first; i < last; i += SOME) {
		size_t some = last - i < SOME ? last - i : SOME;
		for (size_t k = 0; k < some; k++)
			find_cells(j, b + i + k, where + k*LANES, cells);
		j->ws->loops->look_add(b + i, some, j->ws->judge->glance + i, j->unit, where, cells);
	}
}

static void add_chunks(void *job, size_t first, size_t last)
{
	const judging *j = job;
	const judge *to = j->ws->judge;
	size_t batches = batches_of(j), others = j->problem->contacts - first_other(j);
	for (size_t n = first; n < last; n++) {
		double *cells = to->cells + n*to->boxes*CELL;
		memset(cells, 0, to->boxes*CELL*sizeof *cells);
		size_t begin = batches*n/j->chunks, end = batches*(n + 1)/j->chunks;
		if (begin < end)
			add_batches(j, begin, end, cells);
		for (size_t i = others*n/j->chunks; i < others*(n + 1)/j->chunks; i++)
			add_other(j, i, cells);
	}
}

// Each thread has all boxes for itself, and should have more contacts than these.
static size_t chunks_of(const judging *j, size_t boxes)
{
	size_t threads = (size_t)parallel_threads(j->ws->team), contacts = j->problem->contacts;
	size_t some = 1 + contacts/CHUNK_LEAST, most = 1 + contacts/(BOX_LEAST*boxes);
	some = some < most ? some : most;
	return some < threads ? some : threads;
}

static void fill_boxes(judging *j, const totals *seen)
{
	judge *to = j->ws->judge;
	j->unit = tally_unit(seen->most[SPEED], j->problem->contacts);
	j->hold_unit = tally_unit(seen->most[HOLD], j->problem->contacts);
	j->chunks = chunks_of(j, to->boxes);
	to->cells = memory_room(to->cells, &to->capacity, j->chunks*to->boxes*CELL, sizeof *to->cells);
	parallel_for(j->ws->team, j->chunks, 1, add_chunks, j);
	for (size_t n = 1; n < j->chunks; n++)
		for (size_t i = 0; i < to->boxes*CELL; i++)
			to->cells[i] += to->cells[n*to->boxes*CELL + i];
}

// ---------------------------------------------------------------- boxes

static void add_masses(const judge *j)
{
	for (size_t i = 0; i < j->boxes; i++) {
		j->cells[CELL*i + MASS] = j->still[i][STILL_MASS] + j->still[i][STILL_SHARED];
		j->cells[CELL*i + BROUGHT] = j->still[i][STILL_BROUGHT];
	}
}

// Impulse that is missing across the box, over what it carries, along the worst direction. push: of a contact, in all steps that count.
static double box_error(const double *cell, const double length[3], int dimension, double diameter, double push, double window)
{
	double worst = 0, scale = cell[COUNT] > 0 ? dimension/(cell[COUNT]*diameter) : 0;
	for (int k = 0; k < dimension; k++) {
		double across = 1, square = 0;
		for (int j = 0; j < dimension; j++) {
			across *= j == k ? 1 : larger(1, length[j]/diameter);
			square += cell[TENSOR + 3*j + k]*cell[TENSOR + 3*j + k];
		}
		double carried = push*across + window*cell[HELD + k] + cell[BROUGHT];
		worst = larger(worst, 0.5*cell[MASS]*scale*sqrt(square)*length[k]/carried);
	}
	return worst;
}

static double level_error(const double *cells, const int side[3], const double length[3], const talus_error_cells *c, double push, double window)
{
	double worst = 0;
	for (size_t i = 0; i < (size_t)side[0]*(size_t)side[1]*(size_t)side[2]; i++)
		worst = larger(worst, box_error(cells + CELL*i, length, c->dimension, c->diameter, push, window));
	return worst;
}

// Two neighbours along the longest direction become one, in place.
static void put_together(double *cells, int side[3], double length[3])
{
	int k = side[0] >= side[1] && side[0] >= side[2] ? 0 : side[1] >= side[2] ? 1 : 2;
	int old[3] = {side[0], side[1], side[2]};
	size_t to = 0;
	side[k] /= 2;
	length[k] *= 2;
	for (int z = 0; z < side[2]; z++)
		for (int y = 0; y < side[1]; y++)
			for (int x = 0; x < side[0]; x++, to++) {
				int at[3] = {x, y, z};
				at[k] *= 2;
				size_t step = k == 0 ? 1 : k == 1 ? (size_t)old[0] : (size_t)old[0]*(size_t)old[1];
				size_t from = (size_t)at[0] + (size_t)old[0]*((size_t)at[1] + (size_t)old[1]*(size_t)at[2]);
				for (int n = 0; n < CELL; n++)
					cells[CELL*to + (size_t)n] = cells[CELL*from + (size_t)n] + cells[CELL*(from + step) + (size_t)n];
			}
}

static double global_error(const talus_problem *problem, double *cells, double push)
{
	const talus_error_cells *c = &problem->error_cells;
	int side[3] = {c->side[0], c->side[1], c->side[2]};
	double length[3] = {c->edge[0], c->edge[1], c->edge[2]}, worst = 0;
	for (;;) {
		worst = larger(worst, level_error(cells, side, length, c, push, window_of(problem)));
		if (side[0] == 1 && side[1] == 1 && side[2] == 1)
			return worst;
		put_together(cells, side, length);
	}
}

// ---------------------------------------------------------------- all of it

// Impulses of a contact over the window, which ends with this step.
static double window_load(const talus_problem *problem, double push)
{
	double mean = problem->memory.load;
	double window = window_of(problem);
	return window > 1 ? push + (window - 1)*(mean > 0 ? mean : push) : window*push;
}

static totals look(judging *j)
{
	judge *to = j->ws->judge;
	size_t batches = batches_of(j), others = j->problem->contacts - first_other(j);
	to->glance = memory_room(to->glance, &to->glance_capacity, batches, sizeof *to->glance);
	to->other = memory_room(to->other, &to->other_capacity, others, sizeof *to->other);
	totals seen = totals_of(j->ws->team, batches*LANES, SUMS, look_at_batches, j);
	totals more = totals_of(j->ws->team, others, SUMS, look_at_others, j);
	for (int k = 0; k < SUMS; k++)
		seen.sum[k] += more.sum[k];
	seen.count[0] += more.count[0];
	for (int k = APPROACH; k <= HOLD; k++)
		seen.most[k] = larger(0, larger(seen.most[k], more.most[k]));
	return seen;
}

talus_solve_error error_estimate(solver_workspace *ws, const schedule *plan, const talus_problem *problem, double *load)
{
	judge *to = judging_prepare(ws, problem);
	judging j = {.ws = ws, .plan = plan, .problem = problem};
	totals seen = look(&j);
	talus_solve_error e = {.overlap = to->boxes ? seen.most[APPROACH]*problem->dt/problem->error_cells.diameter : 0,
	                       .local = residual_of(seen.sum[WRONG], seen.sum[SIZE])};
	*load = seen.count[0] ? seen.sum[PUSH]/(double)seen.count[0] : 0;
	if (to->boxes && seen.count[0]) {
		fill_boxes(&j, &seen);
		add_masses(to);
		e.global = global_error(problem, to->cells, window_load(problem, *load));
	}
	return e;
}

double error_of(const talus_solve_error *e)
{
	return fmax(e->overlap/TALUS_OVERLAP, fmax(e->local, e->global));
}
