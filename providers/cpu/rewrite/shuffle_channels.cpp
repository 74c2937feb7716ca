// Reshape to groups of channels, Transpose of groups and channels, Reshape back: one ChannelShuffle, which reads either
// memory layout, where values of five axes would have to lie plainly.
#include <algorithm>
#include <array>

#include "engine/graph/graph_query.h"
#include "engine/graph/patch.h"
#include "providers/cpu/rewrite/plain_node.h"
#include "providers/cpu/rewrite/rewrite_table.h"

namespace cutaway::cpu {

namespace {

// The one node that reads the value, as its first input, and nobody else does; invalid: there is none.
NodeId onlyReader(const Graph& graph, ValueId id, std::string_view opType) {
  const auto use = onlyUse(graph, id);
  return use && use->slot == 0 && isStandardNode(graph.node(use->node), opType) ? use->node : NodeId{};
}

const Shape* shapeOf(const Graph& graph, ValueId id) {
  const ValueType& type = graph.value(id).type;
  return type.isTensor() && type.shape ? &*type.shape : nullptr;
}

// How many groups x has in `grouped` ([n, groups, channels of a group, ...]); 0: these are not x's channels in groups.
int64_t groupsOf(const Shape& x, const Shape& grouped) {
  if (x.rank() < 3 || x.rank() > 5 || grouped.rank() != x.rank() + 1 || !grouped[0].sameAs(x[0]) || !x[1].isKnown() ||
      !grouped[1].isKnown() || !grouped[2].isKnown() || grouped[1].value() < 1 ||
      grouped[1].value() * grouped[2].value() != x[1].value())
    return 0;
  for (size_t axis = 2; axis < x.rank(); ++axis) {
    if (!grouped[axis + 1].sameAs(x[axis])) return 0;
  }
  return grouped[1].value();
}

bool isSame(const Shape& a, const Shape& b) {
  return std::ranges::equal(a.dims(), b.dims(), [](const Dim& left, const Dim& right) { return left.sameAs(right); });
}

bool swapsGroupsAndChannels(const Node& transpose, size_t rank) {
  const auto order = transpose.attributeOr<std::vector<int64_t>>("perm", {});
  if (order.size() != rank) return false;
  for (size_t axis = 0; axis < rank; ++axis) {
    const size_t from = axis == 1 ? 2 : axis == 2 ? 1 : axis;
    if (order[axis] != static_cast<int64_t>(from)) return false;
  }
  return true;
}

struct Shuffle {
  std::array<NodeId, 3> nodes;
  int64_t groups = 0;
};

std::optional<Shuffle> shuffleAt(const Graph& graph, NodeId first) {
  const Node& split = graph.node(first);
  if (!isStandardNode(split, "Reshape")) return std::nullopt;
  const NodeId second = onlyReader(graph, split.outputs[0], "Transpose");
  if (!second.valid()) return std::nullopt;
  const Node& turn = graph.node(second);
  const NodeId third = onlyReader(graph, turn.outputs[0], "Reshape");
  if (!third.valid()) return std::nullopt;
  const Shape* x = shapeOf(graph, split.inputs[0]);
  const Shape* grouped = shapeOf(graph, split.outputs[0]);
  const Shape* y = shapeOf(graph, graph.node(third).outputs[0]);
  if (x == nullptr || grouped == nullptr || y == nullptr || !isSame(*x, *y)) return std::nullopt;
  const int64_t groups = groupsOf(*x, *grouped);
  if (groups == 0 || !swapsGroupsAndChannels(turn, grouped->rank())) return std::nullopt;
  return Shuffle{{first, second, third}, groups};
}

}  // namespace

Result<void> rewrite_shuffle_channels(RewriteRequest& request) {
  if (request.optimizationLevel < 2) return {};
  Graph& graph = request.graph;
  for (const NodeId id : graph.nodeIds()) {
    const std::optional<Shuffle> found = shuffleAt(graph, id);
    if (!found) continue;
    const Node& last = graph.node(found->nodes[2]);
    const Value& output = graph.value(last.outputs[0]);
    NewNode shuffle{.node = {.name = last.name,
                             .opType = "ChannelShuffle",
                             .domain = "cutaway",
                             .sinceVersion = 1,
                             .opsetVersion = 1,
                             .provider = "cpu"},
                    .inputs = {graph.value(graph.node(id).inputs[0]).name},
                    .outputs = {output.name},
                    .outputTypes = {output.type}};
    shuffle.node.setAttribute("group", found->groups);
    GraphPatch patch{.note = fmt::format("channels of {} groups take turns in one pass", found->groups),
                     .removeNodes = {found->nodes.begin(), found->nodes.end()}};
    patch.addNodes.push_back(std::move(shuffle));
    CUTAWAY_CHECK(applyRewrite(graph, std::move(patch), "cpu fusion", request.done));
  }
  return {};
}

}  // namespace cutaway::cpu
