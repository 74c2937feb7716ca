"""What the machine is: device, driver, compiler, Python packages, and what the program itself says of them."""

import importlib.metadata
import json
import platform

from commands import run

QUERY = "name,driver_version,memory.total,clocks.max.sm,clocks.max.mem,pcie.link.gen.max,pcie.link.width.max,power.limit"
PACKAGES = ("torch", "triton", "numpy", "onnx", "nvidia-cublas", "nvidia-cudnn-cu13", "nvidia-cuda-nvrtc", "nvidia-cuda-cupti")


def version_of(package):
    try:
        return importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        return ""


def device_facts(place):
    seen = run(["nvidia-smi", f"--query-gpu={QUERY}", "--format=csv,noheader"], 60)
    devices = [dict(zip(QUERY.split(","), (part.strip() for part in line.split(",")))) for line in seen.stdout.splitlines() if line.strip()] if seen.code == 0 else []
    compiler = run(["nvcc", "--version"], 60)
    providers = run([place.cli, "providers", "--json"], 120, place.environment)
    try:
        listed = json.loads(providers.stdout)["providers"]
    except (ValueError, KeyError):
        listed = []
    cuda = next((entry for entry in listed if entry["name"] == "cuda"), {"usable": False, "reason": providers.stderr.strip()[-400:] or "the program lists no cuda"})
    return {
        "devices": devices,
        "nvidia_smi": "" if devices else (seen.stderr or seen.stdout).strip()[-300:],
        "compiler": compiler.stdout.strip().splitlines()[-2:] if compiler.code == 0 else [],
        "system": platform.platform(),
        "python": platform.python_version(),
        "packages": {package: version_of(package) for package in PACKAGES},
        "cuda_provider": cuda,
    }
