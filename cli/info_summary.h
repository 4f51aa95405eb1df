// SPDX-License-Identifier: MIT
// What summary.json says, for people. `summary` is its text, NULL if there is none: then nothing is printed.
#ifndef TALUS_CLI_INFO_SUMMARY_H
#define TALUS_CLI_INFO_SUMMARY_H

#include <talus/talus.h>

#include <stddef.h>

char *info_summary_read(const char *folder); // the caller frees it; NULL if there is none that is whole
void info_line(const char *name); // the start of a line of talus info
void info_text(const char *summary, const char *key, char *text, size_t size); // empty if it is not there
double info_number(const char *summary, const char *key); // NAN if it is not there, or null
void info_summary_print(const char *summary, const talus_solver_def *solver);
void info_packing_print(const char *summary);

#endif
