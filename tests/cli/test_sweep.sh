#!/bin/bash
# SPDX-License-Identifier: MIT
# talus run --sweep: the grid of values, its table, going on after a stop, members that fail, wrong words.
. "$(dirname "$(readlink -f "$0")")/run_common.bash"
scene >box.yaml
# cell FOLDER MEMBER COLUMN: what stands in the table
cell() {
	awk -F, -v row="$2" -v name="$3" 'NR == 1 {for (i = 1; i <= NF; i++) if ($i == name) k = i}
		NR > 1 && $1 == row {print k ? $k : "no such column"}' "$1/sweep.csv"
}
column() { tail -n +2 "$1/sweep.csv" | cut -d, -f"$2" | tr '\n' ' '; }
short="--set run.until.time=0.3 --quiet"
iterations=solver.nsgs.stop.iterations

# ---------------------------------------------------------------- a grid
grid="run box.yaml -o grid --set run.until.time=0.3 --sweep $iterations=5,10 --sweep contacts.0.friction=0.1:0.5:3 --seeds 2"
that "a sweep succeeds" code 0 "$talus" $grid
that "it tells how many" grep -q "12 of 12 members done" out
that "folders have numbers" test "$(cd grid && echo *)" = \
	"0000 0001 0002 0003 0004 0005 0006 0007 0008 0009 0010 0011 sweep.csv sweep.json"
for file in scene.yaml run.h5 run.xdmf log.csv checkpoint.h5 summary.json; do
	that "a member has its $file" test -s grid/0007/$file
done
that "the table's head" grep -q "^folder,$iterations,contacts.0.friction,seed,dimension,time,.*,status$" grid/sweep.csv
that "the first axis is the slowest" test "$(column grid 2)" = "5 5 5 5 5 5 10 10 10 10 10 10 "
that "a range" test "$(column grid 3)" = "0.1 0.1 0.3 0.3 0.5 0.5 0.1 0.1 0.3 0.3 0.5 0.5 "
that "seeds from that of the scene" test "$(column grid 4)" = "3 4 3 4 3 4 3 4 3 4 3 4 "
that "all rows are as long as the head" test "$(awk -F, '{print NF}' grid/sweep.csv | sort -u | wc -l)" = 1
that "all are done" test "$(grep -c ',done$' grid/sweep.csv)" = 12
for key in pressure volume_fraction coordination mean_overlap kinetic_energy iterations; do
	that "$key is that of the summary" grep -q "\"$key\": $(cell grid 0005 $key)," grid/0005/summary.json
done
that "flat matrices" grep -q "\"stress\": .*\[0, 0, $(cell grid 0005 stress_zz)\]\]" grid/0005/summary.json
that "stress by row and column" grep -q "\"stress\": \[\[$(cell grid 0005 stress_xx), $(cell grid 0005 stress_xy)," grid/0005/summary.json
that "flat mappings" grep -q "\"friction\": $(cell grid 0005 dissipated_friction)," grid/0005/summary.json
that "walls as in the log" grep -q "\"floor\": {\"force\": \[$(cell grid 0005 wall.floor.fx), $(cell grid 0005 wall.floor.fy)," \
	grid/0005/summary.json
that "a member by hand" code 0 "$talus" run box.yaml -o hand $short --set $iterations=10 --set contacts.0.friction=0.3 --set seed=4
that "is the same run" same_run hand grid/0009
that "also its scene" cmp hand/scene.yaml grid/0009/scene.yaml

# ---------------------------------------------------------------- values
that "logarithms, lists of ranges, brackets" code 0 "$talus" run box.yaml -o values $short --threads 3 \
	--sweep 'contacts.0.friction=1e-3:1:4:log,{static: 0.5, dynamic: 0.25}'
that "a power of ten is one" test "$(sed -n '2,5p' values/sweep.csv | cut -d, -f2 | tr '\n' ' ')" = "1e-3 0.01 0.1 1 "
that "a comma is quoted" grep -q '^0004,"{static: 0.5, dynamic: 0.25}",3,' values/sweep.csv
that "seeds alone" code 0 "$talus" run box.yaml -o seeds $short --seeds 2 --set seed=7
that "two of them" test "$(column seeds 2)" = "7 8 "
that "a sweep over seeds" code 0 "$talus" run box.yaml $short --sweep seed=8,7
that "has them once, in a folder by the scene's name" test "$(head -n 1 box/sweep.csv | cut -d, -f1-3)" = "folder,seed,dimension"
that "the same run by another way" same_run box/0000 seeds/0001
that "--quiet is quiet" test ! -s out

