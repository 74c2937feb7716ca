#!/usr/bin/env python3
"""bill_of_materials.py NAME FOLDER [-o FILE]: what is inside an artefact and under which licences, as SPDX 2.3 in JSON.

FOLDER has the artefact's files. A library that this machine's Debian has under the same name is listed with its package, version and licences; onnx and
OpenVINO, which Debian does not have, as packaging/requirements.txt pins them.
"""

import argparse
import functools
import hashlib
import json
import pathlib
import re
import shutil
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent))
from elf_files import is_elf  # noqa: E402

REPOSITORY = pathlib.Path(__file__).resolve().parents[2]
CUDA_LICENCE = "LicenseRef-NVIDIA-CUDA-EULA"
LICENCE_WORDS = {CUDA_LICENCE: "End user licence agreement of NVIDIA's CUDA toolkit, which lists cudart_static among the parts that applications may carry (attachment A)."}
# Linked into the programs, header-only or as static libraries: no file of theirs can be seen.
INSIDE = ("nlohmann-json3-dev", "libcli11-dev", "libexpected-dev", "libhwy-dev")


def said_by(*words):
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    return done.stdout if done.returncode == 0 else ""


@functools.lru_cache(maxsize=1)
def owners():
    """The package of every file that Debian's packages brought to this machine. One reading of their lists: dpkg reads all of them for each question."""
    lists = pathlib.Path("/var/lib/dpkg/info").glob("*.list")
    return {line: path.stem.partition(":")[0] for path in lists for line in path.read_text(encoding="utf-8").splitlines()}


def debian_package(path):
    """The package that owns a file of this machine; "" for none."""
    return next((owners()[spelling] for spelling in (str(path), str(path).removeprefix("/usr")) if spelling in owners()), "")


def copyright_text(package):
    path = pathlib.Path("/usr/share/doc") / package / "copyright"
    return path.read_text(encoding="utf-8", errors="replace") if path.exists() else ""


def licence_files(libraries):
    """What Debian says of the copyright of each package that the libraries are from, by file name."""
    packages = sorted({package for package in map(debian_package, libraries) if package})
    return {f"{package}.copyright": text for package in packages if (text := copyright_text(package))}


def licences(package):
    """The licences that Debian's machine-readable copyright file names, joined by AND; NOASSERTION where it names none."""
    names = sorted(set(re.findall(r"(?m)^License:[ \t]*(\S.*)$", copyright_text(package))))
    return " AND ".join(f"LicenseRef-{re.sub(r'[^A-Za-z0-9.-]+', '-', name).strip('-')}" for name in names) or "NOASSERTION"


def debian_entry(package):
    version = said_by("dpkg-query", "-W", "-f", "${Version}", package)
    return {"SPDXID": f"SPDXRef-debian-{re.sub(r'[^A-Za-z0-9.-]', '-', package)}", "name": package, "versionInfo": version, "supplier": "Organization: Debian",
            "downloadLocation": "NOASSERTION", "filesAnalyzed": False, "licenseConcluded": "NOASSERTION", "licenseDeclared": licences(package),
            "copyrightText": "NOASSERTION",
            "externalRefs": [{"referenceCategory": "PACKAGE-MANAGER", "referenceType": "purl", "referenceLocator": f"pkg:deb/debian/{package}@{version}"}]}


def pinned(pattern, file):
    """The version that a file of the repository pins; "" for none."""
    found = re.search(pattern, (REPOSITORY / file).read_text(), re.MULTILINE)
    return found[1] if found else ""


def cuda_entries():
    """What the CUDA module is linked with statically: the toolkit's run time, and the headers of cuDNN's front end."""
    nvcc = shutil.which("nvcc") or "/usr/local/cuda/bin/nvcc"
    found = re.search(r"release (\d+\.\d+)", said_by(nvcc, "--version")) if pathlib.Path(nvcc).exists() else None
    runtime = {"SPDXID": "SPDXRef-nvidia-cudart-static", "name": "cudart_static", "versionInfo": found[1] if found else "", "supplier": "Organization: NVIDIA",
               "downloadLocation": "NOASSERTION", "filesAnalyzed": False, "licenseConcluded": "NOASSERTION", "licenseDeclared": CUDA_LICENCE, "copyrightText": "NOASSERTION"}
    return [runtime, python_entry("nvidia-cudnn-frontend", "MIT", pinned(r"^CUDNN_FRONTEND_VERSION=(\S+)", "packaging/setup.sh"))]


