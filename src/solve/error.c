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
#include "solve/piston.h"
#include "solve/solve.h"

#include "base/memory.h"

#include <math.h>
#include <string.h>

enum { CHUNKS = 16, CHUNK_LEAST = 1024, BOX_LEAST = 8 };

// of a box
enum { COUNT = LOOK_COUNT, TENSOR = LOOK_TENSOR, HELD = LOOK_END, MASS = HELD + 3, BROUGHT, CELL = LOOK_CELL };
enum { STILL_MASS, STILL_BROUGHT };
static const double heavy = 20; // mean masses
#define NO_BOX UINT32_MAX

typedef struct chunk {
	double overlap;     // largest
	double wrong, size; // sums of squares of e and p
	double push, pushes;
} chunk;

typedef struct judging {
	const workshop *shop;
	const schedule *plan; // whose batches have the plain contacts; NULL: they are where they came from
	const talus_problem *problem;
	vec3 drift; // mean velocity of the bodies that are not heavy
} judging;

static double window_of(const talus_problem *problem)
{
	return problem->window > 0 ? problem->window : TALUS_WINDOW;
}

static size_t boxes_of(const talus_coarse *c)
{
	return c->box ? (size_t)c->side[0]*(size_t)c->side[1]*(size_t)c->side[2] : 0;
}

// So many, whoever does them: sums are the same on any number of threads. Each has all boxes, and should have more contacts than these.
static size_t chunks_of(const talus_problem *problem)
{
	size_t some = 1 + problem->contacts/CHUNK_LEAST, boxes = boxes_of(&problem->coarse);
	size_t most = boxes ? 1 + problem->contacts/(BOX_LEAST*boxes) : CHUNKS;
	some = some < most ? some : most;
	return some < CHUNKS ? some : CHUNKS;
}

// ---------------------------------------------------------------- contacts

static uint32_t box_of(const judging *j, uint32_t body)
{
	return body < j->problem->coarse.bodies ? j->shop->judge->box[body] : NO_BOX;
}

// A contact lies where one of its bodies is. Those that cannot be moved have lines behind all others.
static uint32_t contact_box(const judging *j, ends at)
{
	uint32_t a = box_of(j, at.a/LINE), b = box_of(j, at.b/LINE), box = b != NO_BOX ? b : a;
	return box != NO_BOX ? box : 0;
}

static bool is_driven(const judging *j, ends at)
{
	const lines *l = &j->shop->lines;
	return (at.a/LINE >= j->problem->bodies && !pistons_have(l, at.a)) ||
	       (at.b/LINE >= j->problem->bodies && !pistons_have(l, at.b));
}

static void add_product(double tensor[9], vec3 a, vec3 b, int dimension)
{
	tensor[0] += a.x*b.x;
	tensor[1] += a.x*b.y;
	tensor[3] += a.y*b.x;
	tensor[4] += a.y*b.y;
	if (dimension == 2)
		return;
	tensor[2] += a.x*b.z;
	tensor[5] += a.y*b.z;
	tensor[6] += a.z*b.x;
	tensor[7] += a.z*b.y;
	tensor[8] += a.z*b.z;
}

static double larger(double a, double b) // a, if b is not a number
{
	return b > a ? b : a;
}

// What rough bodies that nothing moves could hold.
static void add_held(double *cell, double mu, vec3 p, vec3 n)
{
	double hold = mu*dot(p, n);
	for (int k = 0; k < 3; k++)
		cell[HELD + k] += hold*sqrt(larger(0, 1 - component(n, k)*component(n, k)));
}

static void add_contact(const judging *j, size_t i, chunk *sum, double *cells)
{
	const talus_contact *c = &j->problem->contact[i];
	ends at = j->shop->lines.at[i];
	double approach, size = dot(c->p, c->p), push = sqrt(size);
	vec3 e = problem_wrong(j->problem, i, &approach);
	sum->overlap = larger(sum->overlap, approach);
	sum->wrong += dot(e, e);
	sum->size += size;
	sum->push += push > 0 ? push : 0;
	sum->pushes += push > 0;
	if (!cells || (push == 0 && dot(e, e) == 0))
		return;
	double *cell = cells + CELL*contact_box(j, at);
	cell[COUNT] += 1;
	add_product(cell + TENSOR, mul(c->mass_n > 0 ? 1/c->mass_n : 0, e), c->n, j->problem->coarse.dimension);
	if (c->mu > 0 && is_driven(j, at))
		add_held(cell, c->mu, c->p, c->n);
}

// Where the contacts of a batch are; what they hold is added there.
static void find_cells(const judging *j, const batch *b, uint32_t where[LANES], double *cells)
{
	for (uint32_t l = 0; l < LANES; l++) {
		where[l] = CELL*contact_box(j, b->at[l]);
		if (b->mu[l] > 0 && is_driven(j, b->at[l]))
			add_held(cells + where[l], b->mu[l], batch_impulse(b, l), vec(b->n[0][l], b->n[1][l], b->n[2][l]));
	}
}

