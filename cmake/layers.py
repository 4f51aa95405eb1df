#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Does every file use only what stands above it? layers.py BUILD-FOLDER reads the symbols of the objects with nm, and fails if a folder
uses one that stands below it in the list, or if files use each other in a circle."""
import pathlib
import subprocess
import sys

SOURCE = pathlib.Path(__file__).resolve().parent.parent
# Top to bottom. A folder uses those before it, and its own files as long as there is no circle.
ORDER = ["base", "state", "arrive", "collide", "law", "solve", "delassus", "account", "method", "world", "observe", "prepare", "io", "api", "run", "cli"]


def objects(build):
    for target in ("talus_objects", "talus_cli"):
        root = pathlib.Path(build, "CMakeFiles", target + ".dir")
        for path in sorted(root.rglob("*.o")):
            file = str(path.relative_to(root)).removesuffix(".c.o")
            if (SOURCE / (file + ".c")).exists():  # what was renamed leaves its object behind
                yield file, path


def symbols(path):
    defined, wanted = set(), set()
    for line in subprocess.run(["nm", str(path)], capture_output=True, text=True, check=True).stdout.splitlines():
        kind, name = line.split()[-2:]
        if kind == "U":
            wanted.add(name)
        elif kind in "TDBRVW":
            defined.add(name)
    return defined, wanted


def folder(file):
    parts = file.split("/")
    return "cli" if parts[0] == "cli" else parts[1]


def uses(build):
    """File -> file -> symbols."""
    wanted, home = {}, {}
    for file, path in objects(build):
        defined, wanted[file] = symbols(path)
        home.update(dict.fromkeys(defined, file))
    graph = {}
    for file, names in wanted.items():
        edges = graph[file] = {}
        for name in names:
            if home.get(name, file) != file:
                edges.setdefault(home[name], []).append(name)
    return graph


def circle(graph):
    """A path that comes back to its start, or None."""
    done, path = set(), []

    def visit(file):
        if file in path:
            return path[path.index(file):] + [file]
        if file in done:
            return None
        path.append(file)
        found = next((c for c in (visit(other) for other in sorted(graph[file])) if c), None)
        path.pop()
        done.add(file)
        return found

    return next((c for c in (visit(file) for file in sorted(graph)) if c), None)


def main():
    graph, wrong = uses(sys.argv[1]), 0
    if len(graph) < 100:
        sys.exit("there are no objects in " + sys.argv[1])
    for file, edges in sorted(graph.items()):
        for other, names in sorted(edges.items()):
            if ORDER.index(folder(other)) > ORDER.index(folder(file)):
                print(f"{file}.c uses {', '.join(sorted(names))} of {other}.c, which stands below it")
                wrong += 1
    found = circle(graph)
    if found:
        print("a circle: " + " -> ".join(found))
        wrong += 1
    print(f"{len(graph)} files, {sum(map(len, graph.values()))} uses, {wrong} wrong")
    sys.exit(1 if wrong else 0)


main()
