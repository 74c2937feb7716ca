"""The interactive report for notebooks. A process of its own paints it: a kernel may have a window system of another kind."""

from __future__ import annotations

import html
import os
import pathlib
import shutil
import subprocess
import tempfile

from .models import AnyModel, place_and_content

_HEIGHT = 760  # pixels of the frame in a notebook


def program() -> str:
    """``cutaway-cli``: the one inside of this package, or the one on PATH. LookupError."""
    inside = pathlib.Path(__file__).parent / "bin" / "cutaway-cli"
    found = str(inside) if inside.exists() else shutil.which("cutaway-cli")
    if found is None:
        raise LookupError("cutaway-cli is neither in this package nor on PATH")
    return found


def of(model: AnyModel, configuration: str, trace: str | None) -> str:
    """The page about a walk with this configuration; with a trace its times are on it. LookupError says why there is none."""
    path, content = place_and_content(model)
    with tempfile.TemporaryDirectory(prefix="cutaway-") as folder:
        place = pathlib.Path(folder)
        if content is not None:
            path = os.fspath(place / "model.onnx")
            pathlib.Path(path).write_bytes(content)
        words = [program(), "report", path, "-o", os.fspath(place / "page.html")]
        if configuration.lstrip().startswith("{"):
            (place / "configuration.json").write_text(configuration, encoding="utf-8")
            configuration = os.fspath(place / "configuration.json")
        if configuration:
            words += ["--config", configuration]
        if trace is not None:
            (place / "trace.json").write_text(trace, encoding="utf-8")
            words += ["--read", os.fspath(place / "trace.json")]
        done = subprocess.run(words, capture_output=True, text=True, errors="replace", stdin=subprocess.DEVNULL, check=False)
        if done.returncode != 0:
            raise LookupError(f"the page could not be made: {done.stderr.strip()}")
        return (place / "page.html").read_text(encoding="utf-8")


def frame(content: str) -> str:
    """A page inside of another: its script and style stay in there, and it may open nothing."""
    return f'<iframe style="width:100%;height:{_HEIGHT}px;border:1px solid #8884" sandbox="allow-scripts" srcdoc="{html.escape(content, quote=True)}"></iframe>'
