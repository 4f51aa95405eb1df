// SPDX-License-Identifier: MIT
// The files of a run: what is written comes back bit for bit, what was cut short is cut back.
#include "run_folder.h"

#include "run/due.h"
#include "observe/observe.h"
#include "progress.h"
#include "method/contact_dynamics.h"

// ---------------------------------------------------------------- frames

static void assert_frame_is(const frame *f, const talus_world *world)
{
	const bodies *b = &world->state.bodies;
	assert_int_equal(f->step, world->state.step);
	assert_true(f->time == world->state.time);
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
	assert_int_equal(f->walls, world->state.walls.count);
	for (int i = 0; i < f->walls; i++) {
		assert_string_equal(f->wall[i].def.name, world->state.walls.at[i].def.name);
		assert_int_equal(f->wall[i].def.kind, world->state.walls.at[i].def.kind);
		assert_true(same_bits(&f->wall[i].def.point, &world->state.walls.at[i].point, sizeof(vec3)));
		assert_true(same_bits(&f->wall[i].force, &world->state.walls.at[i].force, sizeof(vec3)));
		assert_true(f->wall[i].def.mass == world->state.walls.at[i].def.mass);
	}
	size_t k = 0;
	for (size_t i = 0; i < talus_world_contacts(world); i++) {
		talus_contact_state c = talus_world_contact(world, i);
		if (norm(c.force) == 0 && norm(c.torque) == 0 && !c.bonded)
			continue;
		assert_true(f->body[k][0] == c.a && f->body[k][1] == c.b && f->gap[k] == c.gap);
		assert_true(same_bits(f->n[k], &c.n, sizeof(vec3)) && same_bits(f->force[k], &c.force, sizeof(vec3)));
		assert_true(same_bits(f->torque[k], &c.torque, sizeof(vec3)) && f->bonded[k] == c.bonded);
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
		frame *f = frame_read(folder, (size_t)(world->state.step/5), &error);
		assert_non_null(f);
		assert_frame_is(f, world);
		frame_free(f);
		steps(world, 5);
	}
}

// Bytes that an array of run.h5 takes.
static size_t room_of(const char *folder, const char *array)
{
	char path[TALUS_PATH_MAX];
	path_in(path, folder, "run.h5");
	hid_t file = hdf_file_open(path, H5F_ACC_RDONLY), set = H5Dopen2(file, array, H5P_DEFAULT);
	assert_true(set >= 0);
	size_t room = (size_t)H5Dget_storage_size(set);
	H5Fclose(file);
	return room;
}

static void frames_of(const char *folder, const talus_pair *law)
{
	talus_error error;
	size_t count, size, size2;
	talus_world *world = world_with_grains(law);
	assert_true(frames_create(folder, world, "a test", &error));
	assert_true(xdmf_write(folder, &error));
	assert_true(frames_count(folder, &count, &error) && count == 0);
	append_frames(folder, world, 8);
	assert_true(frames_count(folder, &count, &error) && count == 8);
	assert_true(world->state.bodies.count > 45);

	char *grown = text_of(folder, "run.xdmf", &size);
	assert_true(xdmf_write(folder, &error));
	char *whole = text_of(folder, "run.xdmf", &size2);
	assert_string_equal(grown, whole);
	free(grown);
	free(whole);

	assert_null(frame_read(folder, 8, &error));
	assert_non_null(strstr(error.text, "no frame 8"));
	assert_true(frames_truncate(folder, 22, &error));
	assert_true(frames_count(folder, &count, &error) && count == 5);
	talus_world_destroy(world);
	world = world_with_grains(law);
	for (size_t k = 0; k < 5; k++, steps(world, 5)) { // what was kept is as it was
		frame *f = frame_read(folder, k, &error);
		assert_non_null(f);
		assert_frame_is(f, world);
		frame_free(f);
	}
	append_frames(folder, world, 2);
	talus_world_destroy(world);
}

