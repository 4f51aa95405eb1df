// SPDX-License-Identifier: MIT
// The folder of a run: may it be used, what is in it, and away with that.
#ifndef TALUS_RUN_FOLDER_H
#define TALUS_RUN_FOLDER_H

#include <talus/talus.h>

#define SWEEP_DEFINITION "sweep.json" // in a folder of many runs, which is none for a single one

const char *run_in(const char *folder); // the file of a former run that is in the folder, or NULL
void run_remove(const char *folder);    // the files of a run, without its scene
// Would the copy of the scene replace the scene itself, with its comments? NULL: it is in no file.
bool run_scene_is_in(const char *folder, const char *scene_path);
// False, a code and a sentence if a run may not go there.
bool run_folder_takes(const char *folder, const char *scene_path, bool replace, const char **code, talus_error *error);
int run_folder_open(const char *folder, talus_error *error); // makes it, with those above it, and locks it; -1 and a sentence

#endif
