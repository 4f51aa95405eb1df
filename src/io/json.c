// SPDX-License-Identifier: MIT
// JSON: texts and numbers as it wants them, and whether a file of it is whole.
#include "io/files.h"

#include "base/utf8.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

// Names of files are any bytes. Those that are no UTF-8 become U+FFFD.
void json_text(FILE *out, const char *text)
{
	fputc('"', out);
	for (size_t length; *text; text += length ? length : 1) {
		length = utf8_next(text);
		if (*text == '"' || *text == '\\')
			fprintf(out, "\\%c", *text);
		else if (length == 1 && (*text < 0x20 || *text == 0x7f))
			fprintf(out, "\\u%04x", (unsigned)*text);
		else if (!length)
			fputs("\\ufffd", out);
		else
			fwrite(text, 1, length, out);
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

// ---------------------------------------------------------------- is it whole?

enum { DEEPEST = 64 }; // ours has four levels; a damaged one must not cost us the stack

static const char *value_end(const char *at, int depth);

static const char *blanks_end(const char *at)
{
	return at + strspn(at, " \t\r\n");
}

static const char *escape_end(const char *at)
{
	if (*at != 'u')
		return *at && strchr("\"\\/bfnrt", *at) ? at + 1 : NULL;
	for (int i = 1; i <= 4; i++)
		if (!isxdigit((unsigned char)at[i]))
			return NULL;
	return at + 5;
}

// All of these return the place behind what begins at `at`, NULL if it is not whole.
static const char *text_end(const char *at)
{
	if (*at++ != '"')
		return NULL;
	while (at && *at != '"') {
		size_t length = utf8_next(at);
		if ((unsigned char)*at < 0x20 || !length)
			return NULL;
		at = *at == '\\' ? escape_end(at + 1) : at + length;
	}
	return at ? at + 1 : NULL;
}

static const char *digits_end(const char *at)
{
	size_t count = strspn(at, "0123456789");
	return count ? at + count : NULL;
}

static const char *number_end(const char *at)
{
	at += *at == '-';
	at = *at == '0' ? at + 1 : digits_end(at);
	if (at && *at == '.')
		at = digits_end(at + 1);
	if (at && (*at == 'e' || *at == 'E'))
		at = digits_end(at + 1 + (at[1] == '-' || at[1] == '+'));
	return at;
}

// [value, ...] or {"key": value, ...}
static const char *list_end(const char *at, char close, int depth)
{
	at = blanks_end(at + 1);
	if (*at == close)
		return at + 1;
	for (;; at = blanks_end(at + 1)) {
		if (close == '}') {
			at = text_end(at);
			at = at ? blanks_end(at) : "";
			if (*at != ':')
				return NULL;
			at = blanks_end(at + 1);
		}
		at = value_end(at, depth + 1);
		if (!at)
			return NULL;
		at = blanks_end(at);
		if (*at == close)
			return at + 1;
		if (*at != ',')
			return NULL;
	}
}

static const char *value_end(const char *at, int depth)
{
	static const char *const words[] = {"true", "false", "null"};
	if (depth > DEEPEST)
		return NULL;
	if (*at == '{' || *at == '[')
		return list_end(at, *at == '{' ? '}' : ']', depth);
	if (*at == '"')
		return text_end(at);
	for (size_t i = 0; i < sizeof words/sizeof words[0]; i++)
		if (strncmp(at, words[i], strlen(words[i])) == 0)
			return at + strlen(words[i]);
	return number_end(at);
}

bool json_is_whole(const char *text)
{
	const char *at = blanks_end(text);
	at = *at == '{' ? value_end(at, 0) : NULL;
	return at && !*blanks_end(at);
}
