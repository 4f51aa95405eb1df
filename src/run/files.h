// SPDX-License-Identifier: MIT
// The files with grains that a scene names: a run keeps copies of them, so that its folder stands alone.
#ifndef TALUS_RUN_FILES_H
#define TALUS_RUN_FILES_H

#include "io/scene.h"

enum { RUN_FILE_NAME = 32 };

typedef struct run_file {
	int entry; // of the scene's grains
	char name[RUN_FILE_NAME]; // of the copy: grains-HASH.csv, the same for the same content
	talus_file_def *def; // its world is made of these bytes, too
	char *bytes;
	size_t size;
} run_file;

typedef struct run_files {
	int count;
	run_file *file;
} run_files;

bool run_files_read(run_files *files, const scene *scene, talus_error *error);
bool run_files_name(const run_files *files, scene *scene, talus_error *error); // the scene's text names the copies from now on
bool run_files_write(const run_files *files, const char *folder, talus_error *error);
void run_files_free(run_files *files); // before the scene
void run_files_remove(const char *folder); // all such copies

#endif
