// SPDX-License-Identifier: MIT
// The layout of run.h5: H5MD 1.1 (de Buyl, Colberg & Hoefling 2014) for the grains, contacts and walls beside it.
#include "io/frames.h"

#include "base/memory.h"
#include "observe/observe.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define GRAINS "particles/grains/"
#define OBSERVABLE(name) "observables/" name "/value"
const frame_column frame_columns[FRAME_COLUMNS] = {
	[FRAME_POSITION] = {GRAINS "position/value", ROWS_GRAIN, FRAME_REAL, 3},
	[FRAME_VELOCITY] = {GRAINS "velocity/value", ROWS_GRAIN, FRAME_REAL, 3},
	[FRAME_SPIN] = {GRAINS "spin/value", ROWS_GRAIN, FRAME_REAL, 3},
	[FRAME_ORIENTATION] = {GRAINS "orientation/value", ROWS_GRAIN, FRAME_REAL, 4},
	[FRAME_IMAGE] = {GRAINS "image/value", ROWS_GRAIN, FRAME_INT, 3},
	[FRAME_ID] = {GRAINS "id/value", ROWS_GRAIN, FRAME_LONG, 1},
	[FRAME_RADIUS] = {GRAINS "radius/value", ROWS_GRAIN, FRAME_REAL, 1},
	[FRAME_MATERIAL] = {GRAINS "material/value", ROWS_GRAIN, FRAME_INT, 1},
	[FRAME_EDGES] = {GRAINS "box/edges/value", ROWS_AXIS, FRAME_REAL, 3},
	[FRAME_GRAINS] = {OBSERVABLE("grain_count"), ROWS_FRAME, FRAME_LONG, 1},
	[FRAME_OFFSET] = {"contacts/offset", ROWS_FRAME, FRAME_LONG, 1},
	[FRAME_COUNT] = {"contacts/count", ROWS_FRAME, FRAME_LONG, 1},
	[FRAME_BODIES] = {"contacts/bodies", ROWS_CONTACT, FRAME_LONG, 2},
	[FRAME_NORMAL] = {"contacts/normal", ROWS_CONTACT, FRAME_REAL, 3},
	[FRAME_GAP] = {"contacts/gap", ROWS_CONTACT, FRAME_REAL, 1},
	[FRAME_FORCE] = {"contacts/force", ROWS_CONTACT, FRAME_REAL, 3},
	[FRAME_TORQUE] = {"contacts/torque", ROWS_CONTACT, FRAME_REAL, 3},
	[FRAME_BONDED] = {"contacts/bonded", ROWS_CONTACT, FRAME_BYTE, 1},
	[FRAME_WALL_POINT] = {"walls/point", ROWS_WALL, FRAME_REAL, 3},
	[FRAME_WALL_TO] = {"walls/to", ROWS_WALL, FRAME_REAL, 3},
	[FRAME_WALL_AXIS] = {"walls/axis", ROWS_WALL, FRAME_REAL, 3},
	[FRAME_WALL_HOLE] = {"walls/hole_at", ROWS_WALL, FRAME_REAL, 3},
	[FRAME_WALL_VELOCITY] = {"walls/velocity", ROWS_WALL, FRAME_REAL, 3},
	[FRAME_WALL_FORCE] = {"walls/force", ROWS_WALL, FRAME_REAL, 3},
	[FRAME_WALL_TORQUE] = {"walls/torque", ROWS_WALL, FRAME_REAL, 3},
	[FRAME_PRESSURE] = {OBSERVABLE("pressure"), ROWS_FRAME, FRAME_REAL, 1},
	[FRAME_CONTACT_PRESSURE] = {OBSERVABLE("stress_contact_pressure"), ROWS_FRAME, FRAME_REAL, 1},
	[FRAME_KINETIC_PRESSURE] = {OBSERVABLE("stress_kinetic_pressure"), ROWS_FRAME, FRAME_REAL, 1},
	[FRAME_DEVIATOR] = {OBSERVABLE("deviator"), ROWS_FRAME, FRAME_REAL, 1},
	[FRAME_VOLUME_FRACTION] = {OBSERVABLE("volume_fraction"), ROWS_FRAME, FRAME_REAL, 1},
	[FRAME_COORDINATION] = {OBSERVABLE("coordination"), ROWS_FRAME, FRAME_REAL, 1},
	[FRAME_COORDINATION_NETWORK] = {OBSERVABLE("coordination_network"), ROWS_FRAME, FRAME_REAL, 1},
	[FRAME_RATTLERS] = {OBSERVABLE("rattlers"), ROWS_FRAME, FRAME_LONG, 1},
	[FRAME_RATTLERS_NETWORK] = {OBSERVABLE("rattlers_network"), ROWS_FRAME, FRAME_LONG, 1},
	[FRAME_ANISOTROPY] = {OBSERVABLE("anisotropy"), ROWS_FRAME, FRAME_REAL, 1},
	[FRAME_MEAN_FORCE] = {OBSERVABLE("mean_force"), ROWS_FRAME, FRAME_REAL, 1},
	[FRAME_MAX_FORCE] = {OBSERVABLE("max_force"), ROWS_FRAME, FRAME_REAL, 1},
	[FRAME_WEAK_SHARE] = {OBSERVABLE("weak_share"), ROWS_FRAME, FRAME_REAL, 1},
	[FRAME_WEAK_PRESSURE_SHARE] = {OBSERVABLE("weak_pressure_share"), ROWS_FRAME, FRAME_REAL, 1},
	[FRAME_PULL_SHARE] = {OBSERVABLE("pull_share"), ROWS_FRAME, FRAME_REAL, 1},
	[FRAME_MOBILISATION] = {OBSERVABLE("mobilisation"), ROWS_FRAME, FRAME_REAL, 1},
	[FRAME_SLIDING_SHARE] = {OBSERVABLE("sliding_share"), ROWS_FRAME, FRAME_REAL, 1},
	[FRAME_TEMPERATURE] = {OBSERVABLE("temperature"), ROWS_FRAME, FRAME_REAL, 1},
	[FRAME_SPIN_TEMPERATURE] = {OBSERVABLE("spin_temperature"), ROWS_FRAME, FRAME_REAL, 1},
	[FRAME_KINETIC_ENERGY] = {OBSERVABLE("kinetic_energy"), ROWS_FRAME, FRAME_REAL, 1},
	[FRAME_MEAN_OVERLAP] = {OBSERVABLE("mean_overlap"), ROWS_FRAME, FRAME_REAL, 1},
	[FRAME_MAX_OVERLAP] = {OBSERVABLE("max_overlap"), ROWS_FRAME, FRAME_REAL, 1},
	[FRAME_IMBALANCE] = {OBSERVABLE("imbalance"), ROWS_FRAME, FRAME_REAL, 1},
	[FRAME_STRESS] = {OBSERVABLE("stress"), ROWS_AXIS, FRAME_REAL, 3},
	[FRAME_STRESS_CONTACT] = {OBSERVABLE("stress_contact"), ROWS_AXIS, FRAME_REAL, 3},
	[FRAME_STRESS_KINETIC] = {OBSERVABLE("stress_kinetic"), ROWS_AXIS, FRAME_REAL, 3},
	[FRAME_FABRIC] = {OBSERVABLE("fabric"), ROWS_AXIS, FRAME_REAL, 3},
	[FRAME_RATE] = {OBSERVABLE("rate"), ROWS_AXIS, FRAME_REAL, 3},
	[FRAME_FORCES] = {OBSERVABLE("forces"), ROWS_FRAME, FRAME_LONG, FORCE_BINS + 1},
	[FRAME_NORMAL_ANGLES] = {OBSERVABLE("normal_angles"), ROWS_FRAME, FRAME_LONG, NORMAL_ANGLES},
	[FRAME_NORMAL_COSINES] = {OBSERVABLE("normal_cosines"), ROWS_AXIS, FRAME_LONG, NORMAL_COSINES},
	[FRAME_RADIAL] = {OBSERVABLE("radial"), ROWS_FRAME, FRAME_REAL, RADIAL_BINS},
	[FRAME_RADIAL_RANGE] = {OBSERVABLE("radial_range"), ROWS_FRAME, FRAME_REAL, 1},
	[FRAME_TIME] = {GRAINS "position/time", ROWS_FRAME, FRAME_REAL, 1},
	[FRAME_STEP] = {GRAINS "position/step", ROWS_FRAME, FRAME_LONG, 1},
};

