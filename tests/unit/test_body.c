// SPDX-License-Identifier: MIT
// Columns of grains.
#include "unit.h"

#include "state/bodies.h"

// Nothing wraps here.
static const cell open_space;

static talus_grain_def numbered(int k)
{
	talus_grain_def def = talus_grain_def_default();
	def.at = vec(k, k + 0.1, k + 0.2);
	def.radius = 1 + 0.01*k;
	def.material = k%7;
	def.velocity = vec(-k, 2*k, 3*k);
	def.spin = vec(4*k, 5*k, 6*k);
	def.force = vec(7*k, 8*k, 9*k);
	def.free = (unsigned)k%16;
	return def;
}

// Is row i the grain that was added as number k, in every column?
static void assert_row(const bodies *b, size_t i, int k)
{
	talus_grain_def def = numbered(k);
	double volume = 4*M_PI/3*pow(def.radius, 3);
	assert_int_equal(b->id[i], k);
	assert_near3(b->x[i], def.at, 0);
	assert_near3(b->x_listed[i], add(def.at, vec(0.5, 0, 0)), 0);
	assert_near3(b->v[i], def.velocity, 0);
	assert_near3(b->spin[i], def.spin, 0);
	assert_near3(b->force[i], def.force, 0);
	assert_near(b->radius[i], def.radius, 0);
	assert_near(b->mass[i], 2.5*volume, 1e-12*volume);
	assert_near(b->inertia[i], 0.4*b->mass[i]*def.radius*def.radius, 1e-12*volume);
	assert_int_equal(b->material[i], k%7);
	assert_int_equal(b->free[i], k%16);
	assert_int_equal(b->image[i][2], 3*k);
	assert_near(b->q[i][0], 1, 0);
	assert_near(b->q[i][3], k, 0);
}

static bodies some(int count)
{
	bodies b = {0};
	for (int k = 0; k < count; k++) {
		talus_grain_def def = numbered(k);
		assert_int_equal(bodies_add(&b, &def, 3, 2.5), k);
		assert_int_equal(b.image[k][0] | b.image[k][1] | b.image[k][2], 0);
		assert_near(b.q[k][3], 0, 0);
		b.image[k][2] = 3*k;
		b.q[k][3] = k;
		b.x_listed[k].x += 0.5;
	}
	return b;
}

static void test_add(void **state)
{
	(void)state;
	bodies b = some(100);
	assert_int_equal(b.count, 100);
	for (int k = 0; k < 100; k++)
		assert_row(&b, (size_t)k, k);
	bodies_reserve(&b, 5000);
	assert_int_equal(b.capacity, 5000);
	bodies_reserve(&b, 10);
	assert_int_equal(b.capacity, 5000);
	for (int k = 0; k < 100; k++)
		assert_row(&b, (size_t)k, k);
	bodies_free(&b);
	assert_null(b.x);
	assert_int_equal(b.count, 0);
}

// Disks: mass from the area, inertia m r^2/2.
static void test_disk(void **state)
{
	(void)state;
	bodies b = {0};
	talus_grain_def def = numbered(3);
	bodies_add(&b, &def, 2, 2);
	assert_near(b.mass[0], 2*M_PI*1.03*1.03, 1e-14);
	assert_near(b.inertia[0], b.mass[0]*0.5*1.03*1.03, 1e-14);
	bodies_free(&b);
}

static void test_reorder(void **state)
{
	(void)state;
	enum { N = 97 };
	bodies b = some(N);
	uint32_t order[N];
	for (uint32_t i = 0; i < N; i++)
		order[i] = (i*31 + 5)%N;
	char room[N*BODIES_WIDEST];
	bodies_reorder(&b, order, room, NULL);
	for (size_t i = 0; i < N; i++)
		assert_row(&b, i, (int)order[i]);
	talus_grain_def def = numbered(N);
	assert_int_equal(bodies_add(&b, &def, 3, 1), N);
	bodies_free(&b);
}

