// SPDX-License-Identifier: MIT
// One contact alone: u = W r + b with a full block W.
//
//     b_N >= 0: open, r = 0.   Stick: W r = -b, if r is in the cone.
//     Slide along the unit vector d:  r = r_N (1, -mu d),  r_N = -b_N/D,  D = W_NN - mu W_NT.d > 0,  and u_T along d, that is
//     g(d) = e.h = 0  with  h = D u_T = D b_T - b_N (W_TN - mu W_TT d),  e at right angles to d,  and d.h >= 0.
//
// Multiplied with D like this, g is smooth all around the circle, a quartic in the tangent of half the angle (Bonnefon & Daviet 2011).
// From the direction of the last answer Newton's method mostly needs one or two steps. If it goes astray all zeros of the quartic
// are found, so that no sliding is missed, and the fastest one is taken; if there is none it is a paradox. W may be singular, along tangents that
// cannot move. There are no sines and cosines here: not every library has the same bits of them.
#include "law/one_contact.h"

#include <math.h>
#include <string.h>

enum { STEPS = 12, ZEROS = 4, ZERO_STEPS = 60 };

static const double half = 1.1; // the tangent at which a half of the circle ends: beyond 1, so that no zero there is missed

static const double lost = 1e-12;    // a pivot of this share of its entry has lost its digits
static const double nothing = 1e-20; // entries of this share of the others are rounding, squared
static const double at_rest = 1e-12; // share of the velocities below which sliding is rounding
static const double no_push = 1e-12; // D of this share of W_NN: impulses grow without limit

// ---------------------------------------------------------------- a block

static double trace_of(int size, const double *w)
{
	double trace = 0;
	for (int k = 0; k < size; k++)
		trace += w[k*(size + 1)];
	return trace;
}

static bool is_pivot(double pivot, double entry, double trace)
{
	return pivot > lost*entry && pivot > nothing*trace;
}

// The next row to eliminate: in turn, unless far less is left of that than of another. (W is positive, or nearly so.)
static int pivot_row(int size, const double *w, double a[5][10], const bool *done)
{
	int best = -1;
	double most = 0;
	for (int i = 0; i < size; i++) {
		double share = a[i][i]/w[i*(size + 1)];
		if (!done[i] && (best < 0 || share > 100*most)) {
			best = i;
			most = share;
		}
	}
	return best;
}

