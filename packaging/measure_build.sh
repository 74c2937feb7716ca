#!/usr/bin/env bash
# measure_build.sh [FOLDER [STEP...]]: how long a newcomer waits. Clones this repository into FOLDER (default: a temporary one) with an
# empty ccache, and prints a line a step: its name, minutes, and how it ended. Steps, in this order: setup cli window tests ctest kernel panel.
#
# The last two touch one kernel and one panel and build again: the command line and the window. Packages that are installed
# already are not installed again, so setup is shorter here than on a bare machine. MEASURE_TARGETS replaces what "tests" builds.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
folder=${1:-$(mktemp -d -t cutaway-measure.XXXXXX)}
shift || true
steps=("$@")
[ ${#steps[@]} -gt 0 ] || steps=(setup cli window tests ctest kernel panel)

KERNEL=providers/cpu/kernels/activation/prelu.cpp
PANEL=ui/panels/nodes/nodes.cpp

[ -d "$folder/.git" ] || git clone -q "$here" "$folder"
cd "$folder"
mkdir -p "$folder/build"
export CCACHE_DIR="$folder/build/ccache"
log="$folder/build/measure.log"

# A changed comment, so that ccache does not know the file.
touch_source() { printf '// %s\n' "$(date +%s%N)" >> "$1"; }

perform() {
  case "$1" in
    setup) packaging/setup.sh ;;
    cli) packaging/build.sh release cutaway-cli ;;
    window) packaging/build.sh release cutaway ;;
    tests) packaging/build.sh release ${MEASURE_TARGETS:-} ;;
    ctest) build/env/bin/python tests/conformance/export_cases.py && build/env/bin/ctest --test-dir build/release ;;
    kernel) packaging/build.sh release cutaway-cli ;;
    panel) packaging/build.sh release cutaway ;;
    *) echo "no step '$1'" >&2; return 2 ;;
  esac
}

printf 'commit %s, %s cores, %s\n' "$(git rev-parse --short HEAD)" "$(nproc)" "$(${CXX:-g++} --version | head -n 1)"
for step in "${steps[@]}"; do
  case "$step" in
    kernel) touch_source "$KERNEL" ;;
    panel) touch_source "$PANEL" ;;
  esac
  begin=$(date +%s%N)
  outcome=done
  (perform "$step") >> "$log" 2>&1 || outcome="failed, see $log"
  awk -v step="$step" -v ns=$(($(date +%s%N) - begin)) -v outcome="$outcome" 'BEGIN { printf "%-8s %7.2f min  %s\n", step, ns / 6e10, outcome }'
done
