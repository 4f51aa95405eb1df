// SPDX-License-Identifier: MIT
#include "state/materials.h"

bool pair_is_extended(const talus_pair *pair)
{
	return pair->static_friction > pair->friction || pair->restitution > 0 || pair->tangential_restitution > 0 ||
	       pair->rolling + pair->rolling_length > 0 || pair->torsion + pair->torsion_length > 0 || pair->cohesion > 0;
}
