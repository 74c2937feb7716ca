// GroupQueryAttention of com.microsoft: few key heads, rotary embedding, a cache with room that is written in place,
// windows, soft caps, sinks.
//
// seqlens_k stays on the device (lengths differ by batch and by step), total_sequence_length on the host: with a cache
// of fixed room every step enqueues the same.

#include "providers/cuda/kernels/attention/attention_run.h"

namespace cutaway::cuda {
namespace {

enum Slot : size_t {
  kQuery,
  kKey,
  kValue,
  kPastKey,
  kPastValue,
  kLengths,
  kTotal,
  kCosine,
  kSine,
  kPositions,
  kBias,
  kSink,
  kKeyScale,
  kValueScale,
  kQueryNorm,
  kKeyNorm
};

struct Step {
  int64_t batch = 0, sequence = 0, size = 0, total = 0, held = 0, capacity = 0;
  bool first = false;
  HeadRows q, k, v;
  const int32_t* lengths = nullptr;  // less one
};

class GroupQueryKernel final : public GpuKernel {
 public:
  explicit GroupQueryKernel(const KernelInfo& info)
      : m_type(info.inputElement(0)),
        m_heads(info.attribute<int64_t>("num_heads", 0)),
        m_keyHeads(info.attribute<int64_t>("kv_num_heads", 0)),
        m_window(info.attribute<int64_t>("local_window_size", -1)),
        m_scale(info.attribute<float>("scale", 0.0f)),
        m_softcap(info.attribute<float>("softcap", 0.0f)),
        m_rotary(info.attribute<int64_t>("do_rotary", 0) != 0),
        m_interleaved(info.attribute<int64_t>("rotary_interleaved", 0) != 0),
        m_smooth(info.attribute<int64_t>("smooth_softmax", -1) == 1),
        m_causal(info.attribute<int64_t>("causal", 1) != 0) {}

  Result<void> prepare(const KernelInfo&, GpuResources& resources) override { return m_run.prepare(resources, m_type); }
  std::unique_ptr<KernelState> createState() const override { return std::make_unique<AttentionState>(); }
  std::string_view variant() const override { return "attention"; }

  Result<void> launch(GpuCall& call) const override {
    Step step;
    CUTAWAY_CHECK(readOperands(call, step));
    CUTAWAY_CHECK(readLengths(call, step));
    if (m_rotary) CUTAWAY_CHECK(rotate(call, step));
    AttentionParameters p{.q = step.q.data,
                          .batch = step.batch,
                          .heads = m_heads,
                          .keyHeads = m_keyHeads,
                          .queries = step.sequence,
                          .keys = step.total,
                          .size = step.size,
                          .valueSize = step.size,
                          .scale = m_scale != 0 ? m_scale : usualScale(step.size),
                          .softcap = m_softcap,
                          .causal = m_causal,
                          .smooth = m_smooth,
                          .left = m_causal && m_window > 0 ? m_window - 1 : -1,
                          .offsetFromLength = !step.first,
                          .lengths = step.lengths,
                          .lengthAdd = 1};
    if (const Tensor* bias = optionalInput(call, kBias)) {
      CUTAWAY_TRY(p.planes[0], planeOf(p, *bias, "GroupQueryAttention: attention_bias"));
    }
    if (const Tensor* sink = optionalInput(call, kSink)) {
      if (sink->dims() != Dims{m_heads})
        return fail(ErrorCode::kInvalidArgument, "GroupQueryAttention: head_sink is {} for {} heads",
                    dimsToText(sink->dims()), m_heads);
      p.sinks = sink->data();
    }
    setStrides(p.strideQ, step.q);
    CacheStep cache{.past = optionalInput(call, kPastKey),
                    .presentSlot = 1,
                    .batch = step.batch,
                    .heads = m_keyHeads,
                    .size = step.size,
                    .capacity = step.capacity,
                    .fresh = step.sequence,
                    .lengths = step.first ? nullptr : step.lengths,
                    .lengthAdd = 1};
    CUTAWAY_TRY(const HeadRows keys, m_run.grow(call, cache, step.k));
    cache.past = optionalInput(call, kPastValue), cache.presentSlot = 2;
    CUTAWAY_TRY(const HeadRows values, m_run.grow(call, cache, step.v));
    p.k = keys.data, p.v = values.data;
    setStrides(p.strideK, keys);
    setStrides(p.strideV, values);
    CUTAWAY_TRY(Tensor * y, call.output(0, {step.batch, step.sequence, m_heads * step.size}));
    p.y = y->mutableData();
    setStrides(p.strideY, headsInside(*y, step.size));
    return m_run.attend(call, p);
  }

