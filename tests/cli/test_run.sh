#!/bin/bash
# SPDX-License-Identifier: MIT
# talus run, resume and info as a user types them: options, folders, files, refusals.
. "$(dirname "$(readlink -f "$0")")/run_common.bash"
scene >box.yaml

# ---------------------------------------------------------------- a run and its files
that "a run succeeds" code 0 "$talus" run box.yaml
that "its result is printed" grep -q "coordination" out
that "the folder has the scene's name" test -d box
for file in scene.yaml run.h5 run.xdmf log.csv checkpoint.h5 summary.json; do
	that "$file is there" test -s box/$file
done
that "no temporary files are left" test -z "$(ls box | grep tmp)"
for key in title method dimension time steps grains contacts rattlers coordination volume_fraction mean_speed \
	mean_acceleration kinetic_energy potential_energy dissipated_energy dissipated wall_work driven_work added_energy \
	energy_balance bonds bonds_formed bounces_softened mean_overlap max_overlap stress pressure cell rate imbalance \
	stress_contact stress_kinetic deviator anisotropy fabric_xx fabric_coefficient coordination_network rattlers_network \
	mean_force max_force weak_share mobilisation sliding_share temperature spin_temperature distributions \
	iterations contact_updates residual seconds seconds_solver threads state_hash walls warnings; do
	that "summary.json has $key" grep -q "^  \"$key\": " box/summary.json
done
columns=step,time,grains,removed,contacts,iterations,residual,kinetic_energy,mean_speed,mean_overlap,max_overlap,pressure
columns=$columns,stress_xx,stress_xy,stress_xz,stress_yx,stress_yy,stress_yz,stress_zx,stress_zy,stress_zz
columns=$columns,volume_fraction,coordination,cell_xx,cell_xy,cell_xz,cell_yx,cell_yy,cell_yz,cell_zx,cell_zy,cell_zz
that "the log has its columns" grep -q "^$columns," box/log.csv
that "the energies" grep -q ",potential_energy,dissipated_energy,wall_work,mean_acceleration,rattlers,late,driven_work,cell_work,added_energy," box/log.csv
that "the ways to lose them" grep -q "dissipated_normal,dissipated_friction,dissipated_rolling,dissipated_torsion,dissipated_bonds,dissipated_numerical," box/log.csv
that "their balance, and bonds" grep -q ",energy_balance,bonds,bonds_formed,stress_contact_pressure," box/log.csv
packing=stress_contact_pressure,stress_kinetic_pressure,deviator,fabric_xx,fabric_yy,fabric_zz,fabric_xy,fabric_xz,fabric_yz
packing=$packing,anisotropy,coordination_network,weak_share,weak_pressure_share,pull_share,mobilisation,sliding_share
packing=$packing,temperature,spin_temperature
that "the packing" grep -q ",$packing,rate_xx," box/log.csv
rates=rate_xx,rate_xy,rate_xz,rate_yx,rate_yy,rate_yz,rate_zx,rate_zy,rate_zz,imbalance,error_forces,audits,audit_time,force_error,load_error,velocity_error
that "the deformation of the cell" grep -q ",spin_temperature,$rates,.*wall.floor.x," box/log.csv
that "and those of the walls" grep -q ",wall.lid.x,wall.lid.y,wall.lid.z,wall.lid.fx.*,wall.lid.tz$" box/log.csv
that "a row every 0.03, first and last included" test "$(wc -l <box/log.csv)" = 102
that "all rows are as long as the header" test "$(awk -F, '{print NF}' box/log.csv | sort -u | wc -l)" = 1
for name in position velocity spin orientation id radius material image; do
	that "H5MD: $name" test "$(h5ls box/run.h5/particles/grains/$name | wc -l)" = 3
done
that "H5MD: version" sh -c "h5dump -a /h5md/version box/run.h5 | grep -q '(0): 1, 1'"
for name in bodies normal force torque gap bonded; do
	that "contacts: $name" h5ls box/run.h5/contacts/$name
done
that "the XDMF file has all frames" test "$(grep -c '<Time ' box/run.xdmf)" = 31

