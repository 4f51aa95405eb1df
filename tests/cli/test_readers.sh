#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# run.h5 as others read it: h5py by itself, MDAnalysis where it is there (TALUS_TEST_LONG wants it to be). Distances between
# grains must be those of the scene, across periodic edges and nowhere else.
set -u
python=/usr/bin/python3
"$python" -c 'import h5py' 2>/dev/null || { echo "python3-h5py is not there"; exit 77; }
. "$(dirname "$0")/run_common.bash"

# scene NAME CELL: two grains far apart along all directions, one that is still to come
scene_of() {
	cat >"$1.yaml" <<YAML
materials: {glass: {density: 1}}
contacts: [{between: [glass, glass], friction: 0.3}]
grains:
  - grain: {at: [0.5, 1, 1], radius: 0.5}
  - grain: {at: [9.5, 18, 28], radius: 0.5}
  - pour: {count: 2, rate: 1, start: 0.4, radius: 0.5, in: {box: [[4, 9, 14], [6, 11, 16]]}}
$2
method: {contact_dynamics: {step: 0.01}}
run: {until: {time: 0.5}}
output: {frames: {every: 0.1$3}}
YAML
	that "$1 runs" "$talus" run "$1.yaml" --quiet
}
scene_of open '' ''
scene_of mixed 'cell: {size: [10, 20, 30], periodic: [x]}' ''
scene_of whole 'cell: {size: [10, 20, 30], periodic: [x, y, z]}' ', compress: true'
scene_of sheared 'cell: {size: [10, 20, 30], periodic: [x, y, z], drive: {xy: {rate: 0.5}}}' ', contacts: false'

cat >look.py <<'PYTHON'
import sys, warnings
import h5py, numpy as np
warnings.simplefilter("ignore")
try:
    from MDAnalysis.coordinates.H5MD import H5MDReader
    from MDAnalysis.lib.distances import calc_bonds
except ImportError:
    H5MDReader = None
    print("MDAnalysis is not there")

def near(a, b):
    return np.allclose(a, b, rtol=1e-4, atol=0)

def look(name, boundary, square):
    file = h5py.File(name + "/run.h5", "r")
    grains, last = file["particles/grains"], -1
    count = file["observables/grain_count/value"][:]
    position, ident, radius = (grains[k + "/value"][:] for k in ("position", "id", "radius"))
    assert list(count) == [2]*5 + [3], count
    for frame, n in enumerate(count): # rows that are not in use are nowhere
        assert np.isfinite(position[frame, :n]).all() and np.isnan(position[frame, n:]).all(), position[frame]
        assert (ident[frame, :n] >= 0).all() and (ident[frame, n:] == -1).all() and (radius[frame, n:] == 0).all()
    assert [b.decode() for b in grains["box"].attrs["boundary"]] == boundary
    assert ("edges" in grains["box"]) == ("periodic" in boundary)
    assert file["walls/force"].shape == (6, 0, 3) and len(file["walls/definition/name"]) == 0
    assert file["parameters"].attrs["contacts"] == (name != "sheared")
    assert file["particles/grains/box"].attrs["dimension"] == 3
    if "periodic" in boundary:
        edges = grains["box/edges/value"][last]
        assert [np.count_nonzero(row) for row in edges] == ([1, 2, 1] if name == "sheared" else [1, 1, 1]), edges
    file.close()
    if not H5MDReader:
        return
    reader = H5MDReader(name + "/run.h5", convert_units=False)
    for frame, ts in enumerate(reader):
        assert (ts.dimensions is None) == ("periodic" not in boundary), ts.dimensions
        a, b = ts.positions[0], ts.positions[1]
        assert near(calc_bonds(a, b, box=ts.dimensions)**2, square(frame)), (name, frame, ts.dimensions)

free = 9**2 + 17**2 + 27**2
look("open", ["none"]*3, lambda frame: free)
look("mixed", ["periodic", "none", "none"], lambda frame: 1 + 17**2 + 27**2)
look("whole", ["periodic"]*3, lambda frame: 1 + 3**2 + 3**2)

def sheared(frame): # the image of the other one that is nearest, by trying; grains that rest in the cell go with it
    shear = h5py.File("sheared/run.h5", "r")["particles/grains/box/edges/value"][frame][1, 0]
    position = h5py.File("sheared/run.h5", "r")["particles/grains/position/value"][frame]
    d, edge = position[1] - position[0], np.array([[10, 0, 0], [shear, 20, 0], [0, 0, 30]])
    return min(((d + np.array([i, j, k]) @ edge)**2).sum() for i in (-2, -1, 0, 1) for j in (-1, 0, 1) for k in (-1, 0, 1))
look("sheared", ["periodic"]*3, sheared)
PYTHON
that "h5py and MDAnalysis read what was simulated" "$python" look.py
that "MDAnalysis is there" test -z "${TALUS_TEST_LONG:-}" -o "$(grep -c 'not there' that.out)" = 0
that "forces of frames without contacts are not drawn" code 2 "$talus" render sheared --forces
that "with a sentence" grep -q "^talus: render: sheared: its frames were written without contacts" err
finish
