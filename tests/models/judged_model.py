"""One model of the table: run by cutaway-cli, compared with its test data, with onnxruntime or with onnx.reference.

    row = row_of(path, arguments)  # arguments: cli, timeout, options (for cutaway-cli run), without (peers not to ask)

Where onnxruntime and cutaway differ by more than the tolerance, float64_model.py says which of the two is nearer to the truth.
"""

import argparse
import dataclasses
import pathlib
import re
import tempfile
import time

import numpy as np
import onnx

import compare_with_onnxruntime as peer
import float64_model
import model_inputs
import shared_corpora as corpora
from cutaway_cli import BAD_MODEL, DONE, run_cli
from export_cases import to_proto
from modernised import modernised
from own_cases import byte_products
from own_process import time_limit
from random_inputs import NotSupported

REFERENCE_BYTES = 20_000_000  # onnx.reference is slow: bigger models are not asked of it
EPSILON, SMALLEST_HALF = float(np.finfo(np.float32).eps), 2.0**-24
REFERENCE_SECONDS, FLOAT64_SECONDS = 15, 90
# Models that onnxruntime runs and cutaway refuses on purpose, and why.
STRICTER = {
    "group_norm_invalid_scale_shape_test.onnx": "onnxruntime spreads a scale of one element over the groups",
    "scatter_elements_invalid_reduction_test.onnx": "onnxruntime ignores a reduction that it does not know",
    "scatternd_invalid_reduction_test.onnx": "onnxruntime ignores a reduction that it does not know",
}
WEAK_IN_REFERENCE = ("GRU", "LSTM", "RNN")  # it leaves out activations, directions and lengths
DRAWING = ("Bernoulli", "BiasDropout", "BitmaskBiasDropout", "BitmaskDropout", "Multinomial", "RandomNormal", "RandomNormalLike", "RandomUniform",
           "RandomUniformLike")
NEAR = 2e-2  # further than this from float64 is wrong, however far a peer is


@dataclasses.dataclass
class Row:
    model: str
    verdict: str  # see VERDICTS
    against: str = ""
    error: float | None = None
    seconds: float | None = None
    remark: str = ""


VERDICTS = {
    "agrees": "outputs meet the test data, or the peer's on the same random inputs",
    "ran": "nothing to compare with; the remark says why",
    "refused": "an operator or feature that is not ours; the remark says which",
    "invalid": "the file breaks the standard or lacks a part; onnxruntime does not run it either, or the remark says what it overlooks",
    "no inputs": "both engines take the model and refuse the made-up inputs, or none can be made up",
    "differs": "outputs do not agree",
    "failed": "does not run here though a peer runs it, or ended badly",
}

BYTE_PRODUCTS = {"MatMulInteger", "ConvInteger", "QLinearMatMul", "QLinearConv", "DynamicQuantizeMatMul", "QGemm", "DequantizeLinear"}  # QDQ pairs become products of bytes


def without_places(text, path):
    """What an engine said without the folders and source lines it said it of."""
    text = re.sub(r"\(file '[^']*'(, )?", "(", text).replace("()", "").replace("cutaway-cli: ", "")
    text = re.sub(r"\[ONNXRuntimeError\] : \d+ : ", "", text)
    text = re.sub(r"Load model from \S+ failed:\s*", "", text)
    text = re.sub(r"/onnxruntime_src/\S+:\d+ .*?\)( const)? (\[[^\]]*\] )?", "", text)
    for folder in (path.parent, path.parent.resolve()):
        text = text.replace(f"{folder}/", "").replace(str(folder), path.parent.name)
    return " ".join(text.split())


def ours_said(outcome, path):
    lines = [line for line in outcome.stderr.splitlines() if line.strip()]
    return without_places(lines[-1] if lines else outcome.reason, path)[:300]


