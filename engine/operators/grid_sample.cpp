#include "engine/operators/grid_sample.h"

#include <algorithm>

namespace cutaway::operators {

Result<SampleSettings> readSampleSettings(const Node& node) {
  SampleSettings settings;
  const std::string mode = node.attributeOr<std::string>("mode", "linear");
  if (mode == "nearest")
    settings.mode = SampleMode::kNearest;
  else if (mode == "cubic" || mode == "bicubic")
    settings.mode = SampleMode::kCubic;
  else if (mode != "linear" && mode != "bilinear")
    return fail(ErrorCode::kNotImplemented, "mode '{}' is unknown", mode);
  const std::string padding = node.attributeOr<std::string>("padding_mode", "zeros");
  if (padding == "border")
    settings.padding = SamplePadding::kBorder;
  else if (padding == "reflection")
    settings.padding = SamplePadding::kReflection;
  else if (padding != "zeros")
    return fail(ErrorCode::kNotImplemented, "padding_mode '{}' is unknown", padding);
  settings.tapsOnly = settings.mode == SampleMode::kCubic && !node.domain.empty();
  settings.alignCorners = node.attributeOr<int64_t>("align_corners", 0) != 0;
  return settings;
}

Result<Dims> sampledDims(std::span<const int64_t> x, std::span<const int64_t> grid) {
  const size_t rank = x.size();
  const bool fits = rank >= 3 && rank - 2 <= kMaxSampledAxes && grid.size() == rank && grid[0] == x[0] &&
                    grid[rank - 1] == static_cast<int64_t>(rank) - 2;
  if (!fits)
    return fail(ErrorCode::kInvalidArgument, "a grid {} does not fit an input {}", dimsToText(grid), dimsToText(x));
  Dims dims(grid);
  dims[1] = x[1];
  for (size_t i = 0; i + 2 < rank; ++i)
    dims[i + 2] = grid[i + 1];
  const auto isEmpty = [](int64_t size) { return size == 0; };
  if (std::ranges::none_of(dims, isEmpty) && std::ranges::any_of(x.subspan(2), isEmpty))
    return fail(ErrorCode::kInvalidArgument, "an empty input {} has nothing to sample", dimsToText(x));
  return dims;
}

}  // namespace cutaway::operators
