// com.microsoft GatedRMSNorm: each run of as many elements as the scale has is divided by its root mean square, scaled,
// and multiplied by an activation of the gate.

#include "providers/cpu/kernels/elementwise/pointwise.h"
#include "providers/cpu/kernels/normalization/norm_row.h"
#include "providers/cpu/kernels/normalization/row_tasks.h"
#include "providers/cpu/kernels/through_float.h"
#include "providers/cpu/kernels/type_lists.h"

namespace cutaway::cpu {
namespace {

class GatedRmsNorm final : public Kernel {
 public:
  GatedRmsNorm(cpu::PointwiseOp gate, float epsilon) : m_gate(cpu::floatLoop(gate)), m_epsilon(epsilon) {}
  std::string_view variant() const override { return "highway"; }

  Result<void> run(KernelContext& context) const override {
    const Tensor &x = *context.input(0), &scale = *context.input(1), &gate = *context.input(2);
    const int64_t count = scale.elementCount();
    if (scale.rank() != 1 || x.rank() == 0 || count < 1 || x.dims()[x.rank() - 1] % count != 0) {
      return fail(ErrorCode::kInvalidArgument, "GatedRMSNorm: the last axis of {} is no multiple of the scale {}",
                  dimsToText(x.dims()), dimsToText(scale.dims()));
    }
    if (!(gate.dims() == x.dims()) || gate.type() != x.type() || scale.type() != x.type())
      return fail(ErrorCode::kInvalidArgument, "GatedRMSNorm: gate is {}, the input {}", dimsToText(gate.dims()),
                  dimsToText(x.dims()));
    CUTAWAY_TRY(Tensor * y, context.output(0, x.dims()));
    const int64_t rows = x.elementCount() / count;
    if (rows == 0) return {};
    const RowTasks tasks(rows, count);
    CUTAWAY_TRY(std::span<std::byte> scratch,
                context.scratch(static_cast<size_t>(count * tasks.count()) * sizeof(float)));
    const float *source = x.span<float>().data(), *gates = gate.span<float>().data();
    float *target = y->span<float>().data(), *opened = reinterpret_cast<float*>(scratch.data());
    const RowRule<float> rule{
        .scale = scale.span<float>().data(), .shift = nullptr, .epsilon = m_epsilon, .centered = false};
    tasks.run([&](int64_t task, int64_t begin, int64_t end) {
      float* open = opened + task * count;
      for (int64_t row = begin; row < end; ++row) {
        float* to = target + row * count;
        m_gate(gates + row * count, open, count, {.alpha = 1.0});
        normalizeRow(source + row * count, rule, to, count);
        for (int64_t i = 0; i < count; ++i)
          to[i] *= open[i];
      }
    });
    return {};
  }

 private:
  cpu::FloatLoop m_gate;
  float m_epsilon;
};

Result<std::unique_ptr<Kernel>> create(const KernelInfo& info) {
  const std::string activation = info.attribute<std::string>("activation", "silu");
  if (activation != "silu" && activation != "swish" && activation != "sigmoid")
    return fail(ErrorCode::kInvalidArgument, "GatedRMSNorm: unknown activation '{}'", activation);
  if (!info.hasInput(1) || !info.hasInput(2))
    return fail(ErrorCode::kInvalidArgument, "GatedRMSNorm needs scale and gate");
  return std::make_unique<GatedRmsNorm>(activation == "sigmoid" ? cpu::PointwiseOp::kSigmoid : cpu::PointwiseOp::kSwish,
                                        info.attribute<float>("epsilon", 1e-5f));
}

// A row of either is read before the same row of the output is written.
constexpr InplaceHint kInplace[] = {{.input = 0, .output = 0}, {.input = 2, .output = 0}};

constexpr KernelRow kRows[] = {
    {.opType = "GatedRMSNorm",
     .domain = "com.microsoft",
     .versions = {1},
     .types = kFloatInput,
     .inplace = kInplace,
     .fastPath = "highway",
     .create = create},
    {.opType = "GatedRMSNorm",
     .domain = "com.microsoft",
     .versions = {1},
     .types = kHalfInput,
     .inplace = kInplace,
     .fastPath = "highway",
     .create = createThroughFloat<create>},
};

}  // namespace

KernelRows kernel_gated_rms_norm() {
  return kRows;
}

}  // namespace cutaway::cpu
