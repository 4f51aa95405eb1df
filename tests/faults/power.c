// SPDX-License-Identifier: MIT
// What a loss of power may leave of a run. All that it does to its files is recorded; then it is cut off at some moment, and of
// what had not been synced by then, any pages, whole or in parts, have reached the disk, in any order, and any of the changes
// of names. In each such state the frames of the last completed checkpoint are there, and `talus resume` comes to the end that
// an unbroken run has, bit for bit.
//   faults_power TALUS LIBRARY SCENE [SEED [COUNT [FIRST]]]
#include "faults.h"

#include "io/files.h"
#include "trace.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { FILES_MOST = 256, NAMES_MOST = 32, DESCRIPTORS = 1024, FOLDER = -2, NOBODY = -1 };

typedef struct recording {
	char *bytes;
	size_t count;
	const trace_entry **entry; // what belongs to it follows it
} recording;

// A file as the disk is sure to have it, and what was done to it since.
typedef struct disk_file {
	unsigned char *data;
	size_t size, room;
	const trace_entry **pending;
	size_t count;
} disk_file;

typedef struct name_change {
	size_t when;
	int name, file; // file NOBODY: gone
} name_change;

typedef struct machine {
	disk_file file[FILES_MOST];
	int files;
	char name[NAMES_MOST][64];
	int names, now[NAMES_MOST], durable[NAMES_MOST];
	name_change change[NAMES_MOST*64];
	size_t changes; // since the folder was synced
	int descriptor[DESCRIPTORS];
	bool checkpoint_named;
	int checkpoints; // completed
} machine;

// ---------------------------------------------------------------- the recording

static bool recording_read(recording *r, const char *path)
{
	struct stat status;
	int file = open(path, O_RDONLY);
	if (file < 0 || fstat(file, &status) != 0)
		return false;
	size_t size = (size_t)status.st_size;
	r->bytes = malloc(size);
	bool ok = r->bytes && read(file, r->bytes, size) == (ssize_t)size;
	close(file);
	r->entry = malloc(size/sizeof(trace_entry)*sizeof *r->entry);
	char *copy = r->entry ? r->bytes : NULL;
	for (size_t at = 0; ok && copy && at < size;) { // entries are not aligned: each gets a block of its own
		trace_entry head;
		memcpy(&head, copy + at, sizeof head);
		trace_entry *entry = malloc(sizeof head + (size_t)head.size);
		if (!entry)
			return false;
		memcpy(entry, copy + at, sizeof head + (size_t)head.size);
		r->entry[r->count++] = entry;
		at += sizeof head + (size_t)head.size;
	}
	return ok && r->count > 0;
}

static const char *data_of(const trace_entry *entry)
{
	return (const char *)(entry + 1);
}

// ---------------------------------------------------------------- the machine before the loss

// The name inside the folder of the run, "" for the folder itself, NULL for what is elsewhere.
static const char *inside(const char *path)
{
	static const char folder[] = "whole", by_lock[] = "/proc/self/fd/"; // a run goes there by the descriptor of its lock
	bool named = strncmp(path, folder, sizeof folder - 1) == 0, locked = strncmp(path, by_lock, sizeof by_lock - 1) == 0;
	if (!named && !locked)
		return NULL;
	size_t length = named ? sizeof folder - 1 : sizeof by_lock - 1 + strspn(path + sizeof by_lock - 1, "0123456789");
	return path[length] == 0 ? "" : path[length] == '/' ? path + length + 1 : NULL;
}

static int name_number(machine *m, const char *text)
{
	for (int i = 0; i < m->names; i++)
		if (strcmp(m->name[i], text) == 0)
			return i;
	snprintf(m->name[m->names], sizeof m->name[0], "%s", text);
	m->now[m->names] = m->durable[m->names] = NOBODY;
	return m->names++;
}

static void name_set(machine *m, size_t when, int name, int file)
{
	m->now[name] = file;
	m->change[m->changes++] = (name_change){when, name, file};
}

static void do_open(machine *m, size_t when, const trace_entry *e)
{
	const char *text = inside(data_of(e));
	int *to = &m->descriptor[e->file];
	*to = NOBODY;
	if (!text || !*text) {
		*to = text ? FOLDER : NOBODY;
		return;
	}
	int name = name_number(m, text);
	if (m->now[name] == NOBODY && (e->place & O_CREAT))
		name_set(m, when, name, m->files++);
	*to = m->now[name];
}

