#!/usr/bin/env python3
"""The backend cases on other providers than cpu: same expected outputs, whoever takes which node.

Each --providers list (such as "openvino,cpu") runs every case of every kind. A case passes, or it is listed with its reason in <provider>_differs.tsv (case<TAB>reason<TAB>when), because
the backend itself gives another answer. Anything else fails, and so does a listed case that passes, and a provider that took no node at all.
`when` names the processors on which it differs: empty (all), "with FACT" or "without FACT" (FACTS below), or "either" where no fact of the processor decides it; only such a case may pass or not.
ONEDNN_MAX_CPU_ISA (AVX2, AVX512_CORE, AVX512_CORE_VNNI ...) makes the backends and this script take the processor for a smaller one, so that the other rows can be tried too.
Prints the nodes that each provider really took, and last `N passed, N failed, N listed`. Exit code 77: a provider cannot be used here.
"""

import argparse
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "models"))
from cutaway_cli import TEST_DATA, default_cli  # noqa: E402

HERE = pathlib.Path(__file__).resolve().parent
KINDS = ("node", "own", "simple", "pytorch-operator", "pytorch-converted", "light")
DEFAULT_LISTS = ("onednn{claim_all=1},cpu", "openvino{minimum_nodes=1,isolate=0},cpu", "declared(TensorRT),cpu", "cuda{backend=emulator,strict=1},cpu")
LEFT_OUT = 77
# What a row may ask of the processor: the words of /proc/cpuinfo, any of them. And those that remain under ONEDNN_MAX_CPU_ISA.
FACTS = {"avx512": {"avx512f"}, "vnni": {"avx512_vnni", "avx_vnni"}}
SMALLER = {"AVX2": set(), "AVX2_VNNI": {"avx_vnni"}, "AVX512_CORE": {"avx512f"}, "AVX512_CORE_VNNI": {"avx512f", "avx512_vnni"}}


def first_name(providers):
    """The provider's name in front of its argument and options: "openvino" of "openvino{device=CPU},cpu"."""
    return providers.replace("{", ",").replace("(", ",").split(",")[0].strip()


def why_not_usable(cli, name):
    report = json.loads(subprocess.run([cli, "providers", "--json"], capture_output=True, text=True, check=True).stdout)
    for provider in report["providers"]:
        if provider["name"] == name:
            return "" if provider["usable"] else provider["reason"]
    return "it is not built in"


def is_emulated(providers):
    """cuda{backend=emulator} runs the device code on the CPU: no GPU is needed."""
    return "backend=emulator" in providers.split("},")[0]


def processor_flags():
    """The words of /proc/cpuinfo, less those that ONEDNN_MAX_CPU_ISA hides from the backends."""
    flags = re.search(r"^flags\s*:(.*)$", pathlib.Path("/proc/cpuinfo").read_text(), re.MULTILINE)
    words = set(flags[1].split()) if flags else set()
    return words & SMALLER.get(os.environ.get("ONEDNN_MAX_CPU_ISA", "").upper(), words)


def differs_here(when, flags):
    """Whether a row's case differs on a processor with those flags: True, False, or None where that is open."""
    if when == "either":
        return None
    word, _, fact = when.partition(" ")
    has = bool(FACTS[fact] & flags) if when else True
    return has if word in ("", "with") else not has


def listed_cases(name):
    """case -> (reason, when) of the provider's list."""
    path = HERE / f"{name}_differs.tsv"
    listed = {}
    for number, line in enumerate(path.read_text().splitlines() if path.exists() else [], 1):
        if not line.strip() or line.startswith("#"):
            continue
        case, reason, when = (line + "\t\t").split("\t")[:3]
        known = when in ("", "either") or (when.partition(" ")[0] in ("with", "without") and when.partition(" ")[2] in FACTS)
        if not reason.strip() or case in listed or not known:
            raise SystemExit(f"{path.name}:{number}: each line is case<TAB>reason<TAB>when, each case once; when: empty, either, or with|without {'|'.join(FACTS)}")
        listed[case] = (reason, when)
    return listed


def run_check(cli, providers, kinds, jobs):
    folders = [str(TEST_DATA / "backend" / kind) for kind in kinds]
    with tempfile.TemporaryDirectory() as scratch:
        report = pathlib.Path(scratch) / "report.json"
        command = [cli, "check", *folders, "--providers", providers, "--jobs", str(jobs), "--timeout", "120", "--json", report]
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False)
        if not report.exists():
            raise SystemExit(f"{providers}: exit code {done.returncode}: {done.stderr.strip()[-500:]}")
        return json.loads(report.read_text())


def names_of(folder):
    """What a list may call a case: its folder's name, or where several have one of that name the path below backend/."""
    path = pathlib.Path(folder).resolve()
    return {path.name, str(path.relative_to((TEST_DATA / "backend").resolve()))}


def all_names(kinds):
    return {name for kind in kinds for path in (TEST_DATA / "backend" / kind).rglob("model.onnx") for name in names_of(path.parent)}


def check_list(cli, providers, kinds, jobs):
    cases, flags = all_names(kinds), processor_flags()
    written = listed_cases(first_name(providers))
    listed = {case: reason for case, (reason, when) in written.items() if case in cases and differs_here(when, flags) is not False}
    must_differ = [case for case in sorted(listed) if differs_here(written[case][1], flags)]
    report = run_check(cli, providers, kinds, jobs)
    failing = {name for failure in report["failures"] for name in names_of(failure["case"])}
    wrong = [f"{failure['case']}: {failure['message']}" for failure in report["failures"] if not names_of(failure["case"]) & set(listed)]
    wrong += [f"{case}: is listed ({listed[case]}) and passes" for case in must_differ if case not in failing]
    if set(kinds) == set(KINDS):
        wrong += [f"{case}: is listed, and there is no such case" for case in sorted(set(written) - cases)]
    taken = report["claimed_nodes"]
    if not any(nodes for provider, nodes in taken.items() if provider != "cpu"):
        wrong.append("no provider but cpu took a node")
    print("\n".join(wrong))
    print(f"{providers}: nodes taken: " + ", ".join(f"{provider} {nodes}" for provider, nodes in sorted(taken.items())))
    print(f"{report['passed']} passed, {len(wrong)} failed, {len(listed)} listed", flush=True)
    return not wrong and report["passed"] > 0


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--cli", type=pathlib.Path, default=default_cli())
    parser.add_argument("--providers", action="append", help=f"order of priority; default: {'; '.join(DEFAULT_LISTS)}")
    parser.add_argument("--kinds", nargs="+", choices=KINDS, default=KINDS)
    parser.add_argument("--jobs", type=int, default=2)
    arguments = parser.parse_args()
    codes = []
    for providers in arguments.providers or DEFAULT_LISTS:
        reason = "" if is_emulated(providers) else why_not_usable(arguments.cli, first_name(providers))
        if reason:
            print(f"{providers}: left out: {reason}")
            codes.append(LEFT_OUT)
        else:
            codes.append(0 if check_list(arguments.cli, providers, arguments.kinds, arguments.jobs) else 1)
    return max(codes, key=lambda code: (code == 1, code))


if __name__ == "__main__":
    sys.exit(main())
