#include "engine/session/feed_check.h"

#include "engine/base/name_hint.h"

namespace cutaway::session {
namespace {

Result<void> checkMap(const execute::NamedType& expected, const ValueType& type, const MapValue& map) {
  const ElementType values =
      type.inner != nullptr && type.inner->isTensor() ? type.inner->element : ElementType::kUndefined;
  const bool keysFit = type.key == ElementType::kUndefined || map.keys.type() == type.key;
  // An empty map has values of no type.
  const bool valuesFit =
      values == ElementType::kUndefined || map.keys.elementCount() == 0 || map.values.type() == values;
  if (keysFit && valuesFit) return {};
  return fail(ErrorCode::kInvalidArgument, "input '{}' was fed a map({},{}); it is {}", expected.name,
              elementTypeName(map.keys.type()), elementTypeName(map.values.type()), toText(expected.type));
}

const char* kindOf(const RuntimeValue& value) {
  return value.isTensor() ? "tensor" : value.isSequence() ? "sequence" : "map";
}

Result<void> checkTensor(const execute::NamedType& expected, const ValueType& type, const Tensor& tensor) {
  if (!tensor.valid())
    return fail(ErrorCode::kInvalidArgument, "input '{}' was fed a tensor without a type; it is {}", expected.name,
                toText(expected.type));
  if (tensor.type() != type.element && type.element != ElementType::kUndefined) {
    return fail(ErrorCode::kInvalidArgument, "input '{}' has elements of type {}; the model expects {}", expected.name,
                elementTypeName(tensor.type()), elementTypeName(type.element));
  }
  if (tensor.data() == nullptr && tensor.sizeBytes() > 0)
    return fail(ErrorCode::kInvalidArgument, "input '{}' ({}{}) has no memory behind it", expected.name,
                elementTypeName(tensor.type()), dimsToText(tensor.dims()));
  if (!type.shape) return {};
  const Shape& shape = *type.shape;
  if (tensor.rank() != shape.rank()) {
    return fail(ErrorCode::kInvalidArgument, "input '{}' has rank {} ({}); the model expects rank {} ({})",
                expected.name, tensor.rank(), dimsToText(tensor.dims()), shape.rank(), toText(shape));
  }
  for (size_t axis = 0; axis < shape.rank(); ++axis) {
    const int64_t got = tensor.dims()[axis];
    if (got < 0)
      return fail(ErrorCode::kInvalidArgument, "input '{}' has {} at dimension {} ({}); dimensions are at least 0",
                  expected.name, got, axis, dimsToText(tensor.dims()));
    if (shape[axis].isKnown() && got != shape[axis].value()) {
      return fail(ErrorCode::kInvalidArgument, "input '{}' has {} at dimension {} ({}); the model expects {} ({})",
                  expected.name, got, axis, dimsToText(tensor.dims()), shape[axis].value(), toText(shape));
    }
  }
  return {};
}

Result<void> checkSequence(const execute::NamedType& expected, const ValueType& type, const SequenceValue& sequence) {
  if (type.inner == nullptr || !type.inner->isTensor() || type.inner->element == ElementType::kUndefined) return {};
  for (size_t i = 0; i < sequence.items.size(); ++i) {
    const RuntimeValue& item = sequence.items[i];
    if (item.isTensor() && item.tensor().type() == type.inner->element) continue;
    return fail(ErrorCode::kInvalidArgument, "item {} of input '{}' is {}; the model expects {}", i, expected.name,
                item.isTensor() ? std::string(elementTypeName(item.tensor().type())) : "no tensor",
                toText(expected.type));
  }
  return {};
}

}  // namespace

std::vector<execute::NamedType> namedInputs(const Graph& graph) {
  std::vector<execute::NamedType> result;
  for (ValueId id : graph.inputs()) {
    const Value& value = graph.value(id);
    result.push_back(
        {value.name, value.type, !value.initializer.has_value() && value.type.kind != TypeKind::kOptional});
  }
  return result;
}

std::vector<execute::NamedType> namedOutputs(const Graph& graph) {
  std::vector<execute::NamedType> result;
  for (ValueId id : graph.outputs())
    result.push_back({graph.value(id).name, graph.value(id).type, true});
  return result;
}

FeedChecker::FeedChecker(std::vector<execute::NamedType> inputs) : m_inputs(std::move(inputs)) {
  std::unordered_map<std::string, int32_t> symbolIndex;
  for (size_t place = 0; place < m_inputs.size(); ++place) {
    m_byName.emplace(m_inputs[place].name, place);
    std::vector<int32_t>& symbols = m_symbols.emplace_back();
    const ValueType& type = m_inputs[place].type;
    if (!type.shape) continue;
    for (const Dim& dim : type.shape->dims()) {
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

Result<size_t> FeedChecker::placeOf(const std::string& name) const {
  if (const auto found = m_byName.find(name); found != m_byName.end()) return found->second;
  std::vector<std::string> names;
  for (const execute::NamedType& input : m_inputs)
    names.push_back(input.name);
  return fail(
      atValue(Error{ErrorCode::kInvalidArgument,
                    fmt::format("the model has no input '{}'; {}", name, nameHint("its inputs are", name, names)),
                    {}},
              name));
}

Result<void> FeedChecker::check(const std::vector<execute::Feed>& feeds, FeedMatch& match) const {
  match.values.assign(m_inputs.size(), nullptr);
  match.placeOfFeed.resize(feeds.size(), 0);
  for (size_t i = 0; i < feeds.size(); ++i) {
    uint32_t& place = match.placeOfFeed[i];
    if (place >= m_inputs.size() || m_inputs[place].name != feeds[i].name) {
      CUTAWAY_TRY(const size_t found, placeOf(feeds[i].name));
      place = static_cast<uint32_t>(found);
    }
    if (match.values[place] != nullptr)
      return fail(atValue(Error{ErrorCode::kInvalidArgument, fmt::format("input '{}' is fed twice", feeds[i].name), {}},
                          feeds[i].name));
    match.values[place] = &feeds[i].value;
  }
  return checkValues(match);
}

Result<void> FeedChecker::checkValues(FeedMatch& match) const {
  match.symbolValue.assign(m_symbolNames.size(), -1);
  match.symbolInput.assign(m_symbolNames.size(), -1);
  for (size_t input = 0; input < m_inputs.size(); ++input) {
    const RuntimeValue* value = match.values[input];
    if (value == nullptr) {
      if (!m_inputs[input].required) continue;
      return fail(atValue(Error{ErrorCode::kInvalidArgument,
                                fmt::format("input '{}' ({}) is required and was not fed", m_inputs[input].name,
                                            toText(m_inputs[input].type)),
                                {}},
                          m_inputs[input].name));
    }
    Result<void> checked = checkValue(input, *value);
    if (checked && value->isTensor()) checked = checkSymbols(input, value->tensor(), match);
    if (!checked) return fail(atValue(std::move(checked).error(), m_inputs[input].name));
  }
  return {};
}

Result<void> FeedChecker::checkValue(size_t input, const RuntimeValue& value) const {
  const execute::NamedType& expected = m_inputs[input];
  const ValueType* type = &expected.type;
  if (type->kind == TypeKind::kOptional) {
    if (value.empty() || type->inner == nullptr) return {};
    type = type->inner.get();
  }
  if (value.empty())
    return fail(ErrorCode::kInvalidArgument, "input '{}' was fed nothing; it is {}", expected.name,
                toText(expected.type));
  switch (type->kind) {
    case TypeKind::kTensor:
      if (!value.isTensor())
        return fail(ErrorCode::kInvalidArgument, "input '{}' was fed a {}; it must be a tensor: {}", expected.name,
                    kindOf(value), toText(expected.type));
      return checkTensor(expected, *type, value.tensor());
    case TypeKind::kSequence:
      if (!value.isSequence())
        return fail(ErrorCode::kInvalidArgument, "input '{}' was fed a {}; it must be a sequence: {}", expected.name,
                    kindOf(value), toText(expected.type));
      return checkSequence(expected, *type, value.sequence());
    case TypeKind::kMap:
      if (!value.isMap())
        return fail(ErrorCode::kInvalidArgument, "input '{}' was fed a {}; it must be a map: {}", expected.name,
                    kindOf(value), toText(expected.type));
      return checkMap(expected, *type, value.map());
    default:
      return {};
  }
}

Result<void> FeedChecker::checkSymbols(size_t input, const Tensor& tensor, FeedMatch& match) const {
  for (size_t axis = 0; axis < m_symbols[input].size(); ++axis) {
    const int32_t symbol = m_symbols[input][axis];
    if (symbol < 0) continue;
    const int64_t got = tensor.dims()[axis];
    const auto at = static_cast<size_t>(symbol);
    if (match.symbolValue[at] < 0) {
      match.symbolValue[at] = got;
      match.symbolInput[at] = static_cast<int32_t>(input);
    } else if (match.symbolValue[at] != got) {
      const execute::NamedType& other = m_inputs[static_cast<size_t>(match.symbolInput[at])];
      return fail(ErrorCode::kInvalidArgument,
                  "inputs '{}' and '{}' disagree about '{}': {} in the first, {} in the second (dimension {})",
                  other.name, m_inputs[input].name, m_symbolNames[at], match.symbolValue[at], got, axis);
    }
  }
  return {};
}

}  // namespace cutaway::session
