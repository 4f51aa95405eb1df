// SPDX-License-Identifier: MIT
// Walls: where a grain touches one, and how walls move.
#ifndef TALUS_WALL_H
#define TALUS_WALL_H

#include "world.h"

typedef struct touch {
	vec3 n;     // from the wall to the grain
	double gap; // negative: overlap
	int feature; // tells the places apart where one grain touches one wall
} touch;

enum { WALL_TOUCHES = 4 };

void wall_init(wall *wall, const talus_wall_def *def);
bool wall_is_piston(const wall *wall);
bool wall_spins(const wall *wall);

// Places where a sphere at x of radius r comes closer to the wall than `range`; returns how many.
int wall_touch(const wall *wall, int dimension, vec3 x, double r, double range, touch touches[WALL_TOUCHES]);

// How much farther from the wall than along a straight one a centre at x gets by moving a way off; n as in the touch. Negative
// inside a cylinder or a cone.
double wall_bend(const wall *wall, int dimension, vec3 x, vec3 n, vec3 way);

void wall_begin_step(wall *wall, double time, double dt); // prescribed velocities of the step that starts at `time`
void wall_end_step(wall *wall, double time, double dt);   // moves it; `time` is that of the start of the step
void wall_place(wall *wall);                              // geometry from shift and angle
vec3 wall_pivot(const wall *wall);                        // spin and torque are about this point
vec3 wall_velocity_at(const wall *wall, vec3 point);
double wall_top_speed(const wall *wall); // of any point that changes its shape in space

#endif
