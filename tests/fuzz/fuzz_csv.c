// SPDX-License-Identifier: MIT
// Grains from a CSV file. The first byte chooses the dimension.
#include "fuzz.h"

#include "base/memory.h"
#include "io/csv.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	talus_grain_def *grains = NULL;
	size_t count = 0;
	talus_error error;
	if (size == 0)
		return 0;
	bool ok = csv_read_grains(fuzz_file(data + 1, size - 1), data[0]%2 ? 2 : 3, &grains, &count, &error);
	if (ok)
		memory_free(grains);
	fuzz_count(ok);
	return 0;
}
