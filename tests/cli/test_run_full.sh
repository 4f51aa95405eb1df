#!/bin/bash
# SPDX-License-Identifier: MIT
# No room left: the run stops with a sentence, the last checkpoint is whole, and with more room it goes on to the same end.
. "$(dirname "$(readlink -f "$0")")/run_common.bash"
scene >box.yaml
that "the unbroken run" code 0 "$talus" run box.yaml -o unbroken --quiet

sentence() { [ "$(wc -l <err)" -le 2 ] && grep -q "^talus: $1.*: cannot write: $2" err; }

for blocks in 150 250 400 600; do
	rm -rf full
	that "files of at most $blocks kB" code 1 bash -c "ulimit -f $blocks; exec timeout 250 $talus run box.yaml -o full --quiet"
	that "a sentence" sentence full "File too large"
	that "it can be looked at" code 0 "$talus" info full
	[ -f full/checkpoint.h5 ] || continue
	that "it goes on ($blocks kB)" code 0 timeout 250 "$talus" resume full --quiet
	that "to the same end" same_run unbroken full
done

mkdir disk
if [ "$(id -u)" = 0 ] && mount -t tmpfs -o size=100k tmpfs disk 2>/dev/null; then
	mounted=$work/disk
	for size in 200 350 500; do
		rm -rf disk/full
		mount -o remount,size=${size}k disk
		that "a disk of $size kB" code 1 timeout 250 "$talus" run box.yaml -o disk/full --quiet
		that "a sentence" sentence disk/full "No space left on device"
		that "it can be looked at" code 0 "$talus" info disk/full
		[ -f disk/full/checkpoint.h5 ] || continue
		mount -o remount,size=20m disk
		that "it goes on ($size kB)" code 0 timeout 250 "$talus" resume disk/full --quiet
		that "to the same end" same_run unbroken disk/full
	done
fi
finish
