// SPDX-License-Identifier: MIT
// The end of a run: a short table on the terminal.
#include "result.h"

#include "message.h"
#include "observe/observe.h"
#include "progress.h"
#include "run/accuracy.h"
#include "world.h"

#include <stdarg.h>
#include <stdio.h>

static void line(const char *name, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void line(const char *name, const char *format, ...)
{
	va_list list;
	va_start(list, format);
	printf("  %-16s ", name);
	vprintf(format, list);
	putchar('\n');
	va_end(list);
}

static void files_print(const char *folder)
{
	printf("\nFiles in %s: scene.yaml, run.h5 (run.xdmf for ParaView), log.csv, checkpoint.h5, summary.json\n", folder);
	printf("Next: talus render %s --forces    talus plot %s kinetic_energy    talus info %s\n", folder, folder, folder);
}

void result_print(const talus_world *world, const char *title, const char *folder, double seconds)
{
	structure_state structure = observe_structure(world);
	stress_state stress = observe_stress(world);
	accuracy right = accuracy_of(world);
	char took[32], how_right[512];
	accuracy_tell(&right, how_right, sizeof how_right);
	progress_duration(took, sizeof took, seconds);
	message_text(stdout, title[0] ? title : folder);
	puts(": done");
	line("time", "%.6g in %llu steps", world->state.time, (unsigned long long)world->state.step);
	if (world->removed)
		line("grains", "%zu (%zu left the domain)", world->state.bodies.count, world->removed);
	else
		line("grains", "%zu (%zu rattler%s)", world->state.bodies.count, structure.rattlers, structure.rattlers == 1 ? "" : "s");
	line("contacts", "%zu that carry a force", structure.bearing);
	line("coordination", "%.3f", structure.coordination);
	line("volume fraction", "%.4f", stress.volume_fraction);
	line("mean overlap", "%.3g mean diameters", world->report.mean_overlap);
	line("kinetic energy", "%.4g", account_grains(&world->state).kinetic);
	line("accuracy", "%s", how_right);
	if (seconds < 10)
		snprintf(took, sizeof took, "%.2f s", seconds);
	if (world->shared)
		line("took", "%s; %d threads in %llu steps", took, talus_world_threads(world), (unsigned long long)world->shared);
	else
		line("took", "%s, on one thread", took);
	files_print(folder);
}
