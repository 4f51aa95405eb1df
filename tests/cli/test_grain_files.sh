#!/bin/bash
# SPDX-License-Identifier: MIT
# Files with grains that are not what they should be: refused with a sentence, soon, and with little memory.
. "$(dirname "$(readlink -f "$0")")/run_common.bash"
scene_of() { # FILE
	cat <<YAML
title: grains from a file
dimension: 2
materials:
  glass: {density: 1.0}
contacts:
  - {between: [glass, glass], friction: 0.3}
grains:
  - file: {path: $1, material: glass}
method: {contact_dynamics: {step: 0.01}}
run: {until: {time: 0.05}}
YAML
}

# ---------------------------------------------------------------- crowds
{ echo x,y,radius; yes 1,2,0.5 | head -n 60000; } >crowd.csv
scene_of crowd.csv >crowd.yaml
that "grains in one place" code 2 bash -c "ulimit -v 2000000; exec $talus check crowd.yaml"
that "are told" grep -q "crowd.yaml:8:5: the grains at (1, 2, 0) and (1, 2, 0) overlap by 1 at the start" err
{ echo x,y,radius; seq 60000 | awk '{print 10*$1 ",2,0.5"}'; } >crowd.csv
sed 's/^grains:/cell: {periodic: [x], size: [10, 10]}\n&/' crowd.yaml >round.yaml
that "in one place of a periodic cell" code 2 bash -c "ulimit -v 2000000; exec $talus check round.yaml"
that "are told, too" grep -q "round.yaml:9:5: the grains at (0, 2, 0) and (0, 2, 0) overlap by 1 at the start" err
finish
