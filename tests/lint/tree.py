"""What lies where: top-level entries, a README in every second-level folder, names that say something."""

import pathlib
import re

from source_files import FOLDERS, Finding

ROOT_FILES = {"README.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md", "CMakeLists.txt", "CMakePresets.json", "CMakeUserPresets.json", "LICENSE", "NOTICE"}
BUILT = {"build"}  # ignored by git
EMPTY_NAMES = {"util", "utils", "helper", "helpers", "common", "misc"}
CPP_NAME = re.compile(r"^[a-z0-9_]+\.(cpp|h|cu|cuh)$")


def check_top_level(tree):
    allowed = ROOT_FILES | BUILT | set(FOLDERS)
    return [Finding(entry.name, 1, "does not belong at the top level")
            for entry in sorted(tree.root.iterdir()) if entry.name not in allowed and not entry.name.startswith(".")]


def check_readmes(tree):
    """A second-level folder that holds anything explains itself."""
    folders = sorted({"/".join(path.split("/")[:2]) for path in tree.files if path.count("/") >= 2})
    return [Finding(folder, 1, "has no README.md") for folder in folders if f"{folder}/README.md" not in tree.files]


def check_names(tree):
    found = []
    for path in tree.files:
        parts = pathlib.PurePath(path)
        for part in (*parts.parts[:-1], parts.stem):
            words = part.lower().split("_")
            if EMPTY_NAMES.intersection((words[0], words[-1])):  # in the middle it qualifies something: eliminate_common_subexpressions
                found.append(Finding(path, 1, f"{part!r} says nothing about what is inside"))
        if parts.suffix in (".cpp", ".h", ".cu", ".cuh") and not CPP_NAME.match(parts.name):
            found.append(Finding(path, 1, "file names are snake_case"))
    return found


def check(tree):
    return check_top_level(tree) + check_readmes(tree) + check_names(tree)
