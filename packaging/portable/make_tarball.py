#!/usr/bin/env python3
"""make_tarball.py BUILD [-o FOLDER]: a folder as an archive that runs on other distributions: unpack it anywhere, start bin/cutaway.

Everything that cmake --install gives, Qt's plug-ins, and every library that they need; the C library too, for systems with an older one. Needs patchelf and
binutils. The same build gives the same archive. Prints its path.
"""

import argparse
import gzip
import io
import pathlib
import platform
import shutil
import subprocess
import sys
import tarfile
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).parent))
from bill_of_materials import licence_files  # noqa: E402
from elf_files import SYSTEM, bring_libraries, elf_files, minor_version  # noqa: E402
from make_wheel import QT_FOLDERS, REPOSITORY, qt_plugins, version  # noqa: E402

COMPONENTS = ("cli", "window", "onnxruntime", "doc")
PLUGINS = ("platforms/libqxcb.so", "platforms/libqoffscreen.so", "platforms/libqwayland-generic.so", "iconengines/libqsvgicon.so", "imageformats/libqsvg.so",
           "platforminputcontexts/libcomposeplatforminputcontextplugin.so", "platforminputcontexts/libibusplatforminputcontextplugin.so",
           "xcbglintegrations/libqxcb-egl-integration.so", "xcbglintegrations/libqxcb-glx-integration.so")
STARTER = pathlib.Path(__file__).parent / "portable_start.sh"


def install(build, root):
    for component in COMPONENTS:
        subprocess.run([REPOSITORY / "build/env/bin/cmake", "--install", build, "--prefix", root, "--component", component], check=True, stdout=subprocess.DEVNULL)
    for name in ("installed.txt", "uninstall.sh"):
        (root / "share/cutaway" / name).unlink(missing_ok=True)
    (root / "bin").rename(root / "program")
    (root / "bin").mkdir()
    (root / "lib/cutaway/cutaway-ort-host").rename(root / "program/cutaway-ort-host")
    for name in PLUGINS:
        source, target = qt_plugins() / name, root / "plugins" / name
        if source.exists():
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(source, target)


def add_c_library(root):
    """What is left out of other folders: for systems whose own is too old."""
    folder = root / "glibc"
    folder.mkdir()
    places = [pathlib.Path("/lib") / f"{platform.machine()}-linux-gnu", pathlib.Path("/lib64"), pathlib.Path("/usr/lib") / f"{platform.machine()}-linux-gnu"]
    for name in sorted(SYSTEM):
        if found := next((place / name for place in places if (place / name).exists()), None):
            shutil.copy(found.resolve(), folder / name)
    (folder / "ld-linux-x86-64.so.2").chmod(0o755)


def add_starters(root, newest):
    text = STARTER.read_text().replace("NEWEST_GLIBC", str(newest))
    starters = [root / "bin" / path.name for path in (root / "program").iterdir() if path.name != "cutaway-ort-host"] + [root / "lib/cutaway/cutaway-ort-host"]
    for starter in starters:
        starter.write_text(text)
        starter.chmod(0o755)
    for folder in ("program", "glibc"):  # the loader is the program where it starts one
        (root / folder / "qt.conf").write_text(QT_FOLDERS)


def archive(root, path):
    def plain(entry):
        entry.uid = entry.gid = 0
        entry.uname = entry.gname = ""
        entry.mtime = 1767225600
        entry.mode = 0o755 if entry.isdir() or entry.mode & 0o100 else 0o644
        return entry

    content = io.BytesIO()
    with tarfile.open(fileobj=content, mode="w", format=tarfile.GNU_FORMAT) as tar:
        for file in sorted(root.rglob("*")):
            tar.add(file, arcname=f"{root.name}/{file.relative_to(root)}", recursive=False, filter=plain)
    with path.open("wb") as out, gzip.GzipFile(fileobj=out, mode="wb", compresslevel=6, mtime=0, filename="") as packed:
        packed.write(content.getbuffer())


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("-o", "--output", type=pathlib.Path, default=REPOSITORY / "build/packages")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder) / f"cutaway-{version()}-linux-{platform.machine()}"
        root.mkdir()
        install(options.build.resolve(), root)
        brought = bring_libraries(root, root / "lib/portable")
        newest = minor_version(elf_files(root), "GLIBC_2")
        add_c_library(root)
        add_starters(root, newest)
        licences = root / "share/doc/cutaway/licences"
        licences.mkdir(parents=True)
        for name, text in licence_files(brought + list((root / "glibc").iterdir())).items():
            (licences / name).write_text(text)
        options.output.mkdir(parents=True, exist_ok=True)
        path = options.output / f"{root.name}.tar.gz"
        archive(root, path)
    print(path)


if __name__ == "__main__":
    main()
