#!/usr/bin/env python3
"""Every verb that cutaway-cli lists: its help ends with examples of the verb itself, whose options there are, and an option that there is not is a usage error."""

import re
import sys

from cutaway_cli import DONE, USAGE, default_cli, run_cli

CLI = default_cli()
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


def main():
    listed = verbs()
    found = [f"{verb}: {fault}" for verb in listed for fault in faults(verb)]
    if not listed:
        found.append("cutaway-cli lists no verb")
    print("\n".join(found))
    print(f"{len(listed)} verbs, {len(found)} faults")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