// H5MD wants step and time beside every value. All are the same, so all are links to one pair.
static const char *const time_groups[] = {
	GRAINS "velocity", GRAINS "spin",     GRAINS "orientation",     GRAINS "image", GRAINS "id",
	GRAINS "radius",   GRAINS "material", "observables/grain_count", "contacts",     "walls",
};

hid_t frame_type_memory(frame_type type)
{
	switch (type) {
	case FRAME_REAL: return H5T_NATIVE_DOUBLE;
	case FRAME_LONG: return H5T_NATIVE_INT64;
	case FRAME_INT: return H5T_NATIVE_INT32;
	default: return H5T_NATIVE_UINT8;
	}
}

size_t frame_type_bytes(frame_type type)
{
	return type == FRAME_BYTE ? 1 : type == FRAME_INT ? sizeof(int32_t) : 8;
}

// The group that holds value, step and time of an observable.
static void group_of(int column, char group[TALUS_NAME_MAX])
{
	const char *path = frame_columns[column].path;
	snprintf(group, TALUS_NAME_MAX, "%.*s", (int)(strlen(path) - strlen("/value")), path);
}

void frame_observable_name(int column, char name[TALUS_NAME_MAX])
{
	char group[TALUS_NAME_MAX];
	group_of(column, group);
	snprintf(name, TALUS_NAME_MAX, "%.*s", TALUS_NAME_MAX - 1, strchr(group, '/') + 1);
}

