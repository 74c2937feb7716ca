"""Quantised operators: integer products and convolutions, QLinear operators of com.microsoft, quantisation in every form.

Integers come from exact sums in numpy; rounded results from float64 definitions, with inputs drawn again where a result lies
so near a tie that single precision could round it the other way. Attention is compared with onnxruntime (its softmax and its
products are single precision, hence the tolerance).
"""

import itertools

import numpy as np
from onnx import TensorProto, helper, numpy_helper

from case import Case, one_node, tensor_of

MS = "com.microsoft"
U8, S8 = np.uint8, np.int8
DOMAINS = {MS: 1}


def _bytes(rng, dtype, *shape):
    info = np.iinfo(dtype)
    return rng.integers(info.min, info.max + 1, size=shape).astype(dtype)


def _scalar(value, dtype=np.float32):
    return np.array(value, dtype=dtype)


class _Tie(Exception):
    pass


def _rounded(units, zero, dtype):
    """round(units) + zero point, saturated; refuses values near a tie."""
    units = np.asarray(units, dtype=np.float64)
    if np.any(np.abs(np.abs(units - np.floor(units)) - 0.5) < 1e-4):
        raise _Tie
    info = np.iinfo(dtype)
    return np.clip(np.rint(units) + np.asarray(zero, dtype=np.int64), info.min, info.max).astype(dtype)


def _drawn(make, seed):
    """The first draw without ties."""
    for attempt in range(50):
        try:
            return make(np.random.default_rng(seed * 1000 + attempt))
        except _Tie:
            continue
    raise AssertionError("every draw has a tie")


def _node(op, names, outputs=("y",), domain=MS, **attributes):
    return helper.make_node(op, list(names), list(outputs), domain=domain, **attributes)


def _case(name, node, inputs, outputs, constants=(), opset=21, **tolerance):
    initializers = {key: inputs[key] for key in constants}
    fed = {key: value for key, value in inputs.items() if key not in constants}
    model = one_node(node, fed, outputs, opset, DOMAINS if node.domain == MS else None, initializers)
    return Case(name, model, fed, outputs, **tolerance)


def _centred(values, zero):
    return values.astype(np.int64) - np.asarray(zero).astype(np.int64)


def _wrapped(values):
    return (values.astype(np.int64) & 0xFFFFFFFF).astype(np.uint32).view(np.int32)


# --- products -------------------------------------------------------------------------------------------------------

def _integer_products():
    rng = np.random.default_rng(1)
    shapes = [((5, 70), (70, 33)), ((2, 3, 17, 40), (40, 24)), ((2, 1, 4, 9), (3, 9, 5)), ((9,), (9, 4)), ((6, 9), (9,)), ((4, 0), (0, 3)), ((0, 4), (4, 3))]
    for a_type, b_type, constant in itertools.product((U8, S8), (U8, S8), (False, True)):
        for number, (a_shape, b_shape) in enumerate(shapes):
            if constant and number > 1:
                continue
            a, b = _bytes(rng, a_type, *a_shape), _bytes(rng, b_type, *b_shape)
            a_zero, b_zero = _bytes(rng, a_type), _bytes(rng, b_type, *([b_shape[-1]] if len(b_shape) > 1 else []))
            y = _wrapped(np.matmul(_centred(a, a_zero), _centred(b, b_zero)))
            inputs = {"a": a, "b": b, "az": np.array(a_zero), "bz": np.array(b_zero)}
            name = f"matmulinteger_{a_type.__name__}_{b_type.__name__}_{number}{'_constant' if constant else ''}"
            yield _case(name, _node("MatMulInteger", inputs, domain=""), inputs, {"y": y}, ("b", "bz") if constant else ())
    # The largest sums of neighbouring products: 16-bit steps would saturate.
    a, b = np.full((3, 256), 255, U8), np.where(np.arange(256 * 5).reshape(256, 5) % 2, 127, 126).astype(S8)
    yield _case("matmulinteger_largest", _node("MatMulInteger", ["a", "b"], domain=""), {"a": a, "b": b}, {"y": _wrapped(np.matmul(a.astype(np.int64), b.astype(np.int64)))}, ("b",))
    a, b = _bytes(rng, U8, 2, 6, 20), _bytes(rng, S8, 2, 20, 7)
    a_zero, b_zero = _bytes(rng, U8, 2, 6, 1), _bytes(rng, S8, 2, 1, 7)
    inputs = {"a": a, "b": b, "az": a_zero, "bz": b_zero}
    yield _case("matmulinteger_zero_of_every_row", _node("MatMulInteger", inputs, domain=""), inputs, {"y": _wrapped(np.matmul(_centred(a, a_zero), _centred(b, b_zero)))})
    for a_type, b_type in itertools.product((np.int16, np.uint16), repeat=2):
        a, b = _bytes(rng, a_type, 2, 3, 5), _bytes(rng, b_type, 5, 4)
        y = _wrapped(np.matmul(a.astype(np.int64), b.astype(np.int64)))
        y = y if np.int16 in (a_type, b_type) else y.view(np.uint32)
        yield _case(f"matmulinteger16_{a_type.__name__}_{b_type.__name__}", _node("MatMulInteger16", ["a", "b"]), {"a": a, "b": b}, {"y": y})


