# SPDX-License-Identifier: MIT
# Shared by the test_run scripts: a folder to work in, a scene, and sentences that are true or not.
talus=$(readlink -f "$1")
work=$(mktemp -d) && cd "$work" || exit 1
# a child that is killed before it has become another program would run this too
leave() {
	[ $BASHPID = $$ ] || return
	cd /
	[ -z "$mounted" ] || umount "$mounted"
	rm -rf "$work"
}
mounted=
trap leave EXIT
failures=0
quick=${TALUS_TEST_QUICK:-0}
long_form=${TALUS_TEST_LONG:-0} # a test that asks for it gets the label `long` and runs once more in `make check-all`

# memory KB: for `bash -c`, what may be used at most; sanitizers need much for themselves
memory() { [ "$quick" = 1 ] || echo "ulimit -v $1;"; }

# that SENTENCE COMMAND...: the command must succeed
that() {
	local sentence=$1
	shift
	if ! "$@" >that.out 2>&1; then
		echo "FAILED: $sentence ($*)"
		head -n 20 that.out
		failures=$((failures + 1))
	fi
}

# code N COMMAND...: the exit code is N; what is printed goes to out and err
code() {
	local wanted=$1 got
	shift
	"$@" >out 2>err
	got=$?
	[ "$got" = "$wanted" ] || { echo "exit code $got, not $wanted"; cat out err; return 1; }
}

absent() { [ ! -e "$1" ]; }

# wait_for COMMAND...: until it succeeds, as long as process $id runs; a slow machine has two minutes
wait_for() {
	for _ in $(seq 1200); do
		"$@" && return
		kill -0 "$id" || break
		sleep 0.1
	done
	echo "waited too long for: $*"
	return 1
}

# rows FOLDER N: its log has at least so many rows, so the run is at work
rows() { [ -f "$1/log.csv" ] && [ "$(wc -l <"$1/log.csv")" -gt "$2" ]; }

hash_of() { sed -n 's/.*"state_hash": "\(.*\)".*/\1/p' "$1/summary.json"; }

# same_run A B: end, log and frames agree to the last bit
same_run() {
	[ -n "$(hash_of "$1")" ] || { echo "no summary in $1"; return 1; }
	[ "$(hash_of "$1")" = "$(hash_of "$2")" ] || { echo "other state"; return 1; }
	cmp "$1/log.csv" "$2/log.csv" && cmp "$1/run.xdmf" "$2/run.xdmf" || return 1
	cmp <(cd "$1" && h5dump run.h5) <(cd "$2" && h5dump run.h5)
}

# a box with a swinging wall, a turning bar, a piston, grains that are there and grains that are poured
scene() {
	cat <<'YAML'
title: a box
dimension: 2
seed: 3
gravity: [0, -1]
materials:
  glass: {density: 1.0}
contacts:
  - {between: [glass, glass], friction: 0.3}
grains:
  - fill: {count: 100, radius: {uniform: [0.4, 0.6]}, material: glass, arrangement: random, in: {box: [[0, 0], [15, 20]]}}
  - pour: {count: 60, rate: 40, radius: 0.5, material: glass, in: {box: [[2, 22], [13, 30]]}, velocity: [0, -1]}
walls:
  floor: {plane: {point: [0, 0], normal: [0, 1]}, material: glass}
  left: {plane: {point: [0, 0], normal: [1, 0]}, material: glass}
  bar: {segment: {from: [5, 5], to: [10, 6]}, material: glass, spin: 0.3}
  right: {plane: {point: [15, 0], normal: [-1, 0]}, material: glass, oscillate: {direction: [1, 0], amplitude: 0.2, frequency: 0.5}}
  lid: {plane: {point: [0, 34], normal: [0, -1]}, material: glass, mass: 5, free: [y]}
domain: {box: [[-5, -5], [20, 40]]}
method:
  contact_dynamics: {step: 0.01}
solver:
  nsgs: {order: random, stop: {iterations: 10}}
run: {until: {time: 3}}
output:
  frames: {every: 0.1}
  log: {every: 0.03}
  checkpoint: {every: 0.25}
YAML
}

finish() {
	[ "$failures" = 0 ] || { echo "$failures failed"; exit 1; }
	exit 0
}
