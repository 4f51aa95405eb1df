// SPDX-License-Identifier: MIT
// talus run --sweep: what its members are, which of them are there already, and the end of it. All scenes are
// known to be right before the first one runs.
#include "sweep.h"
#include "base/memory.h"

#include "base/error.h"
#include "cli.h"
#include "io/files.h"
#include "stop.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// The run that a member is.
typedef struct member_run {
	run_request request;
	char folder[TALUS_PATH_MAX];
	char seed[32]; // as --set takes it
} member_run;

// ---------------------------------------------------------------- members

static bool member_run_init(member_run *m, const sweep *s, int member, talus_error *error)
{
	char name[16];
	m->request = *s->request;
	run_request *r = &m->request;
	r->folder = m->folder;
	r->threads = 1;
	r->quiet = true;
	for (int k = 0; k < s->axes; k++)
		r->sets[r->set_count++] = s->axis[k].set[sweep_choice(s, member, k)];
	if (s->request->seeds) {
		snprintf(m->seed, sizeof m->seed, "seed=%llu", (unsigned long long)sweep_seed(s, member));
		r->sets[r->set_count++] = m->seed;
	}
	sweep_name(s, member, name);
	return folder_path(m->folder, s->request->folder, name, error);
}

// Scenes know only --set. What is wrong with a value that came otherwise is said about the option that was
// typed; what is wrong elsewhere, with the values that led to it.
static int member_wrong(const sweep *s, int member, talus_error *error)
{
	bool named = false;
	for (int k = 0; k < s->axes; k++) {
		const char *set = s->axis[k].set[sweep_choice(s, member, k)];
		if (strncmp(error->file, "--set ", 6) != 0 || strcmp(error->file + 6, set) != 0)
			continue;
		snprintf(error->file, sizeof error->file, "--sweep %s", set);
		named = true;
	}
	cli_error(error, EXIT_WRONG);
	bool unread = member == 0 && !error->line; // a scene that cannot be opened
	if (named || unread || (!s->axes && !s->request->seeds))
		return EXIT_WRONG;
	fputs("talus: this is so with", stderr);
	for (int k = 0; k < s->axes; k++)
		fprintf(stderr, "%s --sweep %s", k ? "," : "", s->axis[k].set[sweep_choice(s, member, k)]);
	if (s->request->seeds)
		fprintf(stderr, "%s seed %llu", s->axes ? "," : "", (unsigned long long)sweep_seed(s, member));
	fputc('\n', stderr);
	return EXIT_WRONG;
}

// ---------------------------------------------------------------- the work of a member

static int member_check(const sweep *s, int member)
{
	member_run m;
	talus_error error;
	if (s->resume[member])
		return EXIT_DONE;
	scene *read = member_run_init(&m, s, member, &error) ? run_scene_read(&m.request, &error) : NULL;
	int code = read && scene_check(read, &error) ? EXIT_DONE : member_wrong(s, member, &error);
	scene_free(read);
	return code;
}

static int member_work(const sweep *s, int member)
{
	member_run m;
	talus_error error;
	if (!member_run_init(&m, s, member, &error))
		return cli_error(&error, EXIT_FAILED);
	if (s->resume[member]) {
		char *words[] = {(char[]){"resume"}, m.folder, (char[]){"--quiet"}, NULL};
		optind = 0; // getopt starts anew
		return cli_resume(3, words);
	}
	m.request.force = true; // what is there was judged before
	int code = run_scene(&m.request);
	return code;
}

// ---------------------------------------------------------------- what is asked for

