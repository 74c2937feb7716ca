"""A model that grows node by node, with the value of everything in it: each node is run by onnxruntime alone, as a model of one node.

What onnxruntime refuses, and what gives numbers that say nothing (not finite, very large), is not taken. Because every
value is known, any part of the model is a test of its own: its inputs and expected outputs are values of the whole.
"""

import dataclasses
import functools

import numpy
import onnx
import onnxruntime
from onnx import helper, numpy_helper

onnxruntime.set_default_logger_severity(4)
AS_WRITTEN = onnxruntime.SessionOptions()
AS_WRITTEN.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
AS_WRITTEN.intra_op_num_threads = 1
FLOATS = ("float32", "float32", "float32", "float64", "float16")
INTEGERS = ("int64", "int32", "int8", "uint8", "int16", "uint16", "uint32")
WIDE = ("int64", "int32", "uint32")  # now and then beyond what a float holds exactly
LARGEST = {"float16": 200.0, "float32": 2000.0, "float64": 2000.0}
MOST_ELEMENTS = 20_000
TEXT, SEQUENCE = "object", "sequence"  # kinds of values that no row takes unless it asks for them


@dataclasses.dataclass
class Value:
    name: str
    array: object  # numpy.ndarray, or a list of them for a sequence
    is_exact: bool  # every engine has the same bits, so that a rounding or comparison of it has, too
    is_initializer: bool = False
    is_finite: bool = True  # others are for the node that they were made for alone

    @functools.cached_property  # rows ask every value for it
    def kind(self):
        return SEQUENCE if isinstance(self.array, list) else self.array.dtype.name

    @property
    def shape(self):
        return () if isinstance(self.array, list) else self.array.shape

    @property
    def rank(self):
        return len(self.shape)


def info_of(value, dims=None):
    if isinstance(value.array, list):
        return helper.make_tensor_sequence_value_info(value.name, helper.np_dtype_to_tensor_dtype(value.array[0].dtype), None)
    return helper.make_tensor_value_info(value.name, helper.np_dtype_to_tensor_dtype(value.array.dtype), list(dims if dims is not None else value.shape))


def model_of(nodes, inputs, outputs, initializers, opsets):
    graph = helper.make_graph(nodes, "generated", inputs, outputs, initializers)
    domains = sorted({node.domain for node in nodes} - {""})
    return helper.make_model(graph, opset_imports=[helper.make_opsetid(domain, opsets[domain]) for domain in ("", *domains)], ir_version=10)


def results_of(model, values):
    """What onnxruntime computes, node by node as the model says it. Raises whatever it refuses with."""
    session = onnxruntime.InferenceSession(model.SerializeToString(), AS_WRITTEN, ["CPUExecutionProvider"])
    return session.run(None, {value.name: value.array for value in values if not value.is_initializer})


def are_near(one, other):
    if one.shape != other.shape or one.dtype != other.dtype:
        return False
    same = bool((one == other).all())
    if same or one.dtype.name == TEXT:
        return same
    near = 0.02 if one.dtype == numpy.float16 else 1e-3  # halves are rounded at other places in another order
    return numpy.allclose(one, other, near, near, equal_nan=True)


def captured_names(node):
    """What the bodies of a node read from around it."""
    names = []
    for attribute in node.attribute:
        if attribute.type == onnx.AttributeProto.GRAPH:
            inside = {value.name for value in attribute.g.input} | {value.name for value in attribute.g.initializer}
            for inner in attribute.g.node:
                names += [name for name in (*inner.input, *captured_names(inner)) if name and name not in inside]
                inside |= set(inner.output)
            names += [value.name for value in attribute.g.output if value.name not in inside]
    return names


def read_names(node):
    return list(dict.fromkeys([name for name in node.input if name] + captured_names(node)))


