// SPDX-License-Identifier: MIT
// From a scene to a world: what can only be judged with all grains in place, and where the blame is put.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "io/scene.h"
#include "world.h"

#include <stdio.h>
#include <string.h>

static const char *const head = "materials: {glass: {density: 2}}\n"
                                "contacts: [{between: [glass, glass], friction: 0.5}]\n"
                                "method: {contact_dynamics: {step: 0.01}}\n"
                                "run: {until: {time: 1}}\n";

static talus_world *build(const char *rest, bool empty, talus_error *error)
{
	char text[4096];
	snprintf(text, sizeof text, "%s%s", head, rest);
	scene *s = scene_read_text(text, "scene.yaml", NULL, 0, error);
	if (!s)
		fail_msg("%d:%d: %s", error->line, error->column, error->text);
	talus_world *world = scene_build(s, empty, error);
	scene_free(s);
	return world;
}

static void assert_refused(const char *rest, int line, int column, const char *sentence)
{
	talus_error error;
	talus_world *world = build(rest, false, &error);
	assert_null(world);
	assert_string_equal(error.text, sentence);
	assert_string_equal(error.file, "scene.yaml");
	assert_int_equal(error.line, line);
	assert_int_equal(error.column, column);
}

static void test_everything_arrives(void **state)
{
	(void)state;
	talus_error error;
	talus_world *world = build("gravity: [0, 0, -3]\n"
	                           "grains:\n"
	                           "  - grain: {at: [0, 0, 1], radius: 1}\n"
	                           "  - fill: {count: 5, radius: 0.5, fixed: true, in: {box: [[5, 5, 5], [9, 9, 9]]}}\n"
	                           "  - pour: {count: 7, rate: 2, radius: 0.5, in: {box: [[5, 5, 15], [9, 9, 19]]}}\n"
	                           "walls: {floor: {plane: {point: [0, 0, 0], normal: [0, 0, 1]}}}\n",
	                           false, &error);
	assert_non_null(world);
	assert_int_equal(world->state.bodies.count, 6);
	assert_int_equal(world->pours.count, 1);
	assert_int_equal(world->pours.at[0].def.count, 7);
	assert_int_equal(world->state.walls.count, 1);
	assert_true(world->state.def.gravity.z == -3 && world->state.pair[0].friction == 0.5 && world->state.material[0].density == 2);
	int fixed = 0;
	for (size_t i = 0; i < world->state.bodies.count; i++)
		fixed += world->state.bodies.free[i] == 0;
	assert_int_equal(fixed, 5);
	assert_true(world->list.stale && world->state.step == 0);
	talus_world_destroy(world);
}

static void test_empty_has_all_but_grains(void **state)
{
	(void)state;
	talus_error error;
	talus_world *world = build("grains: [{grain: {at: [0, 0, 1], radius: 1}}, {file: {path: not/there.csv}}]\n"
	                           "walls: {floor: {plane: {point: [0, 0, 0], normal: [0, 0, 1]}}}\n",
	                           true, &error);
	assert_non_null(world);
	assert_int_equal(world->state.bodies.count, 0);
	assert_int_equal(world->state.walls.count, 1);
	talus_world_destroy(world);
}

// The later one of two is to blame; touching is no overlap; through a periodic face it is one.
static void test_overlaps(void **state)
{
	(void)state;
	assert_refused("grains:\n  - grain: {at: [0, 0, 0], radius: 1}\n  - grain: {at: [1.5, 0, 0], radius: 1}\n", 7, 5,
	               "the grains at (0, 0, 0) and (1.5, 0, 0) overlap by 0.5 at the start");
	assert_refused("grains:\n  - grain: {at: [0, 0, 0], radius: 1}\n  - grain: {at: [9.5, 0, 0], radius: 1}\n"
	               "cell: {size: [10, 1, 1], periodic: [x]}\n",
	               7, 5, "the grains at (0, 0, 0) and (9.5, 0, 0) overlap by 1.5 at the start");
	assert_refused("grains:\n  - grain: {at: [0, 0, 0.75], radius: 1}\n"
	               "walls: {floor: {plane: {point: [0, 0, 0], normal: [0, 0, 1]}}}\n",
	               6, 5, "the grain at (0, 0, 0.75) overlaps wall `floor` by 0.25 at the start");
	assert_refused("grains:\n  - grain: {at: [0, 0, 1], radius: 1}\n"
	               "walls: {floor: {plane: {point: [0, 0, 0], normal: [0, 0, -1]}}}\n",
	               6, 5, "the grain at (0, 0, 1) overlaps wall `floor` by 2 at the start: it is behind the plane; the `normal` points to "
	               "the side where grains can be");
	assert_refused("grains:\n  - fill: {count: 1, radius: 1, arrangement: lattice, jitter: 0, in: {box: [[0, 0, 0], [2, 2, 2]]}}\n"
	               "  - grain: {at: [1.5, 1, 1], radius: 1}\n",
	               7, 5, "the grains at (1, 1, 1) and (1.5, 1, 1) overlap by 1.5 at the start; entries are placed in their order, and a "
	               "`fill` avoids what is listed before it");
	talus_error error;
	talus_world *world = build("grains:\n  - grain: {at: [0, 0, 1], radius: 1}\n  - grain: {at: [2, 0, 1], radius: 1}\n"
	                           "walls: {floor: {plane: {point: [0, 0, 0], normal: [0, 0, 1]}}}\n",
	                           false, &error);
	assert_non_null(world);
	talus_world_destroy(world);
}

