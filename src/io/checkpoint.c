// SPDX-License-Identifier: MIT
// checkpoint.h5: everything the next step depends on, bit for bit. What can be made from the scene (materials, laws, the
// walls' definitions) is not in it; the pair list is made again from the positions it was made from.
#include "io/files.h"

#include "base/error.h"
#include "base/memory.h"
#include "body.h"
#include "cell.h"
#include "collide/collide.h"
#include "io/hdf5_tools.h"
#include "observe/observe.h"
#include "world.h"

#include <string.h>
#include <unistd.h>

static const char format[] = "talus checkpoint 1";

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
	SCALAR("dissipated", books.dissipated, SCALAR_REAL, 1),
	SCALAR("work_walls", books.work_walls, SCALAR_REAL, 1),
	SCALAR("cell_h", cell.h, SCALAR_REAL, 9),
	SCALAR("cell_rate", cell.rate, SCALAR_REAL, 9),
	SCALAR("cell_origin", cell.origin, SCALAR_REAL, 3),
	SCALAR("contacts_plain", contacts.plain, SCALAR_U64, 1),
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
	SCALAR("report_seconds_solver", report.seconds_solver, SCALAR_REAL, 1),
	SCALAR("report_iterations_all", report.iterations_all, SCALAR_U64, 1),
	SCALAR("report_updates_all", report.updates_all, SCALAR_U64, 1),
};
enum { SCALARS = sizeof scalars/sizeof scalars[0] };
_Static_assert(sizeof(size_t) == sizeof(uint64_t), "counts are stored as 64 bit numbers");

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

// ---------------------------------------------------------------- grains

typedef struct column {
	const char *path;
	size_t offset; // of the pointer, in struct bodies
	enum { COLUMN_REAL, COLUMN_U32, COLUMN_I32, COLUMN_U16, COLUMN_U8 } type;
	int width;
} column;

#define COLUMN(member, type, width) {"grains/" #member, offsetof(bodies, member), type, width}
static const column columns[] = {
	COLUMN(x, COLUMN_REAL, 3),          COLUMN(v, COLUMN_REAL, 3),       COLUMN(spin, COLUMN_REAL, 3),
	COLUMN(force, COLUMN_REAL, 3),      COLUMN(q, COLUMN_REAL, 4),       COLUMN(radius, COLUMN_REAL, 1),
	COLUMN(mass, COLUMN_REAL, 1),       COLUMN(inertia, COLUMN_REAL, 1), COLUMN(id, COLUMN_U32, 1),
	COLUMN(image, COLUMN_I32, 3),       COLUMN(material, COLUMN_U16, 1), COLUMN(free, COLUMN_U8, 1),
	COLUMN(x_listed, COLUMN_REAL, 3),   COLUMN(skin, COLUMN_REAL, 1),
};
enum { COLUMNS = sizeof columns/sizeof columns[0] };

static hid_t column_type(const column *c)
{
	switch (c->type) {
	case COLUMN_REAL: return H5T_NATIVE_DOUBLE;
	case COLUMN_U32: return H5T_NATIVE_UINT32;
	case COLUMN_I32: return H5T_NATIVE_INT32;
	case COLUMN_U16: return H5T_NATIVE_UINT16;
	default: return H5T_NATIVE_UINT8;
	}
}

static void *column_block(const bodies *b, const column *c)
{
	void *block;
	memcpy(&block, (const char *)b + c->offset, sizeof block);
	return block;
}

static bool grains_write(hid_t file, const bodies *b)
{
	for (int i = 0; i < COLUMNS; i++) {
		const column *c = &columns[i];
		if (!hdf_table_write(file, c->path, column_type(c), b->count, (hsize_t)c->width, column_block(b, c)))
			return false;
	}
	return true;
}

static bool grains_read(hid_t file, bodies *b)
{
	hsize_t rows;
	if (!hdf_table_rows(file, columns[0].path, &rows) || rows > UINT32_MAX)
		return false;
	b->count = 0;
	bodies_reserve(b, (size_t)rows);
	b->count = (size_t)rows;
	for (int i = 0; i < COLUMNS; i++) {
		const column *c = &columns[i];
		if (!hdf_table_read(file, c->path, column_type(c), rows, (hsize_t)c->width, column_block(b, c)))
			return false;
	}
	return true;
}

// ---------------------------------------------------------------- walls

static const size_t wall_vectors[] = {offsetof(wall, shift), offsetof(wall, v),     offsetof(wall, point),
                                      offsetof(wall, to),    offsetof(wall, axis),  offsetof(wall, hole_at),
                                      offsetof(wall, force), offsetof(wall, torque)};
static const char *const wall_vector_names[] = {"walls/shift", "walls/v",       "walls/point", "walls/to",
                                                "walls/axis",  "walls/hole_at", "walls/force", "walls/torque"};
