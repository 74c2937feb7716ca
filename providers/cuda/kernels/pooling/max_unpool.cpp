// MaxUnpool: each maximum goes back to the place that MaxPool noted; everything else is zero.

#include "engine/base/checked_math.h"
#include "providers/cuda/functors/planes_functors.h"
#include "providers/cuda/kernels/pooling/pooling_rows.h"

namespace cutaway::cuda {
namespace {

class MaxUnpool final : public GpuKernel {
 public:
  MaxUnpool(WindowAttributes attributes, std::string functor)
      : m_attributes(std::move(attributes)), m_functor(std::move(functor)) {}
  std::string_view variant() const override { return m_functor; }

  Result<void> prepare(const KernelInfo&, GpuResources& resources) override {
    CUTAWAY_TRY(m_kernel, resources.find(m_functor));
    return {};
  }

  Result<void> launch(GpuCall& call) const override {
    const Tensor &x = *call.input(0), &places = *call.input(1);
    if (x.dims() != places.dims() || places.type() != ElementType::kInt64)
      return fail(ErrorCode::kInvalidArgument, "MaxUnpool: input {} and indices {} ({}) do not fit",
                  dimsToText(x.dims()), dimsToText(places.dims()), elementTypeName(places.type()));
    CUTAWAY_TRY(const Dims inner, unpooledDims(x.dims()));
    Dims outer = inner;
    if (const Tensor* given = call.inputCount() > 2 ? call.input(2) : nullptr) {
      outer.assign(given->span<int64_t>());
      bool fits = outer.size() == inner.size();
      for (size_t axis = 0; fits && axis < inner.size(); ++axis)
        fits = outer[axis] >= inner[axis];
      if (!fits)
        return fail(ErrorCode::kInvalidArgument, "MaxUnpool: output_shape {} does not hold {}", dimsToText(outer),
                    dimsToText(inner));
    }
    CUTAWAY_TRY(Tensor * y, call.output(0, outer));
    if (y->elementCount() == 0) return {};
    CUTAWAY_CHECK(call.fill(y->mutableData(), 0, static_cast<size_t>(y->sizeBytes())));
    UnpoolParameters p{.x = x.data(),
                       .places = static_cast<const int64_t*>(places.data()),
                       .y = y->mutableData(),
                       .count = x.elementCount(),
                       .cells = elementCount(inner)};
    if (!(outer == inner)) {
      p.rank = static_cast<int32_t>(inner.size());
      std::copy(inner.begin(), inner.end(), p.inner);
      std::copy(outer.begin(), outer.end(), p.outer);
    }
    return call.launch(m_kernel, p);
  }

 private:
  Result<Dims> unpooledDims(const Dims& x) const {
    const size_t axes = m_attributes.kernel.size();
    if (x.size() != axes + 2)
      return fail(ErrorCode::kInvalidArgument, "MaxUnpool: kernel_shape with {} axes does not fit an input {}", axes,
                  dimsToText(x));
    Dims dims = x;
    for (size_t axis = 0; axis < axes; ++axis) {
      const int64_t stride = m_attributes.strides.empty() ? 1 : m_attributes.strides[axis];
      const int64_t pads = m_attributes.pads.empty() ? 0 : m_attributes.pads[axis] + m_attributes.pads[axes + axis];
      CUTAWAY_TRY(const int64_t steps, checkedMultiply(x[axis + 2] - 1, stride));
      dims[axis + 2] = steps - pads + m_attributes.kernel[axis];
      if (dims[axis + 2] < 0)
        return fail(ErrorCode::kInvalidArgument, "MaxUnpool: axis {} would have {} cells", axis + 2, dims[axis + 2]);
    }
    return dims;
  }

  WindowAttributes m_attributes;
  std::string m_functor;
  DeviceKernel m_kernel;
};

Result<std::unique_ptr<GpuKernel>> makeMaxUnpool(const KernelInfo& info) {
  CUTAWAY_TRY(WindowAttributes attributes, readWindowAttributes(info));
  const size_t axes = attributes.kernel.size();
  if (axes == 0) return fail(ErrorCode::kInvalidArgument, "MaxUnpool needs kernel_shape");
  if (axes > 6) return fail(ErrorCode::kNotImplemented, "MaxUnpool over {} spatial axes (1 to 6 are supported)", axes);
  if ((!attributes.strides.empty() && attributes.strides.size() != axes) ||
      (!attributes.pads.empty() && attributes.pads.size() != 2 * axes)) {
    return fail(ErrorCode::kInvalidArgument, "MaxUnpool: strides or pads do not fit {} axes", axes);
  }
  return std::make_unique<MaxUnpool>(std::move(attributes),
                                     fmt::format("planes.unpool.{}", bitsOf(info.inputElement(0)) / 8));
}

constexpr int kShapeOnHost[] = {2};

}  // namespace

KernelRows kernel_max_unpool() {
  static constexpr KernelRow rows[] = {{.opType = "MaxUnpool",
                                        .versions = {9},
                                        .types = kPooledRules,
                                        .hostInputs = kShapeOnHost,
                                        .fastPath = "cuda",
                                        .create = gpuKernel<makeMaxUnpool>}};
  return rows;
}

}  // namespace cutaway::cuda
