#include "engine/operators/attention_layout.h"

#include <algorithm>
#include <cmath>

namespace cutaway::operators {

HeadSteps headsOutside(std::span<const int64_t> dims) {
  return {dims[1] * dims[2] * dims[3], dims[2] * dims[3], dims[3]};
}

HeadSteps headsInside(std::span<const int64_t> dims, int64_t size) {
  return {dims[1] * dims[2], size, dims[2]};
}

float defaultAttentionScale(int64_t size) {
  return static_cast<float>(1.0 / std::sqrt(static_cast<double>(std::max<int64_t>(1, size))));
}

Result<ScorePlane> scorePlane(const ScoreDims& scores, std::span<const int64_t> dims, std::string_view name,
                              bool shorter) {
  const std::array<int64_t, 4> full{scores.batch, scores.heads, scores.queries, scores.keys};
  const auto refuse = [&] {
    return fail(ErrorCode::kInvalidArgument,
                "{} is {}, which does not broadcast to batch {}, heads {}, queries {}, keys {}", name, dimsToText(dims),
                full[0], full[1], full[2], full[3]);
  };
  if (dims.size() > 4) return refuse();
  ScorePlane plane{.columns = scores.keys};
  int64_t step = 1;
  for (size_t back = 1; back <= dims.size(); ++back) {
    const int64_t size = dims[dims.size() - back];
    const size_t axis = 4 - back;
    const bool cut = shorter && axis == 3 && size < full[axis];
    if (size != full[axis] && size != 1 && !cut) return refuse();
    if (cut) plane.columns = size;
    plane.step[axis] = size == 1 && !cut ? 0 : step;
    step *= size;
  }
  return plane;
}

Result<ScorePlane> scoreBiasPlane(const ScoreDims& scores, std::span<const int64_t> dims, std::string_view name) {
  if (dims.size() != 4)
    return fail(ErrorCode::kInvalidArgument, "{}: attention_bias is {}, not 4-D", name, dimsToText(dims));
  return scorePlane(scores, dims, fmt::format("{}: attention_bias", name));
}

Result<PaddingMask> paddingMask(const ScoreDims& scores, ElementType type, std::span<const int64_t> dims,
                                std::string_view name) {
  const int64_t batch = scores.batch, queries = scores.queries, keys = scores.keys;
  const int64_t length = dims.size() == 1 ? dims[0] : -1;
  const auto is = [&](std::initializer_list<int64_t> wanted) { return std::ranges::equal(dims, wanted); };
  if (type == ElementType::kInt32) {
    if (length == batch || length == 2 * batch || length == 3 * batch + 2)
      return PaddingMask{.ends = true, .starts = length == 2 * batch};
    if (is({batch, keys})) return PaddingMask{.step = {keys, 0, 0, 1}};
    if (is({batch, queries, keys})) return PaddingMask{.step = {queries * keys, 0, keys, 1}};
    if (dims.size() == 4 && is({batch, 1, dims[2], dims[2]}) && dims[2] >= keys)
      return PaddingMask{.step = {dims[2] * dims[3], 0, dims[3], 1}, .start = (keys - queries) * dims[3]};
  }
  return fail(ErrorCode::kInvalidArgument,
              "{}: a mask of {} {} says nothing about {} batches of {} queries and {} keys", name,
              elementTypeName(type), dimsToText(dims), batch, queries, keys);
}

}  // namespace cutaway::operators
