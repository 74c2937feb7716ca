#!/usr/bin/env python3
"""fuzz_files.py PROGRAM [--cases N | --seconds N] [--seed S] [--target NAME]: every reader of files on damaged seeds.

Writes the seeds of all targets into a folder of its own, and runs the program over them. The program ends with a signal at
the first finding and says which case it was; its last line counts the cases.
"""

import argparse
import subprocess
import sys
import tempfile

from seeds import SEEDS, write_seeds


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program")
    parser.add_argument("--cases", type=int, default=20_000)
    parser.add_argument("--seconds", type=int, default=0, help="instead of cases")
    parser.add_argument("--seed", default="1")
    parser.add_argument("--target", default="")
    parser.add_argument("--only", default="", help="one case")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as corpus:
        for target in SEEDS:
            write_seeds(target, corpus)
        many = ["--only", arguments.only] if arguments.only else ["--seconds", str(arguments.seconds)] if arguments.seconds else ["--cases", str(arguments.cases)]
        target = ["--target", arguments.target] if arguments.target else []
        return subprocess.run([arguments.program, *many, "--seed", arguments.seed, *target, "--corpus", corpus], check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
