// SPDX-License-Identifier: MIT
#include "run/accuracy.h"

#include "method/contact_dynamics.h"
#include "world.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static bool is_share(const talus_solver_def *solver)
{
	return solver->stop == TALUS_STOP_ERROR || solver->stop == TALUS_STOP_FORCES;
}

void accuracy_tolerance(const talus_solver_def *solver, char *text, size_t size)
{
	snprintf(text, size, is_share(solver) ? "%g %%" : "%g", is_share(solver) ? 100*solver->tolerance : solver->tolerance);
}

void accuracy_rule(const talus_solver_def *solver, char *text, size_t size)
{
	char to[32];
	accuracy_tolerance(solver, to, sizeof to);
	switch (solver->stop) {
	case TALUS_STOP_ITERATIONS: snprintf(text, size, "%d iterations per step", solver->iterations); break;
	case TALUS_STOP_LOCAL: snprintf(text, size, "changes of each force below %s of it", to); break;
	case TALUS_STOP_GLOBAL: snprintf(text, size, "changes of the mean force below %s of it", to); break;
	case TALUS_STOP_RESIDUAL: snprintf(text, size, "a residual of %s", to); break;
	case TALUS_STOP_ERROR: snprintf(text, size, "loads to %s in the mean over %d steps", to, TALUS_WINDOW); break;
	case TALUS_STOP_FORCES: snprintf(text, size, "forces to %s (root mean square)", to); break;
	}
}

void accuracy_until(const talus_solver_def *solver, char *text, size_t size)
{
	char to[32];
	accuracy_tolerance(solver, to, sizeof to);
	switch (solver->stop) {
	case TALUS_STOP_ITERATIONS: snprintf(text, size, "there were %d", solver->iterations); break;
	case TALUS_STOP_LOCAL: snprintf(text, size, "no force changes by more than %s of it in an iteration", to); break;
	case TALUS_STOP_GLOBAL: snprintf(text, size, "the mean force changes by less than %s of it, several iterations in a row", to); break;
	case TALUS_STOP_RESIDUAL: snprintf(text, size, "the residual is below %s", to); break;
	case TALUS_STOP_ERROR:
		snprintf(text, size, "loads are right to %s in the mean over %d steps (fewer near rest) and a step adds overlaps below %g diameters", to,
		         TALUS_WINDOW, TALUS_OVERLAP*solver->tolerance);
		break;
	case TALUS_STOP_FORCES: snprintf(text, size, "forces are right to %s (root mean square)", to); break;
	}
}

void accuracy_left(const talus_solver_def *solver, double error, bool beside_tolerance, char *text, size_t size)
{
	char to[32], instead[64] = "";
	accuracy_tolerance(solver, to, sizeof to);
	if (beside_tolerance)
		snprintf(instead, sizeof instead, " instead of %s", to);
	if (solver->stop == TALUS_STOP_ERROR)
		snprintf(text, size, "an error of %.2g %%%s (of loads in the mean over %d steps, or of a tenth of a diameter in overlaps)", 100*error,
		         instead, TALUS_WINDOW);
	else if (solver->stop == TALUS_STOP_FORCES)
		snprintf(text, size, "an error of %.2g %%%s (of the forces, root mean square)", 100*error, instead);
	else // the changes that `local` and `global` ask for are not what is left
		snprintf(text, size, "a residual of %.2g%s", error, solver->stop == TALUS_STOP_RESIDUAL ? instead : "");
}

const char *accuracy_audited(int what)
{
	return what == TALUS_AUDITED_LOADS ? "loads in the mean over 30 steps" : what == TALUS_AUDITED_FORCES ? "forces (root mean square)" :
	       "velocities (root mean square)";
}

accuracy accuracy_of(const talus_world *world)
{
	talus_audit seen = talus_world_audit(world);
	accuracy a = {.solver = &world->state.def.solver, .steps = world->state.step, .capped = world->report.capped_all, .floor = world->report.stagnated_steps,
	              .audits = seen.count, .given_up = seen.unfinished, .no_solution = contact_dynamics_of(world)->crush.step > 0};
	memcpy(a.median, seen.median, sizeof a.median);
	memcpy(a.largest, seen.largest, sizeof a.largest);
	return a;
}

// ---------------------------------------------------------------- the line

typedef struct words {
	char *text;
	size_t size, used;
} words;

__attribute__((format(printf, 2, 3))) static void add_words(words *w, const char *format, ...)
{
	va_list list;
	va_start(list, format);
	int length = vsnprintf(w->text + w->used, w->size - w->used, format, list);
	va_end(list);
	w->used = length < 0 || w->used + (size_t)length >= w->size ? w->size - 1 : w->used + (size_t)length;
}

static void add_steps(words *w, const accuracy *a)
{
	uint64_t short_of = a->capped + a->floor, met = a->steps > short_of ? a->steps - short_of : 0;
	if (a->solver->stop == TALUS_STOP_ITERATIONS)
		return;
	add_words(w, ", met by its own estimate in %llu of %llu steps", (unsigned long long)met, (unsigned long long)a->steps);
	if (short_of == 0)
		return;
	add_words(w, " (");
	if (a->capped)
		add_words(w, "%llu ended at max_iterations%s", (unsigned long long)a->capped, a->floor ? ", " : "");
	if (a->floor)
		add_words(w, "%llu %swhere more iterations did not help", (unsigned long long)a->floor, a->capped ? "" : "ended ");
	add_words(w, ")");
}

static void add_share(words *w, double share)
{
	add_words(w, 100*share < 99.5 ? "%.2g %%" : "%.0f %%", 100*share);
}

static void add_error(words *w, double median, double largest, bool several, const char *what)
{
	add_share(w, median);
	if (!several)
		return;
	add_words(w, " (%s", what);
	add_share(w, largest);
	add_words(w, ")");
}

// Steps that could not be solved on are not among them.
static void add_audits(words *w, const accuracy *a)
{
	bool several = a->audits > 1;
	add_words(w, "; %llu audit%s", (unsigned long long)a->audits, several ? "s" : "");
	if (a->given_up > 0)
		add_words(w, " (%llu more given up)", (unsigned long long)a->given_up);
	add_words(w, ": loads wrong by ");
	add_error(w, a->median[TALUS_AUDITED_LOADS], a->largest[TALUS_AUDITED_LOADS], several, "median, largest ");
	add_words(w, ", forces by ");
	add_error(w, a->median[TALUS_AUDITED_FORCES], a->largest[TALUS_AUDITED_FORCES], several, "");
}

void accuracy_tell(const accuracy *a, char *text, size_t size)
{
	words w = {text, size, 0};
	char rule[128];
	accuracy_rule(a->solver, rule, sizeof rule);
	add_words(&w, "%s", rule);
	add_steps(&w, a);
	if (a->audits == 0 && a->given_up == 0)
		add_words(&w, "; no audit");
	else if (a->audits == 0)
		add_words(&w, "; no audit (%llu given up)", (unsigned long long)a->given_up);
	else
		add_audits(&w, a);
	if (a->no_solution)
		add_words(&w, "; worth nothing once there was no solution");
}
