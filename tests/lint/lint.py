#!/usr/bin/env python3
"""lint.py RULE [ROOT]: checks the repository against one set of rules (assertions, formatting, layers, names, operators, paths, provider_names, sizes, streams, text, thread_locals, tree), or all of them.

Prints a line a finding and exits with 1 when there is one.
"""

import argparse
import pathlib
import sys

import assertions
import formatting
import layers
import names
import operators
import paths
import provider_names
import sizes
import streams
import text
import thread_locals
import tree
import window_words
from source_files import Tree

RULES = {"assertions": assertions.check, "formatting": formatting.check, "layers": layers.check, "names": names.check, "operators": operators.check, "paths": paths.check, "provider_names": provider_names.check, "sizes": sizes.check, "streams": streams.check, "thread_locals": thread_locals.check, "tree": tree.check, "text": text.check, "window_words": window_words.check}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("rule", choices=[*RULES, "all"])
    parser.add_argument("root", nargs="?", type=pathlib.Path, default=pathlib.Path(__file__).resolve().parents[2])
    arguments = parser.parse_args()
    files = Tree(arguments.root)
    chosen = RULES if arguments.rule == "all" else [arguments.rule]
    found = sorted(finding for rule in chosen for finding in RULES[rule](files))
    for finding in found:
        print(finding)
    print(f"{len(files.files)} files, {len(found)} findings")
    return 1 if found or not files.files else 0


if __name__ == "__main__":
    sys.exit(main())
