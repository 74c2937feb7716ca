"""Paths that texts name: what a README, a comment or a script says lies in the repository does lie there.

A path starts with a second-level folder's parent (app/, engine/, ...). A file may be named without its ending, braces and
stars as a shell takes them; what holds <, > or a word in capitals is a form to fill in, not a path.
"""

import fnmatch
import itertools
import pathlib
import re

from source_files import FOLDERS, Finding

READ = {".md", ".cpp", ".h", ".cu", ".cuh", ".py", ".sh", ".cmake", ".txt"}
ELSEWHERE = {"docs/ContribOperators.md"}  # onnxruntime's, which comments cite
LEFT_OUT = "tests/lint/"  # whose tests name paths that are not there
NAMED = re.compile(r"(?<![\w./$\-{}])(?:" + "|".join(FOLDERS) + r")/[\w./*{},<>$-]*[\w*}/]")
FORM = re.compile(r"[<>$]|\b[A-Z]{2,}\b|(?:^|/)x[./_]|/\.\.\.|[A-Z]+$")


def spelled_out(path):
    """`a/{b,c}/d` as its paths."""
    match = re.search(r"\{([^{}]*)\}", path)
    if not match:
        return [path]
    return list(itertools.chain.from_iterable(
        spelled_out(path[:match.start()] + part + path[match.end():]) for part in match[1].split(",")))


class Present:
    def __init__(self, tree):
        self.files = set(tree.files)
        self.folders = {str(parent) for path in tree.files for parent in pathlib.PurePath(path).parents}
        self.stems = {re.sub(r"\.\w+$", "", path) for path in tree.files}

    def has(self, path):
        path = path.rstrip("/.,")
        if "*" in path:
            return any(fnmatch.fnmatch(each, path) or fnmatch.fnmatch(each, path + ".*") for each in self.files) \
                or any(fnmatch.fnmatch(each, path) for each in self.folders)
        return path in self.files or path in self.folders or path in self.stems


def named_in(path, line):
    """The paths that a line of text names. In C++ and scripts only comments are texts."""
    suffix = pathlib.PurePath(path).suffix
    if suffix != ".md":
        mark = "//" if suffix in (".cpp", ".h", ".cu", ".cuh") else "#"
        at = line.find(mark)
        if at < 0 or line.lstrip().startswith(("#include", "# include")):
            return []
        line = line[at:]
    return NAMED.findall(line)


def check(tree):
    present, found = Present(tree), []
    for path in tree.files:
        if pathlib.PurePath(path).suffix not in READ or path.startswith(LEFT_OUT):
            continue
        for number, line in enumerate(tree.lines(path), 1):
            for named in named_in(path, line):
                if FORM.search(named) or named in ELSEWHERE:
                    continue
                missing = [each for each in spelled_out(named) if not present.has(each)]
                if missing:
                    found.append(Finding(path, number, f"names {missing[0]}, which is not there"))
    return found