def _linear_products():
    kinds = itertools.product((U8, S8), (U8, S8), (np.float32, np.float16), ("tensor", "columns", "rows"))
    for number, (a_type, b_type, scale_type, kind) in enumerate(kinds):
        def make(rng):
            a, b = _bytes(rng, a_type, 2, 5, 30), _bytes(rng, b_type, 30, 11)
            a_scale = rng.uniform(0.01, 0.02, (5,) if kind == "rows" else ()).astype(scale_type)
            b_scale = rng.uniform(0.01, 0.02, (11,) if kind == "columns" else ()).astype(scale_type)
            y_scale = np.array(0.04, scale_type)
            a_zero, b_zero, y_zero = _bytes(rng, a_type, *a_scale.shape), _bytes(rng, b_type, *b_scale.shape), _bytes(rng, a_type)
            rows = (lambda v: np.asarray(v).reshape(-1, 1)) if kind == "rows" else np.asarray
            sums = np.matmul(_centred(a, rows(a_zero)), _centred(b, b_zero))
            y = _rounded(sums * rows(a_scale).astype(np.float64) * b_scale.astype(np.float64) / float(y_scale), y_zero, a_type)
            inputs = {"a": a, "as": a_scale, "az": np.array(a_zero), "b": b, "bs": b_scale, "bz": np.array(b_zero), "ys": y_scale, "yz": np.array(y_zero)}
            name = f"qlinearmatmul_{a_type.__name__}_{b_type.__name__}_{np.dtype(scale_type).name}_{kind}"
            return _case(name, _node("QLinearMatMul", inputs, domain=""), inputs, {"y": y}, ("b",) if kind != "rows" else ())
        yield _drawn(make, 100 + number)


FLOAT8 = {"e4m3fn": TensorProto.FLOAT8E4M3FN, "e4m3fnuz": TensorProto.FLOAT8E4M3FNUZ, "e5m2": TensorProto.FLOAT8E5M2, "e5m2fnuz": TensorProto.FLOAT8E5M2FNUZ}


def _float8_products():
    """Small whole numbers and powers of two: every sum and every result is exact."""
    rng = np.random.default_rng(5)
    for name, kind in FLOAT8.items():
        a, b = rng.integers(-2, 3, (3, 4)), rng.integers(-2, 3, (4, 2))
        y = np.matmul(a, b) * 0.5
        y[np.abs(y) > 4] = np.sign(y[np.abs(y) > 4]) * 4
        scale = lambda value: np.array(value, np.float32)
        tensors = {"a": tensor_of(kind, [3, 4], a.ravel().tolist(), "a"), "b": tensor_of(kind, [4, 2], b.ravel().tolist(), "b"), "az": tensor_of(kind, [1], [0.0], "az"), "bz": tensor_of(kind, [1], [0.0], "bz"), "yz": tensor_of(kind, [1], [0.0], "yz")}
        inputs = {"a": tensors["a"], "as": scale(0.5), "az": tensors["az"], "b": tensors["b"], "bs": scale(2.0), "bz": tensors["bz"], "ys": scale(2.0), "yz": tensors["yz"]}
        exact = np.matmul(a, b) * 0.5
        yield _case(f"qlinearmatmul_{name}", _node("QLinearMatMul", inputs, domain=""), inputs, {"y": tensor_of(kind, [3, 2], exact.ravel().tolist(), "y")})


def _float_products():
    for number, (a_type, b_type, columns, biased) in enumerate(itertools.product((U8, S8), (U8, S8), (False, True), (False, True))):
        rng = np.random.default_rng(200 + number)
        a, b = _bytes(rng, a_type, 2, 4, 50), _bytes(rng, b_type, 50, 19)
        b_scale = rng.uniform(0.01, 0.02, (19,) if columns else ()).astype(np.float32)
        a_zero, b_zero = np.array(_bytes(rng, a_type)), np.array(_bytes(rng, b_type, *b_scale.shape))
        bias = rng.standard_normal(19).astype(np.float32)
        y = (np.matmul(_centred(a, a_zero), _centred(b, b_zero)) * 0.02 * b_scale.astype(np.float64) + (bias if biased else 0)).astype(np.float32)
        inputs = {"a": a, "b": b, "as": _scalar(0.02), "bs": b_scale, "az": a_zero, "bz": b_zero} | ({"bias": bias} if biased else {})
        yield _case(f"matmulintegertofloat_{number}", _node("MatMulIntegerToFloat", inputs), inputs, {"y": y}, ("b",), rtol=1e-5, atol=1e-4)
        if a_type == S8:
            continue
        x = rng.standard_normal((2, 4, 50)).astype(np.float32)
        low, high = min(float(x.min()), 0.0), max(float(x.max()), 0.0)
        scale = np.float32((np.float32(high) - np.float32(low)) / np.float32(255))
        zero = np.clip(np.rint(-np.float32(low) / scale), 0, 255)
        q = np.clip(np.rint(x / scale) + zero, 0, 255)
        y = (np.matmul(q - zero, _centred(b, b_zero)) * float(scale) * b_scale.astype(np.float64) + (bias if biased else 0)).astype(np.float32)
        inputs = {"a": x, "b": b, "bs": b_scale, "bz": b_zero} | ({"bias": bias} if biased else {})
        yield _case(f"dynamicquantizematmul_{number}", _node("DynamicQuantizeMatMul", inputs), inputs, {"y": y}, ("b", "bz"), rtol=1e-5, atol=1e-4)


