#!/usr/bin/env python3
"""Every row of onnxruntime_differs.tsv, asked of onnxruntime directly: the difference is its own, and of the kind that the row's rule names.

A row is `case<TAB>rule: what was seen`. RULES says what each rule claims, and has a test of it that a difference of another kind, or one
of the bridge between cutaway and the library, does not pass. Each case runs in a process of its own. Last line: `N passed, N failed`.
"""

import collections
import concurrent.futures
import json
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent / "models"), str(HERE / "own_cases")]

import numpy as np
import onnx
import onnxruntime
from onnx import TensorProto, helper, numpy_helper
from onnx.reference import ReferenceEvaluator

import byte_products
import recurrent
from cutaway_cli import TEST_DATA
from own_process import Died, in_own_process

SECONDS = 120
# Activations of recurrent operators whose numbers have defaults: alpha, beta.
DEFAULTS = {"Affine": (1.0, 0.0), "ScaledTanh": (1.0, 1.0), "ThresholdedRelu": (1.0, None)}


class Case:
    def __init__(self, folder):
        data = folder / "test_data_set_0"
        self.model = onnx.load(folder / "model.onnx")
        tolerance = folder / "data.json"
        self.tolerance = {"rtol": 1e-3, "atol": 1e-7} | (json.loads(tolerance.read_text()) if tolerance.exists() else {})
        self.inputs, self.expected = (dict(self._read(path) for path in sorted(data.glob(f"{kind}_*.pb"))) for kind in ("input", "output"))

    @staticmethod
    def _read(path):
        tensor = TensorProto.FromString(path.read_bytes())
        return tensor.name, numpy_helper.to_array(tensor)

    def run(self, model=None, inputs=None, threads=2):
        """Outputs by name; raises what onnxruntime raises."""
        options = onnxruntime.SessionOptions()
        options.log_severity_level = 4
        options.intra_op_num_threads, options.inter_op_num_threads = threads, 1
        session = onnxruntime.InferenceSession((model or self.model).SerializeToString(), options, providers=["CPUExecutionProvider"])
        wanted = {info.name for info in session.get_inputs()}
        fed = {name: value for name, value in (inputs or self.inputs).items() if name in wanted}
        return dict(zip([info.name for info in session.get_outputs()], session.run(None, fed)))

    def agrees(self, outputs, expected=None):
        """Whether all outputs are within the case's tolerance."""
        return all(within(outputs[name], value, **{key: self.tolerance[key] for key in ("rtol", "atol")}) for name, value in (expected or self.expected).items())

    def furthest(self, outputs):
        """The largest difference, and that as a share of the largest expected value."""
        pairs = [(np.asarray(outputs[name], np.float64), np.asarray(value, np.float64)) for name, value in self.expected.items()]
        most = max(np.abs(a - b).max(initial=0) for a, b in pairs)
        return most, most / max(np.abs(b).max(initial=0) for _, b in pairs)

    @property
    def node(self):
        return self.model.graph.node[0]


def within(one, other, rtol, atol):
    one, other = np.asarray(one), np.asarray(other)
    if one.dtype.kind in "OSU" or other.dtype.kind in "OSU":
        return np.array_equal(one.astype(str), other.astype(str))
    one, other = one.astype(np.float64), other.astype(np.float64)
    if one.shape != other.shape or not np.array_equal(np.isfinite(one), np.isfinite(other)):
        return False
    return bool(np.all((one == other) | np.isclose(one, other, rtol=rtol, atol=atol, equal_nan=True)))


def attribute(node, name, default=None):
    return next((helper.get_attribute_value(each) for each in node.attribute if each.name == name), default)


def copied(model):
    return onnx.ModelProto.FromString(model.SerializeToString())


def lowest_for_infinity(case, outputs):
    lowest = np.finfo(np.float32).min
    return case.agrees({name: np.where(value == lowest, -np.inf, value) for name, value in outputs.items()})


def float_transform(case, outputs):
    return case.furthest(outputs)[1] <= 2e-6


def flat_indices(case, outputs):
    x, places = (case.inputs[name] for name in list(case.node.input)[:2])
    y = np.zeros(int(np.prod(next(iter(case.expected.values())).shape)), x.dtype)
    y[places.reshape(-1)] = x.reshape(-1)
    return np.array_equal(next(iter(outputs.values())).reshape(-1), y)


