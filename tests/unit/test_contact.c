// SPDX-License-Identifier: MIT
// The contact table: keys, and how a contact finds its impulse of the last step.
#include "unit.h"

#include "state/bodies.h"
#include "collide/collide.h"
#include "method/contact_dynamics.h"

static void test_keys(void **state)
{
	(void)state;
	uint64_t seen[2000]; // 45 pairs of grains and 1600 with walls
	int n = 0;
	for (uint32_t a = 0; a < 10; a++)
		for (uint32_t b = a + 1; b < 10; b++)
			seen[n++] = contacts_key(a, b, false);
	for (uint32_t w = 0; w < 20; w++)
		for (uint32_t id = 0; id < 10; id++)
			for (int feature = 0; feature < 4; feature++)
				for (uint32_t image = 0; image < 8; image += 7)
					seen[n++] = contacts_wall_key(id, w, image, feature);
	for (int i = 0; i < n; i++)
		for (int j = 0; j < i; j++)
			assert_true(seen[i] != seen[j]);
}

// Ids and walls can be read back; a wall is -1 - its number, on the side of a.
static void test_bodies_of_a_key(void **state)
{
	(void)state;
	assert_int_equal(contacts_body_a(contacts_key(3, 2000000000, false)), 3);
	assert_int_equal(contacts_body_b(contacts_key(3, 2000000000, false)), 2000000000);
	for (int feature = 0; feature < 4; feature++) {
		assert_true(contacts_body_a(contacts_wall_key(77, 0, 0, feature)) == -1);
		for (uint32_t image = 0; image < 8; image++) {
			uint64_t key = contacts_wall_key(77, 12345, image, feature);
			assert_true(contacts_body_a(key) == -12346);
			assert_int_equal(contacts_body_b(key), 77);
			assert_int_equal(contacts_wall_image(key), image);
		}
	}
}

static void put(contacts *c, uint64_t key, vec3 p)
{
	contacts_reserve(c, c->count + 1);
	c->p[c->count] = p;
	c->contact[c->count++] = (talus_contact){.key = key};
}

// Along one axis only, each in turn.
static vec3 guess(uint32_t i, int step)
{
	vec3 p = {0, 0, 0};
	set_component(&p, (int)(i%3), i + 1 + 0.1*step);
	return p;
}

// From `plain` on they have a torque and marks.
static void make_extended(contacts *c, size_t plain, int step)
{
	c->class_end[TALUS_COULOMB] = c->class_end[TALUS_EXTENDED] = plain;
	contacts_reserve_torques(c, c->count - plain);
	for (size_t i = plain; i < c->count; i++) {
		c->q[i - plain] = mul(2, guess((uint32_t)i, step));
		c->contact[i].flags = (uint32_t)i%4 + 1;
	}
}

// Torque and marks come along where both were and are more than plain.
static void check_past(const contacts *c, uint32_t i, bool known, uint32_t was, int step)
{
	assert_near3(c->q[i - c->class_end[TALUS_COULOMB]], known ? mul(2, guess(was, step)) : vec(0, 0, 0), 0);
	assert_int_equal(c->contact[i].flags, known ? was%4 + 1 : 0);
}

// A table of many contacts, the next one with half of them, in another order, and new ones.
static void test_match(void **state)
{
	(void)state;
	enum { N = 3000 };
	contacts c = {0};
	memory_pool pool = {0};
	parallel *team = parallel_create(3);
	for (int step = 0; step < 3; step++) { // the hash table is used again
		c.count = 0;
		for (uint32_t i = 0; i < N; i++)
			put(&c, contacts_key(i, i + 7, false), guess(i, step));
		make_extended(&c, N/3, step);
		contacts_remember(&c, memory_borrow(&pool, contacts_memory(&c)), team);
		c.count = 0;
		for (uint32_t i = 0; i < N; i++)
			put(&c, contacts_key((i*1201)%(2*N), (i*1201)%(2*N) + 7, false), vec(-1, -1, -1));
		make_extended(&c, N/4, 9);
		contacts_match(&c, team);
		for (uint32_t i = 0; i < N; i++) {
			uint32_t was = (i*1201)%(2*N);
			assert_near3(c.p[i], was < N ? guess(was, step) : vec(0, 0, 0), 0);
			if (i >= N/4)
				check_past(&c, i, was < N && was >= N/3, was, step);
		}
	}
	contacts_free(&c);
	assert_null(c.contact);
	parallel_destroy(team);
	memory_free(pool.block);
}