def _gemms():
    for number, (a_type, b_type, turned, quantised) in enumerate(itertools.product((U8, S8), (U8, S8), (False, True), (False, True))):
        def make(rng):
            a, b = _bytes(rng, a_type, 7, 20), _bytes(rng, b_type, 20, 9)
            b_scale = rng.uniform(0.01, 0.02, (9,)).astype(np.float32)
            a_zero, b_zero = np.array(_bytes(rng, a_type)), _bytes(rng, b_type, 9)
            c = rng.integers(-5000, 5000, [(9,), (7, 9), (1, 9), ()][number % 4]).astype(np.int32)
            real = (np.matmul(_centred(a, a_zero), _centred(b, b_zero)) + c) * 1.5 * 0.02 * b_scale.astype(np.float64)
            inputs = {"a": a.T.copy() if turned else a, "as": _scalar(0.02), "az": a_zero, "b": b.T.copy() if turned else b, "bs": b_scale, "bz": b_zero, "c": c}
            y = real.astype(np.float32)
            if quantised:
                y_zero = np.array(_bytes(rng, a_type))
                inputs |= {"ys": _scalar(0.7), "yz": y_zero}
                y = _rounded(real / float(np.float32(0.7)), y_zero, a_type)
            node = _node("QGemm", inputs, alpha=1.5, transA=int(turned), transB=int(turned))
            return _case(f"qgemm_{number}", node, inputs, {"y": y}, ("b",) if number % 3 else (), rtol=1e-5, atol=1e-4)
        yield _drawn(make, 300 + number)


# --- convolutions ---------------------------------------------------------------------------------------------------

def _windows(x, w, strides, dilations, pads, groups):
    """Exact sums of a convolution of centred integers, [batch, maps, rows, columns]."""
    x = np.pad(x, ((0, 0), (0, 0), (pads[0], pads[2]), (pads[1], pads[3])))
    maps, depth, kh, kw = w.shape
    rows = (x.shape[2] - (kh - 1) * dilations[0] - 1) // strides[0] + 1
    columns = (x.shape[3] - (kw - 1) * dilations[1] - 1) // strides[1] + 1
    y = np.zeros((x.shape[0], maps, rows, columns), np.int64)
    for m in range(maps):
        first = m // (maps // groups) * depth
        for u, v in itertools.product(range(kh), range(kw)):
            part = x[:, first:first + depth, u * dilations[0]:u * dilations[0] + (rows - 1) * strides[0] + 1:strides[0], v * dilations[1]:v * dilations[1] + (columns - 1) * strides[1] + 1:strides[1]]
            y[:, m] += np.einsum("bcij,c->bij", part, w[m, :, u, v])
    return y


CONVOLUTIONS = [  # channels, maps, groups, size, kernel, strides, dilations, pads
    (16, 20, 1, (9, 11), (3, 3), (1, 1), (1, 1), (1, 1, 1, 1)),
    (6, 9, 3, (8, 7), (3, 2), (2, 1), (1, 2), (0, 2, 1, 0)),
    (24, 24, 24, (7, 6), (3, 3), (1, 2), (1, 1), (1, 1, 1, 1)),
    (33, 17, 1, (5, 4), (1, 1), (1, 1), (1, 1), (0, 0, 0, 0)),
    (3, 8, 1, (10, 10), (3, 3), (2, 2), (1, 1), (0, 0, 0, 0)),
]


