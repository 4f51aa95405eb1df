// SPDX-License-Identifier: MIT
// Room for the rows of contact dynamics.
#include "method/rows.h"

#include "base/memory.h"

void rows_reserve(contact_rows *r, const contacts *c)
{
	r->row = memory_room(r->row, &r->capacity, c->count, sizeof *r->row);
	r->extended = memory_room(r->extended, &r->extended_capacity, c->count - c->class_end[TALUS_COULOMB], sizeof *r->extended);
	r->friction = memory_room(r->friction, &r->friction_capacity, c->count - c->class_end[TALUS_COULOMB], sizeof *r->friction);
	r->full_mass = memory_room(r->full_mass, &r->full_mass_capacity, c->count - c->class_end[TALUS_EXTENDED], sizeof *r->full_mass);
}

void rows_free(contact_rows *r)
{
	memory_free(r->row);
	memory_free(r->extended);
	memory_free(r->friction);
	memory_free(r->full_mass);
	*r = (contact_rows){0};
}
