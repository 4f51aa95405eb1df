#!/bin/bash
# SPDX-License-Identifier: MIT
# The progress line: redrawn and never wider than the terminal, plain elsewhere.
. "$(dirname "$(readlink -f "$0")")/run_common.bash"
scene | sed 's/time: 3}/time: 1e6}/' >box.yaml

# on_terminal WIDTH: a few lines come in a second, on a slow machine in some more
on_terminal() {
	for seconds in 1 5 20; do
		rm -rf term
		script -qec "stty cols $1; exec timeout -s INT $seconds $talus run box.yaml -o term" /dev/null >typed 2>&1 </dev/null
		tr '\r' '\n' <typed | sed 's/\x1b\[K//g' | grep "%" >lines
		[ "$(wc -l <lines)" -ge 3 ] && break
	done
	[ "$(wc -l <lines)" -ge 3 ] || { echo "only $(wc -l <lines) lines"; cat typed; return 1; }
	[ "$(awk '{if (length($0) > most) most = length($0)} END {print most}' lines)" -lt "$1" ] || { echo "too wide"; head -n 3 lines; return 1; }
}

if script -qec true /dev/null >/dev/null 2>&1 </dev/null; then
	for width in 40 80 160; do
		that "a terminal of $width columns" on_terminal $width
	done
	that "everything is told" grep -q "^\[.*%  time .*  step .*grains.*contacts.*iterations.*overlap.*steps/s.*left" lines
	that "how to go on is on a line of its own" grep -q "talus resume term" typed
else
	echo "no pseudo-terminal can be made here: only the plain line is tested"
fi

"$talus" run box.yaml -o plain >out 2>err &
id=$!
that "elsewhere a plain line comes every few seconds" wait_for grep -q "^ *[0-9]*%  time .*  step .*steps/s" err
kill -INT $id
kill -INT $id
wait $id
that "two signals at once end it as one does" grep -q "talus resume plain" out err
that "without a bar" test -z "$(grep '[][]' err)"
that "without control characters" test -z "$(tr -d '[:print:]\n' <err)"

"$talus" run box.yaml -o slow --quiet --set solver.nsgs.stop.iterations=100000000 >out 2>err &
id=$!
that "a step that takes for ever begins" wait_for test -s slow/run.h5
kill -INT $id
sleep 0.8
that "one signal waits for the end of a long step" kill -0 $id
while kill -INT $id 2>/dev/null; do sleep 0.8; done # again, where a slow machine has seen two as one
wait $id
that "a later one kills" test $? = 130
finish
