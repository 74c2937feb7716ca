"""How the scripts here start programs: with a time limit, output kept, and a record of the command for the results."""

import dataclasses
import json
import os
import pathlib
import shlex
import signal
import subprocess
import time


@dataclasses.dataclass
class Done:
    command: list
    code: int | None  # None: it did not end in time, or could not be started
    stdout: str
    stderr: str
    seconds: float

    def record(self, tail=600):
        """What goes into the results: the command as a shell takes it, how it ended, and the end of what it said when it failed."""
        entry = {"command": shlex.join(map(str, self.command)), "exit_code": self.code, "seconds": round(self.seconds, 2)}
        if self.code != 0:
            entry["said"] = (self.stderr.strip() or self.stdout.strip())[-tail:]
        return entry


def run(command, timeout, environment=None, folder=None):
    """Runs and waits; a program that outlasts its time is ended with everything it started."""
    began = time.monotonic()
    command = [str(part) for part in command]
    try:
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, errors="replace", env=environment, cwd=folder, start_new_session=True)
    except OSError as error:
        return Done(command, None, "", str(error), 0.0)
    try:
        out, err = process.communicate(timeout=timeout)
        return Done(command, process.returncode, out, err, time.monotonic() - began)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        out, err = process.communicate()
        return Done(command, None, out, f"{err}\ndid not end within {timeout} s", time.monotonic() - began)


def read_json(path):
    """The JSON in a file; {} when there is none."""
    try:
        return json.loads(pathlib.Path(path).read_text())
    except (OSError, ValueError):
        return {}
