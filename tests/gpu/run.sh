#!/usr/bin/env bash
# run.sh [OPTIONS]: everything that wants a GPU, from a bundle (packaging/gpu_bundle.sh) or from a build: conformance, models against cpu, compute-sanitizer, and a benchmark against PyTorch.
# Writes one JSON (default: results.json beside this folder) with the device, the driver, every command and its result, and says last what could not be done. Options are suite.py's (--help).
set -euo pipefail
here="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"
bundle="$(cd "$here/../.." && pwd)"

python=${PYTHON:-python3}
command -v "$python" > /dev/null || { echo "run.sh: python3 is not there; name one in PYTHON" >&2; exit 2; }

# A bundle keeps what it carries in one compressed archive, unpacked once.
if [ -f "$bundle/payload.tar.xz" ] && [ ! -f "$bundle/payload/.unpacked" ]; then
  echo "[gpu] unpacking" >&2
  rm -rf "$bundle/payload"
  "$python" -c 'import sys, tarfile; tarfile.open(sys.argv[1]).extractall(sys.argv[2])' "$bundle/payload.tar.xz" "$bundle/payload"
  touch "$bundle/payload/.unpacked"
fi
exec "$python" -B "$here/suite.py" --root "$bundle" "$@"
