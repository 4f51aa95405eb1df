// SPDX-License-Identifier: MIT
// The sections of a scene on which the way of a run depends, each as one number. A checkpoint has them, and belongs to scenes that have
// the same. What comes to a scene later and is not used leaves no trace in them.
#include "io/checkpoint_sections.h"

#include "io/seal.h"
#include "state/wall/stored.h"
#include "world.h"

#include <string.h>

const char *const checkpoint_section_names[SECTIONS] = {
	"gravity", "solver", "cell", "domain", "materials", "contacts", "walls", "grains: pour",
};

typedef struct part { // of a struct: its fields one by one, so that what lies between them does not count
	size_t offset, size;
} part;
#define PART(type, member) {offsetof(type, member), sizeof ((type *)NULL)->member}
#define LENGTH(list) ((int)(sizeof (list)/sizeof (list)[0]))

#define SOLVER(member) PART(talus_solver_def, member)
static const part solver_parts[] = {
	SOLVER(order), SOLVER(relaxation), SOLVER(gap), SOLVER(stop), SOLVER(iterations), SOLVER(tolerance),
	SOLVER(cutoff), SOLVER(max_iterations),
};

#define CELL(member) PART(talus_cell_def, member)
static const part cell_parts[] = {
	CELL(origin), CELL(periodic), CELL(bath), CELL(pressure), CELL(drive), CELL(wanted), CELL(inertia),
	CELL(semi_implicit), // not its size: that may have become another one when it was filled
};

static const part domain_parts[] = {PART(talus_world_def, has_domain), PART(talus_world_def, domain)};

#define POUR(member) PART(talus_pour_def, member)
static const part pour_parts[] = {
	POUR(count), POUR(rate), POUR(start), POUR(radius.kind), POUR(radius.a), POUR(radius.b), POUR(radius.least),
	POUR(radius.most), POUR(radius.points), POUR(radius.opening), POUR(radius.passing), POUR(material),
	POUR(in.kind), POUR(in.box), POUR(in.at), POUR(in.to), POUR(in.radius), POUR(velocity),
};

static void hash_parts(uint64_t *hash, const void *of, const part *list, int count)
{
	for (int i = 0; i < count; i++)
		hash_add(hash, (const char *)of + list[i].offset, list[i].size);
}

// What is as it was in files that did not have it leaves no trace.
static void hash_wall(uint64_t *hash, const talus_wall_def *def)
{
	const talus_field *list[WALL_STORED_MOST];
	int fields = wall_stored(list);
	for (int i = 0; i < fields; i++) {
		const char *value = (const char *)def + list[i]->offset;
		talus_wall_def plain = *def;
		wall_default(&plain, list[i]);
		bool as_before = !list[i]->required && !memcmp(value, (const char *)&plain + list[i]->offset, list[i]->size);
		if (wall_has((int)def->kind, list[i]) && !as_before)
			hash_add(hash, value, list[i]->size);
	}
}

// Members up to `range` are in the hash as they always were. Those behind it came later, doubles that are 0 where their law is not
// there: each counts where it is not 0, with its place.
enum { PAIR_FIRST = 2*sizeof(int) + 11*sizeof(double) };
_Static_assert(offsetof(talus_pair, range) + sizeof(double) == PAIR_FIRST,
               "checkpoints know the first members of talus_pair by their order: put a new one, a double, behind all others");

void checkpoint_hash_pairs(uint64_t *hash, const void *first, size_t pairs, size_t size)
{
	const char *all = first;
	for (size_t i = 0; i < pairs; i++)
		hash_add_piece(hash, all + i*size, PAIR_FIRST, pairs*PAIR_FIRST);
	for (size_t i = 0; i < pairs; i++)
		for (size_t place = PAIR_FIRST; place < size; place += sizeof(double)) {
			double value;
			memcpy(&value, all + i*size + place, sizeof value);
			if (value != 0) {
				hash_add(hash, &(uint64_t[]){i, place}, 2*sizeof(uint64_t));
				hash_add(hash, &value, sizeof value);
			}
		}
}

void checkpoint_sections(const talus_world *world, uint64_t section[SECTIONS])
{
	const talus_world_def as_given = given_def(&world->given, &world->state.def), *def = &as_given;
	size_t pairs = (size_t)world->state.materials*(size_t)world->state.materials;
	memset(section, 0, SECTIONS*sizeof *section);
	hash_add(&section[OF_GRAVITY], &def->gravity, sizeof def->gravity);
	hash_parts(&section[OF_SOLVER], &def->solver, solver_parts, LENGTH(solver_parts));
	if (def->solver.kind != TALUS_SOLVER_NSGS) // older files knew no other
		hash_add(&section[OF_SOLVER], &def->solver.kind, sizeof def->solver.kind);
	hash_parts(&section[OF_CELL], &def->cell, cell_parts, LENGTH(cell_parts));
	hash_parts(&section[OF_DOMAIN], def, domain_parts, LENGTH(domain_parts));
	checkpoint_hash_pairs(&section[OF_CONTACTS], world->state.pair, pairs, sizeof *world->state.pair);
	for (int i = 0; i < world->state.materials; i++) {
		hash_add(&section[OF_MATERIALS], world->state.material[i].name, strlen(world->state.material[i].name));
		hash_add(&section[OF_MATERIALS], &world->state.material[i].density, sizeof world->state.material[i].density);
	}
	for (int i = 0; i < world->state.walls.count; i++) {
		const talus_wall_def wall_def = wall_as_given(&world->state.walls.at[i]);
		hash_add(&section[OF_WALLS], wall_def.name, strlen(wall_def.name));
		hash_wall(&section[OF_WALLS], &wall_def);
	}
	for (int i = 0; i < world->pours.count; i++)
		hash_parts(&section[OF_POURS], &world->pours.at[i].def, pour_parts, LENGTH(pour_parts));
}
