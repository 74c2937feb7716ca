#!/usr/bin/env python3
"""Ctrl-C in the middle of one node that takes long, for kernels of every kind: the program says 130 soon.

    check_long_nodes.py [--only PART] [--providers P] [--after S] [--most-ms MS] [--threads N]

Each model is one node that would compute for seconds to ages, on inputs that the program makes up. `run` is interrupted a while after the node
has begun, on one thread, where nobody else could hear it. No time is judged unless --most-ms is given; the slowest answer is printed. A node that ends before the
signal says so: on a quicker machine it has to grow. Last line: `N passed, N failed, N skipped`.
"""

import argparse
import pathlib
import signal
import subprocess
import sys
import tempfile
import time

import numpy
import onnx
from onnx import TensorProto, helper, numpy_helper

from cutaway_cli import DONE, default_cli

CLI = default_cli()
CANCELLED = 130
FLOAT, DOUBLE, HALF, INT64, BYTE = TensorProto.FLOAT, TensorProto.DOUBLE, TensorProto.FLOAT16, TensorProto.INT64, TensorProto.UINT8
MS = "com.microsoft"


def array(values, kind=numpy.int64):
    return numpy.array(values, kind)


class Long:
    """One node: shapes (with their type, floats by default) of what comes in, arrays are constants, None is left out."""

    def __init__(self, operator, *inputs, outputs=1, domain="", opset=22, element=FLOAT, **attributes):
        self.operator, self.inputs, self.outputs, self.domain, self.opset, self.element, self.attributes = operator, inputs, outputs, domain, opset, element, attributes

    def model(self):
        names, inputs, constants = [], [], []
        for place, given in enumerate(self.inputs):
            name = f"x{place}"
            names.append("" if given is None else name)
            if isinstance(given, numpy.ndarray):
                constants.append(numpy_helper.from_array(given, name))
            elif given is not None:
                shape, kind = given if isinstance(given, tuple) else (given, self.element)
                inputs.append(helper.make_tensor_value_info(name, kind, shape))
        outputs = [f"y{place}" for place in range(self.outputs)]
        node = helper.make_node(self.operator, names, outputs, domain=self.domain, name="long", **self.attributes)
        graph = helper.make_graph([node], "g", inputs, [onnx.ValueInfoProto(name=name) for name in outputs], constants)
        return helper.make_model(graph, opset_imports=[helper.make_opsetid("", self.opset), helper.make_opsetid(MS, 1), helper.make_opsetid("ai.onnx.ml", 3)], ir_version=10)


