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
  // NOT_IMPLEMENTED where one of the two outputs is left out.
  static Result<TopKSettings> read(const Node& node);
  // count: K as an input in host memory (from version 10 on); nullptr takes the attribute. INVALID_ARGUMENT for a K
  // outside [0, length of the axis].
  Result<TopKPlacement> place(std::span<const int64_t> dims, const Tensor* count) const;

  bool largest() const { return m_largest; }

 private:
  int64_t m_axis = -1, m_k = 0;
  bool m_largest = true;
};

}  // namespace cutaway::operators
