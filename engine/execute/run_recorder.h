#pragma once
// What a profiled run writes down: when each call of each step began and ended and on which lane, its named parts,
// bytes, shapes, and the memory in use after each step of the main graph.
//
// Everything is laid out before the run, and kept for the next one: a steady profiled run allocates nothing and takes
// no lock. It is a plain log: reports are made of it afterwards (engine/profile). A lane is one thread of one run;
// bodies run on the lane of their node. Each step is recorded by one lane at a time, so lanes share no record.
// Thread rule: begin(), end() and reading on the thread that runs; a LaneRecorder on its lane's thread. Example:
//   recorder.begin(frame, 1, nowNs());
//   LaneRecorder& lane = recorder.lane(0);
//   lane.beginStep(program, 7);  kernel->run(context);  lane.endStep(frame, 7);
//   recorder.end(nowNs());  collectRun(recorder, result);

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "engine/execute/memory/memory_meter.h"
#include "engine/provider/provider_run.h"
#include "engine/report/run_report.h"

namespace cutaway::execute {

class Frame;
class RunRecorder;
struct GraphProgram;
}  // namespace cutaway::execute

namespace cutaway::pattern {
struct MemoryPatternGroup;
enum class PatternRules : uint8_t;
}  // namespace cutaway::pattern

namespace cutaway::execute {
struct Program;
struct StepProgram;

// What stands in StepRecord::shapes for a value that is no tensor.
inline constexpr int64_t kRecordedAbsent = -1;
inline constexpr int64_t kRecordedSequence = -2;  // followed by its length
inline constexpr int64_t kRecordedMap = -3;

// A named part of a kernel, summed over the calls of its step.
struct PartRecord {
  const char* name = nullptr;
  int64_t totalNs = 0;
  int64_t calls = 0;
  int32_t next = -1;  // in the same lane's list
};

struct StepRecord {
  int64_t startNs = -1;
  int64_t totalNs = 0;
  int64_t minNs = 0;
  int64_t maxNs = 0;
  int64_t calls = 0;
  int64_t scratchBytes = 0;  // of the call that booked most
  int64_t allocatedBytes = 0;
  int32_t lane = 0;
  int32_t firstPart = -1;  // in that lane's list
  uint64_t shapeKey = 0;   // of `shapes`
  int64_t deviceNs = 0;    // of a device that works on its own, by its clock: all calls, the shortest and the longest
  int64_t deviceMinNs = 0;
  int64_t deviceMaxNs = 0;
  int64_t deviceCalls = 0;
  int64_t flops = -1;  // with those shapes; found when reports are made
  uint64_t flopsKey = 0;
  std::vector<int64_t> shapes;  // inputs, then outputs: element type, rank, dims; or one of the codes below
};

// One bar: a call of a step, a part of one (`name`), or something that the engine did (step -1).
struct SpanRecord {
  int64_t startNs = 0;
  int64_t endNs = 0;
  const char* name = nullptr;
  int32_t graph = -1;
  int32_t step = -1;
  int32_t depth = 0;
};

// All steps of one graph.
struct GraphRecord {
  const GraphProgram* program = nullptr;
  std::vector<StepRecord> steps;
  std::vector<int64_t> liveOfRoot;    // bytes held for a root and what lies in its buffer
  std::vector<uint8_t> blockCounted;  // its room in the pattern is among them
  std::vector<int64_t> planned;       // bytes alive by the pattern, by step
  // Roots by the step after which nothing lies in their room for a while, so that the pattern has it for others.
  std::vector<std::vector<uint32_t>> pausesAfter;
  std::vector<int32_t> deviceOf;  // by value: place among m_devices, -1: the host; empty: there are none
  int64_t liveBytes = 0;
};

// Memory of a device that works on its own, and what it did.
struct DeviceRecord {
  const Device* device = nullptr;
  int64_t liveBytes = 0;
  int64_t peakBytes = 0;
  std::vector<int64_t> planned;   // by step of the main graph
  std::vector<int64_t> measured;  // likewise
  std::vector<std::string> lanes;
  std::vector<DeviceSpan> spans;
  DeviceMemory memory;
  double linkBytesPerSecond = 0;
};
// What the engine did between the steps of one lane.
struct LaneGaps {
  int64_t gapNs = 0;  // between one step of the main graph and the next, where the lane did not wait
  int64_t gaps = 0;
  int64_t recordingNs = 0;  // of every kSampling-th step
  int64_t sampled = 0;
};

class LaneRecorder {
 public:
  LaneRecorder(RunRecorder& run, int32_t lane) : m_run(run), m_lane(lane) {}

  void beginStep(const GraphProgram& program, size_t step);
  // Of the step begun last in this frame's graph; before its inputs are released.
  void endStep(Frame& frame, size_t step);
  // The part of the open step that begins now; name stays valid as long as the session.
  void subStep(const char* name);
  void addScratch(int64_t sizeBytes) {
    if (!m_open.empty()) m_open.back().scratchBytes += sizeBytes;
  }
  // Something beside the steps: "check feeds", "wait". waiting: the lane had nothing to do, and the next step does not
  // follow the last.
  void engineSpan(const char* name, int64_t startNs, int64_t endNs, bool waiting = false);

