#!/bin/bash
# SPDX-License-Identifier: MIT
# talus solve, as a user types it: a sphere on four others on a floor (pyramid.hdf5, written by Talus), wrong words,
# wrong files, and what FCLIB's own library says about a file that Talus has written, where it is installed. With
# TALUS_PROBLEMS set to a folder of problems, some of them too.
here=$(dirname "$(readlink -f "$0")")
. "$here/run_common.bash"
cp "$here/pyramid.hdf5" p.hdf5

# field NAME: a value of the JSON in out
field() { sed -n "s/.*\"$1\": \([^,}]*\).*/\1/p" out; }
below() { awk -v a="$1" -v b="$2" 'BEGIN {exit !(a != "" && a != "null" && a + 0 <= b + 0)}'; }
says() { grep -q -- "$1" err || { cat err; return 1; }; }

# ---------------------------------------------------------------- it solves
for solver in $("$talus" solve --help | sed -n 's/^  --solver NAME *//p' | grep -o 'nsgs\|accelerated\|newton\|auto'); do
	that "$solver solves it" code 0 "$talus" solve p.hdf5 --json --solver "$solver" --tolerance 1e-10
	that "$solver: the error is below what was asked for" below "$(field error)" 1e-10
	that "$solver: and so is that over |q|" below "$(field error_q)" 1e-9
	that "$solver: eight contacts in 3D" test "$(field contacts) $(field dimension) $(field converged)" = "8 3 true"
	that "$solver: and nothing to excuse" test "$(field reason)" = null
	that "$solver: time and iterations are there" test -n "$(field seconds)" -a "$(field iterations)" -gt 0
done
that "words instead of JSON" code 0 "$talus" solve p.hdf5
that "with the title" grep -q "a sphere on four others" out
that "and the solver" grep -q "solver  " out

# ---------------------------------------------------------------- it gives up, with another exit code
that "an error that no rounding allows is not reached" code 1 \
	"$talus" solve p.hdf5 --solver nsgs --tolerance 1e-30 --time 0.1 --json
that "and it says so" test "$(field converged)" = false
that "with the reason" test "$(field reason)" = '"time"'
that "in words" code 1 "$talus" solve p.hdf5 --solver nsgs --tolerance 1e-30 --time 0.1
that "it was the time" grep -q "^not solved within 0.1 s (--time); the error is still above 1e-30$" out
that "or it ends by itself" code 1 "$talus" solve p.hdf5 --solver newton --tolerance 1e-30
that "another reason" code 1 "$talus" solve p.hdf5 --solver newton --tolerance 1e-30 --json
that "for programs" test "$(field reason)" = '"gave_up"'
that "in words" code 1 "$talus" solve p.hdf5 --solver newton --tolerance 1e-30
that "which is something else" grep -q "^not solved: newton gave up; the error is still above 1e-30$" out

# ---------------------------------------------------------------- a signal
# whether process $id has a handler for SIGINT
listens() { [ "$(readlink "/proc/$id/exe")" = "$talus" ] && sed -n 's/^SigCgt:.*\(.\)$/\1/p' "/proc/$id/status" | grep -q '[2367abef]'; }

# interrupted SIGNAL WORDS...: ends with code 1, soon after the signal
interrupted() {
	local signal=$1 start got
	shift
	"$talus" solve p.hdf5 --tolerance 1e-30 --time 30 "$@" >out 2>err &
	id=$!
	wait_for listens || return 1
	start=$SECONDS
	kill "-$signal" "$id"
	wait "$id"
	got=$?
	[ $got = 1 ] || { echo "exit code $got, not 1"; return 1; }
	[ $((SECONDS - start)) -lt 20 ]
}
for solver in nsgs accelerated; do
	that "Ctrl-C ends $solver" interrupted INT --solver $solver -o stopped.hdf5
	that "which is said" grep -q "^stopped by a signal; the error is still above 1e-30$" out
	that "with what it had" grep -q "^  error  " out
	that "which is in the file" sh -c 'h5dump -d /solution/r stopped.hdf5 | grep -q "( 24 )"'
	rm -f stopped.hdf5
