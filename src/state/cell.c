// SPDX-License-Identifier: MIT
// The periodic cell. x = origin + h f; wrapping takes the whole part off f along periodic directions.
#include "state/cell.h"

#include <string.h>

void cell_init(cell *c, const talus_cell_def *def)
{
	memset(c, 0, sizeof *c);
	c->origin = def->origin;
	for (int k = 0; k < 3; k++) {
		c->periodic[k] = def->periodic[k];
		c->h[k][k] = def->periodic[k] ? component(def->size, k) : 1;
	}
	memcpy(c->listed, c->h, sizeof c->h);
	cell_update(c);
}

static double minor(const double h[3][3], int i, int j)
{
	int a = (i + 1)%3, b = (i + 2)%3, c = (j + 1)%3, d = (j + 2)%3;
	return h[a][c]*h[b][d] - h[a][d]*h[b][c];
}

void cell_update(cell *c)
{
	double det = 0;
	for (int j = 0; j < 3; j++)
		det += c->h[0][j]*minor(c->h, 0, j);
	for (int i = 0; i < 3; i++)
		for (int j = 0; j < 3; j++)
			c->inverse[j][i] = minor(c->h, i, j)/det;
	for (int image = 0; image < 27; image++) {
		double f[3] = {image%3 - 1, image/3%3 - 1, image/9 - 1};
		for (int k = 0; k < 3; k++)
			set_component(&c->shift[image], k,
			              c->h[k][0]*f[0] + c->h[k][1]*f[1] + c->h[k][2]*f[2]);
	}
}

vec3 cell_apply(const double m[3][3], vec3 a)
{
	return vec(m[0][0]*a.x + m[0][1]*a.y + m[0][2]*a.z, m[1][0]*a.x + m[1][1]*a.y + m[1][2]*a.z,
	           m[2][0]*a.x + m[2][1]*a.y + m[2][2]*a.z);
}

vec3 cell_fraction(const cell *c, vec3 x)
{
	return cell_apply(c->inverse, sub(x, c->origin));
}

static const double farthest = 1e9; // beyond so many cells a place has lost its digits

int32_t cell_image_add(int32_t image, double turns)
{
	return (int32_t)fmin(CELL_IMAGE_MOST, fmax(-CELL_IMAGE_MOST, image + turns));
}

bool cell_lost(const cell *c, vec3 x, const int32_t image[3])
{
	vec3 f = cell_fraction(c, x);
	for (int k = 0; k < 3; k++) {
		double n = floor(component(f, k));
		if (c->periodic[k] && !(fabs(n) < farthest && fabs(image[k] + n) < CELL_IMAGE_MOST))
			return true;
	}
	return false;
}

vec3 cell_wrap(const cell *c, vec3 x, int32_t image[3])
{
	vec3 f = cell_fraction(c, x), whole = {0, 0, 0};
	for (int k = 0; k < 3; k++) {
		if (!c->periodic[k])
			continue;
		double n = floor(component(f, k));
		n = fabs(n) < farthest ? n : 0;
		set_component(&whole, k, n);
		image[k] = cell_image_add(image[k], n);
	}
	// Leave what is inside untouched to the last bit.
	return whole.x == 0 && whole.y == 0 && whole.z == 0 ? x : sub(x, cell_apply(c->h, whole));
}

vec3 cell_nearest(const cell *c, vec3 delta)
{
	vec3 f = cell_apply(c->inverse, delta), whole = {0, 0, 0};
	for (int k = 0; k < 3; k++)
		if (c->periodic[k])
			set_component(&whole, k, floor(component(f, k) + 0.5)); // half an edge goes one way, not both
	return sub(delta, cell_apply(c->h, whole));
}

vec3 cell_unwrap(const cell *c, vec3 x, const int32_t image[3])
{
	return add(x, cell_apply(c->h, vec(image[0], image[1], image[2])));
}

double cell_height(const cell *c, int k)
{
	return 1/norm(vec(c->inverse[k][0], c->inverse[k][1], c->inverse[k][2]));
}

double cell_volume(const cell *c, int dimension)
{
	const double(*h)[3] = (const double(*)[3])c->h;
	return dimension == 2 ? h[0][0]*h[1][1] - h[0][1]*h[1][0] : h[0][0]*minor(c->h, 0, 0) + h[0][1]*minor(c->h, 0, 1) +
	                                                            h[0][2]*minor(c->h, 0, 2);
}

// h times the inverse of what it was; both are upper triangles.
void cell_carry(const cell *c, double carry[3][3])
{
	cell old = *c;
	memcpy(old.h, c->listed, sizeof old.h);
	cell_update(&old);
	for (int i = 0; i < 3; i++)
		for (int j = 0; j < 3; j++) {
			carry[i][j] = 0;
			for (int k = 0; k < 3; k++)
				carry[i][j] += c->h[i][k]*old.inverse[k][j];
		}
}

bool cell_any(const cell *c)
{
	return c->periodic[0] || c->periodic[1] || c->periodic[2];
}
