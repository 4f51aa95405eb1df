// SPDX-License-Identifier: MIT
// Rest without friction. A packing of smooth grains is only just rigid, so sweeps need very long to find its
// forces. But these depend on the places alone, and soft grains lead there: minimise
//
//     H = sum over overlaps of k o^2/2 + P V
//
// over places and size of the cell, then make the grains ten times as stiff, and so on, until overlaps are a
// millionth of a diameter. Here k is 1 and P falls. The minimiser is that of Levenberg and Marquardt, its
// linear problems are solved by conjugate gradients: with b the change of overlaps by a change y of all
// coordinates,  (b'b + damping) y = force. Contacts that open and close on the way bend it: the step is
// shortened until it does not climb, and damping follows.
#include "prepare/dense.h"

#include "state/cell.h"
#include "collide/collide.h"
#include "method/contact_dynamics.h"

#include <string.h>

static const double first_pressure = 1e-4, last_pressure = 1e-6;
static const double first_rest = 1e-6, last_rest = 1e-7; // unbalanced force over the mean force of a contact
static const double least_damping = 1e-10, most_damping = 1e3;
enum { MOST_WORK = 4000000, MOST_ROUNDS = 2000 }; // products with the matrix, in all and for one step

typedef struct link { // two grains that overlap
	uint32_t a, b;
	vec3 n;
	double overlap;
	double strain; // what a strain of the cell opens, in units of its coordinate
} link;

typedef struct soft {
	talus_world *world;
	bool layer;
	int d;
	size_t n; // grains; coordinates are a vector for each and one more, of which x is the strain times `scale`
	double scale, pressure, damping;
	size_t links, capacity;
	link *link;
	double mean; // overlap
	vec3 *force, *step, *rest, *way, *image; // image: matrix times way
	vec3 *places; // before the step
	int work;
} soft;

// ---------------------------------------------------------------- the packing

static void keep_list(soft *s)
{
	talus_world *world = s->world;
	const bodies *b = &world->state.bodies;
	bool used_up = world->list.stale;
	cell_carry(&world->state.cell, world->state.cell.carry);
	for (size_t i = 0; i < b->count && !used_up; i++) {
		vec3 moved = sub(b->x[i], cell_apply(world->state.cell.carry, b->x_listed[i]));
		used_up = dot(moved, moved) > 0.25*b->skin[i]*b->skin[i];
	}
	if (!used_up)
		return;
	contact_dynamics_predict(&world->state, &world->approach);
	grid_build(&world->state, &world->approach, &world->list);
}

static void add_link(soft *s, link one)
{
	if (s->links == s->capacity) {
		s->capacity = memory_capacity(s->capacity, s->links + 1);
		s->link = memory_grow(s->link, s->links*sizeof *s->link, s->capacity*sizeof *s->link);
	}
	s->link[s->links++] = one;
}

static void find_links(soft *s)
{
	const talus_world *world = s->world;
	const bodies *b = &world->state.bodies;
	s->links = 0;
	s->mean = 0;
	for (size_t i = 0; i < world->list.count; i++) {
		pair p = world->list.pair[i];
		vec3 d = sub(add(b->x[p.b], world->state.cell.shift[p.image]), b->x[p.a]);
		double reach = b->radius[p.a] + b->radius[p.b], square = dot(d, d);
		if (square >= reach*reach || square == 0)
			continue;
		double length = sqrt(square), up = component(d, s->d - 1);
		add_link(s, (link){p.a, p.b, mul(1/length, d), reach - length,
				    (s->layer ? up*up/length : length)/s->scale});
		s->mean += reach - length;
	}
	s->mean /= s->links ? (double)s->links : 1;
}

static double push_outside(const soft *s)
{
	return (s->layer ? 1 : s->d)*s->pressure*cell_volume(&s->world->state.cell, s->d)/s->scale;
}

// Minus the gradient of H.
static void find_forces(soft *s)
{
	memset(s->force, 0, (s->n + 1)*sizeof *s->force);
	for (size_t i = 0; i < s->links; i++) {
		const link *l = &s->link[i];
		s->force[l->a] = mul_add(s->force[l->a], -l->overlap, l->n);
		s->force[l->b] = mul_add(s->force[l->b], l->overlap, l->n);
		s->force[s->n].x += l->overlap*l->strain;
	}
	s->force[s->n].x -= push_outside(s);
}

static void stretch(soft *s, double factor)
{
	talus_world *world = s->world;
	vec3 f = {s->layer ? 1 : factor, s->layer && s->d == 3 ? 1 : factor, s->d == 3 ? factor : 1};
	for (size_t i = 0; i < s->n; i++) {
		vec3 *x = &world->state.bodies.x[i];
		*x = vec(f.x*x->x, f.y*x->y, f.z*x->z);
	}
	for (int k = 0; k < s->d; k++)
		world->state.cell.h[k][k] *= component(f, k);
	cell_update(&world->state.cell);
}

static void look(soft *s)
{
	find_links(s);
	find_forces(s);
}

// Mean of what is left over at a grain, and at the cell, over what contacts carry.
static double unbalance(const soft *s)
{
	double sum = 0, of_cell = fabs(s->force[s->n].x)/push_outside(s);
	for (size_t i = 0; i < s->n; i++)
		sum += norm(s->force[i]);
	return s->mean > 0 ? fmax(sum/((double)s->n*s->mean), of_cell) : INFINITY;
}

