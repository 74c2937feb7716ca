#include "engine/operators/broadcast.h"

namespace cutaway::operators {

Result<Dims> broadcastDims(std::span<const Dims* const> operands) {
  const Dims* longest = operands[0];
  for (const Dims* dims : operands) {
    if (dims->size() > longest->size()) longest = dims;
  }
  Dims result = *longest;
  const size_t rank = result.size();
  for (const Dims* dims : operands) {
    const size_t shift = rank - dims->size();
    for (size_t axis = 0; axis < dims->size(); ++axis) {
      const int64_t extent = (*dims)[axis];
      int64_t& target = result[shift + axis];
      if (extent == target || extent == 1) continue;
      if (target != 1)
        return fail(ErrorCode::kInvalidArgument, "shapes {} and {} do not broadcast", dimsToText(*operands[0]),
                    dimsToText(dims == operands[0] ? *longest : *dims));
      target = extent;
    }
  }
  return result;
}

LegacyBroadcast LegacyBroadcast::of(const Node& node, bool used) {
  if (!used) return {};
  return {.used = true,
          .allowed = node.attributeOr<int64_t>("broadcast", 0) != 0,
          .hasAxis = node.findAttribute("axis") != nullptr,
          .axis = node.attributeOr<int64_t>("axis", -1)};
}

Result<Dims> LegacyBroadcast::align(const Dims& a, const Dims& b) const {
  if (!used || a == b) return b;
  if (!allowed)
    return fail(ErrorCode::kInvalidArgument, "shapes {} and {} differ and broadcast is 0", dimsToText(a),
                dimsToText(b));
  if (b.size() > a.size())
    return fail(ErrorCode::kInvalidArgument, "B {} has more axes than A {}", dimsToText(b), dimsToText(a));
  if (!hasAxis) return b;
  const int64_t rank = static_cast<int64_t>(a.size()), own = static_cast<int64_t>(b.size());
  const int64_t start = axis < 0 ? axis + rank : axis;
  if (start < 0 || start > rank - own)
    return fail(ErrorCode::kInvalidArgument, "axis {} does not fit shapes {} and {}", axis, dimsToText(a),
                dimsToText(b));
  Dims aligned = a;
  for (int64_t i = 0; i < rank; ++i)
    aligned[static_cast<size_t>(i)] = i >= start && i < start + own ? b[static_cast<size_t>(i - start)] : 1;
  return aligned;
}

}  // namespace cutaway::operators
