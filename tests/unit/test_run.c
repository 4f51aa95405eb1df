// SPDX-License-Identifier: MIT
// A run through the public functions alone: what its events tell, that it can be stopped, thrown away and resumed at any step, that it
// writes what the program writes, and what it says when it cannot.
#include "run_folder.h"

#include "cli.h"

#include <getopt.h>
#include <signal.h>
#include <sys/resource.h>
#include <unistd.h>

static const char box[] =
	"title: a small box\n"
	"dimension: 2\n"
	"gravity: [0, -1]\n"
	"materials: {glass: {density: 1}}\n"
	"contacts: [{between: [glass, glass], friction: 0.3}]\n"
	"grains:\n"
	"  - fill: {count: 30, radius: {uniform: [0.4, 0.6]}, material: glass, in: {box: [[0, 0], [8, 10]]}}\n"
	"walls:\n"
	"  floor: {plane: {point: [0, 0], normal: [0, 1]}, material: glass}\n"
	"  left: {plane: {point: [0, 0], normal: [1, 0]}, material: glass}\n"
	"  right: {plane: {point: [8, 0], normal: [-1, 0]}, material: glass}\n"
	"method: {contact_dynamics: {step: 0.01}}\n"
	"run: {until: {time: 1}}\n"
	"output: {frames: {every: 0.2}, log: {every: 0.05}, checkpoint: {every: 0.3}}\n";

enum { STEPS = 100, FRAMES = 6, ROWS = 21, CHECKPOINTS = 4 + 1, EVENT_KINDS = TALUS_EVENT_ENDED + 1 };

// What a listener has heard, and what it does about it.
typedef struct heard {
	int count[EVENT_KINDS], frames, rows, checkpoints;
	uint64_t stop_at;     // asks to stop when this step is done; 0: never
	uint64_t fill_at;     // from this step on files may not grow; 0: never
	bool meddle;          // tries to advance it from within
	char error[64], note[64], ended[64], message[512]; // codes, and the message of the end
	talus_event_kind last;
	uint64_t last_step;
	talus_error why;
} heard;

static void files_limit(bool limited)
{
	struct rlimit limit;
	getrlimit(RLIMIT_FSIZE, &limit);
	limit.rlim_cur = limited ? 100 : limit.rlim_max;
	setrlimit(RLIMIT_FSIZE, &limit);
}

static void listen_to(void *context, talus_run *run, const talus_event *event)
{
	heard *h = context;
	assert_non_null(event->code);
	assert_non_null(event->message);
	h->count[event->kind]++;
	h->last = event->kind;
	h->last_step = event->step;
	h->frames += event->kind == TALUS_EVENT_OUTPUT && strcmp(event->code, "frame") == 0;
	h->rows += event->kind == TALUS_EVENT_OUTPUT && strcmp(event->code, "log") == 0;
	h->checkpoints += event->kind == TALUS_EVENT_OUTPUT && strcmp(event->code, "checkpoint") == 0;
	if (event->kind == TALUS_EVENT_ERROR) {
		snprintf(h->error, sizeof h->error, "%s", event->code);
		h->why = *event->error;
	}
	if (event->kind == TALUS_EVENT_NOTE)
		snprintf(h->note, sizeof h->note, "%s", event->code);
	if (event->kind == TALUS_EVENT_ENDED) {
		snprintf(h->ended, sizeof h->ended, "%s", event->code);
		snprintf(h->message, sizeof h->message, "%s", event->message);
	}
	if (event->kind != TALUS_EVENT_STEP)
		return;
	assert_true(talus_world_time(talus_run_world(run)) == event->time);
	if (h->meddle) {
		talus_error error;
		assert_false(talus_run_advance(run, 1, 0, &error));
		assert_non_null(strstr(error.text, "callback"));
		talus_world *world = talus_run_world(run);
		talus_world_step(world);
		assert_non_null(talus_world_error(world));
		assert_int_equal(talus_world_advance(world, INFINITY, 1, 0), TALUS_STOPPED_REFUSED);
		assert_true(talus_world_time(world) == event->time);
	}
	if (event->step == h->stop_at)
		talus_run_stop(run, "the test");
	if (event->step == h->fill_at)
		files_limit(true);
}

