#!/usr/bin/env python3
"""floors.py -o FILE.svg: draws the floors of the house, who includes whom, from the includes of the sources.

    python3 tests/lint/floors.py -o resources/manual/pictures/floors.svg
    python3 tests/lint/floors.py --check           # no arrow goes up: the floors have an order, and the manual's picture is today's

A box is a floor, with its lines of code. An arrow says that files of one include files of the other; what follows from
other arrows is left out. Graphviz places the boxes.
"""

import argparse
import collections
import pathlib
import re
import subprocess
import sys

from source_files import Tree

ROOT = pathlib.Path(__file__).resolve().parents[2]
PICTURE = "resources/manual/pictures/floors.svg"
INCLUDE = re.compile(r'^\s*#\s*include\s*"([^"]+)"', re.MULTILINE)
PARTS = ("app", "engine", "providers", "sweep", "ui")
COLOURS = {"app": "#d9d2e9", "ui": "#cfe2f3", "engine": "#fce5cd", "providers": "#d9ead3", "sweep": "#ead1dc"}


def floor_of(path):
    """engine/stages/schedule, engine/graph, providers (all of them stand side by side), ui/panels, app."""
    parts = path.split("/")
    if parts[0] not in PARTS or len(parts) < 3:
        return None
    if parts[0] in ("app", "providers"):
        return parts[0]
    return "/".join(parts[:3] if parts[1] == "stages" else parts[:2])


def measured(tree):
    """Lines by floor, and for each floor the floors that its files include."""
    lines, includes = collections.Counter(), collections.defaultdict(set)
    for path in tree.cpp():
        floor = floor_of(path)
        if floor is None:
            continue
        text = tree.text(path)
        lines[floor] += text.count("\n")
        for target in INCLUDE.findall(text):
            other = floor_of(target)
            if other and other != floor:
                includes[floor].add(other)
    return lines, includes


def circle(includes):
    """A list of floors of which each includes the next and the last the first; empty when there is an order."""
    state, trail = {}, []

    def visit(floor):
        state[floor] = "open"
        trail.append(floor)
        for other in sorted(includes.get(floor, ())):
            if state.get(other) == "open":
                return trail[trail.index(other):]
            if other not in state and (found := visit(other)):
                return found
        state[floor] = "done"
        trail.pop()
        return []

    for floor in sorted(includes):
        if floor not in state and (found := visit(floor)):
            return found
    return []


def reachable(includes, floor):
    seen, open_floors = set(), list(includes.get(floor, ()))
    while open_floors:
        each = open_floors.pop()
        if each not in seen:
            seen.add(each)
            open_floors += includes.get(each, ())
    return seen


def without_detours(includes):
    """The arrows that do not follow from others."""
    return {floor: {other for other in others
                    if not any(other in reachable(includes, between) for between in others if between != other)}
            for floor, others in includes.items()}


def drawn(lines, includes):
    """The picture in Graphviz's language."""
    out = ["digraph floors {", "  rankdir=TB; nodesep=0.25; ranksep=0.35;",
           '  node [shape=box, style="filled,rounded", color="#666666", fontname="DejaVu Sans", fontsize=11, height=0.3];',
           '  edge [color="#777777", arrowsize=0.6];']
    for floor in sorted(lines):
        out.append(f'  "{floor}" [label="{floor}\\n{lines[floor] / 1000:.1f} k lines", fillcolor="{COLOURS[floor.split("/")[0]]}"];')
    for floor in sorted(includes):
        out += [f'  "{floor}" -> "{other}";' for other in sorted(includes[floor])]
    return "\n".join([*out, "}", ""])


def arrows_of(svg):
    """Who includes whom in a picture: Graphviz titles each arrow."""
    return set(re.findall(r"<title>([\w/]+)&#45;&gt;([\w/]+)</title>", svg))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("-o", "--output", type=pathlib.Path)
    parser.add_argument("--check", action="store_true")
    arguments = parser.parse_args()
    lines, includes = measured(Tree(ROOT))
    if found := circle(includes):
        print("floors include each other in a circle: " + " -> ".join([*found, found[0]]))
        return 1
    arrows = without_detours(includes)
    if arguments.output:
        svg = subprocess.run(["dot", "-Tsvg"], input=drawn(lines, arrows), capture_output=True, text=True, check=True).stdout
        arguments.output.write_text(re.sub(r"<!--.*?-->\n?", "", svg, flags=re.DOTALL))
    if arguments.check:
        shown = arrows_of((ROOT / PICTURE).read_text())
        real = {(floor, other) for floor, others in arrows.items() for other in others}
        for floor, other in sorted(shown ^ real):
            print(f"{floor} -> {other}: " + ("new" if (floor, other) in real else "gone") + f"; draw it again: floors.py -o {PICTURE}")
        print(f"{len(lines)} floors, {len(real)} arrows, none goes up")
        return 1 if shown != real else 0
    return 0


if __name__ == "__main__":
    sys.exit(main())
