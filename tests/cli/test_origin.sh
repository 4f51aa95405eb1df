#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# What the folder of a run tells about where it comes from, and that it stands alone: a stopped run has its summary and its
# warnings, grains from a file are in it, and its scene is the same to readers of YAML 1.1 and 1.2.
. "$(dirname "$0")/run_common.bash"

# value FOLDER KEY: of a summary
value() { sed -n "s/^  \"$2\": \(.*[^,]\),\{0,1\}$/\1/p" "$1/summary.json"; }

# ---------------------------------------------------------------- a run that was stopped
mkdir here && cd here
scene | sed 's/friction: 0.3/friction: 0.3, cohesion: {force: 0.1, range: 0}/' >box.yaml # to be warned of
"$talus" run box.yaml -o stopped --quiet --set run.until.time=1e6 2>err &
id=$!
that "it is at work" wait_for rows stopped 3
kill -TERM $id
wait $id
that "a stopped run ends with 1" test $? = 1
that "it is no end" test "$(value stopped finished) $(value stopped stopped)" = 'false "SIGTERM"'
that "its summary has its warnings" grep -q '{"code": "cohesion_range", ' stopped/summary.json
that "none of grains that are still to come" sh -c '! grep -q pour_incomplete stopped/summary.json'
that "they were said when it was stopped, too" test "$(grep -c '^talus: warning: .*range' err)" = 2
that "info tells" sh -c "$talus info stopped | grep -q '^  state  *stopped by SIGTERM; to continue: talus resume stopped'"
that "programs as well" sh -c "$talus info stopped --json | grep -q '\"state\": \"stopped\"'"
that "info tells the command" sh -c "$talus info stopped | grep -q '^  command  *talus run box.yaml -o stopped --quiet --set run.until.time=1e6'"
started=$(value stopped started)
end=$(($(value stopped time | cut -d. -f1) + 1))
that "unbroken" code 0 "$talus" run box.yaml -o unbroken --quiet --set run.until.time=$end
that "an end" test "$(value unbroken finished)" = true
that "it goes on" code 0 "$talus" resume stopped --quiet --until $end
that "to the same end" same_run unbroken stopped
that "which is one" test "$(value stopped finished)" = true -a -z "$(value stopped stopped)"
that "begun when it was begun" test -n "$started" -a "$(value stopped started)" = "$started"
that "by the first command" test "$(value stopped command)" = '"talus run box.yaml -o stopped --quiet --set run.until.time=1e6"'
that "the start is a date" grep -q '^  "started": "20[0-9-]*T[0-9:]*Z",$' stopped/summary.json
that "so is the end" grep -q '^  "ended": "20[0-9-]*T[0-9:]*Z",$' stopped/summary.json
that "the version is there" grep -q "^  \"version\": \"$("$talus" --version | cut -d' ' -f2)\",$" stopped/summary.json
that "a commit, a host and the seed" test -n "$(value stopped commit)" -a "$(value stopped host)" = "\"$(hostname)\"" -a "$(value stopped seed)" = 3

# a run that is stopped where another one asks it to end is not complete
cp -r stopped short && "$talus" run box.yaml -o short --quiet --force --set run.until.time=1 2>/dev/null
sed -i 's/^  "finished": true,/  "finished": false,/' short/summary.json
that "it is finished" code 0 "$talus" resume short --quiet
that "and says so" test "$(value short finished)" = true

