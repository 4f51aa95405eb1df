// SPDX-License-Identifier: MIT
// log.csv: one row of numbers every now and then. A row is one write to the end of the file.
#include "io/files.h"

#include "base/error.h"
#include "base/memory.h"
#include "observe/observe.h"
#include "world.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char axes[] = "xyz";
const char *const audited_names[TALUS_AUDITED] = {"force_error", "load_error", "velocity_error"};

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
	fputs(",imbalance,error_forces,audits,audit_time", out);
	for (int k = 0; k < TALUS_AUDITED; k++)
		fprintf(out, ",%s", audited_names[k]);
	static const char *const parts[] = {"x", "y", "z", "fx", "fy", "fz", "tx", "ty", "tz"};
	for (int i = 0; i < world->state.walls.count; i++)
		for (int k = 0; k < 9; k++)
			fprintf(out, ",wall.%s.%s", world->state.walls.at[i].def.name, parts[k]);
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
	return e->kinetic + e->potential + energy_account_dissipated(&world->energy) - e->wall_work - e->driven_work - e->cell_work - e->added;
}

static void energy_print(FILE *out, const talus_world *world, const talus_energy *e)
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
		number_print(out, world->state.cell.rate[k/3][k%3]);
	number_print(out, observe_imbalance(world));
}

// Of the last one; 0 before there was any.
static void audit_print(FILE *out, const talus_world *world)
{
	number_print(out, world->report.error_forces);
	fprintf(out, ",%llu", (unsigned long long)world->audit.count);
	number_print(out, (double)world->audit.last*world->state.def.step);
	for (int k = 0; k < TALUS_AUDITED; k++)
		number_print(out, world->audit.error[k]);
}

