// SPDX-License-Identifier: MIT
// Newton's method on the laws of all contacts at once, inside a proximal loop. W is singular wherever there
// are more contacts than bodies need, so each round solves the problem with W + shift instead, drawn to the
// last answer `anchor`:
//
//     u = (W + shift) x + q - shift anchor,   f = x - P(x - rho u),   (I - P' + P' rho (W + shift)) step = -f
//
// with x = r in even units. Its answer is the next anchor; if that came easily the shift gets smaller, else
// larger. Two things decide the speed: rho grows as the shift falls, since what a singular W leaves open is
// as stiff as the shift; and a round that leads nowhere ends soon, with a larger shift, rather than by ever
// shorter steps.
#include "delassus/work.h"

#include "base/memory.h"
#include "base/random.h"

#include <math.h>
#include <string.h>

// By trying, on the problems of docs/measurements/solve.md.
static const double first_shift = 10;                        // times the error of the first guess: a rough one would only be in the way of a small shift
static const double first_least = 1e-3, first_most = 1;      // and within these
static const double shift_least = 1e-11, shift_most = 1e3;   // below, W + shift is W but for rounding; above, nothing moves
static const double shift_kicked = 1e-2;                     // after a kick
static const double armijo = 1e-4;                           // of the decrease that the slope promises, at least (Armijo's rule)
static const double round_gain = 1e-2;                       // of |f|^2: a round ends at a tenth of |f|
static const double progress = 0.9;                          // an error below so much of the last one

enum { ROUND_STEPS = 20, HALVINGS = 6, PATIENCE = 50, FAR_KICK = 9, LAST_KICK = 60 };

typedef struct newton {
	delassus_scaled scaled;
	delassus_factor factor;
	size_t count; // contacts*size
	double shift, rho, merit;
	double *x, *anchor, *u, *f, *a, *b, *step, *trial, *nothing;
	bool *closed;
	// how rho follows the shift, and since when there is no progress
	int kicks, in_vain;
	double last;
	uint64_t since;
} newton;

static void newton_init(newton *s, const delassus_problem *problem, const double *r)
{
	size_t n = (size_t)problem->size, count = problem->contacts*n;
	*s = (newton){.count = count, .last = INFINITY};
	delassus_scaled_init(&s->scaled, problem);
	delassus_factor_init(&s->factor, &s->scaled.problem.w);
	double **vectors[] = {&s->x, &s->anchor, &s->u, &s->f, &s->step, &s->trial, &s->nothing};
	for (size_t k = 0; k < sizeof vectors/sizeof *vectors; k++)
		*vectors[k] = delassus_zeros(count, sizeof(double));
	s->a = delassus_zeros(count*n, sizeof(double));
	s->b = delassus_zeros(count*n, sizeof(double));
	s->closed = delassus_zeros(problem->contacts, sizeof *s->closed);
	for (size_t k = 0; k < count; k++)
		s->x[k] = r[k]/s->scaled.unit[k];
}

static void newton_free(newton *s)
{
	void *all[] = {s->x, s->anchor, s->u, s->f, s->a, s->b, s->step, s->trial, s->nothing, s->closed};
	for (size_t k = 0; k < sizeof all/sizeof *all; k++)
		memory_free(all[k]);
	delassus_factor_free(&s->factor);
	delassus_scaled_free(&s->scaled);
}

// f at x, and its square; with `derive` also the blocks of its derivative, A + B (W + shift).
static double judge(newton *s, const double *x, bool derive)
{
	const delassus_problem *p = &s->scaled.problem;
	size_t n = (size_t)p->size, area = n*n;
	double sum = 0;
	block_matrix_times(&p->w, x, p->q, s->u);
	for (size_t k = 0; k < s->count; k++)
		s->u[k] += s->shift*(x[k] - s->anchor[k]);
	for (size_t i = 0; i < p->contacts; i++) {
		double *a = s->a + i*area, *b = s->b + i*area;
		bool closed = delassus_law(p, i, s->rho, x + i*n, s->u + i*n, s->f + i*n, derive ? b : NULL);
		for (size_t k = i*n; k < i*n + n; k++)
			sum += s->f[k]*s->f[k];
		if (!derive)
			continue;
		s->closed[i] = closed;
		for (size_t k = 0; k < area; k++) {
			a[k] = (k%(n + 1) == 0) - b[k];
			b[k] *= s->rho;
		}
	}
	return sum;
}

