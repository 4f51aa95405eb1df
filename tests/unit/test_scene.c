// SPDX-License-Identifier: MIT
// Right scenes: every value arrives where it belongs, defaults are those of the documentation, --set changes one value and
// leaves the rest of the text alone, and no damaged text brings the reader down.
#include "io/scene.h"
#include "io/scene_doc.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char full[] =
	"title: 'all of it: 100 %'   # a comment\n"
	"dimension: 3\n"
	"seed: 18446744073709551615\n"
	"gravity: [0.5, -1.0e+1, +2.]\n"
	"materials:\n"
	"  glass: {density: 2.5}\n"
	"  steel: {density: 7.8}\n"
	"contacts:\n"
	"  - between: [steel, glass]\n"
	"    friction: {static: 0.25, dynamic: 0.2}\n"
	"    restitution: {normal: 0.5, tangential: 0.1}\n"
	"    cohesion: {force: 7, range: 0.01}\n"
	"  - {between: [glass, glass], friction: 0.3}\n"
	"  - {between: [steel, steel]}\n"
	"cell: {origin: [1, 2, 3], size: [20, 22, 24], periodic: [y]}\n"
	"grains:\n"
	"  - fill: {count: 1.0e+3, radius: {uniform: [0.4, 0.6]}, material: steel, in: {box: [[1, 2, 3], [4, "
	"5, 6]]}}\n"
	"  - pour: {count: 50, rate: 20, start: 1, radius: {sieve: [[0.5, 0], [1, 0.4], [2, 1]]}, material: "
	"glass,\n"
	"           in: {cylinder: {from: [5, 5, 15], to: [5, 5, 20], radius: 3}}, velocity: [0, 0, -1]}\n"
	"  - grain: {at: [5, 6, 7], radius: 1.5, material: steel, velocity: [1, 2, 3], spin: [4, 5, 6], "
	"force: [7, 8, 9], free: [y, spin]}\n"
	"  - grain: {at: [9, 9, 9], radius: 1, material: glass, fixed: true}\n"
	"  - file: {path: /dev/null, material: steel, overlaps: allowed}\n"
	"  - fill: {count: 1, radius: {normal: {mean: 1, deviation: 0.1, least: 0.5, most: 2}}, material: "
	"glass,\n"
	"           arrangement: lattice, jitter: 0.25, fixed: true, in: {sphere: {at: [1, 1, 1], radius: "
	"9}}, velocity: [0, 1, 0]}\n"
	"walls:\n"
	"  floor: {plane: {point: [0, 0, 1], normal: [0, 0, 2], hole: {at: [5, 5, 1], radius: 2}}, "
	"material: steel, velocity: [1, 0, 0]}\n"
	"  drum: {cylinder: {point: [0, 0, 30], axis: [0, 1, 0], radius: 10, side: outside}, material: "
	"glass, spin: -0.2}\n"
	"  hopper: {cone: {tip: [0, 0, -2], axis: [0, 0, 1], angle: 30, from: 3, to: 20}, material: steel}\n"
	"  shaker: {plane: {point: [0, 0, -9], normal: [0, 0, 1]}, material: glass,\n"
	"           oscillate: {direction: [0, 0, 2], amplitude: 0.1, frequency: 5, phase: 0.25}}\n"
	"  lid: {plane: {point: [0, 0, 40], normal: [0, 0, -1]}, material: steel, mass: 10, force: [0, 0, "
	"-5], free: [z, x], weight: false}\n"
	"domain: {box: [[-50, -51, -52], [50, 51, 52]]}\n"
	"method: {contact_dynamics: {step: 0.01}}\n"
	"solver: {nsgs: {order: parallel, gap: signed, relaxation: 0.5, stop: {local: 1.0e-3, cutoff: 1.0e-8, "
	"max_iterations: 500}}}\n"
	"run: {until: {time: 20, rest: 1.0e-6}}\n"
	"output: {frames: {every: 0.5}, log: {every: 0.25}, checkpoint: {every: 2}}\n";

