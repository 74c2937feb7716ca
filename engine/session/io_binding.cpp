#include "engine/session/io_binding.h"

#include <algorithm>

#include "engine/base/name_hint.h"
#include "engine/session/io_binding_state.h"

namespace cutaway::session {
namespace {

bool overlap(const Tensor& a, const Tensor& b) {
  const auto firstA = reinterpret_cast<uintptr_t>(a.data());
  const auto firstB = reinterpret_cast<uintptr_t>(b.data());
  return firstA < firstB + static_cast<uintptr_t>(b.sizeBytes()) &&
         firstB < firstA + static_cast<uintptr_t>(a.sizeBytes());
}

// Every tensor in a value. Sequences nest as deep as a caller likes; a work list keeps that depth off the stack.
template <typename Visit>
void forEachTensor(const RuntimeValue& value, Visit&& visit) {
  std::vector<const RuntimeValue*> open{&value};
  while (!open.empty()) {
    const RuntimeValue& each = *open.back();
    open.pop_back();
    if (each.isTensor() && each.tensor().valid()) visit(each.tensor());
    if (each.isMap()) {
      if (each.map().keys.valid()) visit(each.map().keys);
      if (each.map().values.valid()) visit(each.map().values);
    }
    if (!each.isSequence()) continue;
    for (const RuntimeValue& item : each.sequence().items)
      open.push_back(&item);
  }
}

tl::unexpected<Error> wrong(const std::string& value, std::string message) {
  return fail(atValue(Error{ErrorCode::kInvalidArgument, std::move(message), {}}, value));
}

std::string textOf(const Tensor& tensor) {
  return fmt::format("{}{}", elementTypeName(tensor.type()), dimsToText(tensor.dims()));
}

}  // namespace

IoBinding::State::State(Session& owner)
    : session(owner),
      checker(owner.inputs()),
      outputTypes(owner.outputs()),
      inputs(checker.inputs().size()),
      isBound(inputs.size(), 0) {}

Result<size_t> IoBinding::State::placeOfOutput(const std::string& name) const {
  const auto found = std::ranges::find(outputTypes, name, &execute::NamedType::name);
  if (found != outputTypes.end()) return static_cast<size_t>(found - outputTypes.begin());
  std::vector<std::string> names;
  for (const execute::NamedType& output : outputTypes)
    names.push_back(output.name);
  return wrong(name, fmt::format("the model has no output '{}'; {}", name, nameHint("its outputs are", name, names)));
}

Result<void> IoBinding::State::checkBuffer(const execute::NamedType& output, const Tensor& buffer) const {
  const ValueType& type = output.type;
  const auto refuse = [&](std::string why) {
    return wrong(output.name, fmt::format("output '{}' is {} and was bound to {}: {}", output.name, toText(type),
                                          buffer.valid() ? textOf(buffer) : "a tensor without a type", why));
  };
  if (!buffer.valid()) return refuse("bind a tensor, or a device");
  if (type.known() && !type.isTensor())
    return refuse("only tensors can be written into memory of the caller's; bind a device");
  if (type.element != ElementType::kUndefined && buffer.type() != type.element)
    return refuse("the element types differ");
  if (buffer.data() == nullptr && buffer.sizeBytes() > 0) return refuse("there is no memory behind the buffer");
  if (!type.shape) return {};
  if (buffer.rank() != type.shape->rank()) return refuse("the ranks differ");
  for (size_t axis = 0; axis < buffer.rank(); ++axis) {
    const Dim& dim = (*type.shape)[axis];
    if (dim.isKnown() && dim.value() != buffer.dims()[axis])
      return refuse(
          fmt::format("dimension {} is {} in the model and {} in the buffer", axis, dim.value(), buffer.dims()[axis]));
  }
  return {};
}

Result<void> IoBinding::State::checkOverlap(const std::string& name, const Tensor& buffer) const {
  for (const auto& other : outputs) {
    const std::string& otherName = outputTypes[other->place].name;
    if (otherName == name || !other->buffer.valid() || !overlap(buffer, other->buffer)) continue;
    return wrong(name, fmt::format("the memory bound to output '{}' overlaps that of output '{}'", name, otherName));
  }
  for (size_t place = 0; place < inputs.size(); ++place) {
    bool met = false;
    forEachTensor(inputs[place], [&](const Tensor& tensor) { met = met || overlap(buffer, tensor); });
    if (met)
      return wrong(name, fmt::format("the memory bound to output '{}' overlaps that of input '{}': an output of a run "
                                     "cannot be an input of the same run",
                                     name, checker.inputs()[place].name));
  }
  return {};
}

Result<void> IoBinding::State::checkInputOverlap(const std::string& name, const RuntimeValue& value) const {
  for (const auto& output : outputs) {
    if (!output->buffer.valid()) continue;
    bool met = false;
    forEachTensor(value, [&](const Tensor& tensor) { met = met || overlap(output->buffer, tensor); });
    if (met)
      return wrong(name, fmt::format("the memory bound to input '{}' overlaps that of output '{}': an output of a run "
                                     "cannot be an input of the same run",
                                     name, outputTypes[output->place].name));
  }
  return {};
}

// With the inputs' dimensions, those of the outputs that are the same symbols are known.
Result<void> IoBinding::State::checkSymbols(const BoundOutput& output) const {
  const execute::NamedType& expected = outputTypes[output.place];
  if (!output.buffer.valid() || !expected.type.shape) return {};
  for (size_t axis = 0; axis < output.buffer.rank(); ++axis) {
    const Dim& dim = (*expected.type.shape)[axis];
    if (!dim.isSymbol()) continue;
    const auto found = std::ranges::find(checker.symbolNames(), dim.symbol());
    if (found == checker.symbolNames().end()) continue;
    const auto symbol = static_cast<size_t>(found - checker.symbolNames().begin());
    if (match.symbolValue[symbol] < 0 || match.symbolValue[symbol] == output.buffer.dims()[axis]) continue;
    const std::string& input = checker.inputs()[static_cast<size_t>(match.symbolInput[symbol])].name;
    return wrong(
        expected.name,
        fmt::format("output '{}' is bound to {}, but dimension {} is '{}', which is {} in input '{}'", expected.name,
                    textOf(output.buffer), axis, dim.symbol(), match.symbolValue[symbol], input));
  }
  return {};
}

BoundOutput& IoBinding::State::outputAt(size_t place) {
  if (boundAll) {
    outputs.clear();
    boundAll = false;
  }
  prepared = false;
  for (const auto& output : outputs) {
    if (output->place == place) return *output;
  }
  outputs.push_back(std::make_unique<BoundOutput>());
  outputs.back()->place = static_cast<uint32_t>(place);
  wanted.push_back(outputTypes[place].name);
  return *outputs.back();
}

void IoBinding::State::bindAll() {
  if (!outputs.empty()) return;
  for (size_t place = 0; place < outputTypes.size(); ++place) {
    outputs.push_back(std::make_unique<BoundOutput>());
    outputs.back()->place = static_cast<uint32_t>(place);
  }
  boundAll = true;
}

Result<void> IoBinding::State::prepare() {
  if (prepared) return {};
  bindAll();
  match.values.assign(inputs.size(), nullptr);
  for (size_t place = 0; place < inputs.size(); ++place) {
    if (isBound[place] != 0) match.values[place] = &inputs[place];
  }
  CUTAWAY_CHECK(checker.checkValues(match));
  for (const auto& output : outputs)
    CUTAWAY_CHECK(checkSymbols(*output));
  results.clear();
  for (const auto& output : outputs)
    results.push_back({outputTypes[output->place].name, {}});
  prepared = true;
  return {};
}

IoBinding::IoBinding(Session& session) : m_state(std::make_unique<State>(session)) {}
IoBinding::~IoBinding() = default;

Result<void> IoBinding::bindInput(const std::string& name, RuntimeValue value) {
  CUTAWAY_TRY(const size_t place, m_state->checker.placeOf(name));
  if (auto checked = m_state->checker.checkValue(place, value); !checked)
    return fail(atValue(std::move(checked).error(), name));
  CUTAWAY_CHECK(m_state->checkInputOverlap(name, value));
  m_state->inputs[place] = std::move(value);
  m_state->isBound[place] = 1;
  m_state->prepared = false;
  return {};
}

Result<void> IoBinding::bindOutput(const std::string& name, Tensor buffer) {
  CUTAWAY_TRY(const size_t place, m_state->placeOfOutput(name));
  CUTAWAY_CHECK(m_state->checkBuffer(m_state->outputTypes[place], buffer));
  CUTAWAY_CHECK(m_state->checkOverlap(name, buffer));
  m_state->outputAt(place).buffer = std::move(buffer);
  return {};
}

Result<void> IoBinding::bindOutput(const std::string& name, const Device& device) {
  CUTAWAY_TRY(const size_t place, m_state->placeOfOutput(name));
  BoundOutput& output = m_state->outputAt(place);
  output.buffer = {};
  output.device = device;
  return {};
}

void IoBinding::clearInputs() {
  for (RuntimeValue& input : m_state->inputs)
    input.reset();
  std::ranges::fill(m_state->isBound, uint8_t{0});
  m_state->prepared = false;
}

void IoBinding::clearOutputs() {
  m_state->outputs.clear();
  m_state->wanted.clear();
  m_state->results.clear();
  m_state->boundAll = false;
  m_state->prepared = false;
}

std::vector<std::string> IoBinding::missingInputs() const {
  std::vector<std::string> missing;
  for (size_t place = 0; place < m_state->inputs.size(); ++place) {
    const execute::NamedType& input = m_state->checker.inputs()[place];
    if (input.required && m_state->isBound[place] == 0) missing.push_back(input.name);
  }
  return missing;
}

const std::vector<execute::Feed>& IoBinding::outputs() const {
  return m_state->results;
}

}  // namespace cutaway::session
