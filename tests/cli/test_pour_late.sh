#!/bin/bash
# SPDX-License-Identifier: MIT
# A pour whose region is too full for its rate: check says so beforehand, run at the end and in the summary, also after a resume.
. "$(dirname "$(readlink -f "$0")")/run_common.bash"

cat >late.yaml <<'YAML'
materials: {glass: {density: 1}}
contacts: [{between: [glass, glass]}]
grains: [{pour: {count: 40, rate: 1000, radius: 0.5, in: {box: [[0, 0, 0], [3, 3, 3]]}, velocity: [0, 0, -1]}}]
method: {contact_dynamics: {step: 0.01}}
run: {until: {time: 0.2}}
YAML
that "check warns" code 0 "$talus" check late.yaml
that "of the rate" grep -q '(pour_rate)' out
that "run runs" code 0 "$talus" run late.yaml --quiet
that "and warns" grep -q 'warning: grains came later than the `rate` of their `pour` says' err
that "in its summary, too" grep -q '"code": "pour_late"' late/summary.json
that "a resumed run goes on" code 0 "$talus" resume late --quiet --until 10
that "and remembers" grep -q '"code": "pour_late"' late/summary.json
that "a slow one runs" code 0 "$talus" run late.yaml --quiet -o slow --set grains.0.pour.rate=0.5
that "what is missing was still to come" grep -q 'grains were poured: the run ended before' err
that "in time" code 1 grep -q pour_late slow/summary.json
cat >full.yaml <<'YAML'
materials: {glass: {density: 1}}
contacts: [{between: [glass, glass]}]
grains: [{pour: {count: 40, rate: 1000, radius: 0.5, in: {box: [[0, 0, 0], [2, 2, 2]]}}}]
method: {contact_dynamics: {step: 0.01}}
run: {until: {time: 0.2}}
YAML
that "a region that stays full" code 0 "$talus" run full.yaml --threads 2
that "had no room" grep -q 'grains were poured: there was no room for more' err
that "such a small run is done by one thread" grep -q 'took .* on one thread' out
that "and says so" grep -q '"steps_shared": 0,' full/summary.json

# Grains that come right after others were kicked: there is more of them than what was noted about kicks.
cat >kick.yaml <<'YAML'
gravity: [0, 0, -10]
materials: {g: {density: 1}}
contacts: [{between: [g, g], friction: 0.3}]
grains:
- fill: {count: 20, radius: 0.2, in: {box: [[0, 0, 0.1], [2, 2, 4]]}, velocity: [0, 0, -40]}
- pour: {count: 2000, rate: 1000, radius: 0.1, in: {box: [[0, 0, 5], [2, 2, 9]]}, velocity: [0, 0, -40]}
walls:
  f: {plane: {point: [0, 0, 0], normal: [0, 0, 1]}}
  x0: {plane: {point: [0, 0, 0], normal: [1, 0, 0]}}
  x1: {plane: {point: [2, 0, 0], normal: [-1, 0, 0]}}
  y0: {plane: {point: [0, 0, 0], normal: [0, 1, 0]}}
  y1: {plane: {point: [0, 2, 0], normal: [0, -1, 0]}}
method: {contact_dynamics: {step: 0.01}}
solver: {nsgs: {stop: {iterations: 20}}}
run: {until: {time: 0.7}, max_overlap: 0}
YAML
for seed in 1 2 3; do
	that "kicks and a pour, seed $seed" code 0 "$talus" run kick.yaml --quiet --force --threads 1 --set "seed=$seed"
done
finish
