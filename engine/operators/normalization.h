#pragma once
// Normalizations: LayerNormalization and its kin, GroupNormalization, InstanceNormalization, BatchNormalization,
// MeanVarianceNormalization, LpNormalization, and the contrib forms GroupNorm, SkipGroupNorm and
// SkipLayerNormalization.
//
// Sources: the ONNX operator specification; ONNX Runtime, docs/ContribOperators.md. Errors are INVALID_ARGUMENT with
// the rule and the sizes.

#include <vector>

#include "engine/graph/graph.h"
#include "engine/tensor/tensor.h"

namespace cutaway::operators {

// --- LayerNormalization, SimplifiedLayerNormalization, RMSNormalization
struct LayerNormSettings {
  int64_t axis = -1;
  float epsilon = 1e-5f;
  bool centered = true;    // the mean is taken away and B is added
  size_t inverseSlot = 2;  // the output with 1 / standard deviation; the mean goes to 1 when this is 2
};
Result<LayerNormSettings> readLayerNorm(const Node& node);
struct LayerNormSizes {
  size_t axis = 0;  // the first one of a row
  int64_t rows = 0, count = 0;
};
Result<LayerNormSizes> layerNormSizes(const LayerNormSettings& settings, std::span<const int64_t> dims);
// Scale or B over all axes of the input, because it may broadcast over leading ones too.
struct RowOperand {
  bool dense = true;  // as many elements as a row has, in order, the same for all rows
  Dims stride;        // an axis of the input each; 0 where the operand is broadcast
};
Result<RowOperand> rowOperand(std::span<const int64_t> dims, size_t axis, std::span<const int64_t> own,
                              std::string_view name);

// --- SkipLayerNormalization, SkipSimplifiedLayerNormalization
struct SkipLayerSettings {
  float epsilon = 1e-12f;
  bool centered = true;  // has a beta
  size_t biasSlot = 4;
};
Result<SkipLayerSettings> readSkipLayer(const Node& node);
struct SkipLayerSizes {
  int64_t rows = 0, count = 0;
  int64_t skipRows = 0;  // of skip, which repeats over the rows
};
// input [rows, count] or [batch, sequence, count]; skip like it, without its first axis, or with 1 there.
Result<SkipLayerSizes> skipLayerSizes(const Tensor& input, const Tensor& skip);
// gamma, beta, bias: `count` numbers of the input's type.
Result<void> checkRowVector(const Tensor& vector, ElementType type, int64_t count, std::string_view name);

// --- GroupNormalization (18: one scale a group; 21: one a channel) and InstanceNormalization
struct GroupNormSettings {
  int64_t groups = 0;  // 0: one a channel
  bool scaleByGroup = false;
  float epsilon = 1e-5f;
};
Result<GroupNormSettings> readGroupNormalization(const Node& node);
struct GroupNormSizes {
  int64_t images = 0, channels = 0, groups = 0, perGroup = 0, cells = 0;
  bool scaleByGroup = false;
};
Result<GroupNormSizes> groupNormSizes(const GroupNormSettings& settings, std::span<const int64_t> dims,
                                      int64_t scaleCount, int64_t biasCount);

// --- com.microsoft GroupNorm and SkipGroupNorm: images of rank 4, SiLU behind when `activation` is 1
struct ImageGroupNormSettings {
  int64_t groups = 1;
  float epsilon = 1e-5f;
  bool silu = false, channelsLast = true, skip = false;
};
Result<ImageGroupNormSettings> readImageGroupNorm(const Node& node);
Result<GroupNormSizes> imageGroupNormSizes(const ImageGroupNormSettings& settings, std::span<const int64_t> dims,
                                           std::span<const int64_t> gamma, std::span<const int64_t> beta);
// Whether skip is a whole image; else it is one number a channel and image. bias: one number a channel, nullptr: none.
Result<bool> skipIsWholeImage(const ImageGroupNormSettings& settings, const GroupNormSizes& sizes, const Tensor& input,
                              const Tensor& skip, const Tensor* bias);

// --- BatchNormalization in all versions
// Versions 1 and 6 tell inference by is_test; 7 and 9 by asking for one output only. Exporters forgot is_test often, so
// one output means inference for all of them. Several outputs train.
struct BatchNormSettings {
  float epsilon = 1e-5f, momentum = 0.9f;
  bool training = false;
  bool perActivation = false;  // `spatial` = 0: statistics for each element of an image
};
Result<BatchNormSettings> readBatchNormalization(const Node& node);
struct BatchNormSizes {
  int64_t images = 0, channels = 1, cells = 1;
};
Result<BatchNormSizes> batchNormSizes(const BatchNormSettings& settings, std::span<const int64_t> dims);

// --- MeanVarianceNormalization (before 9: across_channels and normalize_variance of Caffe2)
struct MeanVarianceSettings {
  std::vector<int64_t> axes;
  bool variance = true;
};
MeanVarianceSettings readMeanVariance(const Node& node);

// --- LpNormalization
struct LpNormSettings {
  int64_t axis = -1;
  int64_t power = 2;  // 1 or 2
};
Result<LpNormSettings> readLpNormalization(const Node& node);
Result<size_t> lpNormAxis(const LpNormSettings& settings, std::span<const int64_t> dims);

}  // namespace cutaway::operators
