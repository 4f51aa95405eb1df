// SPDX-License-Identifier: MIT
// Advice about a scene: what it measures in a set-up world, and when it speaks.
#include "io/advice.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>
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

// What is said of it; "" if nothing.
static const char *heard(const advice_facts *facts, const char *code)
{
	static advice list[ADVICE_MAX];
	const advice *said = find(list, advice_judge(facts, list), code);
	return said ? said->message : "";
}

static void a_calm_scene_gets_no_warning(void **state)
{
	(void)state;
	advice list[ADVICE_MAX];
	int count = advice_judge(&calm, list);
	assert_null(find(list, count, "long_step"));
	assert_null(find(list, count, "few_iterations"));
}

// The limit is a tenth of the smallest radius, 5 x 0.01, and what is said must not round to it.
static void steps_are_judged_by_the_smallest_radius(void **state)
{
	(void)state;
	advice list[ADVICE_MAX];
	advice_facts facts = calm;
	facts.speed = 5;
	assert_null(find(list, advice_judge(&facts, list), "long_step"));
	facts.speed = 5.2; // 0.104 would be "0.1"
	assert_null(find(list, advice_judge(&facts, list), "long_step"));
	facts.speed = 5.3;
	const advice *said = find(list, advice_judge(&facts, list), "long_step");
	assert_non_null(said);
	assert_string_equal(said->message,
		"the step is long: at the largest expected speed, 5.3, a grain moves 0.11 of the smallest "
		"radius in one step of 0.01; with steps up to 0.0094 it is 0.1");
	facts.speed = 20;
	facts.fall = 200;
	said = find(list, advice_judge(&facts, list), "long_step");
	assert_non_null(said);
	assert_string_equal(said->message,
		"the step is long: at the largest expected speed, 20 (free fall over 200), a grain moves "
		"0.4 of the smallest radius in one step of 0.01; with steps up to 0.0025 it is 0.1");
}

static void pushes_are_named_as_causes(void **state)
{
	(void)state;
	advice_facts facts = calm;
	facts.speed = 20;
	facts.pusher = "lid";
	assert_non_null(strstr(heard(&facts, "long_step"), "speed, 20 (piston `lid` under its force and weight), a grain"));
	facts.pusher = "";
	assert_non_null(strstr(heard(&facts, "long_step"), "speed, 20 (a grain under its `force`), a grain"));
}

// A random sweep over 10 diameters needs 100/(4 q) = 31.4 iterations, and twice the extent four times as many.
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
		"100 iterations per step are too few for rigid grains: to reach across 20 diameters takes more than 125; "
		"with fewer, each contact acts as a spring and overlaps by about 2.5e-05 diameters under the weight of all");
	facts.gravity = 0;
	facts.capped = true;
	said = find(list, advice_judge(&facts, list), "few_iterations");
	assert_non_null(said);
	assert_string_equal(said->message,
		"at most 100 iterations per step are too few for rigid grains: to reach across 20 diameters takes more than 125");
	facts.cell.outside = 0.5*79.7e-4/1e-4; // f = 39.85, f dt^2/(q m N_I) = 39.85e-4/(79.7 x 0.5)
	said = find(list, advice_judge(&facts, list), "few_iterations");
	assert_non_null(said);
	assert_non_null(strstr(said->message, "overlaps by about 1.0e-04 diameters under the stress outside"));
}

static void a_piston_without_mass_is_named(void **state)
{
	(void)state;
	advice_facts facts = calm;
	facts.lightest_piston = 1e-3;
	assert_string_equal(heard(&facts, "light_piston"), "");
	facts.lightest_piston = 1e-4;
	assert_non_null(strstr(heard(&facts, "light_piston"), "a piston of mass 0.0001 has 0.0002 of the mass of a grain"));
	facts.careful = true;
	assert_non_null(strstr(heard(&facts, "light_piston"), "a thousandth of a grain"));
}

// All grains together weigh 500: pistons up to a hundred times that are none to speak of.
static void masses_far_apart_are_named(void **state)
{
	(void)state;
	advice_facts facts = calm;
	facts.all_mass = 500;
	facts.heaviest_piston = 5e4;
	facts.lightest_grain = 0.1;
	facts.heaviest_grain = 99;
	assert_string_equal(heard(&facts, "heavy_piston"), "");
	assert_string_equal(heard(&facts, "mass_ratio"), "");
	facts.heaviest_piston = 1e6;
	facts.heaviest_grain = 200;
	assert_non_null(strstr(heard(&facts, "heavy_piston"), "a piston of mass 1e+06 has 2e+03 times the mass of all grains"));
	assert_non_null(strstr(heard(&facts, "mass_ratio"), "the heaviest grain has 2e+03 times the mass of the lightest"));
	facts.careful = true; // takes its time for them
	assert_string_equal(heard(&facts, "mass_ratio"), "");
	facts.heaviest_piston = 4.9e5;
	assert_string_equal(heard(&facts, "heavy_piston"), "");
	facts.heaviest_piston = 1e4*facts.all_mass;
	facts.heaviest_grain = 2e4;
	assert_non_null(strstr(heard(&facts, "heavy_piston"), "times the mass of all grains"));
	assert_non_null(strstr(heard(&facts, "mass_ratio"), "the heaviest grain has 2e+05 times the mass of the lightest"));
}

static void crowded_pours_are_named(void **state)
{
	(void)state;
	advice_facts facts = calm;
	facts.pour_rate = 50;
	facts.pour_limit = 0.3;
	facts.pour_share = 0.29;
	assert_string_equal(heard(&facts, "pour_rate"), "");
	facts.pour_share = 0.6;
	assert_non_null(strstr(heard(&facts, "pour_rate"), "it would hold 0.6 of its volume, and random places can be counted on for 0.3 of it"));
	assert_non_null(strstr(heard(&facts, "pour_rate"), "a larger region, a `velocity`, or a rate up to 50 would do"));
	facts.pour_rate = 0; // they stay where they are
	assert_non_null(strstr(heard(&facts, "pour_rate"), "a larger region or a `velocity` would do"));
}

