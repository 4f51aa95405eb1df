// SPDX-License-Identifier: MIT
// A world: create, step, look at, destroy. The step reads as a table of its stages.
#include "world.h"

#include "audit.h"
#include "base/memory.h"
#include "base/random.h"
#include "bath.h"
#include "body.h"
#include "cell.h"
#include "collide/collide.h"
#include "crush.h"
#include "fill.h"
#include "integrate/integrate.h"
#include "law/law.h"
#include "observe/observe.h"
#include "solve/solve.h"
#include "wall.h"

#include <assert.h>
#include <string.h>
#include <time.h>

// ---------------------------------------------------------------- the step

static double seconds(void)
{
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + 1e-9*(double)now.tv_nsec;
}

static size_t remove_outside(talus_world *world)
{
	return bodies_remove_outside(&world->bodies, &world->def.domain, &world->cell, world->def.dimension, world->team);
}

// Whoever comes brings energy, and whoever goes takes some along.
static void arrivals_and_departures(talus_world *world)
{
	if (!world->def.has_domain && !world->pours)
		return;
	double before = ledger_grains(world);
	size_t gone = world->def.has_domain ? remove_outside(world) : 0;
	bool came = fill_pour(world);
	world->removed += gone;
	world->list.stale |= gone > 0 || came;
	if (gone > 0 || came)
		world->books.added += ledger_grains(world) - before;
}

enum { MASS, MOMENTUM, MOTION = MOMENTUM + 3, KICKS, SPEEDS };

static void add_speeds(void *job, size_t first, size_t last, double *sum)
{
	const talus_world *world = job;
	const bodies *b = &world->bodies;
	for (size_t i = first; i < last; i++) {
		vec3 kick = sub(world->scratch.motion[i].v, b->v[i]);
		double m = b->free[i] ? b->mass[i] : 0;
		sum[MASS] += m;
		for (int k = 0; k < 3; k++)
			sum[MOMENTUM + k] += m*component(b->v[i], k);
		sum[MOTION] += m*dot(b->v[i], b->v[i]);
		sum[KICKS] += m*dot(kick, kick);
	}
}

// Over how many steps loads are to be right in the mean. What is missing in a step is made up for in the next; where grains flow it is a small
// part of their motion. Near rest it would be all of it, and a bed would never come to rest: the window shrinks with the motion, measured by what a
// step gives to free grains, or, where nothing pulls at them, by what contacts give.
static const double least_window = 1e-4;

static double window(const talus_world *world)
{
	double sum[SPEEDS] = {0};
	parallel_reduce(world->team, world->bodies.count, SPEEDS, add_speeds, NULL, (void *)world, sum);
	if (!(sum[MASS] > 0) || world->memory.load == 0) // nothing was there before, nothing is known
		return TALUS_WINDOW;
	vec3 drift = mul(1/sum[MASS], vec(sum[MOMENTUM], sum[MOMENTUM + 1], sum[MOMENTUM + 2]));
	double motion = sqrt(fmax(0, sum[MOTION]/sum[MASS] - dot(drift, drift))), kick = sqrt(sum[KICKS]/sum[MASS]);
	double mean_mass = sum[MASS]/(double)world->bodies.count;
	if (kick > 0)
		return fmax(least_window, fmin(TALUS_WINDOW, motion/kick));
	kick = world->memory.load/mean_mass;
	return kick > 0 ? fmin(TALUS_WINDOW, 1 + motion/kick) : TALUS_WINDOW;
}

talus_problem world_problem(talus_world *world)
{
	contacts *c = &world->contacts;
	talus_problem problem = {.flat = world->def.dimension == 2,
	                       .contacts = c->count, .plain = c->plain, .round = c->round,
	                       .contact = c->contact, .rich = c->rich, .general = c->general,
	                       .flow = world->flows ? &world->flow : NULL,
	                       .bodies = world->bodies.count + (size_t)world->walls.count + c->ghosts,
	                       .motion = world->scratch.motion,
	                       .dt = world->def.step, .memory = world->memory};
	if (problem.contacts >= world->blocks_from)
		problem.boxes = boxes_cut(world, world->block_size);
	if (world->def.solver.stop == TALUS_STOP_ERROR)
		problem.window = window(world);
	if (world->def.solver.stop == TALUS_STOP_ERROR || world->def.solver.kind != TALUS_SOLVER_NSGS)
		problem.coarse = boxes_coarse(world);
	else
		problem.coarse.diameter = 2*world->mean_radius;
	return problem;
}

