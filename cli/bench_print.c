// SPDX-License-Identifier: MIT
// What the benchmarks say: a table for people, JSON and CSV for programs.
#include "bench.h"

#include "io/files.h"

#include <math.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

void bench_list(FILE *out)
{
	for (int i = 0; i < bench_scene_count; i++) {
		const bench_scene *s = &bench_scenes[i];
		fprintf(out, "%c %-20s  %s\n", s->quick ? '*' : ' ', s->name, s->about);
	}
}

void bench_progress(const char *name, int round, int rounds)
{
	if (!isatty(STDERR_FILENO))
		return;
	fputs("\r\033[K", stderr);
	if (name && round == 0)
		fprintf(stderr, "%s: first steps", name);
	else if (name)
		fprintf(stderr, "%s: round %d of %d", name, round, rounds);
	fflush(stderr);
}

// Against one thread; NAN without a row of it.
static double speed_up(const bench_result *result, int row, bool solver)
{
	const bench_row *many = &result->row[row];
	for (int k = 0; k < result->rows; k++) {
		const bench_row *one = &result->row[k];
		if (one->threads == 1)
			return solver ? one->update/many->update : one->step/many->step;
	}
	return NAN;
}

// ---------------------------------------------------------------- the table

static void size_print(double bytes)
{
	if (bytes < 1048576)
		printf("%.4g kB", bytes/1024);
	else
		printf("%.4g MB", bytes/1048576);
}

static void machine_print(const bench_machine *m)
{
	const char *between = "; caches ";
	printf("  machine    %s, %d processor%s", m->processor, m->processors, m->processors == 1 ? "" : "s");
	for (int i = 0; i < 3; i++) {
		if (m->cache[i] <= 0)
			continue;
		fputs(between, stdout);
		size_print(m->cache[i]);
		between = ", ";
	}
	putchar('\n');
}

static void triad_print(const bench_request *r)
{
	printf("  memory     triad a = b + s c:");
	for (int k = 0; k < r->counts; k++)
		printf("%s %.1f", k ? "," : "", 1e-9*r->triad[k]);
	printf(" GB/s on");
	for (int k = 0; k < r->counts; k++)
		printf("%s %d", k ? "," : "", r->threads[k]);
	printf(" thread%s\n", r->counts == 1 && r->threads[0] == 1 ? "" : "s");
}

void bench_table_head(const bench_machine *machine, const bench_request *request)
{
	printf("talus " TALUS_VERSION ", %s, best of %d round%s\n", machine->compiler, request->rounds,
	       request->rounds == 1 ? "" : "s");
	machine_print(machine);
	triad_print(request);
	printf("  bare       a loop over the same contacts that only reads and writes what an update does\n\n");
	static const char format[] = "%-20s %7s %8s %6s %7s %7s %6s %6s %9s %7s %6s\n";
	printf(format, "", "", "", "", "", "updates", "ns per", "ns", "ms per", "outside", "speed-");
	printf(format, "scene", "grains", "contacts", "sweeps", "threads", "1e6/s", "update", "bare", "step",
	       "solver", "up");
	fflush(stdout);
}

static void number_cell(int width, int digits, double number, const char *unit)
{
	if (isfinite(number))
		printf(" %*.*f%s", width - (int)strlen(unit), digits, number, unit);
	else
		printf(" %*s", width, "-");
}

static void row_print(const bench_result *r, int k)
{
	const bench_row *row = &r->row[k];
	if (k == 0)
		printf("%-20s %7zu %8zu %6d", r->scene->name, r->grains, r->contacts, r->iterations);
	else
		printf("%44s", "");
	printf(" %7d", row->threads);
	number_cell(7, 1, 1e-6/row->update, "");
	number_cell(6, 1, 1e9*row->update, "");
	number_cell(6, 1, 1e9*row->bare, "");
	number_cell(9, row->step < 0.1 ? 2 : 1, 1e3*row->step, "");
	number_cell(7, 1, 100*row->other, " %");
	number_cell(6, 2, speed_up(r, k, false), "");
	putchar('\n');
}

void bench_table_rows(const bench_result *r)
{
	for (int k = 0; k < r->rows; k++)
		row_print(r, k);
	printf("  order %s, %s; hash %016llx after %d steps", r->order, r->simd, (unsigned long long)r->row[0].hash,
	       r->scene->warm);
	if (r->rows > 1)
		printf(", hashes %s to step %llu", r->agree ? "agree" : "DIFFER", (unsigned long long)r->steps_all);
	if (isfinite(r->memory))
		printf("; %.2f kB a grain", 1e-3*r->memory);
	putchar('\n');
	fflush(stdout);
}

