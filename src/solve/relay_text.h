// SPDX-License-Identifier: MIT
// The loop over batches for registers of eight, in which a batch is on its way through four turns: its lines are read; it is tried; its
// impulse is found, and turned into rows; the rows are given to the bodies. Each turn has one batch in each of these states.
//
// Fewer operations do not make it faster, so they seem to wait for each other: it helps to deal the lines, which depend on nothing, out
// between the lines of the law, which depend on each other, so that the root and the division have most of a turn to get done. (Half lines
// instead of whole ones were not faster.)
#ifndef TALUS_SOLVE_RELAY_TEXT_H
#define TALUS_SOLVE_RELAY_TEXT_H

typedef struct eight {
	reals x[8];
} eight;

typedef struct relay {
	eight moving;    // columns, of the batch that is tried next
	column3 t, p;    // of the one that was tried; p with momentum only
	reals pn, length;
	eight change;    // rows, of the one before
	reals sum[WORKS];
} relay;

ALWAYS reals read_line(const talus_solver_body *motion, contact_bodies at)
{
	return relative(load(&motion->v.x + at.a), load(&motion->v.x + at.b), 0);
}

ALWAYS void give_line(talus_solver_body *motion, contact_bodies at, reals change)
{
	double *to_a = &motion->v.x + at.a, *to_b = &motion->v.x + at.b;
	reals a = load(to_a), b = load(to_b);
	store(to_a, a - spread(a)*change);
	store(to_b, given(b, spread(b), change, 0));
}

ALWAYS void give_lines(const source *s, size_t group, talus_solver_body *motion, const relay *r)
{
	for (int l = 0; l < 8; l++)
		give_line(motion, s->b[group].at[l], r->change.x[l]);
}

// The share of t that friction allows, if it is below 1. Impulses and normals are read again: registers are few.
ALWAYS reals share_of(const source *s, size_t group, const relay *r)
{
	return coulomb_share(&(coulomb_attempt){.c = {.mu = load(s->b[group].mu)}, .pn = r->pn, .length = r->length});
}

ALWAYS void relay_end(const source *s, size_t group, relay *r, reals share)
{
	coulomb_fields c = batch_fields(&s->b[group], 0);
	if (s->past)
		c.p = r->p;
	column3 p = coulomb_end(&(coulomb_attempt){.c = c, .t = r->t, .pn = r->pn}, share), dp = sub3(p, c.p);
	if (s->past)
		remember(s, (position){group, 0}, p, dp, r->sum);
	source_store(s, group, 0, p);
	column3 torque = cross3(c.n, dp);
	eight change = {{dp.x, dp.y, dp.z, all(0), DEEP(torque.x), DEEP(torque.y), torque.z, all(0)}};
	turn_over(change.x);
	r->change = change;
}

// Who is where: given to its bodies, found, tried, read.
typedef struct places {
	size_t give, find, now, next;
} places;

// A line of the batch that is given, one of that which is read.
#define RELAY_LINE(l) \
	if (gives) \
		give_line(motion, s->b[at.give].at[l], r->change.x[l]); \
	row.x[l] = read_line(motion, next->at[l])

// The law is coulomb_try, dealt out.
ALWAYS void relay_turn(const source *s, places at, talus_solver_body *motion, relay *r, bool finds, bool gives)
{
	const batch *next = &s->b[at.next];
	const reals *moving = r->moving.x;
	eight row;
	reals share = finds ? share_of(s, at.find, r) : all(0);
	RELAY_LINE(0);
	coulomb_fields c = source_fields(s, at.now, 0);
	RELAY_LINE(1);
	column3 u = relative_velocity(c.n, moving);
	reals pn_old = dot3(c.p, c.n);
	RELAY_LINE(2);
	reals un = dot3(u, c.n);
	RELAY_LINE(3);
	column3 stop = coulomb_stop(&c, u);
	RELAY_LINE(4);
	reals pn = coulomb_push(&c, un, pn_old);
	RELAY_LINE(5);
	column3 t = coulomb_stop_along(&c, stop, un, pn_old);
	RELAY_LINE(6);
	reals length = dot3(t, t);
	RELAY_LINE(7);
	turn_over(row.x);
	if (finds)
		relay_end(s, at.find, r, share);
	r->moving = row, r->t = t, r->pn = pn, r->length = length;
	if (s->past)
		r->p = c.p;
}

