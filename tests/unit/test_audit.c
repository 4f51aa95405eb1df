// SPDX-License-Identifier: MIT
// The audit: steps do not notice it, its numbers are the same everywhere and after a resume, it costs no more than it may, and what it says
// is what an answer found another way says. In all kinds of scenes.
#include "run_folder.h"
#include "form.h"
#include "smooth.h"
#include "method/contact_dynamics.h"

#include "method/audit.c" // for its books

static void near(double got, double wanted, double tolerance, const char *what)
{
	if (fabs(got - wanted) <= tolerance)
		return;
	fail_msg("%s: %.6g instead of %.6g", what, got, wanted);
}

// ---------------------------------------------------------------- all kinds of scenes

static talus_world *world_of(talus_world_def def, double share, const talus_pair *law)
{
	def.solver.audit = share;
	talus_world *world = talus_world_create(&def);
	talus_world_add_material(world, "glass", 1);
	talus_world_set_pair(world, law);
	return world;
}

static talus_world_def def_of(int dimension, double dt, double gravity)
{
	talus_world_def def = talus_world_def_default();
	def.dimension = dimension;
	def.step = dt;
	def.gravity = dimension == 2 ? vec(0, -gravity, 0) : vec(0, 0, -gravity);
	return def;
}

static int plane(talus_world *world, vec3 point, vec3 normal, double mass)
{
	talus_wall_def def = talus_wall_def_default(TALUS_WALL_PLANE);
	def.point = point;
	def.axis = normal;
	def.mass = mass;
	def.free = mass > 0 ? TALUS_FREE_ALL : 0;
	return talus_world_add_wall(world, &def);
}

static void fill(talus_world *world, int count, vec3 low, vec3 high, double radius)
{
	talus_error error;
	talus_fill_def def = {.count = count, .arrangement = TALUS_ARRANGE_LATTICE, .jitter = 0.5,
	                      .radius = {.kind = TALUS_SIZE_UNIFORM, .a = 0.8*radius, .b = radius},
	                      .in = {.kind = TALUS_REGION_BOX, .box = {low, high}}, .velocity = vec(0.5, -0.5, 0)};
	assert_true(talus_world_fill(world, &def, &error));
}

// More contacts than a thread keeps for itself.
static talus_world *bed(double share, bool filled)
{
	talus_world *world = world_of(def_of(2, 0.02, 1), share, &plain_law);
	plane(world, vec(0, 0, 0), vec(0, 1, 0), 0);
	plane(world, vec(0, 0, 0), vec(1, 0, 0), 0);
	plane(world, vec(31, 0, 0), vec(-1, 0, 0), 0);
	if (filled)
		fill(world, 700, vec(0, 0, 0), vec(31, 26, 0), 0.5);
	return world;
}

// Everything that a contact can do, between a floor and a piston that may move in all directions; more grains come from above.
static talus_world *extended(double share, bool filled)
{
	talus_world *world = filled ? world_with_grains(&extended_law) : world_empty(&extended_law);
	world->state.def.solver = talus_world_def_default().solver;
	world->state.def.solver.audit = share;
	return world;
}

static talus_world *piston(double share, bool filled)
{
	talus_world *world = world_of(def_of(2, 0.01, 1), share, &plain_law);
	plane(world, vec(0, 0, 0), vec(0, 1, 0), 0);
	plane(world, vec(0, 0, 0), vec(1, 0, 0), 0);
	plane(world, vec(8, 0, 0), vec(-1, 0.1, 0), 0);
	plane(world, vec(0, 9, 0), vec(0.1, -1, 0), 20);
	if (filled)
		fill(world, 40, vec(0, 0, 0), vec(7, 7.5, 0), 0.5);
	return world;
}

static talus_cell_def periodic(int dimension, double size)
{
	return (talus_cell_def){.size = vec(size, size, dimension == 3 ? size : 1), .periodic = {true, true, dimension == 3}, .inertia = 5};
}

static talus_world *bath(double share, bool filled)
{
	talus_world_def def = def_of(3, 0.01, 0);
	def.cell = periodic(3, 5);
	def.cell.bath = true;
	def.cell.pressure = 2;
	talus_world *world = world_of(def, share, &plain_law);
	if (filled)
		fill(world, 64, vec(0, 0, 0), vec(5, 5, 5), 0.6);
	return world;
}

