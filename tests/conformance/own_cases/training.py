"""Optimiser steps of ai.onnx.preview.training, and the backward operators of com.microsoft that training graphs carry.

Optimiser steps: every setting, several variables, mixed element types; numpy in float64. Backward operators: central
differences of the forward definition in float64, so that no formula for a derivative is written twice.
"""

import math

import numpy as np
from case import Case, one_node
from onnx import helper

DOMAIN = "ai.onnx.preview.training"


def adagrad(rate, count, x, gradient, squares, norm_coefficient=0.0, decay_factor=0.0, epsilon=1e-6):
    rate = rate / (1 + count * decay_factor)
    gradient = norm_coefficient * x + gradient
    squares = squares + gradient * gradient
    return x - rate * gradient / (np.sqrt(squares) + epsilon), squares


def adam(rate, count, x, gradient, first, second, norm_coefficient=0.0, norm_coefficient_post=0.0, alpha=0.9, beta=0.999, epsilon=1e-6):
    gradient = norm_coefficient * x + gradient
    first = alpha * first + (1 - alpha) * gradient
    second = beta * second + (1 - beta) * gradient * gradient
    if count > 0:
        rate = rate * np.sqrt(1 - beta**count) / (1 - alpha**count)
    x = x - rate * first / (np.sqrt(second) + epsilon)
    return (1 - norm_coefficient_post) * x, first, second


def momentum(rate, count, x, gradient, velocity, norm_coefficient, alpha, beta, mode):
    gradient = norm_coefficient * x + gradient
    velocity = alpha * velocity + (beta if count > 0 else 1.0) * gradient
    step = gradient + alpha * velocity if mode == "nesterov" else velocity
    return x - rate * step, velocity


STEPS = {"Adagrad": (adagrad, 1), "Adam": (adam, 2), "Momentum": (momentum, 1)}


def optimizer_case(name, operator, count, variables, rate_type=np.float32, **attributes):
    """variables: (element type, shape) of each one."""
    rng = np.random.default_rng(sum(name.encode()))
    step, states = STEPS[operator]
    # Attributes are stored as float32.
    settings = {key: value if isinstance(value, str) else float(np.float32(value)) for key, value in attributes.items()}
    rate = np.array(0.1, dtype=rate_type)
    values = [[rng.standard_normal(shape).astype(kind) for kind, shape in variables] for _ in range(2)]
    values += [[rng.random(shape).astype(kind) for kind, shape in variables] for _ in range(states)]
    inputs = {"R": rate, "T": np.array(count, dtype=np.int64)}
    outputs = {}
    results = [step(float(rate), count, *(block[i].astype(np.float64) for block in values), **settings) for i in range(len(variables))]
    for block, stem in zip(values, ["X", "G", "S", "Q"]):
        inputs.update({f"{stem}{i}": value for i, value in enumerate(block)})
    for part in range(1 + states):
        outputs.update({f"Y{part}_{i}": results[i][part].astype(kind) for i, (kind, _) in enumerate(variables)})
    node = helper.make_node(operator, list(inputs), list(outputs), domain=DOMAIN, **attributes)
    return Case(name, one_node(node, inputs, outputs, opset=17, domain_opsets={DOMAIN: 1}), inputs, outputs, rtol=1e-5, atol=1e-6)


def optimizer_cases():
    single, double = (np.float32, (3, 5)), (np.float64, (2, 3))
    yield optimizer_case("adagrad_all_settings", "Adagrad", 3, [single], norm_coefficient=0.1, decay_factor=0.2, epsilon=1e-3)
    yield optimizer_case("adagrad_defaults_double", "Adagrad", 0, [double], rate_type=np.float64)
    yield optimizer_case("adagrad_three_variables_two_types", "Adagrad", 1, [single, double, (np.float32, ())], norm_coefficient=0.01)
    yield optimizer_case("adagrad_empty_variable", "Adagrad", 1, [(np.float32, (0, 4)), single])
    yield optimizer_case("adam_all_settings", "Adam", 5, [single], norm_coefficient=0.1, norm_coefficient_post=0.2, alpha=0.8, beta=0.95, epsilon=1e-3)
    yield optimizer_case("adam_first_step_double", "Adam", 0, [double], norm_coefficient=0.1)
    yield optimizer_case("adam_two_variables_two_types", "Adam", 2, [double, single], rate_type=np.float64)
    yield optimizer_case("momentum_standard_first_step", "Momentum", 0, [single], norm_coefficient=0.1, alpha=0.9, beta=0.5, mode="standard")
    yield optimizer_case("momentum_standard_double", "Momentum", 4, [double], norm_coefficient=0.1, alpha=0.9, beta=0.5, mode="standard")
    yield optimizer_case("momentum_nesterov_two_variables", "Momentum", 4, [single, double], norm_coefficient=0.1, alpha=0.9, beta=0.5, mode="nesterov")
    yield optimizer_case("momentum_nesterov_large", "Momentum", 0, [(np.float32, (41, 97))], norm_coefficient=0.0, alpha=0.9, beta=0.5, mode="nesterov")


