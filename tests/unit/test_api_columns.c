// SPDX-License-Identifier: MIT
// Columns by name, copies in an order that lasts, advancing.
#include "api.h"

static talus_column column(const talus_world *world, const char *name)
{
	talus_column c;
	if (!talus_world_column(world, name, &c))
		fail_msg("%s", talus_world_error(world)->text);
	assert_string_equal(c.name, name);
	return c;
}

static double number(const talus_column *c, size_t row, int k)
{
	const char *at = (const char *)c->data + row*c->stride;
	switch (c->type) {
	case TALUS_FLOAT64: return ((const double *)at)[k];
	case TALUS_INT64: return (double)((const int64_t *)at)[k];
	case TALUS_INT32: return ((const int32_t *)at)[k];
	case TALUS_UINT32: return ((const uint32_t *)at)[k];
	case TALUS_UINT16: return ((const uint16_t *)at)[k];
	default: return ((const uint8_t *)at)[k];
	}
}

static void assert_row3(const talus_column *c, size_t row, vec3 v)
{
	assert_int_equal(c->components, 3);
	assert_near3(vec(number(c, row, 0), number(c, row, 1), number(c, row, 2)), v, 0);
}

// Every name that is listed is there, with words, and finite numbers in every row.
static void test_all_names(void **state)
{
	(void)state;
	talus_world *world = api_bed(1);
	api_steps(world, 200);
	int columns = 0;
	for (; talus_column_name(columns); columns++) {
		talus_column c = column(world, talus_column_name(columns));
		assert_true(*c.meaning && c.unit && c.rows > 0 && c.stride > 0);
		for (size_t i = 0; i < c.rows; i++)
			for (int k = 0; k < c.components; k++)
				assert_true(isfinite(number(&c, i, k)));
	}
	assert_true(columns >= 30);
	assert_null(talus_column_name(-1));
	talus_world_destroy(world);
}

static void test_values(void **state)
{
	(void)state;
	talus_world *world = api_bed(1);
	api_steps(world, 260);
	talus_grains g = talus_world_grains(world);
	talus_column x = column(world, "grain.x"), q = column(world, "grain.orientation"), id = column(world, "grain.id"),
		material = column(world, "grain.material"), mass = column(world, "grain.mass");
	assert_ptr_equal(x.data, g.x);
	assert_int_equal(q.components, 4);
	for (size_t i = 0; i < g.count; i++) {
		assert_row3(&x, i, g.x[i]);
		assert_near(number(&q, i, 0), g.orientation[i].w, 0);
		assert_near(number(&q, i, 3), g.orientation[i].z, 0);
		assert_int_equal(number(&id, i, 0), g.id[i]);
		assert_int_equal(number(&material, i, 0), g.material[i]);
		assert_near(number(&mass, i, 0), g.mass[i], 0);
	}
	talus_column a = column(world, "contact.a"), b = column(world, "contact.b"), side = column(world, "contact.wall"),
		n = column(world, "contact.normal"), at = column(world, "contact.point"), gap = column(world, "contact.gap"),
		force = column(world, "contact.force"), torque = column(world, "contact.torque");
	vec3 on_floor = vec(0, 0, 0);
	assert_int_equal(a.rows, talus_world_contacts(world));
	for (size_t i = 0; i < a.rows; i++) {
		talus_contact_state c = talus_world_contact(world, i);
		assert_int_equal(number(&a, i, 0), c.a);
		assert_int_equal(number(&b, i, 0), c.b);
		assert_int_equal(number(&side, i, 0), c.a < 0 ? -1 - c.a : -1);
		assert_row3(&n, i, c.n);
		assert_row3(&at, i, c.at);
		assert_row3(&force, i, c.force);
		assert_row3(&torque, i, c.torque);
		assert_near(number(&gap, i, 0), c.gap, 0);
		if (c.wall == 0)
			on_floor = sub(on_floor, c.force);
	}
	talus_column on = column(world, "wall.force"), turned = column(world, "wall.angle"), place = column(world, "wall.position");
	assert_int_equal(on.rows, 7);
	assert_near3(vec(number(&on, 0, 0), number(&on, 0, 1), number(&on, 0, 2)), on_floor, 1e-9*(1 + norm(on_floor)));
	assert_true(on_floor.z < -1);
	assert_near(number(&turned, 5, 0), 0.7*talus_world_time(world), 1e-12);
	assert_row3(&place, 6, talus_world_wall(world, 6).position);
	talus_world_destroy(world);
}

