"""Reports: the JSON of the engine, its lists as tables, and a page to look at in a notebook."""

from __future__ import annotations

import html
import json
from collections.abc import Iterator, Mapping
from typing import Any

from . import _engine, page
from .models import AnyModel

Row = dict[str, Any]

# Lists whose rows name a node or value by its place, and the graphs that it is a place in.
_GRAPHS_OF = {"partition.nodes": "optimized_graphs", "run.nodes": "partitioned_graphs", "resolve.values": "graphs"}
_NESTED = ("schedule.graphs", "allocate.graphs", "pattern.graphs")  # one entry a graph, with lists inside


class Report(Mapping[str, Any]):
    """A mapping with the members of the JSON report; schemas in ``share/cutaway/schemas``.

    ``report.tables()`` names its tables, ``report.table(name)`` gives one as a list of rows for ``pandas.DataFrame``. In a
    notebook it shows itself as the interactive report.
    """

    def __init__(self, content: Mapping[str, Any], *, model: AnyModel | None = None, configuration: str = "", trace: str | None = None) -> None:
        self._content = content
        self._model = model
        self._configuration = configuration
        #: A Chrome trace of the fastest run, of a profile; None otherwise. Perfetto opens it.
        self.trace = trace

    def __getitem__(self, key: str) -> Any:
        return self._content[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._content)

    def __len__(self) -> int:
        return len(self._content)

    def tables(self) -> list[str]:
        """The names of all tables: places in the JSON, such as ``partition.nodes``."""
        found = [name for name, value in self._content.items() if _is_table(value) and not name.endswith("graphs") and not name.endswith("costs")]
        for stage, content in self._content.items():
            if isinstance(content, Mapping):
                found += [f"{stage}.{name}" for name, value in content.items() if _is_table(value) and f"{stage}.{name}" not in _NESTED]
        for name in _NESTED:
            inside = {key for entry in self._entries(name) or [] for key, value in entry.items() if _is_table(value)}
            found += [f"{name.split('.')[0]}.{key}" for key in sorted(inside)]
        return found

    def table(self, name: str) -> list[Row]:
        """The rows of one table; none where the engine had nothing to tell. Where rows name a node or a value by its place, its name stands beside it.

        KeyError names the tables that there are.
        """
        rows = self._rows(name)
        if rows is None:
            raise KeyError(f"no table {name!r}; there are {', '.join(self.tables())}")
        graphs = self._content.get(self._graphs_of(name), [])
        return [_named(row, graphs) for row in rows]

    def _graphs_of(self, name: str) -> str:
        nested = name.split(".")[0] in ("schedule", "allocate", "pattern")
        return "partitioned_graphs" if nested else _GRAPHS_OF.get(name, "")

    def _entries(self, name: str) -> list[Any] | None:
        stage, _, member = name.partition(".")
        content = self._content.get(stage)
        return content.get(member) if isinstance(content, Mapping) else None

    def _rows(self, name: str) -> list[Row] | None:
        if name in self._content and _is_table(self._content[name]):
            return self._content[name]
        if _is_table(rows := self._entries(name)) and name not in _NESTED:
            return rows
        stage, _, member = name.partition(".")
        graphs = self._entries(f"{stage}.graphs") or []
        nested = [entry for entry in graphs if _is_table(entry.get(member))]
        is_empty = rows == [] or any(entry.get(member) == [] for entry in graphs) or (not graphs and f"{stage}.graphs" in _NESTED and stage in self._content)
        return [{"graph": entry["graph"], **row} for entry in nested for row in entry[member]] or ([] if is_empty else None)

    def page(self) -> str:
        """The interactive report as one HTML page. It is made by ``cutaway-cli``, which opens the model again. LookupError: nothing to make it of."""
        if self._model is None:
            raise LookupError("this report has no page: there is one of a walk or a profile")
        return page.of(self._model, self._configuration, self.trace)

    def __repr__(self) -> str:
        lines = [f"{stage['title']:>18}  {stage['headline']}" for stage in self._content.get("stages", []) if stage["state"] == "done"]
        return "\n".join(lines) if lines else json.dumps(_short(self._content))

    def _repr_html_(self) -> str:
        try:
            return page.frame(self.page())
        except LookupError:
            return f"<pre>{html.escape(repr(self))}</pre>"


def _is_table(value: object) -> bool:
    return isinstance(value, list) and bool(value) and all(isinstance(row, Mapping) for row in value)


def _named(row: Mapping[str, Any], graphs: list[Mapping[str, Any]]) -> Row:
    graph = row.get("graph", 0)
    if not graphs or not isinstance(graph, int) or not 0 <= graph < len(graphs):
        return dict(row)
    named = dict(row)
    nodes, values = graphs[graph]["nodes"], graphs[graph]["values"]
    node, value = row.get("node", -1), row.get("value", -1)
    if isinstance(node, int) and 0 <= node < len(nodes):
        named |= {"node_name": nodes[node]["name"], "op_type": nodes[node]["op_type"]}
    if isinstance(value, int) and 0 <= value < len(values):
        named["value_name"] = values[value]["name"]
    return named


def _short(content: Mapping[str, Any]) -> Row:
    return {name: f"{len(value)} rows" if _is_table(value) else value for name, value in content.items() if not isinstance(value, Mapping)}


def providers() -> Report:
    """The built execution providers, and whether they are usable here."""
    return Report(json.loads(_engine.providers()))
