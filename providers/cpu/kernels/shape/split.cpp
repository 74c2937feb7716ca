// Split: pieces along an axis. Lengths come from an attribute (2, 11), an input (1, 13, 18), the number of outputs, or
// num_outputs (18). A piece that the plan has made a view of its part of the data is not moved.

#include "engine/operators/join_and_split.h"
#include "providers/cpu/kernels/shape/axis_list.h"
#include "providers/cpu/kernels/shape/strided_copy.h"

namespace cutaway::cpu {
namespace {

class SplitKernel final : public Kernel {
 public:
  explicit SplitKernel(const KernelInfo& info) : m_settings(info.node()), m_outputs(info.outputCount()) {}
  std::string_view variant() const override { return "copy"; }

  Result<void> run(KernelContext& context) const override {
    CUTAWAY_TRY(const Tensor* data, requireTensor(context, 0));
    CUTAWAY_TRY(const operators::SplitPieces pieces, m_settings.place(data->dims(), optionalTensor(context, 1)));
    const size_t axis = pieces.axis;
    const Dims& lengths = pieces.lengths;
    const int64_t rows = productOf(data->dims(), 0, axis);
    const int64_t inner = productOf(data->dims(), axis + 1, data->rank());
    Dims dims = data->dims();
    int64_t start = 0;
    for (size_t i = 0; i < m_outputs; ++i) {
      const int64_t row = lengths[i] * inner;
      if (context.hasOutput(i)) {
        dims[axis] = lengths[i];
        CUTAWAY_TRY(Tensor * output, context.output(i, data->type(), dims));
        const void* piece = elementAt(data->type(), data->data(), start);
        if (rows != 1 || output->data() != piece) {
          moveStrided(
              data->type(),
              {.dims = Dims{rows, row}, .fromStrides = Dims{data->dims()[axis] * inner, 1}, .toStrides = Dims{row, 1}},
              piece, output->mutableData());
        }
      }
      start += row;
    }
    return {};
  }

 private:
  operators::SplitSettings m_settings;
  size_t m_outputs;
};

constexpr int kLengthsOnHost[] = {1};
constexpr InplaceHint kSplits[] = {{.input = 0, .output = InplaceHint::kEveryOutput, .kind = AliasKind::kSplit}};
constexpr KernelRow kRows[] = {
    {.opType = "Split",
     .versions = {1},
     .inplace = kSplits,
     .hostInputs = kLengthsOnHost,
     .fastPath = "copy",
     .create = makeKernel<SplitKernel>},
};

}  // namespace

KernelRows kernel_split() {
  return kRows;
}

}  // namespace cutaway::cpu
