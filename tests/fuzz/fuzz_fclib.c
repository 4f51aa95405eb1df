// SPDX-License-Identifier: MIT
// Contact problems in FCLIB's format, read as `talus solve` does: in a child first, so that only what gets past that counts. What is
// accepted is solved for a moment.
#include "fuzz.h"

#include "apart.h"
#include "base/memory.h"
#include "delassus/work.h"
#include "io/fclib.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Three contacts in 2D, one of them beside the others.
static uint8_t *seed_make(size_t *size)
{
	uint32_t row[] = {0, 1, 2, 3, 4, 5, 0, 2}, column[] = {0, 1, 2, 3, 4, 5, 2, 0};
	double value[] = {2, 3, 2, 3, 1, 1, 0.5, 0.5}, r[6] = {1, 0, 1, 0, 0, 0}, u[6] = {0};
	sparse_entries w = {6, 6, 8, row, column, value};
	delassus_problem p;
	talus_error error;
	char path[128];
	delassus_problem_init(&p, 2, 3);
	delassus_problem_set_w(&p, &w);
	for (int i = 0; i < 3; i++) {
		p.mu[i] = 0.3;
		p.q[2*i] = i - 1.5;
	}
	snprintf(path, sizeof path, "%s/seed.hdf5", fuzz_folder());
	if (!fclib_write(path, &p, &(delassus_solution){r, u}, &error))
		abort();
	delassus_problem_free(&p);
	return fuzz_folder_get("seed.hdf5", size);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	fclib_file file;
	talus_error error;
	const char *path = fuzz_file(data, size);
	bool ok = apart_try_hdf5(path, true, &error) && fclib_read(path, &file, &error);
	fuzz_count(ok);
	if (!ok)
		return 0;
	size_t count = file.problem.contacts*(size_t)file.problem.size;
	double *r = delassus_zeros(count, sizeof *r);
	delassus_auto(&file.problem, &(delassus_options){.tolerance = 1e-8, .seconds = 0.05, .iterations = 300, .prove = delassus_proof_find}, r);
	memory_free(r);
	fclib_free(&file);
	return 0;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed)
{
	static uint8_t *start;
	static size_t length;
	if (!start)
		start = seed_make(&length);
	return fuzz_hdf5_mutate(data, size, most, seed, start, length);
}
