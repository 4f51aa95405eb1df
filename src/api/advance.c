// SPDX-License-Identifier: MIT
// Steps until something is reached.
#include "api/api.h"
#include "base/clock.h"
#include "base/error.h"

#include <math.h>

talus_step_report talus_world_step(talus_world *world)
{
	if (api_may_step(world)) {
		world_step(world);
		world_report(world);
	}
	return world->report;
}

static bool limits_make_sense(talus_world *world, double until_time, uint64_t most_steps, double most_seconds)
{
	talus_error *error = api_error(world);
	if (isnan(until_time) || isnan(most_seconds) || most_seconds < 0)
		return error_set(error, "a world cannot advance until time %g within %g seconds", until_time, most_seconds);
	bool endless = most_steps == 0 && !(most_seconds > 0 && isfinite(most_seconds));
	return until_time < INFINITY || !endless || error_set(error, "without a time, a number of steps or of seconds this would never end");
}

talus_stopped talus_world_advance(talus_world *world, double until_time, uint64_t most_steps, double most_seconds)
{
	if (!api_may_step(world) || !limits_make_sense(world, until_time, most_steps, most_seconds))
		return TALUS_STOPPED_REFUSED;
	double start = clock_now(), dt = world->state.def.step;
	talus_stopped why = TALUS_STOPPED_TIME;
	for (uint64_t made = 0; (double)world->state.step*dt < until_time - 0.5*dt; made++) {
		if (most_steps > 0 && made >= most_steps) {
			why = TALUS_STOPPED_STEPS;
			break;
		}
		if (most_seconds > 0 && made > 0 && clock_now() - start >= most_seconds) {
			why = TALUS_STOPPED_SECONDS;
			break;
		}
		world_step(world);
	}
	world_report(world); // what is found only when somebody asks
	return why;
}
