// SPDX-License-Identifier: MIT
// Scenes: from a file to checked plain data.
#include "io/scene.h"

#include "base/error.h"
#include "base/memory.h"
#include "io/files.h"
#include "io/scene_set.h"
#include "io/scene_tables.h"

#include <errno.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void set_folder(scene *s, const char *path)
{
	const char *slash = strrchr(path, '/');
	if (!slash)
		snprintf(s->folder, sizeof s->folder, ".");
	else if (slash == path)
		snprintf(s->folder, sizeof s->folder, "/");
	else
		snprintf(s->folder, sizeof s->folder, "%.*s", (int)(slash - path), path);
}

static bool read_tree(scene *s, const scene_tree *tree, talus_error *error)
{
	talus_reader reader = {.scene = s, .error = error, .root = tree->root, .within = tree->root, .name = ""};
	bool ok = scene_read_table(&reader, tree->root, "", scene_fields, s) && scene_check_pairs(&reader);
	free(reader.by_name);
	free(reader.law);
	return ok;
}

static bool read_all(
	scene *s, const char *text, size_t length, const char *const *overrides, int override_count,
	talus_error *error)
{
	scene_tree tree;
	if (!scene_tree_parse(&tree, text, length, s->file, error))
		return false;
	bool ok = true;
	for (int i = 0; ok && i < override_count; i++)
		ok = scene_set(&tree, overrides[i], error);
	ok = ok && read_tree(s, &tree, error);
	if (ok)
		s->text = scene_set_text(&tree, text, length, overrides, override_count);
	scene_tree_free(&tree);
	return ok;
}

static scene *read_bytes(const char *text, size_t length, const char *name, const char *folder_of,
	const char *const *overrides, int override_count, talus_error *error)
{
	scene *s = calloc(1, sizeof *s);
	// numbers are written with a point whatever the language of the program around us
	locale_t plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
	if (!s || !plain)
		memory_lost();
	snprintf(s->file, sizeof s->file, "%s", name);
	set_folder(s, folder_of);
	locale_t old = uselocale(plain);
	bool ok = read_all(s, text, length, overrides, override_count, error);
	uselocale(old);
	freelocale(plain);
	if (!ok) {
		scene_free(s);
		return NULL;
	}
	return s;
}

// What the user sends through a pipe is read too (/dev/stdin, /dev/fd/63); in other places only files are.
static FILE *scene_open(const char *path)
{
	return strncmp(path, "/dev/", 5) == 0 ? fopen(path, "rbe") : file_read_stream(path, TEXT_MOST);
}

char *scene_file_bytes(const char *path, size_t *length, talus_error *error)
{
	FILE *file = scene_open(path);
	if (!file) {
		error_at(error, path, 0, 0, "the scene cannot be opened: %s", file_reason(errno));
		return NULL;
	}
	size_t room = 1 << 16;
	char *bytes = malloc(room);
	*length = 0;
	for (size_t got = 1; bytes && got && *length <= TEXT_MOST;) {
		if (*length == room)
			bytes = realloc(bytes, room *= 2);
		got = bytes ? fread(bytes + *length, 1, room - *length, file) : 0;
		*length += got;
	}
	bool failed = ferror(file) || *length > TEXT_MOST;
	int reason = ferror(file) ? errno : EFBIG;
	fclose(file);
	if (!bytes)
		memory_lost();
	if (failed) {
		error_at(error, path, 0, 0, "the scene cannot be read: %s", strerror(reason));
		free(bytes);
		return NULL;
	}
	return bytes;
}

scene *scene_read_bytes(const char *bytes, size_t length, const char *path, const char *const *overrides, int override_count,
	talus_error *error)
{
	return read_bytes(bytes, length, path, path, overrides, override_count, error);
}

scene *scene_read_file(const char *path, const char *const *overrides, int override_count, talus_error *error)
{
	size_t length;
	char *bytes = scene_file_bytes(path, &length, error);
	if (!bytes)
		return NULL;
	scene *s = scene_read_bytes(bytes, length, path, overrides, override_count, error);
	free(bytes);
	return s;
}

scene *scene_read_text(
	const char *text, const char *name, const char *const *overrides, int override_count,
	talus_error *error)
{
	return read_bytes(text, strlen(text), name, "", overrides, override_count, error);
}

bool scene_text_set(scene *s, const char *const *sets, int count, talus_error *error)
{
	scene_tree tree;
	if (!scene_tree_parse(&tree, s->text, strlen(s->text), s->file, error))
		return false;
	bool ok = true;
	for (int i = 0; ok && i < count; i++)
		ok = scene_set(&tree, sets[i], error);
	char *text = ok ? scene_set_text(&tree, s->text, strlen(s->text), sets, count) : NULL;
	scene_tree_free(&tree);
	if (!ok)
		return false;
	free(s->text);
	s->text = text;
	return true;
}

bool scene_file_path(const scene *s, const char *path, char *full, size_t size)
{
	bool absolute = *path == '/';
	int length = snprintf(full, size, "%s%s%s", absolute ? "" : s->folder, absolute ? "" : "/", path);
	return length >= 0 && (size_t)length < size;
}

void scene_free(scene *s)
{
	if (!s)
		return;
	free(s->text);
	free(s->material);
	free(s->pair);
	for (int i = 0; i < s->grain_entries; i++)
		scene_grains_free(&s->grains[i]);
	free(s->grains);
	free(s->wall);
	free(s);
}
