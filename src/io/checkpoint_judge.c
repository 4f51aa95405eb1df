// SPDX-License-Identifier: MIT
// Could a world be in this state? What serves as an index leads somewhere, what is a number is finite, what has a sign has it,
// and no two grains go by the same id.
#include "io/checkpoint_judge.h"

#include "base/error.h"
#include "base/memory.h"
#include "state/bodies.h"
#include "state/cell.h"
#include "collide/collide.h"
#include "method/contact_dynamics.h"
#include "world.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

static bool positive(double number)
{
	return isfinite(number) && number > 0;
}

static bool not_negative(double number)
{
	return isfinite(number) && number >= 0;
}

static bool all_finite(const double *number, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (!isfinite(number[i]))
			return false;
	return true;
}

// ---------------------------------------------------------------- single numbers

static bool time_fits(const talus_world *world, talus_error *why)
{
	unsigned char stale;
	memcpy(&stale, &world->list.stale, sizeof stale);
	if (world->state.time != (double)world->state.step*world->state.def.step)
		return error_set(why, "time %g is not that of step %llu", world->state.time, (unsigned long long)world->state.step);
	if (stale > 1 || !not_negative(world->list.skin) || !not_negative(world->state.mean_radius) || world->report.step > world->state.step || world->report.iterations < 0)
		return error_set(why, "the numbers of its last step cannot be");
	return all_finite(&world->energy.wall_work, sizeof world->energy/sizeof(double)) ||
	       error_set(why, "an energy is not finite");
}

static double volume(const double h[3][3])
{
	vec3 a = vec(h[0][0], h[1][0], h[2][0]), b = vec(h[0][1], h[1][1], h[2][1]), c = vec(h[0][2], h[1][2], h[2][2]);
	return dot(a, cross(b, c));
}

static bool cell_fits(const talus_world *world, talus_error *why)
{
	const cell *c = &world->state.cell;
	bool ok = finite3(c->origin) && all_finite(c->rate[0], 9) && positive(volume(c->h)) &&
	          (world->list.stale || positive(volume(c->listed)));
	return ok || error_set(why, "its cell has no volume, or one that is not finite");
}

// ---------------------------------------------------------------- grains

static const char *grain_fault(const talus_world *world, size_t i)
{
	const bodies *b = &world->state.bodies;
	if (b->id[i] >= b->next_id)
		return "has an id that was never given";
	if (b->material[i] >= world->state.materials)
		return "is of a material that is not there";
	if (!positive(b->radius[i]) || !positive(b->mass[i]) || !positive(b->inertia[i]))
		return "has a radius or a mass that is not positive";
	if (!finite3(b->x[i]) || !finite3(b->x_listed[i]) || !not_negative(b->skin[i]))
		return "is at a place that is not finite";
	return finite3(b->v[i]) && finite3(b->spin[i]) && finite3(b->force[i]) && all_finite(b->q[i], 4)
	               ? NULL : "has a motion that is not finite";
}

static int id_compare(const void *a, const void *b)
{
	uint32_t x, y;
	memcpy(&x, a, sizeof x);
	memcpy(&y, b, sizeof y);
	return x < y ? -1 : x > y;
}

static bool ids_differ(const bodies *b, talus_error *why)
{
	uint32_t *id = memory_grow(NULL, 0, b->count*sizeof *id);
	if (b->count > 0) {
		memcpy(id, b->id, b->count*sizeof *id);
		qsort(id, b->count, sizeof *id, id_compare);
	}
	size_t i = 1;
	while (i < b->count && id[i - 1] != id[i])
		i++;
	if (i < b->count)
		error_set(why, "two grains have the id %u", id[i]);
	memory_free(id);
	return i >= b->count;
}

static bool grains_fit(const talus_world *world, talus_error *why)
{
	for (size_t i = 0; i < world->state.bodies.count; i++) {
		const char *fault = grain_fault(world, i);
		if (fault)
			return error_set(why, "grain %u %s", world->state.bodies.id[i], fault);
	}
	return ids_differ(&world->state.bodies, why);
}

// ---------------------------------------------------------------- walls, contacts, pours

// Since the list was made it has come no farther than it could.
static bool came_so_far(const wall *w)
{
	double way = norm(sub(w->shift, w->shift_listed)), rounding = 1e-9*(norm(w->shift) + norm(w->shift_listed));
	return finite3(w->shift_listed) && isfinite(w->angle_listed) && way <= 1.001*w->moved + rounding;
}