def python_entry(name, licence, version=None):
    version = pinned(rf"^{name}==(\S+)", "packaging/requirements.txt") if version is None else version
    return {"SPDXID": f"SPDXRef-pypi-{name}", "name": name, "versionInfo": version, "supplier": "NOASSERTION", "downloadLocation": "NOASSERTION",
            "filesAnalyzed": False, "licenseConcluded": licence, "licenseDeclared": licence, "copyrightText": "NOASSERTION",
            "externalRefs": [{"referenceCategory": "PACKAGE-MANAGER", "referenceType": "purl", "referenceLocator": f"pkg:pypi/{name}@{version}"}]}


def library_paths():
    """Where the loader of this machine has each library, by name."""
    lines = re.findall(r"(?m)^\s*(\S+) \(.*x86-64.*\) => (\S+)$", said_by("/sbin/ldconfig", "-p"))
    return {name: pathlib.Path(path).resolve() for name, path in reversed(lines)}


def bill(name, version, folder, moment):
    files = sorted(path for path in folder.rglob("*") if path.is_file() and not path.is_symlink())
    system = library_paths()
    programs = any(is_elf(path) for path in files)
    packages = sorted({package for path in files if (place := system.get(re.sub(r"-[0-9a-f]{8}(?=[.]so)", "", path.name))) and (package := debian_package(place))} |
                      {package for package in INSIDE if programs and copyright_text(package)})
    entries = [debian_entry(package) for package in packages]
    if programs:
        entries.append(python_entry("onnx", "Apache-2.0"))
    if any(path.name.startswith("libopenvino.so") for path in files):
        entries.append(python_entry("openvino", "Apache-2.0"))
    if any(path.name == "libcutaway_cuda.so" for path in files):
        entries += cuda_entries()
    refs = sorted({ref for entry in entries for ref in re.findall(r"LicenseRef-[A-Za-z0-9.-]+", entry["licenseDeclared"])})
    listed = [{"SPDXID": f"SPDXRef-file-{number}", "fileName": f"./{path.relative_to(folder).as_posix()}", "licenseConcluded": "NOASSERTION",
               "licenseInfoInFiles": ["NOASSERTION"], "copyrightText": "NOASSERTION",
               "checksums": [{"algorithm": kind, "checksumValue": hashlib.new(kind.lower(), path.read_bytes()).hexdigest()} for kind in ("SHA1", "SHA256")]}
              for number, path in enumerate(files)]
    # SPDX 2.3, 7.9: the SHA-1 of all files' SHA-1, sorted.
    verification = hashlib.sha1("".join(sorted(file["checksums"][0]["checksumValue"] for file in listed)).encode()).hexdigest()
    own = {"SPDXID": "SPDXRef-cutaway", "name": name, "versionInfo": version, "supplier": "Organization: The Cutaway authors", "downloadLocation": "NOASSERTION",
           "filesAnalyzed": True, "packageVerificationCode": {"packageVerificationCodeValue": verification}, "licenseInfoFromFiles": ["NOASSERTION"],
           "licenseConcluded": "Apache-2.0", "licenseDeclared": "Apache-2.0", "copyrightText": "2026 The Cutaway authors"}
    relations = [("SPDXRef-DOCUMENT", "DESCRIBES", "SPDXRef-cutaway")] + [("SPDXRef-cutaway", "CONTAINS", entry["SPDXID"]) for entry in entries + listed]
    digest = hashlib.sha256("".join(file["checksums"][1]["checksumValue"] for file in listed).encode()).hexdigest()[:32]
    return {"spdxVersion": "SPDX-2.3", "dataLicense": "CC0-1.0", "SPDXID": "SPDXRef-DOCUMENT", "name": f"{name}-{version}",
            "documentNamespace": f"urn:cutaway:{name}:{version}:{digest}",
            "creationInfo": {"created": moment, "creators": ["Organization: The Cutaway authors"]}, "packages": [own, *entries], "files": listed,
            "hasExtractedLicensingInfos": [{"licenseId": ref, "name": ref.removeprefix("LicenseRef-"), "extractedText": LICENCE_WORDS.get(ref, "As the package's copyright file in Debian says.")}
                                           for ref in refs],
            "relationships": [{"spdxElementId": a, "relationshipType": kind, "relatedSpdxElement": b} for a, kind, b in relations]}


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("name")
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("-o", "--output", type=pathlib.Path)
    options = parser.parse_args()
    version = re.search(r"project\(cutaway VERSION ([0-9.]+)", (REPOSITORY / "CMakeLists.txt").read_text())[1]
    moment = said_by("git", "-C", str(REPOSITORY), "log", "-1", "--date=format-local:%Y-%m-%dT%H:%M:%SZ", "--format=%cd").strip() or "2026-01-01T00:00:00Z"
    text = json.dumps(bill(options.name, version, options.folder.resolve(), moment), indent=1) + "\n"
    options.output.write_text(text, encoding="utf-8") if options.output else sys.stdout.write(text)


if __name__ == "__main__":
    main()
