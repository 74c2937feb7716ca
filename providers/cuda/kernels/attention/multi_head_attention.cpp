// MultiHeadAttention and DecoderMaskedMultiHeadAttention of com.microsoft: separate or packed operands, cross
// attention, caches that grow or have room.

#include "providers/cuda/kernels/attention/attention_run.h"

namespace cutaway::cuda {
namespace {

// Where the inputs lie in each operator.
struct Form {
  const char* name;
  size_t bias, mask, scoreBias, pastKey, pastValue, pastLength, beams, indirection;
  bool decoder;
};
constexpr size_t kNowhere = 64;
constexpr Form kMultiHead{"MultiHeadAttention", 3, 4, 5, 6, 7, 8, kNowhere, 9, false};
constexpr Form kDecoder{"DecoderMaskedMultiHeadAttention", 10, 3, 4, 5, 6, 7, 8, 9, true};

struct Operands {
  int64_t batch = 0, queries = 0, fresh = 0, size = 0, valueSize = 0;
  HeadRows q, k, v;
  bool encoder = false;  // keys and values are [batch, heads, keys, size]: no bias, no past
};

class MultiHeadKernel final : public GpuKernel {
 public:
  MultiHeadKernel(const KernelInfo& info, const Form& form)
      : m_form(form),
        m_type(info.inputElement(0)),
        m_heads(info.attribute<int64_t>("num_heads", 0)),
        m_scale(info.attribute<float>("scale", 0.0f)),
        m_filter(info.attribute<float>("mask_filter_value", -10000.0f)),
        m_causal(info.attribute<int64_t>("unidirectional", 0) != 0) {}

  Result<void> prepare(const KernelInfo&, GpuResources& resources) override { return m_run.prepare(resources, m_type); }
  std::unique_ptr<KernelState> createState() const override { return std::make_unique<AttentionState>(); }
  std::string_view variant() const override { return "attention"; }

  Result<void> launch(GpuCall& call) const override {
    Operands o;
    CUTAWAY_CHECK(readOperands(call, o));
    CUTAWAY_CHECK(addBias(call, o));
    AttentionParameters p{.q = o.q.data,
                          .batch = o.batch,
                          .heads = m_heads,
                          .keyHeads = m_heads,
                          .queries = o.queries,
                          .size = o.size,
                          .valueSize = o.valueSize,
                          .scale = m_scale != 0 ? m_scale : usualScale(o.size),
                          .causal = m_causal};
    setStrides(p.strideQ, o.q);
    CUTAWAY_CHECK(readCache(call, o, p));
    if (const Tensor* mask = optionalInput(call, m_form.mask)) {
      CUTAWAY_TRY(p.planes[0], paddingPlane(p, *mask, m_filter, m_form.name));
    }
    if (const Tensor* bias = optionalInput(call, m_form.scoreBias)) {
      if (bias->rank() != 4)
        return fail(ErrorCode::kInvalidArgument, "{}: attention_bias is {}, not 4-D", m_form.name,
                    dimsToText(bias->dims()));
      CUTAWAY_TRY(p.planes[p.planes[0].kind == kPlaneNone ? 0 : 1], planeOf(p, *bias, "attention_bias"));
    }
    CUTAWAY_TRY(Tensor * y, call.output(0, {o.batch, o.queries, m_heads * o.valueSize}));
    p.y = y->mutableData();
    setStrides(p.strideY, headsInside(*y, o.valueSize));
    return m_run.attend(call, p);
  }

