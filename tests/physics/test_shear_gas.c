// SPDX-License-Identifier: MIT
// Cells that are driven at a rate or by a stress obey Newton's law in the lab: free grains, gases whose heat comes from the shear
// alone (beside a referee without time steps, event_gas.h), and the swing of a gas under a stress.
#include "event_gas.h"

#include "state/cell.h"
#include "observe/observe.h"

static talus_world_def driven_def(int dimension, double dt, double size)
{
	talus_world_def def = cell_def(dimension, dt, size);
	def.cell.inertia = 1;
	def.solver.stop = TALUS_STOP_RESIDUAL;
	def.solver.tolerance = 1e-6;
	def.solver.max_iterations = 50;
	return def;
}

// ---------------------------------------------------------------- a grain that nobody pushes

// Under shear it flies straight on in the lab, with the velocity v + L x, whatever the component, however often the cell is cut anew.
static void test_straight(void **state)
{
	(void)state;
	const int pairs[3][2] = {{0, 1}, {0, 2}, {1, 2}};
	const double steps[] = {0.02, 0.005};
	for (size_t s = 0; s < COUNT(steps); s++)
		for (int dimension = 2; dimension <= 3; dimension++)
			for (int k = 0; k < (dimension == 2 ? 1 : 3); k++) {
				int i = pairs[k][0], j = pairs[k][1];
				talus_world_def def = driven_def(dimension, steps[s], 10);
				def.cell.drive[i][j] = TALUS_DRIVE_RATE;
				def.cell.wanted[i][j] = 0.7;
				talus_world *world = world_of(&def, 0.5);
				vec3 at = vec(2, 6, dimension == 3 ? 3 : 0), v = vec(0.3, 1.1, dimension == 3 ? -0.4 : 0), u = v;
				put_grain(world, at, 1, v);
				set_component(&u, i, component(v, i) + 0.7*(component(at, j) - steps[s]*component(v, j)));
				for (int n = 1; n <= (int)(6/steps[s]); n++) {
					talus_world_step(world);
					vec3 x = cell_unwrap(&world->state.cell, world->state.bodies.x[0], world->state.bodies.image[0]);
					assert_near3(x, mul_add(at, n*steps[s], u), 1e-10);
				}
				talus_world_destroy(world);
			}
}

// Compressed or stretched, its velocity goes with the inverse of the edge, as between walls that come or go.
static void test_adiabatic(void **state)
{
	(void)state;
	const double steps[] = {0.02, 0.005};
	for (size_t s = 0; s < COUNT(steps); s++)
		for (int k = 0; k < 3; k++) {
			talus_world_def def = driven_def(3, steps[s], 10);
			def.cell.drive[k][k] = TALUS_DRIVE_RATE;
			def.cell.wanted[k][k] = k == 1 ? 0.1 : -0.1;
			talus_world *world = world_of(&def, 0.5);
			vec3 v = vec(0.3, 1.1, -0.4);
			put_grain(world, vec(2, 6, 3), 1, v);
			talus_energy before = talus_world_energy(world);
			run(world, (int)(4/steps[s]));
			vec3 wanted = v;
			set_component(&wanted, k, component(v, k)*10/world->state.cell.h[k][k]);
			assert_near3(world->state.bodies.v[0], wanted, 1e-12);
			assert_true(fabs(world->state.cell.h[k][k] - 10) > 3);
			talus_energy after = talus_world_energy(world);
			assert_near(after.kinetic - before.kinetic, after.cell_work, 1e-12);
			talus_world_destroy(world);
		}
}

// ---------------------------------------------------------------- a gas and a stress

// Two grains that fly to and fro along x are a gas in one dimension, with the pressure 2 m v^2/V. In a cell that follows a stress s along x it
// swings as adiabatic compression has it, v ~ 1/L: M e'' = s ((1 + e)^-3 - 1), so w^2 = 3 s/M for small swings. Were its heat none of the
// cell's business, as in the pressure bath, it would be w^2 = s/M. The shear that goes on across does not change that.
static void test_swing(void **state)
{
	(void)state;
	const double steps[] = {0.004, 0.002};
	for (size_t s = 0; s < COUNT(steps); s++)
		for (int sheared = 0; sheared < 2; sheared++) {
			talus_world_def def = driven_def(2, steps[s], 20);
			def.cell.drive[0][0] = TALUS_DRIVE_STRESS;
			def.cell.wanted[0][0] = 0.1;
			def.cell.inertia = 2;
			if (sheared) {
				def.cell.drive[0][1] = TALUS_DRIVE_RATE;
				def.cell.wanted[0][1] = 0.3;
			}
			talus_world *world = world_of(&def, 0);
			put_grain(world, vec(2, 6, 0), 1, vec(sqrt(0.05*400/PI), 0, 0));
			put_grain(world, vec(7, 14, 0), 1, vec(-sqrt(0.05*400/PI), 0, 0));
			world->state.cell.rate[0][0] = 0.004;
			double time[2] = {0, 0}, last = 0.004;
			int turns = 0; // the rate passes 0 twice a period
			while (turns < 7) {
				talus_world_step(world);
				double rate = world->state.cell.rate[0][0];
				if (rate*last < 0) {
					double at = world->state.time - steps[s]*rate/(rate - last);
					time[turns == 0 ? 0 : 1] = at;
					turns++;
				}
				last = rate;
				assert_below(world->state.time, 200);
			}
			double w = 6*PI/(time[1] - time[0]);
			assert_near(w*w/(0.1/2), 3, 0.01);
			talus_world_destroy(world);
		}
}

