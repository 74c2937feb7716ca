"""What every message of the programs keeps, whoever caused it: rules that each campaign holds its messages to.

    for fault in message_faults(outcome.stderr, outcome.code): ...
"""

import re

from cutaway_cli import BAD_MODEL, DONE

LONGEST = 1024  # of a line
NOT_FOR_PEOPLE = ("std::", "bad_alloc", "json.exception", "basic_string", "Unknown error", "google::protobuf", "_inlfunc_", "QStandardPaths")
CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f]")


def message_faults(said, code):
    """`said`: standard error, as bytes or as text; `code`: the exit code. Yields what is wrong with it."""
    if isinstance(said, bytes):
        try:
            said = said.decode("utf-8")
        except UnicodeDecodeError as error:
            yield f"no UTF-8: {error}"
            said = said.decode("utf-8", errors="replace")
    if code not in (DONE, 1) and not said.strip():
        yield f"exit code {code}, and not a word"
    if CONTROL.search(said):
        yield f"a control character: {said.strip()[-200:]!r}"
    for line in said.splitlines():
        if len(line.encode()) > LONGEST:
            yield f"a line of {len(line.encode())} bytes: {line[:200]}"
        yield from (f"'{words}' is not for people: {line[:300]}" for words in NOT_FOR_PEOPLE if words in line)
    if code == BAD_MODEL and "file '" not in said:
        yield f"a bad model, and no file is named: {said.strip()[-300:]}"
