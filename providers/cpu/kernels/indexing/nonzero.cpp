// NonZero: the coordinates of elements that are not zero, one column each, in row-major order.

#include <cstring>

#include "providers/cpu/kernels/shape/axis_list.h"
#include "providers/cpu/kernels/shape/strided_copy.h"

namespace cutaway {
namespace {

// Calls visit(place) for every element that is not zero. -0.0 is zero; the bits of half kinds are told apart without their sign.
template <typename Visit>
void forEachNonZero(const Tensor& data, Visit&& visit) {
  const int64_t count = data.elementCount();
  const auto scan = [&](auto test) {
    for (int64_t i = 0; i < count; ++i) {
      if (test(i)) visit(i);
    }
  };
  const void* bytes = data.data();
  switch (data.type()) {
    case ElementType::kFloat: scan([p = static_cast<const float*>(bytes)](int64_t i) { return p[i] != 0.0f; }); return;
    case ElementType::kDouble: scan([p = static_cast<const double*>(bytes)](int64_t i) { return p[i] != 0.0; }); return;
    case ElementType::kComplex64: scan([p = static_cast<const float*>(bytes)](int64_t i) { return p[2 * i] != 0.0f || p[2 * i + 1] != 0.0f; }); return;
    case ElementType::kComplex128: scan([p = static_cast<const double*>(bytes)](int64_t i) { return p[2 * i] != 0.0 || p[2 * i + 1] != 0.0; }); return;
    case ElementType::kFloat16:
    case ElementType::kBfloat16: scan([p = static_cast<const uint16_t*>(bytes)](int64_t i) { return (p[i] & 0x7fff) != 0; }); return;
    case ElementType::kString: scan([p = static_cast<const std::string*>(bytes)](int64_t i) { return !p[i].empty(); }); return;
    default: break;
  }
  const int64_t unit = elementBytes(data.type());
  scan([&](int64_t i) {
    uint64_t bits = 0;
    std::memcpy(&bits, static_cast<const std::byte*>(bytes) + i * unit, static_cast<size_t>(std::min<int64_t>(unit, 8)));
    return bits != 0;
  });
}

class NonZeroKernel final : public Kernel {
 public:
  explicit NonZeroKernel(const KernelInfo&) {}

  Result<void> run(KernelContext& context) const override {
    CUTAWAY_TRY(const Tensor* data, requireTensor(context, 0));
    int64_t found = 0;
    forEachNonZero(*data, [&](int64_t) { ++found; });
    const Dims strides = rowMajorStrides(data->dims());
    CUTAWAY_TRY(Tensor * output, context.output(0, ElementType::kInt64, Dims{static_cast<int64_t>(data->rank()), found}));
    int64_t* places = output->span<int64_t>().data();
    int64_t column = 0;
    forEachNonZero(*data, [&](int64_t place) {
      for (size_t axis = 0; axis < strides.size(); ++axis) {
        places[static_cast<int64_t>(axis) * found + column] = place / strides[axis];
        place %= strides[axis];
      }
      ++column;
    });
    return {};
  }
};

constexpr KernelRow kRows[] = {
    {.opType = "NonZero", .versions = {9}, .create = makeKernel<NonZeroKernel>},
};

}  // namespace

KernelRows kernel_nonzero() { return kRows; }

}  // namespace cutaway
