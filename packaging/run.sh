#!/usr/bin/env bash
# run.sh [OPTIONS] [MODEL...]: sets up, builds and opens the window on a model, by default on a bundled sample.
# Without a display it prints the walk as text and writes an HTML report and a picture into build/out.
set -euo pipefail
caller=$PWD
cd "$(dirname "${BASH_SOURCE[0]}")/.."

if [ $# -eq 0 ]; then
  set -- "$PWD/resources/samples/digits_cnn/model.onnx"
fi

if [ -n "${DISPLAY:-}${WAYLAND_DISPLAY:-}" ]; then
  packaging/build.sh release cutaway
  program=$PWD/build/release/bin/cutaway
  cd "$caller"
  exec "$program" "$@"
fi

packaging/build.sh release cutaway-cli
program=$PWD/build/release/bin/cutaway-cli
out=$PWD/build/out
mkdir -p "$out"
cd "$caller"
echo "No display: the walk as text, then a report and a picture." >&2
"$program" inspect "$@"
"$program" report "$@" -o "$out/report.html"
"$program" render "$@" -o "$out/graph.svg"
printf '\nWritten: %s\n' "$out/report.html" "$out/graph.svg"
