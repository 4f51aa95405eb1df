// SPDX-License-Identifier: MIT
// Work in a child process: its sentence comes back through a pipe, its end through wait.
#include "apart.h"

#include "base/error.h"
#include "io/hdf5_foreign.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { WORK_DONE = 0, WORK_REFUSED = 97 };

// Sanitizers reserve far more memory than they use, so a limit would stop them at once.
#if defined __SANITIZE_ADDRESS__ || defined __SANITIZE_THREAD__
enum { LIMITED = 0 };
#elif defined __has_feature
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || __has_feature(memory_sanitizer)
enum { LIMITED = 0 };
#else
enum { LIMITED = 1 };
#endif
#else
enum { LIMITED = 1 };
#endif

static uint64_t memory_now(void)
{
	unsigned long long pages = 0;
	FILE *file = fopen("/proc/self/statm", "r");
	if (file && fscanf(file, "%llu", &pages) != 1)
		pages = 0;
	if (file)
		fclose(file);
	return pages*(uint64_t)sysconf(_SC_PAGESIZE);
}

static void limit(int what, uint64_t most)
{
	struct rlimit now;
	if (getrlimit(what, &now) != 0 || (now.rlim_cur != RLIM_INFINITY && now.rlim_cur < most))
		return;
	now.rlim_cur = most;
	setrlimit(what, &now);
}

// What libraries print while they die is of no use to anybody: the end is told by the parent.
static _Noreturn void child(int pipe, const apart_limits *limits, apart_work *work, void *data)
{
	int nowhere = open("/dev/null", O_WRONLY);
	if (nowhere >= 0) {
		dup2(nowhere, STDOUT_FILENO);
		dup2(nowhere, STDERR_FILENO);
	}
	limit(RLIMIT_CORE, 0);
	limit(RLIMIT_CPU, limits->seconds);
	if (LIMITED)
		limit(RLIMIT_AS, memory_now() + limits->bytes);
	talus_error error = {0};
	if (work(data, &error))
		_exit(WORK_DONE);
	ssize_t written = write(pipe, &error, sizeof error);
	_exit(written == (ssize_t)sizeof error ? WORK_REFUSED : 1);
}

static bool read_all(int pipe, void *data, size_t size)
{
	for (size_t got = 0; got < size;) {
		ssize_t part = read(pipe, (char *)data + got, size - got);
		if (part < 0 && errno == EINTR)
			continue;
		if (part <= 0)
			return false;
		got += (size_t)part;
	}
	return true;
}

static bool judge(const char *path, int status, bool told, talus_error *error)
{
	if (WIFEXITED(status) && WEXITSTATUS(status) == WORK_DONE)
		return true;
	if (WIFEXITED(status) && WEXITSTATUS(status) == WORK_REFUSED && told)
		return false;
	if (WIFSIGNALED(status) && (WTERMSIG(status) == SIGXCPU || WTERMSIG(status) == SIGKILL))
		return error_at(error, path, 0, 0, "cannot be read: damaged, reading it takes more time or memory than any such file needs");
	return error_at(error, path, 0, 0, "cannot be read: damaged, the library that reads it crashes (%s)",
		WIFSIGNALED(status) ? strsignal(WTERMSIG(status)) : "aborted");
}

bool apart_try(const char *path, const apart_limits *limits, apart_work *work, void *data, talus_error *error)
{
	int ends[2], status = 0;
	if (pipe(ends) != 0)
		return error_at(error, path, 0, 0, "cannot be read: %s", strerror(errno));
	fflush(NULL);
	pid_t id = fork();
	if (id == 0) {
		close(ends[0]);
		child(ends[1], limits, work, data);
	}
	int reason = errno;
	close(ends[1]);
	bool told = id > 0 && read_all(ends[0], error, sizeof *error);
	close(ends[0]);
	while (id > 0 && waitpid(id, &status, 0) < 0 && errno == EINTR)
		;
	return id > 0 ? judge(path, status, told, error) : error_at(error, path, 0, 0, "cannot be read: %s", strerror(reason));
}

// ---------------------------------------------------------------- HDF5

typedef struct trial {
	const char *path;
	bool contents;
} trial;

static bool trial_work(void *data, talus_error *error)
{
	const trial *t = data;
	return hdf_foreign_try(t->path, t->contents, error);
}

bool apart_try_hdf5(const char *path, bool contents, talus_error *error)
{
	struct stat file;
	uint64_t size = stat(path, &file) == 0 && S_ISREG(file.st_mode) ? (uint64_t)file.st_size : 0;
	apart_limits limits = {(UINT64_C(512) << 20) + 16*size, 60};
	return apart_try(path, &limits, trial_work, &(trial){path, contents}, error);
}
