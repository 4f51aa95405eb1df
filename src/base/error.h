// SPDX-License-Identifier: MIT
// Sentences about what went wrong.
#ifndef TALUS_BASE_ERROR_H
#define TALUS_BASE_ERROR_H

#include <talus/talus.h>

// All return false, so that a failing function can end with `return error_set(...)`. Where nobody wants to know, `error` is NULL.
bool error_set(talus_error *error, const char *format, ...) __attribute__((format(printf, 2, 3)));
bool error_at(talus_error *error, const char *file, int line, int column, const char *format, ...)
	__attribute__((format(printf, 5, 6)));
// More about it, after the sentence: the name that was meant, or NULL; the keys that lead there.
bool error_nearest(talus_error *error, const char *name);
bool error_path(talus_error *error, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
