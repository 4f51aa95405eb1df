// SPDX-License-Identifier: MIT
// talus soak must see what it looks for: every checker gets a step that is right, and one that was spoilt on purpose.
#include "unit.h"

#include "soak.h"
#include "state/wall.h"

#include <stdlib.h>
#include <unistd.h>

// ---------------------------------------------------------------- a step and its findings

typedef struct stage {
	talus_world *world;
	soak_report report;
	soak_watch watch;
	char *text;
	size_t size;
} stage;

static void stage_begin(stage *s, talus_world *world)
{
	*s = (stage){.world = world};
	s->report.out = open_memstream(&s->text, &s->size);
}

static void before(stage *s)
{
	s->watch.report = &s->report;
	soak_watch_before(&s->watch, s->world);
}

static int all_findings(const stage *s)
{
	int sum = 0;
	for (int k = 0; k < SOAK_KINDS; k++)
		sum += s->report.count[k];
	return sum;
}

// Looks at the step; it must have found this kind (and perhaps others that follow from it), or nothing at all.
static void assert_found(stage *s, int kind)
{
	soak_watch_after(&s->watch, s->world);
	fflush(s->report.out);
	if (kind < 0 && all_findings(s) > 0)
		fail_msg("nothing is wrong, but: %s", s->text);
	if (kind >= 0 && s->report.count[kind] == 0)
		fail_msg("%s was not found, only: %s", soak_kind_names[kind], s->text);
}

static void stage_end(stage *s)
{
	fclose(s->report.out);
	free(s->text);
	soak_watch_free(&s->watch);
	talus_world_destroy(s->world);
}

// A few disks on a floor, one of them far away.
static talus_world *floor_world(void)
{
	talus_world_def def = unit_def(2);
	def.gravity = vec(0, -1, 0);
	talus_world *world = unit_world(&def, 0.4);
	unit_plane(world, "floor", vec(0, 0, 0), vec(0, 1, 0));
	unit_grain(world, vec(0, 1, 0), 1, vec(0.5, 0, 0));
	unit_grain(world, vec(2.2, 1, 0), 1, vec(-0.5, 0, 0));
	unit_grain(world, vec(1.1, 2.7, 0), 1, vec(0, 0, 0));
	unit_grain(world, vec(30, 1, 0), 1, vec(0, 0, 0));
	for (int n = 0; n < 30; n++)
		talus_world_step(world);
	return world;
}

enum { NOTHING, BOOKS, NUMBER, FORCE, FRICTION, PLACE, GAP, REPORT, SPIN, CASES };

static void spoil(talus_world *world, int what)
{
	const talus_contact *c = world->contacts.contact;
	vec3 *p = world->contacts.p;
	size_t heavy = 0;
	for (size_t i = 0; i < world->contacts.count; i++)
		heavy = norm(p[i]) > norm(p[heavy]) ? i : heavy;
	switch (what) {
	case BOOKS: world->energy.friction += 1e-6; break;
	case NUMBER: world->state.bodies.spin[1].z = NAN; break;
	case FORCE: p[heavy] = mul(1.0001, p[heavy]); break;
	case FRICTION: p[heavy] = add(p[heavy], mul(norm(p[heavy]), vec(c[heavy].n.y, -c[heavy].n.x, 0))); break;
	case PLACE: world->state.bodies.x[unit_row(world, 3)] = add(world->state.bodies.x[unit_row(world, 0)], vec(0, 1.9, 0)); break;
	case GAP: world->contacts.contact[heavy].gap += 1e-6; break;
	case REPORT: world->report.max_overlap = 0; break;
	case SPIN: world->state.bodies.spin[0].z += 1e-6; break;
	default: break;
	}
}

static void test_spoilt_steps(void **state)
{
	(void)state;
	static const int wanted[CASES] = {-1, SOAK_ENERGY, SOAK_FINITE, SOAK_MOMENTUM, SOAK_LAW, SOAK_MISSED, SOAK_CONTACT, -1, SOAK_MOMENTUM};
	for (int what = 0; what < CASES; what++) {
		stage s;
		stage_begin(&s, floor_world());
		before(&s);
		talus_world_step(s.world);
		spoil(s.world, what);
		assert_found(&s, wanted[what]);
		stage_end(&s);
	}
}

