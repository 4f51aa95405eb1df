// SPDX-License-Identifier: MIT
// checkpoint.h5: everything the next step depends on, bit for bit. What can be made from the scene (materials, laws, the
// walls' definitions) is not in it; the pair list is made again from the positions it was made from. A seal over all of it
// tells a damaged one (seal.h), and what it says is judged before it is used.
#include "io/files.h"

#include "base/error.h"
#include "state/cell.h"
#include "collide/collide.h"
#include "io/checkpoint_judge.h"
#include "io/checkpoint_sections.h"
#include "io/checkpoint_set.h"
#include "io/checkpoint_tables.h"
#include "io/seal.h"
#include "observe/observe.h"
#include "world.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const char format[] = "talus checkpoint 3";

// ---------------------------------------------------------------- single numbers

#define SCALAR(name, member, type, count) SCALAR_OF(talus_world, name, member, type, count)
#define LATER(name, member, type) SCALAR_LATER(talus_world, name, member, type, 1)
static const scalar scalars[] = {
	SCALAR("step", state.step, SCALAR_U64, 1),
	SCALAR("time", state.time, SCALAR_REAL, 1),
	SCALAR("removed", removed, SCALAR_U64, 1),
	SCALAR("next_id", state.bodies.next_id, SCALAR_U32, 1),
	SCALAR("list_skin", list.skin, SCALAR_REAL, 1),
	SCALAR("list_stale", list.stale, SCALAR_BOOL, 1),
	SCALAR("list_builds", list.builds, SCALAR_U64, 1),
	LATER("list_made_at", list.made_at, SCALAR_U64),
	SCALAR("sorted_at", list.sorted_at, SCALAR_U64, 1),
	SCALAR("mean_acceleration", mean_acceleration, SCALAR_REAL, 1),
	SCALAR("wall_work", energy.wall_work, SCALAR_REAL, 1),
	SCALAR("driven_work", energy.driven_work, SCALAR_REAL, 1),
	SCALAR("cell_work", energy.cell_work, SCALAR_REAL, 1),
	SCALAR("added_energy", energy.added, SCALAR_REAL, 1),
	SCALAR("dissipated_normal", energy.normal, SCALAR_REAL, 1),
	SCALAR("dissipated_friction", energy.friction, SCALAR_REAL, 1),
	SCALAR("dissipated_rolling", energy.rolling, SCALAR_REAL, 1),
	SCALAR("dissipated_torsion", energy.torsion, SCALAR_REAL, 1),
	SCALAR("dissipated_bonds", energy.bonds, SCALAR_REAL, 1),
	SCALAR("dissipated_numerical", energy.numerical, SCALAR_REAL, 1),
	SCALAR("cell_h", state.cell.h, SCALAR_REAL, 9),
	SCALAR("cell_rate", state.cell.rate, SCALAR_REAL, 9),
	SCALAR("cell_listed", state.cell.listed, SCALAR_REAL, 9),
	SCALAR("cell_origin", state.cell.origin, SCALAR_REAL, 3),
	SCALAR("contacts_plain", contacts.class_end[TALUS_COULOMB], SCALAR_U64, 1),
	SCALAR("contacts_round", contacts.class_end[TALUS_EXTENDED], SCALAR_U64, 1),
	SCALAR("contacts_ghosts", contacts.wall_lines, SCALAR_U64, 1),
	SCALAR("report_step", report.step, SCALAR_U64, 1),
	SCALAR("report_time", report.time, SCALAR_REAL, 1),
	SCALAR("report_grains", report.grains, SCALAR_U64, 1),
	SCALAR("report_removed", report.removed, SCALAR_U64, 1),
	SCALAR("report_contacts", report.contacts, SCALAR_U64, 1),
	SCALAR("report_iterations", report.iterations, SCALAR_INT, 1),
	SCALAR("report_residual", report.residual, SCALAR_REAL, 1),
	SCALAR("report_mean_overlap", report.mean_overlap, SCALAR_REAL, 1),
	SCALAR("report_max_overlap", report.max_overlap, SCALAR_REAL, 1),
	SCALAR("report_late", report.missed_contacts, SCALAR_U64, 1),
	SCALAR("report_capped_all", report.capped_all, SCALAR_U64, 1),
	SCALAR("report_unfinished_all", report.unfinished_all, SCALAR_U64, 1),
	SCALAR("report_paradox_all", report.paradox_all, SCALAR_U64, 1),
	SCALAR("report_worst_overlap", report.worst_overlap, SCALAR_REAL, 1),
	SCALAR("report_bonds", report.bonds, SCALAR_U64, 1),
	SCALAR("report_bonds_formed_all", report.bonds_formed_all, SCALAR_U64, 1),
	SCALAR("report_softened_all", report.bounces_reduced, SCALAR_U64, 1),
	SCALAR("report_seconds_solver", report.seconds_solver, SCALAR_REAL, 1),
	SCALAR("report_iterations_all", report.iterations_all, SCALAR_U64, 1),
	SCALAR("report_updates_all", report.updates_all, SCALAR_U64, 1),
	LATER("report_floor_all", report.stagnated_steps, SCALAR_U64),
	LATER("report_capped_worst", report.capped_worst, SCALAR_REAL),
	LATER("report_floor_worst", report.stagnated_worst, SCALAR_REAL),
	LATER("report_capped_step", report.capped_step, SCALAR_U64),
	LATER("report_floor_step", report.stagnated_step, SCALAR_U64),
	LATER("report_error_forces", report.error_forces, SCALAR_REAL),
	LATER("report_error_overlap", report.error_overlap, SCALAR_REAL),
	LATER("report_error_local", report.error_local, SCALAR_REAL),
	LATER("report_error_global", report.error_global, SCALAR_REAL),
	LATER("report_waiting_most", report.waiting_most, SCALAR_REAL),
	LATER("mean_radius", state.mean_radius, SCALAR_REAL),
	LATER("start_overlap", start_overlap, SCALAR_REAL),
};
enum { SCALARS = sizeof scalars/sizeof scalars[0] };
_Static_assert(sizeof(size_t) == sizeof(uint64_t), "counts are stored as 64 bit numbers");
_Static_assert(sizeof(energy_account) == 10*sizeof(double), "an entry is missing above");
_Static_assert(sizeof(talus_step_report) == 30*8, "a number of the report is missing above");

