// SPDX-License-Identifier: MIT
// Advice about a scene. Iterations spread forces like diffusion with D = q N_I d^2/dt (Unger & Kertesz 2003): a
// packing of extent L is rigid when l = sqrt(4 D dt) reaches over it; below that a contact is a spring that gives way by
// f dt^2/(q m N_I).
// A bond of force F and range d costs the energy F d. But one step stops whatever parts with less than F dt/m, m
// the reduced mass, as if the bond cost (F dt)^2/(2 m). That is more, and the step counts, if dt > sqrt(2 m d/F).
// In a cell under the pressure P a contact carries about f = P d^(D-1) and overlaps by f dt^2/(q m N_I) (Shaebani,
// Unger & Kertesz 2009). The cell falls together in sqrt(2 M ln(L/L_end)/P) and takes about as long again to settle;
// lighter than a tenth of density times L_end^2 it only waits for its grains (100 disks, M from 1e-2 to 1e5).
#include "io/advice.h"

#include "solve/solve.h"
#include "state/limits.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static const double most_shift = 0.1;  // of the smallest radius, in one step
static const double bounce_shift = 0.02; // the same, if bounces are to come in time
static const double soft_overlap = 1e-3; // of a diameter: what a pressure may do
static const double most_strain = 0.01;  // of a cell, in one step
static const double collisional = 0.1;   // inertial number above which a sheared packing is a gas rather than a dense flow
static const double most_at_once = 0.6;  // of an update, if all contacts get theirs at once
static const double mass_ratio = 1000;   // of two grains; sweeps hand on momentum in portions of the lighter one's mass
static const double heavy_piston = 100;  // times all that it may rest on
static const double light_piston = 1e-3; // of a grain
// The same for `auto`, as far as it was tried: of two grains, 200 to 50 times as large; of a piston and a grain; of a piston and all grains.
static const double careful_ratio = 1e5, careful_piston = 1e7, careful_share = 1000;

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

