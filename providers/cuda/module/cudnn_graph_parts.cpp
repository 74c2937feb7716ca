// Convolution, its epilogue, and attention as cuDNN graphs.
#include "providers/cuda/module/cudnn_graph_parts.h"

#include <limits>

namespace cutaway::cuda {
namespace {

using Attributes = fe::graph::Pointwise_attributes;
using Mode = fe::PointwiseMode_t;
using Sizes = std::vector<int64_t>;

// Strides of [n, c, spatial..]: channels fastest, or slowest but for the batch.
Sizes imageStrides(const Sizes& dims, bool channelsLast) {
  Sizes strides(dims.size(), 1);
  int64_t step = channelsLast ? dims[1] : 1;
  for (size_t axis = dims.size(); axis-- > 2;) {
    strides[axis] = step;
    step *= dims[axis];
  }
  if (channelsLast) {
    strides[1] = 1;
    strides[0] = step;
  } else {
    strides[1] = step;
    strides[0] = step * dims[1];
  }
  return strides;
}

// cuDNN knows images of two and three axes: a line is an image of one row.
Sizes spatialOf(const ConvolutionDescription& d, const std::array<int64_t, 3>& sizes, int64_t missing) {
  Sizes result;
  if (d.spatial == 1) result.push_back(missing);
  for (int axis = 0; axis < d.spatial; ++axis)
    result.push_back(sizes[static_cast<size_t>(axis)]);
  return result;
}

Sizes imageDims(const ConvolutionDescription& d, int64_t outer, int64_t inner, const std::array<int64_t, 3>& spatial) {
  Sizes dims = spatialOf(d, spatial, 1);
  dims.insert(dims.begin(), {outer, inner});
  return dims;
}

CudnnTensor constant(fe::graph::Graph& graph, float value) {
  return graph.tensor(value);
}

void setTypes(fe::graph::Graph& graph, fe::DataType_t type) {
  graph.set_io_data_type(type)
      .set_intermediate_data_type(fe::DataType_t::FLOAT)
      .set_compute_data_type(fe::DataType_t::FLOAT);
}

}  // namespace

CudnnTensor operand(fe::graph::Graph& graph, const char* name, int64_t number, Sizes dims, Sizes strides,
                    fe::DataType_t type) {
  return graph.tensor(
      fe::graph::Tensor_attributes().set_name(name).set_uid(number).set_dim(dims).set_stride(strides).set_data_type(
          type));
}

CudnnTensor activationNode(fe::graph::Graph& graph, CudnnTensor x, const Epilogue& epilogue) {
  const auto apply = [&](Attributes attributes) { return graph.pointwise(x, attributes); };
  const auto with = [&](const CudnnTensor& left, Mode mode, float value) {
    return graph.pointwise(left, constant(graph, value), Attributes().set_mode(mode));
  };
  // clamp(x * factor + summand, 0, 1)
  const auto ramp = [&](float factor, float summand) {
    const CudnnTensor moved = with(with(x, Mode::MUL, factor), Mode::ADD, summand);
    return graph.pointwise(moved, Attributes().set_mode(Mode::RELU_FWD).set_relu_upper_clip(1.0f));
  };
  switch (epilogue.activation) {
    case Activation::kNone:
      return x;
    case Activation::kRelu:
      return apply(Attributes().set_mode(Mode::RELU_FWD));
    case Activation::kClip: {
      if (epilogue.first == 0.0f)
        return apply(Attributes().set_mode(Mode::RELU_FWD).set_relu_upper_clip(epilogue.second));
      const CudnnTensor above = with(x, Mode::MAX, epilogue.first);
      return with(above, Mode::MIN, epilogue.second);
    }
    case Activation::kLeakyRelu:
      return apply(Attributes().set_mode(Mode::RELU_FWD).set_relu_lower_clip_slope(epilogue.first));
    case Activation::kSigmoid:
      return apply(Attributes().set_mode(Mode::SIGMOID_FWD));
    case Activation::kTanh:
      return apply(Attributes().set_mode(Mode::TANH_FWD));
    case Activation::kElu:
      return apply(Attributes().set_mode(Mode::ELU_FWD).set_elu_alpha(epilogue.first));
    case Activation::kGeluErf:
      return apply(Attributes().set_mode(Mode::GELU_FWD));
    case Activation::kGeluTanh:
      return apply(Attributes().set_mode(Mode::GELU_APPROX_TANH_FWD));
    case Activation::kSilu:
      return apply(Attributes().set_mode(Mode::SWISH_FWD).set_swish_beta(1.0f));
    case Activation::kHardSigmoid:
      return ramp(epilogue.first, epilogue.second);
    case Activation::kHardSwish:
      return graph.pointwise(x, ramp(1.0f / 6.0f, 0.5f), Attributes().set_mode(Mode::MUL));
  }
  return nullptr;
}

Status convolutionGraph(const ConvolutionDescription& d, fe::graph::Graph& graph) {
  fe::DataType_t type{}, biasType{};
  if (!cudnnType(d.type, type) || !cudnnType(d.bias, biasType) || d.type == ElementType::kInt32)
    return Status::unsupported("cuDNN convolutions are of float, float16 and bfloat16 here");
  setTypes(graph, type);
  const Sizes xDims = imageDims(d, d.batch, d.channels, d.input), yDims = imageDims(d, d.batch, d.filters, d.output);
  const Sizes wDims = d.transposed ? imageDims(d, d.channels, d.filters / d.groups, d.kernel)
                                   : imageDims(d, d.filters, d.channels / d.groups, d.kernel);
  const CudnnTensor x = operand(graph, "x", 1, xDims, imageStrides(xDims, d.channelsLast), type);
  const CudnnTensor w = operand(graph, "w", 2, wDims, imageStrides(wDims, d.channelsLast), type);
  const Sizes begin = spatialOf(d, d.padBegin, 0), end = spatialOf(d, d.padEnd, 0), stride = spatialOf(d, d.stride, 1),
              dilation = spatialOf(d, d.dilation, 1);
  CudnnTensor sum;
  if (d.transposed) {
    sum = graph.conv_dgrad(
        x, w,
        fe::graph::Conv_dgrad_attributes().set_pre_padding(begin).set_post_padding(end).set_stride(stride).set_dilation(
            dilation));
  } else {
    sum = graph.conv_fprop(
        x, w,
        fe::graph::Conv_fprop_attributes().set_pre_padding(begin).set_post_padding(end).set_stride(stride).set_dilation(
            dilation));
  }
  sum->set_dim(yDims).set_stride(imageStrides(yDims, d.channelsLast));
  // The residual before the bias: the order that cuDNN's compiled patterns have.
  if (d.epilogue.residual) {
    const CudnnTensor residual =
        operand(graph, "residual", d.epilogue.bias ? 5 : 4, yDims, imageStrides(yDims, d.channelsLast), type);
    sum = graph.pointwise(sum, residual, Attributes().set_mode(Mode::ADD));
  }
  if (d.epilogue.bias) {
    Sizes dims(yDims.size(), 1);
    dims[1] = d.filters;
    const CudnnTensor bias = operand(graph, "bias", 4, dims, imageStrides(dims, d.channelsLast), biasType);
    sum = graph.pointwise(sum, bias, Attributes().set_mode(Mode::ADD));
  }
  sum = activationNode(graph, sum, d.epilogue);
  if (sum == nullptr) return Status::unsupported("cuDNN has no such activation");
  sum->set_output(true)
      .set_uid(3)
      .set_name("y")
      .set_dim(yDims)
      .set_stride(imageStrides(yDims, d.channelsLast))
      .set_data_type(type);
  return {};
}

Status attentionGraph(const AttentionDescription& d, fe::graph::Graph& graph) {
  fe::DataType_t type{}, maskType{};
  if (!cudnnType(d.type, type) || (d.type != ElementType::kFloat16 && d.type != ElementType::kBfloat16))
    return Status::unsupported("cuDNN attention is of float16 and bfloat16");
  if (d.mask && !cudnnType(d.maskType, maskType))
    return Status::unsupported("cuDNN attention adds masks of float, float16 and bfloat16");
  if (d.softcap != 0) return Status::unsupported("cuDNN attention has no soft cap here");
  // With as many queries as keys both diagonals are one, and the upper has more engines.
  const bool fromEnd = d.causal && d.causalFromEnd && d.queries != d.keys;
  // cuDNN would count from the end of each sequence's own length.
  if (fromEnd && d.keyLengths)
    return Status::unsupported("cuDNN attention has no causal mask from the end of padded keys here");
  if (d.window >= 0 && !d.causal) return Status::unsupported("cuDNN attention has windows with a causal mask only");
  setTypes(graph, type);
  const auto matrix = [&](const char* name, int64_t number, int64_t heads, int64_t rows, int64_t columns,
                          const std::array<int64_t, 3>& strides) {
    return operand(graph, name, number, {d.batch, heads, rows, columns}, {strides[0], strides[1], strides[2], 1}, type);
  };
  const CudnnTensor q = matrix("q", 1, d.heads, d.queries, d.size, d.strideQ),
                    k = matrix("k", 2, d.keyHeads, d.keys, d.size, d.strideK),
                    v = matrix("v", 3, d.keyHeads, d.keys, d.valueSize, d.strideV);
  fe::graph::SDPA_attributes attributes;
  attributes.set_name("attention").set_generate_stats(false).set_attn_scale(d.scale);
  if (d.causal) {
    attributes
        .set_diagonal_alignment(fromEnd ? fe::DiagonalAlignment_t::BOTTOM_RIGHT : fe::DiagonalAlignment_t::TOP_LEFT)
        .set_diagonal_band_right_bound(0);
    // Its bound counts the query's own key, ours those before it.
    if (d.window >= 0 && d.window < std::numeric_limits<int>::max())
      attributes.set_diagonal_band_left_bound(static_cast<int>(d.window) + 1);
  }
  int64_t number = 5;
  if (d.mask) {
    const int64_t batch = d.maskStride[0] == 0 ? 1 : d.batch, heads = d.maskStride[1] == 0 ? 1 : d.heads;
    const int64_t row = d.maskStride[2];
    const int64_t rows = row == 0 ? 1 : d.queries, step = row == 0 ? d.keys : row;
    attributes.set_bias(operand(
        graph, "mask", number++, {batch, heads, rows, d.keys},
        {batch == 1 ? step * rows * heads : d.maskStride[0], heads == 1 ? step * rows : d.maskStride[1], step, 1},
        maskType));
  }
  if (d.keyLengths) {
    const auto lengths = [&](const char* name) {
      return operand(graph, name, number++, {d.batch, 1, 1, 1}, {1, 1, 1, 1}, fe::DataType_t::INT32);
    };
    const CudnnTensor keys = lengths("key lengths"), queries = lengths("query lengths");
    attributes.set_padding_mask(true).set_seq_len_kv(keys).set_seq_len_q(queries);
  }
  auto [y, stats] = graph.sdpa(q, k, v, attributes);
  y->set_output(true)
      .set_uid(4)
      .set_name("y")
      .set_dim({d.batch, d.heads, d.queries, d.valueSize})
      .set_stride({d.strideY[0], d.strideY[1], d.strideY[2], 1})
      .set_data_type(type);
  return {};
}

}  // namespace cutaway::cuda
