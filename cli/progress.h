// SPDX-License-Identifier: MIT
// How far a run is, while it runs: a line that is redrawn on a terminal, now and then a plain line elsewhere.
#ifndef TALUS_CLI_PROGRESS_H
#define TALUS_CLI_PROGRESS_H

#include <talus/talus.h>

typedef struct progress {
	bool quiet, terminal;
	double end_time; // 0: nobody knows
	double started, shown; // when it began, when the last line was
	uint64_t shown_step;
	double pace;     // steps per second, smoothed
	bool drawn;      // there is a line on the terminal that must go before anything else is printed
} progress;

// What a line tells about a run.
typedef struct progress_state {
	double time, end_time, step_length;
	uint64_t step;
	size_t grains, contacts;
	int iterations;
	double overlap, pace;
	bool plain; // without the bar
} progress_state;

void progress_start(progress *progress, const talus_world *world, double end_time, bool quiet);
void progress_show(progress *progress, const talus_world *world); // returns at once when it is too early
void progress_clear(progress *progress); // wipes the line

// The line, in at most `width` columns: what does not fit is left out, the least important first.
void progress_line(char *line, size_t size, const progress_state *state, int width);
void progress_duration(char *text, size_t size, double seconds); // 5 s, 2:05, 1:02:05

#endif
