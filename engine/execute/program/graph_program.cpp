#include "engine/execute/program/graph_program.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <unordered_map>

#include "engine/base/clock.h"
#include "engine/base/log.h"
#include "engine/base/span_log.h"
#include "engine/execute/program/copy_kernel.h"
#include "engine/execute/program/device_waits.h"
#include "engine/graph/node_label.h"
#include "engine/plan/graph_hints.h"
#include "engine/provider/kernel_watch.h"

namespace cutaway::execute {
namespace {

constexpr int kDeepestNesting = 64;

bool isHost(const Device& device) {
  return device == Device{};
}

class ProgramBuilder {
 public:
  ProgramBuilder(const ProgramParts& parts, const Progress& progress) : m_parts(parts), m_progress(progress) {}

  Result<Program> build() {
    for (const plan::PlannedGraph& planned : m_parts.graphs) {
      m_planned.emplace(planned.graph, &planned);
      m_program.graphs.push_back(std::make_unique<GraphProgram>());
      m_programs.emplace(planned.graph, m_program.graphs.back().get());
    }
    for (size_t i = 0; i < m_parts.graphs.size(); ++i)
      CUTAWAY_CHECK(buildGraph(m_parts.graphs[i], *m_program.graphs[i]));
    planDevices();
    return std::move(m_program);
  }

 private:
  Result<void> buildGraph(const plan::PlannedGraph& planned, GraphProgram& program) {
    CUTAWAY_CHECK(checkNesting(planned));
    const Graph& graph = *planned.graph;
    program.graph = &graph;
    program.graphIndex = planned.graphIndex;
    program.order = &planned.order;
    program.allocation = &planned.allocation;
    for (ValueId input : graph.inputs())
      program.inputs.push_back(static_cast<uint32_t>(input.index()));
    for (ValueId output : graph.outputs())
      program.outputs.push_back(static_cast<uint32_t>(output.index()));
    buildValues(planned, program);
    CUTAWAY_CHECK(buildConstants(planned, program));
    program.staticSizes = pattern::staticSizes(graph);
    program.arena = m_parts.arena;
    program.patterns = std::make_unique<PatternCache>(m_parts.patternCapacity);
    if (m_parts.useMemoryPattern) program.staticPattern = planned.pattern;
    program.patternComplete = program.staticPattern != nullptr && patternIsComplete(planned, program);
    return buildSteps(planned, program);
  }

  // What devices that work on their own need: the same runs in all graphs, waits for copies, captured segments.
  void planDevices() {
    int32_t firstStep = 0;
    for (const auto& graph : m_program.graphs) {
      graph->firstStep = firstStep;
      firstStep += static_cast<int32_t>(graph->steps.size());
      if (m_runs.empty()) continue;
      graph->runs = m_runs;
      planDeviceWaits(*graph);
      m_program.capturedSegments = findCapturedSegments(*graph, m_program.capturedSegments);
    }
  }

  Result<void> checkNesting(const plan::PlannedGraph& planned) const {
    int depth = 0;
    for (const plan::PlannedGraph* at = &planned; at->parent != nullptr; at = m_planned.at(at->parent)) {
      if (++depth > kDeepestNesting)
        return fail(ErrorCode::kNotImplemented, "bodies nest more than {} deep", kDeepestNesting);
    }
    return {};
  }

  uint32_t deviceIndex(GraphProgram& program, const Device& device) const {
    for (size_t i = 0; i < program.devices.size(); ++i) {
      if (program.devices[i].device == device) return static_cast<uint32_t>(i);
    }
    Allocator* allocator = &heapAllocator();
    for (const auto& provider : m_parts.providers) {
      if (!isHost(device) && provider->device() == device) allocator = &provider->allocator();
    }
    program.devices.push_back({device, allocator});
    return static_cast<uint32_t>(program.devices.size() - 1);
  }

