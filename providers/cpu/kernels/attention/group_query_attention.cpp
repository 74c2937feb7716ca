// GroupQueryAttention and SparseAttention of com.microsoft: packed or separate operands, normalised and rotated queries
// and keys, a cache that grows or is shared, quantised or not.
//
// Batch b holds seqlens_k[b] + 1 tokens after this step; a step whose length is total_sequence_length is the first and
// starts at 0.

#include <cmath>

#include "engine/base/checked_math.h"
#include "engine/base/parallel.h"
#include "providers/cpu/kernels/attention/attention_call.h"
#include "providers/cpu/kernels/attention/block_mask.h"
#include "providers/cpu/kernels/attention/cache_quantisation.h"
#include "providers/cpu/kernels/attention/rotary.h"

namespace cutaway::attention {
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

// Where the inputs of the two operators lie; kNowhere: this one has none.
constexpr size_t kNowhere = 64;
struct Form {
  std::string_view name;
  size_t lengths, total, cosine, sine, positions, bias, sink, keyScale, valueScale, queryNorm, keyNorm, blockRows,
      blockColumns;
  bool sparse() const { return blockRows != kNowhere; }
};
constexpr Form kGroupQuery{
    "GroupQueryAttention", kLengths,   kTotal,   kCosine,  kSine,   kPositions, kBias, kSink, kKeyScale,
    kValueScale,           kQueryNorm, kKeyNorm, kNowhere, kNowhere};
constexpr Form kSparse{"SparseAttention", 8,        7,        9,        10,       kNowhere, kNowhere,
                       kNowhere,          kNowhere, kNowhere, kNowhere, kNowhere, 5,        6};

struct Options {
  int64_t heads, keyHeads, window, blockSize;
  float scale, softcap, epsilon;
  bool rotary, interleaved, smooth, causal, windowed;
  int64_t scoreOutput;
  CacheCoding keyCoding, valueCoding;
};

// The numbers of one step.
struct Step {
  int64_t batch = 0, sequence = 0, size = 0, total = 0, capacity = 0;
  Rows q, k, v;
  int64_t* past = nullptr;     // tokens before this step, a batch each
  int64_t* kept = nullptr;     // those of them that the cache holds: all, or the last ones of a windowed cache
  int64_t* lengths = nullptr;  // rows of keys in this step
  int64_t* after = nullptr;    // rows that a windowed cache holds after it
  int64_t keys = 0;            // the most rows
};

const Tensor* optional(const KernelContext& context, size_t slot) {
  return slot < context.inputCount() ? context.input(slot) : nullptr;
}

template <typename T>
class GroupQueryKernel final : public Kernel {
 public:
  GroupQueryKernel(const Options& options, const Form& form) : m_options(options), m_form(form) {}
  std::string_view variant() const override { return "highway"; }

  Result<void> run(KernelContext& context) const override {
    Step step;
    CUTAWAY_CHECK(readOperands(context, step));
    CUTAWAY_CHECK(readLengths(context, step));
    CUTAWAY_CHECK(prepare(context, step));
    Problem problem;
    problem.batch = step.batch, problem.heads = m_options.heads, problem.keyHeads = m_options.keyHeads,
    problem.queries = step.sequence;
    problem.headSize = problem.valueSize = step.size;
    problem.scale = m_options.scale != 0.0f
                        ? m_options.scale
                        : static_cast<float>(1.0 / std::sqrt(static_cast<double>(std::max<int64_t>(1, step.size))));
    problem.softcap = m_options.softcap;
    problem.causal = m_options.causal;
    problem.left = m_options.causal && m_options.window > 0 ? m_options.window - 1
                                                            : -1;  // the window counts the query's own position
    problem.smooth = m_options.smooth;
    problem.offsets = step.kept;
    problem.lengths = step.lengths;
    problem.q = step.q;
    problem.keys = step.keys;
    CUTAWAY_CHECK(readBias(context, step, problem));
    context.subStep("grow the cache");
    CUTAWAY_TRY(problem.k, grow(context, step, kPastKey, 1, step.k, m_options.keyCoding, m_form.keyScale));
    CUTAWAY_TRY(problem.v, grow(context, step, kPastValue, 2, step.v, m_options.valueCoding, m_form.valueScale));
    CUTAWAY_TRY(Tensor * y, context.output(0, {step.batch, step.sequence, m_options.heads * step.size}));
    problem.out = headsInside(*y, step.size);
    if (m_options.scoreOutput != 0 && context.outputCount() > 3 && context.hasOutput(3)) {
      CUTAWAY_TRY(Tensor * scores,
                  context.output(3, y->type(), std::array{step.batch, m_options.heads, step.sequence, step.total}));
      problem.scores = scores->mutableData();
      problem.stage = m_options.scoreOutput == 1 ? ScoreStage::kSeen : ScoreStage::kProbabilities;
    }
    return attend(context, problem);
  }

