// SPDX-License-Identifier: MIT
#include "run/due.h"

#include "run/rest.h"
#include "world.h"

#include <math.h>

// The number of multiples of `every` that lie behind after so many steps; a thousandth of a step forgives rounding.
static double multiples(uint64_t step, double step_length, double every)
{
	return floor(((double)step + 1e-3)*step_length/every);
}

bool due_at(uint64_t step, double step_length, double every)
{
	if (step == 0)
		return true;
	return every > 0 && multiples(step, step_length, every) > multiples(step - 1, step_length, every);
}

uint64_t due_last(uint64_t step, double step_length, double every)
{
	return due_at(step, step_length, every) ? step : step - 1;
}

bool due_end(const scene *s, const talus_world *world)
{
	double dt = world->state.def.step;
	if (s->until_time && (double)world->state.step*dt >= s->end_time - 0.5*dt)
		return true;
	if (!s->until_rest)
		return false;
	return rest_reached(world, s->rest) || (world->state.step > 0 && rest_deserted(world));
}
