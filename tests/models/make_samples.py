#!/usr/bin/env python3
"""Trains the bundled sample models on handwritten digits and writes them, with test data, to resources/samples.

Needs scikit-learn 1.9.1 (for its digits data set) beside the packages of build/env. The samples are committed: run this
only to change them. What each one shows is in resources/samples/README.md.
"""

import argparse
import pathlib
import shutil

import numpy as np
import onnx
from onnx import TensorProto, helper, inliner, numpy_helper, reference, shape_inference
from sklearn.datasets import load_digits

import training as t

REPOSITORY = pathlib.Path(__file__).resolve().parents[2]
OPSET = 17
LOCAL = "cutaway.samples"
SHOWN = 4  # images in the test data
SURE = 0.95  # how likely the small network must find its answer


class Network:
    """An ONNX graph under construction. add() names its node /scope/OpType and its result the same, lower-cased."""

    def __init__(self, outer=None):
        self.nodes, self.weights, self.used = [], {}, {} if outer is None else outer.used

    def weight(self, name, array, dtype=np.float32):
        self.weights[name] = numpy_helper.from_array(np.array(array, dtype, order="C"), name)
        return name

    def add(self, op_type, scope, *inputs, result=None, domain="", outputs=1, **attributes):
        name = f"/{scope}/{op_type}" if scope else f"/{op_type}"
        self.used[name] = self.used.get(name, 0) + 1
        if self.used[name] > 1:
            name = f"{name}_{self.used[name] - 1}"
        names = [result] if result else [f"{name}_output_{index}" for index in range(outputs)]
        self.nodes.append(helper.make_node(op_type, list(inputs), names, name=name, domain=domain, **attributes))
        return names[0] if len(names) == 1 else names

    def graph(self, name, inputs, outputs):
        return helper.make_graph(self.nodes, name, inputs, outputs, list(self.weights.values()))


def tensor(name, shape, kind=TensorProto.FLOAT):
    return helper.make_tensor_value_info(name, kind, shape)


def answers(batch="batch"):
    return [tensor("probabilities", [batch, 10]), tensor("digit", [batch], TensorProto.INT64)]


def answer(net, scores):
    """The two outputs of every sample: how likely each digit is, and which is likeliest."""
    net.add("Softmax", "answer", scores, axis=-1, result="probabilities")
    net.add("ArgMax", "answer", "probabilities", axis=-1, keepdims=0, result="digit")


def dense(net, scope, x, layer, relu=True):
    weight = net.weight(f"{scope}.weight", layer.weights["weight"])
    bias = net.weight(f"{scope}.bias", layer.weights["bias"])
    x = net.add("Add", scope, net.add("MatMul", scope, x, weight), bias)
    return net.add("Relu", scope, x) if relu else x


def normalised_convolution(net, scope, x, convolution, normal):
    x = net.add("Conv", f"{scope}/conv", x, net.weight(f"{scope}.conv.weight", convolution.weights["weight"]),
                kernel_shape=[3, 3], pads=[1, 1, 1, 1])
    parts = dict(scale=normal.weights["scale"], bias=normal.weights["bias"], mean=normal.mean, var=normal.variance)
    return net.add("BatchNormalization", f"{scope}/norm", x,
                   *(net.weight(f"{scope}.norm.{name}", array) for name, array in parts.items()), epsilon=normal.EPSILON)


def digits_mlp(mlp, **_):
    """A multilayer perceptron: MatMul, Add, Relu."""
    net = Network()
    x = net.add("Reshape", "flatten", "image", net.weight("flatten.shape", [0, 64], np.int64))
    layers = list(mlp.parts())
    x = dense(net, "hidden/0", x, layers[0])
    x = dense(net, "hidden/1", x, layers[2])
    answer(net, dense(net, "head", x, layers[4], relu=False))
    return net.graph("digits_mlp", [tensor("image", ["batch", 1, 8, 8])], answers()), []


def digits_cnn(cnn, **_):
    """A small convolutional network with batch normalisation and a residual block."""
    net, layers = Network(), list(cnn.parts())
    x = normalised_convolution(net, "stem", "image", layers[0], layers[1])
    x = net.add("Relu", "stem/act", x)
    x = net.add("MaxPool", "stem/pool", x, kernel_shape=[2, 2], strides=[2, 2])
    x = normalised_convolution(net, "widen", x, layers[4], layers[5])
    skip = x = net.add("Relu", "widen/act", x)
    x = normalised_convolution(net, "block/first", x, layers[7], layers[8])
    x = net.add("Relu", "block/first/act", x)
    x = normalised_convolution(net, "block/second", x, layers[10], layers[11])
    x = net.add("Relu", "block/act", net.add("Add", "block", skip, x))
    x = net.add("Flatten", "head", net.add("GlobalAveragePool", "head/pool", x), axis=1)
    head = layers[-1].weights
    x = net.add("Gemm", "head", x, net.weight("head.weight", head["weight"].T), net.weight("head.bias", head["bias"]),
                transB=1)
    answer(net, x)
    return net.graph("digits_cnn", [tensor("image", ["batch", 1, 8, 8])], answers()), []


