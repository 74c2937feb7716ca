#!/usr/bin/env python3
"""check_install.py BUILD CMAKE: installs the build into a prefix, moves the prefix, runs what is in it, and takes it away again."""

import json
import os
import pathlib
import re
import sys
import tempfile

from built_programs import REPOSITORY, SAMPLE, Faults, python_environment, run

PROGRAMS = ("cutaway-cli", "ep_weight_sharing_ctx_gen")
FAULTS = Faults()


def install(build, cmake, prefix, component=None):
    words = [cmake, "--install", build, "--prefix", prefix] + (["--component", component] if component else [])
    done = run(words, prefix.parent)
    return FAULTS.succeeded(done, f"cmake --install {component or ''}")


def files_of(prefix):
    return {str(path.relative_to(prefix)) for path in prefix.rglob("*") if not path.is_dir()}


def check_version(prefix, program, build):
    done = run([prefix / "bin" / program, "--version"], prefix)
    if not FAULTS.succeeded(done, f"{program} --version"):
        return
    number = re.search(r"project\(cutaway VERSION ([0-9.]+)", (REPOSITORY / "CMakeLists.txt").read_text())[1]
    lines = done.stdout.splitlines()
    FAULTS.expect(lines[0] == f"{program} {number}", f"{program} --version begins with {lines[0]!r}")
    facts = dict(line.split(": ", 1) for line in lines[1:] if ": " in line)
    FAULTS.expect(set(facts) == {"commit", "compiler", "libraries", "module openvino", "module cuda", "module onnxruntime"},
                  f"{program} --version has {sorted(facts)}")
    FAULTS.expect(facts.get("module onnxruntime") == str(prefix / "lib/cutaway/cutaway-ort-host"),
                  f"{program}: the host of ONNX Runtime is {facts.get('module onnxruntime')}")
    for module in ("openvino", "cuda"):
        file = prefix / f"lib/cutaway/libcutaway_{module}.so"
        FAULTS.expect(facts.get(f"module {module}") == (str(file) if file.exists() else "not there"),
                      f"{program}: module {module} is {facts.get(f'module {module}')}")
    FAULTS.expect(re.fullmatch(r"onnx \d.*, oneDNN \d.*, protobuf \d.*", facts.get("libraries", "")), f"libraries: {facts.get('libraries')}")
    FAULTS.expect(str(build) not in done.stdout, f"{program} --version names the build folder")


def check_command_line(prefix, scratch):
    cli, samples = prefix / "bin/cutaway-cli", prefix / "share/cutaway/samples"
    FAULTS.succeeded(run([cli, "inspect", prefix / "share/cutaway" / SAMPLE], scratch), "inspect")
    FAULTS.succeeded(run([cli, "check", samples], scratch), "check of the samples")
    partition = run([cli, "partition", prefix / "share/cutaway" / SAMPLE, "--providers", "declared(QNN-HTP),cpu"], scratch)
    FAULTS.succeeded(partition, "a shipped profile")
    done = run([cli, "thumbnail", prefix / "share/cutaway" / SAMPLE, scratch / "small", "--size", "64"], scratch)
    if FAULTS.succeeded(done, "thumbnail"):
        FAULTS.expect((scratch / "small").read_bytes()[:4] == b"\x89PNG", "the thumbnail is no PNG")


def check_host(prefix, scratch):
    environment = python_environment()
    words = [prefix / "bin/cutaway-cli", "run", prefix / "share/cutaway" / SAMPLE, "--random", "1", "--providers", "onnxruntime,cpu"]
    without = run(words, scratch)
    said = without.stdout + without.stderr
    FAULTS.expect(str(REPOSITORY / "build") not in said, f"an installed program looks into the build folder: {said}")
    if environment is None:
        print("ONNX Runtime is not in build/env: the host is found, and not started")
        return
    FAULTS.succeeded(run(words, scratch, CUTAWAY_ONNXRUNTIME_DIR=str(environment)), "run in ONNX Runtime's host")


def check_window(prefix, scratch):
    tour = scratch / "tour"
    tour.mkdir()
    done = run([prefix / "bin/cutaway", "--tour", tour, prefix / "share/cutaway" / SAMPLE], scratch)
    if FAULTS.succeeded(done, "the window's tour"):
        FAULTS.expect(len(list(tour.glob("*.png"))) >= 8, f"the tour has {sorted(path.name for path in tour.iterdir())}")
    manual = prefix / "share/cutaway/manual.html"
    FAULTS.expect(manual.exists() and manual.stat().st_size > 100_000, "the manual is not there")