LINE = 1 << 23
NODES = {
    "MatMul": Long("MatMul", [9000, 9000], [9000, 9000]),
    "MatMul of doubles": Long("MatMul", [6000, 6000], [6000, 6000], element=DOUBLE),
    "MatMul of halves": Long("MatMul", [6000, 6000], [6000, 6000], element=HALF),
    "MatMul of int64": Long("MatMul", [3000, 3000], [3000, 3000], element=INT64),
    "MatMul of one row": Long("MatMul", [1, 30000], [30000, 30000]),
    "MatMul of long rows": Long("MatMul", [8, 40_000_000], [40_000_000, 8]),
    "MatMul in batches": Long("MatMul", [3000, 200, 200], [200, 200]),
    "Gemm": Long("Gemm", [9000, 9000], [9000, 9000], transA=1, transB=1),
    "MatMulInteger": Long("MatMulInteger", ([8000, 8000], BYTE), ([8000, 8000], BYTE)),
    "QLinearMatMul": Long("QLinearMatMul", ([6000, 6000], BYTE), array(0.1, numpy.float32), array(3, numpy.uint8), ([6000, 6000], BYTE), array(0.1, numpy.float32), array(3, numpy.uint8), array(9, numpy.float32), array(3, numpy.uint8)),
    "Einsum": Long("Einsum", [4000, 4000], [4000, 4000], [4000, 4000], equation="ij,jk,kl->il"),
    "Einsum of one number": Long("Einsum", [60_000], [60_000], equation="i,j->"),
    "Conv": Long("Conv", [1, 256, 512, 512], [512, 256, 3, 3]),
    "Conv by a large window": Long("Conv", [1, 1, 3000, 3000], [1, 1, 500, 500]),
    "Conv of groups": Long("Conv", [1, 2048, 256, 256], [2048, 1, 15, 15], group=2048),
    "Conv in one dimension": Long("Conv", [1, 1, 1 << 22], [1, 1, 1 << 14]),
    "Conv in three dimensions": Long("Conv", [1, 64, 64, 64, 64], [64, 64, 5, 5, 5]),
    "Conv of doubles": Long("Conv", [1, 128, 256, 256], [128, 128, 3, 3], element=DOUBLE),
    "Conv of halves": Long("Conv", [1, 256, 256, 256], [512, 256, 3, 3], element=HALF),
    "ConvInteger": Long("ConvInteger", ([1, 256, 256, 256], BYTE), ([256, 256, 3, 3], BYTE)),
    "ConvTranspose": Long("ConvTranspose", [1, 256, 256, 256], [256, 256, 4, 4], strides=[2, 2]),
    "DeformConv": Long("DeformConv", [1, 256, 256, 256], [512, 256, 3, 3], [1, 18, 254, 254]),
    "MaxPool by a large window": Long("MaxPool", [1, 1, 3000, 3000], kernel_shape=[1000, 1000]),
    "AveragePool by a large window": Long("AveragePool", [1, 1, 3000, 3000], kernel_shape=[1000, 1000]),
    "LpPool by a large window": Long("LpPool", [1, 1, 3000, 3000], kernel_shape=[1000, 1000]),
    "MaxPool of one output": Long("MaxPool", [1, 1, 1 << 28], kernel_shape=[1 << 28]),
    "GlobalLpPool": Long("GlobalLpPool", [1, 1, 1 << 28]),
    "LRN": Long("LRN", [1, 3000, 64, 64], size=2999),
    "Det": Long("Det", [3500, 3500]),
    "Inverse": Long("Inverse", [2500, 2500], domain=MS),
    "DFT of one line": Long("DFT", [1, LINE - 1, 1], None, array(1)),
    "DFT of lines": Long("DFT", [64, 1 << 19, 1], None, array(1)),
    "STFT": Long("STFT", [1, 1 << 22, 1], array(64), [1 << 15], opset=17),
    "MelWeightMatrix": Long("MelWeightMatrix", array(3000), array(1 << 17), array(16000), array(20.0, numpy.float32), array(8000.0, numpy.float32), opset=17),
    "CumSum": Long("CumSum", [1 << 28], array(0)),
    "CumProd of doubles": Long("CumSum", [1 << 27], array(0), element=DOUBLE, reverse=1),
    "TopK of one line": Long("TopK", [1 << 27], array([1 << 20]), outputs=2),
    "TopK sorted": Long("TopK", [1 << 25], array([1 << 25]), outputs=2),
    "Unique": Long("Unique", [1 << 25], outputs=4),
    "Unique of rows": Long("Unique", [1 << 20, 16], outputs=4, axis=0),
    "NonMaxSuppression": Long("NonMaxSuppression", [1, 300_000, 4], [1, 1, 300_000], array([300_000]), array([1.0], numpy.float32), array([-10.0], numpy.float32)),
    "RoiAlign of many samples": Long("RoiAlign", [1, 1, 64, 64], [4, 4], array([0, 0, 0, 0]), sampling_ratio=1 << 13, output_height=8, output_width=8),
    "MaxRoiPool": Long("MaxRoiPool", [1, 1, 4000, 4000], numpy.tile(array([[0, 0, 0, 3999, 3999]], numpy.float32), (300, 1)), pooled_shape=[1, 1], opset=20),
    "GridSample": Long("GridSample", [1, 64, 64, 64], [1, 2000, 2000, 2], mode="cubic"),
    "Resize cubic": Long("Resize", [1, 3, 512, 512], None, array([1, 1, 12, 12], numpy.float32), mode="cubic"),
    "Resize down, antialiased": Long("Resize", [1, 1, 12000, 12000], None, None, array([1, 1, 16, 12000]), mode="cubic", antialias=1),
    "LSTM of one long line": Long("LSTM", [3_000_000, 1, 4], [1, 64, 4], [1, 64, 16], hidden_size=16, outputs=3),
    "LSTM of a large state": Long("LSTM", [20, 64, 2048], [1, 8192, 2048], [1, 8192, 2048], hidden_size=2048, outputs=3),
    "GRU of a large state": Long("GRU", [20, 64, 2048], [1, 6144, 2048], [1, 6144, 2048], hidden_size=2048, outputs=2),
    "RNN of a large state": Long("RNN", [40, 64, 3000], [1, 3000, 3000], [1, 3000, 3000], hidden_size=3000, outputs=2),
    "LSTM of doubles": Long("LSTM", [10, 32, 1024], [1, 4096, 1024], [1, 4096, 1024], hidden_size=1024, outputs=3, element=DOUBLE),
    "Attention": Long("Attention", [1, 1, 20000, 64], [1, 1, 20000, 64], [1, 1, 20000, 64], opset=23),
    "Attention of doubles": Long("Attention", [1, 1, 8000, 64], [1, 1, 8000, 64], [1, 1, 8000, 64], opset=23, element=DOUBLE),
    "MultiHeadAttention": Long("MultiHeadAttention", [1, 12000, 256], [1, 12000, 256], [1, 12000, 256], num_heads=4, domain=MS),
    "Softmax of one line": Long("Softmax", [1, 1 << 27]),
    "Softmax of halves": Long("Softmax", [1, 1 << 27], element=HALF),
    "LayerNormalization of one line": Long("LayerNormalization", [1, 1 << 27], [1 << 27]),
    "InstanceNormalization": Long("InstanceNormalization", [1, 1, 1 << 27], [1], [1]),
    "ReduceSum to one number": Long("ReduceSum", [1 << 28], keepdims=0),
    "ReduceLogSumExp to one number": Long("ReduceLogSumExp", [1 << 27], keepdims=0, element=DOUBLE),
    "ReduceProd over the first axis": Long("ReduceProd", [1 << 14, 1 << 14], array([0]), keepdims=0),
    "ArgMax over the first axis": Long("ArgMax", [1 << 14, 1 << 14], axis=0),
    "Erf": Long("Erf", [1 << 28]),
    "Pow": Long("Pow", [1 << 27], [1 << 27]),
    "Pow of doubles": Long("Pow", [1 << 26], [1 << 26], element=DOUBLE),
    "Tan of doubles": Long("Tan", [1 << 26], element=DOUBLE),
    "Transpose": Long("Transpose", [16, 64, 64, 64, 64], perm=[4, 3, 2, 1, 0]),
    "Gather": Long("Gather", [1 << 24, 2], ([1 << 26], INT64)),
    "ScatterElements": Long("ScatterElements", [1 << 26], numpy.zeros(1 << 24, numpy.int64), [1 << 24], reduction="add"),
    "ScatterND": Long("ScatterND", [1 << 26], numpy.zeros((1 << 23, 1), numpy.int64), [1 << 23], reduction="mul"),
    "Tile": Long("Tile", [1 << 10], array([1 << 18])),
    "Pad": Long("Pad", [4, 4, 4, 4], array([0, 0, 0, 0, 60, 120, 120, 250]), mode="wrap"),
    "Compress": Long("Compress", [1 << 28], numpy.ones(1 << 26, bool)),
    "NonZero": Long("NonZero", [1 << 26]),
    "Multinomial": Long("Multinomial", [1, 20_000], sample_size=1 << 25),
    "RandomNormal": Long("RandomNormal", shape=[1 << 28]),
    "Bernoulli": Long("Bernoulli", [1 << 28]),
    "Dropout": Long("Dropout", [1 << 27], array(0.5, numpy.float32), array(True, bool)),
    "Col2Im": Long("Col2Im", [1, 31 * 31, 3000 * 300], array([3030, 330]), array([31, 31])),
    "QuantizeLinear": Long("QuantizeLinear", [1 << 28], array(0.1, numpy.float32), array(3, numpy.uint8)),
    "DynamicQuantizeLinear": Long("DynamicQuantizeLinear", [1 << 28], outputs=3),
    "Cast to text": Long("Cast", [1 << 24], to=TensorProto.STRING),
    "Cast to halves": Long("Cast", [1 << 28], to=HALF),
    "SoftmaxCrossEntropyLoss": Long("SoftmaxCrossEntropyLoss", [1 << 20, 200], numpy.zeros(1 << 20, numpy.int64)),
    "MatMulNBits": Long("MatMulNBits", [512, 8192], numpy.zeros((8192, 256, 16), numpy.uint8), numpy.ones(8192 * 256, numpy.float32), K=8192, N=8192, bits=4, block_size=32, domain=MS),
    "SVMRegressor": Long("SVMRegressor", [200_000, 100], domain="ai.onnx.ml", coefficients=[0.1] * 1000, support_vectors=[0.5] * 100_000, n_supports=1000, rho=[0.1], kernel_type="RBF", kernel_params=[0.1, 0.0, 3.0]),
    "Imputer": Long("Imputer", [1 << 27, 1], domain="ai.onnx.ml", imputed_value_floats=[1.0], replaced_value_float=0.0),
    "Normalizer": Long("Normalizer", [1, 1 << 27], domain="ai.onnx.ml", norm="L2"),
    "TfIdfVectorizer": Long("TfIdfVectorizer", ([1 << 25], INT64), mode="TF", min_gram_length=3, max_gram_length=3, max_skip_count=10, ngram_counts=[0, 0, 0], ngram_indexes=[0], pool_int64s=[1, 2, 3]),
}