def _convolutions():
    for number, (layout, x_type, w_type, constant) in enumerate(itertools.product(CONVOLUTIONS, (U8, S8), (U8, S8), (False, True))):
        channels, maps, groups, size, kernel, strides, dilations, pads = layout
        attributes = {"group": groups, "strides": strides, "dilations": dilations, "pads": pads, "kernel_shape": kernel}

        def make(rng):
            x, w = _bytes(rng, x_type, 2, channels, *size), _bytes(rng, w_type, maps, channels // groups, *kernel)
            x_zero, w_zero = np.array(_bytes(rng, x_type)), _bytes(rng, w_type, maps)
            if number % 3 == 0:
                w_zero[:] = 128 if w_type == U8 else 0
            if number % 6 == 0:
                x_zero = np.array(np.iinfo(x_type).min, x_type)
            sums = _windows(_centred(x, x_zero), _centred(w, w_zero.reshape(-1, 1, 1, 1)), strides, dilations, pads, groups)
            bias = rng.integers(-3000, 3000, maps).astype(np.int32)
            w_scale = rng.uniform(0.001, 0.002, maps).astype(np.float32)
            y_zero = np.array(_bytes(rng, x_type))
            y = _rounded((sums + bias.reshape(1, -1, 1, 1)) * 0.5 * w_scale.astype(np.float64).reshape(1, -1, 1, 1) / 2.0, y_zero, x_type)
            linear = {"x": x, "xs": _scalar(0.5), "xz": x_zero, "w": w, "ws": w_scale, "wz": w_zero, "ys": _scalar(2.0), "yz": y_zero, "b": bias}
            name = f"{number // 8}_{x_type.__name__}_{w_type.__name__}{'_constant' if constant else ''}"
            constants = ("w", "wz") if constant else ()
            cases = [_case(f"qlinearconv_{name}", _node("QLinearConv", linear, domain="", **attributes), linear, {"y": y}, constants)]
            integer = {"x": x, "w": w, "xz": x_zero, "wz": w_zero}
            cases.append(_case(f"convinteger_{name}", _node("ConvInteger", integer, domain="", **attributes), integer, {"y": _wrapped(sums)}, constants))
            last = linear | {"x": np.ascontiguousarray(np.moveaxis(x, 1, 3))}
            node = _node("QLinearConv", last, channels_last=1, **attributes)
            cases.append(_case(f"qlinearconv_channels_last_{name}", node, last, {"y": np.ascontiguousarray(np.moveaxis(y, 1, 3))}, constants))
            return cases
        yield from _drawn(make, 400 + number)


# --- arithmetic, lookups, layout ------------------------------------------------------------------------------------

def _linear_inputs(rng, dtype, name, shape, scale):
    zero = np.array(_bytes(rng, dtype))
    values = _bytes(rng, dtype, *shape)
    return {name: values, f"{name}s": _scalar(scale), f"{name}z": zero}, _centred(values, zero) * float(np.float32(scale))


def _result(dtype, rng, scale):
    return {"ys": _scalar(scale), "yz": np.array(_bytes(rng, dtype))}


def _arithmetic():
    shapes = [((3, 5, 7), (3, 5, 7)), ((2, 40), (40,)), ((4, 1, 6), (5, 1)), ((3, 37), ()), ((1,), (70,))]
    for number, (op, dtype, (a_shape, b_shape)) in enumerate(itertools.product(("QLinearAdd", "QLinearMul"), (U8, S8), shapes)):
        def make(rng):
            left, a = _linear_inputs(rng, dtype, "a", a_shape, 0.0371)
            right, b = _linear_inputs(rng, dtype, "b", b_shape, 0.0213)
            result = _result(dtype, rng, 0.0517)
            real = a + b if op == "QLinearAdd" else a * b
            y = _rounded(real / float(np.float32(0.0517)), result["yz"], dtype)
            inputs = left | right | result
            return _case(f"{op.lower()}_{dtype.__name__}_{number}", _node(op, inputs), inputs, {"y": y})
        yield _drawn(make, 600 + number)


def _softmax(real, axis):
    powers = np.exp(real - real.max(axis=axis, keepdims=True))
    return powers / powers.sum(axis=axis, keepdims=True)


def _lookups():
    for number, dtype in enumerate((U8, S8)):
        functions = [("QLinearSigmoid", {}, lambda x: 1 / (1 + np.exp(-x)), 1 / 256.3), ("QLinearLeakyRelu", {"alpha": 0.13}, lambda x: np.where(x < 0, float(np.float32(0.13)) * x, x), 0.0417)]
        functions += [("QLinearSoftmax", {"axis": 1, "opset": 13}, lambda x: _softmax(x, 1), 1 / 255.7), ("QLinearSoftmax", {"axis": 1, "opset": 12}, lambda x: _softmax(x.reshape(3, -1), 1).reshape(x.shape), 1 / 300.3), ("QLinearSoftmax", {"opset": 13}, lambda x: _softmax(x, 2), 1 / 256.9)]
        for place, (op, attributes, function, scale) in enumerate(functions):
            def make(rng):
                inputs, x = _linear_inputs(rng, dtype, "x", (3, 11, 5), 0.0331)
                inputs |= _result(dtype, rng, scale)
                y = _rounded(function(x) / float(np.float32(scale)), inputs["yz"], dtype)
                return _case(f"{op.lower()}_{dtype.__name__}_{place}", _node(op, inputs, **attributes), inputs, {"y": y})
            yield _drawn(make, 700 + number * 10 + place)


def _layouts():
    for number, dtype in enumerate((U8, S8)):
        def concat(rng):
            result = _result(dtype, rng, 0.0517)
            inputs = dict(result)
            parts = []
            for name, length, scale in (("a", 2, 0.0371), ("b", 5, 0.0517), ("c", 1, 0.0291)):
                given, real = _linear_inputs(rng, dtype, name, (3, length, 4), scale)
                inputs |= given
                parts.append(real)
            y = _rounded(np.concatenate(parts, axis=1) / float(np.float32(0.0517)), result["yz"], dtype)
            return _case(f"qlinearconcat_{dtype.__name__}", _node("QLinearConcat", inputs, axis=-2), inputs, {"y": y})
        yield _drawn(concat, 800 + number)

        def where(rng):
            condition = rng.integers(0, 2, (4, 1, 6)).astype(bool)
            left, x = _linear_inputs(rng, dtype, "x", (5, 6), 0.0371)
            right, other = _linear_inputs(rng, dtype, "o", (4, 5, 1), 0.0291)
            result = _result(dtype, rng, 0.0517)
            y = _rounded(np.where(condition, x, other) / float(np.float32(0.0517)), result["yz"], dtype)
            inputs = {"c": condition} | left | right | result
            return _case(f"qlinearwhere_{dtype.__name__}", _node("QLinearWhere", inputs), inputs, {"y": y})
        yield _drawn(where, 810 + number)

        def where_of_one_shape(rng):
            condition = rng.integers(0, 2, (4, 6)).astype(bool)
            left, x = _linear_inputs(rng, dtype, "x", (4, 6), 0.0371)
            right, other = _linear_inputs(rng, dtype, "o", (4, 6), 0.0291)
            result = _result(dtype, rng, 0.0517)
            y = _rounded(np.where(condition, x, other) / float(np.float32(0.0517)), result["yz"], dtype)
            inputs = {"c": condition} | left | right | result
            return _case(f"qlinearwhere_{dtype.__name__}_one_shape", _node("QLinearWhere", inputs), inputs, {"y": y})
        yield _drawn(where_of_one_shape, 820 + number)


def _pools():
    for number, (dtype, last) in enumerate(itertools.product((U8, S8), (0, 1))):
        move = (lambda v: np.ascontiguousarray(np.moveaxis(v, 1, -1))) if last else (lambda v: v)
        suffix = f"{dtype.__name__}{'_channels_last' if last else ''}"
        for padded in (0, 1):
            def average(rng):
                inputs, x = _linear_inputs(rng, dtype, "x", (2, 5, 7, 8), 0.0371)
                inputs |= _result(dtype, rng, 0.0293)
                frame = np.pad(x, ((0, 0), (0, 0), (1, 1), (0, 2)))
                inside = np.pad(np.ones(x.shape), ((0, 0), (0, 0), (1, 1), (0, 2)))
                rows, columns = (7 + 2 - 3) // 2 + 1, 8 + 2 - 2 + 1
                y = np.zeros((2, 5, rows, columns))
                for i, j in itertools.product(range(rows), range(columns)):
                    window = (slice(None), slice(None), slice(2 * i, 2 * i + 3), slice(j, j + 2))
                    count = 6 if padded else np.maximum(inside[window].sum((2, 3)), 1)
                    y[:, :, i, j] = frame[window].sum((2, 3)) / count
                y = _rounded(y / float(np.float32(0.0293)), inputs["yz"], dtype)
                inputs["x"] = move(inputs["x"])
                node = _node("QLinearAveragePool", inputs, kernel_shape=[3, 2], strides=[2, 1], pads=[1, 0, 1, 1] if not padded else [1, 0, 1, 2], count_include_pad=padded, channels_last=last)
                if not padded:
                    y = y[..., :8]
                return _case(f"qlinearaveragepool_{suffix}_{padded}", node, inputs, {"y": move(y)})
            yield _drawn(average, 900 + number * 10 + padded)

        def whole(rng):
            inputs, x = _linear_inputs(rng, dtype, "x", (2, 5, 7, 8), 0.0371)
            inputs |= _result(dtype, rng, 0.0093)
            y = _rounded(x.mean((2, 3), keepdims=True) / float(np.float32(0.0093)), inputs["yz"], dtype)
            inputs["x"] = move(inputs["x"])
            return _case(f"qlinearglobalaveragepool_{suffix}", _node("QLinearGlobalAveragePool", inputs, channels_last=last), inputs, {"y": move(y)})
        yield _drawn(whole, 905 + number * 10)

        def reduced(rng):
            inputs, x = _linear_inputs(rng, dtype, "x", (3, 4, 5, 6), 0.0371)
            inputs |= _result(dtype, rng, 0.0113)
            y = _rounded(x.mean((1, 3), keepdims=bool(last)) / float(np.float32(0.0113)), inputs["yz"], dtype)
            return _case(f"qlinearreducemean_{suffix}", _node("QLinearReduceMean", inputs, axes=[1, -1], keepdims=last), inputs, {"y": y})
        yield _drawn(reduced, 907 + number * 10)


# --- attention ------------------------------------------------------------------------------------------------------

def _run_onnxruntime(model, inputs):
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    options.log_severity_level = 3
    session = onnxruntime.InferenceSession(model.SerializeToString(), options, providers=["CPUExecutionProvider"])
    return dict(zip([each.name for each in session.get_outputs()], session.run(None, inputs)))


def _attention():
    batch, length, depth, heads, size = 2, 5, 12, 3, 4
    hidden = heads * size
    masks = {
        "none": None,
        "ends": np.array([5, 3], np.int32),
        "ends_starts": np.array([5, 4, 1, 0], np.int32),
        "places": np.array([[1, 1, 1, 1, 0], [1, 1, 0, 0, 0]], np.int32),
        "pairs": (np.arange(50).reshape(2, 5, 5) % 3 > 0).astype(np.int32),
    }
    for number, (mask_name, causal, past_length, columns, w_type) in enumerate([("none", 0, 0, False, U8), ("none", 1, 0, True, S8), ("ends", 0, 0, True, U8), ("ends_starts", 0, 0, False, S8), ("places", 0, 0, False, S8), ("places", 1, 0, True, S8), ("pairs", 0, 0, False, U8), ("none", 1, 3, False, S8), ("none", 0, 3, True, S8)]):
        rng = np.random.default_rng(1000 + number)
        inputs = {"x": _bytes(rng, U8, batch, length, depth), "w": _bytes(rng, w_type, depth, 3 * hidden), "bias": rng.standard_normal(3 * hidden).astype(np.float32), "xs": _scalar(0.01), "ws": rng.uniform(0.005, 0.01, 3 * hidden if columns else ()).astype(np.float32)}
        names = list(inputs)
        if masks[mask_name] is not None:
            inputs["mask"] = masks[mask_name]
        names.append("mask" if "mask" in inputs else "")
        inputs |= {"xz": np.array(_bytes(rng, U8)), "wz": np.array(_bytes(rng, w_type, *([3 * hidden] if columns else [])))}
        names += ["xz", "wz"]
        outputs = ["y"]
        examples = {"y": np.zeros((batch, length, hidden), np.float32)}
        if past_length:
            inputs["past"] = rng.standard_normal((2, batch, heads, past_length, size)).astype(np.float32)
            names.append("past")
            outputs.append("present")
            examples["present"] = np.zeros((2, batch, heads, past_length + length, size), np.float32)
        node = _node("QAttention", names, outputs, num_heads=heads, unidirectional=causal)
        constants = {"w": inputs.pop("w"), "wz": inputs.pop("wz")}
        model = one_node(node, inputs, examples, 21, DOMAINS, constants)
        # The same weights as unsigned bytes: on some machines onnxruntime's products with signed ones saturate (byte_products.py).
        unsigned = {key: (value.astype(np.int16) + 128).astype(U8) if w_type == S8 else value for key, value in constants.items()}
        expected = _run_onnxruntime(one_node(node, inputs, examples, 21, DOMAINS, unsigned), inputs)
        yield Case(f"qattention_{mask_name}_{number}", model, inputs, expected, rtol=1e-4, atol=1e-5)


# --- operators between DequantizeLinear and QuantizeLinear --------------------------------------------------------------

class _Groups:
    """A graph written step by step together with its float64 values."""

    def __init__(self, rng):
        self.rng, self.nodes, self.constants, self.inputs, self.real, self.quantised = rng, [], {}, {}, {}, {}

    def _name(self, stem):
        return f"{stem}{len(self.nodes) + len(self.constants) + len(self.inputs)}"

    def constant(self, value):
        name = self._name("c")
        self.constants[name] = np.array(value)
        return name

    def node(self, op, inputs, **attributes):
        name = self._name("v")
        self.nodes.append(helper.make_node(op, inputs, [name], **attributes))
        return name

    def dequantised(self, values, scale, zero, constant=False, **attributes):
        """The name of a value that comes from bytes, given as they are."""
        name = self.constant(values) if constant else self._name("x")
        if not constant:
            self.inputs[name] = values
        scale = np.array(scale, np.float32)
        result = self.node("DequantizeLinear", [name, self.constant(scale), self.constant(zero)], **attributes)
        shape = [-1 if axis == attributes.get("axis", 1) else 1 for axis in range(values.ndim)] if scale.ndim else []
        self.real[result] = _centred(values, np.reshape(zero, shape)) * scale.reshape(shape).astype(np.float64)
        return result

    def activation(self, dtype, *shape, scale=0.02):
        return self.dequantised(_bytes(self.rng, dtype, *shape), scale, np.array(_bytes(self.rng, dtype)))

    def compute(self, op, inputs, value, **attributes):
        result = self.node(op, inputs, **attributes)
        self.real[result] = value
        return result

    def quantise(self, name, scale, zero):
        """QuantizeLinear and the DequantizeLinear after it; returns both names."""
        scale, zero = np.array(scale, np.float32), np.array(zero)
        names = [self.constant(scale), self.constant(zero)]
        values = _rounded(self.real[name] / float(scale), zero, zero.dtype)
        result = self.node("QuantizeLinear", [name, *names])
        self.quantised[result] = values
        back = self.node("DequantizeLinear", [result, *names])
        self.real[back] = _centred(values, zero) * float(scale)
        return result, back

    def case(self, name, outputs):
        self.nodes = [node for node in self.nodes if any(node.output[0] in other.input for other in self.nodes) or node.output[0] in outputs]
        return _graph_case(name, self.nodes, self.inputs, self.constants, {each: self.quantised[each] for each in outputs})


def _graph_case(name, nodes, inputs, constants, outputs, opset=17):
    value = lambda key, array: helper.make_tensor_value_info(key, helper.np_dtype_to_tensor_dtype(array.dtype), array.shape)
    used = {each for node in nodes for each in node.input}
    graph = helper.make_graph(nodes, name, [value(*each) for each in inputs.items()], [value(*each) for each in outputs.items()], [numpy_helper.from_array(array, key) for key, array in constants.items() if key in used])
    return Case(name, helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset)], ir_version=8), inputs, outputs)


