// SPDX-License-Identifier: MIT
// Opens and closes picture files. The unit of length on every surface is the pixel.
#include "draw_surface.h"

#include "base/error.h"
#include "io/files.h"

#include <cairo-pdf.h>
#include <cairo-svg.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

// Fontconfig keeps its caches until the process ends; leak checkers ask here what they need not report.
const char *__lsan_default_suppressions(void);
const char *__lsan_default_options(void);

const char *__lsan_default_suppressions(void)
{
	return "leak:libfontconfig";
}

const char *__lsan_default_options(void)
{
	return "print_suppressions=0";
}

static bool ends_with(const char *path, const char *ending)
{
	const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path, *dot = strrchr(name, '.');
	return dot && dot > name && strcasecmp(dot, ending) == 0;
}

bool draw_surface_ending(const char *path, bool *vector, talus_error *error)
{
	char place[TALUS_PATH_MAX];
	*vector = ends_with(path, ".svg") || ends_with(path, ".pdf");
	if (*vector || ends_with(path, ".png"))
		return file_place(place, path, error);
	return error_set(error, "cannot draw into \"%s\": the name of a picture ends with .png, .svg or .pdf", path);
}

static cairo_status_t write_bytes(void *closure, const unsigned char *data, unsigned length)
{
	draw_surface *s = closure;
	if (fwrite(data, 1, length, s->file) != length)
		s->short_write = true;
	return s->short_write ? CAIRO_STATUS_WRITE_ERROR : CAIRO_STATUS_SUCCESS;
}

static void surface_make(draw_surface *s, const char *path, int width, int height)
{
	if (!s->vector) {
		s->surface = cairo_image_surface_create(CAIRO_FORMAT_RGB24, width, height);
	} else if (ends_with(path, ".pdf")) {
		s->surface = cairo_pdf_surface_create_for_stream(write_bytes, s, width, height); // a point a pixel
	} else {
		s->surface = cairo_svg_surface_create_for_stream(write_bytes, s, width, height);
		cairo_svg_surface_set_document_unit(s->surface, CAIRO_SVG_UNIT_PX);
	}
}

// A name of its own: others may be drawing into the same picture. Whoever is done last has it.
static int part_make(draw_surface *s)
{
	enum { TRIES = 1000 };
	int file = -1;
	for (int k = 0; file < 0 && k < TRIES && (k == 0 || errno == EEXIST); k++) {
		snprintf(s->part, sizeof s->part, "%s.%ld-%d.part", s->path, (long)getpid(), k);
		file = open(s->part, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
	}
	return file;
}

bool draw_surface_open(draw_surface *s, const char *path, int width, int height, talus_error *error)
{
	memset(s, 0, sizeof *s);
	if (!draw_surface_ending(path, &s->vector, error) || !file_place(s->path, path, error))
		return false;
	int file = part_make(s);
	s->file = file >= 0 ? fdopen(file, "wb") : NULL;
	if (!s->file)
		return error_set(error, "cannot write \"%s\": %s", path, strerror(errno));
	surface_make(s, path, width, height);
	s->cairo = cairo_create(s->surface);
	cairo_set_source_rgb(s->cairo, 1, 1, 1);
	cairo_paint(s->cairo);
	return true;
}

bool draw_surface_close(draw_surface *s, bool keep, talus_error *error)
{
	cairo_status_t status = cairo_status(s->cairo);
	cairo_destroy(s->cairo);
	if (status == CAIRO_STATUS_SUCCESS && !s->vector && keep)
		status = cairo_surface_write_to_png_stream(s->surface, write_bytes, s);
	cairo_surface_finish(s->surface);
	if (status == CAIRO_STATUS_SUCCESS)
		status = cairo_surface_status(s->surface);
	cairo_surface_destroy(s->surface);
	bool written = fclose(s->file) == 0 && !s->short_write;
	if (!keep) {
		remove(s->part);
		return true;
	}
	if (status == CAIRO_STATUS_SUCCESS && written && rename(s->part, s->path) == 0)
		return true;
	bool by_cairo = status != CAIRO_STATUS_SUCCESS && written;
	const char *why = by_cairo ? cairo_status_to_string(status) : strerror(errno);
	error_set(error, "cannot write \"%s\": %s", s->path, why);
	remove(s->part);
	return false;
}
