// SPDX-License-Identifier: MIT
// The name that was meant, for messages about misspelt ones.
#ifndef TALUS_BASE_NEAREST_H
#define TALUS_BASE_NEAREST_H

// The name among `names` (ends with NULL) that is nearest to `word`; NULL if none is near.
const char *nearest_name(const char *word, const char *const *names);

#endif
