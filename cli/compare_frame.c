// SPDX-License-Identifier: MIT
// The last frame that two runs have in common: its numbers, and how normal forces are distributed.
#include "compare.h"

#include "base/memory.h"
#include "io/frames.h"

#include <math.h>

const char *const frame_numbers[NUMBERS] = {"mean_force",   "coordination", "coordination_network",
                                            "mobilisation", "anisotropy",   "volume_fraction"};

// ---------------------------------------------------------------- which

// Frames are written at the end of a step, so that with other steps the same moment is another one by up to a step.
static bool frame_choose(const compared_run run[RUNS], double latest, size_t index[RUNS])
{
	double slack = 1.001*fmax(run[A].scene->world.step, run[B].scene->world.step);
	size_t i = run[A].frames, j = run[B].frames;
	while (i > 0 && j > 0) {
		double a = run[A].frame_time[i - 1], b = run[B].frame_time[j - 1];
		if (a > b + slack) {
			i--;
		} else if (b > latest + slack || b > a + slack) {
			j--;
		} else {
			index[A] = i - 1;
			index[B] = j - 1;
			return true;
		}
	}
	return false;
}

// ---------------------------------------------------------------- normal forces

static double normal_force(const frame *f, size_t contact)
{
	const double *n = f->n[contact], *force = f->force[contact];
	return n[0]*force[0] + n[1]*force[1] + n[2]*force[2];
}

static double *forces_scaled(const frame *f, size_t *count)
{
	double *value = memory_grow(NULL, 0, (f->contacts + 1)*sizeof *value), sum = 0;
	*count = 0;
	for (size_t i = 0; i < f->contacts; i++) {
		double normal = normal_force(f, i);
		if (!(normal > 0))
			continue;
		value[(*count)++] = normal;
		sum += normal;
	}
	for (size_t i = 0; i < *count; i++)
		value[i] *= (double)*count/sum;
	numbers_sort(value, *count);
	return value;
}

static forces_compared forces_compare(frame *const f[RUNS])
{
	forces_compared found = {0};
	for (int r = A; r < RUNS; r++)
		found.scaled[r] = forces_scaled(f[r], &found.count[r]);
	found.distance = ks_distance(found.scaled[A], found.count[A], found.scaled[B], found.count[B]);
	found.limit = ks_limit(found.count[A], found.count[B]);
	return found;
}

// ---------------------------------------------------------------- all of it

double frame_diameter(const frame *f)
{
	double sum = 0;
	for (size_t i = 0; i < f->grains; i++)
		sum += 2*f->radius[i];
	return f->grains ? sum/(double)f->grains : NAN;
}

static bool frames_read(const compared_run run[RUNS], frames_compared *found, talus_error *error)
{
	for (int r = A; r < RUNS; r++) {
		found->frame[r] = frame_read(run[r].folder, found->index[r], error);
		for (int k = 0; found->frame[r] && k < NUMBERS; k++)
			if (!frame_observable(run[r].folder, found->index[r], frame_numbers[k], &found->number[k][r], error))
				return false;
		if (!found->frame[r])
			return false;
	}
	return true;
}

bool frames_compare(const compared_run run[RUNS], double latest, frames_compared *found, talus_error *error)
{
	*found = (frames_compared){.diameter = NAN};
	if (run[A].frames == 0 || run[B].frames == 0)
		found->missing = run[A].frames ? "B has no frames that can be read" :
		                 run[B].frames ? "A has no frames that can be read" : "neither has frames that can be read";
	else if (!frame_choose(run, latest, found->index))
		found->missing = "they have no frame of the same time";
	if (found->missing)
		return true;
	if (!frames_read(run, found, error))
		return false;
	double a = frame_diameter(found->frame[A]), b = frame_diameter(found->frame[B]);
	found->diameter = isnan(a) ? b : isnan(b) ? a : 0.5*(a + b);
	found->forces = forces_compare(found->frame);
	found->grains = grains_compare(found->frame[A], found->frame[B], found->diameter);
	return true;
}

void frames_compared_free(frames_compared *found)
{
	for (int r = A; r < RUNS; r++) {
		frame_free(found->frame[r]);
		memory_free(found->forces.scaled[r]);
	}
}
