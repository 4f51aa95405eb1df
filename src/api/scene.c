// SPDX-License-Identifier: MIT
// Scenes as objects. What is kept is the text; it is read anew whenever it is asked something, so errors point into what one sees.
#include "api/scene.h"

#include "api/check.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "io/advice.h"
#include "io/scene_read.h"
#include "io/scene_set.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *text_copy(const char *text, size_t length)
{
	char *copy = malloc(length + 1);
	if (!copy)
		memory_lost();
	memcpy(copy, text, length);
	copy[length] = 0;
	return copy;
}

static void *lost_unless(void *block)
{
	if (!block)
		memory_lost();
	return block;
}

// ---------------------------------------------------------------- making one

static talus_scene *scene_new(const char *name, const char *path, const char *text, size_t length, talus_error *error)
{
	scene_tree tree;
	if (!scene_tree_parse(&tree, text, length, name, error))
		return NULL;
	bool mapping = tree.root->kind == SCENE_MAP;
	scene_tree_free(&tree);
	if (!mapping) {
		error_at(error, name, 1, 1, "a scene must be a mapping of keys to values, as in `gravity: [0, 0, -1]`");
		return NULL;
	}
	talus_scene *s = lost_unless(calloc(1, sizeof *s));
	snprintf(s->name, sizeof s->name, "%s", name);
	s->path = text_copy(path, strlen(path));
	s->text = text_copy(text, length);
	s->length = length;
	return s;
}

talus_scene *talus_scene_read(const char *path, talus_error *error)
{
	talus_error inner;
	size_t length;
	error = error ? error : &inner;
	char *bytes = check_there(path, "the path of a scene", error) ? scene_file_bytes(path, &length, error) : NULL;
	talus_scene *s = bytes ? scene_new(path, path, bytes, length, error) : NULL;
	free(bytes);
	return s;
}

talus_scene *talus_scene_parse(const char *text, const char *folder, talus_error *error)
{
	talus_error inner;
	char path[TALUS_PATH_MAX];
	error = error ? error : &inner;
	if (!check_there(text, "the text of a scene", error))
		return NULL;
	if ((size_t)snprintf(path, sizeof path, "%s%s-", folder ? folder : "", folder && *folder ? "/" : "") >= sizeof path) {
		error_set(error, "the path of the folder is longer than %d bytes", TALUS_PATH_MAX - 3);
		return NULL;
	}
	return scene_new("", path, text, strlen(text), error);
}

void talus_scene_destroy(talus_scene *s)
{
	if (!s)
		return;
	free(s->path);
	free(s->text);
	free(s->emitted);
	free(s);
}

// ---------------------------------------------------------------- single values

// The path with its value, as the program's --set has it. NULL and a sentence if it is no path.
static char *override_of(const char *path, const char *value, talus_error *error)
{
	scene_path parts;
	if (!check_there(path, "the path of a value", error) || !check_there(value, "a value", error))
		return NULL;
	char *text = lost_unless(malloc(strlen(path) + strlen(value) + 2));
	sprintf(text, "%s=%s", path, value);
	if (strchr(path, '=') || !scene_path_read(&parts, text)) {
		error_set(error, "`%.80s` is no path of keys, as in solver.nsgs.stop.iterations", path);
		free(text);
		return NULL;
	}
	return text;
}

// About the path, not about an option of the program.
static bool refuse(const char *path, talus_error *error)
{
	error->file[0] = 0;
	error->line = error->column = 0;
	return *error->path ? false : error_path(error, "%s", path);
}

bool talus_scene_set(talus_scene *s, const char *path, const char *value, talus_error *error)
{
	talus_error inner;
	scene_tree tree;
	error = error ? error : &inner;
	char *override = override_of(path, value, error);
	if (!override)
		return false;
	bool good = scene_tree_parse(&tree, s->text, s->length, s->name, error);
	if (good) {
		good = scene_set(&tree, override, error) || refuse(path, error);
		char *changed = good ? lost_unless(scene_set_text(&tree, s->text, s->length, (const char *const *)&override, 1)) : NULL;
		scene_tree_free(&tree);
		if (good) {
			free(s->text);
			free(s->emitted);
			s->text = changed;
			s->length = strlen(changed);
			s->emitted = NULL;
		}
	}
	free(override);
	return good;
}

static bool value_at(const scene_node *node, const scene_path *path, char *value, size_t size, talus_error *error)
{
	for (int i = 0; i < path->depth && node; i++) {
		scene_entry *entry = node->kind == SCENE_SCALAR ? NULL : scene_path_step(node, path->name[i]);
		node = entry ? entry->value : NULL;
	}
	if (!node)
		return error_set(error, "the scene says nothing there");
	char *text = lost_unless(scene_emit_flow(node));
	size_t length = strlen(text);
	bool fits = value && length < size;
	if (fits)
		memcpy(value, text, length + 1);
	free(text);
	return fits || error_set(error, "the value takes %zu bytes with its end, and there is room for %zu", length + 1, value ? size : 0);
}