 private:
  Result<void> readOperands(const GpuCall& call, Operands& o) const {
    const Tensor& query = *call.input(0);
    const Tensor *key = optionalInput(call, 1), *value = optionalInput(call, 2);
    const Dims& dims = query.dims();
    const auto refuse = [&] {
      return fail(ErrorCode::kInvalidArgument, "{}: query {}, key {} and value {} do not belong together with {} heads",
                  m_form.name, dimsToText(dims), key != nullptr ? dimsToText(key->dims()) : "none",
                  value != nullptr ? dimsToText(value->dims()) : "none", m_heads);
    };
    if (dims.size() < 3) return refuse();
    o.batch = dims[0], o.queries = o.fresh = dims[1];
    if (key == nullptr) return value == nullptr && readPacked(query, o) ? Result<void>() : refuse();
    if (dims.size() != 3 || dims[2] % m_heads != 0) return refuse();
    o.size = dims[2] / m_heads;
    o.q = headsInside(query, o.size);
    const Dims& keyDims = key->dims();
    if (value == nullptr) {
      if (keyDims.size() != 5 || keyDims != Dims{dims[0], keyDims[1], m_heads, 2, o.size}) return refuse();
      const int64_t pair = 2 * o.size;
      o.fresh = keyDims[1], o.valueSize = o.size;
      o.k = rowsFrom(*key, keyDims[1] * m_heads * pair, pair, m_heads * pair, 0);
      o.v = rowsFrom(*key, keyDims[1] * m_heads * pair, pair, m_heads * pair, o.size);
      return {};
    }
    const Dims& valueDims = value->dims();
    if (keyDims.size() == 4 && valueDims.size() == 4) {
      if (keyDims != Dims{dims[0], m_heads, keyDims[2], o.size} ||
          valueDims != Dims{dims[0], m_heads, keyDims[2], valueDims[3]})
        return refuse();
      o.encoder = true;
      o.fresh = keyDims[2], o.valueSize = valueDims[3];
      o.k = headsOutside(*key), o.v = headsOutside(*value);
      return {};
    }
    if (keyDims.size() != 3 || valueDims.size() != 3 || keyDims != Dims{dims[0], keyDims[1], dims[2]} ||
        valueDims != Dims{dims[0], keyDims[1], valueDims[2]} || valueDims[2] % m_heads != 0)
      return refuse();
    o.fresh = keyDims[1], o.valueSize = valueDims[2] / m_heads;
    o.k = headsInside(*key, o.size), o.v = headsInside(*value, o.valueSize);
    return {};
  }

  // [batch, sequence, heads, 3, size], or for one decoding step [batch, 1, 3 * hidden].
  bool readPacked(const Tensor& query, Operands& o) const {
    const Dims& dims = query.dims();
    const bool five = dims.size() == 5 && dims[2] == m_heads && dims[3] == 3,
               three = dims.size() == 3 && m_form.decoder && dims[2] % (3 * m_heads) == 0;
    if (!five && !three) return false;
    o.size = o.valueSize = five ? dims[4] : dims[2] / (3 * m_heads);
    const int64_t row = 3 * m_heads * o.size, head = five ? 3 * o.size : o.size,
                  part = five ? o.size : m_heads * o.size;
    o.q = rowsFrom(query, dims[1] * row, head, row, 0);
    o.k = rowsFrom(query, dims[1] * row, head, row, part);
    o.v = rowsFrom(query, dims[1] * row, head, row, 2 * part);
    return true;
  }

  Result<void> addBias(GpuCall& call, Operands& o) const {
    const Tensor* bias = optionalInput(call, m_form.bias);
    if (bias == nullptr) return {};
    const int64_t hidden = m_heads * o.size, valueHidden = m_heads * o.valueSize;
    if (bias->dims() != Dims{2 * hidden + valueHidden})
      return fail(ErrorCode::kInvalidArgument, "{}: bias is {} instead of {} long", m_form.name,
                  dimsToText(bias->dims()), 2 * hidden + valueHidden);
    const auto at = [&](int64_t start) { return rowsFrom(*bias, 0, 0, 0, start).data; };
    CUTAWAY_TRY(o.q, m_run.withBias(call, o.q, o.batch, m_heads, o.queries, o.size, at(0)));
    if (o.encoder) return {};
    CUTAWAY_TRY(o.k, m_run.withBias(call, o.k, o.batch, m_heads, o.fresh, o.size, at(hidden)));
    CUTAWAY_TRY(o.v, m_run.withBias(call, o.v, o.batch, m_heads, o.fresh, o.valueSize, at(2 * hidden)));
    return {};
  }

