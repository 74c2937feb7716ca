#!/usr/bin/env python3
"""check_wheel.py BUILD|WHEEL [PYTEST OPTIONS]: makes the wheel where it gets none, installs it in a fresh environment without a compiler, and runs the tests of the package there.

Nothing is fetched: what the tests need besides lies in build/deps/wheels (packaging/setup.sh). Exit code 77: it does not.
"""

import os
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile
import time

REPOSITORY = pathlib.Path(__file__).resolve().parents[2]
WHEELS = REPOSITORY / "build/deps/wheels"
REQUIREMENTS = REPOSITORY / "tests/python/requirements.txt"


def make(build, folder):
    done = subprocess.run([sys.executable, "-B", REPOSITORY / "packaging/portable/make_wheel.py", build, "-o", folder], capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"the wheel could not be made: {done.stderr[-2000:]}")
    return pathlib.Path(done.stdout.strip())


def import_times(python, environment, folder):
    """What importing the package adds to the interpreter and to numpy, which it needs: medians of ten, each in a process of its own, in turn."""
    took = {words: [] for words in ("import numpy", "import cutaway")}
    for _ in range(11):
        for words, times in took.items():
            began = time.monotonic()
            subprocess.run([python, "-c", words], check=True, env=environment, cwd=folder)
            times.append(time.monotonic() - began)
    numpy, ours = (statistics.median(times[1:]) * 1000 for times in took.values())
    return f"python -c 'import cutaway': {ours:.0f} ms, of which 'import numpy' takes {numpy:.0f} (medians of 10, load {os.getloadavg()[0]:.1f})"


def main():
    given = pathlib.Path(sys.argv[1]).resolve()
    if not (WHEELS / ".stamp").exists():
        print("build/deps/wheels is not there: run packaging/setup.sh")
        sys.exit(77)
    with tempfile.TemporaryDirectory() as folder:
        scratch = pathlib.Path(folder)
        wheel = given if given.suffix == ".whl" else make(given, scratch)
        if not re.fullmatch(r"cutaway-\d+\.\d+\.\d+-cp310-abi3-manylinux_2_\d+_\w+\.whl", wheel.name):
            sys.exit(f"the wheel is called {wheel.name}")
        print(f"{wheel.name}: {wheel.stat().st_size / 1e6:.1f} MB")
        subprocess.run(["/usr/bin/python3", "-m", "venv", scratch / "fresh"], check=True)
        python = scratch / "fresh/bin/python"
        (scratch / "empty").mkdir()
        # No compiler, no tool, no library folder of ours: what is there is Python and the wheels.
        environment = {"PATH": str(scratch / "empty"), "HOME": str(scratch), "LANG": "C.UTF-8", "CUTAWAY_SAMPLES": str(REPOSITORY / "resources/samples"),
                       "CUTAWAY_NOTEBOOK": str(REPOSITORY / "app/python/first_look.ipynb")}
        subprocess.run([python, "-m", "pip", "install", "-q", "--disable-pip-version-check", "--no-index", "--find-links", WHEELS, wheel, "-r", REQUIREMENTS],
                       check=True, env=environment, cwd=scratch)
        print(import_times(python, environment, scratch))
        done = subprocess.run([python, "-m", "pytest", "-q", "-p", "no:cacheprovider", REPOSITORY / "tests/python", *sys.argv[2:]], env=environment, cwd=scratch)
    sys.exit(done.returncode)


if __name__ == "__main__":
    main()
