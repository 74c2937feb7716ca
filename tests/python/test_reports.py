"""Reports: their members, tables, pages and files."""

import json
import pathlib

import cutaway
import numpy
import pytest


def test_inspect_has_all_stages(cnn):
    report = cutaway.inspect(cnn)
    assert report["schema_version"] == 1
    assert [stage["stage"] for stage in report["stages"] if stage["state"] == "done"] == ["load", "resolve", "optimize", "partition", "schedule", "allocate", "pattern"]
    assert "Partition" in repr(report)


def test_partition_stops_there(cnn):
    report = cutaway.partition(cnn)
    assert "partition" in report and "allocate" not in report


def test_a_plan_has_its_tables(cnn):
    report = cutaway.plan(cnn, dims={"batch": 1})
    assert {"schedule.steps", "allocate.values", "pattern.blocks"} <= set(report.tables())
    open_report = cutaway.plan(cnn)  # the batch is not known: nothing can be placed yet, and no table is missing
    assert open_report.table("pattern.blocks") == [] and open_report.table("partition.copies") == []


def test_bytes_and_files_are_the_same_model(cnn):
    by_file, by_bytes = cutaway.inspect(cnn), cutaway.inspect(pathlib.Path(cnn).read_bytes())
    assert by_file["graphs"] == by_bytes["graphs"]

    class Proto:
        def SerializeToString(self):
            return pathlib.Path(cnn).read_bytes()

    assert cutaway.inspect(Proto())["graphs"] == by_file["graphs"]


def test_every_table_becomes_a_frame(cnn):
    pandas = pytest.importorskip("pandas")
    report = cutaway.profile(cnn, runs=3)
    assert "run.nodes" in report.tables()
    for name in report.tables():
        frame = pandas.DataFrame(report.table(name))
        assert len(frame) == len(report.table(name)) > 0, name
    nodes = pandas.DataFrame(report.table("partition.nodes"))
    assert set(nodes["provider"]) == {"cpu"} and "Conv" in set(nodes["op_type"].str.replace("Fused", "")) | set(nodes["op_type"])


def test_rows_have_the_names_of_what_they_count(cnn):
    report = cutaway.plan(cnn)
    graph = report["partitioned_graphs"][0]
    rows = report.table("allocate.values")
    assert rows and all(row["value_name"] == report["partitioned_graphs"][row["graph"]]["values"][row["value"]]["name"] for row in rows)
    assert [row["node_name"] for row in report.table("schedule.steps") if row["graph"] == 0] == [graph["nodes"][step["node"]]["name"] for step in report["schedule"]["graphs"][0]["steps"]]


def test_a_table_that_is_none_names_those_there_are(cnn):
    with pytest.raises(KeyError, match="partition.nodes"):
        cutaway.partition(cnn).table("nothing")


def test_configurations(cnn, tmp_path):
    by_keyword = cutaway.partition(cnn, opt_level=0)
    assert by_keyword["optimize"]["level"] == 0
    assert cutaway.partition(cnn, "opt-level=0")["optimize"]["level"] == 0
    configuration = cutaway.Configuration(opt_level=1, providers=["cpu"], keys={"session.disable_cpu_ep_fallback": "0"})
    file = tmp_path / "configuration.json"
    file.write_text(configuration.to_json())
    assert cutaway.partition(cnn, configuration)["optimize"]["level"] == cutaway.partition(cnn, str(file))["optimize"]["level"] == 1
    with pytest.raises(TypeError):
        cutaway.partition(cnn, "opt-level=0", opt_level=1)
    with pytest.raises(TypeError):
        cutaway.partition(cnn, no_such_member=1)


@pytest.mark.parametrize("wrong", [{"providers": ["nobody"]}, {"order": "sideways"}, {"opt_level": 9}])
def test_a_wrong_configuration_is_named(cnn, wrong):
    with pytest.raises(cutaway.Error) as raised:
        cutaway.inspect(cnn, **wrong)
    assert raised.value.code == "INVALID_ARGUMENT" and str(next(iter(wrong.values()))).strip("[]'") in str(raised.value)


def test_errors_say_where(tmp_path):
    with pytest.raises(cutaway.Error) as raised:
        cutaway.inspect(tmp_path / "nowhere.onnx")
    assert raised.value.code == "NO_SUCHFILE" and "nowhere.onnx" in raised.value.file + str(raised.value)
    for content in (b"", b"\x00" * 64, b"PK\x03\x04 no model"):
        with pytest.raises(cutaway.Error):
            cutaway.inspect(content)
    with pytest.raises(TypeError):
        cutaway.inspect(17)


def test_compare_finds_what_differs(cnn):
    same = cutaway.compare(cnn, "opt-level=0", "opt-level=0", seed=4)
    assert same["first_divergence"] == -1 and same.table("values")
    told = cutaway.compare(cnn, cutaway.Configuration(opt_level=0), None, rtol=0, atol=0, layers=True)
    assert told["absolute_tolerance"] == 0 and told["configuration_a"] != told["configuration_b"]


def test_profile_is_a_measurement(cnn):
    report = cutaway.profile(cnn, runs=4, warmups=0)
    assert report["run"]["runs"] == 4 and all(row["node_name"] is not None for row in report.table("run.nodes"))
    events = json.loads(report.trace)
    assert len(events if isinstance(events, list) else events["traceEvents"]) > 4
    with pytest.raises(cutaway.Error):
        cutaway.profile(cnn, runs=0)


def test_export_of_a_context_model(cnn, tmp_path):
    file = tmp_path / "model_ctx.onnx"
    report = cutaway.export_context(cnn, file, providers=["onednn"])
    assert file.exists() and report["context"]["written"]["files"]
    before = file.read_bytes()
    with pytest.raises(cutaway.Error) as raised:
        cutaway.export_context(cnn, file, providers=["onednn"])
    assert raised.value.refused and file.read_bytes() == before
    cutaway.export_context(cnn, file, providers=["onednn"], replace=True)
    feeds = cutaway.Session(cnn, providers=["onednn"]).random_feeds(2)
    a, b = cutaway.run(cnn, feeds, providers=["onednn"]), cutaway.run(file, feeds, providers=["onednn"])
    assert all(numpy.array_equal(a[name], b[name]) for name in a)
    own = tmp_path / "own.onnx"
    own.write_bytes(pathlib.Path(cnn).read_bytes())
    with pytest.raises(cutaway.Error):
        cutaway.export_context(own, own, providers=["onednn"], replace=True)
    assert own.read_bytes() == pathlib.Path(cnn).read_bytes()


def test_providers():
    names = {row["name"]: row["usable"] for row in cutaway.providers().table("providers")}
    assert names["cpu"] and names["onednn"]


def test_the_page_of_a_notebook(cnn):
    for report in (cutaway.inspect(cnn), cutaway.inspect(pathlib.Path(cnn).read_bytes(), opt_level=0), cutaway.profile(cnn, runs=2)):
        shown = report._repr_html_()
        assert shown.startswith("<iframe") and "sandbox" in shown and len(shown) > 50_000
        assert "&lt;/html&gt;" in shown
        assert ("measured" in shown) == ("run" in report)
    assert "<pre>" in cutaway.providers()._repr_html_()
