// SPDX-License-Identifier: MIT
// Cells of a lattice: everything is in one of them, cells of one colour do not come near each other, and they are as large as they
// should be.
#include "unit.h"

#include "state/cell.h"
#include "collide/collide.h"
#include "collide/lattice.h"

static const double unit_length = 0.37; // the mean radius, which volumes are counted in

// ---------------------------------------------------------------- spaces

typedef struct space {
	talus_world *world;
	lattice lattice;
	vec3 low, size;
	double volume;
} space;

static bool is_periodic(unsigned periodic, int k)
{
	return periodic >> k & 1;
}

static talus_world *empty(int dimension, unsigned periodic, vec3 origin, vec3 size, bool sheared)
{
	talus_world_def def = unit_def(dimension);
	def.cell.origin = origin;
	def.cell.size = size;
	for (int k = 0; k < 3; k++)
		def.cell.periodic[k] = is_periodic(periodic, k);
	talus_world *world = unit_world(&def, 0);
	for (int k = 1; k < dimension && sheared; k++)
		for (int i = 0; i < k; i++)
			if (is_periodic(periodic, k) && is_periodic(periodic, i))
				world->state.cell.h[i][k] = (k == 1 ? 0.4 : -0.3)*world->state.cell.h[i][i];
	cell_update(&world->state.cell);
	world->state.mean_radius = unit_length;
	return world;
}

// Anywhere, of any shape, thin ones among them, with cells of any size.
static space space_make(dice *d, int dimension, unsigned periodic, bool sheared)
{
	space s = {0};
	vec3 size = vec(0, 0, 0), origin = vec(0, 0, 0);
	for (int k = 0; k < dimension; k++) {
		set_component(&size, k, unit_length*exp(roll(d, 1, 5)));
		set_component(&origin, k, roll(d, -50, 50));
	}
	s.world = empty(dimension, periodic, origin, size, sheared);
	s.volume = exp(roll(d, 1, 6));
	for (int k = 0; k < 3; k++) {
		bool around = s.world->state.cell.periodic[k];
		set_component(&s.low, k, around ? 0 : component(origin, k));
		set_component(&s.size, k, around ? cell_height(&s.world->state.cell, k) : component(size, k));
	}
	s.lattice = lattice_make(&s.world->state, s.low, s.size, s.volume, roll_in(d, vec(0, 0, 0), vec(1, 1, 1)));
	return s;
}

// In the box and around it, by up to its own size; the middle is where most are.
static vec3 some_place(dice *d, const space *s)
{
	vec3 at = vec(0, 0, 0);
	for (int k = 0; k < s->world->state.def.dimension; k++) {
		double f = roll(d, 0, 1) < 0.8 ? roll(d, 0, 1) : roll(d, -1, 2);
		if (s->world->state.cell.periodic[k])
			at = add(at, mul(f, vec(s->world->state.cell.h[0][k], s->world->state.cell.h[1][k], s->world->state.cell.h[2][k])));
		else
			set_component(&at, k, component(at, k) + f*component(s->size, k));
	}
	return add(at, s->world->state.cell.origin);
}

// The shortest edge of a cube, or of a square or slice.
static double least_edge(const space *s)
{
	double least = INFINITY;
	for (int k = 0; k < 3; k++)
		if (s->lattice.cut[k])
			least = fmin(least, (s->lattice.around[k] ? component(s->size, k) : 1)/component(s->lattice.per_length, k));
	return least;
}

static uint32_t cell_at(const space *s, vec3 x)
{
	int colour;
	uint32_t c = lattice_cell(&s->lattice, error_cells_place(&s->world->state, x), &colour);
	assert_int_equal(colour, lattice_colour(&s->lattice, c));
	return c;
}

// As far apart as cells of one colour are. In a sheared cell planes that are cut are no longer at right angles, so two places may be
// that much farther on in the lattice than in space.
static double reach_of(const space *s, bool sheared)
{
	double reach = (s->lattice.centred ? 0.35 : 1)*least_edge(s), most = 0;
	if (!sheared)
		return reach;
	for (int k = 0; k < 3; k++) {
		double squares = 0, height = cell_height(&s->world->state.cell, k);
		for (int i = 0; i < 3; i++)
			squares += fabs(s->world->state.cell.inverse[k][i])*(s->world->state.cell.periodic[k] ? height : 1);
		most += squares*squares;
	}
	return reach/sqrt(most);
}

// ---------------------------------------------------------------- colours