// A piston at rest among fast grains: sweeps push it to and fro, which leaves a rounding of their speed, not of its own.
static void test_piston_rounding(void **state)
{
	(void)state;
	for (int wrong = 0; wrong < 2; wrong++) {
		talus_world_def def = unit_def(2);
		stage s;
		stage_begin(&s, unit_world(&def, 0));
		talus_wall_def piston = talus_wall_def_default(TALUS_WALL_PLANE);
		piston.axis = vec(0, 1, 0);
		piston.mass = 2;
		piston.free = TALUS_FREE_Y;
		talus_world_add_wall(s.world, &piston);
		unit_grain(s.world, vec(0, 5, 0), 1, vec(1, 0, 0));
		before(&s);
		talus_world_step(s.world);
		s.world->state.walls.at[0].v.y += wrong ? 1e-12 : 1e-16;
		assert_found(&s, wrong ? SOAK_MOMENTUM : -1);
		stage_end(&s);
	}
}

// Two steps, because a report is about overlaps at the start of its own. The grains overlap from the beginning.
static void test_hidden_overlap(void **state)
{
	(void)state;
	for (int hidden = 0; hidden < 2; hidden++) {
		talus_world_def def = unit_def(3);
		stage s;
		stage_begin(&s, unit_world(&def, 0));
		unit_grain(s.world, vec(0, 0, 0), 1, vec(0, 0, 0));
		unit_grain(s.world, vec(1.9, 0, 0), 1, vec(0, 0, 0));
		for (int n = 0; n < 2; n++) {
			before(&s);
			talus_world_step(s.world);
			if (hidden)
				s.world->report.max_overlap = 0.04;
			assert_found(&s, n && hidden ? SOAK_HIDDEN : -1);
		}
		stage_end(&s);
	}
}

// The rule `error` has promised a hundredth of a diameter.
static void test_loose_step(void **state)
{
	(void)state;
	for (int loose = 0; loose < 2; loose++) {
		talus_world_def def = unit_def(3);
		def.solver.stop = TALUS_STOP_ERROR;
		def.solver.tolerance = 0.01;
		stage s;
		stage_begin(&s, unit_world(&def, 0));
		unit_grain(s.world, vec(0, 0, 0), 1, vec(1, 0, 0));
		unit_grain(s.world, vec(2.005, 0, 0), 1, vec(-1, 0, 0));
		before(&s);
		talus_world_step(s.world);
		if (loose)
			s.world->state.bodies.x[1].x -= 0.05;
		assert_found(&s, loose ? SOAK_LOOSE : -1);
		stage_end(&s);
	}
}

// ---------------------------------------------------------------- walls

static talus_wall_def thin_wall(int kind)
{
	talus_wall_def def = talus_wall_def_default(kind == 0 ? TALUS_WALL_SEGMENT : kind == 1 ? TALUS_WALL_PLANE : TALUS_WALL_CONE);
	snprintf(def.name, sizeof def.name, "thin");
	def.point = vec(0, 0, 0);
	def.to = vec(0, 10, 0);
	def.axis = kind == 1 ? vec(1, 0, 0) : vec(0, 1, 0);
	def.has_hole = kind == 1;
	def.hole_radius = 2;
	def.angle = 45;
	def.from = 1;
	def.last = 10;
	return def;
}

// From one side to the other in a step: through the wall, or where there is none: beyond its end, through its hole.
static void test_tunnels(void **state)
{
	(void)state;
	static const vec3 from[3][2] = {{{-1, 5, 0}, {-1, 12, 0}}, {{-1, 5, 0}, {-1, 0, 0}}, {{0, 5, 0}, {-1, -0.5, 0}}};
	static const vec3 to[3][2] = {{{1, 5, 0}, {1, 12, 0}}, {{1, 5, 0}, {1, 0, 0}}, {{6.5, 5, 0}, {1, -0.5, 0}}};
	for (int kind = 0; kind < 3; kind++)
		for (int beside = 0; beside < 2; beside++) {
			talus_world_def def = unit_def(kind == 0 ? 2 : 3);
			stage s;
			stage_begin(&s, unit_world(&def, 0));
			talus_wall_def wall_def = thin_wall(kind);
			talus_world_add_wall(s.world, &wall_def);
			unit_grain(s.world, from[kind][beside], 0.3, vec(0, 0, 0));
			before(&s);
			talus_world_step(s.world);
			s.world->state.bodies.x[0] = to[kind][beside];
			assert_found(&s, beside ? -1 : SOAK_TUNNEL);
			stage_end(&s);
		}
}

