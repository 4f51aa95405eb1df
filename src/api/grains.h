// SPDX-License-Identifier: MIT
// Grains that come and go between steps: contacts of the last step follow, and the energy they bring or take is counted.
#ifndef TALUS_API_GRAINS_H
#define TALUS_API_GRAINS_H

#include "world.h"

void grains_about_to_change(talus_world *world);
void grains_have_come(talus_world *world, size_t before); // those from row `before` on
double grains_energy(const talus_world *world, size_t row);

#endif
