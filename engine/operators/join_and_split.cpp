#include "engine/operators/join_and_split.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "engine/base/checked_math.h"
#include "engine/operators/axes.h"
#include "engine/operators/integer_list.h"

namespace cutaway::operators {
namespace {

std::optional<double> floatAt(const Tensor& tensor, size_t place) {
  switch (tensor.type()) {
    case ElementType::kFloat:
      return static_cast<double>(tensor.span<float>()[place]);
    case ElementType::kDouble:
      return tensor.span<double>()[place];
    case ElementType::kFloat16:
      return static_cast<double>(tensor.span<Float16>()[place].toFloat());
    case ElementType::kBfloat16:
      return static_cast<double>(tensor.span<Bfloat16>()[place].toFloat());
    default:
      return std::nullopt;
  }
}

Result<Dims> readLengths(const Tensor& tensor) {
  if (!isFloating(tensor.type())) return readIntegers(tensor);
  Dims lengths = filledList(static_cast<size_t>(tensor.elementCount()), 0);
  for (size_t i = 0; i < lengths.size(); ++i) {
    constexpr double kMost = 9007199254740992.0;
    const std::optional<double> value = floatAt(tensor, i);
    if (!value) return readIntegers(tensor);
    if (!(*value >= 0 && *value <= kMost && std::trunc(*value) == *value))
      return fail(ErrorCode::kInvalidArgument, "a length in split is no whole number");
    lengths[i] = static_cast<int64_t>(*value);
  }
  return lengths;
}

}  // namespace

Result<JoinedDims> firstPart(const Tensor& first, int64_t axis) {
  CUTAWAY_TRY(const int64_t resolved, resolveAxis(axis, first.rank()));
  return JoinedDims{static_cast<size_t>(resolved), first.dims()};
}

Result<void> addPart(JoinedDims& joined, const Tensor& first, const Tensor& part, size_t slot) {
  bool fits = part.rank() == first.rank() && part.type() == first.type();
  for (size_t i = 0; fits && i < first.rank(); ++i)
    fits = i == joined.axis || part.dims()[i] == first.dims()[i];
  if (!fits) {
    return fail(ErrorCode::kInvalidArgument, "input {} of shape {} cannot stand beside {} along axis {}", slot,
                dimsToText(part.dims()), dimsToText(first.dims()), joined.axis);
  }
  CUTAWAY_TRY(joined.dims[joined.axis], checkedAdd(joined.dims[joined.axis], part.dims()[joined.axis]));
  return {};
}

Result<void> checkLinearConcat(size_t inputs) {
  if (inputs >= kLinearParts.first + kLinearParts.step && (inputs - kLinearParts.first) % kLinearParts.step == 0)
    return {};
  return fail(ErrorCode::kInvalidArgument, "QLinearConcat takes triples of inputs after the first two, not {} inputs",
              inputs);
}

SplitSettings::SplitSettings(const Node& node)
    : m_axis(node.attributeOr<int64_t>("axis", 0)),
      m_lengths(listAttribute(node, "split")),
      m_hasLengths(node.findAttribute("split") != nullptr),
      m_lastMayBeShorter(node.sinceVersion >= 18),
      m_outputs(node.outputs.size()) {}

Result<SplitPieces> SplitSettings::place(std::span<const int64_t> dims, const Tensor* lengths) const {
  CUTAWAY_TRY(const int64_t axis, resolveAxis(m_axis, dims.size()));
  SplitPieces pieces{.axis = static_cast<size_t>(axis), .lengths = {}};
  CUTAWAY_TRY(pieces.lengths, lengthsOf(dims[pieces.axis], lengths));
  return pieces;
}

Result<Dims> SplitSettings::lengthsOf(int64_t total, const Tensor* given) const {
  Dims lengths = m_lengths;
  if (given != nullptr) {
    CUTAWAY_TRY(lengths, readLengths(*given));
  } else if (!m_hasLengths) {
    return equalLengths(total);
  }
  int64_t left = total;
  for (const int64_t length : lengths) {
    if (length < 0 || length > left)
      return fail(ErrorCode::kInvalidArgument, "pieces {} do not add up to {}", dimsToText(lengths), total);
    left -= length;
  }
  if (left != 0) return fail(ErrorCode::kInvalidArgument, "pieces {} do not add up to {}", dimsToText(lengths), total);
  if (lengths.size() != m_outputs)
    return fail(ErrorCode::kInvalidArgument, "{} pieces are named for {} outputs", lengths.size(), m_outputs);
  return lengths;
}

Result<Dims> SplitSettings::equalLengths(int64_t total) const {
  const int64_t count = static_cast<int64_t>(m_outputs);
  if (count == 0) return fail(ErrorCode::kInvalidArgument, "Split has no output");
  const int64_t length = (total + count - 1) / count;
  if (!m_lastMayBeShorter && total % count != 0)
    return fail(ErrorCode::kInvalidArgument, "{} elements cannot be split into {} equal pieces", total, count);
  Dims lengths = filledList(m_outputs, length);
  for (size_t i = 0; i < m_outputs; ++i) {
    lengths[i] = std::min(length, total);
    total -= lengths[i];
  }
  return lengths;
}

}  // namespace cutaway::operators
