// ReverseSequence: the first lens[b] steps of every batch entry backwards, the rest as it is.

#include "engine/operators/reverse_sequence.h"

#include "providers/cpu/kernels/shape/axis_list.h"
#include "providers/cpu/kernels/shape/strided_copy.h"

namespace cutaway::cpu {
namespace {

class ReverseSequenceKernel final : public Kernel {
 public:
  explicit ReverseSequenceKernel(const KernelInfo& info) : m_settings(info.node()) {}
  std::string_view variant() const override { return "copy"; }

  Result<void> run(KernelContext& context) const override {
    CUTAWAY_TRY(const Tensor* data, requireTensor(context, 0));
    CUTAWAY_TRY(const Tensor* lengthTensor, requireTensor(context, 1));
    CUTAWAY_TRY(const operators::ReversedAxes axes, m_settings.place(*data, *lengthTensor));
    const size_t batchAxis = axes.batch, timeAxis = axes.time;
    const int64_t batch = data->dims()[batchAxis];
    const int64_t steps = data->dims()[timeAxis];
    CUTAWAY_TRY(Tensor * output, context.output(0, data->type(), data->dims()));
    const Dims strides = rowMajorStrides(data->dims());
    for (int64_t entry = 0; entry < batch; ++entry) {
      const int64_t length = lengthTensor->span<int64_t>()[static_cast<size_t>(entry)];
      if (length < 0 || length > steps)
        return fail(ErrorCode::kInvalidArgument, "length {} of batch entry {} is outside [0, {}]", length, entry,
                    steps);
      StridedMove move{data->dims(), strides, strides};
      move.dims[batchAxis] = 1;
      const int64_t base = entry * strides[batchAxis];
      if (length > 0) {
        move.dims[timeAxis] = length;
        move.fromStrides[timeAxis] = -strides[timeAxis];
        moveStrided(data->type(), move, elementAt(data->type(), data->data(), base + (length - 1) * strides[timeAxis]),
                    elementAt(data->type(), output->mutableData(), base));
      }
      move.dims[timeAxis] = steps - length;
      move.fromStrides[timeAxis] = strides[timeAxis];
      const int64_t rest = base + length * strides[timeAxis];
      if (length < steps)
        moveStrided(data->type(), move, elementAt(data->type(), data->data(), rest),
                    elementAt(data->type(), output->mutableData(), rest));
    }
    return {};
  }

 private:
  operators::ReverseSettings m_settings;
};

constexpr int kLengthsOnHost[] = {1};
constexpr KernelRow kRows[] = {
    {.opType = "ReverseSequence",
     .versions = {10},
     .hostInputs = kLengthsOnHost,
     .fastPath = "copy",
     .create = makeKernel<ReverseSequenceKernel>},
};

}  // namespace

KernelRows kernel_reverse_sequence() {
  return kRows;
}

}  // namespace cutaway::cpu
