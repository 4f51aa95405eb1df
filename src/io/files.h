// SPDX-License-Identifier: MIT
// What a run leaves in its folder: frames, log, checkpoint, summary. Written between steps, never inside one.
#ifndef TALUS_IO_FILES_H
#define TALUS_IO_FILES_H

#include "io/scene.h"
#include "observe/observable.h"
#include "observe/soft_watch.h"
#include <stdio.h>
#include <sys/types.h>
#include <talus/talus.h>

// lock.c: a run owns its folder while it writes there; readers may come at any time.
typedef enum folder_use { FOLDER_FREE, FOLDER_BUSY, FOLDER_UNKNOWN } folder_use; // unknown: perhaps from another machine
int folder_lock(const char *folder, talus_error *error); // for folder_unlock; -1: another run has it
void folder_unlock(int lock);
// A path to the folder that was locked which leads there even if it is moved, where the system has such a thing.
void folder_place(char place[TALUS_PATH_MAX], const char *folder, int lock);
// Is this still the folder that was locked, and not another one that was put in its place?
bool folder_is_held(const char *folder, int lock, talus_error *error);
folder_use folder_look(const char *folder); // does somebody write there?

// folder.c
bool folder_path(char path[TALUS_PATH_MAX], const char *folder, const char *name, talus_error *error);
void folder_tidy(const char *folder); // removes what killed writers have left; only for who holds the lock
bool folder_is_link(const char *folder);
bool folder_has(const char *folder, const char *name); // is there something of this name?
bool folder_sync(const char *folder, talus_error *error); // what was appended reaches the disk
// Files in the folder of a run are the run's own: links in their place are not followed, since they may lead anywhere.
int file_make(const char *path);                // a new one in place of what was there, for writing; -1 and errno
int file_own_open(const char *path, int flags); // one that is there; -1 and errno
// For reading, at the end of links, and files only: a pipe or a device may have no end. NULL or -1, and errno.
int file_read_open(const char *path);
enum { TEXT_MOST = 1 << 28 }; // bytes of a scene or a summary
FILE *file_read_stream(const char *path, long long most); // of at most so many bytes
void file_link_remove(const char *path);        // if it is one
const char *file_reason(int number);            // what errno says, also of links
// All of the bytes at a place, or false and errno.
bool file_put(int file, const void *data, size_t size, off_t place);
bool file_get(int file, void *data, size_t size, off_t place);
bool file_settle(int file);              // reaches the disk
bool file_name_settle(const char *path); // its name does, with the folder it is in
bool file_write(int file, const char *path, const void *data, size_t size, talus_error *error);
// Where a file that the user has named is to be written: at the end of a link. False if there is something else, as a device,
// a pipe or a folder, which a rename would destroy.
bool file_place(char place[TALUS_PATH_MAX], const char *path, talus_error *error);
bool file_commit(const char *temporary, const char *path, talus_error *error); // to the disk, with its new name
bool file_replace(const char *folder, const char *name, const void *data, size_t size, talus_error *error);

// frames.c: run.h5 in H5MD, one frame appended at a time. The file is closed between frames, so that it opens at any moment.
size_t frames_rows(const talus_world *world); // grains that frames made now have room for: those of now and of its pours
bool frames_create(const char *folder, const talus_world *world, const char *title, talus_error *error);
typedef struct frame_options { // chosen when the file is made
	bool no_contacts; // only grains, walls and observables
	bool compressed;
} frame_options;
bool frames_create_with(const char *folder, const talus_world *world, const char *title, const frame_options *options,
                        talus_error *error);
bool frames_append(const char *folder, const talus_world *world, talus_error *error);
bool frames_append_seen(const char *folder, observations *seen, talus_error *error);
bool frames_truncate(const char *folder, uint64_t last_step, talus_error *error); // drops what came after
// Frames that a checkpoint knows survive whatever happens to later ones.
bool frames_secure(const char *folder, uint64_t step, talus_error *error);  // there is a checkpoint of this step now
bool frames_restore(const char *folder, uint64_t step, talus_error *error); // back to it, before anything else is done
bool frames_finish(const char *folder, talus_error *error);                 // nothing more will come

// One frame read back, for pictures and exports. Arrays are owned by the frame.
typedef struct frame_wall {
	talus_wall_def def; // geometry as it is in this frame
	talus_vec3 force, torque;
} frame_wall;

