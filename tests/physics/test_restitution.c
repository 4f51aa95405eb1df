// SPDX-License-Identifier: MIT
// Collisions that bounce, where every number is known: two bodies, rows of balls, a ball on a floor.
#include "laws.h"

static const double steps[] = {0.5, 0.01, 1e-4};
static const double tolerance = 1e-12;

// ---------------------------------------------------------------- two bodies

typedef enum partner { GRAIN, WALL, PISTON, PARTNERS } partner; // that the grain b collides with

typedef struct body { // as a collision sees it; a wall has no inverse mass
	vec3 v, spin;
	double r, inv_m, k; // k: r^2/I
} body;

typedef struct duel {
	talus_world *world;
	uint32_t a, b;
	partner who;
	vec3 n; // from a to b
} duel;

static vec3 askew(int dimension)
{
	return unit(dimension == 2 ? vec(-0.6, 0.8, 0) : vec(0.36, 0.48, -0.8));
}

// A world with two materials of density 1 and `ratio`, all pairs with the same law.
static talus_world *bouncy(const talus_world_def *def, double ratio, talus_pair law)
{
	talus_world *world = talus_world_create(def);
	talus_world_add_material(world, "light", 1);
	talus_world_add_material(world, "heavy", ratio);
	for (int k = 0; k < 4; k++) {
		law.a = k%2;
		law.b = k/2;
		talus_world_set_pair(world, &law);
	}
	return world;
}

static uint32_t put_body(talus_world *world, int material, vec3 at, const body *b)
{
	talus_grain_def def = {.at = at, .radius = b->r, .material = material, .velocity = b->v, .spin = b->spin};
	def.free = TALUS_FREE_ALL;
	return talus_world_add_grain(world, &def);
}

static double mass_of(int dimension, double radius)
{
	return dimension == 2 ? PI*radius*radius : 4*PI/3*radius*radius*radius;
}

// Both bodies with the velocities given, the gap at the origin. b is `ratio` times as heavy as a.
static duel duel_create(const talus_world_def *def, talus_pair law, partner who, vec3 n, double gap,
	body *a, body *b, double ratio)
{
	int dimension = def->dimension;
	double ma = mass_of(dimension, a->r), density = ratio*ma/mass_of(dimension, b->r);
	duel d = {.world = bouncy(def, density, law), .who = who, .n = n};
	if (who == GRAIN) {
		d.a = put_body(d.world, 0, mul(-a->r, n), a);
	} else {
		talus_wall_def plane = talus_wall_def_default(TALUS_WALL_PLANE);
		plane.axis = n;
		plane.velocity = who == PISTON ? vec(0, 0, 0) : a->v;
		if (who == PISTON) {
			plane.mass = ma;
			plane.free = TALUS_FREE_X | TALUS_FREE_Y | (dimension == 3 ? TALUS_FREE_Z : 0u);
		}
		talus_world_add_wall(d.world, &plane);
		d.world->state.walls.at[0].v = a->v; // a piston that is on its way
		a->spin = vec(0, 0, 0);
	}
	d.b = put_body(d.world, 1, mul(b->r + gap, n), b);
	a->inv_m = who == WALL ? 0 : 1/ma;
	a->k = who == GRAIN ? spin_share(dimension)/ma : 0;
	b->inv_m = 1/(ratio*ma);
	b->k = spin_share(dimension)*b->inv_m;
	return d;
}

static body see(const talus_world *world, uint32_t id, const body *like)
{
	grain g = look(world, id);
	return (body){g.v, g.spin, g.r, like->inv_m, like->k};
}

static body see_partner(const duel *d, const body *like)
{
	if (d->who == GRAIN)
		return see(d->world, d->a, like);
	body it = *like;
	it.v = talus_world_wall(d->world, 0).velocity;
	return it;
}

// Two bodies that meet head-on leave each other with e times the speed, whatever their masses, the gap and
// the step. Perfectly inelastic ones take two steps for that, others one.
static void head_on(int dimension, double dt, partner who, double e, double ratio, double gap)
{
	talus_world_def def = plain_def();
	def.dimension = dimension;
	def.step = dt;
	def.solver.iterations = 1; // one visit is enough for a contact that is alone
	double speed = 0.1/dt;
	vec3 n = askew(dimension);
	body a = {.v = mul(0.3*speed, n), .r = 1}, b = {.r = 0.4};
	b.v = mul_add(a.v, -speed, n);
	duel d = duel_create(&def, (talus_pair){.friction = 0.5, .restitution = e}, who, n, gap, &a, &b, ratio);
	run(d.world, 8);
	body a2 = see_partner(&d, &a), b2 = see(d.world, d.b, &b);
	assert_near3(sub(b2.v, a2.v), mul(e*speed, n), tolerance*speed);
	if (who == WALL) {
		assert_near3(a2.v, a.v, tolerance*speed);
	} else { // momentum over the mass of the heavier one
		double light = fmin(a.inv_m, b.inv_m), wa = light/a.inv_m, wb = light/b.inv_m;
		assert_near3(add(mul(wa, a2.v), mul(wb, b2.v)), add(mul(wa, a.v), mul(wb, b.v)), tolerance*speed);
	}
	talus_world_destroy(d.world);
}