static talus_world *sheared(double share, bool filled)
{
	talus_world_def def = def_of(2, 0.01, 0);
	def.cell = periodic(2, 10);
	def.cell.drive[0][0] = TALUS_DRIVE_STRESS;
	def.cell.drive[1][1] = TALUS_DRIVE_STRESS;
	def.cell.drive[0][1] = TALUS_DRIVE_RATE;
	def.cell.wanted[0][0] = def.cell.wanted[1][1] = 1;
	def.cell.wanted[0][1] = 0.1;
	talus_world *world = world_of(def, share, &extended_law);
	if (filled)
		fill(world, 81, vec(0, 0, 0), vec(10, 10, 0), 0.55);
	return world;
}

static talus_world *drum(double share, bool filled)
{
	talus_world *world = world_of(def_of(2, 0.01, 1), share, &plain_law);
	talus_wall_def def = talus_wall_def_default(TALUS_WALL_CYLINDER);
	def.radius = 6;
	def.spin = 0.3;
	talus_world_add_wall(world, &def);
	def = talus_wall_def_default(TALUS_WALL_SEGMENT);
	def.point = vec(-2, 0, 0);
	def.to = vec(2, 0.5, 0);
	def.spin = -0.5;
	talus_world_add_wall(world, &def);
	if (filled)
		fill(world, 40, vec(-4, -4, 0), vec(4, 4, 0), 0.4);
	return world;
}

// Grains that never meet.
static talus_world *gas(double share, bool filled)
{
	talus_world *world = world_of(def_of(3, 0.01, 1), share, &plain_law);
	if (filled)
		fill(world, 27, vec(0, 0, 0), vec(9, 9, 9), 0.4);
	return world;
}

typedef struct kind {
	const char *name;
	talus_world *(*make)(double share, bool filled);
	int steps;
	bool meets; // something
} kind;

static const kind scenes[] = {
	{"bed", bed, 100, true},   {"rich", extended, 150, true},       {"piston", piston, 300, true}, {"gas", gas, 40, false},
	{"bath", bath, 200, true}, {"sheared", sheared, 200, true}, {"drum", drum, 1500, true},
};
enum { SCENES = sizeof scenes/sizeof scenes[0] };

// Errors, counts, and what it has cost.
static bool same_audit(const talus_world *a, const talus_world *b)
{
	return same_bits(&contact_dynamics_of(a)->audit, &contact_dynamics_of(b)->audit, sizeof contact_dynamics_of(a)->audit);
}

// ---------------------------------------------------------------- what steps notice, what it costs

static void step_within_budget(talus_world *world, const char *name)
{
	talus_world_step(world);
	talus_audit a = talus_world_audit(world);
	if ((double)a.updates > world->state.def.solver.audit*(double)world->report.updates_all)
		fail_msg("%s, step %d: %llu updates were spent, of %llu", name, (int)world->state.step, (unsigned long long)a.updates,
		         (unsigned long long)world->report.updates_all);
}

static void audited_and_not(const kind *s, double share, int threads, const talus_world *plain, talus_world *first)
{
	talus_world *world = s->make(share, true);
	talus_world_set_threads(world, threads);
	world->team_from = 0; // however little there is to do
	for (int i = 0; i < s->steps; i++)
		step_within_budget(world, s->name);
	if (talus_world_hash(world) != talus_world_hash(plain))
		fail_msg("%s: another way with a share of %g, %d threads", s->name, share, threads);
	talus_step_report a = world->report, b = plain->report;
	a.seconds_solver = b.seconds_solver = 0;
	assert_true(same_bits(&a, &b, sizeof a));
	assert_true(same_bits(&world->energy, &plain->energy, sizeof world->energy));
	assert_true(same_bits(&contact_dynamics_of(world)->memory, &contact_dynamics_of(plain)->memory, sizeof contact_dynamics_of(world)->memory));
	if (first && !same_audit(world, first))
		fail_msg("%s: other audits with %d threads, share %g", s->name, threads, share);
	talus_world_destroy(world);
}

