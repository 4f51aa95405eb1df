// SPDX-License-Identifier: MIT
// Advice about a scene: what it measures in a set-up world, and when it speaks.
#include "io/advice.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <string.h>

static const advice_facts calm = {
	.dimension = 3, .grains = 1000, .smallest_radius = 0.5, .mean_diameter = 1, .speed = 2, .extent = 10,
		.gravity = 1,
	.step = 0.01, .iterations = 100, .q = 0.797, .mean_mass = 0.5, .lightest_piston = INFINITY,
};

static bool near(double a, double b)
{
	return fabs(a - b) < 1e-9;
}

static const advice *find(const advice *list, int count, const char *code)
{
	for (int i = 0; i < count; i++) {
		if (!strcmp(list[i].code, code))
			return &list[i];
	}
	return NULL;
}

static void a_calm_scene_gets_no_warning(void **state)
{
	(void)state;
	advice list[ADVICE_MAX];
	int count = advice_judge(&calm, list);
	assert_null(find(list, count, "long_step"));
	assert_null(find(list, count, "few_iterations"));
}

// The limit is a tenth of the smallest radius: 5 x 0.01 on one side, 5.01 x 0.01 on the other.
static void steps_are_judged_by_the_smallest_radius(void **state)
{
	(void)state;
	advice list[ADVICE_MAX];
	advice_facts facts = calm;
	facts.speed = 5;
	assert_null(find(list, advice_judge(&facts, list), "long_step"));
	facts.speed = 5.01;
	const advice *said = find(list, advice_judge(&facts, list), "long_step");
	assert_non_null(said);
	assert_string_equal(said->message,
		"the step is long: at the largest expected speed, 5.01, a grain moves 0.1 of the smallest "
		"radius in one step of 0.01; with steps up to 0.01 it is 0.1");
	facts.speed = 20;
	facts.fall = 200;
	said = find(list, advice_judge(&facts, list), "long_step");
	assert_non_null(said);
	assert_string_equal(said->message,
		"the step is long: at the largest expected speed, 20 (free fall over 200), a grain moves "
		"0.4 of the smallest radius in one step of 0.01; with steps up to 0.0025 it is 0.1");
}

// A random sweep over 10 diameters needs 31 iterations, and twice the extent four times as many.
static void iterations_are_judged_by_the_extent(void **state)
{
	(void)state;
	advice list[ADVICE_MAX];
	advice_facts facts = calm;
	facts.iterations = 32;
	assert_null(find(list, advice_judge(&facts, list), "few_iterations"));
	facts.iterations = 30;
	assert_non_null(find(list, advice_judge(&facts, list), "few_iterations"));
	facts.iterations = 100;
	facts.extent = 20;
	const advice *said = find(list, advice_judge(&facts, list), "few_iterations");
	assert_non_null(said);
	// weight of 20 grains: 20 g dt^2/(q N_I) = 20 x 1e-4/79.7
	assert_string_equal(said->message,
		"100 iterations are too few for rigid grains: over 20 diameters it takes more than 124; "
		"with fewer a contact is a spring that overlaps by about 2.5e-05 diameters under the weight "
		"of all");
	facts.gravity = 0;
	facts.capped = true;
	said = find(list, advice_judge(&facts, list), "few_iterations");
	assert_non_null(said);
	assert_string_equal(said->message,
		"at most 100 iterations are too few for rigid grains: over 20 diameters it takes more than "
		"124");
}

static void a_light_piston_is_named(void **state)
{
	(void)state;
	advice list[ADVICE_MAX];
	advice_facts facts = calm;
	facts.lightest_piston = 0.6;
	assert_null(find(list, advice_judge(&facts, list), "light_piston"));
	facts.lightest_piston = 1e-3;
	const advice *said = find(list, advice_judge(&facts, list), "light_piston");
	assert_non_null(said);
	assert_non_null(strstr(said->message, "a piston of mass 0.001 is lighter than a grain (0.5)"));
}

