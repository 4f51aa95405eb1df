// SPDX-License-Identifier: MIT
// Sentences about walls that cannot be.
#include "state/wall/shape.h"

#include <stdarg.h>
#include <stdio.h>

bool wall_fault_set(wall_fault *fault, const char *key, const char *format, ...)
{
	va_list list;
	va_start(list, format);
	fault->key = key;
	vsnprintf(fault->text, sizeof fault->text, format, list);
	va_end(list);
	return false;
}
