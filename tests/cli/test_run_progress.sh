#!/bin/bash
# SPDX-License-Identifier: MIT
# The progress line: redrawn and never wider than the terminal, plain elsewhere.
. "$(dirname "$(readlink -f "$0")")/run_common.bash"
scene | sed 's/time: 3}/time: 1000}/' >box.yaml
command -v script >/dev/null || exit 77

on_terminal() {
	rm -rf term
	script -qec "stty cols $1; exec timeout -s INT 1 $talus run box.yaml -o term" /dev/null >typed 2>&1 </dev/null
	tr '\r' '\n' <typed | sed 's/\x1b\[K//g' | grep "%" >lines
	[ "$(wc -l <lines)" -ge 3 ] || { echo "only $(wc -l <lines) lines in a second"; cat typed; return 1; }
	[ "$(awk '{if (length($0) > most) most = length($0)} END {print most}' lines)" -lt "$1" ] || { echo "too wide"; head -n 3 lines; return 1; }
}
for width in 40 80 160; do
	that "a terminal of $width columns" on_terminal $width
done
that "everything is told" grep -q "^\[.*%  time .*  step .*grains.*contacts.*iterations.*overlap.*steps/s.*left" lines
that "how to go on is on a line of its own" grep -q "talus resume term" typed

timeout -s INT 7 "$talus" run box.yaml -o plain >out 2>err
that "elsewhere a plain line comes every few seconds" test "$(grep -c 'steps/s' err)" = 1
that "without control characters" test -z "$(tr -d '[:print:]\n' <err)"
finish
