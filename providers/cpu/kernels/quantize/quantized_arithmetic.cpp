// com.microsoft QLinearAdd and QLinearMul: A, scale, zero; B, scale, zero; C scale, zero; C = A op B with numpy's
// broadcasting.

#include "providers/cpu/kernels/elementwise/broadcast.h"
#include "providers/cpu/kernels/quantize/byte_arithmetic.h"
#include "providers/cpu/kernels/quantize/linear_parameters.h"
#include "providers/cpu/kernels/shape/axis_list.h"

namespace cutaway::cpu {
namespace {

constexpr int64_t kGrainElements = 1 << 15;

class QuantizedArithmetic final : public Kernel {
 public:
  explicit QuantizedArithmetic(const KernelInfo& info)
      : m_name(info.node().opType == "QLinearAdd" ? "QLinearAdd" : "QLinearMul"),
        m_isProduct(info.node().opType == "QLinearMul") {}
  std::string_view variant() const override { return "highway"; }

  Result<void> run(KernelContext& context) const override {
    CUTAWAY_TRY(const Tensor* a, requireBytes(context, m_name, 0));
    CUTAWAY_TRY(const Tensor* b, requireBytes(context, m_name, 3));
    if (a->type() != b->type())
      return fail(ErrorCode::kInvalidArgument, "{}: A is of type {}, B of {}", m_name, elementTypeName(a->type()),
                  elementTypeName(b->type()));
    CUTAWAY_TRY(const LinearParameters aLinear, readLinear(context, m_name, 1, 2, a->type()));
    CUTAWAY_TRY(const LinearParameters bLinear, readLinear(context, m_name, 4, 5, a->type()));
    CUTAWAY_TRY(const LinearParameters cLinear, readLinear(context, m_name, 6, 7, a->type()));
    CUTAWAY_TRY(const Dims dims, cpu::broadcastDims({&a->dims(), &b->dims()}));
    CUTAWAY_TRY(const cpu::BroadcastPlan plan, cpu::BroadcastPlan::make({&a->dims(), &b->dims()}, dims));
    CUTAWAY_TRY(Tensor * output, context.output(0, a->type(), dims));
    if (output->elementCount() == 0) return {};
    cpu::ByteArithmeticTerms terms{
        .isSigned = cLinear.isSigned, .zeroA = aLinear.zero, .zeroB = bLinear.zero, .zeroY = cLinear.zero};
    terms.factorA = m_isProduct ? aLinear.scale * bLinear.scale / cLinear.scale : aLinear.scale / cLinear.scale;
    terms.factorB = bLinear.scale / cLinear.scale;
    const uint8_t* left = static_cast<const uint8_t*>(a->data());
    const uint8_t* right = static_cast<const uint8_t*>(b->data());
    uint8_t* to = static_cast<uint8_t*>(output->mutableData());
    const auto loop = m_isProduct ? cpu::byteArithmetic().multiply : cpu::byteArithmetic().add;
    cpu::forEachRun(plan, kGrainElements, [&](int64_t at, const int64_t* offsets, int64_t count) {
      loop({left + offsets[0], plan.step(0)}, {right + offsets[1], plan.step(1)}, count, terms, to + at);
    });
    return {};
  }

 private:
  std::string_view m_name;
  bool m_isProduct;
};

constexpr InplaceHint kInplace[] = {{.input = 0, .output = 0}, {.input = 3, .output = 0}};

constexpr KernelRow kRows[] = {
    {.opType = "QLinearAdd",
     .domain = "com.microsoft",
     .versions = {1},
     .inplace = kInplace,
     .fastPath = "highway",
     .create = makeKernel<QuantizedArithmetic>},
    {.opType = "QLinearMul",
     .domain = "com.microsoft",
     .versions = {1},
     .inplace = kInplace,
     .fastPath = "highway",
     .create = makeKernel<QuantizedArithmetic>},
};

}  // namespace

KernelRows kernel_quantized_arithmetic() {
  return kRows;
}

}  // namespace cutaway::cpu
