// Half floats between operators that compute in float stay floats: the kernels of halves widen what they read and round
// what they write, node after node, and no rewrite for floats sees through that.
//
// Chosen are products, poolings and normalisations, the elementwise operators near them, and what moves elements
// between these alone. Their half operands and results become floats ("x@float"), small constants are widened, and a
// Cast stands, once a value, where a value comes from elsewhere or is wanted as halves. Weights of convolutions and
// products stay the model's halves: their kernels widen them as they pack them, in the first run. Values are rounded
// less often than in the model, so that results come nearer to those of the same weights in float. Operators whose
// results jump, and what is no more than a node alone, stay as they are. Near-linear: a few passes over the graph.

#include <algorithm>
#include <map>
#include <numeric>

#include "engine/graph/graph_query.h"
#include "engine/schema/schema.h"
#include "providers/cpu/kernels/shared_constant.h"
#include "providers/cpu/rewrite/plain_node.h"
#include "providers/cpu/rewrite/rewrite_table.h"

namespace cutaway::cpu {
namespace {

constexpr int64_t kMostWidened = int64_t{384} << 20;  // bytes of all constants that become floats, now or when packed
constexpr int64_t kLeastWeights = 1024;               // elements; of less, rewrites may want to know the numbers
constexpr size_t kWeights = 1;                        // input of convolutions and products

bool isHalf(const Value& value) {
  return value.type.isTensor() &&
         (value.type.element == ElementType::kFloat16 || value.type.element == ElementType::kBfloat16);
}

enum class Part : uint8_t {
  kNone,
  kComputes,  // in float: its kernel of halves widens and rounds
  kFollows,   // elementwise, in either type
  kMoves,     // bytes; floats are twice as many
};

bool isComputed(const Node& node) {
  static constexpr std::string_view kStandard[] = {"AveragePool",   "BatchNormalization",
                                                   "Conv",          "ConvTranspose",
                                                   "Gemm",          "GlobalAveragePool",
                                                   "GlobalMaxPool", "InstanceNormalization",
                                                   "LRN",           "LayerNormalization",
                                                   "LogSoftmax",    "LpPool",
                                                   "MatMul",        "MaxPool",
                                                   "Resize",        "Softmax",
                                                   "Upsample"};
  static_assert(std::ranges::is_sorted(kStandard));
  if (node.domain == "com.microsoft") return node.opType == "FusedConv";
  return node.domain.empty() && std::ranges::binary_search(kStandard, node.opType) &&
         node.attributeOr<int64_t>("training_mode", 0) == 0;
}

// Kernels of these take constant halves beside float operands (kernels/packed_on_use.h, floats_on_use.h).
bool packsItsWeights(const Node& node) {
  if (node.domain == "com.microsoft") return node.opType == "FusedConv";
  static constexpr std::string_view kPacking[] = {"Conv", "ConvTranspose", "Gemm", "MatMul"};
  return node.domain.empty() && std::ranges::find(kPacking, node.opType) != std::end(kPacking);
}

Part partOf(const Graph& graph, const Node& node) {
  if (!isPlainNode(node)) return Part::kNone;
  const auto half = [&](ValueId id) { return id.valid() && isHalf(graph.value(id)); };
  const auto fits = [&](ValueId id) {
    return !id.valid() || (graph.value(id).type.isTensor() && graph.value(id).type.layout == Layout::kPlain);
  };
  if (!std::ranges::any_of(node.inputs, half) || !std::ranges::any_of(node.outputs, half) ||
      !std::ranges::all_of(node.inputs, fits) || !std::ranges::all_of(node.outputs, fits))
    return Part::kNone;
  if (isComputed(node)) return Part::kComputes;
  const OperatorTraits* traits = operators::findTraits(node);
  if (traits == nullptr || traits->domain != node.domain || traits->piecewiseConstant) return Part::kNone;
  const ElementFunction function = operators::elementFunctionOf(node);
  switch (traits->relation) {
    case Relation::kElementwise:
    case Relation::kBroadcast:
      return function != ElementFunction::kNone && function != ElementFunction::kCast ? Part::kFollows : Part::kNone;
    case Relation::kReduction:
      return Part::kFollows;
    case Relation::kView:
    case Relation::kJoin:
    case Relation::kSplit:
    case Relation::kMovement:
      return traits->family == operators::Family::kMovement ? Part::kMoves : Part::kNone;
    default:
      return Part::kNone;
  }
}

class Widening {
 public:
  explicit Widening(RewriteRequest& request)
      : m_model(request.model), m_graph(request.graph), m_parts(m_graph.nodeSlots()) {
    for (const NodeId id : m_graph.nodeIds())
      m_parts[id.index()] = partOf(m_graph, m_graph.node(id));
    m_any = std::ranges::find(m_parts, Part::kComputes) != m_parts.end();
  }