def whole_lengths(case, outputs):
    """The standard's own rule with the whole lengths as sizes."""
    x, scales = case.inputs[case.node.input[0]], case.inputs[case.node.input[2]]
    model = copied(case.model)
    node = model.graph.node[0]
    node.input[:] = [node.input[0], "", "", "sizes"]
    model.graph.initializer.append(numpy_helper.from_array(np.floor(np.array(x.shape) * scales).astype(np.int64), "sizes"))
    return within(next(iter(outputs.values())), ReferenceEvaluator(model).run(None, case.inputs)[0], 1e-4, 1e-5)


def one_pass_variance(case, outputs):
    """No further off than E[x^2] - E[x]^2 in float is, where the mean is far from zero."""
    x = sum(np.asarray(case.inputs[name], np.float64) for name in list(case.node.input)[:2])
    mean, deviation = x.mean(-1), x.std(-1)
    return case.furthest(outputs)[1] <= float((mean**2 / deviation**2).max() * np.finfo(np.float32).eps * 4)


def half_against_float(case, outputs):
    model = copied(case.model)
    for info in (*model.graph.input, *model.graph.output):
        if info.type.tensor_type.elem_type == TensorProto.FLOAT16:
            info.type.tensor_type.elem_type = TensorProto.FLOAT
    wide = {name: value.astype(np.float32) if value.dtype == np.float16 else value for name, value in case.inputs.items()}
    return case.agrees(case.run(model, wide))


def activations_as_bytes(case, outputs):
    return case.furthest(outputs)[1] <= 1 / 32  # a step is 1/127 of a block's largest value, and two layers multiply


def numeric_keys(case, outputs):
    """Zero matches minus zero, NaN matches nothing: keys are compared as numbers."""
    keys, values = attribute(case.node, "keys_floats"), attribute(case.node, "values_int64s")
    table = {key: value for key, value in zip(keys, values) if key == key}
    return [table.get(float(x), -1) for x in next(iter(case.inputs.values()))] == next(iter(outputs.values())).tolist()


def first_key(case, outputs):
    keys, values = attribute(case.node, "keys_int64s"), attribute(case.node, "values_strings")
    table = {}
    for key, value in zip(keys, values):
        table.setdefault(key, value.decode())
    return [table.get(int(x), "_Unused") for x in next(iter(case.inputs.values()))] == next(iter(outputs.values())).tolist()


def one_column(case, outputs):
    """The first column is written without gaps, as if there were no second one."""
    scores = outputs[case.node.output[1]].reshape(-1)[: len(case.expected[case.node.output[1]])]
    return within(scores, case.expected[case.node.output[1]][:, 1], 1e-4, 1e-5)


def table_steps(case, outputs):
    return case.furthest(outputs)[0] <= 1


def default_numbers(case, outputs):
    model = copied(case.model)
    chosen = [DEFAULTS[name.decode()] for name in attribute(case.node, "activations")]
    node = model.graph.node[0]
    node.attribute.append(helper.make_attribute("activation_alpha", [alpha for alpha, _ in chosen]))
    if chosen[0][1] is not None:
        node.attribute.append(helper.make_attribute("activation_beta", [beta for _, beta in chosen]))
    return case.agrees(case.run(model))


def rows_by_thread(case, outputs):
    return case.agrees(case.run(threads=1))


def with_unsigned_weights(case):
    """The model and its inputs with the same weights of DynamicQuantizeLSTM as unsigned bytes, whose products are exact everywhere."""
    model, inputs = copied(case.model), dict(case.inputs)
    names = {name for place, name in enumerate(case.node.input) if place in (1, 2, 9, 11)}  # W, R and their zero points
    for tensor in model.graph.initializer:
        if tensor.name in names:
            tensor.CopyFrom(numpy_helper.from_array(unsigned(numpy_helper.to_array(tensor)), tensor.name))
    for info in model.graph.input:
        if info.name in names:
            info.type.tensor_type.elem_type = TensorProto.UINT8
            inputs[info.name] = unsigned(inputs[info.name])
    return model, inputs


def signed_bytes(case, outputs):
    """On one thread it agrees where products are exact."""
    if not byte_products.saturate():
        return rows_by_thread(case, outputs)
    try:
        return case.agrees(case.run(*with_unsigned_weights(case), threads=1))
    except Exception as why:  # a zero point a column must be that of signed bytes
        return "point must be" in str(why)