def slope_of(loss, x, step=1e-6):
    """The gradient of a scalar function by central differences."""
    gradient = np.zeros(x.shape)
    for place in np.ndindex(x.shape):
        moved = [x.copy(), x.copy()]
        moved[0][place] += step
        moved[1][place] -= step
        gradient[place] = (loss(moved[0]) - loss(moved[1])) / (2 * step)
    return gradient


def contrib(name, operator, inputs, outputs, rtol=1e-4, atol=1e-6, **attributes):
    """One node of com.microsoft. inputs: name -> value, None for one that is left out in between."""
    names = ["" if value is None else key for key, value in inputs.items()]
    given = {key: value for key, value in inputs.items() if value is not None}
    node = helper.make_node(operator, names, list(outputs), domain="com.microsoft", **attributes)
    return Case(name, one_node(node, given, outputs, opset=17, domain_opsets={"com.microsoft": 1}), given, outputs, rtol=rtol, atol=atol)


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


def gelu(x):
    return 0.5 * x * (1 + np.vectorize(math.erf, otypes=[np.float64])(x / math.sqrt(2)))


def fast_gelu(x):
    return 0.5 * x * (1 + np.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x**3)))


def activation_cases():
    rng = np.random.default_rng(5)
    x = rng.standard_normal((3, 7)) * 2
    g = rng.standard_normal((3, 7))
    forwards = {
        "ReluGrad": (lambda v: np.maximum(v, 0), False, {}),
        "LeakyReluGrad": (lambda v: np.where(v > 0, v, 0.2 * v), True, {"alpha": 0.2}),
        "SigmoidGrad": (sigmoid, True, {}),
        "TanhGrad": (np.tanh, True, {}),
        "GeluGrad": (gelu, False, {}),
        "FastGeluGrad": (fast_gelu, False, {}),
        "QuickGeluGrad": (lambda v: v * sigmoid(1.5 * v), False, {"alpha": 1.5}),
    }
    for operator, (forward, from_output, attributes) in forwards.items():
        expected = g * (forward(x + 1e-6) - forward(x - 1e-6)) / 2e-6
        second = forward(x) if from_output else x
        for kind, rtol in ((np.float32, 1e-4), (np.float64, 1e-6), (np.float16, 3e-2)):
            inputs = {"dY": g.astype(kind), "X": second.astype(kind)}
            yield contrib(f"{operator.lower()}_{np.dtype(kind).name}", operator, inputs, {"dX": expected.astype(kind)}, rtol=rtol, atol=5e-3 if kind == np.float16 else 1e-6, **attributes)
    bias = rng.standard_normal(7)
    for operator, forward in (("BiasGeluGrad_dX", gelu), ("BiasFastGeluGrad_dX", fast_gelu)):
        expected = g * (forward(x + bias + 1e-6) - forward(x + bias - 1e-6)) / 2e-6
        inputs = {"dY": g.astype(np.float32), "X": x.astype(np.float32), "B": bias.astype(np.float32)}
        yield contrib(operator.lower(), operator, inputs, {"dX": expected.astype(np.float32)})


def softmax(x, axes):
    e = np.exp(x - x.max(axis=axes, keepdims=True))
    return e / e.sum(axis=axes, keepdims=True)