 private:
  Result<void> readOperands(const KernelContext& context, Step& step) const {
    const Tensor& query = *context.input(kQuery);
    const Tensor *key = optional(context, kKey), *value = optional(context, kValue);
    if (query.rank() != 3)
      return fail(ErrorCode::kInvalidArgument, "{}: query is {}, not 3-D", m_form.name, dimsToText(query.dims()));
    if ((key == nullptr) != (value == nullptr))
      return fail(ErrorCode::kInvalidArgument, "{}: key and value come together or, packed in query, not at all",
                  m_form.name);
    step.batch = query.dims()[0], step.sequence = query.dims()[1];
    const int64_t hidden = query.dims()[2], heads = m_options.heads + (key == nullptr ? 2 * m_options.keyHeads : 0);
    if (hidden % heads != 0)
      return fail(ErrorCode::kInvalidArgument, "{}: {} heads do not divide the query {}", m_form.name, heads,
                  dimsToText(query.dims()));
    step.size = hidden / heads;
    const int64_t keyHidden = m_options.keyHeads * step.size;
    const auto part = [&](int64_t firstHead) {
      return rowsOf(query, step.sequence * hidden, step.size, hidden, firstHead * step.size);
    };
    step.q = part(0);
    if (key == nullptr) {
      step.k = part(m_options.heads);
      step.v = part(m_options.heads + m_options.keyHeads);
      return {};
    }
    const Dims wanted{step.batch, step.sequence, keyHidden};
    if (key->dims() != wanted || value->dims() != wanted) {
      return fail(ErrorCode::kInvalidArgument, "{}: key {} and value {} should be {}", m_form.name,
                  dimsToText(key->dims()), dimsToText(value->dims()), dimsToText(wanted));
    }
    step.k = headsInside(*key, step.size);
    step.v = headsInside(*value, step.size);
    return {};
  }

