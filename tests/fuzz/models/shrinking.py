"""The smallest part of a model that still fails: fewer outputs, fewer nodes, known sizes."""

from graph_maker import Part, read_names


def shrunk(part, message, messages_of):
    """The part and what it says; messages_of: parts -> what each says, None where it passes."""
    single = [Part(part.maker, needed(part.nodes, [name]), [name], part.is_open) for name in part.outputs] if len(part.outputs) > 1 else []
    part, message = first_failing(single, messages_of) or (part, message)
    while smaller := first_failing(list(smaller_parts(part)), messages_of):
        part, message = smaller
    return part, message


def first_failing(parts, messages_of):
    return next(((part, message) for part, message in zip(parts, messages_of(parts)) if message), None) if parts else None


def smaller_parts(part):
    """The halves first, then every node away from either end."""
    half = len(part.nodes) // 2
    for nodes in (part.nodes[half:], part.nodes[:half]) if half else ():
        yield Part(part.maker, nodes, loose_ends(nodes, part.outputs), part.is_open)
    for place in range(len(part.nodes)) if len(part.nodes) > 1 else ():
        nodes = part.nodes[:place] + part.nodes[place + 1:]
        yield Part(part.maker, nodes, loose_ends(nodes, part.outputs), part.is_open)
    if part.is_open:
        yield Part(part.maker, part.nodes, part.outputs)


def loose_ends(nodes, outputs):
    read = {name for node in nodes for name in read_names(node)}
    return [name for node in nodes for name in node.output if name not in read or name in outputs]


def needed(nodes, outputs):
    """The nodes that the outputs come from, in order."""
    wanted, kept = set(outputs), []
    for node in reversed(nodes):
        if wanted & set(node.output):
            kept.insert(0, node)
            wanted |= set(read_names(node))
    return kept
