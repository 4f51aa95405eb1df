#!/bin/bash
# SPDX-License-Identifier: MIT
# test_install.sh static|shared BUILD SOURCE: installs into a fresh prefix, builds the README's C program against it through
# pkg-config, runs it, and asks the installed program for its version of the default scene.
set -euo pipefail
linkage=$1 build=$2 source=$3
prefix=$(mktemp -d)
trap 'rm -rf "$prefix"' EXIT
fail() { echo "install: $*" >&2; exit 1; }

cmake --install "$build" --prefix "$prefix" >/dev/null
pc=$(find "$prefix" -name talus.pc)
[ -n "$pc" ] || fail "no talus.pc"
export PKG_CONFIG_PATH=${pc%/*}
libdir=$(pkg-config --variable=libdir talus)
version=$(sed -n 's/^#define TALUS_VERSION "\(.*\)"/\1/p' "$source/include/talus/talus.h")
[ "$(pkg-config --modversion talus)" = "$version" ] || fail "talus.pc has another version than talus.h"

# The first C block of the README, word for word.
awk '/^```c$/ {inside = 1; next} /^```/ {if (inside) exit} inside' "$source/README.md" >"$prefix/hello.c"
[ -s "$prefix/hello.c" ] || fail "no C program in README.md"

cd "$prefix"
cflags=$(pkg-config --cflags talus)
if [ "$linkage" = static ]; then
	rm "$libdir"/libtalus.so*
	libs=$(pkg-config --static --libs talus)
else
	rm "$libdir"/libtalus.a
	libs=$(pkg-config --libs talus)
	export LD_LIBRARY_PATH=$libdir
fi
# shellcheck disable=SC2086 # flags are lists of words
$CC -std=c11 -Wall -Wextra -Werror $CFLAGS hello.c -o hello $cflags $libs
./hello

needed=$(objdump -p hello | sed -n 's/.*NEEDED *//p' | grep '^libtalus' || true)
case $linkage in
static) [ -z "$needed" ] || fail "linked to $needed" ;;
shared) [ "$needed" = "libtalus.so.${version%.*}" ] || fail "linked to '$needed', not to the soname" ;;
esac

# Outside only our own names are to be seen, and every header stands alone.
if [ "$linkage" = shared ]; then
	strangers=$(nm -D --defined-only "$libdir/libtalus.so" | awk '$3 !~ /^talus_/ {print $3}')
	[ -z "$strangers" ] || fail "libtalus.so shows" $strangers
fi
for header in "$prefix"/include/talus/*.h; do
	$CC -std=c11 -Wall -Wextra -Werror -fsyntax-only $cflags -x c "$header" || fail "${header##*/} does not stand alone"
done

# No path to libraries in program and library, neither where they were built nor where they are installed; addresses are fixed before
# the program starts, in pages that cannot be written then; the stack is no place for programs.
for binary in "$build/talus" "$build/libtalus.so" "$prefix/bin/talus" "$libdir/libtalus.so"; do
	[ -e "$binary" ] || continue
	dynamic=$(readelf -dW "$binary") parts=$(readelf -lW "$binary")
	grep -q NEEDED <<<"$dynamic" || fail "readelf cannot read $binary"
	! grep -E 'RPATH|RUNPATH' <<<"$dynamic" || fail "${binary##*/} looks for libraries in a folder of its own"
	grep -q 'FLAGS.*BIND_NOW\|FLAGS_1.*NOW' <<<"$dynamic" || fail "${binary##*/} finds its functions while it runs"
	grep -q 'GNU_RELRO' <<<"$parts" || fail "${binary##*/}: addresses of functions can be overwritten"
	grep -q 'GNU_STACK.* RW ' <<<"$parts" || fail "${binary##*/}: the stack can be executed"
done
grep -q 'FLAGS_1.*PIE' <<<"$(readelf -dW "$prefix/bin/talus")" || fail "the program lies at a fixed address"
if [ -z "$CFLAGS" ]; then # sanitizers have better ways
	checks=$(nm -D "$prefix/bin/talus")
	grep -q ' __stack_chk_fail' <<<"$checks" || fail "nobody looks after the stack"
	grep -q ' __snprintf_chk' <<<"$checks" || fail "nobody looks after buffers"
fi

"$prefix/bin/talus" --help >/dev/null || fail "the installed program does not start"
