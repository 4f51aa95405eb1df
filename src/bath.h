// SPDX-License-Identifier: MIT
// What drives the cell: a pressure bath, or stresses and rates component by component.
#ifndef TALUS_BATH_H
#define TALUS_BATH_H

#include "world.h"

bool bath_flows(const talus_cell_def *def);
bool bath_never_rests(const talus_cell_def *def); // a rate goes on for ever
void bath_start(talus_world *world);   // what has a rate has had it before the first step, too
void bath_prepare(talus_world *world); // world->flow, from the cell and the velocities before the step

// Grains that nobody pushes go straight on in the lab, so relative to the background their velocities change by -L v: implicit, with
// the rates that are given and, where a stress is wanted, those of the last step.
bool bath_drags(const talus_world *world); // not in a pressure bath
void bath_gradient(const talus_world *world, double gradient[3][3]);
vec3 bath_drag(const talus_world *world, const double gradient[3][3], size_t grain); // what its velocity gains within a step

void bath_advance(talus_world *world); // the cell, after its grains; a sheared one is cut anew when it leans too far

#endif