def check_component(build, cmake, scratch):
    prefix = scratch / "command_line_only"
    if not install(build, cmake, prefix, "cli"):
        return
    files = files_of(prefix)
    FAULTS.expect("bin/cutaway" not in files and "bin/cutaway-cli" in files, "component cli has the window, or no cutaway-cli")
    FAULTS.expect(not any(file.startswith("lib/") for file in files), "component cli has modules")
    done = run([prefix / "bin/cutaway-cli", "inspect", prefix / "share/cutaway" / SAMPLE], scratch)
    FAULTS.succeeded(done, "inspect without modules")
    FAULTS.succeeded(run([prefix / "share/cutaway/uninstall.sh"], scratch), "uninstall.sh of one component")
    FAULTS.expect(not prefix.exists() or not files_of(prefix), "uninstall.sh left files of the component")


def bill_of(folder):
    done = run([sys.executable, "-B", REPOSITORY / "packaging/portable/bill_of_materials.py", folder.name, folder], folder)
    return json.loads(done.stdout) if FAULTS.succeeded(done, f"bill of materials of {folder.name}") else {"packages": [], "files": []}


def check_bill(prefix, scratch):
    """What a prefix has inside: every file, and what its programs are linked with; a folder without programs has nobody else's work in it."""
    bill = bill_of(prefix)
    FAULTS.expect({file["fileName"].removeprefix("./") for file in bill["files"]} == {name for name in files_of(prefix) if not (prefix / name).is_symlink()}, "the bill of materials lists other files than there are")
    FAULTS.expect({"nlohmann-json3-dev", "onnx"} <= {package["name"] for package in bill["packages"]}, "the bill of materials leaves out what programs are linked with")
    if (prefix / "lib/cutaway/libcutaway_cuda.so").exists():
        FAULTS.expect({"cudart_static", "nvidia-cudnn-frontend"} <= {package["name"] for package in bill["packages"] if package["versionInfo"]},
                      "the bill of materials leaves out what the CUDA module is linked with")
    pages = scratch / "pages"
    pages.mkdir()
    (pages / "page.html").write_text("<p>words</p>")
    FAULTS.expect([package["name"] for package in bill_of(pages)["packages"]] == ["pages"], "a page is said to have libraries inside")


def check_uninstall(prefix, scratch):
    listed = set((prefix / "share/cutaway/installed.txt").read_text().split("\n")) - {""}
    FAULTS.expect(listed == files_of(prefix), f"installed.txt is not what is there: {sorted(listed ^ files_of(prefix))[:5]}")
    own, outside = prefix / "share/cutaway/samples/mine.txt", scratch / "outside"
    own.write_text("of the user")
    outside.write_text("outside of the prefix")
    with open(prefix / "share/cutaway/installed.txt", "a", encoding="utf-8") as file:
        file.write("../../outside\n")
    FAULTS.succeeded(run([prefix / "share/cutaway/uninstall.sh"], scratch), "uninstall.sh")
    FAULTS.expect(files_of(prefix) == {"share/cutaway/samples/mine.txt"}, f"uninstall.sh left {sorted(files_of(prefix))[:5]}")
    FAULTS.expect(outside.exists(), "uninstall.sh removed a file outside of its prefix")
    folders = {str(path.relative_to(prefix)) for path in prefix.rglob("*") if path.is_dir()}
    FAULTS.expect(folders == {"share", "share/cutaway", "share/cutaway/samples"}, f"uninstall.sh left the folders {sorted(folders)}")


def main():
    build, cmake = pathlib.Path(sys.argv[1]).resolve(), sys.argv[2]
    with tempfile.TemporaryDirectory() as folder:
        scratch = pathlib.Path(folder).resolve()
        first = scratch / "first/prefix"
        first.parent.mkdir()
        if not install(build, cmake, first):
            FAULTS.end()
        prefix = scratch / "moved to" / "a place"
        prefix.parent.mkdir()
        os.rename(first, prefix)
        for program in (*PROGRAMS, *(["cutaway"] if (prefix / "bin/cutaway").exists() else [])):
            check_version(prefix, program, build)
        check_command_line(prefix, scratch)
        check_bill(prefix, scratch)
        check_host(prefix, scratch)
        if (prefix / "bin/cutaway").exists():
            check_window(prefix, scratch)
        check_component(build, cmake, scratch)
        check_uninstall(prefix, scratch / "moved to")
    FAULTS.end()


if __name__ == "__main__":
    main()
