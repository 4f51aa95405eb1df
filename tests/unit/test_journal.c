// SPDX-License-Identifier: MIT
// The journal of run.h5, and links in the folder of a run, which are never followed.
#include "run_folder.h"

#include "io/journal.h"

#include <sys/stat.h>
#include <unistd.h>

static void append_some(const char *folder, talus_world *world)
{
	talus_error error;
	for (int i = 0; i < 3; i++) {
		steps(world, 5);
		assert_true(frames_append(folder, world, &error));
	}
}

// Three frames, a checkpoint, three more.
static talus_world *run_in(const char *folder, char **before, size_t *size)
{
	talus_error error;
	size_t count;
	talus_world *world = world_with_grains(&plain_law);
	assert_true(frames_create(folder, world, "a test", &error));
	append_some(folder, world);
	assert_true(checkpoint_write(folder, world, 0, &error) && frames_secure(folder, world->state.step, &error));
	*before = text_of(folder, "run.h5", size);
	append_some(folder, world);
	assert_true(frames_count(folder, &count, &error) && count == 6);
	return world;
}

static bool file_is(const char *folder, const char *name, const char *text, size_t size)
{
	size_t now;
	char *found = text_of(folder, name, &now);
	bool same = now == size && memcmp(found, text, size) == 0;
	free(found);
	return same;
}

// Whatever is left of the pages that later frames have changed, the journal brings the checkpoint's file back bit for bit.
static void test_restore(void **state)
{
	talus_error error;
	char *before;
	size_t size, size_later;
	talus_world *world = run_in(*state, &before, &size);
	char *later = text_of(*state, "run.h5", &size_later);
	assert_true(size_later > size && memcmp(before, later, size) != 0);
	memset(later, 0x55, JOURNAL_PAGE); // the worst that may happen to a page
	text_put(*state, "run.h5", later, size_later);
	assert_true(frames_restore(*state, world->state.step - 15, &error));
	assert_true(file_is(*state, "run.h5", before, size));
	assert_false(folder_has(*state, "run.h5.journal"));
	free(before);
	free(later);
	talus_world_destroy(world);
}

// One of another checkpoint does nothing: run.h5 was whole on the disk before that was.
static void test_restore_other(void **state)
{
	talus_error error;
	char *before;
	size_t size, size_later;
	talus_world *world = run_in(*state, &before, &size);
	char *later = text_of(*state, "run.h5", &size_later);
	assert_true(frames_restore(*state, world->state.step, &error));
	assert_true(file_is(*state, "run.h5", later, size_later));
	assert_false(folder_has(*state, "run.h5.journal"));
	free(before);
	free(later);
	talus_world_destroy(world);
}

// A record that was torn is not used, nor are those behind it.
static void test_restore_torn(void **state)
{
	talus_error error;
	char *before;
	size_t size, size_later, length;
	talus_world *world = run_in(*state, &before, &size);
	char *later = text_of(*state, "run.h5", &size_later);
	char *pages = text_of(*state, "run.h5.journal", &length);
	pages[200]++; // in the first page
	text_put(*state, "run.h5.journal", pages, length);
	assert_true(frames_restore(*state, world->state.step - 15, &error));
	assert_true(file_is(*state, "run.h5", later, size)); // only cut
	free(before);
	free(later);
	free(pages);
	talus_world_destroy(world);
}

// Two checkpoints of one step: pages that the first has known are not those of the second.
static void test_restore_second(void **state)
{
	talus_error error;
	char *before;
	size_t size, size_later;
	talus_world *world = run_in(*state, &before, &size);
	char *later = text_of(*state, "run.h5", &size_later);
	char path[TALUS_PATH_MAX];
	path_in(path, *state, "run.h5");
	assert_true(journal_start(path, world->state.step - 15, size)); // as if it had not grown
	assert_true(frames_restore(*state, world->state.step - 15, &error));
	assert_true(file_is(*state, "run.h5", later, size)); // only cut
	free(before);
	free(later);
	talus_world_destroy(world);
}

