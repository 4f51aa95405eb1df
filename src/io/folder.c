// SPDX-License-Identifier: MIT
// The folder of a run: who may write there, and files that are replaced as a whole.
#include "io/files.h"

#include "base/error.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

bool folder_path(char path[TALUS_PATH_MAX], const char *folder, const char *name, talus_error *error)
{
	size_t length = strlen(folder);
	const char *slash = length && folder[length - 1] == '/' ? "" : "/";
	int written = snprintf(path, TALUS_PATH_MAX, "%s%s%s", folder, slash, name);
	return (written > 0 && written < TALUS_PATH_MAX) || error_at(error, folder, 0, 0, "the path is too long");
}

bool folder_has(const char *folder, const char *name)
{
	char path[TALUS_PATH_MAX];
	struct stat status;
	talus_error ignored;
	return folder_path(path, folder, name, &ignored) && lstat(path, &status) == 0;
}

// Readers hold the lock for a moment when they look whether somebody writes: a few tries tell them from a writer.
static bool lock_take(int place)
{
	for (int i = 0; i < 10; i++) {
		// systems without such locks (some network disks) must not stop a run
		if (flock(place, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK)
			return true;
		nanosleep(&(struct timespec){0, 20000000}, NULL);
	}
	return false;
}

int folder_lock(const char *folder, talus_error *error)
{
	int place = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (place < 0) {
		error_at(error, folder, 0, 0, "cannot open the folder: %s", strerror(errno));
		return -1;
	}
	if (lock_take(place))
		return place;
	close(place);
	error_at(error, folder, 0, 0, "another talus is writing into this folder right now");
	return -1;
}

bool folder_busy(const char *folder)
{
	int place = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (place < 0)
		return false;
	bool busy = flock(place, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK;
	close(place);
	return busy;
}

void folder_unlock(int lock)
{
	close(lock);
}

// ---------------------------------------------------------------- files of its own

int file_make(const char *path)
{
	if (unlink(path) != 0 && errno != ENOENT)
		return -1;
	return open(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
}

int file_own_open(const char *path, int flags)
{
	struct stat status;
	int file = open(path, flags | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC); // a pipe must not make us wait
	if (file < 0 || (fstat(file, &status) == 0 && S_ISREG(status.st_mode)))
		return file;
	close(file);
	errno = ENOTSUP;
	return -1;
}

const char *file_reason(int number)
{
	return number == ELOOP ? "it is a link, and links in the folder of a run are not followed"
	       : number == ENOTSUP ? "it is not a file" : strerror(number);
}

bool file_put(int file, const void *data, size_t size, off_t place)
{
	const char *at = data;
	while (size) {
		ssize_t written = pwrite(file, at, size, place);
		if (written < 0 && errno == EINTR)
			continue;
		if (written <= 0)
			return false;
		at += written;
		place += written;
		size -= (size_t)written;
	}
	return true;
}

bool file_get(int file, void *data, size_t size, off_t place)
{
	char *at = data;
	while (size) {
		ssize_t count = pread(file, at, size, place);
		if (count < 0 && errno == EINTR)
			continue;
		if (count <= 0)
			return false;
		at += count;
		place += count;
		size -= (size_t)count;
	}
	return true;
}

// Systems that cannot do it for this kind of file (EINVAL) do not stop a run.
bool file_settle(int file)
{
	int answer;
	do
		answer = fsync(file);
	while (answer != 0 && errno == EINTR);
	return answer == 0 || errno == EINVAL;
}

static bool reaches_disk(const char *path, int flags)
{
	int file = open(path, O_RDONLY | O_CLOEXEC | flags);
	if (file < 0)
		return false;
	bool ok = file_settle(file);
	int reason = errno;
	close(file);
	errno = reason;
	return ok;
}

// The new name of a file is on the disk only when its folder is.
bool file_name_settle(const char *path)
{
	char folder[TALUS_PATH_MAX];
	const char *slash = strrchr(path, '/');
	if (!slash)
		return reaches_disk(".", O_DIRECTORY);
	snprintf(folder, sizeof folder, "%.*s", slash == path ? 1 : (int)(slash - path), path);
	return reaches_disk(folder, O_DIRECTORY);
}

bool folder_sync(const char *folder, talus_error *error)
{
	static const char *const names[] = {"log.csv", "run.h5", "run.xdmf"};
	for (size_t i = 0; i < sizeof names/sizeof names[0]; i++) {
		char path[TALUS_PATH_MAX];
		if (!folder_path(path, folder, names[i], error))
			return false;
		if (!reaches_disk(path, O_NOFOLLOW) && errno != ENOENT)
			return error_at(error, path, 0, 0, "cannot write: %s", strerror(errno));
	}
	return true;
}

bool file_write(int file, const char *path, const void *data, size_t size, talus_error *error)
{
	const char *at = data;
	while (size) {
		ssize_t written = write(file, at, size);
		if (written < 0 && errno == EINTR)
			continue;
		if (written < 0)
			return error_at(error, path, 0, 0, "cannot write: %s", strerror(errno));
		at += written;
		size -= (size_t)written;
	}
	return true;
}

bool file_place(char place[TALUS_PATH_MAX], const char *path, talus_error *error)
{
	struct stat status;
	bool there = lstat(path, &status) == 0, link = there && S_ISLNK(status.st_mode);
	if (link && stat(path, &status) != 0)
		return error_set(error, "%s is a link to something that is not there", path);
	if (there && !S_ISREG(status.st_mode))
		return error_set(error, "%s is not a file", path);
	char *end = link ? realpath(path, NULL) : NULL;
	bool fits = snprintf(place, TALUS_PATH_MAX, "%s", end ? end : path) < TALUS_PATH_MAX;
	free(end);
	return fits || error_at(error, path, 0, 0, "the path is too long");
}

// Links are replaced here, not followed: what is in the folder of a run may be a link to a scene that is not the run's.
static bool may_be_replaced(const char *path, talus_error *error)
{
	struct stat status;
	if (lstat(path, &status) != 0 || S_ISREG(status.st_mode) || S_ISLNK(status.st_mode))
		return true;
	return error_set(error, "%s is not a file", path);
}

bool file_commit(const char *temporary, const char *path, talus_error *error)
{
	if (!may_be_replaced(path, error)) {
		unlink(temporary);
		return false;
	}
	bool renamed = reaches_disk(temporary, O_NOFOLLOW) && rename(temporary, path) == 0;
	if (renamed && file_name_settle(path))
		return true;
	error_at(error, path, 0, 0, "cannot write: %s", strerror(errno));
	if (!renamed)
		unlink(temporary);
	return false;
}

bool file_replace(const char *folder, const char *name, const void *data, size_t size, talus_error *error)
{
	char path[TALUS_PATH_MAX], beside[128], temporary[TALUS_PATH_MAX];
	snprintf(beside, sizeof beside, "%s.tmp", name);
	if (!folder_path(path, folder, name, error) || !folder_path(temporary, folder, beside, error))
		return false;
	int file = file_make(temporary);
	if (file < 0)
		return error_at(error, path, 0, 0, "cannot write: %s", strerror(errno));
	bool ok = file_write(file, path, data, size, error);
	if (close(file) != 0 && ok)
		ok = error_at(error, path, 0, 0, "cannot write: %s", strerror(errno));
	if (ok)
		return file_commit(temporary, path, error);
	unlink(temporary);
	return false;
}
