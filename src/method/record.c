// SPDX-License-Identifier: MIT
// Contact dynamics as a method: what it keeps in a world, its step as a table of stages, and the table of methods.
#include "method/contact_dynamics.h"

#include "base/fields.h"
#include "base/memory.h"
#include "collide/collide.h"
#include "solve/solve.h"

#include <string.h>

static void create(talus_world *world)
{
	contact_dynamics *own = contact_dynamics_of(world);
	world->approach.rate = own->flow.rate;
	own->solver_workspace = memory_grow(NULL, 0, sizeof(solver_workspace));
	memset(own->solver_workspace, 0, sizeof(solver_workspace));
}

static void destroy(talus_world *world)
{
	contact_dynamics *own = contact_dynamics_of(world);
	rows_free(&own->rows);
	memory_free(own->piston);
	solver_workspace_free(own->solver_workspace);
	memory_free(own->solver_workspace);
	memory_free(own->coarse);
	memory_free(own->free);
}

// ---------------------------------------------------------------- the step

static void forces(talus_world *world)
{
	contact_dynamics *own = contact_dynamics_of(world);
	own->overlap_before = world->report.max_overlap;
	own->kept = false;
	contact_dynamics_predict(&world->state, &world->approach);
	if (grid_used_up(&world->state, &world->approach, &world->list))
		grid_build(&world->state, &world->approach, &world->list);
	grid_cut(&world->state, &world->list);
	narrow_begin(&world->state, &world->list);
	bool audited = audit_due(world);
	contact_dynamics_find_and_solve(world);
	own->wanted = false;
	if (audited)
		audit_step(world);
	law_stage stage = contact_dynamics_law_stage(world);
	contact_dynamics_remember(&stage, &world->report);
}

// Whether there was a solution shows in the overlaps.
static void advance(talus_world *world)
{
	const contact_dynamics *own = contact_dynamics_of(world);
	crush_watch(world, own->overlap_before);
	world->list.stale |= contact_dynamics_advance(&world->state, &world->approach, &own->flow, &world->bearing, &world->energy, &world->mean_acceleration);
}

// ---------------------------------------------------------------- numbers of it

static uint64_t work(const talus_world *world)
{
	return world->report.updates_all + contact_dynamics_of(world)->audit.updates;
}

static double friction(const talus_world *world, size_t contact)
{
	return contact_dynamics_of(world)->rows.row[contact].mu;
}

#define NUMBER(name, member, type) SCALAR_LATER(contact_dynamics, name, member, type, 1)
#define NUMBERS(name, member, type, count) SCALAR_LATER(contact_dynamics, name, member, type, count)
static const scalar numbers[] = {
	NUMBER("memory_load", memory.load, SCALAR_REAL),
	NUMBER("memory_sweeps", memory.sweeps, SCALAR_REAL),
	NUMBER("memory_softness", memory.softness, SCALAR_REAL),
	NUMBER("memory_unsure", memory.unsure, SCALAR_REAL),
	NUMBER("memory_believed", memory.believed, SCALAR_REAL),
	NUMBER("audit_count", audit.count, SCALAR_U64),
	NUMBER("audit_unfinished", audit.unfinished, SCALAR_U64),
	NUMBER("audit_updates", audit.updates, SCALAR_U64),
	NUMBER("audit_last", audit.last, SCALAR_U64),
	NUMBER("audit_next", audit.next, SCALAR_REAL),
	NUMBERS("audit_error", audit.error, SCALAR_REAL, TALUS_AUDITED),
	NUMBERS("audit_largest", audit.largest, SCALAR_REAL, TALUS_AUDITED),
	NUMBERS("audit_largest_step", audit.largest_step, SCALAR_U64, TALUS_AUDITED),
	NUMBERS("audit_bin", audit.bin, SCALAR_U64, TALUS_AUDITED*AUDIT_BINS),
	NUMBER("crush_step", crush.step, SCALAR_U64),
	NUMBER("crush_wall", crush.wall, SCALAR_INT),
	NUMBER("crush_grain", crush.grain, SCALAR_U32),
	NUMBER("crush_wait", crush.wait, SCALAR_U64),
	NUMBER("crush_next", crush.next, SCALAR_U64),
};

const talus_field contact_dynamics_fields[] = {
	{.name = "step", .meaning = "time step", .unit = "T", .type = TALUS_FIELD_REAL,
		AT(talus_world_def, step), .required = true, POSITIVE},
	END,
};

const method method_contact_dynamics = {
	.name = "contact_dynamics", .meaning = "rigid grains, implicit steps", .fields = contact_dynamics_fields, .size = sizeof(contact_dynamics),
	.create = create, .destroy = destroy, .forces = forces, .advance = advance,
	.report = contact_dynamics_find_residual, .work = work, .friction = friction,
	.numbers = numbers, .number_count = sizeof numbers/sizeof numbers[0],
};

const method *method_of(talus_method kind)
{
	static const method *const all[] = {[TALUS_METHOD_CONTACT_DYNAMICS] = &method_contact_dynamics};
	return (size_t)kind < sizeof all/sizeof all[0] ? all[kind] : NULL;
}

// ---------------------------------------------------------------- its kernels

bool contact_dynamics_set_simd(talus_world *world, talus_simd simd)
{
	const kernel *wanted = kernel_named(simd);
	if (wanted)
		contact_dynamics_of(world)->solver_workspace->kernel = wanted;
	return wanted != NULL;
}

const char *talus_world_simd(const talus_world *world)
{
	const kernel *chosen = contact_dynamics_of(world)->solver_workspace->kernel;
	return chosen ? chosen->name : kernel_best()->name;
}
