#!/usr/bin/env python3
"""Every verb that cutaway-cli lists: its help ends with examples of the verb itself, whose options there are, and an option that there is not is a usage error.
A run with a provider that has no device here says so."""

import json
import re
import sys

from cutaway_cli import DONE, REPOSITORY, USAGE, default_cli, run_cli

CLI = default_cli()
SAMPLE = REPOSITORY / "resources/samples/digits_cnn/model.onnx"
LISTED = re.compile(r"^  ([a-z][\w-]*)  ", re.MULTILINE)
OPTION = re.compile(r"(?<![\w-])--?[a-z][\w-]*")


def verbs():
    """The verbs in the order of the list."""
    return LISTED.findall(run_cli(CLI, "--help").stdout.partition("Subcommands:")[2])


def faults(verb):
    outcome = run_cli(CLI, verb, "--help")
    if outcome.code != DONE:
        yield f"--help: {outcome.reason}"
    options, _, example = outcome.stdout.partition("Example:\n")
    if f"cutaway-cli {verb}" not in example:
        yield "has no example of its own"
    known = set(OPTION.findall(options))
    yield from (f"the example has {option}, which is no option" for option in OPTION.findall(re.sub(r'"[^"]*"', "", example)) if option not in known)
    wrong = run_cli(CLI, verb, "--no-such-option")
    if wrong.code != USAGE:
        yield f"--no-such-option: {wrong.reason}"


def faults_of_absent_devices():
    """cuda plans everywhere, and runs where there is an NVIDIA GPU: elsewhere the run is done by others, and says whose device is missing."""
    providers = {row["name"]: row for row in json.loads(run_cli(CLI, "providers", "--json").stdout)["providers"]}
    if "cuda" not in providers:
        return
    for verb in ("run", "profile"):
        outcome = run_cli(CLI, verb, SAMPLE, "--random", "1", "--providers", "cuda,cpu")
        told = outcome.stderr.startswith("cuda cannot run here: ")
        if outcome.code != DONE:
            yield f"{verb} --providers cuda,cpu: {outcome.reason}"
        elif told == providers["cuda"]["usable"]:
            yield f"{verb} --providers cuda,cpu: with{'' if providers['cuda']['usable'] else 'out'} a device it says {outcome.stderr!r}"


def main():
    listed = verbs()
    found = list(faults_of_absent_devices()) + [f"{verb}: {fault}" for verb in listed for fault in faults(verb)]
    if not listed:
        found.append("cutaway-cli lists no verb")
    print("\n".join(found))
    print(f"{len(listed)} verbs, {len(found)} faults")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
