// SPDX-License-Identifier: MIT
// log.csv: one row of numbers every now and then. A row is one write to the end of the file.
#include "io/files.h"

#include "base/error.h"
#include "base/memory.h"
#include "observe/observe.h"
#include "world.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char axes[] = "xyz";

// ---------------------------------------------------------------- rows as text

static void header_print(FILE *out, const talus_world *world)
{
	fputs("step,time,grains,removed,contacts,iterations,residual,kinetic_energy,mean_speed,mean_overlap,max_overlap,"
	      "pressure", out);
	for (int k = 0; k < 9; k++)
		fprintf(out, ",stress_%c%c", axes[k/3], axes[k%3]);
	fputs(",volume_fraction,coordination", out);
	for (int k = 0; k < 9; k++)
		fprintf(out, ",cell_%c%c", axes[k/3], axes[k%3]);
	fputs(",reach,error_overlap,error_local,error_global", out);
	fputs(",potential_energy,dissipated_energy,wall_work,mean_acceleration,rattlers,late", out);
	fputs(",driven_work,cell_work,added_energy,dissipated_normal,dissipated_friction,dissipated_rolling,dissipated_torsion,"
	      "dissipated_bonds,dissipated_numerical,energy_balance,bonds,bonds_formed", out);
	for (int i = 0; i < PACKING_NUMBERS; i++)
		fprintf(out, ",%s", packing_names[i]);
	for (int k = 0; k < 9; k++)
		fprintf(out, ",rate_%c%c", axes[k/3], axes[k%3]);
	fputs(",imbalance", out);
	static const char *const parts[] = {"x", "y", "z", "fx", "fy", "fz", "tx", "ty", "tz"};
	for (int i = 0; i < world->walls.count; i++)
		for (int k = 0; k < 9; k++)
			fprintf(out, ",wall.%s.%s", world->walls.at[i].def.name, parts[k]);
	fputc('\n', out);
}

static void number_print(FILE *out, double number)
{
	fprintf(out, ",%.17g", number);
}

static void vector_print(FILE *out, vec3 vector)
{
	fprintf(out, ",%.17g,%.17g,%.17g", vector.x, vector.y, vector.z);
}

double energy_balance(const talus_world *world, const talus_energy *e)
{
	return e->kinetic + e->potential + ledger_dissipated(world) - e->wall_work - e->driven_work - e->cell_work - e->added;
}

static void books_print(FILE *out, const talus_world *world, const talus_energy *e)
{
	const double numbers[] = {e->driven_work, e->cell_work, e->added, e->normal,    e->friction, e->rolling,
	                          e->torsion,     e->bonds, e->numerical, energy_balance(world, e)};
	for (size_t i = 0; i < sizeof numbers/sizeof numbers[0]; i++)
		number_print(out, numbers[i]);
	fprintf(out, ",%zu,%llu", world->report.bonds, (unsigned long long)world->report.bonds_formed_all);
}

static void packing_print(FILE *out, const talus_world *world, const stress_state *stress)
{
	double number[PACKING_NUMBERS];
	observe_packing(world, stress, number);
	for (int i = 0; i < PACKING_NUMBERS; i++)
		number_print(out, number[i]);
}

static void flow_print(FILE *out, const talus_world *world)
{
	for (int k = 0; k < 9; k++)
		number_print(out, world->cell.rate[k/3][k%3]);
	number_print(out, observe_imbalance(world));
}

static void row_print(FILE *out, const talus_world *world)
{
	talus_energy energy = talus_world_energy(world);
	stress_state stress = observe_stress(world);
	structure_state structure = observe_structure(world);
	motion_state motion = observe_motion(world);
	const talus_step_report *report = &world->report;
	fprintf(out, "%llu,%.17g,%zu,%zu", (unsigned long long)world->step, world->time, world->bodies.count, world->removed);
	fprintf(out, ",%zu,%d,%.17g", structure.bearing, report->iterations, report->residual);
	number_print(out, energy.kinetic);
	number_print(out, motion.mean_speed);
	number_print(out, report->mean_overlap);
	number_print(out, report->max_overlap);
	number_print(out, stress.pressure);
	for (int k = 0; k < 9; k++)
		number_print(out, stress.stress[k/3][k%3]);
	number_print(out, stress.volume_fraction);
	number_print(out, structure.coordination);
	for (int k = 0; k < 9; k++)
		number_print(out, world->cell.h[k/3][k%3]);
	number_print(out, observe_rigidity(world).ratio);
	number_print(out, report->error_overlap);
	number_print(out, report->error_local);
	number_print(out, report->error_global);
	number_print(out, energy.potential);
	number_print(out, ledger_dissipated(world));
	number_print(out, energy.wall_work);
	number_print(out, motion.mean_acceleration);
	fprintf(out, ",%zu,%zu", structure.rattlers, report->late);
	books_print(out, world, &energy);
	packing_print(out, world, &stress);
	flow_print(out, world);
	for (int i = 0; i < world->walls.count; i++) {
		talus_wall_state w = talus_world_wall(world, i);
		vector_print(out, w.position);
		vector_print(out, w.force);
		vector_print(out, w.torque);
	}
	fputc('\n', out);
}

