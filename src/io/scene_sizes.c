// SPDX-License-Identifier: MIT
// Scene keys: how the radii of grains are distributed.
#include "io/scene_tables.h"

static SCENE_READER(read_constant);
static SCENE_READER(read_uniform);
static SCENE_READER(read_bell);
static SCENE_READER(read_sieve);

static const talus_field normal_fields[] = {
	{.name = "mean", .meaning = "mean radius, before the cut", .unit = "L", .type = TALUS_FIELD_REAL,
		AT(talus_sizes, a), .required = true, POSITIVE},
	{.name = "deviation", .meaning = "standard deviation of the radius", .unit = "L",
		.type = TALUS_FIELD_REAL, AT(talus_sizes, b), .required = true, NOT_NEGATIVE},
	{.name = "least", .meaning = "smaller ones are drawn again", .unit = "L", .type = TALUS_FIELD_REAL,
		AT(talus_sizes, least), .required = true, POSITIVE},
	{.name = "most", .meaning = "larger ones are drawn again", .unit = "L", .type = TALUS_FIELD_REAL,
		AT(talus_sizes, most), .required = true, POSITIVE},
	END,
};

static const talus_field lognormal_fields[] = {
	{.name = "median", .meaning = "median radius, before the cut", .unit = "L", .type = TALUS_FIELD_REAL,
		AT(talus_sizes, a), .required = true, POSITIVE},
	{.name = "deviation", .meaning = "standard deviation of the logarithm of the radius", .unit = "",
		.type = TALUS_FIELD_REAL, AT(talus_sizes, b), .required = true, NOT_NEGATIVE},
	{.name = "least", .meaning = "smaller ones are drawn again", .unit = "L", .type = TALUS_FIELD_REAL,
		AT(talus_sizes, least), .required = true, POSITIVE},
	{.name = "most", .meaning = "larger ones are drawn again", .unit = "L", .type = TALUS_FIELD_REAL,
		AT(talus_sizes, most), .required = true, POSITIVE},
	END,
};

const talus_field scene_sizes_fields[] = {
	{.name = "constant", .meaning = "all the same", .unit = "L", .type = TALUS_FIELD_CUSTOM,
		.form = "number", .alternative = true, POSITIVE, .read = read_constant},
	{.name = "uniform", .meaning = "all radii between two are equally likely", .unit = "L",
		.type = TALUS_FIELD_CUSTOM, .form = "[least, most]", .alternative = true, POSITIVE,
		.read = read_uniform},
	{.name = "normal", .meaning = "a normal distribution with its ends cut off",
		.type = TALUS_FIELD_CUSTOM, .form = "mapping", .alternative = true, .table = normal_fields,
		.read = read_bell},
	{.name = "lognormal", .meaning = "the logarithm has a normal distribution with its ends cut off",
		.type = TALUS_FIELD_CUSTOM, .form = "mapping", .alternative = true, .table = lognormal_fields,
		.read = read_bell},
	{.name = "sieve",
		.meaning = "grading curve: mass fraction that passes sieves of rising opening (a diameter), from 0 to 1",
		.unit = "L, fraction", .type = TALUS_FIELD_CUSTOM, .form = "[[opening, passing], ...]",
		.alternative = true, .read = read_sieve},
	END,
};

static SCENE_READER(read_constant)
{
	talus_sizes *sizes = target;
	sizes->kind = TALUS_SIZE_CONSTANT;
	return scene_read_real(reader, node, field->name, field, &sizes->a);
}

static SCENE_READER(read_uniform)
{
	talus_sizes *sizes = target;
	sizes->kind = TALUS_SIZE_UNIFORM;
	if (!scene_read_items(reader, node, field->name, "number", 2) ||
		!scene_read_real(reader, node->entry[0].value, field->name, field, &sizes->a) ||
		!scene_read_real(reader, node->entry[1].value, field->name, field, &sizes->b))
		return false;
	if (sizes->a > sizes->b)
		return scene_fail(reader, node, "`%s` must rise, but goes from %.15g to %.15g", field->name,
			sizes->a, sizes->b);
	return true;
}

// The middle lies between the cuts, and there is room between them, so that drawing again comes to an end.
static SCENE_READER(read_bell)
{
	talus_sizes *sizes = target;
	bool normal = field->table == normal_fields;
	const char *middle = normal ? "mean" : "median";
	sizes->kind = normal ? TALUS_SIZE_NORMAL : TALUS_SIZE_LOGNORMAL;
	if (!scene_read_table(reader, node, field->name, field->table, sizes))
		return false;
	if (sizes->least >= sizes->most)
		return scene_fail(reader, scene_node_find(node, "most"),
			"`most` must be greater than `least` = %.15g, but is %.15g", sizes->least, sizes->most);
	if (sizes->a < sizes->least || sizes->a > sizes->most)
		return scene_fail(reader, scene_node_find(node, middle),
			"`%s` must lie between `least` = %.15g and `most` = %.15g, but is %.15g", middle,
			sizes->least, sizes->most, sizes->a);
	return true;
}

static bool check_sieve(talus_reader *reader, const scene_node *node, const talus_sizes *sizes)
{
	int last = sizes->points - 1;
	for (int i = 1; i <= last; i++) {
		const scene_node *point = node->entry[i].value;
		if (sizes->opening[i] <= sizes->opening[i - 1])
			return scene_fail(reader, point->entry[0].value,
				"the openings of `sieve` must rise, but %.15g follows %.15g",
				sizes->opening[i], sizes->opening[i - 1]);
		if (sizes->passing[i] < sizes->passing[i - 1])
			return scene_fail(reader, point->entry[1].value,
				"the fractions of `sieve` must rise, but %.15g follows %.15g", sizes->passing[i],
				sizes->passing[i - 1]);
	}
	if (sizes->passing[0] != 0)
		return scene_fail(reader, node->entry[0].value->entry[1].value,
			"the fractions of `sieve` must begin with 0, but begin with %.15g", sizes->passing[0]);
	if (sizes->passing[last] != 1)
		return scene_fail(reader, node->entry[last].value->entry[1].value,
			"the fractions of `sieve` must end with 1, but end with %.15g", sizes->passing[last]);
	return true;
}

static SCENE_READER(read_sieve)
{
	static const talus_field opening = {.name = "opening", POSITIVE},
		passing = {.name = "passing", .least = 0, .most = 1};
	talus_sizes *sizes = target;
	sizes->kind = TALUS_SIZE_SIEVE;
	if (!scene_read_items(reader, node, field->name, "point", -1))
		return false;
	if (node->count < 2 || node->count > TALUS_SIEVE_MAX)
		return scene_fail(reader, node, "`%s` must have from 2 to %d points, but has %d", field->name,
			TALUS_SIEVE_MAX, node->count);
	sizes->points = node->count;
	for (int i = 0; i < node->count; i++) {
		const scene_node *point = node->entry[i].value;
		if (!scene_read_items(reader, point, field->name, "number", 2) ||
			!scene_read_real(reader, point->entry[0].value, "opening", &opening,
			&sizes->opening[i]) || !scene_read_real(reader, point->entry[1].value, "passing",
			&passing, &sizes->passing[i]))
			return false;
	}
	return check_sieve(reader, node, sizes);
}

SCENE_READER(scene_read_sizes)
{
	talus_sizes *sizes = target;
	if (node->kind == SCENE_MAP)
		return scene_read_table(reader, node, field->name, field->table, sizes);
	sizes->kind = TALUS_SIZE_CONSTANT;
	return scene_read_real(reader, node, field->name, field, &sizes->a);
}