 private:
  Result<void> readOperands(const GpuCall& call, Step& step) const {
    const Tensor& query = *call.input(kQuery);
    const Tensor *key = optionalInput(call, kKey), *value = optionalInput(call, kValue);
    if (query.rank() != 3)
      return fail(ErrorCode::kInvalidArgument, "GroupQueryAttention: query is {}, not 3-D", dimsToText(query.dims()));
    if ((key == nullptr) != (value == nullptr))
      return fail(ErrorCode::kInvalidArgument,
                  "GroupQueryAttention: key and value come together or, packed in query, not at all");
    step.batch = query.dims()[0], step.sequence = query.dims()[1];
    const int64_t hidden = query.dims()[2], heads = m_heads + (key == nullptr ? 2 * m_keyHeads : 0);
    if (hidden % heads != 0)
      return fail(ErrorCode::kInvalidArgument, "GroupQueryAttention: {} heads do not divide the query {}", heads,
                  dimsToText(query.dims()));
    step.size = hidden / heads;
    const auto part = [&](int64_t firstHead) {
      return rowsFrom(query, step.sequence * hidden, step.size, hidden, firstHead * step.size);
    };
    step.q = part(0);
    if (key == nullptr) {
      step.k = part(m_heads), step.v = part(m_heads + m_keyHeads);
      return {};
    }
    const Dims wanted{step.batch, step.sequence, m_keyHeads * step.size};
    if (key->dims() != wanted || value->dims() != wanted)
      return fail(ErrorCode::kInvalidArgument, "GroupQueryAttention: key {} and value {} should be {}",
                  dimsToText(key->dims()), dimsToText(value->dims()), dimsToText(wanted));
    step.k = headsInside(*key, step.size), step.v = headsInside(*value, step.size);
    return {};
  }

  Result<void> readLengths(const GpuCall& call, Step& step) const {
    const Tensor &given = *call.input(kLengths), &total = *call.input(kTotal);
    const bool fits =
        given.elementCount() == step.batch && (given.rank() == 1 || (given.rank() == 2 && given.dims()[1] == 1));
    if (!fits || total.elementCount() != 1)
      return fail(ErrorCode::kInvalidArgument,
                  "GroupQueryAttention: seqlens_k is {} and total_sequence_length {} for {} batches",
                  dimsToText(given.dims()), dimsToText(total.dims()), step.batch);
    step.lengths = static_cast<const int32_t*>(given.data());
    step.total = total.span<int32_t>()[0];
    if (step.total < step.sequence)
      return fail(ErrorCode::kInvalidArgument,
                  "GroupQueryAttention: total_sequence_length {} is below the {} tokens of this step", step.total,
                  step.sequence);
    const Tensor *past = optionalInput(call, kPastKey), *pastValue = optionalInput(call, kPastValue);
    if (past != nullptr) {
      step.held = past->rank() == 4 ? past->dims()[2] : -1;
      const Dims wanted{step.batch, m_keyHeads, step.held, step.size};
      if (past->dims() != wanted || pastValue == nullptr || pastValue->dims() != wanted) {
        return fail(ErrorCode::kInvalidArgument,
                    "GroupQueryAttention: a past of {} does not hold {} batches of {} heads of {}",
                    dimsToText(past->dims()), step.batch, m_keyHeads, step.size);
      }
    }
    if (step.total > step.held + step.sequence)
      return fail(ErrorCode::kInvalidArgument,
                  "GroupQueryAttention: total_sequence_length {} is more than a cache of {} and {} new tokens",
                  step.total, step.held, step.sequence);
    step.capacity = std::max(step.total, step.held);
    step.first = step.sequence == step.total;
    return {};
  }