static talus_run_def def_in(char path[TALUS_PATH_MAX], const char *folder, const char *name)
{
	talus_run_def def = talus_run_def_default();
	path_in(path, folder, name);
	def.folder = path;
	def.scene = "box.yaml";
	def.text = box;
	def.threads = 1;
	return def;
}

static talus_run *started(const talus_run_def *def, heard *h)
{
	talus_error error;
	talus_run *run = talus_run_create(listen_to, h);
	assert_int_equal(talus_run_status(run), TALUS_RUN_NEW);
	bool ok = talus_run_start(run, def, &error);
	assert_true(ok);
	assert_int_equal(talus_run_status(run), TALUS_RUN_GOING);
	return run;
}

static talus_run *resumed(const talus_run_def *def, heard *h)
{
	talus_error error;
	talus_run *run = talus_run_create(listen_to, h);
	assert_true(talus_run_resume(run, def, &error));
	return run;
}

// To its end, which it must reach; its hash.
static uint64_t complete(talus_run *run)
{
	talus_error error;
	assert_true(talus_run_advance(run, 0, 0, &error));
	assert_int_equal(talus_run_status(run), TALUS_RUN_DONE);
	uint64_t hash = talus_world_hash(talus_run_world(run));
	talus_run_destroy(run);
	return hash;
}

// What the program makes of the same scene in FOLDER/program: its hash, as its summary has it.
static uint64_t program_hash(const char *folder)
{
	char scene_path[TALUS_PATH_MAX], place[TALUS_PATH_MAX];
	size_t size;
	text_put(folder, "box.yaml", box, strlen(box));
	path_in(scene_path, folder, "box.yaml");
	path_in(place, folder, "program");
	char *words[] = {(char[]){"run"}, scene_path, (char[]){"-o"}, place, (char[]){"--quiet"}, NULL};
	optind = 0;
	assert_int_equal(cli_run(5, words), EXIT_DONE);
	char *summary = text_of(place, "summary.json", &size), *at = strstr(summary, "\"state_hash\": \"");
	assert_non_null(at);
	uint64_t hash = strtoull(at + strlen("\"state_hash\": \""), NULL, 16);
	free(summary);
	return hash;
}

static void assert_same_file(const char *folder, const char *other, const char *name)
{
	size_t size, other_size;
	char *text = text_of(folder, name, &size), *other_text = text_of(other, name, &other_size);
	assert_int_equal(size, other_size);
	assert_memory_equal(text, other_text, size);
	free(text);
	free(other_text);
}

static bool says(const char *folder, const char *name, const char *what)
{
	size_t size;
	char *text = text_of(folder, name, &size);
	bool found = strstr(text, what);
	free(text);
	return found;
}

// ---------------------------------------------------------------- runs that end well

static void test_events(void **state)
{
	char path[TALUS_PATH_MAX], program[TALUS_PATH_MAX];
	talus_error error;
	heard h = {0};
	talus_run_def def = def_in(path, *state, "run");
	talus_run *run = started(&def, &h);
	assert_string_equal(talus_run_title(run), "a small box");
	assert_string_equal(talus_run_folder(run), path);
	assert_true(talus_run_end_time(run) == 1);
	h.meddle = true;
	for (int i = 1; talus_run_status(run) == TALUS_RUN_GOING; i++) { // any pieces make the same whole
		assert_true(talus_run_advance(run, 7, 0, &error));
		assert_int_equal(h.count[TALUS_EVENT_STEP], 7*i < STEPS ? 7*i : STEPS);
	}
	assert_true(talus_run_advance(run, 7, 0, &error)); // nothing is left to do
	assert_int_equal(h.count[TALUS_EVENT_STEP], STEPS);
	assert_int_equal(h.frames, FRAMES);
	assert_int_equal(h.rows, ROWS);
	assert_int_equal(h.checkpoints, CHECKPOINTS);
	assert_int_equal(h.count[TALUS_EVENT_ENDED], 1);
	assert_int_equal(h.last, TALUS_EVENT_ENDED);
	assert_int_equal(h.last_step, STEPS);
	assert_string_equal(h.ended, "done");
	assert_int_equal(h.count[TALUS_EVENT_ERROR] + h.count[TALUS_EVENT_NOTE], 0);
	assert_true(talus_run_seconds(run) > 0);
	uint64_t hash = complete(run);
	assert_true(hash == program_hash(*state));
	path_in(program, *state, "program");
	assert_same_file(path, program, "log.csv");
	assert_same_file(path, program, "scene.yaml");
	assert_same_file(path, program, "run.xdmf");
}