static void test_what_does_not_fit(void **state)
{
	(void)state;
	assert_refused("grains:\n  - grain: {at: [0, 0, 0], radius: 1}\ncell: {size: [4.9, 1, 1], periodic: [x]}\n", 7, 7,
	               "the cell is 4.9 wide along x, but must be at least 2.5 times the largest diameter, and twice that plus the range of "
	               "bonds: 5");
	assert_refused("grains:\n  - fill: {count: 2, radius: 1, in: {box: [[0, 0, 0], [9, 1.5, 9]]}}\n", 6, 5,
	               "the region is 1.5 wide along y, less than the largest diameter, 2");
	assert_refused("grains:\n  - fill: {count: 9, radius: 1, in: {box: [[0, 0, 0], [3, 3, 3]]}}\n", 6, 5,
	               "9 grains are more than the region can hold: together they are larger than it");
	assert_refused("grains:\n  - fill: {count: 5, radius: 1, arrangement: lattice, in: {box: [[0, 0, 0], [4, 4, 3]]}}\n", 6, 5,
	               "the region has only 4 sites of a lattice for its 5 grains; make it larger");
}

// A wall whose images are too close for the grains, wherever these come from; and grains that lie in an image of a wall.
static void test_walls_and_their_images(void **state)
{
	(void)state;
#define CELL "cell: {size: [20, 20, 1], periodic: [x, y]}\n"
	static const char *const grains[] = {"grains: [{grain: {at: [0, 0, 9], radius: 1}}]\n" CELL,
	                                     "grains: [{fill: {count: 1, radius: 1, in: {box: [[0, 0, 5], [9, 9, 9]]}}}]\n" CELL,
	                                     "grains: [{pour: {count: 1, rate: 1, radius: 1, in: {box: [[0, 0, 5], [9, 9, 9]]}}}]\n" CELL};
	static const struct {
		const char *wall, *sentence;
	} wrong[] = {
		{"cylinder: {point: [0, 0, 0], axis: [0, 0, 1], radius: 12, side: outside}",
		 "wall `w` is 24 wide along x, but must be narrower than the periodic cell, 20, less the largest diameter, 2"},
		{"cylinder: {point: [0, 0, 0], axis: [2, 0, 0], radius: 9.5, side: outside}, velocity: [0, 1, 0]",
		 "wall `w` is 19 wide along y, but must be narrower than the periodic cell, 20, less the largest diameter, 2"},
		{"cylinder: {point: [0, 0, 0], axis: [0, 0, 1], radius: 10.5}",
		 "wall `w` is 21 wide along x, but must be narrower than the periodic cell, 20"},
		{"plane: {point: [0, 0, 0], normal: [0, 0, 1], hole: {at: [0, 0, 0], radius: 11}}",
		 "the hole of `w` is 22 wide along x, but must be narrower than the periodic cell, 20"},
		{"cone: {tip: [0, 0, 0], axis: [0, 0, 1], angle: 45, to: 9.5}",
		 "wall `w` is 19 wide along x, but must be narrower than the periodic cell, 20, less the largest diameter, 2"},
	};
	for (size_t g = 0; g < sizeof grains/sizeof *grains; g++)
		for (size_t w = 0; w < sizeof wrong/sizeof *wrong; w++) {
			char rest[1024];
			snprintf(rest, sizeof rest, "%swalls:\n  w: {%s}\n", grains[g], wrong[w].wall);
			assert_refused(rest, 8, 3, wrong[w].sentence);
		}
	assert_refused("dimension: 2\ngrains: [{grain: {at: [0, 9], radius: 0.5}}]\ncell: {size: [10, 1], periodic: [x]}\n"
	               "walls: {paddle: {segment: {from: [0, 0], to: [6, 8]}, spin: 1}}\n", 8, 9,
	               "wall `paddle` is 10 wide along x, but must be narrower than the periodic cell, 10, less the largest diameter, 1");
	assert_refused("dimension: 2\ngrains: [{grain: {at: [9, 0], radius: 0.5}}]\ncell: {size: [10, 1], periodic: [x]}\n"
	               "walls: {post: {cylinder: {point: [-19.5, 0], radius: 2, side: outside}}}\n", 6, 10,
	               "the grain at (9, 0, 0) overlaps wall `post` by 1 at the start: it is inside the cylinder; `side: inside` is for "
	               "grains in it");
}

