// NonZero: the coordinates of elements that are not zero, one column each, in row-major order.

#include <cstring>

#include "providers/cpu/kernels/shape/axis_list.h"
#include "providers/cpu/kernels/shape/strided_copy.h"

namespace cutaway::cpu {
namespace {

// Calls visit(test) with a test of places. -0.0 is zero; the bits of half kinds are told apart without their sign.
template <typename Scan>
void withTest(const Tensor& data, Scan&& scan) {
  const void* bytes = data.data();
  switch (data.type()) {
    case ElementType::kFloat:
      scan([p = static_cast<const float*>(bytes)](int64_t i) { return p[i] != 0.0f; });
      return;
    case ElementType::kDouble:
      scan([p = static_cast<const double*>(bytes)](int64_t i) { return p[i] != 0.0; });
      return;
    case ElementType::kComplex64:
      scan([p = static_cast<const float*>(bytes)](int64_t i) { return p[2 * i] != 0.0f || p[2 * i + 1] != 0.0f; });
      return;
    case ElementType::kComplex128:
      scan([p = static_cast<const double*>(bytes)](int64_t i) { return p[2 * i] != 0.0 || p[2 * i + 1] != 0.0; });
      return;
    case ElementType::kFloat16:
    case ElementType::kBfloat16:
      scan([p = static_cast<const uint16_t*>(bytes)](int64_t i) { return (p[i] & 0x7fff) != 0; });
      return;
    case ElementType::kString:
      scan([p = static_cast<const std::string*>(bytes)](int64_t i) { return !p[i].empty(); });
      return;
    default:
      break;
  }
  const int64_t unit = elementBytes(data.type());
  if (unit == 1) return scan([p = static_cast<const uint8_t*>(bytes)](int64_t i) { return p[i] != 0; });
  if (unit == 4) return scan([p = static_cast<const int32_t*>(bytes)](int64_t i) { return p[i] != 0; });
  if (unit == 8) return scan([p = static_cast<const int64_t*>(bytes)](int64_t i) { return p[i] != 0; });
  scan([&](int64_t i) {
    uint64_t bits = 0;
    std::memcpy(&bits, static_cast<const std::byte*>(bytes) + i * unit,
                static_cast<size_t>(std::min<int64_t>(unit, 8)));
    return bits != 0;
  });
}

int64_t countNonZero(const Tensor& data) {
  int64_t found = 0;
  withTest(data, [&](auto test) {
    for (int64_t i = 0, count = data.elementCount(); i < count; ++i)
      found += test(i) ? 1 : 0;
  });
  return found;
}

// Every place is written where the next one found belongs, and stays there when it is one: no branch to foretell.
void listNonZero(const Tensor& data, int64_t* places, int64_t found) {
  withTest(data, [&](auto test) {
    int64_t next = 0;
    for (int64_t i = 0; next < found; ++i) {
      places[next] = i;
      next += test(i) ? 1 : 0;
    }
  });
}

// quotients = values / divisor, values = the rest. Values rise, so that a quotient is mostly the one before it.
void divideOut(int64_t* values, int64_t* quotients, int64_t count, int64_t divisor) {
  int64_t quotient = 0;
  int64_t base = 0;
  for (int64_t i = 0; i < count; ++i) {
    int64_t rest = values[i] - base;
    if (rest < 0 || rest >= divisor) {
      quotient = values[i] / divisor;
      base = quotient * divisor;
      rest = values[i] - base;
    }
    quotients[i] = quotient;
    values[i] = rest;
  }
}

class NonZeroKernel final : public Kernel {
 public:
  explicit NonZeroKernel(const KernelInfo&) {}

  Result<void> run(KernelContext& context) const override {
    CUTAWAY_TRY(const Tensor* data, requireTensor(context, 0));
    const int64_t found = countNonZero(*data);
    const Dims strides = rowMajorStrides(data->dims());
    CUTAWAY_TRY(Tensor * output,
                context.output(0, ElementType::kInt64, Dims{static_cast<int64_t>(data->rank()), found}));
    int64_t* places = output->span<int64_t>().data();
    if (found == 0 || data->rank() == 0) return {};
    // Places first, in the last row; they become coordinates from there, the last row's own at the end.
    const size_t last = strides.size() - 1;
    int64_t* flat = places + static_cast<int64_t>(last) * found;
    listNonZero(*data, flat, found);
    for (size_t axis = 0; axis < last; ++axis)
      divideOut(flat, places + static_cast<int64_t>(axis) * found, found, strides[axis]);
    return {};
  }
};

constexpr KernelRow kRows[] = {
    {.opType = "NonZero", .versions = {9}, .create = makeKernel<NonZeroKernel>},
};

}  // namespace

KernelRows kernel_nonzero() {
  return kRows;
}

}  // namespace cutaway::cpu
