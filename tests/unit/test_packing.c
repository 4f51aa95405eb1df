// SPDX-License-Identifier: MIT
// All numbers about a packing together: the same on any number of threads, and found by their names.
#include "packing.h"

enum { NUMBERS_MOST = 1000 };

typedef struct everything {
	size_t count;
	double number[NUMBERS_MOST]; // of all observables
	normals_state normals;
	force_histogram forces;
	radial_state radial;
	homogeneity_state homogeneity;
} everything;

static void look(const talus_world *world, everything *e)
{
	observations seen = observations_of(world);
	observable_list all = observables_all();
	memset(e, 0, sizeof *e);
	for (int i = 0; i < all.count; i++) {
		if (all.at[i]->dimension && all.at[i]->dimension != world->state.def.dimension)
			continue;
		assert_true(e->count + observable_count(all.at[i]) <= NUMBERS_MOST);
		observable_values(all.at[i], &seen, e->number + e->count);
		e->count += observable_count(all.at[i]);
	}
	observations_free(&seen);
	e->normals = observe_normals(world);
	e->forces = observe_force_histogram(world);
	e->radial = observe_radial(world);
	e->homogeneity = observe_homogeneity(world);
}

static void test_threads(void **state)
{
	(void)state;
	for (int dimension = 2; dimension <= 3; dimension++) {
		talus_world *world = packing_fallen(dimension, 1);
		assert_true(observe_structure(world).bearing > 1000 && world->contacts.count > 3000); // several blocks
		everything one, more;
		look(world, &one);
		for (int threads = 2; threads <= 4; threads++) {
			talus_world_set_threads(world, threads);
			world->team_from = 0; // however little there is to do
			look(world, &more);
			assert_true(one.count > 500 && one.count == more.count);
			assert_memory_equal(one.number, more.number, sizeof one.number);
			assert_memory_equal(&one.normals, &more.normals, sizeof one.normals);
			assert_memory_equal(&one.forces, &more.forces, sizeof one.forces);
			assert_memory_equal(&one.radial, &more.radial, sizeof one.radial);
			assert_true(one.homogeneity.deviation == more.homogeneity.deviation);
		}
		talus_world_destroy(world);
	}
}

static double number_of(const talus_world *world, const char *name)
{
	double number;
	size_t count;
	talus_error error;
	if (!talus_world_observe(world, name, &number, 1, &count, &error) || count != 1)
		fail_msg("%s: %s", name, error.text);
	return number;
}

static void test_names(void **state)
{
	(void)state;
	talus_world *world = packing_fallen(3, 2);
	stress_state s = observe_stress(world);
	fabric_state f = observe_fabric(world);
	forces_state forces = observe_forces(world);
	temperature_state t = observe_temperature(world);
	const struct {
		const char *name;
		double value;
	} wanted[] = {{"stress_contact_pressure", s.contact_pressure},
	              {"stress_kinetic_pressure", s.kinetic_pressure},
	              {"deviator", s.deviator},
	              {"fabric_xx", f.fabric[0][0]},
	              {"fabric_yy", f.fabric[1][1]},
	              {"fabric_zz", f.fabric[2][2]},
	              {"fabric_xy", f.fabric[0][1]},
	              {"fabric_xz", f.fabric[0][2]},
	              {"fabric_yz", f.fabric[1][2]},
	              {"anisotropy", f.anisotropy},
	              {"coordination_network", observe_network(world).coordination},
	              {"weak_share", forces.weak_share},
	              {"weak_pressure_share", forces.weak_pressure_share},
	              {"pull_share", forces.pull_share},
	              {"mobilisation", forces.mobilisation},
	              {"sliding_share", forces.sliding_share},
	              {"temperature", t.motion},
	              {"spin_temperature", t.spin}};
	for (size_t i = 0; i < sizeof wanted/sizeof *wanted; i++)
		assert_true(number_of(world, wanted[i].name) == wanted[i].value);
	assert_near(s.contact_pressure + s.kinetic_pressure, s.pressure, 1e-12*s.pressure);
	assert_true(s.kinetic_pressure > 0 && s.deviator > 0 && t.motion > 0 && t.spin > 0 && forces.mobilisation > 0);
	talus_world_destroy(world);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_threads), cmocka_unit_test(test_names)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
