// SPDX-License-Identifier: MIT
#include "run/warnings.h"

#include "io/advice.h"
#include "observe/observe.h"
#include "run/accuracy.h"
#include "run/alarm.h"
#include "run/rest.h"
#include "run/sound.h"
#include "method/contact_dynamics.h"
#include "world.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

__attribute__((format(printf, 3, 4))) static void warn(warnings *w, const char *code, const char *format, ...)
{
	if (w->count == WARNINGS_MOST)
		return;
	va_list list;
	va_start(list, format);
	vsnprintf(w->text[w->count], sizeof w->text[0], format, list);
	va_end(list);
	w->list[w->count] = (run_warning){code, w->text[w->count]};
	w->told[w->count] = false;
	w->count++;
}

static const double late = 0.05; // of all grains that were due: so many may wait at once

static void warn_about_pours(warnings *w, const talus_world *world)
{
	int wanted = 0, poured = 0;
	double due = 0;
	for (int i = 0; i < world->pours.count; i++) {
		wanted += world->pours.at[i].def.count;
		const pour_state *p = &world->pours.at[i];
		poured += p->poured;
		due += fmax(0, fmin(p->def.count, floor(p->def.rate*(world->state.time - p->def.start)) + 1));
	}
	if (poured < wanted)
		warn(w, "pour_incomplete", "only %d of %d grains were poured: %s", poured, wanted,
		     poured < due - fmax(2, late*due) ? "there was no room for more" : "the run ended before");
	if (world->report.waiting_most > fmax(2, late*due))
		warn(w, "pour_late", "grains came later than the `rate` of their `pour` says: up to %.0f that were due found no room in its "
		     "region, which was full; make it larger, let grains leave it faster, or lower the rate",
		     world->report.waiting_most);
}

// Fixed grains alone are no accident, unless others were there or something was to come to rest.
static void warn_about_emptiness(warnings *w, const scene *s, const talus_world *world)
{
	if (!rest_deserted(world) || (world->state.bodies.count > 0 && world->removed == 0 && !s->until_rest))
		return;
	if (world->removed > 0)
		warn(w, "no_grains", "no grains are left that could move: %zu left the domain", world->removed);
	else
		warn(w, "no_grains", "there are no grains that could move");
}

static const double enough = 1.05; // times what it takes

// Forces go by N sweeps over about sqrt(N) grains, with momentum over N of them.
void warnings_of_softness(warnings *w, const talus_world *world, const soft_watch *soft)
{
	talus_solver_def with_momentum = {.kind = TALUS_SOLVER_ACCELERATED};
	double needed = observe_sweeps(&world->state.def.solver, soft->size), fewer = observe_sweeps(&with_momentum, soft->size);
	char other[160] = "";
	if (world->state.def.solver.kind == TALUS_SOLVER_NSGS)
		snprintf(other, sizeof other, ", or about %.0f accelerated ones (`solver: auto`)", ceil(enough*fewer));
	else if (world->state.def.solver.stop == TALUS_STOP_ERROR)
		snprintf(other, sizeof other, " (`solver: {accelerated: {stop: {error: %g, max_iterations: %.0f}}}`)", world->state.def.solver.tolerance,
		         ceil(enough*needed));
	int place = w->count;
	warn(w, "soft-regime", "the grains are not rigid, at the latest since time %.6g: forces reached over %.3g diameters in the %llu iterations of a step, and the "
	     "%llu grains that carry them extend over %.3g. They behave as if they were elastic, with overlaps of about %.1e "
	     "diameters. It takes about %.0f iterations%s; overlaps fall with the square of the step",
	     (double)soft->step*world->state.def.step, soft->reach, (unsigned long long)soft->sweeps,
	     (unsigned long long)soft->grains, soft->size, soft->overlap, ceil(enough*needed), other);
	if (place < w->count)
		w->told[place] = true;
}

