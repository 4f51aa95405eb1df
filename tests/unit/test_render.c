// SPDX-License-Identifier: MIT
// Pictures are judged by their pixels: what is drawn, where, how large and in which colour.
#include "picture.h"

#include "state/wall/shapes.h"

#include <glob.h>
#include <signal.h>
#include <sys/resource.h>
#include <unistd.h>

// ---------------------------------------------------------------- grains

static void a_picture_has_the_size_asked_for(void **state)
{
	(void)state;
	frame *f = scene_new(2);
	put_grain(f, vec(0, 0, 0), 1, 0);
	draw_options o = options_of(640, 333);
	image m = drawn(f, &o);
	assert_int_equal(m.width, 640);
	assert_int_equal(m.height, 333);
	free(m.pixel);
	scene_delete(f);
}

// Below the picture stand time and number of grains, in dark letters: some font is there.
static void there_is_a_caption(void **state)
{
	(void)state;
	frame *f = scene_new(2);
	put_grain(f, vec(0, 0, 0), 1, 0);
	draw_options o = options_of(800, 600);
	image m = drawn(f, &o);
	long dark = 0;
	for (int y = m.height*93/100; y < m.height; y++)
		for (int x = 0; x < m.width/2; x++)
			dark += (pixel_at(&m, x, y) & 255) < 100;
	assert_true(dark > 100 && dark < 5000);
	free(m.pixel);
	scene_delete(f);
}

// Two disks of radii 1 and 2: areas as 1 to 4, centres at the right distance and in the right direction.
static void disks_are_where_they_are(void **state)
{
	(void)state;
	frame *f = scene_new(2);
	put_grain(f, vec(-5, -3, 0), 1, 0);
	put_grain(f, vec(5, 3, 0), 2, 1);
	draw_options o = options_of(900, 700);
	image m = drawn(f, &o);
	blob a = find(&m, color_kind(0), 0.02), b = find(&m, color_kind(1), 0.02);
	double scale = (b.x - a.x)/10;
	assert_true(scale > 40);
	assert_true(fabs((a.y - b.y) - 6*scale) < 0.02*scale + 1);
	assert_true(fabs((double)b.area/(M_PI*4*scale*scale) - 1) < 0.06);
	assert_true(fabs((double)a.area/(M_PI*scale*scale) - 1) < 0.08);
	assert_true(like(pixel_at(&m, a.x, a.y), color_kind(0), 0.02));
	assert_int_equal(pixel_at(&m, (a.x + b.x)/2, (a.y + b.y)/2), 0xffffff);
	free(m.pixel);
	scene_delete(f);
}

// A small sphere in front of a large one is seen whole; from behind it is not seen at all.
static void near_spheres_hide_far_ones(void **state)
{
	(void)state;
	frame *f = scene_new(3);
	put_grain(f, vec(0, -5, 0), 1, 1);
	put_grain(f, vec(0, 5, 0), 3, 2);
	draw_options o = options_of(600, 500);
	image m = drawn(f, &o);
	blob small = find(&m, color_kind(1), 0.12), large = find(&m, color_kind(2), 0.12);
	assert_true(small.area > 1000 && large.area > 4*small.area);
	assert_true(fabs(small.x - (large.left + large.right)/2.0) < 2);
	assert_true(fabs((double)(small.right - small.left)/(large.right - large.left) - 1.0/3) < 0.02);
	free(m.pixel);
	o.azimuth = 180;
	m = drawn(f, &o);
	assert_int_equal(find(&m, color_kind(1), 0.12).area, 0);
	assert_true(find(&m, color_kind(2), 0.12).area > 4*small.area);
	free(m.pixel);
	scene_delete(f);
}

