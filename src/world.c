// SPDX-License-Identifier: MIT
// A world: create, step, look at, destroy. The step reads as a table of its stages.
#include "world.h"

#include "method/audit.h"
#include "base/clock.h"
#include "base/memory.h"
#include "base/random.h"
#include "state/cell_drive.h"
#include "state/bodies.h"
#include "state/cell.h"
#include "collide/collide.h"
#include "method/crush.h"
#include "method/contact_dynamics.h"
#include "law/law.h"
#include "account/account.h"
#include "solve/solve.h"
#include "state/wall.h"

#include <assert.h>
#include <string.h>

// ---------------------------------------------------------------- the step

static size_t remove_outside(talus_world *world)
{
	return bodies_remove_outside(&world->state.bodies, &world->state.def.domain, &world->state.cell, world->state.def.dimension, world->state.team);
}

static double grain_energy(const talus_world *world)
{
	energies e = account_grains(&world->state);
	return e.kinetic + e.potential;
}

// Whoever comes brings energy, and whoever goes takes some along.
static void arrivals_and_departures(talus_world *world)
{
	if (!world->state.def.has_domain && !world->pours.count)
		return;
	double before = grain_energy(world);
	size_t gone = world->state.def.has_domain ? remove_outside(world) : 0;
	bool came = pours_arrive(&world->pours, &world->state, &world->report.waiting_most);
	world->removed += gone;
	world->list.stale |= gone > 0 || came;
	if (gone > 0 || came)
		world->energy.added += grain_energy(world) - before;
}

static void keep_accounts(talus_world *world)
{
	double overlap_before = world->report.max_overlap;
	energy_account_contacts(world);
	contact_dynamics_remember(world);
	bearing_count(&world->bearing, &world->state, &world->contacts);
	account_walls(world);
	world->report.worst_overlap = fmax(world->report.worst_overlap, world->report.max_overlap);
	if (world->state.step == 0)
		world->start_overlap = world->report.max_overlap*2*world->state.mean_radius;
	crush_watch(world, overlap_before);
}

// A small problem is done sooner than threads have met.
static bool worth_a_team(const talus_world *world)
{
	size_t pairs = world->list.count + world->list.wall_count;
	return parallel_threads(world->crew) > 1 && (pairs >= world->team_from || world->state.bodies.count >= world->team_from/2);
}

// While others want the processors, so is a large one.
static void choose_team(talus_world *world)
{
	bool alone = world->team_from > 0 && world->payoff.alone;
	world->state.team = worth_a_team(world) && !alone ? world->crew : NULL;
	world->shared += world->state.team != NULL;
}

static uint64_t visits(const talus_world *world)
{
	return world->report.updates_all + world->audit.updates;
}

// Visits of contacts, and what else a step does, in such visits.
static double work_done(const talus_world *world, uint64_t visits_before)
{
	enum { A_CONTACT = 20, A_GRAIN = 10 };
	return (double)(visits(world) - visits_before) + A_CONTACT*(double)world->contacts.count + A_GRAIN*(double)world->state.bodies.count;
}

void world_step(talus_world *world)
{
	double start = clock_now();
	uint64_t before = visits(world);
	choose_team(world);
	world->approach.kicked = false; // before anybody comes or goes: what was noted is about those who were there
	arrivals_and_departures(world);
	for (int w = 0; w < world->state.walls.count; w++)
		wall_begin_step(&world->state.walls.at[w], world->state.time, world->state.def.step);
	contact_dynamics_predict(world);
	if (grid_used_up(&world->state, &world->approach, &world->list))
		grid_build(&world->state, &world->approach, &world->list);
	grid_cut(&world->state, &world->list);
	narrow_begin(&world->state, &world->list);
	bool audited = audit_due(world);
	world_find_and_solve(world);
	if (audited)
		audit_step(world);
	keep_accounts(world);
	contact_dynamics_advance(world);

	world->state.step++;
	world->state.time = (double)world->state.step*world->state.def.step;
	world->report.step = world->state.step;
	world->report.time = world->state.time;
	world->report.grains = world->state.bodies.count;
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
	world->state.def = *def;
	world->state.def.solver = solver_completed(def->solver);
	world->list.stale = true;
	world->state.pool = &world->scratch.pool;
	world->approach.rate = world->flow.rate;
	world->scratch.solver_workspace = memory_grow(NULL, 0, sizeof(solver_workspace));
	memset(world->scratch.solver_workspace, 0, sizeof(solver_workspace));
	world->team_from = world->list.blocks_from = 1 << 13;
	world->list.block_size = 1 << 8;
	cell_init(&world->state.cell, &def->cell);
	world->state.flows = cell_drive_deforms(&def->cell);
	cell_drive_start(&world->state);
	return world;
}

void talus_world_destroy(talus_world *world)
{
	if (!world)
		return;
	parallel_destroy(world->crew);
	bodies_free(&world->state.bodies);
	contacts_free(&world->contacts);
	pairs_free(&world->list);
	approach_free(&world->approach);
	pours_free(&world->pours);
	memory_free(world->state.walls.at);
	memory_free(world->state.material);
	memory_free(world->state.pair);
	memory_free(world->scratch.piston);
	solver_workspace_free(world->scratch.solver_workspace);
	memory_free(world->scratch.solver_workspace);
	memory_free(world->scratch.coarse);
	memory_free(world->bearing.at);
	memory_free(world->scratch.pool.block);
	memory_free(world);
}

