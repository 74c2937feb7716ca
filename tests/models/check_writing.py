#!/usr/bin/env python3
"""Every verb that writes a file, under every fault of writing: what was there stays byte for byte, and nothing is left beside it.

The faults: the output is an input of the same call (by its name, a symbolic link, a hard link), the disk is full, the file
is write-protected, its folder is missing, files may not be that large (ulimit -f), the program is killed at a random moment;
standard output full or closed. Files larger than the disk need a file system of their own: the script starts itself again
in name spaces of its own (unshare), and says so where that is not allowed. Last line: `N passed, N failed, N skipped`.
"""

import argparse
import os
import pathlib
import random
import re
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time

import onnx

from checks import Checks
from cutaway_cli import DONE, NOT_WRITTEN, REPOSITORY, USAGE, default_cli
from message_rules import message_faults

CLI = default_cli()
SAMPLE = REPOSITORY / "resources" / "samples" / "digits_cnn" / "model.onnx"
OLD = b"what was there before\n" * 40
OWN_MOUNTS = "CUTAWAY_OWN_MOUNTS"


def writers(model, output):
    """Verb and option by name -> the arguments that write `output`; {} in them is the file."""
    middle = onnx.load(model).graph.node[0].output[0]
    last = onnx.load(model).graph.output[0].name
    edit = ("edit", model, "--set-producer", "somebody", "--force")
    return {
        "inspect --json": ("inspect", model, "--json", output),
        "optimize --save": ("optimize", model, "--save", output),
        "report -o": ("report", model, "-o", output),
        "render -o svg": ("render", model, "-o", output),
        "render -o png": ("render", model, "-o", output),
        "profile --trace": ("profile", model, "--runs", "1", "--trace", output),
        "profile --save": ("profile", model, "--runs", "1", "--save", output),
        "run --json": ("run", model, "--json", output),
        "bench --json": ("bench", model, "--seconds", "0.05", "--warmup", "0", "--json", output),
        "partition --save-config": ("partition", model, "--save-config", output),
        "extract -o": ("extract", model, "--inputs", middle, "--outputs", last, "-o", output),
        "edit -o": (*edit, "-o", output),
        "edit --save-edits": (*edit, "-o", "/dev/null/none" if output is None else output.parent / "edited.onnx", "--save-edits", output),
        "context -o": ("context", model, "-o", output, "--force", "--embed", "--providers", "onednn,cpu"),
        "compare --json": ("compare", model, "--a", "opt-level=0", "--b", "opt-level=3", "--json", output),
        "diff --json": ("diff", model, model, "--json", output),
        "check --json": ("check", model.parent, "--json", output),
        "render -o dot": ("render", model, "-o", output),
        "thumbnail": ("thumbnail", model, output),
        "advise -o": ("advise", model, "--providers", "declared(QNN-HTP),cpu", "--no-cure", "--apply", "1", "-o", output, "--force"),
        "providers --json": ("providers", "--json", output),
        "providers --operators": ("providers", "--operators", "--json", output),
        "cure -o": ("cure", model, "--providers", "declared(QNN-HTP),cpu", "--apply", "1", "-o", output, "--force"),
    }


ENDINGS = {"render -o svg": ".svg", "render -o png": ".png", "render -o dot": ".dot"}
# What they write besides, before the file in question.
ALSO = {"edit --save-edits": {"edited.onnx"}}


def run(arguments, limit=None, **streams):
    def before():
        if limit is not None:
            resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))

    settings = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "stdin": subprocess.DEVNULL, **streams}
    return subprocess.run([str(CLI), *map(str, arguments)], preexec_fn=before, timeout=300, check=False, **settings)


def said(done):
    return f"exit code {done.returncode}: {(done.stderr or b'').decode(errors='replace').strip()[-300:]}"


def listing(folder):
    return {path.name for path in folder.iterdir()}


def fresh(folder, model=True):
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    if model:
        (folder / "case").mkdir()
        shutil.copy(SAMPLE, folder / "case" / "model.onnx")
        shutil.copytree(SAMPLE.parent / "test_data_set_0", folder / "case" / "test_data_set_0")
    return folder / "case" / "model.onnx"