// A file in which nothing can be found is read as it was at the checkpoint, and is not changed by that.
static void test_read_rolled_back(void **state)
{
	talus_error error;
	char *before;
	size_t size, size_later, count;
	talus_world *world = run_in(*state, &before, &size);
	char *later = text_of(*state, "run.h5", &size_later);
	memset(later, 0, 512);
	text_put(*state, "run.h5", later, size_later);
	assert_true(frames_count(*state, &count, &error) && count == 3);
	frame *f = frame_read(*state, 2, &error);
	assert_true(f && f->step == world->state.step - 15);
	frame_free(f);
	assert_null(frame_read(*state, 3, &error));
	assert_true(file_is(*state, "run.h5", later, size_later));
	free(before);
	free(later);
	talus_world_destroy(world);
}

// ---------------------------------------------------------------- links

static const char precious[] = "do not touch";

static void link_put(const char *folder, const char *name)
{
	char path[TALUS_PATH_MAX];
	path_in(path, folder, name);
	unlink(path);
	assert_int_equal(symlink("precious", path), 0);
}

// What is replaced is replaced, link or not, and so is what lies beside it on the way.
static void test_links_are_replaced(void **state)
{
	static const char *const names[] = {"run.h5.tmp", "run.h5", "checkpoint.h5.tmp", "checkpoint.h5", "log.csv",
	                                    "run.xdmf.tmp", "run.xdmf", "scene.yaml.tmp", "scene.yaml", "summary.json.tmp"};
	talus_error error;
	talus_world *world = world_with_grains(&plain_law);
	text_put(*state, "precious", precious, sizeof precious);
	for (size_t i = 0; i < sizeof names/sizeof names[0]; i++)
		link_put(*state, names[i]);
	assert_true(file_replace(*state, "scene.yaml", "a: 1\n", 5, &error));
	assert_true(log_create(*state, world, &error) && frames_create(*state, world, "a test", &error));
	assert_true(frames_append(*state, world, &error) && xdmf_write(*state, &error));
	link_put(*state, "run.xdmf.tmp");
	assert_true(xdmf_append(*state, &error) && checkpoint_write(*state, world, 0, &error));
	assert_true(summary_write(*state, world, &(run_record){.title = "a test", .threads = 1}, &error));
	assert_true(file_is(*state, "precious", precious, sizeof precious));
	for (size_t i = 0; i < sizeof names/sizeof names[0]; i++) {
		char path[TALUS_PATH_MAX];
		struct stat status;
		path_in(path, *state, names[i]);
		assert_true(lstat(path, &status) != 0 || S_ISREG(status.st_mode));
	}
	talus_world_destroy(world);
}

// What is added to is a file, or it is refused with a sentence.
static void test_links_are_refused(void **state)
{
	talus_error error;
	talus_world *world = world_with_grains(&plain_law);
	text_put(*state, "precious", precious, sizeof precious);
	link_put(*state, "log.csv");
	assert_false(log_append(*state, world, &error));
	assert_non_null(strstr(error.text, "link"));
	assert_false(log_truncate(*state, 0, &error));
	assert_true(frames_create(*state, world, "a test", &error) && frames_append(*state, world, &error));
	link_put(*state, "run.h5.journal");
	assert_false(frames_secure(*state, 0, &error));
	assert_non_null(strstr(error.text, "link"));
	assert_true(file_is(*state, "precious", precious, sizeof precious));

	char path[TALUS_PATH_MAX], moved[TALUS_PATH_MAX];
	size_t size;
	path_in(path, *state, "run.h5");
	path_in(moved, *state, "precious");
	assert_int_equal(rename(path, moved), 0);
	char *whole = text_of(*state, "precious", &size);
	link_put(*state, "run.h5");
	assert_false(frames_append(*state, world, &error));
	assert_non_null(strstr(error.text, "link"));
	assert_true(file_is(*state, "precious", whole, size));
	free(whole);
	talus_world_destroy(world);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		IN_FOLDER(test_restore),          IN_FOLDER(test_restore_other),      IN_FOLDER(test_restore_torn),
		IN_FOLDER(test_restore_second),   IN_FOLDER(test_read_rolled_back),   IN_FOLDER(test_links_are_replaced),
		IN_FOLDER(test_links_are_refused),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
