// SPDX-License-Identifier: MIT
// What experiments have found: on the terminal, and as DIR/report.md.
#include "reproduce.h"
#include "base/memory.h"

#include "cli.h"
#include "io/files.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static finding *add(reproduction *r, double value, double low, double high, const char *what, va_list words)
{
	if (r->findings == FINDINGS_MOST)
		memory_lost();
	finding *f = &r->finding[r->findings++];
	*f = (finding){.value = value, .low = low, .high = high};
	vsnprintf(f->what, sizeof f->what, what, words);
	return f;
}

void found_within(reproduction *r, double value, double expected, double tolerance, const char *what, ...)
{
	va_list words;
	va_start(words, what);
	add(r, value, expected - tolerance, expected + tolerance, what, words);
	va_end(words);
}

void found_between(reproduction *r, double value, double low, double high, const char *what, ...)
{
	va_list words;
	va_start(words, what);
	add(r, value, low, high, what, words);
	va_end(words);
}

void found(reproduction *r, double value, const char *what, ...)
{
	va_list words;
	va_start(words, what);
	add(r, value, -INFINITY, INFINITY, what, words);
	va_end(words);
}

void found_unmet(reproduction *r, double value, double low, double high, double known_low, double known_high, const char *what, ...)
{
	va_list words;
	va_start(words, what);
	finding *f = add(r, value, low, high, what, words);
	va_end(words);
	f->known = true;
	f->known_low = known_low;
	f->known_high = known_high;
}

verdict finding_verdict(const finding *f)
{
	if (isinf(f->low) && isinf(f->high))
		return REPORTED;
	if (f->value >= f->low && f->value <= f->high)
		return RIGHT;
	return f->known && f->value >= f->known_low && f->value <= f->known_high ? NOT_MET : WRONG;
}

int found_figure(reproduction *r, figure *f, const char *file, const char *caption)
{
	char path[TALUS_PATH_MAX];
	talus_error error;
	if (!draw_plot_built()) {
		figure_free(f);
		return EXIT_DONE;
	}
	figure_name *name = &r->figure[r->figures++];
	snprintf(name->file, sizeof name->file, "%s", file);
	snprintf(name->caption, sizeof name->caption, "%s", caption);
	bool ok = folder_path(path, r->folder, file, &error) && figure_draw(f, path, &error);
	figure_free(f);
	return ok ? EXIT_DONE : cli_error(&error, EXIT_FAILED);
}

// ---------------------------------------------------------------- as text

static void limits_text(char text[64], const finding *f)
{
	if (isinf(f->low) && isinf(f->high))
		snprintf(text, 64, "reported");
	else if (isinf(f->high))
		snprintf(text, 64, "above %.5g", f->low);
	else if (isinf(f->low))
		snprintf(text, 64, "below %.5g", f->high);
	else
		snprintf(text, 64, "%.5g to %.5g", f->low, f->high);
}

static const char *verdict_text(const finding *f)
{
	static const char *const text[] = {[REPORTED] = "", [RIGHT] = "ok", [NOT_MET] = "not met", [WRONG] = "WRONG"};
	return text[finding_verdict(f)];
}

void report_print(const experiment *e, const reproduction *r, const char *above)
{
	printf("\n%s: %s\n", e->name, e->meaning);
	for (int i = 0; i < r->findings; i++) {
		char limits[64];
		limits_text(limits, &r->finding[i]);
		printf("  %-7s %12.6g  %-22s %s\n", verdict_text(&r->finding[i]), r->finding[i].value, limits, r->finding[i].what);
	}
	printf("  limits: %s\n", e->limits);
	for (int i = 0; i < r->figures; i++)
		printf("  figure %s/%s/%s\n", above, e->name, r->figure[i].file);
	fflush(stdout);
}

static void part_write(FILE *out, const experiment *e, const reproduction *r)
{
	fprintf(out, "\n## %s\n\n%s.\n\nLimits: %s.\n\n| what | found | limits | |\n|---|---|---|---|\n", e->name, e->meaning, e->limits);
	for (int i = 0; i < r->findings; i++) {
		char limits[64];
		limits_text(limits, &r->finding[i]);
		fprintf(out, "| %s | %.6g | %s | %s |\n", r->finding[i].what, r->finding[i].value, limits, verdict_text(&r->finding[i]));
	}
	fputs(r->tables ? r->tables : "", out);
	for (int i = 0; i < r->figures; i++)
		fprintf(out, "\n![%s](%s/%s)\n\n%s.\n", r->figure[i].caption, e->name, r->figure[i].file, r->figure[i].caption);
}

bool report_write(const char *above, const experiment *const *e, const reproduction *r, int count, talus_error *error)
{
	char *text = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&text, &size);
	if (!out)
		memory_lost();
	fprintf(out, "# Reproduced by talus " TALUS_VERSION "%s\n", r->quick ? ", quick version" : "");
	for (int i = 0; i < count; i++)
		part_write(out, e[i], &r[i]);
	fclose(out);
	bool ok = file_replace(above, "report.md", text, size, error);
	free(text);
	return ok;
}
