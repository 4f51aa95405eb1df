// SPDX-License-Identifier: MIT
// A packing in equilibrium: grains at random places in a periodic cell are compressed by a pressure bath
// (Shaebani, Unger & Kertesz 2009) or, in a layer, by a stress along the last direction, until they rest.
// That happens in a world of its own whose mean radius, density and pressure are 1, so that the unit of time
// is r sqrt(rho/P); gravity and walls are not in it, and contacts only exclude volume and rub.
#include "prepare/dense.h"

#include "base/error.h"
#include "state/cell_drive.h"
#include "collide/collide.h"
#include "prepare/place.h"
#include "observe/observe.h"
#include "state/shape.h"

#include <stdlib.h>
#include <string.h>

static const double loose[] = {[2] = 0.5, [3] = 0.3}; // volume fraction of the random start
static const double inertia = 20; // of the cell
// Rest: mean speed and acceleration, and the pressure's distance from 1. If it does not come that far, this
// is near enough.
static const double rest = 1e-6, near_rest = 1e-3, near_pressure = 1e-4;
static const double across_sweeps = 0.32; // times the square of the diameters across
enum { MOST_STEPS = 10000, LOOK_EVERY = 5, SWEEPS = 50, MOST_SWEEPS = 300 };

// ---------------------------------------------------------------- the world in which it is made

static double mean_radius(const dense_options *w)
{
	double sum = 0;
	for (int i = 0; i < w->count; i++)
		sum += w->radius[i];
	return sum/w->count;
}

// The loose cell, in units of the mean radius.
static vec3 loose_size(const dense_options *w, double unit)
{
	double solid = 0, room = 1, factor = 1;
	vec3 size = {1, 1, 1};
	for (int i = 0; i < w->count; i++)
		solid += shape_volume(w->dimension, w->radius[i]/unit);
	double volume = solid/loose[w->dimension];
	for (int k = 0; k < w->dimension - w->layer; k++) {
		set_component(&size, k, component(w->size, k)/unit);
		room *= component(size, k);
	}
	if (w->layer) {
		set_component(&size, w->dimension - 1, volume/room);
		return size;
	}
	factor = w->dimension == 2 ? sqrt(volume/room) : cbrt(volume/room);
	for (int k = 0; k < w->dimension; k++)
		set_component(&size, k, factor*component(size, k));
	return size;
}

// Sweeps that reach across the packing, L^2/(4 q), within reason. q is that of observe_spread for shuffled sweeps; packings have this rounding in
// their bits.
static int sweeps_for(const dense_options *w)
{
	double across = w->dimension == 2 ? sqrt(w->count) : cbrt(w->count);
	return (int)fmin(MOST_SWEEPS, fmax(SWEEPS, across_sweeps*across*across));
}

static talus_world *loose_world(const dense_options *w, double unit, talus_error *error)
{
	talus_world_def def = talus_world_def_default();
	def.solver = (talus_solver_def){.kind = TALUS_SOLVER_NSGS};
	int last = w->dimension - 1;
	def.dimension = w->dimension;
	def.seed = w->seed;
	def.cell.size = loose_size(w, unit);
	for (int k = 0; k < w->dimension; k++)
		def.cell.periodic[k] = true;
	def.cell.bath = !w->layer;
	def.cell.pressure = 1;
	if (w->layer)
		def.cell.drive[last][last] = TALUS_DRIVE_STRESS;
	def.cell.wanted[last][last] = 1;
	talus_world *world = world_create(&def);
	world_set_threads(world, w->threads);
	world_add_material(world, "grains", 1);
	world_set_pair(world, &(talus_pair){.friction = w->friction});
	double *radius = memory_grow(NULL, 0, (size_t)w->count*sizeof *radius);
	for (int i = 0; i < w->count; i++)
		radius[i] = w->radius[i]/unit;
	bool placed = place_at_random(world, radius, w->count, error);
	memory_free(radius);
	if (placed)
		return world;
	world_destroy(world);
	return NULL;
}

// ---------------------------------------------------------------- compressing

// How a stretch of the way is gone.
typedef struct pace {
	double step;
	int sweeps; // in units of those that are needed
	talus_gap gap;
	double damping; // share of the velocities that is taken away every step
	int steps; // at most
	double speed; // or until the mean speed is below this
} pace;

