#pragma once
// A planned graph made ready to run: one record per step with its kernel and the dense indexes of its values. Nothing
// is looked up by name while it runs.
//
// Thread rule: immutable once built (the pattern cache has its own lock); shared by all frames.
// Example: CUTAWAY_TRY(Program program, buildProgram(parts));  const GraphProgram& main = *program.graphs[0];

#include <map>
#include <memory>
#include <vector>

#include "engine/base/progress.h"
#include "engine/execute/memory/arena.h"
#include "engine/execute/memory/pattern_cache.h"
#include "engine/execute/program/captured_segments.h"
#include "engine/plan/planned_graph.h"
#include "engine/provider/device_run.h"
#include "engine/provider/execution_provider.h"

namespace cutaway::execute {

inline constexpr int32_t kAbsent = -1;

struct GraphProgram;

struct CapturedValue {
  uint32_t inBody = 0;
  uint32_t inParent = 0;
};
struct BodyProgram {
  const GraphProgram* program = nullptr;
  std::vector<CapturedValue> captured;
};

// Before a step: somebody waits for a copy (device_waits.h).
struct StepWait {
  int32_t run = 0;      // index into GraphProgram::runs
  int32_t number = 0;   // of the notification
  bool onHost = false;  // the host waits; otherwise later work of that device does
};

struct StepProgram {
  NodeId node;
  const Kernel* kernel = nullptr;
  int32_t run = -1;         // index into GraphProgram::runs of its provider; -1: the kernel is done when it returns
  int32_t copyNumber = -1;  // of a copy's notification; -1: no copy
  bool settle = false;      // of a copy: work enqueued on the device later starts after it, because the memory on the
                            // device belongs to somebody else
  std::span<const StepWait> waits;  // before it
  std::span<const int32_t> inputs;  // value indexes, kAbsent
  std::span<const int32_t> outputs;
  std::span<const uint32_t> released;  // roots whose buffer is free after this step
  std::vector<BodyProgram> bodies;
};

// Some of a program's steps, in order, with what is released after each of them (fetch_plan.h).
struct StepList {
  std::vector<uint32_t> steps;
  std::vector<std::span<const uint32_t>> released;  // roots, by place in `steps`
  std::vector<uint32_t> releasedIndexes;            // backing of the spans
};

struct ValueProgram {
  AllocKind kind = AllocKind::kNotSet;
  bool isView = false;       // kReuse by an alias hint: no data moves
  bool overInput = false;    // kReuse in place of an input of the producing node
  bool isPart = false;       // kReuse inside the buffer of `reused`, which joins it with others, at the place that the
                             // pattern says; without a place it has memory of its own
  bool isSplitPart = false;  // kReuse as a view of a part of `reused`, at the place that the pattern says; likewise
  bool intoOutput =
      false;  // kReuse of a graph output that is a view of this value: written straight into the output's memory
  uint32_t root = 0;
  uint32_t reused = 0;
  uint32_t anchor = 0;  // the value whose place it takes over in the end: the root, or the first part on the way there
  int32_t outputPlace = -1;  // among the program's outputs; -1: none
  uint32_t device = 0;       // index into GraphProgram::devices
  ElementType element = ElementType::kUndefined;
  std::span<const StepWait>
      copies;  // of a root: copies that read or write its buffer; awaited before the buffer is used for something else
};

struct ProgramDevice {
  Device device;
  Allocator* allocator = nullptr;
};

// A provider whose device works on its own (ExecutionProvider::createRun).
struct ProgramRun {
  ExecutionProvider* provider = nullptr;
};

struct GraphProgram {
  const Graph* graph = nullptr;
  int32_t graphIndex = 0;  // in report order
  const schedule::SequentialExecutionPlan* order = nullptr;
  const allocate::AllocationPlan* allocation = nullptr;
  std::vector<StepProgram> steps;
  std::vector<ValueProgram> values;
  std::vector<ProgramDevice> devices;
  std::vector<ProgramRun> runs;                        // the same for all graphs of a program
  int32_t firstStep = 0;                               // number of step 0 when the steps of all graphs are counted on
  std::vector<std::pair<uint32_t, Tensor>> constants;  // weights and defaults of inputs, by value
  std::vector<uint32_t> inputs;
  std::vector<uint32_t> outputs;
  std::shared_ptr<const pattern::MemoryPatternGroup> staticPattern;  // from sizes that types tell; may be empty
  bool patternComplete = false;                                      // every pooled value has a size there
  std::vector<int64_t> staticSizes;
  ArenaOptions arena;
  std::unique_ptr<PatternCache> patterns = std::make_unique<PatternCache>();

  std::vector<CapturedSegment> capturedSegments;  // by first step (captured_segments.h)
  std::vector<SegmentBreak> segmentBreaks;

  // Backing of the spans above.
  std::vector<StepWait> waitList;
  std::vector<int32_t> slotIndexes;
  std::vector<uint32_t> releasedIndexes;
  std::vector<std::shared_ptr<const Kernel>> kernels;
};

struct ProgramParts {
  std::span<const plan::PlannedGraph> graphs;  // main graph first, outer before inner
  std::span<const std::unique_ptr<ExecutionProvider>> providers;
  const std::map<std::string, CompiledNode>* compiled = nullptr;
  bool useMemoryPattern = true;
  ArenaOptions arena;
  size_t patternCapacity = PatternCache::kCapacity;
};

struct Program {
  std::vector<std::unique_ptr<GraphProgram>> graphs;  // same order as ProgramParts::graphs
  int32_t notifications = kSpareNotification + 1;
  int32_t capturedSegments = 0;
  std::vector<std::pair<Device, int64_t>> uploadedBytes;  // weights, by device that works on its own
};

// Makes every kernel once. NOT_IMPLEMENTED naming the node when a kernel refuses or bodies nest too deeply;
// MODEL_LOAD_CANCELED.
Result<Program> buildProgram(const ProgramParts& parts, const Progress& progress);

}  // namespace cutaway::execute
