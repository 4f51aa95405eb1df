#!/bin/bash
# SPDX-License-Identifier: MIT
# A run that is interrupted or killed, as often as you like, and resumed gives what an unbroken run gives: state, log, frames.
. "$(dirname "$(readlink -f "$0")")/run_common.bash"
scene >box.yaml
rounds=1
[ "$long_form" = 1 ] && rounds=5
RANDOM=${TALUS_TEST_SEED:-17}
that "the unbroken run" code 0 "$talus" run box.yaml -o unbroken --quiet

# start_and_stop SIGNAL COMMAND...: false when the command ended by itself
start_and_stop() {
	local signal=$1
	shift
	"$@" >stop.out 2>stop.err &
	local id=$!
	sleep 0.$((RANDOM%3))$((RANDOM%10))
	kill -"$signal" $id 2>/dev/null
	wait $id 2>/dev/null
}

broken_run() {
	local signal=$1
	rm -rf broken
	start_and_stop "$signal" "$talus" run box.yaml -o broken --quiet
	for i in 1 2 3 4; do
		[ -f broken/checkpoint.h5 ] || { rm -rf broken; start_and_stop "$signal" "$talus" run box.yaml -o broken --quiet; continue; }
		"$talus" info broken >/dev/null 2>info.err || { cat info.err; return 1; }
		[ -s info.err ] && { cat info.err; return 1; }
		start_and_stop "$signal" "$talus" resume broken --quiet --threads $((1 + i%3))
	done
	[ -f broken/checkpoint.h5 ] || "$talus" run box.yaml -o broken --quiet --force 2>/dev/null
	"$talus" resume broken --quiet --threads 2
}

for round in $(seq $rounds); do
	for signal in KILL INT TERM; do
		that "resumed after SIG$signal" broken_run $signal
		that "it is the unbroken run (SIG$signal, round $round)" same_run unbroken broken
	done
done

# an interruption says how to go on
"$talus" run box.yaml -o stopped --quiet --set run.until.time=1000 >out 2>err &
id=$!
that "it runs" wait_for rows stopped 3
kill -INT $id
wait $id
that "an interrupted run has exit code 1" test $? = 1
that "it says how to go on" grep -q "talus resume stopped" err
later=$(sed -n 's/.*stopped at time \([0-9.]*\),.*/\1/p' err | awk '{print $1 + 0.5}')
that "its end can be changed" code 0 "$talus" resume stopped --quiet --until "$later"
that "there is a summary then" test -s stopped/summary.json

# a finished run
that "a finished run is complete" code 0 "$talus" resume unbroken
that "and says so" grep -q complete out
that "it cannot end before now" code 2 "$talus" resume unbroken --until 1

# a run that ended between two moments of output, and goes further
that "short" code 0 "$talus" run box.yaml -o longer --quiet --set run.until.time=1.01
that "longer" code 0 "$talus" resume longer --quiet --until 3
that "it is the unbroken run" same_run unbroken longer

# the grains of a run are in its checkpoint: the file they came from is not needed any more
printf 'x,y,radius\n3,3,0.5\n5,3,0.5\n' >two.csv
sed -e '/- fill:/c\  - file: {path: two.csv, material: glass}' -e '/- pour:/d' box.yaml >two.yaml
that "grains from a file" code 0 "$talus" run two.yaml -o whole --quiet
that "a part of it" code 0 "$talus" run two.yaml -o part --quiet --set run.until.time=1
mv two.csv elsewhere.csv
that "it goes on without the file" code 0 "$talus" resume part --quiet --until 3
that "to the same end" same_run whole part
that "and can be looked at" code 0 "$talus" info part
that "to start it is another matter" code 2 "$talus" run two.yaml -o none
that "the place is told" grep -q '^talus: two.yaml:10:18: the file `two.csv` cannot be opened: No such file' err
that "nothing was written" absent none

