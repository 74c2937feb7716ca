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
export CCACHE_IGNOREOPTIONS="-Werror -Wno-error=*"  # what they leave compiled is the same

# A release folder that is made here compiles sources in batches (cmake/CutawayBatches.cmake). One that is there keeps its setting.
settings=()
[ "$preset" != release ] || [ -e build/release/CMakeCache.txt ] || settings=(-DCUTAWAY_BATCHES=ON)
[ -z "${CUTAWAY_WITHOUT_CUDA:-}" ] || settings+=(-DCUTAWAY_CUDA=OFF)  # as if the GPU toolkit were not there

# True where a source has changed so that it must leave its batch.
batches_changed() {
  [ -e "build/$preset/batches.txt" ] || return 1
  ! build/env/bin/python -B packaging/cmake/batches.py . "build/$preset/batches.request" 2> /dev/null | cmp -s - "build/$preset/batches.txt"
}

if [ ! "build/$preset/build.ninja" -nt CMakePresets.json ] || batches_changed; then
  cmake --preset "$preset" ${settings[@]+"${settings[@]}"} >&2
fi
cmake --build "build/$preset" ${1:+--target "$@"} >&2
