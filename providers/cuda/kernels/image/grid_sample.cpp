// GridSample (16 on, and com.microsoft): the input read at the places that a grid of its own type names.

#include "engine/operators/grid_sample.h"

#include "providers/cuda/functors/sample_functors.h"
#include "providers/cuda/kernels/axis_list.h"

namespace cutaway::cuda {
namespace {

class GridSampleKernel final : public GpuKernel {
 public:
  GridSampleKernel(const SampleParameters& fixed, std::string functor)
      : m_fixed(fixed), m_functor(std::move(functor)) {}
  std::string_view variant() const override { return m_functor; }

  Result<void> prepare(const KernelInfo&, GpuResources& resources) override {
    CUTAWAY_TRY(m_kernel, resources.find(m_functor));
    return {};
  }

  Result<void> launch(GpuCall& call) const override {
    CUTAWAY_TRY(const Tensor* x, requireTensor(call, 0));
    CUTAWAY_TRY(const Tensor* grid, requireTensor(call, 1));
    CUTAWAY_TRY(const Dims dims, operators::sampledDims(x->dims(), grid->dims()));
    const size_t rank = x->rank();
    SampleParameters p = m_fixed;
    p.channels = dims[1];
    p.axes = static_cast<int32_t>(rank - 2);
    p.places = productOf(dims, 2, rank);
    for (size_t axis = 0; axis + 2 < rank; ++axis)
      p.cells[axis] = x->dims()[axis + 2];
    CUTAWAY_TRY(Tensor * y, call.output(0, dims));
    p.count = y->elementCount();
    if (p.count == 0) return {};
    p.x = x->data();
    p.grid = grid->data();
    p.y = y->mutableData();
    return call.launch(m_kernel, p);
  }

 private:
  SampleParameters m_fixed;
  std::string m_functor;
  DeviceKernel m_kernel;
};

Result<std::unique_ptr<GpuKernel>> makeGridSample(const KernelInfo& info) {
  if (info.inputElement(1) != info.inputElement(0)) {
    return fail(ErrorCode::kNotImplemented, "the input is {} and the grid {}: both must have one type",
                elementTypeName(info.inputElement(0)), elementTypeName(info.inputElement(1)));
  }
  CUTAWAY_TRY(const operators::SampleSettings settings, operators::readSampleSettings(info.node()));
  SampleParameters fixed;
  fixed.mode = settings.mode == operators::SampleMode::kNearest ? SampleMode::kNearest
               : settings.mode == operators::SampleMode::kCubic ? SampleMode::kCubic
                                                                : SampleMode::kLinear;
  fixed.padding = settings.padding == operators::SamplePadding::kBorder       ? SamplePadding::kBorder
                  : settings.padding == operators::SamplePadding::kReflection ? SamplePadding::kReflection
                                                                              : SamplePadding::kZeros;
  fixed.tapsOnly = settings.tapsOnly;
  fixed.alignCorners = settings.alignCorners;
  return std::make_unique<GridSampleKernel>(fixed, fmt::format("grid_sample.{}", functorType(info.inputElement(0))));
}

constexpr ElementType kTypes[] = {ElementType::kFloat, ElementType::kFloat16, ElementType::kBfloat16,
                                  ElementType::kDouble};
constexpr TypeRule kRules[] = {{0, kTypes}};

}  // namespace

KernelRows kernel_grid_sample() {
  static constexpr KernelRow rows[] = {
      {.opType = "GridSample",
       .versions = {16},
       .types = kRules,
       .fastPath = "cuda",
       .create = gpuKernel<makeGridSample>},
      {.opType = "GridSample",
       .domain = "com.microsoft",
       .versions = {1},
       .types = kRules,
       .fastPath = "cuda",
       .create = gpuKernel<makeGridSample>},
  };
  return rows;
}

}  // namespace cutaway::cuda
