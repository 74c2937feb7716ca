#pragma once
// QLinearAveragePool and QLinearGlobalAveragePool of com.microsoft: attributes and sizes; windows are those of
// AveragePool (window.h).
//
// Source: ONNX Runtime, docs/ContribOperators.md. Errors are INVALID_ARGUMENT.

#include "engine/graph/graph.h"
#include "engine/operators/window.h"
#include "engine/tensor/tensor.h"

namespace cutaway::operators {

struct LinearPoolSettings {
  bool includesPadding = false;  // means count cells of the padding
  bool channelsLast = false;

  size_t firstSpatialAxis() const { return channelsLast ? 1 : 2; }
};
LinearPoolSettings readLinearPool(const Node& node);
// The window of QLinearAveragePool, whose kernel_shape is no option.
Result<WindowAttributes> readLinearPoolWindow(const Node& node);
// [images, channels, spatial...] or [images, spatial..., channels]. The spatial axes, and the channels.
struct LinearPoolAxes {
  std::span<const int64_t> spatial;  // of the dims given
  int64_t channels = 0;
};
Result<LinearPoolAxes> linearPoolAxes(std::string_view op, const LinearPoolSettings& settings,
                                      std::span<const int64_t> dims);
struct GlobalPoolSizes {
  Dims outputDims;  // spatial axes are 1
  int64_t channels = 0, cells = 1;
};
Result<GlobalPoolSizes> globalLinearPoolSizes(const LinearPoolSettings& settings, std::span<const int64_t> dims);

}  // namespace cutaway::operators
