// SPDX-License-Identifier: MIT
// Asserts and crashes are bugs: a sentence says so, and nothing more is written. Files of a run are whole at every moment, as they
// are when it is killed. Running out of memory is no bug.
#define _GNU_SOURCE // SA_ONSTACK
#include "crash.h"

#include "base/memory.h"
#include "cli.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static void say(const char *text)
{
	if (write(STDERR_FILENO, text, strlen(text)) < 0)
		return; // nobody listens
}

// Only what a signal handler may do. assert has told what failed and where.
static void crashed(int number)
{
	say(number == SIGABRT ? "talus: this is a bug"
	    : number == SIGFPE ? "talus: invalid arithmetic (SIGFPE): this is a bug"
	    : number == SIGILL ? "talus: an illegal instruction (SIGILL): this is a bug"
	                       : "talus: invalid memory access (SIGSEGV or SIGBUS): this is a bug");
	say(" of talus " TALUS_VERSION "; please report it, with the scene and the command\n");
	_exit(EXIT_BUG);
}

_Noreturn void memory_exhausted(size_t size)
{
	if (size)
		fprintf(stderr, "talus: out of memory: %zu bytes cannot be had\n", size);
	else
		fputs("talus: out of memory\n", stderr);
	_exit(EXIT_FAILED);
}

void crash_listen(void)
{
	static char room[32768]; // a stack that has overflown cannot be used
	static const int numbers[] = {SIGABRT,
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__) // they have more to tell
		SIGSEGV, SIGBUS, SIGFPE, SIGILL
#endif
	};
	stack_t stack = {.ss_sp = room, .ss_size = sizeof room};
	sigaltstack(&stack, NULL);
	struct sigaction action = {.sa_handler = crashed, .sa_flags = SA_ONSTACK};
	sigemptyset(&action.sa_mask);
	for (size_t i = 0; i < sizeof numbers/sizeof numbers[0]; i++)
		sigaction(numbers[i], &action, NULL);
}
