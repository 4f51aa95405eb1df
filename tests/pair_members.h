// SPDX-License-Identifier: MIT
// All numbers of a talus_pair, from the keys of a scene, for tests that treat them alike.
#ifndef TALUS_TESTS_PAIR_MEMBERS_H
#define TALUS_TESTS_PAIR_MEMBERS_H

#include <talus/extend.h>

#include <assert.h>

extern const talus_field scene_contact_fields[]; // io/scene_tables.h

enum { PAIR_MEMBERS_MAX = 64 };

static inline bool pair_member_is_new(const talus_field *field, const talus_field *list[PAIR_MEMBERS_MAX], int count)
{
	if (field->size != sizeof(double)) // a mapping without a number of its own
		return false;
	for (int i = 0; i < count; i++)
		if (list[i]->offset == field->offset)
			return false;
	return true;
}

static inline int pair_members_of(const talus_field *table, const talus_field *list[PAIR_MEMBERS_MAX], int count)
{
	for (const talus_field *field = table; field->name; field++) {
		assert(count < PAIR_MEMBERS_MAX);
		if (pair_member_is_new(field, list, count))
			list[count++] = field;
		if (field->table)
			count = pair_members_of(field->table, list, count);
	}
	return count;
}

// Each once, wherever in an entry of `contacts` it stands, with place, unit and range. Returns how many.
static inline int pair_members(const talus_field *list[PAIR_MEMBERS_MAX])
{
	return pair_members_of(scene_contact_fields, list, 0);
}

#endif
