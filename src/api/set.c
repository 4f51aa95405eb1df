// SPDX-License-Identifier: MIT
// What is set between steps: judged as the scene's key of that name, counted in the energy budget, kept beside what was given.
#include "api/api.h"
#include "api/check.h"
#include "account/account.h"
#include "base/error.h"
#include "state/cell_drive.h"

#include <string.h>

static bool same(vec3 a, vec3 b)
{
	return memcmp(&a, &b, sizeof a) == 0;
}

static const talus_field *grain_field(const char *name)
{
	return check_field(check_field(scene_grains_fields, "grain")->table, name);
}

// ---------------------------------------------------------------- grains

// The row of a grain, if the value is one that it may have; else -1.
static int64_t grain_to_set(talus_world *world, uint32_t id, const talus_field *field, talus_vec3 value, int dimension)
{
	talus_error *error = api_error(world);
	if (!api_may_change(world))
		return -1;
	int64_t row = api_row_of(world, id);
	if (row < 0)
		return error_set(error, "there is no grain with the id %u", id), -1;
	return check_vector(field, value, dimension, error) ? row : -1;
}

bool talus_world_set_velocity(talus_world *world, uint32_t id, talus_vec3 velocity)
{
	int64_t row = grain_to_set(world, id, grain_field("velocity"), velocity, world->state.def.dimension);
	if (row < 0)
		return false;
	const bodies *b = &world->state.bodies;
	world->energy.added += 0.5*b->mass[row]*(dot(velocity, velocity) - dot(b->v[row], b->v[row]));
	b->v[row] = velocity;
	api_changed(world);
	return true;
}

bool talus_world_set_spin(talus_world *world, uint32_t id, talus_vec3 spin)
{
	int64_t row = grain_to_set(world, id, grain_field("spin"), spin, 3);
	const bodies *b = &world->state.bodies;
	if (row < 0)
		return false;
	if (world->state.def.dimension == 2 && (spin.x != 0 || spin.y != 0))
		return error_set(api_error(world), "`spin` has a component about z alone in 2D, but is (%g, %g, %g)", spin.x, spin.y, spin.z);
	world->energy.added += 0.5*b->inertia[row]*(dot(spin, spin) - dot(b->spin[row], b->spin[row]));
	b->spin[row] = spin;
	api_changed(world);
	return true;
}

bool talus_world_set_force(talus_world *world, uint32_t id, talus_vec3 force)
{
	int64_t row = grain_to_set(world, id, grain_field("force"), force, world->state.def.dimension);
	if (row < 0)
		return false;
	const bodies *b = &world->state.bodies;
	if (same(b->force[row], force))
		return true;
	vec3 x = cell_unwrap(&world->state.cell, b->x[row], b->image[row]);
	world->energy.added -= dot(sub(force, b->force[row]), x);
	b->force[row] = force;
	world->given.forces_set = true;
	api_changed(world);
	return true;
}

bool talus_world_set_gravity(talus_world *world, talus_vec3 gravity)
{
	given_values *g = &world->given;
	vec3 *now = &world->state.def.gravity;
	if (!api_may_change(world) || !check_vector(check_field(scene_fields, "gravity"), gravity, world->state.def.dimension, api_error(world)))
		return false;
	if (same(*now, gravity))
		return true;
	double before = account_grains(&world->state).potential;
	if (!g->gravity_set)
		g->gravity = *now;
	*now = gravity;
	g->gravity_set = !same(g->gravity, gravity);
	world->energy.added += account_grains(&world->state).potential - before;
	api_changed(world);
	return true;
}

// ---------------------------------------------------------------- walls

static wall *wall_to_set(talus_world *world, int number)
{
	talus_error *error = api_error(world);
	if (!api_may_change(world))
		return NULL;
	if (number >= 0 && number < world->state.walls.count)
		return &world->state.walls.at[number];
	error_set(error, "there is no wall number %d: there are %d", number, world->state.walls.count);
	return NULL;
}