// Two places closer than that are in one cell or in two of different colours.
static void check_pairs(dice *d, const space *s, double reach, size_t *different)
{
	enum { PAIRS = 300 };
	for (int n = 0; n < PAIRS; n++) {
		vec3 x = some_place(d, s), y = add(x, mul(fmin(reach, 1e3)*roll(d, 0, 0.999), roll_direction(d, s->world->state.def.dimension)));
		uint32_t a = cell_at(s, x), b = cell_at(s, y);
		int colour = lattice_colour(&s->lattice, a), other = lattice_colour(&s->lattice, b);
		assert_true(a < s->lattice.cells && b < s->lattice.cells);
		assert_true(colour >= 0 && colour < LATTICE_COLOURS && other >= 0 && other < LATTICE_COLOURS);
		if (a != b && colour == other)
			fail_msg("cells %u and %u of colour %d are closer than %g", a, b, colour, reach);
		*different += a != b;
	}
}

static void check_colours(bool sheared, uint64_t seed)
{
	enum { SPACES = 60 };
	dice d = dice_make(seed);
	for (int dimension = 2; dimension <= 3; dimension++)
		for (unsigned periodic = 0; periodic < 1u << dimension; periodic++) {
			size_t different = 0;
			for (int n = 0; n < SPACES; n++) {
				space s = space_make(&d, dimension, periodic, sheared);
				check_pairs(&d, &s, reach_of(&s, sheared), &different);
				talus_world_destroy(s.world);
			}
			assert_true(different > 500); // they have been put to the test
		}
}

static void test_colours(void **state)
{
	(void)state;
	check_colours(false, 1);
}

static void test_sheared(void **state)
{
	(void)state;
	check_colours(true, 2);
}

// A place and its images are in one cell; so are places outside an open box and the nearest ones inside.
static void test_images(void **state)
{
	(void)state;
	dice d = dice_make(3);
	for (int n = 0; n < 400; n++) {
		int dimension = 2 + n%2;
		space s = space_make(&d, dimension, (unsigned)n/2%8 & ((1u << dimension) - 1), n%3 == 0);
		for (int i = 0; i < 20; i++) {
			vec3 x = some_place(&d, &s), to = x;
			for (int k = 0; k < dimension; k++)
				if (s.world->state.cell.periodic[k])
					to = add(to, mul(floor(roll(&d, -2, 3)),
					         vec(s.world->state.cell.h[0][k], s.world->state.cell.h[1][k], s.world->state.cell.h[2][k])));
			uint32_t a = cell_at(&s, x), b = cell_at(&s, to);
			vec3 nudged = add(x, mul(1e-9*least_edge(&s), roll_direction(&d, dimension)));
			assert_true(a == b || cell_at(&s, nudged) != a || cell_at(&s, add(x, sub(x, nudged))) != a); // but for rounding at an edge
		}
		talus_world_destroy(s.world);
	}
}

// ---------------------------------------------------------------- sizes

// The volume of a cell in mean radii, with the size of the box along directions that are not cut.
static double volume_of_cell(const space *s)
{
	double volume = 1;
	for (int k = 0; k < s->world->state.def.dimension; k++) {
		double per_length = component(s->lattice.per_length, k);
		double edge = !s->lattice.cut[k] ? component(s->size, k) : (s->lattice.around[k] ? component(s->size, k) : 1)/per_length;
		volume *= edge/unit_length;
	}
	return volume/(s->lattice.centred ? 2 : 1);
}

// Cells have the volume that was asked for; around periodic directions there is an even number of them, which makes them larger, at
// most twice as long. A direction is left whole only if it is periodic and too thin.
static void test_volumes(void **state)
{
	(void)state;
	dice d = dice_make(4);
	for (int n = 0; n < 2000; n++) {
		int dimension = 2 + n%2;
		space s = space_make(&d, dimension, (unsigned)n/2%8 & ((1u << dimension) - 1), false);
		double ratio = volume_of_cell(&s)/s.volume, most = 1;
		int cuts = 0;
		for (int k = 0; k < 3; k++) {
			bool around = s.world->state.cell.periodic[k];
			cuts += s.lattice.cut[k];
			most *= s.lattice.cut[k] && around ? 2 : 1;
			assert_true(k >= dimension ? !s.lattice.cut[k] : s.lattice.cut[k] || around);
			assert_true(!s.lattice.cut[k] || !around || fmod(s.lattice.count[k], 2) == 0);
		}
		assert_int_equal(s.lattice.centred, cuts == 3);
		assert_true(cuts == 0 || (ratio > 1 - 1e-9 && ratio < most*(1 + 1e-9)));
		assert_true(s.lattice.cells >= 1);
		talus_world_destroy(s.world);
	}
}

