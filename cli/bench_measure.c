// SPDX-License-Identifier: MIT
// One scene on several numbers of threads: a world for each, all from the same start through the same steps,
// taking turns, so that a noisy machine hits all of them. The best round counts. In the end all worlds must be
// in the same state, bit for bit.
#include "bench.h"

#include "base/clock.h"
#include "base/error.h"
#include "stop.h"
#include "world.h"

#include <math.h>

static const double round_seconds = 0.5; // about; a step is the least
enum { STEPS_MOST = 2000, MEMORY_FROM = 10000 }; // fewer grains tell little about memory

typedef struct runner {
	talus_world *world;
	talus_step_report report; // of its last step
} runner;

typedef struct session {
	const bench_scene *scene;
	const bench_request *request;
	bench_result *result;
	runner runner[BENCH_THREADS_MOST];
	double memory; // bytes of the first world at its peak
} session;

static bool steps_run(runner *r, int steps)
{
	for (int i = 0; i < steps && !stop_asked(); i++)
		world_step(r->world);
	r->report = r->world->report;
	return !stop_asked();
}

// ---------------------------------------------------------------- before

// Lists are made, and there is a last step to start from.
static bench_outcome warm(session *s, int k, talus_error *error)
{
	const bench_request *request = s->request;
	runner *r = &s->runner[k];
	bench_row *row = &s->result->row[k];
	*row = (bench_row){.threads = request->threads[k], .triad = request->triad[k], .update = INFINITY,
	                   .bare = INFINITY, .step = INFINITY};
	double before = memory_peak_begin();
	r->world = bench_scene_build(s->scene, request->folder, request->order, error);
	if (!r->world)
		return BENCH_FAILED;
	talus_world_set_threads(r->world, row->threads);
	payoff_settle(&r->world->payoff); // what threads give is to be seen, also where it is little
	if (!talus_world_set_simd(r->world, request->simd))
		return error_set(error, "this processor does not support what --simd asks for"), BENCH_FAILED;
	if (!steps_run(r, s->scene->warm))
		return BENCH_STOPPED;
	row->hash = talus_world_hash(r->world);
	if (k == 0)
		s->memory = memory_peak() - before;
	return BENCH_MEASURED;
}

static bench_outcome warm_all(session *s, talus_error *error)
{
	for (int k = 0; k < s->request->counts; k++) {
		bench_progress(s->scene->name, 0, s->request->rounds);
		bench_outcome outcome = warm(s, k, error);
		if (outcome != BENCH_MEASURED)
			return outcome;
		s->result->rows++;
	}
	return BENCH_MEASURED;
}

// How many steps a round has. All worlds make one to find out.
static bool round_plan(session *s)
{
	double longest = 0;
	for (int k = 0; k < s->result->rows; k++) {
		double start = clock_now();
		if (!steps_run(&s->runner[k], 1))
			return false;
		longest = fmax(longest, clock_now() - start);
	}
	s->result->steps = (int)fmax(1, fmin(round_seconds/longest, STEPS_MOST));
	return true;
}

// ---------------------------------------------------------------- rounds

static bool round_run(runner *r, int steps, bench_row *row)
{
	talus_step_report before = r->report;
	double start = clock_now();
	if (!steps_run(r, steps))
		return false;
	double seconds = clock_now() - start;
	double solver = r->report.seconds_solver - before.seconds_solver;
	uint64_t updates = r->report.updates_all - before.updates_all;
	if (updates)
		row->update = fmin(row->update, solver/(double)updates);
	if (seconds/steps < row->step) {
		row->step = seconds/steps;
		row->other = 1 - solver/seconds;
	}
	return true;
}

static bool rounds_run(session *s, bench_bare *bare)
{
	bench_result *result = s->result;
	for (int round = 0; round < result->rounds; round++) {
		bench_progress(s->scene->name, round + 1, result->rounds);
		for (int k = 0; k < result->rows; k++) {
			bench_row *row = &result->row[k];
			if (!round_run(&s->runner[k], result->steps, row))
				return false;
			row->bare = fmin(row->bare, bare_measure(bare, row->threads));
		}
	}
	return true;
}

static int threads_most(const bench_request *request)
{
	int most = 1;
	for (int k = 0; k < request->counts; k++)
		most = request->threads[k] > most ? request->threads[k] : most;
	return most;
}

// ---------------------------------------------------------------- after

static void conclude(session *s)
{
	bench_result *result = s->result;
	const talus_step_report *report = &s->runner[0].report;
	result->grains = report->grains;
	result->contacts = report->contacts;
	result->iterations = report->iterations;
	result->steps_all = report->step;
	result->memory = report->grains >= MEMORY_FROM ? s->memory/(double)report->grains : NAN;
	result->agree = true;
	for (int k = 0; k < result->rows; k++) {
		bench_row *row = &result->row[k];
		row->hash_end = talus_world_hash(s->runner[k].world);
		result->agree &= row->hash == result->row[0].hash && row->hash_end == result->row[0].hash_end;
	}
	result->simd = talus_world_simd(s->runner[0].world);
	snprintf(result->order, sizeof result->order, "%s", bench_order_name(s->runner[0].world));
}

bench_outcome bench_measure(const bench_scene *scene, const bench_request *request, bench_result *result,
                            talus_error *error)
{
	*result = (bench_result){.scene = scene, .rounds = request->rounds};
	session s = {.scene = scene, .request = request, .result = result};
	bench_outcome outcome = warm_all(&s, error);
	if (outcome == BENCH_MEASURED) {
		outcome = BENCH_STOPPED;
		if (round_plan(&s)) {
			bench_bare *bare = bare_create(s.runner[0].world, threads_most(request));
			if (rounds_run(&s, bare))
				outcome = BENCH_MEASURED;
			bare_destroy(bare);
		}
	}
	bench_progress(NULL, 0, 0);
	if (outcome == BENCH_MEASURED)
		conclude(&s);
	for (int k = 0; k < request->counts; k++)
		talus_world_destroy(s.runner[k].world);
	return outcome;
}
