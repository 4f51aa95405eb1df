// SPDX-License-Identifier: MIT
// What a run tells whoever has started it. The library prints nothing: this is its only voice.
#include "api/api.h"
#include "run/run.h"

#include <stdarg.h>
#include <stdio.h>

static void tell(talus_run *run, talus_event *event)
{
	if (!run->call)
		return;
	if (run->world) {
		event->time = run->world->state.time;
		event->step = run->world->state.step;
	}
	run->calling = true;
	if (run->world)
		api_of(run->world)->told_by = true;
	run->call(run->context, run, event);
	if (run->world)
		api_of(run->world)->told_by = false;
	run->calling = false;
}

void run_tell(talus_run *run, talus_event_kind kind, const char *code, const char *format, ...)
{
	char message[1024];
	va_list list;
	va_start(list, format);
	vsnprintf(message, sizeof message, format, list);
	va_end(list);
	tell(run, &(talus_event){.kind = kind, .code = code, .message = message});
}

void run_tell_step(talus_run *run)
{
	tell(run, &(talus_event){.kind = TALUS_EVENT_STEP, .code = "step", .message = ""});
}

void run_tell_output(talus_run *run, const char *file)
{
	tell(run, &(talus_event){.kind = TALUS_EVENT_OUTPUT, .code = file, .message = ""});
}

void run_tell_error(talus_run *run, const char *code, const talus_error *error)
{
	tell(run, &(talus_event){.kind = TALUS_EVENT_ERROR, .code = code, .message = error->text, .error = error});
}

void run_tell_warnings(talus_run *run, const warnings *w)
{
	for (int i = 0; i < w->count; i++)
		if (!w->told[i])
			tell(run, &(talus_event){.kind = TALUS_EVENT_WARNING, .code = w->list[i].code, .message = w->list[i].message});
}