// Grains are poured while frames are written; every frame comes back as the world was, before and after a cut.
static void test_frames(void **state)
{
	frames_of(*state, &plain_law);
	assert_int_equal(room_of(*state, "contacts/torque"), 0); // arrays of zeros take no room
	assert_int_equal(room_of(*state, "contacts/bonded"), 0);
	assert_true(room_of(*state, "contacts/force") > 0);
	frames_of(*state, &extended_law);
	assert_true(room_of(*state, "contacts/torque") > 0 && room_of(*state, "contacts/bonded") > 0);
}

// Options of the file stay when it is cut.
static void test_frames_options(void **state)
{
	talus_error error;
	size_t plain[2], count;
	for (int small = 0; small <= 1; small++) {
		talus_world *world = world_with_grains(&plain_law);
		assert_true(frames_create_with(*state, world, "", &(frame_options){small, small}, &error));
		for (int i = 0; i < 4; i++, steps(world, 10))
			assert_true(frames_append(*state, world, &error));
		assert_true(frames_truncate(*state, 25, &error) && frames_append(*state, world, &error));
		assert_true(frames_count(*state, &count, &error) && count == 4);
		frame *f = frame_read(*state, 3, &error);
		assert_non_null(f);
		assert_true(f->no_contacts == small && (f->contacts == 0) == small && f->grains == world->state.bodies.count);
		assert_true(f->cell[0][0] == 1 && f->cell[0][1] == 0 && !f->periodic[0]);
		frame_free(f);
		plain[small] = room_of(*state, "particles/grains/orientation/value");
		talus_world_destroy(world);
	}
	assert_true(plain[1] < plain[0]);
}

// What pulls, what only holds sideways, what only turns and a bond without any force are contacts like those that push.
static void test_frames_kinds_of_contacts(void **state)
{
	talus_error error;
	talus_world *world = world_with_grains(&extended_law);
	steps(world, 12);
	contacts *c = &world->contacts;
	assert_true(c->class_end[TALUS_COULOMB] == 0 && c->count > 5);
	for (size_t i = 0; i < c->count; i++) {
		c->p[i] = c->q[i] = vec(0, 0, 0);
		c->contact[i].flags = 0;
	}
	vec3 n = c->contact[1].n, across = unit(cross(n, fabs(n.x) < 0.5 ? vec(1, 0, 0) : vec(0, 1, 0)));
	c->p[0] = mul(-2, c->contact[0].n);
	c->p[1] = across;
	c->q[2] = vec(0, 0, 3);
	c->contact[3].flags = CONTACT_BONDED | CONTACT_SLID;
	assert_true(frames_create(*state, world, "a test", &error) && frames_append(*state, world, &error));
	frame *f = frame_read(*state, 0, &error);
	assert_non_null(f);
	assert_int_equal(f->contacts, 4);
	assert_frame_is(f, world);
	assert_true(fabs(f->torque[2][2] - 3/world->state.def.step) < 1e-9 && f->force[2][2] == 0);
	assert_true(f->bonded[3] == 1 && f->bonded[0] == 0);
	frame_free(f);
	talus_world_destroy(world);
}

// Frames of a version that knew no bonds can still be looked at.
static void test_frames_without_bonds(void **state)
{
	talus_error error;
	char path[TALUS_PATH_MAX];
	talus_world *world = world_with_grains(&plain_law);
	steps(world, 10);
	assert_true(frames_create(*state, world, "a test", &error) && frames_append(*state, world, &error));
	path_in(path, *state, "run.h5");
	hid_t file = hdf_file_open(path, H5F_ACC_RDWR);
	assert_true(H5Ldelete(file, "contacts/bonded", H5P_DEFAULT) >= 0);
	H5Fclose(file);
	frame *f = frame_read(*state, 0, &error);
	assert_non_null(f);
	assert_frame_is(f, world);
	frame_free(f);
	talus_world_destroy(world);
}

static bool plain_hdf5_opens(const char *path)
{
	hdf_quiet quiet;
	hdf_quiet_begin(&quiet);
	hid_t file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
	hdf_quiet_end(&quiet);
	return file >= 0 && H5Fclose(file) >= 0;
}

