// SPDX-License-Identifier: MIT
// Implicit Euler (method of contact dynamics):  v' = v + dt F'/m,  x' = x + dt v',  w' = w + dt T'/I, where F' and T'
// contain the contact forces that the solve finds. The orientation is turned by w' through the half-angle tangent,
// third order in dt.
#include "method/contact_dynamics.h"

#include "state/cell_drive.h"
#include "state/cell.h"

#include "base/memory.h"
#include "base/parallel.h"
#include "collide/collide.h"
#include "law/coulomb.h"
#include "law/law.h"
#include "observe/observe.h"
#include "state/limits.h"
#include "state/wall.h"

static vec3 masked(vec3 a, unsigned free)
{
	return vec(free & TALUS_FREE_X ? a.x : 0, free & TALUS_FREE_Y ? a.y : 0, free & TALUS_FREE_Z ? a.z : 0);
}

static unsigned translations(const world_state *state, unsigned free)
{
	return free & (state->def.dimension == 2 ? TALUS_FREE_X | TALUS_FREE_Y : TALUS_FREE_X | TALUS_FREE_Y | TALUS_FREE_Z);
}

static vec3 free_velocity(const world_state *state, size_t i)
{
	const bodies *b = &state->bodies;
	vec3 a = mul_add(state->def.gravity, 1/b->mass[i], b->force[i]);
	return mul_add(b->v[i], state->def.step, masked(a, translations(state, b->free[i])));
}

static vec3 piston_free_velocity(const world_state *state, const wall *w)
{
	vec3 a = mul(1/w->def.mass, w->def.force);
	if (!w->def.weightless)
		a = add(a, state->def.gravity);
	return mul_add(w->v, state->def.step, masked(a, translations(state, w->def.free)));
}

typedef struct predicting {
	const world_state *state;
	talus_solver_body *line;
} predicting;

static void free_grains(void *job, size_t first, size_t last)
{
	const world_state *state = ((const predicting *)job)->state;
	const bodies *b = &state->bodies;
	talus_solver_body *line = ((const predicting *)job)->line;
	for (size_t i = first; i < last; i++) {
		double r = b->radius[i];
		line[i].v = free_velocity(state, i);
		line[i].r_omega = mul(r, b->spin[i]);
		line[i].inv_m = translations(state, b->free[i]) ? 1/b->mass[i] : 0;
		line[i].r2_over_I = b->free[i] & TALUS_FREE_SPIN ? r*r/b->inertia[i] : 0;
	}
}

static void drag_grains(void *job, size_t first, size_t last)
{
	const world_state *state = ((const predicting *)job)->state;
	talus_solver_body *line = ((const predicting *)job)->line;
	double gradient[3][3];
	cell_drive_gradient(state, gradient);
	for (size_t i = first; i < last; i++)
		line[i].v = add(line[i].v, cell_drive_drag(state, gradient, i));
}

static void largest_radius(void *job, size_t first, size_t last, totals_part *part)
{
	const double *radius = ((const world_state *)job)->bodies.radius;
	for (size_t i = first; i < last; i++)
		part->most[0] = radius[i] > part->most[0] ? radius[i] : part->most[0];
}

// Twice what the rate of the last step would do: it may grow.
static double flow_reach(const world_state *state)
{
	double sum = 0;
	for (int k = 0; k < 9; k++)
		sum += state->cell.rate[k/3][k%3]*state->cell.rate[k/3][k%3];
	double largest = fmax(0, totals_of(state->team, state->bodies.count, 0, largest_radius, (void *)(uintptr_t)state).most[0]);
	return 2*state->def.step*sqrt(sum)*largest;
}

void contact_dynamics_predict(const world_state *state, approach *ahead)
{
	size_t count = state->bodies.count;
	ahead->drift = state->cell_deforms ? flow_reach(state) : 0;
	approach_reserve(ahead, count + (size_t)state->walls.count);
	predicting all = {state, ahead->motion};
	parallel_for(state->team, count, PARALLEL_BLOCK, free_grains, &all);
	if (cell_drive_drags(state))
		parallel_for(state->team, count, PARALLEL_BLOCK, drag_grains, &all);
	talus_solver_body *line = ahead->motion + count;
	for (int w = 0; w < state->walls.count; w++) {
		const wall *at = &state->walls.at[w];
		bool piston = wall_is_piston(at);
		line[w] = (talus_solver_body){.v = piston ? piston_free_velocity(state, at) : at->v,
		                         .inv_m = piston ? 1/at->def.mass : 0};
	}
}

