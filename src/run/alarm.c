// SPDX-License-Identifier: MIT
#include "run/alarm.h"

#include "run/accuracy.h"
#include "run/run.h"
#include "run/sound.h"
#include "method/contact_dynamics.h"
#include "world.h"

#include <stdarg.h>
#include <stdio.h>

const double alarm_overlap = 0.05;
static const double serious = 3; // times the tolerance
static const double far_above = 5; // times what a rule promises

bool alarm_is_serious(const talus_world *world, double error)
{
	return error > serious*world->state.def.solver.tolerance;
}

bool alarm_broken(const talus_world *world, const double error[], int *what, double *promised)
{
	talus_stop stop = world->state.def.solver.stop;
	if (stop != TALUS_STOP_ERROR && stop != TALUS_STOP_FORCES)
		return false;
	*what = stop == TALUS_STOP_ERROR ? TALUS_AUDITED_LOADS : TALUS_AUDITED_FORCES;
	*promised = world->state.def.solver.tolerance;
	return error[*what] > far_above**promised;
}

// By the codes that the warnings of the end have.
static const char *const codes[ALARMS] = {
	[ALARM_CAPPED] = "not_converged", [ALARM_FLOOR] = "floor", [ALARM_OVERLAP] = "large_overlap", [ALARM_KICKS] = "kicks",
	[ALARM_PARADOX] = "paradox", [ALARM_CRUSH] = "no_solution", [ALARM_AUDIT] = "audit",
};

__attribute__((format(printf, 3, 4))) static void ring(talus_run *run, int kind, const char *format, ...)
{
	char message[512];
	va_list list;
	if (run->alarms.told[kind])
		return;
	run->alarms.told[kind] = true;
	va_start(list, format);
	vsnprintf(message, sizeof message, format, list);
	va_end(list);
	run_tell(run, TALUS_EVENT_WARNING, codes[kind], "%s", message);
}

static void ring_solver(talus_run *run)
{
	const talus_world *world = run->world;
	const talus_step_report *r = &world->report;
	const talus_solver_def *solver = &world->state.def.solver;
	char left[160];
	if (r->capped_step == world->state.step && alarm_is_serious(world, r->capped_worst)) {
		accuracy_left(solver, r->capped_worst, true, left, sizeof left);
		ring(run, ALARM_CAPPED, "at time %.6g the iterations of a step ended at max_iterations with %s", world->state.time, left);
	}
	if (r->stagnated_step == world->state.step && alarm_is_serious(world, r->stagnated_worst)) {
		accuracy_left(solver, r->stagnated_worst, true, left, sizeof left);
		ring(run, ALARM_FLOOR, "at time %.6g a step ended where more iterations did not help, with %s", world->state.time, left);
	}
	if (r->unfinished_all > 0)
		ring(run, ALARM_KICKS, "at the latest at time %.6g grains were still being kicked into each other after all rounds of the solver: a shorter step "
		    "would help", world->state.time);
	if (r->paradox_all > 0)
		ring(run, ALARM_PARADOX, "at the latest at time %.6g a contact of a locked body had no consistent sliding (Painleve's paradox)", world->state.time);
}

static void ring_audit(talus_run *run)
{
	const talus_world *world = run->world;
	int what;
	double promised;
	if (contact_dynamics_of(world)->audit.last == world->state.step && alarm_broken(world, contact_dynamics_of(world)->audit.error, &what, &promised))
		ring(run, ALARM_AUDIT, "an audit of the step to time %.6g found %s wrong by %.2g %%; the solver was asked for %g %%", world->state.time,
		    accuracy_audited(what), 100*contact_dynamics_of(world)->audit.error[what], 100*promised);
}

void alarms_ring(talus_run *run)
{
	const talus_world *world = run->world;
	char why[TALUS_NAME_MAX + 128];
	if (world->report.max_overlap > alarm_overlap)
		ring(run, ALARM_OVERLAP, "at time %.6g grains overlap by %.2g mean diameters", world->state.time, world->report.max_overlap);
	if (contact_dynamics_of(world)->crush.step == world->state.step && world->state.step > 0) {
		sound_crush(world, why, sizeof why);
		ring(run, ALARM_CRUSH, "the step to time %.6g has no solution: %s; loads and forces of such steps mean nothing, and those shortly before are doubtful", world->state.time, why);
	}
	ring_solver(run);
	ring_audit(run);
}
