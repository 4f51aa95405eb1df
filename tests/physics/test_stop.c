// SPDX-License-Identifier: MIT
// When sweeps stop, and whether they get anywhere: the four rules, and the parallel order in two
// dimensions.
#include "physics.h"

#include "solve/solve.h"
#include "method/contact_dynamics.h"

#include <string.h>

// ---------------------------------------------------------------- a contact problem from a pile

typedef struct pile {
	talus_world *world;
	size_t contacts, bodies;
	talus_solver_body *free; // without impulses
} pile;

// Disks of all sizes in a box, after they have fallen on each other.
static pile pile_create(double mu)
{
	talus_world_def def = plain_def();
	def.dimension = 2;
	def.gravity.y = -1;
	def.step = 0.02;
	def.seed = 15; // a pile whose sweeps get to an end: one in ten has friction that goes round in circles
	pile p = {.world = world_of(&def, mu)};
	put_plane(p.world, vec(0, 0, 0), vec(0, 1, 0));
	put_plane(p.world, vec(0, 0, 0), vec(1, 0, 0));
	put_plane(p.world, vec(17, 0, 0), vec(-1, 0, 0));
	uint64_t stream = test_stream(7);
	for (uint64_t i = 0; i < 64; i++)
		put_grain(p.world, vec(1.1 + 2.1*(double)(i%8), 1 + 2*(double)(i/8), 0),
			0.7 + 0.3*random_unit(stream, i), random_vector(2, stream, 100 + i));
	run(p.world, 500);
	contacts *c = &p.world->contacts;
	p.contacts = c->count;
	p.bodies = p.world->state.bodies.count + (size_t)p.world->state.walls.count;
	talus_problem problem = {.contacts = c->count, .class_end = {c->class_end[TALUS_COULOMB], c->class_end[TALUS_EXTENDED]}, .contact = c->contact,
		.motion = p.world->approach.motion};
	for (size_t i = 0; i < c->count; i++)
		problem_give(&problem, i, neg(c->p[i]), vec(0, 0, 0));
	p.free = malloc(p.bodies*sizeof *p.free);
	assert_non_null(p.free);
	memcpy(p.free, p.world->approach.motion, p.bodies*sizeof *p.free);
	return p;
}

static void pile_destroy(pile *p)
{
	free(p->free);
	talus_world_destroy(p->world);
}

// From nothing; the impulses stay in the world's contact table.
static talus_problem pile_problem(pile *p)
{
	const contacts *c = &p->world->contacts;
	for (size_t i = 0; i < p->contacts; i++)
		c->p[i] = vec(0, 0, 0);
	memcpy(p->world->approach.motion, p->free, p->bodies*sizeof *p->free);
	return (talus_problem){.contacts = p->contacts, .class_end = {p->contacts, p->contacts}, .contact = c->contact,
		.row = contact_dynamics_of(p->world)->rows.row, .p = c->p, .bodies = p->bodies, .motion = p->world->approach.motion};
}

static talus_solve_report pile_solve(pile *p, talus_solver_def def)
{
	talus_problem problem = pile_problem(p);
	return nsgs_solve(&problem, &def, p->world->state.def.step, 1, 1, contact_dynamics_of(p->world)->solver_workspace);
}

// Impulses after a fixed number of sweeps: the path that every rule follows until it stops.
static void impulses_after(pile *p, int sweeps, vec3 *out)
{
	pile_solve(p, (talus_solver_def){.relaxation = 1, .iterations = sweeps});
	for (size_t i = 0; i < p->contacts; i++)
		out[i] = p->world->contacts.p[i];
}

static double mean_size(const pile *p, const vec3 *impulses)
{
	double sum = 0;
	for (size_t i = 0; i < p->contacts; i++)
		sum += norm(impulses[i])/(double)p->contacts;
	return sum;
}

// ---------------------------------------------------------------- the rules

// A fixed number of sweeps is a fixed number of sweeps, and counts as done.
static void test_fixed(void **state)
{
	(void)state;
	pile p = pile_create(0.3);
	static const int numbers[] = {1, 7, 100};
	for (size_t k = 0; k < COUNT(numbers); k++) {
		talus_solve_report report = pile_solve(&p, (talus_solver_def){.iterations = numbers[k],
			.max_iterations = 3});
		assert_int_equal(report.iterations, numbers[k]);
		assert_true(report.converged);
	}
	pile_destroy(&p);
}

// Largest excess of a change over tolerance |p| between two neighbouring sweeps.
static double worst_change(pile *p, int sweep, double tolerance)
{
	vec3 *before = calloc(2*p->contacts, sizeof *before), *after = before + p->contacts;
	assert_non_null(before);
	impulses_after(p, sweep - 1, before);
	impulses_after(p, sweep, after);
	double worst = -INFINITY;
	for (size_t i = 0; i < p->contacts; i++)
		worst = fmax(worst, norm(sub(after[i], before[i])) - tolerance*norm(after[i]));
	free(before);
	return worst;
}