def run_ours(path, model, feeds, arguments):
    """Outcome, outputs by name, seconds."""
    declared = {info.name: info for info in model.graph.input} if model else {}
    with tempfile.TemporaryDirectory() as scratch:
        outputs = pathlib.Path(scratch) / "outputs"
        command = ["run", path, "--save-outputs", outputs, "--format", "pb", "--log", "error", *arguments.options]
        for index, (name, value) in enumerate(feeds.items()):
            file = pathlib.Path(scratch) / f"feed_{index}.pb"
            file.write_bytes(to_proto(value, declared[name]).SerializeToString())
            command += ["--input", f"{name}={file}"]
        start = time.perf_counter()
        outcome = run_cli(arguments.cli, *command, timeout=arguments.timeout)
        seconds = time.perf_counter() - start
        return outcome, saved(outputs, model) if outcome.code == DONE and model else {}, seconds


def saved(folder, model):
    declared, outputs = {info.name: info for info in model.graph.output}, {}
    for file in sorted(folder.glob("*.pb")):
        data = file.read_bytes()
        name = peer.name_in(data)
        outputs[name] = peer.from_bytes(data, declared[name])
    return outputs


@dataclasses.dataclass
class Expected:
    """What a peer makes of the model, or why it makes nothing."""

    outputs: dict | None
    source: str = ""
    said: str = ""
    inputs_refused: bool = False


def asked(path, model, feeds, arguments):
    if "onnxruntime" in arguments.without:
        return Expected(None, said="onnxruntime crashes on it")
    try:
        outputs = peer.run_onnxruntime(path, model, feeds)
    except peer.Skipped as why:
        said = without_places(str(why), path)[:300]
        return Expected(None, said=said, inputs_refused=isinstance(why, peer.NotRun))
    return Expected({name: value for name, value in outputs.items() if value is not None}, "onnxruntime")


def feeds_and_peer(path, model, row, arguments):
    """Made-up inputs that onnxruntime takes, if some can be found, with its outputs; else the first ones."""
    feeds = model_inputs.made_up(model, row.model)
    first = asked(path, model, feeds, arguments)
    if first.inputs_refused:
        for others in model_inputs.other_attempts(model, row.model):
            if (expected := asked(path, model, others, arguments)).outputs is not None:
                return others, expected
    return feeds, first if first.outputs is not None else second_opinion(path, model, feeds, first, arguments)


def without_fusions(path, model, feeds, expected):
    """onnxruntime's word on a model as it is written: a fusion may have taken out what is wrong with it."""
    try:
        peer.run_onnxruntime(path, model, feeds, optimised=False)
        return expected
    except peer.Skipped as why:
        return Expected(None, said=f"only with its fusions it runs; without: {without_places(str(why), path)[:300]}", inputs_refused=True)


def both_take(path, model, row, arguments):
    """Inputs that both engines take, where onnxruntime took the first ones because a fusion of it does not look at some size."""
    for feeds in model_inputs.other_attempts(model, row.model):
        expected = asked(path, model, feeds, arguments)
        if expected.outputs is not None:
            outcome, ours, row.seconds = run_ours(path, model, feeds, arguments)
            if outcome.code == DONE:
                return feeds, expected, outcome, ours
    return None


def second_opinion(path, model, feeds, first, arguments):
    """onnxruntime on the model in newer words, or onnx.reference: for withdrawn versions and types without kernels."""
    if "onnxruntime" in arguments.without:
        return first
    try:
        with tempfile.TemporaryDirectory() as scratch:
            file = pathlib.Path(scratch) / "modernised.onnx"
            onnx.save(modernised(model), file)
            return Expected(peer.run_onnxruntime(file, model, feeds), "onnxruntime, modernised", first.said, first.inputs_refused)
    except Exception:  # one more thing it cannot do
        pass
    weak = any(node.op_type in WEAK_IN_REFERENCE for node in model.graph.node)
    if weak or model.ByteSize() > REFERENCE_BYTES:
        return first
    try:
        with time_limit(REFERENCE_SECONDS):
            outputs = float64_model.plainly(path, feeds)
    except BaseException:  # it raises anything at all, and what it says is of no use to a reader
        return first
    if any(value is None for value in outputs.values()):
        return first
    return Expected(outputs, "onnx.reference", first.said, first.inputs_refused)