typedef struct frame {
	uint64_t step;
	double time;
	int dimension;
	size_t grains;
	uint32_t *id;
	double (*x)[3], (*v)[3], (*spin)[3], (*q)[4];
	double *radius;
	int *material;
	bool periodic[3];
	double origin[3], cell[3][3]; // columns are the edges
	size_t contacts;
	bool no_contacts; // they were not written
	int64_t (*body)[2]; // ids, or -1 - wall
	double (*n)[3], (*force)[3], (*torque)[3], *gap; // force and torque on the second body
	uint8_t *bonded;
	int walls;
	frame_wall *wall;
} frame;

bool frames_count(const char *folder, size_t *count, talus_error *error);
bool frames_list(const char *folder, size_t *count, uint64_t **step, double **time, talus_error *error);
void frames_list_free(uint64_t *step, double *time);
frame *frame_read(const char *folder, size_t index, talus_error *error);
void frame_free(frame *frame);

// xdmf.c: run.xdmf points ParaView at the arrays of run.h5.
bool xdmf_write(const char *folder, talus_error *error);  // all frames
bool xdmf_append(const char *folder, talus_error *error); // the last one

// log.c
bool log_create(const char *folder, const talus_world *world, talus_error *error);
bool log_append(const char *folder, const talus_world *world, talus_error *error);
// The same, and the other `..._seen`: what was measured for one file is not measured again for the others.
bool log_append_seen(const char *folder, observations *seen, talus_error *error);
// What comes after a step goes, and an incomplete last line. Damaged rows before it are left out; then the file as it was
// stays as log.csv.old.
bool log_truncate(const char *folder, uint64_t last_step, talus_error *error);
typedef struct log_extent { // of the sound rows up to some step
	size_t rows, bytes;
	size_t damaged; // rows that are not sound, before the last that is
	size_t spoilt;  // and after it
	uint64_t last_step;
	double last_time;
} log_extent;
bool log_measure(const char *folder, uint64_t last_step, log_extent *extent, talus_error *error);
bool log_fits(const char *folder, const talus_world *world); // has it the columns that rows of now have?

// checkpoint.c: the exact state, written beside and renamed, so that there is always a whole one.
// `seconds`: what the run has taken so far, by the clock.
bool checkpoint_write(const char *folder, const talus_world *world, double seconds, talus_error *error);
typedef struct run_origin { // how a run came to be; kept through all its parts
	char started[32];   // 2026-11-16T18:00:00Z
	char command[1024]; // as it was typed, cut if it is longer
} run_origin;
bool checkpoint_write_with(const char *folder, const talus_world *world, double seconds, const run_origin *origin, const soft_watch *soft,
                           talus_error *error);
bool checkpoint_read(const char *folder, talus_world *world, double *seconds, talus_error *error); // into scene_build(empty)
// The same as a file of any name, of a world that need not come from a scene; into one that has no grains yet.
bool checkpoint_save(const char *path, const talus_world *world, talus_error *error);
bool checkpoint_restore(const char *path, talus_world *world, talus_error *error);
typedef struct checkpoint_head {
	uint64_t step;
	double time, seconds;
	size_t grains;
	run_origin origin;
	soft_watch soft;
} checkpoint_head;
bool checkpoint_look(const char *folder, checkpoint_head *head, talus_error *error); // without a world

// summary.c
typedef struct run_warning {
	const char *code, *message;
} run_warning;
typedef struct run_record { // what a summary says beside the state
	const char *title;
	run_origin origin;
	const char *stopped; // by what, if it is not at its end and may go on
	const char *failed;  // why it cannot come to its end
	bool unsound;        // and the state is no longer one to be measured: not finite, or in a cell that does not hold it
	double seconds;
	int threads;
	const run_warning *warnings;
	int warning_count;
} run_record;
bool summary_write(const char *folder, const talus_world *world, const run_record *record, talus_error *error);
bool summary_write_seen(const char *folder, observations *seen, const run_record *record, talus_error *error);
bool summary_is_whole(const char *folder); // there is one, from its first bracket to its last
bool summary_finished(const char *folder); // it is whole, and that of the end
void summary_now(char text[32]); // date and time, as in run_origin

// json.c
void json_text(FILE *out, const char *text);
void json_number(FILE *out, double number); // null if it is not finite
bool json_is_whole(const char *text); // one mapping, and nothing but blanks around it

#endif
