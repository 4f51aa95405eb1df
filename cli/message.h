// SPDX-License-Identifier: MIT
// What the commands say about wrong use, in one manner.
#ifndef TALUS_CLI_MESSAGE_H
#define TALUS_CLI_MESSAGE_H

#include "cli.h"

#include <getopt.h>
#include <stdio.h>

// The next option as getopt_long finds it, with `opterr` 0 and ':' first in its letters, but only by its full name: what is short for
// one option today would be for another one tomorrow.
int message_next_option(int argc, char **argv, const char *letters, const struct option *options);
// About the option that was just refused.
// Returns EXIT_WRONG.
int message_wrong_option(const char *command, char **argv, int answer, const struct option *options);
// "word N too many" and "... is missing"; both return EXIT_WRONG and point at --help.
int message_too_many(const char *command, const char *word);
int message_missing(const char *command, const char *what);

// A text that comes from a file: control characters are for terminals to obey, and bytes may be no characters. Both are written as
// \n or \x1b.
void message_text(FILE *out, const char *text);

// The words of a command as they were typed, for a shell to understand; call it before getopt changes their order.
void message_command(char *text, size_t size, int argc, char **argv);

// A whole number from `least` to `most`; false if the text is something else.
bool text_to_int(const char *text, int least, int most, int *number);
// A finite number.
bool text_to_double(const char *text, double *number);

#endif
