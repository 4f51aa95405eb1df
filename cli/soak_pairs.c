// SPDX-License-Identifier: MIT
// Two grains: all pairs, one by one, against the contacts and the overlaps that a step tells of.
#include "soak.h"

#include "base/random.h"
#include "state/bodies.h"
#include "state/cell.h"

#include <string.h>

// ---------------------------------------------------------------- who is near whom

bool soak_is_image(const cell *c, int k)
{
	int n[3] = {k%3 - 1, k/3%3 - 1, k/9 - 1};
	return (!n[0] || c->periodic[0]) && (!n[1] || c->periodic[1]) && (!n[2] || c->periodic[2]);
}

// The shortest way from one to the other, through any image.
static vec3 shortest(const cell *c, vec3 d)
{
	if (!cell_any(c))
		return d;
	vec3 near = cell_nearest(c, d), best = near;
	if (c->h[0][1] == 0 && c->h[0][2] == 0 && c->h[1][2] == 0)
		return near;
	for (int k = 0; k < 27; k++) {
		if (!soak_is_image(c, k))
			continue;
		vec3 other = add(near, c->shift[k]);
		if (dot(other, other) < dot(best, best))
			best = other;
	}
	return best;
}

// Who has a contact with whom, for many questions.
static uint64_t couple(int64_t a, int64_t b)
{
	return (uint64_t)(a < b ? a : b) << 32 | (uint64_t)(a < b ? b : a);
}

static void list_contacts(soak_watch *w, const talus_world *world)
{
	size_t slots = 64;
	while (slots < 4*world->contacts.count)
		slots *= 2;
	w->slots = slots;
	w->slot = soak_room(w->slot, slots, sizeof *w->slot);
	memset(w->slot, 0xff, slots*sizeof *w->slot);
	for (size_t i = 0; i < world->contacts.count; i++) {
		talus_contact_state c = talus_world_contact(world, i);
		size_t place = random_mix(couple(c.a, c.b)) & (slots - 1);
		while (c.a >= 0 && w->slot[place] != UINT64_MAX)
			place = (place + 1) & (slots - 1);
		if (c.a >= 0)
			w->slot[place] = couple(c.a, c.b);
	}
}

static bool has_contact(const soak_watch *w, uint32_t a, uint32_t b)
{
	size_t place = random_mix(couple(a, b)) & (w->slots - 1);
	while (w->slot[place] != UINT64_MAX && w->slot[place] != couple(a, b))
		place = (place + 1) & (w->slots - 1);
	return w->slot[place] != UINT64_MAX;
}

// Can one of them be pushed along the line between them?
static bool pushable(const bodies *b, size_t i, size_t j, vec3 n)
{
	vec3 a = soak_masked(n, b->free[i]), c = soak_masked(n, b->free[j]);
	return dot(a, a) + dot(c, c) > 1e-9;
}

static void note_overlap(soak_watch *w, uint32_t a, uint32_t b, double depth)
{
	if (w->overlaps == w->overlap_capacity) {
		w->overlap_capacity = 2*w->overlap_capacity + 64;
		w->overlap = soak_room(w->overlap, w->overlap_capacity, sizeof *w->overlap);
	}
	w->overlap[w->overlaps++] = (soak_overlap){a, b, depth};
}

// ---------------------------------------------------------------- after a step

// A step that was judged by the rule `error` says how much overlap it adds.
static void check_loose(soak_watch *w, const talus_world *world, uint32_t a, uint32_t b, double sum, double depth, double before)
{
	const talus_solver_def *def = &world->state.def.solver;
	const talus_step_report *r = &world->report;
	if (def->stop != TALUS_STOP_ERROR || r->capped_all != w->capped || r->stagnated_steps != w->floored ||
	    r->unfinished_all != w->unfinished || def->gap == TALUS_GAP_SIGNED || r->paradox_all != w->paradoxes)
		return;
	double diameter = 2*bodies_mean_radius(&world->state.bodies, NULL), most = 2*fmax(TALUS_OVERLAP*def->tolerance, r->error_overlap)*diameter;
	if (depth - fmax(before, 0) > most + 1e-9*sum)
		soak_found(w->report, SOAK_LOOSE, "step %llu: grains %u and %u overlap by %.3g diameters more, the error was to be %.3g",
		           (unsigned long long)world->state.step, a, b, (depth - fmax(before, 0))/diameter, def->tolerance);
}

