"""RNN, GRU and LSTM: every attribute, both layouts, all version spans and element types; com.microsoft DynamicQuantizeLSTM and AttnLSTM.

Expected values come from the equations of the standard in float64, written here with whole-batch matrix products; where
onnxruntime runs the same node (float, layout 0, version 7 and later; signed weight bytes where its products are exact) it must agree with them, or making the cases fails.
"""

import byte_products
import ml_dtypes
import numpy as np
import onnxruntime
from case import Case, one_node
from onnx import helper

GATES = {"RNN": 1, "GRU": 3, "LSTM": 4}
DEFAULTS = {"RNN": ["Tanh"], "GRU": ["Sigmoid", "Tanh"], "LSTM": ["Sigmoid", "Tanh", "Tanh"]}
SLOTS = {"RNN": ["X", "W", "R", "B", "sequence_lens", "initial_h"]}
SLOTS["GRU"] = SLOTS["RNN"]
SLOTS["LSTM"] = SLOTS["RNN"] + ["initial_c", "P"]
# name: (function, default alpha, default beta); None: takes no such number.
FUNCTIONS = {
    "Sigmoid": (lambda x, a, b: 1 / (1 + np.exp(-x)), None, None),
    "Tanh": (lambda x, a, b: np.tanh(x), None, None),
    "Relu": (lambda x, a, b: np.maximum(x, 0), None, None),
    "Affine": (lambda x, a, b: a * x + b, 1.0, 0.0),
    "LeakyRelu": (lambda x, a, b: np.where(x >= 0, x, a * x), 0.01, None),
    "ThresholdedRelu": (lambda x, a, b: np.where(x >= a, x, 0), 1.0, None),
    "ScaledTanh": (lambda x, a, b: a * np.tanh(b * x), 1.0, 1.0),
    "HardSigmoid": (lambda x, a, b: np.clip(a * x + b, 0, 1), 0.2, 0.5),
    "Elu": (lambda x, a, b: np.where(x >= 0, x, a * np.expm1(x)), 1.0, None),
    "Softsign": (lambda x, a, b: x / (1 + np.abs(x)), None, None),
    "Softplus": (lambda x, a, b: np.log1p(np.exp(x)), None, None),
}


def functions_of(op_type, attributes, directions):
    """A list of functions of one argument for each direction; alpha and beta are used up in order."""
    names = attributes.get("activations") or DEFAULTS[op_type] * directions
    alphas, betas = list(attributes.get("activation_alpha", [])), list(attributes.get("activation_beta", []))
    made = []
    for name in names:
        function, alpha, beta = FUNCTIONS[name if name in FUNCTIONS else name.capitalize()]
        if alpha is not None and alphas:
            alpha = alphas.pop(0)
        if beta is not None and betas:
            beta = betas.pop(0)
        made.append(lambda x, f=function, a=alpha, b=beta: f(x, a, b))
    each = len(DEFAULTS[op_type])
    return [made[at : at + each] for at in range(0, len(made), each)]


def one_step(op_type, attributes, functions, weights, x, h, c):
    """The next h and c of a whole batch."""
    w, r, wb, rb, p = weights
    size = h.shape[1]
    bound = attributes.get("clip", np.inf)
    clip = lambda v: np.clip(v, -bound, bound)
    gate = lambda m, k: m[k * size : (k + 1) * size]
    both = lambda k: x @ gate(w, k).T + gate(wb, k) + h @ gate(r, k).T + gate(rb, k)
    if op_type == "RNN":
        return functions[0](clip(both(0))), c
    if op_type == "GRU":
        f, g = functions
        z, reset = f(clip(both(0))), f(clip(both(1)))
        if attributes.get("linear_before_reset", 0):
            recurrent = reset * (h @ gate(r, 2).T + gate(rb, 2))
        else:
            recurrent = (reset * h) @ gate(r, 2).T + gate(rb, 2)
        candidate = g(clip(x @ gate(w, 2).T + gate(wb, 2) + recurrent))
        return (1 - z) * candidate + z * h, c
    f, g, last = functions
    i = f(clip(both(0) + gate(p, 0) * c))
    forget = 1 - i if attributes.get("input_forget", 0) else f(clip(both(2) + gate(p, 2) * c))
    c = forget * c + i * g(clip(both(3)))
    o = f(clip(both(1) + gate(p, 1) * c))
    return o * last(c), c