// The eye at azimuth 0 has x to the right; at 90 degrees it stands on the side of +x. z is up.
static void the_eye_turns_as_promised(void **state)
{
	(void)state;
	frame *f = scene_new(3);
	put_grain(f, vec(4, 0, 0), 1, 1);
	put_grain(f, vec(0, 4, 0), 1, 2);
	put_grain(f, vec(0, 0, 4), 1, 4);
	draw_options o = options_of(600, 500);
	image m = drawn(f, &o);
	assert_true(find(&m, color_kind(1), 0.12).x > find(&m, color_kind(2), 0.12).x + 50);
	assert_true(find(&m, color_kind(4), 0.12).y < find(&m, color_kind(1), 0.12).y - 50);
	free(m.pixel);
	o.azimuth = 90;
	m = drawn(f, &o);
	assert_true(find(&m, color_kind(2), 0.12).x > find(&m, color_kind(1), 0.12).x + 50);
	free(m.pixel);
	scene_delete(f);
}

// Right, up and towards the eye are at right angles, in this order, wherever the eye is.
static void the_eye_has_a_proper_frame(void **state)
{
	(void)state;
	for (int azimuth = -180; azimuth <= 180; azimuth += 30)
		for (int elevation = -90; elevation <= 90; elevation += 30) {
			camera c = camera_turn(3, azimuth, elevation);
			assert_true(norm(sub(cross(c.right, c.up), c.toward)) < 1e-12);
			assert_true(fabs(norm(c.up) - 1) < 1e-12 && fabs(dot(c.right, c.up)) < 1e-12);
			assert_true(fabs(c.toward.z - sin(elevation*M_PI/180)) < 1e-12);
		}
	assert_true(norm(sub(camera_turn(3, 90, 0).toward, vec(1, 0, 0))) < 1e-12);
}

// One grain in a hundred that has flown away does not shrink the picture of the others.
static void a_stray_grain_does_not_count(void **state)
{
	(void)state;
	frame *f = scene_new(2);
	for (int i = 0; i < 200; i++)
		put_grain(f, vec(2*(i%20), 2*(i/20), 0), 1, 0);
	put_grain(f, vec(5000, 9000, 0), 1, 0);
	draw_options o = options_of(800, 500);
	image m = drawn(f, &o);
	blob all = find(&m, color_kind(0), 0.02);
	assert_true(all.right - all.left > 600);
	free(m.pixel);
	scene_delete(f);
}

// Faster is brighter on the scale, and the scale is beside the picture.
static void speed_is_shown_in_colour(void **state)
{
	(void)state;
	frame *f = scene_new(2);
	for (int i = 0; i < 3; i++) {
		put_grain(f, vec(4*i, 0, 0), 1.5, 0);
		f->v[i][0] = 3*i;
		f->v[i][1] = 4*i;
	}
	palette p = palette_make(f, DRAW_COLOR_SPEED);
	assert_true(p.bar);
	assert_true(p.low == 0);
	assert_true(fabs(p.high - 10) < 1e-12);
	assert_true(fabs(p.grain[1].g - color_map(0.5).g) < 1e-9);
	palette_free(&p);
	draw_options o = options_of(900, 400);
	o.color = DRAW_COLOR_SPEED;
	image m = drawn(f, &o);
	assert_true(find(&m, color_map(1), 0.02).area > 2000);
	free(m.pixel);
	scene_delete(f);
}

// A disk pressed by f from both sides carries the pressure 2 r f/(2 pi r^2).
static void pressure_of_a_squeezed_grain(void **state)
{
	(void)state;
	frame *f = scene_new(2);
	int64_t a = put_grain(f, vec(0, 0, 0), 0.5, 0);
	put_contact(f, -1, a, vec(1, 0, 0), 3);
	put_contact(f, -2, a, vec(-1, 0, 0), 3);
	palette p = palette_make(f, DRAW_COLOR_PRESSURE);
	assert_true(fabs(p.high - 3/(M_PI*0.5)) < 1e-12);
	palette_free(&p);
	scene_delete(f);
}

// ---------------------------------------------------------------- walls

static bool dark_near(const image *m, double x, double y, rgb dark)
{
	for (int dy = -4; dy <= 4; dy++)
		for (int dx = -4; dx <= 4; dx++)
			if (like(pixel_at(m, x + dx, y + dy), dark, 0.02))
				return true;
	return false;
}

