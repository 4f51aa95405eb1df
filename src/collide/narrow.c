// SPDX-License-Identifier: MIT
// The narrow phase: pairs become contacts. A pair is a contact if it touches, or if its two bodies, each going straight on with the
// velocity it has without contacts, could close the gap within the step. After the solve the remaining pairs are
// looked at once more: a body that was kicked within the step may have come farther than expected. Such late pairs
// are marked, and the step is solved again.
//
// The table of contacts is in the order of the list: first those of plain bodies, then the others, in each part grains
// before walls, where the list is cut into blocks, in each of them. Blocks of pairs are looked at twice, to count and to write, so that every thread knows where its own begin.
// A pair remembers whether it has a row in the table. As long as the list stays, its impulse of the last step is found by
// counting along; only for a new list contacts are matched by their keys.
#include "collide/narrow.h"
#include "base/parallel.h"

#include "state/bodies.h"
#include "state/cell.h"
#include "state/wall.h"

#include <string.h>

// ---------------------------------------------------------------- what finding shares

typedef struct tally { // of a block, for every kind of contact
	uint32_t rows[KINDS], old_rows[KINDS], wall_lines[KINDS]; // how many, then where they begin
	bool turned; // a pair meets another way round than before
} tally;

typedef struct stretch {
	size_t first, last;
} stretch;

typedef struct finding {
	const world_state *st;
	approach *ahead;
	pair_list *list;
	contacts *table;
	const narrow_listener *listener;
	size_t pair_blocks, blocks; // where the list is not cut, blocks of pairs and then those with walls
	tally *tally;   // of all blocks
	zone *zone;     // per grain
	bool by_list;   // impulses of the last step by counting along
	bool periodic;
	bool all_plain; // between grains, and none of them far
	double close;   // nothing that is closer meets the long way round
} finding;

// Along n, can one of the two be pushed at all?
static double inverse_along(const world_state *st, size_t i, vec3 n)
{
	vec3 inv = state_inverse_mass(st, (uint32_t)i);
	return inv.x*n.x*n.x + inv.y*n.y*n.y + inv.z*n.z*n.z;
}

static bool pushable(const finding *f, size_t a, size_t b, vec3 n)
{
	const talus_solver_body *m = f->ahead->motion;
	return inverse_along(f->st, a, n) + inverse_along(f->st, b, n) > 1e-12*(m[a].inv_m + m[b].inv_m);
}

static inline int kind_of_pair(const world_state *st, const pair *p)
{
	return st->any_full_mass || st->any_extended || st->cell_deforms ? state_contact_kind(st, p->a, p->b, NO_WALL) : PLAIN;
}

static double reach_of(const finding *f, size_t i)
{
	const approach *ahead = f->ahead;
	double reach = approach_reach(ahead, f->st, &ahead->motion[i]);
	return ahead->kicked ? fmax(reach, ahead->kick[i] + 0.5*ahead->margin + ahead->drift) : reach;
}

static void find_zones(void *job, size_t first, size_t last)
{
	const finding *f = job;
	const bodies *b = &f->st->bodies;
	for (size_t i = first; i < last; i++)
		f->zone[i] = (zone){b->x[i], b->radius[i] + reach_of(f, i)};
}

// ---------------------------------------------------------------- two grains

// From a to b, where a has the lower id: so a contact keeps its direction when grains are sorted.
typedef struct meeting {
	uint32_t a, b;
	vec3 d;
	double distance;
} meeting;

static inline meeting meet(const world_state *st, const pair *p)
{
	const bodies *all = &st->bodies;
	vec3 d = sub(add(all->x[p->b], st->cell.shift[p->image]), all->x[p->a]);
	bool turn = all->id[p->a] > all->id[p->b];
	return (meeting){turn ? p->b : p->a, turn ? p->a : p->b, turn ? neg(d) : d, norm(d)};
}

static inline vec3 meeting_normal(const meeting *m)
{
	return m->distance > 0 ? mul(1/m->distance, m->d) : vec(1, 0, 0);
}

