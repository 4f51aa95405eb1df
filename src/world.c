// SPDX-License-Identifier: MIT
// A world: create, step, look at, destroy. The step reads as a table of its stages.
#include "world.h"

#include "audit.h"
#include "base/clock.h"
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
#include "shape.h"
#include "observe/observe.h"
#include "solve/solve.h"
#include "wall.h"

#include <assert.h>
#include <string.h>

// ---------------------------------------------------------------- the step

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

static void keep_books(talus_world *world)
{
	double overlap_before = world->report.max_overlap;
	ledger_contacts(world);
	contact_dynamics_remember(world);
	observe_bearing(world);
	observe_walls(world);
	world->report.worst_overlap = fmax(world->report.worst_overlap, world->report.max_overlap);
	if (world->step == 0)
		world->start_overlap = world->report.max_overlap*2*world->mean_radius;
	crush_watch(world, overlap_before);
}

// A small problem is done sooner than threads have met.
static bool worth_a_team(const talus_world *world)
{
	size_t pairs = world->list.count + world->list.wall_count;
	return parallel_threads(world->crew) > 1 && (pairs >= world->team_from || world->bodies.count >= world->team_from/2);
}

// While others want the processors, so is a large one.
static void choose_team(talus_world *world)
{
	bool alone = world->team_from > 0 && world->payoff.alone;
	world->team = worth_a_team(world) && !alone ? world->crew : NULL;
	world->shared += world->team != NULL;
}

static uint64_t visits(const talus_world *world)
{
	return world->report.updates_all + world->audit.updates;
}

// Visits of contacts, and what else a step does, in such visits.
static double work_done(const talus_world *world, uint64_t visits_before)
{
	enum { A_CONTACT = 20, A_GRAIN = 10 };
	return (double)(visits(world) - visits_before) + A_CONTACT*(double)world->contacts.count + A_GRAIN*(double)world->bodies.count;
}

void world_step(talus_world *world)
{
	double start = clock_now();
	uint64_t before = visits(world);
	choose_team(world);
	world->scratch.kicked = false; // before anybody comes or goes: what was noted is about those who were there
	arrivals_and_departures(world);
	for (int w = 0; w < world->walls.count; w++)
		wall_begin_step(&world->walls.at[w], world->time, world->def.step);
	contact_dynamics_free(world);
	if (grid_used_up(world))
		grid_build(world);
	grid_cut(world);
	narrow_begin(world);
	bool audited = audit_due(world);
	world_find_and_solve(world);
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
	if (worth_a_team(world))
		payoff_note(&world->payoff, clock_now() - start, work_done(world, before));
}

talus_step_report talus_world_step(talus_world *world)
{
	world_step(world);
	world_find_residual(world);
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

static bool is_piston(const talus_world *world, uint32_t line)
{
	size_t w = line - world->bodies.count;
	return line >= world->bodies.count && w < (size_t)world->walls.count && wall_is_piston(&world->walls.at[w]);
}

static bool restricted(const talus_world *world, uint32_t line)
{
	return line < world->bodies.count && bodies_partly_locked(&world->bodies, line, world->def.dimension);
}

// Grains that it may push to where there is no way.
static bool stops_piston(const talus_world *world, uint32_t grain)
{
	return (world->bodies.free[grain] & all_translations(world)) == 0;
}

// Where it is free to slide, what friction does depends on its velocity by more than Newton's method can follow if it is light.
static bool is_light(const talus_world *world, const wall *w)
{
	static const double share = 0.1; // of a grain
	double densest = 0;
	for (int m = 0; m < world->materials; m++)
		densest = fmax(densest, world->material[m].density);
	unsigned free = w->def.free & all_translations(world);
	bool slides = (free & (free - 1)) != 0; // in more than one direction
	return wall_is_piston(w) && slides && w->def.mass < share*densest*shape_volume(world->def.dimension, world->mean_radius);
}

static bool goes_one_by_one(const talus_world *world, uint32_t piston, uint32_t grain)
{
	return is_piston(world, piston) && (stops_piston(world, grain) || world->walls.at[piston - world->bodies.count].light);
}

int world_contact_kind(const talus_world *world, uint32_t a, uint32_t b, uint32_t index)
{
	if (world->any_general && (restricted(world, a) || restricted(world, b) || goes_one_by_one(world, a, b)))
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
	} else if (is_piston(world, line)) {
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
	for (int w = 0; w < world->walls.count; w++) {
		world->walls.at[w].light = is_light(world, &world->walls.at[w]);
		world->any_general |= wall_is_piston(&world->walls.at[w]);
	}
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
	world->team_from = world->blocks_from = 1 << 13;
	world->block_size = 1 << 8;
	cell_init(&world->cell, &def->cell);
	world->flows = bath_flows(&def->cell);
	bath_start(world);
	return world;
}

void talus_world_destroy(talus_world *world)
{
	if (!world)
		return;
	parallel_destroy(world->crew);
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
	memory_free(world->scratch.piston);
	workshop_free(world->scratch.workshop);
	memory_free(world->scratch.workshop);
	memory_free(world->list.blocks.pair);
	memory_free(world->list.blocks.wall);
	memory_free(world->list.blocks.name);
	memory_free(world->list.cells);
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
	if (threads == parallel_threads(world->crew))
		return;
	parallel_destroy(world->crew);
	world->crew = world->team = parallel_create(threads);
	world->payoff = (payoff){0};
}

int talus_world_threads(const talus_world *world)
{
	return parallel_threads(world->crew);
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