static bool check(const char *rest, talus_error *error)
{
	char text[4096];
	snprintf(text, sizeof text, "%s%s", head, rest);
	scene *s = scene_read_text(text, "scene.yaml", NULL, 0, error);
	assert_non_null(s);
	bool good = scene_check(s, error);
	scene_free(s);
	return good;
}

// A dense packing brings its cell and its forces, whatever order the grains are in. It may overlap itself by a little, but nobody
// else; a check does not make it.
static void test_dense(void **state)
{
	(void)state;
	talus_error error;
	const char *one = "dimension: 2\ncell: {size: [2, 1], periodic: [x, y], bath: {pressure: 4, inertia: 20}}\n"
	                  "grains: [{fill: {count: 60, radius: 0.1, arrangement: dense, pressure: 4}}]\n";
	talus_world *world = build(one, false, &error);
	assert_non_null(world);
	assert_int_equal(world->state.bodies.count, 60);
	assert_true(world->state.cell.h[0][0] > 1 && world->state.cell.h[0][0] < 3 && world->contacts.count > 60);
	assert_true(world->state.def.cell.size.x == world->state.cell.h[0][0]);
	for (size_t i = 0; i < world->contacts.count; i++) {
		talus_contact_state c = talus_world_contact(world, i);
		assert_true(world->state.bodies.id[world->contacts.contact[i].a] == c.a);
		assert_true(world->state.bodies.id[world->contacts.contact[i].b] == c.b);
	}
	talus_world_destroy(world);
	world = build(one, true, &error);
	assert_int_equal(world->state.bodies.count, 0);
	talus_world_destroy(world);
	assert_true(check(one, &error));
	// a million grains would take hours
	assert_true(check("cell: {size: [1, 1, 1], periodic: [x, y, z]}\n"
	                  "grains: [{fill: {count: 1000000, radius: 0.1, arrangement: dense}}]\n", &error));
	assert_false(check("grains: [{fill: {count: 9, radius: 0.1, arrangement: dense, in: {sphere: {at: [0, 0, 0], radius: 3}}}}]\n",
	                   &error));
	assert_string_equal(error.text, "a dense packing fills a box, not a sphere or a cylinder");
	assert_null(build("dimension: 2\ncell: {size: [1, 1], periodic: [x, y]}\n"
	                  "grains: [{fill: {count: 60, radius: 1, arrangement: dense}}, {grain: {at: [5, 5], radius: 3}}]\n", false, &error));
	assert_non_null(strstr(error.text, "overlap by"));
}

// With a range of 2 a grain of diameter 2 reaches the images of its neighbour on both sides of a cell that is 7.5 wide.
static void test_bonds_around(void **state)
{
	(void)state;
	const char *rest = "materials: {glass: {density: 2}}\n"
	                   "contacts: [{between: [glass, glass], cohesion: {force: 1, range: 2}}]\n"
	                   "method: {contact_dynamics: {step: 0.01}}\n"
	                   "run: {until: {time: 1}}\n"
	                   "grains: [{grain: {at: [0, 0, 0], radius: 1}}]\n";
	static const double wide[] = {7.5, 8};
	for (int k = 0; k < 2; k++) {
		char text[1024];
		talus_error error;
		snprintf(text, sizeof text, "%scell: {size: [%g, 1, 1], periodic: [x]}\n", rest, wide[k]);
		scene *s = scene_read_text(text, "scene.yaml", NULL, 0, &error);
		assert_non_null(s);
		talus_world *world = scene_build(s, false, &error);
		assert_int_equal(world != NULL, k == 1);
		if (!world)
			assert_string_equal(error.text, "the cell is 7.5 wide along x, but must be at least 2.5 times the largest diameter, "
			                                "and twice that plus the range of bonds: 8");
		talus_world_destroy(world);
		scene_free(s);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_everything_arrives),
		cmocka_unit_test(test_walls_and_their_images),
		cmocka_unit_test(test_empty_has_all_but_grains),
		cmocka_unit_test(test_overlaps),
		cmocka_unit_test(test_what_does_not_fit),
		cmocka_unit_test(test_dense),
		cmocka_unit_test(test_bonds_around),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