  Result<void> readLengths(KernelContext& context, Step& step) const {
    const Tensor &given = *context.input(m_form.lengths), &total = *context.input(m_form.total);
    const bool fits =
        given.elementCount() == step.batch && (given.rank() == 1 || (given.rank() == 2 && given.dims()[1] == 1));
    if (!fits || total.elementCount() != 1) {
      return fail(ErrorCode::kInvalidArgument, "{}: seqlens_k is {} and total_sequence_length {} for {} batches",
                  m_form.name, dimsToText(given.dims()), dimsToText(total.dims()), step.batch);
    }
    step.total = total.span<int32_t>()[0];
    if (step.total < step.sequence)
      return fail(ErrorCode::kInvalidArgument, "{}: total_sequence_length {} is below the {} tokens of this step",
                  m_form.name, step.total, step.sequence);
    const Tensor* past = optional(context, kPastKey);
    step.capacity = std::max(step.total, past != nullptr && past->rank() == 4 ? past->dims()[2] : 0);
    const int64_t held = past != nullptr && past->rank() == 4 ? past->dims()[2] : 0;
    if (!m_options.windowed && step.total > held + step.sequence) {
      return fail(ErrorCode::kInvalidArgument,
                  "{}: total_sequence_length {} is more than a cache of {} and {} new tokens", m_form.name, step.total,
                  held, step.sequence);
    }
    CUTAWAY_TRY(const std::span<std::byte> memory,
                context.scratch(static_cast<size_t>(4 * step.batch) * sizeof(int64_t)));
    step.past = reinterpret_cast<int64_t*>(memory.data());
    step.kept = step.past + step.batch;
    step.lengths = step.kept + step.batch;
    step.after = step.lengths + step.batch;
    step.keys = m_options.windowed ? 0 : step.total;
    if (m_options.windowed) step.capacity = held;
    if (m_options.windowed && held < m_options.window)
      return fail(ErrorCode::kInvalidArgument, "{}: a cache of {} rows does not hold a window of {}", m_form.name, held,
                  m_options.window);
    const bool first = step.sequence == step.total;
    for (int64_t b = 0; b < step.batch; ++b) {
      const int64_t length = int64_t{given.span<int32_t>()[static_cast<size_t>(b)]} + (m_form.sparse() ? 0 : 1);
      step.past[b] = first ? 0 : length - step.sequence;
      step.kept[b] = m_options.windowed ? residentRows(step.past[b], held) : step.past[b];
      if (length < 1 || length > step.total || step.past[b] < 0 || step.kept[b] > held) {
        return fail(ErrorCode::kInvalidArgument,
                    "{}: {} tokens of batch {} do not fit {} new tokens after a cache of {} within {} in all",
                    m_form.name, length, b, step.sequence, held, step.total);
      }
      step.lengths[b] = m_options.windowed ? step.kept[b] + std::min(step.sequence, length) : length;
      step.after[b] = residentRows(length, held);
      if (m_options.windowed) step.keys = std::max(step.keys, step.kept[b] + step.sequence);
    }
    return {};
  }

  // Rows of a windowed cache after `tokens`: when it is full, the oldest go, as many at once as it has room beyond the
  // window.
  int64_t residentRows(int64_t tokens, int64_t capacity) const {
    if (tokens <= capacity || !m_options.windowed) return tokens;
    const int64_t group = capacity - m_options.window + 1;
    return tokens - group * ((tokens - capacity + group - 1) / group);
  }

  // Queries and keys normalised and rotated, in memory of their own.
  Result<void> prepare(KernelContext& context, Step& step) const {
    const Tensor *queryNorm = optional(context, m_form.queryNorm), *keyNorm = optional(context, m_form.keyNorm);
    if ((queryNorm == nullptr) != (keyNorm == nullptr))
      return fail(ErrorCode::kInvalidArgument, "{}: q_norm_weight and k_norm_weight come together or not at all",
                  m_form.name);
    if (queryNorm != nullptr && (queryNorm->dims() != Dims{step.size} || keyNorm->dims() != Dims{step.size})) {
      return fail(ErrorCode::kInvalidArgument, "{}: q_norm_weight {} and k_norm_weight {} should be {} long",
                  m_form.name, dimsToText(queryNorm->dims()), dimsToText(keyNorm->dims()), step.size);
    }
    if (!m_options.rotary && queryNorm == nullptr) return {};
    Rotation<T> table;
    CUTAWAY_TRY(const int64_t rows, readAngles(context, step, table));
    CUTAWAY_CHECK(checkPositions(context, step, rows));
    const int64_t tokens = step.batch * step.sequence, heads = m_options.heads + m_options.keyHeads;
    CUTAWAY_TRY(const std::span<std::byte> memory,
                context.scratch(static_cast<size_t>(tokens * heads * step.size) * sizeof(T)));
    T* to = reinterpret_cast<T*>(memory.data());
    const Tensor* positions = optional(context, m_form.positions);
    const int64_t grain = std::max<int64_t>(1, 8192 / std::max<int64_t>(1, heads * step.size));
    parallelFor(tokens, grain, [&](int64_t begin, int64_t end) {
      for (int64_t token = begin; token < end; ++token) {
        const int64_t batch = token / step.sequence, place = token % step.sequence;
        Rotation<T> rotation = table;
        if (m_options.rotary) {
          const int64_t position =
              positions != nullptr ? positions->span<int64_t>()[static_cast<size_t>(token)] : step.past[batch] + place;
          rotation.cosine += position * table.half;
          rotation.sine += position * table.half;
        }
        for (int64_t head = 0; head < heads; ++head) {
          const bool isKey = head >= m_options.heads;
          const Rows& from = isKey ? step.k : step.q;
          const T* row = static_cast<const T*>(from.data) + batch * from.batchStep +
                         (isKey ? head - m_options.heads : head) * from.headStep + place * from.rowStep;
          T* target = to + (token * heads + head) * step.size;
          if (queryNorm != nullptr) {
            normalise(row, (isKey ? keyNorm : queryNorm)->span<T>().data(), step.size, target);
            row = target;
          }
          rotateHead(row, step.size, rotation, target);
        }
      }
    });
    step.q = {to, step.q.type, step.sequence * heads * step.size, step.size, heads * step.size};
    step.k = {to + m_options.heads * step.size, step.k.type, step.sequence * heads * step.size, step.size,
              heads * step.size};
    return {};
  }

