// SPDX-License-Identifier: MIT
// summary.json: the end of a run in numbers.
#include "io/files.h"

#include "base/memory.h"
#include "observe/observe.h"
#include "talus_commit.h"
#include "world.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { LARGEST = 1 << 30 }; // bytes: no summary has so many

// ---------------------------------------------------------------- JSON

static void vector_print(FILE *out, vec3 vector)
{
	for (int k = 0; k < 3; k++) {
		fputs(k ? ", " : "[", out);
		json_number(out, component(vector, k));
	}
	fputc(']', out);
}

static void matrix_print(FILE *out, const char *name, const double matrix[3][3])
{
	fprintf(out, "  \"%s\": [", name);
	for (int k = 0; k < 3; k++) {
		fputs(k ? ", " : "", out);
		vector_print(out, vec(matrix[k][0], matrix[k][1], matrix[k][2]));
	}
	fputs("],\n", out);
}

static void real_print(FILE *out, const char *name, double number)
{
	fprintf(out, "  \"%s\": ", name);
	json_number(out, number);
	fputs(",\n", out);
}

static void count_print(FILE *out, const char *name, uint64_t number)
{
	fprintf(out, "  \"%s\": %llu,\n", name, (unsigned long long)number);
}

typedef struct named {
	const char *name;
	double value;
} named;

static void numbers_print(FILE *out, const char *name, const named *list, size_t count)
{
	fprintf(out, "  \"%s\": {", name);
	for (size_t i = 0; i < count; i++) {
		fprintf(out, "%s\"%s\": ", i ? ", " : "", list[i].name);
		json_number(out, list[i].value);
	}
	fputs("},\n", out);
}

// ---------------------------------------------------------------- the summary

static void energies_print(FILE *out, const talus_world *world)
{
	talus_energy energy = talus_world_energy(world);
	const named ways[] = {
		{"normal", energy.normal},   {"friction", energy.friction}, {"rolling", energy.rolling},
		{"torsion", energy.torsion}, {"bonds", energy.bonds},       {"numerical", energy.numerical},
	};
	real_print(out, "kinetic_energy", energy.kinetic);
	real_print(out, "potential_energy", energy.potential);
	real_print(out, "dissipated_energy", energy_account_dissipated(&world->energy));
	numbers_print(out, "dissipated", ways, sizeof ways/sizeof ways[0]);
	real_print(out, "wall_work", energy.wall_work);
	real_print(out, "driven_work", energy.driven_work);
	real_print(out, "cell_work", energy.cell_work);
	real_print(out, "added_energy", energy.added);
	real_print(out, "energy_balance", energy_balance(world, &energy));
}

static void packing_print(FILE *out, const talus_world *world, const stress_state *stress)
{
	double number[PACKING_NUMBERS];
	observe_packing(world, stress, number);
	for (int i = 0; i < PACKING_NUMBERS; i++)
		real_print(out, packing_names[i], number[i]);
	count_print(out, "rattlers_network", observe_network(world).rattlers);
	forces_state forces = observe_forces(world);
	real_print(out, "mean_force", forces.mean);
	real_print(out, "max_force", forces.largest);
	real_print(out, "fabric_coefficient", observe_fabric(world).coefficient);
	matrix_print(out, "stress_contact", (const double(*)[3])stress->contact);
	matrix_print(out, "stress_kinetic", (const double(*)[3])stress->kinetic);
}

static void overlaps_print(FILE *out, const talus_world *world)
{
	real_print(out, "mean_overlap", world->report.mean_overlap);
	real_print(out, "max_overlap", world->report.max_overlap);
}

static void when_print(FILE *out, const talus_world *world)
{
	real_print(out, "time", world->state.time);
	count_print(out, "steps", world->state.step);
	count_print(out, "grains", world->state.bodies.count);
	count_print(out, "removed", world->removed);
}

static void grains_print(FILE *out, const talus_world *world)
{
	stress_state stress = observe_stress(world);
	structure_state structure = observe_structure(world);
	motion_state motion = observe_motion(world);
	when_print(out, world);
	count_print(out, "contacts", structure.bearing);
	count_print(out, "rattlers", structure.rattlers);
	real_print(out, "coordination", structure.coordination);
	real_print(out, "volume_fraction", stress.volume_fraction);
	real_print(out, "mean_speed", motion.mean_speed);
	real_print(out, "mean_acceleration", motion.mean_acceleration);
	energies_print(out, world);
	count_print(out, "bonds", world->report.bonds);
	count_print(out, "bonds_formed", world->report.bonds_formed_all);
	count_print(out, "bounces_softened", world->report.softened_all);
	overlaps_print(out, world);
	matrix_print(out, "stress", (const double(*)[3])stress.stress);
	real_print(out, "pressure", stress.pressure);
	matrix_print(out, "cell", (const double(*)[3])world->state.cell.h);
	matrix_print(out, "rate", (const double(*)[3])world->state.cell.rate);
	real_print(out, "imbalance", observe_imbalance(world));
	packing_print(out, world, &stress);
}