done
that "so does SIGTERM" interrupted TERM --solver nsgs --json
that "in JSON too" test "$(field converged) $(field reason)" = 'false "stopped"'
that "with a sentence beside it" says "stopped by a signal"

# ---------------------------------------------------------------- there is no answer
that "where there is an answer nothing is remarked" code 0 "$talus" solve p.hdf5
that "no doubt" sh -c '! grep "no solution" out'
# the same with W = 0: nothing keeps the grains apart
cp p.hdf5 zero.hdf5
read -r size offset < <(h5dump -p -H -d /fclib_local/W/x p.hdf5 | sed -n 's/^ *\(SIZE\|OFFSET\) //p' | tr '\n' ' ')
dd if=/dev/zero of=zero.hdf5 bs=1 seek="$offset" count="$size" conv=notrunc status=none
nothing="this problem has no solution: of contacts 1, 2, 3 and 4 at least one closes whatever impulses act"
for solver in auto newton nsgs accelerated; do
	for tolerance in 1e-4 1e-8 1e-12; do
		that "$solver, $tolerance: impulses without bound are no answer" code 1 "$talus" solve zero.hdf5 --solver $solver \
			--tolerance $tolerance
		that "which is proved" grep -qx "$nothing" out
		that "in JSON too" code 1 "$talus" solve zero.hdf5 --solver $solver --tolerance $tolerance --json
		that "with a sentence beside it" says "^talus: zero.hdf5: $nothing\$"
		that "and it is not converged" test "$(field converged) $(field reason)" = 'false "no_solution"'
	done
done
that "what is no solution" code 1 "$talus" solve zero.hdf5 -o zeroed.hdf5
that "is not written" absent zeroed.hdf5
that "with a sentence" says "^talus: zeroed.hdf5 is not written: there is no solution"

# ---------------------------------------------------------------- it writes
that "a file with the answer" code 0 "$talus" solve p.hdf5 --solver nsgs --tolerance 1e-12 -o q.hdf5
that "with impulses" sh -c 'h5dump -d /solution/r q.hdf5 | grep -q "( 24 )"'
that "and velocities" sh -c 'h5dump -d /solution/u q.hdf5 | grep -q "( 24 )"'
that "and the problem as it was" h5diff p.hdf5 q.hdf5 /fclib_local /fclib_local
that "nothing beside it" absent q.hdf5.part
that "it can be read again" code 0 "$talus" solve q.hdf5 --json
that "a place that is not there" code 1 "$talus" solve p.hdf5 -o nowhere/q.hdf5
that "has a sentence" says "No such file"

# ---------------------------------------------------------------- what it does not write over
mkfifo pipe
ln -s pipe pipe-link
mkdir place
for other in pipe pipe-link place; do
	that "$other is refused" code 2 timeout 300 "$talus" solve p.hdf5 -o $other
	that "with a sentence" says "$other is not a file"
	that "before any work" test ! -s out
done
that "the pipe is still there" test -p pipe -a -L pipe-link -a -d place
ln -s nothing dangling
that "a link to nothing" code 2 "$talus" solve p.hdf5 -o dangling
that "has a sentence" says "dangling is a link to something that is not there"
mkdir elsewhere
cp p.hdf5 elsewhere/old.hdf5
ln -s elsewhere/old.hdf5 link.hdf5
that "a link to a file" code 0 "$talus" solve p.hdf5 -o link.hdf5
that "stays one" test -L link.hdf5
that "and the file has the answer" h5diff q.hdf5 elsewhere/old.hdf5 /fclib_local /fclib_local
that "alone" test "$(ls elsewhere)" = old.hdf5
echo old >old.txt
cp old.txt kept.txt
cp "$(dirname "$(readlink -f "$0")")/../fuzz/corpus/checkpoint/whole.h5" run.h5
cp run.h5 kept.h5
for other in old.txt run.h5; do
	that "$other is not replaced" code 2 "$talus" solve p.hdf5 -o $other
	that "with a sentence" says "$other is there already, and is no contact problem"