static bool axes_read(sweep *s, talus_error *error)
{
	const run_request *r = s->request;
	for (int k = 0; k < r->sweep_count; k++) {
		s->axes++;
		if (!sweep_axis_read(&s->axis[k], r->sweeps[k], error))
			return false;
		for (int i = 0; i < k; i++)
			if (strcmp(s->axis[i].path, s->axis[k].path) == 0)
				return error_set(error, "--sweep %s is there twice; one can have all the values",
				                 s->axis[k].path);
		if (r->seeds && strcmp(s->axis[k].path, "seed") == 0)
			return error_set(error, "--sweep %s and --seeds %d: one of them is enough", r->sweeps[k],
			                 r->seeds);
	}
	return true;
}

static bool members_count(sweep *s, talus_error *error)
{
	double members = s->seeds;
	for (int k = 0; k < s->axes; k++)
		members *= s->axis[k].count;
	if (members > SWEEP_MEMBERS_MOST)
		return error_set(error, "run: this sweep has %.0f members, more than %d", members,
		                 SWEEP_MEMBERS_MOST);
	s->members = (int)members;
	s->digits = sweep_digits(s->members);
	s->state = calloc((size_t)s->members, sizeof *s->state);
	s->resume = calloc((size_t)s->members, sizeof *s->resume);
	if (!s->state || !s->resume)
		memory_lost();
	return true;
}

// The scene's own seed, from the first member without one of its own.
static int seed_read(sweep *s)
{
	member_run m;
	talus_error error;
	run_request r = *s->request;
	r.seeds = 0;
	sweep plain = *s;
	plain.request = &r;
	scene *read = member_run_init(&m, &plain, 0, &error) ? run_scene_read(&m.request, &error) : NULL;
	if (read)
		s->seed = read->world.seed;
	int code = read ? EXIT_DONE : member_wrong(&plain, 0, &error);
	scene_free(read);
	if (code == EXIT_DONE && s->seed > UINT64_MAX - (uint64_t)(s->seeds - 1))
		return cli_wrong("run: --seeds %d: there are not so many seeds after %llu, the scene's",
		                 s->seeds, (unsigned long long)s->seed);
	return code;
}

// ---------------------------------------------------------------- what is there

// A run of the same scene is kept or goes on; one of another scene stays as it is.
static int member_look(sweep *s, int member, const char *folder, const char *text)
{
	char *there = sweep_text_read(folder, "scene.yaml");
	bool same = there && strcmp(there, text) == 0;
	free(there);
	if (!same && run_in(folder))
		return cli_wrong("%s: there is a run of another scene in this folder; --force replaces the whole "
		                 "sweep, -o chooses another folder", folder);
	if (same && summary_finished(folder))
		s->state[member] = SWEEP_DONE;
	else
		s->resume[member] = same && folder_has(folder, "checkpoint.h5");
	return EXIT_DONE;
}

static int member_judge(sweep *s, int member, bool same)
{
	member_run m;
	talus_error error;
	scene *read = member_run_init(&m, s, member, &error) ? run_scene_read(&m.request, &error) : NULL;
	int code = read ? EXIT_DONE : member_wrong(s, member, &error);
	m.request.force |= same;
	if (code == EXIT_DONE && folder_is_link(m.folder))
		code = cli_wrong("%s: this is a link; links in the folder of a sweep are not followed", m.folder);
	if (code == EXIT_DONE)
		code = run_folder_judge(&m.request);
	if (code == EXIT_DONE && !s->request->force)
		code = member_look(s, member, m.folder, read->text);
	scene_free(read);
	return code;
}

// ---------------------------------------------------------------- the end

static void failed_tell(const sweep *s, int failed)
{
	enum { NAMED_MOST = 20 };
	int named = 0;
	fprintf(stderr, "talus: %d of %d members failed:", failed, s->members);
	for (int i = 0; i < s->members && named < NAMED_MOST; i++) {
		char name[16];
		sweep_name(s, i, name);
		if (s->state[i] == SWEEP_FAILED)
			fprintf(stderr, "%s %s", named++ ? "," : "", name);
	}
	if (failed > named)
		fprintf(stderr, " and %d more", failed - named);
	fprintf(stderr, "; the others are in %s/" SWEEP_TABLE "\n", s->request->folder);
}