static void ends_that_do_not_come_are_named(void **state)
{
	(void)state;
	advice_facts facts = calm;
	facts.end_time = 0.01;
	assert_string_equal(heard(&facts, "short_run"), "");
	assert_string_equal(heard(&facts, "never_rests"), "");
	facts.end_time = 0.006;
	assert_string_equal(heard(&facts, "short_run"),
		"`run.until.time`, 0.006, is less than a step of 0.01: the run takes one step");
	facts.end_time = 0.005;
	assert_non_null(strstr(heard(&facts, "short_run"), "the run takes no step"));
	facts.restless = "shaker";
	assert_non_null(strstr(heard(&facts, "never_rests"), "wall `shaker` never comes to rest"));
	facts.restless = NULL;
	facts.driven = true;
	assert_non_null(strstr(heard(&facts, "never_rests"), "a grain that keeps its velocity or spin never comes to rest"));
}

static void falls_without_an_end_are_named(void **state)
{
	(void)state;
	advice_facts facts = calm;
	facts.rest_alone = true;
	assert_string_equal(heard(&facts, "never_rests"), "");
	facts.uncaught = true;
	assert_string_equal(heard(&facts, "no_floor"), "");
	assert_non_null(strstr(heard(&facts, "never_rests"), "nothing stops the grains"));
	facts.rest_alone = false;
	assert_string_equal(heard(&facts, "never_rests"), "");
	assert_string_equal(heard(&facts, "no_floor"), "nothing stops the grains: there is gravity, but no wall below them and no "
		"`domain` to leave, so they fall for ever");
}

// ---------------------------------------------------------------- laws

static const talus_material materials[] = {{.name = "glass", .density = 1}, {.name = "clay", .density = 2}};

// The message about a scene that is calm but for its laws between glass (0) and clay (1).
static const char *said_of(advice_facts facts, const talus_pair *pair, int pairs, const char *code)
{
	static advice list[ADVICE_MAX];
	facts.pair = pair;
	facts.pairs = pairs;
	facts.material = materials;
	const advice *said = find(list, advice_judge(&facts, list), code);
	return said ? said->message : NULL;
}

// Falling over a diameter of 1 under gravity 2 gives a speed of 2: a step of 1/3 is the limit.
static void long_steps_swallow_bounces(void **state)
{
	(void)state;
	static const talus_pair dull[] = {{.friction = 1}},
		lively[] = {{.friction = 1}, {.b = 1, .restitution = 0.5}},
		sideways[] = {{.friction = 1, .tangential_restitution = 0.5}};
	advice_facts facts = calm;
	facts.gravity = 2;
	facts.step = 0.33;
	assert_null(said_of(facts, lively, 2, "restitution_step"));
	facts.step = 0.34;
	assert_null(said_of(facts, dull, 1, "restitution_step"));
	assert_non_null(said_of(facts, sideways, 1, "restitution_step"));
	assert_string_equal(said_of(facts, lively, 2, "restitution_step"),
		"the step is too long for restitution: impacts slower than 3 gravity step = 2.04 are taken as inelastic, "
		"and a fall over one diameter ends with 2; with steps below 0.33 it bounces");
	facts.gravity = 0;
	assert_null(said_of(facts, lively, 2, "restitution_step"));
}

// At a speed of 2 a step of 0.005 is 0.02 of the radius. What is a long step for all is not said twice.
static void bounces_out_of_time_are_named(void **state)
{
	(void)state;
	static const talus_pair dull[] = {{.friction = 1}}, lively[] = {{.restitution = 0.5}};
	advice_facts facts = calm;
	facts.step = 0.005;
	assert_null(said_of(facts, lively, 1, "bounce_step"));
	facts.step = 0.01;
	assert_null(said_of(facts, dull, 1, "bounce_step"));
	assert_string_equal(said_of(facts, lively, 1, "bounce_step"),
		"bounces are up to a step early or late: at the largest expected speed, 2, that is 0.04 of the smallest radius; with "
		"steps up to 0.005 it is 0.02, and the error of heights and times falls in proportion");
	facts.step = 0.03;
	assert_null(said_of(facts, lively, 1, "bounce_step"));
	assert_non_null(said_of(facts, lively, 1, "long_step"));
}

static void bonds_without_a_range_are_named(void **state)
{
	(void)state;
	static const talus_pair bare[] = {{.range = 0.1, .cohesion = 1}, {.a = 1, .cohesion = 0.1}},
		none[] = {{.friction = 0.3}, {.cohesion = 1, .range = 1e-9}};
	assert_null(said_of(calm, none, 2, "cohesion_range"));
	assert_string_equal(said_of(calm, bare, 2, "cohesion_range"),
		"the `cohesion` of `clay` and `glass` has a `range` of 0: a bond has no energy of its own and holds "
		"whatever one step can stop, so that the result depends on the time step");
}

// Two grains of mass 0.5 each, reduced 0.25: a bond of force 50, range 1e-2 and energy 0.5 takes steps up to
// sqrt(0.5e-2/50) = 0.01; one of 0.02 makes it (50 x 0.02)^2/0.5 = 2.
static void long_steps_strengthen_bonds(void **state)
{
	(void)state;
	static const talus_pair bond[] = {{.cohesion = 50, .range = 10},
		{.b = 1, .cohesion = 50, .range = 1e-2}}, bare[] = {{.cohesion = 50}};
	advice_facts facts = calm;
	facts.step = 0.0099;
	assert_null(said_of(facts, bond, 2, "cohesion_step"));
	facts.step = 0.02;
	assert_null(said_of(facts, bond, 1, "cohesion_step"));
	assert_null(said_of(facts, bare, 1, "cohesion_step")); // that has its own words
	assert_string_equal(said_of(facts, bond, 2, "cohesion_step"),
		"the step is too long for the `cohesion` of `glass` and `clay`: it stops grains of mean mass that "
		"part with an energy of 2, more than force times range = 0.5, so that the result depends on it; "
		"steps well below 0.01 are better");
	facts.mean_mass = 0; // all are poured
	assert_null(said_of(facts, bond, 2, "cohesion_step"));
}