// With the mean radius, the density and the pressure 1 a grain is pushed over its own size in a time of about 1, and steps are parts of that:
// short ones while the loose grains fall together, longer ones when speeds are low and forces have to settle.
// Smooth grains creep for long: larger steps, in which overlaps are pushed out, the last ones with half of all velocities taken away. What
// is left is for dense_smooth.c. Found by trying.
static const pace smooth_way[] = {
	{0.1, 1, TALUS_GAP_POSITIVE, 0, 150, 0.05},
	{0.3, 1, TALUS_GAP_SIGNED, 0, 250, 1e-4},
	{0.3, 2, TALUS_GAP_SIGNED, 0.5, 60, 1e-6},
};
static const pace rough_way[] = {
	{0.05, 1, TALUS_GAP_POSITIVE, 0, 500, 0.003},
	{0.1, 2, TALUS_GAP_POSITIVE, 0, MOST_STEPS, 0},
};

static void set_pace(talus_world *world, const pace *p, int sweeps)
{
	double factor = p->step/world->state.def.step;
	for (size_t i = 0; i < world->contacts.count; i++)
		world->contacts.p[i] = mul(factor, world->contacts.p[i]);
	world->state.def.step = p->step;
	world->state.def.cell.inertia = fmax(inertia, CELL_DRIVE_LIGHTEST*p->step*p->step);
	world->state.def.solver.iterations = p->sweeps*sweeps;
	world->state.def.solver.gap = p->gap;
}

static void slow_down(talus_world *world, double damping)
{
	for (size_t i = 0; i < world->state.bodies.count && damping > 0; i++) {
		world->state.bodies.v[i] = mul(1 - damping, world->state.bodies.v[i]);
		world->state.bodies.spin[i] = mul(1 - damping, world->state.bodies.spin[i]);
	}
}

static bool rests(const talus_world *world, double limit, double pressure)
{
	motion_state m = observe_motion(world);
	return m.network && m.mean_speed < limit && m.mean_acceleration < limit && observe_imbalance(world) < pressure;
}

static bool wide(const talus_world *world, double unit, talus_error *error)
{
	int k = state_too_narrow_axis(&world->state);
	return k < 0 || error_set(error,
				"the dense packing is only %.4g wide along %c, but must be at least %g times the largest "
				"diameter, %.4g; it needs more grains, or other proportions",
				unit*cell_height(&world->state.cell, k), "xyz"[k], STATE_LEAST_WIDTH, unit*state_least_width(&world->state));
}

// False, with a sentence, if the cell gets too narrow.
static bool go_on(talus_world *world, const pace *p, double unit, talus_error *error)
{
	for (int n = 1; n <= p->steps; n++) {
		world_step(world);
		slow_down(world, p->damping);
		if (n%LOOK_EVERY)
			continue;
		if (!wide(world, unit, error))
			return false;
		motion_state m = observe_motion(world);
		if ((m.network && m.mean_speed < p->speed) || rests(world, rest, rest))
			break;
	}
	return true;
}

static bool refuse_unrest(const dense_options *w, talus_error *error)
{
	return error_set(
		error, "the dense packing of %d grains did not come to rest; try another seed, or more friction", w->count);
}

// Leaves a world at rest. *stiffness is that of the contacts, 0 if these have their forces from the last
// step.
static bool compress(const dense_options *w, talus_world *world, double unit, double *stiffness, talus_error *error)
{
	bool smooth = w->friction == 0;
	const pace *way = smooth ? smooth_way : rough_way;
	size_t paces = smooth ? sizeof smooth_way/sizeof *way : sizeof rough_way/sizeof *way;
	for (size_t i = 0; i < paces; i++) {
		set_pace(world, &way[i], sweeps_for(w));
		if (!go_on(world, &way[i], unit, error))
			return false;
	}
	*stiffness = smooth ? dense_smooth_rest(world, w->layer) : 0;
	bool done = smooth ? *stiffness > 0 : rests(world, near_rest, near_pressure);
	return (done || refuse_unrest(w, error)) && wide(world, unit, error);
}

// ---------------------------------------------------------------- what it has become

static vec3 towards(const talus_world *world, uint32_t a, uint32_t b)
{
	return cell_nearest(&world->state.cell, sub(world->state.bodies.x[b], world->state.bodies.x[a]));
}

static dense_contact turned(dense_contact c)
{
	return c.a < c.b ? c : (dense_contact){c.b, c.a, neg(c.n), neg(c.force), c.gap};
}

