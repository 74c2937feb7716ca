// BitCast: the same bytes seen as another element type of the same width.

#include <cstring>

#include "engine/operators/cast.h"
#include "engine/provider/kernel.h"

namespace cutaway::cpu {

namespace {

constexpr InplaceHint kInPlace[] = {{0, 0, AliasKind::kMayInplace}};

class BitCastKernel final : public Kernel {
 public:
  explicit BitCastKernel(ElementType to) : m_to(to) {}

  Result<void> run(KernelContext& context) const override {
    const Tensor& x = *context.input(0);
    CUTAWAY_TRY(Tensor * y, context.output(0, m_to, x.dims()));
    if (x.sizeBytes() > 0 && y->data() != x.data())
      std::memcpy(y->mutableData(), x.data(), static_cast<size_t>(x.sizeBytes()));
    return {};
  }
  std::string_view variant() const override { return "copy"; }

 private:
  ElementType m_to;
};

Result<std::unique_ptr<Kernel>> create(const KernelInfo& info) {
  CUTAWAY_TRY(const ElementType to, operators::bitCastTarget(info.node(), info.inputElement(0)));
  return std::make_unique<BitCastKernel>(to);
}

}  // namespace

KernelRows kernel_bit_cast() {
  static constexpr KernelRow rows[] = {
      {.opType = "BitCast", .versions = {26}, .inplace = kInPlace, .fastPath = "copy", .create = create}};
  return rows;
}

}  // namespace cutaway::cpu
