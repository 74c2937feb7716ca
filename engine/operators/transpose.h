#pragma once
// Transpose: axes in another order.

#include "engine/base/result.h"
#include "engine/graph/graph.h"
#include "engine/operators/strided_move.h"

namespace cutaway::operators {

// The move whose dims are those of the row-major output. Without the attribute perm, axes are reversed.
// INVALID_ARGUMENT where perm is no order of the input's axes.
Result<StridedMove> transposeMove(std::span<const int64_t> dims, std::span<const int64_t> perm, bool reverse);

// The attribute, read once.
class TransposeOrder {
 public:
  explicit TransposeOrder(const Node& node);
  Result<StridedMove> move(std::span<const int64_t> dims) const { return transposeMove(dims, m_perm, m_reverse); }

 private:
  Dims m_perm;
  bool m_reverse;
};

}  // namespace cutaway::operators
