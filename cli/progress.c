// SPDX-License-Identifier: MIT
// The progress line. Its parts have a place and a rank; the narrower the terminal, the fewer ranks are shown.
#include "progress.h"

#include "base/clock.h"
#include "observe/observe.h"
#include "world.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

static const double redraw_every = 0.1; // seconds, on a terminal
static const double plain_every = 5;    // elsewhere
static const double remember = 30;      // seconds over which the pace is a mean; a checkpoint is no reason to despair

void progress_duration(char *text, size_t size, double seconds)
{
	if (!(seconds < 1e9)) {
		snprintf(text, size, "ages");
		return;
	}
	long whole = lround(seconds);
	if (whole < 100)
		snprintf(text, size, "%ld s", whole);
	else if (whole < 3600)
		snprintf(text, size, "%ld:%02ld", whole/60, whole%60);
	else
		snprintf(text, size, "%ld:%02ld:%02ld", whole/3600, whole/60%60, whole%60);
}

// ---------------------------------------------------------------- the line

enum { PARTS = 9, PART_SIZE = 40, BAR_MOST = 24, BAR_LEAST = 6 };

static double share_done(const progress_state *s)
{
	double share = s->end_time > 0 ? s->time/s->end_time : 0;
	return share < 0 ? 0 : share > 1 ? 1 : share;
}

static void parts_print(char part[PARTS][PART_SIZE], const progress_state *s)
{
	memset(part, 0, PARTS*PART_SIZE);
	if (s->end_time > 0)
		snprintf(part[0], PART_SIZE, "%3.0f%%", floor(100*share_done(s)));
	snprintf(part[1], PART_SIZE, "time %.4g", s->time);
	snprintf(part[2], PART_SIZE, "step %llu", (unsigned long long)s->step);
	snprintf(part[3], PART_SIZE, "%zu grains", s->grains);
	snprintf(part[4], PART_SIZE, "%zu contacts", s->contacts);
	snprintf(part[5], PART_SIZE, "%d iteration%s", s->iterations, s->iterations == 1 ? "" : "s");
	snprintf(part[6], PART_SIZE, "overlap %.1e", s->overlap);
	if (s->pace > 0)
		snprintf(part[7], PART_SIZE, "%.3g steps/s", s->pace);
	if (s->pace > 0 && s->end_time > 0) {
		char left[32];
		double steps = fmax(0, s->end_time - s->time)/s->step_length;
		progress_duration(left, sizeof left, steps/s->pace);
		snprintf(part[8], PART_SIZE, "%s left", left);
	}
}

static void bar_print(char *bar, int width, double share)
{
	int full = (int)(share*width);
	bar[0] = '[';
	for (int i = 0; i < width; i++)
		bar[1 + i] = i < full ? '=' : i == full ? '>' : ' ';
	memcpy(bar + 1 + width, "] ", 3);
}

void progress_line(char *line, size_t size, const progress_state *state, int width)
{
	static const int rank[PARTS] = {0, 2, 4, 8, 5, 7, 6, 3, 1}; // 0 is the last to go
	char part[PARTS][PART_SIZE], bar[BAR_MOST + 4] = "";
	parts_print(part, state);
	int least = state->end_time > 0 && !state->plain ? BAR_LEAST + 3 : 0, used = least, shown = 0;
	for (int r = 0; r < PARTS; r++, shown++) { // how many ranks fit?
		int length = 0;
		for (int i = 0; i < PARTS; i++)
			if (rank[i] == r && part[i][0])
				length = (int)strlen(part[i]) + 2;
		if (used + length > width)
			break;
		used += length;
	}
	if (least && width >= least) {
		int room = BAR_LEAST + width - used;
		bar_print(bar, room > BAR_MOST ? BAR_MOST : room < BAR_LEAST ? BAR_LEAST : room, share_done(state));
	}
	size_t at = (size_t)snprintf(line, size, "%s", bar);
	for (int i = 0; i < PARTS && at < size; i++)
		if (rank[i] < shown && part[i][0])
			at += (size_t)snprintf(line + at, size - at, "%s  ", part[i]);
	at = strlen(line);
	while (at > 0 && line[at - 1] == ' ')
		line[--at] = 0;
}

// ---------------------------------------------------------------- showing it

static int terminal_width(void)
{
	struct winsize window;
	if (ioctl(STDERR_FILENO, TIOCGWINSZ, &window) == 0 && window.ws_col > 0)
		return window.ws_col;
	return 80;
}

void progress_start(progress *p, const talus_world *world, double end_time, bool quiet)
{
	*p = (progress){.quiet = quiet,
	                .terminal = isatty(STDERR_FILENO),
	                .end_time = end_time,
	                .shown = clock_now(),
	                .started = clock_now(),
	                .shown_step = world->state.step};
}

static progress_state state_of(const progress *p, const talus_world *world)
{
	return (progress_state){.time = world->state.time,
	                        .end_time = p->end_time,
	                        .step_length = world->state.def.step,
	                        .step = world->state.step,
	                        .grains = world->state.bodies.count,
	                        .contacts = observe_structure(world).bearing,
	                        .iterations = world->report.iterations,
	                        .overlap = world->report.mean_overlap,
	                        .pace = p->pace,
	                        .plain = !p->terminal};
}

void progress_show(progress *p, const talus_world *world)
{
	if (p->quiet)
		return;
	double now = clock_now(), since = now - p->shown;
	if (since < (p->terminal ? redraw_every : plain_every))
		return;
	double pace = (double)(world->state.step - p->shown_step)/since;
	double age = now - p->started;
	p->pace += since/fmin(age, remember)*(pace - p->pace); // the mean so far, then that of about the last half minute
	p->shown = now;
	p->shown_step = world->state.step;
	char line[512];
	progress_state state = state_of(p, world);
	progress_line(line, sizeof line, &state, p->terminal ? terminal_width() - 1 : 160);
	if (p->terminal)
		fprintf(stderr, "\r%s\033[K", line);
	else
		fprintf(stderr, "%s\n", line);
	fflush(stderr);
	p->drawn = p->terminal;
}

void progress_clear(progress *p)
{
	if (p->drawn)
		fputs("\r\033[K", stderr);
	fflush(stderr);
	p->drawn = false;
}
