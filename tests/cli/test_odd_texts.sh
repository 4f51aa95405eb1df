#!/bin/bash
# SPDX-License-Identifier: MIT
# Texts from files and names of files may be any bytes: JSON stays JSON, and terminals get no control characters.
. "$(dirname "$(readlink -f "$0")")/run_common.bash"
json() { python3 -c 'import json, sys; json.load(open(sys.argv[1], encoding="utf-8"))' "$1"; }
plain() { ! LC_ALL=C grep -q '[^[:print:][:space:]]' out err; } # no byte that a terminal could obey
scene | sed 's/^title: .*/title: "red \\e[31m, a bell \\a, and two\\nlines"/' >box.yaml
odd=$(printf 'odd-\377\033')
cp box.yaml "$odd.yaml"
that "a run from an odd file" code 0 "$talus" run "$odd.yaml" -o run --set run.until.time=0.02
that "shows its title" grep -qF 'red \x1b[31m, a bell \x07, and two\nlines: done' out
that "its summary is JSON" json run/summary.json
that "with a sign for what is no character" grep -qF 'odd-\ufffd\u001b.yaml' run/summary.json
that "info" code 0 "$talus" info run
that "is plain" plain
that "info --json" code 0 "$talus" info run --json
that "is JSON" json out
that "check" code 0 "$talus" check "$odd.yaml" --json
that "is JSON, too" json out
that "a wrong scene" code 2 "$talus" check "$odd.yaml" --json --set step=1
echo 'nothing: 1' >"$odd.yaml"
that "of an odd name" code 2 "$talus" check "$odd.yaml" --json
that "is told as JSON" json out
code 2 "$talus" check "$odd.yaml"
that "and in plain words" plain
sed -i 's/^  - pour:.*/  - file: {path: bad.csv, material: glass}/' box.yaml
printf 'x,y,radius\n1,2,\033]0;mine\007\n' >bad.csv
that "an odd cell" code 2 "$talus" check box.yaml
that "is shown" grep -qF 'bad.csv:2:5: `radius` must be a number, but is `\x1b]0;mine\x07`' err
that "in plain words" plain
finish