def define(op_type, attributes, values):
    """Y, Y_h, Y_c in float64."""
    x, w, r = (np.asarray(values[name], np.float64) for name in ("X", "W", "R"))
    directions, size = w.shape[0], r.shape[2]
    batch_first = attributes.get("layout", 0) == 1
    if batch_first:
        x = x.swapaxes(0, 1)
    steps, batch = x.shape[:2]
    bias = np.asarray(values.get("B", np.zeros((directions, 2 * w.shape[1]))), np.float64)
    peephole = np.asarray(values.get("P", np.zeros((directions, 3 * size))), np.float64)
    lengths = np.asarray(values.get("sequence_lens", np.full(batch, steps)))
    states = []
    for name in ("initial_h", "initial_c"):
        state = np.asarray(values.get(name, np.zeros((batch, directions, size) if batch_first else (directions, batch, size))), np.float64)
        states.append(state.swapaxes(0, 1) if batch_first else state)
    functions = functions_of(op_type, attributes, directions)
    y = np.zeros((steps, directions, batch, size))
    finals = [np.zeros((directions, batch, size)), np.zeros((directions, batch, size))]
    for d in range(directions):
        backwards = attributes.get("direction", "forward") == "reverse" or d == 1
        weights = (w[d], r[d], *np.split(bias[d], 2), peephole[d])
        for b in range(batch):
            item = slice(b, b + 1)
            h, c = states[0][d, item], states[1][d, item]
            order = range(lengths[b])
            for t in reversed(order) if backwards else order:
                h, c = one_step(op_type, attributes, functions[d], weights, x[t, item], h, c)
                y[t, d, item] = h
            if lengths[b] > 0:
                finals[0][d, b], finals[1][d, b] = h[0], c[0]
    if batch_first:
        return [y.transpose(2, 0, 1, 3)] + [state.swapaxes(0, 1) for state in finals]
    return [y] + finals


def random_values(op_type, generator, names, dims, layout, most):
    steps, batch, size, hidden, directions = dims
    rows = GATES[op_type] * hidden
    state = (batch, directions, hidden) if layout else (directions, batch, hidden)
    shapes = {
        "X": (batch, steps, size) if layout else (steps, batch, size),
        "W": (directions, rows, size),
        "R": (directions, rows, hidden),
        "B": (directions, 2 * rows),
        "initial_h": state,
        "initial_c": state,
        "P": (directions, 3 * hidden),
    }
    values = {}
    for name in SLOTS[op_type]:
        if name == "sequence_lens" and name in names:
            values[name] = generator.integers(0, steps + 1, batch).astype(np.int32)
        elif name in names or name in ("X", "W", "R"):
            values[name] = generator.uniform(-most, most, shapes[name]).astype(np.float32)
    return values


def check_with_onnxruntime(name, model, inputs, outputs):
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 4
    options.intra_op_num_threads = 1
    session = onnxruntime.InferenceSession(model.SerializeToString(), options, providers=["CPUExecutionProvider"])
    for got, (key, wanted) in zip(session.run(None, inputs), outputs.items()):
        np.testing.assert_allclose(got, wanted, rtol=1e-3, atol=1e-5, err_msg=f"{name} {key}")


TOLERANCES = {np.dtype(np.float32): (1e-4, 1e-6), np.dtype(np.float64): (1e-9, 1e-12), np.dtype(np.float16): (2e-3, 2e-3), np.dtype(ml_dtypes.bfloat16): (2e-2, 1e-2)}


