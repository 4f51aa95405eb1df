// SPDX-License-Identifier: MIT
// checkpoint.h5: everything the next step depends on, bit for bit. What can be made from the scene (materials, laws, the
// walls' definitions) is not in it; the pair list is made again from the positions it was made from. A seal over all of it
// tells a damaged one (seal.h), and what it says is judged before it is used.
#include "io/files.h"

#include "base/error.h"
#include "state/cell.h"
#include "collide/collide.h"
#include "io/checkpoint_judge.h"
#include "io/checkpoint_tables.h"
#include "io/seal.h"
#include "observe/observe.h"
#include "world.h"

#include <errno.h>
#include <math.h>
#include <string.h>
#include <unistd.h>

static const char format[] = "talus checkpoint 3";

// ---------------------------------------------------------------- single numbers

typedef struct scalar {
	const char *name;
	size_t offset;
	enum { SCALAR_REAL, SCALAR_U64, SCALAR_U32, SCALAR_INT, SCALAR_BOOL } type;
	int count;
	bool later; // files that do not have it are older, and it is 0
} scalar;

#define SCALAR(name, member, type, count) {name, offsetof(talus_world, member), type, count, false}
#define LATERS(name, member, type, count) {name, offsetof(talus_world, member), type, count, true}
#define LATER(name, member, type) LATERS(name, member, type, 1)
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
	SCALAR("contacts_plain", contacts.plain, SCALAR_U64, 1),
	SCALAR("contacts_round", contacts.round, SCALAR_U64, 1),
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
	LATER("report_floor_all", report.floor_all, SCALAR_U64),
	LATER("report_capped_worst", report.capped_worst, SCALAR_REAL),
	LATER("report_floor_worst", report.floor_worst, SCALAR_REAL),
	LATER("report_capped_step", report.capped_step, SCALAR_U64),
	LATER("report_floor_step", report.floor_step, SCALAR_U64),
	LATER("report_error_forces", report.error_forces, SCALAR_REAL),
	LATER("report_error_overlap", report.error_overlap, SCALAR_REAL),
	LATER("report_error_local", report.error_local, SCALAR_REAL),
	LATER("report_error_global", report.error_global, SCALAR_REAL),
	LATER("report_soft_rows", report.soft_rows, SCALAR_U64),
	LATER("report_soft_step", report.soft_step, SCALAR_U64),
	LATER("report_soft_grains", report.soft_grains, SCALAR_U64),
	LATER("report_soft_sweeps", report.soft_sweeps, SCALAR_U64),
	LATER("report_soft_size", report.soft_size, SCALAR_REAL),
	LATER("report_soft_reach", report.soft_reach, SCALAR_REAL),
	LATER("report_soft_overlap", report.soft_overlap, SCALAR_REAL),
	LATER("report_waiting_most", report.waiting_most, SCALAR_REAL),
	LATER("mean_radius", state.mean_radius, SCALAR_REAL),
	LATER("memory_load", memory.load, SCALAR_REAL),
	LATER("memory_sweeps", memory.sweeps, SCALAR_REAL),
	LATER("memory_softness", memory.softness, SCALAR_REAL),
	LATER("memory_unsure", memory.unsure, SCALAR_REAL),
	LATER("memory_believed", memory.believed, SCALAR_REAL),
	LATER("audit_count", audit.count, SCALAR_U64),
	LATER("audit_unfinished", audit.unfinished, SCALAR_U64),
	LATER("audit_updates", audit.updates, SCALAR_U64),
	LATER("audit_last", audit.last, SCALAR_U64),
	LATER("audit_next", audit.next, SCALAR_REAL),
	LATERS("audit_error", audit.error, SCALAR_REAL, TALUS_AUDITED),
	LATERS("audit_largest", audit.largest, SCALAR_REAL, TALUS_AUDITED),
	LATERS("audit_largest_step", audit.largest_step, SCALAR_U64, TALUS_AUDITED),
	LATERS("audit_bin", audit.bin, SCALAR_U64, TALUS_AUDITED*AUDIT_BINS),
	LATER("start_overlap", start_overlap, SCALAR_REAL),
	LATER("crush_step", crush.step, SCALAR_U64),
	LATER("crush_wall", crush.wall, SCALAR_INT),
	LATER("crush_grain", crush.grain, SCALAR_U32),
	LATER("crush_wait", crush.wait, SCALAR_U64),
	LATER("crush_next", crush.next, SCALAR_U64),
};
enum { SCALARS = sizeof scalars/sizeof scalars[0] };
_Static_assert(sizeof(size_t) == sizeof(uint64_t), "counts are stored as 64 bit numbers");
_Static_assert(sizeof(energy_account) == 10*sizeof(double), "an entry is missing above");
_Static_assert(sizeof(talus_step_report) == 37*8, "a number of the report is missing above");

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
	world->start_overlap = -1;
	for (int i = 0; i < SCALARS; i++) {
		const scalar *s = &scalars[i];
		if (s->later && H5Aexists(file, s->name) == 0)
			continue;
		if (!hdf_note_read(file, s->name, scalar_type(s), (hsize_t)s->count, (char *)world + s->offset))
			return false;
	}
	if (world->start_overlap == -1) // older files do not tell: it may have been as large as it is
		world->start_overlap = fmax(0, world->report.max_overlap)*2*world->state.mean_radius;
	return true;
}