bool talus_scene_get(const talus_scene *s, const char *path, char *value, size_t size, talus_error *error)
{
	talus_error inner;
	scene_path parts;
	scene_tree tree;
	error = error ? error : &inner;
	char *override = override_of(path, "", error);
	if (!override || !scene_tree_parse(&tree, s->text, s->length, s->name, error)) {
		free(override);
		return false;
	}
	scene_path_read(&parts, override);
	bool good = value_at(tree.root, &parts, value, size, error) || error_path(error, "%s", path);
	scene_tree_free(&tree);
	free(override);
	return good;
}

const char *talus_scene_text(const talus_scene *of)
{
	talus_scene *s = (talus_scene *)of; // what is handed out is kept with it
	talus_error error;
	scene_tree tree;
	if (!s->emitted && scene_tree_parse(&tree, s->text, s->length, s->name, &error)) {
		s->emitted = lost_unless(scene_set_text(&tree, s->text, s->length, NULL, 0));
		scene_tree_free(&tree);
	}
	return s->emitted ? s->emitted : s->text;
}

// ---------------------------------------------------------------- all of it

// What came as text has no file, only a place where it might be.
static void name_file(const talus_scene *s, talus_error *error)
{
	if (!strcmp(error->file, s->path))
		snprintf(error->file, sizeof error->file, "%s", s->name);
}

scene *scene_of(const talus_scene *s, talus_error *error)
{
	scene *read = scene_read_bytes(s->text, s->length, s->path, NULL, 0, error);
	if (read)
		snprintf(read->file, sizeof read->file, "%s", s->name);
	else
		name_file(s, error);
	return read;
}

// What is found when grains are in place knows the line only.
static void find_path(const talus_scene *s, talus_error *error)
{
	scene_tree tree;
	talus_error nobody;
	name_file(s, error);
	if (*error->path || error->line < 1 || strcmp(error->file, s->name) || !scene_tree_parse(&tree, s->text, s->length, s->name, &nobody))
		return;
	scene_fail_path(error, tree.root, &(scene_node){.source = s->name, .line = error->line, .column = error->column});
	scene_tree_free(&tree);
}

static talus_world *build(const talus_scene *s, scene **read, int threads, talus_error *error)
{
	*read = scene_of(s, error);
	if (*read)
		(*read)->threads = threads;
	talus_world *world = *read ? scene_build(*read, false, error) : NULL;
	if (!world)
		find_path(s, error);
	return world;
}

talus_world *talus_scene_world(const talus_scene *s, int threads, talus_error *error)
{
	talus_error inner;
	scene *read;
	error = error ? error : &inner;
	if (threads < 1 || threads > PARALLEL_MOST) {
		error_set(error, "there must be from 1 to %d threads, but %d are asked for", PARALLEL_MOST, threads);
		return NULL;
	}
	talus_world *world = build(s, &read, threads, error);
	scene_free(read);
	return world;
}

static bool warned(const advice *list, int count, const char *code)
{
	for (int i = 0; i < count; i++)
		if (!strcmp(list[i].code, code))
			return true;
	return false;
}

int talus_scene_check(const talus_scene *s, talus_advice *list, int most, talus_error *error)
{
	talus_error inner;
	scene *read;
	error = error ? error : &inner;
	talus_world *world = build(s, &read, 1, error);
	advice said[ADVICE_MAX], warnings[ADVICE_MAX];
	int count = -1;
	if (world) {
		advice_facts facts = advice_measure(read, world);
		int all = advice_warnings(read, warnings);
		count = advice_judge(&facts, said);
		for (int i = 0; i < count && i < most && list; i++) {
			list[i] = (talus_advice){.severity = warned(warnings, all, said[i].code) ? TALUS_SEVERITY_WARNING : TALUS_SEVERITY_ADVICE};
			snprintf(list[i].code, sizeof list[i].code, "%s", said[i].code);
			snprintf(list[i].message, sizeof list[i].message, "%s", said[i].message);
		}
	}
	talus_world_destroy(world);
	scene_free(read);
	return count;
}

talus_world *talus_world_load(const char *path, talus_error *error)
{
	talus_scene *s = talus_scene_read(path, error);
	talus_world *world = s ? talus_scene_world(s, 1, error) : NULL;
	talus_scene_destroy(s);
	return world;
}
