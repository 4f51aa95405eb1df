// SPDX-License-Identifier: MIT
// talus info: what is in a run, finished, stopped or still running.
#include "cli.h"
#include "info_summary.h"
#include "io/files.h"
#include "io/frames.h"
#include "io/scene.h"
#include "message.h"
#include "method/method.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static const char usage[] = "usage: talus info DIR [--json]\n\n"
			    "Shows what is in the folder of a run: scene, frames, log, checkpoint, result and files.\n\n"
			    "  --json   the same as JSON\n"
			    "  --help   this text\n";

static const char *const file_names[] = {"scene.yaml", "run.h5", "run.xdmf", "log.csv", "checkpoint.h5", "summary.json"};
enum { FILES = sizeof file_names/sizeof file_names[0] };

typedef enum run_state { RUN_FINISHED, RUN_RUNNING, RUN_STOPPED, RUN_UNSTARTED, RUN_DAMAGED, RUN_UNKNOWN, RUN_FAILED } run_state;

typedef struct run_info {
	const char *folder;
	scene *scene;
	long long bytes[FILES]; // -1: not there
	bool has_frames, bad_frames, has_log, has_checkpoint, bad_checkpoint;
	size_t frames;
	double first_frame, last_frame;
	observable_list observables; // in every frame
	log_extent log;
	checkpoint_head checkpoint;
	talus_error frames_error, checkpoint_error; // why there are none, where there is a file
	char *summary; // text of summary.json, NULL if there is none
	run_state state;
} run_info;

// ---------------------------------------------------------------- gathering

static void frames_look(run_info *info)
{
	talus_error *error = &info->frames_error;
	uint64_t *step;
	double *time;
	info->has_frames = frames_list(info->folder, &info->frames, &step, &time, error);
	if (info->has_frames && info->frames) {
		info->first_frame = time[0];
		info->last_frame = time[info->frames - 1];
	}
	frames_list_free(step, time);
	info->has_frames = info->has_frames && frames_observables(info->folder, &info->observables, error);
	info->bad_frames = !info->has_frames && info->bytes[1] >= 0;
	if (info->bad_frames)
		cli_error(error, EXIT_FAILED);
}

static run_state state_of(const run_info *info)
{
	char why[8];
	folder_use use = folder_look(info->folder);
	if (use == FOLDER_BUSY)
		return RUN_RUNNING;
	if (info->summary && summary_finished(info->folder))
		return RUN_FINISHED;
	if (use == FOLDER_UNKNOWN)
		return RUN_UNKNOWN;
	info_text(info->summary, "failed", why, sizeof why);
	if (*why)
		return RUN_FAILED;
	return info->has_checkpoint ? RUN_STOPPED : info->bad_checkpoint ? RUN_DAMAGED : RUN_UNSTARTED;
}

static void files_look(run_info *info)
{
	for (int i = 0; i < FILES; i++) {
		char path[TALUS_PATH_MAX];
		struct stat status;
		talus_error ignored;
		bool found = folder_path(path, info->folder, file_names[i], &ignored) && stat(path, &status) == 0;
		info->bytes[i] = found ? (long long)status.st_size : -1;
	}
}

static bool info_read(run_info *info, talus_error *error)
{
	char path[TALUS_PATH_MAX];
	if (!folder_path(path, info->folder, "scene.yaml", error))
		return false;
	info->scene = scene_read_file(path, NULL, 0, error);
	if (!info->scene)
		return false;
	files_look(info);
	frames_look(info);
	talus_error ignored;
	info->has_log = log_measure(info->folder, UINT64_MAX, &info->log, &ignored);
	info->has_checkpoint = checkpoint_look(info->folder, &info->checkpoint, &info->checkpoint_error);
	info->bad_checkpoint = !info->has_checkpoint && info->bytes[4] >= 0;
	if (info->bad_checkpoint)
		cli_error(&info->checkpoint_error, EXIT_FAILED);
	info->summary = info_summary_read(info->folder);
	if (!info->summary && info->bytes[5] >= 0)
		fprintf(stderr, "talus: %s/summary.json: it is damaged; talus resume writes it again\n", info->folder);
	info->state = state_of(info);
	return true;
}

static void info_free(run_info *info)
{
	if (info->scene)
		scene_free(info->scene);
	free(info->summary);
}

// ---------------------------------------------------------------- for people

