// SPDX-License-Identifier: MIT
// Volume exclusion and Coulomb friction with a full 3 by 3 inverse mass W, where push and friction are coupled (bodies that are
// not free in all directions). With b = velocity without this contact's impulse, plus the gap term:
//
//     b_n >= 0: nothing.   Stick: W p = -b, if p is inside the cone.
//     Slide: p_t = -mu p_n e,  p_n = -b_n/(W_nn - mu W_nt.e),  e the direction of the sliding that results.
//
// e is found, not assumed: sliding u_t(e) x e = 0 with u_t.e > 0. It is first tried along the free sliding (exact where the
// tangential masses are equal), then bracketed on a circle of directions and closed in by regula falsi (Illinois).
#include "law/law.h"

enum { DIRECTIONS = 32 };

static vec3 to_frame(const talus_general *g, vec3 n, vec3 a)
{
	return vec(dot(a, n), dot(a, g->t1), dot(a, g->t2));
}

static vec3 from_frame(const talus_general *g, vec3 n, vec3 a)
{
	return add(mul(a.x, n), add(mul(a.y, g->t1), mul(a.z, g->t2)));
}

static vec3 times(const double W[3][3], vec3 a)
{
	return vec(W[0][0]*a.x + W[0][1]*a.y + W[0][2]*a.z, W[1][0]*a.x + W[1][1]*a.y + W[1][2]*a.z,
	           W[2][0]*a.x + W[2][1]*a.y + W[2][2]*a.z);
}

// W = diag of the inverse masses, turned into the contact's frame, plus the spins' share k on the tangents.
void general_prepare(talus_general *g, talus_contact *c, vec3 inv_m_a, vec3 inv_m_b, double k, int dimension)
{
	vec3 n = c->n, inv = add(inv_m_a, inv_m_b);
	g->inv_m_a = inv_m_a;
	g->inv_m_b = inv_m_b;
	g->t1 = dimension == 2 ? vec(-n.y, n.x, 0) : any_tangent(n);
	g->t2 = cross(n, g->t1);
	vec3 axis[3] = {n, g->t1, g->t2};
	for (int i = 0; i < 3; i++)
		for (int j = 0; j < 3; j++) {
			vec3 e = axis[i], f = axis[j];
			g->W[i][j] = inv.x*e.x*f.x + inv.y*e.y*f.y + inv.z*e.z*f.z + (i == j && i > 0 ? k : 0);
		}
	c->mass_n = 1/g->W[0][0];
	c->mass_t = 1/fmax(g->W[1][1], g->W[0][0]);
}

// Solves W p = -b for symmetric W that may be singular along tangents that cannot move; false if b asks for such a motion.
static bool stick(const double W[3][3], vec3 b, vec3 *p)
{
	double tiny = 1e-13*(W[0][0] + W[1][1] + W[2][2]);
	double l1 = W[1][0]/W[0][0], l2 = W[2][0]/W[0][0];
	double d1 = W[1][1] - l1*W[0][1], w21 = W[2][1] - l2*W[0][1], d2 = W[2][2] - l2*W[0][2];
	double r0 = -b.x, r1 = -b.y - l1*r0, r2 = -b.z - l2*r0;
	double l3 = d1 > tiny ? w21/d1 : 0;
	d2 -= l3*w21;
	r2 -= l3*r1;
	double still = 1e-13*(fabs(b.x) + fabs(b.y) + fabs(b.z));
	if ((d1 <= tiny && fabs(r1) > still) || (d2 <= tiny && fabs(r2) > still))
		return false;
	p->z = d2 > tiny ? r2/d2 : 0;
	p->y = d1 > tiny ? (r1 - w21*p->z)/d1 : 0;
	p->x = (r0 - W[0][1]*p->y - W[0][2]*p->z)/W[0][0];
	return true;
}

typedef struct slip {
	vec3 p;
	double across, along; // u_t x e and u_t . e
	bool possible;        // false: the denominator is not positive (Painleve's paradox)
} slip;

static slip slide_along(const double W[3][3], vec3 b, double mu, double ey, double ez)
{
	slip s = {.possible = false};
	double inverse = W[0][0] - mu*(W[0][1]*ey + W[0][2]*ez);
	if (!(inverse > 1e-12*W[0][0]))
		return s;
	double pn = -b.x/inverse;
	s.p = vec(pn, -mu*pn*ey, -mu*pn*ez);
	vec3 u = add(b, times(W, s.p));
	s.across = u.y*ez - u.z*ey;
	s.along = u.y*ey + u.z*ez;
	s.possible = true;
	return s;
}

// Between two directions where u_t x e changes its sign.
static slip close_in(const double W[3][3], vec3 b, double mu, double low, double high, slip at_low, slip at_high)
{
	double f_low = at_low.across, f_high = at_high.across;
	slip best = fabs(f_low) < fabs(f_high) ? at_low : at_high;
	int side = 0;
	for (int i = 0; i < 60 && best.across != 0 && high - low > 1e-15; i++) {
		double middle = (low*f_high - high*f_low)/(f_high - f_low);
		slip s = slide_along(W, b, mu, cos(middle), sin(middle));
		if (!s.possible)
			break;
		if (fabs(s.across) < fabs(best.across))
			best = s;
		if ((s.across > 0) == (f_high > 0)) {
			high = middle, f_high = s.across;
			f_low = side == 1 ? 0.5*f_low : f_low;
			side = 1;
		} else {
			low = middle, f_low = s.across;
			f_high = side == -1 ? 0.5*f_high : f_high;
			side = -1;
		}
	}
	return best;
}

static vec3 slide(const double W[3][3], vec3 b, double mu)
{
	static const double step = 6.28318530717958647693/DIRECTIONS;
	double bt = sqrt(b.y*b.y + b.z*b.z);
	if (bt > 0) {
		slip s = slide_along(W, b, mu, b.y/bt, b.z/bt);
		if (s.possible && s.along > 0 && fabs(s.across) <= 1e-14*s.along)
			return s.p;
	}
	slip before = slide_along(W, b, mu, 1, 0), best = {.p = vec(-b.x/W[0][0], 0, 0), .along = -INFINITY};
	for (int i = 1; i <= DIRECTIONS; i++) {
		slip here = slide_along(W, b, mu, cos(i*step), sin(i*step));
		if (before.possible && here.possible && (before.across > 0) != (here.across > 0)) {
			slip root = close_in(W, b, mu, (i - 1)*step, i*step, before, here);
			if (root.along > best.along)
				best = root;
		}
		before = here;
	}
	return best.p;
}

vec3 general_impulse(const talus_contact *c, const talus_general *g, vec3 u)
{
	vec3 p_old = to_frame(g, c->n, c->p);
	vec3 b = sub(to_frame(g, c->n, u), times(g->W, p_old)), p;
	b.x += c->bias;
	if (b.x >= 0)
		return vec(0, 0, 0);
	if (!stick(g->W, b, &p) || p.x < 0 || p.y*p.y + p.z*p.z > c->mu*c->mu*p.x*p.x)
		p = slide(g->W, b, c->mu);
	return from_frame(g, c->n, p);
}
