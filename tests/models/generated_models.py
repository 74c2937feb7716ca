#!/usr/bin/env python3
"""Makes small members of every family of make_models.py and compares each with onnxruntime.

Models go to build/test-data/generated, once; the comparison is compare_with_onnxruntime.py's, with its options.
"""

import hashlib
import pathlib
import subprocess
import sys

from cutaway_cli import TEST_DATA

HERE = pathlib.Path(__file__).resolve().parent
FOLDER = TEST_DATA / "generated"
MODELS = {
    "bert": "layers=2 hidden=64 heads=4 ffn=128 vocab=100 max_len=32",
    "bert_fused_norm": "bert layers=1 hidden=32 heads=2 ffn=64 vocab=100 max_len=32 fused_norm=1",
    "gpt2": "layers=2 hidden=64 heads=4 vocab=100 context=32",
    "llama": "layers=2 hidden=64 heads=4 kv_heads=2 ffn=96 vocab=100 context=32",
    "vit": "layers=2 hidden=48 heads=3 image=32 patch=8 classes=10",
    "moe": "layers=1 hidden=32 heads=2 ffn=48 experts=4 top_k=2",
    "resnet50": "image=64 width=8 classes=10",
    "resnet50_folded": "resnet50 image=64 width=8 classes=10 bn=0",
    "mobilenet_v2": "image=64 classes=10",
    "efficientnet_like": "image=64 classes=10",
    "unet": "image=32 base=8 depth=2",
    "qdq_cnn": "image=32 width=8 classes=10",
    "lstm_tagger": "layers=1 hidden=16 embed=16 vocab=100 tags=8",
    "gru_stream": "layers=1 features=8 hidden=16 classes=8",
    "flat": "nodes=500",
    "deep_subgraphs": "depth=20",
    "many_functions": "functions=12",
    "wide": "fan=50",
}


def make(name, settings):
    """The path of the model, made unless it is there."""
    words = settings.split()
    family = name if "=" in words[0] else words.pop(0)
    target = FOLDER / name / f"{family}.onnx"
    key = hashlib.sha256((HERE / "make_models.py").read_bytes() + settings.encode()).hexdigest()
    stamp = target.parent / ".stamp"
    if not (stamp.exists() and stamp.read_text() == key):
        subprocess.run([sys.executable, HERE / "make_models.py", family, *words, "--out", target.parent], check=True,
                       stdout=subprocess.DEVNULL)
        stamp.write_text(key)
    return target


def main():
    paths = [make(name, settings) for name, settings in MODELS.items()]
    return subprocess.run([sys.executable, HERE / "compare_with_onnxruntime.py", *paths, *sys.argv[1:]]).returncode


if __name__ == "__main__":
    sys.exit(main())
