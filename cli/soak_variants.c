// SPDX-License-Identifier: MIT
// A scene in all ways in which it can be computed: registers, threads, stopped and resumed, its text written anew. All of them must
// give the same bits; the first one is watched step by step.
#include "soak.h"
#include "base/memory.h"

#include "base/random.h"
#include "state/cell.h"
#include "io/advice.h"
#include "io/files.h"
#include "io/scene_set.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct way { // to compute a scene
	char name[64];
	const char *folder; // its own
	talus_simd simd;
	int threads;
	int stop; // after so many steps it is stopped and read back; 0: never
	talus_simd simd_then;
	int threads_then;
} way;

typedef struct soaking {
	const soak_scene *scene;
	const char *folder;
	soak_report *report;
	soak_trace first;
	uint64_t draws;
	bool diverges; // it may
} soaking;

// ---------------------------------------------------------------- what is compared

static uint64_t mix(uint64_t hash, const void *data, size_t size)
{
	for (size_t i = 0; i + 8 <= size; i += 8) {
		uint64_t word;
		memcpy(&word, (const char *)data + i, 8);
		hash = random_mix(hash ^ word) + 0x9e3779b97f4a7c15u;
	}
	return hash;
}

static uint64_t contact_hash(const talus_world *world, size_t i)
{
	talus_contact_state c = talus_world_contact(world, i);
	uint64_t hash = mix(random_mix((uint64_t)c.a) ^ (uint64_t)c.b, &c.n, sizeof c.n);
	hash = mix(mix(hash, &c.at, sizeof c.at), &c.gap, sizeof c.gap);
	return mix(mix(hash, &c.force, sizeof c.force), &c.torque, sizeof c.torque) ^ c.bonded;
}

// Contacts with their forces, the books, what the report says, how often grains went round, forces on walls.
static uint64_t detail_hash(const talus_world *world)
{
	uint64_t sum = 0;
	for (size_t i = 0; i < world->contacts.count; i++)
		sum += contact_hash(world, i);
	for (size_t i = 0; i < world->state.bodies.count; i++) {
		const int32_t *n = world->state.bodies.image[i];
		uint64_t image[3] = {(uint64_t)n[0], (uint64_t)n[1], (uint64_t)n[2]};
		sum += mix(world->state.bodies.id[i], image, sizeof image);
	}
	talus_step_report report = world->report;
	report.seconds_solver = 0;
	uint64_t whole[] = {report.step, report.grains, report.removed, report.contacts, (uint64_t)report.iterations, report.missed_contacts,
	                    report.capped_all, report.unfinished_all, report.stagnated_steps, report.paradox_all, report.bonds,
	                    report.bonds_formed_all, report.bounces_reduced, report.iterations_all, report.updates_all};
	double real[] = {report.residual, report.mean_overlap, report.max_overlap, report.worst_overlap, report.error_overlap,
	                 report.error_local, report.error_global, world->mean_acceleration};
	sum = mix(mix(mix(sum, whole, sizeof whole), real, sizeof real), &world->energy, sizeof world->energy);
	for (int k = 0; k < world->state.walls.count; k++) {
		talus_wall_state w = talus_world_wall(world, k);
		sum = mix(mix(mix(sum, &w.position, sizeof w.position), &w.force, sizeof w.force), &w.torque, sizeof w.torque);
	}
	return mix(sum, world->state.cell.h, sizeof world->state.cell.h);
}

static soak_trace trace_create(int steps)
{
	soak_trace t = {.state = calloc((size_t)steps + 1, sizeof *t.state), .detail = calloc((size_t)steps + 1, sizeof *t.detail)};
	if (!t.state || !t.detail)
		memory_lost();
	return t;
}

static void trace_free(soak_trace *t)
{
	free(t->state);
	free(t->detail);
}

static void trace_note(soak_trace *t, const talus_world *world)
{
	t->steps = (int)world->state.step;
	t->state[world->state.step] = talus_world_hash(world);
	t->detail[world->state.step] = detail_hash(world);
}