  // The log, when the run has ended.
  const std::vector<SpanRecord>& spans() const { return m_spans; }
  const std::vector<PartRecord>& parts() const { return m_parts; }
  int64_t droppedSpans() const { return m_droppedSpans; }
  const LaneGaps& gaps() const { return m_gaps; }

 private:
  friend class RunRecorder;
  struct Open {
    int32_t graph = 0;
    size_t step = 0;
    int64_t startNs = 0;
    int64_t scratchBytes = 0;
    int64_t span = -1;
    const char* part = nullptr;
    int64_t partStartNs = 0;
    int64_t partSpan = -1;
  };

  void clear(size_t spanLimit);
  int64_t openSpan(const SpanRecord& span);
  void endPart(Open& open, int64_t nowNs);
  void addTime(const Open& open, StepRecord& record, int64_t timeNs) const;

  RunRecorder& m_run;
  int32_t m_lane;
  std::vector<Open> m_open;
  std::vector<SpanRecord> m_spans;
  std::vector<PartRecord> m_parts;
  std::vector<int32_t> m_openParts;
  size_t m_spanLimit = 0;
  int64_t m_droppedSpans = 0;
  int64_t m_steps = 0;      // of the main graph
  int64_t m_lastEndNs = 0;  // of the last of them
  LaneGaps m_gaps;
};

class RunRecorder {
 public:
  static constexpr size_t kMostSpans = 200'000;  // in all lanes together; what lies beyond is counted
  static constexpr int64_t kLongestGapNs =
      10'000;  // the engine needs far less; a lane that waits for work, or for its processor, more
  static constexpr int64_t kSampling =
      8;  // one step in so many times its own recording, so that this can be told from the engine's work

  RunRecorder(const Program& program, const MemoryMeter& meter);
  ~RunRecorder();

  // A run begins: everything of the last one is forgotten but shapes and capacity. main: the frame of the main graph,
  // with its pattern chosen.
  void begin(const Frame& main, int lanes, int64_t startNs);
  void end(int64_t endNs) { m_endNs = endNs; }
  // After the run: what its devices did, by their own clocks.
  void addDevices(Frame& main);
  LaneRecorder& lane(int index) { return *m_lanes[static_cast<size_t>(index)]; }

  // The log, when the run has ended; engine/profile/recorded_run.h makes reports of it.
  std::vector<GraphRecord>& graphs() { return m_graphs; }
  const std::vector<DeviceRecord>& devices() const { return m_devices; }
  const std::vector<MemorySample>& samples() const { return m_samples; }  // by step of the main graph
  size_t lanesUsed() const { return m_lanesUsed; }
  int64_t startNs() const { return m_startNs; }
  int64_t endNs() const { return m_endNs; }

 private:
  friend class LaneRecorder;
  void findDevices();

  GraphRecord& graph(int32_t index) { return m_graphs[static_cast<size_t>(index)]; }
  int64_t countOutputs(Frame& frame, const StepProgram& step, GraphRecord& graph);
  void addLive(GraphRecord& graph, uint32_t root, int64_t sizeBytes);
  void releaseRoots(const StepProgram& step, GraphRecord& graph);
  void pauseRoots(const Frame& frame, size_t step, GraphRecord& graph);
  void clearLive(GraphRecord& graph);
  void clearBodies(const StepProgram& step);
  void notePeak(int64_t liveBytes);
  void sampleMemory(size_t step, int64_t timeNs);
  void planMemory(const Frame& main);
  static void findPauses(GraphRecord& graph, pattern::PatternRules rules);

  const MemoryMeter& m_meter;
  std::vector<GraphRecord> m_graphs;  // by GraphProgram::graphIndex; a place may be empty
  std::vector<std::unique_ptr<LaneRecorder>> m_lanes;
  size_t m_lanesUsed = 0;
  std::vector<MemorySample> m_samples;  // by step of the main graph
  std::vector<DeviceRecord> m_devices;
  std::shared_ptr<const pattern::MemoryPatternGroup> m_plannedFor;
  std::optional<pattern::PatternRules> m_pausesUnder;  // that GraphRecord::pausesAfter are of
  bool m_shared = false;                               // several lanes count memory at once
  int64_t m_liveBytes = 0;
  int64_t m_bodyPeak = 0;  // while bodies of the open step ran
  int64_t m_startNs = 0;
  int64_t m_endNs = 0;
};

// Steps are counted over all graphs: which graph has this one; nullptr: none. A place of `programs` may be empty.
const GraphProgram* programOfStep(const std::vector<const GraphProgram*>& programs, int32_t step);

}  // namespace cutaway::execute
