"""Generated models on the device against cpu, value by value (cutaway-cli compare): fp32 in full precision, fp32 with TF32, and fp16."""

from commands import read_json, run
from generated import SMALL, dimension_options, make_model

# What differs by how numbers are rounded: relative and absolute. fp16 on cpu rounds elsewhere than a kernel that keeps sums in 32 bits.
VARIANTS = (
    ("fp32", False, "{tf32=0}", 1e-3, 1e-4),
    ("tf32", False, "{tf32=1}", 2e-2, 2e-2),
    ("fp16", True, "", 3e-2, 3e-2),
)


def with_option(providers, option):
    """`cuda,cpu` with {tf32=0}: `cuda{tf32=0},cpu`; options that are there stay."""
    if not option:
        return providers
    name, brace, rest = providers.partition("}")
    if brace and "{" in name:
        return f"{name},{option[1:-1]}}}{rest}"
    first, comma, others = providers.partition(",")
    return f"{first}{option}{comma}{others}"


def compare_one(place, options, name, settings, dims, variant):
    label, half, option, rtol, atol = variant
    entry = {"model": name, "variant": label}
    try:
        model = make_model(place, name, settings, half)
    except RuntimeError as error:
        return {**entry, "good": None, "why": str(error)}
    report = place.work / f"compare-{name}-{label}.json"
    report.unlink(missing_ok=True)
    providers = with_option(options.providers, option)
    done = run([place.cli, "compare", model, "--a", "providers=cpu", "--b", f"providers={providers}", "--random", 7, "--rtol", rtol, "--atol", atol, *dimension_options(dims), "--json", report], options.limit, place.environment)
    answer = read_json(report)
    # 0: the same; 1: values differ. Anything else is no answer.
    return {**entry, "good": done.code == 0, "first_difference": answer.get("first_divergence") or answer.get("first"), "command": done.record()}


def models(place, options):
    results = []
    for name, settings, dims in SMALL:
        for variant in VARIANTS:
            if variant[1] and name in ("qdq_cnn",):
                continue  # its scales are part of the quantisation, not of the arithmetic
            results.append(compare_one(place, options, name, settings, dims, variant))
            print(f"[gpu]   {name} {variant[0]}: {results[-1]['good']}", flush=True)
    return {"done": True, "good": all(result["good"] for result in results), "agree": sum(bool(result["good"]) for result in results), "of": len(results), "results": results}
