#!/usr/bin/env python3
"""tst_journey_models over many models, window sizes and both themes, under Xvfb, with pictures on one page.

    journeys.py [MODEL...] [--out DIR] [--sizes 1440x900 1024x700 4k] [--themes light dark] [--nodes 50000 1000000]

Without models: those of MODELS that lie in the shared corpora, a BERT of 12 layers, a U-Net and a CNN with Q/DQ made
here, and flat graphs of --nodes nodes. "4k" is a screen of 3840x2160 at twice the size of everything. Pictures, what
the test said (times, stalls, memory) and index.html go to --out; the exit status is 1 when a journey failed.
"""
import argparse
import html
import os
import pathlib
import re
import subprocess
import sys

REPOSITORY = pathlib.Path(__file__).resolve().parents[2]
SHARED = REPOSITORY.parent / "shared" / "corpora" / "models"
MODELS = ("ppocr-v3-det", "ppocr-v2-cls", "yolox-nano", "road-segmentation-adas", "ultraface-rfb-320", "mobilenetv2-qdq-int8", "bert-toy-optimized")
MADE = {"bert": ("hidden=96", "heads=12", "ffn=192", "vocab=1000"), "unet": (), "qdq_cnn": ()}
SIZES = {"4k": ("1920x1080", "3840x2160", "2")}  # window in units, screen, scale
PATIENCE_S = 3600


def made(name, folder, *parameters):
    """A model of tests/models/make_models.py, made once."""
    target = folder / "-".join((name, *(parameter.replace("=", "") for parameter in parameters)))
    found = target / f"{name}.onnx"
    if not found.is_file():
        target.mkdir(parents=True, exist_ok=True)
        subprocess.run([sys.executable, REPOSITORY / "tests/models/make_models.py", name, "--out", target, *parameters], check=True)
    return found


def default_models(out, nodes):
    models = [next(iter(sorted((SHARED / name).glob("*.onnx"))), None) for name in MODELS]
    for name, model in zip(MODELS, models):
        if model is None:
            print(f"{name} is not here: no journey through it")
    models = [model for model in models if model]
    models += [made(name, out / "models", *parameters) for name, parameters in MADE.items()]
    return models + [made("flat", out / "models", f"nodes={count}") for count in nodes]


def title_of(model):
    return model.parent.name if SHARED in model.parents or "models" in model.parent.parent.name else model.stem


def journey(model, size, theme, out):
    """The lines that the test printed, and whether it passed."""
    window, screen, scale = SIZES.get(size, (size, None, "1"))
    if screen is None:
        wide, high = map(int, window.split("x"))
        screen = f"{wide + 40}x{high + 40}"
    pictures = out / f"{title_of(model)}-{size}-{theme}"
    pictures.mkdir(parents=True, exist_ok=True)
    environment = {**os.environ, "QT_QPA_PLATFORM": "xcb", "QT_SCALE_FACTOR": scale, "CUTAWAY_MODEL": str(model), "CUTAWAY_SIZE": window,
                   "CUTAWAY_THEME": theme, "CUTAWAY_PICTURES": str(pictures), "QTEST_FUNCTION_TIMEOUT": str(1000 * PATIENCE_S)}
    tests = REPOSITORY / "build" / "release" / "tests" / "gui_tests"
    command = ["xvfb-run", "-a", "-s", f"-screen 0 {screen}x24", tests, "tst_journey_models", "fromDropToTheme"]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=PATIENCE_S, check=False)
    said = [re.sub(r"^QINFO\s*:\s*\S+\s*", "", line) for line in done.stdout.splitlines() if line.startswith("QINFO")]
    if done.returncode != 0:
        said += [line for line in done.stdout.splitlines() if "FAIL" in line or "Loc:" in line] or done.stderr.splitlines()[-3:]
    return pictures, said, done.returncode == 0


def page(journeys, out):
    parts = ["<!doctype html><meta charset=utf-8><title>Journeys</title><style>body{font:14px sans-serif}img{width:32%;border:1px solid #ccc}</style>"]
    for title, pictures, said, passed in journeys:
        parts.append(f"<h2>{html.escape(title)}{'' if passed else ' - FAILED'}</h2><pre>{html.escape(chr(10).join(said))}</pre>")
        for picture in sorted(pictures.glob("*.png"), key=lambda file: file.stat().st_mtime):
            name = picture.relative_to(out).as_posix()
            parts.append(f'<a href="{name}"><img src="{name}" title="{picture.stem}"></a>')
    (out / "index.html").write_text("\n".join(parts), encoding="utf-8")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("models", nargs="*", type=pathlib.Path)
    parser.add_argument("--out", type=pathlib.Path, default=REPOSITORY / "build" / "out" / "journeys")
    parser.add_argument("--sizes", nargs="+", default=["1440x900", "1024x700", "4k"])
    parser.add_argument("--themes", nargs="+", choices=("light", "dark"), default=["light", "dark"])
    parser.add_argument("--nodes", nargs="*", type=int, default=[50_000, 1_000_000], help="flat graphs of so many nodes")
    asked = parser.parse_args()
    out = asked.out.resolve()
    journeys = []
    for model in [model.resolve() for model in asked.models] or default_models(out, asked.nodes):
        for size in asked.sizes:
            for theme in asked.themes:
                title = f"{title_of(model)}, {size}, {theme}"
                pictures, said, passed = journey(model, size, theme, out)
                journeys.append((title, pictures, said, passed))
                print(f"{'passed' if passed else 'FAILED'}  {title}", *said, sep="\n    ", flush=True)
                page(journeys, out)
    print(f"{sum(passed for *_, passed in journeys)} of {len(journeys)} journeys passed; pictures: {out / 'index.html'}")
    return 0 if all(passed for *_, passed in journeys) else 1


if __name__ == "__main__":
    sys.exit(main())
