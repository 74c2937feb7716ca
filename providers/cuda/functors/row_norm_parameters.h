#pragma once
// What normalisations of rows are given: operands and their types, and which path walks the rows.

#include <cmath>

#include "providers/cuda/functors/pack.h"

namespace cutaway::cuda {

enum class FloatKind : int32_t { kFloat, kHalf, kBrain, kDouble };

template <typename C>
CUTAWAY_SHARED void storeAs(void* to, int64_t at, FloatKind kind, C value) {
  switch (kind) {
    case FloatKind::kFloat:
      static_cast<float*>(to)[at] = static_cast<float>(value);
      break;
    case FloatKind::kHalf:
      static_cast<Half*>(to)[at] = store<Half>(static_cast<float>(value));
      break;
    case FloatKind::kBrain:
      static_cast<Brain*>(to)[at] = store<Brain>(static_cast<float>(value));
      break;
    case FloatKind::kDouble:
      static_cast<double*>(to)[at] = static_cast<double>(value);
      break;
  }
}

enum class RowNormPath : int32_t { kWarps, kBlocks, kLongRows };

// x, skip, bias, sum are of one type; scale, shift, y of another or the same.
struct RowNormParameters {
  const void* x = nullptr;
  const void* skip = nullptr;   // skipRows rows, repeated; nullptr: none
  const void* bias = nullptr;   // one row; nullptr: none
  const void* scale = nullptr;  // one row, or as `broadcast` says; nullptr: 1
  const void* shift = nullptr;  // nullptr: 0
  void* y = nullptr;
  void* sum = nullptr;  // x + skip + bias; nullptr: not wanted
  void* mean = nullptr;
  void* inverse = nullptr;
  int64_t rows = 0, count = 0, skipRows = 1;
  IndexMap<2> broadcast;  // flat index -> element of scale and shift
  FloatKind meanKind = FloatKind::kFloat, inverseKind = FloatKind::kFloat;
  RowNormPath path = RowNormPath::kBlocks;
  int32_t threads = 256;
  float epsilon = 0;
  bool centered = true, mapped = false, packed = false;
};

}  // namespace cutaway::cuda