static inline bool could_meet(const finding *f, const pair *p, double *square)
{
	const zone *a = &f->zone[p->a], *b = &f->zone[p->b];
	vec3 d = sub(add(b->x, f->st->cell.shift[p->image]), a->x);
	double near = a->near + b->near;
	*square = dot(d, d);
	return *square < near*near;
}

// The marks of a pair that takes part.
static inline unsigned contact_marks(const finding *f, const pair *p, int kind, double square)
{
	if (kind != FULL_MASS && square < f->close*f->close) {
		const talus_solver_body *motion = f->ahead->motion;
		return motion[p->a].inv_m + motion[p->b].inv_m > 0 ? PAIR_CONTACT | PAIR_ROW : PAIR_CONTACT;
	}
	meeting m = meet(f->st, p);
	unsigned marks = PAIR_CONTACT;
	if (pushable(f, m.a, m.b, meeting_normal(&m)))
		marks |= PAIR_ROW;
	if (f->periodic && norm(sub(cell_nearest(&f->st->cell, m.d), m.d)) > m.distance)
		marks |= PAIR_AROUND;
	return marks;
}

// The same where nothing but plain contacts can be, and nothing meets the long way round: without a question, since nobody could guess
// the answers.
static void count_plain(const finding *f, stretch r, tally *t)
{
	const pair *list = f->list->pair;
	uint8_t *marks = f->list->state;
	uint32_t rows = 0, old_rows = 0;
	for (size_t i = r.first; i < r.last; i++) {
		double square;
		unsigned old = marks[i], late = old & PAIR_MISSED;
		unsigned meets = could_meet(f, &list[i], &square) | (late != 0), had = (old & PAIR_ROW) != 0;
		rows += meets;
		old_rows += had;
		marks[i] = (uint8_t)(late | meets*(PAIR_CONTACT | PAIR_ROW) | had*PAIR_OLD_ROW);
	}
	t->rows[PLAIN] += rows;
	t->old_rows[PLAIN] += old_rows;
}

static inline void count_pair(const finding *f, size_t index, tally *t)
{
	const pair *p = &f->list->pair[index];
	unsigned old = f->list->state[index], now = old & PAIR_MISSED;
	int kind = kind_of_pair(f->st, p);
	double square;
	if (could_meet(f, p, &square) || now)
		now |= contact_marks(f, p, kind, square);
	t->rows[kind] += (now & PAIR_ROW) != 0;
	if (old & PAIR_ROW) {
		t->old_rows[kind]++;
		t->turned |= (now & PAIR_ROW) && ((now ^ old) & PAIR_AROUND);
		now |= PAIR_OLD_ROW;
	}
	f->list->state[index] = (uint8_t)now;
}

static inline void write_pair(const finding *f, size_t index, tally *t)
{
	const pair *p = &f->list->pair[index];
	const bodies *all = &f->st->bodies;
	contacts *table = f->table;
	unsigned marks = f->list->state[index];
	if (!(marks & (PAIR_ROW | PAIR_OLD_ROW)))
		return;
	int kind = kind_of_pair(f->st, p);
	uint32_t old = t->old_rows[kind];
	t->old_rows[kind] += (marks & PAIR_OLD_ROW) != 0;
	if (!(marks & PAIR_ROW))
		return;
	uint32_t row = t->rows[kind]++;
	meeting m = meet(f->st, p);
	uint64_t key = contacts_key(all->id[m.a], all->id[m.b], marks & PAIR_AROUND);
	table->contact[row] = (talus_contact){.a = m.a, .b = m.b, .n = meeting_normal(&m), .key = key, .wall = NO_WALL,
	                                      .gap = m.distance - (all->radius[m.a] + all->radius[m.b])};
	bool known = f->by_list && (marks & PAIR_OLD_ROW);
	table->p[row] = known ? contacts_old_impulse(table, old) : vec(0, 0, 0);
	if (kind != PLAIN && f->by_list)
		contacts_set_past(table, row, known ? (int64_t)old : -1);
}

