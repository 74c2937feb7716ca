// DequantizeLinear -> operator -> QuantizeLinear is one operator on the integers: QLinearConv, QLinearMatMul, QGemm,
// QLinearAdd and their like, or MaxPool.
//
// The result differs from the three nodes' by one quantum at most: the sums are exact where the floats were rounded. A
// Relu before QuantizeLinear goes too where the zero point is the smallest value, because saturation does its work.
// Where dequantised numbers only get another shape, the bytes get it instead, so that the next operator finds them.
// Dequantised constants that no such group took are computed once, here.

#include <algorithm>

#include "engine/graph/graph_query.h"
#include "engine/operators/traits/operator_traits.h"
#include "engine/provider/node_evaluator.h"
#include "providers/cpu/kernels/kernel_table.h"
#include "providers/cpu/kernels/quantize/integer_operand.h"
#include "providers/cpu/rewrite/plain_node.h"
#include "providers/cpu/rewrite/quantized_group.h"

namespace cutaway::cpu {
namespace {

// Slots of a QLinear node: inputs by name, attributes of the operator it replaces.
struct Target {
  std::string opType;
  std::string domain = "com.microsoft";
  int32_t version = 1;
  std::vector<std::string> inputs;
  std::vector<std::string> dropped{};  // attributes that the target does not know
  std::vector<Attribute> added{};
};

// Gives the elements of its first input another shape, whatever they are.
bool isByteView(const Node& node) {
  constexpr int32_t kEveryType = 9;  // opset from which all of them take bytes
  const operators::OperatorTraits* traits = operators::findTraits(node);
  return isPlainNode(node) && node.domain.empty() && node.opsetVersion >= kEveryType && node.outputs.size() == 1 &&
         traits != nullptr && traits->relation == operators::Relation::kView;
}

std::optional<Target> convolution(QuantizedGroup& group) {
  const auto x = group.dequantized(0);
  const auto w = group.constantBytes(1, 0);
  if (!x || !w) return std::nullopt;
  Target target{.opType = "QLinearConv",
                .domain = "",
                .version = 10,
                .inputs = {x->bytes, x->scale, group.zeroPoint(*x), w->bytes, w->scale, group.zeroPoint(*w),
                           group.resultScale(), group.resultZeroPoint()}};
  if (!group.hasInput(2)) return target;
  const auto bias = group.integerBias(2, *x, *w);
  if (!bias) return std::nullopt;
  target.inputs.push_back(*bias);
  return target;
}

std::optional<Target> product(QuantizedGroup& group) {
  const auto a = group.dequantized(0);
  auto b = group.dequantized(1);
  if (!b) b = group.constantBytes(1, 1);
  if (!a || !b || (b->perAxis && group.rank(1) != 2)) return std::nullopt;
  return Target{.opType = "QLinearMatMul",
                .domain = "",
                .version = 10,
                .inputs = {a->bytes, a->scale, group.zeroPoint(*a), b->bytes, b->scale, group.zeroPoint(*b),
                           group.resultScale(), group.resultZeroPoint()}};
}

std::optional<Target> gemm(QuantizedGroup& group) {
  const auto a = group.dequantized(0);
  const auto b = group.constantBytes(1, group.attribute<int64_t>("transB", 0) != 0 ? 0 : 1);
  if (!a || !b || group.attribute<float>("alpha", 1.0f) != 1.0f || group.attribute<float>("beta", 1.0f) != 1.0f)
    return std::nullopt;
  Target target{.opType = "QGemm",
                .inputs = {a->bytes, a->scale, group.zeroPoint(*a), b->bytes, b->scale, group.zeroPoint(*b), ""},
                .dropped = {"beta", "broadcast"}};
  if (group.hasInput(2)) {
    const auto bias = group.integerBias(2, *a, *b);
    if (!bias) return std::nullopt;
    target.inputs.back() = *bias;
  }
  target.inputs.push_back(group.resultScale());
  target.inputs.push_back(group.resultZeroPoint());
  return target;
}

// Both sides and the result of one type.
std::optional<Target> arithmetic(QuantizedGroup& group, std::string opType) {
  const auto a = group.dequantized(0), b = group.dequantized(1);
  if (!a || !b || a->type != group.resultType() || b->type != group.resultType()) return std::nullopt;
  return Target{.opType = std::move(opType),
                .inputs = {a->bytes, a->scale, a->zero, b->bytes, b->scale, b->zero, group.resultScale(),
                           group.resultZeroPoint()},
                .dropped = {"axis", "broadcast"}};
}

std::optional<Target> unary(QuantizedGroup& group, std::string opType) {
  const auto x = group.dequantized(0);
  if (!x || x->type != group.resultType()) return std::nullopt;
  return Target{.opType = std::move(opType),
                .inputs = {x->bytes, x->scale, x->zero, group.resultScale(), group.resultZeroPoint()}};
}

std::optional<Target> softmax(QuantizedGroup& group) {
  auto target = unary(group, "QLinearSoftmax");
  if (!target) return target;
  const int64_t opset = group.node().opsetVersion;
  target->added = {{"opset", opset}, {"axis", group.attribute<int64_t>("axis", opset < 13 ? 1 : -1)}};
  return target;
}

std::optional<Target> averagePool(QuantizedGroup& group) {
  if (group.attribute<int64_t>("ceil_mode", 0) != 0 || group.node().findAttribute("dilations") != nullptr)
    return std::nullopt;
  return unary(group, "QLinearAveragePool");
}

// The largest byte stands for the largest number.
std::optional<Target> maxPool(QuantizedGroup& group) {
  const auto x = group.dequantized(0);
  if (!x || !group.keepsNumbers(*x)) return std::nullopt;
  return Target{.opType = "MaxPool", .domain = "", .version = 12, .inputs = {x->bytes}};
}

// The same bytes in another shape.
std::optional<Target> view(QuantizedGroup& group) {
  const auto x = group.dequantized(0);
  if (!x || !group.keepsNumbers(*x)) return std::nullopt;
  Target target{.opType = group.node().opType,
                .domain = group.node().domain,
                .version = group.node().sinceVersion,
                .inputs = {x->bytes}};
  for (size_t slot = 1; slot < group.node().inputs.size(); ++slot)
    target.inputs.push_back(group.hasInput(slot) ? group.inputName(slot) : std::string());
  return target;
}

std::optional<Target> concat(QuantizedGroup& group) {
  Target target{.opType = "QLinearConcat", .inputs = {group.resultScale(), group.resultZeroPoint()}};
  for (size_t slot = 0; slot < group.node().inputs.size(); ++slot) {
    const auto x = group.dequantized(slot);
    if (!x || x->type != group.resultType()) return std::nullopt;
    target.inputs.insert(target.inputs.end(), {x->bytes, x->scale, x->zero});
  }
  if (group.node().findAttribute("axis") == nullptr) target.added = {{"axis", int64_t{1}}};
  return target;
}

std::optional<Target> targetOf(QuantizedGroup& group) {
  using operators::ElementFunction;
  const std::string& op = group.node().opType;
  switch (operators::elementFunctionOf(group.node())) {
    case ElementFunction::kSigmoid:
      return unary(group, "QLinearSigmoid");
    case ElementFunction::kRelu: {
      auto target = unary(group, "QLinearLeakyRelu");
      if (target) target->added = {{"alpha", 0.0f}};
      return target;
    }
    case ElementFunction::kLeakyRelu:
      return unary(group, "QLinearLeakyRelu");
    default:
      break;
  }
  if (op == "Conv") return convolution(group);
  if (op == "MatMul") return product(group);
  if (op == "Gemm") return gemm(group);
  if (op == "Add" || op == "Mul") return arithmetic(group, "QLinear" + op);
  if (op == "Softmax") return softmax(group);
  if (op == "AveragePool") return averagePool(group);
  if (op == "MaxPool") return maxPool(group);
  if (op == "GlobalAveragePool") return unary(group, "QLinearGlobalAveragePool");
  if (op == "Concat") return concat(group);
  if (isByteView(group.node())) return view(group);
  return std::nullopt;
}

Result<void> replaceGroup(RewriteRequest& request, QuantizedGroup& group, Target target) {
  Graph& graph = request.graph;
  const Value& output = graph.value(group.output());
  NewNode fused{
      .node = group.node(), .inputs = std::move(target.inputs), .outputs = {output.name}, .outputTypes = {output.type}};
  fused.node.inputs.clear();
  fused.node.outputs.clear();
  fused.node.origins.clear();
  fused.node.rewrite.clear();
  std::string note =
      "runs on the integers: " + fused.node.opType + " between DequantizeLinear and QuantizeLinear is " + target.opType;
  fused.node.opType = target.opType;
  fused.node.domain = target.domain;
  fused.node.sinceVersion = target.version;
  fused.node.opsetVersion = target.version;
  std::erase_if(fused.node.attributes, [&](const Attribute& each) {
    return std::ranges::find(target.dropped, each.name.string()) != target.dropped.end();
  });
  for (const Attribute& each : target.added)
    fused.node.setAttribute(each.name, each.value);
  GraphPatch patch{
      .note = std::move(note), .removeNodes = group.removed(), .addInitializers = group.takeInitializers()};
  patch.addNodes.push_back(std::move(fused));
  CUTAWAY_CHECK(applyRewrite(graph, std::move(patch), "cpu fusion", request.done));
  return {};
}

// DequantizeLinear of a whole tensor for nobody but a view: the other way round, they give the same numbers.
Result<bool> dequantizeLater(RewriteRequest& request, NodeId id) {
  Graph& graph = request.graph;
  const Node& view = graph.node(id);
  if (!isByteView(view) || view.inputs.empty() || !view.inputs[0].valid() || !view.outputs[0].valid()) return false;
  const Value& floats = graph.value(view.inputs[0]);
  if (!floats.producer.valid() || onlyReader(graph, view.inputs[0]) != id) return false;
  const Node& dequantizer = graph.node(floats.producer);
  const Value& result = graph.value(view.outputs[0]);
  if (!isPlainNode(dequantizer) || dequantizer.opType != "DequantizeLinear" || dequantizer.inputs.size() < 2 ||
      result.uses.empty() || dequantizer.attributeOr<int64_t>("block_size", 0) != 0)
    return false;
  const Tensor* scale = constantOf(graph, dequantizer.inputs[1]);
  const Value& bytes = graph.value(dequantizer.inputs[0]);
  if (scale == nullptr || scale->elementCount() != 1 || graph.isConstant(dequantizer.inputs[0]) ||
      !isByteInteger(bytes.type.element))
    return false;
  ValueType shaped = result.type;
  shaped.element = bytes.type.element;
  const std::string between = graph.freshName(bytes.name.string() + "_view");
  NewNode first{.node = view, .inputs = graph.namesOf(view.inputs), .outputs = {between}, .outputTypes = {shaped}};
  NewNode second{.node = dequantizer,
                 .inputs = graph.namesOf(dequantizer.inputs),
                 .outputs = {result.name},
                 .outputTypes = {result.type}};
  first.inputs[0] = bytes.name;
  second.inputs[0] = between;
  for (NewNode* node : {&first, &second}) {
    node->node.inputs.clear();
    node->node.outputs.clear();
    node->node.origins.clear();
    node->node.rewrite.clear();
  }
  GraphPatch patch{.note = "bytes get another shape before they are dequantised", .removeNodes = {id, floats.producer}};
  patch.addNodes.push_back(std::move(first));
  patch.addNodes.push_back(std::move(second));
  CUTAWAY_CHECK(applyRewrite(graph, std::move(patch), "cpu fusion", request.done));
  return true;
}

// A DequantizeLinear of constants that is still there.
Result<void> computeConstants(RewriteRequest& request) {
  Graph& graph = request.graph;
  for (const NodeId id : graph.nodeIds()) {
    const Node& node = graph.node(id);
    if (node.removed || node.provider != "cpu" || node.opType != "DequantizeLinear" || node.outputs.empty() ||
        !node.outputs[0].valid())
      continue;
    if (!std::ranges::all_of(node.inputs, [&](ValueId input) {
          return !input.valid() || (graph.isConstant(input) && graph.value(input).initializer);
        }))
      continue;
    std::vector<RuntimeValue> inputs(node.inputs.size());
    for (size_t slot = 0; slot < inputs.size(); ++slot) {
      if (node.inputs[slot].valid()) inputs[slot] = RuntimeValue(*graph.value(node.inputs[slot]).initializer);
    }
    auto outputs = evaluateNode(cpuKernels(), graph, id, inputs);
    if (!outputs || outputs->empty() || !outputs->front().isTensor())
      continue;  // the node stays, and says at run time what is wrong
    GraphPatch patch{.note = "dequantised constants are computed once", .removeNodes = {id}};
    patch.addInitializers.emplace_back(graph.value(node.outputs[0]).name, outputs->front().tensor());
    CUTAWAY_CHECK(applyRewrite(graph, std::move(patch), "cpu fusion", request.done));
  }
  return {};
}

}  // namespace

Result<void> rewrite_fuse_quantized(RewriteRequest& request) {
  if (request.optimizationLevel < 2) return {};
  const auto fuseGroups = [&]() -> Result<void> {
    for (const NodeId id : request.graph.nodeIds()) {
      auto group = QuantizedGroup::find(request.graph, id);
      if (!group) continue;
      auto target = targetOf(*group);
      if (!target) continue;
      CUTAWAY_CHECK(replaceGroup(request, *group, std::move(*target)));
    }
    return {};
  };
  CUTAWAY_CHECK(fuseGroups());
  bool moved = false;
  for (const NodeId id : request.graph.nodeIds()) {
    CUTAWAY_TRY(const bool now, dequantizeLater(request, id));
    moved = moved || now;
  }
  if (moved) CUTAWAY_CHECK(fuseGroups());
  return computeConstants(request);
}

}  // namespace cutaway::cpu
