#!/bin/bash
# SPDX-License-Identifier: MIT
# Every scene in examples/ runs, for a short while, with its own solver, and can be drawn; it warns of nothing but
# that not all grains are there yet.
. "$(dirname "$(readlink -f "$0")")/run_common.bash"

# steps SCENE N: the time that N steps of it take
steps() {
	sed -n 's/.*contact_dynamics: {step: \([0-9.e-]*\)}.*/\1/p' "$1" | awk -v n="$2" '{print n*$1}'
}

count=0
for scene in "$TALUS_SOURCE"/examples/*/*.yaml; do
	name=$(basename "$(dirname "$scene")")-$(basename "$scene" .yaml)
	that "$name is right" code 0 "$talus" check "$scene"
	that "$name runs" code 0 "$talus" run "$scene" -o "$name" --quiet \
		--set run.until.time="$(steps "$scene" 200)" --set output.frames.every=0
	that "$name warns of nothing else" test -z "$(grep -v 'grains were poured' err)"
	that "$name can be drawn" code 0 "$talus" render "$name" --forces --size 300x300
	count=$((count + 1))
done
that "there are examples" test $count -gt 6
finish
