// SPDX-License-Identifier: MIT
// Being asked to stop by a signal, for the commands that run long.
#ifndef TALUS_CLI_STOP_H
#define TALUS_CLI_STOP_H

void stop_listen(void); // from now on
void stop_plain(void);  // a pipe that nobody reads is a failed write, and kills nobody
int stop_asked(void);   // the signal that asked, 0: none
const char *stop_name(void); // its name, as SIGINT

#endif
