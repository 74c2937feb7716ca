#!/usr/bin/env bash
# Puts everything a build needs on a bare Debian 12: packages, a Python environment in build/env, onnx for C++ in
# build/deps/onnx, and where the CUDA toolkit is found cuDNN's front-end headers. Works as root or with sudo. Does nothing twice: finding nothing to do takes a fraction of a second.
# setup.sh --providers: vendors' plug-in execution providers for ONNX Runtime as well (README).
# setup.sh --fuzzing: clang, and the sources of onnx and protobuf that target fuzz_readers compiles once more (tests/fuzz).
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

with_providers=
with_fuzzing=
case "${1:-}" in
  "") ;;
  --providers) with_providers=1 ;;
  --fuzzing) with_fuzzing=1 ;;
  *) echo "setup.sh: no option '$1'; there are --providers and --fuzzing" >&2; exit 2 ;;
esac

APT_PACKAGES=(
  g++ ninja-build ccache git ca-certificates pkg-config
  qt6-base-dev qt6-base-dev-tools qt6-qpa-plugins qt6-svg-dev qt6-l10n-tools qt6-translations-l10n
  libprotobuf-dev protobuf-compiler libdnnl-dev graphviz
  libtomlplusplus-dev libsqlite3-dev
  libspdlog-dev nlohmann-json3-dev libcli11-dev libexpected-dev libhwy-dev libxxhash-dev libre2-dev libicu-dev libbenchmark-dev
  zsh fish mandoc desktop-file-utils appstream shared-mime-info libglib2.0-bin  # for tests of what is installed
  slurm-wlm  # for tests of sweeps on a cluster, which start one of their own
  libjpeg62-turbo-dev libpng-dev libtiff-dev libwebp-dev libopenjp2-7-dev zlib1g-dev
  xvfb xauth libxcb-cursor0 libxkbcommon-x11-0 fonts-dejavu-core fonts-wqy-microhei python3 python3-venv
  python3-dev patchelf  # for the Python package
)
ONNX_VERSION=1.23.2
ONNX_SHA256=008cb0467b2bbee41448acc7da8b6f4e704624cb0d327a2d5adafc7ce19bc5b8
ONNX_FLAGS=(
  -DCMAKE_BUILD_TYPE=Release -DCMAKE_POSITION_INDEPENDENT_CODE=ON -DCMAKE_CXX_STANDARD=20 -DBUILD_SHARED_LIBS=OFF
  -DONNX_USE_UNITY_BUILD=ON -DONNX_USE_PROTOBUF_SHARED_LIBS=ON -DONNX_BUILD_PYTHON=OFF -DONNX_BUILD_TESTS=OFF
)

# cuDNN's graphs are built through the headers of its front end, which NVIDIA publishes in a Python wheel only. One wheel for all, whichever Python is here: its headers are the same.
CUDNN_FRONTEND_VERSION=1.32.0
CUDNN_FRONTEND_WHEEL=nvidia_cudnn_frontend-$CUDNN_FRONTEND_VERSION-cp311-cp311-manylinux_2_27_x86_64.manylinux_2_28_x86_64.whl
CUDNN_FRONTEND_SHA256=c6006556017a4d1c914c52a556c71b1267f2d6a0500f742e7b4edef539878df0

say() { printf '[setup] %s\n' "$*" >&2; }

as_root() {
  if [ "$(id -u)" -eq 0 ]; then "$@"; else sudo "$@"; fi
}

