#include "engine/operators/top_k.h"

#include "engine/operators/dims.h"

namespace cutaway::operators {

Result<TopKSettings> TopKSettings::read(const Node& node) {
  if (node.outputs.size() < 2 || !node.outputs[0].valid() || !node.outputs[1].valid())
    return fail(ErrorCode::kNotImplemented, "TopK: both outputs are needed");
  TopKSettings settings;
  settings.m_axis = node.attributeOr<int64_t>("axis", -1);
  settings.m_k = node.attributeOr<int64_t>("k", 0);
  settings.m_largest = node.attributeOr<int64_t>("largest", 1) != 0;
  return settings;
}

Result<TopKPlacement> TopKSettings::place(std::span<const int64_t> dims, const Tensor* count) const {
  const int64_t rank = static_cast<int64_t>(dims.size());
  if (m_axis < -rank || m_axis >= rank)
    return fail(ErrorCode::kInvalidArgument, "axis {} is out of range for rank {}", m_axis, rank);
  TopKPlacement placed{.axis = static_cast<size_t>(m_axis < 0 ? m_axis + rank : m_axis), .k = m_k, .dims = Dims(dims)};
  if (count != nullptr) {
    if (count->type() != ElementType::kInt64 || count->elementCount() != 1)
      return fail(ErrorCode::kInvalidArgument, "K is one int64");
    placed.k = count->span<int64_t>()[0];
  }
  const int64_t length = dims[placed.axis];
  if (placed.k < 0 || placed.k > length)
    return fail(ErrorCode::kInvalidArgument, "K is {}, the axis has {} elements", placed.k, length);
  placed.inner = productOf(dims, placed.axis + 1, dims.size());
  placed.dims[placed.axis] = placed.k;
  return placed;
}

}  // namespace cutaway::operators
