// SPDX-License-Identifier: MIT
#include "state/state.h"

#include "state/materials.h"
#include "state/shape.h"

#include <assert.h>
#include <math.h>
#include <string.h>

// ---------------------------------------------------------------- materials, grains

void state_add_materials(world_state *st, const talus_material *list, int count)
{
	int n = st->materials, m = n + count;
	talus_pair *fresh = memory_grow(NULL, 0, (size_t)m*(size_t)m*sizeof *fresh);
	for (int a = 0; a < m; a++)
		for (int b = 0; b < m; b++)
			fresh[a*m + b] = a < n && b < n ? st->pair[a*n + b] : (talus_pair){.a = a, .b = b};
	memory_free(st->pair);
	st->pair = fresh;
	st->material = memory_grow(st->material, (size_t)n*sizeof *st->material, (size_t)m*sizeof *st->material);
	memcpy(&st->material[n], list, (size_t)count*sizeof *list);
	st->materials = m;
}

uint32_t state_add_grain(world_state *st, const talus_grain_def *def)
{
	assert(def->material >= 0 && def->material < st->materials && def->radius > 0);
	assert(st->def.dimension == 3 || (def->at.z == 0 && def->velocity.z == 0));
	assert(st->bodies.next_id < BODIES_IDS);
	return bodies_add(&st->bodies, def, st->def.dimension, st->material[def->material].density);
}

// ---------------------------------------------------------------- how near is too near

double state_longest_range(const world_state *st)
{
	double range = 0;
	for (int i = 0; i < st->materials*st->materials; i++)
		range = fmax(range, st->pair[i].cohesion > 0 ? st->pair[i].range : 0);
	return range;
}

double state_least_width(const world_state *st)
{
	double diameter = 0, range = state_longest_range(st);
	for (size_t i = 0; i < st->bodies.count; i++)
		diameter = fmax(diameter, 2*st->bodies.radius[i]);
	return range > 0 ? fmax(STATE_LEAST_WIDTH*diameter, 2*(diameter + range)) : STATE_LEAST_WIDTH*diameter;
}

int state_too_narrow_axis(const world_state *st)
{
	double least = state_least_width(st);
	for (int k = 0; k < 3; k++)
		if (st->cell.periodic[k] && cell_height(&st->cell, k) < least)
			return k;
	return -1;
}

// ---------------------------------------------------------------- what bodies are free to do

static unsigned all_translations(const world_state *st)
{
	return TALUS_FREE_X | TALUS_FREE_Y | (st->def.dimension == 3 ? TALUS_FREE_Z : 0u);
}

// The wall that has this line, or NULL.
static const wall *wall_of(const world_state *st, uint32_t line)
{
	size_t grains = st->bodies.count;
	return line >= grains && line - grains < (size_t)st->walls.count ? &st->walls.at[line - grains] : NULL;
}

static bool is_piston(const world_state *st, uint32_t line)
{
	const wall *w = wall_of(st, line);
	return w && wall_is_piston(w);
}

vec3 state_inverse_mass(const world_state *st, uint32_t line)
{
	double mass = line < st->bodies.count ? st->bodies.mass[line] : is_piston(st, line) ? wall_of(st, line)->def.mass : 0;
	if (mass == 0)
		return vec(0, 0, 0);
	unsigned free = line < st->bodies.count ? st->bodies.free[line] : wall_of(st, line)->def.free;
	free &= all_translations(st);
	double inverse = 1/mass;
	return vec(free & TALUS_FREE_X ? inverse : 0, free & TALUS_FREE_Y ? inverse : 0, free & TALUS_FREE_Z ? inverse : 0);
}

static bool restricted(const world_state *st, uint32_t line)
{
	return line < st->bodies.count && bodies_partly_locked(&st->bodies, line, st->def.dimension);
}

// Grains that it may push to where there is no way.
static bool stops_piston(const world_state *st, uint32_t grain)
{
	return (st->bodies.free[grain] & all_translations(st)) == 0;
}

// Where it is free to slide, what friction does depends on its velocity by more than Newton's method can follow if it is light.
static bool is_light(const world_state *st, const wall *w)
{
	static const double share = 0.1; // of a grain
	double densest = 0;
	for (int m = 0; m < st->materials; m++)
		densest = fmax(densest, st->material[m].density);
	unsigned free = w->def.free & all_translations(st);
	bool slides = (free & (free - 1)) != 0; // in more than one direction
	return wall_is_piston(w) && slides && w->def.mass < share*densest*shape_volume(st->def.dimension, st->mean_radius);
}

static bool goes_one_by_one(const world_state *st, uint32_t piston, uint32_t grain)
{
	return is_piston(st, piston) && (stops_piston(st, grain) || wall_of(st, piston)->light);
}

int state_contact_kind(const world_state *st, uint32_t a, uint32_t b, uint32_t index)
{
	if (st->any_full_mass && (restricted(st, a) || restricted(st, b) || goes_one_by_one(st, a, b)))
		return FULL_MASS;
	return st->cell_deforms || (st->any_extended && pair_is_extended(state_pair(st, a, b, index))) ? EXTENDED : PLAIN;
}

static bool held(const world_state *st, unsigned free)
{
	return (~free & (all_translations(st) | TALUS_FREE_SPIN)) != 0;
}

void state_refresh(world_state *st)
{
	st->any_full_mass = st->any_extended = st->any_bounce = st->any_held = false;
	for (size_t i = 0; i < st->bodies.count; i++) {
		st->any_full_mass |= bodies_partly_locked(&st->bodies, i, st->def.dimension);
		st->any_held |= held(st, st->bodies.free[i]);
	}
	for (int w = 0; w < st->walls.count; w++) {
		st->walls.at[w].light = is_light(st, &st->walls.at[w]);
		st->any_full_mass |= wall_is_piston(&st->walls.at[w]);
	}
	for (int i = 0; i < st->materials*st->materials; i++) {
		const talus_pair *law = &st->pair[i];
		st->any_extended |= pair_is_extended(law);
		st->any_bounce |= law->restitution > 0 || law->tangential_restitution > 0;
	}
}

vec3 state_wall_image(const world_state *st, const wall *w, uint32_t grain, uint32_t image)
{
	return wall_image(w, &st->cell, st->bodies.x[grain], st->bodies.image[grain], image);
}
