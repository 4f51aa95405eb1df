// SPDX-License-Identifier: MIT
// The list of observables against the files: each is where its record says, under its name and with its numbers, and nowhere else; and
// they are found by name.
#include "run_folder.h"

#include "observe/observe.h"
#include "observe/walls.h"

#include <math.h>

// ---------------------------------------------------------------- the records

static bool in_dimension(const observable *o, int dimension)
{
	return !o->dimension || o->dimension == dimension;
}

// Names are there once, in the log with their components too; keys of the summary as well.
static void test_records(void **state)
{
	(void)state;
	observable_list all = observables_all();
	assert_true(all.count > 90);
	for (int i = 0; i < all.count; i++) {
		const observable *o = all.at[i];
		assert_true(o->name[0] && o->meaning && o->meaning[0] && o->unit && o->from && o->from->measure);
		assert_true(strlen(o->name) + 3 < TALUS_NAME_MAX && strlen(o->key ? o->key : o->name) < TALUS_NAME_MAX);
		assert_true((o->shape == TALUS_LIST || o->shape == TALUS_LISTS) == (o->length > 0));
		assert_true(!o->log || o->length == 0); // a histogram is no column
		assert_true(!o->frames || (strchr(o->name, '.') == NULL && (o->type != OBSERVABLE_INT || o->shape == TALUS_SCALAR)));
		assert_true(o->offset + observable_count(o)*(o->type == OBSERVABLE_INT ? sizeof(int) : 8) <= o->from->size);
		for (int j = 0; j < i; j++) {
			assert_string_not_equal(o->name, all.at[j]->name);
			if (o->summary && all.at[j]->summary && (in_dimension(o, all.at[j]->dimension) || !all.at[j]->dimension))
				assert_string_not_equal(o->key ? o->key : o->name, all.at[j]->key ? all.at[j]->key : all.at[j]->name);
		}
	}
}

static char *file_text(const char *folder, const char *name)
{
	size_t size;
	return text_of(folder, name, &size);
}

// The order of columns is a promise to whoever reads them by number: new ones come behind these.
static void test_columns_of_the_log(void **state)
{
	static const char promised[] =
		"step,time,grains,removed,contacts,iterations,residual,kinetic_energy,mean_speed,mean_overlap,max_overlap,pressure,"
		"stress_xx,stress_xy,stress_xz,stress_yx,stress_yy,stress_yz,stress_zx,stress_zy,stress_zz,volume_fraction,coordination,"
		"cell_xx,cell_xy,cell_xz,cell_yx,cell_yy,cell_yz,cell_zx,cell_zy,cell_zz,reach,error_overlap,error_local,error_global,"
		"potential_energy,dissipated_energy,wall_work,mean_acceleration,rattlers,late,driven_work,cell_work,added_energy,"
		"dissipated_normal,dissipated_friction,dissipated_rolling,dissipated_torsion,dissipated_bonds,dissipated_numerical,"
		"energy_balance,bonds,bonds_formed,stress_contact_pressure,stress_kinetic_pressure,deviator,fabric_xx,fabric_yy,fabric_zz,"
		"fabric_xy,fabric_xz,fabric_yz,anisotropy,coordination_network,weak_share,weak_pressure_share,pull_share,mobilisation,"
		"sliding_share,temperature,spin_temperature,rate_xx,rate_xy,rate_xz,rate_yx,rate_yy,rate_yz,rate_zx,rate_zy,rate_zz,"
		"imbalance,error_forces,audits,audit_time,force_error,load_error,velocity_error";
	talus_error error;
	talus_world *world = world_with_grains(&plain_law);
	assert_true(log_create(*state, world, &error));
	char *text = file_text(*state, "log.csv");
	assert_memory_equal(text, promised, sizeof promised - 1);
	free(text);
	talus_world_destroy(world);
}

// ---------------------------------------------------------------- the files

