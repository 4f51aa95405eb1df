// SPDX-License-Identifier: MIT
// One contact alone: u = W r + b with a full block W.
//
//     b_N >= 0: open, r = 0.   Stick: r = -W^-1 b, if that is in the cone.
//     Slide along the unit vector d:  r = r_N (1, -mu d),  r_N = -b_N/D,  D = W_NN - mu W_NT.d,  and u_T along d, that is
//     g(d) = e.h = 0  with  h = D u_T = D b_T - b_N (W_TN - mu W_TT d),  e at right angles to d,  and d.h >= 0.
//
// Multiplied with D like this, g is smooth all around the circle (the quartic of Bonnefon & Daviet 2011). d starts
// from the last answer, where Newton's method mostly needs one or two steps; if it goes astray, iterate.c
// takes over.
#include "delassus/delassus.h"

#include "delassus/local.h"

#include <math.h>
#include <string.h>

enum { STEPS = 12 };

// Elimination without pivots: W is positive, or nearly so. A pivot that has lost all its digits tells that W is singular.
static bool invert(int size, const double *w, double *inverse)
{
	double a[5][10] = {{0}};
	for (int i = 0; i < size; i++) {
		for (int j = 0; j < size; j++)
			a[i][j] = w[i*size + j];
		a[i][size + i] = 1;
	}
	for (int k = 0; k < size; k++) {
		if (!(a[k][k] > 1e-12*w[k*size + k]))
			return false;
		for (int i = 0; i < size; i++) {
			double share = a[i][k]/a[k][k];
			for (int j = 0; j < 2*size && i != k; j++)
				a[i][j] -= share*a[k][j];
		}
	}
	for (int i = 0; i < size; i++)
		for (int j = 0; j < size; j++)
			inverse[i*size + j] = a[i][size + j]/a[i][i];
	return true;
}

// Digits that rounding takes from W^-1 b: more than about two?
static bool is_rough(int size, const double *w, const double *inverse)
{
	double most = 0;
	for (int i = 0; i < size; i++)
		for (int j = 0; j < size; j++)
			most = fmax(most, fabs(inverse[i*size + j])*sqrt(fabs(w[i*(size + 1)]*w[j*(size + 1)])));
	return most > 100;
}

void delassus_contact_init(delassus_contact *contact, int size, double mu, double mu_roll, const double *w)
{
	memset(contact, 0, sizeof *contact);
	contact->size = size;
	contact->mu = mu;
	contact->mu_roll = mu_roll;
	memcpy(contact->w, w, sizeof(double)*(size_t)(size*size));
	contact->can_stick = invert(size, w, contact->inverse);
	contact->refine = contact->can_stick && is_rough(size, w, contact->inverse);
}

// What is left of u = W r + b after r = -W^-1 b, pushed away in the same way.
static void stick_again(const delassus_contact *c, const double *b, double *r)
{
	int size = c->size;
	double u[5] = {0};
	for (int i = 0; i < size; i++) {
		u[i] = b[i];
		for (int j = 0; j < size; j++)
			u[i] += c->w[i*size + j]*r[j];
	}
	for (int i = 0; i < size; i++)
		for (int j = 0; j < size; j++)
			r[i] -= c->inverse[i*size + j]*u[j];
}

// ---------------------------------------------------------------- two dimensions

static bool slide_flat(const delassus_contact *c, const double *b, double way, double *r)
{
	const double *w = c->w;
	double inverse = w[0] - c->mu*w[1]*way, push = -b[0]/inverse;
	if (!(inverse > 1e-12*w[0]) || way*(b[1] + push*(w[2] - c->mu*w[3]*way)) < 0)
		return false;
	r[0] = push;
	r[1] = -c->mu*push*way;
	return true;
}

static void solve_flat(const delassus_contact *c, const double *b, double *r)
{
	if (c->can_stick) {
		double n = -c->inverse[0]*b[0] - c->inverse[1]*b[1], t = -c->inverse[2]*b[0] - c->inverse[3]*b[1];
		if (fabs(t) <= c->mu*n) {
			r[0] = n;
			r[1] = t;
			if (c->refine)
				stick_again(c, b, r);
			return;
		}
	}
	double way = r[1] < 0 || (r[1] == 0 && b[1] > 0) ? 1 : -1;
	if (!slide_flat(c, b, way, r) && !slide_flat(c, b, -way, r))
		delassus_contact_iterate(c, b, r);
}

// ---------------------------------------------------------------- three dimensions