// ---------------------------------------------------------------- distributions

static void counts_print(FILE *out, const size_t *count, int bins)
{
	for (int i = 0; i < bins; i++)
		fprintf(out, "%s%zu", i ? ", " : "[", count[i]);
	fputc(']', out);
}

static void bins_print(FILE *out, const char *name, int bins, double low, double high)
{
	fprintf(out, "    \"%s\": {\"bins\": %d, \"range\": [", name, bins);
	json_number(out, low);
	fputs(", ", out);
	json_number(out, high);
	fputs("], ", out);
}

static void forces_print(FILE *out, const talus_world *world)
{
	force_histogram h = observe_force_histogram(world);
	bins_print(out, "forces", FORCE_BINS, 0, FORCE_RANGE);
	fputs("\"mean\": ", out);
	json_number(out, h.mean);
	fputs(", \"counts\": ", out);
	counts_print(out, h.count, FORCE_BINS);
	fprintf(out, ", \"beyond\": %zu},\n", h.count[FORCE_BINS]);
}

// 2D: {..., "counts": [...]}, 3D: {..., "x": [...], "y": [...], "z": [...]}
static void normals_print(FILE *out, const talus_world *world)
{
	static const char *const axis[] = {"x", "y", "z"};
	normals_state n = observe_normals(world);
	bins_print(out, "normals", n.bins, 0, n.rows == 1 ? M_PI : 1);
	for (int row = 0; row < n.rows; row++) {
		fprintf(out, "%s\"%s\": ", row ? ", " : "", n.rows == 1 ? "counts" : axis[row]);
		counts_print(out, n.count[row], n.bins);
	}
	fputs("},\n", out);
}

static void radial_print(FILE *out, const talus_world *world)
{
	radial_state r = observe_radial(world);
	bins_print(out, "radial", RADIAL_BINS, 0, r.range);
	fputs("\"diameter\": ", out);
	json_number(out, r.diameter);
	fprintf(out, ", \"centres\": %zu, \"counts\": ", r.centres);
	counts_print(out, r.count, RADIAL_BINS);
	fputs(", \"g\": ", out);
	for (int i = 0; i < RADIAL_BINS; i++) {
		fputs(i ? ", " : "[", out);
		json_number(out, r.g[i]);
	}
	fputs("]},\n", out);
}

static void distributions_print(FILE *out, const talus_world *world)
{
	homogeneity_state h = observe_homogeneity(world);
	fputs("  \"distributions\": {\n", out);
	forces_print(out, world);
	normals_print(out, world);
	radial_print(out, world);
	fprintf(out, "    \"homogeneity\": {\"boxes\": %zu, \"mean\": ", h.boxes);
	json_number(out, h.mean);
	fputs(", \"deviation\": ", out);
	json_number(out, h.deviation);
	fputs(", \"poisson\": ", out);
	json_number(out, h.poisson);
	fputs("}\n  },\n", out);
}

// ---------------------------------------------------------------- the solver

static void audit_print(FILE *out, const talus_world *world)
{
	talus_audit a = talus_world_audit(world);
	fprintf(out, "  \"audit\": {\"count\": %llu, \"unfinished\": %llu, \"contact_updates\": %llu", (unsigned long long)a.count,
	        (unsigned long long)a.unfinished, (unsigned long long)a.updates);
	for (int k = 0; k < TALUS_AUDITED; k++) {
		double known = a.count > 0 ? 0 : NAN; // which is null
		fprintf(out, ",\n    \"%s\": {\"median\": ", audited_names[k]);
		json_number(out, a.median[k] + known);
		fputs(", \"largest\": ", out);
		json_number(out, a.largest[k] + known);
		fputs(", \"time\": ", out);
		json_number(out, (double)a.largest_step[k]*world->state.def.step + known);
		fputc('}', out);
	}
	fputs("},\n", out);
}

static void rigidity_print(FILE *out, const talus_world *world)
{
	rigidity_state s = observe_rigidity(world);
	const named rigidity[] = {{"size", s.size}, {"reach", s.reach}, {"ratio", s.ratio}, {"stiffness", s.stiffness},
	                          {"overlap", s.overlap}};
	numbers_print(out, "rigidity", rigidity, sizeof rigidity/sizeof rigidity[0]);
}

static void solver_print(FILE *out, const talus_world *world)
{
	const talus_step_report *r = &world->report;
	const named error[] = {{"overlap", r->error_overlap}, {"local", r->error_local}, {"global", r->error_global},
	                       {"forces", r->error_forces}};
	count_print(out, "iterations", r->iterations_all);
	count_print(out, "contact_updates", r->updates_all);
	real_print(out, "residual", r->residual);
	numbers_print(out, "error", error, sizeof error/sizeof error[0]);
	count_print(out, "capped_steps", r->capped_all);
	count_print(out, "floor_steps", r->floor_all);
	audit_print(out, world);
}

// ---------------------------------------------------------------- all of it

