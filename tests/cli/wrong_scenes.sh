#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# talus check and talus doc as a user types them: what they print, where, and their exit codes. The sentences about
# wrong scenes stand in wrong_scenes.txt and are tested one by one in tests/unit/test_wrong_scenes.c.
set -u
talus=$1
failed=0
rm -rf -- scenes && mkdir scenes && cd scenes || exit 1

cat > right.yaml <<'YAML'
title: two beads
materials: {glass: {density: 1}}
contacts: [{between: [glass, glass], friction: 0.3}]
grains:
  - grain: {at: [0, 0, 1], radius: 1}
  - grain: {at: [0, 0, 3.5], radius: 1}
walls:
  floor: {plane: {point: [0, 0, 0], normal: [0, 0, 1]}}
method: {contact_dynamics: {step: 0.01}}
run: {until: {time: 1}}
YAML
sed 's/friction/frictoin/' right.yaml > wrong.yaml

# expect CODE STDOUT STDERR ARGUMENT...   a part of a line, or "" for nothing at all
expect() {
	local code=$1 out=$2 err=$3
	shift 3
	"$talus" "$@" > ../out.txt 2> ../err.txt
	local got=$?
	[ "$got" = "$code" ] || { echo "talus $*: exit code $got in place of $code"; failed=1; }
	for pair in "out.txt|$out" "err.txt|$err"; do
		local file=../${pair%%|*} wanted=${pair#*|}
		if [ -z "$wanted" ] && [ -s "$file" ] || [ -n "$wanted" ] && ! grep -qF -- "$wanted" "$file"; then
			echo "talus $*: ${pair%%|*} should have: ${wanted:-nothing}, but has:"
			cat "$file"
			failed=1
		fi
	done
}

expect 0 'right.yaml: OK, the scene is valid' '' check right.yaml
expect 0 '  grains      2 spheres' '' check right.yaml
expect 0 '{"ok": true, "errors": [], "advice": [' '' check --json right.yaml
expect 0 '"grains": 2, "poured": 0, "walls": 1, "materials": 1, "step": 0.01' '' check --json right.yaml
expect 0 '  estimate    about ' '' check right.yaml
expect 0 '"estimate": {"steps": ' '' check --json right.yaml
expect 0 '(short_run)' '' check right.yaml --set run.until='{time: 0.001}'
expect 0 '(never_rests)' '' check right.yaml --set run.until='{rest: 1e-6}' --set walls.floor.velocity='[1, 0, 0]'
expect 0 '  step        0.5' '' check right.yaml --set method.contact_dynamics.step=0.5
expect 0 '(long_step)' '' check right.yaml --set grains.0.grain.velocity='[0, 0, 99]'
expect 0 '(cohesion_range)' '' check right.yaml --set contacts.0.cohesion='{force: 1, range: 0}'
expect 0 '(cohesion_step)' '' check right.yaml --set contacts.0.cohesion='{force: 1e6, range: 1e-3}'
expect 0 '"code": "long_range", "message": "the `range` in the `cohesion` of `glass` and `glass`, 1.5, is more' '' \
	check --json right.yaml --set contacts.0.cohesion='{force: 1, range: 1.5}'
expect 2 '' 'talus: --set contacts.0.friction={static: 0.1, dynamic: 0.2}: `static` friction must not be less' \
	check right.yaml --set contacts.0.friction='{static: 0.1, dynamic: 0.2}'
expect 2 '' 'talus: wrong.yaml:3:38: unknown key `frictoin`; did you mean `friction`?' check wrong.yaml
refused='{"ok": false, "errors": [{"file": "wrong.yaml", "line": 3, "column": 38, '
refused+='"message": "unknown key `frictoin`; did you mean `friction`?", "path": "contacts[0].frictoin", "nearest": "friction"}], "advice": []}'
expect 2 "$refused" 'talus: wrong.yaml:3:38: ' check wrong.yaml --json
expect 2 '' 'talus: --set seed=-1: `seed` must be a whole number' check right.yaml --set seed=-1
expect 2 '' 'talus: no.yaml: the scene cannot be opened: No such file or directory' check no.yaml
expect 2 '' 'talus: right.yaml:6:5: the grains at (0, 0, 1) and (0, 0, 2) overlap by 1 at the start' \
	check right.yaml --set grains.1.grain.at.2=2
expect 2 '' 'talus: unknown option `--jsn` of `talus check`; did you mean --json?' check right.yaml --jsn
expect 2 '' 'talus: `talus check` needs the path of a scene' check
expect 2 '' 'talus: `talus check` takes one scene' check right.yaml wrong.yaml
expect 2 '' 'talus: `--set` needs PATH=VALUE behind it' check right.yaml --set
expect 0 'usage: talus check' '' check --help

expect 0 'gravity                   gravitational acceleration' '' doc
expect 0 'contacts.N.friction       Coulomb' '' doc friction
expect 0 'walls.NAME.plane          a half space' '' doc walls.plane
expect 0 '| `gravity` | gravitational acceleration | vector | L/T^2 |  | default [0, 0, 0] |' '' doc --markdown
expect 2 '' 'talus: there is no key of a scene and no observable `frictoin`; did you mean `friction`?' doc frictoin
expect 2 '' 'talus: there is no key of a scene and no observable `anisotrpy`; did you mean `anisotropy`?' doc anisotrpy
expect 2 '' 'talus: unknown option `--html` of `talus doc`' doc --html
expect 0 'usage: talus doc' '' doc --help

# nothing is written on wrong input, nor by a check
[ "$(ls)" = "$(printf 'right.yaml\nwrong.yaml')" ] || { echo "files were left behind: $(ls)"; failed=1; }
exit $failed
