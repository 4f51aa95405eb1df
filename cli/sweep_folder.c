// SPDX-License-Identifier: MIT
// The folder of a sweep: its definition, whether it may be used, and members that must go.
#include "sweep.h"
#include "base/memory.h"

#include "cli.h"
#include "io/files.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

char *sweep_definition(const sweep *s)
{
	char *text = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&text, &size);
	if (!out)
		memory_lost();
	fprintf(out, "{\n  \"members\": %d,\n  \"seeds\": %d,\n", s->members, s->request->seeds);
	fputs("  \"sweep\": {", out);
	for (int k = 0; k < s->axes; k++) {
		fputs(k ? ",\n    " : "\n    ", out);
		json_text(out, s->axis[k].path);
		for (int i = 0; i < s->axis[k].count; i++) {
			fputs(i ? ", " : ": [", out);
			json_text(out, s->axis[k].value[i]);
		}
		fputc(']', out);
	}
	fputs(s->axes ? "\n  }\n}\n" : "}\n}\n", out);
	fclose(out);
	return text;
}

int sweep_folder_judge(const sweep *s, const char *wanted, bool *same)
{
	const run_request *r = s->request;
	struct stat status;
	*same = false;
	if (stat(r->folder, &status) != 0)
		return EXIT_DONE;
	if (!S_ISDIR(status.st_mode))
		return cli_wrong("%s: this is not a folder; choose another one with -o", r->folder);
	const char *name = run_in(r->folder);
	if (name)
		return cli_wrong("%s: there is a run in this folder (%s); choose another one with -o", r->folder,
		                 name);
	char *found = sweep_text_read(r->folder, SWEEP_DEFINITION);
	*same = found && strcmp(found, wanted) == 0;
	free(found);
	if (folder_has(r->folder, SWEEP_DEFINITION) && !*same && !r->force)
		return cli_wrong("%s: there is another sweep in this folder (" SWEEP_DEFINITION "); --force replaces "
		                 "it, -o chooses another folder", r->folder);
	return EXIT_DONE;
}

// ---------------------------------------------------------------- --force

// Locked while it goes: somebody may have resumed it by hand.
static int member_remove(const char *above, const char *name)
{
	char folder[TALUS_PATH_MAX], path[TALUS_PATH_MAX];
	talus_error error;
	if (!folder_path(folder, above, name, &error) || !folder_path(path, folder, "scene.yaml", &error))
		return cli_error(&error, EXIT_FAILED);
	if (folder_is_link(folder))
		return cli_wrong("%s: this is a link; links in the folder of a sweep are not followed", folder);
	int lock = folder_lock(folder, &error);
	if (lock < 0)
		return cli_error(&error, EXIT_FAILED);
	run_remove(folder);
	unlink(path);
	rmdir(folder); // unless there is something else in it
	folder_unlock(lock);
	return EXIT_DONE;
}

static int members_remove(const char *folder, int members)
{
	sweep s = {.members = members, .digits = sweep_digits(members)};
	int code = EXIT_DONE;
	for (int i = 0; i < members && code == EXIT_DONE; i++) {
		char name[16];
		sweep_name(&s, i, name);
		if (folder_has(folder, name))
			code = member_remove(folder, name);
	}
	return code;
}

// The members of the sweep that was there, and what would be in the way of this one.
int sweep_folder_remove(const sweep *s)
{
	static const char key[] = "\"members\": ";
	char *old = sweep_text_read(s->request->folder, SWEEP_DEFINITION);
	const char *count = old ? strstr(old, key) : NULL;
	int former = count ? atoi(count + strlen(key)) : 0;
	free(old);
	char table[TALUS_PATH_MAX];
	talus_error ignored;
	if (folder_path(table, s->request->folder, SWEEP_TABLE, &ignored))
		unlink(table); // it would tell about runs that are gone
	int code = former <= SWEEP_MEMBERS_MOST ? members_remove(s->request->folder, former) : EXIT_DONE;
	return code == EXIT_DONE ? members_remove(s->request->folder, s->members) : code;
}
