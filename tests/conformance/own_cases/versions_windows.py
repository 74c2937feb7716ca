"""Every version of the operators over images and matrices: convolution, pooling, normalisation by channel, resizing, products, transforms."""

import numpy as np
from case import at_version, versions_of

IMAGE = ((np.arange(50) * 11) % 50 / 10).astype(np.float32).reshape(1, 2, 5, 5)


def windows(x, kernel, strides, dilations, pads, fill):
    """Every window of a padded image: [N, C, OH, OW, kernel elements], positions outside filled."""
    (top, left, bottom, right), (kh, kw), (sh, sw), (dh, dw) = pads, kernel, strides, dilations
    padded = np.full((*x.shape[:2], x.shape[2] + top + bottom, x.shape[3] + left + right), fill, dtype=np.float64)
    padded[:, :, top : top + x.shape[2], left : left + x.shape[3]] = x
    oh = (padded.shape[2] - dh * (kh - 1) - 1) // sh + 1
    ow = (padded.shape[3] - dw * (kw - 1) - 1) // sw + 1
    out = np.empty((*x.shape[:2], oh, ow, kh * kw))
    for y in range(oh):
        for z in range(ow):
            window = padded[:, :, y * sh : y * sh + dh * (kh - 1) + 1 : dh, z * sw : z * sw + dw * (kw - 1) + 1 : dw]
            out[:, :, y, z] = window.reshape(*x.shape[:2], -1)
    return out


def windows_of(x, kernel, strides=(1, 1), dilations=(1, 1), pads=(0, 0, 0, 0), fill=np.nan):
    return windows(x, kernel, strides, dilations, pads, fill)


def conv_of(x, w, bias=None, **given):
    every = windows_of(x, w.shape[2:], fill=0, **given)
    y = np.einsum("ncxyk,mck->nmxy", every, w.reshape(*w.shape[:2], -1).astype(np.float64))
    return (y + (0 if bias is None else bias.reshape(1, -1, 1, 1))).astype(np.float32)


def convolution():
    w = ((np.arange(54) * 5) % 9 / 4 - 1).astype(np.float32).reshape(3, 2, 3, 3)
    bias = np.float32([1, -2, 0.5])
    for version in versions_of("Conv"):
        yield at_version("Conv", version, [IMAGE, w, bias], [conv_of(IMAGE, w, bias)])
        given = {"strides": [2, 1], "pads": [1, 0, 2, 1], "dilations": [1, 2]}
        yield at_version("Conv", version, [IMAGE, w], [conv_of(IMAGE, w, **given)], name=f"conv_{version}_window", **given)
        same = conv_of(IMAGE, w, pads=(1, 1, 1, 1), strides=(2, 2))
        yield at_version("Conv", version, [IMAGE, w], [same], name=f"conv_{version}_same", auto_pad="SAME_UPPER", strides=[2, 2])
        own = w[:2, :1].copy()
        grouped = np.concatenate([conv_of(IMAGE[:, i : i + 1], own[i : i + 1]) for i in range(2)], 1)
        yield at_version("Conv", version, [IMAGE, own], [grouped], name=f"conv_{version}_group", group=2)
    x = IMAGE[:, :1, :3, :3].copy()
    kernel = w[0:1, :1].copy()
    for version in versions_of("ConvTranspose"):
        spread = np.zeros((1, 1, 7, 7), dtype=np.float64)
        for i in range(3):
            for j in range(3):
                spread[0, 0, 2 * i : 2 * i + 3, 2 * j : 2 * j + 3] += x[0, 0, i, j] * kernel[0, 0].astype(np.float64)
        spread = spread.astype(np.float32)
        yield at_version("ConvTranspose", version, [x, kernel], [spread], strides=[2, 2])
        yield at_version("ConvTranspose", version, [x, kernel], [spread[:, :, 1:-1, 1:-1].copy()], name=f"convtranspose_{version}_pads", strides=[2, 2], pads=[1, 1, 1, 1])
        wider = np.pad(spread, ((0, 0), (0, 0), (0, 1), (0, 1)))
        yield at_version("ConvTranspose", version, [x, kernel], [wider], name=f"convtranspose_{version}_output_padding", strides=[2, 2], output_padding=[1, 1])
        yield at_version("ConvTranspose", version, [x, kernel], [wider], name=f"convtranspose_{version}_output_shape", strides=[2, 2], output_padding=[1, 1], output_shape=[8, 8])


