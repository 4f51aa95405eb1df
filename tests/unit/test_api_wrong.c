// SPDX-License-Identifier: MIT
// Wrong values for every public function: a sentence comes back, nothing changes, nothing aborts.
#include "api.h"
#include "pair_members.h"

#include <stdlib.h>

static const double wrong[] = {NAN, INFINITY, -INFINITY, -1, 0, 1e300, -1e-300, 1e-300, 1e21};
enum { WRONG = sizeof wrong/sizeof wrong[0] };

#define assert_refused(call, error, text, path) \
	do { \
		bool accepted = (call); \
		refused(accepted, (error), (text), (path)); \
	} while (0)

static void refused(bool accepted, const talus_error *error, const char *text, const char *path)
{
	assert_false(accepted);
	assert_non_null(error);
	if (strcmp(error->text, text) || (path && strcmp(error->path, path)))
		fail_msg("refused with `%s` (%s), not with `%s` (%s)", error->text, error->path, text, path ? path : "");
}

// ---------------------------------------------------------------- sentences, the scene's own

static void test_world_def(void **state)
{
	(void)state;
	talus_error e;
	talus_world_def def = talus_world_def_default(), good = def;
	assert_true(talus_world_def_check(&def, &e));
	def.dimension = 4;
	assert_refused(talus_world_def_check(&def, &e), &e, "`dimension` must be from 2 to 3, but is 4", "dimension");
	def = good;
	def.step = -0.1;
	assert_refused(talus_world_def_check(&def, &e), &e, "`step` must be greater than 0, but is -0.1", "method.contact_dynamics.step");
	def = good;
	def.gravity.y = NAN;
	assert_refused(talus_world_def_check(&def, &e), &e, "`gravity` must be a finite number, but is .nan", "gravity[1]");
	def = good;
	def.dimension = 2;
	def.gravity.z = 1;
	assert_refused(talus_world_def_check(&def, &e), &e, "the third component of `gravity` must be 0 in 2D, but is 1", "gravity[2]");
	def = good;
	def.cell.periodic[0] = true;
	assert_refused(talus_world_def_check(&def, &e), &e, "`size` must be greater than 0, but is 0", "cell.size[0]");
	def.cell.size.x = 5;
	assert_true(talus_world_def_check(&def, &e));
	def.cell.bath = true;
	assert_refused(talus_world_def_check(&def, &e), &e, "`bath` needs all directions periodic, but y is not", "cell.bath");
	def = good;
	def.has_domain = true;
	assert_refused(talus_world_def_check(&def, &e), &e,
		"the second corner of `box` must be above the first along x, but 0 is not greater than 0", "domain.box[1]");
	def = good;
	def.solver.tolerance = 7;
	assert_false(talus_world_def_check(&def, &e));
	assert_string_equal(e.path, "solver.nsgs.stop.error");
	def = good;
	def.solver.stop = (talus_stop)77;
	assert_false(talus_world_def_check(&def, &e));
	def = good;
	def.solver.kind = (talus_solver_kind)-1;
	assert_false(talus_world_def_check(&def, &e));
	def = good;
	def.method = (talus_method)9;
	assert_refused(talus_world_def_check(&def, &e), &e, "`method` is none of talus_method: 9", NULL);
	def = good;
	def.solver.order = (talus_order)9;
	assert_false(talus_world_def_check(&def, &e));
	def = good;
	def.cell.drive[0][1] = (talus_drive)5;
	assert_false(talus_world_def_check(&def, &e));
	assert_null(talus_world_create(&def));
	assert_null(talus_world_create(NULL));
	assert_false(talus_world_def_check(NULL, NULL));
}

