#!/bin/bash
# SPDX-License-Identifier: MIT
# What a run says about its accuracy at the end, and `talus info` later: what was asked for, how many steps met it, what audits found. And what
# its warnings say when it was not met.
. "$(dirname "$(readlink -f "$0")")/run_common.bash"
scene | sed '/^solver:/,/^  nsgs/d' >bed.yaml

# said FOLDER OPTION...: the line of the end of a run, which must be that of info, goes to `line`
said() {
	local folder=$1
	shift
	code 0 "$talus" run bed.yaml -o "$folder" --force --set run.until.time=1.5 "$@" || return 1
	grep '^  accuracy  ' out >line
	[ "$(wc -l <line)" = 1 ] || { echo "no line, or several:"; cat line; return 1; }
	"$talus" info "$folder" | grep '^  accuracy  ' | cmp - line
}
count() { sed -n "s/^  \"$2\": \([0-9]*\),\$/\1/p" "$1/summary.json"; }

that "a run of the default" said default --set 'solver={auto: {audit: 100}}'
met=$((150 - $(count default capped_steps) - $(count default floor_steps)))
that "says what was asked for, and what was met" grep -q "  loads to 1 % in the mean over 30 steps, met by its own estimate in $met of 150 steps" line
that "and what audits found" \
	grep -q "; [0-9]* audits: loads wrong by [0-9.e-]* % (median, largest [0-9.e-]* %), forces by [0-9.e-]* % ([0-9.e-]* %)\$" line
median=$(sed -n 's/^    "load_error": {"median": \([^,]*\),.*/\1/p' default/summary.json)
that "as in the summary" grep -q "loads wrong by $(awk -v m="$median" 'BEGIN {printf "%.2g", 100*m}') %" line
that "without audits" said none --set 'solver={auto: {audit: 0, forces: 0.05}}'
that "it says that" grep -q "  forces to 5 % (root mean square), met by its own estimate in [0-9]* of 150 steps.*; no audit\$" line
that "a number of sweeps" said iterations --set 'solver={nsgs: {audit: 0, stop: {iterations: 30}}}'
that "has nothing to meet" grep -q "  30 iterations per step; no audit\$" line
that "a residual" said residual --set 'solver={nsgs: {audit: 0, stop: {residual: 1e-9, max_iterations: 20}}}'
that "that is not met" grep -q "  a residual of 1e-09, met by its own estimate in [0-9]* of 150 steps ([0-9]* ended at max_iterations); no audit\$" line
that "the warning says what the number is" grep -q "with a residual of [0-9.e-]*\$" err
that "quietly" code 0 "$talus" run bed.yaml -o quiet --quiet --set run.until.time=0.1
that "nothing of it" test ! -s out

# ---------------------------------------------------------------- warnings
that "loads that are not met" said loads --set 'solver={accelerated: {stop: {error: 1e-5, max_iterations: 5}}}'
unit="(of loads in the mean over 30 steps, or of a tenth of a diameter in overlaps)"
that "have a unit when it happens" grep -q "with an error of [0-9.e+]* % instead of 0.001 % $unit" err
that "and at the end" grep -q "before their tolerance, 0.001 %, was met; the worst one, at time [0-9.]*, with an error of [0-9.e+]* % $unit" err
that "forces" said forces --set 'solver={accelerated: {stop: {forces: 1e-9, max_iterations: 5}}}'
that "have theirs" grep -q "% instead of 1e-07 % (of the forces, root mean square)" err

# ---------------------------------------------------------------- check
# checked RULE: what check says of the solver
checked() { "$talus" check bed.yaml --set "solver=$1" | sed -n 's/^  solver  *//p'; }
that "check: loads" test "$(checked auto)" = "auto: accelerated iterations until loads are right to 1 % in the mean over 30 steps (fewer near rest) and a step \
adds overlaps below 0.001 diameters; at most 1000 a step"
that "check: forces" test "$(checked '{auto: {forces: 0.02}}')" = \
	"auto: accelerated iterations until forces are right to 2 % (root mean square); at most 10000 a step"
that "check: a number" test "$(checked '{nsgs: {stop: {iterations: 40}}}')" = "nsgs: plain iterations, 40 a step"
that "check: a residual" test "$(checked '{accelerated: {stop: {residual: 1e-6}}}')" = \
	"accelerated iterations (Nesterov momentum) until the residual is below 1e-06; at most 10000 a step"
that "check: changes" test "$(checked '{nsgs: {stop: {local: 1e-3}}}')" = \
	"nsgs: plain iterations until no force changes by more than 0.001 of it in an iteration; at most 10000 a step"
that "check: of the mean" test "$(checked '{nsgs: {stop: {global: 1e-5}}}')" = \
	"nsgs: plain iterations until the mean force changes by less than 1e-05 of it, several iterations in a row; at most 10000 a step"
finish
