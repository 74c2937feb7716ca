#include "providers/onnxruntime/plugin/plugin_answer.h"

#include <algorithm>
#include <optional>

#include "providers/onnxruntime/model_writer.h"

namespace cutaway::onnxruntime {

namespace {

constexpr int32_t kNobody = -1;
constexpr int32_t kSingle = -2;

// What stands in one question for one of our nodes: its copies, and who wants them.
struct Standing {
  size_t copies = 0;
  size_t wanted = 0;
  int32_t group = kNobody;
  bool isSplit = false;  // between groups
};
using Standings = std::map<NodeId, Standing>;

std::optional<NodeId> oursAt(const CapabilityCall& call, uint32_t place) {
  if (place >= call.nodes.size()) return std::nullopt;
  return numberIn(call.nodes[place].name);
}

void want(Standings& standings, NodeId id, int32_t group) {
  const auto known = standings.find(id);
  if (known == standings.end()) return;
  Standing& standing = known->second;
  ++standing.wanted;
  if (standing.group != kNobody && standing.group != group) standing.isSplit = true;
  standing.group = group;
}

Standings standingsIn(const CapabilityCall& call) {
  Standings standings;
  for (const AssignedNode& node : call.nodes) {
    if (const std::optional<NodeId> id = numberIn(node.name)) ++standings[*id].copies;
  }
  for (size_t group = 0; group < call.groups.size(); ++group) {
    for (const uint32_t place : call.groups[group]) {
      if (const std::optional<NodeId> id = oursAt(call, place)) want(standings, *id, static_cast<int32_t>(group));
    }
  }
  for (const uint32_t place : call.singles) {
    if (const std::optional<NodeId> id = oursAt(call, place)) want(standings, *id, kSingle);
  }
  return standings;
}

// Where nothing has to be compiled the record is the answer: questions follow after nodes have been given away.
Standings standingsIn(std::span<const AssignedGroup> assignment, const std::string& provider) {
  Standings standings;
  for (const AssignedGroup& group : assignment) {
    for (const AssignedNode& node : group.nodes) {
      const std::optional<NodeId> id = numberIn(node.name);
      if (!id) continue;
      Standing& standing = standings[*id];
      ++standing.copies;
      if (group.provider != provider) continue;
      ++standing.wanted;
      standing.group = kSingle;
    }
  }
  return standings;
}

bool isWanted(const Standing& standing) {
  return standing.wanted > 0 && standing.wanted == standing.copies && !standing.isSplit;
}

class AnswerReader {
 public:
  AnswerReader(const Graph& graph, std::span<const NodeId> asked, const AskedFacts& facts)
      : m_graph(graph), m_asked(asked), m_facts(facts) {}

  PluginAnswer read() {
    std::vector<const CapabilityCall*> calls;
    for (const CapabilityCall& call : m_facts.calls) {
      // Bodies have names of their own; questions about them lead to no number.
      const auto isOurs = [](const AssignedNode& node) { return numberIn(node.name).has_value(); };
      if (!call.nested && std::ranges::any_of(call.nodes, isOurs)) calls.push_back(&call);
    }
    m_answer.questions = calls.size();
    m_answer.wasAsked = !calls.empty();
    if (!calls.empty()) m_answer.error = calls.back()->error;
    if (calls.empty()) return std::move(m_answer);
    // Before the layout change values are called as we call them.
    for (const KnownShape& shape : calls.front()->shapes)
      m_answer.shapes[shape.value] = shape.dims;
    const Standings before = standingsIn(*calls.front());
    const bool isRecorded = !m_facts.compiles && m_facts.code == 0;
    m_standings = isRecorded ? standingsIn(m_facts.assignment, calls.back()->provider) : standingsIn(*calls.back());
    m_answer.changes = layoutChanges(m_graph, m_asked, *calls.front(), *calls.back());
    sortNodes(calls.back()->groups.size(), before);
    for (const CapabilityCall* const call : calls) {
      for (const uint32_t place : call->withoutKernel) {
        if (const std::optional<NodeId> id = oursAt(*call, place)) m_answer.withoutKernel.push_back(*id);
      }
    }
    return std::move(m_answer);
  }