# ---------------------------------------------------------------- warnings
that "a doubtful law is no obstacle" code 0 "$talus" run box.yaml -o bonds --quiet --set run.until.time=0.1 \
	--set 'contacts.0.cohesion={force: 0.1, range: 0}'
that "but a warning, first and last" test "$(grep -c 'talus: warning: the `cohesion` of .* has a `range` of 0' err)" = 2
that "and in summary.json" grep -q '"code": "cohesion_range"' bonds/summary.json
that "with a range there is none" code 0 "$talus" run box.yaml -o bonds --force --quiet --set run.until.time=0.1 \
	--set 'contacts.0.cohesion={force: 0.1, range: 0.1}'
that "not even in summary.json" sh -c '! grep -q "cohesion_range\|.cohesion. of" err bonds/summary.json'

# ---------------------------------------------------------------- info
that "info works" code 0 "$talus" info box
that "it counts the frames" grep -q "frames *31, time 0 to 3" out
that "it says finished" grep -q "state *finished" out
that "the hash has no quotes" grep -q "state hash *$(hash_of box)\$" out
that "it tells where energy went" sh -c "grep 'dissipated  *[0-9.e+-]* (' out | grep -q 'friction [0-9]'"
that "how it is packed" grep -q "network  *[0-9.]* contacts a grain, without [0-9]* rattlers" out
that "nothing about bonds where there are none" sh -c "! grep -q bond out"
that "info --json works" code 0 "$talus" info box --json
that "it has the state" grep -q '"state": "finished"' out
that "info on nothing is wrong use" code 2 "$talus" info nothing

# ---------------------------------------------------------------- folders
that "a second run is refused" code 2 "$talus" run box.yaml
that "with a hint" grep -q -- "--force" err
before=$(hash_of box)
echo mine >box/notes.txt
touch box/frame.png box/forces.png box/plot.png box/mine.png
that "--force replaces it" code 0 "$talus" run box.yaml --force --quiet
that "with its pictures, and nothing else" test "$(cd box && echo *.png)" = mine.png
mkdir other && touch other/plot.png
that "--force where there is no run" code 0 "$talus" run box.yaml -o other --force --quiet --set run.until.time=0.01
that "leaves pictures alone" test -f other/plot.png
that "and leaves other files alone" grep -q mine box/notes.txt
that "same seed, same run" test "$before" = "$(hash_of box)"
that "--quiet is quiet" test ! -s out
mkdir pile && cp box.yaml pile/scene.yaml
echo "# a comment" >>pile/scene.yaml
that "scene.yaml goes by its folder, but not into it" code 0 "$talus" run pile/scene.yaml --quiet --set run.until.time=0.1
that "it goes beside it" test -s pile-run/summary.json
that "the scene is as it was" sh -c 'tail -n 1 pile/scene.yaml | grep -q "^# a comment" && test "$(ls pile)" = scene.yaml'
that "a second time there is a run" code 2 "$talus" run pile/scene.yaml
that "which is named" grep -q "^talus: pile-run: there is already a run in this folder" err
that "into its own folder it does not go" code 2 "$talus" run pile/scene.yaml -o pile
that "with a reason" grep -q "the scene itself lies in this folder" err
that "elsewhere it works" code 0 "$talus" run pile/scene.yaml -o deep/er --quiet
that "folders above are made" test -s deep/er/summary.json
mkdir else && (cd else && "$talus" run ../pile/scene.yaml --quiet --set run.until.time=0.1 >/dev/null 2>&1)
that "scene.yaml goes by its folder" test -s else/pile/summary.json
that "a file is no folder" code 2 "$talus" run box.yaml -o box.yaml

