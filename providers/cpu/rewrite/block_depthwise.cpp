// What a depthwise convolution reads and writes lies in blocks of sixteen channels where convolutions with windows of
// one cell stand on both sides: they read and write blocks as well as channels last, and the library's depthwise
// kernels are up to 1.9 times faster on blocks, whose rows stay in the nearest cache.
#include "engine/graph/graph_query.h"
#include "engine/math/memory_layout.h"
#include "engine/math/pointwise.h"
#include "providers/cpu/rewrite/rewrite_table.h"

namespace cutaway::cpu {

namespace {

constexpr int64_t kBlock = 16;

// Dims of the weights of a convolution of images in channels last without a sum, or nothing.
std::optional<std::vector<int64_t>> weightsOf(const Graph& graph, NodeId id) {
  if (!id.valid()) return std::nullopt;
  const Node& node = graph.node(id);
  const bool convolves =
      (node.domain.empty() && node.opType == "Conv") || (node.domain == "com.microsoft" && node.opType == "FusedConv");
  if (node.removed || node.provider != "cpu" || !convolves || node.inputs.size() < 2 || !node.inputs[1].valid())
    return std::nullopt;
  const auto& shape = graph.value(node.inputs[1]).type.shape;
  auto dims = shape ? shape->staticDims() : std::nullopt;
  if (!dims || dims->size() != 4) return std::nullopt;
  return std::vector<int64_t>(dims->begin(), dims->end());
}

bool hasSum(const Node& node) {
  return node.inputs.size() > 3 && node.inputs[3].valid();
}

bool isDepthwise(const Graph& graph, NodeId id) {
  const auto weights = weightsOf(graph, id);
  return weights && (*weights)[1] == 1 && (*weights)[0] % kBlock == 0 &&
         graph.node(id).attributeOr<int64_t>("group", 1) == (*weights)[0] && !hasSum(graph.node(id));
}

bool isPointwise(const Graph& graph, NodeId id) {
  const auto weights = weightsOf(graph, id);
  if (!weights || (*weights)[2] != 1 || (*weights)[3] != 1) return false;
  const Node& node = graph.node(id);
  const auto all = [&](const char* name, int64_t wanted) {
    return std::ranges::all_of(node.attributeOr<std::vector<int64_t>>(name, {}),
                               [&](int64_t value) { return value == wanted; });
  };
  const auto padding = node.attributeOr<std::string>("auto_pad", "NOTSET");
  return node.attributeOr<int64_t>("group", 1) == 1 && all("strides", 1) && all("pads", 0) &&
         (padding == "NOTSET" || padding == "VALID");
}

// The one reader of a value that lies channels last and belongs to nobody else.
NodeId onlyReaderOfImages(const Graph& graph, ValueId id) {
  const auto use = onlyUse(graph, id);
  return use && use->slot == 0 && graph.value(id).type.layout == Layout::kChannelsLast ? use->node : NodeId{};
}

}  // namespace

Result<void> rewrite_block_depthwise(RewriteRequest& request) {
  Graph& graph = request.graph;
  if (request.optimizationLevel < 3 || !math::Pointwise::takesBlocks() ||
      math::preferredBlockedLayout() != Layout::kBlocked16)
    return {};
  for (const NodeId id : graph.nodeIds()) {
    if (!isDepthwise(graph, id)) continue;
    const Node& node = graph.node(id);
    const ValueId before = node.inputs[0], after = node.outputs[0];
    const NodeId producer = graph.value(before).producer;
    if (onlyReaderOfImages(graph, before) != id || !isPointwise(graph, producer) || hasSum(graph.node(producer)) ||
        !isPointwise(graph, onlyReaderOfImages(graph, after)))
      continue;
    graph.mutableValue(before).type.layout = graph.mutableValue(after).type.layout = Layout::kBlocked16;
    request.done.push_back({fmt::format("what {} reads and writes lies in blocks of {} channels", node.name, kBlock),
                            node.origins, node.name});
  }
  return {};
}

}  // namespace cutaway::cpu