static const char bare[] =
	"materials: {glass: {density: 1}}\n"
	"contacts: [{between: [glass, glass]}]\n"
	"grains: [{fill: {count: 10, radius: 0.5, in: {box: [[0, 0, 0], [9, 9, 9]]}}}]\n"
	"walls: {floor: {plane: {point: [0, 0, 0], normal: [0, 0, 1]}}}\n"
	"method: {contact_dynamics: {step: 0.01}}\n"
	"run: {until: {time: 20}}\n";

static scene *read_with(const char *text, const char *override)
{
	talus_error error;
	scene *s = scene_read_text(text, "scene.yaml", &override, override ? 1 : 0, &error);
	if (!s)
		fail_msg("%s:%d:%d: %s", error.file, error.line, error.column, error.text);
	return s;
}

static bool is(talus_vec3 v, double x, double y, double z)
{
	return v.x == x && v.y == y && v.z == z;
}

// ---------------------------------------------------------------- values

static void world_values_arrive(void **state)
{
	(void)state;
	scene *s = read_with(full, NULL);
	const talus_world_def *w = &s->world;
	assert_string_equal(s->title, "all of it: 100 %");
	assert_string_equal(s->text, full);
	assert_string_equal(s->folder, ".");
	assert_int_equal(w->dimension, 3);
	assert_true(w->seed == UINT64_MAX);
	assert_true(is(w->gravity, 0.5, -10, 2));
	assert_true(is(w->cell.origin, 1, 2, 3) && is(w->cell.size, 20, 22, 24));
	assert_true(!w->cell.periodic[0] && w->cell.periodic[1] && !w->cell.periodic[2]);
	assert_true(w->has_domain && is(w->domain.low, -50, -51, -52) && is(w->domain.high, 50, 51, 52));
	assert_true(w->step == 0.01);
	assert_int_equal(w->solver.order, TALUS_ORDER_PARALLEL);
	assert_int_equal(w->solver.gap, TALUS_GAP_SIGNED);
	assert_int_equal(w->solver.stop, TALUS_STOP_LOCAL);
	assert_true(w->solver.relaxation == 0.5 && w->solver.tolerance == 1e-3 && w->solver.cutoff == 1e-8);
	assert_int_equal(w->solver.max_iterations, 500);
	assert_true(s->until_time && s->until_rest && s->end_time == 20 && s->rest == 1e-6);
	assert_true(s->output.frames == 0.5 && s->output.log == 0.25 && s->output.checkpoint == 2);
	scene_free(s);
}

static void materials_and_pairs_arrive(void **state)
{
	(void)state;
	scene *s = read_with(full, NULL);
	assert_int_equal(s->materials, 2);
	assert_string_equal(s->material[1].name, "steel");
	assert_true(s->material[0].density == 2.5 && s->material[1].density == 7.8);
	assert_int_equal(s->pairs, 3);
	assert_true(s->pair[0].a == 1 && s->pair[0].b == 0 && s->pair[0].friction == 0.2);
	assert_true(s->pair[0].static_friction == 0.25 && s->pair[0].restitution == 0.5);
	assert_true(s->pair[0].tangential_restitution == 0.1);
	assert_true(s->pair[0].cohesion == 7 && s->pair[0].range == 0.01);
	assert_true(s->pair[1].a == 0 && s->pair[1].b == 0 && s->pair[1].friction == 0.3);
	assert_true(s->pair[2].a == 1 && s->pair[2].b == 1 && s->pair[2].friction == 0);
	scene_free(s);
}

