// GridSample (16 on, and com.microsoft): the input read at the places that a grid of its own type names.

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
    const size_t rank = x->rank();
    const bool fits = rank >= 3 && grid->rank() == rank && grid->dims()[0] == x->dims()[0] &&
                      grid->dims()[rank - 1] == static_cast<int64_t>(rank) - 2;
    if (!fits)
      return fail(ErrorCode::kInvalidArgument, "a grid {} does not fit an input {}", dimsToText(grid->dims()),
                  dimsToText(x->dims()));
    if (rank > kMaximumRank)
      return fail(ErrorCode::kNotImplemented, "GridSample of rank {} (up to {} are supported)", rank, kMaximumRank);
    SampleParameters p = m_fixed;
    Dims dims = grid->dims();
    dims[1] = p.channels = x->dims()[1];
    p.axes = static_cast<int32_t>(rank - 2);
    p.places = 1;
    bool empty = false;
    for (size_t axis = 0; axis + 2 < rank; ++axis) {
      dims[axis + 2] = grid->dims()[axis + 1];
      p.places *= dims[axis + 2];
      p.cells[axis] = x->dims()[axis + 2];
      empty = empty || p.cells[axis] == 0;
    }
    CUTAWAY_TRY(Tensor * y, call.output(0, dims));
    p.count = y->elementCount();
    if (p.count == 0) return {};
    if (empty)
      return fail(ErrorCode::kInvalidArgument, "an empty input {} has nothing to sample", dimsToText(x->dims()));
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
  SampleParameters fixed;
  const std::string mode = info.attribute<std::string>("mode", "linear"),
                    padding = info.attribute<std::string>("padding_mode", "zeros");
  if (mode == "nearest")
    fixed.mode = SampleMode::kNearest;
  else if (mode == "cubic" || mode == "bicubic")
    fixed.mode = SampleMode::kCubic;
  else if (mode != "linear" && mode != "bilinear")
    return fail(ErrorCode::kNotImplemented, "mode '{}' is unknown", mode);
  if (padding == "border")
    fixed.padding = SamplePadding::kBorder;
  else if (padding == "reflection")
    fixed.padding = SamplePadding::kReflection;
  else if (padding != "zeros")
    return fail(ErrorCode::kNotImplemented, "padding_mode '{}' is unknown", padding);
  // ai.onnx moves the place to the border, com.microsoft the taps around it.
  fixed.tapsOnly = fixed.mode == SampleMode::kCubic && !info.node().domain.empty();
  fixed.alignCorners = info.attribute<int64_t>("align_corners", 0) != 0;
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
