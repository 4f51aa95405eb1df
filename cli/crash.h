// SPDX-License-Identifier: MIT
// What the program says when it ends as no program should.
#ifndef TALUS_CLI_CRASH_H
#define TALUS_CLI_CRASH_H

// From now on a failed assert, or a crash, ends with a sentence and the exit code EXIT_BUG, and no memory with EXIT_FAILED.
void crash_listen(void);

#endif
