"""What onnxruntime's own format can hold and no operator of onnxruntime's has: attributes that are lists of tensors and of graphs."""

import struct

import flatbuffers

# Numbers of fields and of kinds: engine/stages/load/ort_format/ort_fields.h.
FLOAT, TENSORS, GRAPHS = 1, 9, 10


class Raw(bytes):
    """Kept as bytes."""


class Number(bytes):
    """Kept in the table itself."""


def number(form, value):
    return Number(struct.pack(form, value))


def put(builder, value):
    """The offset of a table (a dict of fields), a list, a text or bytes."""
    if isinstance(value, Raw):
        return builder.CreateByteVector(value)
    if isinstance(value, str):
        return builder.CreateString(value)
    if isinstance(value, list) and value and isinstance(value[0], Number):
        builder.StartVector(len(value[0]), len(value), len(value[0]))
        for each in reversed(value):
            builder.PrependInt64(struct.unpack("<q", each)[0])
        return builder.EndVector()
    if isinstance(value, list):
        offsets = [put(builder, each) for each in value]
        builder.StartVector(4, len(offsets), 4)
        for each in reversed(offsets):
            builder.PrependUOffsetTRelative(each)
        return builder.EndVector()
    fields = {slot: each if isinstance(each, Number) else put(builder, each) for slot, each in value.items()}
    builder.StartObject(max(fields, default=-1) + 1)
    for slot, each in fields.items():
        if not isinstance(each, Number):
            builder.PrependUOffsetTRelativeSlot(slot, each, 0)
        elif len(each) == 8:
            builder.PrependInt64Slot(slot, struct.unpack("<q", each)[0], 0)
        else:
            builder.PrependInt32Slot(slot, struct.unpack("<i", each)[0], 0)
    return builder.EndObject()


def ort_lists():
    tensor = {0: "t", 2: [number("<q", 2)], 3: number("<i", FLOAT), 4: Raw(struct.pack("<2f", 1, 2))}
    body = {2: [{0: "inner", 5: "Constant", 9: ["c"], 10: [{0: "value_int", 2: number("<i", 2), 4: number("<q", 1)}]}], 6: ["c"]}
    attributes = [{0: "tensors", 2: number("<i", TENSORS), 11: [tensor, tensor]}, {0: "graphs", 2: number("<i", GRAPHS), 12: [body, body]},
                  {0: "no_tensors", 2: number("<i", TENSORS)}, {0: "no_graphs", 2: number("<i", GRAPHS)}]
    nodes = [{0: "odd", 2: "own", 5: "Odd", 8: ["x"], 9: ["y"], 10: attributes}]
    model = {0: number("<q", 8), 1: [{0: "", 1: number("<q", 17)}, {0: "own", 1: number("<q", 1)}], 7: {2: nodes, 5: ["x"], 6: ["y"]}}
    builder = flatbuffers.Builder(1024)
    builder.Finish(put(builder, {0: "6", 1: model}), file_identifier=b"ORTM")
    return bytes(builder.Output())
