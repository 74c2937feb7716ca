#pragma once
// Tensors made of little: ConstantOfShape's value, EyeLike's diagonal, Range's steps.

#include "engine/base/result.h"
#include "engine/graph/graph.h"
#include "engine/operators/operands.h"

namespace cutaway::operators {

// One element; a float 0 where the node names none.
Result<Tensor> constantOfShapeValue(const Node& node);

// Ones of EyeLike: `count` places in a row-major matrix, the first at `first`, a row and a column apart.
struct Diagonal {
  int64_t first = 0, count = 0;
};
// shift: attribute k. INVALID_ARGUMENT unless dims are those of a matrix.
Result<Diagonal> diagonalOf(std::span<const int64_t> dims, int64_t shift);

// How many numbers start, start + delta, ... there are before limit. INVALID_ARGUMENT where they have no end.
Result<int64_t> countSteps(double start, double limit, double delta);
// Exact for the whole range of 64 bits, where doubles are not.
Result<int64_t> countSteps(int64_t start, int64_t limit, int64_t delta);

// Of Range; delta is nullptr where com.microsoft's lacks it and means 1.
struct RangeOperands {
  const Tensor *start = nullptr, *limit = nullptr, *delta = nullptr;
};
Result<void> checkRangeOperands(const RangeOperands& operands);
// INVALID_ARGUMENT unless start, limit and delta are single elements of one type.
template <typename Call>
Result<RangeOperands> rangeOperands(const Call& call) {
  RangeOperands operands{.delta = optionalTensor(call, 2)};
  CUTAWAY_TRY(operands.start, requireTensor(call, 0));
  CUTAWAY_TRY(operands.limit, requireTensor(call, 1));
  CUTAWAY_CHECK(checkRangeOperands(operands));
  return operands;
}

}  // namespace cutaway::operators