# damaged or foreign files are refused, with a sentence
cp -r unbroken damaged && rm damaged/summary.json
head -c 5000 unbroken/checkpoint.h5 >damaged/checkpoint.h5
that "a cut checkpoint is refused" code 2 "$talus" resume damaged
that "with the file's name" grep -q "^talus: damaged/checkpoint.h5: " err
that "info looks at it" code 0 "$talus" info damaged
that "and says that it is damaged" grep -q "^  checkpoint  *damaged, .*cut short" out
that "and what follows" grep -q "^  state  *stopped; it cannot be continued from this checkpoint" out
that "for programs as well" code 0 "$talus" info damaged --json
that "with the reason" grep -q '"checkpoint_error": "cannot read: the file is cut short' out
cp unbroken/run.h5 damaged/checkpoint.h5
that "a foreign checkpoint is refused" code 2 "$talus" resume damaged
cp unbroken/checkpoint.h5 damaged/ && sed -i 's/seed: 3/seed: 4/' damaged/scene.yaml
that "a checkpoint of another scene is refused" code 2 "$talus" resume damaged
that "with the difference" grep -q seed err
sed -i 's/seed: 4/seed: 3/' damaged/scene.yaml
echo nonsense >damaged/run.h5
that "foreign frames are refused" code 2 "$talus" resume damaged
rm damaged/run.h5 damaged/log.csv
that "missing frames start again" code 0 "$talus" resume damaged --quiet
that "with a warning" grep -q "warning: log.csv and run.h5" err

# what is damaged or gone is told of a finished run too, with no advice that destroys the rest
cp -r unbroken lost
head -c 5000 unbroken/checkpoint.h5 >lost/checkpoint.h5
that "info looks at a finished run with a cut checkpoint" code 0 "$talus" info lost
that "and says that it is damaged" grep -q "^  checkpoint  *damaged, .*cut short" out
that "and what follows" grep -q "^  state  *finished; it cannot go further without its checkpoint" out
rm lost/checkpoint.h5
that "a finished run without its checkpoint" code 2 "$talus" resume lost --until 4
that "is told what is missing" grep -q "^talus: lost: checkpoint.h5 is missing, .* frames and log are unchanged" err
that "and not to start again" code 1 grep -q -- --force err
rm lost/summary.json
that "a stopped one" code 2 "$talus" resume lost
that "likewise" grep -q "^talus: lost: checkpoint.h5 is missing" err
that "info looks at it" code 0 "$talus" info lost
that "and knows" grep -q "^  state  *stopped; it cannot be continued, checkpoint.h5 is missing" out
that "nothing was changed" cmp lost/run.h5 unbroken/run.h5
cp unbroken/checkpoint.h5 unbroken/summary.json lost
head -c 5000 unbroken/run.h5 >lost/run.h5
that "info looks at frames that are cut short" code 0 "$talus" info lost
that "and says so" grep -q "^  frames  *damaged, .*cut short" out
that "for programs as well" code 0 "$talus" info lost --json
that "with the reason" grep -q '^ "frames_error": "cannot read: the file is cut short' out
rm -rf before && cp -r lost before
that "nor does it go further" code 2 "$talus" resume lost --until 4
that "for this reason" grep -q "^talus: lost/run.h5: cannot read: the file is cut short" err
that "with a way out" grep -q "move the file away and resume again" err
that "and nothing was touched" diff -r before lost
rm -rf before
# a block of metadata that counting frames does not need, but drawing them does
cp unbroken/run.h5 lost/run.h5
place=$(h5ls -v lost/run.h5/walls | sed -n '/^definition/,/Location/s/.*Location: *1:\([0-9]*\).*/\1/p')
byte=$(od -An -tu1 -j $((place + 20)) -N 1 lost/run.h5)
printf "\\x$(printf %x $((byte ^ 255)))" | dd of=lost/run.h5 bs=1 seek=$((place + 20)) conv=notrunc status=none
leaky=(env "ASAN_OPTIONS=${ASAN_OPTIONS:+$ASAN_OPTIONS:}detect_leaks=0") # HDF5 itself loses some bytes over it
that "info looks at frames with a damaged header" code 0 "${leaky[@]}" "$talus" info lost --json
that "and says so" grep -q '^ "frames_error": "cannot read the frames: damaged' out
cp -r lost lost.before
that "nothing is appended to them" code 2 "${leaky[@]}" "$talus" resume lost --until 4
that "with a sentence" grep -q "^talus: lost/run.h5: cannot read the frames: damaged" err
that "and nothing is touched" diff -r lost.before lost
rm -rf lost.before
mkdir early && cp unbroken/scene.yaml early
that "a run that never began" code 2 "$talus" resume early
that "can be started again" grep -q "^talus: early: the run was stopped before its first checkpoint; start it again" err

