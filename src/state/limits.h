// SPDX-License-Identifier: MIT
// Limits that more than one file knows.
#ifndef TALUS_STATE_LIMITS_H
#define TALUS_STATE_LIMITS_H

// Where the cell follows a stress, one lighter than so many times stress step^2 counts as that: it would collapse or fly apart at once.
#define CELL_DRIVE_LIGHTEST 500

#define STATE_LEAST_WIDTH 2.5 // of a periodic cell, in largest diameters: so no two grains meet twice

#endif