def _conv_chain(rng, dtype, name):
    """Convolutions, a residual sum and poolings in a row."""
    g = _Groups(rng)
    low = np.iinfo(dtype).min
    x = g.activation(dtype, 1, 3, 9, 8)
    w_scale = rng.uniform(0.001, 0.002, 16).astype(np.float32)
    w = g.dequantised(_bytes(rng, S8, 16, 3, 3, 3), w_scale, np.zeros(16, S8), True, axis=0)
    b = g.dequantised(rng.integers(-4000, 4000, 16).astype(np.int32), (np.float32(0.02) * w_scale), np.zeros(16, np.int32), True, axis=0)
    sums = _real_windows(g.real[x], g.real[w], (1, 1), (1, 1, 1, 1), 1)
    conv = g.compute("Conv", [x, w, b], sums + g.real[b].reshape(1, -1, 1, 1), pads=[1, 1, 1, 1], kernel_shape=[3, 3])
    relu = g.compute("Relu", [conv], np.maximum(g.real[conv], 0))
    _, first = g.quantise(relu, 0.010123, np.array(low, dtype))
    w2 = g.dequantised(_bytes(rng, S8, 16, 1, 3, 3), 0.0030171, np.array(0, S8), True)
    deep = g.compute("Conv", [first, w2], _real_windows(g.real[first], g.real[w2], (1, 1), (1, 1, 1, 1), 16), pads=[1, 1, 1, 1], group=16)
    _, second = g.quantise(deep, 0.0120919, np.array(_bytes(rng, dtype)))
    total = g.compute("Add", [first, second], g.real[first] + g.real[second])
    _, added = g.quantise(total, 0.0151313, np.array(_bytes(rng, dtype)))
    w3 = g.dequantised(_bytes(rng, U8, 5, 16, 1, 1), 0.0040237, np.array(131, U8), True)
    last = g.compute("Conv", [added, w3], _real_windows(g.real[added], g.real[w3], (2, 2), (0, 0, 0, 0), 1), strides=[2, 2])
    y, third = g.quantise(last, 0.0501417, np.array(_bytes(rng, dtype)))
    mean = g.compute("GlobalAveragePool", [third], g.real[third].mean((2, 3), keepdims=True))
    z, _ = g.quantise(mean, 0.0130653, np.array(_bytes(rng, dtype)))
    return g.case(name, [y, z])