// Where two have one key, as a pair has that meets through two images beside the nearest, the first one counts, whoever of many threads
// came first.
static void test_match_of_twins(void **state)
{
	(void)state;
	enum { N = 60000 };
	contacts c = {0};
	memory_pool pool = {0};
	parallel *team = parallel_create(4);
	for (uint32_t i = 0; i < N; i++)
		put(&c, contacts_key(i < N/2 ? i : N - 1 - i, N, true), guess(i, 0));
	c.class_end[TALUS_COULOMB] = c.class_end[TALUS_EXTENDED] = N;
	contacts_remember(&c, memory_borrow(&pool, contacts_memory(&c)), team);
	contacts_match(&c, team);
	for (uint32_t i = 0; i < N; i++)
		assert_near3(c.p[i], guess(i < N/2 ? i : N - 1 - i, 0), 0);
	contacts_free(&c);
	parallel_destroy(team);
	memory_free(pool.block);
}

// Several contacts of a pair are told apart by their features; a feature that was not there before finds nothing, not even where the table
// of the last step had none at all.
static void test_match_of_features(void **state)
{
	(void)state;
	enum { PAIRS = 2000, OF_A_PAIR = 3 };
	contacts c = {.featured = true};
	memory_pool pool = {0};
	parallel *team = parallel_create(3);
	for (int had = 0; had < 2; had++) {
		c.count = 0;
		c.featured = had;
		for (uint32_t i = 0; i < PAIRS; i++)
			for (uint32_t k = 0; k < OF_A_PAIR; k++) {
				put(&c, contacts_key(i, i + 7, false), guess(OF_A_PAIR*i + k, 0));
				c.contact[c.count - 1].feature = had ? k*(i + 1) << 8*k : 0;
			}
		c.class_end[TALUS_COULOMB] = c.class_end[TALUS_EXTENDED] = c.count;
		contacts_remember(&c, memory_borrow(&pool, contacts_memory(&c)), team);
		c.count = 0;
		c.featured = true;
		for (uint32_t i = PAIRS; i-- > 0;)
			for (uint32_t k = OF_A_PAIR + 1; k-- > 0;) {
				put(&c, contacts_key(i, i + 7, false), vec(-1, -1, -1));
				c.contact[c.count - 1].feature = k == OF_A_PAIR ? UINT32_MAX : k*(i + 1) << 8*k;
			}
		c.class_end[TALUS_COULOMB] = c.class_end[TALUS_EXTENDED] = c.count;
		contacts_match(&c, team);
		for (size_t n = 0; n < c.count; n++) {
			uint32_t i = PAIRS - 1 - (uint32_t)n/(OF_A_PAIR + 1), k = OF_A_PAIR - (uint32_t)n%(OF_A_PAIR + 1);
			bool known = had ? k < OF_A_PAIR : k == 0;
			assert_near3(c.p[n], known ? guess(OF_A_PAIR*i + k, 0) : vec(0, 0, 0), 0);
		}
	}
	contacts_free(&c);
	parallel_destroy(team);
	memory_free(pool.block);
}

static void test_nothing_to_remember(void **state)
{
	(void)state;
	contacts c = {0};
	_Alignas(8) char room[64];
	assert_true(contacts_memory(&c) <= sizeof room);
	contacts_remember(&c, room, NULL);
	contacts_match(&c, NULL);
	put(&c, contacts_key(1, 2, false), vec(3, 4, 5));
	c.class_end[TALUS_COULOMB] = c.class_end[TALUS_EXTENDED] = 1;
	contacts_match(&c, NULL);
	assert_near3(c.p[0], vec(0, 0, 0), 0);
	contacts_free(&c);
}

