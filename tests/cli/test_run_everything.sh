#!/bin/bash
# SPDX-License-Identifier: MIT
# Two scenes, in 3D and in 2D, that together use every kind of grains, wall, end and stop rule there is: they run, and leave all they should.
. "$(dirname "$(readlink -f "$0")")/run_common.bash"

# two grains of the file overlap, which it is allowed to
cat >grains.csv <<'CSV'
x,y,z,radius,vx,vy,vz,wx,wy,wz
12,4,20,1,0,0,-1,0,0,0.5
13.5,4,20,1,0,0,-1,0,0,0
12,4,25,0.9,0,0,0,0,0,0
CSV

cat >space.yaml <<'YAML'
title: a bit of everything
dimension: 3
seed: 1
gravity: [0, 0, -1]
materials:
  glass: {density: 1.0}
  steel: {density: 7.8}
contacts:
  - between: [glass, glass]
    friction: 0.3
    restitution: 0.3
    rolling: 0.05
    torsion: 0.02
    cohesion: {force: 0.5, range: 0.02}
  - between: [glass, steel]
    friction: {static: 0.3, dynamic: 0.2}
    restitution: {normal: 0.2, tangential: 0.1}
    rolling: {length: 0.02}
    torsion: {length: 0.01}
cell:
  size: [20, 40, 20]
  periodic: [y]
grains:
  - fill: {count: 60, radius: {uniform: [0.8, 1.2]}, material: glass, arrangement: random, in: {box: [[0, 0, 0], [20, 20, 40]]}}
  - pour: {count: 500, rate: 20, radius: {uniform: [0.8, 1.2]}, material: glass, in: {box: [[-2, -2, 30], [2, 2, 32]]}, velocity: [0, 0, -1]}
  - grain: {at: [0, 0, 8], radius: 1, material: glass, velocity: [0, 0, -1], spin: [0, 0, 0], force: [0, 0, 0], fixed: false, free: [x, y, z, spin]}
  - grain: {at: [0, 0, 12], radius: 1, material: glass, force: [0, 0, 0.5], free: [z]}
  - grain: {at: [5, 20, 1], radius: 1, material: glass, fixed: true}
  - file: {path: grains.csv, material: glass, overlaps: allowed}
walls:
  floor: {plane: {point: [0, 0, 0], normal: [0, 0, 1]}, material: steel}
  drum: {cylinder: {point: [0, 0, 20], axis: [0, 1, 0], radius: 35, side: inside}, material: steel, spin: 0.2}
  shaker: {plane: {point: [-15, 0, 0], normal: [1, 0, 0]}, material: glass, oscillate: {direction: [0, 0, 1], amplitude: 0.1, frequency: 5}}
  belt: {plane: {point: [25, 0, 0], normal: [-1, 0, 0]}, material: glass, velocity: [0, 0, -0.1]}
  sieve: {plane: {point: [0, 0, 5], normal: [0, 0, 1], hole: {at: [0, 0, 5], radius: 3}}, material: glass}
  hopper: {cone: {tip: [0, 0, -2], axis: [0, 0, 1], angle: 30, side: inside, from: 3, to: 20}, material: glass}
  piston: {plane: {point: [0, 0, 40], normal: [0, 0, -1]}, material: glass, mass: 10, force: [0, 0, -5], free: [z]}
domain: {box: [[-50, -50, -20], [50, 50, 100]]}
method:
  contact_dynamics: {step: 0.01}
solver:
  nsgs: {order: random, stop: {iterations: 100}}
run: {until: {time: 4, rest: 1e-10}}
output:
  frames: {every: 0.5}
  log: {every: 0.05}
  checkpoint: {every: 1.0}
YAML

cat >flat.yaml <<'YAML'
title: the same in a plane
dimension: 2
gravity: [0, -1]
materials:
  glass: {density: 1.0}
contacts:
  - {between: [glass, glass], friction: 0.3}
cell: {size: [30, 1], periodic: [x]}
grains:
  - fill: {count: 40, radius: 0.5, arrangement: lattice, in: {box: [[0, 8], [30, 16]]}}
  - pour: {count: 500, rate: 20, radius: {uniform: [0.8, 1.2]}, in: {box: [[10, 18], [18, 20]]}, velocity: [0, -1]}
  - grain: {at: [5, 6], radius: 1, spin: 2, free: [y, spin]}
