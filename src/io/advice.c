// SPDX-License-Identifier: MIT
// Advice about a scene. Iterations spread forces like diffusion with D = q N_I d^2/dt (Unger & Kertesz 2003): a
// packing of extent L is rigid when l = sqrt(4 D dt) reaches over it, N_I > 0.31 (L/d)^2 for the random sweep;
// below that a contact is a spring that gives way by f dt^2/(q m N_I). Cost of contact dynamics over that of soft
// grains of stiffness K (Brendel, Unger & Wolf 2004, eq. 37): N^(2/D) sqrt(m v^2/(K r^2)).
// A bond of force F and range d costs the energy F d. But one step stops whatever parts with less than F dt/m, m
// the reduced mass, as if the bond cost (F dt)^2/(2 m). That is more, and the step counts, if dt > sqrt(2 m d/F).
// In a cell under the pressure P a contact carries about f = P d^(D-1) and overlaps by f dt^2/(q m N_I) (Shaebani,
// Unger & Kertesz 2009). The cell falls together in sqrt(2 M ln(L/L_end)/P) and takes about as long again to settle;
// lighter than a tenth of density times L_end^2 it only waits for its grains (100 disks, M from 1e-2 to 1e5).
#include "io/advice.h"

#include "base/vec.h"
#include "bath.h"
#include "cell.h"
#include "observe/observe.h"
#include "region.h"
#include "solve/solve.h"
#include "sizes.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static const double pi = 3.14159265358979323846;
static const double most_shift = 0.1;  // of the smallest radius, in one step
static const double rigid = 0.31*0.797; // N_I > rigid/q (L/d)^2
static const double soft_overlap = 1e-3; // of a diameter: what soft grains that pass for hard ones may have
static const double most_strain = 0.01;  // of a cell, in one step
static const double collisional = 0.1;   // inertial number above which a sheared packing is a gas rather than a dense flow
static const double least_inertia = 500; // times pressure step^2: bath.c takes a lighter cell as that

// ---------------------------------------------------------------- measuring

typedef struct bounds {
	vec3 low, high;
	double count, diameters, smallest, speed;
} bounds;

static void bounds_add(bounds *b, vec3 low, vec3 high)
{
	b->low = vec(fmin(b->low.x, low.x), fmin(b->low.y, low.y), fmin(b->low.z, low.z));
	b->high = vec(fmax(b->high.x, high.x), fmax(b->high.y, high.y), fmax(b->high.z, high.z));
}

