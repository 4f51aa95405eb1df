// SPDX-License-Identifier: MIT
// All that a contact may do (law/extended.h), with a full inverse mass W, where push and friction are coupled (bodies that
// are not free in all directions). With b = velocity without this contact's impulse, plus what it aims at, it is the one contact of
// law/one_contact.c. A bond moves the tip of the cone to -pull along n. Then there are two such problems, one to push and one to hold, and
// between them neither, with friction of up to mu pull: a problem in the tangent plane alone.
#include "law/law.h"

#include "law/one_contact.h"

static vec3 to_frame(const talus_full_mass *g, vec3 n, vec3 a)
{
	return vec(dot(a, n), dot(a, g->t1), g->mass.size == 3 ? dot(a, g->t2) : 0);
}

static vec3 from_frame(const talus_full_mass *g, vec3 n, vec3 a)
{
	return add(mul(a.x, n), add(mul(a.y, g->t1), mul(a.z, g->t2)));
}

static double entry(const talus_one_contact *m, int i, int j)
{
	return m->w[i*m->size + j];
}

static vec3 times(const talus_one_contact *m, vec3 a)
{
	const double *w = m->w;
	if (m->size == 2)
		return vec(w[0]*a.x + w[1]*a.y, w[2]*a.x + w[3]*a.y, 0);
	return vec(w[0]*a.x + w[1]*a.y + w[2]*a.z, w[3]*a.x + w[4]*a.y + w[5]*a.z, w[6]*a.x + w[7]*a.y + w[8]*a.z);
}

// W = diag of the inverse masses, turned into the contact's frame, plus the spins' share k on the tangents.
void full_mass_prepare(talus_full_mass *g, talus_row *row, vec3 n, vec3 inv_m_a, vec3 inv_m_b, double k, int dimension)
{
	vec3 inv = add(inv_m_a, inv_m_b);
	g->paradox = false;
	g->inv_m_a = inv_m_a;
	g->inv_m_b = inv_m_b;
	g->t1 = dimension == 2 ? vec(-n.y, n.x, 0) : any_tangent(n);
	g->t2 = cross(n, g->t1);
	vec3 axis[3] = {n, g->t1, g->t2};
	double w[9];
	for (int i = 0; i < dimension; i++)
		for (int j = 0; j < dimension; j++) {
			vec3 e = axis[i], f = axis[j];
			w[i*dimension + j] = inv.x*e.x*f.x + inv.y*e.y*f.y + inv.z*e.z*f.z + (i == j && i > 0 ? k : 0);
		}
	one_contact_init(&g->mass, dimension, w);
	row->mass_n = 1/w[0];
	row->mass_t = 1/fmax(w[dimension + 1], w[0]);
}

// ---------------------------------------------------------------- the cone, and the disk between two of them

typedef struct outcome {
	vec3 p;
	bool slides, paradox;
} outcome;

// In the cone with its tip at -pull. `past`: the last impulse.
static outcome in_cone(const talus_one_contact *m, vec3 b, double mu, double pull, vec3 past)
{
	b = sub(b, times(m, vec(pull, 0, 0)));
	double free[3] = {b.x, b.y, b.z}, r[3] = {past.x, past.y, past.z};
	one_contact_case now = one_contact_solve(m, mu, free, r);
	return (outcome){vec(r[0] - pull, r[1], r[2]), now == ONE_SLIDES || now == ONE_PARADOX, now == ONE_PARADOX};
}

// (W + more) p = -b in the tangent plane. W may be singular there: then the shortest p, which does not push what cannot be moved.
static vec3 tangential(const talus_one_contact *m, vec3 b, double more)
{
	bool flat = m->size == 2;
	double a = entry(m, 1, 1) + more, c = flat ? 0 : entry(m, 1, 2), d = (flat ? entry(m, 1, 1) : entry(m, 2, 2)) + more;
	double size = a + d, det = a*d - c*c;
	if (det > 1e-13*size*size)
		return vec(0, (c*b.z - d*b.y)/det, (c*b.y - a*b.z)/det);
	double inverse = size > 0 ? 1/(size*size) : 0;
	return vec(0, -inverse*(a*b.y + c*b.z), -inverse*(c*b.y + d*b.z));
}

