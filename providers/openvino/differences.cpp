// One row an operator: what it looks at, and what OpenVINO does otherwise.
#include "providers/openvino/differences.h"

#include <algorithm>
#include <array>
#include <bit>
#include <span>
#include <string_view>

#include "engine/graph/graph_query.h"
#include "engine/operators/integer_list.h"
#include "providers/openvino/byte_differences.h"
#include "providers/openvino/difference_parts.h"
#include "providers/openvino/large_integers.h"
#include "providers/openvino/narrowed_integers.h"
#include "providers/openvino/pool_differences.h"
#include "providers/openvino/resize_differences.h"

namespace cutaway::openvino {

namespace {

using Look = Found (*)(const Graph& graph, const Node& node);

// Heads of queries that share those of keys: on axis 1 of four.
Found sharedHeads(const Graph& graph, const Node& node) {
  if (!has(node, 0) || !has(node, 1)) return std::nullopt;
  const std::optional<Shape>& queries = graph.value(node.inputs[0]).type.shape;
  const std::optional<Shape>& keys = graph.value(node.inputs[1]).type.shape;
  if (!queries || !keys || queries->rank() != 4 || keys->rank() != 4) return std::nullopt;
  const Dim &heads = (*queries)[1], &groups = (*keys)[1];
  if ((heads.isKnown() && groups.isKnown()) || heads.sameAs(groups)) return std::nullopt;
  return differs(RefusalCause::kShape, "an open number of heads",
                 "OpenVINO's Attention does not share the heads of the keys when their number is known at the run only",
                 "sizes for the heads (--dim)");
}

// In an attention that is spelled out, or that OpenVINO spells out, the exchange of heads and steps is taken for
// nothing where there are as many of both.
Found asManyHeadsAsSteps(const Node& node, int64_t heads, int64_t steps) {
  if (heads <= 1 || heads != steps) return std::nullopt;
  return differs(
      RefusalCause::kShape, fmt::format("{} heads and as many steps", heads),
      fmt::format("OpenVINO's {} mixes up heads and steps of an attention with as many of both", node.opType),
      "another number of steps, or an open one");
}

Found transpose(const Graph& graph, const Node& node) {
  if (node.attributeOr<std::vector<int64_t>>("perm", {}) != std::vector<int64_t>{0, 2, 1, 3}) return std::nullopt;
  return asManyHeadsAsSteps(node, sizeOf(graph, node, 0, 1), sizeOf(graph, node, 0, 2));
}

Found attention(const Graph& graph, const Node& node) {
  static constexpr std::array<std::string_view, 7> kKnown{
      "is_causal", "kv_num_heads", "q_num_heads", "qk_matmul_output_mode", "scale", "softcap", "softmax_precision"};
  for (const Attribute& attribute : node.attributes) {
    if (std::find(kKnown.begin(), kKnown.end(), attribute.name) != kKnown.end()) continue;
    return differs(RefusalCause::kAttribute, attribute.name,
                   fmt::format("OpenVINO's Attention does not look at attribute '{}'", attribute.name),
                   "Attention of opset 23 without it");
  }
  if (Found open = sharedHeads(graph, node)) return open;
  if (Found mixed = asManyHeadsAsSteps(node, node.attributeOr<int64_t>("q_num_heads", 0), sizeOf(graph, node, 0, 1)))
    return mixed;
  if (node.attributeOr<int64_t>("is_causal", 0) == 0 || !has(node, 4)) return std::nullopt;
  return differs(RefusalCause::kAttribute, "is_causal = 1 with past_key",
                 "OpenVINO's causal mask does not count the keys of the past", "the mask as an input, or no past_key");
}

Found bitShift(const Graph& graph, const Node& node) {
  if (node.attributeOr<std::string>("direction", "") == "LEFT")
    return differs(RefusalCause::kAttribute, "direction = LEFT",
                   "OpenVINO's shifts to the left stop at the largest number instead of dropping bits",
                   "direction = RIGHT");
  const ElementType type = elementIn(graph, node, 0);
  if (type == ElementType::kUint8 && !hasKnownSize(graph, node))
    return differs(RefusalCause::kShape, "open dimensions",
                   "OpenVINO's shifts of uint8 round up instead of dropping bits when the sizes are known at the run "
                   "only",
                   "sizes for its dimensions (--dim)");
  if (type == ElementType::kUint8 || type == ElementType::kUint16) return std::nullopt;
  return differs(RefusalCause::kType, std::string(elementTypeName(type)),
                 "OpenVINO shifts in 32 bits with sign, which gives other bits for wide shifts and negative numbers",
                 "uint8 or uint16 elements");
}

Found unread(const Node& node, std::string seen, std::string remedy) {
  return differs(RefusalCause::kAttribute, seen, fmt::format("OpenVINO's {} does not look at '{}'", node.opType, seen),
                 std::move(remedy));
}

bool emptyInput(const Graph& graph, const Node& node) {
  const std::optional<int64_t> size = has(node, 0) ? staticByteSize(graph.value(node.inputs[0]).type) : std::nullopt;
  return size == 0;
}

// Its result is written over the values of the Concat, which others read.
Found absolute(const Graph& graph, const Node& node) {
  if (Found bytes = byteArithmetic(graph, node)) return bytes;
  if (!has(node, 0)) return std::nullopt;
  const Value& value = graph.value(node.inputs[0]);
  const bool joined = value.producer.valid() && graph.node(value.producer).opType == "Concat" &&
                      !(value.type.shape && value.type.shape->rank() > 1);
  if (!joined || (value.uses.size() == 1 && value.outputCount == 0)) return std::nullopt;
  return differs(RefusalCause::kOperator, "Abs of a joined vector with several readers",
                 "OpenVINO's Abs writes its result over a Concat of one axis that others read, too",
                 "Max of the value and its Neg, or a second Concat");
}

// Its compiler ends the program when something is added to the result.
Found groupNormalization(const Graph& graph, const Node& node) {
  const ElementType type = elementOut(graph, node);
  if (hasVnni() || (type != ElementType::kFloat16 && type != ElementType::kBfloat16)) return std::nullopt;
  return differs(
      RefusalCause::kType, std::string(elementTypeName(type)),
      "OpenVINO's compiler ends the program at GroupNormalization in half precision that is added to something, "
      "on processors without VNNI",
      "GroupNormalization in float");
}

// The standard lays a slope of one axis along the last axis.
Found slopes(const Graph& graph, const Node& node) {
  if (!has(node, 0) || !has(node, 1)) return std::nullopt;
  const std::optional<Shape>&input = graph.value(node.inputs[0]).type.shape,
        &slope = graph.value(node.inputs[1]).type.shape;
  if ((slope && slope->rank() != 1) || (input && input->rank() <= 2)) return std::nullopt;
  const int64_t count = sizeOf(graph, node, 1, 0), channels = sizeOf(graph, node, 0, 1);
  if (count == 1 || (count >= 0 && channels >= 0 && count != channels)) return std::nullopt;
  return differs(
      RefusalCause::kShape, "a slope of one axis",
      "OpenVINO's PRelu takes a slope of one axis for one of each channel where it has, or may have, as many "
      "elements as there are channels",
      "a slope with as many axes as the input");
}

Found compress(const Graph&, const Node& node) {
  return differs(RefusalCause::kOperator, node.opType,
                 "OpenVINO's Compress ends the program when its input turns out to have no elements",
                 "NonZero and Gather");
}

Found gatherElements(const Graph& graph, const Node& node) {
  if (!has(node, 0) || !has(node, 1)) return std::nullopt;
  const std::optional<Shape>& shape = graph.value(node.inputs[0]).type.shape;
  const auto rank = shape ? static_cast<int64_t>(shape->rank()) : 0;
  const auto axis = node.attributeOr<int64_t>("axis", 0);
  for (int64_t each = 0; each < rank; ++each) {
    const int64_t data = sizeOf(graph, node, 0, each);
    if (each == axis || each == axis + rank || (data >= 0 && data == sizeOf(graph, node, 1, each))) continue;
    return differs(RefusalCause::kShape, fmt::format("axis {} of data and indices", each),
                   "OpenVINO's GatherElements refuses indices that are shorter than the data along another axis",
                   "equal, known sizes along every axis but 'axis'");
  }
  return std::nullopt;
}

Found dropout(const Graph&, const Node& node) {
  if (node.outputs.size() < 2 || !node.outputs[1].valid()) return std::nullopt;
  return differs(RefusalCause::kOperator, "output 'mask'", "OpenVINO's Dropout gives no mask",
                 "Dropout without its second output");
}

Found localResponse(const Graph& graph, const Node& node) {
  if (!has(node, 0) || hasKnownSize(graph, node)) return std::nullopt;
  return differs(RefusalCause::kShape, "open dimensions", "OpenVINO's LRN refuses some sizes when it runs",
                 "sizes for its dimensions (--dim)");
}

// What is known of the size here OpenVINO may forget on the way (behind a CenterCropPad).
Found split(const Graph& graph, const Node& node) {
  const auto parts = node.attributeOr<int64_t>("num_outputs", 0);
  const int64_t size = sizeOf(graph, node, 0, node.attributeOr<int64_t>("axis", 0));
  if (parts <= 0 || (size >= 0 && size % parts == 0)) return std::nullopt;
  return differs(RefusalCause::kShape,
                 size < 0 ? fmt::format("num_outputs = {} of an open size", parts)
                          : fmt::format("num_outputs = {} of a size of {}", parts, size),
                 "OpenVINO's Split refuses, when it runs, sizes that its outputs do not share evenly",
                 "a size for the axis (--dim), or the sizes as an input");
}

Found recurrent(const Graph& graph, const Node& node) {
  if (node.attributeOr<int64_t>("layout", 0) != 0)
    return unread(node, "layout = 1", "layout = 0 with a Transpose before and behind");
  if (node.attributeOr<int64_t>("input_forget", 0) != 0) return unread(node, "input_forget = 1", "input_forget = 0");
  if (node.opType == "LSTM" && has(node, 7)) return unread(node, "peepholes (input P)", "LSTM without peepholes");
  if (has(node, 4) && sizeOf(graph, node, 0, 0) < 0)
    return differs(RefusalCause::kShape, "sequence_lens with an open number of steps",
                   fmt::format("OpenVINO's {} goes on behind the end of short sequences when the number of steps is "
                               "known at the run only",
                               node.opType),
                   "a number of steps (--dim)");
  if (emptyInput(graph, node))
    return differs(RefusalCause::kShape, "inputs of size 0",
                   fmt::format("OpenVINO's {} loses the state when a step has no inputs", node.opType),
                   "at least one input");
  return std::nullopt;
}

Found layerNormalization(const Graph&, const Node& node) {
  if (node.attributeOr<int64_t>("stash_type", 1) == 1) return std::nullopt;
  return unread(node, "stash_type", "stash_type = 1 (float)");
}

Found meanVariance(const Graph&, const Node& node) {
  if (node.sinceVersion >= 9) return std::nullopt;
  return unread(node, "across_channels, normalize_variance", "MeanVarianceNormalization of opset 9");
}

Found erf(const Graph& graph, const Node& node) {
  if (isFloating(elementIn(graph, node, 0))) return std::nullopt;
  return differs(RefusalCause::kType, std::string(elementTypeName(elementIn(graph, node, 0))),
                 "OpenVINO's Erf rounds results of integers otherwise", "floating point elements");
}

// Before opset 13 everything from the axis on is one row.
Found rowsOfOldSoftmax(const Graph& graph, const Node& node) {
  if (node.sinceVersion >= 13 || !has(node, 0)) return std::nullopt;
  const std::optional<Shape>& shape = graph.value(node.inputs[0]).type.shape;
  const int64_t axis = node.attributeOr<int64_t>("axis", 1);
  const bool lastAxis = axis == -1 || (shape && axis == static_cast<int64_t>(shape->rank()) - 1);
  if (lastAxis) return std::nullopt;
  return differs(
      RefusalCause::kVersion, fmt::format("{} of opset {}, axis {}", node.opType, node.sinceVersion, axis),
      fmt::format("OpenVINO takes {} along one axis, where opsets before 13 take all axes behind it together",
                  node.opType),
      "the last axis, or opset 13");
}

Found noopReduction(const Graph&, const Node& node) {
  if (node.attributeOr<int64_t>("noop_with_empty_axes", 0) == 0) return std::nullopt;
  return differs(RefusalCause::kAttribute, "noop_with_empty_axes = 1",
                 fmt::format("OpenVINO's {} leaves out its elementwise part when there are no axes", node.opType),
                 "noop_with_empty_axes = 0");
}

Found logarithmicReduction(const Graph& graph, const Node& node) {
  const ElementType type = elementIn(graph, node, 0);
  if (isFloating(type)) return noopReduction(graph, node);
  return differs(RefusalCause::kType, std::string(elementTypeName(type)),
                 fmt::format("OpenVINO's {} rounds in between when its elements are integers", node.opType),
                 "floating point elements");
}

Found gridSample(const Graph&, const Node& node) {
  const auto mode = node.attributeOr<std::string>("mode", "linear");
  if (!mode.ends_with("cubic") || node.attributeOr<std::string>("padding_mode", "zeros") != "border")
    return std::nullopt;
  return differs(RefusalCause::kAttribute, "mode = cubic, padding_mode = border",
                 "OpenVINO's GridSample moves the sample and not its neighbours to the border",
                 "another mode or padding_mode");
}

Found slice(const Graph& graph, const Node& node) {
  if (!has(node, 4)) return std::nullopt;
  if (node.sinceVersion == 10) return unread(node, "steps in opset 10", "Slice of opset 11");
  if (graph.isConstant(node.inputs[4])) return std::nullopt;
  return differs(RefusalCause::kInput, "computed steps",
                 "OpenVINO's Slice gives another shape when the steps are known at the run only", "constant steps");
}

bool isUsed(const Graph& graph, const Node& node, size_t slot) {
  if (slot >= node.outputs.size() || !node.outputs[slot].valid()) return false;
  const Value& value = graph.value(node.outputs[slot]);
  return !value.uses.empty() || value.outputCount > 0;
}

// The attention of com.microsoft: only the plain form is taken.
Found packedAttention(const Graph& graph, const Node& node) {
  if (Found mixed = asManyHeadsAsSteps(node, node.attributeOr<int64_t>("num_heads", 0), sizeOf(graph, node, 0, 1)))
    return mixed;
  static constexpr std::array<std::string_view, 6> kInputs{"", "", "", "mask_index", "past", "attention_bias"};
  if (!has(node, 2))
    return differs(RefusalCause::kInput, "no bias", "OpenVINO's Attention needs a bias", "a bias of zeros");
  for (size_t slot = 3; slot < kInputs.size(); ++slot) {
    if (has(node, slot))
      return differs(RefusalCause::kInput, std::string(kInputs[slot]),
                     fmt::format("OpenVINO's Attention reads {} otherwise", kInputs[slot]), "attention without it");
  }
  if (node.attributeOr<int64_t>("unidirectional", 0) == 0) return std::nullopt;
  return unread(node, "unidirectional = 1", "a mask as part of the graph");
}

Found groupQueryAttention(const Graph&, const Node& node) {
  return differs(RefusalCause::kOperator, node.opType,
                 "OpenVINO's GroupQueryAttention leaves what stands behind the new keys of a longer buffer undefined",
                 "Attention of opset 23");
}

// Memory beyond the table is read when an index lies outside.
Found gatherBlocks(const Graph&, const Node& node) {
  return differs(RefusalCause::kOperator, node.opType, "OpenVINO's GatherBlockQuantized does not check its indices",
                 "Gather and DequantizeLinear");
}

Found skippedNormalization(const Graph& graph, const Node& node) {
  if (!isUsed(graph, node, 1) && !isUsed(graph, node, 2)) return std::nullopt;
  return differs(RefusalCause::kOperator, "mean or inverse deviation are used",
                 fmt::format("OpenVINO's {} gives them another meaning", node.opType),
                 "the normalised values and the sum alone");
}

Found multiHeadAttention(const Graph& graph, const Node& node) {
  if (Found mixed = asManyHeadsAsSteps(node, node.attributeOr<int64_t>("num_heads", 0), sizeOf(graph, node, 0, 1)))
    return mixed;
  if (isUsed(graph, node, 3))
    return differs(RefusalCause::kOperator, "qk is used",
                   "OpenVINO's MultiHeadAttention gives the products before the mask", "the attention's results alone");
  if (!has(node, 3)) return std::nullopt;
  return differs(RefusalCause::kInput, "bias", "OpenVINO's MultiHeadAttention adds the bias otherwise",
                 "Add before the attention");
}

Found rotaryEmbedding(const Graph&, const Node& node) {
  return differs(RefusalCause::kOperator, node.opType,
                 "OpenVINO's RotaryEmbedding reads one starting position as the position of every row",
                 "rotation in single operators");
}

Found fusedGemm(const Graph&, const Node& node) {
  const auto activation = node.attributeOr<std::string>("activation", "Relu");
  if (activation == "Relu") return std::nullopt;
  return differs(RefusalCause::kAttribute, "activation = " + activation,
                 "OpenVINO's FusedGemm does not look at the parameters of its activation",
                 "Gemm and the activation as two nodes");
}

Found reduceToExtreme(const Graph& graph, const Node& node) {
  const ElementType type = elementIn(graph, node, 0);
  if (!isFloating(type)) return std::nullopt;
  return differs(
      RefusalCause::kType, std::string(elementTypeName(type)),
      fmt::format(
          "OpenVINO's {} begins with the outermost finite number, so that rows of nothing but infinities lose them",
          node.opType),
      "integer elements");
}

// Of a constant input; -1: it is none, or computed.
int64_t integerIn(const Graph& graph, const Node& node, size_t slot) {
  const Tensor* constant = has(node, slot) ? constantOf(graph, node.inputs[slot]) : nullptr;
  return constant == nullptr ? -1 : operators::readInteger(*constant).value_or(-1);
}

// Seen: 510 MB for 8000, nothing for 8192.
Found factorTable(const Node& node, int64_t length) {
  constexpr double kMostBytes = 256 << 20, kFactorBytes = 8;
  if (length < 2 || std::has_single_bit(static_cast<uint64_t>(length))) return std::nullopt;
  const double bytes = static_cast<double>(length) * static_cast<double>(length) * kFactorBytes;
  if (bytes <= kMostBytes) return std::nullopt;
  return differs(RefusalCause::kMemory, fmt::format("length {}", length),
                 fmt::format("OpenVINO's {} holds length x length factors unless the length is a power of two: {:.0f} "
                             "MB here",
                             node.opType, bytes / (1 << 20)),
                 "a length that is a power of two");
}

Found transform(const Graph& graph, const Node& node) {
  const bool axisIsInput = node.sinceVersion >= 20;
  if (axisIsInput && has(node, 2) && !graph.isConstant(node.inputs[2]))
    return differs(RefusalCause::kInput, "computed axis",
                   "OpenVINO's DFT does not look at an axis that is known at the run only", "a constant axis");
  if (has(node, 1)) return factorTable(node, integerIn(graph, node, 1));
  const int64_t axis = !axisIsInput   ? node.attributeOr<int64_t>("axis", 1)
                       : has(node, 2) ? integerIn(graph, node, 2)
                                      : -2;
  return factorTable(node, sizeOf(graph, node, 0, axis));
}

Found shortTransform(const Graph& graph, const Node& node) {
  return factorTable(node, has(node, 3) ? integerIn(graph, node, 3) : sizeOf(graph, node, 2, 0));
}

Found tile(const Graph& graph, const Node& node) {
  if (!has(node, 1) || graph.isConstant(node.inputs[1])) return std::nullopt;
  return differs(RefusalCause::kInput, "computed repeats",
                 "OpenVINO's Tile gives wrong elements when the repeats are known at the run only", "constant repeats");
}

Found topK(const Graph& graph, const Node& node) {
  if (node.outputs.size() < 2 || !node.outputs[1].valid()) return std::nullopt;
  const Value& indices = graph.value(node.outputs[1]);
  if (indices.uses.empty() && indices.outputCount == 0) return std::nullopt;
  return differs(RefusalCause::kOperator, "indices are used",
                 "OpenVINO's TopK does not put the lower index first among equal values", "values alone");
}

Found roiAlign(const Graph&, const Node& node) {
  if (node.attributeOr<std::string>("mode", "avg") == "avg") return std::nullopt;
  return differs(
      RefusalCause::kAttribute, "mode = max",
      "OpenVINO's RoiAlign takes the largest of the interpolated values, the standard that of their weighted parts",
      "mode = avg");
}

Found shrink(const Graph& graph, const Node& node) {
  const ElementType type = elementOut(graph, node);
  if (isFloating(type)) return std::nullopt;
  return differs(RefusalCause::kType, std::string(elementTypeName(type)),
                 "OpenVINO's Shrink of integers rounds 'lambd' and 'bias' before it compares and adds", "floats");
}

Found transposedConvolution(const Graph& graph, const Node& node) {
  if (Found bytes = bytesAgainstBytes(graph, node)) return bytes;
  if (!node.attributeOr<std::string>("auto_pad", "NOTSET").starts_with("SAME") || !has(node, 0)) return std::nullopt;
  const std::optional<Shape>& shape = graph.value(node.inputs[0]).type.shape;
  if (shape && shape->rank() > 2 && std::ranges::all_of(shape->dims().subspan(2), &Dim::isKnown)) return std::nullopt;
  return differs(RefusalCause::kShape, "auto_pad = SAME with open sizes",
                 "OpenVINO's ConvTranspose leaves out the padding of sizes that are known at the run only",
                 "sizes that are known before");
}

Found normalizer(const Graph&, const Node& node) {
  if (node.attributeOr<std::string>("norm", "MAX") != "MAX") return std::nullopt;
  return differs(RefusalCause::kAttribute, "norm = MAX",
                 "OpenVINO's Normalizer divides by the largest absolute value, onnxruntime's by the largest value",
                 "norm L1 or L2");
}

Found spaceToDepth(const Graph&, const Node& node) {
  const auto mode = node.attributeOr<std::string>("mode", "DCR");
  if (mode == "DCR") return std::nullopt;
  return differs(RefusalCause::kAttribute, "mode = " + mode,
                 "OpenVINO's SpaceToDepth does not look at attribute 'mode'", "mode DCR");
}

// Two elements a byte: OpenVINO moves them in another order.
Found packedFloats(const Graph& graph, const Node& node) {
  const ElementType type = elementOut(graph, node);
  if (!isFloating(type) || bitsOf(type) >= 8) return std::nullopt;
  return differs(RefusalCause::kType, std::string(elementTypeName(type)),
                 fmt::format("OpenVINO moves elements of {} otherwise", elementTypeName(type)),
                 "elements of 8 bits or more");
}

struct Row {
  std::string_view opType;
  Look look;
};
constexpr std::array<Row, 54> kStandardRows{{
    {"Abs", absolute},
    {"Add", byteArithmetic},
    {"Attention", attention},
    {"AveragePool", averagePool},
    {"BitShift", bitShift},
    {"Cast", narrowResult},
    {"CastLike", narrowResult},
    {"Compress", compress},
    {"Conv", bytesAgainstBytes},
    {"ConvTranspose", transposedConvolution},
    {"DFT", transform},
    {"Div", byteArithmetic},
    {"Dropout", dropout},
    {"DynamicQuantizeLinear", dynamicQuantize},
    {"Erf", erf},
    {"GRU", recurrent},
    {"GatherElements", gatherElements},
    {"Gemm", bytesAgainstBytes},
    {"GridSample", gridSample},
    {"GroupNormalization", groupNormalization},
    {"Hardmax", rowsOfOldSoftmax},
    {"LRN", localResponse},
    {"LSTM", recurrent},
    {"LayerNormalization", layerNormalization},
    {"LogSoftmax", rowsOfOldSoftmax},
    {"LpPool", normPool},
    {"MatMul", bytesAgainstBytes},
    {"MaxPool", maxPool},
    {"MeanVarianceNormalization", meanVariance},
    {"Mul", byteArithmetic},
    {"Neg", byteArithmetic},
    {"PRelu", slopes},
    {"QuantizeLinear", quantize},
    {"RNN", recurrent},
    {"ReduceL1", noopReduction},
    {"ReduceL2", noopReduction},
    {"ReduceLogSum", logarithmicReduction},
    {"ReduceLogSumExp", logarithmicReduction},
    {"ReduceMax", reduceToExtreme},
    {"ReduceMin", reduceToExtreme},
    {"ReduceSumSquare", noopReduction},
    {"Resize", resize},
    {"RoiAlign", roiAlign},
    {"STFT", shortTransform},
    {"Shrink", shrink},
    {"Slice", slice},
    {"Softmax", rowsOfOldSoftmax},
    {"SpaceToDepth", spaceToDepth},
    {"Split", split},
    {"Sub", byteArithmetic},
    {"Tile", tile},
    {"TopK", topK},
    {"Transpose", transpose},
    {"Upsample", resize},
}};
constexpr std::array<Row, 8> kMicrosoftRows{{
    {"Attention", packedAttention},
    {"FusedGemm", fusedGemm},
    {"GatherBlockQuantized", gatherBlocks},
    {"GroupQueryAttention", groupQueryAttention},
    {"MultiHeadAttention", multiHeadAttention},
    {"QuantizeLinear", oneStepOff},
    {"RotaryEmbedding", rotaryEmbedding},
    {"SkipSimplifiedLayerNormalization", skippedNormalization},
}};

Found lookUp(std::span<const Row> rows, const Graph& graph, const Node& node) {
  const auto row = std::find_if(rows.begin(), rows.end(), [&](const Row& each) { return node.opType == each.opType; });
  return row == rows.end() ? std::nullopt : row->look(graph, node);
}

}  // namespace

std::optional<Answer> knownDifference(const Graph& graph, const Node& node) {
  if (Found packed = packedFloats(graph, node)) return packed;
  if (node.domain.empty()) {
    Found found = lookUp(kStandardRows, graph, node);
    if (!found) found = largeIntegers(graph, node);
    return found ? found : narrowedIntegers(graph, node);
  }
  if (node.domain == "ai.onnx.ml") return node.opType == "Normalizer" ? normalizer(graph, node) : std::nullopt;
  if (node.domain != "com.microsoft") return std::nullopt;
  if (node.opType.starts_with("QLinear") || node.opType.starts_with("DynamicQuantize")) return oneStepOff(graph, node);
  return lookUp(kMicrosoftRows, graph, node);
}

}  // namespace cutaway::openvino
