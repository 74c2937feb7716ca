#!/usr/bin/env bash
# gpu_bundle.sh [BUILD [OUT]]: everything that tests/gpu/run.sh needs on a GPU machine that has no toolchain of ours and installs nothing, in one folder of at most 45 MB:
# the command line and the module (stripped), the shared libraries they need apart from NVIDIA's and libc's, backend cases, and the scripts. BUILD: a built folder (build/release); OUT: build/gpu_bundle.
# Real-sized models are not in it: make_models.py, which is, writes them there. Then, on that machine: OUT/tests/gpu/run.sh
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

build=${1:-build/release}
out=${2:-build/gpu_bundle}
LIMIT_BYTES=45000000
CASE_KINDS=(node simple pytorch-operator)  # the others carry weights, which do not compress
OWN_EVERY=24  # of our own cases every so many-th: they are few patterns in many types and sizes

say() { printf '[bundle] %s\n' "$*" >&2; }

for needed in "$build/bin/cutaway-cli" "$build/bin/libcutaway_cuda.so"; do
  [ -f "$needed" ] || { say "there is no $needed: build cutaway-cli and cutaway_cuda first (packaging/build.sh release, where the CUDA toolkit is found)"; exit 1; }
done
[ -d build/test-data/backend/node ] || build/env/bin/python tests/conformance/export_cases.py >&2

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$work/bin" "$work/lib" "$work/cases"

# What ldd names, and the loader would look for in vain elsewhere. libc and its parts belong to the machine, and so do the driver and NVIDIA's libraries. libstdc++ and libgcc_s come along only as a last
# resort (lib/last): NVIDIA's libraries and a newer machine's own want the newer ones.
copy_libraries() {
  local path name
  ldd "$1" | awk '$2 == "=>" && $3 ~ /^\// { print $3 }' | while read -r path; do
    name=$(basename "$path")
    case "$name" in
      libc.so.* | libm.so.* | libdl.so.* | libpthread.so.* | librt.so.* | libresolv.so.* | libutil.so.* | ld-linux*) ;;
      libcuda.so.* | libcud* | libcublas* | libnv* | libcupti*) ;;
      libstdc++.so.* | libgcc_s.so.*) mkdir -p "$work/lib/last"; cp -n "$(readlink -f "$path")" "$work/lib/last/$name" ;;
      *) cp -n "$(readlink -f "$path")" "$work/lib/$name" ;;
    esac
  done
}

say "programs and their libraries"
cp "$build/bin/cutaway-cli" "$build/bin/libcutaway_cuda.so" "$work/bin/"
strip "$work/bin/cutaway-cli" "$work/bin/libcutaway_cuda.so"
copy_libraries "$build/bin/cutaway-cli"
copy_libraries "$build/bin/libcutaway_cuda.so"
find "$work/lib" -name '*.so*' -exec strip --strip-unneeded {} + 2> /dev/null || true

say "backend cases"
for kind in "${CASE_KINDS[@]}"; do
  [ ! -d "build/test-data/backend/$kind" ] || cp -r "build/test-data/backend/$kind" "$work/cases/$kind"
done
if [ -d build/test-data/backend/own ]; then
  mkdir -p "$work/cases/own"
  find build/test-data/backend/own -mindepth 1 -maxdepth 1 -type d | sort | awk -v every="$OWN_EVERY" 'NR % every == 1' | xargs -d '\n' cp -r -t "$work/cases/own"
fi

say "compressing"
rm -rf "$out"
mkdir -p "$out/tests/gpu" "$out/tests/models" "$out/tests/conformance"
tar -C "$work" --sort=name --owner=0 --group=0 --mtime=@0 -cf - bin lib cases | xz -T0 "${BUNDLE_XZ:--9e}" > "$out/payload.tar.xz"
cp tests/gpu/*.py tests/gpu/*.sh tests/gpu/*.tsv tests/gpu/README.md "$out/tests/gpu/"
cp tests/models/make_models.py "$out/tests/models/"
cp tests/conformance/cuda_differs.tsv "$out/tests/conformance/" 2> /dev/null || true
cat > "$out/cutaway-cli" <<'LAUNCHER'
#!/bin/sh
# The command line with the libraries it came with. tests/gpu/run.sh unpacks them on its first run.
here=$(cd "$(dirname "$0")" && pwd)
[ -x "$here/payload/bin/cutaway-cli" ] || { echo "unpack first: $here/tests/gpu/run.sh --steps ''" >&2; exit 2; }
LD_LIBRARY_PATH="$here/payload/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}" exec "$here/payload/bin/cutaway-cli" "$@"
LAUNCHER
chmod +x "$out/cutaway-cli"
git rev-parse HEAD > "$out/revision" 2> /dev/null || true

bytes=$(du -sb "$out" | cut -f1)
say "$out: $bytes bytes ($(find "$work/lib" -maxdepth 1 -name '*.so*' | wc -l) libraries, $(find "$work/cases" -name model.onnx | wc -l) cases)"
[ "$bytes" -le "$LIMIT_BYTES" ] || { say "that is more than $LIMIT_BYTES"; exit 1; }
