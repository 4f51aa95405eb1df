// SPDX-License-Identifier: MIT
// What summary.json says, for people.
#include "info_summary.h"

#include "run/accuracy.h"
#include "io/files.h"
#include "message.h"
#include "observe/observe.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

char *info_summary_read(const char *folder)
{
	char path[TALUS_PATH_MAX], *text = NULL;
	talus_error ignored;
	if (!summary_is_whole(folder) || !folder_path(path, folder, "summary.json", &ignored))
		return NULL;
	FILE *in = file_read_stream(path, TEXT_MOST);
	size_t capacity = 0;
	if (in && getdelim(&text, &capacity, 0, in) <= 0) {
		free(text);
		text = NULL;
	}
	if (in)
		fclose(in);
	return text;
}

void info_line(const char *name)
{
	printf("  %-16s ", name);
}

// What stands behind a key of summary.json, which has one key a line; NULL if it is not there.
static const char *summary_find(const char *summary, const char *key)
{
	char start[64];
	snprintf(start, sizeof start, "\n  \"%s\": ", key);
	const char *at = summary ? strstr(summary, start) : NULL;
	return at ? at + strlen(start) : NULL;
}

static bool summary_value(const char *summary, const char *key, char *value, size_t size)
{
	const char *at = summary_find(summary, key);
	if (!at)
		return false;
	snprintf(value, size, "%.*s", (int)strcspn(at, ",\n"), at);
	return true;
}

// A text without its quotes, empty if there is none.
void info_text(const char *summary, const char *key, char *text, size_t size)
{
	const char *at = summary_find(summary, key);
	size_t length = 0;
	for (at = at && *at == '"' ? at + 1 : ""; *at && *at != '"' && length + 1 < size; at++) {
		at += *at == '\\' && at[1];
		text[length++] = *at;
	}
	text[length] = 0;
}

double info_number(const char *summary, const char *key)
{
	const char *at = summary_find(summary, key);
	char *end = NULL;
	double number = at ? strtod(at, &end) : NAN;
	return end == at ? NAN : number;
}

static double summary_number(const char *summary, const char *key) // 0 if it is not there, or null
{
	double number = info_number(summary, key);
	return isnan(number) ? 0 : number;
}

// By whom, when and how; nothing for runs of versions that did not say so.
static void origin_print(const char *summary)
{
	char version[64], commit[64], host[128], started[64], ended[64], command[1100];
	info_text(summary, "version", version, sizeof version);
	info_text(summary, "commit", commit, sizeof commit);
	info_text(summary, "host", host, sizeof host);
	info_text(summary, "started", started, sizeof started);
	info_text(summary, "ended", ended, sizeof ended);
	info_text(summary, "command", command, sizeof command);
	if (!*version)
		return;
	info_line("made by");
	printf("talus %s (%s) on %s, seed %.0f\n", version, commit, host, summary_number(summary, "seed"));
	info_line("from");
	printf("%s to %s\n", started, ended);
	info_line("command");
	message_text(stdout, command);
	putchar('\n');
}

// The ways in which energy was dissipated, those that took some: {"normal": 1.5, "friction": 3, ...} in one line.
static void dissipation_print(const char *summary)
{
	static const char inside[] = "dissipated.";
	observable_list list = observables_in(OBSERVABLE_SUMMARY, 0);
	const char *line = summary_find(summary, "dissipated"), *between = " (";
	double all = summary_number(summary, "dissipated_energy");
	if (!line || all == 0)
		return;
	info_line("dissipated");
	printf("%.6g", all);
	for (int i = 0; i < list.count; i++) {
		const char *key = list.at[i]->key;
		char start[TALUS_NAME_MAX + 8];
		if (!key || strncmp(key, inside, strlen(inside)) != 0)
			continue;
		const char *way = key + strlen(inside);
		snprintf(start, sizeof start, "\"%s\": ", way);
		const char *at = strstr(line, start);
		double part = at && at < line + strcspn(line, "\n") ? strtod(at + strlen(start), NULL) : 0;
		if (part == 0)
			continue;
		printf("%s%s %.6g", between, way, part);
		between = ", ";
	}
	puts(*between == ',' ? ")" : "");
}

static void counts_print(const char *summary)
{
	double now = summary_number(summary, "bonds"), formed = summary_number(summary, "bonds_formed");
	double softened = summary_number(summary, "bounces_softened");
	if (formed > 0) {
		info_line("bonds");
		printf("%.0f, of %.0f that formed\n", now, formed);
	}
	if (softened > 0) {
		info_line("bounces softened");
		printf("%.0f\n", softened);
	}
}

// A number inside of what stands behind a key, after `start`; 0 if it is not there, or null.
static double number_inside(const char *line, const char *start)
{
	const char *at = line ? strstr(line, start) : NULL;
	return at ? strtod(at + strlen(start), NULL) : 0;
}

