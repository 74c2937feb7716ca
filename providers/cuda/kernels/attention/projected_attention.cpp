// Attention of com.microsoft: queries, keys and values are one projection of the input; the past of both lies in one
// tensor [2, batch, heads, length, size].

#include "providers/cuda/kernels/attention/attention_run.h"
#include "providers/cuda/kernels/dense_product.h"

namespace cutaway::cuda {
namespace {

enum Slot : size_t { kInput, kWeights, kBias, kMask, kPast, kScoreBias, kPastLength };

class ProjectedState final : public AttentionState {
 public:
  int64_t rows = -1;
  DenseProduct product;
};

class ProjectedKernel final : public GpuKernel {
 public:
  explicit ProjectedKernel(const KernelInfo& info)
      : m_type(info.inputElement(0)),
        m_heads(info.attribute<int64_t>("num_heads", 0)),
        m_hiddenSizes(info.attribute<std::vector<int64_t>>("qkv_hidden_sizes", {})),
        m_scale(info.attribute<float>("scale", 0.0f)),
        m_filter(info.attribute<float>("mask_filter_value", -10000.0f)),
        m_causal(info.attribute<int64_t>("unidirectional", 0) != 0),
        m_shared(info.attribute<int64_t>("past_present_share_buffer", 0) != 0) {}

  Result<void> prepare(const KernelInfo&, GpuResources& resources) override {
    m_resources = &resources;
    return m_run.prepare(resources, m_type);
  }
  std::unique_ptr<KernelState> createState() const override { return std::make_unique<ProjectedState>(); }
  std::string_view variant() const override { return "attention"; }

  Result<void> launch(GpuCall& call) const override {
    const Dims &input = call.input(kInput)->dims(), &weights = call.input(kWeights)->dims();
    const Tensor* bias = optionalInput(call, kBias);
    const bool listed = !m_hiddenSizes.empty(),
               ranks = input.size() == 3 && weights.size() == 2 && input[2] == weights[0];
    const int64_t hidden = !ranks   ? 0
                           : listed ? m_hiddenSizes[0]
                                    : weights[1] / 3,
                  valueHidden = !ranks   ? 0
                                : listed ? m_hiddenSizes[2]
                                         : weights[1] / 3,
                  columns = 2 * hidden + valueHidden;
    if (!ranks || columns != weights[1] || hidden % m_heads != 0 || valueHidden % m_heads != 0 ||
        (bias != nullptr && bias->dims() != Dims{weights[1]})) {
      return fail(ErrorCode::kInvalidArgument,
                  "Attention: input {}, weights {} and bias {} do not give queries, keys and values of {} heads",
                  dimsToText(input), dimsToText(weights), bias != nullptr ? dimsToText(bias->dims()) : "none", m_heads);
    }
    CUTAWAY_TRY(const void* projected, project(call, input[0] * input[1], columns, input[2], bias));
    AttentionParameters p{.q = projected,
                          .batch = input[0],
                          .heads = m_heads,
                          .keyHeads = m_heads,
                          .queries = input[1],
                          .size = hidden / m_heads,
                          .valueSize = valueHidden / m_heads,
                          .causal = m_causal};
    p.scale = m_scale != 0 ? m_scale : usualScale(p.size);
    const auto part = [&](int64_t start, int64_t size) {
      return HeadRows{static_cast<const std::byte*>(projected) + start * m_run.elementBytes(), input[1] * columns, size,
                      columns};
    };
    setStrides(p.strideQ, part(0, p.size));
    CUTAWAY_CHECK(joinPast(call, p, part(hidden, p.size), part(2 * hidden, p.valueSize)));
    if (const Tensor* mask = optionalInput(call, kMask)) {
      CUTAWAY_TRY(p.planes[0], paddingPlane(p, *mask, m_filter, "Attention"));
    }
    if (const Tensor* scores = optionalInput(call, kScoreBias)) {
      if (scores->rank() != 4)
        return fail(ErrorCode::kInvalidArgument, "Attention: attention_bias is {}, not 4-D",
                    dimsToText(scores->dims()));
      CUTAWAY_TRY(p.planes[p.planes[0].kind == kPlaneNone ? 0 : 1], planeOf(p, *scores, "Attention: attention_bias"));
    }
    CUTAWAY_TRY(Tensor * y, call.output(0, {input[0], input[1], valueHidden}));
    p.y = y->mutableData();
    setStrides(p.strideY, headsInside(*y, p.valueSize));
    return m_run.attend(call, p);
  }

 private:
  // [batch, sequence, queries | keys | values]
  Result<const void*> project(GpuCall& call, int64_t rows, int64_t columns, int64_t depth, const Tensor* bias) const {
    CUTAWAY_TRY(void* to, call.scratch(static_cast<size_t>(rows * columns * m_run.elementBytes())));
    auto& state = static_cast<ProjectedState&>(*call.context().state());
    if (state.rows != rows) {
      MatmulDescription d{.m = rows,
                          .n = columns,
                          .k = depth,
                          .a = m_type,
                          .b = m_type,
                          .y = m_type,
                          .bias = m_type,
                          .math = m_resources->options().tf32 ? MathMode::kTf32 : MathMode::kPrecise};
      d.epilogue.bias = bias != nullptr;
      CUTAWAY_TRY(state.product, DenseProduct::make(*m_resources, d));
      state.rows = rows;
    }
    CUTAWAY_CHECK(state.product.run(call, {.a = call.input(kInput)->data(),
                                           .b = call.input(kWeights)->data(),
                                           .y = to,
                                           .bias = bias == nullptr ? nullptr : bias->data()}));
    return to;
  }