static void bonds_that_reach_far_are_named(void **state)
{
	(void)state;
	static const talus_pair bond[] = {{.cohesion = 1, .range = 0.5},
		{.b = 1, .cohesion = 1, .range = 0.51}}, idle[] = {{.range = 1}};
	assert_null(said_of(calm, bond, 1, "long_range"));
	assert_null(said_of(calm, idle, 1, "long_range"));
	assert_string_equal(said_of(calm, bond, 2, "long_range"),
		"the `range` in the `cohesion` of `glass` and `clay`, 0.51, is more than the smallest radius, 0.5: "
		"bonds pull over gaps that have room for other grains");
}

static void laws_without_effect_are_named(void **state)
{
	(void)state;
	static const talus_pair slippery[] = {{.tangential_restitution = 0.5}},
		idle[] = {{.a = 1, .b = 1, .range = 0.1}},
		dead[] = {{.yield = 0.1, .restitution = 0.5}, {.a = 1, .yield = 0.2}},
		sideways[] = {{.yield = 0.1, .friction = 1, .tangential_restitution = 0.5}},
		rough[] = {{.tangential_restitution = 0.5, .friction = 0.1}, {.cohesion = 1, .range = 0.1},
		{.tangential_restitution = 0.5, .static_friction = 0.1}, {.yield = 0.1, .restitution = 0.5}};
	assert_null(said_of(calm, rough, 4, "no_effect"));
	assert_string_equal(said_of(calm, slippery, 1, "no_effect"),
		"the `tangential` restitution of `glass` and `glass` has no effect: there is no friction between "
		"them");
	assert_string_equal(said_of(calm, idle, 1, "no_effect"),
		"the `range` in the `cohesion` of `clay` and `clay` has no effect: its `force` is 0");
	assert_string_equal(said_of(calm, dead, 2, "no_effect"),
		"the `yield` of `clay` and `glass` has no effect: there is no normal `restitution` that it could "
		"lower");
	assert_non_null(said_of(calm, sideways, 1, "no_effect"));
}

// ---------------------------------------------------------------- cells that deform

// 100 disks of diameter 2, density 1: packed they are 20 wide.
static const advice_facts pressed = {
	.dimension = 2, .grains = 100, .smallest_radius = 0.8, .mean_diameter = 2, .extent = 20, .density = 1, .step = 0.01,
	.iterations = 100, .q = 0.777, .mean_mass = 3.14, .lightest_piston = INFINITY,
	.cell = {.outside = 1, .inertia = 100, .closing = 0.5, .narrowest = INFINITY, .at_end = INFINITY, .least = 6},
};

static const char *said_of_cell(advice_facts facts, const char *code)
{
	return said_of(facts, NULL, 0, code);
}

// P d dt^2/(q m N_I d) = 1e-3 at dt = 0.494, or with 41 times as many iterations at dt = 3.16.
static void long_steps_under_pressure_are_named(void **state)
{
	(void)state;
	advice_facts facts = pressed;
	facts.step = 0.49;
	assert_null(said_of_cell(facts, "pressure_step"));
	facts.step = 1;
	assert_string_equal(said_of_cell(facts, "pressure_step"),
		"the step is long for the stress outside, 1: with 100 iterations per step contacts overlap by about 4.1e-03 diameters; "
		"with steps up to 0.49, or with 410 iterations, it is 0.001");
	facts.iterations = 411;
	assert_null(said_of_cell(facts, "pressure_step"));
	facts.iterations = 100;
	facts.dimension = 3; // the force on a contact is that on a diameter squared: twice as much here
	assert_non_null(strstr(said_of_cell(facts, "pressure_step"), "8.2e-03"));
	facts.cell.outside = 0;
	assert_null(said_of_cell(facts, "pressure_step"));
	facts.piston_stress = 1;
	assert_non_null(strstr(said_of_cell(facts, "pressure_step"), "for the stress of a piston, 1: with 100 iterations per step contacts"));
	assert_non_null(strstr(said_of_cell(facts, "pressure_step"), "8.2e-03"));
}

// Density times edge^2 is 400. Lighter than 500 x 1e-4 is not possible.
static void heavy_and_light_cells_are_named(void **state)
{
	(void)state;
	advice_facts facts = pressed;
	for (double inertia = 0.05; inertia <= 400; inertia *= 2) {
		facts.cell.inertia = inertia;
		assert_null(said_of_cell(facts, "heavy_cell"));
		assert_null(said_of_cell(facts, "light_cell"));
	}
	facts.cell.inertia = 1e4;
	assert_string_equal(said_of_cell(facts, "heavy_cell"),
		"the cell is heavy: with an `inertia` of 1e+04 it takes a time of about 2e+02 to follow its stress; up to 40, a "
		"tenth of density times edge^2, it does not delay the grains");
	facts.cell.inertia = 1e-3;
	assert_null(said_of_cell(facts, "heavy_cell"));
	assert_string_equal(said_of_cell(facts, "light_cell"),
		"the `inertia` of the cell, 0.001, is below 500 stress step^2 = 0.05, and counts as that");
	facts.cell.outside = 0; // only rates, or nothing
	assert_null(said_of_cell(facts, "light_cell"));
}

// Diameter times sqrt(density/stress) is 2 sqrt(1/4) = 1.
static void fast_rates_are_named(void **state)
{
	(void)state;
	advice_facts facts = pressed;
	facts.cell.outside = 4;
	facts.cell.rate = 0.099;
	assert_null(said_of_cell(facts, "inertial_number"));
	facts.cell.rate = 0.5;
	assert_null(said_of_cell(facts, "strain_step"));
	assert_string_equal(said_of_cell(facts, "inertial_number"),
		"the cell is driven fast: the inertial number, rate diameter sqrt(density/stress), is 0.5, and the grains form "
		"a gas rather than a dense flow; with rates up to 0.1 it is 0.1, and slow flow begins below 1e-3");
	facts.cell.outside = 0;
	assert_null(said_of_cell(facts, "inertial_number"));
	facts.cell.rate = 4;
	assert_string_equal(said_of_cell(facts, "strain_step"),
		"the cell deforms by 0.04 in a step: with steps up to 0.0025 it is 0.01");
}

