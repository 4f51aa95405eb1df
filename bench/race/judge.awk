# SPDX-License-Identifier: MIT
# Judges a state of grains in the box, the same way whoever made it: rows of x y z radius vx vy vz wx wy wz.
# The box has the given side and is open above; gravity is 1. Two things touch if their gap is below 1e-7 mean
# diameters; a grain is held if it touches three. Energies are over m g r, spin included: the mass drops out.
# Prints: at rest?, loose grains, energy (mean of the held, median and mean of all), mean and largest overlap
# over the mean diameter, contacts per grain counted at both ends.
function touch(i, j, gap) {
	if (gap > 1e-7*diameter) return
	touches[i]++
	if (j) touches[j]++
	ends += j ? 2 : 1
	if (gap > 0) gap = 0
	contacts++
	overlap -= gap
	if (-gap > most) most = -gap
}
function pairs(i, j, k, dx, dy, dz, reach) {
	for (i = 1; i <= n; i++) {
		touch(i, 0, x[i] - r[i]); touch(i, 0, side - x[i] - r[i])
		touch(i, 0, y[i] - r[i]); touch(i, 0, side - y[i] - r[i])
		touch(i, 0, z[i] - r[i])
		for (j = i + 1; j <= n; j++) {
			dz = z[i] - z[j]; reach = r[i] + r[j] + 1e-4
			if (dz > reach || dz < -reach) continue
			dx = x[i] - x[j]; dy = y[i] - y[j]
			k = dx*dx + dy*dy + dz*dz
			if (k < reach*reach) touch(i, j, sqrt(k) - r[i] - r[j])
		}
	}
}
function median(a, count, low, high, middle, i, below) {
	# by halving in the logarithm: no need to sort
	low = -60; high = 10
	while (high - low > 1e-4) {
		middle = (low + high)/2; below = 0
		for (i = 1; i <= count; i++) below += a[i] < exp(middle)
		if (2*below < count) low = middle; else high = middle
	}
	return exp(low)
}
{
	n++
	x[n] = $1; y[n] = $2; z[n] = $3; r[n] = $4
	e[n] = ((($5*$5 + $6*$6 + $7*$7)/2) + r[n]*r[n]*($8*$8 + $9*$9 + $10*$10)/5)/r[n]
	diameter += 2*$4
}
END {
	diameter /= n
	pairs()
	for (i = 1; i <= n; i++) {
		all += e[i]/n
		if (touches[i] >= 3) { held++; calm += e[i] }
	}
	calm = held ? calm/held : 1
	printf "%s %d %.2g %.2g %.2g %.2g %.2g %.3f\n", (calm < 1e-6 ? "yes" : "no"), n - held, calm,
		median(e, n), all, overlap/contacts/diameter, most/diameter, ends/n
}