static const size_t wall_numbers[] = {offsetof(wall, angle), offsetof(wall, w), offsetof(wall, moved),
                                      offsetof(wall, skin)};
static const char *const wall_number_names[] = {"walls/angle", "walls/w", "walls/moved", "walls/skin"};
enum {
	WALL_VECTORS = sizeof wall_vectors/sizeof wall_vectors[0],
	WALL_NUMBERS = sizeof wall_numbers/sizeof wall_numbers[0],
};

static bool wall_write(hid_t file, const char *path, const walls *all, size_t offset, int width)
{
	size_t size = (size_t)width*sizeof(double);
	double *block = memory_grow(NULL, 0, (size_t)all->count*size);
	for (int i = 0; i < all->count; i++)
		memcpy(&block[i*width], (const char *)&all->at[i] + offset, size);
	bool ok = hdf_table_write(file, path, H5T_NATIVE_DOUBLE, (hsize_t)all->count, (hsize_t)width, block);
	memory_free(block);
	return ok;
}

static bool wall_read(hid_t file, const char *path, walls *all, size_t offset, int width)
{
	size_t size = (size_t)width*sizeof(double);
	double *block = memory_grow(NULL, 0, (size_t)all->count*size);
	bool ok = hdf_table_read(file, path, H5T_NATIVE_DOUBLE, (hsize_t)all->count, (hsize_t)width, block);
	for (int i = 0; ok && i < all->count; i++)
		memcpy((char *)&all->at[i] + offset, &block[i*width], size);
	memory_free(block);
	return ok;
}

static bool walls_write(hid_t file, const walls *all)
{
	bool ok = true;
	for (int i = 0; ok && i < WALL_VECTORS; i++)
		ok = wall_write(file, wall_vector_names[i], all, wall_vectors[i], 3);
	for (int i = 0; ok && i < WALL_NUMBERS; i++)
		ok = wall_write(file, wall_number_names[i], all, wall_numbers[i], 1);
	return ok;
}

static bool walls_read(hid_t file, walls *all)
{
	bool ok = true;
	for (int i = 0; ok && i < WALL_VECTORS; i++)
		ok = wall_read(file, wall_vector_names[i], all, wall_vectors[i], 3);
	for (int i = 0; ok && i < WALL_NUMBERS; i++)
		ok = wall_read(file, wall_number_names[i], all, wall_numbers[i], 1);
	return ok;
}

// ---------------------------------------------------------------- contacts

// The structs go to the file as they are; they have no gaps.
static hid_t contact_type(void)
{
	_Static_assert(sizeof(talus_contact) == 88, "a member is missing below");
	hsize_t three = 3;
	hid_t vector = H5Tarray_create2(H5T_NATIVE_DOUBLE, 1, &three);
	hid_t type = H5Tcreate(H5T_COMPOUND, sizeof(talus_contact));
	H5Tinsert(type, "a", offsetof(talus_contact, a), H5T_NATIVE_UINT32);
	H5Tinsert(type, "b", offsetof(talus_contact, b), H5T_NATIVE_UINT32);
	H5Tinsert(type, "n", offsetof(talus_contact, n), vector);
	H5Tinsert(type, "bias", offsetof(talus_contact, bias), H5T_NATIVE_DOUBLE);
	H5Tinsert(type, "mass_n", offsetof(talus_contact, mass_n), H5T_NATIVE_DOUBLE);
	H5Tinsert(type, "mass_t", offsetof(talus_contact, mass_t), H5T_NATIVE_DOUBLE);
	H5Tinsert(type, "mu", offsetof(talus_contact, mu), H5T_NATIVE_DOUBLE);
	H5Tinsert(type, "p", offsetof(talus_contact, p), vector);
	H5Tclose(vector);
	return type;
}

static hid_t info_type(void)
{
	_Static_assert(sizeof(contact_info) == 24, "a member is missing below");
	hid_t type = H5Tcreate(H5T_COMPOUND, sizeof(contact_info));
	H5Tinsert(type, "key", offsetof(contact_info, key), H5T_NATIVE_UINT64);
	H5Tinsert(type, "gap", offsetof(contact_info, gap), H5T_NATIVE_DOUBLE);
	H5Tinsert(type, "wall", offsetof(contact_info, wall), H5T_NATIVE_UINT32);
	return type;
}

static bool contacts_write(hid_t file, const contacts *c)
{
	hid_t contact = contact_type(), info = info_type();
	bool ok = hdf_table_write(file, "contacts/contact", contact, c->count, 1, c->contact) &&
	          hdf_table_write(file, "contacts/info", info, c->count, 1, c->info);
	H5Tclose(contact);
	H5Tclose(info);
	return ok;
}

