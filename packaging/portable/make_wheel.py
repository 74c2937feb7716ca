#!/usr/bin/env python3
"""make_wheel.py BUILD [-o FOLDER]: a wheel of the Python package, with the library, the command line and all libraries that they need.

BUILD is a build folder with the targets cutaway_python, cutaway-cli, cutaway-ort-host and cutaway_ep_recorder. Needs patchelf and binutils. The same build gives the same
wheel, byte by byte. Prints the wheel's path.
"""

import argparse
import base64
import hashlib
import os
import pathlib
import platform
import re
import shutil
import sys
import tempfile
import zipfile

sys.path.insert(0, str(pathlib.Path(__file__).parent))
from bill_of_materials import licence_files  # noqa: E402
from elf_files import bring_libraries, elf_files, minor_version  # noqa: E402

REPOSITORY = pathlib.Path(__file__).resolve().parents[2]
PACKAGE = REPOSITORY / "app/python/cutaway"
METADATA = """Metadata-Version: 2.4
Name: cutaway
Version: {version}
Summary: What an inference engine does to an ONNX model, stage by stage
License-Expression: Apache-2.0
Requires-Python: >=3.10
Requires-Dist: numpy>=1.23
Requires-Dist: nanobind-backend>=1.0,<2
Provides-Extra: notebook
Requires-Dist: pandas; extra == "notebook"
Provides-Extra: types
Requires-Dist: ml_dtypes; extra == "types"
Description-Content-Type: text/markdown

{readme}"""
QT_FOLDERS = "[Paths]\nPrefix = ..\nPlugins = plugins\n"


def version():
    return re.search(r"project\(cutaway VERSION ([0-9.]+)", (REPOSITORY / "CMakeLists.txt").read_text())[1]


def qt_plugins():
    for place in (pathlib.Path("/usr/lib") / f"{platform.machine()}-linux-gnu" / "qt6/plugins", pathlib.Path("/usr/lib/qt6/plugins")):
        if place.exists():
            return place
    raise SystemExit("Qt's plugins are not there: apt-get install qt6-qpa-plugins")


def fill(build, package):
    """The package as it will lie in site-packages/cutaway: its own modules, and below them what a prefix has."""
    shutil.copytree(PACKAGE, package, ignore=shutil.ignore_patterns("__pycache__"))
    short = version().rpartition(".")[0]  # the name that others ask for has no patch level; a wheel has no links
    for file, place in ((f"bin/libcutaway.so.{version()}", f"lib/libcutaway.so.{short}"), ("bin/cutaway-cli", "bin"), ("bin/cutaway-ort-host", "lib/cutaway"),
                        ("bin/libcutaway_ep_recorder.so", "lib/cutaway"), ("python/cutaway/_engine.abi3.so", ".")):
        if not (build / file).exists():
            raise SystemExit(f"{build / file} is not built")
        target = package / place
        target = target if ".so" in target.name else target / pathlib.Path(file).name
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(build / file, target)
    for folder in ("samples", "schemas"):
        shutil.copytree(REPOSITORY / "resources" / folder, package / "share/cutaway" / folder, ignore=shutil.ignore_patterns("*.py", "__pycache__"))
    (package / "plugins/platforms").mkdir(parents=True)
    shutil.copy(qt_plugins() / "platforms/libqoffscreen.so", package / "plugins/platforms")
    (package / "bin/qt.conf").write_text(QT_FOLDERS)


def record_line(name, content):
    digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
    return f"{name},sha256={digest},{len(content)}\n"


def write_wheel(root, info, path):
    moment = (2026, 1, 1, 0, 0, 0)
    record = ""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=6) as wheel:
        for file in sorted(each for each in root.rglob("*") if each.is_file()):
            name, content = file.relative_to(root).as_posix(), file.read_bytes()
            entry = zipfile.ZipInfo(name, moment)
            entry.external_attr = (0o100755 if os.access(file, os.X_OK) else 0o100644) << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            wheel.writestr(entry, content)
            record += record_line(name, content)
        entry = zipfile.ZipInfo(f"{info}/RECORD", moment)
        entry.external_attr = 0o100644 << 16
        wheel.writestr(entry, record + f"{info}/RECORD,,\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("-o", "--output", type=pathlib.Path, default=REPOSITORY / "build/packages")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder)
        package, info = root / "cutaway", f"cutaway-{version()}.dist-info"
        fill(options.build.resolve(), package)
        brought = bring_libraries(package, package / "lib", rename=True)
        tag = f"cp310-abi3-manylinux_2_{minor_version(elf_files(root), 'GLIBC_2')}_{platform.machine()}"
        (root / info / "licenses").mkdir(parents=True)
        for name, text in licence_files(brought).items():
            (root / info / "licenses" / name).write_text(text)
        shutil.copy(REPOSITORY / "LICENSE", root / info / "licenses")
        (root / info / "METADATA").write_text(METADATA.format(version=version(), readme=(REPOSITORY / "app/python/README.md").read_text()))
        (root / info / "WHEEL").write_text(f"Wheel-Version: 1.0\nGenerator: cutaway\nRoot-Is-Purelib: false\nTag: {tag}\n")
        (root / info / "entry_points.txt").write_text("[console_scripts]\ncutaway-cli = cutaway.command:main\n")
        options.output.mkdir(parents=True, exist_ok=True)
        wheel = options.output / f"cutaway-{version()}-{tag}.whl"
        write_wheel(root, info, wheel)
    print(wheel)


if __name__ == "__main__":
    main()
