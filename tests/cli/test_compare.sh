#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# talus compare as a user types it: runs that are identical, that differ by chance, that differ, and folders that are no runs.
. "$(dirname "$0")/run_common.bash"

# a few disks in simple shear at constant stress, which soon forget how they began
cat >shear.yaml <<'YAML'
title: a small shear cell
dimension: 2
seed: 1
materials: {glass: {density: 1}}
contacts: [{between: [glass, glass], friction: 0.3}]
cell: {size: [9, 9], periodic: [x, y], drive: {xy: {rate: 0.5}, yy: {stress: 1}}, inertia: 1}
grains:
  - fill: {count: 40, radius: {uniform: [0.45, 0.65]}, material: glass, arrangement: random, in: {box: [[0, 0], [9, 9]]}}
method: {contact_dynamics: {step: 0.025}}
run: {until: {time: 150}}
output: {frames: {every: 10}, log: {every: 0.25}, checkpoint: {every: 100}}
YAML
run() { local folder=$1; shift; "$talus" run shear.yaml -o "$folder" --quiet --threads 1 "$@"; }
run one && run two --set seed=2 && run press --set seed=3 --set cell.drive.yy.stress=4 || exit 1
run short --set run.until.time=5 && "$talus" run shear.yaml -o again --quiet --threads 2 --set run.until.time=5 || exit 1
"$talus" run shear.yaml -o fewer --quiet --threads 1 --set run.until.time=5 --set solver.nsgs.stop.iterations=3 || exit 1

# verdict COLUMN: what the last comparison says of it
verdict() { sed -n "s/^  $1 .* \(agree\|differ\|unknown\)\(, [a-z]*\)\{0,1\}\$/\1\2/p" out; }
# json EXPRESSION: of c, the comparison in out
json() { python3 -c "import json; c = json.load(open('out')); column = {k['name']: k for k in c['log']['columns']}; assert $1, c"; }
narrow() { ! awk '{ if (length($0) > 100) { print; wide = 1 } } END { exit !wide }' out; }

# ---------------------------------------------------------------- same seed, same bits
that "two numbers of threads" code 0 "$talus" compare short again
that "identical, said first" sh -c "head -n 1 out | grep -q '^Identical bit for bit at the end: both have the state hash $(hash_of short), and the same log\$'"
that "of the same scene" grep -q '^Scenes: the same$' out
that "the same grains in the same places" grep -q 'The same grains. Their places differ by 0 mean diameters (rms), at most by 0.' out
that "with the same contacts" grep -q 'pairs in both, 100 % of' out
that "and forces" grep -q 'Normal forces of these differ by 0 %' out
that "equally distributed" grep -q 'agree: Kolmogorov-Smirnov distance 0.0000' out
that "for programs" code 0 "$talus" compare short again --json
that "identical" json 'c["identical"] is True and c["same_log"] and c["log"]["differ"] == 0 and c["log"]["unknown"] == 0'
that "in every way" json 'c["frame"]["same_grains"] and c["frame"]["force_correlation"] > 0.999999 and c["frame"]["ks_distance"] == 0'
that "numbers of the last frame are those of the end" \
	json 'all(c["frame"][k] == 2*[json.load(open("short/summary.json"))[k]] for k in ("mean_force", "coordination", "mobilisation", "anisotropy"))'
that "with what they cost" json 'c["cost"]["steps"] == [200, 200] and c["cost"]["threads"] == [1, 2] and c["cost"]["seconds"][0] > 0'

# ---------------------------------------------------------------- another solver: the same grains part slowly
that "few iterations" code 0 "$talus" compare short fewer --to 0.5 --json
that "other bits" json 'c["identical"] is False and 0 < c["logs_part_at"] <= 0.5'
that "of the same grains" json 'c["frame"]["same_grains"] and c["frame"]["distance_rms"] == 0 and c["frame"]["index"] == [0, 0]'
that "the key is named" json 'c["scene_differences"] == [{"path": "solver.nsgs.stop.iterations", "a": None, "b": "3"}]'
that "at the end" code 0 "$talus" compare short fewer --json
that "they are apart, through the cell at most by half its diagonal" json '0 < c["frame"]["distance_rms"] < c["frame"]["distance_max"] < 6'
that "and have lost contacts" json '0 < c["frame"]["common_share"] < 1'
that "in a window that is too short for errors" json 'column["pressure"]["verdict"] == "unknown" and column["pressure"]["why"] == "too few independent samples"'

