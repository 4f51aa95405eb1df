#!/bin/bash
# SPDX-License-Identifier: MIT
# output.problems: the contact problems of a run in FCLIB's format, solved by talus solve, judged by FCLIB's own library where it
# is installed, the same again after a resume.
. "$(dirname "$(readlink -f "$0")")/run_common.bash"
scene | sed 's/spin: 0.3/spin: 0/; s/time: 3}/time: 1.6}/' >box.yaml
set=(--quiet --set 'output.problems={every: 0.4}' --set 'solver={nsgs: {stop: {residual: 1e-6}}}')

field() { sed -n "s/.*\"$1\": \([^,}]*\).*/\1/p" out; }
below() { awk -v a="$1" -v b="$2" 'BEGIN {exit !(a != "" && a != "null" && a + 0 <= b + 0)}'; }

# ---------------------------------------------------------------- files
that "a run with problems" code 0 "$talus" run box.yaml -o p "${set[@]}"
that "has one every 0.4" test "$(ls p/problems | tr '\n' ' ')" = "step-0000040.hdf5 step-0000080.hdf5 step-0000120.hdf5 step-0000160.hdf5 "
that "without being asked there is none" code 0 "$talus" run box.yaml -o q --quiet --set 'solver={nsgs: {stop: {residual: 1e-6}}}'
that "not even a folder" absent q/problems
that "and it is the same run" same_run p q
that "with the title, step and time" sh -c 'h5dump -d /fclib_local/info/title p/problems/step-0000120.hdf5 | grep -q "a box: step 120, time 1.2"'

# ---------------------------------------------------------------- they can be solved
for step in 0000080 0000160; do
	file=p/problems/step-$step.hdf5
	that "step $step is solved" code 0 "$talus" solve $file --json --tolerance 1e-8
	that "to a small error" below "$(field error)" 1e-8
	that "from its first guess too" code 0 "$talus" solve $file --json --tolerance 1e-8 --guess 1
done

# ---------------------------------------------------------------- the run's own solution, as FCLIB sees it, which judges 3D only
cat >heap.yaml <<'YAML'
title: a heap
dimension: 3
gravity: [0, 0, -1]
materials: {glass: {density: 1.0}}
contacts: [{between: [glass, glass], friction: 0.3}]
cell: {size: [4, 4, 1], periodic: [x, y]}
grains:
  - fill: {count: 60, radius: {uniform: [0.4, 0.6]}, material: glass, arrangement: random, in: {box: [[0, 0, 0], [4, 4, 9]]}}
walls: {floor: {plane: {point: [0, 0, 0], normal: [0, 0, 1]}, material: glass}}
method: {contact_dynamics: {step: 0.01}}
solver: {nsgs: {stop: {residual: 1e-3}}}
run: {until: {time: 4}}
output: {problems: {every: 2}}
YAML
cat >merit.c <<'C'
#include <fclib.h>
#include <stdio.h>
int main(int argc, char **argv)
{
	struct fclib_local *problem = fclib_read_local(argv[argc - 1]);
	struct fclib_solution *solution = problem ? fclib_read_solution(argv[argc - 1]) : NULL;
	int guesses = 0;
	if (!solution || !fclib_read_guesses(argv[argc - 1], &guesses))
		return 1;
	printf("%d %d %g\n", problem->spacedim, guesses, fclib_merit_local(problem, MERIT_1, solution));
	return 0;
}
C
hdf5_flags=$(pkg-config --cflags hdf5-serial 2>/dev/null || pkg-config --cflags hdf5)
# shellcheck disable=SC2086 # a list of words
if echo '#include <fclib.h>' | cc $hdf5_flags -fsyntax-only -x c - 2>/dev/null; then
	that "a program of FCLIB" cc $hdf5_flags merit.c -o merit -lfclib
	that "spheres" code 0 "$talus" run heap.yaml --quiet
	that "to the end" code 0 "$talus" run heap.yaml -o exact --quiet --set solver.nsgs.stop.residual=1e-7
	for file in heap/problems/* exact/problems/*; do
		./merit "$file" >merit.out || { echo "FAILED: FCLIB does not read $file"; failures=$((failures + 1)); }
		read -r dimension guesses merit <merit.out
		that "FCLIB reads $file" test "$dimension $guesses" = "3 1"
		case $file in
		heap*) that "and finds it as wrong as it is: $merit" below "$merit" 1e-2 ;;
		*) that "and finds it solved: $merit" below "$merit" 1e-6 ;;
		esac
	done
else
	echo "libfclib-dev is not installed: not compared with it"
fi

# ---------------------------------------------------------------- resume
cp -r p r
that "another end" code 0 "$talus" resume r --quiet --until 2
that "has problems further on" test "$(ls r/problems | wc -l)" = 5
that "a run without a break" code 0 "$talus" run box.yaml -o s "${set[@]}" --set run.until.time=2
for file in s/problems/*; do
	that "has the same problem: $file" h5diff "$file" "r/problems/${file##*/}"
done
# a run that is stopped after a problem, before the next checkpoint, and leaves what it should not
"$talus" run box.yaml -o k "${set[@]}" --set run.until.time=1000000 >/dev/null 2>&1 &
id=$!
wait_for test -f k/problems/step-0000080.hdf5
kill -KILL $id
wait $id 2>/dev/null
cp k/problems/step-0000080.hdf5 k/problems/step-9999999.hdf5
that "it goes on" code 0 "$talus" resume k --quiet --until 5
that "what does not belong there is gone" absent k/problems/step-9999999.hdf5
that "and the rest is the same" h5diff k/problems/step-0000080.hdf5 s/problems/step-0000080.hdf5

# ---------------------------------------------------------------- what cannot be written
that "rolling friction is no obstacle" code 0 "$talus" run box.yaml -o n "${set[@]}" --set 'contacts.0.rolling=0.1'
that "but a warning, once" test "$(grep -c 'warning: the contact problem of time .* is not written: .*rolling' err)" = 1
that "the summary has it, with a code" grep -q '{"code": "problems", "message": "the contact problem of time .* is not written' n/summary.json
that "not where they are written" code 1 grep -q '"code": "problems"' s/summary.json
that "and no files" absent n/problems
that "a wrong number is refused" code 2 "$talus" run box.yaml -o w --set output.problems.every=-1
that "a wrong key has one that was meant" code 2 "$talus" run box.yaml -o w --set output.problem.every=1
that "namely problems" grep -q problems err

# ---------------------------------------------------------------- again, with other moments
that "a run in its place" code 0 "$talus" run box.yaml -o p --force --quiet --set 'output.problems={every: 0.7}'
that "leaves none of the old ones" test "$(ls p/problems | tr '\n' ' ')" = "step-0000070.hdf5 step-0000140.hdf5 "
finish
