#include "engine/operators/linear_pool.h"

namespace cutaway::operators {

LinearPoolSettings readLinearPool(const Node& node) {
  return {.includesPadding = node.attributeOr<int64_t>("count_include_pad", 0) != 0,
          .channelsLast = node.attributeOr<int64_t>("channels_last", 0) != 0};
}

Result<WindowAttributes> readLinearPoolWindow(const Node& node) {
  CUTAWAY_TRY(WindowAttributes attributes, readWindowAttributes(node));
  if (attributes.kernel.empty()) return fail(ErrorCode::kInvalidArgument, "QLinearAveragePool needs kernel_shape");
  return attributes;
}

Result<LinearPoolAxes> linearPoolAxes(std::string_view op, const LinearPoolSettings& settings,
                                      std::span<const int64_t> dims) {
  if (dims.size() < 3)
    return fail(ErrorCode::kInvalidArgument, "{} needs an input of rank 3 or more, not {}", op, dimsToText(dims));
  return LinearPoolAxes{.spatial = dims.subspan(settings.firstSpatialAxis(), dims.size() - 2),
                        .channels = settings.channelsLast ? dims.back() : dims[1]};
}

Result<GlobalPoolSizes> globalLinearPoolSizes(const LinearPoolSettings& settings, std::span<const int64_t> dims) {
  CUTAWAY_TRY(const LinearPoolAxes axes, linearPoolAxes("QLinearGlobalAveragePool", settings, dims));
  GlobalPoolSizes sizes{.outputDims = Dims(dims), .channels = axes.channels, .cells = elementCount(axes.spatial)};
  for (size_t i = 0; i < axes.spatial.size(); ++i)
    sizes.outputDims[settings.firstSpatialAxis() + i] = 1;
  return sizes;
}

}  // namespace cutaway::operators