static int finish(const sweep *s, int kept)
{
	const run_request *r = s->request;
	talus_error error;
	int done = sweep_count(s, SWEEP_DONE), failed = sweep_count(s, SWEEP_FAILED);
	if (!sweep_table_write(s, &error))
		return cli_error(&error, EXIT_FAILED);
	if (failed)
		failed_tell(s, failed);
	if (done + failed < s->members) {
		fprintf(stderr, "talus: stopped with %d of %d members done; repeat the command to continue\n", done,
		        s->members);
		return EXIT_FAILED;
	}
	if (!r->quiet && !r->part) {
		printf("%s: %d of %d members done", r->folder, done, s->members);
		if (kept)
			printf(", %d of them before", kept);
		printf("\n\nFiles in %s: " SWEEP_TABLE ", a row for each member, and the runs 0000, 0001, ...\n",
		       r->folder);
	}
	return failed ? EXIT_FAILED : EXIT_DONE;
}

static int sweep_in_folder(sweep *s, const char *wanted)
{
	static const sweep_work run = {.doing = "", .work = member_work};
	const run_request *r = s->request;
	talus_error error;
	int lock, code = run_folder_hold(r->folder, &lock);
	if (code != EXIT_DONE)
		return code;
	bool same;
	code = sweep_folder_judge(s, wanted, &same); // again: somebody may have been here before the lock was
	if (code == EXIT_DONE && r->force)
		code = sweep_folder_remove(s);
	if (code == EXIT_DONE && !file_replace(r->folder, SWEEP_DEFINITION, wanted, strlen(wanted), &error))
		code = cli_error(&error, EXIT_FAILED);
	if (code == EXIT_DONE) {
		int kept = sweep_count(s, SWEEP_DONE);
		sweep_pool_run(s, &run);
		code = finish(s, kept);
	}
	folder_unlock(lock);
	return code;
}

// Worlds are made of all scenes that are to start, and thrown away: whether grains fit and do not overlap shows
// only then.
static int all_check(sweep *s)
{
	static const sweep_work check = {.doing = "checking scenes: ", .work = member_check, .check = true};
	sweep_state *state = s->state;
	s->state = malloc((size_t)s->members*sizeof *state);
	if (!s->state)
		memory_lost();
	memcpy(s->state, state, (size_t)s->members*sizeof *state);
	stop_plain();
	stop_listen();
	sweep_pool_run(s, &check);
	int code = sweep_count(s, SWEEP_FAILED) ? EXIT_WRONG : stop_asked() ? EXIT_FAILED : EXIT_DONE;
	if (code == EXIT_FAILED)
		fputs("talus: stopped before any member was started\n", stderr);
	free(s->state);
	s->state = state;
	return code;
}

int sweep_run(run_request *r)
{
	sweep s = {.request = r, .seeds = r->seeds ? r->seeds : 1};
	talus_error error = {0};
	char *wanted = NULL;
	bool same = false;
	if (!r->folder)
		run_folder_choose(r);
	bool clear = axes_read(&s, &error) && members_count(&s, &error);
	int code = clear ? EXIT_DONE : cli_error(&error, EXIT_WRONG);
	if (code == EXIT_DONE)
		code = seed_read(&s);
	if (code == EXIT_DONE) {
		wanted = sweep_definition(&s);
		code = sweep_folder_judge(&s, wanted, &same);
	}
	for (int i = 0; i < s.members && code == EXIT_DONE; i++)
		code = member_judge(&s, i, same);
	if (code == EXIT_DONE)
		code = all_check(&s);
	if (code == EXIT_DONE)
		code = sweep_in_folder(&s, wanted);
	for (int k = 0; k < s.axes; k++)
		sweep_axis_free(&s.axis[k]);
	free(wanted);
	free(s.state);
	free(s.resume);
	return code;
}
