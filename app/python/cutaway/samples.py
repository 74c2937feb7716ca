"""The models that come with the package."""

import pathlib

_FOLDER = pathlib.Path(__file__).parent / "share" / "cutaway" / "samples"


def sample(name: str = "digits_cnn") -> pathlib.Path:
    """The path of a sample model. KeyError names those there are."""
    path = _FOLDER / name / "model.onnx"
    if not path.exists():
        raise KeyError(f"no sample {name!r}; there are {', '.join(sorted(each.parent.name for each in _FOLDER.glob('*/model.onnx')))}")
    return path