// ---------------------------------------------------------------- a step

static double product(const soft *s, const vec3 *a, const vec3 *b)
{
	double sum = 0;
	for (size_t i = 0; i <= s->n; i++)
		sum += dot(a[i], b[i]);
	return sum;
}

static void apply_matrix(soft *s)
{
	const vec3 *way = s->way;
	vec3 *image = s->image;
	double strain = way[s->n].x, of_cell = 0;
	for (size_t i = 0; i <= s->n; i++)
		image[i] = mul(s->damping, way[i]);
	for (size_t i = 0; i < s->links; i++) {
		const link *l = &s->link[i];
		double open = dot(sub(way[l->b], way[l->a]), l->n) + strain*l->strain;
		image[l->a] = mul_add(image[l->a], -open, l->n);
		image[l->b] = mul_add(image[l->b], open, l->n);
		of_cell += open*l->strain;
	}
	image[s->n].x += of_cell;
	s->work++;
}

// Conjugate gradients, until what is left has shrunk to a share of what was there.
static void solve_step(soft *s, double share)
{
	size_t all = s->n + 1;
	memset(s->step, 0, all*sizeof *s->step);
	memcpy(s->rest, s->force, all*sizeof *s->rest);
	memcpy(s->way, s->force, all*sizeof *s->way);
	double left = product(s, s->rest, s->rest), enough = share*share*left;
	for (int round = 0; round < MOST_ROUNDS && left > enough; round++) {
		apply_matrix(s);
		double length = left/product(s, s->way, s->image), before = left;
		for (size_t i = 0; i < all; i++) {
			s->step[i] = mul_add(s->step[i], length, s->way[i]);
			s->rest[i] = mul_add(s->rest[i], -length, s->image[i]);
		}
		left = product(s, s->rest, s->rest);
		for (size_t i = 0; i < all; i++)
			s->way[i] = mul_add(s->rest[i], left/before, s->way[i]);
	}
}

// So far along the step.
static void go(soft *s, const cell *from, double share)
{
	talus_world *world = s->world;
	world->state.cell = *from;
	for (size_t i = 0; i < s->n; i++)
		world->state.bodies.x[i] = mul_add(s->places[i], share, s->step[i]);
	stretch(s, 1 + share*s->step[s->n].x/s->scale);
	look(s);
}

// Half the way, and half of that, until it does not climb much behind the lowest point. Returns the share
// that was gone.
static double search_line(soft *s, double most)
{
	cell from = s->world->state.cell;
	double fall = product(s, s->force, s->step), share = most;
	memcpy(s->places, s->world->state.bodies.x, s->n*sizeof *s->places);
	for (int halves = 0; halves < 30; halves++, share *= 0.5) {
		go(s, &from, share);
		if (product(s, s->force, s->step) >= -0.3*fall)
			return share;
	}
	go(s, &from, 0);
	return 0;
}

// Nobody goes farther than a part of a radius, so that the list holds.
static double most_share(const soft *s)
{
	double square = 0, strain = fabs(s->step[s->n].x)/s->scale;
	for (size_t i = 0; i < s->n; i++)
		square = fmax(square, dot(s->step[i], s->step[i]));
	return fmin(1, fmin(0.05/sqrt(square + 1e-300), 0.005/(strain + 1e-300)));
}

static bool minimise(soft *s, double rest)
{
	look(s);
	while (s->work < MOST_WORK) {
		double left = unbalance(s);
		if (left < rest)
			return true;
		solve_step(s, fmin(0.01, left));
		double share = search_line(s, most_share(s));
		double change = share > 0.9 ? 0.25 : share < 0.2 ? 4 : 1;
		s->damping = fmin(most_damping, fmax(least_damping, change*s->damping));
		if (share > 0) {
			keep_list(s);
			look(s);
		}
	}
	return false;
}

// ---------------------------------------------------------------- all of it

static void take_room(soft *s)
{
	vec3 **column[] = {&s->force, &s->step, &s->rest, &s->way, &s->image, &s->places};
	for (size_t i = 0; i < sizeof column/sizeof column[0]; i++)
		*column[i] = memory_grow(NULL, 0, (s->n + 1)*sizeof **column[i]);
}

static void give_room_back(soft *s)
{
	vec3 *column[] = {s->force, s->step, s->rest, s->way, s->image, s->places};
	for (size_t i = 0; i < sizeof column/sizeof column[0]; i++)
		memory_free(column[i]);
	memory_free(s->link);
}

double dense_smooth_rest(talus_world *world, bool layer)
{
	size_t n = world->state.bodies.count;
	soft s = {.world = world, .layer = layer, .d = world->state.def.dimension, .n = n, .damping = 1};
	s.scale = 2*sqrt((double)n); // the cell is then about as stiff as a grain
	take_room(&s);
	world->list.stale = true;
	keep_list(&s);
	bool found = true;
	for (s.pressure = first_pressure; found && s.pressure > 0.5*last_pressure; s.pressure *= 0.1) {
		found = minimise(&s, s.pressure < 5*last_pressure ? last_rest : first_rest);
	}
	give_room_back(&s);
	return found ? 1/last_pressure : 0;
}
