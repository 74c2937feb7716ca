#pragma once
// com.microsoft EmbedLayerNormalization and QEmbedLayerNormalization: ids choose rows of a word, a position and a
// segment table, which are added and normalised.
//
// Source: ONNX Runtime, docs/ContribOperators.md. Errors are INVALID_ARGUMENT with the name of the operand and the
// sizes.

#include <array>

#include "engine/base/result.h"
#include "engine/tensor/tensor.h"

namespace cutaway::operators {

enum EmbedTable : size_t { kWordTable, kPositionTable, kSegmentTable, kEmbedTables };

// nullptr: absent.
struct EmbedOperands {
  const Tensor* words = nullptr;                     // ids [batch, length]
  const Tensor* segments = nullptr;                  // the same; there is a segment table exactly when they are given
  const Tensor* positions = nullptr;                 // the same, or [1, length] for all; absent: 0, 1, ...
  std::array<const Tensor*, kEmbedTables> tables{};  // [rows, width]
  const Tensor *gamma = nullptr, *beta = nullptr;    // [width]
};

struct EmbedSizes {
  int64_t batch = 0, length = 0, width = 0;
  std::array<int64_t, kEmbedTables> rows{};  // ids of a table are below this; 0: the table is absent
  int64_t positionIds = 0;                   // how many there are before they repeat; 0: none are given

  Dims outputDims() const { return {batch, length, width}; }
};
Result<EmbedSizes> embedSizes(const EmbedOperands& operands);

// The mask whose ones the second output counts: int32 [batch, length].
Result<void> checkEmbedMask(const EmbedSizes& sizes, const Tensor& mask);

}  // namespace cutaway::operators
