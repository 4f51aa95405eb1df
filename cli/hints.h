// SPDX-License-Identifier: MIT
// What the library says about a run, with the words that the command line has for what to do about it.
#ifndef TALUS_CLI_HINTS_H
#define TALUS_CLI_HINTS_H

#include "cli.h"

// As cli_error, with the remedy for an error of this code.
int hints_error(const talus_error *error, const char *code, int exit_code);

#endif
