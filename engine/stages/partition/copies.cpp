#include "engine/stages/partition/copies.h"

#include <algorithm>
#include <map>

#include "engine/graph/node_label.h"

namespace cutaway::partition {

namespace {

const Device& hostDevice() {
  return heapAllocator().device();
}

struct CopyInputs {
  Graph& graph;
  const NodePlaces& places;
  int32_t graphIndex;
  const CopyAdvice& advice;
};

// Everything about one value: where it is, who wants it where, and the copies made of it so far.
class CopyInserter {
 public:
  CopyInserter(const CopyInputs& inputs, std::vector<CopyReport>& copies, ValueId id)
      : m_graph(inputs.graph), m_inputs(inputs), m_copies(copies), m_value(id), m_home(homeOf(id)) {
    m_at.emplace(m_home.name, id);
  }

  void run() {
    bringHome();
    const std::vector<Use> uses = m_graph.value(m_value).uses;
    for (const Use& use : uses) {
      if (isImplicit(use)) continue;
      const Device wanted = m_inputs.places.input(use.node, use.slot);
      if (!(wanted == m_home))
        m_graph.setNodeInput(
            use.node, use.slot,
            at(wanted, fmt::format("{} runs on {}", nodeLabel(m_graph, use.node), wanted.name), use.node));
    }
  }

 private:
  Device homeOf(ValueId id) const {
    const Value& value = m_graph.value(id);
    return value.producer.valid() ? m_inputs.places.output(value.producer, value.producerSlot) : hostDevice();
  }

  bool isImplicit(const Use& use) const { return use.slot >= m_graph.node(use.node).inputs.size(); }

  // A value made on a device that the host needs by name: the device side gets another name, and a copy makes the host
  // side.
  void bringHome() {
    if (m_home == hostDevice()) return;
    const Value& value = m_graph.value(m_value);
    const NodeId producer = value.producer;
    const auto capture = std::ranges::find_if(value.uses, [this](const Use& use) { return isImplicit(use); });
    const bool captured = capture != value.uses.end();
    if (!captured && value.outputCount == 0) return;
    const std::string name = value.name;
    const NodeId capturing = captured ? capture->node : NodeId();
    const std::string cause =
        captured ? fmt::format("a body of {} captures it on the host", nodeLabel(m_graph, capturing))
                 : fmt::format("it is a graph output, which the caller reads on the host and {} makes on {}",
                               nodeLabel(m_graph, producer), m_home.name);
    const std::vector<Use> uses = value.uses;
    m_graph.renameValue(m_value, m_graph.freshName(name + "@" + m_home.name));
    const ValueId onHost = addCopy(m_value, name, m_home, hostDevice(), cause, captured ? capturing : producer);
    const NodeId copy = m_graph.value(onHost).producer;
    m_graph.replaceUses(m_value, onHost);
    m_graph.setNodeInput(copy, 0, m_value);
    // Everybody who is not on the host has the device side again, until the next step sends it further.
    for (const Use& use : uses) {
      if (!isImplicit(use) && !(m_inputs.places.input(use.node, use.slot) == hostDevice()))
        m_graph.setNodeInput(use.node, use.slot, m_value);
    }
  }

  // The value on this device, copied once; between two devices it goes over the host.
  ValueId at(const Device& device, const std::string& cause, NodeId forcing) {
    if (const auto known = m_at.find(device.name); known != m_at.end()) return known->second;
    const bool overHost = !(m_home == hostDevice()) && !(device == hostDevice());
    const ValueId from = overHost ? at(hostDevice(), cause, forcing) : m_value;
    return addCopy(from, m_graph.freshName(baseName() + "@" + device.name), overHost ? hostDevice() : m_home, device,
                   cause, forcing);
  }

  // Without the device that bringHome() has put behind it.
  const std::string& baseName() const {
    const auto onHost = m_at.find(hostDevice().name);
    return m_graph.value(onHost == m_at.end() ? m_value : onHost->second).name;
  }