def digits_rows(rnn, **_):
    """A recurrent network that reads the image row by row in a Loop."""
    cell, head = list(rnn.parts())
    net = Network()
    rows = net.add("Transpose", "rows", net.add("Squeeze", "rows", "image", net.weight("rows.axis", [1], np.int64)),
                   perm=[1, 0, 2])
    shape = net.add("Concat", "start", net.add("Gather", "start", net.add("Shape", "start", "image"),
                                               net.weight("start.index", [0], np.int64), axis=0),
                    net.weight("start.width", [cell.weights["bias"].size], np.int64), axis=0)
    start = net.add("ConstantOfShape", "start", shape)
    for name, array in cell.weights.items():
        net.weight(f"cell.{name}", array)
    body = Network(net)
    row = body.add("Gather", "loop/cell", rows, "step", axis=0)
    drive = body.add("Add", "loop/cell", body.add("MatMul", "loop/cell", row, "cell.input"), "cell.bias")
    total = body.add("Add", "loop/cell", drive, body.add("MatMul", "loop/cell", "state", "cell.recurrent"))
    body.add("Tanh", "loop/cell", total, result="next_state")
    body.add("Identity", "loop", "go_on", result="still_going_on")
    loop_body = body.graph("read_row", [tensor("step", [], TensorProto.INT64), tensor("go_on", [], TensorProto.BOOL),
                                        tensor("state", ["batch", cell.weights["bias"].size])],
                           [tensor("still_going_on", [], TensorProto.BOOL),
                            tensor("next_state", ["batch", cell.weights["bias"].size])])
    state = net.add("Loop", "loop", net.weight("loop.rows", 8, np.int64), net.weight("loop.go", True, np.bool_), start,
                    body=loop_body)
    answer(net, dense(net, "head", state, head, relu=False))
    return net.graph("digits_rows", [tensor("image", ["batch", 1, 8, 8])], answers()), []


def digits_early_exit(mlp, small, **_):
    """A small network answers when it is sure; otherwise, in the other branch of an If, a larger one does."""
    net = Network()
    x = net.add("Reshape", "flatten", "image", net.weight("flatten.shape", [0, 64], np.int64))
    quick = net.add("Softmax", "quick", dense(net, "quick", x, list(small.parts())[0], relu=False), axis=-1)
    sure = net.add("Greater", "decide", net.add("ReduceMax", "decide", quick, keepdims=0),
                   net.weight("decide.threshold", SURE))
    agree, think = Network(net), Network(net)
    agree.add("Identity", "agree", quick, result="agreed")
    layers = list(mlp.parts())
    scores = dense(think, "think/0", x, layers[0])
    scores = dense(think, "think/1", scores, layers[2])
    think.add("Softmax", "think", dense(think, "think/2", scores, layers[4], relu=False), axis=-1, result="thought")
    net.add("If", "decide", sure, result="probabilities",
            then_branch=agree.graph("agree", [], [tensor("agreed", [1, 10])]),
            else_branch=think.graph("think", [], [tensor("thought", [1, 10])]))
    net.add("ArgMax", "answer", "probabilities", axis=-1, keepdims=0, result="digit")
    return net.graph("digits_early_exit", [tensor("image", [1, 1, 8, 8])], answers(1)), []


def digits_functions(mlp, **_):
    """The perceptron written with model-local functions, one of which calls the other."""
    imports = [helper.make_opsetid("", OPSET), helper.make_opsetid(LOCAL, 1)]
    linear = helper.make_function(
        LOCAL, "Linear", ["x", "weight", "bias"], ["y"],
        [helper.make_node("MatMul", ["x", "weight"], ["product"], name="product"),
         helper.make_node("Add", ["product", "bias"], ["y"], name="shift")], imports[:1])
    slope = helper.make_node("LeakyRelu", ["z"], ["y"], name="activate")
    slope.attribute.append(onnx.AttributeProto(name="alpha", ref_attr_name="slope", type=onnx.AttributeProto.FLOAT))
    layer = helper.make_function(
        LOCAL, "Layer", ["x", "weight", "bias"], ["y"],
        [helper.make_node("Linear", ["x", "weight", "bias"], ["z"], name="linear", domain=LOCAL), slope],
        imports, attributes=["slope"])
    net, layers = Network(), list(mlp.parts())
    x = net.add("Reshape", "flatten", "image", net.weight("flatten.shape", [0, 64], np.int64))
    for scope, part, op_type in (("hidden/0", layers[0], "Layer"), ("hidden/1", layers[2], "Layer"),
                                 ("head", layers[4], "Linear")):
        settings = {"slope": 0.0} if op_type == "Layer" else {}
        x = net.add(op_type, scope, x, net.weight(f"{scope}.weight", part.weights["weight"]),
                    net.weight(f"{scope}.bias", part.weights["bias"]), domain=LOCAL, **settings)
    answer(net, x)
    return net.graph("digits_functions", [tensor("image", ["batch", 1, 8, 8])], answers()), [linear, layer]


