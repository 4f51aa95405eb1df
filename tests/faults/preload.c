// SPDX-License-Identifier: MIT
// Stands between a program and the C library: counts the calls that change files, makes one of them fail or the last, and
// writes all of them down (trace.h). What stdio writes by itself does not come through here; Talus' files do not.
#define _GNU_SOURCE
#include "trace.h"

#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *block, size_t size);
extern void *__libc_memalign(size_t unit, size_t size);

typedef enum call {
	CALL_WRITE, CALL_PWRITE, CALL_FSYNC, CALL_RENAME, CALL_FTRUNCATE, CALL_OPEN, CALL_UNLINK, CALL_MALLOC, CALL_MEMORY, CALLS
} call;
static const char *const call_names[CALLS] = {"write", "pwrite", "fsync", "rename", "ftruncate", "open", "unlink", "malloc", "memory"};
typedef enum action { NOTHING, KILL, AFTER, TEAR, SHORT, FAIL } action;

static bool ready;
static long counts[CALLS], wanted_at;
static call wanted_call = CALLS;
static action wanted_action;
static int wanted_error, trace = -1;
static uintptr_t program_start, program_end;

// ---------------------------------------------------------------- what is asked for

static void action_read(const char *text)
{
	static const struct {
		const char *name;
		action action;
		int number;
	} actions[] = {{"kill", KILL, 0}, {"after", AFTER, 0}, {"tear", TEAR, 0}, {"short", SHORT, 0},
	               {"enospc", FAIL, ENOSPC}, {"eio", FAIL, EIO}, {"eintr", FAIL, EINTR}};
	for (size_t i = 0; i < sizeof actions/sizeof actions[0]; i++)
		if (strcmp(text, actions[i].name) == 0) {
			wanted_action = actions[i].action;
			wanted_error = actions[i].number;
		}
}

// The program itself is the first of what is loaded.
static int program_find(struct dl_phdr_info *info, size_t size, void *unused)
{
	(void)size, (void)unused;
	for (int i = 0; i < info->dlpi_phnum; i++) {
		uintptr_t start = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr, end = start + info->dlpi_phdr[i].p_memsz;
		if (info->dlpi_phdr[i].p_type != PT_LOAD)
			continue;
		program_start = !program_start || start < program_start ? start : program_start;
		program_end = end > program_end ? end : program_end;
	}
	return 1;
}

__attribute__((constructor)) static void begin(void)
{
	dl_iterate_phdr(program_find, NULL);
	const char *fault = getenv("TALUS_FAULT"), *path = getenv("TALUS_FAULT_TRACE");
	char name[16], what[16];
	if (fault && sscanf(fault, "%15[a-z]:%ld:%15[a-z]", name, &wanted_at, what) == 3) {
		for (int i = 0; i < CALLS; i++)
			if (strcmp(name, call_names[i]) == 0)
				wanted_call = (call)i;
		action_read(what);
	}
	if (path) {
		int file = (int)syscall(SYS_openat, AT_FDCWD, path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
		trace = fcntl(file, F_DUPFD_CLOEXEC, 500); // out of the way
		syscall(SYS_close, file);
	}
	ready = true;
}

__attribute__((destructor)) static void end(void)
{
	const char *path = getenv("TALUS_FAULT_COUNT");
	ready = false;
	FILE *out = path ? fopen(path, "w") : NULL;
	for (int i = 0; out && i < CALLS; i++)
		fprintf(out, "%s %ld\n", call_names[i], counts[i]);
	if (out)
		fclose(out);
}

static void die(void)
{
	syscall(SYS_kill, syscall(SYS_getpid), SIGKILL);
}

// What is to happen at this call.
static action next(call which)
{
	if (!ready)
		return NOTHING;
	long number = __atomic_add_fetch(&counts[which], 1, __ATOMIC_RELAXED);
	if (which != wanted_call || number != wanted_at)
		return NOTHING;
	if (wanted_action == KILL)
		die();
	if (wanted_action == FAIL)
		errno = wanted_error;
	return wanted_action;
}

// A call without parts, of which nothing or all happens.
#define SIMPLE(which, doing) \
	action todo = next(which); \
	if (todo == FAIL) \
		return -1; \
	int answer = (int)(doing); \
	if (todo == AFTER || todo == TEAR) \
		die();

static void note(trace_kind kind, int file, int64_t place, const void *data, size_t size)
{
	if (trace < 0 || !ready)
		return;
	int reason = errno;
	trace_entry entry = {(int32_t)kind, file, place, (int64_t)size};
	struct iovec parts[] = {{&entry, sizeof entry}, {(void *)(uintptr_t)data, size}};
	if (syscall(SYS_writev, trace, parts, 2) != (long)(sizeof entry + size))
		die();
	errno = reason;
}

// ---------------------------------------------------------------- writing

// A kill cuts a write only between two pages: that is how systems copy it.
static size_t whole_pages(size_t size, off_t place)
{
	size_t end = ((size_t)place + size/2 + 4095)/4096*4096;
	return end >= (size_t)place + size ? 0 : end - (size_t)place;
}

ssize_t pwrite(int file, const void *data, size_t size, off_t place)
{
	action todo = next(CALL_PWRITE);
	if (todo == FAIL)
		return -1;
	size_t part = todo == SHORT && size > 1 ? size/2 : todo == TEAR ? whole_pages(size, place) : size;
	ssize_t written = syscall(SYS_pwrite64, file, data, part, place);
	if (todo == AFTER || todo == TEAR)
		die();
	if (written > 0)
		note(TRACE_WRITE, file, place, data, (size_t)written);
	return written;
}

ssize_t pwrite64(int file, const void *data, size_t size, off_t place)
{
	return pwrite(file, data, size, place);
}

ssize_t write(int file, const void *data, size_t size)
{
	if (file <= STDERR_FILENO)
		return syscall(SYS_write, file, data, size);
	action todo = next(CALL_WRITE);
	if (todo == FAIL)
		return -1;
	size_t part = (todo == TEAR || todo == SHORT) && size > 1 ? size/2 : size;
	ssize_t written = syscall(SYS_write, file, data, part);
	if (todo == AFTER || todo == TEAR)
		die();
	if (written > 0)
		note(TRACE_WRITE, file, syscall(SYS_lseek, file, 0, SEEK_CUR) - written, data, (size_t)written);
	return written;
}

// Nobody calls these today. If somebody does, the trace is no longer complete, and that must show.
ssize_t writev(int file, const struct iovec *part, int count)
{
	(void)file, (void)part, (void)count;
	abort();
}

ssize_t pwritev(int file, const struct iovec *part, int count, off_t place)
{
	(void)file, (void)part, (void)count, (void)place;
	abort();
}

int ftruncate(int file, off_t length)
{
	SIMPLE(CALL_FTRUNCATE, syscall(SYS_ftruncate, file, length))
	if (answer == 0)
		note(TRACE_TRUNCATE, file, length, NULL, 0);
	return answer;
}

int ftruncate64(int file, off_t length)
{
	return ftruncate(file, length);
}

int fsync(int file)
{
	SIMPLE(CALL_FSYNC, syscall(SYS_fsync, file))
	if (answer == 0)
		note(TRACE_SYNC, file, 0, NULL, 0);
	return answer;
}

int fdatasync(int file)
{
	return fsync(file);
}

// ---------------------------------------------------------------- names

int rename(const char *from, const char *to)
{
	SIMPLE(CALL_RENAME, syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, 0))
	char names[8192];
	size_t first = strlen(from) + 1, all = first + strlen(to) + 1;
	if (answer != 0 || all > sizeof names)
		return answer;
	memcpy(names, from, first);
	memcpy(names + first, to, all - first);
	note(TRACE_RENAME, -1, 0, names, all);
	return answer;
}