bool block_invert(int size, const double *w, double *inverse)
{
	double a[5][10] = {{0}}, trace = trace_of(size, w);
	bool done[5] = {false};
	for (int i = 0; i < size; i++) {
		for (int j = 0; j < size; j++)
			a[i][j] = w[i*size + j];
		a[i][size + i] = 1;
	}
	for (int n = 0; n < size; n++) {
		int k = pivot_row(size, w, a, done);
		if (!is_pivot(a[k][k], w[k*(size + 1)], trace))
			return false;
		done[k] = true;
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

bool block_is_rough(int size, const double *w, const double *inverse)
{
	double most = 0;
	for (int i = 0; i < size; i++)
		for (int j = 0; j < size; j++)
			most = fmax(most, fabs(inverse[i*size + j])*sqrt(fabs(w[i*(size + 1)]*w[j*(size + 1)])));
	return most > 100;
}

void block_refine(int size, const double *w, const double *inverse, const double *b, double *r)
{
	double u[5] = {0};
	for (int i = 0; i < size; i++) {
		u[i] = b[i];
		for (int j = 0; j < size; j++)
			u[i] += w[i*size + j]*r[j];
	}
	for (int i = 0; i < size; i++)
		for (int j = 0; j < size; j++)
			r[i] -= inverse[i*size + j]*u[j];
}

void one_contact_init(talus_one_contact *contact, int size, const double *w)
{
	memset(contact, 0, sizeof *contact);
	contact->size = size;
	memcpy(contact->w, w, sizeof(double)*(size_t)(size*size));
	contact->regular = block_invert(size, w, contact->inverse);
	contact->refine = contact->regular && block_is_rough(size, w, contact->inverse);
}

// ---------------------------------------------------------------- sticking

typedef struct plane { // W and b in three dimensions, with the tangent first that moves more easily
	double w[3][3], b[3];
	bool turned;
} plane;

static plane plane_of(const talus_one_contact *c, const double *b)
{
	plane p = {.turned = false};
	int size = c->size;
	double stiff[3] = {0};
	for (int i = 1; i < size; i++)
		stiff[i] = c->w[i*(size + 1)] - c->w[i]*c->w[i*size]/c->w[0];
	p.turned = stiff[1] < 1e-2*stiff[2]; // else rounding would be all that is left of it
	for (int i = 0; i < size; i++) {
		int to = i > 0 && p.turned ? 3 - i : i;
		p.b[to] = b[i];
		for (int j = 0; j < size; j++)
			p.w[to][j > 0 && p.turned ? 3 - j : j] = c->w[i*size + j];
	}
	return p;
}

// W r = -b with a singular W; false if b asks for a motion along a tangent that cannot move.
static bool stick_singular(const talus_one_contact *c, const double *b, double *r)
{
	plane p = plane_of(c, b);
	double trace = trace_of(c->size, c->w), still = 1e-13*(fabs(p.b[0]) + fabs(p.b[1]) + fabs(p.b[2]));
	double l1 = p.w[1][0]/p.w[0][0], l2 = p.w[2][0]/p.w[0][0];
	double d1 = p.w[1][1] - l1*p.w[0][1], w21 = p.w[2][1] - l2*p.w[0][1], w12 = p.w[1][2] - l1*p.w[0][2];
	double d2 = p.w[2][2] - l2*p.w[0][2], r0 = -p.b[0], r1 = -p.b[1] - l1*r0, r2 = -p.b[2] - l2*r0;
	bool first = is_pivot(d1, p.w[1][1], trace);
	double l3 = first ? w21/d1 : 0;
	d2 -= l3*w12;
	r2 -= l3*r1;
	bool second = is_pivot(d2, p.w[2][2], trace);
	if ((!first && fabs(r1) > still) || (!second && fabs(r2) > still))
		return false;
	double y2 = second ? r2/d2 : 0, y1 = first ? (r1 - w12*y2)/d1 : 0;
	r[0] = (r0 - p.w[0][1]*y1 - p.w[0][2]*y2)/p.w[0][0];
	r[1] = p.turned ? y2 : y1;
	if (c->size == 3)
		r[2] = p.turned ? y1 : y2;
	return true;
}

bool one_contact_stick(const talus_one_contact *c, const double *b, double *r)
{
	const double *v = c->inverse;
	if (!c->regular)
		return stick_singular(c, b, r);
	if (c->size == 2) {
		r[0] = -v[0]*b[0] - v[1]*b[1];
		r[1] = -v[2]*b[0] - v[3]*b[1];
		return true;
	}
	r[0] = -(v[0]*b[0] + v[1]*b[1] + v[2]*b[2]);
	r[1] = -(v[3]*b[0] + v[4]*b[1] + v[5]*b[2]);
	r[2] = -(v[6]*b[0] + v[7]*b[1] + v[8]*b[2]);
	return true;
}

static bool in_cone(int size, double mu, const double *r)
{
	double square = size == 2 ? r[1]*r[1] : r[1]*r[1] + r[2]*r[2];
	return r[0] >= 0 && square <= mu*mu*r[0]*r[0];
}

// ---------------------------------------------------------------- sliding

typedef struct slide {
	double x, y;          // d; y is 0 in two dimensions
	double over;          // D
	double across, along; // e.h, d.h
	double turn;          // derivative of `across` with the angle of d
} slide;

static slide slide_flat(const talus_one_contact *c, double mu, const double *b, double way)
{
	const double *w = c->w;
	double over = w[0] - mu*w[1]*way;
	return (slide){.x = way, .over = over, .along = way*(over*b[1] - b[0]*(w[2] - mu*w[3]*way))};
}

static inline slide slide_along(const talus_one_contact *c, double mu, const double *b, double x, double y)
{
	const double *w = c->w;
	double over = w[0] - mu*(w[1]*x + w[2]*y), over_turn = -mu*(w[2]*x - w[1]*y);
	double hx = over*b[1] - b[0]*(w[3] - mu*(w[4]*x + w[5]*y)), hy = over*b[2] - b[0]*(w[6] - mu*(w[7]*x + w[8]*y));
	double tx = over_turn*b[1] + b[0]*mu*(w[5]*x - w[4]*y), ty = over_turn*b[2] + b[0]*mu*(w[8]*x - w[7]*y);
	double across = x*hy - y*hx, along = x*hx + y*hy;
	return (slide){x, y, over, across, along, x*ty - y*tx - along};
}

static bool is_possible(const talus_one_contact *c, const slide *s)
{
	return s->over > no_push*c->w[0];
}

static void slide_take(const talus_one_contact *c, double mu, const double *b, const slide *s, double *r)
{
	r[0] = -b[0]/s->over;
	r[1] = -mu*r[0]*s->x;
	if (c->size == 3)
		r[2] = -mu*r[0]*s->y;
}

// Newton's method from the direction (x, y), which need not be a unit vector. Where the slope has the wrong sign it
// would go to a sliding against friction.
static bool slide_newton(const talus_one_contact *c, double mu, const double *b, double x, double y, double *r)
{
	double length = 1/sqrt(x*x + y*y);
	x *= length;
	y *= length;
	for (int i = 0; i < STEPS; i++) {
		slide s = slide_along(c, mu, b, x, y);
		if (!(s.turn < 0))
			return false;
		double step = -s.across/s.turn;
		step = step > 0.7 ? 0.7 : step < -0.7 ? -0.7 : step;
		double nx = x - step*y, ny = y + step*x;
		length = 1/sqrt(1 + step*step);
		s.x = x = nx*length;
		s.y = y = ny*length;
		if (fabs(step) > 1e-8)
			continue;
		s.over = c->w[0] - mu*(c->w[1]*x + c->w[2]*y);
		if (!is_possible(c, &s) || !(s.along >= 0))
			return false;
		slide_take(c, mu, b, &s, r);
		return true;
	}
	return false;
}

// ---------------------------------------------------------------- all ways to slide

static double polynomial(int degree, const double *a, double t)
{
	double value = a[degree];
	for (int k = degree - 1; k >= 0; k--)
		value = value*t + a[k];
	return value;
}

// Between two places where a polynomial has different signs: Newton's method, and a halving where that would leave them.
static double zero_between(int degree, const double *a, const double *slope, double low, double high)
{
	bool rises = polynomial(degree, a, high) > 0;
	double t = 0.5*(low + high);
	for (int i = 0; i < ZERO_STEPS; i++) {
		double value = polynomial(degree, a, t), before = t;
		if (value == 0)
			break;
		*((value > 0) == rises ? &high : &low) = t;
		t -= value/polynomial(degree - 1, slope, t);
		if (!(t > low && t < high))
			t = 0.5*(low + high);
		if (fabs(t - before) <= 1e-16*fabs(t))
			break;
	}
	return t;
}

// Zeros of a quartic from -half to half, with those of its derivatives: between two of these it has one at most. Then those places of its slope's zeros
// where it is nothing but rounding: two zeros in one.
static int quartic_zeros(const double a[ZEROS + 1], double zero[2*ZEROS])
{
	double derived[ZEROS + 1][ZEROS + 1] = {{0}}, at[ZEROS + 2] = {-half, half}, size = 0;
	int found = 0, degree = 0, ends = 2;
	memcpy(derived[ZEROS], a, sizeof derived[ZEROS]);
	for (int d = ZEROS; d > 0; d--)
		for (int k = 0; k < d; k++)
			derived[d - 1][k] = (k + 1)*derived[d][k + 1];
	while (++degree <= ZEROS) {
		const double *p = derived[degree], *slope = derived[degree - 1];
		for (int i = found = 0; i + 1 < ends; i++)
			if ((polynomial(degree, p, at[i]) > 0) != (polynomial(degree, p, at[i + 1]) > 0))
				zero[found++] = zero_between(degree, p, slope, at[i], at[i + 1]);
		if (degree == ZEROS)
			break;
		memcpy(at + 1, zero, sizeof *zero*(size_t)found);
		at[found + 1] = half;
		ends = found + 2;
	}
	for (int k = 0; k <= ZEROS; k++)
		size += fabs(a[k]);
	for (int i = 1; i + 1 < ends; i++)
		if (fabs(polynomial(ZEROS, a, at[i])) <= 1e-14*size)
			zero[found++] = at[i];
	return found;
}

static void keep_faster(const talus_one_contact *c, slide s, slide *best)
{
	if (is_possible(c, &s) && (best->over == 0 || s.along*best->over > best->along*s.over))
		*best = s;
}

// One half of the circle, d = side (1 - t^2, 2 t)/(1 + t^2) with t from -1 to 1, and a bit beyond.
static void slide_half(const talus_one_contact *c, double mu, const double *b, double side, slide *best)
{
	const double *w = c->w;
	double ax = w[0]*b[1] - b[0]*w[3], bx = mu*(b[0]*w[4] - w[1]*b[1]), cx = mu*(b[0]*w[5] - w[2]*b[1]); // h_x = ax + bx d_x + cx d_y
	double ay = w[0]*b[2] - b[0]*w[6], by = mu*(b[0]*w[7] - w[1]*b[2]), cy = mu*(b[0]*w[8] - w[2]*b[2]);
	const double a[ZEROS + 1] = {side*ay + by, 2*(cy - bx - side*ax), -2*by - 4*cx, -2*(cy - bx + side*ax), by - side*ay};
	double zero[2*ZEROS];
	int zeros = quartic_zeros(a, zero);
	for (int i = 0; i < zeros; i++) {
		double t = zero[i], by_length = side/(1 + t*t);
		keep_faster(c, slide_along(c, mu, b, by_length*(1 - t*t), by_length*2*t), best);
	}
}

static one_contact_case slide_any(const talus_one_contact *c, double mu, const double *b, double *r)
{
	slide best = {.over = 0};
	int size = c->size;
	for (int way = -1; way <= 1; way += 2)
		if (size == 2)
			keep_faster(c, slide_flat(c, mu, b, way), &best);
		else
			slide_half(c, mu, b, way, &best);
	double without = -b[0]/c->w[0], speed = 0, push = best.over > 0 ? -b[0]/best.over : INFINITY;
	for (int k = 0; k < size; k++)
		speed += fabs(b[k]);
	bool slides = best.over > 0 && best.along >= -at_rest*speed*best.over; // coming to a stop is no paradox
	if (slides || sqrt(1 + mu*mu)*push <= 1e3*without)
		slide_take(c, mu, b, &best, r);
	else {
		memset(r, 0, sizeof *r*(size_t)size);
		r[0] = without;
	}
	return slides ? ONE_SLIDES : ONE_PARADOX;
}

// ---------------------------------------------------------------- all of it

// With a first guess of its direction; that of what would stop it otherwise, or of the free sliding.
static bool slide_on(const talus_one_contact *c, double mu, const double *b, const double *stuck, double *r)
{
	double x = -r[1], y = -r[2];
	if (x == 0 && y == 0)
		x = -stuck[1], y = -stuck[2];
	if (x == 0 && y == 0)
		x = b[1], y = b[2];
	if (x == 0 && y == 0)
		x = 1;
	return slide_newton(c, mu, b, x, y, r);
}

static bool slide_on_flat(const talus_one_contact *c, double mu, const double *b, double *r)
{
	double way = r[1] < 0 || (r[1] == 0 && b[1] > 0) ? 1 : -1;
	for (int i = 0; i < 2; i++, way = -way) {
		slide s = slide_flat(c, mu, b, way);
		if (!is_possible(c, &s) || s.along < 0)
			continue;
		slide_take(c, mu, b, &s, r);
		return true;
	}
	return false;
}

one_contact_case one_contact_solve(const talus_one_contact *c, double mu, const double *b, double *r)
{
	size_t bytes = sizeof *r*(size_t)c->size;
	double stuck[3] = {0};
	if (b[0] >= 0 || c->w[0] <= 0) {
		memset(r, 0, bytes);
		return ONE_OPEN;
	}
	if (!(mu > 0)) {
		memset(r, 0, bytes);
		r[0] = -b[0]/c->w[0];
		return ONE_SLIDES;
	}
	bool can_stick = one_contact_stick(c, b, stuck);
	if (can_stick && in_cone(c->size, mu, stuck)) {
		memcpy(r, stuck, bytes);
		if (c->refine)
			block_refine(c->size, c->w, c->inverse, b, r);
		return ONE_STICKS;
	}
	if (c->size == 3 ? slide_on(c, mu, b, stuck, r) : slide_on_flat(c, mu, b, r))
		return ONE_SLIDES;
	one_contact_case found = slide_any(c, mu, b, r);
	if (found == ONE_PARADOX && can_stick && in_cone(c->size, (1 + at_rest)*mu, stuck)) {
		memcpy(r, stuck, bytes);
		found = ONE_STICKS;
	}
	return found;
}
