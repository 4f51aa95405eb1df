# SPDX-License-Identifier: MIT
# Grains of a CSV file (x,y,z,radius) as a data file of LAMMPS; density 1, in a box of the given side.
BEGIN { FS = "," }
FNR == 1 { next }
{ row[++n] = sprintf("%d 1 %.17g 1 %s %s %s", n, 2*$4, $1, $2, $3) }
END {
	print "grains of a loose lattice\n\n" n " atoms\n1 atom types\n"
	print "0 " side " xlo xhi\n0 " side " ylo yhi\n0 60 zlo zhi\n\nAtoms\n"
	for (i = 1; i <= n; i++) print row[i]
}
