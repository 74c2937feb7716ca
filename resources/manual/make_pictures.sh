#!/usr/bin/env bash
# make_pictures.sh [MODEL]: makes the manual's pictures: the window at every stage and with every tool, on a bundled sample unless a model is given.
# make_pictures.sh --all DIR: every panel and tool, light and dark, at 100 % and 200 %, on seven different models: for looking at, not for the repository.
# Needs a build (packaging/build.sh release); no display. CUTAWAY_BIN_DIR names another folder of programs.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

program=${CUTAWAY_BIN_DIR:-build/release/bin}/cutaway
export QT_QPA_PLATFORM=offscreen

all_models() { # FOLDER
  local models=$1/models make="build/env/bin/python tests/models/make_models.py"
  mkdir -p "$models"
  $make bert layers=2 hidden=128 heads=4 ffn=512 vocab=1000 --out "$models" >/dev/null
  $make gpt2 layers=2 hidden=128 heads=4 vocab=1000 --out "$models" >/dev/null
  $make vit layers=2 hidden=96 heads=3 image=64 --out "$models" >/dev/null
  $make qdq_cnn image=32 width=16 classes=10 --out "$models" >/dev/null
  $make flat nodes=10000 --out "$models" >/dev/null
  for theme in light dark; do
    for scale in 1 2; do
      for model in resources/samples/digits_cnn/model.onnx resources/samples/digits_early_exit/model.onnx "$models"/*.onnx; do
        local name
        name=$(basename "$model" .onnx)
        [ "$name" != model ] || name=$(basename "$(dirname "$model")")
        "$program" --tour "$1/$name-$theme-$scale" --theme "$theme" --scale "$scale" --dim batch=1 --providers "declared(CoreML),onednn,cpu" "$model"
      done
    done
  done
}

if [ "${1:-}" = --all ]; then
  all_models "${2:?--all needs a folder}"
  exit
fi

model=${1:-resources/samples/digits_cnn/model.onnx}
pictures=resources/manual/pictures
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
  # Without a memory pattern: the arena in place of a peak.
  "$program" --tour "$partition" --theme "$1" --scale 1 --dim batch=1 --set session.enable_mem_pattern=0 "$model"
  cp "$partition"/7-pattern.png "$2/7-arena.png"
  # With the batch open, costs are formulas. The page shows where the model lies, which must not be this folder.
  cp "$model" "$partition/digits.onnx"
  "$program" --tour "$partition" --theme "$1" --scale 1 "$partition/digits.onnx"
  cp "$partition"/tool-model.png "$2/tool-formulas.png"
}
# A sweep over the samples, for the manual's page of sweeps.
sweep_plan() { # FOLDER
  cp -r resources/samples "$1/samples"
  cat > "$1/nightly.toml" <<'PLAN'
[[models]]
files = ["samples/*/*.onnx"]
dims = { batch = 1 }
[[configurations]]
name = "cpu"
opt_level = [0, 3]
[[configurations]]
name = "onednn"
providers = ["onednn", "cpu"]
[[configurations]]
name = "NPU, declared"
providers = ["declared(QNN-HTP)", "cpu"]
[[configurations]]
name = "Apple, declared"
providers = ["declared(CoreML)", "cpu"]
[[measures]]
kind = "inspect"
[[measures]]
kind = "bench"
seconds = 0.1
repeats = 3
[[exclude]]
configuration = "*declared"
measure = "bench"
PLAN
  "$(dirname "$program")/cutaway-cli" sweep run "$1/nightly.toml" > /dev/null
}
sweep=$(mktemp -d)
trap 'rm -rf "$partition" "$sweep"' EXIT
sweep_plan "$sweep"
picture_all light "$pictures"
picture_all dark "$pictures/dark"
"$program" --tour "$pictures" --theme light "$sweep/nightly.toml"
"$program" --tour "$pictures/dark" --theme dark "$sweep/nightly.toml"
rm -f "$pictures"/sweep-{memory,providers}.png "$pictures"/dark/sweep-{memory,providers}.png
rm -f "$pictures"/dark/tool-opinion*.png  # its page shows one theme
# Tools that no page shows.
for tool in accuracy adviser cure problems rules model shapes sharing support tensor opinion-3; do rm -f "$pictures/tool-$tool.png" "$pictures/dark/tool-$tool.png"; done
# Tables that no page shows: of Allocation all but Steps, of the measured memory all but the run's allocations.
for folder in "$pictures" "$pictures/dark"; do rm -f "$folder"/6-allocate-[12346].png "$folder"/8-memory-[123457].png; done
build/env/bin/python resources/manual/shrink_pictures.py "$pictures"/[0-9st]*.png "$pictures"/dark/*.png
