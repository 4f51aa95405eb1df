// SPDX-License-Identifier: MIT
// The inside of a talus_scene: its text, and where it came from.
#ifndef TALUS_API_SCENE_H
#define TALUS_API_SCENE_H

#include "io/scene.h"

struct talus_scene {
	char name[TALUS_PATH_MAX]; // for messages: its file; "" if it came as text
	char *path;                // in the folder in which relative paths start
	char *text;
	size_t length;
	char *emitted; // as it is handed out; NULL: not yet
};

// All that it says, read and checked; NULL and a sentence if it is wrong. For scene_free.
scene *scene_of(const talus_scene *scene, talus_error *error);

#endif
