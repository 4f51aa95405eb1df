// SPDX-License-Identifier: MIT
// Limits that more than one file knows.
#ifndef TALUS_STATE_LIMITS_H
#define TALUS_STATE_LIMITS_H

// Where the cell follows a stress, one lighter than so many times stress step^2 counts as that: it would collapse or fly apart at once.
#define CELL_DRIVE_LIGHTEST 500

#define STATE_LEAST_WIDTH 2.5 // of a periodic cell, in largest diameters: so no two grains meet twice

// An approach that is slower than so many kicks by outer forces, those of one step, counts as rest: no contact bounces then. One kick is what
// grains at rest get in every step; three leave room for what sweeps have not found yet.
#define REST_KICKS 3

#endif
