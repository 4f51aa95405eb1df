// SPDX-License-Identifier: MIT
// Members at work: each in a process of its own, so that one that fails takes nothing with it. What they say is
// collected and told when they end.
#include "sweep.h"
#include "base/clock.h"
#include "base/memory.h"

#include "bench.h"
#include "cli.h"
#include "progress.h"
#include "stop.h"

#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

typedef struct job {
	pid_t id; // 0: free
	int member;
	FILE *said;
	double started;
} job;

typedef struct pool {
	sweep *sweep;
	const sweep_work *work;
	int most, running, next; // members from `next` on have not been looked at
	job *job;
	int ended;      // by now, in this session
	double seconds; // that they took, in all
	bool stopping, terminal, drawn;
	double shown;
	int warnings;
	char **warning; // each is told once
} pool;

// ---------------------------------------------------------------- what members say

static bool warning_is_new(pool *p, const char *text)
{
	for (int i = 0; i < p->warnings; i++)
		if (strcmp(p->warning[i], text) == 0)
			return false;
	p->warning = realloc(p->warning, (size_t)(p->warnings + 1)*sizeof *p->warning);
	char *copy = strdup(text);
	if (!p->warning || !copy)
		memory_lost();
	p->warning[p->warnings++] = copy;
	return true;
}

static void line_clear(pool *p)
{
	if (p->drawn)
		fputs("\r\033[K", stderr);
	p->drawn = false;
}

// A line of a member, under its name. Members that are stopped need not say so.
static void line_tell(pool *p, const char *name, const char *line)
{
	const char *own = strncmp(line, "talus: ", 7) == 0 ? line + 7 : line;
	bool warning = strncmp(own, "warning: ", 9) == 0;
	if ((warning && !warning_is_new(p, own)) || (p->stopping && strncmp(own, "stopped at ", 11) == 0))
		return;
	line_clear(p);
	if (p->work->check)
		fputs(line, stderr);
	else
		fprintf(stderr, "talus: %s: %s", name, own);
}

static void said_tell(pool *p, const job *j)
{
	char name[16], *line = NULL;
	size_t room = 0;
	sweep_name(p->sweep, j->member, name);
	rewind(j->said);
	while (getline(&line, &room, j->said) > 0)
		line_tell(p, name, line);
	free(line);
	fclose(j->said);
}

// ---------------------------------------------------------------- the progress line

static double seconds_left(const pool *p, double now)
{
	double mean = p->seconds/p->ended, left = mean*(sweep_count(p->sweep, SWEEP_WAITING) - p->running);
	for (int i = 0; i < p->most; i++)
		if (p->job[i].id)
			left += fmax(0, mean - (now - p->job[i].started));
	return left/p->most;
}

static void show(pool *p)
{
	const sweep *s = p->sweep;
	double now = clock_now();
	if (s->request->quiet || now - p->shown < (p->terminal ? 0.1 : 5))
		return;
	p->shown = now;
	char failed[32] = "", left[32], until[48] = "";
	int failures = sweep_count(s, SWEEP_FAILED);
	if (failures)
		snprintf(failed, sizeof failed, "  %d failed", failures);
	if (p->ended && !p->stopping) {
		progress_duration(left, sizeof left, seconds_left(p, now));
		snprintf(until, sizeof until, "  %s left", left);
	}
	fprintf(stderr, "%s%s%d of %d done  %d running%s%s%s", p->terminal ? "\r" : "", p->work->doing,
	        sweep_count(s, SWEEP_DONE), s->members, p->running, failed, until,
	        p->terminal ? "\033[K" : "\n");
	fflush(stderr);
	p->drawn = p->terminal;
}

// ---------------------------------------------------------------- processes

// Signals are the parent's to handle until the run itself listens: nothing is lost before.
static void signals_plain(void)
{
	static const int numbers[] = {SIGINT, SIGTERM, SIGHUP};
	for (size_t i = 0; i < sizeof numbers/sizeof numbers[0]; i++) {
		struct sigaction old;
		sigaction(numbers[i], NULL, &old);
		if (old.sa_handler != SIG_IGN)
			signal(numbers[i], SIG_DFL);
	}
}