// Floor and left wall of a 2D box: dark lines below and beside the grains, nowhere else; without walls, none.
static void walls_stand_around_the_grains(void **state)
{
	(void)state;
	frame *f = scene_new(2);
	for (int i = 0; i < 10; i++)
		put_grain(f, vec(1 + 2*i, 1, 0), 1, 0);
	put_wall(f, TALUS_WALL_PLANE, vec(0, 0, 0), vec(0, 1, 0));
	put_wall(f, TALUS_WALL_PLANE, vec(0, 0, 0), vec(1, 0, 0));
	const rgb dark = {0.25, 0.27, 0.30};
	draw_options o = options_of(1800, 600);
	image m = drawn(f, &o);
	blob grains = find(&m, color_kind(0), 0.02);
	double radius = (grains.bottom - grains.top)/2.0;
	double x = grains.left + 10*radius, y = grains.top + radius; // between two grains, beside the first one
	assert_true(dark_near(&m, x, grains.bottom, dark));
	assert_true(dark_near(&m, grains.left, y, dark));
	assert_false(dark_near(&m, x, grains.top, dark));
	assert_false(dark_near(&m, grains.right, y, dark));
	free(m.pixel);
	o.walls = false;
	m = drawn(f, &o);
	assert_int_equal(find(&m, dark, 0.005).area, 0);
	free(m.pixel);
	scene_delete(f);
}

// A floor lies under a sphere as a light sheet, and even from a height it throws a shadow on it.
static void a_floor_receives_shadows(void **state)
{
	(void)state;
	frame *f = scene_new(3);
	put_grain(f, vec(-4, 0, 4), 1, 0);
	put_grain(f, vec(4, 0, 4), 1, 0);
	put_wall(f, TALUS_WALL_PLANE, vec(0, 0, 0), vec(0, 0, 1));
	draw_options o = options_of(800, 600);
	o.elevation = 30;
	image m = drawn(f, &o);
	long light = 0, shadow = 0;
	for (int y = 0; y < m.height*9/10; y++)
		for (int x = 0; x < m.width; x++) {
			uint32_t p = pixel_at(&m, x, y);
			int r = p >> 16 & 255, b = p & 255;
			light += r > 225 && r < 250 && b >= r;
			shadow += r > 190 && r < 222 && b >= r;
		}
	assert_true(light > 20000);
	assert_true(shadow > 5000); // lines around the floor have some thousand such pixels
	free(m.pixel);
	scene_delete(f);
}

static void put_all_walls(frame *f)
{
	talus_wall_def *w;
	put_wall(f, TALUS_WALL_PLANE, vec(0, -2, -2), f->dimension == 2 ? vec(0, 1, 0) : vec(0, 0, 1));
	w = put_wall(f, TALUS_WALL_PLANE, vec(0, -1, -1), f->dimension == 2 ? vec(0, 1, 0) : vec(0, 0, 1));
	w->has_hole = true;
	w->hole_at = w->point;
	w->hole_radius = 1;
	for (int inside = 0; inside < 2; inside++) {
		w = put_wall(f, TALUS_WALL_CYLINDER, vec(3, 3, 0), f->dimension == 2 ? vec(0, 0, 1) : vec(0, 1, 0));
		w->radius = inside ? 12 : 1;
		w->inside = inside;
		if (f->dimension == 2)
			continue;
		w = put_wall(f, TALUS_WALL_CONE, vec(0, 0, 0), vec(0, 0, 1));
		w->angle = 30;
		w->from = 1;
		w->last = 6;
		w->inside = inside;
		w = put_wall(f, TALUS_WALL_TORUS, vec(0, 0, 1), vec(0, 1, 1));
		w->radius = 4;
		w->tube = 1.5;
		w->inside = inside;
	}
	if (f->dimension == 2) {
		w = put_wall(f, TALUS_WALL_SEGMENT, vec(-3, 5, 0), vec(0, 0, 0));
		w->to = vec(4, 6, 0);
	}
}

