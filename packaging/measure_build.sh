#!/usr/bin/env bash
# measure_build.sh [--without-cuda] [FOLDER [STEP...]]: how long a newcomer waits. Clones this repository's last commit into FOLDER
# (default: a temporary one) with an empty ccache, and prints a line a step: its name, minutes, and how it ended; then what they add up to.
# Steps, in this order: setup window cli tests ctest kernel panel.
#
# packaging/run.sh takes setup and window; packaging/test.sh takes setup, window, cli, tests and ctest. The last two steps touch one
# kernel and one panel and build again: the command line and the window. Packages that are installed already are not installed
# again, so setup is shorter here than on a bare machine. Steps may be given one call after the other for the same FOLDER.
# MEASURE_TARGETS replaces what "tests" builds. --without-cuda builds as on a machine without the GPU toolkit.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
if [ "${1:-}" = --without-cuda ]; then
  export CUTAWAY_WITHOUT_CUDA=1
  shift
fi
folder=${1:-$(mktemp -d -t cutaway-measure.XXXXXX)}
shift || true
steps=("$@")
[ ${#steps[@]} -gt 0 ] || steps=(setup window cli tests ctest kernel panel)

KERNEL=providers/cpu/kernels/activation/prelu.cpp
PANEL=ui/panels/nodes/nodes.cpp

[ -d "$folder/.git" ] || git clone -q "$here" "$folder"
cd "$folder"
mkdir -p build
export CCACHE_DIR="$PWD/build/ccache"
log="$PWD/build/measure.log"

# A changed comment, so that ccache does not know the file.
touch_source() { printf '// %s\n' "$(date +%s%N)" >> "$1"; }

perform() {
  case "$1" in
    setup) packaging/setup.sh ;;
    window) packaging/build.sh release cutaway ;;
    cli) packaging/build.sh release cutaway-cli ;;
    tests) packaging/build.sh release ${MEASURE_TARGETS:-} ;;
    ctest) build/env/bin/python tests/conformance/export_cases.py && build/env/bin/ctest --test-dir build/release ;;
    kernel) packaging/build.sh release cutaway-cli ;;
    panel) packaging/build.sh release cutaway ;;
    *) echo "no step '$1'"; return 2 ;;
  esac
}

# line NAME NANOSECONDS WORDS
line() { awk -v name="$1" -v ns="$2" -v words="$3" 'BEGIN { printf "%-12s %7.2f min  %s\n", name, ns / 6e10, words }'; }

declare -A took=()
# sum NAME STEP...: a line where all of the steps were done.
sum() {
  local name=$1 total=0 step
  shift
  for step in "$@"; do
    [ -n "${took[$step]:-}" ] || return 0
    total=$((total + took[$step]))
  done
  line "$name" "$total" "$*"
}

printf 'commit %s, %s cores, %s\n' "$(git rev-parse --short HEAD)" "$(nproc)" "$(${CXX:-g++} --version | head -n 1)"
failed=0
for step in "${steps[@]}"; do
  case "$step" in
    kernel) touch_source "$KERNEL" ;;
    panel) touch_source "$PANEL" ;;
  esac
  begin=$(date +%s%N)
  if (perform "$step") >> "$log" 2>&1; then
    took[$step]=$(($(date +%s%N) - begin))
    line "$step" "${took[$step]}" "done"
  else
    line "$step" $(($(date +%s%N) - begin)) "failed, see $log"
    failed=1
  fi
done
sum run.sh setup window
sum test.sh setup window cli tests ctest
exit "$failed"
