// SPDX-License-Identifier: MIT
// A small run whose files are the seeds of the fuzzers that read them.
#ifndef TALUS_FUZZ_STATE_H
#define TALUS_FUZZ_STATE_H

#include "fuzz.h"
#include "io/files.h"

#include <stdio.h>
#include <stdlib.h>

static const char state_scene[] =
	"dimension: 2\ngravity: [0, -1]\nmaterials: {stone: {density: 1}}\n"
	"contacts: [{between: [stone, stone], friction: 0.5, rolling: 0.1, cohesion: {force: 0.1, range: 0.01}}]\n"
	"grains: [{fill: {count: 5, radius: {uniform: [0.3, 0.5]}, arrangement: lattice, in: {box: [[0, 0], [4, 3]]}}},"
	" {pour: {count: 3, rate: 5, radius: 0.3, in: {box: [[0, 4], [4, 6]]}}}]\n"
	"walls: {floor: {plane: {point: [0, 0], normal: [0, 1]}},"
	" lid: {plane: {point: [0, 9], normal: [0, -1]}, mass: 2, free: [y]}}\n"
	"method: {contact_dynamics: {step: 0.05}}\nrun: {until: {time: 1}}\n";

static inline scene *state_read(void)
{
	talus_error error;
	scene *s = scene_read_text(state_scene, "", NULL, 0, &error);
	if (!s)
		abort();
	return s;
}

// The world after some steps.
static inline talus_world *state_world(const scene *s)
{
	talus_error error;
	talus_world *world = scene_build(s, false, &error);
	if (!world)
		abort();
	for (int i = 0; i < 30; i++)
		talus_world_step(world);
	return world;
}

#endif