// However a run is broken off, the rest of it is the same.
static void test_stop_and_resume(void **state)
{
	char path[TALUS_PATH_MAX], whole[TALUS_PATH_MAX];
	talus_error error;
	heard h = {0}, again = {0};
	talus_run_def def = def_in(whole, *state, "whole");
	uint64_t hash = complete(started(&def, &h));

	h = (heard){.stop_at = 37};
	def = def_in(path, *state, "stopped");
	talus_run *run = started(&def, &h);
	assert_true(talus_run_advance(run, 0, 0, &error));
	assert_int_equal(talus_run_status(run), TALUS_RUN_STOPPED);
	assert_int_equal(h.last_step, 37);
	assert_string_equal(h.ended, "stopped");
	assert_string_equal(h.message, "stopped at time 0.37, step 37");
	assert_true(says(path, "summary.json", "\"stopped\": \"the test\""));
	talus_run *rest = resumed(&def, &again); // the first one has given the folder back
	assert_true(complete(rest) == hash);
	assert_int_equal(again.count[TALUS_EVENT_STEP], STEPS - 37);
	assert_same_file(path, whole, "log.csv");
	assert_same_file(path, whole, "run.xdmf");
	talus_run_destroy(run);

	h = (heard){0};
	def = def_in(path, *state, "destroyed"); // between two checkpoints
	run = started(&def, &h);
	assert_true(talus_run_advance(run, 45, 0, &error));
	talus_run_destroy(run);
	again = (heard){0};
	assert_true(complete(resumed(&def, &again)) == hash);
	assert_int_equal(again.count[TALUS_EVENT_STEP], STEPS - 30);
	assert_same_file(path, whole, "log.csv");

	def = def_in(path, *state, "finished");
	run = started(&def, &h);
	assert_true(talus_run_advance(run, 3, 0, &error) && talus_run_finish(run, &error));
	assert_int_equal(talus_run_status(run), TALUS_RUN_STOPPED);
	assert_true(talus_run_finish(run, &error));
	talus_run_destroy(run);
	assert_true(complete(resumed(&def, &again)) == hash);
	assert_same_file(path, whole, "log.csv");
}

// A stop that was asked for before the first step; a limit of time; nobody who listens.
static void test_limits(void **state)
{
	char path[TALUS_PATH_MAX];
	talus_error error;
	talus_run_def def = def_in(path, *state, "early");
	talus_run *run = talus_run_create(NULL, NULL);
	talus_run_stop(run, NULL);
	assert_true(talus_run_start(run, &def, &error) && talus_run_advance(run, 0, 0, &error));
	assert_int_equal(talus_run_status(run), TALUS_RUN_STOPPED);
	assert_true(talus_world_time(talus_run_world(run)) == 0);
	talus_run_destroy(run);

	const char *const sets[] = {"run.until.time=1e6", "output={}"};
	def.sets = sets;
	def.set_count = 2;
	def.replace = true;
	run = talus_run_create(NULL, NULL);
	assert_true(talus_run_start(run, &def, &error));
	assert_true(talus_run_advance(run, 0, 1e-9, &error)); // at least a step
	assert_true(talus_world_time(talus_run_world(run)) > 0);
	assert_true(talus_run_advance(run, 0, 0.05, &error));
	assert_int_equal(talus_run_status(run), TALUS_RUN_GOING);
	talus_run_destroy(run);
	talus_run_destroy(NULL);
}