// The same for count_plain's.
static void write_plain(const finding *f, stretch r, tally *t)
{
	const pair *list = f->list->pair;
	const uint8_t *marks = f->list->state;
	const uint32_t *id = f->st->bodies.id;
	const double *radius = f->st->bodies.radius;
	const vec3 *shift = f->st->cell.shift;
	contacts *table = f->table;
	uint32_t row = t->rows[PLAIN], old = t->old_rows[PLAIN];
	for (size_t i = r.first; i < r.last; i++) {
		unsigned had = (marks[i] & PAIR_OLD_ROW) != 0;
		uint32_t was = old;
		old += had;
		if (!(marks[i] & PAIR_ROW))
			continue;
		uint32_t a = list[i].a, b = list[i].b, turn = -(uint32_t)(id[a] > id[b]), swap = (a ^ b) & turn;
		vec3 d = sub(add(f->zone[b].x, shift[list[i].image]), f->zone[a].x);
		double distance = norm(d), per = (turn ? -1.0 : 1.0)/distance;
		table->contact[row] = (talus_contact){.a = a ^ swap, .b = b ^ swap, .n = distance > 0 ? mul(per, d) : vec(1, 0, 0),
		                                      .gap = distance - (radius[a] + radius[b]),
		                                      .key = contacts_key(id[a ^ swap], id[b ^ swap], false), .wall = NO_WALL};
		table->p[row++] = f->by_list & had ? contacts_old_impulse(table, was) : vec(0, 0, 0);
	}
	t->rows[PLAIN] = row;
	t->old_rows[PLAIN] = old;
}

// ---------------------------------------------------------------- grain and wall

static int touches_of(const finding *f, size_t index, touch touches[WALL_TOUCHES])
{
	const world_state *st = f->st;
	const bodies *all = &st->bodies;
	wall_pair p = f->list->wall[index];
	const wall *w = &st->walls.at[p.wall];
	double range = f->list->wall_state[index] & PAIR_MISSED ? all->skin[p.grain] + w->skin
	                                                         : reach_of(f, p.grain) + approach_wall_reach(f->ahead, st, (int)p.wall);
	vec3 image = state_wall_image(st, w, p.grain, p.image);
	return wall_touch(w, image, st->def.dimension, all->x[p.grain], all->radius[p.grain], range, touches);
}

static int kind_of_wall_pair(const world_state *st, wall_pair p)
{
	return state_contact_kind(st, (uint32_t)st->bodies.count + p.wall, p.grain, p.wall);
}

static uint32_t bits(unsigned mask)
{
	return (uint32_t)__builtin_popcount(mask);
}

static void count_wall_pair(const finding *f, size_t index, tally *t)
{
	const world_state *st = f->st;
	pair_list *list = f->list;
	wall_pair p = list->wall[index];
	touch touches[WALL_TOUCHES];
	int count = touches_of(f, index, touches);
	unsigned old = list->wall_state[index] >> WALL_ROWS & WALL_MASK, rows = 0;
	for (int k = 0; k < count; k++)
		if (pushable(f, st->bodies.count + p.wall, p.grain, touches[k].n))
			rows |= 1u << touches[k].feature;
	int kind = kind_of_wall_pair(f->st, p);
	t->rows[kind] += bits(rows);
	t->old_rows[kind] += bits(old);
	t->wall_lines[kind] += wall_spins(&st->walls.at[p.wall]) ? bits(rows) : 0;
	unsigned now = list->wall_state[index] & PAIR_MISSED;
	now |= (count ? PAIR_CONTACT : 0) | rows << WALL_ROWS | old << WALL_OLD_ROWS;
	list->wall_state[index] = (uint16_t)now;
}

// The line that stands for the wall at this contact: the wall's own, or a private one with the velocity of a spinning
// wall there.
static uint32_t wall_line(const finding *f, wall_pair p, vec3 n, uint32_t *next)
{
	const world_state *st = f->st;
	const wall *w = &st->walls.at[p.wall];
	size_t line = st->bodies.count + p.wall;
	if (!wall_spins(w))
		return (uint32_t)line;
	vec3 at = mul_add(st->bodies.x[p.grain], -st->bodies.radius[p.grain], n);
	vec3 image = state_wall_image(st, w, p.grain, p.image);
	line = st->bodies.count + (size_t)st->walls.count + (*next)++;
	f->ahead->motion[line] = (talus_solver_body){.v = wall_velocity_at(w, image, at)};
	return (uint32_t)line;
}