def train_networks(images, labels):
    rng = np.random.default_rng(0)
    flat, rows = images.reshape(-1, 64), images[:, 0]
    mlp = t.Chain(t.Dense(rng, 64, 32), t.Relu(), t.Dense(rng, 32, 32), t.Relu(), t.Dense(rng, 32, 10))
    small = t.Chain(t.Dense(rng, 64, 10))
    block = t.Residual(t.Convolution(rng, 16, 16), t.BatchNormalization(16), t.Relu(),
                       t.Convolution(rng, 16, 16), t.BatchNormalization(16))
    cnn = t.Chain(t.Convolution(rng, 1, 8), t.BatchNormalization(8), t.Relu(), t.MaxPool(),
                  t.Convolution(rng, 8, 16), t.BatchNormalization(16), t.Relu(),
                  block, t.GlobalAveragePool(), t.Dense(rng, 16, 10))
    rnn = t.Chain(t.RowReader(rng, 8, 32), t.Dense(rng, 32, 10))
    t.train(mlp, flat, labels, rng)
    t.train(small, flat, labels, rng)
    t.train(cnn, images, labels, rng, epochs=20)
    t.train(rnn, rows, labels, rng)
    return dict(mlp=mlp, small=small, cnn=cnn, rnn=rnn)


def one_of_each_branch(small, images):
    """The first image that the small network is sure of, and the first that it is not."""
    sure = t.softmax(small.forward(images.reshape(-1, 64), training=False)).max(axis=1) > SURE
    return [images[index][None] for index in (np.flatnonzero(sure)[0], np.flatnonzero(~sure)[0])]


def evaluator_of(model):
    """onnx's reference evaluator; functions inlined, because it cannot pass an attribute on to an elementwise operator."""
    return reference.ReferenceEvaluator(inliner.inline_local_functions(model) if model.functions else model)


def write(folder, model, feeds):
    """The model, and one test data set a feed with the outputs of onnx's reference evaluator."""
    if folder.exists():
        shutil.rmtree(folder)
    folder.mkdir(parents=True)
    (folder / "model.onnx").write_bytes(model.SerializeToString(deterministic=True))
    evaluator = evaluator_of(model)
    for number, feed in enumerate(feeds):
        data = folder / f"test_data_set_{number}"
        data.mkdir()
        (data / "input_0.pb").write_bytes(numpy_helper.from_array(feed, "image").SerializeToString())
        for index, (info, value) in enumerate(zip(model.graph.output, evaluator.run(None, {"image": feed}))):
            proto = numpy_helper.from_array(value, info.name)
            (data / f"output_{index}.pb").write_bytes(proto.SerializeToString())


def right_answers(model, images, labels):
    """The share of held-out images that the finished model reads rightly."""
    evaluator = evaluator_of(model)
    if model.graph.input[0].type.tensor_type.shape.dim[0].dim_value == 1:
        digits = np.concatenate([evaluator.run(["digit"], {"image": image[None]})[0] for image in images])
    else:
        digits = evaluator.run(["digit"], {"image": images})[0]
    return float((digits == labels).mean())


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", type=pathlib.Path, default=REPOSITORY / "resources" / "samples")
    arguments = parser.parse_args()
    images, labels = load_digits(return_X_y=True)
    images = (images / 16).reshape(-1, 1, 8, 8)
    held_out = np.arange(len(images)) % 5 == 0
    networks = train_networks(images[~held_out], labels[~held_out])
    unseen, truth = images[held_out].astype(np.float32), labels[held_out]
    for make in (digits_mlp, digits_cnn, digits_rows, digits_early_exit, digits_functions):
        graph, functions = make(**networks)
        imports = [helper.make_opsetid("", OPSET)] + ([helper.make_opsetid(LOCAL, 1)] if functions else [])
        model = helper.make_model(graph, opset_imports=imports, functions=functions, ir_version=8,
                                  producer_name="cutaway make_samples", doc_string=make.__doc__)
        model = shape_inference.infer_shapes(model, strict_mode=not functions)
        onnx.checker.check_model(model, full_check=not functions)
        share = right_answers(model, unseen, truth)
        model.metadata_props.add(key="held_out_accuracy", value=f"{share:.3f}")
        feeds = one_of_each_branch(networks["small"], unseen) if make is digits_early_exit else [unseen[:SHOWN]]
        folder = arguments.out / make.__name__
        write(folder, model, feeds)
        size = sum(path.stat().st_size for path in folder.rglob("*.*"))
        print(f"{folder.name}: {len(graph.node)} nodes, {size} bytes, reads {share:.1%} of unseen digits")


if __name__ == "__main__":
    main()
