// Two models compared graph by graph: main graphs, functions of one name, and the bodies of nodes that were matched.
#include "engine/study/difference/diff_models.h"

#include <algorithm>
#include <deque>
#include <memory>

#include "engine/base/hash.h"
#include "engine/stages/load/load.h"
#include "engine/stages/resolve/resolve.h"
#include "engine/study/difference/graph_changes.h"

namespace cutaway::study {
namespace {

uint64_t hashTensor(const Tensor& tensor) {
  uint64_t hash = hash64(elementTypeName(tensor.type()));
  for (const int64_t dim : tensor.dims())
    hash = mixHash(hash, static_cast<uint64_t>(dim));
  if (tensor.data() == nullptr) return hash;
  if (tensor.type() != ElementType::kString) return hash64(tensor.bytes(), hash);
  for (const std::string& text : tensor.span<std::string>())
    hash = hash64(text, mixHash(hash, text.size()));
  return hash;
}

// Two graphs that belong together.
struct GraphPair {
  GraphPair(const ChangeSide& a, const ChangeSide& b, const GraphChanges* outer)
      : matching(matchNodes(MatchGraph(a.graph), MatchGraph(b.graph))), changes(a, b, matching, outer) {}

  NodeMatching matching;
  GraphChanges changes;  // reads matching
};

class ModelComparer {
 public:
  ModelComparer(const ModelGraphs& a, const ModelGraphs& b, const WeightHashes* weightsA, const WeightHashes* weightsB)
      : m_a(a),
        m_b(b),
        m_weightsA(weightsB ? weightsA : nullptr),
        m_weightsB(weightsA ? weightsB : nullptr),
        m_partOfA(a.graphs.size(), kNone),
        m_seenB(b.graphs.size(), 0),
        m_nodes(a.graphs.size()),
        m_pairs(a.graphs.size()) {}

  ModelDiff run() {
    pairRoots();
    while (!m_open.empty()) {
      const auto [a, b] = m_open.front();
      m_open.pop_front();
      compare(a, b);
    }
    collect();
    m_diff.weightsCompared = m_weightsA != nullptr;
    return std::move(m_diff);
  }

 private:
  void open(int32_t a, int32_t b) {
    if (m_a.graphs[static_cast<size_t>(a)].isInside || m_b.graphs[static_cast<size_t>(b)].isInside ||
        m_partOfA[static_cast<size_t>(a)] != kNone || m_seenB[static_cast<size_t>(b)])
      return;
    m_partOfA[static_cast<size_t>(a)] = b;
    m_seenB[static_cast<size_t>(b)] = 1;
    m_open.emplace_back(a, b);
  }

  void pairRoots() {
    if (!m_a.graphs.empty() && !m_b.graphs.empty()) open(0, 0);
    std::map<std::string_view, int32_t> functions;
    for (size_t i = 0; i < m_b.graphs.size(); ++i)
      if (m_b.graphs[i].isFunction) functions.emplace(m_b.graphs[i].title, static_cast<int32_t>(i));
    for (size_t i = 0; i < m_a.graphs.size(); ++i) {
      if (!m_a.graphs[i].isFunction) continue;
      const auto found = functions.find(m_a.graphs[i].title);
      if (found != functions.end()) open(static_cast<int32_t>(i), found->second);
    }
  }

