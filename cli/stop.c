// SPDX-License-Identifier: MIT
// The first signal asks to stop after the step; one that comes later than half a second after it kills. In between it counts
// as the same: timeout, for one, signals a program and its group.
#include "stop.h"

#include <signal.h>
#include <stddef.h>
#include <time.h>

// A signal handler can reach nothing else.
static volatile sig_atomic_t asked;
static struct timespec asked_at;

static void stop_soon(int number)
{
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	if (!asked) {
		asked_at = now;
		asked = number;
	} else if ((double)(now.tv_sec - asked_at.tv_sec) + 1e-9*(double)(now.tv_nsec - asked_at.tv_nsec) > 0.5) {
		signal(number, SIG_DFL);
		raise(number);
	}
}

void stop_listen(void)
{
	static const int numbers[] = {SIGINT, SIGTERM, SIGHUP};
	struct sigaction action = {.sa_handler = stop_soon, .sa_flags = SA_RESTART}, old;
	sigemptyset(&action.sa_mask);
	asked = 0;
	for (size_t i = 0; i < sizeof numbers/sizeof numbers[0]; i++) {
		sigaction(numbers[i], &action, &old);
		if (numbers[i] == SIGHUP && old.sa_handler == SIG_IGN) // nohup
			sigaction(numbers[i], &old, NULL);
	}
}

void stop_plain(void)
{
	signal(SIGPIPE, SIG_IGN);
}

int stop_asked(void)
{
	return asked;
}

const char *stop_name(void)
{
	return asked == SIGINT ? "SIGINT" : asked == SIGHUP ? "SIGHUP" : "SIGTERM";
}
