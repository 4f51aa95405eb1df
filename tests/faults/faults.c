// SPDX-License-Identifier: MIT
// Running the program and comparing what it has left.
#include "faults.h"

#include "base/random.h"

#include <fcntl.h>
#include <hdf5.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

// ---------------------------------------------------------------- a place to work

bool place_open(bench_place *place, int argc, char **argv)
{
	if (argc < 4) {
		fprintf(stderr, "usage: %s TALUS LIBRARY SCENE [...]\n", argv[0]);
		return false;
	}
	if (!realpath(argv[1], place->talus) || !realpath(argv[2], place->library) || !realpath(argv[3], place->scene)) {
		perror(argv[0]);
		return false;
	}
	snprintf(place->folder, sizeof place->folder, "%s/talus-faults-XXXXXX", access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp");
	return mkdtemp(place->folder) != NULL;
}

void place_close(const bench_place *place)
{
	char line[512];
	snprintf(line, sizeof line, "rm -rf %s", place->folder);
	if (system(line) != 0)
		fprintf(stderr, "%s is still there\n", place->folder);
}

uint64_t dice(uint64_t *state)
{
	*state += 0x9e3779b97f4a7c15u;
	return random_mix(*state);
}

size_t dice_below(uint64_t *state, size_t n)
{
	return n ? (size_t)(dice(state)%n) : 0;
}

// ---------------------------------------------------------------- running

static void said_read(outcome *o, int from)
{
	size_t all = 0;
	for (ssize_t n; (n = read(from, o->said + all, sizeof o->said - 1 - all)) > 0;)
		all += (size_t)n;
	o->said[all] = 0;
	char rest[4096];
	while (read(from, rest, sizeof rest) > 0)
		;
}

static _Noreturn void become(const bench_place *place, const char *variable, int out, const char *const *words)
{
	char name[64];
	if (chdir(place->folder) != 0 || dup2(out, STDOUT_FILENO) < 0 || dup2(out, STDERR_FILENO) < 0)
		_exit(127);
	if (variable) {
		const char *sign = strchr(variable, '=');
		snprintf(name, sizeof name, "%.*s", (int)(sign - variable), variable);
		setenv(name, sign + 1, 1);
		setenv("LD_PRELOAD", place->library, 1);
	}
	execv(words[0], (char *const *)(uintptr_t)words);
	_exit(127);
}

static outcome run(const bench_place *place, const char *variable, const char *const *words)
{
	outcome o = {.code = -1};
	int ends[2], status = 0;
	if (pipe(ends) != 0)
		return o;
	pid_t id = fork();
	if (id == 0) {
		close(ends[0]);
		become(place, variable, ends[1], words);
	}
	close(ends[1]);
	said_read(&o, ends[0]);
	close(ends[0]);
	waitpid(id, &status, 0);
	o.code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
	o.number = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
	return o;
}

outcome talus(const bench_place *place, const char *variable, const char *const *words)
{
	const char *all[16] = {place->talus};
	for (int i = 0; i < 14 && words[i]; i++)
		all[i + 1] = words[i];
	return run(place, variable, all);
}

outcome command(const bench_place *place, const char *line)
{
	const char *words[] = {"/bin/sh", "-c", line, NULL};
	return run(place, NULL, words);
}

bool is_there(const bench_place *place, const char *folder, const char *name)
{
	char path[512];
	snprintf(path, sizeof path, "%s/%s/%s", place->folder, folder, name);
	return access(path, F_OK) == 0;
}

// ---------------------------------------------------------------- reading

typedef struct digest {
	uint64_t sum;
	bool bad;
} digest;

static void *set_read(hid_t set, size_t *size)
{
	hid_t space = H5Dget_space(set), stored = H5Dget_type(set);
	hid_t type = H5Tget_class(stored) == H5T_STRING ? H5Tcopy(stored) : H5Tget_native_type(stored, H5T_DIR_ASCEND);
	hssize_t count = H5Sget_simple_extent_npoints(space);
	*size = count > 0 ? (size_t)count*H5Tget_size(type) : 0;
	char *data = calloc(*size + 8, 1);
	if (data && count > 0 && H5Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, data) < 0) {
		free(data);
		data = NULL;
	}
	H5Sclose(space);
	H5Tclose(stored);
	H5Tclose(type);
	return data;
}

static void sum_add(digest *d, const void *data, size_t size)
{
	for (size_t i = 0; i < size; i++)
		d->sum = random_mix(d->sum ^ ((const unsigned char *)data)[i]) + 1;
}

static herr_t object_add(hid_t file, const char *name, const H5O_info_t *about, void *into)
{
	digest *d = into;
	size_t size = 0;
	sum_add(d, name, strlen(name));
	if (about->type != H5O_TYPE_DATASET)
		return 0;
	hid_t set = H5Dopen2(file, name, H5P_DEFAULT);
	void *data = set >= 0 ? set_read(set, &size) : NULL;
	if (data)
		sum_add(d, data, size);
	d->bad |= !data;
	free(data);
	if (set >= 0)
		H5Dclose(set);
	return 0;
}

// Of all names and numbers in a file; 0 if not all of it can be read.
static uint64_t digest_of(const char *path)
{
	digest d = {.sum = 1};
	H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
	hid_t file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
	if (file < 0 || H5Ovisit(file, H5_INDEX_NAME, H5_ITER_INC, object_add, &d) < 0 || d.bad)
		d.sum = 0;
	if (file >= 0)
		H5Fclose(file);
	return d.sum;
}

// HDF5 may crash on a damaged file: that counts as not readable.
static uint64_t digest_apart(const bench_place *place, const char *folder)
{
	char path[512];
	int ends[2];
	uint64_t sum = 0;
	snprintf(path, sizeof path, "%s/%s/run.h5", place->folder, folder);
	if (pipe(ends) != 0)
		return 0;
	pid_t id = fork();
	if (id == 0) {
		sum = digest_of(path);
		_exit(write(ends[1], &sum, sizeof sum) != sizeof sum);
	}
	close(ends[1]);
	if (read(ends[0], &sum, sizeof sum) != sizeof sum)
		sum = 0;
	close(ends[0]);
	waitpid(id, NULL, 0);
	return sum;
}

bool frames_open(const bench_place *place, const char *folder)
{
	return digest_apart(place, folder) != 0;
}

bool same_run(const bench_place *place, const char *a, const char *b)
{
	char line[512];
	snprintf(line, sizeof line,
	         "cmp %s/log.csv %s/log.csv && cmp %s/run.xdmf %s/run.xdmf && test \"$(ls -A %s)\" = \"$(ls -A %s)\" && "
	         "test \"$(grep state_hash %s/summary.json)\" = \"$(grep state_hash %s/summary.json)\" || "
	         "{ ls -A %s; exit 1; }", a, b, a, b, a, b, a, b, b);
	outcome o = command(place, line);
	if (o.code != 0) {
		printf("another end than without a fault:\n%s", o.said);
		return false;
	}
	if (digest_apart(place, a) == digest_apart(place, b) && frames_open(place, a))
		return true;
	printf("other frames than without a fault\n");
	return false;
}
