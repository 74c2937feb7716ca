#include "engine/stages/schedule/streams.h"

#include <algorithm>
#include <map>
#include <unordered_map>

namespace cutaway::schedule {
namespace {

bool readsShapeOnly(const Node& node) {
  return node.domain.empty() && (node.opType == "Shape" || node.opType == "Size");
}

class StreamPlanner {
 public:
  StreamPlanner(const Graph& graph, const SequentialExecutionPlan& plan, std::vector<Device> devices)
      : m_graph(graph),
        m_plan(plan),
        m_devices(std::move(devices)),
        m_before(plan.steps.size()),
        m_after(plan.steps.size()) {}

  std::vector<StreamReport> make() {
    m_waitedFor.assign(m_plan.streams.size() * m_plan.streams.size(), -1);
    for (size_t step = 0; step < m_plan.steps.size(); ++step)
      waitForOthers(static_cast<int32_t>(step));
    std::vector<StreamReport> streams(m_plan.streams.size());
    for (size_t i = 0; i < streams.size(); ++i)
      streams[i].name = m_plan.streams[i];
    for (size_t step = 0; step < m_plan.steps.size(); ++step) {
      StreamReport& stream = streams[static_cast<size_t>(m_plan.steps[step].stream)];
      if (stream.device.empty()) stream.device = m_devices[m_plan.steps[step].node.index()].name;
      auto& commands = stream.commands;
      commands.insert(commands.end(), m_before[step].begin(), m_before[step].end());
      commands.push_back({StreamCommandKind::kLaunchKernel, static_cast<int32_t>(step), kNone});
      commands.insert(commands.end(), m_after[step].begin(), m_after[step].end());
    }
    return streams;
  }

 private:
  // The last producer of each other stream, unless this stream has waited for it or a later one before.
  void waitForOthers(int32_t step) {
    const Node& node = m_graph.node(m_plan.steps[static_cast<size_t>(step)].node);
    const int32_t stream = m_plan.steps[static_cast<size_t>(step)].stream;
    std::map<int32_t, int32_t> lastOf;  // stream -> step
    for (const auto* list : {&node.inputs, &node.implicitInputs}) {
      for (ValueId value : *list) {
        if (!value.valid() || !m_graph.value(value).producer.valid()) continue;
        const int32_t producer = m_plan.stepOfNode[m_graph.value(value).producer.index()];
        const int32_t other = m_plan.steps[static_cast<size_t>(producer)].stream;
        if (other != stream) lastOf[other] = std::max(lastOf.try_emplace(other, producer).first->second, producer);
      }
    }
    for (const auto& [other, producer] : lastOf) {
      int32_t& waited = m_waitedFor[static_cast<size_t>(stream) * m_plan.streams.size() + static_cast<size_t>(other)];
      if (waited >= producer) continue;
      waited = producer;
      link(step, producer, !readsShapeOnly(node));
    }
  }

  void link(int32_t step, int32_t producer, bool readsData) {
    auto& before = m_before[static_cast<size_t>(step)];
    auto& after = m_after[static_cast<size_t>(producer)];
    const bool onDevice = m_devices[m_plan.steps[static_cast<size_t>(producer)].node.index()].type != DeviceType::kCpu;
    before.push_back({StreamCommandKind::kBarrier, step, m_barriers});
    if (onDevice && readsData) {
      const auto [known, isNew] = m_notificationOf.try_emplace(producer, static_cast<int32_t>(m_notificationOf.size()));
      if (isNew) after.insert(after.begin(), {StreamCommandKind::kActivateNotification, producer, known->second});
      before.push_back({StreamCommandKind::kWaitOnEp, step, known->second});
    }
    after.push_back({StreamCommandKind::kTriggerDownstream, producer, m_barriers++});
  }

  const Graph& m_graph;
  const SequentialExecutionPlan& m_plan;
  std::vector<Device> m_devices;
  std::vector<std::vector<StreamCommand>> m_before, m_after;  // by step
  std::vector<int32_t> m_waitedFor;  // [stream][other]: the last step of the other it has waited for
  std::unordered_map<int32_t, int32_t> m_notificationOf;  // by producing step
  int32_t m_barriers = 0;
};

}  // namespace

std::vector<Device> nodeDevices(const Graph& graph, const MemoryHints& hints) {
  std::vector<Device> devices(graph.nodeSlots());
  for (NodeId id : graph.nodeIds()) {
    if (hints) devices[id.index()] = hints(id).device;
  }
  return devices;
}

void assignStreams(const Graph& graph, const MemoryHints& hints, SequentialExecutionPlan& plan) {
  const std::vector<Device> devices = nodeDevices(graph, hints);
  std::unordered_map<std::string, int32_t> streamOf;
  for (ExecutionStep& step : plan.steps) {
    const std::string& provider = graph.node(step.node).provider;
    const Device& device = devices[step.node.index()];
    const std::string name = hints && !provider.empty()
                                 ? (device.index > 0 ? fmt::format("{}:{}", device.name, device.index) : device.name)
                             : provider.empty() ? "unassigned"
                                                : provider;
    const auto [stream, isNew] = streamOf.try_emplace(name, static_cast<int32_t>(plan.streams.size()));
    if (isNew) plan.streams.push_back(name);
    step.stream = stream->second;
  }
}

std::vector<StreamReport> streamPlans(const Graph& graph, const MemoryHints& hints,
                                      const SequentialExecutionPlan& plan) {
  return StreamPlanner(graph, plan, nodeDevices(graph, hints)).make();
}

}  // namespace cutaway::schedule
