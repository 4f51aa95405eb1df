// SPDX-License-Identifier: MIT
// The layout of run.h5: one table of its arrays, for those who write, read, cut and point at them.
#ifndef TALUS_IO_FRAMES_H
#define TALUS_IO_FRAMES_H

#include "io/files.h"
#include "io/hdf5_tools.h"

typedef enum frame_rows {
	ROWS_FRAME,   // [frame], or [frame][width]
	ROWS_GRAIN,   // [frame][grain]: rows behind the last grain of a frame hold fill values, its place no number
	ROWS_WALL,    // [frame][wall]
	ROWS_AXIS,    // [frame][3]: one for each direction
	ROWS_CONTACT, // [contact]: those of all frames one after the other, `offset` and `count` say which are whose
} frame_rows;

typedef enum frame_type { FRAME_REAL, FRAME_LONG, FRAME_INT, FRAME_BYTE } frame_type;

typedef struct frame_column {
	const char *path;
	frame_rows rows;
	frame_type type;
	int width; // numbers a row
} frame_column;

enum {
	FRAME_POSITION,
	FRAME_VELOCITY,
	FRAME_SPIN,
	FRAME_ORIENTATION,
	FRAME_IMAGE,
	FRAME_ID,
	FRAME_RADIUS,
	FRAME_MATERIAL,
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
	FRAME_PRESSURE, // the first of the observables
	FRAME_CONTACT_PRESSURE,
	FRAME_KINETIC_PRESSURE,
	FRAME_DEVIATOR,
	FRAME_VOLUME_FRACTION,
	FRAME_COORDINATION,
	FRAME_COORDINATION_NETWORK,
	FRAME_RATTLERS,
	FRAME_RATTLERS_NETWORK,
	FRAME_ANISOTROPY,
	FRAME_MEAN_FORCE,
	FRAME_MAX_FORCE,
	FRAME_WEAK_SHARE,
	FRAME_WEAK_PRESSURE_SHARE,
	FRAME_PULL_SHARE,
	FRAME_MOBILISATION,
	FRAME_SLIDING_SHARE,
	FRAME_TEMPERATURE,
	FRAME_SPIN_TEMPERATURE,
	FRAME_KINETIC_ENERGY,
	FRAME_MEAN_OVERLAP,
	FRAME_MAX_OVERLAP,
	FRAME_IMBALANCE,
	FRAME_STRESS,
	FRAME_STRESS_CONTACT,
	FRAME_STRESS_KINETIC,
	FRAME_FABRIC,
	FRAME_RATE,
	FRAME_FORCES,
	FRAME_NORMAL_ANGLES,  // 2D only
	FRAME_NORMAL_COSINES, // 3D only
	FRAME_RADIAL,
	FRAME_RADIAL_RANGE, // the last of the observables
	FRAME_TIME,
	FRAME_STEP, // the last to be written: a frame is there when its step is
	FRAME_COLUMNS,
	FRAME_OBSERVABLES_FIRST = FRAME_PRESSURE,
	FRAME_OBSERVABLES_LAST = FRAME_RADIAL_RANGE,
};
extern const frame_column frame_columns[FRAME_COLUMNS];

hid_t frame_type_memory(frame_type type); // as the program holds it; not to be closed
size_t frame_type_bytes(frame_type type);
bool frame_column_is_there(hid_t file, int column); // some are for 2D or 3D, and older versions did without some

// Numbers about the whole state, which have their names from the log and the summary.
static inline bool frame_is_observable(int column)
{
	return column >= FRAME_OBSERVABLES_FIRST && column <= FRAME_OBSERVABLES_LAST;
}
void frame_observable_name(int column, char name[TALUS_NAME_MAX]);
bool frames_observables(const char *folder, bool there[FRAME_COLUMNS], talus_error *error);

// What does not change from frame to frame.
typedef struct frame_header {
	char title[256];
	int dimension;
	bool observables; // false: a file of a version that had none
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
