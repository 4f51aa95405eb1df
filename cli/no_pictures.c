// SPDX-License-Identifier: MIT
// Stands in for render.c, plot.c and draw_*.c where the program is built without cairo: -D TALUS_PICTURES=OFF.
#include "cli.h"
#include "draw_plot.h"

#include "base/error.h"

static const char sentence[] = "this talus was built without pictures (TALUS_PICTURES=OFF)";

int cli_plot(int argc, char **argv)
{
	(void)argc;
	return cli_wrong("%s: %s; the curves are columns of log.csv", argv[0], sentence);
}

int cli_render(int argc, char **argv)
{
	(void)argc;
	return cli_wrong("%s: %s; ParaView opens run.xdmf", argv[0], sentence);
}

// ---------------------------------------------------------------- figures of talus reproduce and compare

plot_options plot_options_default(void)
{
	return (plot_options){0};
}

bool draw_plot_built(void)
{
	return false;
}

bool draw_plot(const csv_table *table, const plot_options *options, const char *path, talus_error *error)
{
	(void)table, (void)options, (void)path;
	return error_set(error, "%s", sentence);
}

bool draw_plots(const plot_panel *panel, int count, int across, const char *path, talus_error *error)
{
	(void)panel, (void)count, (void)across, (void)path;
	return error_set(error, "%s", sentence);
}

bool draw_plot_place(const char *path, talus_error *error)
{
	(void)path;
	return error_set(error, "%s", sentence);
}

bool plot_possible(const csv_table *table, const plot_options *options, talus_error *error)
{
	(void)table, (void)options;
	return error_set(error, "%s", sentence);
}
