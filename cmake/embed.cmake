# SPDX-License-Identifier: MIT
# Writes a scene INPUT as a C array NAME into OUTPUT. An array, because a string literal has a length limit; character
# constants, because they convert to char without a warning whatever the byte.
file(READ ${INPUT} bytes HEX)
string(REGEX REPLACE "(..)" "'\\\\x\\1'," bytes "${bytes}")
set(piece "'....',")
string(REGEX REPLACE "(${piece}${piece}${piece}${piece}${piece}${piece}${piece}${piece})" "\\1\n\t" bytes "${bytes}")
file(WRITE ${OUTPUT}
	"// Made from a scene by cmake/embed.cmake.\n"
	"#include \"cli.h\"\n\n"
	"const char ${NAME}[] = {\n\t${bytes}0};\n")