// ---------------------------------------------------------------- what the scene says

// The sections of a scene on which the way from here on depends, each as one number. `run`, `output` and the
// title are not among them, nor are grains that were there at the start: these are in the tables.
enum { OF_GRAVITY, OF_SOLVER, OF_CELL, OF_DOMAIN, OF_MATERIALS, OF_CONTACTS, OF_WALLS, OF_POURS, SECTIONS };
static const char *const section_names[SECTIONS] = {
	"gravity", "solver", "cell", "domain", "materials", "contacts", "walls", "grains: pour",
};

typedef struct part { // of a struct: its fields one by one, so that what lies between them does not count
	size_t offset, size;
} part;
#define PART(type, member) {offsetof(type, member), sizeof ((type *)NULL)->member}
#define LENGTH(list) ((int)(sizeof (list)/sizeof (list)[0]))

#define SOLVER(member) PART(talus_solver_def, member)
static const part solver_parts[] = {
	SOLVER(order), SOLVER(relaxation), SOLVER(gap), SOLVER(stop), SOLVER(iterations), SOLVER(tolerance),
	SOLVER(cutoff), SOLVER(max_iterations),
};

#define CELL(member) PART(talus_cell_def, member)
static const part cell_parts[] = {
	CELL(origin), CELL(periodic), CELL(bath), CELL(pressure), CELL(drive), CELL(wanted), CELL(inertia),
	CELL(semi_implicit), // not its size: that may have become another one when it was filled
};

static const part domain_parts[] = {PART(talus_world_def, has_domain), PART(talus_world_def, domain)};

#define WALL(member) PART(talus_wall_def, member)
static const part wall_parts[] = {
	WALL(kind), WALL(point), WALL(to), WALL(axis), WALL(radius), WALL(angle), WALL(from), WALL(last), WALL(inside),
	WALL(has_hole), WALL(hole_at), WALL(hole_radius), WALL(material), WALL(velocity), WALL(spin),
	WALL(oscillate_direction), WALL(oscillate_amplitude), WALL(oscillate_frequency), WALL(oscillate_phase),
	WALL(mass), WALL(force), WALL(free), WALL(weightless),
};

#define POUR(member) PART(talus_pour_def, member)
static const part pour_parts[] = {
	POUR(count), POUR(rate), POUR(start), POUR(radius.kind), POUR(radius.a), POUR(radius.b), POUR(radius.least),
	POUR(radius.most), POUR(radius.points), POUR(radius.opening), POUR(radius.passing), POUR(material),
	POUR(in.kind), POUR(in.box), POUR(in.at), POUR(in.to), POUR(in.radius), POUR(velocity),
};

static void hash_parts(uint64_t *hash, const void *of, const part *list, int count)
{
	for (int i = 0; i < count; i++)
		hash_add(hash, (const char *)of + list[i].offset, list[i].size);
}