 private:
  void sortNodes(size_t groupCount, const Standings& before) {
    m_answer.groups.resize(groupCount);
    for (const NodeId id : m_asked) {
      const auto known = m_standings.find(id);
      if (known == m_standings.end()) {
        m_gone.push_back(id);
        continue;
      }
      const Standing& standing = known->second;
      if (isWanted(standing)) {
        put(id, standing.group);
      } else if (standing.wanted > 0) {
        m_answer.whyNot[id] =
            fmt::format("ONNX Runtime made {} copies of it, of which the provider wants {}{}", standing.copies,
                        standing.wanted, standing.isSplit ? " in different groups" : "");
      } else if (const auto earlier = before.find(id); earlier != before.end() && isWanted(earlier->second)) {
        m_answer.lost.push_back(id);
        m_answer.whyNot[id] =
            "the provider wants it with channels first, and no more once ONNX Runtime has moved channels last for it";
      }
    }
    placeGone();
    std::map<NodeId, size_t> position;
    for (size_t i = 0; i < m_asked.size(); ++i)
      position[m_asked[i]] = i;
    for (std::vector<NodeId>& group : m_answer.groups)
      std::ranges::sort(group, {}, [&](NodeId id) { return position[id]; });
    std::erase_if(m_answer.groups, [](const std::vector<NodeId>& group) { return group.empty(); });
  }

  void put(NodeId id, int32_t group) {
    m_groupOf[id] = group;
    if (group == kSingle) {
      m_answer.singles.push_back(id);
    } else {
      m_answer.groups[static_cast<size_t>(group)].push_back(id);
    }
  }

  // A node that others stand for now (its function's body, a fusion) goes with its neighbours: where all that use it
  // are in one group, or else where what it uses is.
  void placeGone() {
    for (auto gone = m_gone.rbegin(); gone != m_gone.rend(); ++gone)
      placeWith(*gone, neighbours(*gone, true));
    for (const NodeId id : m_gone) {
      if (!m_groupOf.contains(id)) placeWith(id, neighbours(id, false));
      if (!m_groupOf.contains(id))
        m_answer.whyNot[id] =
            "ONNX Runtime put other nodes in its place before the provider was asked, and its "
            "neighbours are not in one group";
    }
  }

  void placeWith(NodeId id, const std::vector<NodeId>& others) {
    int32_t group = kNobody;
    for (const NodeId other : others) {
      const auto known = m_groupOf.find(other);
      const int32_t its = known == m_groupOf.end() ? kNobody : known->second;
      if (its == kNobody || (group != kNobody && its != group)) return;
      group = its;
    }
    if (group == kNobody) return;
    put(id, group);
    m_answer.absorbed.push_back(id);
  }

  std::vector<NodeId> neighbours(NodeId id, bool consumers) const {
    std::vector<NodeId> found;
    if (consumers) {
      for (const ValueId value : m_graph.node(id).outputs) {
        if (!value.valid()) continue;
        for (const Use& use : m_graph.value(value).uses)
          found.push_back(use.node);
      }
      return found;
    }
    for (const ValueId value : m_graph.node(id).inputs) {
      if (value.valid() && m_graph.value(value).producer.valid()) found.push_back(m_graph.value(value).producer);
    }
    return found;
  }

  const Graph& m_graph;
  std::span<const NodeId> m_asked;
  const AskedFacts& m_facts;
  Standings m_standings;
  std::map<NodeId, int32_t> m_groupOf;
  std::vector<NodeId> m_gone;
  PluginAnswer m_answer;
};

}  // namespace

PluginAnswer readAnswer(const Graph& graph, std::span<const NodeId> asked, const AskedFacts& facts) {
  return AnswerReader(graph, asked, facts).read();
}

}  // namespace cutaway::onnxruntime
