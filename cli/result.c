// SPDX-License-Identifier: MIT
// The end of a run: a short table on the terminal, and warnings about the state it ended in.
#include "result.h"

#include "accuracy.h"
#include "alarm.h"
#include "io/advice.h"
#include "observe/observe.h"
#include "message.h"
#include "progress.h"
#include "rest.h"
#include "sound.h"
#include "world.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

__attribute__((format(printf, 3, 4))) static void warn(run_warnings *w, const char *code, const char *format, ...)
{
	if (w->count == RESULT_WARNINGS)
		return;
	va_list list;
	va_start(list, format);
	vsnprintf(w->text[w->count], sizeof w->text[0], format, list);
	va_end(list);
	w->list[w->count] = (run_warning){code, w->text[w->count]};
	w->count++;
}

static const double late = 0.05; // of all grains that were due: so many may wait at once

static void warn_about_pours(run_warnings *w, const talus_world *world)
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
static void warn_about_emptiness(run_warnings *w, const scene *s, const talus_world *world)
{
	if (!rest_deserted(world) || (world->state.bodies.count > 0 && world->removed == 0 && !s->until_rest))
		return;
	if (world->removed > 0)
		warn(w, "no_grains", "no grains are left that could move: %zu left the domain", world->removed);
	else
		warn(w, "no_grains", "there are no grains that could move");
}

static const char soft[] = "soft-regime";
static const double enough = 1.05; // times what it takes

// Forces go by N sweeps over about sqrt(N) grains, with momentum over N of them.
static void warn_about_softness(run_warnings *w, const talus_world *world)
{
	const talus_step_report *r = &world->report;
	talus_solver_def with_momentum = {.kind = TALUS_SOLVER_ACCELERATED};
	double needed = observe_sweeps(&world->state.def.solver, r->soft_size), fewer = observe_sweeps(&with_momentum, r->soft_size);
	char other[160] = "";
	if (world->state.def.solver.kind == TALUS_SOLVER_NSGS)
		snprintf(other, sizeof other, ", or about %.0f with momentum (`solver: auto`)", ceil(enough*fewer));
	else if (world->state.def.solver.stop == TALUS_STOP_ERROR)
		snprintf(other, sizeof other, " (`solver: {accelerated: {stop: {error: %g, max_iterations: %.0f}}}`)", world->state.def.solver.tolerance,
		         ceil(enough*needed));
	warn(w, soft, "the grains are not rigid, at the latest since time %.6g: forces reached over %.3g diameters in the %llu sweeps of a step, and the "
	     "%llu grains that carry them extend over %.3g. They behave as if they were elastic, with overlaps of about %.1e "
	     "diameters. It takes about %.0f sweeps%s; a smaller step makes overlaps smaller, with its square",
	     (double)r->soft_step*world->state.def.step, r->soft_reach, (unsigned long long)r->soft_sweeps,
	     (unsigned long long)r->soft_grains, r->soft_size, r->soft_overlap, ceil(enough*needed), other);
}

void result_softness_print(const talus_world *world)
{
	run_warnings w = {.count = 0};
	warn_about_softness(&w, world);
	fprintf(stderr, "talus: warning: %s\n", w.list[0].message);
}

void result_problem(run_warnings *w, double time, const char *why)
{
	warn(w, "problems", "the contact problem of time %.6g is not written: %s (nothing more is said about later ones)", time, why);
}

void result_fears(run_warnings *w, const scene *s)
{
	advice list[ADVICE_MAX];
	int count = advice_warnings(s, list);
	w->count = 0;
	for (int i = 0; i < count; i++)
		warn(w, list[i].code, "%s", list[i].message);
}

void result_warnings_print(const run_warnings *w)
{
	for (int i = 0; i < w->count; i++)
		if (w->list[i].code != soft) // said when it happened
			fprintf(stderr, "talus: warning: %s\n", w->list[i].message);
}

static const double often = 0.01; // of all steps: then it matters even if errors are not far above what was asked for