class GraphMaker:
    def __init__(self, random):
        self.random = random  # numpy.random.Generator
        self.opset = int(random.choice((18, 19, 20, 21, 22, 23, 24, 25, 26)))
        self.opsets = {"": self.opset, "com.microsoft": 1, "ai.onnx.ml": int(random.choice((3, 5)))}
        self.values = {}  # by name
        self.nodes = []
        self.count = 0

    def chance(self, share):
        return self.random.random() < share

    def one_of(self, choices):
        return choices[int(self.random.integers(len(choices)))]

    def size(self):
        return int(self.one_of((1, 2, 2, 3, 3, 4, 5, 7, 8))) if not self.chance(0.015) else 0

    def dims(self, rank=None):
        return tuple(self.size() for _ in range(int(self.random.integers(0, 5)) if rank is None else rank))

    def name(self, stem):
        self.count += 1
        return f"{stem}{self.count}"

    def array(self, kind, shape):
        if kind == "bool":
            return self.random.random(shape) < 0.5
        if kind.startswith(("int", "uint")):
            largest = 1 << 28 if kind in WIDE and self.chance(0.04) else 8
            return self.random.integers(0 if kind.startswith("u") else -largest, largest + 1, shape).astype(kind)
        return numpy.asarray(self.random.standard_normal(shape)).astype(kind)

    def add(self, array, is_initializer=None):
        """An input of the graph, or a weight."""
        is_initializer = self.chance(0.5) if is_initializer is None else is_initializer
        array = numpy.asarray(array)
        value = Value(self.name("w" if is_initializer else "x"), array, True, is_initializer, array.dtype.kind != "f" or bool(numpy.isfinite(array).all()))
        self.values[value.name] = value
        return value

    def constant(self, array, kind=None):
        return self.add(numpy.asarray(array, dtype=kind), True)

    def fresh(self, kind, shape=None, is_initializer=None):
        return self.add(self.array(kind, self.dims() if shape is None else shape), is_initializer)

    def pick(self, kinds=FLOATS, rank=None, exact=False, fits=lambda value: True):
        """A value of one of the kinds; a new one where none fits. rank: a number, or (least, most)."""
        least, most = (rank, rank) if isinstance(rank, int) else rank or (0, 9)
        found = [value for value in self.values.values() if value.is_finite and value.kind in kinds and least <= value.rank <= most and (value.is_exact or not exact) and fits(value)]
        computed = [value for value in found if value.name.startswith("v")]
        if computed and self.chance(0.75):
            return computed[-1 - int(min(self.random.geometric(0.4) - 1, len(computed) - 1))]
        if found and self.chance(0.3):
            return self.one_of(found)
        for _ in range(20):
            shape = self.dims(int(self.random.integers(least, min(most, max(least, 4)) + 1)))
            value = Value("", self.array(self.one_of(kinds), shape), True)
            if fits(value):
                return self.add(value.array)
        return None

    def other(self, value, exact=False):
        """A second operand for `value`, of a shape that broadcasts with its."""
        same = [each for each in self.values.values() if each.is_finite and each.kind == value.kind and (each.is_exact or not exact) and self.broadcasts(each, value)]
        if same and self.chance(0.5):
            return self.one_of(same)
        shape = tuple(1 if self.chance(0.25) else size for size in value.shape)
        return self.fresh(value.kind, shape[int(self.random.integers(0, value.rank + 1)) if self.chance(0.3) else 0:])

    @staticmethod
    def broadcasts(one, other):
        try:
            return numpy.prod(numpy.broadcast_shapes(one.shape, other.shape)) <= MOST_ELEMENTS
        except ValueError:
            return False

    def node(self, operator, inputs, outputs=1, exact=None, **attributes):
        """Takes the node if onnxruntime runs it and the numbers say something; its outputs, or None. exact: of the results; None: where the inputs are."""
        if any(value is None for value in inputs):
            return None
        names = [value.name if value else "" for value in inputs]
        attributes = {name: value for name, value in attributes.items() if value is not None}
        results = [self.name("v") for _ in range(outputs)]
        node = helper.make_node(operator, names, results, name=self.name(operator), **attributes)
        arrays = self.run(node)
        if arrays is None:
            return None
        read = [self.values[name] for name in read_names(node)]
        is_exact = all(value.is_exact for value in read) if exact is None else exact and all(value.is_exact for value in read)
        whole = not any(value.kind in (*FLOATS, SEQUENCE) for value in read)
        made = [Value(name, array, is_exact or whole and not isinstance(array, list) and array.dtype.kind in "iub") for name, array in zip(results, arrays)]
        self.nodes.append(node)
        self.values.update((value.name, value) for value in made)
        return made

    def run(self, node):
        read = [self.values[name] for name in read_names(node)]
        inputs = [info_of(value) for value in read if not value.is_initializer]
        weights = [numpy_helper.from_array(value.array, value.name) for value in read if value.is_initializer]
        outputs = [onnx.ValueInfoProto(name=name) for name in node.output]
        try:
            arrays = results_of(model_of([node], inputs, outputs, weights, self.opsets), read)
        except Exception:  # of any class of its own: what it refuses is not for this comparison
            return None
        return arrays if all(self.says_something(array) for array in arrays) else None

    @staticmethod
    def says_something(array):
        if isinstance(array, list):  # an empty one has no element type to declare it with
            return bool(array) and all(GraphMaker.says_something(each) for each in array)
        if not isinstance(array, numpy.ndarray):
            return False
        if array.dtype.name == TEXT:
            return array.size <= MOST_ELEMENTS
        if array.size > MOST_ELEMENTS or array.dtype.name not in (*FLOATS, *INTEGERS, "bool"):
            return False
        if array.dtype.kind == "f":
            return bool(numpy.isfinite(array).all()) and (array.size == 0 or float(numpy.abs(array).max()) <= LARGEST[array.dtype.name])
        return array.dtype.kind == "b" or array.size == 0 or max(int(array.max()), -int(array.min())) < 1 << 30