static void a_driven_cell_does_not_rest(void **state)
{
	(void)state;
	advice_facts facts = pressed;
	facts.cell.until_rest = true;
	assert_null(said_of_cell(facts, "never_rests"));
	facts.cell.rate = 1e-9;
	assert_non_null(said_of_cell(facts, "never_rests"));
	facts.cell.until_rest = false;
	assert_null(said_of_cell(facts, "never_rests"));
}

static void a_cell_with_too_few_grains_is_named(void **state)
{
	(void)state;
	advice_facts facts = pressed;
	facts.cell.narrowest = 6.1;
	assert_null(said_of_cell(facts, "narrow_cell"));
	facts.cell.narrowest = 5.9;
	assert_string_equal(said_of_cell(facts, "narrow_cell"),
		"the cell will be too narrow: when its grains fill it, it is about 5.9 wide, and they need 6; take more grains");
	facts.cell.narrowest = INFINITY;
	facts.cell.at_end = 6.1;
	assert_null(said_of_cell(facts, "narrow_cell"));
	facts.cell.at_end = 0.5;
	assert_string_equal(said_of_cell(facts, "narrow_cell"),
		"the cell will be too narrow: at its `rate` it is 0.5 wide at the end of the run, edge exp(rate time), and its grains "
		"need 6; end earlier, or take a larger cell");
}

static void a_cell_under_tension_is_named(void **state)
{
	(void)state;
	static const talus_pair glue[] = {{.cohesion = 1, .range = 0.1}}, dry[] = {{.friction = 0.5}};
	advice_facts facts = pressed;
	assert_null(said_of(facts, dry, 1, "tension"));
	facts.cell.tension = 2;
	assert_null(said_of(facts, glue, 1, "tension"));
	assert_string_equal(said_of(facts, dry, 1, "tension"),
		"a normal `stress` of -2 pulls at the cell, and without `cohesion` nothing holds its grains together: it will fly apart; "
		"compression is positive");
}

// As much as can be said at once fits into the list, and the longest names into the messages.
static void all_advice_fits(void **state)
{
	(void)state;
	talus_material long_name = {.density = 1};
	memset(long_name.name, 'x', TALUS_NAME_MAX - 1);
	static const talus_pair all[] = {{.cohesion = 1}, {.cohesion = 1, .range = 1},
		{.tangential_restitution = 0.5}, {.range = 1}, {.cohesion = 1e9, .range = 1e-9},
		{.yield = 1}};
	advice list[ADVICE_MAX];
	advice_facts facts = calm;
	facts.pairs = 6;
	facts.pair = all;
	facts.material = &long_name;
	facts.step = 10;
	facts.iterations = 1;
	facts.lightest_piston = 1e-9;
	facts.heaviest_piston = 1e9;
	facts.all_mass = facts.lightest_grain = 1;
	facts.heaviest_grain = 1e9;
	facts.pour_rate = facts.pour_share = 1e9;
	facts.end_time = 1;
	facts.restless = long_name.name;
	facts.outside_domain = 1e9;
	facts.jacobi = 1;
	facts.uncaught = facts.rest_alone = facts.driven = true;
	facts.density = 1;
	facts.cell = (advice_cell){.outside = 1e3, .inertia = 1e9, .rate = 1e3, .closing = 1, .least = 1, .until_rest = true};
	assert_int_equal(advice_judge(&facts, list), ADVICE_MAX);
	for (int i = 0; i < ADVICE_MAX; i++)
		assert_true(strlen(list[i].message) + 1 < sizeof list[i].message);
}

// ---------------------------------------------------------------- measuring

static scene *last; // facts have names of it

static int forget(void **state)
{
	(void)state;
	if (last)
		scene_free(last);
	last = NULL;
	return 0;
}

static advice_facts measure(const char *text)
{
	talus_error error;
	forget(NULL);
	scene *s = scene_read_text(text, "scene.yaml", NULL, 0, &error);
	if (!s)
		fail_msg("%d:%d: %s", error.line, error.column, error.text);
	talus_world *world = scene_build(s, false, &error);
	if (!world)
		fail_msg("%d:%d: %s", error.line, error.column, error.text);
	advice_facts facts = advice_measure(s, world);
	talus_world_destroy(world);
	last = s;
	return facts;
}

#define SCENE(grains, walls, rest) SCENE_UNTIL("1000", grains, walls, rest)
#define SCENE_UNTIL(time, grains, walls, rest) \
	"materials: {glass: {density: 1}}\ncontacts: [{between: [glass, glass]}]\n" \
	"grains: [" grains "]\nwalls: {" walls "}\n" \
	"method: {contact_dynamics: {step: 0.01}}\nrun: {until: {time: " time "}}\n" rest
#define TWO "{grain: {at: [0, 0, 5], radius: 1}}, {grain: {at: [0, 0, 10], radius: 2, velocity: [0, 3, 4]}}"
#define FLOOR "floor: {plane: {point: [0, 0, 0], normal: [0, 0, 1]}}"

double observe_sweeps(const talus_solver_def *solver, double diameters); // observe/observe.h, whose `pair` is another one

// What check tells beforehand and what the run warns of rest on the same reach of the sweeps, whatever the order.
static void check_and_run_agree_on_the_reach_of_sweeps(void **state)
{
	(void)state;
	static const char *const order[] = {"shuffled", "random", "sequential", "random_sequential", "parallel, relaxation: 0.5"};
	for (size_t i = 0; i < sizeof order/sizeof *order; i++) {
		char rest[100], text[1000];
		snprintf(rest, sizeof rest, "solver: {nsgs: {stop: {iterations: 7}, order: %s}}\n", order[i]);
		snprintf(text, sizeof text, "%s%s", SCENE("{grain: {at: [0, 0, 1], radius: 1}}, {grain: {at: [0, 0, 199], radius: 1}}", "", ""), rest);
		advice_facts facts = measure(text);
		double needed = observe_sweeps(&last->world.solver, facts.extent/facts.mean_diameter);
		char number[64];
		snprintf(number, sizeof number, "takes more than %.0f", needed);
		assert_non_null(strstr(heard(&facts, "few_iterations"), number));
	}
}

