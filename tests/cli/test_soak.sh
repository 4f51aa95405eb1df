#!/bin/bash
# SPDX-License-Identifier: MIT
# talus soak: a few dozen scenes without a finding; what it prints, keeps and returns.
. "$(dirname "$(readlink -f "$0")")/run_common.bash"
scenes=24
seed=20
[ "$quick" = 1 ] && scenes=6
if [ "${TALUS_TEST_LONG:-0}" = 1 ]; then
	scenes=120
	seed=2026
fi
export TMPDIR=$work/tmp
mkdir tmp

# ---------------------------------------------------------------- words
that "help" code 0 "$talus" soak --help
that "an option that is not there" code 2 "$talus" soak --minutes 3
that "a seed that is no number" code 2 "$talus" soak --seed x
that "hours that are none" code 2 "$talus" soak --hours 0
that "scenes that are none" code 2 "$talus" soak --scenes 0
that "one scene or many" code 2 "$talus" soak --scene 3 --scenes 4
that "a word too many" code 2 "$talus" soak scene.yaml
that "nothing was written" absent soak

# ---------------------------------------------------------------- scenes
that "a few dozen scenes are right" code 0 "$talus" soak --seed $seed --scenes $scenes --quiet
that "it says so" grep -q "^$scenes scenes, 0 findings$" out
that "most of them are accepted" awk '/of the scenes accepted/ {sub(/.*variants, /, ""); exit !($1 >= 90)}' out
that "nothing is kept" absent soak

# ---------------------------------------------------------------- one scene
that "a scene by its number" code 0 "$talus" soak --seed 20 --scene 7 -o one
that "how to see it again stands above it" grep -q '^# talus soak --seed 20 --scene 7$' one/20-7.yaml
that "it is a scene like any other" code 0 "$talus" check one/20-7.yaml
cp one/20-7.yaml before.yaml
that "once more" code 0 "$talus" soak --seed 20 --scene 7 -o one
that "it is the same" cmp before.yaml one/20-7.yaml

echo mine >mine.txt
ln -sf ../mine.txt one/20-7.yaml
that "beside a link" code 0 "$talus" soak --seed 20 --scene 7 -o one
that "the link is replaced" cmp before.yaml one/20-7.yaml
that "and not followed" test "$(cat mine.txt)" = mine

that "a scene that cannot be written is a failure" code 1 "$talus" soak --seed 20 --scene 7 --quiet -o one/20-7.yaml/x
that "in a sentence" grep -q "^talus: one/20-7.yaml/x/20-7.yaml: cannot be written: " err

# ---------------------------------------------------------------- stopped
at_work() { [ -n "$(ls "$TMPDIR")" ]; }
"$talus" soak --hours 1 --seed 5 >out 2>err &
id=$!
that "it begins" wait_for at_work
kill -INT $id
wait $id
that "Ctrl-C ends it as if time were over" test $? = 0
that "with a summary" grep -q ' scenes, 0 findings$' out
that "nothing is left behind" test -z "$(ls "$TMPDIR")"
finish
