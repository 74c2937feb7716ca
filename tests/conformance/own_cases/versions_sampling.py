"""Every version of Resize, Upsample, GridSample, RoiAlign, NonMaxSuppression and DeformConv."""

import numpy as np
from case import at_version, reference, versions_of

X = np.float32([[1, 2, 4], [3, 0, 5]]).reshape(1, 1, 2, 3)


def nearest(x, height, width, row_scale, column_scale):
    """Asymmetric coordinates rounded down: the only nearest that Upsample and Resize-10 know."""
    rows = np.minimum(np.floor(np.arange(height) / row_scale).astype(int), x.shape[2] - 1)
    columns = np.minimum(np.floor(np.arange(width) / column_scale).astype(int), x.shape[3] - 1)
    return x[:, :, rows][:, :, :, columns]


COORDINATES = {
    "asymmetric": lambda at, scale, n, m: at / scale,
    "half_pixel": lambda at, scale, n, m: (at + 0.5) / scale - 0.5,
    "pytorch_half_pixel": lambda at, scale, n, m: (at + 0.5) / scale - 0.5 if m > 1 else at * 0,
    "align_corners": lambda at, scale, n, m: at * (n - 1) / (m - 1),
}


def matrix(n, m, scale, mode):
    """The weights of linear interpolation from n to m samples."""
    at = np.clip(COORDINATES[mode](np.arange(m), scale, n, m), 0, n - 1)
    low = np.floor(at).astype(int)
    weights = np.zeros((m, n))
    weights[np.arange(m), low] += 1 - (at - low)
    weights[np.arange(m), np.minimum(low + 1, n - 1)] += at - low
    return weights


def linear(x, height, width, row_scale, column_scale, mode="asymmetric"):
    rows, columns = matrix(x.shape[2], height, row_scale, mode), matrix(x.shape[3], width, column_scale, mode)
    return np.einsum("hi,ncij,wj->nchw", rows, x, columns).astype(np.float32)


def resizing():
    scales = np.float32([1, 1, 2, 1.5])
    for version in versions_of("Upsample"):
        for mode, y in (("nearest", nearest(X, 4, 4, 2, 1.5)), ("bilinear" if version == 1 else "linear", linear(X, 4, 4, 2, 1.5))):
            name = f"upsample_{version}_{mode}"
            if version == 1:
                yield at_version("Upsample", 1, [X], [y], name=name, height_scale=2.0, width_scale=1.5, mode=mode)
            elif version == 7:
                yield at_version("Upsample", 7, [X], [y], name=name, scales=[1.0, 1.0, 2.0, 1.5], mode=mode)
            else:
                yield at_version("Upsample", version, [X, scales], [y], name=name, mode=mode)
    half = np.float32([1, 1, 0.5, 0.67])
    yield at_version("Resize", 10, [X, scales], [nearest(X, 4, 4, 2, 1.5)], mode="nearest")
    yield at_version("Resize", 10, [X, scales], [linear(X, 4, 4, 2, 1.5)], name="resize_10_linear", mode="linear")
    # shrinking takes the cell after, as the cases of that time did
    yield at_version("Resize", 10, [X, half], [X[:, :, :1, [0, 2]]], name="resize_10_down", mode="nearest")
    for version in versions_of("Resize")[1:]:
        # an empty roi and, with sizes, empty scales: how version 11 had to be written
        roi, empty = (np.zeros(0, np.float32), np.zeros(0, np.float32)) if version == 11 else (None, None)
        sizes = np.array([1, 1, 4, 4])
        by_scale, by_size = [X, roi, scales], [X, roi, empty, sizes]
        for mode in ("asymmetric", "half_pixel", "pytorch_half_pixel", "align_corners"):
            y = linear(X, 4, 4, 2, 4 / 3 if mode != "align_corners" else 1, mode)
            yield at_version("Resize", version, by_size, [y], name=f"resize_{version}_{mode}", mode="linear", coordinate_transformation_mode=mode)
        yield at_version("Resize", version, by_scale, [linear(X, 4, 4, 2, 1.5, "half_pixel")], name=f"resize_{version}_scales", mode="linear")
        given = {"coordinate_transformation_mode": "asymmetric", "nearest_mode": "floor"}
        yield at_version("Resize", version, by_scale, [nearest(X, 4, 4, 2, 1.5)], name=f"resize_{version}_floor", mode="nearest", **given)
        if version < 13:
            given = {"coordinate_transformation_mode": "tf_half_pixel_for_nn", "nearest_mode": "floor"}
            columns = np.floor((np.arange(4) + 0.5) * 3 / 4).astype(int)
            yield at_version("Resize", version, by_size, [X[:, :, [0, 0, 1, 1]][:, :, :, columns]], name=f"resize_{version}_tf_half_pixel", mode="nearest", **given)
        region = np.float32([0, 0, 0, 0.25, 1, 1, 1, 0.75])
        y = matrix_region(X, 4, 3, (0, 1), (0.25, 0.75))
        yield at_version("Resize", version, [X, region, empty, np.array([1, 1, 4, 3])], [y], name=f"resize_{version}_crop", mode="linear", coordinate_transformation_mode="tf_crop_and_resize")
        if version >= 18:
            yield at_version("Resize", version, [X, None, None, np.array([4, 6])], [nearest(X, 4, 6, 2, 2)], name=f"resize_{version}_axes", axes=[2, 3])
            yield at_version("Resize", version, [X, None, None, np.array([4, 7])], [nearest(X, 4, 6, 2, 2)], name=f"resize_{version}_aspect", axes=[2, 3], keep_aspect_ratio_policy="not_larger")