// More than the limit, and not only in digits that nobody is told.
static bool beyond(double value, double limit)
{
	return value > 1.05*limit;
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

static double bounce(const talus_pair *law)
{
	return fmax(law->restitution, law->tangential_restitution);
}

// A bounce begins with the step in which it is seen: it is up to a step early or late, and erratic.
static bool judge_bounce_times(const advice_facts *f, double shift, advice *a)
{
	if (!most(f, bounce) || !beyond(shift, bounce_shift))
		return false;
	return say(a, "bounce_step",
		"bounces are up to a step early or late: at the largest expected speed, %.3g, that is %.2g of the smallest radius; with "
		"steps up to %.2g it is %g, and the error of heights and times falls in proportion",
		f->speed, shift, bounce_shift*f->smallest_radius/f->speed, bounce_shift);
}

static bool judge_step(const advice_facts *f, advice *a)
{
	double shift = f->speed*f->step/f->smallest_radius;
	char cause[TALUS_NAME_MAX + 64] = "";
	if (!beyond(shift, most_shift))
		return judge_bounce_times(f, shift, a);
	if (f->fall > 0)
		snprintf(cause, sizeof cause, " (free fall over %.3g)", f->fall);
	else if (f->thrown)
		snprintf(cause, sizeof cause, " (the `velocity` of a pour)");
	else if (f->pusher && *f->pusher)
		snprintf(cause, sizeof cause, " (piston `%s` under its force and weight)", f->pusher);
	else if (f->pusher)
		snprintf(cause, sizeof cause, " (a grain under its `force`)");
	return say(a, "long_step",
		"the step is long: at the largest expected speed, %.3g%s, a grain moves %.2g of the smallest radius "
		"in one step of %g; with steps up to %.2g it is %g",
		f->speed, cause, shift, f->step, most_shift*f->smallest_radius/f->speed, most_shift);
}

static double stress_outside(const advice_facts *f)
{
	return fmax(f->cell.outside, f->piston_stress);
}

// Of a contact that carries the stress outside, over the diameter.
static double pressed_overlap(const advice_facts *f)
{
	double force = stress_outside(f)*pow(f->mean_diameter, f->dimension - 1);
	double give = f->step*f->step/(f->q*f->mean_mass*f->iterations);
	return force > 0 && f->mean_mass > 0 ? force*give/f->mean_diameter : 0;
}

static bool judge_iterations(const advice_facts *f, advice *a)
{
	double length = f->extent/f->mean_diameter;
	double needed = f->momentum ? length/momentum_reach : length*length/(4*f->q);
	if (f->iterations > needed)
		return false;
	double weighed = f->gravity*length*f->step*f->step/(f->q*f->iterations)/f->mean_diameter;
	double pressed = pressed_overlap(f);
	a->code = "few_iterations";
	int used = snprintf(a->message, sizeof a->message,
		"%s%d iterations per step are too few for rigid grains: to reach across %.3g diameters takes more than %.0f",
		f->capped ? "at most " : "", f->iterations, length, needed);
	if (weighed + pressed > 0)
		snprintf(a->message + used, sizeof a->message - (size_t)used,
			"; with fewer, each contact acts as a spring and overlaps by about %.1e diameters under the %s",
			fmax(weighed, pressed), weighed > pressed ? "weight of all" : "stress outside");
	return true;
}

// Each contact makes good for the whole of an error that its neighbours make good for as well.
static bool judge_order(const advice_facts *f, advice *a)
{
	if (!(f->jacobi > most_at_once))
		return false;
	return say(a, "parallel_order",
		"`order: parallel` with a `relaxation` of %.3g is likely to diverge where grains have several contacts: about 0.5 converges, and the "
		"other orders need none", f->jacobi);
}

// Its velocity is what is left of large forces, over its mass.
static bool judge_light(const advice_facts *f, advice *a)
{
	if (!(f->lightest_piston < light_piston*f->mean_mass))
		return false;
	return say(a, "light_piston",
		"a piston of mass %.3g has %.2g of the mass of a grain: a small error of the forces on it makes it fast, above all in directions in "
		"which only friction holds it; a thousandth of a grain's mass acts like none", f->lightest_piston, f->lightest_piston/f->mean_mass);
}

// The last sweeps to arrive are those of the heaviest: until then it comes back from what should stop it.
static int judge_masses(const advice_facts *f, advice *list)
{
	int count = 0;
	double with_care = fmin(careful_piston*f->mean_mass, careful_share*f->all_mass), heavy = heavy_piston*f->all_mass;
	if (f->heaviest_piston > (f->careful ? fmax(with_care, heavy) : heavy))
		say(&list[count++], "heavy_piston",
			"a piston of mass %.3g has %.2g times the mass of all grains together: it takes many iterations to stop it; with "
			"too few it bounces or sinks in; a `force` instead of the mass presses just as hard",
			f->heaviest_piston, f->heaviest_piston/f->all_mass);
	if (f->heaviest_grain > (f->careful ? careful_ratio : mass_ratio)*f->lightest_grain)
		say(&list[count++], "mass_ratio",
			"the heaviest grain has %.2g times the mass of the lightest: where they meet it takes many iterations until forces are "
			"right, and with too few the heavy one bounces or sinks in; watch the errors in the log, or allow more iterations",
			f->heaviest_grain/f->lightest_grain);
	return count;
}

// Grains fall out of the region of a pour in some time, and by then it must have had room for all that came.
static bool judge_pour(const advice_facts *f, advice *a)
{
	char rate[32] = "";
	if (!beyond(f->pour_share, f->pour_limit))
		return false;
	if (f->pour_rate > 0)
		snprintf(rate, sizeof rate, ", or a rate up to %.2g", f->pour_rate);
	return say(a, "pour_rate",
		"grains are poured faster than they leave the region: at this `rate` it would hold %.2g of its volume, and random places "
		"can be counted on for %.2g of it, so that grains may come later; a larger region%s a `velocity`%s would do",
		f->pour_share, f->pour_limit, *rate ? "," : " or", rate);
}

static bool judge_domain(const advice_facts *f, advice *a)
{
	if (!(f->outside_domain > 0))
		return false;
	return say(a, "outside_domain", "%.0f of %.0f grains start outside of the `domain`, and are removed at once", f->outside_domain,
		f->grains);
}

static bool judge_fall(const advice_facts *f, advice *a)
{
	if (!f->uncaught)
		return false;
	return say(a, f->rest_alone ? "never_rests" : "no_floor",
		"nothing stops the grains: there is gravity, but no wall below them and no `domain` to leave, so they fall "
		"for ever%s", f->rest_alone ? ", and `run.until.rest` will not end this run" : "");
}

static int judge_end(const advice_facts *f, advice *list)
{
	int count = 0;
	if (f->end_time > 0 && f->end_time < f->step)
		say(&list[count++], "short_run", "`run.until.time`, %g, is less than a step of %g: the run takes %s", f->end_time,
			f->step, f->end_time > f->step/2 ? "one step" : "no step");
	count += judge_domain(f, &list[count]);
	count += judge_fall(f, &list[count]);
	if (f->restless)
		say(&list[count++], "never_rests", "wall `%s` never comes to rest, and grains that it moves do not: `run.until.rest` may "
			"not end this run", f->restless);
	if (f->driven)
		say(&list[count++], "never_rests", "a grain that keeps its velocity or spin never comes to rest, and grains that it moves "
			"do not: `run.until.rest` may not end this run");
	return count;
}

// ---------------------------------------------------------------- laws between materials

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
	double slowest = REST_KICKS*f->gravity*f->step, fall = sqrt(2*f->gravity*f->mean_diameter);
	if (!most(f, bounce) || !(slowest > fall))
		return false;
	return say(a, "restitution_step",
		"the step is too long for restitution: impacts slower than %d gravity step = %.3g are taken as inelastic, "
		"and a fall over one diameter ends with %.3g; with steps below %.2g it bounces",
		REST_KICKS, slowest, fall, fall/(REST_KICKS*f->gravity));
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
	if (!beyond(overlap, soft_overlap))
		return false;
	return say(a, "pressure_step",
		"the step is long for the stress %s, %.3g: with %d iterations per step contacts overlap by about %.1e "
		"diameters; with steps up to %.2g, or with %.0f iterations, it is %g", f->piston_stress > f->cell.outside ? "of a piston" : "outside",
		stress_outside(f), f->iterations, overlap,
		f->step*sqrt(soft_overlap/overlap), ceil(f->iterations*(f->momentum ? sqrt(more) : more)), soft_overlap);
}

