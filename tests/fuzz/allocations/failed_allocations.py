#!/usr/bin/env python3
"""failed_allocations.py PRELOAD [--sites N] [--verb NAME] [--only NUMBER]: no allocation that fails ends the program badly.

Each verb runs once to learn where its allocations come from (distinct call stacks from main() on); then it runs again for
N of these sites (default: 40, drawn with a fixed seed; --sites 0: all of them; those that several verbs share with the first), each time with that one allocation failing. The program
must end by itself, without a signal: with its ordinary output and files, or with a message that speaks of memory and holds no text of
the C++ library. How many messages name the size, and how many the node, is told with each verb. The window, which does not end by itself, may go on instead. Signals in libraries are counted apart, as they are not ours to mend: oneDNN
2.6 uses what malloc did not give, nlohmann/json 3.11 allocates in its destructor, NVIDIA's static runtime registers kernels in what it did not get, Qt and what it draws with do not ask whether there was memory, and GLib, which runs under Qt, ends the program by itself.
Last line: `N passed, N failed, N ended in libraries`.
"""

import argparse
import collections
import concurrent.futures
import hashlib
import itertools
import os
import pathlib
import random
import re
import subprocess
import sys
import tempfile
import time

REPOSITORY = pathlib.Path(__file__).resolve().parents[3]
sys.path.insert(0, str(REPOSITORY / "tests" / "models"))
from cutaway_cli import DONE, default_cli  # noqa: E402

CLI = default_cli()
MODEL = str(REPOSITORY / "resources" / "samples" / "digits_cnn" / "model.onnx")
VERBS = {
    "inspect": ("inspect", MODEL),
    "json": ("partition", MODEL, "--json", "--providers", "onednn,cpu"),
    "run": ("run", MODEL, "--random", "7", "--threads", "2"),
    "groups": ("run", MODEL, "--random", "7", "--threads", "1", "--providers", "onednn,cpu"),
    "context": ("context", MODEL, "--providers", "onednn,cpu", "-o", "{folder}/made.onnx", "--force"),
    "optimize": ("optimize", MODEL, "--save", "{folder}/made.onnx"),
    "compare": ("compare", MODEL, "--random", "7", "--a", "providers=cpu", "--b", "providers=onednn,cpu"),
    "report": ("report", MODEL, "-o", "{folder}/made.html"),
    "profile": ("profile", MODEL, "--random", "7", "--runs", "1", "--trace", "{folder}/made.json"),
    "providers": ("providers",),
}
CHANGES = ("profile",)  # measured times: only how they end is looked at
WINDOW = CLI.parent / "cutaway"
STARTED = 60.0  # seconds at most until the window is there and its model is walked
SETTLED = 2.0  # seconds without another site: it is
GOES_ON = 1.0  # seconds after the failure
LIBRARY_TEXT = re.compile(r"std::|bad_alloc|basic_string|vector::|what\(\)|terminate")
IN_LIBRARY = "ends in a library"
LIBRARIES = ("libdnnl", "libQt6", "libpcre2", "libfontconfig", "libfreetype", "libharfbuzz", "libglib")
SHARED_BY_ALL = ("fail_allocation", "libstdc++", "libc.so", "(_Znwm", "(posix_memalign")  # the last are the program's own, which libraries use, too
HANGS = 60  # seconds of a run that takes 50 ms; fontconfig keeps a lock where memory was refused
JSON_DESTRUCTOR = "::json_value::destroy("
CUDA_RUNTIME = "libcudart_static_"  # registers kernels while the module is loaded
NAMED = {"size": re.compile(r"\b\d+ bytes\b"), "node": re.compile(r"\bin \w+ '[^']*'\)|node '")}
TIMES = re.compile(r'"\w*time_ns": [0-9]+|' r" *[0-9.,]+ ?(ns|us|µs|ms|s)\b")


