// MaxUnpool (all versions): each maximum goes back to the place that MaxPool noted; everything else is zero.
//
// Indices count cells of the whole unpooled tensor [N, C, ...] in row-major order. An output_shape that is larger than
// what the attributes give leaves them as they are: the unpooled tensor lies at the origin of the output.

#include "engine/operators/max_unpool.h"

#include <algorithm>

#include "providers/cpu/kernels/shape/axis_list.h"
#include "providers/cpu/kernels/spatial_window.h"
#include "providers/cpu/kernels/type_dispatch.h"

namespace cutaway::cpu {
namespace {

using namespace cpu;

class MaxUnpool final : public Kernel {
 public:
  explicit MaxUnpool(WindowAttributes attributes) : m_attributes(std::move(attributes)) {}

  Result<void> run(KernelContext& context) const override {
    CUTAWAY_TRY(const Tensor* x, requireTensor(context, 0));
    CUTAWAY_TRY(const Tensor* indices, requireTensor(context, 1));
    CUTAWAY_TRY(const operators::UnpooledDims dims,
                operators::unpooledDims(m_attributes, *x, *indices, optionalTensor(context, 2)));
    CUTAWAY_TRY(Tensor * y, context.output(0, x->type(), dims.outer));
    Result<void> result;
    const bool known = dispatchType(FloatTypes{}, x->type(),
                                    [&]<typename T>(TypeTag<T>) { result = scatter<T>(*x, *indices, dims.inner, *y); });
    if (!known) return fail(ErrorCode::kNotImplemented, "MaxUnpool of {} is not covered", elementTypeName(x->type()));
    return result;
  }

 private:
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
  CUTAWAY_TRY(WindowAttributes attributes, operators::readMaxUnpoolAttributes(info.node()));
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

}  // namespace cutaway::cpu