static size_t end_of(const trace_entry *e, size_t size)
{
	if (e->kind == TRACE_TRUNCATE)
		return (size_t)e->place;
	size_t end = (size_t)(e->place + e->size);
	return end > size ? end : size;
}

static void room_make(disk_file *f, size_t size)
{
	if (size <= f->room)
		return;
	f->data = realloc(f->data, size);
	if (!f->data)
		abort();
	memset(f->data + f->room, 0, size - f->room);
	f->room = size;
}

static void do_sync_file(disk_file *f)
{
	for (size_t i = 0; i < f->count; i++) {
		const trace_entry *e = f->pending[i];
		size_t end = end_of(e, f->size);
		room_make(f, end);
		if (e->kind == TRACE_WRITE)
			memcpy(f->data + e->place, data_of(e), (size_t)e->size);
		else if (end < f->size)
			memset(f->data + end, 0, f->size - end);
		f->size = end;
	}
	f->count = 0;
}

static void do_sync(machine *m, const trace_entry *e)
{
	int file = m->descriptor[e->file];
	if (file >= 0)
		do_sync_file(&m->file[file]);
	if (file != FOLDER)
		return;
	memcpy(m->durable, m->now, sizeof m->now);
	m->changes = 0;
	m->checkpoints += m->checkpoint_named;
	m->checkpoint_named = false;
}

static void do_change(machine *m, const trace_entry *e)
{
	int number = m->descriptor[e->file];
	if (number < 0)
		return;
	disk_file *f = &m->file[number];
	f->pending = realloc(f->pending, (f->count + 1)*sizeof *f->pending);
	if (!f->pending)
		abort();
	f->pending[f->count++] = e;
}

static void do_rename(machine *m, size_t when, const trace_entry *e)
{
	const char *from = inside(data_of(e)), *to = inside(data_of(e) + strlen(data_of(e)) + 1);
	if (!from || !to)
		return;
	int a = name_number(m, from), b = name_number(m, to);
	name_set(m, when, b, m->now[a]);
	name_set(m, when, a, NOBODY);
	m->checkpoint_named |= strcmp(to, "checkpoint.h5") == 0;
}

static void machine_do(machine *m, size_t when, const trace_entry *e)
{
	switch (e->kind) {
	case TRACE_OPEN: do_open(m, when, e); break;
	case TRACE_WRITE:
	case TRACE_TRUNCATE: do_change(m, e); break;
	case TRACE_SYNC: do_sync(m, e); break;
	case TRACE_RENAME: do_rename(m, when, e); break;
	default:
		if (inside(data_of(e)))
			name_set(m, when, name_number(m, inside(data_of(e))), NOBODY);
	}
}

static machine *machine_until(const recording *r, size_t when)
{
	machine *m = calloc(1, sizeof *m);
	if (!m)
		abort();
	memset(m->descriptor, 0xff, sizeof m->descriptor);
	for (size_t i = 0; i < when; i++)
		machine_do(m, i, r->entry[i]);
	return m;
}

static void machine_free(machine *m)
{
	for (int i = 0; i < m->files; i++) {
		free(m->file[i].data);
		free(m->file[i].pending);
	}
	free(m);
}

// ---------------------------------------------------------------- what the loss leaves

// How a loss treats what was not synced.
typedef struct loss {
	size_t unit;  // what reaches the disk as a whole: a page, or a sector of it
	size_t share; // of units, in percent, that have reached the disk as they were last
	bool names_in_order;
} loss;

// How many of the changes of each unit have reached the disk.
static void limits_choose(const disk_file *f, const loss *how, size_t units, size_t *limit, uint64_t *seed)
{
	size_t size = f->size;
	for (size_t i = 0; i < f->count; i++) {
		const trace_entry *e = f->pending[i];
		size_t end = end_of(e, size), first = e->kind == TRACE_WRITE ? (size_t)e->place : end;
		size_t last = e->kind == TRACE_WRITE ? (size_t)(e->place + e->size) : size;
		for (size_t u = first/how->unit; u*how->unit < last && u < units; u++)
			limit[u]++;
		size = end;
	}
	for (size_t u = 0; u < units; u++)
		if (dice_below(seed, 100) >= how->share)
			limit[u] = dice_below(seed, limit[u] + 1);
}