static bool walls_fit(const talus_world *world, talus_error *why)
{
	for (int i = 0; i < world->state.walls.count; i++) {
		const wall *w = &world->state.walls.at[i];
		bool ok = finite3(w->shift) && finite3(w->v) && finite3(w->point) && finite3(w->to) && finite3(w->axis) &&
		          finite3(w->hole_at) && finite3(w->force) && finite3(w->torque) && isfinite(w->angle) &&
		          isfinite(w->w) && not_negative(w->moved) && not_negative(w->skin);
		if (!ok)
			return error_set(why, "a number of wall %s is not finite", w->def.name);
		if (!came_so_far(w))
			return error_set(why, "wall %s has come farther since the list of pairs than it can", w->def.name);
	}
	return true;
}

// Who meets whom: by line, by wall and by the ids in the key, which must agree.
static bool bodies_agree(const talus_world *world, size_t i)
{
	const contacts *c = &world->contacts;
	const talus_contact *contact = &c->contact[i];
	uint32_t index = contact->wall;
	size_t grains = world->state.bodies.count, lines = grains + (size_t)world->state.walls.count + c->wall_lines;
	if (contact->b >= grains || contacts_body_b(contact->key) != world->state.bodies.id[contact->b])
		return false;
	int64_t a = contacts_body_a(contact->key);
	if (index == NO_WALL)
		return contact->a < grains && a == world->state.bodies.id[contact->a];
	return index < (uint32_t)world->state.walls.count && contact->a < lines && a == -1 - (int64_t)index;
}

static bool contacts_fit(const talus_world *world, talus_error *why)
{
	const contacts *c = &world->contacts;
	if (c->wall_lines > c->count)
		return error_set(why, "it has more spinning walls than contacts");
	for (size_t i = 0; i < c->count; i++) {
		const talus_contact *k = &c->contact[i];
		if (!bodies_agree(world, i))
			return error_set(why, "a contact leads to a body that is not there");
		const talus_row *row = &contact_dynamics_of(world)->rows.row[i];
		if (!finite3(k->n) || !finite3(c->p[i]) || !isfinite(row->bias) || !isfinite(row->mass_n) || !isfinite(row->mass_t) ||
		    !not_negative(row->mu) || !isfinite(k->gap))
			return error_set(why, "a number of a contact is not finite");
	}
	for (size_t i = 0; i < c->count - c->class_end[TALUS_COULOMB]; i++)
		if (!finite3(c->q[i]))
			return error_set(why, "a torque of a contact is not finite");
	for (size_t i = 0; i < (c->count - c->class_end[TALUS_COULOMB])*c->stride; i++)
		if (!isfinite(c->memory[i]))
			return error_set(why, "a number that a law remembers of a contact is not finite");
	return true;
}

static bool pours_fit(const talus_world *world, talus_error *why)
{
	uint64_t ids = world->state.bodies.next_id;
	for (int i = 0; i < world->pours.count; i++) {
		const pour_state *p = &world->pours.at[i];
		if (p->poured < 0 || p->poured > p->def.count || !not_negative(p->next_radius))
			return error_set(why, "a pour has given %d of its %d grains, the next one of radius %g", p->poured,
			                 p->def.count, p->next_radius);
		ids += (uint64_t)(p->def.count - p->poured);
	}
	return ids <= BODIES_IDS || error_set(why, "it would need %llu ids for its grains, and there are %llu",
	                                      (unsigned long long)ids, (unsigned long long)BODIES_IDS);
}

// What the solver remembers, and what audits have found.
static bool solver_fits(const talus_world *world, talus_error *why)
{
	const talus_solve_memory *m = &contact_dynamics_of(world)->memory;
	const talus_step_report *r = &world->report;
	bool ok = not_negative(m->load) && not_negative(m->sweeps) && m->sweeps < INT_MAX && not_negative(m->softness) && not_negative(m->unsure) &&
	          not_negative(m->believed) && not_negative(contact_dynamics_of(world)->audit.next) && all_finite(contact_dynamics_of(world)->audit.error, TALUS_AUDITED) &&
	          all_finite(contact_dynamics_of(world)->audit.largest, TALUS_AUDITED) && not_negative(r->capped_worst) && not_negative(r->stagnated_worst) &&
	          not_negative(r->error_forces) && not_negative(world->start_overlap);
	if (!ok)
		return error_set(why, "a number of its solver or of an audit is not finite, or negative");
	return (contact_dynamics_of(world)->crush.wall >= CRUSH_CELL && contact_dynamics_of(world)->crush.wall < world->state.walls.count) ||
	       contact_dynamics_of(world)->crush.step == 0 || error_set(why, "a wall that leaves no room is not there");
}

bool checkpoint_judge(const talus_world *world, talus_error *why)
{
	return solver_fits(world, why) && time_fits(world, why) && cell_fits(world, why) && pours_fit(world, why) && grains_fit(world, why) &&
	       walls_fit(world, why) && contacts_fit(world, why);
}