def old_output(folder, name, mode=0o644):
    output = folder / ("out" + ENDINGS.get(name, ".file"))
    output.write_bytes(OLD)
    output.chmod(mode)
    return output


def unharmed(checks, name, fault, done, output, before, codes, content=OLD):
    folder = output.parent
    checks.that(done.returncode in codes, f"{name}, {fault}: {said(done)}, not {codes}")
    for wrong in message_faults(done.stderr, done.returncode):
        checks.that(False, f"{name}, {fault}: {wrong}")
    checks.that(output.read_bytes() == content, f"{name}, {fault}: {output.name} was changed")
    left = listing(folder) - before - ALSO.get(name, set())
    checks.that(not left, f"{name}, {fault}: left {left}")


def over_the_input(checks, folder, name):
    if name.startswith("providers"):  # which reads none
        return
    for way in ("the input", "a symbolic link", "a hard link"):
        model = fresh(folder)
        ending = ENDINGS.get(name)
        output = model if ending is None and way == "the input" else model.parent / ("link" + (ending or ""))
        if output != model:
            if way == "a symbolic link":
                output.symlink_to(model.name)
            else:
                os.link(model, output)
        content, before = model.read_bytes(), listing(model.parent)
        arguments = writers(model, output)[name]
        if arguments[0] in ("edit", "advise", "cure"):  # which may write over its model when --force says so
            arguments = [part for part in arguments if part != "--force"]
        done = run(arguments)
        unharmed(checks, name, f"over {way}", done, output, before, (USAGE,), content)
        checks.that(output.is_symlink() == (output != model and way == "a symbolic link"), f"{name}, over {way}: the link was replaced")


def over_other_files(checks, folder, name):
    model = fresh(folder)
    output = old_output(folder, name)
    plain = run(writers(model, output)[name])
    checks.that(plain.returncode == DONE and output.read_bytes() != OLD, f"{name}: {said(plain)}")
    left = listing(folder) - {"case", output.name} - ALSO.get(name, set())
    checks.that(not left, f"{name}: left {left}")

    output = old_output(folder, name, 0o444)
    unharmed(checks, name, "write-protected", run(writers(model, output)[name]), output, listing(folder), (NOT_WRITTEN,))
    output.unlink()

    output = old_output(folder, name)
    unharmed(checks, name, "ulimit -f", run(writers(model, output)[name], limit=64), output, listing(folder), (NOT_WRITTEN,))

    missing = folder / "missing" / output.name
    done = run([str(part).replace(str(output), str(missing)) for part in writers(model, output)[name]])
    checks.that(done.returncode in (NOT_WRITTEN, USAGE) and done.stderr.strip(), f"{name}, into a folder that is not there: {said(done)}")


def full_disk(checks, folder, name):
    model = fresh(folder)
    disk = folder / "disk"
    disk.mkdir()
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=64k", "none", str(disk)], check=True)
    try:
        output = old_output(disk, name)
        with open(disk / "filler", "wb", buffering=0) as filler:
            try:
                while True:
                    filler.write(b"x" * 512)
            except OSError:
                pass
        unharmed(checks, name, "a full disk", run(writers(model, output)[name]), output, listing(disk), (NOT_WRITTEN,))
    finally:
        subprocess.run(["umount", str(disk)], check=True)