// The mark of a writer of an earlier version that was killed: HDF5 refuses the file, our readers see through the mark and
// leave it where it is, and going on takes it off.
static void test_frames_marked(void **state)
{
	talus_error error;
	char path[TALUS_PATH_MAX], copy[TALUS_PATH_MAX];
	size_t size, count, size_after;
	talus_world *world = world_with_grains(&plain_law);
	path_in(path, *state, "run.h5");
	path_in(copy, *state, "copy.h5");
	assert_true(frames_create(*state, world, "a test", &error) && frames_append(*state, world, &error));
	hid_t file = hdf_file_open(path, H5F_ACC_RDWR | H5F_ACC_SWMR_WRITE);
	char *text = text_of(*state, "run.h5", &size);
	text_put(*state, "copy.h5", text, size); // as a kill would leave it now
	H5Fclose(file);
	assert_false(hdf_file_is_marked(path));
	assert_int_equal(rename(copy, path), 0);
	assert_true(hdf_file_is_marked(path) && !plain_hdf5_opens(path));
	assert_true(frames_count(*state, &count, &error) && count == 1);
	char *after = text_of(*state, "run.h5", &size_after);
	assert_true(size_after == size && memcmp(text, after, size) == 0);
	assert_true(frames_truncate(*state, world->state.step, &error));
	assert_true(!hdf_file_is_marked(path) && plain_hdf5_opens(path));
	assert_true(frames_count(*state, &count, &error) && count == 1);
	free(text);
	free(after);
	talus_world_destroy(world);
}

// ---------------------------------------------------------------- log and summary