static void grains_and_floor_are_measured(void **state)
{
	(void)state;
	advice_facts facts = measure(SCENE(TWO, FLOOR, "solver: {nsgs: {}}"));
	assert_true(facts.grains == 2 && facts.smallest_radius == 1 && facts.mean_diameter == 3);
	assert_true(facts.speed == 5 && facts.fall == 0 && facts.extent == 8 && facts.gravity == 0);
	assert_true(facts.dimension == 3 && facts.iterations == 100 && !facts.capped && !facts.momentum && facts.q == 0.777);
	facts = measure(SCENE(TWO, FLOOR, "")); // auto: news goes 0.77 diameters a sweep
	assert_true(facts.iterations == 1000 && facts.capped && facts.momentum && near(4*facts.q*1000, 770*770));
	facts = measure(SCENE(TWO, FLOOR,
		"gravity: [0, 0, -10]\nsolver: {nsgs: {order: sequential, stop: {residual: 1e-6}}}"));
	// 12 high, in a box of 4 by 4; both would fill 12 pi/0.55 of it
	double fall = 12 - 12*3.14159265358979/0.55/16;
	assert_true(near(facts.fall, fall));
	assert_true(near(facts.speed, sqrt(20*fall)));
	assert_true(facts.iterations == 10000 && facts.capped && facts.q == 1 && facts.gravity == 10);
}

// Falls end with the run: from rest with g t, in the height g t^2/2; and what a pour has from its velocity is no fall.
static void falls_end_with_the_run(void **state)
{
	(void)state;
#define FALL(grains, time) "dimension: 2\ngravity: [0, -1]\nmaterials: {g: {density: 1}}\ncontacts: [{between: [g, g]}]\n" \
	"grains: [" grains "]\nwalls: {floor: {plane: {point: [0, -5e6], normal: [0, 1]}}}\n" \
	"method: {contact_dynamics: {step: 0.01}}\nrun: {until: {" time "}}\n"
#define DROP "{fill: {count: 20, radius: 0.5, in: {box: [[0, 0], [20, 30]]}}}"
#define THROW(more) "{pour: {count: 20, rate: 1, radius: 0.5, in: {box: [[0, 0], [20, 30]]}, " more "}}"
	advice_facts facts = measure(FALL(DROP, "time: 20"));
	assert_true(near(facts.speed, 20) && near(facts.fall, 200));
	assert_true(measure(FALL(DROP, "rest: 1e-3")).speed > 3000);
	facts = measure(FALL(THROW("start: 5"), "time: 20"));
	assert_true(near(facts.speed, 15) && near(facts.fall, 112.5) && !facts.thrown);
	facts = measure(FALL(THROW("velocity: [0, -30]"), "time: 20"));
	assert_true(near(facts.speed, 50) && near(facts.fall, 800)); // 900 of its square by itself, 1600 by the fall
	facts = measure(FALL(THROW("velocity: [0, -30]"), "time: 10"));
	assert_true(near(facts.speed, 40) && facts.fall == 0);
	assert_non_null(strstr(heard(&facts, "long_step"), "speed, 40 (the `velocity` of a pour), a grain"));
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
	assert_true(near(facts.fall, 49)); // of the smallest, from the ceiling of the region to the floor
	assert_true(near(facts.speed, sqrt(99)));
	// those in the middle leave within a time t, t + t^2/2 = 5; in it come t rate grains of 4.19
	assert_true(near(facts.pour_share, (sqrt(11) - 1)*4*3.14159265358979/3/810));
	assert_true(near(facts.pour_rate, facts.pour_limit/facts.pour_share));
	assert_true(facts.pour_limit > 0.2 && facts.pour_limit < 0.25);
	assert_true(near(facts.lightest_grain, 3.14159265358979/6) && near(facts.heaviest_grain, 27*3.14159265358979/6));
}

// A lattice of grains that touch, on a floor, does not fall; that high above it, it does.
static void packings_at_rest_do_not_fall(void **state)
{
	(void)state;
#define LATTICE(low, high) "{fill: {count: 1000, radius: 0.5, arrangement: lattice, jitter: 0, in: {box: [[0, 0, " low "], [10, 10, " high "]]}}}"
	advice_facts facts = measure(SCENE(LATTICE("0", "10"), FLOOR, "gravity: [0, 0, -1]"));
	assert_true(facts.fall < 0.5 && facts.speed < 1);
	facts = measure(SCENE(LATTICE("20", "30"), FLOOR, "gravity: [0, 0, -1]"));
	assert_true(fabs(facts.fall - 20) < 0.5);
	facts = measure(SCENE(LATTICE("0", "10"), "drum: {cylinder: {point: [5, 0, 5], axis: [0, 1, 0], radius: 50}}", "gravity: [0, 0, -1]"));
	assert_true(fabs(facts.fall - 45) < 0.5);
}

static void walls_and_masses_are_measured(void **state)
{
	(void)state;
	advice_facts facts = measure(SCENE(TWO, FLOOR ", lid: {plane: {point: [0, 0, 20], normal: [0, 0, -1]}, mass: 7, free: [z]}", ""));
	assert_true(facts.lightest_piston == 7 && facts.heaviest_piston == 7 && facts.end_time == 1000 && !facts.restless);
	assert_true(near(facts.heaviest_grain, 8*facts.lightest_grain) && near(facts.all_mass, 9*facts.lightest_grain));
}

