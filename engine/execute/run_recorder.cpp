// The recorder's part inside a run: no text, no heap memory once the vectors have their size, no lock.

#include "engine/execute/run_recorder.h"

#include <algorithm>
#include <utility>

#include "engine/base/checked_math.h"
#include "engine/base/clock.h"
#include "engine/execute/frame/frame.h"
#include "engine/stages/pattern/block_life.h"
#include "engine/stages/pattern/pattern.h"

namespace cutaway::execute {
namespace {

constexpr size_t kDeepest = 80;  // bodies nest at most 64 deep

// Calls `each` with the numbers that describe a step's shapes.
template <typename Each>
void forEachShapeNumber(Frame& frame, const StepProgram& step, Each&& each) {
  const auto describe = [&](int32_t index) {
    if (index == kAbsent) return each(kRecordedAbsent);
    const RuntimeValue& value = frame.value(static_cast<size_t>(index));
    if (value.isTensor()) {
      const Tensor& tensor = value.tensor();
      each(static_cast<int64_t>(tensor.type()));
      each(static_cast<int64_t>(tensor.rank()));
      for (const int64_t dim : tensor.dims())
        each(dim);
    } else if (value.isSequence()) {
      each(kRecordedSequence);
      each(static_cast<int64_t>(value.sequence().items.size()));
    } else {
      each(value.isMap() ? kRecordedMap : kRecordedAbsent);
    }
  };
  for (const int32_t index : step.inputs)
    describe(index);
  for (const int32_t index : step.outputs)
    describe(index);
}

// Texts and byte counts are made of shapes only when these changed; telling that they did takes a few multiplications.
void recordShapes(Frame& frame, const StepProgram& step, StepRecord& record) {
  uint64_t key = 0xcbf29ce484222325ULL;
  forEachShapeNumber(frame, step, [&](int64_t number) {
    key = (key ^ static_cast<uint64_t>(number)) * 0x9e3779b97f4a7c15ULL;
    key ^= key >> 29;
  });
  if (key == 0) key = 1;
  if (key == record.shapeKey) return;
  record.shapeKey = key;
  record.shapes.clear();
  forEachShapeNumber(frame, step, [&](int64_t number) { record.shapes.push_back(number); });
}

// Changes become sums; the last, behind the steps, goes.
void sumUp(std::vector<int64_t>& changes) {
  for (size_t i = 1; i < changes.size(); ++i)
    changes[i] += changes[i - 1];
  changes.pop_back();
}

}  // namespace

void LaneRecorder::clear(size_t spanLimit) {
  m_open.clear();
  m_open.reserve(kDeepest);
  m_spans.clear();
  m_spanLimit = spanLimit;
  m_parts.clear();
  m_droppedSpans = m_steps = m_lastEndNs = 0;
  m_gaps = {};
}

int64_t LaneRecorder::openSpan(const SpanRecord& span) {
  if (m_spans.size() >= m_spanLimit) {
    ++m_droppedSpans;
    return -1;
  }
  m_spans.push_back(span);
  return static_cast<int64_t>(m_spans.size() - 1);
}

void LaneRecorder::beginStep(const GraphProgram& program, size_t step) {
  const int32_t graph = program.graphIndex;
  if (step == 0 && graph != 0) m_run.clearLive(m_run.graph(graph));
  const auto depth = static_cast<int32_t>(m_open.size()) + (m_lane == 0 ? 1 : 0);
  const int64_t span = openSpan(
      {.startNs = 0, .endNs = 0, .name = nullptr, .graph = graph, .step = static_cast<int32_t>(step), .depth = depth});
  m_open.push_back({.graph = graph,
                    .step = step,
                    .startNs = 0,
                    .scratchBytes = 0,
                    .span = span,
                    .part = nullptr,
                    .partStartNs = 0,
                    .partSpan = -1});
  const int64_t begin = nowNs();
  m_open.back().startNs = begin;
  if (const int64_t gap = begin - m_lastEndNs; graph == 0 && gap < RunRecorder::kLongestGapNs) {
    m_gaps.gapNs += gap;
    ++m_gaps.gaps;
  }
  if (span >= 0) m_spans[static_cast<size_t>(span)].startNs = begin;
}

void LaneRecorder::endPart(Open& open, int64_t nowNs) {
  if (open.part == nullptr) return;
  StepRecord& record = m_run.graph(open.graph).steps[open.step];
  PartRecord* found = nullptr;
  int32_t last = -1;
  for (int32_t at = record.firstPart; at >= 0 && found == nullptr; at = m_parts[static_cast<size_t>(at)].next) {
    if (m_parts[static_cast<size_t>(at)].name == open.part) found = &m_parts[static_cast<size_t>(at)];
    last = at;
  }
  if (found == nullptr) {
    (last < 0 ? record.firstPart : m_parts[static_cast<size_t>(last)].next) = static_cast<int32_t>(m_parts.size());
    record.lane = m_lane;
    found = &m_parts.emplace_back(PartRecord{open.part, 0, 0, -1});
  }
  found->totalNs += nowNs - open.partStartNs;
  ++found->calls;
  if (open.partSpan >= 0) m_spans[static_cast<size_t>(open.partSpan)].endNs = nowNs;
  open.part = nullptr;
}

void LaneRecorder::subStep(const char* name) {
  if (m_open.empty()) return;
  const int64_t now = nowNs();
  Open& open = m_open.back();
  endPart(open, now);
  open.part = name;
  open.partStartNs = now;
  open.partSpan = -1;
  if (open.span < 0) return;
  const int32_t depth = m_spans[static_cast<size_t>(open.span)].depth + 1;
  open.partSpan = openSpan({.startNs = now,
                            .endNs = now,
                            .name = name,
                            .graph = open.graph,
                            .step = static_cast<int32_t>(open.step),
                            .depth = depth});
}

void LaneRecorder::engineSpan(const char* name, int64_t startNs, int64_t endNs, bool waiting) {
  if (waiting) m_lastEndNs = 0;
  openSpan({.startNs = startNs, .endNs = endNs, .name = name, .graph = -1, .step = -1, .depth = m_lane == 0 ? 1 : 0});
}

void LaneRecorder::addTime(const Open& open, StepRecord& record, int64_t timeNs) const {
  record.minNs = record.calls == 0 ? timeNs : std::min(record.minNs, timeNs);
  record.maxNs = std::max(record.maxNs, timeNs);
  record.totalNs += timeNs;
  record.scratchBytes = std::max(record.scratchBytes, open.scratchBytes);
  if (record.calls++ > 0) return;
  record.startNs = open.startNs;
  record.lane = m_lane;
}

void LaneRecorder::endStep(Frame& frame, size_t step) {
  const int64_t end = nowNs();
  const GraphProgram& program = frame.program();
  // A body that failed under a node which went on leaves its steps open.
  while (m_open.size() > 1 && (m_open.back().graph != program.graphIndex || m_open.back().step != step))
    m_open.pop_back();
  if (m_open.empty()) return;
  Open& open = m_open.back();
  endPart(open, end);
  if (open.span >= 0) m_spans[static_cast<size_t>(open.span)].endNs = end;
  GraphRecord& graph = m_run.graph(open.graph);
  const StepProgram& stepProgram = program.steps[step];
  StepRecord& record = graph.steps[step];
  addTime(open, record, end - open.startNs);
  recordShapes(frame, stepProgram, record);
  record.allocatedBytes += m_run.countOutputs(frame, stepProgram, graph);
  const bool isMain = open.graph == 0;
  m_open.pop_back();
  if (isMain) {
    m_run.sampleMemory(step, end);
    m_lastEndNs = end;
    ++m_steps;
  }
  m_run.clearBodies(stepProgram);
  m_run.releaseRoots(stepProgram, graph);
  m_run.pauseRoots(frame, step, graph);
  if (!isMain || m_steps % RunRecorder::kSampling != RunRecorder::kSampling / 2) return;
  const int64_t recordingNs = nowNs() - end;
  if (recordingNs >= RunRecorder::kLongestGapNs) return;
  m_gaps.recordingNs += recordingNs;
  ++m_gaps.sampled;
}

RunRecorder::RunRecorder(const Program& program, const MemoryMeter& meter) : m_meter(meter) {
  for (const auto& each : program.graphs) {
    const auto index = static_cast<size_t>(each->graphIndex);
    if (m_graphs.size() <= index) m_graphs.resize(index + 1);
    GraphRecord& record = m_graphs[index];
    record.program = each.get();
    record.steps.resize(each->steps.size());
    record.liveOfRoot.assign(each->values.size(), 0);
    record.blockCounted.assign(each->values.size(), 0);
  }
  m_samples.reserve(graph(0).steps.size());
  findDevices();
}

RunRecorder::~RunRecorder() = default;

void RunRecorder::begin(const Frame& main, int lanes, int64_t startNs) {
  m_lanesUsed = static_cast<size_t>(std::max(1, lanes));
  while (m_lanes.size() < m_lanesUsed)
    m_lanes.push_back(std::make_unique<LaneRecorder>(*this, static_cast<int32_t>(m_lanes.size())));
  size_t steps = 0;
  for (GraphRecord& each : m_graphs) {
    steps += each.steps.size();
    clearLive(each);
    for (StepRecord& step : each.steps) {
      step.startNs = -1;
      step.totalNs = step.minNs = step.maxNs = step.calls = step.scratchBytes = step.allocatedBytes = 0;
      step.deviceNs = step.deviceMinNs = step.deviceMaxNs = step.deviceCalls = 0;
      step.firstPart = -1;
    }
  }
  for (const auto& lane : m_lanes) {
    lane->clear(kMostSpans / m_lanesUsed);
    lane->m_spans.reserve(std::min(kMostSpans / m_lanesUsed, 2 * steps + 64));
    lane->m_parts.reserve(std::min<size_t>(4096, 2 * steps + 64));
  }
  m_samples.assign(graph(0).steps.size(), MemorySample{.timeNs = -1});
  for (DeviceRecord& device : m_devices) {
    device.liveBytes = device.peakBytes = 0;
    device.measured.assign(m_samples.size(), 0);
  }
  if (main.pattern() != m_plannedFor || graph(0).planned.empty()) planMemory(main);
  m_shared = lanes > 1;
  m_liveBytes = m_bodyPeak = 0;
  m_startNs = startNs;
  m_endNs = startNs;
}

void RunRecorder::addLive(GraphRecord& graph, uint32_t root, int64_t sizeBytes) {
  if (!m_shared) {
    graph.liveOfRoot[root] += sizeBytes;
    graph.liveBytes += sizeBytes;
    m_liveBytes += sizeBytes;
    // Runs with devices have one lane.
    if (!graph.deviceOf.empty() && graph.deviceOf[root] >= 0) {
      DeviceRecord& device = m_devices[static_cast<size_t>(graph.deviceOf[root])];
      device.liveBytes += sizeBytes;
      device.peakBytes = std::max(device.peakBytes, device.liveBytes);
    }
    return;
  }
  std::atomic_ref(graph.liveOfRoot[root]).fetch_add(sizeBytes, std::memory_order_relaxed);
  std::atomic_ref(graph.liveBytes).fetch_add(sizeBytes, std::memory_order_relaxed);
  std::atomic_ref(m_liveBytes).fetch_add(sizeBytes, std::memory_order_relaxed);
}

// A buffer counts with all its room while a value lies in it. Gives the bytes that were taken from the arena.
int64_t RunRecorder::countOutputs(Frame& frame, const StepProgram& step, GraphRecord& graph) {
  int64_t taken = 0;
  for (const int32_t output : step.outputs) {
    if (output == kAbsent) continue;
    const auto index = static_cast<size_t>(output);
    const uint32_t root = graph.program->values[index].root;
    if (const int64_t chunkBytes = frame.slot(index).chunk.sizeBytes; chunkBytes > 0) {
      addLive(graph, root, chunkBytes);
      taken += chunkBytes;
      continue;
    }
    if (frame.pattern() == nullptr || frame.pattern()->blocks[root].offset < 0) continue;
    const bool counted = m_shared
                             ? std::atomic_ref(graph.blockCounted[root]).exchange(1, std::memory_order_relaxed) != 0
                             : std::exchange(graph.blockCounted[root], uint8_t{1}) != 0;
    if (!counted) addLive(graph, root, alignUp(frame.pattern()->blocks[root].sizeBytes, pattern::kPatternAlignment));
  }
  if (graph.program->graphIndex != 0)
    notePeak(m_shared ? std::atomic_ref(m_liveBytes).load(std::memory_order_relaxed) : m_liveBytes);
  return taken;
}

void RunRecorder::notePeak(int64_t liveBytes) {
  if (!m_shared) {
    m_bodyPeak = std::max(m_bodyPeak, liveBytes);
    return;
  }
  const std::atomic_ref peak(m_bodyPeak);
  int64_t known = peak.load(std::memory_order_relaxed);
  while (liveBytes > known && !peak.compare_exchange_weak(known, liveBytes, std::memory_order_relaxed)) {
  }
}

void RunRecorder::releaseRoots(const StepProgram& step, GraphRecord& graph) {
  for (const uint32_t root : step.released) {
    const int64_t held =
        m_shared ? std::atomic_ref(graph.liveOfRoot[root]).load(std::memory_order_relaxed) : graph.liveOfRoot[root];
    addLive(graph, root, -held);
    if (m_shared) {
      std::atomic_ref(graph.blockCounted[root]).store(0, std::memory_order_relaxed);
    } else {
      graph.blockCounted[root] = 0;
    }
  }
}

// What lies in the pattern is counted again when the next value comes into its room.
void RunRecorder::pauseRoots(const Frame& frame, size_t step, GraphRecord& graph) {
  if (frame.pattern() == nullptr || step >= graph.pausesAfter.size()) return;
  for (const uint32_t root : graph.pausesAfter[step]) {
    const bool counted = m_shared
                             ? std::atomic_ref(graph.blockCounted[root]).exchange(0, std::memory_order_relaxed) != 0
                             : std::exchange(graph.blockCounted[root], uint8_t{0}) != 0;
    if (counted) addLive(graph, root, -alignUp(frame.pattern()->blocks[root].sizeBytes, pattern::kPatternAlignment));
  }
}

void RunRecorder::clearLive(GraphRecord& graph) {
  if (m_shared) {
    std::atomic_ref(m_liveBytes).fetch_sub(graph.liveBytes, std::memory_order_relaxed);
  } else {
    m_liveBytes -= graph.liveBytes;
  }
  graph.liveBytes = 0;
  for (size_t root = 0; root < graph.deviceOf.size(); ++root) {
    if (graph.deviceOf[root] >= 0)
      m_devices[static_cast<size_t>(graph.deviceOf[root])].liveBytes -= graph.liveOfRoot[root];
  }
  std::ranges::fill(graph.liveOfRoot, 0);
  std::ranges::fill(graph.blockCounted, uint8_t{0});
}

void RunRecorder::clearBodies(const StepProgram& step) {
  for (const BodyProgram& body : step.bodies)
    clearLive(graph(body.program->graphIndex));
}

void RunRecorder::sampleMemory(size_t step, int64_t timeNs) {
  MemorySample& sample = m_samples[step];
  sample.timeNs = timeNs - m_startNs;
  sample.step = static_cast<int32_t>(step);
  sample.plannedBytes = step < graph(0).planned.size() ? graph(0).planned[step] : 0;
  const int64_t live = m_shared ? std::atomic_ref(m_liveBytes).load(std::memory_order_relaxed) : m_liveBytes;
  const int64_t inBodies =
      m_shared ? std::atomic_ref(m_bodyPeak).exchange(0, std::memory_order_relaxed) : std::exchange(m_bodyPeak, 0);
  sample.measuredBytes = std::max(live, inBodies);
  for (DeviceRecord& device : m_devices)
    device.measured[step] = device.liveBytes;
  sample.heldBytes = m_meter.heldBytes(MemoryUse::kBlocks) + m_meter.heldBytes(MemoryUse::kArena) +
                     m_meter.heldBytes(MemoryUse::kWorkspace);
}

void RunRecorder::findPauses(GraphRecord& graph, pattern::PatternRules rules) {
  graph.pausesAfter.assign(graph.steps.size(), {});
  if (graph.program->allocation == nullptr) return;
  for (const pattern::BlockLife& life : pattern::blockLives(*graph.program->allocation, pattern::pausesUnder(rules))) {
    for (size_t i = 0; i + 1 < life.counter.ends.size(); ++i) {
      const auto end = static_cast<size_t>(std::max(0, life.counter.ends[i]));
      if (end < graph.pausesAfter.size()) graph.pausesAfter[end].push_back(static_cast<uint32_t>(life.root.index()));
    }
  }
}

// What the pattern says is alive at each step: every block while a value lies in it, and the room for bodies at their
// step.
void RunRecorder::planMemory(const Frame& main) {
  GraphRecord& record = graph(0);
  m_plannedFor = main.pattern();
  const auto rules = m_plannedFor == nullptr ? pattern::PatternRules::kCutaway : m_plannedFor->rules;
  if (std::exchange(m_pausesUnder, rules) != rules) {
    for (GraphRecord& each : m_graphs)
      if (each.program != nullptr) findPauses(each, rules);
  }
  record.planned.assign(record.steps.size() + 1, 0);
  for (DeviceRecord& device : m_devices)
    device.planned.assign(record.steps.size() + 1, 0);
  if (m_plannedFor == nullptr || record.steps.empty()) return;
  const auto lastStep = static_cast<int32_t>(record.steps.size()) - 1;
  for (const pattern::BlockLife& life : pattern::blockLives(*record.program->allocation, pattern::pausesUnder(rules))) {
    const size_t root = life.root.index();
    if (root >= m_plannedFor->blocks.size() || m_plannedFor->blocks[root].offset < 0) continue;
    const int64_t room = alignUp(m_plannedFor->blocks[root].sizeBytes, pattern::kPatternAlignment);
    std::vector<int64_t>* const onDevice = record.deviceOf.empty() || record.deviceOf[root] < 0
                                               ? nullptr
                                               : &m_devices[static_cast<size_t>(record.deviceOf[root])].planned;
    for (size_t i = 0; i < life.counter.starts.size(); ++i) {
      const auto first = static_cast<size_t>(std::clamp(life.counter.starts[i], 0, lastStep)),
                 behind = static_cast<size_t>(std::clamp(life.counter.ends[i], 0, lastStep)) + 1;
      for (std::vector<int64_t>* const curve : {&record.planned, onDevice}) {
        if (curve == nullptr) continue;
        (*curve)[first] += room;
        (*curve)[behind] -= room;
      }
    }
  }
  sumUp(record.planned);
  for (DeviceRecord& device : m_devices)
    sumUp(device.planned);
  for (const pattern::BodyWorkspace& body : m_plannedFor->bodies) {
    if (body.step >= 0 && body.step <= lastStep && body.block.offset >= 0)
      record.planned[static_cast<size_t>(body.step)] += alignUp(body.block.sizeBytes, pattern::kPatternAlignment);
  }
}

}  // namespace cutaway::execute
