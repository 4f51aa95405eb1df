// SPDX-License-Identifier: MIT
// What the tests of a run's files share: worlds that are worth writing, and a folder for each test.
#ifndef TALUS_TESTS_RUN_FOLDER_H
#define TALUS_TESTS_RUN_FOLDER_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/random.h"
#include "io/files.h"
#include "io/hdf5_tools.h"
#include "io/seal.h"
#include "plain.h"
#include "world.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---------------------------------------------------------------- worlds to write

// Friction alone, and all that a contact can do.
static const talus_pair plain_law = {.friction = 0.3};
static const talus_pair extended_law = {.friction = 0.3, .static_friction = 0.5, .restitution = 0.4,
                                    .tangential_restitution = 0.2, .yield = 0.3, .rolling = 0.05, .torsion_length = 0.02,
                                    .cohesion = 0.4, .range = 0.03};
static const talus_pair *const both_laws[] = {&plain_law, &extended_law};

static inline talus_world *world_empty(const talus_pair *law)
{
	talus_world_def def = plain_def();
	def.gravity = vec(0, 0, -1);
	def.solver.iterations = 20;
	talus_world *world = talus_world_create(&def);
	talus_world_add_material(world, "glass", 1); // number 0, as in the laws
	talus_world_set_pair(world, law);
	talus_wall_def floor = talus_wall_def_default(TALUS_WALL_PLANE);
	snprintf(floor.name, sizeof floor.name, "floor");
	talus_world_add_wall(world, &floor);
	talus_wall_def lid = talus_wall_def_default(TALUS_WALL_PLANE);
	snprintf(lid.name, sizeof lid.name, "lid");
	lid.point = vec(0, 0, 12);
	lid.axis = vec(0, 0, -1);
	lid.mass = 3;
	lid.free = TALUS_FREE_Z;
	talus_world_add_wall(world, &lid);
	talus_pour_def pour = {.count = 12, .rate = 30, .radius = {.kind = TALUS_SIZE_UNIFORM, .a = 0.4, .b = 0.6}};
	pour.in.box = (talus_box){{-4, -4, 6}, {4, 4, 10}};
	talus_world_pour(world, &pour);
	return world;
}

static inline talus_world *world_with_grains(const talus_pair *law)
{
	talus_world *world = world_empty(law);
	for (int i = 0; i < 40; i++) {
		talus_grain_def grain = talus_grain_def_default();
		grain.radius = 0.5 + 0.001*i;
		grain.at = vec(1.1*(i%4), 1.05*(i/4%4), 0.52 + 1.12*(i/16));
		grain.velocity = vec(0.01*i, -0.02, 0);
		talus_world_add_grain(world, &grain);
	}
	return world;
}

static inline void steps(talus_world *world, int count)
{
	for (int i = 0; i < count; i++)
		talus_world_step(world);
}

static inline bool same_bits(const void *a, const void *b, size_t size)
{
	return memcmp(a, b, size) == 0;
}

// ---------------------------------------------------------------- a folder for each test

static inline int folder_make(void **state)
{
	char *folder = strdup("/tmp/talus-files-XXXXXX");
	if (!folder || !mkdtemp(folder))
		return -1;
	*state = folder;
	return 0;
}

static inline int folder_remove(void **state)
{
	char command[256];
	snprintf(command, sizeof command, "rm -rf %s", (char *)*state);
	int code = system(command);
	free(*state);
	return code;
}

static inline void path_in(char path[TALUS_PATH_MAX], const char *folder, const char *name)
{
	talus_error error;
	assert_true(folder_path(path, folder, name, &error));
}

static inline char *text_of(const char *folder, const char *name, size_t *size)
{
	char path[TALUS_PATH_MAX];
	path_in(path, folder, name);
	FILE *in = fopen(path, "rb");
	assert_non_null(in);
	fseek(in, 0, SEEK_END);
	*size = (size_t)ftell(in);
	rewind(in);
	char *text = calloc(*size + 1, 1);
	assert_non_null(text);
	assert_int_equal(fread(text, 1, *size, in), *size);
	fclose(in);
	return text;
}

static inline void text_put(const char *folder, const char *name, const char *text, size_t size)
{
	char path[TALUS_PATH_MAX];
	path_in(path, folder, name);
	FILE *out = fopen(path, "wb");
	assert_non_null(out);
	assert_int_equal(fwrite(text, 1, size, out), size);
	assert_int_equal(fclose(out), 0);
}

// Ends a change of checkpoint.h5 through HDF5: it is whole again, with other content.
static inline void checkpoint_close(const char *folder, hid_t file)
{
	char path[TALUS_PATH_MAX];
	path_in(path, folder, "checkpoint.h5");
	assert_true(H5Fclose(file) >= 0 && seal_look(path) != SEAL_HOLDS && seal_write(path));
}

// Asked by the leak checker: HDF5 keeps some memory of files in which it met a wrong checksum.
const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void)
{
	return "leak:libhdf5";
}

#define IN_FOLDER(test) cmocka_unit_test_setup_teardown(test, folder_make, folder_remove)

#endif
