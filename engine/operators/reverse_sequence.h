#pragma once
// ReverseSequence: which axis counts batch entries, and which one is turned.

#include "engine/base/result.h"
#include "engine/graph/graph.h"
#include "engine/tensor/tensor.h"

namespace cutaway::operators {

struct ReversedAxes {
  size_t batch = 0, time = 0;
};

class ReverseSettings {
 public:
  explicit ReverseSettings(const Node& node)
      : m_batchAxis(node.attributeOr<int64_t>("batch_axis", 1)),
        m_timeAxis(node.attributeOr<int64_t>("time_axis", 0)) {}
  // INVALID_ARGUMENT where the axes are one, or there is not one int64 length for each batch entry.
  Result<ReversedAxes> place(const Tensor& data, const Tensor& lengths) const;

 private:
  int64_t m_batchAxis, m_timeAxis;
};

}  // namespace cutaway::operators
