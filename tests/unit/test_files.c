// SPDX-License-Identifier: MIT
// The files of a run: what is written comes back bit for bit, what is damaged is refused, what was cut short is cut back.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/random.h"
#include "body.h"
#include "collide/collide.h"
#include "io/files.h"
#include "io/hdf5_tools.h"
#include "loop.h"
#include "progress.h"
#include "world.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// ---------------------------------------------------------------- worlds to write

static talus_world *world_empty(void)
{
	talus_world_def def = talus_world_def_default();
	def.gravity = vec(0, 0, -1);
	def.solver.iterations = 20;
	talus_world *world = talus_world_create(&def);
	int glass = talus_world_add_material(world, "glass", 1);
	talus_world_set_pair(world, &(talus_pair){glass, glass, 0.3});
	talus_wall_def floor = talus_wall_def_default(TALUS_WALL_PLANE);
	snprintf(floor.name, sizeof floor.name, "floor");
	talus_world_add_wall(world, &floor);
	talus_wall_def lid = talus_wall_def_default(TALUS_WALL_PLANE);
	snprintf(lid.name, sizeof lid.name, "lid");
	lid.point = vec(0, 0, 12);
	lid.axis = vec(0, 0, -1);
	lid.mass = 3;
	lid.free = TALUS_FREE_Z;
	talus_world_add_wall(world, &lid);
	talus_pour_def pour = {.count = 12, .rate = 30, .radius = {.kind = TALUS_SIZE_UNIFORM, .a = 0.4, .b = 0.6}};
	pour.in.box = (talus_box){{-4, -4, 6}, {4, 4, 10}};
	talus_world_pour(world, &pour);
	return world;
}

static talus_world *world_with_grains(void)
{
	talus_world *world = world_empty();
	for (int i = 0; i < 40; i++) {
		talus_grain_def grain = talus_grain_def_default();
		grain.radius = 0.5 + 0.001*i;
		grain.at = vec(1.1*(i%4), 1.05*(i/4%4), 0.52 + 1.12*(i/16));
		grain.velocity = vec(0.01*i, -0.02, 0);
		talus_world_add_grain(world, &grain);
	}
	return world;
}

static void steps(talus_world *world, int count)
{
	for (int i = 0; i < count; i++)
		talus_world_step(world);
}

static bool same_bits(const void *a, const void *b, size_t size)
{
	return memcmp(a, b, size) == 0;
}

static void assert_same_state(const talus_world *a, const talus_world *b)
{
	const bodies *p = &a->bodies, *q = &b->bodies;
	assert_int_equal(p->count, q->count);
	assert_int_equal(p->next_id, q->next_id);
	size_t n = p->count;
	assert_true(same_bits(p->x, q->x, n*sizeof *p->x) && same_bits(p->v, q->v, n*sizeof *p->v));
	assert_true(same_bits(p->spin, q->spin, n*sizeof *p->spin) && same_bits(p->force, q->force, n*sizeof *p->force));
	assert_true(same_bits(p->q, q->q, n*sizeof *p->q) && same_bits(p->radius, q->radius, n*sizeof *p->radius));
	assert_true(same_bits(p->mass, q->mass, n*sizeof *p->mass));
	assert_true(same_bits(p->inertia, q->inertia, n*sizeof *p->inertia));
	assert_true(same_bits(p->id, q->id, n*sizeof *p->id) && same_bits(p->image, q->image, n*sizeof *p->image));
	assert_true(same_bits(p->material, q->material, n*sizeof *p->material) && same_bits(p->free, q->free, n));
	assert_true(same_bits(p->x_listed, q->x_listed, n*sizeof *p->x_listed));
	assert_int_equal(a->contacts.count, b->contacts.count);
	assert_int_equal(a->contacts.plain, b->contacts.plain);
	assert_true(same_bits(a->contacts.contact, b->contacts.contact, a->contacts.count*sizeof *a->contacts.contact));
	for (size_t i = 0; i < a->contacts.count; i++) {
		const contact_info *s = &a->contacts.info[i], *t = &b->contacts.info[i];
		assert_true(s->key == t->key && s->gap == t->gap && s->wall == t->wall);
	}
	for (int i = 0; i < a->walls.count; i++) {
		assert_true(same_bits(&a->walls.at[i].shift, &b->walls.at[i].shift, sizeof(vec3)));
		assert_true(same_bits(&a->walls.at[i].v, &b->walls.at[i].v, sizeof(vec3)));
		assert_true(same_bits(&a->walls.at[i].force, &b->walls.at[i].force, sizeof(vec3)));
	}
	assert_int_equal(a->pour[0].poured, b->pour[0].poured);
	assert_int_equal(a->pour[0].draws, b->pour[0].draws);
	assert_int_equal(a->step, b->step);
	assert_true(a->time == b->time && a->list.skin == b->list.skin && a->list.stale == b->list.stale);
	assert_true(a->books.dissipated == b->books.dissipated && a->mean_acceleration == b->mean_acceleration);
	assert_int_equal(a->sorted_at, b->sorted_at);
	assert_int_equal(a->report.updates_all, b->report.updates_all);
	assert_true(talus_world_hash(a) == talus_world_hash(b));
}