static void scene_print(const scene *s)
{
	info_line("dimension");
	printf("%d\n", s->world.dimension);
	info_line("method");
	printf("contact dynamics, step %g\n", s->world.step);
	info_line("materials");
	for (int i = 0; i < s->materials; i++)
		printf("%s%s", i ? ", " : "", s->material[i].name);
	putchar('\n');
	info_line("walls");
	for (int i = 0; i < s->walls; i++)
		printf("%s%s", i ? ", " : "", s->wall[i].def.name);
	puts(s->walls ? "" : "none");
	info_line("until");
	if (s->until_time)
		printf("time %g", s->end_time);
	if (s->until_rest)
		printf("%srest below %g", s->until_time ? " or " : "", s->rest);
	putchar('\n');
}

// Their names, in lines of a terminal's width.
static void observables_print(const run_info *info)
{
	enum { INDENT = 19, WIDTH = 100 };
	int column = 0;
	for (int i = 0; info->frames && i < info->observables.count; i++) {
		const char *name = info->observables.at[i]->name;
		int length = (int)strlen(name);
		if (!column)
			info_line("observables");
		else if (column + length + 3 > WIDTH)
			printf(",\n%*s", INDENT, "");
		else
			fputs(", ", stdout);
		column = !column || column + length + 3 > WIDTH ? INDENT + length : column + 2 + length;
		fputs(name, stdout);
	}
	if (column)
		putchar('\n');
}

static void checkpoint_print(const run_info *info)
{
	info_line("checkpoint");
	if (info->has_checkpoint)
		printf("time %g, step %llu\n", info->checkpoint.time, (unsigned long long)info->checkpoint.step);
	else if (info->bad_checkpoint)
		printf("damaged, or of another version: %s\n", info->checkpoint_error.text);
	else
		puts("none");
}

static void state_print(const run_info *info)
{
	char why[1024];
	bool further = info->has_checkpoint, begun = info->frames > 1 || info->log.rows > 1;
	info_line("state");
	switch (info->state) {
	case RUN_FINISHED: printf("finished%s\n", further ? "" : "; it cannot go further without its checkpoint"); break;
	case RUN_RUNNING: puts("running now"); break;
	case RUN_STOPPED:
		info_text(info->summary, "stopped", why, sizeof why);
		printf("stopped%s%s; to continue: talus resume %s\n", *why ? " by " : "", why, info->folder);
		break;
	case RUN_UNSTARTED:
		puts(begun ? "stopped; it cannot be continued, checkpoint.h5 is missing" : "stopped before its first checkpoint");
		break;
	case RUN_UNKNOWN: puts("running on another machine, or killed there: this disk knows no locks (see run.lock)"); break;
	case RUN_FAILED:
		info_text(info->summary, "failed", why, sizeof why);
		printf("failed: %s\n", why);
		break;
	case RUN_DAMAGED: puts("stopped; it cannot be continued from this checkpoint"); break;
	}
}

static void contents_print(const run_info *info)
{
	if (info->has_checkpoint) {
		info_line("grains");
		printf("%zu\n", info->checkpoint.grains);
	}
	info_line("frames");
	if (info->has_frames && info->frames)
		printf("%zu, time %g to %g\n", info->frames, info->first_frame, info->last_frame);
	else if (info->bad_frames)
		printf("damaged, or of another version: %s\n", info->frames_error.text);
	else
		puts("none");
	observables_print(info);
	info_line("log");
	if (info->has_log && info->log.rows)
		printf("%zu rows, to time %g\n", info->log.rows, info->log.last_time);
	else
		puts("none");
	checkpoint_print(info);
	state_print(info);
}

static void size_print(long long bytes)
{
	if (bytes < 10000)
		printf("%lld B\n", bytes);
	else if (bytes < 10000000)
		printf("%.1f kB\n", (double)bytes/1e3);
	else
		printf("%.1f MB\n", (double)bytes/1e6);
}

static void info_print(const run_info *info)
{
	printf("%s: ", info->folder);
	message_text(stdout, info->scene->title[0] ? info->scene->title : "a run");
	putchar('\n');
	scene_print(info->scene);
	contents_print(info);
	info_summary_print(info->summary, &info->scene->world.solver);
	for (int i = 0; i < FILES; i++) {
		if (info->bytes[i] < 0)
			continue;
		info_line(file_names[i]);
		size_print(info->bytes[i]);
	}
	info_packing_print(info->summary);
}

// ---------------------------------------------------------------- for programs

