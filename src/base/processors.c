// SPDX-License-Identifier: MIT
#define _GNU_SOURCE // sched_getaffinity
#include "base/processors.h"

#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <unistd.h>

int processors_usable(void)
{
	cpu_set_t set;
	if (sched_getaffinity(0, sizeof set, &set) == 0)
		return CPU_COUNT(&set);
	long count = sysconf(_SC_NPROCESSORS_ONLN);
	return count > 0 ? (int)count : 1;
}

// The first processor of the core that this one belongs to; itself, if the system does not tell.
static size_t first_of_core(size_t processor)
{
	char path[96];
	size_t first = processor;
	snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu%zu/topology/thread_siblings_list", processor);
	FILE *file = fopen(path, "r");
	if (!file)
		return processor;
	if (fscanf(file, "%zu", &first) != 1)
		first = processor;
	fclose(file);
	return first;
}

// Processors that a container may keep busy, or as many as one likes.
static int share_of_container(int most)
{
	double quota, period;
	FILE *file = fopen("/sys/fs/cgroup/cpu.max", "r");
	if (!file)
		return most;
	bool limited = fscanf(file, "%lf %lf", &quota, &period) == 2 && period > 0;
	fclose(file);
	if (!limited || !(quota/period < most))
		return most;
	return quota < period ? 1 : (int)(quota/period);
}

int processors_cores(void)
{
	cpu_set_t set, cores;
	int usable = processors_usable();
	if (sched_getaffinity(0, sizeof set, &set) != 0)
		return share_of_container(usable);
	CPU_ZERO(&cores);
	for (size_t i = 0; i < CPU_SETSIZE; i++)
		if (CPU_ISSET(i, &set)) {
			size_t first = first_of_core(i);
			CPU_SET(first < CPU_SETSIZE ? first : i, &cores);
		}
	return share_of_container(CPU_COUNT(&cores));
}