def softmax_cases():
    rng = np.random.default_rng(6)
    x, g = rng.standard_normal((2, 3, 4)), rng.standard_normal((2, 3, 4))
    for operator, axes, attributes in (
        ("SoftmaxGrad", (1, 2), {}),
        ("SoftmaxGrad", (2,), {"axis": 2}),
        ("SoftmaxGrad_13", (2,), {}),
        ("SoftmaxGrad_13", (1,), {"axis": 1}),
        ("LogSoftmaxGrad", (1, 2), {"axis": 1}),
        ("LogSoftmaxGrad_13", (0,), {"axis": 0}),
    ):
        forward = (lambda v, a=axes: np.log(softmax(v, a))) if operator.startswith("Log") else (lambda v, a=axes: softmax(v, a))
        expected = slope_of(lambda v, f=forward: float((f(v) * g).sum()), x)
        name = operator.lower() + "_" + "".join(map(str, axes))
        inputs = {"dY": g.astype(np.float32), "Y": forward(x).astype(np.float32)}
        yield contrib(name, operator, inputs, {"dX": expected.astype(np.float32)}, atol=1e-5, **attributes)


def cross_entropy(logits, labels, weights, ignored, reduction, g):
    """The loss times its gradient; classes along axis 1."""
    log_prob = np.log(softmax(logits, (1,)))
    losses, shares = np.zeros(labels.shape), np.zeros(labels.shape)
    for place in np.ndindex(labels.shape):
        label = labels[place]
        if label == ignored:
            continue
        shares[place] = 1 if weights is None else weights[label]
        losses[place] = -shares[place] * log_prob[(place[0], label, *place[1:])]
    if reduction == "none":
        return (losses * g).sum()
    return losses.sum() * float(g) / (shares.sum() if reduction == "mean" else 1)


def loss_cases():
    rng = np.random.default_rng(7)
    logits = rng.standard_normal((3, 4, 2))
    labels = np.array([[0, 3], [1, 1], [2, 0]], dtype=np.int64)
    weights = rng.random(4)
    for reduction in ("mean", "sum", "none"):
        for weighted, ignored in ((False, None), (True, None), (True, 1)):
            g = rng.standard_normal(labels.shape) if reduction == "none" else np.array(1.3)
            used = weights if weighted else None
            expected = slope_of(lambda v, r=reduction, u=used, i=ignored, d=g: float(cross_entropy(v, labels, u, i, r, d)), logits)
            inputs = {"dY": g.astype(np.float32), "log_prob": np.log(softmax(logits, (1,))).astype(np.float32), "label": labels}
            if weighted:
                inputs["weight"] = weights.astype(np.float32)
            attributes = {"reduction": reduction} | ({} if ignored is None else {"ignore_index": ignored})
            name = f"cross_entropy_grad_{reduction}{'_weighted' if weighted else ''}{'' if ignored is None else '_ignoring'}"
            yield contrib(name, "SoftmaxCrossEntropyLossGrad", inputs, {"d_logits": expected.astype(np.float32)}, atol=1e-5, **attributes)
    expected = slope_of(lambda v: float(cross_entropy(v, labels, None, 1, "mean", np.array(1.0))), logits)
    inputs = {"dY": np.array(1, np.float32), "log_prob": np.log(softmax(logits, (1,))).astype(np.float32), "label": labels.astype(np.int32), "weight": None, "ignore_index": np.array(1, np.int64)}
    yield contrib("cross_entropy_internal_grad", "SoftmaxCrossEntropyLossInternalGrad", inputs, {"d_logits": expected.astype(np.float32)}, atol=1e-5)