bool frame_column_is_there(hid_t file, int column)
{
	char group[TALUS_NAME_MAX];
	// A failure counts as there: it will show when it is opened.
	if (column == FRAME_BONDED)
		return H5Lexists(file, frame_columns[column].path, H5P_DEFAULT) != 0;
	if (!frame_is_observable(column) && column != FRAME_EDGES)
		return true;
	group_of(column, group);
	return H5Lexists(file, group, H5P_DEFAULT) != 0;
}

static bool any_periodic(const frame_header *header)
{
	return header->periodic[0] || header->periodic[1] || header->periodic[2];
}

// Open space has no edges: readers would take whatever stands there for a period.
static bool column_belongs(int column, const frame_header *header)
{
	if (column == FRAME_EDGES)
		return any_periodic(header);
	if (column == FRAME_NORMAL_ANGLES || column == FRAME_NORMAL_COSINES)
		return header->observables && (column == FRAME_NORMAL_ANGLES) == (header->dimension == 2);
	return header->observables || !frame_is_observable(column);
}

// ---------------------------------------------------------------- arrays

static hsize_t between(size_t least, size_t value, size_t most)
{
	return value < least ? least : value > most ? most : value;
}

// Chunks of some ten kilobytes: whole frames while they are small, parts of one when they are large.
static hdf_shape column_shape(const frame_column *column, const frame_header *header)
{
	hsize_t width = (hsize_t)column->width;
	if (column->rows == ROWS_FRAME)
		return (hdf_shape){width > 1 ? 2 : 1, {0, width}, {between(1, 512/(size_t)width, 64), width}, false};
	if (column->rows == ROWS_CONTACT) {
		hsize_t chunk = between(64, 2*header->rows, header->compressed ? 1024 : 4096);
		return (hdf_shape){width > 1 ? 2 : 1, {0, width}, {chunk, width}, header->compressed};
	}
	hsize_t rows = column->rows == ROWS_GRAIN ? header->rows : column->rows == ROWS_WALL ? (hsize_t)header->walls : 3;
	bool compressed = column->rows == ROWS_GRAIN && header->compressed;
	// a chunk that is written twice leaves its first compressed form behind: these have one frame each
	hsize_t frames = compressed ? 1 : between(1, 512/between(1, rows, 512), 64);
	return (hdf_shape){width > 1 ? 3 : 2, {0, rows, width}, {frames, between(1, rows, 4096), width}, compressed};
}

