#include "providers/openvino/resize_differences.h"

#include <algorithm>
#include <cmath>
#include <string_view>

namespace cutaway::openvino {

namespace {

int64_t floorOf(int64_t numerator, int64_t denominator) {
  const int64_t quotient = numerator / denominator;
  return quotient * denominator > numerator ? quotient - 1 : quotient;
}

// OpenVINO divides places by a scale that is a float: where that falls short of a whole number, or of a half, another
// element is the nearest. Seen: 2 of 7 elements, asymmetric, round_prefer_ceil: 3.4999998 for 3.5.
bool takesOtherElement(int64_t from, int64_t to, bool isAsymmetric, std::string_view nearest) {
  constexpr int64_t kMostCompared = 1 << 16;
  const float scale = static_cast<float>(to) / static_cast<float>(from);
  for (int64_t i = 0; i < std::min(to, kMostCompared); ++i) {
    const int64_t above = isAsymmetric ? i * from : (2 * i + 1) * from - to, below = isAsymmetric ? to : 2 * to;
    const float place = isAsymmetric ? static_cast<float>(i) / scale : (static_cast<float>(i) + 0.5F) / scale - 0.5F;
    int64_t wanted = 0;
    float taken = 0;
    if (nearest == "floor") {
      wanted = floorOf(above, below);
      taken = std::floor(place);
    } else if (nearest == "ceil") {
      wanted = -floorOf(-above, below);
      taken = std::ceil(place);
    } else if (nearest == "round_prefer_ceil") {
      wanted = floorOf(2 * above + below, 2 * below);
      taken = std::floor(place + 0.5F);
    } else {
      wanted = -floorOf(below - 2 * above, 2 * below);
      taken = std::ceil(place - 0.5F);
    }
    const float last = static_cast<float>(from - 1);
    if (std::clamp(taken, 0.0F, last) != std::clamp(static_cast<float>(wanted), 0.0F, last)) return true;
  }
  return false;
}

Found nearestBySizes(const Graph& graph, const Node& node) {
  const auto coordinates = node.attributeOr<std::string>("coordinate_transformation_mode", "half_pixel");
  const bool isAsymmetric = coordinates == "asymmetric";
  if (node.attributeOr<std::string>("mode", "nearest") != "nearest" || !has(node, 3) ||
      (!isAsymmetric && coordinates != "half_pixel" && coordinates != "pytorch_half_pixel"))
    return std::nullopt;
  const auto nearest = node.attributeOr<std::string>("nearest_mode", "round_prefer_floor");
  const std::optional<Shape>& shape = graph.value(node.outputs[0]).type.shape;
  for (size_t axis = 0; shape && axis < shape->rank(); ++axis) {
    const int64_t from = sizeOf(graph, node, 0, static_cast<int64_t>(axis));
    const int64_t to = (*shape)[axis].isKnown() ? (*shape)[axis].value() : -1;
    constexpr int64_t kMostExact = 1 << 24;  // of a float
    if (from < 1 || to < 1 || from == to || from > kMostExact || to > kMostExact) continue;
    if (takesOtherElement(from, to, isAsymmetric, nearest))
      return differs(RefusalCause::kShape, fmt::format("{} elements of {}, {}, {}", to, from, coordinates, nearest),
                     "OpenVINO's Resize divides by a rounded scale, and takes another element than the nearest",
                     "sizes whose ratio is a power of two, or scales");
  }
  return std::nullopt;
}

}  // namespace

Found resize(const Graph& graph, const Node& node) {
  if (Found found = nearestBySizes(graph, node)) return found;
  if (node.attributeOr<int64_t>("antialias", 0) != 0)
    return differs(RefusalCause::kAttribute, "antialias = 1", "OpenVINO's Resize filters otherwise when it shrinks",
                   "antialias = 0");
  if (node.attributeOr<int64_t>("exclude_outside", 0) != 0)
    return differs(RefusalCause::kAttribute, "exclude_outside = 1",
                   "OpenVINO's Resize does not leave out what lies outside", "exclude_outside = 0");
  const auto policy = node.attributeOr<std::string>("keep_aspect_ratio_policy", "stretch");
  if (policy != "stretch")
    return differs(RefusalCause::kAttribute, "keep_aspect_ratio_policy = " + policy,
                   "OpenVINO's Resize does not keep the aspect ratio", "stretch, with sizes that keep it");
  const bool byScales = !has(node, 3);
  if (byScales && node.attributeOr<std::string>("coordinate_transformation_mode", "half_pixel") == "align_corners") {
    return differs(RefusalCause::kAttribute, "align_corners with scales",
                   "OpenVINO aligns corners to the rounded size and not to the scaled one", "sizes instead of scales");
  }
  return std::nullopt;
}

}  // namespace cutaway::openvino
