#!/bin/bash
# SPDX-License-Identifier: MIT
# A folder that is renamed or exchanged while a run writes into it: the run ends, and leaves what is there now alone.
. "$(dirname "$(readlink -f "$0")")/run_common.bash"
scene >box.yaml
that "another run" code 0 "$talus" run box.yaml -o other --quiet --set run.until.time=0.5

sum() { (cd "$1" && sha256sum -- *); }
cells() { awk -F, 'NR == 1 {n = NF} NF != n || (NR > 2 && $1 <= last) {exit 1} {last = $1}' "$1/log.csv"; }
frames_read() { h5dump "$1/run.h5"; }

# ends_by_itself FOLDER: exit code 1 with the sentence; one that goes on is ended after a minute
ends_by_itself() {
	wait "$id"
	[ $? = 1 ] && grep -q "^talus: $1: the folder was moved, removed or replaced by another one; nothing more is written" moved.err
}

# renamed, and another run starts in its place
timeout 600 "$talus" run box.yaml -o place --quiet --set run.until.time=1e6 >moved.out 2>moved.err &
id=$!
that "it runs" wait_for rows place 12
that "another run in its place" code 0 bash -c "mv place away && '$talus' run box.yaml -o place --quiet"
that "the first one ends" ends_by_itself place
that "it says where its checkpoint is" grep -q "^talus: the checkpoint of time .* is intact, in the folder that was place" moved.err
that "the new run is whole" code 0 "$talus" run box.yaml -o unbroken --quiet
that "and nobody else has written there" same_run unbroken place
that "rows of the one that was moved" cells away
that "its frames" frames_read away
end=$(awk -F, 'END {printf "%.2f", $2 + 0.3}' away/log.csv)
that "it goes on where it is now" code 0 "$talus" resume away --quiet --until "$end"
that "with whole rows" cells away

# exchanged with a finished run
cat >exchange.py <<'PY'
import ctypes, sys
libc = ctypes.CDLL(None, use_errno=True)
sys.exit(libc.renameat2(-100, sys.argv[1].encode(), -100, sys.argv[2].encode(), 2) != 0)
PY
if command -v python3 >/dev/null && mkdir p q && python3 exchange.py p q; then
	sum other >before
	timeout 600 "$talus" run box.yaml -o swapped --quiet --set run.until.time=1e6 >moved.out 2>moved.err &
	id=$!
	that "it runs" wait_for rows swapped 12
	that "exchanged" python3 exchange.py swapped other
	that "it ends" ends_by_itself swapped
	sum swapped >after
	that "not a byte of the finished run has changed" cmp before after
fi

# a folder may be reached by a link
mkdir real && ln -s real link
that "by a link" code 0 "$talus" run box.yaml -o link --quiet
that "as any other" same_run unbroken link
finish
