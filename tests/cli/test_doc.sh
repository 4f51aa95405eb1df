#!/bin/bash
# SPDX-License-Identifier: MIT
# The documentation against the program: docs/scene.md holds what talus doc prints, scenes in README.md and docs/ are right, every command
# and every link that is written there exists.
set -u
talus=$(realpath "$1")
source=${TALUS_SOURCE:-$(dirname "$(readlink -f "$0")")/../..}
source=$(realpath "$source")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
failed=0
fail() { echo "failed: $*"; failed=1; }

# ---------------------------------------------------------------- scene.md is what the program prints
sed '1,/^<!-- from here: /d' "$source/docs/scene.md" >written
"$talus" doc --markdown >printed || fail "talus doc --markdown"
diff written printed || fail "docs/scene.md is not what talus doc --markdown prints; its head says how to make it again"

# ---------------------------------------------------------------- observables.md too, and files.md has all columns of the log and observables of frames
sed '1,/^<!-- from here: /d' "$source/docs/observables.md" >written
{ "$talus" doc observables --markdown && printf '\n## Columns of grains\n\n' && "$talus" doc columns --markdown; } >printed || fail "talus doc observables --markdown"
diff written printed || fail "docs/observables.md is not what talus doc prints; its head says how to make it again"
sed -n '/^## log.csv/,/^### /p' "$source/docs/files.md" | grep -o '`[^`]*`' | tr -d '`' | tr ' ' '\n' | sort -u >mentioned
grep '| log[,| ]' printed | sed 's/^| `\([^`]*\)` .*/\1/' >columns
[ "$(wc -l <columns)" -gt 50 ] || fail "talus doc observables has few columns of the log"
for column in $(grep -v '^wall.NAME' columns); do
	grep -qx "$column\(_x*\)\?" mentioned ||
		fail "docs/files.md, table of log.csv: no row tells what \`$column\` is (a vector or tensor as \`${column}_x\` or \`${column}_xx\`)"
done
sed -n '/^## run.h5/,/^## /p' "$source/docs/files.md" | grep -o '`[^`]*`' | tr -d '`' | sed 's|^observables/||; s|/value$||' | sort -u >mentioned
"$talus" doc observables --markdown | grep 'frames |$' | sed 's/^| `\([^`]*\)` .*/\1/' >arrays
[ "$(wc -l <arrays)" -gt 20 ] || fail "talus doc observables has few arrays of frames"
while read -r array; do
	grep -qx "$array" mentioned || fail "docs/files.md, table of run.h5: \`observables/$array/value\` is not in it"
done <arrays

# ---------------------------------------------------------------- every YAML block is a right scene
awk '/^```yaml$/ {n++; inside = 1; next} /^```/ {inside = 0} inside {print > ("block" n ".yaml")}' \
	"$source/README.md" "$source"/docs/*.md
for scene in block*.yaml "$source"/examples/*/scene.yaml; do
	"$talus" check "$scene" >out 2>&1 || fail "$scene: $(cat out)"
done
[ -e block2.yaml ] || fail "README.md and docs/hello.md hold no scenes"

# ---------------------------------------------------------------- every command has its chapter, every option its mention
for command in $("$talus" --help | sed -n 's/^  \([a-z]*\)  .*/\1/p'); do
	chapter=$(sed -n "/^## talus $command\>/,/^## /p" "$source/docs/commands.md")
	[ -n "$chapter" ] || fail "docs/commands.md has no chapter about $command"
	for option in $("$talus" "$command" --help | grep -o -- '--[a-z][a-z-]*' | sort -u | grep -vx -- '--help'); do
		grep -q -- "$option" <<<"$chapter" || fail "docs/commands.md: $command has $option"
	done
done

# ---------------------------------------------------------------- links lead somewhere
for page in "$source"/*.md "$source"/docs/*.md "$source"/docs/measurements/*.md; do
	for link in $(grep -o '](\([^)]*\))' "$page" | sed 's/^](//; s/)$//; s/#.*//' | grep -v '^https\?:'); do
		[ -e "$(dirname "$page")/$link" ] || fail "${page#"$source"/}: there is no $link"
	done
done
exit $failed
