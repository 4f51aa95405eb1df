// SPDX-License-Identifier: MIT
// What advice about a scene rests on: sizes, masses, and the speeds that are really in it, given ones and those of falls.
#include "io/advice.h"

#include "base/vec.h"
#include "state/cell_drive.h"
#include "state/cell.h"
#include "state/wall/shapes.h"
#include "observe/observe.h"
#include "arrive/region.h"
#include "state/shape.h"
#include "arrive/sizes.h"
#include "solve/solve.h"


typedef struct bounds {
	vec3 low, high;
	double count, diameters, solid, smallest, speed;
} bounds;

static void bounds_add(bounds *b, vec3 low, vec3 high)
{
	b->low = vec(fmin(b->low.x, low.x), fmin(b->low.y, low.y), fmin(b->low.z, low.z));
	b->high = vec(fmax(b->high.x, high.x), fmax(b->high.y, high.y), fmax(b->high.z, high.z));
}

static void add_mass(advice_facts *facts, double least, double most)
{
	facts->lightest_grain = fmin(facts->lightest_grain, least);
	facts->heaviest_grain = fmax(facts->heaviest_grain, most);
}

static void bounds_add_grains(bounds *b, const talus_world *world)
{
	talus_grains grains = talus_world_grains(world);
	for (size_t i = 0; i < grains.count; i++) {
		double r = grains.radius[i];
		bounds_add(b, sub(grains.x[i], vec(r, r, r)), add(grains.x[i], vec(r, r, r)));
		b->smallest = fmin(b->smallest, r);
		b->diameters += 2*r;
		b->solid += shape_volume(world->state.def.dimension, r);
		b->speed = fmax(b->speed, norm(grains.v[i]));
	}
	b->count += (double)grains.count;
}

static void bounds_add_pour(bounds *b, const talus_pour_def *pour)
{
	talus_box box = region_bounds(&pour->in);
	double least = sizes_least(&pour->radius), most = sizes_most(&pour->radius);
	bounds_add(b, box.low, box.high);
	b->smallest = fmin(b->smallest, least);
	b->diameters += pour->count*(least + most);
	b->count += pour->count;
}

static double wall_speed(const talus_wall_def *w, double reach)
{
	double swing = 2*M_PI*w->oscillate_frequency*w->oscillate_amplitude;
	const wall_shape *shape = wall_shape_of((int)w->kind);
	double arm = shape->girth ? shape->girth(w) : reach;
	return norm(w->velocity) + swing + fabs(w->spin)*arm;
}

static double largest_edge(const bounds *b, int dimension)
{
	vec3 edge = sub(b->high, b->low);
	double flat = fmax(edge.x, edge.y);
	return dimension == 2 ? flat : fmax(flat, edge.z);
}

// How far the box reaches along a unit vector.
static double reach_along(const bounds *b, vec3 down)
{
	vec3 edge = sub(b->high, b->low);
	return fabs(edge.x*down.x) + fabs(edge.y*down.y) + fabs(edge.z*down.z);
}

static double highest(const bounds *b, vec3 down)
{
	return dot(mul(0.5, add(b->low, b->high)), down) - reach_along(b, down)/2;
}

// How deep along gravity anything can fall: to the lowest floor, or to the lowest grain if that is lower.
static double deepest(const scene *s, const bounds *b, vec3 down)
{
	double depth = highest(b, down) + reach_along(b, down);
	for (int i = 0; i < s->walls; i++) {
		const talus_wall_def *w = &s->wall[i].def;
		const wall_shape *shape = wall_shape_of((int)w->kind);
		if (shape->lowest)
			depth = fmax(depth, shape->lowest(w, down));
	}
	return depth;
}

static double area_across(const bounds *b, int dimension, vec3 down)
{
	vec3 edge = sub(b->high, b->low);
	return edge.x*edge.y*(dimension == 3 ? edge.z : 1)/reach_along(b, down);
}

// What the highest grain falls until all those below it lie as densely as they do at rest; a packing at rest does not fall.
static double collapse(const bounds *b, int dimension, vec3 down, double depth)
{
	static const double packed[] = {0, 0, 0.75, 0.55}; // at least, by dimension
	return fmax(0, depth - highest(b, down) - b->solid/(packed[dimension]*area_across(b, dimension, down)));
}

