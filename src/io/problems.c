// SPDX-License-Identifier: MIT
// The contact problem of the step just done, which has kept it on request.
#include "io/problems.h"

#include "base/error.h"
#include "base/memory.h"
#include "io/fclib.h"
#include "io/files.h"
#include "io/hdf5_tools.h"
#include "collide/collide.h"
#include "solve/solve.h"
#include "method/contact_dynamics.h"
#include "world.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char folder_name[] = "problems";

// ---------------------------------------------------------------- where the step started from

typedef struct problems_past {
	uint64_t key;
	vec3 p, q;
} problems_past;

static int compare(const void *a, const void *b)
{
	uint64_t first = ((const problems_past *)a)->key, second = ((const problems_past *)b)->key;
	return (first > second) - (first < second);
}

void problems_before(problems *all, talus_world *world)
{
	contact_dynamics_ask(world);
	const contacts *table = &world->contacts;
	all->past = memory_room(all->past, &all->capacity, table->count, sizeof *all->past);
	all->count = table->count;
	for (size_t i = 0; i < table->count; i++)
		all->past[i] = (problems_past){table->contact[i].key, table->p[i], contacts_torque(table, i)};
	if (all->count > 0)
		qsort(all->past, all->count, sizeof *all->past, compare);
}

// Nothing for a contact that was not there.
static problems_past past_of(const problems *all, uint64_t key)
{
	const problems_past wanted = {.key = key};
	const problems_past *found = all->count > 0 ? bsearch(&wanted, all->past, all->count, sizeof wanted, compare) : NULL;
	return found ? *found : wanted;
}

void problems_free(problems *all)
{
	memory_free(all->past);
	*all = (problems){0};
}

// ---------------------------------------------------------------- the problem

typedef struct problem {
	talus_problem step; // results and laws of its own
	delassus_problem cone;
	double *r, *u, *guess, *guess_u;
} problem;

static void *copy(const void *from, size_t size)
{
	void *to = memory_grow(NULL, 0, size + 1);
	if (size > 0)
		memcpy(to, from, size);
	return to;
}

// With the friction that a contact has ended with, where sticking and sliding have different ones.
static bool step_of(const talus_world *world, talus_problem *step)
{
	if (!contact_dynamics_asked(world, step))
		return false;
	size_t extended_count = step->contacts - step->class_end[TALUS_COULOMB];
	step->p = copy(step->p, step->contacts*sizeof *step->p);
	step->q = copy(step->q, extended_count*sizeof *step->q);
	step->extended = copy(step->extended, extended_count*sizeof *step->extended);
	for (size_t i = step->class_end[TALUS_COULOMB]; i < step->contacts; i++)
		step->extended[i - step->class_end[TALUS_COULOMB]].mu_stick = step->extended[i - step->class_end[TALUS_COULOMB]].mu_slide = step->row[i].mu;
	return true;
}

static double *velocities(const delassus_problem *cone, const double *r)
{
	double *u = memory_grow(NULL, 0, cone->contacts*(size_t)cone->size*sizeof *u + 1);
	block_matrix_times(&cone->w, r, cone->q, u);
	return u;
}

static double *impulses(const problem *p)
{
	double *r = memory_grow(NULL, 0, p->cone.contacts*(size_t)p->cone.size*sizeof *r + 1);
	delassus_step_impulses(&p->step, r);
	return r;
}

static void problem_fill(problem *p, const problems *all, const talus_world *world, const char *title)
{
	p->r = impulses(p);
	for (size_t i = 0; i < p->step.contacts; i++) {
		problems_past before = past_of(all, world->contacts.contact[i].key);
		p->step.p[i] = before.p;
		if (i >= p->step.class_end[TALUS_COULOMB])
			p->step.q[i - p->step.class_end[TALUS_COULOMB]] = before.q;
	}
	p->guess = impulses(p);
	p->u = velocities(&p->cone, p->r);
	p->guess_u = velocities(&p->cone, p->guess);
	snprintf(p->cone.title, sizeof p->cone.title, "%.150s%sstep %llu, time %.6g", title, title[0] ? ": " : "",
	         (unsigned long long)world->state.step, world->state.time);
}

static void problem_free(problem *p)
{
	memory_free(p->step.p);
	memory_free(p->step.q);
	memory_free(p->step.extended);
	delassus_problem_free(&p->cone);
	memory_free(p->r);
	memory_free(p->u);
	memory_free(p->guess);
	memory_free(p->guess_u);
}

// False, with the reason, if it does not fit into a file of this kind.
static bool problem_make(problem *p, const problems *all, const talus_world *world, const char *title, talus_error *why)
{
	*p = (problem){.r = NULL};
	if (world->state.cell_deforms)
		return error_set(why, "the cell deforms with the contacts");
	if (!step_of(world, &p->step))
		return error_set(why, "nobody had asked for it before the step");
	if (!delassus_of_step(&p->cone, &p->step, why))
		return false;
	size_t area = (size_t)(p->cone.size*p->cone.size);
	if (p->cone.w.first[p->cone.contacts]*area > INT_MAX)
		return error_set(why, "%zu contacts are too many for this kind of file", p->cone.contacts);
	problem_fill(p, all, world, title);
	return true;
}

