#!/bin/bash
# SPDX-License-Identifier: MIT
# test_install.sh static|shared BUILD SOURCE: installs into a fresh prefix, builds the README's C program against it through
# pkg-config and through CMake's find_package, runs it, and looks at the installed program.
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
grep -qx "version: $version" "$source/CITATION.cff" || fail "CITATION.cff has another version than talus.h"

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

# Those of docs/c-api.md say themselves whether they came to what they should.
awk '/^```c$/ {inside = 1; n++; next} /^```/ {inside = 0} inside {print > ("program" n ".c")}' "$source/docs/c-api.md"
[ -s program3.c ] || fail "docs/c-api.md has fewer than three programs"
for program in program?.c; do
	# shellcheck disable=SC2086
	$CC -std=c11 -Wall -Wextra -Werror $CFLAGS "$program" -o "${program%.c}" $cflags $libs -lm
	"./${program%.c}" || fail "a program of docs/c-api.md does not do what it says"
done

# The program of docs/runs-from-c.md: it starts a run, finds it complete when it is called again, and says what is wrong with a scene.
awk '/^```c$/ {inside = 1; next} /^```/ {if (inside) exit} inside' "$source/docs/runs-from-c.md" >run.c
$CC -std=c11 -Wall -Wextra -Werror $CFLAGS run.c -o run $cflags $libs
cat >ball.yaml <<END
gravity: [0, 0, -1]
materials: {glass: {density: 1}}
contacts: [{between: [glass, glass], friction: 0.3}]
grains: [{grain: {at: [0, 0, 1], radius: 0.5, material: glass}}]
walls: {floor: {plane: {point: [0, 0, 0], normal: [0, 0, 1]}, material: glass}}
method: {contact_dynamics: {step: 0.01}}
run: {until: {time: 2}}
output: {frames: {every: 0.5}}
END
./run ball.yaml ball >first.txt || fail "the program of runs-from-c.md does not run"
grep -qx 'ball: done at step 200' first.txt || fail "it does not tell its end"
grep -q ', 5 frames$' first.txt || fail "it does not count its frames"
grep -q "\"state_hash\": \"$(sed -n 's/^hash //p' first.txt)\"" ball/summary.json || fail "its hash is not that of the summary"
./run ball.yaml ball | grep -qx 'ball: complete at step 200' || fail "it does not find its run complete"
sed 's/friction/frictoin/' ball.yaml >wrong.yaml
! ./run wrong.yaml wrong 2>wrong.txt || fail "it runs a wrong scene"
grep -q '^wrong.yaml:3: .*did you mean .friction' wrong.txt || fail "it does not say what is wrong"

# The programs of docs/first-program.md, the first of them with the scene of docs/first-scene.md. Sanitizers only compile them: they take long.
awk '/^```yaml$/ {inside = 1; next} /^```/ {if (inside) exit} inside' "$source/docs/first-scene.md" >bed.yaml
awk '/^```c$/ {n++; inside = 1; next} /^```/ {inside = 0} inside {print > ("first" n ".c")}' "$source/docs/first-program.md"
for name in first1 first2; do
	# shellcheck disable=SC2086
	$CC -std=c11 -Wall -Wextra -Werror $CFLAGS "$name.c" -o "$name" $cflags $libs || fail "$name of docs/first-program.md"
	if [ -z "$CFLAGS" ]; then
		"./$name" >"$name.txt" || fail "$name of docs/first-program.md does not run"
	fi
done
[ -n "$CFLAGS" ] || grep -q '^time 40.0 .* weight on the floor  155.10$' first1.txt || fail "first1 finds another weight: $(cat first1.txt)"
[ -n "$CFLAGS" ] || grep -q '^weight 159.50, floor carries' first2.txt || fail "first2 finds another weight: $(cat first2.txt)"

linked_right() { # PROGRAM
	local needed
	needed=$(objdump -p "$1" | sed -n 's/.*NEEDED *//p' | grep '^libtalus' || true)
	case $linkage in
	static) [ -z "$needed" ] || fail "$1 is linked to $needed" ;;
	shared) [ "$needed" = "libtalus.so.${version%.*}" ] || fail "$1 is linked to '$needed', not to the soname" ;;
	esac
}
linked_right hello

# The same program by find_package; the component is asked for where both libraries could serve.
mkdir user
cp hello.c user
cat >user/CMakeLists.txt <<END
cmake_minimum_required(VERSION 3.25)
project(user LANGUAGES C)
find_package(talus ${version%.*} REQUIRED \${component})
add_executable(hello hello.c)
target_link_libraries(hello PRIVATE talus::talus)
END
package() { # FOLDER [OPTION...]: configures and builds the user's project there
	local folder=$1
	shift
	CC=$CC CFLAGS=$CFLAGS cmake -S user -B "$folder" -D CMAKE_PREFIX_PATH="$prefix" "$@" >"$folder.log" 2>&1 &&
		cmake --build "$folder" >>"$folder.log" 2>&1
}
for component in "" "$linkage"; do
	package "user/build$component" -D component="${component:+COMPONENTS;$component}" || fail "find_package: $(cat "user/build$component.log")"
	"user/build$component/hello" | grep -q 0.714286 || fail "the program made with find_package does not roll"
	linked_right "user/build$component/hello"
done
! package user/other -D component="COMPONENTS;dynamic" || fail "find_package finds a component that there is not"
grep -q 'components static and shared, not dynamic' user/other.log || fail "find_package does not say which components there are"
sed -i "s/find_package(talus [0-9.]*/find_package(talus 99.0/" user/CMakeLists.txt
! package user/newer || fail "find_package takes this version for 99.0"
! grep -rF -e "$source" -e "$prefix" "${pc%/*}/../cmake" || fail "the package names folders of this machine"

# Outside only our own names are to be seen, and every header stands alone.
if [ "$linkage" = shared ]; then
	strangers=$(nm -D --defined-only "$libdir/libtalus.so" | awk '$3 !~ /^talus_/ {print $3}')
	[ -z "$strangers" ] || fail "libtalus.so shows" $strangers
fi
for header in "$prefix"/include/talus/*.h; do
	$CC -std=c11 -Wall -Wextra -Werror -fsyntax-only $cflags -x c "$header" || fail "${header##*/} does not stand alone"
	if command -v c++ >/dev/null; then
		c++ -std=c++11 -Wall -Wextra -Werror -pedantic -fsyntax-only $cflags -x c++ "$header" || fail "${header##*/} is no C++"
	fi
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

# The source may be gone: nothing that is installed names it. Benchmarks come along, wherever the prefix is moved to.
if [ -z "$CFLAGS" ]; then # debugging information names its sources
	for file in "$prefix/bin/talus" "$libdir"/libtalus.*; do
		! grep -qF "$source" "$file" || fail "${file##*/} names the folder of the source: $(strings "$file" | grep -F "$source" | head -3)"
	done
fi
mkdir moved
mv "$prefix/bin" "$prefix/share" moved
cd user
"$prefix/moved/bin/talus" --help >/dev/null || fail "the installed program does not start"
bench=$("$prefix/moved/bin/talus" bench disks-1000 --rounds 1 --threads 1 2>&1) || fail "talus bench: $bench"
grep -q disks-1000 <<<"$bench" || fail "talus bench has no table: $bench"