static void sections_of(const talus_world *world, uint64_t section[SECTIONS])
{
	_Static_assert(sizeof(talus_pair) == 2*sizeof(int) + 11*sizeof(double), "there is something between its fields");
	const talus_world_def *def = &world->state.def;
	size_t pairs = (size_t)world->state.materials*(size_t)world->state.materials;
	memset(section, 0, SECTIONS*sizeof *section);
	hash_add(&section[OF_GRAVITY], &def->gravity, sizeof def->gravity);
	hash_parts(&section[OF_SOLVER], &def->solver, solver_parts, LENGTH(solver_parts));
	if (def->solver.kind != TALUS_SOLVER_NSGS) // older files knew no other
		hash_add(&section[OF_SOLVER], &def->solver.kind, sizeof def->solver.kind);
	hash_parts(&section[OF_CELL], &def->cell, cell_parts, LENGTH(cell_parts));
	hash_parts(&section[OF_DOMAIN], def, domain_parts, LENGTH(domain_parts));
	hash_add(&section[OF_CONTACTS], world->state.pair, pairs*sizeof *world->state.pair);
	for (int i = 0; i < world->state.materials; i++) {
		hash_add(&section[OF_MATERIALS], world->state.material[i].name, strlen(world->state.material[i].name));
		hash_add(&section[OF_MATERIALS], &world->state.material[i].density, sizeof world->state.material[i].density);
	}
	for (int i = 0; i < world->state.walls.count; i++) {
		const talus_wall_def *wall_def = &world->state.walls.at[i].def;
		hash_add(&section[OF_WALLS], wall_def->name, strlen(wall_def->name));
		hash_parts(&section[OF_WALLS], wall_def, wall_parts, LENGTH(wall_parts));
	}
	for (int i = 0; i < world->pours.count; i++)
		hash_parts(&section[OF_POURS], &world->pours.at[i].def, pour_parts, LENGTH(pour_parts));
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
	sections_of(world, i.section);
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
			return section_names[k];
	return NULL;
}

// ---------------------------------------------------------------- writing

static bool state_write(hid_t file, const talus_world *world, double seconds, const run_origin *origin)
{
	identity self = identity_of(world);
	return identity_write(file, &self) && hdf_text_write(file, "started", origin->started) &&
	       hdf_text_write(file, "command", origin->command) && hdf_note_write(file, "seconds", H5T_NATIVE_DOUBLE, 1, &seconds) &&
	       scalars_write(file, world) && checkpoint_tables_write(file, world);
}

bool checkpoint_write(const char *folder, const talus_world *world, double seconds, talus_error *error)
{
	return checkpoint_write_with(folder, world, seconds, &(run_origin){.started = ""}, error);
}

bool checkpoint_write_with(const char *folder, const talus_world *world, double seconds, const run_origin *origin, talus_error *error)
{
	char path[TALUS_PATH_MAX], temporary[TALUS_PATH_MAX];
	if (!folder_path(path, folder, "checkpoint.h5", error) ||
	    !folder_path(temporary, folder, "checkpoint.h5.tmp", error))
		return false;
	hdf_quiet quiet;
	hdf_quiet_begin(&quiet);
	hid_t file = hdf_file_create(temporary);
	bool ok = file >= 0 && state_write(file, world, seconds, origin);
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
	what = section_difference(&self, &other);
	if (what)
		return error_at(error, path, 0, 0, "it does not belong to this scene.yaml, in which `%s` was changed; take "
		                "that back to go on, or start a new run with it (only `title`, `run`, `output` and the solver's `audit` may "
		                "change)", what);
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

bool checkpoint_read(const char *folder, talus_world *world, double *seconds, talus_error *error)
{
	char path[TALUS_PATH_MAX];
	if (!folder_path(path, folder, "checkpoint.h5", error))
		return false;
	hdf_quiet quiet;
	hdf_quiet_begin(&quiet);
	hid_t file = open_sealed(path, error);
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
	run_origin *origin = &head->origin;
	return hdf_text_read(file, "started", origin->started, sizeof origin->started) &&
	       hdf_text_read(file, "command", origin->command, sizeof origin->command) &&
	       hdf_note_read(file, "step", H5T_NATIVE_UINT64, 1, &head->step) &&
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
