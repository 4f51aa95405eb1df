#!/bin/bash
# SPDX-License-Identifier: MIT
# A run that is not rigid says so: once, with numbers, in the summary too, and after a resume.
. "$(dirname "$(readlink -f "$0")")/run_common.bash"

# a column of 60 disks; $1: sweeps a step
column() {
	cat <<YAML
title: a column
dimension: 2
gravity: [0, -1]
materials: {glass: {density: 1}}
contacts: [{between: [glass, glass], friction: 0}]
grains:
$(for i in $(seq 0 59); do echo "  - grain: {at: [0, $i.5], radius: 0.5, material: glass}"; done)
walls:
  floor: {plane: {point: [0, 0], normal: [0, 1]}, material: glass}
method: {contact_dynamics: {step: 0.001}}
solver: {nsgs: {stop: {iterations: $1}}}
run: {until: {time: 1}}
output: {log: {every: 0.05}, checkpoint: {every: 0.25}}
YAML
}
column 50 >soft.yaml
column 3000 >rigid.yaml

warned() { grep -c 'warning: the grains are not rigid' err; }
coded() { grep -c '"code": "soft-regime"' "$1/summary.json"; }
key() { sed -n "s/^  \"$2\": {.*\"$3\": \([^,}]*\).*/\1/p" "$1/summary.json"; }
within() { awk -v a="$1" -v low="$2" -v high="$3" 'BEGIN {exit !(a != "" && a + 0 >= low && a + 0 <= high)}'; }
# column FOLDER NAME: of the last row of the log
last() { awk -F, -v name="$2" 'NR == 1 {for (i = 1; i <= NF; i++) if ($i == name) at = i} END {print $at}' "$1/log.csv"; }

# ---------------------------------------------------------------- soft
that "a soft column runs" code 0 "$talus" run soft.yaml --quiet
that "and says so once" test "$(warned)" = 1
that "with the sweeps that it takes" grep -q "It takes about 1[12][0-9][0-9] iterations, or about 8[0-3] accelerated ones (.solver: auto.)" err
for remedy in "{nsgs: {stop: {iterations: $(sed -n 's/.*It takes about \([0-9]*\) iterations.*/\1/p' err)}}}" \
	"{accelerated: {stop: {iterations: $(sed -n 's/.*or about \([0-9]*\) accelerated ones.*/\1/p' err)}}}"; do
	that "$remedy runs" code 0 "$talus" run soft.yaml -o remedy --force --quiet --set "solver=$remedy"
	that "and helps" test "$(warned) $(coded remedy)" = "0 0"
done
that "in the summary too" test "$(coded soft)" = 1
that "its size" within "$(key soft rigidity size)" 59.9 60.1
that "its reach" within "$(key soft rigidity reach)" 12.42 12.5
that "their ratio" within "$(key soft rigidity ratio)" 0.207 0.2084
that "is in the log" within "$(last soft reach)" 0.207 0.2084
that "the stiffness: q m N/dt^2" within "$(key soft rigidity stiffness)" 3.051e7 3.052e7
that "the overlap that it makes" within "$(key soft rigidity overlap)" 2e-7 2e-6
that "no error where the rule does not ask" test "$(last soft error_global) $(key soft error global)" = "0 0"
that "the first row has nothing to carry" sh -c 'sed -n 2p soft/log.csv | grep -q "^0,"'

# ---------------------------------------------------------------- rigid
that "a rigid one runs" code 0 "$talus" run rigid.yaml --quiet --set run.until.time=0.3
that "and says nothing" test "$(warned) $(coded rigid)" = "0 0"
that "its ratio" within "$(key rigid rigidity ratio)" 1.6 1.7
that "momentum and the rule error" code 0 "$talus" run soft.yaml -o error --quiet \
	--set 'solver={accelerated: {stop: {error: 1e-4}}}'
