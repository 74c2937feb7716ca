// Where the values of a frame lie: planned blocks, places inside other values, memory of outputs, chunks of the arena.
//
// The plan is a proposal. Sizes that turn out different in the run (types may lie, symbols may be wrong) lead to memory
// of the value's own, and kernels that join or split then copy.

#include <algorithm>

#include "engine/base/checked_math.h"
#include "engine/base/short_memory.h"
#include "engine/execute/frame/frame.h"
#include "engine/tensor/heap_limit.h"
#include "engine/tensor/value_bytes.h"

namespace cutaway::execute {
namespace {

// The C library asks the system anew for every block of more than 32 MB: each run would write such an output to pages
// that do not exist yet, which took a third of the time of a product with 32,000 columns.
constexpr int64_t kKeptOutputBytes = int64_t{32} << 20;

// Where tensors of no bytes point to: kernels may compare and pass on the pointer, and never read it.
alignas(kBlockAlignment) std::byte emptyBytes[kBlockAlignment];

}  // namespace

const std::string& Frame::nameOf(uint32_t value) const {
  return m_program.graph->value(ValueId{value}).name;
}

Error Frame::noMemory(uint32_t value, ElementType type, std::span<const int64_t> dims) const {
  return noMemory(value, fmt::format("'{}', {}{}", nameOf(value), elementTypeName(type), dimsToText(dims)),
                  byteSize(type, dims).value_or(-1));
}

Error Frame::noMemory(uint32_t value, std::string_view what, int64_t sizeBytes) const {
  const MemoryAllowance allowance{.heldBytes = m_meter.heldBytes(), .limitBytes = m_meter.limitBytes()};
  return atValue(noMemoryFor(what, m_meter.askedBytes(sizeBytes), allowance), nameOf(value));
}

Result<void> Frame::allowStrings(size_t step, uint32_t value, std::span<const int64_t> dims) const {
  const int64_t limit = m_meter.limitBytes();
  if (limit <= 0) return {};
  int64_t longest = 0;
  for (const int32_t input : m_program.steps[step].inputs) {
    if (input == kAbsent) continue;
    const RuntimeValue& given = m_slots[static_cast<size_t>(input)].value;
    if (!given.isTensor()) continue;
    // Made by a step before, and counted since then as strings without texts.
    if (const Result<void> held = holdTexts(given.tensor()); !held)
      return fail(atValue(held.error(), nameOf(static_cast<uint32_t>(input))));
    longest += longestText(given.tensor());
  }
  const int64_t sizeBytes = mostStringBytes(elementCount(dims), longest);
  if (sizeBytes <= limit - m_meter.heldBytes()) return {};
  const std::string what = fmt::format("'{}', strings{} of up to {} bytes", nameOf(value), dimsToText(dims), longest);
  return fail(noMemory(value, what, sizeBytes));
}

MemoryChunk Frame::acquire(uint32_t value, int64_t sizeBytes) {
  const auto lock = lockShared();
  return m_arenas[m_program.values[value].device].acquire(sizeBytes);
}

void Frame::giveBack(uint32_t value, MemoryChunk& chunk) {
  if (chunk.data == nullptr) return;
  const auto lock = lockShared();
  m_arenas[m_program.values[value].device].giveBack(chunk);
  chunk = {};
}

void* Frame::plannedPlace(uint32_t value) const {
  if (m_pattern == nullptr || m_pattern->blocks[value].offset < 0 || m_pattern->patternOfValue[value] < 0)
    return nullptr;
  return m_bases[static_cast<size_t>(m_pattern->patternOfValue[value])] + m_pattern->blocks[value].offset;
}

void* Frame::rootBuffer(uint32_t root, int64_t sizeBytes) {
  Slot& slot = m_slots[root];
  if (slot.buffer != nullptr) return sizeBytes <= slot.capacity ? slot.buffer : nullptr;
  if (void* place = plannedPlace(root); place != nullptr && !slot.partsAstray) {
    const int64_t room = alignUp(m_pattern->blocks[root].sizeBytes, pattern::kPatternAlignment);
    if (sizeBytes <= room) {
      slot.buffer = place;
      slot.capacity = room;
      return slot.buffer;
    }
  }
  slot.chunk = acquire(root, sizeBytes);
  slot.buffer = slot.chunk.data;
  slot.capacity = slot.chunk.sizeBytes;
  return slot.buffer;
}

// A part that is not where and what it was planned moves those behind it: then the whole must not lie over the parts
// already made, or copying one would overwrite the next.
void Frame::goAstray(uint32_t value) {
  const auto lock = lockShared();
  if (m_slots[value].partsAstray) return;
  m_slots[value].partsAstray = true;
  m_astray.push_back(value);
}

void* Frame::partBuffer(uint32_t part, int64_t sizeBytes) {
  void* place = plannedPlace(part);
  if (place == nullptr) return nullptr;
  if (sizeBytes == m_pattern->blocks[part].sizeBytes && !m_slots[part].partsAstray) return place;
  goAstray(m_program.values[part].reused);
  return nullptr;
}

// A view of a part of the input, wherever that lies now.
void* Frame::splitPartBuffer(uint32_t part, int64_t sizeBytes) {
  const uint32_t whole = m_program.values[part].reused;
  const uint32_t anchor = m_program.values[whole].anchor;
  const RuntimeValue& input = m_slots[whole].value;
  if (plannedPlace(part) == nullptr || plannedPlace(anchor) == nullptr || !input.isTensor() ||
      m_slots[whole].partsAstray)
    return nullptr;
  const int64_t offset = m_pattern->blocks[part].offset - m_pattern->blocks[anchor].offset;
  if (sizeBytes != m_pattern->blocks[part].sizeBytes || offset < 0 || offset + sizeBytes > input.tensor().sizeBytes()) {
    goAstray(whole);
    return nullptr;
  }
  return static_cast<std::byte*>(const_cast<void*>(input.tensor().data())) + offset;
}

void* Frame::earlyOutput(uint32_t output, ElementType type, std::span<const int64_t> dims, int64_t sizeBytes) {
  Slot& slot = m_slots[output];
  if (slot.buffer != nullptr) return sizeBytes == slot.capacity ? slot.buffer : nullptr;
  const ValueProgram& value = m_program.values[output];
  if (value.element != type || value.outputPlace < 0) return nullptr;
  OutputTarget& target = m_targets[static_cast<size_t>(value.outputPlace)];
  if (target.bound != nullptr) {
    if (target.bound->type() != type || target.bound->sizeBytes() != sizeBytes) return nullptr;
    slot.buffer = const_cast<void*>(target.bound->data());
  } else {
    auto made = leavingTensor(output, type, dims);
    if (!made) return nullptr;
    target.early = *std::move(made);
    slot.buffer = target.early.mutableData();
  }
  slot.capacity = sizeBytes;
  return slot.buffer;
}

void* Frame::anchorBuffer(uint32_t anchor, ElementType type, std::span<const int64_t> dims, int64_t sizeBytes) {
  const ValueProgram& value = m_program.values[anchor];
  if (value.isPart) return partBuffer(anchor, sizeBytes);
  if (value.isSplitPart) return splitPartBuffer(anchor, sizeBytes);
  if (value.kind == AllocKind::kAllocateOutput) return earlyOutput(anchor, type, dims, sizeBytes);
  return value.kind == AllocKind::kAllocate ? rootBuffer(anchor, sizeBytes) : nullptr;
}

void* Frame::ownMemory(uint32_t value, int64_t sizeBytes) {
  Slot& slot = m_slots[value];
  if (slot.chunk.data != nullptr && slot.chunk.sizeBytes >= sizeBytes) return slot.chunk.data;
  const bool listed = slot.chunk.data != nullptr;
  const auto lock = lockShared();
  Arena& arena = m_arenas[m_program.values[value].device];
  if (!listed) m_overflow.push_back({m_program.values[value].root, value, true});
  const MemoryChunk chunk = arena.acquire(sizeBytes);
  if (chunk.data == nullptr) return nullptr;
  if (listed) arena.giveBack(slot.chunk);
  slot.chunk = chunk;
  return chunk.data;
}

// In place only over an input of exactly this size that really lies in the buffer, or when the input lies elsewhere and
// the buffer is unused.
bool Frame::mayWriteOver(const ValueProgram& value, const void* buffer, int64_t sizeBytes) const {
  if (!value.overInput) return true;
  const RuntimeValue& input = m_slots[value.reused].value;
  return input.isTensor() && (input.tensor().data() != buffer || input.tensor().sizeBytes() == sizeBytes);
}

void* Frame::bufferFor(uint32_t index, ElementType type, std::span<const int64_t> dims, int64_t sizeBytes) {
  if (sizeBytes == 0) return emptyBytes;
  const ValueProgram& value = m_program.values[index];
  if (m_tracing && (value.kind == AllocKind::kAllocate || (value.kind == AllocKind::kReuse && !value.isView)))
    m_traced[index] = std::max(m_traced[index], sizeBytes);
  if (value.kind == AllocKind::kAllocate) {
    if (void* buffer = rootBuffer(index, sizeBytes)) return buffer;
    // The kernel asked again for more than it first did.
    Slot& slot = m_slots[index];
    giveBack(index, slot.chunk);
    slot.chunk = acquire(index, sizeBytes);
    slot.buffer = slot.chunk.data;
    slot.capacity = slot.chunk.sizeBytes;
    return slot.buffer;
  }
  if (value.isView) {
    const RuntimeValue& input = m_slots[value.reused].value;
    if (input.isTensor() && input.tensor().type() != ElementType::kString && input.tensor().sizeBytes() == sizeBytes)
      return const_cast<void*>(input.tensor().data());
  } else if (value.kind == AllocKind::kReuse && !(m_slots[index].partsAstray)) {
    void* buffer = anchorBuffer(value.anchor, type, dims, sizeBytes);
    if (buffer != nullptr && mayWriteOver(value, buffer, sizeBytes)) return buffer;
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

Error Frame::boundOtherwise(uint32_t index, const Tensor& bound, ElementType type,
                            std::span<const int64_t> dims) const {
  const std::string& name = nameOf(index);
  return atValue(
      Error{ErrorCode::kInvalidArgument,
            fmt::format(
                "output '{}' is bound to {}{}, and the run makes {}{}; bind a buffer of that shape, or a device", name,
                elementTypeName(bound.type()), dimsToText(bound.dims()), elementTypeName(type), dimsToText(dims)),
            {}},
      name);
}

Result<Tensor*> Frame::prepareStrings(uint32_t index, std::span<const int64_t> dims) {
  RuntimeValue& held = m_slots[index].value;
  const ValueProgram& value = m_program.values[index];
  const Tensor* bound = value.outputPlace >= 0 ? m_targets[static_cast<size_t>(value.outputPlace)].bound : nullptr;
  const bool reusable = held.isTensor() && held.tensor().type() == ElementType::kString &&
                        held.tensor().keepAlive().use_count() == 1 && value.kind != AllocKind::kAllocateOutput &&
                        std::ranges::equal(held.tensor().dims(), dims);
  if (bound != nullptr && value.kind == AllocKind::kAllocateOutput) {
    if (bound->type() != ElementType::kString || !std::ranges::equal(bound->dims(), dims))
      return fail(boundOtherwise(index, *bound, ElementType::kString, dims));
    held = *bound;
  } else if (!reusable) {
    CUTAWAY_TRY(Tensor strings, Tensor::create(ElementType::kString, dims));
    held = std::move(strings);
  }
  m_slots[index].given = held.tensor().data();
  return &held.tensor();
}

Result<Tensor> Frame::leavingTensor(uint32_t index, ElementType type, std::span<const int64_t> dims) {
  CUTAWAY_TRY(const int64_t sizeBytes, byteSize(type, dims));
  const ValueProgram& value = m_program.values[index];
  Allocator& allocator = *m_program.devices[value.device].allocator;
  if (value.outputPlace >= 0) {
    const auto place = static_cast<size_t>(value.outputPlace);
    OutputTarget& target = m_targets[place];
    if (target.bound != nullptr) {
      if (target.bound->type() != type || !std::ranges::equal(target.bound->dims(), dims))
        return fail(boundOtherwise(index, *target.bound, type, dims));
      return *target.bound;
    }
    if (target.early.valid() && target.early.type() == type && target.early.sizeBytes() == sizeBytes) {
      target.early.setDims(dims);
      return target.early;
    }
    const bool keeps = m_keepsSmallOutputs || sizeBytes >= kKeptOutputBytes;
    OutputMemory* memory = target.memory != nullptr ? target.memory : keeps ? &m_outputMemory[place] : nullptr;
    if (memory != nullptr) {
      auto taken = memory->take(type, dims, allocator, m_meter);
      return taken ? std::move(taken) : fail(noMemory(index, type, dims));
    }
  }
  if (!m_meter.hold(MemoryUse::kOutputs, sizeBytes)) return fail(noMemory(index, type, dims));
  {
    const auto lock = lockShared();
    m_leavingBytes += sizeBytes;
  }
  const CountedElsewhere byMeter;
  auto fresh = Tensor::create(type, dims, allocator);
  return fresh ? std::move(fresh) : fail(noMemory(index, type, dims));
}

Result<Tensor*> Frame::prepareLeaving(uint32_t index, ElementType type, std::span<const int64_t> dims) {
  Slot& slot = m_slots[index];
  if (slot.given != nullptr && slot.value.isTensor() && slot.value.tensor().data() == slot.given &&
      slot.value.tensor().type() == type && std::ranges::equal(slot.value.tensor().dims(), dims))
    return &slot.value.tensor();
  CUTAWAY_TRY(slot.value, leavingTensor(index, type, dims));
  slot.given = slot.value.tensor().data();
  return &slot.value.tensor();
}

Result<Tensor*> Frame::prepareOutput(uint32_t index, ElementType type, std::span<const int64_t> dims) {
  if (type == ElementType::kUndefined)
    return fail(ErrorCode::kInvalidGraph, "the element type of '{}' is not known", nameOf(index));
  if (type == ElementType::kString) return prepareStrings(index, dims);
  const AllocKind kind = m_program.values[index].kind;
  if (kind == AllocKind::kAllocateOutput || kind == AllocKind::kShare) return prepareLeaving(index, type, dims);
  CUTAWAY_TRY(const int64_t sizeBytes, byteSize(type, dims));
  void* data = bufferFor(index, type, dims, sizeBytes);
  if (data == nullptr) return fail(noMemory(index, type, dims));
  Tensor& tensor = tensorOn(index);
  tensor.rebind(type, dims, data);
  m_slots[index].given = data;
  return &tensor;
}

}  // namespace cutaway::execute