def killed(checks, folder, name, times, seconds):
    """Whole old or whole new; the only name that may be left is that of the moment between naming and renaming, until the next write."""
    model = fresh(folder)
    output = old_output(folder, name)
    began = time.monotonic()
    run(writers(model, output)[name])
    whole = time.monotonic() - began
    new = output.read_bytes()
    for _ in range(times):
        output = old_output(folder, name)
        arguments = [str(CLI), *map(str, writers(model, output)[name])]
        with subprocess.Popen(arguments, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, stdin=subprocess.DEVNULL) as process:
            time.sleep(seconds.uniform(0.2, 1.0) * whole)
            process.send_signal(signal.SIGKILL)
        content = output.read_bytes()
        checks.that(content == OLD or abs(len(content) - len(new)) < 400 + len(new) // 4, f"{name}, killed: {len(content)} bytes, neither the old {len(OLD)} nor the new {len(new)}")
        left = listing(folder) - {"case", output.name} - ALSO.get(name, set())
        named = {entry for entry in left if re.fullmatch(rf"\.{re.escape(output.name)}\.tmp\d+-\d+", entry)}
        checks.that(left == named and len(named) <= 1, f"{name}, killed: left {left}")
        if named:  # killed in that very moment; who writes there next puts it away
            run(writers(model, output)[name])
            left = listing(folder) - {"case", output.name} - ALSO.get(name, set())
            checks.that(not left, f"{name}, killed: the next run leaves {left}")


def streams(checks, folder):
    model = fresh(folder)
    for arguments in (("inspect", model), ("inspect", model, "--json"), ("plan-less-verb",), ("providers",)):
        arguments = [part for part in arguments if part != "plan-less-verb"] or ["--help"]
        with open("/dev/full", "wb") as full:
            done = run(arguments, stdout=full)
        checks.that(done.returncode == NOT_WRITTEN and b"standard output" in done.stderr, f"{arguments}, standard output full: {said(done)}")
        command = " ".join(f"'{part}'" for part in (CLI, *arguments))
        for ends, expected in ((">&-", (NOT_WRITTEN,)), (">&- 2>&-", (NOT_WRITTEN,)), ("2>&-", (DONE,)), ("2>/dev/full", (DONE,)), ("<&- >&- 2>&-", (NOT_WRITTEN,))):
            done = subprocess.run(["bash", "-c", f"{command} {ends}"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=300, check=False)
            checks.that(done.returncode in expected, f"{arguments} {ends}: {said(done)}")
    missing = folder / "missing.onnx"
    for ends in (">&- 2>&-", "2>&-", "2>/dev/full", ">/dev/full 2>/dev/full"):
        done = subprocess.run(["bash", "-c", f"'{CLI}' inspect '{missing}' {ends}"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=300, check=False)
        checks.that(done.returncode == 3, f"an error with {ends}: {said(done)}")
    # What is opened first must not become standard output's file.
    output = folder / "report.json"
    done = subprocess.run(["bash", "-c", f"'{CLI}' inspect '{model}' --json '{output}' >&-"], stderr=subprocess.PIPE, timeout=300, check=False)
    checks.that(done.returncode == DONE and output.read_bytes().lstrip().startswith(b"{"), f"--json FILE with standard output closed: {said(done)}")
    for device in ("/dev/null", "/dev/stdout"):
        done = run(("inspect", model, "--json", device))
        checks.that(done.returncode == DONE, f"--json {device}: {said(done)}")
    done = run(("inspect", model, "--json", "/dev/full"))
    checks.that(done.returncode == NOT_WRITTEN, f"--json /dev/full: {said(done)}")


def can_mount():
    return subprocess.run(["unshare", "-rm", "true"], capture_output=True, check=False).returncode == 0


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--kills", type=int, default=2, help="for each verb")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", default="", help="a part of the verb's name")
    options = parser.parse_args()
    if OWN_MOUNTS not in os.environ and can_mount():
        os.environ[OWN_MOUNTS] = "1"
        os.execvp("unshare", ["unshare", "-rm", sys.executable, *sys.argv])
    checks, seconds = Checks(), random.Random(options.seed)
    with tempfile.TemporaryDirectory() as root:
        folder = pathlib.Path(root) / "work"
        for name in writers(SAMPLE, pathlib.Path(root)):
            if options.only not in name:
                continue
            over_the_input(checks, folder, name)
            over_other_files(checks, folder, name)
            if OWN_MOUNTS in os.environ:
                full_disk(checks, folder, name)
            else:
                checks.skip(f"{name}: a full disk needs a file system of its own")
            killed(checks, folder, name, options.kills, seconds)
        streams(checks, folder)
    return checks.ended()


if __name__ == "__main__":
    sys.exit(main())
