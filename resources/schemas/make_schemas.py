#!/usr/bin/env python3
"""JSON schemas (draft 2020-12) of what `--json` of each verb prints.

  make_schemas.py update [SCHEMA...] [--bin FOLDER]   writes them from what the verbs print of the samples, in the ways of RUNS below
  make_schemas.py check [--bin FOLDER]    whether what they print now is what the schemas say; exit code 1 else

A published schema lets members be added: that is no break of the contract. `check` lets none be added without the schema saying so, and finds
those that are gone, or of another type. Members that no run has are not in the schemas.
"""
import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
SAMPLES = HERE.parent / "samples"
MODELS = sorted(str(path) for path in SAMPLES.glob("*/model.onnx"))
CNN = str(SAMPLES / "digits_cnn/model.onnx")
ROWS = str(SAMPLES / "digits_rows/model.onnx")
MIXED = ["--providers", "declared(QNN-HTP),onednn,cpu"]
STAGES = ("inputs", "optimize", "partition", "order", "allocate", "pattern", "inspect")
# schema -> calls; OUT is a folder for what they write. Exit code 1 is a check that failed: its report counts too.
RUNS = {
    "walk": [[verb, model, *options] for verb in STAGES for model in (MODELS if verb == "inspect" else MODELS[:2]) for options in ([], MIXED)]
            + [["inspect", model, "--plan", "onnxruntime"] for model in MODELS] + [["partition", CNN, "--providers", "auto"]]
            + [["partition", CNN, "--kernels"], ["allocate", CNN, "--trace"]],
    "partition_what_if": [["partition", CNN, "--providers", "onednn,cpu", "--what-if", "providers=cpu"]],
    "plan_table": [["order", CNN, "--compare-orders", "--dim", "batch=1"], ["pattern", CNN, "--sweep", "batch=1,2"]],
    "plan_comparison": [[verb, CNN, "--what-if", "plan=onnxruntime", "--dim", "batch=1"] for verb in ("order", "allocate", "pattern")],
    "run": [["run", model, "--random", "1"] for model in MODELS] + [["run", CNN, "--random", "1", "--keep-values", "all"]],
    "bench": [["bench", CNN, "--seconds", "0.05"], ["bench", ROWS, "--seconds", "0.05", *MIXED]],
    "tune": [["tune", CNN, "--seconds", "0.05", "--dry-run"]],
    "tune_list": [["tune", CNN, "--seconds", "0.05"], ["tune", "--list"]],
    "tune_clear": [["tune", CNN, "--seconds", "0.05"], ["tune", "--clear"]],
    "profile": [["profile", model, "--runs", "2"] for model in MODELS] + [["profile", CNN, "--runs", "2", *MIXED], ["profile", CNN, "--runs", "2", "--allocations"]],
    "profile_comparison": [["profile", CNN, "--runs", "2", "--save", f"OUT/{side}.json"] for side in "ab"] + [["profile", "--compare", "OUT/a.json", "OUT/b.json"]],
    "check": [["check", str(SAMPLES)]],
    "compare": [["compare", model, "--a", "providers=cpu", "--b", "providers=onednn,cpu"] for model in MODELS],
    "opinion": [["compare", CNN, "--with", "onnxruntime", "--runs", "5", "--dim", "batch=1", "--random", "1"]],
    "custom_ops": [["custom-ops", "LIBRARY"]],
    "keep_float": [["compare", "OUT/float.onnx", "--other", "OUT/quantised.onnx", "--random", "1", "--goal", "0.0001", "--keep-float", "OUT/mixed.onnx"]],
    "extract": [["extract", CNN, "--providers", "declared(QNN-HTP),cpu", "--refused-by", "declared(QNN-HTP)", "-o", "OUT/refused"]],
    "providers": [["providers"]],
    "operators": [["providers", "--operators"]],
    "cure": [["cure", CNN, "--providers", "declared(QNN-HTP),cpu"], ["cure", CNN, "--providers", "declared(CoreML),cpu"]],
    "advise": [["advise", CNN, "--providers", "declared(QNN-HTP),cpu"], ["advise", ROWS, "--opt-level", "0"]],
    "support": [["advise", model, "--against", "declared(QNN-HTP)", "--against", "declared(TensorRT)", "--against", "declared(NoSuch)"] for model in MODELS[:2]],
    "diff": [["diff", CNN, model] for model in MODELS],
    "context": [["context", CNN, "--providers", "onednn,cpu", "-o", "OUT/context.onnx"]],
    "context_show": [["context", CNN, "--providers", "onednn,cpu", "-o", "OUT/context.onnx"], ["context", "--show", "OUT/context.onnx"]],
    "context_preview": [["context", CNN, "--providers", "onednn,cpu", "--preview"]],
    "context_verify": [["context", CNN, "--providers", "onednn,cpu", "-o", "OUT/context.onnx"], ["context", "--verify", "OUT/context.onnx", "--original", CNN, "--random", "1"]],
    "derived_inputs": [["inputs", model, "--derive"] for model in MODELS],
    "sweep_plan": [["sweep", "plan", "OUT/now.toml"]],
    "sweep_status": [["sweep", "run", "OUT/now.toml"], ["sweep", "status", "OUT/now.toml"]],
    "gate": [["sweep", "run", "OUT/before.toml"], ["gate", "OUT/now.toml", "--baseline", "OUT/before.sweep/results.sqlite"]],
}
# What is swept: the second gives all nodes to the last provider, so that the gate has something to tell.
PLAN = """[[models]]
files = [{models}]
[[configurations]]
name = "it"
providers = {providers}
[[measures]]
kind = "inspect"
[[measures]]
kind = "bench"
seconds = 0.02
"""
PLANS = {"before": '["onednn", "cpu"]', "now": '["cpu"]'}
# Objects whose members are names of the model's or of providers, and not of the report.
MAPS = {"load.metadata", "load.operators", "load.opsets", "resolve.bound_dims", "cells[].figures", "outcomes"}
# Objects that differ with what is installed on a machine.
OPEN = {"providers[].plugin", "jobs[].settings", "jobs[].reference"}
# Schemas whose first calls only make what the last one reads.
PREPARED = {"context_show": 1, "context_verify": 1, "sweep_status": 1, "gate": 1, "tune_list": 1, "tune_clear": 1, "profile_comparison": 2}
TITLES = {"partition_what_if": "What cutaway-cli partition --what-if --json prints",
          "plan_table": "What cutaway-cli order, allocate and pattern --compare-orders or --sweep --json print",
          "plan_comparison": "What cutaway-cli order, allocate and pattern --what-if --json print",
          "tune_list": "What cutaway-cli tune --list --json prints", "tune_clear": "What cutaway-cli tune --clear --json prints",
          "profile_comparison": "What cutaway-cli profile --compare --json prints",
          "keep_float": "What cutaway-cli compare --keep-float --json prints",
          "extract": "What cutaway-cli extract --refused-by --json prints",
          "opinion": "What cutaway-cli compare --with onnxruntime --json prints",
          "custom_ops": "What cutaway-cli custom-ops --json prints",
          "context_preview": "What cutaway-cli context --preview --json prints",
          "context_verify": "What cutaway-cli context --verify --json prints",
          "support": "What cutaway-cli advise --support --json prints",
          "operators": "What cutaway-cli providers --operators --json prints",
          "derived_inputs": "What cutaway-cli inputs --derive --json prints",
          "sweep_plan": "What cutaway-cli sweep plan --json prints",
          "sweep_status": "What cutaway-cli sweep status --json prints",
          "context_show": "What cutaway-cli context --show FILE --json prints",
          "walk": "What inspect, inputs, optimize, partition, order, allocate and pattern print: the stages up to the verb's own"}


