#!/bin/bash
# SPDX-License-Identifier: MIT
# talus reproduce: what it lists, quick versions of its experiments, what is kept, a number that is wrong.
. "$(dirname "$(readlink -f "$0")")/run_common.bash"

that "without a name it lists them" code 0 "$talus" reproduce
that "with what they are" grep -q "^  plane-shear  *friction and density" out
that "help" code 0 "$talus" reproduce --help
that "an unknown name is refused" code 2 "$talus" reproduce isostatics
that "with the nearest one" grep -q "no experiment isostatics; did you mean isostatic?" err
that "so is an unknown option" code 2 "$talus" reproduce bath --fast
that "so is a folder without a name, which would be /" code 2 "$talus" reproduce bath --quick -o ""
that "in a sentence" grep -q "^talus: reproduce: -o wants the name of a folder$" err
that "nothing was written" absent reproduce

names="bath sweeps beds"
[ "$long_form" = 0 ] || names="bath isostatic indeterminacy plane-shear sweeps beds scenes"
that "quick versions come out right" code 0 "$talus" reproduce $names --quick --quiet -o r
that "with a verdict for each number" grep -q "^  ok .* volume fraction, mean of 2 systems$" out
that "a power of several packings with its error" grep -q "^  *0\.[0-9]* .* its standard error$" out
that "none is wrong" test "$(grep -c WRONG out)" = 0
for name in $names; do
	that "$name is in the report" grep -q "^## $name$" r/report.md
	that "with its numbers" test "$(grep -c "| ok |" r/report.md)" -gt 3
done
for figure in $(sed -n 's/^!\[.*\](\(.*\))$/\1/p' r/report.md); do
	that "$figure is a picture" test "$(head -c 4 "r/$figure" | tail -c 3)" = PNG
done
cp out first
that "a second time nothing runs" code 0 timeout 300 "$talus" reproduce bath --quick --quiet -o r
that "and the same comes out" diff <(sed -n '/^bath:/,/figure/p' first) <(sed -n '/^bath:/,/figure/p' out)

sed -i 's/"volume_fraction": [0-9.]*/"volume_fraction": 0.7/' r/bath/runs/0000/summary.json
that "a number outside of its limits fails" code 1 "$talus" reproduce bath --quick --quiet -o r
that "and is marked" grep -q "^  WRONG  *0.7[45].* volume fraction, mean" out
that "in the report, too" grep -q "| WRONG |" r/report.md

that "where limits come from is told" grep -q "^  limits: rate and pressure are exact" out
that "in the report, too" grep -q "^Limits: rate and pressure are exact" r/report.md

# ---------------------------------------------------------------- what is known not to be met
if [ "${TALUS_TEST_LONG:-0}" = 1 ]; then
	that "single systems" code 0 "$talus" reproduce bath-stress --quick --quiet -o s
	sed -i 's/"deviator": [0-9.e-]*/"deviator": 0.1/' s/bath-systems/runs/*/summary.json
	that "are as anisotropic as ever: no failure" code 0 "$talus" reproduce bath-stress --quick --quiet -o s
	that "but not met" test "$(grep -c "^  not met  *0.1 " out)" = 2
	that "which is said at the end" grep -q "^2 not met, which is known" out
	sed -i 's/"deviator": [0-9.e-]*/"deviator": 0.5/' s/bath-systems/runs/*/summary.json
	that "more than ever: a failure" code 1 "$talus" reproduce bath-stress --quick --quiet -o s
	that "and wrong" test "$(grep -c "^  WRONG  *0.5 " out)" = 2
fi

# ---------------------------------------------------------------- scenes, whose times count
if [ "${TALUS_TEST_LONG:-0}" = 1 ]; then
	that "all of them are kept" code 0 "$talus" reproduce scenes --quick -o r
	that "none runs again" test -z "$(grep "^talus: r/scenes/" err)"
	that "a row for each setting" test "$(grep -c "^| \(reference\|auto\|10\|50\|100\) | [0-9.]* s |" r/report.md)" = 40
	cp r/report.md first
	echo 1000 >r/scenes/silo/auto-1/seconds.txt
	rm r/scenes/drum/auto-1/seconds.txt
	that "a slow solver is no failure" code 0 "$talus" reproduce scenes --quick -o r
	that "but not met" grep -q "^  not met .* silo: time of auto over that of 50 plain sweeps$" out
	that "a run without its time is done again, no other" test "$(grep "^talus: r/scenes/" err)" = "talus: r/scenes/drum/auto-1"
	that "with the same physics" diff <(sed -n '/^### drum/,/^### chute/p' first | cut -d "|" -f 5-) <(sed -n '/^### drum/,/^### chute/p' r/report.md | cut -d "|" -f 5-)
fi

# ---------------------------------------------------------------- Ctrl-C in those that have no runs
for name in sweeps beds; do
	timeout 300 "$talus" reproduce $name --threads 1 -o stopped >out 2>err &
	id=$!
	that "$name starts" wait_for test -d stopped/$name
	sleep 0.2
	that "it is at work" kill -INT $id
	wait $id
	that "$name ends with code 1" test $? = 1
	that "and a sentence" grep -q "^talus: reproduce: stopped in $name$" err
	that "without a picture" test -z "$(ls stopped/$name)"
	that "or a report" absent stopped/report.md
done
that "help says what the report is about" sh -c "'$talus' reproduce --help | grep -q 'the experiments of this call only'"

# ---------------------------------------------------------------- runs that are there
mkdir taken && scene >box.yaml
that "a run" code 0 "$talus" run box.yaml -o taken/bath --set run.until.time=0.1 --quiet
that "is not overwritten" code 2 "$talus" reproduce bath --quick -o taken
that "which is said" grep -q "there is a run in this folder" err
finish
