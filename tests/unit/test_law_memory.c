// SPDX-License-Identifier: MIT
// What a contact remembers for a law: it comes along from step to step, when the list of pairs is made again, when other laws come, and
// through a checkpoint. The laws here are made for that.
#include "run_folder.h"

#include "collide/collide.h"
#include "law/coulomb.h"
#include "law/laws.h"
#include "state/cell.h"

#include <assert.h>

// ---------------------------------------------------------------- two laws that count

static bool sticky(const talus_pair *of)
{
	return of->cohesion > 0;
}

static bool yields(const talus_pair *of)
{
	return of->yield > 0;
}

static void no_preparation(talus_extended *extended, talus_row *row, contact_memory *memory, const law_case *c)
{
	(void)extended, (void)row, (void)c;
	assert(memory->number);
}

static void add_push(contact_memory *memory, const law_outcome *o)
{
	memory->number[0] += dot(o->p, o->n);
	memory->number[1] += 1;
	memory->number[2] = o->gap;
}

static void count_down(contact_memory *memory, const law_outcome *o)
{
	(void)o;
	memory->number[0] -= 1;
}

static const law_field wear_memory[] = {
	{.name = "pushed", .meaning = "all impulses along the normal", .unit = "M L/T", .count = 1},
	{.name = "age", .meaning = "steps, from 7 on, and the gap of the last", .count = 2, .fresh = 7},
	{.name = NULL},
};
static const law_field clock_memory[] = {
	{.name = "left", .meaning = "steps to go", .count = 1, .fresh = 1000},
	{.name = NULL},
};
static const contact_law wear = {"wear", "counts pushes", sticky, no_preparation, add_push, wear_memory};
static const contact_law countdown = {"countdown", "counts steps down", yields, no_preparation, count_down, clock_memory};

// Numbers that the laws of Talus have for this pair: those of the two stand behind them.
static size_t builtin_numbers(const talus_pair *of)
{
	law_set set;
	contacts none = {0};
	laws_init(&set);
	laws_refresh(&set, of, 1, &none);
	return (size_t)set.stride;
}

static talus_world *world_of(const talus_pair *of, bool grains)
{
	talus_world *world = grains ? world_with_grains(of) : world_empty(of);
	laws_add(&world->laws, &countdown);
	laws_add(&world->laws, &wear);
	return world;
}

static const double *numbers_of(const talus_world *world, const contact_law *of, size_t i)
{
	const contacts *c = &world->contacts;
	for (int l = 0; l < world->laws.count; l++)
		if (world->laws.at[l] == of)
			return c->memory + (i - c->class_end[TALUS_COULOMB])*c->stride + world->laws.first[l];
	fail();
	return NULL;
}

// ---------------------------------------------------------------- from step to step

enum { MOST = 2000 };

typedef struct account { // of the contacts of a step
	size_t count;
	uint64_t key[MOST];
	double pushed[MOST], age[MOST];
} account;

static void test_steps(void **state)
{
	(void)state;
	static account was, now;
	talus_world *world = world_of(&extended_law, true);
	size_t old = 0, fresh = 0;
	was.count = 0;
	for (int step = 0; step < 400; step++) {
		steps(world, 1);
		const contacts *c = &world->contacts;
		assert_int_equal(c->stride, builtin_numbers(&extended_law) + 4);
		now.count = c->count - c->class_end[TALUS_COULOMB];
		assert_true(now.count < MOST);
		for (size_t i = 0; i < now.count; i++) {
			size_t k = 0;
			while (k < was.count && was.key[k] != c->contact[c->class_end[TALUS_COULOMB] + i].key)
				k++;
			now.key[i] = c->contact[c->class_end[TALUS_COULOMB] + i].key;
			now.pushed[i] = (k < was.count ? was.pushed[k] : 0) + dot(c->p[c->class_end[TALUS_COULOMB] + i], c->contact[c->class_end[TALUS_COULOMB] + i].n);
			now.age[i] = (k < was.count ? was.age[k] : 7) + 1;
			old += k < was.count;
			fresh += k == was.count;
			const double *number = numbers_of(world, &wear, c->class_end[TALUS_COULOMB] + i);
			assert_true(number[0] == now.pushed[i] && number[1] == now.age[i] && number[2] == c->contact[c->class_end[TALUS_COULOMB] + i].gap);
			assert_true(number[1] - 7 == 1000 - numbers_of(world, &countdown, c->class_end[TALUS_COULOMB] + i)[0]);
		}
		was = now;
	}
	assert_true(world->list.builds > 5 && old > 5000 && fresh > 50);
	talus_world_destroy(world);
}

