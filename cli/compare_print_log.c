// SPDX-License-Identifier: MIT
// The columns of two logs as a table of a hundred characters' width.
#include "compare.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { WIDTH = 100, NAME = 24 };

static void number_print(double number, int width, int digits)
{
	if (isnan(number))
		printf(" %*s", width, "-");
	else
		printf(" %*.*g", width, digits, number);
}

static void errors_print(double errors)
{
	if (isnan(errors))
		printf(" %5s", "-");
	else if (errors >= 1000)
		printf(" %5s", isinf(errors) ? "exact" : ">999");
	else
		printf(" %5.1f", errors);
}

static void column_print(const column_compared *c)
{
	static const char *const words[] = {"agree", "differ", "unknown"};
	size_t length = strlen(c->name);
	printf("  %-*.*s%s", NAME - (length > NAME), NAME - (length > NAME), c->name, length > NAME ? "~" : "");
	for (int r = A; r < RUNS; r++) {
		number_print(c->of[r].mean, 11, 5);
		number_print(c->of[r].error, 7, 2);
	}
	number_print(c->difference, 9, 3);
	errors_print(c->errors);
	printf(" %s%s%s\n", words[c->verdict], c->why ? ", " : "", c->why ? c->why : "");
}

// In lines of the terminal's width.
static void trivial_print(const logs_compared *logs)
{
	size_t used = 0;
	for (size_t i = 0; i < logs->count; i++) {
		const column_compared *c = &logs->column[i];
		size_t length = strlen(c->name);
		if (!c->trivial)
			continue;
		if (used == 0)
			fputs("  The same number in all rows of both:\n    ", stdout);
		else if (used + length + 3 > WIDTH - 4)
			fputs(",\n    ", stdout);
		else
			fputs(", ", stdout);
		used = used == 0 || used + length + 3 > WIDTH - 4 ? length + 1 : used + length + 2;
		fputs(c->name, stdout);
	}
	if (used > 0)
		putchar('\n');
}

static void why_print(const logs_compared *logs)
{
	static const char *const meaning[][2] = {
		{"few", "too few independent samples in the window for an error"},
		{"drift", "the halves of the window differ by more than chance: it is not steady yet"},
		{"rest", "grains move by less than a tenth of a diameter in the window: one sample, whatever its rows"},
		{"none", "there are no numbers"},
	};
	for (size_t k = 0; k < sizeof meaning/sizeof *meaning; k++) {
		bool some = false;
		for (size_t i = 0; i < logs->count; i++)
			some = some || (logs->column[i].why && strcmp(logs->column[i].why, meaning[k][0]) == 0);
		if (some)
			printf("  %s: %s\n", meaning[k][0], meaning[k][1]);
	}
}

static size_t tried(const logs_compared *logs) // columns in which chance has its say
{
	size_t count = 0;
	for (size_t i = 0; i < logs->count; i++)
		count += logs->column[i].verdict != VERDICT_UNKNOWN && logs->column[i].error > 0;
	return count;
}

static void verdict_print(const logs_compared *logs)
{
	size_t count = tried(logs);
	why_print(logs);
	printf("  %zu of %zu columns agree (|B - A| <= 2 errors), %zu differ, %zu unknown.\n", logs->agree, logs->count, logs->differ,
	       logs->unknown);
	if (count > 0)
		printf("  Of %zu with an error about %.0f would differ by chance alone: one in 20.\n", count, ceil(0.05*(double)count));
	for (int r = A; r < RUNS; r++)
		if (logs->only[r])
			printf("  Only %c has %zu more column%s.\n", "AB"[r], logs->only[r], logs->only[r] == 1 ? "" : "s");
}

void compare_print_logs(const logs_compared *logs)
{
	if (logs->missing) {
		printf("\nLog: not compared, %s\n", logs->missing);
		return;
	}
	printf("\nLog: means from time %g to %g, %s %g to %g; %zu rows in A, %zu in B\n", logs->window[0], logs->window[1],
	       logs->chosen ? "chosen of the common" : "second half of the common", logs->common[0], logs->common[1], logs->rows[A],
	       logs->rows[B]);
	printf("  %-*s %11s %7s %11s %7s %9s %5s\n", NAME, "column", "A", "error", "B", "error", "B - A", "/err");
	for (size_t i = 0; i < logs->count; i++)
		if (!logs->column[i].trivial)
			column_print(&logs->column[i]);
	trivial_print(logs);
	verdict_print(logs);
}
