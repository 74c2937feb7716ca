#include "engine/profile/recorded_run.h"

#include <algorithm>

#include "engine/execute/program/graph_program.h"
#include "engine/operators/cost/node_cost.h"
#include "engine/profile/recorded_devices.h"

namespace cutaway::profile {
namespace {

struct RecordedShape {
  int64_t code = execute::kRecordedAbsent;  // element type, or a code of run_recorder.h
  int64_t length = 0;                       // of a sequence
  std::span<const int64_t> dims;
};

// Inputs, then outputs, of one step.
std::vector<RecordedShape> decode(const std::vector<int64_t>& numbers) {
  std::vector<RecordedShape> shapes;
  for (size_t at = 0; at < numbers.size();) {
    RecordedShape shape{.code = numbers[at++], .length = 0, .dims = {}};
    if (shape.code == execute::kRecordedSequence) shape.length = numbers[at++];
    if (shape.code >= 0) {
      const auto rank = static_cast<size_t>(numbers[at++]);
      shape.dims = {numbers.data() + at, rank};
      at += rank;
    }
    shapes.push_back(shape);
  }
  return shapes;
}

std::string textOf(const RecordedShape& shape) {
  if (shape.code >= 0)
    return fmt::format("{}{}", elementTypeName(static_cast<ElementType>(shape.code)), dimsToText(shape.dims));
  if (shape.code == execute::kRecordedSequence) return fmt::format("seq of {}", shape.length);
  return shape.code == execute::kRecordedMap ? "map" : "absent";
}

int64_t bytesOf(const RecordedShape& shape) {
  if (shape.code < 0) return 0;
  return byteSize(static_cast<ElementType>(shape.code), shape.dims).value_or(0);
}

ValueType typeOf(const RecordedShape& shape) {
  if (shape.code < 0) return {};
  return ValueType::tensor(static_cast<ElementType>(shape.code), Shape::of(shape.dims));
}

// The node alone in a graph whose types are those of the run, where the model's leave dimensions open.
int64_t flopsWithShapes(const Node& node, std::span<const RecordedShape> shapes) {
  if (node.hasBodies()) return -1;
  Graph graph("one node");
  std::vector<ValueId> inputs;
  std::vector<std::string> outputs;
  for (size_t i = 0; i < node.inputs.size(); ++i)
    inputs.push_back(node.inputs[i].valid() ? graph.addInput(fmt::format("i{}", i), typeOf(shapes[i])) : ValueId{});
  for (size_t i = 0; i < node.outputs.size(); ++i) {
    outputs.push_back(node.outputs[i].valid() ? fmt::format("o{}", i) : std::string());
    if (node.outputs[i].valid()) graph.addValue(outputs.back(), typeOf(shapes[node.inputs.size() + i]));
  }
  Node copy;
  copy.name = node.name;
  copy.opType = node.opType;
  copy.domain = node.domain;
  copy.attributes = node.attributes;
  copy.sinceVersion = node.sinceVersion;
  copy.opsetVersion = node.opsetVersion;
  return operators::nodeCost(graph, graph.addNode(std::move(copy), inputs, outputs)).flops;
}

// "Engine" for what has no node.
TraceSpan spanOf(const execute::SpanRecord& record, const std::vector<const execute::GraphProgram*>& programs,
                 int32_t lane, int64_t startNs) {
  TraceSpan span;
  if (record.name != nullptr) span.name = record.name;
  span.category = record.step < 0 ? "Engine" : record.name != nullptr ? "Kernel" : "Node";
  span.graph = record.graph;
  if (record.step >= 0)
    span.node = static_cast<int32_t>(
        programs[static_cast<size_t>(record.graph)]->steps[static_cast<size_t>(record.step)].node.index());
  span.thread = lane;
  span.depth = record.depth;
  span.startNs = record.startNs - startNs;
  span.durationNs = std::max<int64_t>(0, record.endNs - record.startNs);
  return span;
}

NodeTiming timingOf(execute::RunRecorder& recorder, execute::GraphRecord& graph, size_t step) {
  execute::StepRecord& from = graph.steps[step];
  const execute::StepProgram& program = graph.program->steps[step];
  const Node& node = graph.program->graph->node(program.node);
  const std::vector<RecordedShape> shapes = decode(from.shapes);
  NodeTiming to;
  to.graph = graph.program->graphIndex;
  to.node = static_cast<int32_t>(program.node.index());
  to.step = static_cast<int32_t>(step);
  to.startNs = from.startNs - recorder.startNs();
  to.totalNs = from.totalNs;
  to.minNs = from.minNs;
  to.maxNs = from.maxNs;
  if (from.deviceCalls > 0) {
    to.hostNs = from.totalNs;
    to.totalNs = from.deviceNs;
    to.minNs = from.deviceMinNs;
    to.maxNs = from.deviceMaxNs;
  }
  to.calls = from.calls;
  to.thread = from.lane;
  to.variant = program.kernel->variant();
  to.provider = node.provider;
  to.scratchBytes = from.scratchBytes;
  to.allocatedBytes = from.allocatedBytes;
  for (size_t i = 0; i < shapes.size(); ++i) {
    const bool isInput = i < program.inputs.size();
    const int32_t index = isInput ? program.inputs[i] : program.outputs[i - program.inputs.size()];
    if (index == execute::kAbsent && !isInput) continue;
    (isInput ? to.inputShapes : to.outputShapes).push_back(textOf(shapes[i]));
    const bool readBefore =
        isInput && std::find(program.inputs.begin(), program.inputs.begin() + static_cast<std::ptrdiff_t>(i), index) !=
                       program.inputs.begin() + static_cast<std::ptrdiff_t>(i);
    if (!readBefore) (isInput ? to.inputBytes : to.outputBytes) += bytesOf(shapes[i]);
  }
  if (from.flopsKey != from.shapeKey) {
    from.flopsKey = from.shapeKey;
    from.flops = operators::nodeCost(*graph.program->graph, program.node).flops;
    if (from.flops < 0) from.flops = flopsWithShapes(node, shapes);
  }
  to.flops = from.flops;
  const std::vector<execute::PartRecord>& parts = recorder.lane(from.lane).parts();
  for (int32_t at = from.firstPart; at >= 0; at = parts[static_cast<size_t>(at)].next) {
    const execute::PartRecord& part = parts[static_cast<size_t>(at)];
    to.subSteps.push_back({part.name, part.totalNs, part.calls});
  }
  return to;
}

}  // namespace

void collectRun(execute::RunRecorder& recorder, execute::RunResult& result) {
  std::vector<const execute::GraphProgram*> programs;
  for (execute::GraphRecord& each : recorder.graphs()) {
    programs.push_back(each.program);
    for (size_t step = 0; step < each.steps.size(); ++step) {
      if (each.steps[step].calls > 0) result.timings.push_back(timingOf(recorder, each, step));
    }
  }
  TraceSpan whole;
  whole.name = "model_run";
  whole.category = "Session";
  whole.durationNs = recorder.endNs() - recorder.startNs();
  result.spans.push_back(std::move(whole));
  int64_t gapNs = 0;
  int64_t gaps = 0;
  int64_t recordingNs = 0;
  int64_t sampled = 0;
  for (size_t i = 0; i < recorder.lanesUsed(); ++i) {
    const execute::LaneRecorder& lane = recorder.lane(static_cast<int>(i));
    for (const execute::SpanRecord& span : lane.spans())
      result.spans.push_back(spanOf(span, programs, static_cast<int32_t>(i), recorder.startNs()));
    result.droppedSpans += lane.droppedSpans();
    gapNs += lane.gaps().gapNs;
    gaps += lane.gaps().gaps;
    recordingNs += lane.gaps().recordingNs;
    sampled += lane.gaps().sampled;
  }
  collectDevices(recorder, programs, result);
  std::ranges::stable_sort(result.spans, [](const TraceSpan& a, const TraceSpan& b) {
    return a.startNs != b.startNs ? a.startNs < b.startNs : a.depth < b.depth;
  });
  const double betweenNs = gaps > 0 ? static_cast<double>(gapNs) / static_cast<double>(gaps) : 0;
  const double ownNs = sampled > 0 ? static_cast<double>(recordingNs) / static_cast<double>(sampled) : 0;
  if (gaps > 0) result.engineNsPerNode = std::max(0.0, betweenNs - ownNs);
  for (const MemorySample& sample : recorder.samples()) {
    if (sample.timeNs >= 0) result.memory.push_back(sample);
  }
  std::ranges::stable_sort(result.memory, {}, &MemorySample::timeNs);
}

}  // namespace cutaway::profile