static bool column_create(hid_t file, int c, const frame_header *header)
{
	static const int64_t no_long = -1;
	static const int32_t no_int = -1;
	static const double nowhere = NAN;
	const frame_column *column = &frame_columns[c];
	hdf_shape shape = column_shape(column, header);
	const void *fill = c == FRAME_ID         ? (const void *)&no_long
	                   : c == FRAME_MATERIAL ? (const void *)&no_int
	                   : c == FRAME_POSITION ? (const void *)&nowhere
	                                         : NULL;
	return hdf_set_create(file, column->path, frame_type_memory(column->type), &shape, fill);
}

static bool time_link(hid_t file, const char *group)
{
	char step[128], time[128];
	snprintf(step, sizeof step, "%s/step", group);
	snprintf(time, sizeof time, "%s/time", group);
	return H5Lcreate_hard(file, frame_columns[FRAME_STEP].path, file, step, H5P_DEFAULT, H5P_DEFAULT) >= 0 &&
	       H5Lcreate_hard(file, frame_columns[FRAME_TIME].path, file, time, H5P_DEFAULT, H5P_DEFAULT) >= 0;
}

// Bins of equal width over a range that never changes.
static bool range_write(hid_t file, int column, double high)
{
	const double range[2] = {0, high};
	char group[TALUS_NAME_MAX];
	group_of(column, group);
	hid_t place = H5Gopen2(file, group, H5P_DEFAULT);
	bool ok = place >= 0 && hdf_note_write(place, "range", H5T_NATIVE_DOUBLE, 2, range);
	return place >= 0 && H5Gclose(place) >= 0 && ok;
}

static bool observables_complete(hid_t file, const frame_header *header)
{
	char group[TALUS_NAME_MAX];
	if (!header->observables)
		return true;
	for (int c = FRAME_OBSERVABLES_FIRST; c <= FRAME_OBSERVABLES_LAST; c++) {
		group_of(c, group);
		if (column_belongs(c, header) && !time_link(file, group))
			return false;
	}
	return range_write(file, FRAME_FORCES, FORCE_RANGE) &&
	       (header->dimension == 2 ? range_write(file, FRAME_NORMAL_ANGLES, M_PI)
	                               : range_write(file, FRAME_NORMAL_COSINES, 1));
}

static bool arrays_create(hid_t file, const frame_header *header)
{
	for (int c = 0; c < FRAME_COLUMNS; c++)
		if (column_belongs(c, header) && !column_create(file, c, header))
			return false;
	for (size_t i = 0; i < sizeof time_groups/sizeof time_groups[0]; i++)
		if (!time_link(file, time_groups[i]))
			return false;
	if (any_periodic(header) ? !time_link(file, GRAINS "box/edges") : !hdf_group_create(file, GRAINS "box"))
		return false;
	if (!observables_complete(file, header))
		return false;
	// other readers of H5MD look for the kind of a particle under this name
	return H5Lcreate_hard(file, GRAINS "material", file, GRAINS "species", H5P_DEFAULT, H5P_DEFAULT) >= 0;
}

frame_part frame_part_of(const frame_column *column, size_t k, size_t rows, size_t offset)
{
	hsize_t width = (hsize_t)column->width;
	if (column->rows == ROWS_FRAME)
		return (frame_part){{k, 0}, {1, width}, false};
	if (column->rows == ROWS_CONTACT)
		return (frame_part){{offset, 0}, {rows, width}, rows == 0};
	return (frame_part){{k, 0, 0}, {1, rows, width}, rows == 0};
}

// ---------------------------------------------------------------- walls

typedef struct wall_field {
	const char *name;
	size_t offset;
	enum { WALL_REAL, WALL_INT, WALL_BOOL } type;
	int width;
} wall_field;

