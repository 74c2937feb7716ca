"""Ways to make one node more: elementwise operators, movement of elements, and shapes. Each takes a GraphMaker."""

import numpy
from onnx import numpy_helper

from graph_maker import FLOATS, INTEGERS

NUMBERS = (*FLOATS, *INTEGERS)
ANY = (*NUMBERS, "bool")

UNARY = ("Abs Neg Exp Log Sqrt Sin Cos Tan Tanh Sinh Cosh Asinh Atan Sigmoid Erf Relu LeakyRelu Elu Selu Celu ThresholdedRelu Softplus Softsign "
         "HardSigmoid HardSwish Mish Gelu Reciprocal Identity").split()
ALPHA = {"LeakyRelu": 0.1, "Elu": 0.7, "Celu": 1.3, "ThresholdedRelu": 0.4, "HardSigmoid": 0.3}


def is_next_to_zero(value):
    """What was rounded becomes large there, or no number."""
    return not value.is_exact and numpy.abs(value.array).min(initial=1) < 0.01


def unary(maker):
    operator = maker.one_of(UNARY)
    kinds = NUMBERS if operator in ("Abs", "Neg", "Relu") else ANY if operator == "Identity" else FLOATS
    alpha = ALPHA.get(operator) if maker.chance(0.5) else None
    exact = None if operator in ("Abs", "Neg", "Relu", "Identity") else False
    if operator == "Gelu":
        return maker.node(operator, [maker.pick(kinds)], exact=False, approximate=maker.one_of(("none", "tanh")))
    one = maker.pick(kinds)
    if operator in ("Log", "Sqrt", "Reciprocal") and one is not None and is_next_to_zero(one):
        return None
    return maker.node(operator, [one], exact=exact, alpha=alpha)


def stepping(maker):
    """A small difference would become a large one: inputs with the same bits everywhere."""
    return maker.node(maker.one_of(("Floor", "Ceil", "Round", "Sign", "IsNaN")), [maker.pick(FLOATS, exact=True)])


def binary(maker):
    operator = maker.one_of(("Add", "Sub", "Mul", "Div", "Min", "Max", "Pow", "Mod", "PRelu", "Add", "Mul"))
    one = maker.pick(INTEGERS if operator == "Mod" else NUMBERS)
    if one is None:
        return None
    other = maker.other(one)
    if operator in ("Div", "Mod") and not other.array.all():
        other = maker.constant(numpy.where(other.array == 0, 1, other.array).astype(other.kind))
    if operator == "Pow":
        exponent = maker.one_of((0.5, 2, 3, 1, 0)) if one.kind in FLOATS else 2
        if exponent == 0.5 and is_next_to_zero(one):
            return None
        other = maker.constant(exponent, one.kind)
    if operator == "PRelu" and numpy.broadcast_shapes(one.shape, other.shape) != one.shape:
        return None
    pair = [one, other] if operator in ("Pow", "PRelu") or maker.chance(0.7) else [other, one]
    if operator in ("Div", "Mod") and (not pair[1].array.all() or is_next_to_zero(pair[1])):
        return None
    return maker.node(operator, pair, exact=None if operator in ("Min", "Max") else False)


def variadic(maker):
    one = maker.pick(FLOATS)
    if one is None:
        return None
    rest = [maker.other(one) for _ in range(int(maker.random.integers(0, 4)))]
    return maker.node(maker.one_of(("Sum", "Mean", "Min", "Max")), [one, *rest], exact=False)


def compared(maker):
    operator = maker.one_of(("Equal", "Less", "Greater", "LessOrEqual", "GreaterOrEqual"))
    one = maker.pick(NUMBERS, exact=True)
    return one and maker.node(operator, [one, maker.other(one, exact=True)])


def logical(maker):
    operator = maker.one_of(("And", "Or", "Xor", "Not"))
    one = maker.pick(("bool",))
    return one and maker.node(operator, [one] if operator == "Not" else [one, maker.other(one)])


def bitwise(maker):
    one = maker.pick(INTEGERS)
    if one is None or maker.chance(0.3):
        return one and maker.node("BitwiseNot", [one])
    return maker.node(maker.one_of(("BitwiseAnd", "BitwiseOr", "BitwiseXor")), [one, maker.other(one)])


def shifted(maker):
    one = maker.pick(("uint8", "uint32"))
    return one and maker.node("BitShift", [one, maker.constant(2, one.kind)], direction=maker.one_of(("LEFT", "RIGHT")))


def where(maker):
    one = maker.pick(ANY)
    if one is None:
        return None
    shape = tuple(1 if maker.chance(0.3) else size for size in one.shape)
    chosen = maker.pick(("bool",), fits=lambda value: maker.broadcasts(value, one)) if maker.chance(0.6) else maker.fresh("bool", shape)
    return maker.node("Where", [chosen, one, maker.other(one)])


def clip(maker):
    one = maker.pick(NUMBERS)
    if one is None:
        return None
    low = maker.constant(0 if one.kind.startswith("u") else -1, one.kind) if maker.chance(0.7) else ""
    high = maker.constant(maker.one_of((2, 3)), one.kind) if maker.chance(0.7) else ""
    return maker.node("Clip", [one, low, high])


def cast(maker):
    one = maker.pick(ANY)
    if one is None:
        return None
    to = maker.one_of(ANY)
    if one.kind in FLOATS and to not in FLOATS and (not one.is_exact or to.startswith("u")):
        to = "float32"
    code = {"float32": 1, "uint8": 2, "int8": 3, "uint16": 4, "int16": 5, "int32": 6, "int64": 7, "bool": 9, "float16": 10, "float64": 11, "uint32": 12}[to]
    return maker.node("Cast", [one], exact=None if to not in ("float16",) else False, to=code)


