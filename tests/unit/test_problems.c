// SPDX-License-Identifier: MIT
// Contact problems of steps of a run: velocities and impulses in the file are those of the step, whatever takes part in it.
#include "run_folder.h"

#include "base/memory.h"
#include "io/fclib.h"
#include "io/problems.h"
#include "method/contact_dynamics.h"

#include <unistd.h>

typedef struct kind_of {
	const char *name;
	int dimension;
	talus_pair law;
	bool piston, spinning;
} kind_of;

static const kind_of kinds[] = {
	{"disks", 2, {.friction = 0.3}, false, false},
	{"spheres", 3, {.friction = 0.3}, false, false},
	{"bounces", 3, {.friction = 0.3, .restitution = 0.5, .tangential_restitution = 0.2}, false, false},
	{"two frictions", 2, {.friction = 0.3, .static_friction = 0.5}, false, false},
	{"rolling", 3, {.friction = 0.3, .rolling = 0.2}, false, false},
	{"rolling with bounces on a wall that spins", 3, {.friction = 0.5, .rolling = 0.1, .restitution = 0.3}, false, true},
	{"a piston", 2, {.friction = 0.3}, true, false},
	{"a wall that spins", 3, {.friction = 0.3}, false, true},
};

static talus_world *box(const kind_of *kind, double residual)
{
	talus_world_def def = plain_def();
	bool flat = kind->dimension == 2;
	def.dimension = kind->dimension;
	def.gravity = flat ? vec(0, -1, 0) : vec(0, 0, -1);
	def.solver.stop = TALUS_STOP_RESIDUAL;
	def.solver.tolerance = residual;
	def.cell.size = vec(6, 6, 1);
	def.cell.periodic[0] = true;
	def.cell.periodic[1] = !flat;
	talus_world *world = talus_world_create(&def);
	talus_world_add_material(world, "stone", 1);
	talus_world_set_pair(world, &kind->law);
	talus_wall_def plane = talus_wall_def_default(TALUS_WALL_PLANE);
	plane.axis = mul(-1, def.gravity);
	plane.spin = kind->spinning ? 0.5 : 0;
	world_add_wall(world, &plane);
	if (kind->piston) {
		plane.axis = def.gravity;
		plane.point = mul(-8, def.gravity);
		plane.mass = 5;
		plane.free = TALUS_FREE_Y;
		plane.velocity = vec(0, -2, 0);
		world_add_wall(world, &plane);
	}
	for (int i = 0; i < 24; i++) {
		talus_grain_def grain = talus_grain_def_default();
		double high = 0.7 + 1.2*(i/(flat ? 5 : 12)), x = 1.2*(i%5), y = 1.5*(i/5%4);
		grain.radius = 0.45 + 0.004*i;
		grain.at = flat ? vec(x + 0.3*(i/5), high, 0) : vec(x + 0.2*(i/12), y, high);
		grain.velocity = mul(0.5, def.gravity);
		talus_world_add_grain(world, &grain);
	}
	return world;
}

static void problem_read(const char *folder, uint64_t step, fclib_file *file)
{
	char path[TALUS_PATH_MAX], name[64];
	talus_error error;
	snprintf(name, sizeof name, "problems/step-%07llu.hdf5", (unsigned long long)step);
	path_in(path, folder, name);
	assert_true(fclib_read(path, file, &error));
}

static double largest(const double *x, size_t count)
{
	double most = 0;
	for (size_t i = 0; i < count; i++)
		most = fmax(most, fabs(x[i]));
	return most;
}

// The step's answer is one of the problem, as good as the step was, and velocities are those of the grains.
static void check_problem(const char *folder, const talus_world *world, double residual)
{
	fclib_file file;
	problem_read(folder, world->state.step, &file);
	size_t count = file.problem.contacts*(size_t)file.problem.size;
	double *u = memory_grow(NULL, 0, count*sizeof *u + 1);
	assert_int_equal(file.problem.contacts, world->contacts.count);
	delassus_error error = delassus_error_of(&file.problem, file.solution.r, u);
	if (!(error.natural < 20*residual))
		print_error("error %g, residual %g\n", error.natural, residual);
	assert_true(error.natural < 20*residual);
	assert_int_equal(file.guesses, 1);
	for (size_t i = 0; i < file.problem.contacts; i++) {
		const talus_contact *c = &world->contacts.contact[i];
		const talus_solver_body *a = &world->approach.motion[c->a], *b = &world->approach.motion[c->b];
		vec3 now = sub(sub(b->v, a->v), cross(add(a->r_omega, b->r_omega), c->n));
		double aim = i < world->contacts.class_end[TALUS_COULOMB] ? contact_dynamics_of(world)->rows.row[i].bias
		                                       : dot(contact_dynamics_of(world)->rows.extended[i - world->contacts.class_end[TALUS_COULOMB]].target, c->n);
		assert_true(fabs(u[i*(size_t)file.problem.size] - dot(now, c->n) - aim) < 1e-11);
	}
	memory_free(u);
	fclib_free(&file);
}

