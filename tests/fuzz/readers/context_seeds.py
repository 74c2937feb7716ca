"""Context binaries as engine/context_binary/binary_format.h describes them: right ones, and one for each thing that may be wrong behind a right checksum."""

import ctypes
import struct

XXHASH = ctypes.CDLL("libxxhash.so.0")
XXHASH.XXH3_64bits.restype = ctypes.c_uint64
XXHASH.XXH3_64bits.argtypes = (ctypes.c_char_p, ctypes.c_size_t)
HEADER, ALIGNMENT = 64, 64
FLOAT, INT4, STRING = 1, 22, 8
RANK_UNKNOWN = 0xFFFFFFFF


def checksum(content):
    return XXHASH.XXH3_64bits(content, len(content))


def text(words):
    content = words if isinstance(words, bytes) else words.encode()
    return struct.pack("<I", len(content)) + content


def port(name, element, dims):
    """dims: None, or numbers, and texts for symbols."""
    made = text(name) + struct.pack("<I", element) + text("IMAGE")
    if dims is None:
        return made + struct.pack("<I", RANK_UNKNOWN)
    made += struct.pack("<I", len(dims))
    for dim in dims:
        made += struct.pack("<q", -1) + text(dim) if isinstance(dim, str) else struct.pack("<q", dim)
    return made


def partition(name, source, sections, inputs=(), outputs=()):
    """sections: names with the number of their chunk."""
    made = b"".join(text(words) for words in (name, source, "2.6.3", "x86-64 avx512_core", "\u00fc"))
    for ports in (inputs, outputs):
        made += struct.pack("<I", len(ports)) + b"".join(ports)
    return made + struct.pack("<I", len(sections)) + b"".join(text(words) + struct.pack("<I", chunk) for words, chunk in sections)


def binary(chunks, partitions, changed=None, **header):
    """changed: other bytes for the directory, from what it would be. header: numbers that say something else."""
    body, table = b"", struct.pack("<I", len(chunks))
    for chunk in chunks:
        body += b"\0" * (-len(body) % ALIGNMENT)
        table += struct.pack("<QQQ", HEADER + len(body), len(chunk), checksum(chunk))
        body += chunk
    body += b"\0" * (-len(body) % ALIGNMENT)
    table += struct.pack("<I", len(partitions)) + b"".join(partitions)
    table = changed(table) if changed else table
    at = HEADER + len(body)
    said = {"version": 1, "flags": 0, "size": at + len(table), "directory": at, "directory_bytes": len(table), "directory_checksum": checksum(table), "zero": 0} | header
    head = b"CUTAWAY\0" + struct.pack("<IIQQQQ", *(said[key] for key in ("version", "flags", "size", "directory", "directory_bytes", "directory_checksum")))
    return head + struct.pack("<QQ", header.get("header_checksum", checksum(head)), said["zero"]) + body + table


def context_binaries():
    chunks = [b"a" * 70, b"", b"{}" * 40]
    ports = [port("x", FLOAT, ["batch", 3, ""]), port("", INT4, None)]
    one = partition("onednn_0", "onednn", [("graph", 0), ("weights", 1)], ports, [port("y", STRING, [])])
    good = [one, partition("onednn_0", "openvino", [("blob", 2)]), partition("onednn_1", "onednn", [("graph", 0)])]
    yield binary(chunks, good)
    yield binary([], [])
    yield binary(chunks, good)[:40]
    yield binary(chunks, good) + b"x"
    yield binary(chunks, good)[:-1]
    for header in ({"version": 2}, {"flags": 1}, {"zero": 1}, {"directory": 63}, {"directory": 65}, {"directory": 1 << 40}, {"directory_bytes": 1}, {"directory_checksum": 1}, {"header_checksum": 1}):
        yield binary(chunks, good, **header)
    for changed in (lambda table: table[:-1], lambda table: table + b"x", lambda table: b"\xff" * 4 + table[4:], lambda table: table[:4] + struct.pack("<Q", 1 << 40) + table[12:], lambda table: table[:4] + struct.pack("<Q", 0) + table[12:],
                      lambda table: table[:4] + struct.pack("<Q", 128) + table[12:], lambda table: table[:12] + struct.pack("<Q", 1) + table[20:], lambda table: table[:20] + b"\0" * 8 + table[28:], lambda table: table[:2]):
        yield binary(chunks, good, changed)
    for odd in (partition("", "onednn", []), partition("n", "", []), partition(b"\xff", "onednn", []), partition("n", "s", [("", 0)]), partition("n", "s", [("a", 9)]), partition("n", "s", [("a", 0), ("a", 1)]),
                partition("n", "s", [], [port("x", 99, None)]), partition("n", "s", [], [port("x", FLOAT, [-2])]), partition("n", "s", [], [text("x") + struct.pack("<I", FLOAT) + text("") + struct.pack("<I", 1 << 20)]),
                struct.pack("<I", 1 << 21), text("n")[:3], one[:60]):
        yield binary(chunks, [odd])
    yield binary(chunks, [one, one])
    yield b"version https://git-lfs.github.com/spec/v1"
    yield b""
