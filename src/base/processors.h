// SPDX-License-Identifier: MIT
// What the machine has.
#ifndef TALUS_BASE_PROCESSORS_H
#define TALUS_BASE_PROCESSORS_H

int processors_usable(void); // that this process may run on
int processors_cores(void);  // the same, those of one core counted once, and not more than a container's share of time

#endif
