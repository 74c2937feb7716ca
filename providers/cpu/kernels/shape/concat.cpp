// Concat: inputs one after the other along an axis. Each is one strided move into its place; what the plan has put
// there already stays as it is.

#include <array>
#include <cstring>

#include "engine/base/parallel.h"
#include "engine/operators/join_and_split.h"
#include "engine/provider/channels_last.h"
#include "providers/cpu/kernels/channels_last.h"
#include "providers/cpu/kernels/shape/axis_list.h"
#include "providers/cpu/kernels/shape/strided_copy.h"

namespace cutaway::cpu {
namespace {

class ConcatKernel final : public Kernel {
 public:
  explicit ConcatKernel(int64_t axis) : m_axis(axis) {}
  std::string_view variant() const override { return "copy"; }

  Result<void> run(KernelContext& context) const override {
    CUTAWAY_TRY(const operators::JoinedDims joined, operators::joinedDims(context, m_axis));
    const Dims& dims = joined.dims;
    const size_t axis = joined.axis;
    CUTAWAY_TRY(Tensor * output, context.output(0, context.input(0)->type(), dims));
    const int64_t inner = productOf(dims, axis + 1, dims.size());
    if (productOf(dims, 0, axis) > 1 && joinRows(context, dims, axis, *output)) return {};
    int64_t start = 0;
    for (size_t i = 0; i < context.inputCount(); ++i) {
      const Tensor& input = *context.input(i);
      const int64_t row = input.dims()[axis] * inner;
      const int64_t rows = productOf(dims, 0, axis);
      void* place = elementAt(input.type(), output->mutableData(), start);
      if (rows != 1 || input.data() != place) {
        moveStrided(input.type(),
                    {.dims = Dims{rows, row}, .fromStrides = Dims{row, 1}, .toStrides = Dims{dims[axis] * inner, 1}},
                    input.data(), place);
      }
      start += row;
    }
    return {};
  }

 private:
  // Row by row, so that the output is written once from its begin to its end; false: too many inputs, or elements that
  // are no whole bytes.
  static bool joinRows(KernelContext& context, const Dims& dims, size_t axis, Tensor& output) {
    constexpr size_t kMostParts = 16;
    const int64_t width = elementBytes(output.type());
    const size_t count = context.inputCount();
    if (count > kMostParts || width == 0 || output.type() == ElementType::kString) return false;
    struct Part {
      const std::byte* from;
      size_t bytes;  // of a row
    };
    std::array<Part, kMostParts> parts;
    const int64_t rows = productOf(dims, 0, axis), inner = productOf(dims, axis + 1, dims.size()) * width;
    for (size_t i = 0; i < count; ++i) {
      const Tensor& input = *context.input(i);
      parts[i] = {static_cast<const std::byte*>(input.data()), static_cast<size_t>(input.dims()[axis] * inner)};
    }
    auto* const target = static_cast<std::byte*>(output.mutableData());
    const int64_t rowBytes = dims[axis] * inner;
    parallelFor(rows, std::max<int64_t>(1, (int64_t{1} << 15) / std::max<int64_t>(1, rowBytes)),
                [&](int64_t begin, int64_t end) {
                  for (int64_t row = begin; row < end; ++row) {
                    std::byte* to = target + row * rowBytes;
                    for (size_t i = 0; i < count; to += parts[i++].bytes)
                      std::memcpy(to, parts[i].from + static_cast<size_t>(row) * parts[i].bytes, parts[i].bytes);
                  }
                });
    return true;
  }

  int64_t m_axis;
};

Result<std::unique_ptr<Kernel>> createConcat(const KernelInfo& info) {
  // Version 1 lets the axis be left out.
  int64_t axis = info.attribute<int64_t>("axis", 1);
  if (liesChannelsLast(info)) axis = channelsLastAxis(axis, info.outputType(0).shape->rank());
  return inChannelsLastOrder(std::make_unique<ConcatKernel>(axis), info);
}

constexpr InplaceHint kJoins[] = {{.input = InplaceHint::kEveryInput, .output = 0, .kind = AliasKind::kJoin}};
constexpr KernelRow kRows[] = {
    {.opType = "Concat", .versions = {1}, .inplace = kJoins, .fastPath = "copy", .create = createConcat},
};

}  // namespace

KernelRows kernel_concat() {
  return kRows;
}

}  // namespace cutaway::cpu
