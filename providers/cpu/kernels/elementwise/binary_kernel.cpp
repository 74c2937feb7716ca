#include "providers/cpu/kernels/elementwise/binary_kernel.h"

#include <atomic>
#include <limits>

#include "providers/cpu/kernels/channels_last.h"

namespace cutaway::cpu {

Result<void> runBinary(const BinaryDefinition& definition, const Tensor& a, const Dims& aDims, const Tensor& b,
                       const Dims& bDims, Tensor& y) {
  CUTAWAY_TRY(const BroadcastPlan plan, BroadcastPlan::make({&aDims, &bDims}, y.dims()));
  const int64_t aBytes = bitsOf(a.type()) / 8;
  const int64_t bBytes = bitsOf(b.type()) / 8;
  const int64_t yBytes = bitsOf(y.type()) / 8;
  const auto* left = static_cast<const std::byte*>(a.data());
  const auto* right = static_cast<const std::byte*>(b.data());
  auto* target = static_cast<std::byte*>(y.mutableData());
  const int aStep = plan.step(0);
  const int bStep = plan.step(1);
  constexpr int64_t kNone = std::numeric_limits<int64_t>::max();
  std::atomic<int64_t> failed{kNone};
  forEachRun(plan, definition.grain, [&](int64_t at, const int64_t* offsets, int64_t count) {
    const int64_t position = definition.loop(left + offsets[0] * aBytes, right + offsets[1] * bBytes,
                                             target + at * yBytes, count, aStep, bStep);
    if (position < 0) return;
    int64_t known = failed.load();
    while (at + position < known && !failed.compare_exchange_weak(known, at + position)) {
    }
  });
  if (failed != kNone) return fail(ErrorCode::kInvalidArgument, "{} at element {}", definition.failure, failed.load());
  return {};
}

namespace {

class BinaryKernel final : public Kernel {
 public:
  BinaryKernel(const BinaryDefinition& definition, const LegacyBroadcast& legacy, ElementType left, ElementType right)
      : m_definition(definition), m_legacy(legacy), m_left(left), m_right(right) {}

  Result<void> run(KernelContext& context) const override {
    const Tensor& a = *context.input(0);
    const Tensor& b = *context.input(1);
    if (a.type() != m_left || b.type() != m_right) {
      return fail(ErrorCode::kInvalidArgument, "the kernel was made for {} and {}, and got {} and {}",
                  elementTypeName(m_left), elementTypeName(m_right), elementTypeName(a.type()),
                  elementTypeName(b.type()));
    }
    CUTAWAY_TRY(const Dims bDims, m_legacy.align(a.dims(), b.dims()));
    CUTAWAY_TRY(const Dims dims, broadcastDims({&a.dims(), &bDims}));
    const Dims aDims = a.dims();
    CUTAWAY_TRY(Tensor * y, context.output(0, m_definition.outputType, dims));
    return runBinary(m_definition, a, aDims, b, bDims, *y);
  }
  std::string_view variant() const override { return m_definition.variant; }

 private:
  BinaryDefinition m_definition;
  LegacyBroadcast m_legacy;
  ElementType m_left;
  ElementType m_right;
};

}  // namespace

Result<std::unique_ptr<Kernel>> makeBinaryKernel(const KernelInfo& info, const BinaryDefinition& definition,
                                                 bool legacyBroadcast) {
  const ElementType type =
      definition.inputType != ElementType::kUndefined ? definition.inputType : commonElementType(info);
  if (definition.loop == nullptr)
    return fail(ErrorCode::kNotImplemented, "{} of {} is not covered", info.node().opType, elementTypeName(type));
  // A type that only the run knows is taken to be the other one; the run checks.
  const ElementType second = info.inputElement(1) == ElementType::kUndefined ? type : info.inputElement(1);
  return inChannelsLastOrder(
      std::make_unique<BinaryKernel>(definition, LegacyBroadcast::of(info.node(), legacyBroadcast), type, second),
      info);
}

}  // namespace cutaway::cpu
