// SPDX-License-Identifier: MIT
// talus resume: from the last checkpoint on, as if nothing had happened.
#include "cli.h"
#include "message.h"
#include "watch.h"

#include <stdio.h>

static const char usage[] =
	"usage: talus resume DIR [--until TIME] [--threads N] [--quiet]\n\n"
	"Continues from the last checkpoint in DIR to the end given by the scene. Frames and rows of\n"
	"the log after the checkpoint are made again: the result is, bit for bit, that of a run without\n"
	"interruption. A scene.yaml in DIR that was edited in between is refused, unless only its title,\n"
	"run, output or the audit of its solver were.\n\n"
	"  --until TIME   another end: run until this time instead (DIR/scene.yaml remembers it)\n"
	"  --threads N    how many threads a step may use, 1 to 1024, where that pays; by default as many as\n"
	"                 there are cores, but not more than 8; the result is the same, bit for bit\n"
	"  --quiet        no progress and no result, only warnings\n"
	"  --help         this text\n";

typedef struct request {
	talus_run_def def;
	bool quiet;
} request;

static int options_read(request *r, int argc, char **argv, bool *done)
{
	static const struct option options[] = {
		{"until", required_argument, NULL, 'u'}, {"threads", required_argument, NULL, 't'},
		{"quiet", no_argument, NULL, 'q'},       {"help", no_argument, NULL, 'h'},
		{NULL, 0, NULL, 0},
	};
	opterr = 0;
	for (int c; (c = message_next_option(argc, argv, ":h", options)) != -1;) {
		if (c == 'q')
			r->quiet = true;
		else if (c == 'h') {
			*done = true;
			return fputs(usage, stdout) < 0 ? EXIT_FAILED : EXIT_DONE;
		} else if (c == 'u') {
			if (!text_to_double(optarg, &r->def.until) || r->def.until <= 0)
				return cli_wrong("resume: --until wants a time above 0, not %s", optarg);
		} else if (c == 't') {
			if (!text_to_int(optarg, 1, 1024, &r->def.threads))
				return cli_wrong("resume: --threads wants a whole number from 1 to 1024, not %s", optarg);
		} else {
			return message_wrong_option("resume", argv, c, options);
		}
	}
	if (optind == argc)
		return message_missing("resume", "the folder of a run");
	if (argc - optind > 1)
		return message_too_many("resume", argv[optind + 1]);
	r->def.folder = argv[optind];
	return EXIT_DONE;
}

int cli_resume(int argc, char **argv)
{
	request r = {.def = talus_run_def_default()};
	bool done = false;
	int code = options_read(&r, argc, argv, &done);
	return code == EXIT_DONE && !done ? watch_resume(&r.def, r.quiet) : code;
}
