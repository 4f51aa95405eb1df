// SPDX-License-Identifier: MIT
// The commands of the program, and what they share.
#ifndef TALUS_CLI_H
#define TALUS_CLI_H

#include <talus/talus.h>

enum { EXIT_DONE = 0, EXIT_FAILED = 1, EXIT_WRONG = 2, EXIT_BUG = 3 };

int cli_run(int argc, char **argv);    // each gets its own name as argv[0]
int cli_resume(int argc, char **argv);
int cli_check(int argc, char **argv);
int cli_info(int argc, char **argv);
int cli_compare(int argc, char **argv);
int cli_plot(int argc, char **argv);
int cli_render(int argc, char **argv);
int cli_solve(int argc, char **argv);
int cli_reproduce(int argc, char **argv);
int cli_bench(int argc, char **argv);
int cli_soak(int argc, char **argv);
int cli_doc(int argc, char **argv);

// Prints "talus: FILE:LINE:COL: sentence" on stderr and returns `code`.
int cli_error(const talus_error *error, int code);
// The same without a place.
int cli_wrong(const char *format, ...) __attribute__((format(printf, 1, 2)));

// The embedded default scene (examples/heap/scene.yaml).
extern const char talus_default_scene[];
// Those of `talus reproduce`, from the folder of that name.
extern const char reproduce_bath_scene[], reproduce_isostatic_scene[], reproduce_shear_scene[], reproduce_spheres_scene[];

#endif