  void buildValues(const plan::PlannedGraph& planned, GraphProgram& program) const {
    program.values.resize(planned.graph->valueSlots());
    for (size_t i = 0; i < program.values.size(); ++i) {
      const allocate::AllocPlanPerValue& from = planned.allocation.values[i];
      ValueProgram& value = program.values[i];
      value.kind = from.kind;
      value.root = static_cast<uint32_t>(from.root.valid() ? from.root.index() : i);
      value.reused = static_cast<uint32_t>(from.reusedBuffer.valid() ? from.reusedBuffer.index() : i);
      value.device = deviceIndex(program, from.device);
      value.element = planned.graph->value(ValueId{i}).type.isTensor() ? planned.graph->value(ValueId{i}).type.element
                                                                       : ElementType::kUndefined;
      if (from.kind == AllocKind::kReuse) markReuse(planned, i, from, value);
    }
    for (size_t place = program.outputs.size(); place-- > 0;)
      program.values[program.outputs[place]].outputPlace = static_cast<int32_t>(place);
    findAnchors(program);
  }

  void markReuse(const plan::PlannedGraph& planned, size_t index, const allocate::AllocPlanPerValue& from,
                 ValueProgram& value) const {
    if (from.rule == AllocRule::kPart) {
      value.isPart = true;
    } else if (from.rule == AllocRule::kSplitPart) {
      value.isSplitPart = true;
    } else if (from.rule == AllocRule::kIntoOutput) {
      value.intoOutput = true;
    } else if (from.inPlace) {
      (isView(planned, ValueId{index}) ? value.isView : value.overInput) = true;
    }
  }

  // Each chain is walked once: what it meets is known from then on.
  static void findAnchors(GraphProgram& program) {
    std::vector<ValueProgram>& values = program.values;
    std::vector<bool> known(values.size(), false);
    std::vector<uint32_t> path;
    for (uint32_t start = 0; start < values.size(); ++start) {
      path.clear();
      uint32_t at = start;
      while (!known[at]) {
        const ValueProgram& value = values[at];
        known[at] = true;  // before its anchor is, so that a chain that bites its tail ends
        path.push_back(at);
        values[at].anchor = at;
        if (value.kind != AllocKind::kReuse || value.isPart || value.isSplitPart) break;
        at = value.reused;
      }
      const uint32_t anchor = values[at].anchor;
      for (uint32_t each : path)
        values[each].anchor = anchor;
    }
  }

  bool isView(const plan::PlannedGraph& planned, ValueId id) const {
    const Value& value = planned.graph->value(id);
    const Node& node = planned.graph->node(value.producer);
    const NodeMemoryHints hints = hintsFor(*planned.graph)(value.producer);
    return std::any_of(hints.inplace.begin(), hints.inplace.end(), [&](const InplaceHint& hint) {
      return hint.kind == AliasKind::kAlias && hint.output == static_cast<int>(value.producerSlot) && hint.input >= 0 &&
             static_cast<size_t>(hint.input) < node.inputs.size() &&
             node.inputs[static_cast<size_t>(hint.input)] == planned.allocation.values[id.index()].reusedBuffer;
    });
  }

  MemoryHints hintsFor(const Graph& graph) const {
    return plan::memoryHintsOf(graph, m_parts.providers, *m_parts.compiled);
  }

  // Weights are bound by reference. One that a device of its own wants is uploaded once for all graphs.
  Result<void> buildConstants(const plan::PlannedGraph& planned, GraphProgram& program) {
    for (ValueId id : planned.graph->valueIds()) {
      const Value& value = planned.graph->value(id);
      if (!value.initializer) continue;
      const ProgramDevice& device = program.devices[program.values[id.index()].device];
      // Feeds come to the host, and so do the defaults that stand in for them.
      if (isHost(device.device) || device.device.type == DeviceType::kCpu ||
          device.device.type == DeviceType::kSimulated || value.isInput) {
        program.constants.emplace_back(static_cast<uint32_t>(id.index()), *value.initializer);
        continue;
      }
      auto uploaded = upload(*value.initializer, device);
      if (!uploaded) return fail(atValue(std::move(uploaded).error(), value.name));
      program.constants.emplace_back(static_cast<uint32_t>(id.index()), *std::move(uploaded));
    }
    return {};
  }