class Maker:
    def __init__(self):
        self.generator = np.random.default_rng(20)

    def case(self, name, op_type, opset=22, inputs=(), dims=(5, 3, 4, 6, 1), outputs=None, constants=(), dtype=np.float32, onnxruntime_runs=True, values=None, most=1, **attributes):
        """One case. inputs: the optional ones; constants: those that become initializers; values: replacements."""
        steps, batch, size, hidden, directions = dims
        if attributes.get("direction") == "bidirectional":
            dims = (steps, batch, size, hidden, 2)
        given = random_values(op_type, self.generator, inputs, dims, attributes.get("layout", 0), most) | (values or {})
        given = {key: value if value.dtype == np.int32 else value.astype(dtype) for key, value in given.items()}
        names = [key if key in given else "" for key in SLOTS[op_type]]
        while not names[-1]:
            names.pop()
        all_outputs = ["Y", "Y_h", "Y_c"][: 3 if op_type == "LSTM" else 2]
        wanted = outputs or all_outputs
        node = helper.make_node(op_type, names, [key if key in wanted else "" for key in all_outputs], hidden_size=hidden, **attributes)
        results = {key: value.astype(dtype) for key, value in zip(all_outputs, define(op_type, attributes, given)) if key in wanted}
        fed = {key: value for key, value in given.items() if key not in constants}
        model = one_node(node, fed, results, opset, initializers={key: given[key] for key in constants if key in given})
        if onnxruntime_runs and dtype == np.float32 and opset >= 7 and not attributes.get("layout", 0):
            check_with_onnxruntime(name, model, fed, results)
        rtol, atol = TOLERANCES[np.dtype(dtype)]
        return Case(name, model, fed, results, rtol, atol)


def to_bytes_and_back(x):
    """x as its own range of 256 values has it, in float32 as the operator defines it."""
    x = np.asarray(x, np.float32)
    low, high = min(x.min(initial=0), np.float32(0)), max(x.max(initial=0), np.float32(0))
    scale = np.float32((high - low) / np.float32(255)) or np.float32(1)
    zero = np.clip(np.rint(-low / scale), 0, 255).astype(np.float32)
    return (np.clip(np.rint(x / scale) + zero, 0, 255).astype(np.float64) - zero) * scale


def quantize_weights(weights, dtype, per_column):
    """Bytes, scales and zero points of [directions, depth, columns]."""
    axes = (1,) if per_column else (1, 2)
    if dtype == np.int8:
        scale = np.abs(weights).max(axis=axes, keepdims=True, initial=0.01) / 127
        zero = np.zeros_like(scale)
    else:
        low, high = weights.min(axis=axes, keepdims=True), weights.max(axis=axes, keepdims=True)
        scale = (high - low) / 255
        zero = np.rint(-low / scale)
    limits = np.iinfo(dtype)
    quantized = np.clip(np.rint(weights / scale) + zero, limits.min, limits.max).astype(dtype)
    shape = (weights.shape[0], -1) if per_column else (weights.shape[0],)
    return quantized, scale.reshape(shape).astype(np.float32), zero.reshape(shape).astype(dtype)


def define_quantized(attributes, values):
    """DynamicQuantizeLSTM: the rows that take part in a step are brought to bytes together."""
    plain = {key: values[key] for key in values if not key.startswith(("W", "R"))}
    for key in "WR":
        weights = values[key].astype(np.float64)
        scale, zero = (np.asarray(values[f"{key}_{part}"], np.float64) for part in ("scale", "zero_point"))
        shape = (weights.shape[0], 1, -1)
        plain[key] = ((weights - zero.reshape(shape)) * scale.reshape(shape)).transpose(0, 2, 1)
    steps, batch = values["X"].shape[:2]
    size, directions = plain["R"].shape[2], plain["R"].shape[0]
    lengths = np.asarray(values.get("sequence_lens", np.full(batch, steps)))
    x = to_bytes_and_back(values["X"][: lengths.max(initial=0)])
    bias, peephole = (np.asarray(values.get(key, np.zeros((directions, count * size))), np.float64) for key, count in (("B", 8), ("P", 3)))
    functions = functions_of("LSTM", attributes, directions)
    y = np.zeros((steps, directions, batch, size))
    finals = [np.zeros((directions, batch, size)), np.zeros((directions, batch, size))]
    for d in range(directions):
        state = [np.array(values.get(key, finals[0])[d], np.float64) * (lengths > 0)[:, None] for key in ("initial_h", "initial_c")]
        weights = (plain["W"][d], plain["R"][d], *np.split(bias[d], 2), peephole[d])
        backwards = attributes.get("direction", "forward") == "reverse" or d == 1
        for t in reversed(range(steps)) if backwards else range(steps):
            active = lengths > t
            if active.any():
                h, c = one_step("LSTM", attributes, functions[d], weights, x[t, active], to_bytes_and_back(state[0][active]), state[1][active])
                state[0][active], state[1][active] = h, c
                y[t, d, active] = h
        finals[0][d], finals[1][d] = state
    return [y] + finals