static talus_solve_report solve(talus_world *world, const talus_solver_def *solver)
{
	double start = seconds();
	if (world->flows)
		bath_prepare(world);
	talus_problem problem = world_problem(world);
	world->scratch.workshop->team = world->team;
	talus_solve_report solved = nsgs_solve(&problem, solver, world->def.step, world->def.seed, world->step,
	                                       world->scratch.workshop);
	talus_step_report *report = &world->report;
	report->iterations = solved.iterations;
	report->iterations_all += (uint64_t)solved.iterations;
	report->updates_all += (uint64_t)solved.iterations*problem.contacts;
	report->residual = solved.residual;
	report->error_overlap = solved.error.overlap;
	report->error_local = solved.error.local;
	report->error_global = solved.error.global;
	report->error_forces = solved.force_error;
	report->paradox_all += solved.paradoxes;
	report->seconds_solver += seconds() - start;
	return solved;
}

// In a cell that follows a stress all collisions hang together through its rates. What a rule leaves undone there may look like energy
// that bounces have made, so they are not judged before it is done.
static talus_solver_def patient(const talus_solver_def *solver)
{
	talus_solver_def more = *solver;
	if (more.stop == TALUS_STOP_ITERATIONS)
		more.iterations = 10*more.iterations;
	else
		more.tolerance = 1e-6*more.tolerance;
	return more;
}

// The same; where bounces have made energy, again with lower ones.
static talus_solve_report solve_softly(talus_world *world, size_t *softened)
{
	talus_solver_def solver = world->def.solver;
	talus_solve_report solved = solve(world, &solver);
	*softened = 0;
	if (!world->any_bounce)
		return solved;
	if (world->flows && impact_soften(world, 0)) {
		solver = patient(&solver);
		contact_dynamics_again(world);
		solved = solve(world, &solver);
	}
	*softened = impact_soften(world, 1);
	for (size_t more = *softened, round = 2; more > 0; round++) {
		contact_dynamics_again(world);
		solved = solve(world, &solver);
		more = impact_soften(world, (int)round);
	}
	return solved;
}

// A single impact must not count for more than it was: the mean at most doubles in a step.
static void remember_solve(talus_world *world, const talus_solve_report *solved)
{
	talus_solve_memory *m = &world->memory;
	double load = fmin(solved->load, TALUS_WINDOW*m->load);
	m->load = m->load > 0 ? m->load + (load - m->load)/TALUS_WINDOW : solved->load;
	m->sweeps = solved->at_once ? 0.5*solved->iterations : solved->iterations;
	m->softness = solved->softness;
	m->unsure = solved->unsure;
	m->believed = solved->believed;
}

static double error_left(const talus_world *world, const talus_solve_report *solved)
{
	switch (world->def.solver.stop) {
	case TALUS_STOP_ERROR: return error_of(&solved->error);
	case TALUS_STOP_FORCES: return solved->force_error;
	default: return solved->residual;
	}
}

static void note_worst(double error, uint64_t step, double *worst, uint64_t *worst_step)
{
	if (error <= *worst)
		return;
	*worst = error;
	*worst_step = step;
}

// How the sweeps of a step have ended, once a step.
static void note_end(talus_world *world, const talus_solve_report *solved)
{
	talus_step_report *r = &world->report;
	double left = error_left(world, solved);
	if (solved->floor) {
		r->floor_all++;
		note_worst(left, world->step + 1, &r->floor_worst, &r->floor_step);
	} else if (!solved->converged) {
		r->capped_all++;
		note_worst(left, world->step + 1, &r->capped_worst, &r->capped_step);
	}
}

// Find the contacts and their impulses. A second round is for what the first one did not foresee: a body that was
// kicked so hard within the step that it meets another one, listed or not.
static void find_and_solve(talus_world *world)
{
	enum { ROUNDS = 16 };
	size_t seen = 0;
	world->report.late = 0;
	world->scratch.kicked = false;
	for (int round = 1;; round++) {
		narrow_find(world);
		seen = round == 1 ? world->contacts.count : seen;
		contact_dynamics_laws(world);
		size_t softened;
		talus_solve_report solved = solve_softly(world, &softened);
		bool overrun = grid_overrun(world);
		size_t late = overrun ? 0 : narrow_late(world);
		bool settled = !overrun && late == 0;
		if (settled || round == ROUNDS) {
			note_end(world, &solved);
			world->report.softened_all += softened;
			world->report.unfinished_all += !settled;
			world->report.late = world->contacts.count > seen ? world->contacts.count - seen : 0;
			remember_solve(world, &solved);
			return;
		}
		narrow_kick(world);
		if (overrun) {
			grid_build(world); // the skin now fits the velocities just found
			narrow_begin(world);
		}
		contact_dynamics_free(world);
	}
}

