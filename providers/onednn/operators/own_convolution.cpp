// Convolutions by engine/math/own_convolution.h, a step of our own among the library's: channels last in and out, with
// a sum of the same shape and an activation behind it.
#include "engine/math/own_convolution.h"

#include "engine/tensor/packed_weight.h"
#include "providers/onednn/chain.h"
#include "providers/onednn/operators/convolution.h"

namespace cutaway::onednn {

namespace {

math::ConvolutionShape mathShape(const ConvolutionShapes& shapes, math::Precision precision) {
  math::ConvolutionShape shape;
  shape.precision = precision;
  const Window& window = shapes.window;
  shape.spatialRank = shapes.source.size() - 2;
  if (shape.spatialRank > math::kMaxSpatialRank) return shape;
  shape.batch = shapes.source[0];
  shape.inChannels = shapes.source[1];
  shape.outChannels = shapes.result[1];
  shape.groups = shapes.groups;
  shape.transposed = shapes.transposed;
  shape.inputLayout = shape.outputLayout = Layout::kChannelsLast;  // as the step's tensors lie
  for (size_t axis = 0; axis < shape.spatialRank; ++axis) {
    shape.input[axis] = shapes.source[axis + 2];
    shape.output[axis] = shapes.result[axis + 2];
    shape.kernel[axis] = window.kernel[axis];
    shape.strides[axis] = window.strides[axis];
    shape.dilations[axis] = window.dilations[axis] + 1;
    shape.padsBegin[axis] = window.padsBegin[axis];
    shape.padsEnd[axis] = window.padsEnd[axis];
  }
  return shape;
}

std::optional<math::Activation> activationOf(const std::vector<EltwiseStage>& stages) {
  using dnnl::algorithm;
  using Kind = math::ActivationKind;
  if (stages.size() == 2 && stages[0].algorithm == algorithm::eltwise_linear &&
      stages[1].algorithm == algorithm::eltwise_clip && stages[1].alpha == 0.0f && stages[1].beta == 1.0f)
    return math::Activation{Kind::kHardSigmoid, stages[0].alpha, stages[0].beta};
  if (stages.size() != 1) return std::nullopt;
  const EltwiseStage& stage = stages[0];
  switch (stage.algorithm) {
    case algorithm::eltwise_relu:
      return math::Activation{stage.alpha == 0.0f ? Kind::kRelu : Kind::kLeakyRelu, stage.alpha, 0.0f};
    case algorithm::eltwise_clip:
      return math::Activation{Kind::kClip, stage.alpha, stage.beta};
    case algorithm::eltwise_logistic:
      return math::Activation{Kind::kSigmoid};
    case algorithm::eltwise_tanh:
      return math::Activation{Kind::kTanh};
    case algorithm::eltwise_hardswish:
      return math::Activation{Kind::kHardSwish};
    case algorithm::eltwise_elu:
      return math::Activation{Kind::kElu, stage.alpha};
    case algorithm::eltwise_swish:
      return math::Activation{Kind::kSwish, stage.alpha};
    default:
      return std::nullopt;
  }
}

struct Followers {
  size_t links = 0;  // of the chain
  ValueId summand;
  math::Activation activation;
};

// What of the chain runs in the same pass: at most one sum, then one activation.
Followers followersOf(const PlanBuilder& builder, const Chain& chain, const Dimensions& dims) {
  Followers followers;
  for (const ChainLink& link : chain.links) {
    if (link.other.valid()) {
      if (link.binary != dnnl::algorithm::binary_add || !link.stages.empty() || followers.summand.valid() ||
          builder.isConstant(link.other) || builder.dims(link.other) != dims)
        break;
      followers.summand = link.other;
    } else {
      const auto activation = activationOf(link.stages);
      if (!activation) break;
      followers.activation = *activation;
    }
    ++followers.links;
    if (followers.activation.kind != math::ActivationKind::kNone) break;
  }
  return followers;
}

// Transformed once for all plans of this process.
Result<Stored> transformedWeights(PlanBuilder& builder, const Tensor& weights, const ConvolutionShapes& shapes,
                                  const math::OwnConvolution& algorithm) {
  const std::span<const std::byte> source(static_cast<const std::byte*>(weights.data()),
                                          static_cast<size_t>(weights.sizeBytes()));
  const Descriptor packed = plainDescriptor({{algorithm.weightCount()}}, DataType::f32);
  const auto make = [&]() -> Result<std::shared_ptr<const void>> {
    const std::array<int64_t, 4> strides = algorithm.weightStrides();
    const Descriptor wanted(shapes.weights, DataType::f32, Dimensions(strides.begin(), strides.end()));
    CUTAWAY_TRY(const std::shared_ptr<const void> ordered, reorderedCopy(givenWeights(shapes), weights.data(), wanted));
    CUTAWAY_TRY(const std::shared_ptr<void> made, newBytes(packed.get_size()));
    algorithm.transformWeights(static_cast<const float*>(ordered.get()), static_cast<float*>(made.get()));
    return std::shared_ptr<const void>(made);
  };
  const std::string name =
      fmt::format("{} {} {}", algorithm.implementation(), dimsToText(shapes.weights), packed.get_size());
  CUTAWAY_TRY(const std::shared_ptr<PackedWeight> shared,
              findOrPack(source, name, static_cast<int64_t>(packed.get_size()), make));
  return builder.ownConstant(std::shared_ptr<const void>(shared, shared->object.get()), packed);
}

}  // namespace

Result<bool> lowerOwnConvolution(PlanBuilder& builder, const Node& node, const ConvolutionShapes& shapes) {
  if (builder.probing() || shapes.source.size() != 4) return false;
  const ThreadShare share(builder.threadsFor(shapes.work));
  const auto algorithm = math::OwnConvolution::forShape(mathShape(shapes, builder.precision()));
  const Tensor* weights = algorithm != nullptr ? builder.constant(node.inputs[1]) : nullptr;
  if (weights == nullptr || weights->type() != ElementType::kFloat) return false;

  Chain chain = chainFrom(builder, node.outputs[0], shapes.result);
  const Followers followers = followersOf(builder, chain, shapes.result);
  chain.links.resize(followers.links);
  absorbChain(builder, chain);
  builder.noteLinks(followers.links);
  ValueId last = chain.result();
  math::Activation activation = followers.activation;
  if (const auto swish = swishOf(builder, last); swish && activation.kind == math::ActivationKind::kNone) {
    builder.absorb(swish->sigmoid);
    builder.absorb(swish->product);
    builder.countFused(2);
    activation = {math::ActivationKind::kSwish, 1.0f};
    last = swish->result;
  }

  const auto channelsLast = [](const Dimensions& dims) { return Descriptor(dims, DataType::f32, Tag::nhwc); };
  PlanBuilder::OwnOperands operands;
  CUTAWAY_TRY(operands.source, builder.reordered(builder.stored(node.inputs[0]), channelsLast(shapes.source)));
  CUTAWAY_TRY(operands.weights, transformedWeights(builder, *weights, shapes, *algorithm));
  if (shapes.bias) {
    CUTAWAY_TRY(operands.bias, builder.reordered(builder.stored(node.inputs[2]),
                                                 plainDescriptor({{shapes.result[1]}}, DataType::f32)));
  }
  if (followers.summand.valid()) {
    CUTAWAY_TRY(operands.residual, builder.reordered(builder.stored(followers.summand), channelsLast(shapes.result)));
  }
  operands.result = builder.working(channelsLast(shapes.result));
  builder.addOwn(algorithm, activation, operands, shapes.work);
  builder.define(last, shapes.result, operands.result);
  return true;
}

}  // namespace cutaway::onednn
