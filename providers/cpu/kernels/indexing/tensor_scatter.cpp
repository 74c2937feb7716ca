// TensorScatter: a key or value cache with new steps written at each batch entry's place, straight on or around in a
// circle.

#include "engine/operators/scatter.h"
#include "engine/tensor/packed_bits.h"
#include "providers/cpu/kernels/shape/axis_list.h"
#include "providers/cpu/kernels/shape/strided_copy.h"

namespace cutaway::cpu {
namespace {

class TensorScatterKernel final : public Kernel {
 public:
  static Result<std::unique_ptr<Kernel>> create(const KernelInfo& info) {
    CUTAWAY_TRY(const operators::CacheUpdate settings, operators::CacheUpdate::read(info.node()));
    return std::unique_ptr<Kernel>(std::make_unique<TensorScatterKernel>(settings));
  }
  explicit TensorScatterKernel(const operators::CacheUpdate& settings) : m_settings(settings) {}
  std::string_view variant() const override { return "copy"; }

  Result<void> run(KernelContext& context) const override {
    CUTAWAY_TRY(const Tensor* past, requireTensor(context, 0));
    CUTAWAY_TRY(const Tensor* update, requireTensor(context, 1));
    const Tensor* given = optionalTensor(context, 2);
    CUTAWAY_TRY(const size_t axis, m_settings.place(*past, *update, given));
    if (past->elementCount() == 0) return context.output(0, past->type(), past->dims()).map([](Tensor*) {});
    Dims starts = filledList(static_cast<size_t>(past->dims()[0]), 0);
    if (given != nullptr) {
      CUTAWAY_TRY(starts, readIntegers(*given));
    }
    const int64_t capacity = past->dims()[axis];
    const int64_t steps = update->dims()[axis];
    for (const int64_t start : starts) {
      const int64_t bound = m_settings.circular() ? capacity - 1 : capacity - steps;
      if (start < 0 || (start > bound && steps > 0))
        return fail(ErrorCode::kInvalidArgument, "write index {} is outside [0, {}]", start, bound);
    }
    CUTAWAY_TRY(Tensor * output, context.output(0, past->type(), past->dims()));
    const ElementType type = past->type();
    moveElements(type, past->data(), output->mutableData(), past->elementCount());
    const int64_t inner = productOf(past->dims(), axis + 1, past->rank());
    const int64_t prefixes = productOf(past->dims(), 1, axis);
    for (int64_t entry = 0; entry < past->dims()[0]; ++entry) {
      const int64_t start = starts[static_cast<size_t>(entry)];
      const int64_t straight = std::min(steps, capacity - start);
      for (int64_t p = entry * prefixes; p < (entry + 1) * prefixes; ++p) {
        const auto write = [&](int64_t fromStep, int64_t toStep, int64_t count) {
          if (isSubByte(type))
            return movePacked(bitsOf(type), *update, (p * steps + fromStep) * inner, *output,
                              (p * capacity + toStep) * inner, count * inner);
          moveElements(type, elementAt(type, update->data(), (p * steps + fromStep) * inner),
                       elementAt(type, output->mutableData(), (p * capacity + toStep) * inner), count * inner);
        };
        write(0, start, straight);
        write(straight, 0, steps - straight);
      }
    }
    return {};
  }

 private:
  static void movePacked(int bits, const Tensor& from, int64_t fromFirst, Tensor& to, int64_t toFirst, int64_t count) {
    const auto* source = static_cast<const uint8_t*>(from.data());
    auto* target = static_cast<uint8_t*>(to.mutableData());
    for (int64_t i = 0; i < count; ++i)
      setPackedBits(target, toFirst + i, bits, packedBits(source, fromFirst + i, bits));
  }

  operators::CacheUpdate m_settings;
};

constexpr InplaceHint kInplace[] = {{0, 0, AliasKind::kMayInplace}};
constexpr int kIndicesOnHost[] = {2};
constexpr KernelRow kRows[] = {
    {.opType = "TensorScatter",
     .versions = {24},
     .inplace = kInplace,
     .hostInputs = kIndicesOnHost,
     .fastPath = "copy",
     .create = TensorScatterKernel::create},
};

}  // namespace

KernelRows kernel_tensor_scatter() {
  return kRows;
}

}  // namespace cutaway::cpu
