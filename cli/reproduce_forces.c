// SPDX-License-Identifier: MIT
// Which forces does a packing carry? The same grains at rest, started from many random guesses: without friction the forces
// that come out are the same, with friction they are not (Unger, Kertesz and Wolf 2005).
#include "reproduce.h"
#include "base/memory.h"

#include "base/random.h"
#include "cli.h"
#include "io/files.h"
#include "method/contact_dynamics.h"
#include "world.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FRICTIONS = 8 };

// Sums over the guesses, contact by contact.
typedef struct spread {
	size_t contacts;
	int guesses;
	vec3 *sum;
	double *square;
	double residual; // worst
} spread;

// Every contact gets a push of up to twice the mean one, and within its cone a random force along itself.
static void guess(talus_world *world, uint64_t number)
{
	uint64_t stream = random_stream(number, RANDOM_FILL, 0, 0), counter = 0;
	contacts *c = &world->contacts;
	double mean = 0;
	for (size_t i = 0; i < c->count; i++)
		mean += fmax(dot(c->p[i], c->contact[i].n), 0)/(double)c->count;
	for (size_t i = 0; i < c->count; i++) {
		vec3 n = c->contact[i].n, t = {-n.y, n.x, 0};
		double push = 2*mean*random_unit(stream, counter++), along = 2*random_unit(stream, counter++) - 1;
		c->p[i] = add(mul(push, n), mul(contact_dynamics_of(world)->rows.row[i].mu*along*push, t));
	}
}

static void spread_take(spread *s, const talus_world *world)
{
	const contacts *c = &world->contacts;
	if (!s->sum) {
		s->contacts = c->count;
		s->sum = calloc(c->count + 1, sizeof *s->sum);
		s->square = calloc(c->count + 1, sizeof *s->square);
		if (!s->sum || !s->square)
			memory_lost();
	}
	for (size_t i = 0; i < c->count && i < s->contacts; i++) {
		s->sum[i] = add(s->sum[i], c->p[i]);
		s->square[i] += dot(c->p[i], c->p[i]);
	}
	s->residual = fmax(s->residual, world->report.residual);
	s->guesses++;
}

// Departure of forces from their mean over the guesses, over the mean, both as root mean squares over the contacts.
static double spread_of(const spread *s)
{
	double departure = 0, force = 0;
	for (size_t i = 0; i < s->contacts; i++) {
		double mean = norm(s->sum[i])/s->guesses;
		departure += fmax(s->square[i]/s->guesses - mean*mean, 0);
		force += mean*mean;
	}
	return sqrt(departure/force);
}

static void stop_all(talus_world *world)
{
	for (size_t i = 0; i < world->state.bodies.count; i++)
		world->state.bodies.v[i] = world->state.bodies.spin[i] = vec(0, 0, 0);
	memset(world->state.cell.rate, 0, sizeof world->state.cell.rate);
}

// Forces of the packing in a folder from one guess; false after a sentence.
static bool forces_from(const char *folder, talus_solver_kind kind, uint64_t number, spread *s)
{
	char path[TALUS_PATH_MAX];
	talus_error error;
	double seconds;
	scene *read = folder_path(path, folder, "scene.yaml", &error) ? scene_read_file(path, NULL, 0, &error) : NULL;
	talus_world *world = read ? scene_build(read, true, &error) : NULL;
	bool ok = world && checkpoint_read(folder, world, &seconds, &error);
	if (ok) {
		world->state.def.solver.kind = kind;
		world->state.def.solver.stop = TALUS_STOP_RESIDUAL;
		world->state.def.solver.tolerance = 1e-12;
		world->state.def.solver.max_iterations = 100000;
		stop_all(world);
		guess(world, number);
		talus_world_step(world);
		spread_take(s, world);
	} else {
		cli_error(&error, EXIT_FAILED);
	}
	talus_world_destroy(world);
	scene_free(read);
	return ok;
}

static int spread_find(const series *runs, size_t row, talus_solver_kind kind, int guesses, spread *s)
{
	char folder[TALUS_PATH_MAX];
	*s = (spread){0};
	if (!series_folder(runs, row, folder))
		return cli_wrong("%s: the path is too long", runs->folder);
	for (int i = 0; i < guesses; i++)
		if (!forces_from(folder, kind, (uint64_t)i + 1, s))
			return EXIT_FAILED;
	return EXIT_DONE;
}

static const struct {
	talus_solver_kind kind;
	const char *name;
} ways[] = {{TALUS_SOLVER_NSGS, "plain sweeps"}, {TALUS_SOLVER_ACCELERATED, "momentum"}};
enum { WAYS = sizeof ways/sizeof ways[0] };

static int spreads(reproduction *r, const series *runs, int way, double value[FRICTIONS])
{
	double worst = 0;
	int code = EXIT_DONE;
	for (size_t k = 0; k < runs->table->rows && code == EXIT_DONE; k++) {
		spread s;
		code = spread_find(runs, k, ways[way].kind, r->quick ? 4 : 20, &s);
		value[k] = spread_of(&s);
		worst = fmax(worst, s.residual);
		free(s.sum);
		free(s.square);
	}
	found_between(r, worst, 0, 1e-9, "residual of the forces found, worst, %s", ways[way].name);
	return code;
}

static void spreads_tell(reproduction *r, const series *runs, int way, const double value[FRICTIONS], figure *f)
{
	int dots = figure_dots(f, ways[way].name);
	for (size_t k = 0; k < runs->table->rows; k++) {
		double mu = csv_at(runs->table, k, 1);
		if (mu == 0)
			found_between(r, value[k], 0, 1e-5, "spread of forces without friction, %s", ways[way].name);
		else if (mu == 0.3)
			found_between(r, value[k], 0.02, 1, "spread of forces with friction 0.3, %s", ways[way].name);
		else
			found(r, value[k], "spread of forces with friction %g, %s", mu, ways[way].name);
		if (mu > 0)
			figure_point(f, dots, mu, value[k]);
	}
}

static int indeterminacy_work(reproduction *r)
{
	double value[FRICTIONS] = {0};
	series runs;
	int code = series_run(&runs, r, &(series_wish){.name = "packings", .scene = reproduce_isostatic_scene,
	                      .sweeps = {r->quick ? "contacts.0.friction=0,0.3" : "contacts.0.friction=0,0.001,0.003,0.01,0.03,0.1,0.3,1"},
	                      .sets = {"method.contact_dynamics.step=0.02", "solver={nsgs: {stop: {iterations: 200}}}", "run.until.rest=1e-9",
	                               "grains.0.fill.count=100", "cell.size=[36, 36]", "grains.0.fill.in.box=[[0, 0], [36, 36]]"}});
	if (code != EXIT_DONE)
		return code;
	figure f = figure_make("friction", "spread of forces over their size");
	f.options.log_x = f.options.log_y = true;
	for (int way = 0; way < WAYS && code == EXIT_DONE; way++) {
		code = spreads(r, &runs, way, value);
		if (code == EXIT_DONE)
			spreads_tell(r, &runs, way, value, &f);
	}
	series_free(&runs);
	if (code != EXIT_DONE)
		return code;
	return found_figure(r, &f, "spread.png", "Forces in one and the same packing from random first guesses: how much they differ");
}

const experiment indeterminacy_experiment = {"indeterminacy",
	"forces of one packing from many first guesses (Unger, Kertesz and Wolf 2005)", indeterminacy_work,
	"forces without friction are unique; 0.02 was chosen here, well below what friction makes"};
