"""What an inference engine does to an ONNX model, stage by stage.

    import cutaway

    report = cutaway.inspect("model.onnx", providers=["openvino", "cpu"])
    report                                   # in a notebook: the interactive report
    pandas.DataFrame(report.table("partition.nodes"))

    outputs = cutaway.run("model.onnx", {"image": pixels})      # numpy arrays, not copied
    cutaway.profile("model.onnx", runs=20).table("run.nodes")

Every function takes a model as a path, as bytes, or as anything with ``SerializeToString`` (an ``onnx.ModelProto``), and
the members of :class:`Configuration` as keywords. Errors of the engine are :class:`Error`.
"""

from ._engine import Error
from .configuration import Configuration
from .reports import Report, providers
from .samples import sample
from .session import Session, Value
from .walks import compare, export_context, inspect, partition, plan, profile, run

from ._engine import version as _version

__version__ = _version()
__all__ = ["Configuration", "Error", "Report", "Session", "Value", "compare", "export_context", "inspect", "partition", "plan", "profile",
           "providers", "run"]
