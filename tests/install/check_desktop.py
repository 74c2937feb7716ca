#!/usr/bin/env python3
"""check_desktop.py BUILD: what desktops read is valid, agrees with itself, and does what it says: types are known by their bytes, the thumbnailer paints."""

import configparser
import os
import pathlib
import re
import shutil
import struct
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ET

from built_programs import REPOSITORY, Faults

FAULTS = Faults()
DESKTOP = REPOSITORY / "packaging/desktop"
TOOLS = ("desktop-file-validate", "appstreamcli", "update-mime-database", "gio")
MIME = "{http://www.freedesktop.org/standards/shared-mime-info}"
SIZES = (16, 22, 24, 32, 48, 64, 96, 128, 256, 512)


def entries(path, section):
    parser = configparser.ConfigParser(interpolation=None)
    parser.optionxform = str
    parser.read(path, encoding="utf-8")
    return parser[section]


def check_files():
    done = subprocess.run(["desktop-file-validate", DESKTOP / "cutaway.desktop"], capture_output=True, text=True)
    FAULTS.expect(done.returncode == 0 and not done.stdout, f"cutaway.desktop: {done.stdout}")
    metainfo = DESKTOP / "org.cutaway.Cutaway.metainfo.xml"
    done = subprocess.run(["appstreamcli", "validate", "--no-net", metainfo], capture_output=True, text=True)
    FAULTS.expect(done.returncode == 0, f"{metainfo.name}: {done.stdout}")
    opened = set(entries(DESKTOP / "cutaway.desktop", "Desktop Entry")["MimeType"].strip(";").split(";"))
    defined = {each.get("type") for each in ET.parse(DESKTOP / "cutaway-mime.xml").getroot().iter(f"{MIME}mime-type")}
    root = ET.parse(metainfo).getroot()
    FAULTS.expect(opened == defined == {each.text for each in root.iter("mediatype")}, "desktop file, types and metainfo name different types of files")
    number = re.search(r"project\(cutaway VERSION ([0-9.]+)", (REPOSITORY / "CMakeLists.txt").read_text())[1]
    FAULTS.expect(next(root.iter("release")).get("version") == number, f"metainfo's newest release is not {number}")
    return opened


def content_type(file, data_home):
    environment = {**os.environ, "XDG_DATA_HOME": str(data_home), "LANG": "C.UTF-8"}
    done = subprocess.run(["gio", "info", "-a", "standard::content-type", file], capture_output=True, text=True, env=environment)
    found = re.search(r"standard::content-type: (\S+)", done.stdout)
    return found[1] if found else done.stderr


def check_types(scratch):
    packages = scratch / "data/mime/packages"
    packages.mkdir(parents=True)
    shutil.copy(DESKTOP / "cutaway-mime.xml", packages / "cutaway.xml")
    done = subprocess.run(["update-mime-database", packages.parent], capture_output=True, text=True)
    FAULTS.expect(done.returncode == 0, f"update-mime-database: {done.stderr}")
    model = REPOSITORY / "resources/samples/digits_mlp/model.onnx"
    cases = [("model.onnx", model.read_bytes(), "application/x-onnx"),
             ("model without ending", model.read_bytes(), "application/x-onnx"),
             ("by its ending.onnx", b"\x12\x01x\x0a\x00", "application/x-onnx"),
             ("m.ort", b"\x10\0\0\0ORTM\0\0\0\0", "application/x-onnxruntime-model"),
             ("flat buffer", b"\x10\0\0\0ORTM\0\0\0\0", "application/x-onnxruntime-model"),
             ("s.cutaway", b'{"format": "cutaway.session/1"}', "application/x-cutaway-session"),
             ("session", b'{"format": "cutaway.session/1"}', "application/x-cutaway-session"),
             ("plain", b"hello, world\n", "text/plain"),
             ("picture", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "image/png"),
             ("number", b"\x08\x96\x01", "application/octet-stream")]
    for name, content, expected in cases:
        (scratch / name).write_bytes(content)
        known = content_type(scratch / name, scratch / "data")
        FAULTS.expect(known == expected, f"'{name}' is taken for {known}, not {expected}")


def png_size(path):
    head = path.read_bytes()[:24]
    return struct.unpack(">II", head[16:24]) if head[:8] == b"\x89PNG\r\n\x1a\n" else (0, 0)


def check_icons(build, opened):
    names = ["apps/cutaway"] + [f"mimetypes/{each.replace('/', '-')}" for each in sorted(opened)]
    for size in SIZES:
        for name in names:
            path = build / f"icons/hicolor/{size}x{size}/{name}.png"
            FAULTS.expect(path.exists() and png_size(path) == (size, size), f"{path.name} of {size} pixels is missing or of another size")


def check_thumbnailer(build, opened, scratch):
    entry = entries(DESKTOP / "cutaway.thumbnailer", "Thumbnailer Entry")
    FAULTS.expect(set(entry["MimeType"].strip(";").split(";")) <= opened, "the thumbnailer draws types that nobody defines")
    FAULTS.expect(entry["TryExec"] == entry["Exec"].split()[0], "the thumbnailer tries another program than it runs")
    environment = {**os.environ, "PATH": f"{build / 'bin'}:{os.environ['PATH']}"}
    models = sorted((REPOSITORY / "resources/samples").glob("*/model.onnx"))
    for size, model in ((size, model) for size in (128, 256) for model in models):
        picture = scratch / "thumbnail.tmp"
        picture.write_bytes(b"")  # the file manager has made it already
        words = [{"%i": str(model), "%o": str(picture), "%s": str(size)}.get(word, word) for word in entry["Exec"].split()]
        done = subprocess.run(words, capture_output=True, text=True, env=environment)
        FAULTS.expect(done.returncode == 0, f"thumbnail of {model}: {done.stderr}")
        width, height = png_size(picture)
        FAULTS.expect(0 < width <= size and 0 < height <= size and size - 1 <= max(width, height), f"thumbnail of {model} has {width} x {height} pixels")
    (scratch / "no_model.onnx").write_bytes(b"no model at all")
    words = [{"%i": str(scratch / "no_model.onnx"), "%o": str(scratch / "none"), "%s": "128"}.get(word, word) for word in entry["Exec"].split()]
    done = subprocess.run(words, capture_output=True, text=True, env=environment)
    FAULTS.expect(done.returncode == 3 and not (scratch / "none").exists(), f"a file that is no model: exit code {done.returncode}")


def main():
    build = pathlib.Path(sys.argv[1]).resolve()
    missing = [tool for tool in TOOLS if shutil.which(tool) is None]
    if missing:
        print(f"{', '.join(missing)} not installed: run packaging/setup.sh")
        sys.exit(1)
    opened = check_files()
    with tempfile.TemporaryDirectory() as folder:
        scratch = pathlib.Path(folder)
        check_types(scratch)
        if (build / "bin/cutaway").exists():
            check_icons(build, opened)
            check_thumbnailer(build, opened, scratch)
    FAULTS.end()


if __name__ == "__main__":
    main()