static void assert_all_shapes(const frame *f)
{
	for (int kind = 0; kind < wall_shape_count(); kind++) {
		int only = wall_shape_of(kind)->dimension, found = only != 0 && only != f->dimension;
		for (int i = 0; i < f->walls; i++)
			found += (int)f->wall[i].def.kind == kind;
		if (!found)
			fail_msg("`%s` is missing in put_all_walls, dimension %d", wall_shape_name(kind), f->dimension);
	}
}

// Every kind of wall, in both dimensions, as both kinds of file, from several sides; also without any grain.
static void all_walls_can_be_drawn(void **state)
{
	(void)state;
	for (int dimension = 2; dimension <= 3; dimension++)
		for (int grains = 0; grains <= 5; grains += 5) {
			frame *f = scene_new(dimension);
			for (int i = 0; i < grains; i++)
				put_grain(f, vec(2*i, i, dimension == 3 ? 1 : 0), 1, i%2);
			put_all_walls(f);
			assert_all_shapes(f);
			f->periodic[0] = true;
			f->cell[0][0] = 14;
			f->cell[1][1] = f->cell[2][2] = 1;
			for (int view = -90; view <= 90; view += 45) {
				draw_options o = options_of(200, 150);
				o.elevation = view;
				talus_error error;
				assert_true(draw_frame(f, &o, "walls.png", &error));
				assert_true(draw_frame(f, &o, "walls.svg", &error));
			}
			remove("walls.png");
			remove("walls.svg");
			scene_delete(f);
		}
}

// ---------------------------------------------------------------- SVG

static char *text_of(const char *path)
{
	FILE *file = fopen(path, "rb");
	assert_non_null(file);
	fseek(file, 0, SEEK_END);
	long length = ftell(file);
	rewind(file);
	char *text = calloc((size_t)length + 1, 1);
	assert_int_equal(fread(text, 1, (size_t)length, file), length);
	fclose(file);
	return text;
}

static int count_of(const char *text, const char *word)
{
	int count = 0;
	for (const char *at = text; (at = strstr(at, word)) != NULL; at += strlen(word))
		count++;
	return count;
}

// Every tag that opens closes, in order.
static void check_tags(const char *text)
{
	char open[64][32];
	int depth = 0;
	for (const char *at = text; (at = strchr(at, '<')) != NULL; at++) {
		const char *end = strchr(at, '>');
		assert_non_null(end);
		size_t length = strcspn(at + 1, " />\n");
		if (at[1] == '?' || at[1] == '!' || end[-1] == '/')
			continue;
		if (at[1] == '/') {
			length = strcspn(at + 2, " >");
			assert_true(depth > 0);
			depth--;
			assert_true(strlen(open[depth]) == length && strncmp(open[depth], at + 2, length) == 0);
			continue;
		}
		assert_true(depth < 64 && length < 32);
		snprintf(open[depth++], 32, "%.*s", (int)length, at + 1);
	}
	assert_int_equal(depth, 0);
}

// The disks' fill is in the file once for each grain.
static void svg_holds_every_disk(void **state)
{
	(void)state;
	frame *f = scene_new(2);
	for (int i = 0; i < 37; i++)
		put_grain(f, vec(2*(i%7), 2*(i/7), 0), 1, 0);
	draw_options o = options_of(800, 600);
	talus_error error;
	assert_true(draw_frame(f, &o, "test.svg", &error));
	char *text = text_of("test.svg"), fill[64];
	rgb c = color_kind(0);
	assert_int_equal(strncmp(text, "<?xml", 5), 0);
	check_tags(text);
	snprintf(fill, sizeof fill, "fill:rgb(%g%%,%g%%,%g%%)", 100*c.r, 100*c.g, 100*c.b);
	assert_int_equal(count_of(text, fill), 37);
	assert_non_null(strstr(text, "width=\"800px\""));
	free(text);
	remove("test.svg");
	scene_delete(f);
}