// ---------------------------------------------------------------- laws

static const talus_pair *pair_at(const law_stage *s, size_t i)
{
	const talus_contact *c = &s->contacts->contact[i];
	return state_pair(s->state, c->a, c->b, c->wall);
}

static double wall_bend_at(const law_stage *s, size_t i)
{
	const talus_contact *c = &s->contacts->contact[i];
	const wall *w = &s->state->walls.at[c->wall];
	vec3 x = s->state->bodies.x[c->b], way = mul(s->state->def.step, sub(s->state->bodies.v[c->b], w->v));
	vec3 image = state_wall_image(s->state, w, c->b, contacts_wall_image(c->key));
	return wall_curvature(w, image, s->state->def.dimension, x, c->n, way); // spinning does not change its shape
}

// Within a step the two go straight on, not along the surfaces. With the velocities before it: what rests does not bend.
static double curvature_gap_at(const law_stage *s, size_t i)
{
	const talus_contact *c = &s->contacts->contact[i];
	const bodies *b = &s->state->bodies;
	double dt = s->state->def.step;
	if (c->wall != NO_WALL)
		return wall_bend_at(s, i);
	vec3 way = mul(dt, sub(b->v[c->b], b->v[c->a])), aside = mul_add(way, -dot(way, c->n), c->n);
	double length = b->radius[c->a] + b->radius[c->b] + c->gap;
	return sqrt(length*length + dot(aside, aside)) - length;
}

// Contacts of a piston have the grain's masses alone: it is moved by all of them at once.
static void hold_piston(const law_stage *s, size_t i)
{
	const talus_solver_body *grain = &s->approach->motion[s->contacts->contact[i].b];
	talus_row *row = &s->rows->row[i];
	row->mass_n = 1/grain->inv_m;
	row->mass_t = 1/(grain->inv_m + grain->r2_over_I);
}

static bool with_piston(const law_stage *s, size_t i)
{
	uint32_t w = s->contacts->contact[i].wall;
	return w != NO_WALL && i < s->contacts->class_end[TALUS_EXTENDED] && wall_is_piston(&s->state->walls.at[w]);
}

void contact_dynamics_counted(void *job)
{
	const law_stage *s = job;
	rows_reserve(s->rows, s->contacts);
}

void contact_dynamics_plain_laws(void *job, size_t first, size_t last)
{
	const law_stage *s = job;
	const talus_solver_body *motion = s->approach->motion;
	for (size_t i = first; i < last; i++) {
		const talus_contact *c = &s->contacts->contact[i];
		coulomb_prepare(&s->rows->row[i], &motion[c->a], &motion[c->b], c->gap,
		                c->wall == NO_WALL ? 0 : curvature_gap_at(s, i), s->state->def.step, s->state->def.solver.gap,
		                pair_at(s, i)->friction);
		if (with_piston(s, i))
			hold_piston(s, i);
	}
}

static void basic_laws(void *job, size_t first, size_t last)
{
	const law_stage *s = job;
	contact_dynamics_plain_laws(job, s->contacts->class_end[TALUS_COULOMB] + first, s->contacts->class_end[TALUS_COULOMB] + last);
}

static void full_mass_laws(void *job, size_t first, size_t last)
{
	const law_stage *s = job;
	const contacts *c = s->contacts;
	const talus_solver_body *motion = s->approach->motion;
	for (size_t i = first; i < last; i++) {
		const talus_contact *contact = &c->contact[c->class_end[TALUS_EXTENDED] + i];
		vec3 inv_a = state_inverse_mass(s->state, contact->a), inv_b = state_inverse_mass(s->state, contact->b);
		double k = motion[contact->a].r2_over_I + motion[contact->b].r2_over_I;
		full_mass_prepare(&s->rows->full_mass[i], &s->rows->row[c->class_end[TALUS_EXTENDED] + i], contact->n, inv_a, inv_b, k, s->state->def.dimension);
	}
}

// What outer forces may give to a body within a step, without the contacts that hold it.
static double kick(const law_stage *s, uint32_t line)
{
	const bodies *b = &s->state->bodies;
	size_t w = line - b->count;
	if (line < b->count)
		return norm(b->force[line])/b->mass[line]*s->state->def.step;
	bool piston = w < (size_t)s->state->walls.count && wall_is_piston(&s->state->walls.at[w]);
	return piston ? norm(s->state->walls.at[w].def.force)/s->state->walls.at[w].def.mass*s->state->def.step : 0;
}

