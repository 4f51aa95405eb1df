// SPDX-License-Identifier: MIT
#include "run/begin.h"

#include "base/error.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "base/processors.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool refuse(talus_run *run, const char *why)
{
	talus_error error;
	error_set(&error, "%s", why);
	return run_refuse(run, "use", &error);
}

static bool refuse_threads(talus_run *run, int threads)
{
	talus_error error;
	error_set(&error, "there must be from 1 to %d threads, or 0 for as many as there are cores, but %d are asked for", PARALLEL_MOST, threads);
	return run_refuse(run, "use", &error);
}

bool begin_first(const talus_run *run, talus_error *error)
{
	talus_error none;
	return (run->state == TALUS_RUN_NEW && !run->calling) || error_set(error ? error : &none, "a run can be started or resumed only once");
}

bool begin_allowed(talus_run *run, const talus_run_def *def)
{
	if (!def || !def->folder || !*def->folder)
		return refuse(run, "a run needs a folder for its files");
	if (strlen(def->folder) >= sizeof run->folder)
		return refuse(run, "the path of the folder is too long");
	if (def->threads < 0 || def->threads > PARALLEL_MOST)
		return refuse_threads(run, def->threads);
	if (def->set_count < 0 || !(def->until >= 0))
		return refuse(run, "the number of sets and the time until which it runs must be numbers that are not negative");
	for (int i = 0; i < def->set_count; i++)
		if (!def->sets || !def->sets[i])
			return refuse(run, "one of the sets is missing");
	snprintf(run->folder, sizeof run->folder, "%s", def->folder);
	return true;
}

scene *begin_scene(const talus_run_def *def, const char *file, talus_error *error)
{
	char until[64];
	int count = def->set_count;
	const char **sets = malloc((size_t)(count + 1)*sizeof *sets);
	if (!sets)
		memory_lost();
	for (int i = 0; i < count; i++)
		sets[i] = def->sets[i];
	if (def->until > 0) {
		snprintf(until, sizeof until, "run.until={time: %.17g}", def->until);
		sets[count++] = until;
	}
	size_t length = def->text && def->length == 0 ? strlen(def->text) : def->length;
	scene *s = def->text ? scene_read_bytes(def->text, length, file, sets, count, error) : scene_read_file(file, sets, count, error);
	free(sets);
	return s;
}

int begin_threads(int wanted)
{
	enum { MOST = 8 }; // unless somebody asks for more
	int cores = processors_cores();
	return wanted > 0 ? wanted : cores < MOST ? cores : MOST;
}

bool begin_going(talus_run *run)
{
	warnings fears;
	run->state = TALUS_RUN_GOING;
	warnings_of_scene(&fears, run->scene);
	run_tell_warnings(run, &fears);
	return true;
}

bool begin_answer(const talus_run *run, bool ok, talus_error *error)
{
	if (!ok && error)
		*error = run->error;
	return ok;
}
