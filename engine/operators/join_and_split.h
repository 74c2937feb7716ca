#pragma once
// Concat, QLinearConcat and Split: parts beside each other along an axis.

#include "engine/base/result.h"
#include "engine/graph/graph.h"
#include "engine/operators/operands.h"

namespace cutaway::operators {

struct JoinedDims {
  size_t axis = 0;
  Dims dims;
};
// Begins with the first part; addPart adds the one at `slot`. INVALID_ARGUMENT where it differs in type or in another
// axis.
Result<JoinedDims> firstPart(const Tensor& first, int64_t axis);
Result<void> addPart(JoinedDims& joined, const Tensor& first, const Tensor& part, size_t slot);

// Which inputs are parts: every step-th, from the first one on.
struct PartSlots {
  size_t first = 0, step = 1;
};
// com.microsoft QLinearConcat: scale and zero point of the result, then part, scale and zero point for each.
inline constexpr PartSlots kLinearParts{.first = 2, .step = 3};
// INVALID_ARGUMENT unless `inputs` are such triples behind the first two.
Result<void> checkLinearConcat(size_t inputs);

// All parts of a call, along `axis`.
template <typename Call>
Result<JoinedDims> joinedDims(const Call& call, int64_t axis, PartSlots parts = {}) {
  CUTAWAY_TRY(const Tensor* first, requireTensor(call, parts.first));
  CUTAWAY_TRY(JoinedDims joined, firstPart(*first, axis));
  for (size_t slot = parts.first + parts.step; slot < call.inputCount(); slot += parts.step) {
    CUTAWAY_TRY(const Tensor* part, requireTensor(call, slot));
    CUTAWAY_CHECK(addPart(joined, *first, *part, slot));
  }
  return joined;
}

struct SplitPieces {
  size_t axis = 0;
  Dims lengths;  // one for each output
};

// Lengths come from an attribute (versions 2, 11), an input (1, 13, 18), the number of outputs, or num_outputs (18).
class SplitSettings {
 public:
  explicit SplitSettings(const Node& node);
  // lengths: the second input in host memory, integers or (version 1) whole numbers of a float type; nullptr: absent.
  // INVALID_ARGUMENT unless there is one for each output and they add up.
  Result<SplitPieces> place(std::span<const int64_t> dims, const Tensor* lengths) const;

 private:
  Result<Dims> lengthsOf(int64_t total, const Tensor* given) const;
  Result<Dims> equalLengths(int64_t total) const;

  int64_t m_axis;
  Dims m_lengths;
  bool m_hasLengths, m_lastMayBeShorter;
  size_t m_outputs;
};

}  // namespace cutaway::operators