def write_pair(folder):
    """A product, and the same between QuantizeLinear and DequantizeLinear: no sample is quantised."""
    from onnx import TensorProto, helper, save

    def write(name, nodes, constants):
        values = [helper.make_tensor_value_info(value, TensorProto.FLOAT, [2, 4]) for value in ("x", "y")]
        graph = helper.make_graph(nodes, "product", values[:1], values[1:], constants)
        save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8), pathlib.Path(folder) / name)

    weights = helper.make_tensor("w", TensorProto.FLOAT, [4, 4], [0.1 * (i % 7) - 0.3 for i in range(16)])
    steps = [helper.make_tensor("scale", TensorProto.FLOAT, [], [0.05]), helper.make_tensor("zero", TensorProto.INT8, [], [0])]
    product = lambda left, right: helper.make_node("MatMul", [left, right], ["y"], name="product")  # noqa: E731
    both = [helper.make_node(op, [value + before, "scale", "zero"], [value + after], name=value + after)
            for value in ("x", "w") for op, before, after in (("QuantizeLinear", "", "_q"), ("DequantizeLinear", "_q", "_d"))]
    write("float.onnx", [product("x", "w")], [weights])
    write("quantised.onnx", [*both, product("x_d", "w_d")], [weights, *steps])


def outputs(schema, cli):
    library = pathlib.Path(cli).parents[1] / "tests/libcutaway_test_operators.so"  # of the unit tests
    with tempfile.TemporaryDirectory() as folder:
        if schema == "keep_float":
            write_pair(folder)
        for name, providers in PLANS.items():
            (pathlib.Path(folder) / f"{name}.toml").write_text(PLAN.format(models=json.dumps(CNN), providers=providers))
        for number, call in enumerate(RUNS[schema]):
            words = [word.replace("OUT", folder).replace("LIBRARY", str(library)) for word in call]
            written = pathlib.Path(folder) / "report.json"
            is_swept = call[0] in ("sweep", "gate") or call[:2] in (["tune", "--list"], ["tune", "--clear"])  # on standard output
            done = subprocess.run([cli, *words, "--json", *([] if is_swept else [str(written)])], capture_output=True, text=True, cwd=folder,
                                  env={**os.environ, "XDG_CACHE_HOME": folder})  # where measured lists are remembered
            if done.returncode not in (0, 1):
                raise SystemExit(f"cutaway-cli {' '.join(words)}: exit code {done.returncode}: {done.stderr.strip()[-300:]}")
            if number < PREPARED.get(schema, 0):
                continue
            yield " ".join(call), json.loads(done.stdout if is_swept else written.read_text(encoding="utf-8"))


