// SPDX-License-Identifier: MIT
// The keys of a scene as a list, for documentation made from the tables that the parser uses.
#ifndef TALUS_IO_SCENE_DOC_H
#define TALUS_IO_SCENE_DOC_H

#include <talus/extend.h>

#define SCENE_DOC_PATH 200

typedef struct scene_doc_row {
	const talus_field *field;
	const talus_field *table; // it stands in
	int depth;                // 0 at the top
	char path[SCENE_DOC_PATH]; // dotted, with N for the number of an entry and NAME for a name
	char plain[SCENE_DOC_PATH]; // the same without N and NAME
} scene_doc_row;

// All keys in the order of the tables. The caller frees them.
scene_doc_row *scene_doc_rows(int *count);

// Whether `name`, a key or the end of a dotted path, means this row.
bool scene_doc_means(const scene_doc_row *row, const char *name);

// Facts in words, each "" if there is nothing to say.
typedef struct scene_doc_facts {
	char value[160];    // what is written there
	char unit[64];
	char fallback[128]; // default, "required", "one of ..."
	char range[96];
} scene_doc_facts;

scene_doc_facts scene_doc_tell(const scene_doc_row *row);

#endif
