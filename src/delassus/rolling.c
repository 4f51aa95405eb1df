// SPDX-License-Identifier: MIT
// One contact alone that resists to rolling: u = W r + b with five components. It sticks in all of them, or is found by iteration.
// Newton's method works on the functions of Alart and Curnier (1991), part by part,
//
//     F_N = r_N - n,  n = max(0, r_N - rho_N u_N),      F_T = r_T - (r_T - rho_T u_T, shortened to mu n if it is longer)
//
// and the same for rolling with its own limit; a step that does not bring F down is halved. If that ends nowhere, it
// starts again from other places; the last one is found slowly but surely (the fixed point of Acary, Cadoux,
// Lemarechal and Malick 2011, on one contact).
#include "delassus/delassus.h"

#include <math.h>
#include <string.h>

enum { SIZE = 5, PARTS = 2, PAIR = 2, STEPS = 40, HALVINGS = 12, LIFTS = 40, PROJECTIONS = 500 };

typedef struct part { // two tangential components that share a limit
	int first;
	double mu, rho;
} part;

typedef struct laws {
	const rolling_contact *contact;
	const double *b;
	double rho; // of the normal part
	part part[PARTS];
} laws;

static laws laws_of(const rolling_contact *c, const double *b)
{
	const double *w = c->w;
	laws l = {.contact = c, .b = b, .rho = 1/w[0], .part = {{1, c->mu, 0}, {3, c->mu_roll, 0}}};
	for (int p = 0; p < PARTS; p++) {
		double sum = 0;
		for (int k = 0; k < PAIR; k++)
			sum += w[(l.part[p].first + k)*(SIZE + 1)];
		l.part[p].rho = sum > 0 ? PAIR/sum : l.rho;
	}
	return l;
}

static void velocity(const laws *l, const double *r, double *u)
{
	for (int i = 0; i < SIZE; i++) {
		u[i] = l->b[i];
		for (int j = 0; j < SIZE; j++)
			u[i] += l->contact->w[i*SIZE + j]*r[j];
	}
}

// F of one part and, if `jacobian` is there, its rows.
static void part_judge(const laws *l, const part *p, const double *r, const double *u, double push, double *f,
	double (*jacobian)[6])
{
	int first = p->first;
	const double *w = l->contact->w;
	double y[2] = {0}, length = 0, most = p->mu*push;
	for (int k = 0; k < PAIR; k++) {
		y[k] = r[first + k] - p->rho*u[first + k];
		length += y[k]*y[k];
	}
	length = sqrt(length);
	bool sticks = length <= most;
	double share = sticks ? 1 : most/length;
	for (int k = 0; k < PAIR; k++)
		f[first + k] = r[first + k] - share*y[k];
	if (!jacobian)
		return;
	for (int k = 0; k < PAIR; k++)
		for (int j = 0; j < SIZE; j++) {
			double moved = (j == first + k) - p->rho*w[(first + k)*SIZE + j], along = 0;
			for (int m = 0; m < PAIR && !sticks; m++)
				along += y[m]/length*((j == first + m) - p->rho*w[(first + m)*SIZE + j]);
			double limit = push > 0 ? p->mu*((j == 0) - l->rho*w[j]) : 0;
			jacobian[first + k][j] = (j == first + k) - share*moved;
			if (!sticks)
				jacobian[first + k][j] -= y[k]/length*(limit - share*along);
		}
}

// F, and its length in units of impulse.
static double judge(const laws *l, const double *r, double *f, double (*jacobian)[6])
{
	double u[5] = {0}, sum = 0;
	velocity(l, r, u);
	double push = fmax(0, r[0] - l->rho*u[0]);
	f[0] = r[0] - push;
	for (int j = 0; j < SIZE && jacobian; j++)
		jacobian[0][j] = push > 0 ? l->rho*l->contact->w[j] : j == 0;
	for (int p = 0; p < PARTS; p++)
		part_judge(l, &l->part[p], r, u, push, f, jacobian);
	for (int i = 0; i < SIZE; i++)
		sum += f[i]*f[i];
	return sqrt(sum);
}

// Gauss with pivots; `a` has the right side as its last column, at place 5. What nothing depends on, as the impulse
// along a tangent that cannot move, stays as it is.
static void eliminate(double (*a)[6], double *x)
{
	for (int k = 0; k < SIZE; k++) {
		int best = k;
		for (int i = k + 1; i < SIZE; i++)
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
		for (int i = k + 1; i < SIZE; i++) {
			double share = a[i][k]/a[k][k];
			for (int j = k; j < 6; j++)
				a[i][j] -= share*a[k][j];
		}
	}
	for (int k = SIZE - 1; k >= 0; k--) {
		x[k] = a[k][5];
		for (int j = k + 1; j < SIZE; j++)
			x[k] -= a[k][j]*x[j];
		x[k] /= a[k][k];
	}
}

