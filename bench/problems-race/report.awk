# SPDX-License-Identifier: MIT
# The tables of one tolerance, from the records of `run`:
# tolerance kind problem contacts solver solved|wrong|late|crash seconds iterations error [solver of Talus]

$1 != tolerance { next }
!($3 in kind) {
	kind[$3] = $2
	contacts[$3] = $4
	order[++problems] = $3
}
$6 == "wrong" { wrong[$3, $5] = $9 }
$6 == "crash" { crash[$3, $5] = 1 }
$6 == "solved" && (!(($3, $5) in best) || $7 < best[$3, $5]) {
	best[$3, $5] = $7
	if ($5 == "talus")
		took[$3] = $10
}
$5 != "talus" && !($5 in known) {
	known[$5] = 1
	names[++solvers] = $5
}

function fastest(problem,   i, name) {
	name = ""
	for (i = 1; i <= solvers; i++)
		if ((problem, names[i]) in best && (name == "" || best[problem, names[i]] < best[problem, name]))
			name = names[i]
	return name
}

function ms(problem, name) {
	return (problem, name) in best ? sprintf("%.2f", 1e3*best[problem, name]) : "-"
}

function row(problem,   name, ratio) {
	name = fastest(problem)
	ratio = "-"
	if (name != "" && (problem, "talus") in best)
		ratio = sprintf("%.2f", best[problem, name]/best[problem, "talus"])
	printf "%-36s %8d  %-13s %10s %10s  %-11s %7s\n", problem, contacts[problem], name == "" ? "none" : name,
		name == "" ? "-" : ms(problem, name), ms(problem, "talus"), took[problem], ratio
}

function count(name,   i, solved, seconds) {
	for (i = 1; i <= problems; i++)
		if (kind[order[i]] == "middle" && (order[i], name) in best) {
			solved++
			seconds += best[order[i], name]
		}
	printf "  %-14s %3d of %d, %10.2f ms\n", name, solved, middle, 1e3*seconds
}

END {
	printf "\ntolerance %s: CPU time in ms, ratio = Siconos/Talus\n", tolerance
	printf "%-36s %8s  %-13s %10s %10s  %-11s %7s\n", "problem", "contacts", "Siconos' best", "its time",
		"Talus", "by", "ratio"
	for (i = 1; i <= problems; i++) {
		p = order[i]
		if (kind[p] != "middle")
			continue
		row(p)
		middle++
		name = fastest(p)
		if (!((p, "talus") in best)) {
			missed++
			if (name != "")
				only += best[p, name]
		} else if (name == "") {
			alone++
			alone_time += best[p, "talus"]
		} else {
			both++
			theirs += best[p, name]
			ours += best[p, "talus"]
			if (best[p, name] < best[p, "talus"])
				slower++
		}
	}
	printf "solved by both: %d, Siconos' best %.2f ms, Talus %.2f ms; Talus slower in %d\n", both, 1e3*theirs,
		1e3*ours, slower
	printf "solved by no solver of Siconos: %d, Talus %.2f ms\n", alone, 1e3*alone_time
	printf "not solved by Talus: %d, Siconos' best %.2f ms\n", missed, 1e3*only
	print "apart from these sums:"
	for (i = 1; i <= problems; i++)
		if (kind[order[i]] != "middle")
			row(order[i])
	print "solved by each, and the time of those:"
	for (i = 1; i <= solvers; i++)
		count(names[i])
	count("talus")
	for (key in wrong) {
		split(key, part, SUBSEP)
		printf "ended without an answer: %s on %s, error %s\n", part[2], part[1], wrong[key]
	}
	for (key in crash) {
		split(key, part, SUBSEP)
		printf "crashed: %s on %s\n", part[2], part[1]
	}
}