  void compare(int32_t a, int32_t b) {
    const GraphReport& graphA = m_a.graphs[static_cast<size_t>(a)];
    const GraphReport& graphB = m_b.graphs[static_cast<size_t>(b)];
    const GraphPair* around =
        graphA.parentGraph == kNone ? nullptr : m_pairs[static_cast<size_t>(graphA.parentGraph)].get();
    std::unique_ptr<GraphPair>& pair = m_pairs[static_cast<size_t>(a)];
    pair = std::make_unique<GraphPair>(ChangeSide{graphA, a, m_weightsA}, ChangeSide{graphB, b, m_weightsB},
                                       around == nullptr ? nullptr : &around->changes);
    const NodeMatching& matching = pair->matching;
    const GraphChanges& changes = pair->changes;
    std::vector<NodeDiff>& nodes = m_nodes[static_cast<size_t>(a)];
    for (int32_t node = 0; node < static_cast<int32_t>(graphA.nodes.size()); ++node) {
      nodes.push_back(changes.node(node));
      const int32_t other = nodes.back().nodeB;
      if (other == kNone) continue;
      const IndexList& bodiesA = graphA.nodes[static_cast<size_t>(node)].bodies;
      const IndexList& bodiesB = graphB.nodes[static_cast<size_t>(other)].bodies;
      for (size_t i = 0; i < std::min(bodiesA.size(), bodiesB.size()); ++i)
        open(bodiesA[i], bodiesB[i]);
    }
    for (size_t node = 0; node < graphB.nodes.size(); ++node)
      if (matching.toA[node] == kNone)
        m_onlyB.push_back({.kind = DiffKind::kOnlyB, .graphB = b, .nodeB = static_cast<int32_t>(node)});
    for (ValueDiff& value : changes.values()) {
      m_diff.valuesDiffer += value.kind == DiffKind::kSame ? 0 : 1;
      m_diff.values.push_back(std::move(value));
    }
    const auto hasBodies = [](const NodeReport& node) { return !node.bodies.empty(); };
    if (std::ranges::none_of(graphA.nodes, hasBodies)) pair.reset();  // nobody reads from it
  }

  void collect() {
    for (size_t graph = 0; graph < m_a.graphs.size(); ++graph) {
      if (m_a.graphs[graph].isInside) continue;
      if (m_partOfA[graph] == kNone)
        for (size_t node = 0; node < m_a.graphs[graph].nodes.size(); ++node)
          m_nodes[graph].push_back(
              {.kind = DiffKind::kOnlyA, .graphA = static_cast<int32_t>(graph), .nodeA = static_cast<int32_t>(node)});
      std::ranges::move(m_nodes[graph], std::back_inserter(m_diff.nodes));
    }
    for (size_t graph = 0; graph < m_b.graphs.size(); ++graph) {
      if (m_b.graphs[graph].isInside || m_seenB[graph]) continue;
      for (size_t node = 0; node < m_b.graphs[graph].nodes.size(); ++node)
        m_onlyB.push_back(
            {.kind = DiffKind::kOnlyB, .graphB = static_cast<int32_t>(graph), .nodeB = static_cast<int32_t>(node)});
    }
    std::ranges::sort(m_onlyB, {}, [](const NodeDiff& node) { return std::pair(node.graphB, node.nodeB); });
    std::ranges::move(m_onlyB, std::back_inserter(m_diff.nodes));
    for (const NodeDiff& node : m_diff.nodes)
      ++(node.kind == DiffKind::kSame      ? m_diff.same
         : node.kind == DiffKind::kChanged ? m_diff.changed
         : node.kind == DiffKind::kOnlyA   ? m_diff.onlyA
                                           : m_diff.onlyB);
  }