static void fills_and_pours_arrive(void **state)
{
	(void)state;
	scene *s = read_with(full, NULL);
	assert_int_equal(s->grain_entries, 6);
	const talus_fill_def *fill = s->grains[0].fill;
	assert_int_equal(s->grains[0].kind, SCENE_FILL);
	assert_true(s->grains[0].line == 17 && s->grains[0].column == 5);
	assert_true(fill->count == 1000 && fill->material == 1 && fill->arrangement == TALUS_ARRANGE_RANDOM);
	assert_true(fill->radius.kind == TALUS_SIZE_UNIFORM && fill->radius.a == 0.4 &&
		fill->radius.b == 0.6);
	assert_true(fill->in.kind == TALUS_REGION_BOX && is(fill->in.box.low, 1, 2, 3) &&
		is(fill->in.box.high, 4, 5, 6));
	assert_true(is(fill->velocity, 0, 0, 0) && fill->jitter == 0.5 && !fill->fixed);
	const talus_pour_def *pour = s->grains[1].pour;
	assert_int_equal(s->grains[1].kind, SCENE_POUR);
	assert_true(pour->count == 50 && pour->rate == 20 && pour->start == 1 && pour->material == 0);
	assert_true(pour->radius.kind == TALUS_SIZE_SIEVE && pour->radius.points == 3);
	assert_true(pour->radius.opening[1] == 1 && pour->radius.passing[1] == 0.4 &&
		pour->radius.passing[2] == 1);
	assert_true(pour->in.kind == TALUS_REGION_CYLINDER && is(pour->in.at, 5, 5, 15) &&
		is(pour->in.to, 5, 5, 20));
	assert_true(pour->in.radius == 3 && is(pour->velocity, 0, 0, -1));
	fill = s->grains[5].fill;
	assert_true(fill->radius.kind == TALUS_SIZE_NORMAL && fill->radius.a == 1 && fill->radius.b == 0.1);
	assert_true(fill->radius.least == 0.5 && fill->radius.most == 2 &&
		fill->arrangement == TALUS_ARRANGE_LATTICE);
	assert_true(fill->in.kind == TALUS_REGION_SPHERE && is(fill->in.at, 1, 1, 1) && fill->in.radius == 9);
	assert_true(is(fill->velocity, 0, 1, 0) && fill->jitter == 0.25 && fill->fixed);
	scene_free(s);
}

static void grains_and_files_arrive(void **state)
{
	(void)state;
	scene *s = read_with(full, NULL);
	const talus_grain_def *grain = &s->grains[2].grain;
	assert_int_equal(s->grains[2].kind, SCENE_GRAIN);
	assert_true(is(grain->at, 5, 6, 7) && grain->radius == 1.5 && grain->material == 1);
	assert_true(is(grain->velocity, 1, 2, 3) && is(grain->spin, 4, 5, 6) && is(grain->force, 7, 8, 9));
	assert_int_equal(grain->free, TALUS_FREE_Y | TALUS_FREE_SPIN);
	assert_int_equal(s->grains[3].grain.free, 0);
	assert_int_equal(s->grains[4].kind, SCENE_FILE);
	assert_string_equal(s->grains[4].file->path, "/dev/null");
	assert_true(s->grains[4].file->overlaps_allowed && s->grains[4].file->material == 1);
	scene_free(s);
}

static void walls_arrive(void **state)
{
	(void)state;
	scene *s = read_with(full, NULL);
	assert_int_equal(s->walls, 5);
	const talus_wall_def *wall = &s->wall[0].def;
	assert_true(s->wall[0].line == 26 && s->wall[0].column == 3);
	assert_string_equal(wall->name, "floor");
	assert_true(wall->kind == TALUS_WALL_PLANE && is(wall->point, 0, 0, 1) && is(wall->axis, 0, 0, 2));
	assert_true(wall->has_hole && is(wall->hole_at, 5, 5, 1) && wall->hole_radius == 2);
	assert_true(wall->material == 1 && is(wall->velocity, 1, 0, 0) && wall->mass == 0);
	wall = &s->wall[1].def;
	assert_true(wall->kind == TALUS_WALL_CYLINDER && is(wall->axis, 0, 1, 0) && wall->radius == 10 &&
		!wall->inside);
	assert_true(wall->spin == -0.2 && !wall->has_hole);
	wall = &s->wall[2].def;
	assert_true(wall->kind == TALUS_WALL_CONE && is(wall->point, 0, 0, -2) && wall->angle == 30 &&
		wall->inside);
	assert_true(wall->from == 3 && wall->last == 20);
	wall = &s->wall[3].def;
	assert_true(is(wall->oscillate_direction, 0, 0, 2) && wall->oscillate_amplitude == 0.1);
	assert_true(wall->oscillate_frequency == 5 && wall->oscillate_phase == 0.25);
	wall = &s->wall[4].def;
	assert_true(wall->mass == 10 && is(wall->force, 0, 0, -5) && wall->weightless);
	assert_int_equal(wall->free, TALUS_FREE_Z | TALUS_FREE_X);
	scene_free(s);
}