#undef RELAY_LINE

ALWAYS places moved_up(places at, size_t next)
{
	return (places){at.find, at.now, at.next, next};
}

// Within a span all are side by side, which is most of the time and needs fewer registers.
ALWAYS places side_by_side(size_t now)
{
	return (places){now - 2, now - 1, now, now + 1};
}

// ---------------------------------------------------------------- what lies far away

// A batch is asked for long before its bodies are, which it names. Where it is not in the cache the processor's own guess of what comes next
// ends with the page, after six batches, and with the span: spans come in another order in every sweep.
enum { BATCHES_AHEAD = 12 };

ALWAYS void ask_for(const void *block, size_t size)
{
	for (size_t k = 0; k < size; k += 64)
		__builtin_prefetch((const char *)block + k);
}

ALWAYS void ask_for_batch(const source *s, size_t group)
{
	ask_for(s->b + group, sizeof *s->b);
	if (s->past)
		ask_for(s->past + group, sizeof *s->past);
}

ALWAYS void ask_for_bodies(const source *s, size_t group, const talus_solver_body *motion)
{
	for (int l = 0; l < LANES; l++) {
		__builtin_prefetch(&motion->v.x + s->b[group].at[l].a);
		__builtin_prefetch(&motion->v.x + s->b[group].at[l].b);
	}
}

// The batch that comes so many later, in a span up to `end` or in the one after it, which begins at `then`.
ALWAYS size_t later(size_t now, size_t by, size_t end, size_t then)
{
	return now + by < end ? now + by : then + (now + by - end);
}

// ---------------------------------------------------------------- spans

// The rest of a span from its batch g on, at least the second. `more`: another span lies behind it in the row.
ALWAYS size_t relay_middle(const source *s, const batch_span *span, bool more, size_t g, talus_solver_body *motion, relay *r)
{
	size_t behind = span->first + span->count, then = more ? span[1].first : behind;
	for (size_t now = span->first + g; now < behind - 1; now++, g++) {
		if (s->far) {
			ask_for_batch(s, later(now, BATCHES_AHEAD, behind, then));
			ask_for_bodies(s, later(now, KERNEL_AHEAD, behind, then), motion);
		}
		relay_turn(s, side_by_side(now), motion, r, true, true);
	}
	return g;
}

// Spans that join each other; `more`: others follow. Behind the last batch that one is read again, so that the loop needs no question.
ALWAYS void relay_chain(const source *s, const batch_span *span, size_t spans, bool more, talus_solver_body *motion, relay *r)
{
	size_t first = span->first, g = 2, second = span->count > 1 ? first + 1 : first;
	places at = {.now = first, .next = second};
	load_relative(motion, s->b[first].at, r->moving.x);
	relay_turn(s, at, motion, r, false, false);
	if (span->count > 1) {
		at = moved_up(at, span->count > 2 ? first + 2 : second);
		relay_turn(s, at, motion, r, true, false);
	}
	for (size_t k = 0; k < spans; k++, g = 0)
		for (; g < span[k].count; g++) {
			if (g >= 2 && g + 1 < span[k].count) {
				g = relay_middle(s, &span[k], more || k + 1 < spans, g, motion, r);
				at = side_by_side(span[k].first + g - 1);
			}
			bool last = g + 1 == span[k].count;
			at = moved_up(at, !last ? at.next + 1 : k + 1 < spans ? span[k + 1].first : at.next);
			relay_turn(s, at, motion, r, true, true);
		}
	if (span->count > 1)
		give_lines(s, at.find, motion, r);
	relay_end(s, at.now, r, share_of(s, at.now, r));
	give_lines(s, at.now, motion, r);
}

ALWAYS void relay_run(const source *s, const batch_span *span, size_t spans, talus_solver_body *motion, double (*sum)[LANES])
{
	relay r = {.sum = {all(0), all(0), all(0)}};
	for (size_t k = 0, end; k < spans; k = end) {
		for (end = k + 1; end < spans && span[end].joins; end++)
			;
		relay_chain(s, span + k, end - k, end < spans, motion, &r);
	}
	for (int k = 0; k < WORKS && s->past; k++)
		add_to(sum[k], r.sum[k]);
}

#endif
