// SPDX-License-Identifier: MIT
// With twice the coordinates of a body-centred cell, all even or all odd, (x + y - z) mod 4 is a colour: the nearest cells of the
// same one are 0.35 of a cube's edge apart. Squares and slices are coloured by the parities of their coordinates. What lies outside
// belongs to the cell of the nearest place inside, so that no two come closer to each other.
#include "collide/lattice.h"

#include "state/cell.h"

#include <math.h>

static double cells_per_cube(const lattice *l)
{
	return l->centred ? 2 : 1;
}

// The edge of a cube if only some directions are cut. (The root is taken of a number without a unit: that of a volume rounds
// differently in each unit.)
static double edge_of(const world_state *st, const lattice *l, vec3 size, double volume)
{
	double unit = st->mean_radius;
	int directions = 0;
	for (int k = 0; k < st->def.dimension; k++) {
		directions += l->cut[k];
		volume /= l->cut[k] ? 1 : component(size, k)/unit;
	}
	return directions ? unit*pow(cells_per_cube(l)*volume, 1.0/directions) : INFINITY;
}

// Around a periodic direction there are two cubes at least, and an even number, or it is not cut.
static double choose_directions(const world_state *st, lattice *l, vec3 size, double volume)
{
	int dimension = st->def.dimension;
	for (int k = 0; k < 3; k++) {
		l->cut[k] = k < dimension;
		l->around[k] = k < dimension && st->cell.periodic[k];
	}
	double edge = 0;
	for (bool again = true; again;) {
		again = false;
		l->centred = l->cut[0] && l->cut[1] && l->cut[2];
		edge = edge_of(st, l, size, volume);
		for (int k = 0; k < dimension; k++)
			if (l->cut[k] && l->around[k] && !(component(size, k) >= 2*edge)) {
				l->cut[k] = false;
				again = true;
			}
	}
	return edge;
}

lattice lattice_make(const world_state *st, vec3 low, vec3 size, double volume, vec3 shift)
{
	static const double most = 1 << 10;
	lattice l = {.low = low, .shift = shift};
	double edge = choose_directions(st, &l, size, volume);
	uint32_t cells = l.centred ? 2 : 1;
	for (int k = 0; k < 3; k++) {
		double fit = component(size, k)/edge, length = l.around[k] ? 1 : edge;
		l.count[k] = l.cut[k] ? fmin(fmax(1, l.around[k] ? 2*floor(0.5*fit) : ceil(fit)), most) : 1;
		l.side[k] = l.cut[k] ? (uint32_t)l.count[k] + (l.around[k] ? 0 : 2) : 1;
		cells *= l.side[k];
		if (!l.around[k] && l.count[k] == most)
			length = component(size, k)/most;
		set_component(&l.per_length, k, !l.cut[k] ? 0 : l.around[k] ? l.count[k] : 1/length);
	}
	l.cells = cells;
	return l;
}

// Not below 0, and not a number that cannot be one of a cell.
static inline double coordinate(const lattice *l, vec3 place, int k)
{
	double u = (component(place, k) - component(l->low, k))*component(l->per_length, k), most = l->count[k];
	if (l->around[k]) {
		if (!(u >= -most && u < 2*most)) // nobody is so far out
			u -= most*floor(u/most);
		u += most;
		most *= 3;
	}
	return (u > 0 ? u < most ? u : most : 0) + component(l->shift, k);
}

static inline uint32_t wrapped(const lattice *l, int k, uint32_t i)
{
	while (l->around[k] && i >= l->side[k])
		i -= l->side[k];
	return l->cut[k] ? i : 0;
}

static int colour_of(const lattice *l, const uint32_t at[3], uint32_t odd)
{
	if (l->centred)
		return (int)((2*(at[0] + at[1] - at[2]) + odd) & 3);
	uint32_t parity[2] = {0, 0};
	int cuts = 0;
	for (int k = 0; k < 3 && cuts < 2; k++)
		if (l->cut[k])
			parity[cuts++] = at[k] & 1;
	return (int)(parity[0] | parity[1] << 1);
}

uint32_t lattice_cell(const lattice *l, vec3 place, int *colour)
{
	uint32_t corner[3], centre[3];
	double to_corner = 0, to_centre = 0;
	for (int k = 0; k < 3; k++) {
		double u = coordinate(l, place, k);
		centre[k] = (uint32_t)u;
		corner[k] = (uint32_t)(u + 0.5);
		double near = u - corner[k], off = u - centre[k] - 0.5;
		to_corner += near*near;
		to_centre += off*off;
	}
	uint32_t odd = l->centred && to_centre < to_corner, at[3];
	for (int k = 0; k < 3; k++)
		at[k] = wrapped(l, k, l->centred && !odd ? corner[k] : centre[k]);
	*colour = colour_of(l, at, odd);
	return odd*(l->cells/2) + at[0] + l->side[0]*(at[1] + l->side[1]*at[2]);
}

int lattice_colour(const lattice *l, uint32_t number)
{
	uint32_t odd = l->centred && number >= l->cells/2, rest = number - odd*(l->cells/2);
	const uint32_t at[3] = {rest%l->side[0], rest/l->side[0]%l->side[1], rest/l->side[0]/l->side[1]};
	return colour_of(l, at, odd);
}