def quantized_case(generator, name, dtype=np.int8, per_column=False, inputs=("B",), dims=(6, 2, 5, 16), constants=True, onnxruntime_runs=True, outputs=("Y", "Y_h", "Y_c"), lengths=None, **attributes):
    steps, batch, size, hidden = dims
    directions = 2 if attributes.get("direction") == "bidirectional" else 1
    values = random_values("LSTM", generator, inputs, (steps, batch, size, hidden, directions), 0, 1)
    if lengths is not None:
        values["sequence_lens"] = np.array(lengths, np.int32)
    for key, per in (("W", per_column), ("R", per_column)):
        weights = generator.uniform(-0.4, 0.5, values[key].swapaxes(1, 2).shape)
        values[key], values[f"{key}_scale"], values[f"{key}_zero_point"] = quantize_weights(weights, dtype, per)
    slots = SLOTS["LSTM"] + ["W_scale", "W_zero_point", "R_scale", "R_zero_point"]
    all_outputs = ["Y", "Y_h", "Y_c"]
    node = helper.make_node("DynamicQuantizeLSTM", [key if key in values else "" for key in slots], [key if key in outputs else "" for key in all_outputs], domain="com.microsoft", hidden_size=hidden, **attributes)
    results = {key: value.astype(np.float32) for key, value in zip(all_outputs, define_quantized(attributes, values)) if key in outputs}
    fixed = [key for key in values if key[0] in "WR" and (constants or key.endswith("zero_point"))]
    fed = {key: values[key] for key in slots if key in values and key not in fixed}
    model = one_node(node, fed, results, 17, {"com.microsoft": 1}, {key: values[key] for key in fixed})
    if onnxruntime_runs and not (dtype == np.int8 and byte_products.saturate()):
        check_with_onnxruntime(name, model, fed, results)
    return Case(name, model, fed, results, 1e-4, 1e-4)


def quantized_cases():
    generator = np.random.default_rng(21)
    for dtype in (np.int8, np.uint8):
        for per_column in (False, True):
            for constants in (False, True):
                label = f"{np.dtype(dtype).name}_{'columns' if per_column else 'tensor'}_{'constant' if constants else 'changing'}"
                # onnxruntime wants symmetric weights where there is a zero point a column.
                runs = dtype == np.int8 or not per_column
                yield quantized_case(generator, f"dynamic_quantize_lstm_{label}", dtype, per_column, constants=constants, onnxruntime_runs=runs)
    for direction in ("reverse", "bidirectional"):
        for dtype in (np.int8, np.uint8):
            yield quantized_case(generator, f"dynamic_quantize_lstm_{direction}_{np.dtype(dtype).name}", dtype, direction=direction, inputs=("B", "initial_h", "initial_c", "P"))
    yield quantized_case(generator, "dynamic_quantize_lstm_bare", inputs=(), dims=(3, 1, 4, 7))
    yield quantized_case(generator, "dynamic_quantize_lstm_wide", np.uint8, dims=(3, 5, 33, 70), direction="bidirectional")
    yield quantized_case(generator, "dynamic_quantize_lstm_long", dims=(300, 2, 3, 4))
    yield quantized_case(generator, "dynamic_quantize_lstm_input_forget", input_forget=1)
    yield quantized_case(generator, "dynamic_quantize_lstm_clip", clip=0.4)
    yield quantized_case(generator, "dynamic_quantize_lstm_functions", activations=["HardSigmoid", "Softsign", "Elu"], activation_alpha=[0.3], activation_beta=[0.4])
    yield quantized_case(generator, "dynamic_quantize_lstm_last_only", outputs=("Y_c",))
    # onnxruntime lets items that have ended take part in the range of the hidden rows.
    yield quantized_case(generator, "dynamic_quantize_lstm_lengths", lengths=[2, 0, 5, 4], dims=(5, 4, 3, 6), direction="bidirectional", onnxruntime_runs=False)
    yield quantized_case(generator, "dynamic_quantize_lstm_no_steps", dims=(0, 2, 3, 4), onnxruntime_runs=False)
    yield quantized_case(generator, "dynamic_quantize_lstm_no_input", dims=(3, 2, 0, 4), onnxruntime_runs=False)


def softmax(x):
    e = np.exp(x - x.max(initial=-np.inf))
    return e / e.sum()


