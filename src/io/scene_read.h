// SPDX-License-Identifier: MIT
// The field engine: fills structs from nodes as tables of fields tell it. Every function returns false after it
// has put a sentence with file, line and column into the reader's error.
#ifndef TALUS_IO_SCENE_READ_H
#define TALUS_IO_SCENE_READ_H

#include "io/scene.h"
#include "io/scene_tree.h"
#include <talus/extend.h>

typedef struct talus_reader {
	scene *scene; // filled from top to bottom, so that later parts know the dimension and the materials
	talus_error *error;
	const scene_node *root;   // of all that is read; errors tell the keys from there
	const scene_node *within; // the mapping that is being read
	const char *name;         // what messages call it
	int *by_name;             // materials, sorted
	int *law;                 // of two materials, materials x materials: number of their entry in `contacts`, from 1; 0: none
} talus_reader;

// scene_fail.c: sentences. The first two are always false.
bool scene_fail(talus_reader *reader, const scene_node *at, const char *format,
	...) __attribute__((format(printf, 3, 4)));
void scene_fail_path(talus_error *error, const scene_node *root, const scene_node *at); // the keys that lead there
bool scene_fail_type(talus_reader *reader, const scene_node *node, const char *name, const char *wanted);
bool scene_fail_near(talus_reader *reader, const char *word, const char *const *names); // which name was meant, after the sentence
const char *scene_near(const char *word, const char *const *names, char *buffer,
	size_t size); // "; did you mean ...?" or ""
// "`a`, `b` or `c`"
const char *scene_names_list(const char *const *names, const char *last, char *buffer, size_t size);

// A mapping into a struct. `name` is its key, "" for the whole scene.
bool scene_read_table(
	talus_reader *reader, const scene_node *node, const char *name, const talus_field *table,
	void *target);
// What a struct holds if its mapping is not there at all.
bool scene_read_defaults(talus_reader *reader, const talus_field *table, void *target);

// One value, in the range of the field. `name` may say more than the field's own.
bool scene_read_real(
	talus_reader *reader, const scene_node *node, const char *name, const talus_field *field,
	double *value);
bool scene_read_vector(
	talus_reader *reader, const scene_node *node, const char *name, const talus_field *field,
	talus_vec3 *value);
bool scene_read_choice(
	talus_reader *reader, const scene_node *node, const char *name, const char *const *names, int *value);
// A list of as many items; count < 0: any number.
bool scene_read_items(talus_reader *reader, const scene_node *node, const char *name, const char *item,
	int count);
// A list of names into a set of bits: name i stands for bit i.
bool scene_read_set(
	talus_reader *reader, const scene_node *node, const char *name, const char *const *names,
	unsigned *set);
// A name that a user chose.
bool scene_read_name(talus_reader *reader, const scene_node *key, char *name);

const char *scene_range_text(const talus_field *field, char *buffer,
	size_t size); // "greater than 0"; "" without limits

#endif