// ---------------------------------------------------------------- a folder for each test

static int folder_make(void **state)
{
	char *folder = strdup("/tmp/talus-files-XXXXXX");
	if (!folder || !mkdtemp(folder))
		return -1;
	*state = folder;
	return 0;
}

static int folder_remove(void **state)
{
	char command[256];
	snprintf(command, sizeof command, "rm -rf %s", (char *)*state);
	int code = system(command);
	free(*state);
	return code;
}

static void path_in(char path[TALUS_PATH_MAX], const char *folder, const char *name)
{
	talus_error error;
	assert_true(folder_path(path, folder, name, &error));
}

static char *text_of(const char *folder, const char *name, size_t *size)
{
	char path[TALUS_PATH_MAX];
	path_in(path, folder, name);
	FILE *in = fopen(path, "rb");
	assert_non_null(in);
	fseek(in, 0, SEEK_END);
	*size = (size_t)ftell(in);
	rewind(in);
	char *text = calloc(*size + 1, 1);
	assert_non_null(text);
	assert_int_equal(fread(text, 1, *size, in), *size);
	fclose(in);
	return text;
}

static void text_put(const char *folder, const char *name, const char *text, size_t size)
{
	char path[TALUS_PATH_MAX];
	path_in(path, folder, name);
	FILE *out = fopen(path, "wb");
	assert_non_null(out);
	assert_int_equal(fwrite(text, 1, size, out), size);
	assert_int_equal(fclose(out), 0);
}

// ---------------------------------------------------------------- checkpoint

// A world that is stopped, written, read into a fresh one and stepped on goes through the same states as one that is not.
static void test_checkpoint_goes_on(void **state)
{
	talus_error error;
	double seconds = 0;
	talus_world *a = world_with_grains(), *b = world_empty();
	steps(a, 37);
	assert_true(checkpoint_write(*state, a, 1.5, &error));
	assert_true(checkpoint_read(*state, b, &seconds, &error));
	assert_true(seconds == 1.5);
	assert_same_state(a, b);
	for (int i = 0; i < 60; i++) {
		steps(a, 1);
		steps(b, 1);
		assert_same_state(a, b);
	}
	checkpoint_head head;
	assert_true(checkpoint_look(*state, &head, &error));
	assert_int_equal(head.step, 37);
	talus_world_destroy(a);
	talus_world_destroy(b);
}

static double any_number(uint64_t i)
{
	return ldexp(random_unit(7, i) - 0.5, (int)(random_unit(8, i)*200) - 100);
}

// Any bits at all survive, not only those of sensible states.
static void test_checkpoint_any_bits(void **state)
{
	talus_error error;
	double seconds;
	uint64_t draw = 0;
	talus_world *a = world_with_grains(), *b = world_empty();
	steps(a, 5);
	bodies *g = &a->bodies;
	for (size_t i = 0; i < g->count; i++) {
		double *columns[] = {&g->x[i].x, &g->v[i].y, &g->spin[i].z, &g->force[i].x, &g->q[i][3],
		                     &g->radius[i], &g->mass[i], &g->inertia[i], &g->x_listed[i].y};
		for (size_t k = 0; k < sizeof columns/sizeof columns[0]; k++)
			*columns[k] = any_number(draw++);
		g->image[i][1] = (int32_t)random_bits(9, i);
		g->free[i] = (uint8_t)(random_bits(10, i) & 15);
	}
	g->v[3].x = -0.0;
	g->v[4].x = 5e-324;
	for (size_t i = 0; i < a->contacts.count; i++) {
		a->contacts.contact[i].p = vec(any_number(draw), any_number(draw + 1), any_number(draw + 2));
		draw += 3;
	}
	a->list.stale = true; // no list can be made of such places
	assert_true(checkpoint_write(*state, a, 0, &error));
	assert_true(checkpoint_read(*state, b, &seconds, &error));
	assert_same_state(a, b);
	talus_world_destroy(a);
	talus_world_destroy(b);
}

