// Conv and ConvTranspose, with what follows them fused in.
#include "providers/onednn/operators/convolution.h"

#include "providers/onednn/chain.h"

namespace cutaway::onednn {

Result<ConvolutionShapes> convolutionShapes(const PlanBuilder& builder, const Node& node) {
  ConvolutionShapes shapes;
  shapes.transposed = node.opType == "ConvTranspose";
  shapes.groups = node.attributeOr<int64_t>("group", 1);
  shapes.bias = node.inputs.size() > 2 && node.inputs[2].valid();
  shapes.source = builder.dimensions(node.inputs[0]);
  const Dimensions weights = builder.dimensions(node.inputs[1]);
  if (shapes.source.size() < 3 || weights.size() != shapes.source.size() || shapes.groups < 1)
    return fail(ErrorCode::kInvalidGraph, "{}: input and weights do not fit", node.opType);
  const std::span<const int64_t> kernel = std::span(weights).subspan(2);
  const int64_t in = shapes.transposed ? weights[0] : weights[1] * shapes.groups;
  const int64_t out = shapes.transposed ? weights[1] * shapes.groups : weights[0];
  if (in != shapes.source[1] || out % shapes.groups != 0)
    return fail(ErrorCode::kInvalidGraph, "{}: the weights are for {} channels, the input has {}", node.opType, in,
                shapes.source[1]);
  CUTAWAY_TRY(shapes.window, shapes.transposed ? transposedWindowOf(node, shapes.source, kernel)
                                               : windowOf(node, shapes.source, kernel));
  shapes.result = joined(shapes.source[0], out, shapes.window.output);
  shapes.weights = joined(out / shapes.groups, in / shapes.groups, shapes.window.kernel);
  if (shapes.groups > 1) shapes.weights.insert(shapes.weights.begin(), shapes.groups);
  const Dimensions& places = shapes.transposed ? shapes.source : shapes.result;
  shapes.work = product({{product(shapes.weights), product(std::span(places).subspan(2)), places[0]}});
  return shapes;
}

Descriptor givenWeights(const ConvolutionShapes& shapes) {
  Descriptor plain = plainDescriptor(shapes.weights, DataType::f32);
  if (!shapes.transposed) return plain;
  Dimensions swapped = shapes.weights;
  const size_t out = shapes.groups > 1 ? 1 : 0;
  std::swap(swapped[out], swapped[out + 1]);
  std::vector<int> order(swapped.size());
  for (size_t i = 0; i < order.size(); ++i)
    order[i] = static_cast<int>(i);
  std::swap(order[out], order[out + 1]);
  return plainDescriptor(swapped, DataType::f32).permute_axes(order);
}

namespace {

Result<Stored> orderedWeights(PlanBuilder& builder, const Node& node, const ConvolutionShapes& shapes,
                              const Descriptor& wanted) {
  CUTAWAY_TRY(const Stored rowMajor,
              builder.reordered(builder.stored(node.inputs[1]),
                                plainDescriptor(builder.dimensions(node.inputs[1]), DataType::f32)));
  return builder.reordered({rowMajor.buffer, givenWeights(shapes)}, wanted);
}

// What a primitive's operands have to be: operands rounded to bfloat16 are so by the reorders that put them in order.
struct Form {
  DataType operands = DataType::f32;
  bool channelsLast = false;  // else the library chooses
};

// Left to itself, the library takes products of gathered columns for groups of few channels, with what is fused to them
// in a plain loop, also where it has better for channels that come last.
template <typename Make>
Form formOf(PlanBuilder& builder, const ConvolutionShapes& shapes, const Make& make) {
  const ThreadShare share(builder.threadsFor(shapes.work));
  const auto implementationOf = [&](const Form& form) {
    std::string name = "ref";
    const auto made = attempt("convolution", [&] { name = make(newAttributes(), form).impl_info_str(); });
    return made ? name : std::string("ref");
  };
  const int64_t columns = shapes.result[1] / shapes.groups;
  const int64_t depth = product(shapes.weights) / shapes.result[1];
  const Form rounding{DataType::bf16, false}, last{DataType::f32, true};
  if (math::roundsToBfloat16(builder.precision(), depth, columns) &&
      implementationOf(rounding).find("bf16") != std::string::npos)
    return rounding;
  const auto gathers = [](const std::string& name) { return name.find("gemm") != std::string::npos; };
  if (shapes.groups == 1 || shapes.source.size() != 4 || !gathers(implementationOf({}))) return {};
  const std::string other = implementationOf(last);
  return gathers(other) || isReferenceImplementation(other) ? Form{} : last;
}

Result<void> lowerLibrary(PlanBuilder& builder, const Node& node, const ConvolutionShapes& shapes) {
  using Forward = dnnl::convolution_forward;
  using Description = Forward::primitive_desc;
  const Window& window = shapes.window;
  const int64_t work = shapes.work;
  const Descriptor bias = shapes.bias ? plainDescriptor(Dimensions{shapes.result[1]}, DataType::f32) : Descriptor();
  Chain chain = chainFrom(builder, node.outputs[0], shapes.result);
  const auto makeWith = [&](const dnnl::primitive_attr& attributes, const Form& form) {
    const auto ordered = [&](const Dimensions& dims, DataType type) {
      return form.channelsLast ? Descriptor(dims, type, Tag::nhwc) : anyOrder(dims, type);
    };
    const Forward::desc description(dnnl::prop_kind::forward_inference, dnnl::algorithm::convolution_direct,
                                    ordered(shapes.source, form.operands), anyOrder(shapes.weights, form.operands),
                                    bias, ordered(shapes.result, DataType::f32), window.strides, window.dilations,
                                    window.padsBegin, window.padsEnd);
    return Description(description, attributes, engine());
  };
  const Form form = formOf(builder, shapes, makeWith);
  const auto make = [&](const dnnl::primitive_attr& attributes) { return makeWith(attributes, form); };
  CUTAWAY_TRY(auto fused, fuseLongest<Description>(builder, chain, shapes.result, true, work, make));
  const Description& chosen = fused.description;
  CUTAWAY_TRY(const Stored source, builder.reordered(builder.stored(node.inputs[0]), chosen.src_desc()));
  CUTAWAY_TRY(const Stored weights, orderedWeights(builder, node, shapes, chosen.weights_desc()));
  StepArguments arguments = fused.epilogue.arguments;
  if (shapes.bias) {
    CUTAWAY_TRY(const Stored vector, builder.reordered(builder.stored(node.inputs[2]), bias));
    arguments.emplace_back(DNNL_ARG_BIAS, vector);
  }
  CUTAWAY_TRY(const Stored result, resultOf(builder, fused.epilogue, chosen.dst_desc()));
  arguments.insert(arguments.end(), {{DNNL_ARG_SRC, source}, {DNNL_ARG_WEIGHTS, weights}, {DNNL_ARG_DST, result}});
  CUTAWAY_CHECK(builder.addStep<Forward>(chosen, std::move(arguments), work));
  builder.define(chain.result(), shapes.result, result);
  return {};
}

// The library adds a bias or anything else to a deconvolution in a plain loop, which takes up to a hundred times as
// long as the deconvolution: the bias is a step of its own, and what follows is fused to that.
Result<void> lowerDeconvolution(PlanBuilder& builder, const Node& node, const ConvolutionShapes& shapes) {
  using Forward = dnnl::deconvolution_forward;
  const Window& window = shapes.window;
  const auto make = [&](const Descriptor& from, const Descriptor& to) {
    const Forward::desc description(dnnl::prop_kind::forward_inference, dnnl::algorithm::deconvolution_direct, from,
                                    anyOrder(shapes.weights, DataType::f32), to, window.strides, window.dilations,
                                    window.padsBegin, window.padsEnd);
    const ThreadShare share(builder.threadsFor(shapes.work));
    return Forward::primitive_desc(description, newAttributes(), engine());
  };
  std::optional<Forward::primitive_desc> chosen;
  // Channels last like its neighbours; by itself the library takes blocks.
  if (shapes.source.size() == 4 && shapes.groups == 1) {
    const auto last = [](const Dimensions& dims) { return Descriptor(dims, DataType::f32, Tag::nhwc); };
    if (!attempt("deconvolution", [&] { chosen = make(last(shapes.source), last(shapes.result)); }) ||
        isReferenceImplementation(chosen->impl_info_str()))
      chosen.reset();
  }
  if (!chosen) chosen = make(anyOrder(shapes.source, DataType::f32), anyOrder(shapes.result, DataType::f32));
  CUTAWAY_TRY(const Stored source, builder.reordered(builder.stored(node.inputs[0]), chosen->src_desc()));
  CUTAWAY_TRY(const Stored weights, orderedWeights(builder, node, shapes, chosen->weights_desc()));
  const Stored result = builder.working(chosen->dst_desc());
  CUTAWAY_CHECK(builder.addStep<Forward>(
      *chosen, {{DNNL_ARG_SRC, source}, {DNNL_ARG_WEIGHTS, weights}, {DNNL_ARG_DST, result}}, shapes.work));
  if (!shapes.bias) {
    builder.noteLinks(0);
    builder.define(node.outputs[0], shapes.result, result);
    return {};
  }
  Dimensions ones(shapes.result.size(), 1);
  ones[1] = shapes.result[1];
  CUTAWAY_TRY(const Stored vector, builder.viewed(builder.stored(node.inputs[2]), ones));
  Chain chain = chainFrom(builder, node.outputs[0], shapes.result);
  const int64_t work = product(shapes.result) * 8;
  using Sum = dnnl::binary;
  const auto makeSum = [&](const dnnl::primitive_attr& attributes) {
    const Sum::desc description(dnnl::algorithm::binary_add, result.descriptor, vector.descriptor, result.descriptor);
    return Sum::primitive_desc(description, attributes, engine());
  };
  CUTAWAY_TRY(auto fused, fuseLongest<Sum::primitive_desc>(builder, chain, shapes.result, false, work, makeSum));
  StepArguments arguments = fused.epilogue.arguments;
  arguments.insert(arguments.end(), {{DNNL_ARG_SRC_0, result}, {DNNL_ARG_SRC_1, vector}, {DNNL_ARG_DST, result}});
  CUTAWAY_CHECK(builder.addStep<Sum>(fused.description, std::move(arguments), work));
  builder.define(chain.result(), shapes.result, result);
  return {};
}

Result<void> lowerConvolution(PlanBuilder& builder, NodeId id) {
  const Node& node = builder.node(id);
  CUTAWAY_TRY(const ConvolutionShapes shapes, convolutionShapes(builder, node));
  if (!shapes.transposed) {
    CUTAWAY_TRY(const bool integers, lowerIntegerConvolution(builder, node, shapes));
    if (integers) return {};
  }
  Result<void> done;
  CUTAWAY_CHECK(attempt(node.opType, [&] {
    const Result<bool> own = lowerOwnConvolution(builder, node, shapes);
    if (!own) {
      done = fail(own.error());
    } else if (!*own) {
      done = shapes.transposed ? lowerDeconvolution(builder, node, shapes) : lowerLibrary(builder, node, shapes);
    }
  }));
  return done;
}

constexpr OperatorRow kRows[] = {
    {.opType = "Conv", .dataInputs = -1, .minimumRank = 3, .maximumRank = 5, .heavy = true, .lower = lowerConvolution},
    {.opType = "ConvTranspose",
     .dataInputs = -1,
     .minimumRank = 3,
     .maximumRank = 5,
     .heavy = true,
     .lower = lowerConvolution},
};

}  // namespace

OperatorRows operators_convolution() {
  return kRows;
}

}  // namespace cutaway::onednn
