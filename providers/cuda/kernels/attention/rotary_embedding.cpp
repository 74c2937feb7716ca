// RotaryEmbedding of ai.onnx and com.microsoft.

#include "providers/cuda/kernels/attention/attention_run.h"

namespace cutaway::cuda {
namespace {

struct Form {
  size_t cosine, sine, positions;
  bool microsoft;
};
constexpr Form kStandard{1, 2, 3, false}, kMicrosoft{2, 3, 1, true};

class RotaryKernel final : public GpuKernel {
 public:
  RotaryKernel(const KernelInfo& info, const Form& form)
      : m_form(form),
        m_type(info.inputElement(0)),
        m_heads(info.attribute<int64_t>("num_heads", 0)),
        m_rotary(info.attribute<int64_t>("rotary_embedding_dim", 0)),
        m_interleaved(info.attribute<int64_t>("interleaved", 0) != 0) {}

  Result<void> prepare(const KernelInfo&, GpuResources& resources) override { return m_run.prepare(resources, m_type); }
  std::string_view variant() const override { return "rotary"; }

  Result<void> launch(GpuCall& call) const override {
    const Tensor &x = *call.input(0), &cosine = *call.input(m_form.cosine), &sine = *call.input(m_form.sine);
    const Tensor* positions = optionalInput(call, m_form.positions);
    const Dims& dims = x.dims();
    if (dims.size() != 3 && dims.size() != 4)
      return fail(ErrorCode::kInvalidArgument, "RotaryEmbedding: the input is {}, not 3-D or 4-D", dimsToText(dims));
    int64_t heads = dims.size() == 4 ? dims[1] : m_heads;
    if (heads == 0 && m_form.microsoft && cosine.rank() == 2 && cosine.dims()[1] > 0)
      heads = dims[2] / (2 * cosine.dims()[1]);
    if (heads <= 0 || (dims.size() == 3 && dims[2] % heads != 0))
      return fail(ErrorCode::kInvalidArgument, "RotaryEmbedding: {} heads do not divide the input {}", heads,
                  dimsToText(dims));
    const int64_t tokens = dims.size() == 4 ? dims[2] : dims[1], size = dims.size() == 4 ? dims[3] : dims[2] / heads,
                  rotary = m_rotary > 0 ? m_rotary : size, half = rotary / 2;
    if (rotary > size || rotary % 2 != 0)
      return fail(ErrorCode::kInvalidArgument, "RotaryEmbedding: {} channels of {} cannot be rotated in pairs", rotary,
                  size);
    const bool table = positions != nullptr && cosine.rank() == 2 && cosine.dims()[1] == half,
               each = positions == nullptr && cosine.dims() == Dims{dims[0], tokens, half};
    if (!(table || each) || sine.dims() != cosine.dims()) {
      return fail(ErrorCode::kInvalidArgument,
                  "RotaryEmbedding: caches of {} and {} do not give {} angles for {} batches of {} tokens",
                  dimsToText(cosine.dims()), dimsToText(sine.dims()), half, dims[0], tokens);
    }
    const bool start = positions != nullptr && m_form.microsoft && positions->dims() == Dims{1};
    if (positions != nullptr && !start && positions->dims() != Dims{dims[0], tokens})
      return fail(ErrorCode::kInvalidArgument, "RotaryEmbedding: position_ids is {} for {} batches of {} tokens",
                  dimsToText(positions->dims()), dims[0], tokens);
    CUTAWAY_TRY(Tensor * y, call.output(0, dims));
    RotaryParameters p{.x = x.data(),
                       .y = y->mutableData(),
                       .cosine = cosine.data(),
                       .sine = sine.data(),
                       .heads = heads,
                       .tokens = tokens,
                       .size = size,
                       .half = half,
                       .tableRows = table ? cosine.dims()[0] : 0,
                       .positions = positions == nullptr ? nullptr : static_cast<const int64_t*>(positions->data()),
                       .onePosition = start,
                       .rowPerToken = each,
                       .interleaved = m_interleaved,
                       .count = dims[0] * tokens * heads * (size - half)};
    if (table && p.tableRows == 0 && p.count > 0)
      return fail(ErrorCode::kInvalidArgument, "RotaryEmbedding: the caches have no rows");
    const HeadRows rows = dims.size() == 4 ? headsOutside(x) : headsInside(x, size);
    setStrides(p.strideX, rows);
    setStrides(p.strideY, rows);
    return m_run.rotate(call, p);
  }

 private:
  Form m_form;
  AttentionRun m_run;
  ElementType m_type;
  int64_t m_heads, m_rotary;
  bool m_interleaved;
};

template <const Form& form>
Result<std::unique_ptr<GpuKernel>> makeRotary(const KernelInfo& info) {
  for (const size_t slot : {form.cosine, form.sine}) {
    if (info.inputElement(slot) != info.inputElement(0))
      return fail(ErrorCode::kNotImplemented, "RotaryEmbedding: caches and input differ in type");
  }
  return std::make_unique<RotaryKernel>(info, form);
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
       .create = gpuKernel<makeRotary<kStandard>>},
      {.opType = "RotaryEmbedding",
       .domain = "com.microsoft",
       .types = kTypes,
       .inplace = kOverInput,
       .fastPath = "cuda",
       .create = gpuKernel<makeRotary<kMicrosoft>>},
  };
  return rows;
}

}  // namespace cutaway::cuda
