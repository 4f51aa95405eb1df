// SPDX-License-Identifier: MIT
// A cell that deforms while its contacts are solved (Shaebani, Unger & Kertesz 2009). The rates depend on all impulses, and
// all contacts on the rates. The paper has each contact change them at once; here they stay while contacts are visited that
// share no body, and then go towards what the impulses ask for. Not all the way: those that push resist a change of the rate
// with  K = sum of m_n gain l^2,  so a full step would overshoot K times; the share 1/(1 + K) is where both agree. If K is not
// small the contacts look again, now with that rate, so that it works for however light a cell.
#include "solve/solve.h"

static double trace(const double a[3][3], int dimension)
{
	return a[0][0] + a[1][1] + (dimension == 3 ? a[2][2] : 0);
}

void flow_exact(const talus_cell_unknowns *f, double rate[3][3])
{
	double heat = trace(f->kinetic_sum, f->dimension), moved = trace(f->virial_sum, f->dimension);
	for (int i = 0; i < 3; i++)
		for (int j = 0; j < 3; j++) {
			double h = f->isotropic ? heat : f->kinetic_sum[i][j], m = f->isotropic ? moved : f->virial_sum[i][j];
			rate[i][j] = f->free_rate[i][j] + f->kinetic_gain[i][j]*h + f->virial_gain[i][j]*m;
			if (f->virial_gain[i][j] > 0)
				rate[i][j] = fmin(fmax(rate[i][j], -f->most), f->most);
		}
}

typedef struct upper { // of a matrix
	int i, j;
} upper;

static const upper entry[FLOWS] = {{0, 0}, {1, 1}, {2, 2}, {0, 1}, {0, 2}, {1, 2}};

static const double look_again = 0.02; // with a K above this, contacts are visited once more at the new rate: below it what they miss is 2 %

static double largest_gain(const talus_cell_unknowns *f)
{
	double most = 0;
	for (int k = 0; k < FLOWS; k++)
		most = fmax(most, f->virial_gain[entry[k].i][entry[k].j]);
	return most;
}

bool flow_settle(talus_cell_unknowns *f, double stiffness)
{
	double wanted[3][3], resist = stiffness*largest_gain(f), share = 1/(1 + resist);
	flow_exact(f, wanted);
	for (int i = 0; i < 3; i++)
		for (int j = i; j < 3; j++)
			f->rate[i][j] += share*(wanted[i][j] - f->rate[i][j]);
	return resist > look_again;
}

// ---------------------------------------------------------------- sums

void flow_add(talus_cell_unknowns *f, const double sum[FLOWS])
{
	for (int k = 0; k < FLOWS; k++)
		f->virial_sum[entry[k].i][entry[k].j] += sum[k];
}

void flow_of_contact(vec3 n, double span, vec3 p, double sum[FLOWS])
{
	for (int k = 0; k < FLOWS; k++)
		sum[k] = component(p, entry[k].i)*component(n, entry[k].j)*span;
}

enum { OF_MASS = FLOWS, OF_MOMENTUM, HEATS = OF_MOMENTUM + 3 };

static void add_heat(void *job, size_t first, size_t last, totals_part *part)
{
	const talus_problem *problem = job;
	for (size_t i = first; i < last; i++) {
		const talus_solver_body *line = &problem->motion[i];
		if (line->inv_m == 0)
			continue;
		vec3 v = line->v;
		double m = 1/line->inv_m;
		for (int k = 0; k < FLOWS; k++)
			part->term[k][i - first] = m*component(v, entry[k].i)*component(v, entry[k].j);
		part->term[OF_MASS][i - first] = m;
		for (int k = 0; k < 3; k++)
			part->term[OF_MOMENTUM + k][i - first] = m*component(v, k);
	}
}

// Relative to their common velocity: a wind presses on nothing.
void flow_heat(const talus_problem *problem, parallel *team)
{
	talus_problem copy = *problem;
	totals all = totals_of(team, problem->flow->grains, HEATS, add_heat, &copy);
	const double *sum = all.sum, *p = sum + OF_MOMENTUM;
	for (int k = 0; k < FLOWS && sum[OF_MASS] > 0; k++)
		problem->flow->kinetic_sum[entry[k].i][entry[k].j] = sum[k] - p[entry[k].i]*p[entry[k].j]/sum[OF_MASS];
}

static void add_contacts(void *job, size_t first, size_t last, totals_part *part)
{
	const talus_problem *problem = job;
	for (size_t i = first; i < last; i++) {
		double flow[FLOWS];
		flow_of_contact(problem->contact[i].n, class_extended_contact(problem, i)->centre_distance, problem->p[i], flow);
		for (int k = 0; k < FLOWS; k++)
			part->term[k][i - first] = flow[k];
	}
}

void flow_start(const talus_problem *problem, parallel *team)
{
	talus_problem copy = *problem;
	talus_cell_unknowns *f = problem->flow;
	totals all = totals_of(team, problem->contacts, FLOWS, add_contacts, &copy);
	for (int i = 0; i < 3; i++)
		for (int j = 0; j < 3; j++)
			f->virial_sum[i][j] = 0;
	flow_add(f, all.sum);
	flow_heat(problem, team);
	flow_exact(f, f->rate);
}