static law_case case_of(const law_stage *s, size_t i)
{
	const talus_contact *c = &s->contacts->contact[i];
	const bodies *b = &s->state->bodies;
	const wall *w = c->wall == NO_WALL ? NULL : &s->state->walls.at[c->wall];
	talus_solver_body before_a = approach_motion_at_start(s->approach, s->state, c->a), before_b = approach_motion_at_start(s->approach, s->state, c->b);
	double rb = b->radius[c->b], ra = w ? 0 : b->radius[c->a];
	double span = contacts_span(s->state, c);
	vec3 drift = cell_apply(s->state->cell.rate, mul(span, c->n)); // 0 unless the cell deforms
	double still = norm(s->state->def.gravity)*s->state->def.step + kick(s, c->a) + kick(s, c->b);
	double rounding = 1e-12*(norm(before_a.v) + norm(before_b.v));
	return (law_case){.pair = pair_at(s, i), .n = c->n, .gap = c->gap, .dt = s->state->def.step, .curvature_gap = curvature_gap_at(s, i),
	                  .radius_a = ra, .radius_b = rb,
	                  .reduced = w ? rb : ra*rb/(ra + rb), .a = &s->approach->motion[c->a],
	                  .b = &s->approach->motion[c->b], .before = add(coulomb_velocity(c->n, &before_a, &before_b), drift), .centre_distance = span, .drift = drift,
	                  .wall_spin = w && wall_spins(w) ? mul(w->w, w->axis) : vec(0, 0, 0), .still = REST_KICKS*still + rounding};
}

static void extended_laws(void *job, size_t first, size_t last)
{
	const law_stage *s = job;
	contacts *c = s->contacts;
	for (size_t i = first; i < last; i++) {
		law_case at = case_of(s, c->class_end[TALUS_COULOMB] + i);
		talus_extended *extended = &s->rows->extended[i];
		laws_prepare(s->laws, c, c->class_end[TALUS_COULOMB] + i, extended, &s->rows->row[c->class_end[TALUS_COULOMB] + i], &at);
		s->rows->friction[i] = (friction_limits){extended->mu_stick, extended->mu_slide};
	}
}

void contact_dynamics_laws(const law_stage *s)
{
	const contacts *c = s->contacts;
	parallel_for(s->state->team, c->count - c->class_end[TALUS_COULOMB], PARALLEL_BLOCK, basic_laws, (void *)(uintptr_t)s);
	parallel_for(s->state->team, c->count - c->class_end[TALUS_EXTENDED], PARALLEL_BLOCK, full_mass_laws, (void *)(uintptr_t)s);
	parallel_for(s->state->team, c->count - c->class_end[TALUS_COULOMB], PARALLEL_BLOCK, extended_laws, (void *)(uintptr_t)s);
}

static void thaw_some(void *job, size_t first, size_t last)
{
	const contact_rows *rows = ((const law_stage *)job)->rows;
	for (size_t i = first; i < last; i++) {
		rows->extended[i].mu_stick = rows->friction[i].stick;
		rows->extended[i].mu_slide = rows->friction[i].slide;
	}
}

void contact_dynamics_thaw(const law_stage *s)
{
	parallel_for(s->state->team, s->contacts->count - s->contacts->class_end[TALUS_COULOMB], PARALLEL_BLOCK, thaw_some, (void *)(uintptr_t)s);
}

// Of b relative to a at a contact, as the solve has left it.
static vec3 velocity_after(const law_stage *s, const talus_contact *c)
{
	const talus_solver_body *motion = s->approach->motion;
	vec3 u = coulomb_velocity(c->n, &motion[c->a], &motion[c->b]);
	return s->state->cell_deforms ? add(u, cell_apply(s->approach->rate, mul(contacts_span(s->state, c), c->n))) : u;
}

// Also counts bonds: there are, formed in this step.
static void remember_some(void *job, size_t first, size_t last, totals_part *part)
{
	const law_stage *s = job;
	contacts *c = s->contacts;
	for (size_t i = first; i < last; i++) {
		size_t at = c->class_end[TALUS_COULOMB] + i;
		const talus_contact *k = &c->contact[at];
		law_outcome found = {.pair = pair_at(s, at), .n = k->n, .p = c->p[at], .q = c->q[i], .after = velocity_after(s, k), .gap = k->gap,
		                     .dt = s->state->def.step, .mu = s->rows->row[at].mu, .extended = &s->rows->extended[i]};
		uint32_t flags = laws_remember(s->laws, c, at, &found);
		part->count[0] += (flags & CONTACT_BONDED) != 0;
		part->count[1] += (flags & CONTACT_FORMED) != 0;
	}
}

