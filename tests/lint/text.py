"""Hygiene of text: nothing unfinished, nothing skipped, no path of one machine, plain line ends."""

import pathlib
import re

from source_files import Finding

READ = {".cpp", ".h", ".cu", ".cuh", ".py", ".sh", ".cmake", ".txt", ".md", ".json", ".qrc", ".ui", ".desktop"}
# The words are put together here, so that this file does not find itself.
UNFINISHED = re.compile(r"\b(" + "|".join(("TO" + "DO", "FIX" + "ME", "XX" + "X", "HA" + "CK")) + r")\b|not implemented" + " yet")
SKIPPED = re.compile(r"\bQ(SK" + "IP|EXPECT_FA" + "IL)\\b")
MACHINE_PATH = re.compile(r"(?<![\w.$}/)-])/(wo" + "rk|t" + "mp|ro" + "ot|ho" + "me)/")


def check_line(path, number, line):
    found = []
    if match := UNFINISHED.search(line):
        found.append(Finding(path, number, f"unfinished: {match[0]}"))
    if match := SKIPPED.search(line):
        found.append(Finding(path, number, f"a test that checks nothing: {match[0]}"))
    if match := MACHINE_PATH.search(line):
        found.append(Finding(path, number, f"a path of one machine: {match[0]}"))
    if line != line.rstrip():
        found.append(Finding(path, number, "space at the end of the line, or a foreign line end"))
    if "\t" in line:
        found.append(Finding(path, number, "a tab"))
    return found


def check(tree):
    found = []
    for path in tree.files:
        if pathlib.PurePath(path).suffix not in READ:
            continue
        text = (tree.root / path).read_bytes().decode("utf-8")
        for number, line in enumerate(text.split("\n"), 1):
            found += check_line(path, number, line)
        if text and not text.endswith("\n"):
            found.append(Finding(path, text.count("\n") + 1, "no line end at the end of the file"))
        if path.endswith(".h") and "#pragma once" not in text:
            found.append(Finding(path, 1, "no #pragma once"))
    return found
