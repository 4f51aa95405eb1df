// SPDX-License-Identifier: MIT
// The radial distribution of centres: how many grains have their centre at the distance r from that of another, over how
// many there would be if N - 1 of them were strewn evenly over the volume V,
//     g(r) = n(r)/(C (N - 1)/V * volume of the shell),
// n(r) counted around C centres: all of them, or every so many-th of a large packing. V is that of the stress: along open
// directions the extent of the grains, beyond which nobody is, so there g falls with r.
#include "observe/observe.h"

#include "state/bodies.h"
#include "state/cell.h"
#include "state/shape.h"

#include <string.h>

enum { MOST_CENTRES = 20000, FARTHEST = 4 }; // FARTHEST in mean diameters

typedef struct site {
	vec3 f;         // fraction of the cell along periodic directions, place along open ones
	int32_t box[3];
} site;

// Boxes not narrower than the range; who is in a box is found by hash, so that it does not matter how far grains spread.
typedef struct boxing {
	const talus_world *world;
	double range; // a length
	int32_t boxes[3]; // along periodic directions
	size_t grains, mask;
	site *site;       // sorted by slot
	uint32_t *start;  // per slot, one more at the end
} boxing;

static size_t slot_of(const boxing *g, const int32_t box[3])
{
	uint64_t key = 0;
	for (int k = 0; k < 3; k++)
		key = (key ^ (uint32_t)box[k])*0x9e3779b97f4a7c15u;
	return (size_t)(key >> 32) & g->mask;
}

static site site_of(const boxing *g, vec3 x)
{
	site s = {.f = cell_fraction(&g->world->state.cell, x)};
	for (int k = 0; k < g->world->state.def.dimension; k++) {
		double f = component(s.f, k);
		if (g->world->state.cell.periodic[k]) {
			f -= floor(f);
			set_component(&s.f, k, f);
			int32_t box = (int32_t)(f*g->boxes[k]);
			s.box[k] = box < g->boxes[k] ? box : g->boxes[k] - 1;
		} else {
			s.box[k] = (int32_t)fmax(-1e9, fmin(1e9, floor(f/g->range)));
		}
	}
	return s;
}

static void boxing_fill(boxing *g)
{
	const bodies *b = &g->world->state.bodies;
	size_t slots = 16;
	while (slots < b->count)
		slots *= 2;
	g->mask = slots - 1;
	g->grains = b->count;
	g->site = memory_grow(NULL, 0, b->count*sizeof *g->site);
	g->start = memory_grow(NULL, 0, (slots + 2)*sizeof *g->start);
	memset(g->start, 0, (slots + 2)*sizeof *g->start);
	for (size_t i = 0; i < b->count; i++)
		g->start[slot_of(g, site_of(g, b->x[i]).box) + 2]++;
	for (size_t s = 2; s < slots + 2; s++)
		g->start[s] += g->start[s - 1];
	for (size_t i = 0; i < b->count; i++) {
		site s = site_of(g, b->x[i]);
		g->site[g->start[slot_of(g, s.box) + 1]++] = s;
	}
}

// ---------------------------------------------------------------- counting

static double nearest_part(double f)
{
	return f > 0.5 ? f - 1 : f < -0.5 ? f + 1 : f;
}

static vec3 way(const cell *c, vec3 from, vec3 to)
{
	vec3 f = sub(to, from);
	if (c->periodic[0])
		f.x = nearest_part(f.x);
	if (c->periodic[1])
		f.y = nearest_part(f.y);
	if (c->periodic[2])
		f.z = nearest_part(f.z);
	return cell_apply(c->h, f);
}

static void count_in(const boxing *g, size_t centre, const int32_t box[3], size_t count[])
{
	const site *me = &g->site[centre];
	size_t slot = slot_of(g, box);
	for (size_t i = g->start[slot]; i < g->start[slot + 1]; i++) {
		const site *s = &g->site[i];
		if (i == centre || s->box[0] != box[0] || s->box[1] != box[1] || s->box[2] != box[2])
			continue;
		double place = norm(way(&g->world->state.cell, me->f, s->f))/g->range*RADIAL_BINS;
		if (place < RADIAL_BINS)
			count[(int)place]++;
	}
}

// Boxes beside number `box` along a direction, each once; returns how many.
static int error_cells_beside(const boxing *g, int k, int32_t box, int32_t beside[3])
{
	if (k >= g->world->state.def.dimension) {
		beside[0] = box;
		return 1;
	}
	bool around = g->world->state.cell.periodic[k];
	int32_t all = g->boxes[k];
	int count = around && all < 3 ? all : 3;
	for (int i = 0; i < count; i++)
		beside[i] = !around ? box + i - 1 : all < 3 ? i : (box + i - 1 + all)%all;
	return count;
}

