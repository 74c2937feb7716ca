"""ELF files of a folder: what they need, which glibc, and the libraries of this machine that a folder must bring along."""

import hashlib
import pathlib
import re
import shutil
import subprocess

# Every Linux of the tagged age has these. Everything else is brought along.
SYSTEM = {"libc.so.6", "libm.so.6", "libdl.so.2", "librt.so.1", "libpthread.so.0", "libresolv.so.2", "libutil.so.1", "ld-linux-x86-64.so.2",
          "ld-linux-aarch64.so.1", "linux-vdso.so.1", "libgcc_s.so.1", "libstdc++.so.6"}


def output_of(*words):
    return subprocess.run(list(map(str, words)), capture_output=True, text=True, check=True).stdout


def is_elf(path):
    if path.is_symlink() or not path.is_file():
        return False
    with path.open("rb") as file:
        return file.read(4) == b"\x7fELF"


def elf_files(folder):
    return sorted(path for path in pathlib.Path(folder).rglob("*") if is_elf(path))


def needed(path):
    """The names of the libraries that a file asks for itself."""
    return re.findall(r"\(NEEDED\).*\[(.+)\]", output_of("readelf", "-d", path))


def found_at(path):
    """Where the loader finds each library that `path` needs, itself or through others. A missing one is an error that names it."""
    found = {}
    for line in output_of("ldd", path).splitlines():
        if match := re.match(r"\s*(\S+) => (\S+) \(", line):
            found[match[1]] = pathlib.Path(match[2])
        elif match := re.match(r"\s*(\S+) => not found", line):
            raise SystemExit(f"{path} needs {match[1]}, which is not there")
    return found


def own_name(name, place):
    """libz.so.1 as libz-1a2b3c4d.so.1: the loader takes a library that is there already under the same name, whatever version it is."""
    stem, dot, rest = name.partition(".so")
    return f"{stem}-{hashlib.sha256(place.read_bytes()).hexdigest()[:8]}{dot}{rest}"


def patch(path, way, names):
    """Lets a file find libraries in the folder that `way` leads to, under their new names."""
    renamed = [word for name in needed(path) if names.get(name, name) != name for word in ("--replace-needed", name, names[name])]
    mode = path.stat().st_mode
    path.chmod(0o755)
    subprocess.run(["strip", "--strip-unneeded", path], check=True)
    if renamed:
        subprocess.run(["patchelf", *renamed, path], check=True)
    subprocess.run(["patchelf", "--set-rpath", f"$ORIGIN/{way}", path], check=True)  # patchelf 0.14 mixes this up with the other
    path.chmod(mode & 0o755 | 0o644)


def bring_libraries(folder, libraries, rename=False):
    """Copies what the ELF files of `folder` need, and Linux does not have, to `libraries`, a folder in it; all of them find it from their own place.

    rename: under names of their own, for a process that others load libraries into. Gives the files of this machine that were copied.
    """
    libraries.mkdir(parents=True, exist_ok=True)
    own = elf_files(folder)
    have = SYSTEM | {path.name for path in own}
    copied = {name: place.resolve() for path in own for name, place in found_at(path).items() if name not in have}
    names = {name: own_name(name, place) if rename else name for name, place in copied.items()}
    for name, place in sorted(copied.items()):
        shutil.copyfile(place, libraries / names[name])
        if rename:
            subprocess.run(["patchelf", "--set-soname", names[name], libraries / names[name]], check=True)
    for path in elf_files(folder):
        patch(path, pathlib.PurePath(*[".."] * len(path.parent.relative_to(folder).parts)) / libraries.relative_to(folder), names)
    return sorted(copied.values())


def minor_version(files, name):
    """The newest version of that name, GLIBC_2 or GLIBCXX_3.4, that one of the files asks for: 34 for GLIBC_2.34."""
    pattern = re.compile(rf"\b{re.escape(name)}\.(\d+)")
    return max(int(minor) for path in files for minor in pattern.findall(output_of("readelf", "-V", "-W", path)) or [0])