static hid_t scalar_type(const scalar *s)
{
	switch (s->type) {
	case SCALAR_REAL: return H5T_NATIVE_DOUBLE;
	case SCALAR_U64: return H5T_NATIVE_UINT64;
	case SCALAR_U32: return H5T_NATIVE_UINT32;
	case SCALAR_INT: return H5T_NATIVE_INT;
	default: return H5T_NATIVE_UINT8;
	}
}

static bool table_write(hid_t file, const scalar *table, int count, const void *from)
{
	for (const scalar *s = table; s < table + count; s++)
		if (!hdf_note_write(file, s->name, scalar_type(s), (hsize_t)s->count, (const char *)from + s->offset))
			return false;
	return true;
}

static bool table_read(hid_t file, const scalar *table, int count, void *to)
{
	for (const scalar *s = table; s < table + count; s++) {
		if (s->later && H5Aexists(file, s->name) == 0)
			continue;
		if (!hdf_note_read(file, s->name, scalar_type(s), (hsize_t)s->count, (char *)to + s->offset))
			return false;
	}
	return true;
}

static bool scalars_write(hid_t file, const talus_world *world)
{
	return table_write(file, scalars, SCALARS, world) && table_write(file, world->method->numbers, world->method->number_count, world->own);
}

static bool scalars_read(hid_t file, talus_world *world)
{
	world->start_overlap = -1;
	if (!table_read(file, scalars, SCALARS, world) || !table_read(file, world->method->numbers, world->method->number_count, world->own))
		return false;
	if (world->start_overlap == -1) // older files do not tell: it may have been as large as it is
		world->start_overlap = fmax(0, world->report.max_overlap)*2*world->state.mean_radius;
	return true;
}

// ---------------------------------------------------------------- what the run knows

typedef struct soft_number {
	const char *name;
	size_t offset;
	bool real;
} soft_number;

// By names of a time when they were part of the report.
#define SOFT(name, member, real) {"report_soft_" name, offsetof(soft_watch, member), real}
static const soft_number soft_numbers[] = {
	SOFT("rows", looks, false), SOFT("step", step, false), SOFT("grains", grains, false), SOFT("sweeps", sweeps, false),
	SOFT("size", size, true), SOFT("reach", reach, true), SOFT("overlap", overlap, true),
};
enum { SOFT_NUMBERS = sizeof soft_numbers/sizeof *soft_numbers };

