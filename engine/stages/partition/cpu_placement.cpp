#include "engine/stages/partition/cpu_placement.h"

#include <algorithm>
#include <unordered_map>
#include <utility>

#include <queue>

#include "engine/operators/cost/node_cost.h"

namespace cutaway::partition {

namespace {

constexpr int64_t kSmallElements = 100;
// Where a provider says nothing about its speed: a PCIe device and one core of a desktop, in round figures.
constexpr DeviceSpeed kUsualDevice{.flopsPerSecond = 1e12,
                                   .memoryBytesPerSecond = 1e11,
                                   .linkBytesPerSecond = 1e10,
                                   .launchNs = 5000,
                                   .transferNs = 10000};
constexpr DeviceSpeed kHost{
    .flopsPerSecond = 1e10, .memoryBytesPerSecond = 1e10, .linkBytesPerSecond = 0, .launchNs = 500, .transferNs = 0};

bool isNarrowFloat(ElementType type) {
  return isFloating(type) && bitsOf(type) < 32;
}

bool isShapeLike(const Node& node) {
  return node.domain.empty() && (node.opType == "Shape" || node.opType == "Size");
}

double orElse(double value, double otherwise) {
  return value > 0 ? value : otherwise;
}

class Placement {
 public:
  Placement(const PlacementQuestion& question, std::span<const ComputeCapability> claims, std::vector<char>& wanted)
      : m_question(question),
        m_graph(question.graph),
        m_claims(claims),
        m_wanted(wanted),
        m_claimOf(m_graph.nodeSlots(), kNone),
        m_position(m_graph.nodeSlots(), 0),
        m_rows(m_graph.nodeSlots(), nullptr),
        m_mayLeave(m_graph.nodeSlots(), 0),
        m_awaited(m_graph.nodeSlots(), 0),
        m_onHost(m_graph.valueSlots(), 0),
        m_wantedOnDevice(m_graph.valueSlots(), Answer::kOpen),
        m_queued(m_graph.nodeSlots(), 0) {
    const DeviceSpeed said = question.provider.speed().value_or(DeviceSpeed{});
    m_linkBytesPerNs = orElse(said.linkBytesPerSecond, kUsualDevice.linkBytesPerSecond) / 1e9;
    m_transferNs = orElse(said.transferNs, kUsualDevice.transferNs);
    m_launchNs = orElse(said.launchNs, kUsualDevice.launchNs);
    m_device = {.flopsPerSecond = orElse(said.flopsPerSecond, kUsualDevice.flopsPerSecond),
                .memoryBytesPerSecond = orElse(said.memoryBytesPerSecond, kUsualDevice.memoryBytesPerSecond),
                .launchNs = m_launchNs};
    for (size_t i = 0; i < question.order.size(); ++i)
      m_position[question.order[i].index()] = i;
    for (size_t i = 0; i < claims.size(); ++i) {
      if (wanted[i] && !claims[i].subGraph.metaDef && claims[i].subGraph.nodes.size() == 1)
        m_claimOf[claims[i].subGraph.nodes.front().index()] = static_cast<int32_t>(i);
    }
  }

  std::vector<Refusal> run() {
    for (const NodeId id : m_question.order)
      lookAtInputs(id);
    for (const NodeId id : m_question.order)
      startFrom(id);
    while (!m_queue.empty()) {
      const NodeId id = m_question.order[m_queue.top()];
      m_queue.pop();
      consider(id);
    }
    for (const NodeId id : m_question.order)
      releaseShapeOfHostValue(id);
    return std::move(m_released);
  }

 private:
  struct Estimate {
    double here = 0;   // on the device, with its operands carried over
    double there = 0;  // on the host, with results carried back to those who stay
    int64_t bytesIn = 0, bytesBack = 0;
    int transfersIn = 0, transfersBack = 0;
  };

  enum class Answer : uint8_t { kOpen, kYes, kNo };