class Failing:
    def __init__(self, preload, arguments, changes=False):
        self.preload, self.arguments, self.changes = preload, arguments, changes
        self.told = collections.Counter()  # of the messages: how many there were, name the size, name the node

    def run(self, **settings):
        with tempfile.TemporaryDirectory() as folder:
            command = [CLI, *(each.format(folder=folder) if "{" in each else each for each in self.arguments)]
            environment = dict(os.environ, LD_PRELOAD=self.preload, HOME=folder, **settings)
            done = subprocess.run(command, env=environment, capture_output=True, timeout=HANGS)
            names = [each for each in os.listdir(folder) if "made" in each]
            made = {each: hashlib.sha256(pathlib.Path(folder, each).read_bytes()).hexdigest() for each in names if not each.startswith(".")}
            return done.returncode, self.plain(done.stdout, folder), self.plain(done.stderr, folder), [each for each in names if each.startswith(".")], made

    @staticmethod
    def plain(output, folder):
        return TIMES.sub("TIME", output.decode("utf-8", errors="strict").replace(folder, "FOLDER"))

    def sites(self):
        """Number of the allocation -> its call stack."""
        with tempfile.NamedTemporaryFile("r") as told:
            self.ordinary = self.run(ALLOCATION_SITES=told.name)
            again = self.run()[4]
            self.steady = {name: content for name, content in self.ordinary[4].items() if again.get(name) == content}
            return {int(number): stack for number, _, stack in map(str.split, told)}

    def is_in_library(self, trace):
        """Whether the allocation was asked for by a library (the first frame outside the preloaded one and those of the languages), or by a
        destructor of nlohmann/json (the first frame or, when that is of a std::vector, the next) or the CUDA runtime inside of a module."""
        outer = self.outer(trace)[:2]
        return bool(outer) and (any(name in outer[0] for name in LIBRARIES) or any(JSON_DESTRUCTOR in function or function.startswith(CUDA_RUNTIME) for function in self.functions(outer)))

    @staticmethod
    def outer(trace):
        return [line for line in trace.splitlines() if not any(name in line for name in SHARED_BY_ALL)]

    @staticmethod
    def functions(frames):
        """Names of the functions of the program and its modules in these frames; the last instruction of a call is before the address to return to."""
        names = []
        for frame in frames:
            found = re.match(r"(.+)\(\+(0x[0-9a-f]+)\)", frame)
            if found and pathlib.Path(found[1]).parent == pathlib.Path(CLI).parent:
                told = subprocess.run(["addr2line", "-fC", "-e", found[1], hex(int(found[2], 16) - 1)], capture_output=True, text=True, check=True)
                names.append(told.stdout.splitlines()[0])
        return names

    def other_result(self, output, made):
        other = [name for name, content in self.steady.items() if made.get(name) != content]
        return f"says 0 and makes another {', '.join(other)}" if other else "" if self.changes else self.other_output(output)

    def other_output(self, output):
        lines = itertools.zip_longest(self.ordinary[1].splitlines(), output.splitlines(), fillvalue="nothing")
        other = next(((ordinary, said) for ordinary, said in lines if ordinary != said), None)
        if other is None or "memory" in other[1]:  # what cannot be used for want of it is told so
            return ""
        return f"says 0 and another output, '{other[1]}' instead of '{other[0]}'"

    def complaint(self, number):
        """Empty: that failure was taken well. The call stack is of this very run: with several threads the same number is another
        allocation the next time."""
        with tempfile.NamedTemporaryFile("r") as trace:
            return self.complaint_with(number, trace)

    def complaint_with(self, number, trace):
        try:
            code, output, errors, left, made = self.run(FAIL_ALLOCATION=str(number), FAIL_TRACE=trace.name)
        except subprocess.TimeoutExpired:
            return IN_LIBRARY if self.is_in_library(trace.read()) else "hangs"
        except UnicodeDecodeError as error:
            return f"says what is not UTF-8: {error}"
        if code < 0 and self.is_in_library(trace.read()):
            return IN_LIBRARY
        if code < 0:
            return f"ends with signal {-code}: {errors[-200:]}"
        if left:
            return f"leaves {left}"
        if code == DONE:
            return self.other_result(output, made)
        self.told.update(["messages"] + [name for name, words in NAMED.items() if words.search(errors)])
        if LIBRARY_TEXT.search(errors):
            return f"shows the library's words: {errors.strip()[-300:]}"
        return "" if "memory" in errors else f"ends with {code} and says: {errors.strip()[-300:]}"