def average_pooling():
    given = {"strides": [2, 2], "pads": [1, 1, 1, 1]}
    every = windows_of(IMAGE, (3, 3), **given)
    skipped = np.nanmean(every, -1).astype(np.float32)
    counted = (np.nansum(every, -1) / 9).astype(np.float32)
    for version in versions_of("AveragePool"):
        yield at_version("AveragePool", version, [IMAGE], [skipped], kernel_shape=[3, 3], **given)
        if version >= 7:
            yield at_version("AveragePool", version, [IMAGE], [counted], name=f"averagepool_{version}_counted", kernel_shape=[3, 3], count_include_pad=1, **given)
        if version >= 10:
            ceiled = np.nanmean(windows_of(IMAGE, (2, 2), strides=(2, 2), pads=(0, 0, 1, 1)), -1).astype(np.float32)
            yield at_version("AveragePool", version, [IMAGE], [ceiled], name=f"averagepool_{version}_ceil", kernel_shape=[2, 2], strides=[2, 2], ceil_mode=1)
        if version >= 19:
            spread = np.mean(windows_of(IMAGE, (2, 2), dilations=(2, 2)), -1).astype(np.float32)
            yield at_version("AveragePool", version, [IMAGE], [spread], name=f"averagepool_{version}_dilated", kernel_shape=[2, 2], dilations=[2, 2])
    for version in versions_of("LpPool"):
        for p in (1, 2, 3):
            y = np.nansum(windows_of(IMAGE, (3, 3), **given) ** p, -1) ** (1 / p)
            yield at_version("LpPool", version, [IMAGE], [y.astype(np.float32)], name=f"lppool_{version}_{p}", kernel_shape=[3, 3], p=float(p) if version == 1 else p, **given)


def max_pooling():
    given = {"strides": [2, 1], "pads": [1, 0, 0, 1]}
    every = windows_of(IMAGE, (2, 2), fill=-np.inf, **given)
    y = every.max(-1).astype(np.float32)
    for version in versions_of("MaxPool"):
        yield at_version("MaxPool", version, [IMAGE], [y], kernel_shape=[2, 2], **given)
        if version >= 8:
            order = np.arange(50).reshape(IMAGE.shape)
            for storage, numbers in ((0, order), (1, np.arange(50).reshape(1, 2, 5, 5).transpose(0, 1, 3, 2))):
                flat = windows_of(numbers, (2, 2), fill=-1, **given)
                at = np.take_along_axis(flat, every.argmax(-1)[..., None], -1)[..., 0].astype(np.int64)
                name = f"maxpool_{version}_indices_{storage}"
                yield at_version("MaxPool", version, [IMAGE], [y, at], name=name, kernel_shape=[2, 2], storage_order=storage, **given)
        if version >= 10:
            ceiled = windows_of(IMAGE, (2, 2), strides=(2, 2), pads=(0, 0, 1, 1), fill=-np.inf).max(-1).astype(np.float32)
            yield at_version("MaxPool", version, [IMAGE], [ceiled], name=f"maxpool_{version}_ceil", kernel_shape=[2, 2], strides=[2, 2], ceil_mode=1)
            spread = windows_of(IMAGE, (2, 2), dilations=(2, 2)).max(-1).astype(np.float32)
            yield at_version("MaxPool", version, [IMAGE], [spread], name=f"maxpool_{version}_dilated", kernel_shape=[2, 2], dilations=[2, 2])
    for version in versions_of("MaxUnpool"):
        small, at = np.float32([[[[1, 2], [3, 4]]]]), np.array([[[[0, 3], [9, 15]]]])
        spread = np.zeros(16, dtype=np.float32)
        spread[at.ravel()] = small.ravel()
        yield at_version("MaxUnpool", version, [small, at], [spread.reshape(1, 1, 4, 4)], kernel_shape=[2, 2], strides=[2, 2])
    for version in versions_of("MaxRoiPool"):
        rois = np.float32([[0, 0, 0, 3, 3], [0, 2, 2, 3, 3]])
        x = IMAGE[:, :, :4, :4].copy()
        first = x.reshape(1, 2, 2, 2, 2, 2).max((3, 5))[0]
        yield at_version("MaxRoiPool", version, [x, rois], [np.stack([first, x[0, :, 2:, 2:]])], pooled_shape=[2, 2])


