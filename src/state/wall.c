// SPDX-License-Identifier: MIT
// Walls, whatever their shape: where one is, and how it moves. Shapes are in state/wall/.
#include "state/wall.h"

#include "state/wall/shapes.h"

#include <assert.h>
#include <string.h>

static const double two_pi = 2*M_PI;

void wall_init(wall *w, const talus_wall_def *def)
{
	memset(w, 0, sizeof *w);
	w->def = *def;
	w->shape = wall_shape_of((int)def->kind);
	assert(w->shape);
	if (w->shape->settle)
		w->shape->settle(&w->def);
	w->def.axis = unit(w->def.axis);
	w->thin = w->shape->thin && w->shape->thin(&w->def);
	double length = norm(def->oscillate_direction);
	if (length > 0)
		w->def.oscillate_direction = mul(1/length, def->oscillate_direction);
	wall_place(w);
}

bool wall_is_piston(const wall *w)
{
	return w->def.mass > 0;
}

bool wall_spins(const wall *w)
{
	return w->def.spin != 0;
}

// ---------------------------------------------------------------- motion

static vec3 pivot_at_start(const wall *w)
{
	return w->shape->pivot ? w->shape->pivot(&w->def) : w->def.point;
}

vec3 wall_pivot(const wall *w)
{
	return add(pivot_at_start(w), w->shift);
}

static vec3 carried(const wall *w, vec3 point)
{
	vec3 pivot = pivot_at_start(w), arm = sub(point, pivot);
	return add(add(pivot, w->shift), w->angle == 0 ? arm : turn(arm, w->def.axis, w->angle));
}

void wall_place(wall *w)
{
	w->axis = w->def.axis; // spin is about the axis: it stays
	w->point = carried(w, w->def.point);
	w->to = carried(w, w->def.to);
	w->hole_at = carried(w, w->def.hole_at);
}

static vec3 path_since(const wall *w, double time)
{
	const talus_wall_def *d = &w->def;
	double then = d->oscillate_frequency*w->set.since + d->oscillate_phase;
	double swing = sin(two_pi*(d->oscillate_frequency*time + d->oscillate_phase)) - sin(two_pi*then);
	vec3 way = add(mul(time - w->set.since, d->velocity), mul(d->oscillate_amplitude*swing, d->oscillate_direction));
	return add(w->set.shift, way);
}

// Displacement of a prescribed wall since the start, exact at any time.
static vec3 path(const wall *w, double time)
{
	const talus_wall_def *d = &w->def;
	if (w->set.any)
		return path_since(w, time);
	double swing = sin(two_pi*(d->oscillate_frequency*time + d->oscillate_phase)) - sin(two_pi*d->oscillate_phase);
	return add(mul(time, d->velocity), mul(d->oscillate_amplitude*swing, d->oscillate_direction));
}

void wall_begin_step(wall *w, double time, double dt)
{
	if (wall_is_piston(w))
		return;
	w->v = mul(1/dt, sub(path(w, time + dt), path(w, time)));
	w->w = w->def.spin;
}

void wall_end_step(wall *w, double time, double dt)
{
	w->moved += dt*wall_top_speed(w);
	w->shift = wall_is_piston(w) ? mul_add(w->shift, dt, w->v) : path(w, time + dt);
	w->angle = w->set.any ? w->set.angle + w->def.spin*(time + dt - w->set.since) : w->def.spin*(time + dt);
	wall_place(w);
}

talus_wall_def wall_as_given(const wall *w)
{
	talus_wall_def def = w->def;
	if (w->set.any) {
		def.velocity = w->set.velocity;
		def.force = w->set.force;
		def.spin = w->set.spin;
	}
	return def;
}

void wall_set_motion(wall *w, vec3 velocity, double spin, vec3 force, double time)
{
	talus_wall_def given = wall_as_given(w);
	w->set = (wall_set){.any = true, .velocity = given.velocity, .force = given.force, .spin = given.spin,
	                    .since = time, .shift = w->shift, .angle = w->angle};
	w->def.velocity = velocity;
	w->def.spin = spin;
	w->def.force = force;
}

vec3 wall_velocity_at(const wall *w, vec3 image, vec3 point)
{
	return add(w->v, mul(w->w, cross(w->axis, sub(point, add(wall_pivot(w), image)))));
}

double wall_top_speed(const wall *w)
{
	double arm = w->shape->arm ? w->shape->arm(&w->def) : 0;
	return norm(w->v) + fabs(w->w)*arm;
}
