// SPDX-License-Identifier: MIT
// A periodic cell that deforms: a pressure bath (Shaebani, Unger & Kertesz 2009), stresses and rates component by component.
#include "physics.h"

#include "state/cell.h"
#include "io/files.h"
#include "observe/observe.h"
#include "solve/solve.h"
#include "method/contact_dynamics.h"

static const double steps[] = {0.02, 0.005};

static void set_bath(talus_world_def *def, double pressure, double inertia)
{
	def->cell.bath = true;
	def->cell.pressure = pressure;
	def->cell.inertia = inertia;
}

static void fill_cell(talus_world *world, int count, double size)
{
	talus_error error;
	int d = world->state.def.dimension;
	talus_fill_def fill = {.count = count, .radius = {.kind = TALUS_SIZE_UNIFORM, .a = 0.8, .b = 1.2},
		.in = {.box = {{0, 0, 0}, {size, size, d == 3 ? size : 0}}}};
	assert_true(talus_world_fill(world, &fill, &error));
}

static double balance(const talus_world *world)
{
	talus_energy e = talus_world_energy(world);
	return e.kinetic + e.potential + energy_account_dissipated(&world->energy) - e.driven_work - e.cell_work;
}

// Touching grains of diameter 2 in rows and columns, an even number of them.
static void put_lattice(talus_world *world, int side)
{
	int d = world->state.def.dimension, all = d == 2 ? side*side : side*side*side;
	talus_grain_def def = talus_grain_def_default();
	for (int i = 0; i < all; i++) {
		def.at = vec(1 + 2*(i%side), 1 + 2*(i/side%side), d == 3 ? 1 + 2*(i/side/side) : 0);
		talus_world_add_grain(world, &def);
	}
}

// ---------------------------------------------------------------- nobody in the way

// Without contacts the cell falls freely: lambda = -P t/M, and everything in it comes closer as it shrinks.
static void test_collapse(void **state)
{
	(void)state;
	for (size_t s = 0; s < COUNT(steps); s++)
		for (int dimension = 2; dimension <= 3; dimension++)
			for (int scheme = 0; scheme < 2; scheme++) {
				talus_world_def def = cell_def(dimension, steps[s], 30);
				set_bath(&def, 3, 50);
				def.cell.semi_implicit = scheme;
				talus_world *world = world_of(&def, 0.5);
				talus_grain_def one = talus_grain_def_default();
				one.at = vec(4, 7, dimension == 3 ? 20 : 0);
				talus_world_add_grain(world, &one);
				double size = 30;
				for (int n = 1; n <= 40; n++) {
					talus_world_step(world);
					size *= 1 - 3*n*steps[s]/50*steps[s];
					assert_near(world->state.cell.rate[0][0], -3*n*steps[s]/50, 1e-14);
					assert_near(world->state.cell.h[1][1], size, 1e-12);
				}
				assert_near3(world->state.bodies.x[0], mul(size/30, one.at), 1e-12);
				assert_near(world->state.cell.h[2][2], dimension == 3 ? size : 1, 1e-12);
				talus_world_destroy(world);
			}
}

// However light the cell, it does not shrink by more than a twentieth in a step, and gets there in small steps.
static void test_light_cell(void **state)
{
	(void)state;
	for (size_t s = 0; s < COUNT(steps); s++) {
		talus_world_def def = cell_def(2, steps[s], 60);
		set_bath(&def, 1e4, 1e-6);
		talus_world *world = world_of(&def, 0.5);
		talus_grain_def one = talus_grain_def_default();
		talus_world_add_grain(world, &one);
		for (int n = 1; n <= 40; n++) {
			talus_world_step(world);
			assert_near(world->state.cell.rate[0][0]*steps[s], -fmin(0.002*n, 0.05), 1e-12);
		}
		talus_world_destroy(world);
	}
}

// Sheared at a given rate, a grain at rest relative to the background is carried along, and one that moves across keeps its velocity
// in the lab; the cell is cut anew, and nobody notices.
static void test_shear(void **state)
{
	(void)state;
	for (size_t s = 0; s < 2*COUNT(steps); s++)
		for (int dimension = 2; dimension <= 3; dimension++) {
			double dt = steps[s/2], speed = s%2 ? 7 : 0;
			talus_world_def def = cell_def(dimension, dt, 10);
			def.cell.drive[0][1] = TALUS_DRIVE_RATE;
			def.cell.wanted[0][1] = 0.7;
			talus_world *world = world_of(&def, 0.5);
			talus_grain_def one = talus_grain_def_default();
			one.at = vec(2, 6, dimension == 3 ? 5 : 0);
			one.velocity.y = speed;
			talus_world_add_grain(world, &one);
			vec3 lab = vec(0.7*(6 - dt*speed), speed, 0); // the background's is that of the start of a step
			int cuts = 0;
			double last = 0;
			for (int n = 1; n <= (int)(5/dt); n++) {
				talus_world_step(world);
				const bodies *b = &world->state.bodies;
				vec3 x = cell_unwrap(&world->state.cell, b->x[0], b->image[0]);
				assert_near3(x, mul_add(one.at, n*dt, lab), 1e-9);
				assert_below(fabs(world->state.cell.h[0][1]), 0.51*10);
				bool cut = fabs(world->state.cell.h[0][1] - last) > 1;
				assert_true(!cut || world->list.stale); // its pairs are numbered by the old images
				cuts += cut;
				last = world->state.cell.h[0][1];
			}
			assert_int_equal(cuts, 3); // 3.5 cells
			talus_world_destroy(world);
		}
}

