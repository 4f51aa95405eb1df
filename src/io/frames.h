// SPDX-License-Identifier: MIT
// The layout of run.h5: one table of its arrays, for those who write, read, cut and point at them.
#ifndef TALUS_IO_FRAMES_H
#define TALUS_IO_FRAMES_H

#include "io/files.h"
#include "io/hdf5_tools.h"
#include "observe/observable.h"
#include "state/bodies.h"

typedef enum frame_rows {
	ROWS_FRAME,   // [frame], or [frame][width]
	ROWS_GRAIN,   // [frame][grain]: rows behind the last grain of a frame hold fill values, its place no number
	ROWS_WALL,    // [frame][wall]
	ROWS_AXIS,    // [frame][3]: one for each direction
	ROWS_CONTACT, // [contact]: those of all frames one after the other, `offset` and `count` say which are whose
} frame_rows;

typedef enum frame_type { FRAME_REAL, FRAME_LONG, FRAME_INT, FRAME_BYTE } frame_type;

enum { FRAME_PATH_MAX = TALUS_NAME_MAX + 32 };
typedef struct frame_column {
	char path[FRAME_PATH_MAX];
	frame_rows rows;
	frame_type type;
	int width; // numbers a row
	bool optional; // not in all files: for 2D or 3D, for periodic cells, or older versions did without it
	bool sparse;   // most files have nothing but zeros in it, which take no room
	const body_column *grain;     // a column of grains: that
	const observable *observable; // an observable: which
} frame_column;

// Those that have a place of their own here; grains and observables follow, from their tables.
enum {
	FRAME_EDGES,
	FRAME_GRAINS,
	FRAME_OFFSET,
	FRAME_COUNT,
	FRAME_BODIES,
	FRAME_NORMAL,
	FRAME_GAP,
	FRAME_FORCE,
	FRAME_TORQUE,
	FRAME_BONDED,
	FRAME_WALL_POINT,
	FRAME_WALL_TO,
	FRAME_WALL_AXIS,
	FRAME_WALL_HOLE,
	FRAME_WALL_VELOCITY,
	FRAME_WALL_FORCE,
	FRAME_WALL_TORQUE,
	FRAME_TIME,
	FRAME_STEP, // the last to be written: a frame is there when its step is
	FRAME_COLUMNS,
};
extern const frame_column frame_columns[FRAME_COLUMNS];

// All columns: those, then those of the grains, then the observables.
enum { FRAME_MOST = 192 };
typedef struct frame_layout {
	int count;
	frame_column at[FRAME_MOST];
} frame_layout;
void frame_layout_make(frame_layout *layout);
frame_column frame_grain_column(const char *name); // by its name in frames

hid_t frame_type_memory(frame_type type); // as the program holds it; not to be closed
size_t frame_type_bytes(frame_type type);
bool frame_column_is_there(hid_t file, const frame_column *column);

bool frames_observables(const char *folder, observable_list *there, talus_error *error); // those that the file has
// One number that a frame has by its name, as "coordination"; NAN if the file does without it.
bool frame_observable(const char *folder, size_t index, const char *name, double *value, talus_error *error);

// What does not change from frame to frame.
typedef struct frame_header {
	char title[256];
	int dimension;
	bool missing[FRAME_MOST]; // a file of a version that did without this column
	bool no_contacts, compressed; // as in frame_options
	bool periodic[3];
	double origin[3];
	size_t rows; // room for grains
	int walls;
	talus_wall_def *wall; // owned, as defined at the start
	int materials;
	talus_material *material; // owned
} frame_header;
bool frame_header_write(hid_t file, const frame_header *header); // with all arrays, empty
bool frame_header_read(hid_t file, frame_header *header);
void frame_header_free(frame_header *header);
bool frame_no_contacts(hid_t file); // does it leave them out?
// frame_walls.c: definitions of walls, in their group.
bool frame_walls_write(hid_t group, int count, const talus_wall_def *def);
bool frame_walls_read(hid_t group, int count, talus_wall_def *def);

// Which part of a column belongs to frame k; `rows` of them (grains, walls, contacts), `offset` the first contact.
typedef struct frame_part {
	hsize_t start[HDF_RANK_MAX], count[HDF_RANK_MAX];
	bool empty;
} frame_part;
frame_part frame_part_of(const frame_column *column, size_t k, size_t rows, size_t offset);

// Whole frames in an open file.
bool frame_count(hid_t file, size_t *count);
// Opens run.h5, also that of a killed writer, and lets `read` take from it. False and a sentence if either fails.
bool frames_read_with(const char *folder, bool (*read)(hid_t file, void *into), void *into, talus_error *error);
bool frame_rows_read(hid_t file, size_t *rows); // room for grains
// A column of one number a frame, `count` of them from frame `first` on.
bool frame_scalars(hid_t file, int column, size_t first, size_t count, void *data);

#endif
