// Resize (10 to 19) and Upsample (1 to 10), in either layout: sizes, scales and regions are in the order of channels
// first, and turned with the image.

#include "engine/operators/resize.h"

#include "engine/provider/execution_provider.h"
#include "providers/cuda/functors/resize_functors.h"
#include "providers/cuda/gpu_kernel.h"

namespace cutaway::cuda {
namespace {

ResizeCoordinates coordinatesOf(operators::CoordinateMode mode) {
  using operators::CoordinateMode;
  switch (mode) {
    case CoordinateMode::kHalfPixelSymmetric:
      return ResizeCoordinates::kHalfPixelSymmetric;
    case CoordinateMode::kPytorchHalfPixel:
      return ResizeCoordinates::kPytorchHalfPixel;
    case CoordinateMode::kAlignCorners:
      return ResizeCoordinates::kAlignCorners;
    case CoordinateMode::kAsymmetric:
      return ResizeCoordinates::kAsymmetric;
    case CoordinateMode::kCropAndResize:
      return ResizeCoordinates::kCropAndResize;
    case CoordinateMode::kTfHalfPixelForNearest:
      return ResizeCoordinates::kTfHalfPixelForNearest;
    default:
      return ResizeCoordinates::kHalfPixel;
  }
}

ResizeNearest nearestOf(operators::NearestMode mode) {
  using operators::NearestMode;
  switch (mode) {
    case NearestMode::kRoundPreferCeil:
      return ResizeNearest::kRoundPreferCeil;
    case NearestMode::kFloor:
      return ResizeNearest::kFloor;
    case NearestMode::kCeil:
      return ResizeNearest::kCeil;
    case NearestMode::kLegacy:
      return ResizeNearest::kLegacy;
    default:
      return ResizeNearest::kRoundPreferFloor;
  }
}

struct ResizeRule {
  operators::ResizeAttributes attributes;
  bool channelsLast = false;
};

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
  // Where an axis of the channels-first order lies in x.
  size_t placeOf(size_t axis, size_t rank) const {
    return !m_rule.channelsLast || axis == 0 ? axis : axis == 1 ? rank - 1 : axis - 1;
  }

  Result<ResizeParameters> parametersOf(GpuCall& call, const Dims& dims) const {
    const operators::ResizeAttributes& attributes = m_rule.attributes;
    Dims ordered = dims;
    for (size_t axis = 0; axis < dims.size(); ++axis)
      ordered[axis] = dims[placeOf(axis, dims.size())];
    CUTAWAY_TRY(const operators::ResizeGeometry geometry,
                operators::resizeGeometry(attributes, ordered, operators::resizeOperands(attributes, call)));
    ResizeParameters p{.coordinates = coordinatesOf(attributes.coordinates),
                       .nearest = nearestOf(attributes.nearest),
                       .cubic = attributes.mode == operators::ResizeMode::kCubic,
                       .excludeOutside = attributes.excludeOutside,
                       .antialias = attributes.antialias,
                       .cubicA = static_cast<double>(attributes.cubicA),
                       .extrapolation = static_cast<double>(attributes.extrapolation)};
    p.rank = static_cast<int32_t>(geometry.rank);
    int changing = 0;
    for (size_t axis = 0; axis < geometry.rank; ++axis) {
      const size_t place = placeOf(axis, geometry.rank);
      p.input[place] = geometry.input[axis];
      p.output[place] = geometry.output[axis];
      p.scale[place] = geometry.scale[axis];
      p.roiStart[place] = geometry.roiStart[axis];
      p.roiEnd[place] = geometry.roiEnd[axis];
      p.changes[place] = !geometry.identity(axis, attributes);
      changing += p.changes[place];
    }
    constexpr int kMostChanging = 4;
    if (attributes.mode != operators::ResizeMode::kNearest && changing > kMostChanging)
      return fail(ErrorCode::kNotImplemented, "Resize of {} axes at once (up to {} are supported)", changing,
                  kMostChanging);
    return p;
  }

  ResizeRule m_rule;
  std::string m_functor;
  DeviceKernel m_kernel;
};

Result<std::unique_ptr<GpuKernel>> makeResize(const KernelInfo& info) {
  ResizeRule rule{.attributes = {}, .channelsLast = info.node().domain == kChannelsLastDomain};
  CUTAWAY_TRY(rule.attributes, operators::readResizeAttributes(info.node()));
  const bool nearest = rule.attributes.mode == operators::ResizeMode::kNearest;
  if (nearest && rule.attributes.antialias)
    return fail(ErrorCode::kInvalidArgument, "Resize: antialias is for linear and cubic");
  const char* kind = nearest ? "nearest" : "interpolate";
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
