// SPDX-License-Identifier: MIT
// The members of a sweep by their numbers: names, values, seeds.
#include "sweep.h"

#include <stdio.h>

void sweep_name(const sweep *s, int member, char name[16])
{
	snprintf(name, 16, "%0*d", s->digits, member);
}

int sweep_digits(int members)
{
	return members > 10000 ? 5 : 4;
}

int sweep_choice(const sweep *s, int member, int axis)
{
	int rest = member/s->seeds;
	for (int k = s->axes - 1; k > axis; k--)
		rest /= s->axis[k].count;
	return rest%s->axis[axis].count;
}

uint64_t sweep_seed(const sweep *s, int member)
{
	return s->seed + (uint64_t)(member%s->seeds);
}

int sweep_count(const sweep *s, sweep_state state)
{
	int count = 0;
	for (int i = 0; i < s->members; i++)
		count += s->state[i] == state;
	return count;
}
