// SPDX-License-Identifier: MIT
// summary.json: the end of a run in numbers.
#include "io/files.h"

#include "observe/observe.h"
#include "world.h"

#include <stdio.h>
#include <stdlib.h>

// ---------------------------------------------------------------- JSON

void json_text(FILE *out, const char *text)
{
	fputc('"', out);
	for (const unsigned char *c = (const unsigned char *)text; *c; c++) {
		if (*c == '"' || *c == '\\')
			fprintf(out, "\\%c", *c);
		else if (*c < 0x20)
			fprintf(out, "\\u%04x", *c);
		else
			fputc(*c, out);
	}
	fputc('"', out);
}

void json_number(FILE *out, double number)
{
	if (isfinite(number))
		fprintf(out, "%.17g", number);
	else
		fputs("null", out); // JSON knows no other way to say it
}

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

// ---------------------------------------------------------------- the summary

static void energies_print(FILE *out, const talus_world *world)
{
	talus_energy energy = talus_world_energy(world);
	const struct {
		const char *name;
		double value;
	} ways[] = {
		{"normal", energy.normal},   {"friction", energy.friction}, {"rolling", energy.rolling},
		{"torsion", energy.torsion}, {"bonds", energy.bonds},       {"numerical", energy.numerical},
	};
	real_print(out, "kinetic_energy", energy.kinetic);
	real_print(out, "potential_energy", energy.potential);
	real_print(out, "dissipated_energy", ledger_dissipated(world));
	fputs("  \"dissipated\": {", out);
	for (size_t i = 0; i < sizeof ways/sizeof ways[0]; i++) {
		fprintf(out, "%s\"%s\": ", i ? ", " : "", ways[i].name);
		json_number(out, ways[i].value);
	}
	fputs("},\n", out);
	real_print(out, "wall_work", energy.wall_work);
	real_print(out, "driven_work", energy.driven_work);
	real_print(out, "cell_work", energy.cell_work);
	real_print(out, "added_energy", energy.added);
	real_print(out, "energy_balance", energy_balance(world, &energy));
}

static void grains_print(FILE *out, const talus_world *world)
{
	stress_state stress = observe_stress(world);
	structure_state structure = observe_structure(world);
	motion_state motion = observe_motion(world);
	real_print(out, "time", world->time);
	count_print(out, "steps", world->step);
	count_print(out, "grains", world->bodies.count);
	count_print(out, "removed", world->removed);
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
	real_print(out, "mean_overlap", world->report.mean_overlap);
	real_print(out, "max_overlap", world->report.max_overlap);
	matrix_print(out, "stress", (const double(*)[3])stress.stress);
	real_print(out, "pressure", stress.pressure);
	matrix_print(out, "cell", (const double(*)[3])world->cell.h);
}

static void walls_print(FILE *out, const talus_world *world)
{
	fputs("  \"walls\": {", out);
	for (int i = 0; i < world->walls.count; i++) {
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
	fputs(world->walls.count ? "\n  },\n" : "},\n", out);
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

bool summary_write(const char *folder, const talus_world *world, const char *title, double seconds, int threads,
                   const run_warning *warnings, int warning_count, talus_error *error)
{
	char *text = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&text, &size);
	if (!out)
		abort();
	fputs("{\n  \"title\": ", out);
	json_text(out, title);
	fprintf(out, ",\n  \"method\": \"contact_dynamics\",\n  \"dimension\": %d,\n", world->def.dimension);
	grains_print(out, world);
	count_print(out, "iterations", world->report.iterations_all);
	count_print(out, "contact_updates", world->report.updates_all);
	real_print(out, "residual", world->report.residual);
	real_print(out, "seconds", seconds);
	real_print(out, "seconds_solver", world->report.seconds_solver);
	fprintf(out, "  \"threads\": %d,\n", threads);
	fprintf(out, "  \"state_hash\": \"%016llx\",\n", (unsigned long long)talus_world_hash(world));
	walls_print(out, world);
	warnings_print(out, warnings, warning_count);
	fputs("}\n", out);
	fclose(out);
	bool ok = file_replace(folder, "summary.json", text, size, error);
	free(text);
	return ok;
}