  Result<void> joinPast(GpuCall& call, AttentionParameters& p, const HeadRows& key, const HeadRows& value) const {
    const Tensor *past = optionalInput(call, kPast), *length = optionalInput(call, kPastLength);
    const bool present = call.outputCount() > 1 && call.hasOutput(1);
    int64_t held = 0, kept = 0;
    if (past != nullptr) {
      held = past->rank() == 5 ? past->dims()[3] : -1;
      kept = m_shared ? (length != nullptr && length->elementCount() == 1 ? length->span<int32_t>()[0] : -1) : held;
      if (past->dims() != Dims{2, p.batch, m_heads, held, p.size} || p.valueSize != p.size || kept < 0 || kept > held) {
        return fail(
            ErrorCode::kInvalidArgument,
            "Attention: {} tokens of a past of {} cannot go before {} batches of {} heads of {} and {} channels", kept,
            dimsToText(past->dims()), p.batch, m_heads, p.size, p.valueSize);
      }
    }
    p.offset = kept;
    p.keys = kept + p.queries;
    HeadRows rows[2] = {key, value};
    if (past != nullptr || present) {
      if (p.valueSize != p.size)
        return fail(ErrorCode::kInvalidArgument,
                    "Attention: past and present need values as wide as keys, not {} beside {}", p.valueSize, p.size);
      const int64_t capacity = m_shared && past != nullptr ? std::max(p.keys, held) : p.keys,
                    half = p.batch * m_heads * capacity * p.size;
      void* to = nullptr;
      if (present) {
        CUTAWAY_TRY(Tensor * tensor, call.output(1, {2, p.batch, m_heads, capacity, p.size}));
        to = tensor->mutableData();
      } else {
        CUTAWAY_TRY(to, call.scratch(static_cast<size_t>(2 * half * m_run.elementBytes())));
      }
      CUTAWAY_CHECK(m_run.growBoth(call, past, to,
                                   {.batch = p.batch,
                                    .heads = m_heads,
                                    .size = p.size,
                                    .capacity = capacity,
                                    .kept = kept,
                                    .fresh = p.queries,
                                    .held = held},
                                   rows));
    }
    p.k = rows[0].data, p.v = rows[1].data;
    setStrides(p.strideK, rows[0]);
    setStrides(p.strideV, rows[1]);
    return {};
  }

  AttentionRun m_run;
  GpuResources* m_resources = nullptr;
  ElementType m_type;
  int64_t m_heads;
  std::vector<int64_t> m_hiddenSizes;
  float m_scale, m_filter;
  bool m_causal, m_shared;
};

Result<std::unique_ptr<GpuKernel>> makeProjected(const KernelInfo& info) {
  const int64_t heads = info.attribute<int64_t>("num_heads", 0);
  if (heads <= 0) return fail(ErrorCode::kInvalidArgument, "Attention: num_heads is {}", heads);
  const std::vector<int64_t> sizes = info.attribute<std::vector<int64_t>>("qkv_hidden_sizes", {});
  if (!sizes.empty() && (sizes.size() != 3 || sizes[0] != sizes[1] || sizes[0] <= 0 || sizes[2] <= 0))
    return fail(ErrorCode::kInvalidArgument,
                "Attention: qkv_hidden_sizes are three sizes, of which queries and keys share one");
  if (info.attribute<int64_t>("do_rotary", 0) != 0)
    return fail(ErrorCode::kNotImplemented, "Attention: do_rotary inside the projection is not done on the device");
  for (const Slot slot : {kWeights, kBias, kPast, kScoreBias}) {
    if (info.hasInput(slot) && info.inputElement(slot) != info.inputElement(kInput))
      return fail(ErrorCode::kNotImplemented, "Attention: input {} is not of the input's type", static_cast<int>(slot));
  }
  if (info.hasInput(kPastLength) && info.inputElement(kPastLength) != ElementType::kInt32)
    return fail(ErrorCode::kInvalidArgument, "Attention: past_sequence_length is not of int32");
  return std::make_unique<ProjectedKernel>(info);
}

constexpr TypeRule kTypes[] = {{0, kAttentionTypes}};
constexpr InplaceHint kInplace[] = {{.input = kPast, .output = 1}};
constexpr int kHostInputs[] = {kPastLength};

}  // namespace

KernelRows kernel_projected_attention() {
  static constexpr KernelRow rows[] = {{.opType = "Attention",
                                        .domain = "com.microsoft",
                                        .types = kTypes,
                                        .inplace = kInplace,
                                        .hostInputs = kHostInputs,
                                        .fastPath = "cuda",
                                        .create = gpuKernel<makeProjected>}};
  return rows;
}

}  // namespace cutaway::cuda
