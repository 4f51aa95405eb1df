# SPDX-License-Identifier: MIT
# Writes talus_commit.h with the commit that is built, if it is another one than before: cmake -DSOURCE=... -DHEADER=... -P commit.cmake
set(commit unknown)
find_package(Git QUIET)
if(GIT_FOUND AND EXISTS ${SOURCE}/.git)
	execute_process(COMMAND ${GIT_EXECUTABLE} -C ${SOURCE} describe --always --dirty --abbrev=12 --exclude=*
		OUTPUT_VARIABLE found OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET RESULT_VARIABLE failed)
	if(NOT failed AND found)
		set(commit ${found})
	endif()
endif()
set(text "#define TALUS_COMMIT \"${commit}\"\n")
if(EXISTS ${HEADER})
	file(READ ${HEADER} before)
endif()
if(NOT "${before}" STREQUAL "${text}")
	file(WRITE ${HEADER} "${text}")
endif()
