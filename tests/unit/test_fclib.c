// SPDX-License-Identifier: MIT
// Files of contact problems: written and read back, in all layouts that others write, damaged ones refused with a
// sentence. With TALUS_PROBLEMS set to a folder, every problem in it must be readable.
#include "unit.h"

#include "base/memory.h"
#include "io/fclib.h"
#include "io/hdf5_tools.h"

#include <dirent.h>
#include <stdlib.h>
#include <unistd.h>

static const char *const path = "problem.hdf5";

// ---------------------------------------------------------------- writing by hand, as others do

typedef struct maker {
	hid_t file;
	char group[64];
} maker;

static maker maker_start(const char *group)
{
	maker m = {.file = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT)};
	snprintf(m.group, sizeof m.group, "%s", group);
	assert_true(m.file >= 0);
	return m;
}

static void put(const maker *m, const char *name, hid_t type, size_t count, const void *data)
{
	char whole[128];
	hsize_t rows = count;
	snprintf(whole, sizeof whole, "%s/%s", m->group, name);
	hid_t links = H5Pcreate(H5P_LINK_CREATE), space = H5Screate_simple(1, &rows, NULL);
	H5Pset_create_intermediate_group(links, 1);
	hid_t set = H5Dcreate2(m->file, whole, type, space, links, H5P_DEFAULT, H5P_DEFAULT);
	assert_true(set >= 0 && H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, data) >= 0);
	H5Dclose(set);
	H5Sclose(space);
	H5Pclose(links);
}

static void put_int(const maker *m, const char *name, int number)
{
	put(m, name, H5T_NATIVE_INT, 1, &number);
}

static void put_reals(const maker *m, const char *name, size_t count, const double *x)
{
	put(m, name, H5T_NATIVE_DOUBLE, count, x);
}

static void put_matrix(const maker *m, const char *name, int rows, int columns, int kind, size_t p_count, const int *p,
	size_t count, const int *i, const double *x)
{
	char whole[64];
	const char *const names[] = {"m", "n", "nz", "nzmax"};
	const int numbers[] = {rows, columns, kind, (int)count};
	for (int k = 0; k < 4; k++) {
		snprintf(whole, sizeof whole, "%s/%s", name, names[k]);
		put_int(m, whole, numbers[k]);
	}
	snprintf(whole, sizeof whole, "%s/p", name);
	put(m, whole, H5T_NATIVE_INT, p_count, p);
	snprintf(whole, sizeof whole, "%s/i", name);
	put(m, whole, H5T_NATIVE_INT, count, i);
	snprintf(whole, sizeof whole, "%s/x", name);
	put_reals(m, whole, count, x);
}

// Two contacts in 2D with the W below, in one of three layouts.
static const double dense[4][4] = {{4, 1, 0, 0}, {0.5, 3, 2, 0}, {0, 0, 5, 0}, {0, 0, 0, 6}};

enum { BY_COLUMN = -1, BY_ROW = -2, ONE_BY_ONE = 0 };

static void put_w(const maker *m, int layout)
{
	int p[16] = {0}, i[16], count = 0;
	double x[16];
	for (int a = 0; a < 4; a++) {
		for (int b = 0; b < 4; b++) {
			int row = layout == BY_ROW ? a : b, column = layout == BY_ROW ? b : a;
			if (dense[row][column] == 0)
				continue;
			if (layout == ONE_BY_ONE)
				p[count] = column;
			i[count] = layout == BY_ROW ? column : row;
			x[count++] = dense[row][column];
		}
		if (layout != ONE_BY_ONE)
			p[a + 1] = count;
	}
	bool single = layout == ONE_BY_ONE;
	put_matrix(m, "W", 4, 4, single ? count : layout, single ? (size_t)count : 5, p, (size_t)count, i, x);
}

static const double some_q[4] = {-1, 0.2, -2, 0.3}, some_mu[2] = {0.3, 0.4};

static maker local_start(void)
{
	maker m = maker_start("/fclib_local");
	put_int(&m, "spacedim", 2);
	put_reals(&m, "vectors/q", 4, some_q);
	put_reals(&m, "vectors/mu", 2, some_mu);
	return m;
}

// Where it should not be readable: with a sentence that has this in it, and the file's name.
static void refused(const char *words)
{
	fclib_file file;
	talus_error error;
	assert_false(fclib_read(path, &file, &error));
	if (!strstr(error.text, words))
		print_error("\"%s\" is not in \"%s\"\n", words, error.text);
	assert_non_null(strstr(error.text, words));
	assert_string_equal(error.file, path);
	assert_null(file.problem.q);
}