static void the_cheaper_method_is_named(void **state)
{
	(void)state;
	advice list[ADVICE_MAX];
	advice_facts facts = calm; // 100 sqrt(4e-3 x 4/10) = 4
	const advice *said = find(list, advice_judge(&facts, list), "method_cost");
	assert_non_null(said);
	assert_string_equal(said->message,
		"by its scaling alone, without prefactor, the cost of fully rigid contact dynamics is 4 times that of "
		"molecular dynamics with springs that overlap by 0.001 diameters: soft grains may be cheaper, but are not "
		"available in this version");
	facts.gravity = 0; // 100 x 2e-3
	said = find(list, advice_judge(&facts, list), "method_cost");
	assert_non_null(said);
	assert_string_equal(said->message,
		"by its scaling alone, without prefactor, the cost of fully rigid contact dynamics is 0.2 times that of "
		"molecular dynamics with springs that overlap by 0.001 diameters: this method may be the cheaper one");
}

// ---------------------------------------------------------------- measuring

static advice_facts measure(const char *text)
{
	talus_error error;
	scene *s = scene_read_text(text, "scene.yaml", NULL, 0, &error);
	if (!s)
		fail_msg("%d:%d: %s", error.line, error.column, error.text);
	talus_world *world = scene_build(s, false, &error);
	if (!world)
		fail_msg("%d:%d: %s", error.line, error.column, error.text);
	advice_facts facts = advice_measure(s, world);
	talus_world_destroy(world);
	scene_free(s);
	return facts;
}

#define SCENE(grains, walls, rest) \
	"materials: {glass: {density: 1}}\ncontacts: [{between: [glass, glass]}]\n" \
	"grains: [" grains "]\nwalls: {" walls "}\n" \
	"method: {contact_dynamics: {step: 0.01}}\nrun: {until: {time: 1}}\n" rest
#define TWO "{grain: {at: [0, 0, 5], radius: 1}}, {grain: {at: [0, 0, 10], radius: 2, velocity: [0, 3, 4]}}"
#define FLOOR "floor: {plane: {point: [0, 0, 0], normal: [0, 0, 1]}}"

static void grains_and_floor_are_measured(void **state)
{
	(void)state;
	advice_facts facts = measure(SCENE(TWO, FLOOR, ""));
	assert_true(facts.grains == 2 && facts.smallest_radius == 1 && facts.mean_diameter == 3);
	assert_true(facts.speed == 5 && facts.fall == 0 && facts.extent == 8 && facts.gravity == 0);
	assert_true(facts.dimension == 3 && facts.iterations == 100 && !facts.capped && facts.q == 0.777);
	facts = measure(SCENE(TWO, FLOOR,
		"gravity: [0, 0, -10]\nsolver: {nsgs: {order: sequential, stop: {residual: 1e-6}}}"));
	assert_true(near(facts.fall, 12));
	assert_true(near(facts.speed, sqrt(240)));
	assert_true(facts.iterations == 10000 && facts.capped && facts.q == 1 && facts.gravity == 10);
}

static void moving_walls_are_measured(void **state)
{
	(void)state;
	advice_facts facts = measure(SCENE(TWO,
		"drum: {cylinder: {point: [0, 0, 5], axis: [0, 1, 0], radius: 20}, spin: 2}", ""));
	assert_true(near(facts.speed, 40));
	facts = measure(SCENE(TWO,
		"shaker: {plane: {point: [0, 0, -5], normal: [0, 0, 1]}, velocity: [0, 0, 1], "
		"oscillate: {direction: [0, 0, 1], amplitude: 2, frequency: 1}}", ""));
	assert_true(near(facts.speed, 1 + 4*3.14159265358979));
}

static void poured_grains_are_measured(void **state)
{
	(void)state;
	advice_facts facts = measure(SCENE(
		"{pour: {count: 1000, rate: 1, radius: {uniform: [0.5, 1.5]}, velocity: [0, 0, -1], "
		"in: {box: [[0, 0, 40], [9, 9, 50]]}}}", FLOOR, "gravity: [0, 0, -1]"));
	assert_true(facts.grains == 1000 && facts.smallest_radius == 0.5 && facts.mean_diameter == 2);
	assert_true(near(facts.extent, 20));
	assert_true(near(facts.fall, 50));
	assert_true(near(facts.speed, 10));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_calm_scene_gets_no_warning),
		cmocka_unit_test(steps_are_judged_by_the_smallest_radius),
		cmocka_unit_test(iterations_are_judged_by_the_extent),
		cmocka_unit_test(a_light_piston_is_named),
		cmocka_unit_test(the_cheaper_method_is_named),
		cmocka_unit_test(grains_and_floor_are_measured),
		cmocka_unit_test(moving_walls_are_measured),
		cmocka_unit_test(poured_grains_are_measured),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
