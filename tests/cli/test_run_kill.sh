#!/bin/bash
# SPDX-License-Identifier: MIT
# Killed at any moment, a run leaves files that open: some kills while it does nothing but write frames, many in the long form. (tests/faults kills it at every call.)
. "$(dirname "$(readlink -f "$0")")/run_common.bash"
scene | sed 's/count: 100/count: 30/; s/frames: .*/frames: {every: 0.01}/; s/log: .*/log: {every: 0.01}/; s/time: 3/time: 1000/' >box.yaml
kills=10
[ "$long_form" = 1 ] && kills=50
RANDOM=${TALUS_TEST_SEED:-5}

opens() {
	h5dump dead/run.h5 >dump.txt 2>&1 || { head -n 3 dump.txt; return 1; } # before ours has seen it
	h5ls -r dead/run.h5 >/dev/null 2>&1 || return 1
	"$talus" info dead >info.out 2>info.err || return 1
	[ ! -s info.err ] || { cat info.err; return 1; }
	# the closing tags may miss only what was being written
	[ "$(tail -n 1 dead/run.xdmf)" = "</Xdmf>" ] || { echo "run.xdmf has no end"; return 1; }
}

for kill in $(seq $kills); do
	rm -rf dead
	"$talus" run box.yaml -o dead --quiet >/dev/null 2>&1 &
	id=$!
	until [ -s dead/run.xdmf ] || ! kill -0 $id 2>/dev/null; do sleep 0.01; done
	sleep 0.0$((RANDOM%10))$((RANDOM%10))
	kill -KILL $id
	wait $id 2>/dev/null
	that "files open after kill $kill" opens
done
finish