  // Queries and keys turned, in memory of their own.
  Result<void> rotate(GpuCall& call, Step& step) const {
    const Tensor *cosine = optionalInput(call, kCosine), *sine = optionalInput(call, kSine),
                 *positions = optionalInput(call, kPositions);
    if (cosine == nullptr || sine == nullptr || cosine->rank() != 2 || cosine->dims() != sine->dims() ||
        cosine->dims()[1] > step.size / 2 || cosine->dims()[0] < 1) {
      return fail(ErrorCode::kInvalidArgument,
                  "GroupQueryAttention: do_rotary needs cos_cache and sin_cache of at most {} angles a row",
                  step.size / 2);
    }
    if (positions != nullptr && positions->dims() != Dims{step.batch, step.sequence})
      return fail(ErrorCode::kInvalidArgument, "GroupQueryAttention: position_ids is {} for {} batches of {} tokens",
                  dimsToText(positions->dims()), step.batch, step.sequence);
    RotaryParameters p{.cosine = cosine->data(),
                       .sine = sine->data(),
                       .tokens = step.sequence,
                       .size = step.size,
                       .half = cosine->dims()[1],
                       .tableRows = cosine->dims()[0],
                       .positions = positions == nullptr ? nullptr : static_cast<const int64_t*>(positions->data()),
                       .lengths = step.first ? nullptr : step.lengths,
                       .lengthAdd = 1,
                       .interleaved = m_interleaved};
    for (const auto& [rows, heads] : {std::pair<HeadRows*, int64_t>{&step.q, m_heads}, {&step.k, m_keyHeads}}) {
      const int64_t elements = step.batch * step.sequence * heads * step.size;
      CUTAWAY_TRY(void* to, call.scratch(static_cast<size_t>(elements * m_run.elementBytes())));
      const HeadRows turned{to, step.sequence * heads * step.size, step.size, heads * step.size};
      p.x = rows->data, p.y = to, p.heads = heads;
      p.count = step.batch * step.sequence * heads * (step.size - p.half);
      setStrides(p.strideX, *rows);
      setStrides(p.strideY, turned);
      CUTAWAY_CHECK(m_run.rotate(call, p));
      *rows = turned;
    }
    return {};
  }

  AttentionRun m_run;
  ElementType m_type;
  int64_t m_heads, m_keyHeads, m_window;
  float m_scale, m_softcap;
  bool m_rotary, m_interleaved, m_smooth, m_causal;
};

Result<std::unique_ptr<GpuKernel>> makeGroupQuery(const KernelInfo& info) {
  const auto no = [](const char* what) {
    return fail(ErrorCode::kNotImplemented, "GroupQueryAttention {} is not done on the device", what);
  };
  const int64_t heads = info.attribute<int64_t>("num_heads", 0), keyHeads = info.attribute<int64_t>("kv_num_heads", 0),
                window = info.attribute<int64_t>("local_window_size", -1);
  if (heads <= 0 || keyHeads <= 0 || heads % keyHeads != 0)
    return fail(ErrorCode::kInvalidArgument, "GroupQueryAttention: {} heads of keys do not divide {} heads of queries",
                keyHeads, heads);
  if (window < -1 || window == 0 || (info.attribute<int64_t>("causal", 1) == 0 && window != -1))
    return fail(ErrorCode::kInvalidArgument,
                "GroupQueryAttention: local_window_size {} is neither -1 nor, when causal, a number of keys", window);
  if (info.hasInput(kPastKey) != info.hasInput(kPastValue))
    return fail(ErrorCode::kInvalidArgument,
                "GroupQueryAttention: past_key and past_value come together or not at all");
  if (info.hasInput(kQueryNorm) || info.hasInput(kKeyNorm)) return no("with normalised queries and keys");
  if (info.hasInput(kKeyScale) || info.hasInput(kValueScale)) return no("with a quantised cache");
  if (info.hasOutput(3)) return no("with its scores as an output");
  if (info.attribute<int64_t>("sliding_window_cache", 0) != 0) return no("with a cache as long as its window");
  for (const Slot slot : {kKey, kValue, kPastKey, kPastValue, kCosine, kSine, kBias, kSink}) {
    if (info.hasInput(slot) && info.inputElement(slot) != info.inputElement(kQuery))
      return fail(ErrorCode::kNotImplemented, "GroupQueryAttention: input {} is not of the query's type",
                  static_cast<int>(slot));
  }
  return std::make_unique<GroupQueryKernel>(info);
}

constexpr ElementType kInteger[] = {ElementType::kInt32};
constexpr TypeRule kTypes[] = {{kQuery, kAttentionTypes}, {kLengths, kInteger}, {kTotal, kInteger}};
constexpr InplaceHint kInplace[] = {{.input = kPastKey, .output = 1}, {.input = kPastValue, .output = 2}};
constexpr int kHostInputs[] = {kTotal};

}  // namespace

KernelRows kernel_group_query_attention() {
  static constexpr KernelRow rows[] = {{.opType = "GroupQueryAttention",
                                        .domain = "com.microsoft",
                                        .types = kTypes,
                                        .inplace = kInplace,
                                        .hostInputs = kHostInputs,
                                        .fastPath = "cuda",
                                        .create = gpuKernel<makeGroupQuery>}};
  return rows;
}

}  // namespace cutaway::cuda
