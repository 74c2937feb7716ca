#!/usr/bin/env python3
"""Writes pictures of the window in at most 256 colours: a third of the bytes, and a window has hardly more.

    shrink_pictures.py FILE.png...

Half of the colours are those that most pixels have; the others are those that lie furthest from all before, more so where many pixels have
them: a mark of a few pixels keeps its colour beside gradients that have a hundred. Every other pixel gets the nearest. A picture that
has a palette already, or would not become smaller, stays as it is.
"""

import pathlib
import struct
import sys
import zlib

import numpy

CHANNELS = {2: 3, 6: 4}  # of PNG's colour types: RGB, RGBA
MOST_COLOURS = 256


def chunks(data):
    at = 8
    while at < len(data):
        size, kind = struct.unpack(">I4s", data[at:at + 8])
        yield kind, data[at + 8:at + 8 + size]
        at += 12 + size


def unfiltered(raw, height, width, channels):
    """Pixels of PNG's rows; each begins with the number of its filter."""
    rows = numpy.frombuffer(raw, numpy.uint8).reshape(height, 1 + width * channels)
    before = numpy.zeros(width * channels, numpy.uint8)
    pixels = numpy.empty((height, width * channels), numpy.uint8)
    for y in range(height):
        kind, row = rows[y, 0], rows[y, 1:]
        if kind == 2:
            row = row + before
        elif kind == 1:
            row = numpy.cumsum(row.reshape(width, channels), axis=0, dtype=numpy.uint8).reshape(-1)
        elif kind in (3, 4):
            done, above = row.tolist(), before.tolist()
            for x in range(len(done)):
                left = done[x - channels] if x >= channels else 0
                if kind == 3:
                    done[x] = done[x] + (left + above[x]) // 2 & 255
                    continue
                corner = above[x - channels] if x >= channels else 0
                guess = left + above[x] - corner
                nearest = min((abs(guess - left), 0, left), (abs(guess - above[x]), 1, above[x]), (abs(guess - corner), 2, corner))
                done[x] = done[x] + nearest[2] & 255
            row = numpy.array(done, numpy.uint8)
        pixels[y] = before = row
    return pixels.reshape(height, width, channels)[:, :, :3]


def chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def palette(colours, numbers, counts):
    """Numbers of the colours that are kept. colours: red, green and blue of each number."""
    order = numpy.lexsort((numbers, -counts))
    chosen = list(order[:MOST_COLOURS // 2])
    distances = numpy.full(len(numbers), numpy.iinfo(numpy.int64).max)
    for place in chosen:
        distances = numpy.minimum(distances, ((colours - colours[place]) ** 2).sum(axis=1))
    while len(chosen) < min(MOST_COLOURS, len(numbers)):
        place = int((distances * numpy.sqrt(counts)).argmax())
        chosen.append(place)
        distances = numpy.minimum(distances, ((colours - colours[place]) ** 2).sum(axis=1))
    return numbers[chosen]


def shrunk(data):
    """The picture with a palette, or None where it has one, or is no plain one."""
    parts = list(chunks(data))
    width, height, depth, colours, _, _, interlaced = struct.unpack(">IIBBBBB", parts[0][1])
    if depth != 8 or colours not in CHANNELS or interlaced:
        return None
    raw = zlib.decompress(b"".join(body for kind, body in parts if kind == b"IDAT"))
    pixels = unfiltered(raw, height, width, CHANNELS[colours]).astype(numpy.int32)
    numbers = pixels[:, :, 0] << 16 | pixels[:, :, 1] << 8 | pixels[:, :, 2]
    found, where, counts = numpy.unique(numbers, return_inverse=True, return_counts=True)
    split = lambda all: numpy.stack([all >> 16, all >> 8 & 255, all & 255], axis=1)
    kept = palette(split(found), found, counts)
    distances = ((split(found)[:, None, :] - split(kept)[None, :, :]) ** 2).sum(axis=2)
    indexes = distances.argmin(axis=1).astype(numpy.uint8)[where.reshape(height, width)]
    lines = numpy.concatenate([numpy.zeros((height, 1), numpy.uint8), indexes], axis=1).tobytes()
    head = struct.pack(">IIBBBBB", width, height, 8, 3, 0, 0, 0)
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"PLTE", split(kept).astype(numpy.uint8).tobytes())
            + chunk(b"IDAT", zlib.compress(lines, 9)) + chunk(b"IEND", b""))


def main():
    for name in sys.argv[1:]:
        path = pathlib.Path(name)
        before = path.read_bytes()
        after = shrunk(before)
        if after and len(after) < len(before):
            path.write_bytes(after)


if __name__ == "__main__":
    main()
