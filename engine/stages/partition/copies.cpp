#include "engine/stages/partition/copies.h"

#include <map>

namespace cutaway {

namespace {

const Device& hostDevice() { return heapAllocator().device(); }

std::string labelOf(const Graph& graph, NodeId id) {
  const Node& node = graph.node(id);
  return node.name.empty() ? fmt::format("{} {}", node.opType, id.index()) : fmt::format("{} '{}'", node.opType, node.name);
}

class CopyInserter {
 public:
  CopyInserter(Graph& graph, const NodePlaces& places, int32_t graphIndex, std::vector<CopyReport>& copies) : m_graph(graph), m_places(places), m_graphIndex(graphIndex), m_copies(copies) {}

  void visit(ValueId id) {
    if (m_graph.value(id).initializer && !m_graph.value(id).isInput) return;
    const Device home = homeOf(id);
    bringHome(id, home);
    sendAbroad(id);
  }

 private:
  // Where the value comes into being.
  Device homeOf(ValueId id) const {
    const Value& value = m_graph.value(id);
    return value.producer.valid() ? m_places.output(value.producer, value.producerSlot) : hostDevice();
  }

  static bool isImplicit(const Graph& graph, const Use& use) { return use.slot >= graph.node(use.node).inputs.size(); }

  Device wantedBy(const Use& use) const { return isImplicit(m_graph, use) ? hostDevice() : m_places.input(use.node, use.slot); }

  // A value made on a device that the host needs by name: rename the device side, and let a copy make the host side.
  void bringHome(ValueId& id, const Device& home) {
    if (home == hostDevice()) return;
    const Value& value = m_graph.value(id);
    NodeId forcing;
    bool neededByName = value.outputCount > 0;
    for (const Use& use : value.uses) {
      if (!isImplicit(m_graph, use)) continue;
      neededByName = true;
      forcing = use.node;
    }
    if (!neededByName) return;
    const std::string name = value.name;
    m_graph.renameValue(id, m_graph.freshName(name + "@" + home.name));
    const std::string cause = forcing.valid() ? fmt::format("a body of {} captures it on the host", labelOf(m_graph, forcing)) : "it is a graph output, which the caller reads on the host";
    const ValueId onHost = addCopy(id, name, home, hostDevice(), cause, forcing);
    // Uses move too; those that want the device side again are rewired by the next step.
    const std::vector<Use> uses = m_graph.value(id).uses;
    const NodeId copy = m_graph.value(onHost).producer;
    m_graph.replaceUses(id, onHost);
    m_graph.setNodeInput(copy, 0, id);
    for (const Use& use : uses) {
      if (use.node != copy && !isImplicit(m_graph, use) && wantedBy(use) == home) m_graph.setNodeInput(use.node, use.slot, id);
    }
    id = onHost;
  }

  void sendAbroad(ValueId id) {
    const Device home = homeOf(id);
    std::map<std::string, ValueId> copyOnDevice;
    const std::vector<Use> uses = m_graph.value(id).uses;
    for (const Use& use : uses) {
      if (isImplicit(m_graph, use) || m_graph.node(use.node).opType == kCopyOperator) continue;
      const Device wanted = wantedBy(use);
      if (wanted == home) continue;
      auto [entry, isNew] = copyOnDevice.try_emplace(wanted.name);
      if (isNew) {
        const std::string name = m_graph.freshName(m_graph.value(id).name + "@" + wanted.name);
        entry->second = addCopy(id, name, home, wanted, fmt::format("{} runs on {}", labelOf(m_graph, use.node), wanted.name), use.node);
      }
      m_graph.setNodeInput(use.node, use.slot, entry->second);
    }
  }

  ValueId addCopy(ValueId from, const std::string& toName, const Device& source, const Device& target, std::string cause, NodeId forcing) {
    Node copy;
    copy.name = "copy " + m_graph.value(from).name + " to " + target.name;
    copy.opType = kCopyOperator;
    copy.domain = kEngineDomain;
    copy.sinceVersion = 1;
    copy.opsetVersion = 1;
    copy.rewrite = "copy";
    copy.provider = m_places.providerOf(target == hostDevice() ? source : target);
    copy.setAttribute("from", source.name);
    copy.setAttribute("to", target.name);
    const NodeId producer = m_graph.value(from).producer;
    copy.origins = producer.valid() ? m_graph.node(producer).origins : (forcing.valid() ? m_graph.node(forcing).origins : std::vector<OriginId>{});
    const NodeId added = m_graph.addNode(std::move(copy), {from}, {toName});
    const ValueId to = m_graph.node(added).outputs[0];
    m_graph.mutableValue(to).type = m_graph.value(from).type;
    m_copies.push_back({.graph = m_graphIndex,
                        .value = toName,
                        .from = source.name,
                        .to = target.name,
                        .sizeBytes = staticByteSize(m_graph.value(from).type).value_or(-1),
                        .kind = "copy",
                        .cause = std::move(cause),
                        .causeNode = forcing.valid() ? static_cast<int32_t>(forcing.index()) : kNone});
    return to;
  }

  Graph& m_graph;
  const NodePlaces& m_places;
  int32_t m_graphIndex;
  std::vector<CopyReport>& m_copies;
};

}  // namespace

void insertCopies(Graph& graph, const NodePlaces& places, int32_t graphIndex, std::vector<CopyReport>& copies) {
  CopyInserter inserter(graph, places, graphIndex, copies);
  for (const ValueId id : graph.valueIds()) inserter.visit(id);
}

}  // namespace cutaway
