// SPDX-License-Identifier: MIT
// The text behind --sweep.
#include "fuzz.h"

#include "sweep.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = malloc(size + 1);
	sweep_axis axis = {0};
	talus_error error;
	if (!text)
		abort();
	memcpy(text, data, size);
	text[size] = 0;
	bool ok = sweep_axis_read(&axis, text, &error);
	sweep_axis_free(&axis);
	free(text);
	fuzz_count(ok);
	return 0;
}