static bool readable(const char *folder)
{
	talus_error error = {.text = ""};
	double seconds;
	talus_world *b = world_empty();
	bool ok = checkpoint_read(folder, b, &seconds, &error);
	assert_true(ok || strlen(error.text) > 10);
	talus_world_destroy(b);
	return ok;
}

// A file cut anywhere is refused. A file with a wrong byte is refused, unless nobody uses that byte.
static void test_checkpoint_damaged(void **state)
{
	talus_error error;
	size_t size;
	talus_world *a = world_with_grains();
	steps(a, 20);
	assert_true(checkpoint_write(*state, a, 0, &error));
	uint64_t hash = talus_world_hash(a);
	talus_world_destroy(a);
	char *text = text_of(*state, "checkpoint.h5", &size);
	for (size_t cut = 0; cut < size; cut += 1 + size/40) {
		text_put(*state, "checkpoint.h5", text, cut);
		assert_false(readable(*state));
	}
	int refused = 0, tried = 0;
	for (size_t at = 3; at < size; at += 1 + size/150, tried++) {
		double seconds;
		talus_world *b = world_empty();
		text[at] ^= 0x10;
		text_put(*state, "checkpoint.h5", text, size);
		if (!checkpoint_read(*state, b, &seconds, &error))
			refused++;
		else
			assert_true(talus_world_hash(b) == hash);
		text[at] ^= 0x10;
		talus_world_destroy(b);
	}
	assert_true(refused > tried/2);
	text_put(*state, "checkpoint.h5", "step,time\n", 10);
	assert_false(readable(*state));
	free(text);
}

static void test_checkpoint_of_another_scene(void **state)
{
	talus_error error;
	double seconds;
	talus_world *a = world_with_grains(), *b = world_empty();
	b->def.seed++;
	assert_true(checkpoint_write(*state, a, 0, &error));
	assert_false(checkpoint_read(*state, b, &seconds, &error));
	assert_non_null(strstr(error.text, "seed"));
	talus_world_destroy(a);
	talus_world_destroy(b);
}

// ---------------------------------------------------------------- frames

static void assert_frame_is(const frame *f, const talus_world *world)
{
	const bodies *b = &world->bodies;
	assert_int_equal(f->step, world->step);
	assert_true(f->time == world->time);
	assert_int_equal(f->grains, b->count);
	for (size_t i = 0; i < f->grains; i++) {
		size_t k = 0;
		while (b->id[k] != f->id[i])
			k++;
		assert_true(i == 0 || f->id[i] > f->id[i - 1]);
		assert_true(same_bits(f->x[i], &b->x[k], sizeof(vec3)) && same_bits(f->v[i], &b->v[k], sizeof(vec3)));
		assert_true(same_bits(f->q[i], &b->q[k], sizeof f->q[i]) && f->radius[i] == b->radius[k]);
		assert_int_equal(f->material[i], b->material[k]);
	}
	assert_int_equal(f->walls, world->walls.count);
	for (int i = 0; i < f->walls; i++) {
		assert_string_equal(f->wall[i].def.name, world->walls.at[i].def.name);
		assert_int_equal(f->wall[i].def.kind, world->walls.at[i].def.kind);
		assert_true(same_bits(&f->wall[i].def.point, &world->walls.at[i].point, sizeof(vec3)));
		assert_true(same_bits(&f->wall[i].force, &world->walls.at[i].force, sizeof(vec3)));
		assert_true(f->wall[i].def.mass == world->walls.at[i].def.mass);
	}
	size_t k = 0;
	for (size_t i = 0; i < talus_world_contacts(world); i++) {
		talus_contact_state c = talus_world_contact(world, i);
		if (norm(c.force) == 0)
			continue;
		assert_true(f->body[k][0] == c.a && f->body[k][1] == c.b && f->gap[k] == c.gap);
		assert_true(same_bits(f->n[k], &c.n, sizeof(vec3)) && same_bits(f->force[k], &c.force, sizeof(vec3)));
		k++;
	}
	assert_int_equal(f->contacts, k);
}

