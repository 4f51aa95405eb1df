// SPDX-License-Identifier: MIT
// Single numbers of a struct that a checkpoint has, by name.
#ifndef TALUS_BASE_SCALARS_H
#define TALUS_BASE_SCALARS_H

#include <stdbool.h>
#include <stddef.h>

typedef struct scalar {
	const char *name;
	size_t offset;
	enum { SCALAR_REAL, SCALAR_U64, SCALAR_U32, SCALAR_INT, SCALAR_BOOL } type;
	int count;
	bool later; // files that do not have it are older, and it is 0
} scalar;

#define SCALAR_OF(of, name, member, type, count) {name, offsetof(of, member), type, count, false}
#define SCALAR_LATER(of, name, member, type, count) {name, offsetof(of, member), type, count, true}

#endif