# ---------------------------------------------------------------- grains from a file
mkdir far && printf 'x,y,radius\n3,3,0.5\n5,3,0.5\n' >far/two.csv
sed -e '/- fill:/c\  - file: {path: two.csv, material: glass}' -e '/- pour:/d' -e 's/time: 3/time: 0.5/' box.yaml >far/two.yaml
that "grains from a file" code 0 "$talus" run far/two.yaml -o two --quiet
that "a sweep of them" code 0 "$talus" run far/two.yaml -o many --quiet --sweep seed=1,2 --threads 1
that "is known again" sh -c "$talus run far/two.yaml -o many --sweep seed=1,2 --threads 1 | grep -q '2 of them before'"
copy=$(ls two/grains-*.csv)
that "the run has them" cmp far/two.csv "$copy"
that "so has each of many" cmp far/two.csv many/0001/"${copy#two/}"
that "its scene names them" grep -q "path: ${copy#two/}" two/scene.yaml
printf '5,7,0.5\n' >>far/two.csv
that "with another file it is another sweep" code 2 "$talus" run far/two.yaml -o many --quiet --sweep seed=1,2
that "which is said" grep -q "many/0000: there is a run of another scene" err
that "replaced" code 0 "$talus" run far/two.yaml -o two --quiet --force
that "there is one copy" test "$(ls two/grains-*.csv | wc -l)" = 1
mv far gone && mkdir ../there && mv two ../there && cd ../there
that "elsewhere it goes on" code 0 "$talus" resume two --quiet --until 1
that "and can be run again" code 0 "$talus" run two/scene.yaml -o three --quiet
that "to the same end" same_run two three
that "over itself it cannot" code 2 "$talus" run two/scene.yaml -o two --force
cat >from.yaml <<YAML
$(sed "s,path: grains,path: two/grains," two/scene.yaml)
YAML
that "a run may take the place of the one whose file it reads" code 0 "$talus" run from.yaml -o two --quiet --force
that "with the same end" same_run two three
cd ..

# ---------------------------------------------------------------- a scene for all readers
cat >odd.yaml <<'YAML'
# 5e-3 in a comment stays
title: 1:30
materials: {on: {density: 1e3}, 0o17: {density: .5e+1}, 1e3: {density: 010}}
contacts:
  - {between: [on, 0o17], friction: &mu 3e-1}
  - {between: [on, on], friction: *mu}
  - {between: [0o17, 0o17], friction: 0.3E0}
  - {between: [1e3, 0o17], friction: 3.e-1}
  - {between: [1e3, 1e3], friction: 0.30000000000000004}
  - {between: [1e3, on], friction: 0.3}
grains:
  - grain: {at: [0, -1.5e1, +2E+1], radius: 5e-1, material: on}
  - grain: {at: [0, 0, 0], radius: 5e-1, material: 0o17}
  - grain: {at: [3, 0, 0], radius: 5e-1, material: 1e3}
method: {contact_dynamics: {step: 5e-3}} # 1e-3
run: {until: {time: 1e-1}}
YAML
that "an odd scene" code 0 "$talus" run odd.yaml --quiet --set output.frames.every=1e-2
that "comments stay" test "$(head -n 1 odd/scene.yaml)" = "# 5e-3 in a comment stays"
that "its copy gives the same run" code 0 "$talus" run odd/scene.yaml -o even --quiet
that "bit for bit" same_run odd even
that "and the same copy" cmp odd/scene.yaml even/scene.yaml
if /usr/bin/python3 -c 'import yaml' 2>/dev/null; then
	cat >look.py <<'PYTHON'
import yaml
scene = yaml.safe_load(open("odd/scene.yaml"))
assert scene["title"] == "1:30" and set(scene["materials"]) == {"on", "0o17", "1e3"}, scene
assert [scene["materials"][m]["density"] for m in ("on", "0o17", "1e3")] == [1000, 5, 10]
assert [c["friction"] for c in scene["contacts"]] == [0.3]*4 + [0.30000000000000004, 0.3]
assert scene["grains"][0]["grain"] == {"at": [0, -15, 20], "radius": 0.5, "material": "on"}
assert scene["method"]["contact_dynamics"]["step"] == 0.005 and scene["run"]["until"]["time"] == 0.1
assert scene["output"]["frames"]["every"] == 0.01
PYTHON
	that "PyYAML reads it" /usr/bin/python3 look.py
fi

# ---------------------------------------------------------------- commands to come
for command in view export; do
	that "$command is known" code 2 "$talus" $command odd
	that "and not there" grep -q "^talus: the command $command is not in this version" err
done
that "others are not known" code 2 "$talus" viow odd
that "which is another sentence" grep -q "^talus: there is no command viow" err
finish
