// SPDX-License-Identifier: MIT
// One contact alone, by iteration. Newton's method works on the functions of Alart and Curnier (1991), part by part,
//
//     F_N = r_N - n,  n = max(0, r_N - rho_N u_N),      F_T = r_T - (r_T - rho_T u_T, shortened to mu n if it is longer)
//
// and the same for rolling with its own limit; a step that does not bring F down is halved. If that ends nowhere, it
// starts again from other places; the last one is found slowly but surely (the fixed point of Acary, Cadoux,
// Lemarechal and Malick 2011, on one contact).
#include "delassus/local.h"

#include <math.h>
#include <string.h>

enum { STEPS = 40, HALVINGS = 12, LIFTS = 40, PROJECTIONS = 500 };

typedef struct part { // tangential components that share a limit
	int first, count;
	double mu, rho;
} part;

typedef struct laws {
	const delassus_contact *contact;
	const double *b;
	double rho; // of the normal part
	int parts;
	part part[2];
} laws;

static laws laws_of(const delassus_contact *c, const double *b)
{
	const double *w = c->w;
	int size = c->size;
	laws l = {.contact = c, .b = b, .rho = 1/w[0], .parts = size == 5 ? 2 : 1};
	l.part[0] = (part){1, size == 2 ? 1 : 2, c->mu, 0};
	l.part[1] = (part){3, 2, c->mu_roll, 0};
	for (int p = 0; p < l.parts; p++) {
		double sum = 0;
		for (int k = 0; k < l.part[p].count; k++)
			sum += w[(l.part[p].first + k)*(size + 1)];
		l.part[p].rho = sum > 0 ? l.part[p].count/sum : l.rho;
	}
	return l;
}

static void velocity(const laws *l, const double *r, double *u)
{
	int size = l->contact->size;
	for (int i = 0; i < size; i++) {
		u[i] = l->b[i];
		for (int j = 0; j < size; j++)
			u[i] += l->contact->w[i*size + j]*r[j];
	}
}

// F of one part and, if `jacobian` is there, its rows.
static void part_judge(const laws *l, const part *p, const double *r, const double *u, double push, double *f,
	double (*jacobian)[6])
{
	int size = l->contact->size, first = p->first;
	const double *w = l->contact->w;
	double y[2] = {0}, length = 0, most = p->mu*push;
	for (int k = 0; k < p->count; k++) {
		y[k] = r[first + k] - p->rho*u[first + k];
		length += y[k]*y[k];
	}
	length = sqrt(length);
	bool sticks = length <= most;
	double share = sticks ? 1 : most/length;
	for (int k = 0; k < p->count; k++)
		f[first + k] = r[first + k] - share*y[k];
	if (!jacobian)
		return;
	for (int k = 0; k < p->count; k++)
		for (int j = 0; j < size; j++) {
			double moved = (j == first + k) - p->rho*w[(first + k)*size + j], along = 0;
			for (int m = 0; m < p->count && !sticks; m++)
				along += y[m]/length*((j == first + m) - p->rho*w[(first + m)*size + j]);
			double limit = push > 0 ? p->mu*((j == 0) - l->rho*w[j]) : 0;
			jacobian[first + k][j] = (j == first + k) - share*moved;
			if (!sticks)
				jacobian[first + k][j] -= y[k]/length*(limit - share*along);
		}
}

// F, and its length in units of impulse.
static double judge(const laws *l, const double *r, double *f, double (*jacobian)[6])
{
	int size = l->contact->size;
	double u[5] = {0}, sum = 0;
	velocity(l, r, u);
	double push = fmax(0, r[0] - l->rho*u[0]);
	f[0] = r[0] - push;
	for (int j = 0; j < size && jacobian; j++)
		jacobian[0][j] = push > 0 ? l->rho*l->contact->w[j] : j == 0;
	for (int p = 0; p < l->parts; p++)
		part_judge(l, &l->part[p], r, u, push, f, jacobian);
	for (int i = 0; i < size; i++)
		sum += f[i]*f[i];
	return sqrt(sum);
}

// Gauss with pivots; `a` has the right side as its last column, at place 5. What nothing depends on, as the impulse
// along a tangent that cannot move, stays as it is.
static void eliminate(int size, double (*a)[6], double *x)
{
	for (int k = 0; k < size; k++) {
		int best = k;
		for (int i = k + 1; i < size; i++)
			if (fabs(a[i][k]) > fabs(a[best][k]))
				best = i;
		if (!(fabs(a[best][k]) > 1e-14)) {
			memset(a[k], 0, sizeof a[k]);
			a[k][k] = 1;
			continue;
		}
		double swap[6];
		memcpy(swap, a[k], sizeof swap);
		memcpy(a[k], a[best], sizeof swap);
		memcpy(a[best], swap, sizeof swap);
		for (int i = k + 1; i < size; i++) {
			double share = a[i][k]/a[k][k];
			for (int j = k; j < 6; j++)
				a[i][j] -= share*a[k][j];
		}
	}
	for (int k = size - 1; k >= 0; k--) {
		x[k] = a[k][5];
		for (int j = k + 1; j < size; j++)
			x[k] -= a[k][j]*x[j];
		x[k] /= a[k][k];
	}
}

