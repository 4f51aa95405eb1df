// SPDX-License-Identifier: MIT
// What drives the cell: a pressure bath (a barostat), or stresses and rates component by component.
#ifndef TALUS_STATE_CELL_DRIVE_H
#define TALUS_STATE_CELL_DRIVE_H

#include "state/state.h"

bool cell_drive_deforms(const talus_cell_def *def);
bool cell_drive_never_rests(const talus_cell_def *def); // a rate goes on for ever
void cell_drive_start(world_state *state); // what has a rate has had it before the first step, too
void cell_drive_prepare(const world_state *state, talus_cell_unknowns *flow); // from the cell and the velocities before the step

// Grains that nobody pushes go straight on in the lab, so relative to the background their velocities change by -L v: implicit, with
// the rates that are given and, where a stress is wanted, those of the last step.
bool cell_drive_drags(const world_state *state); // not in a pressure bath
void cell_drive_gradient(const world_state *state, double gradient[3][3]);
vec3 cell_drive_drag(const world_state *state, const double gradient[3][3], size_t grain); // what its velocity gains within a step

// The cell, after its grains. A sheared one is cut anew when it leans too far: then true, and pairs must be found again.
bool cell_drive_advance(world_state *state, const talus_cell_unknowns *flow);

#endif
