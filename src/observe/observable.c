// SPDX-License-Identifier: MIT
// Measurements that are made once, and the numbers of an observable in them.
#include "observe/observable.h"

#include "base/memory.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

// ---------------------------------------------------------------- measurements

observations observations_of(const talus_world *world)
{
	return (observations){.world = world};
}

void observations_free(observations *seen)
{
	for (int i = 0; i < seen->count; i++)
		memory_free(seen->result[i]);
	*seen = (observations){0};
}

// It is on the list only when it is done: measuring may add others.
const void *observations_get(observations *seen, const measurement *what)
{
	for (int i = 0; i < seen->count; i++)
		if (seen->what[i] == what)
			return seen->result[i];
	void *result = memset(memory_grow(NULL, 0, what->size), 0, what->size);
	what->measure(seen, result);
	assert(seen->count < MEASUREMENTS_MOST);
	seen->what[seen->count] = what;
	seen->result[seen->count++] = result;
	return result;
}

// ---------------------------------------------------------------- numbers

static const char *const of_vector[] = {"x", "y", "z"};
static const char *const of_tensor[] = {"xx", "xy", "xz", "yx", "yy", "yz", "zx", "zy", "zz"};
static const char *const of_symmetric[] = {"xx", "yy", "zz", "xy", "xz", "yz"};
static const size_t symmetric_place[] = {0, 4, 8, 1, 2, 5}; // in the matrix

size_t observable_count(const observable *o)
{
	switch (o->shape) {
	case TALUS_SCALAR: return 1;
	case TALUS_VECTOR: return 3;
	case TALUS_TENSOR: return 9;
	case TALUS_SYMMETRIC: return 6;
	case TALUS_LIST: return (size_t)o->length;
	case TALUS_LISTS: break;
	}
	return 3*(size_t)o->length;
}

const void *observable_found(const observable *o, observations *seen)
{
	return (const char *)observations_get(seen, o->from) + o->offset;
}

double observable_value(const observable *o, observations *seen, size_t k)
{
	const void *found = observable_found(o, seen);
	if (o->shape == TALUS_SYMMETRIC)
		k = symmetric_place[k];
	switch (o->type) {
	case OBSERVABLE_REAL: return ((const double *)found)[k];
	case OBSERVABLE_COUNT: return (double)((const uint64_t *)found)[k];
	case OBSERVABLE_INT: break;
	}
	return ((const int *)found)[k];
}

void observable_values(const observable *o, observations *seen, double *values)
{
	for (size_t k = 0; k < observable_count(o); k++)
		values[k] = observable_value(o, seen, k);
}

void observable_component(const observable *o, size_t k, char name[TALUS_NAME_MAX])
{
	const char *const *parts = o->shape == TALUS_VECTOR      ? of_vector
	                           : o->shape == TALUS_TENSOR    ? of_tensor
	                           : o->shape == TALUS_SYMMETRIC ? of_symmetric
	                                                         : NULL;
	snprintf(name, TALUS_NAME_MAX, "%s%s%s", o->name, parts ? "_" : "", parts ? parts[k] : "");
}
