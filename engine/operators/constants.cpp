#include "engine/operators/constants.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace cutaway::operators {

Result<Tensor> constantOfShapeValue(const Node& node) {
  Tensor value = node.attributeOr<Tensor>("value", Tensor());
  if (!value.valid()) value = Tensor::scalar(0.0f);
  if (value.elementCount() != 1)
    return fail(ErrorCode::kInvalidArgument, "the value of ConstantOfShape has {} elements", value.elementCount());
  return value;
}

Result<Diagonal> diagonalOf(std::span<const int64_t> dims, int64_t shift) {
  if (dims.size() != 2)
    return fail(ErrorCode::kInvalidArgument, "EyeLike needs a matrix, the input is {}", dimsToText(dims));
  const int64_t rows = dims[0], columns = dims[1];
  if (shift <= -rows || shift >= columns) return Diagonal{};
  const int64_t firstRow = std::max<int64_t>(0, -shift);
  const int64_t count = std::min(rows, columns - shift) - firstRow;
  return Diagonal{firstRow * columns + firstRow + shift, std::max<int64_t>(count, 0)};
}

Result<int64_t> countSteps(double start, double limit, double delta) {
  constexpr double kMostElements = 1e15;  // far above what fits; keeps the cast to an integer defined
  const double count = std::ceil((limit - start) / delta);
  if (delta == 0 || std::isnan(count) || count > kMostElements)
    return fail(ErrorCode::kInvalidArgument, "Range from {} to {} by {} has no end", start, limit, delta);
  return count > 0 ? static_cast<int64_t>(count) : 0;
}

Result<int64_t> countSteps(int64_t start, int64_t limit, int64_t delta) {
  if (delta == 0) return fail(ErrorCode::kInvalidArgument, "the delta of Range is 0");
  const bool up = delta > 0;
  if (up ? start >= limit : start <= limit) return 0;
  const uint64_t from = static_cast<uint64_t>(start), to = static_cast<uint64_t>(limit);
  const uint64_t step = up ? static_cast<uint64_t>(delta) : uint64_t{0} - static_cast<uint64_t>(delta);
  const uint64_t steps = ((up ? to - from : from - to) - 1) / step + 1;
  return static_cast<int64_t>(std::min<uint64_t>(steps, std::numeric_limits<int64_t>::max()));
}

Result<void> checkRangeOperands(const RangeOperands& operands) {
  for (const Tensor* tensor : {operands.start, operands.limit, operands.delta}) {
    if (tensor != nullptr && (tensor->elementCount() != 1 || tensor->type() != operands.start->type()))
      return fail(ErrorCode::kInvalidArgument, "start, limit and delta of Range must be single elements of one type");
  }
  return {};
}

}  // namespace cutaway::operators