static void walls_print(FILE *out, const talus_world *world)
{
	fputs("  \"walls\": {", out);
	for (int i = 0; i < world->state.walls.count; i++) {
		talus_wall_state w = talus_world_wall(world, i);
		fputs(i ? ",\n    " : "\n    ", out);
		json_text(out, w.name);
		fputs(": {\"force\": ", out);
		vector_print(out, w.force);
		fputs(", \"torque\": ", out);
		vector_print(out, w.torque);
		fputs(", \"position\": ", out);
		vector_print(out, w.position);
		fputc('}', out);
	}
	fputs(world->state.walls.count ? "\n  },\n" : "},\n", out);
}

static void warnings_print(FILE *out, const run_warning *warnings, int count)
{
	fputs("  \"warnings\": [", out);
	for (int i = 0; i < count; i++) {
		fputs(i ? ",\n    {\"code\": " : "\n    {\"code\": ", out);
		json_text(out, warnings[i].code);
		fputs(", \"message\": ", out);
		json_text(out, warnings[i].message);
		fputc('}', out);
	}
	fputs(count ? "\n  ]\n" : "]\n", out);
}

// ---------------------------------------------------------------- where it comes from

void summary_now(char text[32])
{
	time_t now = time(NULL);
	struct tm parts;
	gmtime_r(&now, &parts);
	strftime(text, 32, "%Y-%m-%dT%H:%M:%SZ", &parts);
}

static void text_print(FILE *out, const char *name, const char *text)
{
	fprintf(out, "  \"%s\": ", name);
	json_text(out, text);
	fputs(",\n", out);
}

static void origin_print(FILE *out, const talus_world *world, const run_record *record)
{
	char host[256] = "", now[32];
	gethostname(host, sizeof host - 1);
	summary_now(now);
	fprintf(out, "  \"finished\": %s,\n", record->stopped || record->failed ? "false" : "true");
	if (record->stopped)
		text_print(out, "stopped", record->stopped);
	if (record->failed)
		text_print(out, "failed", record->failed);
	text_print(out, "version", TALUS_VERSION);
	text_print(out, "commit", TALUS_COMMIT);
	text_print(out, "command", record->origin.command);
	text_print(out, "started", record->origin.started);
	text_print(out, "ended", now);
	text_print(out, "host", host);
	count_print(out, "seed", world->state.def.seed);
}

static char *summary_read(const char *folder)
{
	char path[TALUS_PATH_MAX], *text = NULL;
	talus_error ignored;
	struct stat status;
	int file = folder_path(path, folder, "summary.json", &ignored) ? file_own_open(path, O_RDONLY) : -1;
	if (file < 0)
		return NULL;
	if (fstat(file, &status) == 0 && status.st_size < LARGEST) {
		text = calloc((size_t)status.st_size + 1, 1);
		if (!text)
			memory_lost();
		if (!file_get(file, text, (size_t)status.st_size, 0) || strlen(text) != (size_t)status.st_size) {
			free(text);
			text = NULL;
		}
	}
	close(file);
	return text;
}

static char *summary_read_whole(const char *folder)
{
	char *text = summary_read(folder);
	if (text && json_is_whole(text) && (strstr(text, "\n  \"state_hash\": \"") || strstr(text, "\n  \"failed\": \"")))
		return text;
	free(text);
	return NULL;
}

bool summary_is_whole(const char *folder)
{
	char *text = summary_read_whole(folder);
	free(text);
	return text != NULL;
}

// Older ones did not say; they were only written at the end.
bool summary_finished(const char *folder)
{
	char *text = summary_read_whole(folder);
	bool finished = text && !strstr(text, "\n  \"finished\": false,\n");
	free(text);
	return finished;
}

// All that can be said of any state, even of one that is no longer finite.
static void unsound_print(FILE *out, const talus_world *world)
{
	when_print(out, world);
	overlaps_print(out, world);
	solver_print(out, world);
}

static void state_print(FILE *out, const talus_world *world)
{
	grains_print(out, world);
	distributions_print(out, world);
	solver_print(out, world);
	rigidity_print(out, world);
}

bool summary_write(const char *folder, const talus_world *world, const run_record *record, talus_error *error)
{
	char *text = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&text, &size);
	if (!out)
		memory_lost();
	fputs("{\n  \"title\": ", out);
	json_text(out, record->title);
	fprintf(out, ",\n  \"method\": \"contact_dynamics\",\n  \"dimension\": %d,\n", world->state.def.dimension);
	origin_print(out, world, record);
	if (record->unsound)
		unsound_print(out, world);
	else
		state_print(out, world);
	real_print(out, "seconds", record->seconds);
	real_print(out, "seconds_solver", world->report.seconds_solver);
	fprintf(out, "  \"threads\": %d,\n  \"steps_shared\": %llu,\n", record->threads, (unsigned long long)world->shared);
	fprintf(out, "  \"state_hash\": \"%016llx\",\n", (unsigned long long)talus_world_hash(world));
	walls_print(out, world);
	warnings_print(out, record->warnings, record->warning_count);
	fputs("}\n", out);
	fclose(out);
	bool ok = file_replace(folder, "summary.json", text, size, error);
	free(text);
	return ok;
}
