// SPDX-License-Identifier: MIT
// HDF5 files of others: what leads out of the file, needs a plugin or claims more than it can hold is refused before it is
// read; and work in a child process, whose crash is a sentence.
#include "unit.h"

#include "apart.h"
#include "io/fclib.h"
#include "io/hdf5_foreign.h"

#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

static const char *const path = "foreign.hdf5";

typedef struct column { // /fclib_local/vectors/mu, whatever it is made of
	hid_t type, creation;
	hsize_t rows;
	const void *data;
} column;

static hid_t start(void)
{
	hid_t file = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
	assert_true(file >= 0);
	assert_true(hdf_group_create(file, "/fclib_local/vectors"));
	const int size = 2;
	assert_true(hdf_table_write(file, "/fclib_local/spacedim", H5T_NATIVE_INT, 1, 1, &size));
	return file;
}

static void put(hid_t file, const column *c)
{
	hid_t space = H5Screate_simple(1, &c->rows, NULL);
	hid_t set = H5Dcreate2(file, "/fclib_local/vectors/mu", c->type, space, H5P_DEFAULT, c->creation, H5P_DEFAULT);
	assert_true(set >= 0);
	if (c->data)
		assert_true(H5Dwrite(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, c->data) >= 0);
	H5Dclose(set);
	H5Sclose(space);
	if (c->creation != H5P_DEFAULT)
		H5Pclose(c->creation);
}

// By the check, in a child, and by who reads problems.
static void refused(hid_t file, const char *words)
{
	talus_error error;
	fclib_file problem;
	H5Fclose(file);
	for (int how = 0; how < 3; how++) {
		bool taken = how == 0 ? hdf_foreign_try(path, false, &error) :
			how == 1 ? apart_try_hdf5(path, true, &error) : fclib_read(path, &problem, &error);
		assert_false(taken);
		if (!strstr(error.text, words))
			print_error("\"%s\" is not in \"%s\"\n", words, error.text);
		assert_non_null(strstr(error.text, words));
		assert_string_equal(error.file, path);
	}
}

static void taken(hid_t file)
{
	talus_error error;
	H5Fclose(file);
	if (!apart_try_hdf5(path, true, &error))
		fail_msg("%s", error.text);
}

static const double some[4] = {0.1, 0.2, 0.3, 0.4};

static hid_t with_filter(H5Z_filter_t filter)
{
	hid_t creation = H5Pcreate(H5P_DATASET_CREATE);
	H5Pset_chunk(creation, 1, (const hsize_t[]){4});
	if (filter == H5Z_FILTER_DEFLATE)
		H5Pset_deflate(creation, 6);
	else
		assert_true(H5Pset_filter(creation, filter, H5Z_FLAG_OPTIONAL, 0, NULL) >= 0);
	return creation;
}

// ---------------------------------------------------------------- tests

static void test_other_files(void **state)
{
	(void)state;
	FILE *secret = fopen("secret", "w");
	for (int i = 0; i < 32; i++)
		fputc('s', secret);
	fclose(secret);
	hid_t file = start(), creation = H5Pcreate(H5P_DATASET_CREATE);
	H5Pset_external(creation, "secret", 0, 32);
	put(file, &(column){H5T_NATIVE_DOUBLE, creation, 4, NULL});
	refused(file, "/fclib_local/vectors/mu lies in another file");

	file = start();
	assert_true(H5Lcreate_external("secret", "/x", file, "/fclib_local/vectors/mu", H5P_DEFAULT, H5P_DEFAULT) >= 0);
	refused(file, "/fclib_local/vectors/mu is a link to another file");

	file = start();
	const hsize_t rows = 4;
	hid_t space = H5Screate_simple(1, &rows, NULL);
	creation = H5Pcreate(H5P_DATASET_CREATE);
	assert_true(H5Pset_virtual(creation, space, "secret", "/x", space) >= 0);
	H5Sclose(space);
	put(file, &(column){H5T_NATIVE_DOUBLE, creation, 4, NULL});
	refused(file, "/fclib_local/vectors/mu lies in another file");
}

static void test_filters(void **state)
{
	(void)state;
	hid_t file = start();
	put(file, &(column){H5T_NATIVE_DOUBLE, with_filter(32000), 4, NULL});
	refused(file, "is compressed in a way");
	file = start();
	put(file, &(column){H5T_NATIVE_DOUBLE, with_filter(H5Z_FILTER_NBIT), 4, NULL});
	refused(file, "is compressed in a way");
	file = start();
	put(file, &(column){H5T_NATIVE_DOUBLE, with_filter(H5Z_FILTER_DEFLATE), 4, some});
	taken(file);
}

