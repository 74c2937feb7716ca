// MultiHeadAttention and DecoderMaskedMultiHeadAttention of com.microsoft: separate or packed operands, cross
// attention, caches that grow or have room.

#include "engine/operators/multi_head_attention.h"

#include "providers/cuda/kernels/attention/attention_run.h"

namespace cutaway::cuda {
namespace {

using operators::kDecoderMaskedForm;
using operators::kMultiHeadForm;
using operators::MultiHeadForm;
using operators::MultiHeadOperands;
using operators::MultiHeadSettings;

class MultiHeadKernel final : public GpuKernel {
 public:
  MultiHeadKernel(const MultiHeadForm& form, const MultiHeadSettings& settings, ElementType type)
      : m_form(form), m_settings(settings), m_heads(settings.heads), m_type(type) {}

  Result<void> prepare(const KernelInfo&, GpuResources& resources) override { return m_run.prepare(resources, m_type); }
  std::unique_ptr<KernelState> createState() const override { return std::make_unique<AttentionState>(); }
  std::string_view variant() const override { return "attention"; }

  Result<void> launch(GpuCall& call) const override {
    const Tensor &query = *call.input(0), *key = optionalInput(call, 1), *value = optionalInput(call, 2);
    CUTAWAY_TRY(const MultiHeadOperands o,
                operators::multiHeadOperands(m_form, m_heads, query.dims(), key != nullptr ? &key->dims() : nullptr,
                                             value != nullptr ? &value->dims() : nullptr));
    const Tensor& keys = key != nullptr ? *key : query;
    Rows rows{rowsOf(query, o.q), rowsOf(keys, o.k), rowsOf(value != nullptr ? *value : keys, o.v)};
    CUTAWAY_CHECK(addBias(call, o, rows));
    AttentionParameters p{.q = rows.q.data,
                          .batch = o.batch,
                          .heads = m_heads,
                          .keyHeads = m_heads,
                          .queries = o.queries,
                          .size = o.size,
                          .valueSize = o.valueSize,
                          .scale = m_settings.scale != 0 ? m_settings.scale : usualScale(o.size),
                          .causal = m_settings.causal};
    setStrides(p.strideQ, rows.q);
    CUTAWAY_CHECK(readCache(call, o, rows, p));
    if (const Tensor* mask = optionalInput(call, m_form.mask)) {
      CUTAWAY_TRY(p.planes[0], paddingPlane(p, *mask, m_settings.maskFilter, m_form.name));
    }
    if (const Tensor* bias = optionalInput(call, m_form.scoreBias)) {
      CUTAWAY_TRY(const operators::ScorePlane plane, operators::scoreBiasPlane(scoresOf(p), bias->dims(), m_form.name));
      p.planes[p.planes[0].kind == kPlaneNone ? 0 : 1] = planeOf(plane, *bias);
    }
    CUTAWAY_TRY(Tensor * y, call.output(0, {o.batch, o.queries, m_heads * o.valueSize}));
    p.y = y->mutableData();
    setStrides(p.strideY, headsInside(*y, o.valueSize));
    return m_run.attend(call, p);
  }

 private:
  struct Rows {
    HeadRows q, k, v;
  };

  Result<void> addBias(GpuCall& call, const MultiHeadOperands& o, Rows& rows) const {
    const Tensor* bias = optionalInput(call, m_form.bias);
    if (bias == nullptr) return {};
    CUTAWAY_CHECK(operators::checkMultiHeadBias(m_form, m_heads, o, bias->dims()));
    const int64_t hidden = m_heads * o.size;
    const auto at = [&](int64_t start) { return rowsOf(*bias, {.start = start}).data; };
    CUTAWAY_TRY(rows.q, m_run.withBias(call, rows.q, o.batch, m_heads, o.queries, o.size, at(0)));
    if (o.encoder) return {};
    CUTAWAY_TRY(rows.k, m_run.withBias(call, rows.k, o.batch, m_heads, o.fresh, o.size, at(hidden)));
    CUTAWAY_TRY(rows.v, m_run.withBias(call, rows.v, o.batch, m_heads, o.fresh, o.valueSize, at(2 * hidden)));
    return {};
  }

  Result<void> readCache(GpuCall& call, const MultiHeadOperands& o, const Rows& rows, AttentionParameters& p) const {
    const Tensor *pastKey = optionalInput(call, m_form.pastKey), *pastValue = optionalInput(call, m_form.pastValue);
    CUTAWAY_TRY(
        const operators::MultiHeadCache cache,
        operators::multiHeadCache(m_form, m_heads, o, pastKey, pastValue, optionalInput(call, m_form.pastLength)));
    p.keys = cache.kept + o.fresh;
    p.offset = cache.kept;
    const CacheStep keyStep{.past = pastKey,
                            .presentSlot = 1,
                            .batch = o.batch,
                            .heads = m_heads,
                            .size = o.size,
                            .capacity = cache.capacity,
                            .kept = cache.kept,
                            .fresh = o.fresh,
                            .held = cache.held};
    CacheStep valueStep = keyStep;
    valueStep.past = pastValue, valueStep.presentSlot = 2, valueStep.size = o.valueSize;
    CUTAWAY_TRY(const HeadRows keys, m_run.grow(call, keyStep, rows.k));
    CUTAWAY_TRY(const HeadRows values, m_run.grow(call, valueStep, rows.v));
    p.k = keys.data, p.v = values.data;
    setStrides(p.strideK, keys);
    setStrides(p.strideV, values);
    return {};
  }

  MultiHeadForm m_form;
  MultiHeadSettings m_settings;
  int64_t m_heads;
  AttentionRun m_run;
  ElementType m_type;
};

template <const MultiHeadForm& form>
Result<std::unique_ptr<GpuKernel>> makeMultiHead(const KernelInfo& info) {
  CUTAWAY_TRY(const MultiHeadSettings settings, operators::readMultiHead(form, info.graph(), info.node()));
  if (info.hasInput(form.indirection))
    return fail(ErrorCode::kNotImplemented,
                "{}: cache_indirection (beams that share a cache) is not followed on the device", form.name);
  if (info.hasOutput(3))
    return fail(ErrorCode::kNotImplemented, "{}: the scores are not kept on the device", form.name);
  return std::make_unique<MultiHeadKernel>(form, settings, info.inputElement(0));
}

constexpr TypeRule kTypes[] = {{0, kAttentionTypes}};
constexpr InplaceHint kInplace[] = {{.input = 6, .output = 1}, {.input = 7, .output = 2}},
                      kInplaceDecoder[] = {{.input = 5, .output = 1}, {.input = 6, .output = 2}};
constexpr int kHost[] = {8}, kHostDecoder[] = {7, 8};

}  // namespace

KernelRows kernel_multi_head_attention() {
  static constexpr KernelRow rows[] = {
      {.opType = "MultiHeadAttention",
       .domain = "com.microsoft",
       .types = kTypes,
       .inplace = kInplace,
       .hostInputs = kHost,
       .fastPath = "cuda",
       .create = gpuKernel<makeMultiHead<kMultiHeadForm>>},
      {.opType = "DecoderMaskedMultiHeadAttention",
       .domain = "com.microsoft",
       .types = kTypes,
       .inplace = kInplaceDecoder,
       .hostInputs = kHostDecoder,
       .fastPath = "cuda",
       .create = gpuKernel<makeMultiHead<kDecoderMaskedForm>>},
  };
  return rows;
}

}  // namespace cutaway::cuda
