// Trilu: the upper or lower triangle of matrices, zeros elsewhere.

#include <cstring>
#include <string>

#include "engine/base/parallel.h"
#include "providers/cpu/kernels/shape/axis_list.h"
#include "providers/cpu/kernels/shape/strided_copy.h"

namespace cutaway::cpu {
namespace {

class TriluKernel final : public Kernel {
 public:
  explicit TriluKernel(const KernelInfo& info) : m_upper(info.attribute<int64_t>("upper", 1) != 0) {}
  std::string_view variant() const override { return "threads"; }

  Result<void> run(KernelContext& context) const override {
    CUTAWAY_TRY(const Tensor* data, requireTensor(context, 0));
    const size_t rank = data->rank();
    if (rank < 2)
      return fail(ErrorCode::kInvalidArgument, "Trilu needs matrices, the input is {}", dimsToText(data->dims()));
    if (isSubByte(data->type()))
      return fail(ErrorCode::kInvalidArgument, "Trilu does not take {}", elementTypeName(data->type()));
    int64_t diagonal = 0;
    if (const Tensor* k = optionalTensor(context, 1)) {
      CUTAWAY_TRY(diagonal, readInteger(*k));
    }
    const int64_t rows = data->dims()[rank - 2];
    const int64_t columns = data->dims()[rank - 1];
    diagonal = std::clamp(diagonal, -rows, columns);
    CUTAWAY_TRY(Tensor * output, context.output(0, data->type(), data->dims()));
    if (output->elementCount() == 0) return {};
    if (data->type() == ElementType::kString) {
      keepStrings(data->span<std::string>(), output->span<std::string>(), rows, columns, diagonal);
      return {};
    }
    const int64_t unit = elementBytes(data->type());
    const std::byte* from = static_cast<const std::byte*>(data->data());
    std::byte* to = static_cast<std::byte*>(output->mutableData());
    constexpr int64_t kGrainBytes = 1 << 16;
    parallelFor(
        productOf(data->dims(), 0, rank - 1), std::max<int64_t>(1, kGrainBytes / std::max<int64_t>(1, columns * unit)),
        [&](int64_t begin, int64_t end) {
          for (int64_t row = begin; row < end; ++row) {
            // Column where the upper triangle begins, or the lower one ends.
            const int64_t edge = std::clamp<int64_t>(row % rows + diagonal + (m_upper ? 0 : 1), 0, columns) * unit;
            const int64_t start = row * columns * unit;
            const int64_t keptBegin = start + (m_upper ? edge : 0);
            const int64_t keptEnd = start + (m_upper ? columns * unit : edge);
            std::memset(to + start, 0, static_cast<size_t>(keptBegin - start));
            if (from != to) std::memcpy(to + keptBegin, from + keptBegin, static_cast<size_t>(keptEnd - keptBegin));
            std::memset(to + keptEnd, 0, static_cast<size_t>(start + columns * unit - keptEnd));
          }
        });
    return {};
  }

 private:
  // The zero of strings is the empty one.
  void keepStrings(std::span<const std::string> from, std::span<std::string> to, int64_t rows, int64_t columns,
                   int64_t diagonal) const {
    for (size_t i = 0; i < from.size(); ++i) {
      const int64_t place = static_cast<int64_t>(i) % columns - static_cast<int64_t>(i) / columns % rows - diagonal;
      if (m_upper ? place >= 0 : place <= 0)
        to[i] = from[i];
      else
        to[i].clear();
    }
  }

  bool m_upper;
};

constexpr InplaceHint kInplace[] = {{0, 0, AliasKind::kMayInplace}};
constexpr int kDiagonalOnHost[] = {1};
constexpr KernelRow kRows[] = {
    {.opType = "Trilu",
     .versions = {14},
     .inplace = kInplace,
     .hostInputs = kDiagonalOnHost,
     .fastPath = "threads",
     .create = makeKernel<TriluKernel>},
    {.opType = "Trilu",
     .domain = "com.microsoft",
     .versions = {1},
     .inplace = kInplace,
     .hostInputs = kDiagonalOnHost,
     .fastPath = "threads",
     .create = makeKernel<TriluKernel>},
};

}  // namespace

KernelRows kernel_trilu() {
  return kRows;
}

}  // namespace cutaway::cpu