def define_attention(attributes, values):
    """AttnLSTM, item by item: the cell gets [X, attention]; attention is over the item's own steps of the memory M."""
    wide = {key: value if value.dtype == np.int32 else value.astype(np.float64) for key, value in values.items()}
    x, memory = wide["X"], wide["M"]
    steps, batch = x.shape[:2]
    directions, size = wide["R"].shape[0], wide["R"].shape[2]
    lengths = wide.get("sequence_lens", np.full(batch, steps))
    memory_lengths = wide.get("memory_seq_lens", np.full(batch, memory.shape[1]))
    bias, peephole = (wide.get(key, np.zeros((directions, count * size))) for key, count in (("B", 8), ("P", 3)))
    functions = functions_of("LSTM", attributes, directions)
    y = np.zeros((steps, directions, batch, size))
    finals = [np.zeros((directions, batch, size)), np.zeros((directions, batch, size))]
    for d in range(directions):
        weights = (wide["W"][d], wide["R"][d], *np.split(bias[d], 2), peephole[d])
        backwards = attributes.get("direction", "forward") == "reverse" or d == 1
        for b in range(batch):
            valid = memory[b, : memory_lengths[b]]
            keys = valid @ wide["MW"][d]
            state = [wide.get(key, np.zeros((directions, batch, size)))[d, b : b + 1] for key in ("initial_h", "initial_c")]
            attention = np.zeros((1, wide["W"].shape[2] - x.shape[2]))
            order = range(lengths[b])
            for t in reversed(order) if backwards else order:
                state = one_step("LSTM", attributes, functions[d], weights, np.hstack([x[t, b : b + 1], attention]), *state)
                align = softmax(np.tanh(keys + state[0] @ wide["QW"][d]) @ wide["V"][d])
                attention = align[None] @ valid
                if "AW" in wide:
                    attention = np.hstack([state[0], attention]) @ wide["AW"][d]
                y[t, d, b] = state[0]
            if lengths[b] > 0:
                finals[0][d, b], finals[1][d, b] = state[0][0], state[1][0]
    return [y] + finals


def attention_case(generator, name, inputs=("B",), dims=(5, 3, 4, 6), memory=(7, 5, 8), layer=9, dtype=np.float32, onnxruntime_runs=True, constants=True, values=None, outputs=("Y", "Y_h", "Y_c"), **attributes):
    """memory: steps, depth and size of the keys; layer: columns of AW, or None."""
    steps, batch, size, hidden = dims
    directions = 2 if attributes.get("direction") == "bidirectional" else 1
    memory_steps, depth, keys = memory
    given = random_values("LSTM", generator, inputs, (steps, batch, size + (depth if layer is None else layer), hidden, directions), 0, 0.6)
    given["X"] = np.ascontiguousarray(given["X"][..., :size])
    shapes = {"QW": (directions, hidden, keys), "MW": (directions, depth, keys), "V": (directions, keys), "M": (batch, memory_steps, depth), "AW": (directions, depth + hidden, layer or 0)}
    for key, shape in shapes.items():
        if key != "AW" or layer is not None:
            given[key] = generator.uniform(-0.8, 0.8, shape).astype(np.float32)
    if "memory_seq_lens" in inputs:
        given["memory_seq_lens"] = generator.integers(1, memory_steps + 1, batch).astype(np.int32)
    given |= values or {}
    given = {key: value if value.dtype == np.int32 else value.astype(dtype) for key, value in given.items()}
    slots = SLOTS["LSTM"] + ["QW", "MW", "V", "M", "memory_seq_lens", "AW"]
    names = [key if key in given else "" for key in slots]
    all_outputs = ["Y", "Y_h", "Y_c"]
    node = helper.make_node("AttnLSTM", names, [key if key in outputs else "" for key in all_outputs], domain="com.microsoft", hidden_size=hidden, **attributes)
    results = {key: value.astype(dtype) for key, value in zip(all_outputs, define_attention(attributes, given)) if key in outputs}
    fixed = [key for key in given if constants and key in ("W", "R", "B", "P", "QW", "MW", "V", "AW")]
    fed = {key: given[key] for key in slots if key in given and key not in fixed}
    model = one_node(node, fed, results, 17, {"com.microsoft": 1}, {key: given[key] for key in fixed})
    if onnxruntime_runs:
        check_with_onnxruntime(name, model, fed, results)
    return Case(name, model, fed, results, *TOLERANCES[np.dtype(dtype)])