// The cell of the last row below a name of the first; NULL if there is no such column.
static const char *cell_below(const char *text, const char *name, double *value)
{
	const char *head = text, *row = strchr(text, '\n') + 1;
	for (size_t length = strlen(name);; head = strchr(head, ',') + 1, row = strchr(row, ',') + 1) {
		if (strncmp(head, name, length) == 0 && (head[length] == ',' || head[length] == '\n')) {
			*value = strtod(row, NULL);
			return row;
		}
		if (!memchr(head, ',', strcspn(head, "\n")))
			return NULL;
	}
}

// What stands behind a key with dots in a JSON text without blanks in keys; NULL if it is not there.
static const char *json_behind(const char *text, const char *path)
{
	char quoted[TALUS_NAME_MAX + 8];
	const char *at = text;
	for (int level = 0; at && *path; level++) {
		size_t length = strcspn(path, ".");
		snprintf(quoted, sizeof quoted, "%s\"%.*s\": ", level ? "" : "\n  ", (int)length, path);
		const char *next = strstr(at, quoted);
		// a key inside of an object stands before the next key of the outermost
		const char *end = level ? strstr(at, "\n  \"") : NULL;
		at = next && (!end || next < end) ? next + strlen(quoted) : NULL;
		path += length + (path[length] == '.');
	}
	return at;
}

static void assert_numbers(const char *at, const double *value, size_t count)
{
	for (size_t k = 0; k < count; k++) {
		at += strspn(at, "[], ");
		char *end;
		double number = strncmp(at, "null", 4) == 0 ? NAN : strtod(at, &end);
		assert_true(number == value[k] || (isnan(number) && isnan(value[k])));
		at = isnan(number) ? at + 4 : end;
	}
}

static void assert_in_log(const observable *o, const double *value, const char *text)
{
	char name[TALUS_NAME_MAX];
	double number = 0;
	for (size_t k = 0; k < observable_count(o); k++) {
		observable_component(o, k, name);
		assert_true((cell_below(text, name, &number) != NULL) == (o->log > 0));
		assert_true(!o->log || number == value[k]);
	}
}

static void assert_in_summary(const observable *o, const double *value, const char *text)
{
	char name[TALUS_NAME_MAX];
	if (o->shape != TALUS_SYMMETRIC) {
		const char *at = json_behind(text, o->key ? o->key : o->name);
		// `iterations` of the log and of the summary are two things
		assert_true((at != NULL) == (o->summary > 0) || strcmp(o->name, "iterations") == 0);
		if (o->summary)
			assert_numbers(at, value, observable_count(o));
		return;
	}
	for (size_t k = 0; k < 6; k++) {
		observable_component(o, k, name);
		assert_numbers(json_behind(text, name), &value[k], 1);
	}
}

static void assert_in_frames(const observable *o, const double *value, hid_t file)
{
	char path[128];
	snprintf(path, sizeof path, "observables/%s", o->name);
	assert_true((H5Lexists(file, path, H5P_DEFAULT) > 0) == (o->frames > 0));
	if (!o->frames)
		return;
	static const size_t matrix[] = {0, 4, 8, 1, 2, 5};
	double number[1000];
	hdf_shape shape;
	hsize_t start[HDF_RANK_MAX] = {0};
	snprintf(path, sizeof path, "observables/%s/value", o->name);
	hid_t set = H5Dopen2(file, path, H5P_DEFAULT);
	assert_true(set >= 0 && hdf_set_shape(set, &shape) && hdf_set_get(set, H5T_NATIVE_DOUBLE, start, shape.size, number));
	for (size_t k = 0; k < observable_count(o); k++)
		assert_true(number[o->shape == TALUS_SYMMETRIC ? matrix[k] : k] == value[k]);
	H5Dclose(set);
}

static void files_write(const char *folder, const talus_world *world)
{
	talus_error error;
	observations seen = observations_of(world);
	assert_true(log_create(folder, world, &error) && log_append_seen(folder, &seen, &error));
	assert_true(frames_create(folder, world, "a test", &error) && frames_append_seen(folder, &seen, &error));
	assert_true(summary_write_seen(folder, &seen, &(run_record){.title = "", .seconds = 1, .threads = 1}, &error));
	observations_free(&seen);
}

