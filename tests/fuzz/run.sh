#!/bin/bash
# SPDX-License-Identifier: MIT
# run.sh [SECONDS] [TARGET...]: builds the fuzzers with clang into build/fuzz and lets them run for SECONDS in all (60), on one core.
# Cases that reach new code are kept in build/fuzz/corpus and used next time; what crashes, hangs or leaks goes to build/fuzz/found.
# Ends with 1 if something was found. TALUS_FUZZ_SEED fixes the random numbers.
set -u
cd "$(dirname "$0")/../.." || exit 1
seconds=${1:-60}
[ $# -gt 0 ] && shift
targets=("$@")
[ $# -gt 0 ] || targets=(scene csv sweep fclib checkpoint frames)
build=$PWD/build/fuzz
launcher=()
command -v ccache >/dev/null && launcher=(-D CMAKE_C_COMPILER_LAUNCHER=ccache)
mkdir -p "$build"
cmake -S . -B "$build" -D CMAKE_C_COMPILER=clang -D TALUS_FUZZ=ON "${launcher[@]}" >"$build/configure.log" 2>&1 &&
	cmake --build "$build" --parallel "$(nproc)" >"$build/build.log" 2>&1 || { tail -n 20 "$build/configure.log" "$build/build.log"; exit 1; }

# A scene may take its time under sanitizers; files of others are read in a child, where leaks are of no interest.
export ASAN_OPTIONS=allocator_may_return_null=1:detect_leaks=1:quarantine_size_mb=32 UBSAN_OPTIONS=print_stacktrace=1
found=$build/found
mkdir -p "$found"
share=$((seconds/${#targets[@]}))
[ "$share" -ge 1 ] || share=1
bad=0
all=0
for target in "${targets[@]}"; do
	corpus=$build/corpus/$target
	log=$build/$target.log
	mkdir -p "$corpus"
	end=$((SECONDS + share))
	cases=0
	: >"$log"
	while left=$((end - SECONDS)) && [ $left -gt 0 ]; do
		nice -n 10 "$build/tests/fuzz/fuzz_$target" -max_total_time=$left -timeout=300 -report_slow_units=300 -rss_limit_mb=2048 -max_len=262144 \
			-print_final_stats=1 -artifact_prefix="$found/$target-" ${TALUS_FUZZ_SEED:+-seed=$TALUS_FUZZ_SEED} \
			"$corpus" "tests/fuzz/corpus/$target" >"$log.part" 2>&1
		code=$?
		cat "$log.part" >>"$log"
		done_now=$(sed -n 's/^stat::number_of_executed_units: *//p' "$log.part")
		cases=$((cases + ${done_now:-0}))
		[ $code -eq 0 ] && break
		bad=$((bad + 1))
		grep -a -m 3 -E 'ERROR: |SUMMARY: |Assertion|runtime error|Test unit written' "$log.part"
		# the same again would only be found again
		[ $bad -lt 20 ] || break
	done
	rm -f "$log.part"
	all=$((all + cases))
	echo "$target: $cases cases; $(grep -a 'accepted (' "$log" | tail -n 1)"
done
echo "$all cases in all, $bad found"
[ $bad -eq 0 ] || { echo "see $found"; exit 1; }