static void row_print(FILE *out, const talus_world *world)
{
	talus_energy energy = talus_world_energy(world);
	stress_state stress = observe_stress(world);
	structure_state structure = observe_structure(world);
	motion_state motion = observe_motion(world);
	const talus_step_report *report = &world->report;
	fprintf(out, "%llu,%.17g,%zu,%zu", (unsigned long long)world->state.step, world->state.time, world->state.bodies.count, world->removed);
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
		number_print(out, world->state.cell.h[k/3][k%3]);
	number_print(out, observe_rigidity(world).ratio);
	number_print(out, report->error_overlap);
	number_print(out, report->error_local);
	number_print(out, report->error_global);
	number_print(out, energy.potential);
	number_print(out, energy_account_dissipated(&world->energy));
	number_print(out, energy.wall_work);
	number_print(out, motion.mean_acceleration);
	fprintf(out, ",%zu,%zu", structure.rattlers, report->late);
	energy_print(out, world, &energy);
	packing_print(out, world, &stress);
	flow_print(out, world);
	audit_print(out, world);
	for (int i = 0; i < world->state.walls.count; i++) {
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
	char path[TALUS_PATH_MAX];
	talus_error ignored;
	size_t size = 0;
	FILE *in = folder_path(path, folder, "log.csv", &ignored) ? file_read_stream(path, LLONG_MAX) : NULL;
	if (!in)
		return false;
	char *text = printed(header_print, world, &size), *found = malloc(size);
	if (!found)
		memory_lost();
	bool fits = fread(found, 1, size, in) == size && memcmp(found, text, size) == 0;
	free(found);
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

enum { LINE_MOST = 1 << 24 }; // bytes; no scene has so many walls

typedef struct log_line {
	char *text;
	size_t length, capacity;
	uint64_t step;
} log_line;

typedef struct log_scan {
	FILE *in, *out; // sound rows go there, if there is one
	uint64_t last_step;
	size_t cells;
	log_line line, waiting; // a row waits until the next one shows that its step is not too large
	bool waits, begun;
	uint64_t before; // step of the row before it
	size_t behind;   // damaged rows after it
	log_extent *extent;
} log_scan;

// The next line with its end; false at the end of the file, or at a line without one, or with errno.
static bool line_read(FILE *in, log_line *line)
{
	int c;
	line->length = 0;
	errno = 0;
	while ((c = getc_unlocked(in)) != EOF) {
		if (line->length + 2 > line->capacity) {
			size_t more = line->capacity ? 2*line->capacity : 4096;
			line->text = memory_grow(line->text, line->length, more);
			line->capacity = more;
		}
		line->text[line->length++] = (char)c;
		line->text[line->length] = 0;
		if (c == '\n')
			return true;
		if (line->length == LINE_MOST) {
			errno = EFBIG;
			return false;
		}
	}
	if (!ferror(in))
		errno = 0;
	return false;
}

static size_t cells_of(const log_line *line)
{
	size_t cells = 1;
	for (size_t i = 0; i < line->length; i++)
		cells += line->text[i] == ',';
	return cells;
}

// A whole number, then as many other numbers as there are columns, and nothing else.
static bool row_read(log_line *line, size_t cells)
{
	char *end, *at = line->text;
	if (strlen(at) != line->length || !isdigit((unsigned char)*at) || cells_of(line) != cells)
		return false;
	line->step = strtoull(at, &end, 10);
	while (*end == ',') {
		at = end + 1;
		if (isspace((unsigned char)*at))
			return false;
		strtod(at, &end);
		if (end == at)
			return false;
	}
	return *end == '\n';
}

static bool put_out(log_scan *s, const log_line *line)
{
	s->extent->bytes += line->length;
	return !s->out || fwrite(line->text, 1, line->length, s->out) == line->length;
}

static bool waiting_keep(log_scan *s)
{
	if (!s->waits) {
		s->extent->spoilt += s->behind;
		return true;
	}
	s->waits = false;
	s->before = s->waiting.step;
	s->begun = true;
	if (s->waiting.step > s->last_step) {
		s->extent->spoilt += s->behind;
		return true;
	}
	s->extent->rows++;
	s->extent->damaged += s->extent->spoilt;
	s->extent->spoilt = s->behind;
	s->extent->last_step = s->waiting.step;
	s->extent->last_time = strtod(strchr(s->waiting.text, ',') + 1, NULL);
	return put_out(s, &s->waiting);
}

// Steps grow from row to row. Where they do not, the row that waits is wrong if the new one fits without it.
static bool row_take(log_scan *s)
{
	bool sound = row_read(&s->line, s->cells);
	bool grows = sound && (!s->waits || s->line.step > s->waiting.step);
	if (!sound || (!grows && s->begun && s->line.step <= s->before)) {
		s->behind++;
		return true;
	}
	if (grows && !waiting_keep(s))
		return false;
	if (!grows)
		s->extent->spoilt += 1 + s->behind;
	log_line free_one = s->waiting;
	s->waiting = s->line;
	s->line = free_one;
	s->waits = true;
	s->behind = 0;
	return true;
}

static bool scan(log_scan *s)
{
	bool ok = true;
	if (line_read(s->in, &s->line)) {
		s->cells = cells_of(&s->line);
		ok = put_out(s, &s->line);
		while (ok && line_read(s->in, &s->line))
			ok = row_take(s);
	}
	ok = ok && errno == 0 && waiting_keep(s);
	memory_free(s->line.text);
	memory_free(s->waiting.text);
	return ok;
}

static bool scan_to(const char *path, FILE *out, uint64_t last_step, log_extent *extent, talus_error *error)
{
	memset(extent, 0, sizeof *extent);
	FILE *in = file_read_stream(path, LLONG_MAX);
	if (!in)
		return error_at(error, path, 0, 0, "cannot read: %s", file_reason(errno));
	bool ok = scan(&(log_scan){.in = in, .out = out, .last_step = last_step, .extent = extent});
	if (!ok)
		error_at(error, path, 0, 0, "cannot read: %s", errno == EFBIG ? "a line of it is too long" : strerror(errno));
	fclose(in);
	return ok;
}

bool log_measure(const char *folder, uint64_t last_step, log_extent *extent, talus_error *error)
{
	char path[TALUS_PATH_MAX];
	memset(extent, 0, sizeof *extent);
	return folder_path(path, folder, "log.csv", error) && scan_to(path, NULL, last_step, extent, error);
}

// The old file keeps a name at any moment, where there can be two of them.
static bool keep_old(const char *path, const char *aside, talus_error *error)
{
	if ((unlink(aside) == 0 || errno == ENOENT) && (link(path, aside) == 0 || rename(path, aside) == 0))
		return true;
	return error_at(error, path, 0, 0, "cannot keep it as log.csv.old: %s", strerror(errno));
}

static bool mend(const char *folder, const char *path, uint64_t last_step, talus_error *error)
{
	char aside[TALUS_PATH_MAX], temporary[TALUS_PATH_MAX];
	log_extent extent;
	if (!folder_path(aside, folder, "log.csv.old", error) || !folder_path(temporary, folder, "log.csv.tmp", error))
		return false;
	int file = file_make(temporary);
	FILE *out = file >= 0 ? fdopen(file, "wb") : NULL;
	if (!out) {
		error_at(error, path, 0, 0, "cannot write: %s", strerror(errno));
		if (file >= 0)
			close(file);
		return false;
	}
	bool ok = scan_to(path, out, last_step, &extent, error);
	if (fclose(out) != 0 && ok)
		ok = error_at(error, path, 0, 0, "cannot write: %s", strerror(errno));
	if (ok && keep_old(path, aside, error))
		return file_commit(temporary, path, error);
	unlink(temporary);
	return false;
}

bool log_truncate(const char *folder, uint64_t last_step, talus_error *error)
{
	char path[TALUS_PATH_MAX];
	log_extent extent;
	if (!folder_path(path, folder, "log.csv", error) || !log_measure(folder, last_step, &extent, error))
		return false;
	int file = file_own_open(path, O_WRONLY);
	bool ok = file >= 0 && (extent.damaged || ftruncate(file, (off_t)extent.bytes) == 0);
	if (!ok)
		error_at(error, path, 0, 0, "cannot cut back to the checkpoint: %s", file_reason(errno));
	if (file >= 0)
		close(file);
	return ok && (!extent.damaged || mend(folder, path, last_step, error));
}