typedef struct slide {
	double push_over; // D
	double across, along; // e.h, d.h
	double turn;      // derivative of `across` with the angle of d
} slide;

static inline slide slide_along(const delassus_contact *c, const double *b, double x, double y)
{
	const double *w = c->w;
	double mu = c->mu, over = w[0] - mu*(w[1]*x + w[2]*y), over_turn = -mu*(w[2]*x - w[1]*y);
	double hx = over*b[1] - b[0]*(w[3] - mu*(w[4]*x + w[5]*y)), hy = over*b[2] - b[0]*(w[6] - mu*(w[7]*x + w[8]*y));
	double tx = over_turn*b[1] + b[0]*mu*(w[5]*x - w[4]*y), ty = over_turn*b[2] + b[0]*mu*(w[8]*x - w[7]*y);
	double across = x*hy - y*hx, along = x*hx + y*hy;
	return (slide){over, across, along, x*ty - y*tx - along};
}

static void slide_take(const delassus_contact *c, const double *b, double x, double y, double over, double *r)
{
	r[0] = -b[0]/over;
	r[1] = -c->mu*r[0]*x;
	r[2] = -c->mu*r[0]*y;
}

// Newton's method from the direction (x, y), which need not be a unit vector. Where the slope has the wrong sign it
// would go to a sliding against friction.
static bool slide_newton(const delassus_contact *c, const double *b, double x, double y, double *r)
{
	double length = 1/sqrt(x*x + y*y);
	x *= length;
	y *= length;
	for (int i = 0; i < STEPS; i++) {
		slide s = slide_along(c, b, x, y);
		if (!(s.turn < 0))
			return false;
		double step = -s.across/s.turn;
		step = step > 0.7 ? 0.7 : step < -0.7 ? -0.7 : step;
		double nx = x - step*y, ny = y + step*x;
		length = 1/sqrt(1 + step*step);
		x = nx*length;
		y = ny*length;
		if (fabs(step) > 1e-8)
			continue;
		double over = c->w[0] - c->mu*(c->w[1]*x + c->w[2]*y);
		if (!(over > 1e-12*c->w[0] && s.along >= 0))
			return false;
		slide_take(c, b, x, y, over, r);
		return true;
	}
	return false;
}

static void solve_round(const delassus_contact *c, const double *b, double *r)
{
	const double *v = c->inverse;
	double x = -r[1], y = -r[2];
	if (c->can_stick) {
		double n = -(v[0]*b[0] + v[1]*b[1] + v[2]*b[2]);
		double s = -(v[3]*b[0] + v[4]*b[1] + v[5]*b[2]), t = -(v[6]*b[0] + v[7]*b[1] + v[8]*b[2]);
		if (n >= 0 && s*s + t*t <= c->mu*c->mu*n*n) {
			r[0] = n;
			r[1] = s;
			r[2] = t;
			if (c->refine)
				stick_again(c, b, r);
			return;
		}
		if (x == 0 && y == 0) {
			x = -s;
			y = -t;
		}
	}
	if (x == 0 && y == 0) {
		x = b[1];
		y = b[2];
	}
	if (x == 0 && y == 0)
		x = 1;
	if (!slide_newton(c, b, x, y, r))
		delassus_contact_iterate(c, b, r);
}

// ---------------------------------------------------------------- any

static bool stick_rolling(const delassus_contact *c, const double *b, double *r)
{
	double p[5] = {0};
	for (int i = 0; i < 5; i++)
		for (int j = 0; j < 5; j++)
			p[i] -= c->inverse[5*i + j]*b[j];
	double slip = sqrt(p[1]*p[1] + p[2]*p[2]), roll = sqrt(p[3]*p[3] + p[4]*p[4]);
	if (!c->can_stick || slip > c->mu*p[0] || roll > c->mu_roll*p[0])
		return false;
	memcpy(r, p, sizeof p);
	if (c->refine)
		stick_again(c, b, r);
	return true;
}

void delassus_contact_solve(const delassus_contact *c, const double *b, double *r)
{
	int size = c->size;
	if (b[0] >= 0 || c->w[0] <= 0)
		memset(r, 0, sizeof(double)*(size_t)size);
	else if (size == 3 && c->mu > 0)
		solve_round(c, b, r);
	else if (size == 2 && c->mu > 0)
		solve_flat(c, b, r);
	else if (size == 5) {
		if (!stick_rolling(c, b, r))
			delassus_contact_iterate(c, b, r);
	} else {
		memset(r, 0, sizeof(double)*(size_t)size);
		r[0] = -b[0]/c->w[0];
	}
}
