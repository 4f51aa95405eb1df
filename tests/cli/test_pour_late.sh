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
that "in time" code 1 grep -q pour_late slow/summary.json
finish
