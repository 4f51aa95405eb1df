#!/bin/bash
# SPDX-License-Identifier: MIT
# Files that are written beside their place and renamed: nothing but a file may be in the way, and links stay links.
. "$(dirname "$(readlink -f "$0")")/run_common.bash"
scene >box.yaml
that "a run" code 0 "$talus" run box.yaml -o box --set run.until.time=0.1 --quiet

# ---------------------------------------------------------------- pictures
mkfifo pipe.png
ln -s pipe.png link.png
mkdir folder.png other
echo old >other/old.png
ln -s other/old.png good.png
for words in "plot box mean_overlap" "render box"; do
	for way in pipe.png link.png folder.png; do
		# shellcheck disable=SC2086 # several words
		that "$words into $way" code 2 timeout 300 "$talus" $words -o $way
		that "has a sentence" grep -q "$way is not a file" err
	done
	echo old >other/old.png
	# shellcheck disable=SC2086 # several words
	that "$words into a link" code 0 "$talus" $words -o good.png
	that "goes to where it leads" test "$(head -c 4 other/old.png | tail -c 3)" = PNG
	that "and leaves the link" test -L good.png
	that "and nothing else" test "$(ls other)" = old.png
done
that "what was in the way is there" test -p pipe.png -a -L link.png -a -d folder.png

# ---------------------------------------------------------------- files that have their names from talus
mkdir report
mkfifo report/report.md
that "a report" code 1 timeout 300 "$talus" reproduce sweeps --quick --quiet -o report
that "has a sentence" grep -q "report/report.md is not a file" err
that "and does not replace a pipe" test -p report/report.md
that "nothing is beside it" test "$(ls report | tr '\n' ' ')" = "report.md sweeps "
finish
