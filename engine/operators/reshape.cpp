#include "engine/operators/reshape.h"

#include "engine/base/checked_math.h"
#include "engine/operators/axes.h"
#include "engine/operators/dims.h"
#include "engine/operators/integer_list.h"

namespace cutaway::operators {

ListOperand::ListOperand(const Node& node, std::string_view attribute, bool isInput, std::optional<Dims> absent)
    : m_attribute(std::move(absent)), m_isInput(isInput) {
  if (node.findAttribute(attribute) != nullptr) m_attribute = listAttribute(node, attribute);
}

Result<std::optional<Dims>> ListOperand::read(const Tensor* given) const {
  if (!m_isInput) return m_attribute;
  if (given == nullptr) return std::optional<Dims>();
  CUTAWAY_TRY(Dims list, readIntegers(*given));
  return std::optional<Dims>(std::move(list));
}

ListOperand reshapeShape(const Node& node) {
  return ListOperand(node, "shape", node.sinceVersion >= 5, Dims());
}
ListOperand squeezeAxes(const Node& node) {
  return ListOperand(node, "axes", node.sinceVersion >= 13 || !node.domain.empty());
}

Result<Dims> reshapedDims(std::span<const int64_t> dims, const std::optional<Dims>& shape, bool zeroIsZero) {
  if (!shape) return fail(ErrorCode::kInvalidArgument, "Reshape needs a shape");
  const Dims& wanted = *shape;
  Dims reshaped = wanted;
  int64_t known = 1;
  size_t open = wanted.size();
  for (size_t i = 0; i < wanted.size(); ++i) {
    if (wanted[i] < -1) return fail(ErrorCode::kInvalidArgument, "dimension {} of the new shape is {}", i, wanted[i]);
    if (wanted[i] == -1) {
      if (open != wanted.size())
        return fail(ErrorCode::kInvalidArgument, "the new shape {} has two open dimensions", dimsToText(wanted));
      open = i;
      continue;
    }
    if (wanted[i] == 0 && !zeroIsZero) {
      if (i >= dims.size())
        return fail(ErrorCode::kInvalidArgument, "dimension {} of the new shape is taken from an input of rank {}", i,
                    dims.size());
      reshaped[i] = dims[i];
    }
    CUTAWAY_TRY(known, checkedMultiply(known, reshaped[i]));
  }
  const int64_t count = elementCount(dims);
  const bool opens = open != wanted.size();
  if (opens ? known == 0 || count % known != 0 : known != count) {
    return fail(ErrorCode::kInvalidArgument, "{} elements of {} cannot be reshaped to {}", count, dimsToText(dims),
                dimsToText(wanted));
  }
  if (opens) reshaped[open] = count / known;
  return reshaped;
}

Result<Dims> flattenedDims(std::span<const int64_t> dims, int64_t axis) {
  const int64_t rank = static_cast<int64_t>(dims.size());
  if (axis < -rank || axis > rank) {
    return fail(ErrorCode::kInvalidArgument, "axis {} is outside [{}, {}] of a tensor of rank {}", axis, -rank, rank,
                rank);
  }
  const size_t cut = static_cast<size_t>(axis < 0 ? axis + rank : axis);
  return Dims{productOf(dims, 0, cut), productOf(dims, cut, dims.size())};
}

Result<Dims> squeezedDims(std::span<const int64_t> dims, const std::optional<Dims>& axes) {
  Dims drop = filledList(dims.size(), 0);
  for (size_t i = 0; i < dims.size(); ++i)
    drop[i] = !axes && dims[i] == 1;
  if (axes) {
    CUTAWAY_TRY(const Dims resolved, resolveAxes(*axes, dims.size()));
    for (const int64_t axis : resolved) {
      if (dims[static_cast<size_t>(axis)] != 1)
        return fail(ErrorCode::kInvalidArgument, "axis {} of {} has not one element and cannot be squeezed", axis,
                    dimsToText(dims));
      drop[static_cast<size_t>(axis)] = 1;
    }
  }
  size_t kept = 0;
  for (const int64_t dropped : drop)
    kept += dropped == 0;
  Dims squeezed = filledList(kept, 0);
  for (size_t i = 0, next = 0; i < dims.size(); ++i) {
    if (drop[i] == 0) squeezed[next++] = dims[i];
  }
  return squeezed;
}

Result<Dims> unsqueezedDims(std::span<const int64_t> dims, const std::optional<Dims>& axes) {
  if (!axes) return fail(ErrorCode::kInvalidArgument, "Unsqueeze needs axes");
  const size_t rank = dims.size() + axes->size();
  CUTAWAY_TRY(const Dims resolved, resolveAxes(*axes, rank));
  Dims unsqueezed = filledList(rank, -1);
  for (const int64_t axis : resolved)
    unsqueezed[static_cast<size_t>(axis)] = 1;
  for (size_t i = 0, next = 0; i < rank; ++i) {
    if (unsqueezed[i] == -1) unsqueezed[i] = dims[next++];
  }
  return unsqueezed;
}

}  // namespace cutaway::operators
