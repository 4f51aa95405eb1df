#!/bin/bash
# SPDX-License-Identifier: MIT
# A pipe, a device or a file without end in the place of a file of a run keeps nobody waiting.
. "$(dirname "$(readlink -f "$0")")/run_common.bash"
scene | sed 's/count: 100/count: 20/; s/count: 60/count: 5/' >box.yaml
that "a run" code 0 "$talus" run box.yaml -o whole --quiet --set run.until.time=0.5

# spoilt NAME COMMAND...: a folder in which something else has this name
spoilt() {
	local name=$1
	shift
	rm -rf bad && cp -r whole bad && rm "bad/$name" && "$@" "bad/$name"
}
ends() { # CODES COMMAND...: ends by itself, with one of these codes
	local codes=$1
	shift
	(eval "$(memory 4000000)"; exec timeout 300 "$@") >out 2>err </dev/null
	local got=$?
	case " $codes " in *" $got "*) ;; *) echo "exit code $got"; cat err; return 1 ;; esac
}
zero() { ln -s /dev/zero "$1"; }
endless() { truncate -s 100G "$1"; }
for name in scene.yaml run.h5 log.csv checkpoint.h5 summary.json; do
	for kind in mkfifo zero endless; do
		that "$kind $name" spoilt $name $kind
		that "$kind $name: info" ends "0 2" "$talus" info bad
		that "$kind $name: plot" ends "0 2" "$talus" plot bad kinetic_energy -o plot.png
		that "$kind $name: render" ends "0 1 2" "$talus" render bad -o frame.png
		that "$kind $name: resume" ends "0 1 2" "$talus" resume bad --quiet --until 0.6
	done
done

# says CODE SENTENCE NAME COMMAND...
says() {
	spoilt "$3" mkfifo && ends "$1" "${@:4}" && grep -q "^talus: .*$2" err
}
that "info of a scene" says 2 "bad/scene.yaml: the scene cannot be opened: it is not a file" scene.yaml "$talus" info bad
that "resume with a scene" says 2 "bad/scene.yaml: the scene cannot be opened: it is not a file" scene.yaml "$talus" resume bad
that "plot of a log" says 2 "it is not a file" log.csv "$talus" plot bad kinetic_energy -o plot.png
that "resume with a log" says 2 "bad/log.csv: cannot read: it is not a file" log.csv "$talus" resume bad --until 0.6
that "its summary is still there" cmp whole/summary.json bad/summary.json
that "resume with a checkpoint" says 2 "bad/checkpoint.h5: cannot open: it is not a file" checkpoint.h5 "$talus" resume bad
that "a scene may come through a pipe" code 0 bash -c "cat box.yaml | '$talus' check /dev/stdin"
that "if it has an end" ends 2 "$talus" check /dev/zero
finish