// ---------------------------------------------------------------- in a world

// A row of grains pressed between two walls, put in by turns so that sorting along space mixes up rows and
// ids.
static talus_world *pressed_row(int count)
{
	talus_world_def def = unit_def(3);
	def.solver.iterations = 400;
	talus_world *world = unit_world(&def, 0.5);
	unit_plane(world, "left", vec(0, 0, 0), vec(1, 0, 0));
	unit_plane(world, "right", vec(2*count, 0, 0), vec(-1, 0, 0));
	for (int i = 0; i < count; i++) {
		int place = (i*7)%count;
		talus_grain_def g = talus_grain_def_default();
		g.at = vec(2*place + 1, 0, 0);
		g.force = vec(place < count/2 ? 1 : -1, 0, 0);
		talus_world_add_grain(world, &g);
	}
	return world;
}

// In a state at rest the first guess is the answer: the first sweep of a step changes nothing. So it is only
// if every contact is
// found again, with the right sign, also after rows have changed.
static void test_first_guess_after_sorting(void **state)
{
	(void)state;
	enum { COUNT = 20 };
	talus_world *world = pressed_row(COUNT);
	for (int step = 0; step < 30; step++)
		talus_world_step(world);
	world->state.def.solver.iterations = 1;
	uint32_t order[COUNT];
	for (uint32_t i = 0; i < COUNT; i++)
		order[i] = (i*3 + 2)%COUNT;
	char room[COUNT*BODIES_WIDEST];
	bodies_reorder(&world->state.bodies, order, room, NULL);
	world->list.stale = true;
	talus_step_report report = talus_world_step(world);
	assert_true(report.residual < 1e-12);
	double peak = 0;
	for (size_t i = 0; i < talus_world_contacts(world); i++) {
		talus_contact_state c = talus_world_contact(world, i);
		assert_true(c.a < c.b && c.force.x*c.n.x >= -1e-12);
		peak = fmax(peak, norm(c.force));
	}
	assert_near(peak, COUNT/2, 1e-9);
	talus_world_destroy(world);
}

// One grain leaves the domain; the others keep their forces.
static void test_first_guess_after_removal(void **state)
{
	(void)state;
	talus_world *world = pressed_row(12);
	uint32_t away = unit_grain(world, vec(5, 50, 0), 1, vec(0, 100, 0));
	world->state.def.has_domain = true;
	world->state.def.domain = (talus_box){{-100, -100, -100}, {100, 80, 100}};
	for (int step = 0; step < 29; step++)
		talus_world_step(world);
	assert_int_equal(world->state.bodies.count, 13);
	world->state.bodies.x[unit_row(world, away)].y = 81;
	world->state.def.solver.iterations = 1;
	talus_step_report report = talus_world_step(world);
	assert_int_equal(report.grains, 12);
	assert_int_equal(report.removed, 1);
	assert_true(report.residual < 1e-12);
	talus_world_destroy(world);
}

// ---------------------------------------------------------------- two ways to the same guess