static void test_head_on(void **state)
{
	(void)state;
	static const double es[] = {0, 0.3, 0.9, 1}, ratios[] = {1e-3, 0.2, 1, 1e3}, gaps[] = {0, 0.04, 0.37};
	for (size_t s = 0; s < COUNT(steps); s++)
		for (int dimension = 2; dimension <= 3; dimension++)
			for (partner who = 0; who < PARTNERS; who++)
				for (size_t k = 0; k < COUNT(es)*COUNT(ratios)*COUNT(gaps); k++)
					head_on(dimension, steps[s], who, es[k%4], ratios[k/4%4], gaps[k/16]);
}

// Velocity of b relative to a where they touch.
static vec3 at_contact(const body *a, const body *b, vec3 n)
{
	return sub(add(b->v, cross(b->spin, mul(-b->r, n))), add(a->v, cross(a->spin, mul(a->r, n))));
}

// Walton's collision: the push is (1 + e) m_n V_n; friction is what turns the sliding into -e_t times
// itself, or mu times the push if that is less. Returns whether it slides.
static bool collide(body *a, body *b, const talus_pair *law, vec3 n)
{
	vec3 u = at_contact(a, b, n);
	double un = dot(u, n), inverse = a->inv_m + b->inv_m, share = 1/(1 + (a->k + b->k)/inverse);
	vec3 ut = mul_add(u, -un, n);
	double push = -(1 + law->restitution)*un/inverse;
	double rub = share*(1 + law->tangential_restitution)*norm(ut)/inverse, most = law->friction*push;
	bool slides = rub > most;
	vec3 p = norm(ut) > 0 ? mul_add(mul(push, n), -fmin(rub, most)/norm(ut), ut) : mul(push, n);
	vec3 torque = cross(n, p);
	a->v = mul_add(a->v, -a->inv_m, p);
	b->v = mul_add(b->v, b->inv_m, p);
	a->spin = mul_add(a->spin, -a->k/a->r, torque);
	b->spin = mul_add(b->spin, -b->k/b->r, torque);
	return slides;
}

typedef struct draw { // random numbers of one collision
	uint64_t stream, used;
} draw;

static double between(draw *d, double low, double high)
{
	return low + (high - low)*random_unit(d->stream, d->used++);
}

static body random_body(draw *d, int dimension, double dt)
{
	body b = {.r = pow(10, between(d, -0.7, 0.7))};
	b.v = mul(0.1/dt, random_vector(dimension, d->stream, 1000 + d->used++));
	vec3 spin = mul(0.1/dt/b.r, random_vector(3, d->stream, 2000 + d->used++));
	b.spin = dimension == 2 ? vec(0, 0, spin.z) : spin;
	return b;
}

static talus_pair random_law(draw *d)
{
	static const double es[] = {0, 0.3, 0.8, 1};
	talus_pair law = {.restitution = es[(int)between(d, 0, 4)], .friction = between(d, 0, 1.2)};
	law.tangential_restitution = es[(int)between(d, 0, 4)];
	return law;
}

// Returns whether it slides.
static bool random_collision(int dimension, double dt, partner who, uint64_t number)
{
	draw d = {.stream = test_stream(number)};
	talus_world_def def = plain_def();
	def.dimension = dimension;
	def.step = dt;
	def.solver.iterations = 3; // friction and its limit on their own take one; a piston's are coupled
	talus_pair law = random_law(&d);
	body a = random_body(&d, dimension, dt), b = random_body(&d, dimension, dt);
	vec3 n = unit(random_vector(dimension, d.stream, 3000));
	double ratio = pow(10, between(&d, -3, 3)), un = dot(sub(b.v, a.v), n);
	if (un > 0)
		n = neg(n);
	// what does not bounce closes the gap first, and would meet a step later under another angle
	bool bounces = law.restitution > 0 || law.tangential_restitution > 0;
	double gap = bounces ? 0.3*fabs(un)*dt : 0;
	duel two = duel_create(&def, law, who, n, gap, &a, &b, ratio);
	double scale = norm(a.v) + norm(b.v) + a.r*norm(a.spin) + b.r*norm(b.spin);
	vec3 u = at_contact(&a, &b, n);
	bool slides = collide(&a, &b, &law, n);
	talus_world_step(two.world);
	body a2 = see_partner(&two, &a), b2 = see(two.world, two.b, &b);
	scale += norm(a.v) + norm(b.v);
	assert_near3(a2.v, a.v, tolerance*scale);
	assert_near3(b2.v, b.v, tolerance*scale);
	assert_near3(mul(a.r, a2.spin), mul(a.r, who == GRAIN ? a.spin : vec(0, 0, 0)), tolerance*scale);
	assert_near3(mul(b.r, b2.spin), mul(b.r, b.spin), tolerance*scale);
	if (slides && who != PISTON) { // the same for all masses and radii: 7/2 mu (1 + e) V_n for balls, 3 for disks
		double lost = (dimension == 2 ? 3 : 3.5)*law.friction*(1 + law.restitution)*fabs(un);
		vec3 change = sub(at_contact(&a2, &b2, n), u);
		assert_near(norm(mul_add(change, -dot(change, n), n)), lost, tolerance*scale);
	}
	talus_world_destroy(two.world);
	return slides;
}

