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
that "grains in one place" code 2 bash -c "$(memory 2000000) exec $talus check crowd.yaml"
that "are told" grep -q "crowd.yaml:8:5: the grains at (1, 2, 0) and (1, 2, 0) overlap by 1 at the start" err
sed 's/path: crowd.csv/&, overlaps: allowed/' crowd.yaml >pressed.yaml
that "also where overlaps are allowed" code 2 bash -c "$(memory 2000000) exec $talus check pressed.yaml"
that "with a sentence" grep -q "pressed.yaml:8:5: too many grains lie in one place, near (1, 2, 0): more than 7e+06 pairs overlap" err
head -n 1001 crowd.csv >some.csv
sed 's/crowd.csv/some.csv/' pressed.yaml >some.yaml
that "a thousand may" code 0 "$talus" check some.yaml
sed -e 's/^  - file: .*/  - fill: {count: 2000000000, radius: 1.0e-3, in: {box: [[0, 0], [1.0e+5, 1.0e+5]]}}/' crowd.yaml >many.yaml
that "more grains than memory holds" code 2 bash -c "$(memory 2000000) exec $talus check many.yaml"
that "are refused at once" grep -q "many.yaml:.*: 2000000000 grains take at least 400 GB of memory, more than this machine has" err
{ echo x,y,radius; seq 60000 | awk '{print 10*$1 ",2,0.5"}'; } >crowd.csv
sed 's/^grains:/cell: {periodic: [x], size: [10, 10]}\n&/' crowd.yaml >round.yaml
that "in one place of a periodic cell" code 2 bash -c "$(memory 2000000) exec $talus check round.yaml"
that "are told, too" grep -q "round.yaml:9:5: the grains at (0, 2, 0) and (0, 2, 0) overlap by 1 at the start" err

# ---------------------------------------------------------------- what is no file
that "there is a pipe" mkfifo pipe
that "there is a hole" truncate -s 100G hole.csv
mkdir folder
for path in pipe /dev/zero /dev/stdin folder; do
	scene_of $path >odd.yaml
	for command in check "run -o odd"; do
		that "$path is refused ($command)" code 2 bash -c "echo x,y,radius | timeout 300 $talus $command odd.yaml"
		that "with its place ($path)" grep -q "talus: odd.yaml:8:18: the file .$path. cannot be opened: it is not a file" err
	done
done
scene_of hole.csv >odd.yaml
that "a hole is refused" code 2 bash -c "$(memory 2000000) exec timeout 300 $talus run odd.yaml -o odd"
that "as no CSV" grep -q "hole.csv:1:1: the character NUL has no place in a CSV file" err
{ echo x,y,radius; head -c 3000000 /dev/zero | tr '\0' 1; } >wide.csv
scene_of wide.csv >odd.yaml
that "a line without end is refused" code 2 "$talus" run odd.yaml -o odd
that "with its place" grep -q "wide.csv:2:65536: the line is too long" err
that "nothing was written" absent odd

# ---------------------------------------------------------------- a scene from a pipe
printf 'x,y,radius\n0,0,0.5\n2,0,0.5\n' >two.csv
scene_of "$PWD/two.csv" >two.yaml
that "from a file" code 0 "$talus" run two.yaml -o file --quiet
that "from a pipe" code 0 bash -c "$talus run <(cat two.yaml) -o pipe-run --quiet"
that "it is the same run" same_run file pipe-run
that "of the same scene" cmp file/scene.yaml pipe-run/scene.yaml
that "with the same grains" cmp two.csv pipe-run/grains-*.csv
that "a sweep from a pipe" code 0 bash -c "$talus run <(cat two.yaml) -o pipes --seeds 2 --quiet"
that "has its members" cmp two.csv pipes/0001/grains-*.csv
finish