install_packages() {
  local package missing=()
  for package in "${APT_PACKAGES[@]}"; do
    dpkg-query -W -f '${db:Status-Status}\n' "$package" 2>/dev/null | grep -qx installed || missing+=("$package")
  done
  [ ${#missing[@]} -eq 0 ] && return
  say "installing ${missing[*]}"
  as_root apt-get update -qq
  as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}" >&2
}

# True when the stamp in file $1 holds $2 already.
is_current() { [ -f "$1" ] && [ "$(cat "$1")" = "$2" ]; }

hash_of() { sha256sum | cut -d' ' -f1; }

make_environment() {
  local key
  key=$(hash_of < packaging/requirements.txt)
  is_current build/env/.stamp "$key" && build/env/bin/python -c '' 2>/dev/null && return
  say "making the Python environment in build/env"
  build/env/bin/python -c '' 2>/dev/null || { rm -rf build/env; /usr/bin/python3 -m venv build/env; }
  build/env/bin/python -m pip install -q --disable-pip-version-check -r packaging/requirements.txt >&2
  printf '%s' "$key" > build/env/.stamp
}

# onnx comes as a source package from the Python package index: into folder $1. Its checksum is what we trust.
unpack_onnx() {
  local archive="$1/onnx-$ONNX_VERSION.tar.gz"
  # pip asks a source package for its metadata before it keeps the file; scikit-build-core in the environment answers.
  PATH="$PWD/build/env/bin:$PATH" build/env/bin/python -m pip download -q --disable-pip-version-check --no-deps \
    --no-binary onnx --no-build-isolation -d "$1" "onnx==$ONNX_VERSION" >&2
  printf '%s  %s\n' "$ONNX_SHA256" "$archive" | sha256sum --check --quiet
  tar -xzf "$archive" -C "$1"
}

# Its messages name its files from its own folder on, so that programs do not differ by the folder that they were built in.
build_onnx() {
  local key work=build/deps/work
  key=$(printf '%s\n' "$ONNX_SHA256" "${ONNX_FLAGS[@]}" | hash_of)
  is_current build/deps/onnx/.stamp "$key" && return
  say "building onnx $ONNX_VERSION for C++ in build/deps/onnx (once, some two minutes)"
  rm -rf "$work" build/deps/onnx
  mkdir -p "$work"
  unpack_onnx "$work"
  build/env/bin/cmake -S "$work/onnx-$ONNX_VERSION" -B "$work/build" -G Ninja "${ONNX_FLAGS[@]}" \
    -DCMAKE_CXX_COMPILER_LAUNCHER=ccache -DPython3_EXECUTABLE="$PWD/build/env/bin/python" \
    -DCMAKE_CXX_FLAGS="-ffile-prefix-map=$PWD/$work/=" -DCMAKE_INSTALL_PREFIX="$PWD/build/deps/onnx" > "$work/configure.log" || { cat "$work/configure.log" >&2; return 1; }
  build/env/bin/cmake --build "$work/build" > "$work/build.log" || { tail -n 50 "$work/build.log" >&2; return 1; }
  build/env/bin/cmake --install "$work/build" > "$work/install.log"
  printf '%s' "$key" > build/deps/onnx/.stamp
  rm -rf "$work"
}

# Wheels that a fresh environment for the Python package's tests is made from, so that the tests themselves fetch nothing.
fetch_test_wheels() {
  local key
  key=$(hash_of < tests/python/requirements.txt)
  is_current build/deps/wheels/.stamp "$key" && return
  say "fetching wheels for the tests of the Python package"
  rm -rf build/deps/wheels
  mkdir -p build/deps/wheels
  build/env/bin/python -m pip download -q --disable-pip-version-check --only-binary=:all: -d build/deps/wheels -r tests/python/requirements.txt >&2
  printf '%s' "$key" > build/deps/wheels/.stamp
}

# True where packaging/cmake/CutawayCuda.cmake will find nvcc and may use it.
has_cuda_toolkit() { [ -z "${CUTAWAY_WITHOUT_CUDA:-}" ] || return 1; command -v nvcc > /dev/null || [ -x "${CUDA_HOME:-/usr/local/cuda}/bin/nvcc" ] || [ -x /usr/local/cuda/bin/nvcc ]; }

# Only where the CUDA module is built. Without them the module is built all the same, and convolutions and attention run as our own kernels.
fetch_cudnn_frontend() {
  local work=build/deps/work target=build/deps/cudnn_frontend
  has_cuda_toolkit || return 0
  is_current "$target/.stamp" "$CUDNN_FRONTEND_SHA256" && return
  say "fetching the headers of cuDNN's front end $CUDNN_FRONTEND_VERSION to $target"
  rm -rf "$work" "$target"
  mkdir -p "$work" "$target"
  if ! build/env/bin/python -m pip download -q --disable-pip-version-check --no-deps --only-binary=:all: --implementation cp --python-version 3.11 --abi cp311 \
      --platform manylinux_2_28_x86_64 -d "$work" "nvidia-cudnn-frontend==$CUDNN_FRONTEND_VERSION" >&2; then
    say "they cannot be fetched: the CUDA module will be built without cuDNN"
    rm -rf "$work" "$target"
    return 0
  fi
  printf '%s  %s\n' "$CUDNN_FRONTEND_SHA256" "$work/$CUDNN_FRONTEND_WHEEL" | sha256sum --check --quiet
  build/env/bin/python - "$work/$CUDNN_FRONTEND_WHEEL" "$target" <<'PYTHON'
import sys, zipfile
with zipfile.ZipFile(sys.argv[1]) as wheel:
    wheel.extractall(sys.argv[2], [name for name in wheel.namelist() if name.startswith("include/") or "/licenses/" in name or name.endswith("/LICENSE.txt")])
PYTHON
  printf '%s' "$CUDNN_FRONTEND_SHA256" > "$target/.stamp"
  rm -rf "$work"
}

# The plug-in libraries are what is used of these wheels, so what their Python modules want besides is left out.
install_providers() {
  local key
  key=$(cat packaging/requirements.txt packaging/requirements-providers.txt | hash_of)
  is_current build/env/.providers_stamp "$key" && return
  say "installing plug-in execution providers in build/env (160 MB to fetch)"
  build/env/bin/python -m pip install -q --disable-pip-version-check --no-deps -r packaging/requirements-providers.txt >&2
  printf '%s' "$key" > build/env/.providers_stamp
}

# A Vulkan driver for WebGPU on machines without a GPU. Debian has it inside its browser's package, of which two files are unpacked and nothing is installed; the browser's version is Debian's choice.
unpack_swiftshader() {
  local work=build/deps/work target=build/deps/swiftshader
  [ ! -f "$target/vk_swiftshader_icd.json" ] || return 0
  say "unpacking SwiftShader's Vulkan driver to $target (30 MB to fetch)"
  rm -rf "$work"
  mkdir -p "$work/files" "$target"
  (cd "$work" && { apt-get download -qq chromium-common 2> /dev/null || { as_root apt-get update -qq && apt-get download -qq chromium-common; }; }) >&2
  dpkg-deb -x "$work"/chromium-common_*.deb "$work/files"
  cp "$work"/files/usr/share/doc/chromium-common/copyright "$work"/files/usr/lib/chromium/libvk_swiftshader.so "$target/"
  cp "$work"/files/usr/lib/chromium/vk_swiftshader_icd.json "$target/"  # last: it is what says that all is there
  rm -rf "$work"
}

# Debian's sources of protobuf, version $2, with Debian's patches, into folder $1. apt checks their signature; where it
# looks for sources and what it knows of them stay in that folder.
fetch_protobuf() {
  local apt=(apt-get -qq -o "Dir::Etc::sourcelist=$PWD/$1/sources.list" -o Dir::Etc::sourceparts=/dev/null
             -o "Dir::State::lists=$PWD/$1/lists" -o "Dir::Cache=$PWD/$1/cache" -o APT::Sandbox::User=)
  mkdir -p "$1/lists/partial" "$1/cache/archives/partial"
  "${apt[@]}" update && (cd "$1" && "${apt[@]}" source "protobuf=$2")
}

# The sources of both as the release build has them: of the protobuf that is installed, so that they fit its headers, and
# of onnx what build_onnx() unpacks, with its messages as C++.
fetch_fuzzed_sources() {
  local key version folder=build/deps/fuzzing
  version=$(dpkg-query -W -f '${source:Version}' libprotobuf-dev)
  key=$(printf '%s\n' "$ONNX_SHA256" "$version" | hash_of)
  is_current "$folder/.stamp" "$key" && return
  say "fetching the sources of onnx $ONNX_VERSION and protobuf $version to $folder"
  rm -rf "$folder"
  mkdir -p "$folder"
  unpack_onnx "$folder"
  mv "$folder/onnx-$ONNX_VERSION" "$folder/onnx"
  mkdir -p "$folder/messages/onnx"
  build/env/bin/python "$folder/onnx/onnx/gen_proto.py" -p onnx -m -o "$folder/messages/onnx" > "$folder/messages/made.log"
  protoc -I "$folder/messages" --cpp_out "$folder/messages" "$folder"/messages/onnx/*.proto
  cat > "$folder/sources.list" <<'LIST'
deb-src http://deb.debian.org/debian bookworm main
deb-src http://deb.debian.org/debian-security bookworm-security main
LIST
  fetch_protobuf "$folder" "$version" > "$folder/protobuf.log" 2>&1 || { cat "$folder/protobuf.log" >&2; return 1; }
  mv "$folder"/protobuf-*/ "$folder/protobuf"
  rm -rf "$folder"/*.tar.* "$folder"/*.dsc "$folder/lists" "$folder/cache"
  printf '%s' "$key" > "$folder/.stamp"
}

mkdir -p build
exec 9> build/.setup.lock
flock 9  # two scripts at once set up one after the other
[ -z "$with_providers" ] || APT_PACKAGES+=(libvulkan1)
[ -z "$with_fuzzing" ] || APT_PACKAGES+=(clang-19 llvm-19 libclang-rt-19-dev dpkg-dev)
install_packages
make_environment
build_onnx
fetch_test_wheels
fetch_cudnn_frontend
[ -z "$with_providers" ] || { install_providers; unpack_swiftshader; }
[ -z "$with_fuzzing" ] || fetch_fuzzed_sources
