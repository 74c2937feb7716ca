"""The ONNX backend cases on the device: same expected outputs, whoever takes which node. Cases whose answer legitimately differs are listed in differs.tsv, each with its reason."""

import pathlib

from commands import read_json, run

KINDS = ("node", "simple", "pytorch-operator", "pytorch-converted", "light", "own")
HERE = pathlib.Path(__file__).resolve().parent
LISTS = (HERE / "differs.tsv", HERE.parent / "conformance" / "cuda_differs.tsv")


def listed_cases():
    listed = {}
    for path in LISTS:
        for line in path.read_text().splitlines() if path.exists() else []:
            case, reason = (line + "\t").split("\t")[:2]  # a third column names the processors: here the device computes
            if reason.strip() and not line.startswith("#"):
                listed[case] = reason.strip()
    return listed


def conformance(place, options):
    folders = place.cases_of(KINDS)
    if options.every > 1:
        folders = sorted(path.parent for folder in folders for path in folder.rglob("model.onnx"))[:: options.every]
    if not folders:
        return {"done": False, "why": f"there are no cases in {place.cases}"}
    report = place.work / "conformance.json"
    report.unlink(missing_ok=True)
    command = [place.cli, "check", *folders, "--providers", options.providers, "--jobs", options.jobs, "--timeout", 120, "--json", report]
    done = run(command, options.limit, place.environment)
    answer = read_json(report)
    if "passed" not in answer:
        return {"done": False, "why": "the check wrote no report", "command": done.record()}
    listed = listed_cases()
    failing = {pathlib.Path(failure["case"]).name: failure["message"][:300] for failure in answer["failures"]}
    failures = [{"case": name, "message": message} for name, message in sorted(failing.items()) if name not in listed]
    taken = answer.get("claimed_nodes", {})
    name = options.providers.partition(",")[0].partition("{")[0]
    good = not failures and answer["passed"] > 0 and taken.get(name, 0) > 0
    return {"done": True, "good": good, "passed": answer["passed"], "failed": len(failures), "listed": len(failing) - len(failures), "skipped": answer["skipped"], "claimed_nodes": taken,
            "failures": failures, "listed_but_not_failing": sorted(set(listed) - set(failing)), "command": done.record()}