def forward_loss_cases():
    """Rows long enough for vectors and their rest; with and without the second output; NaN where nothing takes part."""
    rng = np.random.default_rng(14)
    logits = rng.standard_normal((5, 67)) * 3
    labels = np.array([3, 66, 0, 3, 17], dtype=np.int64)
    weights = rng.random(67)
    for reduction in ("mean", "sum", "none"):
        for kind in (np.float32, np.float64):
            for with_log in (False, True):
                one = np.ones(5) if reduction == "none" else np.array(1.0)
                loss = np.array([float(cross_entropy(logits[i : i + 1], labels[i : i + 1], weights, 3, "none", one[i : i + 1])) for i in range(5)]) if reduction == "none" else np.array(cross_entropy(logits, labels, weights, 3, reduction, one))
                inputs = {"x": logits.astype(kind), "l": labels, "w": weights.astype(kind)}
                outputs = {"y": np.asarray(loss, kind)} | ({"p": np.log(softmax(logits, (1,))).astype(kind)} if with_log else {})
                node = helper.make_node("SoftmaxCrossEntropyLoss", list(inputs), list(outputs), reduction=reduction, ignore_index=3)
                yield Case(f"cross_entropy_{reduction}_{np.dtype(kind).name}{'_log' if with_log else ''}", one_node(node, inputs, outputs, opset=13), inputs, outputs, rtol=1e-5, atol=1e-5)
    x, ignored, nan = logits[:1].astype(np.float32), np.array([3], np.int64), np.array(np.nan, np.float32)
    node = helper.make_node("SoftmaxCrossEntropyLoss", ["x", "l"], ["y"], ignore_index=3)
    yield Case("cross_entropy_nothing_counts", one_node(node, {"x": x, "l": ignored}, {"y": nan}, opset=13), {"x": x, "l": ignored}, {"y": nan})