static void test_materials_and_laws(void **state)
{
	(void)state;
	talus_world *world = api_bed(1);
	uint64_t hash = talus_world_hash(world);
	for (int i = 0; i < WRONG; i++)
		assert_int_equal(talus_world_add_material(world, "odd", wrong[i]), -1);
	assert_int_equal(talus_world_add_material(world, NULL, 1), -1);
	assert_int_equal(talus_world_add_material(world, "", 1), -1);
	assert_int_equal(talus_world_add_material(world, "two words", 1), -1);
	assert_string_equal(talus_world_error(world)->text, "a name may have letters, digits, `_` and `-` only, but is `two words`");
	assert_int_equal(talus_world_add_material(world, "glass", 1), -1);
	assert_int_equal(talus_world_add_material(world, "odd", -2), -1);
	assert_string_equal(talus_world_error(world)->text, "`density` must be greater than 0, but is -2");
	assert_string_equal(talus_world_error(world)->path, "density");
	assert_int_equal(talus_world_materials(world), 2);
	assert_false(talus_material_check(NULL, NULL));

	talus_error e;
	assert_refused(talus_pair_check(&(talus_pair){.friction = -1}, &e), &e, "`dynamic` must be at least 0, but is -1", "friction.dynamic");
	assert_refused(talus_pair_check(&(talus_pair){.restitution = 1.5}, &e), &e, "`normal` must be from 0 to 1, but is 1.5", "restitution.normal");
	assert_refused(talus_pair_check(&(talus_pair){.rolling = -1, .rolling_length = 1}, &e), &e, "`rolling` must be at least 0, but is -1", "rolling");
	assert_true(talus_pair_check(&(talus_pair){.friction = 0.5, .torsion = 0.1, .torsion_length = 1}, &e));
	const talus_field *member[PAIR_MEMBERS_MAX];
	int members = pair_members(member);
	assert_true(members >= 11);
	for (int k = 0; k < members; k++)
		for (int i = 0; i < 4; i++) { // not a number, infinite, negative
			talus_pair law = {0};
			memcpy((char *)&law + member[k]->offset, &wrong[i], sizeof wrong[i]);
			assert_false(talus_world_set_pair(world, &law));
			assert_non_null(talus_world_error(world));
		}
	assert_false(talus_world_set_pair(world, NULL));
	assert_false(talus_world_set_pair(world, &(talus_pair){.a = 2}));
	assert_string_equal(talus_world_error(world)->text, "`a` must be the number of a material, but is 2, and there are 2");
	assert_false(talus_world_set_pair(world, &(talus_pair){.b = -1}));
	assert_string_equal(talus_world_material(world, 9).name, "");
	assert_near(talus_world_pair(world, 0, -3).friction, 0, 0);
	assert_int_equal(talus_world_find_material(world, NULL), -1);
	assert_int_equal(talus_world_find_wall(world, NULL), -1);
	assert_true(talus_world_hash(world) == hash);
	talus_world_destroy(world);
}