// ---------------------------------------------------------------- a world to compute with

static bool in(char path[TALUS_PATH_MAX], const char *folder, const char *name)
{
	talus_error error;
	return folder_path(path, folder, name, &error);
}

static void set_up(const soaking *s, talus_world *world, talus_simd simd, int threads)
{
	talus_world_set_simd(world, simd);
	talus_world_set_threads(world, threads);
	world->team_from = 0; // however little there is to do
	if (s->scene->blocks) {
		world->list.blocks_from = 32;
		world->list.block_size = 24;
	}
}

static talus_world *load(const char *path, bool empty, talus_error *error)
{
	scene *s = scene_read_file(path, NULL, 0, error);
	talus_world *world = s ? scene_build(s, empty, error) : NULL;
	scene_free(s);
	return world;
}

// A run has come to its end where `talus run` would end it: the cell is too narrow for its grains, or a number is none.
static bool is_over(const talus_world *world)
{
	for (size_t i = 0; i < world->state.bodies.count; i++)
		if (!finite3(world->state.bodies.x[i]) || !finite3(world->state.bodies.v[i]) || !finite3(world->state.bodies.spin[i]))
			return true;
	return !isfinite(world->report.residual) || (world->state.cell_deforms && state_too_narrow_axis(&world->state) >= 0);
}

// All contacts at once may run away from the answer: then there is nothing to be seen but bits.
static bool may_diverge(const talus_world *world)
{
	return world->state.def.solver.kind == TALUS_SOLVER_NSGS && world->state.def.solver.order == TALUS_ORDER_PARALLEL;
}

static bool log_row(const soaking *s, const way *w, const talus_world *world)
{
	talus_error error;
	int every = s->scene->steps/6 + 1;
	return (int)world->state.step%every != 0 || log_append(w->folder, world, &error);
}

// Stopped, and gone on with from the file.
static talus_world *resumed(const soaking *s, const way *w, talus_world *world)
{
	char path[TALUS_PATH_MAX];
	talus_error error = {0};
	double seconds = 0;
	uint64_t hash = talus_world_hash(world);
	bool written = checkpoint_write(w->folder, world, 1, &error);
	talus_world_destroy(world);
	world = written && in(path, w->folder, "scene.yaml") ? load(path, true, &error) : NULL;
	if (world)
		set_up(s, world, w->simd_then, w->threads_then); // before its list is made again
	if (world && !checkpoint_read(w->folder, world, &seconds, &error)) {
		talus_world_destroy(world);
		world = NULL;
	}
	if (!world)
		soak_found(s->report, SOAK_RESUME, "after step %d: %s", w->stop, error.text);
	else if (talus_world_hash(world) != hash)
		soak_found(s->report, SOAK_BITS, "after step %d: what was read back is not what was written", w->stop);
	return world;
}

// Of many grains not every step is watched: all pairs of them take their time.
static void step(talus_world *world, soak_watch *watch)
{
	if (watch && world->state.bodies.count > 1000 && world->state.step%3 != 1) {
		watch->overlaps = 0;
		watch = NULL;
	}
	if (watch)
		soak_watch_before(watch, world);
	talus_world_step(world);
	if (watch)
		soak_watch_after(watch, world);
}

// False if it could not be set up or read back.
static bool go(const soaking *s, const way *w, soak_trace *t, soak_watch *watch)
{
	char path[TALUS_PATH_MAX];
	talus_error error;
	talus_world *world = in(path, w->folder, "scene.yaml") ? load(path, false, &error) : NULL;
	if (!world) {
		soak_found(s->report, SOAK_ROUND_TRIP, "%s", error.text);
		return false;
	}
	set_up(s, world, w->simd, w->threads);
	bool ok = log_create(w->folder, world, &error) && log_row(s, w, world);
	trace_note(t, world);
	for (int n = 0; n < s->scene->steps && world && !is_over(world); n++) {
		if (w->stop > 0 && n == w->stop)
			world = resumed(s, w, world);
		if (!world)
			return false;
		step(world, s->diverges ? NULL : watch);
		ok = ok && log_row(s, w, world);
		trace_note(t, world);
	}
	talus_world_destroy(world);
	if (!ok)
		soak_found(s->report, SOAK_RESUME, "the log could not be written");
	return ok;
}