void contact_dynamics_remember(const law_stage *s, talus_step_report *report)
{
	totals all = totals_of(s->state->team, s->contacts->count - s->contacts->class_end[TALUS_COULOMB], 0, remember_some, (void *)(uintptr_t)s);
	report->bonds = all.count[0];
	report->bonds_formed_all += all.count[1];
}

// ---------------------------------------------------------------- new positions

static void turn_orientation(double q[4], vec3 w, double dt)
{
	vec3 h = mul(0.5*dt, w);
	double a = q[0], b = q[1], c = q[2], d = q[3];
	double n[4] = {a - h.x*b - h.y*c - h.z*d, b + h.x*a + h.y*d - h.z*c, c - h.x*d + h.y*a + h.z*b,
	               d + h.x*c - h.y*b + h.z*a};
	double length = sqrt(n[0]*n[0] + n[1]*n[1] + n[2]*n[2] + n[3]*n[3]);
	for (int k = 0; k < 4; k++)
		q[k] = n[k]/length;
}

typedef struct advancing {
	world_state *state;
	const talus_solver_body *line;
	const double (*rate)[3]; // of the cell
	const bearing *bearing;
} advancing;

// Returns what implicit Euler loses on the way, half of F dt times the change of velocity: m (g dt)^2/2 a step in free fall.
static double advance_grain(const advancing *a, size_t i)
{
	world_state *state = a->state;
	bodies *b = &state->bodies;
	const talus_solver_body *line = &a->line[i];
	double dt = state->def.step;
	vec3 gained = sub(line->v, b->v[i]), force = mul_add(b->force[i], b->mass[i], state->def.gravity);
	b->v[i] = line->v;
	if (b->free[i] & TALUS_FREE_SPIN)
		b->spin[i] = mul(1/b->radius[i], line->r_omega);
	vec3 drift = state->cell_deforms ? cell_apply(a->rate, sub(b->x[i], state->cell.origin)) : vec(0, 0, 0);
	b->x[i] = mul_add(b->x[i], dt, add(b->v[i], drift));
	turn_orientation(b->q[i], b->spin[i], dt);
	return 0.5*dt*dot(force, gained);
}

static void advance_walls(world_state *state, const talus_solver_body *line)
{
	for (int w = 0; w < state->walls.count; w++) {
		wall *at = &state->walls.at[w];
		if (wall_is_piston(at))
			at->v = line[w].v;
		wall_end_step(at, state->time, state->def.step);
	}
}

enum { ENERGY, OF_ALL, OF_NETWORK, TOTALS };
enum { ALL, NETWORK };

// What the grains gain, and the accelerations by which rest is judged.
static void advance_grains(void *job, size_t first, size_t last, totals_part *part)
{
	const advancing *a = job;
	world_state *state = a->state;
	const bodies *b = &state->bodies;
	uint8_t least = state->def.dimension == 2 ? 2 : 3;
	for (size_t i = first; i < last; i++) {
		vec3 before = b->v[i];
		part->term[ENERGY][i - first] = advance_grain(a, i);
		if (!b->free[i])
			continue;
		double gained = norm(sub(b->v[i], before));
		part->term[OF_ALL][i - first] = gained;
		part->count[ALL]++;
		if (a->bearing->at[i] >= least) {
			part->term[OF_NETWORK][i - first] = gained;
			part->count[NETWORK]++;
		}
	}
}

bool contact_dynamics_advance(world_state *state, const approach *ahead, const talus_cell_unknowns *flow, const bearing *held,
                              energy_account *energy, double *mean_acceleration)
{
	advancing job = {state, ahead->motion, flow->rate, held};
	totals all = totals_of(state->team, state->bodies.count, TOTALS, advance_grains, &job);
	double gained = all.count[NETWORK] ? all.sum[OF_NETWORK]/(double)all.count[NETWORK]
	                : all.count[ALL]   ? all.sum[OF_ALL]/(double)all.count[ALL]
	                                   : 0;
	*mean_acceleration = gained/state->def.step;
	energy->numerical += all.sum[ENERGY];
	advance_walls(state, ahead->motion + state->bodies.count);
	return state->cell_deforms && cell_drive_advance(state, flow);
}
