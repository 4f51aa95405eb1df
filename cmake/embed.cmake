# SPDX-License-Identifier: MIT
# Writes the default scene INPUT as a C array into OUTPUT. An array, because a string literal has a length limit; character
# constants, because they convert to char without a warning whatever the byte.
file(READ ${INPUT} bytes HEX)
string(REGEX REPLACE "(..)" "'\\\\x\\1'," bytes "${bytes}")
set(piece "'....',")
string(REGEX REPLACE "(${piece}${piece}${piece}${piece}${piece}${piece}${piece}${piece})" "\\1\n\t" bytes "${bytes}")
file(WRITE ${OUTPUT}
	"// Made from examples/heap/scene.yaml by cmake/embed.cmake.\n"
	"#include \"cli.h\"\n\n"
	"const char talus_default_scene[] = {\n\t${bytes}0};\n")
