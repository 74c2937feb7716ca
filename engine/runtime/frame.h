#pragma once
// A frame: all memory and state that one run of one graph needs. Frames are pooled and reused, so that a steady run allocates nothing.
//
// Every value has a slot (dense index). Values of kind Allocate lie at their offset in the planned block, or in an arena chunk when no plan knows their size or the planned room is too small.
// Reuse is checked again at run time: a buffer that is missing, too small, or (in place) of another size is not used, and the value gets memory of its own.
// Thread rule: one thread at a time.
// Example: Frame frame(program, meter);  CUTAWAY_CHECK(runFrame(frame, control));

#include <deque>
#include <memory>
#include <mutex>
#include <vector>

#include "engine/runtime/frame_memory.h"
#include "engine/runtime/graph_program.h"
#include "engine/runtime/run_control.h"

namespace cutaway {

class FrameBodies;

struct Slot {
  RuntimeValue value;
  void* buffer = nullptr;       // of a root: the memory that it and the values which take it over lie in
  int64_t capacity = 0;
  MemoryChunk chunk;            // of a root: arena chunk behind `buffer`; of another value: memory of its own
  const void* given = nullptr;  // what output() returned in this step
};

class Frame {
 public:
  Frame(const GraphProgram& program, MemoryMeter& meter);
  ~Frame();

  const GraphProgram& program() const { return m_program; }
  Slot& slot(size_t value) { return m_slots[value]; }
  RuntimeValue& value(size_t value) { return m_slots[value].value; }

  // Plans to use in this run; nullptr: everything comes from the arena.
  void usePattern(std::shared_ptr<const MemoryPatternGroup> pattern);
  const std::shared_ptr<const MemoryPatternGroup>& pattern() const { return m_pattern; }
  // While tracing, the bytes each value asks for are noted.
  void startTrace();
  bool tracing() const { return m_tracing; }
  const std::vector<int64_t>& tracedSizes() const { return m_traced; }
  void stopTrace() { m_tracing = false; }
  void trimArena();

  // The tensor of a value that is about to be written.
  Result<Tensor*> prepareOutput(uint32_t value, ElementType type, std::span<const int64_t> dims);
  // After a step whose kernel set a value itself: makes the value own its bytes, and remembers to drop it.
  Result<void> adopt(uint32_t value);
  void release(uint32_t root);
  // Gives back everything a run may have left: on success only what outlives the steps, after an error all of it.
  void finish(bool completed);
  void bindConstants();
  // The weight or default behind this value, when it has one.
  void bindDefault(uint32_t value);

  KernelState* state(size_t step);
  FrameBodies& bodies(size_t step);
  ScratchMemory& scratch(size_t worker = 0) { return m_scratch[worker]; }
  const StepList* steps() const { return nullptr; }
  void setConcurrent(bool concurrent, int workers = 1) {
    m_concurrent = concurrent;
    while (m_scratch.size() < static_cast<size_t>(workers)) m_scratch.emplace_back(m_meter);
  }
  // Visits the frames of bodies that have run.
  template <typename Visit>
  void forEachBodyFrame(Visit&& visit);

  PatternCache::Key key;      // dims of the feeds of the current run, kept for its capacity
  PatternCache::Key lastKey;  // of `pattern`

 private:
  struct Overflow {
    uint32_t root = 0;
    uint32_t value = 0;
    bool ownsChunk = false;
  };

  void* bufferFor(uint32_t value, int64_t sizeBytes);
  void* rootBuffer(uint32_t root, int64_t sizeBytes);
  void* ownMemory(uint32_t value, int64_t sizeBytes);
  bool mayWriteOver(const ValueProgram& value, int64_t sizeBytes) const;
  Result<Tensor*> prepareStrings(uint32_t value, std::span<const int64_t> dims);
  Result<Tensor*> prepareFresh(uint32_t value, ElementType type, std::span<const int64_t> dims);
  Tensor& tensorOn(uint32_t value);
  void drop(const Overflow& overflow);

  const GraphProgram& m_program;
  MemoryMeter& m_meter;
  std::vector<Slot> m_slots;
  std::vector<GrowingBlock> m_blocks;   // per device
  std::vector<ChunkArena> m_arenas;     // per device
  std::deque<ScratchMemory> m_scratch;
  bool m_concurrent = false;
  std::recursive_mutex m_mutex;
  std::unique_lock<std::recursive_mutex> lockShared() { return m_concurrent ? std::unique_lock(m_mutex) : std::unique_lock<std::recursive_mutex>(); }
  std::shared_ptr<const MemoryPatternGroup> m_pattern;
  std::vector<std::byte*> m_bases;      // per pattern
  bool m_tracing = false;
  std::vector<int64_t> m_traced;
  std::vector<Overflow> m_overflow;     // values outside their plan, until their root is released
  std::vector<std::unique_ptr<KernelState>> m_states;
  std::vector<uint8_t> m_hasState;
  std::vector<std::unique_ptr<FrameBodies>> m_bodies;
};

}  // namespace cutaway