  // Whether anything is to be widened.
  bool choose() {
    if (!m_any) return false;
    keepWithinBudget();
    while (dropMovesAtTheEdge()) {
    }
    dropWhatStandsAlone();
    return std::ranges::any_of(m_parts, [](Part part) { return part != Part::kNone; });
  }

  Result<void> apply() {
    const std::vector<NodeId> ids = m_graph.nodeIds();
    for (const NodeId id : ids) {
      if (!isChosen(id)) continue;
      for (size_t slot = 0; slot < m_graph.node(id).outputs.size(); ++slot) {
        const ValueId output = m_graph.node(id).outputs[slot];
        if (!output.valid() || !isHalf(m_graph.value(output))) continue;
        m_graph.setNodeOutput(id, slot, wideValue(output));
        m_made.push_back(output);
      }
    }
    for (const NodeId id : ids) {
      if (!isChosen(id)) continue;
      for (size_t slot = 0; slot < m_graph.node(id).inputs.size(); ++slot) {
        const ValueId input = m_graph.node(id).inputs[slot];
        if (!input.valid() || !isHalf(m_graph.value(input)) || isPackedLater(id, slot)) continue;
        CUTAWAY_TRY(const ValueId wide, wideInput(input, id));
        m_graph.setNodeInput(id, slot, wide);
      }
    }
    for (const ValueId id : m_made)
      serveOthers(id);
    for (const ValueId id : m_constants) {
      const Value& value = m_graph.value(id);
      if (value.uses.empty() && value.outputCount == 0 && !value.isInput) m_graph.removeValue(id);
    }
    return {};
  }

  const std::vector<NodeId>& casts() const { return m_casts; }
  size_t kept() const { return m_made.size(); }

 private:
  bool isChosen(NodeId id) const { return id.index() < m_parts.size() && m_parts[id.index()] != Part::kNone; }
  bool isMadeWide(const Value& value) const { return value.producer.valid() && isChosen(value.producer); }
  bool isPackedLater(NodeId id, size_t slot) const {
    const Node& node = m_graph.node(id);
    return slot == kWeights && m_graph.isConstant(node.inputs[slot]) && packsItsWeights(node) &&
           m_graph.value(node.inputs[slot]).initializer->elementCount() >= kLeastWeights;
  }
  bool readsShapeOnly(NodeId id) const {
    const OperatorTraits* traits = operators::findTraits(m_graph.node(id));
    return traits != nullptr && traits->traffic == operators::Traffic::kShapeOnly &&
           m_graph.node(id).provider == kProvider;
  }

  template <typename Visit>
  void eachHalf(std::span<const ValueId> ids, Visit&& visit) const {
    for (const ValueId id : ids) {
      if (id.valid() && isHalf(m_graph.value(id))) visit(id, m_graph.value(id));
    }
  }

  void keepWithinBudget() {
    std::map<ValueId, int64_t> widened;
    int64_t total = 0;
    for (const NodeId id : m_graph.nodeIds()) {
      if (!isChosen(id)) continue;
      std::map<ValueId, int64_t> more;
      eachHalf(m_graph.node(id).inputs, [&](ValueId input, const Value& value) {
        if (m_graph.isConstant(input) && !widened.contains(input))
          more[input] = value.initializer->elementCount() * static_cast<int64_t>(sizeof(float));
      });
      const int64_t bytes = std::accumulate(more.begin(), more.end(), int64_t{0},
                                            [](int64_t sum, const auto& each) { return sum + each.second; });
      if (bytes > kMostWidened - total) {
        m_parts[id.index()] = Part::kNone;
        continue;
      }
      total += bytes;
      widened.merge(more);
    }
  }

  bool dropMovesAtTheEdge() {
    bool changed = false;
    for (const NodeId id : m_graph.nodeIds()) {
      if (!isChosen(id) || m_parts[id.index()] != Part::kMoves) continue;
      bool inside = true, given = false;
      eachHalf(m_graph.node(id).inputs, [&](ValueId input, const Value& value) {
        if (m_graph.isConstant(input)) return;
        given = true;
        inside = inside && isMadeWide(value);
      });
      eachHalf(m_graph.node(id).outputs, [&](ValueId, const Value& value) {
        inside = inside && value.outputCount == 0 && std::ranges::all_of(value.uses, [&](const Use& use) {
                   return isChosen(use.node) || readsShapeOnly(use.node);
                 });
      });
      if (given && inside) continue;
      m_parts[id.index()] = Part::kNone;
      changed = true;
    }
    return changed;
  }