// Height of the grains along gravity: those of a loose fill settle first.
static double bed_height(const scene *s, const bounds *b, vec3 down)
{
	static const double settled[] = {0, 0, 0.8, 0.6}; // by dimension
	int d = s->world.dimension;
	double height = reach_along(b, down), bed = b->solid/(settled[d]*area_across(b, d, down));
	for (int i = 0; i < s->grain_entries; i++)
		if (s->grains[i].kind == SCENE_FILL)
			return fmin(height, bed);
	return height; // may be a heap
}

// From a speed over a height, or less if the run ends before: then as far as it gets in the time from `start` on.
static void take_fall(advice_facts *facts, double speed, double height, double start)
{
	double g = facts->gravity, time = facts->end_time > 0 ? fmax(0, facts->end_time - start) : INFINITY;
	double fall = isinf(time) ? height : fmin(height, speed*time + g*time*time/2);
	double in_the_end = sqrt(speed*speed + 2*g*fall);
	if (in_the_end <= facts->speed)
		return;
	facts->speed = in_the_end;
	facts->thrown = speed*speed > 2*g*fall; // it has more of its energy from the start than from the fall
	facts->fall = facts->thrown ? 0 : fall;
}

// Share of a region that random places fill in time: less of a flat one, where whole grains have little choice. From
// pours of disks and spheres into regions 1.3 to 10 diameters high: the first grains are late about a tenth above that.
static double crowded(int dimension, double height, double largest)
{
	static const double share[] = {0, 0, 0.42, 0.25};
	return share[dimension]*fmax(0.25, 1 - largest/(0.9*height));
}

// Until a grain that comes in the middle has left: in steady flow rate times that are there.
static void measure_crowd(const talus_pour_def *pour, advice_facts *facts, vec3 gravity)
{
	talus_box box = region_bounds(&pour->in);
	vec3 way = norm(gravity) > 0 ? gravity : pour->velocity, edge = sub(box.high, box.low);
	double room = edge.x*edge.y*(facts->dimension == 3 ? edge.z : 1), time = INFINITY, height = INFINITY;
	double r = 0.5*(sizes_least(&pour->radius) + sizes_most(&pour->radius));
	if (norm(way) > 0) {
		vec3 down = unit(way);
		height = fabs(edge.x*down.x) + fabs(edge.y*down.y) + fabs(edge.z*down.z);
		double half = height/2;
		double g = norm(gravity), v = fmax(0, dot(pour->velocity, down));
		time = g > 0 ? (sqrt(v*v + 2*g*half) - v)/g : half/v;
	}
	double one = shape_volume(facts->dimension, r)/room, share = fmin(pour->rate*time, pour->count)*one;
	double limit = crowded(facts->dimension, height, sizes_most(&pour->radius));
	if (share*facts->pour_limit >= facts->pour_share*limit) {
		facts->pour_share = share;
		facts->pour_limit = limit;
		facts->pour_rate = limit/(one*time);
	}
}

static void measure_pours(const scene *s, const bounds *b, advice_facts *facts)
{
	vec3 down = facts->gravity > 0 ? unit(s->world.gravity) : vec(0, 0, 0);
	for (int i = 0; i < s->grain_entries; i++) {
		if (s->grains[i].kind != SCENE_POUR)
			continue;
		const talus_pour_def *pour = s->grains[i].pour;
		talus_box box = region_bounds(&pour->in);
		bounds own = {.low = box.low, .high = box.high};
		double density = s->material[pour->material].density;
		double fall = facts->gravity > 0 ? deepest(s, b, down) - highest(&own, down) - 2*sizes_least(&pour->radius) : 0;
		take_fall(facts, norm(pour->velocity), fmax(0, fall), pour->start);
		measure_crowd(pour, facts, s->world.gravity);
		double least = density*shape_volume(facts->dimension, sizes_least(&pour->radius));
		double most = density*shape_volume(facts->dimension, sizes_most(&pour->radius));
		add_mass(facts, least, most);
		facts->all_mass += pour->count*0.5*(least + most);
	}
}

// News goes so many diameters in a sweep with momentum; without the square of the way grows with the sweeps, 4 q for each, so here q grows, too.
static void measure_solver(const talus_solver_def *solver, advice_facts *facts)
{
	facts->capped = solver->stop != TALUS_STOP_ITERATIONS;
	facts->iterations = facts->capped ? solver->max_iterations : solver->iterations;
	facts->momentum = solver->kind != TALUS_SOLVER_NSGS;
	facts->careful = solver->kind == TALUS_SOLVER_AUTO;
	if (solver->kind == TALUS_SOLVER_NSGS && solver->order == TALUS_ORDER_PARALLEL)
		facts->jacobi = solver->relaxation;
	facts->q = facts->momentum ? momentum_reach*momentum_reach*facts->iterations/4 : observe_spread(solver);
}

