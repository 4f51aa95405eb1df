// SPDX-License-Identifier: MIT
// What is measured and stored, from the tables by which it is: observables, columns of grains.
#ifndef TALUS_CLI_DOC_OBSERVABLES_H
#define TALUS_CLI_DOC_OBSERVABLES_H

#include <stdbool.h>

void doc_observables(bool markdown);
bool doc_observable(const char *name); // one of them; false: there is none of this name
void doc_columns(bool markdown);

#endif