  Result<void> readCache(GpuCall& call, const Operands& o, AttentionParameters& p) const {
    const Tensor *pastKey = optionalInput(call, m_form.pastKey), *pastValue = optionalInput(call, m_form.pastValue),
                 *pastLength = optionalInput(call, m_form.pastLength);
    if ((pastKey == nullptr) != (pastValue == nullptr))
      return fail(ErrorCode::kInvalidArgument, "{}: past_key and past_value come together or not at all", m_form.name);
    int64_t past = 0, held = 0, capacity = o.fresh;
    if (pastKey != nullptr) {
      held = pastKey->rank() == 4 ? pastKey->dims()[2] : -1;
      past = pastLength != nullptr && pastLength->elementCount() == 1 ? pastLength->span<int32_t>()[0] : held;
      const bool fits = pastKey->dims() == Dims{o.batch, m_heads, held, o.size} &&
                        pastValue->dims() == Dims{o.batch, m_heads, held, o.valueSize};
      if (!fits || o.encoder || past < 0 || past > held) {
        return fail(ErrorCode::kInvalidArgument,
                    "{}: {} tokens of past_key {} and past_value {} cannot go before {} batches of {} heads of {} and "
                    "{} channels",
                    m_form.name, past, dimsToText(pastKey->dims()), dimsToText(pastValue->dims()), o.batch, m_heads,
                    o.size, o.valueSize);
      }
      capacity = pastLength != nullptr ? std::max(held, past + o.fresh) : past + o.fresh;
    }
    p.keys = past + o.fresh;
    p.offset = past;
    const CacheStep keyStep{.past = pastKey,
                            .presentSlot = 1,
                            .batch = o.batch,
                            .heads = m_heads,
                            .size = o.size,
                            .capacity = capacity,
                            .kept = past,
                            .fresh = o.fresh,
                            .held = held};
    CacheStep valueStep = keyStep;
    valueStep.past = pastValue, valueStep.presentSlot = 2, valueStep.size = o.valueSize;
    CUTAWAY_TRY(const HeadRows keys, m_run.grow(call, keyStep, o.k));
    CUTAWAY_TRY(const HeadRows values, m_run.grow(call, valueStep, o.v));
    p.k = keys.data, p.v = values.data;
    setStrides(p.strideK, keys);
    setStrides(p.strideV, values);
    return {};
  }

  Form m_form;
  AttentionRun m_run;
  ElementType m_type;
  int64_t m_heads;
  float m_scale, m_filter;
  bool m_causal;
};

template <const Form& form>
Result<std::unique_ptr<GpuKernel>> makeMultiHead(const KernelInfo& info) {
  const int64_t heads = info.attribute<int64_t>("num_heads", 0);
  if (heads <= 0) return fail(ErrorCode::kInvalidArgument, "{}: num_heads is {}", form.name, heads);
  for (const size_t slot : {size_t{1}, size_t{2}, form.bias, form.scoreBias, form.pastKey, form.pastValue}) {
    if (info.hasInput(slot) && info.inputElement(slot) != info.inputElement(0))
      return fail(ErrorCode::kNotImplemented, "{}: input {} is not of the query's type", form.name, slot);
  }
  if (info.hasInput(form.indirection))
    return fail(ErrorCode::kNotImplemented,
                "{}: cache_indirection (beams that share a cache) is not followed on the device", form.name);
  if (info.hasOutput(3))
    return fail(ErrorCode::kNotImplemented, "{}: the scores are not kept on the device", form.name);
  return std::make_unique<MultiHeadKernel>(info, form);
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
       .create = gpuKernel<makeMultiHead<kMultiHead>>},
      {.opType = "DecoderMaskedMultiHeadAttention",
       .domain = "com.microsoft",
       .types = kTypes,
       .inplace = kInplaceDecoder,
       .hostInputs = kHostDecoder,
       .fastPath = "cuda",
       .create = gpuKernel<makeMultiHead<kDecoder>>},
  };
  return rows;
}

}  // namespace cutaway::cuda