// A pair that gets another law: the numbers of the first one move, and are what they were.
static void test_another_law(void **state)
{
	(void)state;
	talus_pair changed = extended_law;
	changed.yield = 0;
	talus_world *world = world_of(&changed, true);
	steps(world, 100);
	assert_int_equal(world->contacts.stride, builtin_numbers(&changed) + 3);
	size_t some = 0;
	for (int turn = 0; turn < 2; turn++) {
		uint64_t key = 0;
		double age = 0;
		for (size_t i = world->contacts.class_end[TALUS_COULOMB]; i < world->contacts.count; i++)
			if (numbers_of(world, &wear, i)[1] > age) {
				age = numbers_of(world, &wear, i)[1];
				key = world->contacts.contact[i].key;
			}
		changed.yield = turn ? 0 : 0.3;
		talus_world_set_pair(world, &changed);
		steps(world, 1);
		assert_int_equal(world->contacts.stride, builtin_numbers(&changed) + (turn ? 3 : 4));
		for (size_t i = world->contacts.class_end[TALUS_COULOMB]; i < world->contacts.count; i++) {
			assert_true(turn || numbers_of(world, &countdown, i)[0] == 999);
			if (world->contacts.contact[i].key != key)
				continue;
			assert_true(numbers_of(world, &wear, i)[1] == age + 1 && age > 30);
			some++;
		}
	}
	assert_int_equal(some, 2);
	talus_world_destroy(world);
}

// ---------------------------------------------------------------- through a file

static void test_checkpoint(void **state)
{
	const char *folder = *state;
	talus_error error;
	double seconds;
	talus_world *a = world_of(&extended_law, true), *b = world_of(&extended_law, false), *without = world_with_grains(&extended_law);
	steps(a, 120);
	assert_true(checkpoint_write(folder, a, 1, &error) && checkpoint_read(folder, b, &seconds, &error));
	for (int step = 0; step < 60; step++) {
		size_t size = (a->contacts.count - a->contacts.class_end[TALUS_COULOMB])*a->contacts.stride*sizeof(double);
		assert_true(a->contacts.count == b->contacts.count && size > 0 && same_bits(a->contacts.memory, b->contacts.memory, size));
		assert_true(talus_world_hash(a) == talus_world_hash(b));
		steps(a, 1);
		steps(b, 1);
	}
	b->contacts.memory[builtin_numbers(&extended_law) + 1] += 1; // it is part of the state
	assert_true(talus_world_hash(a) != talus_world_hash(b));
	steps(without, 120);
	assert_int_equal(without->contacts.stride, builtin_numbers(&extended_law));
	assert_true(checkpoint_write(folder, without, 1, &error) && checkpoint_read(folder, b, &seconds, &error));
	assert_true(b->contacts.count > b->contacts.class_end[TALUS_COULOMB]);
	for (size_t i = b->contacts.class_end[TALUS_COULOMB]; i < b->contacts.count; i++) {
		const double *number = numbers_of(b, &wear, i);
		assert_true(number[0] == 0 && number[1] == 7 && number[2] == 7 && numbers_of(b, &countdown, i)[0] == 1000);
	}
	talus_world_destroy(a);
	talus_world_destroy(b);
	talus_world_destroy(without);
}

// ---------------------------------------------------------------- how far it slid

static void add_way(contact_memory *memory, const law_outcome *o)
{
	vec3 aside = mul_add(o->after, -dot(o->after, o->n), o->n);
	if (dot(o->p, o->n) > 0)
		memory->number[0] += norm(aside)*o->dt;
	memory->number[1] = o->after.x;
	memory->number[2] = o->after.y;
	memory->number[3] = o->after.z;
}

static const law_field slide_memory[] = {
	{.name = "way", .meaning = "that it slid", .unit = "L", .count = 1},
	{.name = "after", .meaning = "velocity there", .unit = "L/T", .count = 3},
	{.name = NULL},
};
static const contact_law slide = {"slide", "counts what it slides", yields, no_preparation, add_way, slide_memory};

