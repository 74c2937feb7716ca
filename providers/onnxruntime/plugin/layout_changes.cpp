#include "providers/onnxruntime/plugin/layout_changes.h"

#include <algorithm>
#include <map>
#include <optional>
#include <ranges>
#include <set>
#include <unordered_map>

#include "engine/graph/node_label.h"
#include "providers/onnxruntime/model_writer.h"

namespace cutaway::onnxruntime {

namespace {

using Place = uint32_t;  // of a node in a question

// The graph of a question: who makes and who reads what, and which of the nodes are ours.
struct Asked {
  const CapabilityCall& call;
  std::unordered_map<std::string, Place> producer;
  std::unordered_map<std::string, std::vector<Place>> readers;
  std::map<NodeId, std::vector<Place>> places;

  explicit Asked(const CapabilityCall& question) : call(question) {
    for (Place place = 0; place < call.nodes.size(); ++place) {
      for (const std::string& value : call.ports[place].outputs)
        producer.emplace(value, place);
      for (const std::string& value : call.ports[place].inputs)
        readers[value].push_back(place);
      if (const std::optional<NodeId> id = numberIn(call.nodes[place].name)) places[*id].push_back(place);
    }
  }

  std::optional<Place> makerOf(Place place, size_t slot) const {
    const std::vector<std::string>& inputs = call.ports[place].inputs;
    const auto made = slot < inputs.size() ? producer.find(inputs[slot]) : producer.end();
    return made == producer.end() ? std::nullopt : std::optional(made->second);
  }
};

class ChangeReader {
 public:
  ChangeReader(const Graph& graph, const CapabilityCall& first, const CapabilityCall& last)
      : m_graph(graph), m_first(first), m_last(last) {
    for (const AssignedNode& node : first.nodes) {
      if (!numberIn(node.name)) m_known.insert(node.name);
    }
    m_places = m_last.places;
    for (const auto& [id, places] : m_places) {
      for (const Place place : places)
        m_owner[place] = id;
    }
  }

  std::vector<LayoutChange> read(std::span<const NodeId> asked) {
    std::vector<LayoutChange> others;
    // Consumers first: what stands for one of them leads to what stands for those before it.
    for (const NodeId id : asked | std::views::reverse) {
      if (!m_first.places.contains(id)) continue;
      const auto now = m_last.places.find(id);
      if (now == m_last.places.end()) {
        others.push_back(
            {.kind = findPlace(id) ? LayoutChange::Kind::kWrittenAnew : LayoutChange::Kind::kPutAway, .node = id});
      } else if (now->second.size() > m_first.places.at(id).size()) {
        others.push_back({.kind = LayoutChange::Kind::kCopied, .node = id, .copies = now->second.size()});
      }
    }
    std::vector<LayoutChange> changes = insertions();
    changes.insert(changes.end(), others.rbegin(), others.rend());
    return changes;
  }

 private:
  bool isStranger(Place place) const { return !m_owner.contains(place); }
  const std::string& opOf(Place place) const { return m_last.call.nodes[place].opType; }

  // A stranger of the same operator that feeds those that the node fed, behind Transposes or not.
  bool findPlace(NodeId id) {
    const Node& node = m_graph.node(id);
    bool isFound = false;
    const auto takes = [&](Place place) {
      m_owner[place] = id;
      m_places[id].push_back(place);
      isFound = true;
    };
    for (const ValueId output : node.outputs) {
      if (!output.valid()) continue;
      const auto same = m_last.producer.find(m_graph.value(output).name);
      if (same != m_last.producer.end() && isStranger(same->second) && opOf(same->second) == node.opType)
        takes(same->second);
      for (const Use& use : m_graph.value(output).uses) {
        for (const Place reader : m_places[use.node]) {
          const std::optional<Place> maker = upward(m_last.makerOf(reader, use.slot), [&](Place place) {
            return !isStranger(place) || opOf(place) == node.opType;
          });
          if (maker && isStranger(*maker)) takes(*maker);
        }
      }
    }
    return isFound;
  }

  std::vector<LayoutChange> insertions() const {
    std::vector<LayoutChange> found;
    for (Place place = 0; place < m_last.call.nodes.size(); ++place) {
      if (!isStranger(place) || m_known.contains(m_last.call.nodes[place].name)) continue;
      const std::vector<std::string>& inputs = m_last.call.ports[place].inputs;
      found.push_back({.kind = LayoutChange::Kind::kInserted,
                       .node = ownerBefore(place),
                       .behind = ownerBehind(place),
                       .opType = opOf(place),
                       .value = inputs.empty() ? std::string() : inputs.front()});
    }
    return found;
  }