static double total_mass(const talus_world *world)
{
	double mass = 0;
	for (size_t i = 0; i < world->state.bodies.count; i++)
		mass += world->state.bodies.mass[i];
	return mass;
}

// The diagonal of what the cell follows, and the rates; by how much it shrinks until grains fill it.
static void measure_cell(const scene *s, const talus_world *world, advice_facts *facts)
{
	const talus_cell_def *def = &s->world.cell;
	advice_cell *c = &facts->cell;
	extent_state extent = observe_extent(world);
	int d = facts->dimension;
	double filled = extent.solid/(d == 2 ? 0.8 : 0.6), shrink = pow(filled/extent.volume, 1.0/d);
	facts->density = total_mass(world)/extent.solid;
	facts->extent = pow(filled, 1.0/d);
	*c = (advice_cell){.outside = def->bath ? def->pressure : 0, .inertia = def->inertia, .narrowest = INFINITY, .at_end = INFINITY,
		.closing = fmax(0, -log(shrink)), .least = state_least_width(&world->state), .until_rest = s->until_rest};
	for (int i = 0; i < d; i++) {
		for (int j = i; j < d; j++) {
			if (def->drive[i][j] == TALUS_DRIVE_RATE)
				c->rate = fmax(c->rate, fabs(def->wanted[i][j]));
			else if (def->drive[i][j] == TALUS_DRIVE_STRESS)
				c->outside = fmax(c->outside, fabs(def->wanted[i][j]));
			if (i == j && def->drive[i][j] == TALUS_DRIVE_STRESS)
				c->tension = fmax(c->tension, -def->wanted[i][j]);
		}
		if (def->drive[i][i] == TALUS_DRIVE_RATE && def->wanted[i][i] < 0 && s->until_time)
			c->at_end = fmin(c->at_end, cell_height(&world->state.cell, i)*exp(def->wanted[i][i]*s->end_time));
		if (def->bath && def->pressure > 0)
			c->narrowest = fmin(c->narrowest, shrink*cell_height(&world->state.cell, i));
	}
}

static void measure_walls(const scene *s, double reach, advice_facts *facts)
{
	for (int i = 0; i < s->walls; i++) {
		const talus_wall_def *w = &s->wall[i].def;
		bool moves = norm(w->velocity) > 0 || w->oscillate_amplitude > 0 || w->spin != 0;
		facts->speed = fmax(facts->speed, wall_speed(w, reach));
		if (w->mass > 0) {
			facts->lightest_piston = fmin(facts->lightest_piston, w->mass);
			facts->heaviest_piston = fmax(facts->heaviest_piston, w->mass);
		} else if (moves && s->until_rest && !facts->restless) {
			facts->restless = w->name;
		}
	}
}

static void measure_masses(const talus_world *world, advice_facts *facts)
{
	const bodies *b = &world->state.bodies;
	for (size_t i = 0; i < b->count; i++)
		if (b->free[i])
			add_mass(facts, b->mass[i], b->mass[i]);
	facts->all_mass = total_mass(world);
	facts->mean_mass = b->count ? facts->all_mass/(double)b->count : 0;
}

// ---------------------------------------------------------------- what is pushed

static vec3 along_free(unsigned freedom, vec3 a)
{
	return vec(freedom & TALUS_FREE_X ? a.x : 0, freedom & TALUS_FREE_Y ? a.y : 0, freedom & TALUS_FREE_Z ? a.z : 0);
}

static void take_push(advice_facts *facts, double speed, double acceleration, const char *pusher)
{
	double in_the_end = facts->end_time > 0 ? fmin(speed, acceleration*facts->end_time) : speed;
	if (in_the_end <= facts->speed)
		return;
	facts->speed = in_the_end;
	facts->fall = 0;
	facts->thrown = false;
	facts->pusher = pusher;
}

