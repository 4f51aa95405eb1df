// SPDX-License-Identifier: MIT
// What a sweep with momentum did, added up: the same bits for all widths, whichever contacts share a batch, whoever comes first.
#include "unit.h"

#include "law/law.h"
#include "solve/solve.h"

#include <stdlib.h>

enum { CONTACTS = 203, GROUPS = 30, BODIES = 2*CONTACTS, NOBODY = BODIES, ORDERS = 1000, KERNELS = 3 };

// Contacts that share no body, some of them a million times as heavy as others.
typedef struct heap {
	talus_solver_body motion[BODIES + 1];
	talus_contact contact[CONTACTS];
	talus_row row[CONTACTS];
	vec3 p[CONTACTS], q[CONTACTS];
	talus_extended extended[CONTACTS];
	impulse old[CONTACTS];
} heap;

static talus_solver_body some_body(dice *d, int dimension)
{
	double inverse = pow(10, roll(d, -3, 3));
	vec3 s = dimension == 2 ? vec(0, 0, roll(d, -1, 1)) : mul(roll(d, 0, 1), roll_direction(d, 3));
	return (talus_solver_body){.v = mul(roll(d, 0, 2), roll_direction(d, dimension)), .inv_m = inverse, .r_omega = s, .r2_over_I = 2.5*inverse};
}

static void make(heap *h, int dimension, uint64_t seed)
{
	dice d = dice_make(seed);
	memset(h, 0, sizeof *h);
	for (uint32_t i = 0; i < CONTACTS; i++) {
		talus_contact *c = &h->contact[i];
		h->motion[2*i] = some_body(&d, dimension);
		h->motion[2*i + 1] = some_body(&d, dimension);
		*c = (talus_contact){.a = 2*i, .b = 2*i + 1, .n = roll_direction(&d, dimension)};
		coulomb_prepare(&h->row[i], &h->motion[2*i], &h->motion[2*i + 1], roll(&d, -0.1, 0.1), 0, 0.1, TALUS_GAP_POSITIVE, roll(&d, 0, 1));
		double mu = h->row[i].mu;
		h->p[i] = mul(roll(&d, 0, 1), c->n);
		h->old[i].p = mul(roll(&d, 0, 1), roll_direction(&d, dimension));
		h->extended[i] = (talus_extended){.mu_stick = mu, .mu_slide = mu, .roll = 0.3, .twist = 0.1, .inertia = h->row[i].mass_t,
			.curve_a = 1, .curve_b = 1};
		h->q[i] = vec(0, 0, roll(&d, -0.1, 0.1));
	}
}

// ---------------------------------------------------------------- dealt to lanes

typedef struct dealt {
	heap h;
	batch batch[GROUPS + KERNEL_AHEAD];
	past past[GROUPS];
	extended_batch extended[GROUPS];
	extended_past extended_past[GROUPS];
} dealt;

static void deal_one(dealt *t, uint32_t i, uint32_t place)
{
	const talus_contact *c = &t->h.contact[i];
	uint32_t group = place/LANES, lane = place%LANES;
	contact_bodies at = {LINE*c->a, LINE*c->b};
	heap *h = &t->h;
	const talus_problem problem = {.contacts = CONTACTS, .class_end[TALUS_EXTENDED] = CONTACTS, .contact = h->contact, .row = h->row, .p = h->p, .q = h->q,
		.extended = h->extended};
	batch_put(&t->batch[group], lane, at, c->n, &h->row[i], h->p[i]);
	class_extended.put(&t->extended[group], lane, at, &problem, i);
	t->past[group].weight[lane] = 1/h->row[i].mass_n;
	for (int k = 0; k < 3; k++)
		t->past[group].p[k][lane] = t->extended_past[group].p[k][lane] = component(t->h.old[i].p, k);
}

static void deal(dealt *t, const heap *h, const uint32_t place[GROUPS*LANES])
{
	memset(t, 0, sizeof *t);
	t->h = *h;
	for (int g = 0; g < GROUPS + KERNEL_AHEAD; g++)
		batch_clear(&t->batch[g], LINE*NOBODY);
	for (int g = 0; g < GROUPS; g++)
		class_extended.clear(&t->extended[g], LINE*NOBODY);
	for (uint32_t i = 0; i < CONTACTS; i++)
		deal_one(t, i, place[i]);
}

// Calls of some groups each, in a random order of calls.
static void sweep(dealt *t, const kernel *k, bool extended, uint64_t stream, const double coarse[WORKS], double work[WORKS])
{
	dice d = dice_make(stream);
	double sum[WORKS][LANES] = {{0}}, beta = 0.7;
	uint32_t cut[GROUPS + 1] = {0}, turn[GROUPS], calls = 0;
	for (uint32_t at = 0; at < GROUPS; at = cut[calls]) {
		uint32_t next = at + 1 + (uint32_t)roll(&d, 0, 5);
		turn[calls] = calls;
		cut[++calls] = next < GROUPS ? next : GROUPS;
	}
	order_shuffle(turn, calls, stream);
	for (uint32_t i = 0; i < calls; i++) {
		uint32_t first = cut[turn[i]], groups = cut[turn[i] + 1] - first;
		if (extended)
			k->extended->accelerated_sweep(t->extended + first, groups, t->h.motion, NULL, NULL, t->extended_past + first, beta, coarse, sum);
		else
			k->accelerated_sweep(t->batch, &(batch_span){first, groups, false}, 1, t->h.motion, i%2, t->past, beta, coarse, sum);
	}
	for (int w = 0; w < WORKS; w++) {
		work[w] = 0;
		for (int l = 0; l < LANES; l++)
			work[w] += sum[w][l];
	}
}