# a scene that was edited between: what the rest of the way depends on may not change, its end and its output may
that "a part of it" code 0 "$talus" run box.yaml -o edited --quiet --set run.until.time=1
edit() {
	cp box.yaml edited/scene.yaml
	sed -i "$1" edited/scene.yaml
	! cmp -s box.yaml edited/scene.yaml
}
refused() {
	cp -r edited before
	edit "$2" && code 2 "$talus" resume edited --until 3 && grep -q "^talus: edited/checkpoint.h5: .*this scene.yaml.*\`$1" err &&
		cmp before/log.csv edited/log.csv && cmp before/run.h5 edited/run.h5 && cmp before/checkpoint.h5 edited/checkpoint.h5
	local result=$?
	rm -rf before
	cp box.yaml edited/scene.yaml
	return $result
}
that "gravity" refused gravity 's/^gravity: .*/gravity: [0, -1.1]/'
that "friction" refused contacts 's/friction: 0.3/friction: 0.31/'
that "density" refused materials 's/density: 1.0/density: 1.1/'
that "sweeps" refused solver 's/iterations: 10/iterations: 11/'
that "a wall" refused walls 's/spin: 0.3/spin: 0.4/'
that "the domain" refused domain 's/-5, -5/-5, -6/'
that "a pour" refused "grains: pour" 's/rate: 40/rate: 41/'
that "the number of grains" refused grains 's/count: 100/count: 101/'
cp box.yaml keep.yaml
cat >box.yaml <<'YAML'
materials: {glass: {density: 1}}
contacts: [{between: [glass, glass], friction: 0.3}]
cell: {size: [10, 10, 10], periodic: [x, y, z]}
grains: [grain: {at: [1, 1, 1], radius: 1, material: glass, velocity: [1, 0, 0]}]
method: {contact_dynamics: {step: 0.01}}
run: {until: {time: 1}}
YAML
that "a grain in a cell" code 0 "$talus" run box.yaml -o edited --quiet --force
that "the size of the cell" refused cell 's/10, 10, 10/10, 11, 10/'
sed -i 's/size: /bath: {pressure: 1, inertia: 100}, size: /' box.yaml
that "the same in a bath" code 0 "$talus" run box.yaml -o edited --quiet --force
that "another pressure" refused cell 's/pressure: 1/pressure: 2/'
that "a bath goes on" code 0 "$talus" resume edited --quiet --until 1.1
mv keep.yaml box.yaml
that "a part of it once more" code 0 "$talus" run box.yaml -o edited --quiet --force --set run.until.time=1
that "title, comments, end, output and audits" edit 's/a box/my box/; s/nsgs: {/nsgs: {audit: 0.5, /; s/^seed.*/& # fixed/; s/time: 3/time: 2/; s/log: .*/log: {every: 0.5}/'
that "may change" code 0 "$talus" resume edited --quiet
that "it ends where it should now" grep -q '"steps": 200,' edited/summary.json
that "its way is the same" code 0 "$talus" resume edited --quiet --until 3
that "to the last bit" test "$(hash_of edited)" = "$(hash_of unbroken)"

# one folder, one writer
"$talus" run box.yaml -o busy --quiet --set run.until.time=1e6 >/dev/null 2>&1 &
id=$!
that "it runs" wait_for rows busy 3
that "a second writer is refused" code 1 "$talus" resume busy
that "with a sentence" grep -q "another talus" err
for i in $(seq 3); do
	that "a reader is welcome" code 0 "$talus" info busy
	that "it sees the run at work" grep -q "running now" out
	that "without complaints" test ! -s err
done
kill -KILL $id
wait $id 2>/dev/null
finish