// The local rule stops with the first sweep that changes no force by more than tolerance |R| + cutoff.
static void test_local(void **state)
{
	(void)state;
	pile p = pile_create(0.3);
	static const double tolerances[] = {0.1, 1e-2, 1e-3};
	for (size_t k = 0; k < COUNT(tolerances); k++)
		for (double cutoff = 1e-4; cutoff > 1e-9; cutoff *= 1e-4) {
			talus_solver_def def = {.stop = TALUS_STOP_LOCAL, .tolerance = tolerances[k], .cutoff = cutoff,
				.max_iterations = 9999};
			talus_solve_report report = pile_solve(&p, def);
			assert_true(report.converged);
			assert_in_range(report.iterations, 3, 9998);
			double limit = cutoff*p.world->state.def.step;
			assert_below(worst_change(&p, report.iterations, tolerances[k]), limit + 1e-15);
			assert_below(limit, worst_change(&p, report.iterations - 1, tolerances[k]));
		}
	pile_destroy(&p);
}

// Without a cutoff it is a share of the mean force of those that push, as it was before the sweep, in any unit of force.
static void test_local_default(void **state)
{
	(void)state;
	pile p = pile_create(0.3);
	vec3 *impulses = calloc(p.contacts, sizeof *impulses);
	assert_non_null(impulses);
	talus_solver_def def = {.stop = TALUS_STOP_LOCAL, .tolerance = 1e-12, .cutoff = -1, .max_iterations = 9999};
	talus_solve_report report = pile_solve(&p, def);
	assert_true(report.converged);
	for (int sweep = report.iterations; sweep >= report.iterations - 1; sweep--) {
		double pushes = 0, sum = 0;
		impulses_after(&p, sweep - 1, impulses);
		for (size_t i = 0; i < p.contacts; i++) {
			sum += norm(impulses[i]);
			pushes += norm(impulses[i]) > 0;
		}
		bool quiet = worst_change(&p, sweep, 1e-12) <= 1e-9*sum/pushes;
		assert_int_equal(quiet, sweep == report.iterations);
	}
	free(impulses);
	pile_destroy(&p);
}

// The global rule waits until the mean force has changed by less than its share in three sweeps, one after
// the other.
static void test_global(void **state)
{
	(void)state;
	pile p = pile_create(0.3);
	static const double tolerances[] = {1e-2, 1e-3, 1e-4};
	vec3 *impulses = calloc(p.contacts, sizeof *impulses);
	assert_non_null(impulses);
	for (size_t k = 0; k < COUNT(tolerances); k++) {
		talus_solver_def def = {.stop = TALUS_STOP_GLOBAL, .tolerance = tolerances[k],
			.max_iterations = 9999};
		talus_solve_report report = pile_solve(&p, def);
		assert_true(report.converged);
		double last = 0;
		int quiet = 0, sweep = 0;
		while (quiet < 3) {
			impulses_after(&p, ++sweep, impulses);
			double mean = mean_size(&p, impulses);
			quiet = sweep > 1 && fabs(mean - last) <= tolerances[k]*mean ? quiet + 1 : 0;
			last = mean;
		}
		assert_int_equal(report.iterations, sweep);
	}
	free(impulses);
	pile_destroy(&p);
}

// How far the answer is from obeying the laws, in units of a grain's weight times the step: nothing pulls,
// nothing approaches more than it may, pushes only where it touches, friction within the cone, and at its
// end and against the sliding where it slides.
static double lawlessness(const pile *p)
{
	const talus_solver_body *motion = p->world->approach.motion;
	double worst = 0;
	for (size_t i = 0; i < p->contacts; i++) {
		const talus_contact *c = &p->world->contacts.contact[i];
		const talus_solver_body *a = &motion[c->a], *b = &motion[c->b];
		vec3 u = sub(sub(b->v, a->v), cross(add(a->r_omega, b->r_omega), c->n));
		const talus_row *row = &contact_dynamics_of(p->world)->rows.row[i];
		vec3 push = p->world->contacts.p[i];
		double pn = dot(push, c->n), un = dot(u, c->n);
		vec3 ut = mul_add(u, -un, c->n), pt = mul_add(push, -pn, c->n);
		worst = fmax(worst, fmax(-pn, -row->mass_n*(un + row->bias)));
		worst = fmax(worst, fmin(pn, row->mass_n*(un + row->bias)));
		worst = fmax(worst, norm(pt) - row->mu*pn);
		vec3 misfit = norm(ut) > 0 ? mul_add(pt, row->mu*pn/norm(ut), ut) : vec(0, 0, 0);
		worst = fmax(worst, fmin(row->mass_t*norm(ut), norm(misfit)));
	}
	return worst/(PI*p->world->state.def.step);
}