static void defaults_are_as_documented(void **state)
{
	(void)state;
	scene *s = read_with(bare, NULL);
	const talus_world_def *w = &s->world;
	assert_string_equal(s->title, "");
	assert_true(w->dimension == 3 && w->seed == 1 && is(w->gravity, 0, 0, 0) && !w->has_domain);
	assert_true(!w->cell.periodic[0] && !w->cell.periodic[1] && !w->cell.periodic[2]);
	assert_int_equal(w->solver.order, TALUS_ORDER_SHUFFLED);
	assert_int_equal(w->solver.gap, TALUS_GAP_POSITIVE);
	assert_int_equal(w->solver.kind, TALUS_SOLVER_AUTO);
	assert_int_equal(w->solver.stop, TALUS_STOP_ERROR);
	assert_true(w->solver.tolerance == 0.01 && w->solver.max_iterations == 1000 && w->solver.relaxation == 1);
	assert_true(s->output.frames == 0 && s->output.log == 0.1 && s->output.checkpoint == 0);
	assert_int_equal(s->grains[0].fill->material, 0);
	assert_true(s->grains[0].fill->radius.kind == TALUS_SIZE_CONSTANT &&
		s->grains[0].fill->radius.a == 0.5);
	assert_true(!s->wall[0].def.weightless && s->wall[0].def.free == 0 && s->pair[0].friction == 0);
	scene_free(s);
	s = read_with(bare, "run.until={rest: 1e-3}");
	assert_true(!s->until_time && s->until_rest && s->rest == 1e-3 && s->output.log == 0.1);
	scene_free(s);
	s = read_with(bare, "solver={accelerated: {}}");
	assert_true(s->world.solver.kind == TALUS_SOLVER_ACCELERATED && s->world.solver.stop == TALUS_STOP_ERROR &&
		s->world.solver.tolerance == 0.01 && s->world.solver.max_iterations == 1000);
	scene_free(s);
	s = read_with(bare, "solver={accelerated: {stop: {iterations: 20}}}");
	assert_true(s->world.solver.stop == TALUS_STOP_ITERATIONS && s->world.solver.iterations == 20);
	scene_free(s);
	s = read_with(bare, "solver={auto: {error: 1e-4}}");
	assert_true(s->world.solver.kind == TALUS_SOLVER_AUTO && s->world.solver.tolerance == 1e-4);
	scene_free(s);
	s = read_with(bare, "solver=auto");
	assert_true(s->world.solver.kind == TALUS_SOLVER_AUTO && s->world.solver.tolerance == 0.01);
	scene_free(s);
	s = read_with(bare, "solver.nsgs.stop={residual: 1e-6}");
	assert_int_equal(s->world.solver.kind, TALUS_SOLVER_NSGS);
	assert_true(s->world.solver.stop == TALUS_STOP_RESIDUAL && s->world.solver.tolerance == 1e-6);
	scene_free(s);
	s = read_with(bare, "solver.nsgs.stop={global: 1e-5}");
	assert_true(s->world.solver.stop == TALUS_STOP_GLOBAL && s->world.solver.tolerance == 1e-5);
	scene_free(s);
}