static void add_lanes(chunk *sum, const double seen[SEEN][LANES])
{
	for (int l = 0; l < LANES; l++) {
		sum->overlap = larger(sum->overlap, seen[SEEN_APPROACH][l]);
		sum->wrong += seen[SEEN_WRONG][l];
		sum->size += seen[SEEN_SIZE][l];
		sum->push += seen[SEEN_PUSH][l];
		sum->pushes += seen[SEEN_PUSHES][l];
	}
}

// Sums are made lane by lane, so that all widths have the same.
static void add_batches(const judging *j, const batch *b, size_t count, chunk *sum, double *cells)
{
	enum { SOME = 16 }; // batches at a time
	uint32_t where[SOME*LANES] = {0};
	_Alignas(64) double seen[SEEN][LANES] = {{0}}, nowhere[CELL] = {0};
	for (size_t i = 0; i < count; i += SOME) {
		size_t some = count - i < SOME ? count - i : SOME;
		for (size_t k = 0; cells && k < some; k++)
			find_cells(j, b + i + k, where + k*LANES, cells);
		j->shop->loops->look(b + i, some, j->shop->lines.motion, where, cells ? cells : nowhere, seen);
	}
	add_lanes(sum, (const double(*)[LANES])seen);
}

static void judge_chunks(void *job, size_t first, size_t last)
{
	const judging *j = job;
	const talus_problem *problem = j->problem;
	const struct judge *to = j->shop->judge;
	size_t boxes = boxes_of(&problem->coarse), chunks = chunks_of(problem);
	size_t batches = j->plan ? j->plan->batches : 0, from = j->plan ? problem->plain : 0, rest = problem->contacts - from;
	for (size_t n = first; n < last; n++) {
		chunk *sum = &to->chunk[n];
		double *cells = boxes ? to->cells + n*boxes*CELL : NULL;
		memset(sum, 0, sizeof *sum);
		if (boxes)
			memset(cells, 0, boxes*CELL*sizeof *cells);
		size_t begin = batches*n/chunks, end = batches*(n + 1)/chunks;
		if (begin < end)
			add_batches(j, j->plan->batch + begin, end - begin, sum, cells);
		for (size_t i = from + rest*n/chunks; i < from + rest*(n + 1)/chunks; i++)
			add_contact(j, i, sum, cells);
	}
}

// ---------------------------------------------------------------- boxes

