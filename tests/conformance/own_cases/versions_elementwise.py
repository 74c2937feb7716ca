"""Every version of the operators that work element by element: unary, activations, arithmetic, comparison, logic, variadic, Cast.

Versions before 7 broadcast only when `broadcast` is 1, from `axis` on; versions 1 carry the unused `consumed_inputs`.
"""

import math

import numpy as np
from case import at_version, versions_of
from onnx import TensorProto

X = np.array([[-2.5, -1.0, -0.25], [0.0, 0.5, 3.0]], dtype=np.float32)
POSITIVE = np.array([[0.25, 1.0, 2.5], [4.0, 0.5, 3.0]], dtype=np.float32)
INSIDE = np.array([[-0.9, -0.5, 0.0], [0.25, 0.5, 0.75]], dtype=np.float32)

erf = np.vectorize(math.erf)


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


def softplus(x):
    return np.log1p(np.exp(x))


# operator -> (input, definition); the definition sees float64
UNARY = {
    "Abs": (X, np.abs),
    "Neg": (X, np.negative),
    "Ceil": (X, np.ceil),
    "Floor": (X, np.floor),
    "Round": (X, np.rint),
    "Sign": (X, np.sign),
    "Reciprocal": (POSITIVE, np.reciprocal),
    "Sqrt": (POSITIVE, np.sqrt),
    "Exp": (X, np.exp),
    "Log": (POSITIVE, np.log),
    "Erf": (X, erf),
    "Sin": (X, np.sin),
    "Cos": (X, np.cos),
    "Tan": (INSIDE, np.tan),
    "Asin": (INSIDE, np.arcsin),
    "Acos": (INSIDE, np.arccos),
    "Atan": (X, np.arctan),
    "Sinh": (X, np.sinh),
    "Cosh": (X, np.cosh),
    "Tanh": (X, np.tanh),
    "Asinh": (X, np.arcsinh),
    "Acosh": (POSITIVE + 1, np.arccosh),
    "Atanh": (INSIDE, np.arctanh),
    "Relu": (X, lambda x: np.maximum(x, 0)),
    "Sigmoid": (X, sigmoid),
    "Softplus": (X, softplus),
    "Softsign": (X, lambda x: x / (1 + np.abs(x))),
    "HardSwish": (X, lambda x: x * np.clip(x / 6 + 0.5, 0, 1)),
    "Mish": (X, lambda x: x * np.tanh(softplus(x))),
}


def unary():
    for op, (x, definition) in UNARY.items():
        for version in versions_of(op):
            y = definition(x.astype(np.float64)).astype(np.float32)
            old = {"consumed_inputs": [0]} if version == 1 and op not in ("Softplus", "Softsign") else {}
            yield at_version(op, version, [x], [y], **old)
    for version in versions_of("Identity"):
        yield at_version("Identity", version, [X], [X])


def elu(x, alpha):
    return np.where(x < 0, alpha * np.expm1(x), x)


def hard_sigmoid(x, alpha, beta):
    return np.clip(alpha * x + beta, 0, 1)


# operator -> (definition, attributes, defaults); defaults None: no case without attributes
WITH_ATTRIBUTES = {
    "LeakyRelu": (lambda x, alpha: np.where(x < 0, alpha * x, x), {"alpha": 0.3}, {"alpha": 0.01}),
    "Elu": (elu, {"alpha": 1.5}, {"alpha": 1.0}),
    "Celu": (lambda x, alpha: np.where(x < 0, alpha * np.expm1(x / alpha), x), {"alpha": 2.0}, {"alpha": 1.0}),
    "ThresholdedRelu": (lambda x, alpha: np.where(x > alpha, x, 0), {"alpha": 0.4}, {"alpha": 1.0}),
    "HardSigmoid": (hard_sigmoid, {"alpha": 0.3, "beta": 0.4}, {"alpha": 0.2, "beta": 0.5}),
    "Selu": (lambda x, alpha, gamma: gamma * elu(x, alpha), {"alpha": 2.0, "gamma": 3.0}, {"alpha": 1.67326319, "gamma": 1.05070102}),
    "Shrink": (lambda x, lambd, bias: np.where(x < -lambd, x + bias, np.where(x > lambd, x - bias, 0)), {"lambd": 0.75, "bias": 0.5}, {"lambd": 0.5, "bias": 0.0}),
}


