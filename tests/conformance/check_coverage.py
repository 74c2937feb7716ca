#!/usr/bin/env python3
"""Every version of every operator of the standard has a case, and so has every element type of its newest version.

Looks through the exported cases (the package's and our own), bodies and functions included. without_cases.tsv names what has
none, with the reason; a line there that has got a case meanwhile is an error as well. Last line: `N of N versions, N of N types`.
"""

import argparse
import pathlib
import sys

import onnx
from onnx import TensorProto, defs

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "models"))
from cutaway_cli import TEST_DATA  # noqa: E402

DOMAINS = ("", "ai.onnx.ml", "ai.onnx.preview.training")
EXCEPTIONS = pathlib.Path(__file__).resolve().parent / "without_cases.tsv"


def standard_name(domain):
    return "" if domain == "ai.onnx" else domain


def element_of(type_proto):
    """The element type of a tensor, of a sequence's items or of an optional's content; None for maps and unknown ones."""
    kind = type_proto.WhichOneof("value")
    if kind == "tensor_type":
        return type_proto.tensor_type.elem_type
    if kind in ("sequence_type", "optional_type"):
        return element_of(getattr(type_proto, kind).elem_type)
    return None


class Coverage:
    def __init__(self):
        self.versions = set()  # (domain, operator, since_version)
        self.types = set()  # (domain, operator, since_version, variable, element type)

    def look(self, model):
        imports = {standard_name(entry.domain): entry.version for entry in model.opset_import}
        self.graph(model.graph, imports, {})
        for function in model.functions:
            self.nodes(function.node, {standard_name(entry.domain): entry.version for entry in function.opset_import}, {})

    def graph(self, graph, imports, outer):
        known = dict(outer)
        for info in [*graph.input, *graph.output, *graph.value_info]:
            known[info.name] = element_of(info.type)
        known.update({tensor.name: tensor.data_type for tensor in graph.initializer})
        self.nodes(graph.node, imports, known)

    def nodes(self, nodes, imports, known):
        for node in nodes:
            domain = standard_name(node.domain)
            for attribute in node.attribute:
                if attribute.HasField("g"):
                    self.graph(attribute.g, imports, known)
            if domain not in DOMAINS or domain not in imports:
                continue
            try:
                schema = defs.get_schema(node.op_type, imports[domain], domain)
            except defs.SchemaError:
                continue
            key = (domain, schema.name, schema.since_version)
            self.versions.add(key)
            for values, formals in ((node.input, schema.inputs), (node.output, schema.outputs)):
                for slot, name in enumerate(values):
                    formal = formals[min(slot, len(formals) - 1)]
                    if known.get(name):
                        self.types.add((*key, formal.type_str, known[name]))


def wanted():
    """All versions, and the tensor element types of the newest ones."""
    versions, newest = set(), {}
    for schema in defs.get_all_schemas_with_history():
        if schema.domain not in DOMAINS or schema.deprecated:
            continue
        versions.add((schema.domain, schema.name, schema.since_version))
        held = newest.get((schema.domain, schema.name))
        if held is None or held.since_version < schema.since_version:
            newest[schema.domain, schema.name] = schema
    types = set()
    for (domain, name), schema in newest.items():
        for constraint in schema.type_constraints:
            for text in constraint.allowed_type_strs:
                if text.startswith("tensor("):
                    element = TensorProto.DataType.Value(text[len("tensor(") : -1].upper())
                    types.add((domain, name, schema.since_version, constraint.type_param_str, element))
    return versions, types


def line_of(key):
    text = [key[0] or "ai.onnx", key[1], str(key[2])]
    if len(key) > 3:
        text += [key[3], TensorProto.DataType.Name(key[4]).lower()]
    return " ".join(text)


def exceptions():
    """Keys written out as `domain operator version [variable type]`, '*' for any of the last ones."""
    lines = [line.split("\t") for line in EXCEPTIONS.read_text().splitlines() if line and not line.startswith("#")]
    return [key for key, _ in lines]


def excepted(line, patterns):
    return next((pattern for pattern in patterns if line == pattern or (pattern.endswith("*") and line.startswith(pattern[:-1]))), None)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--cases", type=pathlib.Path, default=TEST_DATA / "backend")
    arguments = parser.parse_args()
    coverage = Coverage()
    for path in sorted(arguments.cases.rglob("model.onnx")):
        coverage.look(onnx.load(path, load_external_data=False))
    patterns, used, missing = exceptions(), set(), []
    versions, types = wanted()
    for key in sorted(versions - coverage.versions) + sorted(types - coverage.types):
        line = line_of(key)
        pattern = excepted(line, patterns)
        used.add(pattern)
        if pattern is None:
            missing.append(line)
    stale = [pattern for pattern in patterns if pattern not in used]
    for line in missing:
        print(f"no case: {line}")
    for pattern in stale:
        print(f"has a case, but is in {EXCEPTIONS.name}: {pattern}")
    print(f"{len(versions & coverage.versions)} of {len(versions)} versions, {len(types & coverage.types)} of {len(types)} types")
    return 1 if missing or stale else 0


if __name__ == "__main__":
    sys.exit(main())
