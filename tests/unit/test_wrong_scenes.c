// SPDX-License-Identifier: MIT
// Every wrong scene of tests/cli/wrong_scenes.txt is refused with exactly the sentence that stands there.
#include "io/scene.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROOM = 1 << 14, LINE = 2048, LEAST_CASES = 180 };

typedef struct wrong {
	char what[LINE];
	char old[ROOM], fresh[ROOM], whole[ROOM];
	bool replaces, is_whole;
	char override[LINE];
} wrong;

typedef struct suite {
	char base[ROOM];
	int cases, failures;
} suite;

static void add_line(char *text, const char *line)
{
	assert_true(strlen(text) + strlen(line) + 2 < ROOM);
	if (*text)
		strcat(text, "\n");
	strcat(text, line);
}

// The base with the old text replaced, or the whole text.
static void make_text(const suite *s, const wrong *w, char *text)
{
	strcpy(text, w->is_whole ? w->whole : s->base);
	if (!w->replaces)
		return;
	char *place = strstr(text, w->old);
	if (!place || strstr(place + 1, w->old))
		fail_msg("case %s: its old text stands %s in the base", w->what, place ? "more than once" :
			"nowhere");
	char rest[ROOM];
	strcpy(rest, place + strlen(w->old));
	assert_true(strlen(text) + strlen(w->fresh) < ROOM);
	strcpy(place, w->fresh);
	strcat(text, rest);
}

static void say(const talus_error *error, char *sentence, size_t size)
{
	if (error->line)
		snprintf(sentence, size, "%s:%d:%d: %s", error->file, error->line, error->column,
			error->text);
	else
		snprintf(sentence, size, "%s: %s", error->file, error->text);
}

static void check_case(suite *s, const wrong *w, const char *wanted)
{
	static char text[ROOM];
	char got[8192];
	const char *override = w->override;
	talus_error error;
	make_text(s, w, text);
	scene *made = scene_read_text(text, "scene.yaml", &override, *override ? 1 : 0, &error);
	talus_world *world = made ? scene_build(made, false, &error) : NULL; // some are seen only with all grains in place
	if (world)
		snprintf(got, sizeof got, "(no error)");
	else
		say(&error, got, sizeof got);
	talus_world_destroy(world);
	scene_free(made);
	s->cases++;
	if (strcmp(got, wanted)) {
		s->failures++;
		print_error("case %s\n  wanted %s\n  got    %s\n", w->what, wanted, got);
	}
}

static void check_base(const char *text)
{
	talus_error error;
	scene *s = scene_read_text(text, "base", NULL, 0, &error);
	if (!s)
		fail_msg("a base scene is wrong at %d:%d: %s", error.line, error.column, error.text);
	scene_free(s);
}

static void read_line(suite *s, wrong *w, const char *line)
{
	const char *rest = line[0] && line[1] == ' ' ? line + 2 : "";
	if (!strncmp(line, "case ", 5)) {
		*w = (wrong){0};
		snprintf(w->what, sizeof w->what, "%s", line + 5);
	} else if (*line == '-') {
		w->replaces = true;
		add_line(w->old, rest);
	} else if (*line == '+') {
		add_line(w->fresh, rest);
	} else if (*line == '>') {
		w->is_whole = true;
		add_line(w->whole, rest);
	} else if (*line == '!') {
		snprintf(w->override, sizeof w->override, "%s", rest);
	} else if (*line == '=') {
		check_case(s, w, rest);
	} else if (*line && *line != '#') {
		fail_msg("a line that means nothing: %s", line);
	}
}

static void wrong_scenes_are_refused_with_their_sentences(void **state)
{
	(void)state;
	static suite s;
	static wrong w;
	char line[LINE];
	bool in_base = false;
	FILE *file = fopen(TALUS_SOURCE "/tests/cli/wrong_scenes.txt", "r");
	assert_non_null(file);
	while (fgets(line, sizeof line, file)) {
		line[strcspn(line, "\n")] = 0;
		if (!strncmp(line, "base ", 5)) {
			in_base = true;
			*s.base = 0;
		} else if (in_base && !strcmp(line, "end")) {
			in_base = false;
			check_base(s.base);
		} else if (in_base) {
			add_line(s.base, line);
		} else {
			read_line(&s, &w, line);
		}
	}
	fclose(file);
	assert_int_equal(s.failures, 0);
	assert_true(s.cases >= LEAST_CASES); // the file was read to its end
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(wrong_scenes_are_refused_with_their_sentences)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