static void two_dimensions_need_two_components(void **state)
{
	(void)state;
	static const char text[] =
		"dimension: 2\n"
		"gravity: [0, -1]\n"
		"materials: {glass: {density: 1}}\n"
		"contacts: [{between: [glass, glass], friction: 0.5}]\n"
		"cell: {size: [20, 30], periodic: [x]}\n"
		"grains:\n"
		"  - fill: {count: 10, radius: {lognormal: {median: 1, deviation: 0.2, least: 0.5, most: "
		"2}}, in: {box: [[0, 1], [9, 9]]}}\n"
		"  - grain: {at: [5, 6, 0], radius: 1, spin: 2}\n"
		"walls:\n"
		"  lid: {segment: {from: [0, 9], to: [10, 2]}, spin: 0.1}\n"
		"  drum: {cylinder: {point: [0, 0], radius: 30}}\n"
		"  ring: {cylinder: {point: [0, 0], radius: 40, axis: [0, 0, -1]}}\n"
		"method: {contact_dynamics: {step: 0.01}}\n"
		"run: {until: {time: 1}}\n";
	scene *s = read_with(text, NULL);
	assert_true(s->world.dimension == 2 && is(s->world.gravity, 0, -1, 0) &&
		is(s->world.cell.size, 20, 30, 0));
	assert_true(s->grains[0].fill->radius.kind == TALUS_SIZE_LOGNORMAL &&
		s->grains[0].fill->radius.b == 0.2);
	assert_true(is(s->grains[0].fill->in.box.high, 9, 9, 0));
	assert_true(is(s->grains[1].grain.spin, 0, 0, 2) && s->grains[1].grain.free == TALUS_FREE_ALL);
	assert_true(s->wall[0].def.kind == TALUS_WALL_SEGMENT && is(s->wall[0].def.to, 10, 2, 0) &&
		s->wall[0].def.spin == 0.1);
	assert_true(is(s->wall[1].def.axis, 0, 0, 1) && is(s->wall[2].def.axis, 0, 0, -1));
	scene_free(s);
}

static void anchors_stand_for_what_they_name(void **state)
{
	(void)state;
	static const char text[] =
		"materials: {glass: {density: 1}}\n"
		"contacts: [{between: [glass, glass]}]\n"
		"grains:\n"
		"  - fill: &beads {count: 10, radius: 0.5, in: {box: [[0, 0, 0], [9, 9, 9]]}}\n"
		"  - fill: *beads\n"
		"method: {contact_dynamics: {step: 0.01}}\n"
		"run: {until: {time: 20}}\n";
	scene *s = read_with(text, NULL);
	assert_true(s->grain_entries == 2 && s->grains[1].fill->count == 10);
	scene_free(s);
	s = read_with(text, "grains.1.fill={count: 3, radius: 1, in: {box: [[0, 0, 0], [9, 9, 9]]}}");
	assert_true(s->grains[0].fill->count == 10 && s->grains[1].fill->count == 3);
	scene *again = read_with(s->text, NULL);
	assert_true(again->grains[0].fill->count == 10 && again->grains[1].fill->count == 3);
	scene_free(again);
	scene_free(s);
}

// ---------------------------------------------------------------- --set

// The text after --set is the text before it with one place changed.
static void check_text(const char *override, const char *old, const char *fresh)
{
	char wanted[8192];
	const char *place = strstr(full, old);
	assert_non_null(place);
	snprintf(wanted, sizeof wanted, "%.*s%s%s", (int)(place - full), full, fresh, place + strlen(old));
	scene *s = read_with(full, override);
	assert_string_equal(s->text, wanted);
	scene_free(s);
}

