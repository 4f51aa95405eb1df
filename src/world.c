// SPDX-License-Identifier: MIT
// A world: create, step, look at, destroy. The step reads as a table of its stages.
#include "world.h"

#include "base/clock.h"
#include "base/memory.h"
#include "base/random.h"
#include "state/cell_drive.h"
#include "state/bodies.h"
#include "state/cell.h"
#include "collide/collide.h"
#include "account/account.h"
#include "state/wall.h"
#include "state/wall/shapes.h"

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
	account_view v = {&world->state, &world->approach, &world->contacts};
	energy_account_contacts(&v, &world->energy, &world->report);
	bearing_count(&world->bearing, &world->state, &world->contacts);
	account_walls(&v, &world->list, &world->state.walls, &world->energy);
	if (world->pushes.function)
		pushes_count(&v, &world->energy);
	world->report.worst_overlap = fmax(world->report.worst_overlap, world->report.max_overlap);
	if (world->state.step == 0)
		world->start_overlap = world->report.max_overlap*2*world->state.mean_radius;
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

// Visits of contacts, and what else a step does, in such visits.
static double work_done(const talus_world *world, uint64_t visits_before)
{
	enum { A_CONTACT = 20, A_GRAIN = 10 };
	return (double)(world->method->work(world) - visits_before) + A_CONTACT*(double)world->contacts.count + A_GRAIN*(double)world->state.bodies.count;
}

void world_refresh_laws(talus_world *world)
{
	laws_refresh(&world->laws, world->state.pair, world->state.materials*world->state.materials, &world->contacts);
}

void world_step(talus_world *world)
{
	double start = clock_now();
	uint64_t before = world->method->work(world);
	choose_team(world);
	if (world->list.stale) // materials may have changed
		world_refresh_laws(world);
	world->approach.kicked = false; // before anybody comes or goes: what was noted is about those who were there
	arrivals_and_departures(world);
	for (int w = 0; w < world->state.walls.count; w++)
		wall_begin_step(&world->state.walls.at[w], world->state.time, world->state.def.step);
	if (world->pushes.function)
		pushes_begin(&world->pushes, &world->state, world);
	world->method->forces(world);
	keep_accounts(world);
	world->method->advance(world);
	if (world->pushes.function)
		pushes_end(&world->state);

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

void world_report(talus_world *world)
{
	world->method->report(world);
}

// ---------------------------------------------------------------- making a world

// What is 0 and cannot be meant so has its default. `auto` has a rule of its own unless it is given another one.
talus_solver_def world_solver_completed(talus_solver_def s)
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
	                         .solver = world_solver_completed((talus_solver_def){.kind = TALUS_SOLVER_AUTO, .cutoff = -1,
	                                                                .audit = 0.03})};
}

talus_grain_def talus_grain_def_default(void)
{
	return (talus_grain_def){.radius = 1, .free = TALUS_FREE_ALL};
}

talus_world *world_create(const talus_world_def *def)
{
	assert(def->dimension == 2 || def->dimension == 3);
	assert(def->step > 0);
	assert(def->dimension == 3 || (def->gravity.z == 0 && !def->cell.periodic[2]));
	talus_world *world = memory_grow(NULL, 0, sizeof *world);
	memset(world, 0, sizeof *world);
	world->state.def = *def;
	world->state.def.solver = world_solver_completed(def->solver);
	world->list.stale = true;
	laws_init(&world->laws);
	world->state.pool = &world->pool;
	world->method = method_of(def->method);
	assert(world->method);
	world->own = memory_grow(NULL, 0, world->method->size);
	memset(world->own, 0, world->method->size);
	world->method->create(world);
	world->team_from = world->list.blocks_from = 1 << 13;
	world->list.block_size = 1 << 8;
	cell_init(&world->state.cell, &def->cell);
	world->state.cell_deforms = cell_drive_deforms(&def->cell);
	cell_drive_start(&world->state);
	return world;
}

void world_destroy(talus_world *world)
{
	if (!world)
		return;
	parallel_destroy(world->crew);
	bodies_free(&world->state.bodies);
	world->method->destroy(world);
	memory_free(world->own);
	contacts_free(&world->contacts);
	pairs_free(&world->list);
	approach_free(&world->approach);
	pours_free(&world->pours);
	memory_free(world->state.walls.at);
	memory_free(world->state.material);
	memory_free(world->state.pair);
	memory_free(world->bearing.at);
	pushes_free(&world->pushes);
	memory_free(world->pool.block);
	memory_free(world);
}

void world_set_threads(talus_world *world, int threads)
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

int world_add_material(talus_world *world, const char *name, double density)
{
	assert(density > 0);
	talus_material material = {.density = density};
	strncpy(material.name, name, TALUS_NAME_MAX - 1);
	state_add_materials(&world->state, &material, 1);
	return world->state.materials - 1;
}

void world_set_pair(talus_world *world, const talus_pair *law)
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

void world_pour(talus_world *world, const talus_pour_def *def)
{
	pours_add(&world->pours, def);
}

