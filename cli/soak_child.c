// SPDX-License-Identifier: MIT
// A scene in a process of its own: whatever it does to itself, it comes out as a finding.
#include "soak.h"
#include "base/clock.h"
#include "base/memory.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

// Ctrl-C is for the parent, which waits for the scene to end.
static void become_child(int out, double seconds)
{
#ifdef __linux__
	prctl(PR_SET_PDEATHSIG, SIGKILL); // nobody would listen any more
#endif
	signal(SIGABRT, SIG_DFL);
	signal(SIGINT, SIG_IGN);
	setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
	rlim_t most = (rlim_t)(seconds + 1);
	setrlimit(RLIMIT_CPU, &(struct rlimit){most, most + 5});
	dup2(out, STDERR_FILENO); // what an assert or a sanitizer says
}

// By processor time, so that a busy machine is no finding; by the clock only ten times later, for whoever waits for ever.
static char *listen_to(int in, double seconds, bool *hangs)
{
	char *text = NULL, part[4096];
	size_t size = 0;
	double end = clock_now() + 10*(seconds + 1);
	FILE *out = open_memstream(&text, &size);
	if (!out)
		memory_lost();
	for (;;) {
		struct pollfd wait_for = {.fd = in, .events = POLLIN};
		int left = (int)fmax(0, 1000*(end - clock_now()));
		int ready = poll(&wait_for, 1, left);
		if (ready < 0 && errno == EINTR)
			continue;
		*hangs = ready == 0;
		ssize_t got = ready > 0 ? read(in, part, sizeof part) : 0;
		if (got <= 0)
			break;
		fwrite(part, 1, (size_t)got, out);
	}
	fclose(out);
	return text;
}

// ---------------------------------------------------------------- what it said

static void add_line(FILE *out, soak_result *r, soak_kind kind, const char *format, const char *text)
{
	r->count[kind]++;
	fprintf(out, "%s ", soak_kind_names[kind]);
	fprintf(out, format, text);
	fprintf(out, "\n");
}

// Lines of its own begin with a known word; whatever else there is are last words.
static void read_line(soak_result *r, const char *line, FILE *out, char last[256])
{
	const char *space = strchr(line, ' ');
	int kind = *line == '!' && space ? soak_kind_of(line + 1, (size_t)(space - line - 1)) : -1;
	if (kind >= 0) {
		r->count[kind]++;
		fprintf(out, "%s\n", line + 1);
	} else if (sscanf(line, "accepted %d", &r->variants) == 1) {
		r->accepted = true;
	} else if (strncmp(line, "refused ", 8) == 0) {
		r->count[SOAK_REFUSED]++;
		fprintf(out, "%s\n", line);
	} else if (!*last) {
		snprintf(last, 256, "%s", line);
	}
}

static void judge_end(soak_result *r, int status, bool hangs, const char *last, FILE *out)
{
	char text[400];
	bool done = r->accepted || r->count[SOAK_REFUSED];
	if (hangs || (WIFSIGNALED(status) && (WTERMSIG(status) == SIGXCPU || WTERMSIG(status) == SIGKILL))) {
		add_line(out, r, SOAK_HANG, "%s", "it does not come to an end");
	} else if (WIFSIGNALED(status)) {
		snprintf(text, sizeof text, "signal %d (%s) %s", WTERMSIG(status), strsignal(WTERMSIG(status)), last);
		add_line(out, r, SOAK_CRASH, "%s", text);
	} else if (WEXITSTATUS(status) != 0 || !done) {
		snprintf(text, sizeof text, "exit code %d %s", WEXITSTATUS(status), last);
		add_line(out, r, SOAK_CRASH, "%s", text);
	}
	r->accepted |= !r->count[SOAK_REFUSED]; // it was at work
}

static soak_result read_all(char *said, int status, bool hangs)
{
	soak_result r = {0};
	char last[256] = "", *rest = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&r.text, &size);
	if (!out)
		memory_lost();
	for (char *line = strtok_r(said, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest))
		read_line(&r, line, out, last);
	judge_end(&r, status, hangs, last, out);
	fclose(out);
	return r;
}

soak_result soak_child_with(void (*work)(const soak_scene *, const char *, soak_report *), const soak_scene *scene,
                            const char *folder, double seconds)
{
	int ends[2], status = 0;
	bool hangs = false;
	fflush(NULL);
	if (pipe(ends) != 0)
		memory_lost();
	pid_t child = fork();
	if (child < 0)
		memory_lost();
	if (child == 0) {
		close(ends[0]);
		become_child(ends[1], seconds);
		soak_report report = {.out = fdopen(ends[1], "w")};
		work(scene, folder, &report);
		fclose(report.out);
		_exit(0);
	}
	close(ends[1]);
	char *said = listen_to(ends[0], seconds, &hangs);
	close(ends[0]);
	if (hangs)
		kill(child, SIGKILL);
	while (waitpid(child, &status, 0) < 0 && errno == EINTR)
		continue;
	soak_result r = read_all(said, status, hangs);
	free(said);
	return r;
}

soak_result soak_child(const soak_scene *scene, const char *folder, double seconds)
{
	return soak_child_with(soak_variants, scene, folder, seconds);
}
