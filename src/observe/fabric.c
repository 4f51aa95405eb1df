// SPDX-License-Identifier: MIT
// Where contacts point: the fabric tensor  F = <n n>  over contacts that carry a force, and histograms of their normals.
// To second order normals are distributed as  E(n) = (1 + a_ij n_i n_j)/A,  A = 2 pi or 4 pi, a without trace; then
// F = 1/2 + a/4 in 2D and F = 1/3 + 2 a/15 in 3D. The coefficient is the size of a: in 2D its larger eigenvalue, so that
// E = (1 + a cos 2(theta - theta_a))/(2 pi); in 3D sqrt(3/2 a:a).
#include "observe/observe.h"

#include "collide/collide.h"

enum { XX, YY, ZZ, XY, XZ, YZ, SUMS };

static void add_normals(void *job, size_t first, size_t last, totals_part *part)
{
	const talus_world *world = job;
	for (size_t i = first; i < last; i++) {
		if (!contacts_active(&world->contacts, i))
			continue;
		vec3 n = world->contacts.contact[i].n;
		part->count[0]++;
		part->term[XX][i - first] = n.x*n.x;
		part->term[YY][i - first] = n.y*n.y;
		part->term[ZZ][i - first] = n.z*n.z;
		part->term[XY][i - first] = n.x*n.y;
		part->term[XZ][i - first] = n.x*n.z;
		part->term[YZ][i - first] = n.y*n.z;
	}
}

// ---------------------------------------------------------------- eigenvalues

static double spread_flat(const double f[3][3])
{
	return hypot(f[0][0] - f[1][1], 2*f[0][1]);
}

// The symmetric matrix less a third of its trace; returns the sum of its squares.
static double traceless(const double f[3][3], double d[3][3])
{
	double third = (f[0][0] + f[1][1] + f[2][2])/3, squares = 0;
	for (int k = 0; k < 9; k++) {
		d[k/3][k%3] = f[k/3][k%3] - (k%4 == 0 ? third : 0);
		squares += d[k/3][k%3]*d[k/3][k%3];
	}
	return squares;
}

static double determinant(const double d[3][3])
{
	return d[0][0]*(d[1][1]*d[2][2] - d[1][2]*d[2][1]) - d[0][1]*(d[1][0]*d[2][2] - d[1][2]*d[2][0]) +
	       d[0][2]*(d[1][0]*d[2][1] - d[1][1]*d[2][0]);
}

// Eigenvalues of d are 2 p cos(phi + 2 pi k/3) with p^2 = d:d/6 and cos(3 phi) = det d/(2 p^3), phi from 0 to pi/3: the
// largest has k = 0, the smallest k = 1.
static double spread_full(const double f[3][3])
{
	double d[3][3], p = sqrt(traceless(f, d)/6);
	if (!(p > 0))
		return 0;
	double cosine = determinant((const double(*)[3])d)/(2*p*p*p);
	double phi = acos(fmax(-1, fmin(1, cosine)))/3;
	return 2*sqrt(3)*p*sin(phi + M_PI/3);
}

// ---------------------------------------------------------------- numbers

fabric_state observe_fabric(const talus_world *world)
{
	double d[3][3];
	totals all = totals_of(world->state.team, world->contacts.count, SUMS, add_normals, (void *)world);
	fabric_state s = {.contacts = all.count[0]};
	if (!s.contacts)
		return s;
	static const int place[3][3] = {{XX, XY, XZ}, {XY, YY, YZ}, {XZ, YZ, ZZ}};
	for (int k = 0; k < 9; k++)
		s.fabric[k/3][k%3] = all.sum[place[k/3][k%3]]/(double)s.contacts;
	const double(*f)[3] = (const double(*)[3])s.fabric;
	bool flat = world->state.def.dimension == 2;
	s.anisotropy = flat ? spread_flat(f) : spread_full(f);
	s.coefficient = flat ? 2*s.anisotropy : 7.5*sqrt(1.5*traceless(f, d));
	return s;
}

static int bin_of(double share, int bins) // share from 0 to 1, ends included
{
	int bin = (int)(share*bins);
	return bin < 0 ? 0 : bin < bins ? bin : bins - 1;
}