// ---------------------------------------------------------------- a lattice

// Grains in rows and columns stop the cell at once. How much each row carries is its own affair, but all together they carry the
// pressure outside or, where components are driven, each component; also if the cell weighs next to nothing.
static void test_lattice(void **state)
{
	(void)state;
	for (size_t s = 0; s < COUNT(steps); s++)
		for (int dimension = 2; dimension <= 3; dimension++)
			for (int kind = 0; kind < 4; kind++) { // bath, a light one, a light one in blocks, components
				talus_world_def def = cell_def(dimension, steps[s], kind == 2 ? 16 : 8);
				double stress[3] = {1.5, 1.5, 1.5};
				def.solver.iterations = 150;
				if (kind < 3) {
					set_bath(&def, 1.5, kind ? 1e-5 : 40);
				} else {
					stress[1] = 0.7;
					def.cell.inertia = 40;
					for (int k = 0; k < dimension; k++) {
						def.cell.drive[k][k] = TALUS_DRIVE_STRESS;
						def.cell.wanted[k][k] = stress[k];
					}
				}
				talus_world *world = world_of(&def, 0.3);
				put_lattice(world, kind == 2 ? 8 : 4);
				if (kind == 2) {
					world->list.blocks_from = 0;
					world->list.block_size = dimension == 2 ? 4 : 30;
				}
				run(world, 20);
				assert_true(kind != 2 || contact_dynamics_of(world)->solver_workspace->plan->cut.count > 4);
				stress_state inside = observe_stress(world);
				assert_near(inside.pressure, (stress[0] + stress[1] + (dimension == 3 ? stress[2] : 0))/dimension, 1e-6);
				for (int k = 0; k < dimension; k++) {
					assert_near(world->state.cell.rate[k][k], 0, 1e-9);
					if (kind == 3)
						assert_near(inside.stress[k][k], stress[k], 1e-6);
				}
				talus_world_destroy(world);
			}
}

// ---------------------------------------------------------------- packings

// A gas is pressed until it rests: the pressure inside is that outside, the books close in every step, whatever the scheme.
static void test_packing(void **state)
{
	(void)state;
	enum { COUNT_OF = 40 };
	static const double packing_steps[] = {0.02, 0.01};
	for (size_t s = 0; s < (quick() ? 1 : COUNT(packing_steps)); s++)
		for (int scheme = 0; scheme < 2; scheme++) {
			double size = 22, dt = packing_steps[s];
			talus_world_def def = cell_def(2, dt, size);
			set_bath(&def, 1, 100);
			def.cell.semi_implicit = scheme;
			talus_world *world = world_of(&def, 0.5);
			fill_cell(world, COUNT_OF, size);
			double start = balance(world), most = 0;
			bool rest = false;
			for (int n = 0; n < (int)(100/dt) && !rest; n++) {
				talus_world_step(world);
				most = fmax(most, fabs(balance(world) - start));
				motion_state m = observe_motion(world);
				rest = m.network && m.mean_speed < 1e-9 && m.mean_acceleration < 1e-9;
			}
			stress_state inside = observe_stress(world);
			assert_true(rest);
			assert_below(most, 1e-9);
			assert_near(inside.pressure, 1, 1e-6);
			assert_near(inside.volume_fraction, 0.80, 0.03);
			talus_world_destroy(world);
		}
}

// Pieces through checkpoints, at any moment, give the bits of one go: the pair list of a cell that has deformed since comes back.
static talus_world *shearing(void)
{
	talus_world_def def = cell_def(2, 0.01, 20);
	def.cell.drive[0][1] = TALUS_DRIVE_RATE;
	def.cell.wanted[0][1] = 0.3;
	def.cell.drive[1][1] = TALUS_DRIVE_STRESS;
	def.cell.wanted[1][1] = 2;
	def.cell.inertia = 20;
	def.solver.iterations = 20;
	return world_of(&def, 0.5);
}