static _Noreturn void member_begin(const pool *p, const job *j, pid_t parent, const sigset_t *mask)
{
	// without the parent nobody would know of us: stop with a checkpoint when it dies
	prctl(PR_SET_PDEATHSIG, SIGTERM);
	signals_plain();
	sigprocmask(SIG_SETMASK, mask, NULL);
	if (getppid() != parent || dup2(fileno(j->said), STDERR_FILENO) < 0)
		_exit(EXIT_FAILED);
	int code = p->work->work(p->sweep, j->member);
	fflush(NULL);
	_exit(code);
}

// False if there can be no more processes now.
static bool job_start(pool *p, job *j, int member)
{
	sigset_t ours, before;
	sigemptyset(&ours);
	sigaddset(&ours, SIGINT);
	sigaddset(&ours, SIGTERM);
	sigaddset(&ours, SIGHUP);
	*j = (job){.member = member, .said = tmpfile(), .started = clock_now()};
	if (!j->said)
		return false;
	pid_t parent = getpid();
	fflush(NULL);
	sigprocmask(SIG_BLOCK, &ours, &before); // none may come before a new member has its plain signals
	j->id = fork();
	if (j->id == 0)
		member_begin(p, j, parent, &before);
	sigprocmask(SIG_SETMASK, &before, NULL);
	if (j->id > 0) {
		p->running++;
		return true;
	}
	fclose(j->said);
	j->id = 0;
	return false;
}

static void job_end(pool *p, job *j, int status)
{
	bool good = WIFEXITED(status) && WEXITSTATUS(status) == EXIT_DONE;
	p->sweep->state[j->member] = good ? SWEEP_DONE : p->stopping ? SWEEP_STOPPED : SWEEP_FAILED;
	if (WIFSIGNALED(status) && !p->stopping)
		fprintf(j->said, "talus: the process was killed by signal %d (%s)\n", WTERMSIG(status),
		        strsignal(WTERMSIG(status)));
	p->ended++;
	p->seconds += clock_now() - j->started;
	p->running--;
	said_tell(p, j);
	j->id = 0;
}

static bool jobs_end(pool *p)
{
	bool any = false;
	for (int i = 0; i < p->most; i++) {
		int status;
		if (!p->job[i].id || waitpid(p->job[i].id, &status, WNOHANG) <= 0)
			continue;
		job_end(p, &p->job[i], status);
		any = true;
	}
	return any;
}

static void jobs_start(pool *p)
{
	sweep *s = p->sweep;
	for (int i = 0; i < p->most; i++) {
		while (p->next < s->members && s->state[p->next] != SWEEP_WAITING)
			p->next++;
		if (p->next == s->members || p->job[i].id)
			continue;
		if (job_start(p, &p->job[i], p->next)) {
			p->next++;
		} else if (!p->running) {
			line_clear(p);
			perror("talus: no process can be started");
			s->state[p->next++] = SWEEP_FAILED;
		}
	}
}

// Once is enough: a second signal would kill.
static void jobs_stop(pool *p)
{
	for (int i = 0; i < p->most && !p->stopping; i++)
		if (p->job[i].id)
			kill(p->job[i].id, SIGTERM);
	p->stopping = true;
}

static int at_once(const sweep *s)
{
	int wanted = s->request->threads ? s->request->threads : bench_machine_look().processors;
	return wanted < s->members ? wanted : s->members;
}

void sweep_pool_run(sweep *s, const sweep_work *work)
{
	pool p = {.sweep = s, .work = work, .most = at_once(s), .terminal = isatty(STDERR_FILENO)};
	p.job = calloc((size_t)p.most, sizeof *p.job);
	if (!p.job)
		memory_lost();
	p.shown = clock_now();
	for (;;) {
		bool ended = jobs_end(&p);
		if (stop_asked())
			jobs_stop(&p);
		bool enough = p.stopping || (work->check && sweep_count(s, SWEEP_FAILED));
		if (!enough)
			jobs_start(&p);
		if (!p.running && (enough || p.next == s->members))
			break;
		show(&p);
		if (!ended)
			nanosleep(&(struct timespec){0, 10000000}, NULL);
	}
	line_clear(&p);
	for (int i = 0; i < p.warnings; i++)
		free(p.warning[i]);
	free(p.warning);
	free(p.job);
}
