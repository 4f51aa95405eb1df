// SPDX-License-Identifier: MIT
// Sentences about what went wrong.
#ifndef TALUS_BASE_ERROR_H
#define TALUS_BASE_ERROR_H

#include <talus/talus.h>

// Both return false, so that a failing function can end with `return error_set(...)`.
bool error_set(talus_error *error, const char *format, ...) __attribute__((format(printf, 2, 3)));
bool error_at(talus_error *error, const char *file, int line, int column, const char *format, ...)
	__attribute__((format(printf, 5, 6)));

#endif
