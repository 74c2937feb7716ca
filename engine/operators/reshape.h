#pragma once
// The same elements under other dims: Reshape, Flatten, Squeeze, Unsqueeze.

#include <optional>

#include "engine/base/result.h"
#include "engine/graph/graph.h"
#include "engine/tensor/tensor.h"

namespace cutaway::operators {

// A list of integers that is an attribute in old versions of an operator and its second input in new ones.
class ListOperand {
 public:
  // absent: what an absent attribute means; nullopt: none is named.
  ListOperand(const Node& node, std::string_view attribute, bool isInput, std::optional<Dims> absent = std::nullopt);
  // given: the second input, in host memory, or nullptr. nullopt: the node names no list.
  Result<std::optional<Dims>> read(const Tensor* given) const;

 private:
  std::optional<Dims> m_attribute;
  bool m_isInput;
};
// shape of Reshape; axes of Squeeze, Unsqueeze and ExpandDims.
ListOperand reshapeShape(const Node& node);
ListOperand squeezeAxes(const Node& node);

// Fills in 0 ("as the input", unless zeroIsZero) and -1 ("what is left"). INVALID_ARGUMENT where the elements do not
// fit or no shape is named.
Result<Dims> reshapedDims(std::span<const int64_t> dims, const std::optional<Dims>& shape, bool zeroIsZero);
// Axes before `axis` as one, and the others as one; axis lies in [-rank, rank].
Result<Dims> flattenedDims(std::span<const int64_t> dims, int64_t axis);
// Without axes, all of one element leave.
Result<Dims> squeezedDims(std::span<const int64_t> dims, const std::optional<Dims>& axes);
// Axes count in the output.
Result<Dims> unsqueezedDims(std::span<const int64_t> dims, const std::optional<Dims>& axes);

}  // namespace cutaway::operators
