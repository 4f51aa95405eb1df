// SPDX-License-Identifier: MIT
#include "method/audit.h"

#include "method/contact_dynamics.h"
#include "method/solved_on.h"

#include "solve/solve.h"

#include <math.h>

enum { FIRST_SWEEPS = 512, LEAST_SWEEPS = 128, EASY = 4 };

// ---------------------------------------------------------------- what was wrong

enum { WRONG, SIZE, PUSH, TENSOR, SUMS = TENSOR + 9 };

typedef struct comparing {
	const talus_world *world;
	const solved_on *with;
} comparing;

static void compare_contacts(void *job, size_t first, size_t last, totals_part *part)
{
	const comparing *c = job;
	for (size_t i = first; i < last; i++) {
		vec3 right = c->with->problem.p[i], d = sub(c->world->contacts.p[i], right), n = c->world->contacts.contact[i].n;
		part->term[WRONG][i - first] = dot(d, d);
		part->term[SIZE][i - first] = dot(right, right);
		part->term[PUSH][i - first] = norm(right);
		part->count[0] += norm(right) > 0;
		for (int k = 0; k < 9; k++)
			part->term[TENSOR + k][i - first] = component(d, k/3)*component(n, k%3);
	}
}

// Beside what contacts have done to the bodies.
static void compare_bodies(void *job, size_t first, size_t last, totals_part *part)
{
	const solved_on *with = ((const comparing *)job)->with;
	for (size_t i = first; i < last; i++) {
		vec3 right = with->problem.motion[i].v, wrong = sub(with->found[i].v, right), done = sub(right, with->free[i].v);
		bool moves = with->free[i].inv_m > 0;
		part->term[0][i - first] = moves ? dot(wrong, wrong) : 0;
		part->term[1][i - first] = moves ? dot(done, done) : 0;
	}
}

static double share(double part, double whole)
{
	return part == 0 ? 0 : whole > 0 ? part/whole : 1;
}

// Loads as the rule `error` promises them: in the mean over a window of steps, of which this is the last.
static double load_error(const talus_world *world, const totals *all)
{
	const double *sum = all->sum;
	double square = 0, mean = contact_dynamics_of(world)->memory.load;
	for (int k = 0; k < 9; k++)
		square += sum[TENSOR + k]*sum[TENSOR + k];
	double before = mean > 0 ? mean*(double)all->count[0] : sum[PUSH];
	return share(sqrt(square), sum[PUSH] + (TALUS_WINDOW - 1)*before);
}

static void compare(const talus_world *world, const solved_on *with, double error[TALUS_AUDITED])
{
	comparing c = {world, with};
	totals all = totals_of(world->state.team, world->contacts.count, SUMS, compare_contacts, &c);
	totals motion = totals_of(world->state.team, with->problem.bodies, 2, compare_bodies, &c);
	error[TALUS_AUDITED_FORCES] = sqrt(share(all.sum[WRONG], all.sum[SIZE]));
	error[TALUS_AUDITED_LOADS] = load_error(world, &all);
	error[TALUS_AUDITED_VELOCITIES] = sqrt(share(motion.sum[0], motion.sum[1]));
}

// ---------------------------------------------------------------- the record

// Errors are counted in bins, so that there is a median of all. No logarithm: it must be the same bin everywhere.
static const double smallest = 1e-12, wider = 1.1547819846894583; // sixteen bins a decade

static int bin_of(double error)
{
	int bin = 0;
	for (double edge = smallest*wider; bin < AUDIT_BINS - 1 && error > edge; edge *= wider)
		bin++;
	return bin;
}

static double median_of(const audit *a, int what)
{
	uint64_t below = 0;
	double middle = smallest*2*wider/(1 + wider); // as far from both ends, in shares of what was there
	for (int k = 0; k < AUDIT_BINS; k++, middle *= wider) {
		below += a->bin[what][k];
		if (2*below >= a->count)
			break;
	}
	return fmin(a->largest[what], middle);
}

static void note(talus_world *world, const double error[TALUS_AUDITED])
{
	audit *a = &contact_dynamics_of(world)->audit;
	a->count++;
	a->last = world->state.step + 1;
	for (int k = 0; k < TALUS_AUDITED; k++) {
		a->error[k] = error[k];
		a->bin[k][bin_of(error[k])]++;
		if (error[k] > a->largest[k]) {
			a->largest[k] = error[k];
			a->largest_step[k] = world->state.step + 1;
		}
	}
}

talus_audit talus_world_audit(const talus_world *world)
{
	const audit *a = &contact_dynamics_of(world)->audit;
	talus_audit report = {.count = a->count, .unfinished = a->unfinished, .updates = a->updates, .step = a->last};
	for (int k = 0; k < TALUS_AUDITED && a->count > 0; k++) {
		report.error[k] = a->error[k];
		report.median[k] = a->count == 1 ? a->error[k] : fmin(median_of(a, k), a->largest[k]);
		report.largest[k] = a->largest[k];
		report.largest_step[k] = a->largest_step[k];
	}
	return report;
}

// ---------------------------------------------------------------- when

// Sweeps that may be spent now.
static double budget(const talus_world *world)
{
	double updates = world->state.def.solver.audit*(double)world->report.updates_all - (double)contact_dynamics_of(world)->audit.updates;
	return world->contacts.count > 0 ? updates/(double)world->contacts.count : 0;
}

// Twice what the last one has taken must be there, so that most come to an end; at rest, where steps take a few sweeps, less.
bool audit_due(const talus_world *world)
{
	double next = contact_dynamics_of(world)->audit.next > 0 ? contact_dynamics_of(world)->audit.next : FIRST_SWEEPS;
	if (world->report.iterations <= EASY)
		next = fmin(next, 2*LEAST_SWEEPS);
	return world->state.def.solver.audit > 0 && world->contacts.count > 0 && budget(world) >= next;
}

void audit_step(talus_world *world)
{
	audit *a = &contact_dynamics_of(world)->audit;
	double error[TALUS_AUDITED], most = budget(world);
	solved_on with;
	if (!(most >= 1))
		return;
	step_solve_on(world, 0, (int)fmin(most, 1 << 20), &with);
	bool done = with.report.converged || with.report.stagnated;
	a->updates += (uint64_t)with.report.iterations*world->contacts.count;
	a->next = fmax(LEAST_SWEEPS, 2*with.report.iterations);
	if (!done) {
		a->unfinished++;
		return;
	}
	if (problem_is_idle(&with.problem, world->state.team))
		return; // nothing to be wrong
	compare(world, &with, error);
	note(world, error);
}
