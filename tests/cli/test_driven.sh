#!/bin/bash
# SPDX-License-Identifier: MIT
# Cells that deform, as a user meets them: when they are at rest, that shear goes on through cuts of the cell, that one which
# gets too narrow ends the run with a sentence and files that can be read, and what talus check says beforehand.
. "$(dirname "$(readlink -f "$0")")/run_common.bash"

sweeps=60
[ "$quick" = 0 ] || sweeps=30

# cell2 DRIVE [UNTIL], cell3 DRIVE [UNTIL]: 60 disks, or 70 spheres, that do not touch
cell2() {
	cat <<YAML
dimension: 2
materials: {glass: {density: 1}}
contacts: [{between: [glass, glass], friction: 0.5}]
cell: {size: [20, 20], periodic: [x, y], $1}
grains: [{fill: {count: 60, radius: {uniform: [0.8, 1.2]}, in: {box: [[0, 0], [20, 20]]}}}]
method: {contact_dynamics: {step: 0.01}}
solver: {nsgs: {stop: {iterations: $sweeps}}}
run: {until: ${2:-{time: 100, rest: 1e-6\}}}
output: {frames: {every: 5}, log: {every: 0.1}}
YAML
}
cell3() {
	cell2 "$@" | sed -e 's/dimension: 2/dimension: 3/' -e 's/size: \[20, 20\]/size: [10, 10, 10]/' -e 's/\[x, y\]/[x, y, z]/' \
		-e 's/count: 60/count: 70/' -e 's/\[\[0, 0\], \[20, 20\]\]/[[0, 0, 0], [10, 10, 10]]/'
}

# column FOLDER NAME: that of the log, without its head
column() {
	awk -F, -v name="$2" 'NR == 1 {for (i = 1; i <= NF; i++) if ($i == name) k = i; next} {print $k}' "$1/log.csv"
}
last() { column "$1" "$2" | tail -n 1; }

# near A B TOLERANCE, below A B
near() { awk -v a="$1" -v b="$2" -v e="$3" 'BEGIN {exit !(a - b <= e && b - a <= e)}' || { echo "$1, not $2"; return 1; }; }
below() { awk -v a="$1" -v b="$2" 'BEGIN {exit !(a < b)}' || { echo "$1 is not below $2"; return 1; }; }
balanced() { near "$(column "$1" energy_balance | awk '{m = $1*$1 > m*m ? $1 : m} END {print m + 0}')" 0 1e-9; }

# rests NAME: the run has come to rest before its time, and not at once
rests() {
	below "$(last "$1" time)" 99 && below 5 "$(last "$1" time)" && below "$(last "$1" mean_speed)" 1e-6 &&
		below "$(last "$1" mean_acceleration)" 1e-6 && balanced "$1"
}

# ---------------------------------------------------------------- rest
for n in 2 3; do
	"cell$n" "bath: {pressure: 2, inertia: 5}" >bath$n.yaml
	that "a pressure in $n dimensions" code 0 "$talus" run bath$n.yaml --quiet
	that "it comes to rest" rests bath$n
	that "under that pressure" near "$(last bath$n pressure)" 2 2e-6
	that "all grains in a network" below 2.5 "$(last bath$n coordination_network)"
done
that "a packing of disks" near "$(last bath2 volume_fraction)" 0.8 0.04
that "a packing of spheres" near "$(last bath3 volume_fraction)" 0.59 0.04

cell2 "drive: {xx: {stress: 1}, yy: {stress: 2}, xy: {stress: 0}}, inertia: 5" >stresses.yaml
that "a stress of its own for each component" code 0 "$talus" run stresses.yaml --quiet
that "comes to rest" rests stresses
that "with this stress along x" near "$(last stresses stress_xx)" 1 2e-6
that "and this along y" near "$(last stresses stress_yy)" 2 2e-6
that "and none across" near "$(last stresses stress_xy)" 0 2e-6
cell2 "drive: {yy: {stress: 1}}, inertia: 5" >one.yaml
that "one component alone" code 0 "$talus" run one.yaml --quiet
that "comes to rest" rests one
that "the other edge is held" test "$(column one cell_xx | sort -u)" = 20