static talus_world *world_flat(void)
{
	talus_world_def def = plain_def();
	def.dimension = 2;
	def.gravity = vec(0, -1, 0);
	talus_world *world = talus_world_create(&def);
	talus_world_add_material(world, "glass", 1);
	talus_world_set_pair(world, &plain_law);
	talus_wall_def floor = talus_wall_def_default(TALUS_WALL_PLANE);
	floor.axis = vec(0, 1, 0);
	snprintf(floor.name, sizeof floor.name, "floor");
	talus_world_add_wall(world, &floor);
	for (int i = 0; i < 6; i++) {
		talus_grain_def grain = talus_grain_def_default();
		grain.at = vec(2.1*(i%3) + 0.4*(i/3), 1 + 1.9*(i/3), 0);
		grain.velocity = vec(0.1*i, -0.2, 0);
		talus_world_add_grain(world, &grain);
	}
	return world;
}

// Every record, in every file, in 2D and 3D.
static void test_files_have_what_records_say(void **state)
{
	char path[TALUS_PATH_MAX];
	double value[1000];
	for (int dimension = 2; dimension <= 3; dimension++) {
		talus_world *world = dimension == 2 ? world_flat() : world_with_grains(&plain_law);
		steps(world, 30);
		files_write(*state, world);
		char *log = file_text(*state, "log.csv"), *summary = file_text(*state, "summary.json");
		path_in(path, *state, "run.h5");
		hid_t file = hdf_file_open(path, H5F_ACC_RDONLY);
		observations seen = observations_of(world);
		observable_list all = observables_all();
		int looked = 0;
		for (int i = 0; i < all.count; i++) {
			if (!in_dimension(all.at[i], dimension))
				continue;
			observable_values(all.at[i], &seen, value);
			assert_in_log(all.at[i], value, log);
			assert_in_summary(all.at[i], value, summary);
			assert_in_frames(all.at[i], value, file);
			looked++;
		}
		assert_true(looked > 85);
		observations_free(&seen);
		H5Fclose(file);
		free(log);
		free(summary);
		talus_world_destroy(world);
	}
}

// ---------------------------------------------------------------- once

typedef struct counted {
	size_t calls; // so far, of this measurement
	double twice; // what another one has found, times two
} counted;

static size_t calls;

static void count_measure(observations *seen, void *result)
{
	(void)seen;
	*(double *)result = 21;
	calls++;
}
static const measurement count_measurement = {sizeof(double), count_measure};

static void double_measure(observations *seen, void *result)
{
	*(counted *)result = (counted){calls, 2**(const double *)observations_get(seen, &count_measurement)};
}
static const measurement double_measurement = {sizeof(counted), double_measure};

// However many ask, and whoever asks first.
static void test_measured_once(void **state)
{
	(void)state;
	const observable one = {"one", "", "", .from = &count_measurement};
	const observable twice = {"twice", "", "", OBSERVABLE_AT(double_measurement, counted, twice)};
	for (int first = 0; first < 2; first++) {
		observations seen = observations_of(NULL);
		calls = 0;
		for (int k = 0; k < 4; k++) {
			const observable *o = (k + first)%2 ? &one : &twice;
			assert_true(observable_value(o, &seen, 0) == (o == &one ? 21 : 42));
		}
		assert_int_equal(calls, 1);
		assert_int_equal(seen.count, 2);
		observations_free(&seen);
	}
}

// ---------------------------------------------------------------- by name

static double one_number(const talus_world *world, const char *name)
{
	double value = NAN;
	size_t count = 0;
	talus_error error = {0};
	if (!talus_world_observe(world, name, &value, 1, &count, &error))
		fail_msg("%s: %s", name, error.text);
	assert_int_equal(count, 1);
	return value;
}

static void assert_refused(const talus_world *world, const char *name, size_t room, size_t has, const char *sentence)
{
	double value[16] = {-7};
	size_t count = 99;
	talus_error error = {0};
	assert_false(talus_world_observe(world, name, value, room, &count, &error));
	assert_string_equal(error.text, sentence);
	assert_true(count == has && value[0] == -7);
}