static void write_wall_pair(const finding *f, size_t index, tally *t)
{
	const pair_list *list = f->list;
	contacts *table = f->table;
	wall_pair p = list->wall[index];
	unsigned rows = list->wall_state[index] >> WALL_ROWS & WALL_MASK;
	unsigned old = list->wall_state[index] >> WALL_OLD_ROWS & WALL_MASK;
	int kind = kind_of_wall_pair(f->st, p);
	uint32_t first_old = t->old_rows[kind];
	t->old_rows[kind] += bits(old);
	touch touches[WALL_TOUCHES];
	int count = rows ? touches_of(f, index, touches) : 0;
	for (int k = 0; k < count; k++) {
		unsigned bit = 1u << touches[k].feature;
		if (!(rows & bit))
			continue;
		uint32_t row = t->rows[kind]++, line = wall_line(f, p, touches[k].n, &t->wall_lines[kind]);
		uint64_t key = contacts_wall_key(f->st->bodies.id[p.grain], p.wall, p.image, touches[k].feature);
		table->contact[row] = (talus_contact){.a = line, .b = p.grain, .n = touches[k].n, .gap = touches[k].gap, .key = key,
		                                      .wall = p.wall};
		int64_t place = old & bit ? (int64_t)(first_old + bits(old & (bit - 1))) : -1;
		table->p[row] = f->by_list && place >= 0 ? contacts_old_impulse(table, (size_t)place) : vec(0, 0, 0);
		if (f->by_list && kind != PLAIN)
			contacts_set_past(table, row, place);
	}
}

// ---------------------------------------------------------------- blocks of pairs

static stretch block_range(size_t block, size_t count)
{
	return (stretch){block*PARALLEL_BLOCK, (block + 1)*PARALLEL_BLOCK < count ? (block + 1)*PARALLEL_BLOCK : count};
}

typedef void visitor(const finding *f, size_t index, tally *t);

static inline void visit_block(const finding *f, size_t block, tally *t, visitor *pair_visit, visitor *wall_visit)
{
	const list_blocks *cut = &f->list->blocks;
	stretch pairs = {0, 0}, at_walls = {0, 0};
	if (cut->count) {
		pairs = (stretch){cut->pair[block], cut->pair[block + 1]};
		at_walls = (stretch){cut->wall[block], cut->wall[block + 1]};
	} else if (block < f->pair_blocks) {
		pairs = block_range(block, f->list->count);
	} else {
		at_walls = block_range(block - f->pair_blocks, f->list->wall_count);
	}
	if (f->all_plain)
		(pair_visit == count_pair ? count_plain : write_plain)(f, pairs, t);
	else
		for (size_t i = pairs.first; i < pairs.last; i++)
			pair_visit(f, i, t);
	for (size_t i = at_walls.first; i < at_walls.last; i++)
		wall_visit(f, i, t);
}

static void count_blocks(void *job, size_t first, size_t last)
{
	const finding *f = job;
	for (size_t block = first; block < last; block++) {
		tally t = {0}; // near, so that two threads do not write into one line all the time
		visit_block(f, block, &t, count_pair, count_wall_pair);
		f->tally[block] = t;
	}
}

static void write_blocks(void *job, size_t first, size_t last)
{
	const finding *f = job;
	for (size_t block = first; block < last; block++) {
		tally t = f->tally[block];
		visit_block(f, block, &t, write_pair, write_wall_pair);
		if (f->listener)
			f->listener->found(f->listener->job, f->tally[block].rows[PLAIN], t.rows[PLAIN]);
	}
}

// Numbers become places. Returns whether a pair meets another way round than before.
static bool place_blocks(finding *f, uint32_t ends[KINDS], uint32_t *wall_lines)
{
	uint32_t rows = 0, old = 0;
	bool turned = false;
	*wall_lines = 0;
	for (int kind = 0; kind < KINDS; kind++) {
		for (size_t block = 0; block < f->blocks; block++) {
			tally *t = &f->tally[block];
			uint32_t counts[3] = {t->rows[kind], t->old_rows[kind], t->wall_lines[kind]};
			t->rows[kind] = rows;
			t->old_rows[kind] = old;
			t->wall_lines[kind] = *wall_lines;
			rows += counts[0];
			old += counts[1];
			*wall_lines += counts[2];
			turned |= t->turned;
		}
		ends[kind] = rows;
	}
	return turned;
}