// No normal impulse, and friction of up to `most`: p stops the sliding, or has that length and u_t = -more p, so that it is
// against the sliding. |p| falls with `more`.
static outcome in_disk(const talus_one_contact *m, vec3 b, double most)
{
	outcome o = {.p = tangential(m, b, 0)};
	if (norm(o.p) <= most)
		return o;
	o.slides = true;
	double bt = sqrt(b.y*b.y + b.z*b.z), low = 0, high = most > 0 ? bt/most : INFINITY;
	if (most == 0)
		return (outcome){.slides = true};
	for (int i = 0; i < 200 && high - low > 1e-16*high; i++) {
		double middle = 0.5*(low + high);
		*(norm(tangential(m, b, middle)) > most ? &low : &high) = middle;
	}
	o.p = tangential(m, b, high);
	return o;
}

// Neither: with friction alone the two come closer, but not so fast that the gap would close.
static bool in_between(const talus_one_contact *m, vec3 b, vec3 p, double slack)
{
	double approach = b.x + times(m, p).x, rounding = 1e-12*(fabs(b.x) + slack*m->w[0]);
	return approach >= -rounding && approach <= slack*m->w[0] + rounding;
}

// With strong coupling one may hold together what alone would part: pushed, and stuck.
static bool wedged(const talus_one_contact *m, vec3 b, double mu, double pull, vec3 *p)
{
	double free[3] = {b.x, b.y, b.z}, r[3] = {0};
	if (!one_contact_stick(m, free, r))
		return false;
	*p = vec(r[0], r[1], r[2]);
	return p->x >= 0 && sqrt(p->y*p->y + p->z*p->z) <= mu*(p->x + pull);
}

static outcome all_cases(const talus_extended *r, const talus_one_contact *m, vec3 b, double mu, vec3 past)
{
	outcome push = in_cone(m, b, mu, r->cohesion_impulse, past);
	if (r->cohesion_impulse == 0 || (push.p.x >= 0 && !push.paradox))
		return push;
	outcome hold = in_cone(m, vec(b.x - r->gap_allowance*m->w[0], b.y, b.z), mu, r->cohesion_impulse, past);
	if (hold.p.x <= 0 && !hold.paradox)
		return hold;
	outcome none = in_disk(m, b, mu*r->cohesion_impulse), firm = {.paradox = false};
	if (in_between(m, b, none.p, r->gap_allowance))
		return none;
	if (wedged(m, b, mu, r->cohesion_impulse, &firm.p))
		return firm;
	none.paradox = true;
	return none;
}

impulse full_mass_impulse(vec3 n, const talus_row *row, const talus_extended *r, talus_full_mass *g, impulse was, vec3 u, vec3 spin)
{
	const talus_one_contact *m = &g->mass;
	vec3 past = to_frame(g, n, was.p);
	vec3 b = sub(to_frame(g, n, u), times(m, past));
	b.x += row->bias;
	b = add(b, to_frame(g, n, sub(r->target, mul(row->bias, n))));
	outcome o = all_cases(r, m, b, row->mu, past);
	double mu = o.slides ? r->mu_slide : r->mu_stick;
	if (o.slides && mu < row->mu)
		o = all_cases(r, m, b, mu, past);
	g->paradox = o.paradox;
	extended_fields c = extended_contact_fields(n, row, r, was.p, was.q);
	vec3 p = from_frame(g, n, o.p);
	return (impulse){.p = p, .q = extended_torque(&c, sub(p, was.p), o.p.x + r->cohesion_impulse, spin), .mu = mu};
}
