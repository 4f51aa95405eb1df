// SPDX-License-Identifier: MIT
// What drives the cell: a pressure bath, or stresses and rates component by component.
#ifndef TALUS_BATH_H
#define TALUS_BATH_H

#include "world.h"

bool bath_flows(const talus_cell_def *def);
bool bath_never_rests(const talus_cell_def *def); // a rate goes on for ever
void bath_prepare(talus_world *world); // world->flow, from the cell and the velocities before the step
void bath_advance(talus_world *world); // the cell, after its grains; a sheared one is cut anew when it leans too far

#endif
