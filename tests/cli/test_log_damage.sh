#!/bin/bash
# SPDX-License-Identifier: MIT
# Damaged rows of log.csv cost nothing but themselves, and the file as it was is kept.
. "$(dirname "$(readlink -f "$0")")/run_common.bash"
scene | sed 's/count: 100/count: 20/; s/count: 60/count: 5/' >box.yaml
that "the unbroken run" code 0 "$talus" run box.yaml -o unbroken --quiet --set run.until.time=1.5
that "a part of it" code 0 "$talus" run box.yaml -o part --quiet --set run.until.time=0.9

# resumed SCRIPT: sed's script damages the log, then the run goes on
resumed() {
	rm -rf broken && cp -r part broken && sed -i "$1" broken/log.csv && cp broken/log.csv damaged.csv || return 1
	! cmp -s part/log.csv damaged.csv && code 0 "$talus" resume broken --quiet --until 1.5
}
# without ROWS: the log is the unbroken one but for these
without() { sed "$1" unbroken/log.csv | cmp - broken/log.csv; }
kept() { cmp damaged.csv broken/log.csv.old && grep -q "^talus: warning: damaged rows of log.csv are left out ($1); .* log.csv.old$" err; }

# loses ROWS COUNT SENTENCE SCRIPT
loses() {
	that "$3: it goes on" resumed "$4"
	that "$3: the other rows are there" without "$1"
	that "$3: so is the old file" kept "$2"
}
loses 10d 1 "a letter in a number" '10s/,\(.\)/,x\1/'
loses 10d 1 "a letter at the end of a number" '10s/.$/x/'
loses 10d 1 "a letter in the step" '10s/^./x/'
loses 10d 1 "a cell too many" '10s/$/,1/'
loses 10d 1 "a cell too few" '10s/,[^,]*$//'
loses 10d 1 "an empty cell" '10s/,[^,]*$/,/'
loses 10d 1 "a zero byte" '10s/5/\x00/'
loses 10d 2 "a row in two" '10s/,/,\n/7'
loses 10d 1 "a step that is too large" '10s/^/9/'
loses 10d 1 "a step that is too small" '10s/^[0-9]*/1/'
loses '10d;11d' 1 "two rows in one" '10{N;s/\n/ /}'
loses '7d;20d' 2 "two rows" '7s/,/;/;20s/,/;/'

# only the end is torn
rm -rf broken && cp -r part broken && rm broken/summary.json && printf '93,0.9' >>broken/log.csv
that "a torn end" code 0 "$talus" resume broken --quiet --until 1.5
that "leaves nothing behind" same_run unbroken broken
that "nothing" absent broken/log.csv.old
that "and no warning" test ! -s err
that "the last row" resumed '$s/,/;/'
that "is missed" grep -q "^talus: warning: log.csv ends at time .* are lost" err
that "all others are there" without 32d
finish