def global_pooling():
    for op, definition in (("GlobalAveragePool", np.mean), ("GlobalMaxPool", np.max)):
        for version in versions_of(op):
            yield at_version(op, version, [IMAGE], [definition(IMAGE, axis=(2, 3), keepdims=True)])
    for version in versions_of("GlobalLpPool"):
        for p in (1, 2, 3):
            y = (IMAGE.astype(np.float64) ** p).sum((2, 3), keepdims=True) ** (1 / p)
            yield at_version("GlobalLpPool", version, [IMAGE], [y.astype(np.float32)], name=f"globallppool_{version}_{p}", p=float(p) if version == 1 else p)


def normalisation():
    scale, bias, mean, variance = (np.float32(values) for values in ([1.5, 0.5], [0.25, -1], [2, 3], [1, 4]))
    across = (1, 2, 1, 1)

    def normal(x, m, v):
        return ((x - m.reshape(across)) / np.sqrt(v.reshape(across) + 1e-5) * scale.reshape(across) + bias.reshape(across)).astype(np.float32)

    statistics = [IMAGE, scale, bias, mean, variance]
    own_mean, own_variance = IMAGE.mean((0, 2, 3)), IMAGE.var((0, 2, 3))
    for version in versions_of("BatchNormalization"):
        test = {"is_test": 1} if version < 7 else {}
        old = {"consumed_inputs": [0, 0, 0, 1, 1]} if version == 1 else {}
        yield at_version("BatchNormalization", version, statistics, [normal(IMAGE, mean, variance)], **test, **old)
        if version >= 14:
            # the running variance takes the population variance
            outputs = [normal(IMAGE, own_mean, own_variance), mean * np.float32(0.75) + own_mean * np.float32(0.25), variance * np.float32(0.75) + own_variance * np.float32(0.25)]
            yield at_version("BatchNormalization", version, statistics, outputs, name=f"batchnormalization_{version}_training", training_mode=1, momentum=0.75)
        if version in (1, 6, 7):  # spatial 0: statistics of every element
            shape = IMAGE.shape[1:]
            each = [np.linspace(0.5, 2, 50, dtype=np.float32).reshape(shape) * k for k in (1, 2, 0.5, 1.5)]
            each = [value.astype(np.float32) for value in each]
            y = (IMAGE - each[2]) / np.sqrt(each[3] + 1e-5) * each[0] + each[1]
            yield at_version("BatchNormalization", version, [IMAGE, *each], [y.astype(np.float32)], name=f"batchnormalization_{version}_elements", spatial=0, **test, **old)
    for version in versions_of("InstanceNormalization"):
        x = np.concatenate([IMAGE, IMAGE[:, ::-1] * 2])
        centred = x - x.mean((2, 3), keepdims=True)
        y = centred / np.sqrt((centred * centred).mean((2, 3), keepdims=True) + 1e-5) * scale.reshape(across) + bias.reshape(across)
        yield at_version("InstanceNormalization", version, [x, scale, bias], [y.astype(np.float32)])
    for version in versions_of("LRN"):
        x = np.concatenate([IMAGE, IMAGE[:, ::-1] * 2], 1)
        squares = x.astype(np.float64) ** 2
        around = np.stack([squares[:, max(0, c - 1) : c + 2].sum(1) for c in range(4)], 1)
        y = x / (2 + 0.1 / 3 * around) ** 0.5
        yield at_version("LRN", version, [x], [y.astype(np.float32)], size=3, alpha=0.1, beta=0.5, bias=2.0)