static void test_log(void **state)
{
	talus_error error;
	size_t size, cut;
	log_extent extent;
	talus_world *world = world_with_grains(&plain_law);
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

// Numbers that cannot be mistaken for each other.
static void world_mark(talus_world *world)
{
	world->energy = (energy_account){.wall_work = 1, .driven_work = 2, .cell_work = 0.5, .added = 4, .normal = 8, .friction = 16, .rolling = 32,
	                       .torsion = 64, .bonds = 128, .numerical = 256};
	world->report.bonds = 7;
	world->report.bonds_formed_all = 70;
	world->report.bounces_reduced = 700;
	contact_dynamics_of(world)->audit.count = 3;
	contact_dynamics_of(world)->audit.last = 2;
}

// The number of a column in the last row of the log.
static double last_of(const char *text, const char *name)
{
	const char *row = text, *at = text;
	for (const char *next = text; (next = strchr(next, '\n')) && next[1]; next++)
		row = next + 1;
	size_t length = strlen(name);
	for (; strncmp(at, name, length) != 0 || (at[length] != ',' && at[length] != '\n'); at++) {
		at += strcspn(at, ",\n");
		row += strcspn(row, ",\n") + 1;
		if (*at != ',')
			fail_msg("the log has no column %s", name);
	}
	return strtod(row, NULL);
}

// Every part of the energy has a column of its own, and their sums are right.
static void test_log_of_energies(void **state)
{
	talus_error error;
	size_t size;
	talus_world *world = world_with_grains(&extended_law);
	steps(world, 3);
	world_mark(world);
	assert_true(log_create(*state, world, &error) && log_append(*state, world, &error));
	char *text = text_of(*state, "log.csv", &size);
	static const struct {
		const char *name;
		double value;
	} wanted[] = {{"wall_work", 1},           {"driven_work", 2}, {"cell_work", 0.5},         {"added_energy", 4},
	              {"dissipated_normal", 8},   {"dissipated_friction", 16}, {"dissipated_rolling", 32},
	              {"dissipated_torsion", 64}, {"dissipated_bonds", 128},  {"dissipated_numerical", 256},
	              {"dissipated_energy", 504}, {"bonds", 7},               {"bonds_formed", 70}};
	for (size_t i = 0; i < sizeof wanted/sizeof *wanted; i++)
		assert_true(last_of(text, wanted[i].name) == wanted[i].value);
	double kinetic = last_of(text, "kinetic_energy"), potential = last_of(text, "potential_energy");
	assert_true(kinetic > 0 && potential > 0);
	assert_true(fabs(last_of(text, "energy_balance") - (kinetic + potential + 504 - 7.5)) < 1e-9);
	assert_non_null(strstr(text, ",bonds,bonds_formed,stress_contact_pressure,"));
	assert_non_null(strstr(text, ",temperature,spin_temperature,rate_xx,rate_xy,rate_xz,rate_yx,"));
	assert_non_null(strstr(text, ",rate_zz,imbalance,error_forces,audits,audit_time,force_error,load_error,velocity_error,"));
	assert_non_null(strstr(text, ",wall.floor.x,wall.floor.y,wall.floor.z,wall.floor.fx,wall.floor.fy,wall.floor.fz,wall.floor.tx,wall.floor.ty,wall.floor.tz,"));
	assert_true(last_of(text, "audits") == 3 && last_of(text, "audit_time") == 2*world->state.def.step);
	assert_true(last_of(text, "temperature") == observe_temperature(world).motion);
	assert_true(last_of(text, "fabric_zz") == observe_fabric(world).fabric[2][2]);
	free(text);
	talus_world_destroy(world);
}

// A cell that follows a pressure grows and shrinks alike in all directions: one rate, three times.
static void test_log_of_a_cell(void **state)
{
	talus_error error;
	size_t size;
	talus_world_def def = plain_def();
	def.cell = (talus_cell_def){.size = {6, 6, 6}, .periodic = {true, true, true}};
	def.cell.bath = true;
	def.cell.pressure = 2;
	def.cell.inertia = 1;
	talus_world *world = talus_world_create(&def);
	talus_world_add_material(world, "glass", 1);
	talus_world_set_pair(world, &plain_law);
	talus_grain_def grain = talus_grain_def_default();
	grain.radius = 1;
	talus_world_add_grain(world, &grain);
	steps(world, 3);
	assert_true(log_create(*state, world, &error) && log_append(*state, world, &error));
	char *text = text_of(*state, "log.csv", &size);
	double rate = last_of(text, "rate_xx");
	assert_true(rate < 0 && rate == world->state.cell.rate[0][0]);
	assert_true(last_of(text, "rate_yy") == rate && last_of(text, "rate_zz") == rate && last_of(text, "rate_xy") == 0);
	assert_true(last_of(text, "imbalance") == 1); // nothing inside carries it
	free(text);
	for (int k = 0; k < 9; k++)
		world->state.cell.rate[k/3][k%3] = k + 1;
	assert_true(log_append(*state, world, &error) && summary_write(*state, world, &(run_record){.title = "", .seconds = 1, .threads = 1}, &error));
	text = text_of(*state, "log.csv", &size);
	assert_true(last_of(text, "rate_xy") == 2 && last_of(text, "rate_yx") == 4 && last_of(text, "rate_zz") == 9);
	free(text);
	text = text_of(*state, "summary.json", &size);
	assert_non_null(strstr(text, "\n  \"rate\": [[1, 2, 3], [4, 5, 6], [7, 8, 9]],\n  \"imbalance\": 1,\n"));
	free(text);
	talus_world_destroy(world);
}

static void test_summary_of_energies(void **state)
{
	talus_error error;
	size_t size;
	talus_world *world = world_with_grains(&extended_law);
	steps(world, 3);
	world_mark(world);
	assert_true(summary_write(*state, world, &(run_record){.title = "books", .seconds = 1, .threads = 1}, &error));
	char *text = text_of(*state, "summary.json", &size);
	assert_non_null(strstr(text, "\n  \"dissipated_energy\": 504,\n"));
	assert_non_null(strstr(text, "\n  \"dissipated\": {\"normal\": 8, \"friction\": 16, \"rolling\": 32, "
	                             "\"torsion\": 64, \"bonds\": 128, \"numerical\": 256},\n"));
	assert_non_null(strstr(text, "\n  \"wall_work\": 1,\n  \"driven_work\": 2,\n  \"cell_work\": 0.5,\n  \"added_energy\": 4,\n"));
	assert_non_null(strstr(text, "\n  \"spin_temperature\": "));
	assert_non_null(strstr(text, "\n  \"distributions\": {\n    \"forces\": {\"bins\": 50, \"range\": [0, 5], \"mean\": "));
	assert_non_null(strstr(text, "\n    \"normals\": {\"bins\": "));
	assert_non_null(strstr(text, "\n    \"radial\": {\"bins\": 100, "));
	assert_non_null(strstr(text, "\n    \"homogeneity\": {\"boxes\": "));
	assert_non_null(strstr(text, "\n  \"bonds\": 7,\n  \"bonds_formed\": 70,\n  \"bounces_softened\": 700,\n"));
	free(text);
	talus_world_destroy(world);
}

static void test_summary_is_json(void **state)
{
	talus_error error;
	size_t size;
	talus_world *world = world_with_grains(&plain_law);
	steps(world, 3);
	world->report.residual = NAN;
	run_warning warning = {"code", "a \"quoted\" line\n"};
	assert_true(summary_write(*state, world, &(run_record){.title = "a \\ title", .seconds = 1, .threads = 1, .warnings = &warning, .warning_count = 1}, &error));
	char *text = text_of(*state, "summary.json", &size);
	assert_non_null(strstr(text, "\"residual\": null"));
	assert_non_null(strstr(text, "\"title\": \"a \\\\ title\""));
	assert_non_null(strstr(text, "a \\\"quoted\\\" line\\u000a"));
	assert_null(strstr(text, "nan"));
	free(text);
	talus_world_destroy(world);
}

// ---------------------------------------------------------------- a scene that was changed

static void change(talus_world *world, int what)
{
	switch (what) {
	case 0: break;
	case 1: world->state.def.gravity.x = 1e-9; break;
	case 2: world->state.def.solver.iterations++; break;
	case 3: world->state.def.cell.pressure = 1; break;
	case 4: world->state.def.domain.high.z = 7; break;
	case 5: world->state.material[0].density *= 2; break;
	case 6: world->state.pair[0].range *= 2; break;
	case 7: world->state.walls.at[1].def.weightless = true; break;
	case 8: world->state.walls.at[1].def.name[0] = 'k'; break;
	default: world->pours.at[0].def.in.box.high.z += 1; break;
	}
}

// A checkpoint goes with the scene that it came from, and with no other.
static void test_checkpoint_of_changed_scene(void **state)
{
	static const char *const wanted[] = {"",         "`gravity`",   "`solver`",   "`cell`",  "`domain`",
	                                     "`materials`", "`contacts`", "`walls`", "`walls`", "`grains: pour`"};
	talus_error error;
	double seconds;
	talus_world *world = world_with_grains(&extended_law);
	steps(world, 7);
	assert_true(checkpoint_write(*state, world, 0, &error));
	talus_world_destroy(world);
	for (int what = 0; what < 10; what++) {
		world = world_empty(&extended_law);
		change(world, what);
		bool fits = checkpoint_read(*state, world, &seconds, &error);
		assert_true(fits == (what == 0));
		assert_true(fits || strstr(error.text, wanted[what]));
		talus_world_destroy(world);
	}
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
				count += due_at(s, lengths[i], intervals[k]);
			double wanted = fmin((double)steps_all, floor((double)steps_all*lengths[i]/intervals[k] + 1e-6));
			assert_true(fabs((double)count - wanted) < 0.5);
		}
	assert_true(due_at(5, 0.01, 0.05) && !due_at(4, 0.01, 0.05) && !due_at(6, 0.01, 0.05));
	assert_true(due_at(0, 0.01, 0) && !due_at(1, 0.01, 0));
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

int main(void)
{
	const struct CMUnitTest tests[] = {
		IN_FOLDER(test_frames),
		IN_FOLDER(test_frames_options),
		IN_FOLDER(test_frames_kinds_of_contacts),
		IN_FOLDER(test_frames_without_bonds),
		IN_FOLDER(test_frames_marked),
		IN_FOLDER(test_log),
		IN_FOLDER(test_log_of_energies),
		IN_FOLDER(test_log_of_a_cell),
		IN_FOLDER(test_summary_of_energies),
		IN_FOLDER(test_summary_is_json),
		IN_FOLDER(test_checkpoint_of_changed_scene),
		cmocka_unit_test(test_due),
		cmocka_unit_test(test_progress_fits),
	};
	return cmocka_run_group_tests_name("files of a run", tests, NULL, NULL);
}
