#!/bin/bash
# SPDX-License-Identifier: MIT
# Grains that are left no room, as a user meets them: the run says so when it happens, ends as failed at the allowed overlap with all files
# written, and goes on where more is allowed, to the last bit as if it had never stopped.
. "$(dirname "$(readlink -f "$0")")/run_common.bash"

cat >crush.yaml <<'YAML'
title: a lid comes down
dimension: 2
gravity: [0, -1]
materials: {glass: {density: 1}}
contacts: [{between: [glass, glass], friction: 0.4}]
grains: [{fill: {count: 30, radius: {uniform: [0.45, 0.55]}, arrangement: lattice, in: {box: [[0, 0], [7, 7]]}}}]
walls:
  floor: {plane: {point: [0, 0], normal: [0, 1]}}
  left: {plane: {point: [0, 0], normal: [1, 0]}}
  right: {plane: {point: [7, 0], normal: [-1, 0]}}
  press: {plane: {point: [0, 7.5], normal: [0, -1]}, velocity: [0, -1]}
method: {contact_dynamics: {step: 0.01}}
run: {until: {time: 4}}
output: {frames: {every: 0.5}, log: {every: 0.07}, checkpoint: {every: 1.3}}
YAML

# time_of PATTERN: the time in the first line of err that has it
time_of() { sed -n "s/.*$1 \([0-9.]*\) .*/\1/p" err | head -n 1; }
before() { awk -v a="$1" -v b="$2" 'BEGIN {exit !(a > 0 && a < b)}' || { echo "$1 is not before $2"; return 1; }; }

blame="wall press, which nothing stops, leaves rigid grains no room"
stops="^talus: at time [0-9.]* grains overlap by 0\.[0-9]* mean diameters, more than .run.max_overlap., 0.2, allows: $blame"
cp crush.yaml limited.yaml
that "a run that leaves grains no room fails" code 1 "$talus" run limited.yaml --quiet
that "says so when it happens" grep -q "^talus: warning: the step to time [0-9.]* has no solution: $blame" err
that "and what loads are worth then" grep -q "$blame; loads and forces of such steps mean nothing" err
that "once" test "$(grep -c "has no solution" err)" = 1
that "and why it ends" grep -q "$stops" err
that "known long before" before "$(time_of 'the step to time')" "$(time_of 'talus: at time')"
last=$(awk -v t="$(time_of 'talus: at time')" 'BEGIN {printf "%.2f", t - 0.01}')
cp err whole.err
that "a run that ends a step earlier has gone as far" code 1 "$talus" run limited.yaml -o short --quiet --set run.until.time="$last"
that "and says so" grep -q "$stops" err
that "and again when it is asked to go on" code 1 "$talus" resume short --quiet
cp whole.err err
that "the end says when it was known" grep -q "^talus: warning: at the latest at time [0-9.]* there was no solution any more: $blame; loads and forces of such steps" err
that "and how large overlaps were" grep -q "^talus: warning: the largest overlap during the run was 0.2[0-9]* mean diameters\$" err
that "and how to go on" grep -q "a larger max_overlap under .run. in limited/scene.yaml, then talus resume limited" err
that "the summary knows" grep -q "^  \"failed\": \"at time .* overlap .*$blame" limited/summary.json
that "with a warning of its own" grep -q '"no_solution"' limited/summary.json
that "and info" sh -c "$talus info limited | grep -q '^  state  *failed: at time .* grains overlap by'"
that "with its warnings" sh -c "$talus info limited | grep -q '^  warnings .*no_solution'"
that "there is something to look at" code 0 "$talus" render limited

cp limited/summary.json failed.json

# ---------------------------------------------------------------- going on
that "to go on needs another limit" code 1 "$talus" resume limited --quiet
that "and says so again" grep -q "a larger max_overlap under .run. in limited/scene.yaml" err
sed -i 's/run: {until/run: {max_overlap: 0.25, until/' limited/scene.yaml
that "a larger limit" code 1 "$talus" resume limited --quiet
that "is met later" grep -q "mean diameters, more than .run.max_overlap., 0.25, allows: $blame" err
sed -i 's/max_overlap: 0.25/max_overlap: 0.5/' limited/scene.yaml
that "one that is large enough" code 0 "$talus" resume limited --quiet
sed 's/run: {until/run: {max_overlap: 0.5, until/' crush.yaml >larger.yaml
that "the same limit from the start" code 0 "$talus" run larger.yaml --quiet
that "end, log and frames agree to the last bit" same_run limited larger

keys() { grep -o '^  "[a-z_]*": ' "$1" | sort; }
that "the summary of the failed run had all that a finished one has, and why it failed" \
	test "$(comm -3 <(keys failed.json) <(keys larger/summary.json))" = '  "failed": '
that "with numbers" grep -q '^  "max_overlap": 0\.2[0-9]*,$' failed.json

sed 's/run: {until/run: {max_overlap: 0, until/' crush.yaml >unlimited.yaml
that "without a limit it goes on" code 0 "$talus" run unlimited.yaml --quiet
that "though it says so" grep -q "has no solution: $blame" err
that "accuracy does not count then" sh -c "$talus info unlimited | grep -q '^  accuracy .*; worth nothing once there was no solution\$'"
that "as the end of the run says" sh -c "$talus run crush.yaml -o again --set run.max_overlap=0 2>/dev/null | grep -q '^  accuracy .*; worth nothing once there was no solution\$'"
that "to its end" sh -c "$talus info unlimited | grep -q '^  state  *finished'"
that "as with a large one" same_run unlimited larger

# ---------------------------------------------------------------- room enough
sed 's/velocity: \[0, -1\]/mass: 1000, free: [y]/; s/time: 4/time: 3/' crush.yaml >weight.yaml
that "a weight in its place" code 0 "$talus" run weight.yaml --quiet
that "is borne without a word" sh -c "! grep -q 'no solution\|overlap' err"
finish