walls:
  floor: {plane: {point: [0, 0], normal: [0, 1]}}
  lid: {segment: {from: [10, 4], to: [20, 6]}}
  left: {segment: {from: [22, 6], to: [25, 2]}, oscillate: {direction: [1, 0], amplitude: 0.1, frequency: 1}}
  right: {segment: {from: [29, 6], to: [26, 2]}, spin: 0.1}
domain: {box: [[-50, -5], [50, 50]]}
method:
  contact_dynamics: {step: 0.01}
solver:
  nsgs: {stop: {iterations: 50}}
run: {until: {time: 4, rest: 1e-10}}
output: {frames: {every: 0.5}, log: {every: 0.05}, checkpoint: {every: 1}}
YAML

# numbers FOLDER: every value of the log is one
numbers() { ! tail -n +2 "$1/log.csv" | grep -i 'nan\|inf'; }

# more FOLDER COLUMN N: in the last row of the log
more() {
	awk -F, -v name="$2" -v least="$3" 'NR == 1 {for (i = 1; i <= NF; i++) if ($i == name) k = i}
		END {print name, $k; exit !(k && $k > least)}' "$1/log.csv"
}

# closed FOLDER: the books of energy stay in balance in all rows, to round-off of what went through them
closed() {
	awk -F, 'NR == 1 {for (i = 1; i <= NF; i++) k[$i] = i; next}
		NR == 2 {start = $k["energy_balance"]}
		{off = $k["energy_balance"] - start; if (off < 0) off = -off; if (off > most) most = off
		 all = $k["kinetic_energy"] + $k["dissipated_energy"] + $k["added_energy"]; if (all > scale) scale = all}
		END {print "off by", most, "of", scale; exit !(scale > 0 && most < 1e-9*scale)}' "$1/log.csv"
}

columns=step,time,grains,removed,contacts,iterations,residual,kinetic_energy,mean_speed,mean_overlap,max_overlap,pressure
columns+=,stress_xx,stress_xy,stress_xz,stress_yx,stress_yy,stress_yz,stress_zx,stress_zy,stress_zz,volume_fraction,coordination
columns+=,cell_xx,cell_xy,cell_xz,cell_yx,cell_yy,cell_yz,cell_zx,cell_zy,cell_zz
keys="title method dimension time steps grains contacts rattlers coordination volume_fraction mean_speed mean_acceleration
	kinetic_energy potential_energy dissipated_energy dissipated wall_work driven_work added_energy energy_balance bonds
	bonds_formed bounces_softened mean_overlap max_overlap stress pressure cell iterations contact_updates
	residual seconds seconds_solver threads state_hash walls warnings"

# complete FOLDER STARTED WALL...: the files of a run that poured grains onto those it started with
complete() {
	local folder=$1 started=$2
	shift 2
	that "$folder: the log has its columns" grep -q "^$columns," "$folder/log.csv"
	for wall in "$@"; do
		that "$folder: wall $wall" grep -q ",wall.$wall.x,wall.$wall.y,wall.$wall.z,wall.$wall.fx,.*,wall.$wall.tz" "$folder/log.csv"
	done
	for key in $keys; do
		that "$folder: summary.json has $key" grep -q "^  \"$key\": " "$folder/summary.json"
	done
	that "$folder: all numbers are finite" numbers "$folder"
	that "$folder: grains were poured" more "$folder" grains "$started"
	that "$folder: contacts carry forces" more "$folder" contacts 0
	that "$folder: no energy is lost from the books" closed "$folder"
}

for stop in '{iterations: 100}' '{local: 1e-3, cutoff: 1e-9, max_iterations: 300}' '{global: 1e-4, max_iterations: 300}' \
	'{residual: 1e-6, max_iterations: 300}'; do
	that "3D, stop: $stop" code 0 "$talus" run space.yaml --quiet --force --set "solver.nsgs.stop=$stop"
	complete space 66 floor drum shaker belt sieve hopper piston
	for way in normal friction rolling torsion bonds; do
		that "3D, energy goes by way of $way" more space dissipated_$way 0
	done
	that "3D, bonds form" more space bonds_formed 0
done
that "2D" code 0 "$talus" run flat.yaml --quiet
complete flat 41 floor lid left right
finish
