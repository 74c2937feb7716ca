#pragma once
// Slice in every version, and DynamicSlice: ranges from attributes or inputs, clamped to a tensor.

#include "engine/base/result.h"
#include "engine/graph/graph.h"
#include "engine/operators/operands.h"
#include "engine/operators/strided_move.h"

namespace cutaway::operators {

// Operands that say the ranges, in host memory; nullptr: absent.
struct SliceOperands {
  const Tensor *starts = nullptr, *ends = nullptr, *axes = nullptr, *steps = nullptr;
};
template <typename Call>
SliceOperands sliceOperands(const Call& call) {
  return {optionalTensor(call, 1), optionalTensor(call, 2), optionalTensor(call, 3), optionalTensor(call, 4)};
}

struct SlicedPart {
  StridedMove move;    // its dims are those of the output, which is row-major
  int64_t offset = 0;  // of the part's first element in the input
};

class SliceRanges {
 public:
  explicit SliceRanges(const Node& node);
  // dims: of the row-major input. INVALID_ARGUMENT for lists that differ in length, axes out of range or twice, steps
  // of 0. Starts and ends beyond the input are clamped, as ONNX says.
  Result<SlicedPart> partOf(std::span<const int64_t> dims, const SliceOperands& operands) const;

 private:
  struct Ranges {
    Dims starts, ends, axes, steps;
    bool hasAxes = false, hasSteps = false;
  };
  Result<Ranges> read(const SliceOperands& operands) const;

  Ranges m_attributes;
  bool m_areInputs;  // from version 10 on, and of DynamicSlice
};

}  // namespace cutaway::operators