  Result<Tensor> upload(const Tensor& from, const ProgramDevice& device) {
    const UploadKey key{from.data(), from.type(), from.sizeBytes(), device.device.name};
    if (const auto known = m_uploads.find(key); known != m_uploads.end()) {
      Tensor same = known->second;
      same.setDims(from.dims());
      return same;
    }
    auto uploaded = Tensor::create(from.type(), from.dims(), *device.allocator);
    if (!uploaded) {
      return fail(ErrorCode::kFail,
                  "no memory on {} for a weight of {} bytes; {} bytes of weights are there already; what lowers the "
                  "need: fp16, another provider for some nodes, fewer sessions",
                  device.device.name, from.sizeBytes(), m_uploadedBytes);
    }
    for (const auto& provider : m_parts.providers) {
      if (provider->device() == device.device) CUTAWAY_CHECK(provider->copy(from, *uploaded));
    }
    m_uploadedBytes += from.sizeBytes();
    auto sum =
        std::ranges::find_if(m_program.uploadedBytes, [&](const auto& each) { return each.first == device.device; });
    if (sum == m_program.uploadedBytes.end()) sum = m_program.uploadedBytes.insert(sum, {device.device, 0});
    sum->second += from.sizeBytes();
    m_uploads.emplace(key, *uploaded);
    return uploaded;
  }

  static bool patternIsComplete(const plan::PlannedGraph& planned, const GraphProgram& program) {
    for (size_t i = 0; i < program.values.size(); ++i) {
      const ValueType& type = planned.graph->value(ValueId{i}).type;
      const bool pooled = program.values[i].kind == AllocKind::kAllocate &&
                          (!type.known() || (type.isTensor() && type.element != ElementType::kString));
      if (pooled && program.staticPattern->blocks[i].offset < 0) return false;
    }
    return true;
  }

  Result<void> buildSteps(const plan::PlannedGraph& planned, GraphProgram& program) {
    const Graph& graph = *planned.graph;
    size_t slots = 0;
    size_t released = 0;
    for (size_t step = 0; step < planned.order.steps.size(); ++step) {
      const Node& node = graph.node(planned.order.steps[step].node);
      slots += node.inputs.size() + node.outputs.size();
      released += planned.allocation.releasedAfterStep[step].size();
    }
    // Spans point into these: no growth below.
    program.slotIndexes.reserve(slots);
    program.releasedIndexes.reserve(released);
    program.steps.reserve(planned.order.steps.size());
    const auto append = [&](std::span<const ValueId> ids) {
      const size_t first = program.slotIndexes.size();
      for (ValueId id : ids)
        program.slotIndexes.push_back(id.valid() ? static_cast<int32_t>(id.index()) : kAbsent);
      return std::span<const int32_t>(program.slotIndexes.data() + first, ids.size());
    };
    for (size_t i = 0; i < planned.order.steps.size(); ++i) {
      if (m_progress.cancelled()) return fail(cancelledError());
      const NodeId id = planned.order.steps[i].node;
      const Node& node = graph.node(id);
      StepProgram step;
      step.node = id;
      step.inputs = append(node.inputs);
      step.outputs = append(node.outputs);
      const size_t first = program.releasedIndexes.size();
      for (ValueId root : planned.allocation.releasedAfterStep[i])
        program.releasedIndexes.push_back(static_cast<uint32_t>(root.index()));
      step.released = {program.releasedIndexes.data() + first, planned.allocation.releasedAfterStep[i].size()};
      const int64_t beginNs = m_spans != nullptr ? nowNs() : 0;
      step.run = runIndex(node.provider);
      if (step.run >= 0 && plan::isCopy(node)) step.copyNumber = m_program.notifications++;
      CUTAWAY_TRY(auto kernel, makeKernel(graph, id, step.copyNumber));
      if (m_spans != nullptr) logKernel(node, beginNs);
      KernelWatch::kept(graph, id, *kernel);
      if (log::wanted(log::kDebug))
        log::event(log::kDebug, log::Category::kKernels, "chosen",
                   {{"node", nodeLabel(graph, id)}, {"provider", node.provider}, {"kernel", kernel->variant()}});
      step.kernel = kernel.get();
      program.kernels.push_back(std::move(kernel));
      CUTAWAY_CHECK(bindBodies(graph, node, step));
      program.steps.push_back(std::move(step));
    }
    return {};
  }

  // Providers whose device works on its own.
  int32_t runIndex(std::string_view name) {
    ExecutionProvider* provider = plan::providerNamed(m_parts.providers, name);
    if (provider == nullptr || provider->device().type == DeviceType::kCpu ||
        provider->device().type == DeviceType::kSimulated)
      return -1;
    for (size_t i = 0; i < m_runs.size(); ++i) {
      if (m_runs[i].provider == provider) return static_cast<int32_t>(i);
    }
    m_runs.push_back({provider});
    return static_cast<int32_t>(m_runs.size() - 1);
  }

