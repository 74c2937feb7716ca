"""How long a file and a function may be. Above these stops a piece has more than one purpose and is to be split."""

import re

from functions import functions
from source_files import Finding

SOURCE_LINES, HEADER_LINES, README_LINES = 600, 250, 40
FUNCTION_LINES, KERNEL_FUNCTION_LINES = 80, 150
KERNEL = re.compile(r"^providers/[^/]+/(.*/)?kernels/")


def check(tree):
    found = []
    for path in tree.cpp():
        text = tree.text(path)
        limit = HEADER_LINES if path.endswith((".h", ".hpp", ".cuh")) else SOURCE_LINES
        length = text.count("\n")
        if length > limit:
            found.append(Finding(path, limit, f"{length} lines, at most {limit}"))
        limit = KERNEL_FUNCTION_LINES if KERNEL.match(path) else FUNCTION_LINES
        found += [Finding(path, function.line, f"{function.name}() has {function.length} lines, at most {limit}")
                  for function in functions(text) if function.length > limit]
    for path in tree.files:
        if path.endswith("README.md") and (length := len(tree.lines(path))) > README_LINES:
            found.append(Finding(path, README_LINES, f"{length} lines, at most {README_LINES}"))
    return found
