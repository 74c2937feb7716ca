#include "engine/operators/transpose.h"

#include "engine/operators/axes.h"
#include "engine/operators/dims.h"
#include "engine/operators/integer_list.h"

namespace cutaway::operators {

TransposeOrder::TransposeOrder(const Node& node)
    : m_perm(listAttribute(node, "perm")), m_reverse(node.findAttribute("perm") == nullptr) {}

Result<StridedMove> transposeMove(std::span<const int64_t> dims, std::span<const int64_t> perm, bool reverse) {
  const size_t rank = dims.size();
  if (!reverse && perm.size() != rank)
    return fail(ErrorCode::kInvalidArgument, "perm {} does not fit an input of rank {}", dimsToText(perm), rank);
  Dims order = filledList(rank, 0);
  for (size_t i = 0; i < rank; ++i)
    order[i] = reverse ? static_cast<int64_t>(rank - 1 - i) : perm[i];
  CUTAWAY_TRY(order, resolveAxes(order, rank));
  const Dims strides = rowMajorStrides(dims);
  StridedMove move{order, order, {}};
  for (size_t i = 0; i < rank; ++i) {
    move.dims[i] = dims[static_cast<size_t>(order[i])];
    move.fromStrides[i] = strides[static_cast<size_t>(order[i])];
  }
  move.toStrides = rowMajorStrides(move.dims);
  return move;
}

}  // namespace cutaway::operators
