// SPDX-License-Identifier: MIT
#include "alarm.h"

#include "accuracy.h"
#include "sound.h"
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

__attribute__((format(printf, 4, 5))) static void say(alarms *a, int kind, progress *line, const char *format, ...)
{
	if (a->said[kind])
		return;
	va_list list;
	a->said[kind] = true;
	progress_clear(line);
	fputs("talus: warning: ", stderr);
	va_start(list, format);
	vfprintf(stderr, format, list);
	va_end(list);
	fputc('\n', stderr);
}

static void ring_solver(alarms *a, const talus_world *world, progress *line)
{
	const talus_step_report *r = &world->report;
	const talus_solver_def *solver = &world->state.def.solver;
	char left[160];
	if (r->capped_step == world->state.step && alarm_is_serious(world, r->capped_worst)) {
		accuracy_left(solver, r->capped_worst, true, left, sizeof left);
		say(a, ALARM_CAPPED, line, "at time %.6g the sweeps of a step ended at max_iterations with %s", world->state.time, left);
	}
	if (r->floor_step == world->state.step && alarm_is_serious(world, r->floor_worst)) {
		accuracy_left(solver, r->floor_worst, true, left, sizeof left);
		say(a, ALARM_FLOOR, line, "at time %.6g a step ended where more sweeps did not help, with %s", world->state.time, left);
	}
	if (r->unfinished_all > 0)
		say(a, ALARM_KICKS, line, "at the latest at time %.6g grains were still being kicked into each other after all rounds of the solver: a shorter step "
		    "would help", world->state.time);
	if (r->paradox_all > 0)
		say(a, ALARM_PARADOX, line, "at the latest at time %.6g a contact of a locked body had no consistent sliding (Painleve's paradox)", world->state.time);
}

static void ring_audit(alarms *a, const talus_world *world, progress *line)
{
	int what;
	double promised;
	if (world->audit.last == world->state.step && alarm_broken(world, world->audit.error, &what, &promised))
		say(a, ALARM_AUDIT, line, "an audit of the step to time %.6g found %s wrong by %.2g %%; the solver was asked for %g %%", world->state.time,
		    accuracy_audited(what), 100*world->audit.error[what], 100*promised);
}

void alarms_ring(alarms *a, const talus_world *world, progress *line)
{
	char why[TALUS_NAME_MAX + 128];
	if (world->report.max_overlap > alarm_overlap)
		say(a, ALARM_OVERLAP, line, "at time %.6g grains overlap by %.2g mean diameters", world->state.time, world->report.max_overlap);
	if (world->crush.step == world->state.step && world->state.step > 0) {
		sound_crush(world, why, sizeof why);
		say(a, ALARM_CRUSH, line, "the step to time %.6g has no solution: %s; loads and forces of such steps mean nothing, and those shortly before are doubtful", world->state.time, why);
	}
	ring_solver(a, world, line);
	ring_audit(a, world, line);
}
