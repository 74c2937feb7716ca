// Transpose: axes in another order. Sub-byte elements are moved as bytes.

#include "engine/operators/transpose.h"

#include "providers/cpu/kernels/shape/axis_list.h"
#include "providers/cpu/kernels/shape/strided_copy.h"
#include "providers/cpu/kernels/shape/sub_byte.h"

namespace cutaway::cpu {
namespace {

class TransposeKernel final : public Kernel {
 public:
  explicit TransposeKernel(const KernelInfo& info) : m_order(info.node()) {}
  std::string_view variant() const override { return "copy"; }

  Result<void> run(KernelContext& context) const override {
    CUTAWAY_TRY(const Tensor* data, requireTensor(context, 0));
    CUTAWAY_TRY(const StridedMove move, m_order.move(data->dims()));
    CUTAWAY_TRY(Tensor * output, context.output(0, data->type(), move.dims));
    if (isSubByte(data->type())) return moveSubByte(context, *data, move, *output);
    moveStrided(data->type(), move, data->data(), output->mutableData());
    return {};
  }

 private:
  static Result<void> moveSubByte(KernelContext& context, const Tensor& data, const StridedMove& move, Tensor& output) {
    const int64_t count = data.elementCount();
    CUTAWAY_TRY(const std::span<std::byte> memory, context.scratch(static_cast<size_t>(2 * count)));
    uint8_t* bytes = reinterpret_cast<uint8_t*>(memory.data());
    const int bits = bitsOf(data.type());
    unpackBits(bits, static_cast<const uint8_t*>(data.data()), bytes, count);
    moveStrided(ElementType::kUint8, move, bytes, bytes + count);
    packBits(bits, bytes + count, static_cast<uint8_t*>(output.mutableData()), count);
    return {};
  }

  operators::TransposeOrder m_order;
};

constexpr KernelRow kRows[] = {
    {.opType = "Transpose", .versions = {1}, .fastPath = "copy", .create = makeKernel<TransposeKernel>},
};

}  // namespace

KernelRows kernel_transpose() {
  return kRows;
}

}  // namespace cutaway::cpu