def dropout():
    x = IMAGE[0]
    kept = np.ones_like(x)
    for version in versions_of("Dropout"):
        test = {"is_test": 1} if version < 7 else {}
        old = {"consumed_inputs": [0]} if version == 1 else {}
        mask = kept if version < 10 else kept.astype(bool)
        yield at_version("Dropout", version, [x], [x], **test, **old)
        yield at_version("Dropout", version, [x], [x, mask], name=f"dropout_{version}_mask", **test, **old)
        if version >= 12:
            yield at_version("Dropout", version, [x, np.float32(0.5), np.array(False)], [x], name=f"dropout_{version}_inputs")
            yield at_version("Dropout", version, [x, np.float32(0), np.array(True)], [x, mask], name=f"dropout_{version}_training", seed=1)


def products():
    a = (np.arange(6, dtype=np.float32) - 2).reshape(2, 3)
    b = (np.arange(12, dtype=np.float32) / 4).reshape(3, 4)
    c = np.float32([1, 2, 3, 4])
    for version in versions_of("Gemm"):
        y = 0.5 * (a @ b) + 2 * c
        old = {"broadcast": 1} if version < 7 else {}
        yield at_version("Gemm", version, [a, b, c], [y.astype(np.float32)], alpha=0.5, beta=2.0, **old)
        full = np.tile(c, (2, 1))
        yield at_version("Gemm", version, [a.T.copy(), b.T.copy(), full], [a @ b + c], name=f"gemm_{version}_transposed", transA=1, transB=1)
        if version >= 11:
            yield at_version("Gemm", version, [a, b], [a @ b], name=f"gemm_{version}_plain")
    for version in versions_of("MatMul"):
        yield at_version("MatMul", version, [a, b], [a @ b])
        stack = np.stack([a, a + 1])
        yield at_version("MatMul", version, [stack, b], [stack @ b], name=f"matmul_{version}_stack")
        yield at_version("MatMul", version, [a[0], b], [a[0] @ b], name=f"matmul_{version}_vector")
    for version in versions_of("Det"):
        x = np.float32([[[1, 2], [3, 4]], [[2, 0], [1, 3]]])
        yield at_version("Det", version, [x], [np.float32([-2, 6])])
    for version in versions_of("Einsum"):
        yield at_version("Einsum", version, [a, b], [(a @ b).T.copy()], equation="ij,jk->ki")
        yield at_version("Einsum", version, [stack], [np.einsum("...ij->...ji", stack).copy()], name=f"einsum_{version}_ellipsis", equation="...ij->...ji")


def transforms():
    x = np.float32([1, 2, 0, -1, 3]).reshape(1, 5, 1)
    spectrum = np.fft.fft(x[:, :, 0], axis=1)
    pairs = np.stack([spectrum.real, spectrum.imag], -1).astype(np.float32)
    for version in versions_of("DFT"):
        axis = {"axis": 1} if version < 20 else {}
        inputs = [x] if version < 20 else [x, None, np.int64(1)]
        yield at_version("DFT", version, inputs, [pairs], **axis)
        yield at_version("DFT", version, inputs, [pairs[:, :3]], name=f"dft_{version}_onesided", onesided=1, **axis)
        back = np.stack([x[:, :, 0], np.zeros((1, 5))], -1).astype(np.float32)
        case = at_version("DFT", version, [pairs, *inputs[1:]], [back], name=f"dft_{version}_inverse", inverse=1, **axis)
        case.atol = 1e-5
        yield case


def cases():
    for family in (convolution, average_pooling, max_pooling, global_pooling, normalisation, dropout, products, transforms):
        yield from family()