# From values to a schema

def type_of(value):
    names = {bool: "boolean", int: "integer", float: "number", str: "string", type(None): "null", list: "array", dict: "object"}
    return names[type(value)]


def merged_types(types):
    return types - {"integer"} if "number" in types else types


class Shape:
    """What has been seen at one place."""

    def __init__(self, place):
        self.place, self.types, self.count, self.members, self.items = place, set(), 0, {}, None

    def see(self, value):
        self.types.add(type_of(value))
        if isinstance(value, list):
            self.items = self.items or Shape(self.place + "[]")
            for each in value:
                self.items.see(each)
        if isinstance(value, dict) and self.place not in OPEN:
            self.count += 1
            for name, each in value.items():
                name = "*" if self.place in MAPS else name
                place = f"{self.place}.{name}" if self.place else name
                shape, seen = self.members.setdefault(name, (Shape(place), [0]))
                seen[0] += 1
                shape.see(each)

    def schema(self):
        types = sorted(merged_types(self.types))
        said = {"type": types[0] if len(types) == 1 else types} if types else {}
        if "array" in types and self.items and self.items.types:
            said["items"] = self.items.schema()
        if "object" in types and self.place in MAPS:
            said["additionalProperties"] = self.members["*"][0].schema() if self.members else {}
        elif "object" in types and self.place not in OPEN:
            said["properties"] = {name: shape.schema() for name, (shape, _) in sorted(self.members.items())}
            said["required"] = sorted(name for name, (_, seen) in self.members.items() if seen[0] == self.count)
        return said


def update(cli, only):
    for name in only or RUNS:
        shape = Shape("")
        for _, value in outputs(name, cli):
            shape.see(value)
        schema = {"$schema": "https://json-schema.org/draft/2020-12/schema", "$id": f"cutaway.{name}",
                  "title": TITLES.get(name, f"What cutaway-cli {name} --json prints"), **shape.schema()}
        (HERE / f"{name}.json").write_text(json.dumps(schema, indent=1, sort_keys=False) + "\n", encoding="utf-8")
        print(f"wrote {name}.json")


# Checking

def fits(value, types):
    types = types if isinstance(types, list) else [types]
    return type_of(value) in types or (type_of(value) == "integer" and "number" in types)


def faults(value, schema, place):
    if "type" in schema and not fits(value, schema["type"]):
        yield f"{place or 'the report'} is {type_of(value)}, not {schema['type']}"
    elif isinstance(value, list):
        for each in value:
            yield from faults(each, schema.get("items", {}), place + "[]")
    elif isinstance(value, dict) and "properties" in schema:
        for name in schema["required"]:
            if name not in value:
                yield f"{place}.{name} is gone"
        for name, each in value.items():
            if name in schema["properties"]:
                yield from faults(each, schema["properties"][name], f"{place}.{name}")
            else:
                yield f"{place}.{name} is in no schema"
    elif isinstance(value, dict):
        for each in value.values():
            yield from faults(each, schema.get("additionalProperties", {}), place + ".*")


def check(cli):
    found, count = [], 0
    for name in RUNS:
        schema = json.loads((HERE / f"{name}.json").read_text(encoding="utf-8"))
        for call, value in outputs(name, cli):
            count += 1
            found += [f"{call}: {fault}" for fault in sorted(set(faults(value, schema, "")))]
            # What is asked for is there: walk.json alone would let each verb leave its own stage out.
            stage = {"order": "schedule", "inputs": "resolve"}.get(call[: call.find(" ")], call[: call.find(" ")])
            if name == "walk" and stage != "inspect" and stage not in value:
                found.append(f"{call}: has no {stage}")
    print("\n".join(found[:40]))
    print(f"{count} reports, {len(found)} faults; to take a new member into the schemas: resources/schemas/make_schemas.py update")
    return 1 if found or not count else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("action", choices=["update", "check"])
    parser.add_argument("schema", nargs="*", help="of update: these alone")
    parser.add_argument("--bin", type=pathlib.Path, default=pathlib.Path(os.environ.get("CUTAWAY_BIN_DIR", HERE.parents[1] / "build/release/bin")))
    arguments = parser.parse_args()
    cli = str(arguments.bin.resolve() / "cutaway-cli")
    return update(cli, arguments.schema) if arguments.action == "update" else check(cli)


if __name__ == "__main__":
    sys.exit(main())