def ended_rows(case, outputs):
    """With exact products on one thread: by a fraction of a step where rows end early, not at all where none does."""
    model, inputs = with_unsigned_weights(case)
    early = case.furthest(case.run(model, inputs, threads=1))[0]
    values = case.inputs | {tensor.name: numpy_helper.to_array(tensor) for tensor in case.model.graph.initializer}
    whole = np.full_like(inputs["sequence_lens"], inputs["X"].shape[0])
    attributes = {each.name: helper.get_attribute_value(each) for each in case.node.attribute}
    attributes["direction"] = attributes["direction"].decode()
    wanted = dict(zip(case.expected, recurrent.define_quantized(attributes, values | {"sequence_lens": whole})))
    return early < 1e-3 and case.agrees(case.run(model, inputs | {"sequence_lens": whole}, threads=1), wanted)


def unsigned(value):
    return (value.astype(np.int16) + 128).astype(np.uint8)


# Rule -> what it claims of onnxruntime 1.31.1's CPU provider, and the test of outputs that differ (None: there are none).
RULES = {
    "refused": ("it opens the model, and its kernel refuses this form when it runs, with the words of the row", None),
    "crash": ("it ends its process when it runs this", None),
    "lowest for infinity": ("scores that a mask takes out are the lowest float, and minus infinity by the standard", lowest_for_infinity),
    "float transform": ("a Fourier transform in float: what should be zero is a rounding error of the largest values", float_transform),
    "flat indices": ("indices count in the shape that output_shape asks for, and by the standard in the one that the kernel makes", flat_indices),
    "whole lengths": ("align_corners divides by the whole lengths, and by the standard by the scaled ones", whole_lengths),
    "one-pass variance": ("the variance is E[x^2] - E[x]^2, which loses digits where the mean is far from zero", one_pass_variance),
    "half against float": ("over half floats it computes something else than over the same values in float, which agree", half_against_float),
    "activations as bytes": ("8-bit weights in blocks are multiplied by activations brought to bytes a block", activations_as_bytes),
    "numeric keys": ("float keys are compared as numbers: zero is minus zero and NaN is nothing, by the standard they are compared by bits", numeric_keys),
    "first key": ("of keys that stand twice the first one counts, here the last", first_key),
    "one column": ("PROBIT of one class writes one number a row into two columns", one_column),
    "table steps": ("exponentials come from a table of rounded entries: results are one step apart at most", table_steps),
    "default numbers": ("activations without alpha and beta get zeros, and by the standard the operator's defaults", default_numbers),
    "rows by thread": ("each thread brings its own rows of a batch to bytes, and by the definition a step's rows have one scale", rows_by_thread),
    "ended rows": ("rows that end early count otherwise in the scale of a step; with signed bytes, as below", ended_rows),
    "signed bytes": ("products of unsigned and signed bytes saturate on CPUs without VNNI; each thread brings its own rows to bytes", signed_bytes),
}


def rows():
    for line in (HERE / "onnxruntime_differs.tsv").read_text().splitlines():
        if line and not line.startswith("#"):
            case, _, reason = line.partition("\t")
            rule, _, seen = reason.partition(": ")
            yield case, rule, seen


def judge(case_name, rule, seen):
    """What is wrong with the row; empty: nothing."""
    case = Case(TEST_DATA / "backend" / case_name)
    try:
        outputs = case.run()
    except Exception as why:
        if rule != "refused":
            return f"it refuses: {str(why)[-200:]}"
        return "" if seen in " ".join(str(why).split()) else f"it says: {str(why)[-200:]}"
    if rule in ("refused", "crash"):
        return "it runs"
    if case.agrees(outputs):
        return "it agrees"
    return "" if RULES[rule][1](case, outputs) else f"differs by {case.furthest(outputs)[0]:g}, and not as the rule says"


def judged(row):
    name, rule, seen = row
    if rule not in RULES:
        return f"there is no rule '{rule}'"
    try:
        said = in_own_process(judge, row, SECONDS)
    except Died as why:
        said = "" if rule == "crash" and "signal" in str(why) else str(why)
    return said


def main():
    every = list(rows())
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        verdicts = list(pool.map(judged, every))
    for (name, rule, _), said in zip(every, verdicts):
        if said:
            print(f"failed  {name} ({rule}): {said}")
    for rule, count in collections.Counter(rule for _, rule, _ in every).most_common():
        print(f"{count:4} x {rule}: {RULES.get(rule, ('?',))[0]}")
    failed = sum(bool(said) for said in verdicts)
    print(f"{len(every) - failed} passed, {failed} failed")
    return 1 if failed or not every else 0


if __name__ == "__main__":
    sys.exit(main())
