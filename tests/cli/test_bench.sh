#!/bin/bash
# SPDX-License-Identifier: MIT
# talus bench on the smallest scenes: what it prints and returns, and that states agree. Nothing here depends on
# the speed.
. "$(dirname "$(readlink -f "$0")")/run_common.bash"
bench=$TALUS_SOURCE/bench

# ---------------------------------------------------------------- the list
that "--list works" code 0 "$talus" bench --list
that "it has the small one, of the quick selection" grep -q '^\* spheres-1000 ' out
that "it has the large one, by name only" grep -q '^  spheres-1000000 ' out
files=$(ls "$bench/scenes" | wc -l)
that "a file for every scene that is no tiling" test "$files" = "$(grep -vc '00000 ' out)"

# ---------------------------------------------------------------- the table
that "a table" code 0 "$talus" bench spheres-1000 disks-1000 --rounds 1 --threads 1,2 --folder "$bench" \
	--csv rows.csv
that "no words on stderr" test ! -s err
that "a row for one thread" grep -Eq '^spheres-1000 +1000 +[0-9]+ +50 +1 ' out
that "a row for two" grep -Eq '^ +2 +[0-9.]+ ' out
that "hashes agree, for both scenes" test "$(grep -c 'hashes agree' out)" = 2
that "it fits 100 columns" awk 'length > 100 {exit 1}' out

# ---------------------------------------------------------------- CSV
that "a row a scene and number of threads, below the names" test "$(wc -l <rows.csv)" = 5
that "all rows have the same cells" awk -F, 'NR == 1 {n = NF} NF != n {exit 1}' <(sed 's/"[^"]*"/text/g' rows.csv)
that "and --csv appends" code 0 "$talus" bench disks-1000 --rounds 1 --threads 1 --csv rows.csv
that "without the names again" test "$(grep -c '^date,' rows.csv) $(wc -l <rows.csv)" = "1 6"
hashes() { awk -F, '$6 == "disks-1000" {print $17}' <(sed 's/"[^"]*"/text/g' rows.csv) | sort -u | wc -l; }
that "the hash is that of the scene, not of the machine's speed" test "$(hashes)" = 1

# ---------------------------------------------------------------- JSON
that "JSON" code 0 "$talus" bench spheres-1000 --rounds 1 --threads 2,1 --order sequential --json
that "an array" test "$(head -c 1 out)$(tail -n 1 out)" = "[]"
for key in scene threads order grains contacts iterations rounds steps_per_round updates_per_second ns_per_update \
	bare_ns ms_per_step share_outside_solver speed_up triad_gb_per_second bytes_per_grain hash version machine \
	processor processors cache_l1d cache_l2 cache_l3 compiler; do
	that "JSON has $key twice" test "$(grep -o "\"$key\": " out | wc -l)" = 2
done
that "of the order asked for" grep -q '"order": "sequential"' out
that "with two threads first" grep -q '^ {"scene": "spheres-1000", "threads": 2' out
that "and equal states" test "$(grep -c '"hashes_agree": true' out)" = 2
that "one hash" test "$(grep -o '"hash": "[0-9a-f]*"' out | sort -u | wc -l)" = 1
if command -v python3 >/dev/null; then
	that "JSON can be read" python3 -m json.tool out
fi

that "sweeps with momentum" code 0 "$talus" bench disks-1000 --rounds 1 --threads 1,2 --order momentum --json
that "say so" grep -q '"order": "momentum"' out
that "and agree" test "$(grep -c '"hashes_agree": true' out)" = 2

# ---------------------------------------------------------------- wrong use
wrong() {
	local text=$1
	shift
	code 2 "$talus" bench "$@" || return
	grep -q -- "$text" err || { cat err; return 1; }
	[ ! -s out ] || { echo "words on stdout"; return 1; }
}
that "a wrong name, with the nearest" wrong 'did you mean spheres-1000?' sphere-1000
that "and the list" grep -q '^  chute ' err
that "a name like no other" wrong 'there is no scene xyz; the scenes are' xyz
that "a wrong name among right ones" wrong 'there is no scene' spheres-1000 nonsense --csv not.csv
that "nothing is written on wrong input" absent not.csv
that "a wrong order" wrong 'must be .shuffled.' spheres-1000 --order sorted --csv not.csv
that "nothing is written on a wrong order" absent not.csv
that "no threads" wrong 'whole numbers from 1 to 1024' --threads 0
that "a list with a hole" wrong 'whole numbers from 1 to 1024' --threads 1,,2
that "a number twice" wrong '2 twice' --threads 2,1,2
that "no rounds" wrong 'from 1 to 1000' --rounds 0
that "an unknown option" wrong 'did you mean --threads?' --treads 1
that "no scenes there" wrong "there is no folder $work/scenes" --folder "$work"
mkdir -p empty/scenes
that "not this scene there" wrong 'spheres-1000.yaml' spheres-1000 --folder empty
that "a file that cannot be" wrong 'cannot be opened' spheres-1000 --rounds 1 --csv nowhere/rows.csv

# ---------------------------------------------------------------- stopped
"$talus" bench disks-1000 --rounds 1000 --threads 1 --json >stopped.out 2>stopped.err &
id=$!
# SIGTERM is bit 14 of the signals that are caught
taken() { [ "$(readlink "/proc/$id/exe")" = "$talus" ] && awk '/^SigCgt/ {exit substr($2, length($2) - 3, 1) !~ /[4567cdef]/}' "/proc/$id/status"; }
that "it listens to signals" wait_for taken
kill -TERM "$id"
wait "$id"
that "a stopped one returns 1" test $? = 1
that "with a sentence" grep -q 'stopped in disks-1000' stopped.err
that "and JSON that is whole" test "$(tr -d ' \n' <stopped.out)" = "[]"
finish
