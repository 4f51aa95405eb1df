// SPDX-License-Identifier: MIT
// Which images of a wall a picture of a periodic cell shows.
#include "picture.h"

#include "draw_images.h"

static frame *cell_frame(bool along_y)
{
	frame *f = scene_new(2);
	f->periodic[0] = true;
	f->periodic[1] = along_y;
	f->cell[0][0] = 10;
	f->cell[1][1] = along_y ? 8 : 1;
	return f;
}

static void put_post(frame *f, vec3 at)
{
	talus_wall_def *w = put_wall(f, TALUS_WALL_CYLINDER, at, vec(0, 0, 1));
	w->radius = 1;
}

static void assert_shown(frame *f, int count, const vec3 *wanted)
{
	frame shown = images_shown(f);
	assert_int_equal(shown.walls, count);
	for (int k = 0; k < count; k++) {
		bool there = false;
		for (int i = 0; i < count; i++)
			there |= norm(sub(shown.wall[i].def.point, wanted[k])) < 1e-12;
		assert_true(there);
	}
	memory_free(shown.wall);
	scene_delete(f);
}

static void images_that_reach_into_the_cell(void **state)
{
	(void)state;
	const struct {
		vec3 at;
		bool along_y;
		int count;
		vec3 wanted[4];
	} cases[] = {
		{{5, 3, 0}, false, 1, {{5, 3, 0}}}, // in the middle
		{{0.5, 3, 0}, false, 2, {{0.5, 3, 0}, {10.5, 3, 0}}}, // across an edge
		{{10, 3, 0}, false, 2, {{0, 3, 0}, {10, 3, 0}}}, // on it
		{{46, 3, 0}, false, 1, {{6, 3, 0}}}, // it has gone around
		{{-30.5, 27, 0}, false, 2, {{-0.5, 27, 0}, {9.5, 27, 0}}},
		{{20, -16, 0}, true, 4, {{0, 0, 0}, {10, 0, 0}, {0, 8, 0}, {10, 8, 0}}}, // at a corner
	};
	for (size_t i = 0; i < sizeof cases/sizeof cases[0]; i++) {
		frame *f = cell_frame(cases[i].along_y);
		put_post(f, cases[i].at);
		assert_shown(f, cases[i].count, cases[i].wanted);
	}
}

// Both ends of a segment go along; a plane is the same everywhere; a plate shows its hole.
static void other_walls(void **state)
{
	(void)state;
	frame *f = cell_frame(false);
	put_wall(f, TALUS_WALL_PLANE, vec(77, 0, 0), vec(0, 1, 0));
	put_wall(f, TALUS_WALL_SEGMENT, vec(38, 1, 0), vec(0, 0, 1))->to = vec(41, 2, 0);
	talus_wall_def *plate = put_wall(f, TALUS_WALL_PLANE, vec(0, 5, 0), vec(0, 1, 0));
	plate->has_hole = true;
	plate->hole_at = vec(-26, 5, 0);
	plate->hole_radius = 1;
	frame shown = images_shown(f);
	assert_int_equal(shown.walls, 4);
	assert_true(shown.wall[0].def.point.x == 77);
	for (int i = 1; i < 3; i++)
		assert_true(norm(sub(sub(shown.wall[i].def.to, shown.wall[i].def.point), vec(3, 1, 0))) < 1e-12);
	assert_true(fabs(shown.wall[1].def.point.x - shown.wall[2].def.point.x) == 10);
	assert_true(shown.wall[3].def.hole_at.x == 4);
	memory_free(shown.wall);
	scene_delete(f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(images_that_reach_into_the_cell),
		cmocka_unit_test(other_walls),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
