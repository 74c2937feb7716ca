#!/usr/bin/env python3
"""Records the lines of ONNX Runtime's log that providers/onnxruntime/refusals reads, for its tests.

    record.py MODEL OUT.tsv --provider qnn|webgpu [--option KEY=VALUE]... [--dim NAME=SIZE]... [--environment]
              [--node NAME]...

Asks the plug-in in build/env about MODEL without compiling it. A line of OUT.tsv is a line of the log: severity, location,
message with \\n and \\\\ escaped. --node keeps what was said of these nodes alone; --environment makes the environment
VERBOSE as well. The telemetry variable is set before the library is loaded.
"""

import argparse
import importlib
import os
import pathlib
import re
import tempfile

os.environ["ORT_DISABLE_TELEMETRY"] = "1"
import onnxruntime

PROVIDERS = {"qnn": ("onnxruntime_qnn", "QNNExecutionProvider", {"backend_type": "htp", "soc_model": "69"}),
             "webgpu": ("onnxruntime_ep_webgpu", "WebGpuExecutionProvider", {})}
FUNCTIONS = ("LogNodeSupport", "CreateQnnNode", "QnnLogging", "GetCapabilityImpl", "GetCpuPreferredNodes")
HEAD = re.compile(r"^(?:\x1b\[[0-9;]*m)?\d{4}-\d\d-\d\d [\d:.]+ \[([VIWEF]):onnxruntime:[^,]*, ([^\]]*)\] (.*)$")
SEVERITIES = "VIWEF"


def pair(text):
    name, _, value = text.partition("=")
    return name, value


def said(arguments):
    """What the log says, as text: it goes to the error output."""
    module, name, options = PROVIDERS[arguments.provider]
    if arguments.environment:
        onnxruntime.set_default_logger_severity(0)
    onnxruntime.register_execution_provider_library(name, importlib.import_module(module).get_library_path())
    devices = [device for device in onnxruntime.get_ep_devices() if device.ep_name == name]
    settings = onnxruntime.SessionOptions()
    settings.log_severity_level = 0
    settings.add_session_config_entry("session.disable_model_compile", "1")
    for dim, size in arguments.dim:
        settings.add_free_dimension_override_by_name(dim, int(size))
    settings.add_provider_for_devices(devices, {**options, **dict(arguments.option)})
    with tempfile.TemporaryFile() as file:
        kept = os.dup(2)
        os.dup2(file.fileno(), 2)
        try:
            onnxruntime.InferenceSession(str(arguments.model), settings, enable_fallback=False)
        except Exception as end:  # asking alone ends with an error of its own
            reason = str(end)
        else:
            reason = "a session"
        os.dup2(kept, 2)
        os.close(kept)
        file.seek(0)
        return file.read().decode(errors="replace"), reason


def records(text):
    """(severity, location, message) of each line; messages may have several."""
    found = []
    for line in text.splitlines():
        head = HEAD.match(line)
        if head:
            found.append([SEVERITIES.index(head[1]), head[2], head[3]])
        elif found:
            found[-1][2] += "\n" + line
    return [(severity, location, re.sub(r"\x1b\[[0-9;]*m", "", message)) for severity, location, message in found]


def wanted(rows, nodes):
    """Lines that are read; with names, what was said up to the verdict on one of them."""
    kept, block = [], []
    for row in rows:
        function = row[1].split(" ")[-1]
        if function not in FUNCTIONS or (function == "QnnLogging" and " <E> " not in row[2]):
            continue
        if function == "GetCapabilityImpl" and row[2].startswith("GetCapability pass"):
            kept.append(row)
            block = []
        elif function in ("GetCapabilityImpl", "GetCpuPreferredNodes"):
            if not nodes or any(node in row[2] for node in nodes):
                kept.append(row)
        else:
            block.append(row)
            if function == "LogNodeSupport":
                if not nodes or any(f"Node name: {node} " in row[2] for node in nodes):
                    kept += block
                block = []
    return kept


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("model", type=pathlib.Path)
    parser.add_argument("out", type=pathlib.Path)
    parser.add_argument("--provider", choices=PROVIDERS, required=True)
    parser.add_argument("--option", type=pair, action="append", default=[])
    parser.add_argument("--dim", type=pair, action="append", default=[])
    parser.add_argument("--environment", action="store_true")
    parser.add_argument("--node", action="append", default=[])
    arguments = parser.parse_args()
    text, reason = said(arguments)
    lines = []
    for severity, location, message in wanted(records(text), arguments.node):
        escaped = message.rstrip("\n").replace("\\", "\\\\").replace("\n", "\\n").replace("\t", "\\t")
        lines.append(f"{severity}\t{location}\t{escaped}\n")
    arguments.out.write_text("".join(lines))
    print(f"{len(lines)} lines; it ended with: {reason[:120]}")


if __name__ == "__main__":
    main()