def tolerance_for(path, model, feeds, expected):
    half = any(value.dtype.itemsize == 2 for value in expected.values())
    tolerance = 1e-2 if half else 1e-3
    if not half and not peer.is_quantised(model):
        return tolerance
    try:
        return max(tolerance, 2 * peer.quantisation_noise(path, model, feeds, expected))
    except (peer.Skipped, KeyError):
        return tolerance


def missing_parts(ours, expected):
    return [name for name in expected if name not in ours]


def draws(model):
    """Whether outputs hold random draws, which no two engines share; Dropout draws when its third input says training."""
    return any(node.op_type in DRAWING or (node.op_type == "Dropout" and len(node.input) > 2 and node.input[2]) for node in model.graph.node)


def multiplies_bytes(model):
    return any(node.op_type in BYTE_PRODUCTS for node in model.graph.node)


def inside_rounding(ours, theirs, feeds):
    """Whether float32 outputs are no further apart than the rounding of what went in: what is left where values cancel."""
    most = max((float(np.abs(value).max()) for value in feeds.values() if isinstance(value, np.ndarray) and value.dtype == np.float32 and value.size), default=1.0)
    allowed = {np.dtype(np.float32): 4 * EPSILON * max(most, 1.0), np.dtype(np.float16): SMALLEST_HALF}
    return all(ours[name].shape == value.shape and value.dtype in allowed
               and np.abs(ours[name].astype(np.float64) - value).max(initial=0) <= allowed[value.dtype] for name, value in theirs.items())


def same_forms(ours, theirs):
    return all(ours[name].shape == value.shape and ours[name].dtype == value.dtype for name, value in theirs.items())


def judge(row, path, model, feeds, ours, expected, arguments):
    ours, theirs = peer.pieces(ours), peer.pieces(expected.outputs)
    row.against = expected.source
    if missing := missing_parts(ours, theirs):
        return dataclasses.replace(row, verdict="differs", remark=f"no output {missing[0]}")
    try:
        tolerance = tolerance_for(path, model, feeds, theirs)
        row.error = max((peer.compare_arrays(name, ours[name], value, tolerance) for name, value in theirs.items()), default=0.0)
        row.verdict = "agrees"
    except peer.Failed as why:
        row.verdict, row.remark = "differs", str(why)
        if draws(model) and same_forms(ours, theirs):
            row.verdict, row.against, row.remark = "agrees", f"{expected.source}, types and shapes", "random draws"
        elif inside_rounding(ours, theirs, feeds):
            row.verdict, row.remark = "agrees", f"rounding of values that cancel: {why}"
        elif expected.source.startswith("onnxruntime"):
            nearer_to_the_truth(row, path, feeds, ours, theirs, arguments)
            if row.verdict == "differs" and multiplies_bytes(model) and byte_products.saturate() and same_forms(ours, theirs):
                row.verdict, row.remark = "ran", f"products of unsigned and signed bytes saturate in onnxruntime on this CPU, so it is no judge: {row.remark}"
    return row


def truth(path, feeds, arguments):
    """The outputs of the model in float64 and who made them: onnx.reference, or cutaway without optimisation where that fails."""
    try:
        with time_limit(FLOAT64_SECONDS):
            return peer.pieces(float64_model.evaluate(path, feeds)), "onnx.reference"
    except BaseException:  # whatever it raises: some operators of float models it does not have, or has wrong
        wide = float64_model.widened_model(path)
        with tempfile.TemporaryDirectory() as scratch:
            file = pathlib.Path(scratch) / "float64.onnx"
            onnx.save(wide, file)
            settings = argparse.Namespace(**{**vars(arguments), "options": ("--opt-level", "0")})
            outcome, outputs, _ = run_ours(file, wide, {name: float64_model.widened(value) for name, value in feeds.items()}, settings)
            if outcome.code != DONE:
                raise peer.Failed(ours_said(outcome, file)) from None
            return peer.pieces(outputs), "cutaway, unoptimised"


