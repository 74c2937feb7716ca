"""Every version of the operators along an axis: Reduce*, ArgMax, TopK, CumSum, Softmax, Hardmax, normalisations of a row, losses."""

import numpy as np
from case import at_version, versions_of

A = ((np.arange(24) * 7) % 24 / 4 + 0.5).astype(np.float32).reshape(2, 3, 4)

# operator -> definition over the float64 input, a tuple of axes (or None) and keepdims
REDUCTIONS = {
    "ReduceL1": lambda x, axis, keep: np.sum(np.abs(x), axis=axis, keepdims=keep),
    "ReduceL2": lambda x, axis, keep: np.sqrt(np.sum(x * x, axis=axis, keepdims=keep)),
    "ReduceLogSum": lambda x, axis, keep: np.log(np.sum(x, axis=axis, keepdims=keep)),
    "ReduceLogSumExp": lambda x, axis, keep: np.log(np.sum(np.exp(x), axis=axis, keepdims=keep)),
    "ReduceMax": lambda x, axis, keep: np.max(x, axis=axis, keepdims=keep),
    "ReduceMean": lambda x, axis, keep: np.mean(x, axis=axis, keepdims=keep),
    "ReduceMin": lambda x, axis, keep: np.min(x, axis=axis, keepdims=keep),
    "ReduceProd": lambda x, axis, keep: np.prod(x, axis=axis, keepdims=keep),
    "ReduceSum": lambda x, axis, keep: np.sum(x, axis=axis, keepdims=keep),
    "ReduceSumSquare": lambda x, axis, keep: np.sum(x * x, axis=axis, keepdims=keep),
}


def reduce():
    for op, definition in REDUCTIONS.items():
        for version in versions_of(op):
            by_input = version >= (13 if op == "ReduceSum" else 18)

            def case(tag, axes, keep=True, **attributes):
                y = definition(A.astype(np.float64), None if axes is None else tuple(axes), keep).astype(np.float32)
                name = f"{op.lower()}_{version}_{tag}"
                if axes is None or by_input:
                    return at_version(op, version, [A] + ([] if axes is None else [np.array(axes, dtype=np.int64)]), [y], name=name, **attributes)
                return at_version(op, version, [A], [y], name=name, axes=axes, **attributes)

            yield case("all", None)
            yield case("all_dropped", None, False, keepdims=0)
            yield case("middle", [1])
            yield case("two", [0, 2], False, keepdims=0)
            if version >= 11:
                yield case("negative", [-1], False, keepdims=0)
            if by_input:
                kept = definition(A.astype(np.float64), (), True).astype(np.float32)  # nothing is summed, the rest of the formula stays
                yield at_version(op, version, [A, np.zeros(0, dtype=np.int64)], [kept], name=f"{op.lower()}_{version}_noop", noop_with_empty_axes=1)
            if op in ("ReduceMax", "ReduceMin") and version >= 20:
                x = np.array([[True, False], [True, True]])
                pick = np.max if op == "ReduceMax" else np.min
                yield at_version(op, version, [x, np.array([1])], [pick(x, axis=1)], name=f"{op.lower()}_{version}_bool", keepdims=0)


def arguments():
    x = np.float32([[2, 7, 7], [9, 1, 9]])
    for op, definition in (("ArgMax", np.argmax), ("ArgMin", np.argmin)):
        source = x if op == "ArgMax" else -x
        for version in versions_of(op):
            yield at_version(op, version, [source], [definition(source, axis=1).reshape(2, 1)], axis=1)
            yield at_version(op, version, [source], [definition(source, axis=0)], name=f"{op.lower()}_{version}_dropped", keepdims=0)
            if version >= 11:
                yield at_version(op, version, [source], [definition(source, axis=1)], name=f"{op.lower()}_{version}_negative", axis=-1, keepdims=0)
            if version >= 12:
                last = np.array([2, 2])
                yield at_version(op, version, [source], [last], name=f"{op.lower()}_{version}_last", axis=1, keepdims=0, select_last_index=1)


def top():
    x = np.float32([[3, 1, 4, 1], [5, 9, 2, 6]])
    best = np.argsort(-x, axis=1, kind="stable")[:, :2]
    values = np.take_along_axis(x, best, 1)
    least = np.argsort(x, axis=1, kind="stable")[:, :3]
    for version in versions_of("TopK"):
        if version == 1:
            yield at_version("TopK", 1, [x], [values, best], k=2)
            yield at_version("TopK", 1, [x], [x.max(0, keepdims=True), x.argmax(0)[None]], name="topk_1_axis", k=1, axis=0)
            continue
        yield at_version("TopK", version, [x, np.array([2])], [values, best])
        if version >= 11:
            yield at_version("TopK", version, [x, np.array([3])], [np.take_along_axis(x, least, 1), least], name=f"topk_{version}_least", largest=0, axis=1)