// ---------------------------------------------------------------- the file

// Adds a text at the end, or leaves the file as it was.
static bool append(const char *path, bool fresh, const char *text, size_t size, talus_error *error)
{
	int file = fresh ? file_make(path) : file_own_open(path, O_WRONLY | O_APPEND);
	struct stat status;
	if (file < 0 || fstat(file, &status) != 0) {
		error_at(error, path, 0, 0, "cannot write: %s", file_reason(errno));
		if (file >= 0)
			close(file);
		return false;
	}
	bool ok = file_write(file, path, text, size, error);
	if (!ok && ftruncate(file, status.st_size) != 0)
		ok = false; // the sentence about the write stands
	if (close(file) != 0 && ok)
		ok = error_at(error, path, 0, 0, "cannot write: %s", strerror(errno));
	return ok;
}

static char *printed(void (*print)(FILE *, const talus_world *), const talus_world *world, size_t *size)
{
	char *text = NULL;
	FILE *out = open_memstream(&text, size);
	if (!out)
		memory_lost();
	print(out, world);
	if (ferror(out) | fclose(out))
		memory_lost();
	return text;
}

static bool print_to(const char *folder, const talus_world *world, bool fresh, void (*print)(FILE *, const talus_world *),
                     talus_error *error)
{
	char path[TALUS_PATH_MAX];
	size_t size = 0;
	if (!folder_path(path, folder, "log.csv", error))
		return false;
	char *text = printed(print, world, &size);
	bool ok = append(path, fresh, text, size, error);
	free(text);
	return ok;
}

bool log_fits(const char *folder, const talus_world *world)
{
	char path[TALUS_PATH_MAX], *line = NULL;
	talus_error ignored;
	size_t size = 0, capacity = 0;
	FILE *in = folder_path(path, folder, "log.csv", &ignored) ? fopen(path, "re") : NULL;
	if (!in)
		return false;
	char *text = printed(header_print, world, &size);
	bool fits = getline(&line, &capacity, in) == (ssize_t)size && memcmp(line, text, size) == 0;
	free(line);
	free(text);
	fclose(in);
	return fits;
}

bool log_create(const char *folder, const talus_world *world, talus_error *error)
{
	return print_to(folder, world, true, header_print, error);
}

bool log_append(const char *folder, const talus_world *world, talus_error *error)
{
	return print_to(folder, world, false, row_print, error);
}

// ---------------------------------------------------------------- going through the rows

// Calls up the rows one by one: the end of each complete line whose step is not beyond `last_step`.
static bool scan(FILE *in, uint64_t last_step, log_extent *extent)
{
	char *line = NULL;
	size_t capacity = 0;
	ssize_t length;
	bool first = true;
	while ((length = getline(&line, &capacity, in)) > 0 && line[length - 1] == '\n') {
		char *end;
		unsigned long long step = strtoull(line, &end, 10);
		if (!first && (end == line || *end != ',' || step > last_step))
			break;
		if (!first) {
			extent->rows++;
			extent->last_step = step;
			extent->last_time = strtod(end + 1, NULL);
		}
		extent->bytes += (size_t)length;
		first = false;
	}
	free(line);
	return !ferror(in);
}

bool log_measure(const char *folder, uint64_t last_step, log_extent *extent, talus_error *error)
{
	char path[TALUS_PATH_MAX];
	memset(extent, 0, sizeof *extent);
	if (!folder_path(path, folder, "log.csv", error))
		return false;
	FILE *in = fopen(path, "re");
	if (!in)
		return error_at(error, path, 0, 0, "cannot read: %s", strerror(errno));
	bool ok = scan(in, last_step, extent) || error_at(error, path, 0, 0, "cannot read: %s", strerror(errno));
	fclose(in);
	return ok;
}

bool log_truncate(const char *folder, uint64_t last_step, talus_error *error)
{
	char path[TALUS_PATH_MAX];
	log_extent extent;
	if (!folder_path(path, folder, "log.csv", error) || !log_measure(folder, last_step, &extent, error))
		return false;
	int file = file_own_open(path, O_WRONLY);
	bool ok = file >= 0 && ftruncate(file, (off_t)extent.bytes) == 0;
	if (!ok)
		error_at(error, path, 0, 0, "cannot cut back to the checkpoint: %s", file_reason(errno));
	if (file >= 0)
		close(file);
	return ok;
}
