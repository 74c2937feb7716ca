#pragma once
// Products with weights of 2, 4 or 8 bits in blocks with a scale and a zero point each: directly for few rows (the
// packed weights are read once, as wide as they lie), or expanded for a product of many rows; the same for tables of 16
// floats (FP4, NF4); and gathering from such weights.
//
// Thread rule: as shared.h. Example: NbitsDot<Half>{p}(block, n); see kernels/matmul/matmul_nbits.cpp.

#include "providers/cuda/functors/bytes_functors.h"

namespace cutaway::cuda {

inline constexpr int kNbitsRows = 8;   // that one block multiplies at once
inline constexpr int kNbitsChunk = 8;  // numbers that one thread unpacks at once: `bits` bytes

struct NbitsParameters {
  const void* a = nullptr;           // [rows, k]
  const uint8_t* weights = nullptr;  // [n, blocks, blockSize * bits / 8], low bits first
  const void* scales = nullptr;      // [n, blocks]
  const void* zeros = nullptr;  // absent: half of the range; bytes: packed as the weights, rows padded to bytes; else
                                // of zeroType [n, blocks]
  const int32_t* groups = nullptr;  // the block of each column; absent: in order
  const void* bias = nullptr;       // n, of A's type
  void* y = nullptr;                // [rows, n]; expanded weights [n, k]
  int64_t rows = 0, n = 0, k = 0, blockSize = 32, blocks = 0;
  int32_t bits = 4;
  ScaleType scaleType = ScaleType::kFloat, zeroType = ScaleType::kFloat;
  bool packedZeros = false;

