// SPDX-License-Identifier: MIT
// Messages to the user: errors with their place, wrong options with the name that was meant.
#define _GNU_SOURCE // vasprintf
#include "message.h"

#include "base/memory.h"
#include "base/nearest.h"
#include "base/utf8.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void message_text(FILE *out, const char *text)
{
	for (size_t length; *text; text += length ? length : 1) {
		const unsigned char *c = (const unsigned char *)text;
		length = utf8_next(text);
		bool control = c[0] < 0x20 || c[0] == 0x7f, late = c[0] == 0xc2 && length == 2 && c[1] < 0xa0; // U+0080 to U+009F
		if (length && !control && !late)
			fwrite(text, 1, length, out);
		else if (*c == '\n' || *c == '\t')
			fprintf(out, "\\%c", *c == '\n' ? 'n' : 't');
		else
			fprintf(out, "\\x%02x", late ? c[1] : c[0]);
	}
}

int cli_error(const talus_error *error, int code)
{
	fputs("talus: ", stderr);
	if (error->file[0]) {
		message_text(stderr, error->file);
		if (error->line > 0)
			fprintf(stderr, ":%d", error->line);
		if (error->line > 0 && error->column > 0)
			fprintf(stderr, ":%d", error->column);
		fputs(": ", stderr);
	}
	message_text(stderr, error->text);
	fputc('\n', stderr);
	return code;
}

int cli_wrong(const char *format, ...)
{
	char *text = NULL;
	va_list list;
	va_start(list, format);
	if (vasprintf(&text, format, list) < 0)
		memory_lost();
	va_end(list);
	fputs("talus: ", stderr);
	message_text(stderr, text);
	fputc('\n', stderr);
	free(text);
	return EXIT_WRONG;
}

const char *cli_nearest(const char *word, const char *const *names)
{
	return nearest_name(word, names);
}

// ---------------------------------------------------------------- options

enum { OPTIONS_MOST = 32 };

static size_t name_length(const char *word)
{
	return strcspn(word + 2, "=");
}

static bool is_name(const char *word, const char *name)
{
	return strlen(name) == name_length(word) && strncmp(word + 2, name, strlen(name)) == 0;
}

static bool is_known(const char *word, const struct option *options)
{
	while (options->name && !is_name(word, options->name))
		options++;
	return options->name;
}

static int unknown_long(const char *command, const char *word, const struct option *options)
{
	const char *names[OPTIONS_MOST + 1] = {NULL}, *longer = NULL;
	for (int i = 0; i < OPTIONS_MOST && options[i].name; i++) {
		names[i] = options[i].name;
		if (!longer && strncmp(names[i], word + 2, name_length(word)) == 0)
			longer = names[i];
	}
	char name[64];
	snprintf(name, sizeof name, "%.*s", (int)name_length(word), word + 2);
	const char *meant = nearest_name(name, names);
	if (meant || (longer && *name))
		return cli_wrong("%s: there is no option --%s; did you mean --%s?", command, name, meant ? meant : longer);
	return cli_wrong("%s: there is no option --%s; see talus %s --help", command, name, command);
}

int message_next_option(int argc, char **argv, const char *letters, const struct option *options)
{
	int found = -1, answer = getopt_long(argc, argv, letters, options, &found);
	if (found < 0 || answer == '?' || answer == ':')
		return answer;
	bool apart = optarg && optarg == argv[optind - 1]; // the value is a word of its own
	if (is_name(argv[optind - 1 - apart], options[found].name))
		return answer;
	optind -= apart; // the word before it is the one that was refused
	optopt = 0;
	return '?';
}

int message_wrong_option(const char *command, char **argv, int answer, const struct option *options)
{
	const char *word = argv[optind - 1];
	bool is_long = strncmp(word, "--", 2) == 0;
	if (is_long && !is_known(word, options))
		return unknown_long(command, word, options);
	if (answer == ':')
		return cli_wrong("%s: the option %s needs a value; see talus %s --help", command, word, command);
	if (is_long)
		return cli_wrong("%s: the option %.*s takes no value", command, (int)strcspn(word, "="), word);
	return cli_wrong("%s: there is no option -%c; see talus %s --help", command, optopt, command);
}

int message_too_many(const char *command, const char *word)
{
	return cli_wrong("%s: one word too many: %s; see talus %s --help", command, word, command);
}

int message_missing(const char *command, const char *what)
{
	return cli_wrong("%s: %s is missing; see talus %s --help", command, what, command);
}

// ---------------------------------------------------------------- numbers

// Quotes where a shell would see more than a word.
static void word_add(FILE *out, const char *word)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./=:,+-@%";
	if (*word && strspn(word, plain) == strlen(word)) {
		fprintf(out, " %s", word);
		return;
	}
	fputs(" '", out);
	for (; *word; word++)
		fputs(*word == '\'' ? "'\\''" : (char[]){*word, 0}, out);
	fputc('\'', out);
}

void message_command(char *text, size_t size, int argc, char **argv)
{
	memset(text, 0, size);
	FILE *out = fmemopen(text, size - 1, "w");
	if (!out)
		return;
	setbuf(out, NULL);
	fputs("talus", out);
	for (int i = 0; i < argc; i++)
		word_add(out, argv[i]);
	fclose(out);
}

bool text_to_int(const char *text, int least, int most, int *number)
{
	char *end;
	errno = 0;
	long value = strtol(text, &end, 10);
	if (end == text || *end || errno || value < least || value > most)
		return false;
	*number = (int)value;
	return true;
}

bool text_to_double(const char *text, double *number)
{
	char *end;
	*number = strtod(text, &end);
	return end != text && !*end && isfinite(*number);
}