static void test_kinds(void **state)
{
	talus_error error;
	for (size_t k = 0; k < sizeof kinds/sizeof *kinds; k++)
		for (double residual = 1e-3; residual > 1e-8; residual *= 1e-4) {
			talus_world *world = box(&kinds[k], residual);
			problems all = {0};
			double pushed = 0;
			for (int i = 0; i < 12; i++) {
				steps(world, 17);
				problems_before(&all, world);
				talus_world_step(world);
				assert_true(problems_write(&all, *state, world, "a box", &error));
				if (all.refused)
					print_error("%s: %s\n", kinds[k].name, all.why.text);
				assert_false(all.refused);
				if (world->contacts.count == 0)
					continue;
				check_problem(*state, world, residual);
				pushed = fmax(pushed, (double)world->contacts.count);
			}
			assert_true(pushed >= 12);
			problems_free(&all);
			talus_world_destroy(world);
		}
}

// At rest the guess is the answer almost; the guess of a new contact is 0, and it has the frame of the contact now.
static void test_guess(void **state)
{
	talus_error error;
	talus_world *world = box(&kinds[0], 1e-8);
	problems all = {0};
	fclib_file file;
	steps(world, 3000);
	problems_before(&all, world);
	talus_world_step(world);
	assert_true(problems_write(&all, *state, world, "", &error));
	problem_read(*state, world->state.step, &file);
	size_t count = 2*file.problem.contacts;
	double far = 0, size = largest(file.solution.r, count);
	for (size_t i = 0; i < count; i++)
		far = fmax(far, fabs(file.guess[i] - file.solution.r[i]));
	assert_true(size > 1e-3 && far < 1e-2*size);
	assert_string_equal(file.problem.title, "step 3001, time 30.01");
	fclib_free(&file);
	all.count = 0; // as if there had been nothing before
	assert_true(problems_write(&all, *state, world, "", &error));
	problem_read(*state, world->state.step, &file);
	assert_true(largest(file.guess, count) == 0);
	fclib_free(&file);
	problems_free(&all);
	talus_world_destroy(world);
}

// What does not fit is no failure, but has a reason.
static void test_refused(void **state)
{
	talus_error error;
	const kind_of rolling = {"rolling", 2, {.friction = 0.3, .rolling = 0.1}, false, false};
	const kind_of bonds = {"bonds", 2, {.friction = 0.3, .cohesion = 0.1, .range = 0.1}, false, false};
	const kind_of *const list[] = {&rolling, &bonds, &kinds[0]};
	for (int k = 0; k < 3; k++) {
		talus_world *world = box(list[k], 1e-3);
		problems all = {0};
		steps(world, 199);
		problems_before(&all, world);
		steps(world, 1);
		world->state.cell_deforms = k == 2;
		assert_true(world->contacts.count > 0);
		assert_true(problems_write(&all, *state, world, "", &error));
		assert_true(all.refused);
		assert_non_null(strstr(all.why.text, k == 2 ? "deforms" : "rolling"));
		world->state.cell_deforms = false;
		talus_world_destroy(world);
		problems_free(&all);
	}
	assert_false(folder_has(*state, "problems"));
	talus_world *empty = box(&kinds[0], 1e-3);
	problems none = {0};
	assert_true(problems_write(&none, *state, empty, "", &error)); // no contacts yet, and no file
	assert_true(!none.refused && !folder_has(*state, "problems"));
	talus_world_destroy(empty);
}

// What comes after a step goes, with what was half-written; other files stay.
static void test_truncate(void **state)
{
	talus_error error;
	talus_world *world = box(&kinds[0], 1e-3);
	problems all = {0};
	steps(world, 300);
	for (int i = 0; i < 3; i++) {
		problems_before(&all, world);
		talus_world_step(world);
		assert_true(problems_write(&all, *state, world, "", &error));
	}
	static const char *const others[] = {"problems/step-0000400.hdf5.tmp", "problems/step-0000001.hdf5.tmp.part",
	                                     "problems/step-x.hdf5", "problems/step-0000999.txt", "problems/notes"};
	for (size_t i = 0; i < 5; i++)
		text_put(*state, others[i], "x", 1);
	problems_truncate(*state, 302);
	assert_true(folder_has(*state, "problems/step-0000301.hdf5") && folder_has(*state, "problems/step-0000302.hdf5"));
	assert_false(folder_has(*state, "problems/step-0000303.hdf5"));
	for (size_t i = 0; i < 5; i++)
		assert_int_equal(folder_has(*state, others[i]), i >= 2);
	problems_free(&all);
	talus_world_destroy(world);
	problems_truncate("/nowhere", 0);
}

// A folder that cannot be written to is a failure with a sentence.
static void test_no_place(void **state)
{
	talus_error error;
	talus_world *world = box(&kinds[0], 1e-3);
	problems all = {0};
	steps(world, 299);
	problems_before(&all, world);
	steps(world, 1);
	text_put(*state, "problems", "a file", 6);
	assert_false(problems_write(&all, *state, world, "", &error));
	assert_true(strlen(error.text) > 10);
	problems_free(&all);
	talus_world_destroy(world);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		IN_FOLDER(test_kinds),
		IN_FOLDER(test_guess),
		IN_FOLDER(test_refused),
		IN_FOLDER(test_truncate),
		IN_FOLDER(test_no_place),
	};
	return cmocka_run_group_tests_name("problems", tests, NULL, NULL);
}