# no contact, no force: that is not rest, however little moves
cell2 "bath: {pressure: 1e-6, inertia: 5}" "{time: 1, rest: 1e-3}" >gas.yaml
that "a gas that has just begun to fall together" code 0 "$talus" run gas.yaml --quiet
that "is not at rest" near "$(last gas time)" 1 1e-9

# ---------------------------------------------------------------- a rate never rests
cell2 "drive: {yy: {stress: 1}, xy: {rate: 0.05}}, inertia: 5" "{time: 6, rest: 10}" >shear.yaml
that "shear that is said to end at rest" code 0 "$talus" run shear.yaml --quiet
that "ends at its time" near "$(last shear time)" 6 1e-9
cell2 "drive: {yy: {rate: -0.02}}" "{time: 1, rest: 1}" >press.yaml
that "grains that are being pressed together" code 0 "$talus" run press.yaml --quiet
that "do not rest either" near "$(last press time)" 1 1e-9
that "check says so beforehand" code 0 "$talus" check shear.yaml
that "in these words" grep -q "does not come to rest: .*(never_rests)" out
that "rest alone is refused" code 2 timeout 300 "$talus" run shear.yaml -o none --set run.until="{rest: 1e-3}"
that "because it would never end" grep -q "needs a .time.: a cell that a .rate. drives never comes to rest" err
that "and nothing is written" absent none
that "a rate of 0 is no rate" code 0 "$talus" check shear.yaml --set run.until="{rest: 1e-3}" --set cell.drive.xy.rate=0

# ---------------------------------------------------------------- round and round
cell2 "drive: {xx: {stress: 1}, yy: {stress: 1}, xy: {rate: 0.4}}, inertia: 5" "{time: 12}" |
	sed -e 's/log: {every: 0.1}/log: {every: 0.01}/' >round.yaml
that "shear by many edges" code 0 "$talus" run round.yaml --quiet
that "warns of nothing" test ! -s err
that "the books close" balanced round
leaning() { # the cell was cut anew several times, never leaned by much more than half an edge, and its volume went on as before
	paste <(column round cell_xx) <(column round cell_xy) <(column round volume_fraction) |
		awk '$2*$2 > 0.2601*$1*$1 {print "leans by", $2/$1; exit 1}
			NR > 1 && ($2 - xy)^2 > 0.25*$1*$1 {cuts++}
			NR > 1 && ($3 - f)^2 > 1e-4 {print "jumps from", f, "to", $3; exit 1}
			{xy = $2; f = $3} END {if (cuts < 3) {print cuts + 0, "cuts"; exit 1}}'
}
that "it is cut anew, and nobody notices" leaning
cell3 "drive: {xx: {stress: 1}, yy: {stress: 1}, zz: {stress: 1}, xy: {rate: 0.3}, xz: {rate: 0.2}, yz: {rate: 0.4}}, inertia: 5" \
	"{time: 5}" >all.yaml
that "all components at once" code 0 "$talus" run all.yaml --quiet
that "warn of nothing" test ! -s err
that "their books close" balanced all