#define WALL(member, type, width) {#member, offsetof(talus_wall_def, member), type, width}
static const wall_field wall_fields[] = {
	WALL(kind, WALL_INT, 1),
	WALL(point, WALL_REAL, 3),
	WALL(to, WALL_REAL, 3),
	WALL(axis, WALL_REAL, 3),
	WALL(radius, WALL_REAL, 1),
	WALL(angle, WALL_REAL, 1),
	WALL(from, WALL_REAL, 1),
	WALL(last, WALL_REAL, 1),
	WALL(inside, WALL_BOOL, 1),
	WALL(has_hole, WALL_BOOL, 1),
	WALL(hole_at, WALL_REAL, 3),
	WALL(hole_radius, WALL_REAL, 1),
	WALL(material, WALL_INT, 1),
	WALL(velocity, WALL_REAL, 3),
	WALL(spin, WALL_REAL, 1),
	WALL(oscillate_direction, WALL_REAL, 3),
	WALL(oscillate_amplitude, WALL_REAL, 1),
	WALL(oscillate_frequency, WALL_REAL, 1),
	WALL(oscillate_phase, WALL_REAL, 1),
	WALL(mass, WALL_REAL, 1),
	WALL(force, WALL_REAL, 3),
	WALL(free, WALL_INT, 1),
	WALL(weightless, WALL_BOOL, 1),
};
enum { WALL_FIELDS = sizeof wall_fields/sizeof wall_fields[0] };

static size_t wall_bytes(const wall_field *field)
{
	return field->type == WALL_REAL ? sizeof(double) : field->type == WALL_INT ? sizeof(int) : sizeof(bool);
}

static hid_t wall_type(const wall_field *field)
{
	return field->type == WALL_REAL ? H5T_NATIVE_DOUBLE : field->type == WALL_INT ? H5T_NATIVE_INT : H5T_NATIVE_UINT8;
}

// One field of all walls, to or from the file.
static bool wall_field_move(hid_t group, const wall_field *field, int count, talus_wall_def *def, bool write)
{
	size_t size = wall_bytes(field)*(size_t)field->width;
	hsize_t rows = (hsize_t)count, width = (hsize_t)field->width;
	char *block = memory_grow(NULL, 0, size*(size_t)count);
	for (int i = 0; write && i < count; i++)
		memcpy(block + size*(size_t)i, (char *)&def[i] + field->offset, size);
	bool ok = write ? hdf_table_write(group, field->name, wall_type(field), rows, width, block)
	                : hdf_table_read(group, field->name, wall_type(field), rows, width, block);
	for (int i = 0; ok && !write && i < count; i++)
		memcpy((char *)&def[i] + field->offset, block + size*(size_t)i, size);
	memory_free(block);
	return ok;
}

static bool walls_move(hid_t group, int count, talus_wall_def *def, bool write)
{
	for (int f = 0; f < WALL_FIELDS; f++)
		if (!wall_field_move(group, &wall_fields[f], count, def, write))
			return false;
	return true;
}

// ---------------------------------------------------------------- names

static bool names_write(hid_t place, const char *path, int count, const char *first, size_t stride)
{
	char *block = memory_grow(NULL, 0, (size_t)count*TALUS_NAME_MAX);
	memset(block, 0, (size_t)count*TALUS_NAME_MAX);
	for (int i = 0; i < count; i++)
		snprintf(block + i*TALUS_NAME_MAX, TALUS_NAME_MAX, "%s", first + (size_t)i*stride);
	hid_t type = hdf_text_type(TALUS_NAME_MAX);
	bool ok = hdf_table_write(place, path, type, (hsize_t)count, 1, block);
	H5Tclose(type);
	memory_free(block);
	return ok;
}

static bool names_read(hid_t place, const char *path, int count, char *first, size_t stride)
{
	char *block = memory_grow(NULL, 0, (size_t)count*TALUS_NAME_MAX);
	hid_t type = hdf_text_type(TALUS_NAME_MAX);
	bool ok = hdf_table_read(place, path, type, (hsize_t)count, 1, block);
	H5Tclose(type);
	for (int i = 0; ok && i < count; i++)
		snprintf(first + (size_t)i*stride, TALUS_NAME_MAX, "%.*s", TALUS_NAME_MAX - 1, block + i*TALUS_NAME_MAX);
	memory_free(block);
	return ok;
}

// ---------------------------------------------------------------- header