static void test_not_noticed(void **state)
{
	(void)state;
	static const double shares[] = {0.2, 10};
	bool often = false; // even where little may be spent
	for (int k = 0; k < SCENES; k++) {
		talus_world *plain = scenes[k].make(0, true);
		steps(plain, scenes[k].steps);
		talus_audit none = talus_world_audit(plain);
		assert_true(none.count == 0 && none.unfinished == 0 && none.updates == 0);
		for (int i = 0; i < 2; i++) {
			talus_world *first = scenes[k].make(shares[i], true);
			steps(first, scenes[k].steps);
			assert_true(talus_world_hash(first) == talus_world_hash(plain));
			talus_audit a = talus_world_audit(first);
			print_message("%s, share %g: %d audits, %d unfinished, forces %.2g (at most %.2g), loads %.2g, velocities %.2g\n", scenes[k].name,
			              shares[i], (int)a.count, (int)a.unfinished, a.median[0], a.largest[0], a.median[1], a.median[2]);
			if (shares[i] > 1)
				assert_true(scenes[k].meets ? a.count > 10 : a.count == 0);
			often |= shares[i] < 1 && a.count > 2;
			audited_and_not(&scenes[k], shares[i], 3, plain, first);
			talus_world_destroy(first);
		}
		talus_world_destroy(plain);
	}
	assert_true(often);
}

// ---------------------------------------------------------------- after a resume

static void test_resumed(void **state)
{
	for (int k = 0; k < SCENES; k++) {
		talus_error error;
		double seconds;
		const kind *s = &scenes[k];
		talus_world *a = s->make(3, true), *b = s->make(3, false);
		steps(a, s->steps/2);
		assert_true(checkpoint_write(*state, a, 0, &error));
		if (!checkpoint_read(*state, b, &seconds, &error))
			fail_msg("%s: %s", s->name, error.text);
		assert_true(same_audit(a, b));
		uint64_t before = contact_dynamics_of(a)->audit.count;
		for (int i = 0; i < s->steps - s->steps/2; i++) {
			steps(a, 1);
			steps(b, 1);
			if (!same_audit(a, b) || talus_world_hash(a) != talus_world_hash(b))
				fail_msg("%s: another way after a resume, step %d", s->name, (int)a->state.step);
		}
		assert_true(!s->meets || contact_dynamics_of(a)->audit.count > before);
		talus_world_destroy(a);
		talus_world_destroy(b);
	}
}

// ---------------------------------------------------------------- are they right?

typedef struct errors {
	double forces, loads, velocities;
} errors;

// What the audit should have found, from the right impulses.
static errors errors_of(smooth *s)
{
	const talus_world *world = s->world;
	const talus_contact *c = world->contacts.contact;
	errors e = {.forces = smooth_error(s)}; // which is in d
	double tensor[9] = {0}, push = 0, square = 0, pushes = 0, wrong = 0, done = 0;
	for (size_t i = 0; i < s->contacts; i++) {
		push += s->p[i];
		pushes += s->p[i] > 0;
		for (int k = 0; k < 9; k++)
			tensor[k] += s->d[i]*component(c[i].n, k/3)*component(c[i].n, k%3);
	}
	for (int k = 0; k < 9; k++)
		square += tensor[k]*tensor[k];
	double before = contact_dynamics_of(world)->memory.load > 0 ? contact_dynamics_of(world)->memory.load*pushes : push;
	e.loads = sqrt(square)/(push + (TALUS_WINDOW - 1)*before);
	smooth_feel(s, s->d, s->wd);
	for (size_t i = 0; i < s->bodies; i++)
		wrong += world->approach.motion[i].inv_m > 0 ? dot(s->kick[i], s->kick[i]) : 0;
	smooth_feel(s, s->p, s->wd);
	for (size_t i = 0; i < s->bodies; i++)
		done += world->approach.motion[i].inv_m > 0 ? dot(s->kick[i], s->kick[i]) : 0;
	e.velocities = sqrt(wrong/done);
	return e;
}

static const talus_pair smooth_law = {.friction = 0};