static talus_wall_def any_wall(dice *d, int n)
{
	static const talus_wall_kind kinds[] = {TALUS_WALL_SEGMENT, TALUS_WALL_CYLINDER, TALUS_WALL_CONE, TALUS_WALL_PLANE,
	                                        TALUS_WALL_PLANE, TALUS_WALL_TORUS};
	talus_wall_def def = talus_wall_def_default(kinds[n%6]);
	snprintf(def.name, sizeof def.name, "any");
	def.point = roll_in(d, vec(-1, -1, -1), vec(1, 1, 1));
	def.to = roll_in(d, vec(-1, -1, -1), vec(1, 1, 1));
	if (def.kind == TALUS_WALL_SEGMENT)
		def.point.z = def.to.z = 0;
	def.axis = roll_direction(d, 3);
	def.inside = roll(d, 0, 1) < 0.5;
	def.radius = roll(d, 0.3, 2);
	def.angle = roll(d, 5, 85);
	def.from = roll(d, 0, 1);
	def.last = def.from + roll(d, 0.1, 2);
	def.tube = def.radius*roll(d, 0.1, 0.9);
	def.has_hole = n%6 == 3;
	def.hole_at = def.point;
	def.hole_radius = roll(d, 0.2, 1);
	return def;
}

// The library's own gap at the start of a step: of the nearest of the contacts, which a grain in a hurry has with all it may reach.
static double gap_of_library(int dimension, const talus_wall_def *def, vec3 x, double r)
{
	talus_world_def world_def = unit_def(dimension);
	talus_world *world = unit_world(&world_def, 0);
	talus_world_add_wall(world, def);
	unit_grain(world, x, r, vec(1000, 0, 0));
	talus_world_step(world);
	double least = INFINITY;
	for (size_t k = 0; k < talus_world_contacts(world); k++)
		least = fmin(least, talus_world_contact(world, k).gap);
	talus_world_destroy(world);
	return least;
}

// Two ways to work out the same distance.
static void test_distances(void **state)
{
	(void)state;
	dice d = dice_make(3);
	for (int n = 0; n < 2000; n++) {
		talus_wall_def def = any_wall(&d, n);
		int dimension = def.kind == TALUS_WALL_SEGMENT ? 2 : 3;
		vec3 x = roll_in(&d, vec(-3, -3, -3), vec(3, 3, 3));
		double r = roll(&d, 0.05, 0.5);
		x.z = dimension == 2 ? 0 : x.z;
		wall w;
		wall_init(&w, &def);
		assert_near(soak_wall_distance(&w, dimension, x) - r, gap_of_library(dimension, &def, x, r), 1e-12);
	}
}

// A grain that has come into a wall without a contact, and one whose contact tells another depth.
static void test_depth(void **state)
{
	(void)state;
	for (int what = 0; what < 3; what++) {
		talus_world_def def = unit_def(3);
		stage s;
		stage_begin(&s, unit_world(&def, 0));
		talus_wall_def drum = talus_wall_def_default(TALUS_WALL_CYLINDER);
		drum.radius = 5;
		talus_world_add_wall(s.world, &drum);
		unit_grain(s.world, what == 1 ? vec(0, 0, 0) : vec(4, 0, 0), 1, vec(0.1, 3, 0));
		before(&s);
		talus_world_step(s.world);
		if (what > 0)
			s.world->state.bodies.x[0] = vec(4.05, 0, 0);
		if (what == 2)
			s.world->contacts.contact[0].n = vec(0, -1, 0);
		assert_found(&s, what == 0 ? -1 : what == 1 ? SOAK_MISSED : SOAK_WALL);
		stage_end(&s);
	}
}

// ---------------------------------------------------------------- variants

static void test_compare(void **state)
{
	(void)state;
	uint64_t a[] = {1, 2, 3, 4}, b[] = {1, 2, 3, 4}, c[] = {1, 2, 7, 4}, e[] = {9, 2, 3, 4};
	const soak_trace first = {3, a, a}, same = {3, b, b}, other = {3, c, b}, forces = {3, b, c}, start = {3, e, b}, shorter = {2, b, b};
	const struct {
		const soak_trace *trace;
		int kind;
	} cases[] = {{&same, -1}, {&other, SOAK_BITS}, {&forces, SOAK_BITS}, {&start, SOAK_ROUND_TRIP}, {&shorter, SOAK_BITS}};
	for (size_t i = 0; i < sizeof cases/sizeof cases[0]; i++) {
		stage s;
		stage_begin(&s, NULL);
		assert_int_equal(soak_compare(&s.report, &first, cases[i].trace), cases[i].kind < 0);
		assert_int_equal(all_findings(&s), cases[i].kind < 0 ? 0 : 1);
		assert_true(cases[i].kind < 0 || s.report.count[cases[i].kind] == 1);
		stage_end(&s);
	}
}

// ---------------------------------------------------------------- a process that fails

static void work_well(const soak_scene *made, const char *folder, soak_report *report)
{
	(void)folder;
	fprintf(report->out, "accepted %d\n", made->steps);
}

static void work_finding(const soak_scene *made, const char *folder, soak_report *report)
{
	soak_found(report, SOAK_ENERGY, "a sentence");
	work_well(made, folder, report);
}