def matrix_region(x, height, width, rows, columns):
    def at(m, n, region):
        start, end = region
        return start * (n - 1) + np.arange(m) * (end - start) * (n - 1) / (m - 1)

    def weights(m, n, region):
        positions = at(m, n, region)
        low = np.floor(positions).astype(int)
        out = np.zeros((m, n))
        out[np.arange(m), low] += 1 - (positions - low)
        out[np.arange(m), np.minimum(low + 1, n - 1)] += positions - low
        return out

    return np.einsum("hi,ncij,wj->nchw", weights(height, x.shape[2], rows), x, weights(width, x.shape[3], columns)).astype(np.float32)


def by_reference(op, version, inputs, outputs, name, newest, new_attributes=None, **attributes):
    """A case of an old version whose values are those the evaluator gives for the newest one with its attributes spelled out."""
    new = at_version(op, newest, inputs, outputs, **(attributes if new_attributes is None else new_attributes))
    return at_version(op, version, inputs, reference(new.model, new.inputs), name=name, **attributes)


def sampling():
    x = np.arange(16, dtype=np.float32).reshape(1, 1, 4, 4)
    grid = np.float32([[[-1, -1], [0.1, -0.4], [0.9, 0.7]], [[-1.2, 0.3], [0.5, 0.5], [1.4, -1.1]]]).reshape(1, 2, 3, 2)
    y = np.zeros((1, 1, 2, 3), dtype=np.float32)
    for version in versions_of("GridSample"):
        for new, old in (("linear", "bilinear"), ("nearest", "nearest"), ("cubic", "bicubic")):
            for padding in ("zeros", "border", "reflection"):
                given = {"padding_mode": padding, "align_corners": 1 if padding == "border" else 0}
                name = f"gridsample_{version}_{new}_{padding}"
                yield by_reference("GridSample", version, [x, grid], [y], name, 22, {"mode": new, **given}, mode=old if version == 16 else new, **given)
    rois = np.float32([[0, 0, 2, 3], [1, 1, 3.5, 3]])
    y = np.zeros((2, 1, 2, 2), dtype=np.float32)
    for version in versions_of("RoiAlign"):
        inputs = [x, rois, np.array([0, 0])]
        usual = {"output_height": 2, "output_width": 2, "sampling_ratio": 2}
        middle = "output_half_pixel" if version == 10 else "half_pixel"
        yield by_reference("RoiAlign", version, inputs, [y], f"roialign_{version}", 22, {"coordinate_transformation_mode": middle, **usual}, **usual)
    for version in versions_of("NonMaxSuppression"):
        boxes = np.float32([[[0, 0, 1, 1], [0, 0.1, 1, 1.1], [0, 10, 1, 11]]])
        scores = np.float32([[[0.9, 0.75, 0.6]]])
        inputs = [boxes, scores, np.array([3]), np.float32([0.5]), np.float32([0.0])]
        yield at_version("NonMaxSuppression", version, inputs, [np.array([[0, 0, 0], [0, 0, 2]])])
        yield at_version("NonMaxSuppression", version, inputs[:2], [np.zeros((0, 3), np.int64)], name=f"nonmaxsuppression_{version}_none")
    for version in versions_of("DeformConv"):
        w = np.ones((1, 1, 2, 2), dtype=np.float32)
        offset = np.zeros((1, 8, 3, 3), dtype=np.float32)
        offset[0, 0, 0, 0] = 0.5
        yield by_reference("DeformConv", version, [x, w, offset], [np.zeros((1, 1, 3, 3), np.float32)], f"deformconv_{version}", 22, kernel_shape=[2, 2])


def cases():
    yield from resizing()
    yield from sampling()
