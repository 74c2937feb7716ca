#pragma once
// Compress: which slices a condition chooses from.
//
// Source: the ONNX operator specification. Errors are INVALID_ARGUMENT.

#include <optional>

#include "engine/base/result.h"
#include "engine/graph/graph.h"
#include "engine/tensor/tensor.h"

namespace cutaway::operators {

// The data as [outer, length, inner]; the condition chooses along the middle.
struct CompressPlacement {
  size_t axis = 0;
  Dims dims;  // of the data, one axis where the operator flattens it; dims[axis] of the output is what was chosen
  int64_t outer = 1, length = 0, inner = 1;
};

class CompressSettings {
 public:
  explicit CompressSettings(const Node& node);
  // The condition is bools and may be shorter than the axis.
  Result<CompressPlacement> place(const Tensor& data, const Tensor& condition) const;

 private:
  std::optional<int64_t> m_axis;  // nullopt: the data is flattened
};

// Of a condition that is true at `position`, behind the end of the axis.
Error conditionBeyondAxis(const CompressPlacement& placed, int64_t position);

}  // namespace cutaway::operators