that "are rigid" test "$(warned) $(coded error)" = "0 0"
that "whatever sweeps it took" within "$(key error rigidity ratio)" 1 1e9
that "the error is told" within "$(key error error global)" 1e-300 1e-4
that "in the log too" within "$(last error error_global)" 1e-300 1e-4
that "steps at the floor are counted" grep -q '^  "floor_steps": [0-9]*,$' error/summary.json

scene >bed.yaml
that "what cannot be met" code 0 "$talus" run bed.yaml -o floor --quiet --set run.until.time=1.5 \
	--set 'solver={accelerated: {stop: {error: 1e-300, max_iterations: 1000000}}}'
that "ends at a floor" within "$(sed -n 's/^  "floor_steps": \([0-9]*\),$/\1/p' floor/summary.json)" 1 1000
that "which is warned about" grep -q 'warning: [0-9]* of [0-9]* steps ended where more iterations did not help before their tolerance, .*, was met; the worst one, at time' err
that "in the summary too" grep -q '"code": "floor"' floor/summary.json

# ---------------------------------------------------------------- resume
that "a run that goes on after it has warned" code 0 "$talus" resume soft --quiet --until 1.5
that "does not say it again" test "$(warned)" = 0
that "but has it in the summary" test "$(coded soft)" = 1
that "an unbroken one" code 0 "$talus" run soft.yaml -o whole --quiet --set run.until.time=1.5
that "is the same, the warning too" cmp <(grep soft-regime soft/summary.json) <(grep soft-regime whole/summary.json)
that "and its log" cmp soft/log.csv whole/log.csv
# stopped between the two rows that make a warning
that "a short run" code 0 "$talus" run soft.yaml -o short --quiet --set run.until.time=0.07
that "knows nothing yet" test "$(warned) $(coded short)" = "0 0"
that "goes on" code 0 "$talus" resume short --quiet --until 1.5
that "and warns then" test "$(warned) $(coded short)" = "1 1"
that "of the same moment" cmp <(grep soft-regime short/summary.json) <(grep soft-regime whole/summary.json)

# ---------------------------------------------------------------- looking changes nothing
# state_in FOLDER: all of its checkpoint but what depends on the clock and on the command
state_in() { (cd "$1" && h5dump checkpoint.h5) | awk '/ATTRIBUTE "(seconds|report_seconds_solver|started|command)"/ {skip = 1} !skip {print} skip && /^   }/ {skip = 0}'; }
for every in 0.001 0.013 0.4; do
	that "a log every $every" code 0 "$talus" run soft.yaml -o looked --force --quiet --set run.until.time=0.5 --set output.log.every=$every
	that "warns of the same" cmp <(grep soft-regime looked/summary.json) <(grep soft-regime whole/summary.json)
	[ $every = 0.001 ] && state_in looked >state
	that "and ends in the same checkpoint" cmp state <(state_in looked)
done
that "which says that it is soft" grep -A7 report_soft_step state | grep -q ': 100$'

# ---------------------------------------------------------------- a log of another version
that "a run to go on from" code 0 "$talus" run soft.yaml -o old --quiet --set run.until.time=0.5
sed -i 's/,reach,error_overlap,error_local,error_global//' old/log.csv
that "goes on with other columns" code 0 "$talus" resume old --quiet --until 0.6
that "and puts the old log aside" grep -q 'log.csv.old' err
that "which is still there" test "$(wc -l <old/log.csv.old)" -gt 5
that "all rows of the new one are as long as its header" test "$(awk -F, '{print NF}' old/log.csv | sort -u | wc -l)" = 1

# ---------------------------------------------------------------- info
sed -i 's/"floor_steps": [0-9]*/"floor_steps": 7/' error/summary.json
that "info" code 0 "$talus" info error
that "counts steps at the floor of friction" grep -q "accuracy .*, met by its own estimate in [0-9]* of 1000 steps (7 ended where more iterations did not help)" out
finish
