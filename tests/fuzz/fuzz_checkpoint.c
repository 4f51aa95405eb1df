// SPDX-License-Identifier: MIT
// A checkpoint, most with a fresh seal, read into the world of its scene; what is accepted goes on for a few steps.
#include "fuzz.h"

#include "apart.h"
#include "io/seal.h"
#include "state.h"

static unsigned sum_of(const uint8_t *data, size_t size)
{
	unsigned sum = 0;
	for (size_t i = 0; i < size; i++)
		sum += data[i];
	return sum;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	talus_error error;
	double seconds;
	checkpoint_head head;
	char path[128];
	fuzz_folder_put("checkpoint.h5", data, size);
	snprintf(path, sizeof path, "%s/checkpoint.h5", fuzz_folder());
	if (sum_of(data, size)%16 != 0 && !seal_write(path)) // as if it were whole: what it says is judged then
		abort();
	if (!apart_try_hdf5(path, true, &error)) {
		fuzz_count(false);
		return 0;
	}
	checkpoint_look(fuzz_folder(), &head, &error);
	scene *s = state_read();
	talus_world *world = scene_build(s, true, &error);
	bool ok = checkpoint_read(fuzz_folder(), world, &seconds, &error);
	fuzz_count(ok);
	for (int i = 0; i < 3 && ok; i++)
		talus_world_step(world);
	talus_world_destroy(world);
	scene_free(s);
	return 0;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed)
{
	static uint8_t *start;
	static size_t length;
	if (!start) {
		talus_error error;
		scene *s = state_read();
		talus_world *world = state_world(s);
		if (!checkpoint_write(fuzz_folder(), world, 1, &error))
			abort();
		talus_world_destroy(world);
		scene_free(s);
		start = fuzz_folder_get("checkpoint.h5", &length);
	}
	return fuzz_hdf5_mutate(data, size, most, seed, start, length);
}
