"""One name, one definition: no type of the same qualified name twice, and no function body of the same signature.

A second definition of a type with another layout is undefined behaviour that no compiler tells; of a function, which one
a program gets depends on the order in which its libraries are linked, and of an inline function in a header on what the
linker kept. Types and functions in anonymous namespaces and inside functions are their file's own, and so are static
functions; templates are not compared, whose signatures may differ by their constraints alone. Each folder of tests is a
program of its own, so its names are compared with those of the sources and among themselves.
"""

import collections
import re

from functions import SCOPE, blank, closing_brace, kind_of, without_access, without_templates
from source_files import Finding

TYPE = re.compile(r"(?:struct|class|union|enum(?:\s+(?:class|struct))?)\s+(?:\[\[[^\]]*\]\]\s*)?(?:[A-Z_]+\s+)?([A-Za-z_]\w*(?:::\w+)*)"
                  r"(?:<[^{]*>)?\s*(?:final\s*)?(?::[^:].*)?$", re.DOTALL)
NAMESPACE = re.compile(r"\b(?:inline\s+)?namespace(?:\s+([\w:]+))?\s*$")
SIGNATURE = re.compile(r"([A-Za-z_]\w*(?:::[A-Za-z_~]\w*)*)\s*\(")
# Files of which a program has one: a build with cuDNN or without; device code as text for NVRTC, beside what the C++ compiler gets.
ALTERNATIVES = {"providers/cuda/module/without_cudnn.cpp", "providers/cuda/chain/device_prelude.h"}
OWN = re.compile(r"(^|\s)(static|template|friend|extern|operator)\b|\b(TEST|Q_\w+|QTEST\w*)\b")
DEPTH = {"<": 1, ">": -1, "(": 1, ")": -1, "{": 1, "}": -1, "[": 1, "]": -1}


def folded(text):
    return re.sub(r"\s+", " ", re.sub(r"\[\[.*?\]\]", " ", text)).strip()


def parameters_of(head, opening):
    """The types between the brackets at `opening`: names of parameters and defaults left out, so far as text tells."""
    depth, parts, part = 0, [], ""
    for before, character in zip(head[opening - 1:], head[opening:]):
        depth += 0 if before + character == "->" else DEPTH.get(character, 0)
        if depth == 0:
            break
        if character == "," and depth == 1:
            parts.append(part)
            part = ""
        elif not (character == "(" and depth == 1):
            part += character
    parts.append(part)
    types = (re.sub(r"(?<![=!<>])=(?!=).*", "", each, flags=re.DOTALL) for each in parts)
    return ",".join(re.sub(r"(?<=[\w>&*\s])\b[a-z]\w*\s*$", "", folded(each)).replace(" ", "") for each in types)


def definitions(text):
    """(qualified name, line) of what `text` defines for everybody."""
    code = blank(text)
    found = []

    def walk(begin, end, scope):
        start, index = begin, begin
        while index < end:
            character = code[index]
            if character in ";}":
                start = index + 1
            elif character == "{":
                head = code[start:index]
                close = closing_brace(code, index)
                line = code.count("\n", 0, index) + 1
                plain = folded(without_templates(without_access(head)))
                kind = kind_of(head)
                if kind == "scope":
                    inner = None
                    if namespace := NAMESPACE.search(plain):
                        if scope is not None and namespace[1]:
                            inner = scope + namespace[1].split("::")
                    elif (named := TYPE.search(plain)) and scope is not None:
                        if "template" not in folded(head).split("(")[0]:
                            found.append(("::".join(scope + [named[1]]), line))
                    if inner is not None:
                        walk(index + 1, close, inner)
                    index = close
                    start = close + 1
                else:
                    if kind == "function" and scope is not None and not OWN.search(folded(head).split("(")[0]):
                        name = next((each for each in SIGNATURE.finditer(plain)
                                     if plain.count("<", 0, each.start()) == plain.count(">", 0, each.start())), None)
                        if name and name[1] != "main":
                            signature = f"{name[1]}({parameters_of(plain, name.end() - 1)})"
                            found.append(("::".join(scope + [signature]), line))
                    index = close
                    if kind != "member":
                        start = close + 1
            index += 1

    walk(0, len(code), [])
    return found


def program_of(path):
    """Sources are one program together; a folder of tests is one, beside them."""
    return path.rsplit("/", 1)[0] if path.startswith("tests/") else ""


def check(tree):
    places = collections.defaultdict(list)
    for path in tree.cpp():
        if path in ALTERNATIVES:
            continue
        for name, line in definitions(tree.text(path)):
            places[name].append((path, line))
    found = []
    for name, where in places.items():
        for number, (path, line) in enumerate(where):
            others = [other for other, _ in where[:number] if other != path and program_of(other) in {"", program_of(path)}]
            if others:
                found.append(Finding(path, line, f"{name} is defined in {others[0]} too"))
    return found
