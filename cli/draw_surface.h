// SPDX-License-Identifier: MIT
// A picture's file: a cairo surface for .png, .svg or .pdf, written beside its place and renamed when whole.
#ifndef TALUS_DRAW_SURFACE_H
#define TALUS_DRAW_SURFACE_H

#include <cairo.h>
#include <stdio.h>
#include <talus/talus.h>

typedef struct draw_surface {
	char path[TALUS_PATH_MAX], part[TALUS_PATH_MAX + 32];
	FILE *file;
	bool vector; // SVG, PDF
	bool short_write; // the disk is full, or the like
	cairo_surface_t *surface;
	cairo_t *cairo;
} draw_surface;

// Whether the ending is one that can be written, to a place where nothing is but a file; if not, `error` says which can.
bool draw_surface_ending(const char *path, bool *vector, talus_error *error);

// A white page. Every opened surface must be closed; with `keep` false nothing is left behind.
bool draw_surface_open(draw_surface *s, const char *path, int width, int height, talus_error *error);
bool draw_surface_close(draw_surface *s, bool keep, talus_error *error);

#endif
