#!/usr/bin/env python3
"""check_howtos.py PROGRAMS: every command of the manual's how-tos is run as it stands there, and what stands below it is in what it prints.

In a block ```console a line "$ COMMAND" is run in a folder that has the sample models; "# exit N" behind it is the exit code that it must have, 0 otherwise.
The lines below are parts of the output, in any order, with spaces of any length. PROGRAMS is the folder of cutaway-cli.
"""

import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

from built_programs import REPOSITORY, Faults

FAULTS = Faults()
MANUAL = REPOSITORY / "resources/manual"


def commands(text):
    """(command, exit code, expected parts) of each command of a page."""
    for block in re.findall(r"(?ms)^```console\n(.*?)^```", text):
        for part in re.split(r"(?m)^\$ ", block)[1:]:
            line, _, below = part.partition("\n")
            command, _, code = line.partition("    # exit ")
            yield command, int(code or 0), [each for each in below.splitlines() if each.strip()]


def squeezed(text):
    return re.sub(r"\s+", " ", text).strip()


def check_page(page, programs, scratch):
    found = list(commands(page.read_text(encoding="utf-8")))
    FAULTS.expect(len(found) >= 2, f"{page.name} has {len(found)} commands")
    environment = {"PATH": f"{programs}:/usr/bin:/bin", "HOME": str(scratch), "LANG": "C.UTF-8"}
    for command, code, parts in found:
        done = subprocess.run(["bash", "-c", command], cwd=scratch, env=environment, capture_output=True, text=True, errors="replace", stdin=subprocess.DEVNULL)
        said = squeezed(done.stdout + done.stderr)
        FAULTS.expect(done.returncode == code, f"{page.name}: {command}: exit code {done.returncode}, not {code}: {said[-300:]}")
        for part in parts:
            FAULTS.expect(squeezed(part) in said, f"{page.name}: {command}: {part!r} is not in {said[:400]}")


def main():
    programs = pathlib.Path(sys.argv[1]).resolve()
    pages = sorted(MANUAL.glob("how-*.md"))
    FAULTS.expect(len(pages) >= 6, f"there are {len(pages)} how-tos")
    for page in pages:
        with tempfile.TemporaryDirectory() as folder:
            scratch = pathlib.Path(folder)
            for sample in (REPOSITORY / "resources/samples").iterdir():
                if sample.is_dir():
                    shutil.copytree(sample, scratch / sample.name)
            check_page(page, programs, scratch)
    FAULTS.end()


if __name__ == "__main__":
    main()