// ---------------------------------------------------------------- tests

static void test_layouts(void **state)
{
	(void)state;
	for (int layout = BY_ROW; layout <= ONE_BY_ONE; layout++) {
		maker m = local_start();
		put_w(&m, layout);
		H5Fclose(m.file);
		fclib_file file;
		talus_error error;
		assert_true(fclib_read(path, &file, &error));
		assert_int_equal(file.problem.size, 2);
		assert_int_equal(file.problem.contacts, 2);
		assert_true(file.problem.mu[1] == 0.4 && file.problem.q[2] == -2);
		assert_true(file.guesses == 0 && !file.solution.r);
		for (int column = 0; column < 4; column++) {
			double x[4] = {0}, zero[4] = {0}, y[4];
			x[column] = 1;
			block_matrix_times(&file.problem.w, x, zero, y);
			for (int row = 0; row < 4; row++)
				assert_true(y[row] == dense[row][column]);
		}
		fclib_free(&file);
	}
}

static void roll_problem(delassus_problem *problem, int size, dice *d)
{
	uint32_t n = 3*(uint32_t)size, row[225], column[225];
	double value[225];
	delassus_problem_init(problem, size, 3);
	for (uint32_t k = 0; k < n*n; k++) {
		row[k] = k/n;
		column[k] = k%n;
		value[k] = row[k]/(uint32_t)size == 0 && column[k]/(uint32_t)size == 2 ? 0 : roll(d, -1, 1);
	}
	delassus_problem_set_w(problem, &(sparse_entries){n, n, n*n, row, column, value});
	for (uint32_t k = 0; k < n; k++)
		problem->q[k] = roll(d, -1, 1);
	for (int k = 0; k < 3; k++) {
		problem->mu[k] = roll(d, 0, 1);
		if (size == 5)
			problem->mu_roll[k] = roll(d, 0, 1);
	}
	snprintf(problem->title, sizeof problem->title, "three contacts of size %d", size);
}

// To the last bit; what was in the file before is gone.
static void test_written_and_read(void **state)
{
	(void)state;
	dice d = dice_make(1);
	for (int size = 2; size <= 5; size += size == 2 ? 1 : 2) {
		delassus_problem problem;
		fclib_file file;
		talus_error error;
		double r[15], u[15];
		roll_problem(&problem, size, &d);
		for (int k = 0; k < 15; k++) {
			r[k] = roll(&d, -1, 1);
			u[k] = roll(&d, -1, 1);
		}
		assert_true(fclib_write(path, &problem, NULL, &error));
		assert_true(fclib_read(path, &file, &error));
		assert_null(file.solution.r);
		fclib_free(&file);
		assert_true(fclib_write(path, &problem, &(delassus_solution){r, u}, &error));
		assert_true(fclib_read(path, &file, &error));
		size_t n = 3*(size_t)size, blocks = problem.w.first[3];
		assert_int_equal(file.problem.size, size);
		assert_string_equal(file.problem.title, problem.title);
		assert_memory_equal(file.problem.q, problem.q, n*sizeof(double));
		assert_memory_equal(file.problem.mu, problem.mu, 3*sizeof(double));
		assert_memory_equal(file.solution.r, r, n*sizeof(double));
		assert_memory_equal(file.solution.u, u, n*sizeof(double));
		double x[15], zero[15] = {0}, y[15], z[15];
		for (int k = 0; k < 15; k++)
			x[k] = roll(&d, -1, 1);
		block_matrix_times(&problem.w, x, zero, y);
		block_matrix_times(&file.problem.w, x, zero, z);
		assert_memory_equal(y, z, n*sizeof(double));
		assert_true(file.problem.w.first[3] <= blocks);
		if (size == 5)
			assert_memory_equal(file.problem.mu_roll, problem.mu_roll, 3*sizeof(double));
		fclib_free(&file);
		delassus_problem_free(&problem);
	}
	talus_error error;
	delassus_problem problem;
	roll_problem(&problem, 2, &d);
	assert_false(fclib_write("nowhere/problem.hdf5", &problem, NULL, &error));
	assert_non_null(strstr(error.text, "No such file"));
	delassus_problem_free(&problem);
}

