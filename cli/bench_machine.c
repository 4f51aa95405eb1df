// SPDX-License-Identifier: MIT
// On what the benchmarks run: processor, caches, compiler, and the memory that this process takes.
#include "bench.h"

#include "base/processors.h"

#include <malloc.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>

// ---------------------------------------------------------------- the machine

// What stands behind the colon of the first line that starts with `key`; false if there is no such line.
static bool line_value(const char *path, const char *key, char *value, size_t size)
{
	FILE *in = fopen(path, "re");
	char *line = NULL;
	size_t room = 0;
	bool found = false;
	while (in && !found && getline(&line, &room, in) > 0) {
		const char *colon = strchr(line, ':');
		found = colon && strncmp(line, key, strlen(key)) == 0;
		if (!found)
			continue;
		colon += 1 + strspn(colon + 1, " \t");
		snprintf(value, size, "%.*s", (int)strcspn(colon, "\n"), colon);
	}
	free(line);
	if (in)
		fclose(in);
	return found;
}

static bool cache_text(int index, const char *name, char *text, int size)
{
	char path[128];
	snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu0/cache/index%d/%s", index, name);
	FILE *in = fopen(path, "re");
	bool got = in && fgets(text, size, in);
	if (in)
		fclose(in);
	return got;
}

static void caches_look(double cache[3])
{
	char level[16], type[32], size[32];
	for (int i = 0; cache_text(i, "level", level, sizeof level); i++) {
		int k = atoi(level) - 1;
		if (k < 0 || k > 2 || !cache_text(i, "type", type, sizeof type) || strncmp(type, "Instr", 5) == 0 ||
		    !cache_text(i, "size", size, sizeof size))
			continue;
		char *unit;
		double bytes = strtod(size, &unit);
		cache[k] = bytes*(*unit == 'K' ? 1024 : *unit == 'M' ? 1048576 : 1);
	}
}

bench_machine bench_machine_look(void)
{
	bench_machine m = {.processors = processors_usable()};
	struct utsname system;
	if (!line_value("/proc/cpuinfo", "model name", m.processor, sizeof m.processor))
		snprintf(m.processor, sizeof m.processor, "%s", uname(&system) == 0 ? system.machine : "unknown");
	caches_look(m.cache);
#if defined(__clang__)
	snprintf(m.compiler, sizeof m.compiler, "clang %d.%d.%d", __clang_major__, __clang_minor__,
	         __clang_patchlevel__);
#else
	snprintf(m.compiler, sizeof m.compiler, "gcc %d.%d.%d", __GNUC__, __GNUC_MINOR__, __GNUC_PATCHLEVEL__);
#endif
	return m;
}

// ---------------------------------------------------------------- memory

static double status_bytes(const char *key)
{
	char value[64];
	return line_value("/proc/self/status", key, value, sizeof value) ? 1024*strtod(value, NULL) : NAN;
}

// A peak belongs to the whole life of a process, unless it is forgotten on purpose (proc(5), clear_refs).
static bool peak_forget(void)
{
	FILE *out = fopen("/proc/self/clear_refs", "we");
	bool ok = out && fputs("5", out) >= 0;
	return out && fclose(out) == 0 && ok;
}

double memory_peak_begin(void)
{
	malloc_trim(0);
	return peak_forget() ? status_bytes("VmRSS") : NAN;
}

double memory_peak(void)
{
	return status_bytes("VmHWM");
}
