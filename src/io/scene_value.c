// SPDX-License-Identifier: MIT
// Single values of a scene: numbers, words, vectors, each with its type and range.
#include "io/scene_value.h"

#include "base/utf8.h"
#include "base/vec.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---------------------------------------------------------------- ranges

const char *scene_range_text(const talus_field *field, char *buffer, size_t size)
{
	*buffer = 0;
	bool least = isfinite(field->least), most = isfinite(field->most);
	if (field->least == field->most)
		return buffer;
	if (least && most && !field->above && !field->below) {
		snprintf(buffer, size, "from %.15g to %.15g", field->least, field->most);
		return buffer;
	}
	int used = 0;
	if (least)
		used = snprintf(buffer, size, "%s %.15g", field->above ? "greater than" : "at least",
			field->least);
	if (most)
		snprintf(buffer + used, size - (size_t)used, "%s%s %.15g", least ? " and " : "",
			field->below ? "less than" : "at most", field->most);
	return buffer;
}

static bool check_range(
	talus_reader *reader, const scene_node *node, const char *name, const talus_field *field,
	double value)
{
	bool low = field->above ? value <= field->least : value < field->least;
	bool high = field->below ? value >= field->most : value > field->most;
	if (field->least == field->most || (!low && !high))
		return true;
	char range[128];
	return scene_fail(reader, node, "`%s` must be %s, but is %.80s", name,
		scene_range_text(field, range, sizeof range), node->text);
}

// ---------------------------------------------------------------- numbers

// Within these powers the square of every impulse, of every energy and of every moment of inertia is a number with all its bits.
static const double smallest = 1e-20, largest = 1e20;

// Of what has a unit; quantities that must be greater than 0 are scales of all others, and must not be too small.
static bool check_magnitude(
	talus_reader *reader, const scene_node *node, const char *name, const talus_field *field, double value)
{
	bool scale = field->above && field->least == 0, unit = field->unit && *field->unit;
	if (!unit || (fabs(value) <= largest && (!scale || fabs(value) >= smallest)))
		return true;
	return scene_fail(reader, node, "`%s` must be %s %g, or numbers computed from it get lost; choose other units: it is %.80s",
		name, fabs(value) > largest ? "at most" : "at least", fabs(value) > largest ? largest : smallest, node->text);
}

static const char *digits(const char *at)
{
	while (isdigit((unsigned char)*at))
		at++;
	return at;
}

// As YAML 1.2 writes decimal numbers.
bool scene_is_number(const char *text)
{
	const char *whole = text + (*text == '-' || *text == '+'), *at = digits(whole);
	bool some = at > whole;
	if (*at == '.') {
		const char *fraction = ++at;
		at = digits(fraction);
		some = some || at > fraction;
	}
	if (some && (*at == 'e' || *at == 'E')) {
		const char *power = at + 1 + (at[1] == '-' || at[1] == '+');
		at = digits(power);
		some = at > power;
	}
	return some && !*at;
}

static bool is_not_finite(const char *text)
{
	text += *text == '-' || *text == '+';
	return !strcasecmp(text, ".nan") || !strcasecmp(text, ".inf");
}

bool scene_read_real(
	talus_reader *reader, const scene_node *node, const char *name, const talus_field *field,
	double *value)
{
	bool scalar = node->kind == SCENE_SCALAR && node->plain;
	if (!scalar || (!scene_is_number(node->text) && !is_not_finite(node->text)))
		return scene_fail_type(reader, node, name, "a number");
	*value = scene_is_number(node->text) ? strtod(node->text, NULL) : NAN;
	if (!isfinite(*value))
		return scene_fail(reader, node, "`%s` must be a finite number, but is %.80s", name,
			node->text);
	return check_range(reader, node, name, field, *value) && check_magnitude(reader, node, name, field, *value);
}

static bool read_integer(talus_reader *reader, const scene_node *node, const talus_field *field, int *value)
{
	double number;
	if (node->kind != SCENE_SCALAR || !node->plain || !scene_is_number(node->text))
		return scene_fail_type(reader, node, field->name, "a whole number");
	if (!scene_read_real(reader, node, field->name, field, &number))
		return false;
	if (number != floor(number))
		return scene_fail_type(reader, node, field->name, "a whole number");
	if (fabs(number) > INT_MAX)
		return scene_fail(reader, node, "`%s` must be at most %d, but is %.80s", field->name, INT_MAX,
			node->text);
	*value = (int)number;
	return true;
}

