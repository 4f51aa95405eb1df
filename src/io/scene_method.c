// SPDX-License-Identifier: MIT
// Scene keys: method, solver, run, output.
#include "io/scene_tables.h"

#include "method/method.h"
#include "state/cell_drive.h"

#include <string.h>

static SCENE_READER(read_auto);
static SCENE_READER(read_stop);
static SCENE_READER(read_auto_rule);
static SCENE_READER(read_cutoff);
static SCENE_READER(read_accelerated_stop);

// ---------------------------------------------------------------- method

static const talus_field spring_fields[] = {
	{.name = "stiffness", .meaning = "force over overlap (hertz: over its power 3/2)", .unit = "M/T^2",
		.type = TALUS_FIELD_REAL, .required = true, POSITIVE},
	{.name = "damping", .meaning = "force over speed; without it the restitution of the pair sets it",
		.unit = "M/T", .type = TALUS_FIELD_REAL, NOT_NEGATIVE},
	END,
};

static const talus_field normal_fields[] = {
	{.name = "linear", .meaning = "force grows like the overlap", .type = TALUS_FIELD_TABLE,
		.alternative = true, .table = spring_fields},
	{.name = "hertz", .meaning = "force grows like the power 3/2 of the overlap",
		.type = TALUS_FIELD_TABLE, .alternative = true, .table = spring_fields},
	END,
};

static const talus_field molecular_dynamics_fields[] = {
	{.name = "step", .meaning = "time step, or auto", .unit = "T", .type = TALUS_FIELD_CUSTOM,
		.form = "number or auto", .fallback = "auto", POSITIVE, .read = read_auto},
	{.name = "normal", .meaning = "repulsion", .type = TALUS_FIELD_TABLE, .required = true,
		.table = normal_fields},
	{.name = "tangential", .meaning = "spring that holds until friction gives way",
		.type = TALUS_FIELD_TABLE, .required = true, .table = spring_fields},
	END,
};

const talus_field scene_method_fields[] = {
	{.name = "contact_dynamics", .meaning = "rigid grains, implicit steps", .type = TALUS_FIELD_TABLE,
		.alternative = true, .table = contact_dynamics_fields},
	{.name = "molecular_dynamics", .meaning = "soft grains, explicit steps; not in this version",
		.type = TALUS_FIELD_CUSTOM, .form = "mapping", .alternative = true,
		.table = molecular_dynamics_fields, .read = scene_read_later},
	END,
};

static SCENE_READER(read_auto)
{
	(void)target;
	double step;
	return !node || (node->kind == SCENE_SCALAR && !strcmp(node->text, "auto")) ||
		scene_read_real(reader, node, field->name, field, &step);
}

// ---------------------------------------------------------------- solver

#define AFTER_ITERATIONS \
	{.name = "iterations", .meaning = "after this number of iterations", .unit = "", .type = TALUS_FIELD_INTEGER, \
		AT(talus_solver_def, iterations), .alternative = true, .least = 1, .most = INFINITY}
#define BELOW_AT_MOST(key, words, limit) \
	{.name = key, .meaning = words, .unit = "", .type = TALUS_FIELD_REAL, AT(talus_solver_def, tolerance), \
		.alternative = true, .least = 0, .most = limit, .above = true}
#define BELOW(key, words) BELOW_AT_MOST(key, words, INFINITY)
#define BELOW_RESIDUAL BELOW("residual", "when the residual of the contact problem (natural map, relative) is below this")
#define BELOW_ERROR \
	BELOW_AT_MOST("error", "when what any part of the system carries, large or small, is right to this relative error on average over 30 steps (fewer near rest), " \
		"one more iteration would change forces by no more than this fraction, and the step adds overlaps below a tenth of this fraction of a diameter", 1)
#define BELOW_FORCES \
	BELOW_AT_MOST("forces", "when the contact forces themselves have at most this relative error (root mean square), estimated from the residual and from how soft " \
		"the packing is", 1)
#define MOST_ITERATIONS \
	{.name = "max_iterations", .meaning = "with a tolerance: largest number of iterations in a step", .unit = "", \
		.type = TALUS_FIELD_INTEGER, AT(talus_solver_def, max_iterations), .fallback = "10000", .least = 1, .most = INFINITY}

static const talus_field stop_fields[] = {
	AFTER_ITERATIONS,
	BELOW("local", "when no force changes by more than this fraction of it, plus `cutoff`"),
	BELOW("global", "when the mean force changes by less than this fraction of it, several iterations in a row"),
	BELOW_RESIDUAL, BELOW_ERROR, BELOW_FORCES,
	{.name = "cutoff", .meaning = "with `local`: changes of a force that do not matter",
		.unit = "M L/T^2", .type = TALUS_FIELD_CUSTOM, AT(talus_solver_def, cutoff), .form = "number",
		.fallback = "1e-9 of the mean force", NOT_NEGATIVE, .read = read_cutoff},
	MOST_ITERATIONS, END,
};

#define STOP \
	{.name = "stop", .meaning = "when the iterations of a step end (stopping criterion)", .type = TALUS_FIELD_CUSTOM, \
		.form = "mapping", .fallback = "{iterations: 100}", .table = stop_fields, .read = read_stop}
