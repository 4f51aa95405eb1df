// SPDX-License-Identifier: MIT
// Effective masses and the gap term of a contact between round bodies:  1/m_n = 1/ma + 1/mb,  1/m_t = 1/m_n + ra^2/Ia
// + rb^2/Ib. The gap at the end of a step is  gap + u_n dt + curvature_gap.  Where that opens it, the next step closes it again;
// but inside a drum a grain would sink into the wall by (v dt)^2/2R a step, and overlaps are not pushed out.
#include "law/law.h"

void coulomb_prepare(talus_row *row, const talus_solver_body *a, const talus_solver_body *b, double gap, double curvature_gap, double dt, talus_gap rule,
                     double mu)
{
	double inverse = a->inv_m + b->inv_m;
	row->mass_n = 1/inverse;
	row->mass_t = 1/(inverse + a->r2_over_I + b->r2_over_I);
	row->bias = ((rule == TALUS_GAP_SIGNED || gap > 0 ? gap : 0) + (curvature_gap < 0 ? curvature_gap : 0))/dt;
	row->mu = mu;
}