static void keep_books(talus_world *world)
{
	double overlap_before = world->report.max_overlap;
	ledger_contacts(world);
	contact_dynamics_remember(world);
	observe_bearing(world);
	observe_walls(world);
	observe_overlap(world, &world->report.mean_overlap, &world->report.max_overlap);
	world->report.worst_overlap = fmax(world->report.worst_overlap, world->report.max_overlap);
	if (world->step == 0)
		world->start_overlap = world->report.max_overlap*2*bodies_mean_radius(&world->bodies, world->team);
	crush_watch(world, overlap_before);
}

talus_step_report talus_world_step(talus_world *world)
{
	arrivals_and_departures(world);
	for (int w = 0; w < world->walls.count; w++)
		wall_begin_step(&world->walls.at[w], world->time, world->def.step);
	contact_dynamics_free(world);
	if (grid_used_up(world))
		grid_build(world);
	narrow_begin(world);
	bool audited = audit_due(world);
	find_and_solve(world);
	if (audited)
		audit_step(world);
	keep_books(world);
	contact_dynamics_advance(world);

	world->step++;
	world->time = (double)world->step*world->def.step;
	world->report.step = world->step;
	world->report.time = world->time;
	world->report.grains = world->bodies.count;
	world->report.removed = world->removed;
	world->report.contacts = world->contacts.count;
	return world->report;
}

// ---------------------------------------------------------------- what the stages ask

static unsigned all_translations(const talus_world *world)
{
	return TALUS_FREE_X | TALUS_FREE_Y | (world->def.dimension == 3 ? TALUS_FREE_Z : 0u);
}

vec3 world_inverse_mass(const talus_world *world, uint32_t line)
{
	size_t grains = world->bodies.count;
	double inverse = world->scratch.motion[line].inv_m;
	if (inverse == 0)
		return vec(0, 0, 0);
	unsigned free = line < grains ? world->bodies.free[line] : world->walls.at[line - grains].def.free;
	free &= all_translations(world);
	return vec(free & TALUS_FREE_X ? inverse : 0, free & TALUS_FREE_Y ? inverse : 0, free & TALUS_FREE_Z ? inverse : 0);
}

static bool restricted(const talus_world *world, uint32_t line)
{
	size_t grains = world->bodies.count;
	if (line < grains)
		return bodies_partly_locked(&world->bodies, line, world->def.dimension);
	return line - grains < (size_t)world->walls.count && wall_is_piston(&world->walls.at[line - grains]);
}

int world_contact_kind(const talus_world *world, uint32_t a, uint32_t b, uint32_t index)
{
	if (world->any_general && (restricted(world, a) || restricted(world, b)))
		return GENERAL;
	return world->flows || (world->any_rich && law_is_rich(world_pair(world, a, b, index))) ? RICH : PLAIN;
}

// What is prescribed has had this velocity all along.
talus_motion world_before(const talus_world *world, uint32_t line)
{
	const bodies *b = &world->bodies;
	talus_motion before = world->scratch.motion[line];
	size_t grains = b->count;
	if (line < grains) {
		before.v = b->v[line];
		before.s = mul(b->radius[line], b->spin[line]);
	} else if (line - grains < (size_t)world->walls.count && wall_is_piston(&world->walls.at[line - grains])) {
		before.v = world->walls.at[line - grains].v;
	}
	return before;
}

void world_reserve_motion(talus_world *world, size_t needed)
{
	scratch *s = &world->scratch;
	if (needed < s->motion_capacity)
		return;
	size_t capacity = memory_capacity(s->motion_capacity, needed + 1);
	s->motion = memory_grow(s->motion, s->motion_capacity*sizeof *s->motion, capacity*sizeof *s->motion);
	s->motion_capacity = capacity;
}

