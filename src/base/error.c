// SPDX-License-Identifier: MIT
#include "base/error.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static void say(talus_error *error, const char *file, int line, int column, const char *format, va_list list)
{
	if (!error)
		return;
	memset(error, 0, sizeof *error);
	snprintf(error->file, sizeof error->file, "%s", file);
	error->line = line;
	error->column = column;
	vsnprintf(error->text, sizeof error->text, format, list);
}

bool error_set(talus_error *error, const char *format, ...)
{
	va_list list;
	va_start(list, format);
	say(error, "", 0, 0, format, list);
	va_end(list);
	return false;
}

bool error_nearest(talus_error *error, const char *name)
{
	if (error)
		snprintf(error->nearest, sizeof error->nearest, "%s", name ? name : "");
	return false;
}

bool error_path(talus_error *error, const char *format, ...)
{
	va_list list;
	va_start(list, format);
	if (error)
		vsnprintf(error->path, sizeof error->path, format, list);
	va_end(list);
	return false;
}

bool error_at(talus_error *error, const char *file, int line, int column, const char *format, ...)
{
	va_list list;
	va_start(list, format);
	say(error, file, line, column, format, list);
	va_end(list);
	return false;
}