  void normalise(const T* from, const T* weight, int64_t size, T* to) const {
    float sum = 0.0f;
    for (int64_t i = 0; i < size; ++i)
      sum += cpu::widen(from[i]) * cpu::widen(from[i]);
    const float inverse = 1.0f / std::sqrt(sum / static_cast<float>(size) + m_options.epsilon);
    for (int64_t i = 0; i < size; ++i)
      to[i] = cpu::narrow<T>(cpu::widen(from[i]) * inverse * cpu::widen(weight[i]));
  }

  Result<int64_t> readAngles(const KernelContext& context, const Step& step, Rotation<T>& table) const {
    if (!m_options.rotary) return 0;
    const Tensor *cosine = optional(context, m_form.cosine), *sine = optional(context, m_form.sine);
    if (cosine == nullptr || sine == nullptr || cosine->rank() != 2 || cosine->dims() != sine->dims() ||
        cosine->dims()[1] > step.size / 2) {
      return fail(ErrorCode::kInvalidArgument, "{}: do_rotary needs cos_cache and sin_cache of at most {} angles a row",
                  m_form.name, step.size / 2);
    }
    table = {cosine->span<T>().data(), sine->span<T>().data(), cosine->dims()[1], m_options.interleaved};
    return cosine->dims()[0];
  }

  Result<void> checkPositions(const KernelContext& context, const Step& step, int64_t rows) const {
    if (!m_options.rotary) return {};
    const Tensor* positions = optional(context, m_form.positions);
    if (positions != nullptr && positions->dims() != Dims{step.batch, step.sequence}) {
      return fail(ErrorCode::kInvalidArgument, "{}: position_ids is {} for {} batches of {} tokens", m_form.name,
                  dimsToText(positions->dims()), step.batch, step.sequence);
    }
    const auto refuse = [&](int64_t position) {
      return fail(ErrorCode::kInvalidArgument, "{}: position {} lies outside the caches of {} rows", m_form.name,
                  position, rows);
    };
    for (size_t i = 0; positions != nullptr && i < positions->span<int64_t>().size(); ++i) {
      const int64_t position = positions->span<int64_t>()[i];
      if (position < 0 || position >= rows) return refuse(position);
    }
    for (int64_t b = 0; positions == nullptr && b < step.batch; ++b) {
      if (step.past[b] + step.sequence > rows) return refuse(step.past[b] + step.sequence - 1);
    }
    return {};
  }

  Result<void> readBias(KernelContext& context, const Step& step, Problem& problem) const {
    if (m_form.sparse()) {
      const BlockMask mask{context.input(m_form.blockRows), context.input(m_form.blockColumns), m_options.blockSize};
      CUTAWAY_TRY(problem.planes[0], blockPlane(context, problem, mask, step.past));
    }
    if (const Tensor* bias = optional(context, m_form.bias)) {
      if (bias->rank() != 4)
        return fail(ErrorCode::kInvalidArgument, "{}: attention_bias is {}, not 4-D", m_form.name,
                    dimsToText(bias->dims()));
      // Its columns are positions, those of a windowed cache start later.
      Problem whole = problem;
      whole.keys = step.total;
      CUTAWAY_TRY(problem.planes[0], planeOf(whole, *bias, "GroupQueryAttention: attention_bias"));
      if (m_options.windowed) CUTAWAY_CHECK(shiftPlane(step, problem.planes[0]));
    }
    const Tensor* sink = optional(context, m_form.sink);
    if (sink == nullptr) return {};
    if (sink->dims() != Dims{m_options.heads})
      return fail(ErrorCode::kInvalidArgument, "{}: head_sink is {} for {} heads", m_form.name,
                  dimsToText(sink->dims()), m_options.heads);
    if constexpr (std::is_same_v<T, float>) {
      problem.sinks = sink->span<float>().data();
    } else {
      CUTAWAY_TRY(const std::span<std::byte> memory,
                  context.scratch(static_cast<size_t>(m_options.heads) * sizeof(float)));
      float* sinks = reinterpret_cast<float*>(memory.data());
      cpu::widenRun(sink->span<T>().data(), sinks, m_options.heads);
      problem.sinks = sinks;
    }
    return {};
  }