# ---------------------------------------------------------------- again
before=$(stat -c %Y.%i grid/*/run.h5)
cp grid/sweep.csv table.csv
that "the same command again" code 0 "$talus" $grid
that "runs nothing" test "$before" = "$(stat -c %Y.%i grid/*/run.h5)"
that "and says so" grep -q "12 of them before" out
that "the table is the same" cmp table.csv grid/sweep.csv
rm grid/0003/summary.json
rm -r grid/0004
that "what is missing is made again" code 0 "$talus" $grid --quiet
that "as it was" test "$(cut -d, -f1-40 table.csv)" = "$(cut -d, -f1-40 grid/sweep.csv)"
that "another sweep is refused" code 2 "$talus" run box.yaml -o grid $short --sweep $iterations=5,10
that "with a hint" grep -q -- "another sweep.*--force" err
that "the same sweep of another scene" code 2 "$talus" $grid --set gravity=[0,-2]
that "too" grep -q "grid/0000: there is a run of another scene" err
that "a run in a sweep" code 2 "$talus" run box.yaml -o grid --force
that "a sweep in a run" code 2 "$talus" run box.yaml -o hand --seeds 2 --force
that "nothing was touched" cmp <(cut -d, -f1-40 table.csv) <(cut -d, -f1-40 grid/sweep.csv)
echo mine >grid/0011/notes.txt
that "--force replaces it" code 0 "$talus" run box.yaml -o grid $short --sweep $iterations=5,10 --force
that "all of it but what is not ours" test "$(cd grid && echo * 0011/*)" = "0000 0001 0011 sweep.csv sweep.json 0011/notes.txt"

# ---------------------------------------------------------------- stopped, killed
long="run box.yaml --sweep contacts.0.friction=0.1,0.2,0.3 --threads 2 --quiet --set run.until.time=4"
that "an unbroken sweep" code 0 "$talus" $long -o unbroken
# unfinished FOLDER: it has no summary, or one that says so
unfinished() { absent "$1/summary.json" || grep -q '^  "finished": false,$' "$1/summary.json"; }

for signal in INT TERM KILL; do
	"$talus" $long -o broken$signal >out 2>err &
	id=$!
	that "it runs" wait_for rows broken$signal/0001 5
	kill -$signal $id
	wait $id 2>/dev/null
	got=$?
	if [ $signal != KILL ]; then
		that "stopped by $signal: exit code 1" test $got = 1
		that "with how to go on" grep -q "stopped with 0 of 3 members done; repeat the command to continue" err
		that "and nothing else" test "$(wc -l <err)" = 1
		that "there is a table" test "$(grep -c ',stopped$' broken$signal/sweep.csv)" = 3
		that "of members with a checkpoint" test -s broken$signal/0001/checkpoint.h5
	fi
	that "its members end soon ($signal)" flock -w 60 broken$signal true
	that "before they are done ($signal)" unfinished broken$signal/0000
	"$talus" $long -o broken$signal >out 2>err
	that "it goes on ($signal)" sh -c '! grep -vE "the grains are not rigid|later than the .rate. of their" err'
	for member in 0000 0001 0002; do
		that "to the end of an unbroken one ($signal, $member)" same_run unbroken/$member broken$signal/$member
	done
done

# ---------------------------------------------------------------- members that fail
fail="run box.yaml -o fail --quiet --set run.until.time=1.5 --set gravity.1=-20 --set solver.nsgs.stop.iterations=1500 --sweep solver.nsgs.order=sequential,parallel,random"
that "one that fails" code 1 "$talus" $fail
that "is told" grep -q "talus: 1 of 3 members failed: 0001;" err
that "with its reason" grep -q "talus: 0001: the state is no longer finite" err
that "the others are done" test "$(rev fail/sweep.csv | cut -d, -f1 | rev | tr '\n' ' ')" = "status done failed done "
that "its numbers are not there" test -z "$(cell fail 0001 pressure)"
that "it fails again" code 1 "$talus" $fail
that "a warning of all members is told once" test "$("$talus" run box.yaml -o warn $short --seeds 3 \
	--set 'contacts.0.cohesion={force: 0.1, range: 0}' 2>&1 | grep -c 'range. of 0')" = 1

# ---------------------------------------------------------------- wrong words: nothing is written
wrong() { # OPTION-VALUE PATTERN
	that "$1 is refused" code 2 "$talus" run box.yaml -o wrong --sweep "$1"
	that "$1 is explained" grep -q -- "$2" err
}
wrong friction "--sweep friction: this must be PATH=VALUES"
wrong contacts.0.friction= "value is missing"
wrong contacts.0.friction=1,,2 "value is missing"
wrong contacts.0.friction=0.1,-1 "--sweep contacts.0.friction=-1: .friction. must be at least 0"
wrong contacts.0.frction=0.1 "did you mean .friction."
wrong contacts.0.friction=1:2 "is no range"
wrong contacts.0.friction=1:2:x "must be a whole number"
wrong contacts.0.friction=0:2:3:log "above 0"
wrong $iterations=1:10:5 "--sweep $iterations=3.25: .*whole number"
wrong seed=1:1000:1000,1:1000:100000 "more than 100000"
wrong grains.0.fill.count=10,100000 "with --sweep grains.0.fill.count=100000"
that "the place is told" grep -q "^talus: box.yaml:10:5: " err
that "twice the same path" code 2 "$talus" run box.yaml -o wrong --sweep seed=1 --sweep seed=2
that "seeds twice" code 2 "$talus" run box.yaml -o wrong --sweep seed=1 --seeds 2
that "no seeds" code 2 "$talus" run box.yaml -o wrong --seeds 0
that "not so many seeds" code 2 "$talus" run box.yaml -o wrong --seeds 3 --set seed=18446744073709551614
that "nothing was written" absent wrong

finish
