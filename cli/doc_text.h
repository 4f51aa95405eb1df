// SPDX-License-Identifier: MIT
// Tables for people: on a terminal and as Markdown.
#ifndef TALUS_CLI_DOC_TEXT_H
#define TALUS_CLI_DOC_TEXT_H

#include <stdbool.h>

enum { DOC_KEY_WIDTH = 26, DOC_TEXT_WIDTH = 70 };

void doc_key(const char *key, int indent); // the first column; what follows goes into the second
void doc_wrapped(const char *text); // the second, in lines behind the first column; the first line goes on where the cursor stands
void doc_cell(const char *text, bool code); // of a Markdown table

#endif