  Result<void> shiftPlane(const Step& step, Plane& plane) const {
    const int64_t shift = step.batch > 0 ? step.past[0] - step.kept[0] : 0;
    for (int64_t b = 0; b < step.batch; ++b) {
      if (step.past[b] - step.kept[b] != shift)
        return fail(ErrorCode::kNotImplemented, "{} with attention_bias and windows that start apart", m_form.name);
    }
    plane.data = static_cast<const T*>(plane.data) + shift * plane.step[3];
    plane.columns -= shift;
    return {};
  }

  // Past and fresh rows side by side in scratch for this step; the last of them become the cache.
  Result<Rows> slide(KernelContext& context, const Step& step, const CacheSlots& slots, CacheRows rows,
                     const Rows& fresh) const {
    const int64_t bytes = fresh.type == ElementType::kFloat                                             ? 4
                          : fresh.type == ElementType::kFloat16 || fresh.type == ElementType::kBfloat16 ? 2
                                                                                                        : 1;
    if (slots.past->type() != fresh.type)
      return fail(ErrorCode::kInvalidArgument, "{}: a past of {} cannot be continued with {}", m_form.name,
                  elementTypeName(slots.past->type()), elementTypeName(fresh.type));
    rows.capacity = step.keys;
    const int64_t head = step.keys * rows.size;
    CUTAWAY_TRY(const std::span<std::byte> memory,
                context.scratch(static_cast<size_t>(rows.batch * rows.heads * head * bytes)));
    const Rows past = headsOutside(*slots.past);
    fillCache(rows, &past, fresh, {memory.data(), fresh.type, rows.heads * head, head, rows.size});
    const Rows all{memory.data(), fresh.type, rows.heads * head, head, rows.size};
    if (!slots.present) return all;
    CUTAWAY_TRY(Tensor * present, context.output(slots.presentSlot, fresh.type,
                                                 std::array{rows.batch, rows.heads, step.capacity, rows.size}));
    std::byte* to = present->mutableBytes().data();
    for (int64_t unit = 0; unit < rows.batch * rows.heads; ++unit) {
      const int64_t batch = unit / rows.heads, held = step.after[batch], start = step.lengths[batch] - held;
      std::byte* at = to + unit * step.capacity * rows.size * bytes;
      std::copy_n(memory.data() + (unit * head + start * rows.size) * bytes, held * rows.size * bytes, at);
      std::fill_n(at + held * rows.size * bytes, (step.capacity - held) * rows.size * bytes, std::byte{0});
    }
    return all;
  }