def nearer_to_the_truth(row, path, feeds, ours, theirs, arguments):
    """Where two float32 engines disagree, a float64 evaluation of the same model decides."""
    try:
        exact, source = truth(path, feeds, arguments)
        distance = [max(peer.largest_share(value, exact[name]) for name, value in outputs.items()) for outputs in (ours, theirs)]
    except BaseException as error:
        row.remark += f"; no float64 evaluation: {peer.first_line(error)[:120]}"
        return
    row.remark += f"; from float64 ({source}): ours {distance[0]:.1e}, onnxruntime {distance[1]:.1e}"
    small = distance[0] <= NEAR and (source == "onnx.reference" or distance[1] <= NEAR)  # our own float64 settles roundings, not mistakes
    if small and distance[0] <= distance[1]:
        row.verdict, row.against, row.error = "agrees", "float64, better than onnxruntime", distance[0]


def inputs_are_fixed(model):
    """Whether the sizes of the inputs leave nothing to get wrong (the batch aside), so that it is the model that does not fit."""
    def given(info):
        return all(dim.HasField("dim_value") for dim in info.type.tensor_type.shape.dim[1:])
    return all(given(info) for info in model.graph.input)


def refusal(row, outcome, path, expected, fixed=False):
    """The verdict on a model that did not run here."""
    said = ours_said(outcome, path)
    row.remark = f"{said} [{expected.said}]" if expected and expected.said else said
    bad = outcome.code == BAD_MODEL and "NOT_IMPLEMENTED" not in outcome.stderr
    run_by = expected.source if expected and expected.outputs is not None else ""
    if reason := STRICTER.get(row.model.rsplit("/", 1)[-1]):
        row.verdict, row.remark = "invalid", f"{said} [{reason}]"
    elif outcome.crashed or run_by in ("onnxruntime", "test data"):
        row.verdict, row.against = "failed", run_by
    elif bad:
        row.verdict = "no inputs" if expected and expected.inputs_refused and not fixed else "invalid"
    elif run_by and "INVALID_GRAPH" not in expected.said and "is not a registered" not in expected.said:
        row.verdict, row.against = "failed", run_by  # onnx.reference looks at neither types nor versions: onnxruntime decides what is valid
    else:
        row.verdict = "refused"
    return row


def unreadable(row, path, arguments, why):
    """A file that onnx does not read: ours must refuse it in words."""
    outcome, _, row.seconds = run_ours(path, None, {}, arguments)
    return refusal(row, outcome, path, None) if outcome.code != DONE else dataclasses.replace(row, remark=str(why))


def row_of(path, arguments):
    row = Row(corpora.short(path), "ran")
    try:
        model = peer.read_model(path)
    except peer.Skipped as why:
        return unreadable(row, path, arguments, why)
    data = model_inputs.recorded(path, model)
    try:
        feeds, expected = (data[0], Expected(data[1], "test data")) if data else feeds_and_peer(path, model, row, arguments)
    except (NotSupported, ValueError, TypeError, MemoryError) as why:
        return dataclasses.replace(row, verdict="no inputs", remark=str(why)[:160])
    outcome, ours, row.seconds = run_ours(path, model, feeds, arguments)
    if outcome.code == BAD_MODEL and expected.source == "onnxruntime":
        feeds, expected, outcome, ours = both_take(path, model, row, arguments) or (feeds, expected, outcome, ours)
    if outcome.code == BAD_MODEL and expected.source == "onnxruntime":
        expected = without_fusions(path, model, feeds, expected)
    if outcome.code != DONE:
        return refusal(row, outcome, path, expected, inputs_are_fixed(model))
    if not expected.outputs:
        return dataclasses.replace(row, remark=expected.said)
    return judge(row, path, model, feeds, ours, expected, arguments)