static void append_frames(const char *folder, talus_world *world, int count)
{
	talus_error error;
	for (int i = 0; i < count; i++) {
		assert_true(frames_append(folder, world, &error));
		assert_true(xdmf_append(folder, &error));
		frame *f = frame_read(folder, (size_t)(world->step/5), &error);
		assert_non_null(f);
		assert_frame_is(f, world);
		frame_free(f);
		steps(world, 5);
	}
}

// Grains are poured while frames are written; every frame comes back as the world was, before and after a cut.
static void test_frames(void **state)
{
	talus_error error;
	size_t count, size, size2;
	talus_world *world = world_with_grains();
	assert_true(frames_create(*state, world, "a test", &error));
	assert_true(xdmf_write(*state, &error));
	assert_true(frames_count(*state, &count, &error) && count == 0);
	append_frames(*state, world, 8);
	assert_true(frames_count(*state, &count, &error) && count == 8);
	assert_true(world->bodies.count > 45);

	char *grown = text_of(*state, "run.xdmf", &size);
	assert_true(xdmf_write(*state, &error));
	char *whole = text_of(*state, "run.xdmf", &size2);
	assert_string_equal(grown, whole);
	free(grown);
	free(whole);

	assert_null(frame_read(*state, 8, &error));
	assert_non_null(strstr(error.text, "no frame 8"));
	assert_true(frames_truncate(*state, 22, &error));
	assert_true(frames_count(*state, &count, &error) && count == 5);
	frame *f = frame_read(*state, 4, &error);
	assert_true(f && f->step == 20);
	frame_free(f);
	talus_world_destroy(world);
	world = world_with_grains();
	steps(world, 25);
	append_frames(*state, world, 2);
	talus_world_destroy(world);
}

// The mark of a killed writer: HDF5 refuses the file, our reader takes the mark off, then HDF5 opens it.
static void test_frames_marked(void **state)
{
	talus_error error;
	char path[TALUS_PATH_MAX], copy[TALUS_PATH_MAX];
	size_t size, count;
	hdf_quiet quiet;
	talus_world *world = world_with_grains();
	path_in(path, *state, "run.h5");
	path_in(copy, *state, "copy.h5");
	assert_true(frames_create(*state, world, "a test", &error) && frames_append(*state, world, &error));
	hid_t file = hdf_file_open(path, H5F_ACC_RDWR | H5F_ACC_SWMR_WRITE);
	char *text = text_of(*state, "run.h5", &size);
	text_put(*state, "copy.h5", text, size); // as a kill would leave it now
	H5Fclose(file);
	assert_false(hdf_file_is_marked(path));
	assert_int_equal(rename(copy, path), 0);
	assert_true(hdf_file_is_marked(path));
	hdf_quiet_begin(&quiet);
	assert_true(H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT) < 0);
	hdf_quiet_end(&quiet);
	assert_true(frames_count(*state, &count, &error) && count == 1);
	assert_false(hdf_file_is_marked(path));
	file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
	assert_true(file >= 0);
	H5Fclose(file);
	free(text);
	talus_world_destroy(world);
}

// ---------------------------------------------------------------- log and summary

