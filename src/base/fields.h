// SPDX-License-Identifier: MIT
// Pieces of field definitions (talus_field). Units are those of the user: length L, mass M, time T.
#ifndef TALUS_BASE_FIELDS_H
#define TALUS_BASE_FIELDS_H

#include <math.h>
#include <stddef.h>
#include <talus/extend.h>

#define AT(of, member) .offset = offsetof(of, member), .size = sizeof(((of *)0)->member)
#define POSITIVE .least = 0, .most = INFINITY, .above = true
#define NOT_NEGATIVE .least = 0, .most = INFINITY
#define END {.name = NULL}

#endif
