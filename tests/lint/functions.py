"""Finds function bodies in C++ text, well enough to measure their length.

No parser: comments, strings, preprocessor lines and macros alone on a line are blanked, then braces are followed. What
stands before an opening brace tells what it opens: a namespace or class (looked into), a function (measured, not looked
into: its lambdas count as part of it), or an initialiser (skipped).
"""

import dataclasses
import re

BLANKED = re.compile(
    r'//[^\n]*|/\*.*?\*/|R"(?P<mark>[^\s()\\]{0,16})\(.*?\)(?P=mark)"'
    r"|\"(?:\\.|[^\"\\\n])*\"|(?<![0-9a-zA-Z_])'(?:\\.|[^'\\\n])*'"
    r"|^[ \t]*#(?:\\\n|[^\n])*"
    r"|^[ \t]*[A-Z][A-Z0-9_]+\([^()\n]*\)[ \t]*$", re.DOTALL | re.MULTILINE)
SCOPE = re.compile(r"(?:^|\s)(namespace|class|struct|union|enum|extern)\b")
ACCESS = re.compile(r"\s*(?:public|protected|private|signals|Q_SIGNALS)(?:\s+slots)?\s*:(?!:)")
NAME = re.compile(r"(~?\w+|operator\s*[^\s(]{1,3}|operator\(\))\s*\(")


@dataclasses.dataclass(frozen=True)
class Function:
    name: str
    line: int    # where its head begins
    length: int  # lines from there to the closing brace, both counted


def blank(text):
    """`text` with everything that is not code replaced by spaces; line breaks stay."""
    return BLANKED.sub(lambda match: re.sub(r"[^\n]", " ", match[0]), text)


def closing_brace(code, opening):
    depth = 0
    for index in range(opening, len(code)):
        if code[index] == "{":
            depth += 1
        elif code[index] == "}":
            depth -= 1
            if depth == 0:
                return index
    return len(code) - 1


def without_templates(head):
    """`head` without a leading template<...>, whose parameters say class and typename too."""
    while (match := re.match(r"\s*template\s*<", head)):
        depth, index = 1, match.end()
        while index < len(head) and depth:
            depth += {"<": 1, ">": -1}.get(head[index], 0)
            index += 1
        head = head[index:]
    return head


def without_access(head):
    while match := ACCESS.match(head):
        head = head[match.end():]
    return head


def kind_of(head):
    """What a brace after `head` opens: "scope", "function", "member" (of a constructor's list, a default argument) or
    "data"."""
    head = without_templates(without_access(head))
    if head.count("(") > head.count(")"):
        return "member"
    head = re.sub(r"\[\[.*?\]\]", " ", head)
    before_call = head.split("(")[0]
    if SCOPE.search(before_call) and not re.search(r"\)\s*(const|noexcept|override|final|->.*)?\s*$", head):
        return "scope"
    if re.search(r"(?<![=!<>])=(?!=)", before_call) and "operator" not in before_call:
        return "function" if re.search(r"=\s*\[", head) else "data"
    if "(" not in head:
        return "data"
    if re.search(r"\)\s*(noexcept\s*)?:(?!:)", head) and re.search(r"[\w>]\s*$", head) and not head.rstrip().endswith(")"):
        return "member"
    return "function"


def functions(text):
    code = blank(text)
    found, start, index = [], 0, 0
    while index < len(code):
        character = code[index]
        if character in ";}":
            start = index + 1
        elif character == "{":
            head = code[start:index]
            kind = kind_of(head)
            if kind == "scope":
                start = index + 1
            else:
                end = closing_brace(code, index)
                if kind == "function":
                    found.append(measured(code, start, index, end))
                index = end
                if kind != "member":
                    start = end + 1
        index += 1
    return found


def measured(code, start, opening, end):
    head = without_access(code[start:opening]).lstrip()
    first = opening - len(head)
    names = NAME.search(without_templates(head))
    line = code.count("\n", 0, first) + 1
    return Function(names[1] if names else "lambda", line, code.count("\n", first, end) + 1)