def with_attributes():
    for op, (definition, given, defaults) in WITH_ATTRIBUTES.items():
        for version in versions_of(op):
            yield at_version(op, version, [X], [definition(X, **given).astype(np.float32)], **given)
            usual = dict(defaults)
            if (op, version) == ("Selu", 1):
                usual = {"alpha": 1.6732, "gamma": 1.0507}
            yield at_version(op, version, [X], [definition(X, **usual).astype(np.float32)], name=f"{op.lower()}_{version}_default")


A = np.arange(1, 25, dtype=np.float32).reshape(2, 3, 4) / 4
# suffix of A's shape, a run of axes in its middle, one element
OLD_BROADCASTS = {"suffix": ((3, 4), None), "middle": ((3,), 1), "start": ((2, 3), 0), "negative": ((3, 4), -2), "one": ((1,), None), "unit": ((3, 1), 1)}
NEW_BROADCASTS = {"both": (3, 1), "more": (2, 1, 1, 4), "scalar": ()}
ARITHMETIC = {"Add": np.add, "Sub": np.subtract, "Mul": np.multiply, "Div": np.divide, "Pow": np.power}
COMPARISON = {"Equal": np.equal, "Less": np.less, "Greater": np.greater, "LessOrEqual": np.less_equal, "GreaterOrEqual": np.greater_equal}
LOGIC = {"And": np.logical_and, "Or": np.logical_or, "Xor": np.logical_xor}


def right_side(op, shape):
    count = int(np.prod(shape))
    if op in LOGIC:
        return (np.arange(count) % 3 == 0).reshape(shape)
    if op == "Pow":
        return np.resize(np.float32([2, 3, 1, 0.5]), count).reshape(shape)
    return (np.arange(count) % 5 + 1).astype(np.float32).reshape(shape)


def aligned(b, axis):
    """B with ones after it, so that numpy broadcasts it from `axis` on."""
    if axis is None:
        return b
    start = axis + A.ndim if axis < 0 else axis
    return b.reshape(b.shape + (1,) * (A.ndim - start - b.ndim))


def pairs():
    for op, definition in {**ARITHMETIC, **COMPARISON, **LOGIC}.items():
        for version in versions_of(op):
            a = A
            if op in LOGIC:
                a = np.arange(24).reshape(2, 3, 4) % 2 == 0
            if op == "Equal":
                a = (np.arange(24) % 6).astype(np.int32).reshape(2, 3, 4)

            def case(tag, shape, start=None, **attributes):
                b = right_side(op, shape).astype(a.dtype)
                return at_version(op, version, [a, b], [definition(a, aligned(b, start)).astype(a.dtype if op in ARITHMETIC else bool)], name=f"{op.lower()}_{version}_{tag}", **attributes)

            yield case("same", a.shape, **({"consumed_inputs": [0, 0]} if version == 1 and op in ("Add", "Sub", "Mul", "Div") else {}))
            if version < 7:
                for tag, (shape, axis) in OLD_BROADCASTS.items():
                    yield case(tag, shape, axis, broadcast=1, **({} if axis is None else {"axis": axis}))
            else:
                for tag, shape in NEW_BROADCASTS.items():
                    yield case(tag, shape)


def variadic():
    for op, definition in {"Max": np.maximum.reduce, "Min": np.minimum.reduce, "Sum": sum, "Mean": lambda values: sum(values) / len(values)}.items():
        for version in versions_of(op):
            values = [A, A[::-1].copy(), A * np.float32(0.5) + 1]
            old = {"consumed_inputs": [0, 0, 0]} if version == 1 else {}
            yield at_version(op, version, values, [definition(values).astype(np.float32)], **old)
            yield at_version(op, version, values[:1], [A], name=f"{op.lower()}_{version}_single")
            if version >= 8:
                wide = [A, A[:1, :, :1].copy(), A[0, 0].copy()]
                yield at_version(op, version, wide, [definition(np.broadcast_arrays(*wide)).astype(np.float32)], name=f"{op.lower()}_{version}_broadcast")


def clip():
    for version in versions_of("Clip"):
        low, high = np.float32(-1), np.float32(1.5)
        y = np.clip(X, low, high)
        if version < 11:
            yield at_version("Clip", version, [X], [y], min=-1.0, max=1.5)
            yield at_version("Clip", version, [X], [np.minimum(X, high)], name=f"clip_{version}_max", max=1.5)
        else:
            yield at_version("Clip", version, [X, low, high], [y])
            yield at_version("Clip", version, [X, None, high], [np.minimum(X, high)], name=f"clip_{version}_max")
        yield at_version("Clip", version, [X], [X], name=f"clip_{version}_unbounded")


