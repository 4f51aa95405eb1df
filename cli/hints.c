// SPDX-License-Identifier: MIT
#include "hints.h"

#include <stdio.h>
#include <string.h>

typedef struct hint {
	const char *code, *text;
} hint;

static const hint hints[] = {
	{"not_a_folder", "; choose another one with -o"},
	{"sweep_in_folder", "; choose another one with -o"},
	{"run_in_folder", "; --force replaces it, -o chooses another folder"},
	{"scene_in_folder", "; choose another folder with -o"},
	{"no_checkpoint_yet", "; start it again with talus run --force"},
};

int hints_error(const talus_error *error, const char *code, int exit_code)
{
	talus_error told = *error;
	size_t used = strlen(told.text);
	for (size_t i = 0; i < sizeof hints/sizeof *hints; i++)
		if (strcmp(hints[i].code, code) == 0)
			snprintf(told.text + used, sizeof told.text - used, "%s", hints[i].text);
	return cli_error(&told, exit_code);
}
