#pragma once
// A frame: all memory and state that one run of one graph needs. Frames are pooled and reused, so that a steady run
// allocates nothing.
//
// Every value has a slot (dense index). Values of kind Allocate lie at their offset in the planned block, or in an
// arena chunk when no plan knows their size or the planned room is too small. A value that is a part of another lies at
// its place inside it; one that is written into an output lies in that output's memory, which is then taken early.
// Reuse is checked again at run time: a buffer that is missing, too small, or (in place) of another size is not used,
// and the value gets memory of its own.
//
// Thread rule: one thread at a time. After setConcurrent(true, workers) several steps of the frame may run at once, one
// per worker. Then safe together, for steps whose values do not depend on each other: prepareOutput, adopt, release,
// value, slot, state, bodies, scratch(worker). Not safe: anything that concerns the whole frame (usePattern,
// startTrace, bind..., finish, shrink). Whoever runs steps at once sees to it that a step starts after those that made
// its inputs, and after the last reader of whatever its outputs lie over. Example: Frame frame(program, meter);
// CUTAWAY_CHECK(runFrame(frame, control));

#include <algorithm>
#include <deque>
#include <memory>
#include <mutex>
#include <vector>

#include "engine/execute/memory/arena.h"
#include "engine/execute/memory/frame_memory.h"
#include "engine/execute/memory/output_memory.h"
#include "engine/execute/program/graph_program.h"
#include "engine/execute/run_control.h"

namespace cutaway::execute {

class FrameBodies;
class CapturedSegmentPlayer;

struct Slot {
  RuntimeValue value;
  void* buffer =
      nullptr;  // of an anchor (ValueProgram::anchor): the memory that it and the values which take it over lie in
  int64_t capacity = 0;
  MemoryChunk chunk;            // of a root: arena chunk behind `buffer`; of another value: memory of its own
  const void* given = nullptr;  // what output() returned in this step
  bool partsAstray = false;     // a part of it does not lie where it was planned: it must not lie there either
};

// Where a graph output is written: memory of the caller's, memory that is taken again, or (neither) fresh memory.
struct OutputTarget {
  const Tensor* bound = nullptr;
  OutputMemory* memory = nullptr;
  Tensor early;  // taken before the output itself was made, for a value that the output is a view of
};

class Frame {
 public:
  // outer: the frame whose step runs this one as a body; it lends the runs of its devices.
  Frame(const GraphProgram& program, MemoryMeter& meter, Frame* outer = nullptr);
  ~Frame();

  const GraphProgram& program() const { return m_program; }
  Slot& slot(size_t value) { return m_slots[value]; }
  RuntimeValue& value(size_t value) { return m_slots[value].value; }
  MemoryMeter& meter() { return m_meter; }

  // Several steps at once, on workers 0 to `workers` - 1.
  void setConcurrent(bool concurrent, int workers = 1);

  // The steps to run; nullptr: all. Stays until changed.
  void useSteps(const StepList* steps) { m_steps = steps; }
  const StepList* steps() const { return m_steps; }

  // Plans to use in this run; nullptr: everything comes from the arena. False when the memory for it is not to be had:
  // then the run goes on without.
  bool usePattern(std::shared_ptr<const pattern::MemoryPatternGroup> pattern);
  const std::shared_ptr<const pattern::MemoryPatternGroup>& pattern() const { return m_pattern; }
  // Room that somebody else provides for the pattern, by device of the program; used where the pattern fits.
  void placeIn(std::span<const std::span<std::byte>> rooms);
  // Room that the pattern sets aside for the bodies of a step on this device; empty when there is none.
  std::span<std::byte> bodyRoom(size_t step, const Device& device) const;
  // While tracing, the bytes each value asks for are noted.
  void startTrace();
  bool tracing() const { return m_tracing; }
  const std::vector<int64_t>& tracedSizes() const { return m_traced; }
  void stopTrace() { m_tracing = false; }
  // Idle memory goes back: arena regions, scratch, and with `all` planned blocks and memory of outputs too (the next
  // run takes them again).
  void shrink(bool all);

  // By place among the program's outputs; reset by finish().
  OutputTarget& target(size_t place) { return m_targets[place]; }
  // Outputs without another target take memory again that nobody holds any more (bodies); without this call only large
  // ones do.
  void keepOutputMemory() { m_keepsSmallOutputs = true; }
  // Whether the tensor lies in memory that is taken again once nobody else holds it.
  bool keepsOutput(const Tensor& tensor) const {
    return std::ranges::any_of(m_outputMemory, [&](const OutputMemory& memory) { return memory.holds(tensor); });
  }