static void test_log(void **state)
{
	talus_error error;
	size_t size, cut;
	log_extent extent;
	talus_world *world = world_with_grains();
	assert_true(log_create(*state, world, &error));
	for (int i = 0; i < 6; i++) {
		assert_true(log_append(*state, world, &error));
		steps(world, 4);
	}
	char *text = text_of(*state, "log.csv", &size);
	assert_int_equal(strncmp(text, "step,time,grains,removed,contacts,iterations,residual,", 54), 0);
	assert_non_null(strstr(text, ",wall.lid.tz\n"));
	text_put(*state, "log.csv", text, size - 20); // a row cut short
	assert_true(log_measure(*state, UINT64_MAX, &extent, &error));
	assert_int_equal(extent.rows, 5);
	assert_true(log_truncate(*state, 12, &error));
	char *kept = text_of(*state, "log.csv", &cut);
	assert_true(cut < size && kept[cut - 1] == '\n' && strncmp(text, kept, cut) == 0);
	assert_int_equal(strncmp(strrchr(text, '\n') ? text + cut : "", "16,", 3), 0);
	free(text);
	free(kept);
	talus_world_destroy(world);
}

static void test_summary_is_json(void **state)
{
	talus_error error;
	size_t size;
	talus_world *world = world_with_grains();
	steps(world, 3);
	world->report.residual = NAN;
	run_warning warning = {"code", "a \"quoted\" line\n"};
	assert_true(summary_write(*state, world, "a \\ title", 1, 1, &warning, 1, &error));
	char *text = text_of(*state, "summary.json", &size);
	assert_non_null(strstr(text, "\"residual\": null"));
	assert_non_null(strstr(text, "\"title\": \"a \\\\ title\""));
	assert_non_null(strstr(text, "a \\\"quoted\\\" line\\u000a"));
	assert_null(strstr(text, "nan"));
	free(text);
	talus_world_destroy(world);
}

// ---------------------------------------------------------------- moments and lines

// Output comes once per interval, on the step that completes it, however badly the numbers divide.
static void test_due(void **state)
{
	(void)state;
	static const double lengths[] = {0.01, 0.1, 1.0/3, 0.003}, intervals[] = {0.05, 0.3, 1, 0.007};
	for (int i = 0; i < 4; i++)
		for (int k = 0; k < 4; k++) {
			uint64_t count = 0, steps_all = 100000;
			for (uint64_t s = 1; s <= steps_all; s++)
				count += loop_due(s, lengths[i], intervals[k]);
			double wanted = fmin((double)steps_all, floor((double)steps_all*lengths[i]/intervals[k] + 1e-6));
			assert_true(fabs((double)count - wanted) < 0.5);
		}
	assert_true(loop_due(5, 0.01, 0.05) && !loop_due(4, 0.01, 0.05) && !loop_due(6, 0.01, 0.05));
	assert_true(loop_due(0, 0.01, 0) && !loop_due(1, 0.01, 0));
}

static void test_progress_fits(void **state)
{
	(void)state;
	progress_state s = {.time = 123.456, .end_time = 200, .step_length = 0.01, .step = 12345, .grains = 100000,
	                    .contacts = 312345, .iterations = 1000, .overlap = 1.23e-4, .pace = 12.3};
	char line[512];
	for (int width = 20; width < 200; width++) {
		progress_line(line, sizeof line, &s, width);
		assert_true((int)strlen(line) <= width);
		assert_non_null(strstr(line, "61%"));
	}
	assert_non_null(strstr(line, "overlap 1.2e-04"));
	assert_non_null(strstr(line, "10:22 left"));
	s.end_time = 0;
	progress_line(line, sizeof line, &s, 80);
	assert_non_null(strstr(line, "time 123.5"));
	assert_null(strstr(line, "%"));
}

// Asked by the leak checker: HDF5 keeps some memory of files in which it met a wrong checksum.
const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void)
{
	return "leak:libhdf5";
}

int main(void)
{
	H5dont_atexit(); // HDF5 does not forget files that it found damaged, and complains about them on the way out
#define IN_FOLDER(test) cmocka_unit_test_setup_teardown(test, folder_make, folder_remove)
	const struct CMUnitTest tests[] = {
		IN_FOLDER(test_checkpoint_goes_on),
		IN_FOLDER(test_checkpoint_any_bits),
		IN_FOLDER(test_checkpoint_damaged),
		IN_FOLDER(test_checkpoint_of_another_scene),
		IN_FOLDER(test_frames),
		IN_FOLDER(test_frames_marked),
		IN_FOLDER(test_log),
		IN_FOLDER(test_summary_is_json),
		cmocka_unit_test(test_due),
		cmocka_unit_test(test_progress_fits),
	};
	return cmocka_run_group_tests_name("files of a run", tests, NULL, NULL);
}
