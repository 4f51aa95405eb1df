// SPDX-License-Identifier: MIT
// The periodic cell: any subset of directions, edges as the columns of a matrix, so that it may deform.
#ifndef TALUS_CELL_H
#define TALUS_CELL_H

#include "base/vec.h"
#include <talus/talus.h>

// x = origin + h f with f in [0, 1) along periodic directions. Columns of h are the edges; open directions have a unit edge.
typedef struct cell {
	bool periodic[3];
	vec3 origin;
	double h[3][3], inverse[3][3];
	double rate[3][3]; // velocity gradient of the background; 0 unless something drives the cell
	double listed[3][3]; // h when the pair list was made
	double carry[3][3];  // from places then to places now, if nothing but the cell had moved
	vec3 shift[27];    // lattice vectors, index (i+1) + 3 (j+1) + 9 (k+1)
} cell;

enum { CELL_NO_IMAGE = 13 }; // index of the zero lattice vector; the opposite of image i is 26 - i

void cell_init(cell *cell, const talus_cell_def *def);
void cell_update(cell *cell); // inverse and lattice vectors, after h has changed
vec3 cell_fraction(const cell *cell, vec3 x);
vec3 cell_wrap(const cell *cell, vec3 x, int32_t image[3]); // back into the cell; counts the crossings
// So many times round it and no farther: then nobody knows where a grain is. cell_lost: did x get there, or is it so far away
// that it cannot be put back?
enum { CELL_IMAGE_MOST = 2000000000 };
int32_t cell_image_add(int32_t image, double turns);
bool cell_lost(const cell *cell, vec3 x, const int32_t image[3]);
vec3 cell_nearest(const cell *cell, vec3 delta);            // the image within half an edge: the shortest, unless sheared
vec3 cell_unwrap(const cell *cell, vec3 x, const int32_t image[3]); // where it would be without wrapping
double cell_height(const cell *cell, int direction);        // distance between opposite faces
bool cell_any(const cell *cell);                            // is any direction periodic?
double cell_volume(const cell *cell, int dimension);
vec3 cell_apply(const double m[3][3], vec3 a);
void cell_carry(const cell *cell, double carry[3][3]);      // from where something was when the list was made to where it is

#endif
