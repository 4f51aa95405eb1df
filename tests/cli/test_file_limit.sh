#!/bin/bash
# SPDX-License-Identifier: MIT
# Files that may not grow (ulimit -f): a sentence, exit code 1, and nothing half written.
here=$(dirname "$(readlink -f "$0")")
. "$(dirname "$(readlink -f "$0")")/run_common.bash"
scene >box.yaml
that "a run" code 0 "$talus" run box.yaml -o box --set run.until.time=0.1 --quiet
# limited COMMAND...: with files of 4 kB at most; without output, which is a file too
limited() { bash -c 'ulimit -f 4; exec "$0" "$@" >/dev/null 2>/dev/null' "$talus" "$@"; }
that "render fails" code 1 limited render box -o box.png
that "plot fails" code 1 limited plot box kinetic_energy mean_speed -o box.svg
that "solve fails" code 1 limited solve "$here/pyramid.hdf5" -o answer.hdf5
that "nothing is left" test "$(echo box.* answer*)" = "box.yaml answer*"
that "a picture says why" bash -c "ulimit -f 4; $talus render box -o box.png 2>&1 | grep -q 'box.png.*File too large'"
finish
