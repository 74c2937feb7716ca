#!/usr/bin/env python3
"""check_library.py BUILD CMAKE: installs the library, moves it, and builds the example against it outside of the tree; each public header stands alone."""

import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

from built_programs import REPOSITORY, SAMPLE, SANITIZERS, Faults, run

FAULTS = Faults()
EXAMPLE = REPOSITORY / "app/library/example"
PLUGIN = REPOSITORY / "app/library/plugin_example"
WARNINGS = "-DCMAKE_CXX_FLAGS=-Wall -Wextra -Werror"


def check_headers(prefix, scratch):
    """One source a header, with nothing before it, and with the warnings of other projects."""
    headers = sorted(path.relative_to(prefix / "include").as_posix() for path in (prefix / "include").rglob("*.h"))
    FAULTS.expect(len(headers) >= 4, f"installed headers are {headers}")
    for header in headers:
        source = scratch / "header.cpp"
        source.write_text(f"#include <{header}>\n#include <{header}>\n")
        done = run(["g++", "-std=c++20", "-fsyntax-only", "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-I", prefix / "include", source], scratch)
        FAULTS.succeeded(done, f"<{header}> alone")


def check_symbols(library):
    """Public names and OpenMP's functions, and nothing of the engine or of what is linked into it."""
    said = subprocess.run(["nm", "-D", "--defined-only", "-C", library], capture_output=True, text=True, check=True).stdout
    names = [line.split(" ", 2)[2] for line in said.splitlines()]
    strange = [name for name in names if not re.match(r"(typeinfo (name )?for |vtable for )?cutaway::api::|GOMP_|omp_", name)]
    FAULTS.expect(not strange, f"the library shows {strange[:5]} and {max(0, len(strange) - 5)} more")
    FAULTS.expect(any(name.startswith("cutaway::api::Session::run(") for name in names), "the library does not show Session::run")


def check_example(cmake, prefix, scratch):
    source, build = scratch / "their program", scratch / "their build"
    shutil.copytree(EXAMPLE, source)
    done = run([cmake, "-S", source, "-B", build, f"-DCMAKE_PREFIX_PATH={prefix}", WARNINGS + (f" -fsanitize={SANITIZERS}" if SANITIZERS else "")], scratch)
    if not FAULTS.succeeded(done, "find_package(Cutaway)"):
        return
    if not FAULTS.succeeded(run([cmake, "--build", build], scratch), "building the example"):
        return
    sample = REPOSITORY / "resources" / SAMPLE
    done = run([build / "layers", sample, "providers=cpu; threads=1"], scratch)
    if FAULTS.succeeded(done, "the example"):
        FAULTS.expect(re.search(r"(?m)^\S+: float 1 10, first value -?\d", done.stdout), f"the example printed {done.stdout!r}")
        FAULTS.expect("two runs later: 4 outputs" in done.stdout, f"the example printed {done.stdout!r}")
        FAULTS.expect(re.search(r"(?m)^report of \d{4,} bytes, written by version \d+\.\d+\.\d+$", done.stdout), f"the example printed {done.stdout!r}")
    for words, code in (([scratch / "nowhere.onnx"], "NO_SUCHFILE"), ([sample, "providers=nobody"], "INVALID_ARGUMENT"), ([sample, "no-such-word=1"], "INVALID_ARGUMENT")):
        done = run([build / "layers", *words], scratch)
        FAULTS.expect(done.returncode == 1 and done.stderr.startswith(code), f"layers {words}: exit code {done.returncode}, {done.stderr!r}")


def check_plugin(cmake, prefix, scratch):
    """The example of a plug-in, built with the installed header: it shows its entry and needs nothing of the program."""
    source, build = scratch / "their plug-in", scratch / "their plug-in's build"
    shutil.copytree(PLUGIN, source)
    done = run([cmake, "-S", source, "-B", build, f"-DCMAKE_PREFIX_PATH={prefix}", WARNINGS], scratch)
    if not FAULTS.succeeded(done, "find_package(Cutaway) for a plug-in"):
        return
    if not FAULTS.succeeded(run([cmake, "--build", build], scratch), "building the plug-in"):
        return
    said = subprocess.run(["nm", "-D", build / "libplugin_example.so"], capture_output=True, text=True, check=True).stdout
    FAULTS.expect(re.search(r"(?m) T cutaway_plugin$", said), f"the plug-in shows {said!r}")
    FAULTS.expect(not re.search(r" U .*cutaway", said), f"the plug-in needs {said!r}")


def main():
    build, cmake = pathlib.Path(sys.argv[1]).resolve(), sys.argv[2]
    with tempfile.TemporaryDirectory() as folder:
        scratch = pathlib.Path(folder)
        done = run([cmake, "--install", build, "--prefix", scratch / "first", "--component", "library"], scratch)
        if FAULTS.succeeded(done, "cmake --install library"):
            prefix = (scratch / "first").rename(scratch / "moved")
            check_headers(prefix, scratch)
            check_symbols(prefix / "lib/libcutaway.so")
            check_example(cmake, prefix, scratch)
            check_plugin(cmake, prefix, scratch)
    FAULTS.end()


if __name__ == "__main__":
    main()