  // The cache with this step's rows in it.
  Result<Rows> grow(KernelContext& context, const Step& step, size_t pastSlot, size_t presentSlot, const Rows& fresh,
                    const CacheCoding& coding, size_t scaleSlot) const {
    const Tensor* past = optional(context, pastSlot);
    const int64_t stored = coding.storedSize(step.size);
    if (past != nullptr) {
      const Dims wanted{step.batch, m_options.keyHeads, past->rank() == 4 ? past->dims()[2] : -1, stored};
      const Tensor* other = optional(context, kPastKey);
      if (past->dims() != wanted || other == nullptr || other->dims()[2] != past->dims()[2]) {
        return fail(ErrorCode::kInvalidArgument, "{}: a past of {} does not hold {} batches of {} heads of {}",
                    m_form.name, dimsToText(past->dims()), step.batch, m_options.keyHeads, stored);
      }
    }
    const CacheRows rows{.batch = step.batch,
                         .heads = m_options.keyHeads,
                         .size = stored,
                         .capacity = step.capacity,
                         .past = step.kept,
                         .freshRows = step.sequence,
                         .clear = true};
    const CacheSlots slots{past, presentSlot, presentSlot < context.outputCount() && context.hasOutput(presentSlot)};
    const auto join = [&](const Rows& each) {
      return m_options.windowed ? slide(context, step, slots, rows, each) : joinCache(context, slots, rows, each);
    };
    if (coding.kind == CacheCoding::kNone) return join(fresh);
    CUTAWAY_TRY(const CacheScale scale, coding.scaleOf(optional(context, scaleSlot), m_options.keyHeads, step.size));
    CUTAWAY_TRY(const Rows coded, encodeRows(context, coding, scale, fresh, rows, step.size));
    CUTAWAY_TRY(Rows all, join(coded));
    return coding.decoded(all, scale);
  }