static void names_json(const char *key, int count, const char *first, size_t stride)
{
	printf(" \"%s\": [", key);
	for (int i = 0; i < count; i++) {
		fputs(i ? ", " : "", stdout);
		json_text(stdout, first + (size_t)i*stride);
	}
	fputs("],\n", stdout);
}

static void number_json(const char *before, double number)
{
	fputs(before, stdout);
	json_number(stdout, number);
}

static void observables_json(const run_info *info)
{
	fputs(", \"observables\": [", stdout);
	for (int i = 0; i < info->observables.count; i++)
		printf("%s\"%s\"", i ? ", " : "", info->observables.at[i]->name);
	putchar(']');
}

static void error_json(const char *key, const talus_error *error)
{
	printf(" \"%s\": ", key);
	json_text(stdout, error->text);
	fputs(",\n", stdout);
}

static void contents_json(const run_info *info)
{
	if (info->has_checkpoint)
		printf(" \"grains\": %zu,\n", info->checkpoint.grains);
	else
		puts(" \"grains\": null,");
	printf(" \"frames\": {\"count\": %zu", info->frames);
	if (info->frames) {
		number_json(", \"first_time\": ", info->first_frame);
		number_json(", \"last_time\": ", info->last_frame);
		observables_json(info);
	}
	printf("},\n \"log\": {\"rows\": %zu", info->log.rows);
	if (info->log.rows)
		number_json(", \"last_time\": ", info->log.last_time);
	fputs("},\n \"checkpoint\": ", stdout);
	if (info->has_checkpoint) {
		printf("{\"step\": %llu", (unsigned long long)info->checkpoint.step);
		number_json(", \"time\": ", info->checkpoint.time);
		fputs("},\n", stdout);
	} else {
		fputs("null,\n", stdout);
	}
	if (info->bad_checkpoint)
		error_json("checkpoint_error", &info->checkpoint_error);
	if (info->bad_frames)
		error_json("frames_error", &info->frames_error);
}

static void info_json(const run_info *info)
{
	static const char *const states[] = {"finished", "running", "stopped", "no checkpoint", "damaged checkpoint", "unknown", "failed"};
	const scene *s = info->scene;
	fputs("{\"folder\": ", stdout);
	json_text(stdout, info->folder);
	fputs(",\n \"title\": ", stdout);
	json_text(stdout, s->title);
	printf(",\n \"dimension\": %d,\n \"method\": \"%s\",\n", s->world.dimension, method_of(s->world.method)->name);
	names_json("materials", s->materials, s->materials ? s->material->name : NULL, sizeof *s->material);
	names_json("walls", s->walls, s->walls ? s->wall->def.name : NULL, sizeof *s->wall);
	contents_json(info);
	printf(" \"state\": \"%s\",\n \"files\": {", states[info->state]);
	const char *between = "";
	for (int i = 0; i < FILES; i++) {
		if (info->bytes[i] < 0)
			continue;
		printf("%s\"%s\": %lld", between, file_names[i], info->bytes[i]);
		between = ", ";
	}
	printf("},\n \"summary\": %s}\n", info->summary ? info->summary : "null");
}

// ---------------------------------------------------------------- the command

static int info_folder(const char *folder, bool json)
{
	talus_error error;
	run_info info = {.folder = folder};
	if (!folder_has(folder, "scene.yaml"))
		return cli_wrong("%s: there is no run here (no scene.yaml)", folder);
	int code = EXIT_DONE;
	if (!info_read(&info, &error))
		code = cli_error(&error, EXIT_WRONG);
	else if (json)
		info_json(&info);
	else
		info_print(&info);
	info_free(&info);
	return code;
}

int cli_info(int argc, char **argv)
{
	static const struct option options[] = {
		{"json", no_argument, NULL, 'j'}, {"help", no_argument, NULL, 'h'}, {NULL, 0, NULL, 0}};
	bool json = false;
	opterr = 0;
	for (int c; (c = message_next_option(argc, argv, ":h", options)) != -1;) {
		if (c == 'j')
			json = true;
		else if (c == 'h')
			return fputs(usage, stdout) < 0 ? EXIT_FAILED : EXIT_DONE;
		else
			return message_wrong_option("info", argv, c, options);
	}
	if (optind == argc)
		return message_missing("info", "the folder of a run");
	if (argc - optind > 1)
		return message_too_many("info", argv[optind + 1]);
	return info_folder(argv[optind], json);
}