static bool h5md_write(hid_t file)
{
	static const int version[2] = {1, 1};
	if (!hdf_group_create(file, "h5md/author") || !hdf_group_create(file, "h5md/creator"))
		return false;
	hid_t h5md = H5Gopen2(file, "h5md", H5P_DEFAULT), author = H5Gopen2(file, "h5md/author", H5P_DEFAULT);
	hid_t creator = H5Gopen2(file, "h5md/creator", H5P_DEFAULT);
	return hdf_note_write(h5md, "version", H5T_NATIVE_INT, 2, version) && hdf_text_write(author, "name", "unknown") &&
	       hdf_text_write(creator, "name", "talus") && hdf_text_write(creator, "version", TALUS_VERSION);
}

static bool box_write(hid_t file, const frame_header *header)
{
	static const int dimension = 3; // 2D grains lie in the plane z = 0 of it
	char boundary[3][9] = {{0}};
	for (int k = 0; k < 3; k++)
		snprintf(boundary[k], sizeof boundary[k], "%s", header->periodic[k] ? "periodic" : "none");
	hid_t box = H5Gopen2(file, GRAINS "box", H5P_DEFAULT), type = hdf_text_type(sizeof boundary[0]);
	bool ok = hdf_note_write(box, "dimension", H5T_NATIVE_INT, 1, &dimension) &&
	          hdf_note_write(box, "boundary", type, 3, boundary) &&
	          hdf_note_write(box, "origin", H5T_NATIVE_DOUBLE, 3, header->origin);
	H5Tclose(type);
	return ok;
}

// Frames without contacts say so: there may be none in them for another reason.
static const char contacts_written[] = "contacts";

static bool contacts_mark(hid_t parameters, bool none)
{
	int written = !none;
	return hdf_note_write(parameters, contacts_written, H5T_NATIVE_INT, 1, &written);
}

bool frame_no_contacts(hid_t file)
{
	int written = 1; // so it was before this was noted
	hid_t parameters = H5Gopen2(file, "parameters", H5P_DEFAULT);
	if (parameters < 0)
		return false;
	if (H5Aexists(parameters, contacts_written) > 0)
		hdf_note_read(parameters, contacts_written, H5T_NATIVE_INT, 1, &written);
	H5Gclose(parameters);
	return !written;
}

static bool is_compressed(hid_t file)
{
	hid_t set = H5Dopen2(file, frame_columns[FRAME_POSITION].path, H5P_DEFAULT), creation = H5Dget_create_plist(set);
	bool compressed = H5Pget_nfilters(creation) > 0;
	return H5Pclose(creation) >= 0 && H5Dclose(set) >= 0 && compressed;
}

bool frame_header_write(hid_t file, const frame_header *header)
{
	if (!h5md_write(file) || !arrays_create(file, header) || !box_write(file, header))
		return false;
	if (!hdf_group_create(file, "parameters") || !hdf_group_create(file, "walls/definition"))
		return false;
	hid_t parameters = H5Gopen2(file, "parameters", H5P_DEFAULT);
	if (!hdf_text_write(parameters, "title", header->title) ||
	    !hdf_note_write(parameters, "dimension", H5T_NATIVE_INT, 1, &header->dimension) ||
	    !contacts_mark(parameters, header->no_contacts))
		return false;
	hid_t definition = H5Gopen2(file, "walls/definition", H5P_DEFAULT);
	return names_write(parameters, "materials", header->materials, header->material ? header->material->name : NULL,
	                   sizeof *header->material) &&
	       names_write(definition, "name", header->walls, header->wall ? header->wall->name : NULL,
	                   sizeof *header->wall) &&
	       walls_move(definition, header->walls, header->wall, true);
}

static bool box_read(hid_t file, frame_header *header)
{
	char boundary[3][9];
	hid_t box = H5Gopen2(file, GRAINS "box", H5P_DEFAULT), type = hdf_text_type(sizeof boundary[0]);
	bool ok = box >= 0 && hdf_note_read(box, "boundary", type, 3, boundary) &&
	          hdf_note_read(box, "origin", H5T_NATIVE_DOUBLE, 3, header->origin);
	H5Tclose(type);
	for (int k = 0; ok && k < 3; k++)
		header->periodic[k] = strncmp(boundary[k], "periodic", 8) == 0;
	return ok;
}

