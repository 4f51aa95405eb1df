// SPDX-License-Identifier: MIT
// Frames have the numbers of the log and the summary beside the grains: the same bits, also after a cut.
#include "run_folder.h"

#include "io/frames.h"
#include "observe/observe.h"

// ---------------------------------------------------------------- reading

// What frame k has under a name, `count` numbers; also looks whether step and time stand beside it.
static void observed(const char *folder, const char *name, size_t k, size_t count, double *value)
{
	char path[TALUS_PATH_MAX], array[128];
	path_in(path, folder, "run.h5");
	hid_t file = hdf_file_open(path, H5F_ACC_RDONLY);
	hdf_shape shape;
	hsize_t start[HDF_RANK_MAX] = {k}, frames = 0, rows = 0;
	snprintf(array, sizeof array, "observables/%s/step", name);
	assert_true(hdf_table_rows(file, array, &frames) && frames > k);
	snprintf(array, sizeof array, "observables/%s/time", name);
	assert_true(hdf_table_rows(file, array, &rows) && rows == frames);
	snprintf(array, sizeof array, "observables/%s/value", name);
	hid_t set = H5Dopen2(file, array, H5P_DEFAULT);
	assert_true(set >= 0 && hdf_set_shape(set, &shape));
	assert_int_equal(shape.size[0], frames);
	shape.size[0] = 1;
	assert_int_equal(count, (shape.rank > 1 ? shape.size[1] : 1)*(shape.rank > 2 ? shape.size[2] : 1));
	assert_true(hdf_set_get(set, H5T_NATIVE_DOUBLE, start, shape.size, value));
	H5Fclose(file);
}

static double number_observed(const char *folder, const char *name, size_t k)
{
	double value;
	observed(folder, name, k, 1, &value);
	return value;
}

static void assert_counts(const char *folder, const char *name, size_t k, const size_t *wanted, size_t count)
{
	double value[100], sum = 0;
	observed(folder, name, k, count, value);
	for (size_t i = 0; i < count; i++, sum += value[i - 1])
		assert_true(value[i] == (double)wanted[i]);
	assert_true(k == 0 || sum > 0);
}

// All numbers of frames that the log or the summary has as well.
static void assert_scalars(const char *folder, size_t k, const talus_world *world)
{
	observations seen = observations_of(world);
	observable_list list = observables_in(OBSERVABLE_FRAMES, world->state.def.dimension);
	int found = 0;
	for (int i = 0; i < list.count; i++)
		if (list.at[i]->shape == TALUS_SCALAR && ++found)
			assert_true(number_observed(folder, list.at[i]->name, k) == observable_value(list.at[i], &seen, 0));
	assert_true(found >= 24);
	observations_free(&seen);
}

// The same, found by who measures them; and tensors and histograms.
static void assert_observed(const char *folder, size_t k, const talus_world *world)
{
	double matrix[3][3];
	stress_state stress = observe_stress(world);
	fabric_state fabric = observe_fabric(world);
	assert_scalars(folder, k, world);
	const struct {
		const char *name;
		double value;
	} wanted[] = {{"pressure", stress.pressure},
	              {"volume_fraction", stress.volume_fraction},
	              {"coordination", observe_structure(world).coordination},
	              {"rattlers", (double)observe_structure(world).rattlers},
	              {"rattlers_network", (double)observe_network(world).rattlers},
	              {"mean_force", observe_forces(world).mean},
	              {"max_force", observe_forces(world).largest},
	              {"kinetic_energy", account_grains(&world->state).kinetic},
	              {"mean_overlap", world->report.mean_overlap},
	              {"max_overlap", world->report.max_overlap},
	              {"imbalance", observe_imbalance(world)}};
	for (size_t i = 0; i < sizeof wanted/sizeof *wanted; i++)
		assert_true(number_observed(folder, wanted[i].name, k) == wanted[i].value);
	const struct {
		const char *name;
		const void *value;
	} tensors[] = {{"stress", stress.stress},
	               {"stress_contact", stress.contact},
	               {"stress_kinetic", stress.kinetic},
	               {"fabric", fabric.fabric},
	               {"rate", world->state.cell.rate}};
	for (size_t i = 0; i < sizeof tensors/sizeof *tensors; i++) {
		observed(folder, tensors[i].name, k, 9, matrix[0]);
		assert_true(same_bits(matrix, tensors[i].value, sizeof matrix));
	}
	force_histogram forces = observe_force_histogram(world);
	assert_counts(folder, "forces", k, forces.count, FORCE_BINS + 1);
	double g[RADIAL_BINS];
	radial_state radial = observe_radial_around(world, 200);
	observed(folder, "radial", k, RADIAL_BINS, g);
	assert_true(same_bits(g, radial.g, sizeof g) && number_observed(folder, "radial_range", k) == radial.range);
	normals_state normals = observe_normals(world);
	size_t flat[3*NORMAL_COSINES];
	for (int i = 0; i < 3*NORMAL_COSINES; i++)
		flat[i] = normals.count[i/NORMAL_COSINES][i%NORMAL_COSINES];
	if (world->state.def.dimension == 2)
		assert_counts(folder, "normal_angles", k, normals.count[0], NORMAL_ANGLES);
	else
		assert_counts(folder, "normal_cosines", k, flat, 3*NORMAL_COSINES);
}