normals_state observe_normals(const talus_world *world)
{
	bool flat = world->state.def.dimension == 2;
	normals_state s = {.rows = flat ? 1 : 3, .bins = flat ? NORMAL_ANGLES : NORMAL_COSINES};
	for (size_t i = 0; i < world->contacts.count; i++) {
		if (!contacts_active(&world->contacts, i))
			continue;
		vec3 n = world->contacts.contact[i].n;
		double turn_of = atan2(n.y, n.x)/M_PI; // from -1 to 1
		if (flat)
			s.count[0][bin_of(turn_of - floor(turn_of), s.bins)]++;
		for (int k = 0; !flat && k < 3; k++)
			s.count[k][bin_of(fabs(component(n, k)), s.bins)]++;
	}
	return s;
}

// ---------------------------------------------------------------- observables

static void fabric_measure(observations *seen, void *result)
{
	*(fabric_state *)result = observe_fabric(seen->world);
}

typedef struct normals_found {
	normals_state all;
	double range[2]; // of the bins
	size_t cosines[3][NORMAL_COSINES]; // as in `all`, without room for angles between them
} normals_found;

static void normals_measure(observations *seen, void *result)
{
	normals_found *found = result;
	found->all = observe_normals(seen->world);
	found->range[1] = found->all.rows == 1 ? M_PI : 1;
	for (int k = 0; k < 3*NORMAL_COSINES; k++)
		found->cosines[k/NORMAL_COSINES][k%NORMAL_COSINES] = found->all.count[k/NORMAL_COSINES][k%NORMAL_COSINES];
}

static const measurement fabric_measurement = {sizeof(fabric_state), fabric_measure};
static const measurement normals_measurement = {sizeof(normals_found), normals_measure};
#define FABRIC(member) OBSERVABLE_AT(fabric_measurement, fabric_state, member)
#define NORMALS(member) OBSERVABLE_AT(normals_measurement, normals_found, member)
#define COSINES(axis, row, place) \
	{"distributions.normals." axis, "contacts with a force by the cosine between their normal and " axis, "", NORMALS(cosines[row]), \
	 .shape = TALUS_LIST, .length = NORMAL_COSINES, .high = 1, .dimension = 3, .summary = place}

const observable fabric_observables[] = {
	{"fabric", "mean of n n over contacts that carry a force, n their normals; trace 1, 0 if there are none", "",
	 FABRIC(fabric), .shape = TALUS_SYMMETRIC, .log = 42, .summary = 38, .frames = 27},
	{"anisotropy", "largest minus smallest eigenvalue of the fabric (2D: of the two in the plane)", "",
	 FABRIC(anisotropy), .log = 43, .summary = 39, .frames = 10},
	{"fabric_coefficient", "coefficient of second order in the distribution of normals", "", FABRIC(coefficient),
	 .summary = 51},
	{"normal_angles", "contacts with a force by the angle between their normal and x, modulo pi", "",
	 NORMALS(all.count[0]), .shape = TALUS_LIST, .length = NORMAL_ANGLES, .high = M_PI, .dimension = 2, .frames = 30},
	{"normal_cosines", "contacts with a force by the |cosine| between their normal and each of x, y, z", "",
	 NORMALS(cosines), .shape = TALUS_LISTS, .length = NORMAL_COSINES, .high = 1, .dimension = 3, .frames = 31},
	{"distributions.normals.bins", "bins of the histogram of normals", "", NORMALS(all.bins), .summary = 59},
	{"distributions.normals.range", "where the bins of the histogram of normals begin and end", "", NORMALS(range),
	 .shape = TALUS_LIST, .length = 2, .summary = 60},
	{"distributions.normals.counts", "as normal_angles", "", NORMALS(all.count[0]), .shape = TALUS_LIST,
	 .length = NORMAL_ANGLES, .high = M_PI, .dimension = 2, .summary = 61},
	COSINES("x", 0, 62),
	COSINES("y", 1, 63),
	COSINES("z", 2, 64),
	{0},
};