static bool soft_write(hid_t file, const soft_watch *soft)
{
	bool ok = true;
	for (int i = 0; ok && i < SOFT_NUMBERS; i++)
		ok = hdf_note_write(file, soft_numbers[i].name, soft_numbers[i].real ? H5T_NATIVE_DOUBLE : H5T_NATIVE_UINT64, 1,
		                    (const char *)soft + soft_numbers[i].offset);
	return ok;
}

// Files that do not have them are older.
static bool soft_read(hid_t file, soft_watch *soft)
{
	bool ok = true;
	for (int i = 0; ok && i < SOFT_NUMBERS; i++)
		ok = H5Aexists(file, soft_numbers[i].name) == 0 ||
		     hdf_note_read(file, soft_numbers[i].name, soft_numbers[i].real ? H5T_NATIVE_DOUBLE : H5T_NATIVE_UINT64, 1,
		                   (char *)soft + soft_numbers[i].offset);
	return ok;
}

// ---------------------------------------------------------------- does it belong to this scene?

typedef struct identity {
	double step;
	uint64_t seed;
	int dimension, walls, materials, pours;
	int periodic[3];
	uint64_t section[SECTIONS];
} identity;

static identity identity_of(const talus_world *world)
{
	identity i = {.step = world->state.def.step,
	              .seed = world->state.def.seed,
	              .dimension = world->state.def.dimension,
	              .walls = world->state.walls.count,
	              .materials = world->state.materials,
	              .pours = world->pours.count,
	              .periodic = {world->state.cell.periodic[0], world->state.cell.periodic[1], world->state.cell.periodic[2]}};
	checkpoint_sections(world, i.section);
	return i;
}

static bool identity_write(hid_t file, const identity *i)
{
	return hdf_text_write(file, "format", format) && hdf_note_write(file, "dt", H5T_NATIVE_DOUBLE, 1, &i->step) &&
	       hdf_note_write(file, "seed", H5T_NATIVE_UINT64, 1, &i->seed) &&
	       hdf_note_write(file, "dimension", H5T_NATIVE_INT, 1, &i->dimension) &&
	       hdf_note_write(file, "walls_count", H5T_NATIVE_INT, 1, &i->walls) &&
	       hdf_note_write(file, "materials_count", H5T_NATIVE_INT, 1, &i->materials) &&
	       hdf_note_write(file, "pours_count", H5T_NATIVE_INT, 1, &i->pours) &&
	       hdf_note_write(file, "periodic", H5T_NATIVE_INT, 3, i->periodic) &&
	       hdf_note_write(file, "scene", H5T_NATIVE_UINT64, SECTIONS, i->section);
}

static bool identity_read(hid_t file, identity *i)
{
	return hdf_note_read(file, "dt", H5T_NATIVE_DOUBLE, 1, &i->step) &&
	       hdf_note_read(file, "seed", H5T_NATIVE_UINT64, 1, &i->seed) &&
	       hdf_note_read(file, "dimension", H5T_NATIVE_INT, 1, &i->dimension) &&
	       hdf_note_read(file, "walls_count", H5T_NATIVE_INT, 1, &i->walls) &&
	       hdf_note_read(file, "materials_count", H5T_NATIVE_INT, 1, &i->materials) &&
	       hdf_note_read(file, "pours_count", H5T_NATIVE_INT, 1, &i->pours) &&
	       hdf_note_read(file, "periodic", H5T_NATIVE_INT, 3, i->periodic) &&
	       hdf_note_read(file, "scene", H5T_NATIVE_UINT64, SECTIONS, i->section);
}

static const char *identity_difference(const identity *a, const identity *b)
{
	return a->dimension != b->dimension                         ? "dimension"
	       : a->step != b->step                                 ? "time step"
	       : a->seed != b->seed                                 ? "seed"
	       : a->walls != b->walls                               ? "number of walls"
	       : a->materials != b->materials                       ? "number of materials"
	       : a->pours != b->pours                               ? "number of pours"
	       : memcmp(a->periodic, b->periodic, sizeof a->periodic) ? "periodic directions"
	                                                            : NULL;
}