// The residual rule looks every tenth time. Where it is satisfied with a small number, all laws hold as
// well as that says.
static void test_residual(void **state)
{
	(void)state;
	pile p = pile_create(0.3);
	static const double tolerances[] = {1e-3, 1e-6, 1e-10};
	for (size_t k = 0; k < COUNT(tolerances); k++) {
		talus_solver_def def = {.stop = TALUS_STOP_RESIDUAL, .tolerance = tolerances[k],
			.max_iterations = 9999};
		talus_solve_report report = pile_solve(&p, def);
		assert_true(report.converged);
		assert_true(report.residual <= tolerances[k]);
		assert_below(lawlessness(&p), 300*tolerances[k]);
		talus_solve_report earlier = pile_solve(&p, (talus_solver_def){.iterations = report.iterations - 10});
		assert_true(earlier.residual > tolerances[k]);
	}
	pile_solve(&p, (talus_solver_def){.iterations = 2});
	assert_below(0.01, lawlessness(&p)); // not obeyed by accident
	pile_destroy(&p);
}

// Every rule gives up at the cap, and says so.
static void test_cap(void **state)
{
	(void)state;
	pile p = pile_create(0.3);
	static const talus_stop rules[] = {TALUS_STOP_LOCAL, TALUS_STOP_GLOBAL, TALUS_STOP_RESIDUAL};
	for (size_t k = 0; k < COUNT(rules); k++) {
		talus_solve_report report = pile_solve(&p, (talus_solver_def){.stop = rules[k], .tolerance = 1e-9,
			.max_iterations = 7});
		assert_int_equal(report.iterations, 7);
		assert_false(report.converged);
	}
	pile_destroy(&p);
}

// A world reports the sweeps of its last step, and all of them.
static void test_counts(void **state)
{
	(void)state;
	pile p = pile_create(0.3);
	talus_step_report before = talus_world_step(p.world);
	assert_int_equal(before.iterations, 100);
	p.world->state.def.solver.stop = TALUS_STOP_RESIDUAL;
	p.world->state.def.solver.tolerance = 1e-6;
	talus_step_report after = talus_world_step(p.world);
	assert_true(after.residual <= 1e-6);
	assert_int_equal(after.iterations_all, before.iterations_all + (uint64_t)after.iterations);
	assert_int_equal(after.updates_all, before.updates_all + (uint64_t)after.iterations*after.contacts);
	pile_destroy(&p);
}

// ---------------------------------------------------------------- all at once

static double mean_impulse(const pile *p)
{
	double sum = 0;
	for (size_t i = 0; i < p->contacts; i++)
		sum += norm(p->world->contacts.p[i])/(double)p->contacts;
	return sum;
}

// In two dimensions a grain has up to six neighbours that all correct it at the same time, too much
// together: the parallel order explodes. Half of each correction is little enough.
static void test_jacobi(void **state)
{
	(void)state;
	static const double mus[] = {0, 0.3};
	for (size_t k = 0; k < COUNT(mus); k++) {
		pile p = pile_create(mus[k]);
		talus_solve_report sweeps = pile_solve(&p, (talus_solver_def){.iterations = 6000});
		assert_below(sweeps.residual, 1e-9);
		double right = mean_impulse(&p);
		talus_solver_def def = {.order = TALUS_ORDER_PARALLEL, .relaxation = 1, .iterations = 300};
		talus_solve_report full = pile_solve(&p, def);
		assert_below(0.1, full.residual);
		assert_below(1e6*right, mean_impulse(&p));
		def.relaxation = 0.5;
		def.iterations = 6000;
		talus_solve_report half = pile_solve(&p, def);
		assert_below(half.residual, 1e-5);
		assert_near(mean_impulse(&p), right, 0.01*right);
		pile_destroy(&p);
	}
}

// An answer that has grown beyond all numbers is no answer: no rule may take it for one.
static void test_blow_up(void **state)
{
	(void)state;
	pile p = pile_create(0.3);
	talus_solver_def def = {.order = TALUS_ORDER_PARALLEL, .relaxation = 1, .tolerance = 1e-3,
		.max_iterations = 20000};
	static const talus_stop rules[] = {TALUS_STOP_LOCAL, TALUS_STOP_GLOBAL, TALUS_STOP_RESIDUAL};
	for (size_t k = 0; k < COUNT(rules); k++) {
		def.stop = rules[k];
		talus_solve_report report = pile_solve(&p, def);
		assert_false(report.converged);
		assert_false(report.residual < 0.1);
	}
	pile_destroy(&p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_fixed),
		cmocka_unit_test(test_local),
		cmocka_unit_test(test_local_default),
		cmocka_unit_test(test_global),
		cmocka_unit_test(test_residual),
		cmocka_unit_test(test_cap),
		cmocka_unit_test(test_counts),
		cmocka_unit_test(test_jacobi),
		cmocka_unit_test(test_blow_up),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
