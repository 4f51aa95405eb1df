#!/bin/sh
# SPDX-License-Identifier: MIT
# check.sh: builds four times and tests each build. Ends with "N passed, N failed", over all of them.
#   release    gcc, as users get it, warnings are errors    all tests
#   sanitize   gcc, address and undefined sanitizers        all tests, the long ones shortened
#   clang      clang, warnings are errors                   the golden test: the same bits from another compiler
#   races      gcc, thread sanitizer                        threads, and the golden test, shortened
set -u
unset MAKEFLAGS MAKELEVEL
cd "$(dirname "$0")/.."
cores=$(nproc)
passed=0
failed=0
broken=

# attribute FILE NAME: the number that ctest's report gives in its head
attribute() { sed -n "s/^[[:space:]]*$2=\"\([0-9]*\)\".*/\1/p" "$1" | head -n 1; }

# count NAME REPORT: adds a job's tests to the sums
count() {
	all=$(attribute "$2" tests)
	bad=$(attribute "$2" failures)
	skipped=$(($(attribute "$2" skipped) + $(attribute "$2" disabled)))
	passed=$((passed + all - bad - skipped))
	failed=$((failed + bad))
	[ "$bad" -eq 0 ] || broken="$broken$(sed "s/^[0-9]*:/	$1: /" "build/check/$1/Testing/Temporary/LastTestsFailed.log")
"
	[ "$skipped" -eq 0 ] || echo "$1: $skipped skipped"
}

# job NAME COMPILER CTEST-FILTER CMAKE-OPTION...: one build and its tests; what does not build counts as one failed test
job() {
	name=$1 compiler=$2 filter=$3
	shift 3
	folder=build/check/$name
	report=$PWD/$folder/report.xml
	echo
	echo "==== $name"
	rm -f "$report"
	cmake -S . -B "$folder" -D CMAKE_C_COMPILER="$compiler" -D TALUS_TESTS=ON "$@" >"build/check/$name.log" 2>&1 ||
		cat "build/check/$name.log"
	if cmake --build "$folder" --parallel "$cores"; then
		ctest --test-dir "$folder" -j "$cores" -R "$filter" --no-tests=error --no-label-summary \
			--output-on-failure --output-junit "$report"
	fi
	if [ -s "$report" ] && [ "$(attribute "$report" tests)" -gt 0 ]; then
		count "$name" "$report"
	else
		failed=$((failed + 1))
		broken="$broken	$name: no tests were run
"
	fi
}

mkdir -p build/check
job release gcc . -D TALUS_WERROR=ON
job sanitize gcc . -D TALUS_SANITIZE=ON
job clang clang '^golden' -D TALUS_WERROR=ON
export TALUS_TEST_QUICK=1
job races gcc '^(golden|unit_(parallel|order|schedule))' -D TALUS_RACES=ON

echo
[ -z "$broken" ] || printf 'Failed:\n%s' "$broken"
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