static void test_grains(void **state)
{
	(void)state;
	talus_world *world = api_bed(1), *flat = api_cell(true, 1);
	uint64_t hash = talus_world_hash(world);
	talus_grain_def good = talus_grain_def_default(), def = good;
	double *all[] = {&def.at.x, &def.at.y, &def.at.z, &def.velocity.x, &def.velocity.z, &def.spin.y, &def.force.z};
	for (int i = 0; i < WRONG; i++) {
		def = good;
		def.radius = wrong[i];
		assert_true(talus_world_add_grain(world, &def) == TALUS_NO_GRAIN);
		for (size_t k = 0; k < sizeof all/sizeof all[0]; k++) {
			def = good;
			*all[k] = wrong[i];
			bool fine = fabs(wrong[i]) <= 1e20;
			assert_true(talus_grain_def_check(&def, NULL, NULL) == fine);
		}
	}
	def = good;
	def.radius = -0.5;
	assert_refused(talus_world_add_grain(world, &def) != TALUS_NO_GRAIN, talus_world_error(world), "`radius` must be greater than 0, but is -0.5", "radius");
	def = good;
	def.material = 2;
	assert_refused(talus_world_add_grain(world, &def) != TALUS_NO_GRAIN, talus_world_error(world),
		"`material` must be the number of a material, but is 2, and there are 2", "material");
	def.material = -1;
	assert_true(talus_world_add_grain(world, &def) == TALUS_NO_GRAIN);
	def = good;
	def.free = 77;
	assert_true(talus_world_add_grain(world, &def) == TALUS_NO_GRAIN);
	assert_true(talus_world_add_grain(world, NULL) == TALUS_NO_GRAIN);
	def = good;
	def.at.z = 1;
	assert_refused(talus_world_add_grain(flat, &def) != TALUS_NO_GRAIN, talus_world_error(flat), "the third component of `at` must be 0 in 2D, but is 1", "at[2]");
	def = good;
	def.radius = 4;
	assert_refused(talus_world_add_grain(flat, &def) != TALUS_NO_GRAIN, talus_world_error(flat),
		"the cell is 12 wide along x, but must be at least 20 wide for a grain of radius 4", NULL);
	def = good;
	def.radius = 0.1;
	def.at.x = 1e19;
	assert_true(talus_world_add_grain(flat, &def) == TALUS_NO_GRAIN);
	assert_false(talus_world_remove_grain(world, 1000));
	assert_false(talus_world_remove_grain(world, TALUS_NO_GRAIN));
	assert_false(talus_world_remove_grains(world, NULL, 3));
	assert_true(talus_world_remove_grains(world, NULL, 0));
	assert_true(talus_world_hash(world) == hash);
	talus_world_destroy(world);
	talus_world_destroy(flat);
}

static void test_walls(void **state)
{
	(void)state;
	talus_world *world = api_bed(1), *flat = api_cell(true, 1);
	talus_error e;
	uint64_t hash = talus_world_hash(world);
	talus_wall_def def;
	for (int kind = 0; kind < 12; kind++)
		for (int i = 0; i < WRONG; i++) {
			def = talus_wall_def_default((talus_wall_kind)kind);
			double *all[] = {&def.point.x, &def.radius, &def.angle, &def.velocity.y, &def.spin, &def.mass, &def.oscillate_amplitude};
			for (size_t k = 0; k < sizeof all/sizeof all[0]; k++) {
				def = talus_wall_def_default((talus_wall_kind)kind);
				*all[k] = wrong[i];
				talus_wall_def_check(&def, NULL, &e); // some are right
				if (i < 3 && all[k] != &def.radius && all[k] != &def.angle)
					assert_int_equal(talus_world_add_wall(world, &def), -1);
			}
		}
	def = talus_wall_def_default(TALUS_WALL_PLANE);
	def.axis = vec(0, 0, 0);
	assert_refused(talus_world_add_wall(world, &def) >= 0, talus_world_error(world), "`normal` must not have length 0", "plane.normal");
	def = talus_wall_def_default(TALUS_WALL_CYLINDER);
	def.radius = -1;
	assert_refused(talus_world_add_wall(world, &def) >= 0, talus_world_error(world), "`radius` must be greater than 0, but is -1", "cylinder.radius");
	def = talus_wall_def_default(TALUS_WALL_PLANE);
	def.mass = 1;
	def.velocity = vec(0, 0, 1);
	assert_refused(talus_world_add_wall(world, &def) >= 0, talus_world_error(world), "`velocity` cannot stand beside `mass`: a piston is moved by forces",
		"velocity");
	def = talus_wall_def_default(TALUS_WALL_SEGMENT);
	assert_int_equal(talus_world_add_wall(world, &def), -1);
	def = talus_wall_def_default(TALUS_WALL_PLANE);
	def.material = 17;
	assert_int_equal(talus_world_add_wall(world, &def), -1);
	memset(def.name, 'x', sizeof def.name); // without an end
	def.material = 0;
	assert_int_equal(talus_world_add_wall(world, &def), -1);
	def = talus_wall_def_default(TALUS_WALL_PLANE);
	snprintf(def.name, sizeof def.name, "floor");
	assert_refused(talus_world_add_wall(world, &def) >= 0, talus_world_error(world), "there is a wall `floor` already", NULL);
	assert_int_equal(talus_world_add_wall(world, NULL), -1);
	def = talus_wall_def_default(TALUS_WALL_SEGMENT);
	def.to = vec(1, 0, 0);
	assert_refused(talus_world_add_wall(flat, &def) >= 0, talus_world_error(flat), "a cell with a `bath` or a `drive` has no walls, but here is ``", NULL);
	assert_null(talus_world_wall(world, 7).name);
	assert_null(talus_world_wall(world, -1).name);
	assert_true(talus_world_hash(world) == hash);
	assert_int_equal(talus_world_walls(world), 7);
	talus_world_destroy(world);
	talus_world_destroy(flat);
}

