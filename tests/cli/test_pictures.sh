#!/bin/bash
# SPDX-License-Identifier: MIT
# talus render and talus plot as a user types them: what they write, what they say, their exit codes.
set -u
talus=$(realpath "$1")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
failed=0

fail() {
	echo "failed: $*"
	failed=1
}

# expect CODE PATTERN COMMAND...: the exit code, and a line of the output that matches
expect() {
	local code=$1 pattern=$2 got
	shift 2
	"$@" >out.txt 2>err.txt
	got=$?
	[ $got = "$code" ] || fail "$* ended with $got, not $code: $(head -c 300 err.txt)"
	grep -qE -- "$pattern" out.txt err.txt || fail "$*: no \"$pattern\": $(head -c 200 out.txt err.txt)"
}

# is_png FILE [WIDTH HEIGHT]: the signature, and the size in the header
is_png() {
	[ "$(head -c 8 "$1" 2>/dev/null | od -An -tx1 | tr -d ' \n')" = 89504e470d0a1a0a ] || fail "$1 is no PNG"
	[ $# = 1 ] && return
	local size
	size=$(od -An -tu1 -j16 -N8 "$1" | awk '{print $3*256 + $4, $7*256 + $8}')
	[ "$size" = "$2 $3" ] || fail "$1 is $size, not $2 $3"
}

is_svg() {
	head -c 5 "$1" | grep -q '<?xml' && tail -c 20 "$1" | grep -q '</svg>' || fail "$1 is no SVG"
}

cat >box.yaml <<'SCENE'
title: a few spheres
dimension: 3
seed: 1
gravity: [0, 0, -1]
materials:
  glass: {density: 1.0}
contacts:
  - {between: [glass, glass], friction: 0.3}
grains:
  - fill: {count: 30, radius: {uniform: [0.8, 1.2]}, arrangement: lattice, in: {box: [[0, 0, 0], [8, 8, 20]]}}
walls:
  floor: {plane: {point: [0, 0, 0], normal: [0, 0, 1]}}
  left: {plane: {point: [0, 0, 0], normal: [1, 0, 0]}}
  right: {plane: {point: [8, 0, 0], normal: [-1, 0, 0]}}
  front: {plane: {point: [0, 0, 0], normal: [0, 1, 0]}}
  back: {plane: {point: [0, 8, 0], normal: [0, -1, 0]}}
method:
  contact_dynamics: {step: 0.02}
solver:
  nsgs: {stop: {iterations: 20}}
run: {until: {time: 4}}
output:
  frames: {every: 1}
  log: {every: 0.1}
SCENE
sed -e 's/dimension: 3/dimension: 2/; s/gravity: .*/gravity: [0, -1]/' \
	-e 's/\[\[0, 0, 0\], \[8, 8, 20\]\]/[[0, 0], [12, 30]]/; /front:/d; /back:/d' \
	-e 's/floor: .*/floor: {plane: {point: [0, 0], normal: [0, 1]}}/' \
	-e 's/right: .*/right: {plane: {point: [12, 0], normal: [-1, 0]}}/' \
	-e 's/left: .*/left: {plane: {point: [0, 0], normal: [1, 0]}}/' box.yaml >flat.yaml
for scene in box flat; do
	"$talus" run $scene.yaml -o $scene --quiet || fail "the run of $scene.yaml"
done

# ---------------------------------------------------------------- render

for run in box flat; do
	expect 0 "$run/frame.png" "$talus" render $run
	is_png $run/frame.png
	expect 0 "$run/forces.png" "$talus" render $run --forces
	is_png $run/forces.png
	cmp -s $run/frame.png $run/forces.png && fail "--forces changes nothing in $run"
	expect 0 "picture.svg" "$talus" render $run -o picture.svg
	is_svg picture.svg
	expect 0 "small.png" "$talus" render $run --frame 0 --size 320x240 -o small.png
	is_png small.png 320 240
	for color in plain radius speed material id pressure; do
		expect 0 "$color.png" "$talus" render $run --color $color --size 400x300 -o $color.png
		is_png $color.png 400 300
	done
	cmp -s plain.png radius.png && fail "--color changes nothing in $run"
	expect 0 "bare.png" "$talus" render $run --color plain --size 400x300 --no-walls -o bare.png
	cmp -s plain.png bare.png && fail "--no-walls changes nothing in $run"
done

# bonds that hold hanging disks pull, and are drawn in another colour than what pushes
cat >chain.yaml <<'SCENE'
title: a chain
dimension: 2
gravity: [0, -1]
materials:
  glue: {density: 1.0}
contacts:
  - {between: [glue, glue], friction: 0.5, cohesion: {force: 20, range: 0.1}}
grains:
  - grain: {at: [0, 0], radius: 0.5, fixed: true}
  - grain: {at: [0, -1], radius: 0.5}
  - grain: {at: [0, -2], radius: 0.5}
  - grain: {at: [0, 1], radius: 0.5}
method:
  contact_dynamics: {step: 0.01}
run: {until: {time: 0.5}}
SCENE
"$talus" run chain.yaml -o chain --quiet || fail "the run of chain.yaml"
expect 0 "chain.svg" "$talus" render chain --forces -o chain.svg
grep -q 'stroke:rgb(13%' chain.svg || fail "no pull in chain.svg"
grep -q 'stroke:rgb(70%' chain.svg || fail "no push in chain.svg"

# the last frame is the default; -1 and the last number mean the same
"$talus" render box --size 300x300 -o a.png >/dev/null
"$talus" render box --size 300x300 --frame -1 -o b.png >/dev/null
"$talus" render box --size 300x300 --frame 4 -o c.png >/dev/null
"$talus" render box --size 300x300 --frame 0 -o d.png >/dev/null
cmp a.png b.png && cmp a.png c.png || fail "the last frame"
cmp -s a.png d.png && fail "frame 0 looks like the last one"
"$talus" render box --size 300x300 --view 120,60 -o e.png >/dev/null
cmp -s a.png e.png && fail "--view changes nothing"

expect 2 'the run has 5, from 0 to 4' "$talus" render box --frame 99
expect 2 'the run has 5, from 0 to 4' "$talus" render box --frame -6
expect 2 'number of a frame' "$talus" render box --frame two
expect 2 'no run in "nowhere"' "$talus" render nowhere
expect 2 '\.png, \.svg or \.pdf' "$talus" render box -o picture.jpg
expect 2 'nearest is pressure' "$talus" render box --color presure
expect 2 'pixels' "$talus" render box --size 10x10
expect 2 'azimuth' "$talus" render box --view 30
expect 2 '2D' "$talus" render flat --view 30,20
expect 2 "did you mean --forces" "$talus" render box --forcse
expect 2 'folder of a run' "$talus" render
expect 1 'no/such/picture.png' "$talus" render box -o no/such/picture.png
expect 0 'AZIMUTH' "$talus" render --help

# ---------------------------------------------------------------- plot

expect 0 "box/plot.png" "$talus" plot box kinetic_energy
is_png box/plot.png 1200 750
expect 0 "curves.svg" "$talus" plot box kinetic_energy mean_speed wall.floor.fz -o curves.svg
is_svg curves.svg
expect 0 "curves.pdf" "$talus" plot box kinetic_energy -o curves.pdf
head -c 5 curves.pdf | grep -q '^%PDF-' && tail -c 8 curves.pdf | grep -q '%%EOF' || fail "curves.pdf is no PDF"
grep -q '<path' curves.svg || fail "curves.svg is empty"
expect 0 "log.png" "$talus" plot box kinetic_energy --x step --logy --logx --size 600x400 -o log.png
is_png log.png 600 400
expect 0 "books.png" "$talus" plot box dissipated_energy dissipated_friction dissipated_numerical energy_balance bonds -o books.png
is_png books.png 1200 750
expect 2 'nearest is "kinetic_energy"' "$talus" plot box kinetic_enrgy
expect 2 'nearest is "kinetic_energy"' "$talus" plot box kinetic
expect 2 'talus plot without a column' "$talus" plot box nonsense
expect 2 'kinetic_energy' "$talus" plot box
expect 2 'nowhere/log.csv' "$talus" plot nowhere time
expect 2 '\.png, \.svg or \.pdf' "$talus" plot box time -o picture.gif
expect 2 'above 0' "$talus" plot box removed --logy
expect 0 'note: 1 of .* values are not positive' "$talus" plot box grains --logx -o log.png
expect 1 'no/such/plot.svg' "$talus" plot box time -o no/such/plot.svg
expect 2 'folder of a run' "$talus" plot
expect 0 'logx' "$talus" plot --help

leftover=$(find . -name '*.part')
[ -z "$leftover" ] || fail "left behind: $leftover"
exit $failed