static const char *section_difference(const identity *a, const identity *b)
{
	for (int k = 0; k < SECTIONS; k++)
		if (a->section[k] != b->section[k])
			return checkpoint_section_names[k];
	return NULL;
}

// ---------------------------------------------------------------- writing

static bool state_write(hid_t file, const talus_world *world, double seconds, const run_origin *origin, const soft_watch *soft)
{
	identity self = identity_of(world);
	return identity_write(file, &self) && hdf_text_write(file, "started", origin->started) &&
	       hdf_text_write(file, "command", origin->command) && hdf_note_write(file, "seconds", H5T_NATIVE_DOUBLE, 1, &seconds) &&
	       scalars_write(file, world) && soft_write(file, soft) && checkpoint_tables_write(file, world) &&
	       checkpoint_set_write(file, world);
}

static bool write_file(const char *path, const char *temporary, const talus_world *world, double seconds, const run_origin *origin,
                       const soft_watch *soft, talus_error *error)
{
	hdf_quiet quiet;
	hdf_quiet_begin(&quiet);
	hid_t file = hdf_file_create(temporary);
	bool ok = file >= 0 && state_write(file, world, seconds, origin, soft);
	ok = file >= 0 && hdf_file_close_written(file, ok);
	if (!ok) {
		hdf_error(error, path, "write");
		unlink(temporary);
	}
	hdf_quiet_end(&quiet);
	if (ok && !seal_write(temporary)) {
		ok = error_at(error, path, 0, 0, "cannot write: %s", strerror(errno));
		unlink(temporary);
	}
	return ok && file_commit(temporary, path, error);
}

bool checkpoint_write(const char *folder, const talus_world *world, double seconds, talus_error *error)
{
	return checkpoint_write_with(folder, world, seconds, &(run_origin){.started = ""}, &(soft_watch){0}, error);
}

bool checkpoint_write_with(const char *folder, const talus_world *world, double seconds, const run_origin *origin, const soft_watch *soft,
                           talus_error *error)
{
	char path[TALUS_PATH_MAX], temporary[TALUS_PATH_MAX];
	return folder_path(path, folder, "checkpoint.h5", error) && folder_path(temporary, folder, "checkpoint.h5.tmp", error) &&
	       write_file(path, temporary, world, seconds, origin, soft, error);
}

bool checkpoint_save(const char *path, const talus_world *world, talus_error *error)
{
	char temporary[TALUS_PATH_MAX];
	if ((size_t)snprintf(temporary, sizeof temporary, "%s.tmp", path) >= sizeof temporary)
		return error_set(error, "the path of the file is longer than %d bytes", TALUS_PATH_MAX - 1);
	return write_file(path, temporary, world, 0, &(run_origin){.started = ""}, &(soft_watch){0}, error);
}

// ---------------------------------------------------------------- reading

static bool format_fits(hid_t file, const char *path, talus_error *error)
{
	char text[64] = "";
	bool found = hdf_text_read(file, "format", text, sizeof text);
	if (found && strcmp(text, format) == 0)
		return true;
	if (!found || strncmp(text, format, sizeof format - 2) != 0) // all but the number of the version
		return hdf_error(error, path, "read the checkpoint");
	return error_at(error, path, 0, 0, "another version of Talus wrote it (\"%s\", and this one reads \"%s\"); only "
	                "that version can resume the run", text, format);
}

// Only what is whole is given to HDF5; but for a file without a seal, which may be one of another version.
static hid_t open_sealed(const char *path, talus_error *error)
{
	seal_state seal = access(path, R_OK) == 0 ? seal_look(path) : SEAL_HOLDS;
	if (seal == SEAL_BROKEN) {
		error_at(error, path, 0, 0, "cannot read the checkpoint: it is damaged, its bytes are not those that were written");
		return -1;
	}
	hid_t file = hdf_file_open_read(path, error);
	if (file < 0 || seal == SEAL_HOLDS)
		return file;
	if (format_fits(file, path, error))
		error_at(error, path, 0, 0, "cannot read the checkpoint: it is damaged, or was changed: its last bytes are missing");
	H5Fclose(file);
	return -1;
}

