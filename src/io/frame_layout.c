// SPDX-License-Identifier: MIT
// The layout of run.h5: H5MD 1.1 (de Buyl, Colberg & Hoefling 2014) for the grains, contacts and walls beside it.
#include "io/frames.h"

#include "base/memory.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define GRAINS "particles/grains/"
const frame_column frame_columns[FRAME_COLUMNS] = {
	[FRAME_EDGES] = {GRAINS "box/edges/value", ROWS_AXIS, FRAME_REAL, 3, .optional = true},
	[FRAME_GRAINS] = {"observables/grain_count/value", ROWS_FRAME, FRAME_LONG, .width = 1},
	[FRAME_OFFSET] = {"contacts/offset", ROWS_FRAME, FRAME_LONG, .width = 1},
	[FRAME_COUNT] = {"contacts/count", ROWS_FRAME, FRAME_LONG, .width = 1},
	[FRAME_BODIES] = {"contacts/bodies", ROWS_CONTACT, FRAME_LONG, .width = 2},
	[FRAME_NORMAL] = {"contacts/normal", ROWS_CONTACT, FRAME_REAL, .width = 3},
	[FRAME_GAP] = {"contacts/gap", ROWS_CONTACT, FRAME_REAL, .width = 1},
	[FRAME_FORCE] = {"contacts/force", ROWS_CONTACT, FRAME_REAL, .width = 3},
	[FRAME_TORQUE] = {"contacts/torque", ROWS_CONTACT, FRAME_REAL, 3, .sparse = true},
	[FRAME_BONDED] = {"contacts/bonded", ROWS_CONTACT, FRAME_BYTE, 1, .optional = true, .sparse = true},
	[FRAME_WALL_POINT] = {"walls/point", ROWS_WALL, FRAME_REAL, .width = 3},
	[FRAME_WALL_TO] = {"walls/to", ROWS_WALL, FRAME_REAL, .width = 3},
	[FRAME_WALL_AXIS] = {"walls/axis", ROWS_WALL, FRAME_REAL, .width = 3},
	[FRAME_WALL_HOLE] = {"walls/hole_at", ROWS_WALL, FRAME_REAL, .width = 3},
	[FRAME_WALL_VELOCITY] = {"walls/velocity", ROWS_WALL, FRAME_REAL, .width = 3},
	[FRAME_WALL_FORCE] = {"walls/force", ROWS_WALL, FRAME_REAL, .width = 3},
	[FRAME_WALL_TORQUE] = {"walls/torque", ROWS_WALL, FRAME_REAL, .width = 3},
	[FRAME_TIME] = {GRAINS "position/time", ROWS_FRAME, FRAME_REAL, .width = 1},
	[FRAME_STEP] = {GRAINS "position/step", ROWS_FRAME, FRAME_LONG, .width = 1},
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

// ---------------------------------------------------------------- columns from tables

static frame_column grain_column(const body_column *grain)
{
	static const frame_type types[] = {[BODY_REAL] = FRAME_REAL, [BODY_U32] = FRAME_LONG, [BODY_I32] = FRAME_INT, [BODY_U16] = FRAME_INT,
	                                   [BODY_U8] = FRAME_BYTE};
	frame_column column = {.rows = ROWS_GRAIN, .type = types[grain->type], .width = grain->width, .optional = grain->later, .grain = grain};
	snprintf(column.path, sizeof column.path, GRAINS "%s/value", grain->frame);
	return column;
}

frame_column frame_grain_column(const char *name)
{
	for (const body_column *c = body_columns; c < body_columns + BODY_COLUMNS; c++)
		if (c->frame && strcmp(c->frame, name) == 0)
			return grain_column(c);
	assert(false && "a column that frames have");
	return (frame_column){0};
}

// Tensors are [frame][3][3], symmetric ones too.
static frame_column observable_column(const observable *o)
{
	bool axes = o->shape == TALUS_TENSOR || o->shape == TALUS_SYMMETRIC || o->shape == TALUS_LISTS;
	size_t count = o->shape == TALUS_SYMMETRIC ? 9 : observable_count(o);
	frame_column column = {.rows = axes ? ROWS_AXIS : ROWS_FRAME, .type = o->type == OBSERVABLE_REAL ? FRAME_REAL : FRAME_LONG,
	                       .width = (int)(axes ? count/3 : count), .optional = true, .observable = o};
	snprintf(column.path, sizeof column.path, "observables/%s/value", o->name);
	return column;
}

void frame_layout_make(frame_layout *layout)
{
	observable_list list = observables_in(OBSERVABLE_FRAMES, 0);
	assert(FRAME_COLUMNS + BODY_COLUMNS + list.count <= FRAME_MOST);
	memcpy(layout->at, frame_columns, sizeof frame_columns);
	layout->count = FRAME_COLUMNS;
	for (const body_column *c = body_columns; c < body_columns + BODY_COLUMNS; c++)
		if (c->frame)
			layout->at[layout->count++] = grain_column(c);
	for (int i = 0; i < list.count; i++)
		layout->at[layout->count++] = observable_column(list.at[i]);
}

// The group that holds value, step and time, where a column has one of its own; else the column itself.
static void group_of(const frame_column *column, char group[FRAME_PATH_MAX])
{
	size_t length = strlen(column->path), end = strlen("/value");
	bool has = length > end && strcmp(column->path + length - end, "/value") == 0;
	snprintf(group, FRAME_PATH_MAX, "%.*s", (int)(has ? length - end : length), column->path);
}

bool frame_column_is_there(hid_t file, const frame_column *column)
{
	char group[FRAME_PATH_MAX];
	group_of(column, group);
	// A failure counts as there: it will show when it is opened.
	return !column->optional || H5Lexists(file, group, H5P_DEFAULT) != 0;
}

static bool any_periodic(const frame_header *header)
{
	return header->periodic[0] || header->periodic[1] || header->periodic[2];
}

// Open space has no edges: readers would take whatever stands there for a period.
static bool column_belongs(const frame_layout *layout, int c, const frame_header *header)
{
	const observable *o = layout->at[c].observable;
	if (c == FRAME_EDGES)
		return any_periodic(header);
	return !header->missing[c] && (!o || !o->dimension || o->dimension == header->dimension);
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

// Rows without a grain hold what the table of columns says.
static bool column_create(hid_t file, const frame_column *column, const frame_header *header)
{
	double number = column->grain ? column->grain->no_grain : 0;
	bool is_number = !isnan(number);
	int64_t whole = is_number ? (int64_t)number : 0;
	int32_t small = (int32_t)whole;
	hdf_shape shape = column_shape(column, header);
	const void *fill = column->type == FRAME_REAL ? (const void *)&number : column->type == FRAME_LONG ? (const void *)&whole : (const void *)&small;
	return hdf_set_create(file, column->path, frame_type_memory(column->type), &shape, is_number && number == 0 ? NULL : fill);
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
static bool range_write(hid_t file, const char *group, double high)
{
	const double range[2] = {0, high};
	hid_t place = H5Gopen2(file, group, H5P_DEFAULT);
	bool ok = place >= 0 && hdf_note_write(place, "range", H5T_NATIVE_DOUBLE, 2, range);
	return place >= 0 && H5Gclose(place) >= 0 && ok;
}

// H5MD wants step and time beside every value. All are the same, so all are links to those of the positions.
static bool column_complete(hid_t file, const frame_column *column)
{
	char group[FRAME_PATH_MAX];
	group_of(column, group);
	if (strncmp(frame_columns[FRAME_STEP].path, group, strlen(group)) == 0 || strcmp(group, column->path) == 0)
		return true;
	return time_link(file, group) && (!column->observable || column->observable->high == 0 || range_write(file, group, column->observable->high));
}

static bool columns_create(hid_t file, const frame_layout *layout, const frame_header *header)
{
	for (int c = 0; c < layout->count; c++)
		if (column_belongs(layout, c, header) && !column_create(file, &layout->at[c], header))
			return false;
	for (int c = 0; c < layout->count; c++)
		if (column_belongs(layout, c, header) && !column_complete(file, &layout->at[c]))
			return false;
	return time_link(file, "contacts") && time_link(file, "walls");
}

static bool arrays_create(hid_t file, const frame_header *header)
{
	frame_layout layout;
	frame_layout_make(&layout);
	// other readers of H5MD look for the kind of a particle under `species`
	return columns_create(file, &layout, header) && (any_periodic(header) || hdf_group_create(file, GRAINS "box")) &&
	       H5Lcreate_hard(file, GRAINS "material", file, GRAINS "species", H5P_DEFAULT, H5P_DEFAULT) >= 0;
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
	frame_column position = frame_grain_column("position");
	hid_t set = H5Dopen2(file, position.path, H5P_DEFAULT), creation = H5Dget_create_plist(set);
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
	       frame_walls_write(definition, header->walls, header->wall);
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
	frame_column id = frame_grain_column("id");
	hid_t set = H5Dopen2(file, id.path, H5P_DEFAULT);
	hdf_shape shape;
	if (set < 0 || !hdf_set_shape(set, &shape) || shape.rank != 2)
		return false;
	*rows = (size_t)shape.size[1];
	return H5Dclose(set) >= 0;
}

static void missing_read(hid_t file, frame_header *header)
{
	frame_layout layout;
	frame_layout_make(&layout);
	for (int c = 0; c < layout.count; c++)
		header->missing[c] = !frame_column_is_there(file, &layout.at[c]);
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
	missing_read(file, header);
	header->no_contacts = frame_no_contacts(file);
	header->compressed = is_compressed(file);
	header->walls = (int)wall_rows;
	header->materials = (int)material_rows;
	size_t wall_bytes_all = (size_t)wall_rows*sizeof *header->wall;
	size_t material_bytes = (size_t)material_rows*sizeof *header->material;
	header->wall = memset(memory_grow(NULL, 0, wall_bytes_all), 0, wall_bytes_all);
	header->material = memset(memory_grow(NULL, 0, material_bytes), 0, material_bytes);
	return names_read(definition, "name", header->walls, header->wall->name, sizeof *header->wall) &&
	       frame_walls_read(definition, header->walls, header->wall) &&
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
	frame_layout layout;
	frame_layout_make(&layout);
	for (int c = 0; c < layout.count; c++) {
		hsize_t rows, *least = layout.at[c].rows == ROWS_CONTACT ? &touches : &frames;
		if (!frame_column_is_there(file, &layout.at[c]))
			continue;
		if (!hdf_table_rows(file, layout.at[c].path, &rows))
			return false;
		*least = rows < *least ? rows : *least;
	}
	while (frames && !contacts_reach(file, (size_t)frames - 1, touches))
		frames--;
	*count = (size_t)frames;
	return true;
}