@dataclasses.dataclass
class Part:
    """Some nodes of a model, with values for what they read: a model and its expected outputs."""

    maker: GraphMaker
    nodes: list
    outputs: list  # names
    is_open: bool = False  # sizes of inputs are symbols

    def inputs(self):
        made = {name for node in self.nodes for name in node.output}
        names = dict.fromkeys(name for node in self.nodes for name in read_names(node) if name not in made)
        return [self.maker.values[name] for name in names]

    def model(self):
        read = self.inputs()
        symbol = {size: f"n{size}" for size in (2, 3, 4, 5, 7, 8)}
        inputs = [info_of(value, [symbol.get(size, size) for size in value.shape] if self.is_open else None) for value in read if not value.is_initializer]
        weights = [numpy_helper.from_array(value.array, value.name) for value in read if value.is_initializer]
        outputs = [info_of(value, [None] * value.rank) for value in map(self.maker.values.get, self.outputs)]
        return model_of(self.nodes, inputs, outputs, weights, self.maker.opsets)

    def refusal(self):
        """Why the whole is no model for a comparison, where each node alone was: onnxruntime refuses it, or contradicts itself."""
        read = self.inputs()
        try:
            arrays = results_of(self.model(), read)
        except Exception as refused:
            return " ".join(str(refused).split())[:200]
        for name, array in zip(self.outputs, arrays):
            alone = self.maker.values[name].array
            pairs = list(zip(array, alone)) if isinstance(array, list) else [(array, alone)]
            if isinstance(array, list) and len(array) != len(alone) or not all(map(are_near, *zip(*pairs))):
                return f"{name}: the whole gives other numbers than its nodes"
        return ""

    def write(self, folder):
        """A case for `cutaway-cli check`."""
        data = folder / "test_data_set_0"
        data.mkdir(parents=True)
        (folder / "model.onnx").write_bytes(self.model().SerializeToString())
        for stem, values in (("input", [value for value in self.inputs() if not value.is_initializer]), ("output", [self.maker.values[name] for name in self.outputs])):
            for number, value in enumerate(values):
                write = numpy_helper.from_list if isinstance(value.array, list) else numpy_helper.from_array
                (data / f"{stem}_{number}.pb").write_bytes(write(value.array, value.name).SerializeToString())
        if any(self.maker.values[name].kind == "float16" for node in self.nodes for name in (*read_names(node), *node.output)):
            (folder / "data.json").write_text('{"rtol": 0.02, "atol": 0.02}')
