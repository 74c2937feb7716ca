#include "engine/operators/normalization.h"

#include <algorithm>

namespace cutaway::operators {
namespace {

bool given(const Node& node, size_t slot) {
  return slot < node.inputs.size() && node.inputs[slot].valid();
}

// The place of an axis that counts from either end; -1 where there is none.
int64_t placeOf(int64_t axis, size_t rank) {
  const int64_t bound = static_cast<int64_t>(rank), place = axis < 0 ? axis + bound : axis;
  return place < 0 || place >= bound ? -1 : place;
}

Result<int64_t> channelsPerGroup(int64_t channels, int64_t groups) {
  if (groups < 1 || channels % groups != 0)
    return fail(ErrorCode::kInvalidArgument, "{} channels do not split into {} groups", channels, groups);
  return channels / groups;
}

}  // namespace

Result<LayerNormSettings> readLayerNorm(const Node& node) {
  if (!given(node, 1)) return fail(ErrorCode::kInvalidArgument, "{} has no scale", node.opType);
  return LayerNormSettings{.axis = node.attributeOr<int64_t>("axis", -1),
                           .epsilon = node.attributeOr<float>("epsilon", 1e-5f),
                           .centered = node.opType == "LayerNormalization",
                           .inverseSlot = node.opType == "SimplifiedLayerNormalization" ? size_t{1} : size_t{2}};
}

Result<LayerNormSizes> layerNormSizes(const LayerNormSettings& settings, std::span<const int64_t> dims) {
  const int64_t axis = placeOf(settings.axis, dims.size());
  if (axis < 0)
    return fail(ErrorCode::kInvalidArgument, "layer normalisation: axis {} of {}", settings.axis, dimsToText(dims));
  const size_t at = static_cast<size_t>(axis);
  return LayerNormSizes{at, elementCount(dims.first(at)), elementCount(dims.subspan(at))};
}

Result<RowOperand> rowOperand(std::span<const int64_t> dims, size_t axis, std::span<const int64_t> own,
                              std::string_view name) {
  if (own.size() > dims.size())
    return fail(ErrorCode::kInvalidArgument, "{} is {}, the input {}", name, dimsToText(own), dimsToText(dims));
  RowOperand operand{.stride = Dims(dims)};
  int64_t stride = 1;
  for (size_t back = 1; back <= dims.size(); ++back) {
    const size_t at = dims.size() - back;
    const int64_t size = back <= own.size() ? own[own.size() - back] : 1;
    if (size != dims[at] && size != 1)
      return fail(ErrorCode::kInvalidArgument, "{} is {}, which does not broadcast to {}", name, dimsToText(own),
                  dimsToText(dims));
    operand.stride[at] = back > own.size() || (size == 1 && dims[at] != 1) ? 0 : stride;
    operand.dense = operand.dense && (at < axis ? size == 1 : size == dims[at]);
    stride *= size;
  }
  return operand;
}

Result<SkipLayerSettings> readSkipLayer(const Node& node) {
  if (!given(node, 0) || !given(node, 1) || !given(node, 2))
    return fail(ErrorCode::kInvalidArgument, "{} needs input, skip and gamma", node.opType);
  const bool centered = node.opType == "SkipLayerNormalization";
  return SkipLayerSettings{.epsilon = node.attributeOr<float>("epsilon", 1e-12f),
                           .centered = centered,
                           .biasSlot = centered ? size_t{4} : size_t{3}};
}

Result<SkipLayerSizes> skipLayerSizes(const Tensor& input, const Tensor& skip) {
  const std::span<const int64_t> dims = input.dims(), own = skip.dims();
  if (dims.size() != 2 && dims.size() != 3)
    return fail(ErrorCode::kInvalidArgument, "the input must have rank 2 or 3, it is {}", dimsToText(dims));
  const auto inner = dims.subspan(1);
  const bool broadcast =
      dims.size() == 3 &&
      ((own.size() == 3 && own[0] == 1 && std::ranges::equal(inner, own.subspan(1))) || std::ranges::equal(inner, own));
  if (!std::ranges::equal(dims, own) && !broadcast)
    return fail(ErrorCode::kInvalidArgument, "skip is {}, which does not fit the input {}", dimsToText(own),
                dimsToText(dims));
  if (skip.type() != input.type())
    return fail(ErrorCode::kInvalidArgument, "skip is {}, the input {}", elementTypeName(skip.type()),
                elementTypeName(input.type()));
  return SkipLayerSizes{elementCount(dims.first(dims.size() - 1)), dims.back(),
                        elementCount(own.first(own.size() - 1))};
}

Result<void> checkRowVector(const Tensor& vector, ElementType type, int64_t count, std::string_view name) {
  if (vector.type() == type && vector.rank() == 1 && vector.elementCount() == count) return {};
  return fail(ErrorCode::kInvalidArgument, "{} is {} {}, not {} [{}]", name, elementTypeName(vector.type()),
              dimsToText(vector.dims()), elementTypeName(type), count);
}

Result<GroupNormSettings> readGroupNormalization(const Node& node) {
  GroupNormSettings settings{.epsilon = node.attributeOr<float>("epsilon", 1e-5f)};
  if (node.opType == "InstanceNormalization") return settings;
  settings.groups = node.attributeOr<int64_t>("num_groups", 0);
  settings.scaleByGroup = node.sinceVersion < 21;
  if (settings.groups < 1)
    return fail(ErrorCode::kInvalidArgument, "GroupNormalization: num_groups is {}", settings.groups);
  return settings;
}

Result<GroupNormSizes> groupNormSizes(const GroupNormSettings& settings, std::span<const int64_t> dims,
                                      int64_t scaleCount, int64_t biasCount) {
  if (dims.size() < 2)
    return fail(ErrorCode::kInvalidArgument, "normalisation by group needs an input of rank 2 or more, not {}",
                dimsToText(dims));
  GroupNormSizes sizes{.images = dims[0],
                       .channels = dims[1],
                       .groups = settings.groups == 0 ? dims[1] : settings.groups,
                       .cells = elementCount(dims.subspan(2))};
  CUTAWAY_TRY(sizes.perGroup, channelsPerGroup(sizes.channels, sizes.groups));
  // Version 18 has one scale a group; files that follow its correction early have one a channel, as onnxruntime reads
  // them.
  sizes.scaleByGroup = settings.scaleByGroup && scaleCount == sizes.groups;
  const int64_t scales = sizes.scaleByGroup ? sizes.groups : sizes.channels;
  if (scaleCount != scales || biasCount != scales)
    return fail(ErrorCode::kInvalidArgument, "scale and bias need {} elements, they have {} and {}", scales, scaleCount,
                biasCount);
  return sizes;
}

Result<ImageGroupNormSettings> readImageGroupNorm(const Node& node) {
  const int64_t activation = node.attributeOr<int64_t>("activation", 0);
  const ImageGroupNormSettings settings{.groups = node.attributeOr<int64_t>("groups", 0),
                                        .epsilon = node.attributeOr<float>("epsilon", 1e-5f),
                                        .silu = activation == 1,
                                        .channelsLast = node.attributeOr<int64_t>("channels_last", 1) != 0,
                                        .skip = node.opType == "SkipGroupNorm"};
  if (settings.groups < 1) return fail(ErrorCode::kInvalidArgument, "{}: groups is {}", node.opType, settings.groups);
  if (activation != 0 && activation != 1)
    return fail(ErrorCode::kInvalidArgument, "{}: activation is {}, only 0 and 1 are defined", node.opType, activation);
  if (!given(node, 1) || !given(node, 2) || (settings.skip && !given(node, 3)))
    return fail(ErrorCode::kInvalidArgument, "{} lacks an input", node.opType);
  return settings;
}

Result<GroupNormSizes> imageGroupNormSizes(const ImageGroupNormSettings& settings, std::span<const int64_t> dims,
                                           std::span<const int64_t> gamma, std::span<const int64_t> beta) {
  if (dims.size() != 4)
    return fail(ErrorCode::kInvalidArgument, "the input must have rank 4, it is {}", dimsToText(dims));
  const bool last = settings.channelsLast;
  GroupNormSizes sizes{.images = dims[0],
                       .channels = last ? dims[3] : dims[1],
                       .groups = settings.groups,
                       .cells = last ? dims[1] * dims[2] : dims[2] * dims[3]};
  CUTAWAY_TRY(sizes.perGroup, channelsPerGroup(sizes.channels, sizes.groups));
  for (const auto& [name, own] : {std::pair{"gamma", gamma}, {"beta", beta}}) {
    if (elementCount(own) != sizes.channels)
      return fail(ErrorCode::kInvalidArgument, "{} is {}, not [{}]", name, dimsToText(own), sizes.channels);
  }
  return sizes;
}

Result<bool> skipIsWholeImage(const ImageGroupNormSettings& settings, const GroupNormSizes& sizes, const Tensor& input,
                              const Tensor& skip, const Tensor* bias) {
  if (skip.type() != input.type() || (bias != nullptr && bias->type() != input.type()))
    return fail(ErrorCode::kInvalidArgument, "skip and bias must be {}, as the input is",
                elementTypeName(input.type()));
  const Dims& dims = skip.dims();
  const size_t cells = settings.channelsLast ? 1 : 2;  // the axes of an image's cells
  const bool whole = dims == input.dims(),
             pooled = dims.size() == 2 || (dims.size() == 4 && dims[cells] == 1 && dims[cells + 1] == 1);
  if (!whole && (!pooled || skip.elementCount() != sizes.images * sizes.channels || dims[0] != sizes.images))
    return fail(ErrorCode::kInvalidArgument, "skip is {}, which does not fit the input {}", dimsToText(dims),
                dimsToText(input.dims()));
  if (bias != nullptr && bias->elementCount() != sizes.channels)
    return fail(ErrorCode::kInvalidArgument, "bias is {}, not [{}]", dimsToText(bias->dims()), sizes.channels);
  return whole;
}

Result<BatchNormSettings> readBatchNormalization(const Node& node) {
  if (node.inputs.size() < 5) return fail(ErrorCode::kInvalidArgument, "BatchNormalization needs five inputs");
  bool several = false;
  for (size_t slot = 1; slot < node.outputs.size(); ++slot)
    several = several || node.outputs[slot].valid();
  const bool isNew = node.sinceVersion >= 14;
  const BatchNormSettings settings{.epsilon = node.attributeOr<float>("epsilon", 1e-5f),
                                   .momentum = node.attributeOr<float>("momentum", 0.9f),
                                   .training = isNew ? node.attributeOr<int64_t>("training_mode", 0) != 0
                                                     : several && node.attributeOr<int64_t>("is_test", 0) == 0,
                                   .perActivation = node.attributeOr<int64_t>("spatial", 1) == 0};
  if (several && !settings.training)
    return fail(ErrorCode::kInvalidArgument, "BatchNormalization has statistics to give in training mode only ({})",
                isNew ? "training_mode is 0" : "is_test is 1");
  return settings;
}

Result<BatchNormSizes> batchNormSizes(const BatchNormSettings& settings, std::span<const int64_t> dims) {
  if (dims.empty()) return fail(ErrorCode::kInvalidArgument, "BatchNormalization needs an input of rank 1 or more");
  BatchNormSizes sizes{.images = dims[0],
                       .channels = dims.size() > 1 ? dims[1] : 1,
                       .cells = dims.size() > 2 ? elementCount(dims.subspan(2)) : 1};
  if (settings.perActivation) sizes.channels *= sizes.cells, sizes.cells = 1;
  return sizes;
}

MeanVarianceSettings readMeanVariance(const Node& node) {
  if (node.sinceVersion >= 9) return {.axes = node.attributeOr<std::vector<int64_t>>("axes", {0, 2, 3})};
  MeanVarianceSettings settings{.axes = {0, 2, 3}, .variance = node.attributeOr<int64_t>("normalize_variance", 1) != 0};
  if (node.attributeOr<int64_t>("across_channels", 0) != 0) settings.axes.push_back(1);
  return settings;
}

Result<LpNormSettings> readLpNormalization(const Node& node) {
  const LpNormSettings settings{.axis = node.attributeOr<int64_t>("axis", -1),
                                .power = node.attributeOr<int64_t>("p", 2)};
  if (settings.power != 1 && settings.power != 2)
    return fail(ErrorCode::kInvalidArgument, "LpNormalization: p is {}, only 1 and 2 are defined", settings.power);
  return settings;
}

Result<size_t> lpNormAxis(const LpNormSettings& settings, std::span<const int64_t> dims) {
  const int64_t axis = placeOf(settings.axis, dims.size());
  if (axis < 0)
    return fail(ErrorCode::kInvalidArgument, "LpNormalization: axis {} of {}", settings.axis, dimsToText(dims));
  return static_cast<size_t>(axis);
}

}  // namespace cutaway::operators
