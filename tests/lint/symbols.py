#!/usr/bin/env python3
"""symbols.py BUILD: no name is defined by two object files of the libraries in BUILD.

Compares what `nm` lists: which of two definitions a program gets would depend on the order in which its libraries are
linked. Inline functions and templates (weak symbols) may stand in many files; names.py compares their sources. A source
that is compiled for two libraries is one definition: modules that are opened at run time carry their own copy.
"""

import collections
import pathlib
import subprocess
import sys

STRONG = set("TDBRSG")  # text, data, zeroed, read-only, small


def definitions(archive):
    """(symbol, archive:object) of every strong definition."""
    listed = subprocess.run(["nm", "--defined-only", "--extern-only", "--print-file-name", str(archive)],
                            capture_output=True, text=True, check=True).stdout
    for line in listed.splitlines():
        place, _, rest = line.rpartition(": ") if ": " in line else line.rpartition(":")
        parts = rest.split()
        if len(parts) >= 3 and parts[1] in STRONG:
            yield parts[2], ":".join(place.split(":")[-2:])


def main():
    build = pathlib.Path(sys.argv[1])
    # A library that is no longer built lies on in the folder: only those that the build knows count.
    rules = build / "build.ninja"
    known = rules.read_text(errors="replace") if rules.exists() else None
    archives = sorted(path for path in build.rglob("*.a")
                      if path.name.startswith("libcutaway_") and (known is None or str(path.relative_to(build)) in known))
    places = collections.defaultdict(set)
    for archive in archives:
        for symbol, place in definitions(archive):
            places[symbol].add(f"{archive.name}:{place.rsplit(':', 1)[-1]}")
    twice = {symbol: sorted(where) for symbol, where in places.items() if len({place.split(":")[1] for place in where}) > 1}
    names = subprocess.run(["c++filt"], input="\n".join(twice), capture_output=True, text=True, check=True).stdout.splitlines()
    for name, where in sorted(zip(names, twice.values())):
        print(f"{name} is defined in {' and '.join(where)}")
    print(f"{len(archives)} libraries, {len(places)} names, {len(twice)} defined twice")
    return 1 if twice or not places else 0


if __name__ == "__main__":
    sys.exit(main())
