// SPDX-License-Identifier: MIT
// A snapshot is what the world was: every grain, contact, wall and number of it, in arrays that outlive the world.
#include "run_folder.h"

#include "collide/collide.h"
#include "observe/observe.h"

// Torques, bonds, a piston and pours; or a periodic cell that grains leave.
static talus_world *world_of(int kind, int dimension)
{
	if (kind == 0)
		return world_with_grains(&extended_law);
	talus_world_def def = plain_def();
	def.dimension = dimension;
	def.cell.size = vec(4.5, 4.5, dimension == 3 ? 4.5 : 0);
	def.cell.periodic[0] = true; // the others are open
	talus_world *world = talus_world_create(&def);
	talus_world_add_material(world, "glass", 1);
	talus_world_set_pair(world, &plain_law);
	for (int i = 0; i < 16; i++) {
		talus_grain_def grain = talus_grain_def_default();
		grain.at = vec(1e-4 + 1.1*(i%4), 0.55 + 1.1*(i/4), 0);
		grain.radius = 0.5;
		grain.velocity = vec(i%2 ? 0.1 : -0.1, 0.05*(i%3), 0); // some leave the cell, and no new list puts them back
		talus_world_add_grain(world, &grain);
	}
	return world;
}

static size_t row_of(const talus_grains *grains, uint32_t id)
{
	size_t row = 0;
	while (row < grains->count && grains->id[row] != id)
		row++;
	assert_true(row < grains->count);
	return row;
}

static void assert_grains(const talus_snapshot *s, const talus_world *world)
{
	talus_grains g = talus_world_grains(world);
	assert_int_equal(s->grains, g.count);
	for (size_t i = 0; i < s->grains; i++) {
		size_t k = row_of(&g, s->id[i]);
		assert_true(i == 0 || s->id[i] > s->id[i - 1]);
		assert_true(same_bits(&s->v[i], &g.v[k], sizeof *s->v) && same_bits(&s->spin[i], &g.spin[k], sizeof *s->spin));
		assert_true(s->radius[i] == g.radius[k] && s->mass[i] == g.mass[k] && s->material[i] == g.material[k]);
		assert_true(same_bits(s->orientation + 4*i, &g.orientation[k], 4*sizeof(double)));
		for (int d = 0; d < 3; d++) { // back from where it was wrapped to
			double turns = s->image[3*i + (size_t)d] - world->state.bodies.image[k][d], edge = component(s->edge[d], d);
			assert_true(fabs(component(s->x[i], d) + turns*edge - component(g.x[k], d)) < 1e-12*(1 + fabs(edge)));
			assert_true(!s->periodic[d] || (component(s->x[i], d) >= component(s->origin, d) &&
			                                component(s->x[i], d) <= component(s->origin, d) + edge));
		}
	}
}

static void assert_contacts(const talus_snapshot *s, const talus_world *world)
{
	size_t k = 0;
	for (size_t i = 0; i < talus_world_contacts(world); i++) {
		talus_contact_state c = talus_world_contact(world, i);
		if (!c.bonded && is_zero(c.force) && is_zero(c.torque))
			continue;
		assert_true(k < s->contacts);
		const talus_contact_state *t = &s->contact[k++];
		assert_true(t->a == c.a && t->b == c.b && t->gap == c.gap && t->bonded == c.bonded);
		assert_true(same_bits(&t->n, &c.n, sizeof c.n) && same_bits(&t->at, &c.at, sizeof c.at));
		assert_true(same_bits(&t->force, &c.force, sizeof c.force) && same_bits(&t->torque, &c.torque, sizeof c.torque));
	}
	assert_int_equal(k, s->contacts);
}

static void assert_walls(const talus_snapshot *s, const talus_world *world)
{
	assert_int_equal(s->walls, talus_world_walls(world));
	for (int i = 0; i < s->walls; i++) {
		talus_wall_state w = talus_world_wall(world, i);
		assert_string_equal(s->wall[i].def.name, w.name);
		assert_true(same_bits(&s->wall[i].def.point, &w.position, sizeof w.position) && same_bits(&s->wall[i].velocity, &w.velocity, sizeof w.velocity));
		assert_true(same_bits(&s->wall[i].force, &w.force, sizeof w.force) && same_bits(&s->wall[i].torque, &w.torque, sizeof w.torque));
	}
}