// From the bodies as they are now.
static vec3 velocity_at(const talus_world *world, const talus_contact *c)
{
	const bodies *b = &world->state.bodies;
	talus_solver_body grain = {.v = b->v[c->b], .r_omega = mul(b->radius[c->b], b->spin[c->b])}, other = {0};
	if (c->wall == NO_WALL)
		other = (talus_solver_body){.v = b->v[c->a], .r_omega = mul(b->radius[c->a], b->spin[c->a])};
	else
		other.v = world->state.walls.at[c->wall].v;
	vec3 l = mul(contacts_span(&world->state, c), c->n);
	return add(coulomb_velocity(c->n, &other, &grain), cell_apply(world->state.cell.rate, l));
}

static void assert_after(talus_world *world, int count)
{
	laws_add(&world->laws, &slide);
	size_t seen = 0;
	for (int step = 0; step < count; step++) {
		steps(world, 1);
		for (size_t i = world->contacts.class_end[TALUS_COULOMB]; i < world->contacts.count; i++, seen++) {
			const double *number = numbers_of(world, &slide, i);
			vec3 u = velocity_at(world, &world->contacts.contact[i]);
			assert_true(norm(sub(u, vec(number[1], number[2], number[3]))) < 1e-12*(1 + norm(u)));
		}
	}
	assert_true(seen > 1000);
	talus_world_destroy(world);
}

static talus_world *shrinking_cell(void)
{
	talus_world_def def = plain_def();
	def.solver.iterations = 20;
	def.cell = (talus_cell_def){.size = vec(5, 5, 5), .periodic = {true, true, true}, .bath = true, .pressure = 3, .inertia = 30};
	talus_world *world = talus_world_create(&def);
	talus_world_add_material(world, "glass", 1);
	talus_world_set_pair(world, &extended_law);
	for (int i = 0; i < 64; i++) {
		talus_grain_def grain = talus_grain_def_default();
		grain.radius = 0.5 + 0.001*i;
		grain.at = vec(0.6 + 1.25*(i%4), 0.6 + 1.25*(i/4%4), 0.6 + 1.25*(i/16));
		grain.velocity = vec(0.01*i, -0.02, 0.03*(i%5));
		talus_world_add_grain(world, &grain);
	}
	return world;
}

static void test_velocity_after(void **state)
{
	(void)state;
	assert_after(world_with_grains(&extended_law), 200);
	assert_after(shrinking_cell(), 200);
}

// A grain that cannot turn slides over a floor until friction has stopped it: its way is what its place has changed by, to the last step.
static void test_way(void **state)
{
	(void)state;
	for (double dt = 0.01; dt > 0.001; dt /= 3) {
		talus_world_def def = plain_def();
		def.gravity = vec(0, 0, -1);
		def.step = dt;
		talus_world *world = talus_world_create(&def);
		talus_world_add_material(world, "glass", 1);
		talus_world_set_pair(world, &(talus_pair){.friction = 0.3, .restitution = 0.1, .yield = 1});
		laws_add(&world->laws, &slide);
		talus_wall_def floor = talus_wall_def_default(TALUS_WALL_PLANE);
		floor.velocity = vec(0.2, 0, 0);
		talus_world_add_wall(world, &floor);
		talus_grain_def grain = talus_grain_def_default();
		grain.radius = 0.5;
		grain.at = vec(0, 0, 0.5);
		grain.velocity = vec(1, 0, 0);
		grain.free = TALUS_FREE_X | TALUS_FREE_Y | TALUS_FREE_Z;
		talus_world_add_grain(world, &grain);
		for (int step = 1; step*dt < 4; step++) {
			steps(world, 1);
			double slid = world->state.bodies.x[0].x - 0.2*dt*step;
			assert_true(fabs(numbers_of(world, &slide, 0)[0] - slid) < 1e-10);
		}
		double ideal = 0.5*0.8*0.8/0.3; // v^2/(2 mu g)
		assert_true(fabs(numbers_of(world, &slide, 0)[0] - ideal) < dt);
		talus_world_destroy(world);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_steps),
		cmocka_unit_test(test_another_law),
		cmocka_unit_test(test_velocity_after),
		cmocka_unit_test(test_way),
		cmocka_unit_test_setup_teardown(test_checkpoint, folder_make, folder_remove),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
