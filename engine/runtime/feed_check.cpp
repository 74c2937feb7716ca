#include "engine/runtime/feed_check.h"

namespace cutaway {
namespace {

Result<void> checkMap(const NamedType& expected, const ValueType& type, const MapValue& map) {
  const ElementType values = type.inner != nullptr && type.inner->isTensor() ? type.inner->element : ElementType::kUndefined;
  const bool keysFit = type.key == ElementType::kUndefined || map.keys.type() == type.key;
  // An empty map has values of no type.
  const bool valuesFit = values == ElementType::kUndefined || map.keys.elementCount() == 0 || map.values.type() == values;
  if (keysFit && valuesFit) return {};
  return fail(ErrorCode::kInvalidArgument, "input '{}' was fed a map({},{}); it is {}", expected.name, elementTypeName(map.keys.type()), elementTypeName(map.values.type()), toText(expected.type));
}

}  // namespace

FeedChecker::FeedChecker(const Graph& graph) {
  std::unordered_map<std::string, int32_t> symbolIndex;
  for (ValueId id : graph.inputs()) {
    const Value& value = graph.value(id);
    m_byName.emplace(value.name, m_inputs.size());
    // An optional that is not fed is an empty one.
    m_inputs.push_back({value.name, value.type, !value.initializer.has_value() && value.type.kind != TypeKind::kOptional});
    std::vector<int32_t>& symbols = m_symbols.emplace_back();
    if (!value.type.shape) continue;
    for (const Dim& dim : value.type.shape->dims()) {
      if (!dim.isSymbol()) {
        symbols.push_back(-1);
        continue;
      }
      const auto [entry, isNew] = symbolIndex.try_emplace(dim.symbol(), static_cast<int32_t>(m_symbolNames.size()));
      if (isNew) m_symbolNames.push_back(dim.symbol());
      symbols.push_back(entry->second);
    }
  }
}

Result<void> FeedChecker::check(const std::vector<Feed>& feeds, FeedMatch& match) const {
  match.feedOfInput.assign(m_inputs.size(), -1);
  match.symbolValue.assign(m_symbolNames.size(), -1);
  match.symbolInput.assign(m_symbolNames.size(), -1);
  for (size_t i = 0; i < feeds.size(); ++i) {
    const auto found = m_byName.find(feeds[i].name);
    if (found == m_byName.end()) {
      std::string names;
      for (const NamedType& input : m_inputs) names += (names.empty() ? "'" : ", '") + input.name + "'";
      return fail(atValue(Error{ErrorCode::kInvalidArgument, fmt::format("the model has no input '{}'; its inputs are {}", feeds[i].name, names.empty() ? "none" : names), {}}, feeds[i].name));
    }
    if (match.feedOfInput[found->second] >= 0) return fail(atValue(Error{ErrorCode::kInvalidArgument, fmt::format("input '{}' is fed twice", feeds[i].name), {}}, feeds[i].name));
    match.feedOfInput[found->second] = static_cast<int32_t>(i);
  }
  for (size_t input = 0; input < m_inputs.size(); ++input) {
    const int32_t feed = match.feedOfInput[input];
    if (feed < 0) {
      if (!m_inputs[input].required) continue;
      return fail(atValue(Error{ErrorCode::kInvalidArgument, fmt::format("input '{}' ({}) is required and was not fed", m_inputs[input].name, toText(m_inputs[input].type)), {}}, m_inputs[input].name));
    }
    auto checked = checkValue(input, feeds[static_cast<size_t>(feed)].value, match);
    if (!checked) return fail(atValue(std::move(checked).error(), m_inputs[input].name));
  }
  return {};
}

Result<void> FeedChecker::checkValue(size_t input, const RuntimeValue& value, FeedMatch& match) const {
  const NamedType& expected = m_inputs[input];
  const ValueType* type = &expected.type;
  if (type->kind == TypeKind::kOptional) {
    if (value.empty()) return {};
    if (type->inner == nullptr) return {};
    type = type->inner.get();
  }
  if (value.empty()) return fail(ErrorCode::kInvalidArgument, "input '{}' was fed nothing; it is {}", expected.name, toText(expected.type));
  switch (type->kind) {
    case TypeKind::kTensor: {
      if (!value.isTensor()) return fail(ErrorCode::kInvalidArgument, "input '{}' must be a tensor: {}", expected.name, toText(expected.type));
      const Tensor& tensor = value.tensor();
      if (tensor.type() != type->element && type->element != ElementType::kUndefined) {
        return fail(ErrorCode::kInvalidArgument, "input '{}' has elements of type {}; the model expects {}", expected.name, elementTypeName(tensor.type()), elementTypeName(type->element));
      }
      if (type != &expected.type) return {};
      return checkShape(input, tensor, match);
    }
    case TypeKind::kSequence:
      if (!value.isSequence()) return fail(ErrorCode::kInvalidArgument, "input '{}' must be a sequence: {}", expected.name, toText(expected.type));
      return {};
    case TypeKind::kMap:
      if (!value.isMap()) return fail(ErrorCode::kInvalidArgument, "input '{}' must be a map: {}", expected.name, toText(expected.type));
      return checkMap(expected, *type, value.map());
    default: return {};
  }
}

Result<void> FeedChecker::checkShape(size_t input, const Tensor& tensor, FeedMatch& match) const {
  const NamedType& expected = m_inputs[input];
  if (!expected.type.shape) return {};
  const Shape& shape = *expected.type.shape;
  if (tensor.rank() != shape.rank()) {
    return fail(ErrorCode::kInvalidArgument, "input '{}' has rank {} ({}); the model expects rank {} ({})", expected.name, tensor.rank(), dimsToText(tensor.dims()), shape.rank(), toText(shape));
  }
  for (size_t axis = 0; axis < shape.rank(); ++axis) {
    const int64_t got = tensor.dims()[axis];
    if (shape[axis].isKnown() && got != shape[axis].value()) {
      return fail(ErrorCode::kInvalidArgument, "input '{}' has {} at dimension {} ({}); the model expects {} ({})", expected.name, got, axis, dimsToText(tensor.dims()), shape[axis].value(), toText(shape));
    }
    const int32_t symbol = m_symbols[input][axis];
    if (symbol < 0) continue;
    const auto at = static_cast<size_t>(symbol);
    if (match.symbolValue[at] < 0) {
      match.symbolValue[at] = got;
      match.symbolInput[at] = static_cast<int32_t>(input);
    } else if (match.symbolValue[at] != got) {
      const NamedType& other = m_inputs[static_cast<size_t>(match.symbolInput[at])];
      return fail(ErrorCode::kInvalidArgument, "inputs '{}' and '{}' disagree about '{}': {} in the first, {} in the second (dimension {})", other.name, expected.name, m_symbolNames[at], match.symbolValue[at], got, axis);
    }
  }
  return {};
}

}  // namespace cutaway
