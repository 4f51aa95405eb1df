#!/bin/bash
# SPDX-License-Identifier: MIT
# A summary.json that is not whole counts as missing: it is made again, and no command passes it on.
. "$(dirname "$(readlink -f "$0")")/run_common.bash"
scene >box.yaml
json() { python3 -c 'import json, sys; json.load(sys.stdin)' <"$1"; }
# damage FILE HOW
damage() {
	case $2 in
	empty) : >"$1" ;;
	cut) head -c 3000 "$1" >cut && cp cut "$1" ;;
	random) head -c 2000 /dev/zero | tr '\0' '\245' >"$1" ;;
	zeros) head -c 2000 /dev/zero >"$1" ;;
	tail) printf 'more' >>"$1" ;;
	text) sed -i '2s/a box/a \xff box/' "$1" ;;
	hashless) sed -i '/state_hash/d' "$1" ;;
	deep) head -c 1000000 /dev/zero | tr '\0' '[' >"$1" ;;
	esac
}
sweep="run box.yaml -o sweep --set run.until.time=0.1 --sweep contacts.0.friction=0.1:0.4:8 --quiet"
that "a sweep" code 0 "$talus" $sweep
cp -r sweep kept
member=0
for how in empty cut random zeros tail text hashless deep; do
	damage sweep/000$member/summary.json $how
	code 0 "$talus" info sweep/000$member --json >said
	that "info says so ($how)" grep -q "summary.json: it is damaged" err
	that "info is JSON ($how)" json out
	that "without it ($how)" grep -q '"summary": null' out
	member=$((member + 1))
done
cp -r sweep/0001 alone
that "a run is resumed" code 0 "$talus" resume alone --quiet
that "it is as before" same_run alone kept/0001
that "info has it" code 0 "$talus" info alone --json
that "without a word" test ! -s err
that "the sweep is done again" code 0 "$talus" $sweep
for member in 0 1 2 3 4 5 6 7; do
	that "member $member is as before" same_run sweep/000$member kept/000$member
	that "its summary is JSON" json sweep/000$member/summary.json
done
that "so is the table" cmp <(cut -d, -f1-40 sweep/sweep.csv) <(cut -d, -f1-40 kept/sweep.csv)
finish
