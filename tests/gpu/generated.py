"""Models that the scripts make on the machine they run on: small ones for correctness, real sizes for figures; each also with 16-bit floats. Needs the Python packages onnx and numpy."""

import pathlib
import sys

from commands import run

# name, settings of make_models.py, symbolic dimensions
SMALL = (
    ("bert", ("layers=2", "hidden=128", "heads=4", "ffn=256", "vocab=1000"), {"batch": 2, "sequence": 24}),
    ("gpt2", ("layers=2", "hidden=128", "heads=4", "vocab=1000"), {"batch": 2, "sequence": 3, "past_sequence": 13, "total_sequence": 16}),
    ("llama", ("layers=2", "hidden=128", "heads=4", "kv_heads=2", "ffn=256", "vocab=1000"), {"batch": 2, "sequence": 3, "past_sequence": 13, "total_sequence": 16}),
    ("vit", ("layers=2", "hidden=96", "heads=3", "image=64"), {"batch": 2}),
    ("resnet50", ("image=64", "width=16", "classes=100"), {"batch": 2}),
    ("mobilenet_v2", ("image=64",), {"batch": 2}),
    ("efficientnet_like", ("image=64",), {"batch": 2}),
    ("unet", ("image=64", "base=8"), {"batch": 2}),
    ("qdq_cnn", ("image=64", "width=16"), {"batch": 2}),
    ("lstm_tagger", ("hidden=64", "embed=32", "vocab=1000"), {"batch": 2, "sequence": 12}),
    ("gru_stream", ("hidden=64",), {"batch": 2, "sequence": 12, "frames": 12, "time": 12}),
    ("moe", (), {"batch": 2, "sequence": 12}),
)


def make_model(place, name, settings=(), half=False):
    """The model's file, made when it is not there yet; raises RuntimeError with what the generator said."""
    folder = place.work / "models" / "-".join([name, *(setting.replace("=", "") for setting in settings)])
    path = folder / f"{name}.onnx"
    if not path.exists():
        folder.mkdir(parents=True, exist_ok=True)
        done = run([sys.executable, "-B", place.make_models, name, *settings, "--out", folder], 600)
        if done.code != 0 or not path.exists():
            raise RuntimeError(f"make_models.py {name}: {(done.stderr or done.stdout).strip()[-300:]}")
    if not half:
        return path
    halved = folder / f"{name}-half.onnx"
    if not halved.exists():
        done = run([sys.executable, "-B", pathlib.Path(__file__).with_name("halve.py"), path, halved], 600)
        if done.code != 0:
            raise RuntimeError(f"halve.py {name}: {done.stderr.strip()[-300:]}")
    return halved


def dimension_options(dims):
    return [part for name, value in dims.items() for part in ("--dim", f"{name}={value}")]
