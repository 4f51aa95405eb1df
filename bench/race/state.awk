# SPDX-License-Identifier: MIT
# The last state of a run as rows of x y z radius vx vy vz wx wy wz: from a dump of LAMMPS, or from the frames
# of Talus as h5dump prints position, radius, velocity and spin, one after the other (-y -w 0).
/^ITEM:/ { rows = /^ITEM: ATOMS/; dump = 1; next }
dump { if (rows) print $2, $3, $4, $5, $6, $7, $8, $9, $10, $11; next }
/^DATASET/ { set++; next }
/^ *DATASPACE/ { split($0, part, /[(,)]/); frames = part[2] + 0; grains = part[3] + 0; next }
/DATA {/ { rows = 1; next }
/}/ { rows = 0 }
rows {
	count = split($0, part, /[ ,]+/)
	for (i = 1; i <= count; i++) if (part[i] != "") value[set, seen[set]++] = part[i]
}
function three(set, i) {
	i = 3*((frames - 1)*grains + i)
	return value[set, i] " " value[set, i + 1] " " value[set, i + 2]
}
END {
	if (dump) exit
	for (i = 0; i < grains; i++)
		print three(1, i), value[2, (frames - 1)*grains + i], three(3, i), three(4, i)
}
