// SPDX-License-Identifier: MIT
// The frames of a run, run.h5, as pictures and info read them.
#include "fuzz.h"

#include "apart.h"
#include "state.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	talus_error error;
	size_t count = 0;
	uint64_t *step = NULL;
	double *time = NULL;
	bool good = false;
	char path[128];
	fuzz_folder_put("run.h5", data, size);
	snprintf(path, sizeof path, "%s/run.h5", fuzz_folder());
	if (apart_try_hdf5(path, true, &error) && frames_list(fuzz_folder(), &count, &step, &time, &error)) {
		frames_list_free(step, time);
		for (size_t i = 0; i < count && i < 4; i++) {
			frame *f = frame_read(fuzz_folder(), i, &error);
			good = good || f;
			if (f)
				frame_free(f);
		}
	}
	fuzz_count(good);
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
		if (!frames_create(fuzz_folder(), world, "seed", &error) || !frames_append(fuzz_folder(), world, &error))
			abort();
		talus_world_step(world);
		if (!frames_append(fuzz_folder(), world, &error))
			abort();
		talus_world_destroy(world);
		scene_free(s);
		start = fuzz_folder_get("run.h5", &length);
	}
	return fuzz_hdf5_mutate(data, size, most, seed, start, length);
}
