"""No provider's name below app: whoever needs a fact of a provider asks its row (engine/provider/provider_entry.h)."""

import re

from source_files import Finding

# Names that onnxruntime and vendors use are found as well as the folders of providers/.
FOREIGN = {"qnn", "htp", "snpe", "tensorrt", "nvtensorrtrtx", "directml", "dml", "coreml", "migraphx", "rocm", "vitisai",
           "cann", "dnnl", "webgpu", "openvino", "cudnn"}
# path -> words that are no provider there, and what they are.
OTHER_THINGS = {
    "engine/base/cpu_quota.cpp": ({"cpu"}, "a controller of control groups"),
    "engine/tensor/allocator.h": ({"cpu"}, "the host's memory"),
    "engine/stages/partition/stream_file.cpp": ({"cpu"}, "onnxruntime's numbers of kinds of devices"),
    "ui/panels/allocate/allocate.cpp": ({"onnxruntime"}, "whose rules of allocation are meant"),
    "engine/stages/partition/device_words.cpp": ({"cpu", "cuda", "dml"}, "words of onnxruntime's layer assignment keys"),
}
# Its order and its rules of planning are followed by these, whoever runs the nodes.
OTHER_THINGS.update(dict.fromkeys((
    "engine/plan/plan_walk.cpp", "engine/session/configuration/configuration_line.cpp", "engine/stages/schedule/schedule.cpp",
    "engine/study/what_if/compare_plans.cpp", "ui/document/what_if_draft.cpp", "ui/panels/plans/plan_draft_editor.cpp",
    "ui/panels/schedule/order_page.cpp", "ui/shell/tour.cpp", "ui/shell/walk_settings.cpp"),
    ({"onnxruntime"}, "whose order and rules of planning are meant")))
LITERAL = re.compile(r'"((?:[^"\\\n]|\\.)*)"')
COMMENT = re.compile(r"(?<!:)//.*")
INCLUDE = re.compile(r"^\s*#\s*include")
ALONE = re.compile(r"(\w+)(\(.*\)?)?(\{.*)?")  # name, name(argument), name{option=value}
ENDING = "executionprovider"


def named(literal, names):
    """The provider that a literal names alone, as in "cuda", "CUDAExecutionProvider" or "declared(TensorRT)"; "" for
    none. Sentences are not looked into."""
    alone = ALONE.fullmatch(literal.lower())
    if alone is None:
        return ""
    return literal if alone[1] in names or (alone[1].endswith(ENDING) and alone[1] != ENDING) else ""


def check(tree):
    names = FOREIGN | {path.split("/")[1] for path in tree.files if path.startswith("providers/") and path.count("/") > 1}
    found = []
    for path in tree.cpp():
        if not path.startswith(("engine/", "ui/")):
            continue
        other = OTHER_THINGS.get(path, (set(), ""))[0]
        for number, line in enumerate(tree.lines(path), 1):
            if INCLUDE.match(line):
                continue
            for match in LITERAL.finditer(COMMENT.sub("", line)):
                name = named(match[1], names)
                if name and name not in other:
                    found.append(Finding(path, number, f'"{name}" is a provider: ask the provider table'))
    return found
