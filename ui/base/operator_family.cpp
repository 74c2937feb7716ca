#include "ui/base/operator_family.h"

#include <array>
#include <string_view>
#include <unordered_map>

#include <QCoreApplication>

namespace cutaway::ui {
namespace {

struct Family {
  const char* name;
  char letter;
  const char* operators;  // separated by spaces
};

constexpr std::array<Family, kOperatorFamilyCount> kFamilies = {{
    {QT_TRANSLATE_NOOP("OperatorFamily", "Convolution & products"), 'P',
     "Conv ConvTranspose ConvInteger QLinearConv DeformConv Gemm MatMul MatMulInteger QLinearMatMul Einsum LSTM GRU "
     "RNN Attention FusedConv FusedGemm FusedMatMul FusedProduct MatMulNBits "
     "MultiHeadAttention GroupQueryAttention"},
    {QT_TRANSLATE_NOOP("OperatorFamily", "Activation"), 'A',
     "Relu LeakyRelu PRelu Elu Selu Celu Sigmoid HardSigmoid HardSwish Tanh Softmax LogSoftmax Hardmax Softplus "
     "Softsign Gelu Mish ThresholdedRelu Swish Clip Erf Shrink BiasGelu FastGelu "
     "QuickGelu"},
    {QT_TRANSLATE_NOOP("OperatorFamily", "Normalisation & pooling"), 'N',
     "BatchNormalization InstanceNormalization LayerNormalization GroupNormalization RMSNormalization LpNormalization "
     "MeanVarianceNormalization LRN Dropout MaxPool AveragePool "
     "GlobalAveragePool GlobalMaxPool LpPool GlobalLpPool MaxUnpool MaxRoiPool RoiAlign Resize Upsample GridSample "
     "SimplifiedLayerNormalization SkipLayerNormalization SkipSimplifiedLayerNormalization EmbedLayerNormalization"},
    {QT_TRANSLATE_NOOP("OperatorFamily", "Arithmetic"), 'E',
     "Add Sub Mul Div Pow Sqrt Exp Log Abs Neg Sign Floor Ceil Round Reciprocal Min Max Mean Sum Mod Sin Cos Tan Asin "
     "Acos Atan Sinh Cosh And Or Not Xor Equal Greater Less "
     "GreaterOrEqual LessOrEqual Where IsNaN IsInf BitShift ReduceSum ReduceMean ReduceMax ReduceMin ReduceProd "
     "ReduceL1 ReduceL2 ReduceLogSum ReduceLogSumExp ReduceSumSquare ArgMax "
     "ArgMin CumSum TopK BitwiseAnd BitwiseOr BitwiseXor BitwiseNot Chain"},
    {QT_TRANSLATE_NOOP("OperatorFamily", "Shape & movement"), 'S',
     "Reshape Transpose Concat Slice Split Gather GatherElements GatherND Scatter ScatterElements ScatterND Squeeze "
     "Unsqueeze Flatten Expand Tile Pad Shape Size Identity DepthToSpace "
     "SpaceToDepth Constant ConstantOfShape Range OneHot NonZero Compress Unique ReverseSequence EyeLike Trilu "
     "CenterCropPad Col2Im"},
    {QT_TRANSLATE_NOOP("OperatorFamily", "Control flow & functions"), 'F',
     "If Loop Scan SequenceMap SequenceAt SequenceConstruct SequenceInsert SequenceErase SequenceEmpty SequenceLength "
     "ConcatFromSequence SplitToSequence Optional OptionalGetElement OptionalHasElement"},
    {QT_TRANSLATE_NOOP("OperatorFamily", "Types & quantisation"), 'Q',
     "Cast CastLike QuantizeLinear DequantizeLinear DynamicQuantizeLinear BitCast"},
}};

const std::unordered_map<std::string_view, int>& familyTable() {
  static const auto table = [] {
    std::unordered_map<std::string_view, int> families;
    for (int family = 0; family < kOperatorFamilyCount; ++family) {
      std::string_view rest = kFamilies[family].operators;
      while (!rest.empty()) {
        const size_t space = rest.find(' ');
        families.emplace(rest.substr(0, space), family);
        rest = space == std::string_view::npos ? std::string_view() : rest.substr(space + 1);
      }
    }
    return families;
  }();
  return table;
}

}  // namespace

int operatorFamily(const NodeReport& node) {
  if (!node.bodies.empty() || node.function >= 0) return 5;
  const auto found = familyTable().find(node.opType);
  return found == familyTable().end() ? -1 : found->second;
}

QString operatorFamilyName(int family) {
  return QCoreApplication::translate("OperatorFamily", kFamilies[family].name);
}
QChar operatorFamilyLetter(int family) {
  return QLatin1Char(kFamilies[family].letter);
}

}  // namespace cutaway::ui