static void test_fills(void **state)
{
	(void)state;
	talus_world *world = api_bed(1);
	talus_error e;
	uint64_t hash = talus_world_hash(world);
	const talus_fill_def good = {.count = 3, .radius = {.a = 0.1}, .in = {.box = {vec(1, 1, 30), vec(2, 2, 31)}}};
	const talus_pour_def good_pour = {.count = 3, .rate = 1, .radius = {.a = 0.1}, .in = {.box = {vec(1, 1, 30), vec(2, 2, 31)}}};
	talus_fill_def fill = good;
	assert_true(talus_fill_def_check(&fill, NULL, &e));
	for (int i = 0; i < WRONG; i++)
		for (int kind = -1; kind < 7; kind++) {
			fill = good;
			fill.radius = (talus_sizes){.kind = (talus_size_kind)kind, .a = wrong[i], .b = wrong[(i + 1)%WRONG], .least = wrong[i], .points = 80};
			assert_false(talus_world_fill(world, &fill, kind%2 ? &e : NULL));
			talus_pour_def pour = good_pour;
			pour.radius = fill.radius;
			assert_false(talus_world_pour(world, &pour));
		}
	fill = good;
	fill.radius.a = -1;
	assert_refused(talus_world_fill(world, &fill, &e), &e, "`radius` must be greater than 0, but is -1", "radius");
	fill = good;
	fill.radius = (talus_sizes){.kind = TALUS_SIZE_SIEVE};
	for (int i = 0; i < TALUS_SIEVE_MAX; i++) {
		fill.radius.opening[i] = 0.1 + 0.01*i;
		fill.radius.passing[i] = i/(TALUS_SIEVE_MAX - 1.0);
	}
	for (int points = TALUS_SIEVE_MAX + 1; points < 2000000; points *= 10) {
		fill.radius.points = points;
		assert_false(talus_world_fill(world, &fill, NULL));
		assert_non_null(strstr(talus_world_error(world)->text, "from 2 to 64 points"));
	}
	assert_true(talus_world_set_threads(world, 1));
	assert_null(talus_world_error(world));
	fill = good;
	fill.count = -5;
	assert_refused(talus_world_fill(world, &fill, &e), &e, "`count` must be at least 1, but is -5", "count");
	fill = good;
	fill.in.box.high.x = NAN;
	assert_false(talus_world_fill(world, &fill, &e));
	assert_string_equal(e.path, "in.box[1][0]");
	for (int kind = -1; kind < 4; kind++) {
		fill = good;
		fill.in = (talus_region){.kind = (talus_region_kind)kind};
		assert_false(talus_world_fill(world, &fill, &e));
	}
	fill = good;
	fill.arrangement = (talus_arrangement)8;
	assert_refused(talus_world_fill(world, &fill, &e), &e, "`arrangement` must be `random`, `lattice` or `dense`, but is `8`", "arrangement");
	fill = good;
	fill.material = 2;
	assert_false(talus_world_fill(world, &fill, &e));
	fill = good;
	fill.count = 2000000000;
	assert_false(talus_world_fill(world, &fill, &e));
	assert_false(talus_world_fill(world, NULL, &e));
	talus_pour_def pour = good_pour;
	pour.rate = 0;
	assert_refused(talus_world_pour(world, &pour), talus_world_error(world), "`rate` must be greater than 0, but is 0", "rate");
	pour = good_pour;
	pour.count = INT32_MAX;
	assert_false(talus_world_pour(world, &pour));
	assert_false(talus_world_pour(world, NULL));
	assert_false(talus_pour_def_check(NULL, NULL, NULL));
	assert_true(talus_world_hash(world) == hash);
	talus_world_destroy(world);
}

