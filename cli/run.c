// SPDX-License-Identifier: MIT
// talus run: what is asked for on the command line, one run or many.
#include "run.h"

#include "cli.h"
#include "message.h"
#include "sweep.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char usage[] =
	"usage: talus run [SCENE.yaml] [-o DIR] [--set PATH=VALUE]... [--threads N] [--quiet] [--force]\n"
	"       talus run [SCENE.yaml] --sweep PATH=VALUES... [--seeds N] [the same options]\n\n"
	"Simulates a scene and leaves frames, log, checkpoint and summary in DIR. Without a scene it runs\n"
	"the built-in one, a heap.\n\n"
	"  -o, --output DIR    where the files go; by default the scene's name without its ending, in the\n"
	"                      current folder (a scene called scene.yaml goes by the name of its folder, NAME,\n"
	"                      and to NAME-run where that is this very folder)\n"
	"  --set PATH=VALUE    changes one value of the scene, as in --set solver.nsgs.stop.iterations=40;\n"
	"                      may be repeated\n"
	"  --threads N         how many threads a step may use, 1 to 1024, where that pays; by default as many\n"
	"                      as there are cores, but not more than 8; the result is the same, bit for bit\n"
	"  --sweep PATH=VALUES\n"
	"                      runs the scene once for each value: a list, 10,20,40; a range, 1:10:5 (5 values\n"
	"                      from 1 to 10) or 1e-3:1:4:log; repeated, for all combinations. The runs go to\n"
	"                      DIR/0000, DIR/0001, ..., their results to DIR/sweep.csv; --threads is how many\n"
	"                      run at once, by default the number of processors. Repeating the command\n"
	"                      resumes an interrupted sweep\n"
	"  --seeds N           repeats each with N seeds: that of the scene, and those after it\n"
	"  --quiet             no progress and no result, only warnings\n"
	"  --force             replaces the run, or the sweep, that is already in DIR\n"
	"  --help              this text\n\n"
	"Ctrl-C stops after the current step with a checkpoint; talus resume DIR continues from there.\n";

static int options_read(run_request *r, int argc, char **argv, bool *done)
{
	static const struct option options[] = {
		{"output", required_argument, NULL, 'o'}, {"set", required_argument, NULL, 's'},
		{"threads", required_argument, NULL, 't'}, {"quiet", no_argument, NULL, 'q'},
		{"force", no_argument, NULL, 'f'},         {"help", no_argument, NULL, 'h'},
		{"sweep", required_argument, NULL, 'w'},   {"seeds", required_argument, NULL, 'n'},
		{NULL, 0, NULL, 0},
	};
	opterr = 0;
	for (int c; (c = message_next_option(argc, argv, ":o:h", options)) != -1;) {
		if (c == 'o')
			r->folder = optarg;
		else if (c == 'q')
			r->quiet = true;
		else if (c == 'f')
			r->force = true;
		else if (c == 'h') {
			*done = true;
			return fputs(usage, stdout) < 0 ? EXIT_FAILED : EXIT_DONE;
		} else if (c == 's') {
			if (r->set_count == RUN_SETS_MOST/2)
				return cli_wrong("run: more than %d times --set", RUN_SETS_MOST/2);
			r->sets[r->set_count++] = optarg;
		} else if (c == 'w') {
			if (r->sweep_count == RUN_SWEEPS_MOST)
				return cli_wrong("run: more than %d times --sweep", RUN_SWEEPS_MOST);
			r->sweeps[r->sweep_count++] = optarg;
		} else if (c == 'n') {
			if (!text_to_int(optarg, 1, SWEEP_MEMBERS_MOST, &r->seeds))
				return cli_wrong("run: --seeds wants a whole number from 1 to %d, not %s",
				                 SWEEP_MEMBERS_MOST, optarg);
		} else if (c == 't') {
			if (!text_to_int(optarg, 1, 1024, &r->threads))
				return cli_wrong("run: --threads wants a whole number from 1 to 1024, not %s", optarg);
		} else if (strncmp(argv[optind - 1], "--seed", 6) == 0 && strchr("=", argv[optind - 1][6])) {
			return cli_wrong("run: there is no option --seed; the seed is --set seed=3, and --seeds 3 makes three runs");
		} else {
			return message_wrong_option("run", argv, c, options);
		}
	}
	if (argc - optind > 1)
		return message_too_many("run", argv[optind + 1]);
	r->scene = optind < argc ? argv[optind] : NULL;
	return r->folder && !*r->folder ? cli_wrong("run: -o wants the name of a folder") : EXIT_DONE;
}

int cli_run(int argc, char **argv)
{
	run_request r = {0};
	talus_error error;
	bool done = false;
	message_command(r.command, sizeof r.command, argc, argv);
	int code = options_read(&r, argc, argv, &done);
	if (code == EXIT_DONE && !done && r.scene && !(r.text = scene_file_bytes(r.scene, &r.length, &error)))
		code = cli_error(&error, EXIT_WRONG);
	if (code == EXIT_DONE && !done)
		code = r.sweep_count || r.seeds ? sweep_run(&r) : run_scene(&r);
	free(r.text);
	return code;
}
