// SPDX-License-Identifier: MIT
// The seal of a checkpoint: whatever happens to the file, it comes back as it was or not at all.
#include "run_folder.h"

#include <fcntl.h>
#include <unistd.h>

typedef struct victim {
	char path[TALUS_PATH_MAX];
	char *text;
	size_t size;
	uint64_t hash;
	int refused, tried;
} victim;

static victim victim_make(const char *folder)
{
	talus_error error;
	victim v = {0};
	talus_world *world = world_with_grains(&extended_law);
	steps(world, 20);
	assert_true(checkpoint_write(folder, world, 0, &error));
	v.hash = talus_world_hash(world);
	talus_world_destroy(world);
	path_in(v.path, folder, "checkpoint.h5");
	v.text = text_of(folder, "checkpoint.h5", &v.size);
	return v;
}

// One damage, one look, and the file is as it was.
static void hurt(victim *v, const char *folder, size_t at, const char *bytes, size_t count)
{
	talus_error error = {.text = ""};
	double seconds;
	int file = open(v->path, O_RDWR);
	assert_true(file >= 0 && pwrite(file, bytes, count, (off_t)at) == (ssize_t)count);
	talus_world *world = world_empty(&extended_law);
	bool accepted = checkpoint_read(folder, world, &seconds, &error);
	assert_true(accepted ? talus_world_hash(world) == v->hash : strlen(error.text) > 10);
	talus_world_destroy(world);
	assert_true(pwrite(file, v->text + at, count, (off_t)at) == (ssize_t)count && close(file) == 0);
	v->refused += !accepted;
	v->tried++;
}

// Words of zeros that become ones are what a checksum of sixteen bits modulo 65535 does not see.
static void test_words(void **state)
{
	static const char ones[2] = {-1, -1}, zeros[2] = {0, 0};
	victim v = victim_make(*state);
	size_t every = getenv("TALUS_TEST_LONG") ? 1 : 2, found = 0;
	for (size_t at = 0; at + 2 <= v.size; at += 2) {
		bool zero = memcmp(v.text + at, zeros, 2) == 0;
		if ((zero || memcmp(v.text + at, ones, 2) == 0) && found++%every == 0)
			hurt(&v, *state, at, zero ? ones : zeros, 2);
	}
	assert_true(v.tried > 1000 && v.refused == v.tried);
	free(v.text);
}

static void test_bytes_and_bits(void **state)
{
	victim v = victim_make(*state);
	size_t every = getenv("TALUS_TEST_LONG") ? 1 : 1 + v.size/5000;
	for (size_t at = 0; at < v.size; at += every) {
		char byte = (char)(v.text[at] ^ (at%2 ? 0xff : 1 << at/2%8));
		hurt(&v, *state, at, &byte, 1);
	}
	assert_true(v.tried > 1000 && v.refused == v.tried);
	free(v.text);
}

// ---------------------------------------------------------------- what claims too much

// A table of 96 GB in a file of some kilobytes is not made room for.
static void test_claims(void **state)
{
	static const char *const names[] = {"grains/x", "contacts/contact"};
	for (int i = 0; i < 2; i++) {
		victim v = victim_make(*state);
		hsize_t rows[2] = {UINT32_MAX, 3}, chunk[2] = {16, 3};
		int rank = i == 0 ? 2 : 1;
		hid_t file = hdf_file_open(v.path, H5F_ACC_RDWR), space = H5Screate_simple(rank, rows, NULL);
		hid_t creation = H5Pcreate(H5P_DATASET_CREATE);
		assert_true(H5Pset_chunk(creation, rank, chunk) >= 0 && H5Ldelete(file, names[i], H5P_DEFAULT) >= 0);
		hid_t set = H5Dcreate2(file, names[i], H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, creation, H5P_DEFAULT);
		assert_true(set >= 0 && H5Dclose(set) >= 0 && H5Sclose(space) >= 0 && H5Pclose(creation) >= 0);
		checkpoint_close(*state, file);
		talus_error error;
		double seconds;
		talus_world *world = world_empty(&extended_law);
		assert_false(checkpoint_read(*state, world, &seconds, &error));
		assert_non_null(strstr(error.text, "damaged"));
		assert_true(world->state.bodies.capacity < 1000000 && world->contacts.capacity < 1000000);
		talus_world_destroy(world);
		free(v.text);
	}
}

int main(void)
{
	H5dont_atexit(); // HDF5 does not forget files that it found damaged, and complains about them on the way out
	const struct CMUnitTest tests[] = {
		IN_FOLDER(test_words),
		IN_FOLDER(test_bytes_and_bits),
		IN_FOLDER(test_claims),
	};
	return cmocka_run_group_tests_name("seal", tests, NULL, NULL);
}