// A cell that is squeezed and sheared: all numbers about it are there, and differ.
static talus_world *world_squeezed(int dimension)
{
	talus_world_def def = plain_def();
	def.dimension = dimension;
	def.solver.iterations = 20;
	def.cell.size = vec(4.5, 4.5, dimension == 3 ? 4.5 : 0);
	for (int i = 0; i < dimension; i++) {
		def.cell.periodic[i] = true;
		def.cell.drive[i][i] = TALUS_DRIVE_STRESS;
		def.cell.wanted[i][i] = 1 + 0.1*i;
	}
	def.cell.drive[0][1] = TALUS_DRIVE_RATE;
	def.cell.wanted[0][1] = 0.25;
	def.cell.inertia = 1;
	talus_world *world = talus_world_create(&def);
	talus_world_add_material(world, "glass", 1);
	talus_world_set_pair(world, &plain_law);
	for (int i = 0; i < (dimension == 3 ? 64 : 16); i++) {
		talus_grain_def grain = talus_grain_def_default();
		grain.radius = 0.5 + 0.003*(i%5);
		grain.at = vec(0.55 + 1.1*(i%4), 0.55 + 1.1*(i/4%4), dimension == 3 ? 0.55 + 1.1*(i/16) : 0);
		talus_world_add_grain(world, &grain);
	}
	return world;
}

// Written, cut back and written again, every frame has the numbers of its state to the last bit.
static void test_frames_observables(void **state)
{
	talus_error error;
	for (int dimension = 2; dimension <= 3; dimension++) {
		talus_world *world = world_squeezed(dimension);
		assert_true(frames_create(*state, world, "a test", &error));
		for (size_t k = 0; k < 5; k++, steps(world, 40)) {
			assert_true(frames_append(*state, world, &error));
			assert_observed(*state, k, world);
		}
		talus_world_destroy(world);
		assert_true(frames_truncate(*state, 90, &error)); // three are kept, as they were
		world = world_squeezed(dimension);
		for (size_t k = 0; k < 5; k++, steps(world, 40)) {
			if (k >= 3)
				assert_true(frames_append(*state, world, &error));
			assert_observed(*state, k, world);
		}
		assert_true(observe_imbalance(world) > 0 && world->state.cell.rate[0][1] != world->state.cell.rate[1][0]);
		talus_world_destroy(world);
	}
}

static bool kept(const char *name, bool some)
{
	return some && (strcmp(name, "pressure") == 0 || strcmp(name, "fabric") == 0);
}

// A run of a version that wrote none, or fewer, goes on with what it has; cutting it back changes nothing about that.
static void without_observables(void **state, bool some)
{
	talus_error error;
	size_t count;
	char path[TALUS_PATH_MAX], group[128];
	observable_list there;
	talus_world *world = world_squeezed(3);
	assert_true(frames_create(*state, world, "a test", &error) && frames_append(*state, world, &error));
	assert_true(frames_observables(*state, &there, &error) && there.count == observables_in(OBSERVABLE_FRAMES, 3).count);
	path_in(path, *state, "run.h5");
	hid_t file = hdf_file_open(path, H5F_ACC_RDWR);
	for (int i = 0; i < there.count; i++) {
		snprintf(group, sizeof group, "observables/%s", there.at[i]->name);
		assert_true(kept(there.at[i]->name, some) || H5Ldelete(file, group, H5P_DEFAULT) >= 0);
	}
	assert_true(H5Ldelete(file, "contacts/bonded", H5P_DEFAULT) >= 0); // that came even later
	H5Fclose(file);
	for (int i = 0; i < 3; i++) {
		steps(world, 40);
		assert_true(frames_append(*state, world, &error));
	}
	assert_true(frames_count(*state, &count, &error) && count == 4);
	frame *last = frame_read(*state, 1, &error);
	assert_true(last && last->contacts > 0);
	frame_free(last);
	assert_true(frames_truncate(*state, 50, &error));
	assert_true(frames_count(*state, &count, &error) && count == 2);
	assert_true(frames_append(*state, world, &error));
	assert_true(frames_count(*state, &count, &error) && count == 3);
	assert_true(frames_observables(*state, &there, &error));
	assert_int_equal(there.count, some ? 2 : 0);
	if (some)
		assert_true(number_observed(*state, "pressure", 2) == observe_stress(world).pressure);
	talus_world_destroy(world);
}

static void test_frames_without_observables(void **state)
{
	without_observables(state, false);
}

static void test_frames_with_fewer_observables(void **state)
{
	without_observables(state, true);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		IN_FOLDER(test_frames_observables),
		IN_FOLDER(test_frames_without_observables),
		IN_FOLDER(test_frames_with_fewer_observables),
	};
	return cmocka_run_group_tests_name("observables in frames", tests, NULL, NULL);
}
