// SPDX-License-Identifier: MIT
// A scene as plain data: what the YAML text says, checked, before a world is made of it.
#ifndef TALUS_IO_SCENE_H
#define TALUS_IO_SCENE_H

#include <talus/talus.h>

typedef struct talus_file_def { // grains from a CSV file
	char *path;       // as written; relative to the scene's folder
	char *source;     // where the path stands: the scene's file, or the --set option
	int line, column; // 0 if it comes from --set
	int material;
	bool overlaps_allowed;
	const char *bytes; // what is in it, from somebody who has read it and keeps it; NULL: not read yet
	size_t size;
} talus_file_def;

typedef enum scene_grains_kind { SCENE_FILL, SCENE_POUR, SCENE_GRAIN, SCENE_FILE } scene_grains_kind;

typedef struct scene_grains { // one entry of `grains`: there may be a million of single ones
	scene_grains_kind kind;
	int line, column; // where it stands, for messages
	union {
		talus_grain_def grain;
		talus_fill_def *fill; // these belong to the scene
		talus_pour_def *pour;
		talus_file_def *file;
	};
} scene_grains;

typedef struct scene_wall { // one entry of `walls`
	talus_wall_def def;
	int line, column;
} scene_wall;

typedef struct scene_output { // 0: never (frames, log: only at start and end)
	double frames, log, checkpoint, problems; // times between two
	bool contacts, compress;                  // in frames
} scene_output;

typedef struct scene {
	char file[TALUS_PATH_MAX]; // where it came from, for messages; "default scene" for the embedded one
	char folder[TALUS_PATH_MAX]; // relative paths start here
	char *text; // the scene as run, --set values included; owned
	char title[256];
	talus_world_def world;
	int cell_line, cell_column; // where the cell stands, for messages
	int materials;
	talus_material *material;
	int pairs;
	talus_pair *pair;
	int grain_entries;
	scene_grains *grains;
	int walls;
	scene_wall *wall;
	bool until_time, until_rest;
	double end_time; // run.until.time
	double rest;     // run.until.rest
	double max_overlap; // run.max_overlap
	scene_output output;
	int threads; // that its world may use from the start; 0: one
} scene;

// Reads and checks a scene. `overrides` are "PATH=VALUE" texts of --set. On failure `error` says what and where.
scene *scene_read_file(const char *path, const char *const *overrides, int override_count, talus_error *error);
char *scene_file_bytes(const char *path, size_t *length, talus_error *error); // what is in it; the caller frees it
scene *scene_read_bytes(const char *bytes, size_t length, const char *path, const char *const *overrides, int override_count,
	talus_error *error); // of a file that was read before: a pipe can be read once
scene *scene_read_text(
	const char *text, const char *name, const char *const *overrides, int override_count, talus_error *error);
void scene_free(scene *scene);
// Changes values in the text alone, not in what was read from it: for a text that is to be read elsewhere.
bool scene_text_set(scene *scene, const char *const *sets, int count, talus_error *error);

// A path that the scene names, as it can be opened; false if it is too long for `size` bytes.
bool scene_file_path(const scene *scene, const char *path, char *full, size_t size);

// setup.c: a world from a scene. `empty`: without its grains, for a state that is loaded afterwards.
talus_world *scene_build(const scene *scene, bool empty, talus_error *error);
// Could it be built? All is tried but the making of dense packings, which takes its time.
bool scene_check(const scene *scene, talus_error *error);

#endif