static void test_pieces(void **state)
{
	(void)state;
	talus_error error;
	talus_world *whole = shearing(), *piece = shearing();
	fill_cell(whole, 50, 20);
	fill_cell(piece, 50, 20);
	for (int k = 0; k < 8; k++) {
		double seconds;
		run(whole, 31 + 17*k);
		run(piece, 31 + 17*k);
		assert_true(checkpoint_write(".", piece, 0, &error));
		talus_world_destroy(piece);
		piece = shearing();
		assert_true(checkpoint_read(".", piece, &seconds, &error));
		assert_true(talus_world_hash(piece) == talus_world_hash(whole));
	}
	assert_true(whole->list.builds > 8 && fabs(whole->state.cell.rate[1][1]) > 0);
	talus_world_destroy(whole);
	talus_world_destroy(piece);
}

// ---------------------------------------------------------------- flow

static talus_world *flowing(int threads, bool blocks)
{
	talus_world_def def = cell_def(2, 0.02, 36);
	def.cell.drive[0][1] = TALUS_DRIVE_RATE;
	def.cell.wanted[0][1] = 0.05;
	def.cell.drive[1][1] = TALUS_DRIVE_STRESS;
	def.cell.wanted[1][1] = 1;
	def.cell.inertia = 30;
	def.solver.iterations = 50;
	talus_world *world = world_of(&def, 0.4);
	talus_world_set_threads(world, threads);
	world->team_from = 0; // however little there is to do
	if (blocks) {
		world->list.blocks_from = 0;
		world->list.block_size = 60;
	}
	fill_cell(world, 150, 36);
	return world;
}

typedef struct flow_means {
	double stress, shear, solid;
} flow_means;

// So many steps. In each of them the cell obeys  M dL_yy/dt = sigma_yy - s  to the last digits, the stress being that of the end of the
// step in the volume of its start, so the mean of sigma_yy is s up to M times the change of the rate over the time.
static flow_means flow_run(talus_world *world, int count)
{
	double dt = world->state.def.step, inertia = world->state.def.cell.inertia, start = world->state.cell.rate[1][1], sum = 0;
	flow_means m = {0};
	for (int n = 0; n < count; n++) {
		double before = cell_volume(&world->state.cell, 2), rate = world->state.cell.rate[1][1];
		talus_world_step(world);
		stress_state s = observe_stress(world);
		double stress = s.stress[1][1]*s.volume/before;
		assert_near(inertia*(world->state.cell.rate[1][1] - rate)/dt, stress - 1, 1e-9*(1 + stress));
		sum += stress/count;
		m.stress += s.stress[1][1]/count;
		m.shear += s.stress[0][1]/count;
		m.solid += s.volume_fraction/count;
	}
	assert_near(sum, 1 + inertia*(world->state.cell.rate[1][1] - start)/(count*dt), 1e-9);
	return m;
}

// Threads do not change a bit, with and without blocks.
static void test_flow_threads(void **state)
{
	(void)state;
	for (int blocks = 0; blocks < 2; blocks++) {
		talus_world *one = flowing(1, blocks), *three = flowing(3, blocks);
		for (int part = 0; part < 3; part++) {
			run(one, quick() ? 100 : 300);
			run(three, quick() ? 100 : 300);
			assert_true(talus_world_hash(one) == talus_world_hash(three));
		}
		assert_true(one->contacts.count > (quick() ? 0 : 200));
		talus_world_destroy(one);
		talus_world_destroy(three);
	}
}

// It flows with the friction and the density that a strain of 12 has told, at I = 0.089: 0.379 and 0.783. Means over a strain of 1 scatter
// by 0.02 and 0.003 around them. da Cruz et al. have 0.348 and 0.783; talus reproduce plane-shear finds 0.387 and 0.781 with 400 disks.
static void test_flow(void **state)
{
	(void)state;
	talus_world *world = flowing(1, false);
	double strains = quick() ? 0.3 : long_form() ? 12 : 3, steps_a_strain = 1000;
	flow_run(world, (int)(steps_a_strain*(quick() ? 0.5 : 1.5)));
	flow_means m = flow_run(world, (int)(steps_a_strain*strains));
	print_message("stress %g, friction %g, volume fraction %g\n", m.stress, -m.shear/m.stress, m.solid);
	assert_near(m.stress, 1, 0.03/strains);
	if (!quick()) {
		assert_near(-m.shear/m.stress, 0.379, 0.04/sqrt(strains));
		assert_near(m.solid, 0.783, 0.007/sqrt(strains));
	}
	talus_world_destroy(world);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_collapse), cmocka_unit_test(test_light_cell),
		cmocka_unit_test(test_shear),
		cmocka_unit_test(test_lattice),
		cmocka_unit_test(test_packing),
		cmocka_unit_test(test_pieces),
		cmocka_unit_test(test_flow_threads),
		cmocka_unit_test(test_flow),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