bool talus_world_set_simd(talus_world *world, talus_simd simd)
{
	const kernel *wanted = kernel_named(simd);
	if (wanted)
		world->scratch.solver_workspace->kernel = wanted;
	return wanted != NULL;
}

const char *talus_world_simd(const talus_world *world)
{
	const kernel *chosen = world->scratch.solver_workspace->kernel;
	return chosen ? chosen->name : kernel_best()->name;
}

void talus_world_set_threads(talus_world *world, int threads)
{
	assert(threads >= 1);
	if (threads == parallel_threads(world->crew))
		return;
	parallel_destroy(world->crew);
	world->crew = world->state.team = parallel_create(threads);
	world->payoff = (payoff){0};
}

int talus_world_threads(const talus_world *world)
{
	return parallel_threads(world->crew);
}

int talus_world_add_material(talus_world *world, const char *name, double density)
{
	assert(density > 0);
	talus_material material = {.density = density};
	strncpy(material.name, name, TALUS_NAME_MAX - 1);
	state_add_materials(&world->state, &material, 1);
	return world->state.materials - 1;
}

void talus_world_set_pair(talus_world *world, const talus_pair *law)
{
	assert(law->a >= 0 && law->a < world->state.materials && law->b >= 0 && law->b < world->state.materials);
	assert(law->friction >= 0 && law->static_friction >= 0);
	assert(law->restitution >= 0 && law->restitution <= 1);
	assert(law->tangential_restitution >= 0 && law->tangential_restitution <= 1);
	assert(law->yield >= 0);
	assert(law->rolling >= 0 && law->torsion >= 0 && law->rolling_length >= 0 && law->torsion_length >= 0);
	assert(law->cohesion >= 0 && law->range >= 0);
	world->state.pair[law->a*world->state.materials + law->b] = *law;
	world->state.pair[law->b*world->state.materials + law->a] = *law;
	world->list.stale = true;
}

void talus_world_pour(talus_world *world, const talus_pour_def *def)
{
	pours_add(&world->pours, def);
}

int talus_world_add_wall(talus_world *world, const talus_wall_def *def)
{
	assert(def->material >= 0 && def->material < world->state.materials);
	assert(def->mass == 0 || def->spin == 0); // a piston does not turn
	assert(world->state.def.dimension == 3 || def->kind != TALUS_WALL_CONE);
	assert(world->state.def.dimension == 3 || def->kind != TALUS_WALL_PLANE || def->axis.z == 0);
	walls *w = &world->state.walls;
	if (w->count == w->capacity) {
		int capacity = w->capacity ? 2*w->capacity : 8;
		w->at = memory_grow(w->at, (size_t)w->count*sizeof *w->at, (size_t)capacity*sizeof *w->at);
		w->capacity = capacity;
	}
	wall_init(&w->at[w->count], def);
	wall_find_images(&w->at[w->count], &world->state.cell);
	world->list.stale = true;
	return w->count++;
}

uint32_t talus_world_add_grain(talus_world *world, const talus_grain_def *def)
{
	world->list.stale = true;
	return state_add_grain(&world->state, def);
}

// ---------------------------------------------------------------- looking at it

double talus_world_time(const talus_world *world)
{
	return world->state.time;
}

talus_grains talus_world_grains(const talus_world *world)
{
	const bodies *b = &world->state.bodies;
	return (talus_grains){.count = b->count, .id = b->id, .x = b->x, .v = b->v, .spin = b->spin, .radius = b->radius,
	                      .mass = b->mass, .orientation = (const double(*)[4])b->q, .material = b->material};
}

int talus_world_walls(const talus_world *world)
{
	return world->state.walls.count;
}

talus_wall_state talus_world_wall(const talus_world *world, int index)
{
	assert(index >= 0 && index < world->state.walls.count);
	const wall *w = &world->state.walls.at[index];
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
	const bodies *b = &world->state.bodies;
	vec3 q = index < world->contacts.plain ? vec(0, 0, 0) : world->contacts.rich[index - world->contacts.plain].q;
	return (talus_contact_state){.a = contacts_body_a(info->key), .b = contacts_body_b(info->key), .n = c->n,
	                             .at = mul_add(b->x[c->b], -b->radius[c->b], c->n), .gap = info->gap,
	                             .force = mul(1/world->state.def.step, c->p), .torque = mul(1/world->state.def.step, q),
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
	const bodies *b = &world->state.bodies;
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
	if (world->state.flows)
		sum += hash_bits(hash_bits(1, world->state.cell.h, sizeof world->state.cell.h), world->state.cell.rate, sizeof world->state.cell.rate);
	for (int w = 0; w < world->state.walls.count; w++) {
		uint64_t hash = hash_bits((uint64_t)w + 1, &world->state.walls.at[w].shift, sizeof(vec3));
		sum += hash_bits(hash, &world->state.walls.at[w].v, sizeof(vec3));
	}
	for (size_t i = 0; i < world->contacts.count; i++) {
		uint64_t hash = random_mix(world->contacts.info[i].key);
		sum += hash_bits(hash, &world->contacts.contact[i].p, sizeof(vec3));
	}
	return random_mix(sum ^ random_mix(world->state.step) ^ random_mix(world->removed + 1));
}