// What lies on the border stays, what is nowhere (not a number) goes, order is kept, ids are not given twice.
static void test_remove(void **state)
{
	(void)state;
	bodies b = some(20);
	b.x[12].y = NAN;
	talus_box box = {{5, 5.1, 5.2}, {15, 15.1, 15.2}};
	assert_int_equal(bodies_remove_outside(&b, &box, &open_space, 3, NULL), 10);
	assert_int_equal(b.count, 10);
	for (size_t i = 0; i < 10; i++)
		assert_row(&b, i, (int)i + 5 + (i >= 7));
	assert_int_equal(bodies_remove_outside(&b, &box, &open_space, 3, NULL), 0);
	talus_grain_def def = numbered(20);
	assert_int_equal(bodies_add(&b, &def, 3, 2.5), 20);
	bodies_free(&b);
}

static void test_each_side_removes(void **state)
{
	(void)state;
	talus_box box = {{-1, -2, -3}, {1, 2, 3}};
	for (int k = 0; k < 6; k++)
		for (int dimension = 2; dimension <= 3; dimension++) {
			bodies b = {0};
			talus_grain_def def = numbered(0);
			def.at = vec(0, 0, 0);
			set_component(&def.at, k%3, (k < 3 ? 1 : -1)*(1.001 + k%3));
			bodies_add(&b, &def, dimension, 1);
			size_t gone = bodies_remove_outside(&b, &box, &open_space, dimension, NULL);
			assert_int_equal(gone, k%3 < dimension ? 1 : 0);
			bodies_free(&b);
		}
}

static void test_mean_radius(void **state)
{
	(void)state;
	bodies none = {0}, b = some(3);
	assert_near(bodies_mean_radius(&none, NULL), 0, 0);
	assert_near(bodies_mean_radius(&b, NULL), 1.01, 1e-15);
	bodies_free(&b);
}

static void test_partly_locked(void **state)
{
	(void)state;
	bodies b = some(16);
	for (size_t free = 0; free < 16; free++) {
		unsigned all = (unsigned)free & 7, plane = (unsigned)free & 3;
		assert_int_equal(bodies_partly_locked(&b, free, 3), all != 0 && all != 7);
		assert_int_equal(bodies_partly_locked(&b, free, 2), plane != 0 && plane != 3);
	}
	bodies_free(&b);
}

// Every column of the table is one of the struct, once, and not wider than the room for one; its rows start as the table says.
static void test_columns(void **state)
{
	(void)state;
	bodies b = some(3);
	for (const body_column *c = body_columns; c < body_columns + BODY_COLUMNS; c++) {
		assert_true(c->name && c->meaning && c->unit && c->width >= 1 && c->width <= 4);
		assert_true(body_column_bytes(c) <= BODIES_WIDEST && (!c->hashed || body_column_bytes(c)%8 == 0));
		for (const body_column *other = body_columns; other < c; other++) {
			assert_true(c->offset != other->offset);
			assert_string_not_equal(c->name, other->name);
		}
		memset(body_column_rows(&b, c), 0x55, 3*body_column_bytes(c));
		body_column_start(&b, c, 1, 3);
		unsigned char first = *(unsigned char *)body_column_rows(&b, c);
		assert_int_equal(first, 0x55);
	}
	assert_true(b.q[1][0] == 1 && b.q[2][0] == 1 && b.q[2][3] == 0 && b.image[2][2] == 0 && b.free[1] == 0 && b.id[2] == 0 && b.mass[1] == 0);
	bodies_free(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_add),
		cmocka_unit_test(test_disk),
		cmocka_unit_test(test_reorder),
		cmocka_unit_test(test_remove),
		cmocka_unit_test(test_each_side_removes),
		cmocka_unit_test(test_mean_radius),
		cmocka_unit_test(test_partly_locked),
		cmocka_unit_test(test_columns),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
