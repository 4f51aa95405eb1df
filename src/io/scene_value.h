// SPDX-License-Identifier: MIT
// Single values of a scene, by the type of their field.
#ifndef TALUS_IO_SCENE_VALUE_H
#define TALUS_IO_SCENE_VALUE_H

#include "io/scene_read.h"

bool scene_value_read(talus_reader *reader, const scene_node *node, const talus_field *field, void *target);
bool scene_value_default(talus_reader *reader, const talus_field *field, void *target);
bool scene_is_number(const char *text);
bool scene_check_names(talus_reader *reader,
	const scene_node *node); // no key twice, whatever they are called

#endif