class FailingWindow(Failing):
    """The start of the window with a model, without a display; ended from outside when it has gone on for a while."""

    def __init__(self, preload):
        super().__init__(preload, None)
        self.seconds = STARTED  # until the ordinary start tells how long it takes

    def run(self, **settings):
        with tempfile.TemporaryDirectory() as folder, open(f"{folder}/errors", "w+", encoding="utf-8", errors="strict") as errors:
            environment = dict(os.environ, LD_PRELOAD=self.preload, HOME=folder, XDG_CONFIG_HOME=folder, XDG_CACHE_HOME=folder, XDG_DATA_HOME=folder, XDG_RUNTIME_DIR=folder,
                               QT_QPA_PLATFORM="offscreen", **settings)
            process = subprocess.Popen([WINDOW, "--new-window", MODEL], env=environment, stdout=subprocess.DEVNULL, stderr=errors)
            trace, begun = settings.get("FAIL_TRACE"), time.monotonic()
            last, told, grown = begun + self.seconds, settings.get("ALLOCATION_SITES"), (0, begun)
            while process.poll() is None and time.monotonic() < last:
                if told and os.path.getsize(told) != grown[0]:
                    grown = os.path.getsize(told), time.monotonic()
                if told and grown[0] and time.monotonic() - grown[1] > SETTLED:
                    self.seconds = 2 * (grown[1] - begun) + SETTLED
                    break
                if trace and os.path.getsize(trace):
                    trace, last = None, time.monotonic() + GOES_ON
                time.sleep(0.02)
            goes_on = process.poll() is None
            process.kill()
            code = process.wait()
            errors.seek(0)
            return DONE if goes_on else code, "", self.plain(errors.read().encode(), folder), [], {}

    def is_in_library(self, trace):
        outer = self.outer(trace)[:1]
        return bool(outer) and not outer[0].startswith(str(WINDOW))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("preload")
    parser.add_argument("--sites", type=int, default=40)
    parser.add_argument("--verb", choices=(*VERBS, "window"), action="append")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--only", type=int)
    options = parser.parse_args()
    passed, kinds, tried = 0, collections.defaultdict(list), set()
    for verb in options.verb or (*VERBS, *(["window"] if WINDOW.exists() else [])):
        failing = FailingWindow(options.preload) if verb == "window" else Failing(options.preload, VERBS[verb], verb in CHANGES)
        sites = failing.sites()
        if failing.ordinary[0] != DONE:
            sys.exit(f"{verb} fails undisturbed: {failing.ordinary[2]}")
        stacks = set(sites.values())
        sites = [number for number, stack in sites.items() if stack not in tried]
        tried |= stacks
        if options.only is not None:
            sites = [options.only]
        elif options.sites and options.sites < len(sites):
            # Half of them from the last tenth of the sites: most come from the tables of operators, which are made first.
            source, half = random.Random(1), options.sites // 2
            cut = len(sites) * 9 // 10
            sites = source.sample(sites[:cut], half) + source.sample(sites[cut:], min(len(sites) - cut, options.sites - half))
        with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
            for number, complaint in zip(sites, pool.map(failing.complaint, sites)):
                kind = re.sub(r"0x[0-9a-f]+|\d+", "N", complaint)
                if complaint and kind not in (IN_LIBRARY, *kinds):
                    print(f"{verb} {number}: {complaint}", flush=True)
                if complaint:
                    kinds[kind].append((verb, number))
                else:
                    passed += 1
        told = failing.told
        print(f"{verb}: {len(stacks)} sites, {len(sites)} tried, {told['messages']} ended with a message: {told['size']} name the size, {told['node']} the node", flush=True)
    failed, in_library = 0, len(kinds.pop(IN_LIBRARY, []))
    for complaint, places in sorted(kinds.items(), key=lambda each: -len(each[1])):
        failed += len(places)
        print(f"{len(places)}x {complaint}\n    such as {', '.join(f'{verb} {number}' for verb, number in places[:5])}")
    print(f"{passed} passed, {failed} failed, {in_library} ended in libraries")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