void warnings_of_problem(warnings *w, double time, const char *why)
{
	warn(w, "problems", "the contact problem of time %.6g is not written: %s (nothing more is said about later ones)", time, why);
}

void warnings_of_scene(warnings *w, const scene *s)
{
	advice list[ADVICE_MAX];
	int count = advice_warnings(s, list);
	w->count = 0;
	for (int i = 0; i < count; i++)
		warn(w, list[i].code, "%s", list[i].message);
}

static const double often = 0.01; // of all steps: then it matters even if errors are not far above what was asked for

static void warn_about_ends(warnings *w, const talus_world *world, const char *code, uint64_t steps, double worst, uint64_t step)
{
	const talus_solver_def *solver = &world->state.def.solver;
	if (steps == 0 || ((double)steps <= often*(double)world->state.step && !alarm_is_serious(world, worst)))
		return;
	char how[64] = "where more iterations did not help", tolerance[32], left[160];
	if (!strcmp(code, "not_converged"))
		snprintf(how, sizeof how, "at max_iterations (%d)", solver->max_iterations);
	accuracy_tolerance(solver, tolerance, sizeof tolerance);
	accuracy_left(solver, worst, false, left, sizeof left);
	warn(w, code, "%llu of %llu steps ended %s before their tolerance, %s, was met; the worst one, at time %.6g, with %s",
	     (unsigned long long)steps, (unsigned long long)world->state.step, how, tolerance, (double)step*world->state.def.step, left);
}

static void warn_about_crush(warnings *w, const talus_world *world)
{
	char why[TALUS_NAME_MAX + 128];
	if (contact_dynamics_of(world)->crush.step == 0)
		return;
	sound_crush(world, why, sizeof why);
	warn(w, "no_solution", "at the latest at time %.6g there was no solution any more: %s; loads and forces of such steps mean nothing, and those shortly before are doubtful",
	     (double)contact_dynamics_of(world)->crush.step*world->state.def.step, why);
}

static void warn_about_audits(warnings *w, const talus_world *world)
{
	int what;
	double promised;
	talus_audit a = talus_world_audit(world);
	if (!alarm_broken(world, a.largest, &what, &promised))
		return;
	warn(w, "audit", "of %llu audits the worst, at time %.6g, found %s wrong by %.2g %%; the solver was asked for %g %%, and the median is %.2g %%",
	     (unsigned long long)a.count, (double)a.largest_step[what]*world->state.def.step, accuracy_audited(what), 100*a.largest[what],
	     100*promised, 100*a.median[what]);
}

void warnings_of_end(warnings *w, const scene *s, const talus_world *world, const soft_watch *soft, bool finished)
{
	const talus_step_report *report = &world->report;
	warnings_of_scene(w, s);
	if (finished) {
		warn_about_pours(w, world);
		warn_about_emptiness(w, s, world);
	}
	warn_about_ends(w, world, "not_converged", report->capped_all, report->capped_worst, report->capped_step);
	warn_about_ends(w, world, "floor", report->stagnated_steps, report->stagnated_worst, report->stagnated_step);
	if (report->worst_overlap > alarm_overlap)
		warn(w, "large_overlap", "the largest overlap during the run was %.2g mean diameters%s", report->worst_overlap,
		     contact_dynamics_of(world)->crush.step > 0 ? "" : ": check the time step, the solver, and bodies that are much lighter than their neighbours");
	warn_about_crush(w, world);
	warn_about_audits(w, world);
	if (report->unfinished_all > 0)
		warn(w, "kicks", "in %llu steps grains were still being kicked into each other after all rounds of the solver: a "
		     "shorter step would help", (unsigned long long)report->unfinished_all);
	if (report->paradox_all > 0)
		warn(w, "paradox", "%llu times a contact of a locked body had no consistent sliding (Painleve's paradox): less friction "
		     "would help", (unsigned long long)report->paradox_all);
	if (soft->step > 0)
		warnings_of_softness(w, world, soft);
}