// ---------------------------------------------------------------- steering, looking, keeping

static void test_setters(void **state)
{
	(void)state;
	talus_world *world = api_bed(1), *bath = api_cell(true, 1), *driven = api_cell(false, 1);
	api_steps(world, 20);
	uint64_t hash = talus_world_hash(world), hash_bath = talus_world_hash(bath), hash_driven = talus_world_hash(driven);
	for (int i = 0; i < 3; i++) {
		vec3 v = vec(0, wrong[i], 0);
		assert_false(talus_world_set_velocity(world, 0, v) || talus_world_set_spin(world, 0, v) || talus_world_set_force(world, 0, v));
		assert_false(talus_world_set_gravity(world, v) || talus_world_set_wall_velocity(world, 0, v) || talus_world_set_wall_force(world, 6, v));
		assert_false(talus_world_set_wall_spin(world, 5, wrong[i]) || talus_world_set_cell_pressure(bath, wrong[i]));
		assert_false(talus_world_set_cell_rate(driven, 0, 1, wrong[i]) || talus_world_set_cell_stress(driven, 0, 0, wrong[i]));
	}
	talus_vec3 some = vec(1, 0, 0);
	assert_refused(talus_world_set_velocity(world, 500, some), talus_world_error(world), "there is no grain with the id 500", NULL);
	assert_false(talus_world_set_spin(world, TALUS_NO_GRAIN, some) || talus_world_set_force(world, 90, some));
	assert_refused(talus_world_set_velocity(world, 0, vec(NAN, 0, 0)), talus_world_error(world), "`velocity` must be a finite number, but is .nan", "velocity");
	assert_refused(talus_world_set_wall_velocity(world, 6, some), talus_world_error(world),
		"`velocity` cannot stand beside `mass`: a piston is moved by forces", "velocity");
	assert_refused(talus_world_set_wall_force(world, 0, some), talus_world_error(world), "`force` needs `mass` beside it: only a piston is moved by forces", "force");
	assert_false(talus_world_set_wall_velocity(world, 7, some) || talus_world_set_wall_force(world, -1, some) || talus_world_set_wall_spin(world, 99, 1));
	assert_refused(talus_world_set_velocity(bath, 0, vec(0, 0, 1)), talus_world_error(bath), "the third component of `velocity` must be 0 in 2D, but is 1", "velocity");
	assert_false(talus_world_set_spin(bath, 0, vec(1, 0, 0)) || talus_world_set_gravity(bath, vec(0, 0, 1)));
	assert_refused(talus_world_set_cell_pressure(bath, -1), talus_world_error(bath), "`pressure` must be at least 0, but is -1", "cell.bath.pressure");
	assert_refused(talus_world_set_cell_pressure(world, 1), talus_world_error(world), "the cell has no `bath`, so there is no pressure to set", NULL);
	assert_refused(talus_world_set_cell_rate(world, 0, 0, 1), talus_world_error(world), "the cell has no `drive`, so there is no rate to set", NULL);
	assert_false(talus_world_set_cell_stress(bath, 0, 0, 1) || talus_world_set_cell_rate(driven, 1, 0, 1) || talus_world_set_cell_rate(driven, 0, 2, 1));
	assert_false(talus_world_set_cell_rate(driven, -1, 0, 1) || talus_world_set_cell_stress(driven, 0, 1000, 1));
	assert_false(talus_world_set_threads(world, 0) || talus_world_set_threads(world, -7) || talus_world_set_threads(world, 1 << 30));
	assert_false(talus_world_set_simd(world, (talus_simd)44));
	assert_true(talus_world_hash(world) == hash && talus_world_hash(bath) == hash_bath && talus_world_hash(driven) == hash_driven);
	assert_true(talus_world_set_gravity(world, some));
	assert_null(talus_world_error(world));
	talus_world_destroy(world);
	talus_world_destroy(bath);
	talus_world_destroy(driven);
}