def _real_windows(x, w, strides, pads, groups):
    x = np.pad(x, ((0, 0), (0, 0), (pads[0], pads[2]), (pads[1], pads[3])))
    maps, depth, kh, kw = w.shape
    rows, columns = (x.shape[2] - kh) // strides[0] + 1, (x.shape[3] - kw) // strides[1] + 1
    y = np.zeros((x.shape[0], maps, rows, columns))
    for m, u, v in itertools.product(range(maps), range(kh), range(kw)):
        first = m // (maps // groups) * depth
        part = x[:, first:first + depth, u:u + (rows - 1) * strides[0] + 1:strides[0], v:v + (columns - 1) * strides[1] + 1:strides[1]]
        y[:, m] += np.einsum("bcij,c->bij", part, w[m, :, u, v])
    return y


def _single_groups(rng, dtype, op, name):
    g = _Groups(rng)
    scale = 0.031
    a, b = g.activation(dtype, 4, 6, 10), g.activation(dtype, 4, 6, 10, scale=0.017)
    x, y = g.real[a], g.real[b]
    zero = np.array(_bytes(rng, dtype))
    if op == "MatMul":
        right = g.activation(dtype, 4, 10, 7, scale=0.017)
        result = g.compute(op, [a, right], np.matmul(x, g.real[right]))
    elif op == "MatMulConstant":
        right = g.dequantised(_bytes(rng, S8, 10, 7), rng.uniform(0.001, 0.002, 7), np.zeros(7, S8), True, axis=1)
        result = g.compute("MatMul", [a, right], np.matmul(x, g.real[right]))
    elif op == "Gemm":
        a = g.activation(dtype, 6, 10)
        right = g.dequantised(_bytes(rng, S8, 7, 10), rng.uniform(0.001, 0.002, 7), np.zeros(7, S8), True, axis=0)
        bias = rng.integers(-900, 900, 7) * np.float64(np.float32(0.02)) * np.asarray(g.constants[g.nodes[-1].input[1]], np.float64)
        given = g.constant(bias.astype(np.float32))
        gemm = g.compute(op, [a, right, given], np.matmul(g.real[a], g.real[right].T) + bias, transB=1)
        result, zero = g.compute("Relu", [gemm], np.maximum(g.real[gemm], 0)), np.array(np.iinfo(dtype).min, dtype)
        scale = 0.011
    elif op == "GemmRowBias":
        a = g.activation(dtype, 6, 10)
        right = g.dequantised(_bytes(rng, S8, 10, 7), 0.0017, np.array(0, S8), True)
        bias = (rng.standard_normal((6, 1)) * 3).astype(np.float32)
        result = g.compute("Gemm", [a, right, g.constant(bias)], np.matmul(g.real[a], g.real[right]) + bias)
    elif op == "Concat":
        result = g.compute(op, [a, b], np.concatenate([x, y], 1), axis=1)
    elif op == "AveragePool":
        result = g.compute(op, [a], (x[:, :, :-1] + x[:, :, 1:]) / 2, kernel_shape=[2])
    elif op == "Softmax":
        result, scale = g.compute(op, [a], _softmax(x, -1)), 1 / 300.7
    else:
        values = {"Add": lambda: x + y, "Mul": lambda: x * y, "Relu": lambda: np.maximum(x, 0), "LeakyRelu": lambda: np.where(x < 0, float(np.float32(0.2)) * x, x), "Sigmoid": lambda: 1 / (1 + np.exp(-x))}[op]()
        scale = 1 / 270.3 if op == "Sigmoid" else scale
        result = g.compute(op, [a, b] if op in ("Add", "Mul") else [a], values, **({"alpha": 0.2} if op == "LeakyRelu" else {}))
    output, _ = g.quantise(result, scale, zero)
    return g.case(name, [output])