// Names of the log, with their components; tensors whole; walls.
static void test_by_name(void **state)
{
	(void)state;
	talus_world *world = world_flat();
	steps(world, 30);
	uint64_t hash = talus_world_hash(world);
	stress_state stress = observe_stress(world);
	double value[9];
	size_t count;
	assert_true(one_number(world, "pressure") == stress.pressure && stress.pressure > 0);
	assert_true(one_number(world, "stress_xy") == stress.stress[0][1] && stress.stress[0][1] != 0);
	assert_true(one_number(world, "fabric_yy") == observe_fabric(world).fabric[1][1]);
	assert_true(one_number(world, "step") == 30 && one_number(world, "time") == world->state.time);
	assert_true(one_number(world, "iterations") == world->report.iterations);
	assert_true(talus_world_observe(world, "stress", value, 9, &count, NULL) && count == 9);
	assert_memory_equal(value, stress.stress, sizeof value);
	assert_true(one_number(world, "wall.floor.fy") == world->state.walls.at[0].force.y && world->state.walls.at[0].force.y < 0);
	assert_true(talus_world_observe(world, "wall.floor.force", value, 3, NULL, NULL) && value[1] == world->state.walls.at[0].force.y);
	talus_look *look = talus_look_create(world);
	assert_true(talus_look_observe(look, "deviator", value, 1, NULL, NULL) && value[0] == stress.deviator);
	assert_true(talus_look_observe(look, "normal_angles", (double[36]){0}, 36, &count, NULL) && count == 36);
	talus_look_destroy(look);
	talus_look_destroy(NULL);
	assert_true(talus_world_hash(world) == hash);
	talus_world_destroy(world);
}

static void test_wrong_names(void **state)
{
	(void)state;
	talus_world *world = world_flat();
	assert_refused(world, "presure", 1, 0, "there is no observable `presure`; did you mean `pressure`?");
	assert_refused(world, "qqqqqqqqqqqq", 1, 0, "there is no observable `qqqqqqqqqqqq`; `talus doc observables` lists all of them");
	assert_refused(world, "stress_xw", 1, 0, "there is no observable `stress_xw`; did you mean `stress`?");
	assert_refused(world, "stress", 8, 9, "`stress` has 9 numbers, and there is room for 8");
	assert_refused(world, "pressure", 0, 1, "`pressure` has 1 number, and there is room for 0");
	assert_refused(world, "normal_cosines", 16, 0, "`normal_cosines` is there in 3D only");
	assert_refused(world, "wall.roof.fx", 3, 0, "there is no observable `wall.roof.fx`; of its 1 walls this world has position (x, y, z), force (fx, "
	               "fy, fz) and torque (tx, ty, tz), as `wall.NAME.fx`");
	assert_refused(world, "wall.floor.force", 2, 3, "`wall.floor.force` has 3 numbers, and there is room for 2");
	assert_refused(world, NULL, 1, 0, "an observable is that of a world, and has a name");
	assert_refused(NULL, "pressure", 1, 0, "an observable is that of a world, and has a name");
	assert_false(talus_world_observe(world, "pressure", NULL, 1, NULL, NULL));
	talus_world_destroy(world);
}

// The public list is the list.
static void test_public_list(void **state)
{
	(void)state;
	talus_observable o;
	observable_list all = observables_all();
	assert_int_equal(talus_observables(), all.count);
	for (size_t i = 0; talus_observable_at(i, &o); i++) {
		assert_string_equal(o.name, all.at[i]->name);
		assert_true(o.count == observable_count(all.at[i]) && o.in_log == (all.at[i]->log > 0) && o.in_frames == (all.at[i]->frames > 0));
		assert_true(o.in_summary == (all.at[i]->summary > 0) && o.whole == (all.at[i]->type != OBSERVABLE_REAL));
	}
	assert_false(talus_observable_at(talus_observables(), &o) || talus_observable_at(0, NULL));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_records),
		IN_FOLDER(test_columns_of_the_log),
		IN_FOLDER(test_files_have_what_records_say),
		cmocka_unit_test(test_measured_once),
		cmocka_unit_test(test_by_name),
		cmocka_unit_test(test_wrong_names),
		cmocka_unit_test(test_public_list),
	};
	return cmocka_run_group_tests_name("observables", tests, NULL, NULL);
}
