// SPDX-License-Identifier: MIT
// Contacts of the last step, when grains or walls come and go between steps: each keeps its bodies, or goes with them. What stays is
// looked at until the next step, and what it remembers is found again by then.
#include "collide/follow.h"

#include <string.h>

static uint32_t line_now(const contacts_move *m, uint32_t line, size_t *spinning)
{
	if (line < m->grains_before)
		return m->row_now ? m->row_now[line] : line;
	size_t wall = line - m->grains_before;
	if (wall < m->walls_before)
		return (uint32_t)(m->grains + wall);
	return (uint32_t)(m->grains + m->walls + (*spinning)++); // a line for each contact with a spinning wall
}

void contacts_follow(contacts *c, const contacts_move *m)
{
	const size_t plain_before = c->class_end[TALUS_COULOMB];
	size_t kept = 0, end[TALUS_CLASSES - 1] = {0}, spinning = 0;
	for (size_t i = 0; i < c->count; i++) {
		talus_contact contact = c->contact[i];
		bool spins = contact.a >= m->grains_before + m->walls_before;
		contact.a = spins ? contact.a : line_now(m, contact.a, &spinning);
		contact.b = line_now(m, contact.b, &spinning);
		if (contact.a == CONTACTS_GONE || contact.b == CONTACTS_GONE)
			continue;
		if (spins)
			contact.a = line_now(m, contact.a, &spinning);
		c->contact[kept] = contact;
		c->p[kept] = c->p[i];
		if (i >= plain_before) {
			size_t to = kept - end[TALUS_COULOMB], from = i - plain_before;
			c->q[to] = c->q[from];
			if (c->stride > 0)
				memmove(c->memory + to*c->stride, c->memory + from*c->stride, c->stride*sizeof *c->memory);
		}
		kept++;
		for (int k = 0; k < TALUS_CLASSES - 1; k++)
			end[k] += i < c->class_end[k];
	}
	c->count = kept;
	memcpy(c->class_end, end, sizeof end);
	c->wall_lines = spinning;
}
