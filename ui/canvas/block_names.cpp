#include "ui/canvas/block_names.h"

#include <algorithm>
#include <array>
#include <span>
#include <string_view>

#include <QCoreApplication>

namespace cutaway::ui {
namespace {

using Names = std::span<const std::string_view>;

constexpr std::array<std::string_view, 6> kAttention = {"Attention",  "MultiHeadAttention", "GroupQueryAttention",
                                                        "QAttention", "DecoderAttention",   "PackedAttention"};
constexpr std::array<std::string_view, 6> kProducts = {"MatMul",        "Gemm",        "MatMulInteger",
                                                       "QLinearMatMul", "MatMulNBits", "FusedMatMul"};
constexpr std::array<std::string_view, 4> kConvolutions = {"Conv", "QLinearConv", "ConvInteger", "FusedConv"};
constexpr std::array<std::string_view, 5> kRecurrent = {"LSTM", "GRU", "RNN", "DynamicQuantizeLSTM", "AttnLSTM"};
constexpr std::array<std::string_view, 3> kUpwards = {"ConvTranspose", "Resize", "Upsample"};
constexpr std::array<std::string_view, 9> kShapes = {"Shape", "Gather",  "Unsqueeze", "Squeeze",        "Concat",
                                                     "Slice", "Reshape", "Expand",    "ConstantOfShape"};
constexpr double kMostly = 0.7;

struct Counter {
  const GraphReport& graph;
  int first, end;

  int of(Names names) const {
    return static_cast<int>(std::count_if(
        graph.nodes.begin() + first, graph.nodes.begin() + end,
        [&](const NodeReport& node) { return std::find(names.begin(), names.end(), node.opType) != names.end(); }));
  }
  int of(std::string_view name) const { return of(Names(&name, 1)); }
};

struct Words {
  Q_DECLARE_TR_FUNCTIONS(BlockNames)
};

}  // namespace

QString workOf(const GraphReport& graph, int first, int end) {
  const Counter count{graph, first, end};
  const int products = count.of(kProducts), convolutions = count.of(kConvolutions);
  const bool attention = count.of(kAttention) > 0 || (count.of("Softmax") > 0 && products >= 2);
  // Beside the products of attention: those of a feed-forward part. Queries, keys and values may be one product or
  // three.
  if (attention && products >= (count.of(kAttention) > 0 ? 3 : 6)) return Words::tr("transformer");
  if (attention) return Words::tr("attention");
  if (count.of(kRecurrent) > 0) return Words::tr("recurrent");
  if (convolutions > 0 && count.of(kUpwards) > 0) return Words::tr("upsampling");
  if (convolutions > 0 && count.of("GlobalAveragePool") > 0 && count.of("Mul") > 0)
    return Words::tr("squeeze and excite");
  if (convolutions > 0 && count.of("Add") > 0) return Words::tr("residual convolution");
  if (convolutions > 0) return Words::tr("convolution");
  if (count.of(kShapes) >= kMostly * (end - first)) return Words::tr("shape arithmetic");
  return products > 0 ? Words::tr("feed-forward") : QString();
}

}  // namespace cutaway::ui
