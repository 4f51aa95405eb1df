// SPDX-License-Identifier: MIT
// The folder of a run: its files, which are its own, and are replaced as a whole.
#include "io/files.h"

#include "base/error.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

bool folder_path(char path[TALUS_PATH_MAX], const char *folder, const char *name, talus_error *error)
{
	size_t length = strlen(folder);
	const char *slash = length && folder[length - 1] == '/' ? "" : "/";
	int written = snprintf(path, TALUS_PATH_MAX, "%s%s%s", folder, slash, name);
	return (written > 0 && written < TALUS_PATH_MAX) || error_at(error, folder, 0, 0, "the path is too long");
}

bool folder_is_link(const char *folder)
{
	struct stat status;
	return lstat(folder, &status) == 0 && S_ISLNK(status.st_mode);
}

bool folder_has(const char *folder, const char *name)
{
	char path[TALUS_PATH_MAX];
	struct stat status;
	talus_error ignored;
	return folder_path(path, folder, name, &ignored) && lstat(path, &status) == 0;
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

int file_read_open(const char *path)
{
	struct stat status = {0};
	int file = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC); // a pipe must not make us wait
	if (file < 0 || (fstat(file, &status) == 0 && S_ISREG(status.st_mode)))
		return file;
	close(file);
	errno = S_ISDIR(status.st_mode) ? EISDIR : ENOTSUP;
	return -1;
}

FILE *file_read_stream(const char *path, long long most)
{
	struct stat status;
	int file = file_read_open(path);
	if (file < 0)
		return NULL;
	FILE *in = fstat(file, &status) == 0 && status.st_size <= most ? fdopen(file, "rb") : NULL;
	if (in)
		return in;
	close(file);
	errno = EFBIG;
	return NULL;
}

const char *file_reason(int number)
{
	return number == ELOOP ? "it is a link, and links in the folder of a run are not followed"
	       : number == ENOTSUP ? "it is not a file" : strerror(number);
}

void file_link_remove(const char *path)
{
	if (folder_is_link(path))
		unlink(path);
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

// What writers that were killed have left beside the files they were about to replace.
void folder_tidy(const char *folder)
{
	static const char *const names[] = {"scene.yaml.tmp", "run.h5.tmp",       "run.xdmf.tmp",
	                                    "log.csv.tmp",    "checkpoint.h5.tmp", "summary.json.tmp"};
	char path[TALUS_PATH_MAX];
	talus_error ignored;
	for (size_t i = 0; i < sizeof names/sizeof names[0]; i++)
		if (folder_path(path, folder, names[i], &ignored))
			unlink(path);
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