# ---------------------------------------------------------------- two seeds agree, two pressures do not
that "two seeds" code 0 "$talus" compare one two -o page.png
that "lines are short" narrow
that "not identical, said first" sh -c "head -n 1 out | grep -q '^Not identical'"
that "the seed differs" grep -q '^  seed  *1  *2$' out
that "alone" grep -q '^Scenes: 1 difference$' out
that "the window is told" grep -q '^Log: means from time 75 to 150, second half of the common 0 to 150; 301 rows in A, 301 in B$' out
for column in volume_fraction pressure coordination stress_xy; do
	that "$column agrees" test "$(verdict $column)" = agree
done
that "a sum has no mean" test "$(verdict dissipated_energy)" = "unknown, few"
that "which is explained" grep -q 'few: too few independent samples' out
that "chance is mentioned" grep -q 'by chance alone: one in 20' out
that "other grains" grep -q 'They are not the same grains: their radii differ' out
that "the picture is there" sh -c "head -c 4 page.png | grep -q PNG && grep -q '^page.png\$' out"
that "as a drawing" code 0 "$talus" compare one two -o page.svg
that "with its curves" sh -c "grep -q '<path' page.svg && tail -c 20 page.svg | grep -q '</svg>'"
that "as a document" code 0 "$talus" compare one two -o page.pdf --json
that "that is one" sh -c "head -c 5 page.pdf | grep -q '%PDF-'"
that "and nothing beside the object" json 'column["volume_fraction"]["errors"] <= 2 and column["volume_fraction"]["independent"][0] >= 20'

that "two pressures" code 0 "$talus" compare one press
for column in pressure stress_yy contacts; do
	that "$column differs" test "$(verdict $column)" = differ
done
that "a window" code 0 "$talus" compare one press --from 50 --to 100.5 --json
that "is the one" json 'c["log"]["window"] == [50, 100.5] and c["log"]["window_chosen"] and c["frame"]["time"] == [100, 100]'
that "no longer than the logs" code 0 "$talus" compare one press --from 20 --to 1e9 --json
that "are" json 'c["log"]["window"] == [20, 150]'

# ---------------------------------------------------------------- at rest one run is one sample
sed -e 's/^cell:.*/gravity: [0, -1]/' -e 's/time: 150/time: 40/' shear.yaml >bed.yaml
cat >>bed.yaml <<'YAML'
walls:
  floor: {plane: {point: [0, 0], normal: [0, 1]}, material: glass}
  left: {plane: {point: [0, 0], normal: [1, 0]}, material: glass}
  right: {plane: {point: [9, 0], normal: [-1, 0]}, material: glass}
YAML
"$talus" run bed.yaml -o bed --quiet --threads 1 && "$talus" run bed.yaml -o bed2 --quiet --threads 1 --set seed=2 || exit 1
that "two beds" code 0 "$talus" compare bed bed2 -o bed.png
that "no false error" test "$(verdict volume_fraction)" = "unknown, rest"
that "which is explained" grep -q 'rest: grains move by less than a tenth of a diameter' out

# ---------------------------------------------------------------- 2D and 3D
sed -e 's/^dimension: 2/dimension: 3/' -e 's/\[0, -1\]/[0, 0, -1]/' -e 's/\[0, 0\], \[9, 9\]/[0, 0, 0], [9, 9, 9]/' -e 's/time: 40/time: 3/' \
	-e 's/point: \[\(.\), 0\], normal: \[\(.*\), 0\]/point: [\1, 0, 0], normal: [\2, 0, 0]/' \
	-e 's/floor: .*/floor: {plane: {point: [0, 0, 0], normal: [0, 0, 1]}, material: glass}/' bed.yaml >deep.yaml
