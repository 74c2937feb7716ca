// Nodes that hand their input on unchanged: Identity, Dropout at inference, a Cast to the type that is there already, x + 0, x * 1, a Slice of everything, a Transpose that moves nothing ...
#include <algorithm>
#include <numeric>

#include "engine/stages/optimize/pattern_query.h"
#include "engine/stages/optimize/pass.h"

namespace cutaway {

namespace {

const ValueType& typeOf(const Graph& graph, ValueId id) { return graph.value(id).type; }

bool sameStaticShape(const Graph& graph, ValueId a, ValueId b) {
  const std::optional<Shape>& left = typeOf(graph, a).shape;
  const std::optional<Shape>& right = typeOf(graph, b).shape;
  return left && right && left->isStatic() && *left == *right;
}

// Shapes may hold symbols here: equal symbols are equal sizes.
bool sameShape(const Graph& graph, ValueId a, ValueId b) {
  const std::optional<Shape>& left = typeOf(graph, a).shape;
  const std::optional<Shape>& right = typeOf(graph, b).shape;
  if (!left || !right || left->rank() != right->rank()) return false;
  for (size_t axis = 0; axis < left->rank(); ++axis) {
    if (!(*left)[axis].sameAs((*right)[axis])) return false;
  }
  return true;
}

bool isInferenceDropout(const Graph& graph, const Node& node) {
  if (!isOnnxOperator(node, "Dropout") || isUsed(graph, node, 1)) return false;
  if (node.sinceVersion < 7) return node.attributeOr<int64_t>("is_test", 0) != 0;
  if (node.sinceVersion < 12) return true;
  if (node.inputs.size() < 3 || !node.inputs[2].valid()) return true;
  const Tensor* training = constantInput(graph, node, 2);
  return training != nullptr && training->type() == ElementType::kBool && training->elementCount() == 1 && !training->span<bool>()[0];
}

bool isSameTypeCast(const Graph& graph, const Node& node) {
  if (!isOnnxOperator(node, "Cast")) return false;
  const ValueType& type = typeOf(graph, node.inputs[0]);
  return type.isTensor() && type.element != ElementType::kUndefined && static_cast<int64_t>(type.element) == node.attributeOr<int64_t>("to", 0);
}

// Slot of the operand that passes unchanged; nothing when the node computes something.
std::optional<size_t> neutralArithmetic(const Graph& graph, const Node& node) {
  if (!node.domain.empty() || node.inputs.size() != 2 || node.sinceVersion < 7) return std::nullopt;
  const bool additive = node.opType == "Add" || node.opType == "Sub";
  const bool multiplicative = node.opType == "Mul" || node.opType == "Div";
  if (!additive && !multiplicative) return std::nullopt;
  const bool commutes = node.opType == "Add" || node.opType == "Mul";
  for (const size_t constantSlot : {size_t{1}, size_t{0}}) {
    if (constantSlot == 0 && !commutes) continue;
    const Tensor* constant = constantInput(graph, node, constantSlot);
    if (constant == nullptr || constant->elementCount() == 0 || constant->elementCount() > 4096) continue;
    const size_t other = 1 - constantSlot;
    // The constant must not widen the shape by broadcasting.
    if (isFilledWith(*constant, additive ? 0 : 1) && sameShape(graph, node.inputs[other], node.outputs[0])) return other;
  }
  return std::nullopt;
}

bool isIdentityTranspose(const Node& node) {
  if (!isOnnxOperator(node, "Transpose")) return false;
  const auto perm = node.attributeOr<std::vector<int64_t>>("perm", {});
  if (perm.empty()) return false;
  std::vector<int64_t> counting(perm.size());
  std::iota(counting.begin(), counting.end(), int64_t{0});
  return perm == counting;
}

bool isZeroPad(const Graph& graph, const Node& node) {
  if (!isOnnxOperator(node, "Pad")) return false;
  std::optional<std::vector<int64_t>> pads;
  if (node.sinceVersion < 11) {
    pads = node.attributeOr<std::vector<int64_t>>("pads", {1});
  } else if (const Tensor* tensor = constantInput(graph, node, 1)) {
    pads = integersOf(*tensor);
  }
  return pads && std::all_of(pads->begin(), pads->end(), [](int64_t pad) { return pad == 0; });
}

// With positive steps of one, an output of the input's own shape is the input.
bool isFullSlice(const Graph& graph, const Node& node) {
  if (!isOnnxOperator(node, "Slice") || !sameStaticShape(graph, node.inputs[0], node.outputs[0])) return false;
  if (node.inputs.size() < 5 || !node.inputs[4].valid()) return true;
  const Tensor* steps = constantInput(graph, node, 4);
  return steps != nullptr && isFilledWith(*steps, 1);
}

bool keepsShapeAndElements(const Node& node) {
  for (const char* opType : {"Reshape", "Expand", "Flatten", "Squeeze", "Unsqueeze"}) {
    if (isOnnxOperator(node, opType)) return true;
  }
  return false;
}

// Which input passes through, and why; nothing when the node does something.
std::optional<std::pair<size_t, const char*>> passesThrough(const Graph& graph, const Node& node) {
  if (isOnnxOperator(node, "Identity")) return std::pair{size_t{0}, "Identity hands its input on"};
  if (isInferenceDropout(graph, node)) return std::pair{size_t{0}, "Dropout does nothing at inference"};
  if (isSameTypeCast(graph, node)) return std::pair{size_t{0}, "the value has that type already"};
  if (const auto slot = neutralArithmetic(graph, node)) return std::pair{*slot, "the constant changes nothing"};
  if (isIdentityTranspose(node)) return std::pair{size_t{0}, "the permutation moves nothing"};
  if (isZeroPad(graph, node)) return std::pair{size_t{0}, "all pads are zero"};
  if (isFullSlice(graph, node)) return std::pair{size_t{0}, "the slice takes everything"};
  if (keepsShapeAndElements(node) && sameStaticShape(graph, node.inputs[0], node.outputs[0])) return std::pair{size_t{0}, "the shape stays as it is"};
  return std::nullopt;
}

Result<std::optional<GraphPatch>> propose(const PassContext& context, NodeId id) {
  const Graph& graph = context.graph;
  const Node& node = graph.node(id);
  if (node.inputs.empty() || node.outputs.empty() || !node.outputs[0].valid()) return std::nullopt;
  if (std::any_of(node.inputs.begin(), node.inputs.begin() + 1, [](ValueId input) { return !input.valid(); })) return std::nullopt;
  const auto through = passesThrough(graph, node);
  if (!through) return std::nullopt;
  const ValueId input = node.inputs[through->first];
  if (!mayForward(graph, input, node.outputs[0])) return std::nullopt;
  // A body's output must be made in the body: it may not become a value of the graph around it.
  if (graph.value(input).outerScope && graph.value(node.outputs[0]).outputCount > 0) return std::nullopt;
  return GraphPatch{.note = through->second, .removeNodes = {id}, .replaceValues = {{node.outputs[0], input}}};
}

}  // namespace

Pass pass_eliminate_noops() { return {.name = "EliminateNoops", .purpose = "remove nodes that hand their input on unchanged", .level = 1, .propose = propose}; }

}  // namespace cutaway
