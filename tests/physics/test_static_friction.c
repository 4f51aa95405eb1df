// SPDX-License-Identifier: MIT
// Static and dynamic friction: a block that holds up to mu_s and slides with mu_d, and packings in which
// hundreds of contacts make that choice at once.
#include "laws.h"

static const double steps[] = {0.02, 0.01, 0.0013};
static const double g = 9.81, mu_s = 0.6, mu_d = 0.35;

// ---------------------------------------------------------------- a block

typedef struct track { // a floor, askew, with a block on it
	talus_world *world;
	vec3 along, up;
	double mass;
} track;

// The block is a grain that cannot turn. `pull` is a force along the floor over its weight, `speed` is along
// it too.
static track track_create(int dimension, double dt, double pull, double speed)
{
	talus_world_def def = exact_def(dimension, dt);
	track t = {.up = unit(dimension == 2 ? vec(-0.6, 0.8, 0) : vec(0.36, 0.48, 0.8))};
	t.along = dimension == 2 ? vec(t.up.y, -t.up.x, 0) : unit(cross(t.up, vec(1, 2, 3)));
	def.gravity = mul(-g, t.up);
	t.world = world_of_law(&def, (talus_pair){.friction = mu_d, .static_friction = mu_s});
	put_plane(t.world, vec(0, 0, 0), t.up);
	talus_grain_def block = talus_grain_def_default();
	block.radius = 0.7;
	block.at = mul(block.radius, t.up);
	block.free = TALUS_FREE_X | TALUS_FREE_Y | TALUS_FREE_Z;
	block.velocity = mul(speed, t.along);
	t.mass = dimension == 2 ? PI*0.49 : 4*PI/3*0.343;
	block.force = mul(pull*t.mass*g, t.along);
	talus_world_add_grain(t.world, &block);
	return t;
}

// The pull changes; nobody but gravity and the floor acts otherwise.
static void track_pull(track *t, double pull)
{
	t->world->state.bodies.force[0] = mul(pull*t->mass*g, t->along);
}

static double speed_of(const track *t)
{
	return dot(look(t->world, 0).v, t->along);
}

// Friction over the push of the floor.
static double friction_of(const track *t)
{
	vec3 f = talus_world_wall(t->world, 0).force;
	return dot(f, t->along)/-dot(f, t->up);
}

// It moves along the floor only.
static void check_on_track(const track *t)
{
	grain b = look(t->world, 0);
	assert_near3(b.v, mul(dot(b.v, t->along), t->along), 1e-11);
	assert_near(dot(b.x, t->up), 0.7, 1e-11);
}

// Runs `n` steps during which the block gains a dt in each.
static void check_accelerates(track *t, double a, int n)
{
	double dt = t->world->state.def.step, before = speed_of(t);
	for (int k = 1; k <= n; k++) {
		talus_world_step(t->world);
		assert_near(speed_of(t), before + k*a*dt, 1e-11*(1 + fabs(a)));
		check_on_track(t);
	}
}

static void for_all_tracks(void (*body)(int dimension, double dt))
{
	for (size_t s = 0; s < some(COUNT(steps)); s++)
		for (int dimension = 2; dimension <= 3; dimension++)
			body(dimension, steps[s]);
}

// A pull below mu_s N is held, and friction is as large as the pull. Above that the block slides with mu_d.
static void holds_or_slides(int dimension, double dt)
{
	static const double pulls[] = {0, 0.2, 0.35, 0.5, 0.599, 0.601, 0.8, 2};
	for (size_t k = 0; k < COUNT(pulls); k++)
		for (int sign = -1; sign <= 1; sign += 2) {
			double pull = sign*pulls[k];
			track t = track_create(dimension, dt, pull, 0);
			bool slides = pulls[k] > mu_s;
			check_accelerates(&t, slides ? (pull - sign*mu_d)*g : 0, 40);
			assert_near(friction_of(&t), slides ? sign*mu_d : pull, 1e-11);
			talus_world_destroy(t.world);
		}
}

static void test_hold(void **state)
{
	(void)state;
	for_all_tracks(holds_or_slides);
}

