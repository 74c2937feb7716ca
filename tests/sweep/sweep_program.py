"""How the scripts here write plans and models, call `cutaway-cli sweep`, and count what passed."""

import json
import os
import pathlib
import subprocess
import sys

STAND_IN = pathlib.Path(__file__).resolve().parent / "stand_in.py"
REPOSITORY = pathlib.Path(__file__).resolve().parents[2]

# The stand-in runs with the interpreter of the test, which starts in less time than what a version manager puts before it.
os.environ["PATH"] = f"{pathlib.Path(sys.executable).parent}{os.pathsep}{os.environ.get('PATH', os.defpath)}"


def default_cli():
    return pathlib.Path(os.environ.get("CUTAWAY_BIN_DIR", REPOSITORY / "build" / "release" / "bin")) / "cutaway-cli"


def write_models(folder, count, **members):
    for number in range(count):
        # Its number makes each model another one: equal bytes are equal jobs.
        (folder / f"m{number:04}.onnx").write_text(json.dumps({"number": number, **members}))


def sweep_command(action, plan, *options, program=STAND_IN, cli=None):
    command = [str(cli or default_cli()), *action.split(), str(plan), *map(str, options)]
    return command + (["--program", str(program)] if program and action not in ("sweep status", "sweep cancel") else [])


def sweep(action, plan, *options, environment=None, timeout=300, **named):
    return subprocess.run(sweep_command(action, plan, *options, **named), capture_output=True, text=True, timeout=timeout,
                          env={**os.environ, **(environment or {})}, stdin=subprocess.DEVNULL)


def status(plan):
    done = sweep("sweep status", plan, "--json")
    return json.loads(done.stdout) if done.returncode == 0 else {"error": done.stderr}


def records(plan):
    """The bytes of every record, by key."""
    folder = plan.with_suffix(".sweep") / "records"
    return {path.stem: path.read_bytes() for path in folder.glob("*.json")} if folder.is_dir() else {}


class Tally:
    def __init__(self):
        self.passed = self.failed = 0

    def check(self, good, what, detail=""):
        if good:
            self.passed += 1
        else:
            self.failed += 1
            print(f"{what}: {detail}"[:2000])

    def end(self, skipped=0):
        print(f"{self.passed} passed, {self.failed} failed, {skipped} skipped")
        return 1 if self.failed or not self.passed else 0


def quiet_exit(reason):
    print(reason)
    sys.exit(77)
