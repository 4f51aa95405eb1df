// SPDX-License-Identifier: MIT
// Walls: where a grain touches one, and how walls move.
#ifndef TALUS_WALL_H
#define TALUS_WALL_H

#include "state/cell.h"
#include "state/wall/shape.h"

// A motion or force that was set after the start: def has it, and what it was is here.
typedef struct wall_set {
	bool any;
	vec3 velocity, force; // as they were given
	double spin;
	double since;         // time from which on the new ones hold, and where it was then
	vec3 shift;
	double angle;
} wall_set;

typedef struct wall {
	talus_wall_def def;
	wall_set set;
	const wall_shape *shape;
	vec3 shift;      // displacement since the start
	double angle;    // turned since the start
	vec3 v;          // velocity during this step
	double w;        // spin during this step, about axis
	// geometry at the start of this step, made from def, shift and angle
	vec3 point, to, axis, hole_at;
	vec3 force, torque; // by the grains, last step
	double moved;    // farthest that a point of it has come since the pair list was made
	vec3 shift_listed; // shift and angle then
	double angle_listed;
	double skin;     // how far it may come
	// periodic directions in which it has images, a bit each (wall_image.c)
	unsigned images;  // a grain may meet several of them
	unsigned nearest; // it meets the nearest: that of a hole, or of the inside of a cylinder
	bool thin;        // touched from both sides: a grain might pass through it
	bool light;       // a piston that friction may carry along: contacts move it one by one
} wall;

typedef struct walls {
	int count, capacity;
	wall *at;
} walls;

void wall_init(wall *wall, const talus_wall_def *def);
talus_wall_def wall_as_given(const wall *wall); // its def, without what was set after the start
void wall_set_motion(wall *wall, vec3 velocity, double spin, vec3 force, double time); // from this time on
bool wall_is_piston(const wall *wall);
bool wall_spins(const wall *wall);

// Places where a sphere at x of radius r comes closer to an image of the wall than `range`; returns how many. An image is
// given by the lattice vector from the wall to it: 0 for the wall itself.
static inline int wall_touch(const wall *w, vec3 image, int dimension, vec3 x, double r, double range, touch touches[WALL_TOUCHES])
{
	return w->shape->touch(w, image, dimension, x, r, range, touches);
}

// How much farther from the wall than along a straight one a centre at x gets by moving a way off; n as in the touch. Negative
// inside what is round.
static inline double wall_curvature(const wall *w, vec3 image, int dimension, vec3 x, vec3 n, vec3 way)
{
	return w->shape->curvature ? w->shape->curvature(w, image, dimension, x, n, way) : 0;
}

static inline wall_beyond wall_beyond_of(const wall *w)
{
	return w->shape->beyond ? w->shape->beyond(&w->def) : (wall_beyond){NULL, NULL};
}

void wall_begin_step(wall *wall, double time, double dt); // prescribed velocities of the step that starts at `time`
void wall_end_step(wall *wall, double time, double dt);   // moves it; `time` is that of the start of the step
void wall_place(wall *wall);                              // geometry from shift and angle
vec3 wall_pivot(const wall *wall);                        // spin and torque are about this point
vec3 wall_velocity_at(const wall *wall, vec3 image, vec3 point);
double wall_top_speed(const wall *wall); // of any point that changes its shape in space

// wall_image.c. The images of a wall have numbers, 0 to 7, which name the same one for a grain as long as the two are in
// touch. Without periodic directions there is 0 alone.
void wall_find_images(wall *wall, const cell *cell);     // in which directions there are any
bool wall_next_image(const wall *wall, unsigned *image); // from 0 through all that a grain may meet; false: that was the last
// The lattice vector to an image, for a grain at x that was wrapped so many times.
vec3 wall_image(const wall *wall, const cell *cell, vec3 x, const int32_t turns[3], unsigned image);
bool wall_overlaps(const wall *wall, const cell *cell, int dimension, vec3 x, double r, double range); // any image of it
double wall_middle(const wall *wall, int direction);     // half way between its ends
double wall_width(const wall *wall, int direction);      // of the wall or its hole, along a direction in which it has images
// A direction in which images are too close for a grain of this diameter to touch only one; -1: there is none.
int wall_too_wide(const wall *wall, const cell *cell, double diameter);

// From its pivot to where that image is touched. Along a periodic direction in which it has no end: from the nearest pivot.
vec3 wall_arm(const wall *wall, const cell *cell, vec3 image, vec3 at);

#endif