def average_pool(x, kernel, strides, pads, count_padding):
    """One spatial axis or two; pads: before and after each axis."""
    n = len(kernel)
    padded = np.pad(x, [(0, 0), (0, 0), *((pads[i], pads[n + i]) for i in range(n))])
    ones = np.pad(np.ones_like(x), [(0, 0), (0, 0), *((pads[i], pads[n + i]) for i in range(n))])
    sizes = [(padded.shape[2 + i] - kernel[i]) // strides[i] + 1 for i in range(n)]
    y = np.zeros((*x.shape[:2], *sizes))
    for place in np.ndindex(*sizes):
        window = (slice(None), slice(None), *(slice(place[i] * strides[i], place[i] * strides[i] + kernel[i]) for i in range(n)))
        axes = tuple(range(2, 2 + n))
        y[(slice(None), slice(None), *place)] = padded[window].sum(axis=axes) / (math.prod(kernel) if count_padding else ones[window].sum(axis=axes))
    return y


def pooling_cases():
    rng = np.random.default_rng(8)
    for name, shape, kernel, strides, pads, counted in (
        ("exact", (2, 2, 4, 4), [2, 2], [2, 2], [0, 0, 0, 0], 0),
        ("overlap_pads", (1, 2, 5, 4), [3, 2], [1, 2], [1, 0, 1, 0], 0),
        ("counting_pads", (1, 2, 5, 4), [3, 2], [2, 1], [1, 0, 1, 1], 1),
        ("left_over", (1, 1, 8), [3], [2], [0, 0], 0),
    ):
        x = rng.standard_normal(shape)
        forward = lambda v, k=kernel, s=strides, p=pads, c=counted: average_pool(v, k, s, p, c)
        g = rng.standard_normal(forward(x).shape)
        expected = slope_of(lambda v, f=forward, d=g: float((f(v) * d).sum()), x)
        yield contrib(f"averagepoolgrad_{name}", "AveragePoolGrad", {"dY": g.astype(np.float32)}, {"dX": expected.astype(np.float32)}, atol=1e-5, kernel_shape=kernel, strides=strides, pads=pads, count_include_pad=counted)
    # Places 0 and 5 were the largest of several windows.
    places = np.array([[[0, 0, 3], [5, 4, 5]]], dtype=np.int64)
    g = rng.standard_normal(places.shape).astype(np.float32)
    expected = np.zeros((1, 2, 4), np.float32)
    for place, value in zip(places.ravel(), g.ravel()):
        expected.ravel()[place] += value
    yield contrib("maxpoolgrad", "MaxPoolGrad", {"dY": g, "Indices": places}, {"dX": expected}, kernel_shape=[2])
    indices = np.array([[2, 0], [2, -1]], dtype=np.int64)
    g = rng.standard_normal((2, 2, 2, 3)).astype(np.float32)
    expected = np.zeros((2, 4, 3), np.float32)
    for place in np.ndindex(2, 2):
        expected[:, indices[place], :] += g[:, place[0], place[1], :]
    yield contrib("gathergrad", "GatherGrad", {"shape": np.array([2, 4, 3], np.int64), "indices": indices, "dY": g}, {"dX": expected}, axis=1)


def convolve(x, w, strides, pads, dilations, group):
    """Two spatial axes."""
    x = np.pad(x, [(0, 0), (0, 0), (pads[0], pads[2]), (pads[1], pads[3])])
    reach = [(w.shape[2 + i] - 1) * dilations[i] + 1 for i in range(2)]
    sizes = [(x.shape[2 + i] - reach[i]) // strides[i] + 1 for i in range(2)]
    y = np.zeros((x.shape[0], w.shape[0], *sizes))
    per_in, per_out = w.shape[1], w.shape[0] // group
    for place in np.ndindex(*sizes):
        rows, columns = (slice(place[i] * strides[i], place[i] * strides[i] + reach[i], dilations[i]) for i in range(2))
        for g in range(group):
            part = x[:, g * per_in : (g + 1) * per_in, rows, columns]
            y[:, g * per_out : (g + 1) * per_out, place[0], place[1]] = np.einsum("ncij,mcij->nm", part, w[g * per_out : (g + 1) * per_out])
    return y


def convolution_cases():
    rng = np.random.default_rng(12)
    for name, x_shape, w_shape, settings in (
        ("plain", (2, 2, 4, 4), (3, 2, 3, 3), {"strides": [1, 1], "pads": [1, 1, 1, 1], "dilations": [1, 1], "group": 1}),
        ("groups_strides", (2, 4, 6, 5), (4, 2, 2, 3), {"strides": [2, 1], "pads": [1, 0, 0, 2], "dilations": [1, 2], "group": 2}),
    ):
        x, w = rng.standard_normal(x_shape), rng.standard_normal(w_shape)
        forward = lambda a, b, s=settings: convolve(a, b, **s)
        g = rng.standard_normal(forward(x, w).shape)
        dx = slope_of(lambda v, f=forward, k=w, d=g: float((f(v, k) * d).sum()), x)
        dw = slope_of(lambda v, f=forward, i=x, d=g: float((f(i, v) * d).sum()), w)
        outputs = {"dX": dx.astype(np.float32), "dW": dw.astype(np.float32), "dB": g.sum(axis=(0, 2, 3)).astype(np.float32)}
        yield contrib(f"convgrad_{name}", "ConvGrad", {"dY": g.astype(np.float32), "X": x.astype(np.float32), "W": w.astype(np.float32)}, outputs, atol=1e-4, kernel_shape=list(w_shape[2:]), **settings)


def old_training_cases():
    """Training forms from before training_mode: BatchNormalization with all its outputs, Dropout with is_test = 0."""
    rng = np.random.default_rng(13)
    x = (rng.standard_normal((3, 4, 5)) * 2).astype(np.float32)
    scale, bias, mean, variance = (rng.random(4).astype(np.float32) for _ in range(4))
    batch_mean, batch_variance = x.mean(axis=(0, 2)), x.var(axis=(0, 2))
    column = lambda v: v.reshape(1, 4, 1)
    y = (x - column(batch_mean)) / np.sqrt(column(batch_variance) + 1e-3) * column(scale) + column(bias)
    outputs = {"Y": y, "m": mean * 0.7 + batch_mean * 0.3, "v": variance * 0.7 + batch_variance * 0.3, "sm": batch_mean, "sv": batch_variance}
    inputs = {"X": x, "scale": scale, "B": bias, "mean": mean, "var": variance}
    for opset in (6, 7, 9, 14):
        told = {"is_test": 0} if opset == 6 else {"training_mode": 1} if opset == 14 else {}
        given = {key: np.asarray(value, np.float32) for key, value in list(outputs.items())[: 3 if opset == 14 else 5]}
        node = helper.make_node("BatchNormalization", list(inputs), list(given), epsilon=1e-3, momentum=0.7, **told)
        yield Case(f"batchnormalization_trains_opset_{opset}", one_node(node, inputs, given, opset=opset), inputs, given, rtol=1e-4, atol=1e-5)
    ones = np.ones_like(x)
    node = helper.make_node("Dropout", ["X"], ["Y", "mask"], ratio=0.0, is_test=0)
    yield Case("dropout_6_trains_keeping_all", one_node(node, {"X": x}, {"Y": x, "mask": ones}, opset=6), {"X": x}, {"Y": x, "mask": ones})
    node = helper.make_node("Dropout", ["X"], ["Y", "mask"], ratio=0.5, is_test=1)
    yield Case("dropout_6_tests", one_node(node, {"X": x}, {"Y": x, "mask": ones}, opset=6), {"X": x}, {"Y": x, "mask": ones})
    # What is kept is doubled: y is 2 x mask, whatever was drawn.
    nodes = [helper.make_node("Dropout", ["X"], ["d", "mask"], ratio=0.5, is_test=0), helper.make_node("Mul", ["X", "mask"], ["k"]), helper.make_node("Add", ["k", "k"], ["kk"]), helper.make_node("Sub", ["d", "kk"], ["zero"])]
    zero = np.zeros_like(x)
    model = one_node(nodes[0], {"X": x}, {"zero": zero}, opset=6)
    del model.graph.node[:]
    for each in nodes:
        if each.op_type in ("Mul", "Add", "Sub"):
            each.attribute.append(helper.make_attribute("broadcast", 0))
    model.graph.node.extend(nodes)
    yield Case("dropout_6_trains", model, {"X": x}, {"zero": zero})


def bits_of(kept):
    words = np.zeros((kept.size + 31) // 32, np.uint32)
    for index, value in enumerate(kept.ravel()):
        words[index // 32] |= np.uint32(int(value) << (index % 32))
    return words


def dropout_cases():
    rng = np.random.default_rng(9)
    g = rng.standard_normal((5, 9)).astype(np.float32)
    kept = rng.random(g.shape) < 0.6
    ratio, on, off = np.array(0.4, np.float32), np.array(True), np.array(False)
    expected = np.where(kept, g / np.float32(0.6), 0).astype(np.float32)
    yield contrib("dropoutgrad", "DropoutGrad", {"dy": g, "mask": kept, "ratio": ratio, "training_mode": on}, {"dx": expected})
    yield contrib("dropoutgrad_inference", "DropoutGrad", {"dy": g, "mask": kept, "ratio": ratio, "training_mode": off}, {"dx": g})
    yield contrib("dropoutgrad_default_ratio", "DropoutGrad", {"dy": g, "mask": kept}, {"dx": np.where(kept, g * 2, 0).astype(np.float32)})
    yield contrib("bitmaskdropoutgrad", "BitmaskDropoutGrad", {"dy": g, "mask": bits_of(kept), "ratio": ratio, "training_mode": on}, {"dx": expected})
    yield contrib("bitmaskdropout_inference", "BitmaskDropout", {"data": g, "ratio": ratio, "training_mode": off}, {"output": g, "mask": bits_of(np.ones_like(kept))})
    zero = np.array(0, np.float32)
    yield contrib("bitmaskdropout_keeps_all", "BitmaskDropout", {"data": g, "ratio": zero, "training_mode": on}, {"output": g, "mask": bits_of(np.ones_like(kept))})


def normalized(x, scale, bias, axes, epsilon):
    deviation = np.sqrt(x.var(axis=axes, keepdims=True) + epsilon)
    return (x - x.mean(axis=axes, keepdims=True)) / deviation * scale + bias


def normalization_cases():
    rng = np.random.default_rng(10)
    x, g = rng.standard_normal((3, 4, 5)) * 2, rng.standard_normal((3, 4, 5))
    epsilon = 1e-3
    for operator, axes, shape in (("LayerNormalizationGrad", (2,), (5,)), ("LayerNormalizationGrad", (1, 2), (4, 5)), ("BatchNormalizationGrad", (0, 2), (4, 1))):
        layer = operator.startswith("Layer")
        scale, bias = rng.standard_normal(shape), rng.standard_normal(shape)
        losses = (lambda v: normalized(v, scale, bias, axes, epsilon), lambda v: normalized(x, v, bias, axes, epsilon), lambda v: normalized(x, scale, v, axes, epsilon))
        expected = [slope_of(lambda v, f=forward: float((f(v) * g).sum()), at) for forward, at in zip(losses, (x, scale, bias))]
        mean, variance = x.mean(axis=axes, keepdims=layer), x.var(axis=axes, keepdims=layer)
        for kind in (np.float32, np.float64):
            own = (lambda v: v.astype(kind)) if layer else (lambda v: v.reshape(-1).astype(kind))
            last = 1 / np.sqrt(variance + epsilon) if layer else variance
            inputs = {"dY": g.astype(kind), "X": x.astype(kind), "scale": own(scale), "mean": mean.astype(kind), "last": last.astype(kind)}
            outputs = {"dX": expected[0].astype(kind), "dScale": own(expected[1]), "dBias": own(expected[2])}
            attributes = {"axis": axes[0]} if layer else {"epsilon": epsilon}
            yield contrib(f"{operator.lower()}_{len(axes)}_{np.dtype(kind).name}", operator, inputs, outputs, atol=1e-5, **attributes)


def sequence_cases():
    rng = np.random.default_rng(11)
    shapes = [(3, 4), (5,), ()]
    lists = {key: [np.float32(rng.random(shape) if key == "momentums_2" else rng.standard_normal(shape)) for shape in shapes] for key in ("weights", "gradients", "momentums_1", "momentums_2")}
    lists = {key: [np.asarray(value, np.float32) for value in values] for key, values in lists.items()}
    rate, step = np.array([0.02], np.float32), np.array([3], np.int64)
    for mode in (0, 1):
        for correct in (0, 1):
            settings = {"alpha": 0.8, "beta": 0.95, "epsilon": 1e-3, "weight_decay": 0.1, "adam_mode": mode, "correct_bias": correct}
            results = [adamw(0.02, 3, *(lists[key][i].astype(np.float64) for key in lists), **settings) for i in range(len(shapes))]
            outputs = {"flag": np.array([True])} | {name: [np.asarray(result[k], np.float32) for result in results] for k, name in enumerate(("w", "m", "v"))}
            yield contrib(f"adamw_mode_{mode}_{'corrected' if correct else 'plain'}", "AdamWOptimizer", {"lr": rate, "step": step, **lists}, outputs, **settings)
    kept = {"flag": np.array([False]), "w": lists["weights"], "m": lists["momentums_1"], "v": lists["momentums_2"]}
    yield contrib("adamw_not_signalled", "AdamWOptimizer", {"lr": rate, "step": step, **lists, "signal": np.array([False])}, kept)
    moved = [np.asarray(w - np.float32(0.02) * g, np.float32) for w, g in zip(lists["weights"], lists["gradients"])]
    yield contrib("sgd", "SGDOptimizerV2", {"lr": rate, "weights": lists["weights"], "gradients": lists["gradients"]}, {"flag": np.array([True]), "w": moved})
    buffer, value = rng.standard_normal((2, 3)).astype(np.float32), rng.standard_normal((2, 3)).astype(np.float32)
    for overwrite in (False, True):
        inputs = {"buffer": buffer, "value": value, "overwrite_flag": np.array([overwrite])}
        outputs = {"flag": np.array([True]), "out": value if overwrite else buffer + value}
        yield contrib(f"accumulator_{'overwriting' if overwrite else 'adding'}", "InPlaceAccumulatorV2", inputs, outputs)
    yield contrib("accumulator_half_value", "InPlaceAccumulatorV2", {"buffer": buffer, "value": value.astype(np.float16), "overwrite_flag": np.array([False])}, {"flag": np.array([True]), "out": buffer + value.astype(np.float16).astype(np.float32)})


def adamw(rate, count, w, g, m, v, alpha, beta, epsilon, weight_decay, adam_mode, correct_bias):
    first, second = (1 - alpha**count, 1 - beta**count) if correct_bias else (1, 1)
    m, v = alpha * m + (1 - alpha) * g, beta * v + (1 - beta) * g * g
    if adam_mode == 0:
        w = w - rate * weight_decay * w
        return w - rate * m / (first * (np.sqrt(v / second) + epsilon)), m, v
    w = w - rate * np.sqrt(second) / first * m / (np.sqrt(v) + epsilon)
    return w - rate * weight_decay * w, m, v


def cases():
    for family in (optimizer_cases, activation_cases, softmax_cases, loss_cases, forward_loss_cases, pooling_cases, convolution_cases, dropout_cases, normalization_cases, sequence_cases, old_training_cases):
        yield from family()