  const ModelGraphs& m_a;
  const ModelGraphs& m_b;
  const WeightHashes* m_weightsA;
  const WeightHashes* m_weightsB;
  std::vector<int32_t> m_partOfA;  // graph of B that a graph of A is compared with
  std::vector<char> m_seenB;
  std::vector<std::vector<NodeDiff>> m_nodes;       // by graph of A
  std::vector<std::unique_ptr<GraphPair>> m_pairs;  // by graph of A; those around bodies are kept
  std::vector<NodeDiff> m_onlyB;
  std::deque<std::pair<int32_t, int32_t>> m_open;
  ModelDiff m_diff;
};

void addFact(std::vector<std::string>& facts, std::string_view what, const std::string& a, const std::string& b) {
  const auto said = [](const std::string& text) {
    return text.empty() ? std::string("(none)") : text.size() > 80 ? text.substr(0, 77) + "..." : text;
  };
  if (a != b) facts.push_back(fmt::format("{} {} -> {}", what, said(a), said(b)));
}

template <typename Value>
void addFacts(std::vector<std::string>& facts, std::string_view what,
              const std::vector<std::pair<std::string, Value>>& a,
              const std::vector<std::pair<std::string, Value>>& b) {
  std::map<std::string, std::pair<std::string, std::string>> both;
  for (const auto& [key, value] : a)
    both[key].first = fmt::format("{}", value);
  for (const auto& [key, value] : b)
    both[key].second = fmt::format("{}", value);
  for (const auto& [key, pair] : both)
    addFact(facts, fmt::format("{} {}", what, key), pair.first, pair.second);
}

// As much of a LoadReport as facts are made of.
LoadReport sayings(const Model& model) {
  LoadReport report;
  report.irVersion = model.irVersion;
  report.producer =
      model.producerVersion.empty() ? model.producerName : model.producerName + " " + model.producerVersion;
  report.documentation = model.documentation;
  for (const OpsetImport& import : model.opsets)
    report.opsets.emplace_back(import.domain.empty() ? "ai.onnx" : import.domain, import.version);
  report.metadata.assign(model.metadata.begin(), model.metadata.end());
  for (const Function& function : model.functions)
    report.functions.push_back(function.domain + ":" + function.name);
  return report;
}

}  // namespace

Result<WeightHashes> hashWeights(const Model& model, const CancelToken& cancel) {
  WeightHashes hashes;
  const std::vector<const Graph*> graphs = resolve::graphsInReportOrder(model);
  for (size_t i = 0; i < graphs.size(); ++i) {
    for (const ValueId id : graphs[i]->initializers()) {
      if (cancel.cancelled()) return fail(cancelledError());
      hashes[{static_cast<int32_t>(i), graphs[i]->value(id).name}] = hashTensor(*graphs[i]->value(id).initializer);
    }
    for (const NodeId id : graphs[i]->nodeIds()) {
      const Node& node = graphs[i]->node(id);
      if (node.opType != "Constant" || node.outputs.empty() || !node.outputs[0].valid()) continue;
      const Attribute* value = node.findAttribute("value");
      const Tensor* tensor = value == nullptr ? nullptr : heldAs<Tensor>(value->value);
      if (tensor != nullptr)
        hashes[{static_cast<int32_t>(i), graphs[i]->value(node.outputs[0]).name}] = hashTensor(*tensor);
    }
  }
  return hashes;
}

ModelDiff diffGraphs(const ModelGraphs& a, const ModelGraphs& b, const WeightHashes* weightsA,
                     const WeightHashes* weightsB) {
  return ModelComparer(a, b, weightsA, weightsB).run();
}

std::vector<std::string> diffFacts(const LoadReport& a, const LoadReport& b) {
  std::vector<std::string> facts;
  addFacts(facts, "opset", a.opsets, b.opsets);
  addFact(facts, "IR", std::to_string(a.irVersion), std::to_string(b.irVersion));
  addFact(facts, "producer", a.producer, b.producer);
  addFacts(facts, "metadata", a.metadata, b.metadata);
  addFact(facts, "documentation", a.documentation, b.documentation);
  return facts;
}

Result<ModelDiff> diffModels(const Model& a, const Model& b, const CancelToken& cancel) {
  CUTAWAY_TRY(const WeightHashes weightsA, hashWeights(a, cancel));
  CUTAWAY_TRY(const WeightHashes weightsB, hashWeights(b, cancel));
  if (cancel.cancelled()) return fail(cancelledError());
  ModelDiff diff = diffGraphs(resolve::describeGraphs(a), resolve::describeGraphs(b), &weightsA, &weightsB);
  diff.facts = diffFacts(sayings(a), sayings(b));
  return diff;
}

}  // namespace cutaway::study
