"""compute-sanitizer over small models and a sample of the backend cases: memcheck (out of bounds, misaligned, leaks of the context) and racecheck (shared memory)."""

import pathlib
import shutil

from commands import run
from generated import SMALL, dimension_options, make_model

FOUND = 99  # the exit code that tells a finding from a failure of the program
TOOLS = (("memcheck", 40), ("racecheck", 80))  # every so many-th backend case
SUMMARY = "ERROR SUMMARY"


def sanitizer_program():
    found = shutil.which("compute-sanitizer")
    if found:
        return found
    for folder in ("/usr/local/cuda/bin", "/usr/local/cuda/compute-sanitizer"):
        path = pathlib.Path(folder) / "compute-sanitizer"
        if path.exists():
            return str(path)
    return None


def findings(done):
    return [line.strip() for line in (done.stdout + done.stderr).splitlines() if SUMMARY in line or "=========     at " in line or "Invalid __" in line or "Race reported" in line][:20]


def one(place, program, tool, what, command, limit):
    wrapped = [program, "--tool", tool, "--error-exitcode", FOUND, "--target-processes", "all", "--print-limit", 20, *command]
    done = run(wrapped, limit, place.environment)
    print(f"[gpu]   {tool} {what}: {done.code}", flush=True)
    return {"tool": tool, "what": what, "good": done.code == 0, "found": done.code == FOUND, "findings": findings(done), "command": done.record()}


def sanitizer(place, options):
    program = sanitizer_program()
    if program is None:
        return {"done": False, "why": "compute-sanitizer is not there (it comes with the CUDA toolkit)"}
    results = []
    for tool, every in TOOLS:
        for name, settings, dims in SMALL:
            try:
                model = make_model(place, name, settings)
            except RuntimeError as error:
                results.append({"tool": tool, "what": name, "good": None, "why": str(error)})
                continue
            results.append(one(place, program, tool, name, [place.cli, "run", model, "--providers", options.providers, "--random", 7, *dimension_options(dims)], options.limit))
        cases = sorted(path.parent for path in (place.cases / "node").glob("*/model.onnx"))[::every]
        if cases:
            results.append(one(place, program, tool, f"{len(cases)} backend cases", [place.cli, "check", *cases, "--providers", options.providers, "--jobs", 2, "--timeout", 300], options.limit))
    return {"done": True, "good": all(result["good"] for result in results), "results": results}