// ---------------------------------------------------------------- the file

static bool column_write(hid_t file, const char *name, hid_t stored, hid_t type, size_t count, const void *data)
{
	hsize_t rows = count;
	hid_t links = H5Pcreate(H5P_LINK_CREATE), space = H5Screate_simple(1, &rows, NULL);
	H5Pset_create_intermediate_group(links, 1);
	hid_t set = H5Dcreate2(file, name, stored, space, links, H5P_DEFAULT, H5P_DEFAULT);
	bool ok = set >= 0 && H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, data) >= 0;
	H5Pclose(links);
	H5Sclose(space);
	return set >= 0 && H5Dclose(set) >= 0 && ok;
}

static bool guess_write(const char *path, const problem *p, talus_error *error)
{
	hdf_quiet quiet;
	int one = 1;
	size_t count = p->cone.contacts*(size_t)p->cone.size;
	hdf_quiet_begin(&quiet);
	hid_t file = hdf_file_change(path);
	bool ok = file >= 0 && column_write(file, "guesses/number_of_guesses", H5T_STD_I32LE, H5T_NATIVE_INT, 1, &one) &&
	          column_write(file, "guesses/1/u", H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, count, p->guess_u) &&
	          column_write(file, "guesses/1/r", H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, count, p->guess);
	ok = (file >= 0 && hdf_file_close_written(file, ok)) || hdf_error(error, path, "write the problem");
	hdf_quiet_end(&quiet);
	return ok;
}

// A path in the folder of problems, which is made if need be.
static bool path_of(char path[TALUS_PATH_MAX], const char *folder, uint64_t step, const char *ending, talus_error *error)
{
	char place[TALUS_PATH_MAX], name[64];
	snprintf(name, sizeof name, "step-%07llu.hdf5%s", (unsigned long long)step, ending);
	if (!folder_path(place, folder, folder_name, error) || !folder_path(path, place, name, error))
		return false;
	struct stat status;
	if (mkdir(place, 0777) != 0 && errno != EEXIST)
		return error_at(error, place, 0, 0, "cannot make the folder: %s", strerror(errno));
	return (lstat(place, &status) == 0 && S_ISDIR(status.st_mode)) ||
	       error_at(error, place, 0, 0, "this is not a folder (links in the folder of a run are not followed)");
}

static bool problem_write(const problem *p, const char *folder, uint64_t step, talus_error *error)
{
	char path[TALUS_PATH_MAX], temporary[TALUS_PATH_MAX];
	if (!path_of(path, folder, step, "", error) || !path_of(temporary, folder, step, ".tmp", error))
		return false;
	if (fclib_write(temporary, &p->cone, &(delassus_solution){p->r, p->u}, error) && guess_write(temporary, p, error))
		return file_commit(temporary, path, error);
	unlink(temporary);
	return false;
}

bool problems_write(problems *all, const char *folder, const talus_world *world, const char *title, talus_error *error)
{
	problem p;
	all->refused = false;
	if (world->contacts.count == 0)
		return true;
	all->refused = !problem_make(&p, all, world, title, &all->why);
	bool ok = all->refused || problem_write(&p, folder, world->state.step, error);
	problem_free(&p);
	return ok;
}

// ---------------------------------------------------------------- going back

// Files that a killed run has left half-written go too.
static bool is_later(const char *name, uint64_t last_step)
{
	static const char start[] = "step-", ending[] = ".hdf5";
	char *end;
	if (strncmp(name, start, sizeof start - 1) != 0 || name[sizeof start - 1] < '0' || name[sizeof start - 1] > '9')
		return false;
	unsigned long long step = strtoull(name + sizeof start - 1, &end, 10);
	if (strncmp(end, ending, sizeof ending - 1) != 0)
		return false;
	end += sizeof ending - 1;
	return strcmp(end, ".tmp") == 0 || strcmp(end, ".tmp.part") == 0 || (*end == 0 && step > last_step);
}

void problems_truncate(const char *folder, uint64_t last_step)
{
	char place[TALUS_PATH_MAX], path[TALUS_PATH_MAX];
	talus_error ignored;
	if (!folder_path(place, folder, folder_name, &ignored))
		return;
	int opened = open(place, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	DIR *list = opened >= 0 ? fdopendir(opened) : NULL;
	if (!list)
		return;
	for (const struct dirent *entry; (entry = readdir(list));)
		if (is_later(entry->d_name, last_step) && folder_path(path, place, entry->d_name, &ignored))
			unlink(path);
	closedir(list);
}
