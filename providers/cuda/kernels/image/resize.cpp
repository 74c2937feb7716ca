// Resize (10 to 19) and Upsample (1 to 10), in either layout: sizes, scales and regions are in the order of channels
// first, and turned with the image.

#include <algorithm>
#include <cmath>

#include "engine/provider/execution_provider.h"
#include "providers/cuda/functors/resize_functors.h"
#include "providers/cuda/gpu_kernel.h"

namespace cutaway::cuda {
namespace {

template <typename Value>
struct Named {
  std::string_view name;
  Value value;
};
template <typename Value, size_t count>
Result<Value> named(std::string_view attribute, const std::string& text, const Named<Value> (&known)[count]) {
  for (const auto& each : known) {
    if (each.name == text) return each.value;
  }
  return fail(ErrorCode::kNotImplemented, "{} '{}' is not supported", attribute, text);
}

enum class Mode { kNearest, kLinear, kCubic };
enum class Policy { kStretch, kNotLarger, kNotSmaller };
constexpr Named<Mode> kModes[] = {
    {"nearest", Mode::kNearest}, {"linear", Mode::kLinear}, {"bilinear", Mode::kLinear}, {"cubic", Mode::kCubic}};
constexpr Named<Policy> kPolicies[] = {
    {"stretch", Policy::kStretch}, {"not_larger", Policy::kNotLarger}, {"not_smaller", Policy::kNotSmaller}};
constexpr Named<ResizeNearest> kNearest[] = {{"round_prefer_floor", ResizeNearest::kRoundPreferFloor},
                                             {"round_prefer_ceil", ResizeNearest::kRoundPreferCeil},
                                             {"floor", ResizeNearest::kFloor},
                                             {"ceil", ResizeNearest::kCeil}};
constexpr Named<ResizeCoordinates> kCoordinates[] = {
    {"half_pixel", ResizeCoordinates::kHalfPixel},
    {"half_pixel_symmetric", ResizeCoordinates::kHalfPixelSymmetric},
    {"pytorch_half_pixel", ResizeCoordinates::kPytorchHalfPixel},
    {"align_corners", ResizeCoordinates::kAlignCorners},
    {"tf_half_pixel_for_nn", ResizeCoordinates::kTfHalfPixelForNearest},
    {"asymmetric", ResizeCoordinates::kAsymmetric},
    {"tf_crop_and_resize", ResizeCoordinates::kCropAndResize}};

struct ResizeRule {
  Mode mode = Mode::kNearest;
  Policy policy = Policy::kStretch;
  ResizeParameters fixed;  // modes
  std::vector<int64_t> axes;
  std::vector<double> constantScales;
  int roiSlot = -1, scalesSlot = -1, sizesSlot = -1;
  bool channelsLast = false;
};

Result<ResizeRule> readRule(const KernelInfo& info) {
  const auto text = [&](std::string_view name, std::string otherwise) {
    return info.attribute<std::string>(name, std::move(otherwise));
  };
  ResizeRule rule;
  rule.channelsLast = info.node().domain == kChannelsLastDomain;
  CUTAWAY_TRY(rule.mode, named("mode", text("mode", "nearest"), kModes));
  rule.fixed.cubic = rule.mode == Mode::kCubic;
  const bool upsample = info.node().opType == "Upsample";
  const int32_t version = info.node().sinceVersion;
  if (upsample || version < 11) {
    rule.fixed.coordinates = ResizeCoordinates::kAsymmetric;
    rule.fixed.nearest = ResizeNearest::kLegacy;
    if (rule.mode == Mode::kCubic)
      return fail(ErrorCode::kNotImplemented, "mode 'cubic' does not exist in this version");
    if (upsample && version < 7) {
      rule.constantScales = {1.0, 1.0, static_cast<double>(info.attribute<float>("height_scale", 1.0f)),
                             static_cast<double>(info.attribute<float>("width_scale", 1.0f))};
    } else if (upsample && version < 9) {
      for (const float scale : info.attribute<std::vector<float>>("scales", {}))
        rule.constantScales.push_back(static_cast<double>(scale));
    } else {
      rule.scalesSlot = 1;
    }
    return rule;
  }
  CUTAWAY_TRY(rule.fixed.coordinates, named("coordinate_transformation_mode",
                                            text("coordinate_transformation_mode", "half_pixel"), kCoordinates));
  CUTAWAY_TRY(rule.fixed.nearest, named("nearest_mode", text("nearest_mode", "round_prefer_floor"), kNearest));
  CUTAWAY_TRY(rule.policy, named("keep_aspect_ratio_policy", text("keep_aspect_ratio_policy", "stretch"), kPolicies));
  rule.fixed.cubicA = static_cast<double>(info.attribute<float>("cubic_coeff_a", -0.75f));
  rule.fixed.excludeOutside = info.attribute<int64_t>("exclude_outside", 0) != 0;
  rule.fixed.antialias = info.attribute<int64_t>("antialias", 0) != 0;
  rule.fixed.extrapolation = static_cast<double>(info.attribute<float>("extrapolation_value", 0.0f));
  rule.axes = info.attribute<std::vector<int64_t>>("axes", {});
  rule.roiSlot = 1;
  rule.scalesSlot = 2;
  rule.sizesSlot = 3;
  return rule;
}

class Resize final : public GpuKernel {
 public:
  Resize(ResizeRule rule, std::string functor) : m_rule(std::move(rule)), m_functor(std::move(functor)) {}
  std::string_view variant() const override { return m_functor; }

