// SPDX-License-Identifier: MIT
// A world's def as a scene would say it: space, cell, domain, method, solver.
#include "api/check.h"

#include "api/say.h"
#include "base/error.h"
#include "world.h"

#include <stdlib.h>
#include <string.h>

// ---------------------------------------------------------------- the cell

static const struct {
	const char *name;
	int i, j;
} parts[] = {{"xx", 0, 0}, {"yy", 1, 1}, {"zz", 2, 2}, {"xy", 0, 1}, {"xz", 0, 2}, {"yz", 1, 2}};
enum { PARTS = sizeof parts/sizeof parts[0] };

static scene_node *say_drive(scene_tree *tree, const talus_cell_def *space)
{
	static const char *const kinds[] = {NULL, "rate", "stress"};
	scene_node *drive = say_map(tree);
	for (int k = 0; k < PARTS; k++) {
		talus_drive kind = space->drive[parts[k].i][parts[k].j];
		if (kind != TALUS_DRIVE_RATE && kind != TALUS_DRIVE_STRESS)
			continue;
		scene_node *of = say_map(tree);
		say_key(tree, of, kinds[kind], say_number(tree, space->wanted[parts[k].i][parts[k].j]));
		say_key(tree, drive, parts[k].name, of);
	}
	return drive;
}

static unsigned periodic_set(const talus_cell_def *space)
{
	return (space->periodic[0] ? 1u : 0) | (space->periodic[1] ? 2u : 0) | (space->periodic[2] ? 4u : 0);
}

// Edges of open directions do not matter.
static scene_node *say_size(scene_tree *tree, const talus_cell_def *space, int dimension)
{
	const double size[3] = {space->size.x, space->size.y, space->size.z};
	scene_node *list = say_list(tree);
	for (int k = 0; k < dimension; k++)
		say_item(tree, list, say_number(tree, space->periodic[k] ? size[k] : 1));
	return list;
}

// NULL: space is open, and nothing drives it.
static scene_node *say_cell(scene_tree *tree, const talus_cell_def *space, int dimension)
{
	scene_node *map = say_map(tree), *drive = say_drive(tree, space);
	if (!periodic_set(space) && !space->bath && !drive->count)
		return NULL;
	say_key(tree, map, "origin", say_place(tree, space->origin, dimension));
	say_key(tree, map, "size", say_size(tree, space, dimension));
	say_key(tree, map, "periodic", say_set(tree, periodic_set(space), (const char *const[]){"x", "y", "z", NULL}));
	if (space->bath) {
		scene_node *bath = say_map(tree);
		say_fields(tree, bath, check_field(scene_cell_fields, "bath")->table, space, dimension, NULL);
		say_key(tree, map, "bath", bath);
	}
	if (drive->count) {
		say_key(tree, map, "drive", drive);
		if (space->inertia != 0)
			say_key(tree, map, "inertia", say_number(tree, space->inertia));
	}
	return map;
}

static bool check_drives(const talus_cell_def *space, talus_error *error)
{
	for (int k = 0; k < 9; k++) {
		int kind = (int)space->drive[k/3][k%3];
		if (kind < TALUS_DRIVE_NONE || kind > TALUS_DRIVE_STRESS)
			return error_set(error, "`drive` of the cell is none of talus_drive: %d", kind);
	}
	return true;
}

// ---------------------------------------------------------------- the solver

// All that a def can hold is in the tables of plain sweeps; the others have a part of it.
static scene_node *say_solver(scene_tree *tree, const talus_solver_def *solver)
{
	static const char *const rules[] = {"iterations", "local", "global", "residual", "error", "forces"};
	bool fixed = solver->stop == TALUS_STOP_ITERATIONS;
	scene_node *map = say_map(tree), *nsgs = say_map(tree), *stop = say_map(tree);
	say_key(tree, stop, rules[solver->stop], say_number(tree, fixed ? solver->iterations : solver->tolerance));
	if (!fixed)
		say_key(tree, stop, "max_iterations", say_number(tree, solver->max_iterations));
	if (solver->stop == TALUS_STOP_LOCAL && !(solver->cutoff < 0))
		say_key(tree, stop, "cutoff", say_number(tree, solver->cutoff));
	say_key(tree, nsgs, "stop", stop);
	say_fields(tree, nsgs, check_field(scene_solver_fields, "nsgs")->table, solver, 3, NULL);
	say_key(tree, map, "nsgs", nsgs);
	return map;
}

static bool check_kinds(const talus_world_def *def, talus_error *error)
{
	const talus_solver_def *solver = &def->solver;
	if (!method_of(def->method))
		return error_set(error, "`method` is none of talus_method: %d", (int)def->method);
	int kind = (int)solver->kind, stop = (int)solver->stop;
	if (kind < TALUS_SOLVER_NSGS || kind > TALUS_SOLVER_AUTO)
		return error_set(error, "`kind` of the solver is none of talus_solver_kind: %d", kind);
	return (stop >= TALUS_STOP_ITERATIONS && stop <= TALUS_STOP_FORCES) ||
	       error_set(error, "`stop` of the solver is none of talus_stop: %d", stop);
}

// ---------------------------------------------------------------- all of it

static scene_node *say_world(scene_tree *tree, const talus_world_def *def)
{
	scene_node *map = say_map(tree), *how = say_map(tree), *of = say_map(tree);
	scene_node *space = say_cell(tree, &def->cell, check_dimension(def));
	say_key(tree, map, "dimension", say_number(tree, def->dimension));
	say_key(tree, map, "gravity", say_vector(tree, def->gravity, check_dimension(def)));
	if (space)
		say_key(tree, map, "cell", space);
	if (def->has_domain) {
		scene_node *domain = say_map(tree), *box = say_list(tree);
		say_item(tree, box, say_place(tree, def->domain.low, check_dimension(def)));
		say_item(tree, box, say_place(tree, def->domain.high, check_dimension(def)));
		say_key(tree, domain, "box", box);
		say_key(tree, map, "domain", domain);
	}
	say_key(tree, of, "step", say_number(tree, def->step));
	say_key(tree, how, method_of(def->method)->name, of);
	say_key(tree, map, "method", how);
	say_key(tree, map, "solver", say_solver(tree, &def->solver));
	return map;
}

bool talus_world_def_check(const talus_world_def *def, talus_error *error)
{
	if (!check_there(def, "a def of a world", error) || !check_drives(&def->cell, error) || !check_kinds(def, error))
		return false;
	static const char *const keys[] = {"dimension", "gravity", "cell", "domain", "method", "solver"};
	enum { KEYS = sizeof keys/sizeof keys[0] };
	talus_field table[KEYS + 1]; // of the whole scene, these
	for (int i = 0; i < KEYS; i++)
		table[i] = *check_field(scene_fields, keys[i]);
	table[KEYS] = (talus_field){.name = NULL};
	talus_world_def whole = *def;
	whole.solver = world_solver_completed(def->solver);
	check_room room;
	check_open(&room);
	return check_close(&room, check_table(table, say_world(&room.tree, &whole), error));
}