static void count_around(const boxing *g, size_t centre, size_t count[])
{
	int32_t beside[3][3];
	int boxes[3];
	for (int k = 0; k < 3; k++)
		boxes[k] = error_cells_beside(g, k, g->site[centre].box[k], beside[k]);
	for (int i = 0; i < boxes[0]; i++)
		for (int j = 0; j < boxes[1]; j++)
			for (int k = 0; k < boxes[2]; k++)
				count_in(g, centre, (int32_t[3]){beside[0][i], beside[1][j], beside[2][k]}, count);
}

// ---------------------------------------------------------------- the numbers

// Up to half the smallest height of the cell nobody is met twice.
static double find_range(const talus_world *world, double diameter)
{
	double range = FARTHEST*diameter;
	for (int k = 0; k < world->state.def.dimension; k++)
		if (world->state.cell.periodic[k])
			range = fmin(range, 0.5*cell_height(&world->state.cell, k));
	return range;
}

radial_state observe_radial_around(const talus_world *world, size_t most)
{
	size_t grains = world->state.bodies.count;
	int dimension = world->state.def.dimension;
	if (grains < 2)
		return (radial_state){0};
	radial_state s = {.diameter = 2*bodies_mean_radius(&world->state.bodies, world->state.team)};
	boxing g = {.world = world, .range = find_range(world, s.diameter)};
	for (int k = 0; k < dimension; k++)
		if (world->state.cell.periodic[k])
			g.boxes[k] = (int32_t)fmin(1e6, fmax(1, floor(cell_height(&world->state.cell, k)/g.range)));
	boxing_fill(&g);
	size_t every = (grains + most - 1)/most;
	for (size_t i = 0; i < grains; i += every, s.centres++)
		count_around(&g, i, s.count);
	memory_free(g.site);
	memory_free(g.start);
	s.range = g.range/s.diameter;
	double even = (double)s.centres*(double)(grains - 1)/observe_extent(world).volume, width = g.range/RADIAL_BINS;
	for (int k = 0; k < RADIAL_BINS; k++)
		s.g[k] = (double)s.count[k]/
		         (even*(shape_volume(dimension, (k + 1)*width) - shape_volume(dimension, k*width)));
	return s;
}

radial_state observe_radial(const talus_world *world)
{
	return observe_radial_around(world, MOST_CENTRES);
}

// ---------------------------------------------------------------- observables

typedef struct radial_found {
	radial_state all;
	int bins;
	double range[2];
} radial_found;

static void radial_measure(observations *seen, void *result)
{
	radial_state all = observe_radial(seen->world);
	*(radial_found *)result = (radial_found){all, RADIAL_BINS, {0, all.range}};
}

// For frames: that of all centres would cost more than a hundred of them.
enum { FRAME_CENTRES = 200 };

static void rough_measure(observations *seen, void *result)
{
	*(radial_state *)result = observe_radial_around(seen->world, FRAME_CENTRES);
}

static const measurement radial_measurement = {sizeof(radial_found), radial_measure};
static const measurement rough_measurement = {sizeof(radial_state), rough_measure};
#define RADIAL(member) OBSERVABLE_AT(radial_measurement, radial_found, member)
#define ROUGH(member) OBSERVABLE_AT(rough_measurement, radial_state, member)

const observable radial_observables[] = {
	{"radial", "radial distribution of centres around at most 200 of them", "", ROUGH(g), .shape = TALUS_LIST,
	 .length = RADIAL_BINS, .frames = 32},
	{"radial_range", "where the bins of radial end, in mean diameters", "", ROUGH(range), .frames = 33},
	{"distributions.radial.bins", "bins of the radial distribution", "", RADIAL(bins), .summary = 65},
	{"distributions.radial.range", "where the bins of the radial distribution begin and end, in mean diameters", "",
	 RADIAL(range), .shape = TALUS_LIST, .length = 2, .summary = 66},
	{"distributions.radial.diameter", "mean diameter", "L", RADIAL(all.diameter), .summary = 67},
	{"distributions.radial.centres", "grains around which others were counted for it", "", RADIAL(all.centres),
	 .summary = 68},
	{"distributions.radial.counts", "grains in the bins of the radial distribution", "", RADIAL(all.count),
	 .shape = TALUS_LIST, .length = RADIAL_BINS, .summary = 69},
	{"distributions.radial.g", "radial distribution of centres", "", RADIAL(all.g), .shape = TALUS_LIST,
	 .length = RADIAL_BINS, .summary = 70},
	{0},
};
