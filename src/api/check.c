// SPDX-License-Identifier: MIT
#include "api/check.h"

#include "api/say.h"
#include "base/error.h"
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

const talus_field *check_field(const talus_field *table, const char *name)
{
	while (table->name && strcmp(table->name, name))
		table++;
	return table;
}

bool check_there(const void *def, const char *what, talus_error *error)
{
	return def || error_set(error, "%s is missing: NULL was given", what);
}

int check_dimension(const talus_world_def *in)
{
	return in && in->dimension == 2 ? 2 : 3;
}

void check_open(check_room *room)
{
	*room = (check_room){.plain = newlocale(LC_ALL_MASK, "C", (locale_t)0)};
	if (!room->plain)
		memory_lost();
	room->old = uselocale(room->plain);
}

bool check_close(check_room *room, bool good)
{
	uselocale(room->old);
	freelocale(room->plain);
	scene_tree_free(&room->tree);
	return good;
}

// ---------------------------------------------------------------- as in reading a scene

static talus_reader reading(const scene_node *root, const talus_world_def *in, talus_error *error)
{
	scene *s = calloc(1, sizeof *s);
	if (!s)
		memory_lost();
	if (in)
		s->world = *in;
	s->world.dimension = check_dimension(in);
	return (talus_reader){.scene = s, .error = error, .root = root, .within = root, .name = ""};
}

static bool done(talus_reader *reader, bool good)
{
	free(reader->by_name);
	free(reader->law);
	scene_free(reader->scene);
	return good;
}

static bool read_section(talus_reader *reader, const char *key, const scene_node *node)
{
	const talus_field *field = check_field(scene_fields, key);
	return field->read(reader, node, reader->scene, field);
}

// Two of them, for a law to be between.
static bool read_materials(talus_reader *reader)
{
	scene_tree tree = {0};
	scene_node *map = say_map(&tree);
	for (int i = 0; i < 2; i++) {
		scene_node *of = say_map(&tree);
		say_key(&tree, of, "density", say_text(&tree, "1"));
		say_key(&tree, map, i ? "b" : "a", of);
	}
	bool good = read_section(reader, "materials", map);
	scene_tree_free(&tree);
	return good;
}

bool check_section(const char *key, const scene_node *node, const scene_node *root, const talus_world_def *in, talus_error *error)
{
	talus_reader reader = reading(root, in, error);
	bool law = !strcmp(key, "contacts"), body = !law && strcmp(key, "materials");
	if (body)
		reader.scene->materials = 1; // its number is judged elsewhere
	return done(&reader, (!law || read_materials(&reader)) && read_section(&reader, key, node));
}

bool check_table(const talus_field *table, const scene_node *root, talus_error *error)
{
	talus_reader reader = reading(root, NULL, error);
	return done(&reader, scene_read_table(&reader, root, "", table, reader.scene));
}

bool check_vector(const talus_field *field, talus_vec3 value, int dimension, talus_error *error)
{
	check_room room;
	check_open(&room);
	scene_node *node = say_vector(&room.tree, value, dimension);
	talus_reader reader = reading(node, &(talus_world_def){.dimension = dimension}, error);
	bool good = scene_read_vector(&reader, node, field->name, field, &value);
	return check_close(&room, done(&reader, good)) || error_path(error, "%s", field->name);
}

bool check_real(const talus_field *field, double value, talus_error *error)
{
	check_room room;
	check_open(&room);
	scene_node *node = say_number(&room.tree, value);
	talus_reader reader = reading(node, NULL, error);
	bool good = scene_read_real(&reader, node, field->name, field, &value);
	return check_close(&room, done(&reader, good)) || error_path(error, "%s", field->name);
}
