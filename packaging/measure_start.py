#!/usr/bin/env python3
"""measure_start.py [PROGRAM...] [--model MODEL] [--runs N] [--cold]: how soon the window shows its first picture, and how soon the picture rests.

Each PROGRAM (build/release/bin/cutaway) is started N times in turn with the others, in an Xvfb of its own with settings of its own, after one start that does not
count. Looked at is the screen itself, every 2 ms, but for the pointer. Medians, smallest and largest; processor seconds of the program with all its threads.

--cold: before every start the kernel is asked to forget the program's files and its libraries' (those that other programs have open stay).
"""

import argparse
import mmap
import os
import pathlib
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

REPOSITORY = pathlib.Path(__file__).resolve().parents[1]
WIDTH, HEIGHT = 1440, 900
RESTS = 1.0  # seconds without a change
PATIENCE = 60.0
POINTER = 32  # pixels around the middle of the screen, where the pointer stands


class Screen:
    """An Xvfb whose pixels lie in a file."""

    def __init__(self, folder):
        reader, writer = os.pipe()
        self.server = subprocess.Popen(["Xvfb", "-displayfd", str(writer), "-screen", "0", f"{WIDTH}x{HEIGHT}x24", "-fbdir", folder, "-nolisten", "tcp"],
                                       pass_fds=[writer], stderr=subprocess.DEVNULL)
        os.close(writer)
        with os.fdopen(reader) as told:
            self.display = ":" + told.readline().strip()
        with open(pathlib.Path(folder) / "Xvfb_screen0", "rb") as file:
            self.memory = mmap.mmap(file.fileno(), 0, prot=mmap.PROT_READ)
        self.start = len(self.memory) - WIDTH * HEIGHT * 4

    def picture(self):
        """All lines but those of the pointer, as bytes."""
        middle, line = HEIGHT // 2, WIDTH * 4
        return self.memory[self.start:self.start + (middle - POINTER) * line] + self.memory[self.start + (middle + POINTER) * line:]

    def close(self):
        self.memory.close()
        self.server.terminate()
        self.server.wait()


def files_of(program):
    """The program and the libraries that it is linked with; Qt opens its plug-ins besides."""
    said = subprocess.run(["ldd", program], capture_output=True, text=True, check=True).stdout
    return [pathlib.Path(program), *(pathlib.Path(path) for path in re.findall(r"=> (/\S+)", said))]


def forget(files):
    for path in files:
        descriptor = os.open(path, os.O_RDONLY)
        os.posix_fadvise(descriptor, 0, 0, os.POSIX_FADV_DONTNEED)
        os.close(descriptor)


def processor_seconds(process):
    fields = pathlib.Path(f"/proc/{process.pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def started(program, model, screen, environment):
    """Seconds to the first picture, to the last change of it, and of the processors."""
    empty = screen.picture()
    began = time.perf_counter()
    process = subprocess.Popen([program, "--new-window", model], env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    first = changed = None
    last, used = empty, 0.0
    while (now := time.perf_counter() - began) < PATIENCE and process.poll() is None:
        picture = screen.picture()
        if picture != last:
            last, changed = picture, now
            first = first or now
            used = processor_seconds(process)
        if first and now - changed > RESTS:
            break
        time.sleep(0.002)
    process.terminate()
    process.wait()
    if first is None:
        sys.exit(f"{program} showed nothing")
    while screen.picture() != empty:
        time.sleep(0.02)
    return first, changed, used


def words(values):
    return f"{statistics.median(values) * 1000:.0f} ms ({min(values) * 1000:.0f} to {max(values) * 1000:.0f})"


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("programs", nargs="*", default=[str(REPOSITORY / "build/release/bin/cutaway")])
    parser.add_argument("--model", default=str(REPOSITORY / "resources/samples/digits_cnn/model.onnx"))
    parser.add_argument("--runs", type=int, default=10)
    parser.add_argument("--cold", action="store_true")
    options = parser.parse_args()
    for tool in ("Xvfb", "ldd"):
        if shutil.which(tool) is None:
            sys.exit(f"there is no {tool}: apt-get install xvfb libc-bin")
    with tempfile.TemporaryDirectory() as folder:
        screen = Screen(folder)
        home = pathlib.Path(folder) / "home"
        home.mkdir()
        environment = {**{name: value for name, value in os.environ.items() if name == "PATH" or name.startswith("CUTAWAY_")}, "HOME": str(home), "LANG": "C.UTF-8", "DISPLAY": screen.display, "QT_QPA_PLATFORM": "xcb"}
        results = {program: [] for program in options.programs}
        for run in range(options.runs + 1):
            for program in options.programs:
                if options.cold:
                    forget(files_of(program))
                result = started(program, options.model, screen, environment)
                if run > 0:
                    results[program].append(result)
        screen.close()
    for program, measured in results.items():
        first, rests, used = zip(*measured)
        print(f"{program}{', cold' if options.cold else ', warm'}: first picture after {words(first)}, at rest after {words(rests)}, "
              f"processor {words(used)}; {len(measured)} starts, load {os.getloadavg()[0]:.1f}")


if __name__ == "__main__":
    main()
