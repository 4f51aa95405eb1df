// SPDX-License-Identifier: MIT
// The laws of a world: which there are, where the numbers are that they remember, and what they make of a contact.
#include "law/laws.h"

#include "base/memory.h"

#include <assert.h>
#include <string.h>

// In the order in which they run.
static const contact_law *const builtin[] = {&law_friction, &law_restitution, &law_yield, &law_rolling, &law_cohesion};

void laws_init(law_set *set)
{
	memset(set, 0, sizeof *set);
	for (size_t i = 0; i < sizeof builtin/sizeof builtin[0]; i++)
		laws_add(set, builtin[i]);
}

void laws_add(law_set *set, const contact_law *more)
{
	assert(set->count < LAWS_MAX);
	for (const law_field *f = more->memory; f && f->name; f++) {
		assert((f->flag != 0) != (f->count > 0) && (f->flag & (f->flag - 1)) == 0);
		assert((set->flags & f->flag) == 0); // another law has it
		set->flags |= f->flag;
		set->passing |= f->passing ? f->flag : 0;
	}
	set->first[set->count] = NO_NUMBERS;
	set->at[set->count++] = more;
}

// ---------------------------------------------------------------- where numbers are

static int numbers_of(const contact_law *l)
{
	int count = 0;
	for (const law_field *f = l->memory; f && f->name; f++)
		count += f->count;
	return count;
}

static bool applies_to_any(const contact_law *l, const talus_pair *pair, int pairs)
{
	for (int i = 0; i < pairs; i++)
		if (l->applies(&pair[i]))
			return true;
	return false;
}

static void place(law_set *set, int index)
{
	set->first[index] = set->stride;
	for (const law_field *f = set->at[index]->memory; f->name; f++)
		for (int k = 0; k < f->count; k++)
			set->fresh[set->stride++] = f->fresh;
}

// What contacts remember moves with the numbers' places; a law that they did not have yet finds what a new contact would have.
static void rearrange(const law_set *was, const law_set *now, contacts *c)
{
	size_t rows = c->count - c->class_end[TALUS_COULOMB], stride = (size_t)now->stride, size = rows*stride;
	double *block = size > 0 ? memory_grow(NULL, 0, size*sizeof *block) : NULL;
	for (size_t i = 0; block && i < rows; i++) {
		double *to = block + i*stride;
		memcpy(to, now->fresh, stride*sizeof *to);
		for (int l = 0; l < was->count; l++)
			if (was->first[l] >= 0 && now->first[l] >= 0)
				memcpy(to + now->first[l], c->memory + i*(size_t)was->stride + was->first[l],
				       (size_t)numbers_of(was->at[l])*sizeof *to);
	}
	memory_free(c->memory);
	c->memory = block;
	c->memory_capacity = size;
}

void laws_refresh(law_set *set, const talus_pair *pair, int pairs, contacts *c)
{
	law_set was = *set;
	set->stride = 0;
	for (int l = 0; l < set->count; l++) {
		int numbers = numbers_of(set->at[l]);
		set->first[l] = numbers > 0 ? ABSENT : NO_NUMBERS;
		if (numbers > 0 && applies_to_any(set->at[l], pair, pairs)) {
			assert(set->stride + numbers <= LAW_NUMBERS_MAX);
			place(set, l);
		}
	}
	if (was.stride != set->stride || memcmp(was.first, set->first, sizeof set->first) != 0)
		rearrange(&was, set, c);
	c->stride = (size_t)set->stride;
	c->fresh = set->fresh;
}

static contact_memory memory_of(const law_set *set, int index, contacts *c, size_t i)
{
	int first = set->first[index];
	return (contact_memory){&c->contact[i].flags, first < 0 ? NULL : c->memory + (i - c->class_end[TALUS_COULOMB])*c->stride + (size_t)first};
}

// ---------------------------------------------------------------- before and after the sweeps

// From what it aims at follows the approach that is allowed before it pushes. Bonded bodies that go round each other must come
// closer with the speed `turn`, or each step along the tangent would open the bond a little.
static void aim(talus_extended *extended, const talus_row *row, vec3 n, double turn)
{
	double wanted = dot(extended->target, n);
	if (wanted >= 0 && wanted < turn)
		extended->target = mul_add(extended->target, turn - wanted, n);
	extended->gap_allowance = row->mass_n*fmax(wanted - turn, 0);
}

void laws_prepare(const law_set *set, contacts *table, size_t i, talus_extended *extended, talus_row *row, const law_case *c)
{
	*extended = extended_none(c->n, row);
	extended->centre_distance = c->centre_distance;
	for (int l = 0; l < set->count; l++) {
		contact_memory m = memory_of(set, l, table, i);
		if (set->first[l] != ABSENT)
			set->at[l]->prepare(extended, row, &m, c);
	}
	aim(extended, row, c->n, extended->cohesion_impulse > 0 ? fmax(c->curvature_gap, 0)/c->dt : 0);
}

uint32_t laws_remember(const law_set *set, contacts *table, size_t i, const law_outcome *o)
{
	for (int l = 0; l < set->count; l++) {
		contact_memory m = memory_of(set, l, table, i);
		if (set->at[l]->remember && set->first[l] != ABSENT)
			set->at[l]->remember(&m, o);
	}
	uint32_t *flags = &table->contact[i].flags, now = *flags;
	*flags &= ~set->passing;
	return now;
}
