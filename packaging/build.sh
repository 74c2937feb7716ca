#!/usr/bin/env bash
# build.sh [PRESET [TARGET...]]: sets up, configures and builds; without arguments everything in build/release.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

packaging/setup.sh
preset=${1:-release}
shift || true

export PATH="$PWD/build/env/bin:$PATH"
# The same source compiles to the same object in every build folder and clone.
export CCACHE_NOHASHDIR=1 CCACHE_PCH_EXTSUM=1 CCACHE_BASEDIR="$PWD" CCACHE_SLOPPINESS=time_macros,include_file_mtime,include_file_ctime,pch_defines

if [ ! "build/$preset/build.ninja" -nt CMakePresets.json ]; then
  cmake --preset "$preset" >&2
fi
cmake --build "build/$preset" ${1:+--target "$@"} >&2
