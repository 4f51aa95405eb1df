#!/bin/bash
# SPDX-License-Identifier: MIT
# Walls in a periodic cell, as a user meets them: a rod and a paddle that go around and around, stopped and resumed; and what is
# refused.
. "$(dirname "$(readlink -f "$0")")/run_common.bash"
cat >rod.yaml <<'YAML'
title: a rod and a paddle go through a bed, around the cell
dimension: 2
gravity: [0, -1]
materials: {glass: {density: 1}}
contacts: [{between: [glass, glass], friction: 0.5}]
cell: {size: [12, 1], periodic: [x]}
grains:
  - fill: {count: 60, radius: {uniform: [0.4, 0.6]}, arrangement: lattice, in: {box: [[0, 0], [12, 15]]}}
  - pour: {count: 20, rate: 5, radius: 0.5, in: {box: [[0, 18], [12, 30]]}}
walls:
  floor: {plane: {point: [0, 0], normal: [0, 1]}}
  rod: {cylinder: {point: [11, 3], radius: 1, side: outside}, velocity: [4, 0]}
  paddle: {segment: {from: [-2, 5], to: [2, 6]}, velocity: [-3, 0], spin: 1}
  sieve: {plane: {point: [0, 16], normal: [0, 1], hole: {at: [0, 16], radius: 2}}, velocity: [2, 0]}
method: {contact_dynamics: {step: 0.01}}
solver: {nsgs: {stop: {iterations: 10}}}
run: {until: {time: 9}}
output: {frames: {every: 1}, log: {every: 0.1}}
seed: 3
YAML

that "a rod goes three times around" code 0 "$talus" run rod.yaml -o unbroken --quiet
that "its place is told without wrapping" grep -q '"rod": .*"position": \[47,' unbroken/summary.json
that "the first part of the way" code 0 "$talus" run rod.yaml -o broken --quiet --set run.until.time=4.37
that "the second part, on two threads" code 0 "$talus" resume broken --quiet --until 7.5 --threads 2
that "the rest" code 0 "$talus" resume broken --quiet --until 9
that "it is the unbroken run" same_run unbroken broken

# refused: by check and run alike, with the place of the wall, and nothing is written
refused() {
	local sentence=$1
	shift
	for command in check run; do
		code 2 "$talus" "$command" rod.yaml "$@" || return 1
		grep -qF "talus: rod.yaml:$sentence" err || { cat err; return 1; }
	done
	absent rod
}
that "a circle wider than the cell" refused \
	'12:3: wall `rod` is 14 wide along x, but must be narrower than the periodic cell, 12, less the largest diameter, 1.2' \
	--set walls.rod.cylinder.radius=7
that "a paddle that gets too wide as it spins" refused '13:3: wall `paddle` is 11.1803 wide along x, but must be' \
	--set walls.paddle.segment='{from: [-5, 5], to: [5, 10]}'
that "a hole as wide as the cell" refused '14:3: the hole of `sieve` is 12 wide along x, but must be narrower than the periodic cell' \
	--set walls.sieve.plane.hole.radius=6
that "an oblique plane" code 2 "$talus" run rod.yaml --set walls.floor.plane.normal='[0.1, 1]'
that "it says why" grep -q '`normal` must have no part along x, which is periodic' err
finish
