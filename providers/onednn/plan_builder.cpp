#include "providers/onednn/plan_builder.h"

#include <algorithm>
#include <cstring>
#include <ranges>
#include <utility>

#include "engine/graph/doing_node.h"
#include "providers/onednn/empty_node.h"
#include "providers/onednn/operator_table.h"

namespace cutaway::onednn {

static constexpr uint32_t kNoKey = ~uint32_t{0};

PlanBuilder::PlanBuilder(const BuildRequest& request) : m_request(request), m_plan(std::make_unique<Plan>()) {
  m_plan->threads = request.threads;
  if (!probing()) m_plan->fusedLinks.assign(request.graph.nodeSlots(), kNotTried);
  for (const ValueId id : request.outputs)
    m_outputs.insert(id.index());
  for (const NodeId id : request.nodes) {
    m_open.insert(id.index());
    for (const ValueId input : node(id).inputs) {
      if (!isConstant(input)) continue;
      const Tensor& tensor = *graph().value(input).initializer;
      m_values[input.index()].dims.assign(tensor.dims().begin(), tensor.dims().end());
    }
  }
}

Result<std::unique_ptr<Plan>> PlanBuilder::build() {
  const ThreadShare share(m_request.threads);
  CUTAWAY_CHECK(bindInputs());
  for (const NodeId id : m_request.nodes) {
    if (isDone(id)) continue;
    const DoingNode doing(graph(), id);
    const OperatorRow* row = findOperator(node(id));
    if (row == nullptr) return fail(ErrorCode::kNotImplemented, "oneDNN has no primitive for {}", node(id).opType);
    m_inHand.assign(1, id);
    for (const ValueId input : node(id).inputs)
      CUTAWAY_CHECK(checkDeclared(input));
    bool isLowered = false;
    if (!probing() && hasEmptyInput(*this, id)) {
      CUTAWAY_TRY(isLowered, lowerEmptyNode(*this, id));
    }
    if (!isLowered) CUTAWAY_CHECK(row->lower(*this, id));
    for (const NodeId done : m_inHand)
      m_open.erase(done.index());
  }
  CUTAWAY_CHECK(bindOutputs());
  CUTAWAY_CHECK(checkMemories());
  placeWorkingBuffers(*m_plan);
  return std::move(m_plan);
}

Result<void> PlanBuilder::bindInputs() {
  m_plan->inputDims.assign(m_request.inputDims.begin(), m_request.inputDims.end());
  for (size_t slot = 0; slot < m_request.inputs.size(); ++slot) {
    const ValueId value = m_request.inputs[slot];
    const auto type = dataTypeOf(graph().value(value).type.element);
    if (!type)
      return fail(ErrorCode::kNotImplemented, "oneDNN has no element type {}",
                  elementTypeName(graph().value(value).type.element));
    const Descriptor descriptor = plainDescriptor(m_request.inputDims[slot], *type);
    const uint32_t buffer = addBuffer(
        {.kind = PlanBuffer::Kind::kInput, .slot = static_cast<uint32_t>(slot), .sizeBytes = descriptor.get_size()});
    m_plan->inputTypes.push_back(graph().value(value).type.element);
    define(value, m_request.inputDims[slot], {buffer, descriptor});
  }
  return {};
}

// A result that lies row-major in working memory is written into the caller's tensor at once.
Result<void> PlanBuilder::bindOutputs() {
  for (size_t slot = 0; slot < m_request.outputs.size(); ++slot) {
    const ValueId value = m_request.outputs[slot];
    ValueState& state = m_values[value.index()];
    if (state.quantized) CUTAWAY_CHECK(attempt("dequantization", [&] { stored(value); }));
    if (!state.defined)
      return fail(ErrorCode::kEpFail, "the group's output '{}' was not computed", graph().value(value).name);
    CUTAWAY_CHECK(checkDeclared(value));
    m_plan->outputDims.push_back(state.dims);
    m_plan->outputTypes.push_back(elementTypeOf(state.stored.descriptor.data_type()));
    const Descriptor plain = plainDescriptor(state.dims, state.stored.descriptor.data_type());
    PlanBuffer& buffer = m_plan->buffers[state.stored.buffer];
    if (buffer.kind == PlanBuffer::Kind::kWorking && buffer.sizeBytes == plain.get_size() &&
        state.stored.descriptor == plain) {
      buffer.kind = PlanBuffer::Kind::kOutput;
      buffer.slot = static_cast<uint32_t>(slot);
      continue;
    }
    const uint32_t target = addBuffer(
        {.kind = PlanBuffer::Kind::kOutput, .slot = static_cast<uint32_t>(slot), .sizeBytes = plain.get_size()});
    CUTAWAY_TRY(const Stored source, viewed(state.stored, plain.dims()));
    CUTAWAY_CHECK(addReorder(source, {target, plain}));
  }
  return {};
}

uint32_t PlanBuilder::addBuffer(PlanBuffer buffer) {
  m_plan->buffers.push_back(std::move(buffer));
  m_valuesIn.emplace_back();
  m_copies.emplace_back();
  m_copiedFrom.push_back(kNoBuffer);
  m_constantKey.push_back(kNoKey);
  return static_cast<uint32_t>(m_plan->buffers.size() - 1);
}

Dimensions PlanBuilder::dimensions(ValueId value) const {
  Dimensions sizes = dims(value);
  if (sizes.empty()) sizes.push_back(1);
  return sizes;
}

const Tensor* PlanBuilder::constant(ValueId value) const {
  if (!isConstant(value)) return nullptr;
  const Tensor& tensor = *graph().value(value).initializer;
  if (!hasNumbers(tensor)) return nullptr;
  if (!probing()) m_readConstants.insert(static_cast<uint32_t>(value.index()));
  return &tensor;
}

bool PlanBuilder::known(ValueId value) const {
  const auto found = m_values.find(value.index());
  return found != m_values.end() && (found->second.defined || found->second.quantized || graph().isConstant(value));
}

Stored PlanBuilder::stored(ValueId value) {
  ValueState& state = m_values[value.index()];
  if (!state.defined && state.quantized) makeFloats(value, state);
  if (!state.defined) {
    if (!isConstant(value)) throw std::runtime_error("a value is used before it is made");
    const Tensor& tensor = *graph().value(value).initializer;
    const Descriptor descriptor = plainDescriptor(tensor.dims(), dataTypeOf(tensor.type()).value_or(DataType::f32));
    std::shared_ptr<const void> bytes(tensor.keepAlive(), tensor.data());
    const uint32_t buffer = addBuffer({.kind = PlanBuffer::Kind::kConstant,
                                       .sizeBytes = static_cast<size_t>(tensor.sizeBytes()),
                                       .bytes = std::move(bytes)});
    m_constantKey[buffer] = static_cast<uint32_t>(value.index());
    define(value, {tensor.dims().begin(), tensor.dims().end()}, {buffer, descriptor});
  }
  return state.stored;
}

Stored PlanBuilder::working(const Descriptor& descriptor) {
  return {addBuffer({.sizeBytes = descriptor.get_size()}), descriptor};
}

Stored PlanBuilder::ownConstant(std::shared_ptr<const void> bytes, const Descriptor& descriptor) {
  return {
      addBuffer({.kind = PlanBuffer::Kind::kConstant, .sizeBytes = descriptor.get_size(), .bytes = std::move(bytes)}),
      descriptor};
}

Result<Stored> PlanBuilder::floats(std::span<const float> values, const Dimensions& dims) {
  CUTAWAY_TRY(const std::shared_ptr<void> bytes, newBytes(values.size_bytes()));
  std::memcpy(bytes.get(), values.data(), values.size_bytes());
  return ownConstant(bytes, plainDescriptor(dims, DataType::f32));
}

Result<Stored> PlanBuilder::reordered(const Stored& from, const Descriptor& wanted) {
  if (from.descriptor == wanted) return from;
  for (const Copy& copy : m_copies[from.buffer]) {
    if (copy.from.descriptor == from.descriptor && copy.to.descriptor == wanted) return copy.to;
  }
  const PlanBuffer source = m_plan->buffers[from.buffer];
  Stored target;
  if (source.kind == PlanBuffer::Kind::kConstant) {
    std::shared_ptr<const void> bytes;
    if (from.descriptor.get_size() > source.sizeBytes)
      return fail(ErrorCode::kInvalidGraph, "a constant of {} bytes is used as one of {}", source.sizeBytes,
                  from.descriptor.get_size());
    if (!probing()) {
      const uint32_t key = m_constantKey[from.buffer];
      CUTAWAY_TRY(bytes, key == kNoKey ? reorderedCopy(from.descriptor, source.bytes.get(), wanted)
                                       : m_request.weights->packed(key, from.descriptor, source.bytes.get(), wanted));
    }
    target = ownConstant(std::move(bytes), wanted);
  } else {
    target = working(wanted);
    CUTAWAY_CHECK(addReorder(from, target));
  }
  m_copies[from.buffer].push_back({from, target});
  m_copiedFrom[target.buffer] = from.buffer;
  return target;
}

Result<Stored> PlanBuilder::copied(const Stored& from, const Descriptor& wanted) {
  const Stored target = working(wanted);
  CUTAWAY_CHECK(addReorder(from, target));
  return target;
}

Result<Stored> PlanBuilder::viewed(const Stored& from, const Dimensions& dims) {
  if (from.descriptor.dims() == dims) return from;
  if (from.descriptor == plainDescriptor(from.descriptor.dims(), from.descriptor.data_type()))
    return Stored{from.buffer, plainDescriptor(dims, from.descriptor.data_type())};
  const Descriptor seen = from.descriptor.reshape(dims, true);
  if (seen.get_size() != 0 || from.descriptor.get_size() == 0) return Stored{from.buffer, seen};
  CUTAWAY_TRY(const Stored plain,
              reordered(from, plainDescriptor(from.descriptor.dims(), from.descriptor.data_type())));
  return Stored{plain.buffer, plainDescriptor(dims, from.descriptor.data_type())};
}

bool PlanBuilder::mayOverwrite(const Stored& stored) const {
  if (m_plan->buffers[stored.buffer].kind != PlanBuffer::Kind::kWorking) return false;
  for (const ValueId value : m_valuesIn[stored.buffer]) {
    if (m_outputs.contains(value.index())) return false;
    // From the back, where those that are not lowered yet are.
    for (const Use& use : graph().value(value).uses | std::views::reverse) {
      if (!isDone(use.node) && std::find(m_inHand.begin(), m_inHand.end(), use.node) == m_inHand.end()) return false;
    }
  }
  return true;
}

void PlanBuilder::overwrite(const Stored& stored) {
  m_copies[stored.buffer].clear();
  if (const uint32_t source = std::exchange(m_copiedFrom[stored.buffer], kNoBuffer); source != kNoBuffer)
    std::erase_if(m_copies[source], [&](const Copy& copy) { return copy.to.buffer == stored.buffer; });
  m_valuesIn[stored.buffer].clear();  // all of them have been read
}

void PlanBuilder::define(ValueId value, std::vector<int64_t> dims, const Stored& stored) {
  m_values[value.index()] = {std::move(dims), stored, true, std::nullopt};
  m_valuesIn[stored.buffer].push_back(value);
}

NodeId PlanBuilder::soleConsumer(ValueId value) const {
  const Value& it = graph().value(value);
  if (m_outputs.contains(value.index()) || it.uses.size() != 1 || isDone(it.uses[0].node)) return {};
  return it.uses[0].node;
}

// Multiply-adds (or elements of a plain loop, times eight) below which another thread costs more than it saves.
int PlanBuilder::threadsFor(int64_t work) const {
  constexpr int64_t kWorkPerThread = int64_t{1} << 16;
  return usefulThreads(work, kWorkPerThread);
}

Result<void> PlanBuilder::addReorder(const Stored& from, const Stored& to, const dnnl::primitive_attr& attributes) {
  std::optional<dnnl::reorder::primitive_desc> description;
  const int64_t work = static_cast<int64_t>(to.descriptor.get_size()) * 2;
  CUTAWAY_CHECK(attempt("reorder", [&] {
    const ThreadShare share(threadsFor(work));
    description.emplace(engine(), from.descriptor, engine(), to.descriptor, attributes);
  }));
  CUTAWAY_CHECK(addStep<dnnl::reorder>(*description, {{DNNL_ARG_FROM, from}, {DNNL_ARG_TO, to}}, work));
  m_plan->figures.reorders += 1;
  m_plan->figures.primitives -= 1;
  return {};
}

void PlanBuilder::touch(uint32_t buffer) {
  const auto step = static_cast<int32_t>(m_plan->steps.size());
  PlanBuffer& it = m_plan->buffers[buffer];
  if (it.firstStep < 0) it.firstStep = step;
  it.lastStep = step;
}

uint32_t PlanBuilder::memoryOf(const Stored& stored) {
  for (size_t i = m_plan->memories.size(); i-- > 0 && m_plan->memories.size() - i < 64;) {
    if (m_plan->memories[i].buffer == stored.buffer && m_plan->memories[i].descriptor == stored.descriptor)
      return static_cast<uint32_t>(i);
  }
  m_plan->memories.push_back({stored.buffer, stored.descriptor});
  return static_cast<uint32_t>(m_plan->memories.size() - 1);
}

void PlanBuilder::push(dnnl::primitive primitive, StepArguments arguments, int threads) {
  PlanStep step{.primitive = std::move(primitive), .arguments = {}, .threads = threads};
  for (auto& [name, stored] : arguments) {
    if (stored.buffer == kNoBuffer) {
      if (stored.descriptor.get_size() == 0) continue;
      stored = working(stored.descriptor);
    }
    touch(stored.buffer);
    step.arguments.emplace_back(name, memoryOf(stored));
  }
  m_plan->steps.push_back(std::move(step));
  m_plan->figures.primitives += 1;
}

void PlanBuilder::poolExactly(ExactMaximum rule, const Stored& source, const Stored& target) {
  rule.source = memoryOf(source);
  rule.target = memoryOf(target);
  m_plan->steps.back().exactMaximum = std::make_shared<const ExactMaximum>(rule);
}

void PlanBuilder::addOwn(std::shared_ptr<const math::OwnConvolution> algorithm, const math::Activation& activation,
                         const OwnOperands& operands, int64_t work) {
  const Stored scratch = working(plainDescriptor({{static_cast<int64_t>(algorithm->scratchBytes())}}, DataType::u8));
  StepArguments arguments{{DNNL_ARG_SRC, operands.source},
                          {DNNL_ARG_WEIGHTS, operands.weights},
                          {DNNL_ARG_DST, operands.result},
                          {DNNL_ARG_SCRATCHPAD, scratch}};
  if (operands.bias) arguments.emplace_back(DNNL_ARG_BIAS, *operands.bias);
  if (operands.residual) arguments.emplace_back(DNNL_ARG_SRC_1, *operands.residual);
  push({}, std::move(arguments), threadsFor(work));
  note(algorithm->implementation(), work);
  const auto index = [&](const std::optional<Stored>& stored) { return stored ? memoryOf(*stored) : OwnStep::kNone; };
  m_plan->steps.back().own = std::make_shared<const OwnStep>(
      OwnStep{algorithm, activation, index(operands.source), index(operands.weights), index(operands.bias),
              index(operands.residual), index(operands.result), index(scratch)});
}

bool PlanBuilder::addActivation(const math::Activation& activation, const Stored& from, const Stored& to) {
  const size_t count = static_cast<size_t>(elementCount(from.descriptor.dims()));
  if (probing() || math::channelLoops() == nullptr || from.descriptor.data_type() != DataType::f32 ||
      from.descriptor != to.descriptor || from.descriptor.get_size() != count * sizeof(float))
    return false;
  push({}, {{DNNL_ARG_SRC, from}, {DNNL_ARG_DST, to}}, threadsFor(static_cast<int64_t>(count) * 8));
  m_plan->steps.back().activation =
      std::make_shared<const OwnActivation>(OwnActivation{activation, memoryOf(from), memoryOf(to)});
  return true;
}

void PlanBuilder::addConcat(std::span<const Stored> parts, size_t axis, const Stored& result) {
  const Dimensions dims = result.descriptor.dims();
  const bool plain = result.descriptor == plainDescriptor(dims, DataType::f32);
  OwnConcat step;
  // What stands before the axis in memory.
  for (size_t i = 0; i < dims.size(); ++i)
    step.rows *= plain ? (i < axis ? dims[i] : 1) : (i != axis ? dims[i] : 1);
  StepArguments arguments{{DNNL_ARG_DST, result}};
  for (size_t i = 0; i < parts.size(); ++i)
    arguments.emplace_back(DNNL_ARG_MULTIPLE_SRC + static_cast<int>(i), parts[i]);
  push({}, std::move(arguments), threadsFor(elementCount(dims) * 8));
  for (const Stored& part : parts)
    step.parts.push_back({memoryOf(part), part.descriptor.get_size() / static_cast<size_t>(step.rows)});
  step.target = memoryOf(result);
  m_plan->steps.back().concat = std::make_shared<const OwnConcat>(std::move(step));
}

std::optional<size_t> PlanBuilder::linksOfEarlierPlan() const {
  const size_t node = m_inHand.front().index();
  if (node >= m_request.fusedLinks.size() || m_request.fusedLinks[node] == kNotTried) return std::nullopt;
  return m_request.fusedLinks[node];
}

void PlanBuilder::noteLinks(size_t count) {
  if (!probing()) m_plan->fusedLinks[m_inHand.front().index()] = static_cast<uint8_t>(count);
}

// Rules of operators were checked against declared types: what a context declares must be what its nodes compute.
Result<void> PlanBuilder::checkDeclared(ValueId id) const {
  if (m_request.trusted || !id.valid() || isConstant(id)) return {};
  const ValueType& type = graph().value(id).type;
  const auto found = m_values.find(id.index());
  if (found == m_values.end())
    return fail(ErrorCode::kEpFail, "the value '{}' is used before it is made", graph().value(id).name);
  const ValueState& state = found->second;
  bool agrees = !type.shape || state.dims.size() == type.shape->rank();
  for (size_t axis = 0; agrees && type.shape && axis < state.dims.size(); ++axis)
    agrees = !(*type.shape)[axis].isKnown() || (*type.shape)[axis].value() == state.dims[axis];
  if (state.defined) agrees = agrees && elementTypeOf(state.stored.descriptor.data_type()) == type.element;
  if (!agrees)
    return fail(ErrorCode::kEpFail, "the value '{}' is declared as {}, but its dims are {}", graph().value(id).name,
                toText(type), dimsToText(state.dims));
  return {};
}

// Nothing is read or written beyond what is there, whatever sizes the nodes and constants of a file claim; constants
// that are used as they lie are noted.
Result<void> PlanBuilder::checkMemories() {
  if (probing()) return {};
  for (const PlanMemory& memory : m_plan->memories) {
    PlanBuffer& buffer = m_plan->buffers[memory.buffer];
    if (memory.descriptor.get_size() > buffer.sizeBytes)
      return fail(ErrorCode::kInvalidGraph, "{} bytes are used as {}: dims of nodes and values disagree",
                  buffer.sizeBytes, memory.descriptor.get_size());
    if (buffer.kind != PlanBuffer::Kind::kConstant) continue;
    const uint32_t key = m_constantKey[memory.buffer];
    if (key != kNoKey) m_readConstants.insert(key);
    if (buffer.bytes != nullptr || buffer.sizeBytes == 0) continue;
    // A restored group with another number of threads may want a constant as the model had it.
    if (key == kNoKey)
      return fail(ErrorCode::kEpFail, "the compiled group does not have the numbers of one of its constants");
    CUTAWAY_TRY(buffer.bytes, m_request.weights->packed(key, memory.descriptor, nullptr, memory.descriptor));
  }
  m_plan->readConstants.assign(m_readConstants.begin(), m_readConstants.end());
  return {};
}

void PlanBuilder::note(const std::string& implementation, int64_t work) {
  if (work <= m_mostWork) return;
  m_mostWork = work;
  m_plan->figures.implementation = implementation;
}

}  // namespace cutaway::onednn
