// SPDX-License-Identifier: MIT
// The scenes of the benchmarks: YAML files that `talus run` reads too, and tilings of their grains.
#include "bench.h"

#include "base/error.h"
#include "io/files.h"
#include "io/scene.h"
#include "io/scene_tables.h"
#include "world.h"

#include <string.h>
#include <unistd.h>

const bench_scene bench_scenes[] = {
	{"spheres-1000", "settled, in a box", "spheres-1000", true, 10, {0}, 0, {0}},
	{"spheres-10000", "settled, in a box", "spheres-10000", true, 10, {0}, 0, {0}},
	{"spheres-100000", "ten times spheres-10000 side by side", "spheres-10000", true, 3, {10, 1}, 49,
	 {"walls.right.plane.point=[490, 0, 0]"}},
	{"spheres-1000000", "a tiling of 10 by 10 times spheres-10000", "spheres-10000", false, 3, {10, 10}, 49,
	 {"walls.right.plane.point=[490, 0, 0]", "walls.back.plane.point=[0, 490, 0]"}},
	{"disks-1000", "2D, settled, in a box", "disks-1000", true, 10, {0}, 0, {0}},
	{"disks-10000", "2D, settled, in a box", "disks-10000", true, 10, {0}, 0, {0}},
	{"disks-100000", "2D, ten times disks-10000 side by side", "disks-10000", false, 3, {10, 1}, 490,
	 {"walls.right.plane.point=[4900, 0]"}},
	{"lattice-spheres-1000", "a loose lattice collapses", "lattice-spheres-1000", false, 300, {0}, 0, {0}},
	{"lattice-spheres-8000", "a loose lattice collapses", "lattice-spheres-8000", false, 300, {0}, 0, {0}},
	{"lattice-disks-1000", "2D, a loose lattice collapses", "lattice-disks-1000", false, 300, {0}, 0, {0}},
	{"lattice-disks-10000", "2D, a loose lattice collapses", "lattice-disks-10000", false, 300, {0}, 0, {0}},
	{"chute", "8000 spheres flow down a rough slope, periodic", "chute", false, 10, {0}, 0, {0}},
	{"drum", "5000 spheres in a rotating drum", "drum", false, 10, {0}, 0, {0}},
};
const int bench_scene_count = sizeof bench_scenes/sizeof bench_scenes[0];

const bench_scene *bench_scene_find(const char *name)
{
	for (int i = 0; i < bench_scene_count; i++)
		if (strcmp(bench_scenes[i].name, name) == 0)
			return &bench_scenes[i];
	return NULL;
}

// `below` the folder in which the program lies, if there are scenes.
static bool beside_program(char folder[TALUS_PATH_MAX], const char *below)
{
	char program[TALUS_PATH_MAX];
	ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
	if (length <= 0)
		return false;
	program[length] = 0;
	char *slash = strrchr(program, '/');
	if (slash)
		*slash = 0;
	return snprintf(folder, TALUS_PATH_MAX, "%s/%s", program, below) < TALUS_PATH_MAX && folder_has(folder, "scenes");
}

bool bench_folder_find(char folder[TALUS_PATH_MAX], const char *wanted, talus_error *error)
{
	if (!wanted && (beside_program(folder, TALUS_SHARE "/bench") || beside_program(folder, "bench")))
		return true;
	if (snprintf(folder, TALUS_PATH_MAX, "%s", wanted ? wanted : "bench") >= TALUS_PATH_MAX)
		return error_set(error, "bench: the path of the folder is too long");
	return folder_has(folder, "scenes") ||
	       error_set(error, "bench: there is no folder %s/scenes; --folder DIR says where the scenes are: share/talus/bench "
	                 "of an installation, or bench of the source", folder);
}

// ---------------------------------------------------------------- a world

static void add_tile(talus_world *world, size_t count, vec3 shift)
{
	for (size_t i = 0; i < count; i++) {
		const bodies *b = &world->state.bodies;
		talus_world_add_grain(world, &(talus_grain_def){
			.at = add(b->x[i], shift), .radius = b->radius[i], .material = b->material[i],
			.velocity = b->v[i], .spin = b->spin[i], .force = b->force[i], .free = b->free[i]});
	}
}

static void add_tiles(talus_world *world, const bench_scene *bench)
{
	size_t count = talus_world_grains(world).count;
	for (int j = 0; j < bench->tiles[1]; j++)
		for (int i = 0; i < bench->tiles[0]; i++)
			if (i > 0 || j > 0)
				add_tile(world, count, vec(i*bench->tile, j*bench->tile, 0));
}

static const char momentum[] = "momentum"; // no order of a scene: the sweeps of `accelerated`, as many

// The scene of the file, with what is set for it.
static talus_world *file_build(const bench_scene *bench, const char *folder, const char *order,
                               talus_error *error)
{
	char path[TALUS_PATH_MAX], set_order[TALUS_NAME_MAX + 32];
	const char *sets[BENCH_SETS_MOST];
	int count = 0;
	for (size_t i = 0; i < sizeof bench->sets/sizeof bench->sets[0] && bench->sets[i]; i++)
		sets[count++] = bench->sets[i];
	bool by_momentum = order && !strcmp(order, momentum);
	if (order && !by_momentum) {
		snprintf(set_order, sizeof set_order, "solver.nsgs.order=%.*s", TALUS_NAME_MAX, order);
		sets[count++] = set_order;
	}
	if (snprintf(path, sizeof path, "%s/scenes/%s.yaml", folder, bench->file) >= (int)sizeof path) {
		error_set(error, "bench: the path of the folder is too long");
		return NULL;
	}
	scene *s = scene_read_file(path, sets, count, error);
	talus_world *world = s ? scene_build(s, false, error) : NULL;
	scene_free(s);
	if (world && by_momentum)
		world->state.def.solver.kind = TALUS_SOLVER_ACCELERATED;
	return world;
}

bool bench_scene_judge(const bench_scene *bench, const char *folder, const char *order, talus_error *error)
{
	talus_world *world = file_build(bench, folder, order, error);
	talus_world_destroy(world);
	return world != NULL;
}

talus_world *bench_scene_build(const bench_scene *bench, const char *folder, const char *order,
                               talus_error *error)
{
	talus_world *world = file_build(bench, folder, order, error);
	if (world)
		add_tiles(world, bench);
	return world;
}

// ---------------------------------------------------------------- its order

static const talus_field *field_of(const talus_field *table, const char *name)
{
	while (table->name && strcmp(table->name, name) != 0)
		table++;
	return table->name ? table : NULL;
}

// As it is written in a scene: the field table has the names in the order of the enum.
const char *bench_order_name(const talus_world *world)
{
	if (world->state.def.solver.kind != TALUS_SOLVER_NSGS)
		return momentum;
	const talus_field *nsgs = field_of(scene_solver_fields, "nsgs");
	const talus_field *order = nsgs ? field_of(nsgs->table, "order") : NULL;
	return order ? order->names[world->state.def.solver.order] : "";
}
