// SPDX-License-Identifier: MIT
// Scenes as objects: from files and texts, changed, checked, built; errors that tell the keys.
#include "unit.h"

#include <stdlib.h>

static const char bed[] =
	"title: a bed # with a comment\n"
	"dimension: 2\n"
	"gravity: [0, -1]\n"
	"materials: {glass: {density: 1}, steel: {density: 2}}\n"
	"contacts:\n"
	"- {between: [glass, glass], friction: 0.5}\n"
	"- {between: [glass, steel], friction: 0.2}\n"
	"grains:\n"
	"- fill: {count: 20, radius: {uniform: [0.4, 0.6]}, material: glass, in: {box: [[0, 0], [20, 30]]}}\n"
	"walls:\n"
	"  floor: {plane: {point: [0, 0], normal: [0, 1]}, material: steel}\n"
	"method: {contact_dynamics: {step: 0.01}}\n"
	"run: {until: {time: 1}}\n";

static talus_scene *parsed(const char *text)
{
	talus_error error;
	talus_scene *scene = talus_scene_parse(text, NULL, &error);
	if (!scene)
		fail_msg("%s", error.text);
	return scene;
}

static uint64_t hash_after(const talus_scene *scene, int threads, int steps)
{
	talus_error error;
	talus_world *world = talus_scene_world(scene, threads, &error);
	if (!world)
		fail_msg("%s", error.text);
	assert_int_equal(talus_world_threads(world), threads);
	for (int i = 0; i < steps; i++)
		talus_world_step(world);
	uint64_t hash = talus_world_hash(world);
	talus_world_destroy(world);
	return hash;
}

// YAML, the same as JSON, the same from a file, with any number of threads: one world.
static void test_sources(void **state)
{
	(void)state;
	static const char json[] = "{\"dimension\": 2, \"gravity\": [0, -1], \"materials\": {\"glass\": {\"density\": 1}, \"steel\": {\"density\": 2}}, "
		"\"contacts\": [{\"between\": [\"glass\", \"glass\"], \"friction\": 0.5}, {\"between\": [\"glass\", \"steel\"], \"friction\": 0.2}], "
		"\"grains\": [{\"fill\": {\"count\": 20, \"radius\": {\"uniform\": [0.4, 0.6]}, \"material\": \"glass\", \"in\": {\"box\": [[0, 0], [20, 30]]}}}], "
		"\"walls\": {\"floor\": {\"plane\": {\"point\": [0, 0], \"normal\": [0, 1]}, \"material\": \"steel\"}}, "
		"\"method\": {\"contact_dynamics\": {\"step\": 0.01}}, \"run\": {\"until\": {\"time\": 1}}}";
	talus_error error;
	talus_scene *yaml = parsed(bed), *same = parsed(json);
	uint64_t hash = hash_after(yaml, 1, 300);
	assert_true(hash == hash_after(yaml, 2, 300));
	assert_true(hash == hash_after(same, 1, 300));
	FILE *file = fopen("bed.yaml", "w");
	fputs(bed, file);
	fclose(file);
	talus_scene *read = talus_scene_read("bed.yaml", &error);
	assert_non_null(read);
	assert_true(hash == hash_after(read, 1, 300));
	talus_world *loaded = talus_world_load("bed.yaml", &error);
	assert_non_null(loaded);
	assert_int_equal(talus_world_find_wall(loaded, "floor"), 0);
	assert_int_equal(talus_world_find_wall(loaded, "ceiling"), -1);
	assert_int_equal(talus_world_find_material(loaded, "steel"), 1);
	assert_int_equal(talus_world_materials(loaded), 2);
	assert_string_equal(talus_world_material(loaded, 1).name, "steel");
	assert_near(talus_world_pair(loaded, 1, 0).friction, 0.2, 0);
	assert_near(talus_world_pair(loaded, 0, 0).friction, 0.5, 0);
	talus_world_destroy(loaded);
	talus_scene_destroy(read);
	talus_scene_destroy(yaml);
	talus_scene_destroy(same);
}

static void assert_value(const talus_scene *scene, const char *path, const char *wanted)
{
	char value[200];
	talus_error error;
	if (!talus_scene_get(scene, path, value, sizeof value, &error))
		fail_msg("%s", error.text);
	assert_string_equal(value, wanted);
}

