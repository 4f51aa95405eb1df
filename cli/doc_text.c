// SPDX-License-Identifier: MIT
#include "doc_text.h"

#include <stdio.h>
#include <string.h>

void doc_key(const char *key, int indent)
{
	int used = printf("%*s%s", indent, "", key);
	if (used > DOC_KEY_WIDTH - 2)
		printf("\n%*s", DOC_KEY_WIDTH, "");
	else
		printf("%*s", DOC_KEY_WIDTH - used, "");
}

void doc_wrapped(const char *text)
{
	int used = 0;
	while (*text) {
		int word = (int)strcspn(text, " ");
		if (used && used + 1 + word > DOC_TEXT_WIDTH) {
			printf("\n%*s", DOC_KEY_WIDTH, "");
			used = 0;
		}
		printf("%s%.*s", used ? " " : "", word, text);
		used += word + (used ? 1 : 0);
		text += word;
		text += strspn(text, " ");
	}
	printf("\n");
}

void doc_cell(const char *text, bool code)
{
	printf(code ? "| `" : "| ");
	for (; *text; text++)
		printf(*text == '|' ? "\\|" : "%c", *text);
	printf(code ? "` " : " ");
}
