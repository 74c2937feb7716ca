// Frames as a whole: what they use in a run, and giving everything back. Where values lie is in frame_buffers.cpp.

#include "engine/execute/frame/frame.h"

#include <algorithm>

#include "engine/execute/device/captured_segment_player.h"
#include "engine/execute/frame/frame_bodies.h"
#include "engine/tensor/value_bytes.h"

namespace cutaway::execute {
namespace {

Result<void> ownTensor(Tensor& tensor) {
  if (!tensor.valid() || tensor.keepAlive() != nullptr) return {};
  CUTAWAY_TRY(tensor, tensor.clone());
  return {};
}

// Sequences share the bytes of their items. An item that does not keep its bytes alive points into a frame and must be
// copied.
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

Frame::Frame(const GraphProgram& program, MemoryMeter& meter, Frame* outer)
    : m_program(program),
      m_meter(meter),
      m_slots(program.values.size()),
      m_targets(program.outputs.size()),
      m_outputMemory(program.outputs.size()) {
  m_scratch.emplace_back(meter);
  m_states.resize(program.steps.size());
  m_hasState.assign(program.steps.size(), 0);
  m_bodies.resize(program.steps.size());
  for (const ProgramDevice& device : program.devices) {
    m_blocks.emplace_back(*device.allocator, meter);
    m_arenas.emplace_back(*device.allocator, meter, program.arena);
  }
  m_rooms.resize(program.devices.size());
  if (outer != nullptr) m_runs = outer->m_runs;
  for (size_t i = m_runs.size(); i < program.runs.size(); ++i) {
    m_ownRuns.push_back(program.runs[i].provider->createRun());
    m_runs.push_back(dynamic_cast<DeviceRun*>(m_ownRuns.back().get()));
  }
  m_capturedSegments = std::make_unique<CapturedSegmentPlayer>(program);
  bindConstants();
}

Frame::~Frame() {
  // Devices finish what was enqueued before the memory goes.
  m_ownRuns.clear();
  m_meter.release(MemoryUse::kOutputs, m_leavingBytes);
  // Chunks belong to arenas, which count those in use.
}

void Frame::setConcurrent(bool concurrent, int workers) {
  m_concurrent = concurrent;
  while (m_scratch.size() < static_cast<size_t>(std::max(workers, 1)))
    m_scratch.emplace_back(m_meter);
}

void Frame::bindConstants() {
  for (const auto& [value, tensor] : m_program.constants)
    m_slots[value].value = tensor;
}

// Constants are in order of their values.
void Frame::bindDefault(uint32_t value) {
  const auto found = std::lower_bound(m_program.constants.begin(), m_program.constants.end(), value,
                                      [](const auto& constant, uint32_t wanted) { return constant.first < wanted; });
  if (found != m_program.constants.end() && found->first == value) m_slots[value].value = found->second;
}

bool Frame::usePattern(std::shared_ptr<const pattern::MemoryPatternGroup> pattern) {
  ++m_placement;
  // In use only when all of it is there: memory may run out on the way.
  m_pattern = nullptr;
  m_bases.clear();
  if (pattern == nullptr) return true;
  m_bases.reserve(pattern->patterns.size());
  for (const pattern::MemoryPattern& each : pattern->patterns) {
    std::byte* base = nullptr;
    for (size_t device = 0; device < m_program.devices.size(); ++device) {
      if (!(m_program.devices[device].device == each.device)) continue;
      if (static_cast<int64_t>(m_rooms[device].size()) >= each.peakBytes && !m_rooms[device].empty()) {
        base = m_rooms[device].data();
      } else if (m_blocks[device].reserve(each.peakBytes)) {
        base = m_blocks[device].data();
      }
    }
    // Without the one large block the run goes on with chunks.
    if (base == nullptr && each.peakBytes > 0) {
      m_bases.clear();
      return false;
    }
    m_bases.push_back(base);
  }
  m_pattern = std::move(pattern);
  return true;
}

void Frame::placeIn(std::span<const std::span<std::byte>> rooms) {
  const bool same = std::ranges::equal(rooms, m_rooms, [](std::span<std::byte> a, std::span<std::byte> b) {
    return a.data() == b.data() && a.size() == b.size();
  });
  if (same && m_pattern != nullptr) return;
  std::ranges::copy(rooms, m_rooms.begin());
  usePattern(m_program.staticPattern);
  if (m_pattern == nullptr) return;
  // Where the room is enough, a block of its own is not needed any more.
  for (size_t device = 0; device < m_blocks.size(); ++device) {
    if (std::ranges::find(m_bases, m_blocks[device].data()) == m_bases.end()) m_blocks[device].clear();
  }
}

std::span<std::byte> Frame::bodyRoom(size_t step, const Device& device) const {
  if (m_pattern == nullptr) return {};
  auto at = std::ranges::lower_bound(m_pattern->bodies, static_cast<int32_t>(step), {}, &pattern::BodyWorkspace::step);
  for (; at != m_pattern->bodies.end() && at->step == static_cast<int32_t>(step); ++at) {
    if (at->pattern < 0 || at->block.offset < 0) continue;
    const auto pattern = static_cast<size_t>(at->pattern);
    if (m_pattern->patterns[pattern].device == device)
      return {m_bases[pattern] + at->block.offset, static_cast<size_t>(at->block.sizeBytes)};
  }
  return {};
}

void Frame::startTrace() {
  m_tracing = true;
  m_traced.assign(m_program.values.size(), -1);
}

void Frame::shrink(bool all) {
  for (Arena& arena : m_arenas)
    arena.shrink();
  if (!all) return;
  for (ScratchMemory& scratch : m_scratch)
    scratch.shrink();
  for (OutputMemory& memory : m_outputMemory)
    memory.shrink();
  // Bodies' frames and kernels' states come back with the next run.
  for (auto& bodies : m_bodies)
    bodies.reset();
  for (auto& state : m_states)
    state.reset();
  m_hasState.assign(m_hasState.size(), 0);
  usePattern(nullptr);
  lastKey.clear();
  for (GrowingBlock& block : m_blocks)
    block.clear();
}

Result<void> Frame::adopt(uint32_t index) {
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
  if (slot.value.empty()) return {};
  // A loop's sequence grows by one tensor after the other.
  if (const int64_t limit = m_meter.limitBytes(); limit > 0) {
    const int64_t sizeBytes = valueBytes(slot.value);
    if (sizeBytes > limit) return fail(noMemory(index, fmt::format("'{}'", nameOf(index)), sizeBytes));
  }
  const auto lock = lockShared();
  m_overflow.push_back({value.root, index, false});
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
  Slot& slot = m_slots[root];
  slot.buffer = nullptr;
  slot.capacity = 0;
  if (!m_concurrent && slot.chunk.data == nullptr && m_overflow.empty()) return;
  const auto lock = lockShared();
  if (slot.chunk.data != nullptr) m_arenas[m_program.values[root].device].giveBack(slot.chunk);
  slot.chunk = {};
  if (m_overflow.empty()) return;
  std::erase_if(m_overflow, [&](const Overflow& overflow) {
    if (overflow.root != root) return false;
    drop(overflow);
    return true;
  });
}

void Frame::finish(bool completed) {
  for (const Overflow& overflow : m_overflow)
    drop(overflow);
  m_overflow.clear();
  for (ScratchMemory& scratch : m_scratch)
    scratch.reset();
  const auto forget = [&](uint32_t value) {
    m_slots[value].value.reset();
    if (m_program.values[value].kind == AllocKind::kAllocateStatically) bindDefault(value);
  };
  for (uint32_t input : m_program.inputs)
    forget(input);
  for (uint32_t output : m_program.outputs) {
    forget(output);
    m_slots[output].buffer = nullptr;
  }
  for (OutputTarget& target : m_targets)
    target = {};
  for (uint32_t value : m_astray)
    m_slots[value].partsAstray = false;
  m_astray.clear();
  m_meter.release(MemoryUse::kOutputs, m_leavingBytes);
  m_leavingBytes = 0;
  if (completed) return;
  for (size_t i = 0; i < m_slots.size(); ++i) {
    if (m_slots[i].chunk.data != nullptr) m_arenas[m_program.values[i].device].giveBack(m_slots[i].chunk);
    m_slots[i] = Slot{};
  }
  m_tracing = false;
  bindConstants();
}

KernelState* Frame::state(size_t step) {
  if (m_hasState[step] == 0) {
    m_states[step] = m_program.steps[step].kernel->createState();
    m_hasState[step] = 1;
  }
  return m_states[step].get();
}

DeviceRun* Frame::runOf(uint32_t value) {
  const Device& device = m_program.devices[m_program.values[value].device].device;
  for (size_t i = 0; i < m_program.runs.size(); ++i) {
    if (m_program.runs[i].provider->device() == device) return m_runs[i];
  }
  return nullptr;
}

Result<void> Frame::awaitCopies(uint32_t value) {
  for (const StepWait& wait : m_program.values[m_program.values[value].root].copies) {
    if (wait.onHost && m_runs[static_cast<size_t>(wait.run)] != nullptr)
      CUTAWAY_CHECK(m_runs[static_cast<size_t>(wait.run)]->waitOnHost(wait.number));
  }
  return {};
}

FrameBodies& Frame::bodies(size_t step) {
  if (m_bodies[step] == nullptr)
    m_bodies[step] = std::make_unique<FrameBodies>(*this, m_program.steps[step], step, m_meter);
  return *m_bodies[step];
}

}  // namespace cutaway::execute
