"""Sentences of the engine reach the window through told(), which knows every option that such a sentence names."""

import re

from source_files import Finding

TABLE = "ui/document/window_words.cpp"
# What reads a sentence's member, or an error, without told().
UNTOLD = re.compile(r"\btext\((?:[\w.*\[\]]|->|\(\))*(?:\.|->)(?:reason|remedy|problem|message)\)|\btext\(describe\(|\.text = &(?!Problem::)\w+::(?:reason|remedy|problem|message)\b")
NOT_SHOWN = ("ui/report/", "ui/base/", "ui/canvas/")  # files, and what knows no walk
LITERAL = re.compile(r'"((?:[^"\\\n]|\\.)*)"')
COMMENT = re.compile(r"^\s*//.*|(?<!:)//\s.*")
OPTION = re.compile(r"(?<![\w-])--[a-z][a-z-]*")
ROW = re.compile(r'\{\s*(?:"((?:[^"\\\n]|\\.)*)"|session::(\w+))\s*,')
# Of other programs, told before there is a window, or beside the window's own way.
OTHERS = {"--providers": "packaging/setup.sh", "--log-file": "read at the start", "--add-output": "'in the window under Edit or with ...'"}


def sentences(tree, path):
    """The literals that are more than one word, with their lines."""
    for number, line in enumerate(tree.lines(path), 1):
        for match in LITERAL.finditer(COMMENT.sub("", line)):
            if " " in match[1]:
                yield number, match[1]


def check(tree):
    if TABLE not in tree.files:
        return []
    found = []
    known = set(OTHERS)
    for literal, constant in ROW.findall(tree.text(TABLE)):
        known |= set(OPTION.findall(literal))
        for path in tree.cpp():
            if constant and path.startswith("engine/session/") and f"* {constant} = " in tree.text(path):
                known |= set(OPTION.findall(tree.text(path)))
    for path in tree.cpp():
        if path.startswith("ui/") and not path.startswith(NOT_SHOWN):
            found += [Finding(path, number, "a sentence of the engine: told(), not text()")
                      for number, line in enumerate(tree.lines(path), 1) if UNTOLD.search(line)]
        if path.startswith(("engine/", "providers/")):
            found += [Finding(path, number, f"{option} has no row in {TABLE}, so the window names an option of the command line")
                      for number, literal in sentences(tree, path) for option in OPTION.findall(literal) if option not in known]
    return found