# ---------------------------------------------------------------- --set, files with grains
that "--set changes a value" code 0 "$talus" run box.yaml -o set --set run.until.time=0.5 --set solver.nsgs.stop.iterations=3 --quiet
that "it is in the copy" sh -c "tr -d '\n ' <set/scene.yaml | grep -q 'iterations:3'"
that "the copy gives the same run" code 0 "$talus" run set/scene.yaml -o again --quiet
that "bit for bit" same_run set again
mkdir csv && printf 'x,y,radius\n3,3,0.5\n5,3,0.5\n' >csv/two.csv
sed -e '/- fill:/c\  - file: {path: two.csv, material: glass}' -e '/- pour:/d' box.yaml >csv/two.yaml
that "grains from a file" code 0 "$talus" run csv/two.yaml -o two --quiet --set run.until.time=0.5
that "two of them" grep -q '"grains": 2,' two/summary.json
that "the copy finds the file" code 0 "$talus" run two/scene.yaml -o three --quiet
for threads in 2 3; do
	that "on $threads threads" code 0 "$talus" run box.yaml -o threads$threads --quiet --threads $threads
	that "they are in the summary" grep -q "\"threads\": $threads," threads$threads/summary.json
	that "the run is the same, bit for bit" same_run box threads$threads
done
that "as many threads as there are cores, up to eight" grep -q '"threads": [1-8],' box/summary.json

# ---------------------------------------------------------------- all that contacts can do
sed 's/friction: 0.3}/friction: {static: 0.5, dynamic: 0.3}, restitution: 0.4, rolling: 0.05, cohesion: {force: 0.5, range: 0.05}}/' box.yaml >sticky.yaml
that "a sticky box" code 0 "$talus" run sticky.yaml --quiet
that "has bonds" grep -q '^  "bonds": [1-9]' sticky/summary.json
that "info counts them" sh -c "$talus info sticky | grep -q '  bonds  *[0-9]*, of [1-9][0-9]* that formed'"
that "info tells all parts" sh -c "$talus info sticky | grep -q 'dissipated .*normal [0-9].*friction [0-9].*rolling [0-9].*bonds [0-9]'"
that "they are in the frames" sh -c "h5dump -d /contacts/bonded sticky/run.h5 | grep -q ' 1,'"
that "and so are torques about z" sh -c "h5dump -d /contacts/torque sticky/run.h5 | grep -q ' 0, 0, -*[1-9.]'"
that "on 2 threads" code 0 "$talus" run sticky.yaml -o sticky2 --quiet --threads 2
that "the run is the same, bit for bit" same_run sticky sticky2
that "a part of it" code 0 "$talus" run sticky.yaml -o part --quiet --set run.until.time=1.37
that "goes on" code 0 "$talus" resume part --quiet --until 3
that "to the same end" same_run sticky part

# ---------------------------------------------------------------- wrong use, with nothing written
rm -rf box
wrong() { that "wrong: $*" code 2 "$talus" "$@"; }
wrong run box.yaml --set run.until.tim=3 -o x
that "the nearest name is offered" grep -q "time" err
wrong run box.yaml --set seed=-1 -o x
wrong run nowhere.yaml -o x
wrong run box.yaml two.yaml
wrong run box.yaml --threads 0 -o x
wrong run box.yaml --threads 1025 -o x
wrong run box.yaml --forse -o x
that "the nearest option is offered" grep -q -- "did you mean --force" err
wrong run box.yaml -o
wrong resume
wrong resume nowhere
wrong resume csv
wrong info
wrong rum
that "the nearest command is offered" grep -q "did you mean run" err
wrong
that "nothing was written" absent x
that "nothing was written" absent box
that "a broken scene" sh -c "sed 's/friction/fricton/' box.yaml >broken.yaml"
wrong run broken.yaml
that "the place is told" grep -q "^talus: broken.yaml:[0-9]*:[0-9]*: " err
that "nothing was written" absent broken
for command in run resume info; do
	that "$command --help" code 0 "$talus" $command --help
	that "is on stdout" grep -q "^usage: talus $command" out
done
that "--help" code 0 "$talus" --help
that "--version" code 0 "$talus" --version

# ---------------------------------------------------------------- ends
sed 's/, spin: 0.3//; s/, oscillate: {[^}]*}//' box.yaml >calm.yaml
that "a run that need not go on to its end" code 0 "$talus" run calm.yaml -o rest --quiet --set 'run.until={time: 300, rest: 0.1}' \
	--set output.frames.every=100