// With bodies: M = diag(2, 2, 4), one contact in 2D. The same H once as programs write it (p is the column), once as
// FCLIB's header has it, and M follows: it is not symmetric, so one can tell.
static void test_bodies(void **state)
{
	(void)state;
	for (int swapped = 0; swapped < 2; swapped++) {
		maker m = maker_start("/fclib_global");
		const int mp[] = {0, 1, 2, 1}, mi[] = {0, 1, 2, 0}, hp[] = {0, 1, 1}, hi[] = {0, 1, 2};
		const double mx[] = {2, 2, 4, 1}, hx[] = {1, 1, 3}, f[] = {1, 2, 3}, w[] = {0.5, 0.25}, mu[] = {0.7};
		put_int(&m, "spacedim", 2);
		put_matrix(&m, "M", 3, 3, 4, 4, swapped ? mi : mp, 4, swapped ? mp : mi, mx);
		put_matrix(&m, "H", 3, 2, 3, 3, swapped ? hi : hp, 3, swapped ? hp : hi, hx);
		put_reals(&m, "vectors/f", 3, f);
		put_reals(&m, "vectors/w", 2, w);
		put_reals(&m, "vectors/mu", 1, mu);
		snprintf(m.group, sizeof m.group, "/guesses");
		put_int(&m, "number_of_guesses", 2);
		put_reals(&m, "1/r", 2, w);
		put_reals(&m, "2/r", 2, mx);
		H5Fclose(m.file);
		fclib_file file;
		talus_error error;
		assert_true(fclib_read(path, &file, &error));
		// M = (2 1 0; 0 2 0; 0 0 4): M^-1 = (1/2 -1/4 0; 0 1/2 0; 0 0 1/4); columns of H: (1 0 0), (0 1 3)
		const double wanted[4] = {0.5, -0.25, 0, 0.5 + 9.0/4};
		for (int k = 0; k < 4; k++)
			assert_near(file.problem.w.value[k], wanted[k], 1e-15);
		assert_near(file.problem.q[0], 0.5 + 0.5 - 0.5, 1e-15);
		assert_near(file.problem.q[1], 0.25 + 1 + 9.0/4, 1e-15);
		assert_int_equal(file.guesses, 2);
		assert_true(file.guess[1] == 0.25 && file.guess[2] == 2);
		fclib_free(&file);
	}
}

static void test_rolling(void **state)
{
	(void)state;
	maker m = maker_start("/fclib_global_rolling");
	const int p[] = {0, 1, 2, 3, 4, 5}, i[] = {0, 1, 2, 3, 4};
	const double one[] = {1, 1, 1, 1, 1}, f[] = {-1, 0, 0, 0, 0}, w[5] = {0}, mu[] = {0.5}, mu_r[] = {0.1};
	put_int(&m, "spacedim", 5);
	put_matrix(&m, "M", 5, 5, -1, 6, p, 5, i, one);
	put_matrix(&m, "H", 5, 5, -1, 6, p, 5, i, one);
	put_reals(&m, "vectors/f", 5, f);
	put_reals(&m, "vectors/w", 5, w);
	put_reals(&m, "vectors/mu", 1, mu);
	put_reals(&m, "vectors/mu_r", 1, mu_r);
	H5Fclose(m.file);
	fclib_file file;
	talus_error error;
	assert_true(fclib_read(path, &file, &error));
	assert_int_equal(file.problem.size, 5);
	assert_true(file.problem.mu_roll[0] == 0.1 && file.problem.q[0] == -1 && file.problem.w.value[24] == 1);
	fclib_free(&file);
}

// Numbers that are not whole, and a matrix that says it has more or fewer entries than are there.
static void test_wrong_numbers(void **state)
{
	(void)state;
	static const int rooms[] = {-1, 0, 6, 8, 2000000000}; // it has 7
	const double broken = 2.7;
	maker m = maker_start("/fclib_local");
	put_reals(&m, "spacedim", 1, &broken);
	H5Fclose(m.file);
	refused("/fclib_local/spacedim does not hold whole numbers");
	for (int layout = BY_ROW; layout <= ONE_BY_ONE; layout++)
		for (size_t k = 0; k < sizeof rooms/sizeof rooms[0]; k++) {
			m = local_start();
			put_w(&m, layout);
			hid_t set = H5Dopen2(m.file, "/fclib_local/W/nzmax", H5P_DEFAULT);
			assert_true(H5Dwrite(set, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, &rooms[k]) >= 0);
			H5Dclose(set);
			H5Fclose(m.file);
			refused("/fclib_local/W/nzmax is not the number of the matrix's entries");
		}
}