// A block that slides is braked by mu_d, although mu_s could do more. In the last step friction does no more
// than stop it; then it holds again, up to mu_s.
static void slides_to_rest(int dimension, double dt)
{
	track t = track_create(dimension, dt, 0, 3);
	int n = (int)floor(3/(mu_d*g*dt));
	check_accelerates(&t, -mu_d*g, n);
	talus_world_step(t.world);
	assert_near(speed_of(&t), 0, 1e-11);
	check_accelerates(&t, 0, 5);
	track_pull(&t, 0.599);
	check_accelerates(&t, 0, 20);
	assert_near(friction_of(&t), 0.599, 1e-11);
	track_pull(&t, 0.601);
	check_accelerates(&t, (0.601 - mu_d)*g, 20);
	talus_world_destroy(t.world);
}

static void test_slide_to_rest(void **state)
{
	(void)state;
	for_all_tracks(slides_to_rest);
}

// Once it slides it goes on under a pull that it would have held, as long as that is above mu_d, and the
// other way round: what a block does between mu_d and mu_s depends on what it did before.
static void hysteresis(int dimension, double dt)
{
	track t = track_create(dimension, dt, 0.5, 0);
	check_accelerates(&t, 0, 10);
	track_pull(&t, 0.7);
	check_accelerates(&t, (0.7 - mu_d)*g, 10);
	track_pull(&t, 0.5);
	check_accelerates(&t, (0.5 - mu_d)*g, 10);
	track_pull(&t, 0.2); // until it stops
	double speed = speed_of(&t);
	int n = (int)floor(speed/((mu_d - 0.2)*g*dt) - 1e-6);
	check_accelerates(&t, (0.2 - mu_d)*g, n);
	talus_world_step(t.world);
	assert_near(speed_of(&t), 0, 1e-11);
	check_accelerates(&t, 0, 5);
	track_pull(&t, 0.5);
	check_accelerates(&t, 0, 10);
	talus_world_destroy(t.world);
}

static void test_hysteresis(void **state)
{
	(void)state;
	for_all_tracks(hysteresis);
}

// Stick and slip, slip and stick: gravity is tilted bit by bit, to one side and to the other. The block
// starts to slide on a slope above mu_s. One between mu_d and mu_s speeds it up as long as it slides; one
// below mu_d stops it.
static void tilted(int dimension, double dt)
{
	track t = track_create(dimension, dt, 0, 0);
	static const double slopes[] = {0.3, 0.55, 0.65, 0.5, 0.1, 0.55, -0.55, -0.62, -0.2, 0.3};
	static const bool slips[] = {false, false, true, true, true, false, false, true, true, false};
	for (size_t k = 0; k < COUNT(slopes); k++) {
		t.world->state.def.gravity = mul(g, sub(mul(slopes[k], t.along), t.up));
		double speed = speed_of(&t), sign = fabs(speed) > 1e-9 ? speed : slopes[k];
		sign = sign < 0 ? -1 : 1;
		double a = (slopes[k] - sign*mu_d)*g;
		if (!slips[k]) {
			check_accelerates(&t, 0, 15);
		} else if (sign*a > 0) {
			check_accelerates(&t, a, 15);
		} else { // it comes to rest
			check_accelerates(&t, a, (int)floor(-speed/(a*dt) - 1e-6));
			run(t.world, 3);
			assert_near(speed_of(&t), 0, 1e-11);
		}
	}
	talus_world_destroy(t.world);
}

static void test_tilted(void **state)
{
	(void)state;
	for_all_tracks(tilted);
}

// ---------------------------------------------------------------- packings

// 200 disks fall into a box and settle; friction is `mu`, static `ms`.
static talus_world *packing(const talus_solver_def *solver, double mu, double ms)
{
	talus_world_def def = plain_def();
	def.dimension = 2;
	def.step = 0.02;
	def.gravity = vec(0, -1, 0);
	def.solver = *solver;
	talus_world *world = world_of_law(&def, (talus_pair){.friction = mu, .static_friction = ms});
	put_plane(world, vec(0, 0, 0), vec(0, 1, 0));
	put_plane(world, vec(0, 0, 0), vec(1, 0, 0));
	put_plane(world, vec(24, 0, 0), vec(-1, 0, 0));
	talus_fill_def fill = {.count = 200, .jitter = 1,
		.radius = {.kind = TALUS_SIZE_UNIFORM, .a = 0.6, .b = 1}};
	fill.arrangement = TALUS_ARRANGE_LATTICE;
	fill.in.box.high = vec(24, 40, 0);
	talus_error error;
	if (!talus_world_fill(world, &fill, &error))
		fail_msg("%s", error.text);
	return world;
}