def attention_cases():
    generator = np.random.default_rng(22)
    everything = ("B", "sequence_lens", "initial_h", "initial_c", "P", "memory_seq_lens")
    for direction in ("forward", "reverse", "bidirectional"):
        for layer in (None, 9):
            label = "layer" if layer else "context"
            yield attention_case(generator, f"attn_lstm_{direction}_{label}", direction=direction, layer=layer)
            yield attention_case(generator, f"attn_lstm_{direction}_{label}_memory_lengths", ("B", "memory_seq_lens", "initial_h", "initial_c", "P"), direction=direction, layer=layer, constants=False)
    yield attention_case(generator, "attn_lstm_everything", everything, direction="bidirectional", values={"sequence_lens": np.array([2, 5, 1], np.int32)})
    yield attention_case(generator, "attn_lstm_zero_lengths", everything, values={"sequence_lens": np.array([2, 0, 5], np.int32), "memory_seq_lens": np.array([0, 3, 7], np.int32)}, onnxruntime_runs=False)
    yield attention_case(generator, "attn_lstm_double", everything, dtype=np.float64, direction="bidirectional", onnxruntime_runs=False)
    yield attention_case(generator, "attn_lstm_double_context", ("B",), dtype=np.float64, layer=None, onnxruntime_runs=False)
    yield attention_case(generator, "attn_lstm_float16", everything, dtype=np.float16, onnxruntime_runs=False)
    yield attention_case(generator, "attn_lstm_bare", (), dims=(3, 1, 2, 17), memory=(1, 1, 1), layer=None)
    yield attention_case(generator, "attn_lstm_clip", clip=0.5)
    yield attention_case(generator, "attn_lstm_input_forget", input_forget=1)
    yield attention_case(generator, "attn_lstm_functions", activations=["HardSigmoid", "Softsign", "Elu"])
    yield attention_case(generator, "attn_lstm_last_only", outputs=("Y_h",))
    yield attention_case(generator, "attn_lstm_no_steps", dims=(0, 2, 3, 4), onnxruntime_runs=False)


EVERYTHING = ("B", "sequence_lens", "initial_h", "initial_c", "P")
WEIGHTS = ("W", "R", "B", "P")