  CUTAWAY_SHARED float zeroOf(int64_t row, int64_t block) const {
    if (zeros == nullptr) return static_cast<float>(1 << (bits - 1));
    if (!packedZeros) return scaleAt(zeros, zeroType, row * blocks + block);
    const int64_t perByte = 8 / bits, rowBytes = (blocks + perByte - 1) / perByte;
    return static_cast<float>(static_cast<const uint8_t*>(zeros)[row * rowBytes + block / perByte] >>
                                  (block % perByte * bits) &
                              ((1 << bits) - 1));
  }
  // Eight numbers from `first` (a multiple of 8) of a row.
  CUTAWAY_SHARED uint64_t chunk(int64_t row, int64_t first) const {
    const uint8_t* at = weights + row * (blocks * blockSize * bits / 8) + first * bits / 8;
    if (bits == 4) return *reinterpret_cast<const uint32_t*>(at);
    if (bits == 8) return *reinterpret_cast<const uint64_t*>(at);
    return *reinterpret_cast<const uint16_t*>(at);
  }
};

// One block, one column n, up to eight rows of A.
template <typename T>
struct NbitsDot {
  NbitsParameters p;
  template <typename Block>
  CUTAWAY_SHARED void operator()(Block& block, int64_t column) const {
    float sums[kNbitsRows] = {};
    const T* a = static_cast<const T*>(p.a);
    const uint64_t mask = (uint64_t{1} << p.bits) - 1;
    const int64_t chunks = (p.k + kNbitsChunk - 1) / kNbitsChunk;
    for (int64_t c = block.thread(); c < chunks; c += block.threads()) {
      const int64_t first = c * kNbitsChunk, own = first / p.blockSize;
      const uint64_t word = p.chunk(column, first);
      const float scale = scaleAt(p.scales, p.scaleType, column * p.blocks + own), zero = p.zeroOf(column, own);
      for (int i = 0; i < kNbitsChunk; ++i) {
        if (first + i >= p.k) break;
        const float weight = (static_cast<float>(word >> (i * p.bits) & mask) - zero) * scale;
        for (int row = 0; row < kNbitsRows; ++row) {
          if (row < p.rows) sums[row] += weight * static_cast<float>(load(a[row * p.k + first + i]));
        }
      }
    }
    for (int row = 0; row < kNbitsRows; ++row) {
      if (row >= p.rows) break;
      float sum = block.sum(sums[row]);
      if (block.thread() != 0) continue;
      if (p.bias != nullptr) sum += static_cast<float>(load(static_cast<const T*>(p.bias)[column]));
      static_cast<T*>(p.y)[row * p.n + column] = store<T>(sum);
    }
  }
};

// One thread, eight numbers of a row of the weights.
template <typename T>
struct NbitsExpand {
  NbitsParameters p;
  CUTAWAY_SHARED int64_t chunks() const { return (p.k + kNbitsChunk - 1) / kNbitsChunk; }
  CUTAWAY_SHARED void operator()(int64_t index) const {
    const int64_t row = index / chunks(), first = (index - row * chunks()) * kNbitsChunk;
    const uint64_t word = p.chunk(row, first), mask = (uint64_t{1} << p.bits) - 1;
    for (int i = 0; i < kNbitsChunk && first + i < p.k; ++i) {
      int64_t own = (first + i) / p.blockSize;
      if (p.groups != nullptr) {
        own = p.groups[first + i];
        own = own < 0 ? 0 : (own < p.blocks ? own : p.blocks - 1);
      }
      const float weight = (static_cast<float>(word >> (i * p.bits) & mask) - p.zeroOf(row, own)) *
                           scaleAt(p.scales, p.scaleType, row * p.blocks + own);
      static_cast<T*>(p.y)[row * p.k + first + i] = store<T>(weight);
    }
  }
};

// Indices into a table of 16 floats, two a byte with the first in the high half, scaled by the largest magnitude of
// each block of the whole run.
template <typename T>
struct TableExpand {
  const uint8_t* weights = nullptr;
  const void* largest = nullptr;
  void* y = nullptr;
  int64_t count = 0, blockSize = 64;
  ScaleType scaleType = ScaleType::kFloat;
  float table[16] = {};
  CUTAWAY_SHARED void operator()(int64_t i) const {
    const int number = i % 2 == 0 ? weights[i / 2] >> 4 : weights[i / 2] & 15;
    static_cast<T*>(y)[i] = store<T>(table[number] * scaleAt(largest, scaleType, i / blockSize));
  }
};

// y = (data[..., index, ...] - zero) * scale. Indices beyond the axis give 0.
struct GatherBlocks {
  const uint8_t* data = nullptr;
  const void* indices = nullptr;
  const void* scales = nullptr;
  const uint8_t* zeros = nullptr;
  void* y = nullptr;
  int64_t dims[kMaximumRank] = {}, scaleStride[kMaximumRank] = {}, zeroStride[kMaximumRank] = {};  // in numbers
  int64_t rank = 0, quantizeAxis = 0, blockSize = 128, picks = 1, size = 1, inner = 1, count = 0;
  int32_t bits = 4;
  float usual = 0;
  bool isSigned = false, wideIndices = false;
  CUTAWAY_SHARED float number(const uint8_t* from, int64_t at) const {
    const int64_t perByte = 8 / bits;
    const int value = from[at / perByte] >> (at % perByte * bits) & ((1 << bits) - 1);
    return static_cast<float>(isSigned && value >= 1 << (bits - 1) ? value - (1 << bits) : value);
  }
  CUTAWAY_SHARED float value(int64_t i) const {
    const int64_t run = i / inner, pick = run % picks, outer = run / picks;
    int64_t index =
        wideIndices ? static_cast<const int64_t*>(indices)[pick] : int64_t{static_cast<const int32_t*>(indices)[pick]};
    if (index < 0) index += size;
    if (index < 0 || index >= size) return 0;
    const int64_t position = (outer * size + index) * inner + i % inner;
    int64_t rest = position, scale = 0, zero = 0;
    for (int64_t axis = rank - 1; axis >= 0; --axis) {
      const int64_t at = rest % dims[axis] / (axis == quantizeAxis ? blockSize : 1);
      rest /= dims[axis];
      scale += at * scaleStride[axis];
      zero += at * zeroStride[axis];
    }
    return (number(data, position) - (zeros != nullptr ? number(zeros, zero) : usual)) *
           scaleAt(scales, scaleType, scale);
  }
  ScaleType scaleType = ScaleType::kFloat;
  CUTAWAY_SHARED void operator()(int64_t i) const {
    if (scaleType == ScaleType::kHalf)
      static_cast<Half*>(y)[i] = store<Half>(value(i));
    else if (scaleType == ScaleType::kBrain)
      static_cast<Brain*>(y)[i] = store<Brain>(value(i));
    else
      static_cast<float*>(y)[i] = value(i);
  }
};

}  // namespace cutaway::cuda
