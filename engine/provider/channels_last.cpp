#include "engine/provider/channels_last.h"

#include <optional>

#include "engine/operators/traits/operator_traits.h"
#include "engine/provider/execution_provider.h"

namespace cutaway {

std::vector<int64_t> permToChannelsLast(size_t rank) {
  std::vector<int64_t> perm{0};
  for (size_t axis = 2; axis < rank; ++axis)
    perm.push_back(static_cast<int64_t>(axis));
  perm.push_back(1);
  return perm;
}

std::vector<int64_t> permToChannelsFirst(size_t rank) {
  std::vector<int64_t> perm{0, static_cast<int64_t>(rank) - 1};
  for (size_t axis = 1; axis + 1 < rank; ++axis)
    perm.push_back(static_cast<int64_t>(axis));
  return perm;
}

ValueType permuted(ValueType type, const std::vector<int64_t>& perm) {
  std::vector<Dim> dims;
  for (const int64_t axis : perm)
    dims.push_back((*type.shape)[static_cast<size_t>(axis)]);
  type.shape = Shape(std::move(dims));
  return type;
}

int64_t channelsLastAxis(int64_t axis, size_t rank) {
  if (axis < 0) axis += static_cast<int64_t>(rank);
  if (axis <= 0) return axis;
  return axis == 1 ? static_cast<int64_t>(rank) - 1 : axis - 1;
}

std::string_view domainBeforeChannelsLast(std::string_view opType) {
  const operators::OperatorTraits* traits = operators::findTraitsByName(opType);
  return traits != nullptr && traits->image == operators::ImageRole::kReads ? traits->domain : std::string_view();
}

namespace {

constexpr int32_t kTransposeVersion = 13;

Node transposeNode(const Node& around, std::vector<int64_t> perm) {
  Node node;
  node.name = around.name + "/layout";
  node.opType = "Transpose";
  node.sinceVersion = kTransposeVersion;
  node.opsetVersion = std::max(kTransposeVersion, around.opsetVersion);
  node.origins = around.origins;
  node.setAttribute("perm", std::move(perm));
  return node;
}

std::optional<size_t> rankOf(const Graph& graph, ValueId id) {
  if (!id.valid() || !graph.value(id).type.shape) return std::nullopt;
  return graph.value(id).type.shape->rank();
}

Result<void> lower(Graph& graph, NodeId id) {
  const ValueId input = graph.node(id).inputs.empty() ? ValueId{} : graph.node(id).inputs[0];
  const ValueId output = graph.node(id).outputs.empty() ? ValueId{} : graph.node(id).outputs[0];
  const std::optional<size_t> inputRank = rankOf(graph, input);
  const std::optional<size_t> outputRank = rankOf(graph, output);
  if (!inputRank || !outputRank || *inputRank < 3 || *outputRank < 3) {
    return fail(atNode({ErrorCode::kNotImplemented,
                        fmt::format("{} with channels last needs a first input and output of known rank, 3 or more",
                                    graph.node(id).opType),
                        {}},
                       graph.node(id).name));
  }
  const std::vector<int64_t> first = permToChannelsFirst(*inputRank);
  const ValueId turned = graph.addValue(graph.freshName(graph.value(input).name + "/channels_first"),
                                        permuted(graph.value(input).type, first));
  graph.addNode(transposeNode(graph.node(id), first), {input}, {graph.value(turned).name});
  graph.setNodeInput(id, 0, turned);

  const std::string outputName = graph.value(output).name;
  const ValueId made = graph.addValue(graph.freshName(outputName + "/channels_first"),
                                      permuted(graph.value(output).type, permToChannelsFirst(*outputRank)));
  graph.setNodeOutput(id, 0, made);
  graph.addNode(transposeNode(graph.node(id), permToChannelsLast(*outputRank)), {made}, {outputName});
  graph.mutableNode(id).domain = SharedText(domainBeforeChannelsLast(graph.node(id).opType));
  return {};
}

}  // namespace

Result<void> lowerChannelsLast(Graph& graph) {
  for (const NodeId id : graph.nodeIds()) {
    if (graph.node(id).domain == kChannelsLastDomain) CUTAWAY_CHECK(lower(graph, id));
  }
  return {};
}

}  // namespace cutaway
