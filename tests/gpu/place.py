"""Where things lie: in a bundle (payload/ beside tests/) or in a checkout (build/release)."""

import ctypes
import dataclasses
import os
import pathlib
import sys

LIBRARY_FOLDERS = "CUTAWAY_CUDA_DIR"


@dataclasses.dataclass
class Place:
    cli: pathlib.Path
    cases: pathlib.Path  # backend cases, a folder a kind
    make_models: pathlib.Path
    work: pathlib.Path  # models and reports that these scripts write
    environment: dict

    def cases_of(self, kinds):
        return [self.cases / kind for kind in kinds if (self.cases / kind).is_dir()]


def python_library_folders():
    """NVIDIA's libraries among the packages of this Python: cuBLAS and cuDNN may be nowhere else."""
    folders = []
    for entry in sys.path:
        packages = pathlib.Path(entry) / "nvidia"
        if packages.is_dir():
            folders += sorted(str(folder) for folder in packages.glob("*/lib") if folder.is_dir())
    return folders


def has_cxx_library():
    """The machine's own C++ library is the better one where there is one: NVIDIA's libraries want it too."""
    try:
        ctypes.CDLL("libstdc++.so.6")
        return True
    except OSError:
        return False


def find_place(root, work):
    payload = root / "payload"
    environment = dict(os.environ)
    if payload.is_dir():
        folder, cases, models = payload / "bin", payload / "cases", root / "tests" / "models"
        ours = [str(payload / "lib")] + ([] if has_cxx_library() else [str(payload / "lib" / "last")])
        environment["LD_LIBRARY_PATH"] = os.pathsep.join([*ours, *filter(None, [environment.get("LD_LIBRARY_PATH")])])
    else:
        folder = pathlib.Path(os.environ.get("CUTAWAY_BIN_DIR", root / "build" / "release" / "bin"))
        cases, models = root / "build" / "test-data" / "backend", root / "tests" / "models"
    named = filter(None, [environment.get(LIBRARY_FOLDERS), str(folder)])
    environment[LIBRARY_FOLDERS] = os.pathsep.join([*named, *python_library_folders()])
    work.mkdir(parents=True, exist_ok=True)
    return Place(folder / "cutaway-cli", cases, models / "make_models.py", work, environment)