static void test_looking(void **state)
{
	(void)state;
	talus_world *world = api_bed(1);
	talus_column c;
	talus_error e;
	assert_refused(talus_world_column(world, "grain.y", &c), talus_world_error(world), "there is no column `grain.y`; did you mean `grain.x`?", NULL);
	assert_string_equal(talus_world_error(world)->nearest, "grain.x");
	assert_false(talus_world_column(world, NULL, &c) || talus_world_column(world, "", &c) || talus_world_column(world, "%s%n", &c));
	assert_int_equal(talus_world_copy_column(world, "nothing", &c, sizeof c), -1);
	assert_int_equal(talus_world_copy_column(world, "grain.x", NULL, 1000000), -1);
	assert_int_equal(talus_world_copy_column(world, "contact.a", NULL, 0), 0); // there are none yet
	assert_null(talus_column_name(-5));
	assert_null(talus_column_name(1000));
	assert_int_equal(talus_world_contact(world, 99).wall, -1);
	assert_int_equal(talus_world_contact(world, SIZE_MAX).a, 0);
	assert_int_equal(talus_world_advance(world, -1, 0, 0), TALUS_STOPPED_TIME);
	assert_int_equal(talus_world_advance(world, 1, 1, -1), TALUS_STOPPED_REFUSED);
	assert_int_equal(talus_world_advance(world, 1, 1, NAN), TALUS_STOPPED_REFUSED);
	assert_false(talus_world_save(world, NULL, &e) || talus_world_save(world, "", NULL) || talus_world_save(world, "/", &e));
	assert_null(talus_world_restore(world, NULL, &e));
	assert_null(talus_world_restore(world, "/dev/null", NULL));
	assert_false(talus_world_observe(world, NULL, NULL, 0, NULL, NULL) || talus_world_observe(world, "nothing", NULL, 0, NULL, &e));
	assert_false(talus_world_observe(world, "stress", NULL, 3, NULL, &e));
	talus_look *look = talus_look_create(world);
	assert_false(talus_look_observe(look, NULL, NULL, 0, NULL, NULL) || talus_look_observe(look, "", NULL, 0, NULL, &e));
	talus_look_destroy(look);
	talus_look_destroy(NULL);
	const talus_snapshot *snapshot = talus_snapshot_create(world, ~0u);
	assert_non_null(snapshot);
	talus_snapshot_destroy(snapshot);
	talus_snapshot_destroy(NULL);
	talus_observable o;
	assert_false(talus_observable_at(talus_observables(), &o) || talus_observable_at(SIZE_MAX, &o));
	talus_world_set_force_function(world, NULL, &e);
	talus_world_step(world);
	assert_true(talus_world_time(world) > 0 && talus_world_threads(world) == 1 && *talus_world_simd(world));
	assert_true(talus_world_generation(world) > 0 && talus_world_audit(world).unfinished == 0 && talus_world_contacts(world) < 1000);
	assert_int_equal(talus_world_grains(world).count, 90);
	assert_string_equal(talus_version(), TALUS_VERSION);
	talus_world_destroy(world);
	talus_world_destroy(NULL);
}

