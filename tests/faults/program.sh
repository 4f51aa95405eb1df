#!/bin/bash
# SPDX-License-Identifier: MIT
# What may surround a run: closed descriptors, pipes that nobody reads, folders that vanish, disks without locks, links.
here=$(dirname "$(readlink -f "$0")")
library=$(readlink -f "$2")
. "$here/../cli/run_common.bash"
cp "$here/scene.yaml" tiny.yaml
sed 's/time: 0.14/time: 1e6/; s/frames: .*/frames: {every: 100}/' tiny.yaml >endless.yaml
that "a run without any of it" code 0 "$talus" run tiny.yaml -o whole --quiet

closed() { "$talus" run tiny.yaml -o closed "$@" 0<&- 1>&- 2>&-; }
that "all descriptors closed" closed
that "the same run" same_run whole closed
that "closed, and a refusal" code 2 closed
that "which went nowhere" same_run whole closed

# it says something in the midst of its steps, to nobody
sed 's/friction: 0.3/friction: 0.3, cohesion: {force: 0.1, range: 0.01}/; s/  log: /  problems: {every: 0.02}\n  log: /' tiny.yaml >talks.yaml
that "somebody listens" code 0 "$talus" run talks.yaml -o heard --quiet
that "and hears" grep -q "contact problem of time" err
{ "$talus" run talks.yaml -o pipe --quiet; echo $? >pipe.code; } 2>&1 | true
that "nobody listens" test "$(cat pipe.code)" = 0
that "the same run" same_run heard pipe

"$talus" run endless.yaml -o gone --quiet >out 2>err &
id=$!
that "it is at work" wait_for rows gone 20
mv gone taken
wait $id
that "without its folder it ends" test $? = 1
that "and knows where its checkpoint is" grep -q "^talus: the checkpoint of time .* is intact, in the folder that was gone" err
"$talus" run endless.yaml -o gone --quiet >out 2>err &
id=$!
that "it is at work" wait_for rows gone 20
kill -STOP $id
rm -rf gone
kill -CONT $id
wait $id
that "nor without its files" test $? = 1
that "and knows that its checkpoint is lost" grep -q "^talus: the checkpoint of time .* is lost" err

# ---------------------------------------------------------------- nobody but a writer writes

calls() { sed -n "s/^$1 //p" counts; }
looks() {
	rm -f counts
	LD_PRELOAD=$library TALUS_FAULT_COUNT=$work/counts "$talus" "$@" >out 2>err || { cat err; return 1; }
	for call in pwrite ftruncate rename unlink; do
		[ "$(calls $call)" = 0 ] || { echo "$(calls $call) times $call"; return 1; }
	done
	[ "$(calls write)" = 0 ] || { echo "it writes"; return 1; }
}
LD_PRELOAD=$library TALUS_FAULT=pwrite:300:kill "$talus" run tiny.yaml -o dead --quiet 2>/dev/null
that "a killed run" test -e dead/run.h5.journal
sum=$(cat dead/* | cksum)
that "info reads" looks info dead
that "render and plot leave a picture" code 0 "$talus" render dead -o frame.png
that "and" code 0 "$talus" plot dead kinetic_energy -o plot.png
that "and nothing else" test "$(cat dead/* | cksum)" = "$sum"
touch dead/run.xdmf.tmp dead/checkpoint.h5.tmp
that "it goes on" code 0 "$talus" resume dead --quiet
that "to the same end, with nothing left over" same_run whole dead
that "nothing" test "$(ls -A whole)" = "$(ls -A dead)"

# ---------------------------------------------------------------- no locks

export TALUS_FAULT_NO_LOCKS=1 LD_PRELOAD=$library
"$talus" run endless.yaml -o far --quiet 2>/dev/null &
id=$!
that "it is at work" wait_for rows far 20
that "a second one is refused" code 1 "$talus" run tiny.yaml -o far --force
that "with a sentence" grep -q "another talus is writing" err
that "info knows" code 0 "$talus" info far
that "that it runs" grep -q "running now" out
kill -KILL $id
wait $id 2>/dev/null
that "info knows" code 0 "$talus" info far
that "that it was killed" grep -q "stopped; to continue" out
echo "elsewhere 1 1" >far/run.lock
that "from another machine nobody can tell" code 1 "$talus" resume far
that "and it says so" grep -q "process 1 on elsewhere .* remove run.lock" err
that "info" code 0 "$talus" info far
that "says so too" grep -q "another machine" out
rm far/run.lock
until=$("$talus" info far | awk '/checkpoint  *time/ {print $3 + 0.1}')
that "then it goes on" code 0 "$talus" resume far --until "$until" --quiet
that "and leaves no lock" absent far/run.lock
unset TALUS_FAULT_NO_LOCKS LD_PRELOAD

# ---------------------------------------------------------------- links

echo precious >precious
cp precious before
untouched() { cmp precious before; }
mkdir linked elsewhere
for name in scene.yaml run.h5 run.xdmf checkpoint.h5 summary.json; do
	ln -s ../precious linked/$name.tmp
done
ln -s ../precious linked/scene.yaml
ln -s ../precious linked/run.xdmf
that "a folder full of links" code 0 "$talus" run tiny.yaml -o linked --quiet
that "the same run" same_run whole linked
that "nothing was overwritten" untouched
for name in frame.png forces.png plot.png frame.png.part plot.png.part; do
	ln -s ../precious linked/$name
done
that "pictures" code 0 "$talus" render linked
that "of forces" code 0 "$talus" render linked --forces
that "of curves" code 0 "$talus" plot linked kinetic_energy
that "nothing was overwritten" untouched
mv linked/log.csv rows.csv && ln -s ../rows.csv linked/log.csv
that "a log that is a link is not added to" code 1 "$talus" resume linked --until 1 --quiet
that "with a sentence" grep -q "log.csv: .*: it is a link" err
that "nor cut" cmp rows.csv whole/log.csv

cp whole/* elsewhere
mkdir many && ln -s ../elsewhere many/0000
sum=$(cat elsewhere/* | cksum)
that "a member that is a link" code 2 "$talus" run tiny.yaml -o many --sweep seed=1,2 --force
that "is not followed" test "$(cat elsewhere/* | cksum)" = "$sum"
sed 's/  log: /  problems: {every: 0.02}\n  log: /' tiny.yaml >problems.yaml
mkdir aside && ln -s ../elsewhere aside/problems && touch elsewhere/step-0000001.hdf5
that "nor problems" code 1 "$talus" run problems.yaml -o aside --quiet --force
that "not even to be removed" test -e elsewhere/step-0000001.hdf5
finish
