"""What the scripts here share: a run of a program away from the build, and a list of faults."""

import os
import pathlib
import subprocess
import sys

REPOSITORY = pathlib.Path(__file__).resolve().parents[2]
SANITIZERS = os.environ.get("CUTAWAY_SANITIZE", "")  # that the build was made with, "address,undefined"
SAMPLE = pathlib.Path("samples/digits_mlp/model.onnx")  # below share/cutaway, or resources


def run(command, folder, **variables):
    """Runs it in `folder` with nothing of this environment that leads to a build. Gives the finished process."""
    environment = {"PATH": "/usr/bin:/bin", "HOME": str(folder), "QT_QPA_PLATFORM": "offscreen", "LANG": "C.UTF-8", **variables}
    environment.update({name: value for name, value in os.environ.items() if name.endswith("SAN_OPTIONS")})
    return subprocess.run(list(map(str, command)), cwd=folder, env=environment, capture_output=True, text=True, errors="replace",
                          stdin=subprocess.DEVNULL)


class Faults:
    """Collected, so that one run tells all of them."""

    def __init__(self):
        self.found = []
        self.checks = 0

    def expect(self, holds, what):
        self.checks += 1
        if not holds:
            self.found.append(what)
        return bool(holds)

    def succeeded(self, done, what):
        said = (done.stderr or done.stdout).strip().splitlines()[-3:]
        return self.expect(done.returncode == 0, f"{what}: exit code {done.returncode}: {' / '.join(said)}")

    def end(self):
        print("\n".join(self.found))
        print(f"{self.checks} checks, {len(self.found)} faults")
        sys.exit(1 if self.found or not self.checks else 0)


def python_environment():
    """The environment that has ONNX Runtime's library, or None."""
    for folder in (REPOSITORY / "build" / "env", pathlib.Path(os.environ.get("VIRTUAL_ENV", "/nowhere"))):
        if any(folder.glob("lib/python3*/site-packages/onnxruntime/capi/libonnxruntime.so*")):
            return folder
    return None
