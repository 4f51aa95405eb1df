// SPDX-License-Identifier: MIT
// One frame of a run as a picture: grains and walls, or the network of forces.
#ifndef TALUS_DRAW_FRAME_H
#define TALUS_DRAW_FRAME_H

#include "io/files.h"

typedef enum draw_color {
	DRAW_COLOR_AUTO, // by material where there are several, else plain
	DRAW_COLOR_PLAIN,
	DRAW_COLOR_RADIUS,
	DRAW_COLOR_SPEED,
	DRAW_COLOR_MATERIAL,
	DRAW_COLOR_ID,
	DRAW_COLOR_PRESSURE,
} draw_color;

typedef struct draw_options {
	int width, height;         // pixels; 0: chosen after what is to be seen
	double azimuth, elevation; // degrees, 3D: where the eye is; 0, 0 looks along +y with x to the right
	draw_color color;
	bool forces; // the force network over pale grains
	bool walls;
} draw_options;

enum { DRAW_SIZE_LEAST = 100, DRAW_SIZE_MOST = 8192 };

bool draw_size_read(const char *text, int *width, int *height); // "1200x900"

draw_options draw_options_default(void);

// Writes a picture; the ending of `path`, .png, .svg or .pdf, says which kind.
bool draw_frame(const frame *frame, const draw_options *options, const char *path, talus_error *error);

#endif