def _groups():
    operators = ("MatMul", "MatMulConstant", "Gemm", "GemmRowBias", "Concat", "AveragePool", "Softmax", "Add", "Mul", "Relu", "LeakyRelu", "Sigmoid")
    for number, dtype in enumerate((U8, S8)):
        yield _drawn(lambda rng: _conv_chain(rng, dtype, f"group_conv_chain_{dtype.__name__}"), 1100 + number)
        for place, op in enumerate(operators):
            yield _drawn(lambda rng: _single_groups(rng, dtype, op, f"group_{op.lower()}_{dtype.__name__}"), 1120 + number * 20 + place)


# --- QuantizeLinear and DequantizeLinear ----------------------------------------------------------------------------

INTEGERS = {"uint2": (0, 3), "int2": (-2, 1), "uint4": (0, 15), "int4": (-8, 7), "uint8": (0, 255), "int8": (-128, 127), "uint16": (0, 65535), "int16": (-32768, 32767)}
LAYOUTS = {"tensor": ((), {}, lambda s: s), "axis": ((6,), {"axis": 1}, lambda s: s.reshape(1, 6, 1)), "last": ((35,), {"axis": -1}, lambda s: s), "blocks": ((2, 2, 35), {"axis": 1, "block_size": 4}, lambda s: np.repeat(s, 4, 1)[:, :6]), "last_blocks": ((2, 6, 5), {"axis": 2, "block_size": 8}, lambda s: np.repeat(s, 8, 2)[:, :, :35])}


