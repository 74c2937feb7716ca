#include "engine/operators/resize.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <type_traits>

namespace cutaway::operators {
namespace {

template <typename Value>
struct Named {
  std::string_view name;
  Value value;
};

template <typename Value, size_t Count>
Result<Value> named(std::string_view attribute, const std::string& text, const Named<Value> (&known)[Count]) {
  for (const auto& each : known) {
    if (each.name == text) return each.value;
  }
  return fail(ErrorCode::kNotImplemented, "{} '{}' is not supported", attribute, text);
}

constexpr Named<ResizeMode> kModes[] = {{"nearest", ResizeMode::kNearest},
                                        {"linear", ResizeMode::kLinear},
                                        {"bilinear", ResizeMode::kLinear},
                                        {"cubic", ResizeMode::kCubic}};
constexpr Named<CoordinateMode> kCoordinates[] = {{"half_pixel", CoordinateMode::kHalfPixel},
                                                  {"half_pixel_symmetric", CoordinateMode::kHalfPixelSymmetric},
                                                  {"pytorch_half_pixel", CoordinateMode::kPytorchHalfPixel},
                                                  {"align_corners", CoordinateMode::kAlignCorners},
                                                  {"asymmetric", CoordinateMode::kAsymmetric},
                                                  {"tf_crop_and_resize", CoordinateMode::kCropAndResize},
                                                  {"tf_half_pixel_for_nn", CoordinateMode::kTfHalfPixelForNearest}};
constexpr Named<NearestMode> kNearest[] = {{"round_prefer_floor", NearestMode::kRoundPreferFloor},
                                           {"round_prefer_ceil", NearestMode::kRoundPreferCeil},
                                           {"floor", NearestMode::kFloor},
                                           {"ceil", NearestMode::kCeil}};
constexpr Named<AspectPolicy> kPolicies[] = {{"stretch", AspectPolicy::kStretch},
                                             {"not_larger", AspectPolicy::kNotLarger},
                                             {"not_smaller", AspectPolicy::kNotSmaller}};

// Values as doubles; none of an absent tensor.
Result<std::vector<double>> numbers(const Tensor* tensor) {
  std::vector<double> values;
  if (tensor == nullptr) return values;
  const auto take = [&]<typename T>(std::span<const T> span) {
    for (const T& each : span) {
      if constexpr (std::is_arithmetic_v<T>)
        values.push_back(static_cast<double>(each));
      else
        values.push_back(static_cast<double>(each.toFloat()));
    }
  };
  switch (tensor->type()) {
    case ElementType::kFloat:
      take(tensor->span<float>());
      break;
    case ElementType::kDouble:
      take(tensor->span<double>());
      break;
    case ElementType::kInt64:
      take(tensor->span<int64_t>());
      break;
    case ElementType::kFloat16:
      take(tensor->span<Float16>());
      break;
    case ElementType::kBfloat16:
      take(tensor->span<Bfloat16>());
      break;
    default:
      return fail(ErrorCode::kInvalidArgument, "Resize: scales, sizes or roi of {}", elementTypeName(tensor->type()));
  }
  return values;
}

// A size that fits and does not make something of nothing.
Result<int64_t> checkedSize(double size, size_t axis, int64_t input) {
  if (!(size >= 0) || size > 0x1p40)
    return fail(ErrorCode::kInvalidArgument, "Resize: the scale or size of axis {} gives an output of {} elements",
                axis, size);
  if (input == 0 && size > 0) return fail(ErrorCode::kInvalidArgument, "Resize: an empty axis cannot grow");
  return static_cast<int64_t>(size);
}

struct Request {
  std::vector<size_t> axes;
  std::vector<double> scales, sizes, roi;
};

Result<Request> readRequest(const ResizeAttributes& attributes, const ResizeOperands& operands, size_t rank) {
  Request request;
  CUTAWAY_TRY(request.scales, numbers(operands.scales));
  if (!attributes.constantScales.empty())
    request.scales.assign(attributes.constantScales.begin(), attributes.constantScales.end());
  CUTAWAY_TRY(request.sizes, numbers(operands.sizes));
  CUTAWAY_TRY(request.roi, numbers(operands.roi));
  for (const int64_t axis : attributes.axes) {
    const int64_t counted = axis < 0 ? axis + static_cast<int64_t>(rank) : axis;
    if (counted < 0 || counted >= static_cast<int64_t>(rank))
      return fail(ErrorCode::kInvalidArgument, "Resize: axis {} of a tensor of rank {}", axis, rank);
    request.axes.push_back(static_cast<size_t>(counted));
  }
  for (size_t axis = 0; attributes.axes.empty() && axis < rank; ++axis)
    request.axes.push_back(axis);
  const size_t count = request.axes.size();
  if (request.scales.empty() == request.sizes.empty())
    return fail(ErrorCode::kInvalidArgument, "Resize needs either scales or sizes");
  if ((!request.scales.empty() && request.scales.size() != count) ||
      (!request.sizes.empty() && request.sizes.size() != count)) {
    return fail(ErrorCode::kInvalidArgument, "Resize: scales or sizes do not fit {} axes", count);
  }
  for (const double scale : request.scales) {
    if (!(scale > 0) || !std::isfinite(scale)) return fail(ErrorCode::kInvalidArgument, "Resize: scale {}", scale);
  }
  if (attributes.coordinates == CoordinateMode::kCropAndResize && request.roi.size() != 2 * count)
    return fail(ErrorCode::kInvalidArgument, "Resize: tf_crop_and_resize needs roi for {} axes", count);
  return request;
}

// One scale for all axes where the aspect ratio is kept.
Result<void> keepAspect(const Request& request, AspectPolicy policy, ResizeGeometry& geometry) {
  double common = 0;
  for (const size_t axis : request.axes) {
    const double scale = geometry.scale[axis];
    common = axis == request.axes.front()         ? scale
             : policy == AspectPolicy::kNotLarger ? std::min(common, scale)
                                                  : std::max(common, scale);
  }
  for (const size_t axis : request.axes) {
    geometry.scale[axis] = common;
    const double size = std::floor(common * static_cast<double>(geometry.input[axis]) + 0.5);
    CUTAWAY_TRY(geometry.output[axis], checkedSize(size, axis, geometry.input[axis]));
  }
  return {};
}

}  // namespace

Result<ResizeAttributes> readResizeAttributes(const Node& node) {
  const auto text = [&](std::string_view name, std::string otherwise) {
    return node.attributeOr<std::string>(name, std::move(otherwise));
  };
  ResizeAttributes attributes;
  CUTAWAY_TRY(attributes.mode, named("mode", text("mode", "nearest"), kModes));
  const int32_t version = node.sinceVersion;
  if (node.opType == "Upsample" || version < 11) {
    attributes.coordinates = CoordinateMode::kAsymmetric;
    attributes.nearest = NearestMode::kLegacy;
    if (attributes.mode == ResizeMode::kCubic)
      return fail(ErrorCode::kNotImplemented, "mode 'cubic' does not exist in this version");
    const bool upsample = node.opType == "Upsample";
    if (upsample && version < 7) {
      attributes.constantScales = {1.0f, 1.0f, node.attributeOr<float>("height_scale", 1.0f),
                                   node.attributeOr<float>("width_scale", 1.0f)};
    } else if (upsample && version < 9) {
      attributes.constantScales = node.attributeOr<std::vector<float>>("scales", {});
    } else {
      attributes.scalesSlot = 1;
    }
    return attributes;
  }
  CUTAWAY_TRY(attributes.coordinates, named("coordinate_transformation_mode",
                                            text("coordinate_transformation_mode", "half_pixel"), kCoordinates));
  CUTAWAY_TRY(attributes.nearest, named("nearest_mode", text("nearest_mode", "round_prefer_floor"), kNearest));
  CUTAWAY_TRY(attributes.policy,
              named("keep_aspect_ratio_policy", text("keep_aspect_ratio_policy", "stretch"), kPolicies));
  attributes.cubicA = node.attributeOr<float>("cubic_coeff_a", -0.75f);
  attributes.excludeOutside = node.attributeOr<int64_t>("exclude_outside", 0) != 0;
  attributes.antialias = node.attributeOr<int64_t>("antialias", 0) != 0;
  attributes.extrapolation = node.attributeOr<float>("extrapolation_value", 0.0f);
  attributes.axes = node.attributeOr<std::vector<int64_t>>("axes", {});
  attributes.roiSlot = 1;
  attributes.scalesSlot = 2;
  attributes.sizesSlot = 3;
  return attributes;
}

bool ResizeGeometry::identity(size_t axis, const ResizeAttributes& attributes) const {
  return input[axis] == output[axis] && std::abs(scale[axis] - 1.0) < 1e-9 &&
         (attributes.coordinates != CoordinateMode::kCropAndResize || (roiStart[axis] == 0.0 && roiEnd[axis] == 1.0));
}

Result<ResizeGeometry> resizeGeometry(const ResizeAttributes& attributes, std::span<const int64_t> dims,
                                      const ResizeOperands& operands) {
  if (dims.empty() || dims.size() > kMaxResizeRank)
    return fail(ErrorCode::kNotImplemented, "Resize of rank {} (1 to {} are supported)", dims.size(), kMaxResizeRank);
  CUTAWAY_TRY(const Request request, readRequest(attributes, operands, dims.size()));
  ResizeGeometry geometry;
  geometry.rank = dims.size();
  for (size_t axis = 0; axis < dims.size(); ++axis) {
    geometry.input[axis] = geometry.output[axis] = dims[axis];
    geometry.scale[axis] = geometry.roiEnd[axis] = 1.0;
  }
  for (size_t i = 0; i < request.axes.size(); ++i) {
    const size_t axis = request.axes[i];
    if (request.roi.size() == 2 * request.axes.size()) {
      geometry.roiStart[axis] = request.roi[i];
      geometry.roiEnd[axis] = request.roi[i + request.axes.size()];
    }
    const double size = static_cast<double>(dims[axis]);
    if (!request.sizes.empty()) {
      CUTAWAY_TRY(geometry.output[axis], checkedSize(request.sizes[i], axis, dims[axis]));
      geometry.scale[axis] = dims[axis] > 0 ? request.sizes[i] / size : 1.0;
      continue;
    }
    geometry.scale[axis] = request.scales[i];
    // In floats, as shape inference does it: 10 x 0.7f is 7.
    const float scaled = std::floor(static_cast<float>(size) * static_cast<float>(request.scales[i]));
    CUTAWAY_TRY(geometry.output[axis], checkedSize(static_cast<double>(scaled), axis, dims[axis]));
  }
  if (!request.sizes.empty() && attributes.policy != AspectPolicy::kStretch)
    CUTAWAY_CHECK(keepAspect(request, attributes.policy, geometry));
  return geometry;
}

}  // namespace cutaway::operators
