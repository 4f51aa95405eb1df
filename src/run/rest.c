// SPDX-License-Identifier: MIT
// Is there nothing left to wait for?
#include "run/rest.h"

#include "state/cell_drive.h"
#include "observe/observe.h"
#include "world.h"

#include <math.h>

static bool pours_complete(const talus_world *world)
{
	for (int i = 0; i < world->pours.count; i++)
		if (world->pours.at[i].poured < world->pours.at[i].def.count)
			return false;
	return true;
}

bool rest_deserted(const talus_world *world)
{
	for (size_t i = 0; i < world->state.bodies.count; i++)
		if (world->state.bodies.free[i])
			return false;
	return pours_complete(world);
}

static const double carried = 1e-6; // a stress outside counts as carried by the grains within this share of it

// How fast a cell that deforms takes neighbours apart.
static double cell_speed(const talus_world *world)
{
	double most = 0;
	for (int k = 0; k < 9; k++)
		most = fmax(most, fabs(world->state.cell.rate[k/3][k%3]));
	return 2*world->state.mean_radius*most;
}

bool rest_reached(const talus_world *world, double limit)
{
	if (world->state.step == 0 || !pours_complete(world) || cell_drive_never_rests(&world->state.def.cell))
		return false;
	motion_state motion = observe_motion(world);
	return motion.network && !motion.falling && motion.mean_speed < limit && motion.mean_acceleration < limit &&
	       cell_speed(world) < limit && observe_imbalance(world) < carried;
}