// Goes as far along the step as F gets smaller; true if it does.
static bool advance(const laws *l, const double *step, double *r, double *wrong)
{
	int size = l->contact->size;
	double share = 1, tried[5], f[5];
	for (int i = 0; i < HALVINGS; i++, share *= 0.5) {
		for (int k = 0; k < size; k++)
			tried[k] = r[k] - share*step[k];
		double now = judge(l, tried, f, NULL);
		if (!(now < *wrong*(1 - 1e-4*share)))
			continue;
		memcpy(r, tried, sizeof(double)*(size_t)size);
		*wrong = now;
		return true;
	}
	return false;
}

static double newton(const laws *l, double scale, double *r)
{
	int size = l->contact->size;
	double f[5], a[5][6] = {{0}}, step[5];
	double wrong = judge(l, r, f, NULL);
	for (int i = 0; i < STEPS && wrong > 1e-15*scale; i++) {
		judge(l, r, f, a);
		for (int k = 0; k < size; k++)
			a[k][5] = f[k];
		eliminate(size, a, step);
		if (!advance(l, step, r, &wrong))
			break;
	}
	return wrong;
}

// ---------------------------------------------------------------- where it starts from

static double slip_of(const delassus_contact *c, const double *u)
{
	double slip = c->mu*(c->size == 2 ? fabs(u[1]) : sqrt(u[1]*u[1] + u[2]*u[2]));
	return c->size == 5 ? slip + c->mu_roll*sqrt(u[3]*u[3] + u[4]*u[4]) : slip;
}

// Lowest r.W r/2 + r.(b + lift N) on the cone: down the slope and back to the cone, again and again. The slip that it
// leaves.
static double slip_lifted(const laws *l, double lift, double *r)
{
	const delassus_contact *c = l->contact;
	double u[5] = {0}, trace = 0;
	for (int i = 0; i < c->size; i++)
		trace += c->w[i*(c->size + 1)];
	for (int i = 0; i < PROJECTIONS; i++) {
		velocity(l, r, u);
		u[0] += lift;
		for (int k = 0; k < c->size; k++)
			r[k] -= u[k]/trace;
		delassus_project(c->size, c->mu, c->mu_roll, r);
	}
	velocity(l, r, u);
	return slip_of(c, u);
}

// Close to an answer, whatever W. With a given lift in place of mu |u_T| + mu_r |u_R| there is one lowest point;
// without lift its slip is larger than that, with so much that the contact opens it is smaller, so in between is a
// lift that is its own slip.
static void lift_halve(const laws *l, double *r)
{
	double low = 0, high = slip_of(l->contact, l->b) - l->b[0];
	for (int i = 0; i < LIFTS; i++) {
		double lift = 0.5*(low + high);
		*(slip_lifted(l, lift, r) > lift ? &low : &high) = lift;
	}
}

typedef enum attempt { FROM_GUESS, FROM_PUSH, FROM_LIFT, ATTEMPTS } attempt;

static void attempt_start(attempt from, const laws *l, double *r)
{
	if (from == FROM_GUESS)
		return;
	memset(r, 0, sizeof(double)*(size_t)l->contact->size);
	r[0] = -l->b[0]*l->rho;
	if (from == FROM_LIFT)
		lift_halve(l, r);
}

void delassus_contact_iterate(const delassus_contact *c, const double *b, double *r)
{
	laws l = laws_of(c, b);
	size_t bytes = sizeof(double)*(size_t)c->size;
	double scale = 0, guess[5], least = INFINITY;
	for (int k = 0; k < c->size; k++)
		scale += fabs(b[k])*l.rho + fabs(r[k]);
	memcpy(guess, r, bytes);
	for (attempt from = FROM_GUESS; from < ATTEMPTS && least > 1e-13*scale; from++) {
		double tried[5];
		memcpy(tried, guess, bytes);
		attempt_start(from, &l, tried);
		double wrong = newton(&l, scale, tried);
		if (wrong < least) {
			least = wrong;
			memcpy(r, tried, bytes);
		}
	}
	delassus_project(c->size, c->mu, c->mu_roll, r);
}
