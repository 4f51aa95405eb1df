// SPDX-License-Identifier: MIT
// Copies of the files with grains that a scene names. Their names are made of what is in them: a scene whose file has changed
// is another scene, and says so.
#include "run/files.h"

#include "base/error.h"
#include "base/memory.h"
#include "io/csv.h"
#include "io/files.h"
#include "io/seal.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char start[] = "grains-", ending[] = ".csv";
enum { HASH_DIGITS = 16 };

static bool file_read(run_file *file, const scene *s, talus_error *error)
{
	char path[2*TALUS_PATH_MAX];
	talus_file_def *def = s->grains[file->entry].file;
	if (!scene_file_path(s, def->path, path, sizeof path) || !csv_read_bytes(path, &file->bytes, &file->size))
		return error_at(error, def->source, def->line, def->column, "the file `%.300s` cannot be opened: %s", def->path,
		                csv_reason(errno));
	uint64_t hash = file->size;
	hash_add(&hash, file->bytes, file->size);
	snprintf(file->name, sizeof file->name, "%s%016llx%s", start, (unsigned long long)hash, ending);
	file->def = def;
	def->bytes = file->bytes;
	def->size = file->size;
	return true;
}

bool run_files_read(run_files *files, const scene *s, talus_error *error)
{
	*files = (run_files){0};
	for (int i = 0; i < s->grain_entries; i++) {
		if (s->grains[i].kind != SCENE_FILE)
			continue;
		files->file = realloc(files->file, (size_t)(files->count + 1)*sizeof *files->file);
		if (!files->file)
			memory_lost();
		run_file *file = &files->file[files->count++];
		*file = (run_file){.entry = i};
		if (!file_read(file, s, error)) {
			run_files_free(files);
			return false;
		}
	}
	return true;
}

bool run_files_name(const run_files *files, scene *s, talus_error *error)
{
	enum { SET_SIZE = RUN_FILE_NAME + 48 };
	if (files->count == 0)
		return true;
	char (*set)[SET_SIZE] = malloc((size_t)files->count*sizeof *set);
	const char **sets = malloc((size_t)files->count*sizeof *sets);
	if (!set || !sets)
		memory_lost();
	for (int i = 0; i < files->count; i++) {
		snprintf(set[i], SET_SIZE, "grains.%d.file.path=%s", files->file[i].entry, files->file[i].name);
		sets[i] = set[i];
	}
	bool ok = scene_text_set(s, sets, files->count, error);
	free(sets);
	free(set);
	return ok;
}

bool run_files_write(const run_files *files, const char *folder, talus_error *error)
{
	for (int i = 0; i < files->count; i++)
		if (!file_replace(folder, files->file[i].name, files->file[i].bytes, files->file[i].size, error))
			return false;
	return true;
}

void run_files_free(run_files *files)
{
	for (int i = 0; i < files->count; i++) {
		if (files->file[i].def)
			files->file[i].def->bytes = NULL;
		free(files->file[i].bytes);
	}
	free(files->file);
	*files = (run_files){0};
}

static bool is_copy(const char *name)
{
	size_t first = sizeof start - 1;
	return strlen(name) == first + HASH_DIGITS + sizeof ending - 1 && strncmp(name, start, first) == 0 &&
	       strspn(name + first, "0123456789abcdef") == HASH_DIGITS && strcmp(name + first + HASH_DIGITS, ending) == 0;
}

void run_files_remove(const char *folder)
{
	char path[TALUS_PATH_MAX];
	talus_error ignored;
	DIR *place = opendir(folder);
	for (struct dirent *entry; place && (entry = readdir(place));)
		if (is_copy(entry->d_name) && folder_path(path, folder, entry->d_name, &ignored))
			unlink(path);
	if (place)
		closedir(place);
}