// ---------------------------------------------------------------- comparing

static char *file_text(const char *folder, const char *name)
{
	char path[TALUS_PATH_MAX], *text = NULL;
	size_t size = 0, got;
	FILE *in_file = in(path, folder, name) ? fopen(path, "re") : NULL, *out = open_memstream(&text, &size);
	char part[4096];
	while (in_file && out && (got = fread(part, 1, sizeof part, in_file)) > 0)
		fwrite(part, 1, got, out);
	if (in_file)
		fclose(in_file);
	if (out)
		fclose(out);
	return text;
}

static void compare_logs(const soaking *s, const char *a, const char *b)
{
	char *one = file_text(a, "log.csv"), *other = file_text(b, "log.csv");
	if (strcmp(one, other) != 0)
		soak_found(s->report, SOAK_BITS, "states agree, but not the logs");
	if (!s->diverges && (strstr(one, "nan") || strstr(one, "inf")))
		soak_found(s->report, SOAK_FINITE, "the log has something that is no number");
	free(one);
	free(other);
}

bool soak_compare(soak_report *report, const soak_trace *first, const soak_trace *other)
{
	for (int n = 0; n <= other->steps && n <= first->steps; n++) {
		bool state = other->state[n] == first->state[n];
		if (state && other->detail[n] == first->detail[n])
			continue;
		soak_found(report, n == 0 ? SOAK_ROUND_TRIP : SOAK_BITS, "%s from step %d on",
		           state ? "other forces or numbers" : "another state", n);
		return false;
	}
	if (other->steps == first->steps)
		return true;
	soak_found(report, SOAK_BITS, "it ends after %d steps, not %d", other->steps, first->steps);
	return false;
}

// ---------------------------------------------------------------- the text of the scene, in several forms

typedef enum form { AS_IT_IS, WRITTEN_ANEW, WITH_A_CHANGE } form;

static char *written_anew(const char *text)
{
	scene_tree tree;
	talus_error error;
	if (!scene_tree_parse(&tree, text, strlen(text), "scene", &error))
		return NULL;
	char *fresh = scene_emit_block(tree.root);
	scene_tree_free(&tree);
	return fresh;
}

// As `--set` leaves it.
static char *with_a_change(const char *path)
{
	const char *const sets[] = {"title=changed", "output.frames.every=0"};
	talus_error error;
	scene *s = scene_read_file(path, sets, 2, &error);
	char *text = s ? strdup(s->text) : NULL;
	scene_free(s);
	return text;
}

// A folder with the scene in it.
static bool prepare(const soaking *s, const char *folder, form f)
{
	char path[TALUS_PATH_MAX], csv[TALUS_PATH_MAX];
	if (!in(path, folder, "scene.yaml") || !in(csv, folder, "grains.csv"))
		return false;
	mkdir(folder, 0777);
	soak_scene copy = *s->scene;
	if (!soak_scene_save(&copy, path, csv, ""))
		return false;
	if (f == AS_IT_IS)
		return true;
	copy.yaml = f == WRITTEN_ANEW ? written_anew(s->scene->yaml) : with_a_change(path);
	bool ok = copy.yaml && soak_scene_save(&copy, path, csv, "");
	free(copy.yaml);
	return ok;
}

// ---------------------------------------------------------------- all ways

static uint32_t draw(soaking *s, uint32_t n)
{
	return random_below(s->scene->draw, s->draws++, n);
}

