// SPDX-License-Identifier: MIT
// All that a contact may do (law/rich.h), with a full 3 by 3 inverse mass W, where push and friction are coupled (bodies that
// are not free in all directions). With b = velocity without this contact's impulse, plus what it aims at:
//
//     b_n >= 0: nothing.   Stick: W p = -b, if p is inside the cone.
//     Slide: p_t = -mu p_n e,  p_n = -b_n/(W_nn - mu W_nt.e),  e the direction of the sliding that results.
//
// A bond moves the tip of the cone to -pull along n. Then there are two such problems, one to push and one to hold, and between
// them neither, with friction of up to mu pull: a problem in the tangent plane alone.
//
// e is found, not assumed: sliding u_t(e) x e = 0 with u_t.e > 0. It is first tried along the free sliding (exact where the
// tangential masses are equal), then bracketed on a circle of directions and closed in by secants and halving.
#include "law/law.h"

enum { COARSE = 32, FINE = 256 };

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
	g->paradox = false;
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
static bool eliminate(const double W[3][3], vec3 b, vec3 *p)
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

// Where the first tangent can hardly move, the second one comes first: else rounding is all that is left of it.
static bool stick(const double W[3][3], vec3 b, vec3 *p)
{
	double first = W[1][1] - W[0][1]*W[0][1]/W[0][0], second = W[2][2] - W[0][2]*W[0][2]/W[0][0];
	if (first >= 1e-2*second)
		return eliminate(W, b, p);
	const double turned[3][3] = {{W[0][0], W[0][2], W[0][1]}, {W[2][0], W[2][2], W[2][1]}, {W[1][0], W[1][2], W[1][1]}};
	vec3 other;
	bool found = eliminate(turned, vec(b.x, b.z, b.y), &other);
	*p = vec(other.x, other.z, other.y);
	return found;
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

// Between two directions where u_t x e changes its sign: secants, and a halving after each, because near an
// impossible direction the values are of very different size.
static slip close_in(const double W[3][3], vec3 b, double mu, double low, double high, slip at_low, slip at_high)
{
	double f_low = at_low.across, f_high = at_high.across;
	slip best = fabs(f_low) < fabs(f_high) ? at_low : at_high;
	for (int i = 0; i < 110 && best.across != 0 && high - low > 1e-16*high; i++) {
		double middle = i%2 ? 0.5*(low + high) : (low*f_high - high*f_low)/(f_high - f_low);
		slip s = slide_along(W, b, mu, cos(middle), sin(middle));
		if (!s.possible)
			break;
		if (fabs(s.across) < fabs(best.across))
			best = s;
		if ((s.across > 0) == (f_high > 0))
			high = middle, f_high = s.across;
		else
			low = middle, f_low = s.across;
	}
	return best;
}

typedef struct heading { // a direction that has been tried
	double angle;
	slip slip;
} heading;

static heading try_heading(const double W[3][3], vec3 b, double mu, double angle)
{
	return (heading){angle, slide_along(W, b, mu, cos(angle), sin(angle))};
}

// The last direction, on the way from a possible to an impossible one, that is still possible.
static heading last_possible(const double W[3][3], vec3 b, double mu, heading good, heading bad)
{
	for (int i = 0; i < 50; i++) {
		heading middle = try_heading(W, b, mu, 0.5*(good.angle + bad.angle));
		*(middle.slip.possible ? &good : &bad) = middle;
	}
	return good;
}

// The sliding between two possible directions, if there is one; `best` if not, or if that goes faster.
static slip between(const double W[3][3], vec3 b, double mu, heading one, heading other, slip best)
{
	if ((one.slip.across > 0) == (other.slip.across > 0))
		return best;
	heading low = one.angle < other.angle ? one : other, high = one.angle < other.angle ? other : one;
	slip root = close_in(W, b, mu, low.angle, high.angle, low.slip, high.slip);
	return root.along > best.along ? root : best;
}

// Towards an impossible direction the impulse grows without limit: looks closer and closer to the last possible one.
static slip towards(const double W[3][3], vec3 b, double mu, heading good, heading bad, slip best)
{
	heading edge = last_possible(W, b, mu, good, bad), before = good;
	for (double left = 0.75; left > 1e-9; left *= 0.75) {
		heading here = try_heading(W, b, mu, edge.angle + left*(good.angle - edge.angle));
		best = between(W, b, mu, before, here, best);
		before = here;
	}
	return between(W, b, mu, before, edge, best);
}

static slip better(const double W[3][3], vec3 b, double mu, heading low, heading high, slip best)
{
	if (low.slip.possible && high.slip.possible)
		return between(W, b, mu, low, high, best);
	if (low.slip.possible)
		return towards(W, b, mu, low, high, best);
	return high.slip.possible ? towards(W, b, mu, high, low, best) : best;
}

// Three directions in a row with one sign of u_t x e, the middle one closest to zero: two answers may hide there.
// Goes down towards the minimum (golden section) until the sign changes.
static slip look_between(const double W[3][3], vec3 b, double mu, heading low, heading middle, heading high, slip best)
{
	static const double golden = 0.381966011250105;
	heading left = low, right = high;
	for (int i = 0; i < 80; i++) {
		bool upper = right.angle - middle.angle > middle.angle - left.angle;
		double way = golden*(upper ? right.angle - middle.angle : left.angle - middle.angle);
		heading here = try_heading(W, b, mu, middle.angle + way);
		if (!here.slip.possible)
			return best;
		if ((here.slip.across > 0) != (low.slip.across > 0))
			return better(W, b, mu, here, high, better(W, b, mu, low, here, best));
		bool closer = fabs(here.slip.across) < fabs(middle.slip.across);
		heading *edge = closer == upper ? &left : &right;
		*edge = closer ? middle : here;
		middle = closer ? here : middle;
	}
	return best;
}

static bool dips(heading low, heading middle, heading high)
{
	double m = fabs(middle.slip.across);
	bool possible = low.slip.possible && middle.slip.possible && high.slip.possible;
	bool sign = middle.slip.across > 0, one_sign = (low.slip.across > 0) == sign && (high.slip.across > 0) == sign;
	return possible && one_sign && m <= fabs(low.slip.across) && m <= fabs(high.slip.across);
}

// The fastest sliding found on a circle of directions.
static slip scan(const double W[3][3], vec3 b, double mu, int directions)
{
	static const double circle = 6.28318530717958647693;
	heading at[FINE + 2];
	slip best = {.p = vec(-b.x/W[0][0], 0, 0), .along = -INFINITY};
	for (int i = 0; i < directions; i++)
		at[i] = try_heading(W, b, mu, i*circle/directions);
	for (int i = 0; i < 2; i++) // once round, the same to the last bit: no answer slips through
		at[directions + i] = (heading){circle + at[i].angle, at[i].slip};
	for (int i = 0; i < directions; i++) {
		best = better(W, b, mu, at[i], at[i + 1], best);
		if (dips(at[i], at[i + 1], at[i + 2]))
			best = look_between(W, b, mu, at[i], at[i + 1], at[i + 2], best);
	}
	return best;
}

static vec3 slide(const double W[3][3], vec3 b, double mu, bool *paradox)
{
	double bt = sqrt(b.y*b.y + b.z*b.z), without = -b.x/W[0][0]; // what it takes without friction
	if (mu == 0)
		return vec(without, 0, 0);
	if (bt > 0) {
		slip s = slide_along(W, b, mu, b.y/bt, b.z/bt);
		double stopped = 1e-13*(fabs(b.x) + bt); // what is left of the sliding is rounding
		if (s.possible && s.along > 0 && fabs(s.across) <= 1e-14*s.along)
			return s.p;
		if (s.possible && fabs(s.along) <= stopped && fabs(s.across) <= stopped)
			return s.p;
	}
	slip best = scan(W, b, mu, COARSE);
	if (!(best.along > 0)) // near Painleve's paradox two answers may lie close together
		best = scan(W, b, mu, FINE);
	*paradox = !(best.along > -1e-12*(fabs(b.x) + bt)); // coming to a stop is none
	return *paradox && norm(best.p) > 1e3*without ? vec(without, 0, 0) : best.p;
}

// ---------------------------------------------------------------- the cone, and the disk between two of them

typedef struct outcome {
	vec3 p;
	bool slides, paradox;
} outcome;

// In the cone with its tip at -pull.
static outcome in_cone(const double W[3][3], vec3 b, double mu, double pull)
{
	outcome o = {.p = {0 - pull, 0, 0}};
	b = sub(b, vec(pull*W[0][0], pull*W[1][0], pull*W[2][0]));
	if (b.x >= 0)
		return o;
	bool stuck = stick(W, b, &o.p);
	double edge = (1 + 1e-12)*mu*o.p.x; // on the edge and at rest: rounding must not make a paradox of it
	if (!stuck || o.p.x < 0 || o.p.y*o.p.y + o.p.z*o.p.z > edge*edge) {
		o.p = slide(W, b, mu, &o.paradox);
		o.slides = true;
	}
	o.p.x -= pull;
	return o;
}

// (W + more) p = -b in the tangent plane. W may be singular there: then the shortest p, which does not push what cannot be moved.
static vec3 tangential(const double W[3][3], vec3 b, double more)
{
	double a = W[1][1] + more, c = W[1][2], d = W[2][2] + more, size = a + d, det = a*d - c*c;
	if (det > 1e-13*size*size)
		return vec(0, (c*b.z - d*b.y)/det, (c*b.y - a*b.z)/det);
	double inverse = size > 0 ? 1/(size*size) : 0;
	return vec(0, -inverse*(a*b.y + c*b.z), -inverse*(c*b.y + d*b.z));
}

// No normal impulse, and friction of up to `most`: p stops the sliding, or has that length and u_t = -more p, so that it is
// against the sliding. |p| falls with `more`.
static outcome in_disk(const double W[3][3], vec3 b, double most)
{
	outcome o = {.p = tangential(W, b, 0)};
	if (norm(o.p) <= most)
		return o;
	o.slides = true;
	double bt = sqrt(b.y*b.y + b.z*b.z), low = 0, high = most > 0 ? bt/most : INFINITY;
	if (most == 0)
		return (outcome){.slides = true};
	for (int i = 0; i < 200 && high - low > 1e-16*high; i++) {
		double middle = 0.5*(low + high);
		*(norm(tangential(W, b, middle)) > most ? &low : &high) = middle;
	}
	o.p = tangential(W, b, high);
	return o;
}

// Neither: with friction alone the two come closer, but not so fast that the gap would close.
static bool in_between(const double W[3][3], vec3 b, vec3 p, double slack)
{
	double approach = b.x + W[0][1]*p.y + W[0][2]*p.z, rounding = 1e-12*(fabs(b.x) + slack*W[0][0]);
	return approach >= -rounding && approach <= slack*W[0][0] + rounding;
}

// With strong coupling one may hold together what alone would part: pushed, and stuck.
static bool wedged(const double W[3][3], vec3 b, double mu, double pull, vec3 *p)
{
	return stick(W, b, p) && p->x >= 0 && sqrt(p->y*p->y + p->z*p->z) <= mu*(p->x + pull);
}

static outcome all_cases(const talus_rich *r, const double W[3][3], vec3 b, double mu)
{
	outcome push = in_cone(W, b, mu, r->pull);
	if (r->pull == 0 || (push.p.x >= 0 && !push.paradox))
		return push;
	outcome hold = in_cone(W, vec(b.x - r->slack*W[0][0], b.y, b.z), mu, r->pull);
	if (hold.p.x <= 0 && !hold.paradox)
		return hold;
	outcome none = in_disk(W, b, mu*r->pull), firm = {.paradox = false};
	if (in_between(W, b, none.p, r->slack))
		return none;
	if (wedged(W, b, mu, r->pull, &firm.p))
		return firm;
	none.paradox = true;
	return none;
}

impulse general_impulse(const talus_contact *c, const talus_rich *r, talus_general *g, vec3 u, vec3 spin)
{
	vec3 p_old = to_frame(g, c->n, c->p);
	vec3 b = sub(to_frame(g, c->n, u), times(g->W, p_old));
	b.x += c->bias;
	b = add(b, to_frame(g, c->n, sub(r->target, mul(c->bias, c->n))));
	outcome o = all_cases(r, g->W, b, c->mu);
	double mu = o.slides ? r->mu_slide : r->mu_stick;
	if (o.slides && mu < c->mu)
		o = all_cases(r, g->W, b, mu);
	g->paradox = o.paradox;
	vec3 p = from_frame(g, c->n, o.p);
	return (impulse){.p = p, .q = rich_torque(c, r, p, o.p.x + r->pull, spin), .mu = mu};
}