static void set_changes_one_place_of_the_text(void **state)
{
	(void)state;
	check_text("method.contact_dynamics.step=0.5", "step: 0.01", "step: 0.5");
	check_text("gravity.2=-9.81", "+2.]", "-9.81]");
	check_text("gravity=[0,0,1]", "[0.5, -1.0e+1, +2.]", "[0, 0, 1]");
	check_text("method.contact_dynamics.step=5e-3", "step: 0.01", "step: 5.0e-3"); // as YAML 1.1 knows it, too
	check_text("title=a heap", "'all of it: 100 %'", "a heap");
	check_text("title='so: \"it\" is'", "'all of it: 100 %'", "\"so: \\\"it\\\" is\"");
	check_text("contacts.1.friction=0", "friction: 0.3", "friction: 0");
	check_text("contacts.0.rolling=0.1", "- between: [steel, glass]",
		"- rolling: 0.1\n    between: [steel, glass]");
	check_text("contacts.0.cohesion.range=0.2", "range: 0.01", "range: 0.2");
	check_text("grains.0.fill.velocity=[1,1,1]", "[4, 5, 6]]}}", "[4, 5, 6]]}, velocity: [1, 1, 1]}");
	check_text("walls.floor.plane.hole.radius=3", "radius: 2}}, material: steel, v",
		"radius: 3}}, material: steel, v");
	check_text("materials.steel.density=8", "7.8", "8");
	check_text("output.log={every: 1}", "{every: 0.25}", "{every: 1}");
}

static void set_makes_what_is_not_there(void **state)
{
	(void)state;
	scene *s = read_with(bare, "output.frames.every=0.5");
	assert_true(s->output.frames == 0.5);
	assert_true(!strncmp(s->text, "output: {frames: {every: 0.5}}\nmaterials:", 40));
	scene_free(s);
	const char *two[] = {"seed=9", "seed=10"};
	talus_error error;
	s = scene_read_text(bare, "scene.yaml", two, 2, &error);
	assert_non_null(s);
	assert_true(s->world.seed == 10);
	assert_true(!strncmp(s->text, "seed: 10\nmaterials:", 19));
	scene_free(s);
}

// What cannot be patched is written anew, and says the same.
static void set_writes_anew_what_it_cannot_patch(void **state)
{
	(void)state;
	char text[2048];
	snprintf(text, sizeof text, "title: |\n  two\n  lines\n%s", bare);
	scene *s = read_with(text, "title=short");
	assert_string_equal(s->title, "short");
	scene *again = read_with(s->text, NULL);
	assert_string_equal(again->title, "short");
	assert_int_equal(again->grains[0].fill->count, 10);
	scene_free(again);
	scene_free(s);
}

// ---------------------------------------------------------------- surroundings

static void missing_files_are_named(void **state)
{
	(void)state;
	talus_error error;
	assert_null(scene_read_file("no/such/scene.yaml", NULL, 0, &error));
	assert_string_equal(error.file, "no/such/scene.yaml");
	assert_string_equal(error.text, "the scene cannot be opened: No such file or directory");
	assert_int_equal(error.line, 0);
	assert_null(scene_read_file(".", NULL, 0, &error));
	assert_string_equal(error.text, "the scene cannot be opened: Is a directory");
}

static void paths_start_at_the_scene(void **state)
{
	(void)state;
	talus_error error;
	FILE *file = fopen("talus_test_scene.yaml", "w");
	assert_non_null(file);
	fputs(bare, file);
	fclose(file);
	scene *s = scene_read_file("./talus_test_scene.yaml", NULL, 0, &error);
	remove("talus_test_scene.yaml");
	assert_non_null(s);
	assert_string_equal(s->folder, ".");
	assert_string_equal(s->file, "./talus_test_scene.yaml");
	assert_string_equal(s->text, bare);
	scene_free(s);
}

// The whole is refused at the first byte that is no text, also where a YAML library would take it for the end.
static void bytes_that_are_no_text_are_refused(void **state)
{
	(void)state;
	talus_error error;
	assert_null(scene_read_text("title: a\nseed: \xff", "scene.yaml", NULL, 0, &error));
	assert_string_equal(error.text, "the byte 0xff has no place in a text in UTF-8");
	assert_true(error.line == 2 && error.column == 7);
	assert_null(scene_read_text("title: \"a\\0b\"", "scene.yaml", NULL, 0, &error));
	assert_string_equal(error.text, "a text must not contain the character NUL");
}

