// SPDX-License-Identifier: MIT
// The tables that describe every key of a scene, and the readers of keys that take more than one form.
#ifndef TALUS_IO_SCENE_TABLES_H
#define TALUS_IO_SCENE_TABLES_H

#include "base/fields.h"
#include "io/scene_read.h"

#define SCENE_MATERIALS_MAX 1000

extern const talus_field scene_fields[]; // the whole scene; all others hang on it

extern const talus_field scene_material_fields[];
extern const talus_field scene_contact_fields[];
extern const talus_field scene_cell_fields[];
extern const talus_field scene_grains_fields[];
extern const talus_field scene_sizes_fields[];
extern const talus_field scene_region_fields[];
extern const talus_field scene_wall_fields[];
extern const talus_field scene_domain_fields[];
extern const talus_field scene_method_fields[];
extern const talus_field scene_solver_fields[];
extern const talus_field scene_until_fields[];
extern const talus_field scene_output_fields[];

// The form of every custom reader, see talus_field.
#define SCENE_READER(name) \
	bool name(talus_reader *reader, const scene_node *node, void *target, const talus_field *field)

SCENE_READER(scene_read_materials);
SCENE_READER(scene_read_contacts);
SCENE_READER(scene_read_material); // a reference to one: an int
SCENE_READER(scene_read_cell);
SCENE_READER(scene_read_box);
SCENE_READER(scene_read_region);
SCENE_READER(scene_read_sizes);
SCENE_READER(scene_read_grains);
void scene_grains_free(scene_grains *entry);
SCENE_READER(scene_read_walls);
SCENE_READER(scene_read_domain);
SCENE_READER(scene_read_until);
SCENE_READER(scene_read_solver);
SCENE_READER(scene_read_log);
SCENE_READER(scene_read_later); // checked, then refused as not available in this version

// Every two materials that can meet must have an entry in `contacts`.
bool scene_check_pairs(talus_reader *reader);

// A piece of field definitions; others are in base/fields.h.
#define MATERIAL(of) \
	{.name = "material", .meaning = "name of its material", .type = TALUS_FIELD_CUSTOM, AT(of, material), \
		.form = "name", .fallback = "the only one, if just one is declared", .read = scene_read_material}

#endif
