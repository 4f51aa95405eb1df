#!/bin/bash
# SPDX-License-Identifier: MIT
# Frames have the observables of H5MD, with the numbers of summary.json in the last one; kills and resumes do not show.
. "$(dirname "$(readlink -f "$0")")/run_common.bash"
scene | sed 's/frames: .*/frames: {every: 0.01}/; s/checkpoint: .*/checkpoint: {every: 0.1}/; s/time: 3/time: 1/' >box.yaml
that "a run" code 0 "$talus" run box.yaml -o box --quiet

# last NAME: all numbers of the last frame, one a line, exact
last() {
	h5dump -y -w 1 -m %.17g -d "observables/$1/value" box/run.h5 | sed -n '/DATA {/,/}/p' | tr -cd '0-9eE.+\-\n' | grep '[0-9]' | tail -n "$2"
}
# of_summary NAME: numbers behind a key of summary.json, one a line
of_summary() { sed -n "s/^ *\"$1\": //p" box/summary.json | tr -s '[], ' '\n' | grep '[0-9]'; }
agree() { [ "$(last "$1" "$2")" = "$(of_summary "$1")" ] || { last "$1" "$2"; echo not; of_summary "$1"; return 1; }; }

for name in pressure stress_contact_pressure stress_kinetic_pressure deviator volume_fraction coordination \
	coordination_network rattlers rattlers_network anisotropy mean_force max_force weak_share weak_pressure_share pull_share \
	mobilisation sliding_share temperature spin_temperature kinetic_energy mean_overlap max_overlap imbalance; do
	that "$name" agree $name 1
done
h5ls -r box/run.h5 | awk '{print $1}' >names.txt
values=$(grep -c '^/observables/.*/value$' names.txt)
that "each has its step and its time" test "$values" -ge 33 -a "$(grep -c '^/observables/.*/step$' names.txt)" = "$values" \
	-a "$(grep -c '^/observables/.*/time$' names.txt)" = "$values"
for name in stress stress_contact stress_kinetic rate; do that "$name" agree $name 9; done
counts() { sed -n "s/^ *\"$1\": .*\"counts\": \[\([^]]*\)\].*/\1/p" box/summary.json | tr -s ', ' '\n'; }
that "forces" test "$(last forces 51 | head -n 50)" = "$(counts forces)"
that "normals" test "$(last normal_angles 36)" = "$(counts normals)"

that "info" code 0 "$talus" info box
that "lists them" grep -q "^  observables  *pressure, " out
that "all" grep -q "forces, normal_angles, radial, radial_range" out
that "also for programs" code 0 "$talus" info box --json
that "as a list" grep -q '"observables": \["pressure", .*"radial_range"' out

# a run that does little else than write frames, killed and resumed
RANDOM=${TALUS_TEST_SEED:-11}
kills=2
[ "$long_form" = 1 ] && kills=10
for kill in $(seq $kills); do
	rm -rf dead
	"$talus" run box.yaml -o dead --quiet >/dev/null 2>&1 &
	id=$!
	that "it has a checkpoint" wait_for test -s dead/checkpoint.h5
	sleep 0.$((RANDOM%3))$((RANDOM%10))
	kill -KILL $id 2>/dev/null
	wait $id 2>/dev/null
	that "its observables open (kill $kill)" h5dump -g observables dead/run.h5
	that "resumed" code 0 "$talus" resume dead --quiet
	that "it is the unbroken run (kill $kill)" same_run box dead
done
finish
