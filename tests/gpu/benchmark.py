"""Figures: this program on the device against PyTorch eager and torch.compile with CUDA graphs, on the same graphs, weights, inputs and shapes, in one run; and against what the device could do at best.

Compared is the whole run, inputs from host memory and outputs back to it (`host_ms`), which is what cutaway-cli bench measures; PyTorch's time on the device alone stands beside it.
"""

import json
import math
import pathlib
import sys
import time

import numpy as np
from commands import read_json, run
from generated import make_model
from workloads import WORKLOADS, make_inputs, peaks_of

HERE = pathlib.Path(__file__).resolve().parent
TOLERANCE = {False: 2e-2, True: 6e-2}  # of the largest value: TF32 and fp16 round at other places in each program


def save_inputs(place, work, half):
    folder = place.work / "inputs" / f"{work.label.replace(' ', '-')}{'-half' if half else ''}"
    folder.mkdir(parents=True, exist_ok=True)
    inputs = make_inputs(work, half)
    for name, array in inputs.items():
        np.save(folder / f"{name}.npy", array)
    np.savez(folder / "all.npz", **inputs)
    return folder, inputs


def ours(place, options, work, model, folder, inputs):
    feeds = [part for name in inputs for part in ("--input", f"{name}={folder / name}.npy")]
    dims = [part for name, value in work.dims for part in ("--dim", f"{name}={value}")]
    common = [model, "--providers", options.providers, *dims, *feeds]
    report = folder / "bench.json"
    report.unlink(missing_ok=True)
    done = run([place.cli, "bench", *common, "--seconds", options.seconds, "--warmup", 10, "--json", report], options.limit, place.environment)
    answer = {"command": done.record(), **read_json(report)}
    for device in answer.get("device_memory") or []:
        device.pop("samples", None)
    saved = run([place.cli, "run", *common, "--save-outputs", folder / "outputs", "--format", "npy"], options.limit, place.environment)
    if saved.code != 0:
        answer["outputs"] = saved.record()
    profile = folder / "profile.json"
    profile.unlink(missing_ok=True)
    run([place.cli, "profile", *common, "--runs", 5, "--json", profile], options.limit, place.environment)
    answer["profile"] = summary(read_json(profile))
    return answer


def summary(profile):
    """The slowest nodes by name, nodes by provider, and how long the device's lanes were busy: what a reader asks first."""
    run_part, graphs = profile.get("run") or {}, profile.get("partitioned_graphs") or []
    runs, by_provider, times = max(1, run_part.get("runs", 1)), {}, []
    for node in run_part.get("nodes") or []:
        by_provider[node["provider"]] = by_provider.get(node["provider"], 0) + 1
        listed = graphs[node["graph"]]["nodes"] if node["graph"] < len(graphs) else []
        names = listed[node["node"]] if node["node"] < len(listed) else {}
        times.append({"name": names.get("name", ""), "op_type": names.get("op_type", ""), "provider": node["provider"], "variant": node["variant"], "ms": node["total_ns"] / runs / 1e6})
    busy = {}
    for span in run_part.get("spans") or []:
        if span["category"] in ("Device", "Copy", "Replay"):
            busy[span["category"]] = busy.get(span["category"], 0) + span["duration_ns"] / runs / 1e6
    times.sort(key=lambda node: -node["ms"])
    return {"nodes_by_provider": by_provider, "device_busy_ms": busy, "slowest": times[:8], "stretches": run_part.get("stretches")}


def peer(options, work, model, folder, mode, outputs=None):
    command = [sys.executable, "-B", HERE / "torch_peer.py", model, folder / "all.npz", "--network", work.model, "--mode", mode, "--seconds", options.seconds]
    done = run(command + (["--outputs", outputs] if outputs else []), options.limit)
    lines = [line for line in done.stdout.splitlines() if line.startswith("{")]
    return {"command": done.record(), **(json.loads(lines[-1]) if done.code == 0 and lines else {})}