// As a def it would have to be right: a piston has no prescribed motion, a plane does not spin in 2D ...
static bool wall_put(talus_world *world, wall *w, vec3 velocity, double spin, vec3 force)
{
	talus_wall_def wanted = w->def;
	wanted.velocity = velocity;
	wanted.spin = spin;
	wanted.force = force;
	if (!talus_wall_def_check(&wanted, &world->state.def, api_error(world)))
		return false;
	if (same(w->def.velocity, velocity) && w->def.spin == spin && same(w->def.force, force))
		return true;
	world->list.stale |= (w->def.spin != 0) != (spin != 0); // such contacts have lines of their own
	wall_set_motion(w, velocity, spin, force, world->state.time);
	api_changed(world);
	return true;
}

bool talus_world_set_wall_velocity(talus_world *world, int number, talus_vec3 velocity)
{
	wall *w = wall_to_set(world, number);
	return w && wall_put(world, w, velocity, w->def.spin, w->def.force);
}

bool talus_world_set_wall_spin(talus_world *world, int number, double spin)
{
	wall *w = wall_to_set(world, number);
	return w && wall_put(world, w, w->def.velocity, spin, w->def.force);
}

bool talus_world_set_wall_force(talus_world *world, int number, talus_vec3 force)
{
	wall *w = wall_to_set(world, number);
	if (w && !wall_is_piston(w)) {
		talus_error *error = api_error(world);
		error_set(error, "`force` needs `mass` beside it: only a piston is moved by forces");
		return error_path(error, "force");
	}
	return w && wall_put(world, w, w->def.velocity, w->def.spin, force);
}

// ---------------------------------------------------------------- the cell

// The def as a whole has to be right.
static bool cell_put(talus_world *world, const talus_cell_def *wanted)
{
	given_values *g = &world->given;
	talus_cell_def *now = &world->state.def.cell;
	talus_world_def def = world->state.def;
	def.cell = *wanted;
	if (!api_may_change(world) || !talus_world_def_check(&def, api_error(world)))
		return false;
	bool changed = memcmp(now->wanted, wanted->wanted, sizeof now->wanted) || memcmp(now->drive, wanted->drive, sizeof now->drive) ||
	               memcmp(&now->pressure, &wanted->pressure, sizeof now->pressure);
	if (!changed)
		return true;
	if (!g->cell_set)
		g->cell = *now;
	g->cell_set = true;
	*now = *wanted;
	if (world->state.step == 0)
		cell_drive_start(&world->state);
	api_changed(world);
	return true;
}

bool talus_world_set_cell_pressure(talus_world *world, double pressure)
{
	talus_cell_def wanted = world->state.def.cell;
	if (!wanted.bath)
		return error_set(api_error(world), "the cell has no `bath`, so there is no pressure to set");
	wanted.pressure = pressure;
	return cell_put(world, &wanted);
}

static bool drive_put(talus_world *world, int i, int j, talus_drive drive, double value)
{
	talus_cell_def wanted = world->state.def.cell;
	int d = world->state.def.dimension;
	if (i < 0 || j < i || j >= d)
		return error_set(api_error(world), "a component of the cell is i, j with 0 <= i <= j < %d, but here it is %d, %d", d, i, j);
	if (!world->state.cell_deforms || wanted.bath)
		return error_set(api_error(world), "the cell has no `drive`, so there is no %s to set",
		                 drive == TALUS_DRIVE_RATE ? "rate" : "stress");
	wanted.drive[i][j] = drive;
	wanted.wanted[i][j] = value;
	return cell_put(world, &wanted);
}

bool talus_world_set_cell_rate(talus_world *world, int i, int j, double rate)
{
	return drive_put(world, i, j, TALUS_DRIVE_RATE, rate);
}

bool talus_world_set_cell_stress(talus_world *world, int i, int j, double stress)
{
	return drive_put(world, i, j, TALUS_DRIVE_STRESS, stress);
}

// ---------------------------------------------------------------- forces that a function adds

// Within a step grains may have come, gone or changed places since somebody looked.
static void ask(const talus_world *world, talus_vec3 *force, void *context)
{
	struct world_api *api = context;
	api_grains_changed((talus_world *)world);
	api->asking = true;
	api->function(world, force, api->context);
	api->asking = false;
	api_grains_changed((talus_world *)world);
}

void talus_world_set_force_function(talus_world *world, talus_force_function function, void *context)
{
	struct world_api *api = api_of(world);
	if (!api_may_change(world))
		return;
	api->function = function;
	api->context = context;
	pushes_set(&world->pushes, &world->state, function ? ask : NULL, api);
}