  Options m_options;
  Form m_form;
};

Result<Options> readOptions(const KernelInfo& info, const Form& form) {
  const auto flag = [&](const char* name, int64_t otherwise) { return info.attribute<int64_t>(name, otherwise) != 0; };
  Options options{.heads = info.attribute<int64_t>("num_heads", 0),
                  .keyHeads = info.attribute<int64_t>("kv_num_heads", 0),
                  .window = info.attribute<int64_t>("local_window_size", -1),
                  .blockSize = info.attribute<int64_t>("sparse_block_size", 0),
                  .scale = info.attribute<float>("scale", 0.0f),
                  .softcap = info.attribute<float>("softcap", 0.0f),
                  .epsilon = info.attribute<float>("qk_norm_epsilon", 1e-6f),
                  .rotary = flag("do_rotary", 0),
                  .interleaved = flag("rotary_interleaved", 0),
                  .smooth = info.attribute<int64_t>("smooth_softmax", -1) == 1,
                  .causal = flag("causal", 1),
                  .windowed = flag("sliding_window_cache", 0),
                  .scoreOutput = info.attribute<int64_t>("qk_output", 0)};
  if (options.heads <= 0 || options.keyHeads <= 0 || options.heads % options.keyHeads != 0) {
    return fail(ErrorCode::kInvalidArgument, "{}: {} heads of keys do not divide {} heads of queries", form.name,
                options.keyHeads, options.heads);
  }
  if (options.scoreOutput < 0 || options.scoreOutput > 2)
    return fail(ErrorCode::kInvalidArgument, "{}: qk_output {} is none of 0, 1, 2", form.name, options.scoreOutput);
  if (options.window < -1 || options.window == 0 || (!options.causal && options.window != -1)) {
    return fail(ErrorCode::kInvalidArgument,
                "{}: local_window_size {} is neither -1 nor, when causal, a number of keys", form.name, options.window);
  }
  if (form.sparse() && options.blockSize <= 0)
    return fail(ErrorCode::kInvalidArgument, "{}: sparse_block_size is {}", form.name, options.blockSize);
  if (options.windowed && (options.window <= 0 || !info.hasInput(kPastKey)))
    return fail(ErrorCode::kInvalidArgument, "{}: sliding_window_cache needs local_window_size and a past", form.name);
  if (options.windowed && options.scoreOutput != 0)
    return fail(ErrorCode::kNotImplemented, "{} with the scores of a cache as long as its window", form.name);
  if (info.hasInput(kPastKey) != info.hasInput(kPastValue))
    return fail(ErrorCode::kInvalidArgument, "{}: past_key and past_value come together or not at all", form.name);
  for (const size_t slot :
       {size_t{kKey}, size_t{kValue}, form.cosine, form.sine, form.bias, form.sink, form.queryNorm, form.keyNorm}) {
    if (info.hasInput(slot) && info.inputElement(slot) != info.inputElement(kQuery))
      return fail(ErrorCode::kInvalidArgument, "{}: input {} is not of the query's type", form.name, slot);
  }
  const ElementType keyCache = info.hasInput(kPastKey) ? info.inputElement(kPastKey)
                               : info.hasOutput(1)     ? info.outputType(1).element
                                                       : ElementType::kUndefined;
  const ElementType valueCache = info.hasInput(kPastValue) ? info.inputElement(kPastValue)
                                 : info.hasOutput(2)       ? info.outputType(2).element
                                                           : ElementType::kUndefined;
  CUTAWAY_TRY(options.keyCoding, CacheCoding::create(info, "k_quant_type", keyCache));
  CUTAWAY_TRY(options.valueCoding, CacheCoding::create(info, "v_quant_type", valueCache));
  return options;
}

template <typename T, const Form& kForm>
Result<std::unique_ptr<Kernel>> create(const KernelInfo& info) {
  CUTAWAY_TRY(const Options options, readOptions(info, kForm));
  return std::unique_ptr<Kernel>(std::make_unique<GroupQueryKernel<T>>(options, kForm));
}

constexpr ElementType kHalf[] = {ElementType::kFloat16}, kBrain[] = {ElementType::kBfloat16},
                      kSingle[] = {ElementType::kFloat}, kInteger[] = {ElementType::kInt32};
constexpr TypeRule kFloatTypes[] = {{kQuery, kSingle}, {kLengths, kInteger}, {kTotal, kInteger}},
                   kHalfTypes[] = {{kQuery, kHalf}, {kLengths, kInteger}, {kTotal, kInteger}},
                   kBrainTypes[] = {{kQuery, kBrain}, {kLengths, kInteger}, {kTotal, kInteger}};
constexpr InplaceHint kInplace[] = {{.input = kPastKey, .output = 1}, {.input = kPastValue, .output = 2}};
constexpr int kHostInputs[] = {kLengths, kTotal}, kSparseHostInputs[] = {5, 6, 7, 8};
constexpr TypeRule kSparseFloat[] = {{kQuery, kSingle}, {5, kInteger}, {6, kInteger}, {7, kInteger}, {8, kInteger}},
                   kSparseHalf[] = {{kQuery, kHalf}, {5, kInteger}, {6, kInteger}, {7, kInteger}, {8, kInteger}},
                   kSparseBrain[] = {{kQuery, kBrain}, {5, kInteger}, {6, kInteger}, {7, kInteger}, {8, kInteger}};

constexpr KernelRow kRows[] = {
    {.opType = "GroupQueryAttention",
     .domain = "com.microsoft",
     .types = kFloatTypes,
     .inplace = kInplace,
     .hostInputs = kHostInputs,
     .fastPath = "highway",
     .create = create<float, kGroupQuery>},
    {.opType = "GroupQueryAttention",
     .domain = "com.microsoft",
     .types = kHalfTypes,
     .inplace = kInplace,
     .hostInputs = kHostInputs,
     .fastPath = "highway",
     .create = create<Float16, kGroupQuery>},
    {.opType = "GroupQueryAttention",
     .domain = "com.microsoft",
     .types = kBrainTypes,
     .inplace = kInplace,
     .hostInputs = kHostInputs,
     .fastPath = "highway",
     .create = create<Bfloat16, kGroupQuery>},
    {.opType = "SparseAttention",
     .domain = "com.microsoft",
     .types = kSparseFloat,
     .inplace = kInplace,
     .hostInputs = kSparseHostInputs,
     .fastPath = "highway",
     .create = create<float, kSparse>},
    {.opType = "SparseAttention",
     .domain = "com.microsoft",
     .types = kSparseHalf,
     .inplace = kInplace,
     .hostInputs = kSparseHostInputs,
     .fastPath = "highway",
     .create = create<Float16, kSparse>},
    {.opType = "SparseAttention",
     .domain = "com.microsoft",
     .types = kSparseBrain,
     .inplace = kInplace,
     .hostInputs = kSparseHostInputs,
     .fastPath = "highway",
     .create = create<Bfloat16, kSparse>},
};

}  // namespace
}  // namespace cutaway::attention

namespace cutaway {
KernelRows kernel_group_query_attention() {
  return attention::kRows;
}
}  // namespace cutaway