that "ends at rest" sh -c "awk -F'[ :,]+' '/\"time\"/ {exit !(\$3 < 100)}' rest/summary.json"
cat >leave.yaml <<'YAML'
dimension: 2
gravity: [0, -1]
materials: {glass: {density: 1}}
contacts: [{between: [glass, glass], friction: 0.3}]
grains:
  - grain: {at: [0, 1], radius: 0.5}
  - grain: {at: [3, 1], radius: 0.5, fixed: true}
  - pour: {count: 2, rate: 1, radius: 0.5, in: {box: [[-3, 2], [-1, 4]]}}
domain: {box: [[-5, -5], [5, 5]]}
method: {contact_dynamics: {step: 0.01}}
run: {until: {rest: 1e-6}}
YAML
that "a run whose grains all leave" code 0 timeout 60 "$talus" run leave.yaml --quiet
that "ends with a warning" grep -q "^talus: warning: no grains are left that could move: 3 left the domain" err
that "which has a code" grep -q '"code": "no_grains"' leave/summary.json
that "it is complete" code 0 "$talus" resume leave
that "with a time limit" code 0 "$talus" run leave.yaml --quiet -o leave2 --set 'run.until={time: 20}'
that "it goes on" grep -q '"steps": 2000,' leave2/summary.json
that "and warns, too" grep -q "^talus: warning: no grains are left" err
that "while grains are there" code 0 "$talus" run leave.yaml --quiet -o leave3 --set 'run.until={time: 2}'
that "there is no such warning" code 1 grep -q "no grains" err
# contacts that all move at once overshoot each other more and more (docs/orders.md)
that "a state that explodes" sh -c "sed 's/order: random, stop: {iterations: 10}/order: parallel, stop: {iterations: 2000}/' box.yaml >boom.yaml"
that "is stopped" code 1 "$talus" run boom.yaml --quiet --set 'output={frames: {every: 10}, log: {every: 10}, checkpoint: {every: 10}}'
that "with a sentence" grep -q "no longer finite" err
that "the summary has the reason" grep -q '^  "failed": "the state is no longer finite' boom/summary.json
for key in max_overlap iterations contact_updates residual capped_steps floor_steps audit state_hash walls; do
	that "and, where the state cannot be measured, $key" grep -q "^  \"$key\": " boom/summary.json
done
that "and so has info" sh -c "$talus info boom | grep -q '^  state  *failed: the state is no longer finite'"
that "its checkpoint is from before" sh -c "$talus info boom | grep -q 'checkpoint *time 0'"
# options have one name, and a value is never taken for one
meant() { code 2 "$talus" "${@:2}" && grep -q "did you mean $1?" err; }
that "no short form of a name" meant --output run box.yaml --out short
that "nor with its value" meant --quiet run box.yaml --qui=1
that "nor without" meant --until resume box --unt
that "of resume" meant --until resume box --unt 4
that "info" meant --json info box --js
that "plot" meant --log[xy] plot box time --log
that "render" meant --forces render box --for
that "solve" meant --tolerance solve box.hdf5 --tol 1e-3
that "reproduce" meant --quick reproduce nothing --qui
that "bench" meant --json bench nothing --js
that "soak" meant --hours soak --ho none
that "a value may look like one" code 0 "$talus" run box.yaml --output --out --quiet --set run.until.time=0.01
that "it is the folder" test -f ./--out/summary.json
for seed in "--seed 3" --seed=3 --seed; do
	that "$seed is not --seeds" code 2 "$talus" run box.yaml -o short $seed
	that "$seed: both are named" grep -q -- "--set seed=3, and --seeds 3 makes three runs" err
done
that "nothing is written" absent short
# less than half a step is none
that "check of a run without a step" code 0 "$talus" check box.yaml --set run.until.time=0.004
that "says so" grep -q "estimate  *no step is made" out
that "and to programs" code 0 "$talus" check box.yaml --set run.until.time=0.004 --json
that "likewise" grep -q '"estimate": {"steps": 0,' out
finish
