#include "engine/study/learn/probe_table.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>

namespace cutaway::study {

namespace {

constexpr size_t kMostRank = 6;
// Of a tensor of rank r: the last r.
constexpr std::array<int64_t, kMostRank> kSizes{1, 1, 2, 2, 3, 4};

// Operators ! first operator set ! last one, 0: none ! forms ! variations.
constexpr std::string_view kTable = R"(
AveragePool ! 7 ! 0 ! 1,2,8 @kernel_shape=[2]|1,2,8,8 @kernel_shape=[2,2]|1,2,8,8,8 @kernel_shape=[2,2,2] ! auto_pad=SAME_UPPER/SAME_LOWER/VALID ceil_mode=1 count_include_pad=1 dilations=[2,2] strides=[2,2]
MaxPool ! 1 ! 0 ! 1,2,8 @kernel_shape=[2]|1,2,8,8 @kernel_shape=[2,2]|1,2,8,8,8 @kernel_shape=[2,2,2] ! auto_pad=SAME_UPPER/SAME_LOWER/VALID ceil_mode=1 dilations=[2,2] strides=[2,2]
LpPool ! 2 ! 0 ! 1,2,8 @kernel_shape=[2]|1,2,8,8 @kernel_shape=[2,2]|1,2,8,8,8 @kernel_shape=[2,2,2] ! p=1/3 auto_pad=SAME_UPPER/SAME_LOWER/VALID
GlobalAveragePool GlobalMaxPool GlobalLpPool ! 1 ! 0 ! 1,2,8|1,2,8,8|1,2,8,8,8
Conv ! 1 ! 0 ! 1,4,8 =6,4,3|1,4,8,8 =6,4,3,3|1,4,8,8,8 =6,4,3,3,3|1,4,8,8 =6,4,3,3 =6 ! auto_pad=SAME_UPPER/SAME_LOWER/VALID dilations=[2,2] strides=[2,2] pads=[1,1,1,1]
ConvTranspose ! 1 ! 0 ! 1,4,8 =4,6,3|1,4,8,8 =4,6,3,3|1,4,8,8,8 =4,6,3,3,3 ! auto_pad=SAME_UPPER/SAME_LOWER/VALID dilations=[2,2] strides=[2,2]
BatchNormalization ! 7 ! 0 ! 3,4 =4 =4 =4 =4|1,4,8 =4 =4 =4 =4|1,4,8,8 =4 =4 =4 =4|1,4,2,3,4 =4 =4 =4 =4
InstanceNormalization ! 6 ! 0 ! 1,4,8 =4 =4|1,4,8,8 =4 =4|1,4,2,3,4 =4 =4
LayerNormalization ! 1 ! 0 ! R2 =4|R2 =4 =4
SimplifiedLayerNormalization ! 1 ! 0 ! R2 =4
GroupNormalization ! 21 ! 0 ! 1,4,8,8 =4 =4 @num_groups=2
RMSNormalization ! 23 ! 0 ! R2 =4
LRN ! 1 ! 0 ! 1,4,8 @size=3|1,4,8,8 @size=3
LpNormalization ! 1 ! 0 ! R ! p=1 axis=0
Gemm ! 7 ! 0 ! 3,4 =4,5 =5|3,4 =5,4 =5 @transB=1|3,4 =4,5 ! alpha=0.5 beta=0.5
MatMul ms:FusedMatMul ! 1 ! 0 ! 3,4 4,5|3,4 =4,5|2,3,4 2,4,5|1,2,3,4 1,2,4,5|1,1,2,3,4 1,1,2,4,5|1,1,1,2,3,4 1,1,1,2,4,5
MatMulInteger ! 10 ! 0 ! 3,4 4,5|3,4 =4,5
ConvInteger ! 10 ! 0 ! 1,4,8,8 =6,4,3,3
QLinearMatMul ! 10 ! 0 ! 3,4 =(1) =(0) =4,5 =(1) =(0) =(1) =(0)
QLinearConv ! 10 ! 0 ! 1,4,8,8 =(1) =(0) =6,4,3,3 =(1) =(0) =(1) =(0)
PRelu ! 7 ! 0 ! R =1
Clip ! 6 ! 10 ! R @min=0.0;max=6.0
Clip ! 11 ! 0 ! R =(0) =(6)|R
Reshape ! 5 ! 0 ! 4 =[2,2]|3,4 =[12]|2,3,4 =[4,6]|1,2,3,4 =[4,6]|1,1,2,3,4 =[4,6]|1,1,1,2,3,4 =[4,6]
Squeeze ! 1 ! 12 ! 1,4 @axes=[0]|1,3,4 @axes=[0]|1,2,3,4 @axes=[0]|1,1,2,3,4 @axes=[0]|1,1,1,2,3,4 @axes=[0]
Squeeze ! 13 ! 0 ! 1,4 =[0]|1,3,4 =[0]|1,2,3,4 =[0]|1,1,2,3,4 =[0]|1,1,1,2,3,4 =[0]
Unsqueeze ! 1 ! 12 ! 4 @axes=[0]|3,4 @axes=[0]|2,3,4 @axes=[0]|1,2,3,4 @axes=[0]|1,1,2,3,4 @axes=[0]
Unsqueeze ! 13 ! 0 ! 4 =[0]|3,4 =[0]|2,3,4 =[0]|1,2,3,4 =[0]|1,1,2,3,4 =[0]
Concat ! 4 ! 0 ! R R @axis=0
Split ! 2 ! 12 ! 4 @split=[2,2] >2|4,3 @split=[2,2] >2|4,2,3 @split=[2,2] >2|4,1,2,3 @split=[2,2] >2|4,1,1,2,3 @split=[2,2] >2
Split ! 13 ! 0 ! 4 =[2,2] >2|4,3 =[2,2] >2|4,2,3 =[2,2] >2|4,1,2,3 =[2,2] >2|4,1,1,2,3 =[2,2] >2
Slice ! 1 ! 9 ! R @starts=[0];ends=[1];axes=[0]
Slice ! 10 ! 0 ! R =[0] =[1] =[0] =[1]|R =[0] =[1]
Gather ! 1 ! 0 ! R =[0]
GatherElements ! 11 ! 0 ! R =1|3,4 =1,1|2,3,4 =1,1,1|1,2,3,4 =1,1,1,1|1,1,2,3,4 =1,1,1,1,1
GatherND ! 11 ! 0 ! R =1,1
ScatterElements ! 11 ! 0 ! 4 =1 1|3,4 =1,1 1,1|2,3,4 =1,1,1 1,1,1|1,2,3,4 =1,1,1,1 1,1,1,1|1,1,2,3,4 =1,1,1,1,1 1,1,1,1,1 ! reduction=add/mul
ScatterND ! 11 ! 0 ! 4 =1,1 1|3,4 =1,1 1,4|2,3,4 =1,1 1,3,4|2,2,3,4 =1,1 1,2,3,4 ! reduction=add/mul
Expand ! 8 ! 0 ! 1 =[4]|1,4 =[3,4]|1,3,4 =[2,3,4]|1,2,3,4 =[2,2,3,4]|1,1,2,3,4 =[1,2,2,3,4]
Tile ! 6 ! 0 ! 4 =[2]|3,4 =[1,2]|2,3,4 =[1,1,2]|1,2,3,4 =[1,1,1,2]|1,1,2,3,4 =[1,1,1,1,2]
Pad ! 2 ! 10 ! 4 @pads=[1,1]|3,4 @pads=[0,1,0,1]|2,3,4 @pads=[0,0,1,0,0,1]|1,2,3,4 @pads=[0,0,0,1,0,0,0,1] ! mode=reflect/edge
Pad ! 11 ! 0 ! 4 =[1,1] =(0)|3,4 =[0,1,0,1] =(0)|2,3,4 =[0,0,1,0,0,1] =(0)|1,2,3,4 =[0,0,0,1,0,0,0,1] =(0)|1,1,2,3,4 =[0,0,0,0,1,0,0,0,0,1] =(0)|1,2,3,4 =[0,0,0,1,0,0,0,1] ! mode=reflect/edge/wrap
Resize ! 11 ! 12 ! 1,2,4 =0 =[1,1,2]|1,2,4,4 =0 =[1,1,2,2]|1,2,4,4,4 =0 =[1,1,2,2,2] ! mode=linear/cubic coordinate_transformation_mode=align_corners/asymmetric/pytorch_half_pixel
Resize ! 13 ! 0 ! 1,2,4 - =[1,1,2]|1,2,4,4 - =[1,1,2,2]|1,2,4,4,4 - =[1,1,2,2,2] ! mode=linear/cubic coordinate_transformation_mode=align_corners/asymmetric/pytorch_half_pixel nearest_mode=floor/ceil/round_prefer_ceil antialias=1 exclude_outside=1
Upsample ! 9 ! 9 ! 1,2,4,4 =[1,1,2,2] ! mode=linear
DepthToSpace ! 1 ! 0 ! 1,8,4,4 @blocksize=2 ! mode=CRD
SpaceToDepth ! 1 ! 0 ! 1,2,4,4 @blocksize=2
Cast ! 6 ! 0 ! R @to=1|R @to=6|R @to=7|R @to=9 ! to=2/3/4/5/6/7/9/10/11/12/13
ArgMax ArgMin ! 1 ! 0 ! R ! keepdims=0 select_last_index=1
Softmax LogSoftmax Hardmax ! 1 ! 0 ! R ! axis=0
ReduceL1 ReduceL2 ReduceLogSum ReduceLogSumExp ReduceMax ReduceMean ReduceMin ReduceProd ReduceSumSquare ! 1 ! 17 ! R1 @axes=[0]|R1 ! keepdims=0
ReduceL1 ReduceL2 ReduceLogSum ReduceLogSumExp ReduceMax ReduceMean ReduceMin ReduceProd ReduceSumSquare ! 18 ! 0 ! R1 =[0]|R1 ! keepdims=0
ReduceSum ! 1 ! 12 ! R1 @axes=[0]|R1 ! keepdims=0
ReduceSum ! 13 ! 0 ! R1 =[0]|R1 ! keepdims=0
TopK ! 10 ! 0 ! R =[1] >2 ! largest=0 sorted=0
OneHot ! 9 ! 0 ! 3 =(4) =[0,1]|2,3 =(4) =[0,1]|1,2,3 =(4) =[0,1]
CumSum ! 11 ! 0 ! R =(0) ! exclusive=1 reverse=1
LSTM ! 7 ! 0 ! 4,1,8 =1,16,8 =1,16,4 @hidden_size=4
GRU ! 7 ! 0 ! 4,1,8 =1,12,8 =1,12,4 @hidden_size=4 ! linear_before_reset=1
RNN ! 7 ! 0 ! 4,1,8 =1,4,8 =1,4,4 @hidden_size=4
Einsum ! 12 ! 0 ! 3,4 4,5 @equation=ij,jk->ik|2,3,4 2,4,5 @equation=bij,bjk->bik
GridSample ! 16 ! 0 ! 1,2,4,4 1,3,3,2 ! mode=nearest/cubic padding_mode=border/reflection align_corners=1
NonMaxSuppression ! 10 ! 0 ! 1,6,4 1,2,6 =[3] =[1] =[0]
RoiAlign ! 10 ! 0 ! 1,2,8,8 3,4 3 @output_height=2;output_width=2 ! mode=max
ReverseSequence ! 10 ! 0 ! 4,2,3 =2
Mod ! 10 ! 0 ! R R ! fmod=1
Gelu ! 20 ! 0 ! R ! approximate=tanh
Trilu ! 14 ! 0 ! R2 ! upper=0
ConstantOfShape ! 9 ! 0 ! =[2,3]|3
Max Min Mean Sum ! 6 ! 0 ! R|R R
ms:BiasGelu ! 1 ! 0 ! R =4
ms:SkipLayerNormalization ! 1 ! 0 ! 2,3,4 2,3,4 =4
)";
constexpr std::string_view kUnit = R"(Sigmoid)";

std::vector<std::string_view> split(std::string_view text, char by) {
  std::vector<std::string_view> parts;
  while (!text.empty()) {
    const size_t end = std::min(text.find(by), text.size());
    if (end > 0) parts.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return parts;
}

std::vector<int64_t> numbers(std::string_view text) {
  std::vector<int64_t> all;
  for (const std::string_view part : split(text, ',')) {
    int64_t value = 0;
    std::from_chars(part.data(), part.data() + part.size(), value);
    all.push_back(value);
  }
  return all;
}

std::vector<ProbeRow> readRows() {
  constexpr size_t kLeastFields = 4;
  std::vector<ProbeRow> rows;
  for (const std::string_view line : split(kTable, '\n')) {
    std::vector<std::string_view> fields = split(line, '!');
    if (fields.size() < kLeastFields) continue;
    for (std::string_view& field : fields) {
      field.remove_prefix(std::min(field.find_first_not_of(' '), field.size()));
      field = field.substr(0, field.find_last_not_of(' ') + 1);
    }
    rows.push_back({.operators = fields[0],
                    .from = numbers(fields[1]).front(),
                    .to = numbers(fields[2]).front(),
                    .forms = fields[3],
                    .variations = fields.size() > kLeastFields ? fields[kLeastFields] : std::string_view()});
  }
  return rows;
}

Attribute attributeOf(std::string_view name, std::string_view value) {
  Attribute attribute{std::string(name), {}};
  const bool isNumber = value.find_first_not_of("-0123456789.") == std::string_view::npos;
  if (value.starts_with('[')) {
    attribute.value = numbers(value.substr(1, value.size() - 2));
  } else if (!isNumber) {
    attribute.value = std::string(value);
  } else if (value.find('.') != std::string_view::npos) {
    attribute.value = std::stof(std::string(value));
  } else {
    attribute.value = numbers(value).front();
  }
  return attribute;
}

ProbeSlot slotOf(std::string_view text, size_t rank) {
  ProbeSlot slot;
  if (text == "-") {
    slot.isAbsent = true;
    return slot;
  }
  if (text.starts_with('=')) {
    slot.isConstant = true;
    text.remove_prefix(1);
  }
  if (text.starts_with('R')) {
    slot.dims.assign(kSizes.end() - static_cast<std::ptrdiff_t>(rank), kSizes.end());
  } else if (text.starts_with('[')) {
    slot.values = numbers(text.substr(1, text.size() - 2));
    slot.dims = {static_cast<int64_t>(slot.values.size())};
  } else if (text.starts_with('(')) {
    slot.values = numbers(text.substr(1, text.size() - 2));
  } else {
    slot.dims = numbers(text);
  }
  return slot;
}

// The lowest rank that the text asks for with "R".
std::optional<size_t> leastRank(std::string_view text) {
  const size_t at = text.find('R');
  if (at == std::string_view::npos) return std::nullopt;
  const bool hasNumber = at + 1 < text.size() && text[at + 1] >= '1' && text[at + 1] <= '6';
  return hasNumber ? static_cast<size_t>(text[at + 1] - '0') : 0;
}

ProbeForm formOf(std::string_view text, size_t rank) {
  ProbeForm form;
  for (const std::string_view word : split(text, ' ')) {
    if (word.starts_with('@')) {
      for (const std::string_view pair : split(word.substr(1), ';')) {
        const size_t at = pair.find('=');
        form.attributes.push_back(attributeOf(pair.substr(0, at), pair.substr(at + 1)));
      }
    } else if (word.starts_with('>')) {
      form.outputs = static_cast<size_t>(numbers(word.substr(1)).front());
    } else {
      form.inputs.push_back(slotOf(word, rank));
    }
  }
  return form;
}

}  // namespace

std::span<const ProbeRow> probeRows() {
  static const std::vector<ProbeRow> rows = readRows();
  return rows;
}

std::string_view unitOperator() {
  return kUnit;
}

std::vector<ProbeForm> probeForms(std::string_view text) {
  std::vector<ProbeForm> forms;
  for (const std::string_view part : split(text, '|')) {
    const std::optional<size_t> least = leastRank(part);
    if (!least) {
      forms.push_back(formOf(part, 0));
      continue;
    }
    for (size_t rank = *least; rank <= kMostRank; ++rank)
      forms.push_back(formOf(part, rank));
  }
  return forms;
}

std::vector<ProbeVariation> probeVariations(std::string_view text) {
  std::vector<ProbeVariation> all;
  for (const std::string_view word : split(text, ' ')) {
    const size_t at = word.find('=');
    ProbeVariation variation{std::string(word.substr(0, at)), {}};
    for (const std::string_view value : split(word.substr(at + 1), '/'))
      variation.values.push_back(attributeOf(variation.name, value));
    all.push_back(std::move(variation));
  }
  return all;
}

}  // namespace cutaway::study