// Where the list is cut, so is the table.
static void note_blocks(const finding *f, const uint32_t ends[KINDS])
{
	contacts *c = f->table;
	if (!f->list->blocks.count)
		return;
	c->first = memory_room(c->first, &c->first_capacity, (f->blocks + 1)*KINDS, sizeof *c->first);
	for (size_t b = 0; b < f->blocks; b++)
		memcpy(c->first + b*KINDS, f->tally[b].rows, sizeof f->tally[b].rows);
	memcpy(c->first + f->blocks*KINDS, ends, KINDS*sizeof *ends);
}

// ---------------------------------------------------------------- the stage

static void forget_late(void *job, size_t first, size_t last)
{
	uint8_t *marks = job;
	for (size_t i = first; i < last; i++)
		marks[i] &= (uint8_t)~PAIR_MISSED;
}

void narrow_begin(const world_state *st, pair_list *list)
{
	parallel_for(st->team, list->count, 1 << 16, forget_late, list->state);
	for (size_t i = 0; i < list->wall_count; i++)
		list->wall_state[i] &= (uint16_t)~PAIR_MISSED;
}

// Room for the stage: what threads count, zones, and the last solution behind them.
static void *borrow(finding *f)
{
	const pair_list *list = f->list;
	const contacts *table = f->table;
	f->pair_blocks = (list->count + PARALLEL_BLOCK - 1)/PARALLEL_BLOCK;
	f->blocks = f->pair_blocks + (list->wall_count + PARALLEL_BLOCK - 1)/PARALLEL_BLOCK;
	if (list->blocks.count)
		f->blocks = list->blocks.count;
	size_t zones = f->st->bodies.count*sizeof *f->zone;
	size_t tallies = (f->blocks*sizeof *f->tally + 63)/64*64;
	bool keys = !list->followed || f->periodic;
	size_t old = keys ? contacts_memory(table) : contacts_memory_impulses(table);
	char *room = memory_borrow(f->st->pool, zones + tallies + old);
	f->tally = (tally *)(void *)room;
	f->zone = (zone *)(void *)(room + tallies);
	return room + tallies + zones;
}

void narrow_find(const world_state *st, approach *ahead, pair_list *list, contacts *c, const narrow_listener *listener)
{
	parallel *team = st->team;
	finding f = {.st = st, .ahead = ahead, .list = list, .table = c, .listener = listener, .periodic = cell_any(&st->cell)};
	uint32_t ends[KINDS], wall_lines;
	f.close = INFINITY;
	for (int k = 0; k < 3; k++)
		if (st->cell.periodic[k])
			f.close = fmin(f.close, 0.49*cell_height(&st->cell, k));
	f.all_plain = !(st->any_full_mass || st->any_extended || st->cell_deforms) && list->longest < f.close;
	void *room = borrow(&f);
	size_t blocks = f.blocks;
	parallel_for(team, st->bodies.count, PARALLEL_BLOCK, find_zones, &f);
	parallel_for(team, blocks, 1, count_blocks, &f);
	bool turned = place_blocks(&f, ends, &wall_lines);
	note_blocks(&f, ends);
	size_t rows = ends[KINDS - 1];
	f.by_list = list->followed && !turned;
	if (f.by_list)
		contacts_remember_impulses(c, room, team);
	else
		contacts_remember(c, room, team);
	c->count = 0;
	contacts_reserve(c, rows);
	c->count = rows;
	c->class_end[TALUS_COULOMB] = ends[PLAIN];
	c->class_end[TALUS_EXTENDED] = ends[EXTENDED];
	contacts_reserve_torques(c, rows - c->class_end[TALUS_COULOMB]);
	if (listener)
		listener->counted(listener->job);
	approach_reserve(ahead, st->bodies.count + (size_t)st->walls.count + wall_lines);
	parallel_for(team, blocks, 1, write_blocks, &f);
	c->wall_lines = wall_lines;
	list->followed = true;
	if (!f.by_list)
		contacts_match(c, team);
}
