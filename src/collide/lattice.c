// SPDX-License-Identifier: MIT
// With twice the coordinates of a body-centred cell, all even or all odd, (x + y - z) mod 4 is a colour: the nearest cells of the
// same one are 0.35 of a cube's edge apart. Squares and slices are coloured by the parities of their coordinates. What lies outside
// belongs to the cell of the nearest place inside, so that no two come closer to each other.
#include "collide/lattice.h"

#include "cell.h"

#include <math.h>

static double cells_per_cube(const lattice *l)
{
	return l->centred ? 2 : 1;
}

// The edge of a cube if only some directions are cut. (The root is taken of a number without a unit: that of a volume rounds
// differently in each unit.)
static double edge_of(const talus_world *world, const lattice *l, vec3 size, double volume)
{
	double unit = world->mean_radius;
	int directions = 0;
	for (int k = 0; k < world->def.dimension; k++) {
		directions += l->cut[k];
		volume /= l->cut[k] ? 1 : component(size, k)/unit;
	}
	return directions ? unit*pow(cells_per_cube(l)*volume, 1.0/directions) : INFINITY;
}

// Around a periodic direction there are two cubes at least, and an even number, or it is not cut.
static double choose_directions(const talus_world *world, lattice *l, vec3 size, double volume)
{
	int dimension = world->def.dimension;
	for (int k = 0; k < 3; k++) {
		l->cut[k] = k < dimension;
		l->around[k] = k < dimension && world->cell.periodic[k];
	}
	double edge = 0;
	for (bool again = true; again;) {
		again = false;
		l->centred = l->cut[0] && l->cut[1] && l->cut[2];
		edge = edge_of(world, l, size, volume);
		for (int k = 0; k < dimension; k++)
			if (l->cut[k] && l->around[k] && !(component(size, k) >= 2*edge)) {
				l->cut[k] = false;
				again = true;
			}
	}
	return edge;
}

lattice lattice_make(const talus_world *world, vec3 low, vec3 size, double volume, vec3 shift)
{
	static const double most = 1 << 10;
	lattice l = {.low = low, .shift = shift};
	double edge = choose_directions(world, &l, size, volume);
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

static double coordinate(const lattice *l, vec3 place, int k)
{
	double u = (component(place, k) - component(l->low, k))*component(l->per_length, k);
	if (l->around[k])
		return u + component(l->shift, k);
	return fmin(fmax(u, 0), l->count[k]) + component(l->shift, k);
}

static uint32_t number_of(const lattice *l, const double at[3])
{
	uint32_t number = 0;
	for (int k = 2; k >= 0; k--) {
		double i = at[k];
		if (l->around[k])
			i -= l->count[k]*floor(i/l->count[k]);
		uint32_t whole = l->cut[k] && i > 0 ? (uint32_t)i : 0;
		number = number*l->side[k] + (whole < l->side[k] ? whole : 0);
	}
	return number;
}

uint32_t lattice_cell(const lattice *l, vec3 place)
{
	double corner[3], centre[3], to_corner = 0, to_centre = 0;
	for (int k = 0; k < 3; k++) {
		double u = coordinate(l, place, k);
		centre[k] = floor(u);
		corner[k] = floor(u + 0.5);
		to_corner += (u - corner[k])*(u - corner[k]);
		to_centre += (u - centre[k] - 0.5)*(u - centre[k] - 0.5);
	}
	if (!l->centred)
		return number_of(l, centre);
	bool odd = to_centre < to_corner;
	return number_of(l, odd ? centre : corner) + (odd ? l->cells/2 : 0);
}

int lattice_colour(const lattice *l, uint32_t cell)
{
	uint32_t odd = l->centred && cell >= l->cells/2, rest = cell - odd*(l->cells/2);
	uint32_t x = rest%l->side[0], y = rest/l->side[0]%l->side[1], z = rest/l->side[0]/l->side[1];
	if (l->centred)
		return (int)((2*(x + y - z) + odd) & 3);
	uint32_t parity[2] = {0, 0}, at[3] = {x, y, z};
	int cuts = 0;
	for (int k = 0; k < 3 && cuts < 2; k++)
		if (l->cut[k])
			parity[cuts++] = at[k] & 1;
	return (int)(parity[0] | parity[1] << 1);
}
