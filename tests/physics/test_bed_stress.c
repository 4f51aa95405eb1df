// SPDX-License-Identifier: MIT
// The stress of a bed between walls, from its contacts, is what the walls feel. For every grain the forces of its contacts
// add up to m (a - g), so that, with the centres x and the points y where walls are touched, exactly
//     V sigma_ij = sum over grains of m (a - g)_i x_j - sum over contacts with walls of F_i y_j,
// F on the grain, compression positive.
#include "physics.h"

#include "observe/observe.h"

enum { FLOOR, LEFT, RIGHT, FRONT, BACK };
static const double wide = 8, deep = 7;

static talus_world *bed(void)
{
	talus_world_def def = plain_def();
	def.gravity = vec(0, 0, -1);
	def.step = 0.02;
	def.solver.iterations = 100;
	talus_world *world = world_of(&def, 0.3);
	put_plane(world, vec(0, 0, 0), vec(0, 0, 1));
	put_plane(world, vec(0, 0, 0), vec(1, 0, 0));
	put_plane(world, vec(wide, 0, 0), vec(-1, 0, 0));
	put_plane(world, vec(0, 0, 0), vec(0, 1, 0));
	put_plane(world, vec(0, deep, 0), vec(0, -1, 0));
	for (int i = 0; i < 135; i++) { // layers of 9 with room to fall
		vec3 at = vec(wide*(i%3 + 0.5)/3, deep*(i/3%3 + 0.5)/3, 1 + 2.1*(i/9));
		double radius = 0.75 + 0.2*random_unit(test_stream(7), (uint64_t)i);
		put_grain(world, add(at, mul(0.1, random_vector(3, test_stream(8), (uint64_t)i))), radius, vec(0, 0, 0));
	}
	return world;
}

// What the head of this file says, for the step that is taken here.
static void assert_identity(talus_world *world)
{
	bodies *b = &world->state.bodies;
	size_t grains = b->count;
	vec3 *x = malloc(grains*sizeof *x), *v = malloc(grains*sizeof *v);
	assert_true(x && v);
	for (size_t i = 0; i < grains; i++) { // by id: a step may sort the grains
		x[b->id[i]] = b->x[i];
		v[b->id[i]] = b->v[i];
	}
	talus_world_step(world);
	stress_state s = observe_stress(world);
	double wanted[3][3] = {{0}}, scale = 0;
	for (size_t i = 0; i < grains; i++) {
		vec3 a = mul(1/world->state.def.step, sub(b->v[i], v[b->id[i]]));
		vec3 force = mul(b->mass[i], sub(a, world->state.def.gravity));
		for (int k = 0; k < 9; k++)
			wanted[k/3][k%3] += component(force, k/3)*component(x[b->id[i]], k%3);
	}
	for (size_t i = 0; i < world->contacts.count; i++) {
		const talus_contact *c = &world->contacts.contact[i];
		if (world->contacts.contact[i].wall == NO_WALL)
			continue;
		vec3 y = mul_add(x[b->id[c->b]], -b->radius[c->b] - world->contacts.contact[i].gap, c->n);
		for (int k = 0; k < 9; k++)
			wanted[k/3][k%3] -= component(world->contacts.p[i], k/3)*component(y, k%3)/world->state.def.step;
	}
	for (int k = 0; k < 3; k++)
		scale += fabs(wanted[k][k]);
	for (int k = 0; k < 9; k++)
		assert_near(s.contact[k/3][k%3]*s.volume, wanted[k/3][k%3], 1e-6*scale);
	free(x);
	free(v);
}

// Also while everything falls and bounces.
static void test_identity(void **state)
{
	(void)state;
	talus_world *world = bed();
	for (int round = 0; round < 6; round++) {
		run(world, 100);
		assert_identity(world);
	}
	talus_world_destroy(world);
}

// At rest: floor and walls together bear the weight; each pair of walls is pressed apart by about the stress times the
// volume over their distance; and the vertical stress is about half of the pressure on the floor, more if walls bear a
// part.
static void test_rest(void **state)
{
	(void)state;
	talus_world *world = bed();
	run(world, 1500);
	assert_below(observe_motion(world).mean_speed, 1e-3);
	stress_state s = observe_stress(world);
	double weight = 0;
	vec3 force[5];
	for (size_t i = 0; i < world->state.bodies.count; i++)
		weight += world->state.bodies.mass[i];
	for (int w = 0; w < 5; w++)
		force[w] = talus_world_wall(world, w).force;
	vec3 all = vec(0, 0, 0);
	for (int w = FLOOR; w <= BACK; w++)
		all = add(all, force[w]);
	assert_near3(all, vec(0, 0, -weight), 0.01*weight);
	double across = 0.5*(force[RIGHT].x - force[LEFT].x), along = 0.5*(force[BACK].y - force[FRONT].y);
	assert_near(s.stress[0][0]*s.volume/wide, across, 0.05*across); // friction on the floor takes a share
	assert_near(s.stress[1][1]*s.volume/deep, along, 0.05*along);
	double height = s.volume/(wide*deep), floor_pressure = -force[FLOOR].z/(wide*deep);
	assert_true(height > 5);
	assert_below(s.kinetic_pressure, 1e-3*s.contact_pressure);
	assert_true(s.stress[2][2] > 0.4*floor_pressure && s.stress[2][2] < 0.75*floor_pressure);
	network_state n = observe_network(world);
	assert_true(n.coordination > observe_structure(world).coordination && n.coordination > 4 && n.coordination < 6.5);
	talus_world_destroy(world);
}

// Without friction walls hold nothing up, and along z nothing but the weight counts: V sigma_zz = sum of m g z; across,
// V sigma_xx is the force on a wall times their distance, and the two have the same. To what the sweeps have left.
static void test_smooth_walls(void **state)
{
	(void)state;
	talus_world *world = bed();
	talus_world_set_pair(world, &(talus_pair){.a = 0, .b = 0, .friction = 0});
	run(world, 1500);
	stress_state s = observe_stress(world);
	double weight = 0, moment = 0;
	for (size_t i = 0; i < world->state.bodies.count; i++) {
		weight += world->state.bodies.mass[i];
		moment += world->state.bodies.mass[i]*world->state.bodies.x[i].z;
	}
	assert_near(-talus_world_wall(world, FLOOR).force.z, weight, 0.02*weight);
	assert_near(s.stress[2][2]*s.volume, moment, 0.02*moment);
	vec3 left = talus_world_wall(world, LEFT).force, right = talus_world_wall(world, RIGHT).force;
	vec3 front = talus_world_wall(world, FRONT).force, back = talus_world_wall(world, BACK).force;
	assert_near(right.x, -left.x, 0.01*right.x);
	assert_near(back.y, -front.y, 0.01*back.y);
	assert_near(s.stress[0][0]*s.volume/wide, right.x, 0.01*right.x);
	assert_near(s.stress[1][1]*s.volume/deep, back.y, 0.01*back.y);
	double half = 0.5*weight/(wide*deep);
	assert_near(s.stress[2][2], half, 0.15*half);
	talus_world_destroy(world);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_identity),
		cmocka_unit_test(test_rest),
		cmocka_unit_test(test_smooth_walls),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