def cases():
    maker = Maker()
    for op_type in GATES:
        low = op_type.lower()
        # Versions, with what each has.
        for opset in (7, 13, 14, 21, 22, 24):
            yield maker.case(f"{low}_opset{opset}", op_type, opset, inputs=("B", "initial_h"))
        for opset in (1, 2, 3, 6):
            yield maker.case(f"{low}_opset{opset}", op_type, opset, inputs=EVERYTHING, output_sequence=opset % 2)
        yield maker.case(f"{low}_opset1_last_only", op_type, 1, inputs=("B",), outputs=["Y_h"], output_sequence=0)
        for direction in ("forward", "reverse", "bidirectional"):
            for layout in (0, 1):
                yield maker.case(f"{low}_{direction}_layout{layout}_everything", op_type, inputs=EVERYTHING, constants=WEIGHTS, direction=direction, layout=layout)
                yield maker.case(f"{low}_{direction}_layout{layout}_bare", op_type, direction=direction, layout=layout, dims=(4, 1, 3, 20, 1))
        # Outputs left out.
        for output in ("Y", "Y_h", "Y_c")[: 3 if op_type == "LSTM" else 2]:
            yield maker.case(f"{low}_only_{output.lower()}", op_type, inputs=EVERYTHING, outputs=[output], direction="bidirectional")
        # Functions.
        for name in FUNCTIONS:
            names = [name] * len(DEFAULTS[op_type])
            # onnxruntime has no defaults of alpha and beta for these, and for no function of RNN.
            runs = name not in ("Affine", "ThresholdedRelu", "ScaledTanh") and (op_type != "RNN" or FUNCTIONS[name][1] is None)
            yield maker.case(f"{low}_{name.lower()}", op_type, inputs=EVERYTHING, activations=names, onnxruntime_runs=runs, most=0.4, dims=(3, 3, 4, 6, 1))
            if FUNCTIONS[name][1] is not None:
                more = {"activation_alpha": [0.3, 0.4, 0.2, 0.6, 0.7, 0.1][: 2 * len(names)]}
                if FUNCTIONS[name][2] is not None:
                    more["activation_beta"] = [0.1, 0.3, 0.45, 0.2, 0.15, 0.05][: 2 * len(names)]
                yield maker.case(f"{low}_{name.lower()}_parameters", op_type, inputs=("B", "initial_h"), direction="bidirectional", activations=names * 2, most=0.4, **more)
        mixed = ["HardSigmoid", "LeakyRelu", "Elu"][: len(DEFAULTS[op_type])]
        yield maker.case(f"{low}_parameters_run_out", op_type, inputs=("B",), activations=mixed, activation_alpha=[0.25], activation_beta=[0.4], most=0.4)
        yield maker.case(f"{low}_upper_case", op_type, activations=[name.upper() for name in DEFAULTS[op_type]], onnxruntime_runs=op_type != "RNN")
        for clip in (0.3, 1.5):
            yield maker.case(f"{low}_clip_{clip}", op_type, inputs=EVERYTHING, clip=clip)
        # Types, with changing and with constant weights.
        for dtype, label in ((np.float64, "double"), (np.float16, "float16"), (ml_dtypes.bfloat16, "bfloat16")):
            for constants in ((), WEIGHTS):
                kind = "constant" if constants else "changing"
                yield maker.case(f"{low}_{label}_{kind}", op_type, inputs=EVERYTHING, constants=constants, dtype=dtype, direction="bidirectional")
            yield maker.case(f"{low}_{label}_layout1", op_type, inputs=("B",), dtype=dtype, layout=1)
        # Sizes around those of vectors and blocks of rows.
        for dims in ((1, 1, 1, 1, 1), (2, 7, 5, 16, 1), (3, 11, 9, 17, 1), (2, 16, 3, 33, 1), (40, 2, 2, 3, 1)):
            label = "x".join(str(size) for size in dims[:4])
            yield maker.case(f"{low}_sizes_{label}", op_type, inputs=EVERYTHING, constants=WEIGHTS, dims=dims, direction="bidirectional")
        lengths = np.array([0, 5, 0, 3, 5, 1], np.int32)
        for direction in ("forward", "reverse"):
            yield maker.case(f"{low}_lengths_{direction}", op_type, inputs=EVERYTHING, dims=(5, 6, 3, 4, 1), values={"sequence_lens": lengths}, direction=direction)
        yield maker.case(f"{low}_all_lengths_zero", op_type, inputs=EVERYTHING, values={"sequence_lens": np.zeros(3, np.int32)}, onnxruntime_runs=False)
        # Nothing to do; onnxruntime crashes or refuses here.
        yield maker.case(f"{low}_no_steps", op_type, inputs=("B", "initial_h"), dims=(0, 3, 4, 6, 1), onnxruntime_runs=False)
        yield maker.case(f"{low}_no_items", op_type, inputs=("B", "initial_h"), dims=(3, 0, 4, 6, 1), onnxruntime_runs=False)
        yield maker.case(f"{low}_no_input", op_type, inputs=("B", "initial_h"), dims=(3, 2, 0, 6, 1), onnxruntime_runs=False)
    for opset in (3, 7, 22):
        for direction in ("forward", "bidirectional"):
            yield maker.case(f"gru_linear_before_reset_opset{opset}_{direction}", "GRU", opset, inputs=EVERYTHING, linear_before_reset=1, direction=direction)
    yield maker.case("gru_linear_before_reset_clip", "GRU", inputs=EVERYTHING, linear_before_reset=1, clip=0.4)
    yield maker.case("gru_linear_before_reset_double", "GRU", inputs=EVERYTHING, linear_before_reset=1, dtype=np.float64)
    yield maker.case("gru_linear_before_reset_no_bias", "GRU", linear_before_reset=1, constants=WEIGHTS)
    for opset in (1, 7, 22):
        yield maker.case(f"lstm_input_forget_opset{opset}", "LSTM", opset, inputs=("B", "initial_c"), input_forget=1)
    yield maker.case("lstm_input_forget_peepholes", "LSTM", inputs=EVERYTHING, input_forget=1, direction="bidirectional", onnxruntime_runs=False)
    yield maker.case("lstm_input_forget_double", "LSTM", inputs=EVERYTHING, input_forget=1, dtype=np.float64)
    yield maker.case("lstm_peepholes_clip", "LSTM", inputs=("B", "P", "initial_c"), clip=0.5, constants=WEIGHTS)
    yield from quantized_cases()
    yield from attention_cases()