static void test_oblique(void **state)
{
	(void)state;
	enum { N = 150 };
	for (size_t s = 0; s < COUNT(steps); s++)
		for (int dimension = 2; dimension <= 3; dimension++)
			for (partner who = 0; who < PARTNERS; who++) {
				int slid = 0;
				for (uint64_t k = 0; k < N; k++)
					slid += random_collision(dimension, steps[s], who, 100*k + (uint64_t)who);
				assert_in_range(slid, N/5, N - N/5); // both happen
			}
}

// ---------------------------------------------------------------- rows

static talus_world *row(int dimension, double dt, double e, int balls, double first_gap, double gap)
{
	talus_world_def def = exact_def(dimension, dt);
	talus_world *world = world_of_law(&def, (talus_pair){.friction = 0.3, .restitution = e});
	for (int i = 0; i < balls; i++)
		put_grain(world, vec(2*i + (i > 0 ? first_gap + (i - 1)*gap : 0), 0, 0), 1,
			vec(i == 0 ? 0.1/dt : 0, 0, 0));
	return world;
}

// The first one of n balls in a row runs into the others, which touch: those stay together, with (1 + e)/n
// of its speed, because only the first contact bounces. It has what is left of the momentum. With e = 1 that
// keeps energy, too.
static void test_touching_row(void **state)
{
	(void)state;
	static const double es[] = {0.3, 0.8, 1};
	for (size_t s = 0; s < COUNT(steps); s++)
		for (int dimension = 2; dimension <= 3; dimension++)
			for (int n = 2; n <= 7; n++)
				for (size_t k = 0; k < COUNT(es); k++) {
					talus_world *world = row(dimension, steps[s], es[k], n, 0.03, 0);
					double v = 0.1/steps[s], u = (1 + es[k])/n*v;
					for (int step = 0; step < 4; step++) {
						talus_world_step(world);
						assert_near3(look(world, 0).v, vec(v - (n - 1)*u, 0, 0), tolerance*v);
						for (uint32_t i = 1; i < (uint32_t)n; i++)
							assert_near3(look(world, i).v, vec(u, 0, 0), tolerance*v);
					}
					assert_true(world->report.bounces_reduced == 0);
					talus_world_destroy(world);
				}
}

// With gaps that take longer than a step the collisions come one after the other: Newton's cradle. Only the
// last ball leaves.
static void test_cradle(void **state)
{
	(void)state;
	for (size_t s = 0; s < COUNT(steps); s++)
		for (int dimension = 2; dimension <= 3; dimension++) {
			enum { N = 6 };
			double v = 0.1/steps[s];
			talus_world *world = row(dimension, steps[s], 1, N, 0.03, 0.101);
			run(world, 20);
			for (uint32_t i = 0; i < N; i++)
				assert_near3(look(world, i).v, vec(i == N - 1 ? v : 0, 0, 0), tolerance*v);
			talus_world_destroy(world);
		}
}

// ---------------------------------------------------------------- a ball on a floor

static const double g = 9.81, radius = 0.3;
static const double fine[] = {0.01, 0.004, 0.001};

// A ball `height` above a floor, which may vibrate, in gravity across it.
static talus_world *above_floor(int dimension, double dt, double e, double height, double amplitude)
{
	talus_world_def def = exact_def(dimension, dt);
	vec3 n = askew(dimension);
	def.gravity = mul(-g, n);
	talus_world *world = world_of_law(&def, (talus_pair){.friction = 0.5, .restitution = e});
	talus_wall_def plane = talus_wall_def_default(TALUS_WALL_PLANE);
	plane.axis = n;
	plane.oscillate_direction = n;
	plane.oscillate_amplitude = amplitude;
	plane.oscillate_frequency = 2.3;
	talus_world_add_wall(world, &plane);
	put_grain(world, mul(radius + height, n), radius, vec(0, 0, 0));
	return world;
}