def busy_for(process, seconds):
    """Waits until the process has computed for so long after it listens to Ctrl-C; False: it has ended."""
    began = None
    while process.poll() is None:
        try:
            status = pathlib.Path(f"/proc/{process.pid}/status").read_text()
            times = pathlib.Path(f"/proc/{process.pid}/stat").read_text().rsplit(")", 1)[1].split()
        except OSError:
            break
        caught = next((line for line in status.splitlines() if line.startswith("SigCgt")), "SigCgt 0")
        if int(caught.split()[1], 16) >> (signal.SIGINT - 1) & 1:
            spent = sum(map(int, times[11:13])) / 100
            began = spent if began is None else began
            if spent - began >= seconds:
                return True
        time.sleep(0.005)
    return False


def answer(path, options, after):
    """Exit code, and seconds from the signal to the end (None: it had ended before); what it said."""
    command = [str(CLI), "run", str(path), "--providers", options.providers, "--threads", str(options.threads)]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL) as process:
        if not busy_for(process, after):
            return process.wait(), None, process.stderr.read().decode(errors="replace")
        began = time.monotonic()
        process.send_signal(signal.SIGINT)
        code = process.wait()
        return code, time.monotonic() - began, process.stderr.read().decode(errors="replace")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--only", default="")
    parser.add_argument("--providers", default="cpu")
    parser.add_argument("--after", type=float, nargs="+", default=[0.5, 2.0], help="seconds of the processor")
    parser.add_argument("--most-ms", type=float)
    parser.add_argument("--threads", type=int, default=1)
    options = parser.parse_args()
    passed, failed, answers = 0, 0, []
    with tempfile.TemporaryDirectory() as folder:
        for name, long in NODES.items():
            if options.only not in name:
                continue
            path = pathlib.Path(folder, "long.onnx")
            onnx.save(long.model(), path)
            faults, slowest, ended = [], 0.0, 0
            for after in options.after:
                code, seconds, said = answer(path, options, after)
                if seconds is None:
                    ended += 1
                    if code != DONE:
                        faults.append(f"exit code {code} without Ctrl-C: {said.strip()[-300:]}")
                    continue
                slowest = max(slowest, seconds)
                if code not in (CANCELLED, DONE):  # it may end at the same moment
                    faults.append(f"exit code {code}: {said.strip()[-300:]}")
            if options.most_ms and slowest * 1000 > options.most_ms:
                faults.append(f"an answer after {slowest * 1000:.0f} ms")
            answers.append((slowest, name))
            print(f"{name}: {slowest * 1000:.0f} ms{f', ended before {ended} of {len(options.after)}' if ended else ''}{''.join(f'; FAILED: {fault}' for fault in faults)}", flush=True)
            passed, failed = passed + (not faults), failed + bool(faults)
    print("slowest: " + ", ".join(f"{name} {seconds * 1000:.0f} ms" for seconds, name in sorted(answers, reverse=True)[:5]))
    print(f"{passed} passed, {failed} failed, 0 skipped")
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
