// SPDX-License-Identifier: MIT
// Is the default solver worth its time? Dense scenes with `auto` and with fixed numbers of plain sweeps, against a reference ten
// times as exact.
#include "reproduce_scenes.h"

#include "base/memory.h"
#include "cli.h"
#include "stop.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static int plain_setting(int sweeps)
{
	for (int s = FIRST_PLAIN; s < SETTINGS; s++)
		if (scene_settings[s].sweeps == sweeps)
			return s;
	return -1;
}

// Times are never wrong: they depend on the machine. Of thirty numbers that are right one is beyond 2.5 standard errors by chance
// every third time, but none beyond 4. The errors of single short runs are too small for that.
static void scene_tell(reproduction *r, const comparison *c)
{
	const dense_scene *dense = c->scene;
	double physics = r->quick ? 10 : same_physics, beyond = r->quick ? INFINITY : 4;
	found_unmet(r, comparison_worst(c, AUTO), 0, physics, 0, beyond, "%s: auto against the reference, worst number, in standard errors",
	            dense->name);
	found_between(r, c->all[AUTO].capped, 0, 0.01, "%s: share of steps of auto that were capped", dense->name);
	if (dense->against)
		found_unmet(r, comparison_ratio(c, plain_setting(dense->against)), 0, dense->limit, 0, INFINITY,
		            "%s: time of auto over that of %d plain sweeps", dense->name, dense->against);
	else
		found_unmet(r, comparison_ratio(c, c->cheapest_rigid), 0, dense->limit, 0, INFINITY,
		            "%s: time of auto over that of the cheapest plain sweeps that will do (0: none will)", dense->name);
}

static char *tables_make(const comparison *c, int count)
{
	char *text = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&text, &size);
	if (!out)
		memory_lost();
	comparison_summary(out, c, count);
	for (int i = 0; i < count; i++)
		comparison_print(out, &c[i]);
	fclose(out);
	return text;
}

static int scenes_work(reproduction *r)
{
	comparison *c = calloc(SCENES, sizeof *c);
	int count = 0, code = EXIT_DONE;
	if (!c)
		memory_lost();
	for (int i = 0; i < SCENES && code == EXIT_DONE; i++)
		if (!r->quick || dense_scenes[i].quick_until > 0)
			code = comparison_run(&c[count++], r, &dense_scenes[i]);
	if (code == EXIT_DONE) {
		for (int i = 0; i < count; i++)
			scene_tell(r, &c[i]);
		r->tables = tables_make(c, count);
	} else if (stop_asked()) {
		fputs("talus: reproduce: stopped in scenes\n", stderr);
	}
	free(c);
	return code;
}

const experiment scenes_experiment = {"scenes", "time and physics of dense scenes with the solver auto and with plain sweeps", scenes_work,
	"chosen here; the same physics is within 2.5 standard errors of a reference, plain sweeps will do if mean overlaps are at most "
	"1.5 times those of auto, too; times are of the processor, the best of all seeds"};
