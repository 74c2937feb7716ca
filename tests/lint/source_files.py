"""Which files the lint rules read, and how a finding looks."""

import dataclasses
import pathlib

FOLDERS = ("app", "engine", "providers", "sweep", "ui", "resources", "docs", "tests", "packaging")
LEFT_OUT = {"__pycache__"}
CPP_ENDINGS = {".cpp", ".h", ".cc", ".cu", ".hpp", ".cuh"}


@dataclasses.dataclass(frozen=True, order=True)
class Finding:
    path: str
    line: int
    message: str

    def __str__(self):
        return f"{self.path}:{self.line}: {self.message}"


class Tree:
    """The source files below `root`, by their path from there, sorted."""

    def __init__(self, root):
        self.root = pathlib.Path(root)
        self.files = sorted(
            path.relative_to(self.root).as_posix()
            for folder in FOLDERS for path in (self.root / folder).rglob("*")
            if path.is_file() and not LEFT_OUT.intersection(path.parts))

    def cpp(self):
        return [path for path in self.files if pathlib.PurePath(path).suffix in CPP_ENDINGS]

    def lines(self, path):
        return (self.root / path).read_text(encoding="utf-8").splitlines()

    def text(self, path):
        return (self.root / path).read_text(encoding="utf-8")