bool frame_rows_read(hid_t file, size_t *rows)
{
	hid_t set = H5Dopen2(file, frame_columns[FRAME_ID].path, H5P_DEFAULT);
	hdf_shape shape;
	if (set < 0 || !hdf_set_shape(set, &shape) || shape.rank != 2)
		return false;
	*rows = (size_t)shape.size[1];
	return H5Dclose(set) >= 0;
}

bool frame_header_read(hid_t file, frame_header *header)
{
	memset(header, 0, sizeof *header);
	hid_t parameters = H5Gopen2(file, "parameters", H5P_DEFAULT);
	hid_t definition = H5Gopen2(file, "walls/definition", H5P_DEFAULT);
	hsize_t wall_rows = 0, material_rows = 0;
	if (parameters < 0 || definition < 0 || !hdf_text_read(parameters, "title", header->title, sizeof header->title) ||
	    !hdf_note_read(parameters, "dimension", H5T_NATIVE_INT, 1, &header->dimension) || !box_read(file, header) ||
	    !frame_rows_read(file, &header->rows) || !hdf_table_rows(definition, "name", &wall_rows) ||
	    !hdf_table_rows(parameters, "materials", &material_rows))
		return false;
	header->observables = frame_column_is_there(file, FRAME_PRESSURE);
	header->no_contacts = frame_no_contacts(file);
	header->compressed = is_compressed(file);
	header->walls = (int)wall_rows;
	header->materials = (int)material_rows;
	size_t wall_bytes_all = (size_t)wall_rows*sizeof *header->wall;
	size_t material_bytes = (size_t)material_rows*sizeof *header->material;
	header->wall = memset(memory_grow(NULL, 0, wall_bytes_all), 0, wall_bytes_all);
	header->material = memset(memory_grow(NULL, 0, material_bytes), 0, material_bytes);
	return names_read(definition, "name", header->walls, header->wall->name, sizeof *header->wall) &&
	       walls_move(definition, header->walls, header->wall, false) &&
	       names_read(parameters, "materials", header->materials, header->material->name, sizeof *header->material);
}

void frame_header_free(frame_header *header)
{
	memory_free(header->wall);
	memory_free(header->material);
	memset(header, 0, sizeof *header);
}

// ---------------------------------------------------------------- how many frames

bool frame_scalars(hid_t file, int column, size_t first, size_t count, void *data)
{
	hid_t set = H5Dopen2(file, frame_columns[column].path, H5P_DEFAULT);
	if (set < 0)
		return false;
	hsize_t start = first, rows = count;
	bool ok = !count || hdf_set_get(set, frame_type_memory(frame_columns[column].type), &start, &rows, data);
	return H5Dclose(set) >= 0 && ok;
}

// Does the file hold the contacts of frame k?
static bool contacts_reach(hid_t file, size_t k, hsize_t touches)
{
	int64_t offset, count;
	return frame_scalars(file, FRAME_OFFSET, k, 1, &offset) && frame_scalars(file, FRAME_COUNT, k, 1, &count) &&
	       offset >= 0 && count >= 0 && (hsize_t)(offset + count) <= touches;
}

// A kill between two arrays leaves some of them a frame longer than others: a frame counts when it is in all of them.
bool frame_count(hid_t file, size_t *count)
{
	hsize_t frames = HSIZE_UNDEF, touches = HSIZE_UNDEF;
	for (int c = 0; c < FRAME_COLUMNS; c++) {
		hsize_t rows, *least = frame_columns[c].rows == ROWS_CONTACT ? &touches : &frames;
		if (!frame_column_is_there(file, c))
			continue;
		if (!hdf_table_rows(file, frame_columns[c].path, &rows))
			return false;
		*least = rows < *least ? rows : *least;
	}
	while (frames && !contacts_reach(file, (size_t)frames - 1, touches))
		frames--;
	*count = (size_t)frames;
	return true;
}