// Goes as far along the step as F gets smaller; true if it does.
static bool advance(const laws *l, const double *step, double *r, double *wrong)
{
	double share = 1, tried[5], f[5];
	for (int i = 0; i < HALVINGS; i++, share *= 0.5) {
		for (int k = 0; k < SIZE; k++)
			tried[k] = r[k] - share*step[k];
		double now = judge(l, tried, f, NULL);
		if (!(now < *wrong*(1 - 1e-4*share)))
			continue;
		memcpy(r, tried, sizeof(double)*SIZE);
		*wrong = now;
		return true;
	}
	return false;
}

static double newton(const laws *l, double scale, double *r)
{
	double f[5], a[5][6] = {{0}}, step[5];
	double wrong = judge(l, r, f, NULL);
	for (int i = 0; i < STEPS && wrong > 1e-15*scale; i++) {
		judge(l, r, f, a);
		for (int k = 0; k < SIZE; k++)
			a[k][5] = f[k];
		eliminate(a, step);
		if (!advance(l, step, r, &wrong))
			break;
	}
	return wrong;
}

// ---------------------------------------------------------------- where it starts from

static double slip_of(const rolling_contact *c, const double *u)
{
	return c->mu*sqrt(u[1]*u[1] + u[2]*u[2]) + c->mu_roll*sqrt(u[3]*u[3] + u[4]*u[4]);
}

// Lowest r.W r/2 + r.(b + lift N) on the cone: down the slope and back to the cone, again and again. The slip that it
// leaves.
static double slip_lifted(const laws *l, double lift, double *r)
{
	const rolling_contact *c = l->contact;
	double u[5] = {0}, trace = 0;
	for (int i = 0; i < SIZE; i++)
		trace += c->w[i*(SIZE + 1)];
	for (int i = 0; i < PROJECTIONS; i++) {
		velocity(l, r, u);
		u[0] += lift;
		for (int k = 0; k < SIZE; k++)
			r[k] -= u[k]/trace;
		delassus_project(SIZE, c->mu, c->mu_roll, r);
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
	memset(r, 0, sizeof(double)*SIZE);
	r[0] = -l->b[0]*l->rho;
	if (from == FROM_LIFT)
		lift_halve(l, r);
}

static void iterate(const rolling_contact *c, const double *b, double *r)
{
	laws l = laws_of(c, b);
	double scale = 0, guess[SIZE], least = INFINITY;
	for (int k = 0; k < SIZE; k++)
		scale += fabs(b[k])*l.rho + fabs(r[k]);
	memcpy(guess, r, sizeof guess);
	for (attempt from = FROM_GUESS; from < ATTEMPTS && least > 1e-13*scale; from++) {
		double tried[5];
		memcpy(tried, guess, sizeof guess);
		attempt_start(from, &l, tried);
		double wrong = newton(&l, scale, tried);
		if (wrong < least) {
			least = wrong;
			memcpy(r, tried, sizeof guess);
		}
	}
	delassus_project(SIZE, c->mu, c->mu_roll, r);
}

// ---------------------------------------------------------------- all of it

static bool stick(const rolling_contact *c, const double *b, double *r)
{
	double p[SIZE] = {0};
	for (int i = 0; i < SIZE; i++)
		for (int j = 0; j < SIZE; j++)
			p[i] -= c->inverse[SIZE*i + j]*b[j];
	double slip = sqrt(p[1]*p[1] + p[2]*p[2]), roll = sqrt(p[3]*p[3] + p[4]*p[4]);
	if (!c->can_stick || slip > c->mu*p[0] || roll > c->mu_roll*p[0])
		return false;
	memcpy(r, p, sizeof p);
	if (c->refine)
		block_refine(SIZE, c->w, c->inverse, b, r);
	return true;
}

void rolling_contact_init(rolling_contact *c, double mu, double mu_roll, const double *w)
{
	memset(c, 0, sizeof *c);
	c->mu = mu;
	c->mu_roll = mu_roll;
	memcpy(c->w, w, sizeof c->w);
	c->can_stick = block_invert(SIZE, w, c->inverse);
	c->refine = c->can_stick && block_is_rough(SIZE, w, c->inverse);
}

void rolling_contact_solve(const rolling_contact *c, const double *b, double *r)
{
	if (b[0] >= 0 || c->w[0] <= 0)
		memset(r, 0, sizeof(double)*SIZE);
	else if (!stick(c, b, r))
		iterate(c, b, r);
}
