#include "engine/tensor/shape.h"

#include <limits>

#include <spdlog/fmt/fmt.h>

#include "engine/base/quote.h"

namespace cutaway {

Shape Shape::of(std::span<const int64_t> dims) {
  std::vector<Dim> made;
  made.reserve(dims.size());
  for (const int64_t dim : dims)
    made.emplace_back(dim);
  return Shape(std::move(made));
}

bool Shape::isStatic() const {
  for (const Dim& dim : m_dims) {
    if (!dim.isKnown()) return false;
  }
  return true;
}

std::optional<int64_t> Shape::elementCount() const {
  if (!isStatic()) return std::nullopt;
  for (const Dim& dim : m_dims) {
    if (dim.value() == 0) return 0;
  }
  int64_t count = 1;
  for (const Dim& dim : m_dims) {
    if (__builtin_mul_overflow(count, dim.value(), &count)) return std::nullopt;
  }
  return count;
}

std::optional<std::vector<int64_t>> Shape::staticDims() const {
  if (!isStatic()) return std::nullopt;
  std::vector<int64_t> dims;
  dims.reserve(m_dims.size());
  for (const Dim& dim : m_dims)
    dims.push_back(dim.value());
  return dims;
}

std::string toText(const Shape& shape) {
  std::string text = "[";
  for (const Dim& dim : shape.dims()) {
    if (text.size() > 1) text += ',';
    text += dim.isKnown() ? std::to_string(dim.value()) : dim.isSymbol() ? identifierOrQuoted(dim.symbol()) : "?";
  }
  return text + ']';
}

std::string dimsToText(std::span<const int64_t> dims) {
  return fmt::format("[{}]", fmt::join(dims, ","));
}

ValueType ValueType::tensor(ElementType element, std::optional<Shape> shape) {
  ValueType type;
  type.kind = TypeKind::kTensor;
  type.element = element;
  type.shape = std::move(shape);
  return type;
}

ValueType ValueType::sequence(ValueType inner) {
  ValueType type;
  type.kind = TypeKind::kSequence;
  type.inner = std::make_shared<const ValueType>(std::move(inner));
  return type;
}

ValueType ValueType::optional(ValueType inner) {
  ValueType type;
  type.kind = TypeKind::kOptional;
  type.inner = std::make_shared<const ValueType>(std::move(inner));
  return type;
}

bool ValueType::operator==(const ValueType& other) const {
  const ValueType* a = this;
  const ValueType* b = &other;
  // Walks down the inner types instead of recursing: how deep they nest is up to the file.
  while (a != b) {
    if (a->kind != b->kind || a->element != b->element || a->shape != b->shape || a->layout != b->layout ||
        a->key != b->key || a->denotation != b->denotation)
      return false;
    if (a->inner == nullptr || b->inner == nullptr) return a->inner == b->inner;
    a = a->inner.get();
    b = b->inner.get();
  }
  return true;
}

std::string toText(const ValueType& type) {
  std::string text;
  std::string closing;
  const ValueType* at = &type;
  for (;; at = at->inner.get()) {
    const bool wraps = at->kind == TypeKind::kSequence || at->kind == TypeKind::kOptional || at->kind == TypeKind::kMap;
    if (!wraps) break;
    if (at->kind == TypeKind::kSequence) text += "seq(";
    if (at->kind == TypeKind::kOptional) text += "optional(";
    if (at->kind == TypeKind::kMap) text += fmt::format("map({},", elementTypeName(at->key));
    closing += ')';
    if (at->inner == nullptr) return text + "unknown" + closing;
  }
  switch (at->kind) {
    case TypeKind::kTensor:
      text += elementTypeName(at->element);
      break;
    case TypeKind::kSparseTensor:
      text += fmt::format("sparse_tensor({}", elementTypeName(at->element));
      break;
    case TypeKind::kOpaque:
      text += "opaque";
      break;
    default:
      text += "unknown";
      break;
  }
  if (at->shape) text += toText(*at->shape);
  if (at->kind == TypeKind::kSparseTensor) text += ')';
  switch (at->layout) {
    case Layout::kPlain:
      break;
    case Layout::kChannelsLast:
      text += "@channels_last";
      break;
    case Layout::kBlocked8:
      text += "@blocked8";
      break;
    case Layout::kBlocked16:
      text += "@blocked16";
      break;
  }
  return text + closing;
}

Result<int64_t> byteSize(ElementType type, std::span<const int64_t> dims, Layout layout) {
  if (!isKnown(type))
    return fail(ErrorCode::kInvalidArgument, "element type {} has no storage", static_cast<int>(type));
  const int64_t block = layout == Layout::kBlocked8 ? 8 : layout == Layout::kBlocked16 ? 16 : 1;
  if (block > 1 && dims.size() < 2)
    return fail(ErrorCode::kInvalidArgument, "a blocked layout needs at least 2 axes, not {}", dims.size());
  bool empty = false;
  for (const int64_t dim : dims) {
    if (dim < 0) return fail(ErrorCode::kInvalidArgument, "dimension {} in {} is negative", dim, dimsToText(dims));
    empty = empty || dim == 0;
  }
  if (empty) return 0;
  int64_t count = 1;
  for (size_t axis = 0; axis < dims.size(); ++axis) {
    int64_t dim = dims[axis];
    bool overflow = axis == 1 && __builtin_add_overflow(dim, block - 1, &dim);
    if (axis == 1) dim -= dim % block;
    overflow = overflow || __builtin_mul_overflow(count, dim, &count);
    if (overflow)
      return fail(ErrorCode::kInvalidArgument, "the element count of {} does not fit in 64 bits", dimsToText(dims));
  }
  int64_t bits = 0;
  if (__builtin_mul_overflow(count, static_cast<int64_t>(bitsOf(type)), &bits) ||
      bits > std::numeric_limits<int64_t>::max() - 7) {
    return fail(ErrorCode::kInvalidArgument, "the size of {}{} does not fit in 64 bits", elementTypeName(type),
                dimsToText(dims));
  }
  return (bits + 7) / 8;
}

std::optional<int64_t> staticByteSize(const ValueType& type) {
  if (!type.isTensor() || !type.shape || type.element == ElementType::kString) return std::nullopt;
  const auto dims = type.shape->staticDims();
  if (!dims) return std::nullopt;
  const auto size = byteSize(type.element, *dims, type.layout);
  return size ? std::optional(*size) : std::nullopt;
}

int64_t elementCount(std::span<const int64_t> dims) {
  int64_t count = 1;
  for (const int64_t dim : dims)
    count *= dim;
  return count;
}

}  // namespace cutaway
