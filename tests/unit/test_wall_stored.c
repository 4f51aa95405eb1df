// SPDX-License-Identifier: MIT
// Definitions of walls in files: by the tables of their shapes, whatever shapes there are.
#include "run_folder.h"

#include "io/frames.h"
#include "state/wall/shapes.h"
#include "state/wall/stored.h"

// Every number of a shape another one than by default.
static talus_wall_def some_def(int kind)
{
	talus_wall_def def = talus_wall_def_default((talus_wall_kind)kind);
	const talus_field *list[WALL_STORED_MOST];
	int count = wall_stored(list);
	snprintf(def.name, sizeof def.name, "w%d", kind);
	for (int i = 0; i < count; i++) {
		void *at = (char *)&def + list[i]->offset;
		if (list[i]->type == TALUS_FIELD_REAL && wall_has(kind, list[i]))
			*(double *)at = 1 + 0.01*i + kind;
	}
	def.mass = 0;
	def.to = vec(3, 0, 0);
	def.last = def.from + 3;
	def.axis = vec(0, kind == TALUS_WALL_SEGMENT ? 0 : 1, kind == TALUS_WALL_SEGMENT);
	def.radius = 1.5*def.radius + 9;
	return def;
}

// Names of sets and members are there once, and nothing that a shape has is left out.
static void each_member_once(void **state)
{
	(void)state;
	const talus_field *list[WALL_STORED_MOST];
	int count = wall_stored(list);
	assert_in_range(count, 1, WALL_STORED_MOST - 1);
	for (int i = 0; i < count; i++)
		for (int k = 0; k < i; k++) {
			assert_string_not_equal(list[i]->name, list[k]->name);
			assert_true(list[i]->offset != list[k]->offset);
		}
	for (int kind = 0; kind < wall_shape_count(); kind++)
		for (const talus_field *field = wall_shape_of(kind)->fields; field->name; field++) {
			int found = 0;
			for (int i = 0; i < count; i++)
				found += list[i]->offset == field->offset && list[i]->size == field->size && wall_has(kind, list[i]);
			assert_int_equal(found, 1);
		}
	assert_null(wall_shape_of(-1));
	assert_null(wall_shape_of(wall_shape_count()));
}

static bool wall_set_there(hid_t group, const char *name)
{
	return H5Lexists(group, name, H5P_DEFAULT) > 0;
}

// All shapes in one file come back as they were. What only one of them has is in the file if that is; without it a file that has
// such a wall is refused, and so is a shape that nobody knows.
static void written_and_read(void **state)
{
	char path[TALUS_PATH_MAX];
	path_in(path, *state, "walls.h5");
	hdf_quiet quiet;
	hdf_quiet_begin(&quiet);
	talus_wall_def out[8], in[8];
	int count = wall_shape_count();
	assert_in_range(count, 5, 8);
	for (int kind = 0; kind < count; kind++)
		out[kind] = some_def(kind);
	hid_t file = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
	hid_t all = H5Gcreate2(file, "all", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
	hid_t old = H5Gcreate2(file, "old", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
	assert_true(frame_walls_write(all, count, out) && frame_walls_write(old, TALUS_WALL_TORUS, out));
	assert_true(wall_set_there(all, "tube") && !wall_set_there(old, "tube"));
	memset(in, 0, sizeof in);
	assert_true(frame_walls_read(all, count, in));
	const talus_field *list[WALL_STORED_MOST];
	int fields = wall_stored(list);
	for (int kind = 0; kind < count; kind++)
		for (int i = 0; i < fields; i++)
			assert_true(same_bits((char *)&in[kind] + list[i]->offset, (char *)&out[kind] + list[i]->offset, list[i]->size));
	memset(in, 0x55, sizeof in);
	assert_true(frame_walls_read(old, TALUS_WALL_TORUS, in));
	assert_true(in[0].tube == 0 && in[TALUS_WALL_CONE].angle == out[TALUS_WALL_CONE].angle);
	assert_true(H5Ldelete(all, "tube", H5P_DEFAULT) >= 0);
	assert_false(frame_walls_read(all, count, in));
	out[1].kind = (talus_wall_kind)count;
	hid_t odd = H5Gcreate2(file, "odd", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
	assert_true(frame_walls_write(odd, count, out));
	assert_false(frame_walls_read(odd, count, in));
	hdf_quiet_end(&quiet);
	H5Gclose(all), H5Gclose(old), H5Gclose(odd), H5Fclose(file);
}

// A value that a file does not have is the default of the shape that the wall has.
static void defaults(void **state)
{
	(void)state;
	for (const talus_field *field = wall_cone_fields; field->name; field++) {
		talus_wall_def def = some_def(TALUS_WALL_CONE);
		def.inside = false;
		wall_default(&def, field);
		if (!strcmp(field->name, "side"))
			assert_true(def.inside);
		if (!strcmp(field->name, "from"))
			assert_true(def.from == 0);
		if (!strcmp(field->name, "angle"))
			assert_true(def.angle == 0 && def.last == some_def(TALUS_WALL_CONE).last);
	}
}

// A checkpoint goes on with the walls that it was written with, and with no others: whichever number is changed.
static void changed_walls_are_told(void **state)
{
	talus_error error;
	double seconds;
	for (int kind = 0; kind < wall_shape_count(); kind++) {
		const talus_field *list[WALL_STORED_MOST];
		int count = wall_stored(list), dimension = wall_shape_of(kind)->dimension == 2 ? 2 : 3;
		for (int i = -1; i < count; i++) {
			talus_world_def def = plain_def();
			def.dimension = dimension;
			talus_wall_def first = some_def(kind), second = first;
			if (i >= 0 && (list[i]->type != TALUS_FIELD_REAL || !wall_has(kind, list[i]) || !strcmp(list[i]->name, "mass")))
				continue;
			if (i >= 0)
				*(double *)((char *)&second + list[i]->offset) *= 1.01;
			first.spin = second.spin = 0; // not every shape may
			talus_world *a = talus_world_create(&def), *b = talus_world_create(&def);
			talus_world_add_material(a, "glass", 1);
			talus_world_add_material(b, "glass", 1);
			world_add_wall(a, &first);
			world_add_wall(b, &second);
			assert_true(checkpoint_write(*state, a, 1, &error));
			bool same = i < 0 || !strcmp(list[i]->name, "spin");
			if (checkpoint_read(*state, b, &seconds, &error) != same)
				fail_msg("%s: %s", wall_shape_name(kind), i < 0 ? error.text : list[i]->name);
			if (!same)
				assert_non_null(strstr(error.text, "`walls` was changed"));
			talus_world_destroy(a);
			talus_world_destroy(b);
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_member_once),
		cmocka_unit_test_setup_teardown(written_and_read, folder_make, folder_remove),
		cmocka_unit_test(defaults),
		cmocka_unit_test_setup_teardown(changed_walls_are_told, folder_make, folder_remove),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
