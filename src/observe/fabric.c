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