def running():
    x = np.float32([[1, 2, 3], [4, 5, 6]])
    for op, definition, neutral in (("CumSum", np.cumsum, 0), ("CumProd", np.cumprod, 1)):
        for version in versions_of(op):
            axis = np.int64(1)
            yield at_version(op, version, [x, axis], [definition(x, axis=1).astype(np.float32)])
            y = definition(x[:, ::-1], axis=1)[:, ::-1].astype(np.float32)
            yield at_version(op, version, [x, np.int32(-1)], [y], name=f"{op.lower()}_{version}_reverse", reverse=1)
            before = np.concatenate([np.full((2, 1), neutral), definition(x, axis=1)[:, :-1]], 1).astype(np.float32)
            yield at_version(op, version, [x, axis], [before], name=f"{op.lower()}_{version}_exclusive", exclusive=1)


def softmax_of(x):
    e = np.exp(x - x.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True)


def hardmax_of(x):
    return (np.arange(x.shape[-1]) == x.argmax(-1)[..., None]).astype(np.float32)


def softmax():
    definitions = {"Softmax": softmax_of, "LogSoftmax": lambda x: np.log(softmax_of(x)), "Hardmax": hardmax_of}
    for op, definition in definitions.items():
        for version in versions_of(op):
            if version < 13:  # the axes from `axis` on are one
                flat = definition(A.astype(np.float64).reshape(2, 12)).reshape(A.shape)
                yield at_version(op, version, [A], [flat.astype(np.float32)])
                yield at_version(op, version, [A], [definition(A.reshape(1, 24)).reshape(A.shape).astype(np.float32)], name=f"{op.lower()}_{version}_0", axis=0)
                if version >= 11:
                    yield at_version(op, version, [A], [definition(A).astype(np.float32)], name=f"{op.lower()}_{version}_negative", axis=-1)
            else:
                yield at_version(op, version, [A], [definition(A).astype(np.float32)])
                y = np.moveaxis(definition(np.moveaxis(A, 1, -1)), -1, 1)
                yield at_version(op, version, [A], [np.ascontiguousarray(y, dtype=np.float32)], name=f"{op.lower()}_{version}_1", axis=1)


def norms():
    for version in versions_of("LpNormalization"):
        yield at_version("LpNormalization", version, [A], [A / np.sqrt((A * A).sum(-1, keepdims=True))])
        yield at_version("LpNormalization", version, [A], [A / A.sum(1, keepdims=True)], name=f"lpnormalization_{version}_1", axis=1, p=1)
    for version in versions_of("MeanVarianceNormalization"):
        x = A.reshape(1, 3, 2, 4)
        centred = x - x.mean((0, 2, 3), keepdims=True)
        y = centred / np.sqrt((centred * centred).mean((0, 2, 3), keepdims=True) + 1e-9)
        yield at_version("MeanVarianceNormalization", version, [x], [y])
        centred = x - x.mean((1, 2), keepdims=True)
        y = centred / np.sqrt((centred * centred).mean((1, 2), keepdims=True) + 1e-9)
        yield at_version("MeanVarianceNormalization", version, [x], [y], name=f"meanvariancenormalization_{version}_axes", axes=[1, 2])


def losses():
    scores = np.float32([[1, 2, 3], [1, 0, 2], [0, 0, 4]])
    labels = np.array([2, 0, 1])
    weights = np.float32([0.5, 2, 1])
    log = np.log(softmax_of(scores.astype(np.float64)))
    picked = -log[np.arange(3), labels] * weights[labels]
    mean = (picked.sum() / weights[labels].sum()).astype(np.float32)
    for version in versions_of("NegativeLogLikelihoodLoss"):
        log32 = log.astype(np.float32)
        yield at_version("NegativeLogLikelihoodLoss", version, [log32, labels, weights], [np.asarray(mean)])
        yield at_version("NegativeLogLikelihoodLoss", version, [log32, labels, weights], [picked.astype(np.float32)], name=f"negativeloglikelihoodloss_{version}_none", reduction="none")
        kept = np.asarray(-(log[0, 2] + log[2, 1]), dtype=np.float32)
        yield at_version("NegativeLogLikelihoodLoss", version, [log32, labels], [kept], name=f"negativeloglikelihoodloss_{version}_ignored", reduction="sum", ignore_index=0)
    for version in versions_of("SoftmaxCrossEntropyLoss"):
        yield at_version("SoftmaxCrossEntropyLoss", version, [scores, labels, weights], [np.asarray(mean), log.astype(np.float32)])
        yield at_version("SoftmaxCrossEntropyLoss", version, [scores, labels, weights], [np.asarray(picked.sum(), dtype=np.float32)], name=f"softmaxcrossentropyloss_{version}_sum", reduction="sum")


def cases():
    for family in (reduce, arguments, top, running, softmax, norms, losses):
        yield from family()
