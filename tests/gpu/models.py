"""Generated models on the device against cpu, output by output: fp32 in full precision, fp32 with TF32, and fp16. Where outputs differ, cutaway-cli compare says which value is the first to."""

import shutil

import numpy as np
from commands import read_json, run
from generated import SMALL, dimension_options, make_model

# What differs by how numbers are rounded: relative and absolute. fp16 on cpu rounds elsewhere than a kernel that keeps sums in 32 bits.
VARIANTS = (
    ("fp32", False, "{tf32=0}", 1e-3, 1e-4),
    ("tf32", False, "{tf32=1}", 2e-2, 2e-2),
    ("fp16", True, "", 3e-2, 3e-2),
)


# Held against cpu as the graph says it, node by node: optimised, cpu computes it with integers, which rounds half of the values one step away (onnxruntime's two levels differ in just this way).
QUANTISED = ("qdq_cnn",)


def with_option(providers, option):
    """`cuda,cpu` with {tf32=0}: `cuda{tf32=0},cpu`; options that are there stay."""
    if not option:
        return providers
    name, brace, rest = providers.partition("}")
    if brace and "{" in name:
        return f"{name},{option[1:-1]}}}{rest}"
    first, comma, others = providers.partition(",")
    return f"{first}{option}{comma}{others}"


def outputs_of(place, options, model, dims, providers, folder, level=3):
    shutil.rmtree(folder, ignore_errors=True)
    return run([place.cli, "run", model, "--providers", providers, "--opt-level", level, "--random", 7, *dimension_options(dims), "--save-outputs", folder, "--format", "npy"], options.limit, place.environment)


def differences(wanted, seen, rtol, atol):
    """What is wrong, output by output; empty: nothing."""
    problems = []
    for path in sorted(wanted.glob("*.npy")):
        expected, other = np.load(path), seen / path.name
        found = np.load(other) if other.exists() else None
        if found is None or found.shape != expected.shape or found.dtype != expected.dtype:
            problems.append(f"{path.stem}: missing, or of another shape or type")
        elif not np.allclose(found.astype(np.float64), expected.astype(np.float64), rtol, atol, equal_nan=True):
            distance = np.abs(found.astype(np.float64) - expected.astype(np.float64))
            problems.append(f"{path.stem}: {np.count_nonzero(~np.isclose(found, expected, rtol, atol, equal_nan=True))} of {expected.size} values differ, by {np.nanmax(distance):.3g} at most")
    return problems


def compare_one(place, options, name, settings, dims, variant):
    label, half, option, rtol, atol = variant
    entry = {"model": name, "variant": label}
    try:
        model = make_model(place, name, settings, half)
    except RuntimeError as error:
        return {**entry, "good": None, "why": str(error)}
    providers = with_option(options.providers, option)
    wanted, seen = place.work / "outputs" / f"{name}-{label}-cpu", place.work / "outputs" / f"{name}-{label}"
    for list_of, folder in (("cpu", wanted), (providers, seen)):
        done = outputs_of(place, options, model, dims, list_of, folder, 0 if list_of == "cpu" and name in QUANTISED else 3)
        if done.code != 0:
            return {**entry, "good": False, "why": f"it does not run on {list_of}", "command": done.record()}
    if not list(wanted.glob("*.npy")):
        return {**entry, "good": False, "why": "the run on cpu saved no outputs", "command": done.record()}
    problems = differences(wanted, seen, rtol, atol)
    if problems:
        report = place.work / f"compare-{name}-{label}.json"
        looked = run([place.cli, "compare", model, "--a", "providers=cpu", "--b", f"providers={providers}", "--random", 7, "--rtol", rtol, "--atol", atol, *dimension_options(dims), "--json", report], options.limit, place.environment)
        entry.update(differences=problems, first_divergence=read_json(report).get("first_divergence"), compared=looked.record())
    return {**entry, "good": not problems, "rtol": rtol, "atol": atol, "command": done.record()}


def models(place, options):
    results = []
    for name, settings, dims in SMALL:
        for variant in VARIANTS:
            if variant[1] and name in QUANTISED:
                continue  # its scales are part of the quantisation, not of the arithmetic
            results.append(compare_one(place, options, name, settings, dims, variant))
            print(f"[gpu]   {name} {variant[0]}: {'good' if results[-1]['good'] else results[-1].get('why') or results[-1].get('differences')}", flush=True)
    return {"done": True, "good": all(result["good"] for result in results), "agree": sum(bool(result["good"]) for result in results), "of": len(results), "results": results}