  Result<void> prepare(const KernelInfo&, GpuResources& resources) override {
    CUTAWAY_TRY(m_kernel, resources.find(m_functor));
    return {};
  }

  Result<void> launch(GpuCall& call) const override {
    const Tensor& x = *call.input(0);
    if (x.rank() == 0 || x.rank() > kMaximumRank)
      return fail(ErrorCode::kNotImplemented, "Resize of rank {} (1 to {} are supported)", x.rank(), kMaximumRank);
    CUTAWAY_TRY(ResizeParameters p, parametersOf(call, x.dims()));
    CUTAWAY_TRY(Tensor * y, call.output(0, std::span<const int64_t>(p.output, x.rank())));
    p.x = x.data();
    p.y = y->mutableData();
    p.count = y->elementCount();
    return call.launch(m_kernel, p);
  }

 private:
  // As doubles; empty when absent.
  static Result<std::vector<double>> numbers(GpuCall& call, int slot) {
    const Tensor* tensor =
        slot >= 0 && static_cast<size_t>(slot) < call.inputCount() ? call.input(static_cast<size_t>(slot)) : nullptr;
    std::vector<double> values;
    if (tensor == nullptr) return values;
    switch (tensor->type()) {
      case ElementType::kFloat:
        values.assign(tensor->span<float>().begin(), tensor->span<float>().end());
        break;
      case ElementType::kDouble:
        values.assign(tensor->span<double>().begin(), tensor->span<double>().end());
        break;
      case ElementType::kInt64:
        for (const int64_t each : tensor->span<int64_t>())
          values.push_back(static_cast<double>(each));
        break;
      case ElementType::kFloat16:
        for (const Float16 each : tensor->span<Float16>())
          values.push_back(static_cast<double>(each.toFloat()));
        break;
      case ElementType::kBfloat16:
        for (const Bfloat16 each : tensor->span<Bfloat16>())
          values.push_back(static_cast<double>(each.toFloat()));
        break;
      default:
        return fail(ErrorCode::kInvalidArgument, "Resize: scales, sizes or roi of {}", elementTypeName(tensor->type()));
    }
    return values;
  }

  // Where an axis of the channels-first order lies in x.
  size_t placeOf(size_t axis, size_t rank) const {
    return !m_rule.channelsLast || axis == 0 ? axis : axis == 1 ? rank - 1 : axis - 1;
  }

