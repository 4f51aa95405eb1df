// SPDX-License-Identifier: MIT
// A contact made by hand: what collision, contact dynamics and the solve know of it, in one place.
#ifndef TALUS_TESTS_ROW_CONTACT_H
#define TALUS_TESTS_ROW_CONTACT_H

#include "base/vec.h"
#include "law/extended.h"
#include <talus/extend.h>

typedef struct row_contact {
	uint32_t a, b;
	vec3 n;
	union {
		talus_row row;
		struct {
			double bias, mass_n, mass_t, mu;
		};
	};
	vec3 p, q;
} row_contact;

static inline impulse row_contact_was(const row_contact *c)
{
	return (impulse){.p = c->p, .q = c->q};
}

// Tables of some contacts, as a problem has them.
static inline void row_contact_give(const row_contact *c, size_t i, talus_contact *contact, talus_row *row, vec3 *p)
{
	contact[i] = (talus_contact){.a = c->a, .b = c->b, .n = c->n, .wall = TALUS_NO_WALL};
	row[i] = c->row;
	p[i] = c->p;
}

#endif
