// SPDX-License-Identifier: MIT
// The force network in pictures: widths, colours, ends, and what the legend says about them.
#include "picture.h"

// Length of the upright run of a colour through a pixel.
static int run_through(const image *m, int x, int y, rgb c)
{
	int length = 0;
	for (int k = y; k >= 0 && like(pixel_at(m, x, k), c, 0.08); k--)
		length++;
	for (int k = y + 1; k < m->height && like(pixel_at(m, x, k), c, 0.08); k++)
		length++;
	return length;
}

// ---------------------------------------------------------------- lines

// A row of four disks with forces 1, 2 and -1: widths as 1 to 2, and pulling has a colour of its own.
static void lines_are_as_wide_as_forces_are_large(void **state)
{
	(void)state;
	frame *f = scene_new(2);
	int64_t id[4];
	for (int i = 0; i < 4; i++)
		id[i] = put_grain(f, vec(2*i, 0, 0), 1, 0);
	put_contact(f, id[0], id[1], vec(1, 0, 0), 1);
	put_contact(f, id[2], id[1], vec(-1, 0, 0), 2);
	put_contact(f, id[2], id[3], vec(1, 0, 0), -1);
	draw_options o = options_of(1000, 400);
	o.forces = true;
	image m = drawn(f, &o);
	blob push = find(&m, force_push, 0.05), pull = find(&m, force_pull, 0.05);
	double scale = (pull.right - push.left)/6.0; // from centre to centre
	int y = (int)lrint(pull.y), one = run_through(&m, push.left + (int)scale, y, force_push);
	int two = run_through(&m, push.left + (int)(3*scale), y, force_push);
	int minus = run_through(&m, push.left + (int)(5*scale), y, force_pull);
	assert_true(one > 5);
	assert_true(abs(two - 2*one) <= 2);
	assert_true(abs(minus - one) <= 1);
	assert_true(two < 2*scale); // thinner than a grain
	free(m.pixel);
	scene_delete(f);
}

// A contact with a wall reaches from the centre to the wall.
static void a_wall_contact_ends_at_the_wall(void **state)
{
	(void)state;
	frame *f = scene_new(2);
	int64_t id = put_grain(f, vec(0, 2, 0), 2, 0);
	put_wall(f, TALUS_WALL_PLANE, vec(0, 0, 0), vec(0, 1, 0));
	put_contact(f, -1, id, vec(0, 1, 0), 5);
	draw_options o = options_of(600, 600);
	o.forces = true;
	image m = drawn(f, &o);
	blob branch = find(&m, force_push, 0.05), disk = find(&m, (rgb){0.945, 0.945, 0.935}, 0.004);
	double radius = (disk.right - disk.left)/2.0;
	assert_true(fabs(branch.top - (disk.top + radius)) < 4);
	assert_true(abs(branch.bottom - disk.bottom) < 4);
	free(m.pixel);
	scene_delete(f);
}

// A contact through a periodic boundary is drawn at both sides of the cell and not across it.
static void a_contact_through_the_boundary_does_not_cross(void **state)
{
	(void)state;
	frame *f = scene_new(2);
	int64_t a = put_grain(f, vec(1, 5, 0), 1, 0), b = put_grain(f, vec(19, 5, 0), 1, 0);
	put_contact(f, a, b, vec(-1, 0, 0), 1);
	f->periodic[0] = f->periodic[1] = true;
	f->cell[0][0] = 20;
	f->cell[1][1] = 10;
	f->cell[2][2] = 1;
	draw_options o = options_of(1000, 600);
	o.forces = true;
	image m = drawn(f, &o);
	blob branch = find(&m, force_push, 0.05);
	assert_true(branch.left < 120 && branch.right > 880);
	for (int y = 0; y < 540; y++)
		for (int x = 200; x < 800; x++)
			assert_false(like(pixel_at(&m, x, y), force_push, 0.05));
	free(m.pixel);
	scene_delete(f);
}

