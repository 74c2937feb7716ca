"""MaxUnpool, MaxRoiPool, DeformConv, pooling windows that hang over, and image files written here byte by byte.

Expected values come from onnxruntime, or from the definitions in numpy where onnxruntime lacks the type.
"""

import struct
import zlib

import numpy as np
import onnxruntime
from case import Case, one_node
from onnx import helper

WIDE = [np.float32, np.float64]
FLOATS = [*WIDE, np.float16]


def loose(kind):
    return {"rtol": 6e-3, "atol": 4e-3} if kind == np.float16 else {"rtol": 1e-4, "atol": 1e-5}


def run_onnxruntime(node, inputs, opset):
    def model_for():
        made = one_node(node, inputs, {name: np.zeros(1, np.int64 if name == "i" else np.float32) for name in node.output}, opset)
        for value in made.graph.output:
            value.type.tensor_type.ClearField("shape")
        return made

    options = onnxruntime.SessionOptions()
    options.log_severity_level = 4
    return onnxruntime.InferenceSession(model_for().SerializeToString(), options, providers=["CPUExecutionProvider"]).run(None, inputs)


def by_onnxruntime(name, node, inputs, opset, kind=np.float32):
    """Expected values in float32; inputs and outputs are stored as `kind`."""
    single = {key: each.astype(np.float32) if each.dtype.kind == "f" else each for key, each in inputs.items()}
    outputs = dict(zip(node.output, (each.astype(kind) for each in run_onnxruntime(node, single, opset))))
    stored = {key: each.astype(kind) if each.dtype.kind == "f" else each for key, each in inputs.items()}
    return Case(name, one_node(node, stored, outputs, opset), stored, outputs, **loose(kind))


def rough(rng, shape):
    """Numbers a half holds exactly, so that all types see the same input."""
    return rng.normal(size=shape).astype(np.float16).astype(np.float32)


