// Attention written in other operators is one FusedAttention: MatMul of queries and turned keys, a scale, masks and
// biases that are added, Softmax over the keys, MatMul with the values, and the Transposes that bring heads before rows
// and back. Scores are never held whole; nothing is copied to turn it.
#include <algorithm>
#include <array>

#include "engine/graph/graph_query.h"
#include "engine/graph/patch.h"
#include "providers/cpu/rewrite/cpu_formulas.h"
#include "providers/cpu/rewrite/plain_node.h"
#include "providers/cpu/rewrite/rewrite_table.h"

namespace cutaway::cpu {

namespace {

using operators::ElementFunction;

constexpr size_t kMostSummands = 2;
// Of [batch, heads, rows, size], or without the batch.
struct Turn {
  std::array<int64_t, 4> whole;
  std::array<int64_t, 3> flat;
};
constexpr Turn kHeadsBeforeRows{{0, 2, 1, 3}, {1, 0, 2}};  // and back
constexpr Turn kSizesBeforeRows{{0, 1, 3, 2}, {0, 2, 1}};
constexpr Turn kBoth{{0, 2, 3, 1}, {1, 2, 0}};

struct Attention {
  ValueId q, k, v, result;
  std::vector<ValueId> summands{};
  double scale = 1;
  bool qRowsFirst = false, kRowsFirst = false, vRowsFirst = false, yRowsFirst = false;
  std::vector<NodeId> nodes{};  // all that it is written with
};

size_t rankOf(const Graph& graph, ValueId id) {
  if (!id.valid()) return 0;
  const ValueType& type = graph.value(id).type;
  return type.isTensor() && type.shape && type.element == ElementType::kFloat ? type.shape->rank() : 0;
}

bool turns(const Node& node, const Turn& turn) {
  if (!isStandardNode(node, "Transpose")) return false;
  const auto order = node.attributeOr<std::vector<int64_t>>("perm", {});
  return std::ranges::equal(order, turn.whole) || std::ranges::equal(order, turn.flat);
}

// The node that makes the value, which nobody but `reader` reads; invalid: it is none, or others do.
NodeId onlyFor(const Graph& graph, ValueId value, NodeId reader) {
  const NodeId producer = graph.value(value).producer;
  return producer.valid() && onlyReader(graph, value) == reader ? producer : NodeId{};
}

// Rows before heads: what `value` was before its Transpose, which is the attention's own from then on.
bool takeRowsFirst(const Graph& graph, ValueId& value, NodeId reader, Attention& found) {
  const NodeId turn = onlyFor(graph, value, reader);
  if (!turn.valid() || !turns(graph.node(turn), kHeadsBeforeRows)) return false;
  value = graph.node(turn).inputs[0];
  found.nodes.push_back(turn);
  return true;
}

// Keys as rows, of the value whose Transpose the product reads.
bool takeKeys(const Graph& graph, ValueId turned, NodeId product, Attention& found) {
  const NodeId turn = graph.value(turned).producer;
  if (!turn.valid()) return false;
  const Node& node = graph.node(turn);
  const bool atOnce = turns(node, kBoth);
  if (!atOnce && !turns(node, kSizesBeforeRows)) return false;
  found.k = node.inputs[0];
  found.kRowsFirst = atOnce;
  if (onlyReader(graph, turned) != product) return true;  // others read it: it stays
  found.nodes.push_back(turn);
  if (!atOnce) found.kRowsFirst = takeRowsFirst(graph, found.k, turn, found);
  return true;
}

bool takeProduct(const Graph& graph, NodeId id, Attention& found) {
  const Node& product = graph.node(id);
  const size_t rank = rankOf(graph, product.inputs[0]);
  if ((rank != 3 && rank != 4) || rankOf(graph, product.inputs[1]) != rank) return false;
  found.nodes.push_back(id);
  if (!takeKeys(graph, product.inputs[1], id, found)) return false;
  found.q = product.inputs[0];
  found.qRowsFirst = takeRowsFirst(graph, found.q, id, found);
  return true;
}

// From the value that `reader` alone reads up to the product of queries and keys.
bool takeScores(const Graph& graph, ValueId value, NodeId reader, size_t rank, Attention& found) {
  const NodeId id = onlyFor(graph, value, reader);
  if (!id.valid() || rankOf(graph, value) != rank) return false;
  const Node& node = graph.node(id);
  if (isStandardNode(node, "MatMul")) return takeProduct(graph, id, found);
  if (node.inputs.size() != 2) return false;
  const bool isProduct = isTaken(node, ElementFunction::kMul), isQuotient = isTaken(node, ElementFunction::kDiv);
  for (const size_t slot : {0u, 1u}) {
    const ValueId scores = node.inputs[slot], other = node.inputs[1 - slot];
    const std::optional<double> factor =
        isProduct || (isQuotient && slot == 0) ? scalarOf(graph, other, rank) : std::nullopt;
    if (factor && *factor != 0) {
      found.scale *= isProduct ? *factor : 1 / *factor;
      found.nodes.push_back(id);
      return takeScores(graph, scores, id, rank, found);
    }
    const size_t otherRank = rankOf(graph, other);
    const bool isSummand = isTaken(node, ElementFunction::kAdd) && found.scale == 1 &&
                           found.summands.size() < kMostSummands && otherRank > 0 && otherRank <= rank;
    if (!isSummand) continue;
    Attention with = found;
    with.summands.push_back(other);
    with.nodes.push_back(id);
    if (!takeScores(graph, scores, id, rank, with)) continue;
    found = std::move(with);
    return true;
  }
  return false;
}

bool isOverLastAxis(const Node& softmax, size_t rank) {
  const int64_t axis = softmax.attributeOr<int64_t>("axis", softmax.sinceVersion >= 13 ? -1 : 1);
  return axis == -1 || axis == static_cast<int64_t>(rank) - 1;
}

std::optional<Attention> attentionAt(const Graph& graph, NodeId id) {
  const Node& softmax = graph.node(id);
  if (!isStandardNode(softmax, "Softmax")) return std::nullopt;
  const size_t rank = rankOf(graph, softmax.inputs[0]);
  if ((rank != 3 && rank != 4) || !isOverLastAxis(softmax, rank)) return std::nullopt;
  const NodeId sum = onlyReader(graph, softmax.outputs[0]);
  if (!sum.valid() || !isStandardNode(graph.node(sum), "MatMul") || graph.node(sum).inputs[0] != softmax.outputs[0])
    return std::nullopt;
  Attention found{.v = graph.node(sum).inputs[1], .result = graph.node(sum).outputs[0], .nodes = {id, sum}};
  if (rankOf(graph, found.v) != rank || !takeScores(graph, softmax.inputs[0], id, rank, found)) return std::nullopt;
  found.vRowsFirst = takeRowsFirst(graph, found.v, sum, found);
  const NodeId turn = onlyReader(graph, found.result);
  if (turn.valid() && turns(graph.node(turn), kHeadsBeforeRows)) {
    found.yRowsFirst = true;
    found.result = graph.node(turn).outputs[0];
    found.nodes.push_back(turn);
  }
  return found;
}

NewNode nodeOf(const Graph& graph, const Attention& found, const std::string& name) {
  const Value& output = graph.value(found.result);
  NewNode made{.node = {.name = name,
                        .opType = "FusedAttention",
                        .domain = "cutaway",
                        .sinceVersion = 1,
                        .opsetVersion = 1,
                        .provider = "cpu"},
               .outputs = {output.name},
               .outputTypes = {output.type}};
  for (const ValueId input : {found.q, found.k, found.v})
    made.inputs.push_back(graph.value(input).name);
  for (const ValueId summand : found.summands)
    made.inputs.push_back(graph.value(summand).name);
  made.node.setAttribute("scale", static_cast<float>(found.scale));
  const std::pair<const char*, bool> layouts[] = {{"q_rows_first", found.qRowsFirst},
                                                  {"k_rows_first", found.kRowsFirst},
                                                  {"v_rows_first", found.vRowsFirst},
                                                  {"y_rows_first", found.yRowsFirst}};
  for (const auto& [attribute, isSet] : layouts)
    if (isSet) made.node.setAttribute(attribute, int64_t{1});
  return made;
}

}  // namespace

Result<void> rewrite_fuse_attention(RewriteRequest& request) {
  if (request.optimizationLevel < 2 || request.exact) return {};
  Graph& graph = request.graph;
  for (const NodeId id : graph.nodeIds()) {
    std::optional<Attention> found = attentionAt(graph, id);
    if (!found) continue;
    GraphPatch patch{.note = "attention in one pass over blocks of keys; its scores are never held whole",
                     .removeNodes = found->nodes};
    patch.addNodes.push_back(nodeOf(graph, *found, graph.node(id).name));
    CUTAWAY_CHECK(applyRewrite(graph, std::move(patch), "cpu fusion", request.done));
  }
  return {};
}

}  // namespace cutaway::cpu
