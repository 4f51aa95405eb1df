// SPDX-License-Identifier: MIT
// Frictional contact problems in files, in the HDF5 layout of FCLIB (Acary et al. 2014): u = W r + q with contacts
// alone, or with the bodies beside them, and the same with rolling friction.
#ifndef TALUS_IO_FCLIB_H
#define TALUS_IO_FCLIB_H

#include "delassus/delassus.h"

typedef struct fclib_file {
	delassus_problem problem;
	delassus_solution solution; // NULL, NULL if there is none
	size_t guesses;
	double *guess; // impulses of each
} fclib_file;

// False with a sentence if it is none, or damaged, or has more to it than contacts and bodies (V, R, G).
bool fclib_read(const char *path, fclib_file *file, talus_error *error);
void fclib_free(fclib_file *file);

// fclib_write.c: contacts alone. Without a solution if `solution` is NULL. What was in the file before is lost, but
// only once the new one is whole.
bool fclib_write(const char *path, const delassus_problem *problem, const delassus_solution *solution, talus_error *error);

#endif
