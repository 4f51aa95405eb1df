// SPDX-License-Identifier: MIT
// The numbers about a packing that the log has in every row and the summary at the end, in their order.
#include "observe/observe.h"

const char *const packing_names[PACKING_NUMBERS] = {
	"stress_contact_pressure", "stress_kinetic_pressure", "deviator", "fabric_xx", "fabric_yy", "fabric_zz",
	"fabric_xy", "fabric_xz", "fabric_yz", "anisotropy", "coordination_network", "weak_share",
	"weak_pressure_share", "pull_share", "mobilisation", "sliding_share", "temperature", "spin_temperature",
};

void observe_packing(const talus_world *world, const stress_state *stress, double number[PACKING_NUMBERS])
{
	fabric_state f = observe_fabric(world);
	network_state network = observe_network(world);
	forces_state forces = observe_forces(world);
	temperature_state t = observe_temperature(world);
	const double all[PACKING_NUMBERS] = {
		stress->contact_pressure, stress->kinetic_pressure, stress->deviator, f.fabric[0][0], f.fabric[1][1],
		f.fabric[2][2], f.fabric[0][1], f.fabric[0][2], f.fabric[1][2], f.anisotropy, network.coordination,
		forces.weak_share, forces.weak_pressure_share, forces.pull_share, forces.mobilisation, forces.sliding_share,
		t.motion, t.spin,
	};
	for (int i = 0; i < PACKING_NUMBERS; i++)
		number[i] = all[i];
}
