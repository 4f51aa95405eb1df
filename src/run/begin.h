// SPDX-License-Identifier: MIT
// What starting and resuming a run share.
#ifndef TALUS_RUN_BEGIN_H
#define TALUS_RUN_BEGIN_H

#include "run/run.h"

// A run can be begun once: false and a sentence.
bool begin_first(const talus_run *run, talus_error *error);
// Is what is asked for clear? False after it was refused.
bool begin_allowed(talus_run *run, const talus_run_def *def);
// The scene that is asked for, with its values set; the one in a file if there is no text. NULL and a sentence.
scene *begin_scene(const talus_run_def *def, const char *file, talus_error *error);
int begin_threads(int wanted); // 0: as many as there are cores, but not too many
bool begin_going(talus_run *run); // all files are there: from now on it can advance; true
bool begin_answer(const talus_run *run, bool ok, talus_error *error); // what the public functions return

#endif