// Four disks of radius 1 and density 2 in a cell of 20 by 30: at a volume fraction of 0.8 they fill 5 pi.
static void hash_grid_are_measured(void **state)
{
	(void)state;
#define FOUR "{grain: {at: [5, 5], radius: 1}}, {grain: {at: [10, 5], radius: 1}}, {grain: {at: [5, 20], radius: 1}}, " \
	"{grain: {at: [10, 20], radius: 1}}"
#define CELL(drive) "dimension: 2\nmaterials: {glass: {density: 2}}\ncontacts: [{between: [glass, glass]}]\ngrains: [" FOUR "]\n" \
	"cell: {size: [20, 30], periodic: [x, y], " drive "}\nmethod: {contact_dynamics: {step: 0.01}}\n" \
	"run: {until: {time: 1, rest: 1e-6}}\n"
	double filled = 5*3.14159265358979, shrink = sqrt(filled/600);
	advice_facts facts = measure(CELL("bath: {pressure: 3, inertia: 7}"));
	assert_true(near(facts.density, 2));
	assert_true(near(facts.extent, sqrt(filled)));
	assert_true(facts.cell.outside == 3 && facts.cell.inertia == 7 && facts.cell.rate == 0 && facts.cell.tension == 0 && facts.cell.until_rest);
	assert_true(near(facts.cell.closing, -log(shrink)));
	assert_true(near(facts.cell.narrowest, 20*shrink) && near(facts.cell.least, 5));
	facts = measure(CELL("drive: {xx: {stress: -2}, yy: {rate: -0.5}, xy: {rate: 0.25}}, inertia: 7"));
	assert_true(facts.cell.outside == 2 && facts.cell.tension == 2 && facts.cell.rate == 0.5 && isinf(facts.cell.narrowest));
	assert_true(near(facts.cell.at_end, 30*exp(-0.5)));
	facts = measure(CELL("drive: {xx: {stress: 2}, yy: {rate: 0.5}}, inertia: 7"));
	assert_true(isinf(facts.cell.at_end));
	facts = measure(SCENE(TWO, FLOOR, ""));
	assert_true(facts.cell.outside == 0 && facts.cell.rate == 0 && facts.cell.least == 0);
}

// Two grains in a box of 4 by 4, from 4 to 12, on a floor at 0. A lid at 20 falls over 8 alone, and then with them.
static void pistons_are_measured(void **state)
{
	(void)state;
#define LID(more) FLOOR ", lid: {plane: {point: [0, 0, 20], normal: [0, 0, -1]}, free: [z], " more "}"
	double packed = 12*3.14159265358979/0.55/16, mass = 12*3.14159265358979;
	advice_facts facts = measure(SCENE(TWO, LID("mass: 1e4, force: [3, 0, -8e5]"), ""));
	assert_true(near(facts.speed, sqrt(2*8e5*(20 - packed)/(1e4 + mass))) && !strcmp(facts.pusher, "lid"));
	assert_true(near(facts.piston_stress, 8e5/16));
	facts = measure(SCENE_UNTIL("1", TWO, LID("mass: 2, force: [0, 0, -8]"), ""));
	assert_true(near(facts.speed, 5) && !facts.pusher); // in a time of 1 it gets no faster than 4
	facts = measure(SCENE(TWO, LID("mass: 2, force: [0, 0, -80]"), ""));
	assert_true(near(facts.speed, sqrt(2*80*8/2))); // alone it is faster than with grains that are heavier
	facts = measure(SCENE(TWO, LID("mass: 1e4"), "gravity: [0, 0, -10]"));
	assert_true(near(facts.piston_stress, 1e5/16));
	facts = measure(SCENE(TWO, LID("mass: 1e4, weight: false"), "gravity: [0, 0, -10]"));
	assert_true(facts.piston_stress == 0);
	facts = measure(SCENE(TWO, LID("mass: 2, force: [0, 0, 8000]"), ""));
	assert_true(facts.speed == 5 && facts.piston_stress == 0);
}

// From one disk to the other, 11 long and 1 wide; both would fill pi/2/0.75 of it.
static void forces_on_grains_are_measured(void **state)
{
	(void)state;
#define PUSHED(freedom, time) "dimension: 2\nmaterials: {g: {density: 1}}\ncontacts: [{between: [g, g]}]\n" \
	"grains: [{grain: {at: [0, 0], radius: 0.5, force: [1000, 0]" freedom "}}, {grain: {at: [10, 0], radius: 0.5}}]\n" \
	"method: {contact_dynamics: {step: 0.01}}\nrun: {until: {time: " time "}}\n"
	double pi = 3.14159265358979, a = 1000/(pi/4);
	advice_facts facts = measure(PUSHED("", "1"));
	assert_true(near(facts.speed, sqrt(2*a*(11 - pi/1.5))) && !strcmp(facts.pusher, ""));
	facts = measure(PUSHED("", "0.01"));
	assert_true(near(facts.speed, a/100));
	facts = measure(PUSHED(", free: [y]", "1"));
	assert_true(facts.speed == 0 && !facts.pusher);
}

static bool falls_for_ever(const char *text)
{
	return measure(text).uncaught;
}

static void floors_are_looked_for(void **state)
{
	(void)state;
#define DOWN "gravity: [0, 0, -1]\n"
#define SIDE "side: {plane: {point: [-9, 0, 0], normal: [1, 0, 0]}}"
#define PIPE(axis) "pipe: {cylinder: {point: [0, 0, 0], axis: " axis ", radius: 20}}"
#define HELD "{grain: {at: [0, 0, 0], radius: 1, free: [x]}}, "
	assert_true(falls_for_ever(SCENE(TWO, "", DOWN)));
	assert_false(falls_for_ever(SCENE(TWO, "", "")));
	assert_false(falls_for_ever(SCENE(TWO, FLOOR, DOWN)));
	assert_true(falls_for_ever(SCENE(TWO, FLOOR, "gravity: [0, 0, 1]\n")));
	assert_true(falls_for_ever(SCENE(TWO, SIDE, DOWN)));
	assert_false(falls_for_ever(SCENE(TWO, SIDE, "gravity: [-1, 0, -1]\n")));
	assert_true(falls_for_ever(SCENE(TWO, PIPE("[0, 0, 1]"), DOWN)));
	assert_false(falls_for_ever(SCENE(TWO, PIPE("[0, 1, 0]"), DOWN)));
	assert_false(falls_for_ever(SCENE(TWO, "", DOWN "domain: {box: [[-9, -9, -9], [9, 9, 20]]}\n")));
	assert_false(falls_for_ever(SCENE(TWO, "", DOWN "cell: {size: [12, 12, 30], periodic: [z]}\n")));
	assert_true(falls_for_ever(SCENE(TWO, "", DOWN "cell: {size: [12, 12, 30], periodic: [x]}\n")));
	assert_false(falls_for_ever(SCENE(HELD TWO, "", DOWN)));
	assert_false(falls_for_ever(SCENE("{grain: {at: [0, 0, 0], radius: 1, force: [0, 0, 9]}}", "", DOWN)));
	assert_true(falls_for_ever(SCENE("{pour: {count: 9, rate: 1, radius: 1, in: {box: [[0, 0, 0], [9, 9, 9]]}}}", "", DOWN)));
}

