// SPDX-License-Identifier: MIT
// What the last step did, all steps together, and what audits found: the numbers of talus_step_report and talus_audit.
#include "observe/observe.h"

#include <math.h>

// ---------------------------------------------------------------- the step report

static void report_measure(observations *seen, void *result)
{
	*(talus_step_report *)result = seen->world->report;
}

static const measurement report_measurement = {sizeof(talus_step_report), report_measure};
#define REPORT(member) OBSERVABLE_AT(report_measurement, talus_step_report, member)

const observable step_observables[] = {
	{"bonds", "cohesive contacts that are bonded", "", REPORT(bonds), .log = 37, .summary = 25},
	{"bonds_formed", "bonds that have formed since the start", "", REPORT(bonds_formed_all), .log = 38, .summary = 26},
	{"bounces_softened", "clusters of collisions since the start whose bounce was lowered so that it makes no energy",
	 "", REPORT(bounces_reduced), .summary = 27},
	{"mean_overlap", "mean overlap of touching contacts, over the mean diameter", "", REPORT(mean_overlap), .log = 10,
	 .summary = 28, .frames = 21, .always = true},
	{"max_overlap", "largest overlap, over the mean diameter", "", REPORT(max_overlap), .log = 11, .summary = 29,
	 .frames = 22, .always = true},
	{"worst_overlap", "largest overlap since the start, over the mean diameter", "", REPORT(worst_overlap)},
	{"late", "pairs found only after a first solve of the last step", "", REPORT(missed_contacts), .log = 26},
	{0},
};

// ---------------------------------------------------------------- audits

#define OF_FORCES "force_error"
#define OF_LOADS "load_error"
#define OF_VELOCITIES "velocity_error"
const char *const audited_names[TALUS_AUDITED] = {OF_FORCES, OF_LOADS, OF_VELOCITIES};

typedef struct audit_state {
	talus_audit found; // median and largest are no numbers before the first one
	double time, largest_time[TALUS_AUDITED];
} audit_state;

static void audit_measure(observations *seen, void *result)
{
	double step = seen->world->state.def.step;
	audit_state s = {.found = talus_world_audit(seen->world)};
	double known = s.found.count > 0 ? 0 : NAN;
	s.time = (double)s.found.step*step;
	for (int k = 0; k < TALUS_AUDITED; k++) {
		s.largest_time[k] = (double)s.found.largest_step[k]*step + known;
		s.found.median[k] += known;
		s.found.largest[k] += known;
	}
	*(audit_state *)result = s;
}

static const measurement audit_measurement = {sizeof(audit_state), audit_measure};
#define AUDIT(member) OBSERVABLE_AT(audit_measurement, audit_state, member)

// What audits found of one thing: in the last one, the median of all, the largest, when that was.
#define AUDITED(name, of, which, place)                                                                                                      \
	{name, "error of " of " in the step that the last audit looked at, relative", "", AUDIT(found.error[which]), .log = 57 + which},   \
	{name "_median", name ", median of all audits, to 7 percent", "", AUDIT(found.median[which]), .summary = place,                 \
	 .key = "audit." name ".median", .always = true},                                                                               \
	{name "_largest", name ", largest of all audits", "", AUDIT(found.largest[which]), .summary = place + 1,                        \
	 .key = "audit." name ".largest", .always = true},                                                                              \
	{name "_largest_time", "time of the step with the largest " name, "T", AUDIT(largest_time[which]), .summary = place + 2, .key = "audit." name ".time",       \
	 .always = true}

// ---------------------------------------------------------------- both

const observable solver_observables[] = {
	{"iterations", "iterations of the last step", "", REPORT(iterations), .log = 6},
	{"iterations_all", "iterations since the start", "", REPORT(iterations_all), .summary = 75, .key = "iterations",
	 .always = true},
	{"contact_updates", "visits of contacts since the start", "", REPORT(updates_all), .summary = 76, .always = true},
	{"residual", "residual of the last step: natural map of its contact problem, relative", "", REPORT(residual),
	 .log = 7, .summary = 77, .always = true},
	{"error_overlap",
	 "largest overlap that the last step adds, over the mean diameter, as the rule error judges it; 0 with another rule but forces",
	 "", REPORT(error_overlap), .log = 18, .summary = 78, .key = "error.overlap", .always = true},
	{"error_local", "what contacts would still change of their forces, as the rule error judges it; 0 with another one",
	 "", REPORT(error_local), .log = 19, .summary = 79, .key = "error.local", .always = true},
	{"error_global",
	 "force that is missing across a part of the system, over what it carries in 30 steps, as the rule error judges it; 0 with another one",
	 "", REPORT(error_global), .log = 20, .summary = 80, .key = "error.global", .always = true},
	{"error_forces", "error of the forces of the last step as the rule forces estimates it; 0 with another one", "", REPORT(error_forces), .log = 54,
	 .summary = 81, .key = "error.forces", .always = true},
	{"capped_steps", "steps since the start that ended at max_iterations before they met their rule", "", REPORT(capped_all), .summary = 82,
	 .always = true},
	{"floor_steps", "steps since the start that ended because more iterations did not help (stagnation)", "", REPORT(stagnated_steps), .summary = 83,
	 .always = true},
	{"unfinished_steps", "steps since the start in which new contacts kept coming up to the last round", "", REPORT(unfinished_all)},
	{"paradoxes", "contacts since the start without a consistent sliding (Painleve's paradox)", "", REPORT(paradox_all)},
	{"audits", "audits so far", "", AUDIT(found.count), .log = 55, .summary = 84, .key = "audit.count", .always = true},
	{"audits_unfinished", "audits that were given up: solving on took more than may be spent", "",
	 AUDIT(found.unfinished), .summary = 85, .key = "audit.unfinished", .always = true},
	{"audit_updates", "visits of contacts that audits have taken", "", AUDIT(found.updates), .summary = 86,
	 .key = "audit.contact_updates", .always = true},
	{"audit_time", "time of the step that the last audit looked at; 0 before the first one", "T", AUDIT(time),
	 .log = 56},
	AUDITED(OF_FORCES, "forces (root mean square)", TALUS_AUDITED_FORCES, 87),
	AUDITED(OF_LOADS, "loads in the mean over 30 steps", TALUS_AUDITED_LOADS, 90),
	AUDITED(OF_VELOCITIES, "velocities (root mean square)", TALUS_AUDITED_VELOCITIES, 93),
	{0},
};
