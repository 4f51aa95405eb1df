// SPDX-License-Identifier: MIT
// The table of classes, in the order in which a table of contacts has them.
#include "solve/classes.h"

const contact_class *const contact_classes[TALUS_CLASSES] = {
	[TALUS_COULOMB] = &class_coulomb, [TALUS_EXTENDED] = &class_extended, [TALUS_FULL_MASS] = &class_full_mass,
};