// Nothing for runs of versions that did not count; what had no audits has none.
static void accuracy_print(const char *summary, const talus_solver_def *solver)
{
	const char *audits = summary_find(summary, "audit");
	char text[512];
	if (!summary_find(summary, "floor_steps"))
		return;
	accuracy a = {.solver = solver, .steps = (uint64_t)summary_number(summary, "steps"),
	              .capped = (uint64_t)summary_number(summary, "capped_steps"), .floor = (uint64_t)summary_number(summary, "floor_steps"),
	              .audits = (uint64_t)number_inside(audits, "\"count\": "), .given_up = (uint64_t)number_inside(audits, "\"unfinished\": "),
	              .no_solution = strstr(summary, "{\"code\": \"no_solution\"") != NULL};
	for (int k = 0; k < TALUS_AUDITED; k++) {
		char start[64];
		snprintf(start, sizeof start, "\"%s\": {\"median\": ", audited_names[k]);
		const char *of = audits ? strstr(audits, start) : NULL;
		a.median[k] = number_inside(of, "\"median\": ");
		a.largest[k] = number_inside(of, "\"largest\": ");
	}
	accuracy_tell(&a, text, sizeof text);
	info_line("accuracy");
	puts(text);
}

// Their codes; the sentences are in the summary.
static void warnings_print(const char *summary)
{
	static const char start[] = "{\"code\": \"";
	const char *at = summary ? strstr(summary, start) : NULL;
	if (!at)
		return;
	info_line("warnings");
	for (const char *before = ""; at; at = strstr(at, start), before = ", ") {
		at += sizeof start - 1;
		printf("%s%.*s", before, (int)strcspn(at, "\""), at);
	}
	puts("");
}

static void summary_print(const char *summary)
{
	static const char *const shown[][2] = {
		{"contacts", "contacts"},
		{"coordination", "coordination"},
		{"volume_fraction", "volume fraction"},
		{"mean_overlap", "mean overlap"},
		{"max_overlap", "largest overlap"},
		{"pressure", "pressure"},
		{"kinetic_energy", "kinetic energy"},
		{"residual", "residual"},
		{"seconds", "seconds"},
		{"state_hash", "state hash"},
	};
	char value[64];
	for (size_t i = 0; i < sizeof shown/sizeof shown[0]; i++) {
		if (!summary_value(summary, shown[i][0], value, sizeof value))
			continue;
		char *end;
		double number = strtod(value, &end);
		info_line(shown[i][1]);
		if (*value == '"') // a text without its quotes, even if it looks like a number
			printf("%.*s\n", (int)strcspn(value + 1, "\""), value + 1);
		else if (*end || end == value)
			puts(value);
		else
			printf("%.6g\n", number);
	}
}

static void share_print(const char *name, const char *summary, const char *key, const char *of)
{
	info_line(name);
	printf("%.3g %% %s\n", 100*summary_number(summary, key), of);
}

// How grains are packed and forces are spread at the end; nothing for runs of versions that did not say so.
void info_packing_print(const char *summary)
{
	if (!summary_find(summary, "coordination_network") || summary_number(summary, "contacts") == 0)
		return;
	double pressure = summary_number(summary, "pressure");
	puts("packing");
	info_line("network");
	printf("%.4g contacts a grain, without %.0f rattlers\n", summary_number(summary, "coordination_network"),
	       summary_number(summary, "rattlers_network"));
	info_line("stress");
	printf("deviator %.4g", summary_number(summary, "deviator"));
	if (pressure > 0)
		printf(", %.3g of the pressure", summary_number(summary, "deviator")/pressure);
	printf("; by motion %.3g\n", summary_number(summary, "stress_kinetic_pressure"));
	info_line("fabric");
	printf("%.3g %.3g %.3g, anisotropy %.3g\n", summary_number(summary, "fabric_xx"),
	       summary_number(summary, "fabric_yy"), summary_number(summary, "fabric_zz"),
	       summary_number(summary, "anisotropy"));
	info_line("forces");
	printf("mean %.4g, largest %.4g\n", summary_number(summary, "mean_force"), summary_number(summary, "max_force"));
	share_print("weak", summary, "weak_share", "of the contacts");
	share_print("", summary, "weak_pressure_share", "of the pressure");
	if (summary_number(summary, "pull_share") > 0)
		share_print("pulling", summary, "pull_share", "of the contacts");
	share_print("friction", summary, "mobilisation", "in use, on average");
	share_print("sliding", summary, "sliding_share", "of the contacts with friction");
	info_line("temperature");
	printf("%.3g, of spins %.3g\n", summary_number(summary, "temperature"), summary_number(summary, "spin_temperature"));
}

void info_summary_print(const char *summary, const talus_solver_def *solver)
{
	origin_print(summary);
	summary_print(summary);
	accuracy_print(summary, solver);
	warnings_print(summary);
	dissipation_print(summary);
	counts_print(summary);
}