#define GAP \
	{.name = "gap", .meaning = "positive: overlaps are not corrected; signed (for study): they are pushed out within a step", \
		.type = TALUS_FIELD_CHOICE, AT(talus_solver_def, gap), .fallback = "positive", \
		.names = (const char *const[]){"positive", "signed", NULL}}

#define AUDIT \
	{.name = "audit", .meaning = "cost of all audits together, as a fraction of all contact updates; an audit continues the solution of a step on a copy until it has converged, to measure its error, more often where that is cheap. The trajectory does not depend on it; 0 switches audits off", \
		.unit = "", .type = TALUS_FIELD_REAL, AT(talus_solver_def, audit), .fallback = "0.03", .least = 0, .most = 1e6}

static const talus_field nsgs_fields[] = {
	{.name = "order",
		.meaning = "order in which contacts are visited: a random one kept for many iterations, a fresh one every iteration, always the same, "
			"all at once (Jacobi), independent draws",
		.type = TALUS_FIELD_CHOICE, AT(talus_solver_def, order), .fallback = "shuffled",
		.names = (const char *const[]){"shuffled", "random", "sequential", "parallel", "random_sequential", NULL}},
	STOP, GAP,
	{.name = "relaxation", .meaning = "parallel order: fraction of an update that is applied", .unit = "",
		.type = TALUS_FIELD_REAL, AT(talus_solver_def, relaxation), .fallback = "1", .least = 0,
		.most = 1, .above = true},
	AUDIT, END,
};

static const talus_field accelerated_stop_fields[] = {
	AFTER_ITERATIONS, BELOW_RESIDUAL, BELOW_ERROR, BELOW_FORCES, MOST_ITERATIONS, END,
};

static const talus_field accelerated_fields[] = {
	{.name = "stop", .meaning = "when the iterations of a step end (stopping criterion)", .type = TALUS_FIELD_CUSTOM,
		.form = "mapping", .fallback = "{error: 0.01, max_iterations: 1000}", .table = accelerated_stop_fields,
		.read = read_accelerated_stop},
	GAP, AUDIT, END,
};

static const talus_field auto_fields[] = {
	{.name = "error", .meaning = "as `error` of `accelerated.stop`", .unit = "", .type = TALUS_FIELD_REAL,
		AT(talus_solver_def, tolerance), .fallback = "0.01", .least = 0, .most = 1, .above = true},
	{.name = "forces", .meaning = "instead of `error`: as `forces` of `accelerated.stop`, at most 10000 iterations", .unit = "",
		.type = TALUS_FIELD_REAL, AT(talus_solver_def, tolerance), .least = 0, .most = 1, .above = true},
	AUDIT, END,
};

const talus_field scene_solver_fields[] = {
	{.name = "nsgs", .meaning = "nonlinear block Gauss-Seidel: one contact after the other, again and again", .type = TALUS_FIELD_TABLE, .alternative = true,
		.table = nsgs_fields},
	{.name = "accelerated", .meaning = "the same with Nesterov momentum: forces reach farther per iteration", .type = TALUS_FIELD_TABLE,
		.alternative = true, .table = accelerated_fields},
	{.name = "auto", .meaning = "the solver that suits the scene, until loads have a given accuracy; `talus check` says which",
		.type = TALUS_FIELD_CUSTOM, .form = "mapping", .alternative = true, .table = auto_fields, .read = read_auto_rule},
	END,
};

static const int most_auto_sweeps = 1000;

SCENE_READER(scene_read_solver)
{
	talus_solver_def *solver = target;
	bool word = node && node->kind == SCENE_SCALAR && !strcmp(node->text, "auto");
	*solver = talus_world_def_default().solver;
	if (!node || word)
		return scene_read_defaults(reader, auto_fields, solver);
	if (node->kind == SCENE_SCALAR)
		return scene_fail_type(reader, node, field->name, "`auto`, or a mapping as in {accelerated: {}}");
	if (!scene_read_table(reader, node, field->name, field->table, solver))
		return false;
	if (scene_node_find(node, "auto"))
		return true;
	solver->kind = scene_node_find(node, "accelerated") ? TALUS_SOLVER_ACCELERATED : TALUS_SOLVER_NSGS;
	return true;
}

static const int most_auto_forces = 10000;

static SCENE_READER(read_auto_rule)
{
	talus_solver_def *solver = target;
	if (!node)
		return true;
	if (!scene_read_table(reader, node, field->name, field->table, solver))
		return false;
	const scene_entry *forces = scene_entry_find(node, "forces");
	if (forces && scene_entry_find(node, "error"))
		return scene_fail(reader, forces->key, "`auto` has one rule: `error` or `forces`, not both");
	if (forces) {
		solver->stop = TALUS_STOP_FORCES;
		solver->max_iterations = most_auto_forces;
	}
	return true;
}

static SCENE_READER(read_cutoff)
{
	double *cutoff = target;
	*cutoff = -1; // of the mean force, whatever the units are
	return !node || scene_read_real(reader, node, field->name, field, cutoff);
}

