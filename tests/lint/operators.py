"""How often the name of an elementwise operator may stand in the code: in its row, in its schema, and in one file of each provider.

Everything else asks the row (engine/operators/traits) for the operator's function, relation or parameters, so that an
operator is added in one place. What counts is a literal that is the name, or a list of names; not text that has it in a sentence.
"""

import collections
import re

from source_files import Finding

ROWS = "engine/operators/traits/"
ROW = re.compile(r'\b(?:elementwise|activation)\(\s*"(\w+)"')
SCHEMAS = "engine/schema/own/"
COMMENT = re.compile(r"//[^\n]*")
LITERAL = re.compile(r'"((?:[A-Z]\w*)(?: [A-Z]\w*)* ?)"')  # a name, or a list of names

# Where a name is what is made or read, not a list of operators: (pattern of paths, names or None for all, why).
EXCEPTIONS = [
    ("engine/schema/attribute_ranges.cpp", {"Celu"}, "the range of an attribute is part of its schema"),
    ("engine/stages/optimize/gradient/", None, "derivatives are written in operators"),
    ("engine/study/cure/variants/equivalent_forms.cpp", None, "forms of operators are written in other operators"),
    ("engine/study/cure/variants/spelled_gelu.cpp", {"Erf", "Gelu"}, "one form of an operator is written in another"),
    ("app/second_opinion/other_precision.cpp", {"Cast"}, "casts are changed as the types of the model are"),
    ("engine/operators/recurrent.cpp", {"Sigmoid", "Tanh"}, "what recurrent layers apply where a node does not say"),
    (r"(engine|providers)/", {"Cast"}, "casts are made, looked through and taken out as copies are"),
    ("providers/cpu/kernels/activation/contrib_gelu.cpp", {"Gelu"}, "com.microsoft's is another operator"),
    ("providers/cpu/kernels/activation/withdrawn.cpp", {"ThresholdedRelu"}, "the withdrawn one is another operator"),
    ("providers/cpu/kernels/elementwise/integer_erf.cpp", {"Erf"}, "of integers, withdrawn with opset 13"),
    ("app/second_opinion/optimizer_passes.cpp", None, "what ONNX Runtime's passes take and write is a fact about them"),
    ("providers/cpu/rewrite/fuse_swish.cpp", {"QuickGelu"}, "what x times its own Sigmoid is written as"),
    ("providers/cpu/rewrite/fuse_hard_swish.cpp", {"HardSwish"}, "what x times a ramp of itself is written as"),
    ("providers/cpu/rewrite/fuse_gelu.cpp", {"Gelu"}, "what Gelu in other operators is written as"),
    ("providers/cuda/rewrite/fuse_product.cpp", {"Gelu"}, "a name of FusedProduct's activations"),
]


def excepted(path, name):
    return any(re.search(pattern, path) and (names is None or name in names) for pattern, names, _ in EXCEPTIONS)


def elementwise(tree):
    """Names of the operators of one operand that have a row."""
    return {match[1] for path in tree.cpp() if path.startswith(ROWS) for match in ROW.finditer(tree.text(path))}


def owner(path):
    """The provider that a file belongs to; its folder otherwise."""
    parts = path.split("/")
    return "/".join(parts[:2]) if parts[0] == "providers" else path


def places(tree):
    """operator -> owner -> [(path, line)], rows, schemas and exceptions left out."""
    names = elementwise(tree)
    found = collections.defaultdict(lambda: collections.defaultdict(list))
    for path in tree.cpp():
        if not path.startswith(("engine/", "providers/", "ui/", "app/")) or path.startswith((ROWS, SCHEMAS)):
            continue
        seen = set()
        for number, line in enumerate(tree.lines(path), 1):
            for match in LITERAL.finditer(COMMENT.sub("", line)):
                for name in names.intersection(match[1].split()) - seen:
                    if not excepted(path, name):
                        seen.add(name)
                        found[name][owner(path)].append((path, number))
    return found


def check(tree):
    found = []
    for name, owners in places(tree).items():
        for where, files in owners.items():
            allowed = 1 if where.startswith("providers/") else 0
            kernels = sorted(files, key=lambda place: "/kernels/" not in place[0] and "/operators/" not in place[0])
            for path, line in kernels[allowed:]:
                reason = f"{where} names it in {kernels[0][0]} already" if allowed else "only its row and its schema do"
                found.append(Finding(path, line, f'"{name}": ask the operator\'s row ({ROWS}); {reason}'))
    return found