static int kernels(const kernel *k[KERNELS])
{
	static const talus_simd simd[KERNELS] = {TALUS_SIMD_GENERIC, TALUS_SIMD_AVX2, TALUS_SIMD_AVX512};
	int count = 0;
	for (int i = 0; i < KERNELS; i++)
		if (kernel_named(simd[i]))
			k[count++] = kernel_named(simd[i]);
	return count;
}

static heap start;
static dealt table;

static void try_orders(int dimension, bool extended)
{
	const double coarse[WORKS] = {0x1.8p40, 0x1.8p40, 0x1.8p40}, exact[WORKS] = {0};
	const kernel *k[KERNELS];
	uint32_t place[GROUPS*LANES];
	double first[WORKS], fine[WORKS], work[WORKS];
	int count = kernels(k);
	make(&start, dimension, 3);
	for (uint32_t i = 0; i < GROUPS*LANES; i++)
		place[i] = i;
	for (uint64_t order = 0; order < ORDERS; order++) {
		const kernel *now = k[order%(uint64_t)count];
		deal(&table, &start, place);
		sweep(&table, dimension == 2 && !extended ? now->flat : now, extended, order, coarse, work);
		if (order == 0)
			memcpy(first, work, sizeof first);
		assert_memory_equal(work, first, sizeof first);
		order_shuffle(place, GROUPS*LANES, order);
	}
	deal(&table, &start, place);
	sweep(&table, k[0], extended, 1, exact, fine); // to the last place, in one of the orders
	for (int w = 0; w < WORKS; w++)
		assert_near(first[w], fine[w], CONTACTS*0x1p-13);
	assert_true(first[WORK_SIZE] > 10 && first[WORK_SPAN] > fabs(first[WORK_ALONG]) && first[WORK_ALONG] != 0);
}

static void test_orders(void **state)
{
	(void)state;
	try_orders(3, false);
	try_orders(2, false);
	try_orders(3, true);
}

// ---------------------------------------------------------------- believed, or not

typedef struct office {
	talus_contact contact[3];
	batch batch;
	past past;
	double sum[2][WORKS][LANES];
	momentum m;
	schedule s;
	talus_problem problem;
	solver_workspace ws;
} office;

static void office_open(office *o, double beta, double coarse)
{
	memset(o, 0, sizeof *o);
	o->m = (momentum){.beta = beta, .past = {[TALUS_COULOMB] = &o->past}, .sum = o->sum, .coarse = {coarse, coarse, coarse}};
	o->s = (schedule){.batched = true, .of = {[TALUS_COULOMB] = {.batches = 1, .batch = &o->batch}}};
	o->problem = (talus_problem){.contacts = 3, .class_end = {3, 3}, .contact = o->contact};
	o->ws = (solver_workspace){.momentum = &o->m};
}

// Sums below the limit are what they are; of others one learns that they are larger, and momentum is to be dropped.
static void test_limit(void **state)
{
	(void)state;
	static office o;
	double work[WORKS], limit = 0x1p9; // of 1.5 2^10
	for (int over = -1; over <= 1; over++) {
		office_open(&o, 0.5, 0x1.8p10);
		o.sum[0][WORK_SIZE][0] = o.sum[0][WORK_SIZE][7] = limit/2 + over;
		o.sum[0][WORK_ALONG][3] = -5;
		o.sum[0][WORK_SPAN][2] = 7;
		work_end(&o.ws, &o.s, &o.problem, work);
		assert_true(work[WORK_SIZE] == (over > 0 ? 2*limit : limit + 2*over));
		assert_true(over > 0 ? work[WORK_ALONG] > 0 : work[WORK_ALONG] == -5);
		assert_true(o.m.coarse[WORK_SIZE]/3 >= 256*work[WORK_SIZE] && o.m.coarse[WORK_SIZE]/3 <= 1024*work[WORK_SIZE]);
		assert_true(o.m.coarse[WORK_ALONG] == o.m.coarse[WORK_SPAN]);
	}
	office_open(&o, 0.5, 0x1.8p10);
	o.sum[0][WORK_SIZE][0] = 1;
	o.sum[0][WORK_ALONG][0] = -2*limit;
	o.sum[0][WORK_SPAN][0] = 2*limit;
	work_end(&o.ws, &o.s, &o.problem, work);
	assert_true(work[WORK_SIZE] == 1 && work[WORK_ALONG] > 0);
}

// Without momentum terms can be had again from the impulses: when nothing was known, and when it was much more or less.
static void test_again(void **state)
{
	(void)state;
	static office o;
	static const double coarse[] = {0, 0x1.8p-30, 0x1.8p60};
	for (int i = 0; i < 3; i++) {
		double work[WORKS], x[3] = {1, 1e-3, 0.25};
		office_open(&o, 0, coarse[i]);
		for (int l = 0; l < 3; l++) {
			o.batch.p[l][l] = 2 + x[l];
			o.past.p[l][l] = 2;
			o.past.weight[l] = 3;
		}
		o.sum[0][WORK_SIZE][0] = 3;
		work_end(&o.ws, &o.s, &o.problem, work);
		assert_near(work[WORK_SIZE], 3*(1 + 1e-6 + 0.0625), 1e-13);
		assert_true(work[WORK_ALONG] == -work[WORK_SIZE] && work[WORK_SPAN] == work[WORK_SIZE]);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_orders),
		cmocka_unit_test(test_limit),
		cmocka_unit_test(test_again),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