static void units_apply(unsigned char *data, size_t unit, size_t first, size_t last, const char *from, size_t *limit, size_t units)
{
	for (size_t u = first/unit; u*unit < last && u < units; u++) {
		size_t start = u*unit > first ? u*unit : first, end = (u + 1)*unit < last ? (u + 1)*unit : last;
		if (!limit[u])
			continue;
		limit[u]--;
		if (from)
			memcpy(data + start, from + (start - first), end - start);
		else
			memset(data + start, 0, end - start);
	}
}

// The length is that after any of the changes.
static size_t length_choose(const disk_file *f, uint64_t *seed, size_t *most)
{
	size_t pick = dice_below(seed, 2) ? f->count : dice_below(seed, f->count + 1), size = f->size, chosen = size;
	*most = size;
	for (size_t i = 0; i < f->count; i++) {
		size = end_of(f->pending[i], size);
		*most = size > *most ? size : *most;
		if (i + 1 == pick)
			chosen = size;
	}
	return chosen;
}

static bool file_leave(const disk_file *f, const loss *how, const char *path, uint64_t *seed)
{
	size_t most, length = length_choose(f, seed, &most), units = most/how->unit + 1, size = f->size;
	unsigned char *data = calloc(most + 1, 1);
	size_t *limit = calloc(units, sizeof *limit);
	if (!data || !limit)
		abort();
	if (f->size)
		memcpy(data, f->data, f->size);
	limits_choose(f, how, units, limit, seed);
	for (size_t i = 0; i < f->count; i++) {
		const trace_entry *e = f->pending[i];
		size_t end = end_of(e, size);
		if (e->kind == TRACE_WRITE)
			units_apply(data, how->unit, (size_t)e->place, (size_t)(e->place + e->size), data_of(e), limit, units);
		else if (end < size)
			units_apply(data, how->unit, end, size, NULL, limit, units);
		size = end;
	}
	int file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0666);
	bool ok = file >= 0 && write(file, data, length) == (ssize_t)length;
	if (file >= 0)
		close(file);
	free(data);
	free(limit);
	return ok;
}

// Each name is what it was after some of the changes; in order: after the same ones.
static bool state_leave(const machine *m, const bench_place *place, const loss *how, uint64_t *seed)
{
	size_t last = m->changes ? m->change[m->changes - 1].when + 1 : 0;
	size_t first = m->changes ? m->change[0].when : 0, common = first + dice_below(seed, last - first + 1);
	command(place, "rm -rf dead && mkdir dead");
	for (int i = 0; i < m->names; i++) {
		char path[512];
		int file = m->durable[i];
		size_t until = how->names_in_order ? common : first + dice_below(seed, last - first + 1);
		for (size_t k = 0; k < m->changes && m->change[k].when < until; k++)
			if (m->change[k].name == i)
				file = m->change[k].file;
		snprintf(path, sizeof path, "%s/dead/%s", place->folder, m->name[i]);
		if (file >= 0 && !file_leave(&m->file[file], how, path, seed))
			return false;
	}
	return true;
}

// ---------------------------------------------------------------- is it good?

// Run by itself, as HDF5 may crash: are the checkpoint and all frames up to it there?
static int promise_kept(const bench_place *place, uint64_t least)
{
	char whole[300], dead[300];
	talus_error error;
	checkpoint_head head;
	size_t wanted, count, known = 0;
	uint64_t *step, *step_now;
	double *time, *time_now;
	snprintf(whole, sizeof whole, "%s/whole", place->folder);
	snprintf(dead, sizeof dead, "%s/dead", place->folder);
	if (!frames_list(whole, &wanted, &step, &time, &error) || !checkpoint_look(dead, &head, &error) || head.step < least)
		return 1;
	while (known < wanted && step[known] <= head.step)
		known++;
	if (!frames_list(dead, &count, &step_now, &time_now, &error))
		return 2;
	return count >= known && memcmp(step, step_now, known*sizeof *step) == 0 ? 0 : 3;
}

static int apart(const bench_place *place, uint64_t least)
{
	int status;
	fflush(NULL);
	pid_t id = fork();
	if (id == 0)
		_exit(promise_kept(place, least));
	waitpid(id, &status, 0);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 9;
}

