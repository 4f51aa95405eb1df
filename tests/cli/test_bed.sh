#!/bin/bash
# SPDX-License-Identifier: MIT
# A bed of 10 000 spheres: less than 2 kB of memory a grain. In the long form a quarter of it, as deep, also falls to rest: nobody is
# lost, nothing moves, and the mean overlap stays below 1e-4 diameters with 200 iterations.
. "$(dirname "$(readlink -f "$0")")/run_common.bash"

cat >bed.yaml <<SCENE
title: a bed of 10 000 spheres
gravity: [0, 0, -1]
materials: {glass: {density: 1}}
contacts: [{between: [glass, glass], friction: 0.3}]
grains:
  - file: {path: $TALUS_SOURCE/bench/packings/spheres-10000.csv, overlaps: allowed}
walls:
  floor: {plane: {point: [0, 0, 0], normal: [0, 0, 1]}}
  left: {plane: {point: [0, 0, 0], normal: [1, 0, 0]}}
  right: {plane: {point: [49, 0, 0], normal: [-1, 0, 0]}}
  front: {plane: {point: [0, 0, 0], normal: [0, 1, 0]}}
  back: {plane: {point: [0, 49, 0], normal: [0, -1, 0]}}
method: {contact_dynamics: {step: 0.01}}
solver: {nsgs: {stop: {iterations: 200}}}
run: {until: {time: 0.05}}
SCENE

# peak SCENE...: the most memory in kB that a run of it has used
peak() {
	/usr/bin/python3 - "$talus" run "$@" --quiet --force -o peak <<'PYTHON'
import resource, subprocess, sys
subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL, check=True)
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
PYTHON
}

# one thread: others have buffers of their own, whatever the number of grains
iterations=(--set solver.nsgs.stop.iterations=2 --threads 1)
sed 's/- file.*/- grain: {at: [9, 9, 9], radius: 1}/' bed.yaml >one.yaml
one=$(peak one.yaml "${iterations[@]}")
all=$(peak bed.yaml "${iterations[@]}")
echo "$(((all - one)*1024/10000)) bytes a grain"
# the sanitizers' own memory is not ours
# where blocks come to lie decides whether a huge page more is touched: 2 MB, 210 bytes a grain
[ "$quick" = 1 ] || that "less than 2 kB a grain" test $(((all - one)*1024/10000)) -lt $((2048 + 210))

if [ "$long_form" = 1 ]; then
	sed -i 's/- file.*/- fill: {count: 2500, radius: {uniform: [0.8, 1.2]}, arrangement: lattice, jitter: 1, in: {box: [[0, 0, 0], [24.5, 24.5, 100]]}}/
		s/\[49, 0, 0\]/[24.5, 0, 0]/; s/\[0, 49, 0\]/[0, 24.5, 0]/; s/time: 0.05/time: 100, rest: 1.4e-6/' bed.yaml
	that "it comes to rest" code 0 "$talus" run bed.yaml -o bed --quiet
	that "before the time is over" awk -F'[:,]' '/"time"/ {exit !($2 < 99)}' bed/summary.json
	that "nobody is lost" grep -q '"grains": 2500,' bed/summary.json
	that "the mean overlap is small" awk -F'[:,]' '/"mean_overlap"/ {exit !($2 < 1e-4)}' bed/summary.json
fi
finish