// A plane goes alone until it meets grains, then with them until they are packed.
static void measure_pistons(const scene *s, const bounds *b, advice_facts *facts)
{
	for (int i = 0; i < s->walls; i++) {
		const talus_wall_def *w = &s->wall[i].def;
		if (!(w->mass > 0) || !wall_shape_of((int)w->kind)->flat)
			continue;
		vec3 normal = unit(w->axis), weight = mul(w->weightless ? 0 : w->mass, s->world.gravity);
		double push = dot(along_free(w->free, add(w->force, weight)), normal);
		if (!(push > 0))
			continue;
		double alone = fmax(0, highest(b, normal) - dot(w->point, normal));
		double way = alone + collapse(b, facts->dimension, normal, deepest(s, b, normal));
		double squared = fmax(2*push*alone/w->mass, 2*push*way/(w->mass + facts->all_mass));
		take_push(facts, sqrt(squared), push/w->mass, w->name);
		facts->piston_stress = fmax(facts->piston_stress, push/area_across(b, facts->dimension, normal));
	}
}

// Where the way of a grain ends, along it: at a plane, or where the others end.
static double end_of_way(const scene *s, const bounds *b, vec3 x, vec3 way)
{
	double first = INFINITY, others = highest(b, way) + reach_along(b, way);
	for (int i = 0; i < s->walls; i++) {
		const talus_wall_def *w = &s->wall[i].def;
		double closing = wall_shape_of((int)w->kind)->flat ? -dot(unit(w->axis), way) : 0;
		if (closing > 0)
			first = fmin(first, fmax(0, dot(sub(x, w->point), unit(w->axis)))/closing);
	}
	return isinf(first) ? others : fmax(others, dot(x, way) + first);
}

static void measure_forces(const scene *s, const talus_world *world, const bounds *b, advice_facts *facts)
{
	const bodies *all = &world->state.bodies;
	for (size_t i = 0; i < all->count; i++) {
		if (norm(all->force[i]) == 0)
			continue;
		vec3 pull = along_free(all->free[i], add(s->world.gravity, mul(1/all->mass[i], all->force[i])));
		double a = norm(pull);
		if (a == 0)
			continue;
		vec3 way = mul(1/a, pull);
		double room = collapse(b, facts->dimension, way, end_of_way(s, b, all->x[i], way));
		take_push(facts, sqrt(2*a*room), a, "");
	}
}

advice_facts advice_measure(const scene *s, const talus_world *world)
{
	advice_facts facts = {.dimension = s->world.dimension, .gravity = norm(s->world.gravity), .lightest_piston = INFINITY,
		.lightest_grain = INFINITY, .end_time = s->until_time ? s->end_time : 0,
		.step = s->world.step, .pairs = s->pairs, .pair = s->pair, .material = s->material};
	bounds b = {.low = vec(INFINITY, INFINITY, INFINITY), .high = vec(-INFINITY, -INFINITY, -INFINITY),
		.smallest = INFINITY};
	vec3 down = facts.gravity > 0 ? unit(s->world.gravity) : vec(0, 0, 0);
	measure_solver(&s->world.solver, &facts);
	bounds_add_grains(&b, world);
	bounds present = b;
	bool some = b.count > 0;
	double extent = !some ? 0 : facts.gravity > 0 ? bed_height(s, &b, down) : largest_edge(&b, facts.dimension);
	for (int i = 0; i < s->grain_entries; i++) {
		if (s->grains[i].kind == SCENE_POUR)
			bounds_add_pour(&b, s->grains[i].pour);
	}
	if (b.count == 0)
		return facts;
	facts.grains = b.count;
	facts.smallest_radius = b.smallest;
	facts.mean_diameter = b.diameters/b.count;
	// where poured grains will lie is not known: at least as compact as a cube of them
	facts.extent = fmax(extent, facts.mean_diameter*pow(b.count, 1.0/facts.dimension));
	measure_masses(world, &facts);
	advice_measure_fate(s, world, &facts);
	if (cell_drive_deforms(&s->world.cell) && some)
		measure_cell(s, world, &facts);
	facts.speed = b.speed;
	measure_walls(s, largest_edge(&b, facts.dimension)/2, &facts);
	if (some && facts.gravity > 0)
		take_fall(&facts, 0, collapse(&present, facts.dimension, down, deepest(s, &b, down)), 0);
	measure_pours(s, &b, &facts);
	if (some) {
		measure_pistons(s, &present, &facts);
		measure_forces(s, world, &present, &facts);
	}
	return facts;
}
