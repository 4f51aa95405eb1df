// SPDX-License-Identifier: MIT
// A contact problem in even units. r = unit*x with one unit for a contact (with rolling: one for each of N, T
// and R, so that limits stay round), and u = v/unit: then v = (unit W unit) x + unit q, with the limits mu
// unit_N/unit_T. So problems in any units look alike to the solvers, and heavy and light contacts count
// alike.
#include "delassus/work.h"

#include "base/memory.h"

#include <math.h>

static double mean_of(const double *block, int size, int first, int last)
{
	double sum = 0;
	for (int k = first; k < last; k++)
		sum += fabs(block[k*(size + 1)]);
	return sum/(last - first);
}

// The unit of an average contact, for those that nothing can move.
static double usual_unit(const delassus_problem *problem)
{
	size_t n = (size_t)problem->size, count = 0;
	double sum = 0;
	for (size_t i = 0; i < problem->contacts; i++) {
		size_t own = block_matrix_find(&problem->w, i, (uint32_t)i);
		double mean = mean_of(problem->w.value + own*n*n, problem->size, 0, problem->size);
		sum += mean > 0 ? log(mean) : 0;
		count += mean > 0;
	}
	return count ? exp(-0.5*sum/(double)count) : 1;
}

void delassus_units(const delassus_problem *problem, double *unit)
{
	int size = problem->size;
	double usual = usual_unit(problem);
	for (size_t i = 0; i < problem->contacts; i++) {
		size_t own = block_matrix_find(&problem->w, i, (uint32_t)i);
		const double *block = problem->w.value + own*(size_t)(size*size);
		for (int k = 0; k < size; k++) {
			int first = size < 5 || k == 0 ? 0 : k < 3 ? 1 : 3;
			int last = size < 5 ? size : k == 0 ? 1 : k < 3 ? 3 : 5;
			double mean = mean_of(block, size, first, last);
			unit[i*(size_t)size + (size_t)k] = mean > 0 ? 1/sqrt(mean) : usual;
		}
	}
}

// W in the new units, and a nothing at every mirror image, which makes room for it.
static void scale_matrix(delassus_scaled *scaled, const block_matrix *w)
{
	size_t n = (size_t)w->size, blocks = w->first[w->rows], most = blocks*(n*n + 1), count = 0;
	const double *unit = scaled->unit;
	sparse_entries entries = {.rows = w->rows*n, .columns = w->rows*n};
	entries.row = delassus_zeros(most, sizeof *entries.row);
	entries.column = delassus_zeros(most, sizeof *entries.column);
	entries.value = delassus_zeros(most, sizeof *entries.value);
	for (size_t i = 0; i < w->rows; i++)
		for (size_t e = w->first[i]; e < w->first[i + 1]; e++) {
			size_t j = w->column[e];
			for (size_t k = 0; k < n*n; k++, count++) {
				size_t row = i*n + k/n, column = j*n + k%n;
				entries.row[count] = (uint32_t)row;
				entries.column[count] = (uint32_t)column;
				entries.value[count] = unit[row]*w->value[e*n*n + k]*unit[column];
			}
			entries.row[count] = (uint32_t)(j*n);
			entries.column[count++] = (uint32_t)(i*n);
		}
	entries.count = count;
	delassus_problem_set_w(&scaled->problem, &entries);
	sparse_entries_free(&entries);
}

static void find_places(delassus_scaled *scaled)
{
	const block_matrix *w = &scaled->problem.w;
	scaled->diagonal = delassus_zeros(w->rows, sizeof *scaled->diagonal);
	scaled->mirror = delassus_zeros(w->first[w->rows], sizeof *scaled->mirror);
	for (size_t i = 0; i < w->rows; i++) {
		scaled->diagonal[i] = block_matrix_find(w, i, (uint32_t)i);
		for (size_t e = w->first[i]; e < w->first[i + 1]; e++)
			scaled->mirror[e] = block_matrix_find(w, w->column[e], (uint32_t)i);
	}
}

void delassus_scaled_init(delassus_scaled *scaled, const delassus_problem *problem)
{
	size_t n = (size_t)problem->size, count = problem->contacts*n;
	delassus_problem_init(&scaled->problem, problem->size, problem->contacts);
	scaled->unit = delassus_zeros(count, sizeof *scaled->unit);
	delassus_units(problem, scaled->unit);
	scale_matrix(scaled, &problem->w);
	find_places(scaled);
	const double *unit = scaled->unit;
	for (size_t k = 0; k < count; k++)
		scaled->problem.q[k] = unit[k]*problem->q[k];
	for (size_t i = 0; i < problem->contacts; i++) {
		scaled->problem.mu[i] = problem->mu[i]*unit[i*n]/unit[i*n + 1];
		if (n == 5)
			scaled->problem.mu_roll[i] = problem->mu_roll[i]*unit[i*n]/unit[i*n + 3];
	}
}

void delassus_scaled_free(delassus_scaled *scaled)
{
	delassus_problem_free(&scaled->problem);
	memory_free(scaled->unit);
	memory_free(scaled->diagonal);
	memory_free(scaled->mirror);
}
