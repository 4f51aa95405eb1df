// SPDX-License-Identifier: MIT
// Every form in which a law between two materials can be written arrives in its place of talus_pair, and nowhere else.
// What is refused stands in tests/cli/wrong_scenes.txt.
#include "pair_members.h"

#include "io/scene.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <string.h>

static double number_of(const talus_pair *pair, const talus_field *field)
{
	double number;
	memcpy(&number, (const char *)pair + field->offset, sizeof number);
	return number;
}

static bool same(const talus_pair *p, talus_pair q)
{
	const talus_field *member[PAIR_MEMBERS_MAX];
	bool all = p->a == q.a && p->b == q.b;
	for (int i = pair_members(member) - 1; i >= 0; i--)
		all &= number_of(p, member[i]) == number_of(&q, member[i]);
	return all;
}

// Two materials, and numbers: each has a key, with a unit.
static void every_number_has_a_key(void **state)
{
	(void)state;
	const talus_field *member[PAIR_MEMBERS_MAX];
	int members = pair_members(member);
	assert_int_equal(2*sizeof(int) + (size_t)members*sizeof(double), sizeof(talus_pair));
	for (int i = 0; i < members; i++) {
		assert_non_null(member[i]->unit);
		for (int k = 0; k < i; k++)
			assert_true(member[i]->offset != member[k]->offset);
	}
}

// One entry between glass and glass, with these laws.
static void check_law(int dimension, const char *laws, talus_pair wanted)
{
	char text[1024];
	snprintf(text, sizeof text,
		"dimension: %d\n"
		"materials: {glass: {density: 1}}\n"
		"contacts: [{between: [glass, glass], %s}]\n"
		"grains: [{grain: {at: [0, 0, 0], radius: 1}}]\n"
		"method: {contact_dynamics: {step: 0.01}}\n"
		"run: {until: {time: 20}}\n", dimension, laws);
	talus_error error;
	scene *s = scene_read_text(text, "scene.yaml", NULL, 0, &error);
	if (!s)
		fail_msg("`%s` in %dD: %d:%d: %s", laws, dimension, error.line, error.column, error.text);
	assert_int_equal(s->pairs, 1);
	if (!same(&s->pair[0], wanted))
		fail_msg("`%s` in %dD went astray", laws, dimension);
	scene_free(s);
}

static void every_form_of_a_law_arrives(void **state)
{
	(void)state;
	check_law(3, "friction: 0.4", (talus_pair){.friction = 0.4, .static_friction = 0.4});
	check_law(3, "friction: {dynamic: 0.3, static: 0.4}",
		(talus_pair){.friction = 0.3, .static_friction = 0.4});
	check_law(3, "friction: {static: 0.3, dynamic: 0.3}",
		(talus_pair){.friction = 0.3, .static_friction = 0.3});
	check_law(3, "friction: {static: 0.3, dynamic: 0}", (talus_pair){.static_friction = 0.3});
	check_law(3, "restitution: 1", (talus_pair){.restitution = 1});
	check_law(3, "restitution: {tangential: 0.3}", (talus_pair){.tangential_restitution = 0.3});
	check_law(3, "restitution: {normal: 0.7, tangential: 1}",
		(talus_pair){.restitution = 0.7, .tangential_restitution = 1});
	check_law(3, "restitution: {}", (talus_pair){0});
	check_law(3, "yield: 0.2", (talus_pair){.yield = 0.2});
	check_law(3, "yield: 0, restitution: 0.6", (talus_pair){.restitution = 0.6});
	check_law(3, "rolling: 0.1", (talus_pair){.rolling = 0.1});
	check_law(3, "rolling: {length: 0.02}", (talus_pair){.rolling_length = 0.02});
	check_law(3, "torsion: 0.3", (talus_pair){.torsion = 0.3});
	check_law(3, "torsion: {length: 0.04}", (talus_pair){.torsion_length = 0.04});
	check_law(3, "rolling: {length: 0.1}, torsion: 0.2",
		(talus_pair){.rolling_length = 0.1, .torsion = 0.2});
	check_law(3, "cohesion: {force: 2, range: 0.1}", (talus_pair){.cohesion = 2, .range = 0.1});
	check_law(3, "cohesion: {force: 2, range: 0}", (talus_pair){.cohesion = 2});
	check_law(3, "cohesion: {range: 0.1}", (talus_pair){.range = 0.1});
	check_law(3, "cohesion: {}", (talus_pair){0});
	check_law(3, "cohesion: {force: 0}", (talus_pair){0});
}