// ---------------------------------------------------------------- JSON

static void json_field(const char *name, double number)
{
	printf(", \"%s\": ", name);
	json_number(stdout, number);
}

static void json_text_field(const char *name, const char *text)
{
	printf(", \"%s\": ", name);
	json_text(stdout, text);
}

static void json_machine(const bench_machine *m)
{
	static const char *const caches[] = {"cache_l1d", "cache_l2", "cache_l3"};
	printf(",\n  \"version\": \"" TALUS_VERSION "\", \"machine\": {\"processors\": %d", m->processors);
	json_text_field("processor", m->processor);
	for (int i = 0; i < 3; i++)
		json_field(caches[i], m->cache[i] > 0 ? m->cache[i] : NAN);
	json_text_field("compiler", m->compiler);
	printf("}");
}

void bench_json_rows(const bench_result *r, const bench_machine *machine, bool first)
{
	for (int k = 0; k < r->rows; k++) {
		const bench_row *row = &r->row[k];
		printf("%s\n {\"scene\": \"%s\", \"threads\": %d", first && k == 0 ? "" : ",", r->scene->name,
		       row->threads);
		json_text_field("order", r->order);
		json_text_field("simd", r->simd);
		printf(", \"grains\": %zu, \"contacts\": %zu, \"iterations\": %d, \"rounds\": %d, "
		       "\"steps_per_round\": %d",
		       r->grains, r->contacts, r->iterations, r->rounds, r->steps);
		fputs(",\n  \"updates_per_second\": ", stdout);
		json_number(stdout, 1/row->update);
		json_field("ns_per_update", 1e9*row->update);
		json_field("bare_ns", 1e9*row->bare);
		json_field("ms_per_step", 1e3*row->step);
		json_field("share_outside_solver", row->other);
		json_field("speed_up", speed_up(r, k, false));
		json_field("speed_up_solver", speed_up(r, k, true));
		json_field("triad_gb_per_second", 1e-9*row->triad);
		json_field("bytes_per_grain", r->memory);
		printf(",\n  \"hash\": \"%016llx\", \"hash_step\": %d, \"hash_end\": \"%016llx\", "
		       "\"hash_end_step\": %llu, \"hashes_agree\": %s",
		       (unsigned long long)row->hash, r->scene->warm, (unsigned long long)row->hash_end,
		       (unsigned long long)r->steps_all, r->agree ? "true" : "false");
		json_machine(machine);
		fputs("}", stdout);
	}
	fflush(stdout);
}

// ---------------------------------------------------------------- CSV

static void csv_text(FILE *out, const char *text)
{
	putc('"', out);
	for (; *text; text++) {
		if (*text == '"')
			putc('"', out);
		putc(*text, out);
	}
	putc('"', out);
}

bool bench_csv_rows(FILE *out, const bench_result *r, const bench_machine *m)
{
	char date[32];
	time_t now = time(NULL);
	struct tm parts;
	strftime(date, sizeof date, "%Y-%m-%d", gmtime_r(&now, &parts));
	if (fseek(out, 0, SEEK_END) == 0 && ftell(out) == 0)
		fputs("date,machine,processors,compiler,version,scene,grains,contacts,iterations,order,simd,threads,"
		      "updates_per_second,ns_per_update,ms_per_step,share_outside_solver,hash,bare_ns,"
		      "triad_gb_per_second,bytes_per_grain\n", out);
	for (int k = 0; k < r->rows; k++) {
		const bench_row *row = &r->row[k];
		fprintf(out, "%s,", date);
		csv_text(out, m->processor);
		fprintf(out, ",%d,", m->processors);
		csv_text(out, m->compiler);
		fprintf(out, "," TALUS_VERSION ",%s,%zu,%zu,%d,%s,%s,%d,", r->scene->name, r->grains, r->contacts,
		        r->iterations, r->order, r->simd, row->threads);
		fprintf(out, "%.4g,%.4g,%.4g,%.3f,%016llx,%.4g,%.4g,", 1/row->update, 1e9*row->update, 1e3*row->step,
		        row->other, (unsigned long long)row->hash, 1e9*row->bare, 1e-9*row->triad);
		if (isfinite(r->memory))
			fprintf(out, "%.0f", r->memory);
		putc('\n', out);
	}
	return fflush(out) == 0 && !ferror(out);
}
