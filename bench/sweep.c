// SPDX-License-Identifier: MIT
// What does one visit of a contact cost? Settled packings of spheres, 1e3, 1e4 and ten times 1e4 side by side; the
// contact problem of one step is taken out and swept again and again, in spatial and in random order, and beside it a
// bare loop runs over the same contacts and bodies that only reads and writes them. Best of several, alternating, so
// that a noisy machine hits both.
//
//     build/bench_sweep [FOLDER [UPDATES]]      bench/packings, 2e7 contact updates per measurement
#include "base/memory.h"
#include "collide/collide.h"
#include "integrate/integrate.h"
#include "io/csv.h"
#include "law/coulomb.h"
#include "solve/solve.h"
#include "wall.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static double seconds(void)
{
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + 1e-9*(double)now.tv_nsec;
}

static void add_plane(talus_world *world, vec3 point, vec3 normal)
{
	talus_wall_def def = talus_wall_def_default(TALUS_WALL_PLANE);
	def.point = point;
	def.axis = normal;
	talus_world_add_wall(world, &def);
}

static talus_world *packing(const char *path, double width, int copies)
{
	talus_world_def def = talus_world_def_default();
	def.gravity = vec(0, 0, -9.81);
	def.step = 5e-3;
	def.solver.iterations = 50;
	talus_world *world = talus_world_create(&def);
	talus_world_add_material(world, "glass", 1);
	talus_world_set_pair(world, &(talus_pair){0, 0, 0.3});
	add_plane(world, vec(0, 0, 0), vec(0, 0, 1));
	add_plane(world, vec(0, 0, 0), vec(1, 0, 0));
	add_plane(world, vec(copies*width, 0, 0), vec(-1, 0, 0));
	add_plane(world, vec(0, 0, 0), vec(0, 1, 0));
	add_plane(world, vec(0, width, 0), vec(0, -1, 0));
	talus_grain_def *grain;
	size_t count;
	talus_error error;
	if (!csv_read_grains(path, 3, &grain, &count, &error)) {
		fprintf(stderr, "%s: %s\n", path, error.text);
		exit(2);
	}
	for (int c = 0; c < copies; c++)
		for (size_t i = 0; i < count; i++) {
			talus_grain_def copy = grain[i];
			copy.at.x += c*width;
			talus_world_add_grain(world, &copy);
		}
	memory_free(grain);
	return world;
}

// Reads the contact and both bodies, writes back what an update writes. The sum keeps the compiler honest.
static double bare(const talus_problem *problem)
{
	double sum = 0;
	for (size_t i = 0; i < problem->contacts; i++) {
		talus_contact *c = &problem->contact[i];
		talus_motion *a = &problem->motion[c->a], *b = &problem->motion[c->b];
		double all = c->n.x + c->n.y + c->n.z + c->bias + c->mass_n + c->mass_t + c->mu + a->inv_m + a->k + b->inv_m + b->k;
		sum += all;
		double tiny = all*1e-300;
		c->p = vec(c->p.x + tiny, c->p.y + tiny, c->p.z + tiny);
		a->v = vec(a->v.x + tiny, a->v.y + tiny, a->v.z + tiny);
		a->s = vec(a->s.x + tiny, a->s.y + tiny, a->s.z + tiny);
		b->v = vec(b->v.x - tiny, b->v.y - tiny, b->v.z - tiny);
		b->s = vec(b->s.x - tiny, b->s.y - tiny, b->s.z - tiny);
	}
	return sum;
}

typedef struct timing {
	double spatial, random, bare;
} timing;

static double sweeps(talus_problem *problem, talus_order order, int iterations, scratch *s)
{
	talus_solver_def def = talus_world_def_default().solver;
	def.order = order;
	def.iterations = iterations;
	double start = seconds();
	nsgs_solve(problem, &def, 5e-3, 1, 1, s);
	return (seconds() - start)/((double)problem->contacts*iterations);
}

static timing measure(talus_world *world, double updates)
{
	for (int i = 0; i < 3; i++)
		talus_world_step(world);
	contacts *c = &world->contacts;
	talus_problem problem = {.contacts = c->count, .plain = c->plain, .contact = c->contact, .general = c->general,
	                         .motion = world->scratch.motion};
	int iterations = (int)(updates/(double)c->count) + 1;
	timing best = {1, 1, 1};
	double sum = 0;
	for (int round = 0; round < 5; round++) {
		contact_dynamics_free(world);
		best.spatial = fmin(best.spatial, sweeps(&problem, TALUS_ORDER_SEQUENTIAL, iterations, &world->scratch));
		double start = seconds();
		for (int i = 0; i < iterations; i++)
			sum += bare(&problem);
		best.bare = fmin(best.bare, (seconds() - start)/((double)c->count*iterations));
		contact_dynamics_free(world);
		best.random = fmin(best.random, sweeps(&problem, TALUS_ORDER_RANDOM, iterations/4 + 1, &world->scratch));
	}
	if (sum == 0)
		printf("no contacts\n");
	return best;
}

int main(int argc, char **argv)
{
	static const struct {
		const char *file;
		double width;
		int copies;
	} cases[] = {{"spheres-1000.csv", 24.5, 1}, {"spheres-10000.csv", 49, 1}, {"spheres-10000.csv", 49, 10}};
	const char *folder = argc > 1 ? argv[1] : "bench/packings";
	double updates = argc > 2 ? atof(argv[2]) : 2e7;
	printf("%8s %9s | ns per contact update: %8s %8s %8s %8s\n", "grains", "contacts", "spatial", "bare", "ratio", "random");
	for (int i = 0; i < 3; i++) {
		char path[TALUS_PATH_MAX];
		snprintf(path, sizeof path, "%s/%s", folder, cases[i].file);
		talus_world *world = packing(path, cases[i].width, cases[i].copies);
		timing t = measure(world, updates);
		printf("%8zu %9zu | %22s %8.1f %8.1f %8.2f %8.1f\n", world->bodies.count, world->contacts.count, "", 1e9*t.spatial,
		       1e9*t.bare, t.spatial/t.bare, 1e9*t.random);
		talus_world_destroy(world);
	}
	return 0;
}