// Disks roll, but have nothing to turn about a normal: what is 0 may still be written.
static void laws_arrive_in_two_dimensions(void **state)
{
	(void)state;
	check_law(2, "rolling: 0.1, torsion: 0", (talus_pair){.rolling = 0.1});
	check_law(2, "rolling: {length: 0.1}, torsion: {length: 0.0}", (talus_pair){.rolling_length = 0.1});
	check_law(2, "restitution: {normal: 0.5, tangential: 0.2}",
		(talus_pair){.restitution = 0.5, .tangential_restitution = 0.2});
	check_law(2, "restitution: 0.5, yield: 0.2", (talus_pair){.restitution = 0.5, .yield = 0.2});
	check_law(2, "cohesion: {force: 2, range: 0.1}", (talus_pair){.cohesion = 2, .range = 0.1});
}

// Is a scene of glass with these grains and walls of steel right, without a word on steel and steel?
static bool right(const char *grains, const char *walls)
{
	char text[1024];
	snprintf(text, sizeof text,
		"materials: {glass: {density: 1}, steel: {density: 7.8}}\n"
		"contacts: [{between: [glass, glass]}, {between: [glass, steel]}]\n"
		"grains: [{fill: {count: 9, radius: 1, material: glass, in: {box: [[0, 0, 0], [9, 9, 9]]}}}, %s]\n"
		"walls: {%s}\n"
		"method: {contact_dynamics: {step: 0.01}}\n"
		"run: {until: {time: 20}}\n", grains, walls);
	talus_error error;
	scene *s = scene_read_text(text, "scene.yaml", NULL, 0, &error);
	if (!s)
		assert_string_equal(error.text, "`steel` and `steel` can meet, but `contacts` has no entry between them");
	scene_free(s);
	return s != NULL;
}

// What cannot meet needs no law: a grain that is the only one of its kind, bodies that nothing moves.
static void pairs_that_cannot_meet_need_no_entry(void **state)
{
	(void)state;
#define GRAIN "{grain: {at: [0, 0, 20], radius: 1, material: steel"
#define FILL "radius: 1, material: steel, in: {box: [[0, 0, 20], [9, 9, 30]]}"
#define FLOOR "floor: {plane: {point: [0, 0, -1], normal: [0, 0, 1]}, material: steel"
	assert_true(right(GRAIN "}}", ""));
	assert_false(right(GRAIN "}}, " GRAIN "}}", ""));
	assert_false(right(GRAIN "}}", FLOOR "}"));
	assert_true(right(GRAIN ", fixed: true}}, " GRAIN ", free: []}}", FLOOR "}"));
	assert_false(right(GRAIN ", fixed: true}}", FLOOR ", mass: 2, free: [z]}"));
	assert_false(right(GRAIN ", fixed: true}}, " GRAIN ", free: [x]}}", ""));
	assert_true(right("{fill: {count: 1, " FILL "}}", ""));
	assert_false(right("{fill: {count: 2, " FILL "}}", ""));
	assert_true(right("{fill: {count: 2, fixed: true, " FILL "}}", FLOOR "}"));
	assert_true(right("{pour: {count: 1, rate: 1, " FILL "}}", ""));
	assert_false(right("{pour: {count: 2, rate: 1, " FILL "}}", ""));
	assert_false(right("{file: {path: grains.csv, material: steel}}", ""));
	assert_true(right(GRAIN ", fixed: true}}", FLOOR "}, ceiling: {plane: {point: [0, 0, 40], normal: [0, 0, -1]}, material: steel}"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_number_has_a_key),
		cmocka_unit_test(every_form_of_a_law_arrives),
		cmocka_unit_test(laws_arrive_in_two_dimensions),
		cmocka_unit_test(pairs_that_cannot_meet_need_no_entry),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