// How many are in a cell: no more than its volume, and the fullest not much emptier.
static void test_contents(void **state)
{
	(void)state;
	enum { PLACES = 40000, MOST = 4096 };
	static int count[MOST];
	dice d = dice_make(5);
	for (int dimension = 2; dimension <= 3; dimension++)
		for (unsigned periodic = 0; periodic < 1u << dimension; periodic++) {
			vec3 size = dimension == 2 ? vec(30, 50, 0) : vec(14, 17, 20);
			space s = {.world = empty(dimension, periodic, vec(0, 0, 0), size, false), .size = size, .volume = 300/pow(unit_length, dimension)};
			double volume = size.x*size.y*(dimension == 2 ? 1 : size.z);
			s.volume = volume/100/pow(unit_length, dimension);
			s.lattice = lattice_make(&s.world->state, s.low, s.size, s.volume, roll_in(&d, vec(0, 0, 0), vec(1, 1, 1)));
			memset(count, 0, sizeof count);
			int most = 0;
			for (int n = 0; n < PLACES; n++) {
				uint32_t c = cell_at(&s, roll_in(&d, vec(0, 0, 0), size));
				assert_true(c < MOST);
				most = ++count[c] > most ? count[c] : most;
			}
			double expected = PLACES*volume_of_cell(&s)*pow(unit_length, dimension)/volume;
			assert_near(most, expected, 6*sqrt(expected));
			talus_world_destroy(s.world);
		}
}

// ---------------------------------------------------------------- odd cases

// As many cells in any unit of length, also where cubes fit into a cell exactly.
static void test_units(void **state)
{
	(void)state;
	enum { MOST_CUBES = 12 };
	uint32_t wanted[MOST_CUBES] = {0};
	for (int i = 0; i <= 120; i++) {
		int power = i%2 ? -(i + 1)/2 : i/2; // the first is 0
		double side = ldexp(24, power);
		talus_world *world = empty(3, 7, vec(0, 0, 0), vec(side, side, side), false);
		world->state.mean_radius = ldexp(0.5, power);
		for (int n = 2; n < MOST_CUBES; n++) {
			lattice l = lattice_make(&world->state, vec(0, 0, 0), vec(side, side, side), 48.0*48*48/(2*n*n*n), vec(0, 0, 0));
			wanted[n] = i ? wanted[n] : l.cells;
			assert_int_equal(l.cells, wanted[n]);
		}
		talus_world_destroy(world);
	}
}

// Boxes without extent, cells that are larger than everything or next to nothing, places that are no numbers.
static void test_extremes(void **state)
{
	(void)state;
	static const double sizes[] = {0, 1e-9, 1, 1e9, NAN}, volumes[] = {1e-12, 1, 1e12};
	static const double places[] = {0, 1, -1e300, INFINITY, NAN};
	for (int dimension = 2; dimension <= 3; dimension++)
		for (int n = 0; n < 5*5*5*3; n++) {
			vec3 size = vec(sizes[n%5], sizes[n/5%5], dimension == 2 ? 0 : sizes[n/25%5]);
			talus_world *world = empty(dimension, 0, vec(0, 0, 0), vec(1, 1, dimension == 2 ? 0 : 1), false);
			lattice l = lattice_make(&world->state, vec(0, 0, 0), size, volumes[n/125], vec(0.2, 0.999999, 0));
			for (int k = 0; k < 3; k++)
				assert_true(l.count[k] >= 1 && l.count[k] <= 1024);
			for (int i = 0; i < 5*5*5; i++) {
				int colour;
				uint32_t c = lattice_cell(&l, vec(places[i%5], places[i/5%5], places[i/25]), &colour);
				assert_true(c < l.cells && colour == lattice_colour(&l, c) && colour >= 0 && colour < LATTICE_COLOURS);
			}
			talus_world_destroy(world);
		}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_colours),
		cmocka_unit_test(test_sheared),
		cmocka_unit_test(test_images),
		cmocka_unit_test(test_volumes),
		cmocka_unit_test(test_contents),
		cmocka_unit_test(test_units),
		cmocka_unit_test(test_extremes),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
