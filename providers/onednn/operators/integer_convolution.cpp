// Conv between DequantizeLinear and QuantizeLinear, on the integers.
//
// sum((x - zx) * sx * w * sw) + b, divided by sy and moved by zy: the library sums x * w with zx compensated, adds b /
// (sx * sw), scales by sx * sw / sy per channel, applies Relu (which scales commute with), adds zy, rounds and
// saturates. Weights are symmetric signed bytes.
#include "engine/operators/traits/operator_traits.h"
#include "providers/onednn/operators/convolution.h"
#include "providers/onednn/operators/quantize.h"

namespace cutaway::onednn {

namespace {

struct Tail {
  bool relu = false;
  std::optional<QuantizationOf> target;  // none: the result stays floating point
  ValueId result;
  int nodes = 0;
};

Tail tailOf(PlanBuilder& builder, const Node& node) {
  Tail tail{.result = node.outputs[0]};
  NodeId next = builder.soleConsumer(tail.result);
  if (!next.valid() || !builder.fuses()) return tail;
  std::vector<NodeId> taken;
  Tail longer = tail;
  if (operators::elementFunctionNamed(builder.node(next).opType) == operators::ElementFunction::kRelu) {
    longer.relu = true;
    longer.result = builder.node(next).outputs[0];
    taken.push_back(next);
    next = builder.soleConsumer(longer.result);
  }
  if (!next.valid() || builder.node(next).opType != "QuantizeLinear") return tail;
  longer.target = quantizationOf(builder, builder.node(next));
  if (!longer.target) return tail;
  longer.result = builder.node(next).outputs[0];
  taken.push_back(next);
  for (const NodeId id : taken)
    builder.absorb(id);
  longer.nodes = static_cast<int>(taken.size());
  return longer;
}

dnnl::primitive_attr attributesOf(const Quantized& input, const Quantized& weights, const Tail& tail) {
  const float after = tail.target ? 1.0f / tail.target->scale : 1.0f;
  std::vector<float> scales = weights.scales;
  for (float& scale : scales)
    scale *= input.scales[0] * after;
  dnnl::primitive_attr attributes = newAttributes();
  attributes.set_output_scales(scales.size() > 1 ? 2 : 0, scales);
  if (input.zeroPoint != 0) attributes.set_zero_points(DNNL_ARG_SRC, 0, {input.zeroPoint});
  if (tail.target && tail.target->zeroPoint != 0) attributes.set_zero_points(DNNL_ARG_DST, 0, {tail.target->zeroPoint});
  if (tail.relu) {
    dnnl::post_ops operations;
    operations.append_eltwise(1.0f, dnnl::algorithm::eltwise_relu, 0, 0);
    attributes.set_post_ops(operations);
  }
  return attributes;
}

Result<void> addConvolution(PlanBuilder& builder, const Node& node, const ConvolutionShapes& shapes,
                            const Quantized& input, const Quantized& weights, std::vector<float> bias) {
  using Forward = dnnl::convolution_forward;
  const Tail tail = tailOf(builder, node);
  const DataType type = tail.target ? tail.target->type : DataType::f32;
  const Window& window = shapes.window;
  const Descriptor biasRow = shapes.bias ? plainDescriptor(Dimensions{shapes.result[1]}, DataType::f32) : Descriptor();
  const Forward::desc description(dnnl::prop_kind::forward_inference, dnnl::algorithm::convolution_direct,
                                  anyOrder(shapes.source, input.stored.descriptor.data_type()),
                                  anyOrder(shapes.weights, DataType::s8), biasRow, anyOrder(shapes.result, type),
                                  window.strides, window.dilations, window.padsBegin, window.padsEnd);
  const ThreadShare share(builder.threadsFor(shapes.work));
  const Forward::primitive_desc chosen(description, attributesOf(input, weights, tail), engine());
  CUTAWAY_TRY(const Stored source, builder.reordered(input.stored, chosen.src_desc()));
  CUTAWAY_TRY(
      const Stored packed,
      builder.reordered({weights.stored.buffer, plainDescriptor(shapes.weights, DataType::s8)}, chosen.weights_desc()));
  StepArguments arguments{{DNNL_ARG_SRC, source}, {DNNL_ARG_WEIGHTS, packed}};
  if (shapes.bias) {
    bias.resize(static_cast<size_t>(shapes.result[1]));
    for (size_t c = 0; c < bias.size(); ++c)
      bias[c] /= input.scales[0] * weights.scales[weights.scales.size() > 1 ? c : 0];
    CUTAWAY_TRY(const Stored row, builder.floats(bias, {shapes.result[1]}));
    arguments.emplace_back(DNNL_ARG_BIAS, row);
  }
  const Stored result = builder.working(chosen.dst_desc());
  arguments.emplace_back(DNNL_ARG_DST, result);
  CUTAWAY_CHECK(builder.addStep<Forward>(chosen, std::move(arguments), shapes.work));
  builder.countFused(tail.nodes);
  builder.define(tail.result, shapes.result, result);
  return {};
}

}  // namespace

Result<bool> lowerIntegerConvolution(PlanBuilder& builder, const Node& node, const ConvolutionShapes& shapes) {
  const Quantized *input = builder.quantized(node.inputs[0]), *weights = builder.quantized(node.inputs[1]);
  if (!builder.usesInt8() || input == nullptr || weights == nullptr || input->scales.size() != 1 ||
      weights->zeroPoint != 0)
    return false;
  if (weights->stored.descriptor.data_type() != DataType::s8 || (weights->scales.size() > 1 && weights->axis != 0))
    return false;
  std::vector<float> bias;
  if (shapes.bias) {
    bias = builder.constantFloats(node.inputs[2]);
    if (bias.size() != static_cast<size_t>(shapes.result[1])) return false;
  }
  const Quantized ownInput = *input, ownWeights = *weights;
  Result<void> done;
  CUTAWAY_CHECK(attempt("integer convolution",
                        [&] { done = addConvolution(builder, node, shapes, ownInput, ownWeights, std::move(bias)); }));
  CUTAWAY_CHECK(done);
  return true;
}

}  // namespace cutaway::onednn