// Two that are apart before and after a step, without a contact: they must not have been in each other's way. `d` is where the second
// one is now, as seen from the first.
static void check_passing(soak_watch *w, const talus_world *world, size_t i, size_t j, vec3 d, double sum)
{
	const bodies *b = &world->state.bodies;
	uint32_t ids[2] = {b->id[i], b->id[j]};
	if (!soak_known(w, ids[0]) || !soak_known(w, ids[1]) || world->state.cell_deforms || world->report.unfinished_all != w->unfinished)
		return;
	vec3 was = sub(w->x[ids[1]], w->x[ids[0]]), start = sub(d, shortest(&world->state.cell, sub(d, was))), way = sub(d, start);
	double length = dot(way, way), s = length > 0 ? -dot(start, way)/length : 0;
	if (s <= 0 || s >= 1 || norm(mul_add(start, s, way)) > 0.9*sum || has_contact(w, ids[0], ids[1]))
		return;
	vec3 n = unit(mul_add(start, s, way));
	if (pushable(b, i, j, n))
		soak_found(w->report, SOAK_TUNNEL, "step %llu: grains %u and %u have passed through each other",
		           (unsigned long long)world->state.step, ids[0], ids[1]);
}

static void check_pair(soak_watch *w, const talus_world *world, size_t i, size_t j)
{
	const bodies *b = &world->state.bodies;
	double sum = b->radius[i] + b->radius[j];
	vec3 d = sub(b->x[j], b->x[i]);
	if (cell_any(&world->state.cell))
		d = shortest(&world->state.cell, d);
	double square = dot(d, d);
	if (square >= sum*sum*(1 - 1e-9)) {
		check_passing(w, world, i, j, d, sum);
		return;
	}
	double distance = sqrt(square), depth = sum - distance;
	uint32_t ids[2] = {b->id[i], b->id[j]};
	if (distance <= 0 || !pushable(b, i, j, mul(1/distance, d)))
		return;
	note_overlap(w, ids[0], ids[1], depth);
	if (!soak_known(w, ids[0]) || !soak_known(w, ids[1]))
		return;
	bool seen = has_contact(w, ids[0], ids[1]);
	if (!seen && world->report.unfinished_all == w->unfinished)
		soak_found(w->report, SOAK_MISSED, "step %llu: grains %u and %u overlap by %.3g of their radii and have no contact",
		           (unsigned long long)world->state.step, ids[0], ids[1], depth/sum);
	if (seen && !world->state.cell_deforms)
		check_loose(w, world, ids[0], ids[1], sum, depth, sum - norm(shortest(&world->state.cell, sub(w->x[ids[1]], w->x[ids[0]]))));
}

static void check_pairs(soak_watch *w, const talus_world *world)
{
	w->overlaps = 0;
	for (size_t i = 0; i < world->state.bodies.count; i++)
		for (size_t j = i + 1; j < world->state.bodies.count; j++)
			check_pair(w, world, i, j);
}

// Normals and gaps are those of the start of the step.
static void check_contact(soak_watch *w, const talus_world *world, size_t i)
{
	talus_contact_state c = talus_world_contact(world, i);
	if (c.a < 0 || !soak_known(w, (uint32_t)c.a) || !soak_known(w, (uint32_t)c.b) || world->state.cell_deforms)
		return;
	const talus_contact *raw = &world->contacts.contact[i];
	double sum = world->state.bodies.radius[raw->a] + world->state.bodies.radius[raw->b];
	vec3 d = mul(sum + c.gap, c.n), off = sub(sub(w->x[c.b], w->x[c.a]), d);
	vec3 rest = cell_any(&world->state.cell) ? shortest(&world->state.cell, off) : off;
	if (norm(rest) > 1e-9*(sum + norm(w->x[c.a]) + norm(w->x[c.b])))
		soak_found(w->report, SOAK_CONTACT, "step %llu: contact of %lld and %lld is %.3g from where they were",
		           (unsigned long long)world->state.step, (long long)c.a, (long long)c.b, norm(rest));
}

// What was there at the end of the last step is what this one has started from.
static void check_hidden(soak_watch *w, const talus_world *world)
{
	double reported = 2*bodies_mean_radius(&world->state.bodies, NULL)*world->report.max_overlap, deepest = 0;
	soak_overlap worst = {0};
	for (size_t i = 0; i < w->overlaps; i++) {
		const soak_overlap *o = &w->overlap[i];
		if (o->depth > deepest && has_contact(w, o->a, o->b)) { // both are still there, and missing ones were found before
			deepest = o->depth;
			worst = *o;
		}
	}
	if (deepest > reported*(1 + 1e-9) + 1e-9*world->state.mean_radius)
		soak_found(w->report, SOAK_HIDDEN, "step %llu: grains %u and %u overlap by %.6g, but the largest reported is %.6g",
		           (unsigned long long)world->state.step, worst.a, worst.b, deepest, reported);
}

void soak_check_grains(soak_watch *w, const talus_world *world)
{
	list_contacts(w, world);
	check_hidden(w, world);
	for (size_t i = 0; i < world->contacts.count; i++)
		check_contact(w, world, i);
	check_pairs(w, world);
}