static void note_contact(const talus_world *world, dense_packing *p, uint32_t a, uint32_t b, vec3 force)
{
	const bodies *all = &world->state.bodies;
	vec3 d = towards(world, a, b);
	double distance = norm(d);
	p->contact[p->contacts++] = turned((dense_contact){
		all->id[a], all->id[b], mul(1/distance, d), force, distance - (all->radius[a] + all->radius[b])});
}

// Forces of the last step.
static void note_forces(const talus_world *world, dense_packing *p)
{
	const contacts *c = &world->contacts;
	p->contact = memory_grow(NULL, 0, (c->count + 1)*sizeof *p->contact);
	for (size_t i = 0; i < c->count; i++)
		if (!is_zero(c->p[i]))
			note_contact(world, p, c->contact[i].a, c->contact[i].b, mul(1/world->state.def.step, c->p[i]));
}

// Forces of overlaps; those far below the mean are what the minimiser has left of none.
static void note_overlaps(const talus_world *world, dense_packing *p, double stiffness)
{
	const bodies *b = &world->state.bodies;
	static const double least = 1e-6;
	p->contact = memory_grow(NULL, 0, (world->list.count + 1)*sizeof *p->contact);
	for (size_t i = 0; i < world->list.count; i++) {
		pair two = world->list.pair[i];
		vec3 d = towards(world, two.a, two.b);
		double distance = norm(d), push = stiffness*(b->radius[two.a] + b->radius[two.b] - distance);
		if (push > least) // forces are of order 1
			note_contact(world, p, two.a, two.b, mul(push/distance, d));
	}
}

// A gap that closes within a step here would need a larger speed in a world of shorter steps. A little closer
// together all that push each other touch.
static double close_gaps(const dense_packing *p)
{
	double gap = 0, most = 1e-6;
	for (size_t i = 0; i < p->contacts; i++)
		gap = fmax(gap, fmin(p->contact[i].gap, most));
	return 1 - 0.75*gap;
}

static int by_grains(const void *a, const void *b)
{
	const dense_contact *x = a, *y = b;
	return x->a != y->a ? (x->a > y->a) - (x->a < y->a) : (x->b > y->b) - (x->b < y->b);
}

static void take_places(const talus_world *world, const dense_options *w, dense_packing *p, double unit)
{
	double close = close_gaps(p), length = close*unit, force = w->pressure*pow(unit, w->dimension - 1);
	p->x = memory_grow(NULL, 0, (size_t)w->count*sizeof *p->x);
	for (size_t i = 0; i < world->state.bodies.count; i++) {
		int32_t image[3] = {0, 0, 0};
		p->x[world->state.bodies.id[i]] = mul(length, cell_wrap(&world->state.cell, world->state.bodies.x[i], image));
	}
	for (int k = 0; k < 3; k++)
		set_component(&p->size, k, k < w->dimension ? length*world->state.cell.h[k][k] : 1);
	for (size_t i = 0; i < p->contacts; i++) {
		dense_contact *c = &p->contact[i];
		double span = (w->radius[c->a] + w->radius[c->b])/unit;
		c->gap = unit*(close*(c->gap + span) - span);
		c->force = mul(force, c->force);
	}
	qsort(p->contact, p->contacts, sizeof *p->contact, by_grains);
}

// ---------------------------------------------------------------- all of it

bool dense_check(const dense_options *w, talus_error *error)
{
	double widest = 2*STATE_LEAST_WIDTH*w->radius[0];
	for (int k = 0; k < w->dimension - 1 && w->layer; k++)
		if (component(w->size, k) < widest)
			return error_set(error,
				"a dense packing needs room of at least %g times the largest diameter along %c, %.4g; here it is %.4g",
				STATE_LEAST_WIDTH, "xyz"[k], widest, component(w->size, k));
	return true;
}

bool dense_prepare(const dense_options *w, dense_packing *p, talus_error *error)
{
	double unit = mean_radius(w), stiffness = 0;
	memset(p, 0, sizeof *p);
	talus_world *world = dense_check(w, error) ? loose_world(w, unit, error) : NULL;
	if (!world)
		return false;
	bool done = wide(world, unit, error) && compress(w, world, unit, &stiffness, error);
	if (done) {
		if (stiffness > 0)
			note_overlaps(world, p, stiffness);
		else
			note_forces(world, p);
		take_places(world, w, p, unit);
	}
	world_destroy(world);
	return done;
}

void dense_free(dense_packing *p)
{
	memory_free(p->x);
	memory_free(p->contact);
}