  // Once, as each input of a node may ask again.
  void lookAtInputs(NodeId id) {
    if (m_claimOf[id.index()] == kNone) return;
    const KernelRegistry* kernels = m_question.provider.kernels();
    const KernelRow* row = kernels == nullptr ? nullptr : kernels->find(m_graph, id).row;
    m_rows[id.index()] = row;
    const Node& node = m_graph.node(id);
    bool mayLeave = node.implicitInputs.empty();
    for (size_t slot = 0; mayLeave && slot < node.inputs.size(); ++slot) {
      if (!node.inputs[slot].valid()) continue;
      const Value& value = m_graph.value(node.inputs[slot]);
      mayLeave = !isNarrowFloat(value.type.element) &&
                 (!value.initializer || value.initializer->elementCount() <= kSmallElements);
      if (value.initializer || value.isInput) continue;
      mayLeave = mayLeave && !readsOnHost(row, slot);
      ++m_awaited[id.index()];
    }
    m_mayLeave[id.index()] = mayLeave ? 1 : 0;
  }

  static bool readsOnHost(const KernelRow* row, size_t slot) {
    return row != nullptr && std::ranges::count(row->hostInputs, static_cast<int>(slot)) > 0;
  }

  void startFrom(NodeId id) {
    const Node& node = m_graph.node(id);
    const bool claimed = m_claimOf[id.index()] != kNone;
    const KernelRow* row = claimed ? m_rows[id.index()] : nullptr;
    for (size_t slot = 0; slot < node.outputs.size(); ++slot) {
      const bool onHost =
          isShapeLike(node) || (row != nullptr && std::ranges::count(row->hostOutputs, static_cast<int>(slot)) > 0);
      if (node.outputs[slot].valid() && onHost) putOnHost(node.outputs[slot]);
    }
  }

  // Shape and Size read no elements. Of a value in host memory that nobody else wants on the device they would have it
  // copied for nothing.
  void releaseShapeOfHostValue(NodeId id) {
    const Node& node = m_graph.node(id);
    if (m_claimOf[id.index()] == kNone || !isShapeLike(node) || node.inputs.empty() || !node.inputs[0].valid()) return;
    const Value& value = m_graph.value(node.inputs[0]);
    const bool liesOnHost = m_onHost[node.inputs[0].index()] != 0 || (!value.producer.valid() && !value.initializer);
    if (!liesOnHost || (m_question.mayMove && !m_question.mayMove(id)) ||
        m_question.hostKernels.find(m_graph, id).row == nullptr)
      return;
    // Only nodes like this one go from now on: the answer stays.
    Answer& wanted = m_wantedOnDevice[node.inputs[0].index()];
    if (wanted == Answer::kOpen)
      wanted = std::ranges::any_of(value.uses, [&](const Use& use) { return wantsOnDevice(use); }) ? Answer::kYes
                                                                                                   : Answer::kNo;
    if (wanted == Answer::kYes) return;
    takeBack(id, "its operand lies in host memory, and only the dims of it are read", "an operand in host memory");
  }

  bool wantsOnDevice(const Use& use) const {
    if (m_claimOf[use.node.index()] == kNone || isShapeLike(m_graph.node(use.node))) return false;
    return !readsOnHost(m_rows[use.node.index()], use.slot);
  }

  void putOnHost(ValueId value) {
    if (std::exchange(m_onHost[value.index()], 1) != 0) return;
    for (const Use& use : m_graph.value(value).uses) {
      --m_awaited[use.node.index()];
      if (m_claimOf[use.node.index()] == kNone || m_queued[use.node.index()]) continue;
      m_queued[use.node.index()] = 1;
      m_queue.push(m_position[use.node.index()]);
    }
  }

  void consider(NodeId id) {
    if (isShapeLike(m_graph.node(id))) return;
    if (m_question.mayMove && !m_question.mayMove(id)) return;
    if (m_mayLeave[id.index()] == 0 || m_awaited[id.index()] > 0 ||
        m_question.hostKernels.find(m_graph, id).row == nullptr)
      return;
    const Estimate estimate = estimateOf(id);
    if (estimate.there >= estimate.here) return;
    release(id, estimate);
    for (const ValueId output : m_graph.node(id).outputs) {
      if (output.valid()) putOnHost(output);
    }
  }

  static double computeNs(const operators::NodeCost& cost, const DeviceSpeed& speed) {
    const double flops = cost.flops > 0 ? static_cast<double>(cost.flops) : 0;
    const double bytes = static_cast<double>(std::max<int64_t>(cost.movedBytes, 0) + cost.weightBytes);
    return speed.launchNs + 1e9 * std::max(flops / speed.flopsPerSecond, bytes / speed.memoryBytesPerSecond);
  }

