#include "engine/operators/compress.h"

#include "engine/operators/axes.h"
#include "engine/operators/dims.h"

namespace cutaway::operators {

CompressSettings::CompressSettings(const Node& node) {
  if (node.findAttribute("axis") != nullptr) m_axis = node.attributeOr<int64_t>("axis", 0);
}

Result<CompressPlacement> CompressSettings::place(const Tensor& data, const Tensor& condition) const {
  if (condition.type() != ElementType::kBool)
    return fail(ErrorCode::kInvalidArgument, "the condition of Compress has elements of type {}",
                elementTypeName(condition.type()));
  CompressPlacement placed{.dims = m_axis ? data.dims() : Dims{data.elementCount()}};
  if (m_axis) {
    CUTAWAY_TRY(const int64_t resolved, resolveAxis(*m_axis, data.rank()));
    placed.axis = static_cast<size_t>(resolved);
  }
  placed.outer = productOf(placed.dims, 0, placed.axis);
  placed.length = placed.dims[placed.axis];
  placed.inner = productOf(placed.dims, placed.axis + 1, placed.dims.size());
  return placed;
}

Error conditionBeyondAxis(const CompressPlacement& placed, int64_t position) {
  return {ErrorCode::kInvalidArgument,
          fmt::format("condition {} is true beyond the {} places of axis {}", position, placed.length, placed.axis),
          {}};
}

}  // namespace cutaway::operators