static bool state_read(hid_t file, talus_world *world, double *seconds)
{
	return hdf_note_read(file, "seconds", H5T_NATIVE_DOUBLE, 1, seconds) && isfinite(*seconds) && scalars_read(file, world) &&
	       checkpoint_tables_read(file, world) && checkpoint_set_read(file, world);
}

// Of a scene, by the name of its file, or of a world that somebody made.
static bool belongs(const char *path, const char *owner, const identity *self, const identity *other, talus_error *error)
{
	const char *what = identity_difference(self, other);
	if (what)
		return error_at(error, path, 0, 0, "it does not belong to this %s: the %s is another one", owner ? owner : "world", what);
	what = section_difference(self, other);
	if (!what)
		return true;
	if (!owner)
		return error_at(error, path, 0, 0, "it does not belong to this world: `%s` is made otherwise", what);
	return error_at(error, path, 0, 0, "it does not belong to this %s, in which `%s` was changed; take "
	                "that back to continue, or start a new run with it (only `title`, `run`, `output` and the solver's `audit` may "
	                "change)", owner, what);
}

static bool read_checked(hid_t file, const char *path, const char *owner, talus_world *world, double *seconds, talus_error *error)
{
	identity self = identity_of(world), other;
	if (!format_fits(file, path, error))
		return false;
	if (!identity_read(file, &other))
		return hdf_error(error, path, "read the checkpoint");
	if (!belongs(path, owner, &self, &other, error))
		return false;
	if (!state_read(file, world, seconds))
		return hdf_error(error, path, "read the checkpoint");
	talus_error why;
	return checkpoint_judge(world, &why) || error_at(error, path, 0, 0, "it is damaged: %s", why.text);
}

static void make_the_rest(talus_world *world)
{
	cell_update(&world->state.cell);
	if (!world->list.stale)
		grid_restore(&world->state, &world->approach, &world->list);
	bearing_count(&world->bearing, &world->state, &world->contacts);
}

static bool read_file(const char *path, const char *owner, talus_world *world, double *seconds, talus_error *error)
{
	hdf_quiet quiet;
	hdf_quiet_begin(&quiet);
	hid_t file = open_sealed(path, error);
	bool ok = file >= 0 && read_checked(file, path, owner, world, seconds, error);
	if (file >= 0)
		H5Fclose(file);
	hdf_quiet_end(&quiet);
	if (ok)
		make_the_rest(world);
	return ok;
}

bool checkpoint_read(const char *folder, talus_world *world, double *seconds, talus_error *error)
{
	char path[TALUS_PATH_MAX];
	return folder_path(path, folder, "checkpoint.h5", error) && read_file(path, "scene.yaml", world, seconds, error);
}

bool checkpoint_restore(const char *path, talus_world *world, talus_error *error)
{
	double seconds;
	return read_file(path, NULL, world, &seconds, error);
}

static bool head_read(hid_t file, checkpoint_head *head, hsize_t *rows)
{
	run_origin *origin = &head->origin;
	return hdf_text_read(file, "started", origin->started, sizeof origin->started) &&
	       hdf_text_read(file, "command", origin->command, sizeof origin->command) &&
	       hdf_note_read(file, "step", H5T_NATIVE_UINT64, 1, &head->step) &&
	       hdf_note_read(file, "time", H5T_NATIVE_DOUBLE, 1, &head->time) &&
	       hdf_note_read(file, "seconds", H5T_NATIVE_DOUBLE, 1, &head->seconds) && soft_read(file, &head->soft) &&
	       checkpoint_grain_count(file, rows);
}

bool checkpoint_look(const char *folder, checkpoint_head *head, talus_error *error)
{
	char path[TALUS_PATH_MAX];
	memset(head, 0, sizeof *head);
	if (!folder_path(path, folder, "checkpoint.h5", error))
		return false;
	hdf_quiet quiet;
	hdf_quiet_begin(&quiet);
	hid_t file = open_sealed(path, error);
	hsize_t rows = 0;
	bool ok = file >= 0 && format_fits(file, path, error);
	ok = ok && (head_read(file, head, &rows) || hdf_error(error, path, "read the checkpoint"));
	head->grains = (size_t)rows;
	if (file >= 0)
		H5Fclose(file);
	hdf_quiet_end(&quiet);
	return ok;
}
