// SPDX-License-Identifier: MIT
// Findings as lines, and room for those who look for them.
#include "soak.h"

#include "base/memory.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

const char *const soak_kind_names[SOAK_KINDS] = {
	"refused", "round-trip", "not-finite", "contact", "missed", "wall", "tunnel", "hidden", "loose", "energy", "momentum", "law",
	"bits", "resume", "crash", "hang",
};

enum { MOST_OF_A_KIND = 3 };

int soak_kind_of(const char *name, size_t length)
{
	for (int k = 0; k < SOAK_KINDS; k++)
		if (strlen(soak_kind_names[k]) == length && memcmp(soak_kind_names[k], name, length) == 0)
			return k;
	return -1;
}

void soak_found(soak_report *report, soak_kind kind, const char *format, ...)
{
	if (report->count[kind]++ >= MOST_OF_A_KIND)
		return;
	va_list arguments;
	va_start(arguments, format);
	fprintf(report->out, "!%s %s: ", soak_kind_names[kind], report->variant ? report->variant : "");
	vfprintf(report->out, format, arguments);
	fprintf(report->out, "\n");
	fflush(report->out);
	va_end(arguments);
}

void *soak_room(void *old, size_t count, size_t size)
{
	void *fresh = realloc(old, (count + 1)*size);
	if (!fresh)
		memory_lost();
	return fresh;
}
