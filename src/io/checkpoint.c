// SPDX-License-Identifier: MIT
// checkpoint.h5: everything the next step depends on, bit for bit. What can be made from the scene (materials, laws, the
// walls' definitions) is not in it; the pair list is made again from the positions it was made from.
#include "io/files.h"

#include "base/error.h"
#include "cell.h"
#include "collide/collide.h"
#include "io/checkpoint_tables.h"
#include "observe/observe.h"
#include "world.h"

#include <string.h>
#include <unistd.h>

static const char format[] = "talus checkpoint 2";

// ---------------------------------------------------------------- single numbers

typedef struct scalar {
	const char *name;
	size_t offset;
	enum { SCALAR_REAL, SCALAR_U64, SCALAR_U32, SCALAR_INT, SCALAR_BOOL } type;
	int count;
} scalar;

#define SCALAR(name, member, type, count) {name, offsetof(talus_world, member), type, count}
static const scalar scalars[] = {
	SCALAR("step", step, SCALAR_U64, 1),
	SCALAR("time", time, SCALAR_REAL, 1),
	SCALAR("removed", removed, SCALAR_U64, 1),
	SCALAR("next_id", bodies.next_id, SCALAR_U32, 1),
	SCALAR("list_skin", list.skin, SCALAR_REAL, 1),
	SCALAR("list_stale", list.stale, SCALAR_BOOL, 1),
	SCALAR("list_builds", list.builds, SCALAR_U64, 1),
	SCALAR("sorted_at", sorted_at, SCALAR_U64, 1),
	SCALAR("mean_acceleration", mean_acceleration, SCALAR_REAL, 1),
	SCALAR("wall_work", books.wall_work, SCALAR_REAL, 1),
	SCALAR("driven_work", books.driven_work, SCALAR_REAL, 1),
	SCALAR("cell_work", books.cell_work, SCALAR_REAL, 1),
	SCALAR("added_energy", books.added, SCALAR_REAL, 1),
	SCALAR("dissipated_normal", books.normal, SCALAR_REAL, 1),
	SCALAR("dissipated_friction", books.friction, SCALAR_REAL, 1),
	SCALAR("dissipated_rolling", books.rolling, SCALAR_REAL, 1),
	SCALAR("dissipated_torsion", books.torsion, SCALAR_REAL, 1),
	SCALAR("dissipated_bonds", books.bonds, SCALAR_REAL, 1),
	SCALAR("dissipated_numerical", books.numerical, SCALAR_REAL, 1),
	SCALAR("cell_h", cell.h, SCALAR_REAL, 9),
	SCALAR("cell_rate", cell.rate, SCALAR_REAL, 9),
	SCALAR("cell_listed", cell.listed, SCALAR_REAL, 9),
	SCALAR("cell_origin", cell.origin, SCALAR_REAL, 3),
	SCALAR("contacts_plain", contacts.plain, SCALAR_U64, 1),
	SCALAR("contacts_round", contacts.round, SCALAR_U64, 1),
	SCALAR("contacts_ghosts", contacts.ghosts, SCALAR_U64, 1),
	SCALAR("report_step", report.step, SCALAR_U64, 1),
	SCALAR("report_time", report.time, SCALAR_REAL, 1),
	SCALAR("report_grains", report.grains, SCALAR_U64, 1),
	SCALAR("report_removed", report.removed, SCALAR_U64, 1),
	SCALAR("report_contacts", report.contacts, SCALAR_U64, 1),
	SCALAR("report_iterations", report.iterations, SCALAR_INT, 1),
	SCALAR("report_residual", report.residual, SCALAR_REAL, 1),
	SCALAR("report_mean_overlap", report.mean_overlap, SCALAR_REAL, 1),
	SCALAR("report_max_overlap", report.max_overlap, SCALAR_REAL, 1),
	SCALAR("report_late", report.late, SCALAR_U64, 1),
	SCALAR("report_capped_all", report.capped_all, SCALAR_U64, 1),
	SCALAR("report_unfinished_all", report.unfinished_all, SCALAR_U64, 1),
	SCALAR("report_paradox_all", report.paradox_all, SCALAR_U64, 1),
	SCALAR("report_worst_overlap", report.worst_overlap, SCALAR_REAL, 1),
	SCALAR("report_bonds", report.bonds, SCALAR_U64, 1),
	SCALAR("report_bonds_formed_all", report.bonds_formed_all, SCALAR_U64, 1),
	SCALAR("report_softened_all", report.softened_all, SCALAR_U64, 1),
	SCALAR("report_seconds_solver", report.seconds_solver, SCALAR_REAL, 1),
	SCALAR("report_iterations_all", report.iterations_all, SCALAR_U64, 1),
	SCALAR("report_updates_all", report.updates_all, SCALAR_U64, 1),
};
enum { SCALARS = sizeof scalars/sizeof scalars[0] };
_Static_assert(sizeof(size_t) == sizeof(uint64_t), "counts are stored as 64 bit numbers");
_Static_assert(sizeof(books) == 10*sizeof(double), "a book is missing above");
_Static_assert(sizeof(talus_step_report) == 20*8, "a number of the report is missing above");

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