  // FAIL, by policy, where the strings that this step is about to make of its inputs may pass the memory limit.
  Result<void> allowStrings(size_t step, uint32_t value, std::span<const int64_t> dims) const;
  // The tensor of a value that is about to be written.
  Result<Tensor*> prepareOutput(uint32_t value, ElementType type, std::span<const int64_t> dims);
  // After a step whose kernel set a value itself: makes the value own its bytes, and remembers to drop it. FAIL, by
  // policy, where it is larger than the memory limit.
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
  // By GraphProgram::runs. nullptr: the device gave none, and the first step that needs it says so.
  DeviceRun* run(int32_t index) { return index < 0 ? nullptr : m_runs[static_cast<size_t>(index)]; }
  size_t runCount() const { return m_runs.size(); }
  // Of the device that a value lies on; nullptr: the host's, or a device without a run.
  DeviceRun* runOf(uint32_t value);
  // Returns when copies have brought what this value's buffer holds, where that is the host's.
  Result<void> awaitCopies(uint32_t value);
  CapturedSegmentPlayer& capturedSegments() { return *m_capturedSegments; }
  // Planned block and arena on this device of the program.
  int64_t heldOn(size_t device) const { return m_blocks[device].sizeBytes() + m_arenas[device].heldBytes(); }
  // Another number whenever values of the plan may lie elsewhere.
  uint64_t placement() const { return m_placement; }
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

  std::unique_lock<std::mutex> lockShared() {
    return m_concurrent ? std::unique_lock(m_mutex) : std::unique_lock<std::mutex>();
  }
  MemoryChunk acquire(uint32_t value, int64_t sizeBytes);
  void giveBack(uint32_t value, MemoryChunk& chunk);
  void* plannedPlace(uint32_t value) const;
  void* bufferFor(uint32_t value, ElementType type, std::span<const int64_t> dims, int64_t sizeBytes);
  void* anchorBuffer(uint32_t anchor, ElementType type, std::span<const int64_t> dims, int64_t sizeBytes);
  void* rootBuffer(uint32_t root, int64_t sizeBytes);
  void* partBuffer(uint32_t part, int64_t sizeBytes);
  void* splitPartBuffer(uint32_t part, int64_t sizeBytes);
  void* earlyOutput(uint32_t output, ElementType type, std::span<const int64_t> dims, int64_t sizeBytes);
  void* ownMemory(uint32_t value, int64_t sizeBytes);
  bool mayWriteOver(const ValueProgram& value, const void* buffer, int64_t sizeBytes) const;
  Result<Tensor*> prepareStrings(uint32_t value, std::span<const int64_t> dims);
  Result<Tensor*> prepareLeaving(uint32_t value, ElementType type, std::span<const int64_t> dims);
  Result<Tensor> leavingTensor(uint32_t value, ElementType type, std::span<const int64_t> dims);
  Error noMemory(uint32_t value, ElementType type, std::span<const int64_t> dims) const;
  Error noMemory(uint32_t value, std::string_view what, int64_t sizeBytes) const;
  Error boundOtherwise(uint32_t value, const Tensor& bound, ElementType type, std::span<const int64_t> dims) const;
  const std::string& nameOf(uint32_t value) const;
  Tensor& tensorOn(uint32_t value);
  void goAstray(uint32_t value);
  void drop(const Overflow& overflow);

  const GraphProgram& m_program;
  const StepList* m_steps = nullptr;
  MemoryMeter& m_meter;
  std::vector<Slot> m_slots;
  std::vector<GrowingBlock> m_blocks;         // per device
  std::vector<std::span<std::byte>> m_rooms;  // per device; empty: none
  std::vector<Arena> m_arenas;                // per device
  std::deque<ScratchMemory> m_scratch;        // per worker
  std::shared_ptr<const pattern::MemoryPatternGroup> m_pattern;
  std::vector<std::byte*> m_bases;  // per pattern
  bool m_tracing = false;
  std::vector<int64_t> m_traced;
  std::vector<Overflow> m_overflow;          // values outside their plan, until their root is released
  std::vector<uint32_t> m_astray;            // values whose slot says partsAstray
  std::vector<OutputTarget> m_targets;       // per graph output
  std::vector<OutputMemory> m_outputMemory;  // per graph output
  bool m_keepsSmallOutputs = false;
  int64_t m_leavingBytes = 0;  // of outputs made in this run, counted until the caller has them
  std::vector<std::unique_ptr<KernelState>> m_states;
  std::vector<uint8_t> m_hasState;  // bytes, so that steps at once do not share a word
  std::vector<std::unique_ptr<FrameBodies>> m_bodies;
  std::vector<std::unique_ptr<ProviderRun>> m_ownRuns;
  std::vector<DeviceRun*> m_runs;  // per GraphProgram::runs; of the outermost frame
  std::unique_ptr<CapturedSegmentPlayer> m_capturedSegments;
  uint64_t m_placement = 0;
  bool m_concurrent = false;
  std::mutex m_mutex;  // when concurrent: arenas, overflow list, bytes of outputs
};

}  // namespace cutaway::execute
