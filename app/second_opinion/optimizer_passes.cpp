#include "app/second_opinion/optimizer_passes.h"

#include <algorithm>
#include <string_view>

namespace cutaway {

namespace {

struct Row {
  std::string_view name;
  std::string_view takes;
  std::string_view writes;
};

// The rule-based ones hold many small rules under one name: no-ops, Conv with what follows it, Pad into Conv ...
constexpr Row kRows[] = {
    {"Level1_RuleBasedTransformer",
     "Identity Slice Unsqueeze Dropout Expand Cast Add Sub Mul Div Concat Relu Clip Sum Transpose Not "
     "BatchNormalization "
     "Pad Reshape LabelEncoder",
     "Conv ConvTranspose Gemm Where Clip AveragePool MaxPool Mul Div LabelEncoder"},
    {"Level2_RuleBasedTransformer", "Clip Relu", ""},
    {"ConstantFolding", "* If", ""},
    {"ConstantFoldingDQ", "*", ""},
    {"CommonSubexpressionElimination", "*", ""},
    {"IdenticalChildrenConsolidation", "*", ""},
    {"ReshapeFusion", "Shape Gather Slice Squeeze Unsqueeze Concat Div Mul Cast Constant Reshape", "Reshape"},
    {"ConcatSliceElimination", "Concat Slice", ""},
    {"GatherSliceToSplitFusion", "Gather Slice", "Split Squeeze"},
    {"GatherToSliceFusion", "Gather Range Unsqueeze", "Slice"},
    {"SliceConcatToSpaceToDepthFusion", "Slice Concat", "SpaceToDepth"},
    {"TransposeOptimizer", "Transpose Squeeze Unsqueeze Reshape Gather",
     "Transpose Gather Squeeze Unsqueeze Reshape Concat Split Softmax LogSoftmax ReduceMean ReduceSum ReduceMax "
     "ReduceMin ReduceProd ReduceL1 ReduceL2 ReduceLogSum ReduceLogSumExp ReduceSumSquare ArgMax ArgMin Slice Pad Tile "
     "Resize QuantizeLinear DequantizeLinear Shape Add Sub Mul Div Pow Max Min Mean Sum Where PRelu And Or Xor Equal "
     "Less Greater LessOrEqual GreaterOrEqual Clip"},
    {"MatMulAddFusion", "MatMul Add", "Gemm Reshape"},
    {"MatmulTransposeFusion", "Transpose MatMul FusedMatMul Cast", "FusedMatMul Cast"},
    {"MatMulScaleFusion", "Mul Div MatMul FusedMatMul", "FusedMatMul"},
    {"MatMulActivationFusion", "MatMul FusedMatMul Relu Tanh Sigmoid LeakyRelu", "FusedMatMulActivation"},
    {"GemmActivationFusion", "Gemm Relu Sigmoid Tanh LeakyRelu Softplus Softsign Elu", "FusedGemm"},
    {"ConvActivationFusion", "Conv Relu Sigmoid Tanh LeakyRelu Clip HardSigmoid", "FusedConv"},
    {"ConvAddActivationFusion", "Conv FusedConv Add Relu Sigmoid Tanh LeakyRelu Clip HardSigmoid", "FusedConv"},
    {"GeluFusionL1", "Div Erf Add Mul", "Gelu"},
    {"GeluFusionL2", "Div Erf Add Mul", "Gelu"},
    {"FastGeluFusion", "Mul Add Tanh Pow Cast", "FastGelu"},
    {"QuickGeluFusion", "Mul Sigmoid", "QuickGelu"},
    {"BiasGeluFusion", "Add Gelu", "BiasGelu FastGelu"},
    {"LayerNormFusionL1", "ReduceMean Sub Pow Add Sqrt Div Mul Cast", "LayerNormalization Cast"},
    {"LayerNormFusionL2", "ReduceMean Sub Pow Add Sqrt Div Mul Cast", "LayerNormalization Cast"},
    {"SimplifiedLayerNormFusion", "Pow ReduceMean Add Sqrt Div Mul Cast", "SimplifiedLayerNormalization Cast"},
    {"SkipLayerNormFusion", "Add LayerNormalization SimplifiedLayerNormalization Cast",
     "SkipLayerNormalization SkipSimplifiedLayerNormalization Cast"},
    {"BiasSkipLayerNormFusion", "Add SkipLayerNormalization", "SkipLayerNormalization"},
    {"EmbedLayerNormFusion",
     "Gather Add LayerNormalization SkipLayerNormalization ReduceSum Cast Shape Expand Unsqueeze Concat Range Equal "
     "Where "
     "ConstantOfShape Mul NonZero Transpose Squeeze",
     "EmbedLayerNormalization Cast"},
    {"AttentionFusion",
     "MatMul Gemm Add Reshape Transpose Div Mul Softmax Cast Sub Unsqueeze Shape Gather Concat Slice Squeeze Where "
     "Split "
     "ConstantOfShape Equal Expand",
     "Attention Cast MultiHeadAttention"},
    {"GroupQueryAttentionFusion", "*", "GroupQueryAttention MatMulNBits MatMul"},
    {"BiasSoftmaxFusion", "Add Softmax", "BiasSoftmax"},
    {"BiasDropoutFusion", "Add Dropout", "BiasDropout"},
    {"DynamicQuantizeMatMulFusion", "DynamicQuantizeLinear MatMulInteger MatMulIntegerToFloat Mul Cast Add",
     "DynamicQuantizeMatMul"},
    {"MatMulIntegerToFloatFusion", "MatMulInteger Cast Mul Add", "MatMulIntegerToFloat"},
    {"MatMulNBitsFusion", "MatMulNBits Add", "MatMulNBits"},
    {"DQMatMulNBitsFusion", "DequantizeLinear MatMul Transpose Reshape Cast", "MatMulNBits"},
    {"EnsureUniqueDQForNodeUnit", "", "DequantizeLinear"},
    {"WeightBiasQuantization", "", "QuantizeLinear DequantizeLinear"},
    {"QDQPropagationTransformer", "QuantizeLinear DequantizeLinear", "QuantizeLinear DequantizeLinear"},
    {"QDQFinalCleanupTransformer", "QuantizeLinear DequantizeLinear", ""},
    {"DoubleQDQPairsRemover", "QuantizeLinear DequantizeLinear", "QuantizeLinear DequantizeLinear"},
    {"QDQS8ToU8Transformer", "QuantizeLinear DequantizeLinear", "QuantizeLinear DequantizeLinear"},
    {"Avx2WeightS8ToU8Transformer", "",
     "QLinearConv ConvInteger MatMulInteger QGemm QLinearMatMul MatMulIntegerToFloat DynamicQuantizeMatMul "
     "DynamicQuantizeLSTM QAttention"},
    {"QDQSelectorActionTransformer",
     "QuantizeLinear DequantizeLinear Conv MatMul Gemm Add Mul Sigmoid LeakyRelu Softmax GlobalAveragePool AveragePool "
     "Concat Where Reshape Transpose Squeeze Unsqueeze MaxPool Resize Gather Slice Split ArgMax Relu Clip",
     "QLinearConv QLinearMatMul MatMulIntegerToFloat QGemm QLinearAdd QLinearMul QLinearSigmoid QLinearLeakyRelu "
     "QLinearSoftmax QLinearGlobalAveragePool QLinearAveragePool QLinearConcat QLinearWhere MatMulNBits Split"},
    {"InsertCastTransformer", "Cast half", "Cast half"},
    {"CastFloat16Transformer", "Cast half", "Cast half"},
    {"RemoveDuplicateCastTransformer", "Cast", "Cast"},
    {"PropagateCastOps", "Cast", "Cast"},
    {"NhwcTransformer", "Transpose QLinearConv QLinearAveragePool Conv MaxPool",
     "Transpose QLinearConv QLinearAveragePool NhwcMaxPool NhwcFusedConv"},
};

std::vector<std::string> words(std::string_view text) {
  std::vector<std::string> all;
  while (!text.empty()) {
    const size_t end = std::min(text.find(' '), text.size());
    if (end > 0) all.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return all;
}

}  // namespace

study::OtherPass optimizerPass(const std::string& name) {
  for (const Row& row : kRows)
    if (row.name == name) return {.name = name, .takes = words(row.takes), .writes = words(row.writes)};
  return {.name = name, .takes = {}, .writes = {}};
}

}  // namespace cutaway