static double height_of(const talus_world *world)
{
	return dot(look(world, 0).x, askew(world->state.def.dimension)) - radius;
}

static double rise_of(const talus_world *world)
{
	return dot(look(world, 0).v, askew(world->state.def.dimension));
}

// Runs until the ball is as high as it gets after its next bounce; -1 if there is none any more.
static double next_height(talus_world *world)
{
	bool up = false;
	double last = height_of(world);
	for (int n = 0; n < 100000; n++) {
		talus_world_step(world);
		double now = height_of(world);
		assert_below(-1e-12, now);
		if (up && now <= last)
			return last;
		up |= now > last;
		last = now;
	}
	return -1;
}

// Each bounce is e^2 as high as the one before. What Euler's way through the air and the gap that is left at
// the bounce add to that is known: of first order in the step.
static void test_bounces(void **state)
{
	(void)state;
	static const double es[] = {0.4, 0.8};
	for (size_t s = 0; s < COUNT(fine); s++)
		for (int dimension = 2; dimension <= 3; dimension++)
			for (size_t k = 0; k < COUNT(es); k++) {
				double e = es[k], dt = fine[s], h = 1.2345, most = (1 - e*e) + 0.5*e*(1 - e);
				talus_world *world = above_floor(dimension, dt, e, h, 0);
				int bounces = 0;
				for (double speed = sqrt(2*g*h); speed > 10*g*dt; speed = sqrt(2*g*h), bounces++) {
					double now = next_height(world), more = now - e*e*h;
					assert_below(-g*dt*dt, more);
					assert_below(more, most*speed*dt + g*dt*dt);
					h = now;
				}
				assert_true(bounces >= 3);
				// and it comes to rest, on the floor
				run(world, 200);
				assert_near3(look(world, 0).v, vec(0, 0, 0), 1e-13);
				assert_near(height_of(world), 0, 1e-12);
				talus_world_destroy(world);
			}
}

// What is lost in flight, m (g dt)^2/2 a step, is gained in the bounce: gravity does not brake the step that
// turns the velocity round. So an elastic ball comes back to where it was, for ever, and in between its
// energy is off by m g dt v/2.
static void test_elastic_bounces(void **state)
{
	(void)state;
	for (size_t s = 0; s < COUNT(fine); s++)
		for (int dimension = 2; dimension <= 3; dimension++) {
			double dt = fine[s], h = 1.2345;
			talus_world *world = above_floor(dimension, dt, 1, h, 0);
			double mass = look(world, 0).m, start = mass*g*h, off = 0, first = next_height(world);
			assert_near(first, h, 1e-11);
			for (int n = 0; n < (int)((quick() ? 20 : 200)/dt); n++) {
				talus_world_step(world);
				double v = rise_of(world), energy = 0.5*mass*v*v + mass*g*height_of(world);
				off = fmax(off, fabs(energy - start));
			}
			assert_below(off, 0.5*mass*g*dt*sqrt(2*g*h) + mass*g*g*dt*dt);
			assert_near(next_height(world), h, 1e-9);
			talus_world_destroy(world);
		}
}

// A floor that vibrates throws the ball up again and again. What the floor gives and what bounces take makes
// up what the ball has.
static void test_vibrated(void **state)
{
	(void)state;
	for (size_t s = 0; s < COUNT(fine); s++)
		for (int dimension = 2; dimension <= 3; dimension++) {
			double dt = fine[s];
			talus_world *world = above_floor(dimension, dt, 0.5, 0, 0.15);
			double highest = 0, most = 0;
			for (int n = 0; n < (int)(20/dt); n++) {
				step_in_balance(world, 1);
				most = fmax(most, talus_world_energy(world).kinetic);
				highest = fmax(highest, height_of(world));
			}
			talus_energy e = talus_world_energy(world);
			double thrown = 0.5*pow(2*PI*2.3*0.15, 2)/g; // by the floor's largest speed, without any bounce
			assert_below(thrown, highest);
			assert_below(3*most, e.wall_work);
			assert_below(0.9*e.wall_work, e.normal);
			talus_world_destroy(world);
		}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_head_on),
		cmocka_unit_test(test_oblique),
		cmocka_unit_test(test_touching_row),
		cmocka_unit_test(test_cradle),
		cmocka_unit_test(test_bounces),
		cmocka_unit_test(test_elastic_bounces),
		cmocka_unit_test(test_vibrated),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