int world_add_wall(talus_world *world, const talus_wall_def *def)
{
	assert(def->material >= 0 && def->material < world->state.materials);
	assert(def->mass == 0 || def->spin == 0); // a piston does not turn
	static const bool open[3]; // whether it fits onto its images is left to scenes
	wall_fault fault;
	assert(wall_check(def, world->state.def.dimension, open, &fault));
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

uint32_t world_add_grain(talus_world *world, const talus_grain_def *def)
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
	                      .mass = b->mass, .orientation = (const talus_quaternion *)b->q, .material = b->material};
}

int talus_world_walls(const talus_world *world)
{
	return world->state.walls.count;
}

talus_wall_state talus_world_wall(const talus_world *world, int index)
{
	if (index < 0 || index >= world->state.walls.count)
		return (talus_wall_state){0};
	const wall *w = &world->state.walls.at[index];
	return (talus_wall_state){w->def.name, w->point, w->v, w->force, w->torque, w->w, w->angle};
}

size_t talus_world_contacts(const talus_world *world)
{
	return world->contacts.count;
}

talus_contact_state talus_world_contact(const talus_world *world, size_t index)
{
	if (index >= world->contacts.count)
		return (talus_contact_state){.wall = -1};
	const talus_contact *c = &world->contacts.contact[index];
	const bodies *b = &world->state.bodies;
	double per = 1/world->state.def.step;
	return (talus_contact_state){.a = contacts_body_a(c->key), .b = contacts_body_b(c->key), .n = c->n,
	                             .at = mul_add(b->x[c->b], -b->radius[c->b], c->n), .gap = c->gap,
	                             .force = mul(per, world->contacts.p[index]), .torque = mul(per, contacts_torque(&world->contacts, index)),
	                             .bonded = c->flags & CONTACT_BONDED, .wall = c->wall == NO_WALL ? -1 : (int)c->wall};
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
	vec3 q = world->contacts.q[i - world->contacts.class_end[TALUS_COULOMB]];
	uint64_t flags = world->contacts.contact[i].flags;
	const double *number = world->contacts.memory + (i - world->contacts.class_end[TALUS_COULOMB])*world->contacts.stride;
	bool numbers = false;
	for (size_t k = 0; k < world->contacts.stride; k++)
		numbers |= number[k] != 0;
	if (is_zero(q) && flags == 0 && !numbers)
		return 0;
	uint64_t hash = hash_bits(hash_bits(random_mix(world->contacts.contact[i].key), &q, sizeof q), &flags, sizeof flags);
	return numbers ? hash_bits(hash, number, world->contacts.stride*sizeof *number) : hash;
}

// What was set after the start, as far as it does not show in columns that are in the hash anyway; 0 if nothing was.
static uint64_t hash_set(const talus_world *world)
{
	const given_values *g = &world->given;
	const bodies *b = &world->state.bodies;
	uint64_t sum = 0;
	if (g->gravity_set)
		sum += hash_bits(2, &world->state.def.gravity, sizeof(vec3));
	if (g->cell_set) {
		const talus_cell_def *c = &world->state.def.cell;
		sum += hash_bits(hash_bits(3, c->wanted, sizeof c->wanted), &c->pressure, sizeof c->pressure);
		for (uint64_t k = 0; k < 9; k++)
			sum += random_mix(9*(uint64_t)c->drive[k/3][k%3] + k + 3);
	}
	for (int w = 0; w < world->state.walls.count; w++) {
		const talus_wall_def *def = &world->state.walls.at[w].def;
		uint64_t hash = hash_bits(hash_bits((uint64_t)w + 4, &def->velocity, sizeof(vec3)), &def->force, sizeof(vec3));
		sum += world->state.walls.at[w].set.any ? hash_bits(hash, &def->spin, sizeof def->spin) : 0;
	}
	for (size_t i = 0; i < b->count && g->forces_set; i++)
		sum += hash_bits(random_mix(b->id[i] + 5), &b->force[i], sizeof(vec3));
	return sum;
}

uint64_t talus_world_hash(const talus_world *world)
{
	const bodies *b = &world->state.bodies;
	uint64_t sum = 0;
	for (size_t i = 0; i < b->count; i++) {
		uint64_t hash = random_mix(b->id[i] + 1);
		for (const body_column *c = body_columns; c < body_columns + BODY_COLUMNS; c++)
			if (c->hashed)
				hash = hash_bits(hash, (const char *)body_column_rows(b, c) + i*body_column_bytes(c), body_column_bytes(c));
		sum += hash;
	}
	for (size_t i = world->contacts.class_end[TALUS_COULOMB]; i < world->contacts.count; i++)
		sum += hash_past(world, i);
	sum += hash_set(world);
	if (world->state.cell_deforms)
		sum += hash_bits(hash_bits(1, world->state.cell.h, sizeof world->state.cell.h), world->state.cell.rate, sizeof world->state.cell.rate);
	for (int w = 0; w < world->state.walls.count; w++) {
		uint64_t hash = hash_bits((uint64_t)w + 1, &world->state.walls.at[w].shift, sizeof(vec3));
		sum += hash_bits(hash, &world->state.walls.at[w].v, sizeof(vec3));
	}
	for (size_t i = 0; i < world->contacts.count; i++) {
		uint64_t hash = random_mix(world->contacts.contact[i].key);
		sum += hash_bits(hash, &world->contacts.p[i], sizeof(vec3));
	}
	return random_mix(sum ^ random_mix(world->state.step) ^ random_mix(world->removed + 1));
}