  // The first that is wanted, from there along first inputs. What is read from a record may lead in a circle.
  template <typename IsWanted>
  std::optional<Place> upward(std::optional<Place> place, IsWanted isWanted) const {
    for (size_t step = 0; place && step < m_last.call.nodes.size(); ++step) {
      if (isWanted(*place)) return place;
      place = m_last.makerOf(*place, 0);
    }
    return std::nullopt;
  }

  NodeId ownerBefore(Place place) const {
    const auto maker = upward(m_last.makerOf(place, 0), [this](Place each) { return !isStranger(each); });
    return maker ? m_owner.at(*maker) : NodeId();
  }

  NodeId ownerBehind(Place place) const {
    for (size_t step = 0; step < m_last.call.nodes.size(); ++step) {
      const std::vector<std::string>& outputs = m_last.call.ports[place].outputs;
      const auto readers = outputs.empty() ? m_last.readers.end() : m_last.readers.find(outputs.front());
      if (readers == m_last.readers.end()) return {};
      place = readers->second.front();
      if (!isStranger(place)) return m_owner.at(place);
    }
    return {};
  }

  const Graph& m_graph;
  Asked m_first;
  Asked m_last;
  std::set<std::string> m_known;                  // strangers that were there before
  std::map<Place, NodeId> m_owner;                // whose place a node of the last question has
  std::map<NodeId, std::vector<Place>> m_places;  // the other way round
};

bool tellsPorts(const CapabilityCall& call) {
  return call.ports.size() == call.nodes.size();
}

}  // namespace

std::vector<LayoutChange> layoutChanges(const Graph& graph, std::span<const NodeId> asked, const CapabilityCall& first,
                                        const CapabilityCall& last) {
  if (&first == &last || !tellsPorts(first) || !tellsPorts(last)) return {};
  return ChangeReader(graph, first, last).read(asked);
}

std::string changeText(const Graph& graph, const LayoutChange& change) {
  const std::string label = change.node.valid() ? nodeLabel(graph, change.node) : std::string();
  switch (change.kind) {
    case LayoutChange::Kind::kWrittenAnew:
      return fmt::format("{} is written anew, for what follows has another layout", label);
    case LayoutChange::Kind::kCopied:
      return fmt::format("{} stands {} times, once for each that reads it", label, change.copies);
    case LayoutChange::Kind::kPutAway:
      return fmt::format("{} is put away: no node stands in its place", label);
    case LayoutChange::Kind::kInserted:
      break;
  }
  const std::string behind = change.behind.valid() ? nodeLabel(graph, change.behind) : std::string();
  if (label.empty() && behind.empty()) return fmt::format("{} inserted, reading '{}'", change.opType, change.value);
  if (label.empty()) return fmt::format("{} inserted before {}, reading '{}'", change.opType, behind, change.value);
  if (behind.empty()) return fmt::format("{} inserted behind {}", change.opType, label);
  return fmt::format("{} inserted between {} and {}", change.opType, label, behind);
}

std::vector<ProviderRewrite> changeNotes(const Graph& graph, std::span<const LayoutChange> changes) {
  std::vector<ProviderRewrite> notes;
  for (const LayoutChange& change : changes) {
    std::vector<OriginId> origins;
    for (const NodeId id : {change.node, change.behind}) {
      if (id.valid()) origins.insert(origins.end(), graph.node(id).origins.begin(), graph.node(id).origins.end());
    }
    notes.push_back({changeText(graph, change), std::move(origins), "layout change of ONNX Runtime"});
  }
  return notes;
}

std::vector<ProviderRewrite> ChangeNotes::take(const Graph& graph, const std::string& provider) {
  const auto kept = m_notes.extract(&graph);
  const std::vector<NodeId> nodes = graph.nodeIds();
  const bool isThere = std::ranges::any_of(nodes, [&](NodeId id) { return graph.node(id).provider == provider; });
  return kept.empty() || !isThere ? std::vector<ProviderRewrite>() : std::move(kept.mapped());
}

}  // namespace cutaway::onnxruntime