static size_t assert_observables(const talus_snapshot *s, const talus_world *world)
{
	double value[512];
	size_t count;
	talus_error error;
	for (size_t i = 0; i < s->observables; i++) {
		const talus_snapshot_number *n = &s->observable[i];
		assert_true(talus_world_observe(world, n->name, value, 512, &count, &error));
		assert_int_equal(count, n->count);
		assert_true(same_bits(value, n->value, count*sizeof *value));
	}
	return s->observables;
}

static void test_snapshots(void **state)
{
	(void)state;
	for (int kind = 0; kind < 3; kind++) {
		talus_world *world = world_of(kind, kind == 1 ? 2 : 3);
		for (int turn = 0; turn < 3; turn++) { // before the first step, too
			const talus_snapshot *s = talus_snapshot_create(world, TALUS_SNAPSHOT_ALL);
			assert_true(s->step == world->state.step && s->time == talus_world_time(world) && s->dimension == world->state.def.dimension);
			assert_grains(s, world);
			assert_contacts(s, world);
			assert_walls(s, world);
			assert_true(assert_observables(s, world) > 20);
			talus_snapshot_destroy(s);
			steps(world, 25);
		}
		talus_world_destroy(world);
	}
}

// A bond that carries nothing is there all the same.
static void test_idle_bonds(void **state)
{
	(void)state;
	talus_world_def def = plain_def();
	talus_world *world = talus_world_create(&def);
	talus_world_add_material(world, "glue", 1);
	talus_world_set_pair(world, &(talus_pair){.cohesion = 100, .range = 0.03});
	for (int i = 0; i < 2; i++) {
		talus_grain_def grain = talus_grain_def_default();
		grain.at = vec(1.01*i, 0, 0);
		grain.radius = 0.5;
		grain.velocity = vec(i ? -0.1 : 0.1, 0, 0);
		talus_world_add_grain(world, &grain);
	}
	steps(world, 200);
	const talus_snapshot *s = talus_snapshot_create(world, TALUS_SNAPSHOT_CONTACTS);
	assert_int_equal(s->contacts, 1);
	assert_true(s->contact[0].bonded && is_zero(s->contact[0].force));
	talus_snapshot_destroy(s);
	talus_world_destroy(world);
}

// It stays what it was; what is not asked for is not there.
static void test_alone(void **state)
{
	(void)state;
	talus_world *world = world_of(0, 3), *same = world_of(0, 3);
	steps(world, 20);
	steps(same, 20);
	const talus_snapshot *s = talus_snapshot_create(world, TALUS_SNAPSHOT_ALL), *less = talus_snapshot_create(world, 0);
	uint64_t hash = talus_world_hash(world);
	assert_true(talus_world_hash(same) == hash); // looking has changed nothing
	steps(world, 5);
	assert_true(talus_world_hash(world) != hash);
	talus_world_destroy(world);
	assert_grains(s, same);
	assert_contacts(s, same);
	assert_walls(s, same);
	assert_observables(s, same);
	assert_true(s->contacts > 0);
	assert_grains(less, same);
	assert_int_equal(less->contacts + less->observables, 0);
	talus_snapshot_destroy(s);
	talus_snapshot_destroy(less);
	talus_snapshot_destroy(NULL);
	world = talus_world_create(&same->state.def); // nothing at all
	s = talus_snapshot_create(world, TALUS_SNAPSHOT_ALL);
	assert_int_equal(s->grains + s->contacts + (size_t)s->walls, 0);
	talus_snapshot_destroy(s);
	talus_world_destroy(world);
	talus_world_destroy(same);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_snapshots), cmocka_unit_test(test_idle_bonds), cmocka_unit_test(test_alone)};
	return cmocka_run_group_tests_name("snapshots", tests, NULL, NULL);
}
