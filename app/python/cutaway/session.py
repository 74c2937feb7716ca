"""A model made ready to run."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any, NamedTuple

from . import _engine
from .arrays import Feeds, arrays_of, feeds_of
from .configuration import AnyConfiguration, text_of
from .models import AnyModel, place_and_content
from .reports import Report


class Value(NamedTuple):
    """An input or output of a model."""

    name: str
    type: str  #: such as ``float[batch,3,224,224]``
    required: bool  #: False: an input that has a default


class Session:
    """Loads, optimises, partitions and plans a model once; runs it any number of times, from any thread.

    >>> session = cutaway.Session("model.onnx", providers=["onednn", "cpu"])
    >>> session.run({"image": pixels})["scores"]
    """

    def __init__(self, model: AnyModel, configuration: AnyConfiguration = None, **changes: Any) -> None:
        self._model = model
        self._text = text_of(configuration, changes)
        self._native = _engine.Session(*place_and_content(model), self._text)

    @property
    def inputs(self) -> list[Value]:
        """In the model's order."""
        return [Value(*each) for each in self._native.inputs()]

    @property
    def outputs(self) -> list[Value]:
        """In the model's order."""
        return [Value(*each) for each in self._native.outputs()]

    def random_feeds(self, seed: int = 0, *, dlpack: bool = False) -> dict[str, Any]:
        """Arrays for all required inputs; the same seed gives the same bytes everywhere. Open dimensions are those of the configuration, or 1."""
        return arrays_of(self._native.random_feeds(seed, not dlpack), dlpack)

    def run(self, feeds: Feeds, *, outputs: Sequence[str] = (), keep: Sequence[str] = (), timeout: float = 0, dlpack: bool = False) -> dict[str, Any]:
        """One run. Gives arrays by name.

        :param feeds: numpy arrays or whatever has ``__dlpack__``, by input; read where they lie
        :param outputs: those wanted; empty: all
        :param keep: values inside of the model to give too; ``["all"]`` keeps every one
        :param timeout: seconds after which the run ends with an :class:`Error`; 0: no limit
        :param dlpack: give objects for ``torch.from_dlpack`` and the like, not numpy arrays
        """
        values = self._native.run(feeds_of(feeds), list(outputs), list(keep), int(timeout * 1e9), not dlpack)
        return arrays_of(values, dlpack)

    def profile(self, feeds: Feeds | None = None, *, runs: int = 10, warmups: int = 1, seed: int = 0) -> Report:
        """Times of every node, measured by repeated runs; without feeds by random ones."""
        given = feeds_of(feeds) if feeds is not None else _as_feeds(self._native.random_feeds(seed, True))
        report, trace = self._native.profile(given, runs, warmups)
        return Report(json.loads(report), model=self._model, configuration=self._text, trace=trace)

    def report(self) -> Report:
        """All stages, as :func:`cutaway.inspect` gives them."""
        return Report(json.loads(self._native.report()), model=self._model, configuration=self._text)


def _as_feeds(values: list[tuple[str, str, Any]]) -> list[tuple[str, object, str]]:
    return [(name, value, kind) for name, kind, value in values]