def largest_difference(theirs, folder):
    """Of the first output, in parts of its largest value; None when one of the two is not there."""
    files = sorted((folder / "outputs").glob("*.npy"), key=lambda path: path.stat().st_mtime_ns)
    if not theirs.exists() or not files:
        return None
    with np.load(theirs) as archive:
        wanted = archive["arr_0"]
    named = [path for path in files if path.stem in ("logits", "last_hidden_state")] or files
    seen = np.load(named[0]).astype(np.float32)
    if seen.shape != wanted.shape:
        return float("inf")
    return float(np.abs(seen - wanted).max() / max(np.abs(wanted).max(), 1e-6))


def roofline_ms(device, half, flops, weight_bytes, inputs):
    peaks = peaks_of(device, half)
    if peaks is None or not flops:
        return None
    return 1e3 * max(flops / peaks[0], (weight_bytes + sum(array.nbytes for array in inputs.values())) / peaks[1])


def measure(place, options, device, work, half):
    entry = {"workload": work.label, "type": "fp16" if half else "fp32 (TF32)"}
    try:
        model = make_model(place, work.model, work.settings, half)
    except RuntimeError as error:
        return {**entry, "good": None, "why": str(error)}
    folder, inputs = save_inputs(place, work, half)
    entry["cutaway"] = ours(place, options, work, model, folder, inputs)
    mine = entry["cutaway"].get("median_ms")
    entry["good"] = mine is not None
    if mine is not None:
        entry["ready_ms"] = entry["cutaway"].get("load_ms", 0) + entry["cutaway"].get("first_run_ms", 0)
    if options.no_torch:
        return entry
    theirs = folder / "torch.npz"
    entry["eager"] = peer(options, work, model, folder, "eager", theirs)
    entry["compile"] = peer(options, work, model, folder, "compile")
    entry["difference"] = largest_difference(theirs, folder)
    entry["good"] = entry["good"] and entry["difference"] is not None and entry["difference"] <= TOLERANCE[half]
    for name in ("eager", "compile"):
        if mine and entry[name].get("host_ms"):
            entry[f"times_{name}"] = entry[name]["host_ms"] / mine
    best = roofline_ms(device, half, entry["eager"].get("flops"), entry["eager"].get("weight_bytes", 0), inputs)
    if best and mine:
        entry["roofline_ms"], entry["roofline_share"] = best, best / mine
    return entry


def geometric_mean(values):
    return math.exp(sum(map(math.log, values)) / len(values)) if values else None


def line_of(entry):
    def number(value, form="{:.3f}"):
        return form.format(value) if isinstance(value, (int, float)) else "-"

    return "[gpu]   {:22} {:12} cutaway {} ms, eager {} ms, compile {} ms, {} of compile's speed, {} of the roofline, differs {}".format(
        entry["workload"], entry["type"], number(entry.get("cutaway", {}).get("median_ms")), number(entry.get("eager", {}).get("host_ms")), number(entry.get("compile", {}).get("host_ms")),
        number(entry.get("times_compile"), "{:.2f}x"), number(entry.get("roofline_share"), "{:.1%}"), number(entry.get("difference"), "{:.1e}"))


def benchmark(place, options):
    seen = run(["nvidia-smi", "--query-gpu=name", "--format=csv,noheader"], 60)
    device = seen.stdout.strip().splitlines()[0] if seen.code == 0 and seen.stdout.strip() else ""
    results, left_out, began = [], [], time.monotonic()
    for half in (False, True):
        for work in WORKLOADS:
            if options.only not in work.label:
                continue
            if options.budget and time.monotonic() - began > options.budget:
                left_out.append(f"{work.label} {'fp16' if half else 'fp32'}")
                continue
            results.append(measure(place, options, device, work, half))
            print(line_of(results[-1]), flush=True)
            (place.work / "benchmark.json").write_text(json.dumps(results, indent=1))  # what is there if the rest is cut off
    ratios = {name: [result[f"times_{name}"] for result in results if f"times_{name}" in result] for name in ("eager", "compile")}
    return {"done": bool(results), "why": "" if results else "no workload was chosen", "good": all(result["good"] for result in results), "left_out": left_out, "device": device, "mean_times_eager": geometric_mean(ratios["eager"]), "mean_times_compile": geometric_mean(ratios["compile"]),
            "ahead_of_compile": sum(ratio > 1 for ratio in ratios["compile"]), "of": len(results), "results": results}
