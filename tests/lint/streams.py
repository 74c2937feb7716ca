"""Standard streams of texts and files leave out what they have no memory for, and go on: a trace would lack its end, a file would look missing."""

import re

from source_files import Finding

STREAM = re.compile(r"\bstd::(?:basic_)?[io]?(?:string|f)stream\b")
COMMENT = re.compile(r"^\s*//.*|(?<!:)//\s.*")
CHECKED = ("engine/", "providers/", "app/", "ui/")
# Modules that link nothing of ours but single sources.
LEFT_OUT = ("providers/cuda/module/", "app/library/example/")
MENDED = "engine/base/text_stream.h"


def check(tree):
    return [Finding(path, number, f"{match[0]} takes short memory for an end: TextStream, fileBegin(), readTextFile(), or views of a text")
            for path in tree.cpp() if path.startswith(CHECKED) and not path.startswith(LEFT_OUT) and path != MENDED
            for number, line in enumerate(tree.lines(path), 1) if (match := STREAM.search(COMMENT.sub("", line)))]
