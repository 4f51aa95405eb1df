#!/bin/bash
# SPDX-License-Identifier: MIT
# test_no_pictures.sh PROGRAM SOURCE: a program that was built without pictures runs and reproduces, and says what it cannot; the build
# asks for cairo or for the option.
set -euo pipefail
talus=$1 source=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
fail() { echo "no pictures: $*" >&2; exit 1; }

needed=$(objdump -p "$talus" | sed -n 's/.*NEEDED *//p')
grep -q libc.so <<<"$needed" || fail "objdump does not read $talus"
! grep cairo <<<"$needed" || fail "the program needs cairo"

"$talus" run -o heap --quiet --set run.until.time=0.05 || fail "no run"
for command in "render heap" "plot heap kinetic_energy"; do
	code=0
	# shellcheck disable=SC2086 # words
	"$talus" $command >out 2>&1 || code=$?
	[ $code = 2 ] || fail "talus $command ends with $code"
	grep -q "talus: ${command%% *}: this talus was built without pictures" out || fail "talus $command: $(cat out)"
done
"$talus" run -o again --quiet --set run.until.time=0.05 || fail "no second run"
"$talus" compare heap again >out || fail "no comparison: $(cat out)"
grep -q '^Identical bit for bit' out || fail "the second run is another one: $(cat out)"
code=0
"$talus" compare heap again -o both.png >out 2>&1 || code=$?
[ $code = 2 ] && grep -q '^talus: this talus was built without pictures' out || fail "compare draws, with code $code: $(cat out)"
rm -r again
"$talus" reproduce sweeps --quick --quiet -o again >out || fail "no experiment: $(cat out)"
grep -q 'report.md has all of it, but no figures' out || fail "reproduce does not say that it draws nothing"
! grep -q '!\[' again/report.md || fail "the report shows figures that are not there"

# A system without cairo: pkg-config does not know it.
printf '#!/bin/sh\ncase "$*" in *cairo*) exit 1;; esac\nexec pkg-config "$@"\n' >pkg-config-without
chmod +x pkg-config-without
configure() { cmake -S "$source" -B "$1" -D PKG_CONFIG_EXECUTABLE="$work/pkg-config-without" "${@:2}" >"$1.log" 2>&1; }
! configure with || fail "cmake does not miss cairo"
grep -q 'TALUS_PICTURES=OFF' with.log || fail "cmake does not say how to do without cairo"
configure without -D TALUS_PICTURES=OFF || fail "cmake: $(cat without.log)"
! grep -rqi cairo without/compile_commands.json without/CMakeFiles/talus.dir/link.txt || fail "the build without pictures asks for cairo"
grep -q no_pictures.c without/compile_commands.json || fail "the build without pictures has nothing in its place"