static void test_scenes_and_runs(void **state)
{
	(void)state;
	talus_error e;
	assert_null(talus_scene_read(NULL, &e));
	assert_null(talus_scene_parse(NULL, NULL, NULL));
	assert_null(talus_scene_parse("", NULL, &e));
	assert_null(talus_scene_parse("\x01\xff{", "x", &e));
	assert_null(talus_world_load(NULL, &e));
	assert_null(talus_world_load("/", NULL));
	talus_scene *scene = talus_scene_parse("{}", NULL, &e);
	assert_non_null(scene);
	assert_int_equal(talus_scene_check(scene, NULL, -3, NULL), -1);
	assert_null(talus_scene_world(scene, 1, NULL));
	assert_null(talus_scene_world(scene, 0, &e));
	assert_null(talus_scene_world(scene, 1 << 30, &e));
	assert_false(talus_scene_set(scene, NULL, "1", &e) || talus_scene_set(scene, "seed", NULL, &e) || talus_scene_set(scene, "a..b", "1", NULL));
	assert_false(talus_scene_set(scene, "seed", "", &e) || talus_scene_set(scene, ".", "1", &e));
	assert_false(talus_scene_get(scene, NULL, NULL, 0, NULL) || talus_scene_get(scene, "seed", NULL, 0, &e));
	assert_string_equal(talus_scene_text(scene), "{}");
	talus_scene_destroy(scene);
	talus_scene_destroy(NULL);

	talus_run *run = talus_run_create(NULL, NULL);
	talus_run_def def = talus_run_def_default();
	assert_int_equal(talus_run_status(run), TALUS_RUN_NEW);
	assert_null(talus_run_world(run));
	assert_false(talus_run_advance(run, 1, 0, NULL));
	talus_run_finish(run, NULL);
	talus_run_stop(run, NULL);
	assert_false(talus_run_start(run, &def, &e));
	assert_false(talus_run_resume(run, &def, &e));
	assert_true(talus_run_folder(run) && talus_run_title(run) && talus_run_end_time(run) == 0 && talus_run_seconds(run) >= 0);
	talus_run_destroy(run);
	talus_run_destroy(NULL);
}

// ---------------------------------------------------------------- have all been tried?

static char *file_text(const char *name)
{
	char path[4096];
	snprintf(path, sizeof path, "%s/%s", TALUS_SOURCE, name);
	FILE *file = fopen(path, "r");
	assert_non_null(file);
	char *text = calloc(1, 1 << 20);
	assert_true(fread(text, 1, (1 << 20) - 1, file) > 0);
	fclose(file);
	return text;
}

// Every function of talus.h is called in this file, and has a line in docs/c-api.md.
static void test_all(void **state)
{
	(void)state;
	char *header = file_text("include/talus/talus.h"), *self = file_text("tests/unit/test_api_wrong.c"), *shared = file_text("tests/unit/api.h");
	char *docs = file_text("docs/c-api.md");
	int functions = 0;
	for (char *line = strtok(header, "\n"); line; line = strtok(NULL, "\n")) {
		char name[100] = "", call[110], *open = strchr(line, '('), *start = strstr(line, "talus_");
		if (!open || *line == '/' || *line == '\t' || *line == '#' || !strncmp(line, "typedef", 7) || !strchr(line, ';'))
			continue;
		for (char *next = start; next && next < open; next = strstr(next + 1, "talus_"))
			start = next; // the last one before the bracket
		snprintf(name, sizeof name, "%.*s", (int)(open - start), start);
		snprintf(call, sizeof call, "%s(", name);
		functions++;
		if (!strstr(self, call) && !strstr(shared, call))
			fail_msg("%s is not tried with wrong values", name);
		snprintf(call, sizeof call, "`%s`", name);
		if (!strstr(docs, call))
			fail_msg("docs/c-api.md has nothing about %s", name);
	}
	assert_true(functions > 60);
	free(header);
	free(self);
	free(shared);
	free(docs);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_world_def), cmocka_unit_test(test_materials_and_laws), cmocka_unit_test(test_grains), cmocka_unit_test(test_walls),
		cmocka_unit_test(test_fills), cmocka_unit_test(test_setters), cmocka_unit_test(test_looking), cmocka_unit_test(test_scenes_and_runs),
		cmocka_unit_test(test_all),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