static void test_refused(void **state)
{
	(void)state;
	remove(path);
	refused("No such file");
	FILE *text = fopen(path, "w");
	fputs("this is no HDF5\n", text);
	fclose(text);
	refused("not an HDF5 file");
	maker m = maker_start("/something");
	put_int(&m, "else", 1);
	H5Fclose(m.file);
	refused("holds no contact problem");

	m = local_start();
	H5Fclose(m.file);
	refused("/fclib_local/W/m is missing");
	m = local_start();
	const int p[] = {0, 1, 2, 3, 4}, back[] = {0, 2, 1, 3, 4}, i[] = {0, 1, 2, 3}, outside[] = {0, 1, 2, 4};
	const double x[] = {1, 1, 1, 1}, bad[] = {1, NAN, 1, 1};
	put_matrix(&m, "W", 4, 4, -2, 5, p, 4, outside, x);
	H5Fclose(m.file);
	refused("has entries outside of it");
	m = local_start();
	put_matrix(&m, "W", 4, 4, -2, 5, back, 4, i, x);
	H5Fclose(m.file);
	refused("do not follow one another");
	m = local_start();
	put_matrix(&m, "W", 4, 4, 4, 4, i, 4, outside, x);
	H5Fclose(m.file);
	refused("has entries outside of it");
	m = local_start();
	put_matrix(&m, "W", 4, 4, 9, 4, i, 4, i, x);
	H5Fclose(m.file);
	refused("fewer entries than it says");
	m = local_start();
	put_matrix(&m, "W", 4, 4, -2, 5, p, 4, i, bad);
	H5Fclose(m.file);
	refused("/fclib_local/W/x holds what is not a number");
	m = local_start();
	put_matrix(&m, "W", 4, 6, -2, 5, p, 4, i, x);
	H5Fclose(m.file);
	refused("is 4 x 6, but 4 x 4 is wanted");
	m = local_start();
	put_w(&m, BY_ROW);
	put_matrix(&m, "V", 4, 1, -1, 2, p, 1, i, x);
	H5Fclose(m.file);
	refused("constraints beside the contacts are not supported");
	m = maker_start("/fclib_local");
	put_int(&m, "spacedim", 4);
	H5Fclose(m.file);
	refused("is neither 2 nor 3");
}

// Cut anywhere, a file is refused or, where nothing that counts was lost, read.
static void test_cut(void **state)
{
	(void)state;
	maker m = local_start();
	put_w(&m, BY_ROW);
	H5Fclose(m.file);
	FILE *in = fopen(path, "r");
	fseek(in, 0, SEEK_END);
	long length = ftell(in);
	fclose(in);
	talus_error error;
	fclib_file file;
	for (long cut = length - 1; cut >= 0; cut -= 97) {
		assert_int_equal(truncate(path, cut), 0);
		assert_false(fclib_read(path, &file, &error));
		assert_true(strlen(error.text) > 10);
	}
}

static void test_problems_of_others(void **state)
{
	(void)state;
	const char *folder = getenv("TALUS_PROBLEMS");
	DIR *all = folder ? opendir(folder) : NULL;
	if (!all)
		skip();
	int count = 0;
	for (struct dirent *entry; (entry = readdir(all));) {
		char name[TALUS_PATH_MAX];
		fclib_file file;
		talus_error error;
		if (!strstr(entry->d_name, ".hdf5"))
			continue;
		snprintf(name, sizeof name, "%s/%s", folder, entry->d_name);
		if (!fclib_read(name, &file, &error))
			fail_msg("%s: %s", name, error.text);
		size_t n = file.problem.contacts*(size_t)file.problem.size;
		double *r = calloc(n, sizeof *r);
		delassus_options wish = {.tolerance = 1e-3, .iterations = 1000000, .prove = delassus_proof_find};
		delassus_report report = delassus_nsgs(&file.problem, &wish, r);
		if (!report.converged)
			fail_msg("%s: error %g", name, report.error.natural);
		free(r);
		fclib_free(&file);
		count++;
	}
	closedir(all);
	assert_true(count > 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_layouts),
		cmocka_unit_test(test_written_and_read),
		cmocka_unit_test(test_bodies),
		cmocka_unit_test(test_rolling),
		cmocka_unit_test(test_refused),
		cmocka_unit_test(test_wrong_numbers),
		cmocka_unit_test(test_cut),
		cmocka_unit_test(test_problems_of_others),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
