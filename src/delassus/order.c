// SPDX-License-Identifier: MIT
// In which order to eliminate contacts: next is always the one with the fewest neighbours left (least degree,
// Tinney & Walker 1967), as eliminating it makes its neighbours each other's. Those are not written down pair
// by pair but as a group named after the eliminated contact (quotient graph, George & Liu 1981), so that all
// lists together never need more room than W.
#include "delassus/work.h"

#include "base/memory.h"

#include <string.h>

static const uint32_t NONE = UINT32_MAX;

typedef struct names {
	uint32_t *name, count, room;
} names;

typedef struct graph {
	uint32_t count;
	names *plain, *groups; // of each contact: neighbours of its own, groups it is in
	names *members;        // of each group
	uint32_t *degree, *seen, stamp;
	bool *gone, *dead;     // eliminated contacts; groups that are part of a newer one
	uint32_t *bucket, *next, *before; // contacts by degree, as lists
} graph;

static void put(names *list, uint32_t name)
{
	if (list->count == list->room) {
		uint32_t room = list->room + list->room/2 + 4;
		list->name = memory_grow(list->name, list->count*sizeof name, room*sizeof name);
		list->room = room;
	}
	list->name[list->count++] = name;
}

static void bucket_put(graph *g, uint32_t i, uint32_t degree)
{
	g->degree[i] = degree;
	g->before[i] = NONE;
	g->next[i] = g->bucket[degree];
	if (g->next[i] != NONE)
		g->before[g->next[i]] = i;
	g->bucket[degree] = i;
}

static void bucket_take(graph *g, uint32_t i)
{
	if (g->before[i] == NONE)
		g->bucket[g->degree[i]] = g->next[i];
	else
		g->next[g->before[i]] = g->next[i];
	if (g->next[i] != NONE)
		g->before[g->next[i]] = g->before[i];
}

static void graph_init(graph *g, const block_matrix *w)
{
	size_t n = w->rows;
	*g = (graph){.count = (uint32_t)n};
	g->plain = delassus_zeros(n, sizeof *g->plain);
	g->groups = delassus_zeros(n, sizeof *g->groups);
	g->members = delassus_zeros(n, sizeof *g->members);
	g->degree = delassus_zeros(n, sizeof *g->degree);
	g->seen = delassus_zeros(n, sizeof *g->seen);
	g->gone = delassus_zeros(n, sizeof *g->gone);
	g->dead = delassus_zeros(n, sizeof *g->dead);
	g->bucket = delassus_zeros(n, sizeof *g->bucket);
	g->next = delassus_zeros(n, sizeof *g->next);
	g->before = delassus_zeros(n, sizeof *g->before);
	for (size_t k = 0; k < n; k++)
		g->bucket[k] = NONE;
	for (uint32_t i = g->count; i-- > 0;) {
		for (size_t e = w->first[i]; e < w->first[i + 1]; e++)
			if (w->column[e] != i)
				put(&g->plain[i], w->column[e]);
		bucket_put(g, i, g->plain[i].count);
	}
}

static void graph_free(graph *g)
{
	for (size_t i = 0; i < g->count; i++) {
		memory_free(g->plain[i].name);
		memory_free(g->groups[i].name);
		memory_free(g->members[i].name);
	}
	void *all[] = {g->plain, g->groups, g->members, g->degree, g->seen, g->gone, g->dead,
		g->bucket, g->next, g->before};
	for (size_t k = 0; k < sizeof all/sizeof *all; k++)
		memory_free(all[k]);
}

// Adds those of the list that are left and have not been met since the last stamp.
static void meet(graph *g, const names *list, names *to)
{
	for (uint32_t k = 0; k < list->count; k++) {
		uint32_t i = list->name[k];
		if (g->gone[i] || g->seen[i] == g->stamp)
			continue;
		g->seen[i] = g->stamp;
		put(to, i);
	}
}

// All that i is a neighbour of, by itself or in a group.
static void neighbours(graph *g, uint32_t i, names *to)
{
	to->count = 0;
	g->seen[i] = ++g->stamp;
	meet(g, &g->plain[i], to);
	for (uint32_t k = 0; k < g->groups[i].count; k++)
		meet(g, &g->members[g->groups[i].name[k]], to);
}

// i becomes a member of the new group: what that group covers need not be named any more.
static void join(graph *g, uint32_t i, uint32_t group)
{
	names *groups = &g->groups[i], *plain = &g->plain[i];
	uint32_t kept = 0;
	for (uint32_t k = 0; k < groups->count; k++)
		if (!g->dead[groups->name[k]])
			groups->name[kept++] = groups->name[k];
	groups->count = kept;
	put(groups, group);
	kept = 0;
	for (uint32_t k = 0; k < plain->count; k++)
		if (g->seen[plain->name[k]] != g->stamp)
			plain->name[kept++] = plain->name[k];
	plain->count = kept;
}

static void eliminate(graph *g, uint32_t i, names *room)
{
	names *members = &g->members[i];
	neighbours(g, i, members);
	bucket_take(g, i);
	g->gone[i] = true;
	for (uint32_t k = 0; k < g->groups[i].count; k++)
		g->dead[g->groups[i].name[k]] = true;
	for (uint32_t k = 0; k < members->count; k++)
		join(g, members->name[k], i);
	for (uint32_t k = 0; k < members->count; k++) {
		neighbours(g, members->name[k], room);
		bucket_take(g, members->name[k]);
		bucket_put(g, members->name[k], room->count);
	}
}

void delassus_order(const block_matrix *w, uint32_t *order)
{
	graph g;
	names room = {0};
	graph_init(&g, w);
	for (uint32_t k = 0, degree = 0; k < g.count; k++) {
		while (g.bucket[degree] == NONE)
			degree++;
		order[k] = g.bucket[degree];
		eliminate(&g, order[k], &room);
		// its neighbours lose one each, at the most
		degree = degree > 0 ? degree - 1 : 0;
	}
	memory_free(room.name);
	graph_free(&g);
}
