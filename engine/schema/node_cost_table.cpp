// How many operations each operator takes for an element, and which formula where that is not enough.
//
// Weights: 1 for add, multiply, compare, round and logic; 4 for division and roots; 8 for exponential, logarithm, trigonometry, tanh and erf; 16 for powers; composed operators are the
// sum of their parts. Moving data and reinterpreting it costs 0.

#include <unordered_map>

#include "engine/schema/node_cost_rules.h"

namespace cutaway {
namespace {

using namespace cost;

constexpr int kGelu = 4 + kTranscendental;      // halve, scale, add one, multiply, erf
constexpr int kFastGelu = 7 + kTranscendental;  // the cubic inside tanh
constexpr int kQuantize = 3, kDequantize = 2;   // scale, round, offset; offset, scale
constexpr int kRequantize = kDequantize + kQuantize;

constexpr CostRow kProducts[] = {
    {.opType = "MatMul", .rule = matMul}, {.opType = "FusedMatMul", .rule = fusedMatMul}, {.opType = "TransposeMatMul", .rule = fusedMatMul}, {.opType = "MatMulInteger", .rule = matMul},
    {.opType = "MatMulInteger16", .rule = matMul}, {.opType = "QLinearMatMul", .rule = matMul}, {.opType = "MatMulIntegerToFloat", .rule = matMul}, {.opType = "DynamicQuantizeMatMul", .rule = matMul},
    {.opType = "MatMulNBits", .rule = matMulBits}, {.opType = "MatMulBnb4", .rule = matMul}, {.opType = "MatMulFpQ4", .rule = matMul}, {.opType = "Gemm", .rule = gemm},
    {.opType = "FusedGemm", .rule = gemm}, {.opType = "QGemm", .rule = quantizedGemm}, {.opType = "GemmFastGelu", .rule = gemmFastGelu}, {.opType = "Einsum", .rule = einsum},
    {.opType = "Conv", .rule = convolution}, {.opType = "FusedConv", .rule = convolution}, {.opType = "NhwcConv", .rule = convolution}, {.opType = "NhwcFusedConv", .rule = convolution},
    {.opType = "DeformConv", .rule = convolution}, {.opType = "CausalConvWithState", .rule = convolution}, {.opType = "QLinearConv", .rule = quantizedConvolution},
    {.opType = "ConvInteger", .rule = integerConvolution}, {.opType = "ConvTranspose", .rule = transposedConvolution}, {.opType = "ConvTransposeWithDynamicPads", .rule = transposedConvolution},
    {.opType = "RNN", .rule = recurrent}, {.opType = "GRU", .rule = gatedRecurrent}, {.opType = "LSTM", .rule = longShortTerm}, {.opType = "DynamicQuantizeLSTM", .rule = longShortTerm},
    {.opType = "Attention", .rule = attention}, {.opType = "com.microsoft:Attention", .rule = projectedAttention}, {.opType = "QAttention", .rule = quantizedAttention},
    {.opType = "MultiHeadAttention", .rule = multiHeadAttention}, {.opType = "DecoderMaskedMultiHeadAttention", .rule = decoderAttention}, {.opType = "GroupQueryAttention", .rule = groupQueryAttention},
    {.opType = "MoE", .rule = experts}, {.opType = "Det", .rule = determinant}, {.opType = "Inverse", .rule = determinant}, {.opType = "DFT", .rule = fourier}, {.opType = "STFT", .rule = shortTimeFourier},
    {.opType = "ai.onnx.ml:LinearRegressor", .rule = linearModel}, {.opType = "ai.onnx.ml:LinearClassifier", .rule = linearModel},
};

constexpr CostRow kWindowsAndSums[] = {
    {.opType = "MaxPool", .rule = pooling}, {.opType = "AveragePool", .rule = pooling}, {.opType = "LpPool", .rule = pooling}, {.opType = "NhwcMaxPool", .rule = pooling},
    {.opType = "QLinearAveragePool", .rule = pooling}, {.opType = "GlobalMaxPool", .perInput = 1}, {.opType = "GlobalAveragePool", .perInput = 1}, {.opType = "GlobalLpPool", .perInput = 2},
    {.opType = "QLinearGlobalAveragePool", .perInput = 1}, {.opType = "ReduceSum", .perInput = 1}, {.opType = "ReduceMean", .perInput = 1}, {.opType = "ReduceMax", .perInput = 1},
    {.opType = "ReduceMin", .perInput = 1}, {.opType = "ReduceProd", .perInput = 1}, {.opType = "ReduceL1", .perInput = 2}, {.opType = "ReduceL2", .perInput = 2},
    {.opType = "ReduceSumSquare", .perInput = 2}, {.opType = "ReduceLogSum", .perInput = 1}, {.opType = "ReduceLogSumExp", .perInput = 3 + kTranscendental}, {.opType = "QLinearReduceMean", .perInput = 1},
    {.opType = "ArgMax", .perInput = 1}, {.opType = "ArgMin", .perInput = 1}, {.opType = "CumSum", .perInput = 1}, {.opType = "CumProd", .perInput = 1}, {.opType = "TopK", .rule = topK},
    {.opType = "NonZero", .perInput = 1}, {.opType = "BatchNormalization", .perOutput = 2}, {.opType = "InstanceNormalization", .perOutput = 8}, {.opType = "LayerNormalization", .perOutput = 8},
    {.opType = "GroupNormalization", .perOutput = 8}, {.opType = "GroupNorm", .perOutput = 8}, {.opType = "SkipGroupNorm", .perOutput = 9}, {.opType = "MeanVarianceNormalization", .perOutput = 6},
    {.opType = "RMSNormalization", .perOutput = 4}, {.opType = "SimplifiedLayerNormalization", .perOutput = 4}, {.opType = "SkipLayerNormalization", .rule = skipNormalization},
    {.opType = "SkipSimplifiedLayerNormalization", .rule = skipNormalization}, {.opType = "EmbedLayerNormalization", .perOutput = 10}, {.opType = "LpNormalization", .perOutput = 3},
    {.opType = "LRN", .rule = localResponse}, {.opType = "Softmax", .perOutput = kSoftmax}, {.opType = "LogSoftmax", .perOutput = kSoftmax}, {.opType = "BiasSoftmax", .perOutput = kSoftmax + 1},
    {.opType = "Hardmax", .perOutput = 1}, {.opType = "QLinearSoftmax", .perOutput = kRequantize + kSoftmax}, {.opType = "ai.onnx.ml:Scaler", .perOutput = 2}, {.opType = "ai.onnx.ml:Normalizer", .perOutput = 3},
};

constexpr CostRow kElementwise[] = {
    {.opType = "Add", .perOutput = 1}, {.opType = "Sub", .perOutput = 1}, {.opType = "Mul", .perOutput = 1}, {.opType = "Div", .perOutput = kDivide}, {.opType = "Mod", .perOutput = kDivide},
    {.opType = "Pow", .perOutput = kPower}, {.opType = "And", .perOutput = 1}, {.opType = "Or", .perOutput = 1}, {.opType = "Xor", .perOutput = 1}, {.opType = "Not", .perOutput = 1},
    {.opType = "BitwiseAnd", .perOutput = 1}, {.opType = "BitwiseOr", .perOutput = 1}, {.opType = "BitwiseXor", .perOutput = 1}, {.opType = "BitwiseNot", .perOutput = 1}, {.opType = "BitShift", .perOutput = 1},
    {.opType = "Equal", .perOutput = 1}, {.opType = "Greater", .perOutput = 1}, {.opType = "GreaterOrEqual", .perOutput = 1}, {.opType = "Less", .perOutput = 1}, {.opType = "LessOrEqual", .perOutput = 1},
    {.opType = "Where", .perOutput = 1}, {.opType = "Sum", .rule = variadic}, {.opType = "Max", .rule = variadic}, {.opType = "Min", .rule = variadic}, {.opType = "Mean", .rule = variadic},
    {.opType = "Abs", .perOutput = 1}, {.opType = "Neg", .perOutput = 1}, {.opType = "Sign", .perOutput = 1}, {.opType = "Ceil", .perOutput = 1}, {.opType = "Floor", .perOutput = 1},
    {.opType = "Round", .perOutput = 1}, {.opType = "IsNaN", .perOutput = 1}, {.opType = "IsInf", .perOutput = 1}, {.opType = "Reciprocal", .perOutput = kDivide}, {.opType = "Sqrt", .perOutput = kDivide},
    {.opType = "Exp", .perOutput = kTranscendental}, {.opType = "Log", .perOutput = kTranscendental}, {.opType = "Erf", .perOutput = kTranscendental}, {.opType = "Sin", .perOutput = kTranscendental},
    {.opType = "Cos", .perOutput = kTranscendental}, {.opType = "Tan", .perOutput = kTranscendental}, {.opType = "Asin", .perOutput = kTranscendental}, {.opType = "Acos", .perOutput = kTranscendental},
    {.opType = "Atan", .perOutput = kTranscendental}, {.opType = "Sinh", .perOutput = kTranscendental}, {.opType = "Cosh", .perOutput = kTranscendental}, {.opType = "Tanh", .perOutput = kTranscendental},
    {.opType = "Asinh", .perOutput = kTranscendental}, {.opType = "Acosh", .perOutput = kTranscendental}, {.opType = "Atanh", .perOutput = kTranscendental}, {.opType = "ScaledTanh", .perOutput = 2 + kTranscendental},
    {.opType = "Relu", .perOutput = 1}, {.opType = "ThresholdedRelu", .perOutput = 1}, {.opType = "LeakyRelu", .perOutput = 2}, {.opType = "PRelu", .perOutput = 2}, {.opType = "Clip", .perOutput = 2},
    {.opType = "Shrink", .perOutput = 2}, {.opType = "Elu", .perOutput = 2 + kTranscendental}, {.opType = "Selu", .perOutput = 3 + kTranscendental}, {.opType = "Celu", .perOutput = 3 + kTranscendental},
    {.opType = "Sigmoid", .perOutput = kSigmoid}, {.opType = "HardSigmoid", .perOutput = 4}, {.opType = "HardSwish", .perOutput = 5}, {.opType = "Swish", .perOutput = 2 + kSigmoid},
    {.opType = "QuickGelu", .perOutput = 2 + kSigmoid}, {.opType = "SwiGLU", .perOutput = 2 + kSigmoid}, {.opType = "Softplus", .perOutput = 1 + 2 * kTranscendental},
    {.opType = "ParametricSoftplus", .perOutput = 3 + 2 * kTranscendental}, {.opType = "Mish", .perOutput = 2 + 3 * kTranscendental}, {.opType = "Softsign", .perOutput = 2 + kDivide},
    {.opType = "Gelu", .perOutput = kGelu}, {.opType = "BiasGelu", .perOutput = 1 + kGelu}, {.opType = "FastGelu", .perOutput = kFastGelu}, {.opType = "BiasSplitGelu", .perOutput = 2 + kGelu},
    {.opType = "BiasAdd", .perOutput = 2}, {.opType = "GatedAdd", .perOutput = 2}, {.opType = "Affine", .perOutput = 2}, {.opType = "ImageScaler", .perOutput = 2}, {.opType = "Scale", .perOutput = 1},
    {.opType = "RotaryEmbedding", .perOutput = 3}, {.opType = "Cast", .perOutput = 1}, {.opType = "CastLike", .perOutput = 1}, {.opType = "QuantizeLinear", .perOutput = kQuantize},
    {.opType = "DequantizeLinear", .perOutput = kDequantize}, {.opType = "DynamicQuantizeLinear", .perOutput = 2 + kQuantize}, {.opType = "QLinearAdd", .perOutput = kDequantize + kRequantize + 1},
    {.opType = "QLinearMul", .perOutput = kDequantize + kRequantize + 1}, {.opType = "QLinearSigmoid", .perOutput = kRequantize + kSigmoid}, {.opType = "QLinearLeakyRelu", .perOutput = kRequantize + 2},
    {.opType = "QLinearWhere", .perOutput = kRequantize}, {.opType = "QLinearConcat", .perOutput = kRequantize}, {.opType = "Resize", .rule = resize}, {.opType = "Upsample", .rule = resize},
    {.opType = "GridSample", .rule = gridSample}, {.opType = "AffineGrid", .rule = affineGrid},
};

constexpr CostRow kMovement[] = {
    {.opType = "Identity", .traffic = Traffic::kView}, {.opType = "Reshape", .traffic = Traffic::kView}, {.opType = "Flatten", .traffic = Traffic::kView}, {.opType = "Squeeze", .traffic = Traffic::kView},
    {.opType = "Unsqueeze", .traffic = Traffic::kView}, {.opType = "Dropout", .traffic = Traffic::kView}, {.opType = "BitCast", .traffic = Traffic::kView}, {.opType = "ExpandDims", .traffic = Traffic::kView},
    {.opType = "Optional", .traffic = Traffic::kView}, {.opType = "OptionalGetElement", .traffic = Traffic::kView}, {.opType = "OptionalHasElement", .traffic = Traffic::kShapeOnly},
    {.opType = "Shape", .traffic = Traffic::kShapeOnly}, {.opType = "Size", .traffic = Traffic::kShapeOnly}, {.opType = "EyeLike", .traffic = Traffic::kShapeOnly},
    {.opType = "Slice", .traffic = Traffic::kPicks}, {.opType = "DynamicSlice", .traffic = Traffic::kPicks}, {.opType = "Gather", .traffic = Traffic::kPicks}, {.opType = "GatherElements", .traffic = Traffic::kPicks},
    {.opType = "GatherND", .traffic = Traffic::kPicks}, {.opType = "GatherBlockQuantized", .perOutput = kDequantize, .traffic = Traffic::kPicks}, {.opType = "Crop", .traffic = Traffic::kPicks},
    {.opType = "Constant"}, {.opType = "ConstantOfShape"}, {.opType = "Range"}, {.opType = "Transpose"}, {.opType = "Concat"}, {.opType = "Split"}, {.opType = "Expand"}, {.opType = "Tile"}, {.opType = "Pad"},
    {.opType = "DepthToSpace"}, {.opType = "SpaceToDepth"}, {.opType = "Scatter"}, {.opType = "ScatterElements"}, {.opType = "ScatterND"}, {.opType = "TensorScatter"}, {.opType = "OneHot"}, {.opType = "Trilu"},
    {.opType = "Compress"}, {.opType = "ReverseSequence"}, {.opType = "CenterCropPad"}, {.opType = "Col2Im", .perInput = 1}, {.opType = "MaxUnpool"}, {.opType = "UnfoldTensor"}, {.opType = "SequenceConstruct"},
    {.opType = "SequenceEmpty"}, {.opType = "SequenceAt"}, {.opType = "SequenceInsert"}, {.opType = "SequenceErase"}, {.opType = "SequenceLength"}, {.opType = "SplitToSequence"},
    {.opType = "ConcatFromSequence"}, {.opType = "If"}, {.opType = "Loop"}, {.opType = "Scan"}, {.opType = "SequenceMap"}, {.opType = "ai.onnx.ml:ArrayFeatureExtractor", .traffic = Traffic::kPicks},
    {.opType = "ai.onnx.ml:FeatureVectorizer"}, {.opType = "ai.onnx.ml:ZipMap"},
};

// "domain:op" for domains with operators of their own; those that repeat ai.onnx's under another name share its rows.
std::string keyOf(const Node& node) {
  const bool plain = node.domain.empty() || node.domain == "ai.onnx" || node.domain == "com.microsoft" || node.domain == "com.ms.internal.nhwc" || node.domain == "cutaway";
  return plain ? node.opType : node.domain + ":" + node.opType;
}

}  // namespace

const CostRow* findCostRow(const Node& node) {
  static const auto rows = [] {
    std::unordered_map<std::string_view, const CostRow*> byName;
    for (const CostRow& row : kProducts) byName.emplace(row.opType, &row);
    for (const CostRow& row : kWindowsAndSums) byName.emplace(row.opType, &row);
    for (const CostRow& row : kElementwise) byName.emplace(row.opType, &row);
    for (const CostRow& row : kMovement) byName.emplace(row.opType, &row);
    return byName;
  }();
  if (node.domain == "com.microsoft" && node.opType == "Attention") return rows.at("com.microsoft:Attention");
  const auto found = rows.find(keyOf(node));
  return found == rows.end() ? nullptr : found->second;
}

}  // namespace cutaway