// Smooth disks fall into a box, a piston on them. Every step is audited, some are looked at.
static void compare_smooth(talus_stop stop, double tolerance, int iterations)
{
	talus_world_def def = def_of(2, 0.02, 1);
	def.solver.stop = stop;
	def.solver.tolerance = tolerance;
	def.solver.iterations = iterations;
	talus_world *world = world_of(def, 1e6, &smooth_law);
	plane(world, vec(0, 0, 0), vec(0, 1, 0), 0);
	plane(world, vec(0, 0, 0), vec(1, 0, 0), 0);
	plane(world, vec(8, 0, 0), vec(-1, 0, 0), 0);
	int lid = plane(world, vec(0, 14, 0), vec(0, -1, 0), 10);
	world->state.walls.at[lid].def.free = TALUS_FREE_Y;
	fill(world, 80, vec(0, 0, 0), vec(8, 13, 0), 0.5);
	int looked = 0, far = 0;
	for (int i = 0; i < 500; i++) {
		steps(world, 1);
		if (i < 100 || i%8 > 0 || contact_dynamics_of(world)->audit.last != world->state.step)
			continue;
		smooth s = smooth_solve(world, 1e-11, 0);
		errors e = errors_of(&s);
		const double *got = contact_dynamics_of(world)->audit.error;
		bool is_far = fabs(got[0] - e.forces) > 0.05*e.forces + 1e-9 || fabs(got[1] - e.loads) > 0.05*e.loads + 1e-9 ||
		              fabs(got[2] - e.velocities) > 0.05*e.velocities + 1e-9;
		if (is_far)
			print_message("step %d: forces %.3g (%.3g), loads %.3g (%.3g), velocities %.3g (%.3g)\n", i, got[0], e.forces, got[1], e.loads,
			              got[2], e.velocities);
		far += is_far;
		looked++;
		smooth_free(&s);
	}
	print_message("%d of %d audits were off by more than 5 percent\n", far, looked);
	assert_true(looked >= 40);
	assert_true(20*far <= looked);
	talus_world_destroy(world);
}

static void test_right(void **state)
{
	(void)state;
	compare_smooth(TALUS_STOP_ITERATIONS, 0, 5);
	compare_smooth(TALUS_STOP_ITERATIONS, 0, 40);
	compare_smooth(TALUS_STOP_ERROR, 0.01, 0);
	compare_smooth(TALUS_STOP_RESIDUAL, 1e-4, 0);
}

// ---------------------------------------------------------------- the books

enum { NOTED = 101 };

// So many audits with these errors, from step 101 on.
static talus_audit noted(const double *list, int count)
{
	contact_dynamics own = {.overlap_before = 0};
	talus_world world = {.state.step = 100, .own = &own};
	for (int i = 0; i < count; i++, world.state.step++)
		note(&world, (double[TALUS_AUDITED]){list[i], 10*list[i], 1e-9*list[i]});
	return talus_world_audit(&world);
}

static double median_of_list(const double *list, int count)
{
	for (int i = 0; i < count; i++) {
		int below = 0, equal = 0;
		for (int j = 0; j < count; j++) {
			below += list[j] < list[i];
			equal += list[j] == list[i];
		}
		if (2*below < count && 2*(below + equal) >= count)
			return list[i];
	}
	return NAN;
}

static void known(const double *list, int count)
{
	static const double times[TALUS_AUDITED] = {1, 10, 1e-9};
	int worst = 0;
	for (int i = 0; i < count; i++)
		worst = list[i] > list[worst] ? i : worst;
	talus_audit a = noted(list, count);
	assert_int_equal(a.count, count);
	assert_int_equal(a.step, 100 + count);
	for (int k = 0; k < TALUS_AUDITED; k++) {
		double wanted = median_of_list(list, count)*times[k];
		near(a.median[k], wanted, 0.072*wanted + 1.1e-12, "median");
		assert_true(a.largest[k] == list[worst]*times[k] && a.error[k] == list[count - 1]*times[k]);
		assert_int_equal(a.largest_step[k], list[worst] > 0 ? 101 + worst : 0);
	}
}

// Medians to 7 percent, whatever the errors are, and the largest with its step.
static void test_books(void **state)
{
	(void)state;
	double list[NOTED] = {0};
	talus_audit none = noted(list, 0);
	assert_true(none.count == 0 && none.median[0] == 0 && none.largest[0] == 0 && none.step == 0);
	known(list, NOTED); // all right
	for (int i = 0; i < NOTED; i++)
		list[i] = 1e-3*(1 + i*37%NOTED); // 0.001 to 0.101 in some order
	for (int count = 1; count <= NOTED; count++)
		known(list, count);
	for (double size = 1e-9; size < 1e3; size *= 1.013)
		known((double[]){size, 2*size, size}, 3);
	for (int i = 0; i < NOTED; i++)
		list[i] = i < 40 ? 0 : i < 60 ? 3.3e-7 : 100 - i; // two kinds, and the largest in the middle
	known(list, NOTED);
	list[50] = INFINITY;
	talus_audit a = noted(list, NOTED);
	assert_true(a.largest[0] == INFINITY && a.largest_step[0] == 151);
	near(a.median[0], 3.3e-7, 0.08*3.3e-7, "median beside an infinite one");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_books),
		cmocka_unit_test(test_right),
		cmocka_unit_test(test_not_noticed),
		IN_FOLDER(test_resumed),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
