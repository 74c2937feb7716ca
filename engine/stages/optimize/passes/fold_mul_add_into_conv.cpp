// A constant factor or summand for each output channel goes into the weights of the Conv before it.

#include "engine/stages/optimize/constant_values.h"
#include "engine/stages/optimize/conv_weights.h"

namespace cutaway::optimize {

namespace {

// The constant as one number for each channel: a single element, or [M, 1, ...] aligned to axis 1 of the Conv's result.
std::optional<std::vector<double>> perChannel(const Tensor& constant, const ConstantConv& conv) {
  auto values = numbers(constant);
  const size_t rank = conv.weights.rank();
  if (!values || constant.type() != conv.type || constant.rank() > rank) return std::nullopt;
  if (values->size() == 1) return std::vector<double>(conv.channels(), values->front());
  if (values->size() != conv.channels() || constant.rank() < rank - 1) return std::nullopt;
  const size_t channelAxis = constant.rank() - (rank - 1);
  return constant.dims()[channelAxis] == static_cast<int64_t>(conv.channels()) ? values : std::nullopt;
}

std::optional<GraphPatch> match(const PassContext& context, NodeId id) {
  const Node& node = context.node(id);
  const bool isAdd = context.is(id, "Add"), isSub = context.is(id, "Sub"), isMul = context.is(id, "Mul"),
             isDiv = context.is(id, "Div");
  if ((!isAdd && !isSub && !isMul && !isDiv) || node.opsetVersion < 7 || node.inputs.size() != 2) return std::nullopt;
  for (size_t slot = 0; slot < 2; ++slot) {
    const ValueId result = node.inputs[slot];
    const ValueId other = node.inputs[1 - slot];
    if (!result.valid() || !other.valid() || (slot == 1 && (isSub || isDiv))) continue;
    const Tensor* constant = context.constant(other);
    const auto conv = constant == nullptr ? std::nullopt : constantConv(context, result);
    const auto values = conv ? perChannel(*constant, *conv) : std::nullopt;
    if (!values) continue;
    std::vector<double> scale(conv->channels(), 1.0);
    std::vector<double> shift(conv->channels(), 0.0);
    for (size_t m = 0; m < scale.size(); ++m) {
      if (isAdd) shift[m] = (*values)[m];
      if (isSub) shift[m] = -(*values)[m];
      if (isMul) scale[m] = (*values)[m];
      if (isDiv) scale[m] = 1.0 / (*values)[m];
    }
    return foldIntoConv(context, *conv, id, scale, shift,
                        fmt::format("{} goes into the weights of {}", context.label(id), context.label(conv->id)));
  }
  return std::nullopt;
}

constexpr GraphPass kPass{.name = "ConvMulAddFusion",
                          .purpose = "folds a constant factor or summand a channel into the Conv before it",
                          .level = 1,
                          .match = match};

}  // namespace

const GraphPass& pass_fold_mul_add_into_conv() {
  return kPass;
}

}  // namespace cutaway::optimize
