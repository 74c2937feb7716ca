#pragma once
// Products of a few rows with a packed matrix: out = start + a B, where start is one row for all (a bias) or out
// itself.
//
// B is packed into panels of two vectors' columns (the last may be one vector wide), each panel depth by depth, so that
// a product reads it once from front to end. This serves the single rows and small batches of recurrent steps, where a
// library's general product spends its time on overhead. Thread rule: pure functions; ranges of panels can be computed
// by several threads at once. Example: multiplyPanels({.rows = 1, .depth = 256, .columns = 1024, .a = h, .strideA =
// 256, .panels = packed, .start = sums, .strideStart = 1024, .out = sums, .strideOut = 1024});

#include <cstdint>

namespace cutaway::cpu {

// Floats in a vector of this processor: columns must be a multiple of it.
int64_t panelLanes();

struct PanelProduct {
  int64_t rows = 0;
  int64_t depth = 0;
  int64_t columns = 0;
  const float* a = nullptr;
  int64_t strideA = 0;
  const float* panels = nullptr;  // depth x columns floats
  const float* start = nullptr;   // may be out
  int64_t strideStart = 0;        // 0: the same row for all
  float* out = nullptr;
  int64_t strideOut = 0;
};
void multiplyPanels(const PanelProduct& product);  // on as many threads as pay

// Packs a matrix given by its columns: column (gate, unit) of B is row gate x units + unit of `rows`: `depth` numbers,
// `stride` from row to row. Each gate gets paddedUnits columns; the padding is zero.
struct PanelSource {
  const float* rows = nullptr;
  int64_t stride = 0;
  int64_t gates = 1;
  int64_t units = 0;
  int64_t paddedUnits = 0;
  int64_t depth = 0;
};
void packPanels(const PanelSource& source, float* panels);

}  // namespace cutaway::cpu