  // What no value of halves connects to another chosen node, one of which computes.
  void dropWhatStandsAlone() {
    std::vector<uint32_t> root(m_parts.size());
    std::iota(root.begin(), root.end(), 0u);
    const auto find = [&](uint32_t index) {
      while (root[index] != index)
        index = root[index] = root[root[index]];
      return index;
    };
    const std::vector<NodeId> ids = m_graph.nodeIds();
    for (const NodeId id : ids) {
      if (!isChosen(id)) continue;
      eachHalf(m_graph.node(id).inputs, [&](ValueId, const Value& value) {
        if (isMadeWide(value))
          root[find(static_cast<uint32_t>(value.producer.index()))] = find(static_cast<uint32_t>(id.index()));
      });
    }
    std::vector<uint32_t> nodes(m_parts.size(), 0);
    std::vector<char> computes(m_parts.size(), 0);
    for (const NodeId id : ids) {
      if (!isChosen(id)) continue;
      const uint32_t of = find(static_cast<uint32_t>(id.index()));
      ++nodes[of];
      if (m_parts[id.index()] == Part::kComputes) computes[of] = 1;
    }
    for (const NodeId id : ids) {
      const uint32_t of = find(static_cast<uint32_t>(id.index()));
      if (nodes[of] < 2 || !computes[of]) m_parts[id.index()] = Part::kNone;
    }
  }

  ValueType wideType(ValueId id) const {
    ValueType type = m_graph.value(id).type;
    type.element = ElementType::kFloat;
    return type;
  }
  std::string wideName(ValueId id) const { return m_graph.freshName(m_graph.value(id).name + "@float"); }

  ValueId wideValue(ValueId id) {
    const auto [place, isNew] = m_wide.try_emplace(id);
    if (isNew) place->second = m_graph.addValue(wideName(id), wideType(id));
    return place->second;
  }

  Result<ValueId> wideInput(ValueId id, NodeId reader) {
    if (const auto known = m_wide.find(id); known != m_wide.end()) return known->second;
    if (m_graph.isConstant(id)) {
      CUTAWAY_TRY(Tensor tensor, widenedConstant(*m_graph.value(id).initializer));
      m_constants.push_back(id);
      return m_wide[id] = m_graph.addInitializer(wideName(id), std::move(tensor));
    }
    const ValueId wide = wideValue(id);
    addCast(id, wide, m_graph.node(reader).origins);
    return wide;
  }

  // The value in halves for those that still read it; nobody: it goes.
  void serveOthers(ValueId id) {
    const ValueId wide = m_wide.at(id);
    const std::vector<Use> uses = m_graph.value(id).uses;
    for (const Use& use : uses) {
      if (use.slot < m_graph.node(use.node).inputs.size() && readsShapeOnly(use.node))
        m_graph.setNodeInput(use.node, use.slot, wide);
    }
    if (m_graph.value(id).uses.empty() && m_graph.value(id).outputCount == 0)
      m_graph.removeValue(id);
    else
      addCast(wide, id, m_graph.node(m_graph.value(wide).producer).origins);
  }

  void addCast(ValueId from, ValueId to, std::vector<OriginId> origins) {
    const ElementType target = m_graph.value(to).type.element;
    const int64_t imported = importedVersion(m_model.opsets, "");
    Node cast;
    cast.name = m_graph.value(to).name + "/cast";
    cast.opType = "Cast";
    cast.opsetVersion = static_cast<int32_t>(imported > 0 ? imported : newestOpset(""));
    if (const OperatorSchema* schema = findSchema("Cast", "", cast.opsetVersion))
      cast.sinceVersion = schema->sinceVersion;
    cast.setAttribute("to", static_cast<int64_t>(target));
    cast.origins = std::move(origins);
    cast.rewrite = "cpu types";
    cast.provider = kProvider;
    cast.documentation =
        fmt::format("From {} to {}", elementTypeName(m_graph.value(from).type.element), elementTypeName(target));
    m_casts.push_back(m_graph.addNode(std::move(cast), {from}, {m_graph.value(to).name}));
  }

  const Model& m_model;
  Graph& m_graph;
  std::vector<Part> m_parts;  // by node index; kNone: stays as it is
  bool m_any = false;
  std::map<ValueId, ValueId> m_wide;  // a value of halves -> the same in float
  std::vector<ValueId> m_made;        // values of halves whose makers make floats now
  std::vector<ValueId> m_constants;
  std::vector<NodeId> m_casts;
};

}  // namespace

Result<void> rewrite_widen_halves(RewriteRequest& request) {
  if (request.optimizationLevel < 3 || request.exact) return {};
  Widening widening(request);
  if (!widening.choose()) return {};
  CUTAWAY_CHECK(widening.apply());
  const std::vector<NodeId>& casts = widening.casts();
  request.done.push_back({fmt::format("{} values of halves are kept as floats; {} Cast{} where they meet others",
                                      widening.kept(), casts.size(), casts.size() == 1 ? "" : "s"),
                          {},
                          {}});
  for (const NodeId id : casts) {
    const Node& node = request.graph.node(id);
    request.done.push_back({node.documentation, node.origins, node.name});
  }
  return {};
}

}  // namespace cutaway::cpu