def _linear_forms():
    """Scales are powers of two and inputs multiples of an eighth: quotients are exact, and ties come up often."""
    for number, ((kind, (low, high)), (layout, (shape, attributes, spread)), scale_type) in enumerate(itertools.product(INTEGERS.items(), LAYOUTS.items(), (np.float32, np.float16))):
        rng = np.random.default_rng(1300 + number)
        element = getattr(TensorProto, kind.upper())
        scale = (2.0 ** rng.integers(-2, 2, shape)).astype(scale_type)
        zero = rng.integers(low, high + 1, shape)
        x = (np.clip(rng.standard_normal((2, 6, 35)) * min(high, 200), -250, 250) * 8).round() / 8
        x = x.astype(scale_type)
        q = np.clip(np.rint(x.astype(np.float64) / spread(scale.astype(np.float64))) + spread(zero), low, high).astype(np.int64)
        packed = lambda values, name: tensor_of(element, list(values.shape), values.ravel().tolist(), name)
        name = f"{kind}_{layout}_{np.dtype(scale_type).name}"
        inputs = {"x": x, "s": scale, "z": packed(zero, "z")}
        yield _case(f"quantizelinear_{name}", _node("QuantizeLinear", inputs, domain="", **attributes), inputs, {"y": packed(q, "y")}, opset=25)
        back = (q - spread(zero)) * spread(scale.astype(np.float64))
        inputs = {"x": packed(q, "x"), "s": scale, "z": packed(zero, "z")}
        if np.all(np.abs(back) < 60000):
            yield _case(f"dequantizelinear_{name}", _node("DequantizeLinear", inputs, domain="", **attributes), inputs, {"y": back.astype(scale_type)}, opset=25)
        if kind in ("uint8", "int16") and layout in ("tensor", "axis"):
            own = {"x": x, "s": scale, "z": packed(zero, "z")}
            yield _case(f"microsoft_quantizelinear_{name}", _node("QuantizeLinear", own, **attributes), own, {"y": packed(q, "y")}, opset=25)
            own = {"x": packed(q, "x"), "s": scale, "z": packed(zero, "z")}
            if np.all(np.abs(back) < 60000):
                yield _case(f"microsoft_dequantizelinear_{name}", _node("DequantizeLinear", own, **attributes), own, {"y": back.astype(scale_type)}, opset=25)
        if layout == "tensor" and scale_type == np.float32:
            inputs = {"x": x, "s": scale}
            q = np.clip(np.rint(x.astype(np.float64) / scale), low, high).astype(np.int64)
            yield _case(f"quantizelinear_output_dtype_{kind}", _node("QuantizeLinear", inputs, domain="", output_dtype=int(element)), inputs, {"y": packed(q, "y")}, opset=25)


def cases():
    for family in (_integer_products, _linear_products, _float8_products, _float_products, _gemms, _convolutions, _arithmetic, _lookups, _layouts, _pools, _attention, _groups, _linear_forms):
        yield from family()