def same_bits(maker):
    if maker.opset < 26:
        return None
    one = maker.pick(("float32", "int32", "uint32"), exact=True)
    return one and maker.node("BitCast", [one], to={"float32": 6, "int32": 12, "uint32": 6}[one.kind])


def written(maker):
    return maker.node("Constant", [], value=numpy_helper.from_array(numpy.asarray(maker.array(maker.one_of(("float32", "int64", "float16", "bool", "float64")), maker.dims()))))


def reshape(maker):
    one = maker.pick(ANY)
    if one is None:
        return None
    factors, rest = [], one.array.size
    for size in (2, 3, 5, 7):
        if rest and rest % size == 0 and maker.chance(0.6):
            factors.append(size)
            rest //= size
    factors.insert(int(maker.random.integers(0, len(factors) + 1)), -1 if maker.chance(0.5) and one.array.size else rest)
    if one.rank and maker.chance(0.3):
        factors = [0, -1]
    return maker.node("Reshape", [one, maker.constant(factors, "int64")], allowzero=1 if one.array.size == 0 and 0 in factors and maker.chance(0.5) else None)


def transpose(maker):
    one = maker.pick(ANY)
    return one and maker.node("Transpose", [one], perm=[int(axis) for axis in maker.random.permutation(one.rank)] if one.rank and maker.chance(0.8) else None)


def squeezed(maker):
    one = maker.pick(ANY)
    if one is None:
        return None
    if maker.chance(0.5):
        axis = int(maker.random.integers(-one.rank - 1, one.rank + 1))
        return maker.node("Unsqueeze", [one, maker.constant([axis], "int64")])
    ones = [axis for axis, size in enumerate(one.shape) if size == 1]
    return maker.node("Squeeze", [one, maker.constant([maker.one_of(ones)], "int64")] if ones and maker.chance(0.7) else [one])


def flatten(maker):
    one = maker.pick(ANY)
    return one and maker.node("Flatten", [one], axis=int(maker.random.integers(-one.rank, one.rank + 1)))


def sliced(maker):
    one = maker.pick(ANY, rank=(1, 5))
    if one is None:
        return None
    axes = sorted(int(axis) for axis in maker.random.permutation(one.rank)[:int(maker.random.integers(1, one.rank + 1))])
    steps = [maker.one_of((1, 1, 2, -1, -2)) for _ in axes]
    bounds = [(int(maker.random.integers(-size - 1, size + 2)), int(maker.random.integers(-size - 2, size + 3))) for size in (one.shape[axis] for axis in axes)]
    parts = [[low for low, _ in bounds], [maker.one_of((high, 1 << 40)) if step > 0 else maker.one_of((high, -(1 << 40))) for (_, high), step in zip(bounds, steps)], axes, steps]
    return maker.node("Slice", [one, *(maker.constant(part, "int64") for part in parts)])


def split(maker):
    one = maker.pick(ANY, rank=(1, 5), fits=lambda value: max(value.shape, default=0) > 1)
    if one is None:
        return None
    axis = int(numpy.argmax(one.shape))
    if maker.chance(0.5):
        return maker.node("Split", [one], outputs=2, axis=axis, num_outputs=2)
    first = int(maker.random.integers(0, one.shape[axis] + 1))
    return maker.node("Split", [one, maker.constant([first, one.shape[axis] - first], "int64")], outputs=2, axis=axis - one.rank)


def concat(maker):
    one = maker.pick(ANY, rank=(1, 5))
    if one is None:
        return None
    axis = int(maker.random.integers(0, one.rank))
    rest = [maker.fresh(one.kind, tuple(maker.size() if place == axis else size for place, size in enumerate(one.shape))) if maker.chance(0.7) else one for _ in range(int(maker.random.integers(0, 3)))]
    return maker.node("Concat", [one, *rest] if maker.chance(0.6) else [*rest, one], axis=axis - (one.rank if maker.chance(0.3) else 0))


def pad(maker):
    one = maker.pick(ANY, rank=(1, 5))
    if one is None:
        return None
    mode = maker.one_of(("constant", "constant", "reflect", "edge") + (("wrap",) if maker.opset >= 19 else ()))
    low = -1 if mode == "constant" else 0
    pads = [int(maker.random.integers(low, 3)) for _ in range(2 * one.rank)]
    value = maker.constant(1, one.kind) if mode == "constant" and maker.chance(0.5) else ""
    return maker.node("Pad", [one, maker.constant(pads, "int64"), value], mode=mode)


def repeated(maker):
    one = maker.pick(ANY)
    if one is None:
        return None
    if maker.chance(0.5):
        return maker.node("Tile", [one, maker.constant([maker.one_of((1, 2, 3)) for _ in one.shape], "int64")])
    shape = [maker.size() if size == 1 else maker.one_of((1, size)) for size in one.shape]
    return maker.node("Expand", [one, maker.constant([2, *shape] if maker.chance(0.3) else shape, "int64")])


def shapes(maker):
    one = maker.pick(ANY)
    if one is None or maker.chance(0.2):
        return one and maker.node("Size", [one], exact=True)
    start, end = (int(maker.random.integers(-one.rank - 1, one.rank + 2)) for _ in range(2))
    made = maker.node("Shape", [one], start=start if maker.chance(0.4) else None, end=end if maker.chance(0.4) else None)
    if made and made[0].array.size and maker.chance(0.7):  # sizes computed in the graph, as exporters write them
        return maker.node("ConstantOfShape", made) or made
    return made


ROWS = (unary, unary, unary, stepping, binary, binary, binary, variadic, compared, logical, bitwise, shifted, where, clip, cast, same_bits, written, reshape, transpose, transpose,
        squeezed, flatten, sliced, split, concat, pad, repeated, shapes)
