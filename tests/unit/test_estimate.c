// SPDX-License-Identifier: MIT
// Estimates of what a run takes: steps and bytes by hand; times are only in proportion, whatever the machine.
#include "io/estimate.h"
#include "observe/observable.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>

#define SCENE(until, output) \
	"dimension: 2\nmaterials: {glass: {density: 1}}\ncontacts: [{between: [glass, glass]}]\n" \
	"grains: [{fill: {count: 100, radius: 0.5, arrangement: lattice, in: {box: [[0, 0], [10, 10]]}}}]\n" \
	"method: {contact_dynamics: {step: 0.01}}\nsolver: {nsgs: {stop: {iterations: 30}}}\n" \
	"run: {until: {" until "}}\noutput: {" output "}\n"

static estimate make(const char *text, advice_facts *facts)
{
	talus_error error;
	scene *s = scene_read_text(text, "scene.yaml", NULL, 0, &error);
	talus_world *world = s ? scene_build(s, false, &error) : NULL;
	if (!world)
		fail_msg("%d:%d: %s", error.line, error.column, error.text);
	*facts = advice_measure(s, world);
	estimate e = estimate_make(s, facts);
	talus_world_destroy(world);
	scene_free(s);
	return e;
}

static double log_columns(void)
{
	observable_list list = observables_in(OBSERVABLE_LOG, 2);
	double sum = 0;
	for (int i = 0; i < list.count; i++)
		sum += (double)observable_count(list.at[i]);
	assert_true(sum >= 88);
	return sum;
}

// 136 bytes for a grain in a frame, 97 for a contact; a disk has two of these to its name. A frame itself takes 5 kB.
static void bytes_are_counted(void **state)
{
	(void)state;
	advice_facts facts;
	estimate e = make(SCENE("time: 20", "frames: {every: 0.5}, log: {every: 0.1}"), &facts);
	assert_true(e.steps == 2000 && e.contacts == 200 && e.sweeps == 30);
	assert_true(e.frames == 42*(5e3 + 100*136 + 200*97) && e.written == 42 && e.log == 202*log_columns()*14 && e.checkpoint > 0);
	estimate none = make(SCENE("time: 20", ""), &facts);
	assert_true(none.frames == 2*(5e3 + 100*136 + 200*97) && none.log == e.log); // a row every ten steps
	none = make(SCENE("rest: 1e-6", "frames: {every: 0.5}"), &facts);
	assert_true(none.endless && none.steps == 1000 && none.frames == 22*(5e3 + 100*136 + 200*97));
	none = make(SCENE("time: 20", "frames: {every: 0.5, contacts: false}"), &facts);
	assert_true(none.frames == 42*(5e3 + 100*136));
	none = make(SCENE("time: 20", "frames: {every: 0.5, compress: true}"), &facts);
	assert_true(fabs(none.frames - 42*(5e3 + 0.6*(100*136 + 200*97))) < 1);
	none = make(SCENE("time: 20", "frames: {every: 1e-3}"), &facts); // not more than one a step
	assert_true(none.written == 2002);
	none = make(SCENE("time: 0.004", ""), &facts);
	assert_true(none.steps == 0 && !none.endless);
}

static double saving(const estimate *e)
{
	return e->saved*(8e-3 + e->checkpoint/2e8);
}

static void times_go_with_the_work(void **state)
{
	(void)state;
	advice_facts facts;
	estimate e = make(SCENE("time: 20", ""), &facts);
	estimate_cost cost = {.update = 1e-8, .grain = 1e-6};
	assert_true(fabs(estimate_seconds(&e, &facts, cost) - saving(&e) - 2000*(200*30*1e-8 + 100*1e-6) - 2*5e-3) < 1e-9);
	e = make(SCENE("time: 20", "frames: {every: 0.01}"), &facts); // and 5 ms for each frame
	assert_true(fabs(estimate_seconds(&e, &facts, cost) - saving(&e) - 2000*(200*30*1e-8 + 100*1e-6) - 2002*5e-3) < 1e-9);
	e = make(SCENE("time: 20", "checkpoint: {every: 0.01}"), &facts); // and more for each checkpoint
	assert_true(e.saved == 2002 && estimate_seconds(&e, &facts, cost) > 2002*8e-3);
	e = make(SCENE("time: 0.004", ""), &facts);
	assert_true(estimate_seconds(&e, &facts, cost) < 0.1);
	e = make(SCENE("rest: 1e-6", ""), &facts);
	assert_true(fabs(estimate_seconds(&e, &facts, cost) - saving(&e) - 1000*(200*30*1e-8 + 100*1e-6) - 2*5e-3) < 1e-9);
	for (int dimension = 2; dimension <= 3; dimension++) {
		cost = estimate_measure(dimension);
		assert_true(cost.update > 0 && cost.update < 1 && cost.grain >= 0 && cost.grain < 1);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(bytes_are_counted),
		cmocka_unit_test(times_go_with_the_work),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
