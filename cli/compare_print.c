// SPDX-License-Identifier: MIT
// A comparison for people: at most a hundred characters a line.
#include "compare.h"

#include "base/utf8.h"
#include "message.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { VALUE = 34, DIFFERENCES_SHOWN = 40 };

// At most so many characters of a text, filled up with blanks if `fill`.
static void clip(const char *text, int width, bool fill)
{
	char part[1024] = "";
	size_t used = 0;
	int letters = 0;
	for (size_t length; *text && used + 8 < sizeof part; text += length, letters++) {
		length = utf8_next(text);
		length = length ? length : 1;
		if (letters == width - 1 && text[length]) {
			part[used++] = '~';
			letters++;
			break;
		}
		memcpy(part + used, text, length);
		used += length;
	}
	part[used] = 0;
	message_text(stdout, part);
	printf("%*s", fill && letters < width ? width - letters : 0, "");
}

static void runs_print(const comparison *c)
{
	for (int r = A; r < RUNS; r++) {
		const compared_run *run = &c->run[r];
		printf("%c  ", "AB"[r]);
		clip(run->folder, 40, false);
		printf(": %dD, step %g, %s", run->scene->world.dimension, run->scene->world.step, run_state_name(run));
		if (run->log)
			printf(", log to time %g", csv_at(run->log, run->log->rows - 1, column_time(run->log)));
		putchar('\n');
	}
	if (c->run[A].scene->world.dimension != c->run[B].scene->world.dimension)
		puts("One is in 2D, the other in 3D: numbers without units may be compared, others mean different things.");
}

static void identity_print(const identity *i)
{
	if (i->end == SAME_BITS)
		printf("Identical bit for bit at the end: both have the state hash %s%s\n", i->hash[A],
		       i->same_log ? ", and the same log" : "");
	else if (i->end == OTHER_BITS)
		puts("Not identical: the states at the end differ.");
	else
		printf("Identical? Not known: %s no state hash (a summary is written at the end).\n",
		       *i->hash[A] ? "B has" : *i->hash[B] ? "A has" : "both have");
	if (!isnan(i->parting))
		printf("The logs part at time %g.\n", i->parting);
	else if (!isnan(i->same_until))
		printf("The logs are the same up to time %g, where one of them ends.\n", i->same_until);
	else if (i->same_log && i->end != SAME_BITS)
		puts("The logs are the same, row by row.");
}

static void scenes_print(const scene_differences *scenes)
{
	if (scenes->count == 0) {
		puts("\nScenes: the same");
		return;
	}
	printf("\nScenes: %zu difference%s\n  %-26s %-*s %s\n", scenes->count + scenes->left_out, scenes->count == 1 ? "" : "s", "key",
	       VALUE, "A", "B");
	for (size_t i = 0; i < scenes->count && i < DIFFERENCES_SHOWN; i++) {
		const scene_difference *d = &scenes->at[i];
		bool wide = strlen(d->path) > 26;
		fputs("  ", stdout);
		clip(d->path, wide ? 96 : 26, !wide);
		printf("%s", wide ? "\n                             " : " ");
		clip(*d->value[A] ? d->value[A] : "(not given)", VALUE, true);
		putchar(' ');
		clip(*d->value[B] ? d->value[B] : "(not given)", VALUE, false);
		putchar('\n');
	}
	if (scenes->count + scenes->left_out > DIFFERENCES_SHOWN)
		printf("  ... and %zu more\n", scenes->count + scenes->left_out - DIFFERENCES_SHOWN);
}

static void grains_print(const frames_compared *f)
{
	const grains_compared *g = &f->grains;
	if (g->others) {
		printf("  They are not the same grains: %s.\n", g->others);
		return;
	}
	printf("  The same grains. Their places differ by %.3g mean diameters (rms), at most by %.3g.\n", g->rms, g->most);
	if (g->together == 0)
		puts("  There are no contacts.");
	else
		printf("  Contacts: %zu pairs in both, %.3g %% of the %zu that are in one of them.\n", g->common,
		       100*(double)g->common/(double)g->together, g->together);
	if (!isnan(g->force_rms))
		printf("  Normal forces of these differ by %.3g %% (rms over rms).\n", 100*g->force_rms);
	if (!isnan(g->correlation))
		printf("  Their correlation is %.4f.\n", g->correlation);
}

static void forces_print(const forces_compared *f)
{
	if (isnan(f->distance)) {
		puts("  Distribution of forces: not compared, there are no contacts with a force in one of them.");
		return;
	}
	printf("  Distributions of f/<f>, f > 0 (%zu and %zu forces) %s: Kolmogorov-Smirnov distance %.4f,\n", f->count[A], f->count[B],
	       f->distance > f->limit ? "differ" : "agree", f->distance);
	printf("  limit %.4f (5 %% for independent forces; those of a packing are less so, and need somewhat more).\n", f->limit);
}

static void frames_print(const frames_compared *f)
{
	if (f->missing) {
		printf("\nFrames: not compared, %s\n", f->missing);
		return;
	}
	const frame *a = f->frame[A], *b = f->frame[B];
	printf("\nLast common frame: number %zu of A at time %g, %zu of B at time %g\n", f->index[A], a->time, f->index[B], b->time);
	printf("  %-24s %13s %13s\n  %-24s %13zu %13zu\n", "", "A", "B", "grains", a->grains, b->grains);
	for (int k = 0; k < NUMBERS; k++)
		if (!isnan(f->number[k][A]) || !isnan(f->number[k][B]))
			printf("  %-24s %13.6g %13.6g\n", frame_numbers[k], f->number[k][A], f->number[k][B]); // nan: not in that file
	grains_print(f);
	forces_print(&f->forces);
}

static void cell_print(double number, int width, int digits)
{
	if (isfinite(number))
		printf(" %*.*g", width, digits, number);
	else
		printf(" %*s", width, "-");
}

static void costs_print(const costs *c)
{
	printf("\nCost\n  %-40s %13s %13s %9s\n", "", "A", "B", "B/A");
	for (int k = 0; k < COSTS; k++) {
		double a = c->value[k][A], b = c->value[k][B];
		printf("  %-40s", cost_names[k].name);
		cell_print(a, 13, 6);
		cell_print(b, 13, 6);
		cell_print(b/a, 9, 3);
		putchar('\n');
	}
	for (int r = A; r < RUNS; r++) {
		if (!*c->host[r])
			continue;
		printf("  %c on ", "AB"[r]);
		clip(c->host[r], 40, false);
		printf(", talus %s\n", c->version[r]);
	}
}

void compare_print(const comparison *c)
{
	identity_print(&c->identity);
	runs_print(c);
	scenes_print(&c->scenes);
	compare_print_logs(&c->logs);
	frames_print(&c->frames);
	costs_print(&c->costs);
}