static void test_set(void **state)
{
	(void)state;
	talus_error error;
	talus_scene *scene = parsed(bed), *other;
	uint64_t before = hash_after(scene, 1, 300);
	assert_value(scene, "contacts.0.friction", "0.5");
	assert_true(talus_scene_set(scene, "contacts.0.friction", "0.1", &error));
	assert_true(talus_scene_set(scene, "contacts.0.friction", "{static: 0.3, dynamic: 0.2}", &error));
	assert_true(talus_scene_set(scene, "walls.floor.velocity", "[0, 0.01]", &error));
	assert_true(talus_scene_set(scene, "title", "\"another one\"", &error));
	assert_value(scene, "contacts.0.friction.static", "0.3");
	assert_value(scene, "walls.floor.velocity.1", "0.01");
	assert_value(scene, "contacts[0].friction.static", "0.3"); // as error messages have it
	assert_value(scene, "walls.floor.velocity[1]", "0.01");
	const char *text = talus_scene_text(scene);
	assert_non_null(strstr(text, "# with a comment"));
	assert_non_null(strstr(text, "another one"));
	other = parsed(text);
	uint64_t after = hash_after(scene, 1, 300);
	assert_true(after != before && after == hash_after(other, 1, 300));
	talus_world *world = talus_scene_world(scene, 1, &error);
	assert_near(talus_world_pair(world, 0, 0).static_friction, 0.3, 0);
	talus_world_destroy(world);
	talus_scene_destroy(other);

	assert_false(talus_scene_set(scene, "contacts[x].friction", "1", &error) || talus_scene_set(scene, "contacts[0.friction", "1", &error));
	assert_false(talus_scene_set(scene, "contacts.0.frictoin", "1", &error));
	assert_string_equal(error.path, "contacts[0].frictoin");
	assert_string_equal(error.nearest, "friction");
	assert_string_equal(error.file, "");
	assert_false(talus_scene_set(scene, "contacts.7.friction", "1", &error));
	assert_string_equal(error.path, "contacts[7]");
	assert_false(talus_scene_set(scene, "gravity", "[0, ", &error));
	assert_string_equal(error.path, "gravity");
	assert_int_equal(error.line, 0);
	assert_false(talus_scene_set(scene, "gravity=1", "0", &error));
	assert_false(talus_scene_set(scene, "", "0", &error));
	assert_false(talus_scene_get(scene, "cell.size", (char[9]){0}, 9, &error));
	assert_string_equal(error.path, "cell.size");
	assert_false(talus_scene_get(scene, "walls", (char[9]){0}, 9, &error));
	assert_true(hash_after(scene, 1, 300) == after);
	talus_scene_destroy(scene);
}

// What is wrong, where, by which keys, and what was meant.
static void assert_wrong(const char *path, const char *value, const char *keys, const char *nearest, int line)
{
	talus_error error;
	talus_scene *scene = parsed(bed);
	assert_true(talus_scene_set(scene, path, value, &error));
	assert_int_equal(talus_scene_check(scene, NULL, 0, &error), -1);
	if (strcmp(error.path, keys) || strcmp(error.nearest, nearest) || (line && error.line != line))
		fail_msg("%s: keys `%s`, nearest `%s`, line %d", error.text, error.path, error.nearest, error.line);
	assert_null(talus_scene_world(scene, 1, &error));
	assert_string_equal(error.path, keys);
	talus_scene_destroy(scene);
}

static void test_wrong(void **state)
{
	(void)state;
	assert_wrong("contacts.1.friction", "-1", "contacts[1].friction", "", 7);
	assert_wrong("contacts.1.between", "[glass, stel]", "contacts[1].between[1]", "steel", 7);
	assert_wrong("walls.floor", "{plain: {}}", "walls.floor.plain", "plane", 11);
	assert_wrong("walls.floor.plane.normal", "[0, 0]", "walls.floor.plane.normal", "", 11);
	assert_wrong("grains.0.fill.arrangement", "randum", "grains[0].fill.arrangement", "random", 9);
	assert_wrong("grains.0.fill.count", "100000", "grains[0]", "", 9); // they do not fit
	assert_wrong("materials.glass", "{}", "materials.glass", "", 4);
	assert_wrong("contacts", "[{between: [glass, glass]}]", "walls.floor", "", 0); // glass meets steel
	talus_error error;
	assert_null(talus_scene_parse("just words", NULL, &error));
	assert_null(talus_scene_parse("a: [", NULL, &error));
	assert_true(error.line > 0);
	assert_null(talus_scene_read("nowhere.yaml", &error));
	assert_string_equal(error.file, "nowhere.yaml");
}

// Grains from a file beside the scene.
static void test_folder(void **state)
{
	(void)state;
	talus_error error;
	assert_int_equal(system("mkdir -p beside"), 0);
	FILE *file = fopen("beside/grains.csv", "w");
	fputs("x,y,z,radius\n1,1,0,0.5\n3,1,0,0.5\n", file);
	fclose(file);
	for (int k = 0; k < 2; k++) {
		talus_scene *scene = talus_scene_parse(bed, k ? "beside" : NULL, &error);
		assert_true(talus_scene_set(scene, "grains.0", "{file: {path: grains.csv, material: glass}}", &error));
		talus_world *world = talus_scene_world(scene, 1, &error);
		assert_true((world != NULL) == k);
		if (world)
			assert_int_equal(talus_world_grains(world).count, 2);
		else
			assert_string_equal(error.path, "grains[0].file.path");
		talus_world_destroy(world);
		talus_scene_destroy(scene);
	}
}

static void test_advice(void **state)
{
	(void)state;
	talus_error error;
	talus_advice list[40];
	talus_scene *scene = parsed(bed);
	int few = talus_scene_check(scene, list, 40, &error);
	assert_true(few >= 0);
	assert_true(talus_scene_set(scene, "method.contact_dynamics.step", "2", &error));
	int more = talus_scene_check(scene, list, 40, &error);
	assert_true(more > few);
	for (int i = 0; i < more; i++)
		assert_true(*list[i].code && *list[i].message);
	assert_int_equal(talus_scene_check(scene, list, 0, &error), more);
	assert_int_equal(talus_scene_check(scene, NULL, 5, NULL), more);
	talus_scene_destroy(scene);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_sources), cmocka_unit_test(test_set), cmocka_unit_test(test_wrong), cmocka_unit_test(test_folder),
		cmocka_unit_test(test_advice),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
