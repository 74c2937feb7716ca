// RotaryEmbedding of ai.onnx and com.microsoft.

#include "engine/operators/rotary_embedding.h"

#include "providers/cuda/kernels/attention/attention_run.h"

namespace cutaway::cuda {
namespace {

using operators::kMicrosoftRotaryForm;
using operators::kRotaryForm;
using operators::RotaryForm;
using operators::RotaryLayout;
using operators::RotarySettings;

class RotaryKernel final : public GpuKernel {
 public:
  RotaryKernel(const RotaryForm& form, RotarySettings settings, ElementType type)
      : m_form(form), m_settings(std::move(settings)), m_type(type) {}

  Result<void> prepare(const KernelInfo&, GpuResources& resources) override { return m_run.prepare(resources, m_type); }
  std::string_view variant() const override { return "rotary"; }

  Result<void> launch(GpuCall& call) const override {
    const Tensor &x = *call.input(0), &cosine = *call.input(m_form.cosine), &sine = *call.input(m_form.sine);
    const Tensor* positions = optionalInput(call, m_form.positions);
    CUTAWAY_TRY(const RotaryLayout layout,
                operators::rotaryLayout(m_form, m_settings, x.dims(), cosine.dims(), sine.dims(),
                                        positions != nullptr ? &positions->dims() : nullptr));
    CUTAWAY_TRY(Tensor * y, call.output(0, x.dims()));
    RotaryParameters p{.x = x.data(),
                       .y = y->mutableData(),
                       .cosine = cosine.data(),
                       .sine = sine.data(),
                       .heads = layout.heads,
                       .tokens = layout.sequence,
                       .size = layout.size,
                       .half = layout.angles,
                       .tableRows = layout.tableRows,
                       .positions = positions == nullptr ? nullptr : static_cast<const int64_t*>(positions->data()),
                       .onePosition = layout.oneStart,
                       .rowPerToken = positions == nullptr,
                       .interleaved = m_settings.interleaved,
                       .count = layout.batch * layout.sequence * layout.heads * (layout.size - layout.angles)};
    if (positions != nullptr && p.tableRows == 0 && p.count > 0)
      return fail(ErrorCode::kInvalidArgument, "RotaryEmbedding: the caches have no rows");
    setStrides(p.strideX, rowsOf(x, layout.steps));
    setStrides(p.strideY, rowsOf(x, layout.steps));
    return m_run.rotate(call, p);
  }

 private:
  RotaryForm m_form;
  RotarySettings m_settings;
  AttentionRun m_run;
  ElementType m_type;
};

template <const RotaryForm& form>
Result<std::unique_ptr<GpuKernel>> makeRotary(const KernelInfo& info) {
  CUTAWAY_TRY(RotarySettings settings, operators::readRotary(form, info.graph(), info.node()));
  return std::make_unique<RotaryKernel>(form, std::move(settings), info.inputElement(0));
}

constexpr TypeRule kTypes[] = {{0, kAttentionTypes}};
constexpr InplaceHint kOverInput[] = {{.input = 0, .output = 0}};

}  // namespace

KernelRows kernel_rotary_embedding() {
  static constexpr KernelRow rows[] = {
      {.opType = "RotaryEmbedding",
       .versions = {23},
       .types = kTypes,
       .inplace = kOverInput,
       .fastPath = "cuda",
       .create = gpuKernel<makeRotary<kRotaryForm>>},
      {.opType = "RotaryEmbedding",
       .domain = "com.microsoft",
       .types = kTypes,
       .inplace = kOverInput,
       .fastPath = "cuda",
       .create = gpuKernel<makeRotary<kMicrosoftRotaryForm>>},
  };
  return rows;
}

}  // namespace cutaway::cuda
