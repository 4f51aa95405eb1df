// SPDX-License-Identifier: MIT
// talus plot: columns of a run's log as curves.
#include "cli.h"

#include "base/nearest.h"
#include "draw_frame.h"
#include "draw_plot.h"
#include "draw_surface.h"
#include "message.h"

#include <stdio.h>
#include <string.h>

static const char help[] =
	"talus plot DIR COLUMN... [options]: time series of the log of a run\n"
	"  -o, --output FILE   picture to write, .png, .svg or .pdf (default DIR/plot.png)\n"
	"      --x COLUMN      what to plot against (default time)\n"
	"      --logx, --logy  logarithmic axes\n"
	"      --size WxH      pixels (default 1200x750)\n"
	"Without a COLUMN it lists the columns of the log.\n";

typedef struct request {
	const char *folder, *output, *x, *size;
	plot_options options;
} request;

enum { OPTION_X = 256, OPTION_LOG_X, OPTION_LOG_Y, OPTION_SIZE };

// 0: go on; else the code to exit with, plus one.
static int read_options(int argc, char **argv, request *r)
{
	static const struct option options[] = {
		{"output", required_argument, NULL, 'o'}, {"x", required_argument, NULL, OPTION_X},
		{"logx", no_argument, NULL, OPTION_LOG_X}, {"logy", no_argument, NULL, OPTION_LOG_Y},
		{"size", required_argument, NULL, OPTION_SIZE}, {"help", no_argument, NULL, 'h'}, {0},
	};
	opterr = 0;
	optind = 0;
	for (int o; (o = message_next_option(argc, argv, ":o:h", options)) != -1;) {
		switch (o) {
		case 'o': r->output = optarg; break;
		case OPTION_X: r->x = optarg; break;
		case OPTION_LOG_X: r->options.log_x = true; break;
		case OPTION_LOG_Y: r->options.log_y = true; break;
		case OPTION_SIZE: r->size = optarg; break;
		case 'h': fputs(help, stdout); return EXIT_DONE + 1;
		default: return message_wrong_option("plot", argv, o, options) + 1;
		}
	}
	return 0;
}

// A column that begins with the word, else the one that is spelt most like it, else NULL.
static const char *near_column(const csv_table *t, const char *name)
{
	for (size_t k = 0; *name && k < t->columns; k++)
		if (strncmp(t->name[k], name, strlen(name)) == 0)
			return t->name[k];
	return nearest_name(name, (const char *const *)t->name);
}

static int find_column(const csv_table *t, const char *name)
{
	int column = csv_find(t, name);
	if (column >= 0)
		return column;
	const char *near = near_column(t, name);
	if (near)
		cli_wrong("plot: the log has no column \"%s\"; the nearest is \"%s\"", name, near);
	else
		cli_wrong("plot: the log has no column \"%s\"; talus plot without a column lists them all", name);
	return -1;
}

static int list_columns(const csv_table *t)
{
	cli_wrong("plot: no column given; the log has these:");
	size_t used = 0;
	for (size_t k = 0; k < t->columns; k++) {
		size_t length = strlen(t->name[k]) + 2;
		if (used > 0 && used + length > 100) {
			fputc('\n', stderr);
			used = 0;
		}
		fputs("  ", stderr);
		message_text(stderr, t->name[k]);
		used += length;
	}
	fputc('\n', stderr);
	return EXIT_WRONG;
}

static int plot_table(const csv_table *t, request *r, char **columns, int count)
{
	if (count == 0)
		return list_columns(t);
	if (count > PLOT_COLUMNS_MOST)
		return cli_wrong("plot: %d columns: at most %d fit into a plot", count, PLOT_COLUMNS_MOST);
	r->options.x = find_column(t, r->x ? r->x : "time");
	if (r->options.x < 0)
		return EXIT_WRONG;
	for (int k = 0; k < count; k++) {
		r->options.y[k] = find_column(t, columns[k]);
		if (r->options.y[k] < 0)
			return EXIT_WRONG;
	}
	r->options.count = count;
	char path[TALUS_PATH_MAX];
	snprintf(path, sizeof path, "%.*s/plot.png", (int)sizeof path - 16, r->folder);
	const char *output = r->output ? r->output : path;
	if (!r->output) // a name that nobody has chosen leads nowhere else
		file_link_remove(path);
	talus_error error;
	bool vector;
	if (!draw_surface_ending(output, &vector, &error) || !plot_possible(t, &r->options, &error))
		return cli_error(&error, EXIT_WRONG);
	if (!draw_plot(t, &r->options, output, &error))
		return cli_error(&error, EXIT_FAILED);
	size_t hidden = plot_left_out(t, &r->options);
	if (hidden)
		fprintf(stderr, "talus: note: %zu of %zu values are not positive and cannot be shown on a logarithmic axis\n",
		        hidden, t->rows*(size_t)count);
	printf("%s\n", output);
	return EXIT_DONE;
}

int cli_plot(int argc, char **argv)
{
	request r = {.options = plot_options_default()};
	int end = read_options(argc, argv, &r);
	if (end)
		return end - 1;
	if (optind >= argc)
		return message_missing("plot", "the folder of a run");
	r.folder = argv[optind];
	if (r.size && !draw_size_read(r.size, &r.options.width, &r.options.height))
		return cli_wrong("plot: --size %s: give width and height in pixels, %d to %d, as in 1200x750", r.size,
		                 DRAW_SIZE_LEAST, DRAW_SIZE_MOST);
	char path[TALUS_PATH_MAX];
	snprintf(path, sizeof path, "%.*s/log.csv", (int)sizeof path - 16, r.folder);
	talus_error error;
	csv_table *t = csv_read(path, &error);
	if (!t)
		return cli_error(&error, EXIT_WRONG);
	int code = plot_table(t, &r, argv + optind + 1, argc - optind - 1);
	csv_free(t);
	return code;
}