static void driven_grains_are_looked_for(void **state)
{
	(void)state;
#define DRIVEN(more, until) "materials: {g: {density: 1}}\ncontacts: [{between: [g, g]}]\n" \
	"grains: [{grain: {at: [0, 0, 0], radius: 1, " more "}}]\nmethod: {contact_dynamics: {step: 0.01}}\nrun: {until: {" until "}}\n"
	assert_true(measure(DRIVEN("velocity: [1, 0, 0], free: [spin]", "rest: 1e-3")).driven);
	assert_true(measure(DRIVEN("velocity: [1, 0, 0], free: [y, z]", "rest: 1e-3, time: 9")).driven);
	assert_false(measure(DRIVEN("velocity: [1, 0, 0], free: [spin]", "time: 9")).driven);
	assert_false(measure(DRIVEN("velocity: [1, 0, 0], free: [x]", "rest: 1e-3")).driven);
	assert_false(measure(DRIVEN("velocity: [1, 0, 0], spin: [0, 0, 1]", "rest: 1e-3")).driven);
	assert_true(measure(DRIVEN("spin: [0, 0, 1], free: [x, y, z]", "rest: 1e-3")).driven);
	assert_false(measure(DRIVEN("free: []", "rest: 1e-3")).driven);
}

static void grains_outside_are_counted(void **state)
{
	(void)state;
#define DOMAIN(low, high) "domain: {box: [[-9, -9, " low "], [9, 9, " high "]]}\n"
#define ABOVE "{pour: {count: 7, rate: 1, radius: 1, in: {box: [[0, 0, 12], [9, 9, 20]]}}}"
	assert_true(measure(SCENE(TWO, FLOOR, "")).outside_domain == 0);
	assert_true(measure(SCENE(TWO, FLOOR, DOMAIN("5", "10"))).outside_domain == 0);
	assert_true(measure(SCENE(TWO, FLOOR, DOMAIN("0", "9.9"))).outside_domain == 1);
	assert_true(measure(SCENE(TWO, FLOOR, DOMAIN("10.1", "20"))).outside_domain == 2);
	assert_true(measure(SCENE(TWO ", " ABOVE, FLOOR, DOMAIN("0", "12.1"))).outside_domain == 0);
	advice_facts facts = measure(SCENE(TWO ", " ABOVE, FLOOR, DOMAIN("0", "11")));
	assert_string_equal(heard(&facts, "outside_domain"),
		"7 of 9 grains start outside of the `domain`, and are removed at once");
}

// Disks poured into a flat region: a rate of 5 is kept up, one of 5.5 is not.
static void flat_regions_take_less(void **state)
{
	(void)state;
#define FLAT(rate, top) "dimension: 2\ngravity: [0, -1]\nmaterials: {g: {density: 1}}\ncontacts: [{between: [g, g]}]\n" \
	"grains: [{pour: {count: 300, rate: " rate ", radius: {uniform: [0.4, 0.6]}, in: {box: [[1, 18], [9, " top "]]}}}]\n" \
	"walls: {floor: {plane: {point: [0, 0], normal: [0, 1]}}}\nmethod: {contact_dynamics: {step: 0.01}}\nrun: {until: {time: 1}}\n"
	advice_facts facts = measure(FLAT("5.5", "20"));
	assert_true(facts.pour_rate > 3.5 && facts.pour_rate < 5);
	assert_string_not_equal(heard(&facts, "pour_rate"), "");
	facts = measure(FLAT("3.5", "20"));
	assert_string_equal(heard(&facts, "pour_rate"), "");
	facts = measure(FLAT("5.5", "24"));
	assert_string_equal(heard(&facts, "pour_rate"), "");
}

// The rate that is named for a pour that comes all at once is one of which nothing is said, in 2D and in 3D; and none is
// named where grains stay.
static void named_rates_hold(void **state)
{
	(void)state;
	static const char *const scenes[] = {
		"dimension: 2\ngravity: [0, -1]\ngrains: [{pour: {count: 500, rate: %.2g, radius: 0.5, in: {box: [[5, 20], [15, 23]]}}}]\n",
		"dimension: 3\ngravity: [0, 0, -1]\ngrains: [{pour: {count: 500, rate: %.2g, radius: 0.5, in: {box: [[5, 5, 20], [15, 9, 23]]}}}]\n",
	};
	for (int i = 0; i < 2; i++) {
		char text[600];
		double rate = 1000;
		for (int tries = 0; tries < 2; tries++) {
			int length = snprintf(text, sizeof text, scenes[i], rate);
			snprintf(text + length, sizeof text - (size_t)length, "materials: {g: {density: 1}}\ncontacts: [{between: [g, g]}]\n"
				"method: {contact_dynamics: {step: 0.005}}\nrun: {until: {time: 1}}\n");
			advice_facts facts = measure(text);
			assert_int_equal(*heard(&facts, "pour_rate") == 0, tries);
			rate = facts.pour_rate;
		}
	}
	advice_facts facts = measure(SCENE("{pour: {count: 500, rate: 1000, radius: 0.5, in: {box: [[5, 5, 20], [15, 9, 23]]}}}", FLOOR, ""));
	assert_non_null(strstr(heard(&facts, "pour_rate"), "a larger region or a `velocity` would do"));
}