static void every_key_is_documented(void **state)
{
	(void)state;
	int count, found = 0;
	scene_doc_row *row = scene_doc_rows(&count);
	for (int i = 0; i < count; i++) {
		scene_doc_facts facts = scene_doc_tell(&row[i]);
		if (!row[i].field->meaning || !*row[i].field->meaning || !*facts.value || !*facts.fallback)
			fail_msg("the key %s is not described", row[i].path);
		if (scene_doc_means(&row[i], "walls.plane.normal") ||
			scene_doc_means(&row[i], "contacts.N.friction"))
			found++;
		assert_false(scene_doc_means(&row[i], "riction"));
	}
	assert_int_equal(found, 2);
	assert_true(count > 120);
	free(row);
}

// ---------------------------------------------------------------- damage

static uint64_t draw(uint64_t *seed)
{
	*seed = *seed*6364136223846793005u + 1442695040888963407u;
	return *seed >> 33;
}

static void damage(char *text, uint64_t *seed)
{
	static const char *const pieces[] = {"{", "}", "[", "]", ": ", "\n", "- ", "*a", "&a ", "\"", "'",
		"#", "!!x ", "|\n", "? ", "\t", "---\n", "...\n", "%YAML 9.9\n", "\xef\xbb\xbf", "\xc3\xa9",
		"\xff", "\x01", "-1", "1e400", "null", ",", "~"};
	size_t length = strlen(text), at = draw(seed)%(length + 1), many = draw(seed)%10;
	const char *piece = pieces[draw(seed)%(sizeof pieces/sizeof *pieces)];
	switch (draw(seed)%8) {
	case 0: text[at] = 0; break;
	case 1:
	case 2: // leave some out
		if (at + many < length)
			memmove(text + at, text + at + many, length - at - many + 1);
		break;
	case 3: // put something in
		memmove(text + at + strlen(piece), text + at, length - at + 1);
		memcpy(text + at, piece, strlen(piece));
		break;
	default: // one other byte
		if (length)
			text[at < length ? at : 0] = (char)(' ' + draw(seed)%95);
	}
}

static void damaged_scenes_are_read_or_refused(void **state)
{
	(void)state;
	uint64_t seed = 20240229;
	int refused = 0, read = 0;
	for (int round = 0; round < 3000; round++) {
		char text[sizeof full + 64], value[sizeof full + 64];
		talus_error error;
		memset(&error, 0, sizeof error);
		strcpy(text, full);
		for (uint64_t i = 0, hits = 1 + draw(&seed)%2; i < hits; i++)
			damage(text, &seed);
		snprintf(value, sizeof value, "grains.%d.fill.count=%d", (int)(round%3), round);
		const char *override = value;
		scene *s = scene_read_text(text, "scene.yaml", &override, round%4 == 0, &error);
		if (s) {
			read++;
		} else {
			refused++;
			assert_true(*error.text && *error.file);
			assert_true(error.line > 0 || !strncmp(error.file, "--set ", 6));
		}
		scene_free(s);
	}
	assert_true(refused > 1000 && read > 30); // the damage is neither harmless nor total
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(world_values_arrive),
		cmocka_unit_test(materials_and_pairs_arrive),
		cmocka_unit_test(fills_and_pours_arrive),
		cmocka_unit_test(grains_and_files_arrive),
		cmocka_unit_test(walls_arrive),
		cmocka_unit_test(defaults_are_as_documented),
		cmocka_unit_test(two_dimensions_need_two_components),
		cmocka_unit_test(anchors_stand_for_what_they_name),
		cmocka_unit_test(set_changes_one_place_of_the_text),
		cmocka_unit_test(set_makes_what_is_not_there),
		cmocka_unit_test(set_writes_anew_what_it_cannot_patch),
		cmocka_unit_test(missing_files_are_named),
		cmocka_unit_test(paths_start_at_the_scene),
		cmocka_unit_test(bytes_that_are_no_text_are_refused),
		cmocka_unit_test(every_key_is_documented),
		cmocka_unit_test(damaged_scenes_are_read_or_refused),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
