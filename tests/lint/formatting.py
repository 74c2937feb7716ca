"""Every C++ source is as clang-format writes it, with the style file at the root and the version that requirements.txt pins."""

import concurrent.futures
import os
import re
import subprocess
import sys
import pathlib

from source_files import Finding

FINDING = re.compile(r"^(.+?):(\d+):\d+: error: (.*?)(?: \[-Wclang-format-violations\])?$")
AT_ONCE = 40  # files a call


def program():
    """clang-format of the environment that runs this."""
    beside = pathlib.Path(sys.executable).parent / "clang-format"
    return str(beside) if beside.exists() else "clang-format"


def checked(root, paths):
    run = subprocess.run([program(), "--dry-run", "--Werror", "--ferror-limit=1", *paths], cwd=root, capture_output=True, text=True)
    found = [Finding(match[1], int(match[2]), "not as clang-format writes it")
             for match in map(FINDING.match, run.stderr.splitlines()) if match]
    if run.returncode != 0 and not found:
        found.append(Finding(paths[0], 1, f"clang-format failed: {run.stderr.strip()[:200]}"))
    return found


def check(tree):
    paths = tree.cpp()
    batches = [paths[i:i + AT_ONCE] for i in range(0, len(paths), AT_ONCE)]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        return [finding for found in pool.map(lambda batch: checked(tree.root, batch), batches) for finding in found]
