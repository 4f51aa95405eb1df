// SPDX-License-Identifier: MIT
// What the parts of the generator of scenes share: dice, and what has been decided so far.
#ifndef TALUS_CLI_SOAK_PLAN_H
#define TALUS_CLI_SOAK_PLAN_H

#include "base/random.h"
#include "base/vec.h"

#include <stdio.h>

typedef struct dice {
	uint64_t stream, count;
} dice;

static inline double roll(dice *d, double low, double high) { return low + (high - low)*random_unit(d->stream, d->count++); }
static inline bool chance(dice *d, double share) { return random_unit(d->stream, d->count++) < share; }
static inline int pick(dice *d, int n) { return (int)random_below(d->stream, d->count++, (uint32_t)n); }
static inline double roll_log(dice *d, double low, double high) { return low*pow(high/low, roll(d, 0, 1)); }

typedef enum soak_space { SPACE_OPEN, SPACE_BOX, SPACE_DRUM, SPACE_CONE, SPACE_CELL, SPACE_BATH, SPACE_DRIVE } soak_space;

typedef struct soak_plan {
	FILE *out;  // the scene
	FILE *csv;  // its grains.csv
	dice d;
	int dimension;
	bool crowd; // so many grains that threads share the work; few steps
	bool fast;  // grains move about a radius in a step
	double least, most; // radii
	double speed, density, step, gravity; // typical ones
	int steps;
	soak_space space;
	bool periodic[3];
	vec3 low, high;  // where grains are put at the start; along periodic directions, the cell
	double share;    // of that volume to be filled
	bool dense;      // with a packing at rest
	bool singles;    // some grains stand at its upper end: no walls there
	int materials;
	double range;    // longest reach of bonds
	int walls;       // so far
	int obstacles;   // of these, in the room
	int count;       // grains in fills
} soak_plan;

static inline double plan_edge(const soak_plan *p, int k) { return component(p->high, k) - component(p->low, k); }
static inline double plan_duration(const soak_plan *p) { return p->steps*p->step; }
double plan_shortest(const soak_plan *p); // edge of the room
double plan_mass(const soak_plan *p);     // of a large grain
double plan_volume(const soak_plan *p, double radius); // of a grain
vec3 plan_middle(const soak_plan *p);
vec3 plan_direction(soak_plan *p);        // of length 1, any
bool plan_deforms(const soak_plan *p);

void plan_vector(soak_plan *p, const char *key, vec3 v); // ", key: [x, y]"
void plan_place(soak_plan *p, vec3 v);                   // "[x, y]"
void plan_material(soak_plan *p);                        // ", material: NAME"

void plan_laws(soak_plan *p);   // materials and contacts; soak_laws.c
void plan_solver(soak_plan *p);
void plan_walls(soak_plan *p);  // soak_obstacles.c
void plan_grains(soak_plan *p); // soak_grains.c
void plan_radii(soak_plan *p);  // ", radius: ..."

#endif