def deform_case(name, seed, kind=np.float32, x=(2, 4, 7, 6), out=6, kernel=(3, 3), group=1, offset_group=1, strides=(1, 1), pads=(1, 1, 1, 1), dilations=(1, 1), bias=True, mask=True, opset=22, reach=2.0):
    rng = np.random.default_rng(seed)
    sizes = [(x[2 + i] + pads[i] + pads[2 + i] - dilations[i] * (kernel[i] - 1) - 1) // strides[i] + 1 for i in range(2)]
    cells = kernel[0] * kernel[1]
    inputs = {"X": rough(rng, x), "W": rough(rng, (out, x[1] // group, *kernel)), "offset": rough(rng, (x[0], offset_group * cells * 2, *sizes)) * np.float32(reach)}
    inputs["B"] = rough(rng, (out,)) if bias else np.zeros((out,), np.float32)
    if mask:
        inputs["mask"] = rough(rng, (x[0], offset_group * cells, *sizes))
    node = helper.make_node("DeformConv", list(inputs), ["Y"], kernel_shape=list(kernel), group=group, offset_group=offset_group, strides=list(strides), pads=list(pads), dilations=list(dilations))
    case = by_onnxruntime(name, node, inputs, 19, kind)
    case.model.opset_import[0].version = opset
    return case


def deform_volume(name, spatial, offset_group=1):
    """One or three axes: onnxruntime has two only; the sum of the definition, place by place."""
    rng = np.random.default_rng(9)
    rank, kernel = len(spatial), (2,) * len(spatial)
    out = tuple(size - 1 for size in spatial)
    cells = 2**rank
    x, w = rng.normal(size=(1, 2, *spatial)), rng.normal(size=(3, 2, *kernel))
    offset = rng.normal(size=(1, offset_group * cells * rank, *out))

    def read(plane, place):
        total = 0.0
        for corner in np.ndindex(*(2,) * rank):
            cell = [int(np.floor(p)) + c for p, c in zip(place, corner)]
            if all(0 <= c < size for c, size in zip(cell, spatial)):
                total += plane[tuple(cell)] * np.prod([1 - abs(p - c) for p, c in zip(place, cell)])
        return total

    y = np.zeros((1, 3, *out))
    for o in np.ndindex(*out):
        for number, k in enumerate(np.ndindex(*kernel)):
            for c in range(2):
                group = c * offset_group // 2
                place = [o[a] + k[a] + offset[(0, (group * cells + number) * rank + a, *o)] for a in range(rank)]
                y[(0, slice(None), *o)] += w[(slice(None), c, *k)] * read(x[0, c], place)
    inputs = {"X": x, "W": w, "offset": offset}
    node = helper.make_node("DeformConv", list(inputs), ["Y"], offset_group=offset_group)
    return Case(name, one_node(node, inputs, {"Y": y}, 22), inputs, {"Y": y}, rtol=1e-6)


def deform_cases():
    for i, kind in enumerate(FLOATS):
        yield deform_case(f"deform_conv_{np.dtype(kind).name}", i, kind)
        yield deform_case(f"deform_conv_groups_{np.dtype(kind).name}", 10 + i, kind, group=2, offset_group=2)
    yield deform_case("deform_conv_more_offset_groups", 20, group=1, offset_group=4, bias=False)
    yield deform_case("deform_conv_more_groups", 21, group=4, offset_group=1, out=8, mask=False)
    yield deform_case("deform_conv_strides", 22, strides=(2, 3), dilations=(2, 1), pads=(2, 0, 1, 2), opset=19)
    yield deform_case("deform_conv_far_offsets", 23, reach=20.0)
    yield deform_case("deform_conv_tiles", 24, x=(1, 64, 40, 40), out=4, mask=False)
    yield deform_volume("deform_conv_1d", (9,))
    yield deform_volume("deform_conv_3d", (4, 3, 5), offset_group=2)


def unpool_case(name, kind, opset, shape=(2, 3, 6, 8), kernel=(2, 2), strides=(2, 2), pads=(0, 0, 0, 0), larger=0):
    rng = np.random.default_rng(5)
    attributes = {"kernel_shape": list(kernel), "strides": list(strides), "pads": list(pads)}
    x = rough(rng, shape)
    pooled, indices = run_onnxruntime(helper.make_node("MaxPool", ["x"], ["y", "i"], **attributes), {"x": x}, 12)
    inner = np.zeros([*shape[:2], *[(n - 1) * s - pads[a] - pads[a + len(kernel)] + k for a, (n, s, k) in enumerate(zip(pooled.shape[2:], strides, kernel))]], kind)
    inner.reshape(-1)[indices.reshape(-1)] = pooled.reshape(-1)
    inputs, y = {"X": pooled.astype(kind), "I": indices}, inner
    if larger:
        inputs["output_shape"] = np.array([*shape[:2], *[size + larger for size in inner.shape[2:]]], np.int64)
        y = np.zeros(inputs["output_shape"], kind)
        y[tuple(slice(0, size) for size in inner.shape)] = inner
    node = helper.make_node("MaxUnpool", list(inputs), ["Y"], **attributes)
    return Case(name, one_node(node, inputs, {"Y": y}, opset), inputs, {"Y": y})


def pooling_cases():
    for kind in FLOATS:
        name = np.dtype(kind).name
        yield unpool_case(f"max_unpool_{name}", kind, 22)
        yield unpool_case(f"max_unpool_larger_{name}", kind, 11, larger=2)
    yield unpool_case("max_unpool_version_9", np.float32, 9)
    yield unpool_case("max_unpool_1d", np.float32, 11, (1, 2, 9), (3,), (3,), (0, 0))
    rng = np.random.default_rng(6)
    rois = np.array([[0, 0, 0, 7, 7], [1, 2, 1, 5, 9], [0, 3, 3, 3, 3], [1, -4, -4, 30, 30], [0, 6, 6, 2, 2]], np.float32)
    for kind in FLOATS:
        for scale in (1.0, 0.5):
            node = helper.make_node("MaxRoiPool", ["X", "rois"], ["Y"], pooled_shape=[3, 2], spatial_scale=scale)
            name = f"max_roi_pool_{np.dtype(kind).name}_{'half' if scale != 1 else 'full'}"
            yield by_onnxruntime(name, node, {"X": rough(rng, (2, 3, 10, 8)), "rois": rois}, 11, kind)
    hanging = [([5], [3], [0, 0], 0), ([4], [2], [0, 0], 0), ([4], [2], [0, 0], 1), ([5], [2], [1, 0], 0), ([5], [2], [0, 0], 0), ([5, 2], [3, 1], [0, 0, 0, 0], 0), ([2, 2], [2, 2], [0, 0, 0, 0], 0)]
    for op_type in ("MaxPool", "AveragePool"):
        for number, (kernel, strides, pads, ceil) in enumerate(hanging):
            shape = (1, 2, 1, 3) if kernel == [2, 2] else (2, 2, *[3] * len(kernel))
            node = helper.make_node(op_type, ["X"], ["Y"], kernel_shape=kernel, strides=strides, pads=pads, ceil_mode=ceil)
            yield by_onnxruntime(f"{op_type.lower()}_hanging_over_{number}", node, {"X": rough(rng, shape)}, 11)


def image_case(name, encoded, pixels, pixel_format="RGB"):
    data = np.frombuffer(encoded, np.uint8)
    node = helper.make_node("ImageDecoder", ["x"], ["y"], pixel_format=pixel_format)
    return Case("image_" + name, one_node(node, {"x": data}, {"y": pixels}, 20), {"x": data}, {"y": pixels})


def png_bytes(width, height, depth, colour, rows, extra=b"", interlace=0):
    def chunk(kind, body):
        return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))

    header = struct.pack(">IIBBBBB", width, height, depth, colour, 0, 0, interlace)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + extra + chunk(b"IDAT", zlib.compress(b"".join(b"\0" + row for row in rows))) + chunk(b"IEND", b"")


def palette_chunk(colours):
    body = b"".join(bytes(each) for each in colours)
    return struct.pack(">I", len(body)) + b"PLTE" + body + struct.pack(">I", zlib.crc32(b"PLTE" + body))


def bmp_bytes(pixels, bits, palette=(), indices=None, above=False, masks=()):
    height, width = pixels.shape[:2]
    rows = []
    for row in range(height):
        if bits == 24:
            line = pixels[row, :, ::-1].tobytes()
        elif bits == 32:
            line = b"".join(bytes([p[2], p[1], p[0], 0]) for p in pixels[row])
        elif bits == 16:
            line = b"".join(struct.pack("<H", (int(p[0]) >> 3) << 11 | (int(p[1]) >> 2) << 5 | int(p[2]) >> 3) for p in pixels[row])
        else:
            text = "".join(format(int(i), f"0{bits}b") for i in indices[row])
            line = int(text.ljust((len(text) + 7) // 8 * 8, "0"), 2).to_bytes((len(text) + 7) // 8, "big")
        rows.append(line + b"\0" * (-len(line) % 4))
    body = b"".join(rows if above else rows[::-1])
    table = b"".join(struct.pack("<I", m) for m in masks) + b"".join(bytes([c[2], c[1], c[0], 0]) for c in palette)
    info = struct.pack("<IiiHHIIiiII", 40, width, -height if above else height, 1, bits, 3 if masks else 0, len(body), 0, 0, len(palette), 0)
    return b"BM" + struct.pack("<IHHI", 54 + len(table) + len(body), 0, 0, 54 + len(table)) + info + table + body


def image_cases():
    rng = np.random.default_rng(8)
    pixels = rng.integers(0, 256, (5, 7, 3)).astype(np.uint8)
    gray = pixels[:, :, 0]
    as_gray = np.repeat(gray[:, :, None], 3, 2)
    colours = rng.integers(0, 256, (16, 3)).astype(np.uint8)
    indices = rng.integers(0, 16, (5, 7))
    luma = ((pixels.astype(np.int64) @ np.array([19595, 38470, 7471]) + 0x8000) >> 16).astype(np.uint8)[:, :, None]

    yield image_case("bmp_24", bmp_bytes(pixels, 24), pixels)
    yield image_case("bmp_from_above", bmp_bytes(pixels, 24, above=True), pixels)
    yield image_case("bmp_32", bmp_bytes(pixels, 32), pixels)
    yield image_case("bmp_4_palette", bmp_bytes(pixels, 4, colours, indices), colours[indices])
    yield image_case("bmp_8_palette", bmp_bytes(pixels, 8, colours, indices), colours[indices])
    yield image_case("bmp_1_palette", bmp_bytes(pixels, 1, colours[:2], indices % 2), colours[indices % 2])
    five = np.stack([(pixels[:, :, 0] >> 3) * 255.0 / 31, (pixels[:, :, 1] >> 2) * 255.0 / 63, (pixels[:, :, 2] >> 3) * 255.0 / 31], 2)
    yield image_case("bmp_16_bit_fields", bmp_bytes(pixels, 16, masks=(0xF800, 0x07E0, 0x001F)), np.floor(five + 0.5).astype(np.uint8))
    yield image_case("bmp_bgr", bmp_bytes(pixels, 24), pixels[:, :, ::-1].copy(), "BGR")
    yield image_case("bmp_grayscale", bmp_bytes(pixels, 24), luma, "Grayscale")

    yield image_case("png_rgb", png_bytes(7, 5, 8, 2, [row.tobytes() for row in pixels]), pixels)
    yield image_case("png_gray", png_bytes(7, 5, 8, 0, [row.tobytes() for row in gray]), as_gray)
    yield image_case("png_gray_16", png_bytes(7, 5, 16, 0, [(row.astype(">u2") * 256 + 255).astype(">u2").tobytes() for row in gray]), as_gray)
    alpha = np.concatenate([pixels, rng.integers(0, 256, (5, 7, 1)).astype(np.uint8)], 2)
    yield image_case("png_alpha", png_bytes(7, 5, 8, 6, [row.tobytes() for row in alpha]), pixels)
    yield image_case("png_palette", png_bytes(7, 5, 8, 3, [row.astype(np.uint8).tobytes() for row in indices], palette_chunk(colours)), colours[indices])
    bits = rng.integers(0, 2, (5, 7)).astype(np.uint8)
    yield image_case("png_1_bit", png_bytes(7, 5, 1, 0, [np.packbits(row).tobytes() for row in bits]), np.repeat(bits[:, :, None] * 255, 3, 2).astype(np.uint8))

    yield image_case("pnm_p6", b"P6 7 5 255\n" + pixels.tobytes(), pixels)
    yield image_case("pnm_p5_comment", b"P5\n# made by hand\n7 5\n255\n" + gray.tobytes(), as_gray)
    yield image_case("pnm_p5_16", b"P5 7 5 65535\n" + (gray.astype(">u2") * 257).astype(">u2").tobytes(), as_gray)
    yield image_case("pnm_p4", b"P4 7 5\n" + b"".join(np.packbits(1 - row).tobytes() for row in bits), np.repeat(bits[:, :, None] * 255, 3, 2).astype(np.uint8))
    yield image_case("pnm_p1", b"P1 7 5\n" + "\n".join("".join(str(1 - b) for b in row) for row in bits).encode(), np.repeat(bits[:, :, None] * 255, 3, 2).astype(np.uint8))
    yield image_case("pnm_p2", b"P2 7 5 255\n" + " ".join(str(v) for v in gray.reshape(-1)).encode(), as_gray)
    yield image_case("pnm_p3", b"P3 7 5 15\n" + " ".join(str(v // 17) for v in (pixels // 17 * 17).reshape(-1)).encode(), pixels // 17 * 17)


def cases():
    yield from deform_cases()
    yield from pooling_cases()
    yield from image_cases()