static void test_types(void **state)
{
	(void)state;
	hid_t file = start(), odd = H5Tcopy(H5T_IEEE_F64LE);
	assert_true(H5Tset_fields(odd, 63, 50, 13, 0, 50) >= 0);
	put(file, &(column){odd, H5P_DEFAULT, 4, some});
	H5Tclose(odd);
	refused(file, "numbers of an unusual kind");
	file = start();
	odd = H5Tcopy(H5T_STD_I32LE);
	H5Tset_precision(odd, 13);
	put(file, &(column){odd, H5P_DEFAULT, 4, some});
	H5Tclose(odd);
	refused(file, "numbers of an unusual kind");
	file = start();
	put(file, &(column){H5T_IEEE_F32BE, H5P_DEFAULT, 4, some});
	taken(file);
}

// A few kilobytes cannot hold gigabytes, written or not; and a piece is no larger either.
static void test_claims(void **state)
{
	(void)state;
	hid_t file = start();
	put(file, &(column){H5T_NATIVE_DOUBLE, H5P_DEFAULT, 500000000, NULL});
	refused(file, "is larger than the whole file");
	file = start();
	put(file, &(column){H5T_NATIVE_DOUBLE, with_filter(H5Z_FILTER_DEFLATE), 500000000, NULL});
	refused(file, "is larger than the whole file");
	file = start();
	hid_t creation = H5Pcreate(H5P_DATASET_CREATE);
	H5Pset_chunk(creation, 1, (const hsize_t[]){500000000});
	const hsize_t rows = 4, most = H5S_UNLIMITED;
	hid_t space = H5Screate_simple(1, &rows, &most);
	hid_t set = H5Dcreate2(file, "/fclib_local/vectors/mu", H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, creation, H5P_DEFAULT);
	assert_true(set >= 0);
	H5Dclose(set);
	H5Sclose(space);
	H5Pclose(creation);
	refused(file, "in pieces larger than the file");
}

// ---------------------------------------------------------------- in a child

typedef enum fate { FINE, REFUSES, CRASHES, ABORTS, SWELLS, LOOPS, LEAVES } fate;

static bool meet(void *data, talus_error *error)
{
	volatile bool for_ever = true;
	switch (*(fate *)data) {
	case FINE: return true;
	case REFUSES: snprintf(error->text, sizeof error->text, "no, thanks"); return false;
	case CRASHES: signal(SIGSEGV, SIG_DFL); raise(SIGSEGV); return true;
	case ABORTS: signal(SIGABRT, SIG_DFL); abort();
	case SWELLS: return malloc(UINT64_C(3) << 30) ? true : (snprintf(error->text, sizeof error->text, "no room"), false);
	case LOOPS:
		while (for_ever)
			;
		return true;
	default: _exit(5);
	}
}

static void test_apart(void **state)
{
	(void)state;
	static const char *const words[] = {NULL, "no, thanks", "crashes (Segmentation fault)", "crashes (Aborted)", "no room",
		"more time or memory", "crashes (aborted)"};
	for (fate f = FINE; f <= LEAVES; f++) {
		talus_error error = {0};
#if defined __SANITIZE_ADDRESS__ || defined __SANITIZE_THREAD__
		if (f == SWELLS)
			continue; // there is no limit
#endif
		bool ok = apart_try("some.file", &(apart_limits){UINT64_C(1) << 30, 1}, meet, &f, &error);
		assert_int_equal(ok, f == FINE);
		if (!ok && !strstr(error.text, words[f]))
			print_error("\"%s\" is not in \"%s\"\n", words[f], error.text);
		assert_true(ok || strstr(error.text, words[f]));
		assert_true(ok || f == REFUSES || f == SWELLS || !strcmp(error.file, "some.file"));
	}
}

// Groups in groups in groups: HDF5 takes ever longer for each.
static void test_depth(void **state)
{
	(void)state;
	char deep[2*40 + 1] = "";
	for (int k = 0; k < 40; k++)
		memcpy(deep + 2*k, "/g", 3);
	hid_t file = start();
	assert_true(hdf_group_create(file, deep));
	refused(file, "lies deeper in groups than any contact problem does");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_other_files), cmocka_unit_test(test_filters), cmocka_unit_test(test_types),
		cmocka_unit_test(test_claims), cmocka_unit_test(test_apart),
		cmocka_unit_test(test_depth),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
