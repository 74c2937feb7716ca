// Two nodes with the same operator, attributes and inputs compute the same: the later one goes.
//
// Equal nodes share their first input, so candidates are that value's other consumers; values with very many consumers are looked at up to a bound, to stay near-linear.
#include <algorithm>
#include <cstring>

#include "engine/schema/schema.h"
#include "engine/stages/optimize/pattern_query.h"
#include "engine/stages/optimize/pass.h"

namespace cutaway {

namespace {

constexpr size_t kMostCandidates = 64;
// Attribute tensors above this are not compared: they are weights, and equal ones are rare.
constexpr int64_t kMostTensorBytes = 4096;

bool sameTensor(const Tensor& a, const Tensor& b) {
  if (a.type() != b.type() || !(a.dims() == b.dims()) || a.type() == ElementType::kString || a.sizeBytes() > kMostTensorBytes) return false;
  return a.sizeBytes() == 0 || std::memcmp(a.data(), b.data(), static_cast<size_t>(a.sizeBytes())) == 0;
}

bool sameValue(const AttributeValue& a, const AttributeValue& b) {
  if (a.index() != b.index()) return false;
  return std::visit(
      [&](const auto& left) {
        using Kind = std::decay_t<decltype(left)>;
        const Kind& right = std::get<Kind>(b);
        if constexpr (std::is_same_v<Kind, int64_t> || std::is_same_v<Kind, std::string> || std::is_same_v<Kind, std::vector<int64_t>> || std::is_same_v<Kind, std::vector<std::string>>) {
          return left == right;
        } else if constexpr (std::is_same_v<Kind, float>) {
          return std::memcmp(&left, &right, sizeof left) == 0;
        } else if constexpr (std::is_same_v<Kind, std::vector<float>>) {
          return left.size() == right.size() && (left.empty() || std::memcmp(left.data(), right.data(), left.size() * sizeof(float)) == 0);
        } else if constexpr (std::is_same_v<Kind, Tensor>) {
          return sameTensor(left, right);
        } else {
          return false;
        }
      },
      a);
}

bool sameAttributes(const Node& a, const Node& b) {
  if (a.attributes.size() != b.attributes.size()) return false;
  return std::all_of(a.attributes.begin(), a.attributes.end(), [&](const Attribute& attribute) {
    const Attribute* other = b.findAttribute(attribute.name);
    return other != nullptr && sameValue(attribute.value, other->value);
  });
}

bool sameComputation(const Node& a, const Node& b) {
  return a.opType == b.opType && a.domain == b.domain && a.overload == b.overload && a.opsetVersion == b.opsetVersion && a.inputs == b.inputs && a.outputs.size() == b.outputs.size() && sameAttributes(a, b);
}

bool mayBeShared(const Node& node) {
  if (node.hasBodies() || node.opType == "EPContext" || node.inputs.empty() || !node.inputs[0].valid()) return false;
  const OperatorSchema* schema = findSchema(node.opType, node.domain, node.opsetVersion);
  return schema != nullptr && schema->deterministic;
}

// Names of graph outputs stay with the node that makes them.
bool outputsMayMove(const Graph& graph, const Node& from, const Node& to) {
  for (size_t slot = 0; slot < from.outputs.size(); ++slot) {
    if (from.outputs[slot].valid() && (graph.value(from.outputs[slot]).outputCount > 0 || !to.outputs[slot].valid())) return false;
  }
  return true;
}

Result<std::optional<GraphPatch>> propose(const PassContext& context, NodeId id) {
  const Graph& graph = context.graph;
  const Node& node = graph.node(id);
  if (!mayBeShared(node)) return std::nullopt;
  const std::vector<Use>& uses = graph.value(node.inputs[0]).uses;
  for (size_t i = 0; i < std::min(uses.size(), kMostCandidates); ++i) {
    const NodeId other = uses[i].node;
    if (!(other < id) || !sameComputation(graph.node(other), node) || !outputsMayMove(graph, node, graph.node(other))) continue;
    GraphPatch patch{.note = fmt::format("computes the same as '{}'", graph.node(other).name), .removeNodes = {id}};
    for (size_t slot = 0; slot < node.outputs.size(); ++slot) {
      if (node.outputs[slot].valid()) patch.replaceValues.emplace_back(node.outputs[slot], graph.node(other).outputs[slot]);
    }
    return patch;
  }
  return std::nullopt;
}

}  // namespace

Pass pass_eliminate_common_subexpressions() { return {.name = "CommonSubexpressionElimination", .purpose = "compute equal expressions once", .level = 1, .propose = propose}; }

}  // namespace cutaway
