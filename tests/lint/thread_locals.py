"""Objects of threads are plain data: where memory is short, the C library ends the program when it is to note a destructor."""

import re

from source_files import Finding

DECLARED = re.compile(r"\bthread_local\s+(?P<type>[^;={(]*?)\s*\b\w+\s*(?:[;={(]|$)")
WORDS = re.compile(r"\b(?:constinit|const|volatile|static|inline)\b\s*")
PLAIN = re.compile(r".*\*$|(?:unsigned |signed )?(?:bool|char|short|int|long|float|double|unsigned|(?:std::)?s?size_t|(?:std::)?u?int\d+_t|sig_atomic_t|std::byte)$")
COMMENT = re.compile(r"^\s*//.*|(?<!:)//\s.*")


def check(tree):
    found = []
    for path in tree.cpp():
        if path.startswith("tests/"):
            continue
        text = tree.text(path)
        for number, line in enumerate(tree.lines(path), 1):
            match = DECLARED.search(COMMENT.sub("", line))
            if match is None:
                continue
            kind = WORDS.sub("", match["type"]).strip()
            if not PLAIN.match(kind) and f"static_assert(std::is_trivially_destructible_v<{kind}>" not in text:
                found.append(Finding(path, number, f"a thread_local of type {kind}, which may have a destructor: PerThread (engine/base/per_thread.h), "
                                     f"or static_assert(std::is_trivially_destructible_v<{kind}>)"))
    return found