static double longest_range(const talus_world *world)
{
	double range = 0;
	for (int i = 0; i < world->materials*world->materials; i++)
		range = fmax(range, world->pair[i].cohesion > 0 ? world->pair[i].range : 0);
	return range;
}

double world_least_width(const talus_world *world)
{
	double diameter = 0, range = longest_range(world);
	for (size_t i = 0; i < world->bodies.count; i++)
		diameter = fmax(diameter, 2*world->bodies.radius[i]);
	return range > 0 ? fmax(2.5*diameter, 2*(diameter + range)) : 2.5*diameter;
}

int world_narrow(const talus_world *world)
{
	double least = world_least_width(world);
	for (int k = 0; k < 3; k++)
		if (world->cell.periodic[k] && cell_height(&world->cell, k) < least)
			return k;
	return -1;
}

static bool held(const talus_world *world, unsigned free)
{
	return (~free & (all_translations(world) | TALUS_FREE_SPIN)) != 0;
}

void world_refresh(talus_world *world)
{
	world->any_general = world->any_rich = world->any_bounce = world->any_held = false;
	for (size_t i = 0; i < world->bodies.count; i++) {
		world->any_general |= bodies_partly_locked(&world->bodies, i, world->def.dimension);
		world->any_held |= held(world, world->bodies.free[i]);
	}
	for (int w = 0; w < world->walls.count; w++)
		world->any_general |= wall_is_piston(&world->walls.at[w]);
	for (int i = 0; i < world->materials*world->materials; i++) {
		const talus_pair *law = &world->pair[i];
		world->any_rich |= law_is_rich(law);
		world->any_bounce |= law->restitution > 0 || law->tangential_restitution > 0;
	}
	world->margin = fmax(0.01*world->mean_radius, 2.02*longest_range(world)); // bonds need not be looked for
}

// ---------------------------------------------------------------- making a world

// What is 0 and cannot be meant so has its default. `auto` has a rule of its own unless it is given another one.
static talus_solver_def solver_completed(talus_solver_def s)
{
	bool silent = s.stop == TALUS_STOP_ITERATIONS && s.iterations == 0;
	if (s.kind == TALUS_SOLVER_AUTO && silent)
		s.stop = TALUS_STOP_ERROR;
	if ((s.stop == TALUS_STOP_ERROR || s.stop == TALUS_STOP_FORCES) && s.tolerance == 0)
		s.tolerance = 0.01;
	s.iterations = s.iterations ? s.iterations : 100;
	bool soon = s.kind == TALUS_SOLVER_AUTO && s.stop != TALUS_STOP_FORCES;
	s.max_iterations = s.max_iterations ? s.max_iterations : soon ? 1000 : 10000;
	s.relaxation = s.relaxation > 0 ? s.relaxation : 1;
	return s;
}

talus_world_def talus_world_def_default(void)
{
	return (talus_world_def){.dimension = 3,
	                         .seed = 1,
	                         .step = 0.01,
	                         .solver = solver_completed((talus_solver_def){.kind = TALUS_SOLVER_AUTO, .cutoff = -1,
	                                                                .audit = 0.03})};
}

talus_grain_def talus_grain_def_default(void)
{
	return (talus_grain_def){.radius = 1, .free = TALUS_FREE_ALL};
}

talus_wall_def talus_wall_def_default(talus_wall_kind kind)
{
	return (talus_wall_def){.kind = kind, .axis = {0, 0, 1}, .radius = 1, .angle = 45, .last = 1, .inside = true};
}

talus_world *talus_world_create(const talus_world_def *def)
{
	assert(def->dimension == 2 || def->dimension == 3);
	assert(def->step > 0);
	assert(def->dimension == 3 || (def->gravity.z == 0 && !def->cell.periodic[2]));
	talus_world *world = memory_grow(NULL, 0, sizeof *world);
	memset(world, 0, sizeof *world);
	world->def = *def;
	world->def.solver = solver_completed(def->solver);
	world->list.stale = true;
	world->scratch.workshop = memory_grow(NULL, 0, sizeof(workshop));
	memset(world->scratch.workshop, 0, sizeof(workshop));
	world->blocks_from = 1 << 16;
	world->block_size = 1 << 12;
	cell_init(&world->cell, &def->cell);
	world->flows = bath_flows(&def->cell);
	bath_start(world);
	return world;
}

