// SPDX-License-Identifier: MIT
// Solvers compared, as tables for the report.
#include "reproduce_scenes.h"

#include <math.h>
#include <stdio.h>

static void head_print(FILE *out, const comparison *c)
{
	fputs("| sweeps | time | time over auto | sweeps of a step | capped, floor, % |", out);
	for (int k = 0; k < c->quantities; k++)
		fprintf(out, " %s |", c->scene->quantity[k].name);
	fputs(" mean overlap | largest | load error | same physics |\n|", out);
	for (int k = 0; k < 9 + c->quantities; k++)
		fputs("---|", out);
	fputc('\n', out);
}

static const char *judgement(const comparison *c, int s)
{
	if (s == REFERENCE)
		return "";
	if (!(comparison_worst(c, s) <= same_physics))
		return "no";
	return comparison_rigid(c, s) ? "yes" : "yes, but soft";
}

static void row_print(FILE *out, const comparison *c, int s)
{
	const outcome *o = &c->all[s];
	fprintf(out, "| %s | %.2f s | %.2f | %.1f | %.2g, %.2g |", scene_settings[s].name, o->seconds,
	        o->seconds/c->all[AUTO].seconds, o->sweeps, 100*o->capped, 100*o->floor);
	for (int k = 0; k < c->quantities; k++) {
		fprintf(out, " %.4g ± %.2g", o->seen[k].mean, o->seen[k].error);
		if (s == REFERENCE)
			fputs(" |", out);
		else
			fprintf(out, " (%+.1f) |", c->deviation[s][k]);
	}
	fprintf(out, " %.1e | %.1e |", o->overlap, o->largest);
	if (isfinite(o->load_error))
		fprintf(out, " %.1e", o->load_error);
	fprintf(out, " | %s |\n", judgement(c, s));
}

void comparison_print(FILE *out, const comparison *c)
{
	fprintf(out, "\n### %s\n\n", c->scene->name);
	head_print(out, c);
	for (int s = 0; s < SETTINGS; s++)
		if (c->used[s])
			row_print(out, c, s);
}

static void cheapest_print(FILE *out, const comparison *c, int plain)
{
	if (plain < 0)
		fputs(" none | |", out);
	else
		fprintf(out, " %d | %.2f |", scene_settings[plain].sweeps, comparison_ratio(c, plain));
}

void comparison_summary(FILE *out, const comparison *c, int count)
{
	fputs("\n### summary\n\n| scene | sweeps of a step with auto | worst deviation of auto | cheapest plain sweeps with the same physics | "
	      "time of auto over theirs | cheapest that are as rigid, too | time of auto over theirs |\n|---|---|---|---|---|---|---|\n", out);
	for (int i = 0; i < count; i++) {
		fprintf(out, "| %s | %.1f | %.1f |", c[i].scene->name, c[i].all[AUTO].sweeps, comparison_worst(&c[i], AUTO));
		cheapest_print(out, &c[i], c[i].cheapest);
		cheapest_print(out, &c[i], c[i].cheapest_rigid);
		fputc('\n', out);
	}
}