done
that "they are what they were" eval "cmp old.txt kept.txt && cmp run.h5 kept.h5"
: >empty.hdf5
that "an empty file is" code 0 "$talus" solve p.hdf5 -o empty.hdf5
ln p.hdf5 same.hdf5
ln -s p.hdf5 too.hdf5
cp p.hdf5 before.hdf5
for same in p.hdf5 ./p.hdf5 same.hdf5 too.hdf5; do
	that "the problem itself ($same) is not written over" code 2 "$talus" solve p.hdf5 -o $same
	that "with a sentence" says "is the problem itself"
done
that "it is what it was" cmp p.hdf5 before.hdf5

# ---------------------------------------------------------------- what FCLIB itself reads
cat >merit.c <<'C'
#include <fclib.h>
#include <stdio.h>
int main(int argc, char **argv)
{
	struct fclib_local *problem = fclib_read_local(argv[argc - 1]);
	struct fclib_solution *solution = problem ? fclib_read_solution(argv[argc - 1]) : NULL;
	if (!solution)
		return 1;
	printf("%d %d %g %s\n", problem->spacedim, problem->W->m, fclib_merit_local(problem, MERIT_1, solution),
	       problem->info->title);
	return 0;
}
C
hdf5_flags=$(pkg-config --cflags hdf5-serial 2>/dev/null || pkg-config --cflags hdf5)
# shellcheck disable=SC2086 # a list of words
if echo '#include <fclib.h>' | cc $hdf5_flags -fsyntax-only -x c - 2>/dev/null; then
	that "a program of FCLIB" cc $hdf5_flags merit.c -o merit -lfclib
	./merit q.hdf5 >merit.out || { echo "FAILED: FCLIB does not read it"; failures=$((failures + 1)); }
	read -r dimension rows merit title <merit.out
	that "FCLIB reads the same problem" test "$dimension $rows $title" = "3 24 a sphere on four others on a floor"
	that "and finds it solved" below "$merit" 1e-12
else
	echo "libfclib-dev is not installed: not compared with it"
fi

# ---------------------------------------------------------------- wrong use
that "no file" code 2 "$talus" solve
that "has a sentence" says "is missing"
that "a wrong solver" code 2 "$talus" solve p.hdf5 --solver nsg
that "has one that was meant" says "did you mean nsgs"
that "a wrong option" code 2 "$talus" solve p.hdf5 --tolerence 1
that "has one that was meant" says "did you mean --tolerance"
for words in "--tolerance 0" "--tolerance x" "--time -1" "--guess 0" "--guess 1"; do
	# shellcheck disable=SC2086 # two words
	that "$words is refused" code 2 "$talus" solve p.hdf5 $words
done

# ---------------------------------------------------------------- wrong files
that "a file that is not there" code 2 "$talus" solve none.hdf5
that "has a sentence" says "none.hdf5: cannot be read: No such file"
echo "hello" >text.hdf5
that "a text" code 2 "$talus" solve text.hdf5
that "has a sentence" says "not an HDF5 file"
head -c 9000 p.hdf5 >cut.hdf5
that "a truncated file" code 2 "$talus" solve cut.hdf5
that "has a sentence" says "cut.hdf5: "
mkdir folder
that "a folder" code 2 "$talus" solve folder

# ---------------------------------------------------------------- problems of others
if [ -n "${TALUS_PROBLEMS:-}" ]; then
	for problem in KaplasTower-i1061-4 Capsules-i100-889 NESpheres_30_1 fc2d_granularflowonwall_00667_00000 \
		rockfall_21_54029; do
		file=$TALUS_PROBLEMS/$problem.hdf5
		[ -e "$file" ] || continue
		that "$problem" code 0 "$talus" solve "$file" --solver nsgs --tolerance 1e-6 --time 20 --json
		that "$problem: the error is what it says" below "$(field error)" 1e-6
	done
fi
finish