static void parallel_sweeps_need_relaxation(void **state)
{
	(void)state;
	advice_facts facts = measure(SCENE(TWO, FLOOR, "solver: {nsgs: {order: parallel}}\n"));
	assert_non_null(strstr(heard(&facts, "parallel_order"), "`order: parallel` with a `relaxation` of 1 is likely to diverge"));
	facts = measure(SCENE(TWO, FLOOR, "solver: {nsgs: {order: parallel, relaxation: 0.5}}\n"));
	assert_string_equal(heard(&facts, "parallel_order"), "");
	facts = measure(SCENE(TWO, FLOOR, "solver: {nsgs: {order: sequential}}\n"));
	assert_string_equal(heard(&facts, "parallel_order"), "");
	facts = measure(SCENE(TWO, FLOOR, ""));
	assert_string_equal(heard(&facts, "parallel_order"), "");
}

// 100 disks in a column 4 wide and 200 high will lie 25 high, or a little less.
static void loose_fills_settle(void **state)
{
	(void)state;
#define COLUMN(gravity) "dimension: 2\ngravity: [0, " gravity "]\nmaterials: {g: {density: 1}}\ncontacts: [{between: [g, g]}]\n" \
	"grains: [{fill: {count: 100, radius: 0.5, in: {box: [[0, 0], [4, 200]]}}}]\n" \
	"walls: {floor: {plane: {point: [0, 0], normal: [0, 1]}}}\nmethod: {contact_dynamics: {step: 0.01}}\nrun: {until: {time: 1}}\n"
	double bed = 25*3.14159265358979/4/0.8;
	advice_facts facts = measure(COLUMN("-1"));
	assert_true(facts.extent >= bed && facts.extent < 1.05*bed);
	facts = measure(COLUMN("0"));
	assert_true(facts.extent > 180);
}

// What a run warns of, and what is measured for the judgement of laws.
static void laws_are_taken_from_the_scene(void **state)
{
	(void)state;
	static const char text[] =
		"materials: {glass: {density: 1}, clay: {density: 2}}\n"
		"contacts: [{between: [glass, clay]},\n"
		"  {between: [clay, clay], cohesion: {force: 0.5, range: 0}}]\n"
		"grains: [{grain: {at: [0, 0, 0], radius: 1, material: clay}}]\n"
		"method: {contact_dynamics: {step: 0.01}}\nrun: {until: {time: 1}}\n";
	talus_error error;
	advice list[ADVICE_MAX];
	scene *s = scene_read_text(text, "scene.yaml", NULL, 0, &error);
	assert_non_null(s);
	talus_world *world = scene_build(s, false, &error);
	assert_non_null(world);
	advice_facts facts = advice_measure(s, world);
	assert_true(facts.pairs == 2 && facts.pair == s->pair && facts.material == s->material);
	assert_int_equal(advice_warnings(s, list), 1);
	assert_string_equal(list[0].code, "cohesion_range");
	assert_non_null(strstr(list[0].message, "the `cohesion` of `clay` and `clay` has a `range` of 0"));
	s->pair[1].range = 0.1;
	assert_int_equal(advice_warnings(s, list), 0);
	talus_world_destroy(world);
	scene_free(s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_calm_scene_gets_no_warning),
		cmocka_unit_test(steps_are_judged_by_the_smallest_radius),
		cmocka_unit_test(pushes_are_named_as_causes),
		cmocka_unit_test(iterations_are_judged_by_the_extent),
		cmocka_unit_test(a_piston_without_mass_is_named),
		cmocka_unit_test(masses_far_apart_are_named),
		cmocka_unit_test(crowded_pours_are_named),
		cmocka_unit_test(ends_that_do_not_come_are_named),
		cmocka_unit_test(falls_without_an_end_are_named),
		cmocka_unit_test(long_steps_swallow_bounces),
		cmocka_unit_test(bounces_out_of_time_are_named),
		cmocka_unit_test(bonds_without_a_range_are_named),
		cmocka_unit_test(long_steps_strengthen_bonds),
		cmocka_unit_test(bonds_that_reach_far_are_named),
		cmocka_unit_test(laws_without_effect_are_named),
		cmocka_unit_test(long_steps_under_pressure_are_named),
		cmocka_unit_test(heavy_and_light_cells_are_named),
		cmocka_unit_test(fast_rates_are_named),
		cmocka_unit_test(a_driven_cell_does_not_rest),
		cmocka_unit_test(a_cell_with_too_few_grains_is_named),
		cmocka_unit_test(a_cell_under_tension_is_named),
		cmocka_unit_test(all_advice_fits),
		cmocka_unit_test(grains_and_floor_are_measured),
		cmocka_unit_test(check_and_run_agree_on_the_reach_of_sweeps),
		cmocka_unit_test(falls_end_with_the_run),
		cmocka_unit_test(moving_walls_are_measured),
		cmocka_unit_test(poured_grains_are_measured),
		cmocka_unit_test(packings_at_rest_do_not_fall),
		cmocka_unit_test(walls_and_masses_are_measured),
		cmocka_unit_test(hash_grid_are_measured),
		cmocka_unit_test(pistons_are_measured),
		cmocka_unit_test(forces_on_grains_are_measured),
		cmocka_unit_test(floors_are_looked_for),
		cmocka_unit_test(driven_grains_are_looked_for),
		cmocka_unit_test(grains_outside_are_counted),
		cmocka_unit_test(flat_regions_take_less),
		cmocka_unit_test(named_rates_hold),
		cmocka_unit_test(parallel_sweeps_need_relaxation),
		cmocka_unit_test(loose_fills_settle),
		cmocka_unit_test(laws_are_taken_from_the_scene),
	};
	return cmocka_run_group_tests(tests, NULL, forget);
}