static bool read_seed(talus_reader *reader, const scene_node *node, const talus_field *field, uint64_t *value)
{
	errno = 0;
	bool whole = node->kind == SCENE_SCALAR && node->plain && *node->text && !*digits(node->text);
	unsigned long long number = whole ? strtoull(node->text, NULL, 10) : 0;
	if (!whole || errno)
		return scene_fail_type(reader, node, field->name,
			"a whole number from 0 to 18446744073709551615");
	*value = number;
	return true;
}

// ---------------------------------------------------------------- words

static bool read_bool(talus_reader *reader, const scene_node *node, const talus_field *field, bool *value)
{
	bool plain = node->kind == SCENE_SCALAR && node->plain;
	if (plain && (!strcmp(node->text, "true") || !strcmp(node->text, "True") ||
		!strcmp(node->text, "TRUE")))
		*value = true;
	else if (plain && (!strcmp(node->text, "false") || !strcmp(node->text, "False") ||
		!strcmp(node->text, "FALSE")))
		*value = false;
	else
		return scene_fail_type(reader, node, field->name, "`true` or `false`");
	return true;
}

static bool read_text(talus_reader *reader, const scene_node *node, const talus_field *field, char *value)
{
	if (node->kind != SCENE_SCALAR || scene_node_null(node))
		return scene_fail_type(reader, node, field->name, "a text");
	size_t length = strlen(node->text);
	if (length >= field->size)
		return scene_fail(reader, node, "`%s` must be shorter than %zu bytes, but has %zu",
			field->name, field->size, length);
	memcpy(value, node->text, length + 1);
	return true;
}

bool scene_read_choice(
	talus_reader *reader, const scene_node *node, const char *name, const char *const *names, int *value)
{
	char list[256];
	for (int i = 0; node->kind == SCENE_SCALAR && names[i]; i++) {
		if (!strcmp(node->text, names[i])) {
			*value = i;
			return true;
		}
	}
	scene_fail_type(reader, node, name, scene_names_list(names, " or ", list, sizeof list));
	return node->kind == SCENE_SCALAR ? scene_fail_near(reader, node->text, names) : false;
}

static bool read_choice(talus_reader *reader, const scene_node *node, const talus_field *field, void *target)
{
	int value;
	if (!scene_read_choice(reader, node, field->name, field->names, &value))
		return false;
	if (field->later && value >= field->later)
		return scene_fail(reader, node, "`%s: %s` is not available in this version", field->name,
			field->names[value]);
	if (field->size == sizeof(bool))
		*(bool *)target = value != 0;
	else
		memcpy(target, &value, sizeof value); // the enums of talus.h are as wide as an int
	return true;
}

bool scene_read_name(talus_reader *reader, const scene_node *key, char *name)
{
	size_t length = strlen(key->text);
	if (!length || length >= TALUS_NAME_MAX)
		return scene_fail(reader, key, "a name must have 1 to %d bytes, but has %zu",
			TALUS_NAME_MAX - 1, length);
	for (const char *c = key->text; *c; c += utf8_next(c)) {
		if (utf8_next(c) == 0)
			return scene_fail(reader, key, "a name must be text in UTF-8, which the byte 0x%02x does not belong to", (unsigned char)*c);
		if (!isalnum((unsigned char)*c) && *c != '_' && *c != '-' && !(*c & 0x80))
			return scene_fail(reader, key,
				"a name may have letters, digits, `_` and `-` only, but is `%s`", key->text);
	}
	memcpy(name, key->text, length + 1);
	return true;
}

// ---------------------------------------------------------------- lists

bool scene_read_items(talus_reader *reader, const scene_node *node, const char *name, const char *item,
	int count)
{
	char wanted[128];
	if (count < 0)
		snprintf(wanted, sizeof wanted, "a list of %ss", item);
	else
		snprintf(wanted, sizeof wanted, "a list of %d %ss", count, item);
	if (node->kind != SCENE_LIST)
		return scene_fail_type(reader, node, name, wanted);
	if (count >= 0 && node->count != count)
		return scene_fail(reader, node, "`%s` must have %d %ss, but has %d", name, count, item,
			node->count);
	return true;
}