  Result<ResizeParameters> parametersOf(GpuCall& call, const Dims& dims) const {
    const size_t rank = dims.size();
    CUTAWAY_TRY(std::vector<double> scales, numbers(call, m_rule.scalesSlot));
    if (!m_rule.constantScales.empty()) scales = m_rule.constantScales;
    CUTAWAY_TRY(const std::vector<double> sizes, numbers(call, m_rule.sizesSlot));
    CUTAWAY_TRY(const std::vector<double> roi, numbers(call, m_rule.roiSlot));
    std::vector<size_t> axes;
    for (const int64_t axis : m_rule.axes) {
      const int64_t counted = axis < 0 ? axis + static_cast<int64_t>(rank) : axis;
      if (counted < 0 || counted >= static_cast<int64_t>(rank))
        return fail(ErrorCode::kInvalidArgument, "Resize: axis {} of a tensor of rank {}", axis, rank);
      axes.push_back(placeOf(static_cast<size_t>(counted), rank));
    }
    for (size_t axis = 0; m_rule.axes.empty() && axis < rank; ++axis)
      axes.push_back(placeOf(axis, rank));
    const size_t count = axes.size();
    const bool crops = m_rule.fixed.coordinates == ResizeCoordinates::kCropAndResize;
    if (scales.empty() == sizes.empty() || (scales.empty() ? sizes : scales).size() != count)
      return fail(ErrorCode::kInvalidArgument, "Resize needs either scales or sizes, for {} axes", count);
    if (crops && roi.size() != 2 * count)
      return fail(ErrorCode::kInvalidArgument, "Resize: tf_crop_and_resize needs roi for {} axes", count);
    ResizeParameters p = m_rule.fixed;
    p.rank = static_cast<int32_t>(rank);
    for (size_t axis = 0; axis < rank; ++axis) {
      p.input[axis] = p.output[axis] = dims[axis];
      p.scale[axis] = p.roiEnd[axis] = 1.0;
    }
    for (size_t i = 0; i < count; ++i) {
      const size_t axis = axes[i];
      if (roi.size() == 2 * count) {
        p.roiStart[axis] = roi[i];
        p.roiEnd[axis] = roi[i + count];
      }
      if (sizes.empty() && (!(scales[i] > 0) || !std::isfinite(scales[i])))
        return fail(ErrorCode::kInvalidArgument, "Resize: scale {}", scales[i]);
      p.scale[axis] = !sizes.empty() ? (dims[axis] > 0 ? sizes[i] / static_cast<double>(dims[axis]) : 1.0) : scales[i];
      // In floats, as shape inference does it: 10 x 0.7f is 7.
      const double size =
          !sizes.empty()
              ? sizes[i]
              : static_cast<double>(std::floor(static_cast<float>(dims[axis]) * static_cast<float>(scales[i])));
      if (!(size >= 0) || size > 0x1p40 || (dims[axis] == 0 && size > 0))
        return fail(ErrorCode::kInvalidArgument, "Resize: axis {} would have {} elements", axis, size);
      p.output[axis] = static_cast<int64_t>(size);
    }
    if (!sizes.empty() && m_rule.policy != Policy::kStretch) keepAspect(axes, p);
    int changing = 0;
    for (size_t axis = 0; axis < rank; ++axis) {
      const bool identity = p.input[axis] == p.output[axis] && std::abs(p.scale[axis] - 1.0) < 1e-9 &&
                            (!crops || (p.roiStart[axis] == 0.0 && p.roiEnd[axis] == 1.0));
      p.changes[axis] = !identity;
      changing += !identity;
    }
    constexpr int kMostChanging = 4;
    if (m_rule.mode != Mode::kNearest && changing > kMostChanging)
      return fail(ErrorCode::kNotImplemented, "Resize of {} axes at once (up to {} are supported)", changing,
                  kMostChanging);
    return p;
  }

  // One scale for all axes where the aspect ratio is kept.
  void keepAspect(std::span<const size_t> axes, ResizeParameters& p) const {
    double common = p.scale[axes.front()];
    for (const size_t axis : axes)
      common = m_rule.policy == Policy::kNotLarger ? std::min(common, p.scale[axis]) : std::max(common, p.scale[axis]);
    for (const size_t axis : axes) {
      p.scale[axis] = common;
      p.output[axis] = static_cast<int64_t>(std::floor(common * static_cast<double>(p.input[axis]) + 0.5));
    }
  }

  ResizeRule m_rule;
  std::string m_functor;
  DeviceKernel m_kernel;
};

Result<std::unique_ptr<GpuKernel>> makeResize(const KernelInfo& info) {
  CUTAWAY_TRY(ResizeRule rule, readRule(info));
  if (rule.mode == Mode::kNearest && rule.fixed.antialias)
    return fail(ErrorCode::kInvalidArgument, "Resize: antialias is for linear and cubic");
  const char* kind = rule.mode == Mode::kNearest ? "nearest" : "interpolate";
  return std::make_unique<Resize>(std::move(rule),
                                  fmt::format("resize.{}.{}", kind, functorType(info.inputElement(0))));
}

constexpr int kResizeOnHost[] = {1, 2, 3};
constexpr int kUpsampleOnHost[] = {1};
constexpr ElementType kTypes[] = {ElementType::kFloat,  ElementType::kFloat16, ElementType::kBfloat16,
                                  ElementType::kDouble, ElementType::kInt8,    ElementType::kUint8,
                                  ElementType::kInt32};
constexpr TypeRule kRules[] = {{0, kTypes}};

}  // namespace

KernelRows kernel_resize() {
  static constexpr KernelRow rows[] = {
      {.opType = "Resize",
       .versions = {10},
       .types = kRules,
       .hostInputs = kResizeOnHost,
       .fastPath = "cuda",
       .create = gpuKernel<makeResize>},
      {.opType = "Upsample",
       .versions = {1},
       .types = kRules,
       .hostInputs = kUpsampleOnHost,
       .fastPath = "cuda",
       .create = gpuKernel<makeResize>},
      {.opType = "Resize",
       .domain = kChannelsLastDomain,
       .versions = {10},
       .types = kRules,
       .hostInputs = kResizeOnHost,
       .fastPath = "cuda",
       .create = gpuKernel<makeResize>},
      {.opType = "Upsample",
       .domain = kChannelsLastDomain,
       .versions = {1},
       .types = kRules,
       .hostInputs = kUpsampleOnHost,
       .fastPath = "cuda",
       .create = gpuKernel<makeResize>},
  };
  return rows;
}

}  // namespace cutaway::cuda
