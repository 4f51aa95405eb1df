// SPDX-License-Identifier: MIT
// talus render: a picture of one frame of a run.
#include "cli.h"

#include "base/nearest.h"
#include "draw_frame.h"
#include "draw_surface.h"
#include "message.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char help[] =
	"talus render DIR [options]: picture of the grains of a run\n"
	"      --frame K            which frame, from 0; -1 is the last one (default)\n"
	"      --forces             the force network: red pushes, blue pulls\n"
	"  -o, --output FILE        picture to write, .png, .svg or .pdf (default DIR/frame.png, DIR/forces.png)\n"
	"      --size WxH           pixels (default: fits the scene)\n"
	"      --view AZIMUTH,ELEVATION\n"
	"                           3D: view direction in degrees, from -y towards x, and up (default 25,18)\n"
	"      --color WHAT         plain, radius, speed, material, id or pressure (default: plain, or material\n"
	"                           where there are several)\n"
	"      --no-walls           grains only\n";

typedef struct request {
	const char *output;
	int frame;
	bool view;
	draw_options options;
} request;

enum { OPTION_FRAME = 256, OPTION_FORCES, OPTION_SIZE, OPTION_VIEW, OPTION_COLOR, OPTION_NO_WALLS };

static bool view_read(const char *text, double *azimuth, double *elevation)
{
	char *end;
	*azimuth = strtod(text, &end);
	if (end == text || *end != ',' || !isfinite(*azimuth))
		return false;
	const char *second = end + 1;
	*elevation = strtod(second, &end);
	return end != second && !*end && fabs(*elevation) <= 90;
}

static int color_read(const char *text, draw_color *color)
{
	static const char *const names[] = {"plain", "radius", "speed", "material", "id", "pressure", NULL};
	static const draw_color value[] = {DRAW_COLOR_PLAIN,    DRAW_COLOR_RADIUS, DRAW_COLOR_SPEED,
	                                   DRAW_COLOR_MATERIAL, DRAW_COLOR_ID,     DRAW_COLOR_PRESSURE};
	for (int k = 0; names[k]; k++)
		if (strcmp(text, names[k]) == 0) {
			*color = value[k];
			return 0;
		}
	const char *near = nearest_name(text, names);
	if (near)
		return cli_wrong("render: --color %s: no such colouring; the nearest is %s", text, near) + 1;
	return cli_wrong("render: --color %s: choose plain, radius, speed, material, id or pressure", text) + 1;
}

// These return 0 to go on; else the code to exit with, plus one.
static int read_value(int option, const char *text, request *r)
{
	switch (option) {
	case OPTION_FRAME:
		if (text_to_int(text, -INT_MAX, INT_MAX, &r->frame))
			return 0;
		return cli_wrong("render: --frame %s: give the number of a frame, as in 3 or -1", text) + 1;
	case OPTION_SIZE:
		if (draw_size_read(text, &r->options.width, &r->options.height))
			return 0;
		return cli_wrong("render: --size %s: give width and height in pixels, %d to %d, as in 1200x900", text,
		                 DRAW_SIZE_LEAST, DRAW_SIZE_MOST) + 1;
	case OPTION_VIEW:
		r->view = true;
		if (view_read(text, &r->options.azimuth, &r->options.elevation))
			return 0;
		return cli_wrong("render: --view %s: give azimuth and elevation (-90 to 90) as in 25,18", text) + 1;
	default:
		return color_read(text, &r->options.color);
	}
}

static int read_options(int argc, char **argv, request *r)
{
	static const struct option options[] = {
		{"frame", required_argument, NULL, OPTION_FRAME}, {"forces", no_argument, NULL, OPTION_FORCES},
		{"output", required_argument, NULL, 'o'}, {"size", required_argument, NULL, OPTION_SIZE},
		{"view", required_argument, NULL, OPTION_VIEW}, {"color", required_argument, NULL, OPTION_COLOR},
		{"colour", required_argument, NULL, OPTION_COLOR}, {"no-walls", no_argument, NULL, OPTION_NO_WALLS},
		{"help", no_argument, NULL, 'h'}, {0},
	};
	opterr = 0;
	optind = 0;
	int code = 0;
	for (int o; !code && (o = message_next_option(argc, argv, ":o:h", options)) != -1;) {
		switch (o) {
		case 'o': r->output = optarg; break;
		case OPTION_FORCES: r->options.forces = true; break;
		case OPTION_NO_WALLS: r->options.walls = false; break;
		case 'h': fputs(help, stdout); return EXIT_DONE + 1;
		case ':':
		case '?': return message_wrong_option("render", argv, o, options) + 1;
		default: code = read_value(o, optarg, r);
		}
	}
	return code;
}

// The frame that was asked for; NULL after a message.
static frame *find_frame(const char *folder, int wanted)
{
	char path[TALUS_PATH_MAX];
	snprintf(path, sizeof path, "%.*s/run.h5", (int)sizeof path - 16, folder);
	talus_error error;
	size_t count;
	if (access(path, R_OK) != 0) {
		cli_wrong("render: no run in \"%s\": there is no run.h5 that can be read", folder);
		return NULL;
	}
	if (!frames_count(folder, &count, &error)) {
		cli_error(&error, EXIT_WRONG);
		return NULL;
	}
	long index = wanted < 0 ? wanted + (long)count : wanted;
	if (index < 0 || index >= (long)count) {
		if (count == 0)
			cli_wrong("render: the run in \"%s\" has no frames yet", folder);
		else
			cli_wrong("render: no frame %d: the run has %zu, from 0 to %zu (or -%zu to -1)", wanted, count,
			          count - 1, count);
		return NULL;
	}
	frame *f = frame_read(folder, (size_t)index, &error);
	if (!f)
		cli_error(&error, EXIT_WRONG);
	return f;
}

static int render(const frame *f, const request *r, const char *folder)
{
	char path[TALUS_PATH_MAX];
	const char *name = r->options.forces ? "forces" : "frame";
	snprintf(path, sizeof path, "%.*s/%s.png", (int)sizeof path - 16, folder, name);
	const char *output = r->output ? r->output : path;
	if (!r->output) // a name that nobody has chosen leads nowhere else
		file_link_remove(path);
	talus_error error;
	if (f->dimension == 2 && r->view)
		return cli_wrong("render: --view turns the eye around 3D runs; this one is 2D");
	if (f->no_contacts && (r->options.forces || r->options.color == DRAW_COLOR_PRESSURE))
		return cli_wrong("render: %s: its frames were written without contacts (output.frames.contacts)", folder);
	if (!draw_frame(f, &r->options, output, &error))
		return cli_error(&error, EXIT_FAILED);
	printf("%s\n", output);
	return EXIT_DONE;
}

int cli_render(int argc, char **argv)
{
	request r = {.frame = -1, .options = draw_options_default()};
	int end = read_options(argc, argv, &r);
	if (end)
		return end - 1;
	if (optind >= argc)
		return message_missing("render", "the folder of a run");
	if (optind + 1 < argc)
		return message_too_many("render", argv[optind + 1]);
	talus_error error;
	bool vector;
	if (r.output && !draw_surface_ending(r.output, &vector, &error))
		return cli_error(&error, EXIT_WRONG);
	frame *f = find_frame(argv[optind], r.frame);
	if (!f)
		return EXIT_WRONG;
	int code = render(f, &r, argv[optind]);
	frame_free(f);
	return code;
}
