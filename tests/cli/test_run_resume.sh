#!/bin/bash
# SPDX-License-Identifier: MIT
# A run that is interrupted or killed, as often as you like, and resumed gives what an unbroken run gives: state, log, frames.
. "$(dirname "$(readlink -f "$0")")/run_common.bash"
scene >box.yaml
rounds=4
[ "$quick" = 1 ] && rounds=2
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
cp unbroken/run.h5 damaged/checkpoint.h5
that "a foreign checkpoint is refused" code 2 "$talus" resume damaged
cp unbroken/checkpoint.h5 damaged/ && sed -i 's/seed: 3/seed: 4/' damaged/scene.yaml
that "a checkpoint of another scene is refused" code 2 "$talus" resume damaged
that "with the difference" grep -q seed err
sed -i 's/seed: 4/seed: 3/' damaged/scene.yaml
echo nonsense >damaged/run.h5
that "foreign frames are refused" code 1 "$talus" resume damaged
rm damaged/run.h5 damaged/log.csv
that "missing frames start again" code 0 "$talus" resume damaged --quiet
that "with a warning" grep -q "warning: log.csv and run.h5" err

# one folder, one writer
"$talus" run box.yaml -o busy --quiet --set run.until.time=1e6 >/dev/null 2>&1 &
id=$!
that "it runs" wait_for rows busy 3
that "a second writer is refused" code 1 "$talus" resume busy
that "with a sentence" grep -q "another talus" err
for i in $(seq 10); do
	that "a reader is welcome" code 0 "$talus" info busy
	that "it sees the run at work" grep -q "running now" out
	that "without complaints" test ! -s err
done
kill -KILL $id
wait $id 2>/dev/null
finish