// Open contacts have the step -f. What that does to the closed ones goes to the right side of their
// equations.
static void find_step(newton *s)
{
	const delassus_problem *p = &s->scaled.problem;
	size_t n = (size_t)p->size;
	delassus_factor_make(&s->factor, &(delassus_jacobian){&s->scaled, s->closed, s->a, s->b, s->shift});
	for (size_t k = 0; k < s->count; k++)
		s->trial[k] = s->closed[k/n] ? 0 : -s->f[k];
	block_matrix_times(&p->w, s->trial, s->nothing, s->u);
	for (size_t k = 0; k < s->count; k++) {
		s->step[k] = -s->f[k];
		for (size_t l = 0; l < n && s->closed[k/n]; l++)
			s->step[k] -= s->b[k*n + l]*s->u[k/n*n + l];
	}
	delassus_factor_solve(&s->factor, s->step);
}

// As much of the step as makes f smaller. False if there is no such.
static bool take_step(newton *s)
{
	double share = 1;
	for (int i = 0; i < HALVINGS; i++, share *= 0.5) {
		for (size_t k = 0; k < s->count; k++)
			s->trial[k] = s->x[k] + share*s->step[k];
		if (!(judge(s, s->trial, false) <= (1 - armijo*share)*s->merit))
			continue;
		memcpy(s->x, s->trial, s->count*sizeof *s->x);
		s->merit = judge(s, s->x, true);
		return true;
	}
	return false;
}

// Different kicks lead different ways: rho = factor*shift^-power.
static double rho_of(const newton *s)
{
	static const struct {
		double factor, power;
	} way[] = {{1, 0.5}, {1, 0.7}, {4, 0.5}, {0.5, 0.7}, {2, 0.5}, {1, 0.3}};
	size_t k = (size_t)s->kicks%(sizeof way/sizeof *way);
	return way[k].factor*pow(s->shift, -way[k].power);
}

// One round: from the anchor to f a tenth of what it was, at least. The number of steps, or 0 if it did not
// get there.
static int go_round(newton *s, delassus_watch *watch)
{
	memcpy(s->anchor, s->x, s->count*sizeof *s->x);
	s->rho = rho_of(s);
	s->merit = judge(s, s->x, true);
	double goal = round_gain*s->merit;
	for (int steps = 1; steps <= ROUND_STEPS && !delassus_watch_over(watch); steps++) {
		watch->report.iterations++;
		find_step(s);
		if (!take_step(s))
			return 0;
		delassus_watch_look(watch, s->x, s->scaled.unit);
		if (s->merit <= goal)
			return steps;
	}
	return 0;
}

// Nothing better for long: start over from here with a large shift and another rho, at times from elsewhere.
static void kick(newton *s, const delassus_watch *watch)
{
	double error = watch->least;
	if (error < progress*s->last) {
		s->last = error;
		s->since = watch->report.iterations;
		s->in_vain = 0;
		return;
	}
	if (watch->report.iterations - s->since <= PATIENCE)
		return;
	s->kicks++;
	s->in_vain++;
	s->since = watch->report.iterations;
	s->shift = shift_kicked;
	for (size_t k = 0; k < s->count && s->in_vain >= FAR_KICK && s->in_vain%3 == 0; k++)
		s->x[k] *= 2*random_unit((uint64_t)s->kicks, k);
}

static delassus_report newton_on(const delassus_problem *problem, const delassus_options *wish, double *r)
{
	delassus_watch watch;
	newton s;
	delassus_watch_init(&watch, problem, wish, r, "newton");
	newton_init(&s, problem, r);
	s.shift = fmin(first_most, fmax(first_least, first_shift*watch.least));
	while (!delassus_watch_over(&watch) && s.in_vain < LAST_KICK) {
		int steps = go_round(&s, &watch);
		if (!isfinite(s.merit))
			break;
		s.shift *= steps == 0 ? 30 : steps <= 4 ? 0.1 : steps <= 8 ? 0.3 : 1;
		s.shift = fmin(shift_most, fmax(shift_least, s.shift));
		kick(&s, &watch);
	}
	newton_free(&s);
	return delassus_watch_end(&watch, r);
}

delassus_report delassus_newton(const delassus_problem *problem, const delassus_options *wish, double *r)
{
	return delassus_in_range(newton_on, problem, wish, r);
}
