// SPDX-License-Identifier: MIT
// A scene with --set values: read, checked, set up and, when it is accepted and small, stepped a few times. Lines that begin with
// "#--set " are options. The mutator is scene_mutate.c.
#include "fuzz.h"

#include "io/advice.h"
#include "io/scene.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { OPTIONS_MOST = 8, GRAINS_MOST = 300, SWEEPS_MOST = 40, STEPS = 4 };

// Cuts the options out of a copy of the text.
static int options_of(char *text, const char **options)
{
	int count = 0;
	for (char *line = text; line && count < OPTIONS_MOST;) {
		char *end = strchr(line, '\n');
		if (end)
			*end = 0;
		if (!strncmp(line, "#--set ", 7))
			options[count++] = line + 7;
		line = end ? end + 1 : NULL;
	}
	return count;
}

// What would take long is left to people: many grains, packings that are made first, lattices of millions of sites.
static bool is_small(const scene *s)
{
	double grains = 0;
	for (int i = 0; i < s->grain_entries; i++) {
		const scene_grains *entry = &s->grains[i];
		bool dense = entry->kind == SCENE_FILL && entry->fill->arrangement == TALUS_ARRANGE_DENSE;
		grains += entry->kind == SCENE_FILL ? entry->fill->count : entry->kind == SCENE_POUR ? entry->pour->count : 1;
		if (dense || (entry->kind == SCENE_FILE && strcmp(entry->file->path, "grains.csv") != 0))
			return false;
	}
	return grains <= GRAINS_MOST;
}

static void step_few(scene *s)
{
	talus_error error;
	talus_solver_def *solver = &s->world.solver;
	solver->iterations = solver->iterations < SWEEPS_MOST ? solver->iterations : SWEEPS_MOST;
	solver->max_iterations = solver->max_iterations < SWEEPS_MOST ? solver->max_iterations : SWEEPS_MOST;
	talus_world *world = scene_build(s, false, &error);
	fuzz_count(world != NULL);
	if (!world)
		return;
	advice list[ADVICE_MAX];
	advice_facts facts = advice_measure(s, world);
	advice_judge(&facts, list);
	for (int i = 0; i < STEPS; i++)
		talus_world_step(world);
	talus_world_destroy(world);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static bool prepared;
	static const char csv[] = "x,y,z,radius\n0,0,1,0.5\n0,0,2.5,0.5\n";
	const char *options[OPTIONS_MOST];
	talus_error error;
	if (!prepared)
		fuzz_folder_put("grains.csv", (const uint8_t *)csv, sizeof csv - 1);
	prepared = true;
	char *text = calloc(1, size + 1), *lines = calloc(1, size + 1);
	if (!text || !lines)
		abort();
	memcpy(text, data, size);
	memcpy(lines, text, size);
	scene *s = scene_read_text(text, "case.yaml", options, options_of(lines, options), &error);
	if (s)
		strcpy(s->folder, fuzz_folder());
	if (s && is_small(s))
		step_few(s);
	else
		fuzz_count(false);
	scene_free(s);
	free(text);
	free(lines);
	return 0;
}