  // Only slow ones are worth a bar.
  void logKernel(const Node& node, int64_t beginNs) const {
    constexpr int64_t kWorthShowingNs = 20'000;
    const int64_t endNs = nowNs();
    if (endNs - beginNs >= kWorthShowingNs)
      m_spans->add(fmt::format("{} '{}'", node.opType, node.name), beginNs, endNs);
  }

  Result<std::shared_ptr<const Kernel>> makeKernel(const Graph& graph, NodeId id, int32_t copyNumber) const {
    const Node& node = graph.node(id);
    const std::string label = nodeName(graph, id);
    if (const auto compiled = m_parts.compiled->find(node.name);
        compiled != m_parts.compiled->end() && compiled->second.kernel)
      return compiled->second.kernel;
    ExecutionProvider* provider = plan::providerNamed(m_parts.providers, node.provider);
    if (provider == nullptr)
      return fail(
          atNode(Error{ErrorCode::kNotImplemented,
                       fmt::format("no provider supports {} '{}' (opset {})", node.opType, label, node.opsetVersion),
                       {}},
                 label));
    if (plan::isCopy(node)) return std::make_shared<CopyKernel>(*provider, copyNumber);
    if (provider->kernels() == nullptr)
      return fail(
          atNode(Error{ErrorCode::kEpFail,
                       fmt::format("provider {} claimed {} '{}' but neither compiled it nor has a kernel for it",
                                   node.provider, node.opType, label),
                       {}},
                 label));
    auto kernel = provider->kernels()->create(
        KernelInfo(graph, id, [this, &graph](ValueId value) { return constantOf(&graph, value); }));
    if (kernel) return std::shared_ptr<const Kernel>(*std::move(kernel));
    Error error = std::move(kernel).error();
    error.message = fmt::format("{} '{}': {}", node.opType, label, error.message);
    return fail(atNode(std::move(error), label));
  }

  // Looks through bodies to the graphs around them.
  const Tensor* constantOf(const Graph* graph, ValueId id) const {
    while (id.valid()) {
      const Value& value = graph->value(id);
      if (value.initializer) return graph->isConstant(id) ? &*value.initializer : nullptr;
      if (!value.outerScope) return nullptr;
      graph = m_planned.at(graph)->parent;
      if (graph == nullptr) return nullptr;
      id = graph->findValue(value.name);
    }
    return nullptr;
  }

  Result<void> bindBodies(const Graph& graph, const Node& node, StepProgram& step) const {
    Result<void> result;
    forEachBody(node, [&](const std::string& attribute, const Graph& body) {
      if (!result) return;
      const auto found = m_programs.find(&body);
      if (found == m_programs.end()) {
        result = fail(ErrorCode::kEngineError, "body '{}' of '{}' was not planned", attribute, node.name);
        return;
      }
      BodyProgram bound{found->second, {}};
      for (ValueId id : body.valueIds()) {
        const Value& value = body.value(id);
        if (!value.outerScope || (value.uses.empty() && value.outputCount == 0)) continue;
        const ValueId outer = graph.findValue(value.name);
        if (!outer.valid()) {
          result = fail(
              atNode(Error{ErrorCode::kInvalidGraph,
                           fmt::format("body '{}' reads '{}', which no graph around it defines", attribute, value.name),
                           {}},
                     node.name));
          return;
        }
        bound.captured.push_back({static_cast<uint32_t>(id.index()), static_cast<uint32_t>(outer.index())});
      }
      step.bodies.push_back(std::move(bound));
    });
    return result;
  }

  const ProgramParts& m_parts;
  const Progress& m_progress;
  SpanLog* m_spans = SpanLog::current();
  Program m_program;
  std::unordered_map<const Graph*, const plan::PlannedGraph*> m_planned;
  std::unordered_map<const Graph*, GraphProgram*> m_programs;
  std::vector<ProgramRun> m_runs;
  using UploadKey = std::tuple<const void*, ElementType, int64_t, std::string>;
  std::map<UploadKey, Tensor> m_uploads;
  int64_t m_uploadedBytes = 0;
};

}  // namespace

Result<Program> buildProgram(const ProgramParts& parts, const Progress& progress) {
  return ProgramBuilder(parts, progress).build();
}

}  // namespace cutaway::execute
