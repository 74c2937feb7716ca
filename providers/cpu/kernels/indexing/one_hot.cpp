// OneHot: an axis of `depth` places, off everywhere but at the index. Indices out of range switch nothing on.

#include "engine/operators/one_hot.h"

#include <cmath>

#include "providers/cpu/kernels/shape/axis_list.h"
#include "providers/cpu/kernels/shape/strided_copy.h"

namespace cutaway::cpu {
namespace {

// Any numeric element as an integer; numbers that no index can be become the smallest one.
Result<int64_t> integerAt(const Tensor& tensor, int64_t i) {
  const auto element = [&](auto type) { return static_cast<const decltype(type)*>(tensor.data())[i]; };
  double number = 0;
  switch (tensor.type()) {
    case ElementType::kInt64:
      return element(int64_t{});
    case ElementType::kInt32:
      return element(int32_t{});
    case ElementType::kInt16:
      return element(int16_t{});
    case ElementType::kInt8:
      return element(int8_t{});
    case ElementType::kUint8:
      return element(uint8_t{});
    case ElementType::kUint16:
      return element(uint16_t{});
    case ElementType::kUint32:
      return element(uint32_t{});
    case ElementType::kUint64:
      return static_cast<int64_t>(std::min<uint64_t>(element(uint64_t{}), std::numeric_limits<int64_t>::max()));
    case ElementType::kFloat:
      number = element(float{});
      break;
    case ElementType::kDouble:
      number = element(double{});
      break;
    case ElementType::kFloat16:
      number = element(Float16{}).toFloat();
      break;
    default:
      return fail(ErrorCode::kInvalidArgument, "{} cannot be an index", elementTypeName(tensor.type()));
  }
  constexpr double kBound = 9e18;
  return std::abs(number) < kBound ? static_cast<int64_t>(number) : std::numeric_limits<int64_t>::min();
}

class OneHotKernel final : public Kernel {
 public:
  explicit OneHotKernel(const KernelInfo& info) : m_axis(info.attribute<int64_t>("axis", -1)) {}

  Result<void> run(KernelContext& context) const override {
    CUTAWAY_TRY(const Tensor* indices, requireTensor(context, 0));
    CUTAWAY_TRY(const Tensor* depthTensor, requireTensor(context, 1));
    CUTAWAY_TRY(const Tensor* values, requireTensor(context, 2));
    CUTAWAY_CHECK(operators::checkOneHotOperands(*depthTensor, *values));
    CUTAWAY_TRY(const int64_t depth, integerAt(*depthTensor, 0));
    CUTAWAY_TRY(const operators::OneHotPlacement placed, operators::placeOneHot(indices->dims(), m_axis, depth));
    CUTAWAY_TRY(Tensor * output, context.output(0, values->type(), placed.dims));
    const ElementType type = values->type();
    fillElements(type, values->data(), output->mutableData(), output->elementCount());
    const void* on = elementAt(type, values->data(), 1);
    const int64_t inner = placed.inner;
    const int64_t count = indices->elementCount();
    for (int64_t i = 0; i < count; ++i) {
      CUTAWAY_TRY(int64_t index, integerAt(*indices, i));
      if (index < -depth || index >= depth) continue;
      if (index < 0) index += depth;
      moveElements(type, on, elementAt(type, output->mutableData(), (i / inner * depth + index) * inner + i % inner),
                   1);
    }
    return {};
  }

 private:
  int64_t m_axis;
};

constexpr int kDepthOnHost[] = {1};
constexpr KernelRow kRows[] = {
    {.opType = "OneHot", .versions = {9}, .hostInputs = kDepthOnHost, .create = makeKernel<OneHotKernel>},
};

}  // namespace

KernelRows kernel_one_hot() {
  return kRows;
}

}  // namespace cutaway::cpu
