// MaxUnpool (all versions): each maximum goes back to the place that MaxPool noted; everything else is zero.
//
// Indices count cells of the whole unpooled tensor [N, C, ...] in row-major order. An output_shape that is larger than
// what the attributes give leaves them as they are: the unpooled tensor lies at the origin of the output.

#include <algorithm>

#include "engine/base/checked_math.h"
#include "providers/cpu/kernels/shape/axis_list.h"
#include "providers/cpu/kernels/spatial_window.h"
#include "providers/cpu/kernels/type_dispatch.h"

namespace cutaway {
namespace {

using namespace cpu;

class MaxUnpool final : public Kernel {
 public:
  explicit MaxUnpool(WindowAttributes attributes) : m_attributes(std::move(attributes)) {}

  Result<void> run(KernelContext& context) const override {
    CUTAWAY_TRY(const Tensor* x, requireTensor(context, 0));
    CUTAWAY_TRY(const Tensor* indices, requireTensor(context, 1));
    if (x->dims() != indices->dims())
      return fail(ErrorCode::kInvalidArgument, "MaxUnpool: input {} and indices {} differ in shape",
                  dimsToText(x->dims()), dimsToText(indices->dims()));
    if (indices->type() != ElementType::kInt64)
      return fail(ErrorCode::kInvalidArgument, "MaxUnpool: indices are {}, not int64",
                  elementTypeName(indices->type()));
    CUTAWAY_TRY(const Dims inner, unpooledDims(*x));
    CUTAWAY_TRY(const Dims dims, outputDims(context, inner));
    CUTAWAY_TRY(Tensor * y, context.output(0, x->type(), dims));
    Result<void> result;
    const bool known = dispatchType(FloatTypes{}, x->type(),
                                    [&]<typename T>(TypeTag<T>) { result = scatter<T>(*x, *indices, inner, *y); });
    if (!known) return fail(ErrorCode::kNotImplemented, "MaxUnpool of {} is not covered", elementTypeName(x->type()));
    return result;
  }

 private:
  Result<Dims> unpooledDims(const Tensor& x) const {
    const size_t axes = m_attributes.kernel.size();
    if (x.rank() != axes + 2)
      return fail(ErrorCode::kInvalidArgument, "MaxUnpool: kernel_shape with {} axes does not fit an input {}", axes,
                  dimsToText(x.dims()));
    Dims dims = x.dims();
    for (size_t axis = 0; axis < axes; ++axis) {
      const int64_t stride = m_attributes.strides.empty() ? 1 : m_attributes.strides[axis];
      const int64_t pads = m_attributes.pads.empty() ? 0 : m_attributes.pads[axis] + m_attributes.pads[axes + axis];
      CUTAWAY_TRY(const int64_t steps, checkedMultiply(x.dims()[axis + 2] - 1, stride));
      dims[axis + 2] = steps - pads + m_attributes.kernel[axis];
      if (dims[axis + 2] < 0)
        return fail(ErrorCode::kInvalidArgument, "MaxUnpool: axis {} would have {} cells", axis + 2, dims[axis + 2]);
    }
    return dims;
  }

  static Result<Dims> outputDims(const KernelContext& context, const Dims& inner) {
    const Tensor* given = optionalTensor(context, 2);
    if (given == nullptr) return inner;
    CUTAWAY_TRY(const Dims wanted, readIntegers(*given));
    bool fits = wanted.size() == inner.size();
    for (size_t axis = 0; fits && axis < inner.size(); ++axis)
      fits = wanted[axis] >= inner[axis];
    if (!fits)
      return fail(ErrorCode::kInvalidArgument, "MaxUnpool: output_shape {} does not hold {}", dimsToText(wanted),
                  dimsToText(inner));
    return wanted;
  }

  template <typename T>
  static Result<void> scatter(const Tensor& x, const Tensor& indices, const Dims& inner, Tensor& y) {
    const std::span<T> to = y.span<T>();
    std::fill(to.begin(), to.end(), T{});
    const std::span<const T> from = x.span<T>();
    const std::span<const int64_t> places = indices.span<int64_t>();
    const bool same = y.dims() == inner;
    const int64_t cells = elementCount(inner);
    for (size_t i = 0; i < from.size(); ++i) {
      if (places[i] < 0 || places[i] >= cells)
        return fail(ErrorCode::kInvalidArgument, "MaxUnpool: index {} lies outside the {} cells of {}", places[i],
                    cells, dimsToText(inner));
      to[static_cast<size_t>(same ? places[i] : moved(places[i], inner, y.dims()))] = from[i];
    }
    return {};
  }

  // The same cell counted in a tensor whose axes are longer.
  static int64_t moved(int64_t place, const Dims& inner, const Dims& outer) {
    int64_t result = 0, step = 1;
    for (size_t axis = inner.size(); axis-- > 0;) {
      result += place % inner[axis] * step;
      place /= inner[axis];
      step *= outer[axis];
    }
    return result;
  }

  WindowAttributes m_attributes;
};

Result<std::unique_ptr<Kernel>> createMaxUnpool(const KernelInfo& info) {
  CUTAWAY_TRY(WindowAttributes attributes, readWindowAttributes(info));
  const size_t axes = attributes.kernel.size();
  if (axes == 0) return fail(ErrorCode::kInvalidArgument, "MaxUnpool needs kernel_shape");
  if ((!attributes.strides.empty() && attributes.strides.size() != axes) ||
      (!attributes.pads.empty() && attributes.pads.size() != 2 * axes)) {
    return fail(ErrorCode::kInvalidArgument, "MaxUnpool: strides or pads do not fit {} axes", axes);
  }
  return std::unique_ptr<Kernel>(std::make_unique<MaxUnpool>(std::move(attributes)));
}

constexpr auto kFloats = elementTypes(FloatTypes{});
constexpr TypeRule kRules[] = {{0, kFloats}};
constexpr int kShapeOnHost[] = {2};
constexpr KernelRow kRows[] = {
    {.opType = "MaxUnpool", .versions = {9}, .types = kRules, .hostInputs = kShapeOnHost, .create = createMaxUnpool}};

}  // namespace

KernelRows kernel_max_unpool() {
  return kRows;
}

}  // namespace cutaway