"$talus" run deep.yaml -o deep --quiet --threads 1 || exit 1
that "2D and 3D" code 0 "$talus" compare bed deep
that "is said" grep -q '^One is in 2D, the other in 3D' out
that "twice" grep -q 'not the same grains: one is in 2D' out
that "lines are short" narrow

# ---------------------------------------------------------------- a run that was stopped
"$talus" run shear.yaml -o stopped --quiet --threads 1 --set run.until.time=1e6 2>/dev/null &
id=$!
that "it is at work" wait_for rows stopped 30
that "a run at work" code 0 "$talus" compare short stopped
that "is one" grep -q '^B  stopped: 2D, step 0.025, running' out
that "whose end nobody knows" sh -c "head -n 1 out | grep -q '^Identical? Not known: B has no state hash'"
kill -INT $id
wait $id
that "one that was stopped" code 0 "$talus" compare short stopped
that "has an end" sh -c "grep -q '^B  stopped: 2D, step 0.025, stopped' out && head -n 1 out | grep -q '^Not identical'"
that "so far the same way" code 0 "$talus" compare one stopped
that "until one ends" grep -q '^The logs are the same up to time [0-9.]*, where one of them ends' out

# ---------------------------------------------------------------- what is no run, or only half of one
# refused SENTENCE WORD...: exit code 2, the sentence, and nothing on stdout
refused() {
	local sentence=$1
	shift
	that "refused: $*" code 2 "$talus" compare "$@"
	that "with a sentence" grep -q "^talus: $sentence" err
	that "and no more" test ! -s out
}
mkdir empty
refused 'compare: the folder of a run is missing'
refused 'compare: the folder of a second run is missing' short
refused 'compare: one word too many: three' short again three
refused 'nowhere: there is no run here' short nowhere
refused 'empty: there is no run here' empty short
refused 'compare: short and ./short/ are the same folder' short ./short/
refused 'compare: --from 5 --to 3: the window of time is empty' short again --from 5 --to 3
refused 'compare: --from soon: give a time' short again --from soon
refused 'compare: A has no rows in this window of time (--from, --to); the logs have times 0 to 5 in common' short again --from 7
refused 'cannot draw into "page.gif"' short again -o page.gif
refused 'compare: there is no option --jsno; did you mean --json?' short again --jsno
that "no such folder for a picture" code 1 "$talus" compare short again -o no/such/page.png
that "nothing is half written" test -z "$(find . -name '*.part')" -a ! -s out

cp -r again damaged && printf 'this is no HDF5 file, and it is longer than a few bytes' >damaged/run.h5
that "damaged frames" code 0 "$talus" compare short damaged
that "are told" grep -q '^talus: damaged/run.h5: ' err
that "and the rest is compared" sh -c "grep -q '^Frames: not compared, B has no frames that can be read' out && grep -q '^Log: means' out"
cp -r again logless && head -n 1 again/log.csv >logless/log.csv
that "an empty log" code 0 "$talus" compare logless short --json
that "is told" grep -q '^talus: "logless/log.csv" has no rows' err
that "and the rest is compared" json 'c["log"]["missing"] == "A has no log with rows" and c["frame"]["same_grains"] and c["identical"]'
cp -r logless nothing && rm nothing/run.h5 nothing/summary.json
refused '"nothing/log.csv" has no rows' short nothing
that "which leaves nothing" grep -q '^talus: compare: there is nothing to compare: B has no log' err
cp -r again later && sed -i '2,$s/^\([0-9]*\),\([^,]*\),/\1,9e9,/' later/log.csv && rm later/run.h5
refused 'later has no run.h5' short later
that "no time in common" grep -q 'the logs have no time in common' err
cp -r again torn && sed -i 's/^  "steps": .*/  "steps": /' torn/summary.json
that "a damaged summary is none" code 0 "$talus" compare short torn
that "help" code 0 "$talus" compare --help
that "tells the rule" grep -q '|B - A| <= 2 errors' out
finish
