"""One call for one question: each opens the model, answers, and closes it."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from typing import Any

from . import _engine
from .arrays import Feeds, feeds_of
from .configuration import AnyConfiguration, text_of
from .models import AnyModel, place_and_content
from .reports import Report
from .session import Session

_PARTITION, _PATTERN = 3, 6  # places in the walk: load, resolve, optimize, partition, schedule, allocate, pattern


def _walk(model: AnyModel, configuration: AnyConfiguration, changes: dict[str, Any], last: int) -> Report:
    text = text_of(configuration, changes)
    return Report(json.loads(_engine.walk_report(*place_and_content(model), text, last)), model=model, configuration=text)


def inspect(model: AnyModel, configuration: AnyConfiguration = None, **changes: Any) -> Report:
    """Every stage without running; as ``cutaway-cli inspect``."""
    return _walk(model, configuration, changes, _PATTERN)


def partition(model: AnyModel, configuration: AnyConfiguration = None, **changes: Any) -> Report:
    """Which provider takes which node, and why the others refused; as ``cutaway-cli partition``."""
    return _walk(model, configuration, changes, _PARTITION)


def plan(model: AnyModel, configuration: AnyConfiguration = None, **changes: Any) -> Report:
    """Order, allocation and memory pattern; as ``cutaway-cli order``, ``allocate`` and ``pattern`` together."""
    return _walk(model, configuration, changes, _PATTERN)


def run(model: AnyModel, feeds: Feeds, configuration: AnyConfiguration = None, *, outputs: Sequence[str] = (), keep: Sequence[str] = (),
        dlpack: bool = False, **changes: Any) -> dict[str, Any]:
    """One run, as :meth:`Session.run`. For many runs make a :class:`Session`."""
    return Session(model, configuration, **changes).run(feeds, outputs=outputs, keep=keep, dlpack=dlpack)


def profile(model: AnyModel, feeds: Feeds | None = None, configuration: AnyConfiguration = None, *, runs: int = 10, warmups: int = 1, seed: int = 0,
            **changes: Any) -> Report:
    """Times of every node; as ``cutaway-cli profile``. Without feeds by random ones of this seed."""
    return Session(model, configuration, **changes).profile(feeds, runs=runs, warmups=warmups, seed=seed)


def compare(model: AnyModel, a: AnyConfiguration, b: AnyConfiguration, feeds: Feeds | None = None, *, rtol: float = 1e-3, atol: float = 1e-5, seed: int = 0,
            layers: bool = False, save_failing: str | os.PathLike[str] | None = None) -> Report:
    """Two configurations on the same inputs, value by value; as ``cutaway-cli compare``.

    :param feeds: inputs; those left out are random ones of `seed`
    :param layers: keep every value on both sides, so that none is fused away
    :param save_failing: a folder for the smallest failing submodel, as a test case
    """
    path, content = place_and_content(model)
    failing = "" if save_failing is None else os.fspath(save_failing)
    text = _engine.compare(path, content, text_of(a, {}), text_of(b, {}), feeds_of(feeds or {}), rtol, atol, seed, layers, failing)
    return Report(json.loads(text))


def export_context(model: AnyModel, output: str | os.PathLike[str], configuration: AnyConfiguration = None, *, embed: bool = False,
                   replace: bool = False, **changes: Any) -> Report:
    """Writes a model whose groups are compiled (EPContext); as ``cutaway-cli context -o``.

    :param embed: contexts inside the model, not in a file beside it
    :param replace: an existing file; otherwise it is left alone and an :class:`Error` says so
    """
    path, content = place_and_content(model)
    return Report(json.loads(_engine.export_context(path, content, os.fspath(output), text_of(configuration, changes), embed, replace)))
