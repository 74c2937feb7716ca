// EyeLike: ones on a diagonal of a matrix as large as the input, zeros elsewhere.

#include <cstring>

#include "engine/operators/constants.h"
#include "providers/cpu/kernels/shape/axis_list.h"
#include "providers/cpu/kernels/shape/strided_copy.h"

namespace cutaway::cpu {
namespace {

// The bytes of 1 in a numeric type; false for types that have no such thing.
bool oneOf(ElementType type, std::byte* bytes) {
  const auto put = [bytes](auto value) { std::memcpy(bytes, &value, sizeof value); };
  switch (type) {
    case ElementType::kFloat:
      put(1.0f);
      return true;
    case ElementType::kDouble:
      put(1.0);
      return true;
    case ElementType::kFloat16:
      put(Float16::fromFloat(1.0f));
      return true;
    case ElementType::kBfloat16:
      put(Bfloat16::fromFloat(1.0f));
      return true;
    case ElementType::kComplex64:
      put(1.0f);
      return true;
    case ElementType::kComplex128:
      put(1.0);
      return true;
    case ElementType::kFloat8E4M3FN:
    case ElementType::kFloat8E4M3FNUZ:
    case ElementType::kFloat8E5M2:
    case ElementType::kFloat8E5M2FNUZ:
      put(floatToNarrow(type, 1.0f, true));
      return true;
    default:
      put(int8_t{1});
      return (isInteger(type) && !isSubByte(type)) ||
             type == ElementType::kBool;  // little endian: the low byte comes first
  }
}

class EyeLikeKernel final : public Kernel {
 public:
  explicit EyeLikeKernel(const KernelInfo& info)
      : m_type(static_cast<ElementType>(info.attribute<int64_t>("dtype", 0))),
        m_shift(info.attribute<int64_t>("k", 0)) {}

  Result<void> run(KernelContext& context) const override {
    CUTAWAY_TRY(const Tensor* input, requireTensor(context, 0));
    CUTAWAY_TRY(const operators::Diagonal diagonal, operators::diagonalOf(input->dims(), m_shift));
    const ElementType type = m_type == ElementType::kUndefined ? input->type() : m_type;
    std::byte one[16] = {};
    if (!oneOf(type, one)) return fail(ErrorCode::kInvalidArgument, "EyeLike cannot make {}", elementTypeName(type));
    CUTAWAY_TRY(Tensor * output, context.output(0, type, input->dims()));
    std::memset(output->mutableData(), 0, static_cast<size_t>(output->sizeBytes()));
    for (int64_t i = 0; i < diagonal.count; ++i) {
      const int64_t place = diagonal.first + i * (input->dims()[1] + 1);
      moveElements(type, one, elementAt(type, output->mutableData(), place), 1);
    }
    return {};
  }

 private:
  ElementType m_type;
  int64_t m_shift;
};

constexpr int kOnlyDims[] = {0};
constexpr KernelRow kRows[] = {
    {.opType = "EyeLike", .versions = {9}, .shapeOnlyInputs = kOnlyDims, .create = makeKernel<EyeLikeKernel>},
};

}  // namespace

KernelRows kernel_eye_like() {
  return kRows;
}

}  // namespace cutaway::cpu
