// SPDX-License-Identifier: MIT
// The list of all observables: one table a file, gathered here.
#include "observe/observable.h"

#include <assert.h>

static const observable *const tables[] = {
	moment_observables, structure_observables, motion_observables,      energy_observables, step_observables,
	stress_observables, cell_observables,      fabric_observables,      forces_observables, temperature_observables,
	radial_observables, homogeneity_observables, solver_observables,    rigidity_observables,
};
enum { TABLES = sizeof tables/sizeof tables[0] };

observable_list observables_all(void)
{
	observable_list list = {0};
	for (int t = 0; t < TABLES; t++)
		for (const observable *o = tables[t]; o->name; o++) {
			assert(list.count < OBSERVABLES_MOST);
			list.at[list.count++] = o;
		}
	return list;
}

int observable_place(const observable *o, observable_file file)
{
	return file == OBSERVABLE_LOG ? o->log : file == OBSERVABLE_SUMMARY ? o->summary : o->frames;
}

// Those of one place stay in the order of the tables.
observable_list observables_in(observable_file file, int dimension)
{
	observable_list all = observables_all(), list = {0};
	for (int i = 0; i < all.count; i++) {
		const observable *o = all.at[i];
		int place = observable_place(o, file), at = list.count;
		if (place == 0 || (o->dimension && dimension && o->dimension != dimension))
			continue;
		for (; at > 0 && observable_place(list.at[at - 1], file) > place; at--)
			list.at[at] = list.at[at - 1];
		list.at[at] = o;
		list.count++;
	}
	return list;
}