// Files have room for the grains and walls of the scene. What does not fit is refused before anything is lost.
static void test_room(void **state)
{
	char path[TALUS_PATH_MAX];
	talus_error error;
	talus_run_def def = def_in(path, *state, "room");
	talus_run *run = talus_run_create(NULL, NULL);
	assert_true(talus_run_start(run, &def, &error) && talus_run_advance(run, 30, 0, &error));
	talus_world *world = talus_run_world(run);
	talus_grain_def more = talus_grain_def_default();
	more.at.x = 4;
	more.at.y = 15;
	more.radius = 0.3;
	assert_true(talus_world_add_grain(world, &more) == TALUS_NO_GRAIN);
	assert_non_null(strstr(talus_world_error(world)->text, "room for the grains of its scene, 30"));
	talus_wall_def lid = talus_wall_def_default(TALUS_WALL_PLANE);
	snprintf(lid.name, sizeof lid.name, "lid");
	lid.point.y = 20;
	lid.axis.y = -1;
	lid.axis.z = 0;
	assert_int_equal(talus_world_add_wall(world, &lid), -1);
	assert_non_null(strstr(talus_world_error(world)->text, "no wall can be added"));
	uint32_t first = talus_world_grains(world).id[0];
	assert_true(talus_world_remove_grain(world, first));
	assert_true(talus_world_add_grain(world, &more) != TALUS_NO_GRAIN);
	assert_true(talus_run_advance(run, 0, 0, &error));
	assert_int_equal(talus_run_status(run), TALUS_RUN_DONE);
	talus_run_destroy(run);

	run = talus_run_create(NULL, NULL);
	assert_false(talus_run_start(run, NULL, &error));
	talus_run_destroy(run);
	run = talus_run_create(NULL, NULL);
	assert_false(talus_run_resume(run, NULL, &error));
	talus_run_destroy(run);
	def.sets = (const char *const[]){NULL};
	def.set_count = 1;
	run = talus_run_create(NULL, NULL);
	assert_false(talus_run_start(run, &def, &error));
	assert_non_null(strstr(error.text, "one of the sets is missing"));
	talus_run_destroy(run);
}

// A run that is at its end stays there, unless it is to go further; `until` is remembered.
static void test_further(void **state)
{
	char path[TALUS_PATH_MAX], whole[TALUS_PATH_MAX];
	heard h = {0};
	talus_run_def def = def_in(whole, *state, "whole");
	def.until = 1.5;
	uint64_t hash = complete(started(&def, &h));
	def = def_in(path, *state, "longer");
	complete(started(&def, &h));
	h = (heard){0};
	talus_run *run = resumed(&def, &h);
	assert_int_equal(talus_run_status(run), TALUS_RUN_DONE);
	assert_string_equal(h.ended, "complete");
	assert_int_equal(h.count[TALUS_EVENT_STEP] + h.count[TALUS_EVENT_OUTPUT], 0);
	talus_run_destroy(run);
	def.until = 1.5;
	assert_true(complete(resumed(&def, &h)) == hash);
	assert_true(says(path, "scene.yaml", "run: {until: {time: 1.5}}"));
	assert_same_file(path, whole, "log.csv");
	def.until = 0.5;
	talus_error error;
	run = talus_run_create(listen_to, &h);
	assert_false(talus_run_resume(run, &def, &error));
	assert_int_equal(talus_run_status(run), TALUS_RUN_REFUSED);
	assert_string_equal(h.error, "until");
	assert_non_null(strstr(error.text, "beyond"));
	talus_run_destroy(run);
}

// ---------------------------------------------------------------- runs that do not

// Starts it (or resumes), which must go wrong in this way.
static talus_error refused(const talus_run_def *def, bool resume, talus_run_state wanted, const char *code)
{
	heard h = {0};
	talus_error error, later;
	talus_run *run = talus_run_create(listen_to, &h);
	assert_false(resume ? talus_run_resume(run, def, &error) : talus_run_start(run, def, &error));
	assert_int_equal(talus_run_status(run), wanted);
	assert_string_equal(h.error, code);
	assert_string_equal(h.why.text, error.text);
	assert_string_equal(h.ended, code);
	assert_false(talus_run_advance(run, 1, 0, &later));
	assert_string_equal(later.text, error.text);
	assert_false(talus_run_start(run, def, NULL)); // once is once
	assert_int_equal(h.count[TALUS_EVENT_ENDED], 1);
	talus_run_destroy(run);
	return error;
}

