#!/bin/sh
# SPDX-License-Identifier: MIT
# check.sh JOB...: builds and tests, job by job. Ends with "N passed, N failed", over all of them.
#   release    gcc, as users get it, warnings are errors    all tests
#   sanitize   gcc, address and undefined sanitizers        all tests, the long ones shortened
#   clang      clang, warnings are errors                   the golden test: the same bits from another compiler
#   races      gcc, thread sanitizer                        threads, and the golden test, shortened
#   long       the build of `release`                       tests that have a long form, in that form
#   fuzz       clang, sanitizers, libFuzzer                 a minute of new cases, over all targets
#   rest       all of these but `release`
set -u
unset MAKEFLAGS MAKELEVEL TALUS_TEST_QUICK TALUS_TEST_LONG
cd "$(dirname "$0")/.."
cores=$(nproc)
passed=0
failed=0
broken=
table=

# build FOLDER COMPILER CMAKE-OPTION...
build() {
	folder=build/check/$1 compiler=$2
	shift 2
	cmake -S . -B "$folder" -D CMAKE_C_COMPILER="$compiler" -D TALUS_TESTS=ON "$@" >"$folder.log" 2>&1 || cat "$folder.log"
	cmake --build "$folder" --parallel "$cores"
}

# attribute FILE NAME: the number that ctest's report gives in its head
attribute() { sed -n "s/^[[:space:]]*$2=\"\([0-9]*\)\".*/\1/p" "$1" | head -n 1; }

# count PASSED FAILED [LINES]: adds to the sums; the lines tell what failed
count() {
	passed=$((passed + $1))
	failed=$((failed + $2))
	[ $# -eq 2 ] || broken="$broken$(printf '%s\n' "$3" | sed 's/^/\t/')
"
}

# count_report NAME FOLDER REPORT: adds what ctest has found
count_report() {
	all=$(attribute "$3" tests)
	bad=$(attribute "$3" failures)
	skipped=$(($(attribute "$3" skipped) + $(attribute "$3" disabled)))
	if [ "$bad" -eq 0 ]; then
		count $((all - skipped)) 0
	else
		count $((all - bad - skipped)) "$bad" "$(sed "s/^[0-9]*:/$1: /" "$2/Testing/Temporary/LastTestsFailed.log")"
	fi
	[ "$skipped" -eq 0 ] || echo "$1: $skipped skipped"
}

# tests NAME FOLDER CTEST-OPTION...: those of a build; none at all count as one that failed
tests() {
	name=$1 folder=build/check/$2
	shift 2
	report=$PWD/build/check/$name.xml
	rm -f "$report"
	ctest --test-dir "$folder" -j "$cores" --no-tests=error --no-label-summary --output-on-failure --output-junit "$report" "$@"
	if [ -s "$report" ] && [ "$(attribute "$report" tests)" -gt 0 ]; then
		count_report "$name" "$folder" "$report"
	else
		count 0 1 "$name: no tests were run"
	fi
}

# fuzz: one test, whatever it finds
fuzz() {
	if ! echo 'int LLVMFuzzerTestOneInput(const char *d, unsigned long n) { return !d && n; }' |
		clang -fsanitize=fuzzer -x c - -o build/check/fuzzer 2>/dev/null; then
		echo "clang with libFuzzer (libclang-rt-14-dev) is missing: skipped"
	elif bash tests/fuzz/run.sh 60; then
		count 1 0
	else
		count 0 1 "fuzz: see build/fuzz/found"
	fi
}

# job NAME: one of the list above. What does not build counts as one test that failed.
job() {
	case $1 in
	release)
		build release gcc -D TALUS_WERROR=ON || return
		tests release release
		;;
	sanitize)
		build sanitize gcc -D TALUS_SANITIZE=ON || return
		tests sanitize sanitize
		;;
	clang)
		command -v clang >/dev/null || { echo "clang is missing: skipped"; return 0; }
		build clang clang -D TALUS_WERROR=ON || return
		tests clang clang -R '^golden'
		;;
	races)
		build races gcc -D TALUS_RACES=ON || return
		tests races races -R '^(golden|unit_(parallel|order|schedule))'
		;;
	long)
		build release gcc -D TALUS_WERROR=ON || return
		export TALUS_TEST_LONG=1
		tests long release -L '^long$'
		unset TALUS_TEST_LONG
		;;
	fuzz)
		fuzz
		;;
	*)
		echo "check.sh: there is no job '$1'" >&2
		exit 2
		;;
	esac
	return 0
}

# take_time: sets `clock`, and `processor` to the seconds that all commands up to now have computed
take_time() {
	clock=$(date +%s)
	times >build/check/times
	processor=$(awk 'NR == 2 {split($1, u, "[ms]"); split($2, s, "[ms]"); printf "%d", 60*(u[1] + s[1]) + u[2] + s[2]}' \
		build/check/times)
}

# timed NAME: a job, and a line about it for the table
timed() {
	printf '\n==== %s\n' "$1"
	take_time
	clock_before=$clock processor_before=$processor passed_before=$passed failed_before=$failed
	job "$1" || count 0 1 "$1: it does not build"
	take_time
	table="$table$(printf '%-9s %4d passed %3d failed %5d s, %5d s of processor time' "$1" $((passed - passed_before)) \
		$((failed - failed_before)) $((clock - clock_before)) $((processor - processor_before)))
"
}

[ $# -gt 0 ] || { sed -n '3,10s/^# //p' "$0" >&2; exit 2; }
mkdir -p build/check
for name in "$@"; do
	if [ "$name" = rest ]; then
		for name in sanitize clang races long fuzz; do timed $name; done
	else
		timed "$name"
	fi
done

printf '\n%s' "$table"
[ -z "$broken" ] || printf 'Failed:\n%s' "$broken"
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