  ValueId addCopy(ValueId from, const std::string& toName, const Device& source, const Device& target,
                  std::string cause, NodeId forcing) {
    Node copy;
    copy.name = "copy " + m_graph.value(from).name + " to " + target.name;
    copy.opType = kCopyOperator;
    copy.domain = kEngineDomain;
    copy.sinceVersion = 1;
    copy.opsetVersion = 1;
    copy.rewrite = "copy";
    copy.provider = m_inputs.places.providerOf(target == hostDevice() ? source : target);
    copy.setAttribute("from", source.name);
    copy.setAttribute("to", target.name);
    const NodeId producer = m_graph.value(from).producer;
    copy.origins = producer.valid() ? m_graph.node(producer).origins
                                    : (forcing.valid() ? m_graph.node(forcing).origins : ShortList<OriginId>{});
    const NodeId added = m_graph.addNode(std::move(copy), {from}, {toName});
    const ValueId to = m_graph.node(added).outputs[0];
    m_graph.mutableValue(to).type = m_graph.value(from).type;
    m_copies.push_back({.graph = m_inputs.graphIndex,
                        .value = toName,
                        .from = source.name,
                        .to = target.name,
                        .sizeBytes = staticByteSize(m_graph.value(from).type).value_or(-1),
                        .kind = "copy",
                        .cause = std::move(cause),
                        .causeNode = forcing.valid() ? static_cast<int32_t>(forcing.index()) : kNone,
                        .remedy = m_inputs.advice ? m_inputs.advice(m_value, target) : std::string()});
    m_at.emplace(target.name, to);
    return to;
  }

  Graph& m_graph;
  const CopyInputs& m_inputs;
  std::vector<CopyReport>& m_copies;
  ValueId m_value;
  Device m_home;
  std::map<std::string, ValueId> m_at;  // by device name
};

// Initializers that callers may replace are inputs, and copied like any other.
bool isUploadedOnce(const Value& value) {
  return value.initializer && !value.isInput;
}

bool worksOnItsOwn(const Device& device) {
  return device.type != DeviceType::kCpu && device.type != DeviceType::kSimulated;
}

// A weight that the host reads as well as a device of its own, or two such devices, becomes one value for each: same
// bytes, so that each session uploads them once per device.
void splitWeight(Graph& graph, const NodePlaces& places, ValueId id) {
  const std::vector<Use> uses = graph.value(id).uses;
  std::map<std::string, ValueId> at;
  const auto isImplicit = [&](const Use& use) { return use.slot >= graph.node(use.node).inputs.size(); };
  const bool hostReads = graph.value(id).outputCount > 0 || std::ranges::any_of(uses, [&](const Use& use) {
                           return isImplicit(use) || !worksOnItsOwn(places.input(use.node, use.slot));
                         });
  if (hostReads) at.emplace(std::string(), id);
  for (const Use& use : uses) {
    if (isImplicit(use)) continue;
    const Device& wanted = places.input(use.node, use.slot);
    const std::string key = worksOnItsOwn(wanted) ? wanted.name : std::string();
    auto known = at.find(key);
    if (known == at.end())
      known =
          at.emplace(key, at.empty() ? id
                                     : graph.addInitializer(graph.freshName(graph.value(id).name + "@" + wanted.name),
                                                            *graph.value(id).initializer))
              .first;
    if (known->second != id) graph.setNodeInput(use.node, use.slot, known->second);
  }
}

}  // namespace

void insertCopies(Graph& graph, const NodePlaces& places, int32_t graphIndex, std::vector<CopyReport>& copies,
                  const CopyAdvice& advice) {
  const CopyInputs inputs{graph, places, graphIndex, advice};
  for (const ValueId id : graph.valueIds()) {
    if (isUploadedOnce(graph.value(id))) {
      splitWeight(graph, places, id);
    } else {
      CopyInserter(inputs, copies, id).run();
    }
  }
}

}  // namespace cutaway::partition