void talus_world_destroy(talus_world *world)
{
	if (!world)
		return;
	parallel_destroy(world->team);
	bodies_free(&world->bodies);
	contacts_free(&world->contacts);
	grid_free(world->list.grid);
	memory_free(world->list.pair);
	memory_free(world->list.state);
	memory_free(world->list.wall);
	memory_free(world->list.wall_state);
	memory_free(world->walls.at);
	memory_free(world->material);
	memory_free(world->pair);
	memory_free(world->pour);
	memory_free(world->scratch.motion);
	workshop_free(world->scratch.workshop);
	memory_free(world->scratch.workshop);
	memory_free(world->scratch.box);
	memory_free(world->scratch.coarse);
	memory_free(world->scratch.bearing);
	memory_free(world->scratch.kick);
	memory_free(world->scratch.pool.block);
	memory_free(world);
}

bool talus_world_set_simd(talus_world *world, talus_simd simd)
{
	const kernel *wanted = kernel_named(simd);
	if (wanted)
		world->scratch.workshop->kernel = wanted;
	return wanted != NULL;
}

const char *talus_world_simd(const talus_world *world)
{
	const kernel *chosen = world->scratch.workshop->kernel;
	return chosen ? chosen->name : kernel_best()->name;
}

void talus_world_set_threads(talus_world *world, int threads)
{
	assert(threads >= 1);
	if (threads == parallel_threads(world->team))
		return;
	parallel_destroy(world->team);
	world->team = parallel_create(threads);
}

int talus_world_threads(const talus_world *world)
{
	return parallel_threads(world->team);
}

void world_add_materials(talus_world *world, const talus_material *list, int count)
{
	int n = world->materials, m = n + count;
	talus_pair *fresh = memory_grow(NULL, 0, (size_t)m*(size_t)m*sizeof *fresh);
	for (int a = 0; a < m; a++)
		for (int b = 0; b < m; b++)
			fresh[a*m + b] = a < n && b < n ? world->pair[a*n + b] : (talus_pair){.a = a, .b = b};
	memory_free(world->pair);
	world->pair = fresh;
	world->material = memory_grow(world->material, (size_t)n*sizeof *world->material, (size_t)m*sizeof *world->material);
	memcpy(&world->material[n], list, (size_t)count*sizeof *list);
	world->materials = m;
}

int talus_world_add_material(talus_world *world, const char *name, double density)
{
	assert(density > 0);
	talus_material material = {.density = density};
	strncpy(material.name, name, TALUS_NAME_MAX - 1);
	world_add_materials(world, &material, 1);
	return world->materials - 1;
}

void talus_world_set_pair(talus_world *world, const talus_pair *law)
{
	assert(law->a >= 0 && law->a < world->materials && law->b >= 0 && law->b < world->materials);
	assert(law->friction >= 0 && law->static_friction >= 0);
	assert(law->restitution >= 0 && law->restitution <= 1);
	assert(law->tangential_restitution >= 0 && law->tangential_restitution <= 1);
	assert(law->yield >= 0);
	assert(law->rolling >= 0 && law->torsion >= 0 && law->rolling_length >= 0 && law->torsion_length >= 0);
	assert(law->cohesion >= 0 && law->range >= 0);
	world->pair[law->a*world->materials + law->b] = *law;
	world->pair[law->b*world->materials + law->a] = *law;
	world->list.stale = true;
}

int talus_world_add_wall(talus_world *world, const talus_wall_def *def)
{
	assert(def->material >= 0 && def->material < world->materials);
	assert(def->mass == 0 || def->spin == 0); // a piston does not turn
	assert(world->def.dimension == 3 || def->kind != TALUS_WALL_CONE);
	assert(world->def.dimension == 3 || def->kind != TALUS_WALL_PLANE || def->axis.z == 0);
	walls *w = &world->walls;
	if (w->count == w->capacity) {
		int capacity = w->capacity ? 2*w->capacity : 8;
		w->at = memory_grow(w->at, (size_t)w->count*sizeof *w->at, (size_t)capacity*sizeof *w->at);
		w->capacity = capacity;
	}
	wall_init(&w->at[w->count], def);
	wall_find_images(&w->at[w->count], &world->cell);
	world->list.stale = true;
	return w->count++;
}

