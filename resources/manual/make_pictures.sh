#!/usr/bin/env bash
# make_pictures.sh [MODEL]: makes the manual's pictures: the window at every stage, on a bundled sample unless a model is given.
# Needs a build (packaging/build.sh release); no display.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

model=${1:-resources/samples/digits_cnn/model.onnx}
program=${CUTAWAY_BIN_DIR:-build/release/bin}/cutaway
pictures=resources/manual/pictures
export QT_QPA_PLATFORM=offscreen

# The sample's batch is open; bound, every stage has figures. Partitioning is shown with several providers, contexts with one that
# really compiles, the plans of the other stages with every node its own step.
partition=$(mktemp -d)
trap 'rm -rf "$partition"' EXIT
picture_all() { # THEME FOLDER
  "$program" --tour "$2" --theme "$1" --scale 1 --dim batch=1 "$model"
  "$program" --tour "$partition" --theme "$1" --scale 1 --dim batch=1 --providers "declared(CoreML),onednn,cpu" "$model"
  cp "$partition"/4-*.png "$2"
  "$program" --tour "$partition" --theme "$1" --scale 1 --dim batch=1 --providers onednn,cpu "$model"
  cp "$partition"/9-*.png "$2"
}
picture_all light "$pictures"
picture_all dark "$pictures/dark"
