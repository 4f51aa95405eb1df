#!/bin/bash
# SPDX-License-Identifier: MIT
# Killed at any moment, a run leaves files that open: thirty kills while it does nothing but write frames.
. "$(dirname "$(readlink -f "$0")")/run_common.bash"
scene | sed 's/frames: .*/frames: {every: 0.01}/; s/log: .*/log: {every: 0.01}/; s/time: 3/time: 1000/' >box.yaml
kills=30
[ "$quick" = 1 ] && kills=8
RANDOM=${TALUS_TEST_SEED:-5}
marked=0

opens() {
	"$talus" info dead >info.out 2>info.err || return 1
	[ ! -s info.err ] || { cat info.err; return 1; }
	h5dump dead/run.h5 >dump.txt 2>&1 || { head -n 3 dump.txt; return 1; }
	h5ls -r dead/run.h5 >/dev/null 2>&1 || return 1
	# the closing tags may miss only what was being written
	[ "$(tail -n 1 dead/run.xdmf)" = "</Xdmf>" ] || { echo "run.xdmf has no end"; return 1; }
}

# enough kills, and some more where hardly any of them meets a frame that is being written
kill=0
while [ $kill -lt $kills ] || { [ "$quick" = 0 ] && [ $marked -lt 4 ] && [ $kill -lt 120 ]; }; do
	kill=$((kill + 1))
	rm -rf dead
	"$talus" run box.yaml -o dead --quiet >/dev/null 2>&1 &
	id=$!
	until [ -s dead/run.xdmf ] || ! kill -0 $id 2>/dev/null; do sleep 0.01; done
	sleep 0.$((RANDOM%3))$((RANDOM%10))$((RANDOM%10))
	kill -KILL $id
	wait $id 2>/dev/null
	h5ls dead/run.h5 >/dev/null 2>&1 || marked=$((marked + 1))
	that "files open after kill $kill" opens
done
echo "$marked of $kill kills came while run.h5 was being written"
finish
