"""How long a file and a function may be. Above these stops a piece has more than one purpose and is to be split."""

import re

from functions import functions
from source_files import Finding

SOURCE_LINES, HEADER_LINES = 600, 250
# Inner loops of kernels, the rows of a data-driven test and the operators declared by a schema file are tables.
FUNCTION_LINES, TABLE_LINES = 80, 150
KERNEL = re.compile(r"^providers/[^/]+/(.*/)?kernels/")
OPERATOR_TABLES = "engine/schema/own/"


def function_limit(path, name):
    is_table = (KERNEL.match(path) or (path.startswith("tests/") and name.endswith("_data"))
                or (path.startswith(OPERATOR_TABLES) and name == "table"))
    return TABLE_LINES if is_table else FUNCTION_LINES


def check(tree):
    found = []
    for path in tree.cpp():
        text = tree.text(path)
        limit = HEADER_LINES if path.endswith((".h", ".hpp", ".cuh")) else SOURCE_LINES
        length = text.count("\n")
        if length > limit:
            found.append(Finding(path, limit, f"{length} lines, at most {limit}"))
        for function in functions(text):
            limit = function_limit(path, function.name)
            if function.length > limit:
                found.append(Finding(path, function.line, f"{function.name}() has {function.length} lines, at most {limit}"))
    return found