  Estimate estimateOf(NodeId id) const {
    const Node& node = m_graph.node(id);
    const operators::NodeCost cost = operators::nodeCost(m_graph, id);
    Estimate estimate;
    for (const ValueId input : node.inputs) {
      if (!input.valid() || m_graph.value(input).initializer) continue;
      ++estimate.transfersIn;
      estimate.bytesIn += staticByteSize(m_graph.value(input).type).value_or(0);
    }
    // Looked at as if all results were in host memory.
    std::unordered_map<size_t, int64_t> arriving;  // by node index
    for (const ValueId output : node.outputs) {
      if (!output.valid() || m_onHost[output.index()] != 0) continue;
      for (const Use& use : m_graph.value(output).uses)
        ++arriving[use.node.index()];
    }
    for (const ValueId output : node.outputs) {
      if (!output.valid() || !neededOnDevice(output, arriving)) continue;
      ++estimate.transfersBack;
      estimate.bytesBack += staticByteSize(m_graph.value(output).type).value_or(0);
    }
    estimate.here = computeNs(cost, m_device) + estimate.transfersIn * m_transferNs +
                    static_cast<double>(estimate.bytesIn) / m_linkBytesPerNs;
    estimate.there = computeNs(cost, kHost) + estimate.transfersBack * m_transferNs +
                     static_cast<double>(estimate.bytesBack) / m_linkBytesPerNs;
    return estimate;
  }

  // Does a consumer stay on the device that does not want the value in host memory anyway?
  bool neededOnDevice(ValueId value, const std::unordered_map<size_t, int64_t>& arriving) const {
    return std::ranges::any_of(m_graph.value(value).uses, [&](const Use& use) {
      const size_t node = use.node.index();
      if (m_claimOf[node] == kNone || readsOnHost(m_rows[node], use.slot)) return false;
      const auto found = arriving.find(node);
      return m_mayLeave[node] == 0 || m_awaited[node] > (found == arriving.end() ? 0 : found->second);
    });
  }

  void release(NodeId id, const Estimate& estimate) {
    const auto transfers = [](int count, int64_t bytes) {
      return fmt::format("{} {} of {} bytes", count, count == 1 ? "transfer" : "transfers", bytes);
    };
    const std::string seen = fmt::format("{:.1f} µs there ({} back), {:.1f} µs here ({})", estimate.there / 1e3,
                                         transfers(estimate.transfersBack, estimate.bytesBack), estimate.here / 1e3,
                                         transfers(estimate.transfersIn, estimate.bytesIn));
    takeBack(id, "its operands lie in host memory, and computing on the CPU is cheaper: " + seen, seen);
  }

  void takeBack(NodeId id, std::string reason, std::string seen) {
    m_wanted[static_cast<size_t>(m_claimOf[id.index()])] = 0;
    m_claimOf[id.index()] = kNone;
    m_released.push_back({.node = id,
                          .cause = RefusalCause::kPlacement,
                          .reason = std::move(reason),
                          .rule = "cpu placement",
                          .seen = std::move(seen),
                          .remedy = fmt::format("a pin of the node to {}", m_question.provider.name())});
  }

  const PlacementQuestion& m_question;
  const Graph& m_graph;
  std::span<const ComputeCapability> m_claims;
  std::vector<char>& m_wanted;
  std::vector<int32_t> m_claimOf;        // by node index: its single-node claim
  std::vector<size_t> m_position;        // by node index: place in the topological order
  std::vector<const KernelRow*> m_rows;  // by node index: of claimed nodes; nullptr: there is none
  std::vector<char> m_mayLeave;          // by node index: once all of its inputs are in host memory
  std::vector<int64_t> m_awaited;        // by node index: inputs, counted by slot, that are not in host memory
  std::vector<char> m_onHost;            // by value index
  std::vector<Answer> m_wantedOnDevice;  // by value index
  std::vector<char> m_queued;            // by node index
  std::priority_queue<size_t, std::vector<size_t>, std::greater<>> m_queue;
  std::vector<Refusal> m_released;
  DeviceSpeed m_device;
  double m_linkBytesPerNs = 0, m_transferNs = 0, m_launchNs = 0;
};

}  // namespace

std::vector<Refusal> keepShapeArithmeticOnHost(const PlacementQuestion& question,
                                               std::span<const ComputeCapability> claims, std::vector<char>& wanted) {
  if (question.provider.device() == heapAllocator().device()) return {};
  return Placement(question, claims, wanted).run();
}

}  // namespace cutaway::partition