// In 3D a line in front covers one behind, which is paler.
static void force_lines_are_sorted_by_depth(void **state)
{
	(void)state;
	frame *f = scene_new(3);
	int64_t a = put_grain(f, vec(-1, -6, 0), 1, 0), b = put_grain(f, vec(1, -6, 0), 1, 0);
	int64_t c = put_grain(f, vec(0, 6, -1), 1, 0), d = put_grain(f, vec(0, 6, 1), 1, 0);
	put_contact(f, a, b, vec(1, 0, 0), -1);
	put_contact(f, c, d, vec(0, 0, 1), 1);
	draw_options o = options_of(600, 600);
	o.forces = true;
	for (int side = 0; side < 2; side++) {
		o.azimuth = 180*side;
		image m = drawn(f, &o);
		rgb near = side ? force_push : force_pull;
		blob front = find(&m, rgb_mix(near, (rgb){1, 1, 1}, 0.12), 0.03);
		assert_true(front.area > 500);
		uint32_t crossing = pixel_at(&m, (front.left + front.right)/2.0, (front.top + front.bottom)/2.0);
		assert_true(like(crossing, near, 0.15));
		free(m.pixel);
	}
	scene_delete(f);
}

// ---------------------------------------------------------------- legend

// A row of disks that are pushed, but for some of them.
static frame *row_of_disks(int count, double pull)
{
	frame *f = scene_new(2);
	int64_t before = put_grain(f, vec(0, 0, 0), 1, 0);
	for (int i = 1; i < count; i++) {
		int64_t next = put_grain(f, vec(2*i, 0, 0), 1, 0);
		put_contact(f, before, next, vec(1, 0, 0), i == 2 ? pull : 1);
		before = next;
	}
	return f;
}

static blob legend_of(const frame *f, int width, int height, rgb color, blob *caption)
{
	draw_options o = options_of(width, height);
	o.forces = true;
	image m = drawn(f, &o);
	blob b = find_between(&m, m.height*4/5, m.height, color, 0.05);
	if (caption) // dark letters that stand no higher than the legend's line
		*caption = find_between(&m, b.top, b.bottom + 1, (rgb){0.15, 0.15, 0.17}, 0.02);
	free(m.pixel);
	return b;
}

// The legend shows the colour of pulls where there are some, and nowhere else; round-off does not count as one.
static void the_legend_tells_push_from_pull(void **state)
{
	(void)state;
	static const struct {
		double pull;
		bool shown;
	} cases[] = {{-1, true}, {-0.01, true}, {1, false}, {0, false}, {-1e-12, false}};
	for (size_t i = 0; i < sizeof cases/sizeof *cases; i++) {
		frame *f = row_of_disks(6, cases[i].pull);
		blob push = legend_of(f, 1000, 500, force_push, NULL), pull = legend_of(f, 1000, 500, force_pull, NULL);
		assert_true(push.area > 100);
		assert_int_equal(pull.area > 100, cases[i].shown);
		if (cases[i].shown) { // beside each other, equally large
			assert_true(pull.right < push.left);
			assert_true(labs(pull.area - push.area) <= 8);
		}
		scene_delete(f);
	}
}

// Where a picture is narrow the legend gets a line of its own, so that it does not run into the caption.
static void a_narrow_legend_does_not_cover_the_caption(void **state)
{
	(void)state;
	frame *f = row_of_disks(6, -1);
	blob beside, above;
	blob wide = legend_of(f, 1000, 500, force_pull, &beside), narrow = legend_of(f, 420, 500, force_pull, &above);
	assert_true(beside.left < 40);           // the caption starts the line
	assert_true(above.left > narrow.left - 60); // only the word "pull" stands left of its sample
	assert_true(500 - wide.bottom < 500 - narrow.bottom - 10);
	scene_delete(f);
}

// A contact that only holds sideways, or a bond that carries nothing, is in the frame but has no width.
static void forces_without_a_normal_part_have_no_line(void **state)
{
	(void)state;
	frame *f = row_of_disks(4, 1);
	f->force[1][0] = 0;
	f->force[1][1] = 5;
	f->force[2][0] = 0;
	f->bonded[2] = 1;
	draw_options o = options_of(1000, 400);
	o.forces = true;
	image m = drawn(f, &o);
	blob push = find(&m, force_push, 0.05);
	double scale = (push.right - push.left)/2.6; // one branch of length 2 with round ends
	assert_true(push.right < m.width/2 && scale > 20);
	assert_int_equal(find(&m, force_pull, 0.05).area, 0);
	free(m.pixel);
	scene_delete(f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lines_are_as_wide_as_forces_are_large),
		cmocka_unit_test(a_wall_contact_ends_at_the_wall),
		cmocka_unit_test(a_contact_through_the_boundary_does_not_cross),
		cmocka_unit_test(force_lines_are_sorted_by_depth),
		cmocka_unit_test(the_legend_tells_push_from_pull),
		cmocka_unit_test(a_narrow_legend_does_not_cover_the_caption),
		cmocka_unit_test(forces_without_a_normal_part_have_no_line),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
