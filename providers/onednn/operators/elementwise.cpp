// Elementwise functions of one tensor: one row each, as a step of its own or as a post-operation.
#include <cmath>

#include "providers/onednn/chain.h"
#include "providers/onednn/operator_table.h"

namespace cutaway::onednn {

std::optional<SwishPair> swishOf(const PlanBuilder& builder, ValueId x) {
  const auto& uses = builder.graph().value(x).uses;
  if (!builder.fuses() || builder.isOutput(x) || uses.size() != 2) return std::nullopt;
  for (const Use& use : uses) {
    const Node& sigmoid = builder.node(use.node);
    if (sigmoid.opType != "Sigmoid" || !sigmoid.domain.empty() || builder.isDone(use.node)) continue;
    const NodeId next = builder.soleConsumer(sigmoid.outputs[0]);
    if (!next.valid()) continue;
    const Node& product = builder.node(next);
    if (product.opType != "Mul" || !product.domain.empty() || product.inputs.size() != 2) continue;
    const bool left = product.inputs[0] == x && product.inputs[1] == sigmoid.outputs[0];
    const bool right = product.inputs[1] == x && product.inputs[0] == sigmoid.outputs[0];
    if (left || right) return SwishPair{use.node, next, product.outputs[0]};
  }
  return std::nullopt;
}

namespace {

using dnnl::algorithm;
using Stages = std::vector<EltwiseStage>;

std::optional<float> constantScalar(const PlanBuilder& builder, const Node& node, size_t slot) {
  const Tensor* tensor = slot < node.inputs.size() ? builder.constant(node.inputs[slot]) : nullptr;
  if (tensor == nullptr || tensor->type() != ElementType::kFloat || tensor->elementCount() != 1) return std::nullopt;
  return tensor->span<float>()[0];
}

Stages power(float exponent) {
  if (exponent == 2.0f) return {{algorithm::eltwise_square, 0, 0}};
  if (exponent == 1.0f) return {{algorithm::eltwise_linear, 1, 0}};
  if (exponent == 0.5f) return {{algorithm::eltwise_sqrt, 0, 0}};
  return {{algorithm::eltwise_pow, 1, exponent}};
}

Stages clip(const PlanBuilder& builder, const Node& node) {
  constexpr float kLargest = std::numeric_limits<float>::max();
  const float low = constantScalar(builder, node, 1).value_or(node.attributeOr<float>("min", -kLargest));
  const float high = constantScalar(builder, node, 2).value_or(node.attributeOr<float>("max", kLargest));
  return {{algorithm::eltwise_clip, low, high}};
}

Stages gelu(const Node& node) {
  const bool fast = node.opType == "FastGelu" || node.attributeOr<std::string>("approximate", "none") == "tanh";
  return {{fast ? algorithm::eltwise_gelu_tanh : algorithm::eltwise_gelu_erf, 0, 0}};
}

Stages stagesOf(const PlanBuilder& builder, const Node& node) {
  const std::string& op = node.opType;
  const auto number = [&](std::string_view name, float otherwise) { return node.attributeOr<float>(name, otherwise); };
  if (op == "Relu") return {{algorithm::eltwise_relu, 0, 0}};
  if (op == "LeakyRelu") return {{algorithm::eltwise_relu, number("alpha", 0.01f), 0}};
  if (op == "Elu") return {{algorithm::eltwise_elu, number("alpha", 1.0f), 0}};
  if (op == "Tanh") return {{algorithm::eltwise_tanh, 0, 0}};
  if (op == "Sigmoid") return {{algorithm::eltwise_logistic, 0, 0}};
  if (op == "Sqrt") return {{algorithm::eltwise_sqrt, 0, 0}};
  if (op == "Abs") return {{algorithm::eltwise_abs, 0, 0}};
  if (op == "Exp") return {{algorithm::eltwise_exp, 0, 0}};
  if (op == "Log") return {{algorithm::eltwise_log, 0, 0}};
  if (op == "Neg") return {{algorithm::eltwise_linear, -1, 0}};
  if (op == "Reciprocal") return power(-1.0f);
  if (op == "Round") return {{algorithm::eltwise_round, 0, 0}};
  if (op == "Softplus") return {{algorithm::eltwise_soft_relu, 0, 0}};
  if (op == "Mish") return {{algorithm::eltwise_mish, 0, 0}};
  if (op == "HardSwish") return {{algorithm::eltwise_hardswish, 0, 0}};
  if (op == "HardSigmoid")
    return {{algorithm::eltwise_linear, number("alpha", 0.2f), number("beta", 0.5f)}, {algorithm::eltwise_clip, 0, 1}};
  if (op == "QuickGelu") return {{algorithm::eltwise_swish, number("alpha", 1.702f), 0}};
  if (op == "Swish") return {{algorithm::eltwise_swish, number("alpha", 1.0f), 0}};
  if (op == "Clip") return clip(builder, node);
  if (op == "Gelu" || op == "FastGelu") return gelu(node);
  if (op == "Pow") return power(constantScalar(builder, node, 1).value_or(1.0f));
  return {};
}

// The library's exponentials take three times as long as our own loop.
bool lowerByOwnLoop(PlanBuilder& builder, const Node& node) {
  using Kind = math::ActivationKind;
  const std::optional<SwishPair> swish = node.opType == "Sigmoid" ? swishOf(builder, node.inputs[0]) : std::nullopt;
  math::Activation activation{Kind::kSigmoid};
  if (swish) {
    activation = {Kind::kSwish, 1.0f};
  } else if (node.opType == "Swish" || node.opType == "QuickGelu") {
    activation = {Kind::kSwish, node.attributeOr<float>("alpha", node.opType == "Swish" ? 1.0f : 1.702f)};
  } else if (node.opType != "Sigmoid") {
    return false;
  }
  const Stored from = builder.stored(node.inputs[0]);
  // What the node in hand may write over depends on what else runs inside it.
  if (swish) builder.absorb(swish->product);
  const bool inPlace = builder.mayOverwrite(from);
  const Stored to = inPlace ? from : builder.working(from.descriptor);
  if (!builder.addActivation(activation, from, to)) {
    if (swish) builder.release(swish->product);
    return false;
  }
  if (inPlace) builder.overwrite(from);
  if (swish) builder.countFused(1);
  builder.define(swish ? swish->result : node.outputs[0], builder.dims(node.inputs[0]), to);
  return true;
}

Result<void> lowerEltwise(PlanBuilder& builder, NodeId id) {
  const Node& node = builder.node(id);
  if (lowerByOwnLoop(builder, node)) return {};
  Stored current = builder.stored(node.inputs[0]);
  for (const EltwiseStage& stage : stagesOf(builder, node)) {
    const int64_t work = static_cast<int64_t>(current.descriptor.get_size()) * 2;
    Result<void> done;
    CUTAWAY_CHECK(attempt(node.opType, [&] {
      const dnnl::eltwise_forward::desc description(dnnl::prop_kind::forward_inference, stage.algorithm,
                                                    current.descriptor, stage.alpha, stage.beta);
      const ThreadShare share(builder.threadsFor(work));
      const dnnl::eltwise_forward::primitive_desc chosen(description, newAttributes(), engine());
      const bool inPlace = builder.mayOverwrite(current);
      const Stored result = inPlace ? current : builder.working(chosen.dst_desc());
      if (inPlace) builder.overwrite(current);
      done = builder.addStep<dnnl::eltwise_forward>(chosen, {{DNNL_ARG_SRC, current}, {DNNL_ARG_DST, result}}, work);
      current = result;
    }));
    CUTAWAY_CHECK(done);
  }
  builder.define(node.outputs[0], builder.dims(node.inputs[0]), current);
  return {};
}

std::optional<ChainLink> linkEltwise(PlanBuilder& builder, NodeId id, ValueId through) {
  const Node& node = builder.node(id);
  if (node.inputs[0] != through) return std::nullopt;
  return ChainLink{.stages = stagesOf(builder, node)};
}

std::optional<Objection> scalarInput(const KernelInfo& info, size_t slot) {
  if (!info.hasInput(slot)) return std::nullopt;
  const Tensor* tensor = info.constantInput(slot);
  if (tensor != nullptr && tensor->type() == ElementType::kFloat && tensor->elementCount() == 1) return std::nullopt;
  return Objection{
      RefusalCause::kInput, fmt::format("the primitive takes input {} as one number known when it is made", slot),
      fmt::format("{}.inputs[{}]", info.node().opType, slot),
      tensor == nullptr ? "not a constant"
                        : fmt::format("{} with {} elements", elementTypeName(tensor->type()), tensor->elementCount()),
      "a constant float scalar"};
}

std::optional<Objection> checkClip(const KernelInfo& info) {
  if (auto low = scalarInput(info, 1)) return low;
  return scalarInput(info, 2);
}
std::optional<Objection> checkPow(const KernelInfo& info) {
  return scalarInput(info, 1);
}
std::optional<Objection> checkFastGelu(const KernelInfo& info) {
  if (!info.hasInput(1)) return std::nullopt;
  return Objection{RefusalCause::kInput, "FastGelu with a bias is two operations", "FastGelu.inputs[1]", "a bias",
                   "a model where the bias is an Add of its own"};
}

constexpr OperatorRow plain(std::string_view opType) {
  return {.opType = opType, .lower = lowerEltwise, .link = linkEltwise};
}

constexpr OperatorRow kRows[] = {
    plain("Relu"),
    plain("LeakyRelu"),
    plain("Elu"),
    plain("Tanh"),
    plain("Sigmoid"),
    plain("Sqrt"),
    plain("Abs"),
    plain("Exp"),
    plain("Log"),
    plain("Neg"),
    plain("Reciprocal"),
    plain("Round"),
    plain("Softplus"),
    plain("Mish"),
    plain("HardSwish"),
    plain("HardSigmoid"),
    plain("Swish"),
    plain("Gelu"),
    {.opType = "Clip", .check = checkClip, .lower = lowerEltwise, .link = linkEltwise},
    {.opType = "Pow", .check = checkPow, .lower = lowerEltwise, .link = linkEltwise},
    {.opType = "Gelu", .domain = "com.microsoft", .lower = lowerEltwise, .link = linkEltwise},
    {.opType = "QuickGelu", .domain = "com.microsoft", .lower = lowerEltwise, .link = linkEltwise},
    {.opType = "FastGelu",
     .domain = "com.microsoft",
     .check = checkFastGelu,
     .lower = lowerEltwise,
     .link = linkEltwise},
};

}  // namespace

OperatorRows operators_elementwise() {
  return kRows;
}

}  // namespace cutaway::onednn