int unlink(const char *path)
{
	SIMPLE(CALL_UNLINK, syscall(SYS_unlinkat, AT_FDCWD, path, 0))
	if (answer == 0)
		note(TRACE_UNLINK, -1, 0, path, strlen(path) + 1);
	return answer;
}

static int open_at(int place, const char *path, int flags, mode_t mode)
{
	SIMPLE(CALL_OPEN, syscall(SYS_openat, place, path, flags, mode))
	if (answer >= 0)
		note(TRACE_OPEN, answer, flags, path, strlen(path) + 1);
	return answer;
}

#define MODE_OF(flags) \
	mode_t mode = 0; \
	if ((flags) & (O_CREAT | O_TMPFILE)) { \
		va_list list; \
		va_start(list, flags); \
		mode = va_arg(list, mode_t); \
		va_end(list); \
	}

int open(const char *path, int flags, ...)
{
	MODE_OF(flags)
	return open_at(AT_FDCWD, path, flags, mode);
}

int open64(const char *path, int flags, ...)
{
	MODE_OF(flags)
	return open_at(AT_FDCWD, path, flags, mode);
}

// What _FORTIFY_SOURCE makes of calls without a mode.
int __open_2(const char *path, int flags);
int __open_2(const char *path, int flags)
{
	return open_at(AT_FDCWD, path, flags, 0);
}

int __open64_2(const char *path, int flags);
int __open64_2(const char *path, int flags)
{
	return open_at(AT_FDCWD, path, flags, 0);
}

int openat(int place, const char *path, int flags, ...)
{
	MODE_OF(flags)
	return open_at(place, path, flags, mode);
}

int flock(int file, int operation)
{
	if (getenv("TALUS_FAULT_NO_LOCKS")) {
		errno = ENOLCK;
		return -1;
	}
	return (int)syscall(SYS_flock, file, operation);
}

// ---------------------------------------------------------------- memory

static bool memory_fails(const void *caller)
{
	bool own = (uintptr_t)caller >= program_start && (uintptr_t)caller < program_end;
	bool fails = next(CALL_MEMORY) == FAIL;
	fails |= own && next(CALL_MALLOC) == FAIL;
	if (fails)
		errno = ENOMEM;
	return fails;
}

void *malloc(size_t size)
{
	return memory_fails(__builtin_return_address(0)) ? NULL : __libc_malloc(size);
}

void *calloc(size_t count, size_t size)
{
	return memory_fails(__builtin_return_address(0)) ? NULL : __libc_calloc(count, size);
}

void *realloc(void *block, size_t size)
{
	return memory_fails(__builtin_return_address(0)) ? NULL : __libc_realloc(block, size);
}

void *aligned_alloc(size_t unit, size_t size)
{
	return memory_fails(__builtin_return_address(0)) ? NULL : __libc_memalign(unit, size);
}