static bool state_is_good(const bench_place *place, uint64_t least)
{
	static const char *const answers[] = {"", "no checkpoint", "run.h5 cannot be read", "frames before the checkpoint are lost"};
	static const char *const words[] = {"resume", "dead", "--quiet", NULL};
	int answer = apart(place, least);
	if (answer) {
		printf("%s\n", answer < 4 ? answers[answer] : "the reader crashed");
		return false;
	}
	outcome o = talus(place, NULL, words);
	if (o.code != 0) {
		printf("it does not go on: %s", o.said);
		return false;
	}
	return same_run(place, "whole", "dead");
}

// The step of the k-th checkpoint, from a machine that has lost nothing.
static uint64_t checkpoint_step(const recording *r, const bench_place *place, int which)
{
	char path[300];
	talus_error error;
	checkpoint_head head = {0};
	size_t when = 0;
	for (int done = 0; when <= r->count && done < which; when++) {
		machine *m = machine_until(r, when);
		done = m->checkpoints;
		machine_free(m);
	}
	machine *m = machine_until(r, when - 1);
	uint64_t seed = 0;
	loss none = {.unit = 4096, .share = 100, .names_in_order = true};
	for (int i = 0; i < m->files; i++)
		do_sync_file(&m->file[i]);
	state_leave(m, place, &none, &seed);
	machine_free(m);
	snprintf(path, sizeof path, "%s/dead", place->folder);
	return checkpoint_look(path, &head, &error) ? head.step : UINT64_MAX;
}

static bool try(const recording *r, const bench_place *place, uint64_t number, const uint64_t *step)
{
	static const size_t shares[] = {0, 10, 50, 90};
	uint64_t seed = number*0x632be59bd9b4e019u;
	machine *m = NULL;
	size_t when = 0;
	while (!m || m->checkpoints == 0) {
		if (m)
			machine_free(m);
		when = 1 + dice_below(&seed, r->count);
		m = machine_until(r, when);
	}
	loss how = {.unit = dice_below(&seed, 2) ? 4096 : 512, .share = shares[dice_below(&seed, 4)], .names_in_order = dice_below(&seed, 2)};
	bool ok = state_leave(m, place, &how, &seed) && state_is_good(place, step[m->checkpoints]);
	if (!ok)
		printf("state %llu: cut off at call %zu of %zu, units of %zu bytes, %zu %% of them written, names %s order\n",
		       (unsigned long long)number, when, r->count, how.unit, how.share, how.names_in_order ? "in" : "out of");
	machine_free(m);
	fflush(stdout);
	return ok;
}

static bool record(recording *r, bench_place *place)
{
	static const char *const words[] = {"run", "scene.yaml", "-o", "whole", "--quiet", NULL};
	char line[9000], variable[400], path[300];
	snprintf(line, sizeof line, "cp '%s' scene.yaml", place->scene);
	command(place, line);
	snprintf(path, sizeof path, "%s/trace", place->folder);
	snprintf(variable, sizeof variable, "TALUS_FAULT_TRACE=%s", path);
	outcome o = talus(place, variable, words);
	if (o.code != 0)
		printf("%s", o.said);
	return o.code == 0 && recording_read(r, path);
}

int main(int argc, char **argv)
{
	bench_place place;
	recording r = {0};
	if (!place_open(&place, argc, argv))
		return 1;
	uint64_t seed = argc > 4 ? strtoull(argv[4], NULL, 10) : 1, first = argc > 6 ? strtoull(argv[6], NULL, 10) : 0, step[64] = {0};
	size_t times = argc > 5 ? strtoull(argv[5], NULL, 10) : getenv("TALUS_TEST_LONG") ? 300 : 30, failed = 0;
	bool ok = record(&r, &place);
	machine *all = machine_until(&r, r.count);
	for (int i = 1; ok && i <= all->checkpoints && i < 64; i++)
		step[i] = checkpoint_step(&r, &place, i);
	printf("%zu calls recorded, %d checkpoints\n", r.count, all->checkpoints);
	ok = ok && all->checkpoints > 1;
	machine_free(all);
	for (uint64_t i = first; ok && i < first + times; i++)
		failed += !try(&r, &place, seed*1000000 + i, step);
	printf("seed %llu: %zu states after a loss of power, %zu bad\n", (unsigned long long)seed, times, failed);
	for (size_t i = 0; i < r.count; i++)
		free((void *)(uintptr_t)r.entry[i]);
	free(r.entry);
	free(r.bytes);
	place_close(&place);
	return !ok || failed;
}
