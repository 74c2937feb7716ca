#!/usr/bin/env python3
"""Where cuda,cpu puts generated models, GPU or not: shape arithmetic stays on the host, and nothing is copied but what the caller feeds and reads.

A node may be on cpu only because its operands lie there (a placement rule of ours), never because cuda has no kernel; the copies and their bytes are those of the table.
"""

import json
import pathlib
import sys
import tempfile

from cutaway_cli import DONE, REPOSITORY, default_cli, run_cli

# Model, its parameters, dims, at least so many nodes on cuda, nodes on cpu (None: some), (values copied, bytes as far as they are known).
TABLE = [
    ("bert", ["layers=1", "hidden=64", "heads=2", "ffn=128", "vocab=100"], ["batch=2", "sequence=16"], 20, 0, (4, 3 * 2 * 16 * 8 + 2 * 16 * 64 * 4)),
    # input_ids, attention_mask, past key and value; logits, present key and value.
    ("gpt2", ["layers=1", "hidden=64", "heads=2", "vocab=100"], ["batch=1", "sequence=1", "past_sequence=7", "total_sequence=8"], 25, 0,
     (7, 8 + 8 * 8 + 2 * 2 * 7 * 32 * 4 + 100 * 4 + 2 * 2 * 8 * 32 * 4)),
    # Dims that only the run knows: then there is shape arithmetic.
    ("gpt2", ["layers=1", "hidden=64", "heads=2", "vocab=100"], [], 25, None, (7, 0)),
    ("qdq_cnn", ["image=64", "width=16", "classes=10"], ["batch=1"], 50, 0, (2, 3 * 64 * 64 * 4 + 10 * 4)),
    ("resnet50", ["image=64", "width=16", "classes=10"], ["batch=1"], 50, 0, (2, 3 * 64 * 64 * 4 + 10 * 4)),
]


def check(folder, name, parameters, dims, least, on_host, copied):
    made = run_cli(sys.executable, REPOSITORY / "tests" / "models" / "make_models.py", "--out", folder, name, *parameters)
    if made.code != DONE:
        return [f"{name} cannot be made: {made.reason}"]
    flags = [word for dim in dims for word in ("--dim", dim)]
    said = run_cli(default_cli(), "partition", folder / f"{name}.onnx", "--providers", "cuda,cpu", *flags, "--json")
    if said.code != DONE:
        return [f"{name}: {said.reason}"]
    partition = json.loads(said.stdout)["partition"]
    wrong = []
    places = [node["provider"] for node in partition["nodes"]]
    if places.count("cuda") < least:
        wrong.append(f"{places.count('cuda')} nodes on cuda, at least {least} are expected")
    if places.count("cpu") != on_host if on_host is not None else places.count("cpu") == 0:
        wrong.append(f"{places.count('cpu')} nodes on cpu instead of {'some' if on_host is None else on_host}")
    for node in partition["nodes"]:
        answer = next((answer for answer in node["answers"] if answer["provider"] == "cuda"), {})
        if node["provider"] == "cpu" and answer.get("cause") != "placement":
            wrong.append(f"node {node['node']} is on cpu: {answer.get('reason')}")
    seen = (len(partition["copies"]), sum(max(copy["size_bytes"], 0) for copy in partition["copies"]))
    if seen != copied:
        wrong.append(f"{seen[0]} copies of {seen[1]} bytes instead of {copied[0]} of {copied[1]}: " + ", ".join(f"{copy['value']} ({copy['cause']})" for copy in partition["copies"]))
    print(f"{name}: {places.count('cuda')} nodes on cuda, {places.count('cpu')} on cpu, {seen[0]} copies of {seen[1]} bytes")
    return [f"{name}: {line}" for line in wrong]


def main():
    with tempfile.TemporaryDirectory() as folder:
        wrong = [line for row in TABLE for line in check(pathlib.Path(folder), *row)]
    for line in wrong:
        print("FAIL", line)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