static bool scalars_write(hid_t file, const talus_world *world)
{
	for (int i = 0; i < SCALARS; i++) {
		const scalar *s = &scalars[i];
		if (!hdf_note_write(file, s->name, scalar_type(s), (hsize_t)s->count, (const char *)world + s->offset))
			return false;
	}
	return true;
}

static bool scalars_read(hid_t file, talus_world *world)
{
	for (int i = 0; i < SCALARS; i++) {
		const scalar *s = &scalars[i];
		if (!hdf_note_read(file, s->name, scalar_type(s), (hsize_t)s->count, (char *)world + s->offset))
			return false;
	}
	return true;
}

// ---------------------------------------------------------------- does it belong to this scene?

typedef struct identity {
	double step;
	uint64_t seed;
	int dimension, walls, materials, pours;
	int periodic[3];
} identity;

static identity identity_of(const talus_world *world)
{
	return (identity){.step = world->def.step,
	                  .seed = world->def.seed,
	                  .dimension = world->def.dimension,
	                  .walls = world->walls.count,
	                  .materials = world->materials,
	                  .pours = world->pours,
	                  .periodic = {world->cell.periodic[0], world->cell.periodic[1], world->cell.periodic[2]}};
}

static bool identity_write(hid_t file, const identity *i)
{
	return hdf_text_write(file, "format", format) && hdf_note_write(file, "dt", H5T_NATIVE_DOUBLE, 1, &i->step) &&
	       hdf_note_write(file, "seed", H5T_NATIVE_UINT64, 1, &i->seed) &&
	       hdf_note_write(file, "dimension", H5T_NATIVE_INT, 1, &i->dimension) &&
	       hdf_note_write(file, "walls_count", H5T_NATIVE_INT, 1, &i->walls) &&
	       hdf_note_write(file, "materials_count", H5T_NATIVE_INT, 1, &i->materials) &&
	       hdf_note_write(file, "pours_count", H5T_NATIVE_INT, 1, &i->pours) &&
	       hdf_note_write(file, "periodic", H5T_NATIVE_INT, 3, i->periodic);
}