static void work_refused(const soak_scene *made, const char *folder, soak_report *report)
{
	(void)made, (void)folder;
	fprintf(report->out, "refused a sentence\n");
}

static void work_abort(const soak_scene *made, const char *folder, soak_report *report)
{
	(void)made, (void)folder, (void)report;
	fprintf(stderr, "last words\n");
	abort();
}

static void work_exit(const soak_scene *made, const char *folder, soak_report *report)
{
	(void)made, (void)folder, (void)report;
	_exit(3);
}

static void work_silent(const soak_scene *made, const char *folder, soak_report *report)
{
	(void)made, (void)folder, (void)report;
}

static void work_for_ever(const soak_scene *made, const char *folder, soak_report *report)
{
	(void)made, (void)folder, (void)report;
	for (volatile int n = 0;; n = !n)
		continue;
}

static void test_child(void **state)
{
	(void)state;
	soak_scene made = {.steps = 7};
	const struct {
		void (*work)(const soak_scene *, const char *, soak_report *);
		int kind;
		const char *word;
	} cases[] = {{work_well, -1, ""}, {work_finding, SOAK_ENERGY, "a sentence"}, {work_refused, SOAK_REFUSED, "a sentence"},
		{work_abort, SOAK_CRASH, "last words"}, {work_exit, SOAK_CRASH, "3"}, {work_silent, SOAK_CRASH, ""}, {work_for_ever, SOAK_HANG, ""}};
	for (size_t i = 0; i < sizeof cases/sizeof cases[0]; i++) {
		soak_result r = soak_child_with(cases[i].work, &made, ".", 0);
		for (int k = 0; k < SOAK_KINDS; k++)
			assert_int_equal(r.count[k], k == cases[i].kind ? 1 : 0);
		assert_non_null(strstr(r.text, cases[i].word));
		assert_int_equal(r.accepted, cases[i].kind != SOAK_REFUSED);
		free(r.text);
	}
}

// ---------------------------------------------------------------- scenes

static void test_scenes(void **state)
{
	(void)state;
	for (uint64_t n = 0; n < 50; n++) {
		soak_scene a = soak_scene_make(5, n), b = soak_scene_make(5, n), c = soak_scene_make(5, n + 1), e = soak_scene_make(6, n);
		assert_string_equal(a.yaml, b.yaml);
		assert_string_equal(a.csv, b.csv);
		assert_true(a.steps == b.steps && a.blocks == b.blocks && a.draw == b.draw);
		assert_string_not_equal(a.yaml, c.yaml);
		assert_string_not_equal(a.yaml, e.yaml);
		soak_scene_free(&a), soak_scene_free(&b), soak_scene_free(&c), soak_scene_free(&e);
	}
}

// Whatever a scene can have comes up sooner or later.
static void test_everything_comes(void **state)
{
	(void)state;
	static const char *const words[] = {"dimension: 2", "dimension: 3", "bath:", "semi-implicit", "drive:", "rate:", "stress:", "plane:",
		"hole:", "side: inside", "side: outside", "cone:", "segment:", "velocity:", "spin:", "oscillate:", "mass:", "weight: false",
		"static:", "tangential:", "yield:", "rolling:", "torsion:", "cohesion:", "arrangement: random", "arrangement: lattice",
		"arrangement: dense", "pour:", "fixed: true", "free: [", "file:", "overlaps: allowed", "domain:", "accelerated:", "auto:",
		"order: shuffled", "order: random,", "order: sequential", "order: random_sequential", "order: parallel", "relaxation:",
		"iterations:", "residual:", "error:", "local:", "global:", "gap: signed", "sieve:", "lognormal:", "normal:", "uniform:",
		"constant:", "sphere:", "in: {cylinder:"};
	bool seen[sizeof words/sizeof words[0]] = {false};
	for (uint64_t n = 0; n < 400; n++) {
		soak_scene made = soak_scene_make(1, n);
		for (size_t k = 0; k < sizeof words/sizeof words[0]; k++)
			seen[k] |= strstr(made.yaml, words[k]) != NULL;
		soak_scene_free(&made);
	}
	for (size_t k = 0; k < sizeof words/sizeof words[0]; k++)
		if (!seen[k])
			fail_msg("none of 400 scenes has %s", words[k]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_spoilt_steps), cmocka_unit_test(test_hidden_overlap), cmocka_unit_test(test_loose_step),
		cmocka_unit_test(test_tunnels),      cmocka_unit_test(test_distances),      cmocka_unit_test(test_depth),
		cmocka_unit_test(test_compare),      cmocka_unit_test(test_child),          cmocka_unit_test(test_scenes),
		cmocka_unit_test(test_everything_comes), cmocka_unit_test(test_piston_rounding),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
