#!/bin/bash
# SPDX-License-Identifier: MIT
# A program that finds a bug in itself ends with code 3 and a sentence, in the midst of a run too, which leaves files that open and go
# on. Without memory it is code 1.
. "$(dirname "$(readlink -f "$0")")/run_common.bash"
scene >box.yaml

signals="ABRT SEGV"
[ "$quick" = 0 ] || signals=ABRT # sanitizers have their own way with the others
for signal in $signals; do
	"$talus" run box.yaml -o "$signal" --quiet --set run.until.time=1000 >out 2>err &
	id=$!
	that "it runs" wait_for rows "$signal" 20
	kill -$signal $id
	wait $id
	that "SIG$signal: exit code 3" test $? = 3
	that "it says that this is a bug" grep -q "^talus: .*this is a bug of talus [0-9.]*; please report it" err
	that "in one line" test "$(wc -l <err)" = 1
	that "the log ends with a whole row" test "$(tail -c 1 "$signal/log.csv" | od -An -c | tr -d ' ')" = '\n'
	that "no summary" absent "$signal/summary.json"
	that "frames can be read" h5dump -H "$signal/run.h5"
	that "info tells what is there" code 0 "$talus" info "$signal"
	later=$(tail -n 1 "$signal/log.csv" | awk -F, '{printf "%.2f", $2 + 0.5}')
	that "it goes on" code 0 "$talus" resume "$signal" --quiet --until "$later"
	that "and nothing half written is left" test -z "$(ls "$signal" | grep tmp)"
	that "an unbroken run" code 0 "$talus" run box.yaml -o "unbroken$signal" --quiet --set run.until.time="$later"
	that "has the same end" same_run "unbroken$signal" "$signal"
done

if [ "$quick" = 0 ]; then
	big='fill: {count: 20000000, radius: 0.5, material: glass, arrangement: lattice, in: {box: [[0, 0], [15, 4e7]]}}'
	sed "s/fill: .*/$big/" box.yaml >big.yaml
	that "no memory: exit code 1" code 1 bash -c "ulimit -v 400000; exec '$talus' run big.yaml -o big --quiet"
	that "with a sentence" grep -q "^talus: out of memory: [0-9]* bytes cannot be had" err
	that "and nothing about a bug" sh -c '! grep -q bug err'
fi
finish