static bool contacts_read(hid_t file, contacts *c)
{
	hsize_t rows;
	if (!hdf_table_rows(file, "contacts/contact", &rows) || rows > UINT32_MAX)
		return false;
	c->count = 0;
	contacts_reserve(c, (size_t)rows);
	c->count = (size_t)rows;
	hid_t contact = contact_type(), info = info_type();
	bool ok = hdf_table_read(file, "contacts/contact", contact, rows, 1, c->contact) &&
	          hdf_table_read(file, "contacts/info", info, rows, 1, c->info);
	H5Tclose(contact);
	H5Tclose(info);
	return ok;
}

// ---------------------------------------------------------------- pours

typedef struct pour_record {
	int64_t poured;
	uint64_t draws;
	double next_radius;
} pour_record;

static hid_t pour_type(void)
{
	hid_t type = H5Tcreate(H5T_COMPOUND, sizeof(pour_record));
	H5Tinsert(type, "poured", offsetof(pour_record, poured), H5T_NATIVE_INT64);
	H5Tinsert(type, "draws", offsetof(pour_record, draws), H5T_NATIVE_UINT64);
	H5Tinsert(type, "next_radius", offsetof(pour_record, next_radius), H5T_NATIVE_DOUBLE);
	return type;
}

static bool pours_write(hid_t file, const talus_world *world)
{
	size_t n = (size_t)world->pours;
	pour_record *record = memory_grow(NULL, 0, n*sizeof *record);
	for (size_t i = 0; i < n; i++) {
		const pour_state *pour = &world->pour[i];
		record[i] = (pour_record){pour->poured, pour->draws, pour->next_radius};
	}
	hid_t type = pour_type();
	bool ok = hdf_table_write(file, "pours", type, n, 1, record);
	H5Tclose(type);
	memory_free(record);
	return ok;
}

static bool pours_read(hid_t file, talus_world *world)
{
	size_t n = (size_t)world->pours;
	pour_record *record = memory_grow(NULL, 0, n*sizeof *record);
	hid_t type = pour_type();
	bool ok = hdf_table_read(file, "pours", type, n, 1, record);
	H5Tclose(type);
	for (size_t i = 0; ok && i < n; i++) {
		world->pour[i].poured = (int)record[i].poured;
		world->pour[i].draws = record[i].draws;
		world->pour[i].next_radius = record[i].next_radius;
	}
	memory_free(record);
	return ok;
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
	char text[64];
	return hdf_text_read(file, "format", text, sizeof text) && strcmp(text, format) == 0 &&
	       hdf_note_read(file, "dt", H5T_NATIVE_DOUBLE, 1, &i->step) &&
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
	       scalars_write(file, world) && grains_write(file, &world->bodies) && walls_write(file, &world->walls) &&
	       contacts_write(file, &world->contacts) && pours_write(file, world);
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

// Numbers that serve as indices must not lead outside, whatever the file says.
static bool indices_fit(const talus_world *world)
{
	const contacts *c = &world->contacts;
	size_t grains = world->bodies.count, lines = grains + (size_t)world->walls.count + c->ghosts;
	for (size_t i = 0; i < grains; i++)
		if (world->bodies.material[i] >= world->materials)
			return false;
	for (size_t i = 0; i < c->count; i++) {
		bool is_wall = c->info[i].wall != NO_WALL;
		if (c->contact[i].b >= grains || c->contact[i].a >= (is_wall ? lines : grains))
			return false;
		if (is_wall && c->info[i].wall >= (uint32_t)world->walls.count)
			return false;
	}
	return c->plain <= c->count;
}

static bool state_read(hid_t file, talus_world *world, double *seconds)
{
	return hdf_note_read(file, "seconds", H5T_NATIVE_DOUBLE, 1, seconds) && scalars_read(file, world) &&
	       grains_read(file, &world->bodies) && walls_read(file, &world->walls) &&
	       contacts_read(file, &world->contacts) && pours_read(file, world) && indices_fit(world);
}

static bool read_checked(hid_t file, const char *path, talus_world *world, double *seconds, talus_error *error)
{
	identity self = identity_of(world), other;
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
	identity other;
	return identity_read(file, &other) && hdf_note_read(file, "step", H5T_NATIVE_UINT64, 1, &head->step) &&
	       hdf_note_read(file, "time", H5T_NATIVE_DOUBLE, 1, &head->time) &&
	       hdf_note_read(file, "seconds", H5T_NATIVE_DOUBLE, 1, &head->seconds) &&
	       hdf_table_rows(file, columns[0].path, rows);
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
	bool ok = file >= 0 && (head_read(file, head, &rows) || hdf_error(error, path, "read the checkpoint"));
	head->grains = (size_t)rows;
	if (file >= 0)
		H5Fclose(file);
	hdf_quiet_end(&quiet);
	return ok;
}