static SCENE_READER(read_stop)
{
	static const char *const rules[] = {"iterations", "local", "global", "residual",
		"error", "forces"}; // in the order of talus_stop
	talus_solver_def *solver = target;
	solver->stop = TALUS_STOP_ITERATIONS;
	solver->iterations = 100;
	if (!node)
		return scene_read_defaults(reader, field->table, solver);
	if (!scene_read_table(reader, node, field->name, field->table, solver))
		return false;
	for (size_t i = 0; i < sizeof rules/sizeof rules[0]; i++) {
		if (scene_node_find(node, rules[i]))
			solver->stop = (talus_stop)i;
	}
	const scene_entry *cutoff = scene_entry_find(node, "cutoff");
	if (cutoff && solver->stop != TALUS_STOP_LOCAL)
		return scene_fail(reader, cutoff->key, "`cutoff` goes with `local`, not with `%s`",
			rules[solver->stop]);
	const scene_entry *cap = scene_entry_find(node, "max_iterations");
	if (cap && solver->stop == TALUS_STOP_ITERATIONS)
		return scene_fail(reader, cap->key, "`max_iterations` goes with a tolerance, not with `iterations`");
	return true;
}

static SCENE_READER(read_accelerated_stop)
{
	talus_solver_def *solver = target;
	if (node)
		return read_stop(reader, node, target, field);
	solver->stop = TALUS_STOP_ERROR;
	solver->tolerance = 0.01;
	solver->max_iterations = most_auto_sweeps;
	return true;
}

// ---------------------------------------------------------------- run and output

const talus_field scene_until_fields[] = {
	{.name = "time", .meaning = "simulated time, to the nearest whole step", .unit = "T", .type = TALUS_FIELD_REAL,
		AT(scene, end_time), POSITIVE},
	{.name = "rest",
		.meaning = "mean speed and mean acceleration of the grains in the force network below it, nothing falling",
		.unit = "L/T and L/T^2", .type = TALUS_FIELD_REAL, AT(scene, rest), POSITIVE},
	END,
};

static const talus_field frames_fields[] = {
	{.name = "every", .meaning = "time between two; 0: only the first and the last", .unit = "T",
		.type = TALUS_FIELD_REAL, AT(scene_output, frames), .fallback = "0", NOT_NEGATIVE},
	{.name = "contacts", .meaning = "contacts too; without them frames are smaller, and have no forces to show",
		.type = TALUS_FIELD_BOOL, AT(scene_output, contacts), .fallback = "true"},
	{.name = "compress", .meaning = "smaller files that take longer to write; every reader of HDF5 reads them",
		.type = TALUS_FIELD_BOOL, AT(scene_output, compress), .fallback = "false"},
	END,
};

static const talus_field log_fields[] = {
	{.name = "every", .meaning = "time between two rows; 0: only the first and the last", .unit = "T", .type = TALUS_FIELD_CUSTOM,
		AT(scene_output, log), .form = "number",
		.fallback = "10 steps", NOT_NEGATIVE,
		.read = scene_read_log},
	END,
};

static const talus_field checkpoint_fields[] = {
	{.name = "every", .meaning = "time between two; 0: only at the end", .unit = "T",
		.type = TALUS_FIELD_REAL, AT(scene_output, checkpoint), .fallback = "0", NOT_NEGATIVE},
	END,
};

static const talus_field problems_fields[] = {
	{.name = "every", .meaning = "time between two; 0: none", .unit = "T", .type = TALUS_FIELD_REAL,
		AT(scene_output, problems), .fallback = "0", NOT_NEGATIVE},
	END,
};

const talus_field scene_output_fields[] = {
	{.name = "frames", .meaning = "grains, and contacts with their forces, in run.h5",
		.type = TALUS_FIELD_TABLE, .table = frames_fields},
	{.name = "log", .meaning = "rows of log.csv", .type = TALUS_FIELD_TABLE, .table = log_fields},
	{.name = "checkpoint", .meaning = "the exact state, in checkpoint.h5", .type = TALUS_FIELD_TABLE,
		.table = checkpoint_fields},
	{.name = "problems",
		.meaning = "the contact problem of a step with its solution, for `talus solve` and others that read FCLIB's files, in "
			"problems/step-NNNNNNN.hdf5",
		.type = TALUS_FIELD_TABLE, .table = problems_fields},
	END,
};

SCENE_READER(scene_read_until)
{
	scene *s = target;
	if (!scene_read_table(reader, node, field->name, field->table, s))
		return false;
	s->until_time = scene_node_find(node, "time");
	s->until_rest = scene_node_find(node, "rest");
	if (!s->until_time && cell_drive_never_rests(&s->world.cell))
		return scene_fail(reader, node, "`%s` needs a `time`: a cell that a `rate` drives never comes to rest", field->name);
	return s->until_time || s->until_rest ? true : scene_fail(reader, node, "`%s` needs `time` or `rest`",
		field->name);
}

SCENE_READER(scene_read_log)
{
	double *every = target;
	const scene *s = reader->scene;
	*every = 10*s->world.step; // not of run.until: a run may be made longer
	return !node || scene_read_real(reader, node, field->name, field, every);
}
