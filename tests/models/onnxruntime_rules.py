"""onnxruntime's planning, written down once more: the block that its rules give, for sizes as somebody knows them before running.

    planned_block(graph, order, known, actual)   # bytes

Where two plans by the same rules differ, this says whether it is for what was known about sizes: `known` are the dimensions
that shape inference found (numbers, symbols, None), `actual` what a run saw. It shares no code with the planner of cutaway.
Sources: onnxruntime/core/framework/allocation_planner.cc and mem_pattern_planner.h, and allocations of onnxruntime 1.31.1.
"""

import dataclasses
import math

import onnx

ALIGNMENT = 256
FIRST_OVER_FIRST = (
    "Relu LeakyRelu ThresholdedRelu Elu Celu Selu Sigmoid HardSigmoid Tanh Softplus Softsign Shrink Clip ScaledTanh "
    "ParametricSoftplus Normalizer Scaler Softmax LogSoftmax Cast Scatter ScatterElements TensorScatter Trilu BitCast").split()
OVER = {**{name: ((0, 0),) for name in FIRST_OVER_FIRST}, "FusedConv": ((3, 0),)}  # operator -> (input, output) pairs
VIEWS = {**{name: ((0, 0),) for name in "Identity Reshape Flatten Squeeze Unsqueeze ExpandDims Optional OptionalGetElement".split()},
         "BatchNormalization": ((3, 1), (4, 2))}
BYTES = {"bool": 1, "int8": 1, "uint8": 1, "float16": 2, "bfloat16": 2, "int16": 2, "uint16": 2, "float": 4, "int32": 4, "uint32": 4,
         "double": 8, "int64": 8, "uint64": 8, "Float8E4M3FN": 1, "Float8E4M3FNUZ": 1, "Float8E5M2": 1, "Float8E5M2FNUZ": 1}


class NotKnown(Exception):
    """The run did not tell what this needs."""


@dataclasses.dataclass
class Buffer:
    owner: str
    kind: str  # "new", "given" (by the caller or the model), "output"
    uses: int = 0


def captured(node):
    """Names that the bodies of a node read from around it."""
    found = []

    def walk(graph, inside):
        inside = inside | {info.name for info in (*graph.input, *graph.initializer)} | {name for each in graph.node for name in each.output}
        for name in [name for each in graph.node for name in each.input] + [info.name for info in graph.output]:
            if name and name not in inside and name not in found:
                found.append(name)
        for each in graph.node:
            for attribute in each.attribute:
                if attribute.type == onnx.AttributeProto.GRAPH:
                    walk(attribute.g, inside)
    for attribute in node.attribute:
        if attribute.type == onnx.AttributeProto.GRAPH:
            walk(attribute.g, frozenset())
    return found


class Planner:
    def __init__(self, graph, order, known, actual):
        by_name = {node.name: node for node in graph.node}
        self.nodes = [by_name[name] for name in order]
        self.reads = [[name for name in (*node.input, *captured(node)) if name] for node in self.nodes]
        self.read = {name for names in self.reads for name in names}
        self.outputs = [info.name for info in graph.output]
        self.known, self.actual = known, actual
        self.free, self.buffers = [], {}  # buffers nobody uses, newest first; by value
        self.count_uses()

    def count_uses(self):
        self.uses = dict.fromkeys(self.outputs, 0)
        made = {name for node in self.nodes for name in node.output if name}
        for node, names in zip(self.nodes, self.reads):
            for name in (*names, *(name for name in node.output if name)):
                self.uses[name] = self.uses.get(name, 0) + 1
        for name in self.outputs:
            self.uses[name] += 1
        for name in self.uses:
            if name not in made:
                self.buffers[name] = Buffer(name, "given", self.uses[name] + 1)

    def element(self, name):
        return BYTES.get(self.actual[name][0]) if name in self.actual else None

    def same_size(self, one, other):
        """Equal element sizes and ranks, every dimension the same number or the same symbol."""
        dims, others = self.known.get(one), self.known.get(other)
        return (dims is not None and others is not None and len(dims) == len(others) and self.element(one) is not None
                and self.element(one) == self.element(other) and all(a is not None and a == b for a, b in zip(dims, others)))

    def buffer_for(self, node, slot):
        """The buffer of an output: a new one, or which one it takes."""
        name = node.output[slot]
        if name in self.outputs:
            return Buffer(name, "output")
        inputs = list(node.input)
        for source, target in VIEWS.get(node.op_type, ()):
            if target == slot and source < len(inputs) and inputs[source]:
                return self.buffers[inputs[source]]
        for source, target in OVER.get(node.op_type, ()):
            if target == slot and source < len(inputs) and inputs[source]:
                buffer = self.buffers[inputs[source]]
                if buffer.uses == 1 and self.same_size(inputs[source], name):
                    return buffer
        if name in self.read and self.known.get(name):  # not scalars
            for buffer in self.free:
                if self.same_size(buffer.owner, name):
                    self.free.remove(buffer)
                    return buffer
        return Buffer(name, "new")

    def place(self):
        """Which buffer each value gets; when each is read last."""
        self.last_read = {}
        for step, node in enumerate(self.nodes):
            for slot, name in enumerate(node.output):
                if name:
                    self.buffers[name] = self.buffer_for(node, slot)
                    self.buffers[name].uses += self.uses[name]
            for name in self.reads[step]:
                self.last_read[self.buffers[name].owner] = step
            for name in (*self.reads[step], *(name for name in node.output if name)):
                buffer = self.buffers[name]
                buffer.uses -= 1
                if buffer.uses == 0:
                    self.free.insert(0, buffer)

    def room(self, name):
        if name not in self.actual:
            raise NotKnown(f"the size of {name}")
        element, shape = self.actual[name]
        if element == "string":
            return 0
        if element not in BYTES:
            raise NotKnown(f"the size of {element}")
        return (BYTES[element] * math.prod(shape) + ALIGNMENT - 1) // ALIGNMENT * ALIGNMENT

    def block(self):
        """Best fit, in the order in which outputs are asked for; what is read last at a step is free behind it."""
        self.place()
        taken, peak = [], 0  # (offset, size, owner) by offset
        for step, node in enumerate(self.nodes):
            for name in node.output:
                if not name or self.buffers[name].owner != name or self.buffers[name].kind != "new":
                    continue
                size = self.room(name)
                if size == 0:
                    continue
                end, gaps = 0, []
                for offset, length, _ in taken:
                    gaps.append((offset - end, end))
                    end = max(end, offset + length)
                gaps.append((peak - end, end))
                _, offset = min(((gap, at) for gap, at in gaps if gap >= size), key=lambda each: each[0], default=(0, end))
                taken = sorted([*taken, (offset, size, name)])
                peak = max(peak, offset + size)
            taken = [each for each in taken if self.last_read.get(each[2]) != step]
        return peak


def planned_block(graph, order, known, actual):
    """graph: onnx; order: names of its nodes; known: value -> dims or None; actual: value -> (element, shape) as a run saw it."""
    return Planner(graph, order, known, actual).block()
