// SPDX-License-Identifier: MIT
// Contact problems as blocks: made from entries in any order, freed, multiplied.
#include "delassus/work.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

void delassus_problem_init(delassus_problem *problem, int size, size_t contacts)
{
	memset(problem, 0, sizeof *problem);
	problem->size = size;
	problem->contacts = contacts;
	problem->q = delassus_zeros(contacts*(size_t)size, sizeof(double));
	problem->mu = delassus_zeros(contacts, sizeof(double));
	if (size == 5)
		problem->mu_roll = delassus_zeros(contacts, sizeof(double));
}

void block_matrix_free(block_matrix *matrix)
{
	memory_free(matrix->first);
	memory_free(matrix->column);
	memory_free(matrix->value);
	memset(matrix, 0, sizeof *matrix);
}

void delassus_problem_free(delassus_problem *problem)
{
	block_matrix_free(&problem->w);
	memory_free(problem->q);
	memory_free(problem->mu);
	memory_free(problem->mu_roll);
	memset(problem, 0, sizeof *problem);
}

void sparse_entries_free(sparse_entries *entries)
{
	memory_free(entries->row);
	memory_free(entries->column);
	memory_free(entries->value);
	memset(entries, 0, sizeof *entries);
}

double delassus_seconds(void)
{
	struct timespec now;
	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	return (double)now.tv_sec + 1e-9*(double)now.tv_nsec;
}

// ---------------------------------------------------------------- entries become blocks

typedef struct row_order { // entries, sorted by block row
	size_t *first, *entry;
} row_order;

static row_order order_by_row(const sparse_entries *w, size_t rows, uint32_t size)
{
	row_order order = {delassus_zeros(rows + 1, sizeof(size_t)), delassus_zeros(w->count, sizeof(size_t))};
	size_t *next = delassus_zeros(rows + 1, sizeof(size_t));
	for (size_t i = 0; i < w->count; i++)
		order.first[w->row[i]/size + 1]++;
	for (size_t i = 0; i < rows; i++)
		order.first[i + 1] += order.first[i];
	memcpy(next, order.first, (rows + 1)*sizeof *next);
	for (size_t i = 0; i < w->count; i++)
		order.entry[next[w->row[i]/size]++] = i;
	memory_free(next);
	return order;
}

static int by_number(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
	return (x > y) - (x < y);
}

// The block columns of a row, each once, rising; with the diagonal, whether it has entries or not. `seen` knows the
// rows in which a column was met last, plus one.
static size_t row_columns(const sparse_entries *w, const row_order *order, size_t row, uint32_t size, uint32_t *seen,
	uint32_t *column)
{
	size_t count = 0;
	column[count++] = (uint32_t)row;
	seen[row] = (uint32_t)row + 1;
	for (size_t k = order->first[row]; k < order->first[row + 1]; k++) {
		uint32_t c = w->column[order->entry[k]]/size;
		if (seen[c] == (uint32_t)row + 1)
			continue;
		seen[c] = (uint32_t)row + 1;
		column[count++] = c;
	}
	qsort(column, count, sizeof *column, by_number);
	return count;
}

void delassus_problem_set_w(delassus_problem *problem, const sparse_entries *w)
{
	block_matrix *m = &problem->w;
	uint32_t size = (uint32_t)problem->size;
	size_t rows = problem->contacts, area = size*size;
	row_order order = order_by_row(w, rows, size);
	uint32_t *seen = delassus_zeros(rows, sizeof *seen);
	block_matrix_free(m);
	m->size = problem->size;
	m->rows = rows;
	m->first = delassus_zeros(rows + 1, sizeof *m->first);
	m->column = delassus_zeros(w->count + rows, sizeof *m->column);
	for (size_t i = 0; i < rows; i++)
		m->first[i + 1] = m->first[i] + row_columns(w, &order, i, size, seen, m->column + m->first[i]);
	m->value = delassus_zeros(m->first[rows]*area, sizeof *m->value);
	for (size_t i = 0; i < w->count; i++) {
		size_t block = block_matrix_find(m, w->row[i]/size, w->column[i]/size);
		m->value[block*area + w->row[i]%size*size + w->column[i]%size] += w->value[i];
	}
	memory_free(order.first);
	memory_free(order.entry);
	memory_free(seen);
}

size_t block_matrix_find(const block_matrix *matrix, size_t row, uint32_t column)
{
	size_t low = matrix->first[row], high = matrix->first[row + 1];
	while (low < high) {
		size_t middle = low + (high - low)/2;
		if (matrix->column[middle] == column)
			return middle;
		if (matrix->column[middle] < column)
			low = middle + 1;
		else
			high = middle;
	}
	return SIZE_MAX;
}

// ---------------------------------------------------------------- product

static inline void rows_times(const block_matrix *m, size_t size, const double *x, const double *plus, double *y)
{
	const double *block = m->value;
	for (size_t i = 0; i < m->rows; i++) {
		double sum[5] = {0};
		for (size_t k = 0; k < size; k++)
			sum[k] = plus[i*size + k];
		for (size_t at = m->first[i]; at < m->first[i + 1]; at++, block += size*size)
			for (size_t k = 0; k < size; k++) {
				double part = 0; // by itself: a long chain of additions waits for each of them
				for (size_t l = 0; l < size; l++)
					part += block[k*size + l]*x[m->column[at]*size + l];
				sum[k] += part;
			}
		for (size_t k = 0; k < size; k++)
			y[i*size + k] = sum[k];
	}
}

// A size that the compiler knows makes the inner loops straight lines.
void block_matrix_times(const block_matrix *matrix, const double *x, const double *plus, double *y)
{
	if (matrix->size == 3)
		rows_times(matrix, 3, x, plus, y);
	else if (matrix->size == 2)
		rows_times(matrix, 2, x, plus, y);
	else
		rows_times(matrix, (size_t)matrix->size, x, plus, y);
}