bool scene_read_set(
	talus_reader *reader, const scene_node *node, const char *name, const char *const *names,
	unsigned *set)
{
	*set = 0;
	if (node->kind != SCENE_LIST)
		return scene_fail_type(reader, node, name, "a list");
	for (int i = 0; i < node->count; i++) {
		const scene_node *item = node->entry[i].value;
		int bit;
		if (!scene_read_choice(reader, item, name, names, &bit))
			return false;
		if (reader->scene->world.dimension == 2 && !strcmp(names[bit], "z"))
			return scene_fail(reader, item, "`z` in `%s` is not a direction of a scene in 2D",
				name);
		if (*set & 1u << bit)
			return scene_fail(reader, item, "`%s` stands twice in `%s`", item->text, name);
		*set |= 1u << bit;
	}
	return true;
}

// As many components as there are dimensions; a third one that is not needed must be 0.
static bool read_components(
	talus_reader *reader, const scene_node *node, const char *name, const talus_field *field, int dimension,
	talus_vec3 *value)
{
	static const talus_field unlimited;
	double component[3] = {0, 0, 0};
	if (node->kind != SCENE_LIST)
		return scene_fail_type(reader, node, name, dimension == 2 ? "a list of 2 numbers" :
			"a list of 3 numbers");
	if (node->count != dimension && node->count != 3)
		return scene_fail(reader, node, "`%s` must have %d components, but has %d", name, dimension,
			node->count);
	for (int k = 0; k < node->count; k++) {
		const scene_node *item = node->entry[k].value;
		if (!scene_read_real(reader, item, name, k < dimension ? field : &unlimited, &component[k]))
			return false;
		if (k >= dimension && component[k] != 0)
			return scene_fail(reader, item,
				"the third component of `%s` must be 0 in 2D, but is %.80s", name,
				item->text);
	}
	*value = (talus_vec3){component[0], component[1], component[2]};
	return true;
}

bool scene_read_vector(
	talus_reader *reader, const scene_node *node, const char *name, const talus_field *field,
	talus_vec3 *value)
{
	return read_components(reader, node, name, field, reader->scene->world.dimension, value);
}

static bool read_direction(
	talus_reader *reader, const scene_node *node, const talus_field *field, int dimension, talus_vec3 *value)
{
	if (!read_components(reader, node, field->name, field, dimension, value))
		return false;
	double length = norm(*value); // as it is computed when the vector is used
	if (length > 0 && isfinite(length))
		return true;
	return scene_fail(reader, node,
		length > 0 ? "`%s` is too long to compute with" : "`%s` must not have length 0", field->name);
}

// ---------------------------------------------------------------- by type

bool scene_value_read(talus_reader *reader, const scene_node *node, const talus_field *field, void *target)
{
	switch (field->type) {
	case TALUS_FIELD_REAL: return scene_read_real(reader, node, field->name, field, target);
	case TALUS_FIELD_INTEGER: return read_integer(reader, node, field, target);
	case TALUS_FIELD_SEED: return read_seed(reader, node, field, target);
	case TALUS_FIELD_BOOL: return read_bool(reader, node, field, target);
	case TALUS_FIELD_TEXT: return read_text(reader, node, field, target);
	case TALUS_FIELD_VECTOR: return scene_read_vector(reader, node, field->name, field, target);
	case TALUS_FIELD_DIRECTION: return read_direction(reader, node, field, reader->scene->world.dimension, target);
	case TALUS_FIELD_AXIS: return read_direction(reader, node, field, 3, target);
	default: return read_choice(reader, node, field, target);
	}
}

bool scene_value_default(talus_reader *reader, const talus_field *field, void *target)
{
	talus_vec3 *value = target;
	if (field->type == TALUS_FIELD_AXIS) {
		*value = vec(0, 0, 1);
		return reader->scene->world.dimension == 2 ||
			scene_fail(reader, reader->within, "`%s` is missing in `%s`", field->name, reader->name);
	}
	if (!field->fallback)
		return true;
	if (field->type == TALUS_FIELD_VECTOR || field->type == TALUS_FIELD_DIRECTION) {
		return sscanf(field->fallback, "[%lf, %lf, %lf]", &value->x, &value->y, &value->z) == 3;
	}
	scene_node node = {.kind = SCENE_SCALAR, .plain = true, .text = field->fallback,
		.source = "a default"};
	return scene_value_read(reader, &node, field, target);
}