static void test_refusals(void **state)
{
	char path[TALUS_PATH_MAX];
	heard h = {0};
	talus_run_def def = def_in(path, *state, "run");
	talus_error error;
	talus_run *run = talus_run_create(NULL, NULL);
	assert_false(talus_run_advance(run, 1, 0, &error));
	assert_non_null(strstr(error.text, "started"));
	assert_false(talus_run_finish(run, &error)); // and that was no request to stop
	assert_true(talus_run_start(run, &def, &error) && talus_run_advance(run, 3, 0, &error));
	assert_int_equal(talus_run_status(run), TALUS_RUN_GOING);
	assert_false(talus_run_advance(run, 3, NAN, &error) || talus_run_advance(run, 3, -1, &error));
	talus_run_destroy(run);
	path_in(path, *state, "another");

	def.folder = NULL;
	refused(&def, false, TALUS_RUN_REFUSED, "use");
	def.folder = path;
	def.threads = -1;
	refused(&def, false, TALUS_RUN_REFUSED, "use");
	def.threads = 5000;
	error = refused(&def, false, TALUS_RUN_REFUSED, "use");
	assert_non_null(strstr(error.text, "from 1 to 1024 threads"));
	def.threads = 1;
	const char *const sets[] = {"contacts.0.frictoin=1"};
	def.sets = sets;
	def.set_count = 1;
	error = refused(&def, false, TALUS_RUN_REFUSED, "scene");
	assert_string_equal(error.file, "--set contacts.0.frictoin=1");
	def.set_count = 0;
	def.text = "title: [\n";
	error = refused(&def, false, TALUS_RUN_REFUSED, "scene");
	assert_string_equal(error.file, "box.yaml");
	assert_true(error.line > 0);
	def.text = NULL; // then it is a file, and there is none
	refused(&def, false, TALUS_RUN_REFUSED, "scene");
	def.text = box;
	assert_int_equal(access(path, F_OK), -1); // nothing was made so far
	refused(&def, true, TALUS_RUN_REFUSED, "no_run");

	run = started(&def, &h);
	refused(&def, false, TALUS_RUN_REFUSED, "run_in_folder");
	def.replace = true;
	error = refused(&def, false, TALUS_RUN_FAILED, "folder"); // it is at work there
	refused(&def, true, TALUS_RUN_FAILED, "folder");
	def.replace = false;
	uint64_t hash = complete(run); // and nobody has disturbed it
	refused(&def, false, TALUS_RUN_REFUSED, "run_in_folder");
	assert_true(hash == program_hash(*state));
}

// A disk that is full: what was written up to the last checkpoint is there, and it goes on when there is room again.
static void test_full_disk(void **state)
{
	char path[TALUS_PATH_MAX];
	talus_error error;
	heard h = {.fill_at = 65};
	talus_run_def def = def_in(path, *state, "full");
	signal(SIGXFSZ, SIG_IGN);
	talus_run *run = started(&def, &h);
	bool ok = talus_run_advance(run, 0, 0, &error);
	files_limit(false);
	assert_false(ok);
	assert_int_equal(talus_run_status(run), TALUS_RUN_FAILED);
	assert_string_equal(h.error, "output");
	assert_string_equal(h.note, "checkpoint");
	assert_string_equal(h.ended, "output");
	assert_true(strncmp(error.file, path, strlen(path)) == 0); // by the name that we have for it
	talus_run_destroy(run);
	h = (heard){0};
	assert_true(complete(resumed(&def, &h)) == program_hash(*state));
	assert_int_equal(h.count[TALUS_EVENT_STEP], STEPS - 60);
}

// Grains that overlap more than is allowed: all is written, and it may go on with another limit.
static void test_overlap(void **state)
{
	char path[TALUS_PATH_MAX];
	talus_error error;
	heard h = {0};
	const char *const sets[] = {"run={until: {time: 20}, max_overlap: 1e-6}", "solver={nsgs: {stop: {iterations: 1}}}"};
	talus_run_def def = def_in(path, *state, "run");
	def.sets = sets;
	def.set_count = 2;
	talus_run *run = started(&def, &h);
	assert_false(talus_run_advance(run, 0, 0, &error));
	assert_int_equal(talus_run_status(run), TALUS_RUN_FAILED);
	assert_string_equal(h.error, "overlap");
	assert_string_equal(h.ended, "overlap");
	assert_string_equal(h.message, "all is written up to there");
	assert_non_null(strstr(error.text, "max_overlap"));
	assert_true(says(path, "summary.json", "\"failed\": \""));
	talus_run_destroy(run);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		IN_FOLDER(test_events),
		IN_FOLDER(test_stop_and_resume),
		IN_FOLDER(test_limits),
		IN_FOLDER(test_room),
		IN_FOLDER(test_further),
		IN_FOLDER(test_refusals),
		IN_FOLDER(test_full_disk),
		IN_FOLDER(test_overlap),
	};
	return cmocka_run_group_tests_name("runs", tests, NULL, NULL);
}