static void try_way(soaking *s, way *w, form f)
{
	static const char *const names[] = {"best", "generic", "avx2", "avx512"}, *const forms[] = {"", ", written anew", ", changed by --set"};
	char folder[TALUS_PATH_MAX], first[TALUS_PATH_MAX];
	int length = snprintf(w->name, sizeof w->name, "%s, %d threads%s", names[w->simd], w->threads, forms[f]);
	if (w->stop > 0 && length > 0)
		snprintf(w->name + length, sizeof w->name - (size_t)length, ", resumed at %d", w->stop);
	s->report->variant = w->name;
	if (!in(folder, s->folder, "other") || !in(first, s->folder, "first"))
		return;
	w->folder = folder;
	if (!prepare(s, folder, f)) {
		soak_found(s->report, SOAK_ROUND_TRIP, "the scene could not be written");
		return;
	}
	soak_trace t = trace_create(s->scene->steps);
	if (go(s, w, &t, NULL) && soak_compare(s->report, &s->first, &t))
		compare_logs(s, first, folder);
	trace_free(&t);
}

static talus_simd some_simd(soaking *s, const talus_simd *kinds, int count)
{
	return kinds[draw(s, (uint32_t)count)];
}

static int try_others(soaking *s, const talus_simd *kinds, int count)
{
	int tried = 1, middle = s->scene->steps > 1 ? 1 + (int)draw(s, (uint32_t)s->scene->steps - 1) : 0;
	for (int k = 1; k < count; k++, tried++)
		try_way(s, &(way){.simd = kinds[k], .threads = 1}, AS_IT_IS);
	try_way(s, &(way){.simd = some_simd(s, kinds, count), .threads = 2}, WRITTEN_ANEW);
	try_way(s, &(way){.simd = some_simd(s, kinds, count), .threads = 3}, WITH_A_CHANGE);
	way w = {.simd = some_simd(s, kinds, count), .threads = 1 + (int)draw(s, 2), .stop = middle,
	         .simd_then = some_simd(s, kinds, count), .threads_then = 1 + (int)draw(s, 3)};
	try_way(s, &w, AS_IT_IS);
	return tried + 3;
}

// Returns whether `talus check` would take it; it must not fall over it either.
static bool is_accepted(soaking *s, const char *path, talus_simd kinds[3], int *count)
{
	talus_error error;
	scene *read = scene_read_file(path, NULL, 0, &error);
	talus_world *world = read ? scene_build(read, false, &error) : NULL;
	*count = 0;
	if (!world) {
		fprintf(s->report->out, "refused %s\n", error.text);
	} else {
		advice list[ADVICE_MAX];
		s->diverges = may_diverge(world);
		advice_facts facts = advice_measure(read, world);
		advice_judge(&facts, list);
		for (int k = TALUS_SIMD_GENERIC; k <= TALUS_SIMD_AVX512; k++)
			if (talus_world_set_simd(world, (talus_simd)k))
				kinds[(*count)++] = (talus_simd)k;
	}
	bool accepted = world != NULL;
	talus_world_destroy(world);
	scene_free(read);
	return accepted;
}

void soak_variants(const soak_scene *made, const char *folder, soak_report *report)
{
	char first[TALUS_PATH_MAX], path[TALUS_PATH_MAX];
	soaking s = {.scene = made, .folder = folder, .report = report, .first = trace_create(made->steps)};
	talus_simd kinds[3];
	int count;
	way w = {.simd = TALUS_SIMD_GENERIC, .threads = 1, .folder = first};
	report->variant = "generic, 1 thread";
	if (in(first, folder, "first") && in(path, first, "scene.yaml") && prepare(&s, first, AS_IT_IS) &&
	    is_accepted(&s, path, kinds, &count)) {
		soak_watch watch = {.report = report};
		go(&s, &w, &s.first, &watch);
		soak_watch_free(&watch);
		fprintf(report->out, "accepted %d\n", try_others(&s, kinds, count));
	}
	fflush(report->out);
	trace_free(&s.first);
}
