"""How a session is made: providers, optimisation level, order and what else ``cutaway-cli --config`` takes."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Mapping, Sequence
from typing import Any, Union


@dataclasses.dataclass(frozen=True)
class Configuration:
    """What is named is set; what is None stays as the engine has it.

    :param providers: execution providers, highest priority first, as ``name``, ``name(argument)`` or ``name{key=value}``; ``cpu`` is always last
    :param provider_options: options by provider, such as ``{"openvino": {"device": "CPU"}}``
    :param dims: symbolic dimensions and their sizes
    :param opt_level: 0 to 3
    :param threads: for one run; 0: all cores
    :param inter_threads: workers of the dataflow executor; 0: automatic
    :param executor: ``"sequential"`` or ``"dataflow"``
    :param order: ``"default"``, ``"priority"``, ``"memory"``, ``"fifo"``, ``"onnxruntime"``
    :param precision: ``"f32"``, ``"f16"``, ``"bf16"``, for the first provider that lets its user choose
    :param pins: nodes assigned to one provider, such as ``{"operator": "Resize", "provider": "cpu"}``
    :param minimum_group_nodes: smaller compiled groups go to the next provider
    :param in_place: False: nothing is written over its input
    :param keys: session keys of ONNX Runtime
    """

    providers: Sequence[str] | str | None = None
    provider_options: Mapping[str, Mapping[str, str | int | bool]] | None = None
    dims: Mapping[str, int] | None = None
    opt_level: int | None = None
    threads: int | None = None
    inter_threads: int | None = None
    executor: str | None = None
    order: str | None = None
    precision: str | None = None
    pins: Sequence[Mapping[str, str]] | None = None
    minimum_group_nodes: int | None = None
    in_place: bool | None = None
    keys: Mapping[str, str] | None = None

    def to_json(self) -> str:
        """The file that ``cutaway-cli --config FILE.json`` reads."""
        content: dict[str, Any] = {"schema": "cutaway.configuration/1"}
        for field in dataclasses.fields(self):
            value = getattr(self, field.name)
            if value is not None:
                content[_MEMBERS.get(field.name, field.name)] = value
        if isinstance(self.providers, str):
            content["providers"] = [self.providers]
        elif self.providers is not None:
            content["providers"] = list(self.providers)
        return json.dumps(content, default=_plain)


_MEMBERS = {"provider_options": "options"}
AnyConfiguration = Union[Configuration, str, None]


def _plain(value: object) -> object:
    """What json does not know: mappings and sequences of other kinds."""
    if isinstance(value, Mapping):
        return dict(value)
    if isinstance(value, Sequence):
        return list(value)
    raise TypeError(f"{value!r} cannot stand in a configuration")


def text_of(configuration: AnyConfiguration, changes: Mapping[str, Any]) -> str:
    """For the engine: a configuration, or a line or file name, or the members given as keywords."""
    if isinstance(configuration, str):
        if changes:
            raise TypeError("a configuration that is a text cannot be changed by keywords: " + ", ".join(sorted(changes)))
        return configuration
    return dataclasses.replace(configuration or Configuration(), **changes).to_json()