// Collisions without loss lose nothing, though all of them hang together through the rates of the cell and the solver is told to be
// content with a per cent; nor does a wind press on the cell.
static void test_elastic(void **state)
{
	(void)state;
	const double steps[] = {0.004, 0.001};
	for (size_t s = 0; s < COUNT(steps); s++)
		for (int wind = 0; wind < 2; wind++) {
			talus_world_def def = cell_def(2, steps[s], 20);
			def.solver = talus_world_def_default().solver;
			def.cell.inertia = 200;
			for (int k = 0; k < 2; k++) {
				def.cell.drive[k][k] = TALUS_DRIVE_STRESS;
				def.cell.wanted[k][k] = 0.3;
			}
			talus_world *world = world_of(&def, 0);
			talus_world_set_pair(world, &(talus_pair){.restitution = 1});
			talus_error error;
			talus_fill_def fill = {.count = 50, .radius = {.kind = TALUS_SIZE_UNIFORM, .a = 0.5, .b = 0.5},
				.in = {.box = {{0, 0, 0}, {20, 20, 0}}}};
			assert_true(talus_world_fill(world, &fill, &error));
			for (size_t i = 0; i < world->state.bodies.count; i++)
				world->state.bodies.v[i] = add(mul(2, random_vector(2, test_stream(3), i)), vec(wind*5, 0, 0));
			double start = account_grains(&world->state).kinetic;
			for (int n = 0; n < (int)(3/steps[s]); n++) {
				double before[2] = {world->state.cell.rate[0][0], world->state.cell.rate[1][1]}, volume = cell_volume(&world->state.cell, 2);
				talus_world_step(world);
				stress_state inside = observe_stress(world); // over the volume after the step
				double grown = cell_volume(&world->state.cell, 2)/volume;
				for (int k = 0; k < 2; k++)
					assert_near((world->state.cell.rate[k][k] - before[k])/steps[s], (inside.stress[k][k]*grown - 0.3)/200, 1e-9);
			}
			assert_near(energy_account_dissipated(&world->energy)/start, 0, 1e-6);
			assert_true(world->report.contacts > 0 || world->report.updates_all > 20);
			talus_world_destroy(world);
		}
}

// ---------------------------------------------------------------- heat from shear

enum { GRAINS = 100 };

typedef struct gas_case {
	int dimension;
	double solid, restitution;
} gas_case;

static double gas_size(const gas_case *c)
{
	return pow(GRAINS*(c->dimension == 2 ? PI/4 : PI/6)/c->solid, 1.0/c->dimension);
}

static talus_world *gas_world(const gas_case *c, double dt)
{
	int d = c->dimension;
	double size = gas_size(c);
	talus_world_def def = driven_def(d, dt, size);
	def.cell.drive[0][1] = TALUS_DRIVE_RATE;
	def.cell.wanted[0][1] = 1;
	talus_world *world = talus_world_create(&def);
	talus_world_add_material(world, "stuff", d == 2 ? 4/PI : 6/PI); // mass 1
	talus_world_set_pair(world, &(talus_pair){.restitution = c->restitution});
	talus_error error;
	talus_fill_def fill = {.count = GRAINS, .radius = {.kind = TALUS_SIZE_UNIFORM, .a = 0.5, .b = 0.5},
		.arrangement = TALUS_ARRANGE_LATTICE, .in = {.box = {{0, 0, 0}, {size, size, d == 3 ? size : 0}}}};
	assert_true(talus_world_fill(world, &fill, &error));
	vec3 mean = {0, 0, 0}; // else it goes faster and faster relative to the background, as it should
	for (size_t i = 0; i < GRAINS; i++)
		mean = mul_add(mean, 1.0/GRAINS, random_vector(d, test_stream(1), i));
	for (size_t i = 0; i < GRAINS; i++)
		world->state.bodies.v[i] = sub(random_vector(d, test_stream(1), i), mean);
	return world;
}

