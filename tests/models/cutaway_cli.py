"""How the scripts here call cutaway-cli: where it is, what its exit codes mean, and one run with a time limit."""

import dataclasses
import os
import pathlib
import subprocess

REPOSITORY = pathlib.Path(__file__).resolve().parents[2]
TEST_DATA = REPOSITORY / "build" / "test-data"
DONE, CHECK_FAILED, USAGE, BAD_MODEL, REFUSED, INTERNAL, NOT_WRITTEN = 0, 1, 2, 3, 4, 5, 6


@dataclasses.dataclass
class Outcome:
    code: int | None  # None: it did not end in time. Negative: ended by that signal
    stdout: str
    stderr: str

    @property
    def crashed(self):
        return self.code is None or self.code < 0 or self.code == INTERNAL or self.code > NOT_WRITTEN

    @property
    def reason(self):
        """The last line that says something, for a line in a list."""
        if self.code is None:
            return "did not end in time"
        lines = [line.strip() for line in (self.stderr + "\n" + self.stdout).splitlines() if line.strip()]
        said = [line for line in self.stderr.splitlines() if line.strip()] or lines or ["said nothing"]
        return f"exit code {self.code}: {said[-1].strip()[:300]}"


def default_cli():
    """The program that CTest names, or the release build's."""
    folder = os.environ.get("CUTAWAY_BIN_DIR", REPOSITORY / "build" / "release" / "bin")
    return pathlib.Path(folder) / "cutaway-cli"


def run_cli(cli, *arguments, timeout=120):
    command = [str(cli), *map(str, arguments)]
    try:
        done = subprocess.run(command, capture_output=True, timeout=timeout, stdin=subprocess.DEVNULL)
    except subprocess.TimeoutExpired as late:
        return Outcome(None, (late.stdout or b"").decode(errors="replace"), (late.stderr or b"").decode(errors="replace"))
    return Outcome(done.returncode, done.stdout.decode(errors="replace"), done.stderr.decode(errors="replace"))