static int by_size(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;
	return (x > y) - (x < y);
}

enum { STEPS = 1000 };

typedef struct quality { // of the solves of a packing that falls and settles
	double three_quarters, nine_tenths, worst; // residual that so many of the steps do not exceed
	int capped;
} quality;

static quality settle(const talus_solver_def *solver, double mu, double ms, int steps_more)
{
	talus_world *world = packing(solver, mu, ms);
	double residual[STEPS];
	for (int n = 0; n < STEPS; n++)
		residual[n] = talus_world_step(world).residual;
	run(world, steps_more);
	qsort(residual, STEPS, sizeof residual[0], by_size);
	quality q = {.three_quarters = residual[STEPS*3/4], .nine_tenths = residual[STEPS*9/10],
		.worst = residual[STEPS - 1], .capped = (int)world->report.capped_all};
	talus_world_destroy(world);
	return q;
}

// With two coefficients sweeps come as near to the solution as with one between them: no contact changes its
// mind for ever.
static void test_sweeps(void **state)
{
	(void)state;
	static const int sweeps[] = {50, 20, 100};
	for (size_t k = 0; k < (quick() ? 1 : long_form() ? COUNT(sweeps) : 2); k++) {
		talus_solver_def solver = plain_def().solver;
		solver.iterations = sweeps[k];
		quality two = settle(&solver, 0.3, 0.6, 0), one = settle(&solver, 0.45, 0.45, 0);
		assert_below(two.three_quarters, 2*one.three_quarters);
		assert_below(two.nine_tenths, 1.5*one.nine_tenths);
		assert_below(two.worst, 0.1);
	}
}

// And they get to the end of it in most steps, or at least near. Contacts that went on choosing between the
// two would leave a residual of some 1e-2, however long they are swept.
static void test_converges(void **state)
{
	(void)state;
	if (quick())
		skip();
	talus_solver_def solver = plain_def().solver;
	solver.stop = TALUS_STOP_RESIDUAL;
	solver.tolerance = 1e-6;
	solver.max_iterations = 1000;
	quality two = settle(&solver, 0.3, 0.6, STEPS/2), one = settle(&solver, 0.45, 0.45, STEPS/2);
	assert_below(two.capped, 0.5*1.5*STEPS);
	assert_below(two.capped, 2*one.capped);
	assert_below(two.worst, 3*one.worst);
}

static double farthest(const talus_world *a, const talus_world *b)
{
	double most = 0;
	for (uint32_t i = 0; i < a->state.bodies.count; i++)
		most = fmax(most, norm(sub(look(a, i).x, look(b, i).x)));
	return most;
}

// With mu_s = mu_d, or less, it is Coulomb's friction, bit for bit. With mu_s above by no more than the last
// digit it takes another way through the program to the same result, for as long as a packing that falls does
// not make rounding errors large.
static void test_plain(void **state)
{
	(void)state;
	talus_solver_def solver = plain_def().solver;
	talus_world *plain = packing(&solver, 0.45, 0), *equal = packing(&solver, 0.45, 0.45);
	talus_world *less = packing(&solver, 0.45, 0.2), *above = packing(&solver, 0.45, nextafter(0.45, 1));
	for (int n = 0; n < 170; n++) {
		talus_world_step(plain);
		talus_world_step(equal);
		talus_world_step(less);
		talus_world_step(above);
		assert_below(farthest(plain, above), 1e-10);
	}
	uint64_t hash = talus_world_hash(plain);
	assert_true(talus_world_hash(equal) == hash && talus_world_hash(less) == hash);
	assert_true(above->contacts.class_end[TALUS_COULOMB] == 0 && above->contacts.count > 150);
	talus_world_destroy(plain);
	talus_world_destroy(equal);
	talus_world_destroy(less);
	talus_world_destroy(above);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_hold),
		cmocka_unit_test(test_slide_to_rest),
		cmocka_unit_test(test_hysteresis),
		cmocka_unit_test(test_tilted),
		cmocka_unit_test(test_sweeps),
		cmocka_unit_test(test_converges),
		cmocka_unit_test(test_plain),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