static bool judge_inertia(const advice_facts *f, advice *a)
{
	const advice_cell *c = &f->cell;
	double least = CELL_DRIVE_LIGHTEST*c->outside*f->step*f->step, own = f->density*f->extent*f->extent;
	if (c->inertia < least)
		return say(a, "light_cell", "the `inertia` of the cell, %.3g, is below %d stress step^2 = %.3g, and counts "
			"as that", c->inertia, CELL_DRIVE_LIGHTEST, least);
	if (!(c->outside > 0 && c->inertia > own))
		return false;
	return say(a, "heavy_cell",
		"the cell is heavy: with an `inertia` of %.3g it takes a time of about %.2g to follow its stress; up to "
		"%.2g, a tenth of density times edge^2, it does not delay the grains",
		c->inertia, 2*sqrt(2*c->inertia*fmax(c->closing, 0.1)/c->outside), own/10);
}

static int judge_rate(const advice_facts *f, advice *list)
{
	const advice_cell *c = &f->cell;
	double strain = c->rate*f->step, fall = f->mean_diameter*sqrt(f->density/c->outside), number = c->rate*fall;
	int count = 0;
	if (beyond(strain, most_strain))
		say(&list[count++], "strain_step",
			"the cell deforms by %.2g in a step: with steps up to %.2g it is %g",
			strain, most_strain/c->rate, most_strain);
	if (c->outside > 0 && beyond(number, collisional))
		say(&list[count++], "inertial_number",
			"the cell is driven fast: the inertial number, rate diameter sqrt(density/stress), is %.2g, and "
			"the grains form a gas rather than a dense flow; with rates up to %.2g it is %g, and slow flow begins "
			"below 1e-3", number, collisional/fall, collisional);
	if (c->rate > 0 && c->until_rest)
		say(&list[count++], "never_rests",
			"a cell that is driven by a rate does not come to rest: `run.until.rest` will not end this run");
	return count;
}

static bool judge_width(const advice_facts *f, advice *a)
{
	if (f->cell.at_end < f->cell.least)
		return say(a, "narrow_cell",
			"the cell will be too narrow: at its `rate` it is %.3g wide at the end of the run, edge exp(rate time), and its grains "
			"need %.3g; end earlier, or take a larger cell", f->cell.at_end, f->cell.least);
	if (!(f->cell.narrowest < f->cell.least))
		return false;
	return say(a, "narrow_cell",
		"the cell will be too narrow: when its grains fill it, it is about %.3g wide, and they need %.3g; take more "
		"grains",
		f->cell.narrowest, f->cell.least);
}

static double bond(const talus_pair *law)
{
	return law->cohesion;
}

// Grains without bonds cannot hold a pull: nothing stops the cell.
static bool judge_tension(const advice_facts *f, advice *a)
{
	if (!(f->cell.tension > 0) || most(f, bond))
		return false;
	return say(a, "tension",
		"a normal `stress` of %.3g pulls at the cell, and without `cohesion` nothing holds its grains together: it will fly "
		"apart; compression is positive", -f->cell.tension);
}

static int judge_cell(const advice_facts *f, advice *list)
{
	int count = judge_pressure(f, list);
	count += judge_inertia(f, &list[count]);
	count += judge_rate(f, &list[count]);
	count += judge_tension(f, &list[count]);
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
	count += judge_order(facts, &list[count]);
	count += judge_light(facts, &list[count]);
	count += judge_masses(facts, &list[count]);
	count += judge_pour(facts, &list[count]);
	count += judge_laws(facts, &list[count]);
	count += judge_cell(facts, &list[count]);
	return count + judge_end(facts, &list[count]);
}