# ---------------------------------------------------------------- too narrow
cell2 "bath: {pressure: 1, inertia: 1}" "{time: 50}" | sed -e 's/count: 60/count: 6/' -e 's/every: 5/every: 0.1/' >narrow.yaml
that "six disks under pressure" code 1 "$talus" run narrow.yaml --quiet
that "end with a sentence" grep -q "^talus: at time .* the cell is .* wide along [xy], less than the .* that its grains need" err
that "and what to change" grep -q "it needs more grains, or less pressure" err
that "in a new run" grep -q "^talus: the checkpoint of time .* is intact; .* start a new run with other numbers: talus run narrow/scene.yaml -o OTHER" err
that "the summary is not that of an end" grep -q '^  "finished": false,$' narrow/summary.json
that "it says why" grep -q '^  "failed": "at time .* it needs more grains, or less pressure",$' narrow/summary.json
that "the log is whole" test "$(awk -F, '{print NF}' narrow/log.csv | sort -u | wc -l)" = 1
that "and has rows" rows narrow 5
that "frames can be read" h5dump -H narrow/run.h5
that "and drawn" code 0 "$talus" render narrow --forces
that "the log can be plotted" code 0 "$talus" plot narrow volume_fraction
that "info tells what is there" code 0 "$talus" info narrow
that "and that it has failed, and why" grep -q "^  state  *failed: at time .* the cell is .* wide" out
that "it does not ask to go on" code 1 grep -q "talus resume" out
that "the same as JSON" code 0 "$talus" info narrow --json
that "as a state of its own" grep -q '^ "state": "failed",$' out
that "going on leads to the same end" code 1 "$talus" resume narrow --quiet
that "in the same words" grep -q "the cell is .* wide along" err
that "and the same summary" grep -q '^  "failed": "at time ' narrow/summary.json
cell2 "drive: {xx: {rate: -0.5}}" "{time: 50}" >squeezed.yaml
that "a cell that is squeezed at a rate leaves no room" code 1 "$talus" run squeezed.yaml --quiet
that "which is found out" grep -q "warning: the step to time .* has no solution: the cell leaves rigid grains no room" err
that "before it ends" grep -q "more than .run.max_overlap., 0.2, allows: the cell leaves rigid grains no room" err
that "as failed" grep -q '^  "failed": "at time .* overlap' squeezed/summary.json
that "with its frames" code 0 "$talus" render squeezed
that "going on needs another limit" code 1 "$talus" resume squeezed --quiet
that "and says so" grep -q "a larger max_overlap under .run. in squeezed/scene.yaml" err
that "without a limit it goes on" code 1 "$talus" run squeezed.yaml --quiet --force --set run.max_overlap=0
that "is told of its strain" grep -q "wide along x, .* it needs more grains, or a smaller strain" err
cell2 "drive: {xx: {stress: 1}, yy: {stress: 1}}, inertia: 1" "{time: 50}" | sed 's/count: 60/count: 6/' >pressed.yaml
that "a cell that is pressed" code 1 "$talus" run pressed.yaml --quiet
that "is told of its stress" grep -q "it needs more grains, or less stress" err
that "check says it beforehand" code 0 "$talus" check narrow.yaml
that "in these words" grep -q "(narrow_cell)" out

# ---------------------------------------------------------------- advice
# advised CODE SET...: talus check has this advice about the shear with these values
advised() {
	local wanted=$1
	shift
	"$talus" check shear.yaml "${@/#/--set=}" >out 2>err && grep -q "($wanted)" out
}
that "no advice about a decent cell" code 1 advised "light_cell\|heavy_cell\|pressure_step\|strain_step\|inertial_number\|narrow_cell" \
	cell.drive.xy.rate=0.01
that "a light cell" advised light_cell cell.inertia=0.01
that "a heavy cell" advised heavy_cell cell.inertia=1e4
that "a step too long for the stress" advised pressure_step method.contact_dynamics.step=1
that "a rate too high for the stress" advised inertial_number cell.drive.xy.rate=0.5
that "a rate too high for the step" advised strain_step cell.drive.xy.rate=2
# ---------------------------------------------------------------- apart
cell2 "drive: {xx: {rate: 0}, yy: {stress: -1}}, inertia: 5" "{time: 1000}" | sed 's/every: 5/every: 1000/; s/every: 0.1/every: 1000/' >apart.yaml
that "a pull that nothing can bear" code 1 "$talus" run apart.yaml --quiet
that "ends with a sentence" grep -q "it has flown apart" err
# ---------------------------------------------------------------- too far
# round CELL VELOCITY: a grain that goes round its cell more often than can be counted
round() {
	cat <<-END
	{dimension: 2, materials: {g: {density: 1}}, contacts: [{between: [g, g]}], cell: {size: [6, 6], $1},
	 grains: [{grain: {at: [3, 3], radius: 0.4, velocity: [$2]}}], method: {contact_dynamics: {step: 1}},
	 run: {until: {time: 40}}, output: {frames: {every: 1}}}
	END
}
round "periodic: [x, y], drive: {xy: {rate: 1.0e10}}" "0, 7" >far1.yaml
round "periodic: [x]" "4.0e9, 0" >far2.yaml
round "periodic: [x]" "3.0e10, 0" >far3.yaml
for far in far1 far2 far3; do
	that "$far: too often round the cell" code 1 "$talus" run $far.yaml --quiet
	that "ends with a sentence" grep -q "^talus: after step .*, grain 0 has gone round the cell too often to tell where it is" err
	that "which info knows" sh -c "$talus info $far | grep -q '^  state  *failed: after step '"
done
finish
