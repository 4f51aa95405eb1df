// SPDX-License-Identifier: MIT
// Changes to an HDF5 file through HDF5. The case is opened in a child first: HDF5 does not survive every damaged file.
#include "fuzz.h"

#include "apart.h"
#include "io/hdf5_tools.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SETS_MOST = 256, NAME_MOST = 200 };

typedef struct names {
	int count;
	char name[SETS_MOST][NAME_MOST];
} names;

static herr_t name_add(hid_t place, const char *name, const H5L_info_t *info, void *data)
{
	names *all = data;
	(void)place;
	if (info->type == H5L_TYPE_HARD && all->count < SETS_MOST && strlen(name) < NAME_MOST)
		strcpy(all->name[all->count++], name);
	return 0;
}

// A few of its numbers.
static void values_change(hid_t set, fuzz_dice *dice)
{
	hid_t space = H5Dget_space(set), type = H5Dget_type(set);
	hssize_t count = H5Sget_simple_extent_npoints(space);
	H5T_class_t class = H5Tget_class(type);
	if (count > 0 && count < 1 << 16 && (class == H5T_FLOAT || class == H5T_INTEGER)) {
		double *x = calloc((size_t)count, sizeof *x);
		if (x && H5Dread(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, x) >= 0) {
			for (unsigned n = 1 + fuzz_roll(dice, 3); n > 0; n--) {
				double *one = &x[fuzz_roll(dice, (unsigned)count)];
				*one = fuzz_roll(dice, 2) ? fuzz_number(dice) : *one + (double)fuzz_roll(dice, 5) - 2;
			}
			H5Dwrite(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, x);
		}
		free(x);
	}
	H5Tclose(type);
	H5Sclose(space);
}

static void note_change(hid_t object, fuzz_dice *dice)
{
	int count = (int)H5Aget_num_attrs(object);
	hid_t note = count > 0 ? H5Aopen_by_idx(object, ".", H5_INDEX_NAME, H5_ITER_NATIVE, fuzz_roll(dice, (unsigned)count), H5P_DEFAULT,
		H5P_DEFAULT) : -1;
	if (note < 0)
		return;
	hid_t space = H5Aget_space(note), type = H5Aget_type(note);
	H5T_class_t class = H5Tget_class(type);
	hssize_t points = H5Sget_simple_extent_npoints(space);
	double x[64] = {0};
	if ((class == H5T_FLOAT || class == H5T_INTEGER) && points > 0 && points <= 64 && H5Aread(note, H5T_NATIVE_DOUBLE, x) >= 0) {
		x[fuzz_roll(dice, (unsigned)points)] = fuzz_number(dice);
		H5Awrite(note, H5T_NATIVE_DOUBLE, x);
	}
	H5Tclose(type);
	H5Sclose(space);
	H5Aclose(note);
}

static void change(hid_t file, const names *all, fuzz_dice *dice)
{
	const char *name = all->name[fuzz_roll(dice, (unsigned)all->count)];
	hid_t object = H5Oopen(file, name, H5P_DEFAULT);
	if (object < 0)
		return;
	bool set = H5Iget_type(object) == H5I_DATASET;
	unsigned what = fuzz_roll(dice, 16);
	hdf_shape shape;
	if (what < 2)
		note_change(object, dice);
	else if (set && what == 2 && hdf_set_shape(object, &shape))
		hdf_set_grow(object, shape.size[0] + fuzz_roll(dice, 4) - 1); // only those in pieces can
	else if (set && what > 3)
		values_change(object, dice);
	H5Oclose(object);
	if (what == 3)
		H5Ldelete(file, name, H5P_DEFAULT);
}

static size_t through_hdf5(uint8_t *data, size_t size, size_t most, fuzz_dice *dice)
{
	const char *path = fuzz_file(data, size);
	hid_t file = hdf_file_open(path, H5F_ACC_RDWR);
	names *all = calloc(1, sizeof *all);
	if (file >= 0 && all && H5Lvisit(file, H5_INDEX_NAME, H5_ITER_NATIVE, name_add, all) >= 0 && all->count > 0)
		for (unsigned n = 1 + fuzz_roll(dice, 3); n > 0; n--)
			change(file, all, dice);
	free(all);
	if (file < 0 || H5Fclose(file) < 0)
		return 0;
	FILE *changed = fopen(path, "rb");
	size_t length = changed ? fread(data, 1, most, changed) : 0;
	bool whole = changed && fgetc(changed) == EOF;
	if (changed)
		fclose(changed);
	return whole ? length : 0;
}

size_t fuzz_hdf5_mutate(uint8_t *data, size_t size, size_t most, unsigned random, const uint8_t *seed, size_t seed_size)
{
	fuzz_dice dice = {random};
	hdf_quiet quiet;
	talus_error error;
	if (size > 0 && fuzz_roll(&dice, 3) == 0)
		return LLVMFuzzerMutate(data, size, most);
	hdf_quiet_begin(&quiet);
	bool sound = size > 0 && fuzz_roll(&dice, 4) && apart_try_hdf5(fuzz_file(data, size), true, &error);
	if (!sound && seed_size <= most)
		memcpy(data, seed, size = seed_size);
	size_t length = through_hdf5(data, size, most, &dice);
	hdf_quiet_end(&quiet);
	return length ? length : size;
}
