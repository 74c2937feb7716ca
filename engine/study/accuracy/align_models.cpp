#include "engine/study/accuracy/align_models.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>

#include "engine/stages/resolve/resolve.h"
#include "engine/study/difference/match_nodes.h"

namespace cutaway::study {
namespace {

// "float" of "float[1,3]".
std::string_view elementOf(const ValueReport& value) {
  return std::string_view(value.type).substr(0, value.type.find('['));
}

class Aligner {
 public:
  Aligner(const Model& a, Model b)
      : m_graphsA(resolve::describeGraphs(a)),
        m_graphsB(resolve::describeGraphs(b)),
        m_a(m_graphsA.graphs.front()),
        m_b(m_graphsB.graphs.front()),
        m_model(std::move(b)) {}

  Result<AlignedModel> run() {
    const NodeMatching matching = matchNodes(MatchGraph(m_a), MatchGraph(m_b));
    AlignedModel aligned;
    aligned.nodesA = static_cast<int64_t>(m_a.nodes.size());
    aligned.nodesB = static_cast<int64_t>(m_b.nodes.size());
    for (size_t node = 0; node < m_a.nodes.size(); ++node) {
      if (matching.toB[node] == kNone) continue;
      ++aligned.matched;
      pairOutputs(m_a.nodes[node], m_b.nodes[static_cast<size_t>(matching.toB[node])]);
    }
    CUTAWAY_CHECK(pairInputs());
    pairGraphOutputs();
    rename();
    aligned.model = std::move(m_model);
    return aligned;
  }

 private:
  const ValueReport& valueA(int32_t index) const { return m_a.values[static_cast<size_t>(index)]; }
  const ValueReport& valueB(int32_t index) const { return m_b.values[static_cast<size_t>(index)]; }

  // A's name for a value of B; the first that is said holds.
  void pair(int32_t a, int32_t b) {
    if (m_pairedA.contains(a) || m_nameOf.contains(b)) return;
    m_pairedA.insert(a);
    m_nameOf.emplace(b, valueA(a).name);
  }

  static bool isReal(const ValueReport& value) {
    const std::string_view element = elementOf(value);
    return element.find("float") != std::string_view::npos || element == "double";
  }

  // What a quantised value stands for; kNone where nothing says so: its integers are no numbers of the first model.
  int32_t asNumber(int32_t a, int32_t b) const {
    if (elementOf(valueA(a)) == elementOf(valueB(b)) || (isReal(valueA(a)) && isReal(valueB(b)))) return b;
    for (const NodeReport& node : m_b.nodes) {
      const bool reads = node.opType == "DequantizeLinear" && !node.inputs.empty() && node.inputs.front() == b;
      if (reads && !node.outputs.empty() && node.outputs.front() != kNone) return node.outputs.front();
    }
    return kNone;
  }

  void pairOutputs(const NodeReport& a, const NodeReport& b) {
    for (size_t i = 0; i < std::min(a.outputs.size(), b.outputs.size()); ++i) {
      if (a.outputs[i] == kNone || b.outputs[i] == kNone) continue;
      if (const int32_t number = asNumber(a.outputs[i], b.outputs[i]); number != kNone) pair(a.outputs[i], number);
    }
  }

  static std::vector<int32_t> askedInputs(const GraphReport& graph) {
    std::vector<int32_t> asked;
    std::ranges::copy_if(graph.inputs, std::back_inserter(asked),
                         [&](int32_t input) { return !graph.values[static_cast<size_t>(input)].isInitializer; });
    return asked;
  }

  // By name, then those that are left in their order.
  Result<void> pairInputs() {
    std::vector<int32_t> a = askedInputs(m_a), b = askedInputs(m_b);
    if (a.size() != b.size())
      return fail(ErrorCode::kInvalidArgument, "the models take {} and {} inputs: they cannot be run on the same ones",
                  a.size(), b.size());
    std::vector<std::pair<int32_t, int32_t>> pairs;
    std::erase_if(a, [&](int32_t input) {
      const auto same =
          std::ranges::find_if(b, [&](int32_t other) { return valueB(other).name == valueA(input).name; });
      if (same == b.end()) return false;
      pairs.emplace_back(input, *same);
      b.erase(same);
      return true;
    });
    for (size_t i = 0; i < a.size(); ++i)
      pairs.emplace_back(a[i], b[i]);
    for (const auto& [first, second] : pairs) {
      if (elementOf(valueA(first)) != elementOf(valueB(second)))
        return fail(ErrorCode::kInvalidArgument,
                    "input '{}' of the first model is {} and '{}' of the second {}: they cannot be run on the same "
                    "numbers",
                    valueA(first).name, valueA(first).type, valueB(second).name, valueB(second).type);
      pair(first, second);
    }
    return {};
  }

  // Outputs whose nodes were not matched are those in the same place.
  void pairGraphOutputs() {
    if (m_a.outputs.size() != m_b.outputs.size()) return;
    for (size_t i = 0; i < m_a.outputs.size(); ++i)
      if (elementOf(valueA(m_a.outputs[i])) == elementOf(valueB(m_b.outputs[i]))) pair(m_a.outputs[i], m_b.outputs[i]);
  }

  // A name that both models have by chance must not make two values one: it gives way first.
  void rename() {
    Graph& graph = m_model.graph;
    std::set<std::string> names;
    for (const ValueReport& value : m_a.values)
      names.insert(value.name);
    std::vector<std::pair<ValueId, std::string>> wanted;
    for (const auto& [value, name] : m_nameOf)
      wanted.emplace_back(graph.findValue(valueB(value).name), name);
    for (size_t i = 0; i < m_b.values.size(); ++i) {
      const std::string& name = m_b.values[i].name;
      const auto paired = m_nameOf.find(static_cast<int32_t>(i));
      const bool stays = paired != m_nameOf.end() ? paired->second == name : !names.contains(name);
      const ValueId id = graph.findValue(name);
      if (!stays && id.valid()) graph.renameValue(id, graph.freshName(name + "_of_b"));
    }
    for (const auto& [id, name] : wanted)
      if (id.valid()) graph.renameValue(id, name);
  }

  ModelGraphs m_graphsA, m_graphsB;
  const GraphReport& m_a;
  const GraphReport& m_b;
  Model m_model;
  std::set<int32_t> m_pairedA;              // values of A that have a counterpart
  std::map<int32_t, std::string> m_nameOf;  // value of B: what A calls it
};

}  // namespace

Result<AlignedModel> alignModel(const Model& a, Model b) {
  return Aligner(a, std::move(b)).run();
}

}  // namespace cutaway::study