uint32_t talus_world_add_grain(talus_world *world, const talus_grain_def *def)
{
	assert(def->material >= 0 && def->material < world->materials && def->radius > 0);
	assert(world->def.dimension == 3 || (def->at.z == 0 && def->velocity.z == 0));
	assert(world->bodies.next_id < BODIES_IDS);
	world->list.stale = true;
	return bodies_add(&world->bodies, def, world->def.dimension, world->material[def->material].density);
}

// ---------------------------------------------------------------- looking at it

double talus_world_time(const talus_world *world)
{
	return world->time;
}

talus_grains talus_world_grains(const talus_world *world)
{
	const bodies *b = &world->bodies;
	return (talus_grains){.count = b->count, .id = b->id, .x = b->x, .v = b->v, .spin = b->spin, .radius = b->radius,
	                      .mass = b->mass, .orientation = (const double(*)[4])b->q, .material = b->material};
}

int talus_world_walls(const talus_world *world)
{
	return world->walls.count;
}

talus_wall_state talus_world_wall(const talus_world *world, int index)
{
	assert(index >= 0 && index < world->walls.count);
	const wall *w = &world->walls.at[index];
	return (talus_wall_state){w->def.name, w->point, w->v, w->force, w->torque};
}

size_t talus_world_contacts(const talus_world *world)
{
	return world->contacts.count;
}

talus_contact_state talus_world_contact(const talus_world *world, size_t index)
{
	assert(index < world->contacts.count);
	const talus_contact *c = &world->contacts.contact[index];
	const contact_info *info = &world->contacts.info[index];
	const bodies *b = &world->bodies;
	vec3 q = index < world->contacts.plain ? vec(0, 0, 0) : world->contacts.rich[index - world->contacts.plain].q;
	return (talus_contact_state){.a = contacts_body_a(info->key), .b = contacts_body_b(info->key), .n = c->n,
	                             .at = mul_add(b->x[c->b], -b->radius[c->b], c->n), .gap = info->gap,
	                             .force = mul(1/world->def.step, c->p), .torque = mul(1/world->def.step, q),
	                             .bonded = info->marks & CONTACT_BONDED};
}

// A sum over grains, so that the order in which they are stored does not matter.
static uint64_t hash_bits(uint64_t hash, const void *data, size_t size)
{
	for (size_t k = 0; k < size; k += 8) {
		uint64_t word;
		memcpy(&word, (const char *)data + k, 8);
		hash = random_mix(hash ^ word) + 0x9e3779b97f4a7c15u;
	}
	return hash;
}

// What a contact will remember beside its impulse.
static uint64_t hash_past(const talus_world *world, size_t i)
{
	vec3 q = world->contacts.rich[i - world->contacts.plain].q;
	uint64_t marks = world->contacts.info[i].marks;
	if (is_zero(q) && marks == 0)
		return 0;
	return hash_bits(hash_bits(random_mix(world->contacts.info[i].key), &q, sizeof q), &marks, sizeof marks);
}

uint64_t talus_world_hash(const talus_world *world)
{
	const bodies *b = &world->bodies;
	uint64_t sum = 0;
	for (size_t i = 0; i < b->count; i++) {
		uint64_t hash = random_mix(b->id[i] + 1);
		hash = hash_bits(hash, &b->x[i], sizeof b->x[i]);
		hash = hash_bits(hash, &b->v[i], sizeof b->v[i]);
		hash = hash_bits(hash, &b->spin[i], sizeof b->spin[i]);
		hash = hash_bits(hash, &b->q[i], sizeof b->q[i]);
		sum += hash_bits(hash, &b->radius[i], sizeof b->radius[i]);
	}
	for (size_t i = world->contacts.plain; i < world->contacts.count; i++)
		sum += hash_past(world, i);
	if (world->flows)
		sum += hash_bits(hash_bits(1, world->cell.h, sizeof world->cell.h), world->cell.rate, sizeof world->cell.rate);
	for (int w = 0; w < world->walls.count; w++) {
		uint64_t hash = hash_bits((uint64_t)w + 1, &world->walls.at[w].shift, sizeof(vec3));
		sum += hash_bits(hash, &world->walls.at[w].v, sizeof(vec3));
	}
	for (size_t i = 0; i < world->contacts.count; i++) {
		uint64_t hash = random_mix(world->contacts.info[i].key);
		sum += hash_bits(hash, &world->contacts.contact[i].p, sizeof(vec3));
	}
	return random_mix(sum ^ random_mix(world->step) ^ random_mix(world->removed + 1));
}
