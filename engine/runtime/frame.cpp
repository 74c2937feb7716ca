#include "engine/runtime/frame.h"

#include <algorithm>

#include "engine/base/checked_math.h"
#include "engine/runtime/frame_bodies.h"

namespace cutaway {
namespace {

// Where tensors of no bytes point to: kernels may compare and pass on the pointer, and never read it.
alignas(kBlockAlignment) std::byte emptyBytes[kBlockAlignment];

// Sequences share the bytes of their items. An item that does not keep its bytes alive points into a frame and must be copied.
Result<void> ownBytes(RuntimeValue& value);

Result<void> ownTensor(Tensor& tensor) {
  if (!tensor.valid() || tensor.keepAlive() != nullptr) return {};
  CUTAWAY_TRY(tensor, tensor.clone());
  return {};
}

Result<void> ownSequence(const RuntimeValue& value) {
  // Nested sequences are as deep as the model's declared types; a work list keeps that depth off the stack.
  std::vector<const RuntimeValue*> open{&value};
  while (!open.empty()) {
    const RuntimeValue* each = open.back();
    open.pop_back();
    if (each->isTensor()) CUTAWAY_CHECK(ownTensor(const_cast<Tensor&>(each->tensor())));
    if (!each->isSequence()) continue;
    for (const RuntimeValue& item : each->sequence().items) {
      if (item.isSequence() || (item.isTensor() && item.tensor().keepAlive() == nullptr)) open.push_back(&item);
    }
  }
  return {};
}

Result<void> ownBytes(RuntimeValue& value) {
  if (value.isTensor()) return ownTensor(value.tensor());
  if (value.isSequence()) return ownSequence(value);
  return {};
}

}  // namespace

Frame::Frame(const GraphProgram& program, MemoryMeter& meter) : m_program(program), m_meter(meter), m_slots(program.values.size()) {
  m_scratch.emplace_back(meter);
  m_states.resize(program.steps.size());
  m_hasState.assign(program.steps.size(), false);
  m_bodies.resize(program.steps.size());
  for (const ProgramDevice& device : program.devices) {
    m_blocks.emplace_back(*device.allocator, meter);
    m_arenas.emplace_back(*device.allocator, meter);
  }
  usePattern(program.staticPattern);
  bindConstants();
}

Frame::~Frame() = default;

void Frame::bindConstants() {
  for (const auto& [value, tensor] : m_program.constants) m_slots[value].value = tensor;
}

void Frame::bindDefault(uint32_t value) {
  for (const auto& [constant, tensor] : m_program.constants) {
    if (constant == value) m_slots[value].value = tensor;
  }
}

void Frame::usePattern(std::shared_ptr<const MemoryPatternGroup> pattern) {
  m_pattern = std::move(pattern);
  m_bases.clear();
  if (m_pattern == nullptr) return;
  for (const MemoryPattern& each : m_pattern->patterns) {
    std::byte* base = nullptr;
    for (size_t device = 0; device < m_program.devices.size(); ++device) {
      if (!(m_program.devices[device].device == each.device)) continue;
      if (m_blocks[device].reserve(each.peakBytes)) base = m_blocks[device].data();
    }
    // Without the one large block the run goes on with chunks.
    if (base == nullptr && each.peakBytes > 0) {
      m_pattern = nullptr;
      return;
    }
    m_bases.push_back(base);
  }
}

void Frame::startTrace() {
  m_tracing = true;
  m_traced.assign(m_program.values.size(), -1);
}

void Frame::trimArena() {
  for (ChunkArena& arena : m_arenas) arena.trim();
}

void* Frame::rootBuffer(uint32_t root, int64_t sizeBytes) {
  Slot& slot = m_slots[root];
  if (slot.buffer != nullptr && sizeBytes <= slot.capacity) return slot.buffer;
  if (slot.buffer != nullptr) return nullptr;
  if (m_pattern != nullptr && m_pattern->blocks[root].offset >= 0) {
    const int64_t room = alignUp(m_pattern->blocks[root].sizeBytes, kPatternAlignment);
    if (sizeBytes <= room) {
      slot.buffer = m_bases[static_cast<size_t>(m_pattern->patternOfValue[root])] + m_pattern->blocks[root].offset;
      slot.capacity = room;
      return slot.buffer;
    }
  }
  slot.chunk = m_arenas[m_program.values[root].device].acquire(sizeBytes);
  slot.buffer = slot.chunk.data;
  slot.capacity = slot.chunk.sizeBytes;
  return slot.buffer;
}

void* Frame::ownMemory(uint32_t value, int64_t sizeBytes) {
  Slot& slot = m_slots[value];
  if (slot.chunk.data != nullptr && slot.chunk.sizeBytes >= sizeBytes) return slot.chunk.data;
  const MemoryChunk chunk = m_arenas[m_program.values[value].device].acquire(sizeBytes);
  if (chunk.data == nullptr) return nullptr;
  // A chunk that was too small stays in the list of the old entry's arena until the root is released.
  if (slot.chunk.data != nullptr) {
    m_arenas[m_program.values[value].device].giveBack(slot.chunk);
  } else {
    m_overflow.push_back({m_program.values[value].root, value, true});
  }
  slot.chunk = chunk;
  return chunk.data;
}

// In place only over an input of exactly this size that really lies in the buffer, or when the input lies elsewhere and the buffer is unused.
bool Frame::mayWriteOver(const ValueProgram& value, int64_t sizeBytes) const {
  if (!value.overInput) return true;
  const RuntimeValue& input = m_slots[value.reused].value;
  if (!input.isTensor()) return false;
  const void* buffer = m_slots[value.root].buffer;
  return buffer == nullptr || input.tensor().data() != buffer || input.tensor().sizeBytes() == sizeBytes;
}

void* Frame::bufferFor(uint32_t index, int64_t sizeBytes) {
  if (sizeBytes == 0) return emptyBytes;
  const ValueProgram& value = m_program.values[index];
  if (m_tracing && (value.kind == AllocKind::kAllocate || (value.kind == AllocKind::kReuse && !value.isView))) m_traced[index] = std::max(m_traced[index], sizeBytes);
  if (value.kind == AllocKind::kAllocate) {
    if (void* buffer = rootBuffer(index, sizeBytes)) return buffer;
    // The kernel asked again for more than it first did.
    Slot& slot = m_slots[index];
    if (slot.chunk.data != nullptr) m_arenas[value.device].giveBack(slot.chunk);
    slot.chunk = m_arenas[value.device].acquire(sizeBytes);
    slot.buffer = slot.chunk.data;
    slot.capacity = slot.chunk.sizeBytes;
    return slot.buffer;
  }
  if (value.isView) {
    const RuntimeValue& input = m_slots[value.reused].value;
    if (input.isTensor() && input.tensor().type() != ElementType::kString && input.tensor().sizeBytes() == sizeBytes) return const_cast<void*>(input.tensor().data());
  } else if (value.kind == AllocKind::kReuse && m_program.values[value.root].kind == AllocKind::kAllocate && mayWriteOver(value, sizeBytes)) {
    if (void* buffer = rootBuffer(value.root, sizeBytes)) return buffer;
  }
  return ownMemory(index, sizeBytes);
}

Tensor& Frame::tensorOn(uint32_t value) {
  RuntimeValue& held = m_slots[value].value;
  if (!held.isTensor()) {
    const Device& device = m_program.devices[m_program.values[value].device].device;
    if (device.type != DeviceType::kCpu) held = Tensor::wrap(ElementType::kFloat, {}, nullptr, {}, device);
  }
  return held.asTensor();
}

Result<Tensor*> Frame::prepareStrings(uint32_t index, std::span<const int64_t> dims) {
  RuntimeValue& held = m_slots[index].value;
  const bool reusable = held.isTensor() && held.tensor().type() == ElementType::kString && held.tensor().keepAlive().use_count() == 1 &&
                        m_program.values[index].kind != AllocKind::kAllocateOutput && std::ranges::equal(held.tensor().dims(), dims);
  if (!reusable) {
    CUTAWAY_TRY(Tensor strings, Tensor::create(ElementType::kString, dims));
    held = std::move(strings);
  }
  m_slots[index].given = held.tensor().data();
  return &held.tensor();
}

Result<Tensor*> Frame::prepareFresh(uint32_t index, ElementType type, std::span<const int64_t> dims) {
  Slot& slot = m_slots[index];
  if (slot.given != nullptr && slot.value.isTensor() && slot.value.tensor().data() == slot.given && slot.value.tensor().type() == type && std::ranges::equal(slot.value.tensor().dims(), dims)) return &slot.value.tensor();
  CUTAWAY_TRY(Tensor fresh, Tensor::create(type, dims, *m_program.devices[m_program.values[index].device].allocator));
  slot.value = std::move(fresh);
  slot.given = slot.value.tensor().data();
  return &slot.value.tensor();
}

Result<Tensor*> Frame::prepareOutput(uint32_t index, ElementType type, std::span<const int64_t> dims) {
  const auto lock = lockShared();
  if (type == ElementType::kUndefined) return fail(ErrorCode::kInvalidGraph, "the element type of '{}' is not known", m_program.graph->value(ValueId{index}).name);
  if (type == ElementType::kString) return prepareStrings(index, dims);
  const AllocKind kind = m_program.values[index].kind;
  if (kind == AllocKind::kAllocateOutput || kind == AllocKind::kShare) return prepareFresh(index, type, dims);
  CUTAWAY_TRY(const int64_t sizeBytes, byteSize(type, dims));
  void* data = bufferFor(index, sizeBytes);
  if (data == nullptr) return fail(ErrorCode::kFail, "no memory for '{}' ({}{}, {} bytes)", m_program.graph->value(ValueId{index}).name, elementTypeName(type), dimsToText(dims), sizeBytes);
  Tensor& tensor = tensorOn(index);
  tensor.rebind(type, dims, data);
  m_slots[index].given = data;
  return &tensor;
}

Result<void> Frame::adopt(uint32_t index) {
  const auto lock = lockShared();
  Slot& slot = m_slots[index];
  const ValueProgram& value = m_program.values[index];
  if (slot.value.isTensor()) {
    const Tensor& tensor = slot.value.tensor();
    if (tensor.data() == slot.given && slot.given != nullptr) return {};
    const RuntimeValue& viewed = m_slots[value.reused].value;
    const bool looksAtInput = value.isView && viewed.isTensor() && viewed.tensor().data() == tensor.data();
    if (looksAtInput && tensor.keepAlive() == nullptr) return {};
    if (!looksAtInput) CUTAWAY_CHECK(ownTensor(slot.value.tensor()));
  } else {
    CUTAWAY_CHECK(ownBytes(slot.value));
  }
  if (!slot.value.empty()) m_overflow.push_back({value.root, index, false});
  return {};
}

void Frame::drop(const Overflow& overflow) {
  Slot& slot = m_slots[overflow.value];
  if (!overflow.ownsChunk) {
    slot.value.reset();
  } else if (slot.chunk.data != nullptr) {
    m_arenas[m_program.values[overflow.value].device].giveBack(slot.chunk);
    slot.chunk = {};
  }
}

void Frame::release(uint32_t root) {
  const auto lock = lockShared();
  Slot& slot = m_slots[root];
  if (slot.chunk.data != nullptr) m_arenas[m_program.values[root].device].giveBack(slot.chunk);
  slot.chunk = {};
  slot.buffer = nullptr;
  slot.capacity = 0;
  if (m_overflow.empty()) return;
  std::erase_if(m_overflow, [&](const Overflow& overflow) {
    if (overflow.root != root) return false;
    drop(overflow);
    return true;
  });
}

void Frame::finish(bool completed) {
  for (const Overflow& overflow : m_overflow) drop(overflow);
  m_overflow.clear();
  for (ScratchMemory& each : m_scratch) each.reset();
  const auto forget = [&](uint32_t value) {
    m_slots[value].value.reset();
    if (m_program.values[value].kind == AllocKind::kAllocateStatically) bindDefault(value);
  };
  for (uint32_t input : m_program.inputs) forget(input);
  for (uint32_t output : m_program.outputs) forget(output);
  if (completed) return;
  for (size_t i = 0; i < m_slots.size(); ++i) {
    if (m_slots[i].chunk.data != nullptr) m_arenas[m_program.values[i].device].giveBack(m_slots[i].chunk);
    m_slots[i] = Slot{};
  }
  m_tracing = false;
  bindConstants();
}

KernelState* Frame::state(size_t step) {
  if (!m_hasState[step]) {
    m_states[step] = m_program.steps[step].kernel->createState();
    m_hasState[step] = true;
  }
  return m_states[step].get();
}

FrameBodies& Frame::bodies(size_t step) {
  if (m_bodies[step] == nullptr) m_bodies[step] = std::make_unique<FrameBodies>(*this, m_program.steps[step], m_meter);
  return *m_bodies[step];
}

}  // namespace cutaway
