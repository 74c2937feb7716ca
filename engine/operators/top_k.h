#pragma once
// TopK: along which axis, and how many.

#include "engine/base/result.h"
#include "engine/graph/graph.h"
#include "engine/tensor/tensor.h"

namespace cutaway::operators {

struct TopKPlacement {
  size_t axis = 0;
  int64_t k = 0;
  int64_t inner = 1;  // elements from one step on the axis to the next
  Dims dims;          // of both outputs
};

class TopKSettings {
 public:
  explicit TopKSettings(const Node& node)
      : m_axis(node.attributeOr<int64_t>("axis", -1)), m_k(node.attributeOr<int64_t>("k", 0)) {}
  // count: K as an input in host memory (from version 10 on); nullptr takes the attribute. INVALID_ARGUMENT for a K
  // outside [0, length of the axis].
  Result<TopKPlacement> place(std::span<const int64_t> dims, const Tensor* count) const;

 private:
  int64_t m_axis, m_k;
};

}  // namespace cutaway::operators