// Spheres have a gradient each; those that nobody can see are left out.
static void svg_holds_the_spheres_that_are_seen(void **state)
{
	(void)state;
	frame *f = scene_new(3);
	for (int i = 0; i < 5; i++)
		put_grain(f, vec(3*i, 0, 0), 1, 0);
	put_grain(f, vec(0, 9, 0), 0.5, 0); // behind the first one
	draw_options o = options_of(800, 600);
	talus_error error;
	assert_true(draw_frame(f, &o, "test.svg", &error));
	char *text = text_of("test.svg");
	check_tags(text);
	assert_int_equal(count_of(text, "<radialGradient"), 5);
	free(text);
	remove("test.svg");
	scene_delete(f);
}

// ---------------------------------------------------------------- what can go wrong

static void wrong_files_are_refused(void **state)
{
	(void)state;
	frame *f = scene_new(2);
	put_grain(f, vec(0, 0, 0), 1, 0);
	draw_options o = options_of(300, 300);
	talus_error error;
	assert_false(draw_frame(f, &o, "picture.gif", &error));
	assert_non_null(strstr(error.text, ".png, .svg or .pdf"));
	assert_false(draw_frame(f, &o, "no/such/folder/picture.png", &error));
	assert_non_null(strstr(error.text, "no/such/folder/picture.png"));
	assert_false(draw_frame(f, &o, ".png", &error));
	f->x[0][1] = NAN;
	assert_false(draw_frame(f, &o, "picture.png", &error));
	assert_non_null(strstr(error.text, "grain 100"));
	f->x[0][1] = 0;
	o.width = 20000;
	assert_false(draw_frame(f, &o, "picture.png", &error));
	assert_non_null(strstr(error.text, "8192"));
	assert_int_not_equal(access("picture.png", F_OK), 0);
	assert_int_not_equal(access("picture.gif", F_OK), 0);
	scene_delete(f);
}

// On a full disk there is a sentence, the old picture stays, and nothing half written is left.
static void nothing_half_written_is_left(void **state)
{
	(void)state;
	frame *f = scene_new(2);
	put_grain(f, vec(0, 0, 0), 1, 0);
	draw_options o = options_of(300, 300);
	talus_error error;
	remove("full.png");
	struct rlimit room, little;
	assert_int_equal(getrlimit(RLIMIT_FSIZE, &room), 0);
	little = (struct rlimit){1000, room.rlim_max};
	signal(SIGXFSZ, SIG_IGN);
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &little), 0);
	bool drawn = draw_frame(f, &o, "full.png", &error);
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &room), 0);
	assert_false(drawn);
	assert_non_null(strstr(error.text, "full.png"));
	assert_int_not_equal(access("full.png", F_OK), 0);
	glob_t parts;
	assert_int_equal(glob("full.png.*", 0, NULL, &parts), GLOB_NOMATCH);
	scene_delete(f);
}

static void sizes_are_read(void **state)
{
	(void)state;
	int width = 0, height = 0;
	assert_true(draw_size_read("1200x900", &width, &height));
	assert_int_equal(width, 1200);
	assert_int_equal(height, 900);
	static const char *const wrong[] = {"", "1200", "1200x", "x900", "1200x900x2", "50x900", "1200x9000"};
	for (size_t i = 0; i < sizeof wrong/sizeof *wrong; i++)
		assert_false(draw_size_read(wrong[i], &width, &height));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_picture_has_the_size_asked_for),
		cmocka_unit_test(there_is_a_caption),
		cmocka_unit_test(disks_are_where_they_are),
		cmocka_unit_test(near_spheres_hide_far_ones),
		cmocka_unit_test(the_eye_turns_as_promised),
		cmocka_unit_test(the_eye_has_a_proper_frame),
		cmocka_unit_test(a_stray_grain_does_not_count),
		cmocka_unit_test(speed_is_shown_in_colour),
		cmocka_unit_test(pressure_of_a_squeezed_grain),
		cmocka_unit_test(walls_stand_around_the_grains),
		cmocka_unit_test(a_floor_receives_shadows),
		cmocka_unit_test(all_walls_can_be_drawn),
		cmocka_unit_test(svg_holds_every_disk),
		cmocka_unit_test(svg_holds_the_spheres_that_are_seen),
		cmocka_unit_test(wrong_files_are_refused),
		cmocka_unit_test(nothing_half_written_is_left),
		cmocka_unit_test(sizes_are_read),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