static void warn_about_ends(run_warnings *w, const talus_world *world, const char *code, uint64_t steps, double worst, uint64_t step)
{
	const talus_solver_def *solver = &world->state.def.solver;
	if (steps == 0 || ((double)steps <= often*(double)world->state.step && !alarm_is_serious(world, worst)))
		return;
	char how[64] = "where more sweeps did not help", tolerance[32], left[160];
	if (!strcmp(code, "not_converged"))
		snprintf(how, sizeof how, "at max_iterations (%d)", solver->max_iterations);
	accuracy_tolerance(solver, tolerance, sizeof tolerance);
	accuracy_left(solver, worst, false, left, sizeof left);
	warn(w, code, "%llu of %llu steps ended %s before their tolerance, %s, was met; the worst one, at time %.6g, with %s",
	     (unsigned long long)steps, (unsigned long long)world->state.step, how, tolerance, (double)step*world->state.def.step, left);
}

static void warn_about_crush(run_warnings *w, const talus_world *world)
{
	char why[TALUS_NAME_MAX + 128];
	if (world->crush.step == 0)
		return;
	sound_crush(world, why, sizeof why);
	warn(w, "no_solution", "at the latest at time %.6g there was no solution any more: %s; loads and forces of such steps mean nothing, and those shortly before are doubtful",
	     (double)world->crush.step*world->state.def.step, why);
}

static void warn_about_audits(run_warnings *w, const talus_world *world)
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

void result_warnings(run_warnings *w, const scene *s, const talus_world *world, bool finished)
{
	const talus_step_report *report = &world->report;
	result_fears(w, s);
	if (finished) {
		warn_about_pours(w, world);
		warn_about_emptiness(w, s, world);
	}
	warn_about_ends(w, world, "not_converged", report->capped_all, report->capped_worst, report->capped_step);
	warn_about_ends(w, world, "floor", report->floor_all, report->floor_worst, report->floor_step);
	if (report->worst_overlap > alarm_overlap)
		warn(w, "large_overlap", "the largest overlap on the way was %.2g mean diameters%s", report->worst_overlap,
		     world->crush.step > 0 ? "" : ": look at the step, the sweeps, and at bodies that are much lighter than their neighbours");
	warn_about_crush(w, world);
	warn_about_audits(w, world);
	if (report->unfinished_all > 0)
		warn(w, "kicks", "in %llu steps grains were still being kicked into each other after all rounds of the solver: a "
		     "shorter step would help", (unsigned long long)report->unfinished_all);
	if (report->paradox_all > 0)
		warn(w, "paradox", "%llu times a contact of a locked body had no consistent sliding (Painleve's paradox): less friction "
		     "would help", (unsigned long long)report->paradox_all);
	if (report->soft_step > 0)
		warn_about_softness(w, world);
}

static void line(const char *name, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void line(const char *name, const char *format, ...)
{
	va_list list;
	va_start(list, format);
	printf("  %-16s ", name);
	vprintf(format, list);
	putchar('\n');
	va_end(list);
}

static void files_print(const char *folder)
{
	printf("\nFiles in %s: scene.yaml, run.h5 (run.xdmf for ParaView), log.csv, checkpoint.h5, summary.json\n", folder);
	printf("Next: talus render %s --forces    talus plot %s kinetic_energy    talus info %s\n", folder, folder, folder);
}

void result_print(const talus_world *world, const char *title, const char *folder, double seconds)
{
	structure_state structure = observe_structure(world);
	stress_state stress = observe_stress(world);
	accuracy right = accuracy_of(world);
	char took[32], how_right[512];
	accuracy_tell(&right, how_right, sizeof how_right);
	progress_duration(took, sizeof took, seconds);
	message_text(stdout, title[0] ? title : folder);
	puts(": done");
	line("time", "%.6g in %llu steps", world->state.time, (unsigned long long)world->state.step);
	if (world->removed)
		line("grains", "%zu (%zu left the domain)", world->state.bodies.count, world->removed);
	else
		line("grains", "%zu (%zu rattler%s)", world->state.bodies.count, structure.rattlers, structure.rattlers == 1 ? "" : "s");
	line("contacts", "%zu that carry a force", structure.bearing);
	line("coordination", "%.3f", structure.coordination);
	line("volume fraction", "%.4f", stress.volume_fraction);
	line("mean overlap", "%.3g mean diameters", world->report.mean_overlap);
	line("kinetic energy", "%.4g", account_grains(&world->state).kinetic);
	line("accuracy", "%s", how_right);
	if (seconds < 10)
		snprintf(took, sizeof took, "%.2f s", seconds);
	if (world->shared)
		line("took", "%s; %d threads in %llu steps", took, talus_world_threads(world), (unsigned long long)world->shared);
	else
		line("took", "%s, on one thread", took);
	files_print(folder);
}