static void bounds_add_grains(bounds *b, const talus_world *world)
{
	talus_grains grains = talus_world_grains(world);
	for (size_t i = 0; i < grains.count; i++) {
		double r = grains.radius[i];
		bounds_add(b, sub(grains.x[i], vec(r, r, r)), add(grains.x[i], vec(r, r, r)));
		b->smallest = fmin(b->smallest, r);
		b->diameters += 2*r;
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
	b->speed = fmax(b->speed, norm(pour->velocity));
}

static double wall_speed(const talus_wall_def *w, double reach)
{
	double swing = 2*pi*w->oscillate_frequency*w->oscillate_amplitude;
	double arm = w->kind == TALUS_WALL_CYLINDER ? w->radius :
		w->kind == TALUS_WALL_CONE ? w->last*tan(w->angle*pi/180) :
		w->kind == TALUS_WALL_SEGMENT ? norm(sub(w->to, w->point))/2 : reach;
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

// From the highest grain to the lowest floor, or to the lowest grain if that is lower.
static double fall_height(const scene *s, const bounds *b, vec3 down)
{
	vec3 middle = mul(0.5, add(b->low, b->high));
	double half = reach_along(b, down)/2, deepest = dot(middle, down) + half,
		highest = dot(middle, down) - half;
	for (int i = 0; i < s->walls; i++) {
		const talus_wall_def *w = &s->wall[i].def;
		if (w->kind == TALUS_WALL_PLANE && dot(w->axis, down) < 0)
			deepest = fmax(deepest, dot(w->point, down));
	}
	return deepest - highest;
}

// News goes so many diameters in a sweep with momentum; without the square of the way grows with the sweeps, 4 q for each, so here q grows, too.
static void measure_solver(const talus_solver_def *solver, advice_facts *facts)
{
	static const double q[] = {[TALUS_ORDER_SHUFFLED] = 0.777, [TALUS_ORDER_RANDOM] = 0.797, [TALUS_ORDER_SEQUENTIAL] = 1,
		[TALUS_ORDER_PARALLEL] = 0.5, [TALUS_ORDER_RANDOM_SEQUENTIAL] = 0.5};
	facts->capped = solver->stop != TALUS_STOP_ITERATIONS;
	facts->iterations = facts->capped ? solver->max_iterations : solver->iterations;
	facts->momentum = solver->kind != TALUS_SOLVER_NSGS;
	facts->q = facts->momentum ? momentum_reach*momentum_reach*facts->iterations/4 : q[solver->order];
}

static double total_mass(const talus_world *world)
{
	double mass = 0;
	for (size_t i = 0; i < world->bodies.count; i++)
		mass += world->bodies.mass[i];
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
	*c = (advice_cell){.outside = def->bath ? def->pressure : 0, .inertia = def->inertia, .narrowest = INFINITY,
		.closing = fmax(0, -log(shrink)), .least = world_least_width(world), .until_rest = s->until_rest};
	for (int i = 0; i < d; i++) {
		for (int j = i; j < d; j++) {
			if (def->drive[i][j] == TALUS_DRIVE_RATE)
				c->rate = fmax(c->rate, fabs(def->wanted[i][j]));
			else if (def->drive[i][j] == TALUS_DRIVE_STRESS)
				c->outside = fmax(c->outside, fabs(def->wanted[i][j]));
		}
		if (def->bath && def->pressure > 0)
			c->narrowest = fmin(c->narrowest, shrink*cell_height(&world->cell, i));
	}
}

advice_facts advice_measure(const scene *s, const talus_world *world)
{
	advice_facts facts = {.dimension = s->world.dimension, .gravity = norm(s->world.gravity),
		.step = s->world.step, .pairs = s->pairs, .pair = s->pair, .material = s->material};
	bounds b = {.low = vec(INFINITY, INFINITY, INFINITY), .high = vec(-INFINITY, -INFINITY, -INFINITY),
		.smallest = INFINITY};
	measure_solver(&s->world.solver, &facts);
	bounds_add_grains(&b, world);
	bool some = b.count > 0;
	double extent = !some ? 0 : facts.gravity > 0 ? reach_along(&b, unit(s->world.gravity)) :
		largest_edge(&b, facts.dimension);
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
	facts.mean_mass = world->bodies.count ? total_mass(world)/(double)world->bodies.count : 0;
	if (bath_flows(&s->world.cell) && some)
		measure_cell(s, world, &facts);
	facts.lightest_piston = INFINITY;
	for (int i = 0; i < s->walls; i++)
		if (s->wall[i].def.mass > 0)
			facts.lightest_piston = fmin(facts.lightest_piston, s->wall[i].def.mass);
	facts.speed = b.speed;
	for (int i = 0; i < s->walls; i++)
		facts.speed = fmax(facts.speed, wall_speed(&s->wall[i].def,
			largest_edge(&b, facts.dimension)/2));
	double fall = facts.gravity > 0 ? fall_height(s, &b, unit(s->world.gravity)) : 0;
	if (sqrt(2*facts.gravity*fall) > facts.speed) {
		facts.speed = sqrt(2*facts.gravity*fall);
		facts.fall = fall;
	}
	return facts;
}

// ---------------------------------------------------------------- judging

__attribute__((format(printf, 3, 4))) static bool say(advice *a, const char *code, const char *format, ...)
{
	va_list list;
	va_start(list, format);
	a->code = code;
	vsnprintf(a->message, sizeof a->message, format, list);
	va_end(list);
	return true;
}

static bool judge_step(const advice_facts *f, advice *a)
{
	double shift = f->speed*f->step/f->smallest_radius;
	char cause[64] = "";
	if (!(shift > most_shift))
		return false;
	if (f->fall > 0)
		snprintf(cause, sizeof cause, " (free fall over %.3g)", f->fall);
	return say(a, "long_step",
		"the step is long: at the largest expected speed, %.3g%s, a grain moves %.2g of the smallest radius "
		"in one step of %g; with steps up to %.2g it is %g",
		f->speed, cause, shift, f->step, most_shift*f->smallest_radius/f->speed, most_shift);
}

// Of a contact that carries the pressure outside, over the diameter.
static double pressed_overlap(const advice_facts *f)
{
	double force = f->cell.outside*pow(f->mean_diameter, f->dimension - 1);
	double give = f->step*f->step/(f->q*f->mean_mass*f->iterations);
	return force > 0 && f->mean_mass > 0 ? force*give/f->mean_diameter : 0;
}

static bool judge_iterations(const advice_facts *f, advice *a)
{
	double length = f->extent/f->mean_diameter;
	double needed = f->momentum ? length/momentum_reach : rigid/f->q*length*length;
	if (f->iterations > needed)
		return false;
	double weighed = f->gravity*length*f->step*f->step/(f->q*f->iterations)/f->mean_diameter;
	double pressed = pressed_overlap(f);
	a->code = "few_iterations";
	int used = snprintf(a->message, sizeof a->message,
		"%s%d iterations are too few for rigid grains: over %.3g diameters it takes more than %.0f",
		f->capped ? "at most " : "", f->iterations, length, needed);
	if (weighed + pressed > 0)
		snprintf(a->message + used, sizeof a->message - (size_t)used,
			"; with fewer a contact is a spring that overlaps by about %.1e diameters under the %s",
			fmax(weighed, pressed), weighed > pressed ? "weight of all" : "stress outside");
	return true;
}

// sqrt(m v^2/(K r^2)) with K such that the load, without gravity the impact, gives the overlap of soft grains.
static double softness(const advice_facts *f)
{
	double load = f->gravity*f->extent, square = load > 0 ? 4*soft_overlap*f->speed*f->speed/load :
		4*soft_overlap*soft_overlap;
	return sqrt(square);
}

// Sweeps hand on momentum in portions of the lighter body's mass: far below that of a grain they get nowhere.
static bool judge_pistons(const advice_facts *f, advice *a)
{
	if (!(f->lightest_piston < f->mean_mass))
		return false;
	return say(a, "light_piston",
		"a piston of mass %.3g is lighter than a grain (%.3g): the iteration converges slowly, and the piston may sink in; a mass of "
		"several grains at least is better, and changes nothing at rest if `weight: false` or the force makes up for it",
		f->lightest_piston, f->mean_mass);
}

static bool judge_method(const advice_facts *f, advice *a)
{
	double ratio = pow(f->grains, 2.0/f->dimension)*softness(f);
	char cost[32];
	if (!(ratio > 0))
		return false;
	snprintf(cost, sizeof cost, ratio < 1 ? "%.1g" : "%.0f", ratio);
	return say(a, "method_cost",
		"by its scaling alone, without prefactor, the cost of fully rigid contact dynamics is %s times that of molecular "
		"dynamics with springs that overlap by %g diameters: %s",
		cost, soft_overlap,
		ratio > 1 ? "soft grains may be cheaper, but are not available in this version" : "this method may be the cheaper one");
}

// ---------------------------------------------------------------- laws between materials

static double bounce(const talus_pair *law)
{
	return fmax(law->restitution, law->tangential_restitution);
}

static double bond_without_range(const talus_pair *law)
{
	return law->range > 0 ? 0 : law->cohesion;
}

static double bond_stiffness(const talus_pair *law)
{
	return law->range > 0 ? law->cohesion/law->range : 0;
}

static double bond_range(const talus_pair *law)
{
	return law->cohesion > 0 ? law->range : 0;
}

static double idle_range(const talus_pair *law)
{
	return law->cohesion > 0 ? 0 : law->range;
}

static double idle_tangential(const talus_pair *law)
{
	return law->friction > 0 || law->static_friction > 0 ? 0 : law->tangential_restitution;
}

static double idle_yield(const talus_pair *law)
{
	return law->restitution > 0 ? 0 : law->yield;
}

// The law of which there is most, the first of several; NULL if there is nothing of it in any.
static const talus_pair *most(const advice_facts *f, double (*of)(const talus_pair *law))
{
	const talus_pair *found = NULL;
	for (int i = 0; i < f->pairs; i++) {
		if (of(&f->pair[i]) > (found ? of(found) : 0))
			found = &f->pair[i];
	}
	return found;
}

typedef struct names {
	char text[2*TALUS_NAME_MAX + 16];
} names;

static names names_of(const advice_facts *f, const talus_pair *law)
{
	names n;
	snprintf(n.text, sizeof n.text, "`%s` and `%s`", f->material[law->a].name, f->material[law->b].name);
	return n;
}

// Impacts slower than 3 gravity dt are taken as inelastic, or heaps would never come to rest. If the step is
// long, that are falls that one can see.
static bool judge_bounces(const advice_facts *f, advice *a)
{
	double slowest = 3*f->gravity*f->step, fall = sqrt(2*f->gravity*f->mean_diameter);
	if (!most(f, bounce) || !(slowest > fall))
		return false;
	return say(a, "restitution_step",
		"the step is too long for restitution: impacts slower than 3 gravity step = %.3g do not "
		"bounce, and the fall over a diameter ends with %.3g; with steps below %.2g it bounces",
		slowest, fall, fall/(3*f->gravity));
}

static bool judge_no_range(const advice_facts *f, advice *a)
{
	const talus_pair *law = most(f, bond_without_range);
	if (!law)
		return false;
	return say(a, "cohesion_range",
		"the `cohesion` of %s has a `range` of 0: a bond has no energy of its own and holds "
		"whatever one step can stop, so that the result depends on the time step",
		names_of(f, law).text);
}

static bool judge_short_range(const advice_facts *f, advice *a)
{
	const talus_pair *law = most(f, bond_stiffness);
	if (!law || f->mean_mass == 0)
		return false;
	double reduced = f->mean_mass/2, pull = law->cohesion*f->step, energy = law->cohesion*law->range;
	double longest = sqrt(2*reduced*law->range/law->cohesion);
	if (!(f->step > longest))
		return false;
	return say(a, "cohesion_step",
		"the step is too long for the `cohesion` of %s: it stops grains of mean mass that "
		"part with an energy of %.2g, more than force times range = %.2g, so that the result depends on "
		"it; steps well below %.2g are better",
		names_of(f, law).text, pull*pull/(2*reduced), energy, longest);
}

static bool judge_long_range(const advice_facts *f, advice *a)
{
	const talus_pair *law = most(f, bond_range);
	if (!law || !(law->range > f->smallest_radius))
		return false;
	return say(a, "long_range",
		"the `range` in the `cohesion` of %s, %.3g, is more than the smallest radius, %.3g: bonds "
		"pull over gaps that have room for other grains",
		names_of(f, law).text, law->range, f->smallest_radius);
}

// Numbers that do nothing because another one is missing.
static int judge_idle(const advice_facts *f, advice *list)
{
	static const struct {
		double (*of)(const talus_pair *law);
		const char *what, *why;
	} idle[] = {{idle_tangential, "`tangential` restitution", "there is no friction between them"},
		{idle_range, "`range` in the `cohesion`", "its `force` is 0"},
		{idle_yield, "`yield`", "there is no normal `restitution` that it could lower"}};
	int count = 0;
	for (size_t i = 0; i < sizeof idle/sizeof idle[0]; i++) {
		const talus_pair *law = most(f, idle[i].of);
		if (!law)
			continue;
		say(&list[count++], "no_effect", "the %s of %s has no effect: %s", idle[i].what, names_of(f, law).text,
			idle[i].why);
	}
	return count;
}

static int judge_laws(const advice_facts *f, advice *list)
{
	int count = 0;
	count += judge_bounces(f, &list[count]);
	count += judge_no_range(f, &list[count]);
	count += judge_short_range(f, &list[count]);
	count += judge_long_range(f, &list[count]);
	return count + judge_idle(f, &list[count]);
}

int advice_warnings(const scene *s, advice list[ADVICE_MAX])
{
	advice_facts facts = {.pairs = s->pairs, .pair = s->pair, .material = s->material};
	return judge_no_range(&facts, list);
}

// ---------------------------------------------------------------- cells that deform

static bool judge_pressure(const advice_facts *f, advice *a)
{
	double overlap = pressed_overlap(f), more = overlap/soft_overlap;
	if (!(overlap > soft_overlap))
		return false;
	return say(a, "pressure_step",
		"the step is long for the stress outside, %.3g: with %d iterations contacts overlap by about %.1e "
		"diameters; steps up to %.2g, or %.0f iterations, make it %g", f->cell.outside, f->iterations, overlap,
		f->step*sqrt(soft_overlap/overlap), ceil(f->iterations*(f->momentum ? sqrt(more) : more)), soft_overlap);
}

static bool judge_inertia(const advice_facts *f, advice *a)
{
	const advice_cell *c = &f->cell;
	double least = least_inertia*c->outside*f->step*f->step, own = f->density*f->extent*f->extent;
	if (c->inertia < least)
		return say(a, "light_cell", "the `inertia` of the cell, %.3g, is below 500 stress step^2 = %.3g, and counts "
			"as that", c->inertia, least);
	if (!(c->outside > 0 && c->inertia > own))
		return false;
	return say(a, "heavy_cell",
		"the cell is heavy: with an `inertia` of %.3g it takes a time of about %.2g to follow its stress; up to "
		"%.2g, a tenth of density times edge^2, grains settle no later for it",
		c->inertia, 2*sqrt(2*c->inertia*fmax(c->closing, 0.1)/c->outside), own/10);
}

static int judge_rate(const advice_facts *f, advice *list)
{
	const advice_cell *c = &f->cell;
	double strain = c->rate*f->step, fall = f->mean_diameter*sqrt(f->density/c->outside), number = c->rate*fall;
	int count = 0;
	if (strain > most_strain)
		say(&list[count++], "strain_step",
			"the cell deforms by %.2g in a step: with steps up to %.2g it is %g",
			strain, most_strain/c->rate, most_strain);
	if (c->outside > 0 && number > collisional)
		say(&list[count++], "inertial_number",
			"the cell is driven fast: the inertial number, rate diameter sqrt(density/stress), is %.2g, and "
			"grains will fly rather than lie on each other; with rates up to %.2g it is %g, and slow flow begins "
			"below 1e-3", number, collisional/fall, collisional);
	if (c->rate > 0 && c->until_rest)
		say(&list[count++], "never_rests",
			"a cell that is driven by a rate does not come to rest: `run.until.rest` will not end this run");
	return count;
}

static bool judge_width(const advice_facts *f, advice *a)
{
	if (!(f->cell.narrowest < f->cell.least))
		return false;
	return say(a, "narrow_cell",
		"the cell will be too narrow: when its grains fill it, it is about %.3g wide, and they need %.3g; take more "
		"grains",
		f->cell.narrowest, f->cell.least);
}

static int judge_cell(const advice_facts *f, advice *list)
{
	int count = judge_pressure(f, list);
	count += judge_inertia(f, &list[count]);
	count += judge_rate(f, &list[count]);
	return count + judge_width(f, &list[count]);
}

// ---------------------------------------------------------------- all of it

int advice_judge(const advice_facts *facts, advice list[ADVICE_MAX])
{
	int count = 0;
	if (facts->grains == 0)
		return 0;
	count += judge_step(facts, &list[count]);
	count += judge_iterations(facts, &list[count]);
	count += judge_pistons(facts, &list[count]);
	count += judge_laws(facts, &list[count]);
	count += judge_cell(facts, &list[count]);
	count += judge_method(facts, &list[count]);
	return count;
}
