// SPDX-License-Identifier: MIT
// An observable is a record: name, meaning, unit, where it goes, and in which measurement it is found. log.csv, summary.json, run.h5,
// `talus doc observables` and talus_world_observe all go through the list of them (observables.c). docs/adding-an-observable.md
// walks through a new one.
#ifndef TALUS_OBSERVE_OBSERVABLE_H
#define TALUS_OBSERVE_OBSERVABLE_H

#include <talus/talus.h>

typedef struct observations observations;

// What is computed in one go; several observables may be parts of its result.
typedef struct measurement {
	size_t size; // bytes of the result
	void (*measure)(observations *seen, void *result); // of seen->world; may ask for other measurements
} measurement;

// What was measured of a state, each thing once, however many ask for it. Good until the state changes.
enum { MEASUREMENTS_MOST = 64 };
struct observations {
	const talus_world *world;
	int count;
	const measurement *what[MEASUREMENTS_MOST];
	void *result[MEASUREMENTS_MOST]; // owned
};

observations observations_of(const talus_world *world); // nothing yet
void observations_free(observations *seen);
const void *observations_get(observations *seen, const measurement *what); // measures it if nobody has

// ---------------------------------------------------------------- records

typedef enum observable_type {
	OBSERVABLE_REAL,  // double
	OBSERVABLE_COUNT, // size_t or uint64_t
	OBSERVABLE_INT,   // int
} observable_type;

// A place behind all that have one: the orders of files are promises, so what is new comes last.
enum { PLACE_NEXT = 1000 };

typedef struct observable {
	const char *name; // in the log, in frames and for programs
	const char *meaning;
	const char *unit; // by length L, mass M, time T; "" for a pure number
	const measurement *from;
	size_t offset; // in its result
	observable_type type;
	talus_shape shape;
	int length; // TALUS_LIST, TALUS_LISTS: numbers of one
	// Where it goes, and at which place among the others there; 0: not there.
	int log, summary, frames;
	const char *key; // in the summary, if that is not its name; "a.b" is b inside of a
	double high;     // TALUS_LIST, TALUS_LISTS: bins from 0 to here; 0: no bins, or not always the same
	int dimension;   // 2 or 3: only there; 0: in both
	bool always;     // the summary has it even of a state that is no longer finite
} observable;

// A member of a measurement's result: place and type, for the initializer of a record.
#define OBSERVABLE_TYPE(member) \
	_Generic((member), double: OBSERVABLE_REAL, double *: OBSERVABLE_REAL, double(*)[3]: OBSERVABLE_REAL, talus_vec3: OBSERVABLE_REAL, \
	         int: OBSERVABLE_INT, unsigned long: OBSERVABLE_COUNT, unsigned long *: OBSERVABLE_COUNT, \
	         unsigned long(*)[10]: OBSERVABLE_COUNT, unsigned long long: OBSERVABLE_COUNT, unsigned long long *: OBSERVABLE_COUNT)
#define OBSERVABLE_AT(measurement, result, member) \
	.from = &(measurement), .offset = offsetof(result, member), .type = OBSERVABLE_TYPE(((result *)0)->member)

#define UNIT_STRESS "M/(L T^2) (2D: M/T^2)"
#define UNIT_FORCE "M L/T^2"
#define UNIT_ENERGY "M L^2/T^2"

// A list of observables ends with one without a name.
extern const observable moment_observables[], structure_observables[], motion_observables[], energy_observables[], step_observables[],
	stress_observables[], cell_observables[], fabric_observables[], forces_observables[], temperature_observables[],
	radial_observables[], homogeneity_observables[], solver_observables[], rigidity_observables[];

// ---------------------------------------------------------------- one of them

size_t observable_count(const observable *o); // numbers that it has: 6 for a symmetric tensor
void observable_values(const observable *o, observations *seen, double *values);
double observable_value(const observable *o, observations *seen, size_t k);
const void *observable_found(const observable *o, observations *seen); // as it stands in the result; a symmetric tensor with all nine
// With the component behind it, as "_xy", where it has some.
void observable_component(const observable *o, size_t k, char name[TALUS_NAME_MAX]);

// ---------------------------------------------------------------- all of them

typedef enum observable_file { OBSERVABLE_LOG, OBSERVABLE_SUMMARY, OBSERVABLE_FRAMES, OBSERVABLE_FILES } observable_file;

enum { OBSERVABLES_MOST = 256 };
typedef struct observable_list {
	int count;
	const observable *at[OBSERVABLES_MOST];
} observable_list;

observable_list observables_all(void);
observable_list observables_in(observable_file file, int dimension); // in its order; dimension 0: of any
int observable_place(const observable *o, observable_file file);      // 0: it is not there

#endif