static void add_masses(const judge *j, size_t boxes)
{
	for (size_t i = 0; i < boxes; i++) {
		j->cells[CELL*i + MASS] = j->still[i][STILL_MASS];
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

static double level_error(const double *cells, const int side[3], const double length[3], const talus_coarse *c, double push, double window)
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
	const talus_coarse *c = &problem->coarse;
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

static judge *prepare(workshop *shop, size_t boxes, size_t chunks)
{
	if (!shop->judge) {
		shop->judge = memory_grow(NULL, 0, sizeof *shop->judge);
		*shop->judge = (judge){.chunk = memory_grow(NULL, 0, CHUNKS*sizeof(chunk))};
	}
	judge *j = shop->judge;
	j->cells = memory_room(j->cells, &j->capacity, chunks*boxes*CELL, sizeof *j->cells);
	return j;
}

// Impulses of a contact over the window, which ends with this step.
static double window_load(const talus_problem *problem, double push)
{
	double mean = problem->memory.load;
	double window = window_of(problem);
	return window > 1 ? push + (window - 1)*(mean > 0 ? mean : push) : window*push;
}

talus_solve_error error_judge(workshop *shop, const schedule *plan, const talus_problem *problem, double *load)
{
	size_t boxes = boxes_of(&problem->coarse), chunks = chunks_of(problem);
	judge *j = prepare(shop, boxes, chunks);
	judging job = {.shop = shop, .plan = plan, .problem = problem};
	chunk all = {0};
	parallel_for(shop->team, chunks, 1, judge_chunks, &job);
	for (size_t n = 0; n < chunks; n++) {
		const chunk *c = &j->chunk[n];
		all.overlap = larger(all.overlap, c->overlap);
		all.wrong += c->wrong;
		all.size += c->size;
		all.push += c->push;
		all.pushes += c->pushes;
		for (size_t i = 0; n > 0 && i < boxes*CELL; i++)
			j->cells[i] += j->cells[n*boxes*CELL + i];
	}
	talus_solve_error e = {.overlap = boxes ? all.overlap*problem->dt/problem->coarse.diameter : 0,
	                       .local = residual_of(all.wrong, all.size)};
	*load = all.pushes > 0 ? all.push/all.pushes : 0;
	if (boxes && all.pushes > 0) {
		add_masses(j, boxes);
		e.global = global_error(problem, j->cells, window_load(problem, *load));
	}
	return e;
}

double error_of(const talus_solve_error *e)
{
	return fmax(e->overlap/TALUS_OVERLAP, fmax(e->local, e->global));
}

// ---------------------------------------------------------------- what stays while a problem is solved

static double mass_of(const talus_motion *line)
{
	return line->inv_m > 0 ? 1/line->inv_m : 0;
}

static double mean_mass(const talus_problem *problem)
{
	double sum = 0, count = 0;
	for (size_t i = 0; i < problem->coarse.bodies; i++)
		if (problem->motion[i].inv_m > 0) {
			sum += mass_of(&problem->motion[i]);
			count += 1;
		}
	return count > 0 ? sum/count : INFINITY;
}

// Bodies that are heavy, pistons whatever they are, lose their box. Returns whether there are any.
static bool set_heavy_apart(judge *j, const talus_problem *problem)
{
	const talus_coarse *c = &problem->coarse;
	double most = heavy*mean_mass(problem);
	bool any = false;
	for (size_t i = 0; i < problem->bodies && !any; i++)
		any = problem->motion[i].inv_m > 0 && (i >= c->bodies || mass_of(&problem->motion[i]) > most);
	j->box = c->box;
	if (!any)
		return false;
	j->own = memory_room(j->own, &j->box_capacity, c->bodies, sizeof *j->own);
	j->count = memory_room(j->count, &j->count_capacity, problem->bodies, sizeof *j->count);
	memset(j->count, 0, problem->bodies*sizeof *j->count);
	for (size_t i = 0; i < c->bodies; i++)
		j->own[i] = mass_of(&problem->motion[i]) > most ? NO_BOX : c->box[i];
	j->box = j->own;
	return true;
}

static bool is_heavy(const judging *g, uint32_t body)
{
	return body < g->problem->bodies && g->problem->motion[body].inv_m > 0 && box_of(g, body) == NO_BOX;
}

// Of the heavy bodies at a contact: to the box where it is.
static void share_masses(const judging *g, size_t i)
{
	const talus_contact *c = &g->problem->contact[i];
	judge *j = g->shop->judge;
	const uint32_t body[2] = {c->a, c->b};
	const talus_motion *a = &g->problem->motion[c->a], *b = &g->problem->motion[c->b];
	double closing = fabs(dot(sub(b->v, a->v), c->n));
	for (int k = 0; k < 2; k++)
		if (is_heavy(g, body[k])) {
			double share = mass_of(&g->problem->motion[body[k]])/j->count[body[k]];
			double *still = j->still[contact_box(g, g->shop->lines.at[i])];
			double pressing = (k ? -1 : 1)*dot(sub(g->problem->motion[body[k]].v, g->drift), c->n);
			still[STILL_MASS] += share;
			still[STILL_BROUGHT] += share*(closing + 0.5*window_of(g->problem)*fmax(0, pressing - closing));
		}
}

static vec3 drift_of(const judging *g)
{
	vec3 sum = vec(0, 0, 0);
	double mass = 0;
	for (size_t i = 0; i < g->problem->coarse.bodies; i++)
		if (g->shop->judge->box[i] != NO_BOX) {
			double m = mass_of(&g->problem->motion[i]);
			sum = mul_add(sum, m, g->problem->motion[i].v);
			mass += m;
		}
	return mass > 0 ? mul(1/mass, sum) : sum;
}

void error_begin(workshop *shop, const talus_problem *problem)
{
	const talus_coarse *c = &problem->coarse;
	size_t boxes = boxes_of(c);
	judge *j = prepare(shop, boxes, chunks_of(problem));
	judging g = {.shop = shop, .problem = problem};
	if (!boxes)
		return;
	j->still = memory_room(j->still, &j->still_capacity, boxes, sizeof *j->still);
	memset(j->still, 0, boxes*sizeof *j->still);
	bool any = set_heavy_apart(j, problem);
	for (size_t i = 0; i < c->bodies; i++)
		if (j->box[i] != NO_BOX)
			j->still[j->box[i]][STILL_MASS] += mass_of(&problem->motion[i]);
	for (size_t i = 0; any && i < problem->contacts; i++) {
		j->count[problem->contact[i].a]++;
		j->count[problem->contact[i].b]++;
	}
	j->heavy = any;
	if (any)
		g.drift = drift_of(&g);
	for (size_t i = 0; any && i < problem->contacts; i++)
		share_masses(&g, i);
}

void judge_free(judge *j)
{
	memory_free(j->chunk);
	memory_free(j->cells);
	memory_free(j->still);
	memory_free(j->own);
	memory_free(j->count);
}
