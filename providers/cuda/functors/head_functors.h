#pragma once
// What stands around attention: biases of heads, rotary embedding, caches that take new rows.
//
// Thread rule: as shared.h. Example: see kernels/attention/attention_run.cpp.

#include "providers/cuda/functors/executor.h"
#include "providers/cuda/functors/number.h"

namespace cutaway::cuda {

// Rows [batch, head, row, size] with a bias of [heads * size], to a dense [batch, row, head, size].
struct RowBiasParameters {
  const void* x = nullptr;
  const void* bias = nullptr;
  void* y = nullptr;
  int64_t stride[3] = {};  // of x: batch, head, row
  int64_t heads = 1, rows = 1, size = 1, count = 0;
};

template <typename T>
struct RowBias {
  RowBiasParameters p;
  CUTAWAY_SHARED void operator()(int64_t i) const {
    const int64_t channel = i % p.size, head = i / p.size % p.heads, row = i / p.size / p.heads % p.rows,
                  batch = i / p.size / p.heads / p.rows;
    const float x =
        load(static_cast<const T*>(p.x)[batch * p.stride[0] + head * p.stride[1] + row * p.stride[2] + channel]);
    static_cast<T*>(p.y)[i] = store<T>(x + load(static_cast<const T*>(p.bias)[head * p.size + channel]));
  }
};

// Rotary embedding (Su et al., "RoFormer", 2021): channels turn in pairs by the angles of the token's position. One
// index: a pair, or one of the channels behind them, of one head of one token.
struct RotaryParameters {
  const void* x = nullptr;
  void* y = nullptr;
  const void* cosine = nullptr;
  const void* sine = nullptr;
  int64_t strideX[3] = {}, strideY[3] = {};  // batch, head, token
  int64_t heads = 1, tokens = 1, size = 0, half = 0, tableRows = 0;
  const int64_t* positions = nullptr;        // [batch, tokens]; or one: where the first token stands
  const int32_t* lengths = nullptr;          // of each batch: its tokens are the last of so many, less lengthAdd
  int64_t lengthAdd = 0, start = 0;          // without both: the first token stands at `start`
  int32_t onePosition = 0, rowPerToken = 0;  // rowPerToken: tables are [batch, tokens, half]
  int32_t interleaved = 0;
  int64_t count = 0;
};

template <typename T>
struct Rotary {
  RotaryParameters p;
  CUTAWAY_SHARED int64_t rowOf(int64_t batch, int64_t token) const {
    if (p.rowPerToken) return batch * p.tokens + token;
    int64_t position = p.start + token;
    if (p.positions != nullptr)
      position = p.onePosition ? p.positions[0] + token : p.positions[batch * p.tokens + token];
    else if (p.lengths != nullptr)
      position = p.lengths[batch] + p.lengthAdd - p.tokens + token;
    return position < 0 ? 0 : position >= p.tableRows ? p.tableRows - 1 : position;
  }
  CUTAWAY_SHARED void operator()(int64_t index) const {
    const int64_t each = p.size - p.half, i = index % each, head = index / each % p.heads,
                  token = index / each / p.heads % p.tokens, batch = index / each / p.heads / p.tokens;
    const T* x = static_cast<const T*>(p.x) + batch * p.strideX[0] + head * p.strideX[1] + token * p.strideX[2];
    T* y = static_cast<T*>(p.y) + batch * p.strideY[0] + head * p.strideY[1] + token * p.strideY[2];
    if (i >= p.half) {
      y[i + p.half] = x[i + p.half];
      return;
    }
    const int64_t first = p.interleaved ? 2 * i : i, second = p.interleaved ? 2 * i + 1 : i + p.half,
                  at = rowOf(batch, token) * p.half + i;
    const float real = load(x[first]), imaginary = load(x[second]), cosine = load(static_cast<const T*>(p.cosine)[at]),
                sine = load(static_cast<const T*>(p.sine)[at]);
    y[first] = store<T>(real * cosine - imaginary * sine);
    y[second] = store<T>(real * sine + imaginary * cosine);
  }
};

// A cache with new rows: present[b, h, j] = past (j < kept), fresh (the next ones), zeros (the rest). Where present is
// the past's own memory, only new rows are written.
struct HeadCacheParameters {
  const void* past = nullptr;  // nullptr: none
  const void* fresh = nullptr;
  void* present = nullptr;
  int64_t stridePast[3] = {}, strideFresh[3] = {}, stridePresent[3] = {};  // batch, head, row; in units
  int64_t heads = 1, capacity = 0, units = 0;                              // units of a row
  int64_t kept = 0, freshRows = 0;
  int64_t held = 0;                  // rows of the past in all: those behind the new ones stay
  const int32_t* lengths = nullptr;  // kept = lengths[batch] + lengthAdd - freshRows
  int64_t lengthAdd = 0;
  int32_t inPlace = 0;
  int64_t count = 0;  // batch * heads * capacity * units
};

template <typename Unit>
struct CacheFill {
  HeadCacheParameters p;
  CUTAWAY_SHARED void operator()(int64_t i) const {
    const int64_t unit = i % p.units, row = i / p.units % p.capacity, head = i / p.units / p.capacity % p.heads,
                  batch = i / p.units / p.capacity / p.heads;
    int64_t kept = p.lengths == nullptr ? p.kept : p.lengths[batch] + p.lengthAdd - p.freshRows;
    if (kept < 0) kept = 0;
    Unit* to = static_cast<Unit*>(p.present) + batch * p.stridePresent[0] + head * p.stridePresent[1] +
               row * p.stridePresent[2] + unit;
    if (row < kept) {
      if (!p.inPlace)
        *to = static_cast<const Unit*>(
            p.past)[batch * p.stridePast[0] + head * p.stridePast[1] + row * p.stridePast[2] + unit];
    } else if (row < kept + p.freshRows) {
      *to = static_cast<const Unit*>(
          p.fresh)[batch * p.strideFresh[0] + head * p.strideFresh[1] + (row - kept) * p.strideFresh[2] + unit];
    } else if (row < p.held) {
      if (!p.inPlace)
        *to = static_cast<const Unit*>(
            p.past)[batch * p.stridePast[0] + head * p.stridePast[1] + row * p.stridePast[2] + unit];
    } else {
      *to = Unit{};
    }
  }
};

struct alignas(16) WideUnit {
  uint32_t words[4];
};

}  // namespace cutaway::cuda