static event_means referee(const gas_case *c, double strain)
{
	static event_gas gas;
	talus_world *world = gas_world(c, 0.01);
	gas = (event_gas){.dimension = c->dimension, .count = GRAINS, .size = gas_size(c), .rate = 1, .restitution = c->restitution};
	for (int i = 0; i < GRAINS; i++) {
		gas.x[i] = world->state.bodies.x[i];
		gas.u[i] = add(world->state.bodies.v[i], vec(gas.x[i].y, 0, 0));
	}
	talus_world_destroy(world);
	event_run(&gas, 20);
	event_forget(&gas);
	event_run(&gas, 20 + strain);
	return event_look(&gas);
}

static event_means gas_means(const gas_case *c, double dt, double strain)
{
	talus_world *world = gas_world(c, dt);
	int d = c->dimension, steps = (int)(strain/dt);
	event_means m = {0};
	run(world, (int)(20/dt));
	double volume = cell_volume(&world->state.cell, d), lost = energy_account_dissipated(&world->energy);
	talus_energy before = talus_world_energy(world);
	for (int n = 0; n < steps; n++) {
		talus_world_step(world);
		stress_state s = observe_stress(world);
		m.temperature += 2*account_grains(&world->state).kinetic/(d*GRAINS*steps);
		m.shear += s.stress[0][1]/steps;
		m.pressure += s.pressure/steps;
	}
	talus_energy after = talus_world_energy(world);
	m.dissipation = (energy_account_dissipated(&world->energy) - lost)/(volume*steps*dt);
	// what the stress does is what the books have
	assert_near((after.cell_work - before.cell_work)/(volume*steps*dt), -m.shear, 0.01*fabs(m.shear));
	double left = (after.kinetic - before.kinetic)/(volume*steps*dt);
	assert_near(left + m.dissipation, (after.cell_work - before.cell_work)/(volume*steps*dt), 1e-9);
	talus_world_destroy(world);
	return m;
}

static void same(const event_means *got, const event_means *wanted, double share)
{
	print_message("T %.4f (%.4f), -s_xy %.4f (%.4f), p %.4f (%.4f), lost %.4f\n", got->temperature, wanted->temperature, -got->shear,
		-wanted->shear, got->pressure, wanted->pressure, got->dissipation);
	assert_near(got->temperature/wanted->temperature, 1, share);
	assert_near(got->shear/wanted->shear, 1, share);
	assert_near(got->pressure/wanted->pressure, 1, share);
	assert_near(got->dissipation/-got->shear, 1, 0.01);
}

static event_means extrapolated(const event_means *coarse, const event_means *fine) // the latter with half the step
{
	return (event_means){2*fine->temperature - coarse->temperature, 2*fine->shear - coarse->shear,
		2*fine->pressure - coarse->pressure, 2*fine->dissipation - coarse->dissipation};
}

// Temperatures of a hundred grains swing by tens of per cents and slowly, so means want long runs: the last per cents are for those who
// have time.
static double strain(double usual, double patient)
{
	return quick() ? 1 : long_form() ? patient : usual;
}

static void beside_referee(const gas_case *c, double dt, double usual, double patient, double share)
{
	event_means got = gas_means(c, dt, strain(usual, patient));
	if (quick())
		return;
	event_means wanted = referee(c, strain(2*usual, 2*patient));
	same(&got, &wanted, share);
}

static void test_disks(void **state)
{
	(void)state;
	beside_referee(&(gas_case){2, 0.30, 0.8}, long_form() ? 0.002 : 0.004, 200, 1000, 0.04);
}

static void test_spheres(void **state)
{
	(void)state;
	beside_referee(&(gas_case){3, 0.30, 0.8}, long_form() ? 0.002 : 0.004, 60, 300, 0.04);
}

// Where grains meet often a step of any length makes collisions late: first order, as two steps show.
static void test_dense_disks(void **state)
{
	(void)state;
	gas_case c = {2, 0.55, 0.8};
	beside_referee(&c, long_form() ? 0.002 : 0.004, 60, 400, 0.08);
	if (!long_form())
		return;
	event_means wanted = referee(&c, 1000), coarse = gas_means(&c, 0.004, 600), fine = gas_means(&c, 0.002, 600);
	event_means limit = extrapolated(&coarse, &fine);
	same(&limit, &wanted, 0.04);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_straight),
		cmocka_unit_test(test_adiabatic),
		cmocka_unit_test(test_swing),
		cmocka_unit_test(test_elastic),
		cmocka_unit_test(test_disks),
		cmocka_unit_test(test_dense_disks),
		cmocka_unit_test(test_spheres),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
