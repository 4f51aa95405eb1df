// SPDX-License-Identifier: MIT
// Who writes into a folder. The system knows by a lock on the folder, which goes with the process that holds it. Some network
// disks know no locks: there a file run.lock says which process it is, and on which machine. One that was killed leaves it
// behind; on the same machine that shows, on another one nobody can tell.
#include "io/files.h"

#include "base/error.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static const char lock_name[] = "run.lock";

typedef struct owner {
	char host[65];
	long id;
	unsigned long long started; // by the clock of the machine since it was started, so that a number used again shows
} owner;

// When a process was started, 0 if there is none of this number.
static unsigned long long process_start(long id)
{
	char path[64], text[1024] = "";
	snprintf(path, sizeof path, "/proc/%ld/stat", id);
	int file = open(path, O_RDONLY | O_CLOEXEC);
	if (file < 0)
		return 0;
	ssize_t size = read(file, text, sizeof text - 1);
	close(file);
	const char *rest = size > 0 ? strrchr(text, ')') : NULL; // its name may hold anything
	unsigned long long start = 0;
	if (!rest || sscanf(rest + 1, " %*c %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %llu", &start) != 1)
		return 0;
	return start;
}

static owner owner_self(void)
{
	owner self = {.id = (long)getpid(), .started = process_start((long)getpid())};
	gethostname(self.host, sizeof self.host - 1);
	return self;
}

static bool owner_read(int place, owner *other)
{
	char text[256] = "";
	int file = openat(place, lock_name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	if (file < 0)
		return false;
	bool ok = read(file, text, sizeof text - 1) > 0;
	close(file);
	memset(other, 0, sizeof *other);
	return ok && sscanf(text, "%64s %ld %llu", other->host, &other->id, &other->started) == 3;
}

static bool owner_write(int place, const owner *self)
{
	char text[256];
	int size = snprintf(text, sizeof text, "%s %ld %llu\n", self->host, self->id, self->started);
	int file = openat(place, lock_name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
	if (file < 0)
		return false;
	bool ok = file_put(file, text, (size_t)size, 0);
	return close(file) == 0 && ok;
}

static folder_use owner_use(const owner *other)
{
	owner self = owner_self();
	if (strcmp(self.host, other->host) != 0)
		return FOLDER_UNKNOWN;
	bool lives = kill((pid_t)other->id, 0) == 0 || errno == EPERM;
	return lives && process_start(other->id) == other->started ? FOLDER_BUSY : FOLDER_FREE;
}

// Where there are no locks.
static folder_use use_by_file(int place)
{
	owner other;
	if (owner_read(place, &other))
		return owner_use(&other);
	struct stat status;
	return fstatat(place, lock_name, &status, AT_SYMLINK_NOFOLLOW) == 0 ? FOLDER_UNKNOWN : FOLDER_FREE;
}

static bool take_by_file(int place, const char *folder, talus_error *error)
{
	owner self = owner_self(), other;
	if (use_by_file(place) == FOLDER_FREE)
		unlinkat(place, lock_name, 0); // of one that is no more
	bool made = owner_write(place, &self);
	if (made && owner_read(place, &other) && other.id == self.id && strcmp(other.host, self.host) == 0)
		return true;
	if (!made && errno != EEXIST)
		return error_at(error, folder, 0, 0, "cannot lock the folder: %s", strerror(errno));
	if (!owner_read(place, &other) || owner_use(&other) == FOLDER_BUSY)
		return error_at(error, folder, 0, 0, "another talus is writing into this folder right now");
	return error_at(error, folder, 0, 0, "process %ld on %s writes into this folder, or did when it ended: this disk knows no "
	                "locks, so nobody here can tell. If it runs no more, remove %s", other.id, other.host, lock_name);
}

// Readers hold the lock for a moment when they look whether somebody writes: a few tries tell them from a writer.
static bool take(int place, const char *folder, talus_error *error)
{
	for (int i = 0; i < 10; i++) {
		if (flock(place, LOCK_EX | LOCK_NB) == 0)
			return true;
		if (errno != EWOULDBLOCK && errno != EINTR)
			return take_by_file(place, folder, error);
		nanosleep(&(struct timespec){0, 20000000}, NULL);
	}
	return error_at(error, folder, 0, 0, "another talus is writing into this folder right now");
}

static bool is_held(const char *path, int lock)
{
	struct stat held, found;
	return fstat(lock, &held) == 0 && stat(path, &found) == 0 && held.st_dev == found.st_dev && held.st_ino == found.st_ino;
}

void folder_place(char place[TALUS_PATH_MAX], const char *folder, int lock)
{
	snprintf(place, TALUS_PATH_MAX, "/proc/self/fd/%d", lock);
	if (!is_held(place, lock))
		snprintf(place, TALUS_PATH_MAX, "%s", folder);
}

bool folder_is_held(const char *folder, int lock, talus_error *error)
{
	if (is_held(folder, lock))
		return true;
	return error_at(error, folder, 0, 0, "the folder was moved, removed or replaced by another one; nothing more is written");
}

int folder_lock(const char *folder, talus_error *error)
{
	int place = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (place < 0) {
		error_at(error, folder, 0, 0, "cannot open the folder: %s", strerror(errno));
		return -1;
	}
	if (take(place, folder, error)) {
		if (folder_is_held(folder, place, error))
			return place;
		folder_unlock(place);
		return -1;
	}
	close(place);
	return -1;
}

folder_use folder_look(const char *folder)
{
	int place = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (place < 0)
		return FOLDER_FREE;
	bool ok = flock(place, LOCK_SH | LOCK_NB) == 0;
	folder_use use = ok ? FOLDER_FREE : errno == EWOULDBLOCK ? FOLDER_BUSY : use_by_file(place);
	close(place);
	return use;
}

void folder_unlock(int lock)
{
	owner self = owner_self(), other;
	if (owner_read(lock, &other) && other.id == self.id && strcmp(other.host, self.host) == 0)
		unlinkat(lock, lock_name, 0);
	close(lock);
}
