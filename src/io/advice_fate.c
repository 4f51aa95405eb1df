// SPDX-License-Identifier: MIT
// What becomes of grains: does anything catch them, do some go on for ever, are some removed at once.
#include "io/advice.h"

#include "base/vec.h"
#include "state/cell.h"
#include "state/wall/shapes.h"
#include "arrive/region.h"
#include "world.h"

// What of it is prescribed.
static vec3 held(unsigned freedom, vec3 a)
{
	return vec(freedom & TALUS_FREE_X ? 0 : a.x, freedom & TALUS_FREE_Y ? 0 : a.y, freedom & TALUS_FREE_Z ? 0 : a.z);
}

// ---------------------------------------------------------------- falling for ever

// May grains that fall along `down` come to lie on it? If in doubt, yes.
static bool catches(const talus_wall_def *w, vec3 down)
{
	const wall_shape *shape = wall_shape_of((int)w->kind);
	return !shape->catches || shape->catches(w, down);
}

static bool falls(const bodies *b, size_t i, vec3 gravity)
{
	vec3 pull = add(gravity, mul(1/b->mass[i], b->force[i]));
	return dot(sub(pull, held(b->free[i], pull)), gravity) > 0;
}

// Along periodic directions there is no end of the fall, and no way out.
static bool uncaught(const scene *s, const bodies *b)
{
	vec3 gravity = s->world.gravity;
	bool some = false;
	for (int k = 0; k < 3; k++)
		set_component(&gravity, k, s->world.cell.periodic[k] ? 0 : component(gravity, k));
	if (norm(gravity) == 0 || s->world.has_domain)
		return false;
	for (int i = 0; i < s->walls; i++)
		if (catches(&s->wall[i].def, unit(gravity)))
			return false;
	for (size_t i = 0; i < b->count; i++) {
		if (norm(held(b->free[i], gravity)) > 0) // others may lie on it
			return false;
		some |= falls(b, i, gravity);
	}
	for (int i = 0; i < s->grain_entries; i++)
		some |= s->grains[i].kind == SCENE_POUR;
	return some;
}

// ---------------------------------------------------------------- moving for ever

static bool some_driven(const bodies *b)
{
	for (size_t i = 0; i < b->count; i++) {
		bool spins = !(b->free[i] & TALUS_FREE_SPIN) && norm(b->spin[i]) > 0;
		if (spins || norm(held(b->free[i], b->v[i])) > 0)
			return true;
	}
	return false;
}

// ---------------------------------------------------------------- outside

static bool apart(const talus_box *a, const talus_box *b, int dimension)
{
	for (int k = 0; k < dimension; k++)
		if (component(a->high, k) < component(b->low, k) || component(a->low, k) > component(b->high, k))
			return true;
	return false;
}

static double outside_domain(const scene *s, const talus_world *world)
{
	const talus_box *domain = &s->world.domain;
	double count = 0;
	if (!s->world.has_domain)
		return 0;
	for (size_t i = 0; i < world->state.bodies.count; i++) {
		int32_t image[3] = {0, 0, 0};
		vec3 x = cell_wrap(&world->state.cell, world->state.bodies.x[i], image);
		count += apart(&(talus_box){x, x}, domain, s->world.dimension);
	}
	for (int i = 0; i < s->grain_entries; i++) {
		if (s->grains[i].kind != SCENE_POUR)
			continue;
		talus_box region = region_bounds(&s->grains[i].pour->in);
		count += apart(&region, domain, s->world.dimension) ? s->grains[i].pour->count : 0;
	}
	return count;
}

void advice_measure_fate(const scene *s, const talus_world *world, advice_facts *facts)
{
	facts->rest_alone = s->until_rest && !s->until_time;
	facts->driven = s->until_rest && some_driven(&world->state.bodies);
	facts->outside_domain = outside_domain(s, world);
	facts->uncaught = uncaught(s, &world->state.bodies);
}