static bool identity_read(hid_t file, identity *i)
{
	return hdf_note_read(file, "dt", H5T_NATIVE_DOUBLE, 1, &i->step) &&
	       hdf_note_read(file, "seed", H5T_NATIVE_UINT64, 1, &i->seed) &&
	       hdf_note_read(file, "dimension", H5T_NATIVE_INT, 1, &i->dimension) &&
	       hdf_note_read(file, "walls_count", H5T_NATIVE_INT, 1, &i->walls) &&
	       hdf_note_read(file, "materials_count", H5T_NATIVE_INT, 1, &i->materials) &&
	       hdf_note_read(file, "pours_count", H5T_NATIVE_INT, 1, &i->pours) &&
	       hdf_note_read(file, "periodic", H5T_NATIVE_INT, 3, i->periodic);
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

// ---------------------------------------------------------------- writing

static bool state_write(hid_t file, const talus_world *world, double seconds)
{
	identity self = identity_of(world);
	return identity_write(file, &self) && hdf_note_write(file, "seconds", H5T_NATIVE_DOUBLE, 1, &seconds) &&
	       scalars_write(file, world) && checkpoint_tables_write(file, world);
}

bool checkpoint_write(const char *folder, const talus_world *world, double seconds, talus_error *error)
{
	char path[TALUS_PATH_MAX], temporary[TALUS_PATH_MAX];
	if (!folder_path(path, folder, "checkpoint.h5", error) ||
	    !folder_path(temporary, folder, "checkpoint.h5.tmp", error))
		return false;
	hdf_quiet quiet;
	hdf_quiet_begin(&quiet);
	hid_t file = hdf_file_create(temporary);
	bool ok = file >= 0 && state_write(file, world, seconds);
	ok = file >= 0 && hdf_file_close_written(file, ok);
	if (!ok) {
		hdf_error(error, path, "write");
		unlink(temporary);
	}
	hdf_quiet_end(&quiet);
	return ok && file_commit(temporary, path, error);
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

static bool state_read(hid_t file, talus_world *world, double *seconds)
{
	return hdf_note_read(file, "seconds", H5T_NATIVE_DOUBLE, 1, seconds) && scalars_read(file, world) &&
	       checkpoint_tables_read(file, world);
}

static bool read_checked(hid_t file, const char *path, talus_world *world, double *seconds, talus_error *error)
{
	identity self = identity_of(world), other;
	if (!format_fits(file, path, error))
		return false;
	if (!identity_read(file, &other))
		return hdf_error(error, path, "read the checkpoint");
	const char *what = identity_difference(&self, &other);
	if (what)
		return error_at(error, path, 0, 0, "it does not belong to this scene.yaml: the %s is another one", what);
	return state_read(file, world, seconds) || hdf_error(error, path, "read the checkpoint");
}

static void make_the_rest(talus_world *world)
{
	cell_update(&world->cell);
	if (!world->list.stale)
		grid_restore(world);
	observe_bearing(world);
}

bool checkpoint_read(const char *folder, talus_world *world, double *seconds, talus_error *error)
{
	char path[TALUS_PATH_MAX];
	if (!folder_path(path, folder, "checkpoint.h5", error))
		return false;
	hdf_quiet quiet;
	hdf_quiet_begin(&quiet);
	hid_t file = hdf_file_open_read(path, error);
	bool ok = file >= 0 && read_checked(file, path, world, seconds, error);
	if (file >= 0)
		H5Fclose(file);
	hdf_quiet_end(&quiet);
	if (ok)
		make_the_rest(world);
	return ok;
}

static bool head_read(hid_t file, checkpoint_head *head, hsize_t *rows)
{
	return hdf_note_read(file, "step", H5T_NATIVE_UINT64, 1, &head->step) &&
	       hdf_note_read(file, "time", H5T_NATIVE_DOUBLE, 1, &head->time) &&
	       hdf_note_read(file, "seconds", H5T_NATIVE_DOUBLE, 1, &head->seconds) &&
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
	hid_t file = hdf_file_open_read(path, error);
	hsize_t rows = 0;
	bool ok = file >= 0 && format_fits(file, path, error);
	ok = ok && (head_read(file, head, &rows) || hdf_error(error, path, "read the checkpoint"));
	head->grains = (size_t)rows;
	if (file >= 0)
		H5Fclose(file);
	hdf_quiet_end(&quiet);
	return ok;
}