// A cell so narrow that grains meet both ways round, a spinning cone, a piston, a grain on a rail.
static talus_world *narrow_cell(void)
{
	talus_world_def def = unit_def(3);
	def.gravity.z = -10;
	def.cell = (talus_cell_def){.origin = {0, 0, 0}, .size = {5.05, 5.05, 0}, .periodic = {true, true, false}};
	def.solver.iterations = 20;
	talus_world *world = unit_world(&def, 0.4);
	unit_plane(world, "floor", vec(0, 0, 0), vec(0, 0, 1));
	talus_wall_def piston = talus_wall_def_default(TALUS_WALL_PLANE);
	piston.point = vec(0, 0, 14);
	piston.axis = vec(0, 0, -1);
	piston.mass = 5;
	piston.free = TALUS_FREE_Z;
	talus_world_add_wall(world, &piston);
	talus_wall_def cone = talus_wall_def_default(TALUS_WALL_CONE);
	cone.point = vec(2.5, 2.5, 1);
	cone.from = 0.5;
	cone.last = 2;
	cone.spin = 2;
	talus_world_add_wall(world, &cone);
	for (int i = 0; i < 6; i++) {
		talus_grain_def g = talus_grain_def_default();
		g.at = vec(1.2 + 2.4*(i%2), 2.5, 3.5 + 1.8*i);
		g.velocity = vec(i%2 ? 40 : -35, 30 - 11*i, 0);
		g.radius = 1 + 0.05*i;
		if (i == 3)
			g.free = TALUS_FREE_X | TALUS_FREE_Z | TALUS_FREE_SPIN;
		talus_world_add_grain(world, &g);
	}
	return world;
}

// As long as the pair list stays, impulses are found by counting along the list; by their keys they must be the same, since
// that is how a resumed run finds them.
static void test_by_list_and_by_keys(void **state)
{
	(void)state;
	talus_world *by_list = narrow_cell(), *by_keys = narrow_cell();
	int listed = 0;
	for (int step = 0; step < 1500; step++) {
		uint64_t builds = by_list->list.builds;
		by_keys->list.followed = false;
		talus_world_step(by_list);
		talus_world_step(by_keys);
		listed += by_list->list.builds == builds;
		assert_true(talus_world_hash(by_list) == talus_world_hash(by_keys));
	}
	assert_true(listed > 100);
	talus_world_destroy(by_list);
	talus_world_destroy(by_keys);
}

// A pair that was the longer way round and is now the shorter one: keys follow the way, and so must the list.
static void test_by_list_when_the_way_turns(void **state)
{
	(void)state;
	talus_world *world[2];
	for (int k = 0; k < 2; k++) {
		talus_world_def def = unit_def(3);
		def.cell = (talus_cell_def){.origin = {0, 0, 0}, .size = {5.05, 0, 0}, .periodic = {true, false, false}};
		world[k] = unit_world(&def, 0);
		unit_grain(world[k], vec(1, 0, 0), 1, vec(0, 0, 0));
		unit_grain(world[k], vec(3.6, 0, 0), 1, vec(-70, 0, 0)); // 2.6 apart, 2.45 on the other side
		talus_world_step(world[k]);
		assert_true(contacts_body_b(world[k]->contacts.contact[0].key) == 1);
		world[k]->list.followed = k == 0;
		contact_dynamics_predict(&world[k]->state, &world[k]->approach);
		assert_false(grid_used_up(&world[k]->state, &world[k]->approach, &world[k]->list));
		narrow_begin(&world[k]->state, &world[k]->list);
		narrow_find(&world[k]->state, &world[k]->approach, &world[k]->list, &world[k]->contacts, NULL);
	}
	assert_true(world[0]->contacts.count > 0);
	assert_int_equal(world[0]->contacts.count, world[1]->contacts.count);
	for (size_t i = 0; i < world[0]->contacts.count; i++) {
		assert_true(world[0]->contacts.contact[i].key == world[1]->contacts.contact[i].key);
		assert_near3(world[0]->contacts.p[i], world[1]->contacts.p[i], 0);
	}
	for (int k = 0; k < 2; k++)
		talus_world_destroy(world[k]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_keys),
		cmocka_unit_test(test_bodies_of_a_key),
		cmocka_unit_test(test_match),
		cmocka_unit_test(test_match_of_twins),
		cmocka_unit_test(test_match_of_features),
		cmocka_unit_test(test_nothing_to_remember),
		cmocka_unit_test(test_first_guess_after_sorting),
		cmocka_unit_test(test_first_guess_after_removal),
		cmocka_unit_test(test_by_list_and_by_keys),
		cmocka_unit_test(test_by_list_when_the_way_turns),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