// A generation ends with a step and with every change, and only then; looking changes nothing.
static void test_generation(void **state)
{
	(void)state;
	talus_world *world = api_bed(1), *blind = api_bed(1);
	api_steps(world, 50);
	talus_column x = column(world, "grain.x"), f = column(world, "contact.force");
	assert_true(x.generation == talus_world_generation(world) && f.generation == x.generation);
	assert_true(column(world, "contact.force").data == f.data);
	talus_world_step(world);
	uint64_t after = talus_world_generation(world);
	assert_true(after != x.generation && after == talus_world_generation(world));
	assert_true(talus_world_set_gravity(world, vec(0, 0, -10))); // as it is
	assert_true(talus_world_generation(world) == after);
	assert_true(talus_world_set_velocity(world, 2, vec(0, 0, 0)));
	assert_true(talus_world_generation(world) != after);
	after = talus_world_generation(world);
	assert_true(talus_world_remove_grain(world, 2));
	assert_true(talus_world_generation(world) != after);
	assert_int_equal(column(world, "grain.x").rows, 89);
	after = talus_world_generation(world);
	assert_false(talus_world_remove_grain(world, 2));
	assert_true(talus_world_generation(world) == after);
	talus_world_destroy(world);

	world = api_bed(1);
	for (int i = 0; i < 100; i++) {
		talus_world_step(world);
		talus_world_step(blind);
		for (int k = 0; talus_column_name(k); k++)
			column(world, talus_column_name(k));
	}
	assert_true(talus_world_hash(world) == talus_world_hash(blind));
	talus_world_destroy(world);
	talus_world_destroy(blind);
}

// Grains by id, contacts by their bodies: the same bytes whoever computes them, though rows of the world lie elsewhere.
static void test_copies(void **state)
{
	(void)state;
	static vec3 x[90], v[90], force[2][4000], normal[4000];
	static uint32_t id[90];
	static int64_t a[4000], b[4000];
	int64_t all = 0;
	for (int threads = 1; threads <= 2; threads++) {
		talus_world *world = api_bed(threads);
		api_steps(world, 300);
		assert_int_equal(talus_world_copy_column(world, "grain.id", id, sizeof id), 90);
		assert_int_equal(talus_world_copy_column(world, "grain.x", x, sizeof x), 90);
		assert_int_equal(talus_world_copy_column(world, "grain.v", v, sizeof v), 90);
		for (uint32_t i = 0; i < 90; i++) {
			size_t row = unit_row(world, i);
			assert_int_equal(id[i], i);
			assert_near3(x[i], world->state.bodies.x[row], 0);
			assert_near3(v[i], world->state.bodies.v[row], 0);
		}
		all = talus_world_copy_column(world, "contact.force", force[threads - 1], sizeof force[0]);
		assert_int_equal(all, talus_world_contacts(world));
		assert_int_equal(talus_world_copy_column(world, "contact.a", a, sizeof a), all);
		assert_int_equal(talus_world_copy_column(world, "contact.b", b, sizeof b), all);
		assert_int_equal(talus_world_copy_column(world, "contact.normal", normal, sizeof normal), all);
		for (int64_t i = 0; i < all; i++) {
			assert_true(i == 0 || a[i - 1] < a[i] || (a[i - 1] == a[i] && b[i - 1] <= b[i]));
			talus_contact_state c = talus_world_contact(world, unit_contact(world, a[i], b[i]));
			if (i > 0 && a[i - 1] == a[i] && b[i - 1] == b[i])
				continue; // touches in two places
			if (i + 1 < all && a[i + 1] == a[i] && b[i + 1] == b[i])
				continue;
			assert_near3(force[threads - 1][i], c.force, 0);
			assert_near3(normal[i], c.n, 0);
		}
		assert_int_equal(talus_world_copy_column(world, "grain.x", x, sizeof x - 1), -1);
		assert_non_null(strstr(talus_world_error(world)->text, "takes 2160 bytes, and there is room for 2159"));
		talus_world_destroy(world);
	}
	assert_memory_equal(force[0], force[1], (size_t)all*sizeof(vec3));
}

static void test_advance(void **state)
{
	(void)state;
	talus_world *world = api_bed(1);
	assert_int_equal(talus_world_advance(world, 0.1, 0, 0), TALUS_STOPPED_TIME);
	assert_int_equal(world->state.step, 25);
	double residual;
	assert_true(talus_world_observe(world, "residual", &residual, 1, NULL, NULL) && isfinite(residual));
	assert_int_equal(talus_world_advance(world, 0.1, 0, 0), TALUS_STOPPED_TIME);
	assert_int_equal(talus_world_advance(world, 10, 7, 0), TALUS_STOPPED_STEPS);
	assert_int_equal(world->state.step, 32);
	assert_int_equal(talus_world_advance(world, INFINITY, 0, 1e-9), TALUS_STOPPED_SECONDS);
	assert_int_equal(world->state.step, 33);
	assert_int_equal(talus_world_advance(world, INFINITY, 0, 0), TALUS_STOPPED_REFUSED);
	assert_non_null(strstr(talus_world_error(world)->text, "never end"));
	assert_int_equal(talus_world_advance(world, NAN, 1, 1), TALUS_STOPPED_REFUSED);
	talus_world *other = api_bed(1);
	api_steps(other, 33);
	assert_true(talus_world_hash(world) == talus_world_hash(other));
	talus_world_destroy(world);
	talus_world_destroy(other);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_all_names), cmocka_unit_test(test_values), cmocka_unit_test(test_generation),
		cmocka_unit_test(test_copies), cmocka_unit_test(test_advance),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