def cast():
    whole = np.trunc(X)
    for version in versions_of("Cast"):
        for name, dtype in (("INT32", np.int32), ("DOUBLE", np.float64), ("FLOAT16", np.float16), ("BOOL", bool), ("INT8", np.int8)):
            to = name if version < 6 else TensorProto.DataType.Value(name)
            yield at_version("Cast", version, [X], [(X if dtype != np.int8 else whole).astype(dtype)], name=f"cast_{version}_{name.lower()}", to=to)
        if version >= 9:
            text = np.array(["1.5", "-3", "INF", "1e3"], dtype=object)
            numbers = np.float32([1.5, -3, np.inf, 1000])
            yield at_version("Cast", version, [text], [numbers], name=f"cast_{version}_from_text", to=TensorProto.FLOAT)
            whole32 = np.int32([12, -3])
            yield at_version("Cast", version, [whole32], [np.array(["12", "-3"], dtype=object)], name=f"cast_{version}_to_text", to=TensorProto.STRING)
    for version in versions_of("CastLike"):
        yield at_version("CastLike", version, [np.int32([12, -3]), np.array(["a"], dtype=object)], [np.array(["12", "-3"], dtype=object)], name=f"castlike_{version}_text")
        yield at_version("CastLike", version, [X, np.zeros(1, dtype=np.int32)], [X.astype(np.int32)])


def slopes():
    for version in versions_of("PRelu"):
        whole = np.linspace(0.1, 0.6, 6, dtype=np.float32).reshape(X.shape)
        channel = np.float32([0.1, 0.2, 0.3])
        one = np.float32([0.25])
        for tag, slope in (("same", whole), ("channel", channel), ("one", one)):
            old = {"consumed_inputs": [0, 0]} if version == 1 else {}
            yield at_version("PRelu", version, [X, slope], [np.where(X < 0, X * slope, X)], name=f"prelu_{version}_{tag}", **old)
    deep = (np.arange(24, dtype=np.float32) - 12).reshape(1, 3, 2, 4)
    slope = np.float32([0.1, 0.2, 0.3])
    for version in (1, 6):  # one slope a channel, whatever follows the channels
        yield at_version("PRelu", version, [deep, slope], [np.where(deep < 0, deep * slope.reshape(3, 1, 1), deep)], name=f"prelu_{version}_deep")


def whole_numbers():
    a, b = np.int32([7, -7, 9, 5]), np.int32([3, 3, -4, 5])
    yield at_version("Erf", 9, [np.int32([-7, -1, 0, 2, 7])], [np.int32([-1, 0, 0, 0, 1])], name="erf_9_int32")
    for version in versions_of("Mod"):
        yield at_version("Mod", version, [a, b], [np.mod(a, b)])
        x, y = np.float32([5.5, -5.5, 7]), np.float32([2, 2, -4])
        yield at_version("Mod", version, [x, y], [np.fmod(x, y)], name=f"mod_{version}_fmod", fmod=1)
    for version in versions_of("BitShift"):
        bits, by = np.uint32([1, 6, 240]), np.uint32([3, 1, 4])
        yield at_version("BitShift", version, [bits, by], [bits << by], name=f"bitshift_{version}_left", direction="LEFT")
        yield at_version("BitShift", version, [bits, by], [bits >> by], name=f"bitshift_{version}_right", direction="RIGHT")


def float_classes():
    x = np.float32([[1, np.nan, np.inf], [-np.inf, 0, -5]])
    for version in versions_of("IsNaN"):
        yield at_version("IsNaN", version, [x], [np.isnan(x)])
    for version in versions_of("IsInf"):
        yield at_version("IsInf", version, [x], [np.isinf(x)])
        yield at_version("IsInf", version, [x], [np.isposinf(x)], name=f"isinf_{version}_positive", detect_negative=0)
        yield at_version("IsInf", version, [x], [np.isneginf(x)], name=f"isinf_{version}_negative", detect_positive=0)


def where():
    condition = np.array([[True], [False]])
    for version in versions_of("Where"):
        yield at_version("Where", version, [condition, X, POSITIVE[0]], [np.where(condition, X, POSITIVE[0])])
    for version in versions_of("Not"):
        yield at_version("Not", version, [condition], [~condition])


def cases():
    for family in (unary, with_attributes, pairs, variadic, clip, cast, slopes, whole_numbers, float_classes, where):
        yield from family()
